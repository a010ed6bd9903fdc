#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# --check=all: processes that take different paths, or have variables that differ.  What differs is an address.
cat >diverge.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 12 };
double A[N];
#pragma dpc distribute A(block)
static double twice(double x) { return 2 * x; }
int main(int argc, char **argv) {
    char *mine = malloc(100);
    const long own = (long)mine;
    const int what = atoi(argv[1]);
    int n = N, k = 3;
    double x = what == 3 ? (double)own : 0.5;
    for (int bit = 4; bit < 48 && what == 1; bit++)
        if (own >> bit & 1)
            A[0] = bit;
        else
            A[1] = bit;
    for (int t = 0; t < 40; t++) {
        if (what == 2) n = N - (int)(own >> (t + 4) & 1);
        if (what == 4) k = (int)(own >> (t + 4) & 1);
        if (what == 5 && t == (own >> 4) % 37) break;
        forall (i = 0:n-1) A[i] = x * i;
        A[k] = 7;
        A[k + 1] = twice(A[k]);
    }
    printf("%g\n", sum(A[:]));
    free(mine);
    return argc > 5;
}
C
cat >files.dpc <<'C'
#include <stdio.h>
double A[12];
#pragma dpc distribute A(block)
int main(int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        FILE *file = fopen(argv[k], "r");
        A[:] += file != NULL;
        if (file) fclose(file);
    }
    printf("%g\n", sum(A[:]));
    return 0;
}
C
# What differs is the process's number: a return, an exit, a turn more; and an array's file.
cat >paths.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
double A[12], B[12], w[40];
struct {
    unsigned n : 4;
} part;
#define TEN(k) w[k] + w[k + 1] + w[k + 2] + w[k + 3] + w[k + 4] + w[k + 5] + w[k + 6] + w[k + 7] + w[k + 8] + w[k + 9]
#pragma dpc distribute A(block)
#pragma dpc distribute B(cyclic(2))
int main(int argc, char **argv) {
    const char *number = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    const int what = atoi(argv[1]), mine = number ? atoi(number) : 0;
    if (what == 1 && mine) return 0;
    if (what == 2 && mine) exit(0);
    for (int t = 0; what == 3 && t < 2 + mine; t++)
        B[:] = A[:];
    for (int c = 3 + mine; what == 4 && c > 0; c--)
        A[0] += 1;
    if (what == 5 && mine) fopen("paths.dpc", "r");
    if (what == 6) npy_save(mine ? "one.npy" : "zero.npy", A[:]);
    if (what == 7) fopen("paths.txt", mine ? "w" : "r");
    if (what == 8) A[0] = mine ? A[1] : 1;
    part.n = what == 9 ? mine : 0;
    forall (i = 0:9) A[i] = B[i + part.n];
    w[39] = what == 10 ? mine : 0;
    forall (i = 0:9) A[i] = TEN(0) + TEN(10) + TEN(20) + TEN(30);
    printf("%g\n", sum(A[:]));
    return argc > 5;
}
C
# Statements in which no process waits for another are compared later, some at once: a turn more, a number that is another one
# by then, another branch, a return.
cat >later.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { N = 12 };
double A[N], B[N], C[N], w[200];
int idx[N] = {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10};
#pragma dpc distribute (block) :: A, C
#pragma dpc distribute B(cyclic)
int main(int argc, char **argv) {
    const char *number = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    const int what = atoi(argv[1]), mine = number ? atoi(number) : 0, many = atoi(argv[2]);
    for (int t = 0; t < many + (what == 1 && mine); t++)
        A[:] = t;
    for (int t = 0; t < 150; t++) {
        w[t] = what == 2 && t == 140 ? mine + 2 : 1;
        forall (i = 0:N-1) A[i] = A[i] * w[t];
        w[t] = 0;
    }
    if (what == 3 && mine)
        forall (i = 0:N-1) A[i] = i;
    else
        forall (i = 0:N-1) A[i] = 2 * i;
    if (what == 4 && mine) return 0;
    A[:] -= 1;
    if (what == 5 && mine) exit(0);
    for (int t = 0; what == 6 && mine; t++)
        A[:] = t;
    if (what == 7 && mine) forall (i = 1:N-2) A[i] = C[i-1] + C[i+1];
    if (what == 8 && mine) forall (i = 0:N-1) A[i] = B[i];
    if (what == 9 && mine) forall (i = 0:N-1) A[i] = C[idx[i]];
    if (what == 10 && mine) forall (i = 0:N-1) A[idx[i]] = i;
    if (what == 11 && mine) A[0] = maxval(C[:]);
    if (what == 12 && mine) forall (i = 0:N-1) w[idx[i]] = C[i];
    if (what == 13 && mine) A[:] = sum_prefix(C[:]);
    if (what == 14 && mine) forall (i = 0:5) A[(argc - 1) * i] = i;
    if (what == 15 && mine) forall (i = 0:N-1) w[idx[i]] = i;
    A[0] = A[N-1];
    printf("%g\n", sum(A[:]));
    return argc > 5;
}
C
sed 's/^#include <stdlib.h>/&\n#include <mpi.h>/' later.dpc >beside.dpc
sed 's/^int main/void act(void);\n&/; s/    A\[:\] -= 1;/    act();/' later.dpc >act.dpc
sed 's/^int main/int part/' later.dpc >part.dpc
says_text() { grep -qE -e "$1" "$SCRATCH/err" || { echo "standard error does not say: $1"; return 1; }; }
said_once() { [ "$(grep -c ': error: ' "$SCRATCH/err")" = 1 ] || { echo "errors are said several times"; return 1; }; }
fails() { [ "$STATUS" != 0 ] && [ "$STATUS" != 124 ] || { echo "exit status $STATUS"; return 1; }; }
waits() { grep -q 'dpc_compare_later' "$1"; }
for file in later beside act part; do MPICC=$(mpicc_of "${MPIS%% *}") dpcc -w --check=all -S $file.dpc -o $file.c; done
verdict "comparisons wait where nobody does" waits later.c
for file in beside act part; do verdict "not beside messages of others: $file" all "! waits $file.c" "grep -q DPC_LOCAL $file.c"; done
# run_diverging KIND PROCESSES WHAT [PROGRAM [ARGUMENT]]
run_diverging() {
    STATUS=0
    run_mpi "$1" "$2" "./${4:-diverge}.$1" "$3" ${5:+"$5"} >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
}
stops_with() { fails && says_text "$1" && said_once && prints ""; }
for kind in $MPIS; do
    MPICC=$(mpicc_of "$kind") dpcc -O0 --check=all diverge.dpc -o "diverge.$kind"
    run_diverging "$kind" 2 0
    verdict "processes that stay together, $kind" all 'status_is 0' 'prints "50.5"' silent
    run_diverging "$kind" 1 1
    verdict "one process, $kind" all 'status_is 0' silent
    run_diverging "$kind" 2 1
    verdict "paths, $kind" stops_with 'diverge.dpc:(16|18):13: error: the processes take different paths: process 0 comes to .*diverge.dpc:(16|18):13, process 1 to .*diverge.dpc:(16|18):13'
    run_diverging "$kind" 2 2
    verdict "a bound, $kind" stops_with "diverge.dpc:23:9: error: 'n' differs between processes: 1[12] on process 0, 1[12] on process 1"
    run_diverging "$kind" 2 3
    verdict "a value, $kind" stops_with "diverge.dpc:23:9: error: 'x' differs between processes: [0-9].* on process 0, [0-9].* on process 1"
    run_diverging "$kind" 2 4
    verdict "a subscript, $kind" stops_with "diverge.dpc:2[45]:.*: error: '(k|subscript 1 of A)' differs between processes: [01] on process 0, [01] on process 1"
    MPICC=$(mpicc_of "$kind") dpcc -O0 --check=all files.dpc -o "files.$kind"
    STATUS=0
    run_mpi "$kind" 2 "./files.$kind" files.dpc absent diverge.dpc >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "files that are the same, $kind" all 'status_is 0' 'prints "24"' silent
    if [ "$kind" != smpi ]; then
        run_mpi "$kind" 2 "./files.$kind" files.dpc /proc/self/stat >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
        verdict "a file of each process, $kind" stops_with "error: the processes read different files as '/proc/self/stat'"
    fi
    if [ "$kind" != smpi ]; then
        MPICC=$(mpicc_of "$kind") dpcc -O0 -w --check=all paths.dpc -o "paths.$kind"
        at=(
            [1]='24:5: error: the processes take different paths: process 0 comes to paths.dpc:24:5, process 1 to the end of the program'
            [2]='24:5: error: the processes take different paths: process 0 comes to paths.dpc:24:5, process 1 to the end of the program'
            [3]='24:5: error: the processes take different paths: process 0 comes to paths.dpc:24:5, process 1 to paths.dpc:16:9'
            [4]='24:5: error: the processes take different paths: process 0 comes to paths.dpc:24:5, process 1 to paths.dpc:18:9'
            [5]='the processes take different paths: process 0 comes to paths.dpc:24:5, process 1 to fopen'
            [6]="the processes name different files, 'zero.npy' and others"
            [7]='the processes take different paths: process 0 comes to fopen, process 1 to fopen for writing'
            [8]='the processes take different paths'
            [9]="24:5: error: 'part.n' differs between processes: 0 on process 0, 1 on process 1"
            [10]="26:5: error: 'w\\[30 \\+ 9\\]' differs between processes: 0 on process 0, 1 on process 1"
        )
        for what in "${!at[@]}"; do
            LIMIT=20 run_diverging "$kind" 2 "$what" paths
            verdict "path $what, $kind" stops_with "${at[what]}"
        done
    fi
    if [ "$kind" != smpi ]; then
        MPICC=$(mpicc_of "$kind") dpcc -O0 -w --check=all later.dpc -o "later.$kind"
        at=(
            [1]='15:9: error: the processes take different paths: process 0 comes to later.dpc:15:9, process 1 to later.dpc:12:9'
            [2]="15:9: error: 'w\\[t\\]' differs between processes: 2 on process 0, 3 on process 1"
            [3]='21:28: error: the processes take different paths: process 0 comes to later.dpc:21:28, process 1 to later.dpc:19:28'
            [4]='23:5: error: the processes take different paths: process 0 comes to later.dpc:23:5, process 1 to the end of the program'
            [5]='36:5: error: the processes take different paths: process 0 comes to later.dpc:36:5, process 1 to the end of the program'
            [6]='36:5: error: the processes take different paths: process 0 comes to later.dpc:36:5, process 1 to later.dpc:26:9'
        )
        for what in 7 8 9 10 11 12 13 14 15; do
            at[what]="36:5: error: the processes take different paths: process 0 comes to later.dpc:36:5, process 1 to later.dpc:$((what + 20)):"
        done
        for many in 3 63 64 65 200; do
            LIMIT=20 run_diverging "$kind" 2 0 later "$many"
            verdict "$many statements alike, $kind" all 'status_is 0' 'prints "142"' silent
            LIMIT=20 run_diverging "$kind" 2 1 later "$many"
            verdict "a turn more than $many, $kind" stops_with "${at[1]}"
        done
        for what in "${!at[@]}"; do
            LIMIT=20 run_diverging "$kind" 2 "$what" later 5
            verdict "later $what, $kind" stops_with "${at[what]}"
        done
    fi
    MPICC=$(mpicc_of "$kind") dpcc -O0 -w --check=all "$ROOT/testsuite/programs/evaluated_in_order.dpc" -o "order.$kind"
    STATUS=0
    run_mpi "$kind" 3 "./order.$kind" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "nothing is compared that is not evaluated, $kind" all 'status_is 0' 'cmp "$SCRATCH/out" "$ROOT/testsuite/programs/evaluated_in_order.out"' silent
    [ "$kind" = smpi ] || continue # addresses that differ in the first place already
    run_diverging "$kind" 2 5
    verdict "the end of a loop, $kind" stops_with "diverge.dpc:(23:9|27:20): error: the processes take different paths"
done

# Redistributions that move nothing: bytes are counted for each reason, and for the nearest case in which values must move.
# 48 elements of 8 bytes on 4 processes: from blocks of 12 to cyclic 36 of them change their owner, 288 bytes.
# shellcheck shell=bash disable=SC2016,SC2034
cat >still.dpc <<'C'
#include <stdio.h>
enum { N = 48 };
double A[N], B[N], C[N], D[N], E[N];
#pragma dpc distribute (block) :: A, B, C, D, E
static double total;
static void fill(double v) { C[:] = v; }
static void look(void) {
    #pragma dpc redistribute E(cyclic)
    total += sum(i = 0:N-1, E[i] * i);
    #pragma dpc redistribute E(block)
    total += sum(i = 1:N-1, E[i-1] * i);
}
int main(int argc, char **argv) {
    void change(void) { D[:] += 1; }
    forall (i = 0:N-1) { A[i] = i; B[i] = 2 * i; C[i] = 3 * i; D[i] = 4 * i; E[i] = 5 * i; }
    #pragma dpc redistribute A(block)
    A[:] += 1;
    #pragma dpc redistribute A(cyclic)
    A[:] += 1;
    #pragma dpc redistribute B(cyclic(3))
    #pragma dpc redistribute B(cyclic)
    B[:] += 1;
    #pragma dpc redistribute B(block)
    if (argc > 1) B[:] += 1;
    #pragma dpc redistribute B(cyclic)
    forall (i = 0:N-1) B[N-1-i] = i;
    total += sum(i = 0:N-1, B[i] * i);
    #pragma dpc redistribute C(cyclic)
    fill(7);
    #pragma dpc redistribute C(block)
    forall (i = 1:N-1) C[i] = i;
    total += sum(i = 0:N-1, C[i] * i);
    #pragma dpc redistribute D(cyclic)
    change();
    for (int t = 0; t < 6; t++) {
        look();
        if (t == 3) E[5] += 1;
    }
    total += A[3] + sum(D[:]);
    printf("%.10g\n", total);
    return argv == NULL;
}
C
EXPECTED=$(dpcc_to /dev/stdout --serial --run still.dpc)
# bytes LINE: that all processes send there.
bytes() { grep -F "\"still.dpc:$1\"" stats.json | grep -o '"bytes": \[[^]]*\]' | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
sends() { # LINE BYTES ...
    while [ $# -gt 0 ]; do
        [ "$(bytes "$1")" = "$2" ] || { echo "line $1 sends $(bytes "$1") bytes, not $2"; return 1; }
        shift 2
    done
}
explains() { # LINE WORDS
    grep -A1 "^  line $1  *redistribute" "$SCRATCH/out" | grep -q "$2" || { echo "line $1 is not said to be: $2"; return 1; }
}
for kind in $MPIS; do
    [ "$kind" = smpi ] || [ "$MPIS" = "$kind" ] || continue # simulated processes tell all
    export MPICC
    MPICC=$(mpicc_of "$kind")
    counted() { # COMMAND...: 4 processes
        DPC_STATS=stats.json "$@" "$DPCC" -O0 --run -n 4 still.dpc >"$SCRATCH/out" 2>"$SCRATCH/err"
        STATUS=$?
    }
    counted env
    verdict "the same mapping, $kind" all 'status_is 0' 'prints "$EXPECTED"' 'sends 16 0 18 288'
    verdict "a mapping that nothing uses" sends 20 0 21 288
    verdict "values that are assigned before they are read" sends 23 288 25 0 28 0 30 288
    verdict "values that a nested function reads" sends 33 288
    verdict "copies that stay, and values that have changed" sends 8 576 10 0
    for none in DPC_COPIES=0 DPC_COPIES=95 DPC_KEEP=0 DPC_REDISTRIBUTE=walk; do
        counted env $none
        verdict "no copies, $none" all 'status_is 0' 'prints "$EXPECTED"' 'sends 8 1728 10 1728'
    done
    counted env DPC_COPIES=96
    verdict "room for one copy" all 'status_is 0' 'prints "$EXPECTED"' 'sends 8 576 10 0'
    DPC_STATS=stats.json dpcc -O0 --run -n 1 still.dpc
    verdict "one process copies nothing" all 'status_is 0' 'prints "$EXPECTED"' '! grep -q "plans_made\": \[[1-9]" stats.json'
done
dpcc --explain still.dpc
verdict "--explain says why nothing moves" all 'explains 16 "A(block): moves nothing: it has this mapping already"' \
    'explains 20 "B(cyclic(3)): moves nothing: no statement uses it with this mapping"' \
    'explains 25 "B(cyclic): moves nothing and loses its values: every element is assigned before it is read"' \
    'explains 28 "C(cyclic): moves nothing and loses its values: every element is assigned before it is read"' \
    'prints_like "reused: moves nothing where it has not changed since it had this mapping: a copy has stayed"'
verdict "what must move moves" all 'explains 18 "elements that change their owner move"' \
    'explains 30 "elements that change their owner move"' 'explains 33 "elements that change their owner move"'
dpcc --explain=json still.dpc
verdict "so does --explain=json" all 'prints_like "\"moves nothing: it has this mapping already\""' \
    'prints_like "\"reused\":true"'
# The generated text says the same, and does not call what cannot fail.
dpcc -S -o - still.dpc
verdict "the text of the program" all '! grep -q "DPC_LINE(16)" "$SCRATCH/out"' '! grep -q "DPC_LINE(20)" "$SCRATCH/out"' 'grep -q "DPC_LINE(30)" "$SCRATCH/out"' \
    'prints_like "/\* A moves nothing: it has this mapping already \*/"' 'prints_like "/\* B moves nothing and loses its values: every element is assigned before it is read \*/"' 'prints_like "{.dead = true}"'
# At the end of a loop's body, where the next iteration begins with another redistribution: once, behind the loop; not where something reads before.
cat >late.dpc <<'C'
#include <stdio.h>
enum { N = 48 };
double A[N], B[N];
#pragma dpc distribute (block) :: A, B
int main(void) {
    forall (i = 0:N-1) { A[i] = i; B[i] = 2 * i; }
    for (int t = 0; t < 5; t++) {
        #pragma dpc redistribute A(cyclic)
        A[:] += t;
        #pragma dpc redistribute A(block)
    }
    for (int t = 0; t < 5; t++) {
        B[:] += 1;
        #pragma dpc redistribute B(cyclic)
        B[:] += t;
        #pragma dpc redistribute B(block)
    }
    printf("%g\n", sum(i = 1:N-1, i * A[i-1]) + sum(i = 1:N-1, i * B[i-1]));
    return 0;
}
C
EXPECTED=$(dpcc_to /dev/stdout --serial --run late.dpc)
bytes() { grep -F "\"late.dpc:$1\"" stats.json | grep -o '"bytes": \[[^]]*\]' | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
for kind in $MPIS; do
    [ "$kind" = smpi ] || [ "$MPIS" = "$kind" ] || continue
    MPICC=$(mpicc_of "$kind") DPC_STATS=stats.json dpcc -O0 --run -n 4 late.dpc
    verdict "what the next iteration moves again waits for the end of the loop" all 'status_is 0' 'prints "$EXPECTED"' \
        'sends 8 288 10 288 14 1440 16 1440'
done
dpcc -O0 --explain late.dpc
verdict "--explain says so" all 'explains 10 "A(block): moves behind the loop: each iteration begins with another redistribution; from A(cyclic): elements"' \
    'explains 16 "elements that change their owner move"'

# A mapping that nothing uses is refused all the same.
cat >refused.dpc <<'C'
double A[48];
#pragma dpc distribute A(block)
int main(int argc, char **argv) {
    A[:] = 1;
    if (argc > 0)
        #pragma dpc redistribute A(block(argc))
    return argv == 0;
}
C
dpcc --run -n 4 refused.dpc
verdict "errors stay" all 'status_is 1' 'says "refused.dpc:6: error: array .A.: block(1) over 4 processes holds 4 elements, but the extent is 48"'

# Copies go where memory is short: with the copy of A gone there is room for B; without copies the room that the program leaves itself is too small.
cat >short.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
void leave(long bytes);
int main(int argc, char **argv) {
    const long n = argc > 1 ? atol(argv[1]) : 0;
    double A[n], total = 0;
    #pragma dpc distribute A(block)
    forall (i = 0:n-1) A[i] = i % 10;
    for (int t = 0; t < 2; t++) {
        #pragma dpc redistribute A(cyclic)
        total += sum(A[:]);
        #pragma dpc redistribute A(block)
        total += A[n / 2];
    }
    leave(2 * n);
    {
        double B[n];
        #pragma dpc distribute B(block)
        B[:] = A[:];
        total += sum(B[:]);
    }
    #pragma dpc redistribute A(cyclic)
    printf("%g\n", total + sum(A[:]));
    return 0;
}
C
cat >leave.c <<'C'
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
void leave(long bytes) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL && fscanf(f, "%ld", &pages) == 1) {
        const rlim_t all = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + bytes);
        setrlimit(RLIMIT_AS, &(struct rlimit){all, all});
    }
    if (f != NULL) fclose(f);
}
C
for kind in openmpi mpich; do
    [[ " $MPIS " == *" $kind "* ]] || continue
    MPICC=$(mpicc_of $kind)
    DPC_NODE_SIZE=1 dpcc -O0 --run -n 2 short.dpc leave.c -- 10000000
    verdict "copies make room, $kind" all 'status_is 0' 'prints 1.8e+08'
    DPC_NODE_SIZE=1 DPC_COPIES=0 dpcc -O0 --run -n 2 short.dpc leave.c -- 10000000
    verdict "without copies there is none, $kind" all fails "says \"short.dpc:18: error: out of memory: array 'B' needs \""
done

# What moves along: its bytes are counted with those of the array that is named. R is assigned before it is read, S is not;
# both are 48 elements of 8 bytes, as above. Statements on them need no message where their elements stand alike.
cat >along.dpc <<'C'
#include <stdio.h>
enum { N = 48 };
double U[N], R[N - 1], S[N - 1];
#pragma dpc distribute U(block)
#pragma dpc align R[i] with U[i+1]
#pragma dpc align S[i] with U[i+1]
int main(void) {
    forall (i = 0:N-1) U[i] = i;
    forall (i = 0:N-2) R[i] = U[i+1];
    forall (i = 0:N-2) S[i] = R[i] * 2;
    #pragma dpc redistribute U(cyclic)
    U[:] = 1;
    forall (i = 0:N-2) R[i] = S[i] + U[i+1];
    printf("%g\n", sum(i = 0:N-2, R[i] * i));
    #pragma dpc redistribute U(block)
    forall (i = 0:N-3) S[i] = R[i+1];
    printf("%g\n", sum(i = 0:N-2, S[i] * i));
    return 0;
}
C
EXPECTED=$(dpcc_to /dev/stdout --serial --run along.dpc)
for kind in $MPIS; do
    [ "$kind" = smpi ] || [ "$MPIS" = "$kind" ] || continue
    MPICC=$(mpicc_of "$kind")
    DPC_STATS=stats.json dpcc -O0 --run -n 4 along.dpc
    at() { grep -F "\"along.dpc:$1\"" stats.json | grep -o '"bytes": \[[^]]*\]' | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
    verdict "values of followers that are assigned before they are read, $kind" all 'status_is 0' 'prints "$EXPECTED"' \
        '[ "$(at 11)" = 288 ]' '[ "$(at 13)" = 0 ]' '[ "$(at 15)" = 576 ]' '[ "$(at 16)" = 24 ]'
done
dpcc --explain along.dpc
verdict "--explain says which follower moves nothing" all \
    'explains 11 "U(cyclic): moves nothing and loses its values: every element is assigned before it is read"' \
    'prints_like "^    local      R: moves nothing and loses its values: every element is assigned before it is read$"' \
    '! grep -A1 "R: moves nothing" "$SCRATCH/out" | grep -q "sends at most"' \
    'prints_like "^    sets       S: moves along with U$"' 'prints_like "^    R is aligned with U (cyclic) here$"'
dpcc -S -o - along.dpc
verdict "the text says it, too" all 'prints_like "/\* R moves nothing and loses its values: every element is assigned before it is read \*/"' \
    'prints_like "{.array = &R_dist, .dead = true}"' '! grep -q "&S_dist, .*dead" "$SCRATCH/out"'

# print A[3] in gdb, on the names of the .dpc program.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317
kind=
for each in openmpi mpich; do [ -z "$kind" ] && has_mpi "$each" && kind=$each; done
if ! gdb --batch -ex 'python print(6 * 7)' 2>&1 | grep -q '^42$'; then
    pass "driver/gdb: skipped, as there is no gdb with Python"
elif ! gdb --batch -ex run -ex 'info program' true 2>&1 | grep -q 'exited normally'; then
    pass "driver/gdb: skipped, as gdb may not run programs here"
elif [ -z "$kind" ]; then
    pass "driver/gdb: skipped, as there are simulated processes only"
else
    cat >d.dpc <<'C'
#include <stdio.h>
enum { N = 10 };
double A[N];
int M[4][6];
typedef struct { int held[2]; } pair;
pair p = {{5, 6}};
#pragma dpc distribute A(cyclic(3))
#pragma dpc distribute M(*, block)
int main(void) {
    int k = 2;
    forall (i = 0:N-1) A[i] = i * 1.5;
    forall (i = 0:3, j = 0:5) M[i][j] = 10 * i + j;
    printf("%d\n", k);
    return 0;
}
C
    cat >commands <<'G'
set breakpoint pending on
break d.dpc:13
run
print A[3]
print A[k+1] + M[1][k]
p/x M[3][5]
print p.held[1]
print A[12]
G
    MPICC=$(mpicc_of "$kind") dpcc -g -O0 d.dpc -o d
    verdict "-g -O0" all 'status_is 0' silent
    # Two processes: the first one's debugger says who has what it has not.
    printf '%s\n' 'set breakpoint pending on' 'break d.dpc:13' run 'print A[2]' 'print A[3]' continue >of_two
    # shellcheck disable=SC2016 # expanded where it runs
    printf 'case ${OMPI_COMM_WORLD_RANK-${PMI_RANK-0}} in 0) exec gdb --batch -x "%s/lib/gdb.py" -x of_two ./d ;; *) exec ./d ;; esac\n' "$BUILD" >each
    LIMIT=100 run_mpi "$kind" 1 gdb --batch -x "$BUILD/lib/gdb.py" -x commands ./d >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "it stops at the line of the .dpc file" prints_like 'main () at .*d.dpc:13'
    verdict "an element by its index" prints_like '^\$1 = 4\.5$'
    verdict "elements in an expression" prints_like '^\$2 = 16\.5$'
    verdict "with a format" prints_like '^\$3 = 0x23$'
    verdict "other arrays as ever" prints_like '^\$4 = 6$'
    verdict "an index outside" says_text "subscript 1 of 'A' is 12, its bounds are 0:9"
    LIMIT=100 run_mpi "$kind" 2 sh each >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "an element of another process" all 'prints_like "^.1 = 3$"' 'says_text "A[3] is on process 1; this is process 0"'
fi

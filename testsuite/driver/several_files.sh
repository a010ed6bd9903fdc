# A program of several source files, each translated on its own.
# shellcheck shell=bash disable=SC2016,SC2034
cat >main.dpc <<'C'
#include <stdio.h>
#include "other.h"
static double A[100];
#pragma dpc distribute A(cyclic(3))
int main(void) {
    forall (i = 0:99) A[i] = i;
    fill(2);
    printf("%.0f %.0f %d\n", sum(A[:]), total(), plain(4));
    return 0;
}
C
cat >other.h <<'C'
void fill(int factor);
double total(void);
int plain(int);
C
cat >other.dpc <<'C'
#include "other.h"
static double A[60];
#pragma dpc distribute A(block)
void fill(int factor) { forall (i = 0:59) A[i] = factor * i; }
double total(void) { return sum(A[:]); }
C
echo 'int plain(int x) { return x + 1; }' >plain.c
RESULT="4950 3540 5"

for options in --serial "-n 1" "-n 3"; do
    # shellcheck disable=SC2086 # words
    dpcc -O0 --run $options main.dpc other.dpc plain.c
    verdict "--run $options" all 'status_is 0' silent "prints '$RESULT'"
done
dpcc -O0 -c main.dpc other.dpc plain.c
verdict "-c" all 'status_is 0' silent 'files_are "main.dpc main.o other.dpc other.h other.o plain.c plain.o"'
dpcc --run -n 2 main.o other.o plain.o
verdict "objects" all 'status_is 0' silent "prints '$RESULT'"
rm -f ./*.o
dpcc -S main.dpc other.dpc
verdict "-S" all 'status_is 0' 'files_are "main.c main.dpc other.c other.dpc other.h plain.c"'
dpcc -O0 --run -n 2 main.c other.c plain.c
verdict "translated files" all 'status_is 0' silent "prints '$RESULT'"

# Functions with distributed parameters, whose prototypes stand in a header.
cat >steps.h <<'C'
void scale(long n, double X[n], double by);
#pragma dpc distribute X(block)
double corner(long n, const double M[n][n])
#pragma dpc inherit M
    ;
void relax(long n, long b, double U[0:n+1], long *count);
#pragma dpc distribute U(cyclic(b))
void swap(long n, double X[n], double Y[n])
#pragma dpc distribute (cyclic(2)) :: X, Y
    ;
C
cat >steps.dpc <<'C'
#include "steps.h"
void scale(long n, double X[n], double by) {
#pragma dpc distribute X(block)
    X[:] *= by;
}
void relax(long n, long b, double U[0:n+1], long *count) {
#pragma dpc distribute U(cyclic(b))
    forall (i = 1:n) U[i] = (U[i-1] + U[i+1]) / 2;
    ++*count;
    scale(n, U[1:n], 2);
}
void swap(long n, double X[n], double Y[n]) {
#pragma dpc distribute (cyclic(2)) :: X, Y
    double Z[n];
#pragma dpc distribute Z(cyclic(2))
    Z[:] = X[:];
    X[:] = Y[:];
    Y[:] = Z[:];
}
C
cat >corner.dpc <<'C'
#include "steps.h"
double corner(long n, const double M[n][n]) {
#pragma dpc inherit M
    return M[n-1][n-1] + sum(M[0][:]);
}
C
cat >use.dpc <<'C'
#include <stdio.h>
#include "steps.h"
static double A[22], B[22];
#pragma dpc distribute A(block)
#pragma dpc distribute B(cyclic)
int main(void) {
    double M[5][5];
    long count = 0;
#pragma dpc distribute M(cyclic, block)
    forall (i = 0:21) A[i] = i * i;
    for (int t = 0; t < 3; t++) {
        relax(20, t + 1, A, &count);
        forall (i = 0:21) B[i] = A[i-0] + 1;
        if (count > 1 && corner(5, M) == 0) swap(22, A, B);
        forall (i = 0:4, j = 0:4) M[i][j] = A[i] * j;
    }
    printf("%.6f %.6f %.6f %ld\n", sum(i = 0:21, i * A[i]), B[7], corner(5, M), count);
    return 0;
}
C
dpcc --serial --run use.dpc steps.dpc corner.dpc
WANT=$(cat "$SCRATCH/out")
verdict "parameters: --serial" all 'status_is 0' silent 'prints_like "^[0-9]"'
for n in 1 2 3; do
    dpcc -O0 --run -n $n use.dpc steps.dpc corner.dpc
    verdict "parameters: -n $n" all 'status_is 0' silent 'prints "$WANT"'
done

# Arrays that a header declares and one file defines, and a template of the header, which is one for all files.
cat >shared.h <<'C'
#pragma dpc processors P(*)
extern double A[20], U[0:21];
#pragma dpc distribute A(block) onto P
#pragma dpc template T[40]
#pragma dpc distribute T(cyclic(2))
#pragma dpc align U[i] with T[i+3]
void step(void);
C
cat >owner.dpc <<'C'
#include <stdio.h>
#include "shared.h"
double A[20] = 3, U[0:21];
#pragma dpc distribute A(block) onto P
int main(void) {
    forall (i = 0:21) U[i] = i;
    step();
    printf("%g %g\n", sum(A[:]), sum(i = 0:21, U[i] * i));
    return 0;
}
C
cat >user.dpc <<'C'
#include "shared.h"
void step(void) {
    forall (i = 0:19) A[i] += U[i+1];
#pragma dpc redistribute T(block)
#pragma dpc redistribute A(cyclic)
    forall (i = 0:19) A[i] += U[i];
}
C
for options in --serial "-n 1" "-n 3"; do
    # shellcheck disable=SC2086 # words
    dpcc -O0 -Wno-whole-copies --run $options owner.dpc user.dpc
    verdict "shared arrays $options" all 'status_is 0' silent "prints '460 3311'"
done
sed 's/cyclic(2)/cyclic(3)/' shared.h >other_shared.h
sed 's/"shared.h"/"other_shared.h"/' user.dpc >other_user.dpc
dpcc -O0 --run -n 2 owner.dpc other_user.dpc
verdict "declarations that differ" all 'status_is 1' 'says "is mapped in another way than at"'
# Object files of both kinds: no program.
mkdir kinds && cd kinds || exit
printf 'void fill(int n, double x[n]);\n#pragma dpc distribute x(block)\ndouble A[20];\n#pragma dpc distribute A(block)\nint main(void) {\n    fill(20, A);\n    return A[3] != 3;\n}\n' >use.dpc
printf 'void fill(int n, double x[n]) {\n#pragma dpc distribute x(block)\n    forall (i = 0:n-1) x[i] = i;\n}\n' >fill.dpc
for kind in "" --serial; do
    dpcc $kind -O0 -c use.dpc -o "use$kind.o"
    dpcc $kind -O0 -c fill.dpc -o "fill$kind.o"
done
dpcc use.o fill--serial.o -o program && run_mpi "${MPIS%% *}" 1 ./program >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
verdict "functions translated with --serial" all fails 'says "an object file of the program was translated with --serial; either all are, or none"'
dpcc use--serial.o fill.o -o program && run_mpi "${MPIS%% *}" 1 ./program >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
verdict "main translated with --serial" all fails 'says "main began without them: its file was translated with --serial, or not by dpcc"'
for kind in "" --serial; do
    dpcc $kind "use$kind.o" "fill$kind.o" -o program && run_mpi "${MPIS%% *}" 1 ./program >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "all alike: ${kind:-parallel}" all 'status_is 0' silent
done
cd .. || exit

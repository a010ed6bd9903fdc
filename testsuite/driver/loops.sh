#!/usr/bin/env bash
# shellcheck disable=SC2154,SC2317 # part of run_driver
# What the loops of the generated text tell the C compiler: that iterations are independent, where everything goes from element to
# element. Beside a value that stays the same in the loop it is left unsaid: gcc would load that from memory for each element, which made
# an LU decomposition twice as slow.
cat >loops.dpc <<'C'
enum { N = 40 };
double A[N][N];
#pragma dpc distribute A(cyclic(4), cyclic(4))
int main(void) {
    A[:][:] = 1;
    for (int k = 0; k < N - 1; k++) {
        forall (i = k+1:N-1, j = k+1:N-1) A[i][j] -= A[i][k] * A[k][j];
        forall (i = k+1:N-1, j = k+1:N-1) A[i][j] *= 1 + A[k][j];
    }
    return A[1][1] > 1e9;
}
C
# Whether the line before the assignment begins a loop over j, with these words.
begins_with() {
    grep -B1 -e "^ *A\[i[^]]*\]\[j[^]]*\] $2 " "$SCRATCH/out" | head -n 1 | grep -q "^ *$1(long j" || { echo "the loop around $2 does not begin with $1"; return 1; }
}
dpcc -w -S -o - loops.dpc
verdict "beside a factor that stays the same" all 'status_is 0' 'begins_with "for " -='
verdict "where everything goes on" all 'status_is 0' 'begins_with "DPC_IVDEP for " "[*]="'
# A value that the nest's first statement gives, and conditions read, is written out where it is used: no element is fetched by itself.
private=$ROOT/testsuite/programs/element_loops_private.dpc
line=$(grep -n "u = t \* t;" "$private" | cut -d : -f 1)
dpcc -w -S -o - "$private"
verdict "a value that stands first" all 'status_is 0' 'prints_like "DPC_LINE($line)"' '! prints_like "dpc_get(double, &M_dist, DPC_LINE($line)"' '! prints_like "dpc_set(double, &P_dist, DPC_LINE($line)"'
# Sums whose loops go around the last index, over a tile of its values: what moves along the sum's own index does not hinder that, what moves
# along the last one does.
cat >tiles.dpc <<'C'
#define N 1300
#define K 23
double A[N], B[N], W[K], T[K][N];
#pragma dpc distribute (block) :: A, W
#pragma dpc distribute B(cyclic(5))
#pragma dpc distribute T(*, block)
int main(void) {
    forall (i = 0:N-1) A[i] = sum(k = 0:K-1, W[k] * T[k][i]);
    forall (i = 0:N-1) A[i] = sum(k = 0:K-1, B[i] * T[k][i]);
    return A[1] > 1e9;
}
C
dpcc -w -S -o - tiles.dpc
verdict "sums in tiles" all 'status_is 0' 'prints_like "double sum_8\[512\]"' '! prints_like "double sum_9\["' 'prints_like "double sum_9 = 0"'
# The library's qsort calls a function of the program's, which changes nothing: loops around it are shared out, and no warning says otherwise.
dpcc -S -o - "$ROOT/testsuite/programs/rows_sorted.dpc"
verdict "rows that are sorted" all 'status_is 0' '! says warning'
# Programs whose results are right element by element, too, only slowly.
dpcc -Werror=element-loops -S -o /dev/null "$ROOT/testsuite/programs/red_black_with_maximum.dpc"
verdict "sums of what a store of the same iteration overwrites are parallel" status_is 0
dpcc -S -o - "$ROOT/testsuite/programs/counters_in_subscripts.dpc"
verdict "counters in subscripts" all 'status_is 0' '! grep -q "the loop is not parallel" "$SCRATCH/err"' 'prints_like "int j __attribute__((unused))\|int k = -1;"'
dpcc -S -o - "$ROOT/testsuite/programs/conditions_around_loops.dpc"
verdict "conditions around loops" all 'status_is 0' '[ "$(grep -c "the loop is not parallel" "$SCRATCH/err")" = 2 ]'
dpcc -Werror=element-loops -S -o /dev/null "$ROOT/testsuite/programs/forces_in_boxes.dpc"
verdict "elements of structures that a variable of another type finds are parallel" status_is 0
dpcc --explain "$ROOT/testsuite/programs/ghosts_of_any_width.dpc"
verdict "windows of any size read ghost cells" all 'status_is 0' '[ "$(grep -c "ghost cells, as wide as it reads" "$SCRATCH/out")" -ge 10 ]'
dpcc -w -S -o - "$ROOT/testsuite/programs/dealt_iterations.dpc"
verdict "iterations that belong to nobody are dealt out" all 'status_is 0' '[ "$(grep -c "dpc_deal_out(" "$SCRATCH/out")" -ge 5 ]'
dpcc -w -S -o - "$ROOT/testsuite/programs/flat_matrices.dpc"
verdict "matrices in arrays of one dimension have loops over rows" all 'status_is 0' '[ "$(grep -c "DPC_ROWS_OF(" "$SCRATCH/out")" -ge 10 ]' '! prints_like "dpc_gather("' '! prints_like "dpc_deal_out("'
dpcc -w -S -o - "$ROOT/testsuite/programs/flat_strides.dpc"
verdict "rows whose width is a product, or a variable that keeps one" all 'status_is 0' '! prints_like "dpc_deal_out("'
dpcc -w -S -o - "$ROOT/testsuite/programs/flat_bases.dpc"
verdict "matrices behind a number that is fixed" all 'status_is 0' '[ "$(grep -c "dpc_deal_out(" "$SCRATCH/out")" = 1 ]'
# Shortest paths on such a matrix: nine parts, each of which asks for its part of the row and of the column once, though the condition and the
# value read both; that they are inside follows from products of variables.
cat >paths.dpc <<'C'
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 7;
    double D[n * n];
#pragma dpc distribute D(block)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) D[i * n + j] = (i * 7 + j * 13) % 101;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (D[i * n + k] + D[k * n + j] < D[i * n + j]) D[i * n + j] = D[i * n + k] + D[k * n + j];
    return D[0] < 0;
}
C
dpcc -Werror -S -o - paths.dpc
verdict "paths on a matrix in an array of one dimension" all 'status_is 0' '[ "$(grep -c "= dpc_fetch_submatrix(" "$SCRATCH/out")" = 18 ]' '! prints_like "dpc_checked("' '! prints_like dpc_set'
# Images: elements of three values, places that are subtracted, halves; what differs by few values comes together.
dpcc -Werror=flat-matrices -S -o - "$ROOT/testsuite/programs/flat_images.dpc"
verdict "images in arrays of one dimension" all 'status_is 0' '[ "$(grep -c "dpc_keep_submatrix(" "$SCRATCH/out")" = 4 ]' '! prints_like dpc_gather' '! prints_like dpc_scatter'
# Neighbours that loops count, on a torus: ghost cells from the other end, in arrays of one dimension boxes that go round; counted once.
dpcc -Werror=element-loops -Werror=flat-matrices -S -o - "$ROOT/testsuite/programs/torus.dpc"
verdict "cells on a torus" all 'status_is 0' '[ "$(grep -c "also from the other end" "$SCRATCH/out")" -ge 2 ]' '[ "$(grep -c "DPC_SUBMATRIX_AROUND(" "$SCRATCH/out")" -ge 2 ]' '[ "$(grep -c "for (long dx = -1" "$SCRATCH/out")" = 2 ]'
# Neighbours whose distances stand in arrays of constants come in ghost cells; where something may change these, they are looked for.
dpcc -Werror -S -o - "$ROOT/testsuite/programs/neighbours_by_tables.dpc"
verdict "neighbours by tables" all 'status_is 0' '! prints_like "_where\[.*d[xy]\[k\]"' '! prints_like "_where\[.*pairs"' 'prints_like "_where\[.*changed"' 'prints_like "_where\[.*given"' '! prints_like "dpc_checked("'
# Sums that are made of one value stay in one loop.
dpcc -Werror -S -o - "$ROOT/testsuite/programs/sums_of_one_value.dpc"
verdict "sums of one value" all 'status_is 0' '[ "$(grep -c "(r \* sqrt(r));\$" "$SCRATCH/out")" = 1 ]' '[ "$(grep -c "independent on" "$SCRATCH/out")" = 2 ]'
# Inner bounds that depend on outer variables: shared out, where it is written and where it is proved; an iteration without an element is found.
dpcc -Werror=replicated-loops -Werror=element-loops -S -o - "$ROOT/testsuite/programs/independent_triangular.dpc"
verdict "loops with bounds that depend on one another are shared out" all 'status_is 0' 'prints_like "independent on V\[i\]\[j\]$"' 'prints_like "j <= j_end; j += 2"'
cat >outside.dpc <<'C'
#include <stdlib.h>
double A[9][7];
#pragma dpc distribute A(block, block)
int main(int argc, char **argv) {
    const int n = atoi(argv[1]);
#pragma dpc independent on(A[i][j])
    for (int i = 0; i < 9; i++)
        for (int j = i; j < n; j += 3) A[i][j] = 1;
    return sum(A[:][:]) != 12;
}
C
dpcc -o outside outside.dpc
for n in 7 8; do
    STATUS=0
    run_mpi "${MPIS%% *}" 2 ./outside $n >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    [ $n = 8 ] || verdict "inside of a triangle" status_is 0
done
verdict "outside of it" all '! status_is 0' "says \"outside.dpc:6: error: subscript 2 of array 'A' is out of bounds: index 7\""
# The number of neighbours, which is gathered, is found once for all conditions that read it.
dpcc -Werror=element-loops -S -o - "$ROOT/testsuite/programs/values_in_conditions.dpc"
verdict "values that conditions read are computed once" all 'status_is 0' '[ "$(grep -c "sum_20 = 0" "$SCRATCH/out")" = 1 ]' '! prints_like "dpc_gather.*&cell_dist"'
dpcc -Werror=element-loops -Werror=replicated-loops -S -o /dev/null "$ROOT/testsuite/programs/functions_that_read.dpc"
verdict "functions that only read leave loops parallel" status_is 0
# What processes read of such matrices beside others' iterations comes as a whole, and loops with unsigned variables of 64 bits are parallel.
dpcc -S -o - "$ROOT/testsuite/programs/submatrices.dpc"
verdict "rows and places of matrices in arrays of one dimension" all 'status_is 0' 'prints_like "A_in\[i\]\[k\] \* B_in\[k\]\[ij - i \* N\]"' 'prints_like "DPC_TURNED_ROWS(ij, i, N,"' 'prints_like "A_in\[i\]\[k\] \* L_in\|L_in\[i\]\[k\] \* L_in_2\[k\]\[ij - i \* n\]"'
dpcc -S -o - "$ROOT/testsuite/programs/unsigned_loops.dpc"
verdict "unsigned loops" all 'status_is 0' '! says warning' '! prints_like "dpc_get(" ' '! prints_like "dpc_set("'
# Rows of a variable width: the interior first.
cat >width.dpc <<'C'
double smooth(int n, int m) {
    double A[n * m], B[n * m];
#pragma dpc distribute (block) :: A, B
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) B[i * m + j] = A[(i - 1) * m + j - 1] + A[i * m + j + 2];
    return B[n + m];
}
int main(void) { return smooth(5, 7) > 0; }
C
dpcc -S -o - width.dpc
verdict "rows of a variable width" all 'status_is 0' 'prints_like "DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_WIDTH(m + 1, dpc_maximum(2, m + 1))))"'

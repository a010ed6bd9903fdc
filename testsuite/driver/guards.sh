# What conditions keep inside its array is not compared at run time, and indices that are compared stay as they were written.
# shellcheck shell=bash disable=SC2016
dpcc -S -o - "$ROOT/testsuite/programs/guarded_edges.dpc"
verdict "a branch for each edge and corner" all 'status_is 0' 'silent' 'prints_like "(r == 0 && c == COLS - 1)"' '! prints_like "dpc_leaves"' '! prints_like "(int)r == 0"'
# Conditions that do not: each read that they let out is compared.
cat >out.dpc <<'END'
long A[20], B[20];
#pragma dpc distribute (block) :: A, B
int main(void) {
    for (int i = 0; i < 20; i++) B[i] = !(i == 19 && A[i] > 0) ? A[i+1] : 0;
    for (int i = 0; i < 20; i++) B[i] = i != 0 || A[i] > 0 ? A[i-1] : 0;
    return B[3] != 0;
}
END
dpcc -S -o - out.dpc
verdict "conditions that let some out" all 'status_is 0' 'prints_like "dpc_checked(&A_dist, DPC_LINE(4)"' 'prints_like "dpc_checked(&A_dist, DPC_LINE(5)"'
# What is read once before a forall is not read where the forall has no iterations, unless its subscript is a constant inside.
cat >once.dpc <<'END'
double A[20], B[20];
#pragma dpc distribute (block) :: A, B
int order[4], low[2:5];
int main(int argc, char **argv) {
    long n = argc + 10, k = argc;
    forall (i = 0:n-1) A[i] = B[order[3]];
    forall (i = 0:n-1) A[i] = B[low[5]];
    forall (i = 0:n-1) A[i] = B[order[k]];
    return A[3] != 0;
}
END
dpcc -S -o - once.dpc
verdict "subscripts that are inside" all 'status_is 0' 'prints_like "= order\[3\];"' 'prints_like "= low\[5 - 2\];"' 'prints_like "= 0 <= n - 1 ? order\[k\] : 0;"'

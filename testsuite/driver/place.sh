# What stands where it is used is read in place: nothing is copied and nothing is sent, however the program says so.
# shellcheck shell=bash disable=SC2016,SC2034
cat >ideal.dpc <<'C'
#include <stdio.h>
enum { N = 1000 };
double W[N], U[3*N+2], V[2*N+2];
#pragma dpc distribute W(cyclic(5))
#pragma dpc distribute U(cyclic(15))
#pragma dpc distribute V(cyclic(10))
static double sized(long b, long n) {
    double x[n], y[3*n];
#pragma dpc distribute x(cyclic(b))
#pragma dpc distribute y(cyclic(3*b))
    forall (i = 0:3*n-1) y[i] = i;
    forall (i = 0:n-1) x[i] = y[3*i+2] - y[3*i];
    return sum(x[:]);
}
int main(void) {
    forall (i = 0:3*N+1) U[i] = i % 7;
    forall (i = 0:2*N+1) V[i] = i % 5;
    forall (i = 0:N-1) W[i] = U[3*i] + V[2*i] * U[3*i+2];
    forall (i = 0:N-1, V[2*i] > 2 && U[3*i+1] > 3) W[i] = V[2*i+1];
    forall (i = 0:N-1) V[2*i] = W[i] + U[3*i];
    printf("%g\n", sum(i = 0:N-1, U[3*i] * V[2*i] + W[i]) + sized(4, 100));
    return 0;
}
C
cat >extents.dpc <<'C'
#include <stdio.h>
typedef struct { long n; } mesh;
static long points = 700;
static double of(const mesh *g, double x[g->n]) {
#pragma dpc distribute x(block)
    mesh copy = *g;
    const long n = g->n;
    double t[g->n], u[n];
#pragma dpc distribute (block) :: t, u
    forall (i = 0:n-1) t[i] = x[i] + 1;
    forall (i = 0:n-1) u[i] = t[i] * x[i];
    return sum(u[:]);
}
static double whole(double x[points]) {
#pragma dpc distribute x(cyclic(3))
    double t[points];
#pragma dpc distribute t(cyclic(3))
    forall (i = 0:points-1) t[i] = x[i] + 1;
    return sum(t[:]);
}
int main(void) {
    mesh g = {900};
    double x[g.n], y[points];
#pragma dpc distribute x(block)
#pragma dpc distribute y(cyclic(3))
    forall (i = 0:g.n-1) x[i] = i;
    forall (i = 0:points-1) y[i] = i;
    printf("%g\n", of(&g, x) + whole(y));
    return 0;
}
C
cat >staggered.dpc <<'C'
#include <stdio.h>
static double flow(long n) {
    double cell[n][n], node[n+1][0:n];
#pragma dpc distribute (block, block) :: cell, node
    forall (i = 0:n-1, j = 0:n-1) cell[i][j] = i * j % 11;
    forall (i = 1:n-1, j = 1:n-1) node[i][j] = cell[i-1][j-1] + cell[i][j];
    forall (i = 0:n-1, j = 0:n-1) cell[i][j] = node[i+1][j] - node[i][j+1];
    return sum(cell[:][:]);
}
int main(void) {
    printf("%g\n", flow(40));
    return 0;
}
C
cat >irregular.dpc <<'C'
#include <stdio.h>
static double heat(long n, int steps) {
    long sizes[16] = {0};
    for (long i = 0; i < n; i++) sizes[i * i / n % dpc_nprocs()]++;
    double U[n], V[n], half[n / 2];
#pragma dpc distribute (gen_block(sizes)) :: U, V
#pragma dpc align half[i] with U[2*i]
    double W[n][2];
#pragma dpc distribute W(gen_block(sizes), *)
    forall (i = 0:n-1) U[i] = i % 10;
    forall (i = 0:n-1, j = 0:1) W[i][j] = U[i] + j;
    forall (i = 0:n-1) V[i] = W[i][0] * W[i][1];
    forall (i = 0:n/2-1) half[i] = U[2*i];
    for (int t = 0; t < steps; t++) {
        forall (i = 1:n-2) V[i] = 0.25 * U[i-1] + 0.5 * U[i] + 0.25 * U[i+1] + W[i][1];
        U[:] = V[:];
    }
    sizes[0]--;
    return sum(U[:]) + sum(half[:]);
}
int main(int argc, char **argv) {
    printf("%.10g\n", heat(1000, 10 * (argc > 1)));
    return argv == NULL;
}
C
# sums NAME FILE: the counter's sum over all statements and processes.
sums() { grep -o "\"$1\": \[[^]]*\]" "$2" | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
nothing_moves() {
    local name
    for name in messages bytes elements copied plans_made; do
        [ "$(sums $name "$1")" = 0 ] || { echo "$name: $(sums $name "$1") in $1"; return 1; }
    done
    [ "$(sums spaces "$1")" -gt 0 ]
}
if [[ " $MPIS " == *" smpi "* ]]; then
    export MPICC
    MPICC=$(mpicc_of smpi)
    for program in ideal extents irregular; do
        dpcc --serial --run $program.dpc
        expected=$(cat "$SCRATCH/out")
        for processes in 1 3 4; do
            rm -f stats.json
            DPC_STATS=stats.json dpcc -O0 --run -n "$processes" $program.dpc
            verdict "$program: nothing is copied or sent, $processes processes" all 'status_is 0' silent 'prints "$expected"' \
                'nothing_moves stats.json'
        done
    done
fi
if [[ " $MPIS " == *" smpi "* ]]; then
    dpcc --serial --run staggered.dpc
    expected=$(cat "$SCRATCH/out")
    rm -f stats.json
    DPC_STATS=stats.json dpcc -O0 --run -n 1 staggered.dpc
    verdict "staggered: nothing is copied or sent on one process" all 'status_is 0' silent 'prints "$expected"' 'nothing_moves stats.json'
    DPC_STATS=stats.json dpcc -O0 --run -n 9 staggered.dpc
    verdict "staggered: ghost cells on nine" all 'status_is 0' silent 'prints "$expected"' '[ "$(sums elements stats.json)" -lt 1200 ]'
fi
if [[ " $MPIS " == *" smpi "* ]]; then
    dpcc --serial --run irregular.dpc -- stencil
    expected=$(cat "$SCRATCH/out")
    DPC_STATS=stats.json dpcc -O0 --run -n 4 irregular.dpc -- stencil
    verdict "gen_block: ghost cells, not copies" all 'status_is 0' silent 'prints "$expected"' \
        '[ "$(sums elements stats.json)" = 60 ]' '[ "$(sums messages stats.json)" = 60 ]'
fi
dpcc --explain ideal.dpc
verdict "ideal blocks are explained" all 'prints_like "V\[2\*i\]: read in place: b1/s1 = b2/s2 and the blocks begin together"'
dpcc --explain --sets=closed ideal.dpc
verdict "nothing is said to be in place where it is copied" all 'prints_like "sets  *V\[2\*i\]: the owners are the same: copied"'
# What goes round by a few elements comes by ghost cells; of blocks that are dealt round, or by a distance that is not known, it moves.
cat >round.dpc <<'C'
double A[40], B[40], C[40], D[40];
#pragma dpc distribute (block) :: A, B
#pragma dpc distribute (cyclic(3)) :: C, D
int main(int argc, char **argv) {
    B[:] = cshift(A[:], 1) + cshift(A[:], -2);
    D[:] = cshift(C[:], 1);
    B[:] = cshift(A[:], argc);
    return B[3] > 3 && argv[0];
}
C
dpcc -S -o - round.dpc
count_round() { [ "$(grep -c "$1" "$SCRATCH/out")" = "$2" ] || { echo "not $2 times: $1"; return 1; }; }
verdict "what goes round" all 'status_is 0' 'prints_like "A\[-2:1\]: ghost cells, also from the other end"' 'count_round "ghost cells" 1' 'count_round "dpc_refresh(" 1'
# Extents that constants take from a structure are those of the members: whether arrays stand alike is not asked as the program runs.
cat >value.dpc <<'C'
typedef struct { long n; } mesh;
static double by_value(mesh g, double x[g.n]) {
#pragma dpc distribute x(block)
    const long n = g.n;
    double t[g.n], u[n];
#pragma dpc distribute (block) :: t, u
    forall (i = 0:n-1) t[i] = x[i];
    forall (i = 0:n-2) u[i] = t[i+1] + x[i];
    return sum(u[:]);
}
double X[30];
#pragma dpc distribute X(block)
int main(void) {
    const mesh g = {30};
    return by_value(g, X) > 1;
}
C
dpcc -w -S -o - value.dpc
verdict "extents by value" all 'status_is 0' '! prints_like "_like_"' '! prints_like "dpc_stand_near"'
# Arrays that follow one of their function when it is redistributed: each statement knows their mappings.
dpcc -S -o - "$ROOT/testsuite/programs/followers_views.dpc"
verdict "arrays that follow another one" all 'status_is 0' silent 'prints_like "^ *dpc_refreshing .halo = .*dpc_refresh(DPC_LINE(38), 1, (dpc_array .\[\]){&V_dist})"'
# What a statement reads twice comes once.
dpcc -w -S -o - "$ROOT/testsuite/programs/bounds_reused.dpc"
verdict "references of one statement that read the same" all 'status_is 0' 'prints_like "^static dpc_reused count_reused;"' '! prints_like "count_reused_2"'

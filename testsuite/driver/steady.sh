# The steady state of a time loop makes no allocation, finds no space, no strips of ghost cells and no plan: as many for 40
# steps as for 10 (the first ones still find out which sizes of memory serve one another).
# shellcheck shell=bash disable=SC2016,SC2034
cat >steps.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
#define N 30
double U[N][N], V[N][N], T[N][N], L[N];
double A[N], B[N], S[N];
#pragma dpc distribute (block, block) :: U, V, T
#pragma dpc distribute (block) :: A, S
#pragma dpc distribute B(cyclic(3))
#pragma dpc distribute L(cyclic)
static void relax(long n, double f) {
    double W[n][n]; /* another array in every step, mapped as the last */
#pragma dpc distribute W(block, *)
    forall (i = 0:n-1, j = 0:n-1) W[i][j] = f;
    forall (i = 1:n-1, j = 0:n-1) W[i][j] += 1;
    forall (i = 0:n-1) L[i] = W[i][0];
}
int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 4;
    double total = 0;
    forall (i = 0:N-1, j = 0:N-1) U[i][j] = i * j;
    forall (i = 0:N-1) B[i] = i;
    for (long t = 0; t < steps; t++) {
        forall (i = 1:N-2, j = 1:N-2) V[i][j] = U[i-1][j-1] + U[i+1][j+1] + U[i][j-1];
        forall (i = 1:N-2, j = 1:N-2, V[i][j] > 3) U[i][j] = V[i][j] / 3;
        V[:][:] = cshift(U[:][:], 1, 1);
        forall (i = 0:N-2) A[i] = B[i+1] + 1;
        forall (i = 0:9) B[3*i] = A[2*i+1];
        forall (i = 0:N-1, j = 0:N-1) T[i][j] = U[j][i];
        forall (i = 0:N-1, j = 0:N-1) T[i][j] += U[t % N][j] * U[i][t % N];
        forall (i = 0:9) S[i] = S[9-i] + A[i];
        relax(10, (double)t);
        total += sum(A[:]) + U[1][2];
    }
    printf("%d\n", total > 0);
    return 0;
}
C
# sums NAME FILE: the counter's sum over all statements and processes.
sums() { grep -o "\"$1\": \[[^]]*\]" "$2" | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
equal_counts() {
    local name
    for name in spaces allocations plans_made; do
        [ "$(sums $name 10.json)" = "$(sums $name 40.json)" ] ||
            { echo "$name: $(sums $name 10.json) in 10 steps, $(sums $name 40.json) in 40"; return 1; }
    done
    [ "$(sums allocations 10.json)" -gt 0 ]
}
for kind in $MPIS; do
    [ "$kind" = smpi ] || [ "$MPIS" = "$kind" ] || continue # simulated processes tell all
    export MPICC
    MPICC=$(mpicc_of "$kind")
    for processes in 1 4; do
        for steps in 10 40; do DPC_STATS=$steps.json dpcc -O0 --run -n "$processes" steps.dpc -- "$steps"; done
        verdict "the steady state sets nothing up, $kind, $processes processes" all 'status_is 0' silent 'prints 1' equal_counts '[ "$(sums spaces 10.json)" -gt 0 ]'
    done
done
# Of more mappings than are remembered every one is known when it comes again next.
cat >many.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
static double relax(long n) {
    double W[n], V[n];
#pragma dpc distribute (block) :: W, V
    W[:] = n;
    V[:] = 0;
    forall (i = 1:n-2) V[i] = W[i-1] + W[i+1];
    return sum(V[:]) - 2.0 * n * (n - 2);
}
int main(int argc, char **argv) {
    const long steps = argc > 1 ? atol(argv[1]) : 4;
    double wrong = 0;
    for (long n = 5; n < 75; n++) /* more than are remembered */
        for (long t = 0; t < steps; t++) wrong += relax(n);
    printf("%d\n", wrong == 0);
    return 0;
}
C
for kind in smpi openmpi other; do
    has_mpi "$kind" || continue
    MPICC=$(mpicc_of "$kind") dpcc -O0 -o "many.$kind" many.dpc
    for steps in 1 3; do
        STATUS=0
        DPC_STATS=many$steps.json run_mpi "$kind" 4 "./many.$kind" "$steps" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    done
    verdict "mappings that come again, $kind" all 'status_is 0' 'prints 1' '[ "$(sums spaces many1.json)" -gt 0 ]' \
        '[ "$(sums spaces many1.json)" = "$(sums spaces many3.json)" ]'
    break
done
# Redistributions by each way of execution: the first one of each direction is planned, all others take what is there.
cat >moves.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
double R[96];
#pragma dpc distribute R(cyclic(4))
int main(int argc, char **argv) {
    const long steps = argc > 1 ? atol(argv[1]) : 4;
    R[:] = 1;
    for (long t = 0; t < steps; t++) {
#pragma dpc redistribute R(cyclic(2))
        R[:] = R[:] + 1;
#pragma dpc redistribute R(cyclic(4))
        R[:] = R[:] + 1;
    }
    printf("%d\n", sum(R[:]) == 96.0 * (2 * steps + 1));
    return 0;
}
C
for kind in smpi openmpi other; do
    has_mpi "$kind" || continue
    MPICC=$(mpicc_of "$kind") dpcc -O0 -o "moves.$kind" moves.dpc
    for method in onecopy walk thakur thakur-async gcd gcd-async met walker-otto-async walker-otto-ready walker-otto-sendrecv walker-otto-derived \
        walker-otto-general alltoallw; do
        for steps in 10 40; do
            STATUS=0
            DPC_STATS=$steps.json DPC_REDISTRIBUTE=$method run_mpi "$kind" 4 "./moves.$kind" "$steps" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
        done
        verdict "redistributions set nothing up, $kind, $method" all 'status_is 0' 'prints 1' equal_counts
    done
    break
done
# What conditions of a forall decide stays known, too, until what they read changes.
dpcc -S -o - "$ROOT/testsuite/programs/gathers_under_if.dpc"
verdict "gathers under conditions" eval '[ "$(grep -c "if (!dpc_gathered(" "$SCRATCH/out")" = 3 ]'

# Time tiling: which loops, by --explain and in the text; exchanges that several iterations share, by DPC_STATS; results
# with tiles of all sizes.
# shellcheck shell=bash disable=SC2016,SC2034
cat >heat.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long n = atol(argv[1]), steps = atol(argv[2]);
    double U[n][n], V[n][n], change = 1;
#pragma dpc distribute (block, block) :: U, V
    forall (i = 0:n-1, j = 0:n-1) U[i][j] = i * j % 7;
    for (long t = 0; t < steps; t++) {
        forall (i = 1:n-2, j = 1:n-2) V[i][j] = 0.25 * (U[i-1][j] + U[i+1][j] + U[i][j-1] + U[i][j+1]);
        U[1:n-2][1:n-2] = V[1:n-2][1:n-2];
    }
    for (long t = 0; t < 2 && change > 0; t++) {
        forall (i = 1:n-2, j = 1:n-2) V[i][j] = 0.5 * (U[i-1][j] + U[i+1][j]);
        change = maxval(i = 1:n-2, j = 1:n-2, V[i][j] - U[i][j]);
    }
    long sums = sum(i = 0:n-1, j = 0:n-1, (long)(1024 * U[i][j] + 64 * V[i][j]) * (i + 2 * j));
    printf("%ld %d\n", sums, argc);
    return 0;
}
C
dpcc --explain heat.dpc
verdict "--explain" all 'prints_like "time tiling of the loop of line 8: several iterations"' \
    'prints_like "no time tiling of the loop of line 12: line 14 stands beside the stencils"'
dpcc --explain --time-tiling=none heat.dpc
verdict "--explain without it" all '! grep -q "time tiling" "$SCRATCH/out"'
sed 's/U\[n\]\[n\], V\[n\]\[n\]/U[20][20], V[20][20]/' heat.dpc >small.dpc
dpcc --explain small.dpc
verdict "arrays that fit a cache" prints_like "no time tiling of the loop of line 8: its arrays fit a cache"

# messages FILE: of the loop's first statement, of the busiest process.
messages() { sed -n 's/.*"where": "heat.dpc:9",.* "messages": \[\([^]]*\)\].*/\1/p' "$1" | tr -d ' ' | tr , '\n' | sort -n | tail -1; }
shares_exchanges() {
    local reference cache depth kind=${MPIS%% *}
    export MPICC
    MPICC=$(mpicc_of "$kind")
    "$DPCC" --serial heat.dpc -o serial && reference=$(./serial 37 11) || return 1
    for depth in 1 4 16; do
        "$DPCC" --time-tiling=$depth heat.dpc -o tiled || return 1
        for cache in 1 20000 1000000; do
            [ "$(DPC_STATS=$depth.json DPC_CACHE_BYTES=$cache run_mpi "$kind" 2 ./tiled 37 11)" = "$reference" ] ||
                { echo "depth $depth, cache $cache: another result" && return 1; }
        done
    done
    [ "$(messages 1.json),$(messages 4.json),$(messages 16.json)" = 11,3,1 ] ||
        { echo "messages: $(messages 1.json), $(messages 4.json), $(messages 16.json), not 11, 3, 1" && return 1; }
}
verdict "iterations share exchanges" shares_exchanges

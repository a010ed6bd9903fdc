/* Matrix transpose: see transpose.dpc. In tiles, so that both arrays are used by whole cache lines. */
#include "program.h"

enum { TILE = 32 };

static inline long smaller(long a, long b) {
    return a < b ? a : b;
}

static void step(long n, double (*restrict b)[n], double (*restrict a)[n]) {
    for (long it = 0; it < n; it += TILE)
        for (long jt = 0; jt < n; jt += TILE)
            for (long i = it; i < smaller(it + TILE, n); i++)
                for (long j = jt; j < smaller(jt + TILE, n); j++) b[i][j] += a[j][i];
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) a[i][j] += 1;
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 10), wrong = 0;
    double(*a)[n] = allocate(n, sizeof *a), (*b)[n] = allocate(n, sizeof *b), start = 0, total = 0;

    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) a[i][j] = (double)(i * n + j);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        step(n, b, a);
    }
    double seconds = seconds_now() - start, rises = (double)(steps * (steps + 1) / 2);

    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            wrong += b[i][j] != (double)((j * n + i) * (steps + 1)) + rises;
            total += b[i][j] * (double)(i + 1);
        }
    }
    return report("transpose", seconds, total, wrong == 0);
}

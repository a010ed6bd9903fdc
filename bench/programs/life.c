/* Game of Life: see life.dpc. */
#include <string.h>

#include "life.h"

static void generation(long n, cell (*restrict b)[n + 2], cell (*restrict a)[n + 2]) {
    memcpy(&a[0][1], &a[n][1], (size_t)n);
    memcpy(&a[n + 1][1], &a[1][1], (size_t)n);
    for (long i = 0; i <= n + 1; i++) a[i][0] = a[i][n], a[i][n + 1] = a[i][1];
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            cell neighbours = (cell)(a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] +
                                     a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]);
            b[i][j] = NEXT(a[i][j], neighbours);
        }
    }
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 40), wrong = 0, total = 0;
    cell(*a)[n + 2] = allocate(n + 2, sizeof *a), (*b)[n + 2] = allocate(n + 2, sizeof *b);
    double start = 0;

    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) a[i][j] = glider(i - 1, j - 1);
    for (long s = -4; s < steps; s += 2) {
        if (s == 0) start = seconds_now();
        generation(n, b, a);
        generation(n, a, b);
    }
    double seconds = seconds_now() - start;

    long moved = (steps + 4) / 4;
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            wrong += a[i][j] != glider(WRAP(i - 1 - moved, n), WRAP(j - 1 - moved, n));
            total += a[i][j] * (i + 3 * j);
        }
    }
    return report("life", seconds, (double)total, wrong == 0);
}

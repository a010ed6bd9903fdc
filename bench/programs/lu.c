/* LU factorisation: see lu.dpc. */
#include "program.h"

#define POWER(k) ((double)(1 << (k)))
#define LOWER(i, j) ((i) < (j) ? 0 : POWER((i) % 5) / POWER((j) % 5))
#define UPPER(i, j) ((i) > (j) ? 0 : POWER((i) % 5) * POWER((j) % 3))

static void factorise(long n, double (*a)[n]) {
    for (long k = 0; k < n - 1; k++) {
        const double *restrict row = a[k], pivot = a[k][k];
        for (long i = k + 1; i < n; i++) a[i][k] /= pivot;
        for (long i = k + 1; i < n; i++) {
            double *restrict line = a[i], factor = a[i][k];
            for (long j = k + 1; j < n; j++) line[j] -= factor * row[j];
        }
    }
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 768), wrong = 0;
    double(*a)[n] = allocate(n, sizeof *a), total = 0;

    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) a[i][j] = POWER(i % 5) * POWER(j % 3) * (double)((i < j ? i : j) + 1);
    double start = seconds_now();
    factorise(n, a);
    double seconds = seconds_now() - start;

    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            wrong += a[i][j] != (i > j ? LOWER(i, j) : UPPER(i, j));
            total += a[i][j] * (double)((i + 2 * j) % 7);
        }
    }
    return report("lu", seconds, total, wrong == 0);
}

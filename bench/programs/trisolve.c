/* Triangular system: see trisolve.dpc. */
#include "program.h"

#define ELEMENT(i, k) ((i) == (k) ? 2.0 : (double)(((i) + 2 * (k)) % 3 - 1))

static void solve(long n, double (*restrict t)[n], double *restrict x) {
    for (long k = 0; k < n; k++) {
        double xk = x[k] /= t[k][k];
        for (long i = k + 1; i < n; i++) x[i] -= t[k][i] * xk;
    }
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 4096), wrong = 0;
    double(*t)[n] = allocate(n, sizeof *t), *x = allocate(n, sizeof *x), total = 0;

    for (long k = 0; k < n; k++) {
        for (long i = k; i < n; i++) {
            t[k][i] = ELEMENT(i, k);
            x[i] += t[k][i] * (double)(k + 1);
        }
    }
    double start = seconds_now();
    solve(n, t, x);
    double seconds = seconds_now() - start;

    for (long i = 0; i < n; i++) {
        wrong += x[i] != (double)(i + 1);
        total += x[i] * (double)(i % 10);
    }
    return report("trisolve", seconds, total, wrong == 0);
}

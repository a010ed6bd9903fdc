/* 3-D heat conduction: see heat3.dpc. */
#include "program.h"

#define RATIO 0.125

static void sweep(long n, double (*restrict v)[n + 2][n + 2], double (*restrict u)[n + 2][n + 2]) {
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1; k <= n; k++)
                v[i][j][k] = u[i][j][k] + RATIO * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] +
                                                   u[i][j][k - 1] + u[i][j][k + 1] - 6 * u[i][j][k]);
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 128), steps = argument(argc, argv, 2, 20);
    double(*u)[n + 2][n + 2] = allocate(n + 2, sizeof *u), (*v)[n + 2][n + 2] = allocate(n + 2, sizeof *v);
    double *x = sine_mode(n, 1), *y = sine_mode(n, 2), *z = sine_mode(n, 3), start = 0, error = 0, squares = 0;

    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1; k <= n; k++) u[i][j][k] = x[i] * y[j] * z[k];
    for (long s = -2; s < steps; s += 2) {
        if (s == 0) start = seconds_now();
        sweep(n, v, u);
        sweep(n, u, v);
    }
    double seconds = seconds_now() - start;

    double factor = pow(1 - 2 * RATIO * (3 - cosine(n, 1) - cosine(n, 2) - cosine(n, 3)), (double)(steps + 2));
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            for (long k = 1; k <= n; k++) {
                error = fmax(error, fabs(u[i][j][k] - factor * x[i] * y[j] * z[k]));
                squares += u[i][j][k] * u[i][j][k];
            }
        }
    }
    return report("heat3", seconds, squares, error < 1e-11);
}

/* 2-D Jacobi: see jacobi.dpc. */
#include "program.h"

static void sweep(long n, double (*restrict v)[n + 2], double (*restrict u)[n + 2]) {
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 40);
    double(*u)[n + 2] = allocate(n + 2, sizeof *u), (*v)[n + 2] = allocate(n + 2, sizeof *v);
    double *x = sine_mode(n, 3), *y = sine_mode(n, 5), start = 0;

    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) u[i][j] = x[i] * y[j];
    for (long s = -2; s < steps; s += 2) {
        if (s == 0) start = seconds_now();
        sweep(n, v, u);
        sweep(n, u, v);
    }
    double seconds = seconds_now() - start;

    double factor = pow((cosine(n, 3) + cosine(n, 5)) / 2, (double)(steps + 2)), error = 0, squares = 0;
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            error = fmax(error, fabs(u[i][j] - factor * x[i] * y[j]));
            squares += u[i][j] * u[i][j];
        }
    }
    return report("jacobi", seconds, squares, error < 1e-11);
}

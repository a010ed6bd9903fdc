/* Alternating directions: see adi.dpc. */
#include "program.h"

#define RATIO 0.75

static void half_step_by_rows(long n, double (*restrict u)[n + 2], double (*restrict r)[n + 2],
                              const double *restrict f) {
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) r[i][j] = u[i][j] + RATIO * (u[i - 1][j] - 2 * u[i][j] + u[i + 1][j]);
        for (long j = 1; j <= n; j++) r[i][j] = (r[i][j] / RATIO + r[i][j - 1]) * f[j];
        for (long j = n - 1; j >= 1; j--) r[i][j] += f[j] * r[i][j + 1];
    }
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) u[i][j] = r[i][j];
}

static void half_step_by_columns(long n, double (*restrict u)[n + 2], double (*restrict c)[n + 2],
                                 const double *restrict f) {
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            c[i][j] = ((u[i][j] + RATIO * (u[i][j - 1] - 2 * u[i][j] + u[i][j + 1])) / RATIO + c[i - 1][j]) * f[i];
    for (long j = 1; j <= n; j++) u[n][j] = c[n][j];
    for (long i = n - 1; i >= 1; i--)
        for (long j = 1; j <= n; j++) u[i][j] = c[i][j] += f[i] * c[i + 1][j];
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 512), steps = argument(argc, argv, 2, 6);
    double(*u)[n + 2] = allocate(n + 2, sizeof *u), (*r)[n + 2] = allocate(n + 2, sizeof *r);
    double(*c)[n + 2] = allocate(n + 2, sizeof *c), *f = allocate(n + 2, sizeof *f);
    double *x = sine_mode(n, 3), *y = sine_mode(n, 5), start = 0, error = 0, squares = 0;

    for (long k = 1; k <= n; k++) f[k] = RATIO / (1 + 2 * RATIO - RATIO * f[k - 1]);
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) u[i][j] = x[i] * y[j];
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        half_step_by_rows(n, u, r, f);
        half_step_by_columns(n, u, c, f);
    }
    double seconds = seconds_now() - start;

    double p = 2 * RATIO * (1 - cosine(n, 3)), q = 2 * RATIO * (1 - cosine(n, 5));
    double factor = pow((1 - p) / (1 + q) * (1 - q) / (1 + p), (double)(steps + 1));
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            error = fmax(error, fabs(u[i][j] - factor * x[i] * y[j]));
            squares += u[i][j] * u[i][j];
        }
    }
    return report("adi", seconds, squares, error < 1e-11);
}

/* Restriction and interpolation: see grids.dpc. */
#include "program.h"

static void restrict_rows(long n, long m, double *restrict coarse, const double *restrict fine) {
    for (long i = 0; i < n; i++) {
        const double *up = fine + 2 * i * m, *here = up + m, *down = here + m;
        for (long j = 0; j < m; j++) coarse[i * m + j] = 0.25 * (up[j] + down[j]) + 0.5 * here[j];
    }
}

static void interpolate(long n, long m, double *restrict fine, const double *restrict coarse, double half) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) fine[(2 * i + 1) * m + j] = coarse[i * m + j];
    for (long i = 1; i < n; i++)
        for (long j = 0; j < m; j++) fine[2 * i * m + j] = half * (coarse[(i - 1) * m + j] + coarse[i * m + j]);
    for (long j = 0; j < m; j++) fine[j] = half * coarse[j];
    for (long j = 0; j < m; j++) fine[2 * n * m + j] = half * coarse[(n - 1) * m + j];
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 512), m = argument(argc, argv, 2, 1024), steps = argument(argc, argv, 3, 40);
    double *fine = allocate((2 * n + 1) * m, sizeof *fine), *coarse = allocate(n * m, sizeof *coarse), start = 0;
    double *x = sine_mode(2 * n + 1, 3) + 1, *y = sine_mode(m, 5) + 1, error = 0, squares = 0;
    const double half = 0.5 / cosine(2 * n + 1, 3);

    for (long i = 0; i <= 2 * n; i++)
        for (long j = 0; j < m; j++) fine[i * m + j] = x[i] * y[j];
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        restrict_rows(n, m, coarse, fine);
        interpolate(n, m, fine, coarse, half);
    }
    double seconds = seconds_now() - start;

    double factor = pow((1 + cosine(2 * n + 1, 3)) / 2, (double)(steps + 1));
    for (long i = 0; i <= 2 * n; i++) {
        for (long j = 0; j < m; j++) {
            double at = fine[i * m + j];
            error = fmax(error, fabs(at - factor * x[i] * y[j]));
            squares += at * at;
        }
    }
    return report("grids", seconds, squares, error < 1e-11);
}

/* Two-dimensional FFT: see fft.dpc. */
#include "fft_kernel.h"

enum { TILE = 16 };

static inline long smaller(long a, long b) {
    return a < b ? a : b;
}

static void transform(long n, number (*restrict x)[n], number (*restrict z)[n], number *y, const number *w) {
    for (long i = 0; i < n; i++) fft_line(n, x[i], y, w);
    for (long it = 0; it < n; it += TILE)
        for (long jt = 0; jt < n; jt += TILE)
            for (long j = jt; j < smaller(jt + TILE, n); j++)
                for (long i = it; i < smaller(it + TILE, n); i++) z[j][i] = x[i][j];
    for (long j = 0; j < n; j++) fft_line(n, z[j], y, w);
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 256), steps = argument(argc, argv, 2, 10);
    number(*x)[n] = allocate(n, sizeof *x), (*z)[n] = allocate(n, sizeof *z), *y = allocate(n, sizeof *y),
    *w = fft_roots(n);
    double start = 0, error = 0, total = 0;

    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) x[i][j] = fft_start(n, w, i, j);
        transform(n, x, z, y, w);
    }
    double seconds = seconds_now() - start;

    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            error = fmax(error, cabs(z[j][i] - fft_wanted(n, i, j)));
            total += creal(z[i][j]) * (double)(i + 2 * j);
        }
    }
    return report("fft", seconds, total, error < 1e-11 * (double)(n * n));
}

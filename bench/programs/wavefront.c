/* A wavefront: see wavefront.dpc. */
#include "wavefront.h"

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 2048), steps = argument(argc, argv, 2, 4);
    double(*a)[n + 1] = allocate(n + 1, sizeof *a), start = 0, error = 0, sum = 0;
    double *p = powers(n, P), *q = powers(n, Q);

    for (long i = 0; i <= n; i++) a[i][0] = p[i], a[0][i] = q[i];
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) a[i][j] = 0.5 * (a[i - 1][j] + a[i][j - 1]);
    }
    double seconds = seconds_now() - start;

    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            error = fmax(error, fabs(a[i][j] - p[i] * q[j]) / (p[i] * q[j]));
            sum += a[i][j];
        }
    }
    return report("wavefront", seconds, sum / (double)(n * n), error < 1e-10);
}

/* A transport sweep: see sweep.dpc. */
#include "sweep.h"

#define UP(i)                                                                                                          \
    long i = 1;                                                                                                        \
    i <= n;                                                                                                            \
    i++
#define DOWN(i)                                                                                                        \
    long i = n;                                                                                                        \
    i >= 1;                                                                                                            \
    i--
#define SWEEP(in_i, in_j, before_i, before_j)                                                                          \
    for (in_i)                                                                                                         \
        for (in_j)                                                                                                     \
            for (long k = 1; k <= m; k++) {                                                                            \
                const double in = MU * psi[before_i][j][k] + ETA * psi[i][before_j][k] + XI * psi[i][j][k - 1];        \
                double flux = (q[i][j][k] + in) / (SIGMA + MU + ETA + XI);                                             \
                if (flux < 0) flux = 0;                                                                                \
                psi[i][j][k] = flux;                                                                                   \
                phi[i][j][k] += WEIGHT * flux;                                                                         \
            }

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 96), m = argument(argc, argv, 2, 96), steps = argument(argc, argv, 3, 4);
    double(*psi)[n + 2][m + 1] = allocate(n + 2, sizeof *psi), (*phi)[n + 2][m + 1] = allocate(n + 2, sizeof *phi);
    double(*q)[n + 2][m + 1] = allocate(n + 2, sizeof *q), start = 0, error = 0, sum = 0;

    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1; k <= m; k++) q[i][j][k] = source(i, j, k);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        SWEEP(DOWN(i), DOWN(j), i + 1, j + 1)
        SWEEP(DOWN(i), UP(j), i + 1, j - 1)
        SWEEP(UP(i), DOWN(j), i - 1, j + 1)
        SWEEP(UP(i), UP(j), i - 1, j - 1)
    }
    double seconds = seconds_now() - start;

    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1; k <= m; k++) {
                const double in = MU * psi[i - 1][j][k] + ETA * psi[i][j - 1][k] + XI * psi[i][j][k - 1];
                error = fmax(error, fabs(psi[i][j][k] - fmax(0, (q[i][j][k] + in) / (SIGMA + MU + ETA + XI))));
                sum += phi[i][j][k];
            }
    return report("sweep", seconds, sum / (double)steps, error < 1e-12);
}

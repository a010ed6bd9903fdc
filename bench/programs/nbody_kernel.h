/* The pull of bodies on others, as nbody.c and nbody_mpi.c compute it. */
#ifndef NBODY_KERNEL_H
#define NBODY_KERNEL_H

#include "nbody.h"

/* Adds to the accelerations of n bodies what count others do to them; a tile of the n stays in the first-level cache.
 */
static inline void attract(long n, double *restrict ax, double *restrict ay, const double *restrict x,
                           const double *restrict y, long count, const double *xs, const double *ys, const double *ms) {
    enum { TILE = 512 };
    for (long first = 0; first < n; first += TILE) {
        long end = first + TILE < n ? first + TILE : n;
        for (long j = 0; j < count; j++) {
            const double xj = xs[j], yj = ys[j], mj = ms[j];
            for (long i = first; i < end; i++) {
                double dx = xj - x[i], dy = yj - y[i], w = mj / (dx * dx + dy * dy + SOFT);
                ax[i] += w * dx;
                ay[i] += w * dy;
            }
        }
    }
}

/* A quarter of the sum over pairs, each counted twice. */
static inline double potential_of(long n, const double *x, const double *y, const double *m, long count,
                                  const double *xs, const double *ys, const double *ms) {
    double total = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < count; j++)
            total +=
                0.25 * m[i] * ms[j] * log((xs[j] - x[i]) * (xs[j] - x[i]) + (ys[j] - y[i]) * (ys[j] - y[i]) + SOFT);
    return total;
}

#endif

/* What the versions of wavefront share. */
#ifndef WAVEFRONT_H
#define WAVEFRONT_H

#include "program.h"

#define P 1.0005
#define Q (0.5 / (1 - 0.5 / P))

/* x^i, i = 0 .. n. */
static inline double *powers(long n, double x) {
    double *p = allocate(n + 1, sizeof *p);
    for (long i = 0; i <= n; i++) p[i] = pow(x, (double)i);
    return p;
}

#endif

/* What the versions of sweep share: the cell of a transport sweep. */
#ifndef SWEEP_H
#define SWEEP_H

#include "program.h"

/* Cosines of a direction with the axes, over the widths of cells; absorption. */
#define MU 0.7
#define ETA 0.5
#define XI 0.3
#define SIGMA 1.1
#define WEIGHT 0.125

/* Particles that are born in a cell. */
static inline double source(long i, long j, long k) {
    return (double)((i * 7 + j * 5 + k * 3) % 11) / 11 - 0.2;
}

#endif

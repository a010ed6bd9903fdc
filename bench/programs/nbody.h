/* The problem of nbody.dpc: bodies in a plane that attract one another with a force of mass * mass * distance /
 * (distance^2 + SOFT). */
#ifndef NBODY_H
#define NBODY_H

#include "program.h"

#define SOFT 1e-3
#define TIME_STEP 1e-4

static inline double nbody_mass(long i, long n) {
    return (1 + (double)(i % 3)) / (double)n;
}
/* Places that look random, in the unit square. */
static inline double nbody_x(long i) {
    return fmod((double)(i + 1) * 0.6180339887498949, 1);
}
static inline double nbody_y(long i) {
    return fmod((double)(i + 1) * 0.7548776662466927, 1);
}

/* Momenta and the angular momentum were 0 and stay so; the energy stays what it was, nearly. */
static inline int nbody_is_right(double px, double py, double l, double energy_before, double energy) {
    return fabs(px) < 1e-12 && fabs(py) < 1e-12 && fabs(l) < 1e-12 &&
           fabs(energy - energy_before) < 1e-6 * fabs(energy_before);
}

#endif

/* What the Himeno programs share. */
#ifndef HIMENO_H
#define HIMENO_H

#include "program.h"

#define OMEGA 0.8f
#define SIXTH (1.0f / 6.0f)

/* The mode of the start along an edge of n inner points. */
static inline int himeno_mode(long n) {
    return (int)(n / 7 > 1 ? n / 7 : 1);
}

/* Is the last step's sum of squares that of an eigenvector with these modes? In single precision. */
static inline int himeno_is_right(long nx, long ny, long nz, long steps, double gosa) {
    double mean = (cosine(nx, himeno_mode(nx)) + cosine(ny, himeno_mode(ny)) + cosine(nz, himeno_mode(nz))) / 3;
    double amplitude = (1 - mean) * pow(1 - OMEGA * (1 - mean), (double)(steps - 1));
    double wanted = amplitude * amplitude * (double)((nx + 1) * (ny + 1) * (nz + 1)) / 8;
    return fabs(gosa - wanted) < 1e-4 * wanted;
}

#endif

/* The problem of saxpy.dpc. Whole numbers, and even ones in C: everything is exact. Every step stores into C, an
 * element that is not used: else values moved once would do for all steps. */
#ifndef SAXPY_H
#define SAXPY_H

#include "program.h"

#define A_FIRST 1997L
#define A_STRIDE 3L
#define C_FIRST 5L
#define C_STRIDE 2L
#define A_BLOCK 63L
#define C_BLOCK 42L
#define ALPHA 0.5
#define A_START(i) ((double)((i) % 1000))
#define C_START(i) ((double)(2 * ((i) % 509)))
#define A_IS_ADDED_TO(i) ((i) >= A_FIRST && ((i)-A_FIRST) % A_STRIDE == 0)
#define A_WANTED(i, steps)                                                                                             \
    (A_START(i) +                                                                                                      \
     (A_IS_ADDED_TO(i) ? (double)(steps)*ALPHA * C_START(C_FIRST + C_STRIDE * (((i)-A_FIRST) / A_STRIDE)) : 0))

#endif

/* The problem of Lee and Chen, section 6.2:  A(1997 + 3*i) += alpha * C(5 + 2*i),  i = 0 .. 80639. */
#ifndef SAXPY_H
#define SAXPY_H

#define ITERATIONS 80640L
#define A_FIRST 1997L
#define A_STRIDE 3L
#define C_FIRST 5L
#define C_STRIDE 2L
#define A_EXTENT (A_FIRST + A_STRIDE * (ITERATIONS - 1) + 1)
#define C_EXTENT (C_FIRST + C_STRIDE * (ITERATIONS - 1) + 1)
#define A_BLOCK 63L
#define C_BLOCK 42L
#define ALPHA 0.5
#define BATCH 20 /* saxpys per sample */

/* Whole numbers, and even ones in C: everything is exact. */
#define A_START(i) ((double)((i) % 1000))
#define C_START(i) ((double)(2 * ((i) % 509)))

#endif

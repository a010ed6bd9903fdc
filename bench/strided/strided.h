/* T[1997:243914:3] = C[5:161283:2] with T cyclic(B1) and C cyclic(B2). */
#ifndef STRIDED_H
#define STRIDED_H

#ifndef B1
#define B1 48L
#define B2 32L
#endif
#define ITERATIONS 80640L
#define T_FIRST 1997L
#define T_STRIDE 3L
#define C_FIRST 5L
#define C_STRIDE 2L
#define T_EXTENT (T_FIRST + T_STRIDE * (ITERATIONS - 1) + 1)
#define C_EXTENT (C_FIRST + C_STRIDE * (ITERATIONS - 1) + 1)
#define BATCH 5 /* assignments per sample */

/* T's elements outside the section keep OTHER. */
#define OTHER (-1.0)
#define C_START(j) ((double)(j))
#define IS_ASSIGNED(i) ((i) >= T_FIRST && ((i)-T_FIRST) % T_STRIDE == 0)
#define EXPECTED(i) (IS_ASSIGNED(i) ? C_START(C_FIRST + C_STRIDE * (((i)-T_FIRST) / T_STRIDE)) : OTHER)

#endif

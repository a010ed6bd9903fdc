/* The plain product of blocks that matmul.c and matmul_mpi.c share: c[m][n] += a[m][l] b[l][n], with rows of lc, la, lb
 * elements. A part of b stays in the second-level cache, and four rows of it are used for each pass over a row of c. */
#ifndef MATMUL_KERNEL_H
#define MATMUL_KERNEL_H

static inline void multiply_add(long m, long n, long l, double *c, long lc, const double *a, long la, const double *b,
                                long lb) {
    enum { DEPTH = 64, WIDTH = 256 };
    for (long kt = 0; kt < l; kt += DEPTH) {
        long k_end = kt + DEPTH < l ? kt + DEPTH : l;
        for (long jt = 0; jt < n; jt += WIDTH) {
            long width = jt + WIDTH < n ? WIDTH : n - jt;
            for (long i = 0; i < m; i++) {
                double *restrict to = c + i * lc + jt;
                long k = kt;
                for (; k + 4 <= k_end; k += 4) {
                    const double *restrict b0 = b + k * lb + jt, *restrict b1 = b0 + lb;
                    const double *restrict b2 = b1 + lb, *restrict b3 = b2 + lb;
                    double a0 = a[i * la + k], a1 = a[i * la + k + 1], a2 = a[i * la + k + 2], a3 = a[i * la + k + 3];
                    for (long j = 0; j < width; j++) to[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
                }
                for (; k < k_end; k++) {
                    const double *restrict b0 = b + k * lb + jt;
                    double a0 = a[i * la + k];
                    for (long j = 0; j < width; j++) to[j] += a0 * b0[j];
                }
            }
        }
    }
}

#endif

/* Stockham's algorithm for one line of n numbers, as fft.c and fft_mpi.c use it; y is work space. */
#ifndef FFT_KERNEL_H
#define FFT_KERNEL_H

#include "fft.h"

static inline void fft_stage(long l, long m, number *restrict to, const number *restrict from,
                             const number *restrict w) {
    for (long j = 0; j < l; j++) {
        for (long k = 0; k < m; k++) {
            number a = from[k + j * m], b = from[k + j * m + l * m];
            to[k + 2 * j * m] = a + b;
            to[k + 2 * j * m + m] = times(w[j * m], a - b);
        }
    }
}

static inline void fft_line(long n, number *x, number *y, const number *w) {
    for (long l = n / 2, m = 1; l >= 1; l /= 4, m *= 4) {
        fft_stage(l, m, y, x, w);
        fft_stage(l / 2, m * 2, x, y, w);
    }
}

#endif

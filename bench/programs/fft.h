/* The problem of fft.dpc: two plane waves, whose transform has two elements that are not 0. n is a power of 4. */
#ifndef FFT_H
#define FFT_H

#include <complex.h>

#include "program.h"

typedef double complex number;

/* C's product also looks after infinities. */
static inline number times(number a, number b) {
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* exp(-2 pi i k / n), k = 0 .. n-1. */
static inline number *fft_roots(long n) {
    number *w = allocate(n, sizeof *w);
    for (long k = 0; k < n; k++)
        w[k] = CMPLX(cos(2 * PI * (double)k / (double)n), -sin(2 * PI * (double)k / (double)n));
    return w;
}

static inline number fft_start(long n, const number *w, long i, long j) {
    return 2 * conj(w[(3 * i + 5 * j) % n]) + conj(w[(7 * i + n / 2 * j) % n]);
}
/* The transform's element for row frequency i and column frequency j. */
static inline double fft_wanted(long n, long i, long j) {
    return (i == 3 % n && j == 5 % n ? 2.0 * (double)(n * n) : 0) + (i == 7 % n && j == n / 2 ? (double)(n * n) : 0);
}

#endif

/* What the hand-written programs share: the median of samples, and one line of output that bench/run reads. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>

#ifndef SAMPLES
#define SAMPLES 51
#endif

static int bench_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples (seconds) and prints the median and the least in milliseconds. */
static inline void bench_report(const char *name, double samples[SAMPLES], int right) {
    qsort(samples, SAMPLES, sizeof samples[0], bench_compare);
    printf("%s: %.4f ms, least %.4f ms, %s\n", name, 1e3 * samples[SAMPLES / 2], 1e3 * samples[0],
           right ? "right" : "WRONG");
}

#endif

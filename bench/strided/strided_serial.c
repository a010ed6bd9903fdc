/* The assignment of strided.dpc as plain C. */
#include <time.h>

#include "../bench.h"
#include "strided.h"

double T[T_EXTENT], C[C_EXTENT];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void) {
    double samples[SAMPLES];
    int right = 1;
    for (long i = 0; i < T_EXTENT; i++) T[i] = OTHER;
    for (long j = 0; j < C_EXTENT; j++) C[j] = C_START(j);
    for (int s = 0; s < SAMPLES; s++) {
        double start = now();
        for (int k = 0; k < BATCH; k++) {
            for (long i = 0; i < ITERATIONS; i++) T[T_FIRST + T_STRIDE * i] = C[C_FIRST + C_STRIDE * i];
            __asm__ volatile("" ::: "memory");
        }
        samples[s] = (now() - start) / BATCH;
    }
    for (long i = 0; i < T_EXTENT; i++)
        if (T[i] != EXPECTED(i)) right = 0;
    bench_report("strided_serial", samples, right);
    return 0;
}

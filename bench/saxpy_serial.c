/* The saxpy of examples/saxpy.dpc in plain C: what one process can reach. */
#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include "bench.h"
#include "saxpy.h"

static double A[A_EXTENT], C[C_EXTENT];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Its own function, not inlined: the compiler must not merge the repetitions. */
__attribute__((noinline)) static void saxpy(double *restrict a, const double *restrict c, double alpha) {
    for (long i = 0; i < ITERATIONS; i++) a[A_FIRST + A_STRIDE * i] += alpha * c[C_FIRST + C_STRIDE * i];
}

static int is_right(void) {
    for (long i = 0; i < A_EXTENT; i++) {
        long k = (i - A_FIRST) / A_STRIDE;
        double want = A_START(i);
        if (i >= A_FIRST && (i - A_FIRST) % A_STRIDE == 0) want += SAMPLES * BATCH * ALPHA * C_START(C_FIRST + C_STRIDE * k);
        if (A[i] != want) return 0;
    }
    return 1;
}

int main(void) {
    double samples[SAMPLES];
    for (long i = 0; i < A_EXTENT; i++) A[i] = A_START(i);
    for (long i = 0; i < C_EXTENT; i++) C[i] = C_START(i);
    for (int s = 0; s < SAMPLES; s++) {
        double start = now();
        for (int k = 0; k < BATCH; k++) saxpy(A, C, ALPHA);
        samples[s] = (now() - start) / BATCH;
    }
    bench_report("saxpy_serial", samples, is_right());
    return 0;
}

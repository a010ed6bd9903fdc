/* How fast this machine computes, for simulated ones that are said to be faster or slower. */
#include <time.h>

#include "simulate.h"

/* As the loop of --calibrate (runtime/calibrate.c): y += a * x, two operations on an element; here in the cache. */
enum { ELEMENTS = 2048, ROUNDS = 2000, BATCHES = 20, OPERATIONS = 2 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline, optimize("O3"))) static void daxpy(double *restrict y, const double *restrict x, double a) {
    for (int k = 0; k < ELEMENTS; k++) y[k] += a * x[k];
}

/* Processor time of one element; the least of some batches, as whatever else runs here only adds to it. */
static double measured_operation(void) {
    static double x[ELEMENTS], y[ELEMENTS];
    double least = 0;
    for (int k = 0; k < ELEMENTS; k++) x[k] = 1 + 1e-3 * k;
    for (int batch = 0; batch < BATCHES; batch++) {
        const double start = now();
        for (int round = 0; round < ROUNDS; round++) daxpy(y, x, 1e-9);
        const double seconds = (now() - start) / ((double)ROUNDS * ELEMENTS);
        if (batch == 0 || seconds < least) least = seconds;
    }
    return least > 0 ? least : 1e-9;
}

host_facts find_host(arena *a) {
    const double profiled = profiled_operation(a);
    return (host_facts){OPERATIONS / (profiled > 0 ? profiled : measured_operation()), profiled > 0};
}

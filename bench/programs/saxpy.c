/* Strided saxpy: see saxpy.dpc. */
#include "saxpy.h"

static void saxpy(long count, double *restrict a, const double *restrict c) {
    for (long i = 0; i < count; i++) a[A_FIRST + A_STRIDE * i] += ALPHA * c[C_FIRST + C_STRIDE * i];
}

int main(int argc, char **argv) {
    long count = argument(argc, argv, 1, 80640), steps = argument(argc, argv, 2, 400), wrong = 0;
    long a_extent = A_FIRST + A_STRIDE * count, c_extent = C_FIRST + C_STRIDE * count;
    double *a = allocate(a_extent, sizeof *a), *c = allocate(c_extent, sizeof *c), start = 0, total = 0;

    for (long i = 0; i < a_extent; i++) a[i] = A_START(i);
    for (long i = 0; i < c_extent; i++) c[i] = C_START(i);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        c[0] = (double)s;
        saxpy(count, a, c);
    }
    double seconds = seconds_now() - start;

    for (long i = 0; i < a_extent; i++) {
        wrong += a[i] != A_WANTED(i, steps + 1);
        total += a[i];
    }
    return report("saxpy", seconds, total, wrong == 0);
}

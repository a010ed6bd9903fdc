/* What all programs of bench/programs share: arguments, test functions, and the line of output that bench/programs/run
 * reads. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PI 3.14159265358979323846

/* The number in argument k of the program, else a default. */
static inline long argument(int argc, char **argv, int k, long otherwise) {
    return k < argc ? strtol(argv[k], NULL, 10) : otherwise;
}

/* Zeros, on a cache line. Arrays begin at different places within a page: else a store to one would be taken for a
 * store to what is loaded from another (4K aliasing), depending on how the system places large blocks. */
static inline void *allocate(long count, size_t size) {
    static size_t calls;
    char *p = calloc((size_t)count * size + 8192, 1);
    if (p == NULL) fprintf(stderr, "out of memory\n"), exit(3);
    return p + (64 - (size_t)p % 64) + calls++ % 8 * 832;
}

/* sin(m*pi*i / (n+1)), i = 0 .. n+1: an eigenvector of every symmetric stencil between two edges that are 0. A
 * neighbour's sum u[i-1] + u[i+1] is 2*cosine(n, m) times u[i]. */
static inline double *sine_mode(long n, int m) {
    double *s = allocate(n + 2, sizeof *s);
    for (long i = 1; i <= n; i++) s[i] = sin(m * PI * (double)i / (double)(n + 1));
    return s;
}
static inline double cosine(long n, int m) {
    return cos(m * PI / (double)(n + 1));
}

/* Prints the time, a checksum (the same for the three versions of a program) and whether the program found its result
 * right. */
static inline int report(const char *name, double seconds, double checksum, int right) {
    printf("%s: %.4f ms, checksum %.9e, %s\n", name, 1e3 * seconds, checksum, right ? "right" : "WRONG");
    return !right;
}

/* Seconds since some moment, of the programs without MPI. */
static inline double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

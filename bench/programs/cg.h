/* The problem of cg.dpc: the 5-point Laplacian on n x n points, with edges that are 0, and the solution x*(n+1-x) *
 * y*(n+1-y), scaled. */
#ifndef CG_H
#define CG_H

#include "program.h"

static inline double cg_hump(long n, long i) {
    return (double)(i * (n + 1 - i)) * 4 / (double)((n + 1) * (n + 1));
}
static inline double cg_solution(long n, long i, long j) {
    return cg_hump(n, i) * cg_hump(n, j);
}

/* The second difference of the hump is the same everywhere, the edges' zeros included. */
static inline double cg_right_side(long n, long i, long j) {
    return (cg_hump(n, i) + cg_hump(n, j)) * 8 / (double)((n + 1) * (n + 1));
}

/* IRREGULAR: rows before those of process p of q, where processes with odd numbers take three rows for two of the
 * others. */
static inline long cg_rows_before(long n, long p, long q) {
    return n * (p / 2 * 5 + p % 2 * 2) / (q / 2 * 5 + q % 2 * 2);
}

/* Conjugate gradients diminish the energy of the error at least by the factor that the condition number gives: energies
 * of the error after the steps and, by the solution's closed form, at the start. deviation: of the residual that was
 * updated from the real one. */
static inline int cg_is_right(long n, long steps, double energy, double deviation) {
    double c = cos(PI / (double)(n + 1)), root = sqrt((1 + c) / (1 - c)), at_start = 0;
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) at_start += cg_solution(n, i, j) * cg_right_side(n, i, j);
    double bound = 2 * pow((root - 1) / (root + 1), (double)steps);
    return deviation < 1e-12 && energy <= bound * bound * at_start && energy < 0.999 * at_start;
}

#endif

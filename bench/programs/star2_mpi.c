/* Star stencil of radius 2 by hand: see star2.dpc. Halos two deep; inner points are computed while the halos travel. */
#define HALO_TYPE double
#define HALO_MPI_TYPE MPI_DOUBLE
#include "halo.h"

static inline long larger(long a, long b) {
    return a > b ? a : b;
}
static inline long smaller(long a, long b) {
    return a < b ? a : b;
}

static inline void stencil(const halo *h, long n, double *restrict out, const double *restrict in, long i0, long i1,
                           long j0, long j1) {
    const long s = h->stride;
    i0 = larger(i0, 2 - h->first_row), i1 = smaller(i1, n - 2 - h->first_row);
    j0 = larger(j0, 2 - h->first_column), j1 = smaller(j1, n - 2 - h->first_column);
    for (long i = i0; i < i1; i++) {
        const double *here = in + i * s;
        double *to = out + i * s;
        for (long j = j0; j < j1; j++)
            to[j] += 0.25 * (here[j + 1] - here[j - 1] + here[j + s] - here[j - s]) +
                     0.125 * (here[j + 2] - here[j - 2] + here[j + 2 * s] - here[j - 2 * s]);
    }
}

static void step(halo *h, long n, double *out, double *in) {
#define SWEEP(i0, i1, j0, j1) stencil(h, n, out, in, i0, i1, j0, j1)
    HALO_OVERLAP(h, in, SWEEP);
    for (long i = 0; i < h->rows; i++)
        for (long j = 0; j < h->columns; j++) in[i * h->stride + j] += 1;
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 20), wrong = 0;
    halo h = halo_create(n, n, 1, 2, 0, 0, 0);
    double *in = halo_allocate(&h), *out = halo_allocate(&h), start = 0, total = 0;

    for (long i = 0; i < h.rows; i++)
        for (long j = 0; j < h.columns; j++)
            in[i * h.stride + j] = (double)(h.first_row + i + 3 * (h.first_column + j));
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        step(&h, n, out, in);
    }
    double seconds = now() - start;

    for (long i = 0; i < h.rows; i++) {
        for (long j = 0; j < h.columns; j++) {
            long gi = h.first_row + i, gj = h.first_column + j;
            int inner = gi >= 2 && gi <= n - 3 && gj >= 2 && gj <= n - 3;
            wrong += out[i * h.stride + j] != (inner ? 4.0 * (double)(steps + 1) : 0);
            total += out[i * h.stride + j];
        }
    }
    return report_all("star2", seconds, sum_over_all(total), maximum_over_all((double)wrong) == 0);
}

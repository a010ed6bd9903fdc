/* 2-D Jacobi by hand: see jacobi.dpc. Blocks with halos; the inner points are computed while the halos travel. */
#define HALO_TYPE double
#define HALO_MPI_TYPE MPI_DOUBLE
#include "halo.h"

static inline void sweep(long stride, double *restrict v, const double *restrict u, long i0, long i1, long j0,
                         long j1) {
    for (long i = i0; i < i1; i++) {
        const double *up = u + (i - 1) * stride, *here = u + i * stride, *down = u + (i + 1) * stride;
        double *to = v + i * stride;
        for (long j = j0; j < j1; j++) to[j] = 0.25 * (up[j] + down[j] + here[j - 1] + here[j + 1]);
    }
}

static void step(halo *h, double *v, double *u) {
#define SWEEP(i0, i1, j0, j1) sweep(h->stride, v, u, i0, i1, j0, j1)
    HALO_OVERLAP(h, u, SWEEP);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 40);
#ifdef ROWS
    halo h = halo_create(n, n, 1, 1, 1, 0, 0);
#else
    halo h = halo_create(n, n, 1, 1, 0, 0, 0);
#endif
    double *u = halo_allocate(&h), *v = halo_allocate(&h), start = 0;
    double *x = sine_mode(n, 3) + 1 + h.first_row, *y = sine_mode(n, 5) + 1 + h.first_column;

    for (long i = 0; i < h.rows; i++)
        for (long j = 0; j < h.columns; j++) u[i * h.stride + j] = x[i] * y[j];
    for (long s = -2; s < steps; s += 2) {
        if (s == 0) start = now();
        step(&h, v, u);
        step(&h, u, v);
    }
    double seconds = now() - start;

    double factor = pow((cosine(n, 3) + cosine(n, 5)) / 2, (double)(steps + 2)), error = 0, squares = 0;
    for (long i = 0; i < h.rows; i++) {
        for (long j = 0; j < h.columns; j++) {
            double at = u[i * h.stride + j];
            error = fmax(error, fabs(at - factor * x[i] * y[j]));
            squares += at * at;
        }
    }
    return report_all("jacobi", seconds, sum_over_all(squares), maximum_over_all(error) < 1e-11);
}

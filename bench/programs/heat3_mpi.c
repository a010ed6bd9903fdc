/* 3-D heat conduction by hand: see heat3.dpc. Pencils on a two-dimensional grid of processes: the last dimension is
 * whole. Faces travel while the inner points are computed. */
#define HALO_TYPE double
#define HALO_MPI_TYPE MPI_DOUBLE
#include "halo.h"

#define RATIO 0.125

static inline void sweep(const halo *h, double *restrict v, const double *restrict u, long i0, long i1, long j0,
                         long j1) {
    const long plane = h->stride, row = h->depth;
    for (long i = i0; i < i1; i++) {
        for (long j = j0; j < j1; j++) {
            const double *here = u + i * plane + j * row;
            double *to = v + i * plane + j * row;
            for (long k = 1; k < row - 1; k++)
                to[k] = here[k] + RATIO * (here[k - plane] + here[k + plane] + here[k - row] + here[k + row] +
                                           here[k - 1] + here[k + 1] - 6 * here[k]);
        }
    }
}

static void step(halo *h, double *v, double *u) {
#define SWEEP(i0, i1, j0, j1) sweep(h, v, u, i0, i1, j0, j1)
    HALO_OVERLAP(h, u, SWEEP);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 128), steps = argument(argc, argv, 2, 20);
    halo h = halo_create(n, n, n + 2, 1, 0, 0, 0);
    double *u = halo_allocate(&h), *v = halo_allocate(&h);
    double *x = sine_mode(n, 1) + 1 + h.first_row, *y = sine_mode(n, 2) + 1 + h.first_column, *z = sine_mode(n, 3);
    double start = 0, error = 0, squares = 0;

    for (long i = 0; i < h.rows; i++)
        for (long j = 0; j < h.columns; j++)
            for (long k = 1; k <= n; k++) u[i * h.stride + j * h.depth + k] = x[i] * y[j] * z[k];
    for (long s = -2; s < steps; s += 2) {
        if (s == 0) start = now();
        step(&h, v, u);
        step(&h, u, v);
    }
    double seconds = now() - start;

    double factor = pow(1 - 2 * RATIO * (3 - cosine(n, 1) - cosine(n, 2) - cosine(n, 3)), (double)(steps + 2));
    for (long i = 0; i < h.rows; i++) {
        for (long j = 0; j < h.columns; j++) {
            for (long k = 1; k <= n; k++) {
                double at = u[i * h.stride + j * h.depth + k];
                error = fmax(error, fabs(at - factor * x[i] * y[j] * z[k]));
                squares += at * at;
            }
        }
    }
    return report_all("heat3", seconds, sum_over_all(squares), maximum_over_all(error) < 1e-11);
}

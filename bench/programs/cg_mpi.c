/* Conjugate gradients by hand: see cg.dpc. Blocks with halos of the direction; inner points are multiplied while the
 * halos travel. */
#define HALO_TYPE double
#define HALO_MPI_TYPE MPI_DOUBLE
#include "cg.h"
#ifdef IRREGULAR
#define HALO_FIRST_ROW cg_rows_before
#define ROWS_ONLY 1
#else
#define ROWS_ONLY 0
#endif
#include "halo.h"

static long n;
static halo h;

static inline double laplacian(const double *u, long row) {
    return 4 * u[0] - u[-row] - u[row] - u[-1] - u[1];
}

static inline double multiply_part(double *restrict q, const double *restrict p, long i0, long i1, long j0, long j1) {
    const long row = h.stride;
    double pq = 0;
    for (long i = i0; i < i1; i++) {
        for (long m = i * row + j0; m < i * row + j1; m++) {
            q[m] = laplacian(p + m, row);
            pq += p[m] * q[m];
        }
    }
    return pq;
}

static double multiply(double *q, double *p) {
    double pq = 0;
#define SWEEP(i0, i1, j0, j1) pq += multiply_part(q, p, i0, i1, j0, j1)
    HALO_OVERLAP(&h, p, SWEEP);
    return sum_over_all(pq);
}

static double right_side(long i, long j) {
    return cg_right_side(n, h.first_row + i + 1, h.first_column + j + 1);
}

static double start_values(double *restrict x, double *restrict r, double *restrict p) {
    double rr = 0;
    for (long i = 0; i < h.rows; i++) {
        for (long j = 0; j < h.columns; j++) {
            long m = i * h.stride + j;
            x[m] = 0, r[m] = p[m] = right_side(i, j);
            rr += r[m] * r[m];
        }
    }
    return sum_over_all(rr);
}

static double solve(long steps, double rr, double *restrict x, double *restrict r, double *restrict p,
                    double *restrict q) {
    for (long s = 0; s < steps; s++) {
        double alpha = rr / multiply(q, p), before = rr, squares = 0;
        for (long i = 0; i < h.rows; i++) {
            for (long m = i * h.stride; m < i * h.stride + h.columns; m++) {
                x[m] += alpha * p[m];
                r[m] -= alpha * q[m];
                squares += r[m] * r[m];
            }
        }
        rr = sum_over_all(squares);
        for (long i = 0; i < h.rows; i++)
            for (long m = i * h.stride; m < i * h.stride + h.columns; m++) p[m] = r[m] + rr / before * p[m];
    }
    return rr;
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 512);
    long steps = argument(argc, argv, 2, 40);
    h = halo_create(n, n, 1, 1, ROWS_ONLY, 0, 0);
    double *x = halo_allocate(&h), *r = halo_allocate(&h), *p = halo_allocate(&h), *q = halo_allocate(&h);
    solve(2, start_values(x, r, p), x, r, p, q);
    double rr = start_values(x, r, p), start = now(), energy = 0, deviation = 0;
    rr = solve(steps, rr, x, r, p, q);
    double seconds = now() - start;

    for (long i = 0; i < h.rows; i++)
        for (long j = 0; j < h.columns; j++)
            q[i * h.stride + j] = x[i * h.stride + j] - cg_solution(n, h.first_row + i + 1, h.first_column + j + 1);
    halo_start(&h, q), halo_finish(&h, q);
    halo_start(&h, x), halo_finish(&h, x);
    for (long i = 0; i < h.rows; i++) {
        for (long j = 0; j < h.columns; j++) {
            long m = i * h.stride + j;
            energy += q[m] * laplacian(q + m, h.stride);
            deviation = fmax(deviation, fabs(right_side(i, j) - laplacian(x + m, h.stride) - r[m]));
        }
    }
    energy = sum_over_all(energy), deviation = maximum_over_all(deviation);
    return report_all("cg", seconds, rr, cg_is_right(n, steps, energy, deviation));
}

/* Himeno's benchmark by hand: see himeno.dpc. Pencils with faces and edges from eight neighbours, which travel while
 * the inner points are computed. */
#define HALO_TYPE float
#define HALO_MPI_TYPE MPI_FLOAT
#include "halo.h"
#include "himeno.h"

static float *a[4], *b[3], *c[3], *bnd, *wrk, *work;

static float *field(const halo *h, float value) {
    float *f = halo_allocate(h);
    for (long i = -1; i <= h->rows; i++)
        for (long m = i * h->stride - h->depth; m < (i + 1) * h->stride - h->depth; m++) f[m] = value;
    return f;
}

static inline double sweep(const halo *h, float *restrict to, const float *restrict p, long i0, long i1, long j0,
                           long j1) {
    const long row = h->depth, plane = h->stride;
    const float *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *b0 = b[0], *b1 = b[1], *b2 = b[2], *c0 = c[0],
                *c1 = c[1], *c2 = c[2];
    double gosa = 0;
    for (long i = i0; i < i1; i++) {
        for (long j = j0; j < j1; j++) {
            for (long m = i * plane + j * row + 1; m <= i * plane + j * row + row - 2; m++) {
                float s0 = a0[m] * p[m + plane] + a1[m] * p[m + row] + a2[m] * p[m + 1] +
                           b0[m] * (p[m + plane + row] - p[m + plane - row] - p[m - plane + row] + p[m - plane - row]) +
                           b1[m] * (p[m + row + 1] - p[m - row + 1] - p[m + row - 1] + p[m - row - 1]) +
                           b2[m] * (p[m + plane + 1] - p[m - plane + 1] - p[m + plane - 1] + p[m - plane - 1]) +
                           c0[m] * p[m - plane] + c1[m] * p[m - row] + c2[m] * p[m - 1] + wrk[m];
                float ss = (s0 * a3[m] - p[m]) * bnd[m];
                gosa += (double)(ss * ss);
                to[m] = p[m] + OMEGA * ss;
            }
        }
    }
    return gosa;
}

static double step(halo *h, float *restrict p) {
    double gosa = 0;
#define SWEEP(i0, i1, j0, j1) gosa += sweep(h, work, p, i0, i1, j0, j1)
    HALO_OVERLAP(h, p, SWEEP);
    for (long i = 0; i < h->rows; i++)
        for (long j = 0; j < h->columns; j++)
            memcpy(p + i * h->stride + j * h->depth + 1, work + i * h->stride + j * h->depth + 1,
                   (size_t)(h->depth - 2) * sizeof *p);
    return sum_over_all(gosa);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long nx = argument(argc, argv, 1, 64), ny = argument(argc, argv, 2, 64), nz = argument(argc, argv, 3, 128);
    long steps = argument(argc, argv, 4, 12);
    halo h = halo_create(nx, ny, nz + 2, 1, 0, 0, 1);
    double *x = sine_mode(nx, himeno_mode(nx)) + 1 + h.first_row,
           *y = sine_mode(ny, himeno_mode(ny)) + 1 + h.first_column;
    double *z = sine_mode(nz, himeno_mode(nz)), start = 0, gosa = 0;
    float *p = field(&h, 0);

    for (long i = 0; i < h.rows; i++)
        for (long j = 0; j < h.columns; j++)
            for (long k = 1; k <= nz; k++) p[i * h.stride + j * h.depth + k] = (float)(x[i] * y[j] * z[k]);
    for (int k = 0; k < 3; k++) a[k] = field(&h, 1), b[k] = field(&h, 0), c[k] = field(&h, 1);
    a[3] = field(&h, SIXTH), bnd = field(&h, 1), wrk = field(&h, 0), work = field(&h, 0);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        gosa = step(&h, p);
    }
    double seconds = now() - start;
    return report_all("himeno", seconds, gosa, himeno_is_right(nx, ny, nz, steps + 1, gosa));
}

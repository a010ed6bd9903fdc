/* Himeno's benchmark: see himeno.dpc. */
#include "himeno.h"

static long nx, ny, nz;
static float *a[4], *b[3], *c[3], *bnd, *wrk, *work;

static float *field(float value) {
    long count = (nx + 2) * (ny + 2) * (nz + 2);
    float *f = allocate(count, sizeof *f);
    for (long i = 0; i < count; i++) f[i] = value;
    return f;
}

static double step(float *restrict p, float *restrict to) {
    const long row = nz + 2, plane = (ny + 2) * row;
    const float *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *b0 = b[0], *b1 = b[1], *b2 = b[2], *c0 = c[0],
                *c1 = c[1], *c2 = c[2];
    double gosa = 0;
    for (long i = 1; i <= nx; i++) {
        for (long j = 1; j <= ny; j++) {
            for (long m = i * plane + j * row + 1; m <= i * plane + j * row + nz; m++) {
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
    for (long i = 1; i <= nx; i++)
        for (long j = 1; j <= ny; j++)
            for (long k = 1; k <= nz; k++) p[i * plane + j * row + k] = to[i * plane + j * row + k];
    return gosa;
}

int main(int argc, char **argv) {
    nx = argument(argc, argv, 1, 64), ny = argument(argc, argv, 2, 64), nz = argument(argc, argv, 3, 128);
    long steps = argument(argc, argv, 4, 12), row = nz + 2, plane = (ny + 2) * row;
    double *x = sine_mode(nx, himeno_mode(nx)), *y = sine_mode(ny, himeno_mode(ny)),
           *z = sine_mode(nz, himeno_mode(nz));
    double start = 0, gosa = 0;
    float *p = field(0);

    for (long i = 1; i <= nx; i++)
        for (long j = 1; j <= ny; j++)
            for (long k = 1; k <= nz; k++) p[i * plane + j * row + k] = (float)(x[i] * y[j] * z[k]);
    for (int k = 0; k < 3; k++) a[k] = field(1), b[k] = field(0), c[k] = field(1);
    a[3] = field(SIXTH), bnd = field(1), wrk = field(0), work = field(0);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        gosa = step(p, work);
    }
    double seconds = seconds_now() - start;
    return report("himeno", seconds, gosa, himeno_is_right(nx, ny, nz, steps + 1, gosa));
}

/* Conjugate gradients: see cg.dpc. */
#include "cg.h"

static long n;

static inline double laplacian(const double *u, long row) {
    return 4 * u[0] - u[-row] - u[row] - u[-1] - u[1];
}

static double multiply(double *restrict q, const double *restrict p) {
    double pq = 0;
    for (long i = 1; i <= n; i++) {
        for (long m = i * (n + 2) + 1; m <= i * (n + 2) + n; m++) {
            q[m] = laplacian(p + m, n + 2);
            pq += p[m] * q[m];
        }
    }
    return pq;
}

static double start_values(double *restrict x, double *restrict r, double *restrict p) {
    double rr = 0;
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            long m = i * (n + 2) + j;
            x[m] = 0, r[m] = p[m] = cg_right_side(n, i, j);
            rr += r[m] * r[m];
        }
    }
    return rr;
}

static double solve(long steps, double rr, double *restrict x, double *restrict r, double *restrict p,
                    double *restrict q) {
    const long all = (n + 2) * (n + 2);
    for (long s = 0; s < steps; s++) {
        double alpha = rr / multiply(q, p), before = rr;
        rr = 0;
        for (long m = 0; m < all; m++) {
            x[m] += alpha * p[m];
            r[m] -= alpha * q[m];
            rr += r[m] * r[m];
        }
        for (long m = 0; m < all; m++) p[m] = r[m] + rr / before * p[m];
    }
    return rr;
}

int main(int argc, char **argv) {
    n = argument(argc, argv, 1, 512);
    long steps = argument(argc, argv, 2, 40), all = (n + 2) * (n + 2);
    double *x = allocate(all, sizeof *x), *r = allocate(all, sizeof *r), *p = allocate(all, sizeof *p),
           *q = allocate(all, sizeof *q);
    solve(2, start_values(x, r, p), x, r, p, q);
    double rr = start_values(x, r, p), start = seconds_now(), energy = 0, deviation = 0;
    rr = solve(steps, rr, x, r, p, q);
    double seconds = seconds_now() - start;

    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) q[i * (n + 2) + j] = x[i * (n + 2) + j] - cg_solution(n, i, j);
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            long m = i * (n + 2) + j;
            energy += q[m] * laplacian(q + m, n + 2);
            deviation = fmax(deviation, fabs(cg_right_side(n, i, j) - laplacian(x + m, n + 2) - r[m]));
        }
    }
    return report("cg", seconds, rr, cg_is_right(n, steps, energy, deviation));
}

/* All pairs of bodies: see nbody.dpc. */
#include <string.h>

#include "nbody_kernel.h"

static long n;
static double *x, *y, *vx, *vy, *ax, *ay, *m;

static void accelerate(void) {
    memset(ax, 0, (size_t)n * sizeof *ax);
    memset(ay, 0, (size_t)n * sizeof *ay);
    attract(n, ax, ay, x, y, n, x, y, m);
}

static void step(void) {
    for (long i = 0; i < n; i++) {
        vx[i] += TIME_STEP / 2 * ax[i], vy[i] += TIME_STEP / 2 * ay[i];
        x[i] += TIME_STEP * vx[i], y[i] += TIME_STEP * vy[i];
    }
    accelerate();
    for (long i = 0; i < n; i++) vx[i] += TIME_STEP / 2 * ax[i], vy[i] += TIME_STEP / 2 * ay[i];
}

int main(int argc, char **argv) {
    n = argument(argc, argv, 1, 2048);
    long steps = argument(argc, argv, 2, 4);
    double **arrays[] = {&x, &y, &vx, &vy, &ax, &ay, &m}, px = 0, py = 0, l = 0, kinetic = 0;
    for (int k = 0; k < 7; k++) *arrays[k] = allocate(n, sizeof(double));

    for (long i = 0; i < n; i++) x[i] = nbody_x(i), y[i] = nbody_y(i), m[i] = nbody_mass(i, n);
    double before = potential_of(n, x, y, m, n, x, y, m);
    accelerate();
    double start = seconds_now();
    for (long s = 0; s < steps; s++) step();
    double seconds = seconds_now() - start;

    for (long i = 0; i < n; i++) {
        px += m[i] * vx[i], py += m[i] * vy[i], l += m[i] * (x[i] * vy[i] - y[i] * vx[i]);
        kinetic += m[i] * (vx[i] * vx[i] + vy[i] * vy[i]) / 2;
    }
    return report("nbody", seconds, kinetic,
                  nbody_is_right(px, py, l, before, potential_of(n, x, y, m, n, x, y, m) + kinetic));
}

/* All pairs of bodies by hand: see nbody.dpc. A ring: visitors travel to the next process while they are computed with.
 */
#include "mpi_program.h"
#include "nbody_kernel.h"

static long n, mine, room;
static double *x, *y, *vx, *vy, *ax, *ay, *m;
static double *visitors[2]; /* x, y and m of up to room bodies */

static long count_of(int p) {
    return part_start(n, p + 1, processes) - part_start(n, p, processes);
}

/* Calls work(count, x, y, m) for the bodies of every process, as they come by. */
static double with_all(double (*work)(long, const double *, const double *, const double *)) {
    double *here = visitors[0], *next = visitors[1], total = 0;
    memcpy(here, x, (size_t)mine * sizeof *x);
    memcpy(here + room, y, (size_t)mine * sizeof *y);
    memcpy(here + 2 * room, m, (size_t)mine * sizeof *m);
    for (int k = 0; k < processes; k++) {
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (k < processes - 1) {
            MPI_Irecv(next, (int)(3 * room), MPI_DOUBLE, (rank + 1) % processes, 0, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(here, (int)(3 * room), MPI_DOUBLE, (rank + processes - 1) % processes, 0, MPI_COMM_WORLD,
                      &requests[1]);
        }
        total += work(count_of((rank + k) % processes), here, here + room, here + 2 * room);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        double *other = here;
        here = next, next = other;
    }
    return total;
}

static double pull(long count, const double *xs, const double *ys, const double *ms) {
    attract(mine, ax, ay, x, y, count, xs, ys, ms);
    return 0;
}

static double potential(long count, const double *xs, const double *ys, const double *ms) {
    return potential_of(mine, x, y, m, count, xs, ys, ms);
}

static void accelerate(void) {
    memset(ax, 0, (size_t)mine * sizeof *ax);
    memset(ay, 0, (size_t)mine * sizeof *ay);
    with_all(pull);
}

static void step(void) {
    for (long i = 0; i < mine; i++) {
        vx[i] += TIME_STEP / 2 * ax[i], vy[i] += TIME_STEP / 2 * ay[i];
        x[i] += TIME_STEP * vx[i], y[i] += TIME_STEP * vy[i];
    }
    accelerate();
    for (long i = 0; i < mine; i++) vx[i] += TIME_STEP / 2 * ax[i], vy[i] += TIME_STEP / 2 * ay[i];
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 2048), mine = count_of(rank), room = n / processes + 1;
    long steps = argument(argc, argv, 2, 4), first = part_start(n, rank, processes);
    double **arrays[] = {&x, &y, &vx, &vy, &ax, &ay, &m}, px = 0, py = 0, l = 0, kinetic = 0;
    for (int k = 0; k < 7; k++) *arrays[k] = allocate(mine, sizeof(double));
    for (int k = 0; k < 2; k++) visitors[k] = allocate(3 * room, sizeof(double));

    for (long i = 0; i < mine; i++)
        x[i] = nbody_x(first + i), y[i] = nbody_y(first + i), m[i] = nbody_mass(first + i, n);
    double before = sum_over_all(with_all(potential));
    accelerate();
    double start = now();
    for (long s = 0; s < steps; s++) step();
    double seconds = now() - start;

    for (long i = 0; i < mine; i++) {
        px += m[i] * vx[i], py += m[i] * vy[i], l += m[i] * (x[i] * vy[i] - y[i] * vx[i]);
        kinetic += m[i] * (vx[i] * vx[i] + vy[i] * vy[i]) / 2;
    }
    px = sum_over_all(px), py = sum_over_all(py), l = sum_over_all(l), kinetic = sum_over_all(kinetic);
    double energy = sum_over_all(with_all(potential)) + kinetic;
    return report_all("nbody", seconds, kinetic, nbody_is_right(px, py, l, before, energy));
}

/* Game of Life by hand: see life.dpc. Blocks with halos and corners on a periodic grid; the inner cells are computed
 * while the halos travel. */
#include "life.h"
#define HALO_TYPE cell
#define HALO_MPI_TYPE MPI_UNSIGNED_CHAR
#include "halo.h"

static inline void sweep(long stride, cell *restrict b, const cell *restrict a, long i0, long i1, long j0, long j1) {
    for (long i = i0; i < i1; i++) {
        const cell *up = a + (i - 1) * stride, *here = a + i * stride, *down = a + (i + 1) * stride;
        cell *to = b + i * stride;
        for (long j = j0; j < j1; j++) {
            cell neighbours =
                (cell)(up[j - 1] + up[j] + up[j + 1] + here[j - 1] + here[j + 1] + down[j - 1] + down[j] + down[j + 1]);
            to[j] = NEXT(here[j], neighbours);
        }
    }
}

static void generation(halo *h, cell *b, cell *a) {
#define SWEEP(i0, i1, j0, j1) sweep(h->stride, b, a, i0, i1, j0, j1)
    HALO_OVERLAP(h, a, SWEEP);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 40), wrong = 0, total = 0;
    halo h = halo_create(n, n, 1, 1, 0, 1, 1);
    cell *a = halo_allocate(&h), *b = halo_allocate(&h);
    double start = 0;

    for (long i = 0; i < h.rows; i++)
        for (long j = 0; j < h.columns; j++) a[i * h.stride + j] = glider(h.first_row + i, h.first_column + j);
    for (long s = -4; s < steps; s += 2) {
        if (s == 0) start = now();
        generation(&h, b, a);
        generation(&h, a, b);
    }
    double seconds = now() - start;

    long moved = (steps + 4) / 4;
    for (long i = 0; i < h.rows; i++) {
        for (long j = 0; j < h.columns; j++) {
            long gi = h.first_row + i, gj = h.first_column + j;
            wrong += a[i * h.stride + j] != glider(WRAP(gi - moved, n), WRAP(gj - moved, n));
            total += a[i * h.stride + j] * (gi + 1 + 3 * (gj + 1));
        }
    }
    return report_all("life", seconds, sum_over_all((double)total), maximum_over_all((double)wrong) == 0);
}

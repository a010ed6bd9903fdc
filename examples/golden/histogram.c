/* Histograms: how often each bin occurs, and a picture of particles on a grid.
 *
 * Which elements an iteration adds to is known only when it runs.  `reduction` says that it only adds: every process
 * counts what its own samples and particles contribute, and what belongs to others travels once, behind the loop. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/histogram.dpc"
#include <dpc.h>

#define SAMPLES 100000L
#define BINS 20
#define PARTICLES 20000L
#define CELLS 64

static dpc_array x_dist; /* double x[SAMPLES]; */
long bin[BINS]; /* every process has all of it */
static dpc_array px_dist, py_dist, density_dist; /* double px[PARTICLES], py[PARTICLES], density[CELLS][CELLS]; */

int main(void) {
    dpc_init(0);
    dpc_create(&x_dist, DPC_LINE(16), "x", DPC_DOUBLE, DPC_SHAPE(SAMPLES), DPC_FORMATS(DPC_BLOCK), NULL);
    dpc_create(&px_dist, DPC_LINE(16), "px", DPC_DOUBLE, DPC_SHAPE(PARTICLES), DPC_FORMATS(DPC_BLOCK), NULL);
    dpc_create_like(&py_dist, DPC_LINE(16), "py", DPC_DOUBLE, &px_dist);
    dpc_create(&density_dist, DPC_LINE(17), "density", DPC_DOUBLE, DPC_SHAPE(CELLS, CELLS),
               DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL);
    DPC_LOCAL(DPC_LINE(20)) { /* x[i] = fmod(i * 0.6180339887, 1) * fmod(i * 0.7548776662, 1) */
        double *restrict x = x_dist.origin;
        DPC_OWNED(i, &x_dist, 0) x[i] = fmod(i * 0.6180339887, 1) * fmod(i * 0.7548776662, 1);
    }
    DPC_LOCAL(DPC_LINE(22)) {
        /* px[i] = CELLS * fmod(i * 0.7548776662, 1)
         * line 23: py[i] = CELLS * (0.5 + 0.4 * sin(px[i] * 0.1) * fmod(i * 0.5698402910, 1)) */
        double *restrict px = px_dist.origin, *restrict py = py_dist.origin;
        DPC_OWNED(i, &px_dist, 0) {
            px[i] = CELLS * fmod(i * 0.7548776662, 1);
            py[i] = CELLS * (0.5 + 0.4 * sin(px[i] * 0.1) * fmod(i * 0.5698402910, 1));
        }
    }

    DPC_LOCAL(DPC_LINE(27)) { /* independent on x[i]; bin: one collective combines the processes' parts */
        const double *restrict x = x_dist.origin;
        long *bin_part = dpc_new_parts(DPC_SUM, DPC_LONG, sizeof bin / sizeof(long), bin);
        DPC_OWNED(i, &x_dist, 0) {
            bin_part[(int)(BINS * x[i])]++;
        }
        dpc_combine_parts(DPC_SUM, DPC_LONG, sizeof bin / sizeof(long), bin, bin_part);
    }

    DPC_LOCAL(DPC_LINE(30)) {
        /* independent on px[i]; density (block, block): its owners get the others' parts behind the loop */
        const double *restrict px = px_dist.origin, *restrict py = py_dist.origin;
        dpc_parts density_part = dpc_begin_parts(DPC_LINE(30), &density_dist, DPC_SUM);
        DPC_OWNED(i, &px_dist, 0) {
            dpc_part(double, &density_part, (int)px[i], (int)py[i]) += 1;
        }
        dpc_end_parts(&density_part);
    }

    for (int b = 0; b < BINS; b++) printf("%4.2f %ld\n", (double)b / BINS, bin[b]);
    double sum_33 = 0, maxval_33 = -HUGE_VAL;
    DPC_LOCAL(DPC_LINE(33)) { /* sum(density[:][:]); maxval(density[:][:]) */
        const double (*restrict density)[density_dist.across[1]] = density_dist.origin;
        DPC_OWNED(i, &density_dist, 0) DPC_OWNED(j, &density_dist, 1) {
            sum_33 += density[i][j];
            maxval_33 = dpc_larger(density[i][j], maxval_33);
        }
        dpc_reduce_together(2, DPC_RESULTS(DPC_RESULT(DPC_SUM, sum_33), DPC_RESULT(DPC_MAX, maxval_33)));
    }
    printf("particles: %g, in the fullest cell: %g\n", sum_33, maxval_33);
    return dpc_finish(0);
}

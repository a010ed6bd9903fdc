/* Jacobi iteration for Laplace's equation on a square plate, distributed in blocks over a two-dimensional grid of processes.
 *
 * Each point becomes the mean of its four neighbours; the neighbours that another process owns are the only data that move.
 * The iteration stops when no point changes by more than TOLERANCE. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/jacobi.dpc"
#include <dpc.h>

#define N 14
#define TOLERANCE 1e-2

static dpc_array U_dist; /* double U[0:N+1][0:N+1]; */ /* 0 and N+1 are the edges of the plate: fixed */
static dpc_array V_dist; /* double V[0:N+1][0:N+1]; */

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(13), "P", 2, (const dpc_index[]){DPC_CHOSEN, DPC_CHOSEN});
    dpc_create_with_halo(&U_dist, DPC_LINE(14), "U", DPC_DOUBLE, DPC_SHAPE(N + 2, N + 2),
        DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), P, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_NO_CORNERS);
    dpc_create_like(&V_dist, DPC_LINE(14), "V", DPC_DOUBLE, &U_dist);
    double change;
    int iterations = 0;

    DPC_CHANGE(&U_dist, DPC_LINE(20)) { /* U[:][:] = 0 */
        double (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED(i, &U_dist, 0) DPC_OWNED(j, &U_dist, 1) U[i][j] = 0;
    }
    /* hot at the top, */
    DPC_CHANGE(&U_dist, DPC_LINE(21)) { /* U[0][:] = 100 */
        double (*restrict U)[U_dist.across[1]] = U_dist.origin;
        if (dpc_owns(&U_dist, 0, 0))
            DPC_OWNED(i, &U_dist, 1) U[0][i] = 100;
    }
    /* falling along the left side */
    DPC_CHANGE(&U_dist, DPC_LINE(22)) { /* U[i][0] = 100 - 100.0 * i / (N + 1) */
        double (*restrict U)[U_dist.across[1]] = U_dist.origin;
        if (dpc_owns(&U_dist, 1, 0))
            DPC_OWNED(i, &U_dist, 0) U[i][0] = 100 - 100.0 * i / (N + 1);
    }
    DPC_LOCAL(DPC_LINE(23)) { /* V[:][:] = U[:][:] */
        double (*restrict V)[V_dist.across[1]] = V_dist.origin, (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED(i, &V_dist, 0) DPC_OWNED(j, &V_dist, 1) V[i][j] = U[i][j];
    }

    do {
        double maxval_28 = -HUGE_VAL;
        DPC_FORALL_ON(space, &V_dist, DPC_LINE(27), DPC_TO(1, N), DPC_TO(1, N)) {
            /* V[i][j] = 0.25 * (U[i-1][j] + U[i+1][j] + U[i][j-1] + U[i][j+1])
             * line 28: maxval(fabs(V[1:N][1:N] - U[1:N][1:N]))
             *   U[-1:1][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = dpc_refresh(DPC_LINE(27), 1, (dpc_array *[]){&U_dist});
            DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
            DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
            double (*restrict V)[V_dist.across[1]] = V_dist.origin, (*restrict U)[U_dist.across[1]] = U_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1))) /* interior, then boundary */
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1) {
                    V[i][j] = 0.25 * (U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1]);
                    maxval_28 = dpc_larger(fabs(V[i][j] - U[i][j]), maxval_28);
                }
        }
        change = dpc_combined(DPC_MAX, maxval_28);
        DPC_CHANGE(&U_dist, DPC_LINE(29)) { /* U[1:N][1:N] = V[1:N][1:N] */
            double (*restrict U)[U_dist.across[1]] = U_dist.origin, (*restrict V)[V_dist.across[1]] = V_dist.origin;
            DPC_OWNED_IN(i, 1, N, &U_dist, 0) DPC_OWNED_IN(j, 1, N, &U_dist, 1) U[i][j] = V[i][j];
        }
        iterations++;
    } while (change > TOLERANCE);

    printf("%d iterations, last change %.6f\n", iterations, change);
    double sum_34 = 0;
    DPC_LOCAL(DPC_LINE(34)) { /* sum(U[1:N][1:N]) */
        const double (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED_IN(i, 1, N, &U_dist, 0) DPC_OWNED_IN(j, 1, N, &U_dist, 1) sum_34 += U[i][j];
    }
    printf("mean temperature %.6f\n", dpc_combined(DPC_SUM, sum_34) / (N * N));
    for (int i = 0; i <= N + 1; i += 3) {
        for (int j = 0; j <= N + 1; j += 3) printf(" %10.6f", dpc_get(double, &U_dist, DPC_LINE(36), i, j));
        printf("\n");
    }
    return dpc_finish(0);
}

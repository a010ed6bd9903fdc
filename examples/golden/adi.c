/* Heat conduction by the alternating direction implicit method (Peaceman and Rachford).
 *
 * Each half step solves tridiagonal systems along one direction.  With the rows distributed, the systems along the rows lie
 * on one process each; then the array is redistributed by columns for the other direction, so that no solver ever waits for
 * a neighbour. */
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/adi.dpc"
#include <dpc.h>

#define N 48        /* interior points per direction */
#define STEPS 10
#define RATIO 0.75  /* of half a time step to the square of the mesh width */

static dpc_array U_dist; /* double U[0:N+1][0:N+1]; */ /* the temperature; its edges stay 0 */
/* right sides, then solutions, of the interior points, beside which they stand */
static dpc_array R_dist; /* double R[1:N][1:N]; */

/* Forward elimination's factors of the matrix tridiag(-RATIO, 1 + 2*RATIO, -RATIO): the same for every line. */
static double factor[N + 2];

static void eliminate_matrix(void) {
    factor[0] = 0;
    for (int k = 1; k <= N; k++) factor[k] = RATIO / (1 + 2 * RATIO - RATIO * factor[k - 1]);
}

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(14), "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create_with_halo(&U_dist, DPC_LINE(15), "U", DPC_DOUBLE, DPC_SHAPE(N + 2, N + 2),
        DPC_FORMATS(DPC_BLOCK, DPC_STAR), P, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(0, 0)), DPC_NO_CORNERS);
    dpc_create_aligned(&R_dist, DPC_LINE(16), "R", DPC_DOUBLE, 2, DPC_BOUNDS({1, N}, {1, N}), &U_dist,
                       (const dpc_alignment[]){DPC_ALIGN(0, 1, 0), DPC_ALIGN(1, 1, 0)});
    eliminate_matrix();
    DPC_CHANGE(&U_dist, DPC_LINE(28)) { /* U[i][j] = i * (N + 1 - i) * (j <= N / 2 ? 0.25 : 0.125) */
        double (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED_IN(i, 1, N, &U_dist, 0) DPC_OWNED_IN(j, 1, N, &U_dist, 1)
            U[i][j] = i * (N + 1 - i) * (j <= N / 2 ? 0.25 : 0.125);
    }

    for (int step = 0; step < STEPS; step++) {
        /* Explicit across the columns' direction, implicit along the rows, which are whole on their process. */
        /* R moves nothing and loses its values: every element is assigned before it is read */
        dpc_redistribute_as(&U_dist, DPC_LINE(32), DPC_FORMATS(DPC_BLOCK, DPC_STAR), P,
            (dpc_remapping){.halo = DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(0, 0)),
            .followers = (const dpc_follower[]){{.array = &R_dist, .dead = true}, {.array = NULL}}});
        DPC_FORALL_ON(space, &R_dist, DPC_LINE(33), DPC_TO(1, N), DPC_TO(1, N)) {
            /* R[i][j] = U[i][j] + RATIO * (U[i-1][j] - 2 * U[i][j] + U[i+1][j])
             *   U[-1:1][0]: ghost cells, where it has changed */
            dpc_refreshing *halo = dpc_refresh(DPC_LINE(33), 1, (dpc_array *[]){&U_dist});
            DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
            DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
            double (*restrict R)[R_dist.across[1]] = R_dist.origin, (*restrict U)[U_dist.across[1]] = U_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_CYCLIC_WIDTH(1, 1), DPC_CYCLIC_WIDTH(0, 0)))
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1)
                    R[i][j] = U[i][j] + RATIO * (U[i - 1][j] - 2 * U[i][j] + U[i + 1][j]);
        }
        DPC_LOCAL(DPC_LINE(34)) { /* R[:][1] *= factor[1] / RATIO */
            double (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED(i, &R_dist, 0) R[i][1] *= factor[1] / RATIO;
        }
        /* R[i][j] = (R[i][j] + RATIO * R[i][j-1]) * factor[j] / RATIO */
        for (long j = 2; j <= N; j++) DPC_LOCAL(DPC_LINE(35)) {
            double (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED(i, &R_dist, 0) R[i][j] = (R[i][j] + RATIO * R[i][j - 1]) * factor[j] / RATIO;
        }
        for (long j = N - 1; j >= 1; j--) DPC_LOCAL(DPC_LINE(36)) { /* R[1:N][j] += factor[j] * R[1:N][j+1] */
            double (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED(i, &R_dist, 0) R[i][j] += factor[j] * R[i][j + 1];
        }
        DPC_CHANGE(&U_dist, DPC_LINE(37)) { /* U[1:N][1:N] = R[:][:] */
            double (*restrict U)[U_dist.across[1]] = U_dist.origin, (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED_IN(i, 1, N, &U_dist, 0) DPC_OWNED_IN(j, 1, N, &U_dist, 1) U[i][j] = R[i][j];
        }

        /* The other way round. */
        /* R moves nothing and loses its values: every element is assigned before it is read */
        dpc_redistribute_as(&U_dist, DPC_LINE(40), DPC_FORMATS(DPC_STAR, DPC_BLOCK), P,
            (dpc_remapping){.halo = DPC_WIDTHS(DPC_WIDTH(0, 0), DPC_WIDTH(1, 1)),
            .followers = (const dpc_follower[]){{.array = &R_dist, .dead = true}, {.array = NULL}}});
        DPC_FORALL_ON(space, &R_dist, DPC_LINE(41), DPC_TO(1, N), DPC_TO(1, N)) {
            /* R[i][j] = U[i][j] + RATIO * (U[i][j-1] - 2 * U[i][j] + U[i][j+1])
             *   U[0][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = dpc_refresh(DPC_LINE(41), 1, (dpc_array *[]){&U_dist});
            DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
            DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
            double (*restrict R)[R_dist.across[1]] = R_dist.origin, (*restrict U)[U_dist.across[1]] = U_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_CYCLIC_WIDTH(0, 0), DPC_CYCLIC_WIDTH(1, 1)))
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1)
                    R[i][j] = U[i][j] + RATIO * (U[i][j - 1] - 2 * U[i][j] + U[i][j + 1]);
        }
        DPC_LOCAL(DPC_LINE(42)) { /* R[1][:] *= factor[1] / RATIO */
            double (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED(i, &R_dist, 1) R[1][i] *= factor[1] / RATIO;
        }
        /* R[i][j] = (R[i][j] + RATIO * R[i-1][j]) * factor[i] / RATIO */
        for (long i = 2; i <= N; i++) DPC_LOCAL(DPC_LINE(43)) {
            double (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED(j, &R_dist, 1) R[i][j] = (R[i][j] + RATIO * R[i - 1][j]) * factor[i] / RATIO;
        }
        for (long i = N - 1; i >= 1; i--) DPC_LOCAL(DPC_LINE(44)) { /* R[i][1:N] += factor[i] * R[i+1][1:N] */
            double (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED(j, &R_dist, 1) R[i][j] += factor[i] * R[i + 1][j];
        }
        DPC_CHANGE(&U_dist, DPC_LINE(45)) { /* U[1:N][1:N] = R[:][:] */
            double (*restrict U)[U_dist.across[1]] = U_dist.origin, (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_OWNED_IN(i, 1, N, &U_dist, 0) DPC_OWNED_IN(j, 1, N, &U_dist, 1) U[i][j] = R[i][j];
        }

        if (step % 5 == 4) printf("step %2d: total heat %.6f, hottest %.6f\n", step + 1, ({
            double sum_47 = 0;
            DPC_LOCAL(DPC_LINE(47)) { /* sum(U[:][:]) */
                const double (*restrict U)[U_dist.across[1]] = U_dist.origin;
                DPC_OWNED(i, &U_dist, 0) DPC_OWNED(j, &U_dist, 1) sum_47 += U[i][j];
                sum_47 = dpc_combined(DPC_SUM, sum_47);
            }
            sum_47;
        }), ({
            double maxval_47 = -HUGE_VAL;
            DPC_LOCAL(DPC_LINE(47)) { /* maxval(U[:][:]) */
                const double (*restrict U)[U_dist.across[1]] = U_dist.origin;
                DPC_OWNED(i, &U_dist, 0) DPC_OWNED(j, &U_dist, 1) maxval_47 = dpc_larger(U[i][j], maxval_47);
                maxval_47 = dpc_combined(DPC_MAX, maxval_47);
            }
            maxval_47;
        }));
    }

    for (int i = 6; i <= N; i += 12) {
        for (int j = 6; j <= N; j += 12) printf(" %10.6f", dpc_get(double, &U_dist, DPC_LINE(51), i, j));
        printf("\n");
    }
    return dpc_finish(0);
}

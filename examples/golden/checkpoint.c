/* Jacobi iterations that can be killed: every 100 of them U goes to a file, and a program that finds this file goes on from
 * there, on any number of processes. */
#include <stdio.h>
#include <stdlib.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/checkpoint.dpc"
#include <dpc.h>

enum { N = 128, EVERY = 100 };

static dpc_array U_dist, V_dist; /* double U[N][N], V[N][N]; */

/* The loops of examples/checkpoint.dpc:28. */
static void loops_28(dpc_index V_row, double (*restrict V)[V_row], dpc_index U_row, const double (*restrict U)[U_row],
                     long i_first, long i_last, long j_first, long j_last) {
    for (long i = i_first; i <= i_last; i++)
        for (long j = j_first; j <= j_last; j++)
            V[i][j] = 0.25 * (U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1]);
}

int main(int argc, char **argv) {
    dpc_init(0);
    dpc_create_with_halo(&U_dist, DPC_LINE(9), "U", DPC_DOUBLE, DPC_SHAPE(N, N), DPC_FORMATS(DPC_BLOCK, DPC_STAR), NULL,
                         DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(0, 0)), DPC_NO_CORNERS);
    dpc_create_like(&V_dist, DPC_LINE(9), "V", DPC_DOUBLE, &U_dist);
    const long last = argc > 1 ? atol(argv[1]) : 1000;
    long done = 0;
    FILE *saved = fopen("checkpoint.npy", "rb");

    if (saved != NULL) {
        fclose(saved);
        dpc_npy_load("checkpoint.npy", DPC_PASS(DPC_LINE(18), &U_dist));
        /* a corner, which no iteration reads: how many they were */
        done = (long)dpc_get(double, &U_dist, DPC_LINE(19), 0, 0);
    } else {
        DPC_CHANGE(&U_dist, DPC_LINE(21)) { /* U[i][0] = 1 */
            double (*restrict U)[U_dist.across[1]] = U_dist.origin;
            DPC_OWNED_IN(i, 1, N - 2, &U_dist, 0) U[i][0] = 1;
        }
    }
    for (; done < last; done++) {
        if (done > 0 && done % EVERY == 0) {
            dpc_set(double, &U_dist, DPC_LINE(25), (double)done, 0, 0);
            dpc_npy_save("checkpoint.npy", DPC_PASS(DPC_LINE(26), &U_dist));
        }
        DPC_FORALL_ON(space, &V_dist, DPC_LINE(28), DPC_TO(1, N - 2), DPC_TO(1, N - 2)) {
            /* V[i][j] = 0.25 * (U[i-1][j] + U[i+1][j] + U[i][j-1] + U[i][j+1])
             *   U[-1:1][0]: ghost cells, where it has changed */
            dpc_refreshing *halo = dpc_refresh(DPC_LINE(28), 1, (dpc_array *[]){&U_dist});
            DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
            DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
            double (*restrict V)[V_dist.across[1]] = V_dist.origin;
            const double (*restrict U)[U_dist.across[1]] = U_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(0, 0))) /* interior, then boundary */
                loops_28(V_dist.across[1], V, U_dist.across[1], U, box.first[0], box.last[0], box.first[1],
                         box.last[1]);
        }
        DPC_CHANGE(&U_dist, DPC_LINE(29)) { /* U[1:N-2][1:N-2] = V[1:N-2][1:N-2] */
            double (*restrict U)[U_dist.across[1]] = U_dist.origin, (*restrict V)[V_dist.across[1]] = V_dist.origin;
            DPC_OWNED_IN(i, 1, N - 2, &U_dist, 0) DPC_OWNED_IN(j, 1, N - 2, &U_dist, 1) U[i][j] = V[i][j];
        }
    }
    double sum_31 = 0;
    DPC_LOCAL(DPC_LINE(31)) { /* sum(U[1:N-2][1:N-2]) */
        const double (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED_IN(i, 1, N - 2, &U_dist, 0) DPC_OWNED_IN(j, 1, N - 2, &U_dist, 1) sum_31 += U[i][j];
    }
    printf("%ld iterations: %.9f\n", done, dpc_combined(DPC_SUM, sum_31));
    remove("checkpoint.npy");
    return dpc_finish(0);
}

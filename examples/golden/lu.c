/* LU factorisation without pivoting, and the solution of a linear system with it.
 *
 * The matrix is dealt out cyclically in both dimensions: as the active part shrinks towards the lower right corner, every
 * process keeps its share of the work.  Row k and column k are broadcast along the grid in step k. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/lu.dpc"
#include <dpc.h>

#define N 60

/* the matrix, then L below the diagonal (ones on it) and U on and above it */
static dpc_array A_dist; /* double A[N][N]; */
static dpc_array x_dist; /* double x[N]; */    /* the right side, then the solution */

static void factorise(void) {
    for (long k = 0; k < N - 1; k++) {
        DPC_FORALL_AT(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(k)), DPC_LINE(19), DPC_TO(k + 1, N - 1)) {
            /* A[i][k] = A[i][k] / A[k][k]; A[k][k] (cyclic, cyclic): a broadcast along dimension 1 of the grid */
            const double A_in = dpc_share(double, space, &A_dist, DPC_FIXED(k), DPC_FIXED(k));
            const dpc_index A_at1 = dpc_local(&A_dist.dim[1], k);
            double (*restrict A)[A_dist.across[1]] = A_dist.local;
            DPC_OWN_CYCLIC(i, i_at, i_local, space, 0) A[i_local][A_at1] = A[i_local][A_at1] / A_in;
        }
        DPC_FORALL_ON(space, &A_dist, DPC_LINE(20), DPC_TO(k + 1, N - 1), DPC_TO(k + 1, N - 1)) {
            /* A[i][j] = A[i][j] - A[i][k] * A[k][j]
             *   A[i][k] (cyclic, cyclic): a broadcast along dimension 2 of the grid
             *   A[k][j] (cyclic, cyclic): a broadcast along dimension 1 of the grid */
            DPC_TRANSFER A_move = dpc_broadcast(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(k)));
            DPC_TRANSFER A_move_2 = dpc_broadcast(space, &A_dist, DPC_SUBSCRIPTS(DPC_FIXED(k), DPC_INDEX(1)));
            const dpc_run i_run = dpc_strided_run(space, 0), j_run = dpc_strided_run(space, 1);
            double (*restrict A)[A_dist.across[1]] = A_dist.local;
            const double *restrict A_in = dpc_arrive(A_move), *restrict A_in_2 = dpc_arrive(A_move_2);
            DPC_IN_CYCLIC(i, i_at, i_local, i_run) DPC_IN_CYCLIC(j, j_at, j_local, j_run)
                A[i_local][j_local] = A[i_local][j_local] - A_in[i_at] * A_in_2[j_at];
        }
    }
}

/* Posts receives, packs what others read, and sends it. */
static dpc_move *exchange(dpc_move *move) {
    DPC_RECEIVES(from, move) MPI_Irecv(DPC_MESSAGE(move, from));
    DPC_SENDS(to, move) {
        double *out = to->data, *part = dpc_source(move);
        DPC_STRIPS(set0, dpc_outgoing_axis(move, to, 0, 1)) DPC_STRIP_VALUES(at0, from0, set0) *out++ = part[from0];
        MPI_Isend(DPC_MESSAGE(move, to));
    }
    return move;
}

static void solve(void) {
    for (long k = 0; k < N - 1; k++) {
        /* x[k+1:N-1] -= A[k+1:N-1][k] * x[k]
         *   A[k+1:N-1][k] (cyclic, cyclic) moves to the owners of x[k+1:N-1] (cyclic): run-time sets along i
         *   x[k] (cyclic): a broadcast along dimension 1 of the grid */
        DPC_SPACE_ON(space, &x_dist, DPC_LINE(25), DPC_TO(k + 1, N - 1));
        DPC_MOVE A_move = exchange(dpc_open_or_fetch(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(k))));
        const double x_in = dpc_share(double, space, &x_dist, DPC_FIXED(k));
        double *restrict x = x_dist.local;
        const double *restrict A_in = dpc_collect(A_move);
        DPC_OWN_CYCLIC(i, i_at, i_local, space, 0) x[i_local] -= A_in[i_at] * x_in;
    }
    for (long k = N - 1; k >= 0; k--) {
        DPC_BY_OWNER(x_process, &x_dist, DPC_LINE(27), k) { /* x[k] = x[k] / A[k][k], by the owner of x[k] */
            const double A_in = dpc_bring(double, &A_dist, DPC_LINE(27), x_process, k, k);
            if (x_process == dpc_rank())
                dpc_element(double, &x_dist, DPC_LINE(27), k) = dpc_element(double, &x_dist, DPC_LINE(27), k) / A_in;
        }
        DPC_FORALL_ON(space, &x_dist, DPC_LINE(28), DPC_TO(0, k - 1)) {
            /* x[0:k-1] -= A[0:k-1][k] * x[k]
             *   A[0:k-1][k] (cyclic, cyclic) moves to the owners of x[0:k-1] (cyclic): run-time sets along i
             *   x[k] (cyclic): a broadcast along dimension 1 of the grid */
            DPC_MOVE A_move = exchange(dpc_open_or_fetch(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(k))));
            const double x_in = dpc_share(double, space, &x_dist, DPC_FIXED(k));
            double *restrict x = x_dist.local;
            const double *restrict A_in = dpc_collect(A_move);
            DPC_OWN_CYCLIC(i, i_at, i_local, space, 0) x[i_local] -= A_in[i_at] * x_in;
        }
    }
}

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(12), "P", 2, (const dpc_index[]){DPC_CHOSEN, DPC_CHOSEN});
    dpc_grid *LINE = dpc_new_grid(DPC_LINE(13), "LINE", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create(&A_dist, DPC_LINE(14), "A", DPC_DOUBLE, DPC_SHAPE(N, N), DPC_FORMATS(DPC_CYCLIC(1), DPC_CYCLIC(1)), P);
    dpc_create(&x_dist, DPC_LINE(15), "x", DPC_DOUBLE, DPC_SHAPE(N), DPC_FORMATS(DPC_CYCLIC(1)), LINE);
    /* Diagonally dominant; the right side is chosen so that the solution is 1, 2, ..., N. */
    /* A[i][j] = i == j ? 2.0 * N : (double)((3 * i + 5 * j) % 7 - 3) */
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(34), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) {
        const dpc_run i_run = dpc_strided_run(space, 0), j_run = dpc_strided_run(space, 1);
        double (*restrict A)[A_dist.across[1]] = A_dist.local;
        DPC_IN_CYCLIC(i, i_at, i_local, i_run) DPC_IN_CYCLIC(j, j_at, j_local, j_run)
            A[i_local][j_local] = i == j ? 2.0 * N : (double)((3 * i + 5 * j) % 7 - 3);
    }
    double sum_36 = 0, *sum_35;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(35), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) {
        /* sum(j = 0:N-1, A[i][j] * (j + 1)); the owners of x[i] (cyclic) combine the processes' results */
        const dpc_run i_run = dpc_strided_run(space, 0), j_run = dpc_strided_run(space, 1);
        const double (*restrict A)[A_dist.across[1]] = A_dist.local;
        double *restrict sum_35_part = dpc_new_results(space->mine[0], sizeof(double), &(const double){0});
        DPC_IN_CYCLIC(i, i_at, i_local, i_run) DPC_IN_CYCLIC(j, j_at, j_local, j_run)
            sum_35_part[i_at] += A[i_local][j_local] * (j + 1);
        sum_35 = dpc_combine_results(space, &x_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_SUM, DPC_DOUBLE,
                                     &(const double){0}, sum_35_part);
    }
    DPC_FORALL_ON(space, &x_dist, DPC_LINE(35), DPC_TO(0, N - 1)) {
        /* x[i] = sum(j = 0:N-1, A[i][j] * (j + 1)); line 36: sum(x[:]) */
        double *restrict x = x_dist.local;
        DPC_OWN_CYCLIC(i, i_at, i_local, space, 0) {
            x[i_local] = sum_35[i_local];
            sum_36 += x[i_local];
        }
        dpc_free_results(&x_dist, sum_35, sizeof(double));
        sum_36 = dpc_combined(DPC_SUM, sum_36);
    }
    printf("right side  %.0f .. %.0f, sum %.0f\n", dpc_get(double, &x_dist, DPC_LINE(36), 0),
           dpc_get(double, &x_dist, DPC_LINE(36), N - 1), sum_36);

    factorise();
    double logarithm = 0; /* of the determinant */
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(40), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) { /* logarithm += log(A[k][k]) */
        const dpc_run k_run = dpc_strided_run(space, 0), across_run = dpc_strided_run(space, 1);
        const double (*restrict A)[A_dist.across[1]] = A_dist.local;
        DPC_IN_CYCLIC(k, k_at, k_local, k_run) DPC_PART_CYCLIC(across, across_at, across_local, across_run, k, k)
            logarithm += log(A[k_local][across_local]);
        logarithm = dpc_combined(DPC_SUM, logarithm);
    }
    printf("determinant e^%.6f\n", logarithm);
    printf("corner      %.6f\n", dpc_get(double, &A_dist, DPC_LINE(42), N - 1, N - 1));

    solve();
    printf("solution    %.6f %.6f %.6f .. %.6f\n", dpc_get(double, &x_dist, DPC_LINE(45), 0),
           dpc_get(double, &x_dist, DPC_LINE(45), 1), dpc_get(double, &x_dist, DPC_LINE(45), 2),
           dpc_get(double, &x_dist, DPC_LINE(45), N - 1));
    double error = -HUGE_VAL;
    DPC_FORALL_ON(space, &x_dist, DPC_LINE(46), DPC_TO(0, N - 1)) { /* maxval(i = 0:N-1, fabs(x[i] - (i + 1))) */
        const double *restrict x = x_dist.local;
        DPC_OWN_CYCLIC(i, i_at, i_local, space, 0) error = dpc_larger(fabs(x[i_local] - (i + 1)), error);
        error = dpc_combined(DPC_MAX, error);
    }
    printf("error       %s\n", error < 1e-10 ? "below 1e-10" : "too large");
    return dpc_finish(0);
}

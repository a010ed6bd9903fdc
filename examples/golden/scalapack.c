/* A Cholesky factorisation by ScaLAPACK, of a matrix that dpcc has made and works on behind it.
 *
 * dpc_view_descriptor describes the local part as ScaLAPACK wants it, for the transposed matrix, which is the same here.
 * dpcc examples/scalapack.dpc -lscalapack-openmpi */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/scalapack.dpc"
#include <dpc.h>

#define N 120

static dpc_array A_dist, L_dist; /* double A[N][N], L[N][N]; */

int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desc, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

/* The lower triangle of the array becomes the factor: the upper one of the matrix by columns. */
/* #pragma dpc extrinsic */
static int factorise(const dpc_view *a, int rows, int columns) {
    DPC_EXTRINSIC;
    const int one = 1, n = N;
    int desc[9], info = 0, context;
    if (a->comm == MPI_COMM_NULL) return 0;
    context = Csys2blacs_handle(a->comm);
    Cblacs_gridinit(&context, "Column", columns, rows);
    if (dpc_view_descriptor(a, context, desc))
        pdpotrf_("U", &n, a->data, &one, &one, desc, &info);
    else
        dpotrf_("U", &n, a->data, &n, &info);
    Cblacs_gridexit(context);
    return info;
}

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(12), "P", 2, (const dpc_index[]){DPC_CHOSEN, DPC_CHOSEN});
    dpc_create(&A_dist, DPC_LINE(13), "A", DPC_DOUBLE, DPC_SHAPE(N, N), DPC_FORMATS(DPC_CYCLIC(8), DPC_CYCLIC(8)), P);
    dpc_create_like(&L_dist, DPC_LINE(13), "L", DPC_DOUBLE, &A_dist);
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(38), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) {
        /* A[i][j] = i == j ? N + 1.0 : 1.0 / (1 + (i > j ? i - j : j - i)); line 39: L[:][:] = A[:][:] */
        double (*restrict A)[A_dist.across[1]] = A_dist.local, (*restrict L)[L_dist.across[1]] = L_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_BLOCK_RUNS(j_run, space, 1) DPC_IN_RUN(i, i_run) DPC_IN_RUN(j, j_run) {
            A[i - i_run.shift][j - j_run.shift] = i == j ? N + 1.0 : 1.0 / (1 + (i > j ? i - j : j - i));
            L[i - i_run.shift][j - j_run.shift] = A[i - i_run.shift][j - j_run.shift];
        }
        dpc_changed(&L_dist);
    }
    int size[2] = {0, 0};
    MPI_Dims_create(dpc_nprocs(), 2, size);
    const int info = ({ DPC_VIEW dpc_view L_view_1 = dpc_begin_view(DPC_LINE(42), &L_dist);
                       factorise(&L_view_1, size[0], size[1]); });
    DPC_CHANGE_ON(space, &L_dist, DPC_LINE(43), DPC_TO(0, N - 1), DPC_TO(1, N - 1)) { /* L[i][j] = 0 */
        double (*restrict L)[L_dist.across[1]] = L_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_BLOCK_RUNS(j_run, space, 1) DPC_IN_RUN(i, i_run)
            DPC_PART_RUN(j, j_run, i + 1, N - 1) L[i - i_run.shift][j - j_run.shift] = 0;
    }
    double sum_44 = 0;
    DPC_FORALL_ON(space, &L_dist, DPC_LINE(44), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) { /* sum(i = 0:N-1, log(L[i][i])) */
        const double (*restrict L)[L_dist.across[1]] = L_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_BLOCK_RUNS(across_run, space, 1) DPC_IN_RUN(i, i_run)
            DPC_PART_RUN(across, across_run, i, i) sum_44 += log(L[i - i_run.shift][across - across_run.shift]);
        sum_44 = dpc_combined(DPC_SUM, sum_44);
    }
    const double determinant = 2 * sum_44;
    DPC_FORALL(space, DPC_LINE(45), DPC_TO(0, N - 1), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) {
        /* A[i][j] -= sum(k = 0:N-1, L[i][k] * L[j][k])
         *   L[i][k] (cyclic(8), cyclic(8)): panels of 64 values of k, broadcast along dimension 2 of the grid
         *   L[j][k] (cyclic(8), cyclic(8)) moves to the owners of A[i][j] (cyclic(8), cyclic(8))
         *     run-time sets along j
         *     closed form, at most 2 sections a pair: k in [[a:a+7]:e:8*N2] */
        space->own = 2; /* the rest: reductions, which may be empty */
        dpc_on(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_INDEX(1)));
        DPC_TRANSFER L_move_2 = dpc_fetch(space, &L_dist, DPC_SUBSCRIPTS(DPC_INDEX(1), DPC_INDEX(2)));
        const dpc_index i_count = space->mine[0], j_count = space->mine[1];
        double (*restrict A)[A_dist.across[1]] = A_dist.local;
        const double (*restrict L_in_2)[dpc_row_length(space, 2)] = dpc_arrive(L_move_2);
        dpc_panels *L_panels =
            dpc_open_panels(space, &L_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_INDEX(2)), 2, 64, false);
        dpc_panels *L_panels_2 = dpc_open_block_panels(space, L_in_2, sizeof(double), 1, 2, 64, true);
        double *sum_45_all = dpc_buffer(space->mine[0] * space->mine[1], sizeof(double));
        for (dpc_index k_panel = 0; k_panel < space->count[2]; k_panel += 64) {
            const dpc_panel L_rows = dpc_next_panel(L_panels);
            const double *restrict L_panel = L_rows.values;
            const dpc_panel L_rows_2 = dpc_next_panel(L_panels_2);
            const double *restrict L_panel_2 = L_rows_2.values;
            const dpc_index k_rows = dpc_minimum(64, space->count[2] - k_panel);
            for (dpc_index j_part = 0; j_part < j_count; j_part += 256) {
                const dpc_index j_end = dpc_minimum(j_part + 256, j_count);
                for (dpc_index i_at = 0; i_at < i_count; i_at++) {
                    double *restrict sum_45_to = sum_45_all + i_at * j_count;
                    dpc_index k_at = 0;
                    for (; k_at + 4 <= k_rows; k_at += 4) {
                        for (dpc_index j_at = j_part; j_at < j_end; j_at++) {
                            double sum_45 = sum_45_to[j_at];
                            sum_45 += L_panel[k_at * L_rows.down + i_at * L_rows.across] *
                                L_panel_2[k_at * L_rows_2.down + j_at];
                            sum_45 += L_panel[(k_at + 1) * L_rows.down + i_at * L_rows.across] *
                                L_panel_2[(k_at + 1) * L_rows_2.down + j_at];
                            sum_45 += L_panel[(k_at + 2) * L_rows.down + i_at * L_rows.across] *
                                L_panel_2[(k_at + 2) * L_rows_2.down + j_at];
                            sum_45 += L_panel[(k_at + 3) * L_rows.down + i_at * L_rows.across] *
                                L_panel_2[(k_at + 3) * L_rows_2.down + j_at];
                            sum_45_to[j_at] = sum_45;
                        }
                    }
                    for (; k_at < k_rows; k_at++) {
                        for (dpc_index j_at = j_part; j_at < j_end; j_at++) {
                            double sum_45 = sum_45_to[j_at];
                            sum_45 += L_panel[k_at * L_rows.down + i_at * L_rows.across] *
                                L_panel_2[k_at * L_rows_2.down + j_at];
                            sum_45_to[j_at] = sum_45;
                        }
                    }
                }
            }
        }
        dpc_close_panels(L_panels);
        dpc_close_panels(L_panels_2);
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_BLOCK_RUNS(j_run, space, 1)
            for (long i = i_run.first, i_at = i_run.position; i <= i_run.last; i++, i_at++)
                for (long j = j_run.first, j_at = j_run.position; j <= j_run.last; j++, j_at++)
                    A[i - i_run.shift][j - j_run.shift] -= sum_45_all[i_at * j_count + j_at];
        dpc_free_buffer(sum_45_all);
    }
    double maxval_47 = -HUGE_VAL;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(47), DPC_TO(0, N - 1), DPC_TO(0, N - 1)) { /* maxval(fabs(A[:][:])) */
        const double (*restrict A)[A_dist.across[1]] = A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_BLOCK_RUNS(j_run, space, 1) DPC_IN_RUN(i, i_run) DPC_IN_RUN(j, j_run)
            maxval_47 = dpc_larger(fabs(A[i - i_run.shift][j - j_run.shift]), maxval_47);
    }
    printf("info %d, log of the determinant %.6f, error %s\n", info, determinant,
           dpc_combined(DPC_MAX, maxval_47) < 1e-9 ? "small" : "large");
    return dpc_finish(0);
}

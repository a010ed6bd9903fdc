/* Two-dimensional Fourier transforms: rows by FFTW, in an extrinsic function; transposes by dpcc.
 *
 * Each process transforms the rows that it owns.  Libraries that know nothing of processes serve so, as they are.
 * dpcc examples/fft.dpc -lfftw3 */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/fft.dpc"
#include <dpc.h>

#define N 96
#define M 64

static dpc_array U_dist, V_dist; /* double complex U[N][M], V[M][N]; */

/* #pragma dpc extrinsic */
static void transform_rows(const dpc_view *u, int sign) {
    DPC_EXTRINSIC;
    double complex *row = u->data;
    const int length = (int)u->extent[1];
    for (long i = 0; i < u->extent[0]; i++, row += u->stride[0]) {
        fftw_plan plan = fftw_plan_dft_1d(length, row, row, sign, FFTW_ESTIMATE);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
    }
}

/* Posts receives, packs what others read, and sends it. */
static dpc_move *exchange(dpc_move *move) {
    DPC_RECEIVES(from, move) MPI_Irecv(DPC_MESSAGE(move, from));
    DPC_SENDS(to, move) {
        double _Complex *out = to->data, *part = dpc_source(move);
        const dpc_strip set0 = dpc_outgoing_axis(move, to, 0, 0);
        DPC_STRIPS(set1, dpc_outgoing_axis(move, to, 1, 0)) DPC_STRIP_RUNS(run1, set1)
            DPC_IN_STRIP_RUN(at1, from1, run1, set1.from_step) DPC_STRIP_RUNS(run0, set0)
                DPC_IVDEP DPC_IN_STRIP_RUN(at0, from0, run0, 1) *out++ = part[from1 + from0];
        MPI_Isend(DPC_MESSAGE(move, to));
    }
    return move;
}

int main(void) {
    dpc_init(0);
    dpc_create(&U_dist, DPC_LINE(14), "U", DPC_DOUBLE_COMPLEX, DPC_SHAPE(N, M), DPC_FORMATS(DPC_BLOCK, DPC_STAR), NULL);
    dpc_create(&V_dist, DPC_LINE(14), "V", DPC_DOUBLE_COMPLEX, DPC_SHAPE(M, N), DPC_FORMATS(DPC_BLOCK, DPC_STAR), NULL);
    const double pi = acos(-1);
    DPC_CHANGE(&U_dist, DPC_LINE(29)) { /* U[i][j] = cos(2 * pi * (3.0 * i / N + 5.0 * j / M)) */
        double _Complex (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED(i, &U_dist, 0) DPC_OWNED(j, &U_dist, 1) U[i][j] = cos(2 * pi * (3.0 * i / N + 5.0 * j / M));
    }
    ({ DPC_VIEW dpc_view U_view_1 = dpc_begin_view(DPC_LINE(30), &U_dist); transform_rows(&U_view_1, FFTW_FORWARD); });
    DPC_CHANGE_ON(space, &V_dist, DPC_LINE(31), DPC_TO(0, M - 1), DPC_TO(0, N - 1)) {
        /* V[:][:] = transpose(U[:][:]); U[:][:] (block, *) moves to the owners of V[:][:] (block, *)
         *   closed form, at most 2 sections a pair: j in [a:e], i in [a:e] */
        DPC_MOVE U_move = exchange(dpc_open(space, &U_dist, DPC_SUBSCRIPTS(DPC_INDEX(1), DPC_INDEX(0)), DPC_IN_PIECES));
        double _Complex (*restrict V)[V_dist.across[1]] = V_dist.origin;
        DPC_PIECES(U_in, double _Complex, U_move) /* what is mine, then messages as they come (MPI_Waitany) */
            DPC_STRIP(i_set, dpc_piece_strip(U_move, 0, 0)) DPC_STRIP(j_set, dpc_piece_strip(U_move, 1, 0))
                DPC_STRIP_TILES(i_tile, i_set, double _Complex, 1)
                    DPC_STRIP_TILES(j_tile, j_set, double _Complex, j_set.from_step)
                        DPC_IN_STRIP_RUN(i, i_from, i_tile, 1)
                            DPC_IVDEP DPC_IN_STRIP_RUN(j, j_from, j_tile, j_set.from_step)
                                V[i][j] = U_in[i_from + j_from];
    }
    ({ DPC_VIEW dpc_view V_view_1 = dpc_begin_view(DPC_LINE(32), &V_dist); transform_rows(&V_view_1, FFTW_FORWARD); });
    long count_33 = 0;
    DPC_LOCAL(DPC_LINE(33)) { /* count(i = 0:M-1, j = 0:N-1, cabs(V[i][j]) > 1e-6 * N * M) */
        const double _Complex (*restrict V)[V_dist.across[1]] = V_dist.origin;
        DPC_OWNED(i, &V_dist, 0) DPC_OWNED(j, &V_dist, 1) count_33 += (cabs(V[i][j]) > 1e-6 * N * M) != 0;
    }
    printf("waves: %ld\n", dpc_combined(DPC_SUM, count_33));
    DPC_CHANGE(&V_dist, DPC_LINE(34)) { /* V[i][j] /= N * M */
        double _Complex (*restrict V)[V_dist.across[1]] = V_dist.origin;
        DPC_OWNED(i, &V_dist, 0) DPC_OWNED(j, &V_dist, 1) V[i][j] /= N * M;
    }
    printf("amplitude at (3, 5): %.3f\n", creal(dpc_get(double _Complex, &V_dist, DPC_LINE(35), 5, 3)));
    ({ DPC_VIEW dpc_view V_view_1 = dpc_begin_view(DPC_LINE(36), &V_dist); transform_rows(&V_view_1, FFTW_BACKWARD); });
    DPC_CHANGE_ON(space, &U_dist, DPC_LINE(37), DPC_TO(0, N - 1), DPC_TO(0, M - 1)) {
        /* U[:][:] = transpose(V[:][:]); V[:][:] (block, *) moves to the owners of U[:][:] (block, *)
         *   closed form, at most 2 sections a pair: j in [a:e], i in [a:e] */
        DPC_MOVE V_move = exchange(dpc_open(space, &V_dist, DPC_SUBSCRIPTS(DPC_INDEX(1), DPC_INDEX(0)), DPC_IN_PIECES));
        double _Complex (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_PIECES(V_in, double _Complex, V_move)
            DPC_STRIP(i_set, dpc_piece_strip(V_move, 0, 0)) DPC_STRIP(j_set, dpc_piece_strip(V_move, 1, 0))
                DPC_STRIP_TILES(i_tile, i_set, double _Complex, 1)
                    DPC_STRIP_TILES(j_tile, j_set, double _Complex, j_set.from_step)
                        DPC_IN_STRIP_RUN(i, i_from, i_tile, 1)
                            DPC_IVDEP DPC_IN_STRIP_RUN(j, j_from, j_tile, j_set.from_step)
                                U[i][j] = V_in[i_from + j_from];
    }
    ({ DPC_VIEW dpc_view U_view_1 = dpc_begin_view(DPC_LINE(38), &U_dist); transform_rows(&U_view_1, FFTW_BACKWARD); });
    double maxval_39 = -HUGE_VAL;
    /* maxval(i = 0:N-1, j = 0:M-1, cabs(U[i][j] - cos(2 * pi * (3.0 * i / N + 5.0 * j / M)))) */
    DPC_LOCAL(DPC_LINE(39)) {
        const double _Complex (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED(i, &U_dist, 0) DPC_OWNED(j, &U_dist, 1)
            maxval_39 = dpc_larger(cabs(U[i][j] - cos(2 * pi * (3.0 * i / N + 5.0 * j / M))), maxval_39);
        maxval_39 = dpc_combined(DPC_MAX, maxval_39);
    }
    const double error = maxval_39;
    printf("there and back: %s\n", error < 1e-12 ? "the same" : "another");
    return dpc_finish(0);
}

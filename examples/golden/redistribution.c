/* Data redistribution in the two ways that a program can say it: the benchmark of Lee and Chen, section 6.3.
 *
 * 1. An assignment between two arrays with different block sizes: A(i) = OLD_A(i), i = 0 .. 241919.
 * 2. The redistribute directive, which changes the mapping of one array and keeps its values. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/redistribution.dpc"
#include <dpc.h>

#define N 241920L

static dpc_array A_dist, OLD_A_dist; /* double A[N], OLD_A[N]; */

/* Posts receives, packs what others read, and sends it. */
static dpc_move *exchange(dpc_move *move) {
    DPC_RECEIVES(from, move) MPI_Irecv(DPC_MESSAGE(move, from));
    DPC_SENDS(to, move) {
        double *out = to->data, *part = dpc_source(move);
        DPC_STRIPS(set0, dpc_outgoing_axis(move, to, 0, 0)) DPC_STRIP_RUNS(run0, set0)
            DPC_IVDEP DPC_IN_STRIP_RUN(at0, from0, run0, 1) *out++ = part[from0];
        MPI_Isend(DPC_MESSAGE(move, to));
    }
    return move;
}

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(11), "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create(&A_dist, DPC_LINE(12), "A", DPC_DOUBLE, DPC_SHAPE(N), DPC_FORMATS(DPC_CYCLIC(63)), P);
    dpc_create(&OLD_A_dist, DPC_LINE(13), "OLD_A", DPC_DOUBLE, DPC_SHAPE(N), DPC_FORMATS(DPC_CYCLIC(945)), P);
    double sum_17 = 0;
    DPC_FORALL_ON(space, &OLD_A_dist, DPC_LINE(16), DPC_TO(0, N - 1)) {
        /* OLD_A[i] = (i * 7919) % 10007; line 17: sum(i = 0:N-1, (i % 1021) * OLD_A[i]) */
        double *restrict OLD_A = OLD_A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) {
            OLD_A[i - i_run.shift] = (i * 7919) % 10007;
            sum_17 += (i % 1021) * OLD_A[i - i_run.shift];
        }
    }
    printf("OLD_A     %.0f\n", dpc_combined(DPC_SUM, sum_17));

    /* A[:] = OLD_A[:]; OLD_A[:] (cyclic(945)) moves to the owners of A[:] (cyclic(63)) by the redistribution engine */
    dpc_copy_array(&A_dist, DPC_LINE(19), &OLD_A_dist);
    double sum_20 = 0;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(20), DPC_TO(0, N - 1)) { /* sum(i = 0:N-1, (i % 1021) * A[i]) */
        const double *restrict A = A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) sum_20 += (i % 1021) * A[i - i_run.shift];
    }
    printf("A         %.0f\n", dpc_combined(DPC_SUM, sum_20));
    double maxval_21 = -HUGE_VAL;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(21), DPC_TO(0, N - 1)) {
        /* maxval(fabs(A[:] - OLD_A[:])); OLD_A[:] (cyclic(945)) moves to the owners of A[:] (cyclic(63))
         *   case 2, closed form, at most 4 sections a pair: iterations [[[a:a+62]:e:63*N]:n-1:945*N] */
        DPC_MOVE OLD_A_move = exchange(dpc_open(space, &OLD_A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_IN_PIECES));
        const double *restrict A = A_dist.local;
        DPC_PIECES(OLD_A_in, double, OLD_A_move) /* what is mine, then messages as they come (MPI_Waitany) */
            DPC_STRIPS(i_set, dpc_piece_strip(OLD_A_move, 0, 63)) DPC_STRIP_RUNS(i_run, i_set)
                DPC_IN_STRIP_RUN(i, i_from, i_run, 1)
                    maxval_21 = dpc_larger(fabs(A[i - i_run.shift] - OLD_A_in[i_from]), maxval_21);
    }
    printf("differ by %.0f\n", dpc_combined(DPC_MAX, maxval_21));

    /* From now on the two arrays have the same mapping, and copying moves nothing between processes. */
    dpc_redistribute(&OLD_A_dist, DPC_LINE(24), DPC_FORMATS(DPC_CYCLIC(63)), P);
    double sum_26 = 0;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(25), DPC_TO(0, N - 1)) {
        /* A[:] += OLD_A[:]; line 26: sum(i = 0:N-1, (i % 1021) * A[i]) */
        double *restrict A = A_dist.local, *restrict OLD_A = OLD_A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) {
            A[i - i_run.shift] += OLD_A[i - i_run.shift];
            sum_26 += (i % 1021) * A[i - i_run.shift];
        }
    }
    printf("doubled   %.0f\n", dpc_combined(DPC_SUM, sum_26));

    /* Through the four kinds of formats and back. */
    dpc_redistribute(&A_dist, DPC_LINE(29), DPC_FORMATS(DPC_BLOCK), P);
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(30), DPC_TO(1, N - 1)) {
        /* A[1:N-1] -= OLD_A[1:N-1]; OLD_A[1:N-1] (cyclic(63)) moves to the owners of A[1:N-1] (block)
         *   closed form, at most 2 sections a pair: iterations [[a:a+62]:e:63*N] */
        DPC_MOVE OLD_A_move = exchange(dpc_open(space, &OLD_A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_IN_PIECES));
        double *restrict A = A_dist.origin;
        DPC_PIECES(OLD_A_in, double, OLD_A_move) DPC_STRIP(i_set, dpc_piece_strip(OLD_A_move, 0, 63))
            DPC_STRIP_RUNS(i_run, i_set) DPC_IVDEP DPC_IN_STRIP_RUN(i, i_from, i_run, 1) A[i] -= OLD_A_in[i_from];
    }
    dpc_redistribute(&A_dist, DPC_LINE(31), DPC_FORMATS(DPC_CYCLIC(1)), P);
    DPC_BY_OWNER(A_process, &A_dist, DPC_LINE(32), 0) { /* A[0] -= OLD_A[0], by the owner of A[0] */
        const double OLD_A_in = dpc_bring(double, &OLD_A_dist, DPC_LINE(32), A_process, 0);
        if (A_process == dpc_rank()) dpc_element(double, &A_dist, DPC_LINE(32), 0) -= OLD_A_in;
    }
    dpc_redistribute(&A_dist, DPC_LINE(33), DPC_FORMATS(DPC_CYCLIC(15120)), P);
    double sum_34 = 0;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(34), DPC_TO(0, N - 1)) { /* sum(i = 0:N-1, (i % 1021) * A[i]) */
        const double *restrict A = A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) sum_34 += (i % 1021) * A[i - i_run.shift];
    }
    printf("restored  %.0f\n", dpc_combined(DPC_SUM, sum_34));
    double maxval_35 = -HUGE_VAL;
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(35), DPC_TO(0, N - 1)) {
        /* maxval(fabs(A[:] - OLD_A[:])); OLD_A[:] (cyclic(63)) moves to the owners of A[:] (cyclic(15120))
         *   case 3, closed form, at most 4 sections a pair: iterations [[[a:a+62]:e:63*N]:n-1:15120*N] */
        DPC_MOVE OLD_A_move = exchange(dpc_open(space, &OLD_A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_IN_PIECES));
        const double *restrict A = A_dist.local;
        DPC_PIECES(OLD_A_in, double, OLD_A_move) DPC_STRIPS(i_set, dpc_piece_strip(OLD_A_move, 0, 63))
            DPC_STRIP_RUNS(i_run, i_set) DPC_IN_STRIP_RUN(i, i_from, i_run, 1)
                maxval_35 = dpc_larger(fabs(A[i - i_run.shift] - OLD_A_in[i_from]), maxval_35);
    }
    printf("differ by %.0f\n", dpc_combined(DPC_MAX, maxval_35));
    printf("elements  %.0f %.0f %.0f\n", dpc_get(double, &A_dist, DPC_LINE(36), 0),
           dpc_get(double, &A_dist, DPC_LINE(36), N / 2), dpc_get(double, &A_dist, DPC_LINE(36), N - 1));
    return dpc_finish(0);
}

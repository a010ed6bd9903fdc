/* Saxpy with strides: the benchmark of Lee and Chen, section 6.2.
 *
 *     A(1997 + 3*i) = A(1997 + 3*i) + alpha * C(5 + 2*i),   i = 0 .. 80639
 *
 * The block sizes 63 and 42 are in the ratio of the strides 3 and 2: then almost every element of C that an iteration reads
 * lies on the process that owns the element of A, and what does not is described by closed forms. */
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/saxpy.dpc"
#include <dpc.h>

#define ITERATIONS 80640L
#define A_EXTENT (1997 + 3 * (ITERATIONS - 1) + 1)
#define C_EXTENT (5 + 2 * (ITERATIONS - 1) + 1)

static dpc_array A_dist; /* double A[A_EXTENT]; */
static dpc_array C_dist; /* double C[C_EXTENT]; */

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(15), "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create(&A_dist, DPC_LINE(16), "A", DPC_DOUBLE, DPC_SHAPE(A_EXTENT), DPC_FORMATS(DPC_CYCLIC(63)), P);
    dpc_create(&C_dist, DPC_LINE(17), "C", DPC_DOUBLE, DPC_SHAPE(C_EXTENT), DPC_FORMATS(DPC_CYCLIC(42)), P);
    const double alpha = 0.5;

    /* Whole numbers, and even ones in C, so that every sum below is exact. */
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(23), DPC_TO(0, A_EXTENT - 1)) { /* A[i] = i % 1000 */
        double *restrict A = A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) A[i - i_run.shift] = i % 1000;
    }
    DPC_FORALL_ON(space, &C_dist, DPC_LINE(24), DPC_TO(0, C_EXTENT - 1)) { /* C[i] = 2 * (i % 509) */
        double *restrict C = C_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) C[i - i_run.shift] = 2 * (i % 509);
    }

    DPC_FORALL_AT(space, &A_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 3, 1997)), DPC_LINE(26), DPC_TO(0, ITERATIONS - 1)) {
        /* A[1997 + 3*i] = A[1997 + 3*i] + alpha * C[5 + 2*i]
         *   C[5 + 2*i] (cyclic(42)) moves to the owners of A[1997 + 3*i] (cyclic(63))
         *     case 4, closed form, at most 2 sections a pair: iterations [[a:a+20]:n-1:21*N] */
        DPC_MOVE C_move = dpc_open(space, &C_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, 5)), DPC_IN_PIECES);
        DPC_RECEIVES(from, C_move) MPI_Irecv(DPC_MESSAGE(C_move, from));
        DPC_SENDS(to, C_move) {
            double *C_out = to->data, *C_part = dpc_source(C_move);
            const dpc_strip i_set = dpc_outgoing_strip(C_move, to, 0, 0);
            DPC_STRIP_RUNS(i_run, i_set) DPC_IVDEP DPC_IN_STRIP_RUN(i, i_from, i_run, 2) *C_out++ = C_part[i_from];
            MPI_Isend(DPC_MESSAGE(C_move, to));
        }
        double *restrict A = A_dist.local;
        DPC_PIECES(C_in, double, C_move) /* what is mine, then messages as they come (MPI_Waitany) */
            DPC_STRIP(i_set, dpc_piece_strip(C_move, 0, 0)) DPC_STRIP_RUNS(i_run, i_set)
                DPC_IVDEP DPC_IN_STRIP_RUN(i, i_from, i_run, i_set.from_step)
                    A[3 * i - i_run.shift + 1997] = A[3 * i - i_run.shift + 1997] + alpha * C_in[i_from];
    }

    printf("first    A[%d] = %.1f, its neighbours %.1f %.1f\n", 1997, dpc_get(double, &A_dist, DPC_LINE(28), 1997),
           dpc_get(double, &A_dist, DPC_LINE(28), 1996), dpc_get(double, &A_dist, DPC_LINE(28), 1998));
    printf("last     A[%ld] = %.1f, before it %.1f\n", A_EXTENT - 1,
           dpc_get(double, &A_dist, DPC_LINE(29), A_EXTENT - 1), dpc_get(double, &A_dist, DPC_LINE(29), A_EXTENT - 2));
    double sum_30 = 0;
    /* sum(i = 0:A_EXTENT-1, (i % 11 + 1) * A[i]) */
    DPC_FORALL_ON(space, &A_dist, DPC_LINE(30), DPC_TO(0, A_EXTENT - 1)) {
        const double *restrict A = A_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) sum_30 += (i % 11 + 1) * A[i - i_run.shift];
    }
    printf("weighted %.1f\n", dpc_combined(DPC_SUM, sum_30));
    return dpc_finish(0);
}

/* Data redistribution in the two ways that a program can say it: the benchmark of Lee and Chen, section 6.3.
 *
 * 1. An assignment between two arrays with different block sizes: A(i) = OLD_A(i), i = 0 .. 241919.
 * 2. The redistribute directive, which changes the mapping of one array and keeps its values. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc from examples/redistribution.dpc. To compile it: dpcc FILE.c
 * Every process executes this on its own parts of arrays; all call functions of dpc.h together: docs/by-hand.md */
#include <dpc.h>

#define N 241920L

static dpc_array A_dist; /* double A[N], OLD_A[N]; */
static dpc_array OLD_A_dist; /* double A[N], OLD_A[N]; */
static dpc_grid *P; /* #pragma dpc processors P(*) */
/* #pragma dpc distribute A(cyclic(63)) onto P */
/* #pragma dpc distribute OLD_A(cyclic(945)) onto P */

static void create_arrays(void) {
    P = dpc_new_grid("examples/redistribution.dpc:11", "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create(&A_dist, "examples/redistribution.dpc:12", "A", DPC_DOUBLE, 1, DPC_BOUNDS({0, N - 1}),
               DPC_FORMATS(DPC_CYCLIC(63)), P);
    dpc_create(&OLD_A_dist, "examples/redistribution.dpc:13", "OLD_A", DPC_DOUBLE, 1, DPC_BOUNDS({0, N - 1}),
               DPC_FORMATS(DPC_CYCLIC(945)), P);
}

int main(void) {
    dpc_init(0);
    create_arrays();
    double sum_17 = 0;
    { /* examples/redistribution.dpc:16: OLD_A[i] = (i * 7919) % 10007
       * examples/redistribution.dpc:17: sum(i = 0:N-1, (i % 1021) * OLD_A[i]) */
        DPC_FORALL_ON(space, &OLD_A_dist, "examples/redistribution.dpc:16", DPC_INSIDE, DPC_TO(0, N - 1));
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_block_run(&i_run)) {
            double *restrict OLD_A = dpc_origin(double, OLD_A_dist.local, i_run.shift);
            for (long i = i_run.first; i <= i_run.last; i++) {
                OLD_A[i] = (i * 7919) % 10007;
                sum_17 += (i % 1021) * OLD_A[i];
            }
        }
        sum_17 = dpc_combined(DPC_SUM, sum_17);
    }
    printf("OLD_A     %.0f\n", sum_17);

    /* examples/redistribution.dpc:19: A[:] = OLD_A[:]
     *   OLD_A[:] (cyclic(945)) moves to the owners of A[:] (cyclic(63)): a copy by the redistribution engine */
    dpc_copy_array(&A_dist, "examples/redistribution.dpc:19", &OLD_A_dist);
    double sum_20 = 0;
    { /* examples/redistribution.dpc:20: sum(i = 0:N-1, (i % 1021) * A[i]) */
        DPC_FORALL_ON(space, &A_dist, "examples/redistribution.dpc:20", DPC_INSIDE, DPC_TO(0, N - 1));
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_block_run(&i_run)) {
            const double *restrict A = dpc_origin(double, A_dist.local, i_run.shift);
            for (long i = i_run.first; i <= i_run.last; i++)
                sum_20 += (i % 1021) * A[i];
        }
        sum_20 = dpc_combined(DPC_SUM, sum_20);
    }
    printf("A         %.0f\n", sum_20);
    double maxval_21 = -HUGE_VAL;
    { /* examples/redistribution.dpc:21: maxval(fabs(A[:] - OLD_A[:]))
       *   OLD_A[:] (cyclic(945)) moves to the owners of A[:] (cyclic(63))
       *     case 2, closed form, at most 4 sections a pair: iterations [[[a:a+62]:e:63*N]:n-1:945*N] */
        DPC_FORALL_ON(space, &A_dist, "examples/redistribution.dpc:21", DPC_INSIDE, DPC_TO(0, N - 1));
        dpc_move *OLD_A_move = dpc_open(&space, &OLD_A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_IN_PIECES);
        DPC_RECEIVES(from, OLD_A_move) MPI_Irecv(DPC_MESSAGE(OLD_A_move, from));
        DPC_SENDS(to, OLD_A_move) {
            double *OLD_A_out = to->data;
            const double *OLD_A_part = dpc_source(OLD_A_move);
            for (dpc_strip i_set = dpc_outgoing_strip(OLD_A_move, to, 0, 63); i_set.more; dpc_next_strip(&i_set))
                for (long i_begin = i_set.first, i_base = i_set.from; i_begin <= i_set.high;
                     i_begin += i_set.period, i_base += i_set.from_jump)
                    DPC_IVDEP for (long i = dpc_maximum(i_begin, i_set.low),
                                   i_last = dpc_minimum(i_begin + 62, i_set.high), i_from = i_base + (i - i_begin);
                                   i <= i_last; i++, i_from++)
                        *OLD_A_out++ = OLD_A_part[i_from];
            MPI_Isend(DPC_MESSAGE(OLD_A_move, to));
        }
        DPC_PIECES(piece, OLD_A_move) { /* what is mine, then messages as they come (MPI_Waitany) */
            const double *restrict OLD_A_in = piece->data;
            for (dpc_strip i_set = dpc_piece_strip(OLD_A_move, piece, 0, 63); i_set.more; dpc_next_strip(&i_set))
                for (long i_begin = i_set.first, i_base = i_set.from, i_home = i_set.at; i_begin <= i_set.high;
                     i_begin += i_set.period, i_base += i_set.from_jump, i_home += i_set.jump) {
                    const dpc_index i_shift = i_begin - i_home;
                    const double *restrict A = dpc_origin(double, A_dist.local, i_shift);
                    for (long i = dpc_maximum(i_begin, i_set.low), i_last = dpc_minimum(i_begin + 62, i_set.high),
                         i_from = i_base + (i - i_begin); i <= i_last; i++, i_from++)
                        maxval_21 = dpc_larger(fabs(A[i] - OLD_A_in[i_from]), maxval_21);
                }
        }
        dpc_close(OLD_A_move);
        maxval_21 = dpc_combined(DPC_MAX, maxval_21);
    }
    printf("differ by %.0f\n", maxval_21);

    /* From now on the two arrays have the same mapping, and copying moves nothing between processes. */
    dpc_redistribute(&OLD_A_dist, "examples/redistribution.dpc:24", DPC_FORMATS(DPC_CYCLIC(63)), P);
    double sum_26 = 0;
    { /* examples/redistribution.dpc:25: A[:] += OLD_A[:]
       * examples/redistribution.dpc:26: sum(i = 0:N-1, (i % 1021) * A[i]) */
        DPC_FORALL_ON(space, &A_dist, "examples/redistribution.dpc:25", DPC_INSIDE, DPC_TO(0, N - 1));
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_block_run(&i_run)) {
            double *restrict A = dpc_origin(double, A_dist.local, i_run.shift);
            const double *restrict OLD_A = dpc_origin(double, OLD_A_dist.local, i_run.shift);
            for (long i = i_run.first; i <= i_run.last; i++) {
                A[i] += OLD_A[i];
                sum_26 += (i % 1021) * A[i];
            }
        }
        sum_26 = dpc_combined(DPC_SUM, sum_26);
    }
    printf("doubled   %.0f\n", sum_26);

    /* Through the four kinds of formats and back. */
    dpc_redistribute(&A_dist, "examples/redistribution.dpc:29", DPC_FORMATS(DPC_BLOCK), P);
    { /* examples/redistribution.dpc:30: A[1:N-1] -= OLD_A[1:N-1]
       *   OLD_A[1:N-1] (cyclic(63)) moves to the owners of A[1:N-1] (block)
       *     closed form, at most 2 sections a pair: iterations [[a:a+62]:e:63*N] */
        DPC_FORALL_ON(space, &A_dist, "examples/redistribution.dpc:30", DPC_INSIDE, DPC_TO(1, N - 1));
        dpc_move *OLD_A_move = dpc_open(&space, &OLD_A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_IN_PIECES);
        DPC_RECEIVES(from, OLD_A_move) MPI_Irecv(DPC_MESSAGE(OLD_A_move, from));
        DPC_SENDS(to, OLD_A_move) {
            double *OLD_A_out = to->data;
            const double *OLD_A_part = dpc_source(OLD_A_move);
            const dpc_strip i_set = dpc_outgoing_strip(OLD_A_move, to, 0, 63);
            for (long i_begin = i_set.first, i_base = i_set.from; i_begin <= i_set.high;
                 i_begin += i_set.period, i_base += i_set.from_jump)
                DPC_IVDEP for (long i = dpc_maximum(i_begin, i_set.low), i_last = dpc_minimum(i_begin + 62, i_set.high),
                               i_from = i_base + (i - i_begin); i <= i_last; i++, i_from++)
                    *OLD_A_out++ = OLD_A_part[i_from];
            MPI_Isend(DPC_MESSAGE(OLD_A_move, to));
        }
        DPC_PIECES(piece, OLD_A_move) { /* what is mine, then messages as they come (MPI_Waitany) */
            const double *restrict OLD_A_in = piece->data;
            const dpc_strip i_set = dpc_piece_strip(OLD_A_move, piece, 0, 63);
            for (long i_begin = i_set.first, i_base = i_set.from, i_home = i_set.at; i_begin <= i_set.high;
                 i_begin += i_set.period, i_base += i_set.from_jump, i_home += i_set.jump) {
                const dpc_index i_shift = i_begin - i_home;
                double *restrict A = dpc_origin(double, A_dist.local, i_shift);
                DPC_IVDEP for (long i = dpc_maximum(i_begin, i_set.low), i_last = dpc_minimum(i_begin + 62, i_set.high),
                               i_from = i_base + (i - i_begin); i <= i_last; i++, i_from++)
                    A[i] -= OLD_A_in[i_from];
            }
        }
        dpc_close(OLD_A_move);
    }
    dpc_redistribute(&A_dist, "examples/redistribution.dpc:31", DPC_FORMATS(DPC_CYCLIC(1)), P);
    {
        /* examples/redistribution.dpc:32: A[0] -= OLD_A[0], by the owner of A[0] */
        const int A_process = dpc_storing_process(&A_dist, "examples/redistribution.dpc:32", 0);
        const double OLD_A_in = dpc_bring(double, &OLD_A_dist, "examples/redistribution.dpc:32", A_process, 0);
        if (A_process == dpc_rank())
            dpc_element(double, &A_dist, "examples/redistribution.dpc:32", 0) -= OLD_A_in;
    }
    dpc_redistribute(&A_dist, "examples/redistribution.dpc:33", DPC_FORMATS(DPC_CYCLIC(15120)), P);
    double sum_34 = 0;
    { /* examples/redistribution.dpc:34: sum(i = 0:N-1, (i % 1021) * A[i]) */
        DPC_FORALL_ON(space, &A_dist, "examples/redistribution.dpc:34", DPC_INSIDE, DPC_TO(0, N - 1));
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_block_run(&i_run)) {
            const double *restrict A = dpc_origin(double, A_dist.local, i_run.shift);
            for (long i = i_run.first; i <= i_run.last; i++)
                sum_34 += (i % 1021) * A[i];
        }
        sum_34 = dpc_combined(DPC_SUM, sum_34);
    }
    printf("restored  %.0f\n", sum_34);
    double maxval_35 = -HUGE_VAL;
    { /* examples/redistribution.dpc:35: maxval(fabs(A[:] - OLD_A[:]))
       *   OLD_A[:] (cyclic(63)) moves to the owners of A[:] (cyclic(15120))
       *     case 3, closed form, at most 4 sections a pair: iterations [[[a:a+62]:e:63*N]:n-1:15120*N] */
        DPC_FORALL_ON(space, &A_dist, "examples/redistribution.dpc:35", DPC_INSIDE, DPC_TO(0, N - 1));
        dpc_move *OLD_A_move = dpc_open(&space, &OLD_A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)), DPC_IN_PIECES);
        DPC_RECEIVES(from, OLD_A_move) MPI_Irecv(DPC_MESSAGE(OLD_A_move, from));
        DPC_SENDS(to, OLD_A_move) {
            double *OLD_A_out = to->data;
            const double *OLD_A_part = dpc_source(OLD_A_move);
            for (dpc_strip i_set = dpc_outgoing_strip(OLD_A_move, to, 0, 63); i_set.more; dpc_next_strip(&i_set))
                for (long i_begin = i_set.first, i_base = i_set.from; i_begin <= i_set.high;
                     i_begin += i_set.period, i_base += i_set.from_jump)
                    DPC_IVDEP for (long i = dpc_maximum(i_begin, i_set.low),
                                   i_last = dpc_minimum(i_begin + 62, i_set.high), i_from = i_base + (i - i_begin);
                                   i <= i_last; i++, i_from++)
                        *OLD_A_out++ = OLD_A_part[i_from];
            MPI_Isend(DPC_MESSAGE(OLD_A_move, to));
        }
        DPC_PIECES(piece, OLD_A_move) { /* what is mine, then messages as they come (MPI_Waitany) */
            const double *restrict OLD_A_in = piece->data;
            for (dpc_strip i_set = dpc_piece_strip(OLD_A_move, piece, 0, 63); i_set.more; dpc_next_strip(&i_set))
                for (long i_begin = i_set.first, i_base = i_set.from, i_home = i_set.at; i_begin <= i_set.high;
                     i_begin += i_set.period, i_base += i_set.from_jump, i_home += i_set.jump) {
                    const dpc_index i_shift = i_begin - i_home;
                    const double *restrict A = dpc_origin(double, A_dist.local, i_shift);
                    for (long i = dpc_maximum(i_begin, i_set.low), i_last = dpc_minimum(i_begin + 62, i_set.high),
                         i_from = i_base + (i - i_begin); i <= i_last; i++, i_from++)
                        maxval_35 = dpc_larger(fabs(A[i] - OLD_A_in[i_from]), maxval_35);
                }
        }
        dpc_close(OLD_A_move);
        maxval_35 = dpc_combined(DPC_MAX, maxval_35);
    }
    printf("differ by %.0f\n", maxval_35);
    printf("elements  %.0f %.0f %.0f\n", dpc_get(double, &A_dist, "examples/redistribution.dpc:36", 0),
           dpc_get(double, &A_dist, "examples/redistribution.dpc:36", N / 2),
           dpc_get(double, &A_dist, "examples/redistribution.dpc:36", N - 1));
    return dpc_finish(0);
}

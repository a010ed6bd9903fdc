/* Heat conduction by the alternating direction implicit method (Peaceman and Rachford).
 *
 * Each half step solves tridiagonal systems along one direction.  With the rows distributed, the systems along the rows lie
 * on one process each; then the array is redistributed by columns for the other direction, so that no solver ever waits for
 * a neighbour. */
#include <stdio.h>

/* Translated by dpcc from examples/adi.dpc. */
#include <dpc.h>

static dpc_array U_dist; /* double U[0:N+1][0:N+1]; */ /* the temperature; its edges stay 0 */
static dpc_array R_dist; /* double R[0:N+1][0:N+1]; */ /* right sides, then solutions */
static dpc_grid *P; /* #pragma dpc processors P(*) */
/* #pragma dpc distribute (block, *) onto P :: U, R */

static void create_arrays(void) {
    P = dpc_new_grid("examples/adi.dpc:14", "P", 1, (const dpc_index[]){0});
    dpc_create(&U_dist, "examples/adi.dpc:15", "U", DPC_DOUBLE, 2, (const dpc_bounds[]){{0, 49}, {0, 49}},
               (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P);
    dpc_create(&R_dist, "examples/adi.dpc:15", "R", DPC_DOUBLE, 2, (const dpc_bounds[]){{0, 49}, {0, 49}},
               (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P);
}

/* Forward elimination's factors of the matrix tridiag(-RATIO, 1 + 2*RATIO, -RATIO): the same for every line. */
static double factor[48 + 2];

static void eliminate_matrix(void) {
    factor[0] = 0;
    for (int k = 1; k <= 48; k++) factor[k] = 0.75 / (1 + 2 * 0.75 - 0.75 * factor[k - 1]);
}

int main(void) {
    dpc_init(0);
    create_arrays();
    eliminate_matrix();
    {
        /* examples/adi.dpc:27: U[i][j] = i * (N + 1 - i) * (j <= N / 2 ? 0.25 : 0.125) */
        static dpc_space space;
        dpc_forall(&space, "examples/adi.dpc:27", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
        dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        double *restrict U = U_dist.local;
        const dpc_index U_row = U_dist.stride[0];
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
            const dpc_index i_last = i_run.last;
            const dpc_index i_shift = i_run.shift;
            for (dpc_run j_run = dpc_first_run(&space, 1); dpc_more(&j_run); dpc_next_run(&space, 1, &j_run)) {
                const dpc_index j_last = j_run.last;
                const dpc_index j_shift = j_run.shift;
                for (long i = i_run.first; i <= i_last; i++) {
                    for (long j = j_run.first; j <= j_last; j++) {
                        U[(i - i_shift) * U_row + j - j_shift] = i * (48 + 1 - i) * (j <= 48 / 2 ? 0.25 : 0.125);
                    }
                }
            }
        }
    }

    for (int step = 0; step < 10; step++) {
        /* Explicit across the columns' direction, implicit along the rows, which are whole on their process. */
        {
            dpc_redistribute(&U_dist, "examples/adi.dpc:31", (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P);
            dpc_redistribute(&R_dist, "examples/adi.dpc:31", (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P);
        }
        {
            /* examples/adi.dpc:32: R[i][j] = U[i][j] + RATIO * (U[i-1][j] - 2 * U[i][j] + U[i+1][j])
             *   U[i][j] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time
             *     j: sets decided at run time
             *   U[i-1][j] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time
             *     j: sets decided at run time
             *   U[i+1][j] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time
             *     j: sets decided at run time */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:32", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_begin_together("examples/adi.dpc:32"); /* one message to each process */
            dpc_transfer *U_move = dpc_fetch(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_transfer *U_move_2 = dpc_fetch(&space, &U_dist, (const dpc_subscript[]){{0, 1, -1}, {1, 1, 0}});
            dpc_transfer *U_move_4 = dpc_fetch(&space, &U_dist, (const dpc_subscript[]){{0, 1, 1}, {1, 1, 0}});
            dpc_end_together();
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_index j_count = space.mine[1];
            const double *restrict U_in = dpc_arrive(U_move);
            const double *restrict U_in_2 = dpc_arrive(U_move_2);
            const double *restrict U_in_4 = dpc_arrive(U_move_4);
            for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
                const dpc_index i_last = i_run.last;
                const dpc_index i_shift = i_run.shift;
                for (dpc_run j_run = dpc_first_run(&space, 1); dpc_more(&j_run); dpc_next_run(&space, 1, &j_run)) {
                    const dpc_index j_last = j_run.last;
                    const dpc_index j_shift = j_run.shift;
                    for (long i = i_run.first, i_at = i_run.position; i <= i_last; i++, i_at++) {
                        for (long j = j_run.first, j_at = j_run.position; j <= j_last; j++, j_at++) {
                            R[(i - i_shift) * R_row + j - j_shift] = U_in[i_at * j_count + j_at] +
                                0.75 * (U_in_2[i_at * j_count + j_at] - 2 * U_in[i_at * j_count + j_at] +
                                        U_in_4[i_at * j_count + j_at]);
                        }
                    }
                }
            }
            dpc_release(U_move);
            dpc_release(U_move_2);
            dpc_release(U_move_4);
        }
        for (long j = 1; j <= 48; j++) {
            /* examples/adi.dpc:33: R[i][j] = (R[i][j] + RATIO * R[i][j-1]) * factor[j] / RATIO
             *   R[i][j-1] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:33", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j}});
            dpc_transfer *R_move = dpc_fetch(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j - 1}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_index R_at1 = dpc_local(&R_dist.dim[1], j);
            const double *restrict R_in = dpc_arrive(R_move);
            for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
                const dpc_index i_last = i_run.last;
                const dpc_index i_shift = i_run.shift;
                for (long i = i_run.first, i_at = i_run.position; i <= i_last; i++, i_at++) {
                    R[(i - i_shift) * R_row + R_at1] =
                        (R[(i - i_shift) * R_row + R_at1] + 0.75 * R_in[i_at]) * factor[j] / 0.75;
                }
            }
            dpc_release(R_move);
        }
        for (long j = 48 - 1; j >= 1; j--) {
            /* examples/adi.dpc:34: R[1:N][j] += factor[j] * R[1:N][j+1]
             *   R[1:N][j+1] redistributed at run time moves to the owners of R[1:N][j] redistributed at run time
             *     i: sets decided at run time */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:34", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j}});
            dpc_transfer *R_move = dpc_fetch(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j + 1}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_index R_at1 = dpc_local(&R_dist.dim[1], j);
            const double *restrict R_in = dpc_arrive(R_move);
            for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
                const dpc_index i_last = i_run.last;
                const dpc_index i_shift = i_run.shift;
                for (long i = i_run.first, i_at = i_run.position; i <= i_last; i++, i_at++) {
                    R[(i - i_shift) * R_row + R_at1] += factor[j] * R_in[i_at];
                }
            }
            dpc_release(R_move);
        }
        /* examples/adi.dpc:35: U[1:N][1:N] = R[1:N][1:N]
         *   R[1:N][1:N] redistributed at run time moves to the owners of U[1:N][1:N] redistributed at run time: a copy
         *     by the redistribution engine */
        dpc_copy_section(&U_dist, "examples/adi.dpc:35", (const dpc_bounds[]){{1, 48}, {1, 48}}, &R_dist,
                         (const dpc_bounds[]){{1, 48}, {1, 48}});

        /* The other way round. */
        {
            dpc_redistribute(&U_dist, "examples/adi.dpc:38", (const dpc_format[]){DPC_STAR, DPC_BLOCK}, P);
            dpc_redistribute(&R_dist, "examples/adi.dpc:38", (const dpc_format[]){DPC_STAR, DPC_BLOCK}, P);
        }
        {
            /* examples/adi.dpc:39: R[i][j] = U[i][j] + RATIO * (U[i][j-1] - 2 * U[i][j] + U[i][j+1])
             *   U[i][j] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time
             *     j: sets decided at run time
             *   U[i][j-1] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time
             *     j: sets decided at run time
             *   U[i][j+1] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     i: sets decided at run time
             *     j: sets decided at run time */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:39", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_begin_together("examples/adi.dpc:39"); /* one message to each process */
            dpc_transfer *U_move = dpc_fetch(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_transfer *U_move_2 = dpc_fetch(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, -1}});
            dpc_transfer *U_move_4 = dpc_fetch(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 1}});
            dpc_end_together();
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_index j_count = space.mine[1];
            const double *restrict U_in = dpc_arrive(U_move);
            const double *restrict U_in_2 = dpc_arrive(U_move_2);
            const double *restrict U_in_4 = dpc_arrive(U_move_4);
            for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
                const dpc_index i_last = i_run.last;
                const dpc_index i_shift = i_run.shift;
                for (dpc_run j_run = dpc_first_run(&space, 1); dpc_more(&j_run); dpc_next_run(&space, 1, &j_run)) {
                    const dpc_index j_last = j_run.last;
                    const dpc_index j_shift = j_run.shift;
                    for (long i = i_run.first, i_at = i_run.position; i <= i_last; i++, i_at++) {
                        for (long j = j_run.first, j_at = j_run.position; j <= j_last; j++, j_at++) {
                            R[(i - i_shift) * R_row + j - j_shift] = U_in[i_at * j_count + j_at] +
                                0.75 * (U_in_2[i_at * j_count + j_at] - 2 * U_in[i_at * j_count + j_at] +
                                        U_in_4[i_at * j_count + j_at]);
                        }
                    }
                }
            }
            dpc_release(U_move);
            dpc_release(U_move_2);
            dpc_release(U_move_4);
        }
        for (long i = 1; i <= 48; i++) {
            /* examples/adi.dpc:40: R[i][j] = (R[i][j] + RATIO * R[i-1][j]) * factor[i] / RATIO
             *   R[i-1][j] redistributed at run time moves to the owners of R[i][j] redistributed at run time
             *     j: sets decided at run time */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:40", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i}, {0, 1, 0}});
            dpc_transfer *R_move = dpc_fetch(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i - 1}, {0, 1, 0}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_index R_at0 = dpc_local(&R_dist.dim[0], i);
            const double *restrict R_in = dpc_arrive(R_move);
            for (dpc_run j_run = dpc_first_run(&space, 0); dpc_more(&j_run); dpc_next_run(&space, 0, &j_run)) {
                const dpc_index j_last = j_run.last;
                const dpc_index j_shift = j_run.shift;
                for (long j = j_run.first, j_at = j_run.position; j <= j_last; j++, j_at++) {
                    R[R_at0 * R_row + j - j_shift] =
                        (R[R_at0 * R_row + j - j_shift] + 0.75 * R_in[j_at]) * factor[i] / 0.75;
                }
            }
            dpc_release(R_move);
        }
        for (long i = 48 - 1; i >= 1; i--) {
            /* examples/adi.dpc:41: R[i][1:N] += factor[i] * R[i+1][1:N]
             *   R[i+1][1:N] redistributed at run time moves to the owners of R[i][1:N] redistributed at run time
             *     j: sets decided at run time */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:41", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i}, {0, 1, 0}});
            dpc_transfer *R_move = dpc_fetch(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i + 1}, {0, 1, 0}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_index R_at0 = dpc_local(&R_dist.dim[0], i);
            const double *restrict R_in = dpc_arrive(R_move);
            for (dpc_run j_run = dpc_first_run(&space, 0); dpc_more(&j_run); dpc_next_run(&space, 0, &j_run)) {
                const dpc_index j_last = j_run.last;
                const dpc_index j_shift = j_run.shift;
                for (long j = j_run.first, j_at = j_run.position; j <= j_last; j++, j_at++) {
                    R[R_at0 * R_row + j - j_shift] += factor[i] * R_in[j_at];
                }
            }
            dpc_release(R_move);
        }
        /* examples/adi.dpc:42: U[1:N][1:N] = R[1:N][1:N]
         *   R[1:N][1:N] redistributed at run time moves to the owners of U[1:N][1:N] redistributed at run time: a copy
         *     by the redistribution engine */
        dpc_copy_section(&U_dist, "examples/adi.dpc:42", (const dpc_bounds[]){{1, 48}, {1, 48}}, &R_dist,
                         (const dpc_bounds[]){{1, 48}, {1, 48}});

        if (step % 5 == 4) printf("step %2d: total heat %.6f, hottest %.6f\n", step + 1, ({
            /* examples/adi.dpc:44: sum(U[:][:]) */
            double sum_44 = 0;
            {
                static dpc_space space;
                dpc_forall(&space, "examples/adi.dpc:44", true, 2, (const dpc_range[]){{0, 49, 1}, {0, 49, 1}});
                dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
                const double *restrict U = U_dist.local;
                const dpc_index U_row = U_dist.stride[0];
                for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
                    const dpc_index i_last = i_run.last;
                    const dpc_index i_shift = i_run.shift;
                    for (dpc_run j_run = dpc_first_run(&space, 1); dpc_more(&j_run); dpc_next_run(&space, 1, &j_run)) {
                        const dpc_index j_last = j_run.last;
                        const dpc_index j_shift = j_run.shift;
                        for (long i = i_run.first; i <= i_last; i++) {
                            for (long j = j_run.first; j <= j_last; j++) {
                                sum_44 += U[(i - i_shift) * U_row + j - j_shift];
                            }
                        }
                    }
                }
                sum_44 = dpc_combined(DPC_SUM, sum_44);
            }
            sum_44;
        }), ({
            /* examples/adi.dpc:44: maxval(U[:][:]) */
            double maxval_44 = -HUGE_VAL;
            {
                static dpc_space space;
                dpc_forall(&space, "examples/adi.dpc:44", true, 2, (const dpc_range[]){{0, 49, 1}, {0, 49, 1}});
                dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
                const double *restrict U = U_dist.local;
                const dpc_index U_row = U_dist.stride[0];
                for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
                    const dpc_index i_last = i_run.last;
                    const dpc_index i_shift = i_run.shift;
                    for (dpc_run j_run = dpc_first_run(&space, 1); dpc_more(&j_run); dpc_next_run(&space, 1, &j_run)) {
                        const dpc_index j_last = j_run.last;
                        const dpc_index j_shift = j_run.shift;
                        for (long i = i_run.first; i <= i_last; i++) {
                            for (long j = j_run.first; j <= j_last; j++) {
                                const double candidate = U[(i - i_shift) * U_row + j - j_shift];
                                if (candidate > maxval_44) maxval_44 = candidate;
                            }
                        }
                    }
                }
                maxval_44 = dpc_combined(DPC_MAX, maxval_44);
            }
            maxval_44;
        }));
    }

    for (int i = 6; i <= 48; i += 12) {
        for (int j = 6; j <= 48; j += 12) printf(" %10.6f", dpc_get(double, &U_dist, "examples/adi.dpc:48", i, j));
        printf("\n");
    }
    return dpc_finish(0);
}

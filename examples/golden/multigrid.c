/* Poisson's equation -u_xx - u_yy = f on the unit square by multigrid, in functions with distributed parameters.
 *
 * Every level's arrays are distributed alike, (block, block), so that a cycle hands them on in place and calls itself with the arrays of
 * the next coarser level, down to one interior point.  `largest` takes whatever mapping its argument has; `print_line` asks for
 * one of its own, and its argument, a row of the solution, is brought into it. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc from examples/multigrid.dpc. */
#include <dpc.h>

/* Damped Jacobi sweeps. */
static void smooth(long n, const dpc_argument *U_argument, const dpc_argument *F_argument, int sweeps) {
    const long U_upper0 = n;
    DPC_PARAMETER dpc_parameter U_parameter = {.argument = U_argument, .changed = true};
    dpc_array *const U_dist = dpc_receive_with_halo(&U_parameter, "examples/multigrid.dpc:13", "U", DPC_DOUBLE, 2,
                                                    (const dpc_bounds[]){{0, U_upper0}, {0, U_upper0}},
                                                    (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL,
                                                    (const dpc_width[]){{1, 1, false}, {1, 1, false}}, false);
    const long F_upper0 = n;
    DPC_PARAMETER dpc_parameter F_parameter = {.argument = F_argument, .before = &U_parameter};
    dpc_array *const F_dist = dpc_receive(&F_parameter, "examples/multigrid.dpc:13", "F", DPC_DOUBLE, 2,
                                          (const dpc_bounds[]){{0, F_upper0}, {0, F_upper0}},
                                          (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    const double area = 1.0 / (n * n);
    for (int sweep = 0; sweep < sweeps; sweep++)
        {
            /* examples/multigrid.dpc:17: U[i][j] += 0.2 * (area * F[i][j] + U[i-1][j] + U[i+1][j] + U[i][j-1] +
             *     U[i][j+1] - 4 * U[i][j])
             *   U[-1:1][-1:1]: ghost cells, from the neighbours where it has changed */
            static dpc_space space;
            dpc_forall(&space, "examples/multigrid.dpc:17", true, 2, (const dpc_range[]){{1, n - 1, 1}, {1, n - 1, 1}});
            dpc_on(&space, U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_refreshing *halo = dpc_refresh("examples/multigrid.dpc:17", 1, (dpc_array *[]){U_dist});
            double *U = U_dist->local;
            const dpc_index U_row = U_dist->stride[0];
            const double *F = F_dist->local;
            const dpc_index F_row = F_dist->stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_index i_shift = i_run.shift;
            const dpc_run j_run = dpc_first_run(&space, 1);
            const dpc_index j_shift = j_run.shift;
            dpc_end_refresh(halo);
            double *values = dpc_buffer(space.mine[0] * space.mine[1], sizeof(double));
            dpc_index value_at = 0;
            for (long i = i_run.first; i <= i_run.last; i++) {
                for (long j = j_run.first; j <= j_run.last; j++) {
                    values[value_at] = 0.2 * (area * F[(i - i_shift) * F_row + j - j_shift] +
                                              U[(i - i_shift - 1) * U_row + j - j_shift] +
                                              U[(i - i_shift + 1) * U_row + j - j_shift] +
                                              U[(i - i_shift) * U_row + j - j_shift - 1] +
                                              U[(i - i_shift) * U_row + j - j_shift + 1] -
                                              4 * U[(i - i_shift) * U_row + j - j_shift]);
                    value_at++;
                }
            }
            value_at = 0;
            for (long i = i_run.first; i <= i_run.last; i++) {
                for (long j = j_run.first; j <= j_run.last; j++) {
                    U[(i - i_shift) * U_row + j - j_shift] += values[value_at];
                    value_at++;
                }
            }
            dpc_free_buffer(values);
            dpc_changed(U_dist);
        }
}

/* The loops of examples/multigrid.dpc:25. */
static void loops_25(double *restrict R, dpc_index R_row, const double *restrict F, dpc_index F_row,
                     const double *restrict U, dpc_index U_row, long i_first, long i_last, long j_first, long j_last,
                     long n) {
    for (long i = i_first; i <= i_last; i++) {
        for (long j = j_first; j <= j_last; j++) {
            R[i * R_row + j] = F[i * F_row + j] +
                n * n * (U[(i - 1) * U_row + j] + U[(i + 1) * U_row + j] + U[i * U_row + j - 1] + U[i * U_row + j + 1] -
                         4 * U[i * U_row + j]);
        }
    }
}

/* R = f + u_xx + u_yy; 0 on the edges. */
static void find_residual(long n, const dpc_argument *R_argument, const dpc_argument *U_argument_2,
                          const dpc_argument *F_argument_2) {
    const long R_upper0 = n;
    DPC_PARAMETER dpc_parameter R_parameter = {.argument = R_argument, .changed = true};
    dpc_array *const R_dist = dpc_receive(&R_parameter, "examples/multigrid.dpc:22", "R", DPC_DOUBLE, 2,
                                          (const dpc_bounds[]){{0, R_upper0}, {0, R_upper0}},
                                          (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    const long U_upper0_2 = n;
    DPC_PARAMETER dpc_parameter U_parameter_2 = {.argument = U_argument_2, .before = &R_parameter,
                                                 .alias_check = (const dpc_parameter *const[]){&R_parameter, NULL}};
    dpc_array *const U_dist_2 = dpc_receive_with_halo(&U_parameter_2, "examples/multigrid.dpc:22", "U", DPC_DOUBLE, 2,
                                                      (const dpc_bounds[]){{0, U_upper0_2}, {0, U_upper0_2}},
                                                      (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL,
                                                      (const dpc_width[]){{1, 1, false}, {1, 1, false}}, false);
    const long F_upper0_2 = n;
    DPC_PARAMETER dpc_parameter F_parameter_2 = {.argument = F_argument_2, .before = &U_parameter_2,
                                                 .alias_check = (const dpc_parameter *const[]){&R_parameter, NULL}};
    dpc_array *const F_dist_2 = dpc_receive(&F_parameter_2, "examples/multigrid.dpc:22", "F", DPC_DOUBLE, 2,
                                            (const dpc_bounds[]){{0, F_upper0_2}, {0, F_upper0_2}},
                                            (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    {
        /* examples/multigrid.dpc:23: R[:][:] = 0 */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:23", true, 2,
                   (const dpc_range[]){{0, R_upper0, 1}, {0, R_upper0, 1}});
        dpc_on(&space, R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        double *restrict R = R_dist->local;
        const dpc_index R_row = R_dist->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        for (long i = i_run.first - i_shift; i <= i_run.last - i_shift; i++) {
            for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                R[i * R_row + j] = 0;
            }
        }
        dpc_changed(R_dist);
    }
    {
        /* examples/multigrid.dpc:25: R[i][j] = F[i][j] + n * n * (U[i-1][j] + U[i+1][j] + U[i][j-1] + U[i][j+1] - 4 *
         *     U[i][j])
         *   U[-1:1][-1:1]: ghost cells, from the neighbours where it has changed */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:25", true, 2, (const dpc_range[]){{1, n - 1, 1}, {1, n - 1, 1}});
        dpc_on(&space, R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        dpc_refreshing *halo = dpc_refresh("examples/multigrid.dpc:25", 1, (dpc_array *[]){U_dist_2});
        double *restrict R = R_dist->local;
        const dpc_index R_row = R_dist->stride[0];
        const double *restrict F = F_dist_2->local;
        const dpc_index F_row = F_dist_2->stride[0];
        const double *restrict U = U_dist_2->local;
        const dpc_index U_row = U_dist_2->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        /* interior, then boundary */
        for (dpc_box box = dpc_first_box(&space, halo, (const dpc_width[]){{1, 1, false}, {1, 1, false}}); box.more;
             dpc_next_box(&box))
            loops_25(R, R_row, F, F_row, U, U_row, box.first[0] - i_shift, box.last[0] - i_shift,
                     box.first[1] - j_shift, box.last[1] - j_shift, n);
        dpc_changed(R_dist);
    }
}

/* Means of the finer level's nine points around each point, the nearer the heavier. */
static void coarsen(long m, const dpc_argument *G_argument, const dpc_argument *R_argument_2) {
    const long G_upper0 = m;
    DPC_PARAMETER dpc_parameter G_parameter = {.argument = G_argument, .changed = true};
    dpc_array *const G_dist = dpc_receive(&G_parameter, "examples/multigrid.dpc:30", "G", DPC_DOUBLE, 2,
                                          (const dpc_bounds[]){{0, G_upper0}, {0, G_upper0}},
                                          (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    const long R_upper0_2 = 2*m;
    DPC_PARAMETER dpc_parameter R_parameter_2 = {.argument = R_argument_2, .before = &G_parameter,
                                                 .alias_check = (const dpc_parameter *const[]){&G_parameter, NULL}};
    dpc_array *const R_dist_2 = dpc_receive(&R_parameter_2, "examples/multigrid.dpc:30", "R", DPC_DOUBLE, 2,
                                            (const dpc_bounds[]){{0, R_upper0_2}, {0, R_upper0_2}},
                                            (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    {
        /* examples/multigrid.dpc:31: G[:][:] = 0 */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:31", true, 2,
                   (const dpc_range[]){{0, G_upper0, 1}, {0, G_upper0, 1}});
        dpc_on(&space, G_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        double *restrict G = G_dist->local;
        const dpc_index G_row = G_dist->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        for (long i = i_run.first - i_shift; i <= i_run.last - i_shift; i++) {
            for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                G[i * G_row + j] = 0;
            }
        }
        dpc_changed(G_dist);
    }
    {
        /* examples/multigrid.dpc:33: G[i][j] = (4 * R[2*i][2*j] + 2 * (R[2*i-1][2*j] + R[2*i+1][2*j] + R[2*i][2*j-1] +
         *     R[2*i][2*j+1]) + R[2*i-1][2*j-1] + R[2*i-1][2*j+1] + R[2*i+1][2*j-1] + R[2*i+1][2*j+1]) / 16
         *   R[2*i][2*j] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i-1][2*j] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i+1][2*j] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i][2*j-1] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i][2*j+1] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i-1][2*j-1] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i-1][2*j+1] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i+1][2*j-1] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   R[2*i+1][2*j+1] (block, block) moves to the owners of G[i][j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e] */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:33", true, 2, (const dpc_range[]){{1, m - 1, 1}, {1, m - 1, 1}});
        dpc_on(&space, G_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        dpc_begin_aggregate("examples/multigrid.dpc:33"); /* one message to each process */
        dpc_transfer *R_move = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, 0}, {1, 2, 0}});
        dpc_transfer *R_move_2 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, -1}, {1, 2, 0}});
        dpc_transfer *R_move_3 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, 1}, {1, 2, 0}});
        dpc_transfer *R_move_4 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, 0}, {1, 2, -1}});
        dpc_transfer *R_move_5 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, 0}, {1, 2, 1}});
        dpc_transfer *R_move_6 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, -1}, {1, 2, -1}});
        dpc_transfer *R_move_7 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, -1}, {1, 2, 1}});
        dpc_transfer *R_move_8 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, 1}, {1, 2, -1}});
        dpc_transfer *R_move_9 = dpc_fetch(&space, R_dist_2, (const dpc_subscript[]){{0, 2, 1}, {1, 2, 1}});
        dpc_end_aggregate();
        double *restrict G = G_dist->local;
        const dpc_index G_row = G_dist->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        const dpc_index j_count = space.mine[1];
        /* what is here, then the rest */
        for (dpc_box box = dpc_first_box_of(&space, NULL, NULL, 9,
                                            (dpc_transfer *[]){R_move, R_move_2, R_move_3, R_move_4, R_move_5, R_move_6,
                                                               R_move_7, R_move_8, R_move_9}); box.more;
             dpc_next_box(&box)) {
            const dpc_index i_last = box.last[0], j_last = box.last[1];
            const double *restrict R_in = dpc_arriving(R_move);
            const double *restrict R_in_2 = dpc_arriving(R_move_2);
            const double *restrict R_in_3 = dpc_arriving(R_move_3);
            const double *restrict R_in_4 = dpc_arriving(R_move_4);
            const double *restrict R_in_5 = dpc_arriving(R_move_5);
            const double *restrict R_in_6 = dpc_arriving(R_move_6);
            const double *restrict R_in_7 = dpc_arriving(R_move_7);
            const double *restrict R_in_8 = dpc_arriving(R_move_8);
            const double *restrict R_in_9 = dpc_arriving(R_move_9);
            for (long i = box.first[0] - i_shift, i_at = box.position[0]; i <= i_last - i_shift; i++, i_at++) {
                for (long j = box.first[1] - j_shift, j_at = box.position[1]; j <= j_last - j_shift; j++, j_at++) {
                    G[i * G_row + j] = (4 * R_in[i_at * j_count + j_at] +
                                        2 * (R_in_2[i_at * j_count + j_at] + R_in_3[i_at * j_count + j_at] +
                                             R_in_4[i_at * j_count + j_at] + R_in_5[i_at * j_count + j_at]) +
                                        R_in_6[i_at * j_count + j_at] + R_in_7[i_at * j_count + j_at] +
                                        R_in_8[i_at * j_count + j_at] + R_in_9[i_at * j_count + j_at]) / 16;
                }
            }
        }
        dpc_release(R_move);
        dpc_release(R_move_2);
        dpc_release(R_move_3);
        dpc_release(R_move_4);
        dpc_release(R_move_5);
        dpc_release(R_move_6);
        dpc_release(R_move_7);
        dpc_release(R_move_8);
        dpc_release(R_move_9);
        dpc_changed(G_dist);
    }
}

/* Adds the coarser level's correction, interpolated between its points. */
static void correct(long m, const dpc_argument *U_argument_3, const dpc_argument *E_argument) {
    const long U_upper0_3 = 2*m;
    DPC_PARAMETER dpc_parameter U_parameter_3 = {.argument = U_argument_3, .changed = true};
    dpc_array *const U_dist_3 = dpc_receive(&U_parameter_3, "examples/multigrid.dpc:39", "U", DPC_DOUBLE, 2,
                                            (const dpc_bounds[]){{0, U_upper0_3}, {0, U_upper0_3}},
                                            (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    const long E_upper0 = m;
    DPC_PARAMETER dpc_parameter E_parameter = {.argument = E_argument, .before = &U_parameter_3,
                                               .alias_check = (const dpc_parameter *const[]){&U_parameter_3, NULL}};
    dpc_array *const E_dist = dpc_receive(&E_parameter, "examples/multigrid.dpc:39", "E", DPC_DOUBLE, 2,
                                          (const dpc_bounds[]){{0, E_upper0}, {0, E_upper0}},
                                          (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    {
        /* examples/multigrid.dpc:40: U[2*i][2*j] += E[i][j]
         *   E[i][j] (block, block) moves to the owners of U[2*i][2*j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e] */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:40", true, 2, (const dpc_range[]){{1, m - 1, 1}, {1, m - 1, 1}});
        dpc_on(&space, U_dist_3, (const dpc_subscript[]){{0, 2, 0}, {1, 2, 0}});
        dpc_move *E_move = dpc_open(&space, E_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}}, false);
        for (double *E_out; (E_out = dpc_next_outgoing(E_move)) != NULL;) {
            const double *E_part = dpc_source(E_move);
            const dpc_strip i_set = dpc_outgoing_strip(E_move, 0, 0);
            const dpc_strip j_set = dpc_outgoing_strip(E_move, 1, 0);
            for (long i = i_set.low, i_from = i_set.from; i <= i_set.high; i++, i_from += i_set.from_step) {
                for (long j = j_set.low, j_from = j_set.from; j <= j_set.high; j++, j_from++) {
                    *E_out++ = E_part[i_from + j_from];
                }
            }
        }
        double *restrict U = U_dist_3->local;
        const dpc_index U_row = U_dist_3->stride[0];
        while (dpc_next_piece(E_move)) { /* what is mine, then messages as they come */
            const double *restrict E_in = dpc_piece(E_move);
            const dpc_strip i_set = dpc_piece_strip(E_move, 0, 0);
            const dpc_index i_shift = 2 * i_set.first - i_set.at;
            const dpc_strip j_set = dpc_piece_strip(E_move, 1, 0);
            const dpc_index j_shift = 2 * j_set.first - j_set.at;
            for (long i = i_set.low, i_from = i_set.from; i <= i_set.high; i++, i_from += i_set.from_step) {
                for (long j = j_set.low, j_from = j_set.from; j <= j_set.high; j++, j_from++) {
                    U[(2 * i - i_shift) * U_row + 2 * j - j_shift] += E_in[i_from + j_from];
                }
            }
        }
        dpc_close(E_move);
        dpc_changed(U_dist_3);
    }
    {
        /* examples/multigrid.dpc:41: U[2*i+1][2*j] += (E[i][j] + E[i+1][j]) / 2
         *   E[i][j] (block, block) moves to the owners of U[2*i+1][2*j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   E[i+1][j] (block, block) moves to the owners of U[2*i+1][2*j] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e] */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:41", true, 2, (const dpc_range[]){{0, m - 1, 1}, {1, m - 1, 1}});
        dpc_on(&space, U_dist_3, (const dpc_subscript[]){{0, 2, 1}, {1, 2, 0}});
        dpc_begin_aggregate("examples/multigrid.dpc:41"); /* one message to each process */
        dpc_transfer *E_move = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        dpc_transfer *E_move_2 = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 1}, {1, 1, 0}});
        dpc_end_aggregate();
        double *restrict U = U_dist_3->local;
        const dpc_index U_row = U_dist_3->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        const dpc_index j_count = space.mine[1];
        /* what is here, then the rest */
        for (dpc_box box = dpc_first_box_of(&space, NULL, NULL, 2, (dpc_transfer *[]){E_move, E_move_2}); box.more;
             dpc_next_box(&box)) {
            const dpc_index i_last = box.last[0], j_last = box.last[1];
            const double *restrict E_in = dpc_arriving(E_move);
            const double *restrict E_in_2 = dpc_arriving(E_move_2);
            for (long i = box.first[0], i_at = box.position[0]; i <= i_last; i++, i_at++) {
                for (long j = box.first[1], j_at = box.position[1]; j <= j_last; j++, j_at++) {
                    U[(2 * i - i_shift + 1) * U_row + 2 * j - j_shift] +=
                        (E_in[i_at * j_count + j_at] + E_in_2[i_at * j_count + j_at]) / 2;
                }
            }
        }
        dpc_release(E_move);
        dpc_release(E_move_2);
        dpc_changed(U_dist_3);
    }
    {
        /* examples/multigrid.dpc:42: U[2*i][2*j+1] += (E[i][j] + E[i][j+1]) / 2
         *   E[i][j] (block, block) moves to the owners of U[2*i][2*j+1] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   E[i][j+1] (block, block) moves to the owners of U[2*i][2*j+1] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e] */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:42", true, 2, (const dpc_range[]){{1, m - 1, 1}, {0, m - 1, 1}});
        dpc_on(&space, U_dist_3, (const dpc_subscript[]){{0, 2, 0}, {1, 2, 1}});
        dpc_begin_aggregate("examples/multigrid.dpc:42"); /* one message to each process */
        dpc_transfer *E_move = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        dpc_transfer *E_move_2 = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 1}});
        dpc_end_aggregate();
        double *restrict U = U_dist_3->local;
        const dpc_index U_row = U_dist_3->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        const dpc_index j_count = space.mine[1];
        /* what is here, then the rest */
        for (dpc_box box = dpc_first_box_of(&space, NULL, NULL, 2, (dpc_transfer *[]){E_move, E_move_2}); box.more;
             dpc_next_box(&box)) {
            const dpc_index i_last = box.last[0], j_last = box.last[1];
            const double *restrict E_in = dpc_arriving(E_move);
            const double *restrict E_in_2 = dpc_arriving(E_move_2);
            for (long i = box.first[0], i_at = box.position[0]; i <= i_last; i++, i_at++) {
                for (long j = box.first[1], j_at = box.position[1]; j <= j_last; j++, j_at++) {
                    U[(2 * i - i_shift) * U_row + 2 * j - j_shift + 1] +=
                        (E_in[i_at * j_count + j_at] + E_in_2[i_at * j_count + j_at]) / 2;
                }
            }
        }
        dpc_release(E_move);
        dpc_release(E_move_2);
        dpc_changed(U_dist_3);
    }
    {
        /* examples/multigrid.dpc:43: U[2*i+1][2*j+1] += (E[i][j] + E[i+1][j] + E[i][j+1] + E[i+1][j+1]) / 4
         *   E[i][j] (block, block) moves to the owners of U[2*i+1][2*j+1] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   E[i+1][j] (block, block) moves to the owners of U[2*i+1][2*j+1] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   E[i][j+1] (block, block) moves to the owners of U[2*i+1][2*j+1] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e]
         *   E[i+1][j+1] (block, block) moves to the owners of U[2*i+1][2*j+1] (block, block)
         *     i: closed form, at most 2 sections a pair: iterations [a:e]
         *     j: closed form, at most 2 sections a pair: iterations [a:e] */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:43", true, 2, (const dpc_range[]){{0, m - 1, 1}, {0, m - 1, 1}});
        dpc_on(&space, U_dist_3, (const dpc_subscript[]){{0, 2, 1}, {1, 2, 1}});
        dpc_begin_aggregate("examples/multigrid.dpc:43"); /* one message to each process */
        dpc_transfer *E_move = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        dpc_transfer *E_move_2 = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 1}, {1, 1, 0}});
        dpc_transfer *E_move_3 = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 1}});
        dpc_transfer *E_move_4 = dpc_fetch(&space, E_dist, (const dpc_subscript[]){{0, 1, 1}, {1, 1, 1}});
        dpc_end_aggregate();
        double *restrict U = U_dist_3->local;
        const dpc_index U_row = U_dist_3->stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        const dpc_index j_count = space.mine[1];
        /* what is here, then the rest */
        for (dpc_box box = dpc_first_box_of(&space, NULL, NULL, 4,
                                            (dpc_transfer *[]){E_move, E_move_2, E_move_3, E_move_4}); box.more;
             dpc_next_box(&box)) {
            const dpc_index i_last = box.last[0], j_last = box.last[1];
            const double *restrict E_in = dpc_arriving(E_move);
            const double *restrict E_in_2 = dpc_arriving(E_move_2);
            const double *restrict E_in_3 = dpc_arriving(E_move_3);
            const double *restrict E_in_4 = dpc_arriving(E_move_4);
            for (long i = box.first[0], i_at = box.position[0]; i <= i_last; i++, i_at++) {
                for (long j = box.first[1], j_at = box.position[1]; j <= j_last; j++, j_at++) {
                    U[(2 * i - i_shift + 1) * U_row + 2 * j - j_shift + 1] += (E_in[i_at * j_count + j_at] +
                                                                               E_in_2[i_at * j_count + j_at] +
                                                                               E_in_3[i_at * j_count + j_at] +
                                                                               E_in_4[i_at * j_count + j_at]) / 4;
                }
            }
        }
        dpc_release(E_move);
        dpc_release(E_move_2);
        dpc_release(E_move_3);
        dpc_release(E_move_4);
        dpc_changed(U_dist_3);
    }
}

static void cycle(long n, const dpc_argument *U_argument_4, const dpc_argument *F_argument_3) {
    const long U_upper0_4 = n;
    DPC_PARAMETER dpc_parameter U_parameter_4 = {.argument = U_argument_4, .changed = true};
    dpc_array *const U_dist_4 = dpc_receive_with_halo(&U_parameter_4, "examples/multigrid.dpc:47", "U", DPC_DOUBLE, 2,
                                                      (const dpc_bounds[]){{0, U_upper0_4}, {0, U_upper0_4}},
                                                      (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL,
                                                      (const dpc_width[]){{1, 1, false}, {1, 1, false}}, false);
    const long F_upper0_3 = n;
    DPC_PARAMETER dpc_parameter F_parameter_3 = {.argument = F_argument_3, .before = &U_parameter_4};
    dpc_array *const F_dist_3 = dpc_receive(&F_parameter_3, "examples/multigrid.dpc:47", "F", DPC_DOUBLE, 2,
                                            (const dpc_bounds[]){{0, F_upper0_3}, {0, F_upper0_3}},
                                            (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    smooth(n, &(dpc_argument){.where = "examples/multigrid.dpc:48", .array = U_dist_4},
           &(dpc_argument){.where = "examples/multigrid.dpc:48", .array = F_dist_3}, 2);
    if (n > 2) {
        const long m = n / 2;
        const long R_upper0_3 = n;
        const long G_upper0_2 = m; /* double R[0:n][0:n], G[0:m][0:m], E[0:m][0:m]; */
        DPC_AUTOMATIC dpc_array R_dist_3 = {0};
        dpc_create(&R_dist_3, "examples/multigrid.dpc:52", "R", DPC_DOUBLE, 2,
                   (const dpc_bounds[]){{0, R_upper0_3}, {0, R_upper0_3}}, (const dpc_format[]){DPC_BLOCK, DPC_BLOCK},
                   NULL);
        DPC_AUTOMATIC dpc_array G_dist_2 = {0};
        dpc_create(&G_dist_2, "examples/multigrid.dpc:52", "G", DPC_DOUBLE, 2,
                   (const dpc_bounds[]){{0, G_upper0_2}, {0, G_upper0_2}}, (const dpc_format[]){DPC_BLOCK, DPC_BLOCK},
                   NULL);
        DPC_AUTOMATIC dpc_array E_dist_2 = {0};
        dpc_create_with_halo(&E_dist_2, "examples/multigrid.dpc:52", "E", DPC_DOUBLE, 2,
                             (const dpc_bounds[]){{0, G_upper0_2}, {0, G_upper0_2}},
                             (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL,
                             (const dpc_width[]){{1, 1, false}, {1, 1, false}}, false);
        find_residual(n, &(dpc_argument){.where = "examples/multigrid.dpc:53", .array = &R_dist_3},
                      &(dpc_argument){.where = "examples/multigrid.dpc:53", .array = U_dist_4},
                      &(dpc_argument){.where = "examples/multigrid.dpc:53", .array = F_dist_3});
        coarsen(m, &(dpc_argument){.where = "examples/multigrid.dpc:54", .array = &G_dist_2},
                &(dpc_argument){.where = "examples/multigrid.dpc:54", .array = &R_dist_3});
        {
            /* examples/multigrid.dpc:55: E[:][:] = 0 */
            static dpc_space space;
            dpc_forall(&space, "examples/multigrid.dpc:55", true, 2,
                       (const dpc_range[]){{0, G_upper0_2, 1}, {0, G_upper0_2, 1}});
            dpc_on(&space, &E_dist_2, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            double *restrict E = E_dist_2.local;
            const dpc_index E_row = E_dist_2.stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_index i_shift = i_run.shift;
            const dpc_run j_run = dpc_first_run(&space, 1);
            const dpc_index j_shift = j_run.shift;
            for (long i = i_run.first - i_shift; i <= i_run.last - i_shift; i++) {
                for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                    E[i * E_row + j] = 0;
                }
            }
            dpc_changed(&E_dist_2);
        }
        cycle(m, &(dpc_argument){.where = "examples/multigrid.dpc:56", .array = &E_dist_2},
              &(dpc_argument){.where = "examples/multigrid.dpc:56", .array = &G_dist_2});
        correct(m, &(dpc_argument){.where = "examples/multigrid.dpc:57", .array = U_dist_4},
                &(dpc_argument){.where = "examples/multigrid.dpc:57", .array = &E_dist_2});
    }
    smooth(n, &(dpc_argument){.where = "examples/multigrid.dpc:59", .array = U_dist_4},
           &(dpc_argument){.where = "examples/multigrid.dpc:59", .array = F_dist_3}, 2);
}

static double largest(long n, const dpc_argument *X_argument) {
    const long X_upper0 = n;
    DPC_PARAMETER dpc_parameter X_parameter = {.argument = X_argument};
    dpc_array *const X_dist = dpc_receive(&X_parameter, "examples/multigrid.dpc:63", "X", DPC_DOUBLE, 2,
                                          (const dpc_bounds[]){{0, X_upper0}, {0, X_upper0}}, NULL, NULL);
    /* examples/multigrid.dpc:64: maxval(fabs(X[:][:])) */
    double maxval_64 = -HUGE_VAL;
    {
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:64", true, 2,
                   (const dpc_range[]){{0, X_upper0, 1}, {0, X_upper0, 1}});
        dpc_on_one(&space, X_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        const double *restrict X = X_dist->local;
        const dpc_index X_row = X_dist->stride[0];
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
            const dpc_index i_last = i_run.last;
            const dpc_index i_shift = i_run.shift;
            for (dpc_run j_run = dpc_first_run(&space, 1); dpc_more(&j_run); dpc_next_run(&space, 1, &j_run)) {
                const dpc_index j_last = j_run.last;
                const dpc_index j_shift = j_run.shift;
                for (long i = i_run.first - i_shift; i <= i_last - i_shift; i++) {
                    for (long j = j_run.first - j_shift; j <= j_last - j_shift; j++) {
                        const double candidate = fabs(X[i * X_row + j]);
                        if (candidate > maxval_64) maxval_64 = candidate;
                    }
                }
            }
        }
        maxval_64 = dpc_combined(DPC_MAX, maxval_64);
    }
    return maxval_64;
}

static void print_line(long n, const dpc_argument *V_argument) {
    const long V_upper0 = n;
    DPC_PARAMETER dpc_parameter V_parameter = {.argument = V_argument};
    dpc_array *const V_dist = dpc_receive(&V_parameter, "examples/multigrid.dpc:68", "V", DPC_DOUBLE, 1,
                                          (const dpc_bounds[]){{0, V_upper0}}, (const dpc_format[]){DPC_CYCLIC(1)},
                                          NULL);
    for (long k = 0; k <= n; k += n / 8) printf(" %.6f", dpc_get(double, V_dist, "examples/multigrid.dpc:69", k));
    printf("\n");
}

static dpc_array U_dist_5; /* double U[0:N][0:N], F[0:N][0:N], R[0:N][0:N]; */
static dpc_array F_dist_4; /* double U[0:N][0:N], F[0:N][0:N], R[0:N][0:N]; */
static dpc_array R_dist_4; /* double U[0:N][0:N], F[0:N][0:N], R[0:N][0:N]; */
/* #pragma dpc distribute (block, block) :: U, F, R */

static void create_arrays(void) {
    dpc_create_with_halo(&U_dist_5, "examples/multigrid.dpc:74", "U", DPC_DOUBLE, 2,
                         (const dpc_bounds[]){{0, 64}, {0, 64}}, (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL,
                         (const dpc_width[]){{1, 1, false}, {1, 1, false}}, false);
    dpc_create(&F_dist_4, "examples/multigrid.dpc:74", "F", DPC_DOUBLE, 2, (const dpc_bounds[]){{0, 64}, {0, 64}},
               (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
    dpc_create(&R_dist_4, "examples/multigrid.dpc:74", "R", DPC_DOUBLE, 2, (const dpc_bounds[]){{0, 64}, {0, 64}},
               (const dpc_format[]){DPC_BLOCK, DPC_BLOCK}, NULL);
}

int main(void) {
    dpc_init(0);
    create_arrays();
    const double h = 1.0 / 64;
    /* Of the solution x (1 - x) y (1 - y), which the mesh represents exactly. */
    {
        /* examples/multigrid.dpc:79: F[i][j] = 2 * (i * h * (1 - i * h) + j * h * (1 - j * h)) */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:79", true, 2, (const dpc_range[]){{1, 63, 1}, {1, 63, 1}});
        dpc_on(&space, &F_dist_4, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        double *restrict F = F_dist_4.local;
        const dpc_index F_row = F_dist_4.stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        for (long i = i_run.first; i <= i_run.last; i++) {
            for (long j = j_run.first; j <= j_run.last; j++) {
                F[(i - i_shift) * F_row + j - j_shift] = 2 * (i * h * (1 - i * h) + j * h * (1 - j * h));
            }
        }
        dpc_changed(&F_dist_4);
    }

    for (int count = 1; count <= 8; count++) {
        cycle(64, &(dpc_argument){.where = "examples/multigrid.dpc:82", .array = &U_dist_5},
              &(dpc_argument){.where = "examples/multigrid.dpc:82", .array = &F_dist_4});
        find_residual(64, &(dpc_argument){.where = "examples/multigrid.dpc:83", .array = &R_dist_4},
                      &(dpc_argument){.where = "examples/multigrid.dpc:83", .array = &U_dist_5},
                      &(dpc_argument){.where = "examples/multigrid.dpc:83", .array = &F_dist_4});
        printf("cycle %d: largest residual %.2e\n", count,
               largest(64, &(dpc_argument){.where = "examples/multigrid.dpc:84", .array = &R_dist_4}));
    }
    print_line(64,
               &(dpc_argument){.where = "examples/multigrid.dpc:86", .array = &U_dist_5,
                               .section = (const dpc_triplet[]){DPC_AT(64/2), {0, 64, 1}}});
    print_line(64,
               &(dpc_argument){.where = "examples/multigrid.dpc:87", .array = &U_dist_5,
                               .section = (const dpc_triplet[]){{0, 64, 1}, DPC_AT(64/4)}});
    {
        /* examples/multigrid.dpc:88: R[i][j] = U[i][j] - i * h * (1 - i * h) * j * h * (1 - j * h) */
        static dpc_space space;
        dpc_forall(&space, "examples/multigrid.dpc:88", true, 2, (const dpc_range[]){{0, 64, 1}, {0, 64, 1}});
        dpc_on(&space, &R_dist_4, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        double *restrict R = R_dist_4.local;
        const dpc_index R_row = R_dist_4.stride[0];
        const double *restrict U = U_dist_5.local;
        const dpc_index U_row = U_dist_5.stride[0];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        const dpc_index j_shift = j_run.shift;
        for (long i = i_run.first; i <= i_run.last; i++) {
            for (long j = j_run.first; j <= j_run.last; j++) {
                R[(i - i_shift) * R_row + j - j_shift] =
                    U[(i - i_shift) * U_row + j - j_shift] - i * h * (1 - i * h) * j * h * (1 - j * h);
            }
        }
        dpc_changed(&R_dist_4);
    }
    printf("%s\n",
           largest(64, &(dpc_argument){.where = "examples/multigrid.dpc:89", .array = &R_dist_4}) < 1e-6 ? "right"
           : "wrong");
    return dpc_finish(0);
}

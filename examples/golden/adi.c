/* Heat conduction by the alternating direction implicit method (Peaceman and Rachford).
 *
 * Each half step solves tridiagonal systems along one direction.  With the rows distributed, the systems along the rows lie
 * on one process each; then the array is redistributed by columns for the other direction, so that no solver ever waits for
 * a neighbour. */
#include <stdio.h>

/* Translated by dpcc from examples/adi.dpc. */
#include <dpc.h>

#define N 48        /* interior points per direction */
#define STEPS 10
#define RATIO 0.75  /* of half a time step to the square of the mesh width */

static dpc_array U_dist; /* double U[0:N+1][0:N+1]; */ /* the temperature; its edges stay 0 */
/* right sides, then solutions, of the interior points, beside which they stand */
static dpc_array R_dist; /* double R[1:N][1:N]; */
static dpc_grid *P; /* #pragma dpc processors P(*) */
/* #pragma dpc distribute (block, *) onto P :: U */
/* #pragma dpc align R[i][j] with U[i][j] */

static void create_arrays(void) {
    P = dpc_new_grid("examples/adi.dpc:14", "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create_with_halo(&U_dist, "examples/adi.dpc:15", "U", DPC_DOUBLE, 2,
                         (const dpc_bounds[]){{0, N + 1}, {0, N + 1}}, (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P,
                         (const dpc_width[]){{1, 1, false}, {0, 0, false}}, false);
    dpc_create_aligned(&R_dist, "examples/adi.dpc:16", "R", DPC_DOUBLE, 2, (const dpc_bounds[]){{1, N}, {1, N}},
                       &U_dist, (const dpc_alignment[]){DPC_ALIGN(0, 1, 0), DPC_ALIGN(1, 1, 0)});
}

/* Forward elimination's factors of the matrix tridiag(-RATIO, 1 + 2*RATIO, -RATIO): the same for every line. */
static double factor[N + 2];

static void eliminate_matrix(void) {
    factor[0] = 0;
    for (int k = 1; k <= N; k++) factor[k] = RATIO / (1 + 2 * RATIO - RATIO * factor[k - 1]);
}

int main(void) {
    dpc_init(0);
    create_arrays();
    eliminate_matrix();
    {
        /* examples/adi.dpc:28: U[i][j] = i * (N + 1 - i) * (j <= N / 2 ? 0.25 : 0.125) */
        static dpc_space space;
        dpc_forall(&space, "examples/adi.dpc:28", true, 2, (const dpc_range[]){{1, N, 1}, {1, N, 1}});
        dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
        const dpc_index U_row = U_dist.across[1];
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_run j_run = dpc_first_run(&space, 1);
        double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, i_run.shift * U_row);
        for (long i = i_run.first; i <= i_run.last; i++) {
            for (long j = j_run.first; j <= j_run.last; j++) {
                U[i][j] = i * (N + 1 - i) * (j <= N / 2 ? 0.25 : 0.125);
            }
        }
        dpc_changed(&U_dist);
    }

    for (int step = 0; step < STEPS; step++) {
        /* Explicit across the columns' direction, implicit along the rows, which are whole on their process. */
        /* R moves nothing: every element is assigned before it is read */
        dpc_redistribute_as(&U_dist, "examples/adi.dpc:32", (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P,
                            (dpc_remapping){.halo = (const dpc_width[]){{1, 1, false}, {0, 0, false}},
                                            .followers =
                                            (const dpc_follower[]){{.array = &R_dist, .dead = true}, {.array = NULL}}});
        {
            /* examples/adi.dpc:33: R[i][j] = U[i][j] + RATIO * (U[i-1][j] - 2 * U[i][j] + U[i+1][j])
             *   U[-1:1][0]: ghost cells, from the neighbours where it has changed */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:33", true, 2, (const dpc_range[]){{1, N, 1}, {1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_refreshing *halo = dpc_refresh("examples/adi.dpc:33", 1, (dpc_array *[]){&U_dist});
            const dpc_index R_row = R_dist.across[1];
            const dpc_index U_row = U_dist.across[1];
            const dpc_index U_begin0 = dpc_first_owned(&U_dist, 0);
            const dpc_run i_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, i_run.shift * R_row + 1);
            const double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, U_begin0 * U_row);
            /* interior, then boundary */
            for (dpc_box box = dpc_first_box(&space, halo, (const dpc_width[]){{1, 1, true}, {0, 0, true}}); box.more;
                 dpc_next_box(&box)) {
                const dpc_index i_last = box.last[0], j_last = box.last[1];
                for (long i = box.first[0]; i <= i_last; i++) {
                    for (long j = box.first[1]; j <= j_last; j++) {
                        R[i][j] = U[i][j] + RATIO * (U[i - 1][j] - 2 * U[i][j] + U[i + 1][j]);
                    }
                }
            }
        }
        {
            /* examples/adi.dpc:34: R[:][1] *= factor[1] / RATIO */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:34", true, 1, (const dpc_range[]){{1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, 1}});
            const dpc_index R_row = R_dist.across[1];
            const dpc_run i_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, i_run.shift * R_row + 1);
            for (long i = i_run.first; i <= i_run.last; i++) {
                R[i][1] *= factor[1] / RATIO;
            }
        }
        for (long j = 2; j <= N; j++) {
            /* examples/adi.dpc:35: R[i][j] = (R[i][j] + RATIO * R[i][j-1]) * factor[j] / RATIO */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:35", true, 1, (const dpc_range[]){{1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j}});
            const dpc_index R_row = R_dist.across[1];
            const dpc_run i_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, i_run.shift * R_row + 1);
            for (long i = i_run.first; i <= i_run.last; i++) {
                R[i][j] = (R[i][j] + RATIO * R[i][j - 1]) * factor[j] / RATIO;
            }
        }
        for (long j = N - 1; j >= 1; j--) {
            /* examples/adi.dpc:36: R[1:N][j] += factor[j] * R[1:N][j+1] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:36", true, 1, (const dpc_range[]){{1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j}});
            const dpc_index R_row = R_dist.across[1];
            const dpc_run i_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, i_run.shift * R_row + 1);
            for (long i = i_run.first; i <= i_run.last; i++) {
                R[i][j] += factor[j] * R[i][j + 1];
            }
        }
        {
            /* examples/adi.dpc:37: U[1:N][1:N] = R[:][:] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:37", true, 2, (const dpc_range[]){{1, N, 1}, {1, N, 1}});
            dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            const dpc_index U_row = U_dist.across[1];
            const dpc_index R_row = R_dist.across[1];
            const dpc_index R_begin0 = dpc_first_owned(&R_dist, 0);
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_run j_run = dpc_first_run(&space, 1);
            double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, i_run.shift * U_row);
            const double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, R_begin0 * R_row + 1);
            for (long i = i_run.first; i <= i_run.last; i++) {
                for (long j = j_run.first; j <= j_run.last; j++) {
                    U[i][j] = R[i][j];
                }
            }
            dpc_changed(&U_dist);
        }

        /* The other way round. */
        /* R moves nothing: every element is assigned before it is read */
        dpc_redistribute_as(&U_dist, "examples/adi.dpc:40", (const dpc_format[]){DPC_STAR, DPC_BLOCK}, P,
                            (dpc_remapping){.halo = (const dpc_width[]){{0, 0, false}, {1, 1, false}},
                                            .followers =
                                            (const dpc_follower[]){{.array = &R_dist, .dead = true}, {.array = NULL}}});
        {
            /* examples/adi.dpc:41: R[i][j] = U[i][j] + RATIO * (U[i][j-1] - 2 * U[i][j] + U[i][j+1])
             *   U[0][-1:1]: ghost cells, from the neighbours where it has changed */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:41", true, 2, (const dpc_range[]){{1, N, 1}, {1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_refreshing *halo = dpc_refresh("examples/adi.dpc:41", 1, (dpc_array *[]){&U_dist});
            const dpc_index R_row = R_dist.across[1];
            const dpc_index U_row = U_dist.across[1];
            const dpc_index U_begin1 = dpc_first_owned(&U_dist, 1);
            const dpc_run j_run = dpc_first_run(&space, 1);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, R_row + j_run.shift);
            const double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, U_begin1);
            /* interior, then boundary */
            for (dpc_box box = dpc_first_box(&space, halo, (const dpc_width[]){{0, 0, true}, {1, 1, true}}); box.more;
                 dpc_next_box(&box)) {
                const dpc_index i_last = box.last[0], j_last = box.last[1];
                for (long i = box.first[0]; i <= i_last; i++) {
                    for (long j = box.first[1]; j <= j_last; j++) {
                        R[i][j] = U[i][j] + RATIO * (U[i][j - 1] - 2 * U[i][j] + U[i][j + 1]);
                    }
                }
            }
        }
        {
            /* examples/adi.dpc:42: R[1][:] *= factor[1] / RATIO */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:42", true, 1, (const dpc_range[]){{1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, 1}, {0, 1, 0}});
            const dpc_index R_row = R_dist.across[1];
            const dpc_run i_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, R_row + i_run.shift);
            for (long i = i_run.first; i <= i_run.last; i++) {
                R[1][i] *= factor[1] / RATIO;
            }
        }
        for (long i = 2; i <= N; i++) {
            /* examples/adi.dpc:43: R[i][j] = (R[i][j] + RATIO * R[i-1][j]) * factor[i] / RATIO */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:43", true, 1, (const dpc_range[]){{1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i}, {0, 1, 0}});
            const dpc_index R_row = R_dist.across[1];
            const dpc_run j_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, R_row + j_run.shift);
            for (long j = j_run.first; j <= j_run.last; j++) {
                R[i][j] = (R[i][j] + RATIO * R[i - 1][j]) * factor[i] / RATIO;
            }
        }
        for (long i = N - 1; i >= 1; i--) {
            /* examples/adi.dpc:44: R[i][1:N] += factor[i] * R[i+1][1:N] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:44", true, 1, (const dpc_range[]){{1, N, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i}, {0, 1, 0}});
            const dpc_index R_row = R_dist.across[1];
            const dpc_run j_run = dpc_first_run(&space, 0);
            double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, R_row + j_run.shift);
            for (long j = j_run.first; j <= j_run.last; j++) {
                R[i][j] += factor[i] * R[i + 1][j];
            }
        }
        {
            /* examples/adi.dpc:45: U[1:N][1:N] = R[:][:] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:45", true, 2, (const dpc_range[]){{1, N, 1}, {1, N, 1}});
            dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            const dpc_index U_row = U_dist.across[1];
            const dpc_index R_row = R_dist.across[1];
            const dpc_index R_begin1 = dpc_first_owned(&R_dist, 1);
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_run j_run = dpc_first_run(&space, 1);
            double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, j_run.shift);
            const double (*restrict R)[R_row] = dpc_origin(double, R_dist.local, R_row + R_begin1);
            for (long i = i_run.first; i <= i_run.last; i++) {
                for (long j = j_run.first; j <= j_run.last; j++) {
                    U[i][j] = R[i][j];
                }
            }
            dpc_changed(&U_dist);
        }

        if (step % 5 == 4) printf("step %2d: total heat %.6f, hottest %.6f\n", step + 1, ({
            /* examples/adi.dpc:47: sum(U[:][:]) */
            double sum_47 = 0;
            {
                static dpc_space space;
                dpc_forall(&space, "examples/adi.dpc:47", true, 2, (const dpc_range[]){{0, N + 1, 1}, {0, N + 1, 1}});
                dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
                const dpc_index U_row = U_dist.across[1];
                const dpc_run i_run = dpc_first_run(&space, 0);
                const dpc_run j_run = dpc_first_run(&space, 1);
                const double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, j_run.shift);
                for (long i = i_run.first; i <= i_run.last; i++) {
                    for (long j = j_run.first; j <= j_run.last; j++) {
                        sum_47 += U[i][j];
                    }
                }
                sum_47 = dpc_combined(DPC_SUM, sum_47);
            }
            sum_47;
        }), ({
            /* examples/adi.dpc:47: maxval(U[:][:]) */
            double maxval_47 = -HUGE_VAL;
            {
                static dpc_space space;
                dpc_forall(&space, "examples/adi.dpc:47", true, 2, (const dpc_range[]){{0, N + 1, 1}, {0, N + 1, 1}});
                dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
                const dpc_index U_row = U_dist.across[1];
                const dpc_run i_run = dpc_first_run(&space, 0);
                const dpc_run j_run = dpc_first_run(&space, 1);
                const double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, j_run.shift);
                for (long i = i_run.first; i <= i_run.last; i++) {
                    for (long j = j_run.first; j <= j_run.last; j++) {
                        const double candidate = U[i][j];
                        maxval_47 = candidate > maxval_47 ? candidate : maxval_47;
                    }
                }
                maxval_47 = dpc_combined(DPC_MAX, maxval_47);
            }
            maxval_47;
        }));
    }

    for (int i = 6; i <= N; i += 12) {
        for (int j = 6; j <= N; j += 12) printf(" %10.6f", dpc_get(double, &U_dist, "examples/adi.dpc:51", i, j));
        printf("\n");
    }
    return dpc_finish(0);
}

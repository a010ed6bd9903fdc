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
    P = dpc_new_grid("examples/adi.dpc:14", "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create_with_halo(&U_dist, "examples/adi.dpc:15", "U", DPC_DOUBLE, 2, (const dpc_bounds[]){{0, 49}, {0, 49}},
                         (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P,
                         (const dpc_width[]){{1, 1, false}, {0, 0, false}}, false);
    dpc_create(&R_dist, "examples/adi.dpc:15", "R", DPC_DOUBLE, 2, (const dpc_bounds[]){{0, 49}, {0, 49}},
               (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P);
}

/* Forward elimination's factors of the matrix tridiag(-RATIO, 1 + 2*RATIO, -RATIO): the same for every line. */
static double factor[48 + 2];

static void eliminate_matrix(void) {
    factor[0] = 0;
    for (int k = 1; k <= 48; k++) factor[k] = 0.75 / (1 + 2 * 0.75 - 0.75 * factor[k - 1]);
}

/* The loops of examples/adi.dpc:39. */
static void loops_39(double *restrict R, dpc_index R_row, const double *restrict U, dpc_index U_row, long i_first,
                     long i_last, long j_first, long j_last) {
    for (long i = i_first; i <= i_last; i++) {
        for (long j = j_first; j <= j_last; j++) {
            R[i * R_row + j] =
                U[i * U_row + j] + 0.75 * (U[i * U_row + j - 1] - 2 * U[i * U_row + j] + U[i * U_row + j + 1]);
        }
    }
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
        const dpc_run i_run = dpc_first_run(&space, 0);
        const dpc_index i_shift = i_run.shift;
        const dpc_run j_run = dpc_first_run(&space, 1);
        for (long i = i_run.first; i <= i_run.last; i++) {
            for (long j = j_run.first; j <= j_run.last; j++) {
                U[(i - i_shift) * U_row + j] = i * (48 + 1 - i) * (j <= 48 / 2 ? 0.25 : 0.125);
            }
        }
        dpc_changed(&U_dist);
    }

    for (int step = 0; step < 10; step++) {
        /* Explicit across the columns' direction, implicit along the rows, which are whole on their process. */
        {
            dpc_redistribute_as(&U_dist, "examples/adi.dpc:31", (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P,
                                (dpc_remapping){.halo = (const dpc_width[]){{1, 1, false}, {0, 0, false}}});
            dpc_redistribute(&R_dist, "examples/adi.dpc:31", (const dpc_format[]){DPC_BLOCK, DPC_STAR}, P);
        }
        {
            /* examples/adi.dpc:32: R[i][j] = U[i][j] + RATIO * (U[i-1][j] - 2 * U[i][j] + U[i+1][j])
             *   U[-1:1][0]: ghost cells, from the neighbours where it has changed */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:32", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_refreshing *halo = dpc_refresh("examples/adi.dpc:32", 1, (dpc_array *[]){&U_dist});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const double *restrict U = U_dist.local;
            const dpc_index U_row = U_dist.stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_index i_shift = i_run.shift;
            /* interior, then boundary */
            for (dpc_box box = dpc_first_box(&space, halo, (const dpc_width[]){{1, 1, false}, {0, 0, false}}); box.more;
                 dpc_next_box(&box)) {
                const dpc_index i_last = box.last[0], j_last = box.last[1];
                for (long i = box.first[0] - i_shift; i <= i_last - i_shift; i++) {
                    for (long j = box.first[1]; j <= j_last; j++) {
                        R[i * R_row + j] = U[i * U_row + j] +
                            0.75 * (U[(i - 1) * U_row + j] - 2 * U[i * U_row + j] + U[(i + 1) * U_row + j]);
                    }
                }
            }
        }
        for (long j = 1; j <= 48; j++) {
            /* examples/adi.dpc:33: R[i][j] = (R[i][j] + RATIO * R[i][j-1]) * factor[j] / RATIO */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:33", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_index i_shift = i_run.shift;
            for (long i = i_run.first - i_shift; i <= i_run.last - i_shift; i++) {
                R[i * R_row + j] = (R[i * R_row + j] + 0.75 * R[i * R_row + j - 1]) * factor[j] / 0.75;
            }
        }
        for (long j = 48 - 1; j >= 1; j--) {
            /* examples/adi.dpc:34: R[1:N][j] += factor[j] * R[1:N][j+1] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:34", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {-1, 0, j}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_index i_shift = i_run.shift;
            for (long i = i_run.first - i_shift; i <= i_run.last - i_shift; i++) {
                R[i * R_row + j] += factor[j] * R[i * R_row + j + 1];
            }
        }
        {
            /* examples/adi.dpc:35: U[1:N][1:N] = R[1:N][1:N] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:35", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
            dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            double *restrict U = U_dist.local;
            const dpc_index U_row = U_dist.stride[0];
            const double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_index i_shift = i_run.shift;
            const dpc_run j_run = dpc_first_run(&space, 1);
            for (long i = i_run.first - i_shift; i <= i_run.last - i_shift; i++) {
                for (long j = j_run.first; j <= j_run.last; j++) {
                    U[i * U_row + j] = R[i * R_row + j];
                }
            }
            dpc_changed(&U_dist);
        }

        /* The other way round. */
        {
            dpc_redistribute_as(&U_dist, "examples/adi.dpc:38", (const dpc_format[]){DPC_STAR, DPC_BLOCK}, P,
                                (dpc_remapping){.halo = (const dpc_width[]){{0, 0, false}, {1, 1, false}}});
            dpc_redistribute(&R_dist, "examples/adi.dpc:38", (const dpc_format[]){DPC_STAR, DPC_BLOCK}, P);
        }
        {
            /* examples/adi.dpc:39: R[i][j] = U[i][j] + RATIO * (U[i][j-1] - 2 * U[i][j] + U[i][j+1])
             *   U[0][-1:1]: ghost cells, from the neighbours where it has changed */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:39", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            dpc_refreshing *halo = dpc_refresh("examples/adi.dpc:39", 1, (dpc_array *[]){&U_dist});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const double *restrict U = U_dist.local;
            const dpc_index U_row = U_dist.stride[0];
            const dpc_run j_run = dpc_first_run(&space, 1);
            const dpc_index j_shift = j_run.shift;
            /* interior, then boundary */
            for (dpc_box box = dpc_first_box(&space, halo, (const dpc_width[]){{0, 0, false}, {1, 1, false}}); box.more;
                 dpc_next_box(&box))
                loops_39(R, R_row, U, U_row, box.first[0], box.last[0], box.first[1] - j_shift, box.last[1] - j_shift);
        }
        for (long i = 1; i <= 48; i++) {
            /* examples/adi.dpc:40: R[i][j] = (R[i][j] + RATIO * R[i-1][j]) * factor[i] / RATIO */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:40", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i}, {0, 1, 0}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_run j_run = dpc_first_run(&space, 0);
            const dpc_index j_shift = j_run.shift;
            for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                R[i * R_row + j] = (R[i * R_row + j] + 0.75 * R[(i - 1) * R_row + j]) * factor[i] / 0.75;
            }
        }
        for (long i = 48 - 1; i >= 1; i--) {
            /* examples/adi.dpc:41: R[i][1:N] += factor[i] * R[i+1][1:N] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:41", true, 1, (const dpc_range[]){{1, 48, 1}});
            dpc_on(&space, &R_dist, (const dpc_subscript[]){{-1, 0, i}, {0, 1, 0}});
            double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_run j_run = dpc_first_run(&space, 0);
            const dpc_index j_shift = j_run.shift;
            for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                R[i * R_row + j] += factor[i] * R[(i + 1) * R_row + j];
            }
        }
        {
            /* examples/adi.dpc:42: U[1:N][1:N] = R[1:N][1:N] */
            static dpc_space space;
            dpc_forall(&space, "examples/adi.dpc:42", true, 2, (const dpc_range[]){{1, 48, 1}, {1, 48, 1}});
            dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
            double *restrict U = U_dist.local;
            const dpc_index U_row = U_dist.stride[0];
            const double *restrict R = R_dist.local;
            const dpc_index R_row = R_dist.stride[0];
            const dpc_run i_run = dpc_first_run(&space, 0);
            const dpc_run j_run = dpc_first_run(&space, 1);
            const dpc_index j_shift = j_run.shift;
            for (long i = i_run.first; i <= i_run.last; i++) {
                for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                    U[i * U_row + j] = R[i * R_row + j];
                }
            }
            dpc_changed(&U_dist);
        }

        if (step % 5 == 4) printf("step %2d: total heat %.6f, hottest %.6f\n", step + 1, ({
            /* examples/adi.dpc:44: sum(U[:][:]) */
            double sum_44 = 0;
            {
                static dpc_space space;
                dpc_forall(&space, "examples/adi.dpc:44", true, 2, (const dpc_range[]){{0, 49, 1}, {0, 49, 1}});
                dpc_on(&space, &U_dist, (const dpc_subscript[]){{0, 1, 0}, {1, 1, 0}});
                const double *restrict U = U_dist.local;
                const dpc_index U_row = U_dist.stride[0];
                const dpc_run i_run = dpc_first_run(&space, 0);
                const dpc_run j_run = dpc_first_run(&space, 1);
                const dpc_index j_shift = j_run.shift;
                for (long i = i_run.first; i <= i_run.last; i++) {
                    for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                        sum_44 += U[i * U_row + j];
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
                const dpc_run i_run = dpc_first_run(&space, 0);
                const dpc_run j_run = dpc_first_run(&space, 1);
                const dpc_index j_shift = j_run.shift;
                for (long i = i_run.first; i <= i_run.last; i++) {
                    for (long j = j_run.first - j_shift; j <= j_run.last - j_shift; j++) {
                        const double candidate = U[i * U_row + j];
                        if (candidate > maxval_44) maxval_44 = candidate;
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

/* A sparse matrix in compressed rows (CSR) times a vector: power iteration on the graph of a grid.
 *
 * Row i has the elements row[i] .. row[i+1]-1 of `value` and `column`.  Each process computes its own rows; where the
 * elements of its rows and of x are, an inspector finds once, as long as `row` and `column` stay as they are. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/csr.dpc"
#include <dpc.h>

#define SIDE 100L
#define N (SIDE * SIDE)

static dpc_array x_dist, y_dist; /* double x[N], y[N]; */
static dpc_array row_dist; /* long row[N + 1]; */
static dpc_array value_dist; /* double value[5 * N]; */
static dpc_array column_dist; /* long column[5 * N]; */

/* The neighbours of a grid point, itself first; those that there are not are the point itself, with the value 0. */
static long neighbour(long i, long d) {
    const long at[5] = {i, i - SIDE, i - 1, i + 1, i + SIDE}, k = at[d];
    const int beside = d != 2 ? d != 3 || i % SIDE < SIDE - 1 : i % SIDE > 0;
    return k >= 0 && k < N && beside ? k : i;
}
static dpc_reused value_reused; /* value[k], as examples/csr.dpc:33 looks for it, until its subscripts change */
static dpc_reused column_reused; /* column[k], as examples/csr.dpc:33 looks for it, until its subscripts change */
static dpc_reused x_reused; /* x[column[k]], as examples/csr.dpc:33 looks for it, until its subscripts change */

int main(void) {
    dpc_init(0);
    dpc_create(&x_dist, DPC_LINE(15), "x", DPC_DOUBLE, DPC_SHAPE(N), DPC_FORMATS(DPC_BLOCK), NULL);
    dpc_create_like(&y_dist, DPC_LINE(15), "y", DPC_DOUBLE, &x_dist);
    dpc_create_with_halo(&row_dist, DPC_LINE(15), "row", DPC_LONG, 1, DPC_BOUNDS({0, N}), DPC_FORMATS(DPC_BLOCK), NULL,
                         DPC_WIDTHS(DPC_WIDTH(DPC_BESIDE(0, 1), 1)), DPC_NO_CORNERS);
    dpc_create(&value_dist, DPC_LINE(15), "value", DPC_DOUBLE, DPC_SHAPE(5 * N), DPC_FORMATS(DPC_BLOCK), NULL);
    dpc_create_like(&column_dist, DPC_LINE(15), "column", DPC_LONG, &value_dist);
    DPC_CHANGE(&row_dist, DPC_LINE(25)) { /* row[i] = 5 * i */
        long *restrict row = row_dist.origin;
        DPC_OWNED(i, &row_dist, 0) row[i] = 5 * i;
    }
    DPC_LOCAL(DPC_LINE(27)) {
        /* column[k] = neighbour(k / 5, k % 5)
         * line 28: value[k] = k % 5 == 0 ? 4 : neighbour(k / 5, k % 5) == k / 5 ? 0 : -1 */
        long *restrict column = column_dist.origin;
        double *restrict value = value_dist.origin;
        DPC_OWNED(k, &column_dist, 0) {
            column[k] = neighbour(k / 5, k % 5);
            value[k] = k % 5 == 0 ? 4 : neighbour(k / 5, k % 5) == k / 5 ? 0 : -1;
        }
        dpc_changed(&column_dist);
        dpc_changed(&value_dist);
    }
    DPC_CHANGE(&x_dist, DPC_LINE(30)) { /* x[:] = 1 */
        double *restrict x = x_dist.origin;
        DPC_OWNED(i, &x_dist, 0) x[i] = 1;
    }
    double largest = 0;
    for (int step = 0; step < 50; step++) {
        DPC_FORALL(space, DPC_LINE(33), DPC_TO(0, N - 1), DPC_TO(0, -1)) {
            /* y[i] = sum(k = row[i]:row[i+1]-1, value[k] * x[column[k]])
             *   value[k], column[k] and x[column[k]] (block) move to the owners of y[i] (block): owners found at run
             *     time, only where what subscripts are made of or the iterations have changed
             *   row[0:1]: ghost cells, more where blocks of other extents end elsewhere, where it has changed */
            space->own = 1; /* the rest: reductions, which may be empty */
            dpc_on(space, &y_dist, DPC_SUBSCRIPTS(DPC_INDEX(0)));
            dpc_refreshing *halo = dpc_refresh(DPC_LINE(33), 1, (dpc_array *[]){&row_dist});
            DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
            DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
            const dpc_run i_run = dpc_first_run(space, 0);
            double *restrict y = y_dist.origin;
            const long *restrict row = dpc_origin(long, dpc_local_beside(&row_dist, &y_dist), i_run.shift);
            dpc_end_refresh(halo);
            const dpc_gathered_array value_in_all[] = {{&value_reused, &value_dist}, {&column_reused, &column_dist}};
            if (!dpc_gathered_together(2, value_in_all, space, 1, DPC_INPUTS(DPC_INPUT(row_dist.contents)))) {
                dpc_index sum_33_values = 0;
                DPC_OWNED(i, &y_dist, 0) sum_33_values += dpc_count_values(space, row[i], row[i + 1]-1, 1);
                dpc_index *value_in_where = dpc_buffer(sum_33_values, sizeof(dpc_index)), value_in_n = 0;
                DPC_OWNED(i, &y_dist, 0)
                    for (long k = row[i], k_last = row[i + 1]-1; k <= k_last; k++) value_in_where[value_in_n++] = k;
                dpc_gather_together(2, value_in_all, DPC_LINE(33), false, value_in_n, value_in_where);
                dpc_free_buffer(value_in_where);
            }
            const double *value_in = value_reused.values;
            const long *column_in = column_reused.values;
            if (!dpc_localised(&x_reused, space, &x_dist, 2,
                               DPC_INPUTS(DPC_INPUT(row_dist.contents), DPC_INPUT(column_dist.contents))))
                dpc_localise_reused(&x_reused, DPC_LINE(33), &x_dist, false, column_reused.count, column_in);
            const double *x_in = x_reused.found;
            const uint32_t *x_in_place = x_reused.place;
            dpc_index value_in_at = 0, x_in_at = 0;
            DPC_OWNED(i, &y_dist, 0) {
                double sum_33 = 0;
                for (long k = row[i], k_last = row[i + 1]-1; k <= k_last; k++)
                    sum_33 += value_in[value_in_at++] * x_in[x_in_place[x_in_at++]];
                y[i] = sum_33;
            }
        }
        double sum_34 = 0, sum_34_2 = 0;
        DPC_LOCAL(DPC_LINE(34)) { /* sum(y[:] * y[:]); sum(x[:] * x[:]) */
            const double *restrict y = y_dist.origin, *restrict x = x_dist.origin;
            DPC_OWNED(i, &y_dist, 0) {
                sum_34 += y[i] * y[i];
                sum_34_2 += x[i] * x[i];
            }
            dpc_reduce_together(2, DPC_RESULTS(DPC_RESULT(DPC_SUM, sum_34), DPC_RESULT(DPC_SUM, sum_34_2)));
        }
        largest = sqrt(sum_34 / sum_34_2);
        {
            double maxval_35 = -HUGE_VAL;
            DPC_LOCAL(DPC_LINE(35)) { /* maxval(fabs(y[:])) */
                const double *restrict y = y_dist.origin;
                DPC_OWNED(i, &y_dist, 0) maxval_35 = dpc_larger(fabs(y[i]), maxval_35);
                maxval_35 = dpc_combined(DPC_MAX, maxval_35);
            }
            DPC_CHANGE(&x_dist, DPC_LINE(35)) { /* x[:] = y[:] / maxval(fabs(y[:])) */
                double *restrict x = x_dist.origin, *restrict y = y_dist.origin;
                DPC_OWNED(i, &x_dist, 0) x[i] = y[i] / maxval_35;
            }
        }
    }
    printf("largest eigenvalue: about %.4f\n", largest);
    return dpc_finish(0);
}

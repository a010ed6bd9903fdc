/* A function that calls MPI itself: extrinsic, so each process runs it on the part of the arrays that it owns.
 *
 * The rest of the program has one thread of control, as ever.  A dpc_view says where the process's elements are, which
 * they are, and who else has some. */
#include <mpi.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/extrinsic.dpc"
#include <dpc.h>

#define N 1000

static dpc_array x_dist, rank_of_x_dist; /* double x[N], rank_of_x[N]; */

/* For each element of x, how many are less: the processes pass their parts round in a ring. */
/* #pragma dpc extrinsic */
static void rank_elements(const dpc_view *x, const dpc_view *result) {
    DPC_EXTRINSIC;
    const double *own = x->data;
    double *rank = result->data, part[N];
    const long extent = x->extent[0];
    int place, size, count = (int)extent;
    if (x->comm == MPI_COMM_NULL) return;
    MPI_Comm_rank(x->comm, &place);
    MPI_Comm_size(x->comm, &size);
    for (long k = 0; k < extent; k++) part[k] = own[k], rank[k] = 0;
    for (int step = 0; step < size; step++) {
        for (long k = 0; k < extent; k++)
            for (int i = 0; i < count; i++) rank[k] += part[i] < own[k];
        MPI_Status status;
        MPI_Sendrecv_replace(part, N, MPI_DOUBLE, (place + 1) % size, count, (place + size - 1) % size, MPI_ANY_TAG,
                             x->comm, &status);
        count = status.MPI_TAG;
    }
}

int main(void) {
    dpc_init(0);
    dpc_create(&x_dist, DPC_LINE(11), "x", DPC_DOUBLE, DPC_SHAPE(N), DPC_FORMATS(DPC_BLOCK), NULL);
    dpc_create_like(&rank_of_x_dist, DPC_LINE(11), "rank_of_x", DPC_DOUBLE, &x_dist);
    DPC_CHANGE(&x_dist, DPC_LINE(35)) { /* x[i] = (i * 617 + 41) % 1009 */
        double *restrict x = x_dist.origin;
        DPC_OWNED(i, &x_dist, 0) x[i] = (i * 617 + 41) % 1009;
    }
    ({ DPC_VIEW dpc_view x_view_1 = dpc_begin_view(DPC_LINE(36), &x_dist);
      DPC_VIEW dpc_view rank_of_x_view_2 = dpc_begin_view(DPC_LINE(36), &rank_of_x_dist);
      rank_elements(&x_view_1, &rank_of_x_view_2); });
    long minloc_37 = LONG_MIN;
    double minloc_37_value = HUGE_VAL;
    DPC_LOCAL(DPC_LINE(37)) { /* minloc(rank_of_x[:]) */
        const double *restrict rank_of_x = rank_of_x_dist.origin;
        DPC_OWNED(i, &rank_of_x_dist, 0) {
            const double candidate = rank_of_x[i];
            if (candidate < minloc_37_value ||
                (candidate == minloc_37_value && (minloc_37 == LONG_MIN || i < minloc_37))) {
                minloc_37_value = candidate;
                minloc_37 = i;
            }
        }
        dpc_reduce_place(DPC_MIN, dpc_type_of(minloc_37_value), &minloc_37_value, &minloc_37, 0);
        if (minloc_37 == LONG_MIN) minloc_37 = -1;
    }
    long maxloc_37 = LONG_MIN;
    double maxloc_37_value = -HUGE_VAL;
    DPC_LOCAL(DPC_LINE(37)) { /* maxloc(rank_of_x[:]) */
        const double *restrict rank_of_x = rank_of_x_dist.origin;
        DPC_OWNED(i, &rank_of_x_dist, 0) {
            const double candidate = rank_of_x[i];
            if (candidate > maxloc_37_value ||
                (candidate == maxloc_37_value && (maxloc_37 == LONG_MIN || i < maxloc_37))) {
                maxloc_37_value = candidate;
                maxloc_37 = i;
            }
        }
        dpc_reduce_place(DPC_MAX, dpc_type_of(maxloc_37_value), &maxloc_37_value, &maxloc_37, 0);
        if (maxloc_37 == LONG_MIN) maxloc_37 = -1;
    }
    double sum_38 = 0;
    DPC_LOCAL(DPC_LINE(38)) { /* sum(rank_of_x[:]) */
        const double *restrict rank_of_x = rank_of_x_dist.origin;
        DPC_OWNED(i, &rank_of_x_dist, 0) sum_38 += rank_of_x[i];
        sum_38 = dpc_combined(DPC_SUM, sum_38);
    }
    printf("least at %ld, greatest at %ld, sum of ranks %.0f\n", minloc_37, maxloc_37,
           sum_38);
    return dpc_finish(0);
}

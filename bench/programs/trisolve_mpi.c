/* Triangular system by hand: see trisolve.dpc. The owner of x[k+1] brings it up to date first, and its broadcast
 * travels while the others are updated with x[k]. */
#include "mpi_program.h"

#define ELEMENT(i, k) ((i) == (k) ? 2.0 : (double)(((i) + 2 * (k)) % 3 - 1))

static inline void update(double *restrict x, const double *restrict line, double xk, long from, long to) {
    for (long i = from; i < to; i++) x[i] -= line[i] * xk;
}

/* t: row k has my part of column k of L; mine elements each. */
static void solve(long n, long mine, const double *t, double *x) {
    double current = 0, next = 0;
    if (rank == 0) current = x[0] /= t[0];
    MPI_Bcast(&current, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (long k = 0; k < n - 1; k++) {
        int owner = cyclic_owner(k + 1, 1, processes);
        long from = cyclic_count(k + 1, 1, rank, processes); /* local index of the first element behind k */
        const double *line = t + k * mine;
        MPI_Request request = MPI_REQUEST_NULL;
        if (owner == rank) {
            update(x, line, current, from, from + 1);
            next = x[from] /= line[mine + from];
            from++;
        }
        if (processes > 1) MPI_Ibcast(&next, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD, &request);
        update(x, line, current, from, mine);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        current = next;
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 4096), mine = cyclic_count(n, 1, rank, processes), wrong = 0;
    double *t = allocate(n * mine, sizeof *t), *x = allocate(mine, sizeof *x), total = 0;

    for (long k = 0; k < n; k++) {
        for (long i = cyclic_count(k, 1, rank, processes); i < mine; i++) {
            t[k * mine + i] = ELEMENT(cyclic_global(i, 1, rank, processes), k);
            x[i] += t[k * mine + i] * (double)(k + 1);
        }
    }
    double start = now();
    solve(n, mine, t, x);
    double seconds = now() - start;

    for (long i = 0; i < mine; i++) {
        long gi = cyclic_global(i, 1, rank, processes);
        wrong += x[i] != (double)(gi + 1);
        total += x[i] * (double)(gi % 10);
    }
    return report_all("trisolve", seconds, sum_over_all(total), maximum_over_all((double)wrong) == 0);
}

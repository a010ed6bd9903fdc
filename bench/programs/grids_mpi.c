/* Restriction and interpolation by hand: see grids.dpc. Fine rows in equal blocks, coarse row i where fine row 2i+1 is;
 * a row beyond either end comes from the neighbour while the rows between are computed. */
#include "mpi_program.h"

static long n, m, first, last; /* fine rows of this process: first .. last */
static long coarse_first, coarse_last;
static double *fine, *coarse, *fine_store, *coarse_store;
static int before = MPI_PROC_NULL, after = MPI_PROC_NULL;

static long minimum(long a, long b) {
    return a < b ? a : b;
}

static double *fine_row(long i) {
    return fine + (i - first) * m;
}
static double *coarse_row(long i) {
    return coarse + (i - coarse_first) * m;
}

static void restrict_row(long i) {
    double *restrict to = coarse_row(i);
    const double *up = fine_row(2 * i), *here = up + m, *down = here + m;
    for (long j = 0; j < m; j++) to[j] = 0.25 * (up[j] + down[j]) + 0.5 * here[j];
}

/* Row `first` is odd: the row before it is read. The last one is odd: the one behind. The neighbours are even there. */
static void restrict_rows(void) {
    MPI_Request r[4];
    const int low = first % 2 == 1, high = last % 2 == 1;
    MPI_Irecv(fine - m, (int)m, MPI_DOUBLE, low ? before : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(fine_row(last + 1), (int)m, MPI_DOUBLE, high ? after : MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(fine_row(last), (int)m, MPI_DOUBLE, high ? MPI_PROC_NULL : after, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(fine, (int)m, MPI_DOUBLE, low ? MPI_PROC_NULL : before, 1, MPI_COMM_WORLD, &r[3]);
    for (long i = coarse_first + low; i <= coarse_last - high; i++) restrict_row(i);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    if (low) restrict_row(coarse_first);
    if (high && (!low || coarse_last > coarse_first)) restrict_row(coarse_last);
}

static void interpolate_row(long i, double half) {
    double *restrict to = fine_row(2 * i);
    if (i == 0 || i == n) {
        const double *only = coarse_row(i == 0 ? 0 : n - 1);
        for (long j = 0; j < m; j++) to[j] = half * only[j];
        return;
    }
    const double *up = coarse_row(i - 1), *down = coarse_row(i);
    for (long j = 0; j < m; j++) to[j] = half * (up[j] + down[j]);
}

static void interpolate(double half) {
    MPI_Request r[4];
    const int low = first % 2 == 0, high = last % 2 == 0;
    MPI_Irecv(coarse - m, (int)m, MPI_DOUBLE, low ? before : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(coarse_row(coarse_last + 1), (int)m, MPI_DOUBLE, high ? after : MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(coarse_row(coarse_last), (int)m, MPI_DOUBLE, high ? MPI_PROC_NULL : after, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(coarse, (int)m, MPI_DOUBLE, low ? MPI_PROC_NULL : before, 1, MPI_COMM_WORLD, &r[3]);
    for (long i = coarse_first; i <= coarse_last; i++)
        memcpy(fine_row(2 * i + 1), coarse_row(i), (size_t)m * sizeof *fine);
    const long from = (first + 1) / 2, to = last / 2;
    for (long i = from + low; i <= to - high; i++) interpolate_row(i, half);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    if (low && first <= last) interpolate_row(from, half);
    if (high && (!low || to > from)) interpolate_row(to, half);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 512), m = argument(argc, argv, 2, 1024);
    long steps = argument(argc, argv, 3, 40), block = (2 * n + processes) / processes;
    first = minimum(rank * block, 2 * n + 1), last = minimum(first + block, 2 * n + 1) - 1;
    coarse_first = first / 2, coarse_last = (last + 1) / 2 - 1;
    if (rank > 0) before = rank - 1;
    if (last < 2 * n) after = rank + 1;
    if (block < 2 || first > last) MPI_Abort(MPI_COMM_WORLD, 4); /* rows come from neighbours only */
    fine_store = allocate((last - first + 3) * m, sizeof *fine), fine = fine_store + m;
    coarse_store = allocate((coarse_last - coarse_first + 3) * m, sizeof *coarse), coarse = coarse_store + m;
    double *x = sine_mode(2 * n + 1, 3) + 1, *y = sine_mode(m, 5) + 1, start = 0, error = 0, squares = 0;
    const double half = 0.5 / cosine(2 * n + 1, 3);

    for (long i = first; i <= last; i++)
        for (long j = 0; j < m; j++) fine_row(i)[j] = x[i] * y[j];
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        restrict_rows();
        interpolate(half);
    }
    double seconds = now() - start;

    double factor = pow((1 + cosine(2 * n + 1, 3)) / 2, (double)(steps + 1));
    for (long i = first; i <= last; i++) {
        for (long j = 0; j < m; j++) {
            double at = fine_row(i)[j];
            error = fmax(error, fabs(at - factor * x[i] * y[j]));
            squares += at * at;
        }
    }
    return report_all("grids", seconds, sum_over_all(squares), maximum_over_all(error) < 1e-11);
}

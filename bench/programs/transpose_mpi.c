/* Matrix transpose by hand: see transpose.dpc. Rows in blocks, or cyclic(64) with -DCYCLIC.
 *
 * Each process packs for every other the columns that will be its rows, transposed in tiles, so that what arrives is
 * added row by row. Its own part is transposed while the messages travel. */
#include "mpi_program.h"

enum { TILE = 32 };

static long n, block, rows; /* rows of A and of B here */
static double *A, *B, **in, **out;
static MPI_Request *receives, *sends;

static long rows_of(int p) {
    return cyclic_count(n, block, p, processes);
}
static long global(long local, int p) {
    return cyclic_global(local, block, p, processes);
}
static long smaller(long a, long b) {
    return a < b ? a : b;
}

/* to[i][k] (+)= A[k][global(i, p)] for the rows k here and the rows i of p: tiles of k within runs of i that are one
 * block. */
static inline void transpose_for(int p, double *restrict to, long to_row, long first_column, int whole, int add) {
    for (long run = 0, count; run < rows_of(p); run += count) {
        count = smaller(smaller(block - run % block, rows_of(p) - run), TILE);
        const double *from = A + global(run, p);
        for (long kt = 0, k_count; kt < rows; kt += k_count) {
            k_count = smaller(whole ? TILE : smaller(TILE, block - kt % block), rows - kt);
            long column = whole ? kt : global(kt, rank);
            for (long i = 0; i < count; i++) {
                double *restrict line = to + (run + i) * to_row + first_column + column;
                for (long k = 0; k < k_count; k++) line[k] = (add ? line[k] : 0) + from[(kt + k) * n + i];
            }
        }
    }
}

static void add_from(int p) {
    long count = rows_of(p);
    for (long i = 0; i < rows; i++) {
        const double *restrict line = in[p] + i * count;
        for (long k = 0, run; k < count; k += run) {
            run = smaller(block - k % block, count - k);
            double *restrict to = B + i * n + global(k, p);
            for (long j = 0; j < run; j++) to[j] += line[k + j];
        }
    }
}

static void step(void) {
    for (int d = 1; d < processes; d++) {
        int p = (rank + processes - d) % processes;
        MPI_Irecv(in[p], (int)(rows * rows_of(p)), MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &receives[p]);
    }
    for (int d = 1; d < processes; d++) {
        int p = (rank + d) % processes;
        transpose_for(p, out[p], rows, 0, 1, 0);
        MPI_Isend(out[p], (int)(rows * rows_of(p)), MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &sends[p]);
    }
    transpose_for(rank, B, n, 0, 0, 1);
    for (int p; MPI_Waitany(processes, receives, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED;) add_from(p);
    for (long i = 0; i < rows * n; i++) A[i] += 1;
    MPI_Waitall(processes, sends, MPI_STATUSES_IGNORE);
}

static void create(void) {
#ifdef CYCLIC
    block = 64;
#else
    block = (n + processes - 1) / processes;
#endif
    rows = rows_of(rank);
    A = allocate(rows * n, sizeof *A), B = allocate(rows * n, sizeof *B);
    in = allocate(processes, sizeof *in), out = allocate(processes, sizeof *out);
    receives = allocate(processes, sizeof *receives), sends = allocate(processes, sizeof *sends);
    for (int p = 0; p < processes; p++) {
        receives[p] = sends[p] = MPI_REQUEST_NULL;
        in[p] = allocate(rows * rows_of(p), sizeof(double)), out[p] = allocate(rows * rows_of(p), sizeof(double));
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 1024);
    long steps = argument(argc, argv, 2, 10), wrong = 0;
    double start = 0, total = 0;
    create();

    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++) A[i * n + j] = (double)(global(i, rank) * n + j);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        step();
    }
    double seconds = now() - start, rises = (double)(steps * (steps + 1) / 2);

    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < n; j++) {
            wrong += B[i * n + j] != (double)((j * n + global(i, rank)) * (steps + 1)) + rises;
            total += B[i * n + j] * (double)(global(i, rank) + 1);
        }
    }
    return report_all("transpose", seconds, sum_over_all(total), maximum_over_all((double)wrong) == 0);
}

/* 2-D Jacobi by hand on rows that are dealt in blocks: see jacobi_dealt.dpc. Every block lies between two ghost rows;
 * the blocks' inner rows are computed while the ghost rows travel. */
#include "mpi_program.h"

enum { DEALT_ROWS = 64 };

/* The blocks of this process: `pitch` rows from one to the next. The first of `follow` blocks, number `first`, has a
 * block before it, as have all behind it; the first `lead` blocks have one behind them. */
static long n, stride, block, pitch, blocks, all_blocks, first, follow, lead;
static int up, down;
static MPI_Datatype following_rows, leading_rows;

static void deal_rows(void) {
    stride = n + 2;
    block = processes == 1 ? n : DEALT_ROWS;
    pitch = block + 2;
    all_blocks = (n + block - 1) / block;
    blocks = (all_blocks - rank + processes - 1) / processes;
    first = rank == 0;
    follow = blocks > first ? blocks - first : 0;
    lead = blocks - (blocks > 0 && (blocks - 1) * processes + rank == all_blocks - 1);
    up = (rank + processes - 1) % processes, down = (rank + 1) % processes;
    MPI_Type_vector((int)follow, (int)n, (int)(pitch * stride), MPI_DOUBLE, &following_rows);
    MPI_Type_vector((int)lead, (int)n, (int)(pitch * stride), MPI_DOUBLE, &leading_rows);
    MPI_Type_commit(&following_rows);
    MPI_Type_commit(&leading_rows);
}

/* The first row of block b in the whole array, how many it has, and where they begin. */
static inline long first_row(long b) {
    return (b * processes + rank) * block;
}
static inline long rows_of(long b) {
    return n - first_row(b) < block ? n - first_row(b) : block;
}
static inline double *block_of(double *a, long b) {
    return a + (b * pitch + 1) * stride + 1;
}

static inline void sweep(double *restrict v, const double *restrict u, long i0, long i1) {
    for (long i = i0; i < i1; i++) {
        const double *above = u + (i - 1) * stride, *here = u + i * stride, *below = u + (i + 1) * stride;
        double *to = v + i * stride;
        for (long j = 0; j < n; j++) to[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
}

static void step(double *v, double *u) {
    MPI_Request requests[4];
    double *following = block_of(u, first), *leading = block_of(u, 0);
    if (processes == 1) {
        sweep(block_of(v, 0), block_of(u, 0), 0, n);
        return;
    }
    MPI_Irecv(following - stride, 1, following_rows, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(leading + block * stride, 1, leading_rows, down, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(leading + (block - 1) * stride, 1, leading_rows, down, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(following, 1, following_rows, up, 1, MPI_COMM_WORLD, &requests[3]);
    for (long b = 0; b < blocks; b++) sweep(block_of(v, b), block_of(u, b), 1, rows_of(b) - 1);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (long b = 0; b < blocks; b++) {
        sweep(block_of(v, b), block_of(u, b), 0, 1);
        if (rows_of(b) > 1) sweep(block_of(v, b), block_of(u, b), rows_of(b) - 1, rows_of(b));
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 1024);
    long steps = argument(argc, argv, 2, 40);
    deal_rows();
    double *u = allocate((blocks + 1) * pitch * stride, sizeof *u),
           *v = allocate((blocks + 1) * pitch * stride, sizeof *v);
    double *x = sine_mode(n, 3) + 1, *y = sine_mode(n, 5) + 1, start = 0;

    for (long b = 0; b < blocks; b++)
        for (long i = 0; i < rows_of(b); i++)
            for (long j = 0; j < n; j++) block_of(u, b)[i * stride + j] = x[first_row(b) + i] * y[j];
    for (long s = -2; s < steps; s += 2) {
        if (s == 0) start = now();
        step(v, u);
        step(u, v);
    }
    double seconds = now() - start;

    double factor = pow((cosine(n, 3) + cosine(n, 5)) / 2, (double)(steps + 2)), error = 0, squares = 0;
    for (long b = 0; b < blocks; b++) {
        for (long i = 0; i < rows_of(b); i++) {
            for (long j = 0; j < n; j++) {
                double at = block_of(u, b)[i * stride + j];
                error = fmax(error, fabs(at - factor * x[first_row(b) + i] * y[j]));
                squares += at * at;
            }
        }
    }
    return report_all("jacobi", seconds, sum_over_all(squares), maximum_over_all(error) < 1e-11);
}

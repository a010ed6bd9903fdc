/* Two-dimensional FFT by hand: see fft.dpc. Each process sends every other the tile that its rows have in the other's
 * columns, transposed. Its own tile is turned while the messages travel. */
#include "fft_kernel.h"
#include "mpi_program.h"

#define BLOCK 8

static long n, rows, *rows_of, part, first, lines; /* rows of x: cyclic(BLOCK); lines of z: blocks of part */
static number *x, *y, *z, **in, **out;
static MPI_Request *requests;

static long smaller(long a, long b) {
    return a < b ? a : b;
}
static long first_of(int p) {
    return smaller(p * part, n);
}
static long lines_of(int p) {
    return first_of(p + 1) - first_of(p);
}

static void create(void) {
    part = (n + processes - 1) / processes, first = first_of(rank), lines = lines_of(rank);
    rows_of = allocate(processes, sizeof *rows_of);
    for (int p = 0; p < processes; p++) rows_of[p] = cyclic_count(n, BLOCK, p, processes);
    rows = rows_of[rank];
    x = allocate(rows * n, sizeof *x), z = allocate(lines * n, sizeof *z), y = allocate(n, sizeof *y);
    in = allocate(processes, sizeof *in), out = allocate(processes, sizeof *out);
    requests = allocate(2 * processes, sizeof *requests);
    for (int p = 0; p < processes; p++) {
        in[p] = allocate(lines * rows_of[p], sizeof(number)), out[p] = allocate(rows * lines_of(p), sizeof(number));
        requests[p] = requests[processes + p] = MPI_REQUEST_NULL;
    }
}

/* out[j][i] = x[i][first of p + j], in tiles of a block. */
static void pack(int p) {
    for (long it = 0; it < rows; it += BLOCK)
        for (long j = 0; j < lines_of(p); j++)
            for (long i = it; i < smaller(it + BLOCK, rows); i++) out[p][j * rows + i] = x[i * n + first_of(p) + j];
}

static void unpack(int p, const number *restrict from) {
    for (long j = 0; j < lines; j++)
        for (long i = 0; i < rows_of[p]; i += BLOCK)
            memcpy(z + j * n + cyclic_global(i, BLOCK, p, processes), from + j * rows_of[p] + i,
                   (size_t)smaller(BLOCK, rows_of[p] - i) * sizeof *from);
}

static void transform(const number *w) {
    for (int d = 1; d < processes; d++) {
        int p = (rank + processes - d) % processes;
        MPI_Irecv(in[p], (int)(lines * rows_of[p]), MPI_C_DOUBLE_COMPLEX, p, 0, MPI_COMM_WORLD, &requests[p]);
    }
    for (long i = 0; i < rows; i++) fft_line(n, x + i * n, y, w);
    for (int d = 1; d < processes; d++) {
        int p = (rank + d) % processes;
        pack(p);
        MPI_Isend(out[p], (int)(rows * lines_of(p)), MPI_C_DOUBLE_COMPLEX, p, 0, MPI_COMM_WORLD,
                  &requests[processes + p]);
    }
    pack(rank);
    unpack(rank, out[rank]);
    for (int p; MPI_Waitany(processes, requests, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED;) unpack(p, in[p]);
    for (long j = 0; j < lines; j++) fft_line(n, z + j * n, y, w);
    MPI_Waitall(processes, requests + processes, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 256);
    long steps = argument(argc, argv, 2, 10);
    number *w = fft_roots(n);
    double start = 0, error = 0, total = 0;
    create();

    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        for (long i = 0; i < rows; i++)
            for (long j = 0; j < n; j++) x[i * n + j] = fft_start(n, w, cyclic_global(i, BLOCK, rank, processes), j);
        transform(w);
    }
    double seconds = now() - start;

    for (long j = 0; j < lines; j++) {
        for (long i = 0; i < n; i++) {
            error = fmax(error, cabs(z[j * n + i] - fft_wanted(n, i, first + j)));
            total += creal(z[j * n + i]) * (double)(first + j + 2 * i);
        }
    }
    return report_all("fft", seconds, sum_over_all(total), maximum_over_all(error) < 1e-11 * (double)(n * n));
}

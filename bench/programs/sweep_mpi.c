/* A transport sweep by hand: see sweep.dpc. Columns of cells are divided over a grid of processes (KBA); for a few
 * layers at a time each process waits for the faces of the two processes before it, and sends its own faces on. */
#include "mpi_program.h"
#include "sweep.h"

#define LAYERS 24 /* of 6, 12, 24 and 48 about the fastest on 2 and 4 processes */

static long n, m, rows, columns, first_row, first_column;
static int grid[2], at[2];
static MPI_Comm comm;

/* The faces of a side, of some layers; the cell beside it, in place. */
static void copy_face(double *face, long count, double *cells, long stride, long layers, int out) {
    for (long x = 0; x < count; x++)
        memcpy(out ? face + x * layers : cells + x * stride, out ? cells + x * stride : face + x * layers,
               (size_t)layers * sizeof *face);
}

static void sweep(int di, int dj, double (*psi)[columns + 2][m + 1], double (*phi)[columns + 2][m + 1],
                  double (*q)[columns + 2][m + 1]) {
    int from_i, to_i, from_j, to_j, count = 0;
    const long i0 = di > 0 ? 1 : rows, j0 = dj > 0 ? 1 : columns, blocks = (m + LAYERS - 1) / LAYERS;
    const long row = m + 1, plane = row * (columns + 2);
    static double *in, *out;
    static MPI_Request *sent;
    if (!in) in = allocate((rows + columns) * LAYERS, sizeof *in), out = allocate((rows + columns) * row, sizeof *out);
    if (!sent) sent = allocate(2 * blocks, sizeof *sent);
    MPI_Cart_shift(comm, 0, di, &from_i, &to_i);
    MPI_Cart_shift(comm, 1, dj, &from_j, &to_j);
    double *next = out;
    for (long k0 = 1; k0 <= m; k0 += LAYERS) {
        const long layers = k0 + LAYERS <= m + 1 ? LAYERS : m + 1 - k0;
        const int face_i = (int)(columns * layers), face_j = (int)(rows * layers);
        MPI_Recv(in, face_i, MPI_DOUBLE, from_i, 1, comm, MPI_STATUS_IGNORE);
        if (from_i >= 0) copy_face(in, columns, &psi[i0 - di][1][k0], row, layers, 0);
        MPI_Recv(in, face_j, MPI_DOUBLE, from_j, 2, comm, MPI_STATUS_IGNORE);
        if (from_j >= 0) copy_face(in, rows, &psi[1][j0 - dj][k0], plane, layers, 0);
        for (long x = 0, i = i0; x < rows; x++, i += di)
            for (long y = 0, j = j0; y < columns; y++, j += dj)
                for (long k = k0; k < k0 + layers; k++) {
                    const double in = MU * psi[i - di][j][k] + ETA * psi[i][j - dj][k] + XI * psi[i][j][k - 1];
                    double flux = (q[i][j][k] + in) / (SIGMA + MU + ETA + XI);
                    if (flux < 0) flux = 0;
                    psi[i][j][k] = flux;
                    phi[i][j][k] += WEIGHT * flux;
                }
        if (to_i >= 0) copy_face(next, columns, &psi[rows + 1 - i0][1][k0], row, layers, 1);
        MPI_Isend(next, face_i, MPI_DOUBLE, to_i, 1, comm, &sent[count++]);
        next += face_i;
        if (to_j >= 0) copy_face(next, rows, &psi[1][columns + 1 - j0][k0], plane, layers, 1);
        MPI_Isend(next, face_j, MPI_DOUBLE, to_j, 2, comm, &sent[count++]);
        next += face_j;
    }
    MPI_Waitall(count, sent, MPI_STATUSES_IGNORE);
}

/* The faces of the processes before this one, for the test of the result. */
static void refresh(double (*psi)[columns + 2][m + 1]) {
    int from, to;
    MPI_Datatype side;
    MPI_Cart_shift(comm, 0, 1, &from, &to);
    MPI_Sendrecv(psi[rows], (int)((columns + 2) * (m + 1)), MPI_DOUBLE, to, 3, psi[0], (int)((columns + 2) * (m + 1)),
                 MPI_DOUBLE, from, 3, comm, MPI_STATUS_IGNORE);
    MPI_Cart_shift(comm, 1, 1, &from, &to);
    MPI_Type_vector((int)rows, (int)(m + 1), (int)((columns + 2) * (m + 1)), MPI_DOUBLE, &side);
    MPI_Type_commit(&side);
    MPI_Sendrecv(psi[1][columns], 1, side, to, 3, psi[1][0], 1, side, from, 3, comm, MPI_STATUS_IGNORE);
    MPI_Type_free(&side);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 96), m = argument(argc, argv, 2, 96);
    long steps = argument(argc, argv, 3, 4);
    MPI_Dims_create(processes, 2, grid);
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid, (int[]){0, 0}, 0, &comm);
    MPI_Cart_coords(comm, rank, 2, at);
    first_row = part_start(n, at[0], grid[0]), rows = part_start(n, at[0] + 1, grid[0]) - first_row;
    first_column = part_start(n, at[1], grid[1]), columns = part_start(n, at[1] + 1, grid[1]) - first_column;
    double(*psi)[columns + 2][m + 1] = allocate(rows + 2, sizeof *psi);
    double(*phi)[columns + 2][m + 1] = allocate(rows + 2, sizeof *phi);
    double(*q)[columns + 2][m + 1] = allocate(rows + 2, sizeof *q), start = 0, error = 0, sum = 0;

    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= columns; j++)
            for (long k = 1; k <= m; k++) q[i][j][k] = source(first_row + i, first_column + j, k);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        sweep(-1, -1, psi, phi, q);
        sweep(-1, 1, psi, phi, q);
        sweep(1, -1, psi, phi, q);
        sweep(1, 1, psi, phi, q);
    }
    double seconds = now() - start;

    refresh(psi);
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= columns; j++)
            for (long k = 1; k <= m; k++) {
                const double in = MU * psi[i - 1][j][k] + ETA * psi[i][j - 1][k] + XI * psi[i][j][k - 1];
                error = fmax(error, fabs(psi[i][j][k] - fmax(0, (q[i][j][k] + in) / (SIGMA + MU + ETA + XI))));
                sum += phi[i][j][k];
            }
    return report_all("sweep", seconds, sum_over_all(sum) / (double)steps, maximum_over_all(error) < 1e-12);
}

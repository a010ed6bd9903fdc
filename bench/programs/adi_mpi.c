/* Alternating directions by hand: see adi.dpc. Rows, then columns, are whole on their process; the array changes hands
 * by messages of packed tiles, all under way at once. The halo for the explicit part travels while the inner lines are
 * solved. */
#include "mpi_program.h"

#define RATIO 0.75

static long n, first, lines; /* my rows 1 + first ..., and my columns: the same numbers */
static double *by_rows, *by_columns, *r, *c, *f, **out, **in;
static long row_stride,
    column_stride; /* by_rows: [lines + 2][n + 2]; by_columns: [n + 2][lines + 2], both with borders */
static MPI_Request *requests;

static long first_of(int p) {
    return part_start(n, p, processes);
}
static long lines_of(int p) {
    return first_of(p + 1) - first_of(p);
}

static void create(void) {
    first = first_of(rank), lines = lines_of(rank), row_stride = n + 2, column_stride = lines + 2;
    by_rows = allocate((lines + 2) * row_stride, sizeof(double)),
    r = allocate((lines + 2) * row_stride, sizeof(double));
    by_columns = allocate((n + 2) * column_stride, sizeof(double)),
    c = allocate((n + 2) * column_stride, sizeof(double));
    f = allocate(n + 2, sizeof *f);
    in = allocate(processes, sizeof *in), out = allocate(processes, sizeof *out);
    requests = allocate(2 * processes + 4, sizeof *requests);
    for (int p = 0; p < processes; p++) {
        in[p] = allocate(lines * lines_of(p), sizeof(double)), out[p] = allocate(lines * lines_of(p), sizeof(double));
        requests[p] = requests[processes + p] = MPI_REQUEST_NULL;
    }
}

static void copy_block(double *restrict to, long to_stride, const double *restrict from, long from_stride, long rows,
                       long columns) {
    for (long i = 0; i < rows; i++) memcpy(to + i * to_stride, from + i * from_stride, (size_t)columns * sizeof *to);
}

/* The tile that this process and p exchange, in the array by rows and in the array by columns. */
static double *row_tile(int p) {
    return by_rows + row_stride + 1 + first_of(p);
}
static double *column_tile(int p) {
    return by_columns + (1 + first_of(p)) * column_stride + 1;
}

static void receive_tiles(void) {
    for (int d = 1; d < processes; d++) {
        int p = (rank + processes - d) % processes;
        MPI_Irecv(in[p], (int)(lines * lines_of(p)), MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &requests[p]);
    }
}
static void send_tile(int p) {
    MPI_Isend(out[p], (int)(lines * lines_of(p)), MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &requests[processes + p]);
}

static void rows_to_columns(void) {
    receive_tiles();
    for (int d = 1; d < processes; d++) {
        int p = (rank + d) % processes;
        copy_block(out[p], lines_of(p), row_tile(p), row_stride, lines, lines_of(p));
        send_tile(p);
    }
    copy_block(column_tile(rank), column_stride, row_tile(rank), row_stride, lines, lines);
    for (int p; MPI_Waitany(processes, requests, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED;)
        copy_block(column_tile(p), column_stride, in[p], lines, lines_of(p), lines);
    MPI_Waitall(processes, requests + processes, MPI_STATUSES_IGNORE);
}

static void columns_to_rows(void) {
    receive_tiles();
    for (int d = 1; d < processes; d++) {
        int p = (rank + d) % processes;
        copy_block(out[p], lines, column_tile(p), column_stride, lines_of(p), lines);
        send_tile(p);
    }
    copy_block(row_tile(rank), row_stride, column_tile(rank), column_stride, lines, lines);
    for (int p; MPI_Waitany(processes, requests, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED;)
        copy_block(row_tile(p), row_stride, in[p], lines_of(p), lines, lines_of(p));
    MPI_Waitall(processes, requests + processes, MPI_STATUSES_IGNORE);
}

static void solve_rows(long from, long to) {
    for (long i = from; i < to; i++) {
        const double *restrict u = by_rows + i * row_stride, *up = u - row_stride, *down = u + row_stride;
        double *restrict w = r + i * row_stride;
        for (long j = 1; j <= n; j++) w[j] = u[j] + RATIO * (up[j] - 2 * u[j] + down[j]);
        for (long j = 1; j <= n; j++) w[j] = (w[j] / RATIO + w[j - 1]) * f[j];
        for (long j = n - 1; j >= 1; j--) w[j] += f[j] * w[j + 1];
    }
}

static void half_step_by_rows(void) {
    MPI_Request halo[4];
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < processes - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Irecv(by_rows + 1, (int)n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &halo[0]);
    MPI_Irecv(by_rows + (lines + 1) * row_stride + 1, (int)n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &halo[1]);
    MPI_Isend(by_rows + lines * row_stride + 1, (int)n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &halo[2]);
    MPI_Isend(by_rows + row_stride + 1, (int)n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &halo[3]);
    solve_rows(2, lines);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    solve_rows(1, 2);
    if (lines > 1) solve_rows(lines, lines + 1);
    copy_block(by_rows + row_stride + 1, row_stride, r + row_stride + 1, row_stride, lines, n);
}

static void half_step_by_columns(void) {
    MPI_Request halo[4];
    MPI_Datatype column;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < processes - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Type_vector((int)n, 1, (int)column_stride, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double *u = by_columns + column_stride;
    MPI_Irecv(u, 1, column, left, 1, MPI_COMM_WORLD, &halo[0]);
    MPI_Irecv(u + lines + 1, 1, column, right, 2, MPI_COMM_WORLD, &halo[1]);
    MPI_Isend(u + lines, 1, column, right, 1, MPI_COMM_WORLD, &halo[2]);
    MPI_Isend(u + 1, 1, column, left, 2, MPI_COMM_WORLD, &halo[3]);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    for (long i = 1; i <= n; i++) {
        const double *restrict from = by_columns + i * column_stride;
        double *restrict w = c + i * column_stride;
        for (long j = 1; j <= lines; j++)
            w[j] =
                ((from[j] + RATIO * (from[j - 1] - 2 * from[j] + from[j + 1])) / RATIO + w[j - column_stride]) * f[i];
    }
    memcpy(by_columns + n * column_stride + 1, c + n * column_stride + 1, (size_t)lines * sizeof *c);
    for (long i = n - 1; i >= 1; i--) {
        double *restrict w = c + i * column_stride, *restrict to = by_columns + i * column_stride;
        for (long j = 1; j <= lines; j++) to[j] = w[j] += f[i] * w[j + column_stride];
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    n = argument(argc, argv, 1, 512);
    long steps = argument(argc, argv, 2, 6);
    create();
    double *x = sine_mode(n, 3) + first, *y = sine_mode(n, 5), start = 0, error = 0, squares = 0;

    for (long k = 1; k <= n; k++) f[k] = RATIO / (1 + 2 * RATIO - RATIO * f[k - 1]);
    for (long i = 1; i <= lines; i++)
        for (long j = 1; j <= n; j++) by_rows[i * row_stride + j] = x[i] * y[j];
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        half_step_by_rows();
        rows_to_columns();
        half_step_by_columns();
        columns_to_rows();
    }
    double seconds = now() - start;

    double p = 2 * RATIO * (1 - cosine(n, 3)), q = 2 * RATIO * (1 - cosine(n, 5));
    double factor = pow((1 - p) / (1 + q) * (1 - q) / (1 + p), (double)(steps + 1));
    for (long i = 1; i <= lines; i++) {
        for (long j = 1; j <= n; j++) {
            double at = by_rows[i * row_stride + j];
            error = fmax(error, fabs(at - factor * x[i] * y[j]));
            squares += at * at;
        }
    }
    return report_all("adi", seconds, sum_over_all(squares), maximum_over_all(error) < 1e-11);
}

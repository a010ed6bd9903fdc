/* Matrix product by hand: see matmul.dpc. SUMMA: panels of A are broadcast along rows of the grid, panels of B along
 * columns; the next panels travel while the current ones are multiplied. A panel lies within one block of A's columns
 * and of B's rows. */
#include "matmul_kernel.h"
#include "mpi_program.h"

enum { PANEL = 64 };

static int dims[2], at[2];
static MPI_Comm along_row, along_column;

static long row_start(long n, int p) {
    return part_start(n, p, dims[0]);
}
static long column_start(long n, int p) {
    return part_start(n, p, dims[1]);
}

typedef struct {
    long first, count;
    double *a, *b; /* rows here x count; count x columns here */
    MPI_Request requests[2];
} panel;

static void start_panel(panel *p, long n, long first, const double *a, const double *b) {
    int a_owner = 0, b_owner = 0;
    long rows = row_start(n, at[0] + 1) - row_start(n, at[0]),
         columns = column_start(n, at[1] + 1) - column_start(n, at[1]);
    while (column_start(n, a_owner + 1) <= first) a_owner++;
    while (row_start(n, b_owner + 1) <= first) b_owner++;
    long end = first + PANEL;
    if (end > column_start(n, a_owner + 1)) end = column_start(n, a_owner + 1);
    if (end > row_start(n, b_owner + 1)) end = row_start(n, b_owner + 1);
    p->first = first, p->count = end - first;
    if (a_owner == at[1])
        for (long i = 0; i < rows; i++)
            memcpy(p->a + i * p->count, a + i * columns + first - column_start(n, a_owner),
                   (size_t)p->count * sizeof *a);
    if (b_owner == at[0])
        memcpy(p->b, b + (first - row_start(n, b_owner)) * columns, (size_t)(p->count * columns) * sizeof *b);
    p->requests[0] = p->requests[1] = MPI_REQUEST_NULL;
    if (dims[1] > 1) MPI_Ibcast(p->a, (int)(rows * p->count), MPI_DOUBLE, a_owner, along_row, &p->requests[0]);
    if (dims[0] > 1) MPI_Ibcast(p->b, (int)(p->count * columns), MPI_DOUBLE, b_owner, along_column, &p->requests[1]);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 512), wrong = 0;
    int periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Dims_create(processes, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    MPI_Cart_sub(grid, (int[2]){0, 1}, &along_row);
    MPI_Cart_sub(grid, (int[2]){1, 0}, &along_column);
    long i0 = row_start(n, at[0]), j0 = column_start(n, at[1]);
    long rows = row_start(n, at[0] + 1) - i0, columns = column_start(n, at[1] + 1) - j0;
    double *a = allocate(rows * columns, sizeof *a), *b = allocate(rows * columns, sizeof *b);
    double *c = allocate(rows * columns, sizeof *c), total = 0;
    panel panels[2];
    for (int k = 0; k < 2; k++)
        panels[k].a = allocate(rows * PANEL, sizeof *a), panels[k].b = allocate(PANEL * columns, sizeof *b);

    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            a[i * columns + j] = (double)(i0 + i - j0 - j), b[i * columns + j] = (double)(i0 + i + j0 + j);
            c[i * columns + j] = -1;
        }
    }
    double start = now();
    for (long i = 0; i < rows * columns; i++) c[i] = 0;
    if (processes == 1) {
        multiply_add(n, n, n, c, n, a, n, b, n);
    } else {
        panel *now_used = &panels[0], *next = &panels[1];
        start_panel(now_used, n, 0, a, b);
        for (;;) {
            long after = now_used->first + now_used->count;
            MPI_Waitall(2, now_used->requests, MPI_STATUSES_IGNORE);
            if (after < n) start_panel(next, n, after, a, b);
            multiply_add(rows, columns, now_used->count, c, columns, now_used->a, now_used->count, now_used->b,
                         columns);
            if (after >= n) break;
            panel *other = now_used;
            now_used = next, next = other;
        }
    }
    double seconds = now() - start;

    double s1 = (double)(n * (n - 1) / 2), s2 = (double)((n - 1) * n * (2 * n - 1) / 6);
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            long gi = i0 + i, gj = j0 + j;
            wrong += c[i * columns + j] != (double)gi * s1 + (double)(gi * gj * n) - s2 - (double)gj * s1;
            total += c[i * columns + j] * (double)(gi % 3);
        }
    }
    return report_all("matmul", seconds, sum_over_all(total), maximum_over_all((double)wrong) == 0);
}

/* LU factorisation by hand: see lu.dpc. The owners of row k broadcast it, with the pivot, along their columns of the
 * grid; the owners of column k divide it and broadcast it along their rows. */
#include "mpi_program.h"

#ifndef BLOCK
#define BLOCK 32
#endif
#define POWER(k) ((double)(1 << (k)))
#define LOWER(i, j) ((i) < (j) ? 0 : POWER((i) % 5) / POWER((j) % 5))
#define UPPER(i, j) ((i) > (j) ? 0 : POWER((i) % 5) * POWER((j) % 3))

static int dims[2], at[2];
static MPI_Comm along_row, along_column; /* the processes of my row of the grid, of my column */
static long rows, columns;               /* of the matrix, here */

static void create_grid(long n) {
    int periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Dims_create(processes, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    MPI_Cart_sub(grid, (int[2]){0, 1}, &along_row);
    MPI_Cart_sub(grid, (int[2]){1, 0}, &along_column);
    rows = cyclic_count(n, BLOCK, at[0], dims[0]);
    columns = cyclic_count(n, BLOCK, at[1], dims[1]);
}

static void factorise(long n, double *a, double *column, double *row) {
    for (long k = 0; k < n - 1; k++) {
        int row_owner = cyclic_owner(k, BLOCK, dims[0]), column_owner = cyclic_owner(k, BLOCK, dims[1]);
        long i0 = cyclic_count(k + 1, BLOCK, at[0], dims[0]), j0 = cyclic_count(k + 1, BLOCK, at[1], dims[1]);
        long with_pivot = cyclic_count(k, BLOCK, at[1], dims[1]); /* j0, but one less where column k is */
        double *pivot_row = at[0] == row_owner ? a + cyclic_local(k, BLOCK, dims[0]) * columns : row;
        if (dims[0] > 1)
            MPI_Bcast(pivot_row + with_pivot, (int)(columns - with_pivot), MPI_DOUBLE, row_owner, along_column);
        if (at[1] == column_owner)
            for (long i = i0; i < rows; i++) column[i] = a[i * columns + with_pivot] /= pivot_row[with_pivot];
        if (dims[1] > 1) MPI_Bcast(column + i0, (int)(rows - i0), MPI_DOUBLE, column_owner, along_row);
        for (long i = i0; i < rows; i++) {
            double *restrict line = a + i * columns;
            const double *restrict from = pivot_row;
            double factor = column[i];
            for (long j = j0; j < columns; j++) line[j] -= factor * from[j];
        }
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 768), wrong = 0;
    create_grid(n);
    double *a = allocate(rows * columns, sizeof *a), *column = allocate(rows, sizeof *column);
    double *row = allocate(columns, sizeof *row), total = 0;

#define GLOBAL_I cyclic_global(i, BLOCK, at[0], dims[0])
#define GLOBAL_J cyclic_global(j, BLOCK, at[1], dims[1])
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            long gi = GLOBAL_I, gj = GLOBAL_J;
            a[i * columns + j] = POWER(gi % 5) * POWER(gj % 3) * (double)((gi < gj ? gi : gj) + 1);
        }
    }
    double start = now();
    factorise(n, a, column, row);
    double seconds = now() - start;

    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            long gi = GLOBAL_I, gj = GLOBAL_J;
            wrong += a[i * columns + j] != (gi > gj ? LOWER(gi, gj) : UPPER(gi, gj));
            total += a[i * columns + j] * (double)((gi + 2 * gj) % 7);
        }
    }
    return report_all("lu", seconds, sum_over_all(total), maximum_over_all((double)wrong) == 0);
}

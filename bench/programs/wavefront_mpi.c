/* A wavefront by hand: see wavefront.dpc. Rows are divided; each process waits for a piece of the row above its own,
 * computes as wide a piece of its rows, and sends that of its last row on. */
#include "mpi_program.h"
#include "wavefront.h"

#define WIDTH 64 /* of 32, 64, ... 512 the fastest on 2 processes */

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long n = argument(argc, argv, 1, 2048), steps = argument(argc, argv, 2, 4);
    long first = part_start(n, rank, processes), rows = part_start(n, rank + 1, processes) - first;
    double(*a)[n + 1] = allocate(rows + 1, sizeof *a), start = 0, error = 0, sum = 0;
    double *p = powers(n, P) + first, *q = powers(n, Q);
    MPI_Request *sent = allocate(n / WIDTH + 1, sizeof *sent);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < processes - 1 ? rank + 1 : MPI_PROC_NULL;

    for (long i = 0; i <= rows; i++) a[i][0] = p[i];
    for (long j = 0; j <= n && rank == 0; j++) a[0][j] = q[j];
    for (long s = -1; s < steps; s++) {
        int count = 0;
        if (s == 0) start = now();
        for (long from = 1; from <= n; from += WIDTH) {
            const long end = from + WIDTH <= n + 1 ? from + WIDTH : n + 1;
            MPI_Recv(&a[0][from], (int)(end - from), MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (long i = 1; i <= rows; i++)
                for (long j = from; j < end; j++) a[i][j] = 0.5 * (a[i - 1][j] + a[i][j - 1]);
            MPI_Isend(&a[rows][from], (int)(end - from), MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &sent[count++]);
        }
        MPI_Waitall(count, sent, MPI_STATUSES_IGNORE);
    }
    double seconds = now() - start;

    for (long i = 1; i <= rows; i++) {
        for (long j = 1; j <= n; j++) {
            error = fmax(error, fabs(a[i][j] - p[i] * q[j]) / (p[i] * q[j]));
            sum += a[i][j];
        }
    }
    return report_all("wavefront", seconds, sum_over_all(sum) / (double)(n * n), maximum_over_all(error) < 1e-10);
}

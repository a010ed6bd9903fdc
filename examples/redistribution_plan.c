/* Redistribution from C and MPI without the compiler: a 1000 x 800 matrix goes from blocks of rows to a block-cyclic
 * mapping and back, ten times with the same plans.
 *
 *     mpicc -I build/include/dpc examples/redistribution_plan.c build/lib/openmpi/libdpc.a -lm
 *     mpirun -n 4 ./a.out */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "redistribution.h"

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, processes, grid[2] = {0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Dims_create(processes, 2, grid);

    const dpc_index extents[] = {1000, 800};
    const dpc_mapping rows = dpc_map(2, extents, (dpc_format[]){DPC_BLOCK, DPC_STAR}, (int[]){processes, 1});
    const dpc_mapping tiles = dpc_map(2, extents, (dpc_format[]){DPC_CYCLIC(64), DPC_CYCLIC(32)}, grid);
    const dpc_index mine = dpc_mapped_elements(&rows, me);
    double *a = malloc((size_t)(mine + 1) * sizeof *a);
    double *b = malloc((size_t)(dpc_mapped_elements(&tiles, me) + 1) * sizeof *b);
    for (dpc_index k = 0; k < mine; k++) a[k] = (double)(me * 1000000 + k);

    dpc_redistribution *there = dpc_plan_redistribution(MPI_COMM_WORLD, &rows, &tiles, sizeof *a, NULL);
    dpc_redistribution *back = dpc_plan_redistribution(MPI_COMM_WORLD, &tiles, &rows, sizeof *a, NULL);
    dpc_print_plan(there, stderr);
    for (int turn = 0; turn < 10; turn++) {
        dpc_execute(there, a, b);
        dpc_execute(back, b, a);
    }

    long long wrong = 0, all;
    for (dpc_index k = 0; k < mine; k++) wrong += a[k] != (double)(me * 1000000 + k);
    MPI_Reduce(&wrong, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) printf("%lld elements are wrong\n", all);
    dpc_free_redistribution(there);
    dpc_free_redistribution(back);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}

/* What programs on simulated processes have in common. */
#ifndef DPC_BENCH_SIMULATED_H
#define DPC_BENCH_SIMULATED_H

#include <mpi.h>
#include <unistd.h>

static inline double greatest(double x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

/* All processes go on at the same simulated time: they leave a barrier one after the other. */
static inline void start_together(void) {
    const double start = greatest(MPI_Wtime()) + 0.1;
    usleep((useconds_t)(1e6 * (start - MPI_Wtime())));
}

#endif

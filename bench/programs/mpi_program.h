/* What the hand-written MPI programs of bench/programs share: start and end, time, and block arithmetic. */
#ifndef MPI_PROGRAM_H
#define MPI_PROGRAM_H

#include <mpi.h>
#include <string.h>

#include "program.h"

static int rank, processes;

static inline void start_mpi(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
}

/* The same time on every process: process 0's, as dpc_wtime, when all have come here. */
static inline double now(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    double t = MPI_Wtime();
    MPI_Bcast(&t, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return t;
}

static inline double sum_over_all(double x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return x;
}

static inline double maximum_over_all(double x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

/* Reports on process 0 and ends MPI; the program's exit status. */
static inline int report_all(const char *name, double seconds, double checksum, int right) {
    int status = rank == 0 ? report(name, seconds, checksum, right) : !right;
    MPI_Finalize();
    return status;
}

/* Where the part of process p begins when n elements are shared out evenly to q processes in order. */
static inline long part_start(long n, long p, long q) {
    return n * p / q;
}

/* Owner, local index and number of elements under cyclic(block). */
static inline int cyclic_owner(long i, long block, int q) {
    return (int)(i / block % q);
}
static inline long cyclic_local(long i, long block, int q) {
    return i / (block * q) * block + i % block;
}
static inline long cyclic_global(long local, long block, int p, int q) {
    return (local / block * q + p) * block + local % block;
}
/* How many elements below n process p owns: also the first local index whose element is not below n. */
static inline long cyclic_count(long n, long block, int p, int q) {
    long whole = n / (block * q) * block, rest = n % (block * q) - p * block;
    return whole + (rest < 0 ? 0 : rest > block ? block : rest);
}

#endif

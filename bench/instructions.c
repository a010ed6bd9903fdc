/* Counts the instructions that a program under SimGrid spends outside MPI, of all its processes together.  Run under
 * `valgrind --tool=callgrind --collect-atstart=no` with `--cfg=contexts/factory:thread`; without valgrind it counts
 * nothing.  Every process calls both functions; each pair of calls has one file written. */
#include "instructions.h"

#include <mpi.h>
#include <valgrind/callgrind.h>

static int counting;

/* MPI's own instructions are SimGrid's. */
static void leave(void) {
    if (counting) CALLGRIND_TOGGLE_COLLECT;
}

static int come_back(int result) {
    if (counting) CALLGRIND_TOGGLE_COLLECT;
    return result;
}

int instructions_are_counted(void) {
    return RUNNING_ON_VALGRIND > 0;
}

void count_begin(void) {
    counting = 1;
    CALLGRIND_TOGGLE_COLLECT;
}

void count_end(void) {
    int rank;
    CALLGRIND_TOGGLE_COLLECT;
    counting = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) CALLGRIND_DUMP_STATS;
    PMPI_Barrier(MPI_COMM_WORLD);
}

double MPI_Wtime(void) {
    leave();
    const double seconds = PMPI_Wtime();
    come_back(0);
    return seconds;
}

#define OUTSIDE(name, parameters, arguments)                                                                           \
    int MPI_##name parameters {                                                                                        \
        leave();                                                                                                       \
        return come_back(PMPI_##name arguments);                                                                       \
    }

OUTSIDE(Isend, (const void *d, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r), (d, n, t, p, g, c, r))
OUTSIDE(Irsend, (const void *d, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r), (d, n, t, p, g, c, r))
OUTSIDE(Issend, (const void *d, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r), (d, n, t, p, g, c, r))
OUTSIDE(Irecv, (void *d, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r), (d, n, t, p, g, c, r))
OUTSIDE(Send, (const void *d, int n, MPI_Datatype t, int p, int g, MPI_Comm c), (d, n, t, p, g, c))
OUTSIDE(Recv, (void *d, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Status *s), (d, n, t, p, g, c, s))
OUTSIDE(Probe, (int p, int g, MPI_Comm c, MPI_Status *s), (p, g, c, s))
OUTSIDE(Get_count, (const MPI_Status *s, MPI_Datatype t, int *n), (s, t, n))
OUTSIDE(Wait, (MPI_Request * r, MPI_Status *s), (r, s))
OUTSIDE(Waitany, (int n, MPI_Request *r, int *k, MPI_Status *s), (n, r, k, s))
OUTSIDE(Waitall, (int n, MPI_Request *r, MPI_Status *s), (n, r, s))
OUTSIDE(Barrier, (MPI_Comm c), (c))
OUTSIDE(Bcast, (void *d, int n, MPI_Datatype t, int p, MPI_Comm c), (d, n, t, p, c))
OUTSIDE(Allreduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
OUTSIDE(Allgather, (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, m, u, c))
OUTSIDE(Comm_rank, (MPI_Comm c, int *k), (c, k))
OUTSIDE(Comm_size, (MPI_Comm c, int *k), (c, k))

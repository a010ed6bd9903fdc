/* What a program asks of MPI: collective calls of a process, and messages that it sends; and how long it runs between
 * MPI's start and end.  Linked before the library; process 0 says its own numbers on standard error as the program
 * ends. */
#include <mpi.h>
#include <stdio.h>

static long collectives, messages;
static double started;

#define COLLECTIVE(name, parameters, ...)                                                                              \
    int MPI_##name parameters {                                                                                        \
        collectives++;                                                                                                 \
        return PMPI_##name(__VA_ARGS__);                                                                               \
    }
#define MESSAGE(name, parameters, ...)                                                                                 \
    int MPI_##name parameters {                                                                                        \
        messages++;                                                                                                    \
        return PMPI_##name(__VA_ARGS__);                                                                               \
    }

COLLECTIVE(Barrier, (MPI_Comm comm), comm)
COLLECTIVE(Bcast, (void *at, int count, MPI_Datatype type, int root, MPI_Comm comm), at, count, type, root, comm)
COLLECTIVE(Reduce, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm), from,
           to, count, type, op, root, comm)
COLLECTIVE(Allreduce, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), from, to,
           count, type, op, comm)
COLLECTIVE(Exscan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), from, to,
           count, type, op, comm)
COLLECTIVE(Allgather,
           (const void *from, int sent, MPI_Datatype send, void *to, int received, MPI_Datatype receive, MPI_Comm comm),
           from, sent, send, to, received, receive, comm)
COLLECTIVE(Alltoall,
           (const void *from, int sent, MPI_Datatype send, void *to, int received, MPI_Datatype receive, MPI_Comm comm),
           from, sent, send, to, received, receive, comm)
COLLECTIVE(Alltoallv,
           (const void *from, const int *sent, const int *begin, MPI_Datatype send, void *to, const int *received,
            const int *place, MPI_Datatype receive, MPI_Comm comm),
           from, sent, begin, send, to, received, place, receive, comm)
MESSAGE(Send, (const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), at, count, type, to, tag,
        comm)
MESSAGE(Isend, (const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request), at,
        count, type, to, tag, comm, request)
MESSAGE(Start, (MPI_Request * request), request)

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    const int status = PMPI_Init_thread(argc, argv, required, provided);
    started = PMPI_Wtime();
    return status;
}

int MPI_Finalize(void) {
    const double seconds = PMPI_Wtime() - started;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fprintf(stderr, "calls: %ld %ld\nms: %.3f\n", collectives, messages, 1e3 * seconds);
    return PMPI_Finalize();
}

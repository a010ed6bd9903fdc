/* Counts what a program sends in its timed part, by MPI's profiling interface: the same counter for translated and for
 * hand-written programs. Linked into the program. The timed part is what lies between the last two calls of MPI_Wtime;
 * at the end process 0 prints the sums over all processes on standard error: counts: MESSAGES BYTES CALLS CONTRIBUTED
 * messages between two processes and their bytes; calls of collective operations and the bytes that the processes give
 * to them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES, BYTES, CALLS, CONTRIBUTED, AMOUNTS };

static long counted[AMOUNTS], at_mark[2][AMOUNTS];

static long size_of(MPI_Datatype type) {
    int size;
    PMPI_Type_size(type, &size);
    return size;
}

static void message(long count, MPI_Datatype type, int partner) {
    if (partner == MPI_PROC_NULL) return;
    counted[MESSAGES]++;
    counted[BYTES] += count * size_of(type);
}

static void collective(long count, MPI_Datatype type) {
    counted[CALLS]++;
    counted[CONTRIBUTED] += count * size_of(type);
}

/* A broadcast's bytes are the root's. */
static long of_root(long count, int root, MPI_Comm comm) {
    int self;
    PMPI_Comm_rank(comm, &self);
    return self == root ? count : 0;
}

static long total_of(const int counts[], MPI_Comm comm) {
    int size;
    long total = 0;
    PMPI_Comm_size(comm, &size);
    for (int p = 0; p < size; p++) total += counts[p];
    return total;
}

static long times_size(long count, MPI_Comm comm) {
    int size;
    PMPI_Comm_size(comm, &size);
    return count * size;
}

double MPI_Wtime(void) {
    for (int k = 0; k < AMOUNTS; k++) at_mark[0][k] = at_mark[1][k], at_mark[1][k] = counted[k];
    return PMPI_Wtime();
}

int MPI_Finalize(void) {
    long mine[AMOUNTS], all[AMOUNTS];
    int self;
    for (int k = 0; k < AMOUNTS; k++) mine[k] = at_mark[1][k] - at_mark[0][k];
    PMPI_Comm_rank(MPI_COMM_WORLD, &self);
    PMPI_Reduce(mine, all, AMOUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (self == 0)
        fprintf(stderr, "counts: %ld %ld %ld %ld\n", all[MESSAGES], all[BYTES], all[CALLS], all[CONTRIBUTED]);
    return PMPI_Finalize();
}

/* ---- Between two processes */

int MPI_Send(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
    message(n, t, to);
    return PMPI_Send(b, n, t, to, tag, c);
}

int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) {
    message(n, t, to);
    return PMPI_Isend(b, n, t, to, tag, c, r);
}

int MPI_Sendrecv(const void *b, int n, MPI_Datatype t, int to, int tag, void *b2, int n2, MPI_Datatype t2, int from,
                 int tag2, MPI_Comm c, MPI_Status *s) {
    message(n, t, to);
    return PMPI_Sendrecv(b, n, t, to, tag, b2, n2, t2, from, tag2, c, s);
}

/* Persistent sends are counted when they start. */
static struct {
    MPI_Request request;
    long count;
    MPI_Datatype type;
    int to;
} * prepared;
static int prepared_count;

int MPI_Send_init(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) {
    int status = PMPI_Send_init(b, n, t, to, tag, c, r), k = 0;
    while (k < prepared_count && prepared[k].request != *r) k++; /* a handle may come again after it is freed */
    if (k == prepared_count) {
        prepared = realloc(prepared, (size_t)++prepared_count * sizeof *prepared);
        if (prepared == NULL) PMPI_Abort(MPI_COMM_WORLD, 3);
    }
    prepared[k].request = *r, prepared[k].count = n, prepared[k].type = t, prepared[k].to = to;
    return status;
}

int MPI_Start(MPI_Request *r) {
    for (int k = 0; k < prepared_count; k++)
        if (prepared[k].request == *r) message(prepared[k].count, prepared[k].type, prepared[k].to);
    return PMPI_Start(r);
}

int MPI_Startall(int n, MPI_Request r[]) {
    int status = MPI_SUCCESS;
    for (int k = 0; k < n && status == MPI_SUCCESS; k++) status = MPI_Start(&r[k]);
    return status;
}

/* ---- Collective operations */

int MPI_Barrier(MPI_Comm c) {
    collective(0, MPI_BYTE);
    return PMPI_Barrier(c);
}

int MPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c) {
    collective(of_root(n, root, c), t);
    return PMPI_Bcast(b, n, t, root, c);
}

int MPI_Ibcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *r) {
    collective(of_root(n, root, c), t);
    return PMPI_Ibcast(b, n, t, root, c, r);
}

int MPI_Reduce(const void *b, void *b2, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
    collective(n, t);
    return PMPI_Reduce(b, b2, n, t, op, root, c);
}

int MPI_Allreduce(const void *b, void *b2, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    collective(n, t);
    return PMPI_Allreduce(b, b2, n, t, op, c);
}

int MPI_Iallreduce(const void *b, void *b2, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request *r) {
    collective(n, t);
    return PMPI_Iallreduce(b, b2, n, t, op, c, r);
}

int MPI_Reduce_scatter_block(const void *b, void *b2, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    collective(times_size(n, c), t);
    return PMPI_Reduce_scatter_block(b, b2, n, t, op, c);
}

int MPI_Gather(const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, int root, MPI_Comm c) {
    collective(n, t);
    return PMPI_Gather(b, n, t, b2, n2, t2, root, c);
}

int MPI_Gatherv(const void *b, int n, MPI_Datatype t, void *b2, const int *n2, const int *d2, MPI_Datatype t2, int root,
                MPI_Comm c) {
    collective(n, t);
    return PMPI_Gatherv(b, n, t, b2, n2, d2, t2, root, c);
}

int MPI_Allgather(const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, MPI_Comm c) {
    collective(b == MPI_IN_PLACE ? n2 : n, b == MPI_IN_PLACE ? t2 : t);
    return PMPI_Allgather(b, n, t, b2, n2, t2, c);
}

int MPI_Allgatherv(const void *b, int n, MPI_Datatype t, void *b2, const int *n2, const int *d2, MPI_Datatype t2,
                   MPI_Comm c) {
    int self;
    PMPI_Comm_rank(c, &self);
    collective(b == MPI_IN_PLACE ? n2[self] : n, b == MPI_IN_PLACE ? t2 : t);
    return PMPI_Allgatherv(b, n, t, b2, n2, d2, t2, c);
}

int MPI_Alltoall(const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, MPI_Comm c) {
    collective(times_size(n, c), t);
    return PMPI_Alltoall(b, n, t, b2, n2, t2, c);
}

int MPI_Alltoallv(const void *b, const int *n, const int *d, MPI_Datatype t, void *b2, const int *n2, const int *d2,
                  MPI_Datatype t2, MPI_Comm c) {
    collective(total_of(n, c), t);
    return PMPI_Alltoallv(b, n, d, t, b2, n2, d2, t2, c);
}

int MPI_Scatterv(const void *b, const int *n, const int *d, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, int root,
                 MPI_Comm c) {
    collective(of_root(1, root, c) ? total_of(n, c) : 0, t);
    return PMPI_Scatterv(b, n, d, t, b2, n2, t2, root, c);
}

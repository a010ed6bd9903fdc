/* One array of 10^6 doubles from block to cyclic(63) by hand: C + MPI as an expert writes it.
 *
 * Each process walks the blocks of 63 that its own part holds, which fall to the processes in turn: what goes to a process
 * is packed as runs; what comes from one is a single contiguous piece of every block, in ascending order.  Counts and
 * displacements are computed once; what stays is copied once. */
#include <mpi.h>
#include <string.h>

#include "bench.h"

#define N 1000000L
#define BLOCK 63L

static int rank, processes;
static double *old, *new, *out;
static int *out_count, *out_start, *in_count;
static MPI_Request *requests;

static long minimum(long a, long b) { return a < b ? a : b; }
static long part(void) { return (N + processes - 1) / processes; }
static long lower(int p) { return minimum(p * part(), N); }
static int owner(long i) { return (int)(i / BLOCK % processes); }
static long local_index(long i) { return i / (BLOCK * processes) * BLOCK + i % BLOCK; }

static void *allocate(long count, size_t size) {
    void *p = calloc((size_t)count + 1, size);
    if (!p) MPI_Abort(MPI_COMM_WORLD, 3);
    return p;
}

/* The first element at or after i that process p owns under cyclic(BLOCK). */
static long next_of(long i, int p) {
    int ahead = (p - owner(i) + processes) % processes;
    return ahead == 0 ? i : (i / BLOCK + ahead) * BLOCK;
}

/* Elements of low .. high-1 that process p owns under cyclic(BLOCK). */
static int count_of(long low, long high, int p) {
    long count = 0;
    for (long i = next_of(low, p); i < high; i = next_of((i / BLOCK + 1) * BLOCK, p))
        count += minimum((i / BLOCK + 1) * BLOCK, high) - i;
    return (int)count;
}

static void make_plan(void) {
    out_count = allocate(processes, sizeof(int)), out_start = allocate(processes, sizeof(int));
    in_count = allocate(processes, sizeof(int));
    requests = allocate(2 * processes, sizeof(MPI_Request));
    for (int p = 0; p < processes; p++) {
        out_count[p] = count_of(lower(rank), lower(rank + 1), p);
        in_count[p] = count_of(lower(p), lower(p + 1), rank);
        if (p > 0) out_start[p] = out_start[p - 1] + out_count[p - 1];
    }
    out = allocate(part(), sizeof(double));
}

/* Where the elements of process p's old part that are this process's now begin: new parts are ascending, so they are contiguous. */
static double *arrives_at(int p) { return in_count[p] ? new + local_index(next_of(lower(p), rank)) : new; }

static void pack(int p, double *restrict to) {
    long high = lower(rank + 1), low = lower(rank);
    for (long i = next_of(low, p); i < high;) {
        long end = minimum((i / BLOCK + 1) * BLOCK, high);
        memcpy(to, old + (i - low), (size_t)(end - i) * sizeof(double));
        to += end - i;
        i = (i / BLOCK + processes) * BLOCK;
    }
}

static void redistribute(void) {
    for (int p = 0; p < processes; p++) {
        requests[p] = requests[processes + p] = MPI_REQUEST_NULL;
        if (p != rank && in_count[p]) MPI_Irecv(arrives_at(p), in_count[p], MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &requests[p]);
    }
    for (int k = 1; k < processes; k++) {
        int p = (rank + k) % processes;
        if (out_count[p] == 0) continue;
        pack(p, out + out_start[p]);
        MPI_Isend(out + out_start[p], out_count[p], MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &requests[processes + p]);
    }
    if (in_count[rank]) pack(rank, arrives_at(rank));
    MPI_Waitall(2 * processes, requests, MPI_STATUSES_IGNORE);
}

static int is_right(void) {
    int right = 1;
    for (long i = next_of(0, rank); i < N; i = next_of(i + 1, rank))
        if (new[local_index(i)] != (double)i) right = 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right;
}

static double now(void) {
    double t = MPI_Wtime();
    MPI_Bcast(&t, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return t;
}

int main(int argc, char **argv) {
    double samples[SAMPLES];
    int right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    old = allocate(part(), sizeof(double));
    new = allocate((N / (BLOCK * processes) + 1) * BLOCK, sizeof(double));
    for (long i = lower(rank); i < lower(rank + 1); i++) old[i - lower(rank)] = (double)i;
    make_plan();
    for (int s = 0; s < SAMPLES; s++) {
        memset(new, 0, (size_t)((N / (BLOCK * processes) + 1) * BLOCK) * sizeof(double));
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now();
        redistribute();
        MPI_Barrier(MPI_COMM_WORLD);
        samples[s] = now() - start;
        right &= is_right();
    }
    if (rank == 0) bench_report("redistribute_mpi", samples, right);
    MPI_Finalize();
    return 0;
}

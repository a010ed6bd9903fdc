/* The saxpy of examples/saxpy.dpc by hand: C + MPI as an expert writes it.
 *
 * A is cyclic(63), C is cyclic(42).  The iterations fall into runs in which neither array changes its block.  A run's owner of
 * A computes; the owner of C sends.  The runs are found once; each saxpy posts its receives, packs and sends, computes
 * what is local, then takes the messages as they come. */
#include <mpi.h>
#include <string.h>

#include "bench.h"
#include "saxpy.h"

/* count iterations: a and c are local indices of the first one's elements. */
typedef struct {
    long a, c, count;
} run;

typedef struct {
    run *runs;
    long count, room, elements;
    double *buffer;
} run_list;

static int rank, processes;
static double *A, *C;
static run_list local;            /* A and C are here */
static run_list *to, *from;       /* per process: C is here, A there; A here, C there */
static MPI_Request *receives, *sends;

static long local_index(long i, long block) { return i / (block * processes) * block + i % block; }
static int owner(long i, long block) { return (int)(i / block % processes); }
static long local_extent(long extent, long block) { return (extent / (block * processes) + 1) * block; }
static long minimum(long a, long b) { return a < b ? a : b; }

static void append(run_list *l, run r) {
    if (l->count == l->room) {
        l->room = 2 * l->room + 16;
        l->runs = realloc(l->runs, (size_t)l->room * sizeof(run));
        if (!l->runs) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    l->runs[l->count++] = r;
    l->elements += r.count;
}

static void *allocate(long count, size_t size) {
    void *p = calloc((size_t)count + 1, size);
    if (!p) MPI_Abort(MPI_COMM_WORLD, 3);
    return p;
}

/* Iterations until the block of element `at` ends. */
static long until_end(long at, long stride, long block) { return (block - at % block + stride - 1) / stride; }

static void make_plan(void) {
    to = allocate(processes, sizeof *to);
    from = allocate(processes, sizeof *from);
    receives = allocate(processes, sizeof *receives);
    sends = allocate(processes, sizeof *sends);
    for (long i = 0, count; i < ITERATIONS; i += count) {
        long a = A_FIRST + A_STRIDE * i, c = C_FIRST + C_STRIDE * i;
        count = minimum(until_end(a, A_STRIDE, A_BLOCK), until_end(c, C_STRIDE, C_BLOCK));
        count = minimum(count, ITERATIONS - i);
        int here = owner(a, A_BLOCK), there = owner(c, C_BLOCK);
        run r = {local_index(a, A_BLOCK), local_index(c, C_BLOCK), count};
        if (here == rank && there == rank) append(&local, r);
        else if (here == rank) append(&from[there], r);
        else if (there == rank) append(&to[here], r);
    }
    for (int p = 0; p < processes; p++) {
        to[p].buffer = allocate(to[p].elements, sizeof(double));
        from[p].buffer = allocate(from[p].elements, sizeof(double));
    }
}

static void pack(const run_list *l) {
    double *restrict out = l->buffer;
    for (long k = 0; k < l->count; k++) {
        const double *restrict c = C + l->runs[k].c;
        for (long i = 0; i < l->runs[k].count; i++) *out++ = c[C_STRIDE * i];
    }
}

static void compute_local(double alpha) {
    for (long k = 0; k < local.count; k++) {
        double *restrict a = A + local.runs[k].a;
        const double *restrict c = C + local.runs[k].c;
        for (long i = 0; i < local.runs[k].count; i++) a[A_STRIDE * i] += alpha * c[C_STRIDE * i];
    }
}

static void compute_from(const run_list *l, double alpha) {
    const double *restrict in = l->buffer;
    for (long k = 0; k < l->count; k++) {
        double *restrict a = A + l->runs[k].a;
        for (long i = 0; i < l->runs[k].count; i++) a[A_STRIDE * i] += alpha * *in++;
    }
}

static void saxpy(double alpha) {
    for (int p = 0; p < processes; p++) {
        receives[p] = sends[p] = MPI_REQUEST_NULL;
        if (from[p].elements) MPI_Irecv(from[p].buffer, (int)from[p].elements, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &receives[p]);
    }
    for (int p = 0; p < processes; p++) {
        if (to[p].elements == 0) continue;
        pack(&to[p]);
        MPI_Isend(to[p].buffer, (int)to[p].elements, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &sends[p]);
    }
    compute_local(alpha);
    for (int p; MPI_Waitany(processes, receives, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED;) compute_from(&from[p], alpha);
    MPI_Waitall(processes, sends, MPI_STATUSES_IGNORE);
}

static int is_right(void) {
    int right = 1;
    for (long i = 0; i < A_EXTENT; i++) {
        if (owner(i, A_BLOCK) != rank) continue;
        long k = (i - A_FIRST) / A_STRIDE;
        double want = A_START(i);
        if (i >= A_FIRST && (i - A_FIRST) % A_STRIDE == 0) want += SAMPLES * BATCH * ALPHA * C_START(C_FIRST + C_STRIDE * k);
        if (A[local_index(i, A_BLOCK)] != want) right = 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right;
}

/* The same time on every process: process 0's, as dpc_wtime. */
static double now(void) {
    double t = MPI_Wtime();
    MPI_Bcast(&t, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return t;
}

int main(int argc, char **argv) {
    double samples[SAMPLES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    A = allocate(local_extent(A_EXTENT, A_BLOCK), sizeof(double));
    C = allocate(local_extent(C_EXTENT, C_BLOCK), sizeof(double));
    for (long i = 0; i < A_EXTENT; i++)
        if (owner(i, A_BLOCK) == rank) A[local_index(i, A_BLOCK)] = A_START(i);
    for (long i = 0; i < C_EXTENT; i++)
        if (owner(i, C_BLOCK) == rank) C[local_index(i, C_BLOCK)] = C_START(i);
    make_plan();
    for (int s = 0; s < SAMPLES; s++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now();
        for (int k = 0; k < BATCH; k++) saxpy(ALPHA);
        MPI_Barrier(MPI_COMM_WORLD);
        samples[s] = (now() - start) / BATCH;
    }
    int right = is_right();
    if (rank == 0) bench_report("saxpy_mpi", samples, right);
    MPI_Finalize();
    return 0;
}

/* Strided saxpy by hand: see saxpy.dpc.
 *
 * The iterations fall into runs in which neither array changes its block.  A run's owner of A computes; the owner of C
 * sends. The runs are found once; each saxpy posts its receives, packs and sends, computes what is local, then takes
 * the messages as they come. */
#include "mpi_program.h"
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

static double *A, *C;
static run_list local;      /* A and C are here */
static run_list *to, *from; /* per process: C is here, A there; A here, C there */
static MPI_Request *receives, *sends;

static long minimum(long a, long b) {
    return a < b ? a : b;
}

static void append(run_list *l, run r) {
    if (l->count == l->room) {
        l->room = 2 * l->room + 16;
        l->runs = realloc(l->runs, (size_t)l->room * sizeof(run));
        if (!l->runs) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    l->runs[l->count++] = r;
    l->elements += r.count;
}

/* Iterations until the block of element `at` ends. */
static long until_end(long at, long stride, long block) {
    return (block - at % block + stride - 1) / stride;
}

static void make_plan(long iterations) {
    to = allocate(processes, sizeof *to);
    from = allocate(processes, sizeof *from);
    receives = allocate(processes, sizeof *receives);
    sends = allocate(processes, sizeof *sends);
    for (long i = 0, count; i < iterations; i += count) {
        long a = A_FIRST + A_STRIDE * i, c = C_FIRST + C_STRIDE * i;
        count = minimum(until_end(a, A_STRIDE, A_BLOCK), until_end(c, C_STRIDE, C_BLOCK));
        count = minimum(count, iterations - i);
        int here = cyclic_owner(a, A_BLOCK, processes), there = cyclic_owner(c, C_BLOCK, processes);
        run r = {cyclic_local(a, A_BLOCK, processes), cyclic_local(c, C_BLOCK, processes), count};
        if (here == rank && there == rank)
            append(&local, r);
        else if (here == rank)
            append(&from[there], r);
        else if (there == rank)
            append(&to[here], r);
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
        if (from[p].elements)
            MPI_Irecv(from[p].buffer, (int)from[p].elements, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &receives[p]);
    }
    for (int p = 0; p < processes; p++) {
        if (to[p].elements == 0) continue;
        pack(&to[p]);
        MPI_Isend(to[p].buffer, (int)to[p].elements, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &sends[p]);
    }
    compute_local(alpha);
    for (int p; MPI_Waitany(processes, receives, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED;)
        compute_from(&from[p], alpha);
    MPI_Waitall(processes, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    long count = argument(argc, argv, 1, 80640), steps = argument(argc, argv, 2, 400), wrong = 0;
    long a_count = cyclic_count(A_FIRST + A_STRIDE * count, A_BLOCK, rank, processes);
    long c_count = cyclic_count(C_FIRST + C_STRIDE * count, C_BLOCK, rank, processes);
    double start = 0, total = 0;
    A = allocate(a_count, sizeof *A), C = allocate(c_count, sizeof *C);

    for (long i = 0; i < a_count; i++) A[i] = A_START(cyclic_global(i, A_BLOCK, rank, processes));
    for (long i = 0; i < c_count; i++) C[i] = C_START(cyclic_global(i, C_BLOCK, rank, processes));
    make_plan(count);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = now();
        if (rank == 0) C[0] = (double)s;
        saxpy(ALPHA);
    }
    double seconds = now() - start;

    for (long i = 0; i < a_count; i++) {
        wrong += A[i] != A_WANTED(cyclic_global(i, A_BLOCK, rank, processes), steps + 1);
        total += A[i];
    }
    return report_all("saxpy", seconds, sum_over_all(total), maximum_over_all((double)wrong) == 0);
}

/* The assignment of strided.dpc by hand, the naive way: every process walks all iterations, finds the owners of both
 * elements by division, counts, packs, exchanges with MPI_Alltoallv, walks again and unpacks.  Nothing is kept from one
 * assignment to the next. */
#include <mpi.h>

#include "../bench.h"
#include "strided.h"

static int rank, processes;
static double *T, *C, *out, *in;
static int *out_count, *out_start, *in_count, *in_start, *at;

static long local_index(long i, long block) {
    return i / (block * processes) * block + i % block;
}
static int owner(long i, long block) {
    return (int)(i / block % processes);
}
static long local_extent(long extent, long block) {
    return (extent / (block * processes) + 1) * block;
}

static void *allocate(long count, size_t size) {
    void *p = calloc((size_t)count + 1, size);
    if (!p) MPI_Abort(MPI_COMM_WORLD, 3);
    return p;
}

static void count_messages(void) {
    for (int p = 0; p < processes; p++) out_count[p] = in_count[p] = 0;
    for (long i = 0; i < ITERATIONS; i++) {
        int to = owner(T_FIRST + T_STRIDE * i, B1), from = owner(C_FIRST + C_STRIDE * i, B2);
        if (from == rank) out_count[to]++;
        if (to == rank) in_count[from]++;
    }
    out_start[0] = in_start[0] = 0;
    for (int p = 1; p < processes; p++) {
        out_start[p] = out_start[p - 1] + out_count[p - 1];
        in_start[p] = in_start[p - 1] + in_count[p - 1];
    }
}

static void pack(void) {
    for (int p = 0; p < processes; p++) at[p] = out_start[p];
    for (long i = 0; i < ITERATIONS; i++) {
        long j = C_FIRST + C_STRIDE * i;
        if (owner(j, B2) == rank) out[at[owner(T_FIRST + T_STRIDE * i, B1)]++] = C[local_index(j, B2)];
    }
}

static void unpack(void) {
    for (int p = 0; p < processes; p++) at[p] = in_start[p];
    for (long i = 0; i < ITERATIONS; i++) {
        long k = T_FIRST + T_STRIDE * i;
        if (owner(k, B1) == rank) T[local_index(k, B1)] = in[at[owner(C_FIRST + C_STRIDE * i, B2)]++];
    }
}

static void assign(void) {
    count_messages();
    pack();
    MPI_Alltoallv(out, out_count, out_start, MPI_DOUBLE, in, in_count, in_start, MPI_DOUBLE, MPI_COMM_WORLD);
    unpack();
}

/* The time when every process has come here; the same on every process. */
static double time_of_all(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    double t = MPI_Wtime();
    MPI_Bcast(&t, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return t;
}

static int is_right(void) {
    int right = 1;
    for (long i = 0; i < T_EXTENT; i++)
        if (owner(i, B1) == rank && T[local_index(i, B1)] != EXPECTED(i)) right = 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right;
}

static void make_arrays(void) {
    T = allocate(local_extent(T_EXTENT, B1), sizeof *T);
    C = allocate(local_extent(C_EXTENT, B2), sizeof *C);
    out = allocate(ITERATIONS, sizeof *out);
    in = allocate(ITERATIONS, sizeof *in);
    out_count = allocate(processes, sizeof(int)), out_start = allocate(processes, sizeof(int));
    in_count = allocate(processes, sizeof(int)), in_start = allocate(processes, sizeof(int));
    at = allocate(processes, sizeof(int));
    for (long i = 0; i < T_EXTENT; i++)
        if (owner(i, B1) == rank) T[local_index(i, B1)] = OTHER;
    for (long j = 0; j < C_EXTENT; j++)
        if (owner(j, B2) == rank) C[local_index(j, B2)] = C_START(j);
}

int main(int argc, char **argv) {
    double samples[SAMPLES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    make_arrays();
    for (int s = 0; s < SAMPLES; s++) {
        double start = time_of_all();
        for (int k = 0; k < BATCH; k++) assign();
        samples[s] = (time_of_all() - start) / BATCH;
    }
    int right = is_right();
    if (rank == 0) bench_report("strided_mpi", samples, right);
    MPI_Finalize();
    return 0;
}

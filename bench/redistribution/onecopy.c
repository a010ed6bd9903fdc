/* The redistribution engine against a copy of the same local bytes, in turn, on 2 processes: for each case of
 * peers.md the medians of `memcpy`, of the method chosen (single copy), of the same arrays by messages, of stored index
 * lists and of MPI_Alltoallw; and the first call with its plan.  Every result is checked.
 * onecopy [MiB of the whole array, 128] [rounds, 9] [case]
 * With CPU=1 in the environment: the busiest process's own time, for machines with other load. */
#include <dpc/redistribution.h>

#include <string.h>
#include <sys/resource.h>

static int me, processes;
static bool cpu;

static double now(void) {
    if (!cpu) return MPI_Wtime() * 1e3;
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct {
    const char *name;
    dpc_format from[2], to[2];
    int from_grid[2], to_grid[2];
    double limit; /* multiples of memcpy to reach */
} bench_case;

static const bench_case cases[] = {
    {"c1 block->cyclic(1)", {{1, 0}}, {{2, 1}}, {2}, {2}, 1.3},
    {"c2 cyclic(1)->block", {{2, 1}}, {{1, 0}}, {2}, {2}, 1.3},
    {"c3 cyclic(64)->cyclic(256)", {{2, 64}}, {{2, 256}}, {2}, {2}, 1},
    {"c4 cyclic(5)->cyclic(8)", {{2, 5}}, {{2, 8}}, {2}, {2}, 2},
    {"c5 cyclic(63)->cyclic(42)", {{2, 63}}, {{2, 42}}, {2}, {2}, 1},
    {"d1 2x1 BC(5,8)->BC(8,5)", {{2, 5}, {2, 8}}, {{2, 8}, {2, 5}}, {2, 1}, {2, 1}, 1},
    {"d2 2x1 BC(10,20)->BC(5,10)", {{2, 10}, {2, 20}}, {{2, 5}, {2, 10}}, {2, 1}, {2, 1}, 1},
    {"d3 2x1 BLOCK->CYCLIC", {{1, 0}, {1, 0}}, {{2, 1}, {2, 1}}, {2, 1}, {2, 1}, 1},
    {"d4 2x1 BC(64,64)->BC(128,32)", {{2, 64}, {2, 64}}, {{2, 128}, {2, 32}}, {2, 1}, {2, 1}, 1},
    {"d5 BC(64,64) 2x1->1x2", {{2, 64}, {2, 64}}, {{2, 64}, {2, 64}}, {2, 1}, {1, 2}, 1},
    {"d1 1x2 BC(5,8)->BC(8,5)", {{2, 5}, {2, 8}}, {{2, 8}, {2, 5}}, {1, 2}, {1, 2}, 2},
    {"d2 1x2 BC(10,20)->BC(5,10)", {{2, 10}, {2, 20}}, {{2, 5}, {2, 10}}, {1, 2}, {1, 2}, 1},
    {"d3 1x2 BLOCK->CYCLIC", {{1, 0}, {1, 0}}, {{2, 1}, {2, 1}}, {1, 2}, {1, 2}, 1.3},
    {"d4 1x2 BC(64,64)->BC(128,32)", {{2, 64}, {2, 64}}, {{2, 128}, {2, 32}}, {1, 2}, {1, 2}, 1},
};

enum { COPY, ONECOPY, MESSAGES, WALK, ALLTOALLW, WAYS, ROUNDS = 99 };

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, compare);
    return x[n / 2];
}

/* Number of the local element's global index. */
static void visit(const dpc_mapping *m, double *data, bool store, long *wrong) {
    dpc_index rows = dpc_mapped_extent(m, 0, me), columns = m->rank > 1 ? dpc_mapped_extent(m, 1, me) : 1;
    const dpc_index at[2] = {m->rank > 1 ? me / m->procs[1] : me, m->rank > 1 ? me % m->procs[1] : 0};
    const dpc_index width = m->rank > 1 ? m->extent[1] : 1;
    for (dpc_index i = 0; i < rows; i++) {
        const dpc_index row = (i / m->block[0] * m->procs[0] + at[0]) * m->block[0] + i % m->block[0];
        for (dpc_index j = 0; j < columns; j++, data++) {
            dpc_index column = 0;
            if (m->rank > 1) column = (j / m->block[1] * m->procs[1] + at[1]) * m->block[1] + j % m->block[1];
            const double value = (double)(row * width + column);
            if (store)
                *data = value;
            else
                *wrong += *data != value;
        }
    }
}

static double timed(dpc_redistribution *plan, const double *from, double *to, size_t bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    if (plan == NULL)
        memcpy(to, from, bytes);
    else
        dpc_execute(plan, from, to);
    double spent = now() - start;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return spent;
}

static void run(const bench_case *c, dpc_index elements, int rounds) {
    static const char *const method[WAYS] = {NULL, "onecopy", "onecopy", "walk", "alltoallw"};
    static double time[WAYS][ROUNDS], first[WAYS];
    const int rank = c->from_grid[1] > 0 ? 2 : 1;
    const dpc_index extents[2] = {rank > 1 ? elements / 4096 : elements, 4096};
    const dpc_mapping from = dpc_map(rank, extents, c->from, c->from_grid),
                      to = dpc_map(rank, extents, c->to, c->to_grid);
    const size_t bytes = (size_t)dpc_mapped_elements(&to, me) * sizeof(double);
    const size_t from_bytes = (size_t)dpc_mapped_elements(&from, me) * sizeof(double);
    double *a = dpc_allocate(MPI_COMM_WORLD, (dpc_index)from_bytes),
           *b = dpc_allocate(MPI_COMM_WORLD, (dpc_index)bytes);
    double *x = malloc(bytes), *y = malloc(bytes);
    dpc_redistribution *plan[WAYS] = {NULL};
    long wrong = 0;
    memset(x, 1, bytes);
    memset(y, 1, bytes);
    visit(&from, a, true, NULL);
    for (int w = COPY + 1; w < (getenv("FEW") ? 2 : WAYS); w++) {
        const dpc_redistribution_options options = {.method = method[w], .messages_only = w == MESSAGES};
        memset(b, 255, bytes);
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = now();
        plan[w] = dpc_plan_redistribution(MPI_COMM_WORLD, &from, &to, sizeof(double), &options);
        dpc_execute(plan[w], a, b);
        first[w] = now() - start;
        visit(&to, b, false, &wrong);
    }
    for (int r = 0; r < rounds; r++)
        for (int w = 0; w < (getenv("FEW") ? 2 : WAYS); w++)
            time[w][r] = plan[w] == NULL ? timed(NULL, x, y, bytes) : timed(plan[w], a, b, bytes);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    const double copy = median(time[COPY], rounds), one = median(time[ONECOPY], rounds);
    if (me == 0)
        printf("| %s | %.2f | %.2f | %.2f | %.1f | %.2f | %.1f | %.1f | %.1f |%s\n", c->name, copy, one, one / copy,
               c->limit, first[ONECOPY] / one, median(time[MESSAGES], rounds), median(time[WALK], rounds),
               median(time[ALLTOALLW], rounds), wrong > 0 ? " WRONG" : "");
    fflush(stdout);
    for (int w = COPY + 1; w < WAYS; w++) dpc_free_redistribution(plan[w]);
    dpc_release_memory(MPI_COMM_WORLD, a);
    dpc_release_memory(MPI_COMM_WORLD, b);
    free(x);
    free(y);
    if (wrong > 0) exit(1);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    cpu = getenv("CPU") != NULL;
    const dpc_index mib = argc > 1 ? atoll(argv[1]) : 128;
    const int rounds = argc > 2 ? atoi(argv[2]) : 9;
    if (processes != 2 && me == 0) fprintf(stderr, "onecopy: 2 processes, please\n");
    if (processes != 2) MPI_Abort(MPI_COMM_WORLD, 1);
    if (me == 0)
        printf("| case | memcpy ms | onecopy ms | ratio | to reach | first/steady | messages ms | walk ms | Alltoallw "
               "ms |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (argc < 4 || strncmp(cases[k].name, argv[3], strlen(argv[3])) == 0)
            run(&cases[k], mib << 17, rounds < ROUNDS ? rounds : ROUNDS);
    MPI_Finalize();
    return 0;
}

/* Compares ways to redistribute arrays of doubles: reads cases from standard input, one a line,
 *     NAME EXTENTS FROM_BLOCKS FROM_GRID TO_BLOCKS TO_GRID
 * with `x` between dimensions; a block is a number, `b` (block), `c` (cyclic) or `*`; in a grid `p` is the number of
 * processes.  Prints a line per case and way:
 *     NAME WAY PROCESSES MEDIAN LEAST FIRST METHOD
 * MEDIAN, LEAST: of the slowest process's times, ms; FIRST: the plan and its first execution, ms; METHOD: the engine's
 * choice. The ways take turns; every execution is checked element by element. compare ROUNDS WAY... */
#include "compare.h"

#include <string.h>

static const contestant kinds[] = {
    {"memcpy", prepare_copy, run_copy, release_copy, NULL, false},
    {"dpc", prepare_engine, run_engine, release_engine, NULL, false},
    {"messages", prepare_engine, run_engine, release_engine, NULL, true},
    {"runs", prepare_runs, run_runs, release_runs, NULL, false},
    {"alltoallw", prepare_alltoallw, run_alltoallw, release_alltoallw, NULL, false},
    {"pdgemr2d", prepare_scalapack, run_scalapack, release_scalapack, NULL, false},
    {"petsc", prepare_petsc, run_petsc, release_petsc, NULL, false},
};

enum { KINDS = sizeof kinds / sizeof *kinds, MOST = 40 };

/* A way that is no kind is a method of the engine; cold-METHOD plans it for each execution. */
static contestant find(const char *name) {
    if (strncmp(name, "cold-", 5) == 0)
        return (contestant){name, prepare_cold, run_cold, release_cold, name + 5, false};
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].name, name) == 0) return kinds[k];
    return (contestant){name, prepare_engine, run_engine, release_engine, name, false};
}

/* ---- Measuring */

typedef struct {
    contestant way;
    void *plan;
    double prepared, *sample;
    bool right;
} entry;

static double slowest(double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static double run_once(entry *e, const problem *p, const double *expected) {
    const size_t bytes = (size_t)p->to_elements * sizeof(double);
    memset(p->b, 0xff, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    e->way.run(e->plan, p);
    const double end = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    if (e->way.run != run_copy && memcmp(p->b, expected, bytes) != 0) e->right = false;
    return slowest(end - start);
}

static bool prepare(entry *e, const problem *p) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    e->plan = e->way.prepare(&e->way, p);
    e->prepared = slowest(MPI_Wtime() - start);
    e->right = true;
    return e->plan != NULL;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *chosen_method(const entry *e) {
    return e->way.run == run_engine ? dpc_plan_describe(e->plan).method : "-";
}

static int report(entry *e, const problem *p, int rounds) {
    int right = e->right;
    const double first = e->prepared + e->sample[0];
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    qsort(e->sample + 1, (size_t)rounds, sizeof(double), compare_doubles);
    if (p->rank == 0)
        printf("%s %s %d %.3f %.3f %.1f %s%s\n", p->name, e->way.name, p->processes, 1e3 * e->sample[1 + rounds / 2],
               1e3 * e->sample[1], 1e3 * first, chosen_method(e), right ? "" : " WRONG");
    fflush(stdout);
    return !right;
}

static int measure(problem *p, int rounds, int ways, char **names) {
    entry entries[MOST];
    int count = 0, wrong = 0;
    p->a = dpc_allocate(MPI_COMM_WORLD, (p->from_elements + 1) * (dpc_index)sizeof(double));
    p->b = dpc_allocate(MPI_COMM_WORLD, (p->to_elements + 1) * (dpc_index)sizeof(double));
    double *expected = malloc((size_t)(p->to_elements + 1) * sizeof(double));
    fill_local(&p->from, p->rank, p->a), fill_local(&p->to, p->rank, expected);
    for (int k = 0; k < ways && k < MOST; k++) {
        entries[count].way = find(names[k]);
        if (prepare(&entries[count], p)) entries[count++].sample = calloc((size_t)rounds + 1, sizeof(double));
    }
    for (int round = 0; round <= rounds; round++)
        for (int k = 0; k < count; k++) entries[k].sample[round] = run_once(&entries[k], p, expected);
    for (int k = 0; k < count; k++) {
        wrong += report(&entries[k], p, rounds);
        entries[k].way.release(entries[k].plan);
        free(entries[k].sample);
    }
    free(expected);
    dpc_release_memory(MPI_COMM_WORLD, p->a), dpc_release_memory(MPI_COMM_WORLD, p->b);
    return wrong;
}

int main(int argc, char **argv) {
    int wrong = 0;
    MPI_Init(&argc, &argv);
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    for (problem p; next_case(&p);) wrong += measure(&p, atoi(argv[1]), argc - 2, argv + 2);
    finish_petsc();
    MPI_Finalize();
    return wrong != 0;
}

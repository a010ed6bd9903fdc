/* Ways to redistribute an array of doubles that bench/redistribution compares. */
#ifndef BENCH_REDISTRIBUTION_COMPARE_H
#define BENCH_REDISTRIBUTION_COMPARE_H

#include <stdlib.h>

#include "../../runtime/redistribution.h"

typedef struct {
    char name[32];
    dpc_mapping from, to;
    int rank, processes;
    dpc_index from_elements, to_elements; /* local */
    double *a, *b;                        /* local parts, by dpc_allocate */
} problem;

typedef struct contestant contestant;
struct contestant {
    const char *name;
    /* Everything that does not depend on the values; NULL: it cannot do this.  Collective, as is `run`. */
    void *(*prepare)(const contestant *c, const problem *p);
    void (*run)(void *plan, const problem *p);
    void (*release)(void *plan);
    const char *method; /* of the engine */
    bool messages_only;
};

/* Each way's functions. */
#define WAYS(X) X(copy) X(engine) X(cold) X(runs) X(alltoallw) X(scalapack) X(petsc)
#define WAY(name)                                                                                                      \
    void *prepare_##name(const contestant *c, const problem *p);                                                       \
    void run_##name(void *plan, const problem *p);                                                                     \
    void release_##name(void *plan);
WAYS(WAY)
#undef WAY
void finish_petsc(void);

/* ---- cases.c */

/* The next line of process 0's standard input; false: there is none.  Collective. */
bool next_case(problem *p);
/* The value of every local element: its number in the array. */
void fill_local(const dpc_mapping *m, int rank, double *local);

/* ---- lists.c: what two processes share along one dimension, as runs of local elements. */

typedef struct {
    long offset, length;
} run;

typedef struct {
    long count, elements; /* runs of one period; elements in all */
    long step;            /* local elements from one period to the next; 0: there is only one */
    run *run;
} run_list;

run_list shared_runs(const dpc_mapping *mine, int k, long p, const dpc_mapping *theirs, long q);
/* The lists of every dimension with the process at a place of the other side; returns the number of shared elements. */
long shared_lists(const problem *p, bool sender, int place, run_list *lists);
void free_lists(int rank, run_list *lists);
/* Elements from a local index to the next along each dimension. */
void local_strides(const dpc_mapping *m, int process, long *strides);
int place_of(const dpc_mapping *m, int process);
int process_at(const dpc_mapping *m, int place);
int places_of(const dpc_mapping *m);
long coordinate_at(const dpc_mapping *m, int k, int place);

#endif

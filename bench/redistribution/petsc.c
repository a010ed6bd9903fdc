/* PETSc's VecScatter: an index per element. */
#include "compare.h"

#ifdef WITH_PETSC
#include <petscvec.h>

typedef struct {
    Vec from, to;
    VecScatter scatter;
} scatter_plan;

/* Where the elements of this process's target part along one dimension lie in the source. */
typedef struct {
    long extent;
    int *coordinate;
    long *local;
} sources;

static sources sources_along(const problem *p, int k) {
    const dpc_mapping *from = &p->from, *to = &p->to;
    const long at = coordinate_at(to, k, place_of(to, p->rank));
    const long b = to->procs[k] == 1 ? to->extent[k] : to->block[k],
               c = from->procs[k] == 1 ? from->extent[k] : from->block[k];
    sources s = {.extent = dpc_mapped_extent(to, k, p->rank)};
    s.coordinate = malloc((size_t)(s.extent + 1) * sizeof *s.coordinate),
    s.local = malloc((size_t)(s.extent + 1) * sizeof *s.local);
    for (long n = 0; n < s.extent; n++) {
        const long x = n / b * b * to->procs[k] + at * b + n % b;
        s.coordinate[n] = (int)(x / c % from->procs[k]);
        s.local[n] = x / (c * from->procs[k]) * c + x % c;
    }
    return s;
}

/* PETSc's numbers, positions in the parts of all ranks, of the source elements of dimension k and those behind it. */
static PetscInt *number_sources(const problem *p, const sources *s, const long (*stride)[DPC_MAX_RANK],
                                const long *start, int k, int place, const long *local, PetscInt *index) {
    if (k == p->from.rank) {
        const int process = process_at(&p->from, place);
        long at = start[process];
        for (int d = 0; d < k; d++) at += local[d] * stride[process][d];
        *index = (PetscInt)at;
        return index + 1;
    }
    long next[DPC_MAX_RANK];
    for (int d = 0; d < k; d++) next[d] = local[d];
    for (long n = 0; n < s[k].extent; n++) {
        next[k] = s[k].local[n];
        index = number_sources(p, s, stride, start, k + 1, place * p->from.procs[k] + s[k].coordinate[n], next, index);
    }
    return index;
}

static void list_sources(const problem *p, PetscInt *index) {
    sources s[DPC_MAX_RANK];
    long(*stride)[DPC_MAX_RANK] = calloc((size_t)p->processes, sizeof *stride),
    *start = calloc((size_t)p->processes + 1, sizeof *start);
    for (int r = 0; r < p->processes; r++) {
        start[r + 1] = start[r] + dpc_mapped_elements(&p->from, r);
        local_strides(&p->from, r, stride[r]);
    }
    for (int k = 0; k < p->to.rank; k++) s[k] = sources_along(p, k);
    number_sources(p, s, (const long(*)[DPC_MAX_RANK])stride, start, 0, 0, (long[DPC_MAX_RANK]){0}, index);
    for (int k = 0; k < p->to.rank; k++) free(s[k].coordinate), free(s[k].local);
    free(stride), free(start);
}

void *prepare_petsc(const contestant *c, const problem *p) {
    static bool started;
    scatter_plan *plan = calloc(1, sizeof *plan);
    PetscInt *index = malloc((size_t)(p->to_elements + 1) * sizeof *index);
    IS set;
    (void)c;
    if (!started) PetscInitializeNoArguments();
    started = true;
    if (p->to_elements > 0) list_sources(p, index);
    VecCreateMPIWithArray(MPI_COMM_WORLD, 1, (PetscInt)p->from_elements, PETSC_DETERMINE, p->a, &plan->from);
    VecCreateMPIWithArray(MPI_COMM_WORLD, 1, (PetscInt)p->to_elements, PETSC_DETERMINE, p->b, &plan->to);
    ISCreateGeneral(MPI_COMM_WORLD, (PetscInt)p->to_elements, index, PETSC_COPY_VALUES, &set);
    VecScatterCreate(plan->from, set, plan->to, NULL, &plan->scatter);
    ISDestroy(&set);
    free(index);
    return plan;
}

void run_petsc(void *memory, const problem *p) {
    scatter_plan *plan = memory;
    (void)p;
    VecScatterBegin(plan->scatter, plan->from, plan->to, INSERT_VALUES, SCATTER_FORWARD);
    VecScatterEnd(plan->scatter, plan->from, plan->to, INSERT_VALUES, SCATTER_FORWARD);
}

void release_petsc(void *memory) {
    scatter_plan *plan = memory;
    VecScatterDestroy(&plan->scatter);
    VecDestroy(&plan->from), VecDestroy(&plan->to);
    free(plan);
}

void finish_petsc(void) {
    PetscBool started;
    PetscInitialized(&started);
    if (started) PetscFinalize();
}
#else
void *prepare_petsc(const contestant *c, const problem *p) {
    (void)c, (void)p;
    return NULL;
}
void run_petsc(void *plan, const problem *p) {
    (void)plan, (void)p;
}
void release_petsc(void *plan) {
    (void)plan;
}
void finish_petsc(void) {}
#endif

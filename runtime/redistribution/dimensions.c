/* Walker and Otto's general method: one dimension after the other, each in two phases - from block r1 to a block l that
 * both divide, or that divides both, and on to r2 - by the steps of the optimal schedule, between the processes of a
 * row or column of the grid, in a communicator of their own.  l = K1*r1 = K2*r2: K1 + K2 messages for each dimension,
 * where the direct exchange has as many as their product over all dimensions; everything travels once more for each
 * phase. Sheet, section 6.3. */
#include "engine.h"
#include "steps.h"

enum { MOST_PHASES = 2 * DPC_MAX_RANK };

typedef struct {
    int count;
    dpc_problem problem[MOST_PHASES];
    void *plan[MOST_PHASES];
    MPI_Comm line[DPC_MAX_RANK]; /* this process's row along a dimension; MPI_COMM_NULL: outside the grid */
    int *place[DPC_MAX_RANK];    /* ranks in it of the grid's places, -1: not in this row; NULL: none is needed */
    dpc_index bytes;             /* of the longest array between two phases */
} dimensions_plan;

/* ---- Rows and columns of the grid */

/* The number of the place with coordinate c along dimension k, else this process's coordinates. */
static dpc_index place_along(const dpc_problem *p, int k, dpc_index c) {
    dpc_index place = 0;
    for (int j = 0; j < p->rank; j++) place = place * p->from.procs[j] + (j == k ? c : p->from_at[j]);
    return place;
}

static void open_line(const dpc_problem *p, dimensions_plan *d, int k) {
    const dpc_index places = dpc_mapped_places(&p->from);
    const int row = p->from_place < 0 ? MPI_UNDEFINED : (int)place_along(p, k, 0);
    MPI_Comm_split(p->comm, row, (int)p->from_at[k], &d->line[k]);
    d->place[k] = dpc_raw_buffer(places, sizeof *d->place[k]);
    for (dpc_index place = 0; place < places; place++) d->place[k][place] = -1;
    for (int c = 0; c < p->from.procs[k]; c++) d->place[k][place_along(p, k, c)] = c;
}

/* Whether every place is the same process in both grids. */
static bool same_places(const dpc_problem *p) {
    const int *from = p->from.process, *to = p->to.process;
    for (int place = 0; place < dpc_mapped_places(&p->from); place++)
        if ((from == NULL ? place : from[place]) != (to == NULL ? place : to[place])) return false;
    return true;
}

/* The messages of a phase stay in the rows along dimension k.  A process outside the grid takes part in nothing. */
static void confine(const dpc_problem *p, dimensions_plan *d, int k, dpc_problem *phase) {
    phase->comm = p->from_place < 0 ? MPI_COMM_SELF : d->line[k];
    phase->me = (int)p->from_at[k];
    phase->from.process = phase->to.process = d->place[k];
}

/* ---- The plan */

/* The same mapping with blocks no longer than the array, so that equal ones look equal. */
static dpc_mapping fitted(const dpc_mapping *m) {
    dpc_mapping f = *m;
    for (int k = 0; k < m->rank; k++) {
        const dpc_index most = dpc_maximum(m->extent[k], 1);
        f.block[k] = m->procs[k] == 1 ? most : dpc_minimum(m->block[k], most);
    }
    return f;
}

typedef struct {
    int dimension;
    dpc_index block;
} stage;

/* The blocks that a dimension takes on after its first; returns how many. */
static int list_stages(const dpc_problem *p, int k, stage *stages) {
    const dpc_index s = p->from.block[k], t = p->to.block[k];
    const dpc_index middle =
        dpc_multiple_is_even(p, k, k + 1) ? dpc_common_multiple(s, t, INT64_MAX) : dpc_common_divisor(s, t);
    int count = 0;
    if (middle != s) stages[count++] = (stage){k, middle};
    if (middle != t) stages[count++] = (stage){k, t};
    return s == t ? 0 : count;
}

/* From the mapping before to one that has the stage's block; the last one ends in the target. */
static void add_phase(const dpc_problem *p, dimensions_plan *d, const dpc_mapping *before, const stage *s, bool last) {
    dpc_problem *phase = &d->problem[d->count];
    dpc_index elements;
    *phase = *p;
    phase->from = *before;
    phase->from.process = p->from.process;
    if (!last) {
        phase->to = *before;
        phase->to.block[s->dimension] = s->block;
        dpc_lay_densely(&phase->to, p->from_at, &elements);
        d->bytes = dpc_maximum(d->bytes, p->from_place < 0 ? 0 : elements * p->size);
        phase->to_place = p->from_place;
        for (int k = 0; k < p->rank; k++) phase->to_at[k] = p->from_at[k];
    }
    if (!last || same_places(p)) confine(p, d, s->dimension, phase);
    d->plan[d->count++] = dpc_plan_walker_sendrecv(phase);
}

/* Where nothing changes but processes, one phase that moves whole local arrays. */
static int list_all_stages(const dpc_problem *p, stage *stages) {
    int count = 0;
    for (int k = 0; k < p->rank; k++) count += list_stages(p, k, stages + count);
    if (count == 0) stages[count++] = (stage){0, p->to.block[0]};
    return count;
}

void *dpc_plan_dimensions(const dpc_problem *given) {
    dimensions_plan *d = dpc_buffer(1, sizeof *d);
    dpc_problem p = *given;
    stage stages[MOST_PHASES];
    p.from = fitted(&given->from);
    p.to = fitted(&given->to);
    const int count = list_all_stages(&p, stages);
    for (int k = 0; k < count; k++)
        if (d->place[stages[k].dimension] == NULL) open_line(&p, d, stages[k].dimension);
    for (int k = 0; k < count; k++)
        add_phase(&p, d, k == 0 ? &p.from : &d->problem[k - 1].to, &stages[k], k == count - 1);
    return d;
}

void dpc_release_dimensions(void *plan) {
    dimensions_plan *d = plan;
    for (int k = 0; k < d->count; k++) dpc_release_walker_otto(d->plan[k]);
    for (int k = 0; k < DPC_MAX_RANK; k++) {
        if (d->place[k] == NULL) continue;
        if (d->line[k] != MPI_COMM_NULL) MPI_Comm_free(&d->line[k]);
        dpc_free_buffer(d->place[k]);
    }
    dpc_free_buffer(d);
}

/* ---- Execution */

void dpc_execute_dimensions(const dpc_problem *p, void *plan, const char *from, char *to) {
    dimensions_plan *d = plan;
    char *between[2] = {dpc_take_staging(d->bytes, 1), dpc_take_staging(d->bytes, 1)};
    (void)p;
    for (int k = 0; k < d->count; k++) {
        char *target = k == d->count - 1 ? to : between[k % 2];
        dpc_execute_walker_sendrecv(&d->problem[k], d->plan[k], from, target);
        from = target;
    }
    dpc_give_staging(between[0]);
    dpc_give_staging(between[1]);
}

void dpc_describe_dimensions(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const dimensions_plan *d = plan;
    (void)p;
    facts->steps = 0;
    for (int k = 0; k < d->count; k++) {
        dpc_plan_facts phase = {0};
        dpc_describe_walker_otto(&d->problem[k], d->plan[k], &phase);
        dpc_add_facts(facts, &phase);
    }
    facts->plan_bytes += (dpc_index)sizeof *d;
    facts->peak_bytes += 2 * d->bytes;
}

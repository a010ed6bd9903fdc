/* The boundary indices of closed forms, where the number of processes is known: for each pair of processes what the
 * run time finds in runtime/program/pieces.c when a statement is first executed (Lee and Chen, section 6.3). */
#include "../../runtime/combs.h"
#include "../model/layout.h"
#include "../model/pairings.h"
#include "place.h"

/* One end of a move along an axis. */
typedef struct {
    dpc_side side;
    bool single;
} axis_end;

/* Where the places of an end's iterations are, from one to the next. */
static int64_t step_of(const dpc_side *x) {
    return x->addressing == DPC_POSITION ? 1 : x->access.stride;
}

static int64_t address_of(const dpc_side *x, int64_t coordinate, int64_t iteration) {
    if (x->addressing == DPC_POSITION) return dpc_owned_before(&x->dim, &x->access, coordinate, iteration);
    return dpc_local(&x->dim, x->access.first + iteration * x->access.stride);
}

static dpc_place place_along(const axis_end *x, int64_t coordinate) {
    return (dpc_place){&x->side.dim, &x->side.access, x->single, coordinate};
}

/* Whether what runs have in common is the same as in the pairs before. */
static bool agree(int64_t *known, int64_t value) {
    if (*known != 0 && *known != value) return false;
    *known = value;
    return true;
}

/* The set of a pair; false: there is more than one comb, or places jump otherwise than in other pairs. */
static bool find_boundary(boundary_table *b, const axis_end *mine, const axis_end *theirs, const values *index,
                          int64_t p, int64_t q, int64_t length) {
    pair_boundary *x = &b->of[p * b->others + q];
    const dpc_place here = place_along(mine, p), there = place_along(theirs, q);
    dpc_comb_walk walk;
    *x = (pair_boundary){.reach = -1};
    if (!dpc_first_comb(&walk, &here, &there, length)) return true;
    const dpc_comb *r = &walk.comb;
    const int64_t start = dpc_maximum(r->first, r->low), next = r->first + r->period;
    x->at = address_of(&mine->side, p, start) - (start - r->first) * step_of(&mine->side);
    x->first = index->lower + r->first * index->stride;
    x->reach = r->reach * index->stride;
    x->low = index->lower + r->low * index->stride;
    x->high = index->lower + r->high * index->stride;
    if (next > r->high) return walk.cycle == 0;
    return walk.cycle == 0 && agree(&b->period, r->period * index->stride) &&
           agree(&b->jump, address_of(&mine->side, p, next) - x->at);
}

/* The processes that execute. */
static bool find_home(const program *p, const parallel *s, const pairing *x, dpc_addressing addressing, int64_t count,
                      axis_end *end) {
    *end = (axis_end){{dpc_whole_dim(count), {0, 1, count}, DPC_POSITION}, !x->home_divided || x->home_single};
    if (x->home_dim < 0) return true;
    const reference *home = home_of(s);
    return has_regular_blocks(home->array) && find_side(p, s, home, x->home_dim, addressing, &end->side);
}

boundary_table *find_boundaries(const program *p, const parallel *s, const reference *r, const pairing *x,
                                boundary_side which, int64_t length) {
    axis_end owner = {.single = !x->divided || x->single}, home;
    values index;
    if (p->np <= 0 || s->placed.clip || s->index[x->index].triangular || !index_values(s, x->index, &index))
        return NULL;
    if (!has_regular_blocks(r->array) || !find_side(p, s, r, x->dim, DPC_LOCAL_INDEX, &owner.side)) return NULL;
    const dpc_addressing addressing = which == BOUNDARIES_OF_HOME ? DPC_LOCAL_INDEX : DPC_POSITION;
    if (!find_home(p, s, x, addressing, owner.side.access.count, &home)) return NULL;
    const axis_end *mine = which == BOUNDARIES_OF_SOURCE ? &owner : &home,
                   *theirs = which == BOUNDARIES_OF_SOURCE ? &home : &owner;
    if (owner.side.access.count < 2) return NULL; /* one iteration has no step */
    const int64_t processes = mine->side.dim.procs, others = theirs->side.dim.procs;
    if (processes > MOST_BOUNDARIES / others) return NULL;
    boundary_table *b = arena_alloc(p->memory, sizeof *b);
    *b = (boundary_table){processes, others,
                          arena_alloc(p->memory, (size_t)(processes * others) * sizeof(pair_boundary)), 0, 0};
    const dpc_place a = place_along(mine, 0), c = place_along(theirs, 0);
    if (!dpc_has_combs(&a, &c)) return NULL;
    for (int64_t q = 0; q < processes * others; q++)
        if (!find_boundary(b, mine, theirs, &index, q / others, q % others, length)) return NULL;
    return b;
}

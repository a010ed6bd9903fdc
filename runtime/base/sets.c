/* Communication sets: the problem that the generators are given, and the choice of one. */
#include "generator.h"

#include <stdlib.h>

/* ---- The problem */

static dpc_access part_of(const dpc_access *access, dpc_index low, dpc_index count) {
    return (dpc_access){dpc_accessed(access, low), dpc_single_stride(access->stride, count), count};
}

/* Keeps the iterations whose elements are inside both arrays. */
static dpc_generation open_generation(dpc_sets *sets, const dpc_side *mine, const dpc_side *theirs) {
    dpc_generation g = {.sets = sets, .side = mine};
    dpc_index low, high, their_low, their_high;
    dpc_inside(&mine->dim, &mine->access, &low, &high);
    dpc_inside(&theirs->dim, &theirs->access, &their_low, &their_high);
    g.base = low > their_low ? low : their_low;
    g.count = (high < their_high ? high : their_high) - g.base + 1;
    if (g.count <= 0) return g;
    const dpc_access my_part = part_of(&mine->access, g.base, g.count);
    const dpc_access their_part = part_of(&theirs->access, g.base, g.count);
    g.mine = dpc_make_pattern(&mine->dim, &my_part);
    g.theirs = dpc_make_pattern(&theirs->dim, &their_part);
    return g;
}

static bool is_closed(const dpc_generation *g) {
    const dpc_pattern *mine = &g->mine, *theirs = &g->theirs;
    if (g->count <= 0) return true;
    if ((!mine->single && mine->length == 0) || (!theirs->single && theirs->length == 0)) return false;
    return mine->single || theirs->single || mine->period % theirs->period == 0 || theirs->period % mine->period == 0;
}

/* Whatever elements are asked for: programs whose moves stand in their own text have closed forms, and where an array
 * is too short for one, row-wise serves. */
#define DPC_HAS_ANY_SETS DPC_USES(dpc_start_exchange) || DPC_USES(dpc_result_ends) || DPC_USES(DPC_SETS_LATTICE)

/* ---- The choice */

#if DPC_HAS_ANY_SETS

/* The first factor in which a coordinate's rows among all iterations bound those of a period. */
static dpc_index rows(const dpc_pattern *driver, dpc_index count, dpc_index iterations) {
    const wide all = (wide)(count - 1) * driver->stride / driver->cycle;
    const wide period = (wide)iterations * driver->stride / driver->cycle;
    return (dpc_index)(all < period ? all : period);
}

static dpc_index rowwise_factor(const dpc_pattern *driver, const dpc_pattern *other, dpc_index count) {
    return rows(driver, count, dpc_least_multiple(driver->period, other->period, INT64_MAX));
}

static dpc_index lattice_factor(const dpc_pattern *driver, const dpc_pattern *other, dpc_index count) {
    const dpc_index period = dpc_least_multiple(driver->period, other->period, INT64_MAX);
    const wide points = ((wide)period / driver->period + other->procs - 1) / other->procs;
    const wide factor = points * rows(driver, count, driver->period);
    return factor < INT64_MAX ? (dpc_index)factor : INT64_MAX;
}

dpc_index dpc_rowwise_factor(const dpc_side *driver, const dpc_side *other) {
    const dpc_generation g = open_generation(NULL, driver, other);
    return g.count <= 0 || g.mine.single || g.theirs.single ? 1 : rowwise_factor(&g.mine, &g.theirs, g.count);
}

dpc_index dpc_lattice_factor(const dpc_side *driver, const dpc_side *other) {
    const dpc_generation g = open_generation(NULL, driver, other);
    return g.count <= 0 || g.mine.single || g.theirs.single ? 1 : lattice_factor(&g.mine, &g.theirs, g.count);
}

/* The lesser factor of the sides that may drive. */
static dpc_index least_factor(const dpc_generation *g,
                              dpc_index (*factor)(const dpc_pattern *, const dpc_pattern *, dpc_index)) {
    dpc_index least = INT64_MAX;
    if (dpc_may_drive(&g->mine, &g->theirs)) least = factor(&g->mine, &g->theirs, g->count);
    if (!dpc_may_drive(&g->theirs, &g->mine)) return least;
    const dpc_index other = factor(&g->theirs, &g->mine, g->count);
    return other < least ? other : least;
}

#endif

/* Lee and Chen, section 6.1. */
static dpc_method choose(const dpc_generation *g) {
    if (is_closed(g)) return DPC_SETS_CLOSED;
#if DPC_HAS_ANY_SETS
    if (g->mine.single || g->theirs.single) return DPC_SETS_ROWWISE;
    if (g->mine.stride > g->mine.block && g->theirs.stride > g->theirs.block) return DPC_SETS_LATTICE;
    const dpc_index rowwise = least_factor(g, rowwise_factor), lattice = least_factor(g, lattice_factor);
    return (wide)2 * rowwise > (wide)3 * lattice ? DPC_SETS_LATTICE : DPC_SETS_ROWWISE;
#else
    return DPC_SETS_ROWWISE;
#endif
}

bool dpc_sets_are_closed(const dpc_side *mine, const dpc_side *theirs) {
    const dpc_generation g = open_generation(NULL, mine, theirs);
    return is_closed(&g);
}

/* ---- The sets */

/* The method, or row-wise where it cannot serve. */
static dpc_method applicable(const dpc_generation *g, dpc_method method) {
    const bool single = g->mine.single || g->theirs.single;
    if (method == DPC_SETS_AUTO) return choose(g);
    if (g->count <= 0) return method;
    if (method == DPC_SETS_LATTICE && single) return DPC_SETS_ROWWISE;
    if (method != DPC_SETS_CLOSED) return method;
    const bool my_runs = g->mine.single || g->mine.length > 0, their_runs = g->theirs.single || g->theirs.length > 0;
    return my_runs && their_runs ? DPC_SETS_CLOSED : DPC_SETS_ROWWISE;
}

dpc_method dpc_sets_method(dpc_method method, const dpc_side *mine, const dpc_side *theirs) {
    const dpc_generation g = open_generation(NULL, mine, theirs);
    return applicable(&g, method);
}

static void generate(dpc_generation *g, const dpc_side *theirs, dpc_index only) {
    (void)theirs; /* but of enumeration */
    switch (g->sets->method) {
    case DPC_SETS_CLOSED:
        dpc_generate_closed(g, only);
        break;
    case DPC_SETS_LATTICE:
#if DPC_HAS_ANY_SETS
        dpc_generate_lattice(g, only);
#endif
        break;
    case DPC_SETS_ENUMERATE:
#if DPC_USES(DPC_SETS_ENUMERATE)
        dpc_generate_enumerate(g, theirs, only);
#endif
        break;
    case DPC_SETS_AUTO:
    case DPC_SETS_ROWWISE:
        dpc_generate_rowwise(g, only);
        break;
    }
}

bool dpc_sets_make(dpc_sets *sets, dpc_method method, const dpc_side *mine, dpc_index p, const dpc_side *theirs,
                   dpc_index only) {
    const dpc_index count = mine->access.count;
    const dpc_side whole = {dpc_whole_dim(count), {0, 1, count}, DPC_LOCAL_INDEX};
    if (theirs == NULL) theirs = &whole;
    dpc_generation g = open_generation(sets, mine, theirs);
    *sets = (dpc_sets){.count = count, .period = count > 0 ? count : 1};
    sets->stride = mine->addressing == DPC_POSITION ? 1 : mine->access.stride;
    sets->method = applicable(&g, method);
    if (g.count <= 0) return true;
    g.me = dpc_mirror(&g.mine, p);
    if (mine->addressing == DPC_POSITION) g.position = dpc_owned_before(&mine->dim, &mine->access, p, g.base);
    generate(&g, theirs, only);
    if (g.failed) dpc_sets_free(sets);
    return !g.failed;
}

void dpc_sets_free(dpc_sets *sets) {
    free(sets->partner);
    free(sets->section);
    *sets = (dpc_sets){0};
}

dpc_index dpc_sets_bytes(const dpc_sets *sets) {
    const dpc_index partners = sets->partners, sections = partners == 0 ? 0 : sets->partner[partners - 1].tail;
    return partners * (dpc_index)sizeof *sets->partner + sections * (dpc_index)sizeof *sets->section;
}

const dpc_shared *dpc_sets_partner(const dpc_sets *sets, dpc_index coordinate) {
    dpc_index low = 0, high = sets->partners;
    while (low < high) {
        const dpc_index middle = low + (high - low) / 2;
        if (sets->partner[middle].coordinate < coordinate)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sets->partners && sets->partner[low].coordinate == coordinate ? &sets->partner[low] : NULL;
}

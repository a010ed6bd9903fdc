/* Communication sets as closed forms: a constant number of nested sections per pair, found in constant time.  Both
 * strides divide their blocks, so that every uncut run of a side has the same length; the runs of one side with the
 * longer period are "big", those of the other "small".  Where the small side's period divides the big one's, all big
 * blocks of a coordinate are cut alike (Lee and Chen's cases 2 to 4); else they are in turn in one of a few phases.
 * Sheet communication-sets.md, section 5, FORM 2. */
#include "generator.h"

#include <stdlib.h>

/* The distance from the last start of a run of the coordinate to an iteration; below the length: it is inside the run.
 */
static dpc_index into_run(const dpc_pattern *p, dpc_index coordinate, dpc_index iteration) {
    return dpc_modulo(iteration + p->start / p->stride - coordinate * p->length, p->period);
}

/* Adds the small side's runs of a coordinate within iterations first .. last, which belong to one big block of the
 * other side's. */
static void add_runs(dpc_generation *g, const dpc_pattern *small, dpc_index coordinate, dpc_index first,
                     dpc_index last) {
    const dpc_index into = into_run(small, coordinate, first), period = small->period;
    const dpc_index start = into == 0 ? first : first + period - into, left = small->length - into;
    if (into > 0 && left > 0) dpc_add_run(g, first, first + left - 1 < last ? first + left - 1 : last);
    if (start > last || start >= g->count) return;
    if (start + period > last) {
        dpc_add_run(g, start, start + small->length - 1 < last ? start + small->length - 1 : last);
        return;
    }
    const dpc_index span = (last - start) / period * period, end = start + span + small->length - 1;
    const dpc_index jump = small == &g->mine ? dpc_block_jump(g) : period * g->sets->stride;
    dpc_add_section(
        g, (dpc_section){start, small->length, period, span, end < last ? end : last, dpc_address(g, start), jump});
}

/* One side is a single interval: it is cut by the runs of the other. */
static void make_single_pair(dpc_generation *g, dpc_index coordinate) {
    const dpc_interval all = {0, g->count - 1};
    const dpc_interval mine = g->mine.single ? dpc_single_run(&g->mine, g->me, g->count) : all;
    const dpc_interval theirs = g->theirs.single ? dpc_single_run(&g->theirs, coordinate, g->count) : all;
    const dpc_index first = mine.first > theirs.first ? mine.first : theirs.first;
    const dpc_index last = mine.last < theirs.last ? mine.last : theirs.last;
    if (last < first) return;
    if (!g->mine.single)
        add_runs(g, &g->mine, g->me, first, last);
    else if (!g->theirs.single)
        add_runs(g, &g->theirs, coordinate, first, last);
    else
        dpc_add_run(g, first, last);
}

static dpc_index phases(const dpc_pattern *big, const dpc_pattern *small) {
    return small->period / dpc_common_divisor(big->period, small->period);
}

/* The big block that iteration 0 cuts is a head; the blocks of one period after it are the body. */
static void make_pair(dpc_generation *g, dpc_index coordinate) {
    const bool mine_big = dpc_compare_patterns(&g->mine, &g->theirs) >= 0;
    const dpc_pattern *big = mine_big ? &g->mine : &g->theirs, *small = mine_big ? &g->theirs : &g->mine;
    const dpc_index big_coordinate = mine_big ? g->me : coordinate, small_coordinate = mine_big ? coordinate : g->me;
    const dpc_index into = into_run(big, big_coordinate, 0), left = big->length - into, turns = phases(big, small);
    if (into > 0 && left > 0) add_runs(g, small, small_coordinate, 0, left <= g->count ? left - 1 : g->count - 1);
    dpc_begin_body(g);
    dpc_index start = into == 0 ? 0 : big->period - into;
    for (dpc_index turn = 0; turn < turns && start < g->count; turn++, start += big->period)
        add_runs(g, small, small_coordinate, start, start + big->length - 1);
}

static void add_partner(dpc_generation *g, dpc_index coordinate) {
    dpc_begin_partner(g, coordinate, g->count);
    if (g->mine.single || g->theirs.single)
        make_single_pair(g, dpc_mirror(&g->theirs, coordinate));
    else
        make_pair(g, dpc_mirror(&g->theirs, coordinate));
    dpc_end_partner(g);
}

void dpc_generate_closed(dpc_generation *g, dpc_index only) {
    dpc_index period = g->count;
    if (!g->mine.single && !g->theirs.single) period = dpc_least_multiple(g->mine.period, g->theirs.period, g->count);
    dpc_set_period(g, period);
    if (only >= 0) {
        add_partner(g, only);
        return;
    }
    const dpc_coordinates partners = dpc_find_partners(g, period);
    for (dpc_index k = 0; k < partners.count && !g->failed; k++) add_partner(g, partners.coordinate[k]);
    free(partners.coordinate);
}

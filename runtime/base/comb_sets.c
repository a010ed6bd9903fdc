/* Communication sets of closed forms, as far as loops in the program leave something to ask for: who shares how many
 * iterations, and which of them lie side by side.  The loops find the iterations themselves, by the same combs. */
#include "../combs.h"
#include "sets.h"

#include <stdlib.h>

dpc_comb_extent dpc_extent_of_combs(const dpc_place *mine, const dpc_place *theirs) {
    dpc_comb_extent x = {0};
    dpc_comb_walk w;
    for (bool more = dpc_first_comb(&w, mine, theirs, 0); more; more = dpc_next_comb(&w)) {
        const dpc_comb *c = &w.comb;
        if (x.elements == 0) x.first = dpc_maximum(c->first, c->low);
        x.last = dpc_minimum(c->high, c->high - (c->high - c->first) % c->period + c->reach);
        x.elements += dpc_comb_size(c);
    }
    return x;
}

dpc_index dpc_address_at(const dpc_place *x, dpc_addressing addressing, dpc_index iteration) {
    if (addressing == DPC_POSITION) return dpc_owned_before(x->dim, x->access, x->p, iteration);
    return dpc_local(x->dim, x->access->first + iteration * x->access->stride);
}

/* Room for a partner at each of so many coordinates. */
static bool open_lists(dpc_sets *sets, dpc_index coordinates) {
    *sets = (dpc_sets){.period = 1, .method = DPC_SETS_CLOSED};
    sets->partner = malloc((size_t)coordinates * sizeof *sets->partner);
    sets->section = malloc((size_t)coordinates * sizeof *sets->section);
    if (sets->partner == NULL || sets->section == NULL) dpc_sets_free(sets);
    return sets->partner != NULL;
}

bool dpc_sets_of_combs(dpc_sets *sets, const dpc_place *mine, dpc_addressing addressing, const dpc_place *theirs) {
    dpc_place there = *theirs;
    dpc_index runs = 0;
    if (!open_lists(sets, theirs->dim->procs)) return false;
    for (there.p = 0; there.p < theirs->dim->procs; there.p++) {
        const dpc_comb_extent x = dpc_extent_of_combs(mine, &there);
        if (x.elements == 0) continue;
        const dpc_index first = dpc_address_at(mine, addressing, x.first),
                        last = dpc_address_at(mine, addressing, x.last);
        dpc_shared *partner = &sets->partner[sets->partners++];
        *partner = (dpc_shared){there.p, runs, runs, runs, x.last + 1, x.elements};
        if (last - first + 1 != x.elements) continue;
        sets->section[runs] = (dpc_section){x.first, x.elements, 1, 0, x.last, first, 0};
        partner->body = partner->tail = ++runs;
    }
    return true;
}

bool dpc_sets_of_owners(dpc_sets *sets, const dpc_dim *d, const dpc_access *a) {
    if (!open_lists(sets, d->procs)) return false;
    for (dpc_index p = 0; p < d->procs; p++)
        if (dpc_owned_count(d, a, p) > 0) sets->partner[sets->partners++] = (dpc_shared){.coordinate = p};
    return true;
}

/* The iterations that two coordinates share, as combs of runs: docs/communication-sets.md, section 5, FORM 1, for Lee
 * and Chen's cases 2 to 4.  See combs.h. */
#include "../combs.h"

/* The runs of `small` within low .. high.  False when there is none. */
static bool meet(dpc_comb_walk *w, dpc_index low, dpc_index high) {
    dpc_comb *r = &w->comb;
    r->low = dpc_maximum(low, w->low);
    r->high = dpc_minimum(high, w->high);
    if (r->low > r->high) return false;
    const dpc_index from = r->low - w->small.length + 1;
    r->first = from + dpc_modulo(w->small.start - from, w->small.cycle);
    r->reach = w->small.length - 1;
    r->period = w->small.cycle;
    return r->first <= r->high;
}

/* Every block of `big` meets at most one run of `small`, at the same offset: one comb with big's cycle. */
static bool meet_flat(dpc_comb_walk *w, const dpc_form *big) {
    const dpc_form *small = &w->small;
    dpc_index offset = dpc_modulo(small->start - big->start, small->cycle);
    if (offset >= big->length) offset -= small->cycle; /* the run before may reach into the block */
    const dpc_index begin = dpc_maximum(offset, 0), length = dpc_minimum(offset + small->length, big->length) - begin;
    if (length <= 0) return false;
    const dpc_index from = w->low - length + 1, first = from + dpc_modulo(big->start + begin - from, big->cycle);
    w->comb = (dpc_comb){first, length - 1, big->cycle, w->low, w->high};
    return w->comb.first <= w->high;
}

/* A side that is not divided is cut into the runs that the loops expect, if the other one has not got such. */
static bool divide(dpc_form *x, const dpc_form *other, dpc_index length) {
    if (!x->whole || (!other->interval && other->length == length) || x->low > x->high) return false;
    x->interval = x->whole = false;
    x->length = x->cycle = length;
    x->start = 0;
    return true;
}

#if DPC_USES(dpc_next_comb)
/* From the current block of the greater side on, the first that meets `small`. */
static bool find_block(dpc_comb_walk *w) {
    for (; w->block <= w->high; w->block += w->cycle)
        if (meet(w, w->block, w->block + w->length - 1)) return true;
    return false;
}

/* One comb for each block of the greater side. */
static bool meet_blocks(dpc_comb_walk *w, const dpc_form *big) {
    const dpc_index from = w->low - big->length + 1;
    w->length = big->length;
    w->cycle = big->cycle;
    w->repeats = big->cycle % w->small.cycle == 0;
    w->block = from + dpc_modulo(big->start - from, big->cycle);
    return find_block(w);
}

bool dpc_next_comb(dpc_comb_walk *w) {
    if (w->cycle == 0) return false;
    const bool alike = w->repeats && w->block >= w->low && w->block + w->cycle + w->length - 1 <= w->high;
    w->block += w->cycle;
    if (!alike) return find_block(w);
    w->comb.first += w->cycle;
    w->comb.low += w->cycle;
    w->comb.high += w->cycle;
    return true;
}
#endif

bool dpc_meet_forms(dpc_comb_walk *w, dpc_form a, dpc_form b, dpc_index length) {
    const dpc_index low = dpc_maximum(a.low, b.low), high = dpc_minimum(a.high, b.high);
    *w = (dpc_comb_walk){.comb = {low, high - low, high - low + 1, low, high}, .low = low, .high = high};
    if (low > high) return false;
    if (length > 0 && !divide(&a, &b, length)) divide(&b, &a, length);
    if (a.interval && b.interval) return true;
    const bool smaller = b.length < a.length || (b.length == a.length && b.cycle <= a.cycle); /* b */
    w->small = a.interval || (!b.interval && smaller) ? b : a;
    if (a.interval || b.interval) return meet(w, low, high);
    const dpc_form big = smaller ? a : b;
#if DPC_USES(dpc_next_comb)
    const bool whole = length > 1; /* runs must not be cut by the blocks, except at their ends */
    if (whole || big.length >= w->small.cycle) return meet_blocks(w, &big);
#endif
    return meet_flat(w, &big);
}

dpc_index dpc_comb_size(const dpc_comb *r) {
    const dpc_index turns = (r->high - r->first) / r->period, last = r->first + turns * r->period;
    const dpc_index cut_low = dpc_maximum(0, r->low - r->first), cut_high = dpc_maximum(0, last + r->reach - r->high);
    return (turns + 1) * (r->reach + 1) - cut_low - cut_high;
}

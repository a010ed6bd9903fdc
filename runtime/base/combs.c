/* Closed forms as combs of runs.  See combs.h. */
#include "../combs.h"

/* A coordinate has at most one block, or one element is accessed: its iterations are an interval. */
static bool is_interval(const dpc_place *x) {
    return x->single || x->dim->procs == 1 || x->access->stride == 0;
}

static bool is_regular(const dpc_place *x) {
    return is_interval(x) || (dpc_is_dealt(x->dim) && dpc_block(x->dim) % dpc_magnitude(x->access->stride) == 0);
}

static dpc_index iterations_per_block(const dpc_place *x) {
    return dpc_block(x->dim) / dpc_magnitude(x->access->stride);
}

/* The blocks of the greater side and their cycle hold whole runs and cycles of the other. */
static bool holds(dpc_index big, dpc_index big_procs, dpc_index small, dpc_index small_procs) {
    return big % small == 0 && big * big_procs % (small * small_procs) == 0;
}

bool dpc_has_combs(const dpc_place *a, const dpc_place *b) {
    if (!is_regular(a) || !is_regular(b)) return false;
    if (is_interval(a) || is_interval(b)) return true;
    const dpc_index x = iterations_per_block(a), y = iterations_per_block(b);
    return holds(x, a->dim->procs, y, b->dim->procs) || holds(y, b->dim->procs, x, a->dim->procs);
}

/* Sheet, section 1 (b): owner(i) = (sigma * floor((i + e) / h)) mod N. */
static dpc_form form_of(const dpc_place *x) {
    const dpc_dim *d = x->dim;
    const dpc_access *a = x->access;
    if (is_interval(x)) {
        const dpc_block_run r = dpc_first_block(d, a, x->p);
        return (dpc_form){.interval = true, .low = r.first, .high = r.first + r.count - 1};
    }
    const dpc_index step = dpc_magnitude(a->stride), h = dpc_block(d) / step, offset = a->first - d->lower;
    const dpc_index e = a->stride > 0 ? dpc_floor(offset, step) : dpc_floor(dpc_block(d) - 1 - offset, step);
    const dpc_index virtual = a->stride > 0 ? x->p : dpc_modulo(-x->p, d->procs);
    return (dpc_form){.length = h, .start = virtual * h - e, .cycle = d->procs * h};
}

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

static bool meet_intervals(dpc_comb_walk *w, const dpc_form *a, const dpc_form *b) {
    const dpc_index low = dpc_maximum(w->low, dpc_maximum(a->low, b->low)),
                    high = dpc_minimum(w->high, dpc_minimum(a->high, b->high));
    w->comb = (dpc_comb){low, high - low, high - low + 1, low, high};
    return low <= high;
}

/* Every block of `big` meets at most one run of `small`, at the same offset: one comb with big's cycle. */
static bool meet_flat(dpc_comb_walk *w, const dpc_form *big) {
    const dpc_form *small = &w->small;
    dpc_index offset = dpc_modulo(small->start - big->start, small->cycle), length;
    if (offset < big->length) {
        length = dpc_minimum(small->length, big->length - offset);
    } else { /* what of the run before reaches into the block */
        length = offset + small->length - small->cycle;
        offset = 0;
    }
    if (length <= 0) return false;
    const dpc_index from = w->low - length + 1;
    w->comb =
        (dpc_comb){from + dpc_modulo(big->start + offset - from, big->cycle), length - 1, big->cycle, w->low, w->high};
    return w->comb.first <= w->high;
}

/* From the current block of the greater side on, the first that meets `small`. */
static bool find_block(dpc_comb_walk *w) {
    for (; w->block <= w->high; w->block += w->cycle)
        if (meet(w, w->block, w->block + w->length - 1)) return true;
    return false;
}

static bool is_smaller(const dpc_form *a, const dpc_form *b) {
    return a->length < b->length || (a->length == b->length && a->cycle <= b->cycle);
}

/* Everything, in runs of `length`. */
static dpc_form tiles(dpc_index length) {
    return (dpc_form){.length = length, .start = 0, .cycle = length};
}

/* Sides that are not divided take the run length that the loops expect. */
static void divide(dpc_form *x, const dpc_place *a, dpc_form *y, const dpc_place *b, dpc_index length) {
    if (length <= 0) return;
    if (a->dim->procs == 1 && x->interval && (y->interval || y->length != length) && x->low <= x->high)
        *x = tiles(length);
    else if (b->dim->procs == 1 && y->interval && (x->interval || x->length != length) && y->low <= y->high)
        *y = tiles(length);
}

bool dpc_first_comb(dpc_comb_walk *w, const dpc_place *a, const dpc_place *b, dpc_index length) {
    dpc_form x = form_of(a), y = form_of(b);
    dpc_index low, high;
    *w = (dpc_comb_walk){.cycle = 0};
    dpc_inside(a->dim, a->access, &w->low, &w->high);
    dpc_inside(b->dim, b->access, &low, &high);
    w->low = dpc_maximum(w->low, low);
    w->high = dpc_minimum(w->high, high);
    if (w->low > w->high) return false;
    divide(&x, a, &y, b, length);
    if (x.interval && y.interval) return meet_intervals(w, &x, &y);
    w->small = x.interval || (!y.interval && is_smaller(&y, &x)) ? y : x;
    if (x.interval) return meet(w, x.low, x.high);
    if (y.interval) return meet(w, y.low, y.high);
    const dpc_form big = is_smaller(&y, &x) ? x : y;
    const bool whole = length > 1; /* runs must not be cut by the blocks, except at their ends */
    if (big.length < w->small.cycle && !whole) return meet_flat(w, &big);
    w->length = big.length;
    w->cycle = big.cycle;
    w->repeats = big.cycle % w->small.cycle == 0;
    const dpc_index from = w->low - big.length + 1;
    w->block = from + dpc_modulo(big.start - from, big.cycle);
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

dpc_index dpc_comb_size(const dpc_comb *r) {
    const dpc_index turns = (r->high - r->first) / r->period, last = r->first + turns * r->period;
    const dpc_index cut_low = dpc_maximum(0, r->low - r->first), cut_high = dpc_maximum(0, last + r->reach - r->high);
    return (turns + 1) * (r->reach + 1) - cut_low - cut_high;
}

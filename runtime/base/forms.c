/* How the iterations of a dimension's coordinates lie, where that is a closed form (docs/communication-sets.md, section
 * 1), and the combs of two dimensions.  See combs.h. */
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

/* Section 1 (b): owner(i) = (sigma * floor((i + e) / h)) mod N. */
static dpc_form form_of(const dpc_place *x) {
    const dpc_dim *d = x->dim;
    const dpc_access *a = x->access;
    if (is_interval(x)) {
        const dpc_block_run r = dpc_first_block(d, a, x->p);
        return (dpc_form){.interval = true, .whole = d->procs == 1, .low = r.first, .high = r.first + r.count - 1};
    }
    const dpc_index step = dpc_magnitude(a->stride), h = dpc_block(d) / step, offset = a->first - d->lower;
    const dpc_index e = a->stride > 0 ? dpc_floor(offset, step) : dpc_floor(dpc_block(d) - 1 - offset, step);
    const dpc_index virtual = a->stride > 0 ? x->p : dpc_modulo(-x->p, d->procs);
    dpc_form runs = {.length = h, .start = virtual * h - e, .cycle = d->procs * h};
    dpc_inside(d, a, &runs.low, &runs.high);
    return runs;
}

bool dpc_first_comb(dpc_comb_walk *w, const dpc_place *a, const dpc_place *b, dpc_index length) {
    return dpc_meet_forms(w, form_of(a), form_of(b), length);
}

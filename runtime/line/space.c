/* Statements: their iterations, and which of them this process executes: the owner of home's element computes. */
#include "line.h"

void dpc_find_between(const dpc_side *x, dpc_index begin, dpc_index end, dpc_index *low, dpc_index *high) {
    const __int128 first = x->first, step = dpc_magnitude(x->stride);
    const __int128 from = x->stride > 0 ? begin - first : first - end, to = x->stride > 0 ? end - first : first - begin;
    *low = from <= 0 ? 0 : (from - 1) / step >= x->count ? x->count : (dpc_index)((from - 1) / step + 1);
    *high = to < 0 || from > to ? -1 : to / step < x->count ? (dpc_index)(to / step) : x->count - 1;
}

/* Sheet, section 1 (b): owner(i) = (sigma * floor((i + e) / h)) mod N. */
dpc_form dpc_form_of(const dpc_side *x, dpc_index p) {
    const dpc_array *a = x->array;
    const dpc_index step = dpc_magnitude(x->stride), h = a->block / step, offset = x->first - a->lower;
    const dpc_index begin = a->lower + (a->single ? p * a->block : 0), last = a->lower + a->extent - 1;
    const dpc_index e = dpc_floor(x->stride > 0 ? offset : a->block - 1 - offset, step);
    dpc_form form = {
        .interval = a->single || a->procs == 1, .whole = a->procs == 1, .length = h, .cycle = a->procs * h};
    dpc_find_between(x, begin, a->single ? dpc_minimum(begin + a->block - 1, last) : last, &form.low, &form.high);
    form.start = (x->stride > 0 ? p : dpc_modulo(-p, a->procs)) * h - e;
    return form;
}

void dpc_find_places(const dpc_side *x, const dpc_comb *c, dpc_index *at, dpc_index *jump) {
    const dpc_index start = dpc_maximum(c->first, c->low), next = c->first + c->period;
    *at = dpc_place_in(x->array, x->first + start * x->stride) - (start - c->first) * x->stride;
    *jump = next <= c->high ? dpc_place_in(x->array, x->first + next * x->stride) - *at : 0;
}

dpc_strip dpc_strip_of(const dpc_space *s, const dpc_comb *c) {
    const dpc_index lower = s->range.lower, step = s->range.stride;
    dpc_strip p = {.step = step, .from = dpc_minimum(0, c->first - c->low), .from_jump = c->reach + 1, .from_step = 1};
    p.first = lower + c->first * step;
    p.reach = c->reach * step;
    p.period = c->period * step;
    p.low = lower + c->low * step;
    p.high = lower + c->high * step;
    dpc_find_places(&s->home, c, &p.at, &p.jump);
    p.shift = s->subscript.offset + s->subscript.stride * p.first - p.at;
    p.shift_jump = s->subscript.stride * p.period - p.jump;
    return p;
}

dpc_side dpc_side_of(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscript) {
    dpc_side x = {.array = a, .count = s->count};
    dpc_index low, high;
    if (__builtin_mul_overflow(subscript->stride, s->range.lower, &x.first) ||
        __builtin_add_overflow(subscript->offset, x.first, &x.first) ||
        __builtin_mul_overflow(subscript->stride, s->range.stride, &x.stride))
        dpc_fail(s->where, "a subscript of array '%s' is beyond 64 bits", a->name);
    dpc_find_between(&x, a->lower, a->lower + a->extent - 1, &low, &high);
    if (!s->clip && high - low + 1 < s->count)
        dpc_fail_bounds(s->where, a, low == 0 && high >= 0 ? x.first + (s->count - 1) * x.stride : x.first);
    return x;
}

dpc_space *dpc_forall(dpc_space *s, const char *where, bool clip, const dpc_range *r) {
    *s = (dpc_space){.where = where, .clip = clip, .range = *r};
#if DPC_USES(DPC_BY)
    if (r->stride == 0) dpc_fail(where, "the stride is zero");
    s->count = dpc_count(r->lower, r->upper, r->stride);
    if (r->stride < 0) s->range = (dpc_range){r->lower + (s->count - 1) * r->stride, r->lower, -r->stride};
#else
    s->count = r->lower > r->upper ? 0 : dpc_minimum(r->upper, DPC_MOST_INDEX) - r->lower + 1;
#endif
    if (s->count == 0) s->range.lower = 0;
    if (s->count > 0 && dpc_maximum(dpc_magnitude(r->lower), dpc_magnitude(r->upper)) >= DPC_MOST_INDEX)
        dpc_fail(where, "the range %lld:%lld has values beyond 2^61", (long long)r->lower, (long long)r->upper);
    return s;
}

dpc_space *dpc_on(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    dpc_comb_walk w;
    s->subscript = *subscripts;
    s->home = dpc_side_of(s, home, subscripts);
    s->own = (dpc_strip){.first = 1, .low = 1, .period = 1}; /* none */
    if (dpc_rank() >= home->procs || (!home->single && home->procs > 1 && home->block % s->home.stride != 0)) return s;
    const dpc_form all = {.interval = true, .high = s->count - 1};
    if (!dpc_meet_forms(&w, all, dpc_form_of(&s->home, dpc_rank()), 0)) return s;
    s->own = dpc_strip_of(s, &w.comb);
#if DPC_USES(dpc_collect)
    s->mine = dpc_comb_size(&w.comb);
#endif
    return s;
}

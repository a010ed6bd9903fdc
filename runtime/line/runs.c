/* A process's own iterations where they skip elements: run by run, or all as one. */
#include "line.h"

/* The run that begins at iteration `from`, or at the first later one whose element this process has. */
static dpc_run run_from(const dpc_space *s, dpc_index from, dpc_index position) {
    const dpc_side *x = &s->home;
    const dpc_array *a = x->array;
    const dpc_index step = dpc_magnitude(x->stride), up = x->stride > 0 ? 1 : -1;
    dpc_run r = {.first = 1, .step = s->range.stride, .position = position, .local_step = x->stride};
    dpc_index low, high, k;
    dpc_find_between(x, a->lower, a->lower + a->extent - 1, &low, &high);
    for (k = dpc_maximum(from, low); k <= high && dpc_rank() < a->procs;) {
        const dpc_index offset = x->first + k * x->stride - a->lower, block = offset / a->block;
        const dpc_index within = offset % a->block, ahead = up > 0 ? a->block - 1 - within : within;
        const dpc_index blocks = dpc_modulo(up * (dpc_rank() - block), a->procs); /* to the next one that it has */
        if (blocks == 0) {
            r.count = dpc_minimum(high - k + 1, ahead / step + 1);
            break;
        }
        k += dpc_ceiling(ahead + 1 + (blocks - 1) * a->block, step);
    }
    if (r.count == 0) return r;
    r.first = s->range.lower + k * r.step;
    r.last = r.first + (r.count - 1) * r.step;
    r.local = dpc_place_in(a, x->first + k * x->stride);
    r.shift = s->subscript.offset + s->subscript.stride * r.first - r.local;
    return r;
}

dpc_run dpc_first_run(const dpc_space *s, int index) {
    (void)index;
    return run_from(s, 0, 0);
}

void dpc_next_run(const dpc_space *s, dpc_run *r) {
    *r = run_from(s, (r->first - s->range.lower) / r->step + r->count, r->position + r->count);
}

static dpc_index common_divisor(dpc_index a, dpc_index b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

dpc_run dpc_strided_run(const dpc_space *s, int index) {
    const dpc_array *a = s->home.array;
    dpc_run r = run_from(s, 0, 0);
    dpc_index low, high;
    (void)index;
    if (r.count > 0) {
        const dpc_index first = (r.first - s->range.lower) / r.step;
        const dpc_index between = a->procs / common_divisor(a->procs, dpc_magnitude(r.local_step));
        dpc_find_between(&s->home, a->lower, a->lower + a->extent - 1, &low, &high);
        r.step *= between;
        r.local_step = r.local_step * between / a->procs;
        r.count = (high - first) / between + 1;
        r.last = r.first + (r.count - 1) * r.step;
    }
    r.local_last = r.count > 0 ? r.local + (r.count - 1) * r.local_step : r.local - 1;
    return r;
}

/* Iterations whose subscripts leave an array: whether there are any, and which. */
#include "program.h"

__extension__ typedef __int128 wide;

/* Values of an index that conditions leave: its range, cut to limits. */
static dpc_bounds executed_values(const dpc_space *s, int index, const dpc_bounds *limits) {
    const dpc_range *r = &s->range[index];
    if (limits == NULL) return (dpc_bounds){r->lower, r->upper};
    return (dpc_bounds){dpc_maximum(r->lower, limits[index].lower), dpc_minimum(r->upper, limits[index].upper)};
}

static bool has_iterations(const dpc_space *s, const dpc_bounds *limits) {
    for (int k = 0; k < s->own; k++) {
        const dpc_bounds values = executed_values(s, k, limits);
        if (values.lower > values.upper) return false;
    }
    return true;
}

/* Where the subscript is for a value of its index: -1 below the array, 0 inside, 1 above. */
static int side_of(const dpc_dim *d, const dpc_subscript *u, dpc_index value) {
    const wide at = (wide)u->offset + (wide)u->stride * value - d->lower;
    return at < 0 ? -1 : at >= d->extent;
}

DPC_STEADY bool dpc_leaves(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                           const dpc_bounds *limits) {
    bool leaves = false;
    if (!has_iterations(s, limits)) return false;
    for (int k = 0; k < a->rank; k++) {
        const dpc_subscript *u = &subscripts[k];
        const dpc_bounds values = u->index < 0 ? (dpc_bounds){0, 0} : executed_values(s, u->index, limits);
        if (values.lower > values.upper) return false;
        leaves = leaves || side_of(&a->dim[k], u, values.lower) != 0 || side_of(&a->dim[k], u, values.upper) != 0;
    }
    return leaves;
}

/* ---- Parts of the iterations: below and above the array along one dimension after the other */

static dpc_index value_at(const dpc_range *r, dpc_index iteration) {
    return r->lower + iteration * r->stride;
}

/* The first of `count` iterations of a range whose value is at least `least`. */
static dpc_index first_from(const dpc_range *r, dpc_index count, dpc_index least) {
    dpc_index low = 0, high = count;
    while (low < high) {
        const dpc_index middle = low + (high - low) / 2;
        if (value_at(r, middle) >= least)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first of `count` iterations that is not on `side` of the array nor before that. */
static dpc_index first_beyond(const dpc_range *r, dpc_index count, const dpc_dim *d, const dpc_subscript *u, int side) {
    const int sign = u->stride < 0 ? -1 : 1;
    dpc_index low = 0, high = count;
    while (low < high) {
        const dpc_index middle = low + (high - low) / 2;
        if (sign * side_of(d, u, value_at(r, middle)) > side)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Iterations from .. to - 1 of a range. */
static dpc_range cut(const dpc_range *r, dpc_index from, dpc_index to) {
    if (from >= to) return (dpc_range){0, -1, 1};
    return (dpc_range){value_at(r, from), value_at(r, to - 1), r->stride};
}

/* The ranges of a statement, cut to what conditions leave; false: nothing. */
static bool set_ranges(dpc_part *p) {
    const dpc_space *s = p->space;
    if (!has_iterations(s, p->limits)) return false;
    for (int k = 0; k < s->rank; k++) {
        const dpc_bounds values = executed_values(s, k, p->limits);
        const dpc_index from = first_from(&s->range[k], s->count[k], values.lower);
        const dpc_index to =
            values.upper == INT64_MAX ? s->count[k] : first_from(&s->range[k], s->count[k], values.upper + 1);
        p->range[k] = cut(&s->range[k], from, to);
        if (from >= to && k < s->own) return false;
    }
    return true;
}

/* Cuts the ranges to part number p->next: what is below or above the array along a dimension.  False: nothing is. */
static bool set_part(dpc_part *p) {
    const int k = p->next / 2;
    const bool behind = p->next % 2 == 1;
    const dpc_subscript *u = &p->subscripts[k];
    const dpc_dim *d = &p->array->dim[k];
    if (!set_ranges(p)) return false;
    if (u->index < 0) return !behind && side_of(d, u, 0) != 0;
    dpc_range *r = &p->range[u->index];
    const dpc_index count = dpc_count(r->lower, r->upper, r->stride);
    const dpc_index at = first_beyond(r, count, d, u, behind ? 0 : -1);
    *r = behind ? cut(r, at, count) : cut(r, 0, at);
    return r->lower <= r->upper;
}

void dpc_next_part(dpc_part *p) {
    p->more = false;
    while (!p->more && p->next < 2 * p->array->rank) {
        p->more = set_part(p);
        p->next++;
    }
}

dpc_part dpc_first_part(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                        const dpc_bounds *limits, bool whole) {
    dpc_part p = {.space = s, .array = a, .subscripts = subscripts, .limits = limits};
    if (!dpc_leaves(s, a, subscripts, limits)) return p;
    if (!whole) {
        dpc_next_part(&p);
        return p;
    }
    p.next = 2 * a->rank;
    p.more = set_ranges(&p);
    return p;
}

/* Whether references stay inside their arrays: proved from constants, or from what the bounds of indices and of the C
 * loops around a statement say about the variables in subscripts. */
#include "knowledge.h"

/* ---- Constants */

__extension__ typedef __int128 wide;

/* First and last value of an index whose range is constant; false: it is not, or is empty. */
static bool constant_range(const loop_index *x, wide *first, wide *last) {
    int64_t lower, upper, step;
    if (x->triangular || !linear_value(&x->lower, &lower) || !linear_value(&x->upper, &upper) ||
        !linear_value(&x->stride, &step))
        return false;
    *first = lower;
    if (step == 0 || (step > 0 ? upper < lower : upper > lower)) return false;
    *last = lower + ((wide)upper - lower) / step * step;
    return true;
}

/* Cut to 64 bits: what is cut is outside of every array that does not end there. */
static int64_t cut(wide x) {
    return x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
}

/* The least and greatest element that a subscript with constants means; `beyond`: they are not 64-bit numbers. */
static bool affine_constant_span(const parallel *s, const subscript *u, int64_t *low, int64_t *high, bool *beyond) {
    int64_t offset, stride;
    wide first, last;
    *beyond = false;
    if (!linear_value(&u->offset, &offset)) return false;
    *low = *high = offset;
    if (u->kind == SUBSCRIPT_INVARIANT) return true;
    if (u->kind == SUBSCRIPT_GENERAL || !linear_value(&u->stride, &stride) ||
        !constant_range(&s->index[u->index], &first, &last))
        return false;
    const wide a = offset + stride * first, b = offset + stride * last, least = a < b ? a : b, most = a < b ? b : a;
    *low = cut(least);
    *high = cut(most);
    *beyond = least != *low || most != *high;
    return true;
}

/* The affine subscript at an end of what one that is near it adds. */
static subscript end_of(const nearness *near, int64_t beyond) {
    subscript end = {.kind = SUBSCRIPT_AFFINE, .index = near->index, .stride = near->stride, .offset = near->offset};
    end.offset.constant += beyond;
    return end;
}

/* The same where that is known at run time only. */
static subscript wide_end_of(arena *a, const nearness *near, const linear *beyond) {
    subscript end = end_of(near, 0);
    end.offset = linear_add(a, end.offset, *beyond);
    return end;
}

static bool constant_span(const parallel *s, const subscript *u, int64_t *low, int64_t *high, bool *beyond) {
    if (u->kind != SUBSCRIPT_GENERAL || !u->near) return affine_constant_span(s, u, low, high, beyond);
    if (u->near->wide) return false;
    if (u->near->from) {
        *beyond = false;
        return linear_value(u->near->from, low) && linear_value(u->near->to, high);
    }
    const subscript least = end_of(u->near, u->near->least), most = end_of(u->near, u->near->most);
    int64_t other;
    bool below, above;
    if (!affine_constant_span(s, &least, low, &other, &below) || !affine_constant_span(s, &most, &other, high, &above))
        return false;
    *beyond = below || above;
    return true;
}

bool bends_with_indices(const parallel *s, const linear_term *x) {
    for (int k = 0; k < s->indices && x->node && x->node->kind != N_NAME; k++)
        if (s->index[k].symbol && mentions_symbol(x->node, s->index[k].symbol)) return true;
    return false;
}

bool has_triangular(const parallel *s) {
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular) return true;
    return false;
}

static bool is_empty(const parallel *s) {
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        int64_t lower, upper, step;
        if (x->triangular || !linear_value(&x->lower, &lower) || !linear_value(&x->upper, &upper) ||
            !linear_value(&x->stride, &step))
            continue;
        if (step >= 0 ? lower > upper : lower < upper) return true;
    }
    return false;
}

static bool whole_dimension(const parallel *s, const subscript *u, const array *a, int d) {
    if (u->kind != SUBSCRIPT_AFFINE || !linear_is(&u->offset, 0) || !linear_is(&u->stride, 1)) return false;
    const loop_index *x = &s->index[u->index];
    return !x->triangular && linear_equal(&x->lower, &a->lower[d]) && linear_equal(&x->upper, &a->upper[d]) &&
           linear_is(&x->stride, 1);
}

/* Bounds of the subscript's values, in terms of variables; false: there are none. */
static bool subscript_span(const knowledge *w, const parallel *s, const subscript *u, linear *low, linear *high) {
    *low = *high = u->offset;
    if (u->kind == SUBSCRIPT_INVARIANT) return is_settled(w, low, w->loops);
    if (u->kind != SUBSCRIPT_AFFINE || !linear_is_constant(&u->stride) || !has_known_stride(&s->index[u->index]))
        return false;
    const linear *least = least_value(&s->index[u->index]), *greatest = greatest_value(&s->index[u->index]);
    const int64_t stride = u->stride.constant;
    return is_settled(w, &u->offset, w->loops) && is_settled(w, least, w->loops) && is_settled(w, greatest, w->loops) &&
           add_multiple(w->memory, low, stride, stride > 0 ? least : greatest) &&
           add_multiple(w->memory, high, stride, stride > 0 ? greatest : least);
}

/* forall (i = 1:n) ... A[i+1] with A[0:n+1]; for (k = 0; k < n; k++) forall (i = k+1:n-1) ... A[k][i] with A[n][n]. */
static bool spans_inside(const knowledge *w, const parallel *s, const subscript *u, const array *a, int d) {
    linear low, high;
    return is_settled(w, &a->written_lower[d], 0) && is_settled(w, &a->written_upper[d], 0) &&
           subscript_span(w, s, u, &low, &high) && is_at_most(w, &a->written_lower[d], &low) &&
           is_at_most(w, &high, &a->written_upper[d]);
}

static bool stays_inside(const knowledge *w, const parallel *s, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    const array *a = r->array;
    int64_t low, high, lower, upper;
    bool beyond;
    if (linear_value(&a->lower[d], &lower) && linear_value(&a->upper[d], &upper) &&
        constant_span(s, u, &low, &high, &beyond))
        return !beyond && low >= lower && high <= upper;
    if (u->kind == SUBSCRIPT_GENERAL && u->near && u->near->from)
        return is_settled(w, &a->written_lower[d], 0) && is_settled(w, &a->written_upper[d], 0) &&
               is_settled(w, u->near->from, w->loops) && is_settled(w, u->near->to, w->loops) &&
               is_at_most(w, &a->written_lower[d], u->near->from) && is_at_most(w, u->near->to, &a->written_upper[d]);
    if (u->kind == SUBSCRIPT_GENERAL && u->near) {
        const subscript least = wide_end_of(w->memory, u->near, &u->near->low),
                        most = wide_end_of(w->memory, u->near, &u->near->high);
        return spans_inside(w, s, &least, a, d) && spans_inside(w, s, &most, a, d);
    }
    return whole_dimension(s, u, a, d) || spans_inside(w, s, u, a, d);
}

bool subscript_in_bounds(const program *p, const parallel *s, const reference *r, int d) {
    const knowledge w = knowledge_at(p, s, s->node);
    return stays_inside(&w, s, r, d);
}

bool reference_in_bounds(const program *p, const parallel *s, const reference *r) {
    const knowledge w = knowledge_at(p, s, s->node);
    for (int d = 0; d < r->rank; d++)
        if (!stays_inside(&w, s, r, d)) return false;
    return true;
}

bool statement_in_bounds(const program *p, const parallel *s) {
    const reference *home = home_of(s);
    if (home && !reference_in_bounds(p, s, home)) return false;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && !reference_in_bounds(p, s, &s->reference[k])) return false;
    return true;
}

/* ---- What is known to be outside */

/* Constant declared bounds of dimension d; false where they are not constant, or not those of the memory. */
static bool constant_bounds(const reference *r, int d, int64_t *lower, int64_t *upper) {
    if (r->array) {
        return linear_value(&r->array->lower[d], lower) && linear_value(&r->array->upper[d], upper);
    }
    const type *t = r->symbol && r->symbol->kind == SYMBOL_VARIABLE ? r->symbol->type : NULL;
    for (int k = 0; t && t->kind == TYPE_ARRAY && k < d; k++) t = t->of;
    if (!t || t->kind != TYPE_ARRAY || (d == 0 && r->symbol->is_parameter)) return false;
    const node *low = t->array->child[1], *high = t->array->child[2];
    *lower = 0;
    if (!high || !constant_value(high, upper) || (low && !constant_value(low, lower))) return false;
    if (!low && *upper > 0) --*upper;
    return low || *upper >= 0;
}

/* A constant range of subscripts that is not all within constant bounds; *at: one of them that is outside. */
static bool leaves_dimension(const parallel *s, const reference *r, int d, int64_t *at, int64_t *lower,
                             int64_t *upper) {
    int64_t low, high;
    bool beyond;
    if (r->subscript[d].kind != SUBSCRIPT_AFFINE || !constant_span(s, &r->subscript[d], &low, &high, &beyond) ||
        !constant_bounds(r, d, lower, upper) || (!beyond && low >= *lower && high <= *upper))
        return false;
    *at = low < *lower ? low : high;
    return true;
}

bool reference_leaves(const parallel *s, const reference *r) {
    int64_t at, lower, upper;
    for (int d = 0; d < r->rank; d++)
        if (leaves_dimension(s, r, d, &at, &lower, &upper)) return true;
    return false;
}

/* Whether the ranges of the indices that a reference depends on have values. */
static certainty certainty_in_ranges(const parallel *s, const reference *r) {
    wide first, last;
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        if (x->reduction >= 0 && x->reduction != r->reduction) continue;
        if (!constant_range(x, &first, &last)) return EXECUTED_PERHAPS;
    }
    return EXECUTED_ALWAYS;
}

/* Whether an independent loop comes to the element that says who executes an iteration: on(...) in any case. */
static bool is_asked_always(const program *p, const parallel *s) {
    return s->loop->on || certainty_of(p, s->left.node, s->loop->body) == EXECUTED_ALWAYS;
}

static certainty certainty_by(const program *p, const parallel *s, const reference *r) {
    const node *outermost = outermost_forall(s->node);
    const certainty found = certainty_of(p, outermost ? outermost : s->node, NULL);
    if (found != EXECUTED_ALWAYS) return found;
    return s->loop && !is_asked_always(p, s) ? EXECUTED_PERHAPS : certainty_in_ranges(s, r);
}

/* What stands in the brackets of dimension d. */
static const node *bracketed(const reference *r, int d) {
    node *name, *subscripts[MAX_RANK];
    int count;
    return index_chain(r->node, &name, subscripts, &count) && d < count ? subscripts[d] : r->node;
}

void check_constant_bounds(program *p, const parallel *s, const reference *r) {
    int64_t at, lower, upper;
    size_t number;
    const versions *v = versions_around(p, s->node, &number);
    if (!r->symbol || s->placed.clip || r->guarded || is_empty(s)) return;
    if (v && v->condition) return; /* steps that the program may never have: it checks those that it has */
    for (int d = 0; d < r->rank; d++)
        if (leaves_dimension(s, r, d, &at, &lower, &upper))
            diagnose_outside(p, r->subscript[d].node ? r->subscript[d].node : r->node, bracketed(r, d),
                             certainty_by(p, s, r), at, d, r->symbol, lower, upper);
}

/* ---- Elements of their own */

/* Whether one of the subscripts goes with index k alone. */
static bool is_told_apart(const reference *r, int k) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_AFFINE && u->index == k && linear_is_constant(&u->stride) && u->stride.constant != 0)
            return true;
    }
    return false;
}

bool records_assignments(const program *p, const parallel *s) {
    if (!p->check_all || s->kind != PARALLEL_ASSIGNMENT || s->loop || picks_parts(s)) return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && !is_told_apart(&s->left, k)) return true;
    return false;
}

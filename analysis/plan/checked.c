/* Subscripts that are checked at run time: what conditions guard, or what is not affine, and nothing proves to be
 * inside. */
#include "plan.h"

static bool is_same_subscript(const subscript *u, const subscript *v) {
    if (u->kind != v->kind || u->kind == SUBSCRIPT_GENERAL || !linear_equal(&u->offset, &v->offset)) return false;
    return u->kind == SUBSCRIPT_INVARIANT || (u->index == v->index && linear_equal(&u->stride, &v->stride));
}

/* Whether the iterations that this process executes have an element of home with the same subscript, within equal
 * bounds. */
static bool is_inside_as_home(const parallel *s, const reference *r, int d) {
    const reference *home = home_of(s);
    for (int k = 0; home && k < home->rank; k++)
        if (finds_owner(s, k) && is_same_subscript(&home->subscript[k], &r->subscript[d]) &&
            linear_equal(&home->array->lower[k], &r->array->lower[d]) &&
            linear_equal(&home->array->upper[k], &r->array->upper[d]))
            return true;
    return false;
}

/* Whether each iteration of the ranges evaluates the reference: then the ends of the ranges are checked elsewhere. */
static bool is_always_evaluated(const parallel *s, const reference *r) {
    if (s->placed.clip || r->guarded) return false;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
    return true;
}

bool is_unchecked(const program *p, const parallel *s, const reference *r, int d) {
    if (p->no_checks || !r->array || r->confined || (r->placed.matrix && r->placed.matrix->inside)) return false;
    if (!s->loop && r->subscript[d].kind != SUBSCRIPT_GENERAL && is_always_evaluated(s, r)) return false;
    return !is_inside_as_home(s, r, d) && !executed_in_bounds(p, s, r, d);
}

bool needs_checks(const program *p, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank && !s->loop; d++)
        if (is_unchecked(p, s, r, d)) return true;
    return false;
}

/* Whether only the iterations tell: a subscript that is not affine. */
bool is_told_by_iterations(const program *p, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL && is_unchecked(p, s, r, d)) return true;
    return false;
}

bool looks_outside(const program *p, const parallel *s) {
    return s->placed.outside && !p->no_checks;
}

/* Whether references stay inside their arrays: proved from constants, or from what the bounds of indices and of the C
 * loops around a statement say about the variables in subscripts. */
#include "model.h"

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
static bool constant_span(const parallel *s, const subscript *u, int64_t *low, int64_t *high, bool *beyond) {
    int64_t offset, stride;
    wide first, last;
    *beyond = false;
    if (!linear_value(&u->offset, &offset)) return false;
    *low = *high = offset;
    if (u->kind == SUBSCRIPT_INVARIANT) return true;
    const loop_index *x = &s->index[u->index];
    if (u->kind != SUBSCRIPT_AFFINE || !linear_value(&u->stride, &stride) || !constant_range(x, &first, &last)) return false;
    const wide a = offset + stride * (stride > 0 ? first : last), b = offset + stride * (stride > 0 ? last : first);
    *low = cut(a);
    *high = cut(b);
    *beyond = a < *low || a > *low || b < *high || b > *high;
    return true;
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

/* ---- Variables */

enum { MOST_LOOPS = 8, MOST_FACTS = 6, DEEPEST_PROOF = 2 };

/* What is known of the variables at a statement that has iterations. */
typedef struct {
    arena *memory;
    struct {
        const symbol *variable; /* of a loop around the statement, the outermost first */
        linear low, high;       /* it is between these, where they are known */
        bool has_low, has_high;
    } loop[MOST_LOOPS];
    int loops;
    linear fact[MOST_FACTS]; /* not negative */
    int facts;
} knowledge;

/* Whether a variable has the same value wherever it stands: it is never assigned. */
static bool is_fixed(const symbol *s) {
    return s->kind == SYMBOL_VARIABLE && s->assignments == 0 && (!s->file_scope || s->is_static);
}

/* Whether the variables in x keep their values during the statement, and since arrays were created from them: all are
 * fixed or (where `loops` is more than 0) of the outermost loops. */
static bool is_settled(const knowledge *w, const linear *x, int loops) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        if (!n || n->kind != N_NAME || !n->symbol) return false;
        bool found = is_fixed(n->symbol);
        for (int k = 0; k < loops; k++) found = found || w->loop[k].variable == n->symbol;
        if (!found) return false;
    }
    return true;
}

/* Adds factor * y to x; false: what is written alike means different variables. */
static bool add_multiple(arena *memory, linear *x, int64_t factor, const linear *y) {
    if (!same_symbols(x, y)) return false;
    *x = linear_add(memory, *x, linear_multiply(memory, linear_constant(factor), *y));
    return true;
}

/* Replaces the variable of a loop by its bound that makes x least; false: there is none. */
static bool replace_variable(const knowledge *w, linear *x, int loop) {
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        const int64_t factor = term->coefficient;
        if (!term->node || term->node->symbol != w->loop[loop].variable) continue;
        if (!(factor > 0 ? w->loop[loop].has_low : w->loop[loop].has_high) || factor == INT64_MIN) return false;
        const linear variable = linear_atom(term->text, term->node);
        return add_multiple(w->memory, x, -factor, &variable) &&
               add_multiple(w->memory, x, factor, factor > 0 ? &w->loop[loop].low : &w->loop[loop].high);
    }
    return true;
}

/* Whether x >= 0 follows from the loops and up to DEEPEST_PROOF facts, from number `from` on. */
static bool is_not_negative(const knowledge *w, linear x, int from, int depth) {
    linear least = x;
    bool found = true;
    for (int k = w->loops - 1; k >= 0 && found; k--) found = replace_variable(w, &least, k);
    if (found && linear_is_constant(&least)) return least.constant >= 0;
    for (int k = from; depth < DEEPEST_PROOF && k < w->facts; k++) {
        linear rest = x;
        if (add_multiple(w->memory, &rest, -1, &w->fact[k]) && is_not_negative(w, rest, k + 1, depth + 1)) return true;
    }
    return false;
}

static bool is_at_most(const knowledge *w, const linear *low, const linear *high) {
    linear room = *high;
    return add_multiple(w->memory, &room, -1, low) && is_not_negative(w, room, 0, 0);
}

/* Notes that low <= high. */
static void add_fact(knowledge *w, const linear *low, const linear *high) {
    if (w->facts == MOST_FACTS || !is_settled(w, low, w->loops) || !is_settled(w, high, w->loops)) return;
    w->fact[w->facts] = *high;
    if (add_multiple(w->memory, &w->fact[w->facts], -1, low)) w->facts++;
}

/* The value of a bound of a loop as its variable, of type t, gets it or is compared with it; false: not known. */
static bool take_bound(const program *p, const knowledge *w, const type *t, const node *n, linear *bound) {
    *bound = linear_of(p->memory, p->source, n);
    if (!is_settled(w, bound, w->loops)) return false;
    for (int k = 0; k < bound->terms; k++) {
        const symbol *s = bound->term[k].node->symbol;
        if (!is_signed_integer(s) || element_bytes(s->type->element) > element_bytes(t->element)) return false;
    }
    return bound->constant >= -INT32_MAX && bound->constant <= INT32_MAX;
}

/* What a loop says about its variable, if nothing else changes that. */
static void add_loop(const program *p, knowledge *w, const node *loop) {
    counting_loop c;
    linear first, limit;
    if (!counting_loop_of(loop, &c) || !counts_undisturbed(loop, &c)) return;
    const bool up = c.step > 0, has_first = take_bound(p, w, c.variable->type, c.first, &first);
    const bool has_limit = take_bound(p, w, c.variable->type, c.limit, &limit);
    if (has_limit && !c.inclusive) limit.constant += up ? -1 : 1;
    const int k = w->loops++;
    w->loop[k].variable = c.variable;
    w->loop[k].low = up ? first : limit;
    w->loop[k].high = up ? limit : first;
    w->loop[k].has_low = up ? has_first : has_limit;
    w->loop[k].has_high = up ? has_limit : has_first;
    if (has_first && has_limit) add_fact(w, &w->loop[k].low, &w->loop[k].high);
}

/* What the loops around n say, whose body it is in. */
static void add_loops(const program *p, knowledge *w, const node *n) {
    const node *around[MOST_LOOPS];
    int count = 0;
    for (; n && n->parent && n->kind != N_FUNCTION_DEFINITION && count < MOST_LOOPS; n = n->parent)
        if (n->parent->kind == N_FOR && n->parent->child[3] == n) around[count++] = n->parent;
    while (count > 0) add_loop(p, w, around[--count]);
}

static bool has_known_stride(const loop_index *x) {
    return !x->triangular && linear_is_constant(&x->stride) && x->stride.constant != 0;
}

static const linear *least_value(const loop_index *x) {
    return x->stride.constant > 0 ? &x->lower : &x->upper;
}
static const linear *greatest_value(const loop_index *x) {
    return x->stride.constant > 0 ? &x->upper : &x->lower;
}

static knowledge knowledge_at(const program *p, const parallel *s) {
    knowledge w = {.memory = p->memory};
    add_loops(p, &w, s->node);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && has_known_stride(&s->index[k]))
            add_fact(&w, least_value(&s->index[k]), greatest_value(&s->index[k]));
    return w;
}

/* Bounds of the subscript's values, in terms of variables; false: there are none. */
static bool subscript_span(const knowledge *w, const parallel *s, const subscript *u, linear *low, linear *high) {
    *low = *high = u->offset;
    if (u->kind == SUBSCRIPT_INVARIANT) return is_settled(w, low, w->loops);
    if (u->kind != SUBSCRIPT_AFFINE || !linear_is_constant(&u->stride) || !has_known_stride(&s->index[u->index])) return false;
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

bool reference_in_bounds(const program *p, const parallel *s, const reference *r) {
    const knowledge w = knowledge_at(p, s);
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        const array *a = r->array;
        int64_t low, high, lower, upper;
        bool beyond, constant = linear_value(&a->lower[d], &lower) && linear_value(&a->upper[d], &upper) &&
                                constant_span(s, u, &low, &high, &beyond);
        if (constant ? beyond || low < lower || high > upper
                     : !whole_dimension(s, u, a, d) && !spans_inside(&w, s, u, a, d))
            return false;
    }
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

void check_constant_bounds(program *p, const parallel *s, const reference *r) {
    if (!r->symbol || s->clip || r->guarded || is_empty(s)) return;
    for (int d = 0; d < r->rank; d++) {
        int64_t low, high, lower, upper;
        bool beyond;
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || !constant_span(s, &r->subscript[d], &low, &high, &beyond)) continue;
        if (!constant_bounds(r, d, &lower, &upper) || (!beyond && low >= lower && high <= upper)) continue;
        diagnose(p->source, r->subscript[d].node ? r->subscript[d].node : r->node, D_out_of_range,
                 (long long)(low < lower ? low : high), d + 1, r->symbol->name, (long long)lower, (long long)upper);
    }
}

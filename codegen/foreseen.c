/* --check=all: elements of ordinary memory whose subscripts are known before a statement's loops, because they are
 * linear in its indices and each iteration evaluates them.  That they stay inside is checked before, at both ends:
 *
 *     dpc_ends_within_block("file.dpc:7:41", "x", 0, 1 <= m, (const void *)x, 1, n, sizeof *x);
 *     loops
 *         ... x[i] ... */
#include <string.h>

#include "../analysis/model/model.h"
#include "../analysis/model/types.h"
#include "spmd.h"

/* ---- Indices */

/* Whether the values of index k surround n: it is the statement's, or that of a reduction whose value n is part of. */
static bool surrounds(const parallel *s, int k, const node *n) {
    const int which = s->index[k].reduction;
    if (which < 0) return true;
    const reduction *r = &s->reduction[which];
    return node_holds(r->value, n) || (r->factor && node_holds(r->factor, n));
}

static bool ascends(const loop_index *x) {
    return !x->triangular && !x->guards && linear_is_constant(&x->stride) && x->stride.constant > 0;
}

/* Linear in what every process has as the statement begins. */
static bool is_known_before(const emitter *e, const node *root, const linear *x) {
    for (int k = 0; k < x->terms; k++)
        if (!x->term[k].node || !is_steady_replica(e, root, x->term[k].node)) return false;
    return linear_fits(x);
}

const loop_index *index_of_term(const parallel *s, const linear_term *t) {
    for (int k = 0; t->node && t->node->kind == N_NAME && k < s->indices; k++)
        if (s->index[k].symbol && s->index[k].symbol == t->node->symbol) return &s->index[k];
    return NULL;
}

/* ---- Whether each iteration evaluates an element */

/* The reduction of the statement that a call is, or -1. */
static int reduction_of(const parallel *s, const node *call) {
    for (size_t k = 0; k < s->reductions; k++)
        if (s->reduction[k].call == call) return (int)k;
    return -1;
}

/* Whether n is evaluated by every iteration that is executed, where it stands directly in `up`. */
static bool passes_on(const emitter *e, const parallel *s, const node *up, const node *n, bool section) {
    bool negated;
    if (up->kind == N_IF || up->kind == N_STATEMENT_EXPRESSION || up->made || condition_at(up, n, &negated))
        return false;
    if (up->kind == N_FORALL) return n == up->child[1];
    if (up->kind != N_CALL) return true;
    const int which = reduction_of(s, up);
    if (which < 0) return !section && !reduction_at(e->p, up);
    const reduction *r = &s->reduction[which];
    return node_holds(r->value, n) || (r->factor && node_holds(r->factor, n));
}

static bool is_always_evaluated(const emitter *e, const parallel *s, const node *root, const node *n, bool section) {
    for (; n != root && n->parent; n = n->parent)
        if (!passes_on(e, s, n->parent, n, section)) return false;
    return n == root;
}

/* ---- Its subscripts */

/* The ends of a subscript; its index, or -1. */
typedef struct {
    linear low, high;
    int index;
    bool dense; /* it takes all values from low to high */
} subscript_ends;

/* The last value of an index that ascends: its upper bound, or one that its steps do not reach; false: not known. */
static bool find_last(const emitter *e, const loop_index *i, linear *last) {
    int64_t lower, upper;
    *last = i->upper;
    if (linear_is(&i->stride, 1)) return true;
    if (!linear_value(&i->lower, &lower) || !linear_value(&i->upper, &upper)) return false;
    if (lower <= upper) *last = linear_number(e->memory, upper - (upper - lower) % i->stride.constant);
    return true;
}

static bool add_steps(const emitter *e, subscript_ends *x, const loop_index *i, int64_t factor) {
    const linear by = linear_constant(factor);
    linear last;
    if (!find_last(e, i, &last)) return false;
    const linear *low = factor > 0 ? &i->lower : &last, *high = factor > 0 ? &last : &i->lower;
    x->low = linear_add(e->memory, x->low, linear_multiply(e->memory, by, *low));
    x->high = linear_add(e->memory, x->high, linear_multiply(e->memory, by, *high));
    x->dense = x->dense && x->index < 0 && (factor == 1 || factor == -1) && linear_is(&i->stride, 1);
    return true;
}

static bool find_ends(emitter *e, const parallel *s, const node *root, const node *n, const linear *whole,
                      subscript_ends *x) {
    linear rest = linear_without_terms(whole);
    *x = (subscript_ends){.low = rest, .high = rest, .index = -1, .dense = true};
    for (int t = 0; t < whole->terms; t++) {
        const linear_term *term = &whole->term[t];
        const loop_index *i = index_of_term(s, term);
        if (!i) {
            const linear one = linear_multiply(e->memory, linear_constant(term->coefficient),
                                               linear_atom(e->memory, term->text, term->node));
            if (!is_known_before(e, root, &one)) return false;
            x->low = linear_add(e->memory, x->low, one);
            x->high = linear_add(e->memory, x->high, one);
            continue;
        }
        const int k = (int)(i - s->index);
        if (!ascends(i) || !surrounds(s, k, n) || moved_index(e->memory, term->node) ||
            converted_index(e->memory, term->node))
            return false;
        if (!add_steps(e, x, i, term->coefficient)) return false;
        x->index = k;
    }
    return is_known_before(e, root, &x->low) && is_known_before(e, root, &x->high);
}

/* The same of a subscript that a section makes. */
static bool find_ends_of_section(emitter *e, const parallel *s, const node *root, const subscript *u,
                                 subscript_ends *x) {
    *x = (subscript_ends){.low = u->offset, .high = u->offset, .index = -1, .dense = true};
    if (u->kind == SUBSCRIPT_GENERAL || u->whole) return false;
    if (u->kind == SUBSCRIPT_AFFINE) {
        if (!linear_is_constant(&u->stride) || u->stride.constant == 0 || !ascends(&s->index[u->index])) return false;
        if (!add_steps(e, x, &s->index[u->index], u->stride.constant)) return false;
        x->index = u->index;
    }
    return is_known_before(e, root, &x->low) && is_known_before(e, root, &x->high);
}

/* Whether an index has values, but for `but`, where n is evaluated, as C text; NULL: nobody knows. */
static const char *any_text(emitter *e, const parallel *s, const node *root, const node *n, int but) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        int64_t lower, upper;
        if (!surrounds(s, k, n) || k == but) continue;
        if (!ascends(x) || !is_known_before(e, root, &x->lower) || !is_known_before(e, root, &x->upper)) return NULL;
        if (linear_value(&x->lower, &lower) && linear_value(&x->upper, &upper) && lower <= upper) continue;
        text_format(&out, "%s%s <= %s", out.length ? " && " : "", linear_words(e, &x->lower),
                    linear_words(e, &x->upper));
    }
    return out.length ? text_of(&out) : "true";
}

/* ---- Elements */

static void foresee_element(emitter *e, const parallel *s, const node *root, node *n) {
    node *base, *subscripts[MAX_RANK];
    int count;
    subscript_ends ends[MAX_RANK];
    const char *check[MAX_RANK];
    const reference *r = reference_at(s, n);
    if (!index_chain(n, &base, subscripts, &count) || base->kind != N_NAME || !base->symbol || n->made ||
        is_inside_before(e, n) || (r && r->array) || !is_own_copy(e, root, base->symbol) ||
        !is_always_evaluated(e, s, root, n, r != NULL))
        return;
    const char *any = any_text(e, s, root, n, -1);
    for (int d = 0; d < count; d++) {
        if (r) {
            if (!find_ends_of_section(e, s, root, &r->subscript[d], &ends[d])) return;
        } else {
            const linear whole = linear_of(e->memory, e->p->source, subscripts[d]);
            if (!find_ends(e, s, root, n, &whole, &ends[d])) return;
        }
        check[d] = any ? compared_ends(e, n, base, d, count, any, &ends[d].low, &ends[d].high) : NULL;
        if (!check[d]) return;
    }
    for (int d = 0; d < count; d++)
        if (*check[d]) emit_line(e, "%s;", check[d]);
    const foreseen x = {n, count == 1 && ends[0].dense, ends[0].low, ends[0].high,
                        any_text(e, s, root, n, ends[0].index)};
    vector_add(e->memory, e->foreseen, e->foreseen_count, e->foreseen_capacity, x);
}

/* What has further subscripts is compared with these. */
static bool is_row(const node *n) {
    return n->parent->kind == N_INDEX && n->parent->child[0] == n;
}

static void foresee_elements(emitter *e, const parallel *s, const node *root, node *n) {
    if (n->kind == N_SIZEOF || n->kind == N_TYPEOF) return;
    if (n->kind == N_INDEX && !is_row(n)) foresee_element(e, s, root, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) foresee_elements(e, s, root, n->child[c]);
}

void foresee(emitter *e, const parallel *s) {
    if (!e->p->check_all || s->loop || s->in_place || (s->kind != PARALLEL_ASSIGNMENT && s->kind != PARALLEL_REDUCTION))
        return;
    const node *outermost = s->kind == PARALLEL_ASSIGNMENT ? outermost_forall(s->node) : NULL;
    foresee_elements(e, s, outermost ? outermost : s->node, s->node);
}

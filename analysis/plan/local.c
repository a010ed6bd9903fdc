/* Indices that loops need for nothing but local addresses: their loops run over home's local indices. */
#include <string.h>

#include "plan.h"

typedef struct {
    const program *p;
    const parallel *s;
    int mask;
    int index; /* the one in question */
} question;

/* ---- What mentions the index */

static const char *name_of_index(const question *q) {
    return q->s->index[q->index].name;
}

static bool in_expression(const question *q, const node *n);

/* A reduction that is placed in the text of an atom may mention what it likes. */
static bool in_linear(const question *q, const linear *x) {
    for (int t = 0; t < x->terms; t++) {
        const linear_term *atom = &x->term[t];
        if (mentions_word(atom->text, name_of_index(q))) return true;
        if (strchr(atom->text, PLACED) && (!atom->node || in_expression(q, atom->node))) return true;
    }
    return false;
}

/* Whether the text of subscript d has the index. */
static bool in_subscript(const question *q, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    if (u->kind == SUBSCRIPT_AFFINE && u->index == q->index) return true;
    if (u->kind == SUBSCRIPT_GENERAL && u->text) return mentions_word(u->text, name_of_index(q));
    return u->node ? in_expression(q, u->node) : in_linear(q, &u->offset) || in_linear(q, &u->stride);
}

/* Whether home's subscript, from which the local index along dimension d of r is, belongs to an index of its own there.
 */
static bool has_local_index(const question *q, const reference *r, int d) {
    const reference *home = home_of(q->s);
    if (!may_be_distributed(r->array, d)) return false;
    if (r->placed.relation == RELATION_STEP && r != &q->s->left && r->placed.along[d].step > 0 &&
        r->placed.along[d].home_step != 1)
        return false;
    if (r != &q->s->left && r->placed.dim[d].own) return r->subscript[d].kind == SUBSCRIPT_INVARIANT;
    const int at = aligned_dimension(q->s, r, d);
    const subscript *u = &home->subscript[at];
    return u->kind == SUBSCRIPT_INVARIANT || (u->kind == SUBSCRIPT_AFFINE && home_dimension(home, u->index) == at);
}

/* Whether the text that checks subscript d, where it stands or as a loop begins, or picks an element by it, has the
 * index. */
static bool in_body_subscript(const question *q, const reference *r, int d) {
    const bool evaluated = r->subscript[d].whole || r->subscript[d].checked || is_unchecked(q->p, q->s, r, d);
    return q->s->loop && r != &q->s->left && evaluated && in_subscript(q, r, d);
}

/* Along which of its cycles the element stands beyond the end. */
static bool in_turns(const question *q, const reference *r) {
    bool any = false;
    for (int k = 0; k < r->cycles && r->turn != ALL_TURNS; k++)
        any = any || in_linear(q, &r->cycle[k].position) || in_linear(q, &r->cycle[k].extent);
    return any;
}

static bool in_reference(const question *q, const reference *r) {
    const bool left = r == &q->s->left, scattered = left && q->s->placed.scatter;
    const bool in_place = r->array && !scattered && (left || is_in_place(r));
    bool any = in_turns(q, r);
    for (int d = 0; d < r->rank; d++) {
        const bool written = in_place ? !has_local_index(q, r, d) : scattered || !r->array;
        any = any || in_body_subscript(q, r, d) || (written && in_subscript(q, r, d));
    }
    return any;
}

/* Whether an expression is one of the statement's references: then what is printed for them. */
static bool in_references(const question *q, const node *n, bool *mentioned) {
    bool any = false;
    *mentioned = false;
    if (q->s->left.node == n) any = true, *mentioned = in_reference(q, &q->s->left);
    for (size_t k = 0; k < q->s->references; k++) {
        if (q->s->reference[k].node != n) continue;
        any = true;
        *mentioned = *mentioned || in_reference(q, &q->s->reference[k]);
    }
    return any;
}

static bool in_end_off(const question *q, const node *n) {
    for (size_t k = 0; k < q->s->ends; k++)
        if (q->s->end_off[k].call == n && mentions_word(q->s->end_off[k].condition, name_of_index(q))) return true;
    return false;
}

static bool in_range(const question *q, const loop_index *x) {
    return !strcmp(x->name, name_of_index(q)) || in_linear(q, &x->lower) || in_linear(q, &x->upper) ||
           in_linear(q, &x->stride);
}

/* The loops of reduction number k (-1: the statement's own). */
static bool in_ranges(const question *q, int k) {
    for (int j = 0; j < q->s->indices; j++)
        if (j != q->index && q->s->index[j].reduction == k && in_range(q, &q->s->index[j])) return true;
    return false;
}

static bool in_optional(const question *q, const node *n) {
    return n && in_expression(q, n);
}

static bool in_reduction(const question *q, int k) {
    const reduction *r = &q->s->reduction[k];
    if (in_ranges(q, k) || in_optional(q, r->value) || in_optional(q, r->factor) || in_optional(q, r->mask))
        return true;
    return r->best && (in_linear(q, &r->place) || mentions_word(r->backwards, name_of_index(q)));
}

/* The number of the inner reduction that n is; -1: it is none. */
static int reduction_of(const question *q, const node *n) {
    for (size_t k = 0; k < q->s->reductions; k++)
        if (q->s->reduction[k].call == n) return (int)k;
    return -1;
}

static bool in_expression(const question *q, const node *n) {
    bool mentioned;
    if (n->kind == N_NAME)
        return !strcmp(n->name, name_of_index(q)) || (n->symbol && n->symbol == q->s->index[q->index].symbol);
    if (in_references(q, n, &mentioned)) return mentioned;
    const int inner = reduction_of(q, n);
    if (inner >= 0) return q->s->reduction[inner].in_place && in_reduction(q, inner);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && in_expression(q, n->child[c])) return true;
    return in_end_off(q, n);
}

/* ---- All that the loops hold */

static bool in_masks(const question *q) {
    const int last = q->mask < 0 ? q->s->masks - 1 : q->mask;
    for (int m = 0; m <= last; m++)
        if ((m == q->mask || !q->s->mask[m].saved) && in_expression(q, q->s->mask[m].node)) return true;
    return false;
}

/* Those that are computed in the loops before the value. */
static bool in_reductions(const question *q) {
    for (size_t k = 0; k < q->s->reductions && !q->s->placed.product; k++)
        if (!q->s->reduction[k].in_place && in_reduction(q, (int)k)) return true;
    return false;
}

/* The body, and the variable that it has in place of the index. */
static bool in_body(const question *q) {
    const independent_loop *x = q->s->loop;
    const bool named = q->index < x->loops && !strcmp(x->counter[q->index]->name, name_of_index(q));
    return (!named && !x->pipeline) || in_expression(q, x->body);
}

/* Whether the loops mention the index elsewhere than in local addresses. */
static bool is_mentioned(const program *p, const parallel *s, int mask, int index) {
    const question q = {p, s, mask, index};
    if (in_masks(&q) || in_ranges(&q, -1)) return true;
    if (mask >= 0) return false;
    if (s->loop) return in_body(&q);
    return in_reductions(&q) || in_optional(&q, s->value) || in_optional(&q, s->member) ||
           (s->left.array && in_reference(&q, &s->left));
}

/* Whether index k subscripts home along a distributed dimension, with stride 1. */
static bool is_stepped_in_home(const parallel *s, int k) {
    const reference *home = home_of(s);
    const int d = home ? home_dimension(home, k) : -1;
    if (d < 0 || s->index[k].reduction >= 0 || s->index[k].triangular || is_strided(s, k)) return false;
    return shift_used(s, k) && linear_is(&home->subscript[d].stride, 1);
}

/* Whether the statements of a chain step through their homes alike. */
static bool is_alike(const parallel *s, const parallel *other, int k) {
    const reference *home = home_of(s), *theirs = home_of(other);
    const int d = home_dimension(home, k), e = home_dimension(theirs, k);
    return e >= 0 && linear_is(&theirs->subscript[e].stride, 1) &&
           linear_equal(&theirs->subscript[e].offset, &home->subscript[d].offset);
}

static bool is_local(const program *p, const parallel *s, int mask, const fusion *chain, int k) {
    if (!is_stepped_in_home(s, k)) return false;
    for (int n = 0; chain && n < chain->count; n++)
        if (!is_alike(s, chain->statement[n], k) || is_mentioned(p, chain->statement[n], -1, k)) return false;
    return chain || !is_mentioned(p, s, mask, k);
}

void plan_local_indices(const program *p, const parallel *s, int mask, const fusion *chain, execution *x) {
    if (s->kind == PARALLEL_CHECK || s->placed.waits_for >= 0 || s->placed.tiled ||
        (mask < 0 && s->placed.values_first))
        return;
    for (int k = 0; k < s->indices; k++) x->local[k] = is_local(p, s, mask, chain, k);
}

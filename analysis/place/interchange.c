/* Pass "interchange": inner reductions of floating-point values: C adds them up one after the other. Where the
 * statement's last index runs along the elements in memory, the loops are interchanged: those of the reductions go
 * around it, over a tile of its values whose results grow side by side. Each result is still computed in its own order.
 */
#include "place.h"

enum { FEWEST_ITERATIONS = 8 }; /* of the reductions' loops, where they are known: fewer are not worth the tile */

/* The statement's last index; -1: none. */
static int last_index(const parallel *s) {
    int last = -1;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0) last = k;
    return last;
}

static bool may_grow(const reduction *r) {
    return is_floating(r->type) && !r->in_place && !r->mask && !is_location(r->operation);
}

static bool few_iterations(const loop_index *x) {
    if (!linear_is_constant(&x->lower) || !linear_is_constant(&x->upper)) return false;
    return x->upper.constant - x->lower.constant + 1 < FEWEST_ITERATIONS;
}

/* Whether the index steps by 1 through one run of elements of one process, or through several. */
static bool runs_along(const parallel *s, int k) {
    const reference *home = home_of(s);
    const int d = home_dimension(home, k);
    if (d < 0 || home->array->dynamic || !linear_is(&s->index[k].stride, 1)) return false;
    return !is_cyclic(&home->array->mapping, d);
}

/* Whether a reference does not depend on the index, or has the next element for its next value. */
static bool is_alongside(const reference *r, int k, const symbol *index) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL && (!u->node || !index || mentions_symbol(u->node, index))) return false;
        if (u->kind != SUBSCRIPT_AFFINE || u->index != k) continue;
        if (d != r->rank - 1 || !linear_is(&u->stride, 1)) return false;
    }
    return true;
}

/* Whether n holds elements of ordinary arrays that depend on the index. */
static bool reads_memory_by(const parallel *s, const node *n, const symbol *index) {
    if (n->replacement) return false;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].node == n) return false;
    if (n->kind == N_INDEX && mentions_symbol(n, index)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_memory_by(s, n->child[c], index)) return true;
    return false;
}

static bool moves_with(const parallel *s, int k) {
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        if (has_own_places(r)) return true;
        if (!r->array || r->placed.relation == RELATION_LOCAL || r->placed.relation == RELATION_STEP) continue;
        if (r->placed.relation != RELATION_SETS) return true;
        for (int d = 0; d < r->rank; d++)
            if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == k) return true;
    }
    return false;
}

/* Whether iterations read elements that others store: their order matters. */
static bool reads_others(const program *p, const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array == s->left.array && s->reference[k].placed.relation != RELATION_SETS &&
            !same_subscripts(p, &s->reference[k], &s->left))
            return true;
    return false;
}

static bool reductions_interchange(const program *p, const parallel *s) {
    const int last = last_index(s);
    if (s->kind != PARALLEL_ASSIGNMENT || s->member || s->reductions == 0 || last < 0 || s->placed.home != HOME_LEFT)
        return false;
    if (s->placed.scatter || s->placed.values_first || s->placed.ordered || s->calls_unknown || s->placed.clip ||
        s->placed.waits_for >= 0 || s->ends > 0)
        return false;
    for (size_t k = 0; k < s->reductions; k++)
        if (!may_grow(&s->reduction[k])) return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction >= 0 && few_iterations(&s->index[k])) return false;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].cycles > 0 || !is_alongside(&s->reference[k], last, s->index[last].symbol)) return false;
    if (s->index[last].symbol && reads_memory_by(s, s->value, s->index[last].symbol)) return false;
    return runs_along(s, last) && !moves_with(s, last) && !reads_others(p, s);
}

void interchange_reductions(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) {
        parallel *s = all.statement[k];
        s->placed.tiled = !s->placed.product && reductions_interchange(p, s);
    }
}

/* Values that come, or go, as rows: where an index that is not divided runs through the last dimension of what is
 * gathered or scattered, and the subscripts before it do not depend on it, inspectors look for the rows. */
#include <string.h>

#include "plan.h"

static bool has_reduction(const node *n) {
    operation op;
    if (reduction_call((node *)n, &op)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_reduction(n->child[c])) return true;
    return false;
}

/* Whether what a general subscript reads depends on index k, or is found in an order of its own. */
static bool depends_on(const parallel *s, const subscript *u, int k) {
    const symbol *index = s->index[k].symbol;
    if (!u->node || u->text || has_reduction(u->node) || (index && mentions_symbol(u->node, index))) return true;
    for (size_t j = 0; j < s->references; j++) {
        const reference *q = &s->reference[j];
        if (node_holds(u->node, q->node) && (uses_index(q, k) || q->placed.relation == RELATION_GATHER)) return true;
        for (int d = 0; node_holds(u->node, q->node) && d < q->rank; d++)
            if (q->subscript[d].kind == SUBSCRIPT_GENERAL) return true;
    }
    return false;
}

/* Whether all processes execute all values of index k, one after the other. */
static bool is_undivided(const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    const int d = home_of(s) ? home_dimension(home_of(s), k) : -1;
    if (s->placed.in_parts && s->placed.parts >> k & 1) return false;
    return !x->triangular && !x->descending && linear_is(&x->stride, 1) &&
           (d < 0 || !may_be_distributed(home_of(s)->array, d));
}

/* Whether index k runs through all of the reference's dimension d. */
static bool is_all(const program *p, const reference *r, const loop_index *x, int d) {
    const linear low = linear_add(p->memory, x->lower, r->subscript[d].offset),
                 high = linear_add(p->memory, x->upper, r->subscript[d].offset);
    return linear_equal(&low, &r->array->lower[d]) && linear_equal(&high, &r->array->upper[d]);
}

/* Whether index k steps through dimension d of r, and through no other. */
static bool steps_along(const parallel *s, const reference *r, int d, int k) {
    const subscript *u = &r->subscript[d];
    if (u->kind != SUBSCRIPT_AFFINE || u->index != k || !linear_is(&u->stride, 1) || may_be_distributed(r->array, d))
        return false;
    for (int e = 0; e < d; e++) {
        const subscript *v = &r->subscript[e];
        if (v->kind == SUBSCRIPT_AFFINE && v->index == k) return false;
        if (v->kind == SUBSCRIPT_GENERAL && depends_on(s, v, k)) return false;
    }
    return is_undivided(s, k);
}

int rows_in(const program *p, const parallel *s, const reference *r) {
    int at[MAX_RANK], count = 0, rows = 0;
    if (s->loop || s->masks > 0 || s->placed.clip || r->guarded || r->confined || r->cycles > 0) return 0;
    if (r->combined.localised || (r == &s->left && (s->member || may_have_copies(r->array)))) return 0;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 || s->index[k].reduction == r->reduction) at[count++] = k;
    while (rows < count && rows + 1 < r->rank) {
        const int d = r->rank - 1 - rows, k = at[count - 1 - rows];
        if (s->index[k].reduction != r->reduction || !steps_along(s, r, d, k)) break;
        if (rows > 0 && !is_all(p, r, &s->index[at[count - rows]], d + 1)) break;
        rows++;
    }
    return rows;
}

/* Whether each value can be stored where its row belongs: nothing else of the array is read meanwhile, and the loops
 * take the rows in the order of their places. */
bool may_store_rows(const parallel *s) {
    if (strcmp(s->op, "=") != 0 || s->placed.home == HOME_REPLICATED || s->placed.waits_for >= 0 || s->placed.tiled)
        return false;
    for (size_t k = 0; k < s->references; k++) {
        const array *a = s->reference[k].array;
        if (a && (same_array(a, s->left.array) || may_be_same(a, s->left.array))) return false;
    }
    bool in_order = false;
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction >= 0) continue;
        if (!is_placed_by_value(s, k) || s->index[k].descending || s->index[k].triangular) return false;
        in_order = in_order || !runs_in_row(s, &s->left, -1, k);
    }
    return in_order;
}

bool stores_rows(const parallel *s) {
    return execution_of(s, -1)->rows_stored;
}

bool runs_in_row(const parallel *s, const reference *r, int mask, int k) {
    const execution *x = execution_of(s, mask);
    const int rows = r == &s->left ? x->rows : x->source[r - s->reference].rows;
    for (int d = r->rank - rows; d < r->rank; d++)
        if (r->subscript[d].index == k) return true;
    return false;
}

bool has_rows(const parallel *s, const reference *r, int mask) {
    const execution *x = execution_of(s, mask);
    return (r == &s->left ? x->rows : x->source[r - s->reference].rows) > 0;
}

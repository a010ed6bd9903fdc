/* Which gathered references have the same subscripts, iteration by iteration. */
#include <string.h>

#include "model.h"

bool is_always_read(const parallel *s, const reference *r) {
    const node *within = r->reduction >= 0 ? s->reduction[r->reduction].call : NULL;
    for (const node *n = r->node, *above; (above = n->parent) && n != within && above != s->node; n = above) {
        const bool chooses = above->kind == N_CONDITIONAL ||
                             (above->kind == N_BINARY && (!strcmp(above->op, "&&") || !strcmp(above->op, "||")));
        intrinsic kind;
        if ((chooses && n != above->child[0]) || (above != within && intrinsic_call(above, &kind))) return false;
        if (above->kind == N_FORALL) break;
    }
    return true;
}

/* The same variables, and nothing that may change from one evaluation to the next. */
static bool has_same_value(const node *x, const node *y) {
    if (x->kind != y->kind || x->symbol != y->symbol || x->count != y->count) return false;
    if (x->kind == N_CALL || x->kind == N_ASSIGN || is_step(x)) return false;
    for (size_t c = 0; c < x->count; c++)
        if (!x->child[c] != !y->child[c] || (x->child[c] && !has_same_value(x->child[c], y->child[c]))) return false;
    return true;
}

/* Of all subscripts. */
static bool have_same_values(const reference *x, const reference *y) {
    const node *n = x->node, *m = y->node;
    for (int d = x->rank; d > 0; d--, n = n->child[0], m = m->child[0])
        if (!n || !m || n->kind != N_INDEX || m->kind != N_INDEX || !has_same_value(n->child[1], m->child[1]))
            return false;
    return true;
}

bool has_same_accesses(const program *p, const parallel *s, const reference *x, const reference *y) {
    if (x->placed.relation != RELATION_GATHER || y->placed.relation != RELATION_GATHER || s->loop) return false;
    if (x->mask != y->mask || x->own_mask != y->own_mask || x->reduction != y->reduction) return false;
    if (x->confined != y->confined || x->cycles > 0 || y->cycles > 0 || !same_subscripts(p, x, y)) return false;
    return have_same_values(x, y) && is_always_read(s, x);
}

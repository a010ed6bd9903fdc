/* Versions for arrays that are divided alike, where that changes nothing: one is enough. */
#include <string.h>

#include "place.h"

/* ---- Whether it changes something */

static bool stand_alike(const program *p, const parallel *s, const reference *x, const parallel *t,
                        const reference *y) {
    if (x->placed.relation != y->placed.relation) return false;
    for (int d = 0; x->placed.relation == RELATION_SETS && d < x->rank; d++)
        if (x->subscript[d].kind == SUBSCRIPT_AFFINE && home_of(s) && home_of(t) &&
            stands_as_home(p, s, x, d) != stands_as_home(p, t, y, d))
            return false;
    return true;
}

static bool are_placed_alike(const program *p, const parallel *s, const parallel *t) {
    if (s->references != t->references || s->placed.home != t->placed.home) return false;
    for (size_t k = 0; k < s->references; k++)
        if (!stand_alike(p, s, &s->reference[k], t, &t->reference[k])) return false;
    return true;
}

static bool are_groups_alike(const program *p, const group *g, const group *h) {
    if (!g || !h || g->actions != h->actions) return g == h;
    for (size_t k = 0; k < g->actions; k++) {
        const parallel *s = g->action[k].statement, *t = h->action[k].statement;
        if (s && t && !are_placed_alike(p, s, t)) return false;
    }
    return true;
}

/* Whether what was made of two copies of a tree stands and moves alike. */
static bool are_made_alike(const program *p, const node *n, const node *m) {
    const parallel *s = reduction_at(p, n), *t = reduction_at(p, m);
    if ((s && t && !are_placed_alike(p, s, t)) || !are_groups_alike(p, group_at(p, n), group_at(p, m))) return false;
    for (size_t c = 0; c < n->count && c < m->count; c++)
        if (n->child[c] && m->child[c] && !are_made_alike(p, n->child[c], m->child[c])) return false;
    return true;
}

/* ---- Without the other versions */

static bool stands_in(const node *outer, const node *n) {
    while (n && n != outer) n = n->parent;
    return n != NULL;
}

static void forget_groups(program *p, const node *version) {
    size_t kept = 0;
    for (size_t k = 0; k < p->group_count; k++)
        if (!stands_in(version, p->groups[k]->node)) p->groups[kept++] = p->groups[k];
    p->group_count = kept;
    kept = 0;
    for (size_t k = 0; k < p->reduction_count; k++)
        if (!stands_in(version, p->reductions[k]->node)) p->reductions[kept++] = p->reductions[k];
    p->reduction_count = kept;
}

static void forget_likeness(reference *r) {
    if (r->array && r->array->stored_as) r->array = r->array->stored_as;
}

static void forget_in_statement(parallel *s) {
    if (!s) return;
    forget_likeness(&s->left);
    for (size_t k = 0; k < s->references; k++) forget_likeness(&s->reference[k]);
    for (size_t k = 0; k < s->placed.drops; k++) forget_likeness(&s->placed.dropped[k]);
    forget_in_statement(s->placed.outside);
}

/* The first version is as it would be where nothing is known of the arrays. */
static void forget_in_version(program *p, node *n) {
    reached *r = n->kind == N_NAME ? table_at(&p->reached_at, n) : NULL;
    const group *g = group_at(p, n);
    if (r && r->array->stored_as) r->array = r->array->stored_as;
    for (size_t k = 0; g && k < g->actions; k++) forget_in_statement(g->action[k].statement);
    forget_in_statement(reduction_at(p, n));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) forget_in_version(p, n->child[c]);
}

static size_t place_in(const node *parent, const node *n) {
    size_t c = 0;
    while (parent->child[c] != n) c++;
    return c;
}

/* Puts what a version consists of in place of the node that has it. */
static void put_in_place(program *p, const node *old, node *version) {
    node *parent = old->parent;
    const bool row = version->kind == N_COMPOUND;
    const size_t at = place_in(parent, old), count = row ? version->count : 1;
    node **child = arena_alloc(p->memory, (parent->count + count) * sizeof *child);
    memcpy(child, parent->child, at * sizeof *child);
    for (size_t c = 0; c < count; c++) {
        child[at + c] = row ? version->child[c] : version;
        child[at + c]->parent = parent;
    }
    memcpy(child + at + count, parent->child + at + 1, (parent->count - at - 1) * sizeof *child);
    parent->child = child;
    parent->count += (uint32_t)count - 1;
}

/* Where arrays that are nearly divided alike are as any others. */
static void leave_out_near(program *p, node *n, versions *v) {
    forget_groups(p, n->child[1]);
    n->child[1] = n->child[2];
    memcpy(v->view[1], v->view[2], sizeof v->view[1]);
    n->count = 2;
    v->count = 2;
}

/* Where ghost cells hold what arrays differ by, all that stores into these says so. */
static void use_versions(const versions *v) {
    const bool near = v->count == 3;
    for (size_t k = 0; k < v->likes; k++) {
        v->like[k]->used = true;
        v->like[k]->near_used = v->like[k]->near_used || near;
    }
    for (size_t k = 0; near && k < v->arrays; k++) v->array[k]->watched = true;
}

void fold_versions(program *p) {
    size_t kept = 0;
    for (size_t k = 0; k < p->likened_count; k++) {
        node *n = p->likened[k];
        versions *v = table_at(&p->versions_at, n);
        if (are_made_alike(p, n->child[0], n->child[n->count - 1])) {
            for (size_t c = 1; c < n->count; c++) forget_groups(p, n->child[c]);
            forget_in_version(p, n->child[0]);
            put_in_place(p, n, n->child[0]);
            continue;
        }
        if (v->count == 3 && are_made_alike(p, n->child[1], n->child[2])) leave_out_near(p, n, v);
        use_versions(v);
        p->likened[kept++] = n;
    }
    p->likened_count = kept;
}

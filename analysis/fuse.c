/* Pass "fuse": statements that stand one after the other and touch the same elements in the same iterations are
 * executed in one nest of loops, iteration by iteration. */
#include <string.h>

#include "analysis.h"

/* Whether what `reader` reads of the left side of `writer` is what the same iteration stores there; inner reductions
 * come before all stores. */
static bool reads_its_own(const program *p, const parallel *reader, const parallel *writer) {
    for (size_t k = 0; k < reader->references; k++) {
        const reference *r = &reader->reference[k];
        if (r->array != writer->left.array) continue;
        if ((r->reduction >= 0 && reader != writer) || !same_subscripts(p, r, &writer->left)) return false;
    }
    return true;
}

/* A plain assignment: each iteration reads and stores in place, of its left array only its own element. */
static bool is_plain(const program *p, const parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->home != HOME_LEFT || !s->left.array) return false;
    if (s->scatter || s->values_first || s->calls_unknown || s->masks > 0 || s->conformities > 0) return false;
    if (s->reductions > 0 && !s->tiled) return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->array && r->relation != RELATION_LOCAL && r->relation != RELATION_SHIFT && !s->tiled) return false;
    }
    return s->indices > 0 && s->waits_for < 0 && reads_its_own(p, s, s);
}

static bool same_ranges(const parallel *a, const parallel *b) {
    if (a->indices != b->indices || a->reductions != b->reductions) return false;
    for (int k = 0; k < a->indices; k++) {
        const loop_index *x = &a->index[k], *y = &b->index[k];
        if (strcmp(x->name, y->name) != 0 || x->reduction != y->reduction || !linear_equal(&x->lower, &y->lower) ||
            !linear_equal(&x->upper, &y->upper) || !linear_equal(&x->stride, &y->stride))
            return false;
    }
    return true;
}

/* Whether every iteration stores at the same local indices of both left sides: the arrays are mapped alike. */
static bool same_places(const program *p, const reference *a, const reference *b) {
    if (a->rank != b->rank || !reference_is_local(p, a, b)) return false;
    for (int d = 0; d < a->rank; d++) {
        const subscript *u = &a->subscript[d], *v = &b->subscript[d];
        if (u->kind != v->kind || u->kind == SUBSCRIPT_GENERAL || !linear_equal(&u->offset, &v->offset)) return false;
        if (u->kind == SUBSCRIPT_AFFINE && (u->index != v->index || !linear_equal(&u->stride, &v->stride)))
            return false;
        if (!linear_equal(&a->array->lower[d], &b->array->lower[d])) return false;
    }
    return true;
}

static bool may_join(const program *p, const parallel *a, const parallel *b) {
    if (!is_plain(p, a) || !is_plain(p, b) || !same_ranges(a, b) || !same_places(p, &a->left, &b->left)) return false;
    return reads_its_own(p, a, b) && reads_its_own(p, b, a);
}

/* The actions that one nest of loops executes so far. */
typedef struct {
    parallel *statement[MAX_FUSED];
    int count;
} chain;

static bool joins(const program *p, const chain *c, const parallel *s) {
    for (int k = 0; k < c->count; k++)
        if (!may_join(p, c->statement[k], s)) return false;
    return c->count > 0 && c->count < MAX_FUSED;
}

/* Whether group b stands right behind group a, with nothing in between. */
static bool follows(const group *a, const group *b) {
    const node *parent = b->node->parent;
    if (parent != a->node->parent || parent->kind != N_COMPOUND) return false;
    for (size_t c = 1; c < parent->count; c++)
        if (parent->child[c] == b->node) return parent->child[c - 1] == a->node;
    return false;
}

/* All of group g can be executed with the chain. */
static bool group_joins(const program *p, const chain *c, const group *g) {
    chain longer = *c;
    if (g->hoisted.count > 0 || g->actions == 0) return false;
    for (size_t k = 0; k < g->actions; k++) {
        if (g->action[k].mask >= 0 || !joins(p, &longer, g->action[k].statement)) return false;
        longer.statement[longer.count++] = g->action[k].statement;
    }
    return true;
}

/* Whether something is evaluated between the first `executed` statements of a group and the next. */
static bool evaluates_between(const group *g, size_t executed) {
    for (size_t k = 0; executed > 0 && k < g->hoisted.count; k++)
        if (g->hoisted.hoisted[k].after == executed) return true;
    return false;
}

/* One way to move for references of several statements that may be the same. */
static void fetch_together(const chain *c) {
    for (int k = 0; k < c->count; k++)
        for (size_t j = 0; j < c->statement[k]->references; j++) {
            reference *r = &c->statement[k]->reference[j];
            if (r->array && r->relation == RELATION_SETS && r->move != MOVE_BROADCAST) r->move = MOVE_FETCHED;
        }
}

void fuse(program *p) {
    chain c = {.count = 0};
    for (size_t n = 0; n < p->group_count; n++) {
        group *g = p->groups[n];
        g->joins = n > 0 && follows(p->groups[n - 1], g) && group_joins(p, &c, g);
        if (!g->joins) c.count = 0;
        for (size_t k = 0, executed = 0; k < g->actions; k++) {
            action *x = &g->action[k];
            x->joins = x->mask < 0 && !evaluates_between(g, executed) && joins(p, &c, x->statement);
            if (!x->joins) c.count = 0;
            if (x->mask >= 0) continue;
            c.statement[c.count++] = x->statement;
            if (x->joins) fetch_together(&c);
            executed++;
        }
    }
}

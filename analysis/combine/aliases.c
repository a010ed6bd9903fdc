/* Pass "aliases": arrays of a function that may be the same at run time, because both are parameters, or one is and the
 * other one is passed somewhere, and that a statement treats as different ones.  The run time refuses calls in which
 * they are the same (dpc_receive, dpc_use). */
#include <string.h>

#include "combine.h"

static bool is_shared_by_name(const array *a) {
    return (a->symbol->file_scope || a->symbol->is_static) && a->passed;
}

bool may_be_same(const array *a, const array *b) {
    if (same_array(a, b) || a->element != b->element || a->rank != b->rank) return false;
    if (a->parameter && b->parameter) return a->symbol->scope == b->symbol->scope;
    return (a->parameter && is_shared_by_name(b)) || (b->parameter && is_shared_by_name(a));
}

bool are_kept_apart(const program *p, const array *a, const array *b) {
    for (size_t k = 0; k < p->apart_count; k++)
        if ((same_array(p->apart[k].a, a) && same_array(p->apart[k].b, b)) ||
            (same_array(p->apart[k].a, b) && same_array(p->apart[k].b, a)))
            return true;
    return false;
}

static void add_pair(program *p, const array *a, const array *b) {
    if (!are_kept_apart(p, a, b))
        vector_add(p->memory, p->apart, p->apart_count, p->apart_capacity, ((array_pair){a, b}));
}

/* What is stored stands beside other arrays in a part of the source. */
static void keep_from(program *p, const array *stored, const node *part) {
    for (size_t k = 0; k < p->array_count; k++)
        if (may_be_same(stored, p->arrays[k]) && mentions_symbol(part, p->arrays[k]->symbol))
            add_pair(p, stored, p->arrays[k]);
}

/* Whether each iteration of the only statement of a group reads no other element than the one that it stores, before
 * that. */
static bool is_element_by_element(const program *p, const group *g) {
    const parallel *s = g->actions == 1 && g->action[0].mask < 0 ? g->action[0].statement : NULL;
    if (!s || s->kind != PARALLEL_ASSIGNMENT || s->placed.home != HOME_LEFT || s->placed.scatter || s->combined.chain)
        return false;
    if (s->reductions > 0 || s->hoisted->count > 0) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || !may_be_same(s->left.array, r->array)) continue;
        if (r->placed.relation != RELATION_LOCAL || !same_subscripts(p, r, &s->left)) return false;
    }
    return true;
}

static void keep_group(program *p, const group *g) {
    if (is_element_by_element(p, g)) return;
    for (size_t k = 0; k < g->actions; k++) {
        const parallel *s = g->action[k].statement;
        if (s->left.array) keep_from(p, s->left.array, g->node);
        for (size_t j = 0; s->loop && j < s->loop->stores; j++)
            if (s->loop->store[j]->array) keep_from(p, s->loop->store[j]->array, g->node);
    }
}

/* Statements in one nest of loops. */
static void keep_chain(program *p, const fusion *c) {
    for (int k = 0; k < c->count; k++)
        for (int j = 0; j < c->count && c->statement[k]->kind == PARALLEL_ASSIGNMENT; j++)
            keep_from(p, c->statement[k]->left.array, c->statement[j]->node);
}

void check_aliases(program *p) {
    for (size_t g = 0; g < p->group_count; g++) {
        keep_group(p, p->groups[g]);
        for (size_t k = 0; k < p->groups[g]->actions; k++) {
            const parallel *s = p->groups[g]->action[k].statement;
            if (s->combined.chain && s->combined.chain->statement[0] == s) keep_chain(p, s->combined.chain);
        }
    }
}

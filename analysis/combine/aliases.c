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

/* One that every function names is checked against many, a parameter from few. */
bool have_alias_check(const program *p, const array *a, const array *b) {
    const array_list *of_a = table_at(&p->alias_partners, a->origin), *of_b = table_at(&p->alias_partners, b->origin);
    if (!of_a || !of_b) return false;
    const array_list *shorter = of_a->count < of_b->count ? of_a : of_b;
    const array *other = shorter == of_a ? b : a;
    for (size_t k = 0; k < shorter->count; k++)
        if (same_array(shorter->array[k], other)) return true;
    return false;
}

static void add_other(program *p, const array *a, array *other) {
    array_list *list = table_at(&p->alias_partners, a->origin);
    if (!list) table_put(p->memory, &p->alias_partners, a->origin, list = arena_alloc(p->memory, sizeof *list));
    vector_add(p->memory, list->array, list->count, list->capacity, other);
}

static void add_pair(program *p, array *a, array *b) {
    if (have_alias_check(p, a, b)) return;
    vector_add(p->memory, p->alias_check, p->alias_check_count, p->alias_check_capacity, ((array_pair){a, b}));
    add_other(p, a, b);
    add_other(p, b, a);
}

static bool may_have_another_name(const array *a) {
    return a->parameter || is_shared_by_name(a);
}

/* What is stored, and may have another name, stands beside other arrays in a part of the source. */
static void check_from(program *p, array *stored, const node *part) {
    array *beside = part->kind == N_NAME && part->symbol ? part->symbol->array : NULL;
    if (beside && may_be_same(stored, beside)) add_pair(p, stored, beside);
    for (size_t c = 0; c < part->count; c++)
        if (part->child[c]) check_from(p, stored, part->child[c]);
}

static void check_stored(program *p, array *stored, const node *part) {
    if (stored && may_have_another_name(stored)) check_from(p, stored, part);
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
        if (has_own_places(r) || r->placed.relation != RELATION_LOCAL || !same_subscripts(p, r, &s->left)) return false;
    }
    return true;
}

static void check_group(program *p, const group *g) {
    if (is_element_by_element(p, g)) return;
    for (size_t k = 0; k < g->actions; k++) {
        const parallel *s = g->action[k].statement;
        check_stored(p, s->left.array, g->node);
        for (size_t j = 0; s->loop && j < s->loop->stores; j++) check_stored(p, s->loop->store[j]->array, g->node);
    }
}

/* Statements in one nest of loops; each array that they store once. */
static void check_chain(program *p, const fusion *c) {
    hash_table seen = {0};
    for (int k = 0; k < c->count; k++) {
        array *stored = c->statement[k]->kind == PARALLEL_ASSIGNMENT ? c->statement[k]->left.array : NULL;
        if (!stored || !may_have_another_name(stored) || table_at(&seen, stored)) continue;
        table_put(p->memory, &seen, stored, stored);
        for (int j = 0; j < c->count; j++) check_from(p, stored, c->statement[j]->node);
    }
}

void find_alias_checks(program *p) {
    for (size_t g = 0; g < p->group_count; g++) {
        check_group(p, p->groups[g]);
        for (size_t k = 0; k < p->groups[g]->actions; k++) {
            const parallel *s = p->groups[g]->action[k].statement;
            if (s->combined.chain && s->combined.chain->statement[0] == s) check_chain(p, s->combined.chain);
        }
    }
}

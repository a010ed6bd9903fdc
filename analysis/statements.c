/* The program's parallel statements as one list, and what stands around a statement in the tree. */
#include <string.h>

#include "analysis.h"

/* ---- Lists */

static void add_groups(program *p, statement_list *all) {
    for (size_t g = 0; g < p->group_count; g++)
        for (size_t k = 0; k < p->groups[g]->actions; k++)
            if (p->groups[g]->action[k].mask < 0)
                vector_add(p->memory, all->statement, all->count, all->capacity, p->groups[g]->action[k].statement);
}

statement_list group_statements(program *p) {
    statement_list all = {0};
    add_groups(p, &all);
    return all;
}

statement_list all_statements(program *p) {
    statement_list all = group_statements(p);
    for (size_t k = 0; k < p->reduction_count; k++)
        vector_add(p->memory, all.statement, all.count, all.capacity, p->reductions[k]);
    return all;
}

bool same_range(const loop_index *x, const loop_index *y) {
    return linear_equal(&x->lower, &y->lower) && linear_equal(&x->upper, &y->upper) && linear_equal(&x->stride, &y->stride);
}

/* ---- By node */

group *group_at(const program *p, const node *n) {
    for (size_t g = 0; g < p->group_count; g++)
        if (p->groups[g]->node == n) return p->groups[g];
    return NULL;
}

parallel *reduction_at(const program *p, const node *n) {
    for (size_t k = 0; k < p->reduction_count; k++)
        if (p->reductions[k]->node == n) return p->reductions[k];
    return NULL;
}

/* ---- In the tree */

node *function_around(const node *n) {
    while (n && n->kind != N_FUNCTION_DEFINITION) n = n->parent;
    return (node *)n;
}

symbol *function_symbol(const node *definition) {
    node *name = definition ? declared_name(definition->child[1]) : NULL;
    return name ? name->symbol : NULL;
}

const symbol *defined_function(const program *p, const char *name) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        const symbol *f = p->symbols[k];
        const bool defines = f->declaration && f->declaration->kind == N_FUNCTION_DEFINITION;
        if (f->kind == SYMBOL_FUNCTION && defines && !strcmp(f->name, name)) return f;
    }
    return NULL;
}

bool is_step(const node *n) {
    return (n->kind == N_POSTFIX || n->kind == N_UNARY) && (!strcmp(n->op, "++") || !strcmp(n->op, "--"));
}

const node *statement_around(const node *n) {
    const node *found = NULL;
    for (; n->parent && n->kind != N_FUNCTION_DEFINITION; n = n->parent) {
        if (n->kind == N_FORALL) found = NULL;
        if (!found && n->parent->kind == N_COMPOUND) found = n;
    }
    return found;
}

bool node_holds(const node *outer, const node *n) {
    return outer && outer->first <= n->first && n->last <= outer->last;
}

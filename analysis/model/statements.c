/* The program's parallel statements: all of them as one list, those of a node, the functions that are defined. */
#include <string.h>

#include "model.h"

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

/* ---- Functions */

const symbol *defined_function(const program *p, const char *name) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        const symbol *f = p->symbols[k];
        const bool defines = f->declaration && f->declaration->kind == N_FUNCTION_DEFINITION;
        if (f->kind == SYMBOL_FUNCTION && defines && !strcmp(f->name, name)) return f;
    }
    return NULL;
}


bool may_change_between(const program *p, const symbol *s, size_t from, size_t to) {
    for (size_t k = 0; k < p->assignment_count; k++) {
        const node *n = p->assignments[k];
        if (n->symbol == s && n->first >= from && n->first <= to) return true;
    }
    return false;
}

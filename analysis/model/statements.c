/* The program's parallel statements: all of them as one list, those of a node, the functions that are defined. */
#include <string.h>

#include "model.h"

/* ---- What they consist of */

/* A copy of `count` items, with room for more. */
static void *copy_items(arena *a, const void *items, int count, int room, size_t size) {
    void *copy = room ? arena_alloc(a, (size_t)room * size) : NULL;
    if (count) memcpy(copy, items, (size_t)count * size);
    return copy;
}

void make_dimensions(arena *a, reference *r, int rank) {
    const int had = r->subscript ? r->rank : 0;
    r->subscript = copy_items(a, r->subscript, had, rank, sizeof *r->subscript);
    r->placed.dim = copy_items(a, r->placed.dim, had, rank, sizeof *r->placed.dim);
}

reference copy_of_reference(arena *a, const reference *r) {
    reference copy = *r;
    make_dimensions(a, &copy, r->rank);
    return copy;
}

void append_index(arena *a, parallel *s, loop_index x) {
    s->index = copy_items(a, s->index, s->indices, s->indices + 1, sizeof x);
    s->index[s->indices++] = x;
}

void append_mask(arena *a, parallel *s, node *mask) {
    s->mask = copy_items(a, s->mask, s->masks, s->masks + 1, sizeof *s->mask);
    s->mask[s->masks++] = (statement_mask){.node = mask};
}

parallel copy_of_statement(arena *a, const parallel *s) {
    parallel copy = *s;
    copy.index = copy_items(a, s->index, s->indices, s->indices, sizeof *s->index);
    copy.mask = copy_items(a, s->mask, s->masks, s->masks, sizeof *s->mask);
    return copy;
}

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
    return linear_equal(&x->lower, &y->lower) && linear_equal(&x->upper, &y->upper) &&
           linear_equal(&x->stride, &y->stride);
}

/* ---- By node */

static size_t next_number(const program *p) {
    return p->group_count + p->reduction_count;
}

void note_group(program *p, group *g) {
    g->number = next_number(p);
    vector_add(p->memory, p->groups, p->group_count, p->group_capacity, g);
    if (!group_at(p, g->node)) table_put(p->memory, &p->group_of, g->node, g);
}

void note_reduction(program *p, parallel *s) {
    s->number = next_number(p);
    vector_add(p->memory, p->reductions, p->reduction_count, p->reduction_capacity, s);
    if (!reduction_at(p, s->node)) table_put(p->memory, &p->reduction_of, s->node, s);
}

group *group_at(const program *p, const node *n) {
    return table_at(&p->group_of, n);
}

parallel *reduction_at(const program *p, const node *n) {
    return table_at(&p->reduction_of, n);
}

/* ---- Functions */

const symbol *defined_function(const program *p, const char *name) {
    return names_at(&p->functions, name);
}

bool may_change_between(const symbol *s, size_t from, size_t to) {
    size_t low = 0, high = s->assignments;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->assignment[middle]->first < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->assignments && s->assignment[low]->first <= to;
}

/* States of arrays, and what directives make of them. */
#include <string.h>

#include "reach.h"

state new_state(reach *x) {
    return arena_alloc(x->memory, (x->count + 1) * sizeof(mappings));
}

state borrow_state(reach *x, const mappings *from) {
    state s = x->spares > 0 ? x->spare[--x->spares] : new_state(x);
    copy_state(x, s, from);
    return s;
}

void return_state(reach *x, state s) {
    vector_add(x->memory, x->spare, x->spares, x->spare_capacity, s);
}

void add_state(const reach *x, state to, const mappings *from) {
    for (size_t k = 0; k < x->count; k++) to[k] |= from[k];
}

void join_states(reach *x, state to, const mappings *from) {
    for (size_t k = 0; k < x->count; k++) x->changed = x->changed || (from[k] & ~to[k]) != 0;
    add_state(x, to, from);
}

void copy_state(const reach *x, state to, const mappings *from) {
    memcpy(to, from, x->count * sizeof *to);
}

void clear_state(const reach *x, state s) {
    memset(s, 0, x->count * sizeof *s);
}

int64_t number_of(const reach *x, const array *a) {
    array **place = a ? table_at(&x->numbers, a->origin) : NULL;
    return place ? place - x->tracked : -1;
}

const numbers *moved_numbers(const reach *x, const node *entity) {
    static const numbers none;
    const array *a = entity->symbol ? entity->symbol->array : NULL;
    const numbers *found = a ? table_at(&x->moved, a->origin) : NULL;
    return found ? found : &none;
}

bool lives_on(const array *a) {
    return a->symbol->file_scope || a->symbol->is_static;
}

/* Whether the mapping is the same whenever the directive is executed, but for the entries of vectors. */
static bool is_fixed(const array *a, const mapping *m) {
    int64_t block;
    if (m->grid && m->grid->part) return false;
    for (int d = 0; d < a->rank; d++)
        if (written_block(m, d) && !known_block(m, d, &block)) return false;
    for (int g = 0; m->grid && g < m->grid->rank; g++)
        if (m->grid->extent[g] && m->grid->known[g] <= 0 && !m->grid->symbol->file_scope) return false;
    return true;
}

mappings given_mapping(reach *x, node *directive, node *entity, array *a) {
    const mapping m = redistribution_mapping(x->p, directive, entity);
    const array *view = is_fixed(a, &m) && (a->views < MOST_VIEWS || find_view(a, &m)) ? array_with(x->p, a, &m) : NULL;
    if (!view) a->elsewhere = true;
    for (size_t k = 0; view && k < a->views; k++)
        if (a->view[k] == view) return FIRST_VIEW << k;
    return ANY;
}

size_t moved_arrays(const node *entity, array **moved) {
    moved[0] = entity->symbol ? entity->symbol->array : NULL;
    return moved[0] ? 1 : 0;
}

/* Redistributions as what a state consists of: which of them may have been executed last, or since something happened.
 */
#include "reach.h"

void track_arrays(reach *x, bool (*tracks)(const array *a)) {
    program *p = x->p;
    for (size_t k = 0; k < p->array_count; k++)
        if (tracks(p->arrays[k])) vector_add(p->memory, x->tracked, x->count, x->capacity, p->arrays[k]);
    for (size_t k = 0; k < x->count; k++) table_put(p->memory, &x->numbers, x->tracked[k], &x->tracked[k]);
}

bool is_left_out(const reach *x, const node *entity) {
    return remapping_at(x->p, entity)->kind == REMAPPING_UNUSED;
}

/* ---- Sites */

/* Bits of an array in the order of the source, behind the one of its creation. */
static mappings next_bit(const reach *x, size_t number) {
    const size_t before = x->sites_of[number];
    return before + 1 < MOST_VIEWS ? FIRST_VIEW << (before + 1) : ANY;
}

static void add_sites(reach *x, node *n) {
    array *moved[MOST_MOVED];
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const int64_t number = moved_arrays(n->child[c], moved) > 0 ? number_of(x, moved[0]) : -1;
        if (number < 0 || is_left_out(x, n->child[c])) continue;
        const site s = {n->child[c], (size_t)number, next_bit(x, (size_t)number)};
        vector_add(x->p->memory, x->site, x->sites, x->site_capacity, s);
        x->sites_of[number]++;
        x->bits_of[number] |= s.bit;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) add_sites(x, n->child[c]);
}

void find_sites(reach *x) {
    x->sites_of = arena_alloc(x->p->memory, x->count * sizeof *x->sites_of);
    x->bits_of = arena_alloc(x->p->memory, x->count * sizeof *x->bits_of);
    for (size_t k = 0; k < x->count; k++) x->bits_of[k] = FIRST_VIEW;
    add_sites(x, x->p->unit);
    for (size_t k = 0; k < x->sites; k++) table_put(x->p->memory, &x->site_at, x->site[k].entity, &x->site[k]);
}

mappings site_bit(const reach *x, const node *entity) {
    const site *s = table_at(&x->site_at, entity);
    return s ? s->bit : ANY;
}

mappings all_sites(const reach *x, size_t k) {
    return x->bits_of[k];
}

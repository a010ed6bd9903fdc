/* Redistributions as what a state consists of: which of them may have been executed last, or since something happened.
 */
#include "reach.h"

void track_arrays(reach *x, bool (*tracks)(const array *a)) {
    program *p = x->p;
    for (size_t k = 0; k < p->array_count; k++)
        if (tracks(p->arrays[k])) vector_add(x->memory, x->tracked, x->count, x->capacity, p->arrays[k]);
    for (size_t k = 0; k < x->count; k++) {
        const array *end = end_of_chain(x->tracked[k])->origin;
        numbers *moved = table_at(&x->moved, end);
        if (!moved) table_put(x->memory, &x->moved, end, moved = arena_alloc(x->memory, sizeof *moved));
        vector_add(x->memory, moved->number, moved->count, moved->capacity, k);
        table_put(x->memory, &x->numbers, x->tracked[k], &x->tracked[k]);
    }
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
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const numbers *moved = moved_numbers(x, n->child[c]);
        if (is_left_out(x, n->child[c])) continue;
        for (size_t k = 0; k < moved->count; k++) {
            const size_t number = moved->number[k];
            const site s = {.entity = n->child[c], .number = number, .bit = next_bit(x, number)};
            vector_add(x->memory, x->site, x->sites, x->site_capacity, s);
            x->sites_of[number]++;
            x->bits_of[number] |= s.bit;
        }
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) add_sites(x, n->child[c]);
}

/* Those of one array that are told apart, as a list. */
static void chain_site(reach *x, site *s) {
    if (s->bit == ANY) return;
    s->earlier = x->last_of[s->number];
    x->last_of[s->number] = s;
}

void find_sites(reach *x) {
    x->sites_of = arena_alloc(x->memory, x->count * sizeof *x->sites_of);
    x->bits_of = arena_alloc(x->memory, x->count * sizeof *x->bits_of);
    for (size_t k = 0; k < x->count; k++) x->bits_of[k] = FIRST_VIEW;
    x->last_of = arena_alloc(x->memory, x->count * sizeof *x->last_of);
    add_sites(x, x->p->unit);
    for (size_t k = 0; k < x->sites; k++) chain_site(x, &x->site[k]);
    for (size_t k = x->sites; k-- > 0;) table_put(x->memory, &x->site_at, x->site[k].entity, &x->site[k]);
}

mappings site_bit(const reach *x, const node *entity, const array *a) {
    const site *s = table_at(&x->site_at, entity);
    for (; s && s < x->site + x->sites && s->entity == entity; s++)
        if (same_array(x->tracked[s->number], a)) return s->bit;
    return ANY;
}

mappings all_sites(const reach *x, size_t k) {
    return x->bits_of[k];
}

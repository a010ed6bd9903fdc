/* Pass "resolve", parts of processor arrangements: onto P(0:1, *). */
#include "resolve.h"

grid *grid_of(program *p, const node *onto) {
    if (!onto || !onto->symbol) return NULL;
    for (size_t k = 0; onto->kind == N_GRID_PART && k < p->grid_count; k++)
        if (p->grids[k]->part == onto) return p->grids[k];
    return onto->kind == N_GRID_PART ? NULL : onto->symbol->grid;
}

/* Constant coordinates outside a dimension of the whole; last before first. */
static void check_coordinates(const program *p, const grid *whole, int d, const node *at, const int64_t *first,
                              const int64_t *last) {
    const int64_t extent = whole->known[d];
    if (first && last && *last < *first)
        diagnose(p->source, at, D_empty_part, (long long)*first, (long long)*last, d + 1, whole->symbol->name);
    const int64_t *bounds[] = {first, last};
    for (int k = 0; k < 2; k++) {
        if (!bounds[k] || (*bounds[k] >= 0 && (extent <= 0 || *bounds[k] < extent))) continue;
        if (extent > 0)
            diagnose(p->source, at, D_part_outside, (long long)*bounds[k], d + 1, whole->symbol->name,
                     (long long)extent - 1);
        else
            diagnose(p->source, at, D_negative_coordinate, (long long)*bounds[k], d + 1, whole->symbol->name);
        return;
    }
}

/* One dimension; a single coordinate is a range of one. */
static void read_coordinates(program *p, grid *g, int d, node *at) {
    int64_t first, last;
    const bool range = at->kind == N_TRIPLET;
    if (at->kind != N_STAR) {
        const bool low = constant_value(range ? at->child[0] : at, &first);
        const bool high = constant_value(range ? at->child[1] : at, &last);
        check_coordinates(p, g->whole, d, at, low ? &first : NULL, high ? &last : NULL);
        g->known[d] = low && high && last >= first ? last - first + 1 : 0;
    } else
        g->known[d] = g->whole->known[d];
    g->extent[d] = at;
}

void read_part(program *p, node *part) {
    grid *g = arena_alloc(p->memory, sizeof *g);
    g->whole = part->symbol->grid;
    g->part = part;
    if ((int)part->count != g->whole->rank) {
        diagnose(p->source, part, D_part_rank, (int)part->count, plural((int)part->count), part->name, g->whole->rank,
                 plural(g->whole->rank));
        part->symbol = NULL;
        return;
    }
    g->rank = g->whole->rank;
    g->whole->used = true;
    g->symbol = arena_alloc(p->memory, sizeof *g->symbol);
    *g->symbol = *g->whole->symbol;
    g->symbol->name = ast_quote(p->memory, p->source, part);
    g->symbol->grid = g;
    for (size_t d = 0; d < part->count; d++) read_coordinates(p, g, (int)d, part->child[d]);
    vector_add(p->memory, p->grids, p->grid_count, p->grid_capacity, g);
}

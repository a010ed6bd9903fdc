/* Pass "redistributions": what is known of redistributions: the mapping before, and whether the method and the schedule
 * that are asked for serve them. */
#include <string.h>

#include "../../runtime/redistribution/limits.h"
#include "place.h"

/* ---- The mapping before */

bool redistributes(const node *n, const array *a) {
    if ((n->kind == N_REDISTRIBUTE || n->kind == N_REALIGN) && directive_remaps(n, a)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && redistributes(n->child[c], a)) return true;
    return false;
}

const mapping *mapping_before(const program *p, const node *entity) {
    const reached *r = reached_at(p, entity);
    return r && r->known && r->views == 1 ? &r->view[0]->mapping : NULL;
}

/* ---- Mappings that may be refused */

/* Sizes that only the program knows, and blocks that must be large enough for all elements. */
static bool may_be_refused(const array *a, const mapping *m) {
    for (int d = 0; d < a->rank; d++) {
        int64_t block;
        if (block_sizes(m, d)) return true;
        if (written_block(m, d) && (in_one_block(m, d) || !known_block(m, d, &block))) return true;
    }
    return false;
}

bool is_executed(program *p, node *directive, node *entity) {
    const remapping *r = remapping_at(p, entity);
    const mapping m = redistribution_mapping(p, directive, entity);
    if (r->kind == REMAPPING_UNUSED) return may_be_refused(entity->symbol->array, &m);
    return r->kind != REMAPPING_SAME;
}

/* ---- Methods and schedules that do not serve */

/* A dimension as the engine sees it; false: something of it is known at run time only. */
static bool known_line(const program *p, const array *a, int d, dpc_line *line) {
    const quantity procs = procs_along(p, a, d), block = block_of(p, a, d);
    const linear last = linear_subtract(p->memory, a->upper[d], a->lower[d]);
    if (!procs.known || !block.known || !linear_is_constant(&last)) return false;
    const int64_t extent = last.constant + 1, size = procs.value == 1 || block.value > extent ? extent : block.value;
    *line = (dpc_line){extent, 0, size < 1 ? 1 : size, procs.value};
    return true;
}

/* The part of a dimension that a section of unit stride takes. */
static bool cut_line(const program *p, const parallel *s, const reference *r, int d, dpc_line *line) {
    const loop_index *x = &s->index[r->subscript[d].index];
    const linear before = linear_subtract(p->memory, r->subscript[d].offset, r->array->lower[d]);
    const linear first = linear_add(p->memory, x->lower, before), last = linear_add(p->memory, x->upper, before);
    if (!linear_is_constant(&first) || !linear_is_constant(&last)) return false;
    line->first = first.constant;
    line->extent = last.constant - first.constant + 1;
    return true;
}

static void check_choice(program *p, const node *at, const array *a, const dpc_line *from, const dpc_line *to) {
    const char *names[] = {p->redistribute, p->schedule},
               *what[] = {"redistribution method", "redistribution schedule"};
    for (int d = 0; d < a->rank; d++)
        if (from[d].extent <= 0) return;
    for (int k = 0; k < 2; k++) {
        const char *why = names[k] ? dpc_limits_refuse(names[k], a->rank, from, to) : NULL;
        if (!why) continue;
        diagnose(p->source, at, D_method_refuses, what[k], names[k], a->symbol->name, why);
        diagnose_help("leave out --%s, or name another one", k == 0 ? "redistribute" : "schedule");
    }
}

static void check_redistribution(program *p, node *directive, node *entity) {
    const array *a = entity->symbol ? entity->symbol->array : NULL;
    const mapping *before = a ? mapping_before(p, entity) : NULL;
    dpc_line from[MAX_RANK], to[MAX_RANK];
    bool same = true;
    if (!before) return;
    array old = *a, new = *a;
    old.mapping = *before;
    new.mapping = redistribution_mapping(p, directive, entity);
    for (int d = 0; d < a->rank; d++) {
        if (!known_line(p, &old, d, &from[d]) || !known_line(p, &new, d, &to[d])) return;
        same = same && from[d].block == to[d].block && from[d].procs == to[d].procs;
    }
    if (!same) check_choice(p, directive, a, from, to); /* else nothing moves */
}

/* The grids of redistributions that the program executes. */
static void note_grids(program *p, node *n) {
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const mapping m = redistribution_mapping(p, n, n->child[c]);
        const bool is_array = n->child[c]->symbol && n->child[c]->symbol->array;
        if (m.grid && (!is_array || is_executed(p, n, n->child[c]))) m.grid->used = true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_grids(p, n->child[c]);
}

static void check_directives(program *p, node *n) {
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) check_redistribution(p, n, n->child[c]);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_directives(p, n->child[c]);
}

static void check_copy(program *p, const parallel *s) {
    const reference *r = s->references == 1 ? &s->reference[0] : NULL;
    dpc_line from[MAX_RANK], to[MAX_RANK];
    if (!r || r->placed.move != MOVE_COPIED || r->array->dynamic || s->left.array->dynamic) return;
    for (int d = 0; d < r->rank; d++)
        if (!known_line(p, r->array, d, &from[d]) || !known_line(p, s->left.array, d, &to[d]) ||
            !cut_line(p, s, r, d, &from[d]) || !cut_line(p, s, &s->left, d, &to[d]))
            return;
    check_choice(p, s->node, r->array, from, to);
}

void check_redistributions(program *p) {
    note_grids(p, p->unit);
    if (!p->redistribute && !p->schedule) return;
    check_directives(p, p->unit);
    const statement_list all = group_statements(p);
    for (size_t k = 0; k < all.count; k++) check_copy(p, all.statement[k]);
}

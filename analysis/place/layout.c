/* Arrays and accesses as the run time has them, where all that decides is known. */
#include <stdlib.h>

#include "../../runtime/base/pack.h"
#include "../../runtime/placement.h"
#include "../model/layout.h"
#include "place.h"

/* ---- Arrays as the run time lays them out (runtime/program/array.c) */

static const char *wants(const program *p, const char *what, const array *a) {
    return arena_format(p->memory, "%s of %s is known at run time only", what, a->symbol->name);
}

/* The block as runtime/program/array.c has it. */
static int64_t clamped(int64_t block, int64_t extent, int64_t procs) {
    if (procs == 1 || block > extent) block = extent;
    return block < 1 ? 1 : block;
}

/* Dimension d on dimension t of what is at the end of the chain. */
static bool align_along(const array *a, int d, const lying *l, const layout *end, int t, layout *x) {
    const dpc_dim *other = &end->dim[t];
    x->dim[d].lower -= a->lead[d];
    x->dim[d].extent += a->lead[d];
    const int64_t first = l->stride * x->dim[d].lower + l->offset, cell = first - other->lower;
    x->dim[d].grid_dim = other->grid_dim;
    x->dim[d].procs = other->procs;
    if (l->stride > 0 && cell < l->stride && end->written_block[t] % l->stride == 0)
        x->written_block[d] = end->written_block[t] / l->stride;
    if (other->procs > 1) x->halo[d] = (dpc_width){a->placed.halo_low[d], a->placed.halo_high[d], a->placed.cyclic[d]};
    x->beside[d] = x->halo[d].low + x->halo[d].high > 0 && !x->halo[d].cyclic;
    const bool done = x->written_block[d] > 0 && cell >= 0 ? dpc_place_dim(&x->dim[d], 1, 0, x->written_block[d])
                                                           : dpc_align_dim(&x->dim[d], l->stride, cell, other);
    if (!done) return false;
    if (x->written_block[d] > 0) dpc_part_blocks(&x->dim[d], a->placed.gap[d]);
    x->dim[d].hidden = a->lead[d];
    return true;
}

static const char *find_aligned(const program *p, const array *a, layout *x) {
    const array *base = end_of_chain(a);
    layout end;
    if (!knows_cells(a)) return arena_format(p->memory, "where %s is aligned is not predicted", a->symbol->name);
    const char *why = find_layout(p, base, &end);
    if (why) return why;
    x->grid_rank = end.grid_rank;
    x->size = end.size;
    for (int g = 0; g < end.grid_rank; g++) x->extent[g] = end.extent[g];
    for (int d = 0; d < a->rank; d++) {
        const linear extent = linear_subtract(p->memory, a->upper[d], a->lower[d]);
        if (!linear_is_constant(&a->lower[d]) || !linear_is_constant(&extent)) return wants(p, "the extent", a);
        x->dim[d] = dpc_whole_dim(extent.constant + 1);
        x->dim[d].lower = a->lower[d].constant;
    }
    for (int t = 0; t < base->rank; t++) {
        lying l;
        if (!divides(&base->mapping, t)) continue;
        if (!lying_along(a, t, &l) || l.everywhere || l.dim < 0)
            return arena_format(p->memory,
                                "copies of %s, or its only place along a dimension of the grid, are not predicted",
                                a->symbol->name);
        if (!align_along(a, l.dim, &l, &end, t, x)) abort();
    }
    return NULL;
}

const char *find_layout(const program *p, const array *a, layout *x) {
    *x = (layout){.rank = a->rank, .size = 1};
    if (a->alignment) return find_aligned(p, a, x);
    if (a->mapping.grid && a->mapping.grid->part)
        return arena_format(p->memory, "what goes to a part of a grid, where %s is, is not predicted", a->symbol->name);
    for (int d = 0; d < a->rank; d++) {
        const quantity procs = procs_along(p, a, d), block = block_of(p, a, d);
        const linear extent = linear_subtract(p->memory, a->upper[d], a->lower[d]);
        const bool divided = divides(&a->mapping, d);
        if (!procs.known) return wants(p, "the grid", a);
        if (!linear_is_constant(&a->lower[d]) || !linear_is_constant(&extent)) return wants(p, "the extent", a);
        if (!block.known) return wants(p, "the block size", a);
        const int64_t elements = extent.constant + 1 + a->lead[d];
        x->dim[d] =
            dpc_dealt_dim(a->lower[d].constant - a->lead[d], elements, clamped(block.value, elements, procs.value),
                          procs.value, divided ? x->grid_rank : -1, 0);
        x->dim[d].hidden = a->lead[d];
        if (is_block_cyclic(&a->mapping, d) && procs.value > 1 && block.value <= DPC_MOST_BLOCK)
            x->written_block[d] = block.value;
        if (a->placed.cyclic[d] || (divided && procs.value > 1))
            x->halo[d] = dpc_width_beside(&x->dim[d], (dpc_width){DPC_BESIDE(a->placed.halo_low[d], a->placed.less[d]),
                                                                  DPC_BESIDE(a->placed.halo_high[d], a->placed.more[d]),
                                                                  a->placed.cyclic[d]});
        x->beside[d] = a->placed.less[d] > 0 || a->placed.more[d] > 0;
        if (procs.value > 1) dpc_part_blocks(&x->dim[d], a->placed.gap[d]);
        if (!divided) continue;
        x->extent[x->grid_rank++] = (int)procs.value;
        if (__builtin_mul_overflow(x->size, (int)procs.value, &x->size)) return wants(p, "the grid", a);
    }
    return x->size > p->np ? arena_format(p->memory, "the grid of %s needs %d processes", a->symbol->name, x->size)
                           : NULL;
}

int64_t coordinate(const layout *x, int process, int d) {
    int rest = process, at = 0;
    for (int g = x->grid_rank - 1; g >= 0; g--) {
        at = rest % x->extent[g];
        rest /= x->extent[g];
        if (g == x->dim[d].grid_dim) return at;
    }
    return 0;
}

/* ---- Accesses */

/* The least or greatest value of a bound over the values of earlier indices. */
static bool extreme(const parallel *s, const linear *x, bool low, int64_t *value) {
    *value = x->constant;
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        bool found = false;
        for (int k = 0; k < s->indices && !found; k++) {
            values v;
            if (!term->node || !s->index[k].symbol || term->node->symbol != s->index[k].symbol) continue;
            if (!index_values(s, k, &v) || v.count == 0) return false;
            int64_t moved;
            if (__builtin_mul_overflow(term->coefficient, (term->coefficient > 0) == low ? v.lower : v.upper, &moved) ||
                __builtin_add_overflow(*value, moved, value))
                return false;
            found = true;
        }
        if (!found) return false;
    }
    return true;
}

/* The box of an index whose bounds use earlier ones. */
static bool box_values(const parallel *s, int k, values *v) {
    const loop_index *x = &s->index[k];
    if (!x->box_linear || !linear_is_constant(&x->stride) || x->stride.constant == 0 || x->guards) return false;
    const bool up = x->stride.constant > 0;
    if (!extreme(s, up ? &x->lower : &x->upper, true, &v->lower)) return false;
    if (!extreme(s, up ? &x->upper : &x->lower, false, &v->upper)) return false;
    v->stride = 1;
    v->count = dpc_count(v->lower, v->upper, 1);
    return true;
}

bool index_values(const parallel *s, int k, values *v) {
    const loop_index *x = &s->index[k];
    if (x->triangular) return box_values(s, k, v);
    if (!linear_is_constant(&x->lower) || !linear_is_constant(&x->upper) || !linear_is_constant(&x->stride) ||
        x->stride.constant == 0)
        return false;
    const int64_t first = x->lower.constant, step = x->stride.constant;
    v->count = dpc_count(first, x->upper.constant, step);
    const int64_t last = first + (v->count - 1) * step;
    *v = v->count == 0 ? (values){0, -1, 1, 0}
         : step > 0    ? (values){first, last, step, v->count}
                       : (values){last, first, v->count == 1 ? 1 : -step, v->count};
    return true;
}

bool find_access(const parallel *s, const subscript *u, dpc_access *a) {
    values v;
    if (u->kind == SUBSCRIPT_GENERAL || !linear_is_constant(&u->offset)) return false;
    *a = (dpc_access){u->offset.constant, 0, 1};
    if (u->kind == SUBSCRIPT_INVARIANT) return true;
    if (!linear_is_constant(&u->stride) || !index_values(s, u->index, &v)) return false;
    int64_t first, stride;
    if (__builtin_mul_overflow(u->stride.constant, v.lower, &first) ||
        __builtin_add_overflow(u->offset.constant, first, &first) ||
        __builtin_mul_overflow(dpc_single_stride(u->stride.constant, v.count), v.stride, &stride))
        return false;
    *a = (dpc_access){first, stride, v.count};
    return true;
}

const char *bounds_unknown(const program *p, const reference *r) {
    return arena_format(p->memory, "bounds or subscripts of %s are known at run time only",
                        ast_quote(p->memory, p->source, r->node));
}

bool find_side(const program *p, const parallel *s, const reference *r, int d, dpc_addressing addressing,
               dpc_side *side) {
    layout x;
    if (find_layout(p, r->array, &x)) return false;
    *side = (dpc_side){x.dim[d], {0, 0, 0}, addressing};
    if (x.written_block[d] > 0) dpc_lengthen_blocks(&side->dim, x.written_block[d]);
    return find_access(s, &r->subscript[d], &side->access);
}

/* Chains of alignments: where the elements of an aligned array stand at the end of its chain, and what changes that.
 * docs/mappings.md, section 2. */
#include <stdlib.h>

#include "model.h"

array *end_of_chain(const array *a) {
    while (a->alignment) a = a->alignment->with;
    return (array *)a;
}

bool moves_along(const array *a, const array *moved) {
    while (a != moved && a->alignment) a = a->alignment->with;
    return a == moved;
}

bool moves_unseen(const array *a) {
    return a->redistributed && !a->origin->unknown;
}

bool may_have_copies(const array *a) {
    if (a->inherits || a->realigned) return true;
    if (a->plain) return false;
    const array *with = a->alignment ? a->alignment->with : NULL;
    const bool unknown = a->dynamic && with && with->redistributed; /* `with` is as its directive maps it */
    for (int t = 0; with && t < with->rank; t++)
        if (a->alignment->place[t].everywhere && (unknown || may_be_distributed(with, t))) return true;
    return a->alignment && may_have_copies(a->alignment->with);
}

/* ---- Composition */

static int dimension_with(const alignment *x, int d) {
    for (int t = 0; t < x->with->rank; t++)
        if (x->place[t].dim == d) return t;
    return -1;
}

bool cells_of(const program *p, const array *a, int d, cells *c) {
    *c = (cells){(array *)a, d, linear_constant(1), linear_constant(0)};
    for (; a->alignment; a = c->end = a->alignment->with) {
        const int t = dimension_with(a->alignment, c->dim);
        if (t < 0) return false;
        const standing *place = &a->alignment->place[t];
        c->offset = linear_add(p->memory, linear_multiply(p->memory, place->stride, c->offset), place->offset);
        c->stride = linear_multiply(p->memory, place->stride, c->stride);
        c->dim = t;
    }
    return true;
}

/* ---- What is mapped as if it had been distributed itself */

/* Elements before the first one are no more than this, or than this part of the extent: they have places in local
 * parts. */
enum { MOST_LEAD = 16, LEAD_RATIO = 4, MOST_LOWER = 1 << 30 };

bool may_lead(const program *p, const array *a, int d, int64_t lead) {
    const linear *lower = &a->written_lower[d], extent = linear_subtract(p->memory, a->written_upper[d], *lower);
    if (!a->extensible || !linear_is_constant(lower) || llabs(lower->constant) > MOST_LOWER) return false;
    return lead <= MOST_LEAD || (linear_is_constant(&extent) && lead <= extent.constant / LEAD_RATIO);
}

/* Elements that stand on every stride-th cell: where that divides the blocks, these are so many times shorter.  They
 * begin together where the first one stands before cell `stride`; else the array is as if it began with elements
 * before its first one (Lee and Chen, section 7.1). */
static bool deals_every(const program *p, array *a, const standing *place, const array *with, int t) {
    int64_t block, cell;
    const linear *lower = &a->written_lower[place->dim], *first = &with->written_lower[t];
    if (!linear_is_constant(&place->stride) || !linear_is_constant(&place->offset) || !linear_is_constant(lower) ||
        !linear_is_constant(first) || !known_block(&with->mapping, t, &block))
        return false;
    const int64_t stride = place->stride.constant;
    if (__builtin_mul_overflow(stride, lower->constant, &cell) ||
        __builtin_add_overflow(cell, place->offset.constant, &cell) ||
        __builtin_sub_overflow(cell, first->constant, &cell) || __builtin_add_overflow(cell, with->lead[t], &cell))
        return false;
    if (stride < 1 || block % stride != 0 || cell < 0) return false;
    const int64_t lead = cell / stride;
    if (lead == 0) return stride > 1;
    if (!is_block_cyclic(&with->mapping, t) || !may_lead(p, a, place->dim, lead)) return false;
    a->lead[place->dim] = lead;
    return true;
}

/* Dimension t, which is divided, is dealt to dimension d of the array from its first element on. */
static bool deals_alike(const program *p, array *a, const standing *place, const array *with, int t) {
    if (place->dim < 0) return false;
    if (!linear_is(&place->stride, 1)) return deals_every(p, a, place, with, t);
    const linear first = linear_add(p->memory, place->offset, a->written_lower[place->dim]);
    if (with->lead[t] > 0 || !equal_values(p, &first, a, &with->written_lower[t], with))
        return deals_every(p, a, place, with, t);
    return written_block(&with->mapping, t) || is_automatic(&with->mapping, t) ||
           equal_extents(p, a, place->dim, with, t);
}

static bool stands_plainly(const program *p, array *a) {
    const array *with = a->alignment->with;
    int before = -1;
    if (a->realigned || moves_unseen(a) || a->shared || with->dynamic || (with->alignment && !with->plain))
        return false;
    for (int t = 0; t < with->rank; t++) {
        const standing *place = &a->alignment->place[t];
        if (!divides(&with->mapping, t)) continue;
        if (!deals_alike(p, a, place, with, t) || place->dim < before) return false;
        before = place->dim;
    }
    return true;
}

/* Formats of what it is aligned with; the compiler has chosen those there. */
static void take_formats(array *a) {
    const alignment *x = a->alignment;
    a->mapping.grid = x->with->mapping.grid;
    for (int t = 0; t < x->with->rank; t++)
        if (x->place[t].dim >= 0) take_format(&a->mapping, x->place[t].dim, &x->with->mapping, t);
}

/* Of what stands on every stride-th cell. */
static void shorten_blocks(array *a) {
    const alignment *x = a->alignment;
    int64_t block;
    for (int t = 0; t < x->with->rank; t++) {
        const standing *place = &x->place[t];
        if (!divides(&x->with->mapping, t) || linear_is(&place->stride, 1)) continue;
        if (known_block(&x->with->mapping, t, &block))
            set_written_block(&a->mapping, place->dim, block / place->stride.constant);
    }
}

void settle_follower(const program *p, array *a) {
    take_formats(a);
    for (int d = 0; d < a->rank; d++) a->lead[d] = 0;
    a->plain = stands_plainly(p, a);
    for (int d = 0; d < a->rank && !a->plain; d++) a->lead[d] = 0;
    if (a->plain) shorten_blocks(a);
    a->dynamic = !a->plain;
    a->apart = a->dynamic && stands_on_known_cells(a);
}

/* Whether nothing but statements of this file uses it, where it stands for good. */
static bool may_extend(const array *a) {
    if (a->passed || a->shared || a->symbol->is_parameter || a->inherits || a->origin->watched) return false;
    for (const array *x = a; x; x = x->alignment ? x->alignment->with : NULL)
        if (x->redistributed || x->realigned || x->shared || x->symbol->is_parameter) return false;
    return true;
}

void find_extensible(program *p) {
    for (size_t k = 0; k < p->view_count; k++) p->views[k]->extensible = may_extend(p->views[k]);
    settle_followers(p);
}

void settle_followers(program *p) {
    for (size_t k = 0; k < p->view_count; k++)
        if (p->views[k]->alignment) settle_follower(p, p->views[k]);
}

/* ---- What changes a mapping */

symbol *realigned_symbol(const node *directive) {
    const node *n = directive->child[0];
    while (n->kind == N_INDEX) n = n->child[0];
    return n->symbol;
}

/* An array that is realigned may follow any. */
bool directive_remaps(const node *directive, const array *a) {
    if (directive->kind == N_REALIGN) return realigned_symbol(directive) == a->symbol;
    for (size_t c = 2; c < directive->count; c++) {
        const array *moved = directive->child[c]->symbol ? directive->child[c]->symbol->array : NULL;
        if (moved && (moves_along(a, moved) || (a->realigned && moved->followed))) return true;
    }
    return false;
}

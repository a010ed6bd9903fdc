/* Where the iterations of a reference stand in the blocks that the end of its chain of alignments is dealt in, and
 * whether two references stand together.  docs/mappings.md, section 2. */
#include <stdlib.h>

#include "../../runtime/distribution.h"
#include "model.h"

/* ---- One reference */

/* Places that keep sums and products with subscripts small. */
enum { MOST_CELL = 1 << 30 };

static bool is_small(const linear *x) {
    return linear_is_constant(x) && llabs(x->constant) <= MOST_CELL;
}

bool lying_along(const array *a, int t, lying *l) {
    if (!a->alignment) {
        *l = (lying){.dim = t, .stride = 1};
        return true;
    }
    if (!lying_along(a->alignment->with, t, l)) return false;
    if (l->everywhere || l->dim < 0) return true;
    const standing *place = &a->alignment->place[l->dim];
    if (!is_small(&place->stride) || !is_small(&place->offset)) return false;
    l->everywhere = place->everywhere;
    l->dim = place->dim;
    l->offset += l->stride * place->offset.constant;
    l->stride *= place->stride.constant;
    return llabs(l->stride) <= MOST_CELL && llabs(l->offset) <= MOST_CELL;
}

bool stands_on_known_cells(const array *a) {
    const array *end = end_of_chain(a);
    for (const array *x = a; x->alignment; x = x->alignment->with)
        if (x->realigned || moves_unseen(x) || x->shared) return false;
    if (end->dynamic || moves_unseen(end) || end->shared) return false;
    for (int t = 0; t < end->rank; t++) {
        lying l;
        if (!lying_along(a, t, &l)) return false;
    }
    return true;
}

bool knows_cells(const array *a) {
    return !a->dynamic || a->apart;
}

bool has_one_interval(const array *a, int d) {
    return knows_cells(a) && !is_block_cyclic(&a->mapping, d);
}

/* Of a reference along dimension t of the end of its array's chain. */
typedef struct {
    const array *end;
    int t;
    lying l;
    int index;             /* -1: one cell for all iterations */
    linear stride, offset; /* cells, from the end's lower bound: offset + stride * index */
} row_of_cells;

static bool row_along(const program *p, const reference *r, int t, row_of_cells *c) {
    arena *a = p->memory;
    const array *end = end_of_chain(r->array);
    *c = (row_of_cells){.end = end, .t = t, .index = -1, .stride = linear_constant(0)};
    if (!lying_along(r->array, t, &c->l)) return false;
    c->offset = linear_subtract(a, linear_constant(c->l.offset), end->lower[t]);
    if (c->l.everywhere || c->l.dim < 0) return true;
    const subscript *u = &r->subscript[c->l.dim];
    if (u->kind == SUBSCRIPT_GENERAL) return false;
    const linear along = linear_constant(c->l.stride);
    c->offset = linear_add(a, c->offset, linear_multiply(a, along, u->offset));
    if (u->kind == SUBSCRIPT_INVARIANT) return true;
    c->index = u->index;
    c->stride = linear_multiply(a, along, u->stride);
    return true;
}

/* ---- Two of them */

/* Cells of a block, where known; whether every coordinate has one block at most. */
static int64_t cells_of_block(const row_of_cells *c) {
    int64_t block;
    return known_block(&c->end->mapping, c->t, &block) ? block : 0;
}

static bool is_one_block(const row_of_cells *c) {
    return in_one_block(&c->end->mapping, c->t);
}

/* The same cells have the same owners. */
static bool same_cells(const program *p, const row_of_cells *x, const row_of_cells *y) {
    return (x->end == y->end && x->t == y->t) || equal_formats(p, x->end, x->t, y->end, y->t);
}

/* Blocks hold b cells, of which a reference steps over `stride`: what decides about owners is left when the common
 * divisor is taken out. */
static bool same_owners(const row_of_cells *x, const row_of_cells *y) {
    const int64_t b1 = cells_of_block(x), b2 = cells_of_block(y);
    if (b1 == 0 || b2 == 0 || is_one_block(x) != is_one_block(y) || !is_small(&x->stride) || !is_small(&x->offset) ||
        !is_small(&y->stride) || !is_small(&y->offset))
        return false;
    const int64_t g1 = llabs(dpc_common_divisor(b1, x->stride.constant)),
                  g2 = llabs(dpc_common_divisor(b2, y->stride.constant));
    return b1 / g1 == b2 / g2 && x->stride.constant / g1 == y->stride.constant / g2 &&
           dpc_floor(x->offset.constant, g1) == dpc_floor(y->offset.constant, g2);
}

/* Elements of the two along this dimension lie at the same places of local parts. */
static bool lies_alike(const program *p, const reference *home, const row_of_cells *x, const reference *r,
                       const row_of_cells *y) {
    if (home->array == r->array) return x->l.dim == y->l.dim;
    return x->index >= 0 && x->l.dim >= 0 && y->l.dim >= 0 && x->l.stride == y->l.stride &&
           x->l.offset == y->l.offset && x->end == y->end && x->t == y->t &&
           equal_lowers(p, home->array, x->l.dim, r->array, y->l.dim) &&
           equal_extents(p, home->array, x->l.dim, r->array, y->l.dim);
}

/* Elements of r from home's cell to that on the other one, rounded away from it. */
static int64_t elements_between(const row_of_cells *y, int64_t distance) {
    const int64_t step = llabs(y->l.stride), width = dpc_ceiling(llabs(distance), step);
    return (distance < 0) == (y->l.stride < 0) ? width : -width;
}

/* Whether ghost cells along the dimension can hold what stands so many cells away: every coordinate has one block, and
 * there is one owner for each coordinate of it. */
static bool can_have_halo(const program *p, const row_of_cells *x, const row_of_cells *y) {
    if (!is_one_block(x) || !is_one_block(y) || x->index < 0) return false;
    return x->end == y->end || equal_extents(p, x->end, x->t, y->end, y->t);
}

/* Compares along one dimension of the grid; fills in r->placed of r's dimension. */
static bool meet_along(const program *p, const reference *home, reference *r, const row_of_cells *x,
                       const row_of_cells *y, bool halo) {
    const int d = y->l.dim;
    if (y->l.everywhere) return true;
    if (x->l.everywhere || x->index != y->index) return false;
    const bool equal = same_cells(p, x, y) && linear_equal(&x->stride, &y->stride);
    const linear between = linear_subtract(p->memory, y->offset, x->offset);
    if (d >= 0) r->placed.dim[d].own = !lies_alike(p, home, x, r, y);
    if (equal && linear_is(&between, 0)) return true;
    if (same_owners(x, y)) {
        if (d >= 0) r->placed.dim[d].own = true;
        return true;
    }
    if (!equal || !halo || d < 0 || !is_small(&between) || !can_have_halo(p, x, y)) return false;
    r->placed.dim[d].distance = elements_between(y, between.constant);
    r->placed.dim[d].reach = (between.constant < 0 ? -1 : 1) *
                             dpc_ceiling(llabs(between.constant), llabs(x->l.stride)) * (x->l.stride < 0 ? -1 : 1);
    return llabs(r->placed.dim[d].distance) <= MOST_DISTANCE;
}

/* All that is divided of an array stands along the end's dimensions; processes off the only cell would have to take
 * part in refreshing ghost cells. */
static bool is_at_one_cell(const array *a) {
    const array *end = end_of_chain(a);
    for (int t = 0; t < end->rank; t++) {
        lying l;
        if (divides(&end->mapping, t) && lying_along(a, t, &l) && !l.everywhere && l.dim < 0) return true;
    }
    return false;
}

bool meets_home(const program *p, const reference *home, reference *r, bool halo) {
    const array *a = home->array, *b = r->array;
    const array *first = end_of_chain(a), *second = end_of_chain(b);
    if (!knows_cells(a) || !knows_cells(b) || !(a->apart || b->apart)) return false;
    if (first->mapping.grid != second->mapping.grid) return false;
    if (is_at_one_cell(b)) halo = false;
    for (int d = 0; d < b->rank; d++) r->placed.dim[d] = (placed_dimension){0};
    int t = next_distributed(first, 0), u = next_distributed(second, 0);
    while (t < first->rank && u < second->rank) {
        row_of_cells x, y;
        if (!row_along(p, home, t, &x) || !row_along(p, r, u, &y) || !meet_along(p, home, r, &x, &y, halo))
            return false;
        t = next_distributed(first, t + 1);
        u = next_distributed(second, u + 1);
    }
    return t == first->rank && u == second->rank;
}

/* Arrays that are divided alike where extents, block sizes and lower bounds come to the same values, which the source
 * does not show: the program compares them when they are created. */
#include "model.h"

/* ---- What is assumed in a version */

static bool correspond(const array *a, int d, const array *b, int e) {
    return a->like && a->like == b->like && divides(&a->mapping, d) && divides(&b->mapping, e) &&
           grid_dimension(&a->mapping, d) == grid_dimension(&b->mapping, e);
}

bool are_assumed_alike(const array *a, int d, const array *b, int e) {
    return correspond(a, d, b, e) && (!a->near || written_block(&a->mapping, d));
}

bool are_assumed_near(const array *a, int d, const array *b, int e) {
    return correspond(a, d, b, e) && a->near && !written_block(&a->mapping, d);
}

/* Two that are written as variables or expressions; a constant is no such thing as what somebody computes. */
static bool have_computed_lowers(const array *a, int d, const array *b, int e) {
    return !linear_is_constant(&a->lower[d]) && !linear_is_constant(&b->lower[e]);
}

bool have_assumed_lowers(const array *a, int d, const array *b, int e) {
    if (!correspond(a, d, b, e) || !have_computed_lowers(a, d, b, e)) return false;
    const int along = dimension_along(a->like, grid_dimension(&a->mapping, d));
    return !linear_is_constant(&a->like->lower[along]);
}

/* ---- What is to be compared */

/* The value that decides about a dimension: its block size, or its extent less one. */
static linear deciding_value(const program *p, const array *a, int d) {
    const linear *block = written_block(&a->mapping, d);
    return block ? *block : linear_subtract(p->memory, a->upper[d], a->lower[d]);
}

/* Whether the block size is that of another mapping, perhaps, when the other array is created. */
static bool may_have_other_blocks(const array *a) {
    return a->redistributed && (a->symbol->file_scope || a->symbol->is_static);
}

static void add_comparison(likeness *x, compared_value value, int d, int e) {
    x->compared[x->comparisons++] = (division){value, d, e};
}

static alike are_dimensions_alike(const program *p, const array *a, int d, const array *b, int e, likeness *x) {
    const linear *block = written_block(&a->mapping, d);
    const int before = x->comparisons;
    int64_t more;
    if (!same_kind(&a->mapping, d, &b->mapping, e) || !block != !written_block(&b->mapping, e)) return ALIKE_NEVER;
    if (!equal_formats(p, a, d, b, e)) {
        const linear mine = deciding_value(p, a, d), other = deciding_value(p, b, e);
        if (linear_is_constant(&mine) && linear_is_constant(&other)) return ALIKE_NEVER;
        if (near_extents(p, a, d, b, e, &more)) return ALIKE_NEVER;
        if (block && (may_have_other_blocks(a) || may_have_other_blocks(b))) return ALIKE_NEVER;
        add_comparison(x, block ? COMPARE_BLOCKS : COMPARE_EXTENTS, d, e);
    }
    if (have_computed_lowers(a, d, b, e) && !equal_lowers(p, a, d, b, e)) add_comparison(x, COMPARE_LOWERS, d, e);
    return x->comparisons > before ? ALIKE_SOMETIMES : ALIKE_ALWAYS;
}

/* Whether formats and bounds say all of how it is divided. */
static bool is_divided_as_written(const array *a) {
    return !a->dynamic && !a->alignment && !a->is_template && !a->prototype && !a->shared &&
           !has_automatic(a, &a->mapping);
}

alike are_divided_alike(const program *p, const array *a, const array *b, likeness *x) {
    alike found = ALIKE_ALWAYS;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    x->comparisons = 0;
    if (!is_divided_as_written(a) || !is_divided_as_written(b) || a->mapping.grid != b->mapping.grid)
        return ALIKE_NEVER;
    while (d < a->rank && e < b->rank) {
        const alike here = are_dimensions_alike(p, a, d, b, e, x);
        if (here < found) found = here;
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    if (d < a->rank || e < b->rank) return ALIKE_NEVER;
    return found;
}

/* Whether the places of their elements in local parts are counted alike: ghost cells, and the gaps that hold them. */
static bool have_same_ghosts(const array *a, const array *b, int d) {
    const placed_array *x = &a->placed, *y = &b->placed;
    return x->halo_low[d] == y->halo_low[d] && x->halo_high[d] == y->halo_high[d] && x->cyclic[d] == y->cyclic[d] &&
           x->gap[d] == y->gap[d] && x->less[d] == y->less[d] && x->more[d] == y->more[d];
}

bool are_mapped_alike(const program *p, const array *a, const array *b) {
    if (a->rank != b->rank || a->mapping.grid != b->mapping.grid) return false;
    for (int d = 0; d < a->rank; d++) {
        if (divides(&a->mapping, d) != divides(&b->mapping, d)) return false;
        if (!equal_extents(p, a, d, b, d) || !equal_lowers(p, a, d, b, d)) return false;
        if (divides(&a->mapping, d) && !equal_formats(p, a, d, b, d)) return false;
    }
    return true;
}

bool are_stored_alike(const program *p, const array *a, const array *b) {
    if (a == b) return true;
    if (a->passed || b->passed || a->placed.deepens || b->placed.deepens) return false;
    if (!is_divided_as_written(a) || !is_divided_as_written(b) || !are_mapped_alike(p, a, b)) return false;
    for (int d = 0; d < a->rank; d++)
        if (!have_same_ghosts(a, b, d)) return false;
    return a->placed.corners == b->placed.corners;
}

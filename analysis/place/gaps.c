/* Pass "gaps": ghost cells of blocks dealt round-robin.  Every block has its own, in a gap that local indices jump over from block to
 * block: arrays that are used by the same local indices have gaps of one length, whichever of them has ghost cells. */
#include <stdlib.h>

#include "place.h"

/* Blocks are at least so many times as long as what is read beyond them: ghost cells add half to the local part at most. */
enum { LEAST_RATIO = 4 };

bool ghosts_pay(const format *f, int64_t distance) {
    if (f->kind == FORMAT_BLOCK) return true;
    return f->kind == FORMAT_CYCLIC && linear_is_constant(&f->block) && f->block.constant / LEAST_RATIO >= llabs(distance);
}

static bool is_dealt(const array *a, int d) {
    return !a->dynamic && a->mapping.format[d].kind == FORMAT_CYCLIC;
}

bool has_gaps(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->gap[d] > 0) return true;
    return false;
}

/* Room for the ghost cells of all dimensions with blocks of that length. */
static int64_t common_gap(const program *p, const linear *block) {
    int64_t gap = 0;
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        for (int d = 0; d < a->rank; d++) {
            const int64_t width = a->halo_low[d] + a->halo_high[d];
            if (is_dealt(a, d) && width > gap && linear_equal(block, &a->mapping.format[d].block)) gap = width;
        }
    }
    return gap;
}

void match_gaps(program *p) {
    for (size_t k = 0; k < p->array_count; k++) {
        array *a = p->arrays[k];
        for (int d = 0; d < a->rank; d++)
            if (is_dealt(a, d)) a->gap[d] = common_gap(p, &a->mapping.format[d].block);
    }
}

/* Pass "gaps": ghost cells of blocks dealt round-robin.  Every block has its own, in a gap that local indices jump over from block to
 * block: arrays that are used by the same local indices have gaps of one length, whichever of them has ghost cells. */
#include <stdlib.h>

#include "place.h"

/* Blocks are at least so many times as long as what is read beyond them: ghost cells add half to the local part at most. */
enum { LEAST_RATIO = 4 };

bool ghosts_pay(const mapping *m, int d, int64_t distance) {
    int64_t block;
    if (in_one_block(m, d)) return true;
    return is_dealt(m, d) && known_block(m, d, &block) && block / LEAST_RATIO >= llabs(distance);
}

/* Whether blocks of the array may have gaps between them. */
static bool may_have_gaps(const array *a, int d) {
    return !a->dynamic && is_dealt(&a->mapping, d);
}

bool has_gaps(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->placed.gap[d] > 0) return true;
    return false;
}

/* Room for the ghost cells of all dimensions with blocks of that length. */
static int64_t common_gap(const program *p, const linear *block) {
    int64_t gap = 0;
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        for (int d = 0; d < a->rank; d++) {
            const int64_t width = a->placed.halo_low[d] + a->placed.halo_high[d];
            if (may_have_gaps(a, d) && width > gap && linear_equal(block, written_block(&a->mapping, d))) gap = width;
        }
    }
    return gap;
}

void match_gaps(program *p) {
    for (size_t k = 0; k < p->array_count; k++) {
        array *a = p->arrays[k];
        for (int d = 0; d < a->rank; d++)
            if (may_have_gaps(a, d)) a->placed.gap[d] = common_gap(p, written_block(&a->mapping, d));
    }
}

/* Communication sets by enumeration, the naive method: the owners of every iteration's elements are found by division.
 */
#include "generator.h"

#include <stddef.h>

static dpc_index owner_of(const dpc_side *side, dpc_index iteration) {
    return dpc_owner(&side->dim, dpc_accessed(&side->access, iteration));
}

void dpc_generate_enumerate(dpc_generation *g, const dpc_side *theirs, dpc_index only) {
    const dpc_index me = dpc_mirror(&g->mine, g->me);
    dpc_pieces pieces = {0};
    dpc_found_piece *run = NULL;
    for (dpc_index k = 0; k < g->count && !g->failed; k++) {
        const dpc_index owner = owner_of(theirs, g->base + k);
        if (owner_of(g->side, g->base + k) != me || (only >= 0 && owner != only)) {
            run = NULL;
            continue;
        }
        const dpc_index address = dpc_address(g, k);
        if (run != NULL && run->coordinate == owner &&
            address == run->section.local + run->section.length * g->sets->stride) {
            run->section.length++;
            run->section.last++;
        } else {
            dpc_add_piece(g, &pieces, (dpc_section){k, 1, 1, 0, k, address, 0}, owner);
            run = g->failed ? NULL : &pieces.piece[pieces.count - 1];
        }
    }
    dpc_deal_pieces(g, &pieces);
}

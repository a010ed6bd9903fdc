/* Communication sets by enumeration, the naive method: the owners of every iteration's elements are found by division.
 */
#include "generator.h"

#include <stddef.h>

/* The block number that an access touches. */
static dpc_index block_number(const dpc_side *side, dpc_index iteration) {
    const wide element = (wide)side->access.first + (wide)iteration * side->access.stride;
    return (dpc_index)(element - side->dim.lower) / side->dim.block;
}

void dpc_generate_enumerate(dpc_generation *g, const dpc_side *theirs, dpc_index only) {
    const dpc_index me = dpc_mirror(&g->mine, g->me);
    dpc_pieces pieces = {0};
    dpc_piece *run = NULL;
    for (dpc_index k = 0, last_block = -1; k < g->count && !g->failed; k++) {
        const dpc_index block = block_number(g->side, g->base + k);
        const dpc_index owner = block_number(theirs, g->base + k) % theirs->dim.procs;
        if (block % g->side->dim.procs != me || (only >= 0 && owner != only)) {
            run = NULL;
        } else if (run != NULL && run->coordinate == owner && block == last_block) {
            run->section.length++;
            run->section.last++;
        } else {
            dpc_add_piece(g, &pieces, (dpc_section){k, 1, 1, 0, k, dpc_address(g, k), 0}, owner);
            run = g->failed ? NULL : &pieces.piece[pieces.count - 1];
        }
        last_block = block;
    }
    dpc_deal_pieces(g, &pieces);
}

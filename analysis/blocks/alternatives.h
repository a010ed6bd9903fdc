/* Block sizes that the compiler would choose in place of written ones. */
#ifndef DPC_ANALYSIS_ALTERNATIVES_H
#define DPC_ANALYSIS_ALTERNATIVES_H

#include "affinity.h"

typedef struct {
    affinity graph;
    block_choice choice;
} other_blocks;

/* As if all block-cyclic dimensions were automatic; after pass "blocks". */
other_blocks find_other_blocks(program *p);

/* Of a pair of dimensions without a closed form, `home`'s and that of `a`, whose block sizes are known: other ones with
 * a closed form, near to those, of which each of `procs` processes can get one.  False: none is known, or the pair has
 * a closed form. */
bool better_blocks(const other_blocks *x, const array *a, const array *home, const pairing *pair, int procs,
                   int64_t *block, int64_t *home_block);

#endif

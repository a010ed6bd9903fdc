/* The caches of the processor that a process runs on, as the system says. */
#ifndef DPC_CACHES_H
#define DPC_CACHES_H

#include "../distribution.h"

/* Bytes, each at least 1; what the system does not say has the value of a common x86 processor. */
typedef struct {
    dpc_index line;   /* of the first level; 64 */
    dpc_index first;  /* the first level, of one core; 32 KiB */
    dpc_index way;    /* of the first level: addresses so far apart have the same places in it; 4 KiB */
    dpc_index second; /* the second level, of one core; 512 KiB */
    dpc_index
        third; /* the third level, of the cores that share it with the first core; the second where there is none */
} dpc_caches;

const dpc_caches *dpc_machine_caches(void);

/* Elements of `size` bytes along one side of a tile whose elements, and as many of another array, are used by turns,
 * `pitch` bytes from one element along that side to the next.  A square tile of both takes half of the first-level
 * cache at most; where so many lines `pitch` bytes apart displace one another there, as many as do not, or a line's
 * worth of elements. (pure) */
dpc_index dpc_tile_side(const dpc_caches *caches, dpc_index size, dpc_index pitch);

#endif

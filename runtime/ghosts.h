/* Ghost cells: copies of elements that neighbours own, kept beside a block along a dimension.  Pure; shared by the
 * compiler and the runtime. */
#ifndef DPC_GHOSTS_H
#define DPC_GHOSTS_H

#include "distribution.h"

DPC_BEGIN_INTERFACE

/* How many are kept. */
typedef struct {
    dpc_index low, high; /* elements before the first owned one, after the last */
    bool cyclic;         /* beyond the array's ends stand the elements of the other end */
} dpc_width;

/* Elements first .. last (counted from the array's lower bound) of coordinate p, which coordinate q keeps as ghost
 * cells of this width; false: none.  A format with one block per coordinate.  The farther q is, the fewer. */
bool dpc_ghosts_kept(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last);

/* The same where the dimension is cyclic: the coordinates that own something form a ring, and the keeper stands `steps`
 * after p (negative: before p), perhaps several times around; it may be p itself.  place: the keeper's local index of
 * the first of them, -1 being the ghost cell before its first element.  The more steps, the fewer elements. */
typedef struct {
    dpc_index owner, keeper; /* coordinates */
    dpc_index first, count;  /* the owner's local index of the first; elements */
    dpc_index place;
} dpc_ghost_strip;
bool dpc_ghosts_around(const dpc_dim *d, dpc_width width, dpc_index owner, dpc_index steps, dpc_ghost_strip *strip);
/* Coordinates that own something, for a format with one block per coordinate. */
dpc_index dpc_ring(const dpc_dim *d);

/* The same elements of several blocks of one coordinate: `extent` of each from local index `first` of the first block
 * on, `missing` fewer of the last one. */
typedef struct {
    dpc_index first, extent, blocks, missing;
} dpc_ghost_comb;

/* Blocks dealt round-robin to several coordinates, none narrower than the width: what of the blocks of coordinate p the
 * blocks after them (step 1) or before them (step -1) keep.  owned: in p's local part; kept: in that of the next or the
 * previous coordinate.  The combs have the same elements in the same order; false: none. */
bool dpc_ghosts_dealt(const dpc_dim *d, dpc_width width, dpc_index p, int step, dpc_ghost_comb *owned,
                      dpc_ghost_comb *kept);
dpc_index dpc_ghost_elements(const dpc_ghost_comb *comb);

DPC_END_INTERFACE

#endif

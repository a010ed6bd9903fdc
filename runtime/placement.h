/* Placements: dimensions that are not dealt in blocks from their first element on.  Made when an array is, shared by
 * all that are placed alike, freed with the last of them.  Nobody but distribution.h, distribution.c and placement.c
 * looks into one.
 *
 * Aligned: element number k (from the lower bound) stands on cell  start + step * k  of a template's dimension, whose
 * blocks of `width` cells are dealt round-robin to `procs` coordinates.  Where a written stride is negative, cells and
 * coordinates are counted from the other end (`mirrored`); common divisors of stride and block are taken out, whole
 * rounds of all coordinates too: what is left decides about owners, and equal owners have equal numbers in most cases.
 *
 * Intervals: coordinate p has the elements first[p] .. first[p + 1] - 1, counted from the lower bound;
 * mirrored: coordinate procs - 1 - p has them.
 *
 * Storage is dense in both, in ascending order of elements: the place of an element is the number of its owner's
 * elements below it, at most two sums of floors (docs/mappings.md, section 2). */
#ifndef DPC_PLACEMENT_H
#define DPC_PLACEMENT_H

#include "distribution.h"

DPC_BEGIN_INTERFACE

#if DPC_HAS_PLACEMENTS
struct dpc_placement {
    int64_t number;          /* no other placement's, of earlier ones neither; > 0 */
    dpc_index extent, procs; /* of the dimension */
    bool mirrored;
    bool single;                  /* every coordinate has one block at most */
    dpc_index step, start, width; /* cells; width 0: intervals */
    dpc_index *first;             /* intervals: procs + 1 numbers; else NULL */
    dpc_index users;
    struct dpc_placement *next;
};
#endif

/* A dimension whose lower bound, extent, grid_dim and procs are set gets the rest.  Each holds a placement (or none,
 * where the elements are dealt from the first on); dpc_release_dim lets it go.  False: out of memory. dpc_place_dim:
 * element `lower` stands on cell `cell` >= 0 of blocks of `block`, the next one `stride` cells on (not 0); all stand on
 * cells >= 0. dpc_align_dim: the same on the elements of another dimension over as many coordinates: element `lower`
 * stands on its number `first`.  All stand on elements of it. dpc_divide_dim: coordinate p gets counts[p] elements;
 * their sum is the extent. */
bool dpc_align_dim(dpc_dim *d, dpc_index stride, dpc_index first, const dpc_dim *other);
bool dpc_divide_dim(dpc_dim *d, const dpc_index *counts);
#if DPC_HAS_PLACEMENTS
bool dpc_place_dim(dpc_dim *d, dpc_index stride, dpc_index cell, dpc_index block);
/* One user more, one less: then the dimension must not be asked any more. */
void dpc_hold_dim(const dpc_dim *d);
void dpc_release_dim(const dpc_dim *d);
#else
/* Blocks are dealt from the first element on. */
static inline bool dpc_place_dim(dpc_dim *d, dpc_index stride, dpc_index cell, dpc_index block) {
    (void)stride, (void)cell;
    d->dealt = dpc_maximum(dpc_minimum(block, d->extent), 1);
    return true;
}
static inline void dpc_hold_dim(const dpc_dim *d) {
    (void)d;
}
static inline void dpc_release_dim(const dpc_dim *d) {
    (void)d;
}
#endif

/* Where blocks of equal size are dealt, perhaps of cells: element number k stands on cell  *cell + *stride * k  (0 and
 * 1 where the elements themselves are dealt), cells may be negative, and the owner is the floor of cell / *block,
 * modulo procs. False: intervals. */
bool dpc_cells(const dpc_dim *d, dpc_index *stride, dpc_index *cell, dpc_index *block);
/* The elements of coordinate p, as numbers from the lower bound, where dpc_in_intervals: *from .. *to - 1. */
void dpc_interval_of(const dpc_dim *d, dpc_index p, dpc_index *from, dpc_index *to);
/* Where that interval begins; of a coordinate that has none, where it would if there were elements on its cells, or
 * would end where they stood before the first: so that what is near its cells is near this. */
dpc_index dpc_interval_beginning(const dpc_dim *d, dpc_index p);

DPC_END_INTERFACE

#endif

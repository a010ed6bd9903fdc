/* Ghost cells: copies of elements that neighbours own, kept beside a block along a dimension.  Pure; shared by the
 * compiler and the runtime. */
#ifndef DPC_HALO_H
#define DPC_HALO_H

#include "distribution.h"

DPC_BEGIN_INTERFACE

/* How many are kept. */
typedef struct {
    dpc_index low, high; /* elements before the first owned one, after the last */
    bool cyclic;         /* beyond the array's ends stand the elements of the other end */
} dpc_width;
#define DPC_WIDTH(low, high)                                                                                           \
    { (low), (high), false }
#define DPC_CYCLIC_WIDTH(low, high)                                                                                    \
    { (low), (high), true }
#define DPC_WIDTHS(...) ((const dpc_width[]){__VA_ARGS__})
/* Beside how many dimensions at once ghost cells are read, at most: along each dimension alone, where two meet, or
 * wherever dimensions meet. */
enum { DPC_NO_CORNERS = 0, DPC_EDGES = 2, DPC_CORNERS = DPC_MAX_RANK };

/* A width for an array that is read beside arrays whose extents are up to `between` smaller (low) or greater (high):
 * there is room for the elements between the ends of their blocks and its own, too. */
#define DPC_BESIDE(width, between) ((width) + (dpc_index)(between) * ((dpc_index)1 << 40))

/* A width below the first element of an aligned array, whose dealt blocks have `gap` places between them: room for
 * ghost cells of what is used by the same local indices, too. */
#define DPC_APART(width, gap) DPC_BESIDE(width, gap)
/* The places between blocks; the width becomes plain. */
dpc_index dpc_take_gap(dpc_width *width);

/* Extents that differ by more are those of different things. */
enum { DPC_MOST_BETWEEN = 8 };

/* Whether that is said of either width: then coordinates that own nothing have ghost cells, too. */
bool dpc_is_beside(dpc_width width);
/* The widths with that room, which grows from coordinate to coordinate.  A format with one block of ceil(extent /
 * procs) per coordinate. */
dpc_width dpc_width_beside(const dpc_dim *d, dpc_width width);
/* The same beside an array of that extent, whatever room for others the width says. */
dpc_width dpc_width_beside_extent(const dpc_dim *d, dpc_width width, dpc_index extent);

/* Elements first .. last (counted from the array's lower bound) of coordinate p, which coordinate q keeps as ghost
 * cells of this width; false: none.  A format with one block per coordinate.  The farther q is, the fewer. */
/* Where a coordinate's block begins, counted from the lower bound, beyond the end too: the local index 0. */
dpc_index dpc_block_begin(const dpc_dim *d, dpc_index p);
/* dpc_halo_held: of a keeper that owns something. */
bool dpc_halo_beside(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last);
bool dpc_halo_held(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last);

/* Whether ghost cells beside several dimensions come from their owners in one step: where few dimensions have any, and
 * no coordinate's block is narrower than they are, so that a process has at most 26 neighbours.  Else one dimension
 * follows the other and takes the ghost cells of those before along: two neighbours a dimension. */
bool dpc_corners_at_once(int rank, const dpc_dim *dim, const dpc_width *halo);

/* The same where the dimension is cyclic: the coordinates that own something form a ring, and the keeper stands `steps`
 * after p (negative: before p), perhaps several times around; it may be p itself.  place: the keeper's local index of
 * the first of them, -1 being the ghost cell before its first element.  The more steps, the fewer elements. */
typedef struct {
    dpc_index owner, keeper; /* coordinates */
    dpc_index first, count;  /* the owner's local index of the first; elements */
    dpc_index place;
} dpc_halo_strip;
bool dpc_halo_around(const dpc_dim *d, dpc_width width, dpc_index owner, dpc_index steps, dpc_halo_strip *strip);
/* Coordinates that own something, for a format with one block per coordinate. */
dpc_index dpc_ring(const dpc_dim *d);

/* The same elements of several blocks of one coordinate: `extent` of each from local index `first` of the first block
 * on, `missing` fewer of the last one. */
typedef struct {
    dpc_index first, extent, blocks, missing;
} dpc_halo_comb;

/* Blocks dealt round-robin to several coordinates, none narrower than the width: what of the blocks of coordinate p the
 * blocks after them (step 1) or before them (step -1) keep.  owned: in p's local part; kept: in that of the next or the
 * previous coordinate.  The combs have the same elements in the same order; false: none. */
bool dpc_halo_dealt(const dpc_dim *d, dpc_width width, dpc_index p, int step, dpc_halo_comb *owned,
                    dpc_halo_comb *kept);
dpc_index dpc_halo_elements(const dpc_halo_comb *comb);

DPC_END_INTERFACE

#endif

/* Ghost cells: bringing them up to date, and computing meanwhile. */
#ifndef DPC_HALOS_H
#define DPC_HALOS_H

#include "../messages.h"
#include "transfers.h"

DPC_BEGIN_INTERFACE

/* Brings the ghost cells of the arrays up to date that are not fresh, if any:
 *     dpc_refreshing *halo = dpc_refresh(place, 1, (dpc_array *[]){&U_dist});
 *     DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
 *     DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
 *     dpc_end_refresh(halo);
 * Partners are the owners of the elements that this process's ghost cells stand for, and the processes that keep ghost
 * cells of its own.  What goes to one of them is one message; what lies side by side is sent from where it is, the rest
 * was packed.  dpc_end_refresh waits and unpacks.  Corners come from their owners in the same step; where these were
 * too many (dpc_corners_at_once) one dimension of the grid follows the other, and the messages behind the first one's
 * are sent by dpc_next_box and dpc_end_refresh.  The arrays are not assigned in between.  Source: the usual ghost-cell
 * exchange. */
typedef dpc_messages dpc_refreshing;
dpc_refreshing *dpc_refresh(const char *where, int arrays, dpc_array *const *array);
void dpc_end_refresh(dpc_refreshing *r);
/* The same of arrays that are assigned before the end: everything that is sent is copied first.  No array has corners.
 */
dpc_refreshing *dpc_refresh_copied(const char *where, int arrays, dpc_array *const *array);
/* The same of one plane: the array's first dimensions, which no process divides, have the subscripts at[0] .. alone. */
dpc_refreshing *dpc_refresh_plane(const char *where, dpc_array *array, bool copied, int dimensions,
                                  const dpc_index *at);

/* Before a refresh, where only the run time knows how far a statement reads beyond home: gives an array ghost cells of
 * at least these widths, per dimension (elements; negative: none), where processes divide it in one block each.  Its
 * elements move if it has fewer.  The same on every process. */
void dpc_deepen(dpc_array *a, const char *where, const dpc_width *halo);

/* The iterations that this process executes as boxes of index values: first those that read nothing that is still on
 * its way, in as many parts as the refresh has phases, each of which is started behind the part before; then, after
 * waiting, the rest.  reach: per index, how far beyond home's element the statement reads along the dimension that the
 * index subscripts (elements), at most as far as the arrays' ghost cells; cyclic: also where the ends of home are,
 * beside which the arrays that are read go on.  Ends the refresh.
 *     DPC_BOXES(box, space, halo, reach) DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1) ...
 * An index whose blocks are dealt round-robin has a part of every block instead, as runs: DPC_BOX_RUNS(run, &box, k) */
typedef enum { DPC_WHOLE, DPC_INTERIOR, DPC_BEFORE, DPC_BEHIND } dpc_block_part;
typedef struct {
    dpc_index first[DPC_MAX_RANK], last[DPC_MAX_RANK]; /* per index; ascending in steps of the range's stride */
    dpc_index position[DPC_MAX_RANK];                  /* of `first` */
    bool more;
    const dpc_space *space; /* the rest: private */
    dpc_refreshing *refresh;
    int transfers;
    dpc_transfer *const *transfer;
    dpc_width reach[DPC_MAX_RANK];
    dpc_block_part part[DPC_MAX_RANK]; /* per index whose blocks are dealt: what of every block */
    dpc_index low[DPC_MAX_RANK],
        high[DPC_MAX_RANK]; /* per other index: the iterations of mine, counted from 0, of the interior */
    int divided;            /* the first of these indices, along which the interior is divided; -1: none */
    dpc_index done;         /* its first iteration of the interior that is still to come */
    int next;
} dpc_box;
#define DPC_IN_BOX(i, box, k) for (long i = (box).first[k], dpc_last_##i = (box).last[k]; i <= dpc_last_##i; i++)
dpc_box dpc_first_box(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach);
void dpc_next_box(dpc_box *box);
#define DPC_BOXES(box, ...) for (dpc_box box = dpc_first_box(__VA_ARGS__); box.more; dpc_next_box(&box))
/* The same of a statement that also reads what fetches bring, whose values it finds by dpc_arriving.  Ends them.  r,
 * reach: NULL where it reads no ghost cells.  `transfer` lives as long as the box; no home dimension is dealt
 * round-robin. */
dpc_box dpc_first_box_of(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach, int transfers,
                         dpc_transfer *const *transfer);
#define DPC_BOXES_OF(box, ...) for (dpc_box box = dpc_first_box_of(__VA_ARGS__); box.more; dpc_next_box(&box))
dpc_run dpc_first_box_run(const dpc_box *box, int index);
void dpc_next_box_run(const dpc_box *box, int index, dpc_run *r);
#define DPC_BOX_RUNS(run, box, index)                                                                                  \
    for (dpc_run run = dpc_first_box_run(box, index); dpc_more(&run); dpc_next_box_run(box, index, &run))

DPC_END_INTERFACE

#endif

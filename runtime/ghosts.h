/* Ghost cells: copies of elements that neighbours own, kept beside a block along a dimension.  Pure; shared by the
 * compiler and the runtime. */
#ifndef DPC_GHOSTS_H
#define DPC_GHOSTS_H

#include "distribution.h"

/* How many are kept. */
typedef struct {
    dpc_index low, high; /* elements before the first owned one, after the last */
} dpc_width;

/* Elements first .. last (counted from the array's lower bound) of coordinate p, which coordinate q keeps as ghost
 * cells of this width; false: none.  A format with one block per coordinate.  The farther q is, the fewer. */
bool dpc_ghosts_kept(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last);

#endif

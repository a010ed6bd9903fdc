/* Operands of matrix products, panel by panel. */
#ifndef DPC_PANELS_H
#define DPC_PANELS_H

#include "spaces.h"

DPC_BEGIN_INTERFACE

/* The operands of a reduction inside a statement, as A[i][k] and B[k][j] of sum(k, A[i][k] * B[k][j]), `depth` values
 * of the reduction's index (number `reduced`) at a time.  The element of value first + k, at position x of the
 * operand's other index, is values[k * down + x * across] of the panel that starts at `first`.  side_by_side: across
 * is 1.
 *
 *     dpc_panels *A_panels = dpc_open_panels(&space, &A_dist, subscripts, 2, 64, false);
 *     for (dpc_index k_first = 0; k_first < space.count[2]; k_first += 64) {
 *         const dpc_panel A_panel = dpc_next_panel(A_panels);        valid until the next one, or the end
 *         ...
 *     }
 *     dpc_close_panels(A_panels);
 *
 * The operand's other index, if it has one, stands in it as in home.  Where it is divided along the reduction's index,
 * the processes along that dimension of the grid make the same calls: each panel is a collective of theirs, started one
 * panel ahead. */
typedef struct dpc_panels dpc_panels;
typedef struct {
    const void *values;
    dpc_index down, across; /* elements */
} dpc_panel;
dpc_panels *dpc_open_panels(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, int reduced,
                            dpc_index depth, bool side_by_side);
/* The same of values that a fetch has brought, elements of `size` bytes; other: the number of the other index, -1:
 * none. (local) */
dpc_panels *dpc_open_block_panels(const dpc_space *s, const void *values, dpc_index size, int other, int reduced,
                                  dpc_index depth, bool side_by_side);
dpc_panel dpc_next_panel(dpc_panels *p);
void dpc_close_panels(dpc_panels *p);

DPC_END_INTERFACE

#endif

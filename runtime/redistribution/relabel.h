/* Which process takes which place of the target, so that the fewest elements move.  Local arithmetic, no MPI. */
#ifndef DPC_REDISTRIBUTION_RELABEL_H
#define DPC_REDISTRIBUTION_RELABEL_H

#include "engine.h"

typedef struct {
    int *process;           /* per place of the target: a permutation of its own table; free with dpc_free_buffer */
    dpc_index stay, stayed; /* elements that do not move with it, and with the target's own table */
} dpc_relabelling;

/* Exact up to 512 places of the target, greedy up to 4096 places of the larger grid, beyond that the table as it is.
 * The same on every process, without communication. */
dpc_relabelling dpc_relabel(const dpc_mapping *from, const dpc_mapping *to);
/* Elements that coordinate p of `from` shares with coordinate q of `to`. */
dpc_index dpc_shared_elements(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q);

#endif

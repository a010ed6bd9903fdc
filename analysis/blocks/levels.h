/* Private to the folder: the order in which Lee and Chen's algorithm takes array dimensions, linear in the graph but
 * for a heap. */
#ifndef DPC_ANALYSIS_LEVELS_H
#define DPC_ANALYSIS_LEVELS_H

#include "blocksizes.h"

/* Edges by their ends: those of node k are edge[first[k]] .. edge[first[k + 1] - 1], ascending, self references once.
 */
typedef struct {
    int *first, *edge;
} incidence;

incidence incident_edges(arena *a, const block_graph *g);
int other_end(const block_edge *e, int k);

/* Fills level and order. */
void order_nodes(arena *a, const block_graph *g, const incidence *near, printed_blocks *p);

#endif

/* Private to analysis: which dimensions of distributed arrays meet in statements (the component affinity graph of Lee
 * and Chen, section 5.1, with weights). */
#ifndef DPC_ANALYSIS_AFFINITY_H
#define DPC_ANALYSIS_AFFINITY_H

#include "../model/analysis.h"
#include "levels.h"

typedef struct {
    array *array;
    int dimension;
} affinity_node;

typedef struct {
    const parallel *statement; /* whose home is the edge's left end */
    const reference *right;
} affinity_edge;

/* nodes[k] and edges[e] belong to graph.node[k] and graph.edge[e]. */
typedef struct {
    block_graph graph;
    incidence near; /* of the graph */
    affinity_node *nodes;
    affinity_edge *edges;
    hash_table number; /* by array: for every dimension its node's number + 1, or 0 */
    size_t node_capacity, nodes_capacity, edge_capacity, edges_capacity, use_capacity;
} affinity;

/* From all parallel statements, after pass "lower".  Nodes: dimensions with an automatic format, or with a block that
 * is known.  Edges: home and a reference on the right whose subscripts use one index with constant strides. */
affinity collect_affinity(program *p);

#endif

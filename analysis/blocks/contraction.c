/* Block sizes with quotient 1 on the edges that matter most (docs/communication-sets.md, section 6, OPTIMISATION FORM
 * and REPAIR). Nodes joined by quotient 1 form a cluster: their blocks are one scale times known rationals.  See
 * blocksizes.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocksizes.h"

typedef struct {
    const block_graph *graph;
    const bool *ignored;    /* per edge, or NULL */
    int *first_edge, *edge; /* those that count of node k are edge[first_edge[k]] .. edge[first_edge[k + 1] - 1] */
    int64_t *multiple;      /* per node: of its strides */
    int *cluster;           /* per node: one of the nodes of its cluster, the same for all of them */
    int *next;              /* per node: the next one of its cluster, in a ring */
    int *size;              /* per cluster: nodes */
    rational *share;        /* per node: its block is scale[cluster] * share */
    rational *before;       /* per node: its share before a join that may fail */
    rational *scale;        /* per cluster */
    bool *pinned;           /* per cluster: a fixed block is in it, the scale is 1 */
    int *order, *place;     /* clusters in the order of passes; per cluster: its position there */
    int *part;              /* per node: the connected part of the graph */
    int64_t *common;        /* per part: what all blocks have in common beyond their strides; -1: one is fixed */
} contraction;

static bool counts(const contraction *c, int e) {
    const block_edge *x = &c->graph->edge[e];
    return x->left != x->right && !(c->ignored && c->ignored[e]);
}

static int *integers(arena *a, int count) {
    return arena_alloc(a, ((size_t)count + 2) * sizeof(int));
}

static void list_edges(arena *a, contraction *c) {
    const block_graph *g = c->graph;
    int *end = integers(a, g->nodes);
    c->first_edge = integers(a, g->nodes);
    c->edge = integers(a, 2 * g->edges);
    for (int e = 0; e < g->edges; e++)
        if (counts(c, e)) c->first_edge[g->edge[e].left + 1]++, c->first_edge[g->edge[e].right + 1]++;
    for (int k = 0; k < g->nodes; k++) end[k + 1] = c->first_edge[k + 1] += c->first_edge[k];
    for (int e = 0; e < g->edges; e++)
        if (counts(c, e)) c->edge[end[g->edge[e].left]++] = c->edge[end[g->edge[e].right]++] = e;
}

static bool start(arena *a, contraction *c, const block_graph *g, const bool *ignored) {
    const size_t n = (size_t)g->nodes + 1;
    *c = (contraction){.graph = g, .ignored = ignored};
    list_edges(a, c);
    c->multiple = arena_alloc(a, n * sizeof *c->multiple);
    c->common = arena_alloc(a, n * sizeof *c->common);
    c->share = arena_alloc(a, n * sizeof *c->share);
    c->before = arena_alloc(a, n * sizeof *c->before);
    c->scale = arena_alloc(a, n * sizeof *c->scale);
    c->pinned = arena_alloc(a, n * sizeof *c->pinned);
    int **const lists[] = {&c->cluster, &c->next, &c->size, &c->order, &c->place, &c->part};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *lists[k] = integers(a, g->nodes);
    return stride_multiples(g, c->multiple);
}

static void reset(contraction *c) {
    for (int k = 0; k < c->graph->nodes; k++) {
        const int64_t fixed = c->graph->node[k].fixed;
        c->cluster[k] = c->next[k] = k;
        c->size[k] = 1;
        c->share[k] = fixed > 0 ? rational_of(fixed, 1) : rational_of(1, 1);
        c->pinned[k] = fixed > 0;
    }
}

/* ---- Joining clusters */

/* What the right cluster's scale is to the left's if the edge has quotient 1. */
static rational scale_for_one(const contraction *c, const block_edge *e) {
    const rational left = rational_divide(c->share[e->left], rational_of(e->left_stride, 1));
    return rational_divide(left, rational_divide(c->share[e->right], rational_of(e->right_stride, 1)));
}

/* Quotient of an edge inside a cluster. */
static rational quotient_inside(const contraction *c, const block_edge *e) {
    return rational_divide(rational_of(1, 1), scale_for_one(c, e));
}

/* Whether node k, whose share has changed, can have a whole block, and its edges into cluster `other` quotients that
 * are an integer or one over an integer. */
static bool member_fits(const contraction *c, int k, int other) {
    const block_edge *edge = c->graph->edge;
    if (!rational_fits(c->share[k])) return false;
    if (c->pinned[other] && (!rational_is_integer(c->share[k]) || c->share[k].above % c->multiple[k])) return false;
    for (int n = c->first_edge[k]; n < c->first_edge[k + 1]; n++) {
        const block_edge *x = &edge[c->edge[n]];
        if (c->cluster[x->left == k ? x->right : x->left] == other && !rational_is_multiple(quotient_inside(c, x)))
            return false;
    }
    return true;
}

/* Multiplies a cluster's shares; false, and nothing has changed: its members then do not fit beside those of `other`.
 */
static bool change_shares(contraction *c, int cluster, rational factor, int other) {
    int k = cluster;
    bool fits = true;
    do {
        c->before[k] = c->share[k];
        c->share[k] = rational_multiply(c->share[k], factor);
    } while ((k = c->next[k]) != cluster);
    do fits = member_fits(c, k, other);
    while (fits && (k = c->next[k]) != cluster);
    for (int n = c->size[cluster]; n > 0 && !fits; n--, k = c->next[k]) c->share[k] = c->before[k];
    return fits;
}

static void merge_clusters(contraction *c, int gone, int kept) {
    for (int n = c->size[gone], k = gone; n > 0; n--, k = c->next[k]) c->cluster[k] = kept;
    const int next = c->next[gone];
    c->next[gone] = c->next[kept];
    c->next[kept] = next;
    c->size[kept] += c->size[gone];
}

/* Makes the quotient of an edge 1, joining its clusters; false, and nothing has changed, where it cannot be. */
static bool join(contraction *c, const block_edge *e) {
    const int left = c->cluster[e->left], right = c->cluster[e->right];
    const rational factor = scale_for_one(c, e);
    if (!rational_fits(factor)) return false;
    if (left == right || (c->pinned[left] && c->pinned[right])) return rational_equal(factor, rational_of(1, 1));
    const bool moves_right = c->pinned[left] || (!c->pinned[right] && c->size[right] <= c->size[left]);
    const int moved = moves_right ? right : left, stays = moves_right ? left : right;
    if (!change_shares(c, moved, moves_right ? factor : rational_divide(rational_of(1, 1), factor), stays))
        return false;
    merge_clusters(c, moved, stays);
    return true;
}

/* ---- Scales: steps 2 and 3 of the printed algorithm, on clusters */

/* The scale of cluster k for which edge e, between it and another, has quotient 1. */
static rational scale_through(const contraction *c, const block_edge *e, int k) {
    const rational factor = scale_for_one(c, e);
    if (c->cluster[e->right] == k) return rational_multiply(c->scale[c->cluster[e->left]], factor);
    return rational_divide(c->scale[c->cluster[e->right]], factor);
}

/* The least scale with which all blocks are multiples of their strides. */
static rational least_scale(const contraction *c, int cluster) {
    rational scale = no_rational;
    for (int n = c->size[cluster], k = cluster; n > 0; n--, k = c->next[k]) {
        const rational needed = rational_divide(rational_of(c->multiple[k], 1), c->share[k]);
        scale = k == cluster ? needed : rational_lcm(scale, needed);
    }
    return scale;
}

/* Clusters by their least nodes, pinned ones first, as they cannot follow. How many there are. */
static int order_clusters(contraction *c) {
    int count = 0;
    for (int k = 0; k < c->graph->nodes; k++) c->place[k] = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < c->graph->nodes; k++) {
            const int cluster = c->cluster[k];
            if (c->pinned[cluster] != (pass == 0) || c->place[cluster] >= 0) continue;
            c->place[cluster] = count;
            c->order[count++] = cluster;
        }
    return count;
}

/* Calls `use` with the scales of cluster k at which its edges to clusters before it, or behind it, have quotient 1. */
static void each_scale(contraction *c, int cluster, bool behind, void use(rational *, rational), rational *scale) {
    for (int n = c->size[cluster], k = cluster; n > 0; n--, k = c->next[k])
        for (int m = c->first_edge[k]; m < c->first_edge[k + 1]; m++) {
            const block_edge *e = &c->graph->edge[c->edge[m]];
            const int other = c->cluster[e->left == k ? e->right : e->left];
            if (other != cluster && (c->place[other] > c->place[cluster]) == behind)
                use(scale, scale_through(c, e, cluster));
        }
}

static void use_multiple(rational *scale, rational through) {
    *scale = rational_lcm(*scale, through);
}

/* 1/0 stands for nothing yet. */
static void use_divisor(rational *scale, rational through) {
    *scale = scale->below == 0 && scale->above == 1 ? through : rational_gcd(*scale, through);
}

static bool scale_up(contraction *c, int clusters) {
    for (int n = 0; n < clusters; n++) {
        const int k = c->order[n];
        c->scale[k] = c->pinned[k] ? rational_of(1, 1) : least_scale(c, k);
        if (!c->pinned[k]) each_scale(c, k, false, use_multiple, &c->scale[k]);
        if (!rational_fits(c->scale[k])) return false;
    }
    return true;
}

static bool scale_back(contraction *c, int clusters) {
    for (int n = clusters - 1; n >= 0; n--) {
        const int k = c->order[n];
        rational scale = {1, 0};
        if (!c->pinned[k]) each_scale(c, k, true, use_divisor, &scale);
        if (scale.below == 0 && scale.above == 1) continue;
        c->scale[k] = scale;
        if (!rational_fits(scale)) return false;
    }
    return true;
}

static int root_of(int *part, int k) {
    for (; part[k] != k; k = part[k]) part[k] = part[part[k]];
    return k;
}

/* The connected part of the graph that each node is in, named by one of its nodes. */
static void find_parts(contraction *c) {
    for (int k = 0; k < c->graph->nodes; k++) c->part[k] = k;
    for (int e = 0; e < c->graph->edges; e++)
        if (counts(c, e)) c->part[root_of(c->part, c->graph->edge[e].left)] = root_of(c->part, c->graph->edge[e].right);
    for (int k = 0; k < c->graph->nodes; k++) c->part[k] = root_of(c->part, k);
}

/* Divides each part's blocks by what all of them have in common beyond their strides. */
static void reduce_parts(contraction *c, int64_t *block) {
    find_parts(c);
    for (int k = 0; k < c->graph->nodes; k++) c->common[k] = 0;
    for (int k = 0; k < c->graph->nodes; k++) {
        int64_t *common = &c->common[c->part[k]];
        if (c->graph->node[k].fixed > 0) *common = -1;
        if (*common >= 0) *common = dpc_common_divisor(*common, block[k] / c->multiple[k]);
    }
    for (int k = 0; k < c->graph->nodes; k++)
        if (c->common[c->part[k]] > 1) block[k] /= c->common[c->part[k]];
}

/* Whole blocks for all nodes from the clusters; false on overflow. */
static bool complete(contraction *c, int64_t *block) {
    const int clusters = order_clusters(c);
    if (!scale_up(c, clusters) || !scale_back(c, clusters)) return false;
    for (int k = 0; k < c->graph->nodes; k++) {
        const rational b = rational_multiply(c->scale[c->cluster[k]], c->share[k]);
        if (!rational_is_integer(b)) return false;
        block[k] = b.above;
    }
    reduce_parts(c, block);
    return true;
}

/* ---- Greedy: edges by weight */

double edge_weight(const block_edge *e) {
    return e->executions * (e->count > 0 ? (double)e->count : ASSUMED_EXTENT) * e->inner;
}

typedef struct {
    double weight;
    int edge;
} weighted_edge;

/* Heavy ones first; the smaller number on a tie. */
static int compare_weights(const void *left, const void *right) {
    const weighted_edge *x = left, *y = right;
    return x->weight != y->weight ? (x->weight < y->weight ? 1 : -1) : x->edge - y->edge;
}

bool choose_greedy_blocks(arena *a, const block_graph *g, const bool *ignored, int64_t *block) {
    contraction c;
    if (!start(a, &c, g, ignored)) return false;
    weighted_edge *heavy = arena_alloc(a, ((size_t)g->edges + 1) * sizeof *heavy);
    int count = 0;
    for (int e = 0; e < g->edges; e++)
        if (counts(&c, e)) heavy[count++] = (weighted_edge){edge_weight(&g->edge[e]), e};
    qsort(heavy, (size_t)count, sizeof *heavy, compare_weights);
    reset(&c);
    for (int k = 0; k < count; k++) join(&c, &g->edge[heavy[k].edge]);
    return complete(&c, block);
}

/* ---- Exact: every set of edges */

/* Joins the edges in the set; false when they cannot all have quotient 1. */
static bool join_set(contraction *c, const int *edge, int edges, unsigned set) {
    reset(c);
    for (int k = 0; k < edges; k++)
        if (set >> k & 1 && !join(c, &c->graph->edge[edge[k]])) return false;
    return true;
}

/* What block sizes are worth without the cost model: the weight of edges that move everything, many messages counting a
 * little more than few, and Case 1 more than any. */
static double penalty(const contraction *c, const int64_t *block) {
    double sum = 0;
    for (int e = 0; e < c->graph->edges; e++) {
        if (!counts(c, e)) continue;
        const rational q = edge_quotient(&c->graph->edge[e], block);
        const double distance = fabs(log2((double)q.above) - log2((double)q.below));
        const int kind = edge_case(&c->graph->edge[e], block);
        sum += edge_weight(&c->graph->edge[e]) * (kind == 4 ? 0 : kind == 1 ? 10 : 1 + distance / 64);
    }
    return sum;
}

static bool is_better(double x, double best) {
    return best < 0 || x < best * (1 - 1e-12);
}

bool choose_exact_blocks(arena *a, const block_graph *g, int64_t *block) {
    contraction c;
    int edge[EXACT_EDGES], edges = 0;
    if (!start(a, &c, g, NULL)) return false;
    for (int e = 0; e < g->edges; e++) {
        if (!counts(&c, e)) continue;
        if (edges == EXACT_EDGES) return false;
        edge[edges++] = e;
    }
    int64_t *candidate = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *candidate);
    double best = -1;
    for (unsigned set = 0; set < 1u << edges; set++) {
        if (!join_set(&c, edge, edges, set) || !complete(&c, candidate)) continue;
        const double value = penalty(&c, candidate);
        if (!is_better(value, best)) continue;
        best = value;
        memcpy(block, candidate, (size_t)g->nodes * sizeof *block);
    }
    return best >= 0;
}

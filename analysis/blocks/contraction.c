/* Block sizes with quotient 1 on the edges that matter most (docs/communication-sets.md, section 6, OPTIMISATION FORM and REPAIR).
 * Nodes joined by quotient 1 form a cluster: their blocks are one scale times known rationals.  See blocksizes.h. */
#include <math.h>
#include <string.h>

#include "blocksizes.h"

typedef struct {
    const block_graph *graph;
    const bool *ignored; /* per edge, or NULL */
    int64_t *multiple;   /* per node: of its strides */
    int *cluster;        /* per node: the smallest node of its cluster */
    rational *share;     /* per node: its block is scale[cluster] * share */
    rational *scale;     /* per cluster */
    bool *pinned;        /* per cluster: a fixed block is in it, the scale is 1 */
} contraction;

static bool start(arena *a, contraction *c, const block_graph *g, const bool *ignored) {
    const size_t n = (size_t)g->nodes + 1;
    *c = (contraction){.graph = g, .ignored = ignored};
    c->multiple = arena_alloc(a, n * sizeof *c->multiple);
    c->cluster = arena_alloc(a, n * sizeof *c->cluster);
    c->share = arena_alloc(a, n * sizeof *c->share);
    c->scale = arena_alloc(a, n * sizeof *c->scale);
    c->pinned = arena_alloc(a, n * sizeof *c->pinned);
    return stride_multiples(g, c->multiple);
}

static void reset(contraction *c) {
    for (int k = 0; k < c->graph->nodes; k++) {
        const int64_t fixed = c->graph->node[k].fixed;
        c->cluster[k] = k;
        c->share[k] = fixed > 0 ? rational_of(fixed, 1) : rational_of(1, 1);
        c->pinned[k] = fixed > 0;
    }
}

static bool counts(const contraction *c, int e) {
    const block_edge *x = &c->graph->edge[e];
    return x->left != x->right && !(c->ignored && c->ignored[e]);
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

/* Whether a cluster's members can have whole blocks: a pinned one's are what they are. */
static bool members_fit(const contraction *c, int cluster) {
    for (int k = 0; k < c->graph->nodes; k++) {
        if (c->cluster[k] != cluster) continue;
        if (!rational_fits(c->share[k])) return false;
        if (!c->pinned[cluster] || c->graph->node[k].fixed > 0) continue;
        if (!rational_is_integer(c->share[k]) || c->share[k].above % c->multiple[k]) return false;
    }
    return true;
}

/* Whether every edge inside the cluster has a quotient that is an integer or one over an integer. */
static bool is_completable(const contraction *c, int cluster) {
    for (int e = 0; e < c->graph->edges; e++) {
        const block_edge *x = &c->graph->edge[e];
        if (!counts(c, e) || c->cluster[x->left] != cluster || c->cluster[x->right] != cluster) continue;
        if (c->graph->node[x->left].fixed > 0 && c->graph->node[x->right].fixed > 0) continue;
        if (!rational_is_multiple(quotient_inside(c, x))) return false;
    }
    return members_fit(c, cluster);
}

/* Makes the quotient of an edge 1, joining its clusters; false when it cannot be (the clusters may be joined even so).
 */
static bool join(contraction *c, const block_edge *e) {
    const int left = c->cluster[e->left], right = c->cluster[e->right];
    const rational factor = scale_for_one(c, e);
    if (!rational_fits(factor)) return false;
    if (left == right || (c->pinned[left] && c->pinned[right])) return rational_equal(factor, rational_of(1, 1));
    const int kept = left < right ? left : right, gone = left < right ? right : left;
    const bool moves_right = c->pinned[left] || !c->pinned[right];
    for (int k = 0; k < c->graph->nodes; k++) {
        if (moves_right && c->cluster[k] == right) c->share[k] = rational_multiply(c->share[k], factor);
        if (!moves_right && c->cluster[k] == left) c->share[k] = rational_divide(c->share[k], factor);
        if (c->cluster[k] == gone) c->cluster[k] = kept;
    }
    c->pinned[kept] = c->pinned[left] || c->pinned[right];
    return true;
}

/* ---- Scales: steps 2 and 3 of the printed algorithm, on clusters */

/* The scale of cluster k for which edge e, between it and another, has quotient 1. */
static rational scale_through(const contraction *c, const block_edge *e, int k) {
    const rational factor = scale_for_one(c, e);
    if (c->cluster[e->right] == k) return rational_multiply(c->scale[c->cluster[e->left]], factor);
    return rational_divide(c->scale[c->cluster[e->right]], factor);
}

/* The cluster at the other end of an edge, -1 where the edge does not leave cluster k. */
static int other_cluster(const contraction *c, int e, int k) {
    const int left = c->cluster[c->graph->edge[e].left], right = c->cluster[c->graph->edge[e].right];
    if (!counts(c, e) || left == right) return -1;
    return left == k ? right : right == k ? left : -1;
}

/* The least scale with which all blocks are multiples of their strides. */
static rational least_scale(const contraction *c, int cluster) {
    rational scale = no_rational;
    for (int k = 0; k < c->graph->nodes; k++) {
        if (c->cluster[k] != cluster) continue;
        const rational needed = rational_divide(rational_of(c->multiple[k], 1), c->share[k]);
        scale = k == cluster ? needed : rational_lcm(scale, needed);
    }
    return scale;
}

/* Position of each cluster in the order of passes: pinned ones first, as they cannot follow. */
static int order_clusters(const contraction *c, int *order, int *place) {
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < c->graph->nodes; k++)
            if (c->cluster[k] == k && c->pinned[k] == (pass == 0)) {
                place[k] = count;
                order[count++] = k;
            }
    return count;
}

static bool scale_up(contraction *c, const int *order, const int *place, int clusters) {
    for (int n = 0; n < clusters; n++) {
        const int k = order[n];
        rational scale = c->pinned[k] ? rational_of(1, 1) : least_scale(c, k);
        for (int e = 0; e < c->graph->edges && !c->pinned[k]; e++) {
            const int other = other_cluster(c, e, k);
            if (other >= 0 && place[other] < n) scale = rational_lcm(scale, scale_through(c, &c->graph->edge[e], k));
        }
        c->scale[k] = scale;
        if (!rational_fits(scale)) return false;
    }
    return true;
}

static bool scale_back(contraction *c, const int *order, const int *place, int clusters) {
    for (int n = clusters - 1; n >= 0; n--) {
        const int k = order[n];
        bool any = false;
        for (int e = 0; e < c->graph->edges && !c->pinned[k]; e++) {
            const int other = other_cluster(c, e, k);
            if (other < 0 || place[other] < n) continue;
            const rational through = scale_through(c, &c->graph->edge[e], k);
            c->scale[k] = any ? rational_gcd(c->scale[k], through) : through;
            any = true;
        }
        if (!rational_fits(c->scale[k])) return false;
    }
    return true;
}

/* The connected part of the graph that each node is in, named by its smallest node. */
static void find_parts(const contraction *c, int *part) {
    for (int k = 0; k < c->graph->nodes; k++) part[k] = k;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < c->graph->edges; e++) {
            int *left = &part[c->graph->edge[e].left], *right = &part[c->graph->edge[e].right];
            if (!counts(c, e) || *left == *right) continue;
            *left = *right = *left < *right ? *left : *right;
            changed = true;
        }
    }
}

/* Divides a part's blocks by what all of them have in common beyond their strides. */
static void reduce_part(const contraction *c, const int *part, int which, int64_t *block) {
    int64_t common = 0;
    for (int k = 0; k < c->graph->nodes; k++) {
        if (part[k] != which) continue;
        if (c->graph->node[k].fixed > 0) return;
        common = dpc_common_divisor(common, block[k] / c->multiple[k]);
    }
    for (int k = 0; k < c->graph->nodes; k++)
        if (part[k] == which && common > 1) block[k] /= common;
}

/* Whole blocks for all nodes from the clusters; false on overflow.  work: four times as many integers as nodes. */
static bool complete(contraction *c, int *work, int64_t *block) {
    int *order = work, *place = work + c->graph->nodes, *part = place + c->graph->nodes;
    const int clusters = order_clusters(c, order, place);
    if (!scale_up(c, order, place, clusters) || !scale_back(c, order, place, clusters)) return false;
    for (int k = 0; k < c->graph->nodes; k++) {
        const rational b = rational_multiply(c->scale[c->cluster[k]], c->share[k]);
        if (!rational_is_integer(b)) return false;
        block[k] = b.above;
    }
    find_parts(c, part);
    for (int k = 0; k < c->graph->nodes; k++)
        if (part[k] == k) reduce_part(c, part, k, block);
    return true;
}

static int *working_space(arena *a, const block_graph *g) {
    return arena_alloc(a, (size_t)(3 * g->nodes + 1) * sizeof(int));
}

/* ---- Greedy: edges by weight */

double edge_weight(const block_edge *e) {
    return e->executions * (e->count > 0 ? (double)e->count : ASSUMED_EXTENT) * e->inner;
}

/* The heaviest edge that is not done; the smaller number on a tie. */
static int heaviest(const contraction *c, const bool *done) {
    int best = -1;
    for (int e = 0; e < c->graph->edges; e++)
        if (!done[e] && counts(c, e) && (best < 0 || edge_weight(&c->graph->edge[e]) > edge_weight(&c->graph->edge[best])))
            best = e;
    return best;
}

typedef struct {
    int *cluster;
    rational *share;
    bool *pinned;
} saved_state;

static void copy_state(int nodes, saved_state *to, const saved_state *from) {
    const size_t n = (size_t)nodes;
    memcpy(to->cluster, from->cluster, n * sizeof *to->cluster);
    memcpy(to->share, from->share, n * sizeof *to->share);
    memcpy(to->pinned, from->pinned, n * sizeof *to->pinned);
}

bool choose_greedy_blocks(arena *a, const block_graph *g, const bool *ignored, int64_t *block) {
    contraction c, spare;
    if (!start(a, &c, g, ignored) || !start(a, &spare, g, ignored)) return false;
    bool *done = arena_alloc(a, (size_t)g->edges + 1);
    saved_state now = {c.cluster, c.share, c.pinned}, before = {spare.cluster, spare.share, spare.pinned};
    reset(&c);
    for (int e; (e = heaviest(&c, done)) >= 0; done[e] = true) {
        copy_state(g->nodes, &before, &now);
        if (!join(&c, &g->edge[e]) || !is_completable(&c, c.cluster[g->edge[e].left]))
            copy_state(g->nodes, &now, &before);
    }
    return complete(&c, working_space(a, g), block);
}

/* ---- Exact: every set of edges */

/* Joins the edges in the set; false when they cannot all have quotient 1. */
static bool join_set(contraction *c, const int *edge, int edges, unsigned set) {
    reset(c);
    for (int k = 0; k < edges; k++)
        if (set >> k & 1 && !join(c, &c->graph->edge[edge[k]])) return false;
    for (int k = 0; k < c->graph->nodes; k++)
        if (c->cluster[k] == k && !is_completable(c, k)) return false;
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
    int *work = working_space(a, g);
    int64_t *candidate = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *candidate);
    double best = -1;
    for (unsigned set = 0; set < 1u << edges; set++) {
        if (!join_set(&c, edge, edges, set) || !complete(&c, work, candidate)) continue;
        const double value = penalty(&c, candidate);
        if (!is_better(value, best)) continue;
        best = value;
        memcpy(block, candidate, (size_t)g->nodes * sizeof *block);
    }
    return best >= 0;
}

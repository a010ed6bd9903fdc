/* Lee and Chen's algorithm for block sizes, steps 1 to 3.  See blocksizes.h. */
#include "blocksizes.h"

#include <string.h>

/* ---- Edges */

rational edge_quotient(const block_edge *e, const int64_t *block) {
    const rational left = rational_of(block[e->left], e->left_stride);
    return rational_divide(rational_of(block[e->right], e->right_stride), left);
}

int edge_case(const block_edge *e, const int64_t *block) {
    const rational q = edge_quotient(e, block);
    const bool whole = block[e->left] % e->left_stride == 0 && block[e->right] % e->right_stride == 0;
    if (!whole || !rational_is_multiple(q)) return 1;
    if (q.above == q.below) return 4;
    return rational_is_integer(q) ? 2 : 3;
}

static bool raise_to_multiple(int64_t *block, int64_t stride) {
    return !__builtin_mul_overflow(*block / dpc_common_divisor(*block, stride), stride, block);
}

bool stride_multiples(const block_graph *g, int64_t *multiple) {
    bool good = true;
    for (int k = 0; k < g->nodes; k++) multiple[k] = 1;
    for (int e = 0; e < g->edges && good; e++)
        good = raise_to_multiple(&multiple[g->edge[e].left], g->edge[e].left_stride) &&
               raise_to_multiple(&multiple[g->edge[e].right], g->edge[e].right_stride);
    for (int u = 0; u < g->uses && good; u++) good = raise_to_multiple(&multiple[g->use[u].node], g->use[u].stride);
    return good;
}

/* ---- Levels: on the acyclic graph of strongly connected components */

/* reach[x * nodes + y]: there is a path from x to y. */
static bool *reachability(arena *a, const block_graph *g) {
    const size_t n = (size_t)g->nodes;
    bool *reach = arena_alloc(a, n * n + 1);
    for (int e = 0; e < g->edges; e++) reach[(size_t)g->edge[e].left * n + (size_t)g->edge[e].right] = true;
    for (size_t k = 0; k < n; k++)
        for (size_t x = 0; x < n; x++)
            for (size_t y = 0; y < n && reach[x * n + k]; y++) reach[x * n + y] |= reach[k * n + y];
    return reach;
}

static bool same_component(const bool *reach, int nodes, int x, int y) {
    return x == y || (reach[x * nodes + y] && reach[y * nodes + x]);
}

/* Longest distances between components, from sources or (backward) to sinks. */
static int *longest_distances(arena *a, const block_graph *g, const bool *reach, bool backward) {
    int *distance = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *distance);
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < g->edges; e++) {
            const int from = backward ? g->edge[e].right : g->edge[e].left;
            const int to = backward ? g->edge[e].left : g->edge[e].right;
            if (same_component(reach, g->nodes, from, to)) continue;
            for (int y = 0; y < g->nodes; y++) {
                if (!same_component(reach, g->nodes, to, y) || distance[y] > distance[from]) continue;
                distance[y] = distance[from] + 1;
                changed = true;
            }
        }
    }
    return distance;
}

/* Whether y is a child of x within a level: along an edge between components; in a component the larger number. */
static bool is_child(const block_graph *g, const bool *reach, int x, int y) {
    for (int e = 0; e < g->edges; e++) {
        const int left = g->edge[e].left, right = g->edge[e].right;
        if (!((left == x && right == y) || (left == y && right == x)) || x == y) continue;
        if (same_component(reach, g->nodes, x, y)) return y > x;
        if (left == x) return true;
    }
    return false;
}

/* children[x]: how many children of x in its level are not done. */
static int *count_children(arena *a, const block_graph *g, const bool *reach, const int *level) {
    int *children = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *children);
    for (int x = 0; x < g->nodes; x++)
        for (int y = 0; y < g->nodes; y++) children[x] += level[x] == level[y] && is_child(g, reach, x, y);
    return children;
}

/* The next node of a level: its children are done, smallest number first. */
static int next_node(const block_graph *g, const int *level, const int *children, const bool *done, int at) {
    for (int x = 0; x < g->nodes; x++)
        if (level[x] == at && !done[x] && children[x] == 0) return x;
    return -1;
}

static void order_nodes(arena *a, const block_graph *g, printed_blocks *p) {
    const bool *reach = reachability(a, g);
    const int *from_source = longest_distances(a, g, reach, false), *to_sink = longest_distances(a, g, reach, true);
    bool *done = arena_alloc(a, (size_t)g->nodes + 1);
    int count = 0;
    p->level = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *p->level);
    p->order = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *p->order);
    for (int k = 0; k < g->nodes; k++) p->level[k] = (from_source[k] < to_sink[k] ? from_source[k] : to_sink[k]) + 1;
    int *children = count_children(a, g, reach, p->level);
    for (int level = 1; count < g->nodes; level++)
        for (int x; (x = next_node(g, p->level, children, done, level)) >= 0; count++) {
            p->order[count] = x;
            done[x] = true;
            for (int y = 0; y < g->nodes; y++) children[y] -= p->level[y] == level && is_child(g, reach, y, x);
        }
}

/* ---- Steps 2 and 3 */

/* What node k's block must be for quotient 1 on an edge, from its other end's: (b / s_other) * s_k. */
static rational block_through(const block_edge *e, int k, const int64_t *block) {
    const bool is_left = e->left == k;
    const int other = is_left ? e->right : e->left;
    const rational h = rational_of(block[other], is_left ? e->right_stride : e->left_stride);
    return rational_multiply(h, rational_of(is_left ? e->left_stride : e->right_stride, 1));
}

static bool touches(const block_edge *e, int k) {
    return e->left != e->right && (e->left == k || e->right == k);
}

/* Raises every block to a multiple of what processed neighbours ask for; 0 on overflow. */
static bool raise_blocks(const block_graph *g, const printed_blocks *p, const int *place, int64_t *block) {
    for (int n = 0; n < g->nodes; n++) {
        const int k = p->order[n];
        rational b = rational_of(block[k], 1);
        for (int e = 0; e < g->edges; e++) {
            const int other = g->edge[e].left == k ? g->edge[e].right : g->edge[e].left;
            if (touches(&g->edge[e], k) && place[other] < n) b = rational_lcm(b, block_through(&g->edge[e], k, block));
        }
        if (!rational_fits(b)) return false;
        block[k] = b.above;
    }
    return true;
}

/* Reverse order: every block becomes the greatest that divides what later neighbours have. */
static bool adjust_blocks(const block_graph *g, const printed_blocks *p, const int *place, int64_t *block) {
    for (int n = g->nodes - 1; n >= 0; n--) {
        const int k = p->order[n];
        rational b = no_rational;
        bool any = false;
        for (int e = 0; e < g->edges; e++) {
            const int other = g->edge[e].left == k ? g->edge[e].right : g->edge[e].left;
            if (!touches(&g->edge[e], k) || place[other] < n) continue;
            const rational through = block_through(&g->edge[e], k, block);
            b = any ? rational_gcd(b, through) : through;
            any = true;
        }
        if (!any) continue;
        if (!rational_fits(b)) return false;
        block[k] = b.above;
    }
    return true;
}

printed_blocks choose_printed_blocks(arena *a, const block_graph *g) {
    printed_blocks p = {0};
    const size_t size = (size_t)g->nodes * sizeof(int64_t);
    int *place = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *place);
    for (int k = 0; k < 3; k++) p.step[k] = arena_alloc(a, size + sizeof(int64_t));
    order_nodes(a, g, &p);
    for (int n = 0; n < g->nodes; n++) place[p.order[n]] = n;
    bool good = stride_multiples(g, p.step[0]);
    for (int k = 1; k < 3; k++) {
        if (good) memcpy(p.step[k], p.step[k - 1], size);
        good = good && (k == 1 ? raise_blocks : adjust_blocks)(g, &p, place, p.step[k]);
        if (!good) memset(p.step[k], 0, size);
    }
    return p;
}

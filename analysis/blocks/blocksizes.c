/* Lee and Chen's algorithm for block sizes, steps 1 to 3.  See blocksizes.h. */
#include "levels.h"

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

/* ---- Steps 2 and 3 */

/* What node k's block must be for quotient 1 on an edge, from its other end's: (b / s_other) * s_k. */
static rational block_through(const block_edge *e, int k, const int64_t *block) {
    const bool is_left = e->left == k;
    const int other = is_left ? e->right : e->left;
    const rational h = rational_of(block[other], is_left ? e->right_stride : e->left_stride);
    return rational_multiply(h, rational_of(is_left ? e->left_stride : e->right_stride, 1));
}

/* Raises every block to a multiple of what processed neighbours ask for; 0 on overflow. */
static bool raise_blocks(const block_graph *g, const incidence *near, const printed_blocks *p, const int *place,
                         int64_t *block) {
    for (int n = 0; n < g->nodes; n++) {
        const int k = p->order[n];
        rational b = rational_of(block[k], 1);
        for (int x = near->first[k]; x < near->first[k + 1]; x++) {
            const block_edge *e = &g->edge[near->edge[x]];
            if (place[other_end(e, k)] < n) b = rational_lcm(b, block_through(e, k, block));
        }
        if (!rational_fits(b)) return false;
        block[k] = b.above;
    }
    return true;
}

/* Reverse order: every block becomes the greatest that divides what later neighbours have. */
static bool adjust_blocks(const block_graph *g, const incidence *near, const printed_blocks *p, const int *place,
                          int64_t *block) {
    for (int n = g->nodes - 1; n >= 0; n--) {
        const int k = p->order[n];
        rational b = no_rational;
        bool any = false;
        for (int x = near->first[k]; x < near->first[k + 1]; x++) {
            const block_edge *e = &g->edge[near->edge[x]];
            if (place[other_end(e, k)] <= n) continue;
            const rational through = block_through(e, k, block);
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
    const incidence near = incident_edges(a, g);
    order_nodes(a, g, &near, &p);
    for (int n = 0; n < g->nodes; n++) place[p.order[n]] = n;
    bool good = stride_multiples(g, p.step[0]);
    for (int k = 1; k < 3; k++) {
        if (good) memcpy(p.step[k], p.step[k - 1], size);
        good = good && (k == 1 ? raise_blocks : adjust_blocks)(g, &near, &p, place, p.step[k]);
        if (!good) memset(p.step[k], 0, size);
    }
    return p;
}

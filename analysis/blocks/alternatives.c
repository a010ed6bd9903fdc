/* Other block sizes than those that are written: what the compiler would choose if it were free to. */
#include "alternatives.h"

/* The node of the graph that dimension d of a is, -1: none. */
static int node_of(const affinity *x, const array *a, int d) {
    for (int k = 0; k < x->graph.nodes; k++)
        if (x->nodes[k].array == a && x->nodes[k].dimension == d) return k;
    return -1;
}

/* Cyclic dimensions may change; where they were fixed their blocks are what the author likes. */
static void set_free(affinity *x) {
    for (int k = 0; k < x->graph.nodes; k++)
        if (is_block_cyclic(&x->nodes[k].array->mapping, x->nodes[k].dimension)) x->graph.node[k].fixed = 0;
}

/* The multiple of the least blocks that comes nearest to the block that the author wrote, from below, and that the
 * arrays allow. */
static int64_t scale_for(const affinity *x, const block_choice *c, int k) {
    const array *a = x->nodes[k].array;
    int64_t written;
    const block_part *part = &c->parts[c->part[k]];
    const block_candidate *best = &part->candidate[part->chosen];
    const int64_t least = c->block[k] / best->granularity;
    if (!known_block(&a->mapping, x->nodes[k].dimension, &written) || least <= 0 || written < least) return 1;
    return written / least < best->largest ? written / least : best->largest;
}

/* Whether every process may get a block. */
static bool fits(const block_node *n, int64_t block, int procs) {
    return n->extent <= 0 || block <= dpc_ceiling(n->extent, n->procs > 0 ? n->procs : procs);
}

other_blocks find_other_blocks(program *p) {
    other_blocks x = {.graph = collect_affinity(p)};
    set_free(&x.graph);
    x.choice = choose_block_sizes(p->memory, &x.graph.graph, p->cost);
    return x;
}

bool better_blocks(const other_blocks *x, const array *a, const array *home, const pairing *pair, int procs,
                   int64_t *block, int64_t *home_block) {
    const affinity *g = &x->graph;
    const block_choice *c = &x->choice;
    if (pair->number != 1 || !pair->b1.known || !pair->b2.known || pair->single || pair->home_single) return false;
    const int k = node_of(g, a, pair->dim), h = node_of(g, home, pair->home_dim);
    if (k < 0 || h < 0 || g->graph.node[k].fixed > 0 || g->graph.node[h].fixed > 0) return false;
    const block_part *part = &c->parts[c->part[h]];
    const int64_t granularity = part->candidate[part->chosen].granularity, scale = scale_for(g, c, h);
    *block = c->block[k] / granularity * scale;
    *home_block = c->block[h] / granularity * scale;
    if (*block == pair->b2.value && *home_block == pair->b1.value) return false;
    return fits(&g->graph.node[k], *block, procs) && fits(&g->graph.node[h], *home_block, procs);
}

/* The choice among block sizes by the cost model, and the granularity.  See blocksizes.h, "Everything". */
#include <math.h>
#include <string.h>

#include "blocksizes.h"

enum { MAX_GRANULARITIES = 96, TRIED_EDGES = 256, PARTIAL_CANDIDATES = 8, MOST_ROUNDS = 4, ROUNDED_NODES = 4 };

static int64_t ceiling(int64_t a, int64_t b) {
    return a / b + (a % b != 0);
}

static int64_t procs_of(const block_node *n) {
    return n->procs > 0 ? n->procs : ASSUMED_PROCESSES;
}

static int64_t extent_of(const block_node *n) {
    return n->extent > 0 ? n->extent : ASSUMED_EXTENT;
}

static int64_t block_size_of(const block_node *n) {
    return ceiling(extent_of(n), procs_of(n));
}

/* ---- Estimates */

static dpc_motion motion_of(const block_graph *g, const block_edge *e, const int64_t *block) {
    const block_node *left = &g->node[e->left], *right = &g->node[e->right];
    const int64_t x = extent_of(left) / e->left_stride, y = extent_of(right) / e->right_stride;
    return (dpc_motion){.procs = procs_of(left),
                        .left_block = block[e->left],
                        .right_block = block[e->right],
                        .left_stride = e->left_reversed ? -e->left_stride : e->left_stride,
                        .right_stride = e->right_reversed ? -e->right_stride : e->right_stride,
                        .left_offset = e->left_offset,
                        .right_offset = e->right_offset,
                        .offsets_known = e->offsets_known,
                        .count = e->count > 0 ? e->count
                                 : x < y      ? x
                                              : y,
                        .element_size = e->element_size};
}

static block_estimate estimate_edge(const block_graph *g, const block_edge *e, const int64_t *block,
                                    const dpc_cost *cost) {
    const dpc_motion m = motion_of(g, e, block);
    const dpc_estimate x = dpc_estimate_motion(cost, &m, DPC_SETS_AUTO, DPC_MODEL_CONVENTIONAL);
    const double moving = x.bytes * cost->byte + 2 * (x.elements * cost->element + x.runs * cost->run);
    return (block_estimate){.seconds = x.generation + e->executions * (x.messages * cost->message + e->inner * moving),
                            .messages = e->executions * x.messages,
                            .elements = e->executions * e->inner * x.elements};
}

bool edge_is_local(const block_graph *g, const block_edge *e, const int64_t *block) {
    const block_node *left = &g->node[e->left], *right = &g->node[e->right];
    if (!e->offsets_known || left->procs <= 0 || left->procs != right->procs || edge_case(e, block) != 4) return false;
    const dpc_motion m = motion_of(g, e, block);
    return dpc_estimate_motion(&dpc_default_cost, &m, DPC_SETS_CLOSED, DPC_MODEL_CONVENTIONAL).elements < 0.5;
}

/* The iterations of one use: those of the average process, how many times as many the busiest one has, and the
 * beginnings of its loops. */
typedef struct {
    double fair, ratio, beginnings;
    double excess; /* operations beyond the fair share */
} work;

static work work_of(const block_graph *g, const block_use *u, const int64_t *block) {
    const double procs = (double)procs_of(&g->node[u->node]);
    const double h = fmax(1, (double)block[u->node] / (double)u->stride);
    const double rows = u->count > 0 ? (double)u->count : (double)extent_of(&g->node[u->node]) / (double)u->stride;
    const double cycles = floor(rows / (procs * h)), owned = cycles * h + fmin(rows - cycles * procs * h, h);
    if (u->shape == DPC_TRIANGULAR)
        return (work){rows / procs, 1 + fmin(h, rows / procs) * (procs - 1) / (rows + 1), ceil(owned / h),
                      dpc_imbalance(DPC_TRIANGULAR, u->inner, procs, h)};
    return (work){rows / procs, owned * procs / rows, ceil(owned / h), u->inner * (owned - rows / procs)};
}

block_estimate estimate_blocks(const block_graph *g, const int64_t *block, const dpc_cost *cost) {
    block_estimate sum = {0};
    double busiest = 0, fair = 0;
    for (int e = 0; e < g->edges; e++) {
        const block_estimate x = estimate_edge(g, &g->edge[e], block, cost);
        sum.seconds += x.seconds;
        sum.messages += x.messages;
        sum.elements += x.elements;
    }
    for (int u = 0; u < g->uses; u++) {
        const work w = work_of(g, &g->use[u], block);
        const double weight = g->use[u].executions * g->use[u].inner * w.fair;
        sum.seconds += g->use[u].executions * (cost->operation * w.excess + cost->run * w.beginnings);
        busiest += weight * w.ratio;
        fair += weight;
    }
    sum.balance = fair > 0 ? busiest / fair : 1;
    return sum;
}

/* ---- Granularity */

static bool has_fixed(const block_graph *g) {
    for (int k = 0; k < g->nodes; k++)
        if (g->node[k].fixed > 0) return true;
    return false;
}

static bool has_free(const block_graph *g) {
    for (int k = 0; k < g->nodes; k++)
        if (g->node[k].fixed <= 0) return true;
    return false;
}

static bool is_triangular(const block_graph *g) {
    for (int u = 0; u < g->uses; u++)
        if (g->use[u].shape == DPC_TRIANGULAR) return true;
    return false;
}

/* The largest h with h * block <= ceil(extent / N) for every node whose block is to be chosen. */
static int64_t largest_granularity(const block_graph *g, const int64_t *block) {
    int64_t h = INT64_MAX;
    for (int k = 0; k < g->nodes; k++) {
        const int64_t room = block_size_of(&g->node[k]) / block[k];
        if (g->node[k].fixed <= 0 && room < h) h = room;
    }
    return h < 1 || h == INT64_MAX ? 1 : h;
}

static void scale_blocks(const block_graph *g, const int64_t *block, int64_t h, int64_t *scaled) {
    for (int k = 0; k < g->nodes; k++) scaled[k] = g->node[k].fixed > 0 ? block[k] : block[k] * h;
}

/* Whether every edge that had closed forms has them still: beside fixed blocks quotients change. */
static bool keeps_closed_forms(const block_graph *g, const int64_t *block, const int64_t *scaled) {
    for (int e = 0; e < g->edges; e++)
        if (edge_case(&g->edge[e], scaled) == 1 && edge_case(&g->edge[e], block) != 1) return false;
    return true;
}

typedef struct {
    int64_t value[MAX_GRANULARITIES];
    int count;
    int64_t largest;
} granularities;

static void propose(granularities *list, double value) {
    const int64_t h = value < 1 ? 1 : value > (double)list->largest ? list->largest : (int64_t)value;
    for (int k = 0; k < list->count; k++)
        if (list->value[k] == h) return;
    if (list->count < MAX_GRANULARITIES) list->value[list->count++] = h;
}

/* Those that make an edge of quotient 1 local: h times its small block divides D / N. */
static void propose_local(granularities *list, const block_graph *g, const block_edge *e, const int64_t *block) {
    const int64_t procs = g->node[e->left].procs, h = block[e->left] / e->left_stride;
    if (!e->offsets_known || e->left_reversed || e->right_reversed || procs <= 0 || edge_case(e, block) != 4) return;
    const int64_t distance = dpc_floor(e->right_offset, e->right_stride) - dpc_floor(e->left_offset, e->left_stride);
    const int64_t quotient = (distance < 0 ? -distance : distance) / procs / h;
    if (distance == 0 || distance % procs || distance / procs % h) return;
    for (int64_t d = 1; d <= 16 && d <= quotient; d++)
        if (quotient % d == 0) propose(list, (double)(quotient / d));
}

/* The printed model's optimum for a triangular use (Table 2). */
static void propose_optimum(granularities *list, const block_graph *g, const block_use *u, const int64_t *block,
                            const dpc_cost *cost) {
    const double procs = (double)procs_of(&g->node[u->node]), rows = (double)extent_of(&g->node[u->node]);
    const double communication = 8 * cost->byte + 2 * cost->element;
    const double best = dpc_best_block(u->shape, rows, procs, cost->operation, communication);
    propose(list, round(best * (double)u->stride / (double)block[u->node]));
}

/* Those with which all processes have the same number of blocks of an array, as far as it can be divided so: few and
 * large ones. */
static void propose_rounds(granularities *list, const block_node *n, int64_t block) {
    for (int64_t rounds = 1; rounds <= MOST_ROUNDS; rounds++)
        propose(list, (double)ceiling(ceiling(extent_of(n), procs_of(n) * rounds), block));
}

static granularities list_granularities(const block_graph *g, const int64_t *block, const dpc_cost *cost) {
    granularities list = {.largest = largest_granularity(g, block)};
    propose(&list, 1);
    propose(&list, (double)list.largest);
    for (int e = 0; e < g->edges; e++) propose_local(&list, g, &g->edge[e], block);
    for (int u = 0; u < g->uses; u++) propose_optimum(&list, g, &g->use[u], block, cost);
    for (int k = 0; k < g->nodes && k < ROUNDED_NODES; k++)
        if (g->node[k].fixed <= 0) propose_rounds(&list, &g->node[k], block[k]);
    for (double h = 2; h < (double)list.largest; h *= 2) {
        propose(&list, h);
        propose(&list, 1.5 * h);
    }
    return list;
}

static bool is_better(double seconds, int64_t h, double best, int64_t best_h, bool towards_cyclic) {
    const double margin = 1e-9 * fabs(best);
    if (best < 0 || seconds < best - margin) return true;
    return seconds <= best + margin && (towards_cyclic ? h < best_h : h > best_h);
}

/* Multiplies the blocks by the best granularity. */
static void apply_granularity(arena *a, const block_graph *g, block_candidate *c, const dpc_cost *cost) {
    const granularities list = list_granularities(g, c->block, cost);
    int64_t *scaled = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *scaled);
    c->estimate.seconds = c->at_largest.seconds = -1;
    c->largest = list.largest;
    for (int n = 0; n < list.count; n++) {
        scale_blocks(g, c->block, list.value[n], scaled);
        if (!keeps_closed_forms(g, c->block, scaled)) continue;
        const block_estimate x = estimate_blocks(g, scaled, cost);
        if (list.value[n] == 1) c->at_1 = x;
        if (list.value[n] == list.largest) c->at_largest = x;
        if (!is_better(x.seconds, list.value[n], c->estimate.seconds, c->granularity, is_triangular(g))) continue;
        c->estimate = x;
        c->granularity = list.value[n];
    }
    scale_blocks(g, c->block, c->granularity, c->block);
}

/* ---- Candidates */

/* Whether no block is larger than an array allows: ceil(extent / N), or half an array where N is not known; what the
 * strides ask for is always allowed. */
static bool fits(arena *a, const block_graph *g, const int64_t *block) {
    int64_t *multiple = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *multiple);
    if (!stride_multiples(g, multiple)) return false;
    for (int k = 0; k < g->nodes; k++) {
        const block_node *n = &g->node[k];
        const int64_t room = n->procs > 0 ? block_size_of(n) : n->extent > 0 ? ceiling(n->extent, 2) : ASSUMED_EXTENT;
        if (n->fixed <= 0 && (block[k] <= 0 || (block[k] > room && block[k] > multiple[k]))) return false;
    }
    return true;
}

typedef struct {
    arena *memory;
    const dpc_cost *cost;
    block_part *part;
} comparison;

static bool is_known(const block_part *part, const int64_t *block, int64_t granularity, bool as_block) {
    for (size_t n = 0; n < part->candidates; n++) {
        const block_candidate *x = &part->candidate[n];
        bool same = x->as_block == as_block && x->granularity == granularity;
        for (int k = 0; k < part->members; k++) same = same && x->block[k] == block[k];
        if (same) return true;
    }
    return false;
}

/* Adds a candidate with its best granularity, unless an earlier one is the same. */
static void add_candidate(comparison *c, const block_graph *g, const char *method, const int64_t *block, bool as_block,
                          bool partial) {
    block_candidate x = {
        .method = method, .granularity = 1, .estimate.seconds = -1, .as_block = as_block, .partial = partial};
    x.block = arena_alloc(c->memory, (size_t)(g->nodes + 1) * sizeof *x.block);
    memcpy(x.block, block, (size_t)g->nodes * sizeof *block);
    if (fits(c->memory, g, block)) apply_granularity(c->memory, g, &x, c->cost);
    if (is_known(c->part, x.block, x.granularity, as_block)) return;
    vector_add(c->memory, c->part->candidate, c->part->candidates, c->part->candidate_capacity, x);
}

static void add_candidates(comparison *c, const block_graph *g, bool as_block) {
    int64_t *block = arena_alloc(c->memory, (size_t)(g->nodes + 1) * sizeof *block);
    if (!has_fixed(g))
        add_candidate(c, g, "the printed algorithm", choose_printed_blocks(c->memory, g).step[2], false, false);
    if (choose_greedy_blocks(c->memory, g, NULL, block))
        add_candidate(c, g, "greedy contraction", block, as_block, false);
    if (choose_exact_blocks(c->memory, g, block)) add_candidate(c, g, "enumeration", block, as_block, false);
}

/* The lightest edge that is in (or the heaviest that is out), -1: none.  Self references don't matter. */
static int extreme_edge(const block_graph *g, const bool *dropped, bool lightest) {
    int found = -1;
    for (int e = 0; e < g->edges; e++) {
        if (dropped[e] == lightest || g->edge[e].left == g->edge[e].right) continue;
        const double weight = edge_weight(&g->edge[e]), best = found < 0 ? 0 : edge_weight(&g->edge[found]);
        if (found < 0 || (lightest ? weight <= best : weight > best)) found = e;
    }
    return found;
}

static int proper_edges(const block_graph *g) {
    int count = 0;
    for (int e = 0; e < g->edges; e++) count += g->edge[e].left != g->edge[e].right;
    return count;
}

static void add_without(comparison *c, const block_graph *g, const bool *dropped, int64_t *block) {
    if (choose_greedy_blocks(c->memory, g, dropped, block) && fits(c->memory, g, block))
        add_candidate(c, g, "greedy contraction without some statements", block, false, true);
}

/* Pairs may cost less without closed forms than what these ask of all others: every single statement is left aside
 * where there are few, and the lightest together. */
static void add_partial_candidates(comparison *c, const block_graph *g) {
    const int edges = proper_edges(g);
    int64_t *block = arena_alloc(c->memory, (size_t)(g->nodes + 1) * sizeof *block);
    bool *dropped = arena_alloc(c->memory, (size_t)g->edges + 1);
    for (int e = 0; e < g->edges && edges > 1 && edges <= EXACT_EDGES; e++) {
        if (g->edge[e].left == g->edge[e].right) continue;
        dropped[e] = true;
        add_without(c, g, dropped, block);
        dropped[e] = false;
    }
    for (int left = edges, part = edges / PARTIAL_CANDIDATES + 1; left > part; left -= part) {
        for (int k = 0; k < part; k++) dropped[extreme_edge(g, dropped, true)] = true;
        add_without(c, g, dropped, block);
    }
}

/* The same where automatic dimensions are block. */
static void add_block_candidates(comparison *c, const block_graph *g) {
    block_graph fixed = *g;
    bool any = false;
    fixed.node = arena_alloc(c->memory, (size_t)g->nodes * sizeof *fixed.node);
    memcpy(fixed.node, g->node, (size_t)g->nodes * sizeof *fixed.node);
    for (int k = 0; k < g->nodes; k++) {
        if (!g->node[k].automatic || g->node[k].fixed > 0) continue;
        fixed.node[k].fixed = block_size_of(&g->node[k]);
        any = true;
    }
    if (any) add_candidates(c, &fixed, true);
}

/* The least time; on a tie block for a rectangular space, else the first. */
static bool choose_candidate(block_part *part, bool prefer_block) {
    bool found = false;
    for (size_t k = 0; k < part->candidates; k++) {
        const block_candidate *x = &part->candidate[k], *best = &part->candidate[part->chosen];
        if (x->estimate.seconds < 0) continue;
        const bool tie = found && x->estimate.seconds <= best->estimate.seconds * (1 + 1e-6);
        const bool better = !found || x->estimate.seconds < best->estimate.seconds * (1 - 1e-6);
        if (better || (tie && prefer_block && x->as_block && !best->as_block)) part->chosen = k;
        found = true;
    }
    return found;
}

/* ---- Too large */

static bool fits_without(comparison *c, const block_graph *g, const bool *dropped, int64_t *block) {
    return choose_greedy_blocks(c->memory, g, dropped, block) && fits(c->memory, g, block);
}

/* Leaves the lightest edges aside, an eighth at a time, until the blocks fit. */
static void drop_edges(comparison *c, const block_graph *g, bool *dropped, int64_t *block) {
    int left = proper_edges(g);
    while (left > 0 && !fits_without(c, g, dropped, block))
        for (int count = left / 8 + 1; count > 0; count--, left--) dropped[extreme_edge(g, dropped, true)] = true;
}

/* Takes them in again one by one, the heaviest first, where the blocks still fit. */
static void take_edges_in(comparison *c, const block_graph *g, bool *dropped, int64_t *block) {
    bool *tried = arena_alloc(c->memory, (size_t)g->edges + 1);
    memcpy(tried, dropped, (size_t)g->edges);
    for (int k = 0; k < TRIED_EDGES; k++) {
        const int e = extreme_edge(g, tried, false);
        if (e < 0) return;
        tried[e] = dropped[e] = false;
        dropped[e] = !fits_without(c, g, dropped, block);
    }
}

/* Strides that overflow: cyclic. */
static void add_last_resort(comparison *c, const block_graph *g) {
    block_candidate x = {.method = "strides without a common multiple", .granularity = 1, .largest = 1};
    x.block = arena_alloc(c->memory, (size_t)(g->nodes + 1) * sizeof *x.block);
    for (int k = 0; k < g->nodes; k++) x.block[k] = g->node[k].fixed > 0 ? g->node[k].fixed : 1;
    x.estimate = x.at_1 = x.at_largest = estimate_blocks(g, x.block, c->cost);
    vector_add(c->memory, c->part->candidate, c->part->candidates, c->part->candidate_capacity, x);
}

/* As many edges as fit: without any the blocks are the multiples of the strides. */
static void add_reduced_candidate(comparison *c, const block_graph *g, bool *dropped) {
    int64_t *block = arena_alloc(c->memory, (size_t)(g->nodes + 1) * sizeof *block);
    drop_edges(c, g, dropped, block);
    take_edges_in(c, g, dropped, block);
    if (choose_greedy_blocks(c->memory, g, dropped, block))
        add_candidate(c, g, "greedy contraction without the lightest statements", block, false, true);
    if (!choose_candidate(c->part, false)) add_last_resort(c, g);
}

/* ---- Parts */

/* The graph, and what of it is in each part. */
typedef struct {
    const block_graph *g;
    int *local;             /* per node: its number in its part */
    int *first_edge, *edge; /* those of part x are edge[first_edge[x]] .. edge[first_edge[x + 1] - 1], ascending */
    int *first_use, *use;
} parted_graph;

static int *numbers(arena *a, size_t count) {
    return arena_alloc(a, (count + 2) * sizeof(int));
}

static int part_of_edge(const block_graph *g, const block_choice *choice, int e) {
    return choice->part[g->edge[e].left];
}

static int part_of_use(const block_graph *g, const block_choice *choice, int u) {
    return choice->part[g->use[u].node];
}

/* Edges or uses in order of their parts. */
static int *by_part(arena *a, const block_graph *g, const block_choice *choice, int count,
                    int part_of(const block_graph *, const block_choice *, int), int **first) {
    int *item = numbers(a, (size_t)count), *next = numbers(a, choice->part_count);
    *first = numbers(a, choice->part_count);
    for (int k = 0; k < count; k++) (*first)[part_of(g, choice, k) + 1]++;
    for (size_t x = 0; x < choice->part_count; x++) next[x + 1] = (*first)[x + 1] += (*first)[x];
    for (int k = 0; k < count; k++) item[next[part_of(g, choice, k)]++] = k;
    return item;
}

static parted_graph divide_graph(arena *a, const block_graph *g, const block_choice *choice) {
    parted_graph d = {.g = g, .local = numbers(a, (size_t)g->nodes)};
    d.edge = by_part(a, g, choice, g->edges, part_of_edge, &d.first_edge);
    d.use = by_part(a, g, choice, g->uses, part_of_use, &d.first_use);
    return d;
}

/* The part's own graph. */
static block_graph part_graph(arena *a, const parted_graph *d, const block_part *part, int x) {
    const block_graph *g = d->g;
    const int edges = d->first_edge[x + 1] - d->first_edge[x], uses = d->first_use[x + 1] - d->first_use[x];
    block_graph sub = {.nodes = part->members, .edges = edges, .uses = uses};
    sub.node = arena_alloc(a, (size_t)part->members * sizeof *sub.node);
    sub.edge = arena_alloc(a, (size_t)(edges + 1) * sizeof *sub.edge);
    sub.use = arena_alloc(a, (size_t)(uses + 1) * sizeof *sub.use);
    for (int k = 0; k < part->members; k++) {
        d->local[part->member[k]] = k;
        sub.node[k] = g->node[part->member[k]];
    }
    for (int k = 0; k < edges; k++) {
        sub.edge[k] = g->edge[d->edge[d->first_edge[x] + k]];
        sub.edge[k].left = d->local[sub.edge[k].left];
        sub.edge[k].right = d->local[sub.edge[k].right];
    }
    for (int k = 0; k < uses; k++) {
        sub.use[k] = g->use[d->use[d->first_use[x] + k]];
        sub.use[k].node = d->local[sub.use[k].node];
    }
    return sub;
}

static void choose_part(arena *a, const parted_graph *d, const dpc_cost *cost, int x, block_choice *choice) {
    block_part *part = &choice->parts[x];
    const block_graph sub = part_graph(a, d, part, x);
    comparison c = {a, cost, part};
    if (!has_free(&sub)) {
        for (int k = 0; k < part->members; k++) choice->block[part->member[k]] = sub.node[k].fixed;
        return;
    }
    add_candidates(&c, &sub, false);
    add_block_candidates(&c, &sub);
    part->triangular = is_triangular(&sub);
    part->too_large = !choose_candidate(part, false);
    if (part->too_large) add_reduced_candidate(&c, &sub, arena_alloc(a, (size_t)sub.edges + 1));
    add_partial_candidates(&c, &sub);
    choose_candidate(part, !part->triangular);
    const block_candidate *best = &part->candidate[part->chosen];
    for (int k = 0; k < part->members; k++) {
        choice->block[part->member[k]] = best->block[k];
        choice->as_block[part->member[k]] = best->as_block && sub.node[k].automatic && sub.node[k].fixed <= 0;
    }
    for (int e = 0; e < sub.edges; e++)
        choice->dropped[d->edge[d->first_edge[x] + e]] = best->partial && edge_case(&sub.edge[e], best->block) == 1;
}

/* The smallest node that k is known to be connected with. */
static int smallest_connected(int *part, int k) {
    for (; part[k] != k; k = part[k]) part[k] = part[part[k]];
    return k;
}

static void connect(int *part, int left, int right) {
    const int x = smallest_connected(part, left), y = smallest_connected(part, right);
    part[x] = part[y] = x < y ? x : y;
}

/* Numbers the connected parts by their smallest nodes. */
static void find_parts(arena *a, const block_graph *g, block_choice *choice) {
    int *size = numbers(a, (size_t)g->nodes);
    for (int k = 0; k < g->nodes; k++) choice->part[k] = k;
    for (int e = 0; e < g->edges; e++) connect(choice->part, g->edge[e].left, g->edge[e].right);
    for (int k = 0; k < g->nodes; k++) size[choice->part[k] = smallest_connected(choice->part, k)]++;
    for (int k = 0; k < g->nodes; k++) {
        if (choice->part[k] != k) {
            choice->part[k] = choice->part[choice->part[k]];
        } else {
            block_part part = {.member = numbers(a, (size_t)size[k])};
            vector_add(a, choice->parts, choice->part_count, choice->part_capacity, part);
            choice->part[k] = (int)choice->part_count - 1;
        }
        block_part *part = &choice->parts[choice->part[k]];
        part->member[part->members++] = k;
    }
}

block_choice choose_block_sizes(arena *a, const block_graph *g, const dpc_cost *cost) {
    block_choice choice = {0};
    choice.block = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *choice.block);
    choice.as_block = arena_alloc(a, (size_t)g->nodes + 1);
    choice.dropped = arena_alloc(a, (size_t)g->edges + 1);
    choice.part = arena_alloc(a, (size_t)(g->nodes + 1) * sizeof *choice.part);
    find_parts(a, g, &choice);
    const parted_graph d = divide_graph(a, g, &choice);
    for (size_t k = 0; k < choice.part_count; k++) choose_part(a, &d, cost, (int)k, &choice);
    return choice;
}

/* Block sizes: the recorded programs (docs/communication-sets.md, section 6), and random graphs.  The vectors' file is
 * the argument, or testsuite/vectors/blocksizes.json. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/blocks/blocksizes.h"
#include "suite.h"

static const char *vectors = "testsuite/vectors/blocksizes.json";

/* ---- Recorded programs */

static cJSON *read_vectors(arena *a) {
    FILE *file = fopen(vectors, "r");
    ck_assert_msg(file != NULL, "cannot open %s", vectors);
    text content;
    text_start(&content, a);
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;) text_add_bytes(&content, buffer, got);
    fclose(file);
    cJSON *all = cJSON_Parse(text_of(&content));
    ck_assert_msg(all != NULL, "%s is no JSON", vectors);
    return all;
}

static int64_t number_at(const cJSON *list, int k) {
    return (int64_t)cJSON_GetArrayItem(list, k)->valuedouble;
}

static block_graph graph_of(arena *a, const cJSON *program) {
    const cJSON *edges = cJSON_GetObjectItemCaseSensitive(program, "edges");
    block_graph g = {.nodes = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(program, "nlevel")),
                     .edges = cJSON_GetArraySize(edges)};
    g.node = arena_alloc(a, (size_t)g.nodes * sizeof *g.node);
    g.edge = arena_alloc(a, (size_t)g.edges * sizeof *g.edge);
    for (int e = 0; e < g.edges; e++) {
        const cJSON *list = cJSON_GetArrayItem(edges, e);
        g.edge[e] = (block_edge){.left = (int)number_at(list, 0),
                                 .left_stride = number_at(list, 1),
                                 .right = (int)number_at(list, 2),
                                 .right_stride = number_at(list, 3),
                                 .executions = 1,
                                 .inner = 1,
                                 .count = 1000,
                                 .element_size = 8};
    }
    return g;
}

static void check_list(const cJSON *program, const char *name, const int64_t *got) {
    const cJSON *expected = cJSON_GetObjectItemCaseSensitive(program, name);
    for (int k = 0; k < cJSON_GetArraySize(expected); k++)
        ck_assert_msg(number_at(expected, k) == got[k], "%s[%d]: %lld, not %lld", name, k, (long long)got[k],
                      (long long)number_at(expected, k));
}

static int ones(const block_graph *g, const int64_t *block) {
    int count = 0;
    for (int e = 0; e < g->edges; e++)
        count += edge_case(&g->edge[e], block) == 4 && g->edge[e].left != g->edge[e].right;
    return count;
}

static void check_every_quotient(const block_graph *g, const int64_t *block) {
    for (int e = 0; e < g->edges; e++)
        if (g->edge[e].left != g->edge[e].right) ck_assert_int_ne(edge_case(&g->edge[e], block), 1);
}

static int expected_ones(const cJSON *program, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(program, name);
    return item ? item->valueint : -1;
}

static void check_program(arena *a, const cJSON *program) {
    const block_graph g = graph_of(a, program);
    const printed_blocks p = choose_printed_blocks(a, &g);
    int64_t numbers[64], block[64];
    for (int k = 0; k < g.nodes; k++) numbers[k] = p.level[k];
    check_list(program, "nlevel", numbers);
    for (int k = 0; k < g.nodes; k++) numbers[k] = p.order[k];
    check_list(program, "order", numbers);
    check_list(program, "b_step1", p.step[0]);
    check_list(program, "b_step2", p.step[1]);
    check_list(program, "b_step3", p.step[2]);
    for (int e = 0; e < g.edges; e++) numbers[e] = edge_case(&g.edge[e], p.step[2]);
    check_list(program, "case", numbers);

    ck_assert(choose_greedy_blocks(a, &g, NULL, block));
    check_every_quotient(&g, block);
    if (expected_ones(program, "ones_greedy") >= 0)
        ck_assert_int_ge(ones(&g, block), expected_ones(program, "ones_greedy"));
    if (!choose_exact_blocks(a, &g, block)) return;
    check_every_quotient(&g, block);
    ck_assert_int_ge(ones(&g, block), expected_ones(program, "ones_exact"));
}

START_TEST(recorded_programs) {
    arena *a = arena_new();
    cJSON *all = read_vectors(a);
    const cJSON *program;
    int count = 0;
    cJSON_ArrayForEach(program, cJSON_GetObjectItemCaseSensitive(all, "programs")) {
        check_program(a, program);
        count++;
    }
    ck_assert_int_eq(count, 74);
    cJSON_Delete(all);
    arena_free(a);
}
END_TEST

/* ---- The choice */

static unsigned long state = 1;

static int64_t between(int64_t low, int64_t high) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return low + (int64_t)(state >> 33) % (high - low + 1);
}

static block_graph random_graph(arena *a, bool with_fixed) {
    block_graph g = {.nodes = (int)between(1, 9), .edges = (int)between(0, 14), .uses = (int)between(0, 5)};
    g.node = arena_alloc(a, (size_t)g.nodes * sizeof *g.node);
    g.edge = arena_alloc(a, (size_t)g.edges * sizeof *g.edge + 1);
    g.use = arena_alloc(a, (size_t)g.uses * sizeof *g.use + 1);
    const int64_t procs = between(0, 3) ? between(1, 16) : 0;
    for (int k = 0; k < g.nodes; k++) {
        g.node[k] = (block_node){.procs = procs, .extent = between(0, 4) ? between(1, 100000) : 0};
        g.node[k].automatic = between(0, 3) == 0;
        if (with_fixed && between(0, 3) == 0) g.node[k].fixed = between(1, 40);
    }
    for (int e = 0; e < g.edges; e++) {
        g.edge[e] = (block_edge){.left = (int)between(0, g.nodes - 1),
                                 .left_stride = between(1, 6),
                                 .right = (int)between(0, g.nodes - 1),
                                 .right_stride = between(1, 6),
                                 .offsets_known = between(0, 1),
                                 .left_offset = between(0, 20),
                                 .right_offset = between(0, 20),
                                 .count = between(0, 1000),
                                 .executions = (double)between(1, 100),
                                 .inner = (double)between(1, 10),
                                 .element_size = 8,
                                 .right_reversed = between(0, 4) == 0};
    }
    for (int u = 0; u < g.uses; u++)
        g.use[u] = (block_use){.node = (int)between(0, g.nodes - 1),
                               .stride = between(1, 6),
                               .count = between(0, 1000),
                               .executions = 1,
                               .inner = (double)between(1, 100),
                               .shape = between(0, 1) ? DPC_TRIANGULAR : DPC_RECTANGULAR};
    return g;
}

/* Fixed blocks stay; where nothing is fixed, every pair that was not left aside has closed forms. */
static void check_choice(const block_graph *g, const block_choice *c) {
    bool any_fixed = false, any_block = false;
    for (int k = 0; k < g->nodes; k++) {
        any_fixed = any_fixed || g->node[k].fixed > 0;
        any_block = any_block || c->as_block[k];
        ck_assert_int_ge(c->block[k], 1);
        if (g->node[k].fixed > 0) ck_assert_int_eq(c->block[k], g->node[k].fixed);
        ck_assert(!c->as_block[k] || g->node[k].automatic);
    }
    for (int e = 0; e < g->edges && !any_fixed && !any_block; e++)
        if (g->edge[e].left != g->edge[e].right && !c->dropped[e])
            ck_assert_int_ne(edge_case(&g->edge[e], c->block), 1);
}

START_TEST(random_graphs) {
    for (int n = 0; n < 300; n++) {
        arena *a = arena_new();
        const block_graph g = random_graph(a, n % 3 == 0);
        const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
        const block_choice again = choose_block_sizes(a, &g, &dpc_default_cost);
        check_choice(&g, &c);
        for (int k = 0; k < g.nodes; k++) ck_assert_int_eq(c.block[k], again.block[k]);
        arena_free(a);
    }
}
END_TEST

static block_edge simple_edge(int left, int64_t left_stride, int right, int64_t right_stride, int64_t distance) {
    return (block_edge){.left = left,
                        .left_stride = left_stride,
                        .right = right,
                        .right_stride = right_stride,
                        .offsets_known = true,
                        .right_offset = distance,
                        .count = 1000,
                        .executions = 1,
                        .inner = 1,
                        .element_size = 8};
}

/* The digest's example of a tree that the printed algorithm does not make all equal. */
START_TEST(tree) {
    arena *a = arena_new();
    block_node node[4];
    block_edge edge[] = {simple_edge(0, 1, 1, 1, 0), simple_edge(2, 4, 1, 1, 0), simple_edge(3, 1, 0, 4, 0)};
    for (int k = 0; k < 4; k++) node[k] = (block_node){.extent = 4000, .procs = 4};
    const block_graph g = {.node = node, .nodes = 4, .edge = edge, .edges = 3};
    const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
    ck_assert_int_eq(ones(&g, c.block), 3);
    for (int e = 0; e < 3; e++) ck_assert(edge_is_local(&g, &edge[e], c.block));
    arena_free(a);
}
END_TEST

/* A[i] = C[i + 64] over 4 processes: blocks that divide 16 move nothing. */
START_TEST(distance_that_cycles) {
    arena *a = arena_new();
    block_node node[2] = {{.extent = 4000, .procs = 4}, {.extent = 4000, .procs = 4}};
    block_edge edge = simple_edge(0, 1, 1, 1, 64);
    const block_graph g = {.node = node, .nodes = 2, .edge = &edge, .edges = 1};
    const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
    ck_assert_int_eq(c.block[0], 16);
    ck_assert(edge_is_local(&g, &edge, c.block));
    arena_free(a);
}
END_TEST

/* A chain whose block sizes grow beyond all arrays: statements are left aside, the lightest first. */
START_TEST(explosion) {
    enum { NODES = 24 };
    arena *a = arena_new();
    block_node node[NODES];
    block_edge edge[NODES * 2];
    block_graph g = {.node = node, .nodes = NODES, .edge = edge};
    for (int k = 0; k < NODES; k++) node[k] = (block_node){.extent = 1000, .procs = 4};
    for (int k = 0; k + 1 < NODES; k++) {
        edge[g.edges++] = simple_edge(k, 2, k + 1, 3, 0);
        edge[g.edges++] = simple_edge(k + 1, 3, k, 5, 0);
    }
    edge[0].executions = 100;
    const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
    check_choice(&g, &c);
    int dropped = 0;
    for (int e = 0; e < g.edges; e++) dropped += c.dropped[e];
    ck_assert_int_gt(dropped, 0);
    ck_assert_int_lt(dropped, g.edges);
    ck_assert(!c.dropped[0]);
    for (int k = 0; k < NODES; k++) ck_assert_int_le(c.block[k], 250);
    arena_free(a);
}
END_TEST

/* A cycle whose strides' product is not 1: the third pair may cost less without closed forms than what it asks of the
 * others. */
START_TEST(inconsistent_cycle) {
    arena *a = arena_new();
    block_node node[3];
    block_edge edge[] = {simple_edge(0, 2, 1, 3, 0), simple_edge(1, 1, 2, 2, 0), simple_edge(2, 5, 0, 4, 0)};
    for (int k = 0; k < 3; k++) node[k] = (block_node){.extent = 15000, .procs = 4};
    for (int e = 0; e < 3; e++) edge[e].count = 3000;
    const block_graph g = {.node = node, .nodes = 3, .edge = edge, .edges = 3};
    const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
    ck_assert_int_eq(ones(&g, c.block), 2);
    int dropped = 0;
    for (int e = 0; e < 3; e++) dropped += c.dropped[e];
    ck_assert_int_eq(dropped, 1);
    edge[1].executions = 100;
    ck_assert(!choose_block_sizes(a, &g, &dpc_default_cost).dropped[1]);
    arena_free(a);
}
END_TEST

/* ---- Balance */

/* Iterations of the busiest process over the average, by counting rows; triangular: row i has rows - i of them. */
static double counted_balance(int64_t rows, int64_t procs, int64_t block, bool triangular) {
    double most = 0, all = 0;
    for (int64_t q = 0; q < procs; q++) {
        double own = 0;
        for (int64_t i = 0; i < rows; i++)
            if (i / block % procs == q) own += triangular ? (double)(rows - i) : 1;
        if (own > most) most = own;
        all += own;
    }
    return most * (double)procs / all;
}

START_TEST(balance) {
    static const int64_t cases[][3] = {{2048, 16, 1},  {2048, 16, 4},   {2048, 16, 8}, {2048, 16, 128},
                                       {2048, 16, 32}, {2048, 16, 100}, {1000, 3, 7},  {5, 8, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t rows = cases[k][0], procs = cases[k][1], block = cases[k][2];
        block_node node = {.extent = rows, .procs = procs};
        for (int shape = DPC_RECTANGULAR; shape <= DPC_TRIANGULAR; shape++) {
            if (shape == DPC_TRIANGULAR && rows % (block * procs)) continue;
            block_use use = {.stride = 1, .count = rows, .executions = 3, .inner = 7, .shape = (dpc_space_shape)shape};
            const block_graph g = {.node = &node, .nodes = 1, .use = &use, .uses = 1};
            const block_estimate x = estimate_blocks(&g, &block, &dpc_default_cost);
            ck_assert_double_eq_tol(x.balance, counted_balance(rows, procs, block, shape == DPC_TRIANGULAR), 1e-9);
            ck_assert_double_eq(x.messages + x.elements, 0);
        }
    }
}
END_TEST

/* ---- The choice beside every choice */

/* The least estimate of all blocks 1 .. ceil(extent / N), by counting through them. */
static double least_seconds(const block_graph *g) {
    int64_t block[4] = {1, 1, 1, 1}, most[4];
    for (int k = 0; k < g->nodes; k++) most[k] = (g->node[k].extent - 1) / g->node[k].procs + 1;
    double least = -1;
    for (int k = 0; k < g->nodes;) {
        const double seconds = estimate_blocks(g, block, &dpc_default_cost).seconds;
        if (least < 0 || seconds < least) least = seconds;
        for (k = 0; k < g->nodes && block[k] == most[k]; k++) block[k] = 1;
        if (k < g->nodes) block[k]++;
    }
    return least;
}

/* Pairs are left node, its stride, right node, its stride, distance; uses are node, shape. */
typedef struct {
    const char *name;
    int nodes;
    int64_t extent, procs;
    int edges, pair[4][5];
    int triangular; /* node with unequal work, -1: all have equal work */
} searched_program;

static double chosen_beside_least(const searched_program *x) {
    arena *a = arena_new();
    block_node node[4];
    block_edge edge[4];
    block_use use[4];
    block_graph g = {.node = node, .nodes = x->nodes, .edge = edge, .edges = x->edges, .use = use, .uses = x->nodes};
    for (int k = 0; k < x->nodes; k++) {
        node[k] = (block_node){.extent = x->extent, .procs = x->procs};
        use[k] = (block_use){.node = k,
                             .stride = 1,
                             .count = x->extent,
                             .executions = 10,
                             .inner = k == x->triangular ? 200 : 1,
                             .shape = k == x->triangular ? DPC_TRIANGULAR : DPC_RECTANGULAR};
    }
    for (int e = 0; e < x->edges; e++) {
        const int *p = x->pair[e], stride = p[1] > p[3] ? p[1] : p[3];
        edge[e] = simple_edge(p[0], p[1], p[2], p[3], p[4]);
        edge[e].count = (x->extent - p[4]) / stride;
        edge[e].executions = 10;
    }
    const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
    const double ratio = estimate_blocks(&g, c.block, &dpc_default_cost).seconds / least_seconds(&g);
    arena_free(a);
    return ratio;
}

static const searched_program searched[] = {
    {"copy at a distance", 2, 1200, 4, 1, {{0, 1, 1, 1, 40}}, -1},
    {"every second", 2, 1200, 4, 1, {{0, 1, 1, 2, 0}}, -1},
    {"2 to 3 at a distance", 2, 1200, 4, 1, {{0, 2, 1, 3, 7}}, -1},
    {"restriction and prolongation", 2, 1600, 8, 2, {{0, 1, 1, 2, 0}, {1, 2, 0, 1, 0}}, -1},
    {"stencil within one array", 1, 4000, 4, 2, {{0, 1, 0, 1, 1}, {0, 1, 0, 1, 2}}, -1},
    {"triangular work", 1, 4000, 8, 1, {{0, 1, 0, 1, 1}}, 0},
    {"triangular work beside a copy", 2, 640, 4, 1, {{0, 1, 1, 1, 0}}, 0},
    {"cycle with product 1", 3, 120, 4, 3, {{0, 2, 1, 3, 0}, {1, 3, 2, 1, 0}, {2, 1, 0, 2, 0}}, -1},
    {"cycle with product 15/4", 3, 120, 4, 3, {{0, 2, 1, 3, 0}, {1, 1, 2, 2, 0}, {2, 5, 0, 4, 0}}, -1},
    {"two strides of one array", 2, 600, 3, 2, {{0, 1, 1, 3, 0}, {0, 1, 1, 5, 0}}, -1},
};

START_TEST(beside_every_choice) {
    for (size_t k = 0; k < sizeof searched / sizeof *searched; k++) {
        const double ratio = chosen_beside_least(&searched[k]);
        printf("%s: %.3f\n", searched[k].name, ratio);
        ck_assert_msg(ratio <= 1.05, "%s: %.3f times the least estimate", searched[k].name, ratio);
    }
}
END_TEST

/* The quotient of an edge, its case and fixed neighbours. */
START_TEST(fixed_blocks) {
    arena *a = arena_new();
    block_node node[3] = {
        {.extent = 1000, .procs = 4, .fixed = 12}, {.extent = 1000, .procs = 4}, {.extent = 1000, .procs = 4}};
    block_edge edge[] = {simple_edge(0, 3, 1, 2, 0), simple_edge(2, 1, 1, 2, 0)};
    const block_graph g = {.node = node, .nodes = 3, .edge = edge, .edges = 2};
    const block_choice c = choose_block_sizes(a, &g, &dpc_default_cost);
    ck_assert_int_eq(c.block[0], 12);
    ck_assert_int_eq(c.block[1], 8);
    ck_assert_int_eq(c.block[2], 4);
    arena_free(a);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    return RUN_SUITE("blocksizes", 300, recorded_programs, random_graphs, tree, distance_that_cycles, explosion,
                     inconsistent_cycle, balance, beside_every_choice, fixed_blocks);
}

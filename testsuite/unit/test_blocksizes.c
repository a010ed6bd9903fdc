/* Block sizes: the recorded programs (the sheet, section 6), and random graphs.  The vectors' file is the argument, or
 * testsuite/vectors/blocksizes.json. */
#include <check.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/blocksizes.h"

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
    const cJSON *edges = cJSON_GetObjectItem(program, "edges");
    block_graph g = {.nodes = cJSON_GetArraySize(cJSON_GetObjectItem(program, "nlevel")),
                     .edges = cJSON_GetArraySize(edges)};
    g.node = arena_alloc(a, (size_t)g.nodes * sizeof *g.node);
    g.edge = arena_alloc(a, (size_t)g.edges * sizeof *g.edge);
    for (int e = 0; e < g.edges; e++) {
        const cJSON *list = cJSON_GetArrayItem(edges, e);
        g.edge[e] = (block_edge){.left = (int)number_at(list, 0), .left_stride = number_at(list, 1),
                                 .right = (int)number_at(list, 2), .right_stride = number_at(list, 3),
                                 .executions = 1, .inner = 1, .count = 1000, .element_size = 8};
    }
    return g;
}

static void check_list(const cJSON *program, const char *name, const int64_t *got) {
    const cJSON *expected = cJSON_GetObjectItem(program, name);
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
    const cJSON *item = cJSON_GetObjectItem(program, name);
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
    if (expected_ones(program, "ones_greedy") >= 0) ck_assert_int_ge(ones(&g, block), expected_ones(program, "ones_greedy"));
    if (!choose_exact_blocks(a, &g, block)) return;
    check_every_quotient(&g, block);
    ck_assert_int_ge(ones(&g, block), expected_ones(program, "ones_exact"));
}

START_TEST(recorded_programs) {
    arena *a = arena_new();
    cJSON *all = read_vectors(a);
    const cJSON *program;
    int count = 0;
    cJSON_ArrayForEach(program, cJSON_GetObjectItem(all, "programs")) {
        check_program(a, program);
        count++;
    }
    ck_assert_int_eq(count, 74);
    cJSON_Delete(all);
    arena_free(a);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    Suite *suite = suite_create("blocksizes");
    TCase *tests = tcase_create("blocksizes");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, recorded_programs);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

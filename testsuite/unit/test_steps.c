/* Schedules: every step is a partial permutation, closed forms and colourings need as few steps as the busiest process
 * has messages, those of the recorded vectors need the recorded number.  The vectors' file is the argument, or
 * testsuite/vectors/redistribution.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/redistribution/steps.h"
#include "suite.h"
#include "random.h"

static const char *vectors = "testsuite/vectors/redistribution.txt";

enum { PLACES = 64, EDGES = PLACES * PLACES };

static int largest_degree(int edges, const dpc_edge *edge) {
    int degree[2][PLACES] = {0}, most = 0;
    for (int e = 0; e < edges; e++) {
        const int x = ++degree[0][edge[e].source], y = ++degree[1][edge[e].target];
        most = x > most ? x : most;
        most = y > most ? y : most;
    }
    return most;
}

/* In a step nobody sends or receives twice; steps are 0 .. steps-1. */
static bool are_matchings(int steps, int edges, const dpc_edge *edge) {
    bool right = true, *busy = calloc((size_t)steps * 2 * PLACES + 1, sizeof *busy);
    for (int e = 0; e < edges && right; e++) {
        right = edge[e].step >= 0 && edge[e].step < steps;
        if (!right) break;
        bool *sends = &busy[(edge[e].step * 2) * PLACES + edge[e].source];
        bool *receives = &busy[(edge[e].step * 2 + 1) * PLACES + edge[e].target];
        right = !*sends && !*receives;
        *sends = *receives = true;
    }
    free(busy);
    return right;
}

/* The messages of one dimension. */
static int list_edges(const dpc_line *from, const dpc_line *to, dpc_edge *edge) {
    int edges = 0;
    for (dpc_index p = 0; p < from->procs; p++) {
        dpc_shares s = dpc_walk_shares(from, p, to);
        for (dpc_index q = 0; q < s.count; q++)
            edge[edges++] = (dpc_edge){(int)p, (int)s.share[q].coordinate, s.share[q].elements, -1};
        dpc_free_shares(&s);
    }
    return edges;
}

static dpc_index sum_of_longest(int steps, int edges, const dpc_edge *edge) {
    dpc_index sum = 0;
    for (int step = 0; step < steps; step++) {
        dpc_index longest = 0;
        for (int e = 0; e < edges; e++)
            if (edge[e].step == step && edge[e].weight > longest) longest = edge[e].weight;
        sum += longest;
    }
    return sum;
}

static dpc_index busiest(int edges, const dpc_edge *edge) {
    dpc_index volume[2][PLACES] = {0}, most = 0;
    for (int e = 0; e < edges; e++) {
        const dpc_index x = volume[0][edge[e].source] += edge[e].weight;
        const dpc_index y = volume[1][edge[e].target] += edge[e].weight;
        most = x > most ? x : most;
        most = y > most ? y : most;
    }
    return most;
}

static void any_lines(dpc_line *from, dpc_line *to, bool whole_periods) {
    *from = (dpc_line){0, 0, between(1, 12), between(1, 12)};
    *to = (dpc_line){0, 0, between(1, 12), between(1, 12)};
    const dpc_index x = from->block * from->procs, y = to->block * to->procs;
    const dpc_index period = dpc_common_multiple(x, y, INT64_MAX);
    from->extent = to->extent = whole_periods ? between(1, 3) * period : between(1, 3 * period);
}

/* The class of section 7.2: as few steps as any, each with messages of one length, and the busiest process never waits.
 */
START_TEST(circulant) {
    static dpc_edge edge[EDGES];
    int served = 0;
    for (int round = 0; round < 3000; round++) {
        dpc_line from, to;
        dpc_circulant c;
        const bool whole = round % 2 == 0;
        any_lines(&from, &to, whole);
        if (dpc_circulant_refuses(&from, &to) != NULL) continue;
        const int edges = list_edges(&from, &to, edge);
        ck_assert(dpc_open_circulant(&c, &from, &to));
        for (int e = 0; e < edges; e++) edge[e].step = (int)dpc_circulant_step(&c, edge[e].source, edge[e].target);
        const int steps = (int)dpc_circulant_steps(&c);
        dpc_close_circulant(&c);
        ck_assert(are_matchings(steps, edges, edge));
        if (!whole) continue;
        ck_assert_int_eq(steps, largest_degree(edges, edge));
        ck_assert_int_eq(sum_of_longest(steps, edges, edge), busiest(edges, edge));
        served++;
    }
    ck_assert_int_gt(served, 100);
}
END_TEST

/* Every step a permutation, every block sent once, and the receiver's formula names the block that comes. */
START_TEST(walker_otto) {
    for (dpc_index P = 1; P <= 16; P++)
        for (dpc_index K = 1; K <= 16; K++) {
            bool sent[256] = {0};
            for (dpc_index k = 0; k < K; k++) {
                bool reached[16] = {0};
                for (dpc_index p = 0; p < P; p++) {
                    const dpc_index block = dpc_walker_send(P, K, k, p), q = block / K;
                    ck_assert(block >= 0 && block < P * K && block % P == p && !sent[block] && !reached[q]);
                    ck_assert_int_eq(dpc_walker_receive(P, K, k, q), block);
                    sent[block] = reached[q] = true;
                }
            }
        }
}
END_TEST

START_TEST(walker_otto_pairs) {
    static dpc_edge edge[EDGES];
    for (int round = 0; round < 500; round++) {
        const dpc_index P = between(1, 16), K = between(1, P), r = between(1, 5), n = between(1, 4 * P * K * r);
        dpc_line from = {n, 0, r, P}, to = {n, 0, K * r, P};
        if (round % 2 == 1) from.block = K * r, to.block = r;
        const int edges = list_edges(&from, &to, edge), steps = (int)dpc_walker_ratio(&from, &to);
        ck_assert_ptr_null(dpc_walker_steps_refuse(&from, &to));
        for (int e = 0; e < edges; e++) edge[e].step = (int)dpc_walker_step(&from, &to, edge[e].source, edge[e].target);
        ck_assert(are_matchings(steps, edges, edge));
    }
}
END_TEST

/* Returns how many times the sum of the steps' longest messages is above the busiest process's volume. */
static double check_colouring(int (*colour)(int, int, int, dpc_edge *), int edges, dpc_edge *edge, int sources,
                              int targets) {
    const int steps = colour(sources, targets, edges, edge);
    ck_assert_int_eq(steps, largest_degree(edges, edge));
    ck_assert(are_matchings(steps, edges, edge));
    return (double)sum_of_longest(steps, edges, edge) / (double)busiest(edges, edge);
}

START_TEST(colourings) {
    static dpc_edge edge[EDGES];
    double koenig = 0, peel = 0;
    const int rounds = 400;
    for (int round = 0; round < rounds; round++) {
        dpc_line from, to;
        any_lines(&from, &to, round % 2 == 0);
        const int edges = list_edges(&from, &to, edge), sources = (int)from.procs, targets = (int)to.procs;
        koenig += check_colouring(dpc_colour_edges, edges, edge, sources, targets) / rounds;
        peel += check_colouring(dpc_peel_edges, edges, edge, sources, targets) / rounds;
    }
    ck_assert_msg(peel < 1.1 && koenig < 1.15 && peel <= koenig, "mean excess: Koenig %g, peeling %g", koenig, peel);
}
END_TEST

/* "case": the last two numbers are the least steps with and without what stays on a process. */
static void finish_case(int edges, const dpc_edge *edge, int with_own, int without_own) {
    static dpc_edge some[EDGES];
    int sources = 0, targets = 0;
    for (int own = 0; own <= 1; own++) {
        int count = 0;
        for (int e = 0; e < edges; e++) {
            if (own == 0 && edge[e].source == edge[e].target) continue;
            some[count++] = edge[e];
            sources = edge[e].source >= sources ? edge[e].source + 1 : sources;
            targets = edge[e].target >= targets ? edge[e].target + 1 : targets;
        }
        const int least = own == 0 ? without_own : with_own;
        ck_assert_int_eq(dpc_colour_edges(sources, targets, count, some), least);
        ck_assert(are_matchings(least, count, some));
        ck_assert_int_eq(dpc_peel_edges(sources, targets, count, some), least);
        ck_assert(are_matchings(least, count, some));
    }
}

START_TEST(recorded_vectors) {
    static char line[1 << 20];
    static dpc_edge edge[EDGES];
    FILE *file = fopen(vectors, "r");
    ck_assert_msg(file != NULL, "cannot open %s", vectors);
    int edges = 0, cases = 0, with_own = 0, without_own = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int i, j;
        long long count;
        if (strncmp(line, "case ", 5) == 0) {
            if (cases++ > 0) finish_case(edges, edge, with_own, without_own);
            char *last = strrchr(line, ' ');
            without_own = atoi(last);
            *last = '\0';
            with_own = atoi(strrchr(line, ' '));
            edges = 0;
        } else if (sscanf(line, "pair %d %d %lld", &i, &j, &count) == 3) {
            ck_assert(i < PLACES && j < PLACES);
            edge[edges++] = (dpc_edge){i, j, count, -1};
        }
    }
    finish_case(edges, edge, with_own, without_own);
    ck_assert_int_eq(cases, 306);
    fclose(file);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    return RUN_SUITE("steps", 120, circulant, walker_otto, walker_otto_pairs, colourings, recorded_vectors);
}

/* The cost model: Table 2 of Lee and Chen, amounts against direct enumeration, steps against recorded counts.  The file
 * of counts is the argument, or testsuite/vectors/opcounts.json. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../runtime/base/cost.h"
#include "suite.h"

static const char *vectors = "testsuite/vectors/opcounts.json";

/* ---- Table 2: mantissa and exponent of diff and comm, and ratio, for blocks 2^exponent */

typedef struct {
    int block;
    double diff;
    int diff_exponent;
    double ratio, comm;
    int comm_exponent;
} table_row;

static const table_row small_problem[] = {
    {0, 1.88, 11, 1.01, 1.01, 19}, {1, 1.88, 12, 1.03, 1.02, 18},  {2, 1.88, 13, 1.06, 1.03, 17},
    {3, 1.88, 14, 1.12, 1.06, 16}, {4, 1.88, 15, 1.27, 1.12, 15},  {5, 1.88, 16, 1.61, 1.23, 14},
    {6, 1.88, 17, 2.76, 1.47, 13}, {7, 1.88, 18, 30.77, 1.94, 12},
};
static const table_row large_problem[] = {
    {0, 1.97, 20, 1.00, 1.00, 35},  {1, 1.97, 21, 1.00, 1.00, 34},    {9, 1.97, 29, 1.06, 1.03, 26},
    {10, 1.97, 30, 1.13, 1.06, 25}, {11, 1.97, 31, 1.28, 1.12, 24},   {12, 1.97, 32, 1.65, 1.25, 23},
    {13, 1.97, 33, 2.94, 1.49, 22}, {14, 1.97, 34, 126.99, 1.98, 21},
};

static void check_rows(const table_row *rows, double m, double procs) {
    for (int k = 0; k < 8; k++) {
        const double b = ldexp(1, rows[k].block);
        ck_assert_double_eq_tol(ldexp(dpc_imbalance(DPC_TRIANGULAR, m, procs, b), -rows[k].diff_exponent), rows[k].diff,
                                0.0051);
        ck_assert_double_eq_tol(dpc_load_ratio(DPC_TRIANGULAR, m, procs, b), rows[k].ratio, 0.0051);
        ck_assert_double_eq_tol(ldexp(dpc_boundary(DPC_TRIANGULAR, m, procs, b), -rows[k].comm_exponent), rows[k].comm,
                                0.0051);
    }
}

START_TEST(table_2) {
    check_rows(small_problem, ldexp(1, 11), 16);
    check_rows(large_problem, ldexp(1, 20), 64);
}
END_TEST

/* Rows of length m - i + 1 (or m) dealt by cyclic(b): work and boundaries counted directly. */
static void check_directly(dpc_space_shape shape, int m, int procs, int b) {
    double work[16] = {0}, sent = 0;
    for (int i = 1; i <= m; i++) {
        const int block = (i - 1) / b, within = (i - 1) % b;
        const double length = shape == DPC_TRIANGULAR ? m - i + 1 : m;
        work[block % procs] += 2 * length;
        if (block % procs != 0) continue;
        if (within == 0) sent += 2 * length;
        if (within == b - 1) sent += 2 * length;
    }
    ck_assert_double_eq_tol(dpc_imbalance(shape, m, procs, b), work[0] - work[procs - 1], 1e-6);
    ck_assert_double_eq_tol(dpc_load_ratio(shape, m, procs, b), work[0] / work[procs - 1], 1e-6);
    ck_assert_double_eq_tol(dpc_boundary(shape, m, procs, b), sent, 1e-6);
}

START_TEST(granularity_counts) {
    for (int procs = 2; procs <= 5; procs++)
        for (int b = 1; b <= 6; b++)
            for (int cycles = 1; cycles <= 4; cycles++) {
                check_directly(DPC_TRIANGULAR, cycles * b * procs, procs, b);
                check_directly(DPC_RECTANGULAR, cycles * b * procs, procs, b);
            }
}
END_TEST

static double model_time(double m, double procs, double b, double computation, double communication) {
    return computation * dpc_imbalance(DPC_TRIANGULAR, m, procs, b) +
           communication * dpc_boundary(DPC_TRIANGULAR, m, procs, b);
}

START_TEST(best_block) {
    ck_assert_double_eq_tol(dpc_best_block(DPC_TRIANGULAR, 2048, 16, 1, 1), 11.7, 0.05);
    ck_assert_double_eq_tol(dpc_best_block(DPC_TRIANGULAR, 1048576, 64, 1, 1), 129, 0.05);
    ck_assert_double_eq(dpc_best_block(DPC_RECTANGULAR, 1000, 4, 1, 1), 250);
    for (double ratio = 0.25; ratio <= 16; ratio *= 2) {
        const double b = dpc_best_block(DPC_TRIANGULAR, 2048, 16, 1, ratio);
        ck_assert(model_time(2048, 16, b, 1, ratio) <= model_time(2048, 16, b * 1.05, 1, ratio));
        ck_assert(model_time(2048, 16, b, 1, ratio) <= model_time(2048, 16, b / 1.05, 1, ratio));
    }
}
END_TEST

/* ---- Amounts */

enum { MOST_PROCS = 6 };
static unsigned long state = 1;

static dpc_index between(dpc_index low, dpc_index high) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return low + (dpc_index)(state >> 33) % (high - low + 1);
}

static dpc_index owner(dpc_index x, dpc_index block, dpc_index procs) {
    return dpc_modulo(dpc_floor(x, block), procs);
}

typedef struct {
    double elements, messages;
} amounts;

static amounts enumerate(const dpc_motion *m) {
    dpc_index count[MOST_PROCS][MOST_PROCS] = {{0}};
    for (dpc_index i = 0; i < m->count; i++)
        count[owner(m->right_offset + i * m->right_stride, m->right_block, m->procs)]
             [owner(m->left_offset + i * m->left_stride, m->left_block, m->procs)]++;
    amounts most = {0};
    for (dpc_index p = 0; p < m->procs; p++) {
        double sent = 0, received = 0, to = 0, from = 0;
        for (dpc_index q = 0; q < m->procs; q++) {
            if (p == q) continue;
            sent += (double)count[p][q];
            received += (double)count[q][p];
            to += count[p][q] > 0;
            from += count[q][p] > 0;
        }
        most.elements = fmax(most.elements, fmax(sent, received));
        most.messages = fmax(most.messages, fmax(to, from));
    }
    return most;
}

static dpc_motion random_motion(bool closed) {
    dpc_motion m = {.procs = between(1, MOST_PROCS), .offsets_known = true, .element_size = 8};
    m.left_stride = between(1, 4) * (between(0, 3) ? 1 : -1);
    m.right_stride = between(1, 4) * (between(0, 3) ? 1 : -1);
    const dpc_index h = between(1, 4), ratio = between(1, 7);
    const bool left_is_big = between(0, 1);
    m.left_block = closed ? llabs(m.left_stride) * h * (left_is_big ? ratio : 1) : between(1, 12);
    m.right_block = closed ? llabs(m.right_stride) * h * (left_is_big ? 1 : ratio) : between(1, 12);
    m.count = between(1, 600);
    m.left_offset = between(0, 50) + (m.left_stride < 0 ? -m.left_stride * m.count : 0);
    m.right_offset = between(0, 50) + (m.right_stride < 0 ? -m.right_stride * m.count : 0);
    return m;
}

START_TEST(closed_amounts) {
    for (int n = 0; n < 20000; n++) {
        const dpc_motion m = random_motion(true);
        const amounts expected = enumerate(&m);
        const dpc_estimate e = dpc_estimate_motion(&dpc_default_cost, &m, DPC_SETS_CLOSED, DPC_MODEL_CONVENTIONAL);
        dpc_index ratio;
        ck_assert_int_gt(dpc_closed_case(&m, &ratio), 1);
        ck_assert_double_eq(e.elements, expected.elements);
        ck_assert_double_ge(e.messages, expected.messages);
        if (m.count >= m.procs * llabs(m.left_block) * llabs(m.right_block))
            ck_assert_double_le(e.messages, expected.messages + (m.left_stride * m.right_stride < 0));
        ck_assert_double_eq(e.bytes, 8 * e.elements);
    }
}
END_TEST

/* Where there is no closed form the amounts are guesses, but of the right size. */
START_TEST(general_amounts) {
    double guessed = 0, counted = 0;
    for (int n = 0; n < 5000; n++) {
        const dpc_motion m = random_motion(false);
        const dpc_estimate e = dpc_estimate_motion(&dpc_default_cost, &m, DPC_SETS_ROWWISE, DPC_MODEL_DEPOSIT);
        const amounts expected = enumerate(&m);
        guessed += e.elements;
        counted += expected.elements;
        ck_assert_double_eq(e.bytes, 16 * e.elements);
        ck_assert_double_le(e.messages, (double)m.procs - 1);
        ck_assert(e.seconds >= 0 && e.seconds < 1);
    }
    ck_assert_double_eq_tol(guessed / counted, 1, 0.1);
}
END_TEST

/* ---- Steps */

static cJSON *read_vectors(void) {
    static char content[1 << 16];
    FILE *file = fopen(vectors, "r");
    ck_assert_msg(file != NULL, "cannot open %s", vectors);
    content[fread(content, 1, sizeof content - 1, file)] = 0;
    fclose(file);
    cJSON *all = cJSON_Parse(content);
    ck_assert_msg(all != NULL, "%s is no JSON", vectors);
    return all;
}

static dpc_index member(const cJSON *item, const char *name) {
    return (dpc_index)cJSON_GetObjectItemCaseSensitive(item, name)->valuedouble;
}

static double real_member(const cJSON *item, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(item, name)->valuedouble;
}

/* Steps per pair of processes, against averages over all pairs. */
START_TEST(recorded_steps) {
    cJSON *all = read_vectors();
    const cJSON *row;
    cJSON_ArrayForEach(row, all) {
        const dpc_motion m = {.procs = member(row, "N"),
                              .left_block = member(row, "b1"),
                              .right_block = member(row, "b2"),
                              .left_stride = member(row, "s1"),
                              .right_stride = member(row, "s2"),
                              .count = member(row, "n"),
                              .element_size = 8};
        const double pairs = 2 * (double)(m.procs - 1);
        const dpc_estimate rows = dpc_estimate_motion(&dpc_default_cost, &m, DPC_SETS_ROWWISE, DPC_MODEL_CONVENTIONAL);
        const dpc_estimate lattice =
            dpc_estimate_motion(&dpc_default_cost, &m, DPC_SETS_LATTICE, DPC_MODEL_CONVENTIONAL);
        const double expected = real_member(row, "lat_groups") + real_member(row, "lat_points");
        ck_assert_double_eq_tol(rows.steps / pairs, real_member(row, "row_blocks"), 1.1);
        /* the estimate counts groups that turn out to be empty too, and stops where the loop ends */
        ck_assert_double_le(lattice.steps / pairs, 2 * expected + 8);
        if (m.left_block <= 64) ck_assert_double_ge(lattice.steps / pairs, 0.8 * expected);
    }
    cJSON_Delete(all);
}
END_TEST

/* Every period of 13 iterations begins one place further in the partner's cycle of 12: the runs that reach a block of
 * its, counted, are the lattice's points. */
START_TEST(one_place_further) {
    const dpc_motion m = {.procs = 4,
                          .left_block = 13,
                          .left_stride = 4,
                          .right_block = 3,
                          .right_stride = 1,
                          .count = 100000,
                          .element_size = 8};
    const dpc_index cycle = m.procs * m.right_block, run = (m.left_block + m.left_stride - 1) / m.left_stride;
    int points = 0;
    for (dpc_index k = 0; k < cycle; k++) {
        bool reaches = false;
        for (dpc_index i = 0; i < run; i++) reaches = reaches || (k * m.left_block + i) % cycle < m.right_block;
        points += reaches;
    }
    const dpc_estimate e = dpc_estimate_motion(&dpc_default_cost, &m, DPC_SETS_LATTICE, DPC_MODEL_CONVENTIONAL);
    ck_assert_double_eq(e.steps / (2 * (double)(m.procs - 1)), 1 + points);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    return RUN_SUITE("cost", 300, table_2, granularity_counts, best_block, closed_amounts, general_amounts,
                     recorded_steps, one_place_further);
}

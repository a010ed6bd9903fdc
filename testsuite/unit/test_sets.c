/* Communication sets against direct enumeration: exhaustively for small parameters, and the recorded vectors.
 * The vectors' file is the argument, or testsuite/vectors/communication.txt. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/sets.h"

static const char *vectors = "testsuite/vectors/communication.txt";

/* One statement: receiver array A (q executes) and sender array C. */
typedef struct {
    dpc_dim a, c;
    dpc_access a_access, c_access;
} problem;

/* A walk through I(p, q) as a message is packed. */
typedef struct {
    const dpc_sets *sets;
    dpc_index q, section, within, repetition;
} walk;

static walk start_walk(const dpc_sets *sets, dpc_index q) {
    return (walk){sets, q, sets->start[q], 0, 0};
}

/* The next iteration and its address; -1 at the end. */
static dpc_index next_iteration(walk *w, dpc_index *address) {
    const dpc_sets *s = w->sets;
    if (s->start[w->q] == s->start[w->q + 1]) return -1;
    if (w->section == s->start[w->q + 1]) {
        w->section = s->start[w->q];
        w->repetition++;
    }
    const dpc_section *section = &s->section[w->section];
    const dpc_index iteration = section->first + w->within + w->repetition * s->period;
    if (iteration >= s->end[w->q]) return -1;
    *address = section->local + w->within * s->stride + w->repetition * s->period_step;
    if (++w->within == section->length) {
        w->within = 0;
        w->section++;
    }
    return iteration;
}

static bool inside(const dpc_dim *d, dpc_index x) {
    return x >= d->lower && x < d->lower + d->extent;
}
static dpc_index element(const dpc_access *a, dpc_index k) {
    return a->first + k * a->stride;
}

/* Sets in a few words, for messages. */
static const char *describe(const dpc_dim *mine, const dpc_access *my_access, dpc_index p) {
    static char text[300];
    snprintf(text, sizeof text, "p=%ld of %ld, block %ld, bounds %ld+%ld, access %ld+%ld*k, k < %ld", (long)p,
             (long)mine->procs, (long)mine->block, (long)mine->lower, (long)mine->extent, (long)my_access->first,
             (long)my_access->stride, (long)my_access->count);
    return text;
}

/* The sets of p of `mine` hold exactly the iterations of every pair, ascending, with the right addresses. */
static void check_sets(const dpc_dim *mine, const dpc_access *my_access, dpc_index p, const dpc_dim *theirs,
                       const dpc_access *their_access, dpc_addressing addressing) {
    dpc_sets sets;
    bool right = dpc_sets_rowwise(&sets, mine, my_access, p, theirs, their_access, addressing);
    right = right && sets.partners == (theirs == NULL ? 1 : theirs->procs);
    for (dpc_index q = 0; right && q < sets.partners; q++) {
        dpc_index size = 0, position = 0, address;
        walk w = start_walk(&sets, q);
        for (dpc_index k = 0; k < my_access->count; k++) {
            const dpc_index x = element(my_access, k), y = theirs == NULL ? 0 : element(their_access, k);
            if (!inside(mine, x) || dpc_owner(mine, x) != p) continue;
            const dpc_index here = position++;
            if (theirs != NULL && (!inside(theirs, y) || dpc_owner(theirs, y) != q)) continue;
            right = next_iteration(&w, &address) == k && right;
            right = right && address == (addressing == DPC_POSITION ? here : dpc_local(mine, x));
            size++;
        }
        right = right && next_iteration(&w, &address) == -1 && dpc_sets_size(&sets, q) == size;
    }
    ck_assert_msg(right, "%s", describe(mine, my_access, p));
    dpc_sets_free(&sets);
}

static void check_problem(const problem *t) {
    for (dpc_index p = 0; p < t->c.procs; p++) check_sets(&t->c, &t->c_access, p, &t->a, &t->a_access, DPC_LOCAL_INDEX);
    for (dpc_index q = 0; q < t->a.procs; q++) {
        check_sets(&t->a, &t->a_access, q, &t->c, &t->c_access, DPC_POSITION);
        check_sets(&t->a, &t->a_access, q, NULL, NULL, DPC_POSITION);
    }
}

/* A dimension that holds the access exactly, or with `cut` elements missing at both ends. */
static dpc_dim dim_for(dpc_index procs, dpc_index block, const dpc_access *a, dpc_index offset, dpc_index cut) {
    const dpc_index end = element(a, a->count > 0 ? a->count - 1 : 0);
    const dpc_index low = (a->stride < 0 ? end : a->first) - offset + cut;
    const dpc_index high = (a->stride < 0 ? a->first : end) - cut;
    const dpc_index extent = high >= low ? high - low + 1 : 0;
    if (procs == 1) block = extent > 0 ? extent : 1;
    return (dpc_dim){low, extent, block, procs, 0};
}

/* Short, middle and long counts that change with the strides. */
static void check_strides(dpc_index procs_a, dpc_index block_a, dpc_index procs_c, dpc_index block_c) {
    for (dpc_index sa = -4; sa <= 4; sa++)
        for (dpc_index sc = -4; sc <= 4; sc++)
            for (dpc_index n = 0; n < 2; n++) {
                const dpc_index count = n == 0 ? (sa + 3 * sc + 15) % 11 : 11 + (3 * sa + sc + block_a + 15) % 11;
                const dpc_index offset = (sa + sc + 8) % 3;
                problem t = {.a_access = {3, sa, count}, .c_access = {-5, sc, count}};
                t.a = dim_for(procs_a, block_a, &t.a_access, offset, 0);
                t.c = dim_for(procs_c, block_c, &t.c_access, 4 - offset, n == 1 && sa % 2 == 0 ? 2 : 0);
                check_problem(&t);
            }
}

START_TEST(small_parameters) {
    for (dpc_index procs_a = 1; procs_a <= 5; procs_a++)
        for (dpc_index procs_c = 1; procs_c <= 5; procs_c++)
            for (dpc_index block_a = 1; block_a <= 6; block_a++)
                for (dpc_index block_c = 1; block_c <= 6; block_c++) check_strides(procs_a, block_a, procs_c, block_c);
}
END_TEST

START_TEST(random_parameters) {
    srand(7);
    for (int round = 0; round < 4000; round++) {
        const dpc_index count = rand() % 400;
        problem t = {.a_access = {rand() % 50, rand() % 21 - 10, count},
                     .c_access = {rand() % 50, rand() % 21 - 10, count}};
        t.a = dim_for(1 + rand() % 9, 1 + rand() % 20, &t.a_access, rand() % 9, rand() % 4 == 0 ? rand() % 9 : 0);
        t.c = dim_for(1 + rand() % 9, 1 + rand() % 20, &t.c_access, rand() % 9, rand() % 4 == 0 ? rand() % 9 : 0);
        check_problem(&t);
    }
}
END_TEST

/* A cyclic dimension takes one section, however long it is. */
START_TEST(constant_size) {
    const dpc_dim cyclic = {0, 1000000000000, 1, 8, 0}, whole = {0, 1000000000000, 1000000000000, 1, -1};
    const dpc_access all = {0, 1, 1000000000000};
    dpc_sets sets;
    ck_assert(dpc_sets_rowwise(&sets, &cyclic, &all, 3, NULL, NULL, DPC_POSITION));
    ck_assert_int_eq(sets.start[1], 1);
    ck_assert_int_eq(dpc_sets_size(&sets, 0), 125000000000);
    dpc_sets_free(&sets);
    ck_assert(dpc_sets_rowwise(&sets, &whole, &all, 0, &cyclic, &all, DPC_LOCAL_INDEX));
    ck_assert_int_eq(sets.start[8], 8);
    dpc_sets_free(&sets);
}
END_TEST

static uint64_t hash(uint64_t h, dpc_index value) {
    for (int byte = 0; byte < 8; byte++) h = (h ^ ((uint64_t)value >> (8 * byte) & 255)) * 1099511628211u;
    return h;
}

/* The hash of the elements that the iterations touch, in ascending order (each once when the stride is 0). */
static uint64_t hash_elements(const dpc_access *a, const dpc_index *iteration, dpc_index n) {
    uint64_t h = 14695981039346656037u;
    if (a->stride == 0 && n > 1) n = 1;
    for (dpc_index k = 0; k < n; k++) h = hash(h, element(a, iteration[a->stride < 0 ? n - 1 - k : k]));
    return h;
}

/* One PAIR line: sender p, receiver q. */
static void check_pair(const problem *t, const char *line) {
    long long p, q, count;
    unsigned long long hash_i, hash_c, hash_a;
    static dpc_index iteration[100000];
    const dpc_access numbers = {0, 1, 0};
    dpc_sets sets;
    dpc_index address, n = 0;
    ck_assert_int_eq(sscanf(line, "PAIR %lld %lld %lld %llx %llx %llx", &p, &q, &count, &hash_i, &hash_c, &hash_a), 6);
    ck_assert(dpc_sets_rowwise(&sets, &t->c, &t->c_access, p, &t->a, &t->a_access, DPC_LOCAL_INDEX));
    walk w = start_walk(&sets, q);
    for (dpc_index i; n < 100000 && (i = next_iteration(&w, &address)) >= 0; n++) {
        ck_assert(dpc_global(&t->c, address, p) == element(&t->c_access, i));
        iteration[n] = i;
    }
    ck_assert_int_eq(n, count);
    ck_assert_msg(hash_elements(&numbers, iteration, n) == hash_i, "iterations of %s", line);
    ck_assert_msg(hash_elements(&t->c_access, iteration, n) == hash_c, "sent elements of %s", line);
    ck_assert_msg(hash_elements(&t->a_access, iteration, n) == hash_a, "assigned elements of %s", line);
    dpc_sets_free(&sets);
}

static problem read_case(const char *line) {
    long long id, ca, cb, procs, a1, a2, b1, c1, c2, b2, l1, s1, l2, s2, n, pairs;
    char tag[64], kind[64];
    ck_assert_int_eq(
        sscanf(line, "CASE %lld %63s %63s %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld",
               &id, tag, kind, &ca, &cb, &procs, &a1, &a2, &b1, &c1, &c2, &b2, &l1, &s1, &l2, &s2, &n, &pairs),
        18);
    problem t = {{a1, a2 - a1 + 1, b1, procs, 0}, {c1, c2 - c1 + 1, b2, procs, 0}, {l1, s1, n}, {l2, s2, n}};
    if (procs == 1) {
        t.a.block = t.a.extent;
        t.c.block = t.c.extent;
    }
    return t;
}

START_TEST(recorded_vectors) {
    char line[4096];
    problem t = {0};
    int cases = 0;
    FILE *file = fopen(vectors, "r");
    ck_assert_msg(file != NULL, "cannot open %s", vectors);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "CASE", 4) == 0) {
            t = read_case(line);
            cases++;
        }
        if (strncmp(line, "PAIR", 4) == 0) check_pair(&t, line);
    }
    fclose(file);
    ck_assert_int_gt(cases, 100);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    Suite *suite = suite_create("sets");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, small_parameters);
    tcase_add_test(tests, random_parameters);
    tcase_add_test(tests, constant_size);
    tcase_add_test(tests, recorded_vectors);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

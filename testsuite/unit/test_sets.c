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

static const dpc_method methods[] = {DPC_SETS_AUTO, DPC_SETS_CLOSED, DPC_SETS_ROWWISE, DPC_SETS_LATTICE,
                                     DPC_SETS_ENUMERATE};
static const char *const method_names[] = {"auto", "closed", "row-wise", "lattice", "enumerate"};
enum { METHODS = 5 };

/* `make check-exhaustive`. */
static bool exhaustive(void) {
    const char *wish = getenv("EXHAUSTIVE");
    return wish != NULL && *wish != '\0';
}

/* A walk through I(p, q) as a message is packed. */
typedef struct {
    const dpc_sets *sets;
    const dpc_shared *shared;
    dpc_index section, run, within, repetition;
} walk;

static walk start_walk(const dpc_sets *sets, const dpc_shared *shared) {
    return (walk){sets, shared, shared->head, 0, 0, 0};
}

static void next_section(walk *w) {
    w->run = 0;
    w->within = 0;
    if (++w->section < w->shared->tail) return;
    w->section = w->shared->body;
    w->repetition++;
}

/* The next iteration and its address; -1 at the end. */
static dpc_index next_iteration(walk *w, dpc_index *address) {
    for (; w->section < w->shared->tail; next_section(w)) {
        const dpc_section *s = &w->sets->section[w->section];
        if (w->within == s->length) {
            w->within = 0;
            w->run++;
        }
        const dpc_index base = w->repetition * w->sets->period, moved = w->run * s->step;
        const dpc_index iteration = s->first + moved + w->within;
        if (s->first + base >= w->shared->end) return -1;
        if (moved > s->span || iteration > s->last || iteration + base >= w->shared->end) continue;
        *address = s->local + w->run * s->jump + w->within * w->sets->stride + w->repetition * w->sets->period_step;
        w->within++;
        return iteration + base;
    }
    return -1;
}

static bool inside(const dpc_dim *d, dpc_index x) {
    return x >= d->lower && x < d->lower + d->extent;
}
static dpc_index element(const dpc_access *a, dpc_index k) {
    return a->first + k * a->stride;
}

static dpc_side side_of(const dpc_dim *dim, const dpc_access *access, dpc_addressing addressing) {
    return (dpc_side){*dim, *access, addressing};
}

/* Who owns what, by division, for every iteration; -1: outside. */
enum { MOST = 500, MOST_PROCS = 16 };
typedef struct {
    dpc_index my_owner[MOST], their_owner[MOST], local[MOST], position[MOST];
    dpc_index shared[MOST_PROCS][MOST_PROCS]; /* iterations of each pair */
} truth;

static void enumerate_owners(truth *t, const dpc_side *mine, const dpc_side *theirs) {
    dpc_index executed[MOST_PROCS] = {0};
    memset(t->shared, 0, sizeof t->shared);
    for (dpc_index k = 0; k < mine->access.count; k++) {
        const dpc_index x = element(&mine->access, k), y = theirs == NULL ? 0 : element(&theirs->access, k);
        t->my_owner[k] = inside(&mine->dim, x) ? dpc_owner(&mine->dim, x) : -1;
        t->their_owner[k] = theirs == NULL ? 0 : inside(&theirs->dim, y) ? dpc_owner(&theirs->dim, y) : -1;
        if (t->my_owner[k] < 0) continue;
        t->local[k] = dpc_local(&mine->dim, x);
        t->position[k] = executed[t->my_owner[k]]++;
        if (t->their_owner[k] >= 0) t->shared[t->my_owner[k]][t->their_owner[k]]++;
    }
}

/* The set holds exactly the iterations of the pair, ascending, with the right addresses. */
static bool is_right(const truth *t, const dpc_side *mine, dpc_index p, const dpc_sets *sets, const dpc_shared *set) {
    dpc_index address = 0, last = -1, found = 0;
    walk w = start_walk(sets, set);
    for (dpc_index k; (k = next_iteration(&w, &address)) >= 0; last = k, found++) {
        if (k <= last || k >= mine->access.count) return false;
        if (t->my_owner[k] != p || t->their_owner[k] != set->coordinate) return false;
        if (address != (mine->addressing == DPC_POSITION ? t->position[k] : t->local[k])) return false;
    }
    return found == set->elements && found == t->shared[p][set->coordinate];
}

/* The partners are those with a set, ascending; each set is right. */
static bool all_right(const truth *t, const dpc_side *mine, dpc_index p, const dpc_sets *sets, dpc_index procs,
                      dpc_index only) {
    dpc_index number = 0;
    for (dpc_index q = 0; q < procs; q++) {
        const dpc_shared *set = dpc_sets_partner(sets, q);
        if (t->shared[p][q] == 0 || (only >= 0 && q != only)) {
            if (set != NULL) return false;
            continue;
        }
        if (set == NULL || set != &sets->partner[number++]) return false;
        if (!is_right(t, mine, p, sets, set)) return false;
    }
    return number == sets->partners;
}

/* Sets in a few words, for messages. */
static void append_side(char *text, const dpc_side *s) {
    sprintf(text + strlen(text), "; %ld processes, block %ld, bounds %ld+%ld, access %ld+%ld*k, k < %ld",
            (long)s->dim.procs, (long)s->dim.block, (long)s->dim.lower, (long)s->dim.extent, (long)s->access.first,
            (long)s->access.stride, (long)s->access.count);
}

static const char *describe(dpc_method method, const dpc_side *mine, dpc_index p, const dpc_side *theirs,
                            dpc_index only) {
    static char text[600];
    sprintf(text, "%s, %s, p=%ld, only %ld", method_names[method],
            mine->addressing == DPC_POSITION ? "positions" : "local", (long)p, (long)only);
    append_side(text, mine);
    if (theirs != NULL) append_side(text, theirs);
    return text;
}

/* The method's name in the answer is one that may stand there. */
static bool right_method(dpc_method asked, const dpc_side *mine, const dpc_side *theirs, dpc_method got) {
    if (asked == DPC_SETS_ROWWISE || asked == DPC_SETS_ENUMERATE) return got == asked;
    if (theirs == NULL) return got != DPC_SETS_AUTO;
    if (asked == DPC_SETS_AUTO) return got == dpc_sets_choose(mine, theirs) && got == dpc_sets_choose(theirs, mine);
    if (asked == DPC_SETS_CLOSED && dpc_sets_are_closed(mine, theirs)) return got == asked;
    return got == asked || got == DPC_SETS_ROWWISE;
}

static void check_sets(const truth *t, dpc_method method, const dpc_side *mine, dpc_index p, const dpc_side *theirs,
                       dpc_index only) {
    dpc_sets sets;
    bool right = dpc_sets_make(&sets, method, mine, p, theirs, only);
    right = right && right_method(method, mine, theirs, sets.method);
    right = right && all_right(t, mine, p, &sets, theirs == NULL ? 1 : theirs->dim.procs, only);
    ck_assert_msg(right, "%s", describe(method, mine, p, theirs, only));
    dpc_sets_free(&sets);
}

/* Every process of one side, with all partners and with each. */
static void check_side(const dpc_side *mine, const dpc_side *theirs) {
    static truth t;
    enumerate_owners(&t, mine, theirs);
    const dpc_index procs = theirs == NULL ? 1 : theirs->dim.procs;
    for (dpc_index p = 0; p < mine->dim.procs; p++)
        for (int method = 0; method < METHODS; method++)
            for (dpc_index only = -1; only < (method == DPC_SETS_AUTO ? 0 : procs); only++)
                check_sets(&t, methods[method], mine, p, theirs, only);
}

static void check_problem(const problem *t) {
    const dpc_side sender = side_of(&t->c, &t->c_access, DPC_LOCAL_INDEX);
    const dpc_side receiver = side_of(&t->a, &t->a_access, DPC_POSITION);
    check_side(&sender, &receiver);
    check_side(&receiver, &sender);
    check_side(&receiver, NULL);
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
    static unsigned sample;
    for (dpc_index sa = -5; sa <= 5; sa++)
        for (dpc_index sc = -5; sc <= 5; sc++)
            for (dpc_index n = 0; n < 3; n++) {
                if (!exhaustive() && sample++ % 37 != 0) continue;
                const dpc_index some = (3 * sa + 7 * sc + 5 * block_a + 11 * block_c + 120) % 11;
                const dpc_index count = n == 0 ? some : n == 1 ? 11 + some : 40 + 9 * some;
                const dpc_index offset = (sa + sc + 10) % 3;
                problem t = {.a_access = {3, sa, count}, .c_access = {-5, sc, count}};
                t.a = dim_for(procs_a, block_a, &t.a_access, offset, n == 2 && sc % 3 == 0 ? 1 : 0);
                t.c = dim_for(procs_c, block_c, &t.c_access, 4 - offset, n == 1 && sa % 2 == 0 ? 2 : 0);
                check_problem(&t);
            }
}

START_TEST(small_parameters) {
    for (dpc_index procs_a = 1; procs_a <= 6; procs_a++)
        for (dpc_index procs_c = 1; procs_c <= 6; procs_c++)
            for (dpc_index block_a = 1; block_a <= 8; block_a++)
                for (dpc_index block_c = 1; block_c <= 8; block_c++) check_strides(procs_a, block_a, procs_c, block_c);
}
END_TEST

START_TEST(random_parameters) {
    srand(7);
    for (int round = 0; round < (exhaustive() ? 40000 : 1500); round++) {
        const dpc_index count = rand() % 400, most = rand() % 3 == 0 ? 60 : 20;
        problem t = {.a_access = {rand() % 50, rand() % 31 - 15, count},
                     .c_access = {rand() % 50, rand() % 31 - 15, count}};
        t.a = dim_for(1 + rand() % 16, 1 + rand() % most, &t.a_access, rand() % 9, rand() % 4 == 0 ? rand() % 9 : 0);
        t.c = dim_for(1 + rand() % 16, 1 + rand() % most, &t.c_access, rand() % 9, rand() % 4 == 0 ? rand() % 9 : 0);
        check_problem(&t);
    }
}
END_TEST

/* A cyclic dimension takes one section, however long it is. */
START_TEST(constant_size) {
    const dpc_index extent = 1000000000000;
    const dpc_side cyclic = {{0, extent, 1, 8, 0}, {0, 1, extent}, DPC_POSITION};
    const dpc_side whole = {{0, extent, extent, 1, -1}, {0, 1, extent}, DPC_LOCAL_INDEX};
    dpc_sets sets;
    ck_assert(dpc_sets_make(&sets, DPC_SETS_AUTO, &cyclic, 3, NULL, -1));
    ck_assert_int_eq(sets.partners, 1);
    ck_assert_int_eq(sets.partner[0].tail, 1);
    ck_assert_int_eq(sets.partner[0].elements, 125000000000);
    dpc_sets_free(&sets);
    ck_assert(dpc_sets_make(&sets, DPC_SETS_AUTO, &whole, 0, &cyclic, -1));
    ck_assert_int_eq(sets.partners, 8);
    ck_assert_int_eq(sets.partner[7].tail, 8);
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

/* One PAIR line: sender p, receiver q, by one method. */
static void check_pair(const problem *t, const char *line, dpc_method method) {
    long long p, q, count;
    unsigned long long hash_i, hash_c, hash_a;
    static dpc_index iteration[100000];
    const dpc_access numbers = {0, 1, 0};
    const dpc_side sender = side_of(&t->c, &t->c_access, DPC_LOCAL_INDEX);
    const dpc_side receiver = side_of(&t->a, &t->a_access, DPC_LOCAL_INDEX);
    dpc_sets sets;
    dpc_index address, n = 0;
    ck_assert_int_eq(sscanf(line, "PAIR %lld %lld %lld %llx %llx %llx", &p, &q, &count, &hash_i, &hash_c, &hash_a), 6);
    ck_assert(dpc_sets_make(&sets, method, &sender, p, &receiver, q));
    ck_assert_int_eq(sets.partners, 1);
    walk w = start_walk(&sets, sets.partner);
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
        for (int method = 0; strncmp(line, "PAIR", 4) == 0 && method < METHODS; method++)
            check_pair(&t, line, methods[method]);
    }
    fclose(file);
    ck_assert_int_gt(cases, 100);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    Suite *suite = suite_create("sets");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, exhaustive() ? 3600 : 300);
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

/* Index lists of the redistribution engine against direct enumeration: exhaustively in one dimension, sections and
 * large lines at random, and the recorded vectors with every method.  The vectors' file is the argument, or
 * testsuite/vectors/redistribution.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/redistribution/index.h"
#include "suite.h"
#include "random.h"

static const char *vectors = "testsuite/vectors/redistribution.txt";

static const char *never_refuses(const dpc_line *from, const dpc_line *to) {
    (void)from, (void)to;
    return NULL;
}

static const struct {
    const char *name;
    dpc_index_method *shares;
    dpc_index_refusal *refuses;
} methods[] = {
    {"walk", dpc_walk_shares, never_refuses},
    {"families", dpc_families_shares, dpc_whole_refuses},
    {"scan", dpc_scan_shares, dpc_scan_refuses},
    {"pitfalls", dpc_pitfalls_shares, dpc_whole_refuses},
    {"bbc", dpc_bbc_shares, dpc_whole_refuses},
    {"cdc", dpc_cdc_shares, dpc_whole_refuses},
    {"ky-to-y", dpc_thakur_shares, dpc_ky_to_y_refuses},
    {"x-to-kx", dpc_thakur_shares, dpc_x_to_kx_refuses},
};

enum { METHODS = sizeof methods / sizeof *methods, MOST = 4096, PROCS = 64 };

/* `make check-exhaustive`. */
static bool exhaustive(void) {
    const char *wish = getenv("EXHAUSTIVE");
    return wish != NULL && *wish != '\0';
}

/* ---- Enumeration */

/* Per element of the section: coordinate and local index in one line. */
typedef struct {
    dpc_index owner[MOST], local[MOST];
} places;

static void enumerate(const dpc_line *l, places *out) {
    dpc_index held[PROCS] = {0}, owner = 0, filled = 0;
    for (dpc_index x = 0; x < l->first + l->extent; x++) {
        if (x >= l->first) {
            out->owner[x - l->first] = owner;
            out->local[x - l->first] = held[owner];
        }
        held[owner]++;
        if (++filled < l->block) continue;
        filled = 0;
        owner = (owner + 1) % l->procs;
    }
}

/* ---- Comparing */

/* The local indices that a share stands for. */
static void expand(const dpc_share *share, dpc_index *out) {
    dpc_index count = 0;
    for (dpc_index base = 0; count < share->elements; base += share->step)
        for (dpc_index k = 0; k < share->stretches; k++)
            for (dpc_index x = 0; x < share->stretch[k].length && count < share->elements; x++)
                out[count++] = base + share->stretch[k].offset + x;
}

/* The elements of a section that p owns and q owns on the other side, by definition: their local indices. */
static dpc_index shared(const places *mine, const places *theirs, dpc_index extent, dpc_index p, dpc_index q,
                        dpc_index *out) {
    dpc_index count = 0;
    for (dpc_index x = 0; x < extent; x++)
        if (mine->owner[x] == p && theirs->owner[x] == q) out[count++] = mine->local[x];
    return count;
}

static bool same_list(const dpc_share *share, const dpc_index *expected, dpc_index count) {
    dpc_index found[MOST];
    if (share->elements != count) return false;
    expand(share, found);
    return memcmp(found, expected, (size_t)count * sizeof *found) == 0;
}

/* The shares of p are those of the definition: every coordinate that shares something once, in ascending order. */
static bool right_shares(const dpc_shares *s, const places *mine, const places *theirs, const dpc_line *their_line,
                         dpc_index p) {
    dpc_index expected[MOST], next = 0;
    for (dpc_index q = 0; q < their_line->procs; q++) {
        const dpc_index count = shared(mine, theirs, their_line->extent, p, q, expected);
        if (count == 0) continue;
        if (next == s->count || s->share[next].coordinate != q) return false;
        if (!same_list(&s->share[next++], expected, count)) return false;
    }
    return next == s->count && !s->failed;
}

static void check_lines(const dpc_line *mine, const dpc_line *theirs) {
    static places my_places, their_places;
    enumerate(mine, &my_places);
    enumerate(theirs, &their_places);
    for (int m = 0; m < METHODS; m++) {
        if (methods[m].refuses(mine, theirs) != NULL) continue;
        for (dpc_index p = 0; p < mine->procs; p++) {
            dpc_shares s = methods[m].shares(mine, p, theirs);
            ck_assert_msg(right_shares(&s, &my_places, &their_places, theirs, p),
                          "%s: %lld+%lld cyclic(%lld)/%lld, coordinate %lld, against +%lld cyclic(%lld)/%lld",
                          methods[m].name, (long long)mine->first, (long long)mine->extent, (long long)mine->block,
                          (long long)mine->procs, (long long)p, (long long)theirs->first, (long long)theirs->block,
                          (long long)theirs->procs);
            dpc_free_shares(&s);
        }
    }
}

/* Extents to 64, 1 to 8 processes on each side, blocks to 9. */
START_TEST(small_lines) {
    for (dpc_index n = 0; n <= 64; n++)
        for (dpc_index P = 1; P <= 8; P++)
            for (dpc_index Q = 1; Q <= 8; Q++)
                for (dpc_index s = 1; s <= 9; s++)
                    for (dpc_index t = 1; t <= 9; t++) {
                        const dpc_line from = {n, 0, s, P}, to = {n, 0, t, Q};
                        if (exhaustive() || between(1, 40) == 1) check_lines(&from, &to);
                    }
}
END_TEST

static dpc_index any_block(dpc_index end, dpc_index procs) {
    return between(1, 3) == 1 ? end / procs + 1 : between(1, 1 << between(1, 9));
}

START_TEST(sections) {
    for (int round = 0; round < (exhaustive() ? 200000 : 10000); round++) {
        const dpc_index n = between(0, 1 << between(1, 9));
        dpc_line from = {n, between(0, 3) == 0 ? 0 : between(0, 300), 0, between(1, 12)}, to = from;
        to.first = between(0, 3) == 0 ? 0 : between(0, 300);
        to.procs = between(1, 12);
        from.block = any_block(n + from.first, from.procs);
        to.block = any_block(n + to.first, to.procs);
        check_lines(&from, &to);
    }
}
END_TEST

/* Lists of a process that shares elements with few others have the size of a period, whatever the array's extent and
 * the number of processes. */
START_TEST(large_lines) {
    const dpc_index n = (dpc_index)1 << 40;
    static const struct {
        dpc_index s, P, t, Q, most;
    } lines[] = {
        {3, 1000000, 3, 1000000, 4}, {4, 1000000, 8, 1000000, 8}, {1, 1, 64, 1000000, 2000100},
        {5, 4, 8, 4, 200},           {1 << 20, 1 << 20, 1, 2, 4}, {1, 2, 1 << 20, 1 << 20, 2100000},
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const dpc_line from = {n, 0, lines[k].s, lines[k].P}, to = {n, 0, lines[k].t, lines[k].Q};
        dpc_shares s = dpc_walk_shares(&from, lines[k].P / 2, &to);
        dpc_index elements = 0;
        for (dpc_index q = 0; q < s.count; q++) elements += s.share[q].elements;
        ck_assert_int_eq(elements, dpc_line_elements(&from, lines[k].P / 2));
        ck_assert_msg(s.steps <= lines[k].most, "line %zu: %lld steps", k, (long long)s.steps);
        dpc_free_shares(&s);
    }
}
END_TEST

/* ---- Hsu, Chung and Dow's model beside what they measured */

typedef struct {
    dpc_index extent[3], s[3], t[3], grid[3];
    int rank;
    bool cdc; /* was the faster one */
} measured;

/* Of Tables 1, 2, 4 and 5; in Table 3 the two are the same. */
static const measured hsu_table1[] = {
    {{400, 640}, {5, 8}, {8, 5}, {8, 2}, 2, true},  {{400, 640}, {5, 8}, {8, 5}, {8, 3}, 2, true},
    {{400, 640}, {5, 8}, {8, 5}, {8, 4}, 2, false}, {{400, 640}, {5, 8}, {8, 5}, {8, 5}, 2, false},
    {{400, 640}, {5, 8}, {8, 5}, {8, 6}, 2, false}, {{400, 640}, {5, 8}, {8, 5}, {8, 7}, 2, false},
};
static const measured hsu_table2[] = {
    {{400, 640}, {10, 20}, {5, 10}, {8, 2}, 2, true},  {{400, 640}, {10, 20}, {5, 10}, {8, 3}, 2, true},
    {{400, 640}, {10, 20}, {5, 10}, {8, 4}, 2, false}, {{400, 640}, {10, 20}, {5, 10}, {8, 5}, 2, false},
    {{400, 640}, {10, 20}, {5, 10}, {8, 6}, 2, false}, {{400, 640}, {10, 20}, {5, 10}, {8, 7}, 2, false},
};
static const measured hsu_table4[] = {
    {{1200, 1600}, {5, 8}, {8, 5}, {8, 7}, 2, true},
    {{1200, 1600}, {10, 20}, {5, 10}, {8, 7}, 2, true},
};
static const measured hsu_table5[] = {
    {{120, 180, 160}, {5, 10, 20}, {10, 20, 5}, {2, 4, 7}, 3, true},
    {{120, 180, 160}, {10, 20, 30}, {1, 2, 3}, {2, 4, 7}, 3, true},
};

static bool predicts(const measured *m, dpc_index factor) {
    dpc_line from[3], to[3];
    for (int k = 0; k < m->rank; k++) {
        from[k] = (dpc_line){factor * m->extent[k], 0, m->s[k], m->grid[k]};
        to[k] = (dpc_line){factor * m->extent[k], 0, m->t[k], m->grid[k]};
    }
    return dpc_hsu_takes_cdc(m->rank, from, to) == m->cdc;
}

static int count_hits(int rows, const measured *table, dpc_index factors) {
    int hits = 0;
    for (int row = 0; row < rows; row++)
        for (dpc_index factor = 1; factor <= factors; factor++) hits += predicts(&table[row], factor);
    return hits;
}

/* The model predicts the fewer processes of Table 2 only. */
START_TEST(hsu_model) {
    ck_assert_int_eq(count_hits(6, hsu_table1, 1), 6);
    ck_assert_int_eq(count_hits(6, hsu_table2, 1), 2);
    ck_assert_int_eq(count_hits(2, hsu_table4, 4), 8);
    ck_assert_int_eq(count_hits(2, hsu_table5, 4), 8);
    const dpc_line from = {1000, 0, 3, 4}, to = {1000, 0, 7, 4};
    ck_assert(!dpc_hsu_takes_cdc(1, &from, &to)); /* never in one dimension */
}
END_TEST

/* ---- The vectors: n-dimensional cases with count and hash of every pair */

enum { RANK = 5, PAIRS = 1 << 14 };

typedef struct {
    int rank;
    dpc_line from[RANK], to[RANK];
    dpc_index pairs;
} vector_case;

typedef struct {
    dpc_index i, j, count;
    uint64_t hash;
} vector_pair;

static bool read_case(char *line, vector_case *c) {
    char *next = line;
    if (strncmp(line, "case ", 5) != 0) return false;
    strsep(&next, " ");
    strsep(&next, " ");
    c->rank = atoi(strsep(&next, " "));
    ck_assert_int_le(c->rank, RANK);
    for (int field = 0; field < 5; field++)
        for (int k = 0; k < c->rank; k++) {
            const dpc_index value = atoll(strsep(&next, " "));
            if (field == 0) c->from[k].extent = c->to[k].extent = value;
            if (field == 1) c->from[k].block = value;
            if (field == 2) c->from[k].procs = value;
            if (field == 3) c->to[k].block = value;
            if (field == 4) c->to[k].procs = value;
            c->from[k].first = c->to[k].first = 0;
        }
    c->pairs = atoll(strsep(&next, " "));
    return true;
}

static uint64_t add_to_hash(uint64_t h, uint64_t word) {
    for (int k = 0; k < 8; k++, word >>= 8) h = (h ^ (word & 255)) * 0x100000001b3u;
    return h;
}

static void coordinates_of(int rank, const dpc_line *lines, dpc_index place, dpc_index *at) {
    for (int k = rank - 1; k >= 0; k--) {
        at[k] = place % lines[k].procs;
        place /= lines[k].procs;
    }
}

/* One side of a pair: per dimension the local indices and the local extent. */
typedef struct {
    dpc_index count[RANK], extent[RANK], *index[RANK];
} pair_side;

static pair_side open_side(int m, int rank, const dpc_line *mine, const dpc_line *theirs, dpc_index place,
                           dpc_index other) {
    pair_side side = {0};
    dpc_index at[RANK], other_at[RANK];
    coordinates_of(rank, mine, place, at);
    coordinates_of(rank, theirs, other, other_at);
    for (int k = 0; k < rank; k++) {
        dpc_shares s = methods[m].shares(&mine[k], at[k], &theirs[k]);
        side.extent[k] = dpc_line_elements(&mine[k], at[k]);
        for (dpc_index q = 0; q < s.count; q++) {
            if (s.share[q].coordinate != other_at[k]) continue;
            side.count[k] = s.share[q].elements;
            side.index[k] = malloc((size_t)side.count[k] * sizeof(dpc_index));
            expand(&s.share[q], side.index[k]);
        }
        dpc_free_shares(&s);
    }
    return side;
}

static dpc_index position(int rank, const pair_side *side, const dpc_index *number) {
    dpc_index at = 0;
    for (int k = 0; k < rank; k++) at = at * side->extent[k] + side->index[k][number[k]];
    return at;
}

/* Count and hash of what a pair exchanges, in the order of messages. */
static vector_pair evaluate(int m, const vector_case *c, dpc_index i, dpc_index j) {
    pair_side from = open_side(m, c->rank, c->from, c->to, i, j), to = open_side(m, c->rank, c->to, c->from, j, i);
    vector_pair result = {i, j, 1, 0xcbf29ce484222325u};
    for (int k = 0; k < c->rank; k++) {
        ck_assert_int_eq(from.count[k], to.count[k]);
        result.count *= from.count[k];
    }
    for (dpc_index n = 0; n < result.count; n++) {
        dpc_index number[RANK], rest = n;
        for (int k = c->rank - 1; k >= 0; k--) {
            number[k] = rest % from.count[k];
            rest /= from.count[k];
        }
        result.hash = add_to_hash(result.hash, (uint64_t)position(c->rank, &from, number));
        result.hash = add_to_hash(result.hash, (uint64_t)position(c->rank, &to, number));
    }
    for (int k = 0; k < c->rank; k++) {
        free(from.index[k]);
        free(to.index[k]);
    }
    return result;
}

static bool serves(int m, const vector_case *c) {
    for (int k = 0; k < c->rank; k++)
        if (methods[m].refuses(&c->from[k], &c->to[k]) != NULL) return false;
    return true;
}

/* Returns the number of elements. */
static dpc_index check_pair(const vector_case *c, const vector_pair *expected) {
    for (int m = 0; m < METHODS; m++) {
        if (!serves(m, c)) continue;
        const vector_pair found = evaluate(m, c, expected->i, expected->j);
        ck_assert_msg(found.count == expected->count && found.hash == expected->hash,
                      "%s: pair %lld %lld of a case with extent %lld: count %lld, not %lld", methods[m].name,
                      (long long)expected->i, (long long)expected->j, (long long)c->from[0].extent,
                      (long long)found.count, (long long)expected->count);
    }
    return expected->count;
}

static dpc_index elements_of(const vector_case *c) {
    dpc_index elements = 1;
    for (int k = 0; k < c->rank; k++) elements *= c->from[k].extent;
    return elements;
}

START_TEST(recorded_vectors) {
    static char line[1 << 20];
    FILE *file = fopen(vectors, "r");
    ck_assert_msg(file != NULL, "cannot open %s", vectors);
    vector_case c = {0};
    dpc_index elements = 0, pairs = 0, cases = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        const bool begins = strncmp(line, "case ", 5) == 0;
        if (begins && cases > 0) {
            ck_assert_int_eq(elements, elements_of(&c)); /* the pairs of the last case are all */
            ck_assert_int_eq(pairs, c.pairs);
        }
        if (begins) {
            read_case(line, &c);
            cases++;
            elements = pairs = 0;
        }
        long long i, j, count;
        unsigned long long hash;
        if (sscanf(line, "pair %lld %lld %lld %llx", &i, &j, &count, &hash) != 4) continue;
        const vector_pair expected = {i, j, count, hash};
        elements += check_pair(&c, &expected);
        pairs++;
    }
    ck_assert_int_eq(cases, 306);
    fclose(file);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) vectors = argv[1];
    return RUN_SUITE("index", exhaustive() ? 3600 : 120, small_lines, sections, large_lines, hsu_model,
                     recorded_vectors);
}

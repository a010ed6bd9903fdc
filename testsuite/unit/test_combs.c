/* Combs of runs (runtime/combs.h) against brute force: every element, in ascending order, once. */
#include <stdlib.h>

#include "../../runtime/base/sets.h"
#include "suite.h"

enum { MOST = 40 };

static dpc_index owner(const dpc_dim *d, dpc_index x) {
    if (x < d->lower || x >= d->lower + d->extent) return -1;
    return (x - d->lower) / d->dealt % d->procs;
}

static bool shared(const dpc_place *a, const dpc_place *b, dpc_index i) {
    return owner(a->dim, a->access->first + i * a->access->stride) == a->p &&
           owner(b->dim, b->access->first + i * b->access->stride) == b->p;
}

static void require(bool good, const char *what, dpc_index i, const dpc_place *a, const dpc_place *b) {
    if (good) return;
    ck_abort_msg(
        "iteration %ld %s: N %ld b %ld s %ld l %ld extent %ld / N %ld b %ld s %ld l %ld extent %ld, (%ld, %ld)",
        (long)i, what, (long)a->dim->procs, (long)a->dim->dealt, (long)a->access->stride, (long)a->access->first,
        (long)a->dim->extent, (long)b->dim->procs, (long)b->dim->dealt, (long)b->access->stride, (long)b->access->first,
        (long)b->dim->extent, (long)a->p, (long)b->p);
}

/* Whether the combs of (p, q) are exactly the iterations that both own, in order. */
static void check_pair(const dpc_place *a, const dpc_place *b, dpc_index length, long *checked) {
    dpc_comb_walk w;
    dpc_index next = 0;
    const dpc_index count = a->access->count;
    for (bool more = dpc_first_comb(&w, a, b, length); more; more = dpc_next_comb(&w)) {
        const dpc_comb *r = &w.comb;
        dpc_index size = 0;
        require(r->low >= 0 && r->high < count && r->first + r->reach >= r->low, "begins a wrong run", r->first, a, b);
        for (dpc_index run = r->first; run <= r->high; run += r->period)
            for (dpc_index i = run > r->low ? run : r->low; i <= run + r->reach && i <= r->high; i++, size++) {
                for (; next < i; next++) require(!shared(a, b, next), "is missing", next, a, b);
                require(next++ == i && shared(a, b, i), "is too much", i, a, b);
            }
        require(length == 0 || r->reach == length - 1, "begins a run of another length", r->first, a, b);
        require(size > 0 && size == dpc_comb_size(r), "has a wrong size", r->first, a, b);
    }
    for (; next < count; next++) require(!shared(a, b, next), "is missing", next, a, b);
    ++*checked;
}

/* The run length that loops for the pair may be made for, 0: any. */
static dpc_index run_length(const dpc_place *a, const dpc_place *b) {
    const dpc_index x = a->access->stride, y = b->access->stride;
    const bool one = a->single || x == 0, other = b->single || y == 0;
    const dpc_index h = x == 0 ? 0 : a->dim->dealt / llabs(x), k = y == 0 ? 0 : b->dim->dealt / llabs(y);
    if (one && other) return 0;
    if (a->dim->procs == 1 && b->dim->procs == 1) return 3;
    if (one) return b->dim->procs == 1 ? 2 : k;
    if (other) return a->dim->procs == 1 ? 2 : h;
    if (a->dim->procs == 1) return k > 2 && k % 2 == 0 ? k / 2 : k;
    if (b->dim->procs == 1) return h > 2 && h % 2 == 0 ? h / 2 : h;
    return h < k ? h : k;
}

static void check_all_pairs(dpc_place a, dpc_place b, long *checked) {
    if (!dpc_has_combs(&a, &b)) return;
    const dpc_index h = run_length(&a, &b);
    for (a.p = 0; a.p < a.dim->procs; a.p++)
        for (b.p = 0; b.p < b.dim->procs; b.p++)
            for (dpc_index length = 0; length <= h; length += h > 0 ? h : 1) check_pair(&a, &b, length, checked);
}

/* What a shares with coordinate b->p, by looking at every iteration. */
typedef struct {
    dpc_index elements, first; /* first: the first one's address */
    bool dense;                /* each address is the one before, plus 1 */
} portion;

static portion portion_of(const dpc_place *a, dpc_addressing addressing, const dpc_place *b) {
    portion x = {0, 0, true};
    dpc_index position = 0;
    for (dpc_index i = 0; i < a->access->count; i++) {
        const dpc_index element = a->access->first + i * a->access->stride;
        if (owner(a->dim, element) != a->p) continue;
        const dpc_index address = addressing == DPC_POSITION ? position : dpc_local(a->dim, element);
        position++;
        if (!shared(a, b, i)) continue;
        if (x.elements == 0) x.first = address;
        if (address != x.first + x.elements) x.dense = false;
        x.elements++;
    }
    return x;
}

/* Partners are those who share something, in their order. */
static void check_sets(const dpc_place *a, dpc_addressing addressing, dpc_place b) {
    dpc_sets sets;
    dpc_index partner = 0;
    ck_assert(dpc_sets_of_combs(&sets, a, addressing, &b));
    for (b.p = 0; b.p < b.dim->procs; b.p++) {
        const portion x = portion_of(a, addressing, &b);
        const dpc_shared *w = &sets.partner[partner];
        const bool listed = partner < sets.partners && w->coordinate == b.p;
        require(listed == (x.elements > 0), "decides about a partner", 0, a, &b);
        if (!listed) continue;
        require(w->elements == x.elements, "is one of another number", w->elements, a, &b);
        require((w->tail == w->head + 1) == x.dense, "decides about what lies side by side", 0, a, &b);
        if (x.dense) require(sets.section[w->head].local == x.first, "has another address", 0, a, &b);
        partner++;
    }
    require(partner == sets.partners, "has too many partners", partner, a, &b);
    dpc_sets_free(&sets);
}

static void check_owners(const dpc_place *a) {
    dpc_sets sets;
    ck_assert(dpc_sets_of_owners(&sets, a->dim, a->access));
    for (dpc_index p = 0, partner = 0; p < a->dim->procs; p++) {
        bool owns = false;
        for (dpc_index i = 0; i < a->access->count; i++)
            owns = owns || owner(a->dim, a->access->first + i * a->access->stride) == p;
        const bool listed = partner < sets.partners && sets.partner[partner].coordinate == p;
        require(listed == owns, "has another owner", p, a, a);
        partner += listed;
    }
    dpc_sets_free(&sets);
}

static void check_all_sets(dpc_place a, dpc_place b, long *checked) {
    check_owners(&a);
    if (!dpc_has_combs(&a, &b)) return;
    for (a.p = 0; a.p < a.dim->procs; a.p++, ++*checked) {
        check_sets(&a, DPC_LOCAL_INDEX, b);
        check_sets(&a, DPC_POSITION, b);
    }
}

static dpc_index any(dpc_index low, dpc_index high) {
    return low + rand() % (high - low + 1);
}

/* A dimension with a lower bound, and an access that may leave it. */
/* Whether each process has one block at most. */
static bool draw(dpc_dim *d, dpc_access *a, dpc_index count) {
    const dpc_index procs = any(1, 6), stride = any(-5, 5);
    dpc_index low = any(-3, 3);
    *a = (dpc_access){any(-8, 8), stride, count};
    const dpc_index last = a->first + (count - 1) * stride;
    const dpc_index from = a->first < last ? a->first : last, to = a->first < last ? last : a->first;
    *d = dpc_dealt_dim(from + low, to - from + 1 + any(-4, 9), any(1, 12), procs, 0, 0);
    if (d->extent < 0) d->extent = 0;
    const bool single = any(0, 3) == 0;
    if (single && d->dealt < (d->extent + procs - 1) / procs) d->dealt = (d->extent + procs - 1) / procs;
    if (procs == 1 || d->dealt == 0) d->dealt = d->extent > 0 ? d->extent : 1;
    return single;
}

START_TEST(equal_brute_force) {
    long checked = 0;
    srand(7);
    for (int round = 0; round < 120000; round++) {
        dpc_dim a, b;
        dpc_access x, y;
        const dpc_index count = any(0, MOST);
        const bool single = draw(&a, &x, count), other = draw(&b, &y, count);
        check_all_pairs((dpc_place){&a, &x, single, 0}, (dpc_place){&b, &y, other, 0}, &checked);
    }
    ck_assert_int_gt(checked, 100000);
}
END_TEST

/* Partners, elements, and what lies side by side. */
START_TEST(sets_equal_brute_force) {
    long checked = 0;
    srand(11);
    for (int round = 0; round < 30000; round++) {
        dpc_dim a, b;
        dpc_access x, y;
        const dpc_index count = any(0, MOST);
        const bool single = draw(&a, &x, count), other = draw(&b, &y, count);
        check_all_sets((dpc_place){&a, &x, single, 0}, (dpc_place){&b, &y, other, 0}, &checked);
    }
    ck_assert_int_gt(checked, 20000);
}
END_TEST

/* Divisible blocks of every small ratio, every offset. */
START_TEST(equal_brute_force_divisible) {
    long checked = 0;
    for (dpc_index n = 1; n <= 5; n++)
        for (dpc_index h = 1; h <= 3; h++)
            for (dpc_index ratio = 1; ratio <= 6; ratio++)
                for (dpc_index s1 = -2; s1 <= 3; s1++)
                    for (dpc_index s2 = -3; s2 <= 2; s2++)
                        for (dpc_index offset = 0; offset < 3 * h * ratio; offset += 2) {
                            if (s1 == 0 || s2 == 0) continue;
                            const dpc_index count = MOST + offset;
                            const dpc_access x = {s1 > 0 ? offset : offset - (count - 1) * s1, s1, count};
                            const dpc_access y = {s2 > 0 ? 1 : 1 - (count - 1) * s2, s2, count};
                            const dpc_dim a = dpc_dealt_dim(0, 400, h * llabs(s1), n, 0, 0),
                                          b = dpc_dealt_dim(0, 400, h * ratio * llabs(s2), n, 0, 0);
                            check_all_pairs((dpc_place){&a, &x, false, 0}, (dpc_place){&b, &y, false, 0}, &checked);
                            check_all_pairs((dpc_place){&b, &y, false, 0}, (dpc_place){&a, &x, false, 0}, &checked);
                        }
    ck_assert_int_gt(checked, 100000);
}
END_TEST

int main(void) {
    return RUN_SUITE("combs", 120, equal_brute_force, equal_brute_force_divisible, sets_equal_brute_force);
}

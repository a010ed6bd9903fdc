/* Dimensions that are aligned with a template's, or divided by gen_block, against brute force, exhaustively for small
 * parameters. */
#include <stdlib.h>

#include "../../runtime/halo.h"
#include "../../runtime/placement.h"
#include "suite.h"

enum { PROCS = 4, BLOCK = 5, STRIDE = 5, MOST = 64, LOWER = -3 };

/* Who owns each element, by division. */
typedef struct {
    dpc_index extent, procs, owner[MOST], local[MOST], held[PROCS];
} truth;

static void count_places(truth *t) {
    for (dpc_index p = 0; p < PROCS; p++) t->held[p] = 0;
    for (dpc_index k = 0; k < t->extent; k++) t->local[k] = t->held[t->owner[k]]++;
}

static dpc_dim unmapped(const truth *t) {
    return dpc_dealt_dim(LOWER, t->extent, 1, t->procs, 0, 0);
}

static void check_elements(const dpc_dim *d, const truth *t) {
    dpc_index most = 0;
    for (dpc_index k = 0; k < t->extent; k++) {
        ck_assert_int_eq(dpc_owner(d, LOWER + k), t->owner[k]);
        ck_assert_int_eq(dpc_local(d, LOWER + k), t->local[k]);
        ck_assert_int_eq(dpc_global(d, t->local[k], t->owner[k]), LOWER + k);
    }
    for (dpc_index p = 0; p < t->procs; p++) {
        ck_assert_int_eq(dpc_local_extent(d, p), t->held[p]);
        most = dpc_maximum(most, t->held[p]);
    }
    ck_assert_int_ge(dpc_most_owned(d), most);
    ck_assert_int_le(dpc_most_owned(d), t->extent);
}

static void check_intervals(const dpc_dim *d, const truth *t) {
    dpc_index from, to;
    if (!dpc_in_intervals(d)) return;
    for (dpc_index p = 0; p < t->procs; p++) {
        dpc_interval_of(d, p, &from, &to);
        ck_assert_int_eq(dpc_maximum(to - from, 0), t->held[p]);
        for (dpc_index k = from; k < to; k++) ck_assert_int_eq(t->owner[k], p);
    }
}

static bool owns(const truth *t, const dpc_access *a, dpc_index iteration, dpc_index p) {
    const dpc_index k = a->first + iteration * a->stride - LOWER;
    return k >= 0 && k < t->extent && t->owner[k] == p;
}

static void check_runs(const dpc_dim *d, const truth *t, const dpc_access *a, dpc_index p) {
    dpc_index next = 0, owned = 0;
    dpc_block_run first;
    for (dpc_block_run r = dpc_first_block(d, a, p); r.count > 0; dpc_next_block(&r)) {
        for (; next < r.first; next++) ck_assert(!owns(t, a, next, p));
        for (dpc_index k = 0; k < r.count; k++, next++) {
            ck_assert(next < a->count && owns(t, a, next, p));
            ck_assert_int_eq(r.local + k * a->stride, t->local[a->first + next * a->stride - LOWER]);
        }
    }
    for (; next < a->count; next++) ck_assert(!owns(t, a, next, p));
    for (dpc_index end = 0; end <= a->count; end++) {
        ck_assert_int_eq(dpc_owned_before(d, a, p, end), owned);
        owned += end < a->count && owns(t, a, end, p);
    }
    ck_assert_int_eq(dpc_owned_runs(d, a, p, &first), owned);
    ck_assert_int_eq(first.count > 0, owned > 0);
}

/* Iterations that dpc_rest_of_block counts have one owner. */
static void check_rests(const dpc_dim *d, const truth *t, const dpc_access *a) {
    dpc_index low, high;
    dpc_inside(d, a, &low, &high);
    for (dpc_index k = low; k <= high; k++) {
        const dpc_access part = {a->first, a->stride, high + 1};
        const dpc_index rest = dpc_rest_of_block(d, &part, k), x = a->first + k * a->stride - LOWER;
        ck_assert(rest > 0 && k + rest <= high + 1);
        for (dpc_index n = 0; n < rest; n++) ck_assert_int_eq(t->owner[x + n * a->stride], t->owner[x]);
    }
}

static void check_period(const dpc_dim *d, const truth *t, const dpc_access *a) {
    const dpc_index period = dpc_period(d, a);
    for (dpc_index k = 0; k + period < a->count && period < MOST; k++) {
        const dpc_index x = a->first + k * a->stride - LOWER, y = x + period * a->stride;
        if (x >= 0 && x < t->extent && y >= 0 && y < t->extent) ck_assert_int_eq(t->owner[x], t->owner[y]);
    }
}

static void check_dimension(const dpc_dim *d, const truth *t) {
    check_elements(d, t);
    check_intervals(d, t);
    for (dpc_index stride = -3; stride <= 3; stride++) {
        const dpc_index first = LOWER + (stride < 0 ? t->extent : -1);
        const dpc_access a = {first, stride, stride == 0 ? 3 : t->extent / llabs(stride) + 3};
        const dpc_access inside = {LOWER + t->extent / 2, stride, 4};
        for (dpc_index p = 0; p < t->procs; p++) {
            check_runs(d, t, &a, p);
            check_runs(d, t, &inside, p);
        }
        check_rests(d, t, &a);
        if (stride != 0) check_period(d, t, &a);
    }
}

static void check_distance(const dpc_dim *d, const truth *t, const dpc_dim *e, const truth *u) {
    dpc_index distance;
    if (dpc_same_owners(d, e))
        for (dpc_index k = 0; k < t->extent && k < u->extent; k++) ck_assert_int_eq(t->owner[k], u->owner[k]);
    if (!dpc_distance(d, e, &distance)) return;
    for (dpc_index k = 0; k < t->extent; k++)
        if (k + distance >= 0 && k + distance < u->extent) ck_assert_int_eq(t->owner[k], u->owner[k + distance]);
}

/* Cells stand on blocks; the first at least on cell 0. */
static dpc_index set_aligned(truth *t, dpc_index stride, dpc_index offset, dpc_index block) {
    const dpc_index cell = offset + (stride < 0 ? -stride * dpc_maximum(t->extent - 1, 0) : 0);
    for (dpc_index k = 0; k < t->extent; k++) t->owner[k] = (cell + stride * k) / block % t->procs;
    count_places(t);
    return cell;
}

START_TEST(aligned) {
    dpc_dim before = dpc_whole_dim(0);
    truth t, last = {.extent = 0};
    for (t.procs = 1; t.procs <= PROCS; t.procs++)
        for (dpc_index block = 1; block <= BLOCK; block++)
            for (dpc_index stride = -STRIDE; stride <= STRIDE; stride++)
                for (dpc_index offset = 0; offset <= 6; offset++)
                    for (t.extent = 0; stride != 0 && t.extent <= 23; t.extent += t.extent < 4 ? 1 : 9) {
                        dpc_dim d = unmapped(&t);
                        const dpc_index cell = set_aligned(&t, stride, offset, block);
                        ck_assert(dpc_place_dim(&d, stride, cell, block));
                        check_dimension(&d, &t);
                        if (last.procs == t.procs) check_distance(&d, &t, &before, &last);
                        dpc_release_dim(&before);
                        before = d;
                        last = t;
                    }
    dpc_release_dim(&before);
}
END_TEST

/* Elements on cells at most `distance` from a coordinate's own are its ghost cells, and stand within their room, also
 * where it owns nothing. */
static void check_neighbours(const dpc_dim *d, const truth *t, dpc_index stride, dpc_index cell, dpc_index block,
                             dpc_index distance) {
    const dpc_index width = dpc_ceiling(distance, dpc_magnitude(stride));
    const dpc_width halo = {width, width, false};
    for (dpc_index k = 0; k < t->extent; k++)
        for (dpc_index q = 0; q < t->procs; q++) {
            const dpc_index at = cell + stride * k, place = k - dpc_block_begin(d, q);
            dpc_index first, last;
            if (at < q * block - distance || at > (q + 1) * block - 1 + distance) continue;
            ck_assert_int_ge(place, -width);
            ck_assert_int_lt(place, t->held[q] + width);
            if (t->owner[k] == q) ck_assert_int_eq(place, t->local[k]);
            if (t->owner[k] == q) continue;
            ck_assert(dpc_halo_beside(d, halo, t->owner[k], q, &first, &last));
            ck_assert(first <= k && k <= last);
        }
}

START_TEST(neighbours) {
    truth t;
    for (t.procs = 1; t.procs <= PROCS; t.procs++)
        for (dpc_index block = 1; block <= 9; block++)
            for (dpc_index stride = -STRIDE; stride <= STRIDE; stride++)
                for (dpc_index offset = 0; offset < block * t.procs; offset++)
                    for (t.extent = 1; stride != 0 && t.extent <= 36; t.extent++) {
                        dpc_dim d = unmapped(&t);
                        if (offset + dpc_magnitude(stride) * (t.extent - 1) >= block * t.procs) break;
                        const dpc_index cell = set_aligned(&t, stride, offset, block);
                        ck_assert(dpc_place_dim(&d, stride, cell, block));
                        ck_assert(dpc_in_intervals(&d));
                        for (dpc_index distance = 1; distance <= 7; distance += 2)
                            check_neighbours(&d, &t, stride, cell, block, distance);
                        dpc_release_dim(&d);
                    }
}
END_TEST

/* Arrays on one template at constant distances. */
START_TEST(distances) {
    for (dpc_index n = 2; n <= PROCS; n++)
        for (dpc_index block = 1; block <= BLOCK; block++)
            for (dpc_index stride = 1; stride <= 3; stride++)
                for (dpc_index shift = 0; shift <= 3; shift++) {
                    truth t = {.extent = 17, .procs = n}, u = t;
                    dpc_dim d = unmapped(&t), e = unmapped(&u);
                    dpc_index distance;
                    ck_assert(dpc_place_dim(&d, stride, set_aligned(&t, stride, 1 + stride * shift, block), block));
                    ck_assert(dpc_place_dim(&e, stride, set_aligned(&u, stride, 1, block), block));
                    check_distance(&d, &t, &e, &u);
                    if (stride * shift < block * n && block * n > 1 + 16 * stride) {
                        ck_assert(dpc_distance(&d, &e, &distance));
                    }
                    dpc_release_dim(&d);
                    dpc_release_dim(&e);
                }
}
END_TEST

static void set_divided(truth *t, const dpc_index *counts) {
    dpc_index k = 0;
    for (dpc_index p = 0; p < t->procs; p++)
        for (dpc_index n = 0; n < counts[p]; n++) t->owner[k++] = p;
    t->extent = k;
    count_places(t);
}

/* Every element of a dimension that is aligned with another one. */
static void check_follower(const dpc_dim *base, const truth *t, dpc_index stride, dpc_index offset) {
    truth u = {.procs = t->procs, .extent = (t->extent - offset + llabs(stride) - 1) / llabs(stride)};
    if (u.extent < 0) return;
    const dpc_index first = stride > 0 ? offset : offset + (u.extent - 1) * -stride;
    for (dpc_index k = 0; k < u.extent; k++) u.owner[k] = t->owner[first + stride * k];
    count_places(&u);
    dpc_dim d = unmapped(&u);
    ck_assert(dpc_align_dim(&d, stride, u.extent > 0 ? first : 0, base));
    check_dimension(&d, &u);
    check_distance(&d, &u, base, t);
    dpc_release_dim(&d);
}

START_TEST(divided) {
    dpc_index counts[PROCS];
    for (dpc_index n = 1; n <= PROCS; n++)
        for (int code = 0; code < 625; code++) {
            truth t = {.procs = n};
            for (int p = 0, rest = code; p < PROCS; p++, rest /= 5)
                counts[p] = (const dpc_index[]){0, 1, 2, 5, 7}[rest % 5];
            set_divided(&t, counts);
            dpc_dim d = unmapped(&t);
            ck_assert(dpc_divide_dim(&d, counts));
            check_dimension(&d, &t);
            for (dpc_index stride = -3; stride <= 3; stride++)
                if (stride != 0) check_follower(&d, &t, stride, code % 4);
            dpc_release_dim(&d);
        }
}
END_TEST

/* Aligned with what is aligned itself. */
START_TEST(chains) {
    for (dpc_index n = 1; n <= PROCS; n++)
        for (dpc_index block = 1; block <= BLOCK; block++)
            for (dpc_index stride = -3; stride <= 3; stride++)
                for (dpc_index offset = 0; offset <= 4; offset++) {
                    truth t = {.extent = 19, .procs = n};
                    dpc_dim d = unmapped(&t);
                    if (stride == 0) continue;
                    ck_assert(dpc_place_dim(&d, stride, set_aligned(&t, stride, offset, block), block));
                    for (dpc_index further = -3; further <= 3; further++)
                        if (further != 0) check_follower(&d, &t, further, offset);
                    dpc_release_dim(&d);
                }
}
END_TEST

/* Equal placements are one, with a number that is never another one's. */
START_TEST(numbers) {
    dpc_index words[3][DPC_DIM_WORDS];
    dpc_dim d[3];
    const dpc_index counts[3][3] = {{1, 5, 2}, {1, 5, 2}, {1, 4, 3}};
    for (int k = 0; k < 3; k++) {
        d[k] = dpc_dealt_dim(0, 8, 1, 3, 0, 0);
        ck_assert(dpc_divide_dim(&d[k], counts[k]));
        dpc_dim_words(&d[k], words[k]);
    }
    for (int w = 0; w < DPC_DIM_WORDS; w++) ck_assert_int_eq(words[0][w], words[1][w]);
    ck_assert_int_ne(words[0][DPC_DIM_WORDS - 1], words[2][DPC_DIM_WORDS - 1]);
    for (int k = 0; k < 3; k++) dpc_release_dim(&d[k]);
    d[0] = dpc_dealt_dim(0, 8, 1, 3, 0, 0);
    ck_assert(dpc_divide_dim(&d[0], counts[0]));
    dpc_dim_words(&d[0], words[1]);
    ck_assert_int_ne(words[0][DPC_DIM_WORDS - 1], words[1][DPC_DIM_WORDS - 1]);
    dpc_release_dim(&d[0]);
}
END_TEST

/* What is dealt in blocks from the first element on has no placement, however it was written. */
START_TEST(ordinary) {
    dpc_dim d = dpc_dealt_dim(0, 20, 1, 4, 0, 0);
    ck_assert(dpc_place_dim(&d, 2, 1, 10) && dpc_is_dealt(&d));
    ck_assert_int_eq(dpc_block(&d), 5);
    ck_assert(dpc_divide_dim(&d, (const dpc_index[]){6, 6, 6, 2}) && dpc_is_dealt(&d));
    ck_assert_int_eq(dpc_block(&d), 6);
    ck_assert(dpc_place_dim(&d, 1, 8, 1) && dpc_is_dealt(&d));
    ck_assert(dpc_place_dim(&d, 1, 9, 1) && !dpc_is_dealt(&d));
    dpc_release_dim(&d);
}
END_TEST

/* Elements before the first one: no iteration touches them, and the owners of all others are those of the longer
 * dimension. */
START_TEST(hidden) {
    for (dpc_index lead = 0; lead <= 5; lead++)
        for (dpc_index first = -9; first <= 9; first++)
            for (dpc_index stride = -3; stride <= 3; stride++)
                for (dpc_index count = 0; count <= 7; count++) {
                    dpc_dim d = dpc_dealt_dim(-2 - lead, 6 + lead, 2, 3, 0, 0);
                    const dpc_access a = {first, stride, count};
                    dpc_index low, high, inside = 0, owned = 0;
                    d.hidden = lead;
                    const bool all = dpc_inside(&d, &a, &low, &high);
                    for (dpc_index k = 0; k < count; k++) {
                        const dpc_index x = first + k * stride;
                        ck_assert_int_eq(dpc_holds(&d, x), x >= -2 && x < 4);
                        if (stride != 0) ck_assert_int_eq(k >= low && k <= high, dpc_holds(&d, x));
                        inside += dpc_holds(&d, x);
                    }
                    ck_assert_int_eq(all, inside == count);
                    for (dpc_index p = 0; p < 3 && stride != 0; p++) owned += dpc_owned_count(&d, &a, p);
                    if (stride != 0) ck_assert_int_eq(owned, inside);
                }
}
END_TEST

int main(void) {
    return RUN_SUITE("placement", 300, aligned, neighbours, distances, divided, chains, numbers, ordinary, hidden);
}

/* Distribution arithmetic against brute force, exhaustively for small parameters. */
#include <stdlib.h>

#include "../../runtime/distribution.h"
#include "suite.h"

enum { PROCS = 5, BLOCK = 6, STRIDE = 4, COUNT = 20 };

static dpc_index naive_owner(const dpc_dim *d, dpc_index x) {
    dpc_index owner = 0, filled = 0;
    for (dpc_index e = d->lower; e < x; e++)
        if (++filled == d->dealt) {
            filled = 0;
            owner = (owner + 1) % d->procs;
        }
    return owner;
}

static dpc_dim make_dim(dpc_index procs, dpc_index block, dpc_index lower, dpc_index extent) {
    if (procs == 1) block = extent > 0 ? extent : 1;
    return dpc_dealt_dim(lower, extent, block, procs, 0, procs == 1 ? 0 : (3 * procs + block) % 4);
}

START_TEST(owners_and_addresses) {
    for (dpc_index procs = 1; procs <= PROCS; procs++)
        for (dpc_index block = 1; block <= BLOCK; block++)
            for (dpc_index extent = 0; extent <= 40; extent++) {
                const dpc_dim d = make_dim(procs, block, -7, extent);
                dpc_index held[PROCS] = {0}, place[PROCS] = {0};
                for (dpc_index x = -7; x < -7 + extent; x++) {
                    const dpc_index p = naive_owner(&d, x);
                    ck_assert_int_eq(dpc_owner(&d, x), p);
                    ck_assert_int_eq(dpc_local(&d, x), place[p]);
                    ck_assert_int_eq(dpc_global(&d, place[p], p), x);
                    place[p] += (x + 7) % block == block - 1 ? d.spacing + 1 : 1;
                    held[p]++;
                }
                for (dpc_index p = 0; p < procs; p++) ck_assert_int_eq(dpc_local_extent(&d, p), held[p]);
            }
}
END_TEST

START_TEST(counts) {
    for (dpc_index l = -9; l <= 9; l++)
        for (dpc_index u = -9; u <= 9; u++)
            for (dpc_index s = -5; s <= 5; s++) {
                dpc_index n = 0;
                if (s == 0) continue;
                for (dpc_index x = l; s > 0 ? x <= u : x >= u; x += s) n++;
                ck_assert_int_eq(dpc_count(l, u, s), n);
            }
    ck_assert_int_eq(dpc_count(INT64_MIN / 2, INT64_MAX / 2, 2), INT64_MAX / 2 + 1);
    ck_assert_int_eq(dpc_count(5, 4, INT64_MIN), 1);
}
END_TEST

START_TEST(first_hits) {
    for (dpc_index m = 1; m <= 26; m++)
        for (dpc_index a = 0; a < m; a++)
            for (dpc_index low = 0; low < m; low++)
                for (dpc_index high = low; high < m; high++) {
                    dpc_index found = -1;
                    for (dpc_index x = 0; x < m && found < 0; x++)
                        if (a * x % m >= low && a * x % m <= high) found = x;
                    ck_assert_int_eq(dpc_first_hit(a, m, low, high), found);
                }
}
END_TEST

/* The iterations of p as the runs list them, checked one by one. */
static void check_runs_from(dpc_block_run r, const dpc_dim *d, const dpc_access *a, dpc_index p) {
    dpc_index owned = 0, last_block = -1, within = 0;
    for (dpc_index k = 0; k < a->count; k++) {
        const dpc_index x = a->first + k * a->stride;
        if (x < d->lower || x >= d->lower + d->extent || dpc_owner(d, x) != p) continue;
        ck_assert_int_eq(dpc_owned_before(d, a, p, k), owned);
        const dpc_index block = (x - d->lower) / d->dealt;
        if (owned > 0 && block != last_block) {
            ck_assert_int_eq(within, r.count);
            dpc_next_block(&r);
            within = 0;
        }
        ck_assert_int_lt(within, r.count);
        ck_assert_int_eq(r.first + within, k);
        ck_assert_int_eq(r.local + within * a->stride, dpc_local(d, x));
        last_block = block;
        within++;
        owned++;
    }
    ck_assert_int_eq(within, r.count);
    if (r.count > 0) dpc_next_block(&r);
    ck_assert_int_le(r.count, 0);
    ck_assert_int_eq(dpc_owned_count(d, a, p), owned);
}

static void check_runs(const dpc_dim *d, const dpc_access *a, dpc_index p) {
    dpc_block_run r;
    check_runs_from(dpc_first_block(d, a, p), d, a, p);
    ck_assert_int_eq(dpc_owned_runs(d, a, p, &r), dpc_owned_count(d, a, p));
    check_runs_from(r, d, a, p);
}

START_TEST(block_runs) {
    for (dpc_index procs = 1; procs <= PROCS; procs++)
        for (dpc_index block = 1; block <= BLOCK; block++)
            for (dpc_index stride = -2 * STRIDE; stride <= 2 * STRIDE; stride++)
                for (dpc_index first = -12; first <= 12; first += 3)
                    for (dpc_index count = 0; count <= COUNT; count += 1 + count / 6)
                        for (dpc_index extent = 0; extent <= 60; extent += 15) {
                            const dpc_dim d = make_dim(procs, block, -4, extent);
                            const dpc_access a = {first, stride, count};
                            for (dpc_index p = 0; p < procs; p++) check_runs(&d, &a, p);
                        }
}
END_TEST

START_TEST(periods) {
    for (dpc_index procs = 1; procs <= PROCS; procs++)
        for (dpc_index block = 1; block <= BLOCK; block++)
            for (dpc_index stride = -9; stride <= 9; stride++) {
                const dpc_dim d = dpc_dealt_dim(0, 1000000, block, procs, 0, 0);
                const dpc_access a = {400000, stride, 1000};
                const dpc_index period = dpc_period(&d, &a);
                for (dpc_index k = 0; k < 100; k++)
                    ck_assert_int_eq(dpc_owner(&d, a.first + k * stride),
                                     dpc_owner(&d, a.first + (k + period) * stride));
            }
    const dpc_dim huge = dpc_dealt_dim(0, INT64_MAX, INT64_MAX / 2, 7, 0, 0);
    ck_assert_int_eq(dpc_period(&huge, &(dpc_access){0, 1, 5}), INT64_MAX);
}
END_TEST

/* Positions far beyond what loops over blocks could reach. */
START_TEST(large_counts) {
    const dpc_dim d = dpc_dealt_dim(0, 4000000000000, 3, 7, 0, 0);
    const dpc_access a = {1, 1, 3999999999999};
    dpc_index total = 0;
    for (dpc_index p = 0; p < 7; p++) {
        total += dpc_owned_count(&d, &a, p);
        ck_assert_int_eq(dpc_owned_count(&d, &a, p), dpc_local_extent(&d, p) - (p == 0));
    }
    ck_assert_int_eq(total, a.count);
}
END_TEST

int main(void) {
    return RUN_SUITE("distribution", 120, owners_and_addresses, counts, first_hits, block_runs, periods, large_counts);
}

/* Sides of tiles against a cache that is counted line by line. */
#include "../../runtime/base/caches.h"
#include "suite.h"

static const dpc_caches common = {.line = 64, .first = 32 << 10, .way = 4 << 10, .second = 512 << 10};
static const dpc_caches large = {.line = 128, .first = 128 << 10, .way = 16 << 10, .second = 12 << 20};
static const dpc_caches odd = {.line = 64, .first = 48 << 10, .way = 4 << 10, .second = 2 << 20};

/* The most lines that have the same place, of elements `pitch` bytes apart. */
static dpc_index most_in_a_place(const dpc_caches *c, dpc_index pitch, dpc_index elements) {
    static int count[1024];
    dpc_index most = 0;
    for (int k = 0; k < 1024; k++) count[k] = 0;
    for (dpc_index n = 0, last = -1; n < elements; n++) {
        const dpc_index line = n * pitch / c->line;
        if (line == last) continue;
        last = line;
        const dpc_index here = ++count[line % (c->way / c->line)];
        if (here > most) most = here;
    }
    return most;
}

static void check_side(const dpc_caches *c, dpc_index size, dpc_index pitch) {
    const dpc_index side = dpc_tile_side(c, size, pitch), longest = dpc_tile_side(c, size, size),
                    line = dpc_maximum(c->line / size, 1), ways = c->first / c->way;
    ck_assert(side >= 1 && side <= longest);
    ck_assert(longest == 1 || 2 * longest * longest * size <= c->first / 2);
    if (side > line) ck_assert_int_le(most_in_a_place(c, pitch, side), ways);
    if (side < longest) ck_assert_int_gt(most_in_a_place(c, pitch, side + 1), ways);
}

START_TEST(sides) {
    static const dpc_caches *const cache[] = {&common, &large, &odd};
    for (int k = 0; k < 3; k++)
        for (dpc_index size = 1; size <= 64; size *= 2)
            for (dpc_index elements = 0; elements < 5000; elements++) check_side(cache[k], size, elements * size);
}
END_TEST

START_TEST(doubles) {
    ck_assert_int_eq(dpc_tile_side(&common, 8, 8), 32);
    ck_assert_int_eq(dpc_tile_side(&common, 8, 8000), 32);
    ck_assert_int_eq(dpc_tile_side(&common, 8, 8192), 8);
    ck_assert_int_eq(dpc_tile_side(&common, 8, 2048), 16);
    ck_assert_int_eq(dpc_tile_side(&odd, 8, 8192), 12);
    ck_assert_int_eq(dpc_tile_side(&large, 8, 8), 64);
    ck_assert_int_eq(dpc_tile_side(&common, 1 << 20, 1 << 20), 1);
}
END_TEST

START_TEST(this_machine) {
    const dpc_caches *c = dpc_machine_caches();
    ck_assert(c->line > 0 && c->first >= c->way && c->way >= 1 && c->second > 0);
}
END_TEST

int main(void) {
    return RUN_SUITE("caches", 60, sides, doubles, this_machine);
}

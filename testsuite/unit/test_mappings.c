/* Templates and what is aligned with them, copies, intervals and their ghost cells, on several processes.  Prints "N
 * passed, N failed"; an argument multiplies the rounds. */
#include "arrays.h"

/* ---- Every element stands where its alignment says */

static const dpc_alignment *current;
static const dpc_array *current_base;

/* Owned by this process as the base's element that it stands on is. */
static void compare_standing(dpc_array *a, const dpc_index *index, unsigned char *element) {
    const dpc_array *t = current_base;
    compare_content(a, index, element);
    for (int g = 0; g < t->rank; g++) {
        const dpc_alignment *x = &current[g];
        const int along = t->dim[g].grid_dim;
        if (along < 0 || x->dimension == DPC_ALIGN_COPIES) continue;
        const dpc_index on = x->dimension < 0 ? x->offset : x->stride * index[x->dimension] + x->offset;
        if (dpc_owner(&t->dim[g], on) != t->grid->coord[along]) all_right = false;
    }
}

static dpc_index total(const dpc_array *a) {
    dpc_index elements = 1;
    for (int k = 0; k < a->rank; k++) elements *= a->dim[k].extent;
    return elements;
}

/* All copies of all elements are somewhere, at the right processes. */
static bool stands(dpc_array *a, const dpc_array *base, const dpc_alignment *alignment) {
    dpc_index copies = 1;
    long stored = (long)a->elements;
    current = alignment;
    current_base = base;
    for (int g = 0; g < base->rank; g++)
        if (alignment[g].dimension == DPC_ALIGN_COPIES && base->dim[g].grid_dim >= 0) copies *= base->dim[g].procs;
    for (int g = 0; g < base->grid->rank; g++)
        if (base->held[g] == DPC_EVERY) copies *= base->grid->extent[g];
    const bool right = all_agree(a, compare_standing);
    dpc_reduce(DPC_SUM, DPC_LONG, &stored);
    return right && stored == total(a) * copies;
}

static void test_followers(int round) {
    const int rank = (int)between(1, 3);
    dpc_format formats[DPC_MAX_RANK];
    dpc_bounds bounds[3], cells[DPC_MAX_RANK];
    dpc_alignment one[DPC_MAX_RANK], identity[DPC_MAX_RANK];
    DPC_AUTOMATIC dpc_array t = {0};
    DPC_AUTOMATIC dpc_array a = {0};
    DPC_AUTOMATIC dpc_array b = {0};
    random_bounds(rank, bounds);
    const int template_rank = random_template(rank, bounds, cells, one);
    dpc_grid *grid = random_mapping(template_rank, cells, formats);
    dpc_create_template(&t, "test:1", "T", template_rank, cells, formats, grid);
    dpc_create_aligned(&a, "test:2", "A", types[random_below(6)], rank, bounds, &t, one);
    for (int k = 0; k < rank; k++) identity[k] = (dpc_alignment)DPC_ALIGN(k, 1, 0);
    dpc_create_aligned(&b, "test:3", "B", types[random_below(6)], rank, bounds, &a, identity);
    for_local(&a, store_content);
    for_local(&b, store_content);
    expect(stands(&a, &t, one), "aligned", round);
    expect(stands(&b, &a, identity), "aligned with what is aligned", round);
    for (int step = 0; step < 2; step++) {
        grid = random_mapping(template_rank, cells, formats);
        dpc_redistribute(&t, "test:4", formats, grid);
        expect(stands(&a, &t, one), "followers", round);
        expect(stands(&b, &a, identity), "followers of followers", round);
    }
    dpc_realign(&b, "test:5", &t, one);
    expect(stands(&b, &t, one), "realigned", round);
    dpc_free(&a);
    grid = random_mapping(template_rank, cells, formats);
    dpc_redistribute(&t, "test:6", formats, grid);
    expect(stands(&b, &t, one), "the follower that is left", round);
}

/* ---- Copies: stores go to all, other uses take one */

static void create_copied(dpc_array *t, dpc_array *v, dpc_index extent) {
    const dpc_bounds cells[] = {{0, extent - 1}, {0, 7}};
    dpc_create_template(t, "test:7", "T", 2, cells, (const dpc_format[]){DPC_CYCLIC(3), DPC_BLOCK}, NULL);
    dpc_create_aligned(v, "test:8", "V", DPC_LONG, 1, cells, t,
                       (const dpc_alignment[]){DPC_ALIGN(0, 1, 0), DPC_COPIES});
}

static bool all_copies_are(const dpc_array *v, dpc_index at, long wanted) {
    int right = !dpc_owns_element(v, 1, &at) || *(long *)dpc_own_element(v, "test:9", 1, &at) == wanted;
    dpc_reduce(DPC_MIN, DPC_INT, &right);
    return right;
}

static void test_copies(int round) {
    const dpc_index extent = 1 + random_below(40), at = random_below(extent), other = random_below(extent);
    DPC_AUTOMATIC dpc_array t = {0};
    DPC_AUTOMATIC dpc_array v = {0};
    create_copied(&t, &v, extent);
    (void)dpc_set(long, &v, "test:10", 5 + round, at);
    expect(all_copies_are(&v, at, 5 + round), "stored in all copies", round);
    expect(dpc_get(long, &v, "test:11", at) == 5 + round, "read from one", round);
    const int process = dpc_storing_process(&v, "test:12", other);
    const long in = dpc_bring(long, &v, "test:12", process, at);
    if (dpc_stores(&v, "test:12", other)) dpc_element(long, &v, "test:12", other) = in + 1;
    expect(all_copies_are(&v, other, 6 + round), "brought to all copies", round);

    dpc_space s = {0}, u = {0};
    const dpc_subscript subscripts[] = {{0, 1, 0}};
    const dpc_range all = {0, extent - 1, 1};
    long executed = 0;
    dpc_forall(&s, "test:13", false, 1, &all);
    dpc_on_one(&s, &v, subscripts);
    executed = s.mine[0];
    dpc_reduce(DPC_SUM, DPC_LONG, &executed);
    expect(executed == extent, "each iteration once", round);
    dpc_forall(&u, "test:13", false, 1, &all);
    dpc_on(&u, &v, subscripts);
    executed = u.mine[0];
    dpc_reduce(DPC_SUM, DPC_LONG, &executed);
    expect(executed == extent * t.grid->extent[1], "by all copies", round);
}

/* Elements of a vector with copies, beside a matrix on the same template: nothing moves. */
static void test_own_copy(int round) {
    const dpc_index extent = 1 + random_below(40);
    const dpc_bounds bounds[] = {{0, extent - 1}, {0, 7}};
    const dpc_range ranges[] = {{0, extent - 1, 1}, {0, 7, 1}};
    const dpc_subscript row[] = {{0, 1, 0}}, both[] = {{0, 1, 0}, {1, 1, 0}};
    DPC_AUTOMATIC dpc_array t = {0};
    DPC_AUTOMATIC dpc_array v = {0};
    DPC_AUTOMATIC dpc_array m = {0};
    dpc_space s = {0};
    create_copied(&t, &v, extent);
    dpc_create_aligned(&m, "test:14", "M", DPC_LONG, 2, bounds, &t,
                       (const dpc_alignment[]){DPC_ALIGN(0, 1, 0), DPC_ALIGN(1, 1, 0)});
    for_local(&v, store_content);
    dpc_forall(&s, "test:15", false, 2, ranges);
    dpc_on(&s, &m, both);
    dpc_transfer *x = dpc_fetch(&s, &v, row);
    const long *values = dpc_arrive(x);
    bool right = true;
    for (dpc_run i = dpc_first_run(&s, 0); dpc_more(&i); dpc_next_run(&s, 0, &i))
        for (dpc_index k = 0; k < i.count; k++) {
            const dpc_index index = i.first + k * i.step;
            unsigned char bytes[32];
            content(&v, &index, bytes);
            right = right && memcmp(&values[i.position + k], bytes, sizeof *values) == 0;
        }
    expect(right, "the own copy", round);
    dpc_release(x);
}

/* ---- Ghost cells of intervals */

static bool halo_is_right(const dpc_array *a, dpc_index width) {
    const dpc_dim *d = &a->dim[0];
    if (a->elements == 0 || a->extent[0] == 0) return true;
    const dpc_index first = dpc_global(d, 0, a->coord[0]), last = dpc_global(d, a->extent[0] - 1, a->coord[0]);
    for (dpc_index x = dpc_maximum(first - width, d->lower); x <= dpc_minimum(last + width, d->lower + d->extent - 1);
         x++)
        if (((const long *)a->local)[x - first] != 3 * x + 1) return false;
    return true;
}

static void test_halo(int round) {
    const dpc_index extent = 1 + random_below(60), width = between(1, 4),
                    stride = between(1, 3) * (random_below(2) ? 1 : -1);
    const dpc_bounds bounds = {-2, extent - 3};
    const dpc_index x = stride * bounds.lower, y = stride * bounds.upper;
    const dpc_bounds cells = {dpc_minimum(x, y) - random_below(9), dpc_maximum(x, y) + random_below(20)};
    const dpc_width halo = {width, width, false};
    dpc_grid *line = random_grid(1);
    DPC_AUTOMATIC dpc_array t = {0};
    DPC_AUTOMATIC dpc_array a = {0};
    const dpc_format format =
        random_below(2) == 0 ? DPC_BLOCK : random_parts(cells.upper - cells.lower + 1, line->extent[0]);
    dpc_create_template(&t, "test:16", "T", 1, &cells, &format, line);
    const dpc_alignment standing = DPC_ALIGN(0, stride, 0);
    dpc_create_aligned_with_halo(&a, "test:17", "A", DPC_LONG, 1, &bounds, &t, &standing, &halo, false);
    for (dpc_index k = 0; k < a.extent[0]; k++) ((long *)a.local)[k] = 3 * dpc_global(&a.dim[0], k, a.coord[0]) + 1;
    dpc_changed(&a);
    dpc_refreshing *refreshing = dpc_refresh("test:18", 1, (dpc_array *const[]){&a});
    post_messages(refreshing);
    dpc_end_refresh(refreshing);
    expect(halo_is_right(&a, width), "ghost cells of intervals", round);
}

/* ---- What collectives along the grid serve, and what they do not */

static bool lies_along_grid(const dpc_array *a) {
    bool along = !a->spare;
    for (int k = 0; k < a->rank; k++) along = along && dpc_is_dealt(&a->dim[k]);
    return along;
}

static void test_panels_and_broadcasts(int round) {
    const dpc_bounds bounds[] = {{0, 5}, {0, 6}}, home_bounds[] = {{0, 5}};
    const dpc_range ranges[] = {{0, 5, 1}, {0, 6, 1}};
    const dpc_subscript home[] = {{0, 1, 0}}, operand[] = {{0, 1, 0}, {1, 1, 0}}, column[] = {{0, 1, 0}, {-1, 0, 4}},
                        single[] = {{-1, 0, 2}, {-1, 0, 3}};
    DPC_AUTOMATIC dpc_array m = {0};
    DPC_AUTOMATIC dpc_array h = {0};
    dpc_space s = {0};
    unsigned char bytes[32], value[32];
    bool right = true;
    random_array(&m, "M", 2, bounds);
    random_array(&h, "H", 1, home_bounds);
    dpc_forall(&s, "test:19", false, 2, ranges);
    s.own = 1;
    dpc_on(&s, &h, home);
    if (!lies_along_grid(&m) || !lies_along_grid(&h)) {
        dpc_panels *p = dpc_open_panels(&s, &m, operand, 1, 3, false);
        for (dpc_index first = 0; first < s.count[1]; first += 3) {
            const dpc_panel panel = dpc_next_panel(p);
            for (dpc_run i = dpc_first_run(&s, 0); dpc_more(&i); dpc_next_run(&s, 0, &i))
                for (dpc_index k = 0; k < i.count; k++)
                    for (dpc_index j = first; j < dpc_minimum(first + 3, s.count[1]); j++) {
                        content(&m, (const dpc_index[]){i.first + k * i.step, j}, bytes);
                        const char *place = (const char *)panel.values +
                                            ((j - first) * panel.down + (i.position + k) * panel.across) * m.size;
                        right = right && memcmp(place, bytes, (size_t)m.size) == 0;
                    }
        }
        dpc_close_panels(p);
        expect(right, "panels", round);
        dpc_transfer *t = dpc_broadcast(&s, &m, column);
        const char *values = dpc_arrive(t);
        for (dpc_run i = dpc_first_run(&s, 0); dpc_more(&i); dpc_next_run(&s, 0, &i))
            for (dpc_index k = 0; k < i.count; k++) {
                content(&m, (const dpc_index[]){i.first + k * i.step, 4}, bytes);
                right = right && memcmp(values + (i.position + k) * m.size, bytes, (size_t)m.size) == 0;
            }
        dpc_release(t);
        expect(right, "broadcast", round);
        const void *shared = dpc_share_element(&s, &m, value, single);
        content(&m, (const dpc_index[]){2, 3}, bytes);
        expect(!s.active || s.mine[0] == 0 || memcmp(shared, bytes, (size_t)m.size) == 0, "shared element", round);
    }
}

int main(int argc, char **argv) {
    dpc_init(0);
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int round = 0; round < 80 * rounds; round++) test_followers(round);
    for (int round = 0; round < 20 * rounds; round++) test_copies(round);
    for (int round = 0; round < 20 * rounds; round++) test_own_copy(round);
    for (int round = 0; round < 60 * rounds; round++) test_halo(round);
    for (int round = 0; round < 60 * rounds; round++) test_panels_and_broadcasts(round);
    return conclude();
}

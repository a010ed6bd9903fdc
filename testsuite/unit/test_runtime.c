/* libdpc on several processes against brute force: every array holds bytes that are a function of the global index, so
 * that every process knows what it must get.  Prints "N passed, N failed"; an argument multiplies the rounds. */
#include "arrays.h"

static bool holds_content(dpc_array *a) {
    return all_agree(a, compare_content);
}

/* ---- Fetches */

/* Random subscripts that use a random subset of the indices, and bounds that they keep to unless `cut`. */
static void random_reference(const dpc_space *s, int rank, bool cut, dpc_subscript *subscripts, dpc_bounds *bounds) {
    bool used[DPC_MAX_RANK] = {false};
    for (int k = 0; k < rank; k++) {
        const int index = (int)random_below(s->rank + 1) - 1;
        subscripts[k] = (dpc_subscript){-1, 0, between(-3, 9)};
        bounds[k] = (dpc_bounds){subscripts[k].offset - random_below(8), subscripts[k].offset + random_below(8)};
        if (index < 0 || used[index]) continue;
        used[index] = true;
        const dpc_index stride = random_below(4) == 0 ? between(-7, 7) : random_below(3) == 0 ? -1 : 1;
        subscripts[k] = (dpc_subscript){index, stride == 0 ? 2 : stride, between(-9, 9)};
        const dpc_index x = subscripts[k].offset + subscripts[k].stride * s->range[index].lower;
        const dpc_index y = subscripts[k].offset + subscripts[k].stride * s->range[index].upper;
        bounds[k] = (dpc_bounds){(x < y ? x : y) - random_below(4), (x < y ? y : x) + random_below(4)};
    }
    for (int k = 0; k < rank && cut; k++)
        if (random_below(2) == 0) {
            bounds[k].lower += random_below(4);
            bounds[k].upper -= random_below(4);
        }
    for (int k = 0; k < rank; k++)
        if (bounds[k].upper < bounds[k].lower) bounds[k].upper = bounds[k].lower + (cut ? -1 : 0);
}

static void random_space(dpc_space *s, bool clip) {
    dpc_range ranges[3];
    const int rank = (int)between(1, 3);
    static const dpc_index sizes[] = {0, 70, 14, 7};
    for (int d = 0; d < rank; d++) {
        const dpc_index stride = random_below(2) == 0 ? 1 : between(1, 4) * (random_below(2) == 0 ? 1 : -1);
        const dpc_index lower = between(-5, 5), count = random_below(12) == 0 ? 0 : random_below(sizes[rank]) + 1;
        ranges[d] = (dpc_range){lower, lower + (count - 1) * stride, stride};
        if (count == 0) ranges[d].upper = lower - stride;
    }
    dpc_forall(s, "test:2", clip, rank, ranges);
}

/* The array's element that an iteration reads, or false when it is outside (clip). */
static bool wanted(const dpc_array *a, const dpc_subscript *subscripts, const dpc_index *value, unsigned char *bytes) {
    dpc_index index[DPC_MAX_RANK];
    bool inside = true;
    for (int k = 0; k < a->rank; k++) {
        const dpc_subscript *sub = &subscripts[k];
        index[k] = sub->offset + (sub->index < 0 ? 0 : sub->stride * value[sub->index]);
        if (index[k] < a->dim[k].lower || index[k] >= a->dim[k].lower + a->dim[k].extent) inside = false;
    }
    memset(bytes, 0, 32);
    if (inside) content(a, index, bytes);
    return inside;
}

/* The iterations of index d that this process executes, by the runs: values and positions. */
static dpc_index list_runs(const dpc_space *s, int d, dpc_index *values, bool *right) {
    dpc_index n = 0;
    for (dpc_run r = dpc_first_run(s, d); dpc_more(&r); dpc_next_run(s, d, &r)) {
        *right = *right && r.position == n;
        for (dpc_index v = r.first; v <= r.last; v += r.step) {
            values[n++] = v;
            const int k = s->home_dim[d];
            if (k < 0) continue;
            const dpc_dim *dim = &s->home->dim[k];
            const dpc_index x = s->home_subscript[k].offset + s->home_subscript[k].stride * v;
            *right = *right && dpc_owner(dim, x) == s->home->coord[k] && dpc_local(dim, x) == x - r.shift;
        }
    }
    return n;
}

/* Where iterations go to neighbouring elements dealt in blocks, the runs by dpc_next_block_run are the same. */
static bool same_block_runs(const dpc_space *s, int d) {
    const int k = s->home_dim[d];
    if (k < 0 || s->home->dim[k].placement != NULL) return true;
    if (dpc_magnitude(s->home_subscript[k].stride * s->range[d].stride) != 1) return true;
    dpc_run x = dpc_first_run(s, d), y = x;
    for (; dpc_more(&x); dpc_next_run(s, d, &x), dpc_next_block_run(&y))
        if (x.first != y.first || x.last != y.last || x.count != y.count || x.position != y.position ||
            x.shift != y.shift || x.local != y.local)
            return false;
    return !dpc_more(&y);
}

/* The number of iterations of index d whose home element is here, by brute force. */
static dpc_index count_home(const dpc_space *s, int d) {
    dpc_index n = 0;
    const int k = s->home == NULL ? -1 : s->home_dim[d];
    if (k < 0) return s->count[d];
    for (dpc_index i = 0; i < s->count[d]; i++) {
        const dpc_dim *dim = &s->home->dim[k];
        const dpc_index x =
            s->home_subscript[k].offset + s->home_subscript[k].stride * (s->range[d].lower + i * s->range[d].stride);
        n += x >= dim->lower && x < dim->lower + dim->extent && dpc_owner(dim, x) == s->home->coord[k];
    }
    return n;
}

static bool executes(const dpc_space *s) {
    if (s->home == NULL) return true;
    if (!s->home->member) return false;
    for (int k = 0; k < s->home->rank; k++) {
        const dpc_dim *dim = &s->home->dim[k];
        const dpc_index x = s->home_subscript[k].offset;
        if (s->home_subscript[k].index >= 0) continue;
        if (x < dim->lower || x >= dim->lower + dim->extent || dpc_owner(dim, x) != s->home->coord[k]) return false;
    }
    return true;
}

static dpc_index values[3][100];

/* The space's own part, checked; leaves the values of my iterations in `values`. */
static bool check_space(const dpc_space *s) {
    bool right = true, any = executes(s);
    for (int d = 0; d < s->rank; d++) any = any && count_home(s, d) > 0;
    for (int d = 0; d < s->rank; d++) {
        right = right && s->mine[d] == (any ? count_home(s, d) : 0);
        right = list_runs(s, d, values[d], &right) == s->mine[d] && right;
        right = same_block_runs(s, d) && right;
    }
    return right;
}

/* Every element of the buffer stands at the positions of the iterations that read it. */
static bool check_fetched(const dpc_space *s, const dpc_array *c, const dpc_subscript *subscripts, const char *buffer) {
    dpc_index total = 1, value[3] = {0};
    unsigned char bytes[32];
    bool used[3] = {false};
    for (int k = 0; k < c->rank; k++)
        if (subscripts[k].index >= 0) used[subscripts[k].index] = true;
    for (int d = 0; d < s->rank; d++) total *= s->mine[d];
    for (dpc_index n = 0; n < total; n++) {
        dpc_index rest = n, offset = 0, size = 1;
        for (int d = s->rank - 1; d >= 0; d--) {
            const dpc_index position = rest % s->mine[d];
            rest /= s->mine[d];
            value[d] = values[d][position];
            if (!used[d]) continue;
            offset += position * size;
            size *= s->mine[d];
        }
        wanted(c, subscripts, value, bytes);
        if (memcmp(buffer + offset * c->size, bytes, (size_t)c->size) != 0) return false;
    }
    return true;
}

/* Any method and model: the same on every process. */
static void random_method(dpc_space *s) {
    static const dpc_method methods[] = {DPC_SETS_AUTO, DPC_SETS_CLOSED, DPC_SETS_ROWWISE, DPC_SETS_LATTICE,
                                         DPC_SETS_ENUMERATE};
    static const dpc_model models[] = {DPC_MODEL_AUTO, DPC_MODEL_CONVENTIONAL, DPC_MODEL_DEPOSIT, DPC_MODEL_DEPOSIT};
    s->sets = methods[random_below(5)];
    s->model = models[random_below(4)];
}

static void test_fetch(int round) {
    const bool clip = random_below(3) == 0;
    const int rank_a = (int)between(1, 3), rank_c = (int)between(1, 3), rank_b = (int)between(1, 2);
    dpc_space s = {0};
    dpc_subscript sub_a[3], sub_b[3], sub_c[3];
    dpc_bounds bounds_a[3], bounds_b[3], bounds_c[3];
    DPC_AUTOMATIC dpc_array a = {0}, b = {0}, c = {0};
    random_space(&s, clip);
    random_reference(&s, rank_a, clip, sub_a, bounds_a);
    random_reference(&s, rank_b, clip, sub_b, bounds_b);
    random_reference(&s, rank_c, clip, sub_c, bounds_c);
    random_array(&a, "A", rank_a, bounds_a);
    random_array(&b, "B", rank_b, bounds_b);
    random_array(&c, "C", rank_c, bounds_c);
    const bool replicated = random_below(8) == 0;
    dpc_on(&s, replicated ? NULL : &a, replicated ? NULL : sub_a);
    expect(check_space(&s), "space", round);
    random_method(&s);
    dpc_transfer *first = dpc_fetch(&s, &c, sub_c);
    random_method(&s);
    dpc_transfer *second = dpc_fetch(&s, &b, sub_b);
    const bool swap = random_below(2) == 0;
    if (swap) dpc_arrive(second);
    expect(check_fetched(&s, &c, sub_c, dpc_arrive(first)), "fetch", round);
    expect(check_fetched(&s, &b, sub_b, dpc_arrive(second)), "second fetch", round);
    dpc_release(first);
    dpc_release(second);
    dpc_free(&b);
    dpc_free(&c);
}

/* One fetch by every method and model. */
static void check_methods(dpc_space *s, const dpc_array *c, const dpc_subscript *subscripts, int round) {
    for (int method = DPC_SETS_AUTO; method <= DPC_SETS_ENUMERATE; method++)
        for (int model = DPC_MODEL_CONVENTIONAL; model <= DPC_MODEL_DEPOSIT; model++) {
            s->sets = (dpc_method)method;
            s->model = (dpc_model)model;
            dpc_transfer *t = dpc_fetch(s, c, subscripts);
            expect(check_fetched(s, c, subscripts, dpc_arrive(t)), "every method and model", round);
            dpc_release(t);
        }
}

/* A(l1 + i*s1, ...) = C(l2 + i*s2, ...) along one or two dimensions, each cyclic with a block of its own; strides of
 * both signs, within and beyond the blocks, dividing them and not; grids of any shape on both sides. */
static void test_methods(int round) {
    const int rank = 1 + round % 2;
    dpc_range ranges[2];
    dpc_subscript sub_a[2], sub_c[2];
    dpc_bounds bounds_a[2], bounds_c[2];
    dpc_format formats_a[2], formats_c[2];
    DPC_AUTOMATIC dpc_array a = {0}, c = {0};
    for (int k = 0; k < rank; k++) {
        const dpc_index count = between(1, rank == 1 ? 99 : 25);
        const dpc_index sa = between(1, 5) * (random_below(2) == 0 ? 1 : -1);
        const dpc_index sc = between(1, 5) * (random_below(2) == 0 ? 1 : -1);
        const dpc_index block_a = random_below(2) == 0 ? between(1, 4) * dpc_magnitude(sa) : between(1, 12);
        const dpc_index block_c = random_below(2) == 0 ? between(1, 4) * dpc_magnitude(sc) : between(1, 12);
        ranges[k] = (dpc_range){0, count - 1, 1};
        sub_a[k] = (dpc_subscript){k, sa, 2};
        sub_c[k] = (dpc_subscript){rank - 1 - k, sc, -3};
        formats_a[k] = DPC_CYCLIC(block_a);
        formats_c[k] = DPC_CYCLIC(block_c);
    }
    for (int k = 0; k < rank; k++) {
        const dpc_index reach_a = sub_a[k].stride * ranges[sub_a[k].index].upper;
        const dpc_index reach_c = sub_c[k].stride * ranges[sub_c[k].index].upper;
        bounds_a[k] = (dpc_bounds){dpc_minimum(2, 2 + reach_a) - random_below(5), dpc_maximum(2, 2 + reach_a)};
        bounds_c[k] = (dpc_bounds){dpc_minimum(-3, reach_c - 3) - random_below(5), dpc_maximum(-3, reach_c - 3)};
    }
    dpc_create(&a, "test:15", "A", types[random_below(6)], rank, bounds_a, formats_a, random_grid(rank));
    dpc_create(&c, "test:16", "C", types[random_below(6)], rank, bounds_c, formats_c, random_grid(rank));
    for_local(&c, store_content);
    dpc_space s = {0};
    dpc_forall(&s, "test:17", false, rank, ranges);
    dpc_on(&s, random_below(8) == 0 ? NULL : &a, sub_a);
    expect(check_space(&s), "space of every method", round);
    check_methods(&s, &c, sub_c, round);
}

/* ---- Iterations that belong to nobody */

/* Each by one process, by as many as there are; the same space again with other ranges. */
static void test_deal_out(int round) {
    enum { MOST = 12 };
    static dpc_space s;
    int times[MOST][MOST] = {{0}}, mine = 0, least, most;
    dpc_range ranges[2];
    for (int k = 0; k < 2; k++) ranges[k] = (dpc_range){between(0, 3), between(0, MOST - 1), between(1, 3)};
    dpc_forall(&s, "test:30", false, 2, ranges);
    dpc_deal_out(&s, 1 << 0 | 1 << 1);
    if (s.mine[0] > 0 && s.mine[1] > 0) {
        const dpc_run x = dpc_first_run(&s, 0), y = dpc_first_run(&s, 1);
        for (long i = x.first; i <= x.last; i += x.step)
            for (long j = y.first; j <= y.last; j += y.step) times[i][j]++, mine++;
    }
    MPI_Allreduce(MPI_IN_PLACE, times, MOST * MOST, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bool once = true;
    for (dpc_index i = 0; i < MOST; i++)
        for (dpc_index j = 0; j < MOST; j++) {
            const bool due = i >= ranges[0].lower && i <= ranges[0].upper &&
                             (i - ranges[0].lower) % ranges[0].stride == 0 && j >= ranges[1].lower &&
                             j <= ranges[1].upper && (j - ranges[1].lower) % ranges[1].stride == 0;
            once = once && times[i][j] == due;
        }
    expect(once, "iterations dealt out: each once", round);
    MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    const dpc_index shorter = dpc_minimum(s.count[0], s.count[1]);
    expect(most - least <= shorter, "iterations dealt out: in equal parts", round);
}

/* ---- Redistribution */

static void test_redistribute(int round) {
    const int rank = (int)between(1, 3);
    dpc_bounds bounds[3];
    dpc_format formats[DPC_MAX_RANK];
    DPC_AUTOMATIC dpc_array a = {0};
    random_bounds(rank, bounds);
    random_array(&a, "A", rank, bounds);
    for (int step = 0; step < 3; step++) {
        dpc_grid *grid = random_mapping(rank, bounds, formats);
        dpc_redistribute(&a, "test:3", formats, grid);
        expect(holds_content(&a), "redistribute", round);
        expect(a.elements == 0 || a.member, "members only", round);
    }
}

/* ---- The same transfers again and again: their plans are kept, more of them than there is room for. */

typedef struct {
    dpc_space space;
    dpc_subscript home_subscript[3], subscript[3];
    dpc_array home, read;
} statement;

enum { STATEMENTS = 70 };
static statement statements[STATEMENTS];

static void make_statement(statement *m) {
    const bool clip = random_below(3) == 0;
    const int home_rank = (int)between(1, 2), rank = (int)between(1, 2);
    dpc_bounds home_bounds[3], bounds[3];
    random_space(&m->space, clip);
    random_reference(&m->space, home_rank, clip, m->home_subscript, home_bounds);
    random_reference(&m->space, rank, clip, m->subscript, bounds);
    random_array(&m->home, "A", home_rank, home_bounds);
    random_array(&m->read, "C", rank, bounds);
}

/* Fetches twice at the same time, then other values. */
static void run_statement(statement *m, int round) {
    dpc_on(&m->space, &m->home, m->home_subscript);
    expect(check_space(&m->space), "space again", round);
    for_local(&m->read, store_content);
    random_method(&m->space);
    dpc_transfer *first = dpc_fetch(&m->space, &m->read, m->subscript);
    const bool early = random_below(2) == 0;
    if (early) expect(check_fetched(&m->space, &m->read, m->subscript, dpc_arrive(first)), "first of two", round);
    dpc_transfer *second = dpc_fetch(&m->space, &m->read, m->subscript);
    expect(check_fetched(&m->space, &m->read, m->subscript, dpc_arrive(second)), "second of two", round);
    expect(check_fetched(&m->space, &m->read, m->subscript, dpc_arrive(first)), "first of two, late", round);
    dpc_release(first);
    dpc_release(second);
    generation += 0x9e3779b97f4a7c15u;
    for_local(&m->read, store_content);
    dpc_transfer *third = dpc_fetch(&m->space, &m->read, m->subscript);
    expect(check_fetched(&m->space, &m->read, m->subscript, dpc_arrive(third)), "other values", round);
    dpc_release(third);
}

/* Another mapping, the same values. */
static void remap(dpc_array *a, int round) {
    dpc_bounds bounds[DPC_MAX_RANK];
    dpc_format formats[DPC_MAX_RANK];
    for (int k = 0; k < a->rank; k++) bounds[k] = (dpc_bounds){a->dim[k].lower, a->dim[k].lower + a->dim[k].extent - 1};
    dpc_grid *grid = random_mapping(a->rank, bounds, formats);
    for_local(a, store_content);
    dpc_redistribute(a, "test:11", formats, grid);
    expect(holds_content(a), "redistribute between fetches", round);
}

/* A statement that is chosen by bits: each changes one thing that its plan depends on. */
static void choose_statement(statement *m, unsigned bits) {
    const dpc_index lower = bits & 1 ? -6 : -5, extent = bits & 2 ? 60 : 61, columns = bits & 4 ? 5 : 6;
    const dpc_index fewer[] = {dpc_nprocs() > 1 ? dpc_nprocs() - 1 : 1};
    const dpc_bounds bounds[] = {{lower, lower + extent - 1}, {0, columns - 1}}, home_bounds[] = {{0, 40}};
    const dpc_format formats[] = {bits & 8 ? DPC_CYCLIC(3) : DPC_CYCLIC(4), DPC_STAR};
    const dpc_format home_formats[] = {bits & 16 ? DPC_BLOCK : DPC_CYCLIC(2)};
    const dpc_range range = {0, bits & 32 ? 19 : 18, 1};
    m->subscript[0] = (dpc_subscript){0, bits & 64 ? 1 : 2, bits & 128 ? 0 : 1};
    m->subscript[1] = (dpc_subscript){-1, 0, 3};
    m->home_subscript[0] = (dpc_subscript){0, 2, bits & 256 ? 0 : 1};
    dpc_grid *grid = bits & 512 ? dpc_default_grid(1) : dpc_new_grid("test", "fewer", 1, fewer);
    dpc_create(&m->read, "test:12", "C", DPC_INT, 2, bounds, formats, grid);
    dpc_create(&m->home, "test:13", "A", DPC_INT, 1, home_bounds, home_formats, NULL);
    dpc_forall(&m->space, "test:14", false, 1, &range);
}

/* Each statement differs from the one before in one thing. */
static void test_neighbours(void) {
    for (unsigned number = 0; number < 1024; number++) {
        statement *m = &statements[0];
        choose_statement(m, number ^ number >> 1);
        run_statement(m, (int)number);
        dpc_free(&m->home);
        dpc_free(&m->read);
    }
}

static void test_repeats(int round) {
    for (int n = 0; n < STATEMENTS; n++) make_statement(&statements[n]);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < STATEMENTS; n++) run_statement(&statements[n], round);
    for (int n = 0; n < 2 * STATEMENTS; n++) {
        statement *m = &statements[random_below(n % 3 == 0 ? STATEMENTS : 5)];
        if (random_below(3) == 0) remap(random_below(2) == 0 ? &m->home : &m->read, round);
        run_statement(m, round);
    }
    for (int n = 0; n < STATEMENTS; n++) {
        dpc_free(&statements[n].home);
        dpc_free(&statements[n].read);
    }
}

/* ---- Elements */

/* `count` tuples inside the array; different ones on different processes unless `same`. */
static dpc_index *random_tuples(const dpc_array *a, dpc_index count, bool same) {
    dpc_index *tuples = dpc_buffer(count * a->rank, sizeof *tuples);
    const uint64_t common = random_state;
    if (!same) random_state ^= (uint64_t)(dpc_rank() + 1) * 0x9e3779b97f4a7c15u;
    for (dpc_index n = 0; n < count * a->rank; n++) {
        const dpc_dim *d = &a->dim[n % a->rank];
        tuples[n] = d->lower + random_below(d->extent);
    }
    random_state = common;
    random_below(2);
    return tuples;
}

static bool is_empty(const dpc_array *a) {
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].extent == 0) return true;
    return false;
}

static void test_gather_scatter(int round) {
    const int rank = (int)between(1, 3);
    dpc_bounds bounds[3];
    unsigned char bytes[32];
    DPC_AUTOMATIC dpc_array a = {0};
    random_bounds(rank, bounds);
    random_array(&a, "A", rank, bounds);
    const dpc_index count = is_empty(&a) ? 0 : (random_below(60) * (1 + dpc_rank() % 3)) % 77;
    dpc_index *tuples = random_tuples(&a, count, false);
    char *got = dpc_gather("test:4", &a, false, count, tuples);
    bool right = true;
    for (dpc_index n = 0; n < count; n++) {
        content(&a, tuples + n * rank, bytes);
        right = right && memcmp(bytes, got + n * a.size, (size_t)a.size) == 0;
    }
    expect(right, "gather", round);
    const unsigned char zeroes[32] = {0};
    dpc_fill(&a, zeroes);
    dpc_scatter("test:5", &a, count, tuples, got);
    char *again = dpc_gather("test:6", &a, false, count, tuples);
    expect(memcmp(again, got, (size_t)(count * a.size)) == 0, "scatter", round);
    dpc_free_buffer(again);
    dpc_free_buffer(got);
    dpc_free_buffer(tuples);
}

/* The elements of a box that are inside the array are those that its parts add up to.  around: NULL, or of each part
 * its modulus, if it has one. */
static bool holds_submatrix(const dpc_array *a, const dpc_submatrix *x, int parts, const dpc_submatrix_part *part,
                            const dpc_index *around) {
    dpc_index boxes = 1;
    bool right = true;
    for (int k = 0; k < parts; k++) boxes *= dpc_maximum(0, part[k].last - part[k].first + 1);
    for (dpc_index n = 0; n < boxes; n++) {
        dpc_index index = 0, place = 0, rest = n, at[DPC_MOST_PARTS];
        unsigned char bytes[32];
        for (int k = parts - 1; k >= 0; k--) {
            const dpc_index count = part[k].last - part[k].first + 1;
            at[k] = part[k].first + rest % count;
            rest /= count;
            const dpc_index modulus = around == NULL ? DPC_NO_MODULUS : around[k];
            index += part[k].weight * (modulus == DPC_NO_MODULUS ? at[k] : (at[k] % modulus + modulus) % modulus);
        }
        for (int k = 0; k < parts; k++) place = place * x->across[k] + at[k];
        if (!dpc_holds(&a->dim[0], index)) continue;
        content(a, &index, bytes);
        right = right && memcmp(bytes, (char *)x->origin + place * a->size, (size_t)a->size) == 0;
    }
    return right;
}

static void test_submatrices(int round) {
    dpc_bounds bounds[1];
    dpc_submatrix_part part[DPC_MOST_PARTS];
    dpc_index moduli[DPC_MOST_PARTS], *around = random_below(2) == 0 ? moduli : NULL;
    DPC_AUTOMATIC dpc_array a = {0};
    const int parts = (int)between(1, DPC_MOST_PARTS);
    const bool stored = random_below(2) == 0, apart = random_below(4) > 0;
    random_bounds(1, bounds);
    random_array(&a, "A", 1, bounds);
    const uint64_t common = random_state;
    if (apart) random_state ^= (uint64_t)(dpc_rank() + 1) * 0x9e3779b97f4a7c15u;
    const dpc_index lower = bounds[0].lower, upper = bounds[0].upper;
    dpc_index weight = 1;
    for (int k = parts - 1; k >= 0; k--) {
        const dpc_index first = k == 0 ? between(lower, upper + 1) / (weight == 0 ? 1 : weight) : between(-2, 2);
        part[k] = (dpc_submatrix_part){weight, first, first + random_below(5) - (random_below(8) == 0)};
        weight = random_below(8) == 0 ? between(-9, 9) : random_below(2) == 0 ? weight * between(1, 4) : between(1, 7);
    }
    for (int k = 0; k < parts; k++) moduli[k] = random_below(2) == 0 ? DPC_NO_MODULUS : between(1, 9);
    random_state = common;
    random_below(2);
    dpc_submatrix x = dpc_fetch_submatrix("test:11", &a, stored, parts, part, around);
    if (stored) dpc_fill(&a, (unsigned char[32]){0});
    expect(holds_submatrix(&a, &x, parts, part, around), "submatrix", round);
    expect(!stored || x.values != NULL, "submatrix apart", round);
    dpc_free_submatrix(&x);
}

static void test_elements(int round) {
    dpc_bounds bounds[2] = {{-2, between(-2, 30)}, {1, between(1, 9)}};
    dpc_format formats[2];
    DPC_AUTOMATIC dpc_array a = {0};
    dpc_grid *grid = random_mapping(2, bounds, formats);
    dpc_create(&a, "test:7", "A", DPC_DOUBLE, 2, bounds, formats, grid);
    for (int n = 0; n < 5; n++) {
        const dpc_index i = between(-2, bounds[0].upper), j = between(1, bounds[1].upper);
        const double stored = dpc_set(double, &a, "test:8", 2.5 * (double)i + (double)j, i, j);
        expect(stored == 2.5 * (double)i + (double)j, "value of dpc_set", round);
        expect(dpc_get(double, &a, "test:9", i, j) == 2.5 * (double)i + (double)j, "dpc_get", round);
        int here = dpc_mine(&a, "test:10", (const dpc_index[]){i, j}) != NULL;
        dpc_reduce(DPC_SUM, DPC_INT, &here);
        expect(here == 1, "one owner", round);
    }
}

/* ---- Reductions */

#define CHECK_REDUCTION(enumerator, ctype)                                                                             \
    {                                                                                                                  \
        ctype value = (ctype)(dpc_rank() % 7 + 1), least = value, most = value;                                        \
        ctype total = 0;                                                                                               \
        for (int p = 0; p < dpc_nprocs(); p++) total = (ctype)(total + (ctype)(p % 7 + 1));                            \
        dpc_reduce(DPC_SUM, enumerator, &value);                                                                       \
        dpc_reduce(DPC_MIN, enumerator, &least);                                                                       \
        dpc_reduce(DPC_MAX, enumerator, &most);                                                                        \
        expect(value == total, #ctype " sum", 0);                                                                      \
        expect(least == 1 && most == (ctype)(dpc_nprocs() < 7 ? dpc_nprocs() : 7), #ctype " extremes", 0);             \
    }

static void test_reductions(void) {
    CHECK_REDUCTION(DPC_CHAR, char)
    CHECK_REDUCTION(DPC_SIGNED_CHAR, signed char)
    CHECK_REDUCTION(DPC_UNSIGNED_CHAR, unsigned char)
    CHECK_REDUCTION(DPC_SHORT, short)
    CHECK_REDUCTION(DPC_UNSIGNED_SHORT, unsigned short)
    CHECK_REDUCTION(DPC_INT, int)
    CHECK_REDUCTION(DPC_UNSIGNED, unsigned)
    CHECK_REDUCTION(DPC_LONG, long)
    CHECK_REDUCTION(DPC_UNSIGNED_LONG, unsigned long)
    CHECK_REDUCTION(DPC_LONG_LONG, long long)
    CHECK_REDUCTION(DPC_UNSIGNED_LONG_LONG, unsigned long long)
    CHECK_REDUCTION(DPC_FLOAT, float)
    CHECK_REDUCTION(DPC_DOUBLE, double)
    CHECK_REDUCTION(DPC_LONG_DOUBLE, long double)
    double _Complex z = dpc_rank() + 1.0;
    float _Complex f = (float)dpc_rank() + 1.0f;
    long double _Complex l = dpc_rank() + 1.0L;
    const double total = dpc_nprocs() * (dpc_nprocs() + 1) / 2.0;
    dpc_reduce(DPC_SUM, DPC_DOUBLE_COMPLEX, &z);
    dpc_reduce(DPC_SUM, DPC_FLOAT_COMPLEX, &f);
    dpc_reduce(DPC_SUM, DPC_LONG_DOUBLE_COMPLEX, &l);
    expect(z == total && f == (float)total && l == (long double)total, "complex sums", 0);
    _Bool any = dpc_rank() == dpc_nprocs() - 1, all = dpc_rank() != 0, one = 1;
    dpc_reduce(DPC_MAX, DPC_BOOL, &any);
    dpc_reduce(DPC_MIN, DPC_BOOL, &all);
    dpc_reduce(DPC_SUM, DPC_BOOL, &one);
    expect(any && !all && one, "bool", 0);
}

static void test_grids(void) {
    const dpc_index stars[] = {DPC_CHOSEN, DPC_CHOSEN, DPC_CHOSEN}, partly[] = {DPC_CHOSEN, 1};
    const dpc_grid *cube = dpc_new_grid("test", "cube", 3, stars), *row = dpc_new_grid("test", "row", 2, partly);
    expect(cube->size == dpc_nprocs() && row->extent[0] == dpc_nprocs() && row->extent[1] == 1, "grids", 0);
    expect(row->coord[0] == dpc_rank() && cube == dpc_new_grid("test", "cube", 3, stars), "coordinates", 0);
    expect(dpc_wtime() >= 0 && time(NULL) >= 0, "times", 0);
}

int main(int argc, char **argv) {
    dpc_init(0);
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    test_grids();
    test_reductions();
    for (int round = 0; round < 300 * rounds; round++) test_fetch(round);
    for (int round = 0; round < 60 * rounds; round++) test_methods(round);
    for (int round = 0; round < 100 * rounds; round++) test_deal_out(round);
    for (int round = 0; round < 100 * rounds; round++) test_redistribute(round);
    test_neighbours();
    for (int round = 0; round < rounds; round++) test_repeats(round);
    for (int round = 0; round < 60 * rounds; round++) test_gather_scatter(round);
    for (int round = 0; round < 300 * rounds; round++) test_submatrices(round);
    for (int round = 0; round < 20 * rounds; round++) test_elements(round);
    return conclude();
}

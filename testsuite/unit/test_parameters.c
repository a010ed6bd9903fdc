/* Distributed parameters (dpc_receive, dpc_give_back) against their definition: arrays, sections and ordinary memory
 * passed for parameters of random, equal and inherited mappings, also from one parameter to the next.  Prints "N
 * passed, N failed"; an argument multiplies the rounds. */
#include "arrays.h"

/* What is passed, and what the function sees of it. */
typedef struct {
    dpc_array argument;     /* as the caller sees it; of memory its rank and the size of its elements only */
    dpc_triplet section[3]; /* per dimension of the argument, whole ones too */
    dpc_bounds bounds[3];   /* of the parameter */
    int rank;               /* of the parameter */
    bool changed;           /* the function assigns every element */
    uint64_t before, after; /* generations of what is passed */
} passing;

static const passing *now;
static uint64_t generations;

static bool is_single(const dpc_triplet *t) {
    return t->stride == INT64_MIN;
}

/* ---- Elements of parameter and argument */

/* Of the argument, where the parameter's is x. */
static void argument_index(const dpc_index *x, dpc_index *index) {
    for (int k = 0, d = 0; k < now->argument.rank; k++) {
        const dpc_triplet *t = &now->section[k];
        index[k] = t->lower;
        if (is_single(t)) continue;
        index[k] += (x[d] - now->bounds[d].lower) * t->stride;
        d++;
    }
}

static bool is_passed(const dpc_index *index) {
    for (int k = 0, d = 0; k < now->argument.rank; k++) {
        const dpc_triplet *t = &now->section[k];
        const dpc_index from = index[k] - t->lower;
        if (is_single(t) && from != 0) return false;
        if (is_single(t)) continue;
        const dpc_index extent = now->bounds[d].upper - now->bounds[d].lower + 1, n = from / t->stride;
        d++;
        if (from % t->stride != 0 || n < 0 || n >= extent) return false;
    }
    return true;
}

static void compare_parameter(dpc_array *x, const dpc_index *at, unsigned char *element) {
    (void)x;
    dpc_index index[DPC_MAX_RANK];
    argument_index(at, index);
    generation = now->before;
    compare_content((dpc_array *)&now->argument, index, element);
}

static void store_parameter(dpc_array *x, const dpc_index *at, unsigned char *element) {
    (void)x;
    dpc_index index[DPC_MAX_RANK];
    argument_index(at, index);
    generation = now->after;
    content(&now->argument, index, element);
}

/* After the call. */
static void compare_argument(dpc_array *a, const dpc_index *index, unsigned char *element) {
    (void)a;
    generation = now->changed && is_passed(index) ? now->after : now->before;
    compare_content((dpc_array *)&now->argument, index, element);
}

/* Visits every element of row-major memory; indices from 0. */
static void for_memory(unsigned char *memory, void (*visit)(dpc_array *, const dpc_index *, unsigned char *)) {
    dpc_index index[3], elements = 1;
    for (int k = 0; k < now->rank; k++) elements *= now->section[k].upper + 1;
    for (dpc_index n = 0; n < elements; n++) {
        for (dpc_index k = now->rank - 1, rest = n; k >= 0; rest /= now->section[k--].upper + 1)
            index[k] = rest % (now->section[k].upper + 1);
        visit(NULL, index, memory + n * now->argument.size);
    }
}

static void store_before(dpc_array *a, const dpc_index *index, unsigned char *element) {
    (void)a;
    generation = now->before;
    content(&now->argument, index, element);
}

/* ---- Calls */

/* Subscripts and sections of any stride; the whole array is one of unit strides.  What is left has other lower bounds.
 */
static void choose_part(passing *p, bool whole) {
    const dpc_array *a = &p->argument;
    const int first = (int)random_below(a->rank);
    p->rank = 0;
    for (int k = 0; k < a->rank; k++) {
        const dpc_index lower = a->dim[k].lower, extent = a->dim[k].extent, upper = lower + extent - 1;
        p->section[k] = (dpc_triplet){lower, upper, 1};
        if (!whole && extent > 0 && k != first && random_below(3) == 0) {
            p->section[k] = (dpc_triplet){between(lower, upper), 0, INT64_MIN};
            continue;
        }
        if (!whole && extent > 0) {
            const dpc_index low = between(lower, upper), high = between(low, upper),
                            stride = between(1, random_below(2) ? 1 : 4);
            p->section[k] = random_below(4) == 0 ? (dpc_triplet){high, low, -stride} : (dpc_triplet){low, high, stride};
        }
        const dpc_triplet *t = &p->section[k];
        p->bounds[p->rank].lower = between(-5, 5);
        p->bounds[p->rank].upper = p->bounds[p->rank].lower + dpc_count(t->lower, t->upper, t->stride) - 1;
        p->rank++;
    }
}

static void pass_array(dpc_array *a, uint64_t before, int depth, int round);

/* What a function does: looks at its parameter, passes it on, changes it. */
static void use_parameter(dpc_array *x, const passing *p, int depth, int round) {
    bool same_bounds = x->rank == p->rank;
    for (int k = 0; k < p->rank; k++)
        same_bounds = same_bounds && x->dim[k].lower == p->bounds[k].lower &&
                      x->dim[k].extent == p->bounds[k].upper - p->bounds[k].lower + 1;
    expect(same_bounds && strcmp(x->name, "X") == 0, "the parameter's name and bounds", round);
    expect(all_agree(x, compare_parameter), "what is passed", round);
    if (!p->changed) return;
    if (depth < 2 && random_below(2) == 0) {
        generation = ++generations;
        for_local(x, store_content);
        dpc_changed(x);
        pass_array(x, generation, depth + 1, round);
        now = p;
    }
    for_local(x, store_parameter);
    dpc_changed(x);
}

static void pass_array(dpc_array *a, uint64_t before, int depth, int round) {
    const bool whole = random_below(2) == 0, inherits = random_below(4) == 0;
    const bool equal = whole && !is_irregular(a) && random_below(3) == 0;
    passing p = {.argument = *a, .changed = random_below(4) > 0, .before = before, .after = ++generations};
    dpc_format formats[DPC_MAX_RANK];
    choose_part(&p, whole);
    dpc_grid *grid = equal ? a->grid : random_mapping(p.rank, p.bounds, formats);
    if (equal) memcpy(formats, a->format, sizeof a->format);
    const dpc_argument g = {.where = "test:1", .array = a, .section = whole ? NULL : p.section};
    dpc_parameter q = {.argument = &g, .changed = p.changed, .own = random_below(5) == 0};
    const bool in_place = whole && !q.own && (inherits || equal);
    now = &p;
    dpc_array *x =
        dpc_receive(&q, "test:2", "X", a->type, p.rank, p.bounds, inherits ? NULL : formats, inherits ? NULL : grid);
    expect(in_place ? x == a : !q.own || x != a, "in place", round);
    use_parameter(x, &p, depth, round);
    dpc_give_back(&q);
    expect(all_agree(a, compare_argument), "what comes back", round);
    bool same = a->name == p.argument.name && a->grid == p.argument.grid;
    for (int k = 0; k < a->rank; k++) same = same && a->dim[k].lower == p.argument.dim[k].lower;
    expect(same, "the argument's name, grid and bounds", round);
}

/* Two constant parameters that are the same array, or parts of it: each keeps its own bounds. */
static void pass_twice(dpc_array *a, uint64_t before, int round) {
    const bool whole[] = {random_below(2) == 0, random_below(2) == 0},
               inherits[] = {random_below(2) == 0, random_below(2) == 0};
    passing p[2] = {{.argument = *a, .before = before}, {.argument = *a, .before = before}};
    dpc_argument g[2];
    dpc_parameter q[2];
    for (int k = 0; k < 2; k++) {
        dpc_format formats[DPC_MAX_RANK];
        choose_part(&p[k], whole[k]);
        dpc_grid *grid = random_mapping(p[k].rank, p[k].bounds, formats);
        g[k] = (dpc_argument){.where = "test:5", .array = a, .section = whole[k] ? NULL : p[k].section};
        q[k] = (dpc_parameter){.argument = &g[k], .before = k == 0 ? NULL : &q[0]};
        now = &p[k];
        dpc_array *x = dpc_receive(&q[k], "test:6", "X", a->type, p[k].rank, p[k].bounds, inherits[k] ? NULL : formats,
                                   inherits[k] ? NULL : grid);
        use_parameter(x, &p[k], 0, round);
    }
    now = &p[0];
    expect(all_agree(q[0].array, compare_parameter), "the first of two parameters", round);
    dpc_give_back(&q[1]);
    dpc_give_back(&q[0]);
    expect(all_agree(a, compare_argument), "what two parameters leave", round);
}

static void test_arrays(int round) {
    const int rank = (int)between(1, 3);
    dpc_bounds bounds[3];
    DPC_AUTOMATIC dpc_array a = {0};
    random_bounds(rank, bounds);
    generation = ++generations;
    random_array(&a, "A", rank, bounds);
    const uint64_t before = generation;
    pass_twice(&a, before, round);
    pass_array(&a, before, 0, round);
}

/* Every process has a copy of the argument, and gets the result. */
static void test_memory(int round) {
    static const dpc_index sizes[] = {1, 2, 4, 8, 16, 32};
    const int kind = (int)random_below(6);
    const dpc_type type = types[kind];
    passing p = {
        .rank = (int)between(1, 3), .changed = random_below(4) > 0, .before = ++generations, .after = ++generations};
    dpc_index elements = 1;
    random_bounds(p.rank, p.bounds);
    for (int k = 0; k < p.rank; k++) {
        const dpc_index extent = p.bounds[k].upper - p.bounds[k].lower + 1;
        p.section[k] = (dpc_triplet){0, extent - 1, 1};
        elements *= extent;
    }
    p.argument.rank = p.rank;
    p.argument.size = sizes[kind];
    unsigned char *memory = malloc((size_t)(elements * p.argument.size) + 1);
    dpc_format formats[DPC_MAX_RANK];
    dpc_grid *grid = random_mapping(p.rank, p.bounds, formats);
    const bool inherits = random_below(4) == 0;
    const dpc_argument g = {.where = "test:3", .memory = memory, .type = type};
    dpc_parameter q = {.argument = &g, .changed = p.changed};
    now = &p;
    for_memory(memory, store_before);
    use_parameter(
        dpc_receive(&q, "test:4", "X", type, p.rank, p.bounds, inherits ? NULL : formats, inherits ? NULL : grid), &p,
        0, round);
    dpc_give_back(&q);
    all_right = true;
    for_memory(memory, compare_argument);
    expect(all_right, "what comes back to memory", round);
    free(memory);
}

int main(int argc, char **argv) {
    dpc_init(0);
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int round = 0; round < 150 * rounds; round++) test_arrays(round);
    for (int round = 0; round < 30 * rounds; round++) test_memory(round);
    return conclude();
}

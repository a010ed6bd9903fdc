/* Statements that are computed while ghost cells or fetched values travel, on several processes: every iteration is
 * executed once, those before they have come read none of them, and those behind read what their owners have.  Prints
 * "N passed, N failed"; an argument multiplies the rounds. */
#include "../../runtime/dpc.h"
#include "random.h"
#include "rounds.h"

#include <string.h>

enum { MOST_EXTENT = 60, MOST_RANK = 3 };

/* ---- A statement with one iteration for each element, or each second one, and what it reads around it */

typedef struct {
    dpc_array *array;
    dpc_subscript subscript[MOST_RANK];
    dpc_width reach[MOST_RANK];
    long generation;
    char *executed; /* per element of the whole array */
    long early;     /* iterations before the ghost cells have come */
    bool right;
} statement;

static long element_number(const dpc_array *a, const dpc_index *at) {
    long number = 0;
    for (int k = 0; k < a->rank; k++) number = number * a->dim[k].extent + at[k] - a->dim[k].lower;
    return number;
}

static bool exists(const dpc_array *a, int k, dpc_index x) {
    return x >= a->dim[k].lower && x < a->dim[k].lower + a->dim[k].extent;
}

/* The element `distance` beyond the one at `at` along dimension k is in the same block of this process. */
static bool is_own(const dpc_array *a, int k, dpc_index at, dpc_index distance) {
    const dpc_dim *d = &a->dim[k];
    return dpc_owner(d, at + distance) == a->coord[k] && dpc_local(d, at + distance) - dpc_local(d, at) == distance;
}

static bool holds(const statement *s, const dpc_index *at, const dpc_index *distance) {
    const dpc_array *a = s->array;
    dpc_index place = 0, there[MOST_RANK];
    for (int k = 0; k < a->rank; k++) {
        place += (dpc_local(&a->dim[k], at[k]) + distance[k]) * a->stride[k];
        there[k] = at[k] + distance[k];
        if (!exists(a, k, there[k])) return true;
    }
    return ((const long *)a->local)[place] == s->generation + element_number(a, there);
}

/* What is read beside at most `left` more of the dimensions from k on: the farthest on both sides. */
static bool holds_corners(const statement *s, const dpc_index *at, dpc_index *distance, int k, int left) {
    if (k == s->array->rank) return holds(s, at, distance);
    bool right = holds_corners(s, at, distance, k + 1, left);
    for (int high = 0; left > 0 && high <= 1; high++) {
        distance[k] = high ? s->reach[k].high : -s->reach[k].low;
        right = holds_corners(s, at, distance, k + 1, left - 1) && right;
    }
    distance[k] = 0;
    return right;
}

/* What is read along each dimension, and corners. */
static void execute(statement *s, const dpc_index *at, bool early) {
    const dpc_array *a = s->array;
    dpc_index distance[MOST_RANK] = {0};
    s->executed[element_number(a, at)]++;
    s->early += early;
    for (int k = 0; k < a->rank; k++) {
        for (dpc_index d = -s->reach[k].low; d <= s->reach[k].high; d++) {
            distance[k] = d;
            s->right = s->right && holds(s, at, distance);
            if (early && exists(a, k, at[k] + d)) s->right = s->right && is_own(a, k, at[k], d);
        }
        distance[k] = 0;
    }
    if (!early) s->right = s->right && holds_corners(s, at, distance, 0, a->corners);
}

/* The box is inside: nothing has been waited for. */
static bool is_early(const dpc_box *box) {
    return box->next == 0;
}

/* The loops of index k and those inside it. */
static void loop(statement *s, const dpc_box *box, int k, dpc_index *at) {
    const dpc_subscript *u = &s->subscript[k];
    const bool runs = s->array->format[k].kind == DPC_FORMAT_CYCLIC;
    if (k == s->array->rank) {
        execute(s, at, is_early(box));
        return;
    }
    for (dpc_run run = dpc_first_box_run(box, k); dpc_more(&run); dpc_next_box_run(box, k, &run)) {
        const dpc_index first = runs ? run.first : box->first[k], last = runs ? run.last : box->last[k];
        for (dpc_index i = first; i <= last; i += run.step) {
            at[k] = u->offset + u->stride * i;
            if (runs) s->right = s->right && at[k] - run.shift == dpc_local(&s->array->dim[k], at[k]);
            loop(s, box, k + 1, at);
        }
        if (!runs) break;
    }
}

/* ---- Random statements */

static dpc_format random_format(dpc_index extent, dpc_width reach) {
    const dpc_index least = dpc_maximum(1, dpc_maximum(reach.low, reach.high));
    switch (random_below(4)) {
    case 0:
        return DPC_BLOCK;
    case 1:
        return DPC_BLOCK_OF(extent + 1);
    default:
        return DPC_CYCLIC_APART(least + random_below(9), reach.low + reach.high + random_below(2));
    }
}

static void store(statement *s, int k, dpc_index *at) {
    const dpc_array *a = s->array;
    if (k < a->rank) {
        for (at[k] = a->dim[k].lower; exists(a, k, at[k]); at[k]++)
            if (dpc_owner(&a->dim[k], at[k]) == a->coord[k]) store(s, k + 1, at);
        return;
    }
    dpc_index place = 0;
    for (int d = 0; d < a->rank; d++) place += dpc_local(&a->dim[d], at[d]) * a->stride[d];
    ((long *)a->local)[place] = s->generation + element_number(a, at);
}

/* Each of this process's iterations was executed once, and no other one. */
static bool executed_once(const statement *s, const dpc_range *range, int k, dpc_index *at, bool mine) {
    const dpc_array *a = s->array;
    if (k == a->rank) return s->executed[element_number(a, at)] == (mine ? 1 : 0);
    for (at[k] = a->dim[k].lower; exists(a, k, at[k]); at[k]++) {
        const dpc_index value = (at[k] - s->subscript[k].offset) * s->subscript[k].stride;
        const bool meant = value >= range[k].lower && value <= range[k].upper &&
                           (value - range[k].lower) % dpc_magnitude(range[k].stride) == 0;
        const bool owned = a->member && dpc_owner(&a->dim[k], at[k]) == a->coord[k];
        if (!executed_once(s, range, k + 1, at, mine && meant && owned)) return false;
    }
    return true;
}

/* Returns the iterations before the ghost cells have come. */
static long test_interior(int round, int rank) {
    DPC_AUTOMATIC dpc_array a = {0};
    statement s = {.array = &a, .right = true};
    dpc_bounds bounds[MOST_RANK];
    dpc_format formats[MOST_RANK];
    dpc_range range[MOST_RANK];
    dpc_index at[MOST_RANK], elements = 1;
    const int corners[] = {DPC_NO_CORNERS, DPC_EDGES, DPC_CORNERS};
    for (int k = 0; k < rank; k++) {
        const dpc_index extent = random_below(rank == 1 ? MOST_EXTENT : MOST_EXTENT / 3) + (round % 8 > 0);
        const dpc_index lower = random_below(7) - 3, step = 1 + (random_below(3) == 0);
        s.reach[k] = (dpc_width){random_below(3), random_below(3), false};
        bounds[k] = (dpc_bounds){lower, lower + extent - 1};
        formats[k] = random_format(extent, s.reach[k]);
        s.subscript[k] = random_below(3) ? (dpc_subscript){k, 1, lower} : (dpc_subscript){k, -1, lower + extent - 1};
        range[k] = (dpc_range){random_below(2), extent - 1 - random_below(2), step};
        elements *= extent;
    }
    dpc_create_with_halo(&a, "test:1", "A", DPC_LONG, rank, bounds, formats, dpc_default_grid(rank), s.reach,
                         corners[random_below(3)]);
    s.executed = dpc_buffer(elements, 1);
    for (int time = 0; time < 2; time++) {
        dpc_space space = {0};
        s.generation = 1 + 1000000L * time + round;
        if (a.member) store(&s, 0, at);
        dpc_changed(&a);
        dpc_forall(&space, "test:2", false, rank, range);
        dpc_on(&space, &a, s.subscript);
        memset(s.executed, 0, (size_t)elements);
        dpc_refreshing *halo = dpc_refresh("test:2", 1, (dpc_array *[]){&a});
        post_messages(halo);
        for (dpc_box box = dpc_first_box(&space, halo, s.reach); box.more; dpc_next_box(&box)) loop(&s, &box, 0, at);
        expect(s.right, "values and their order", round);
        expect(executed_once(&s, range, 0, at, true), "every iteration once", round);
    }
    dpc_free_buffer(s.executed);
    return s.early;
}

/* ---- Fetched values */

enum { FETCHES = 2 };

typedef struct {
    const dpc_space *space;
    const dpc_array *array; /* long elements: their numbers */
    dpc_subscript subscript[FETCHES][MOST_RANK];
    dpc_transfer *transfer[FETCHES];
    long executed, early;
    bool right;
} fetching;

/* The value of a fetch at an iteration is right; early: and comes from this process. */
static bool is_brought(const fetching *f, int n, const dpc_index *value, dpc_index position, bool early) {
    dpc_index at[MOST_RANK];
    bool own = true;
    for (int k = 0; k < f->array->rank; k++) {
        const dpc_subscript *u = &f->subscript[n][k];
        at[k] = u->offset + u->stride * value[u->index];
        own = own && dpc_owner(&f->array->dim[k], at[k]) == f->array->coord[k];
    }
    return ((const long *)dpc_arriving(f->transfer[n]))[position] == 1 + element_number(f->array, at) &&
           (own || !early);
}

static void loop_fetched(fetching *f, const dpc_box *box, int k, dpc_index *value, dpc_index position) {
    if (k == f->space->rank) {
        f->executed++;
        f->early += is_early(box);
        for (int n = 0; n < FETCHES; n++) f->right = f->right && is_brought(f, n, value, position, is_early(box));
        return;
    }
    dpc_index at = box->position[k];
    for (value[k] = box->first[k]; value[k] <= box->last[k]; value[k] += f->space->range[k].stride)
        loop_fetched(f, box, k + 1, value, position * f->space->mine[k] + at++);
}

/* A subscript that keeps to 0 .. 3 * extent - 1, or to its middle. */
static dpc_subscript random_subscript(int index, dpc_index extent) {
    const dpc_index stride = 1 + random_below(2);
    if (random_below(3) == 0) return (dpc_subscript){index, -stride, stride * extent + random_below(extent)};
    return (dpc_subscript){index, stride, random_below(2) ? extent / 2 : 0};
}

static long test_fetches(int round, int rank) {
    DPC_AUTOMATIC dpc_array home = {0}, a = {0};
    statement contents = {.array = &a, .generation = 1};
    fetching f = {.array = &a, .right = true};
    dpc_bounds home_bounds[MOST_RANK], bounds[MOST_RANK];
    dpc_format formats[MOST_RANK];
    dpc_range range[MOST_RANK];
    dpc_subscript home_subscript[MOST_RANK];
    dpc_index at[MOST_RANK], most = 0;
    for (int k = 0; k < rank; k++) {
        const dpc_index extent = 1 + random_below(MOST_EXTENT / (2 * rank));
        most = dpc_maximum(most, extent);
        home_bounds[k] = (dpc_bounds){0, extent - 1};
        formats[k] = DPC_BLOCK;
        range[k] = (dpc_range){random_below(2), extent - 1, 1 + random_below(2)};
        home_subscript[k] = random_below(3) ? (dpc_subscript){k, 1, 0} : (dpc_subscript){k, -1, extent - 1};
    }
    for (int k = 0; k < rank; k++) bounds[k] = (dpc_bounds){0, 3 * most - 1};
    for (int n = 0; n < FETCHES; n++)
        for (int k = 0; k < rank; k++) f.subscript[n][k] = random_subscript(round % 4 ? k : rank - 1 - k, most);
    dpc_create(&home, "test:3", "A", DPC_LONG, rank, home_bounds, formats, dpc_default_grid(rank));
    dpc_create(&a, "test:4", "C", DPC_LONG, rank, bounds, formats, dpc_default_grid(rank));
    if (a.member) store(&contents, 0, at);
    dpc_space space = {0};
    f.space = &space;
    dpc_forall(&space, "test:5", false, rank, range);
    dpc_on(&space, &home, home_subscript);
    for (int n = 0; n < FETCHES; n++) f.transfer[n] = dpc_fetch(&space, &a, f.subscript[n]);
    for (dpc_box box = dpc_first_box_of(&space, NULL, NULL, FETCHES, f.transfer); box.more; dpc_next_box(&box))
        loop_fetched(&f, &box, 0, at, 0);
    dpc_index mine = 1;
    for (int k = 0; k < rank; k++) mine *= space.mine[k];
    expect(f.right, "fetched values and their order", round);
    expect(f.executed == mine, "every iteration once, with fetches", round);
    for (int n = 0; n < FETCHES; n++) dpc_release(f.transfer[n]);
    return f.early;
}

int main(int argc, char **argv) {
    dpc_init(0);
    const int rounds = 200 * (argc > 1 ? atoi(argv[1]) : 1);
    long early = 0, early_fetched = 0;
    for (int round = 0; round < rounds; round++) early += test_interior(round, 1 + round % 3);
    for (int round = 0; round < rounds; round++) early_fetched += test_fetches(round, 1 + round % 2);
    dpc_reduce(DPC_SUM, DPC_LONG, &early);
    dpc_reduce(DPC_SUM, DPC_LONG, &early_fetched);
    expect(dpc_nprocs() == 1 || (early > 0 && early_fetched > 0), "some iterations are executed early", rounds);
    dpc_reduce(DPC_SUM, DPC_LONG, &passed);
    dpc_reduce(DPC_SUM, DPC_LONG, &failed);
    printf("%ld passed, %ld failed\n", passed, failed);
    return dpc_finish(failed > 0);
}

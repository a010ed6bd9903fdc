/* Iteration spaces: who executes what. */
#include "internal.h"

__extension__ typedef __int128 wide;

/* Turns a range so that its stride is positive and its upper bound is its last value. */
static dpc_range normalised(dpc_range r, dpc_index count) {
    if (count == 0) return (dpc_range){r.lower, r.lower - 1, 1};
    const dpc_index last = r.lower + (count - 1) * r.stride;
    if (r.stride > 0) return (dpc_range){r.lower, last, r.stride};
    return (dpc_range){last, r.lower, r.stride == INT64_MIN ? INT64_MAX : -r.stride};
}

/* A process that has no iteration of one index executes nothing. */
static void settle(dpc_space *s) {
    bool any = s->active;
    for (int d = 0; d < s->own; d++) any = any && s->mine[d] > 0;
    for (int d = 0; d < s->rank && !any; d++) s->mine[d] = 0;
}

static void execute_everything(dpc_space *s) {
    s->home = NULL;
    s->active = true;
    for (int d = 0; d < s->rank; d++) {
        s->home_dim[d] = -1;
        s->mine[d] = s->count[d];
    }
    settle(s);
}

static bool same_ranges(const dpc_space *s, int rank, const dpc_range *ranges) {
    if (s->version == 0 || s->rank != rank) return false;
    for (int d = 0; d < rank; d++)
        if (s->asked[d].lower != ranges[d].lower || s->asked[d].upper != ranges[d].upper ||
            s->asked[d].stride != ranges[d].stride)
            return false;
    return true;
}

static void set_ranges(dpc_space *s, int rank, const dpc_range *ranges) {
    s->rank = rank;
    for (int d = 0; d < rank; d++) {
        if (ranges[d].stride == 0) dpc_fail(s->where, "the stride is zero");
        s->asked[d] = ranges[d];
        s->count[d] = dpc_count(ranges[d].lower, ranges[d].upper, ranges[d].stride);
        s->range[d] = normalised(ranges[d], s->count[d]);
    }
}

void dpc_begin_space(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges) {
    s->where = where;
    s->own = rank;
    s->clip = clip;
    s->sets = DPC_SETS_AUTO;
    s->model = DPC_MODEL_AUTO;
    s->same = same_ranges(s, rank, ranges);
    if (s->same) return;
    set_ranges(s, rank, ranges);
    execute_everything(s);
}

void dpc_forall(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges) {
    dpc_check_together(where, NULL);
    dpc_count_execution(where);
    dpc_begin_space(s, where, clip, rank, ranges);
}

dpc_access dpc_subscript_access(const dpc_space *s, const dpc_subscript *subscript) {
    if (subscript->index < 0) return (dpc_access){subscript->offset, 0, 1};
    const dpc_range *r = &s->range[subscript->index];
    return (dpc_access){subscript->offset + subscript->stride * r->lower, subscript->stride * r->stride,
                        s->count[subscript->index]};
}

/* The index of the first or last iteration, cut to 64 bits. */
static dpc_index subscript_at(const dpc_subscript *subscript, dpc_index value) {
    const wide index = (wide)subscript->offset + (wide)subscript->stride * value;
    return index > INT64_MAX ? INT64_MAX : index < INT64_MIN ? INT64_MIN : (dpc_index)index;
}

static bool is_inside(const dpc_dim *d, const dpc_subscript *subscript, dpc_index value) {
    dpc_index moved, index;
    return !__builtin_mul_overflow(subscript->stride, value, &moved) &&
           !__builtin_add_overflow(subscript->offset, moved, &index) && index >= d->lower &&
           (uint64_t)index - (uint64_t)d->lower < (uint64_t)d->extent;
}

static void check_subscript(const dpc_space *s, const dpc_array *a, int k, const dpc_subscript *subscript, dpc_index value) {
    if (!is_inside(&a->dim[k], subscript, value)) dpc_fail_bounds(s->where, a, k, subscript_at(subscript, value));
}

void dpc_check(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    if (s->clip) return;
    for (int d = 0; d < s->own; d++)
        if (s->count[d] == 0) return;
    for (int k = 0; k < a->rank; k++)
        if (subscripts[k].index >= 0 && s->count[subscripts[k].index] == 0) return;
    for (int k = 0; k < a->rank; k++) {
        const int index = subscripts[k].index;
        check_subscript(s, a, k, &subscripts[k], index < 0 ? 0 : s->range[index].lower);
        if (index >= 0) check_subscript(s, a, k, &subscripts[k], s->range[index].upper);
    }
}

static void count_mine(dpc_space *s, int k) {
    const dpc_array *home = s->home;
    const dpc_subscript *subscript = &s->home_subscript[k];
    const dpc_access access = dpc_subscript_access(s, subscript);
    const dpc_index owned = dpc_owned_count(&home->dim[k], &access, home->coord[k]);
    if (subscript->index >= 0) {
        s->mine[subscript->index] = owned;
        s->home_dim[subscript->index] = k;
    } else if (owned == 0) {
        s->active = false;
    }
}

/* The run of a block run, in index values. */
static dpc_run run_of(const dpc_space *s, int index, dpc_block_run block, dpc_index position) {
    const dpc_range *range = &s->range[index];
    const int k = s->home_dim[index];
    dpc_run r = {.first = 1, .last = 0, .step = range->stride, .position = position, .block = block};
    if (block.count == 0) return r;
    r.first = range->lower + block.first * range->stride;
    r.last = r.first + (block.count - 1) * range->stride;
    r.count = block.count;
    r.local = block.local;
    if (k >= 0) r.local_step = s->home_subscript[k].stride * range->stride;
    if (k >= 0) r.shift = s->home_subscript[k].offset + s->home_subscript[k].stride * r.first - block.local;
    return r;
}

static dpc_run first_run(const dpc_space *s, int index) {
    const int k = s->home_dim[index];
    dpc_block_run block = {.count = s->mine[index]};
    if (s->mine[index] > 0 && k >= 0) {
        const dpc_access access = dpc_subscript_access(s, &s->home_subscript[k]);
        block = dpc_first_block(&s->home->dim[k], &access, s->home->coord[k]);
    }
    return run_of(s, index, block, 0);
}

static bool same_subscript(const dpc_subscript *u, const dpc_subscript *v) {
    return u->index == v->index && u->offset == v->offset && u->stride == v->stride;
}

/* Whether both subscripts pick an element of a dimension that is not divided: who executes what is the same. */
static bool pick_undivided(const dpc_dim *d, const dpc_subscript *u, const dpc_subscript *v) {
    return d->procs == 1 && u->index < 0 && v->index < 0 && is_inside(d, u, 0) && is_inside(d, v, 0);
}

/* Whether the statement is the one that the space was found for, or differs in subscripts that decide nothing. */
static bool same_home(const dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    if (!s->same || s->own != s->home_own || s->home_mapping == 0) return false;
    if (home == NULL) return s->home_mapping < 0;
    if (home->mapping != s->home_mapping || !(s->checked || s->clip)) return false;
    for (int k = 0; k < home->rank; k++)
        if (!same_subscript(&subscripts[k], &s->home_subscript[k]) &&
            !pick_undivided(&home->dim[k], &subscripts[k], &s->home_subscript[k]))
            return false;
    return true;
}

/* Finds what this process executes. */
static void place(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    execute_everything(s);
    if (home == NULL) return;
    dpc_check(s, home, subscripts);
    for (int d = 0; d < s->rank; d++) s->mine[d] = s->count[d];
    s->home = home;
    s->active = home->member;
    for (int k = 0; k < home->rank; k++) {
        s->home_subscript[k] = subscripts[k];
        count_mine(s, k);
    }
    settle(s);
}

static void number(dpc_space *s) {
    static int64_t versions;
    s->version = ++versions;
}

void dpc_on(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    if (same_home(s, home, subscripts)) {
        s->home = home;
        for (int k = 0; home != NULL && k < home->rank; k++) s->home_subscript[k] = subscripts[k];
        return;
    }
    place(s, home, subscripts);
    for (int d = 0; d < s->rank; d++) s->run[d] = first_run(s, d);
    s->home_mapping = home == NULL ? -1 : home->mapping;
    s->home_own = s->own;
    s->checked = !s->clip;
    s->same = true;
    number(s);
    dpc_add_count(DPC_COUNT_spaces, 1);
}

dpc_run dpc_strided_run(const dpc_space *s, int index) {
    const int k = s->home_dim[index];
    dpc_run r = dpc_first_run(s, index);
    const dpc_index procs = k < 0 ? 1 : s->home->dim[k].procs;
    if (procs == 1 || !dpc_more(&r)) return r;
    const dpc_index stride = s->home_subscript[k].stride * s->range[index].stride;
    const dpc_index period = procs / dpc_common_divisor(procs, dpc_magnitude(stride));
    r.step = s->range[index].stride * period;
    r.local_step = stride * period / procs;
    r.count = s->mine[index];
    r.last = r.first + (r.count - 1) * r.step;
    return r;
}

void dpc_next_run(const dpc_space *s, int index, dpc_run *r) {
    const int k = s->home_dim[index];
    const dpc_range *range = &s->range[index];
    r->position += r->count;
    if (k < 0 || r->position >= s->mine[index]) {
        r->last = r->first - 1;
        return;
    }
    const dpc_index first = r->block.first, local = r->block.local;
    dpc_next_block(&r->block);
    const dpc_index moved = r->block.first - first;
    r->first += moved * range->stride;
    r->last = r->first + (r->block.count - 1) * range->stride;
    r->count = r->block.count;
    r->local = r->block.local;
    r->shift += moved * r->local_step - (r->local - local);
}

/* Iteration spaces: who executes what. */
#include "program.h"

__extension__ typedef __int128 wide;

#if DPC_USES(DPC_BY)
/* The stride of a range with one value: that of the loops in the program, unless products with it may pass 64 bits. */
static dpc_index stride_of_one(dpc_index stride) {
    const dpc_index most = (dpc_index)1 << 48; /* where the compiler takes a number for a constant */
    return stride > most || stride < -most ? 1 : dpc_magnitude(stride);
}

/* Turns a range so that its stride is positive and its upper bound is its last value. */
static dpc_range normalised(dpc_range r, dpc_index count) {
    if (count == 0) return (dpc_range){0, -1, 1};
    if (count == 1) return (dpc_range){r.lower, r.lower, stride_of_one(r.stride)};
    const dpc_index last = r.lower + (count - 1) * r.stride;
    if (r.stride > 0) return (dpc_range){r.lower, last, r.stride};
    return (dpc_range){last, r.lower, -r.stride};
}
#else
static dpc_range normalised(dpc_range r, dpc_index count) {
    return count == 0 ? (dpc_range){0, -1, 1} : r;
}
#endif

/* The last value of a range that has some. */
static wide last_of(const dpc_range *r, dpc_index count) {
    return r->lower + (wide)(count - 1) * r->stride;
}

/* Loops step beyond their ends. */
static void check_range(const dpc_space *s, const dpc_range *r, dpc_index count) {
    const wide last = count == 0 ? 0 : last_of(r, count), first = count == 0 ? 0 : r->lower;
    if (first > -DPC_MOST_INDEX && first < DPC_MOST_INDEX && last > -DPC_MOST_INDEX && last < DPC_MOST_INDEX) return;
    dpc_fail(s->where, "the range %lld:%lld:%lld has values beyond 2^61", (long long)r->lower, (long long)r->upper,
             (long long)r->stride);
}

static bool is_same(const dpc_range *a, const dpc_range *b) {
    return a->lower == b->lower && a->upper == b->upper && a->stride == b->stride;
}

#if DPC_USES(DPC_BY)
/* Of a loop that steps by one between bounds that are not far out; false: it is another one. */
DPC_STEADY static inline bool set_plain_range(dpc_space *s, int index, const dpc_range *r) {
    const dpc_index far = DPC_MOST_INDEX / 2;
    if (r->stride != 1 || r->lower <= -far || r->lower >= far || r->upper <= -far || r->upper >= far) return false;
    const bool empty = r->upper < r->lower;
    s->count[index] = empty ? 0 : r->upper - r->lower + 1;
    s->range[index] = empty ? (dpc_range){0, -1, 1} : *r;
    return true;
}
#endif

static void set_range(dpc_space *s, int index, dpc_range range) {
    s->changed |= 1u << index;
    s->asked[index] = range;
#if DPC_USES(DPC_BY)
    if (set_plain_range(s, index, &range)) return;
    if (range.stride == 0) dpc_fail(s->where, "the stride is zero");
#endif
    s->count[index] = dpc_count(range.lower, range.upper, range.stride);
    check_range(s, &range, s->count[index]);
    s->range[index] = normalised(range, s->count[index]);
}

DPC_STEADY static inline void begin(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges) {
    if (s->rank != rank) s->home_mapping = 0;
    s->where = where;
    s->rank = s->own = rank;
    s->clip = clip;
    s->sets = DPC_SETS_AUTO;
    s->model = DPC_MODEL_AUTO;
    for (int d = 0; d < rank; d++)
        if (s->home_mapping == 0 || !is_same(&s->asked[d], &ranges[d])) set_range(s, d, ranges[d]);
}

#if DPC_USES(dpc_check_all)
/* --check=all */
static void check_alike(const char *where, int rank, const dpc_range *ranges) {
    static const char *const name[] = {"the first bound of a range", "the second bound of a range",
                                       "the stride of a range"};
    dpc_replicated x[3 * DPC_MAX_RANK];
    for (int d = 0; d < rank; d++) {
        const dpc_index *of[] = {&ranges[d].lower, &ranges[d].upper, &ranges[d].stride};
        for (int k = 0; k < 3; k++) x[3 * d + k] = (dpc_replicated){name[k], dpc_type_of(*of[k]), of[k]};
    }
    dpc_agree(where, 3 * rank, x);
}
#endif

DPC_STEADY void dpc_begin_space(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges) {
    dpc_begin_uncompared(where);
#if DPC_USES(dpc_check_all)
    if (dpc_meet != NULL) check_alike(where, rank, ranges);
#endif
    begin(s, where, clip, rank, ranges);
}

DPC_STEADY void dpc_begin_local(const char *where) {
    dpc_begin_statement(where);
    dpc_watch_statement(NULL, where);
}

DPC_STEADY void dpc_forall(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges) {
    dpc_begin_uncompared(where);
    dpc_watch_statement(NULL, where);
#if DPC_USES(dpc_check_all)
    if (dpc_meet != NULL) check_alike(where, rank, ranges);
#endif
    begin(s, where, clip, rank, ranges);
}

static bool has_no_iteration(const dpc_space *s) {
    for (int d = 0; d < s->own; d++)
        if (s->count[d] == 0) return true;
    return false;
}

DPC_STEADY dpc_access dpc_subscript_access(const dpc_space *s, const dpc_subscript *subscript) {
    if (subscript->index < 0) return (dpc_access){subscript->offset, 0, 1};
    const dpc_range *r = &s->range[subscript->index];
    const dpc_index count = s->count[subscript->index], along = dpc_single_stride(subscript->stride, count);
    dpc_index first, stride;
    if (!__builtin_mul_overflow(subscript->stride, r->lower, &first) &&
        !__builtin_add_overflow(subscript->offset, first, &first) && !__builtin_mul_overflow(along, r->stride, &stride))
        return (dpc_access){first, stride, count};
    if (count > 0 && !has_no_iteration(s))
        dpc_fail(s->where, "a subscript is beyond 64 bits: %lld + %lld * i, i = %lld:%lld:%lld",
                 (long long)subscript->offset, (long long)subscript->stride, (long long)r->lower, (long long)r->upper,
                 (long long)r->stride);
    return (dpc_access){subscript->offset, 0, 0};
}

/* The index of the first or last iteration, cut to 64 bits. */
static dpc_index subscript_at(const dpc_subscript *subscript, dpc_index value) {
    const wide index = (wide)subscript->offset + (wide)subscript->stride * value;
    return index > INT64_MAX ? INT64_MAX : index < INT64_MIN ? INT64_MIN : (dpc_index)index;
}

static bool is_inside(const dpc_dim *d, const dpc_subscript *subscript, dpc_index value) {
    dpc_index moved, index;
    return !__builtin_mul_overflow(subscript->stride, value, &moved) &&
           !__builtin_add_overflow(subscript->offset, moved, &index) && dpc_holds(d, index);
}

static bool is_anywhere(const dpc_subscript *subscript) {
    return subscript->index < 0 && subscript->stride != 0;
}

DPC_STEADY void dpc_check(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    if (s->clip || has_no_iteration(s)) return;
    for (int k = 0; k < a->rank; k++)
        if (subscripts[k].index >= s->own && s->count[subscripts[k].index] == 0) return;
    for (int k = 0; k < a->rank; k++) {
        const dpc_subscript *u = &subscripts[k];
        if (is_anywhere(u)) continue;
        const dpc_index first = u->index < 0 ? 0 : s->range[u->index].lower;
        const dpc_index last = u->index < 0 ? 0 : s->range[u->index].upper;
        if (!is_inside(&a->dim[k], u, first)) dpc_fail_bounds(s->where, a, k, subscript_at(u, first));
        if (u->index >= 0 && !is_inside(&a->dim[k], u, last)) dpc_fail_bounds(s->where, a, k, subscript_at(u, last));
    }
}

/* ---- Owner computes: what has changed since the last execution is found again */

/* Whether home lies as that of the last execution, and the same indices step through it. */
static bool same_home(const dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    if (s->home_mapping == 0 || s->own != s->home_own) return false;
    if (home == NULL) return s->home_mapping < 0;
    if (home->mapping != s->home_mapping || !(s->checked || s->clip)) return false;
    for (int k = 0; k < home->rank; k++)
        if (subscripts[k].index != s->home_subscript[k].index || subscripts[k].stride != s->home_subscript[k].stride)
            return false;
    return true;
}

/* Another home: everything is to be found. */
static void set_home(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    s->changed = (1u << s->rank) - 1;
    s->elsewhere = 0;
    s->home_mapping = home == NULL ? -1 : home->mapping;
    s->home_own = s->own;
    s->checked = !s->clip;
    for (int d = 0; d < s->rank; d++) s->home_dim[d] = -1;
    for (int k = 0; home != NULL && k < home->rank; k++) {
        s->home_subscript[k] = subscripts[k];
        if (subscripts[k].index >= 0) s->home_dim[subscripts[k].index] = k;
    }
}

/* From the run's block, which counts iterations, to index values. */
DPC_STEADY static void set_run(const dpc_space *s, int index, dpc_run *r) {
    const dpc_range *range = &s->range[index];
    const int k = s->home_dim[index];
    r->position = 0;
    r->step = range->stride;
    r->count = r->block.count;
    r->local = r->block.local;
    r->first = range->lower + r->block.first * range->stride;
    r->last = r->first + (r->count - 1) * range->stride;
    r->local_step = k < 0 ? 0 : s->home_subscript[k].stride * range->stride;
    r->shift =
        k < 0
            ? 0
            : (dpc_index)((wide)s->home_subscript[k].offset + (wide)s->home_subscript[k].stride * r->first - r->local);
}

/* What this process's coordinate owns of an index. */
DPC_STEADY static void find_index(dpc_space *s, int index) {
    const int k = s->home_dim[index];
    dpc_run *r = &s->run[index];
    if (k < 0) {
        r->block = (dpc_block_run){.count = s->count[index]};
        s->owned[index] = s->count[index];
    } else {
        const dpc_access access = dpc_subscript_access(s, &s->home_subscript[k]);
#if DPC_HAS_STRIDES
#else
        if (access.stride != 1) return; /* only moves go by such a one, over combs */
#endif
        s->owned[index] = dpc_owned_runs(&s->home->dim[k], &access, s->home->coord[k], &r->block);
    }
    if (s->owned[index] > 0) set_run(s, index, r);
}

/* Who owns an invariant subscript. */
DPC_STEADY static void find_place(dpc_space *s, int k) {
    const dpc_dim *d = &s->home->dim[k];
    const dpc_index x = s->home_subscript[k].offset;
    const bool owned = is_anywhere(&s->home_subscript[k]) || (dpc_holds(d, x) && dpc_owner(d, x) == s->home->coord[k]);
    s->elsewhere = (s->elsewhere & ~(1u << k)) | (owned ? 0 : 1u << k);
}

/* A process that has no iteration of one index executes nothing. */
DPC_STEADY static void settle(dpc_space *s) {
    s->active = s->home == NULL || (s->home->member && s->elsewhere == 0);
#if DPC_HAS_COPIES
    if (s->once && s->home != NULL && s->home->copies) s->active = s->active && dpc_own_copy(s->home) == 0;
#endif
    bool any = s->active;
    for (int d = 0; d < s->own; d++) any = any && s->owned[d] > 0;
    for (int d = 0; d < s->rank; d++) s->mine[d] = any ? s->owned[d] : 0;
}

/* Another element of a dimension that is not divided: who executes what is the same. */
static bool stays(const dpc_space *s, int k, const dpc_subscript *subscript) {
    const dpc_dim *d = &s->home->dim[k];
    return d->procs == 1 && (s->elsewhere >> k & 1) == 0 && is_inside(d, subscript, 0);
}

/* Takes the offsets of home's subscripts; returns a bit for each dimension whose invariant subscript may have another
 * owner. */
DPC_STEADY static unsigned set_offsets(dpc_space *s, const dpc_subscript *subscripts, bool known) {
    unsigned moved = 0;
    for (int k = 0; s->home != NULL && k < s->home->rank; k++) {
        const dpc_subscript *u = &subscripts[k];
        if (known && u->offset == s->home_subscript[k].offset) continue;
        s->home_subscript[k].offset = u->offset;
        if (u->index >= 0)
            s->changed |= 1u << u->index;
        else if (!known || !stays(s, k, u))
            moved |= 1u << k;
    }
    return moved;
}

DPC_STEADY void dpc_on(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    static int64_t versions;
    const bool known = same_home(s, home, subscripts);
    s->home = home;
    if (!known) set_home(s, home, subscripts);
    const unsigned moved = set_offsets(s, subscripts, known);
    if (known && (s->changed | moved) == 0) return;
    if (home != NULL && !s->clip) dpc_check(s, home, subscripts);
    for (int d = 0; d < s->rank; d++)
        if (s->changed >> d & 1) find_index(s, d);
    for (int k = 0; moved >> k != 0; k++)
        if (moved >> k & 1) find_place(s, k);
    s->changed = 0;
    settle(s);
    s->version = ++versions;
    dpc_add_count(DPC_COUNT_spaces, 1);
}

/* The index with the most values, the first of such. */
static int longest_of(const dpc_space *s, unsigned indices) {
    int longest = -1;
    for (int d = 0; d < s->own; d++)
        if (indices >> d & 1 && (longest < 0 || s->count[d] > s->count[longest])) longest = d;
    return longest;
}

void dpc_deal_out(dpc_space *s, unsigned indices) {
    const int64_t before = s->version;
    dpc_on(s, NULL, NULL);
    const int index = longest_of(s, indices);
    if (s->version == before || index < 0) return;
    const dpc_index count = s->count[index], procs = dpc_nprocs(), me = dpc_rank();
    const dpc_index each = count / procs, more = count % procs; /* the first ones have one more */
    for (int d = 0; d < s->rank; d++) find_index(s, d);
    s->run[index].block = (dpc_block_run){.first = me * each + dpc_minimum(me, more), .count = each + (me < more)};
    s->owned[index] = s->run[index].block.count;
    if (s->owned[index] > 0) set_run(s, index, &s->run[index]);
    settle(s);
}

DPC_STEADY void dpc_forall_on(dpc_space *s, const dpc_array *home, const char *where, bool clip,
                              const dpc_range *ranges) {
    dpc_subscript same[DPC_MAX_RANK];
    dpc_forall(s, where, clip, home->rank, ranges);
    for (int k = 0; k < home->rank; k++) same[k] = (dpc_subscript)DPC_INDEX(k);
    dpc_on(s, home, same);
}

DPC_STEADY dpc_run dpc_strided_run(const dpc_space *s, int index) {
    const int k = s->home_dim[index];
    dpc_run r = dpc_first_run(s, index);
    const dpc_index procs = k < 0 ? 1 : s->home->dim[k].procs;
    if (procs > 1 && dpc_more(&r)) {
        const dpc_index common = r.local_step == 1 ? 1 : dpc_common_divisor(procs, dpc_magnitude(r.local_step));
        r.step *= procs / common;
        r.local_step = r.local_step / common * dpc_pitch(&s->home->dim[k]);
        r.count = s->mine[index];
        r.last = r.first + (r.count - 1) * r.step;
    }
    r.local_last = dpc_more(&r) ? r.local + (r.count - 1) * r.local_step : r.local - 1;
    return r;
}

/* The range as asked stays empty, so that the next execution finds it as it was. */
DPC_STEADY void dpc_set_box(dpc_space *s, int index, dpc_index low, dpc_index high) {
    const dpc_range box = {low, high, 1};
    s->asked[index].stride = 0; /* none that is asked for: the next execution begins anew */
    s->count[index] = low <= high ? high - low + 1 : 0;
    check_range(s, &box, s->count[index]);
    s->range[index] = normalised(box, s->count[index]);
    find_index(s, index);
    s->mine[index] = s->active ? s->owned[index] : 0;
}

dpc_index dpc_count_values(const dpc_space *s, dpc_index lower, dpc_index upper, dpc_index stride) {
    const dpc_index count = dpc_count(lower, upper, stride);
    check_range(s, &(dpc_range){lower, upper, stride}, count);
    return count;
}

DPC_STEADY void dpc_on_one(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts) {
    s->once = true;
    dpc_on(s, home, subscripts);
}

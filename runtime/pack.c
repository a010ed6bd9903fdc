/* Copies of n-dimensional products of one-dimensional sets: packing, unpacking and local copies are the same operation
 * with one side dense or none. */
#include "internal.h"

#include <string.h>

/* A walk along one axis of one side, run by run.  The current run has `left` elements from `address`, `stride` apart
 * (both in elements of storage). */
typedef struct {
    dpc_index address, stride, left;
    const dpc_axis *axis;
    dpc_index section;      /* index of the current section */
    dpc_index base, offset; /* iterations and addresses of the periods passed */
} cursor;

static void load_section(cursor *c) {
    const dpc_sets *sets = c->axis->sets;
    const dpc_section *s = &sets->section[c->section];
    const dpc_index room = sets->end[c->axis->partner] - c->base - s->first;
    c->address = (s->local + c->offset) * c->axis->scale;
    c->left = s->length < room ? s->length : room < 0 ? 0 : room;
}

static void next_section(cursor *c) {
    const dpc_sets *sets = c->axis->sets;
    c->section++;
    if (c->section == sets->start[c->axis->partner + 1]) {
        c->section = sets->start[c->axis->partner];
        c->base += sets->period;
        c->offset += sets->period_step;
        if (c->base >= sets->end[c->axis->partner]) {
            c->left = 0;
            return;
        }
    }
    load_section(c);
}

/* A set with one section per period that is affine as a whole: one run. */
static bool load_affine(cursor *c) {
    const dpc_sets *sets = c->axis->sets;
    const dpc_index start = sets->start[c->axis->partner];
    const dpc_section *s = &sets->section[start];
    if (sets->start[c->axis->partner + 1] != start + 1) return false;
    if (s->length != 1 && sets->period_step != s->length * sets->stride) return false;
    if (s->first + sets->period >= sets->end[c->axis->partner]) return false;
    c->address = s->local * c->axis->scale;
    c->stride = (s->length == 1 ? sets->period_step : sets->stride) * c->axis->scale;
    c->left = dpc_sets_size(sets, c->axis->partner);
    c->base = sets->count;
    return true;
}

static cursor open_cursor(const dpc_axis *axis) {
    cursor c = {0, axis->scale, axis->length, axis, 0, 0, 0};
    const dpc_sets *sets = axis->sets;
    if (sets == NULL) return c;
    c.left = 0;
    c.section = sets->start[axis->partner];
    if (c.section == sets->start[axis->partner + 1] || load_affine(&c)) return c;
    c.stride = sets->stride * axis->scale;
    load_section(&c);
    return c;
}

static void skip(cursor *c, dpc_index n) {
    c->left -= n;
    c->address += n * c->stride;
    if (c->left == 0 && c->axis->sets != NULL && c->base < c->axis->sets->end[c->axis->partner]) next_section(c);
}

/* Element types of every size that C code may alias. */
typedef uint8_t __attribute__((may_alias)) bytes_1;
typedef uint16_t __attribute__((may_alias)) bytes_2;
typedef uint32_t __attribute__((may_alias)) bytes_4;
typedef uint64_t __attribute__((may_alias)) bytes_8;
typedef struct {
    uint64_t part[2];
} __attribute__((may_alias)) bytes_16;

/* The sections of an axis, period by period.  Used by the loops below: `room` counts the iterations to the end of the
 * set, `turn` the periods passed; `step` and `jump` are the elements of storage from one iteration and one period to
 * the next. */
#define FOR_SECTIONS(axis)                                                                                             \
    const dpc_sets *sets = (axis)->sets;                                                                               \
    const dpc_section *first = sets->section + sets->start[(axis)->partner];                                           \
    const dpc_section *last = sets->section + sets->start[(axis)->partner + 1];                                        \
    const dpc_index scale = (axis)->scale, step = sets->stride * scale, jump = sets->period_step * scale;              \
    const dpc_index end = sets->end[(axis)->partner], period = sets->period;                                           \
    for (dpc_index room = end, turn = 0; room > 0; room -= period, turn++)                                             \
        for (const dpc_section *s = first; s < last && s->first < room; s++)

#define SECTION_LENGTH (s->length < room - s->first ? s->length : room - s->first)
#define SECTION_ADDRESS (s->local * scale + turn * jump)

/* The sections of another axis that stand alongside those of FOR_SECTIONS. */
#define PAIR_WITH(axis)                                                                                                \
    const dpc_sets *paired_sets = (axis)->sets;                                                                        \
    const dpc_section *paired = paired_sets->section + paired_sets->start[(axis)->partner];                            \
    const dpc_index to_scale = (axis)->scale, to_step = paired_sets->stride * to_scale;                                \
    const dpc_index to_jump = paired_sets->period_step * to_scale

#define PAIRED_ADDRESS (paired[s - first].local * to_scale + turn * to_jump)

/* Runs side by side of this many bytes and more are left to memcpy. */
enum { LONG_RUN = 256 };

/* For one element size: run copies n elements, strides in elements; pack and unpack the sections of an axis to and from
 * elements side by side; pair from the sections of one axis to those of another that stand alongside. */
#define DEFINE_COPIES(bytes, type)                                                                                     \
    static inline void run_##bytes(type *restrict target, dpc_index to_stride, const type *restrict source,            \
                                   dpc_index from_stride, dpc_index n) {                                               \
        for (; n >= 4; n -= 4, target += 4 * to_stride, source += 4 * from_stride) {                                   \
            const type first = source[0], second = source[from_stride];                                                \
            const type third = source[2 * from_stride], fourth = source[3 * from_stride];                              \
            target[0] = first;                                                                                         \
            target[to_stride] = second;                                                                                \
            target[2 * to_stride] = third;                                                                             \
            target[3 * to_stride] = fourth;                                                                            \
        }                                                                                                              \
        for (; n > 0; n--, target += to_stride, source += from_stride) *target = *source;                              \
    }                                                                                                                  \
    static inline void dense_##bytes(type *restrict target, const type *restrict source, dpc_index n) {                \
        if (n >= LONG_RUN / bytes)                                                                                     \
            memcpy(target, source, (size_t)(n * bytes));                                                               \
        else                                                                                                           \
            run_##bytes(target, 1, source, 1, n);                                                                      \
    }                                                                                                                  \
    static void copy_##bytes(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n) {    \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        if (to_stride == 1 && from_stride == 1)                                                                        \
            dense_##bytes(target, source, n);                                                                          \
        else if (to_stride == 1)                                                                                       \
            run_##bytes(target, 1, source, from_stride, n);                                                            \
        else                                                                                                           \
            run_##bytes(target, to_stride, source, from_stride, n);                                                    \
    }                                                                                                                  \
    static void pack_##bytes(char *to, const char *from, const dpc_axis *axis) {                                       \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        FOR_SECTIONS(axis) {                                                                                           \
            const dpc_index n = SECTION_LENGTH, at = SECTION_ADDRESS;                                                  \
            if (step == 1)                                                                                             \
                dense_##bytes(target, source + at, n);                                                                 \
            else                                                                                                       \
                run_##bytes(target, 1, source + at, step, n);                                                          \
            target += n;                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void unpack_##bytes(char *to, const char *from, const dpc_axis *axis) {                                     \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        FOR_SECTIONS(axis) {                                                                                           \
            const dpc_index n = SECTION_LENGTH, at = SECTION_ADDRESS;                                                  \
            if (step == 1)                                                                                             \
                dense_##bytes(target + at, source, n);                                                                 \
            else                                                                                                       \
                run_##bytes(target + at, step, source, 1, n);                                                          \
            source += n;                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void pair_##bytes(char *to, const char *from, const dpc_axis *to_axis, const dpc_axis *axis) {              \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        PAIR_WITH(to_axis);                                                                                            \
        FOR_SECTIONS(axis) {                                                                                           \
            const dpc_index n = SECTION_LENGTH, at = SECTION_ADDRESS, to_at = PAIRED_ADDRESS;                          \
            if (to_step != 1)                                                                                          \
                run_##bytes(target + to_at, to_step, source + at, step, n);                                            \
            else if (step != 1)                                                                                        \
                run_##bytes(target + to_at, 1, source + at, step, n);                                                  \
            else                                                                                                       \
                dense_##bytes(target + to_at, source + at, n);                                                         \
        }                                                                                                              \
    }

DEFINE_COPIES(1, bytes_1)
DEFINE_COPIES(2, bytes_2)
DEFINE_COPIES(4, bytes_4)
DEFINE_COPIES(8, bytes_8)
DEFINE_COPIES(16, bytes_16)

static void copy_any(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n,
                     dpc_index size) {
    for (dpc_index k = 0; k < n; k++) memcpy(to + k * to_stride * size, from + k * from_stride * size, (size_t)size);
}

static void pack_any(char *to, const char *from, const dpc_axis *axis, dpc_index size) {
    FOR_SECTIONS(axis) {
        const dpc_index n = SECTION_LENGTH;
        copy_any(to, 1, from + SECTION_ADDRESS * size, step, n, size);
        to += n * size;
    }
}

static void unpack_any(char *to, const char *from, const dpc_axis *axis, dpc_index size) {
    FOR_SECTIONS(axis) {
        const dpc_index n = SECTION_LENGTH;
        copy_any(to + SECTION_ADDRESS * size, step, from, 1, n, size);
        from += n * size;
    }
}

static void pair_any(char *to, const char *from, const dpc_axis *to_axis, const dpc_axis *axis, dpc_index size) {
    PAIR_WITH(to_axis);
    FOR_SECTIONS(axis)
    copy_any(to + PAIRED_ADDRESS * size, to_step, from + SECTION_ADDRESS * size, step, SECTION_LENGTH, size);
}

/* Calls the function for that element size. */
#define DISPATCH(function, size, ...)                                                                                  \
    ((size) == 8    ? function##_8(__VA_ARGS__)                                                                        \
     : (size) == 4  ? function##_4(__VA_ARGS__)                                                                        \
     : (size) == 16 ? function##_16(__VA_ARGS__)                                                                       \
     : (size) == 2  ? function##_2(__VA_ARGS__)                                                                        \
     : (size) == 1  ? function##_1(__VA_ARGS__)                                                                        \
                    : function##_any(__VA_ARGS__, (size)))

void dpc_copy_run(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n, dpc_index size) {
    DISPATCH(copy, size, to, to_stride, from, from_stride, n);
}

/* Both axes have the same sections at the same iterations. */
static bool alongside(const dpc_axis *a, const dpc_axis *b) {
    const dpc_sets *x = a->sets, *y = b->sets;
    const dpc_index sections = x->start[a->partner + 1] - x->start[a->partner];
    const dpc_section *s = x->section + x->start[a->partner], *t = y->section + y->start[b->partner];
    if (y->start[b->partner + 1] - y->start[b->partner] != sections) return false;
    if (x->end[a->partner] != y->end[b->partner] || x->period != y->period) return false;
    for (dpc_index k = 0; k < sections; k++)
        if (s[k].first != t[k].first || s[k].length != t[k].length) return false;
    return true;
}

/* A copy under way: the axes that are left after simplification. */
typedef struct {
    int rank;
    dpc_axis to[DPC_MAX_RANK], from[DPC_MAX_RANK];
    dpc_index to_offset, from_offset; /* elements of storage to the first element of each side */
    dpc_index size;                   /* bytes per element */
} copy;

static dpc_index shorter(const cursor *a, const cursor *b) {
    return a->left < b->left ? a->left : b->left;
}

static void copy_row(const copy *c, char *to, const char *from) {
    const dpc_axis *t = &c->to[c->rank - 1], *f = &c->from[c->rank - 1];
    if (t->sets == NULL && f->sets == NULL) {
        dpc_copy_run(to, t->scale, from, f->scale, t->length, c->size);
    } else if (t->sets == NULL && t->scale == 1) {
        DISPATCH(pack, c->size, to, from, f);
    } else if (f->sets == NULL && f->scale == 1) {
        DISPATCH(unpack, c->size, to, from, t);
    } else if (t->sets != NULL && f->sets != NULL && alongside(t, f)) {
        DISPATCH(pair, c->size, to, from, t, f);
    } else {
        cursor x = open_cursor(t), y = open_cursor(f);
        for (dpc_index n; (n = shorter(&x, &y)) > 0; skip(&x, n), skip(&y, n))
            dpc_copy_run(to + x.address * c->size, x.stride, from + y.address * c->size, y.stride, n, c->size);
    }
}

static void copy_axis(const copy *c, int axis, char *to, const char *from) {
    if (axis == c->rank - 1) {
        copy_row(c, to, from);
        return;
    }
    cursor t = open_cursor(&c->to[axis]), f = open_cursor(&c->from[axis]);
    for (dpc_index n; (n = shorter(&t, &f)) > 0; skip(&t, n), skip(&f, n))
        for (dpc_index k = 0; k < n; k++)
            copy_axis(c, axis + 1, to + (t.address + k * t.stride) * c->size,
                      from + (f.address + k * f.stride) * c->size);
}

static dpc_index axis_length(const dpc_axis *axis) {
    return axis->sets == NULL ? axis->length : dpc_sets_size(axis->sets, axis->partner);
}

/* The axis without its set when that is a single run; *offset grows by the address of its first element. */
static dpc_axis plain(const dpc_axis *axis, dpc_index length, dpc_index *offset) {
    const cursor c = open_cursor(axis);
    if (c.left != length) return *axis;
    *offset += c.address;
    return (dpc_axis){NULL, 0, length, c.stride};
}

/* The outer axis goes on where the inner one ends: both are one. */
static bool continues(const dpc_axis *outer, const dpc_axis *inner) {
    return outer->sets == NULL && inner->sets == NULL && outer->scale == inner->scale * inner->length;
}

/* Joins an axis to the one before it where that continues on both sides. */
static bool join_axis(copy *c, const dpc_axis *to, const dpc_axis *from) {
    if (c->rank == 0) return false;
    dpc_axis *last_to = &c->to[c->rank - 1], *last_from = &c->from[c->rank - 1];
    if (!continues(last_to, to) || !continues(last_from, from)) return false;
    const dpc_index length = last_to->length * to->length;
    *last_to = (dpc_axis){NULL, 0, length, to->scale};
    *last_from = (dpc_axis){NULL, 0, length, from->scale};
    return true;
}

static void add_axis(copy *c, const dpc_axis *to, const dpc_axis *from) {
    if (join_axis(c, to, from)) return;
    c->to[c->rank] = *to;
    c->from[c->rank++] = *from;
}

/* Leaves out axes of length 1 and joins those that are one run on both sides.  False when there is nothing to copy. */
static bool simplify(copy *c, int rank, const dpc_axis *to_axes, const dpc_axis *from_axes) {
    for (int k = 0; k < rank; k++) {
        const dpc_index length = axis_length(&to_axes[k]);
        if (length == 0) return false;
        const dpc_axis to = plain(&to_axes[k], length, &c->to_offset);
        const dpc_axis from = plain(&from_axes[k], length, &c->from_offset);
        if (length > 1) add_axis(c, &to, &from);
    }
    return true;
}

void dpc_copy_product(int rank, const dpc_axis *to_axes, void *to, const dpc_axis *from_axes, const void *from,
                      dpc_index size) {
    copy c = {.rank = 0, .size = size};
    if (!simplify(&c, rank, to_axes, from_axes)) return;
    char *target = (char *)to + c.to_offset * size;
    const char *source = (const char *)from + c.from_offset * size;
    if (c.rank == 0)
        memcpy(target, source, (size_t)size);
    else
        copy_axis(&c, 0, target, source);
}

dpc_index dpc_contiguous_product(int rank, const dpc_axis *dense_axes, const dpc_axis *axes) {
    copy c = {.rank = 0, .size = 1};
    if (!simplify(&c, rank, dense_axes, axes)) return -1;
    return c.rank == 0 || (c.rank == 1 && c.from[0].sets == NULL && c.from[0].scale == 1) ? c.from_offset : -1;
}

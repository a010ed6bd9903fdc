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

/* The sections of an axis, period by period; `size` bytes per element.  Used by the loops below: `room` counts the
 * iterations to the end of the set, `n` those of the section, `at` is its address in elements of storage. */
#define FOR_SECTIONS(axis)                                                                                             \
    const dpc_sets *sets = (axis)->sets;                                                                               \
    const dpc_section *first = sets->section + sets->start[(axis)->partner];                                           \
    const dpc_section *last = sets->section + sets->start[(axis)->partner + 1];                                        \
    const dpc_index step = sets->stride * (axis)->scale;                                                               \
    dpc_index offset = 0;                                                                                              \
    for (dpc_index room = sets->end[(axis)->partner]; room > 0; room -= sets->period, offset += sets->period_step)     \
        for (const dpc_section *s = first; s < last && s->first < room; s++)

#define SECTION_LENGTH (s->length < room - s->first ? s->length : room - s->first)
#define SECTION_ADDRESS ((s->local + offset) * axis->scale)

#define DEFINE_COPIES(bytes, type)                                                                                     \
    static void copy_##bytes(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n) {    \
        type *restrict target = (type *)(void *)to;                                                                    \
        const type *restrict source = (const type *)(const void *)from;                                                \
        if (to_stride == 1)                                                                                            \
            for (dpc_index k = 0; k < n; k++) target[k] = source[k * from_stride];                                     \
        else                                                                                                           \
            for (dpc_index k = 0; k < n; k++) target[k * to_stride] = source[k * from_stride];                         \
    }                                                                                                                  \
    static void pack_##bytes(char *to, const char *from, const dpc_axis *axis) {                                       \
        type *restrict target = (type *)(void *)to;                                                                    \
        const type *restrict source = (const type *)(const void *)from;                                                \
        FOR_SECTIONS(axis) {                                                                                           \
            const dpc_index n = SECTION_LENGTH, at = SECTION_ADDRESS;                                                  \
            for (dpc_index k = 0; k < n; k++) target[k] = source[at + k * step];                                       \
            target += n;                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void unpack_##bytes(char *to, const char *from, const dpc_axis *axis) {                                     \
        type *restrict target = (type *)(void *)to;                                                                    \
        const type *restrict source = (const type *)(const void *)from;                                                \
        FOR_SECTIONS(axis) {                                                                                           \
            const dpc_index n = SECTION_LENGTH, at = SECTION_ADDRESS;                                                  \
            for (dpc_index k = 0; k < n; k++) target[at + k * step] = source[k];                                       \
            source += n;                                                                                               \
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

void dpc_copy_run(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n, dpc_index size) {
    if (to_stride == 1 && from_stride == 1)
        memcpy(to, from, (size_t)(n * size));
    else if (size == 8)
        copy_8(to, to_stride, from, from_stride, n);
    else if (size == 4)
        copy_4(to, to_stride, from, from_stride, n);
    else if (size == 16)
        copy_16(to, to_stride, from, from_stride, n);
    else if (size == 2)
        copy_2(to, to_stride, from, from_stride, n);
    else if (size == 1)
        copy_1(to, to_stride, from, from_stride, n);
    else
        copy_any(to, to_stride, from, from_stride, n, size);
}

static void pack_axis(char *to, const char *from, const dpc_axis *axis, dpc_index size) {
    if (size == 8)
        pack_8(to, from, axis);
    else if (size == 4)
        pack_4(to, from, axis);
    else if (size == 16)
        pack_16(to, from, axis);
    else if (size == 2)
        pack_2(to, from, axis);
    else if (size == 1)
        pack_1(to, from, axis);
    else
        pack_any(to, from, axis, size);
}

static void unpack_axis(char *to, const char *from, const dpc_axis *axis, dpc_index size) {
    if (size == 8)
        unpack_8(to, from, axis);
    else if (size == 4)
        unpack_4(to, from, axis);
    else if (size == 16)
        unpack_16(to, from, axis);
    else if (size == 2)
        unpack_2(to, from, axis);
    else if (size == 1)
        unpack_1(to, from, axis);
    else
        unpack_any(to, from, axis, size);
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
        pack_axis(to, from, f, c->size);
    } else if (f->sets == NULL && f->scale == 1) {
        unpack_axis(to, from, t, c->size);
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

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

#define DEFINE_COPY(bytes, type)                                                                                       \
    static void copy_##bytes(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n) {    \
        type *restrict target = (type *)(void *)to;                                                                    \
        const type *restrict source = (const type *)(const void *)from;                                                \
        if (to_stride == 1)                                                                                            \
            for (dpc_index k = 0; k < n; k++) target[k] = source[k * from_stride];                                     \
        else                                                                                                           \
            for (dpc_index k = 0; k < n; k++) target[k * to_stride] = source[k * from_stride];                         \
    }

/* Element types of every size that C code may alias. */
typedef uint8_t __attribute__((may_alias)) bytes_1;
typedef uint16_t __attribute__((may_alias)) bytes_2;
typedef uint32_t __attribute__((may_alias)) bytes_4;
typedef uint64_t __attribute__((may_alias)) bytes_8;
typedef struct {
    uint64_t part[2];
} __attribute__((may_alias)) bytes_16;

DEFINE_COPY(1, bytes_1)
DEFINE_COPY(2, bytes_2)
DEFINE_COPY(4, bytes_4)
DEFINE_COPY(8, bytes_8)
DEFINE_COPY(16, bytes_16)

static void copy_any(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n,
                     dpc_index size) {
    for (dpc_index k = 0; k < n; k++) memcpy(to + k * to_stride * size, from + k * from_stride * size, (size_t)size);
}

void dpc_copy_run(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n, dpc_index size) {
    if (to_stride == 1 && from_stride == 1 && n > 4)
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

/* A copy under way: the axes that have more than one element. */
typedef struct {
    int rank;
    dpc_axis to[DPC_MAX_RANK], from[DPC_MAX_RANK];
    dpc_index size; /* bytes per element */
} copy;

static dpc_index shorter(const cursor *a, const cursor *b) {
    return a->left < b->left ? a->left : b->left;
}

static void copy_axis(const copy *c, int axis, char *to, const char *from) {
    cursor t = open_cursor(&c->to[axis]), f = open_cursor(&c->from[axis]);
    for (dpc_index n; (n = shorter(&t, &f)) > 0; skip(&t, n), skip(&f, n)) {
        char *target = to + t.address * c->size;
        const char *source = from + f.address * c->size;
        if (axis == c->rank - 1) {
            dpc_copy_run(target, t.stride, source, f.stride, n, c->size);
            continue;
        }
        for (dpc_index k = 0; k < n; k++)
            copy_axis(c, axis + 1, target + k * t.stride * c->size, source + k * f.stride * c->size);
    }
}

static dpc_index axis_length(const dpc_axis *axis) {
    return axis->sets == NULL ? axis->length : dpc_sets_size(axis->sets, axis->partner);
}

void dpc_copy_product(int rank, const dpc_axis *to_axes, void *to, const dpc_axis *from_axes, const void *from,
                      dpc_index size) {
    copy c = {.rank = 0, .size = size};
    char *target = to;
    const char *source = from;
    for (int k = 0; k < rank; k++) {
        const dpc_index length = axis_length(&to_axes[k]);
        if (length == 0) return;
        if (length == 1) {
            target += open_cursor(&to_axes[k]).address * size;
            source += open_cursor(&from_axes[k]).address * size;
            continue;
        }
        c.to[c.rank] = to_axes[k];
        c.from[c.rank++] = from_axes[k];
    }
    if (c.rank == 0)
        memcpy(target, source, (size_t)size);
    else
        copy_axis(&c, 0, target, source);
}

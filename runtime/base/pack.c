/* Copies of n-dimensional products of one-dimensional sets: packing, unpacking and local copies are the same operation
 * with one side dense or none. */
#include "pack.h"
#include "../team.h"

#include <string.h>

/* The runs of one occurrence of a section: `runs` runs of `length` elements `step` apart, the last one `last_length`;
 * the first one at `address`, each `jump` further (all in elements of storage). */
typedef struct {
    dpc_index runs, length, last_length;
    dpc_index address, step, jump;
} stretch;

/* The occurrence in a period whose iterations begin `room` before the end of the set, where addresses are `moved`
 * further than in the first period; s->first < room.  Runs of one element are one run. */
static inline stretch stretch_of(const dpc_section *s, dpc_index room, dpc_index moved, dpc_index stride,
                                 dpc_index scale) {
    const dpc_index left = (s->last < room ? s->last + 1 : room) - s->first, address = (s->local + moved) * scale;
    if (s->span == 0) {
        const dpc_index length = s->length < left ? s->length : left;
        return (stretch){1, length, length, address, stride * scale, 0};
    }
    const dpc_index before = (left - 1) / s->step, rest = left - before * s->step;
    if (s->length == 1) return (stretch){1, before + 1, before + 1, address, s->jump * scale, 0};
    return (stretch){before + 1, s->length,      rest < s->length ? rest : s->length,
                     address,    stride * scale, s->jump * scale};
}

/* A walk along one axis of one side, run by run.  The current run has `left` elements from `address`, `stride` apart
 * (both in elements of storage). */
typedef struct {
    dpc_index address, stride, left;
    const dpc_axis *axis;
    stretch stretch;   /* the runs of the current section from the current one on */
    dpc_index section; /* index of the current section */
    dpc_index room;    /* iterations from the current period to the end; 0 when nothing follows the current run */
    dpc_index moved;   /* addresses of the periods passed */
} cursor;

static void load_run(cursor *c) {
    c->address = c->stretch.address;
    c->stride = c->stretch.step;
    c->left = c->stretch.runs > 1 ? c->stretch.length : c->stretch.last_length;
}

/* The current section, or the first of the next period where this one has no more. */
static void load_section(cursor *c) {
    const dpc_sets *sets = c->axis->sets;
    const dpc_shared *shared = c->axis->shared;
    while (c->section == shared->tail || sets->section[c->section].first >= c->room) {
        c->section = shared->body;
        c->room -= sets->period;
        c->moved += sets->period_step;
        if (c->room <= 0 || shared->body == shared->tail) {
            c->room = 0;
            return;
        }
    }
    c->stretch = stretch_of(&sets->section[c->section], c->room, c->moved, sets->stride, c->axis->scale);
    load_run(c);
}

static void next_run(cursor *c) {
    if (c->stretch.runs > 1) {
        c->stretch.runs--;
        c->stretch.address += c->stretch.jump;
        load_run(c);
        return;
    }
    c->section++;
    load_section(c);
}

/* The addresses of a section's runs go on from one to the next. */
static bool is_straight(const dpc_section *s, dpc_index stride) {
    return s->span == 0 || s->jump == s->length * stride;
}

/* The address after a straight section's last element. */
static dpc_index address_after(const dpc_section *s, dpc_index stride) {
    const dpc_index rest = s->last - s->first - s->span + 1;
    return s->local + (s->span / s->step * s->length + (rest < s->length ? rest : s->length)) * stride;
}

/* Every section goes on where the one before it ends, from period to period too. */
static bool is_run(const dpc_sets *sets, const dpc_shared *shared) {
    const dpc_section *first = sets->section + shared->head, *end = sets->section + shared->tail;
    for (const dpc_section *s = first; s < end; s++) {
        if (!is_straight(s, sets->stride)) return false;
        if (s + 1 < end && address_after(s, sets->stride) != s[1].local) return false;
    }
    if (shared->body == shared->tail) return true;
    const dpc_section *again = sets->section + shared->body;
    return again->first + sets->period >= shared->end ||
           again->local + sets->period_step == address_after(end - 1, sets->stride);
}

/* The elements of a set with one section of runs of one element are as far apart as the runs, or the periods; 0: it is
 * not one. */
static dpc_index step_of_elements(const dpc_sets *sets, const dpc_shared *shared) {
    const dpc_section *s = &sets->section[shared->head];
    if (shared->tail != shared->head + 1 || s->length != 1) return 0;
    const bool repeats = shared->body < shared->tail && s->first + sets->period < shared->end;
    return s->span > 0 && !repeats ? s->jump : s->span == 0 && repeats ? sets->period_step : 0;
}

/* A set that is affine as a whole: one run. */
static bool load_affine(cursor *c) {
    const dpc_sets *sets = c->axis->sets;
    const dpc_shared *shared = c->axis->shared;
    const dpc_index step = step_of_elements(sets, shared);
    if (step == 0 && !is_run(sets, shared)) return false;
    c->address = sets->section[shared->head].local * c->axis->scale;
    c->stride = (step == 0 ? sets->stride : step) * c->axis->scale;
    c->left = shared->elements;
    return true;
}

DPC_STEADY static cursor open_cursor(const dpc_axis *axis) {
    cursor c = {.stride = axis->scale, .left = axis->length, .axis = axis};
    if (axis->sets == NULL || load_affine(&c)) return c;
    c.section = axis->shared->head;
    c.room = axis->shared->end;
    load_section(&c);
    return c;
}

static void skip(cursor *c, dpc_index n) {
    c->left -= n;
    c->address += n * c->stride;
    if (c->left == 0 && c->room > 0) next_run(c);
}

/* Element types of every size that C code may alias. */
typedef uint8_t __attribute__((may_alias)) bytes_1;
typedef uint16_t __attribute__((may_alias)) bytes_2;
typedef uint32_t __attribute__((may_alias)) bytes_4;
typedef uint64_t __attribute__((may_alias)) bytes_8;
typedef struct {
    uint64_t part[2];
} __attribute__((may_alias)) bytes_16;

/* The runs of an axis: the heads, then the body period by period.  Used by the loops below: `room` counts the
 * iterations to the end of the set, `moved` the addresses passed, `r` numbers the runs of a section. */
#define FOR_SECTIONS(axis)                                                                                             \
    const dpc_sets *sets = (axis)->sets;                                                                               \
    const dpc_shared *shared = (axis)->shared;                                                                         \
    const dpc_section *first = sets->section + shared->head, *body = sets->section + shared->body;                     \
    const dpc_section *end = sets->section + shared->tail, *s = first;                                                 \
    for (dpc_index room = shared->end, moved = 0, turn = 0; room > 0 && s < end;                                       \
         room -= sets->period, moved += sets->period_step, turn++, s = body)                                           \
        for (; s < end && s->first < room; s++)

/* A section that is one run, not cut by the end. */
static inline bool is_whole_run(const dpc_section *s, dpc_index room) {
    return s->last - s->first == s->length - 1 && s->last < room;
}

#define STRETCH stretch_of(s, room, moved, sets->stride, scale)
#define RUN_LENGTH(x, r) ((r) + 1 < (x).runs ? (x).length : (x).last_length)

/* The stretch of another axis that stands alongside that of FOR_SECTIONS. */
#define PAIRED_STRETCH(axis)                                                                                           \
    stretch_of((axis)->sets->section + (axis)->shared->head + (s - first), room, turn * (axis)->sets->period_step,     \
               (axis)->sets->stride, (axis)->scale)

/* The address of its first element. */
#define PAIRED_ADDRESS(axis)                                                                                           \
    (((axis)->sets->section[(axis)->shared->head + (s - first)].local + turn * (axis)->sets->period_step) *            \
     (axis)->scale)

/* Runs side by side of this many bytes and more are left to memcpy. */
enum { LONG_RUN = 256 };

/* For one element size: run copies n elements, strides in elements. */
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
    static void rows_##bytes(char *to, const dpc_rows *t, const char *from, const dpc_rows *f, dpc_index rows,         \
                             dpc_index n) {                                                                            \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        for (; rows > 0; rows--, target += t->row, source += f->row)                                                   \
            if (t->step == 1 && f->step == 1)                                                                          \
                dense_##bytes(target, source, n);                                                                      \
            else if (t->step == 1)                                                                                     \
                run_##bytes(target, 1, source, f->step, n);                                                            \
            else                                                                                                       \
                run_##bytes(target, t->step, source, f->step, n);                                                      \
    }

/* The same for sections: pack and unpack those of an axis to and from elements side by side; pair from those of one
 * axis to those of another that stand alongside. */
#define DEFINE_PACKING(bytes, type)                                                                                    \
    /* A run that is often short. */                                                                                   \
    static inline void few_##bytes(type *restrict target, dpc_index to_stride, const type *restrict source,            \
                                   dpc_index from_stride, dpc_index n) {                                               \
        if (n == 1)                                                                                                    \
            *target = *source;                                                                                         \
        else if (to_stride != 1)                                                                                       \
            run_##bytes(target, to_stride, source, from_stride, n);                                                    \
        else if (from_stride != 1)                                                                                     \
            run_##bytes(target, 1, source, from_stride, n);                                                            \
        else                                                                                                           \
            dense_##bytes(target, source, n);                                                                          \
    }                                                                                                                  \
    static void pack_##bytes(char *to, const char *from, const dpc_axis *axis) {                                       \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        const dpc_index scale = axis->scale, step = axis->sets->stride * scale;                                        \
        FOR_SECTIONS(axis) {                                                                                           \
            if (is_whole_run(s, room)) {                                                                               \
                few_##bytes(target, 1, source + (s->local + moved) * scale, step, s->length);                          \
                target += s->length;                                                                                   \
                continue;                                                                                              \
            }                                                                                                          \
            const stretch x = STRETCH;                                                                                 \
            for (dpc_index r = 0, at = x.address; r < x.runs; r++, at += x.jump) {                                     \
                const dpc_index n = RUN_LENGTH(x, r);                                                                  \
                if (x.step == 1)                                                                                       \
                    dense_##bytes(target, source + at, n);                                                             \
                else                                                                                                   \
                    run_##bytes(target, 1, source + at, x.step, n);                                                    \
                target += n;                                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void unpack_##bytes(char *to, const char *from, const dpc_axis *axis) {                                     \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        const dpc_index scale = axis->scale, step = axis->sets->stride * scale;                                        \
        FOR_SECTIONS(axis) {                                                                                           \
            if (is_whole_run(s, room)) {                                                                               \
                few_##bytes(target + (s->local + moved) * scale, step, source, 1, s->length);                          \
                source += s->length;                                                                                   \
                continue;                                                                                              \
            }                                                                                                          \
            const stretch x = STRETCH;                                                                                 \
            for (dpc_index r = 0, at = x.address; r < x.runs; r++, at += x.jump) {                                     \
                const dpc_index n = RUN_LENGTH(x, r);                                                                  \
                if (x.step == 1)                                                                                       \
                    dense_##bytes(target + at, source, n);                                                             \
                else                                                                                                   \
                    run_##bytes(target + at, x.step, source, 1, n);                                                    \
                source += n;                                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void pair_##bytes(char *to, const char *from, const dpc_axis *to_axis, const dpc_axis *axis) {              \
        type *target = (type *)(void *)to;                                                                             \
        const type *source = (const type *)(const void *)from;                                                         \
        const dpc_index scale = axis->scale, step = axis->sets->stride * scale;                                        \
        const dpc_index to_step = to_axis->sets->stride * to_axis->scale;                                              \
        FOR_SECTIONS(axis) {                                                                                           \
            if (is_whole_run(s, room)) {                                                                               \
                few_##bytes(target + PAIRED_ADDRESS(to_axis), to_step, source + (s->local + moved) * scale, step,      \
                            s->length);                                                                                \
                continue;                                                                                              \
            }                                                                                                          \
            const stretch x = STRETCH, y = PAIRED_STRETCH(to_axis);                                                    \
            for (dpc_index r = 0, at = x.address, to_at = y.address; r < x.runs; r++, at += x.jump, to_at += y.jump) { \
                const dpc_index n = RUN_LENGTH(x, r);                                                                  \
                if (y.step != 1)                                                                                       \
                    run_##bytes(target + to_at, y.step, source + at, x.step, n);                                       \
                else if (x.step != 1)                                                                                  \
                    run_##bytes(target + to_at, 1, source + at, x.step, n);                                            \
                else                                                                                                   \
                    dense_##bytes(target + to_at, source + at, n);                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }

DEFINE_COPIES(1, bytes_1)
DEFINE_COPIES(2, bytes_2)
DEFINE_COPIES(4, bytes_4)
DEFINE_COPIES(8, bytes_8)
DEFINE_COPIES(16, bytes_16)

DEFINE_PACKING(1, bytes_1)
DEFINE_PACKING(2, bytes_2)
DEFINE_PACKING(4, bytes_4)
DEFINE_PACKING(8, bytes_8)
DEFINE_PACKING(16, bytes_16)

static void copy_any(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n,
                     dpc_index size) {
    for (dpc_index k = 0; k < n; k++) memcpy(to + k * to_stride * size, from + k * from_stride * size, (size_t)size);
}

static void pack_any(char *to, const char *from, const dpc_axis *axis, dpc_index size) {
    const dpc_index scale = axis->scale;
    FOR_SECTIONS(axis) {
        const stretch x = STRETCH;
        for (dpc_index r = 0; r < x.runs; r++, to += x.length * size)
            copy_any(to, 1, from + (x.address + r * x.jump) * size, x.step, RUN_LENGTH(x, r), size);
        to -= (x.length - x.last_length) * size;
    }
}

static void unpack_any(char *to, const char *from, const dpc_axis *axis, dpc_index size) {
    const dpc_index scale = axis->scale;
    FOR_SECTIONS(axis) {
        const stretch x = STRETCH;
        for (dpc_index r = 0; r < x.runs; r++, from += x.length * size)
            copy_any(to + (x.address + r * x.jump) * size, x.step, from, 1, RUN_LENGTH(x, r), size);
        from -= (x.length - x.last_length) * size;
    }
}

static void pair_any(char *to, const char *from, const dpc_axis *to_axis, const dpc_axis *axis, dpc_index size) {
    const dpc_index scale = axis->scale;
    FOR_SECTIONS(axis) {
        const stretch x = STRETCH, y = PAIRED_STRETCH(to_axis);
        for (dpc_index r = 0; r < x.runs; r++)
            copy_any(to + (y.address + r * y.jump) * size, y.step, from + (x.address + r * x.jump) * size, x.step,
                     RUN_LENGTH(x, r), size);
    }
}

/* Calls the function for that element size. */
#define DISPATCH(function, size, ...)                                                                                  \
    ((size) == 8    ? function##_8(__VA_ARGS__)                                                                        \
     : (size) == 4  ? function##_4(__VA_ARGS__)                                                                        \
     : (size) == 16 ? function##_16(__VA_ARGS__)                                                                       \
     : (size) == 2  ? function##_2(__VA_ARGS__)                                                                        \
     : (size) == 1  ? function##_1(__VA_ARGS__)                                                                        \
                    : function##_any(__VA_ARGS__, (size)))

DPC_STEADY void dpc_copy_run(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n,
                             dpc_index size) {
    DISPATCH(copy, size, to, to_stride, from, from_stride, n);
}

static void rows_any(char *to, const dpc_rows *t, const char *from, const dpc_rows *f, dpc_index rows, dpc_index n,
                     dpc_index size) {
    for (; rows > 0; rows--, to += t->row * size, from += f->row * size) copy_any(to, t->step, from, f->step, n, size);
}

DPC_STEADY void dpc_copy_rows(char *to, const dpc_rows *to_rows, const char *from, const dpc_rows *from_rows,
                              dpc_index rows, dpc_index n, dpc_index size) {
    DISPATCH(rows, size, to, to_rows, from, from_rows, rows, n);
}

/* Both axes have the same sections at the same iterations. */
static bool alongside(const dpc_axis *a, const dpc_axis *b) {
    const dpc_shared *x = a->shared, *y = b->shared;
    const dpc_section *s = a->sets->section + x->head, *t = b->sets->section + y->head;
    if (x->tail - x->head != y->tail - y->head || x->body - x->head != y->body - y->head) return false;
    if (x->end != y->end || a->sets->period != b->sets->period) return false;
    for (const dpc_section *end = a->sets->section + x->tail; s < end; s++, t++)
        if (s->first != t->first || s->length != t->length || s->step != t->step || s->last != t->last) return false;
    return true;
}

/* A copy under way: the axes that are left after simplification. */
typedef struct {
    int rank;
    dpc_axis to[DPC_MAX_RANK], from[DPC_MAX_RANK];
    dpc_index to_offset, from_offset; /* elements of storage to the first element of each side */
    dpc_index size;                   /* bytes per element */
} product_copy;

static dpc_index shorter(const cursor *a, const cursor *b) {
    return a->left < b->left ? a->left : b->left;
}

static void copy_row(const product_copy *c, char *to, const char *from) {
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

DPC_STEADY static void copy_axis(const product_copy *c, int axis, char *to, const char *from) {
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
    return axis->sets == NULL ? axis->length : axis->shared->elements;
}

/* The axis without its set when that is a single run; *offset grows by the address of its first element. */
static dpc_axis plain(const dpc_axis *axis, dpc_index length, dpc_index *offset) {
    const cursor c = open_cursor(axis);
    if (c.left != length) return *axis;
    *offset += c.address;
    return (dpc_axis){NULL, NULL, length, c.stride};
}

/* The outer axis goes on where the inner one ends: both are one. */
static bool continues(const dpc_axis *outer, const dpc_axis *inner) {
    return outer->sets == NULL && inner->sets == NULL && outer->scale == inner->scale * inner->length;
}

/* Joins an axis to the one before it where that continues on both sides. */
static bool join_axis(product_copy *c, const dpc_axis *to, const dpc_axis *from) {
    if (c->rank == 0) return false;
    dpc_axis *last_to = &c->to[c->rank - 1], *last_from = &c->from[c->rank - 1];
    if (!continues(last_to, to) || !continues(last_from, from)) return false;
    const dpc_index length = last_to->length * to->length;
    *last_to = (dpc_axis){NULL, NULL, length, to->scale};
    *last_from = (dpc_axis){NULL, NULL, length, from->scale};
    return true;
}

static void add_axis(product_copy *c, const dpc_axis *to, const dpc_axis *from) {
    if (join_axis(c, to, from)) return;
    c->to[c->rank] = *to;
    c->from[c->rank++] = *from;
}

/* Leaves out axes of length 1 and joins those that are one run on both sides.  False when there is nothing to copy. */
DPC_STEADY static bool simplify(product_copy *c, int rank, const dpc_axis *to_axes, const dpc_axis *from_axes) {
    for (int k = 0; k < rank; k++) {
        const dpc_index length = axis_length(&to_axes[k]);
        if (length == 0) return false;
        const dpc_axis to = plain(&to_axes[k], length, &c->to_offset);
        const dpc_axis from = plain(&from_axes[k], length, &c->from_offset);
        if (length > 1) add_axis(c, &to, &from);
    }
    return true;
}

/* ---- Threads */

/* Bytes below which starting threads costs more than they save, roughly. */
enum { LEAST_SHARED = 1 << 17 };

static int threads = 1;
static dpc_team team;

void dpc_use_team(int count, dpc_team run) {
    threads = count;
    team = run;
}

/* A copy whose first axis is divided into parts. */
typedef struct {
    const product_copy *whole;
    char *to;
    const char *from;
    int parts;
} divided;

static void copy_part(void *context, int k) {
    const divided *d = context;
    const product_copy *c = d->whole;
    const dpc_index length = c->to[0].length, first = length * k / d->parts;
    product_copy part = *c;
    part.to[0].length = part.from[0].length = length * (k + 1) / d->parts - first;
    if (part.to[0].length == 0) return;
    copy_axis(&part, 0, d->to + first * c->to[0].scale * c->size, d->from + first * c->from[0].scale * c->size);
}

static dpc_index bytes_of(const product_copy *c) {
    dpc_index bytes = c->size;
    for (int k = 0; k < c->rank; k++) bytes *= axis_length(&c->to[k]);
    return bytes;
}

/* By all threads where that pays and the first axis, one run on both sides, is easily divided. */
static void copy_all(const product_copy *c, char *to, const char *from) {
    divided d = {c, to, from, threads};
    if (threads > 1 && c->to[0].sets == NULL && c->from[0].sets == NULL && bytes_of(c) >= LEAST_SHARED)
        team(threads, copy_part, &d);
    else
        copy_axis(c, 0, to, from);
}

DPC_STEADY void dpc_copy_product(int rank, const dpc_axis *to_axes, void *to, const dpc_axis *from_axes,
                                 const void *from, dpc_index size) {
    product_copy c = {.rank = 0, .size = size};
    if (!simplify(&c, rank, to_axes, from_axes)) return;
    char *target = (char *)to + c.to_offset * size;
    const char *source = (const char *)from + c.from_offset * size;
    if (c.rank == 0)
        memcpy(target, source, (size_t)size);
    else
        copy_all(&c, target, source);
}

/* Lists `base` plus the addresses of the axes; returns where the list ends. */
static dpc_index *list_axes(int rank, const dpc_axis *axes, dpc_index base, dpc_index *addresses) {
    for (cursor c = open_cursor(axes); c.left > 0; skip(&c, c.left))
        for (dpc_index k = 0, at = base + c.address; k < c.left; k++, at += c.stride)
            if (rank == 1)
                *addresses++ = at;
            else
                addresses = list_axes(rank - 1, axes + 1, at, addresses);
    return addresses;
}

void dpc_list_addresses(int rank, const dpc_axis *axes, dpc_index *addresses) {
    if (rank == 0)
        *addresses = 0;
    else
        list_axes(rank, axes, 0, addresses);
}

dpc_index dpc_contiguous_product(int rank, const dpc_axis *dense_axes, const dpc_axis *axes) {
    product_copy c = {.rank = 0, .size = 1};
    if (!simplify(&c, rank, dense_axes, axes)) return -1;
    return c.rank == 0 || (c.rank == 1 && c.from[0].sets == NULL && c.from[0].scale == 1) ? c.from_offset : -1;
}

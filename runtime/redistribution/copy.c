/* Copies between storage, where elements lie as shares say, and a message, where they lie side by side. */
#include "engine.h"

#include <string.h>

/* ---- Dimensions whose elements lie side by side are one larger element. */

typedef struct {
    int rank; /* that are left, may be 0 */
    const dpc_share *const *shares;
    dpc_index step[DPC_MAX_RANK]; /* bytes per local index */
    dpc_index unit;               /* bytes of an element */
    dpc_index place;              /* bytes: of the first */
} folded;

static bool is_one_stretch(const dpc_share *share) {
    return share->stretches == 1 && share->step == 0;
}

static folded fold(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size) {
    folded f = {.rank = rank, .shares = shares, .unit = size};
    for (int k = 0; k < rank; k++) f.step[k] = stride[k] * size;
    while (f.rank > 0) {
        const dpc_share *share = shares[f.rank - 1];
        const bool dense = is_one_stretch(share) && (f.step[f.rank - 1] == f.unit || share->elements == 1);
        if (!dense) break;
        f.place += share->stretch[0].offset * f.step[f.rank - 1];
        f.unit *= share->elements;
        f.rank--;
    }
    return f;
}

/* ---- Rows: the last dimension that is left */

typedef uint16_t unit2 __attribute__((may_alias, aligned(1)));
typedef uint32_t unit4 __attribute__((may_alias, aligned(1)));
typedef uint64_t unit8 __attribute__((may_alias, aligned(1)));
typedef struct __attribute__((may_alias, packed)) {
    uint64_t part[2];
} unit16;

enum { SHORT_RUN = 16 }; /* elements: longer ones are worth a call */

/* Copies a stretch of units of one type; `step` (units) is that of the storage. */
#define COPY_UNITS(type, to, to_step, from, from_step, n)                                                              \
    do {                                                                                                               \
        type *out_ = (type *)(to);                                                                                     \
        const type *in_ = (const type *)(from);                                                                        \
        for (dpc_index i_ = 0; i_ < (n); i_++) out_[i_ * (to_step)] = in_[i_ * (from_step)];                           \
    } while (0)

static inline __attribute__((always_inline)) void copy_units(dpc_index unit, char *to, dpc_index to_step,
                                                             const char *from, dpc_index from_step, dpc_index n) {
    if (unit == 8)
        COPY_UNITS(unit8, to, to_step, from, from_step, n);
    else if (unit == 4)
        COPY_UNITS(unit4, to, to_step, from, from_step, n);
    else if (unit == 16)
        COPY_UNITS(unit16, to, to_step, from, from_step, n);
    else if (unit == 2)
        COPY_UNITS(unit2, to, to_step, from, from_step, n);
    else if (unit == 1)
        COPY_UNITS(unsigned char, to, to_step, from, from_step, n);
    else
        for (dpc_index i = 0; i < n; i++) memcpy(to + i * to_step * unit, from + i * from_step * unit, (size_t)unit);
}

/* One stretch; `step`: bytes of storage per element. */
static inline __attribute__((always_inline)) void copy_stretch(bool packing, dpc_index unit, dpc_index step, char *data,
                                                               char *storage, dpc_index n) {
    const bool dense = step == unit;
    if (dense && (n > SHORT_RUN || unit > 16)) {
        memcpy(packing ? data : storage, packing ? storage : data, (size_t)(n * unit));
    } else if (dense) {
        copy_units(unit, packing ? data : storage, 1, packing ? storage : data, 1, n);
    } else if (step % unit == 0) {
        if (packing)
            copy_units(unit, data, 1, storage, step / unit, n);
        else
            copy_units(unit, storage, step / unit, data, 1, n);
    } else {
        for (dpc_index i = 0; i < n; i++)
            memcpy(packing ? data + i * unit : storage + i * step, packing ? storage + i * step : data + i * unit,
                   (size_t)unit);
    }
}

/* A period of one stretch of one element: a stride. */
static inline __attribute__((always_inline)) char *copy_row(bool packing, dpc_index unit, dpc_index step,
                                                            const dpc_share *share, char *data, char *storage) {
    dpc_index left = share->elements;
    if (share->stretches == 1 && share->stretch[0].length == 1 && (share->step > 0 || left == 1)) {
        copy_stretch(packing, unit, step * (left == 1 ? 1 : share->step), data,
                     storage + share->stretch[0].offset * step, left);
        return data + left * unit;
    }
    for (; left > 0; storage += share->step * step) {
        for (const dpc_stretch *s = share->stretch; s < share->stretch + share->stretches && left > 0; s++) {
            const dpc_index n = s->length < left ? s->length : left;
            copy_stretch(packing, unit, step, data, storage + s->offset * step, n);
            data += n * unit;
            left -= n;
        }
    }
    return data;
}

/* The same with the common units known to the compiler. */
static inline __attribute__((always_inline)) char *copy_any_row(bool packing, dpc_index unit, dpc_index step,
                                                                const dpc_share *share, char *data, char *storage) {
    if (unit == 8 && step == 8) return copy_row(packing, 8, 8, share, data, storage);
    if (unit == 4 && step == 4) return copy_row(packing, 4, 4, share, data, storage);
    if (unit == 16 && step == 16) return copy_row(packing, 16, 16, share, data, storage);
    return copy_row(packing, unit, step, share, data, storage);
}

static char *pack_row(const folded *f, const dpc_share *share, char *data, char *storage) {
    return copy_any_row(true, f->unit, f->step[f->rank - 1], share, data, storage);
}

static char *unpack_row(const folded *f, const dpc_share *share, char *data, char *storage) {
    return copy_any_row(false, f->unit, f->step[f->rank - 1], share, data, storage);
}

/* Dimension k and those inside it; returns the end of the data. */
static char *copy_from(const folded *f, int k, bool packing, char *data, char *storage) {
    const dpc_share *share = f->shares[k];
    if (k == f->rank - 1) return packing ? pack_row(f, share, data, storage) : unpack_row(f, share, data, storage);
    dpc_index left = share->elements;
    for (; left > 0; storage += share->step * f->step[k])
        for (const dpc_stretch *s = share->stretch; s < share->stretch + share->stretches && left > 0; s++)
            for (dpc_index x = 0; x < s->length && left > 0; x++, left--)
                data = copy_from(f, k + 1, packing, data, storage + (s->offset + x) * f->step[k]);
    return data;
}

/* The casts take away const from the side that is only read. */
static void copy_all(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size, bool packing,
                     char *data, char *storage) {
    const folded f = fold(rank, shares, stride, size);
    storage += f.place;
    if (f.rank == 0)
        memcpy(packing ? data : storage, packing ? storage : data, (size_t)f.unit);
    else
        copy_from(&f, 0, packing, data, storage);
}

void dpc_pack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size, char *buffer,
                     const char *storage) {
    copy_all(rank, shares, stride, size, true, buffer, (char *)(uintptr_t)storage);
}

void dpc_unpack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                       const char *buffer, char *storage) {
    copy_all(rank, shares, stride, size, false, (char *)(uintptr_t)buffer, storage);
}

/* ---- From storage to storage */

/* A place in a share. */
typedef struct {
    const dpc_share *share;
    dpc_index base, stretch, done; /* of the period; number of the stretch; elements of it that are behind */
} cursor;

static dpc_index cursor_room(const cursor *c) {
    return c->share->stretch[c->stretch].length - c->done;
}

static dpc_index cursor_offset(const cursor *c) {
    return c->base + c->share->stretch[c->stretch].offset + c->done;
}

static inline void advance(cursor *c, dpc_index n) {
    c->done += n;
    if (c->done < c->share->stretch[c->stretch].length) return;
    c->done = 0;
    if (++c->stretch < c->share->stretches) return;
    c->stretch = 0;
    c->base += c->share->step;
}

typedef struct {
    int rank;
    dpc_index size;
    const dpc_share *const *from_shares, *const *to_shares;
    dpc_index from_step[DPC_MAX_RANK], to_step[DPC_MAX_RANK]; /* bytes */
} two_sides;

static inline __attribute__((always_inline)) void move_row(const two_sides *s, dpc_index size, const char *from,
                                                           char *to) {
    const int k = s->rank - 1;
    cursor x = {.share = s->from_shares[k]}, y = {.share = s->to_shares[k]};
    const dpc_index from_step = s->from_step[k], to_step = s->to_step[k];
    const bool dense = from_step == size && to_step == size;
    for (dpc_index left = x.share->elements; left > 0;) {
        const dpc_index n = dpc_minimum(left, dpc_minimum(cursor_room(&x), cursor_room(&y)));
        const char *in = from + cursor_offset(&x) * from_step;
        char *out = to + cursor_offset(&y) * to_step;
        if (dense && n > SHORT_RUN)
            memcpy(out, in, (size_t)(n * size));
        else if (dense)
            copy_units(size, out, 1, in, 1, n);
        else
            for (dpc_index i = 0; i < n; i++) memcpy(out + i * to_step, in + i * from_step, (size_t)size);
        advance(&x, n);
        advance(&y, n);
        left -= n;
    }
}

static void move_from(const two_sides *s, int k, const char *from, char *to) {
    if (k == s->rank - 1 && s->size == 8) return move_row(s, 8, from, to);
    if (k == s->rank - 1) return move_row(s, s->size, from, to);
    cursor x = {.share = s->from_shares[k]}, y = {.share = s->to_shares[k]};
    for (dpc_index left = x.share->elements; left > 0; left--) {
        move_from(s, k + 1, from + cursor_offset(&x) * s->from_step[k], to + cursor_offset(&y) * s->to_step[k]);
        advance(&x, 1);
        advance(&y, 1);
    }
}

void dpc_copy_shares(int rank, const dpc_share *const *from_shares, const dpc_index *from_stride, const char *from,
                     const dpc_share *const *to_shares, const dpc_index *to_stride, char *to, dpc_index size) {
    two_sides s = {.rank = rank, .size = size, .from_shares = from_shares, .to_shares = to_shares};
    for (int k = 0; k < rank; k++) {
        s.from_step[k] = from_stride[k] * size;
        s.to_step[k] = to_stride[k] * size;
    }
    while (s.rank > 1 && is_one_stretch(from_shares[s.rank - 1]) && is_one_stretch(to_shares[s.rank - 1]) &&
           s.from_step[s.rank - 1] == s.size && s.to_step[s.rank - 1] == s.size) {
        s.rank--;
        from += from_shares[s.rank]->stretch[0].offset * s.size;
        to += to_shares[s.rank]->stretch[0].offset * s.size;
        s.size *= from_shares[s.rank]->elements;
    }
    move_from(&s, 0, from, to);
}

/* Portions of messages.  See portions.h. */
#include "portions.h"

#include "engine.h"
#include "kernels.h"

#include <string.h>

/* ---- Opening */

static const dpc_stretch unit_stretch = {0, 1};
static const dpc_share unit_share = {.elements = 1, .stretches = 1, .stretch = (dpc_stretch *)(uintptr_t)&unit_stretch};

static bool is_one_stretch(const dpc_share *share) {
    return share->stretches == 1 && share->step == 0;
}

/* Makes inner dimensions whose elements lie side by side part of the unit. */
static void fold(dpc_portions *p) {
    for (; p->rank > 0; p->rank--) {
        const dpc_share *share = p->shares[p->rank - 1];
        const dpc_index step = p->step[p->rank - 1];
        if (!is_one_stretch(share) || (step != p->unit && share->elements != 1)) return;
        p->first += share->stretch[0].offset * step;
        p->unit *= share->elements;
    }
    p->shares[0] = &unit_share;
    p->step[0] = p->unit;
    p->rank = 1;
}

/* Goes to the first byte of the row at the positions of the outer dimensions. */
static void begin_row(dpc_portions *p) {
    const int row = p->rank - 1;
    p->place = p->first;
    for (int k = 0; k < row; k++) {
        const dpc_share_position *at = &p->at[k];
        p->place += (at->base + p->shares[k]->stretch[at->stretch].offset + at->done) * p->step[k];
    }
    p->at[row] = (dpc_share_position){0};
    p->row_left = p->shares[row]->elements * p->unit;
    if (p->row_left > p->left) p->row_left = p->left;
}

dpc_portions dpc_open_portions(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                               dpc_index limit) {
    dpc_portions p = {.rank = rank, .unit = size, .left = size, .limit = limit};
    for (int k = 0; k < rank; k++) {
        p.shares[k] = shares[k];
        p.step[k] = stride[k] * size;
        p.left *= shares[k]->elements;
    }
    fold(&p);
    const dpc_share *row = p.shares[p.rank - 1];
    for (dpc_index k = 0; k < row->stretches; k++) {
        const dpc_index bytes = row->stretch[k].length * p.unit;
        p.period += bytes;
        if (p.longest < bytes) p.longest = bytes;
    }
    begin_row(&p);
    return p;
}

/* ---- Positions */

/* Bytes of the row's stretch that are left. */
static dpc_index stretch_left(const dpc_portions *p) {
    const dpc_share_position *at = &p->at[p->rank - 1];
    const dpc_index left = p->shares[p->rank - 1]->stretch[at->stretch].length * p->unit - at->done;
    return left < p->row_left ? left : p->row_left;
}

static void next_stretch(const dpc_share *share, dpc_share_position *at) {
    at->done = 0;
    if (++at->stretch < share->stretches) return;
    at->stretch = 0;
    at->base += share->step;
}

/* The next indices of the outer dimensions: the last one first, which begins again when it is through. */
static void next_row(dpc_portions *p) {
    for (int k = p->rank - 2; k >= 0; k--) {
        const dpc_share *share = p->shares[k];
        dpc_share_position *at = &p->at[k];
        if (++at->behind < share->elements) {
            if (++at->done == share->stretch[at->stretch].length) next_stretch(share, at);
            break;
        }
        *at = (dpc_share_position){0};
    }
    begin_row(p);
}

dpc_index dpc_portion_run(const dpc_portions *p) {
    const dpc_index left = stretch_left(p), unit = p->unit;
    return p->step[p->rank - 1] == unit ? left : dpc_minimum(left, unit - p->at[p->rank - 1].done % unit);
}

/* Bytes of storage before the row's position. */
static dpc_index place_in_row(const dpc_portions *p) {
    const int row = p->rank - 1;
    const dpc_share_position *at = &p->at[row];
    const dpc_index index = at->base + p->shares[row]->stretch[at->stretch].offset;
    return (index + at->done / p->unit) * p->step[row] + at->done % p->unit;
}

dpc_index dpc_portion_place(const dpc_portions *p) {
    return p->place + place_in_row(p);
}

/* ---- Kernels */

enum { AHEAD = 4096 };
typedef enum { SKIP, PACK, UNPACK } action;

#define MOVE(bytes, to, from) __builtin_memcpy(to, from, bytes)

/* Two overlapping halves where there is no power of two. */
#define MOVE_BETWEEN(bytes, to, from, length)                                                                          \
    do {                                                                                                               \
        char head_[bytes], tail_[bytes];                                                                               \
        MOVE(bytes, head_, from);                                                                                      \
        MOVE(bytes, tail_, (from) + (length) - (bytes));                                                               \
        MOVE(bytes, to, head_);                                                                                        \
        MOVE(bytes, (to) + (length) - (bytes), tail_);                                                                 \
    } while (0)

static inline __attribute__((always_inline)) void move_exactly(char *to, const char *from, dpc_index bytes) {
    if (bytes > 64)
        memcpy(to, from, (size_t)bytes);
    else if (bytes >= 32)
        MOVE_BETWEEN(32, to, from, bytes);
    else if (bytes >= 16)
        MOVE_BETWEEN(16, to, from, bytes);
    else if (bytes >= 8)
        MOVE_BETWEEN(8, to, from, bytes);
    else if (bytes >= 4)
        MOVE_BETWEEN(4, to, from, bytes);
    else
        for (dpc_index k = 0; k < bytes; k++) to[k] = from[k];
}

/* `n` units, so many bytes apart on either side; the far side is asked for ahead. */
static inline __attribute__((always_inline)) void move_units(char *to, dpc_index to_step, const char *from,
                                                             dpc_index from_step, dpc_index n, size_t unit) {
    dpc_index k = 0;
    for (; k + 4 <= n; k += 4, to += 4 * to_step, from += 4 * from_step) {
        __builtin_prefetch(from + AHEAD);
        __builtin_prefetch(to + AHEAD, 1);
        MOVE(unit, to, from);
        MOVE(unit, to + to_step, from + from_step);
        MOVE(unit, to + 2 * to_step, from + 2 * from_step);
        MOVE(unit, to + 3 * to_step, from + 3 * from_step);
    }
    for (; k < n; k++, to += to_step, from += from_step) MOVE(unit, to, from);
}

static inline __attribute__((always_inline)) void move_strided(action what, char *data, char *storage, dpc_index step,
                                                               dpc_index n, dpc_index unit) {
    if (what == PACK)
        move_units(data, unit, storage, step, n, (size_t)unit);
    else if (what == UNPACK)
        move_units(storage, step, data, unit, n, (size_t)unit);
}

/* The same with the common units known to the compiler. */
static void move_several(action what, char *data, char *storage, dpc_index step, dpc_index n, dpc_index unit) {
    switch (unit) {
    case 1:
        return move_strided(what, data, storage, step, n, 1);
    case 2:
        return move_strided(what, data, storage, step, n, 2);
    case 4:
        return move_strided(what, data, storage, step, n, 4);
    case 8:
        return move_strided(what, data, storage, step, n, 8);
    case 16:
        return move_strided(what, data, storage, step, n, 16);
    default:
        return move_strided(what, data, storage, step, n, unit);
    }
}

/* Periods of short stretches by whole vectors: up to `width` bytes are read and written after the last one. */
static inline __attribute__((always_inline)) char *pack_periods_of(const dpc_share *share, dpc_index unit, char *data,
                                                                   const char *storage, dpc_index times, size_t width) {
    const dpc_stretch *end = share->stretch + share->stretches;
    for (dpc_index t = 0; t < times; t++, storage += share->step * unit)
        for (const dpc_stretch *s = share->stretch; s < end; data += s->length * unit, s++) {
            __builtin_prefetch(storage + s->offset * unit + AHEAD);
            MOVE(width, data, storage + s->offset * unit);
        }
    return data;
}

static char *pack_short(const dpc_share *share, dpc_index unit, dpc_index longest, char *data, const char *storage,
                        dpc_index times) {
    if (unit == 8 && longest <= 32) return pack_periods_of(share, 8, data, storage, times, 32);
    if (longest <= 32) return pack_periods_of(share, unit, data, storage, times, 32);
    return pack_periods_of(share, unit, data, storage, times, 64);
}

static inline __attribute__((always_inline)) void move_periods_of(bool packing, const dpc_share *share, dpc_index unit,
                                                                  char *data, char *storage, dpc_index times) {
    const dpc_stretch *end = share->stretch + share->stretches;
    const dpc_index ahead = share->step * unit * (1 + AHEAD / (1 + share->step * unit));
    for (dpc_index t = 0; t < times; t++, storage += share->step * unit)
        for (const dpc_stretch *s = share->stretch; s < end; s++) {
            const dpc_index bytes = s->length * unit;
            char *at = storage + s->offset * unit;
            if (packing)
                __builtin_prefetch(at + ahead);
            else
                for (dpc_index k = 0; k < bytes; k += 64) __builtin_prefetch(at + ahead + k, 1);
            move_exactly(packing ? data : at, packing ? at : data, bytes);
            data += bytes;
        }
}

/* ---- Taking */

static void pass_bytes(dpc_portions *p, dpc_index bytes) {
    p->row_left -= bytes;
    p->left -= bytes;
}

/* Units of one index each, at equal distances. */
static dpc_index take_units(dpc_portions *p, action what, char *data, char *storage, dpc_index bytes) {
    const int row = p->rank - 1;
    const dpc_share *share = p->shares[row];
    const dpc_index n = bytes / p->unit;
    move_several(what, data, storage + dpc_portion_place(p), share->step * p->step[row], n, p->unit);
    p->at[row].base += n * share->step;
    pass_bytes(p, n * p->unit);
    return n * p->unit;
}

/* Periods that may be read by whole vectors: what is behind storage and data stays untouched. */
static dpc_index vector_periods(const dpc_portions *p, dpc_index times, dpc_index bytes) {
    enum { WIDEST = 64 };
    const int row = p->rank - 1;
    const dpc_share *share = p->shares[row];
    const dpc_index step = share->step * p->unit, begin = p->place + p->at[row].base * p->unit;
    if (p->longest > WIDEST || step == 0 || bytes < WIDEST) return 0;
    const dpc_index readable = p->limit - WIDEST - begin;
    times = dpc_minimum(times, (bytes - WIDEST) / p->period);
    return readable < 0 ? 0 : dpc_minimum(times, readable / step);
}

static dpc_index take_periods(dpc_portions *p, action what, char *data, char *storage, dpc_index bytes) {
    const int row = p->rank - 1;
    const dpc_share *share = p->shares[row];
    const dpc_index times = bytes / p->period, wide = what == PACK ? vector_periods(p, times, bytes) : 0;
    storage += p->place + p->at[row].base * p->unit;
    if (wide > 0) data = pack_short(share, p->unit, p->longest, data, storage, wide);
    storage += wide * share->step * p->unit;
    if (what == PACK)
        move_periods_of(true, share, p->unit, data, storage, times - wide);
    else if (what == UNPACK && p->unit == 8)
        move_periods_of(false, share, 8, data, storage, times);
    else if (what == UNPACK)
        move_periods_of(false, share, p->unit, data, storage, times);
    p->at[row].base += times * share->step;
    pass_bytes(p, times * p->period);
    return times * p->period;
}

/* Part of a stretch: side by side, or units a step apart of which the first and the last may be cut. */
static void move_part(const dpc_portions *p, action what, char *data, char *storage, dpc_index bytes) {
    const int row = p->rank - 1;
    const dpc_index unit = p->unit, step = p->step[row], cut = p->at[row].done % unit;
    const bool dense = step == unit;
    const dpc_index head = dense ? bytes : cut == 0 ? 0 : dpc_minimum(bytes, unit - cut);
    if (what == SKIP) return;
    if (head > 0) move_exactly(what == PACK ? data : storage, what == PACK ? storage : data, head);
    if (head == bytes) return;
    data += head;
    storage += cut == 0 ? 0 : step - cut;
    const dpc_index n = (bytes - head) / unit, tail = (bytes - head) % unit;
    move_several(what, data, storage, step, n, unit);
    data += n * unit;
    storage += n * step;
    move_exactly(what == PACK ? data : storage, what == PACK ? storage : data, tail);
}

static dpc_index take_part(dpc_portions *p, action what, char *data, char *storage, dpc_index bytes) {
    const int row = p->rank - 1;
    const dpc_share *share = p->shares[row];
    dpc_share_position *at = &p->at[row];
    const dpc_index n = dpc_minimum(bytes, stretch_left(p));
    move_part(p, what, data, storage + dpc_portion_place(p), n);
    at->done += n;
    if (at->done == share->stretch[at->stretch].length * p->unit) next_stretch(share, at);
    pass_bytes(p, n);
    return n;
}

/* Bytes of one row. */
static dpc_index take_some(dpc_portions *p, action what, char *data, char *storage, dpc_index bytes) {
    const int row = p->rank - 1;
    const dpc_share *share = p->shares[row];
    const dpc_share_position *at = &p->at[row];
    const bool begins = at->stretch == 0 && at->done == 0 && share->step > 0;
    if (begins && share->stretches == 1 && share->stretch[0].length == 1 && bytes >= p->unit)
        return take_units(p, what, data, storage, bytes);
    if (begins && p->step[row] == p->unit && bytes >= p->period) return take_periods(p, what, data, storage, bytes);
    return take_part(p, what, data, storage, bytes);
}

static void take(dpc_portions *p, action what, char *data, char *storage, dpc_index bytes) {
    while (bytes > 0) {
        const dpc_index taken = take_some(p, what, data, storage, dpc_minimum(bytes, p->row_left));
        data += what == SKIP ? 0 : taken;
        bytes -= taken;
        if (p->row_left == 0 && p->left > 0) next_row(p);
    }
}

void dpc_skip_portion(dpc_portions *p, dpc_index bytes) {
    take(p, SKIP, NULL, NULL, bytes);
}

/* The casts take away const from the side that is only read. */
void dpc_pack_portion(dpc_portions *p, char *data, const char *storage, dpc_index bytes) {
    take(p, PACK, data, (char *)(uintptr_t)storage, bytes);
}

void dpc_unpack_portion(dpc_portions *p, const char *data, char *storage, dpc_index bytes) {
    take(p, UNPACK, (char *)(uintptr_t)data, storage, bytes);
}

/* ---- From storage to storage */

/* Bytes: runs from here on are worth a copy of their own; what passes the caches is put together in such parts. */
enum { LONG_RUN = 4096, STREAMED = 16 << 10 };

/* To one run in the target's storage. */
static void copy_into_run(dpc_portions *from, const char *source, dpc_portions *to, char *target, dpc_index bytes) {
    char *place = target + dpc_portion_place(to);
    dpc_pack_portion(from, place, source, bytes);
    dpc_skip_portion(to, bytes);
}

/* The same past the caches, where the target is not read before it is written. */
static void stream_into_run(dpc_portions *from, const char *source, dpc_portions *to, char *target, dpc_index bytes,
                            char *buffer) {
    const bool run = dpc_portion_run(from) >= bytes;
    const char *data = run ? source + dpc_portion_place(from) : buffer;
    char *place = target + dpc_portion_place(to);
    if (run)
        dpc_skip_portion(from, bytes);
    else
        dpc_pack_portion(from, buffer, source, bytes);
    dpc_stream_copy(place, data, bytes, !run);
    dpc_skip_portion(to, bytes);
}

void dpc_copy_portion(dpc_portions *from, const char *source, dpc_portions *to, char *target, dpc_index bytes,
                      char *buffer, bool streaming) {
    for (dpc_index n; bytes > 0; bytes -= n) {
        const dpc_index out = dpc_portion_run(from), in = dpc_portion_run(to), both = dpc_minimum(out, in);
        n = dpc_minimum(bytes, both >= LONG_RUN ? both : streaming ? STREAMED : DPC_COPY_BUFFER);
        if (in >= n && streaming) {
            stream_into_run(from, source, to, target, n, buffer);
        } else if (in >= n) {
            copy_into_run(from, source, to, target, n);
        } else if (out >= n) {
            const char *place = source + dpc_portion_place(from);
            dpc_unpack_portion(to, place, target, n);
            dpc_skip_portion(from, n);
        } else {
            dpc_pack_portion(from, buffer, source, n);
            dpc_unpack_portion(to, buffer, target, n);
        }
    }
    if (streaming) dpc_end_streaming();
}

/* ---- Pieces */

/* The last dimension that one of the sides divides. */
static int divided_dimension(int rank, const dpc_line *from, const dpc_line *to) {
    int k = rank - 1;
    while (k > 0 && from[k].procs == 1 && to[k].procs == 1) k--;
    return k;
}

static dpc_index inner_bytes(int rank, const dpc_line *from, int divided, dpc_index size) {
    for (int k = divided + 1; k < rank; k++) size *= from[k].extent;
    return size;
}

/* Elements of a block, or all of them. */
static dpc_index block_of(const dpc_line *l) {
    const dpc_index end = l->first + l->extent;
    return l->procs == 1 || l->block > end ? dpc_maximum(end, 1) : l->block;
}

/* Cuts at the ends of both sides' blocks, which fall together where their multiples meet. */
double dpc_common_run_bytes(int rank, const dpc_line *from, const dpc_line *to, dpc_index size) {
    const int k = divided_dimension(rank, from, to);
    const dpc_index s = block_of(&from[k]), t = block_of(&to[k]);
    const double cuts = 1 / (double)s + 1 / (double)t - (double)dpc_common_divisor(s, t) / ((double)s * (double)t);
    return (double)inner_bytes(rank, from, k, size) / cuts;
}

dpc_common_runs dpc_open_common_runs(int rank, const dpc_share *const *shares, const dpc_line *mine, const dpc_index *p,
                                     const dpc_line *theirs, dpc_index size) {
    const int k = divided_dimension(rank, mine, theirs);
    dpc_common_runs pieces = {.share = shares[k], .mine = mine[k], .theirs = theirs[k], .p = p[k]};
    pieces.mine.block = block_of(&mine[k]);
    pieces.theirs.block = block_of(&theirs[k]);
    pieces.unit = inner_bytes(rank, mine, k, size);
    pieces.left = pieces.unit;
    for (int j = 0; j <= k; j++) pieces.left *= shares[j]->elements;
    return pieces;
}

/* Indices from the position on up to the end of a block of either side: all of them are shared. */
static dpc_index indices_ahead(const dpc_common_runs *x) {
    const dpc_share_position *at = &x->at;
    const dpc_index local = at->base + x->share->stretch[at->stretch].offset + at->done, block = x->mine.block;
    const dpc_index index = (local / block * x->mine.procs + x->p) * block + local % block;
    const dpc_index theirs = index - x->mine.first + x->theirs.first;
    const dpc_index ends = dpc_minimum(block - local % block, x->theirs.block - theirs % x->theirs.block);
    return dpc_minimum(ends, x->share->elements - at->behind);
}

/* A run may be several stretches: a period may begin within a block. */
static void begin_run(dpc_common_runs *x) {
    dpc_share_position *at = &x->at;
    dpc_index indices = indices_ahead(x);
    x->run_left = indices * x->unit;
    at->behind += indices;
    while (indices > 0) {
        const dpc_index length = x->share->stretch[at->stretch].length, taken = dpc_minimum(indices, length - at->done);
        indices -= taken;
        at->done += taken;
        if (at->done == length) next_stretch(x->share, at);
    }
    if (at->behind == x->share->elements) *at = (dpc_share_position){0};
}

dpc_index dpc_next_common_run(dpc_common_runs *pieces, dpc_index most) {
    if (pieces->left == 0) return 0;
    if (pieces->run_left == 0) begin_run(pieces);
    const dpc_index bytes = dpc_minimum(pieces->run_left, most);
    pieces->run_left -= bytes;
    pieces->left -= bytes;
    return bytes;
}

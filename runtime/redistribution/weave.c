/* Weaves: found block by block within one period of both patterns (facts F2 to F4 of
 * docs/redistribution-algorithms.md), either strand by strand, or, where one side's blocks are much longer than the
 * other's, as one braid for each long block. */
#include "weave.h"

#include "blend.h"

#include <string.h>

enum { FEW_STRANDS = 64, MOST_STRANDS = 1024, WRITTEN_OUT = 16 };

/* ---- Distribution arithmetic on a line */

static dpc_line clipped(const dpc_line *l) {
    const dpc_index end = l->first + l->extent;
    dpc_line c = *l;
    if (c.procs == 1 || c.block > end) c.block = end > 0 ? end : 1;
    return c;
}

static dpc_index owned_below(const dpc_line *l, dpc_index p, dpc_index end) {
    const dpc_index cycle = l->block * l->procs, rest = end % cycle - p * l->block;
    return end / cycle * l->block + (rest < 0 ? 0 : rest < l->block ? rest : l->block);
}

/* Elements 0 .. x-1 of the section that coordinate p owns. */
static dpc_index owned(const dpc_line *l, dpc_index p, dpc_index x) {
    return owned_below(l, p, l->first + x) - owned_below(l, p, l->first);
}

static dpc_index owner(const dpc_line *l, dpc_index x) {
    return (l->first + x) / l->block % l->procs;
}

static dpc_index local(const dpc_line *l, dpc_index x) {
    const dpc_index g = l->first + x;
    return g / (l->block * l->procs) * l->block + g % l->block;
}

/* The element after the block that holds x. */
static dpc_index block_end(const dpc_line *l, dpc_index x) {
    return x + l->block - (l->first + x) % l->block;
}

/* The first element from x on that coordinate p owns; it may be beyond the section. */
static dpc_index next_owned(const dpc_line *l, dpc_index p, dpc_index x) {
    const dpc_index ahead = dpc_modulo(p - owner(l, x), l->procs);
    return ahead == 0 ? x : block_end(l, x) + (ahead - 1) * l->block;
}

/* ---- A weave in the making */

typedef struct {
    dpc_weave w;
    dpc_line to, from;
    dpc_index q; /* coordinate of `to` */
    dpc_index room_braids, room_strands, room_slots;
    int last;          /* slot used last */
    dpc_index buckets; /* of the table from coordinates to slots; a power of two */
    int *bucket;       /* slot, or -1 */
} loom;

static void *grown(void *old, dpc_index used, dpc_index room, dpc_index size) {
    void *made = dpc_buffer(room, size);
    if (used > 0) memcpy(made, old, (size_t)(used * size));
    dpc_free_buffer(old);
    return made;
}

static dpc_index hash(const loom *m, dpc_index coordinate) {
    return (dpc_index)(((uint64_t)coordinate * 0x9E3779B97F4A7C15u) >> 20) & (m->buckets - 1);
}

static void enter_slot(loom *m, int slot) {
    dpc_index k = hash(m, m->w.coordinate[slot]);
    while (m->bucket[k] >= 0) k = (k + 1) & (m->buckets - 1);
    m->bucket[k] = slot;
}

static void more_slots(loom *m) {
    m->room_slots = m->room_slots > 0 ? 2 * m->room_slots : 4;
    m->buckets = 4 * m->room_slots;
    m->w.coordinate = grown(m->w.coordinate, m->w.slots, m->room_slots, sizeof *m->w.coordinate);
    m->w.held = grown(m->w.held, m->w.slots, m->room_slots, sizeof *m->w.held);
    dpc_free_buffer(m->bucket);
    m->bucket = dpc_raw_buffer(m->buckets, sizeof *m->bucket);
    for (dpc_index k = 0; k < m->buckets; k++) m->bucket[k] = -1;
    for (int slot = 0; slot < m->w.slots; slot++) enter_slot(m, slot);
}

static int slot_of(loom *m, dpc_index coordinate) {
    const int guess = m->last + 1 < m->w.slots ? m->last + 1 : 0;
    if (m->w.slots > 0 && m->w.coordinate[guess] == coordinate) return m->last = guess;
    if (m->w.slots == m->room_slots) more_slots(m);
    for (dpc_index k = hash(m, coordinate); m->bucket[k] >= 0; k = (k + 1) & (m->buckets - 1))
        if (m->w.coordinate[m->bucket[k]] == coordinate) return m->last = m->bucket[k];
    m->w.coordinate[m->w.slots] = coordinate;
    enter_slot(m, m->w.slots);
    return m->last = m->w.slots++;
}

static void add_strand(loom *m, int slot, dpc_index from, dpc_index length, dpc_index step) {
    if (m->w.strands == m->room_strands) {
        m->room_strands = m->room_strands > 0 ? 2 * m->room_strands : 8;
        m->w.strand = grown(m->w.strand, m->w.strands, m->room_strands, sizeof *m->w.strand);
    }
    m->w.strand[m->w.strands++] = (dpc_strand){slot, from, length, step};
}

/* A braid of the strands from number `first` on. */
static void add_braid(loom *m, dpc_index first, dpc_index units) {
    if (m->w.braids == m->room_braids) {
        m->room_braids = m->room_braids > 0 ? 2 * m->room_braids : 2;
        m->w.braid = grown(m->w.braid, m->w.braids, m->room_braids, sizeof *m->w.braid);
    }
    dpc_braid b = {units, 0, first, m->w.strands - first};
    for (dpc_index k = first; k < m->w.strands; k++) b.cycle += m->w.strand[k].length;
    m->w.braid[m->w.braids++] = b;
}

/* Elements x .. x+length-1 come next, from one block of coordinate c. */
static void take(loom *m, dpc_index c, dpc_index x, dpc_index length) {
    const int slot = slot_of(m, c);
    const dpc_index from = local(&m->from, x);
    dpc_strand *last = m->w.strands > 0 ? &m->w.strand[m->w.strands - 1] : NULL;
    m->w.held[slot] += length;
    if (last != NULL && last->slot == slot && last->from + last->length == from)
        last->length += length;
    else
        add_strand(m, slot, from, length, 0);
}

/* Every strand among the elements 0 .. limit-1. */
static void weave_strands(loom *m, dpc_index limit) {
    for (dpc_index x = next_owned(&m->to, m->q, 0); x < limit; x = next_owned(&m->to, m->q, x)) {
        const dpc_index end = dpc_minimum(limit, block_end(&m->to, x));
        while (x < end) {
            const dpc_index c = owner(&m->from, x), next = dpc_minimum(end, block_end(&m->from, x));
            take(m, c, x, next - x);
            x = next;
        }
    }
    if (m->w.strands > 0) {
        dpc_index units = 0;
        for (dpc_index k = 0; k < m->w.strands; k++) units += m->w.strand[k].length;
        add_braid(m, 0, units);
    }
}

/* A braid of one strand. */
static void add_single(loom *m, int slot, dpc_index from, dpc_index length, dpc_index step, dpc_index units) {
    add_strand(m, slot, from, length, step);
    add_braid(m, m->w.strands - 1, units);
}

/* The elements x .. end-1 of one block of coordinate c that q owns; x is the first: blocks of `to`, one per cycle. */
static void weave_source_block(loom *m, dpc_index c, dpc_index x, dpc_index end) {
    const int slot = slot_of(m, c);
    const dpc_index units = owned(&m->to, m->q, end) - owned(&m->to, m->q, x), from = local(&m->from, x);
    const dpc_index block = m->to.block, cycle = block * m->to.procs;
    const dpc_index head = dpc_minimum(units, block_end(&m->to, x) - x);
    m->w.held[slot] += units;
    if (head == units || m->to.procs == 1) {
        add_single(m, slot, from, units, 0, units);
    } else if (head == block) {
        add_single(m, slot, from, block, cycle, units);
    } else {
        add_single(m, slot, from, head, 0, head);
        add_single(m, slot, from + head + cycle - block, block, cycle, units - head);
    }
}

static void weave_source_blocks(loom *m, dpc_index limit) {
    for (dpc_index x = 0; x < limit;) {
        const dpc_index end = dpc_minimum(limit, block_end(&m->from, x)), mine = next_owned(&m->to, m->q, x);
        if (mine < end) weave_source_block(m, owner(&m->from, x), mine, end);
        x = end;
    }
}

/* Elements x .. end-1 of one block of q: blocks of all sources in turn. */
static void weave_target_block(loom *m, dpc_index x, dpc_index end) {
    const dpc_index block = m->from.block, head = dpc_minimum(end, block_end(&m->from, x)) - x;
    if (head < block) {
        const int slot = slot_of(m, owner(&m->from, x));
        add_single(m, slot, local(&m->from, x), head, 0, head);
        m->w.held[slot] += head;
        x += head;
    }
    const dpc_index units = end - x, first = m->w.strands;
    const dpc_index strands = dpc_minimum(m->from.procs, dpc_ceiling(units, block)), cycle = m->from.procs * block;
    for (dpc_index k = 0; k < strands; k++, x += block) {
        const int slot = slot_of(m, owner(&m->from, x));
        const dpc_index left = end - x, rest = left % cycle;
        add_strand(m, slot, local(&m->from, x), dpc_minimum(block, left), block);
        m->w.held[slot] += left / cycle * block + dpc_minimum(rest, block);
    }
    if (strands > 0) add_braid(m, first, units);
}

static void weave_target_blocks(loom *m, dpc_index limit) {
    for (dpc_index x = next_owned(&m->to, m->q, 0); x < limit; x = next_owned(&m->to, m->q, x)) {
        const dpc_index end = dpc_minimum(limit, block_end(&m->to, x));
        weave_target_block(m, x, end);
        x = end;
    }
}

/* ---- Which way */

typedef void weaver(loom *m, dpc_index limit);

/* The weaver of the fewest strands over `limit` elements, strand by strand where that is about as good: its cycles are
 * longer. */
static weaver *choose_weaver(const loom *m, dpc_index limit) {
    const dpc_index s = m->from.block, t = m->to.block, share = limit / m->to.procs;
    const dpc_index each = share / s + share / t;
    const dpc_index nested = s >= t ? 2 * (limit / s + 1) : (share / t + 1) * (m->from.procs + 1);
    if (each <= FEW_STRANDS || (each <= MOST_STRANDS && nested > each / 4)) return weave_strands;
    return s >= t ? weave_source_blocks : weave_target_blocks;
}

/* One braid whose strands go on from period to period. */
static void repeat_braid(dpc_weave *w) {
    w->braid->units = w->units;
    for (dpc_index k = 0; k < w->strands; k++) w->strand[k].step = w->period_step[w->strand[k].slot];
    if (w->strands == 1 && w->strand->step == w->strand->length) w->strand->length = w->braid->cycle = w->units;
    w->period = w->units;
}

/* Several periods of `length` elements fit into the section. */
static void weave_periods(loom *m, weaver *weave, dpc_index length) {
    const dpc_index periods = m->to.extent / length, rest = m->to.extent % length;
    dpc_weave *w = &m->w;
    weave(m, rest);
    const int tail_slots = w->slots;
    dpc_index *tail = dpc_buffer(tail_slots, sizeof *tail);
    if (tail_slots > 0) memcpy(tail, w->held, (size_t)tail_slots * sizeof *tail);
    w->braids = w->strands = 0;
    for (int k = 0; k < w->slots; k++) w->held[k] = 0;
    weave(m, length);
    w->period_step = dpc_buffer(w->slots, sizeof *w->period_step);
    for (int k = 0; k < w->slots; k++) {
        w->period += w->held[k];
        w->period_step[k] = length / m->from.procs;
        w->held[k] = periods * w->held[k] + (k < tail_slots ? tail[k] : 0);
        w->units += w->held[k];
    }
    dpc_free_buffer(tail);
    if (w->braids == 1 && w->braid->first == 0 && weave == weave_strands) repeat_braid(w);
}

static dpc_weave finished(loom *m) {
    const dpc_index length = dpc_least_multiple(m->from.block * m->from.procs, m->to.block * m->to.procs, INT64_MAX),
                    n = m->to.extent;
    weaver *weave = choose_weaver(m, dpc_minimum(n, length));
    if (n > length) {
        weave_periods(m, weave, length);
    } else {
        weave(m, n);
        m->w.period_step = dpc_buffer(m->w.slots, sizeof *m->w.period_step);
        for (int k = 0; k < m->w.slots; k++) m->w.units += m->w.held[k];
        m->w.period = m->w.units;
    }
    for (dpc_index k = 0; k < m->w.braids; k++)
        if (m->w.longest < m->w.braid[k].count) m->w.longest = m->w.braid[k].count;
    dpc_free_buffer(m->bucket);
    return m->w;
}

dpc_weave dpc_weave_target(const dpc_line *to, dpc_index q, const dpc_line *from, const dpc_index *coordinate,
                           int slots) {
    loom m = {.to = clipped(to), .from = clipped(from), .q = q};
    for (int k = 0; k < slots; k++) slot_of(&m, coordinate[k]);
    m.w.start = owned_below(&m.to, q, m.to.first);
    return finished(&m);
}

/* ---- Bytes */

/* Single elements of several sources in turn: there is a kernel for it. */
static bool is_interleave(const dpc_weave *w, const dpc_braid *b, dpc_index bytes) {
    for (const dpc_strand *s = w->strand + b->first; s < w->strand + b->first + b->count; s++)
        if (s->length != bytes || s->step != bytes) return false;
    return true;
}

/* The strands of the cycle `times` times. */
static void write_out(dpc_weave *w, dpc_braid *b, dpc_index times) {
    dpc_strand *made = dpc_buffer(b->count * times, sizeof *made);
    for (dpc_index t = 0; t < times; t++)
        for (dpc_index k = 0; k < b->count; k++) {
            dpc_strand s = w->strand[b->first + k];
            s.from += t * s.step;
            s.step *= times;
            made[t * b->count + k] = s;
        }
    dpc_free_buffer(w->strand);
    w->strand = made;
    w->strands = b->count *= times;
    b->cycle *= times;
    if (w->longest < b->count) w->longest = b->count;
}

void dpc_scale_weave(dpc_weave *w, dpc_index bytes) {
    for (int k = 0; k < w->slots; k++) {
        w->held[k] *= bytes;
        w->period_step[k] *= bytes;
    }
    for (dpc_index k = 0; k < w->strands; k++) {
        w->strand[k].from *= bytes;
        w->strand[k].length *= bytes;
        w->strand[k].step *= bytes;
    }
    for (dpc_index k = 0; k < w->braids; k++) {
        w->braid[k].units *= bytes;
        w->braid[k].cycle *= bytes;
    }
    w->start *= bytes;
    w->units *= bytes;
    w->period *= bytes;
    dpc_braid *b = w->braid;
    if (w->braids == 1 && b->count < WRITTEN_OUT && b->cycle < 512 && (b->count > 1 || b->cycle > bytes) &&
        !is_interleave(w, b, bytes)) {
        const dpc_index times = dpc_minimum(WRITTEN_OUT / b->count + 1, b->units / b->cycle);
        if (times > 1) write_out(w, b, times);
    }
    w->blend = dpc_buffer(w->braids, sizeof(dpc_blend *));
}

dpc_index dpc_weave_bytes(const dpc_weave *w) {
    dpc_index blends = 0;
    for (dpc_index k = 0; w->blend != NULL && k < w->braids; k++) blends += dpc_blend_bytes(w->blend[k]);
    return blends + w->braids * (dpc_index)(sizeof *w->braid + sizeof(dpc_blend *)) +
           w->strands * (dpc_index)sizeof *w->strand + w->slots * (dpc_index)(3 * sizeof *w->held);
}

void dpc_free_weave(dpc_weave *w) {
    for (dpc_index k = 0; w->blend != NULL && k < w->braids; k++) dpc_free_blend(w->blend[k]);
    dpc_free_buffer(w->blend);
    dpc_free_buffer(w->braid);
    dpc_free_buffer(w->strand);
    dpc_free_buffer(w->coordinate);
    dpc_free_buffer(w->held);
    dpc_free_buffer(w->period_step);
    *w = (dpc_weave){0};
}

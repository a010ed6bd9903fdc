/* A vector of output that is put together out of the strands that meet in it: each is loaded as if it filled the
 * vector, and what stands before it there is kept.  So strands of a few elements need no buffer that is read again to
 * be streamed, and every store is a whole part of a line. */
#include "blend.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CLONED __attribute__((target_clones("avx2", "default")))
#else
#define CLONED
#endif

typedef uint8_t vector __attribute__((vector_size(32), aligned(1), may_alias));

/* Bytes of a vector; pieces of one at most; vectors of a program at most, which stays in a first-level cache; bytes of
 * a strand: longer ones are copied one by one. */
enum { WIDTH = 32, MOST_PIECES = 4, MOST_VECTORS = 256, MOST_AVERAGE = 128 };

/* A piece of a vector: where the vector would begin in the source's row in cycle 0, and its first byte. */
typedef struct {
    int slot, first;
    dpc_index from;
} piece;

/* What vectors consist of from one place of a cycle on. */
typedef struct {
    dpc_index phase;                  /* the place */
    dpc_index vectors, pieces, count; /* of one repetition, 0: they have too many pieces; of each vector: shorter ones
                                         repeat their last one; of all */
    dpc_index step;                   /* from repetition to repetition in every source */
    piece *piece, *last;              /* `count`; of each slot, the one that is read last */
    dpc_index slots;
    const char **at; /* the pieces in the present repetition */
    uint8_t *first;
} program;

/* Programs that are kept: rows of 8-byte elements begin at as many places of a line. */
enum { PROGRAMS = 8 };

struct dpc_blend {
    const dpc_strand *strand; /* of a cycle */
    dpc_index strands, cycle;
    dpc_index begin, all; /* bytes: where vectors may begin, -1: nowhere; of one repetition */
    program *program[PROGRAMS];
    int next; /* the one that is replaced when there are more */
};

static void free_program(program *p) {
    if (p == NULL) return;
    dpc_free_buffer(p->piece);
    dpc_free_buffer(p->at);
    dpc_free_buffer(p->first);
    dpc_free_buffer(p);
}

void dpc_free_blend(dpc_blend *b) {
    for (int k = 0; b != NULL && k < PROGRAMS; k++) free_program(b->program[k]);
    dpc_free_buffer(b);
}

static dpc_index room_of(const dpc_blend *b) {
    return b->all / WIDTH * MOST_PIECES;
}

dpc_index dpc_blend_bytes(const dpc_blend *b) {
    dpc_index bytes = b == NULL ? 0 : (dpc_index)sizeof *b;
    for (int k = 0; b != NULL && k < PROGRAMS; k++)
        if (b->program[k] != NULL)
            bytes += (dpc_index)sizeof(program) + room_of(b) * (dpc_index)(2 * sizeof(piece) + sizeof(char *) + 1);
    return bytes;
}

/* ---- The program of a braid */

/* Whether vectors are worth it: strands of which several meet in a line, longer than single elements, and no whole
 * lines, which need no blending; with one step for all. */
static bool suits(const dpc_strand *strand, dpc_index strands, dpc_index cycle, dpc_index unit) {
    bool lines = true;
    dpc_index longest = 0;
    for (const dpc_strand *x = strand; x < strand + strands; x++) {
        if (x->step != strand->step) return false;
        if (x->length % DPC_LINE_BYTES != 0) lines = false;
        longest = dpc_maximum(longest, x->length);
    }
    return strand->step > 0 && !lines && longest > unit && cycle / strands < MOST_AVERAGE;
}

/* A vector must not begin before its source does: output behind the strands that begin so early, in any cycle. */
static dpc_index begin_of(const dpc_strand *strand, dpc_index strands) {
    dpc_index begin = 0, at = 0;
    for (dpc_index early = 0; early < WIDTH; early += strand->step)
        for (dpc_index k = 0; k < strands; at += strand[k++].length)
            if (strand[k].from + early < WIDTH) begin = at;
    return begin;
}

static dpc_blend *new_blend(const dpc_weave *w, const dpc_braid *x, dpc_index unit) {
    dpc_blend *b = dpc_buffer(1, sizeof *b);
    b->strand = w->strand + x->first;
    b->strands = x->count;
    b->cycle = x->cycle;
    b->all = dpc_common_multiple(x->cycle, DPC_LINE_BYTES, MOST_VECTORS * WIDTH);
    b->begin = b->all > 0 && suits(b->strand, b->strands, b->cycle, unit) ? begin_of(b->strand, b->strands) : -1;
    return b;
}

dpc_index dpc_blend_begin(const dpc_weave *w, dpc_index braid, dpc_index unit) {
    if (w->blend[braid] == NULL) w->blend[braid] = new_blend(w, &w->braid[braid], unit);
    return w->blend[braid]->begin;
}

/* Where output stands: so many bytes of strand number `strand` of cycle number `cycle`. */
typedef struct {
    dpc_index cycle, strand, offset;
} place;

static place place_in(const dpc_strand *strand, dpc_index phase) {
    place x = {0};
    for (; phase >= strand[x.strand].length; x.strand++) phase -= strand[x.strand].length;
    x.offset = phase;
    return x;
}

/* The pieces of the vector at x, which moves to the next one; returns how many, 0: too many. */
static dpc_index find_vector(const dpc_blend *b, place *x, piece *to) {
    dpc_index pieces = 0;
    for (dpc_index done = 0; done < WIDTH; pieces++) {
        const dpc_strand *s = &b->strand[x->strand];
        const dpc_index left = s->length - x->offset, taken = dpc_minimum(left, WIDTH - done);
        if (pieces == MOST_PIECES) return 0;
        to[pieces] = (piece){s->slot, (int)done, s->from + x->cycle * s->step + x->offset - done};
        done += taken;
        x->offset += taken;
        if (taken < left) continue;
        x->offset = 0;
        if (++x->strand < b->strands) continue;
        x->strand = 0;
        x->cycle++;
    }
    return pieces;
}

/* As many pieces for every vector: piece[] has room for the most, and is closed up. */
static void even_out(program *p, const uint8_t *found) {
    p->count = 0;
    for (dpc_index v = 0; v < p->vectors; v++)
        for (dpc_index k = 0; k < p->pieces; k++)
            p->piece[p->count++] = p->piece[v * MOST_PIECES + dpc_minimum(k, found[v] - 1)];
    for (dpc_index k = 0; k < p->count; k++) p->first[k] = (uint8_t)p->piece[k].first;
}

static void find_last(program *p) {
    p->slots = 0;
    for (const piece *x = p->piece; x < p->piece + p->count; x++) {
        dpc_index k = 0;
        while (k < p->slots && p->last[k].slot != x->slot) k++;
        if (k == p->slots) p->last[p->slots++] = *x;
        if (x->from > p->last[k].from) p->last[k] = *x;
    }
}

static void make_program(const dpc_blend *b, program *p, dpc_index phase) {
    uint8_t found[MOST_VECTORS];
    place at = place_in(b->strand, phase);
    p->phase = phase;
    p->pieces = 0;
    p->vectors = b->all / WIDTH;
    p->step = b->strand->step * (b->all / b->cycle);
    for (dpc_index v = 0; v < p->vectors; v++) {
        const dpc_index pieces = find_vector(b, &at, &p->piece[v * MOST_PIECES]);
        found[v] = (uint8_t)pieces;
        if (pieces == 0) p->vectors = 0;
        p->pieces = dpc_maximum(pieces, p->pieces);
    }
    even_out(p, found);
    find_last(p);
}

static program *new_program(const dpc_blend *b) {
    program *p = dpc_buffer(1, sizeof *p);
    p->piece = dpc_raw_buffer(2 * room_of(b), sizeof *p->piece);
    p->last = p->piece + room_of(b);
    p->at = dpc_raw_buffer(room_of(b), sizeof *p->at);
    p->first = dpc_raw_buffer(room_of(b), 1);
    return p;
}

/* Repetitions for which a program that replaces another one is worth its making. */
enum { WORTH_MAKING = 8 };

/* The program from a place of a cycle on, for so many bytes; NULL: there is none. */
static program *find_program(dpc_blend *b, dpc_index phase, dpc_index units) {
    for (int k = 0; k < PROGRAMS && b->program[k] != NULL; k++)
        if (b->program[k]->phase == phase) return b->program[k];
    program **p = &b->program[b->next];
    if (*p != NULL && units < WORTH_MAKING * b->all) return NULL;
    if (*p == NULL) *p = new_program(b);
    b->next = (b->next + 1) % PROGRAMS;
    make_program(b, *p, phase);
    return *p;
}

/* ---- Repetitions */

static const uint8_t masks[2 * WIDTH] __attribute__((aligned(64))) = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

static inline __attribute__((always_inline)) void write_past_caches(char *to, const vector *x) {
#ifdef __SSE2__
    _mm_stream_si128((void *)to, ((const __m128i_u *)x)[0]);
    _mm_stream_si128((void *)(to + WIDTH / 2), ((const __m128i_u *)x)[1]);
#else
    memcpy(to, x, WIDTH);
#endif
}

static inline __attribute__((always_inline)) void write_vector(char *to, const char *const *at, const uint8_t *first,
                                                               int pieces, dpc_index shift) {
    vector x = *(const vector *)(const void *)(at[0] + shift);
    for (int k = 1; k < pieces; k++) {
        const vector mask = *(const vector *)(const void *)(masks + WIDTH - first[k]);
        x = (*(const vector *)(const void *)(at[k] + shift) & mask) | (x & ~mask);
    }
    write_past_caches(to, &x);
}

/* `lines` lines, whose pieces lie `step` further from repetition to repetition; `ahead`: of what is asked for where the
 * stream has nothing to ask for. */
static inline __attribute__((always_inline)) void write_lines(const program *p, char *to, dpc_index lines,
                                                              dpc_read_ahead *a, int pieces) {
    const dpc_index each = p->vectors / 2, step = p->step, ahead = 2 * step;
    dpc_index asked = a->piece_at, line = a->line_at;
    for (dpc_index left = lines, shift = 0; left > 0; shift += step) {
        const dpc_index now = dpc_minimum(left, each);
        const char *const *at = p->at;
        const uint8_t *first = p->first;
        left -= now;
        for (dpc_index k = 0; k < now; k++, to += 2 * WIDTH, at += 2 * pieces, first += 2 * pieces) {
            if (a->pieces == 0) {
                __builtin_prefetch(at[0] + shift + ahead);
            } else {
                if (line < a->lines) __builtin_prefetch(a->piece[asked] + line * DPC_LINE_BYTES);
                if (++asked == a->pieces) {
                    asked = 0;
                    line++;
                }
            }
            write_vector(to, at, first, pieces, shift);
            write_vector(to + WIDTH, at + pieces, first + pieces, pieces, shift);
        }
    }
    a->piece_at = asked;
    a->line_at = line;
}

#define DEFINE_WRITE(pieces)                                                                                           \
    static CLONED void write_##pieces(const program *p, char *to, dpc_index lines, dpc_read_ahead *a) {                \
        write_lines(p, to, lines, a, pieces);                                                                          \
    }
DEFINE_WRITE(1)
DEFINE_WRITE(2)
DEFINE_WRITE(3)
DEFINE_WRITE(4)

/* Lines whose repetitions load nothing beyond a source's memory; shift: to the first one's places. */
static dpc_index safe_lines(const program *p, const char *const *source, const char *const *limit, dpc_index shift,
                            dpc_index lines) {
    const dpc_index each = p->vectors / 2;
    dpc_index times = dpc_ceiling(lines, each);
    for (const piece *x = p->last; x < p->last + p->slots && times > 0; x++) {
        const dpc_index room = limit[x->slot] - source[x->slot] - x->from - shift - WIDTH;
        if ((times - 1) * p->step > room) times = room < 0 ? 0 : room / p->step + 1;
    }
    return dpc_minimum(lines, times * each);
}

static bool has_all(const dpc_blend *b, const char *const *source) {
    for (const dpc_strand *x = b->strand; x < b->strand + b->strands; x++)
        if (source[x->slot] == NULL) return false;
    return true;
}

dpc_index dpc_blend_lines(const dpc_weave *w, dpc_index braid, dpc_index done, dpc_stream *s, dpc_index units,
                          const char *const *source, const char *const *limit) {
    static void (*const write[])(const program *, char *, dpc_index, dpc_read_ahead *) = {write_1, write_2, write_3,
                                                                                          write_4};
    dpc_blend *b = w->blend[braid];
    const dpc_index phase = done % b->cycle, shift = done / b->cycle * b->strand->step;
    program *p = has_all(b, source) ? find_program(b, phase, units) : NULL;
    if (p == NULL || p->vectors == 0) return 0;
    const dpc_index lines = safe_lines(p, source, limit, shift, units / DPC_LINE_BYTES);
    for (dpc_index k = 0; k < p->count; k++) p->at[k] = source[p->piece[k].slot] + p->piece[k].from + shift;
    write[p->pieces - 1](p, s->to, lines, &s->ahead);
    s->to += lines * DPC_LINE_BYTES;
    return lines * DPC_LINE_BYTES;
}

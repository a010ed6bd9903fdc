/* Copy kernels: long strands as they are, short ones by whole vectors that the next strand's overwrite, single elements
 * by shuffles. */
#include "kernels.h"

#include "blend.h"

#include <string.h>

/* Compiled once more for wider vectors, chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CLONED __attribute__((target_clones("avx2", "default")))
#else
#define CLONED
#endif

/* The elements of two vectors with these numbers. */
#ifdef __clang__
#define SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif

/* Vectors anywhere in memory. */
typedef uint8_t vector_16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t vector_32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t words_4 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t words_8 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t word_8 __attribute__((aligned(1), may_alias));
typedef uint32_t word_4 __attribute__((aligned(1), may_alias));
typedef uint16_t word_2 __attribute__((aligned(1), may_alias));
typedef uint8_t word_1 __attribute__((may_alias));
typedef vector_16 word_16;

/* Bytes: strands from here on are copied one by one; what is read so far ahead is asked for, along one line and from
 * strand to strand.  Measured on one machine
 * (bench/RESULTS.md); near these values little depends on them. */
enum { LONG = 1024, LINE_AHEAD = 4096, STRANDS_AHEAD = 4096 };

#define MOVE(type, to, from) (*(type *)(void *)(to) = *(const type *)(const void *)(from))

/* ---- Strands that may read and write more than they are long */

/* Bytes, at most: a strand of 1 byte beside one of 128. */
enum { OVERRUN = 127 };

static inline __attribute__((always_inline)) void move_threads(char *to, const dpc_thread *thread, dpc_index threads,
                                                               dpc_index times, dpc_index step, dpc_index ahead,
                                                               int width) {
    for (dpc_index t = 0, shift = 0; t < times; t++, shift += step)
        for (dpc_index k = 0; k < threads; k++) {
            const char *at = thread[k].at + shift;
            const dpc_index length = thread[k].length;
            if (ahead > 0)
                for (dpc_index line = 0; line < length; line += DPC_LINE_BYTES) __builtin_prefetch(at + ahead + line);
            if (width == 16) MOVE(vector_16, to, at);
            for (int done = 0; width > 16 && done < width; done += 32) MOVE(vector_32, to + done, at + done);
            for (dpc_index done = width; width == 128 && done < length; done += 64) {
                MOVE(vector_32, to + done, at + done);
                MOVE(vector_32, to + done + 32, at + done + 32);
            }
            to += length;
        }
}

#define DEFINE_MOVE(width)                                                                                             \
    static CLONED void move_##width(char *to, const dpc_thread *thread, dpc_index threads, dpc_index times,            \
                                    dpc_index step, dpc_index ahead) {                                                 \
        move_threads(to, thread, threads, times, step, ahead, width);                                                  \
    }
DEFINE_MOVE(16)
DEFINE_MOVE(32)
DEFINE_MOVE(64)
DEFINE_MOVE(96)
DEFINE_MOVE(128)

/* ---- Strands to the byte */

static inline void move_exactly(char *to, const char *at, dpc_index length) {
    if (length > 64) {
        memcpy(to, at, (size_t)length);
    } else if (length >= 32) {
        const vector_32 head = *(const vector_32 *)(const void *)at;
        MOVE(vector_32, to + length - 32, at + length - 32);
        *(vector_32 *)(void *)to = head;
    } else if (length >= 16) {
        const vector_16 head = *(const vector_16 *)(const void *)at;
        MOVE(vector_16, to + length - 16, at + length - 16);
        *(vector_16 *)(void *)to = head;
    } else if (length >= 8) {
        const word_8 head = *(const word_8 *)(const void *)at;
        MOVE(word_8, to + length - 8, at + length - 8);
        *(word_8 *)(void *)to = head;
    } else if (length >= 4) {
        const word_4 head = *(const word_4 *)(const void *)at;
        MOVE(word_4, to + length - 4, at + length - 4);
        *(word_4 *)(void *)to = head;
    } else {
        for (dpc_index k = 0; k < length; k++) to[k] = at[k];
    }
}

/* ---- Single elements a step apart */

#define DEFINE_STRIDED(bytes)                                                                                          \
    static CLONED void strided_##bytes(char *to, const char *from, dpc_index step, dpc_index n) {                      \
        dpc_index k = 0;                                                                                               \
        for (; k + 4 <= n; k += 4, to += 4 * bytes, from += 4 * step) {                                                \
            MOVE(word_##bytes, to, from);                                                                              \
            MOVE(word_##bytes, to + bytes, from + step);                                                               \
            MOVE(word_##bytes, to + 2 * bytes, from + 2 * step);                                                       \
            MOVE(word_##bytes, to + 3 * bytes, from + 3 * step);                                                       \
        }                                                                                                              \
        for (; k < n; k++, to += bytes, from += step) MOVE(word_##bytes, to, from);                                    \
    }
DEFINE_STRIDED(1)
DEFINE_STRIDED(2)
DEFINE_STRIDED(4)
DEFINE_STRIDED(8)
DEFINE_STRIDED(16)

/* Every second element. */
static CLONED void second_8(char *to, const char *from, dpc_index n) {
    dpc_index k = 0;
    for (; k + 5 <= n; k += 4, to += 32, from += 64) {
        __builtin_prefetch(from + LINE_AHEAD);
        const words_4 a = *(const words_4 *)(const void *)from, b = *(const words_4 *)(const void *)(from + 32);
        *(words_4 *)(void *)to = SHUFFLE(words_4, a, b, 0, 2, 4, 6);
    }
    for (; k < n; k++, to += 8, from += 16) MOVE(word_8, to, from);
}

static CLONED void second_4(char *to, const char *from, dpc_index n) {
    dpc_index k = 0;
    for (; k + 9 <= n; k += 8, to += 32, from += 64) {
        const words_8 a = *(const words_8 *)(const void *)from, b = *(const words_8 *)(const void *)(from + 32);
        *(words_8 *)(void *)to = SHUFFLE(words_8, a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    }
    for (; k < n; k++, to += 4, from += 8) MOVE(word_4, to, from);
}

static void copy_strided(char *to, const char *from, dpc_index step, dpc_index n, dpc_index unit) {
    if (step == 2 * unit && unit == 8)
        second_8(to, from, n);
    else if (step == 2 * unit && unit == 4)
        second_4(to, from, n);
    else if (unit == 8)
        strided_8(to, from, step, n);
    else if (unit == 4)
        strided_4(to, from, step, n);
    else if (unit == 16)
        strided_16(to, from, step, n);
    else if (unit == 2)
        strided_2(to, from, step, n);
    else
        strided_1(to, from, step, n);
}

/* ---- Single elements of several sources in turn; n of each */

#define DEFINE_INTERLEAVE(bytes)                                                                                       \
    static CLONED void interleave_##bytes(char *to, const dpc_thread *thread, dpc_index threads, dpc_index at,         \
                                          dpc_index n) {                                                               \
        for (dpc_index k = 0; k < n; k++, at += bytes)                                                                 \
            for (dpc_index j = 0; j < threads; j++, to += bytes) MOVE(word_##bytes, to, thread[j].at + at);            \
    }
DEFINE_INTERLEAVE(1)
DEFINE_INTERLEAVE(2)
DEFINE_INTERLEAVE(4)
DEFINE_INTERLEAVE(8)
DEFINE_INTERLEAVE(16)

static CLONED void zip_8(char *to, const char *first, const char *second, dpc_index n) {
    dpc_index k = 0;
    for (; k + 4 <= n; k += 4, to += 64, first += 32, second += 32) {
        const words_4 a = *(const words_4 *)(const void *)first, b = *(const words_4 *)(const void *)second;
        *(words_4 *)(void *)to = SHUFFLE(words_4, a, b, 0, 4, 1, 5);
        *(words_4 *)(void *)(to + 32) = SHUFFLE(words_4, a, b, 2, 6, 3, 7);
    }
    for (; k < n; k++, to += 16, first += 8, second += 8) {
        MOVE(word_8, to, first);
        MOVE(word_8, to + 8, second);
    }
}

static CLONED void zip_4(char *to, const char *first, const char *second, dpc_index n) {
    dpc_index k = 0;
    for (; k + 8 <= n; k += 8, to += 64, first += 32, second += 32) {
        const words_8 a = *(const words_8 *)(const void *)first, b = *(const words_8 *)(const void *)second;
        *(words_8 *)(void *)to = SHUFFLE(words_8, a, b, 0, 8, 1, 9, 2, 10, 3, 11);
        *(words_8 *)(void *)(to + 32) = SHUFFLE(words_8, a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (; k < n; k++, to += 8, first += 4, second += 4) {
        MOVE(word_4, to, first);
        MOVE(word_4, to + 4, second);
    }
}

static void interleave(char *to, const dpc_thread *thread, dpc_index threads, dpc_index at, dpc_index n,
                       dpc_index unit) {
    if (threads == 2 && unit == 8)
        zip_8(to, thread[0].at + at, thread[1].at + at, n);
    else if (threads == 2 && unit == 4)
        zip_4(to, thread[0].at + at, thread[1].at + at, n);
    else if (unit == 8)
        interleave_8(to, thread, threads, at, n);
    else if (unit == 4)
        interleave_4(to, thread, threads, at, n);
    else if (unit == 16)
        interleave_16(to, thread, threads, at, n);
    else if (unit == 2)
        interleave_2(to, thread, threads, at, n);
    else
        interleave_1(to, thread, threads, at, n);
}

/* ---- Braids */

/* Strand by strand, to the byte, to the end of the cycle or less; strands of sources that have nothing are left out.
 * Returns the bytes. */
static dpc_index walk_strands(const dpc_weave *w, dpc_weave_place *at, dpc_stream *s, dpc_index bytes,
                              const char *const *source, const char *const *limit) {
    const dpc_braid *b = &w->braid[at->braid];
    dpc_index done = 0;
    while (done < bytes && at->strand < b->count) {
        const dpc_strand *x = &w->strand[b->first + at->strand];
        const dpc_index left = x->length - at->offset, length = left < bytes - done ? left : bytes - done;
        const char *from = source[x->slot];
        if (from == NULL) {
            dpc_skip_in_stream(s, length);
        } else if (from += x->from + at->cycle * x->step + at->offset, length >= (s->streaming ? 256 : LONG)) {
            dpc_stream_long(s, from, length);
        } else if (s->streaming && length + OVERRUN <= limit[x->slot] - from) {
            for (dpc_index k = 0; k < length; k += 32) MOVE(vector_32, dpc_stream_place(s) + k, from + k);
            dpc_advance_stream(s, length);
        } else {
            move_exactly(dpc_stream_place(s), from, length);
            dpc_advance_stream(s, length);
        }
        done += length;
        at->offset = length == left ? 0 : at->offset + length;
        if (length == left) at->strand++;
    }
    if (at->strand == b->count) {
        at->strand = 0;
        at->cycle++;
    }
    return done;
}

/* Cycles whose strands may be read beyond their ends. */
static dpc_index safe_cycles(const dpc_thread *thread, dpc_index threads, dpc_index cycles) {
    for (dpc_index k = 0; k < threads && cycles > 0; k++) {
        const dpc_index room = thread[k].limit - thread[k].at - thread[k].length - OVERRUN;
        if ((cycles - 1) * thread[k].step <= room) continue;
        cycles = room < 0 ? 0 : room / thread[k].step + 1;
    }
    return cycles;
}

typedef void mover(char *, const dpc_thread *, dpc_index, dpc_index, dpc_index, dpc_index);

/* What all strands of a cycle have in common. */
typedef struct {
    dpc_index longest, step; /* step: -1 when they differ */
    dpc_index missing;       /* strands whose sources have nothing */
    bool lines;              /* the strands are whole cache lines */
} summary;

static summary load_threads(const dpc_strand *strand, dpc_index strands, dpc_index cycle, dpc_thread *thread,
                            const char *const *source, const char *const *limit) {
    summary all = {.step = strand->step, .lines = true};
    for (dpc_index k = 0; k < strands; k++) {
        const dpc_strand *x = &strand[k];
        const char *base = source[x->slot];
        thread[k] =
            (dpc_thread){base == NULL ? NULL : base + x->from + cycle * x->step, x->length, x->step, limit[x->slot]};
        all.longest = x->length > all.longest ? x->length : all.longest;
        if (x->step != all.step) all.step = -1;
        all.missing += base == NULL;
        if (x->length % DPC_LINE_BYTES != 0) all.lines = false;
    }
    return all;
}

/* Whole lines of every strand, where the stream stands at a line's start: they need not pass through the buffer. */
static dpc_index stream_cycles(dpc_stream *s, const dpc_braid *b, const dpc_thread *thread, dpc_index cycles) {
    dpc_flush_stream(s, false);
    char *to = s->to;
    for (dpc_index t = 0; t < cycles; t++)
        for (dpc_index k = 0; k < b->count; to += thread[k++].length)
            dpc_stream_lines(s, to, thread[k].at + t * thread[k].step, thread[k].length, false);
    s->to = to;
    return cycles;
}

/* Short strands: how many of the cycles of `units` bytes were copied. */
static dpc_index copy_cycles(dpc_stream *s, const dpc_braid *b, dpc_thread *thread, dpc_index units,
                             const summary *all) {
    const dpc_index longest = all->longest;
    mover *move = longest <= 16   ? move_16
                  : longest <= 32 ? move_32
                  : longest <= 64 ? move_64
                  : longest <= 96 ? move_96
                                  : move_128;
    dpc_index cycles = units / b->cycle;
    if (!s->streaming) cycles = units < OVERRUN ? 0 : (units - OVERRUN) / b->cycle; /* what is behind them stays */
    cycles = safe_cycles(thread, b->count, cycles);
    dpc_index most = all->step < 0 ? 1 : !s->streaming ? cycles : DPC_STREAM_PORTION / b->cycle;
    if (most < 1) most = 1;
    const dpc_index ahead = s->ahead.pieces > 0 ? 0 : all->step * (1 + STRANDS_AHEAD / b->cycle);
    for (dpc_index done = 0; done < cycles;) {
        const dpc_index now = cycles - done < most ? cycles - done : most;
        move(dpc_stream_place(s), thread, b->count, now, all->step, ahead);
        dpc_advance_stream(s, now * b->cycle);
        for (dpc_index k = 0; k < b->count; k++) thread[k].at += now * thread[k].step;
        done += now;
    }
    return cycles;
}

static void move_apart(char *to, dpc_index to_step, const char *from, dpc_index from_step, dpc_index length,
                       dpc_index n) {
    if (length == 8)
        for (dpc_index k = 0; k < n; k++, to += to_step, from += from_step) MOVE(word_8, to, from);
    else
        for (dpc_index k = 0; k < n; k++, to += to_step, from += from_step) move_exactly(to, from, length);
}

/* Cycles with gaps, where sources have nothing: one strand after the other, as many cycles as stay in a first-level
 * cache. */
static dpc_index copy_with_gaps(dpc_stream *s, const dpc_braid *b, const dpc_thread *thread, dpc_index cycles,
                                dpc_index missing) {
    enum { AT_ONCE = 16 << 10 };
    const dpc_index most = missing == b->count ? cycles : dpc_maximum(AT_ONCE / b->cycle, 1);
    for (dpc_index done = 0; done < cycles; done += most) {
        const dpc_index now = dpc_minimum(most, cycles - done);
        char *to = dpc_skip_in_stream(s, now * b->cycle);
        for (dpc_index k = 0; k < b->count; to += thread[k++].length)
            if (thread[k].at != NULL)
                move_apart(to, b->cycle, thread[k].at + done * thread[k].step, thread[k].step, thread[k].length, now);
    }
    return cycles;
}

/* Single elements of one source, or of several in turn. */
static dpc_index copy_elements(dpc_stream *s, const dpc_braid *b, const dpc_thread *thread, dpc_index units,
                               dpc_index unit) {
    const dpc_index n = units / b->cycle, most = s->streaming ? DPC_STREAM_PORTION / b->cycle : n;
    for (dpc_index k = 0; k < n; k += most) {
        const dpc_index now = n - k < most ? n - k : most;
        if (b->count == 1)
            copy_strided(dpc_stream_place(s), thread->at + k * thread->step, thread->step, now, unit);
        else
            interleave(dpc_stream_place(s), thread, b->count, k * unit, now, unit);
        dpc_advance_stream(s, now * b->cycle);
    }
    return n;
}

/* Whole cycles by vectors: how many were copied. */
static dpc_index copy_by_vectors(const dpc_weave *w, const dpc_weave_place *at, dpc_stream *s, dpc_index units,
                                 const char *const *source, const char *const *limit, dpc_index unit,
                                 dpc_thread *thread) {
    const dpc_braid *b = &w->braid[at->braid];
    if (units < b->cycle || b->cycle / b->count >= LONG || b->cycle > DPC_STREAM_ROOM / 2) return 0;
    if (b->count == 1 && b->cycle == b->units) return 0;
    const summary all = load_threads(w->strand + b->first, b->count, at->cycle, thread, source, limit);
    if (all.missing > 0) return copy_with_gaps(s, b, thread, units / b->cycle, all.missing);
    if (all.longest == unit && (b->count == 1 || (all.step == unit && b->count <= 16)))
        return copy_elements(s, b, thread, units, unit);
    if (s->streaming && all.lines && s->first == 0 && s->fill % DPC_LINE_BYTES == 0)
        return stream_cycles(s, b, thread, units / b->cycle);
    return copy_cycles(s, b, thread, units, &all);
}

/* Strand by strand, over ends of cycles too. */
static void walk_cycles(const dpc_weave *w, dpc_weave_place *at, dpc_stream *s, dpc_index bytes,
                        const char *const *source, const char *const *limit) {
    while (bytes > 0) bytes -= walk_strands(w, at, s, bytes, source, limit);
}

/* Least bytes for which vectors are looked for. */
enum { WORTH_BLENDING = 2048 };

/* Short strands that are streamed, by vectors from a line's start on: how many of the bytes were copied. */
static dpc_index copy_by_blending(const dpc_weave *w, dpc_weave_place *at, dpc_stream *s, dpc_index units,
                                  const char *const *source, const char *const *limit, dpc_index unit) {
    const dpc_braid *b = &w->braid[at->braid];
    const dpc_index begin = s->streaming && units >= WORTH_BLENDING ? dpc_blend_begin(w, at->braid, unit) : -1;
    if (begin < 0) return 0;
    dpc_index head = dpc_maximum(begin - at->done, 0);
    head += dpc_modulo(-(s->fill + head), DPC_LINE_BYTES);
    if (units < head + WORTH_BLENDING / 2) return 0;
    walk_cycles(w, at, s, head, source, limit);
    dpc_flush_stream(s, false);
    const dpc_index lines = dpc_blend_lines(w, at->braid, at->done + head, s, units - head, source, limit);
    const dpc_index now = at->done + head + lines;
    at->cycle = now / b->cycle;
    at->offset = now % b->cycle;
    for (at->strand = 0; at->offset >= w->strand[b->first + at->strand].length; at->strand++)
        at->offset -= w->strand[b->first + at->strand].length;
    return head + lines;
}

static void copy_braid(const dpc_weave *w, dpc_weave_place *at, dpc_stream *s, dpc_index units,
                       const char *const *source, const char *const *limit, dpc_index unit, dpc_thread *thread) {
    const dpc_index cycle = w->braid[at->braid].cycle;
    units -= copy_by_blending(w, at, s, units, source, limit, unit);
    if (at->strand > 0 || at->offset > 0) units -= walk_strands(w, at, s, units, source, limit);
    const dpc_index cycles = copy_by_vectors(w, at, s, units, source, limit, unit, thread);
    at->cycle += cycles;
    walk_cycles(w, at, s, units - cycles * cycle, source, limit);
}

void dpc_weave_units(const dpc_weave *w, dpc_weave_place *at, dpc_index units, dpc_stream *s, const char *const *memory,
                     const char *const *limit, dpc_index unit, dpc_thread *thread, const char **source) {
    if (w->units > w->period)
        for (int k = 0; k < w->slots; k++)
            source[k] = memory[k] == NULL ? NULL : memory[k] + at->period * w->period_step[k];
    while (units > 0) {
        const dpc_index left = w->braid[at->braid].units - at->done, now = left < units ? left : units;
        copy_braid(w, at, s, now, w->units > w->period ? source : memory, limit, unit, thread);
        units -= now;
        at->done += now;
        if (now < left) return;
        *at = (dpc_weave_place){.period = at->period, .braid = at->braid + 1};
        if (at->braid < w->braids) continue;
        *at = (dpc_weave_place){.period = at->period + 1};
        for (int k = 0; w->units > w->period && k < w->slots; k++)
            if (source[k] != NULL) source[k] += w->period_step[k];
    }
}

dpc_weave_place dpc_weave_after(const dpc_weave *w, dpc_index units) {
    dpc_weave_place at = {.period = units / w->period};
    for (units %= w->period; units >= w->braid[at.braid].units; at.braid++) units -= w->braid[at.braid].units;
    const dpc_braid *b = &w->braid[at.braid];
    at.done = units;
    at.cycle = units / b->cycle;
    for (units %= b->cycle; units >= w->strand[b->first + at.strand].length; at.strand++)
        units -= w->strand[b->first + at.strand].length;
    at.offset = units;
    return at;
}

void dpc_weave_row(const dpc_weave *w, dpc_stream *s, char *to, const char *const *memory, const char *const *limit,
                   dpc_index unit, dpc_thread *thread, const char **source) {
    dpc_weave_place at = {0};
    dpc_seek_stream(s, to);
    dpc_weave_units(w, &at, w->units, s, memory, limit, unit, thread, source);
}

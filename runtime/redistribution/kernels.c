/* Copy kernels: long strands as they are, short ones by whole vectors that the next strand's overwrite, single elements
 * by shuffles. */
#include "kernels.h"

#include <string.h>
#include <unistd.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/* Bytes: strands from here on are copied one by one; output is streamed in such portions, so that reading and writing
 * overlap; what is read so far ahead is asked for, along one line and from strand to strand.  Measured on one machine
 * (bench/RESULTS.md); near these values little depends on them. */
enum { LONG = 1024, PORTION = 4096, LINE_AHEAD = 4096, COPY_AHEAD = 2048, STRANDS_AHEAD = 4096 };

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

/* ---- Streams */

bool dpc_worth_streaming(dpc_index bytes) {
    static dpc_index enough; /* bytes */
    if (enough == 0) {
        long cache = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE
        cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
        enough = 4 * (cache > 0 ? cache : 1 << 20);
    }
#ifdef __SSE2__
    return bytes >= enough;
#else
    return false;
#endif
}

#ifdef __SSE2__
static inline __attribute__((always_inline)) void stream_line(char *to, const char *from) {
    const __m128i a = _mm_loadu_si128((const void *)from), b = _mm_loadu_si128((const void *)(from + 16)),
                  c = _mm_loadu_si128((const void *)(from + 32)), d = _mm_loadu_si128((const void *)(from + 48));
    _mm_stream_si128((void *)to, a);
    _mm_stream_si128((void *)(to + 16), b);
    _mm_stream_si128((void *)(to + 32), c);
    _mm_stream_si128((void *)(to + 48), d);
}

/* Whole lines, past the caches; `cached`: what is read is in the cache.  Several pages at once where there are, as
 * memory and address translation like it better. */
static void stream_lines(char *to, const char *from, dpc_index bytes, bool cached) {
    enum { PAGE = 4096, PAGES = 8, AT_ONCE = 128 };
    for (; !cached && bytes >= PAGES * PAGE; to += PAGES * PAGE, from += PAGES * PAGE, bytes -= PAGES * PAGE)
        for (dpc_index k = 0; k < PAGE; k += AT_ONCE)
            for (dpc_index page = 0; page < PAGES * PAGE; page += PAGE)
                for (dpc_index line = k + page; line < k + page + AT_ONCE; line += DPC_LINE_BYTES) {
                    if (bytes >= 2 * PAGES * PAGE) __builtin_prefetch(from + line + PAGES * PAGE);
                    stream_line(to + line, from + line);
                }
    for (dpc_index k = 0; k < bytes; k += DPC_LINE_BYTES) {
        if (!cached) __builtin_prefetch(from + k + COPY_AHEAD);
        stream_line(to + k, from + k);
    }
}

/* The same, and as many lines of what will be read soon are asked for. */
static void stream_and_ask(dpc_read_ahead *a, char *to, const char *from, dpc_index bytes) {
    dpc_index piece = a->piece_at, line = a->line_at;
    for (dpc_index k = 0; k < bytes; k += DPC_LINE_BYTES) {
        if (line < a->lines) __builtin_prefetch(a->piece[piece] + line * DPC_LINE_BYTES);
        if (++piece == a->pieces) {
            piece = 0;
            line++;
        }
        stream_line(to + k, from + k);
    }
    a->piece_at = piece;
    a->line_at = line;
}
#else
static void stream_lines(char *to, const char *from, dpc_index bytes, bool cached) {
    (void)cached;
    memcpy(to, from, (size_t)bytes);
}

static void stream_and_ask(dpc_read_ahead *a, char *to, const char *from, dpc_index bytes) {
    (void)a;
    memcpy(to, from, (size_t)bytes);
}
#endif

static void stream(dpc_stream *s, char *to, const char *from, dpc_index bytes, bool cached) {
    if (s->ahead.pieces > 0)
        stream_and_ask(&s->ahead, to, from, bytes);
    else
        stream_lines(to, from, bytes, cached);
}

void dpc_stream_copy(char *to, const char *from, dpc_index bytes, bool cached) {
    const dpc_index head = dpc_minimum(bytes, dpc_modulo(-(dpc_index)(uintptr_t)to, DPC_LINE_BYTES));
    const dpc_index whole = (bytes - head) / DPC_LINE_BYTES * DPC_LINE_BYTES;
    memcpy(to, from, (size_t)head);
    stream_lines(to + head, from + head, whole, cached);
    memcpy(to + head + whole, from + head + whole, (size_t)(bytes - head - whole));
}

void dpc_end_streaming(void) {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

void dpc_open_stream(dpc_stream *s, bool streaming) {
    *s = (dpc_stream){.streaming = streaming};
    if (!streaming) return;
    s->buffer = aligned_alloc(DPC_LINE_BYTES, DPC_STREAM_BYTES);
    if (s->buffer == NULL) dpc_fail(NULL, "out of memory");
}

/* Writes whole lines; `all`: also the last, unfinished one. */
static void flush(dpc_stream *s, bool all) {
    dpc_index at = s->first;
    if (at > 0) {
        const dpc_index end = s->fill < DPC_LINE_BYTES ? s->fill : DPC_LINE_BYTES;
        if (end < DPC_LINE_BYTES && !all) return;
        memcpy(s->to + at, s->buffer + at, (size_t)(end - at));
        at = end;
    }
    const dpc_index whole = s->fill / DPC_LINE_BYTES * DPC_LINE_BYTES, rest = s->fill - whole;
    if (whole > at) {
        stream(s, s->to + at, s->buffer + at, whole - at, true);
        at = whole;
    }
    if (all) {
        if (s->fill > at) memcpy(s->to + at, s->buffer + at, (size_t)(s->fill - at));
        if (s->to != NULL) s->to += s->fill;
        s->first = s->fill = 0;
        return;
    }
    memcpy(s->buffer, s->buffer + whole, (size_t)rest);
    s->to += whole;
    s->first = 0;
    s->fill = rest;
}

void dpc_seek_stream(dpc_stream *s, char *to) {
    if (!s->streaming) {
        s->to = to;
    } else if (to == NULL || s->to == NULL || s->to + s->fill != to) {
        flush(s, true);
        s->first = s->fill = (dpc_index)((uintptr_t)to % DPC_LINE_BYTES);
        s->to = to == NULL ? NULL : to - s->first;
    }
}

void dpc_close_stream(dpc_stream *s) {
    if (s->streaming) {
        flush(s, true);
        free(s->buffer);
        dpc_end_streaming();
    }
    *s = (dpc_stream){0};
}

/* Where the next bytes go; at most DPC_STREAM_ROOM of them, and a few more may be overwritten. */
static char *place(const dpc_stream *s) {
    return s->streaming ? s->buffer + s->fill : s->to;
}

static void advance(dpc_stream *s, dpc_index bytes) {
    if (!s->streaming) {
        s->to += bytes;
    } else {
        s->fill += bytes;
        if (s->fill >= PORTION) flush(s, false);
    }
}

/* Leaves the next bytes as they are; returns where they lie. */
static char *skip(dpc_stream *s, dpc_index bytes) {
    char *at = s->to + (s->streaming ? s->fill : 0);
    dpc_seek_stream(s, at + bytes);
    return at;
}

static void copy_long(dpc_stream *s, const char *from, dpc_index bytes) {
    if (!s->streaming) {
        memcpy(s->to, from, (size_t)bytes);
        s->to += bytes;
        return;
    }
    const dpc_index head = dpc_modulo(-s->fill, DPC_LINE_BYTES);
    if (bytes <= head + DPC_LINE_BYTES) {
        memcpy(place(s), from, (size_t)bytes);
        advance(s, bytes);
        return;
    }
    memcpy(place(s), from, (size_t)head);
    s->fill += head;
    flush(s, false);
    const dpc_index whole = (bytes - head) / DPC_LINE_BYTES * DPC_LINE_BYTES, rest = bytes - head - whole;
    stream(s, s->to, from + head, whole, false);
    s->to += whole;
    memcpy(s->buffer, from + head + whole, (size_t)rest);
    s->fill = rest;
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
            skip(s, length);
        } else if (from += x->from + at->cycle * x->step + at->offset, length >= (s->streaming ? 256 : LONG)) {
            copy_long(s, from, length);
        } else if (s->streaming && length + OVERRUN <= limit[x->slot] - from) {
            for (dpc_index k = 0; k < length; k += 32) MOVE(vector_32, place(s) + k, from + k);
            advance(s, length);
        } else {
            move_exactly(place(s), from, length);
            advance(s, length);
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
    flush(s, false);
    char *to = s->to;
    for (dpc_index t = 0; t < cycles; t++)
        for (dpc_index k = 0; k < b->count; to += thread[k++].length)
            stream(s, to, thread[k].at + t * thread[k].step, thread[k].length, false);
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
    dpc_index most = all->step < 0 ? 1 : !s->streaming ? cycles : PORTION / b->cycle;
    if (most < 1) most = 1;
    const dpc_index ahead = s->ahead.pieces > 0 ? 0 : all->step * (1 + STRANDS_AHEAD / b->cycle);
    for (dpc_index done = 0; done < cycles;) {
        const dpc_index now = cycles - done < most ? cycles - done : most;
        move(place(s), thread, b->count, now, all->step, ahead);
        advance(s, now * b->cycle);
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
        char *to = skip(s, now * b->cycle);
        for (dpc_index k = 0; k < b->count; to += thread[k++].length)
            if (thread[k].at != NULL)
                move_apart(to, b->cycle, thread[k].at + done * thread[k].step, thread[k].step, thread[k].length, now);
    }
    return cycles;
}

/* Single elements of one source, or of several in turn. */
static dpc_index copy_elements(dpc_stream *s, const dpc_braid *b, const dpc_thread *thread, dpc_index units,
                               dpc_index unit) {
    const dpc_index n = units / b->cycle, most = s->streaming ? PORTION / b->cycle : n;
    for (dpc_index k = 0; k < n; k += most) {
        const dpc_index now = n - k < most ? n - k : most;
        if (b->count == 1)
            copy_strided(place(s), thread->at + k * thread->step, thread->step, now, unit);
        else
            interleave(place(s), thread, b->count, k * unit, now, unit);
        advance(s, now * b->cycle);
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

static void copy_braid(const dpc_weave *w, dpc_weave_place *at, dpc_stream *s, dpc_index units,
                       const char *const *source, const char *const *limit, dpc_index unit, dpc_thread *thread) {
    const dpc_index cycle = w->braid[at->braid].cycle;
    if (at->strand > 0 || at->offset > 0) units -= walk_strands(w, at, s, units, source, limit);
    const dpc_index cycles = copy_by_vectors(w, at, s, units, source, limit, unit, thread);
    at->cycle += cycles;
    for (units -= cycles * cycle; units > 0;) units -= walk_strands(w, at, s, units, source, limit);
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

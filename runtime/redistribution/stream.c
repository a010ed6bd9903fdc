/* Consecutive output that is written past the caches, whole cache lines at a time. */
#include "stream.h"

#include "../base/caches.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes: what is read so far ahead is asked for, along one line. */
enum { COPY_AHEAD = 2048 };

/* Second-level caches: what is longer is read again from memory in any case. */
enum { LEAST_CACHES = 4 };

bool dpc_worth_streaming(dpc_index bytes) {
#ifdef __SSE2__
    return bytes >= LEAST_CACHES * dpc_machine_caches()->second;
#else
    (void)bytes;
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

void dpc_stream_lines(dpc_stream *s, char *to, const char *from, dpc_index bytes, bool cached) {
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

void dpc_flush_stream(dpc_stream *s, bool all) {
    dpc_index at = s->first;
    if (at > 0) {
        const dpc_index end = s->fill < DPC_LINE_BYTES ? s->fill : DPC_LINE_BYTES;
        if (end < DPC_LINE_BYTES && !all) return;
        memcpy(s->to + at, s->buffer + at, (size_t)(end - at));
        at = end;
    }
    const dpc_index whole = s->fill / DPC_LINE_BYTES * DPC_LINE_BYTES, rest = s->fill - whole;
    if (whole > at) {
        dpc_stream_lines(s, s->to + at, s->buffer + at, whole - at, true);
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
        dpc_flush_stream(s, true);
        s->first = s->fill = (dpc_index)((uintptr_t)to % DPC_LINE_BYTES);
        s->to = to == NULL ? NULL : to - s->first;
    }
}

void dpc_close_stream(dpc_stream *s) {
    if (s->streaming) {
        dpc_flush_stream(s, true);
        free(s->buffer);
        dpc_end_streaming();
    }
    *s = (dpc_stream){0};
}

char *dpc_skip_in_stream(dpc_stream *s, dpc_index bytes) {
    char *at = s->to + (s->streaming ? s->fill : 0);
    dpc_seek_stream(s, at + bytes);
    return at;
}

void dpc_stream_long(dpc_stream *s, const char *from, dpc_index bytes) {
    if (!s->streaming) {
        memcpy(s->to, from, (size_t)bytes);
        s->to += bytes;
        return;
    }
    const dpc_index head = dpc_modulo(-s->fill, DPC_LINE_BYTES);
    if (bytes <= head + DPC_LINE_BYTES) {
        memcpy(dpc_stream_place(s), from, (size_t)bytes);
        dpc_advance_stream(s, bytes);
        return;
    }
    memcpy(dpc_stream_place(s), from, (size_t)head);
    s->fill += head;
    dpc_flush_stream(s, false);
    const dpc_index whole = (bytes - head) / DPC_LINE_BYTES * DPC_LINE_BYTES, rest = bytes - head - whole;
    dpc_stream_lines(s, s->to, from + head, whole, false);
    s->to += whole;
    memcpy(s->buffer, from + head + whole, (size_t)rest);
    s->fill = rest;
}

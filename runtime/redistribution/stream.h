/* Consecutive output, past the caches where it is long.  Amounts in bytes. */
#ifndef DPC_REDISTRIBUTION_STREAM_H
#define DPC_REDISTRIBUTION_STREAM_H

#include "engine.h"

/* What will be read soon: pieces of `lines` cache lines each, asked for one line of every piece after the other,
 * because memory serves several pages at once better than one after the other. */
typedef struct {
    const char **piece;
    dpc_index pieces, lines; /* pieces 0: nothing is asked for ahead */
    dpc_index piece_at, line_at;
} dpc_read_ahead;

/* Consecutive output.  Where it streams, it passes through a buffer in the first-level cache and is written past the
 * caches, whole cache lines at a time. */
typedef struct {
    char *to;              /* where the next byte goes; streaming: where byte 0 of the buffer goes, a line's start */
    bool streaming;        /*   */
    dpc_index first, fill; /* streaming: bytes of the buffer that hold something */
    char *buffer;          /* of DPC_STREAM_BYTES, at a cache line's start */
    dpc_read_ahead ahead;  /* streaming: with every line that is written one is asked for */
} dpc_stream;

enum { DPC_LINE_BYTES = 64, DPC_STREAM_ROOM = 12 << 10, DPC_STREAM_BYTES = DPC_STREAM_ROOM + 4096 };

void dpc_open_stream(dpc_stream *s, bool streaming);
/* Goes on at another place; NULL: nowhere, what has been written is there. */
void dpc_seek_stream(dpc_stream *s, char *to);
/* Everything is where it belongs, and other processes may be told so. */
void dpc_close_stream(dpc_stream *s);

/* For the kernels: output is streamed in portions, so that reading and writing overlap (measured on one machine,
 * bench/RESULTS.md; near this value little depends on it). */
enum { DPC_STREAM_PORTION = 4096 };
/* Writes whole lines of the buffer; `all`: also the last, unfinished one. */
void dpc_flush_stream(dpc_stream *s, bool all);
/* Whole lines to a line's start, past the buffer; `cached`: what is read is in the cache. */
void dpc_stream_lines(dpc_stream *s, char *to, const char *from, dpc_index bytes, bool cached);
/* Leaves the next bytes as they are; returns where they lie. */
char *dpc_skip_in_stream(dpc_stream *s, dpc_index bytes);
/* The next bytes, many side by side. */
void dpc_stream_long(dpc_stream *s, const char *from, dpc_index bytes);

/* Where the next bytes go; at most DPC_STREAM_ROOM of them, and a few more may be overwritten. */
static inline char *dpc_stream_place(const dpc_stream *s) {
    return s->streaming ? s->buffer + s->fill : s->to;
}

static inline void dpc_advance_stream(dpc_stream *s, dpc_index bytes) {
    if (!s->streaming) {
        s->to += bytes;
    } else {
        s->fill += bytes;
        if (s->fill >= DPC_STREAM_PORTION) dpc_flush_stream(s, false);
    }
}

/* Bytes side by side, past the caches; `cached`: what is read is in a cache.  Other processes may be told of it after
 * dpc_end_streaming. */
void dpc_stream_copy(char *to, const char *from, dpc_index bytes, bool cached);
void dpc_end_streaming(void);
/* Output of so many bytes should stream. */
bool dpc_worth_streaming(dpc_index bytes);

#endif

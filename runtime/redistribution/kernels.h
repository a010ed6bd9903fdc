/* Copies along one row: strands of sources into consecutive output.  Amounts in bytes. */
#ifndef DPC_REDISTRIBUTION_KERNELS_H
#define DPC_REDISTRIBUTION_KERNELS_H

#include "weave.h"

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

/* What a braid's strands are while it is copied. */
typedef struct {
    const char *at;
    dpc_index length, step;
    const char *limit; /* end of the source's memory */
} dpc_thread;

void dpc_open_stream(dpc_stream *s, bool streaming);
/* Goes on at another place; NULL: nowhere, what has been written is there. */
void dpc_seek_stream(dpc_stream *s, char *to);
/* Everything is where it belongs, and other processes may be told so. */
void dpc_close_stream(dpc_stream *s);

/* The row of w: memory[k] .. limit[k] is what slot k's source has for it (NULL: nothing, its elements are left out).
 * unit: bytes of an element.  thread: room for w->longest. */
void dpc_weave_row(const dpc_weave *w, dpc_stream *s, char *to, const char *const *memory, const char *const *limit,
                   dpc_index unit, dpc_thread *thread, const char **source);

/* How far a row has come: braid `braid` of period `period`, `done` bytes of it: cycle, strand of the cycle, byte of the
 * strand. */
typedef struct {
    dpc_index period, braid, done, cycle, strand, offset;
} dpc_weave_place;

/* The next `units` bytes of a row, to where the stream stands.  source: room for a pointer per slot. */
void dpc_weave_units(const dpc_weave *w, dpc_weave_place *at, dpc_index units, dpc_stream *s, const char *const *memory,
                     const char *const *limit, dpc_index unit, dpc_thread *thread, const char **source);
/* The place after the first `units` bytes of a row. */
dpc_weave_place dpc_weave_after(const dpc_weave *w, dpc_index units);

/* Bytes side by side, past the caches; `cached`: what is read is in a cache.  Other processes may be told of it after
 * dpc_end_streaming. */
void dpc_stream_copy(char *to, const char *from, dpc_index bytes, bool cached);
void dpc_end_streaming(void);
/* Output of so many bytes should stream. */
bool dpc_worth_streaming(dpc_index bytes);

#endif

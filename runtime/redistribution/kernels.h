/* Copies along one row: strands of sources into consecutive output.  Amounts in bytes. */
#ifndef DPC_REDISTRIBUTION_KERNELS_H
#define DPC_REDISTRIBUTION_KERNELS_H

#include "weave.h"

/* Consecutive output.  Where it streams, it passes through a buffer in the first-level cache and is written past the
 * caches, whole cache lines at a time. */
typedef struct {
    char *to;              /* where the next byte goes; streaming: where byte 0 of the buffer goes, a line's start */
    bool streaming;        /*   */
    dpc_index first, fill; /* streaming: bytes of the buffer that hold something */
    char *buffer;          /* of DPC_STREAM_BYTES, at a cache line's start */
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

/* The other direction: the row from .. end of a source is dealt to where it belongs.  target: per slot; NULL: its
 * elements are left out. */
void dpc_unweave_row(const dpc_weave *w, dpc_stream *s, const char *from, const char *end, const char *const *target,
                     dpc_index unit, const char **place);

/* Output of so many bytes should stream. */
bool dpc_worth_streaming(dpc_index bytes);

#endif

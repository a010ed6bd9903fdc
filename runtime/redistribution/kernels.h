/* Copies along one row: strands of sources into consecutive output.  Amounts in bytes. */
#ifndef DPC_REDISTRIBUTION_KERNELS_H
#define DPC_REDISTRIBUTION_KERNELS_H

#include "stream.h"
#include "weave.h"

/* What a braid's strands are while it is copied. */
typedef struct {
    const char *at;
    dpc_index length, step;
    const char *limit; /* end of the source's memory */
} dpc_thread;

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

#endif

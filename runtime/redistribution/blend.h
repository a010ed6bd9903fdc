/* Short strands straight to streamed output, whole cache lines at a time.  Amounts in bytes. */
#ifndef DPC_REDISTRIBUTION_BLEND_H
#define DPC_REDISTRIBUTION_BLEND_H

#include "stream.h"
#include "weave.h"

/* What vectors of a braid's output consist of, from one place of its cycle on until output is at a line's start there
 * again; made when it is first asked for. */
typedef struct dpc_blend dpc_blend;

/* How many bytes of braid number `braid` of w must be written otherwise before vectors may begin; -1: they don't suit
 * it.  unit: bytes of an element. */
dpc_index dpc_blend_begin(const dpc_weave *w, dpc_index braid, dpc_index unit);
/* From `done` bytes of that braid on, at least as many, where the stream stands at a line's start and its buffer is
 * empty: writes what it can of `units` bytes and returns how many.  source, limit: per slot, its memory (NULL: nothing)
 * and the end of it. */
dpc_index dpc_blend_lines(const dpc_weave *w, dpc_index braid, dpc_index done, dpc_stream *s, dpc_index units,
                          const char *const *source, const char *const *limit);
void dpc_free_blend(dpc_blend *b);
/* Memory of it; NULL: 0. */
dpc_index dpc_blend_bytes(const dpc_blend *b);

#endif

/* Gathers with sequential output: the elements of one dimension of the side that is written, in ascending order, as
 * pieces of what one or more sources hold in memory.  A few pieces with their repetitions stand for any extent. */
#ifndef DPC_REDISTRIBUTION_WEAVE_H
#define DPC_REDISTRIBUTION_WEAVE_H

#include "engine.h"

/* Consecutive output: `length` units of a source from unit `from` on; again every cycle, `step` units further. */
typedef struct {
    int slot; /* which of the sources */
    dpc_index from, length, step;
} dpc_strand;

/* Output that repeats one cycle of strands, the last cycle cut where `units` end. */
typedef struct {
    dpc_index units, cycle; /* in all, in one cycle */
    dpc_index first, count; /* strands of the cycle */
} dpc_braid;

typedef struct {
    dpc_index start;  /* output: local index of the first element */
    dpc_index units;  /* output, in all */
    dpc_index period; /* output after which the braids begin again, each source's period_step further */
    dpc_index braids, strands;
    dpc_braid *braid;
    dpc_strand *strand;
    dpc_index longest; /* strands of a cycle, at most */
    int slots;
    dpc_index *coordinate;    /* per slot: of the source */
    dpc_index *held;          /* per slot: units that come from it */
    dpc_index *period_step;   /* per slot */
    struct dpc_blend **blend; /* per braid, of the kernels (blend.h); NULL before dpc_scale_weave */
} dpc_weave;

/* What coordinate q of `to` holds of the section, out of all the coordinates of `from`.  The first slots are those of
 * `coordinate`, `slots` of them, even where nothing comes from there. (local) */
dpc_weave dpc_weave_target(const dpc_line *to, dpc_index q, const dpc_line *from, const dpc_index *coordinate,
                           int slots);
/* Makes units `bytes` times smaller (elements to bytes); cycles of few strands are written out, so that a loop over
 * them runs for a while. */
void dpc_scale_weave(dpc_weave *w, dpc_index bytes);
dpc_index dpc_weave_bytes(const dpc_weave *w); /* memory of it */
void dpc_free_weave(dpc_weave *w);

#endif

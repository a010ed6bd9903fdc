/* What goes from process to process when ghost cells are brought up to date: found in ghosts.c, sent by refresh.c. */
#ifndef DPC_GHOSTS_H
#define DPC_GHOSTS_H

#include "program.h"

/* What a strip has along a dimension: in each of `blocks` blocks, `pitch` places apart, `extent` elements from local
 * index `first` of the first one on (-1 is the ghost cell before the first element); `missing` fewer in the last. */
typedef struct {
    dpc_index first, extent, blocks, pitch, missing;
} dpc_teeth;

static inline dpc_index dpc_teeth_elements(const dpc_teeth *x) {
    return x->extent * x->blocks - x->missing;
}

/* A part of an array's local part, ghost cells included, that is sent to or comes from a process. */
typedef struct {
    int array; /* number among those of the refresh */
    int process;
    dpc_teeth along[DPC_MAX_RANK];
} dpc_ghost_strip;

typedef struct {
    dpc_ghost_strip *strip;
    dpc_index strips, room;
} dpc_ghost_strips;

/* A strip of this process that is its own ghost cells. */
typedef struct {
    dpc_ghost_strip from, to;
} dpc_ghost_copy;

/* What goes along one dimension of the grid, or along all at once: copies, which are done first, and strips; those that
 * one process sends another one are in the same order on both. */
typedef struct {
    dpc_ghost_copy *copy;
    dpc_index copies, room;
    dpc_ghost_strips in, out;
} dpc_ghost_phase;

/* How many phases the arrays' ghost cells take: several where corners follow one dimension after the other. */
int dpc_ghost_phases(int arrays, dpc_array *const *array);
/* The strips of phase number p of `phases`.  The lists are the caller's to free with dpc_free_buffer. */
void dpc_find_ghosts(int arrays, dpc_array *const *array, int phases, int p, dpc_ghost_phase *phase);

#endif

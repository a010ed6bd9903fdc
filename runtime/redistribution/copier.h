/* Copies of n-dimensional parts with sequential output, row by row. */
#ifndef DPC_REDISTRIBUTION_COPIER_H
#define DPC_REDISTRIBUTION_COPIER_H

#include "kernels.h"

/* A problem as the copiers take it: dimensions that nobody divides are part of the elements of the one before. */
typedef struct {
    int rank;
    dpc_index size; /* bytes of an element */
    dpc_line from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    int dimension[DPC_MAX_RANK]; /* of the problem */
} dpc_shape;

/* Everything dense, the last dimension the fastest. */
dpc_shape dpc_fold_shape(int rank, const dpc_line *from, const dpc_line *to, dpc_index size);

typedef struct {
    int rank;
    dpc_index size;
    dpc_weave weave[DPC_MAX_RANK];     /* units: elements, in the last dimension bytes */
    dpc_index step[DPC_MAX_RANK];      /* output, bytes */
    dpc_index bytes, part_bytes;       /* output; the storage that it lies in */
    dpc_index sources;                 /* products of the weaves' slots, row-major */
    dpc_index *source_step;            /* per source and dimension: bytes */
    dpc_index *source_bytes;           /* per source: of its memory, from its first element on */
    dpc_thread *thread;                /* scratch */
    const char **row, **limit, **base; /* scratch, per slot of the last dimension */
} dpc_copier;

/* The part of coordinates q of `to`. */
dpc_copier *dpc_open_copier(const dpc_shape *shape, const dpc_index *q, dpc_source_layout layout);
/* The message of coordinates p of `from` to coordinates q of `to`; NULL: there is none. */
dpc_copier *dpc_open_message_copier(const dpc_shape *shape, const dpc_index *p, const dpc_index *q);
/* Coordinates of a source in the shape. */
void dpc_source_coordinates(const dpc_copier *c, dpc_index source, dpc_index *coordinates);
/* Bytes of the message from a source. */
dpc_index dpc_source_held(const dpc_copier *c, dpc_index source);
/* memory: per source, of its first element; NULL: its elements are left out. */
void dpc_copy_part(dpc_copier *c, char *to, const char *const *memory, bool streaming);
/* The other direction, for a copier of the turned shape: this process's part `from` is dealt to its targets. */
void dpc_deal_part(dpc_copier *c, const char *from, char *const *memory, bool streaming);
/* The other direction of a problem. */
dpc_shape dpc_turn_shape(const dpc_shape *shape);
dpc_index dpc_copier_bytes(const dpc_copier *c); /* memory of it */
/* Contiguous pieces. */
dpc_index dpc_copier_runs(const dpc_copier *c);
void dpc_close_copier(dpc_copier *c);

#endif

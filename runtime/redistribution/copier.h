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
    /* Per place of the grid, in the order of the shape, and dimension: elements from a local index to the next; NULL:
     * every local array is dense. */
    const dpc_index *from_stride, *to_stride;
    dpc_index tile, least_shared; /* bytes: that are read at once; of problems that a team shares, at least */
} dpc_shape;

/* The last dimension is the fastest, and its elements lie side by side; dense: so do the rows everywhere, and the
 * dimensions may be folded. */
dpc_shape dpc_fold_shape(int rank, const dpc_line *from, const dpc_line *to, dpc_index size, bool dense);

/* A part as it is written. */
typedef struct {
    dpc_index coordinate;         /* of the last dimension */
    dpc_weave weave;              /* of the last dimension, in bytes */
    dpc_index step[DPC_MAX_RANK]; /* bytes */
    dpc_index first;              /* of its first element, bytes */
} dpc_member;

/* Parts that differ in the last dimension only are a team: rows of sources that are dealt to all of them are read once
 * by one process, which writes them into all of the parts, and the processes share the rows. */
typedef struct {
    int rank;
    dpc_index size;
    dpc_line from, to;             /* the last dimension */
    dpc_weave weave[DPC_MAX_RANK]; /* of the dimensions before, in elements */
    dpc_index members, mine;       /* mine: the part that the copier was opened for */
    dpc_member *member;
    dpc_index bytes;                   /* of the part mine */
    dpc_index rows, tile;              /* what is read at once: that many rows, or, rows 0, so many elements of a row */
    bool by_rows;                      /* the work is divided by rows, else each of them by tiles */
    bool ahead;                        /* everything that lies side by side in the sources is read */
    dpc_index sources;                 /* products of the weaves' slots, row-major */
    dpc_index *source_step;            /* per source and dimension: bytes */
    dpc_index *source_bytes;           /* per source: of its memory, from its first element on */
    dpc_thread *thread;                /* scratch */
    const char **row, **limit, **base; /* scratch, per slot of the last dimension */
    const char **piece;                /* scratch: see dpc_read_ahead */
    dpc_weave_place *place;            /* scratch, per member */
} dpc_copier;

/* The part of coordinates q of `to`, with its team where the shape has teams. */
dpc_copier *dpc_open_team_copier(const dpc_shape *shape, const dpc_index *q);
/* The part of coordinates q of `to` alone. */
dpc_copier *dpc_open_copier(const dpc_shape *shape, const dpc_index *q);
/* The other direction, to find the targets of the part of coordinates p of `from`: whole teams of them, some of which
 * may get nothing from it. */
dpc_copier *dpc_open_source_copier(const dpc_shape *shape, const dpc_index *p);
/* Coordinates of a source in the shape. */
void dpc_source_coordinates(const dpc_copier *c, dpc_index source, dpc_index *coordinates);
/* Bytes that the part mine has of a source. */
dpc_index dpc_source_held(const dpc_copier *c, dpc_index source);
/* One of `pieces` pieces of the copying.  memory: per source, of its first element; NULL: its elements are left out. */
void dpc_copy_part(dpc_copier *c, char *to, const char *const *memory, bool streaming, dpc_index piece,
                   dpc_index pieces);
/* One of `pieces` pieces of the member mine's share in the copying of all parts.  part: per member. */
void dpc_copy_share(dpc_copier *c, char *const *part, const char *const *memory, bool streaming, dpc_index piece,
                    dpc_index pieces);
dpc_index dpc_copier_bytes(const dpc_copier *c); /* memory of it */
/* Contiguous pieces of the part mine. */
dpc_index dpc_copier_runs(const dpc_copier *c);
void dpc_close_copier(dpc_copier *c);

#endif

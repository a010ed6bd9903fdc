/* Distributed arrays. */
#ifndef DPC_ARRAYS_H
#define DPC_ARRAYS_H

#include "../formats.h"
#include "../halo.h"
#include "grids.h"

DPC_BEGIN_INTERFACE

/* Of a dimension of a grid that no dimension of an array is divided along: every coordinate has a copy of the elements;
 * or one coordinate, which is the number, has them. */
enum { DPC_EVERY = -1, DPC_DIVIDED = -2 };

/* A distributed array: its mapping and this process's part, one row-major block holding per dimension the owned
 * elements in ascending global order, between the ghost cells if there are any: around the whole or, where blocks are
 * dealt round-robin, around every block. */
typedef struct dpc_array {
    const char *name;
    dpc_type type;
    dpc_index size; /* bytes per element */
    int rank;
    dpc_grid *grid;
    dpc_dim dim[DPC_MAX_RANK];
    dpc_format format[DPC_MAX_RANK];
    dpc_index coord[DPC_MAX_RANK]; /* this process's coordinate along each array dimension; 0 where collapsed */
    bool member;                   /* this process is inside the grid, and where the array is held */
    dpc_index
        held[DPC_MAX_RANK]; /* per grid dimension: DPC_DIVIDED along it, at DPC_EVERY coordinate, or at this one */
    bool spare;             /* a dimension of the grid is none that it is divided along */
    bool copies;            /* several processes have every element: stores go to all, other uses take one */
#if DPC_HAS_TIES
    struct dpc_tie *tie; /* alignment; NULL: it is aligned with nothing, and nothing with it */
#endif
    dpc_index extent[DPC_MAX_RANK]; /* local extents, elements; 0 where this process owns nothing */
    dpc_index stride[DPC_MAX_RANK]; /* elements from one local index to the next along a dimension; the last is 1 */
    dpc_index
        across[DPC_MAX_RANK]; /* elements that stand side by side along a dimension, ghost cells included; at least
                                 1. C finds an element of the local part as in an array [][across[1]]... */
    dpc_index elements;       /* local elements, ghost cells included */
    void *local;              /* the first owned element; never NULL for a created array */
    /* Where each process has one block at most: the global indices of its first and last element along a dimension (it
     * has none: first is last + 1), and where the element with subscripts of 0 would stand. */
    dpc_index first[DPC_MAX_RANK], last[DPC_MAX_RANK];
    void *origin;
    void *storage;                /* the block that local points into */
    dpc_width halo[DPC_MAX_RANK]; /* ghost cells along each dimension; 0 where it is not divided */
    bool beside[DPC_MAX_RANK];    /* there are ghost cells where the process owns nothing: arrays of other extents are
                                     stored beside it */
    int corners;                  /* ghost cells beside at most so many dimensions at once are read; 0: beside one */
    bool fresh;                   /* the ghost cells have the values of their owners */
    int64_t
        mapping; /* arrays with the same number have the same bounds, mapping and layout on every process; 0: unknown */
    int version; /* which of its mappings it has, by the program's numbers; 0: the first. Statements that are compiled
                    for several ask for it */
    bool late;   /* a redistribution at the end of a loop's body waits for the end of the loop */
    int64_t contents; /* another number whenever an element or the mapping may have changed, in any array */
    dpc_index plane;  /* the ghost cells of this plane, from 1, are fresh while the contents are these */
    int64_t plane_contents;
} dpc_array;

/* Where the element with subscripts of 0 would stand in a block of elements of a type whose first one, at `first`, is
 * `before` elements behind it. (local) */
#define dpc_origin(type, first, before) ((void *)((uintptr_t)(first) - (uintptr_t)(before) * sizeof(type)))

/* Where the local part of a would have its first element if its blocks began where home's do: home's local indices find
 * the elements of a from there, ghost cells included. (local) */
void *dpc_local_beside(const dpc_array *a, const dpc_array *home);

/* Whether home's local indices find the elements of either array beside the other: blocks of the same written size, or
 * one block each of extents that differ so little that wider ghost cells make up for where blocks end.  Both get these
 * beside the given widths.  Along grids of which they divide the same dimensions.  (local, on every process) */
bool dpc_stand_near(const char *where, dpc_array *a, const dpc_width *width_of_a, dpc_array *b,
                    const dpc_width *width_of_b);

/* Whether dimensions have blocks of a written size, and it is the same. (local) */
static inline bool dpc_have_same_blocks(const dpc_array *a, int d, const dpc_array *b, int e) {
    return a->format[d].block == b->format[e].block;
}

/* The global index, along dimension k, of this process's first element: that of element x is place x less it, where
 * every process has one block at most. (local) */
dpc_index dpc_first_owned(const dpc_array *a, int k);
/* The same for the elements of the block in which element x stands. */
static inline dpc_index dpc_begin_at(const dpc_dim *d, dpc_index x) {
    return x - dpc_local(d, x);
}

/* Says that elements of the array may have changed on some process.  Whoever stores into a local part calls it
 * afterwards, on every process. (local) */
extern int64_t dpc_changes;
static inline void dpc_changed(dpc_array *a) {
    a->fresh = false;
    a->contents = ++dpc_changes;
}

/* Creates an array, zero-initialised.  grid == NULL: the default grid whose rank is the number of formats that are not
 * `*`. Errors (block too small, non-positive block, wrong grid rank, negative extent (an upper bound of lower-1 is
 * extent 0), out of memory) end the program naming the array and the numbers. */
void dpc_create(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                const dpc_format *formats, dpc_grid *grid);
/* The same with ghost cells along dimensions that have a block format (around the local part) or cyclic(b) (around
 * every block, in its gaps; b is at least the width), or that are not divided and go round; one width per dimension. */
void dpc_create_with_halo(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                          const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid, const dpc_width *halo,
                          int corners);

/* The same, with the bounds, formats and grid of another array, whose mapping formats and grid say, and without ghost
 * cells. */
void dpc_create_like(dpc_array *a, const char *where, const char *name, dpc_type type, const dpc_array *like);

/* Sets every local element to *value (size bytes). (local) */
void dpc_fill(dpc_array *a, const void *value);
/* Frees the local part. (local; safe on a zeroed descriptor and after dpc_finish)  DPC_AUTOMATIC frees at the end of
 * scope. */
void dpc_free(dpc_array *a);
#define DPC_AUTOMATIC __attribute__((cleanup(dpc_free)))

DPC_END_INTERFACE

#endif

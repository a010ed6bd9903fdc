/* Time tiling: several iterations of a sequential loop around stencils in one pass over memory. */
#ifndef DPC_TILINGS_H
#define DPC_TILINGS_H

#include "halos.h"

DPC_BEGIN_INTERFACE

enum { DPC_MOST_TILED = 8 };

/* A statement in the loop: it stores the elements `stored` of one array, along each dimension, and reads elements up to
 * `reach` beyond each; bytes: what it reads and stores for one.  Along a dimension that goes round, the same in all
 * steps, all elements are stored. */
typedef struct {
    dpc_bounds stored[DPC_MAX_RANK];
    dpc_width reach[DPC_MAX_RANK];
    dpc_index bytes;
} dpc_stencil;

/* A loop whose statements work on arrays of one mapping, which divides dimensions in one block for each process.
 *
 * Between processes: ghost cells are as deep as all the iterations together read, and come once; each statement is
 * executed for those of them, too, that later ones need.  Within a process: tiles along each dimension, each for all
 * the statements in their order, every one `shift` elements further back than the one before, so that what it reads has
 * been stored, and what it stores has been read by those before.  Source: Wolf and Lam, docs/papers.md (skewing);
 * deep ghost cells: Ding and He, docs/papers.md. */
typedef struct {
    const char *where;
    int rank, arrays, steps;
    dpc_array *array[DPC_MOST_TILED];
    dpc_stencil step[DPC_MOST_TILED];
    dpc_index wanted;                                   /* iterations at once; 0: as many as pay */
    int64_t mapping[DPC_MOST_TILED];                    /* of the arrays, for which the rest was decided */
    dpc_index depth;                                    /* iterations at once, at most; 0: the ordinary way */
    dpc_index shift[DPC_MOST_TILED][DPC_MAX_RANK];      /* of a step in the first iteration */
    dpc_index advance[DPC_MAX_RANK];                    /* from one iteration to the next */
    dpc_width beyond[DPC_MOST_TILED][DPC_MAX_RANK];     /* read by the steps behind it in its iteration */
    dpc_width reach[DPC_MAX_RANK];                      /* of all steps of an iteration */
    dpc_index extent[DPC_MAX_RANK];                     /* of a tile, elements */
    dpc_index iterations;                               /* of this pass */
    dpc_index begin[DPC_MAX_RANK], tiles[DPC_MAX_RANK]; /* of this process in this pass */
} dpc_tiling;

/* How many iterations of the loop are to be executed at once, at most, by the cost model or as `wanted` says; 0: the
 * ordinary way, as the arrays fit a cache or blocks are shorter than what would be read of them.  The same on every
 * process.  (collective) */
dpc_index dpc_plan_tiling(dpc_tiling *t, const char *where, int arrays, dpc_array *const *array, int steps,
                          const dpc_stencil *step, dpc_index wanted);
/* Brings the ghost cells for so many iterations, at most dpc_plan_tiling's.  The arrays may move in memory. */
void dpc_begin_tiling(dpc_tiling *t, dpc_index iterations);

/* The tiles of this process, each with all steps of all iterations:
 *     for (dpc_time_tile tile = dpc_first_time_tile(&tiling); tile.more; dpc_next_time_tile(&tile))
 *         for (each iteration)
 *             for (each step) the elements first .. last of dpc_stencil_part(&tile, iteration, step) */
typedef struct {
    const dpc_tiling *tiling;
    dpc_index at[DPC_MAX_RANK];
    bool more;
} dpc_time_tile;
typedef struct {
    dpc_index first[DPC_MAX_RANK], last[DPC_MAX_RANK];
} dpc_stencil_box;
dpc_time_tile dpc_first_time_tile(const dpc_tiling *t);
void dpc_next_time_tile(dpc_time_tile *tile);
/* (local) */
dpc_stencil_box dpc_stencil_part(const dpc_time_tile *tile, dpc_index iteration, int step);

DPC_END_INTERFACE

#endif

/* Moves by closed forms, whose loops stand in the program. */
#ifndef DPC_MOVES_H
#define DPC_MOVES_H

#include "../combs.h"
#include "spaces.h"

DPC_BEGIN_INTERFACE

/* Moves by closed forms, whose loops stand in the program.  A strip is what this process shares with one partner along
 * one index, in index values: runs first .. first+reach, and again every `period`, cut to low .. high.
 *
 *     dpc_move *C_move = dpc_open(&space, &C_dist, subscripts, DPC_IN_PIECES);
 *     for (double *out; (out = dpc_next_outgoing(C_move)) != NULL;)       what must be packed
 *         for (dpc_strip i_set = dpc_outgoing_strip(C_move, 0, 0); i_set.more; dpc_next_strip(&i_set))
 *             ... *out++ = source[from]
 *     while (dpc_next_piece(C_move))                                      what is mine, then messages as they come
 *         ... dpc_piece_strip(C_move, 0, 0) ... dpc_piece(C_move)[from]
 *     dpc_close(C_move);
 *
 * Iterations are taken in ascending order, the last axis fastest; a piece that came in a message has its values in that
 * order side by side, the own piece has them where the array has them. */
typedef struct dpc_move dpc_move;
/* The strip of a pair of processes that the translator knows, index values and places as in dpc_strip: one run; runs
 * that the range alone cuts; that are cut to low .. high.  high or reach -1, low 0: the pair shares nothing. */
typedef struct {
    dpc_index low, high, at;
} dpc_run_of_pair;
typedef struct {
    dpc_index first, reach, at;
} dpc_runs_of_pair;
typedef struct {
    dpc_index first, reach, at, low, high;
} dpc_cut_runs_of_pair;
typedef struct {
    bool more; /* there is a strip */
    dpc_index first, reach, period, low, high;
    dpc_index at, jump; /* home's local index (or the position) at `first`; from one run to the next */
    dpc_index from, from_jump, from_step; /* the value's place at `first`; from one run, one iteration to the next */
    const dpc_move *move;                 /* private, as is the rest */
    int axis;
    bool outgoing;
    dpc_index done;
    dpc_comb_walk walk;
    bool repeats; /* the strip is the last one a cycle later */
    dpc_index from_growth, at_growth, size;
} dpc_strip;

/* Whether the reference's sets have closed forms in every dimension; the same on every process. (local) */
bool dpc_closed(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* Posts receives.  The reference is closed.  positions: pieces will be put together in dpc_values, at positions;
 * else home's local indices are asked for. */
enum { DPC_IN_PIECES = false, DPC_TOGETHER = true };
dpc_move *dpc_open(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool positions);
/* As dpc_arrive's block: to be filled from the pieces. (local) */
void *dpc_values(const dpc_move *m);
/* The array's elements on this process: base of `from` while packing. (local) */
const void *dpc_source(const dpc_move *m);
/* Sends what was packed; the buffer of the next message to pack, NULL when all are sent.  What lies side by side
 * already is sent from where it is. */
void *dpc_next_outgoing(dpc_move *m);
/* Goes to the next piece; false when there is none left: then everything has been sent as well. */
bool dpc_next_piece(dpc_move *m);
/* Base of `from` in the current piece. (local) */
const void *dpc_piece(const dpc_move *m);
/* The strips of index number `index` in the message that is being packed, and in the current piece.  length > 0: the
 * loops take runs of exactly so many iterations; 0: any. (local) */
dpc_strip dpc_outgoing_strip(const dpc_move *m, int index, dpc_index length);
dpc_strip dpc_piece_strip(const dpc_move *m, int index, dpc_index length);
void dpc_next_strip(dpc_strip *p);
/* The coordinate of the process that gets the message which is being packed, or which sends the current piece, along
 * the dimension that the index subscripts; 0 where that is not divided.  (local) */
dpc_index dpc_receiver(const dpc_move *m, int index);
dpc_index dpc_sender(const dpc_move *m, int index);
void dpc_close(dpc_move *m);

DPC_END_INTERFACE

#endif

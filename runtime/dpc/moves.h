/* Moves by closed forms, whose loops stand in the program. */
#ifndef DPC_MOVES_H
#define DPC_MOVES_H

#include "../combs.h"
#include "../messages.h"
#include "spaces.h"

DPC_BEGIN_INTERFACE

/* Moves by closed forms, whose loops and messages stand in the program (Lee and Chen, figure 1).  A strip is what this
 * process shares with one partner along one index, in index values: runs first .. first+reach, and again every
 * `period`, cut to low .. high.
 *
 *     DPC_MOVE C_move = dpc_open(space, &C_dist, subscripts, DPC_IN_PIECES);
 *     DPC_RECEIVES(from, C_move) MPI_Irecv(DPC_MESSAGE(C_move, from));
 *     DPC_SENDS(to, C_move) {
 *         double *out = to->data, *part = dpc_source(C_move);
 *         DPC_STRIPS(i_set, dpc_outgoing_strip(C_move, to, 0, 0)) DPC_STRIP_RUNS(i_run, i_set)
 *             DPC_IN_STRIP_RUN(i, i_from, i_run, i_set.from_step) *out++ = part[i_from];
 *         MPI_Isend(DPC_MESSAGE(C_move, to));
 *     }
 *     DPC_PIECES(C_in, double, C_move)
 *         DPC_STRIPS(i_set, dpc_piece_strip(C_move, 0, 0)) DPC_STRIP_RUNS(i_run, i_set)
 *             DPC_IN_STRIP_RUN(i, i_from, i_run, i_set.from_step) ... C_in[i_from]
 *
 * Partners are the processes that share elements with this one, and no others: the coordinates whose sets of iterations
 * meet this one's (docs/communication-sets.md, section 5).  Iterations are taken in ascending order, the last axis
 * fastest; a piece that came in a message has its values in that order side by side, the own piece has them where the
 * array has them. */
typedef dpc_messages dpc_move; /* between dpc_begin_aggregate and dpc_end_aggregate these are only packed */
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
    dpc_index step;              /* from one value of the index to the next, > 0 */
    dpc_index at, jump;          /* home's local index (or the position) at `first`; from one run to the next */
    dpc_index shift, shift_jump; /* as in a dpc_run, of the first run; from one run to the next */
    dpc_index from, from_jump, from_step; /* the value's place at `first`; from one run, one iteration to the next */
    const dpc_move *move;                 /* private, as is the rest */
    dpc_index partner;
    int axis;
    bool outgoing, stored; /* a message that is packed; the values lie in the array's local part */
    dpc_index done;
    dpc_comb_walk walk;
    bool repeats; /* the strip is the last one a cycle later */
    dpc_index from_growth, at_growth, size;
} dpc_strip;

/* A run of a strip: first .. last, cut to low .. high. */
typedef struct {
    dpc_index first, last, from; /* the value's place at `first` */
    dpc_index shift;             /* home's local index is  offset + stride * value - shift */
    dpc_index begin, base;       /* private: `first` and `from` of the run where nothing cuts it */
} dpc_strip_run;

/* Whether the reference's sets have closed forms in every dimension; the same on every process. (local) */
bool dpc_closed(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* Finds the messages.  The reference is closed.  positions: pieces will be put together by dpc_collect, at positions;
 * else home's local indices are asked for. */
enum { DPC_IN_PIECES = false, DPC_TOGETHER = true };
dpc_move *dpc_open(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool positions);
/* The same, with DPC_TOGETHER, of a reference of which only its values tell whether it is closed: where it is not,
 * dpc_fetch brings the values, and the move has no messages and no pieces. */
dpc_move *dpc_open_or_fetch(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* Waits for the pieces of a move that is DPC_TOGETHER, and puts their values at their positions: a block like
 * dpc_arrive's. */
const void *dpc_collect(dpc_move *m);
/* The array's elements on this process, which are only read: base of `from` while packing. (local) */
void *dpc_source(const dpc_move *m);
/* The values of what this process has itself, or of the next message that has come (MPI_Waitany): the piece at hand;
 * NULL when there is none left: then everything has been sent as well (MPI_Waitall). */
const void *dpc_first_piece(dpc_move *m);
const void *dpc_next_piece(dpc_move *m);
#define DPC_PIECES(values, ctype, move)                                                                                \
    for (const ctype *values = dpc_first_piece(move); values != NULL; values = dpc_next_piece(move))
/* The strips of index number `index` in a message that is to be packed, and in the piece at hand.  length > 0: the
 * loops take runs of exactly so many iterations; 0: any.  What is to->packed has none: it lies side by side in the
 * array, or was packed for an earlier message. (local) */
dpc_strip dpc_outgoing_strip(const dpc_move *m, const dpc_message *to, int index, dpc_index length);
dpc_strip dpc_piece_strip(const dpc_move *m, int index, dpc_index length);
/* The same of an axis: number 0 is the index that subscripts the last dimension that any does, number 1 that of the one
 * before.  An axis that the move has not has one value, 0. */
dpc_strip dpc_outgoing_axis(const dpc_move *m, const dpc_message *to, int axis, dpc_index length);
void dpc_next_strip(dpc_strip *p);
/* With the strip, where there is one at most, and with one after the other. */
#define DPC_STRIP(set, ...) for (dpc_strip set = __VA_ARGS__; set.more; set.more = 0)
#define DPC_STRIPS(set, ...) for (dpc_strip set = __VA_ARGS__; set.more; dpc_next_strip(&set))
/* The run whose `first`, were it not cut, would be `begin`.  shift: modulo its range, as that of no run, behind the
 * last one, may be beyond 64 bits. */
__attribute__((always_inline)) static inline dpc_strip_run dpc_run_of_strip(const dpc_strip *p, dpc_index begin,
                                                                            dpc_index base, size_t shift) {
    dpc_strip_run r;
    r.begin = begin;
    r.base = r.from = base;
    r.shift = (dpc_index)shift;
    r.first = dpc_maximum(begin, p->low);
    r.last = dpc_minimum(begin + p->reach, p->high);
    if (r.first > begin) r.from += (r.first - begin) / p->step * p->from_step;
    return r;
}
/* The values of a strip whose runs have one each, and their places. */
#define DPC_STRIP_VALUES(i, place, set)                                                                                \
    for (long i = (set).first, place = (set).from; i <= (set).high; i += (set).period, place += (set).from_jump)
#define DPC_STRIP_RUNS(run, set)                                                                                       \
    for (dpc_strip_run run = dpc_run_of_strip(&(set), (set).first, (set).from, (size_t)(set).shift);                   \
         run.begin <= (set).high; run = dpc_run_of_strip(&(set), run.begin + (set).period, run.base + (set).from_jump, \
                                                         (size_t)run.shift + (size_t)(set).shift_jump))
/* The loops over the values of a run of a strip, and of a strip that is one run, and their places, which are `step`
 * apart. */
#define DPC_IN_STRIP_RUN(i, place, run, step)                                                                          \
    for (long i = (run).first, place = (run).from, dpc_last_##i = (run).last; i <= dpc_last_##i; i++, place += (step))
#define DPC_IN_STRIP(i, place, set, step)                                                                              \
    for (long i = (set).low, place = (set).from, dpc_last_##i = (set).high; i <= dpc_last_##i; i++, place += (step))
/* Iterations of a tile along an index by which elements of `size` bytes lie `step` elements apart: tiles of what is
 * read across its rows stay in the first-level cache, also where rows a power of two apart displace one another.
 * (local) */
dpc_index dpc_tile_length(dpc_index size, dpc_index step);
/* Such tiles of a strip that is one run, or of a run, as runs. */
__attribute__((always_inline)) static inline dpc_strip_run dpc_tile_at(dpc_index first, dpc_index last, dpc_index from,
                                                                       dpc_index side) {
    dpc_strip_run tile;
    tile.first = first;
    tile.last = dpc_minimum(first + side - 1, last);
    tile.from = from;
    tile.begin = side;
    return tile;
}
#define DPC_TILES(tile, begin_at, end_at, place, ctype, step)                                                          \
    for (dpc_strip_run tile = dpc_tile_at(begin_at, end_at, place, dpc_tile_length(sizeof(ctype), step));              \
         tile.first <= (end_at);                                                                                       \
         tile = dpc_tile_at(tile.first + tile.begin, end_at, tile.from + tile.begin * (step), tile.begin))
#define DPC_STRIP_TILES(tile, set, ctype, step) DPC_TILES(tile, (set).low, (set).high, (set).from, ctype, step)
#define DPC_RUN_TILES(tile, run, ctype, step) DPC_TILES(tile, (run).first, (run).last, (run).from, ctype, step)
/* The coordinate of the process that gets a message, or which sent the piece at hand, along the dimension that the
 * index subscripts; 0 where that is not divided.  (local) */
dpc_index dpc_receiver(const dpc_move *m, const dpc_message *to, int index);
dpc_index dpc_sender(const dpc_move *m, int index);
void dpc_close(dpc_move *m);
/* A dpc_move * that is closed at the end of the block that declares it. */
#define DPC_MOVE __attribute__((cleanup(dpc_close_behind))) dpc_move *
static inline void dpc_close_behind(dpc_move **m) {
    dpc_close(*m);
}

DPC_END_INTERFACE

#endif

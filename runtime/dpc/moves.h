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
 *     dpc_move *C_move = dpc_open(space, &C_dist, subscripts, DPC_IN_PIECES);
 *     DPC_RECEIVES(from, C_move) MPI_Irecv(DPC_MESSAGE(C_move, from));
 *     DPC_SENDS(to, C_move) {
 *         DPC_STRIPS(i_set, dpc_outgoing_strip(C_move, to, 0, 0))
 *             DPC_STRIP_RUNS(i_run, i_set)
 *                 loop i_run.first .. i_run.last, from = i_run.from .. by i_set.from_step
 *                     *out++ = source[from]                               into to->data
 *         MPI_Isend(DPC_MESSAGE(C_move, to));
 *     }
 *     DPC_PIECES(in, C_move)
 *         ... dpc_piece_strip(C_move, in, 0, 0) ... in->data[from]
 *     dpc_close(C_move);
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
/* The array's elements on this process: base of `from` while packing. (local) */
const void *dpc_source(const dpc_move *m);
/* What this process has itself, or the next message that has come (MPI_Waitany); NULL when there is none left: then
 * everything has been sent as well (MPI_Waitall).  Its data are the base of `from`. */
dpc_message *dpc_first_piece(dpc_move *m);
dpc_message *dpc_next_piece(dpc_move *m);
#define DPC_PIECES(piece, move)                                                                                        \
    for (dpc_message *piece = dpc_first_piece(move); piece != NULL; piece = dpc_next_piece(move))
/* The strips of index number `index` in a message that is to be packed, and in a piece.  length > 0: the loops take
 * runs of exactly so many iterations; 0: any.  What is to->packed has none: it lies side by side in the array, or was
 * packed for an earlier message. (local) */
dpc_strip dpc_outgoing_strip(const dpc_move *m, const dpc_message *to, int index, dpc_index length);
dpc_strip dpc_piece_strip(const dpc_move *m, const dpc_message *piece, int index, dpc_index length);
void dpc_next_strip(dpc_strip *p);
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
/* Iterations of a tile along an index by which elements of `size` bytes lie `step` elements apart: tiles of what is
 * read across its rows stay in the first-level cache, also where rows a power of two apart displace one another.
 * (local) */
dpc_index dpc_tile_length(dpc_index size, dpc_index step);
/* The coordinate of the process that gets a message, or which sends a piece, along the dimension that the index
 * subscripts; 0 where that is not divided.  (local) */
dpc_index dpc_receiver(const dpc_move *m, const dpc_message *to, int index);
dpc_index dpc_sender(const dpc_move *m, const dpc_message *piece, int index);
void dpc_close(dpc_move *m);

DPC_END_INTERFACE

#endif

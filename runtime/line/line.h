/* libdpc for programs that stand alone and have distributed arrays of one dimension and statements of one index (see
 * standalone/plain.c): the names of dpc.h that their translations have.  What processes own and share are closed forms
 * (Lee and Chen; docs/communication-sets.md, sections 1, 5).  Every function is collective unless it says "local". */
#ifndef DPC_LINE_H
#define DPC_LINE_H

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../combs.h"
#include "../dpc/arithmetic.h"
#include "../dpc/reductions.h"
#include "../messages.h"
#include "../start.h"

DPC_BEGIN_INTERFACE

/* The place of a statement, for errors: line n of the source. */
#define DPC_LINE(n) DPC_SOURCE ":" #n

/* What dpcc --standalone has to know: whether loops go over what a process has of an array, one block. */
#define DPC_HAS_ONE_BLOCK DPC_USES(DPC_OWNED) || DPC_USES(DPC_OWNED_IN)

/* ---- Arrays */

/* So many processes, from the first one on; as many as there are; blocks as long as needed. */
typedef dpc_index dpc_grid;
#define DPC_CHOSEN INT64_MIN
dpc_grid *dpc_new_grid(const char *where, const char *name, int rank, const dpc_index *extents);

typedef struct {
    dpc_index lower, upper; /* inclusive */
} dpc_bounds;
#define DPC_BOUNDS(...) ((const dpc_bounds[]){__VA_ARGS__})
#define DPC_SHAPE(n) 1, DPC_BOUNDS({0, (n)-1})

typedef struct {
    dpc_index block;
    bool single; /* no process has more than one */
} dpc_format;
#define DPC_FORMATS(...) ((const dpc_format[]){__VA_ARGS__})
#define DPC_BLOCK ((dpc_format){DPC_CHOSEN, true})
#define DPC_BLOCK_OF(m) ((dpc_format){(m), true})
#define DPC_CYCLIC(b) ((dpc_format){(b), false})

/* Element x is in block (x - lower) / block, which process (x - lower) / block mod procs has. */
typedef struct {
    const char *name;
    dpc_type type;
    dpc_index size, lower, extent; /* bytes of an element; the first element; their number */
    dpc_index block, procs;
    bool single; /* no process has more than one block */
    void *local; /* this process's blocks, one behind the other */
#if DPC_HAS_ONE_BLOCK
    dpc_index first[1], last[1]; /* where that is one: its first and last element; none: first is last + 1 */
    void *origin;                /* where element 0 would stand then */
#endif
} dpc_array;

/* Where its owner has element x. (local) */
static inline dpc_index dpc_place_in(const dpc_array *a, dpc_index x) {
    const dpc_index offset = x - a->lower;
    return offset / (a->block * a->procs) * a->block + offset % a->block;
}

/* All elements are 0.  grid NULL: all processes. */
void dpc_create(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                const dpc_format *formats, dpc_grid *grid);
void dpc_create_like(dpc_array *a, const char *where, const char *name, dpc_type type, const dpc_array *like);
/* Where element 0 would stand in a block whose first one, at `first`, is `before` elements behind it. (local) */
#define dpc_origin(type, first, before) ((void *)((uintptr_t)(first) - (uintptr_t)(before) * sizeof(type)))
/* Nothing is kept that another value of an element would make stale. */
#define dpc_changed(array) ((void)(array))

/* Every process gets the owner's value; the owner stores. */
void *dpc_read(const dpc_array *a, const char *where, void *value, const dpc_index *index);
#define dpc_get(ctype, array, where, ...)                                                                              \
    (*(ctype *)dpc_read((array), (where), &(ctype){0}, (const dpc_index[]){__VA_ARGS__}))
void *dpc_write(const dpc_array *a, const char *where, void *value, const dpc_index *index);
#define dpc_set(ctype, array, where, value, ...)                                                                       \
    ({                                                                                                                 \
        ctype *dpc_stored = dpc_write((array), (where), (ctype[1]){value}, (const dpc_index[]){__VA_ARGS__});          \
        *dpc_stored = *dpc_stored; /* an assignment: compilers do not miss its value in (dpc_set(..), ..) */           \
    })

/* ---- What two sides share along a statement's iterations, and what a process has: strips */

/* An array as the iterations 0 .. count-1 see it: iteration k touches element first + k * stride. */
typedef struct {
    const dpc_array *array;
    dpc_index first, stride, count;
} dpc_side;

/* Index values first .. first+reach, and again every `period`, cut to low .. high. */
typedef struct {
    dpc_index first, reach, period, low, high;
    dpc_index step;                       /* from one value of the index to the next, > 0 */
    dpc_index at, jump;                   /* where home has the element of `first`; from one run to the next */
    dpc_index shift, shift_jump;          /* home's element offset + stride * value stands at that less the shift */
    dpc_index from, from_jump, from_step; /* the value's place at `first`; from one run, one iteration to the next */
#if DPC_USES(DPC_STRIPS)
    bool more; /* there is a strip */
    const struct dpc_move
        *move; /* what the next strip takes: the move; the values stand in the array; so many come before */
    bool stored;
    dpc_index done;
    dpc_comb_walk walk;
#endif
} dpc_strip;

/* A run of a strip: first .. last, cut to low .. high. */
typedef struct {
    dpc_index first, last, shift;
    union {
        dpc_index from, position; /* the place of the first value; of a process's own iterations, their number */
    };
    dpc_index begin, base; /* private: `first` and `from` where nothing cuts the run */
} dpc_strip_run;
__attribute__((always_inline)) static inline dpc_strip_run dpc_run_of_strip(const dpc_strip *p, dpc_index begin,
                                                                            dpc_index base, dpc_index shift) {
    dpc_strip_run r = {.begin = begin, .base = base, .shift = shift, .from = base};
    r.first = dpc_maximum(begin, p->low);
    r.last = dpc_minimum(begin + p->reach, p->high);
    if (r.first > begin) r.from += (r.first - begin) / p->step * p->from_step;
    return r;
}
#define DPC_STRIP_RUNS(run, set)                                                                                       \
    for (dpc_strip_run run = dpc_run_of_strip(&(set), (set).first, (set).from, (set).shift); run.begin <= (set).high;  \
         run = dpc_run_of_strip(&(set), run.begin + (set).period, run.base + (set).from_jump,                          \
                                run.shift + (set).shift_jump))
/* The values of a strip whose runs have one each, and their places. */
#define DPC_STRIP_VALUES(i, place, set)                                                                                \
    for (long i = (set).first, place = (set).from; i <= (set).high; i += (set).period, place += (set).from_jump)
/* Those of a run, and of a strip that is one run, and their places, which are `step` apart. */
#define DPC_IN_STRIP_RUN(i, place, run, step)                                                                          \
    for (long i = (run).first, place = (run).from, dpc_last_##i = (run).last; i <= dpc_last_##i; i++, place += (step))
#define DPC_IN_STRIP(i, place, set, step)                                                                              \
    for (long i = (set).low, place = (set).from, dpc_last_##i = (set).high; i <= dpc_last_##i; i++, place += (step))

/* ---- Statements: their iterations, and who executes them */

typedef struct {
    dpc_index lower, upper, stride; /* upper inclusive */
} dpc_range;
#define DPC_TO(lower, upper)                                                                                           \
    { (lower), (upper), 1 }
#define DPC_BY(lower, upper, stride)                                                                                   \
    { (lower), (upper), (stride) }
#define DPC_RANGES(...) ((const dpc_range[]){__VA_ARGS__})

/* A subscript offset + stride * (value of the index). */
typedef struct {
    int index;
    dpc_index stride, offset;
} dpc_subscript;
#define DPC_INDEX(index)                                                                                               \
    { (index), 1, 0 }
#define DPC_LINEAR(index, stride, offset)                                                                              \
    { (index), (stride), (offset) }
#define DPC_SUBSCRIPTS(...) ((const dpc_subscript[]){__VA_ARGS__})

/* The iterations of a statement, and those whose home element this process owns: it executes these. */
typedef struct {
    const char *where;
    bool clip;       /* subscripts are known to stay inside, or out of use where they do not: not compared */
    dpc_range range; /* its stride is positive; the upper bound means nothing */
    dpc_index count; /* iterations */
    dpc_subscript subscript;
    dpc_side home;
    dpc_strip own; /* the iterations that are executed here */
#if DPC_USES(dpc_collect)
    dpc_index mine; /* how many */
#endif
} dpc_space;

/* Begins a statement; says where it is executed.  Stride 0, and subscripts that leave the array, end the program with
 * an error. (local) */
dpc_space *dpc_forall(dpc_space *s, const char *where, bool clip, const dpc_range *r);
dpc_space *dpc_on(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts);
#define dpc_forall_on(space, home, ...) dpc_on(dpc_forall(space, __VA_ARGS__), home, DPC_SUBSCRIPTS({0, 1, 0}))
/* DPC_FORALL(space, where, range) { ... }: the block is the statement; space points to its space.  _COMPARED:
 * subscripts are compared with bounds. */
#define DPC_FORALL(space, where, ...) DPC_FORALL_AS(space, where, true, __VA_ARGS__)
#define DPC_FORALL_COMPARED(space, where, ...) DPC_FORALL_AS(space, where, false, __VA_ARGS__)
#define DPC_FORALL_AS(space, where, clip, ...)                                                                         \
    for (dpc_space dpc_kept, *space = dpc_forall(&dpc_kept, where, clip, DPC_RANGES(__VA_ARGS__)); space != NULL;      \
         space = NULL)
#define DPC_FORALL_ON(space, home, where, ...) DPC_FORALL_ON_AS(space, home, where, true, __VA_ARGS__)
#define DPC_FORALL_ON_COMPARED(space, home, where, ...) DPC_FORALL_ON_AS(space, home, where, false, __VA_ARGS__)
#define DPC_FORALL_ON_AS(space, home, where, clip, ...)                                                                \
    for (dpc_space dpc_kept, *space = dpc_forall_on(&dpc_kept, home, where, clip, DPC_RANGES(__VA_ARGS__));            \
         space != NULL; space = NULL)
#define DPC_FORALL_AT(space, home, subscripts, where, ...)                                                             \
    DPC_FORALL_AT_AS(space, home, subscripts, where, true, __VA_ARGS__)
#define DPC_FORALL_AT_COMPARED(space, home, subscripts, where, ...)                                                    \
    DPC_FORALL_AT_AS(space, home, subscripts, where, false, __VA_ARGS__)
#define DPC_FORALL_AT_AS(space, home, subscripts, where, clip, ...)                                                    \
    for (dpc_space dpc_kept,                                                                                           \
         *space = dpc_on(dpc_forall(&dpc_kept, where, clip, DPC_RANGES(__VA_ARGS__)), home, subscripts);               \
         space != NULL; space = NULL)
#define DPC_CHANGE_ON DPC_FORALL_ON /* nothing goes by whether elements have changed */
#define DPC_CHANGE_ON_COMPARED DPC_FORALL_ON_COMPARED
#define DPC_CHANGE_AT DPC_FORALL_AT
#define DPC_CHANGE_AT_COMPARED DPC_FORALL_AT_COMPARED
#define DPC_SPACE(space, where, ...) DPC_SPACE_AS(space, where, true, __VA_ARGS__)
#define DPC_SPACE_COMPARED(space, where, ...) DPC_SPACE_AS(space, where, false, __VA_ARGS__)
#define DPC_SPACE_AS(space, where, clip, ...)                                                                          \
    dpc_space space[1];                                                                                                \
    dpc_forall(space, where, clip, DPC_RANGES(__VA_ARGS__))
#define DPC_SPACE_ON(space, home, where, ...) DPC_SPACE_ON_AS(space, home, where, true, __VA_ARGS__)
#define DPC_SPACE_ON_COMPARED(space, home, where, ...) DPC_SPACE_ON_AS(space, home, where, false, __VA_ARGS__)
#define DPC_SPACE_ON_AS(space, home, where, clip, ...)                                                                 \
    dpc_space space[1];                                                                                                \
    dpc_forall_on(space, home, where, clip, DPC_RANGES(__VA_ARGS__))
#define DPC_SPACE_AT(space, home, subscripts, where, ...)                                                              \
    DPC_SPACE(space, where, __VA_ARGS__);                                                                              \
    dpc_on(space, home, subscripts)
#define DPC_SPACE_AT_COMPARED(space, home, subscripts, where, ...)                                                     \
    DPC_SPACE_COMPARED(space, where, __VA_ARGS__);                                                                     \
    dpc_on(space, home, subscripts)
/* A statement on arrays of which every process has one block, and the loops over that. */
#define DPC_LOCAL(where) for (bool dpc_once = true; dpc_once; dpc_once = false)
#define DPC_CHANGE(array, where) DPC_LOCAL(where)
#define dpc_begin_local(where) ((void)(where))
#define DPC_OWNED(i, a, k) for (long i = (a)->first[k], dpc_last_##i = (a)->last[k]; i <= dpc_last_##i; i++)
#define DPC_OWNED_IN(i, lower, upper, a, k)                                                                            \
    for (long i = dpc_maximum(lower, (a)->first[k]), dpc_last_##i = dpc_minimum(upper, (a)->last[k]);                  \
         i <= dpc_last_##i; i++)
#define DPC_OWNED_AT(i, at, a, k)                                                                                      \
    for (long i = (a)->first[k], dpc_last_##i = (a)->last[k], at = 0; i <= dpc_last_##i; i++, at++)
#define DPC_OWNED_IN_AT(i, at, lower, upper, a, k)                                                                     \
    for (long i = dpc_maximum(lower, (a)->first[k]), dpc_last_##i = dpc_minimum(upper, (a)->last[k]), at = 0;          \
         i <= dpc_last_##i; i++, at++)

/* Loops over the runs of a process's own iterations, where these go from an element to its neighbour. */
#define DPC_BLOCK_RUNS(run, space, index) DPC_STRIP_RUNS(run, (space)->own)
#define DPC_IN_RUN(i, run) for (long i = (run).first, dpc_last_##i = (run).last; i <= dpc_last_##i; i++)

/* The same where they do not: home's local index is local + k * local_step. */
typedef struct {
    dpc_index first, last, step, shift, position, count, local, local_step;
    dpc_index local_last; /* at `last`; below `local` where there is none */
} dpc_run;
dpc_run dpc_first_run(const dpc_space *s, int index);
void dpc_next_run(const dpc_space *s, dpc_run *r);
#define DPC_RUNS(run, space, index)                                                                                    \
    for (dpc_run run = dpc_first_run(space, index); run.count > 0; dpc_next_run(space, &run))
/* Loops over a run's values, with their positions and home's local indices. */
#define DPC_IN_CYCLIC(i, position, local, run) DPC_VALUES_OF_RUN(i, position, local, run, 1)
#define DPC_IN_STRIDED(i, position, local, run) DPC_VALUES_OF_RUN(i, position, local, run, (run).local_step)
#define DPC_VALUES_OF_RUN(i, at, here, run, steps)                                                                     \
    for (long at = 0, i = (run).first, here = (run).local; (void)i, (void)here, at < (run).count;                      \
         at++, i += (run).step, here += steps)
/* All of them as one run, for a home that is cyclic, or one process's; with the loop over it. (local) */
dpc_run dpc_strided_run(const dpc_space *s, int index);
#define DPC_OWN_CYCLIC(i, position, local, space, index)                                                               \
    DPC_ITS_RUN(i, space, index) DPC_IN_CYCLIC(i, position, local, dpc_run_##i)
#define DPC_OWN_STRIDED(i, position, local, space, index)                                                              \
    DPC_ITS_RUN(i, space, index) DPC_IN_STRIDED(i, position, local, dpc_run_##i)
#define DPC_ITS_RUN(i, space, index)                                                                                   \
    for (dpc_run dpc_run_##i = dpc_strided_run(space, index), *dpc_once_##i = &dpc_run_##i; dpc_once_##i != NULL;      \
         dpc_once_##i = NULL)

/* ---- Moves: the elements that iterations read come to those who execute them (Lee and Chen, figure 1).  Between
 * dpc_open, which finds the messages, and dpc_close the program posts receives, packs and sends, and uses pieces. */
typedef struct dpc_move {
    dpc_message *from, *from_end; /* what is received */
    dpc_message *to, *to_end;     /* what is sent */
    int tag;
    const dpc_space *space; /* private, as is the rest */
    dpc_side source;        /* what is read */
    dpc_message own;        /* what this process has itself; without data: nothing */
    dpc_message *piece;     /* at hand, or NULL */
    MPI_Request *received, *sent;
#if DPC_USES(dpc_collect)
    bool positions; /* of iterations, in the place of home's local indices */
    void *values;   /* of the pieces, at their positions */
#endif
} dpc_move;
enum { DPC_IN_PIECES = false, DPC_TOGETHER = true };
dpc_move *dpc_open(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool positions);
/* The array's elements on this process: base of `from` while packing. (local) */
#define dpc_source(move) ((move)->source.array->local)
/* The values of what this process has itself, or of the next message that has come (MPI_Waitany): the piece at hand;
 * NULL when there is none left: then everything has been sent as well. */
const void *dpc_first_piece(dpc_move *m);
const void *dpc_next_piece(dpc_move *m);
#define DPC_PIECES(values, ctype, move)                                                                                \
    for (const ctype *values = dpc_first_piece(move); values != NULL; values = dpc_next_piece(move))
/* What a message has, and the piece at hand; length > 0: in runs of so many iterations. (local) */
#define dpc_outgoing_strip(move, to, index, length) dpc_find_strip(move, to, true, length)
#define dpc_outgoing_axis(move, to, axis, length) dpc_find_strip(move, to, true, length)
#define dpc_piece_strip(move, index, length) dpc_find_strip(move, (move)->piece, false, length)
dpc_strip dpc_find_strip(const dpc_move *m, const dpc_message *x, bool outgoing, dpc_index length);
void dpc_next_strip(dpc_strip *p);
#define DPC_STRIPS(set, ...) for (dpc_strip set = __VA_ARGS__; set.more; dpc_next_strip(&set))
/* With the strip, where there is one at most. */
#define DPC_STRIP(set, ...)                                                                                            \
    for (dpc_strip set = __VA_ARGS__, *dpc_once_##set = &set; dpc_once_##set != NULL; dpc_once_##set = NULL)
/* Waits for the pieces of a move that is DPC_TOGETHER, and puts their values at their positions. */
const void *dpc_collect(dpc_move *m);
void dpc_close(dpc_move *m);
/* A dpc_move * that is closed at the end of the block that declares it. */
#define DPC_MOVE __attribute__((cleanup(dpc_close_behind))) dpc_move *
static inline void dpc_close_behind(dpc_move **m) {
    dpc_close(*m);
}

/* ---- What the files of this folder need of one another. All local. */

/* The array as the statement's iterations see it.  Ends the program where a subscript is beyond 64 bits, or (if
 * compared) out of bounds. */
dpc_side dpc_side_of(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscript);

/* The iterations whose element is one of begin .. end; those whose element process p has. */
void dpc_find_between(const dpc_side *x, dpc_index begin, dpc_index end, dpc_index *low, dpc_index *high);
dpc_form dpc_form_of(const dpc_side *x, dpc_index p);

/* Where an array's owner has the element at a comb's start, were that not cut; what that grows by from run to run. */
void dpc_find_places(const dpc_side *x, const dpc_comb *c, dpc_index *at, dpc_index *jump);

/* The comb's iterations, whose values lie side by side. */
dpc_strip dpc_strip_of(const dpc_space *s, const dpc_comb *c);

void dpc_fail_bounds(const char *where, const dpc_array *a, dpc_index index) __attribute__((noreturn));
MPI_Datatype dpc_mpi_type(dpc_type type);

DPC_END_INTERFACE

#endif

/* Parallel statements: their iterations, and who executes them. */
#ifndef DPC_SPACES_H
#define DPC_SPACES_H

#include "../methods.h"
#include "arrays.h"

DPC_BEGIN_INTERFACE

/* A space is the iterations of one forall (or array assignment, or reduction) and who executes them.  Index number d
 * takes the values of range d in ascending order; "iteration" numbers count from 0 in each range.  "Mine" are the
 * iterations that this process executes: those whose home element it owns (owner computes).  Positions number a
 * process's own iterations of an index 0, 1, 2, ... in ascending order. */

typedef struct {
    dpc_index lower, upper, stride; /* as written; upper inclusive; a negative stride is turned round */
} dpc_range;
#define DPC_TO(lower, upper)                                                                                           \
    { (lower), (upper), 1 }
#define DPC_BY(lower, upper, stride)                                                                                   \
    { (lower), (upper), (stride) }
#define DPC_RANGES(...) ((const dpc_range[]){__VA_ARGS__})

/* A subscript offset + stride * (value of index number `index`); index < 0: invariant, offset alone. */
typedef struct {
    int index;
    dpc_index stride, offset;
} dpc_subscript;
#define DPC_INDEX(index)                                                                                               \
    { (index), 1, 0 }
#define DPC_LINEAR(index, stride, offset)                                                                              \
    { (index), (stride), (offset) }
#define DPC_FIXED(offset)                                                                                              \
    { -1, 0, (offset) }
/* Of home, in a dimension that is not divided: any place, even if there is none. */
#define DPC_ANYWHERE(offset)                                                                                           \
    { -1, 1, (offset) }
#define DPC_SUBSCRIPTS(...) ((const dpc_subscript[]){__VA_ARGS__})

/* A run: index values first, first+step, .. last (inclusive) that this process executes within one block of home.  The
 * local index of home's element along its dimension is  offset + stride * value - shift.  `position` is that of
 * `first`.  DPC_RUNS(i_run, space, 0) loops i_run.first .. i_run.last */
typedef struct {
    dpc_index first, last, step;
    dpc_index shift;
    dpc_index position;
    dpc_index count;             /* number of values; 0 behind the last run */
    dpc_index local, local_step; /* home's local index at `first`, and from one value to the next */
    dpc_index local_last;        /* at `last`: of dpc_strided_run; below `local` where it is empty */
    dpc_block_run block;         /* private */
} dpc_run;

/* Static, or zeroed before its first use.  What was found for it is kept from one execution of the statement to the
 * next; where a range or a subscript's offset is another one, that index alone is found again, and everything where
 * home's mapping or the kind of its subscripts is. */
typedef struct {
    const char *where;             /* "file:line" for errors */
    int rank;                      /* number of indices */
    dpc_range range[DPC_MAX_RANK]; /* normalised: stride > 0 */
    int own; /* the first `own` indices belong to the statement, the rest to reductions in it: these may be empty */
    dpc_index count[DPC_MAX_RANK]; /* iterations per index */
    const dpc_array *home;         /* NULL: replicated, every process executes everything */
    dpc_subscript home_subscript[DPC_MAX_RANK];
    int home_dim[DPC_MAX_RANK];   /* dimension of home that index d subscripts, or -1 */
    dpc_index mine[DPC_MAX_RANK]; /* number of my iterations per index; all 0 when this process executes nothing */
    bool once; /* where home's elements have copies, one of the processes that have them executes an iteration, not all
                */
    bool clip; /* elements outside an array are not accessed (masks, triangular bounds, proved bounds): no bounds check
                */
    bool active; /* this process owns the invariant subscripts of home and is inside its grid */
    dpc_method
        sets; /* how fetches generate communication sets, and what their messages carry; set by dpc_forall to AUTO, */
    dpc_model model;               /*   may be changed afterwards, in the same way on every process */
    dpc_run run[DPC_MAX_RANK];     /* per index: the first, where this process executes anything; the rest: private */
    dpc_range asked[DPC_MAX_RANK]; /* the ranges as written */
    dpc_index
        owned[DPC_MAX_RANK]; /* per index: iterations at this process's coordinate, whether or not it executes any */
    int64_t home_mapping;    /* dpc_array.mapping; -1: replicated; 0: unknown, everything is to be found */
    int home_own;            /* `own` when that was found */
    bool checked;            /* home's subscripts were inside it */
    unsigned changed;        /* a bit per index: its range or its subscript of home is another than when it was found */
    unsigned elsewhere; /* a bit per dimension of home: other processes own the element of its invariant subscript */
    int64_t version;    /* another one when who executes which iterations has changed, or may have */
} dpc_space;

/* Between (true) and (false) functions are called for each element that may not use distributed arrays: not every
 * process makes the same calls.  An error if they do. (local) */
void dpc_each_element(bool inside);
/* Begins a statement whose loops find their iterations from dpc_array.first and .last. (local) */
void dpc_begin_local(const char *where);
/* DPC_LOCAL(where) { ... }: the block is such a statement. */
#define DPC_LOCAL(where) for (int dpc_once = (dpc_begin_local(where), 1); dpc_once; dpc_once = 0)
/* The same of a statement that changes elements of the array, which it says at its end (dpc_changed). */
#define DPC_CHANGE(array, where)                                                                                       \
    for (int dpc_once = (dpc_begin_local(where), 1); dpc_once; dpc_changed(array), dpc_once = 0)
/* Starts a space.  Stride 0 ends the program with an error.  clip: see above; the macros whose names end in _COMPARED
 * start one whose subscripts are compared with bounds, the others one whose subscripts are known to stay inside.
 * (local)
 */
void dpc_forall(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges);
/* Declares a space, static, and starts it with these ranges. */
#define DPC_SPACE(space, where, ...) DPC_SPACE_AS(space, where, true, __VA_ARGS__)
#define DPC_SPACE_COMPARED(space, where, ...) DPC_SPACE_AS(space, where, false, __VA_ARGS__)
#define DPC_SPACE_AS(space, where, clip, ...)                                                                          \
    static dpc_space space[1];                                                                                         \
    dpc_forall(space, where, clip, (int)(sizeof(DPC_RANGES(__VA_ARGS__)) / sizeof(dpc_range)), DPC_RANGES(__VA_ARGS__))
/* DPC_FORALL(space, where, ranges) { ... }: the block is the statement; space points to its space. */
#define DPC_BLOCK_OF_SPACE(space, start)                                                                               \
    for (dpc_space *space = ({                                                                                         \
             start;                                                                                                    \
             dpc_kept;                                                                                                 \
         });                                                                                                           \
         space != NULL; space = NULL)
#define DPC_FORALL(space, ...) DPC_BLOCK_OF_SPACE(space, DPC_SPACE(dpc_kept, __VA_ARGS__))
#define DPC_FORALL_COMPARED(space, ...) DPC_BLOCK_OF_SPACE(space, DPC_SPACE_COMPARED(dpc_kept, __VA_ARGS__))
/* The same, without counting an execution. (local) */
void dpc_begin_space(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges);
/* Owner computes: `home` (NULL: replicated) with one subscript per dimension, each index in at most one.  Unless
 * s->clip, ends the program with an error that names file, line, array, dimension, index and bounds when a subscript
 * leaves the array. (local) */
void dpc_on(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts);
/* In place of that, where iterations have no home: each process executes an equal part, one after the other, of those
 * of the index in `indices` (a bit each) that has the most values, the first of such. (local) */
void dpc_deal_out(dpc_space *s, unsigned indices);
/* Both with dpc_on, where the home's element has the indices as its subscripts, in order. */
#define DPC_SPACE_ON(space, home, where, ...) DPC_SPACE_ON_AS(space, home, where, true, __VA_ARGS__)
#define DPC_SPACE_ON_COMPARED(space, home, where, ...) DPC_SPACE_ON_AS(space, home, where, false, __VA_ARGS__)
#define DPC_SPACE_ON_AS(space, home, where, clip, ...)                                                                 \
    static dpc_space space[1];                                                                                         \
    dpc_forall_on(space, home, where, clip, DPC_RANGES(__VA_ARGS__))
#define DPC_FORALL_ON(space, ...) DPC_BLOCK_OF_SPACE(space, DPC_SPACE_ON(dpc_kept, __VA_ARGS__))
#define DPC_FORALL_ON_COMPARED(space, ...) DPC_BLOCK_OF_SPACE(space, DPC_SPACE_ON_COMPARED(dpc_kept, __VA_ARGS__))
/* Both where the home's element has these subscripts: DPC_FORALL_AT(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(0),
 * DPC_FIXED(k)), where, ranges). */
#define DPC_SPACE_AT(space, home, subscripts, ...)                                                                     \
    DPC_SPACE(space, __VA_ARGS__);                                                                                     \
    dpc_on(space, home, subscripts)
#define DPC_SPACE_AT_COMPARED(space, home, subscripts, ...)                                                            \
    DPC_SPACE_COMPARED(space, __VA_ARGS__);                                                                            \
    dpc_on(space, home, subscripts)
#define DPC_FORALL_AT(space, ...) DPC_BLOCK_OF_SPACE(space, DPC_SPACE_AT(dpc_kept, __VA_ARGS__))
#define DPC_FORALL_AT_COMPARED(space, ...) DPC_BLOCK_OF_SPACE(space, DPC_SPACE_AT_COMPARED(dpc_kept, __VA_ARGS__))
/* The same of a statement that changes elements of home. */
#define DPC_CHANGE_ON(space, home, ...) DPC_CHANGE_BY(DPC_SPACE_ON, space, home, __VA_ARGS__)
#define DPC_CHANGE_ON_COMPARED(space, home, ...) DPC_CHANGE_BY(DPC_SPACE_ON_COMPARED, space, home, __VA_ARGS__)
#define DPC_CHANGE_AT(space, home, ...) DPC_CHANGE_BY(DPC_SPACE_AT, space, home, __VA_ARGS__)
#define DPC_CHANGE_AT_COMPARED(space, home, ...) DPC_CHANGE_BY(DPC_SPACE_AT_COMPARED, space, home, __VA_ARGS__)
#define DPC_CHANGE_BY(start, space, home, ...)                                                                         \
    for (dpc_space *space = ({                                                                                         \
             start(dpc_kept, home, __VA_ARGS__);                                                                       \
             dpc_kept;                                                                                                 \
         });                                                                                                           \
         space != NULL; dpc_changed(home), space = NULL)
/* The same of a space that there is: as many ranges as home has dimensions. (local) */
void dpc_forall_on(dpc_space *s, const dpc_array *home, const char *where, bool clip, const dpc_range *ranges);
/* The same where each iteration is to be executed by one process, though home's elements may have copies: reductions.
 * A space is used with one of the two. */
void dpc_on_one(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts);
/* How many values of an index are mine, at least 1: the row of a block of values, B_in[i_at][j_at]. (local) */
static inline dpc_index dpc_row_length(const dpc_space *s, int index) {
    return dpc_maximum(s->mine[index], 1);
}
/* The box of an index that home does not have, as this process executes it: low..high; behind dpc_on. (local) */
void dpc_set_box(dpc_space *s, int index, dpc_index low, dpc_index high);
/* How many values such an index has in an iteration. (local) */
dpc_index dpc_count_values(const dpc_space *s, dpc_index lower, dpc_index upper, dpc_index stride);
/* The same bounds check for another reference. (local) */
void dpc_check(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);

/* Whether a subscript leaves the array in some iteration of the ranges, cut to limits per index (NULL: none): then
 * conditions must be looked at. (local) */
bool dpc_leaves(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, const dpc_bounds *limits);
/* The parts of a statement's iterations in which a subscript leaves the array, one after the other; an iteration may be
 * in several. whole: one part, with all iterations, if there are any. for (dpc_part part = dpc_first_part(&s, a,
 * subscripts, limits, false); part.more; dpc_next_part(&part)) (local) */
typedef struct {
    bool more;
    dpc_range range[DPC_MAX_RANK]; /* per index */
    const dpc_space *space;        /* private, like all below */
    const dpc_array *array;
    const dpc_subscript *subscripts;
    const dpc_bounds *limits;
    int next;
} dpc_part;
dpc_part dpc_first_part(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                        const dpc_bounds *limits, bool whole);
void dpc_next_part(dpc_part *p);

/* Whether this process owns element x along dimension k of an array of which every process has one block at most.
 * (local) */
static inline bool dpc_owns(const dpc_array *a, int k, dpc_index x) {
    return a->first[k] <= x && x <= a->last[k];
}
/* The loop over this process's elements along dimension k of such an array; over those from `lower` to `upper`. */
#define DPC_OWNED(i, a, k) for (long i = (a)->first[k], dpc_last_##i = (a)->last[k]; i <= dpc_last_##i; i++)
#define DPC_OWNED_IN(i, lower, upper, a, k)                                                                            \
    for (long i = dpc_maximum(lower, (a)->first[k]), dpc_last_##i = dpc_minimum(upper, (a)->last[k]);                  \
         i <= dpc_last_##i; i++)
/* The same, with their positions. */
#define DPC_OWNED_AT(i, at, a, k)                                                                                      \
    for (long i = (a)->first[k], dpc_last_##i = (a)->last[k], at = 0; i <= dpc_last_##i; i++, at++)
#define DPC_OWNED_IN_AT(i, at, lower, upper, a, k)                                                                     \
    for (long i = dpc_maximum(lower, (a)->first[k]), dpc_last_##i = dpc_minimum(upper, (a)->last[k]), at = 0;          \
         i <= dpc_last_##i; i++, at++)
/* Of a matrix in an array of one dimension, in rows of `width` elements: DPC_ROWS_OF is the loop over the rows that
 * have some of the elements from .. to, DPC_IN_ROW in it that over those of them that have the places low .. high in
 * the row. */
#define DPC_FIRST_ROW(from, to, width) ((from) <= (to) ? (from) / (width) : 0)
#define DPC_LAST_ROW(from, to, width) ((from) <= (to) ? (to) / (width) : -1)
#define DPC_ROWS_OF(row, width, from, to)                                                                              \
    for (long dpc_from_##row = (from), dpc_to_##row = (to), row = DPC_FIRST_ROW(dpc_from_##row, dpc_to_##row, width),  \
              dpc_last_##row = DPC_LAST_ROW(dpc_from_##row, dpc_to_##row, width);                                      \
         row <= dpc_last_##row; row++)
#define DPC_IN_ROW(i, row, width, low, high)                                                                           \
    for (long i = dpc_maximum(dpc_from_##row, row * (width) + (low)),                                                  \
              dpc_last_##i = dpc_minimum(dpc_to_##row, row * (width) + (high));                                        \
         i <= dpc_last_##i; i++)
/* The same with the positions of the elements, of which the first one of all, `from`, has `position`. */
#define DPC_IN_ROW_AT(at, position, i, row, width, low, high)                                                          \
    for (long i = dpc_maximum(dpc_from_##row, row * (width) + (low)),                                                  \
              dpc_last_##i = dpc_minimum(dpc_to_##row, row * (width) + (high)),                                        \
              at = (position) + (i - dpc_from_##row);                                                                  \
         i <= dpc_last_##i; i++, at++)
/* All of these in tiles of rows and places, for statements that read another matrix by columns. */
#define DPC_TURNED_ROWS(i, row, width, from, to, low, high)                                                            \
    for (long dpc_from_##row = (from), dpc_to_##row = (to),                                                            \
              dpc_row = DPC_FIRST_ROW(dpc_from_##row, dpc_to_##row, width),                                            \
              dpc_last_row = DPC_LAST_ROW(dpc_from_##row, dpc_to_##row, width);                                        \
         dpc_row <= dpc_last_row; dpc_row += DPC_TURNED)                                                               \
        for (long dpc_place = (low), dpc_last_place = (high); dpc_place <= dpc_last_place; dpc_place += DPC_TURNED)    \
            for (long row = dpc_row, dpc_end_row = dpc_minimum(dpc_row + DPC_TURNED - 1, dpc_last_row);                \
                 row <= dpc_end_row; row++)                                                                            \
                for (long i = dpc_maximum(dpc_from_##row, row * (width) + dpc_place),                                  \
                          dpc_end_place = dpc_minimum(dpc_place + DPC_TURNED - 1, dpc_last_place),                     \
                          dpc_end = dpc_minimum(dpc_to_##row, row * (width) + dpc_end_place);                          \
                     i <= dpc_end; i++)
enum { DPC_TURNED = 16 };
static inline dpc_run dpc_first_run(const dpc_space *s, int index) { /* (local) */
    dpc_run none = DPC_ZERO;
    none.first = 1;
    none.step = s->range[index].stride;
    return s->mine[index] > 0 ? s->run[index] : none;
}
static inline bool dpc_more(const dpc_run *r) {
    return r->count > 0;
}
__attribute__((always_inline)) static inline void dpc_next_run(const dpc_space *s, int index, dpc_run *r) {
    const dpc_range *range = &s->range[index];
    const dpc_index first = r->block.first, local = r->block.local;
    r->position += r->count;
    if (s->home_dim[index] < 0 || r->position >= s->mine[index]) {
        r->count = 0;
        return;
    }
    dpc_next_block(&r->block);
    const dpc_index moved = r->block.first - first;
    r->first = range->lower + r->block.first * range->stride;
    r->last = r->first + (r->block.count - 1) * range->stride;
    r->count = r->block.count;
    r->local = r->block.local;
    r->shift += moved * r->local_step - (r->local - local);
}
/* The same where one iteration after the other goes to neighbouring elements, up or down, of a home dealt in blocks:
 * runs are whole blocks, but for the first and the last one.  What compilers make of it is a third as long. (local) */
static inline void dpc_next_block_run(dpc_run *r) {
    const dpc_index moved = r->block.left - r->block.skipped;
    r->position += r->count;
    r->block.first += moved;
    r->first += moved * r->step;
    r->shift += moved * r->local_step - r->block.left_local + r->block.skipped_local;
    r->local += r->block.left_local - r->block.skipped_local;
    r->block.skipped = r->block.skipped_local = 0;
    r->count = dpc_minimum(r->block.fewest, r->block.last - r->block.first + 1);
    r->last = r->first + (r->count - 1) * r->step;
}
/* All my values of an index as one run: for a home whose dimension has blocks of one element (cyclic), or belongs to
 * one process.  `shift` means nothing in it. (local) */
dpc_run dpc_strided_run(const dpc_space *s, int index);
/* The loops over them: DPC_RUNS(i_run, space, 0) { ... } */
#define DPC_RUNS(run, space, index)                                                                                    \
    for (dpc_run run = dpc_first_run(space, index); dpc_more(&run); dpc_next_run(space, index, &run))
#define DPC_BLOCK_RUNS(run, space, index)                                                                              \
    for (dpc_run run = dpc_first_run(space, index); dpc_more(&run); dpc_next_block_run(&run))
/* The loops over the values of one whose iterations step by one; over those of a dpc_strided_run, with their positions
 * and home's local indices, which go on by one, or not. */
#define DPC_IN_RUN(i, run) for (long i = (run).first, dpc_last_##i = (run).last; i <= dpc_last_##i; i++)
#define DPC_IN_CYCLIC(i, position, local, run) DPC_VALUES_OF_RUN(i, position, local, run, 1)
#define DPC_IN_STRIDED(i, position, local, run) DPC_VALUES_OF_RUN(i, position, local, run, (run).local_step)
#define DPC_VALUES_OF_RUN(i, at, here, run, steps)                                                                     \
    for (long at = 0, i = (run).first, here = (run).local; (void)i, (void)here, at < (run).count;                      \
         at++, i += (run).step, here += steps)
/* The same, where the loop is executed once: it finds the run. */
#define DPC_OWN_CYCLIC(i, position, local, space, index)                                                               \
    DPC_ITS_RUN(i, space, index) DPC_IN_CYCLIC(i, position, local, dpc_run_##i)
#define DPC_OWN_STRIDED(i, position, local, space, index)                                                              \
    DPC_ITS_RUN(i, space, index) DPC_IN_STRIDED(i, position, local, dpc_run_##i)
#define DPC_ITS_RUN(i, space, index)                                                                                   \
    for (dpc_run dpc_run_##i = dpc_strided_run(space, index), *dpc_once_##i = &dpc_run_##i; dpc_once_##i != NULL;      \
         dpc_once_##i = NULL)
/* Those from low to high only. */
#define DPC_PART_RUN(i, run, low, high)                                                                                \
    for (long i = dpc_maximum((run).first, low), dpc_last_##i = dpc_minimum((run).last, high); i <= dpc_last_##i; i++)
/* How many values of a run are below `value`. (local) */
static inline dpc_index dpc_skip(const dpc_run *r, dpc_index value) {
    return value <= r->first ? 0 : dpc_minimum(r->count, dpc_ceiling(value - r->first, r->step));
}
/* The loops over the values from low to high of a dpc_strided_run. */
#define DPC_PART_CYCLIC(i, position, local, run, low, high) DPC_PART_OF_RUN(i, position, local, run, 1, low, high)
#define DPC_PART_STRIDED(i, position, local, run, low, high)                                                           \
    DPC_PART_OF_RUN(i, position, local, run, (run).local_step, low, high)
#define DPC_PART_OF_RUN(i, at, here, run, steps, low, high)                                                            \
    for (long at = dpc_skip(&(run), low), dpc_stop_##i = dpc_skip(&(run), (high) + 1),                                 \
              i = (run).first + at * (run).step, here = (run).local + at * (run).local_step;                           \
         (void)i, (void)here, at < dpc_stop_##i; at++, i += (run).step, here += steps)

DPC_END_INTERFACE

#endif

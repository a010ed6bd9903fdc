/* libdpc: what programs translated by dpcc call, usable from hand-written C + MPI as well. */
#ifndef DPC_H
#define DPC_H

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "distribution.h"
#include "ghosts.h"
#include "methods.h"
#include "combs.h"
#include "team.h"
#include "interface.h"

DPC_BEGIN_INTERFACE

#if defined(SMPI_H) && !defined(DPC_SMPI)
#define DPC_SMPI
#endif

/* ---- Small arithmetic that generated code uses (all local) */

/* index modulo extent, from 0 to extent - 1; 0 where there are no elements. */
static inline dpc_index dpc_cycled(dpc_index index, dpc_index extent) {
    if (index >= 0 && index < extent) return index;
    return extent > 0 ? (index % extent + extent) % extent : 0;
}
/* An end-off shift, which is as good as one by the extent where it is by more. */
static inline dpc_index dpc_clamped(dpc_index shift, dpc_index extent) {
    return dpc_maximum(-extent, dpc_minimum(shift, extent));
}
/* The grid extent n, or -1 where n is not positive (0 would mean `*`). */
#define dpc_positive(n) ((n) > 0 ? (dpc_index)(n) : -1)
/* Number of elements of the section lower:upper:stride.  Stride 0 ends the program with an error. */
dpc_index dpc_extent(const char *where, dpc_index lower, dpc_index upper, dpc_index stride);
/* Ends the program with an error that says both extents unless two sections have equal ones. */
void dpc_conform(const char *where, dpc_index lower1, dpc_index upper1, dpc_index stride1, const char *left,
                 dpc_index lower2, dpc_index upper2, dpc_index stride2, const char *right);
/* By how much loops over values of an index step, which differ by less than the greatest step. */
static inline dpc_index dpc_step(dpc_index stride) {
    return dpc_minimum(dpc_magnitude(stride), 2 * DPC_MOST_INDEX);
}
/* Least and greatest member of lower:upper:stride that is >= first, <= last; first > last when there is none. */
dpc_index dpc_align_first(dpc_index first, dpc_index lower, dpc_index upper, dpc_index stride);
dpc_index dpc_align_last(dpc_index last, dpc_index lower, dpc_index upper, dpc_index stride);
/* Widens the box low..high to hold every member of lower:upper:stride. */
void dpc_widen(dpc_index *low, dpc_index *high, dpc_index lower, dpc_index upper, dpc_index stride);

/* Stands before a loop whose iterations touch different elements (ignore vector dependences).  gcc would find that out
 * by comparing addresses at the start of every run, which costs a third of a run of 20 elements. */
#if defined(__GNUC__) && !defined(__clang__)
#define DPC_IVDEP _Pragma("GCC ivdep")
#else
#define DPC_IVDEP
#endif

/* ---- Element types: DPC_ELEMENT_TYPES(X) calls X(enumerator, C type, MPI datatype); MPI has none of 128 bits. */
#define DPC_ELEMENT_TYPES(X)                                                                                           \
    X(DPC_BOOL, _Bool, MPI_C_BOOL)                                                                                     \
    X(DPC_CHAR, char, MPI_CHAR)                                                                                        \
    X(DPC_SIGNED_CHAR, signed char, MPI_SIGNED_CHAR)                                                                   \
    X(DPC_UNSIGNED_CHAR, unsigned char, MPI_UNSIGNED_CHAR)                                                             \
    X(DPC_SHORT, short, MPI_SHORT)                                                                                     \
    X(DPC_UNSIGNED_SHORT, unsigned short, MPI_UNSIGNED_SHORT)                                                          \
    X(DPC_INT, int, MPI_INT)                                                                                           \
    X(DPC_UNSIGNED, unsigned, MPI_UNSIGNED)                                                                            \
    X(DPC_LONG, long, MPI_LONG)                                                                                        \
    X(DPC_UNSIGNED_LONG, unsigned long, MPI_UNSIGNED_LONG)                                                             \
    X(DPC_LONG_LONG, long long, MPI_LONG_LONG)                                                                         \
    X(DPC_UNSIGNED_LONG_LONG, unsigned long long, MPI_UNSIGNED_LONG_LONG)                                              \
    X(DPC_INT128, __int128, MPI_DATATYPE_NULL)                                                                         \
    X(DPC_UNSIGNED_INT128, unsigned __int128, MPI_DATATYPE_NULL)                                                       \
    X(DPC_FLOAT, float, MPI_FLOAT)                                                                                     \
    X(DPC_DOUBLE, double, MPI_DOUBLE)                                                                                  \
    X(DPC_LONG_DOUBLE, long double, MPI_LONG_DOUBLE)                                                                   \
    X(DPC_FLOAT_COMPLEX, float _Complex, MPI_C_FLOAT_COMPLEX)                                                          \
    X(DPC_DOUBLE_COMPLEX, double _Complex, MPI_C_DOUBLE_COMPLEX)                                                       \
    X(DPC_LONG_DOUBLE_COMPLEX, long double _Complex, MPI_C_LONG_DOUBLE_COMPLEX)

typedef enum {
#define DPC_ENUMERATOR(enumerator, ctype, mpi) enumerator,
    DPC_ELEMENT_TYPES(DPC_ENUMERATOR)
#undef DPC_ENUMERATOR
        DPC_TYPES
} dpc_type;

/* The element type of a C expression. */
#define DPC_GENERIC_ENTRY(enumerator, ctype, mpi)                                                                      \
    ctype:                                                                                                             \
    enumerator,
#define dpc_type_of(expression) _Generic((expression), DPC_ELEMENT_TYPES(DPC_GENERIC_ENTRY) default : DPC_TYPES)

/* ---- Start and end.  Collective, as is every function below unless it says "local". */

/* Starts MPI; prints once: standard output and error of every process but 0 go nowhere, standard input is read by
 * process 0 and given to all.  expected > 0: the program was translated for exactly that many processes (--np), else it
 * ends with an error that says both numbers. */
void dpc_init(int expected);
/* Registers a function that creates file-scope arrays, for translation units without main; dpc_init calls it, or,
 * behind dpc_init, this function itself: a library is loaded by every process. (local) */
void dpc_at_start(void (*create)(void));
/* Ends MPI and returns status: `return dpc_finish(0);` in main. */
int dpc_finish(int status);
/* exit(status) on every process. */
void dpc_exit(int status) __attribute__((noreturn));
int dpc_nprocs(void);
int dpc_rank(void);     /* (local) */
double dpc_wtime(void); /* seconds, the same value on every process */

/* Prints "FILE:LINE: error: ..." on the process's real standard error and ends all processes with exit status 1.  When
 * every process finds the same error it is printed once. (local) */
void dpc_fail(const char *where, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* ---- Grids.  Ranks are numbered row-major; of a whole grid, rank r is process r of MPI_COMM_WORLD. */
typedef struct dpc_grid {
    const char *name;
    int rank;
    int extent[DPC_MAX_RANK];
    int size;                /* product of the extents */
    int coord[DPC_MAX_RANK]; /* of this process; -1 when it is outside */
    int first;               /* the process with coordinates 0, .. */
    int pitch[DPC_MAX_RANK]; /* processes from one coordinate to the next */
    bool whole;              /* rank r is process r */
} dpc_grid;

/* extents: > 0, or 0 for `*`: filled in from the number of processes, as square as possible (dpc_spread).  More
 * than the program was started with, or a negative extent: an error that says the numbers. */
dpc_grid *dpc_new_grid(const char *where, const char *name, int rank, const dpc_index *extents);
/* The grid of that rank over all processes. */
dpc_grid *dpc_default_grid(int rank);

typedef struct {
    dpc_index lower, upper; /* global, inclusive */
} dpc_bounds;

/* The part of a grid between bounds, one pair per dimension: P(0:1, *).  Ranks and coordinates count from its own first
 * process; those outside own nothing and take part.  Bounds outside the grid, or none between them: an error that says
 * them. */
#define DPC_WHOLE_DIMENSION                                                                                            \
    { 0, INT64_MAX }
dpc_grid *dpc_grid_part(const char *where, const dpc_grid *grid, const dpc_bounds *bounds);

/* ---- Mappings */
typedef enum {
    DPC_FORMAT_STAR,
    DPC_FORMAT_BLOCK,
    DPC_FORMAT_CYCLIC,
    DPC_FORMAT_GEN_BLOCK,
    DPC_FORMAT_ALIGNED /* what a divided dimension of an aligned array has; not given by programs */
} dpc_format_kind;
typedef struct {
    dpc_format_kind kind;
    dpc_index block;    /* 0: block without a size; gen_block: entries of the vector */
    dpc_index gap;      /* cyclic: places between two blocks of one process, elements */
    const void *vector; /* gen_block, while the array is mapped: elements of each coordinate */
    int type;           /* gen_block: dpc_type of its entries, an integer type */
} dpc_format;
#ifdef __cplusplus
#define DPC_FORMAT(kind, block, gap) (dpc_format{kind, (dpc_index)(block), (dpc_index)(gap), nullptr, 0})
#else
#define DPC_FORMAT(kind, block, gap) ((dpc_format){kind, (block), (gap), NULL, 0})
#endif
/* gen_block(vector): coordinate q has vector[q] elements.  A vector with fewer entries than coordinates, negative
 * entries, a sum that is not the extent, processes that have different ones: errors that say the numbers. */
#define DPC_GEN_BLOCK(vector, entries)                                                                                 \
    ((dpc_format){DPC_FORMAT_GEN_BLOCK, (entries), 0, (vector), dpc_type_of(*(vector))})
#define DPC_STAR DPC_FORMAT(DPC_FORMAT_STAR, 0, 0)
#define DPC_BLOCK DPC_FORMAT(DPC_FORMAT_BLOCK, 0, 0)
#define DPC_BLOCK_OF(m) DPC_FORMAT(DPC_FORMAT_BLOCK, m, 0)
#define DPC_CYCLIC(b) DPC_FORMAT(DPC_FORMAT_CYCLIC, b, 0)
/* With room for ghost cells: arrays whose elements are addressed by the same local indices have the same. */
#define DPC_CYCLIC_APART(b, gap) DPC_FORMAT(DPC_FORMAT_CYCLIC, b, gap)

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
    struct dpc_tie *tie;    /* alignment; NULL: it is aligned with nothing, and nothing with it */
    dpc_index extent[DPC_MAX_RANK]; /* local extents, elements; 0 where this process owns nothing */
    dpc_index stride[DPC_MAX_RANK]; /* elements from one local index to the next along a dimension; the last is 1 */
    dpc_index elements;             /* local elements, ghost cells included */
    void *local;                    /* the first owned element; never NULL for a created array */
    void *storage;                  /* the block that local points into */
    dpc_width halo[DPC_MAX_RANK];   /* ghost cells along each dimension; 0 where it is not divided */
    bool beside[DPC_MAX_RANK];      /* there are ghost cells where the process owns nothing: arrays of other extents are
                                       stored beside it */
    bool corners;                   /* ghost cells beside more than one dimension are read as well */
    bool fresh;                     /* the ghost cells have the values of their owners */
    int64_t
        mapping; /* arrays with the same number have the same bounds, mapping and layout on every process; 0: unknown */
    int64_t contents; /* another number whenever an element or the mapping may have changed, in any array */
} dpc_array;

/* Where the local part of a would have its first element if its blocks began where home's do: home's local indices find
 * the elements of a from there, ghost cells included. (local) */
void *dpc_local_beside(const dpc_array *a, const dpc_array *home);

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
                          bool corners);
/* ---- Templates and alignment
 *
 *     dpc_array T_dist = {0}, B_dist = {0};                                template T[0:2*N]; distribute T(block, *)
 *     dpc_create_template(&T_dist, "a.dpc:3", "T", 1, bounds, (const dpc_format[]){DPC_BLOCK}, NULL);
 *     dpc_create_aligned(&B_dist, "a.dpc:5", "B", DPC_DOUBLE, 1, bounds, &T_dist,
 *                        (const dpc_alignment[]){DPC_ALIGN(0, 2, 1)});      align B[i] with T[2*i+1]
 *     dpc_redistribute(&T_dist, "a.dpc:9", formats, NULL);                  moves B, too
 *
 * One alignment for each dimension of what the array is aligned with (its base: a template or an array, which may be
 * aligned itself).  Dimensions of the array that none names are not divided.  A base that is redistributed takes its
 * followers along; a follower leaves when it is freed.  An element that stands outside the base ends the program with
 * an error that says the numbers; a stride of 0 does. */
typedef struct {
    int dimension;            /* of the array, from 0; or one of those below */
    dpc_index stride, offset; /* element i of it stands on element stride * i + offset */
} dpc_alignment;
enum { DPC_ALIGN_COPIES = -1, DPC_ALIGN_HELD = -2 };
#define DPC_ALIGN(dimension, stride, offset)                                                                           \
    { (dimension), (stride), (offset) }
#define DPC_COPIES                                                                                                     \
    { DPC_ALIGN_COPIES, 0, 0 } /* T[i][*]: a copy on every coordinate that the dimension is divided over */
#define DPC_HELD_AT(index)                                                                                             \
    { DPC_ALIGN_HELD, 0, (index) } /* T[i][3]: where element 3 is */

/* A template: a mapping without elements. */
void dpc_create_template(dpc_array *t, const char *where, const char *name, int rank, const dpc_bounds *bounds,
                         const dpc_format *formats, dpc_grid *grid);
void dpc_create_aligned(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                        const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment);
/* With ghost cells, along dimensions of which every coordinate has one interval. */
void dpc_create_aligned_with_halo(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                                  const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment,
                                  const dpc_width *halo, bool corners);
/* Aligns an array anew, with this base or another, and moves its elements.  One that has followers ends the program
 * with an error. */
void dpc_realign(dpc_array *a, const char *where, dpc_array *base, const dpc_alignment *alignment);

/* The same of an array or a template that several source files name: each file says it as the program starts.  The
 * first one makes it; one that says other bounds, elements or another mapping ends the program with an error. */
void dpc_declare(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                 const dpc_format *formats, dpc_grid *grid);
void dpc_declare_template(dpc_array *t, const char *where, const char *name, int rank, const dpc_bounds *bounds,
                          const dpc_format *formats, dpc_grid *grid);
void dpc_declare_aligned(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                         const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment);

/* Sets every local element to *value (size bytes). (local) */
void dpc_fill(dpc_array *a, const void *value);
/* Frees the local part. (local; safe on a zeroed descriptor and after dpc_finish)  DPC_AUTOMATIC frees at the end of
 * scope. */
void dpc_free(dpc_array *a);
#define DPC_AUTOMATIC __attribute__((cleanup(dpc_free)))

/* Changes the mapping and keeps the values; followers come along.  grid as in dpc_create.  An array that is aligned
 * itself ends the program with an error. */
void dpc_redistribute(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid);
/* The same by a method and a schedule of the redistribution engine (dpc_method_name, dpc_schedule_name in
 * redistribution.h).  One that cannot serve the mappings ends the program with an error that says why. */
void dpc_redistribute_by(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid, const char *method,
                         const char *schedule);
/* The same, with what the statements that the new mapping reaches need.  What is left out: no ghost cells; the values
 * are kept; auto. */
typedef struct {
    const dpc_width *halo; /* of the new local part, one width per dimension; the array may have more */
    bool corners;
    bool dead; /* every element is assigned before it is read: no values move */
    const char *method, *schedule;
} dpc_remapping;
void dpc_redistribute_as(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid, dpc_remapping how);

/* `to = from` for arrays of one type, rank and extents, whatever their mappings: the redistribution engine's copy. */
void dpc_copy_array(dpc_array *to, const char *where, const dpc_array *from);
/* The same for sections of unit stride with equal extents, inside their arrays: bounds per dimension, inclusive. */
void dpc_copy_section(dpc_array *to, const char *where, const dpc_bounds *to_bounds, const dpc_array *from,
                      const dpc_bounds *from_bounds);
/* By a method and a schedule, as above; bounds NULL: the whole array. */
void dpc_copy_section_by(dpc_array *to, const char *where, const dpc_bounds *to_bounds, const dpc_array *from,
                         const dpc_bounds *from_bounds, const char *method, const char *schedule);

/* ---- Distributed parameters of functions.
 *
 *     relax(n, &(dpc_argument){.where = "main.dpc:9", .array = &A_dist}, f);        the call
 *
 *     void relax(long n, const dpc_argument *X_argument, double f) {
 *         DPC_PARAMETER dpc_parameter X_parameter = {.argument = X_argument, .changed = true};
 *         dpc_array *const X_dist = dpc_receive(&X_parameter, "relax.dpc:3", "X", DPC_DOUBLE, 2, bounds, formats,
 * grid);
 *
 * An argument that is mapped as the parameter is worked on in place, whatever its lower bounds; another one is remapped
 * into an array of the function's own, and back at the end of the scope if the function changes it. */

/* A part of a dimension: the section lower:upper:stride, or one subscript. */
typedef struct {
    dpc_index lower, upper, stride;
} dpc_triplet;
#define DPC_AT(index)                                                                                                  \
    { (index), 0, INT64_MIN }

typedef struct {
    const char *where;          /* of the call: "file:line" */
    dpc_array *array;           /* NULL: ordinary memory, of which every process has a copy */
    const dpc_triplet *section; /* per dimension of the array; NULL: the whole array */
    void *memory;               /* row-major, as the parameter is declared */
    dpc_type type;              /* of the memory's elements */
} dpc_argument;

typedef struct dpc_parameter {
    const dpc_argument *argument;
    bool changed;                             /* the function may assign elements */
    bool own;                                 /* an array of its own in any case: the function redistributes it */
    const char *method, *schedule;            /* of redistributions; NULL: auto */
    const struct dpc_parameter *before;       /* the function's parameter before this one, or NULL */
    const struct dpc_parameter *const *apart; /* those that must not be the same array in place; ends with NULL */
    dpc_array *array;                         /* the argument's, or &copy; this and the rest: private */
    dpc_array copy;
    dpc_array seen; /* in place: the argument's descriptor as the caller sees it */
    bool shifted;   /* in place, with other lower bounds */
    const char *name;
    struct dpc_parameter *outer; /* of functions that are being executed, latest first */
} dpc_parameter;

/* The array that a parameter is in the function.  formats NULL: it inherits its argument's mapping.  Rank, type or
 * extents that differ end the program with an error that says both; so does the same array passed for several
 * parameters, one of which is assigned, unless all work in place and statements of the function keep them apart. */
dpc_array *dpc_receive(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                       const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid);
/* The same with ghost cells. */
dpc_array *dpc_receive_with_halo(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                                 const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid,
                                 const dpc_width *halo, bool corners);
/* The same of a parameter that is aligned with another array of the function, or a template. */
dpc_array *dpc_receive_aligned(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                               const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment,
                               const dpc_width *halo, bool corners);
/* Moves what has changed back, and frees. */
void dpc_give_back(dpc_parameter *p);
#define DPC_PARAMETER __attribute__((cleanup(dpc_give_back)))

/* setjmp(dpc_mark_jump(b)) notes which calls have distributed parameters there; longjmp(b, dpc_leave_calls(b, value))
 * gives back the parameters of those that it leaves, but for sections.  Value and pointer are those given. (local;
 * collective) */
void *dpc_mark_jump(void *buffer);
int dpc_leave_calls(const void *buffer, int value);

/* A function begins that uses an array by its name: an error where a parameter of a function that is being executed
 * holds its elements elsewhere, or in place and is one of `apart` (ends with NULL; or NULL). (local) */
typedef enum { DPC_READS, DPC_ASSIGNS, DPC_REMAPS } dpc_usage;
void dpc_use(const char *where, const dpc_array *a, dpc_usage usage, const dpc_parameter *const *apart);

/* ---- Parallel statements.
 *
 * A space is the iterations of one forall (or array assignment, or reduction) and who executes them.  Index number d
 * takes the values of range d in ascending order; "iteration" numbers count from 0 in each range.  "Mine" are the
 * iterations that this process executes: those whose home element it owns (owner computes).  Positions number a
 * process's own iterations of an index 0, 1, 2, ... in ascending order. */

typedef struct {
    dpc_index lower, upper, stride; /* as written; upper inclusive; a negative stride is turned round */
} dpc_range;

/* A subscript offset + stride * (value of index number `index`); index < 0: invariant, offset alone. */
typedef struct {
    int index;
    dpc_index stride, offset;
} dpc_subscript;

/* A run: index values first, first+step, .. last (inclusive) that this process executes within one block of home.  The
 * local index of home's element along its dimension is  offset + stride * value - shift.  `position` is that of
 * `first`. for (dpc_run i_run = dpc_first_run(&s, 0); dpc_more(&i_run); dpc_next_run(&s, 0, &i_run)) */
typedef struct {
    dpc_index first, last, step;
    dpc_index shift;
    dpc_index position;
    dpc_index count;             /* number of values */
    dpc_index local, local_step; /* home's local index at `first`, and from one value to the next */
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
/* Starts a space.  Stride 0 ends the program with an error.  clip: see above. (local) */
void dpc_forall(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges);
/* The same, without counting an execution. (local) */
void dpc_begin_space(dpc_space *s, const char *where, bool clip, int rank, const dpc_range *ranges);
/* Owner computes: `home` (NULL: replicated) with one subscript per dimension, each index in at most one.  Unless
 * s->clip, ends the program with an error that names file, line, array, dimension, index and bounds when a subscript
 * leaves the array. (local) */
void dpc_on(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts);
/* The same where each iteration is to be executed by one process, though home's elements may have copies: reductions.
 * A space is used with one of the two. */
void dpc_on_one(dpc_space *s, const dpc_array *home, const dpc_subscript *subscripts);
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

static inline dpc_run dpc_first_run(const dpc_space *s, int index) { /* (local) */
    dpc_run none = DPC_ZERO;
    none.first = 1;
    none.step = s->range[index].stride;
    return s->mine[index] > 0 ? s->run[index] : none;
}
static inline bool dpc_more(const dpc_run *r) {
    return r->first <= r->last;
}
__attribute__((always_inline)) static inline void dpc_next_run(const dpc_space *s, int index, dpc_run *r) {
    const dpc_range *range = &s->range[index];
    const dpc_index first = r->block.first, local = r->block.local;
    r->position += r->count;
    if (s->home_dim[index] < 0 || r->position >= s->mine[index]) {
        r->last = r->first - 1;
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
/* All my values of an index as one run: for a home whose dimension has blocks of one element (cyclic), or belongs to
 * one process.  `shift` means nothing in it. (local) */
static inline dpc_run dpc_strided_run(const dpc_space *s, int index) {
    const int k = s->home_dim[index];
    dpc_run r = dpc_first_run(s, index);
    const dpc_index procs = k < 0 ? 1 : s->home->dim[k].procs;
    if (procs == 1 || !dpc_more(&r)) return r;
    const dpc_index common = r.local_step == 1 ? 1 : dpc_common_divisor(procs, dpc_magnitude(r.local_step));
    r.step *= procs / common;
    r.local_step /= common;
    r.count = s->mine[index];
    r.last = r.first + (r.count - 1) * r.step;
    return r;
}
/* How many values of a run are below `value`. (local) */
static inline dpc_index dpc_skip(const dpc_run *r, dpc_index value) {
    return value <= r->first ? 0 : dpc_minimum(r->count, dpc_ceiling(value - r->first, r->step));
}

/* Moves the elements of `a` that my iterations read to this process: posts receives, packs and sends, copies what is
 * mine. dpc_arrive waits and returns them: a dense row-major block, whose dimensions are the indices that occur in
 * `subscripts` in ascending index number and whose extents are s->mine[] of these; an element stands at its iterations'
 * positions. With no such index: one element.  Elements that no iteration of mine reads (clip) are 0.  dpc_release
 * frees. Any number of fetches may be under way; every process starts and ends them in the same order.  Values are
 * those at the time of dpc_fetch: the array may be assigned after dpc_arrive. */
typedef struct dpc_transfer dpc_transfer;
dpc_transfer *dpc_fetch(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
void *dpc_arrive(dpc_transfer *t);
/* Where they will be: in a loop over boxes, those that the box needs are there. (local) */
void *dpc_arriving(const dpc_transfer *t);
void dpc_release(dpc_transfer *t);

/* Home's elements of all my iterations become those of another array: `home = a`.  Every index subscripts both, each a
 * dimension of its own; all of them are inside both arrays. */
void dpc_copy(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* A fetch of a reference whose indices stand in it as in home, on the same grid, and whose other subscripts are
 * invariant: one collective along the dimensions of the grid that these divide.  Ends as a fetch. */
dpc_transfer *dpc_broadcast(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* The same of a single element: all subscripts are invariant. */
void *dpc_share_element(const dpc_space *s, const dpc_array *a, void *value, const dpc_subscript *subscripts);
#define dpc_share(ctype, space, array, ...)                                                                            \
    (*(ctype *)dpc_share_element((space), (array), &(ctype){0}, (const dpc_subscript[]){__VA_ARGS__}))

/* The same where the values of the last execution stay, for it or another statement that reads the same: nothing moves
 * while the array, the ranges and home's mapping are the same.  A place is static, or zeroed, and serves one transfer
 * at a time. */
typedef struct dpc_kept {
    void *values; /* private, as is the rest */
    dpc_index *word;
    int words, room;
    bool listed;
    struct dpc_kept *next;
} dpc_kept;
dpc_transfer *dpc_fetch_kept(dpc_kept *kept, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
dpc_transfer *dpc_broadcast_kept(dpc_kept *kept, const dpc_space *s, const dpc_array *a,
                                 const dpc_subscript *subscripts);

/* The same of a gather: false where it must be done, by dpc_gather_kept, because the array or what its subscripts are
 * made of has changed.  An input is memory with the same bytes on every process: a variable, an array's `contents`. */
typedef struct {
    const void *data;
    dpc_index bytes;
} dpc_input;
bool dpc_gathered(dpc_kept *kept, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input);
void dpc_gather_kept(dpc_kept *kept, const char *where, const dpc_array *a, bool clip, dpc_index count,
                     const dpc_index *index);

/* The operands of a reduction inside a statement, as A[i][k] and B[k][j] of sum(k, A[i][k] * B[k][j]), `depth` values
 * of the reduction's index (number `reduced`) at a time.  The element of value first + k, at position x of the
 * operand's other index, is values[k * down + x * across] of the panel that starts at `first`.  side_by_side: across
 * is 1.
 *
 *     dpc_panels *A_panels = dpc_open_panels(&space, &A_dist, subscripts, 2, 64, false);
 *     for (dpc_index k_first = 0; k_first < space.count[2]; k_first += 64) {
 *         const dpc_panel A_panel = dpc_next_panel(A_panels);        valid until the next one, or the end
 *         ...
 *     }
 *     dpc_close_panels(A_panels);
 *
 * The operand's other index, if it has one, stands in it as in home.  Where it is divided along the reduction's index,
 * the processes along that dimension of the grid make the same calls: each panel is a collective of theirs, started one
 * panel ahead. */
typedef struct dpc_panels dpc_panels;
typedef struct {
    const void *values;
    dpc_index down, across; /* elements */
} dpc_panel;
dpc_panels *dpc_open_panels(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, int reduced,
                            dpc_index depth, bool side_by_side);
/* The same of values that a fetch has brought, elements of `size` bytes; other: the number of the other index, -1:
 * none. (local) */
dpc_panels *dpc_open_block_panels(const dpc_space *s, const void *values, dpc_index size, int other, int reduced,
                                  dpc_index depth, bool side_by_side);
dpc_panel dpc_next_panel(dpc_panels *p);
void dpc_close_panels(dpc_panels *p);

/* Brings the ghost cells of the arrays up to date that are not fresh: receives are posted, messages sent; what goes to
 * one neighbour along one dimension is one message.  NULL when nothing is to be done.  dpc_end_refresh waits (NULL:
 * nothing).  The arrays are not assigned in between.  Source: the usual ghost-cell exchange, one dimension after the
 * other where corners are wanted. */
typedef struct dpc_refreshing dpc_refreshing;
dpc_refreshing *dpc_refresh(const char *where, int arrays, dpc_array *const *array);
void dpc_end_refresh(dpc_refreshing *r);
/* The same of arrays that are assigned before the end: everything that is sent is copied first.  No array has corners.
 */
dpc_refreshing *dpc_refresh_copied(const char *where, int arrays, dpc_array *const *array);

/* The iterations that this process executes as boxes of index values: first those that read nothing that is still on
 * its way, in as many parts as the refresh has phases, each of which is started behind the part before; then, after
 * waiting, the rest.  reach: per index, how far beyond home's element the statement reads along the dimension that the
 * index subscripts (elements).  Ends the refresh.
 *     for (dpc_box box = dpc_first_box(&space, halo, reach); box.more; dpc_next_box(&box)) loops first[k] .. last[k]
 * An index whose blocks are dealt round-robin has a part of every block instead, as runs:
 *         for (dpc_run run = dpc_first_box_run(&box, k); dpc_more(&run); dpc_next_box_run(&box, k, &run)) */
typedef enum { DPC_WHOLE, DPC_INSIDE, DPC_BEFORE, DPC_BEHIND } dpc_block_part;
typedef struct {
    dpc_index first[DPC_MAX_RANK], last[DPC_MAX_RANK]; /* per index; ascending in steps of the range's stride */
    dpc_index position[DPC_MAX_RANK];                  /* of `first` */
    bool more;
    const dpc_space *space; /* the rest: private */
    dpc_refreshing *refresh;
    int transfers;
    dpc_transfer *const *transfer;
    dpc_width reach[DPC_MAX_RANK];
    dpc_block_part part[DPC_MAX_RANK]; /* per index whose blocks are dealt: what of every block */
    dpc_index low[DPC_MAX_RANK],
        high[DPC_MAX_RANK]; /* per other index: the iterations of mine, counted from 0, inside */
    int divided;            /* the first of these indices, along which the inside is divided; -1: none */
    dpc_index done;         /* its first iteration inside that is still to come */
    int next;
} dpc_box;
dpc_box dpc_first_box(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach);
void dpc_next_box(dpc_box *box);
/* The same of a statement that also reads what fetches bring, whose values it finds by dpc_arriving.  Ends them.  r,
 * reach: NULL where it reads no ghost cells.  `transfer` lives as long as the box; no home dimension is dealt
 * round-robin. */
dpc_box dpc_first_box_of(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach, int transfers,
                         dpc_transfer *const *transfer);
dpc_run dpc_first_box_run(const dpc_box *box, int index);
void dpc_next_box_run(const dpc_box *box, int index, dpc_run *r);

/* Fetches and moves between these go together: what they send to one process is one message, unless it is long.  They
 * are posted at the end; what dpc_open has opened is packed behind it, and nothing is waited for before all is packed.
 */
void dpc_begin_together(const char *where);
void dpc_end_together(void);

/* Moves by closed forms, whose loops stand in the program.  A strip is what this process shares with one partner along
 * one index, in index values: runs first .. first+reach, and again every `period`, cut to low .. high.
 *
 *     dpc_move *C_move = dpc_open(&space, &C_dist, subscripts, false);
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
void dpc_close(dpc_move *m);

/* Inspector and executor for other subscripts.  index: `count` tuples of a->rank global indices.  dpc_gather returns
 * the elements in that order (free with dpc_free_buffer).  dpc_scatter stores values[k] at tuple k, at its owner; which
 * of equal tuples wins is unspecified.  An index outside the array ends the program with an error, but for tuples of
 * INT64_MIN, whose elements are 0; clip: those of all tuples outside are. */
void *dpc_gather(const char *where, const dpc_array *a, bool clip, dpc_index count, const dpc_index *index);
void dpc_scatter(const char *where, dpc_array *a, dpc_index count, const dpc_index *index, const void *values);
/* malloc that ends the program when memory runs out; zeroed; count and size in elements and bytes. (local) */
void *dpc_buffer(dpc_index count, dpc_index size);
void dpc_free_buffer(void *buffer);

/* The functions below are inline: a statement on one element is mostly the arithmetic of its subscripts, which the C
 * compiler does once for all elements of the statement that have the same.  `rank` is the array's. (local) */
#define DPC_INDICES(...)                                                                                               \
    (int)(sizeof((const dpc_index[]){__VA_ARGS__}) / sizeof(dpc_index)), (const dpc_index[]) {                         \
        __VA_ARGS__                                                                                                    \
    }
/* Ends the program when the element is outside the array. */
void dpc_fail_bounds(const char *where, const dpc_array *a, int dimension, dpc_index index) __attribute__((noreturn));
static inline void dpc_check_element(const dpc_array *a, const char *where, int rank, const dpc_index *index) {
    for (int k = 0; k < rank; k++)
        if (!dpc_holds(&a->dim[k], index[k])) dpc_fail_bounds(where, a, k, index[k]);
}
/* The same of one subscript, which is the value. */
static inline dpc_index dpc_checked(const dpc_array *a, const char *where, int dimension, dpc_index index) {
    const dpc_dim *d = &a->dim[dimension];
    if (__builtin_expect(index < d->lower || index - d->lower >= d->extent, false))
        dpc_fail_bounds(where, a, dimension, index);
    return index;
}
/* The same of the first and the last subscript of a loop that steps from one to the other, if it has iterations. */
static inline void dpc_check_ends(const dpc_array *a, const char *where, int dimension, bool any, dpc_index first,
                                  dpc_index last) {
    if (!any) return;
    dpc_checked(a, where, dimension, first);
    dpc_checked(a, where, dimension, last);
}
static inline bool dpc_owns_element(const dpc_array *a, int rank, const dpc_index *index) {
    bool owns = a->member;
    for (int k = 0; k < rank; k++) owns = owns && dpc_owner(&a->dim[k], index[k]) == a->coord[k];
    return owns;
}
/* Where an element that this process owns stands. */
static inline void *dpc_own_element(const dpc_array *a, const char *where, int rank, const dpc_index *index) {
    dpc_index offset = 0;
    dpc_check_element(a, where, rank, index);
    for (int k = 0; k < rank; k++) offset += dpc_local(&a->dim[k], index[k]) * a->stride[k];
    return (char *)a->local + offset * a->size;
}
/* Statements on distributed arrays are executed by the thread that has called dpc_init, which alone takes part in the
 * exchange between processes; it is an error where another one does. */
extern __thread bool dpc_main_thread;
void dpc_fail_thread(const char *where) __attribute__((noreturn));
/* Statements are counted (DPC_STATS), or must not be executed (dpc_each_element). */
extern bool dpc_watched;
void dpc_watch(const dpc_array *a, const char *where);
static inline bool dpc_stores_here(dpc_array *a, const char *where, int rank, const dpc_index *index) {
    if (!dpc_main_thread) dpc_fail_thread(where);
    if (dpc_watched) dpc_watch(a, where);
    dpc_check_element(a, where, rank, index);
    dpc_changed(a);
    return dpc_owns_element(a, rank, index);
}

/* ---- Single elements.  dpc_get: every process gets the owner's value.  dpc_set: the owner stores; the value of the
 * expression is the stored value.  Out of bounds: an error with file, line, array, index and bounds. */
void *dpc_read(const dpc_array *a, const char *where, void *value, const dpc_index *index);
void *dpc_write(dpc_array *a, const char *where, void *value, const dpc_index *index);
/* The element if this process owns it, else NULL. (local) */
void *dpc_mine(dpc_array *a, const char *where, const dpc_index *index);
#define dpc_get(ctype, array, where, ...)                                                                              \
    (*(ctype *)dpc_read((array), (where), &(ctype){0}, (const dpc_index[]){__VA_ARGS__}))
#define dpc_set(ctype, array, where, value, ...)                                                                       \
    (*(ctype *)dpc_write((array), (where), &(ctype){value}, (const dpc_index[]){__VA_ARGS__}))

/* Statements on single elements that the owner of the one that is stored executes alone:
 *     if (dpc_stores(&A_dist, where, k)) dpc_element(double, &A_dist, where, k) += dpc_element(double, &B_dist, where,
 * k); or, where others may own what is read, with const int process = dpc_storing_process(&A_dist, where, k); const
 * double B_in = dpc_bring(double, &B_dist, where, process, j);     that process gets the owner's value, others 0 before
 * it.  Where the element that is stored has copies, process is -1, every process gets the value, and those that it
 * belongs to (dpc_keeps) store it. */
int dpc_store_begins(dpc_array *a, const char *where, const dpc_index *index);
void *dpc_send_element(const dpc_array *a, const char *where, void *value, int process, const dpc_index *index);
#define dpc_storing_process(array, where, ...) dpc_store_begins((array), (where), (const dpc_index[]){__VA_ARGS__})
#define dpc_stores(array, where, ...) dpc_stores_here((array), (where), DPC_INDICES(__VA_ARGS__))
#define dpc_keeps(array, ...) dpc_owns_element((array), DPC_INDICES(__VA_ARGS__))
#define dpc_element(ctype, array, where, ...) (*(ctype *)dpc_own_element((array), (where), DPC_INDICES(__VA_ARGS__)))
#define dpc_bring(ctype, array, where, process, ...)                                                                   \
    (*(ctype *)dpc_send_element((array), (where), &(ctype){0}, (process), (const dpc_index[]){__VA_ARGS__}))

/* ---- Reductions: combines every process's value in place; the same bits everywhere. */
typedef enum { DPC_SUM, DPC_MIN, DPC_MAX, DPC_PRODUCT } dpc_operation;
void dpc_reduce(dpc_operation op, dpc_type type, void *value);
/* The combination of every process's value of an expression, which need not be an object with an address. */
#define dpc_combined(op, value)                                                                                        \
    ({                                                                                                                 \
        __typeof__(value) dpc_value = (value);                                                                         \
        dpc_reduce((op), dpc_type_of(dpc_value), &dpc_value);                                                          \
        dpc_value;                                                                                                     \
    })
/* The same of several values: those of one operation and type in one collective. */
typedef struct {
    dpc_operation operation;
    dpc_type type;
    void *value;
} dpc_result;
void dpc_reduce_together(int count, const dpc_result *results);
/* Combines extremes (DPC_MIN, DPC_MAX) and where they stand: the least place of those with the extreme value, the
 * greatest if backwards; LONG_MIN: this process has no value. */
void dpc_reduce_place(dpc_operation op, dpc_type type, void *value, long *place, bool backwards);

/* ---- The C library, once for all processes.  A file that is opened for writing is written by process 0 alone (the
 * others write to nowhere); a file opened for reading is read by every process; times are process 0's.  Collective. */
FILE *dpc_fopen(const char *path, const char *mode);
time_t dpc_time(time_t *result);
clock_t dpc_clock(void);
struct timespec;
struct timeval;
int dpc_timespec_get(struct timespec *result, int base);
/* `value`, process 0's; `name` is what the program calls. */
long dpc_same(const char *name, long value);
/* What the C library's function says on process 0. */
int dpc_clock_gettime(int (*function)(int clock, struct timespec *), int clock, struct timespec *result);
int dpc_gettimeofday(int (*function)(struct timeval *, void *), struct timeval *result, void *zone);
int dpc_gethostname(int (*function)(char *, size_t), char *name, size_t bytes);

#ifdef DPC_SMPI
/* Simulated processes share one C library: each has streams of its own. */
extern FILE *dpc_stdin, *dpc_stdout, *dpc_stderr;
#endif

#if !defined(DPC_NO_STDIO) && !defined(__cplusplus)
#undef fopen
#undef time
#undef clock
#define fopen dpc_fopen
#define time(result) dpc_time(result)
#define clock() dpc_clock()
#undef timespec_get
#undef getpid
#undef getppid
#undef clock_gettime
#undef gettimeofday
#undef gethostname
#define timespec_get(result, base) dpc_timespec_get(result, base)
#define getpid() ((pid_t)dpc_same("getpid", getpid()))
#define getppid() ((pid_t)dpc_same("getppid", getppid()))
#define clock_gettime(clock, result) dpc_clock_gettime(clock_gettime, clock, result)
#define gettimeofday(result, zone) dpc_gettimeofday((int (*)(struct timeval *, void *))gettimeofday, result, zone)
#define gethostname(name, bytes) dpc_gethostname(gethostname, name, bytes)
#ifdef DPC_SMPI
#undef stdin
#undef stdout
#undef stderr
#undef putchar
#undef getchar
#define stdin dpc_stdin
#define stdout dpc_stdout
#define stderr dpc_stderr
#define printf(...) fprintf(dpc_stdout, __VA_ARGS__)
#define vprintf(format, arguments) vfprintf(dpc_stdout, (format), (arguments))
#define puts(text) (fputs((text), dpc_stdout) < 0 ? EOF : fputc('\n', dpc_stdout))
#define putchar(c) fputc((c), dpc_stdout)
#define perror(text) fprintf(dpc_stderr, "%s: %m\n", (text))
#define scanf(...) fscanf(dpc_stdin, __VA_ARGS__)
#define getchar() fgetc(dpc_stdin)
#endif
#endif

DPC_END_INTERFACE

#endif

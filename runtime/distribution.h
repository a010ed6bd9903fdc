/* Distribution arithmetic: who owns which element, and where it lies.  Pure functions, no MPI, no allocation; shared by
 * the compiler, the runtime and the generated code.  All indices are 64-bit; all division is floor division.
 * Source: Lee and Chen section 2; ScaLAPACK's numroc; docs/communication-sets.md sections 0 to 3. */
#ifndef DPC_DISTRIBUTION_H
#define DPC_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Around the interface: what is declared between the two is visible in libdpc.so, all else in it is hidden; C++
 * programs may include the headers as well.  A simulated program has the library inside, where nothing is to be
 * visible. */
#ifdef DPC_SMPI
#define DPC_VISIBILITY(change)
#else
#define DPC_VISIBILITY(change) _Pragma(change)
#endif
#ifdef __cplusplus
#define DPC_BEGIN_INTERFACE DPC_VISIBILITY("GCC visibility push(default)") extern "C" {
#define DPC_END_INTERFACE                                                                                              \
    }                                                                                                                  \
    DPC_VISIBILITY("GCC visibility pop")
#define DPC_ZERO                                                                                                       \
    {}
#else
#define DPC_BEGIN_INTERFACE DPC_VISIBILITY("GCC visibility push(default)")
#define DPC_END_INTERFACE DPC_VISIBILITY("GCC visibility pop")
#define DPC_ZERO                                                                                                       \
    { 0 }
#endif

/* What dpcc --standalone reads: lines that it takes only where the program reaches the function. */
#define DPC_USES(function) 1
/* What it has to know of a program: user's threads; reading standard input; dimensions with a placement (placement.h);
 * ghost cells; strides other than 1; arrays of which several processes have the elements, or one coordinate; arrays
 * that are aligned; arrays that come and go, or are called otherwise by functions; elements that are moved not only by
 * loops in the program. */
#define DPC_HAS_THREADS DPC_USES(omp) || DPC_USES(pthread_create) || DPC_USES(thrd_create)
#define DPC_READS_INPUT DPC_USES(stdin) || DPC_USES(scanf) || DPC_USES(vscanf) || DPC_USES(getchar) || DPC_USES(getc)
#define DPC_HAS_PLACEMENTS DPC_USES(dpc_align_dim) || DPC_USES(dpc_divide_dim)
#define DPC_HAS_GHOST_CELLS DPC_USES(DPC_WIDTHS) || DPC_USES(dpc_mapped_as) || DPC_USES(dpc_widen_halo)
#define DPC_HAS_STRIDES                                                                                                \
    DPC_USES(DPC_LINEAR) || DPC_USES(DPC_BY) || DPC_USES(dpc_give_back) || DPC_USES(dpc_align_dim) ||                  \
        DPC_USES(dpc_divide_dim)
#define DPC_HAS_COPIES DPC_USES(dpc_mapped_with)
#define DPC_HAS_TIES DPC_USES(dpc_follow) || DPC_USES(dpc_change_mapping) || DPC_USES(dpc_base_of)
#define DPC_HAS_OTHER_ARRAYS DPC_USES(dpc_free) || DPC_USES(dpc_give_back) || DPC_USES(dpc_plan_redistribution)
#define DPC_HAS_EXCHANGES DPC_USES(dpc_start_exchange) || DPC_USES(dpc_result_ends)

DPC_BEGIN_INTERFACE

typedef int64_t dpc_index;

#define DPC_MAX_RANK 15 /* dimensions of an array */

/* What time loops call: compilers put such functions side by side, so that few pages of the program are touched. */
#define DPC_STEADY __attribute__((hot))

/* How a dimension is divided that is not dealt in blocks from its first element on: it is aligned with a template's
 * (element x stands on cell  cell + stride * (x - lower), and the template's blocks of cells are dealt round-robin), or
 * every coordinate has an interval of its own length.  Equal ones are one object (placement.h), which lives
 * as long as an array has it. */
typedef struct dpc_placement dpc_placement;

/* One dimension of an array over one dimension of a grid.  Where placement is NULL, element x (global, lower <= x <
 * lower + extent) is in block (x - lower) / dealt, which belongs to process coordinate ((x - lower) / dealt) mod procs.
 * A collapsed dimension has procs == 1 and one block.  With procs == 1 the block is always max(extent, 1): one process
 * holds one block. `dealt`, `spacing` and `placement` are for the functions of this header and of placement.h alone:
 * whoever else wants to know how a dimension is divided asks these. */
typedef struct {
    dpc_index lower, extent;        /* global index of the first element; number of elements (may be 0) */
    dpc_index dealt;                /* elements of a block, >= 1 */
    dpc_index procs;                /* processes along the grid dimension, >= 1 */
    int grid_dim;                   /* which dimension of the grid, or -1: collapsed */
    dpc_index spacing;              /* places for ghost cells between two blocks of one process, elements */
    const dpc_placement *placement; /* NULL: dealt in blocks from the first element on; never where procs == 1 */
    dpc_index hidden; /* of these elements the first ones that only the mapping has (Lee and Chen, section 7.1): they
                         have places, and no iteration may touch them */
} dpc_dim;

#if DPC_HAS_PLACEMENTS
#define dpc_is_placed(d) ((d)->placement != NULL)
#else
#define dpc_is_placed(d) DPC_IMPOSSIBLE
#endif

/* Blocks beyond any array: products with numbers of processes and strides stay within 64 bits. */
#define DPC_MOST_BLOCK ((dpc_index)1 << 40)
/* Extents are at most 2 to the power of these; numbers of processes, too. */
#define DPC_EXTENT_BITS 56
#define DPC_PROCESS_BITS 22
/* The greatest magnitude of index values, so that loops can step beyond their ends; the greatest product of an extent
 * and the processes along it. Bounds of arrays may be any 64-bit numbers. */
#define DPC_MOST_INDEX ((dpc_index)1 << 61)
#define DPC_MOST_CYCLE ((dpc_index)1 << 62)

/* An access: iteration k (k = 0 .. count-1) touches element first + k * stride.  The stride may be negative or 0. */
typedef struct {
    dpc_index first, stride, count;
} dpc_access;

static inline dpc_index dpc_minimum(dpc_index x, dpc_index y) {
    return x < y ? x : y;
}
static inline dpc_index dpc_maximum(dpc_index x, dpc_index y) {
    return x > y ? x : y;
}
static inline dpc_index dpc_magnitude(dpc_index x) { /* INT64_MAX for INT64_MIN */
    return x >= 0 ? x : x < -INT64_MAX ? INT64_MAX : -x;
}
/* Floor and ceiling division, b > 0, and the non-negative remainder. */
static inline dpc_index dpc_floor(dpc_index a, dpc_index b) {
    return a / b - (a % b < 0);
}
static inline dpc_index dpc_ceiling(dpc_index a, dpc_index b) {
    return a / b + (a % b > 0);
}
static inline dpc_index dpc_modulo(dpc_index a, dpc_index b) {
    return a % b < 0 ? a % b + b : a % b;
}

/* The stride of an access: that of a single iteration counts for nothing, and may be beyond any array. */
static inline dpc_index dpc_single_stride(dpc_index stride, dpc_index count) {
    return count == 1 && dpc_magnitude(stride) > DPC_MOST_BLOCK ? 0 : stride;
}

/* The least element that iterations may touch, and how many there are. */
static inline dpc_index dpc_first_element(const dpc_dim *d) {
    return d->lower + d->hidden;
}
static inline dpc_index dpc_elements_of(const dpc_dim *d) {
    return d->extent - d->hidden;
}
/* Whether element x is in the dimension, and not hidden. */
static inline bool dpc_holds(const dpc_dim *d, dpc_index x) {
    return x >= dpc_first_element(d) && (uint64_t)x - (uint64_t)d->lower < (uint64_t)d->extent;
}

/* The greatest common divisor, up to the sign where a or b is negative; a where b is 0. */
dpc_index dpc_common_divisor(dpc_index a, dpc_index b);
/* The least common multiple, or `most` when it is larger. */
dpc_index dpc_least_multiple(dpc_index a, dpc_index b, dpc_index most);

/* Whether blocks of equal size are dealt from the first element on: what closed forms over blocks need.  Of such a
 * dimension: the elements of a block; the places between two blocks of one process; the places from one block's first
 * element to that of the next. */
static inline bool dpc_is_dealt(const dpc_dim *d) {
    return d->placement == NULL;
}
static inline dpc_index dpc_block(const dpc_dim *d) {
    return d->dealt;
}
static inline dpc_index dpc_gap(const dpc_dim *d) {
    return d->spacing;
}
/* Such a dimension, and one of `count` elements from 0 on that is not divided. */
static inline dpc_dim dpc_dealt_dim(dpc_index lower, dpc_index extent, dpc_index block, dpc_index procs, int grid_dim,
                                    dpc_index gap) {
    const dpc_dim d = {lower, extent, block, procs, grid_dim, gap, NULL, 0};
    return d;
}
static inline dpc_dim dpc_whole_dim(dpc_index count) {
    return dpc_dealt_dim(0, count, dpc_maximum(count, 1), 1, -1, 0);
}
/* Sets the places between two blocks of one process. */
static inline void dpc_part_blocks(dpc_dim *d, dpc_index gap) {
    d->spacing = gap;
}
/* The same blocks as they are written, longer than the dimension. */
static inline void dpc_lengthen_blocks(dpc_dim *d, dpc_index block) {
    if (d->placement == NULL) d->dealt = block;
}
static inline dpc_index dpc_pitch(const dpc_dim *d) {
    return d->dealt + d->spacing;
}

/* Process coordinate that owns global element x; its local index there; the inverse; the local extent of coordinate p.
 * Local indices count places in storage from the first owned element on, in ascending order of elements: the gaps
 * between blocks count, too. */
dpc_index dpc_placed_owner(const dpc_dim *d, dpc_index x);
dpc_index dpc_placed_local(const dpc_dim *d, dpc_index x);
static inline dpc_index dpc_owner(const dpc_dim *d, dpc_index x) {
    if (dpc_is_placed(d)) return dpc_placed_owner(d, x);
    return d->procs == 1 ? 0 : dpc_floor(x - d->lower, d->dealt) % d->procs;
}
static inline dpc_index dpc_local(const dpc_dim *d, dpc_index x) {
    const dpc_index offset = x - d->lower;
    if (d->procs == 1) return offset;
    if (dpc_is_placed(d)) return dpc_placed_local(d, x);
    return offset / d->dealt / d->procs * (d->dealt + d->spacing) + offset % d->dealt;
}
dpc_index dpc_global(const dpc_dim *d, dpc_index local, dpc_index p);
dpc_index dpc_local_extent(const dpc_dim *d, dpc_index p);
/* Places in the gaps between the blocks of a coordinate that owns so many elements. */
dpc_index dpc_stored_gaps(const dpc_dim *d, dpc_index owned);

/* Extents of a grid of `rank` dimensions over exactly `procs` processes, as square as possible (the greatest extent is
 * as small as it can be), in descending order: what MPI_Dims_create is meant to do, known to the compiler too. */
void dpc_spread(int procs, int rank, int *extents);

/* Number of iterations of l:u:s (u inclusive, s != 0); 0 when empty, INT64_MAX when there are more. */
static inline dpc_index dpc_count(dpc_index lower, dpc_index upper, dpc_index stride) {
    if (stride > 0 ? upper < lower : lower < upper) return 0;
    const uint64_t distance = stride > 0 ? (uint64_t)upper - (uint64_t)lower : (uint64_t)lower - (uint64_t)upper;
    const uint64_t step = stride > 0 ? (uint64_t)stride : -(uint64_t)stride;
    const uint64_t last = step == 1 ? distance : distance / step;
    return last < INT64_MAX ? (dpc_index)last + 1 : INT64_MAX;
}

/* Least x >= 0 with low <= (a * x mod m) <= high, 0 <= low <= high < m; -1 if none.  O(log m).
 * (docs/communication-sets.md, section 2) */
dpc_index dpc_first_hit(dpc_index a, dpc_index m, dpc_index low, dpc_index high);

/* The iterations of `access` whose element belongs to coordinate p come in runs, one per block that is touched.
 * Runs are visited in ascending iteration order; each is maximal within its block.
 *     for (dpc_block_run r = dpc_first_block(d, a, p); r.count > 0; dpc_next_block(&r)) ...
 * Cost per step O(1), without a division; blocks without an accessed element are jumped over.
 *
 * From run to run (Lee and Chen, Corollary 6 with the correction E6): the column of a run is the distance of its first
 * element from the edge at which the stride enters the block, below `width`: |stride|, or the block where that is
 * shorter.  The next run is `right` iterations on where its column, `right_columns` greater, is one; else `left` on
 * where its column, `left_columns` less, is one; else both. */
typedef struct {
    dpc_index first, count;           /* iterations first .. first+count-1 */
    dpc_index local;                  /* local index of iteration `first`; iteration first+k is at local + k * stride */
    dpc_index last;                   /* last iteration inside the array */
    dpc_index column;                 /* elements */
    dpc_index skipped, skipped_local; /* iterations by which the run begins after its column, where a first block is
                                         cut; what local indices grow by in them */
    dpc_index width, right_columns, left_columns; /* elements */
    __extension__ union { /* the second ones, of a dimension with a placement: what dpc_next_placed needs */
        dpc_index right;  /* iterations */
        dpc_index origin; /* element of iteration 0, counted from the lower bound */
    };
    __extension__ union {
        dpc_index left;
        dpc_index stride; /* of the access */
    };
    __extension__ union {
        dpc_index right_local; /* what local indices grow by */
        dpc_index coordinate;
    };
    __extension__ union {
        dpc_index left_local;
        const dpc_placement *placement;
    };
    __extension__ union {
        dpc_index fewest; /* iterations of an uncut run; one more where the column is below `more` */
        dpc_index end;    /* the last iteration inside the array */
    };
    dpc_index more;
} dpc_block_run;

dpc_block_run dpc_first_block(const dpc_dim *d, const dpc_access *a, dpc_index p);
/* Of a dimension with a placement (width < 0) each run counts as the last; from iteration `from` on, whose element has
 * that number, the next one of the coordinate.  By values, so that runs stay in registers; always inline, as before it
 * was there. */
#if DPC_HAS_PLACEMENTS
typedef struct {
    dpc_index first, count, local, origin;
} dpc_placed_step;
dpc_placed_step dpc_next_placed(const dpc_placement *w, dpc_index coordinate, dpc_index from, dpc_index number,
                                dpc_index stride, dpc_index end) __attribute__((cold));
#endif
__attribute__((always_inline)) static inline void dpc_next_block(dpc_block_run *r) {
    if (r->first + r->count > r->last) {
#if DPC_HAS_PLACEMENTS
        const dpc_index from = r->first + r->count;
        r->count = 0;
        if (r->width >= 0) return;
        const dpc_placed_step x = dpc_next_placed(r->placement, r->coordinate, from,
                                                  r->origin + (from - r->first) * r->stride, r->stride, r->end);
        r->first = x.first;
        r->count = x.count;
        r->last = x.first + x.count - 1;
        r->local = x.local;
        r->origin = x.origin;
#else
        r->count = 0;
#endif
        return;
    }
    dpc_index moved = -r->skipped, local = -r->skipped_local;
    r->skipped = r->skipped_local = 0;
    const bool right = r->column + r->right_columns < r->width;
    if (right || r->column < r->left_columns) {
        moved += r->right;
        local += r->right_local;
        r->column += r->right_columns;
    }
    if (!right) {
        moved += r->left;
        local += r->left_local;
        r->column -= r->left_columns;
    }
    r->first += moved;
    r->local += local;
    const dpc_index uncut = r->fewest + (r->column < r->more), rest = r->last - r->first + 1;
    r->count = rest <= 0 ? 0 : uncut < rest ? uncut : rest;
}

/* The iterations low .. high whose element is inside the array (none: high < low).  True when all are. */
bool dpc_inside(const dpc_dim *d, const dpc_access *a, dpc_index *low, dpc_index *high);

/* Number of iterations of `access` that coordinate p owns; the same among the iterations 0 .. end-1.  O(log), without
 * loops over blocks. */
dpc_index dpc_owned_count(const dpc_dim *d, const dpc_access *a, dpc_index p);
dpc_index dpc_owned_before(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index end);
/* That number and the first run, in one go: closed forms where the stride is 1. */
dpc_index dpc_owned_runs(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_block_run *first);

/* How many iterations from number `from` on touch the block that this one does. */
dpc_index dpc_rest_of_block(const dpc_dim *d, const dpc_access *a, dpc_index from);
/* Whether panels of `depth` iterations come from many owners, all of them by one collective (panels.c); else by a
 * broadcast for each block. */
bool dpc_gathers_panels(const dpc_dim *d, const dpc_access *a, dpc_index depth);

/* The iterations 0 .. n-1 at which the ownership pattern of `access` repeats (period_e of the paper); saturates at
 * INT64_MAX when it passes any possible count. */
dpc_index dpc_period(const dpc_dim *d, const dpc_access *a);

/* Elements of the coordinate that has most, or more. */
dpc_index dpc_most_owned(const dpc_dim *d);
/* Every coordinate's elements are one interval, or none. */
bool dpc_in_intervals(const dpc_dim *d);
/* Elements number k from the lower bound on have the same owners in both dimensions, for all k that both have. */
bool dpc_same_owners(const dpc_dim *d, const dpc_dim *e);
/* The same owners at a constant distance: number k of d has that of number k + *distance of e, wherever both exist.
 * False: none is known. */
bool dpc_distance(const dpc_dim *d, const dpc_dim *e, dpc_index *distance);
/* The dimension as caches compare it: all of it. */
enum { DPC_DIM_WORDS = 8 };
void dpc_dim_words(const dpc_dim *d, dpc_index *words);

DPC_END_INTERFACE

#endif

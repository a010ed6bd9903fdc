/* One side of a statement as a pattern over iterations: who owns the element of iteration 0, 1, 2, ...  Pure functions.
 * Every iteration is inside the array.  An array that is walked downward is mirrored together with its coordinates, so
 * that strides are never negative.  Sheet communication-sets.md, sections 1 and 2. */
#ifndef DPC_PATTERN_H
#define DPC_PATTERN_H

#include "../placement.h"

/* Iteration k is at offset start + k * stride; the block at offset / block belongs to coordinate (offset / block) mod
 * procs. */
typedef struct {
    dpc_index start, stride; /* elements; 0 <= start < cycle, stride >= 0 */
    dpc_index block, procs;
    dpc_index cycle;  /* elements: block * procs */
    dpc_index period; /* iterations at which ownership repeats */
    dpc_index length; /* iterations of every uncut run, where the stride divides the block; else 0 */
    bool mirrored;    /* coordinate v here is coordinate -v mod procs of the array */
    bool single;      /* the iterations of every coordinate are one interval, or none */
    const dpc_dim
        *dim; /* of intervals that are not blocks of equal size, which are asked themselves: single, not mirrored; */
    dpc_access access; /*   else NULL. The rest of an aligned dimension counts cells */
} dpc_pattern;

/* Iterations first .. last; none when last < first. */
typedef struct {
    dpc_index first, last;
} dpc_interval;

/* The block that an iteration is in. */
typedef struct {
    dpc_index owner; /* coordinate of the pattern */
    dpc_index last;  /* last iteration in that block */
} dpc_stay;

/* The runs of one coordinate, one per block with an iteration in it, in ascending order.  A run may reach below
 * iteration 0 and beyond the last one: the caller cuts it.  first > DPC_NEVER / 2: no further run. */
typedef struct {
    const dpc_pattern *pattern;
    dpc_index coordinate;
    dpc_index first, last;           /* iterations of the current run */
    dpc_index first_rest, last_rest; /* remainders of the divisions that gave them */
    dpc_index whole, rest;           /* the cycle divided by the stride */
} dpc_runs;

#define DPC_NEVER (INT64_MAX / 2)

dpc_pattern dpc_make_pattern(const dpc_dim *dim, const dpc_access *access);
/* The array's coordinate for one of the pattern and the other way round. */
dpc_index dpc_mirror(const dpc_pattern *pattern, dpc_index coordinate);
/* The first iteration >= `from` of a coordinate; DPC_NEVER when there is none.  O(1), O(log) where stride > block. */
dpc_index dpc_next_owned(const dpc_pattern *pattern, dpc_index coordinate, dpc_index from);
/* How many of the iterations 0 .. end-1 a coordinate owns.  O(1) where the stride divides the block, else O(log). */
dpc_index dpc_count_owned(const dpc_pattern *pattern, dpc_index coordinate, dpc_index end);
dpc_stay dpc_stay_at(const dpc_pattern *pattern, dpc_index iteration);
/* The iterations of a coordinate of a single pattern, among 0 .. count-1. */
dpc_interval dpc_single_run(const dpc_pattern *pattern, dpc_index coordinate, dpc_index count);
/* The runs that end at iteration `from` or later.  Not for single patterns. */
dpc_runs dpc_open_runs(const dpc_pattern *pattern, dpc_index coordinate, dpc_index from);
/* No division where stride <= block. */
void dpc_advance_runs(dpc_runs *runs);
/* An order of patterns, the same whichever is asked for first; 0 only when they are equal. */
int dpc_compare_patterns(const dpc_pattern *a, const dpc_pattern *b);

/* No run of the driver meets two blocks of one coordinate of the other side (docs/communication-sets.md, section 3):
 * true of one side at least. */
bool dpc_may_drive(const dpc_pattern *driver, const dpc_pattern *other);

#endif

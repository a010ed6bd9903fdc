/* Closed forms, for loops that stand in the generated program: the iterations that a pair of processes shares along one
 * dimension, in ascending order, as one or more combs of runs (docs/communication-sets.md, section 5, FORM 1).  Pure.
 */
#ifndef DPC_COMBS_H
#define DPC_COMBS_H

#include "distribution.h"

DPC_BEGIN_INTERFACE

/* Runs first .. first+reach, and again every `period` iterations, cut to low .. high.  The first run may begin before
 * `low`; it ends there or later. */
typedef struct {
    dpc_index first, reach, period, low, high; /* iterations */
} dpc_comb;

/* Coordinate p of one side of a dimension. */
typedef struct {
    const dpc_dim *dim;
    const dpc_access *access;
    bool single; /* by its format a coordinate has at most one block: it is taken as an interval */
    dpc_index p;
} dpc_place;

/* How the iterations of one coordinate lie: one interval, or runs of `length` at `start` (mod cycle). */
typedef struct {
    bool interval;
    dpc_index low, high;            /* interval; high < low: none */
    dpc_index length, start, cycle; /* else */
} dpc_form;

/* The combs of a pair, one after the other: one where either side is an interval, or the blocks of the side with the
 * greater b/s are shorter than the other's cycle, else one for each block of that side.
 *     for (bool more = dpc_first_comb(&w, &a, &b, 0); more; more = dpc_next_comb(&w)) ... w.comb ...
 * length > 0: the loops are made for runs of so many iterations, b/s of the side that has the runs; then a side with
 * one process is cut into such runs too. */
typedef struct {
    dpc_comb comb;
    dpc_index low, high;            /* iterations inside both arrays */
    dpc_index block, length, cycle; /* the current block of the greater side, iterations; cycle 0: there is one comb */
    dpc_form small;
    bool repeats; /* all uncut blocks of the greater side are met alike */
} dpc_comb_walk;

/* Whether both sides are intervals or have closed forms with one another. */
bool dpc_has_combs(const dpc_place *a, const dpc_place *b);
bool dpc_first_comb(dpc_comb_walk *w, const dpc_place *a, const dpc_place *b, dpc_index length);
bool dpc_next_comb(dpc_comb_walk *w);
/* Iterations in one comb. */
dpc_index dpc_comb_size(const dpc_comb *r);

DPC_END_INTERFACE

#endif

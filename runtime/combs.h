/* Closed forms, for loops that stand in the generated program: the iterations that a pair of processes shares along a
 * dimension, in ascending order, as combs of runs (docs/communication-sets.md, section 5, FORM 1).  Pure. */
#ifndef DPC_COMBS_H
#define DPC_COMBS_H

#include "distribution.h"

DPC_BEGIN_INTERFACE

/* Runs first .. first+reach, and again every `period` iterations, cut to low .. high.  The first run may begin before
 * `low`; it ends there or later. */
typedef struct {
    dpc_index first, reach, period, low, high; /* iterations */
} dpc_comb;

/* How the iterations of one coordinate lie, of those whose elements are inside the array: all of low .. high, or the
 * runs of `length` at `start` (mod cycle) among these. */
typedef struct {
    bool interval, whole; /* all; and there is one coordinate */
    dpc_index low, high;  /* high < low: none */
    dpc_index length, start, cycle;
} dpc_form;

/* The combs of a pair: one where either side is an interval, or the blocks of the side with the greater b/s are shorter
 * than the other's cycle, else one for each block of that side. */
typedef struct {
    dpc_comb comb;
    dpc_index low, high; /* iterations that both sides may have */
    dpc_form small;
#if DPC_USES(dpc_next_comb)
    dpc_index block, length, cycle; /* the current block of the greater side, iterations; cycle 0: there is one comb */
    bool repeats;                   /* all uncut blocks of the greater side are met alike */
#endif
} dpc_comb_walk;

/* The first comb, then the next ones; false: there is none.  length > 0: the loops are made for runs of so many
 * iterations, b/s of the side that has the runs; then a side with one process is cut into such runs too. */
bool dpc_meet_forms(dpc_comb_walk *w, dpc_form a, dpc_form b, dpc_index length);
bool dpc_next_comb(dpc_comb_walk *w);
/* Iterations in one comb. */
dpc_index dpc_comb_size(const dpc_comb *r);

/* Coordinate p of one side of a dimension. */
typedef struct {
    const dpc_dim *dim;
    const dpc_access *access;
    bool single; /* by its format a coordinate has at most one block: it is taken as an interval */
    dpc_index p;
} dpc_place;

/* Whether both sides are intervals or have closed forms with one another; the first comb of the pair.  (forms.c) */
bool dpc_has_combs(const dpc_place *a, const dpc_place *b);
bool dpc_first_comb(dpc_comb_walk *w, const dpc_place *a, const dpc_place *b, dpc_index length);

DPC_END_INTERFACE

#endif

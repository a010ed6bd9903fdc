/* Communication sets, in iteration numbers (docs/communication-sets.md, section 0, RECOMMENDATION).
 *
 * For one dimension, a statement accesses element x = mine.first + k * mine.stride of one array and element
 * theirs.first + k * theirs.stride of another, k = 0 .. count-1.  For process coordinate p of "mine" and each
 * coordinate q of "theirs", the set I(p, q) is a list of nested regular sections; sender and receiver make the same
 * list, so a message needs to carry values only.
 *
 * One interface, four generators behind it (Lee and Chen): closed forms (section 5 of the paper), row-wise (3), lattice
 * (4), and the naive enumeration of every element. */
#ifndef DPC_SETS_H
#define DPC_SETS_H

#include "../combs.h"
#include "../distribution.h"
#include "../methods.h"

/* [[first : first+length-1] : last : step]: runs of `length` iterations at first, first + step, .. first + span, the
 * last run cut at iteration `last`.  A single run has step 1, span 0. Local index (in "mine") of iteration first + t of
 * the run at first + j*step: local + t * stride + j * jump. */
typedef struct {
    dpc_index first, length; /* iterations */
    dpc_index step, span;    /* iterations, step >= 1, span a multiple of it */
    dpc_index last;          /* iteration */
    dpc_index local, jump;   /* elements: local index or position of iteration `first`; from one run to the next */
} dpc_section;

/* The sections that coordinate p shares with one coordinate of the other side.  Sections head .. body-1 occur once,
 * body .. tail-1 repeat with the period while they start before `end`; what reaches `end` is cut there.  Executed
 * period by period, the sections of a period in their order. */
typedef struct {
    dpc_index coordinate; /* of the other side */
    dpc_index head, body, tail;
    dpc_index end;      /* iterations: all are < end <= count */
    dpc_index elements; /* iterations in the set, > 0 */
} dpc_shared;

typedef struct {
    dpc_index count;       /* iterations of the statement */
    dpc_index period;      /* iterations, >= 1 */
    dpc_index stride;      /* elements from one iteration of a run to the next */
    dpc_index period_step; /* elements from one period to the next */
    dpc_method method;     /* the generator that made it; never AUTO */
    dpc_index partners;    /* coordinates of the other side with a non-empty set, ascending */
    dpc_shared *partner;
    dpc_section *section;
} dpc_sets;

/* What the local addresses of a set count: the local index of the element in "mine", or the position among the
 * iterations that coordinate p of "mine" executes (0, 1, 2, ...). */
typedef enum { DPC_LOCAL_INDEX, DPC_POSITION } dpc_addressing;

/* One side: how its dimension is divided, what the statement accesses, what addresses count. */
typedef struct {
    dpc_dim dim;
    dpc_access access;
    dpc_addressing addressing;
} dpc_side;

/* The sets of coordinate p of `mine` against coordinate `only` of `theirs`, or (only < 0) against all of them.  Both
 * accesses have the same count; the numbers of processes along the two sides may differ.  Iterations whose element is
 * outside either array are left out.  `theirs` may be NULL: the other side has everything (a collapsed or replicated
 * operand), one coordinate, 0.  A method that cannot serve the case falls back to row-wise; sets->method says which it
 * was.  Allocates with malloc, memory proportional to sections and partners, never to the number of processes; false
 * when memory ran out.
 * AUTO depends on nothing but the two sides' dims, accesses: sender and receiver choose alike. */
bool dpc_sets_make(dpc_sets *sets, dpc_method method, const dpc_side *mine, dpc_index p, const dpc_side *theirs,
                   dpc_index only);
void dpc_sets_free(dpc_sets *sets);
/* Memory of the lists. */
dpc_index dpc_sets_bytes(const dpc_sets *sets);

/* What a pair of places shares, by their combs: iterations. */
typedef struct {
    dpc_index elements, first, last; /* 0: nothing */
} dpc_comb_extent;
dpc_comb_extent dpc_extent_of_combs(const dpc_place *mine, const dpc_place *theirs);
/* The address of an iteration that belongs to a place. */
dpc_index dpc_address_at(const dpc_place *x, dpc_addressing addressing, dpc_index iteration);
/* The sets of a place, taken by combs, with each coordinate of `theirs`: partners and elements, and as sections, at
 * most one for a partner, what lies side by side at ascending addresses.  Both sides have combs with one another
 * (dpc_has_combs).  For programs whose own loops move elements: O(coordinates + combs).  (comb_sets.c) */
bool dpc_sets_of_combs(dpc_sets *sets, const dpc_place *mine, dpc_addressing addressing, const dpc_place *theirs);
/* The coordinates that own an element of the access, as partners without elements. */
bool dpc_sets_of_owners(dpc_sets *sets, const dpc_dim *d, const dpc_access *a);

/* The generator that takes the case when this one is asked for. */
dpc_method dpc_sets_method(dpc_method method, const dpc_side *mine, const dpc_side *theirs);
/* Whether closed forms exist: one strides' blocks divide the other's (Table 4 with the corrections), a constant number
 * of sections per pair. */
bool dpc_sets_are_closed(const dpc_side *mine, const dpc_side *theirs);

/* What row-wise and lattice cost for a pair of coordinates when the runs of `driver` are cut by the other side's
 * blocks: sections of one period, and lattice points of one period.  Lee and Chen's factors (I) and (II), section 6.1.
 */
dpc_index dpc_rowwise_factor(const dpc_side *driver, const dpc_side *other);
dpc_index dpc_lattice_factor(const dpc_side *driver, const dpc_side *other);

/* The partner with that coordinate, NULL when nothing is shared.  O(log partners). */
const dpc_shared *dpc_sets_partner(const dpc_sets *sets, dpc_index coordinate);

#endif

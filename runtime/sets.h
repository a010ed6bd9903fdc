/* Communication sets, in iteration numbers (sheet communication-sets.md, section 0, RECOMMENDATION).
 *
 * For one dimension, a statement accesses element x = mine.first + k * mine.stride of one array and element
 * theirs.first + k * theirs.stride of another, k = 0 .. count-1.  For process coordinate p of "mine" and each
 * coordinate q of "theirs", the set I(p, q) is a list of sections [[first : first+length-1] : : period]: it repeats
 * with the common period.  Sender and receiver enumerate a set in the same order, so a message carries values only.
 *
 * This is the interface behind which every generator stands (row-wise, closed forms, lattice, enumeration): a generator
 * fills the same lists by another method. */
#ifndef DPC_SETS_H
#define DPC_SETS_H

#include "distribution.h"

/* Iterations first + j*period .. first+length-1 + j*period for j = 0, 1, .. while < end of the partner, the last one
 * clipped there.  Local index (in "mine") of iteration first + t + j*period: local + t * stride + j * period_step. */
typedef struct {
    dpc_index first, length; /* iterations */
    dpc_index local;         /* elements: local index or position of iteration `first` */
} dpc_section;

typedef struct {
    dpc_index count;       /* iterations of the statement */
    dpc_index period;      /* iterations, >= 1; sections whose first + period >= end don't repeat */
    dpc_index stride;      /* elements from one iteration of a section to the next */
    dpc_index period_step; /* elements from one repetition to the next */
    dpc_index partners; /* coordinates of the other side: partner q has sections start[q] .. start[q+1]-1, ascending */
    dpc_index *start;   /* partners + 1 entries */
    dpc_index *end;     /* per partner: its iterations are < end[q] <= count */
    dpc_section *section;
} dpc_sets;

/* What the local addresses of a set count: the local index of the element in "mine", or the position among the
 * iterations that coordinate p of "mine" executes (0, 1, 2, ...). */
typedef enum { DPC_LOCAL_INDEX, DPC_POSITION } dpc_addressing;

/* The sets of coordinate p of `mine` against every coordinate of `theirs`.  Both accesses have the same count.
 * Iterations whose element is outside either array are left out.  `theirs` may be NULL: the other side has everything
 * (a collapsed or replicated operand), one partner.  Cost: proportional to the runs of one period, no division per
 * element.  Allocates with malloc; false when memory ran out. */
bool dpc_sets_rowwise(dpc_sets *sets, const dpc_dim *mine, const dpc_access *my_access, dpc_index p,
                      const dpc_dim *theirs, const dpc_access *their_access, dpc_addressing addressing);
void dpc_sets_free(dpc_sets *sets);

/* Number of iterations in I(p, q). */
dpc_index dpc_sets_size(const dpc_sets *sets, dpc_index q);

#endif

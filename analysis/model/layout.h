/* Arrays and accesses as the run time has them, where all that decides is known: for predictions, and for the method
 * that makes sets. */
#ifndef DPC_ANALYSIS_LAYOUT_H
#define DPC_ANALYSIS_LAYOUT_H

#include "../../runtime/base/sets.h"
#include "../../runtime/halo.h"
#include "statements.h"

typedef struct {
    int rank, grid_rank, size; /* size: processes in the grid */
    int extent[MAX_RANK];      /* of the grid */
    dpc_dim dim[MAX_RANK];
    int64_t written_block[MAX_RANK]; /* format cyclic: as it is written; else 0 */
    dpc_width halo[MAX_RANK];        /* ghost cells */
    bool beside[MAX_RANK];           /* also where nothing is owned */
} layout;

/* An index's values as runtime/program/space.c has them. */
typedef struct {
    int64_t lower, upper, stride, count;
} values;

/* NULL, or why the layout is not known. */
const char *find_layout(const program *p, const array *a, layout *x);
/* Coordinate of a process along dimension d; 0 where it is not divided. */
int64_t coordinate(const layout *x, int process, int d);
/* The values of index number k; false: not constant. */
bool index_values(const parallel *s, int k, values *v);
/* The access of a subscript; false: not constant. */
bool find_access(const parallel *s, const subscript *u, dpc_access *a);
const char *bounds_unknown(const program *p, const reference *r);
/* One side of dimension d of a reference, home or another; false: not known. */
bool find_side(const program *p, const parallel *s, const reference *r, int d, dpc_addressing addressing,
               dpc_side *side);

#endif

/* Private to explain: arrays and accesses as the run time has them, for predictions. */
#ifndef DPC_EXPLAIN_LAYOUT_H
#define DPC_EXPLAIN_LAYOUT_H

#include "../runtime/ghosts.h"
#include "predict.h"

typedef struct {
    int rank, grid_rank, size; /* size: processes in the grid */
    int extent[MAX_RANK];      /* of the grid */
    dpc_dim dim[MAX_RANK];
    int64_t written_block[MAX_RANK]; /* format cyclic: as it is written; else 0 */
    dpc_width halo[MAX_RANK];        /* ghost cells */
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
/* A dimension of home whose subscript says nothing about the owner (codegen/space.c): it is not divided. */
bool is_idle(const reference *home, int d);

#endif

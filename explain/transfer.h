/* Private to explain: what moves from the processes that own it to those that execute, as the run time has it. */
#ifndef DPC_EXPLAIN_TRANSFER_H
#define DPC_EXPLAIN_TRANSFER_H

#include "../analysis/model/analysis.h"
#include "../analysis/model/layout.h"

/* One end (runtime/program/exchange.c). */
typedef struct {
    const layout *layout; /* NULL: every process takes part alike */
    bool possible;
    int axes;
    dpc_side side[MAX_RANK]; /* per axis */
    int dim[MAX_RANK];       /* per axis: dimension of the array, -1: everything */
    int axis_of[MAX_RANK];   /* per grid dimension: its axis, or -1 */
    int others;              /* dimensions without axis: only owners of an element of the access take part */
    int other[MAX_RANK];
    dpc_access access[MAX_RANK];
} end;

/* What is moved: both ends, and everything that does not depend on the process. */
typedef struct {
    const program *program;
    end from, to;
    dpc_method method;
    int64_t size, pair;       /* bytes of an element; of what a message holds for each */
    layout owners, executors; /* the ends' layouts: a transfer is not copied */
} transfer;

/* A reference that sets move; a redistribution.  NULL, or why they are not known. */
const char *open_fetch(const program *p, const parallel *s, const reference *r, transfer *t);
const char *open_redistribution(const program *p, const array *a, const mapping *from, const mapping *to, transfer *t);
/* Whether the process owns what the access of every dimension without axis asks for. */
bool takes_part(const end *e, int me);

#endif

/* What methods and schedules of the redistribution engine cannot do.  Pure; the compiler asks as well. */
#ifndef DPC_REDISTRIBUTION_LIMITS_H
#define DPC_REDISTRIBUTION_LIMITS_H

#include <stdbool.h>

#include "index.h"

/* Why all dimensions together cannot be served; each of them can. */
typedef const char *dpc_array_refusal(int rank, const dpc_line *from, const dpc_line *to);

typedef struct {
    const char *name;               /* of a method or a schedule */
    dpc_index_refusal *refuses;     /* why it cannot serve a dimension; NULL: it serves every one */
    dpc_array_refusal *refuses_all; /* NULL: it serves all of them together */
    bool own_order;                 /* a method whose messages have an order of their own: no schedule */
    bool in_pairs; /* a method that sends from owner to owner, one message a pair, or copies that count as such */
} dpc_limits;

/* NULL: no such name. */
const dpc_limits *dpc_limits_of(const char *name);
/* Why a method or a schedule cannot serve an array; NULL: it can. */
const char *dpc_limits_refuse(const char *name, int rank, const dpc_line *from, const dpc_line *to);

#endif

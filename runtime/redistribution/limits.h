/* What methods and schedules of the redistribution engine cannot do.  Pure; the compiler asks as well. */
#ifndef DPC_REDISTRIBUTION_LIMITS_H
#define DPC_REDISTRIBUTION_LIMITS_H

#include <stdbool.h>

#include "index.h"

typedef struct {
    const char *name;           /* of a method or a schedule */
    dpc_index_refusal *refuses; /* why it cannot serve a dimension; NULL: it serves every one */
    bool own_order;             /* a method whose messages have an order of their own: no schedule */
} dpc_limits;

/* NULL: there are none. */
const dpc_limits *dpc_limits_of(const char *name);

#endif

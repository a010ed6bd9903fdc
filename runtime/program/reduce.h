/* Reductions, for the library itself. */
#ifndef DPC_REDUCE_H
#define DPC_REDUCE_H

#include "../base/base.h"
#include "../dpc/reductions.h"

/* Combines every process's values side by side, in place. */
void dpc_reduce_values(dpc_operation op, dpc_type type, dpc_index count, void *values);

#endif

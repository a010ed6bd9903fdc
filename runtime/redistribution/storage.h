/* How the local arrays of a problem lie. */
#ifndef DPC_REDISTRIBUTION_STORAGE_H
#define DPC_REDISTRIBUTION_STORAGE_H

#include "engine.h"

/* Of all local arrays on both sides, 1 or 0: the elements of the last dimension (columns: of the first one) side by
 * side, rows after rows, perhaps with something in between; or dense. */
typedef struct {
    int rows, columns, dense_rows, dense_columns;
} dpc_storage;

/* (collective) */
dpc_storage dpc_compare_storage(const dpc_problem *p);
/* The same mapping with its dimensions in the opposite order; its table is freed, or stays. */
void dpc_reverse_mapping(dpc_mapping *m);

#endif

/* Copies of n-dimensional products of one-dimensional sets: packing, unpacking, local copies; and how a product lies in
 * storage.  Pure: nothing of MPI. */
#ifndef DPC_PACK_H
#define DPC_PACK_H

#include "sets.h"

/* One dimension of one side: what is shared with one partner, or (sets == NULL) `length` elements side by side. */
typedef struct {
    const dpc_sets *sets;
    const dpc_shared *shared; /* one of the sets' partners */
    dpc_index length;
    dpc_index scale; /* elements of storage per unit of the set's addresses */
} dpc_axis;

/* Copies the elements in row-major order of the axes; both sides have the same number of elements along each axis.
 * size: bytes per element. */
void dpc_copy_product(int rank, const dpc_axis *to_axes, void *to, const dpc_axis *from_axes, const void *from,
                      dpc_index size);
/* The position in storage (elements) at which the elements of the axes lie side by side as in `dense_axes`; -1 when
 * they don't. */
dpc_index dpc_contiguous_product(int rank, const dpc_axis *dense_axes, const dpc_axis *axes);

/* Where elements of several rows lie: elements from one row to the next, and from one of its elements to the next. */
typedef struct {
    dpc_index row, step;
} dpc_rows;
/* Copies n elements of each of `rows` rows. */
void dpc_copy_rows(char *to, const dpc_rows *to_rows, const char *from, const dpc_rows *from_rows, dpc_index rows,
                   dpc_index n, dpc_index size);
/* Copies n elements; strides in elements. */
void dpc_copy_run(char *to, dpc_index to_stride, const char *from, dpc_index from_stride, dpc_index n, dpc_index size);

/* The positions in storage (elements) of the elements of the axes, in row-major order. */
void dpc_list_addresses(int rank, const dpc_axis *axes, dpc_index *addresses);

/* A transfer's message of so many bytes at most goes in one message with those of others; longer ones would be copied
 * for it, which takes longer than a message's latency. */
enum { DPC_MOST_AGGREGATED = 1 << 15 };

#endif

/* Views: what extrinsic functions get of an array, the part that this process owns. */
#ifndef DPC_VIEWS_H
#define DPC_VIEWS_H

#include <stddef.h>

#include "arrays.h"

DPC_BEGIN_INTERFACE

typedef struct dpc_view {
    void *data; /* the first owned element; NULL where there is none */
    int rank;
    size_t size;               /* bytes of an element */
    long extent[DPC_MAX_RANK]; /* owned elements along each dimension */
    long stride[DPC_MAX_RANK]; /* elements from one to the next along a dimension */
    MPI_Comm comm;             /* of the grid's processes in row-major order; MPI_COMM_NULL outside it */
    dpc_array *array;          /* private, as is the rest */
    void *dense;               /* a copy of what is stored with gaps, or NULL */
    const char *where;
} dpc_view;

/* The index, along dimension `dim`, of the k-th owned element, counted from 0.  (local) */
long dpc_view_global(const dpc_view *view, int dim, long k);
/* ScaLAPACK's description of the array on the grid of a BLACS context, for the transposed matrix (docs/scalapack.md);
 * 0: there is none.  (local) */
int dpc_view_descriptor(const dpc_view *view, int context, int *descriptor);

/* What generated code calls.  The view ends with the call of the extrinsic function: elements are then taken to have
 * changed.  (collective) */
dpc_view dpc_begin_view(const char *where, dpc_array *a);
void dpc_end_view(dpc_view *view);
#define DPC_VIEW __attribute__((cleanup(dpc_end_view)))

DPC_END_INTERFACE

#endif

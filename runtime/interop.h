/* Mappings as others describe them: ScaLAPACK's descriptors and MPI's darray types.  All local.  Wrong mappings,
 * numbers and NULLs end the program with an error; what is right but has no counterpart is the reason that is returned.
 *
 * ScaLAPACK's matrices are column-major, dpcc's arrays row-major: the same memory is the transposed matrix.  Array
 * element [i][j] is matrix element (j, i); matrix rows run along the array's last dimension, and the process grid is
 * transposed with them.  Source: ScaLAPACK Users' Guide, sections 4.3 and 4.4. */
#ifndef DPC_INTEROP_H
#define DPC_INTEROP_H

#include "redistribution.h"

DPC_BEGIN_INTERFACE

/* Fields of a descriptor, as ScaLAPACK names them, 0-based. */
enum {
    DPC_DTYPE,
    DPC_CTXT,
    DPC_M,
    DPC_N,
    DPC_MB,
    DPC_NB,
    DPC_RSRC,
    DPC_CSRC,
    DPC_LLD,
    DPC_DESCRIPTOR /* their number */
};

/* Local extent of a dimension of n elements; ScaLAPACK's arguments: coordinate of the process, and of the first block.
 */
dpc_index dpc_numroc(dpc_index n, dpc_index block, dpc_index coordinate, dpc_index source, dpc_index procs);

/* A section as an argument of ScaLAPACK's routines: sub(A) = A(ia : ia+m-1, ja : ja+n-1) on an nprow x npcol grid.  The
 * grid's place (row, column) belongs to process[row + column * nprow], as Cblacs_gridmap takes it with ldumap = nprow
 * (NULL: 0, 1, 2, ..., as Cblacs_gridinit makes it with "Column"). */
typedef struct {
    int desc[DPC_DESCRIPTOR];
    int m, n, ia, ja; /* ia, ja: 1-based */
    int nprow, npcol;
    const int *process;
} dpc_matrix;

/* What a mapping of one or two dimensions is to ScaLAPACK; so is one of more where dimensions that are not divided
 * follow their neighbour in memory.  context: BLACS context of the grid; process: whose local array LLD_ describes.
 * Returns why there is no such matrix; NULL: there is. */
const char *dpc_mapping_to_matrix(const dpc_mapping *m, int context, int process, dpc_matrix *matrix);
/* The reverse.  matrix->process is the grid's table as above; `process` gets the mapping's own, nprow * npcol numbers.
 * Returns why the descriptor is wrong; NULL: it is right.  DPC_LLD becomes the mapping's stride. */
const char *dpc_matrix_to_mapping(const dpc_matrix *matrix, int *process, dpc_mapping *m);

/* The elements of the whole array that a process owns, as a committed datatype for file views: positions in the
 * row-major array of all elements, not in the local part.  Returns why there is none; NULL: *type is made and the
 * caller frees it. */
const char *dpc_mapping_to_darray(const dpc_mapping *m, int process, MPI_Datatype element, MPI_Datatype *type);

DPC_END_INTERFACE

#endif

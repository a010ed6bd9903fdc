/* Files of whole arrays, of which every process writes or reads its own part. */
#ifndef DPC_FILES_H
#define DPC_FILES_H

#include "../picture.h"
#include "parameters.h"

DPC_BEGIN_INTERFACE

/* Files of arrays
 *
 *     dpc_npy_save("A.npy", &(dpc_argument){.where = "main.dpc:9", .array = &A_dist, .section = ...});
 *
 * All processes name the same file.  What is written has its name when all of it is on the disk, and FILE.part before
 * then.  Errors, of the system or of what a file holds, end the program with the place and the file; then nothing has
 * the file's name that has not had it before. */

/* Writes NumPy's format, version 1.0. */
void dpc_npy_save(const char *file, const dpc_argument *from);
/* Reads it, versions 1.0 to 3.0, rows or columns first, of either byte order.  Types and shapes must be the array's. */
void dpc_npy_load(const char *file, const dpc_argument *to);
/* Writes an array as a dataset of HDF5, "U" or "group/U": the file's others stay, one of that name is replaced.  In
 * libdpc_hdf5, which needs HDF5 for the program's MPI (with SimGrid, that without MPI). */
void dpc_hdf5_save(const char *file, const char *dataset, const dpc_argument *from);
/* Reads it, whatever its layout in the file; type and shape must be the array's. */
void dpc_hdf5_load(const char *file, const char *dataset, const dpc_argument *to);
/* Writes a picture of an array of two dimensions in PGM (P5): gray values from 0 for `black` to `greatest` (1 to 65535)
 * for `white`, linear.  DPC_WHOLE_RANGE for these three: of 0 to 255 for the least and greatest element; unsigned char
 * and unsigned short as they are. */
void dpc_pgm_save(const char *file, const dpc_argument *from, double black, double white, long greatest);

DPC_END_INTERFACE

#endif

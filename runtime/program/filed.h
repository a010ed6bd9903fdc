/* Private to the library: arrays as they lie in files (filed.c), and files that all processes open (together.c). */
#ifndef DPC_FILED_H
#define DPC_FILED_H

#include "../dpc/files.h"
#include "../npy.h"
#include "program.h"

/* ---- together.c */

DPC_BEGIN_INTERFACE /* libdpc_hdf5 calls some, and those of filed.c */

    typedef struct dpc_together dpc_together;
/* A file that will be FILE when all is written: FILE.part with these bytes at its beginning, opened by all.  Errors end
 * the program. */
dpc_together *dpc_create_together(const char *where, const char *file, const char *header, dpc_index header_bytes);
/* The same of a file that is there, for reading. */
dpc_together *dpc_open_together(const char *where, const char *file);
/* Writes or reads this process's bytes at a place; what fails is said at the end.  Up to 1 GiB. (local) */
void dpc_move_together(dpc_together *t, dpc_index offset, void *memory, dpc_index bytes);
/* Ends the program where something failed.  A file that was written has its name then, and is on the disk; `bytes` is
 * what it should have. */
void dpc_close_together(dpc_together *t, dpc_index bytes);

/* The same for those who make, open and close it themselves: names are compared, nothing is opened.
 * dataset NULL: the file has one array. */
dpc_together *dpc_name_together(const char *where, const char *file, const char *dataset, bool writing);
/* FILE.part, or FILE; as MPI_File_open wants it, in a buffer. */
const char *dpc_path_together(const dpc_together *t);
char *dpc_path_for_mpi(const dpc_together *t);
/* Something has failed: "'FILE' WHY", or "cannot WHAT 'FILE': WHY".  (local) */
void dpc_fail_file(dpc_together *t, const char *what, const char *why);
/* Where one process has failed, nobody goes on. */
void dpc_agree_together(dpc_together *t);
/* What is written has its name then, and is on the disk. `bytes`: what it should have; -1: any. */
void dpc_publish_together(dpc_together *t, dpc_index bytes);

/* ---- filed.c */

/* Of an argument: what a file has of it. */
typedef struct {
    const char *where, *name;
    dpc_type type;
    char kind; /* NumPy's letter */
    int size;  /* bytes of an element */
    int rank;
    long long extent[DPC_MAX_RANK];
} dpc_shape_in_file;
dpc_shape_in_file dpc_shape_of(const dpc_argument *g);
/* All elements. */
dpc_index dpc_elements_in_file(const dpc_shape_in_file *x);

/* An argument remapped so that each process has few parts of the file, each in one piece. */
typedef struct {
    dpc_shape_in_file shape;
    dpc_parameter parameter;
    dpc_array *array;
    int order[DPC_MAX_RANK];       /* the array's dimension, per dimension of the file, slowest first */
    dpc_index local[DPC_MAX_RANK]; /* this process's elements along it */
    int divided;                   /* the dimension of the file that processes share */
    dpc_index run;                 /* elements in one piece of the file */
    dpc_index elements;            /* of this process */
    bool dense;                    /* they lie in memory as in the file */
} dpc_filed;

/* columns: the first index runs fastest in the file.  stores: the elements will be read. */
void dpc_begin_filed(dpc_filed *x, const dpc_argument *g, bool columns, bool stores);
void dpc_end_filed(dpc_filed *x);
/* A piece of this process's elements, of those number `first` on (0: the first), at most `most`: how many lie in one
 * piece of the file, and there from which element of the file on. */
dpc_index dpc_next_filed(const dpc_filed *x, dpc_index first, dpc_index most, dpc_index *place);
/* Copies `count` elements from number `first` on into memory, or out of it. */
void dpc_copy_filed(const dpc_filed *x, dpc_index first, dpc_index count, char *memory, bool out);

DPC_END_INTERFACE

#endif

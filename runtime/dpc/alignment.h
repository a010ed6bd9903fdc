/* Templates, aligned arrays, and arrays that several source files declare. */
#ifndef DPC_ALIGNMENT_H
#define DPC_ALIGNMENT_H

#include "arrays.h"

DPC_BEGIN_INTERFACE

/* Templates and alignment
 *
 *     dpc_array T_dist = {0}, B_dist = {0};                                template T[0:2*N]; distribute T(block, *)
 *     dpc_create_template(&T_dist, "a.dpc:3", "T", 1, bounds, (const dpc_format[]){DPC_BLOCK}, NULL);
 *     dpc_create_aligned(&B_dist, "a.dpc:5", "B", DPC_DOUBLE, 1, bounds, &T_dist,
 *                        (const dpc_alignment[]){DPC_ALIGN(0, 2, 1)});      align B[i] with T[2*i+1]
 *     dpc_redistribute(&T_dist, "a.dpc:9", formats, NULL);                  moves B, too
 *
 * One alignment for each dimension of what the array is aligned with (its base: a template or an array, which may be
 * aligned itself).  Dimensions of the array that none names are not divided.  A base that is redistributed takes its
 * followers along; a follower leaves when it is freed.  An element that stands outside the base ends the program with
 * an error that says the numbers; a stride of 0 does. */
typedef struct {
    int dimension;            /* of the array, from 0; or one of those below */
    dpc_index stride, offset; /* element i of it stands on element stride * i + offset */
    dpc_index lead; /* beside blocks dealt round-robin: it is dealt as if so many elements came before its first one */
} dpc_alignment;
enum { DPC_ALIGN_COPIES = -1, DPC_ALIGN_HELD = -2 };
#define DPC_ALIGN(dimension, stride, offset)                                                                           \
    { (dimension), (stride), (offset), 0 }
#define DPC_ALIGN_AFTER(lead, dimension, stride, offset)                                                               \
    { (dimension), (stride), (offset), (lead) }
#define DPC_COPIES                                                                                                     \
    { DPC_ALIGN_COPIES, 0, 0, 0 } /* T[i][*]: a copy on every coordinate that the dimension is divided over */
#define DPC_HELD_AT(index)                                                                                             \
    { DPC_ALIGN_HELD, 0, (index), 0 } /* T[i][3]: where element 3 is */

/* A template: a mapping without elements. */
void dpc_create_template(dpc_array *t, const char *where, const char *name, int rank, const dpc_bounds *bounds,
                         const dpc_format *formats, dpc_grid *grid);
void dpc_create_aligned(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                        const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment);
/* With ghost cells, along dimensions of which every coordinate has one interval. */
void dpc_create_aligned_with_halo(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                                  const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment,
                                  const dpc_width *halo, int corners);
/* Aligns an array anew, with this base or another, and moves its elements.  One that has followers ends the program
 * with an error. */
void dpc_realign(dpc_array *a, const char *where, dpc_array *base, const dpc_alignment *alignment);

/* dpc_create and its like for an array or a template that several source files name: each file says it as the program
 * starts.  The first one makes it; one that says other bounds, elements or another mapping ends the program with an
 * error. */
void dpc_declare(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                 const dpc_format *formats, dpc_grid *grid);
void dpc_declare_template(dpc_array *t, const char *where, const char *name, int rank, const dpc_bounds *bounds,
                          const dpc_format *formats, dpc_grid *grid);
void dpc_declare_aligned(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                         const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment);

DPC_END_INTERFACE

#endif

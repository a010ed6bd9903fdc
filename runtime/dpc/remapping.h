/* Redistribution, and copies between arrays whatever their mappings. */
#ifndef DPC_REMAPPING_H
#define DPC_REMAPPING_H

#include "arrays.h"

DPC_BEGIN_INTERFACE

/* Changes the mapping and keeps the values; followers come along.  grid as in dpc_create.  An array that is aligned
 * itself ends the program with an error. */
void dpc_redistribute(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid);
/* The same by a method and a schedule of the redistribution engine (dpc_method_name, dpc_schedule_name in
 * redistribution.h).  One that cannot serve the mappings ends the program with an error that says why. */
void dpc_redistribute_by(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid, const char *method,
                         const char *schedule);
/* What an array that moves along needs. */
typedef struct {
    const dpc_array *array;
    const dpc_width *halo; /* NULL: no ghost cells */
    int corners;
    bool dead; /* as below */
} dpc_follower;
/* The same, with what the statements that the new mapping reaches need.  What is left out: no ghost cells; the values
 * are kept; auto. */
typedef struct {
    const dpc_width *halo; /* of the new local part, one width per dimension; the array may have more */
    int corners;
    bool dead;   /* every element is assigned before it is read: no values move */
    bool keep;   /* the values may be the same when this mapping is taken again: what is here stays as a copy */
    bool unused; /* nothing uses the array with this mapping: it stays as it is, only errors are found */
    int version; /* as in dpc_array */
    const dpc_follower *followers; /* aligned arrays that need something, too; the last has no array */
    const char *method, *schedule;
} dpc_remapping;
void dpc_redistribute_as(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid, dpc_remapping how);

/* `to = from` for arrays of one type, rank and extents, whatever their mappings: the redistribution engine's copy. */
void dpc_copy_array(dpc_array *to, const char *where, const dpc_array *from);
/* The same for sections of unit stride with equal extents, inside their arrays: bounds per dimension, inclusive. */
void dpc_copy_section(dpc_array *to, const char *where, const dpc_bounds *to_bounds, const dpc_array *from,
                      const dpc_bounds *from_bounds);
/* By a method and a schedule, as above; bounds NULL: the whole array. */
void dpc_copy_section_by(dpc_array *to, const char *where, const dpc_bounds *to_bounds, const dpc_array *from,
                         const dpc_bounds *from_bounds, const char *method, const char *schedule);

DPC_END_INTERFACE

#endif

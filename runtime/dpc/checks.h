/* What a program translated with --check=all compares as it runs: the processes take one path with equal variables, and
 * a statement assigns no element twice. */
#ifndef DPC_CHECKS_H
#define DPC_CHECKS_H

#include "../agree.h"
#include "arrays.h"

DPC_BEGIN_INTERFACE

/* The assignments of a statement, as its iterations come to them: zeroed before the first. */
typedef struct {
    dpc_index count, room;
    dpc_index *entry; /* of each the element's row-major number and the values of the statement's indices */
} dpc_assignments;
/* Subscripts within the array's bounds, `indices` values. (local) */
void dpc_assigns(dpc_assignments *x, const dpc_array *a, const dpc_index *subscript, int indices,
                 const dpc_index *value);
/* Ends the program where two iterations, of one process or of two, assign one element; frees the assignments.
 * names: of the indices. */
void dpc_check_assignments(dpc_assignments *x, const char *where, const dpc_array *a, int indices,
                           const char *const *names);

DPC_END_INTERFACE

#endif

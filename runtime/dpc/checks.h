/* What a program translated with --check=all compares as it runs: the processes take one path with equal variables, and
 * a statement assigns no element twice, subscripts of ordinary arrays stay inside. */
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

/* A subscript of an ordinary array whose first one is `lower`: the value; ends the program where it is outside. (local)
 */
void dpc_fail_within(const char *where, const char *name, int dimension, dpc_index index, dpc_index lower,
                     dpc_index extent) __attribute__((noreturn));
static inline dpc_index dpc_within(const char *where, const char *name, int dimension, dpc_index index, dpc_index lower,
                                   size_t extent) {
    if (__builtin_expect(index < lower || (uint64_t)index - (uint64_t)lower >= extent, false))
        dpc_fail_within(where, name, dimension, index, lower, (dpc_index)extent);
    return index;
}

DPC_END_INTERFACE

#endif

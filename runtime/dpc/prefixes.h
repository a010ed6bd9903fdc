/* Prefix and suffix operations. */
#ifndef DPC_PREFIXES_H
#define DPC_PREFIXES_H

#include "reductions.h"
#include "spaces.h"

DPC_BEGIN_INTERFACE

/* What each value becomes: the combination of all values up to it, or from it to the end; exclusive: without itself. */
typedef enum {
    DPC_PREFIX,
    DPC_SUFFIX,
    DPC_EXCLUSIVE_PREFIX,
    DPC_EXCLUSIVE_SUFFIX,
} dpc_prefix_kind;

/* values: of this process's iterations of the space, row-major by position.  They are combined along index `last`
 * alone, or, where first < last, in row-major order of indices first .. last.  start: the combination of no value.  Two
 * passes over the values, and between these one collective along each dimension of the grid that divides such an index.
 */
void dpc_scan(const dpc_space *s, int first, int last, dpc_prefix_kind kind, dpc_operation op, dpc_type type,
              const void *start, void *values);

/* The same, in the order of the iterations wherever the values are (--reproducible): each process gets all values that
 * its own depend on, by one collective along each dimension of the grid that divides an index, and combines them. */
void dpc_scan_in_order(const dpc_space *s, int first, int last, dpc_prefix_kind kind, dpc_operation op, dpc_type type,
                       const void *start, void *values);

/* The same along all indices, of which only the first may be divided, each process's iterations being consecutive:
 * values hold the prefixes of this process's own ones already, *total what is combined of these.  Where processes
 * before it have values, one collective and one pass. */
void dpc_scan_on(const dpc_space *s, dpc_operation op, dpc_type type, const void *start, const void *total,
                 void *values);

DPC_END_INTERFACE

#endif

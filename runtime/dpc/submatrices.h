/* Boxes of elements of arrays of one dimension, which a program takes for matrices: A[i*n + k] for all i and k that a
 * process needs. */
#ifndef DPC_SUBMATRICES_H
#define DPC_SUBMATRICES_H

#include "transfers.h"

DPC_BEGIN_INTERFACE

/* A part of a subscript: its values first .. last (none: last is below first), and how many elements lie between one
 * and the next. */
typedef struct {
    dpc_index weight, first, last;
} dpc_submatrix_part;
enum { DPC_MOST_PARTS = 4 };
#define DPC_SUBMATRIX(...) DPC_PARTS_OF_SUBMATRIX(__VA_ARGS__), NULL
/* Values of parts that go round, A[(i + h) % h * w + k]: of each its modulus, or DPC_NO_MODULUS. The box has the values
 * as they are before the remainder is taken. */
#define DPC_NO_MODULUS INT64_MIN
#define DPC_SUBMATRIX_AROUND(moduli, ...) DPC_PARTS_OF_SUBMATRIX(__VA_ARGS__), moduli
#define DPC_MODULI(...) ((const dpc_index[]){__VA_ARGS__})
#define DPC_PARTS_OF_SUBMATRIX(...)                                                                                    \
    (int)(sizeof((const dpc_submatrix_part[]){__VA_ARGS__}) / sizeof(dpc_submatrix_part)),                             \
        ((const dpc_submatrix_part[]){__VA_ARGS__})

/* What has come: a block in which across[k] values of part k stand side by side, the last part's next to one another.
 * Elements outside the array are not there. */
typedef struct {
    void *origin; /* where the element whose parts are all 0 would stand */
    dpc_index across[DPC_MOST_PARTS];
    void *values; /* NULL: the own elements are read where they lie */
} dpc_submatrix;

/* The elements whose subscript is a sum over the parts, a value times its weight each; every process may ask for
 * others.  stored: the array's elements change while it is read, which keeps the values that they have now.  around:
 * NULL, or the moduli. */
dpc_submatrix dpc_fetch_submatrix(const char *where, const dpc_array *a, bool stored, int parts,
                                  const dpc_submatrix_part *part, const dpc_index *around);
/* (local) */
void dpc_free_submatrix(dpc_submatrix *x);
/* The same where what the last execution has found stays: nobody asks anew while the iterations, the array's mapping
 * and the inputs that the parts are made of (as of dpc_gathered) are the same, nothing moves while its contents are. It
 * is not freed. */
dpc_submatrix dpc_keep_submatrix(dpc_reused *reused, const dpc_space *s, const char *where, const dpc_array *a,
                                 bool stored, int inputs, const dpc_input *input, int parts,
                                 const dpc_submatrix_part *part, const dpc_index *around);
/* Whether some of these elements are outside the array. (local) */
bool dpc_submatrix_leaves(const dpc_array *a, int parts, const dpc_submatrix_part *part, const dpc_index *around);

/* The values of an index that this process executes: from the least to the greatest; 0 to -1: none. (local) */
static inline dpc_bounds dpc_own_values(const dpc_space *s, int index) {
    dpc_bounds own = {0, -1};
    if (s->mine[index] == 0) return own;
    const dpc_range *range = &s->range[index];
    const dpc_run run = s->run[index];
    own.lower = run.first;
    own.upper = run.count == s->mine[index] ? run.last : range->upper;
    return own;
}
/* The rows of elements lower .. upper of a matrix whose rows are `width` elements wide, the first one from 0; their
 * places in the rows, of which there are places first .. last. (local) */
static inline dpc_bounds dpc_rows_within(dpc_bounds own, dpc_index width) {
    dpc_bounds rows = {0, -1};
    if (own.upper < own.lower || width < 1) return rows;
    rows.lower = own.lower / width;
    rows.upper = own.upper / width;
    return rows;
}
static inline dpc_bounds dpc_places_within(dpc_bounds own, dpc_index width, dpc_index first, dpc_index last) {
    const dpc_bounds rows = dpc_rows_within(own, width);
    dpc_bounds places = {first, last};
    if (rows.upper < rows.lower) return rows;
    if (rows.lower < rows.upper) return places;
    places.lower = dpc_maximum(first, own.lower % width);
    places.upper = dpc_minimum(last, own.upper % width);
    return places;
}

DPC_END_INTERFACE

#endif

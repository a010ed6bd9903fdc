/* Private to analysis: subscripts of matrices in one-dimensional arrays, A[(i*n + j)*m + k]. */
#ifndef DPC_ANALYSIS_FLAT_H
#define DPC_ANALYSIS_FLAT_H

#include "model.h"

/* Widths of rows, the innermost's first: m, n. */
typedef struct {
    linear width[MOST_WIDTHS];
    const node *node[MOST_WIDTHS];
    int count;
} flat_widths;

/* Who reads subscripts: what differs between iterations, and what does not; whether constants are widths. */
typedef struct {
    arena *memory;
    const source *source;
    bool (*varies)(const void *context, const node *n);
    bool (*is_fixed)(const void *context, const node *n);
    const void *context;
    bool constants;
} flat_reader;

/* The widths of a subscript; false: it is no sum of products with such. */
bool read_widths(const flat_reader *r, const node *n, flat_widths *w);
/* The parts of a subscript, one more than widths: the place in the innermost row first; the last one counts the
 * outermost rows.  The subscript is part[0] + w[0] * (part[1] + w[1] * ...).  False: it has too many parts. */
bool split_by_widths(const flat_reader *r, const node *n, const flat_widths *w, linear *part);

#endif

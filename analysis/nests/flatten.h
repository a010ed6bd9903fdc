/* Private to the folder: foralls and reductions over matrices in arrays of one dimension, as flat_index.c reads them.
 */
#ifndef DPC_ANALYSIS_FLATTEN_H
#define DPC_ANALYSIS_FLATTEN_H

#include "nests.h"

/* A statement that gets one index for several. */
typedef struct {
    program *p;
    node *root; /* the FORALL or the CALL */
    struct {
        symbol *symbol;
        node *lower, *upper;
        linear low, high; /* inclusive */
    } index[MOST_WIDTHS + 1];
    int indices;
    flat_widths widths;
    int64_t group; /* not 0: the first subscript is so many times the index, and a place: 3*(i*n + j) + 1 */
    node *first;   /* the subscript that becomes the index */
    linear form[MOST_WIDTHS + 1];
    bool based; /* the subscript is more than the index, k*n*m + i*n + j: by what is fixed in each part */
    linear base[MOST_WIDTHS + 1];
    int at[MOST_WIDTHS + 1];    /* the index in each part of it, the innermost first; */
    bool back[MOST_WIDTHS + 1]; /* which it is subtracted from, n - 1 - j */
    symbol *flat;
} flattening;

typedef struct {
    node *chain;
    bool apart;
} decision;

/* The number of the index, -1: it is none; whether n mentions one. */
int flat_index_number(const flattening *f, const symbol *s);
bool mentions_flat_indices(const void *context, const node *n);
/* Names and numbers that no iteration changes. */
bool is_plain_beside(const flattening *f, const node *n);
/* Of a forall, the outermost first. */
bool read_flat_indices(flattening *f);
/* Of a reduction; *behind: the first child that is no range. */
bool read_flat_ranges(flattening *f, size_t *behind);
/* What splits a subscript at the widths of rows, with these indices. */
flat_reader flat_reader_of(const flattening *f);
/* The only subscript of a divided array's element; NULL: n is none. */
node **flat_subscript_in(node *n);
/* What is beside the index in part k. */
linear beside_flat_index(const flattening *f, int k);
/* The least or greatest value of part k. */
linear end_of_flat_part(const flattening *f, int k, bool high);
/* The last place in a row of part k. */
linear last_flat_place(const flattening *f, int k);
/* Whether n, a subscript, is the one that becomes the index. */
bool take_flat_subscript(flattening *f, node *n);
/* Looks in n for the element whose subscript becomes the index, and whether others are apart from that. */
void decide_flat(flattening *f, node *n, bool stores, decision *d);
/* Whether bounds of a reduction in n depend on the indices. */
bool bounds_by_flat_indices(const flattening *f, const node *n);

#endif

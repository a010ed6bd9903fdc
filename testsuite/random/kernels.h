/* Kernels: programs as people write them, each a block with arrays of its own, whose names have two letters.  See
 * generate.h. */
#ifndef KERNELS_H
#define KERNELS_H

#include "generate.h"

typedef struct {
    char name[4];
    const char *type;
    int rank;
    long extent[3];
    bool distributed;
} own;

/* ---- kernels.c */

void kernel(void); /* one of them */

/* ka, kb, ...: declares the next array of the block, and maps it, mostly as the last one of its rank: UNDIVIDED << d
 * where dimension d is not divided; DIVIDED: it is distributed in any case. */
enum { DIVIDED = 1, UNDIVIDED = 2 };
own own_array(const char *type, int rank, const long *extent, int how);
own vector(const char *type, long extent, int how);
own matrix(const char *type, long rows, long columns, int how);
/* How the extent of the next vector is written, or NULL: as a number. */
extern const char *own_extent;
void fill_own(const own *a);
/* Of one dimension: a permutation of 0 .. n-1, or any numbers among them. */
void fill_places(const own *a, long n, bool permutation);
void print_own(const own *a);
/* Its directive; `how` as own_array has it. */
void map_own(const own *a, int how);
/* Perhaps redistributes it. */
void remap_own(const own *a);
const char *any_type(void);    /* of an element, which holds all numbers below 10000 */
const char *any_counter(void); /* of variables that are never below 0 */

/* Ranges of the indices i, j, k in both languages. */
typedef struct {
    int rank;
    long low[3], high[3];
    char dpc[200], c[400];
} box;

box box_of(int rank, const long *low, const long *high);
box line(long low, long high);
box box2(long low, long high, long low2, long high2);
/* forall (r[, mask]) left op right; all right sides are taken first. `op`: "=" or "+=". */
void forall_in(const box *r, const char *mask, const char *left, const char *op, const char *right);
/* The same in C only. */
void loops_in(const box *r, const char *mask, const char *left, const char *op, const char *right);

/* Text in one of a few places that are used in turn. */
const char *words(const char *format, ...);

/* ---- The kernels: nests.c, moves.c, blocks.c, runs.c, flat.c, submatrices.c, carried.c, clamped.c */

void plain_nest(void);
void sweep(void);
void two_loops(void);
void sparse_rows(void);
void histogram(void);

void repeated_gathers(void);
void rows_by_places(void);
void wrapped(void);
void reshaped(void);
void double_buffer(void);
void inner_offsets(void);

void records(void);
void branches(void);
void prefixes(void);
void places_of_extremes(void);

void long_run(void);

void flat_matrices(void);

void submatrices(void);

void carried(void);
void clamped(void);

#endif

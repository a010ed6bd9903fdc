/* Communication sets, one dimension at a time (Lee and Chen, docs/communication-sets.md). */
#ifndef DPC_ANALYSIS_PAIRINGS_H
#define DPC_ANALYSIS_PAIRINGS_H

#include "../../runtime/base/sets.h"
#include "methods.h"
#include "statements.h"

/* An integer that the compiler knows, or the C expression that says it at run time. */
typedef struct {
    bool known;
    int64_t value;    /* where known */
    const char *text; /* C text, also where known; NULL: has no expression in terms of the program */
} quantity;

/* A dimension of a reference that moves beside the dimension of home with the same index: the paper's statement
 * A(l1 + i*s1) = g(C(l2 + i*s2)), home being A. */
typedef struct {
    int dim;      /* of the reference (C) */
    int home_dim; /* of home (A), -1: each executing process needs every iteration of the index */
    int index;    /* -1: the subscript is invariant */
    bool divided, home_divided;
    bool single, home_single; /* at most one block per process */
    quantity b1, s1, b2, s2;  /* block and stride of home, of the reference; strides per iteration, with their sign */
    quantity procs1, procs2;  /* processes along the two dimensions */
    bool equal_procs;         /* their numbers are equal, also where they are not known */
    quantity count;           /* iterations */
    int number;               /* case 1 to 4 of Table 4; 0: decided at run time, or a side is not divided */
    int64_t ratio;            /* greater to smaller b/s in cases 2 to 4; 0: unknown */
    set_method method;
    quantity sections; /* nested regular sections per pair of processes, at most */
} pairing;

/* The dimension of home (NULL: none) that index number `index` subscripts, a distributed one if there is a choice; or
 * -1. */
int home_dimension(const reference *home, int index);
/* Dimension d of a reference that moves beside home's. */
/* The array whose mapping divides dimension *d of a, which becomes that array's: where a is aligned, another one. */
const array *divided_dimension(const program *p, const array *a, int *d);
pairing pairing_of(const program *p, const parallel *s, const reference *r, int d);
/* Processes along distributed dimension d; block size; number of iterations of an index. */
quantity procs_along(const program *p, const array *a, int d);
quantity block_of(const program *p, const array *a, int d);
quantity iterations_of(const program *p, const parallel *s, int index);
/* At most one run of iterations per pair; at most one run per block of the side with the greater b/s. */
bool pairing_is_one_run(const pairing *x);
bool pairing_is_flat(const pairing *x);
/* Iterations per block of the reference's and of home's side; 0: not known, or not the same everywhere. */
int64_t pairing_length(const pairing *x);
/* The length of the runs that loops over values of the index are made for; 0: any. */
int64_t pairing_run_length(const pairing *x, const loop_index *i);
/* Whether each pair of processes has one strip: runs in a constant distance, cut by one interval. */
bool pairing_has_one_strip(const pairing *x, const reference *r);
/* Whether a statement that is executed piece by piece finds index k in runs of one iteration each, with home's local
 * index beside it. */
bool goes_by_points(const program *p, const parallel *s, int k);
/* b1/s1 = b2/s2: iterations by which the blocks of the reference run ahead of home's; false: not known. */
bool pairing_distance(const program *p, const parallel *s, const reference *r, const pairing *x, int64_t *distance);
/* Of dealt blocks that their strides divide: iterations from the start of block 0 of home's, of the reference's side to
 * iteration 0, that of the least index value (section 1 (b)); false: not known. */
bool pairing_leads(const program *p, const parallel *s, const reference *r, const pairing *x, int64_t *home,
                   int64_t *read);
/* Whether every element of a reference that sets would move is known to stand where it is read. */
bool reference_in_place(const program *p, const parallel *s, const reference *r);
/* What a pair of processes shares along a dimension, in values of the index: runs first .. first + reach, cut to low ..
 * high; reach < 0: nothing.  at: place of `first` on the side that is asked for. */
typedef struct {
    int64_t first, reach, low, high, at;
} pair_boundary;
/* Of all pairs [this process][the other one].  period, jump: index values and places from one run to the next; 0: no
 * pair has a second one. */
typedef struct {
    int64_t processes, others;
    pair_boundary *of;
    int64_t period, jump;
} boundary_table;
/* Whose places: of the reference's local part, in elements along its dimension; of home's. */
typedef enum { BOUNDARIES_OF_SOURCE, BOUNDARIES_OF_HOME } boundary_side;
/* Pairs in a table that is still read. */
enum { MOST_BOUNDARIES = 64 };
/* NULL: something is known at run time only, or pairs have several sets of runs, or there are too many.  length: of the
 * runs that the loops are made for, 0: any. (place/boundaries.c) */
boundary_table *find_boundaries(const program *p, const parallel *s, const reference *r, const pairing *x,
                                boundary_side which, int64_t length);
/* The method that --sets names to the run time, where it makes a set of the statement. */
dpc_method method_asked(const program *p, const parallel *s);
/* The method that makes its sets at run time, as far as what is known tells. */
set_method pairing_method(const program *p, const parallel *s, const reference *r, const pairing *x);
const char *method_word(set_method m); /* "closed-form", ... */

#endif

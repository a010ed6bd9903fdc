/* Private to the folder: nests that may be pipelines, or whose iterations are independent, as pipelines.c finds them.
 */
#ifndef DPC_ANALYSIS_PIPELINES_H
#define DPC_ANALYSIS_PIPELINES_H

#include "nests.h"

typedef struct {
    nest *x;
    int loops;               /* perfectly nested, from the outermost on */
    const nest_access *home; /* a store whose owner executes the iteration */
    int divided[MAX_RANK];   /* per dimension of home's array: the loop that steps through it where it is divided */
    nest_distances distances;
    bool blocks[MAX_RANK]; /* per loop */
    bool waits;            /* iterations need earlier ones; else they are independent */
    bool supposes_owners;  /* that each iteration has one, which the program asks as the loops begin */
} pipeline;

/* ---- Where accesses stand (standing.c) */

/* The distributed array of an access, with the mapping that it has there, as far as that is known by now; NULL: none.
 */
const array *array_accessed(const pipeline *w, const nest_access *a);
/* How many loops stand in one another with nothing else between, and have the same iterations each time; `varying`:
 * others, too. */
int nested_loops(const nest *x, bool varying);
/* Whether each process has one block of it along divided dimensions, or blocks are dealt alike along all of them. */
bool lies_in_blocks(const array *a);
linear subscript_at(const pipeline *w, const nest_access *a, int d);
/* The loop whose variable, plus a constant, is the subscript; -1: none. */
int loop_of_subscript(const pipeline *w, const nest_access *a, int d);
/* Whether a subscript depends on the loop's variable. */
bool uses_variable_of(const pipeline *w, const nest_access *a, int d, int loop);
/* How far x's element along d is from y's along e, counted from the arrays' lower bounds, if that is a small constant.
 */
bool find_distance_between(const pipeline *w, const nest_access *x, int d, const nest_access *y, int e,
                           int64_t *distance);
bool stores_into(const pipeline *w, const array *a);
/* Whether an access stands at constant distances from home, at none if it stores; before: an earlier iteration stores
 * what it reads, so that no later one may along any loop. */
bool stands_near_home(const pipeline *w, const nest_access *x, bool *before);
/* Whether what is read, and nothing stores, stands around home, as inner loops between constants step: B[i+k]. */
bool stands_around_home(const pipeline *w, const nest_access *x);
/* What to change first where a nest would be a pipeline but for one thing. */
void advise(const pipeline *w, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void advise_blocks(const pipeline *w, const array *a);

#endif

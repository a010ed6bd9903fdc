/* Private to the folder: parts of the passes that let statements share work. */
#ifndef DPC_ANALYSIS_COMBINE_H
#define DPC_ANALYSIS_COMBINE_H

#include "../lower/lower.h"

/* Whether evaluating n changes nothing and calls nothing but functions of mathematics, and what else may be called: an
 * OR of these. (hoist.c) */
enum { MAY_REDUCE = 1, MAY_SHIFT = 2 /* circular shifts */ };
bool is_pure(const node *n, int calls);
/* Finds r's inputs; false: what its subscripts are made of cannot be compared. (gathers.c) */
bool find_inputs(program *p, const parallel *s, reference *r);
/* Whether n stands right behind `before` (NULL: nothing) in a block, with nothing in between. (fuse.c) */
bool stands_behind(const program *p, const node *before, const node *n);
/* Whether something is evaluated between the first `executed` statements of a group and the next. */
bool evaluates_between(const group *g, size_t executed);

#endif

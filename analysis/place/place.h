/* Private to the folder: parts of the passes that relate references to their home. */
#ifndef DPC_ANALYSIS_PLACE_H
#define DPC_ANALYSIS_PLACE_H

#include "../lower/lower.h"

/* What is not affine is brought with all elements of the dimension; false: too many indices. (sharing.c) */
bool take_whole_dimensions(program *p, parallel *s, reference *r);
/* Whether ghost cells serve references at that distance from blocks of dimension d. (gaps.c) */
bool ghosts_pay(const mapping *m, int d, int64_t distance);
/* Whether there are gaps between blocks of the array that are dealt round-robin. */
bool has_gaps(const array *a);

#endif

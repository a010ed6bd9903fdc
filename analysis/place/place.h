/* Private to the folder: parts of the passes that relate references to their home. */
#ifndef DPC_ANALYSIS_PLACE_H
#define DPC_ANALYSIS_PLACE_H

#include "../lower/lower.h"

/* What is not affine is brought with all elements of the dimension; false: too many indices. (sharing.c) */
bool take_whole_dimensions(program *p, parallel *s, reference *r);
/* Whether an iteration of s, an independent loop, that reads with r an element which it stores with `stored` reads it
 * before it stores it. (earlier.c) */
bool is_read_before_stored(const program *p, const parallel *s, const reference *stored, const reference *r);
/* The CHECK of a statement that is not related yet; whether executed iterations may have no element of home.
 * (outside.c) */
parallel *conditions_of(program *p, const parallel *s);
bool checks_home(const program *p, const parallel *s);
/* Whether every element of r stands where home's owner executes, though its place advances by other steps; fills in
 * r->placed.along. (ideal.c) */
bool is_ideal(const program *p, const reference *home, reference *r);
/* Whether ghost cells serve references at that distance from blocks of dimension d. (gaps.c) */
bool halo_pays(const program *p, const mapping *m, int d, int64_t distance);
/* Whether there can be ghost cells so far away, which may be longer than the blocks. */
bool halo_fits(const program *p, const mapping *m, int d, int64_t distance);
/* What a process reads with a subscript that is not affine; NULL: the elements are to be looked for one by one.
 * (submatrices.c) */
const submatrix *submatrix_of(const program *p, const parallel *s, const reference *r);
/* Leaves out versions for arrays that are divided alike where that changes nothing. (fold.c) */
void fold_versions(program *p);
/* Whether there are gaps between blocks of the array that are dealt round-robin. */
bool has_gaps(const array *a);

#endif

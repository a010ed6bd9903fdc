/* Linear expressions of integer quantities that the compiler can compare: constant + sum of coefficient * atom, where
 * an atom is any C expression whose value does not change during the statement (a variable, mostly). */
#ifndef DPC_ANALYSIS_LINEAR_H
#define DPC_ANALYSIS_LINEAR_H

#include <stdint.h>

#include "../../ir/ast.h"

enum { LINEAR_TERMS = 8, LINEAR_NAMES = 4 };

/* Constants and coefficients are smaller than that in magnitude, so that sums and differences of a few never overflow.
 * Greater numbers of 64 bits are atoms, which nothing reckons with at compile time but linear_value; what is beyond 64
 * bits is cut. */
#define LINEAR_MOST ((int64_t)1 << 48)

typedef struct {
    int64_t coefficient;
    const char *text;  /* the atom as C text */
    const node *node;  /* where it stands in the source, or NULL (made up) */
    const char *named; /* the coefficient's C text as an operand, where it was computed from named constants; or NULL */
} linear_term;

/* A constant that has a name in the program, or is an expression of such: `text` is an operand. Where it is `computed`
 * from them otherwise, `text` is their names, which stand in a comment beside the number. */
typedef struct {
    int64_t coefficient, value;
    const char *text;
    bool computed;
} linear_name;

/* The names say what the constant was made of, for its text: it is the sum of coefficient * value, and a rest. */
typedef struct {
    int64_t constant;
    int terms; /* sorted by text */
    int names;
    const linear_term *term; /* never changed: values share them */
    const linear_name *name;
} linear;

/* A value below LINEAR_MOST; any value. */
linear linear_constant(int64_t value);
linear linear_number(arena *a, int64_t value);
/* A constant of that value, small, whose C text is an operand of type int or a larger signed one. */
linear linear_named(arena *a, const char *text, int64_t value);
/* A constant that was computed from these names; from the names of others: its text says so. */
linear linear_computed_from(arena *a, const char *names, int64_t value);
linear linear_computed(arena *a, int64_t value, const linear *from, int count);
/* Its constant, with its names. */
linear linear_without_terms(const linear *x);
linear linear_atom(arena *a, const char *text, const node *n);
linear linear_add(arena *a, linear x, linear y);
linear linear_subtract(arena *a, linear x, linear y);
linear linear_multiply(arena *a, linear x, linear y);
bool linear_is_constant(const linear *x);
/* Whether x is a number, below LINEAR_MOST or not. */
bool linear_value(const linear *x, int64_t *value);
/* Whether the numbers in x, added up, are within 64 bits. */
bool linear_fits(const linear *x);
bool linear_is(const linear *x, int64_t value);
bool linear_equal(const linear *x, const linear *y);
/* C text, e.g. "2 * n - 1", with the names of constants. */
const char *linear_text(arena *a, const linear *x);
/* C text, in parentheses unless it is one operand. */
const char *operand(arena *a, const char *text);
/* The text of a linear expression as an operand. */
const char *linear_operand(arena *a, const linear *x);

#endif

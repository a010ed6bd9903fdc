/* Positive rationals in lowest terms whose arithmetic notices overflow: a result that does not fit is `no_rational`,
 * and so is everything made from it. */
#ifndef DPC_ANALYSIS_RATIONAL_H
#define DPC_ANALYSIS_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t above, below; /* > 0; below is 0 in no_rational */
} rational;

extern const rational no_rational;

rational rational_of(int64_t above, int64_t below);
rational rational_multiply(rational x, rational y);
rational rational_divide(rational x, rational y);
/* The least rational that both divide into integers, and the greatest that divides both. */
rational rational_lcm(rational x, rational y);
rational rational_gcd(rational x, rational y);
bool rational_fits(rational x);
bool rational_equal(rational x, rational y);
bool rational_is_integer(rational x);
/* Whether x or 1/x is an integer. */
bool rational_is_multiple(rational x);

#endif

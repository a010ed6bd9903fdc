/* Positive rationals whose arithmetic notices overflow. */
#include "rational.h"

#include "../../runtime/distribution.h"

const rational no_rational = {0, 0};

rational rational_of(int64_t above, int64_t below) {
    if (above <= 0 || below <= 0) return no_rational;
    const int64_t divisor = dpc_common_divisor(above, below);
    return (rational){above / divisor, below / divisor};
}

bool rational_fits(rational x) {
    return x.below != 0;
}

rational rational_multiply(rational x, rational y) {
    if (!rational_fits(x) || !rational_fits(y)) return no_rational;
    const rational u = rational_of(x.above, y.below), v = rational_of(y.above, x.below);
    rational product;
    if (__builtin_mul_overflow(u.above, v.above, &product.above) ||
        __builtin_mul_overflow(u.below, v.below, &product.below))
        return no_rational;
    return product;
}

rational rational_divide(rational x, rational y) {
    return rational_multiply(x, (rational){y.below, y.above});
}

static bool least_multiple(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_mul_overflow(a / dpc_common_divisor(a, b), b, result);
}

rational rational_lcm(rational x, rational y) {
    rational result;
    if (!rational_fits(x) || !rational_fits(y) || !least_multiple(x.above, y.above, &result.above)) return no_rational;
    result.below = dpc_common_divisor(x.below, y.below);
    return result;
}

rational rational_gcd(rational x, rational y) {
    rational result;
    if (!rational_fits(x) || !rational_fits(y) || !least_multiple(x.below, y.below, &result.below)) return no_rational;
    result.above = dpc_common_divisor(x.above, y.above);
    return result;
}

bool rational_equal(rational x, rational y) {
    return rational_fits(x) && x.above == y.above && x.below == y.below;
}

bool rational_is_integer(rational x) {
    return x.below == 1;
}

bool rational_is_multiple(rational x) {
    return rational_fits(x) && (x.above == 1 || x.below == 1);
}

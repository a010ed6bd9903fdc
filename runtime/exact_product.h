/* Products of floating-point values that are rounded once, which --reproducible forms: whatever order the factors come
 * in, and however they are shared out, the product is the same.  Integers alone, as logarithms of the C library differ
 * from one to the next; a serial program has this text in it, behind exact.h.
 *
 * A product is a power of two times the exponential of a sum of natural logarithms, which is kept below log 2: such
 * sums do not depend on an order.  A logarithm is found by a few factors near one over what is left of the value, whose
 * logarithms stand in tables, until a series has few terms (J.-M. Muller, "Elementary functions: algorithms and
 * implementation", 3rd edition, 2016, chapter 4).  Its error is less than 2^-108, that of n factors n times as much. */
#ifndef DPC_EXACT_PRODUCT_H
#define DPC_EXACT_PRODUCT_H
#ifndef __cplusplus

#include "exact.h"

/* Fixed-point numbers: 1 is 2^118. */
enum { DPC_EXACT_POINT = 118, DPC_EXACT_FIRST = 256, DPC_EXACT_STEPS = 3, DPC_EXACT_LEAST = 160 };

/* first: of (256 + k) / 256 and what follows, the logarithm of about that number, and the factor, times 512, whose
 * logarithm this is with the other sign.  step[s][DPC_EXACT_LEAST + j]: the same of the factor 1 - j * 2^-shift. */
static __attribute__((unused)) struct {
    dpc_wide first[DPC_EXACT_FIRST], step[DPC_EXACT_STEPS][512], two;
    uint64_t factor[DPC_EXACT_FIRST];
} dpc_exact_logarithms;

#define DPC_EXACT_SHIFT(s) (15 + 7 * (s) + (s) / 2)

/* exponent: of the power of two.  negative, zeros, infinities, nans: how many factors were. */
typedef struct {
    dpc_wide logarithm;
    int64_t exponent, negative, zeros, infinities, nans;
} dpc_exact_product;

/* -log(1 - j * 2^-shift), |j| < 2^9 and at most 2^(shift - 1): the series. */
static inline __attribute__((unused)) dpc_wide dpc_exact_series(int j, int shift) {
    dpc_wide power = (dpc_wide)1 << DPC_EXACT_POINT, sum = 0;
    for (int k = 1; k < 1 << 10; k++) {
        power = power * j >> shift;
        if (power == 0 || power == -1) break;
        sum += power / k;
    }
    return sum;
}

/* No factor.  Before threads use it: the tables are made here. */
static inline __attribute__((unused)) dpc_exact_product dpc_exact_one(void) {
    if (dpc_exact_logarithms.two == 0) {
        for (int k = 0; k < DPC_EXACT_FIRST; k++) {
            const int factor = (512 * 256 + 255 + k) / (256 + k);
            dpc_exact_logarithms.factor[k] = (uint64_t)factor;
            dpc_exact_logarithms.first[k] = dpc_exact_series(512 - factor, 9);
        }
        for (int s = 0; s < DPC_EXACT_STEPS; s++)
            for (int k = 0; k < 512; k++)
                dpc_exact_logarithms.step[s][k] = dpc_exact_series(k - DPC_EXACT_LEAST, DPC_EXACT_SHIFT(s));
        dpc_exact_logarithms.two = dpc_exact_series(256, 9);
    }
    return (dpc_exact_product){0};
}

/* Times 2^exponent and the exponential. */
static inline __attribute__((unused)) void dpc_exact_scale(dpc_exact_product *product, dpc_wide logarithm,
                                                           int64_t exponent) {
    const dpc_wide two = dpc_exact_logarithms.two;
    product->logarithm += logarithm;
    product->exponent += exponent;
    while (product->logarithm >= two) product->logarithm -= two, product->exponent++;
    while (product->logarithm < 0) product->logarithm += two, product->exponent--;
}

#define DPC_EXACT_STEP(s)                                                                                              \
    {                                                                                                                  \
        const int64_t j = (int64_t)(rest >> (DPC_EXACT_POINT - DPC_EXACT_SHIFT(s)));                                   \
        rest -= (one + rest) * j >> DPC_EXACT_SHIFT(s);                                                                \
        logarithm += dpc_exact_logarithms.step[s][DPC_EXACT_LEAST + j];                                                \
    }

/* The logarithm of significand / 2^63, where that has its highest bit. */
static inline __attribute__((unused)) dpc_wide dpc_exact_logarithm(uint64_t significand) {
    const dpc_wide one = (dpc_wide)1 << DPC_EXACT_POINT;
    const unsigned k = (unsigned)(significand >> 55) - DPC_EXACT_FIRST;
    dpc_wide rest = ((dpc_wide)significand * dpc_exact_logarithms.factor[k] << (DPC_EXACT_POINT - 63 - 9)) - one;
    dpc_wide logarithm = dpc_exact_logarithms.first[k];
    DPC_EXACT_STEP(0)
    DPC_EXACT_STEP(1)
    DPC_EXACT_STEP(2)
    const int64_t x = (int64_t)(rest >> 26); /* less than 2^-30, in units of 2^-92 */
    const dpc_wide square = (dpc_wide)x * x;
    return logarithm + rest - (square >> 67) + ((square >> 66) * (x >> 30) >> 62) / 3;
}

/* significand * 2^exponent, not zero. */
static inline __attribute__((unused)) void dpc_exact_multiply_by(dpc_exact_product *product, uint64_t significand,
                                                                 int exponent) {
    const int zeros = __builtin_clzll(significand);
    dpc_exact_scale(product, dpc_exact_logarithm(significand << zeros), exponent + 63 - zeros);
}

static inline __attribute__((unused)) void dpc_exact_multiply_special(dpc_exact_product *product, double value) {
    if (value == 0)
        product->zeros++;
    else if (value != value)
        product->nans++;
    else
        product->infinities++;
}

static inline __attribute__((unused)) void dpc_exact_multiply(dpc_exact_product *product, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & 0xfffffffffffff, hidden = (uint64_t)(exponent != 0) << 52;
    product->negative += (int64_t)(bits >> 63);
    if (exponent == 0x7ff || value == 0)
        dpc_exact_multiply_special(product, value);
    else
        dpc_exact_multiply_by(product, fraction | hidden, exponent + (exponent == 0) - 1075);
}

#if LDBL_MANT_DIG != 64 && LDBL_MANT_DIG != DBL_MANT_DIG
void dpc_exact_long_multiply(dpc_exact_product *product, long double value)
    __attribute__((error("--reproducible knows long double of 64 bits of precision, and the one that is double")));
#else
static inline __attribute__((unused)) void dpc_exact_long_multiply(dpc_exact_product *product, long double value) {
#if LDBL_MANT_DIG == 64
    const dpc_exact_long_bits x = dpc_exact_long_bits_of(value);
    const int exponent = x.exponent & 0x7fff;
    product->negative += x.exponent >> 15;
    if (exponent == 0x7fff || value == 0)
        dpc_exact_multiply_special(product, (double)value);
    else
        dpc_exact_multiply_by(product, x.magnitude, exponent + (exponent == 0) - 16446);
#else
    dpc_exact_multiply(product, (double)value);
#endif
}
#endif

/* One product and another: of threads. */
static inline __attribute__((unused)) void dpc_exact_product_join(dpc_exact_product *product,
                                                                  const dpc_exact_product *more) {
    dpc_exact_scale(product, more->logarithm, more->exponent);
    product->negative += more->negative;
    product->zeros += more->zeros;
    product->infinities += more->infinities;
    product->nans += more->nans;
}

/* ---- Rounding, once */

/* Of fixed-point numbers below 2. */
static inline __attribute__((unused)) dpc_unsigned_wide dpc_exact_times(dpc_unsigned_wide x, dpc_unsigned_wide y) {
    const dpc_unsigned_wide low = (uint64_t)x, high = x >> 64, other_low = (uint64_t)y, other_high = y >> 64;
    const dpc_unsigned_wide middle = high * other_low + low * other_high + (low * other_low >> 64);
    return (high * other_high << (128 - DPC_EXACT_POINT)) + (middle >> (DPC_EXACT_POINT - 64));
}

static inline __attribute__((unused)) dpc_unsigned_wide dpc_exact_exponential(dpc_unsigned_wide x) {
    dpc_unsigned_wide term = (dpc_unsigned_wide)1 << DPC_EXACT_POINT, sum = term;
    for (unsigned k = 1; term > 0; k++) {
        term = dpc_exact_times(term, x) / k;
        sum += term;
    }
    return sum;
}

/* To `digits` bits and multiples of 2^least.  What is a tie but for the logarithms' errors is taken for one: most of
 * these are products of few factors, such as 1.5 * (1 + 2^-52), that would be ties without these errors. */
static inline __attribute__((unused)) dpc_exact_rounded dpc_exact_product_round(const dpc_exact_product *product,
                                                                                int digits, int least) {
    const dpc_unsigned_wide y = dpc_exact_exponential((dpc_unsigned_wide)product->logarithm);
    const dpc_wide nearly = (dpc_wide)1 << 16;
    dpc_exact_rounded x = {0, 0, (int)(product->negative & 1)};
    if (product->exponent < least - 1) return x;
    const int exponent = product->exponent > 1 << 20 ? 1 << 20 : (int)product->exponent;
    x.exponent = exponent - digits + 1 > least ? exponent - digits + 1 : least;
    const int cut = x.exponent - exponent + DPC_EXACT_POINT;
    const dpc_unsigned_wide unit = (dpc_unsigned_wide)1 << cut;
    const dpc_wide above = (dpc_wide)(y & (unit - 1)) - (dpc_wide)(unit / 2);
    x.magnitude = (uint64_t)(y >> cut);
    if (above < -nearly || (above <= nearly && !(x.magnitude & 1))) return x;
    if (++x.magnitude == 0) { /* 2^64 */
        x.magnitude = (uint64_t)1 << 63;
        x.exponent++;
    }
    return x;
}

/* 1: zero, infinity or NaN. */
static inline __attribute__((unused)) int dpc_exact_is_special(const dpc_exact_product *product, double *value) {
    *value = product->nans || (product->zeros && product->infinities) ? __builtin_nan("")
             : product->infinities                                    ? HUGE_VAL
                                                                      : 0;
    if (product->negative & 1) *value = -*value;
    return product->nans || product->zeros || product->infinities;
}

static inline __attribute__((unused)) double dpc_exact_product_double(const dpc_exact_product *product) {
    double value;
    if (dpc_exact_is_special(product, &value)) return value;
    const dpc_exact_rounded x = dpc_exact_product_round(product, 53, -1074);
    value = ldexp((double)x.magnitude, x.exponent);
    return x.negative ? -value : value;
}

static inline __attribute__((unused)) long double dpc_exact_product_long_double(const dpc_exact_product *product) {
    double special;
    if (dpc_exact_is_special(product, &special)) return special;
    const dpc_exact_rounded x = dpc_exact_product_round(product, LDBL_MANT_DIG, LDBL_MIN_EXP - LDBL_MANT_DIG);
    const long double value = ldexpl((long double)x.magnitude, x.exponent);
    return x.negative ? -value : value;
}

#endif
#endif

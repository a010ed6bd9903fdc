/* Sums of floating-point values without rounding, which --reproducible forms: whatever order the values come in, and
 * however they are shared out, the sum is the same.  Pure arithmetic; a serial program has this text in it.
 *
 * An accumulator is a fixed-point number that is wide enough for every finite value: U. W. Kulisch, W. L. Miranker,
 * "The arithmetic of the digital computer: a new approach", SIAM Review 28(1), 1986.  It is kept in overlapping
 * integers without carries between them while values are added, as the small superaccumulator of R. M. Neal, "Fast
 * exact summation using small and large superaccumulators", arXiv:1505.05571, 2015; here with integers of 128 bits, so
 * that 2^43 values go in before a carry could be lost. */
#ifndef DPC_EXACT_H
#define DPC_EXACT_H
#ifndef __cplusplus

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 dpc_wide;
__extension__ typedef unsigned __int128 dpc_unsigned_wide;

/* One bin for 32 exponents, and three that take carries. */
enum { DPC_EXACT_BINS = 67, DPC_EXACT_LONG_BINS = 1027 };

/* Number k in bin b is k * 2^(32 b - 1075), of a long one k * 2^(32 b - 16446).  special: how many values were
 * infinity, -infinity, NaN.  All zero: no value, a sum of 0. */
typedef struct {
    dpc_wide bin[DPC_EXACT_BINS];
    int64_t special[3];
} dpc_exact;

/* Values of 64 bits leave room for 2^32 of them; then there are carries.  values: since the last ones. */
typedef struct {
    dpc_wide bin[DPC_EXACT_LONG_BINS];
    int64_t special[3], values;
} dpc_exact_long;

/* Real and imaginary part. */
typedef struct {
    dpc_exact part[2];
} dpc_exact_complex;
typedef struct {
    dpc_exact_long part[2];
} dpc_exact_long_complex;

/* ---- Adding */

static inline __attribute__((unused)) void dpc_exact_add_special(int64_t *special, double value) {
    special[value > 0 ? 0 : value < 0 ? 1 : 2]++;
}

/* 0, numbers below the least normal one, infinities and NaN. */
static inline __attribute__((unused)) void dpc_exact_add_rare(dpc_exact *sum, double value, uint64_t bits) {
    const int64_t magnitude = (int64_t)(bits & 0xfffffffffffff);
    if ((bits >> 52 & 0x7ff) != 0)
        dpc_exact_add_special(sum->special, value);
    else
        sum->bin[0] += 2 * (bits >> 63 ? -magnitude : magnitude);
}

static inline __attribute__((unused)) void dpc_exact_add(dpc_exact *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    const int64_t sign = (int64_t)bits >> 63, magnitude = (int64_t)((bits & 0xfffffffffffff) | (uint64_t)1 << 52);
    if (__builtin_expect(exponent - 1 >= 0x7fe, 0))
        dpc_exact_add_rare(sum, value, bits);
    else
        sum->bin[exponent >> 5] += (dpc_wide)((magnitude ^ sign) - sign) * ((int64_t)1 << (exponent & 31));
}

/* Carries: every bin but the last one is 0 .. 2^32 - 1 then. */
static inline __attribute__((unused)) void dpc_exact_carry(int bins, dpc_wide *bin) {
    dpc_wide carry = 0;
    for (int b = 0; b < bins; b++) {
        const dpc_wide all = bin[b] + carry;
        carry = all >> 32;
        bin[b] = b + 1 < bins ? all & 0xffffffff : all;
    }
}

#if LDBL_MANT_DIG != 64 && LDBL_MANT_DIG != DBL_MANT_DIG
void dpc_exact_long_add(dpc_exact_long *sum, long double value)
    __attribute__((error("--reproducible knows long double of 64 bits of precision, and the one that is double")));
#else
static inline __attribute__((unused)) void dpc_exact_long_add(dpc_exact_long *sum, long double value) {
#if LDBL_MANT_DIG == 64
    struct {
        uint64_t magnitude;
        uint16_t exponent;
    } x;
    memcpy(&x, &value, 10);
    const unsigned given = x.exponent & 0x7fff, exponent = given + (given == 0);
    if (__builtin_expect(given == 0x7fff, 0)) {
        dpc_exact_add_special(sum->special, (double)value);
        return;
    }
    const dpc_wide shifted = (dpc_wide)x.magnitude * ((int64_t)1 << (exponent & 31));
    sum->bin[exponent >> 5] += x.exponent >> 15 ? -shifted : shifted;
    if (__builtin_expect(++sum->values == 1 << 30, 0)) {
        dpc_exact_carry(DPC_EXACT_LONG_BINS, sum->bin);
        sum->values = 0;
    }
#else
    dpc_exact x = {0};
    dpc_exact_add(&x, (double)value);
    for (int b = 0; b < DPC_EXACT_BINS; b++) sum->bin[b] += x.bin[b];
    for (int k = 0; k < 3; k++) sum->special[k] += x.special[k];
#endif
}
#endif

static inline __attribute__((unused)) void dpc_exact_complex_add(dpc_exact_complex *sum, double _Complex value) {
    dpc_exact_add(&sum->part[0], __real__ value);
    dpc_exact_add(&sum->part[1], __imag__ value);
}

static inline __attribute__((unused)) void dpc_exact_long_complex_add(dpc_exact_long_complex *sum,
                                                                      long double _Complex value) {
    dpc_exact_long_add(&sum->part[0], __real__ value);
    dpc_exact_long_add(&sum->part[1], __imag__ value);
}

/* ---- One sum and another: of threads */

static inline __attribute__((unused)) void dpc_exact_join(dpc_exact *sum, const dpc_exact *more) {
    for (int b = 0; b < DPC_EXACT_BINS; b++) sum->bin[b] += more->bin[b];
    for (int k = 0; k < 3; k++) sum->special[k] += more->special[k];
}

static inline __attribute__((unused)) void dpc_exact_long_join(dpc_exact_long *sum, const dpc_exact_long *more) {
    for (int b = 0; b < DPC_EXACT_LONG_BINS; b++) sum->bin[b] += more->bin[b];
    for (int k = 0; k < 3; k++) sum->special[k] += more->special[k];
    dpc_exact_carry(DPC_EXACT_LONG_BINS, sum->bin);
}

static inline __attribute__((unused)) void dpc_exact_complex_join(dpc_exact_complex *sum,
                                                                  const dpc_exact_complex *more) {
    for (int k = 0; k < 2; k++) dpc_exact_join(&sum->part[k], &more->part[k]);
}

static inline __attribute__((unused)) void dpc_exact_long_complex_join(dpc_exact_long_complex *sum,
                                                                       const dpc_exact_long_complex *more) {
    for (int k = 0; k < 2; k++) dpc_exact_long_join(&sum->part[k], &more->part[k]);
}

/* ---- Rounding, once: to the nearest value, and of two to the even one */

/* A number of at most `digits` bits times 2^exponent. */
typedef struct {
    uint64_t magnitude;
    int exponent, negative;
} dpc_exact_rounded;

/* The bins' sign becomes *negative, the bins their absolute value. */
static inline __attribute__((unused)) int dpc_exact_sign(int bins, dpc_wide *bin) {
    dpc_exact_carry(bins, bin);
    if (bin[bins - 1] >= 0) return 0;
    for (int b = 0; b < bins; b++) bin[b] = -bin[b];
    dpc_exact_carry(bins, bin);
    return 1;
}

/* unit: of bin 0, least: of the result, as exponents of 2. */
static inline __attribute__((unused)) dpc_exact_rounded dpc_exact_round(int bins, dpc_wide *bin, int unit, int digits,
                                                                        int least) {
    dpc_exact_rounded x = {0, 0, dpc_exact_sign(bins, bin)};
    dpc_unsigned_wide window = 0;
    int top = bins - 1, below = 0;
    while (top >= 0 && bin[top] == 0) top--;
    if (top < 0) return x;
    for (int k = 0; k < 4; k++) window = window << 32 | (top >= k ? (dpc_unsigned_wide)bin[top - k] : 0);
    for (int b = 0; b < top - 3; b++) below |= bin[b] != 0;
    const int first = 32 * (top - 3), highest = 32 * top + 31 - __builtin_clz((unsigned)bin[top]);
    int lowest = highest - digits + 1;
    if (lowest < least - unit) lowest = least - unit;
    if (lowest > highest + 1) return x;
    const int cut = lowest - first;
    const dpc_unsigned_wide half = (dpc_unsigned_wide)1 << (cut - 1), rest = window & (half | (half - 1));
    x.magnitude = cut < 128 ? (uint64_t)(window >> cut) : 0;
    x.exponent = unit + lowest;
    if (rest < half || (rest == half && !below && !(x.magnitude & 1))) return x;
    if (++x.magnitude == 0) { /* 2^64 */
        x.magnitude = (uint64_t)1 << 63;
        x.exponent++;
    }
    return x;
}

static inline __attribute__((unused)) double dpc_exact_of_special(const int64_t *special) {
    if (special[2] || (special[0] && special[1])) return __builtin_nan("");
    return special[0] ? HUGE_VAL : special[1] ? -HUGE_VAL : 0;
}

static inline __attribute__((unused)) double dpc_exact_in(const dpc_exact *sum, int digits, int least) {
    dpc_exact all = *sum;
    if (sum->special[0] || sum->special[1] || sum->special[2]) return dpc_exact_of_special(sum->special);
    const dpc_exact_rounded x = dpc_exact_round(DPC_EXACT_BINS, all.bin, -1075, digits, least);
    const double value = ldexp((double)x.magnitude, x.exponent);
    return x.negative && value != 0 ? -value : value;
}

static inline __attribute__((unused)) double dpc_exact_double(const dpc_exact *sum) {
    return dpc_exact_in(sum, 53, -1074);
}

static inline __attribute__((unused)) float dpc_exact_float(const dpc_exact *sum) {
    return (float)dpc_exact_in(sum, 24, -149);
}

static inline __attribute__((unused)) long double dpc_exact_long_double(const dpc_exact_long *sum) {
    dpc_exact_long all = *sum;
    if (sum->special[0] || sum->special[1] || sum->special[2]) return dpc_exact_of_special(sum->special);
    const int unit = LDBL_MIN_EXP - LDBL_MANT_DIG - 1;
    const dpc_exact_rounded x = dpc_exact_round(DPC_EXACT_LONG_BINS, all.bin, unit, LDBL_MANT_DIG, unit + 1);
    const long double value = ldexpl((long double)x.magnitude, x.exponent);
    return x.negative && value != 0 ? -value : value;
}

/* The products with i would turn infinities into NaN. */
#define DPC_EXACT_COMPLEX(type, sum, rounded)                                                                          \
    type _Complex value;                                                                                               \
    __real__ value = rounded(&(sum)->part[0]);                                                                         \
    __imag__ value = rounded(&(sum)->part[1]);                                                                         \
    return value;

static inline __attribute__((unused)) double _Complex dpc_exact_double_complex(const dpc_exact_complex *sum) {
    DPC_EXACT_COMPLEX(double, sum, dpc_exact_double)
}

static inline __attribute__((unused)) float _Complex dpc_exact_float_complex(const dpc_exact_complex *sum) {
    DPC_EXACT_COMPLEX(float, sum, dpc_exact_float)
}

static inline
    __attribute__((unused)) long double _Complex dpc_exact_long_double_complex(const dpc_exact_long_complex *sum) {
    DPC_EXACT_COMPLEX(long double, sum, dpc_exact_long_double)
}

/* ---- Sums of an array's elements */

/* `count` sums of `size` bytes each, of no value. */
static inline __attribute__((unused)) void *dpc_exact_sums(size_t count, size_t size) {
    void *sums = calloc(count ? count : 1, size);
    if (sums == NULL) fprintf(stderr, "error: no memory for %zu sums of %zu bytes\n", count, size), exit(1);
    return sums;
}

/* Adds them, rounded, to as many elements of type `ctype`, and frees them. */
#define DPC_ADD_EXACT_SUMS(ctype, exact, rounded, count, elements, sums)                                               \
    do {                                                                                                               \
        ctype *const dpc_to = (ctype *)(elements);                                                                     \
        exact *const dpc_from = (exact *)(sums);                                                                       \
        for (size_t dpc_k = 0, dpc_n = (size_t)(count); dpc_k < dpc_n; dpc_k++)                                        \
            dpc_to[dpc_k] += rounded(&dpc_from[dpc_k]);                                                                \
        free(dpc_from);                                                                                                \
    } while (0)

#endif
#endif

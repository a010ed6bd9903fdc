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

/* The significand of a normal number. */
static inline __attribute__((unused)) dpc_wide dpc_exact_signed(uint64_t bits) {
    const int64_t sign = (int64_t)bits >> 63, magnitude = (int64_t)((bits & 0xfffffffffffff) | (uint64_t)1 << 52);
    return (magnitude ^ sign) - sign;
}

static inline __attribute__((unused)) void dpc_exact_add(dpc_exact *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    if (__builtin_expect(exponent - 1 >= 0x7fe, 0))
        dpc_exact_add_rare(sum, value, bits);
    else
        sum->bin[exponent >> 5] += dpc_exact_signed(bits) * ((int64_t)1 << (exponent & 31));
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

#if LDBL_MANT_DIG == 64
typedef struct {
    uint64_t magnitude;
    uint16_t exponent;
} dpc_exact_long_bits;

static inline __attribute__((unused)) dpc_exact_long_bits dpc_exact_long_bits_of(long double value) {
    dpc_exact_long_bits x;
    memcpy(&x, &value, 10);
    return x;
}

static inline __attribute__((unused)) dpc_wide dpc_exact_long_signed(dpc_exact_long_bits x) {
    return x.exponent >> 15 ? -(dpc_wide)x.magnitude : (dpc_wide)x.magnitude;
}
#endif

#if LDBL_MANT_DIG != 64 && LDBL_MANT_DIG != DBL_MANT_DIG
void dpc_exact_long_add(dpc_exact_long *sum, long double value)
    __attribute__((error("--reproducible knows long double of 64 bits of precision, and the one that is double")));
#else
static inline __attribute__((unused)) void dpc_exact_long_add(dpc_exact_long *sum, long double value) {
#if LDBL_MANT_DIG == 64
    const dpc_exact_long_bits x = dpc_exact_long_bits_of(value);
    const unsigned given = x.exponent & 0x7fff, exponent = given + (given == 0);
    if (__builtin_expect(given == 0x7fff, 0)) {
        dpc_exact_add_special(sum->special, (double)value);
        return;
    }
    sum->bin[exponent >> 5] += dpc_exact_long_signed(x) * ((int64_t)1 << (exponent & 31));
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

/* ---- Sums of an array's elements: 32 bytes where their values are of similar size */

enum {
    DPC_EXACT_CELL_BASE = 1 << 16,
    DPC_EXACT_CELL_SHIFT = 62,  /* the most that a value is shifted */
    DPC_EXACT_CELL_FIRST = 40,  /* by how much the first one is */
    DPC_EXACT_CELL_RAISED = 48, /* one that is too large for what there is */
};

/* `sum` is a multiple of the value that has number 2^(unit - DPC_EXACT_CELL_BASE) in bin 0 of a dpc_exact; unit 0:
 * nothing but zeros has come.  What is too small for it, what would overflow it, and what is no number is in `rest`, a
 * dpc_exact, or a dpc_exact_long of long double. */
typedef struct {
    dpc_wide sum;
    void *rest;
    int unit;
} dpc_exact_cell;
typedef struct {
    dpc_exact_cell part[2];
} dpc_exact_complex_cell;

/* bins: of the rest. */
static inline __attribute__((unused)) void *dpc_exact_rest(dpc_exact_cell *sum, int bins) {
    if (sum->rest == NULL) sum->rest = calloc(1, bins == DPC_EXACT_BINS ? sizeof(dpc_exact) : sizeof(dpc_exact_long));
    if (sum->rest == NULL) fprintf(stderr, "error: no memory for a sum that is rounded once\n"), exit(1);
    return sum->rest;
}

/* value: a multiple of what `unit` says, of at most 64 bits and a sign. */
static inline __attribute__((unused)) void dpc_exact_add_to_bin(dpc_wide *bin, dpc_wide value, int unit) {
    const int exponent = unit - DPC_EXACT_CELL_BASE;
    bin[exponent >> 5] += value * ((dpc_wide)1 << (exponent & 31));
}

static inline __attribute__((unused)) void dpc_exact_add_wide(dpc_wide *bin, dpc_wide value, int unit) {
    dpc_exact_add_to_bin(bin, (dpc_wide)(uint64_t)value, unit);
    dpc_exact_add_to_bin(bin, value >> 64, unit + 64);
}

/* The value in a unit that is not below the one it has; what is lost goes to the sum's rest. */
static inline __attribute__((unused)) dpc_wide dpc_exact_raised(dpc_exact_cell *sum, int bins, dpc_wide value, int from,
                                                                int to) {
    const int up = to - from;
    const dpc_wide kept = up < 127 ? value >> up : 0, lost = up < 127 ? value - kept * ((dpc_wide)1 << up) : value;
    if (lost != 0) dpc_exact_add_wide((dpc_wide *)dpc_exact_rest(sum, bins), lost, from);
    return kept;
}

static inline __attribute__((unused)) void dpc_exact_raise(dpc_exact_cell *sum, int bins, int unit) {
    if (sum->unit != 0) sum->sum = dpc_exact_raised(sum, bins, sum->sum, sum->unit, unit);
    sum->unit = unit;
}

/* Makes room for a value of this exponent that has none; false: it is too small. */
static inline __attribute__((unused)) int dpc_exact_makes_room(dpc_exact_cell *sum, int bins, int exponent) {
    const int below = exponent - (sum->unit == 0 ? DPC_EXACT_CELL_FIRST : DPC_EXACT_CELL_RAISED);
    if (exponent + DPC_EXACT_CELL_BASE < sum->unit) return 0;
    dpc_exact_raise(sum, bins, DPC_EXACT_CELL_BASE + (below > 0 ? below : 0));
    return 1;
}

static inline __attribute__((unused)) void dpc_exact_increase(dpc_exact_cell *sum, int bins, dpc_wide value) {
    dpc_wide all;
    if (__builtin_expect(__builtin_add_overflow(sum->sum, value, &all), 0)) {
        dpc_exact_add_wide((dpc_wide *)dpc_exact_rest(sum, bins), sum->sum, sum->unit);
        all = value;
    }
    sum->sum = all;
}

/* A value for which the sum has no place, or zero. */
static inline __attribute__((unused)) void dpc_exact_cell_add_rare(dpc_exact_cell *sum, double value, uint64_t bits) {
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (value == 0) return;
    if (exponent == 0 || exponent == 0x7ff || !dpc_exact_makes_room(sum, DPC_EXACT_BINS, exponent)) {
        dpc_exact_add((dpc_exact *)dpc_exact_rest(sum, DPC_EXACT_BINS), value);
        return;
    }
    const int shift = exponent + DPC_EXACT_CELL_BASE - sum->unit;
    dpc_exact_increase(sum, DPC_EXACT_BINS, dpc_exact_signed(bits) * ((dpc_wide)1 << shift));
}

static inline __attribute__((unused)) void dpc_exact_cell_add(dpc_exact_cell *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    const unsigned shift = exponent + DPC_EXACT_CELL_BASE - (unsigned)sum->unit;
    if (__builtin_expect(exponent - 1 >= 0x7fe || shift > DPC_EXACT_CELL_SHIFT, 0))
        dpc_exact_cell_add_rare(sum, value, bits);
    else
        dpc_exact_increase(sum, DPC_EXACT_BINS, dpc_exact_signed(bits) * ((int64_t)1 << shift));
}

static inline __attribute__((unused)) void dpc_exact_long_cell_add(dpc_exact_cell *sum, long double value) {
    if (value == 0) return;
#if LDBL_MANT_DIG == 64
    const dpc_exact_long_bits x = dpc_exact_long_bits_of(value);
    const int given = x.exponent & 0x7fff, exponent = given + (given == 0);
    if (given != 0x7fff && ((unsigned)exponent + DPC_EXACT_CELL_BASE - (unsigned)sum->unit <= DPC_EXACT_CELL_SHIFT ||
                            dpc_exact_makes_room(sum, DPC_EXACT_LONG_BINS, exponent))) {
        const int shift = exponent + DPC_EXACT_CELL_BASE - sum->unit;
        dpc_exact_increase(sum, DPC_EXACT_LONG_BINS, dpc_exact_long_signed(x) * ((int64_t)1 << shift));
        return;
    }
#endif
    dpc_exact_long_add((dpc_exact_long *)dpc_exact_rest(sum, DPC_EXACT_LONG_BINS), value);
}

static inline __attribute__((unused)) void dpc_exact_complex_cell_add(dpc_exact_complex_cell *sum,
                                                                      double _Complex value) {
    dpc_exact_cell_add(&sum->part[0], __real__ value);
    dpc_exact_cell_add(&sum->part[1], __imag__ value);
}

static inline __attribute__((unused)) void dpc_exact_long_complex_cell_add(dpc_exact_complex_cell *sum,
                                                                           long double _Complex value) {
    dpc_exact_long_cell_add(&sum->part[0], __real__ value);
    dpc_exact_long_cell_add(&sum->part[1], __imag__ value);
}

/* One sum and another, without the other's rest. */
static inline __attribute__((unused)) void dpc_exact_cell_join(dpc_exact_cell *sum, int bins,
                                                               const dpc_exact_cell *more) {
    dpc_wide value = more->sum;
    if (more->unit == 0) return;
    if (sum->unit < more->unit) dpc_exact_raise(sum, bins, more->unit);
    if (sum->unit > more->unit) value = dpc_exact_raised(sum, bins, value, more->unit, sum->unit);
    dpc_exact_increase(sum, bins, value);
}

/* Whether some value was not zero. */
static inline __attribute__((unused)) int dpc_exact_has_values(const dpc_exact_cell *sum) {
    return sum->unit != 0 || sum->rest != NULL;
}

static inline __attribute__((unused)) int dpc_exact_complex_has_values(const dpc_exact_complex_cell *sum) {
    return dpc_exact_has_values(&sum->part[0]) || dpc_exact_has_values(&sum->part[1]);
}

static inline __attribute__((unused)) void dpc_exact_free_rest(dpc_exact_cell *sum) {
    if (__builtin_expect(sum->rest != NULL, 0)) free(sum->rest);
}

static inline __attribute__((unused)) void dpc_exact_complex_free_rest(dpc_exact_complex_cell *sum) {
    for (int k = 0; k < 2; k++) dpc_exact_free_rest(&sum->part[k]);
}

/* What has a rest, or may be below the least normal value. */
static __attribute__((unused, noinline)) double dpc_exact_rare_double(const dpc_exact_cell *sum) {
    dpc_exact all = {{0}, {0}};
    if (sum->rest != NULL) all = *(const dpc_exact *)sum->rest;
    if (sum->unit != 0) dpc_exact_add_wide(all.bin, sum->sum, sum->unit);
    return dpc_exact_double(&all);
}

static __attribute__((unused, noinline)) long double dpc_exact_rare_long_double(const dpc_exact_cell *sum) {
    dpc_exact_long all = {{0}, {0}, 0};
    if (sum->rest != NULL) all = *(const dpc_exact_long *)sum->rest;
    if (sum->unit != 0) dpc_exact_add_wide(all.bin, sum->sum, sum->unit);
    return dpc_exact_long_double(&all);
}

/* The compiler rounds integers as the values are to be, and the product with a power of two that is a normal number is
 * exact. */
static inline __attribute__((unused)) double dpc_exact_cell_double(const dpc_exact_cell *sum) {
    const int exponent = sum->unit - DPC_EXACT_CELL_BASE - 1075;
    if (sum->rest != NULL || exponent < DBL_MIN_EXP || exponent >= DBL_MAX_EXP) return dpc_exact_rare_double(sum);
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (double)sum->sum * scale;
}

static inline __attribute__((unused)) long double dpc_exact_cell_long_double(const dpc_exact_cell *sum) {
    const int exponent = sum->unit - DPC_EXACT_CELL_BASE + LDBL_MIN_EXP - LDBL_MANT_DIG - 1;
    if (sum->rest != NULL || exponent < LDBL_MIN_EXP || exponent >= LDBL_MAX_EXP)
        return dpc_exact_rare_long_double(sum);
    return ldexpl((long double)sum->sum, exponent);
}

static inline __attribute__((unused)) double _Complex dpc_exact_cell_double_complex(const dpc_exact_complex_cell *sum) {
    DPC_EXACT_COMPLEX(double, sum, dpc_exact_cell_double)
}

static inline
    __attribute__((unused)) long double _Complex dpc_exact_cell_long_double_complex(const dpc_exact_complex_cell *sum) {
    DPC_EXACT_COMPLEX(long double, sum, dpc_exact_cell_long_double)
}

/* `count` sums of `size` bytes each, of no value, of which each lies in one line of the cache; the byte before them
 * says how far into the memory they begin. */
static inline __attribute__((unused)) void *dpc_exact_sums(size_t count, size_t size) {
    enum { LINE = 64 };
    unsigned char *memory =
        (unsigned char *)(count < SIZE_MAX / size - LINE ? calloc(count + LINE / size, size) : NULL);
    if (memory == NULL) fprintf(stderr, "error: no memory for %zu sums of %zu bytes\n", count, size), exit(1);
    const size_t before = LINE - (uintptr_t)memory % LINE;
    memory[before - 1] = (unsigned char)before;
    return memory + before;
}

static inline __attribute__((unused)) void dpc_exact_free_sums(void *sums) {
    free((unsigned char *)sums - ((unsigned char *)sums)[-1]);
}

/* Adds them, rounded, to as many elements of type `ctype`, but for sums of zeros alone; frees what they have. */
#define DPC_ADD_CELLS(ctype, cell, kind, rounded, count, elements, sums)                                               \
    do {                                                                                                               \
        ctype *const dpc_to = (ctype *)(elements);                                                                     \
        cell *const dpc_from = (cell *)(sums);                                                                         \
        for (size_t dpc_k = 0, dpc_n = (size_t)(count); dpc_k < dpc_n; dpc_k++) {                                      \
            if (!kind##_has_values(&dpc_from[dpc_k])) continue;                                                        \
            dpc_to[dpc_k] = (ctype)(dpc_to[dpc_k] + rounded(&dpc_from[dpc_k]));                                        \
            kind##_free_rest(&dpc_from[dpc_k]);                                                                        \
        }                                                                                                              \
    } while (0)
/* The same of sums that dpc_exact_sums has made, which it frees. */
#define DPC_ADD_EXACT_SUMS(ctype, cell, kind, rounded, count, elements, sums)                                          \
    do {                                                                                                               \
        DPC_ADD_CELLS(ctype, cell, kind, rounded, count, elements, sums);                                              \
        dpc_exact_free_sums(sums);                                                                                     \
    } while (0)

#endif
#endif

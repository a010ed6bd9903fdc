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

/* ---- Sums of an array's elements: two numbers each, where that holds them */

/* The sum is high + low, without rounding, or what the address in `low` leads to where `high` is no number.  All zero:
 * no value. */
typedef struct {
    double high, low;
} dpc_exact_cell;
typedef struct {
    long double high, low;
} dpc_exact_long_cell;
typedef struct {
    dpc_exact_cell part[2];
} dpc_exact_complex_cell;
typedef struct {
    dpc_exact_long_cell part[2];
} dpc_exact_long_complex_cell;

/* Whether what is computed with doubles is rounded to doubles, each time. */
#if FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD == -1
enum { DPC_EXACT_ROUNDS_DOUBLES = 0 };
#else
enum { DPC_EXACT_ROUNDS_DOUBLES = 1 };
#endif

static inline __attribute__((unused)) void *dpc_exact_new_accumulator(size_t size) {
    void *all = calloc(1, size);
    if (all == NULL) fprintf(stderr, "error: no memory for a sum that is rounded once\n"), exit(1);
    return all;
}

/* The sum and the error of an addition (D. E. Knuth, "The art of computer programming", volume 2, section 4.2.2): `low`
 * takes the errors while it does so without one of its own.  What is no number fails all comparisons.
 *
 *     cell_accumulator   what has the sum, NULL: the two numbers have it
 *     cell_takes         adds a value; false, and the sum is as before: two numbers do not hold it
 *     cell_whole         makes what has the sum
 *     cell_include       adds a value
 *     cell_join          adds another sum, but for what its accumulator has
 *     cell_rounded       rounds the sum
 *     cell_clear         frees what has the sum, which is zero then */
#define DPC_EXACT_CELL(cell, real, accumulator, add, rounded, rounds)                                                  \
    static inline __attribute__((unused)) accumulator *cell##_accumulator(const cell *sum) {                           \
        accumulator *all = NULL;                                                                                       \
        if (__builtin_expect(sum->high != sum->high, 0)) memcpy(&all, &sum->low, sizeof all);                          \
        return all;                                                                                                    \
    }                                                                                                                  \
    static inline __attribute__((unused)) int cell##_takes(cell *sum, real value) {                                    \
        const real old = sum->high, high = old + value, added = high - old;                                            \
        const real error = (old - (high - added)) + (value - added), low = sum->low + error;                           \
        if (!(rounds) || !((low - sum->low == error) & (low - error == sum->low))) return 0;                           \
        sum->high = high;                                                                                              \
        sum->low = low;                                                                                                \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static __attribute__((unused, noinline)) accumulator *cell##_whole(cell *sum) {                                    \
        accumulator *all = cell##_accumulator(sum);                                                                    \
        if (all != NULL) return all;                                                                                   \
        all = (accumulator *)dpc_exact_new_accumulator(sizeof *all);                                                   \
        add(all, sum->high);                                                                                           \
        add(all, sum->low);                                                                                            \
        sum->high = __builtin_nan("");                                                                                 \
        memcpy(&sum->low, &all, sizeof all);                                                                           \
        return all;                                                                                                    \
    }                                                                                                                  \
    static __attribute__((unused, noinline)) void cell##_include_rare(cell *sum, real value) {                         \
        cell apart = {sum->high, 0};                                                                                   \
        if (sum->high == sum->high && cell##_takes(&apart, sum->low) && cell##_takes(&apart, value))                   \
            *sum = apart;                                                                                              \
        else                                                                                                           \
            add(cell##_whole(sum), value);                                                                             \
    }                                                                                                                  \
    static inline __attribute__((unused)) void cell##_include(cell *sum, real value) {                                 \
        if (__builtin_expect(!cell##_takes(sum, value), 0)) cell##_include_rare(sum, value);                           \
    }                                                                                                                  \
    static inline __attribute__((unused)) void cell##_join(cell *sum, const cell *more) {                              \
        if (more->high != more->high) return;                                                                          \
        cell##_include(sum, more->high);                                                                               \
        cell##_include(sum, more->low);                                                                                \
    }                                                                                                                  \
    static inline __attribute__((unused)) real cell##_rounded(const cell *sum) {                                       \
        const accumulator *all = cell##_accumulator(sum);                                                              \
        return __builtin_expect(all != NULL, 0) ? rounded(all) : sum->high + sum->low;                                 \
    }                                                                                                                  \
    static inline __attribute__((unused)) void cell##_clear(cell *sum) {                                               \
        accumulator *all = cell##_accumulator(sum);                                                                    \
        if (__builtin_expect(all != NULL, 0)) free(all);                                                               \
        sum->high = sum->low = 0;                                                                                      \
    }

DPC_EXACT_CELL(dpc_exact_cell, double, dpc_exact, dpc_exact_add, dpc_exact_double, DPC_EXACT_ROUNDS_DOUBLES)
DPC_EXACT_CELL(dpc_exact_long_cell, long double, dpc_exact_long, dpc_exact_long_add, dpc_exact_long_double, 1)

static inline
    __attribute__((unused)) double _Complex dpc_exact_complex_cell_rounded(const dpc_exact_complex_cell *sum) {
    DPC_EXACT_COMPLEX(double, sum, dpc_exact_cell_rounded)
}

static inline __attribute__((unused)) long double _Complex dpc_exact_long_complex_cell_rounded(
    const dpc_exact_long_complex_cell *sum) {
    DPC_EXACT_COMPLEX(long double, sum, dpc_exact_long_cell_rounded)
}

static inline __attribute__((unused)) void dpc_exact_complex_cell_clear(dpc_exact_complex_cell *sum) {
    for (int k = 0; k < 2; k++) dpc_exact_cell_clear(&sum->part[k]);
}

static inline __attribute__((unused)) void dpc_exact_long_complex_cell_clear(dpc_exact_long_complex_cell *sum) {
    for (int k = 0; k < 2; k++) dpc_exact_long_cell_clear(&sum->part[k]);
}

/* ---- Values on their way to such sums: each waits until its sum is in the cache */

enum { DPC_EXACT_QUEUE = 64 };

typedef struct {
    dpc_exact_cell *sum;
    double value;
} dpc_exact_addition;

/* How many values have come, and how many of them have been added. */
typedef struct dpc_exact_queue {
    unsigned come, gone;
    dpc_exact_addition of[DPC_EXACT_QUEUE];
} dpc_exact_queue;

typedef double dpc_exact_pair __attribute__((vector_size(16)));

/* Two values to two sums. */
static inline __attribute__((unused)) int dpc_exact_cells_take(const dpc_exact_addition *x,
                                                               const dpc_exact_addition *y) {
    const dpc_exact_pair value = {x->value, y->value};
    const dpc_exact_pair old = {x->sum->high, y->sum->high}, before = {x->sum->low, y->sum->low};
    const dpc_exact_pair high = old + value, added = high - old;
    const dpc_exact_pair error = (old - (high - added)) + (value - added), low = before + error;
    const __typeof__(low == low) exact = (low - before == error) & (low - error == before);
    if (!DPC_EXACT_ROUNDS_DOUBLES || x->sum == y->sum || !(exact[0] & exact[1])) return 0;
    *x->sum = (dpc_exact_cell){high[0], low[0]};
    *y->sum = (dpc_exact_cell){high[1], low[1]};
    return 1;
}

/* Adds the first `count` values.  Neighbours in the queue often belong to neighbours in an array, which the next values
 * are added to, too: a pair is made of values that are apart. */
static __attribute__((unused, noinline)) void dpc_exact_dequeue(dpc_exact_queue *queue, unsigned count) {
    const dpc_exact_addition *first = &queue->of[queue->gone % DPC_EXACT_QUEUE], *second = first + count / 2;
    for (unsigned k = 0; k < count / 2; k++) {
        if (__builtin_expect(dpc_exact_cells_take(&first[k], &second[k]), 1)) continue;
        dpc_exact_cell_include(first[k].sum, first[k].value);
        dpc_exact_cell_include(second[k].sum, second[k].value);
    }
    if (count % 2) dpc_exact_cell_include(first[count - 1].sum, first[count - 1].value);
    queue->gone += count;
}

/* Adds all that wait. */
static inline __attribute__((unused)) void dpc_exact_finish(dpc_exact_queue *queue) {
    while (queue->come != queue->gone) {
        const unsigned count = queue->come - queue->gone, half = DPC_EXACT_QUEUE / 2;
        dpc_exact_dequeue(queue, count < half ? count : half);
    }
}

static inline __attribute__((unused)) void dpc_exact_cell_add(dpc_exact_queue *queue, dpc_exact_cell *sum,
                                                              double value) {
    __builtin_prefetch(sum, 1);
    queue->of[queue->come++ % DPC_EXACT_QUEUE] = (dpc_exact_addition){sum, value};
    if (__builtin_expect(queue->come - queue->gone == DPC_EXACT_QUEUE, 0))
        dpc_exact_dequeue(queue, DPC_EXACT_QUEUE / 2);
}

static inline __attribute__((unused)) void
dpc_exact_complex_cell_add(dpc_exact_queue *queue, dpc_exact_complex_cell *sum, double _Complex value) {
    dpc_exact_cell_add(queue, &sum->part[0], __real__ value);
    dpc_exact_cell_add(queue, &sum->part[1], __imag__ value);
}

/* These do not wait. */
static inline __attribute__((unused)) void dpc_exact_long_cell_add(dpc_exact_queue *queue, dpc_exact_long_cell *sum,
                                                                   long double value) {
    (void)queue;
    dpc_exact_long_cell_include(sum, value);
}

static inline __attribute__((unused)) void
dpc_exact_long_complex_cell_add(dpc_exact_queue *queue, dpc_exact_long_complex_cell *sum, long double _Complex value) {
    dpc_exact_long_cell_add(queue, &sum->part[0], __real__ value);
    dpc_exact_long_cell_add(queue, &sum->part[1], __imag__ value);
}

/* ---- The sums of an ordinary array's elements, and of a serial program's */

/* In front of them. */
typedef struct {
    dpc_exact_queue queue;
    size_t bytes;
} dpc_exact_head;

enum { DPC_EXACT_BEFORE = (sizeof(dpc_exact_head) + 63) / 64 * 64 };

/* The latest that were given back: the statement is likely to be executed again, and new memory costs as much as half
 * of the additions. */
static __attribute__((unused)) unsigned char *dpc_exact_kept;

static inline __attribute__((unused)) dpc_exact_head *dpc_exact_head_of(void *sums) {
    return (dpc_exact_head *)(void *)((unsigned char *)sums - DPC_EXACT_BEFORE);
}

static inline __attribute__((unused)) dpc_exact_queue *dpc_exact_queue_of(void *sums) {
    return &dpc_exact_head_of(sums)->queue;
}

static inline __attribute__((unused)) void dpc_exact_free_sums(void *sums) {
    if (dpc_exact_kept != NULL) free(dpc_exact_kept);
    dpc_exact_kept = (unsigned char *)dpc_exact_head_of(sums);
}

/* `count` sums of `size` bytes each, of no value. */
static inline __attribute__((unused)) void *dpc_exact_sums(size_t count, size_t size) {
    unsigned char *memory = dpc_exact_kept;
    const size_t most = (SIZE_MAX - DPC_EXACT_BEFORE) / size, bytes = DPC_EXACT_BEFORE + count * size;
    dpc_exact_kept = NULL;
    if (memory != NULL && ((dpc_exact_head *)(void *)memory)->bytes != bytes) {
        free(memory);
        memory = NULL;
    }
    if (memory == NULL && count <= most) memory = (unsigned char *)malloc(bytes);
    if (memory == NULL) fprintf(stderr, "error: no memory for %zu sums of %zu bytes\n", count, size), exit(1);
    memset(memory, 0, bytes);
    ((dpc_exact_head *)(void *)memory)->bytes = bytes;
    return memory + DPC_EXACT_BEFORE;
}

/* Adds them, rounded, to as many elements of type `ctype`, but for what is zero; clears them. */
#define DPC_ADD_CELLS(ctype, cell, count, elements, sums)                                                              \
    do {                                                                                                               \
        ctype *const dpc_to = (ctype *)(elements);                                                                     \
        cell *const dpc_from = (cell *)(sums);                                                                         \
        for (size_t dpc_k = 0, dpc_n = (size_t)(count); dpc_k < dpc_n; dpc_k++) {                                      \
            const __typeof__(cell##_rounded(dpc_from)) dpc_sum = cell##_rounded(&dpc_from[dpc_k]);                     \
            if (dpc_sum != 0) dpc_to[dpc_k] = (ctype)(dpc_to[dpc_k] + dpc_sum);                                        \
            cell##_clear(&dpc_from[dpc_k]);                                                                            \
        }                                                                                                              \
    } while (0)
/* The same of sums that dpc_exact_sums has made, which it frees. */
#define DPC_ADD_EXACT_SUMS(ctype, cell, count, elements, sums)                                                         \
    do {                                                                                                               \
        dpc_exact_finish(dpc_exact_queue_of(sums));                                                                    \
        DPC_ADD_CELLS(ctype, cell, count, elements, sums);                                                             \
        dpc_exact_free_sums(sums);                                                                                     \
    } while (0)

#endif
#endif

/* Exact sums (runtime/exact.h) against sums of long integers, one bit after the other; products (exact_product.h). */
#include <stdio.h>

#include "../../runtime/exact.h"
#include "../../runtime/exact_product.h"
#include "suite.h"

/* A two's complement number of 2304 bits; bit 0 is worth 2^-1100. */
enum { WORDS = 72, LOWEST = -1100 };
typedef struct {
    uint32_t word[WORDS];
} number;

static uint64_t state = 88172645463325252u;
static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void add_bit(number *n, int bit) {
    for (int w = bit / 32; w < WORDS; w++) {
        const uint32_t old = n->word[w];
        n->word[w] += w == bit / 32 ? 1u << bit % 32 : 1u;
        if (n->word[w] > old) return;
    }
}

static void negate(number *n) {
    for (int w = 0; w < WORDS; w++) n->word[w] = ~n->word[w];
    add_bit(n, 0);
}

static void add(number *n, double value) {
    int exponent;
    const double fraction = frexp(fabs(value), &exponent);
    const uint64_t bits = (uint64_t)ldexp(fraction, 53);
    if (value < 0) negate(n);
    for (int k = 0; k < 53; k++)
        if (bits >> k & 1) add_bit(n, exponent - 53 + k - LOWEST);
    if (value < 0) negate(n);
}

static int bit(const number *n, int k) {
    return n->word[k / 32] >> k % 32 & 1;
}

/* Rounded to `digits` bits and multiples of 2^least: half to even. */
static double rounded(number n, int digits, int least) {
    const int negative = bit(&n, 32 * WORDS - 1);
    double value = 0;
    if (negative) negate(&n);
    int top = 32 * WORDS - 1, more = 0;
    while (top >= 0 && !bit(&n, top)) top--;
    if (top < 0) return 0;
    const int cut = top - digits + 1 > least - LOWEST ? top - digits + 1 : least - LOWEST;
    for (int k = top; k >= cut; k--) value = 2 * value + bit(&n, k);
    for (int k = 0; k < cut - 1; k++) more |= bit(&n, k);
    if (bit(&n, cut - 1) && (more || (cut <= top && bit(&n, cut)))) value++;
    value = ldexp(value, cut + LOWEST);
    return negative && value != 0 ? -value : value;
}

static double random_value(int kind) {
    const uint64_t bits = draw();
    double value;
    if (kind == 0) return ldexp((double)(int64_t)bits, (int)(draw() % 40) - 60);
    if (kind == 1) return (double)(int64_t)(bits % 4096) * 0x1p-1074;
    if (kind == 2) return ldexp((double)(bits % 7) - 3, 1020 - (int)(draw() % 3) * 52);
    do {
        const uint64_t some = draw();
        memcpy(&value, &some, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void require_same(double got, double expected, const char *what) {
    if (memcmp(&got, &expected, sizeof got) != 0) ck_abort_msg("%s: %a, not %a", what, got, expected);
}

START_TEST(sums_are_those_of_long_integers) {
    for (int round = 0; round < 4000; round++) {
        const int count = (int)(draw() % 40), kind = round % 4;
        dpc_exact sum = {0}, half = {0}, single = {0};
        number all = {{0}}, singles = {{0}};
        double last = 0;
        for (int k = 0; k < count; k++) {
            const double value = k % 5 == 4 ? -last : random_value(kind);
            const float narrow = isfinite((float)value) ? (float)value : 1.5f;
            last = value;
            dpc_exact_add(k % 2 ? &sum : &half, value);
            dpc_exact_add(&single, narrow);
            add(&all, value);
            add(&singles, narrow);
        }
        dpc_exact_join(&sum, &half);
        require_same(dpc_exact_double(&sum), rounded(all, 53, -1074), "double");
        require_same(dpc_exact_float(&single), (float)rounded(singles, 24, -149), "float");
    }
}
END_TEST

/* Ties, subnormal results, carries through everything. */
START_TEST(rounding_is_to_even) {
    const double cases[][4] = {{1, 0x1p-53, 0, 1},
                               {1, 0x1p-53, 0x1p-1074, 1 + 0x1p-52},
                               {1 + 0x1p-52, 0x1p-53, 0, 1 + 0x1p-51},
                               {1 + 0x1p-52, 0x1p-53, -0x1p-1074, 1 + 0x1p-52},
                               {DBL_MAX, 0x1p969, 0, DBL_MAX},
                               {DBL_MAX, 0x1p970, 0, HUGE_VAL},
                               {DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX},
                               {0x1p-1074, -0x1p-1074, -0.0, 0},
                               {1e308, -1e308, -0x1p-1074, -0x1p-1074},
                               {HUGE_VAL, -DBL_MAX, 1, HUGE_VAL}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dpc_exact sum = {0};
        for (int k = 0; k < 3; k++) dpc_exact_add(&sum, cases[c][k]);
        require_same(dpc_exact_double(&sum), cases[c][3], "case");
    }
    dpc_exact sum = {0};
    dpc_exact_add(&sum, HUGE_VAL);
    dpc_exact_add(&sum, -HUGE_VAL);
    ck_assert(isnan(dpc_exact_double(&sum)));
}
END_TEST

/* 2^42 greatest values, and as many least ones. */
START_TEST(many_values_lose_no_carry) {
    dpc_exact sum = {0}, less = {0};
    dpc_exact_add(&sum, DBL_MAX);
    dpc_exact_add(&less, -DBL_MAX);
    for (int k = 0; k < 42; k++) {
        const dpc_exact old = sum, other = less;
        dpc_exact_join(&sum, &old);
        dpc_exact_join(&less, &other);
    }
    ck_assert(dpc_exact_double(&sum) == HUGE_VAL);
    dpc_exact_carry(DPC_EXACT_BINS, sum.bin);
    dpc_exact_add(&less, 0x1p-1074);
    dpc_exact_join(&sum, &less);
    require_same(dpc_exact_double(&sum), 0x1p-1074, "what is left");
}
END_TEST

START_TEST(long_doubles) {
    dpc_exact_long sum = {0};
    dpc_exact_long_add(&sum, LDBL_MAX);
    dpc_exact_long_add(&sum, LDBL_MAX);
    dpc_exact_long_add(&sum, 1 + LDBL_EPSILON);
    dpc_exact_long_add(&sum, -LDBL_MAX);
    dpc_exact_long_add(&sum, -LDBL_MAX);
    ck_assert(dpc_exact_long_double(&sum) == 1 + LDBL_EPSILON);
    dpc_exact_long_add(&sum, LDBL_EPSILON / 2);
    ck_assert(dpc_exact_long_double(&sum) == 1 + 2 * LDBL_EPSILON);
    dpc_exact_long_add(&sum, -1 - LDBL_EPSILON);
    ck_assert(dpc_exact_long_double(&sum) == LDBL_EPSILON / 2);
}
END_TEST

/* Sums of elements: some in one piece, others in two that are joined, as those of two processes are. */
START_TEST(cells_are_sums) {
    for (int round = 0; round < 4000; round++) {
        const int count = (int)(draw() % 60), kind = round % 4;
        dpc_exact all = {{0}, {0}};
        dpc_exact_cell half = {0}, other = {0};
        dpc_exact_queue queue = {0};
        dpc_exact_long wide = {{0}, {0}, 0};
        dpc_exact_long_cell wide_half = {0}, wide_other = {0};
        for (int k = 0; k < count; k++) {
            const double value = kind == 3 && k % 4 ? ldexp((double)(int64_t)draw(), -40) : random_value(kind);
            const long double longer = k % 7 == 6 ? value * 0x1p-2000L : value / 3.0L;
            dpc_exact_add(&all, value);
            dpc_exact_long_add(&wide, longer);
            dpc_exact_cell_add(&queue, draw() % 3 ? &half : &other, value);
            dpc_exact_long_cell_add(&queue, draw() % 3 ? &wide_half : &wide_other, longer);
        }
        dpc_exact_finish(&queue);
        dpc_exact_cell_join(&half, &other);
        if (dpc_exact_cell_accumulator(&other))
            dpc_exact_join(dpc_exact_cell_whole(&half), dpc_exact_cell_accumulator(&other));
        dpc_exact_long_cell_join(&wide_half, &wide_other);
        if (dpc_exact_long_cell_accumulator(&wide_other))
            dpc_exact_long_join(dpc_exact_long_cell_whole(&wide_half), dpc_exact_long_cell_accumulator(&wide_other));
        require_same(dpc_exact_cell_rounded(&half), dpc_exact_double(&all), "double");
        ck_assert(dpc_exact_long_cell_rounded(&wide_half) == dpc_exact_long_double(&wide));
        dpc_exact_cell_clear(&half), dpc_exact_cell_clear(&other);
        dpc_exact_long_cell_clear(&wide_half), dpc_exact_long_cell_clear(&wide_other);
    }
}
END_TEST

/* Many elements, and more values than wait in a queue: neighbours, the same one again and again, values of any size. */
START_TEST(queued_values_arrive) {
    enum { CELLS = 50 };
    for (int round = 0; round < 500; round++) {
        dpc_exact all[CELLS] = {0};
        dpc_exact_cell sum[CELLS] = {0};
        dpc_exact_queue queue = {.come = (unsigned)-(64 * (round % 2)), .gone = (unsigned)-(64 * (round % 2))};
        const int count = (int)(draw() % 1000);
        for (int k = 0; k < count; k++) {
            const int neighbour = round % 3 == 1 ? k / 3 + k % 3 : k / 20;
            const int c = round % 3 == 0 ? (int)(draw() % CELLS) : neighbour % CELLS;
            const double value = round % 5 ? (double)(int64_t)draw() * 0x1p-70 : random_value(k % 4);
            dpc_exact_add(&all[c], value);
            dpc_exact_cell_add(&queue, &sum[c], value);
        }
        dpc_exact_finish(&queue);
        for (int c = 0; c < CELLS; c++) {
            require_same(dpc_exact_cell_rounded(&sum[c]), dpc_exact_double(&all[c]), "queued");
            dpc_exact_cell_clear(&sum[c]);
        }
    }
}
END_TEST

/* Values of one size need two numbers; what does not fit gets an accumulator, and nothing is lost. */
START_TEST(cells_overflow_into_accumulators) {
    dpc_exact_cell sum = {0}, less = {0};
    for (int k = 0; k < 100000; k++) dpc_exact_cell_include(&sum, k % 2 ? 0.1 * k : -1.0 / (k + 1));
    dpc_exact_cell_include(&sum, -0.0);
    ck_assert(dpc_exact_cell_accumulator(&sum) == NULL);
    sum = (dpc_exact_cell){0};
    for (int k = 0; k < 100000; k++) {
        dpc_exact_cell_include(&sum, k % 1000 == 999 ? 0x1p-1074 : DBL_MAX);
        dpc_exact_cell_include(&less, k % 1000 == 999 ? 1 : -DBL_MAX);
    }
    ck_assert(dpc_exact_cell_accumulator(&sum) != NULL && dpc_exact_cell_accumulator(&less) != NULL);
    ck_assert(dpc_exact_cell_rounded(&sum) == HUGE_VAL && dpc_exact_cell_rounded(&less) == -HUGE_VAL);
    dpc_exact_cell_join(&sum, &less);
    dpc_exact_join(dpc_exact_cell_whole(&sum), dpc_exact_cell_accumulator(&less));
    require_same(dpc_exact_cell_rounded(&sum), 100, "what is left");
    for (int k = 0; k < 100; k++) dpc_exact_cell_include(&sum, -1);
    require_same(dpc_exact_cell_rounded(&sum), 100 * 0x1p-1074, "what is left below");
    dpc_exact_cell_include(&sum, HUGE_VAL);
    ck_assert(dpc_exact_cell_rounded(&sum) == HUGE_VAL);
    dpc_exact_cell_include(&sum, NAN);
    ck_assert(isnan(dpc_exact_cell_rounded(&sum)));
    dpc_exact_cell_clear(&sum), dpc_exact_cell_clear(&less);
}
END_TEST

static double product_of(const double *factor, int count) {
    dpc_exact_product product = dpc_exact_one();
    for (int k = 0; k < count; k++) dpc_exact_multiply(&product, factor[k]);
    return dpc_exact_product_double(&product);
}

/* The processor rounds products of two as the library is to. */
START_TEST(products_of_two_are_those_of_the_processor) {
    for (int round = 0; round < 100000; round++) {
        double x[2] = {random_value(round % 4), random_value(round / 4 % 4)};
        if (round % 5 == 0) x[0] = ldexp(1 + (double)(draw() % 256) / 256, (int)(draw() % 2000) - 1000);
        if (round % 7 == 0) x[1] = (double)(draw() % 1000) / 8;
        require_same(product_of(x, 2), x[0] * x[1], "product of two");
        const long double a = (long double)draw() * 0x1p-60L, b = -(long double)draw();
        dpc_exact_product longer = dpc_exact_one();
        dpc_exact_long_multiply(&longer, a);
        dpc_exact_long_multiply(&longer, b);
        ck_assert(dpc_exact_product_long_double(&longer) == a * b);
    }
}
END_TEST

/* In whatever order and groups, and as exact integers say: factors k / 64 of which no product has more than 64 bits. */
START_TEST(products_have_no_order) {
    for (int round = 0; round < 3000; round++) {
        enum { COUNT = 30 };
        dpc_exact_product ascending = dpc_exact_one(), part[3] = {dpc_exact_one(), dpc_exact_one(), dpc_exact_one()};
        double factor[COUNT], exact = 1;
        for (int k = 0; k < COUNT; k++) factor[k] = random_value(round % 4);
        for (int k = 0; k < COUNT; k++) dpc_exact_multiply(&ascending, factor[k]);
        for (int k = COUNT - 1; k >= 0; k--) dpc_exact_multiply(&part[draw() % 3], factor[k]);
        dpc_exact_product_join(&part[2], &part[0]);
        dpc_exact_product_join(&part[2], &part[1]);
        require_same(dpc_exact_product_double(&part[2]), dpc_exact_product_double(&ascending), "order");
        for (int k = 0; k < 10; k++) exact *= factor[k] = (double)(draw() % 37 + 1) * (k % 3 ? 0.015625 : -64);
        require_same(product_of(factor, 10), exact, "small integers");
    }
}
END_TEST

START_TEST(products_beyond_the_type) {
    const double greatest[] = {DBL_MAX, DBL_MAX, 1 / DBL_MAX}, least[] = {0x1p-1000, -0x1p-1000, 0x1p950};
    const double half[] = {0x1p-1074, 0.5}, more[] = {0x1p-1074, -0x1.0000000000001p-1}, zero[] = {-0.0, DBL_MAX};
    const double bad[] = {HUGE_VAL, 0}, beyond[] = {-DBL_MAX, 1 + 0x1p-52}, below[] = {0x1p-1000, -0x1p-1000};
    ck_assert(product_of(greatest, 3) == DBL_MAX * (DBL_MAX * (1 / DBL_MAX)));
    require_same(product_of(least, 3), -0x1p-1050, "from below");
    require_same(product_of(half, 2), 0, "a tie");
    require_same(product_of(more, 2), -0x1p-1074, "more than a tie");
    require_same(product_of(zero, 2), -0.0, "zero");
    require_same(product_of(beyond, 2), -HUGE_VAL, "beyond");
    require_same(product_of(below, 2), -0.0, "below");
    ck_assert(isnan(product_of(bad, 2)));
}
END_TEST

int main(void) {
    return RUN_SUITE("exact", 100, sums_are_those_of_long_integers, rounding_is_to_even, many_values_lose_no_carry,
                     long_doubles, cells_are_sums, queued_values_arrive, products_of_two_are_those_of_the_processor,
                     products_have_no_order, products_beyond_the_type, cells_overflow_into_accumulators);
}

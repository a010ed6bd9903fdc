/* Kernels whose loops read neighbours that stay inside: clamped subscripts, and numbers that are no ends of their
 * index's values.  See kernels.h. */
#include "kernels.h"

/* The larger of an index less something and a number, or the smaller of one and something more; inside 0 .. n-1. */
static const char *clamped_index(const char *i, long low, long high, long n) {
    const long by = between(1, 3), end = chance(70) ? between(0, low) : below(n);
    const long last = chance(70) ? between(high, n - 1) : below(n);
    switch (below(6)) {
    case 0:
        return words("%s - %ld > %ld ? %s - %ld : %ld", i, by, end, i, by, end);
    case 1:
        return words("%s + %ld < %ld ? %s + %ld : %ld", i, by, last, i, by, last);
    case 2:
        return words("%ld >= %s - %ld ? %ld : %s - %ld", end, i, by, end, i, by);
    case 3:
        return words("%s == %ld ? %ld : %s - 1", i, low, low, i);
    case 4:
        return words("%s != %ld ? %s + 1 : %ld", i, high, i, high);
    default:
        return words("(%s - %ld < %ld ? %ld : %s - %ld > %ld ? %ld : %s - %ld)", i, by, end, end, i, by, last, last, i,
                     by);
    }
}

void clamped(void) {
    const long n = between(6, 40), m = between(6, 20);
    const own a = matrix(any_type(), n, m, DIVIDED), b = matrix(any_type(), n, m, DIVIDED);
    fill_own(&a), fill_own(&b);
    for (long rounds = between(1, 3); rounds > 0; rounds--) {
        const long low = between(1, 2), high = n - between(2, 3), left = between(1, 2), right = m - between(2, 3);
        const char *up = clamped_index("i", low, high, n), *beside = clamped_index("j", left, right, m);
        const char *other = chance(50) ? clamped_index("i", low, high, n) : "i";
        BOTH("for (long i = %ld; i <= %ld; i++)\n", low, high);
        BOTH("for (long j = %ld; j <= %ld; j++) {\n", left, right);
        if (chance(50))
            BOTH("const long up = %s, beside = %s;\n%s[i][j] = (long)(%s[up][j] + %s[i][beside] - %s[%s][beside]) %% "
                 "97;\n",
                 up, beside, b.name, a.name, a.name, a.name, other);
        else
            BOTH("%s[i][j] = (long)(%s[%s][%s] - %s[%s][j]) %% 97;\n", b.name, a.name, up, beside, a.name, other);
        BOTH("}\n");
        print_own(&b);
        if (chance(30))
            BOTH("for (long i = 0; i < %ld; i++) for (long j = 0; j < %ld; j++) %s[i][j] = %s[i][j];\n", n, m, a.name,
                 b.name);
        if (chance(30)) remap_own(&a);
    }
}

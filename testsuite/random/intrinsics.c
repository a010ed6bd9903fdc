/* Array intrinsics, and reductions but sum, minval and maxval.  See generate.h. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Array intrinsics */

/* The text with an expression in place of each section's counter `name`; of names that are swapped, both at once. */
static void put(char *s, size_t room, const char *const name[2], const char *const with[2]) {
    char out[2000];
    size_t n = 0;
    for (const char *c = s; *c;) {
        const char *found = NULL;
        for (int k = 0; k < 2 && !found; k++)
            if (name[k] && !strncmp(c, name[k], 2)) found = with[k];
        n += (size_t)snprintf(out + n, sizeof out - n, "%.*s", found ? 1000 : 1, found ? found : c);
        c += found ? 2 : 1;
        if (n >= sizeof out || n >= room) abort();
    }
    strcpy(s, out);
}

/* An array with as many sections as x, none of which counts more elements than x does: the counts of x become theirs.
 */
static bool operand(context *x, const array **from, long *strides) {
    for (int tries = 0; tries < 6; tries++) {
        *from = any_array();
        if ((*from)->rank < x->rank || !choose_sections(*from, x->rank, strides)) continue;
        limit_counts(x, *from, strides);
        return true;
    }
    return false;
}

static void wrap(text *t, const char *pattern) {
    text plain = *t;
    substitute(t->dpc, sizeof t->dpc, pattern, plain.dpc, "");
}

/* Moved along dimension d by a circular or an end-off shift. */
static void shift(text *t, const context *x, int d) {
    const long by = between(-5, 5), n = x->count[d] > 0 ? x->count[d] : 1, boundary = below(90);
    const bool circular = chance(60);
    char name[3] = {'k', (char)('0' + d), 0}, with[100], pattern[260];
    sprintf(with, circular ? "(((%s+%ld) %% %ld + %ld) %% %ld)" : "(%s+%ld)", name, by, n, n, n);
    put(t->c, sizeof t->c, (const char *const[]){name, NULL}, (const char *const[]){with, NULL});
    if (!circular) {
        text plain = *t;
        sprintf(pattern, "(__typeof__($))(%s >= 0 && %s < %ld ? $ : %ld)", with, with, n, boundary);
        substitute(t->c, sizeof t->c, pattern, plain.c, plain.c);
    }
    if (!circular)
        sprintf(pattern, "eoshift($, %ld, %ld, %d)", by, boundary, d + 1);
    else if (d == 0 && chance(50))
        sprintf(pattern, "cshift($, %ld)", by);
    else
        sprintf(pattern, "cshift($, %ld, %d)", by, d + 1);
    wrap(t, pattern);
}

static void transposed(text *t, const context *x, const array *b, const long *strides) {
    const context y = {.rank = 2, .count = {x->count[1], x->count[0]}};
    reference(t, &y, b, strides);
    put(t->c, sizeof t->c, (const char *const[]){"k0", "k1"}, (const char *const[]){"k1", "k0"});
    wrap(t, "transpose($)");
}

static void spread(text *t, const context *x, const array *b, const long *strides, int d) {
    const context y = {.rank = 1, .count = {x->count[1 - d]}};
    char pattern[60];
    reference(t, &y, b, strides);
    if (d == 0) put(t->c, sizeof t->c, (const char *const[]){"k0", NULL}, (const char *const[]){"k1", NULL});
    sprintf(pattern, "spread($, %d, %ld)", d + 1, x->count[d]);
    wrap(t, pattern);
}

/* Rows of x from b, columns from c, over m elements. */
static void product(text *t, const context *x, const array *const from[2], long strides[2][MAX_RANK], long m) {
    const context y = {.rank = 2, .count = {x->count[0], m}}, z = {.rank = 2, .count = {m, x->count[1]}};
    text left, right;
    reference(&left, &y, from[0], strides[0]);
    reference(&right, &z, from[1], strides[1]);
    put(left.c, sizeof left.c, (const char *const[]){"k1", NULL}, (const char *const[]){"m0", NULL});
    put(right.c, sizeof right.c, (const char *const[]){"k0", NULL}, (const char *const[]){"m0", NULL});
    substitute(t->dpc, sizeof t->dpc, "matmul((long)$ % 50, (long)$ % 50)", left.dpc, right.dpc);
    char pattern[160];
    sprintf(pattern, "({ long s = 0; for (long m0 = 0; m0 < %ld; m0++) s += ((long)$ %% 50) * ((long)$ %% 50); s; })",
            m);
    substitute(t->c, sizeof t->c, pattern, left.c, right.c);
}

/* What is assigned: an intrinsic of sections that fit x, whose counts may shrink. */
static bool intrinsic(text *t, context *x) {
    const array *from[2];
    long strides[2][MAX_RANK];
    context swapped = {.rank = 2, .count = {x->count[1], x->count[0]}},
            other = {.rank = 2, .count = {1000, x->count[1]}};
    context line = {.rank = 1};
    const int d = (int)below(x->rank);
    const long kind = x->rank == 2 ? below(8) : 0;
    switch (kind) {
    case 5:
        if (!operand(&swapped, &from[0], strides[0])) return false;
        x->count[0] = swapped.count[1], x->count[1] = swapped.count[0];
        transposed(t, x, from[0], strides[0]);
        return true;
    case 6:
        line.count[0] = x->count[1 - d];
        if (!operand(&line, &from[0], strides[0])) return false;
        x->count[1 - d] = line.count[0];
        spread(t, x, from[0], strides[0], d);
        return true;
    case 7:
        swapped = (context){.rank = 2, .count = {x->count[0], 1000}};
        if (!operand(&swapped, &from[0], strides[0]) || !operand(&other, &from[1], strides[1])) return false;
        x->count[0] = swapped.count[0], x->count[1] = other.count[1];
        product(t, x, (const array *const *)from, strides, minimum(swapped.count[1], other.count[0]));
        return true;
    default:
        if (!operand(x, &from[0], strides[0])) return false;
        reference(t, x, from[0], strides[0]);
        shift(t, x, d);
        return true;
    }
}

/* The intrinsic of an intrinsic, or of an expression with another section; not three shifts of one another, which may
 * not exist. */
static void nest(text *t, const context *x) {
    const array *a = any_array();
    long strides[MAX_RANK];
    context y = *x;
    const bool first = chance(50);
    if (first) shift(t, x, (int)below(x->rank));
    if (a->rank < x->rank || !choose_sections(a, x->rank, strides)) return;
    limit_counts(&y, a, strides);
    for (int d = 0; d < x->rank; d++)
        if (y.count[d] != x->count[d]) return;
    text other, plain = *t;
    reference(&other, x, a, strides);
    if (chance(40)) shift(&other, x, (int)below(x->rank));
    combine(t, chance(50) ? "((long)$ % 50 + $)" : "(2 * $ - $)", &plain, &other);
    if (!first && chance(60)) shift(t, x, (int)below(x->rank));
}

void intrinsic_assignment(void) {
    const array *a = any_variable();
    long strides[MAX_RANK];
    context x = {.rank = (int)minimum(2, between(1, a->rank)), .count = {1000, 1000, 1000}};
    text left, right = {0}, whole, scalar = {0};
    if (!choose_sections(a, x.rank, strides)) return;
    limit_counts(&x, a, strides);
    if (!intrinsic(&right, &x)) return;
    if (chance(40)) nest(&right, &x);
    reference(&left, &x, a, strides);
    sprintf(scalar.dpc, "%ld", below(50));
    strcpy(scalar.c, scalar.dpc);
    combine(&whole, chance(50) ? "labs((long)$ % 9973)" : "labs((long)($ + $) % 9973)", &right, &scalar);
    const char *op = chance(80) ? "=" : "+=";
    DPC("%s %s %s;\n", left.dpc, op, whole.dpc);
    char loops[300] = "";
    for (int d = 0; d < x.rank; d++)
        sprintf(loops + strlen(loops), "for (long k%d = 0; k%d < %ld; k%d++) ", d, d, x.count[d], d);
    assign(&left, op, &whole, loops, "");
    print_checksum(a);
}

/* ---- Reductions */

/* How x begins and what a value v does to it; `pattern`: what the DPC program combines of the value $. */
static const struct {
    const char *name, *start, *update, *pattern;
} kinds[] = {
    {"count", "0", "reduced += v % 3 == 1;", "(long)($) % 3 == 1"},
    {"any", "0", "if (v % 7 == 1) reduced = 1;", "(long)($) % 7 == 1"},
    {"all", "1", "if (v % 7 == 1) reduced = 0;", "(long)($) % 7 != 1"},
    {"product", "1", "reduced = (long)((unsigned long)reduced * (v % 3 == 0 ? 3ul : 1ul));",
     "(long)($) % 3 == 0 ? 3ul : 1ul"},
    {"minloc", "-1", "if (!at++ || v < best) best = v, reduced = i;", "(long)($)"},
    {"maxloc", "-1", "if (!at++ || v > best) best = v, reduced = i;", "(long)($)"},
};

void other_reduction(void) {
    const long kind = below(6);
    const array *a = any_array();
    const bool locates = kind >= 4, masked = chance(40);
    context x = {0};
    text r, s, whole, mask;
    char ranges[300], loops[600], value[700];
    int dimension[MAX_RANK];
    bool empty;
    if (!forall_indices(&x, a, locates ? 1 : (int)between(1, a->rank), dimension)) return;
    forall_ranges(&x, ranges, loops, &empty);
    reference(&r, &x, a, NULL);
    reference(&s, &x, any_array(), NULL);
    expression(&whole, &x, &r, &s, NULL, true);
    make_mask(&mask, &x);
    substitute(value, sizeof value, kinds[kind].pattern, whole.dpc, "");
    DPC("x = (long)%s(%s, %s%s%s) %% 100000;\n", kinds[kind].name, ranges, masked ? mask.dpc : "", masked ? ", " : "",
        value);
    C("{ long best = 0; (void)best; at = 0; reduced = %s; %s", kinds[kind].start, loops);
    add(&c_body, "%s%s%s{ long v = (long)(%s); %s } }\n", masked ? "if (" : "", masked ? mask.c : "",
        masked ? ") " : "", whole.c, kinds[kind].update);
    C("x = reduced %% 100000;\n");
    BOTH("printf(\"x %%ld\\n\", x);\n");
    BOTH("x %%= 1000;\n");
}

/* Reductions of values of C's own types; `start`: what they are of nothing; `real`: not of complex values. */
static const struct {
    const char *name, *type, *start, *update;
    bool real;
} typed_kinds[] = {
    {"sum", "+($)", "0", "r += v;", false},
    {"minval", "$", "GREATEST(v)", "if (v < r) r = v;", true},
    {"maxval", "$", "LEAST(v)", "if (v > r) r = v;", true},
};

/* For minval and maxval: values near the ends of types. */
static const char *const extremes[] = {"$",
                                       "LONG_MAX - labs((long)$ % 50)",
                                       "ULONG_MAX - (unsigned long)(long)$",
                                       "(unsigned)(long)$ - 3",
                                       "(float)(long)$",
                                       "($ ? 'a' : 'b')",
                                       "(short)(long)$",
                                       "(1.5L * $)",
                                       "(long)$ + 0x80000000",
                                       "GREEN + $"};

void typed_reduction(void) {
    const array *a = any_array();
    const long kind = below(3);
    text r, whole, mask;
    char ranges[300], loops[600], type[2100];
    context x = {0};
    int dimension[MAX_RANK];
    bool empty, masked = chance(40);
    if (!forall_indices(&x, a, (int)between(1, a->rank), dimension)) return;
    forall_ranges(&x, ranges, loops, &empty);
    reference(&r, &x, a, NULL);
    if (r.is_complex && typed_kinds[kind].real) return;
    combine(&whole, typed_kinds[kind].real ? extremes[below(10)] : chance(50) ? "$" : "$ * 2", &r, &r);
    make_mask(&mask, &x);
    const char *outside = r.is_complex ? "creal($ * (1 - 2 * I))" : "$ / 2 - 3";
    char printed[5000], reduction[5000], pattern[400];
    sprintf(pattern, masked ? "%s(%s, $, $)" : "%s(%s, $$)", typed_kinds[kind].name, ranges);
    substitute(reduction, sizeof reduction, pattern, masked ? mask.dpc : whole.dpc, masked ? whole.dpc : "");
    substitute(printed, sizeof printed, outside, reduction, "");
    DPC("printf(\"%s %%.17Lg\\n\", (long double)(%s));\n", typed_kinds[kind].name, printed);
    substitute(type, sizeof type, typed_kinds[kind].type, whole.c, "");
    substitute(printed, sizeof printed, outside, "r", "");
    C("{ __typeof__(%s) r, v = 0; (void)v; r = %s; %s", type, typed_kinds[kind].start, loops);
    add(&c_body, "%s%s%s{ v = %s; %s }\n", masked ? "if (" : "", masked ? mask.c : "", masked ? ") " : "", whole.c,
        typed_kinds[kind].update);
    C("  printf(\"%s %%.17Lg\\n\", (long double)(%s)); }\n", typed_kinds[kind].name, printed);
}

/* Of two sections, in the type of C's products. */
void dot_product(void) {
    static const char *const values[] = {"(long)$ % 50", "(unsigned)(long)$ % 50", "(float)((long)$ % 50)", "($ > 3)"};
    const char *const value[2] = {values[below(4)], values[below(4)]};
    const array *from[2];
    long strides[2][MAX_RANK];
    text r[2], v[2], whole;
    context x = {.rank = 1, .count = {1000}};
    for (int k = 0; k < 2; k++)
        if (!operand(&x, &from[k], strides[k]) || from[k]->type->kind & COMPLEX) return;
    for (int k = 0; k < 2; k++) reference(&r[k], &x, from[k], strides[k]), combine(&v[k], value[k], &r[k], &r[k]);
    substitute(whole.dpc, sizeof whole.dpc, "dot_product($, $)", v[0].dpc, v[1].dpc);
    substitute(whole.c, sizeof whole.c, "($) * ($)", v[0].c, v[1].c);
    DPC("printf(\"dot_product %%.17Lg\\n\", (long double)(%s / 2 - 3));\n", whole.dpc);
    C("{ __typeof__(%s) r = 0; for (k0 = 0; k0 < %ld; k0++) r += %s;\n", whole.c, x.count[0], whole.c);
    C("  printf(\"dot_product %%.17Lg\\n\", (long double)(r / 2 - 3)); }\n");
}

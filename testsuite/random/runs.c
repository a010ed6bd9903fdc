/* Runs: many statements over arrays of one shape with nothing printed between them, so that they are fused and their
 * messages go together; lower bounds that may be near 2^31 and 2^40; macros and functions of headers in values; loops
 * that are left.  In C the first index counts from 0, so that references have the same text in both languages.  See
 * kernels.h. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

enum { RUN_ARRAYS = 4, MARGIN = 2 };

typedef struct {
    own array[RUN_ARRAYS];
    int count, rank;
    long n, m, lower; /* extents; the first dimension's lower bound */
} run;

static long random_lower(void) {
    static const long bounds[] = {
        0, 0, 0, -7, 0x7fffff00, 0x7ffffffb, 0x80000000, 0xfffffffe, 1099511627770, -1099511627800};
    return bounds[below(10)];
}

/* Declares and maps; mostly as the first one. */
static void declare_run(run *r) {
    char mapping[120] = "";
    for (int k = 0; k < r->count; k++) {
        own *a = &r->array[k];
        *a = (own){.type = any_type(), .rank = r->rank, .extent = {r->n, r->m}, .distributed = true};
        sprintf(a->name, "r%c", 'a' + k);
        const char *columns = r->rank == 2 ? words("[%ld]", r->m) : "";
        DPC("%s %s[%ld:%ld]%s;\n", a->type, a->name, r->lower, r->lower + r->n - 1, columns);
        C("static %s %s[%ld]%s;\n", a->type, a->name, r->n, columns);
        if (k == 0 || chance(25)) {
            static const char *const formats[] = {"block",     "block",     "cyclic", "cyclic(2)",
                                                  "cyclic(3)", "cyclic(5)", "auto"};
            const char *first = formats[below(7)], *second = chance(50) ? "*" : formats[below(6)];
            sprintf(mapping, r->rank == 2 ? "(%s, %s)" : "(%s)", first, second);
        }
        DPC("#pragma dpc distribute %s%s\n", a->name, mapping);
    }
}

/* Ranges of the indices: from low to high of both dimensions, in both languages. */
static box run_box(const run *r, long margin) {
    box b = box_of(r->rank, (const long[]){margin, margin}, (const long[]){r->n - 1 - margin, r->m - 1 - margin});
    sprintf(b.dpc, "i = %ld:%ld", r->lower + margin, r->lower + r->n - 1 - margin);
    if (r->rank == 2) sprintf(b.dpc + strlen(b.dpc), ", j = %ld:%ld", margin, r->m - 1 - margin);
    return b;
}

static const own *any_of(const run *r) {
    return &r->array[below(r->count)];
}

/* An element near the index. */
static const char *near(const run *r, const own *a) {
    const long by = between(-MARGIN, MARGIN), by2 = between(-MARGIN, MARGIN);
    return r->rank == 1 ? words("%s[i%+ld]", a->name, by) : words("%s[i%+ld][j%+ld]", a->name, by, by2);
}

static const char *at_index(const run *r, const own *a) {
    return words(r->rank == 1 ? "%s[i]" : "%s[i][j]", a->name);
}

/* A whole number below 97 of two elements: by operators, macros and functions of headers, and the program's own. */
static const char *value_of(const char *a, const char *b) {
    static const char *const patterns[] = {"(long)(%s + 2 * %s) %% 97",
                                           "(long)(%s - %s) %% 89",
                                           "helper(labs((long)%s)) %% 97 - (long)%s %% 41",
                                           "(long)fmax((double)%s, (double)%s) %% 83",
                                           "((long)%s + CHAR_BIT * (long)%s) %% 79",
                                           "labs((long)%s) %% 50 - TWICE((long)%s %% 20)",
                                           "(%s > %s ? 7L : -5L)",
                                           "abs((int)((long)%s %% 1000)) %% 61 - (long)sqrt(fabs((double)%s))",
                                           "((long)%s ^ (long)%s) %% 97",
                                           "(long)copysign(floor((double)%s / 2), (double)%s) %% 67"};
    return words(patterns[below(10)], a, b);
}

static void run_loops(const run *r, const box *in, const own *target, const own *a, const own *b) {
    const char *value = value_of(near(r, a), near(r, b)), *left = at_index(r, target);
    const bool is_free = target != a && target != b;
    if (is_free && chance(40)) DPC("#pragma dpc independent\n");
    DPC("for (long i = %ld; i <= %ld; i++)%s %s = %s;\n", r->lower + MARGIN, r->lower + r->n - 1 - MARGIN,
        r->rank == 2 ? words(" for (long j = %d; j < %ld; j++)", MARGIN, r->m - MARGIN) : "", left, value);
    C("%s%s = %s;\n", in->c, left, value);
}

/* Sections: an operation on two sections of the same shape. */
static void run_sections(const run *r, const box *in, const own *target, const own *a, const own *b) {
    const own *const operand[] = {target, a, b};
    const char *section[3], *element[3];
    for (int k = 0; k < 3; k++) {
        const long by = k == 0 ? 0 : between(-MARGIN, MARGIN), low = r->lower + MARGIN + by,
                   high = r->lower + r->n - 1 - MARGIN + by;
        section[k] = r->rank == 1
                         ? words("%s[%ld:%ld]", operand[k]->name, low, high)
                         : words("%s[%ld:%ld][%d:%ld]", operand[k]->name, low, high, MARGIN, r->m - 1 - MARGIN);
        element[k] =
            r->rank == 1 ? words("%s[i%+ld]", operand[k]->name, by) : words("%s[i%+ld][j]", operand[k]->name, by);
    }
    DPC("%s = (long)(%s + 2 * %s) %% 97;\n", section[0], section[1], section[2]);
    loops_in(in, NULL, element[0], "=", words("(long)(%s + 2 * %s) %% 97", element[1], element[2]));
}

/* Of vectors: shifts, prefix sums, the global index of an extreme element. */
static void run_intrinsic(const run *r, const own *target, const own *a) {
    const box all = run_box(r, 0);
    const long by = between(-5, 5), n = r->n;
    switch (below(4)) {
    case 0:
        DPC("%s[:] = cshift(%s[:], %ld);\n", target->name, a->name, by);
        loops_in(&all, NULL, at_index(r, target), "=", words("%s[(i + %ld) %% %ld]", a->name, by + n, n));
        break;
    case 1:
        DPC("%s[:] = eoshift(%s[:], %ld, 9);\n", target->name, a->name, by);
        loops_in(&all, NULL, at_index(r, target), "=",
                 words("(i + %ld >= 0 && i + %ld < %ld ? %s[i + %ld] : 9)", by, by, n, a->name, by));
        break;
    case 2:
        DPC("%s[:] = sum_prefix((long)%s[:] %% 7) %% 89;\n", target->name, a->name);
        C("{ long s = 0; at = 0; %s{ s += (long)%s[i] %% 7; taken[at++] = s %% 89; } }\n", all.c, a->name);
        C("at = 0; %s%s[i] = taken[at++];\n", all.c, target->name);
        break;
    default: {
        const bool greatest = chance(50);
        DPC("x = (x + %s(%s[:]) - %ld) %% 1000;\n", greatest ? "maxloc" : "minloc", a->name, r->lower);
        C("{ long best = 0; %sif (%s[i] %s %s[best]) best = i; x = (x + best) %% 1000; }\n", all.c, a->name,
          greatest ? ">" : "<", a->name);
    }
    }
}

static void run_statement(const run *r) {
    const box in = run_box(r, MARGIN);
    const own *target = any_of(r), *a = any_of(r), *b = any_of(r);
    const long kind = below(r->rank == 1 ? 12 : 10), at = below(r->n);
    const char *place = r->rank == 2 ? "[1]" : "";
    if (kind < 4) {
        const char *mask = b != target && chance(20) ? words("%s > 3", near(r, b)) : NULL,
                   *op = chance(70) ? "=" : "+=";
        const char *value = value_of(near(r, a), near(r, b)), *left = at_index(r, target);
        DPC("forall (%s%s%s) %s %s %s;\n", in.dpc, mask ? ", " : "", mask ? mask : "", left, op, value);
        loops_in(&in, mask, left, op, value);
        if (op[0] == '+') { /* so that no value grows without end */
            DPC("forall (%s) %s = (long)%s %% 97;\n", in.dpc, left, left);
            loops_in(&in, NULL, left, "=", words("(long)%s %% 97", left));
        }
    } else if (kind < 6) {
        run_sections(r, &in, target, a, b);
    } else if (kind < 8) {
        run_loops(r, &in, target, a, b);
    } else if (kind == 8) {
        const char *element = near(r, a);
        DPC("x = labs(x + sum(%s, (long)%s * 3)) %% 1000;\n", in.dpc, element);
        C("{ long s = 0; %ss += (long)%s * 3; x = labs(x + s) %% 1000; }\n", in.c, element);
    } else if (kind == 9) {
        DPC("x = labs(x + (long)%s[%ld]%s) %% 1000; %s[%ld]%s = x %% 60;\n", a->name, r->lower + at, place,
            target->name, r->lower + at, place);
        C("x = labs(x + (long)%s[%ld]%s) %% 1000; %s[%ld]%s = x %% 60;\n", a->name, at, place, target->name, at, place);
    } else
        run_intrinsic(r, target, a);
}

/* One of them sometimes: the rest of the round, or of all rounds, is left out. */
static void run_jump(int label) {
    const long divisor = between(3, 9), remainder = below(divisor);
    switch (below(6)) {
    case 0:
        BOTH("if (x %% %ld == %ld) break;\n", divisor, remainder);
        break;
    case 1:
        BOTH("if (x %% %ld == %ld) continue;\n", divisor, remainder);
        break;
    case 2:
        BOTH("if (x %% %ld == %ld) goto left_%d;\n", divisor, remainder, label);
    }
}

void long_run(void) {
    static int label;
    run r = {.count = (int)between(2, RUN_ARRAYS), .rank = chance(60) ? 1 : 2, .n = between(6, 40), .m = between(5, 9)};
    r.lower = random_lower();
    const int own_label = label++;
    const long rounds = between(1, 6);
    declare_run(&r);
    for (int k = 0; k < r.count; k++) {
        const box all = run_box(&r, 0);
        const long f = between(1, 60);
        const char *more = r.rank == 2 ? " + j * 5" : "", *left = at_index(&r, &r.array[k]);
        DPC("forall (%s) %s = ((i - %ld) * %ld%s) %% 83 - 40;\n", all.dpc, left, r.lower, f, more);
        C("%s%s = (i * %ld%s) %% 83 - 40;\n", all.c, left, f, more);
    }
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    depth++;
    BOTH("if (x == -1) goto left_%d;\n", own_label);
    for (long count = between(3, 12); count > 0; count--) {
        run_statement(&r);
        if (chance(10)) run_jump(own_label);
    }
    depth--;
    BOTH("}\n");
    add(&dpc_body, "left_%d:;\n", own_label), add(&c_body, "left_%d:;\n", own_label);
    for (int k = 0; k < r.count; k++) {
        const box all = run_box(&r, 0);
        const char *name = r.array[k].name, *element = at_index(&r, &r.array[k]),
                   *more = r.rank == 2 ? " + j * 11" : "";
        DPC("printf(\"%s %%ld\\n\", sum(%s, (long)%s * (((i - %ld) * 7%s) %% 101 + 3)));\n", name, all.dpc, element,
            r.lower, more);
        C("{ long s = 0; %ss += (long)%s * ((i * 7%s) %% 101 + 3); printf(\"%s %%ld\\n\", s); }\n", all.c, element,
          more, name);
    }
    BOTH("printf(\"x %%ld\\n\", x);\n");
}

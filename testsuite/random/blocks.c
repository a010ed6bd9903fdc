/* Kernels with structures, conditions and locals in foralls, prefix operations, places of extreme elements.  See
 * kernels.h. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

/* ---- Structures as elements */

/* A number of an element of a structure. */
static const char *member(const char *element) {
    static const char *const members[] = {".v", ".n[0]", ".n[1]", ".in.s", ".in.s"};
    return words("%s%s", element, members[below(5)]);
}

static void record_statement(const char *s, const char *t, long n) {
    const long by = between(-2, 2), at = below(n), from = below(n), by2 = between(-2, 2);
    const box inner = line(2, n - 3), all = line(0, n - 1);
    const char *near = words("%s[i%+ld]", s, by), *far = words("%s[(i * 7 + %ld) %% %ld]", s, at, n);
    const char *right = words("(long)(%s + %s) %% 97", member(near), member(chance(60) ? words("%s[i]", t) : far));
    const char *left = member(words("%s[i%+ld]", t, by2)), *name = words("%s", strchr(member("x"), '.'));
    const char *whole = chance(60) ? near : far;
    const char *own_member = member(words("%s[i]", t));
    const long loop = below(4);
    const char *near_member = member(near);
    switch (below(10)) {
    case 8: /* with dependences, perhaps */
        BOTH("for (long i = 2; i < %ld; i++) %s = %s;\n", n - 2, loop < 2 ? left : own_member, right);
        break;
    case 9:
        BOTH("for (long i = 2; i < %ld; i++) { long l = (long)%s; %s[i].v = l %% 89; if (l > 3) %s = 2; else %s[i] = "
             "%s[i%+ld]; }\n",
             n - 2, near_member, t, left, t, t, by);
        break;
    case 0:
        forall_in(&inner, NULL, left, chance(60) ? "=" : "+=", right);
        break;
    case 1: /* whole structures: another array, so that the order does not matter */
        DPC("forall (%s) %s[i] = %s;\n", inner.dpc, t, whole);
        C("%s%s[i] = %s;\n", inner.c, t, whole);
        break;
    case 2:
        DPC("%s[:].in.s = %s[:]%s %% 97;\n", t, s, strcmp(name, ".v") ? name : ".n[0]");
        C("%s%s[i].in.s = %s[i]%s %% 97;\n", all.c, t, s, strcmp(name, ".v") ? name : ".n[0]");
        break;
    case 3:
        BOTH("%s[%ld].v += %ld;\nx = (x + (long)%s[%ld].v) %% 1000;\n", s, at, by + 3, s, from);
        break;
    case 4:
        BOTH("{ struct cell own = %s[%ld]; own.n[1] += 2; %s[%ld] = own; }\n", s, at, t, from);
        break;
    case 5:
        DPC("x = sum(%s, (long)(%s[i]%s - %s)) %% 1000;\n", inner.dpc, t, name, near_member);
        C("{ long r = 0; %sr += (long)(%s[i]%s - %s); x = r %% 1000; }\n", inner.c, t, name, near_member);
        break;
    case 6: {
        const char *mask = words("%s > %ld", near_member, by);
        forall_in(&inner, mask, left, "=", right);
        break;
    }
    default:
        if (chance(50)) DPC("#pragma dpc independent on(%s[i])\n", t);
        BOTH("for (long i = 2; i < %ld; i++) { %s[i].n[0] = (int)%s[i%+ld].v %% 97; %s[i].in.s = %s[i].n[0] / 2; }\n",
             n - 2, t, s, by, t, t);
    }
}

static void fill_records(const own *a) {
    const box all = line(0, a->extent[0] - 1);
    forall_in(&all, NULL, words("%s[i].v", a->name), "=", "i * 5 % 83 - 40");
    forall_in(&all, NULL, words("%s[i].n[0]", a->name), "=", "i % 7");
    forall_in(&all, NULL, words("%s[i].n[1]", a->name), "=", "3 - i");
    forall_in(&all, NULL, words("%s[i].in.s", a->name), "=", "i * i % 11");
}

static void print_records(const own *a) {
    const box all = line(0, a->extent[0] - 1);
    const char *value = words("((long)%s[i].v + 3 * %s[i].n[0] + 5 * %s[i].n[1] + 7 * %s[i].in.s) * (i %% 101 + 3)",
                              a->name, a->name, a->name, a->name);
    DPC("printf(\"%s %%ld\\n\", sum(%s, %s));\n", a->name, all.dpc, value);
    C("{ long s = 0; %ss += %s; printf(\"%s %%ld\\n\", s); }\n", all.c, value, a->name);
}

void records(void) {
    const long n = between(5, 40), rounds = between(1, 2);
    const own s = vector("struct cell", n, DIVIDED), t = vector("struct cell", n, DIVIDED);
    fill_records(&s), fill_records(&t);
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    for (long count = between(1, 4); count > 0; count--) {
        const bool swapped = chance(40);
        record_statement(swapped ? t.name : s.name, swapped ? s.name : t.name, n);
    }
    remap_own(&s);
    BOTH("}\nx %%= 1000;\n");
    print_records(&s), print_records(&t);
}

/* ---- Conditions and locals in foralls. In C each index combination's local is an element of local0, local1, its
 * masks are in mask0, mask1, ... */

typedef struct {
    const own *a, *b, *c; /* of one shape */
    box in;
    int locals, masks;
} branch_context;

static const char *operand(const branch_context *x, int locals, bool c) {
    const own *from = chance(50) ? x->b : chance(50) ? x->a : x->c;
    if (locals > 0 && chance(40)) return words(c ? "local%d[at]" : "t%d", (int)below(locals));
    return words("%s[i%+ld][j%+ld]", from->name, between(-1, 1), between(-1, 1));
}

/* The same operand in both languages: locals have other names in C. */
static void same_operand(text *t, const branch_context *x, int locals) {
    if (locals > 0 && chance(40)) {
        const int n = (int)below(locals);
        sprintf(t->dpc, "t%d", n), sprintf(t->c, "local%d[at]", n);
    } else {
        strcpy(t->dpc, operand(x, 0, false));
        strcpy(t->c, t->dpc);
    }
}

static void branch_value(text *t, const branch_context *x) {
    static const char *const patterns[] = {"(long)($ + 2 * $) % 97", "(long)($ - $) % 89 + i",
                                           "($ > 3 ? (long)$ % 83 : j)"};
    text a = {0}, b = {0};
    same_operand(&a, x, x->locals), same_operand(&b, x, x->locals);
    combine(t, patterns[below(3)], &a, &b);
}

static void branch_statements(branch_context *x, const char *guard, int deep, int count);

static void branch_assignment(branch_context *x, const char *guard) {
    text value = {0};
    branch_value(&value, x);
    const own *left = chance(50) ? x->a : chance(50) ? x->b : x->c;
    const char *op = chance(75) ? "=" : "+=", *element = words("%s[i][j]", left->name);
    DPC("%s %s %s;\n", element, op, value.dpc);
    loops_in(&x->in, guard, element, op, value.c);
}

static void branch_if(branch_context *x, const char *guard, int deep) {
    text a = {0};
    const int mask = x->masks++;
    same_operand(&a, x, x->locals);
    const long bound = between(-20, 20);
    DPC("if (%s > %ld) {\n", a.dpc, bound);
    C("at = 0; %s{ mask%d[at] = (%s) && %s > %ld; at++; }\n", x->in.c, mask, guard, a.c, bound);
    depth++;
    branch_statements(x, words("mask%d[at]", mask), deep + 1, (int)between(1, 2));
    if (chance(50)) {
        depth--;
        DPC("} else {\n");
        depth++;
        branch_statements(x, words("((%s) && !mask%d[at])", guard, mask), deep + 1, (int)between(1, 2));
    }
    depth--;
    DPC("}\n");
}

static void branch_statements(branch_context *x, const char *condition, int deep, int count) {
    char guard[400]; /* words() are used in turn */
    strcpy(guard, condition);
    for (; count > 0; count--) {
        if (deep < 2 && x->masks < 4 && chance(35))
            branch_if(x, guard, deep);
        else if (x->locals > 0 && chance(25)) {
            const int n = (int)below(x->locals);
            text value = {0};
            branch_value(&value, x);
            DPC("t%d += %s;\n", n, value.dpc);
            C("at = 0; %s{ if (%s) local%d[at] += %s; at++; }\n", x->in.c, guard, n, value.c);
        } else
            branch_assignment(x, guard);
    }
}

void branches(void) {
    const long n = between(3, 12), m = between(3, 10);
    const char *type = any_type();
    const own a = matrix(type, n, m, DIVIDED), b = matrix(type, n, m, DIVIDED), c = matrix(any_type(), n, m, DIVIDED);
    fill_own(&a), fill_own(&b), fill_own(&c);
    branch_context x = {.a = &a, .b = &b, .c = &c, .in = box2(1, n - 2, 1, m - 2)};
    C("char mask0[200], mask1[200], mask2[200], mask3[200]; long local0[200], local1[200];\n");
    C("(void)mask0, (void)mask1, (void)mask2, (void)mask3, (void)local0, (void)local1;\n");
    DPC("forall (%s) {\n", x.in.dpc);
    depth++;
    for (long count = below(3); count > 0; count--) {
        text value = {0};
        branch_value(&value, &x);
        const int l = x.locals++;
        DPC("long t%d = %s;\n", l, value.dpc);
        C("at = 0; %s{ local%d[at] = %s; at++; }\n", x.in.c, l, value.c);
    }
    const int declared = x.locals;
    for (long count = between(1, 3); count > 0; count--) {
        if (declared > 0 && chance(25)) {
            text value = {0};
            branch_value(&value, &x);
            DPC("t0 = %s;\n", value.dpc);
            C("at = 0; %s{ local0[at] = %s; at++; }\n", x.in.c, value.c);
        }
        branch_statements(&x, "1", 0, 1);
    }
    depth--;
    DPC("}\n");
    print_own(&a), print_own(&b), print_own(&c);
}

/* ---- Prefix and suffix operations */

static const struct {
    const char *name, *start, *update;
} scans[] = {{"sum", "0", "s += v"},
             {"maxval", "LONG_MIN", "if (v > s) s = v"},
             {"minval", "LONG_MAX", "if (v < s) s = v"},
             {"count", "0", "s += v % 3 == 1"}};

/* C: the operation over `inner` for each of `outer`; the element's place is k0, k1. */
static void scan_loops(const char *outer, const char *inner, int kind, bool exclusive, const char *value) {
    C("at = 0; %s{ long s = %s, v; %s{ v = %s; ", outer, scans[kind].start, inner, value);
    if (exclusive)
        add(&c_body, "taken[k0 * 100 + k1] = s %% 89; %s; } }\n", scans[kind].update);
    else
        add(&c_body, "%s; taken[k0 * 100 + k1] = s %% 89; } }\n", scans[kind].update);
}

static const char *scan_loop(int d, long count, bool suffix) {
    return suffix ? words("for (k%d = %ld; k%d >= 0; k%d--) ", d, count - 1, d, d)
                  : words("for (k%d = 0; k%d < %ld; k%d++) ", d, d, count, d);
}

/* The part of dimension d from `low` on, so many elements at a stride; in C by k0 or k1. */
static void part(text *t, int d, long extent, long count) {
    const long most = count > 1 ? (extent - 1) / (count - 1) : 1,
               stride = most > 1 && chance(40) ? between(1, most) : 1;
    const long low = below(extent - (count - 1) * stride);
    const bool back = chance(25);
    const long from = back ? low + (count - 1) * stride : low, by = back ? -stride : stride;
    if (count == extent && !back)
        strcpy(t->dpc, ":");
    else
        sprintf(t->dpc, "%ld:%ld:%ld", from, from + (count - 1) * by, by);
    sprintf(t->c, "%ld+k%d*%ld", from, d, by);
}

void prefixes(void) {
    const long n = between(1, 25), m = between(1, 12), rows = between(1, n), columns = between(1, m);
    const bool flat = chance(40), suffix = chance(40), exclusive = chance(35);
    const long kind = below(4), along = flat ? 1 : below(3); /* 0: in row-major order of all */
    const own a = flat ? vector("long", n, DIVIDED) : matrix("long", n, m, DIVIDED);
    const own b = flat ? vector(any_type(), n, 0) : matrix(any_type(), n, m, 0);
    fill_own(&a), fill_own(&b);
    text left[2], right[2];
    part(&left[0], 0, n, rows), part(&right[0], 0, n, rows), part(&left[1], 1, m, columns),
        part(&right[1], 1, m, columns);
    const own *from = chance(25) ? &a : &b;
    const char *element =
        flat ? words("%s[%s]", from->name, right[0].dpc) : words("%s[%s][%s]", from->name, right[0].dpc, right[1].dpc);
    const char *value = flat ? words("(long)%s[%s] %% 97", from->name, right[0].c)
                             : words("(long)%s[%s][%s] %% 97", from->name, right[0].c, right[1].c);
    const char *target =
        flat ? words("%s[%s]", a.name, left[0].dpc) : words("%s[%s][%s]", a.name, left[0].dpc, left[1].dpc);
    const char *wanted = kind == 3 ? "% 97 % 3 == 1" : "% 97";
    const char *arguments = along == 0 && !exclusive ? "" : words(", %ld%s", along, exclusive ? ", 1" : "");
    if (along == 0 && exclusive) return;
    const long plus = below(3);
    DPC("%s = %ld + %s_%s((long)%s %s%s) %% 89;\n", target, plus, scans[kind].name, suffix ? "suffix" : "prefix",
        element, wanted, arguments);
    const char *l0 = scan_loop(0, rows, suffix), *l1 = flat ? "" : scan_loop(1, columns, suffix);
    C("k1 = 0;\n");
    scan_loops(along == 1   ? l1
               : along == 2 ? l0
                            : "",
               along == 1   ? l0
               : along == 2 ? l1
                            : words("%s%s", l0, l1),
               (int)kind, exclusive, value);
    C("%s%s%s = %ld + taken[k0 * 100 + k1];\n", l0, l1,
      flat ? words("%s[%s]", a.name, left[0].c) : words("%s[%s][%s]", a.name, left[0].c, left[1].c), plus);
    print_own(&a);
}

/* ---- Places of extreme elements of several indices */

void places_of_extremes(void) {
    const long n = between(1, 20), m = between(1, 12);
    const own a = matrix(any_type(), n, m, 0), b = matrix(any_type(), n, m, 0);
    fill_own(&a), fill_own(&b);
    const long low = below(n), low2 = below(m), high = between(low - 1, n - 1), high2 = between(low2 - 1, m - 1);
    const box all = box2(low, high, low2, high2);
    const bool greatest = chance(50);
    const long modulus = between(2, 90);
    const char *value = words("(long)(%s[i][j] + %s[i][j]) %% %ld", a.name, b.name, modulus);
    const char *mask = chance(40) ? words("(long)%s[i][j] %% 3 != 1", b.name) : NULL;
    const char *name = greatest ? "maxloc" : "minloc";
    DPC("x = %s(%s, %s%s%s);\n", name, all.dpc, mask ? mask : "", mask ? ", " : "", value);
    C("{ long best = 0, place = -1; %s{ long v = %s; if ((%s) && (place < 0 || v %s best)) best = v, place = (i - %ld) "
      "* %ld + "
      "(j - %ld); } x = place; }\n",
      all.c, value, mask ? mask : "1", greatest ? ">" : "<", low, high2 - low2 + 1, low2);
    BOTH("printf(\"%s %%ld\\n\", x);\nx %%= 1000;\nif (x < 0) x = 1;\n", name);
    if (chance(50)) {
        DPC("printf(\"%%ld\\n\", %s((long)%s[:][:] %% %ld));\n", name, a.name, modulus);
        C("{ long best = 0, place = -1; for (long i = 0; i < %ld; i++) for (long j = 0; j < %ld; j++) { long v = "
          "(long)%s[i][j] "
          "%% %ld; if (place < 0 || v %s best) best = v, place = i * %ld + j; } printf(\"%%ld\\n\", place); }\n",
          n, m, a.name, modulus, greatest ? ">" : "<", m);
    }
}

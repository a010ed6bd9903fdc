/* Kernels that are loops of C: nests, sweeps, rows of sparse matrices, histograms.  See kernels.h. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `for (...)` of an index through low .. high in one of several forms; down: where it can. */
static const char *loop_of(char index, long low, long high, bool down) {
    const char *type = down && low == 0 ? "long" : any_counter(), i = index;
    const bool is_unsigned = type[0] != 'l';
    if (down) return words("for (%s %c = %ld; %c >= %ld; %c--)", type, i, high, i, low, i);
    if (is_unsigned && chance(50)) {
        const char *first =
            low > 0 && chance(50) ? words("%ld %s ku", low > 1 ? low - 1 : 2, low > 1 ? "+" : "-") : words("%ld", low);
        if (chance(50)) return words("for (%s %c = %s; %c < %ld + ku; %c++)", type, i, first, i, high, i);
        return words("for (%s %c = %s; %c <= %ld - 2 * ku; ++%c)", type, i, first, i, high + 2, i);
    }
    if (chance(50)) return words("for (%s %c = %ld; %c < %ld; %c++)", type, i, low, i, high + 1, i);
    return words("for (%s %c = %ld; %c <= %ld; %c += 1)", type, i, low, i, high, i);
}

/* An element of a matrix near [i][j]. */
static const char *near(const own *a, long most) {
    return words("%s[i%+ld][j%+ld]", a->name, between(-most, most), between(-most, most));
}

/* ---- Nests without dependences */

static void stencil_nest(const own *a, const own *b, const char *outer, const char *inner) {
    const char *body[] = {
        words("%s[i][j] = (long)(%s + 2 * %s) %% 97;", a->name, near(b, 2), near(b, 2)),
        words("{ long t = (long)%s %% 50; if (t > %ld) %s[i][j] = t + 1; else %s[i][j] = t - (long)%s %% 9; }",
              near(b, 1), below(20), a->name, a->name, near(b, 2)),
        words("%s[i][j] += %s > %s ? 3 : (long)%s %% 7;", a->name, near(b, 1), near(b, 1), near(b, 2)),
        words("if ((i + j) %% 3 != %ld) { %s[i][j] = (long)%s %% 97; s += (long)%s %% 97; }", below(3), a->name,
              near(b, 2), near(b, 0))};
    const char *chosen = body[below(4)];
    BOTH("%s %s %s\n", outer, inner, chosen);
}

static void vector_nest(const own *a, const own *b, const own *v, const char *outer, const char *inner) {
    const char *body[] = {
        words("%s { long t = 0; %s t += (long)%s[i][j] %% 50; %s[i] = t %% 97; }", outer, inner, b->name, v->name),
        words("%s %s %s[i] += (long)%s[i][j] %% 5;", outer, inner, v->name, b->name),
        words("%s %s %s[j] += (long)(%s[i][j] * %s[i][j+1]) %% 5;", outer, inner, v->name, b->name, a->name),
        words("%s %s if ((long)%s[i][j] %% 50 > m) { m = (long)%s[i][j] %% 50; }", outer, inner, b->name, b->name),
        words("%s { %s[i] = i; %s { s += (long)(%s[i][j] * %s[i]) %% 50; } }", outer, v->name, inner, b->name, v->name),
        words("%s for (long j = i; j < %ld; j++) %s[i][j] = (long)%s[i][j] %% 97 + (long)i;", outer,
              minimum(a->extent[1], b->extent[1]), a->name, b->name),
        words("%s { %s[i][0] = (long)%s[i] %% 50; %s[i] = (long)%s[i][2] %% 50; }", outer, a->name, v->name, v->name,
              b->name)};
    const char *chosen = body[below(7)];
    BOTH("%s\n", chosen);
}

void plain_nest(void) {
    const long n = between(6, 20), m = between(6, 14);
    const own a = matrix(any_type(), n, m, 0), b = matrix(any_type(), n, m, 0);
    const own v = vector(any_type(), n > m ? n : m, 0);
    fill_own(&a), fill_own(&b), fill_own(&v);
    BOTH("long s = 0, m = 0;\n");
    const long rounds = between(1, 3);
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    for (long count = between(1, 3); count > 0; count--) {
        const char *outer = loop_of('i', 2, n - 3, chance(30)), *inner = loop_of('j', 2, m - 3, chance(30));
        const bool turned = chance(30);
        const own *left = chance(70) ? &a : &b, *right = left == &a ? &b : &a;
        if (chance(50))
            stencil_nest(left, right, turned ? inner : outer, turned ? outer : inner);
        else
            vector_nest(left, right, &v, outer, inner);
    }
    remap_own(&a);
    BOTH("}\nprintf(\"%%ld %%ld\\n\", s, m);\n");
    print_own(&a), print_own(&b), print_own(&v);
}

/* ---- Sweeps */

/* How each loop of a sweep steps: 1, -1, or by a variable s0, s1, s2. */
typedef struct {
    int rank;
    long low[3], high[3];
    int step[3]; /* 0: by the variable */
} sweep_loops;

static void add_sweep_loops(const sweep_loops *w) {
    for (int d = 0; d < w->rank; d++) {
        const char i = "ijk"[d];
        const long low = w->low[d], high = w->high[d];
        const char *loop =
            w->step[d] == 1    ? words("for (%s %c = %ld; %c <= %ld; %c++)", any_counter(), i, low, i, high, i)
            : w->step[d] == -1 ? words("for (%s %c = %ld; %c >= %ld; %c--)", any_counter(), i, high, i, low, i)
            : chance(50) ? words("for (long %c = s%d > 0 ? %ld : %ld; s%d > 0 ? %c <= %ld : %c >= %ld; %c += s%d)", i,
                                 d, low, high, d, i, high, i, low, i, d)
                         : words("for (long %c = s%d > 0 ? %ld : %ld; %c >= %ld && %c <= %ld; %c += s%d)", i, d, low,
                                 high, i, low, i, high, i, d);
        BOTH("%s%s\n", loop, d == w->rank - 1 ? " {" : "");
    }
}

/* An element that earlier iterations may have assigned: behind [i][j][k] in at least one dimension, ahead in another
 * one at times. */
static const char *earlier(const own *a, const sweep_loops *w, int ahead) {
    char out[200];
    const int behind = (int)below(w->rank);
    strcpy(out, a->name);
    for (int d = 0; d < w->rank; d++) {
        long distance = d == behind ? between(1, 2) : chance(60) ? 0 : chance(ahead) ? between(-2, 2) : between(0, 2);
        const char i = "ijk"[d];
        if (distance == 0)
            sprintf(out + strlen(out), "[%c]", i);
        else if (w->step[d] != 0)
            sprintf(out + strlen(out), "[%c%+ld]", i, -distance * w->step[d]);
        else if (distance == 1)
            sprintf(out + strlen(out), "[%c-s%d]", i, d);
        else
            sprintf(out + strlen(out), "[%c%+ld*s%d]", i, -distance, d);
    }
    return words("%s", out);
}

static const char *here(const own *a) {
    return words(a->rank == 1 ? "%s[i]" : a->rank == 2 ? "%s[i][j]" : "%s[i][j][k]", a->name);
}

static void sweep_body(const own *a, const own *b, const sweep_loops *w) {
    const int ahead = chance(80) ? 0 : 30;
    const char *first = earlier(a, w, ahead), *second = earlier(a, w, ahead);
    switch (below(5)) {
    case 0:
        BOTH("%s = (long)(%s + 2 * %s + %s) %% 97;\n", here(a), first, second, here(b));
        break;
    case 1: {
        const char *third = earlier(b, w, 0);
        BOTH("long t = (long)(%s - %s) %% 89;\n", first, here(b));
        BOTH("if (t > 3) %s = t; else %s = t + 2;\n", here(a), here(a));
        BOTH("%s = (t + (long)%s) %% 97;\n", here(b), third);
        break;
    }
    case 2:
        BOTH("%s = (long)(%s + %s) %% 97;\n", here(a), first, here(b));
        BOTH("s += (long)%s;\n", here(a));
        break;
    case 3:
        BOTH("if (%s > %s) %s = (long)(%s * 3) %% 97; else %s += 1;\n", first, here(b), here(a), second, here(a));
        BOTH("if ((long)%s > m) m = (long)%s;\n", here(a), here(a));
        break;
    default: {
        const char *old = words("%s", here(b));
        BOTH("long t = 0;\nfor (int q = 0; q < 3; q++) t += (long)%s * q + (long)%s;\n", first, old);
        BOTH("%s = t %% 97;\n", here(a));
    }
    }
}

void sweep(void) {
    sweep_loops w = {.rank = chance(15) ? 1 : chance(75) ? 2 : 3};
    long extent[3];
    for (int d = 0; d < w.rank; d++) {
        extent[d] = w.rank == 3 ? between(5, 9) : between(5, 20);
        w.low[d] = 2, w.high[d] = extent[d] - 3;
        w.step[d] = chance(60) ? 1 : chance(60) ? -1 : 0;
    }
    const char *type = any_type();
    const own a = own_array(type, w.rank, extent, chance(50) ? 0 : DIVIDED), b = own_array(type, w.rank, extent, 0);
    fill_own(&a), fill_own(&b);
    BOTH("long s = 0, m = 0;\n");
    const char *is_constant = chance(50) ? "const " : "";
    for (int d = 0; d < w.rank; d++)
        if (w.step[d] == 0) BOTH("%slong s%d = x %% %d ? 1 : -1;\n", is_constant, d, d + 2);
    const long rounds = between(1, 2);
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    add_sweep_loops(&w);
    sweep_body(&a, &b, &w);
    BOTH("}\n}\nprintf(\"%%ld %%ld\\n\", s, m);\n");
    print_own(&a), print_own(&b);
}

/* ---- Two loops under one directive */

void two_loops(void) {
    const long n = between(3, 15), m = between(3, 12);
    const own a = matrix(any_type(), n, m, DIVIDED), b = matrix(any_type(), n, m, 0);
    const own v = vector(any_type(), m, 0);
    fill_own(&a), fill_own(&b), fill_own(&v);
    BOTH("long s = 0, t = 0;\n");
    const bool adds = chance(50);
    DPC("#pragma dpc independent on(%s[i][j]) private(t)%s\n", a.name, adds ? " reduction(+: s)" : "");
    const char *outer = loop_of('i', 1, n - 2, chance(30)), *inner = loop_of('j', 1, m - 2, chance(30));
    BOTH("%s\n%s {\n", outer, inner);
    const char *first = near(&b, 1), *second = near(&b, 1), *third = chance(50) ? words("%s[j]", v.name) : near(&b, 1);
    BOTH("t = (long)(%s - %s) %% 97;\n", first, second);
    BOTH("if (t > 0) %s[i][j] = t + (long)%s;\nelse %s[i][j] += 2;\n", a.name, third, a.name);
    if (adds) BOTH("s += t;\n");
    BOTH("}\n(void)t;\nprintf(\"%%ld\\n\", s);\n");
    print_own(&a);
}

/* ---- Rows of sparse matrices */

/* y[i] = sums over the row's elements, as a forall or as loops.  weight: another array that is read at k, or NULL; z:
 * one that is read where x is, or NULL. */
static void row_sums(const own *y, const own *row, const own *column, const own *value, const own *x, const own *weight,
                     const own *z, long n) {
    const char *factor = weight ? words("%s[k] * ", weight->name) : "";
    const char *more = z ? words(" + %s[%s[k]]", z->name, column->name) : "";
    const char *term = words("(long)(%s%s[k] * %s[%s[k]]%s) %% 97", factor, value->name, x->name, column->name, more);
    const char *low = words("%s[i]", row->name), *high = words("%s[i+1]-1", row->name);
    const char *sum = words("long s = 0; for (long k = %s; k <= %s; k++) s += %s;", low, high, term);
    if (chance(60)) {
        const char *plus = chance(30) ? "1 + " : "";
        DPC("forall (i = 0:%ld) %s[i] = %s(sum(k = %s:%s, %s)) %% 97;\n", n - 1, y->name, plus, low, high, term);
        C("for (long i = 0; i < %ld; i++) { %s %s[i] = %s(s) %% 97; }\n", n, sum, y->name, plus);
        return;
    }
    if (y->distributed && chance(30)) DPC("#pragma dpc independent on(%s[i])\n", y->name);
    BOTH("for (long i = 0; i < %ld; i++) { %s %s[i] = s %% 97; }\n", n, sum, y->name);
}

void sparse_rows(void) {
    const long n = between(1, 20), longest = between(0, 5), most = n * longest, m = between(1, 20);
    const own row = vector(chance(50) ? "int" : "long", n + 1, 0);
    const own column = vector(chance(50) ? "int" : "long", most + 1, 0);
    const own value = vector(any_type(), most + 1, 0), weight = vector(any_type(), most + 1, 0);
    const own x = vector(any_type(), m, 0), z = vector(any_type(), m, 0),
              y = vector(any_type(), n, chance(50) ? DIVIDED : 0);
    const box all = line(0, n);
    const char *start = chance(50) ? words("i * %ld", longest) : words("i * %ld / 2", longest);
    forall_in(&all, NULL, words("%s[i]", row.name), "=", start);
    fill_places(&column, m, false);
    fill_own(&value), fill_own(&x), fill_own(&weight), fill_own(&z);
    if (!row.distributed && chance(60)) { /* elements row by row: i is not in the left side */
        const long factor = between(1, 5);
        DPC("forall (i = 0:%ld, k = %s[i]:%s[i+1]-1) %s[k] %s i * %ld + k;\n", n - 1, row.name, row.name, value.name,
            factor > 3 ? "+=" : "=", factor);
        C("for (long i = 0; i < %ld; i++) for (long k = %s[i]; k < %s[i+1]; k++) %s[k] %s i * %ld + k;\n", n, row.name,
          row.name, value.name, factor > 3 ? "+=" : "=", factor);
    }
    const long rounds = between(1, 3);
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    const own *factor = chance(60) ? chance(20) ? &value : &weight : NULL;
    const bool inner = chance(30); /* nothing changes in the innermost loop */
    if (inner) BOTH("for (int u = 0; u < 2; u++) {\n");
    row_sums(&y, &row, &column, &value, &x, factor, chance(40) ? &z : NULL, n);
    const box rows = line(0, n - 1);
    if (inner && chance(50)) forall_in(&rows, NULL, words("%s[i]", y.name), "+=", words("(long)%s[i] %% 5", y.name));
    if (inner) BOTH("}\n");
    const long changed = below(most + 1), to = below(50);
    if (chance(20)) BOTH("if (t == 0) %s[%ld] = %ld;\n", value.name, changed, to);
    const box least = line(0, (n < m ? n : m) - 1);
    if (chance(60)) forall_in(&least, NULL, words("%s[i]", x.name), "=", words("(long)(%s[i] + 3) %% 97", y.name));
    if (chance(30)) BOTH("if (t == 1) %s[%ld] = %ld;\n", column.name, below(1), below(1));
    const own *const remapped[] = {&y, &value, &weight, &column, &x};
    remap_own(remapped[below(5)]);
    BOTH("}\n");
    print_own(&y);
}

/* ---- Histograms */

void histogram(void) {
    const long n = between(1, 50), m = between(1, 12), l = between(1, 6);
    const own key = vector("int", n, chance(60) ? DIVIDED : 0), weight = vector(any_type(), n, 0);
    const bool flat = chance(60);
    const char *type = chance(50) ? "long" : "double";
    const own h = flat ? vector(type, m, 0) : matrix(type, m, l, 0);
    fill_places(&key, m, false);
    fill_own(&weight), fill_own(&h);
    const char *at = flat ? words("%s[%s[i]]", h.name, key.name) : words("%s[%s[i]][i %% %ld]", h.name, key.name, l);
    const char *value = words("(long)%s[i] %% 50", weight.name);
    const long kind = below(3);
    const bool directed = chance(60);
    const long rounds = between(1, 2);
    BOTH("for (int t = 0; t < %ld; t++)\n", rounds);
    if (directed) DPC("{\n#pragma dpc independent reduction(%s: %s)\n", kind == 2 ? "max" : "+", h.name);
    const char *loop = loop_of('i', 0, n - 1, false);
    if (kind == 0)
        BOTH("%s %s += %s;\n", loop, at, value);
    else if (kind == 1)
        BOTH("%s { if (%s > 3) continue; %s++; }\n", loop, value, at);
    else
        BOTH("%s if (%s > %s) %s = %s;\n", loop, value, at, at, value);
    if (directed) DPC("}\n");
    print_own(&h);
}

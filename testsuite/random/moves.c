/* Kernels that move elements by subscripts of all kinds.  See kernels.h. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

/* ---- Gathers and scatters in loops: what was found out is found out again where places change */

void repeated_gathers(void) {
    const long n = between(2, 40), m = between(2, 40), rounds = between(2, 4);
    const own places = vector(chance(60) ? "int" : "long", n, 0), order = vector("int", n, 0);
    const own x = vector(any_type(), m, 0), y = vector(any_type(), n, DIVIDED), z = vector(any_type(), n, DIVIDED);
    const own w = vector(any_type(), m, 0);
    fill_places(&places, m, false), fill_places(&order, n, true);
    fill_own(&x), fill_own(&y), fill_own(&z), fill_own(&w);
    const box all = line(0, n - 1), part = line(0, minimum(n, m) - 1);
    const char *place = chance(50) ? words("[%s[i]]", places.name) : words("[%s[%s[i]]]", places.name, order.name);
    const char *read = words("%s%s", x.name, place);
    if (chance(50)) read = words(chance(70) ? "%s + %s%s" : "(i %% 3 > 0 ? %s : %s%s)", read, w.name, place);
    BOTH("for (%s t = 0; t < %ld; t++) {\n", chance(80) ? "int" : "size_t", rounds);
    const char *mask = chance(30) ? words("(long)%s[i] %% 3 != 1", y.name) : NULL;
    forall_in(&all, mask, words("%s[i]", y.name), chance(60) ? "=" : "+=", words("(long)(%s + i) %% 97", read));
    const char *other = chance(50) ? words("(long)%s[i] %% 97", y.name)
                                   : words("(long)(%s[i] - %s[%s[i]]) %% 97", y.name, z.name, order.name);
    forall_in(&all, NULL, words("%s[%s[i]]", z.name, order.name), "=", other);
    if (chance(70)) forall_in(&part, NULL, words("%s[i]", x.name), "=", words("(long)(%s[i] * 2) %% 89", z.name));
    const long round = below(rounds), at = below(n), to = below(m);
    if (chance(50)) BOTH("if (t == %ld) %s[%ld] = %ld;\n", round, places.name, at, to);
    remap_own(chance(30) ? &w : chance(50) ? &x : &places);
    BOTH("}\n");
    print_own(&y), print_own(&z);
}

/* ---- Rows, columns and both by places: M[p[:]][:], M[:][q[:]], M[p[:]][q[:]] */

/* The element of an assignment's k-th element: `places` or NULL, else from l on. */
static const char *place_of(const own *places, long first, const char *k, bool dpc, long count) {
    if (!places) return dpc ? words("%ld:%ld", first, first + count - 1) : words("%ld+%s", first, k);
    if (!dpc) return words("%s[%ld+%s]", places->name, first, k);
    if (first == 0 && count == places->extent[0]) return words("%s[:]", places->name);
    return words("%s[%ld:%ld]", places->name, first, first + count - 1);
}

/* Some n of the rows or columns of a, which has `all`; in both languages. */
static void side(text *t, const own *places, long all, long n, const char *k) {
    const long first = below(all - n + 1);
    strcpy(t->dpc, place_of(places, first, k, true, n));
    strcpy(t->c, place_of(places, first, k, false, n));
}

void rows_by_places(void) {
    const long n = between(1, 12), m = between(1, 10), rounds = between(1, 2);
    const char *type = any_type();
    const own a = matrix(any_type(), n, m, chance(50) ? UNDIVIDED << 1 : 0), b = matrix(type, n, m, 0);
    const own rows = vector("int", n, 0), columns = vector("long", m, 0);
    fill_own(&a), fill_own(&b), fill_places(&rows, n, true), fill_places(&columns, m, true);
    BOTH("for (%s t = 0; t < %ld; t++) {\n", chance(80) ? "int" : "size_t", rounds);
    for (long count = between(1, 3); count > 0; count--) {
        const long height = chance(50) ? n : between(1, n), width = chance(50) ? m : between(1, m);
        const own *left = chance(70) ? &a : &b, *right = chance(30) ? left : left == &a ? &b : &a;
        text side_of[4];
        side(&side_of[0], chance(40) ? &rows : NULL, n, height, "i");
        side(&side_of[1], chance(40) ? &columns : NULL, m, width, "j");
        side(&side_of[2], chance(60) ? &rows : NULL, n, height, "i");
        side(&side_of[3], chance(40) ? &columns : NULL, m, width, "j");
        const char *pattern = chance(60) ? "%s[%s][%s]" : "(long)(%s[%s][%s] + 1) %% 97";
        const char *op = chance(80) ? "=" : "+=";
        DPC("%s[%s][%s] %s ", left->name, side_of[0].dpc, side_of[1].dpc, op);
        add(&dpc_body, pattern, right->name, side_of[2].dpc, side_of[3].dpc);
        add(&dpc_body, ";\n");
        const box all = box2(0, height - 1, 0, width - 1);
        loops_in(&all, NULL, words("%s[%s][%s]", left->name, side_of[0].c, side_of[1].c), op,
                 words(pattern, right->name, side_of[2].c, side_of[3].c));
        if (chance(30)) BOTH("x = (x + (long)%s[0][0]) %% 1000;\n", left->name);
    }
    remap_own(&a);
    BOTH("}\n");
    print_own(&a), print_own(&b);
}

/* ---- Subscripts that go round */

static const char *round_subscript(char index, long n) {
    const long by = between(0, n > 3 ? 3 : n);
    switch (below(5)) {
    case 0:
        return words("(%c + %ld) %% %ld", index, by, n);
    case 1:
        return words("(%c + %ld - %ld) %% %ld", index, n, by, n);
    case 2:
        return words("(%c - %ld + %ld) %% %ld", index, by, n, n);
    case 3:
        return words("%c == %ld ? 0 : %c + 1", index, n - 1, index);
    default:
        return words("%c", index);
    }
}

void wrapped(void) {
    const long n = between(1, 20), m = between(1, 14), rounds = between(1, 3);
    const own a = matrix(any_type(), n, m, 0), b = matrix(any_type(), n, m, 0);
    fill_own(&a), fill_own(&b);
    BOTH("for (%s t = 0; t < %ld; t++) {\n", chance(80) ? "int" : "size_t", rounds);
    const char *i = round_subscript('i', n), *j = round_subscript('j', m), *k = round_subscript('i', n);
    const char *value = words("(long)(%s[%s][%s] - 2 * %s[%s][j]) %% 97", b.name, i, j, b.name, k);
    const box all = box2(0, n - 1, 0, m - 1);
    if (chance(50))
        forall_in(&all, NULL, words("%s[i][j]", a.name), "=", value);
    else
        BOTH("for (long i = 0; i < %ld; i++) for (long j = 0; j < %ld; j++) %s[i][j] = %s;\n", n, m, a.name, value);
    const char *back = words("(long)%s[%s][%s] %% 89", a.name, round_subscript('i', n), round_subscript('j', m));
    forall_in(&all, NULL, words("%s[i][j]", b.name), "+=", back);
    BOTH("}\n");
    print_own(&a), print_own(&b);
}

/* ---- The same elements in one dimension and in two or three */

void reshaped(void) {
    const long n = between(1, 12), m = between(1, 9), offset = between(0, 3), l = n * m + offset;
    const own a = matrix(any_type(), n, m, chance(60) ? DIVIDED : 0),
              v = vector(any_type(), l, chance(60) ? DIVIDED : 0);
    fill_own(&a), fill_own(&v);
    const box all = box2(0, n - 1, 0, m - 1), flat = line(0, n * m - 1);
    BOTH("for (int t = 0; t < 2; t++) {\n");
    const char *there =
        chance(60) ? words("%s[i*%ld+j+%ld]", v.name, m, offset) : words("%s[%ld+j*%ld+i]", v.name, offset, n);
    const char *back = chance(60) ? words("%s[i/%ld][i%%%ld]", a.name, m, m) : words("%s[i%%%ld][i/%ld]", a.name, n, n);
    for (long count = between(1, 3); count > 0; count--) switch (below(4)) {
        case 0:
            forall_in(&all, NULL, words("%s[i][j]", a.name), "=", words("(long)(%s + i) %% 97", there));
            break;
        case 1:
            forall_in(&flat, NULL, words("%s[i+%ld]", v.name, offset), "=", words("(long)(%s - 3) %% 97", back));
            break;
        case 2:
            forall_in(&all, NULL, there, "=", words("(long)%s[i][j] %% 89", a.name));
            break;
        default:
            forall_in(&flat, NULL, back, "+=", words("(long)%s[i] %% 89", v.name));
        }
    remap_own(chance(50) ? &a : &v);
    BOTH("}\n");
    print_own(&a), print_own(&v);
}

/* ---- Two planes in turn */

void double_buffer(void) {
    const long n = between(3, 14), m = between(3, 12), rounds = between(1, 5), extent[] = {2, n, m};
    const own u = own_array(any_type(), 3, extent, DIVIDED | UNDIVIDED << 0), v = matrix(any_type(), n, m, 0);
    fill_own(&u), fill_own(&v);
    const bool by_time = chance(50);
    const char *from = by_time ? "t % 2" : "c", *to = by_time ? "(t + 1) % 2" : "1 - c";
    if (!by_time) BOTH("int c = 0;\n");
    BOTH("for (%s t = 0; t < %ld; t++) {\n", chance(80) ? "int" : "size_t", rounds);
    const char *value = words("(long)(%s[%s][i-1][j] + %s[%s][i+1][j%+ld] - %s[%s][i][j] + %s[i][j]) %% 97", u.name,
                              from, u.name, from, between(-1, 1), u.name, chance(70) ? from : to, v.name);
    const box inner = box2(1, n - 2, 1, m - 2), rows = line(0, n - 1);
    if (chance(60))
        forall_in(&inner, NULL, words("%s[%s][i][j]", u.name, to), "=", value);
    else
        BOTH("for (%s i = 1; i < %ld; i++) for (%s j = 1; j < %ld; j++) %s[%s][i][j] = %s;\n", any_counter(), n - 1,
             any_counter(), m - 1, u.name, to, value);
    if (chance(40))
        forall_in(&rows, NULL, words("%s[%s][i][0]", u.name, to), "=", words("%s[%s][i][%ld]", u.name, to, m - 2));
    if (!by_time) BOTH("c = 1 - c;\n");
    BOTH("}\n");
    print_own(&u);
}

/* ---- Inner indices between constants that are added to subscripts */

void inner_offsets(void) {
    const long n = between(5, 20), m = between(5, 14), low = -below(3), high = below(3);
    const own a = matrix(any_type(), n, m, DIVIDED), b = matrix(any_type(), n, m, 0);
    fill_own(&a), fill_own(&b);
    const box inner = box2(2, n - 3, 2, m - 3);
    const char *term = words("(long)(%s[i+p][j%sp] * (p + 5)) %% 97", b.name, chance(50) ? "+" : "-");
    const char *also = chance(50) ? "" : words("p > %ld, ", low - 1 + below(3));
    switch (below(3)) {
    case 0: {
        DPC("forall (%s) %s[i][j] = sum(p = %ld:%ld, %s%s);\n", inner.dpc, a.name, low, high, also, term);
        C("%s{ long s = 0; for (long p = %ld; p <= %ld; p++) if (%s 1) s += %s; %s[i][j] = s; }\n", inner.c, low, high,
          *also ? words("%.*s &&", (int)strlen(also) - 2, also) : "", term, a.name);
        break;
    }
    case 1:
        BOTH("for (long p = %ld; p <= %ld; p++)\n", low, high);
        DPC("forall (%s) %s[i][j] += %s;\n", inner.dpc, a.name, term);
        C("%s%s[i][j] += %s;\n", inner.c, a.name, term);
        break;
    default:
        BOTH("for (%s i = 2; i < %ld; i++) for (%s j = 2; j < %ld; j++) {\n", any_counter(), n - 2, any_counter(),
             m - 2);
        BOTH("long s = 0;\nfor (long p = %ld; p <= %ld; p++) s += %s;\n", low, high, term);
        BOTH("%s[i][j] = s %% 97;\n}\n", a.name);
    }
    print_own(&a);
}

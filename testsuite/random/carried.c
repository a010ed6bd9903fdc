/* Kernels whose loops carry scalars from iteration to iteration: recurrences, running sums, counters, states, searches
 * that `break` leaves.  See kernels.h. */
#include "kernels.h"

#include <stdio.h>

typedef struct {
    const own *u, *v, *key, *kept;
    long low, high; /* of the loop's variable */
    bool down;
    int scalars; /* s0, s1, .. */
    bool local;  /* t is declared */
} carrying;

/* A number that the iteration has, or that the one before left to it: below 10000 in any case. */
static const char *any_value(const carrying *x) {
    switch (below(x->local ? 7 : 6)) {
    case 0:
        return words("s%d", (int)below(x->scalars));
    case 1:
        return words("%ld", between(-9, 9));
    case 2:
        return words("%s[i%+ld]", x->v->name, between(-2, 2));
    case 3:
        return words("(long)%s[i%+ld]", x->u->name, x->down ? between(0, 2) : between(-2, 0));
    case 4:
        return "i";
    case 5:
        return words("%s[i]", x->key->name);
    default:
        return "t";
    }
}

static const char *condition(const carrying *x) {
    static const char *const relations[] = {"<", ">", "<=", "!=", "=="};
    const char *left = chance(60) ? words("%s[i]", x->key->name) : any_value(x), *right = any_value(x);
    if (chance(20)) return words("i %% %ld == %ld", between(2, 4), below(2));
    return words("%s %s %s", left, relations[below(5)], right);
}

/* What is added does not grow. */
static const char *update(const carrying *x) {
    const int k = (int)below(x->scalars), other = (int)below(x->scalars);
    const char *value = any_value(x);
    switch (below(10)) {
    case 0:
    case 1:
        return words("s%d += (long)%s[i] %% 7;", k, x->v->name);
    case 2:
        return words("s%d++;", k);
    case 3:
        return words("s%d -= %s[i] %% 3;", k, x->key->name);
    case 4:
        return words("s%d = (s%d * 5 + (long)(%s)) %% 97;", k, k, value);
    case 5:
        return words("s%d = (long)(%s) %% 89;", k, value);
    case 6:
        return words("{ long old = s%d; s%d = s%d; s%d = old; }", k, k, other, other);
    case 7:
        return words("if ((long)(%s) > s%d) s%d = (long)(%s) %% 101;", value, k, k, value);
    case 8:
        return words("s%d = %s[i] %% 5 + s%d;", k, x->key->name, k);
    default:
        return words("s%d = i;", k);
    }
}

static const char *store(const carrying *x) {
    const char *value = chance(70) ? words("s%d", (int)below(x->scalars)) : any_value(x);
    if (chance(15)) return words("%s[i] = s%d++ %% 97;", x->u->name, (int)below(x->scalars));
    return words("%s[i] = (long)(%s) %% 97;", x->u->name, value);
}

static void body_of(carrying *x, long count, bool inside) {
    for (; count > 0; count--) {
        const char *s = chance(60) ? update(x) : store(x), *when = condition(x), *again = update(x);
        const char *otherwise = chance(30) ? words(" else { %s }", again) : "";
        const char *times = chance(50) ? "3" : words("%s[i]", x->key->name);
        switch (below(inside ? 4 : 9)) {
        case 4:
            BOTH("if (%s) {\n", when);
            body_of(x, between(1, 2), true);
            BOTH("}%s\n", otherwise);
            break;
        case 5:
            BOTH("for (int r = 0; r < %s; r++) { %s }\n", times, again);
            break;
        case 6:
            if (chance(40)) BOTH("if (%s) continue;\n", when);
            break;
        default:
            BOTH("%s\n", s);
        }
    }
}

/* Chosen elements, one behind the other: n0 counts them. */
static void keep(const carrying *x) {
    const char *when = chance(70) ? words("if (%s) ", condition(x)) : "";
    const char *value = words(chance(50) ? "%s" : "(long)(%s) %% 53", any_value(x));
    if (chance(60))
        BOTH("%s%s[n0++] = %s;\n", when, x->kept->name, value);
    else
        BOTH("%s{ %s[n0] = %s; n0++; }\n", when, x->kept->name, value);
}

static void carrying_loop(carrying *x) {
    const bool outside = chance(20);
    const char *type = outside      ? ""
                       : chance(50) ? "long "
                                    : "int ",
               *step = chance(80) ? "" : words("%ld", between(2, 3));
    x->local = false;
    x->down = chance(30);
    if (x->down)
        BOTH("for (%si = %ld; i >= %ld; i--) {\n", type, x->high, x->low);
    else
        BOTH(*step ? "for (%si = %ld; i <= %ld; i += %s) {\n" : "for (%si = %ld; i <= %ld; i++%s) {\n", type, x->low,
             x->high, step);
    depth++;
    if (chance(30)) {
        BOTH("const long t = %s[i] * 3 %% 31;\n", x->key->name);
        x->local = true;
    }
    const char *leaves = chance(35) ? condition(x) : NULL;
    if (leaves && chance(50)) BOTH("if (%s) { s0 += 2; break; }\n", leaves), leaves = NULL;
    const bool keeps = chance(40), first = chance(50);
    if (keeps && first) keep(x);
    body_of(x, between(keeps ? 0 : 1, 4), false);
    if (keeps && !first) keep(x);
    if (leaves) BOTH("if (%s) break;\n", leaves);
    if (x->local) BOTH("s0 += t %% 5;\n");
    depth--;
    BOTH("}\n");
    if (outside && chance(70)) BOTH("printf(\"i %%ld\\n\", i);\n");
}

void carried(void) {
    const long n = chance(20) ? between(6, 9) : between(10, 90);
    const own u = vector(any_type(), n, DIVIDED), v = vector("long", n, DIVIDED), key = vector("int", n, DIVIDED);
    const own kept = vector(any_type(), 3 * n, DIVIDED);
    carrying x = {.u = &u, .v = &v, .key = &key, .kept = &kept, .scalars = (int)between(1, 3)};
    fill_own(&u), fill_own(&v), fill_places(&key, 4, false), fill_own(&kept);
    BOTH("long i = 0, n0 = 0, s0 = 0, s1 = 1, s2 = 2;\n(void)i, (void)n0, (void)s0, (void)s1, (void)s2;\n");
    for (long rounds = between(1, 3); rounds > 0; rounds--) {
        x.low = between(2, 3), x.high = n - between(3, 4);
        BOTH("s0 %%= 100; s1 %%= 100; s2 %%= 100;\n");
        carrying_loop(&x);
        const char *first = chance(80) ? "s0" : "0L";
        BOTH("printf(\"%%ld %%ld %%ld\\n\", %s, s1, s2);\n", first);
        if (chance(30)) remap_own(&u);
    }
    print_own(&u), print_own(&kept);
    BOTH("printf(\"n0 %%ld\\n\", n0);\n");
}

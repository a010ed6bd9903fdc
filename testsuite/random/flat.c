/* Kernels on matrices in arrays of one dimension, ka[i * kw + j], and boxes, ka[(i * kw + j) * kv + k], whose widths
 * are numbers or variables; and statements whose iterations belong to nobody.  See kernels.h. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the extents are written: rows, their width, and that of what is in the third dimension. */
static struct {
    int rank;
    long extent[3];
    char name[3][8];
} shape;

static void make_shape(void) {
    static const char *const names[] = {"kr", "kw", "kv"};
    shape.rank = chance(70) ? 2 : 3;
    const int how = (int)below(3); /* numbers, constants, variables */
    const bool is_unsigned = chance(40);
    for (int d = 0; d < shape.rank; d++) {
        shape.extent[d] = between(1, shape.rank == 2 ? 9 : 5);
        if (how == 0)
            sprintf(shape.name[d], "%ld", shape.extent[d]);
        else
            strcpy(shape.name[d], names[d]);
        const char *type = how == 1      ? is_unsigned ? "const size_t" : "const long"
                           : is_unsigned ? "size_t"
                           : chance(50)  ? "long"
                                         : "int";
        if (how > 0) BOTH("%s %s = %ld;\n", type, names[d], shape.extent[d]);
    }
}

static own flat_array(void) {
    long extent = 1;
    char written[60] = "";
    for (int d = 0; d < shape.rank; d++) {
        extent *= shape.extent[d];
        sprintf(written + strlen(written), "%s%s", d ? " * " : "", shape.name[d]);
    }
    const long more = chance(30) ? between(1, 3) : 0;
    own_extent = more ? words("%s + %ld", written, more) : words("%s", written);
    const own a = vector(any_type(), extent + more, 0);
    own_extent = NULL;
    return a;
}

/* Rows and places that the statement goes over; how far its elements may be from them. */
typedef struct {
    int before[3], behind[3]; /* what the range leaves out at either end */
} margins;

static margins any_margins(void) {
    margins m = {{0}, {0}};
    for (int d = 0; d < shape.rank && chance(70); d++) m.before[d] = (int)below(3), m.behind[d] = (int)below(3);
    return m;
}

static box flat_box(const margins *m, bool loops) {
    box r = {.rank = shape.rank};
    for (int d = 0; d < shape.rank; d++) {
        const char i = "ijk"[d];
        const char *type = loops && chance(30) ? "int" : loops ? any_counter() : "long", *n = shape.name[d];
        const int low = m->before[d], left = m->behind[d];
        sprintf(r.dpc + strlen(r.dpc), "%s%c = %d:%s-%d", d ? ", " : "", i, low, n, left + 1);
        if (chance(50)) /* no difference that may go round */
            sprintf(r.c + strlen(r.c), "for (%s %c = %d; %c + %d <= %s; %c++) ", type, i, low, i, left + 1, n, i);
        else if (left > 0)
            sprintf(r.c + strlen(r.c), "for (%s %c = %d; %c + %d < %s; %c++) ", type, i, low, i, left, n, i);
        else
            sprintf(r.c + strlen(r.c), "for (%s %c = %d; %c < %s; %c++) ", type, i, low, i, n, i);
    }
    return r;
}

/* An index moved within the margins. */
static const char *moved(const margins *m, int d) {
    const long distance = m ? between(-m->before[d], m->behind[d]) : 0;
    return distance == 0 ? words("%c", "ijk"[d])
                         : words("%c %c %ld", "ijk"[d], distance < 0 ? '-' : '+', labs(distance));
}

/* NULL: the indices as they are. */
static const char *flat_element(const own *a, const margins *m) {
    const char *i = moved(m, 0), *j = moved(m, 1), *w = shape.name[1];
    if (shape.rank == 2)
        return chance(70) ? words("%s[(%s) * %s + %s]", a->name, i, w, j)
                          : words("%s[%s + %s * (%s)]", a->name, j, w, i);
    const char *k = moved(m, 2), *v = shape.name[2];
    return chance(50) ? words("%s[((%s) * %s + %s) * %s + %s]", a->name, i, w, j, v, k)
                      : words("%s[(%s) * %s * %s + (%s) * %s + %s]", a->name, i, w, v, j, v, k);
}

static const char *flat_value(const own *a, const own *b, const margins *m) {
    const char *x = flat_element(b, m), *y = flat_element(chance(60) ? b : a, m);
    switch (below(4)) {
    case 0:
        return words("(long)(%s + 2 * %s) %% 97", x, y);
    case 1:
        return words("(long)%s %% 50 + (long)i + 2 * (long)j", x);
    case 2:
        return words("%s > %s ? (long)j : (long)%s %% 31 - (long)i", x, y, y);
    default:
        return words("(long)%s %% 89", x);
    }
}

static const char *flat_mask(const own *b, const margins *m) {
    if (!chance(30)) return NULL;
    return chance(50) ? words("(i + j) %% 3 != %ld", below(3)) : words("%s > %ld", flat_element(b, m), below(20));
}

static void flat_statement(const own *a, const own *b) {
    const margins m = any_margins();
    const bool loops = chance(40);
    const box r = flat_box(&m, loops);
    const char *mask = flat_mask(b, &m), *left = flat_element(a, NULL), *value = flat_value(a, b, &m);
    if (loops) { /* nothing but elements of another array is read */
        value = flat_value(b, b, &m);
        BOTH("%sif (%s) %s = %s;\n", r.c, mask ? mask : "1", left, value);
    } else if (chance(70)) {
        forall_in(&r, mask, left, chance(80) ? "=" : "+=", value);
    } else {
        DPC("printf(\"%%ld %%ld\\n\", (long)sum(%s, %s, (long)(%s)), (long)maxval(%s, (long)(%s) %% 100));\n", r.dpc,
            mask ? mask : "1", value, r.dpc, value);
        C("{ long s = 0, m = LONG_MIN; %s{ if (%s) s += (long)(%s); if ((long)(%s) %% 100 > m) m = (long)(%s) %% 100; "
          "} "
          "printf(\"%%ld %%ld\\n\", s, m); }\n",
          r.c, mask ? mask : "1", value, value, value);
    }
}

/* A stage of a sort or a transform: nobody's iterations. */
static void strided_statement(const own *a, const own *b) {
    const long l = between(1, 4), m = minimum(a->extent[0], b->extent[0]) / (2 * l);
    const box r = box2(0, l - 1, 0, m - 1);
    if (m == 0) return;
    forall_in(&r, NULL, words("%s[2 * j * %ld + i]", a->name, l), "=",
              words("(long)(%s[i * %ld + j] + %s[j + %ld]) %% 97", b->name, m, b->name, m * l));
}

void flat_matrices(void) {
    make_shape();
    const own a = flat_array(), b = flat_array();
    fill_own(&a), fill_own(&b);
    const long rounds = between(1, 3);
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    for (long count = between(2, 4); count > 0; count--) {
        const own *left = chance(50) ? &a : &b, *right = left == &a ? &b : &a;
        if (chance(85))
            flat_statement(left, right);
        else
            strided_statement(left, right);
    }
    remap_own(&a);
    BOTH("}\n");
    print_own(&a), print_own(&b);
}

/* Statements.  See generate.h. */
#include "generate.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Array assignment */

bool choose_sections(const array *a, int wanted, long *strides) {
    int left = wanted;
    for (int d = 0; d < a->rank; d++) {
        int remaining = a->rank - d;
        bool chosen = left > 0 && (remaining == left || chance(100 * left / remaining));
        if (!chosen && a->extent[d] == 0) return false;
        long stride = chance(50) ? 1 : chance(80) ? between(1, 4) : between(1, 30);
        strides[d] = !chosen ? 0 : chance(30) ? -stride : stride;
        left -= chosen;
    }
    return left == 0;
}

void limit_counts(context *x, const array *a, const long *strides) {
    for (int d = 0, number = 0; d < a->rank; d++) {
        if (strides[d] == 0) continue;
        long size = strides[d] > 0 ? strides[d] : -strides[d];
        long most = a->extent[d] > 0 ? (a->extent[d] - 1) / size + 1 : 0;
        x->count[number] = minimum(x->count[number], most);
        number++;
    }
}

static void array_assignment(void) {
    const array *a = any_variable(), *operand[2] = {chance(25) ? a : any_array(), any_array()};
    long strides[3][MAX_RANK];
    context x = {.forall = false, .rank = (int)between(1, a->rank), .count = {1000, 1000, 1000}};
    if (!choose_sections(a, x.rank, strides[0])) return;
    limit_counts(&x, a, strides[0]);
    bool usable[2];
    for (int k = 0; k < 2; k++) {
        usable[k] = operand[k]->rank >= x.rank && choose_sections(operand[k], x.rank, strides[k + 1]);
        if (usable[k]) limit_counts(&x, operand[k], strides[k + 1]);
    }
    for (int d = 0; d < x.rank; d++)
        if (chance(45)) x.count[d] = below(x.count[d] + 1);

    text left, right[2] = {0}, whole;
    reference(&left, &x, a, strides[0]);
    for (int k = 0; k < 2; k++) {
        if (usable[k]) {
            reference(&right[k], &x, operand[k], strides[k + 1]);
            continue;
        }
        sprintf(right[k].dpc, "%ld", below(90));
        strcpy(right[k].c, right[k].dpc);
    }
    const char *op = operator_for(a->type);
    expression(&whole, &x, &right[0], &right[1], a->type, a->type->kind & SMALL || is_bitwise(op));
    DPC("%s %s %s;\n", left.dpc, op, whole.dpc);
    char loops[300] = "";
    for (int d = 0; d < x.rank; d++)
        sprintf(loops + strlen(loops), "for (long k%d = 0; k%d < %ld; k%d++) ", d, d, x.count[d], d);
    assign(&left, op, &whole, loops, "");
    print_checksum(a);
}

/* ---- forall */

/* Chooses the indices of a forall over `a`, one per chosen dimension (order shuffled), and their left subscripts. */
bool forall_indices(context *x, const array *a, int rank, int *dimension) {
    static const char names[] = "ijk";
    if (is_empty(a)) return false;
    x->forall = true;
    x->rank = rank;
    int taken = 0;
    for (int n = 0; n < rank; n++) {
        do dimension[n] = (int)below(a->rank);
        while (taken >> dimension[n] & 1);
        taken |= 1 << dimension[n];
        long e = a->extent[dimension[n]];
        x->name[n] = names[n];
        x->low[n] = chance(50) ? a->lower[dimension[n]] : between(-4, 6);
        x->high[n] = x->low[n] + (chance(50) ? e - 1 : below(e));
    }
    return true;
}

/* The index ranges in both languages; bounds may become triangular when both spans allow it. */
void forall_ranges(const context *x, char *dpc, char *c, bool *empty) {
    *dpc = *c = '\0';
    *empty = false;
    for (int n = 0; n < x->rank; n++) {
        char low[40], high[40], strided[40], i = x->name[n];
        long stride = chance(70) ? 1 : between(2, 4);
        number(low, x->low[n]);
        number(high, x->high[n]);
        if (n > 0 && chance(40)) {
            long shift = x->low[n] - x->low[n - 1];
            bool fits = x->high[n - 1] + shift <= x->high[n];
            if (chance(50) || !fits)
                sprintf(low, "%c%+ld", x->name[n - 1], shift);
            else
                sprintf(high, "%c%+ld", x->name[n - 1], shift);
        }
        if (chance(5)) sprintf(high, "%ld", x->low[n] - 1 - below(2));
        char *d = dpc + strlen(dpc), *e = c + strlen(c);
        if (n > 0) d += sprintf(d, ", ");
        if (stride == 1)
            sprintf(d, "%c = %s:%s", i, low, high);
        else if (chance(60))
            sprintf(d, "%c = %s:%s:%s", i, low, high, number(strided, stride));
        else {
            sprintf(d, "%c = %s:%s:%s", i, high, low, number(strided, -stride));
            sprintf(e, "for (long %c = %s; %c >= %s; %c -= %ld) ", i, high, i, low, i, stride);
            continue;
        }
        sprintf(e, "for (long %c = %s; %c <= %s; %c += %ld) ", i, low, i, high, i, stride);
    }
}

void make_mask(text *t, const context *x) {
    text r;
    switch (below(4)) {
    case 0:
        snprintf(t->dpc, sizeof t->dpc, "(%c + 2 * %c) %% %ld != 0", x->name[0], x->name[x->rank - 1], between(2, 4));
        strcpy(t->c, t->dpc);
        break;
    case 1:
        snprintf(t->dpc, sizeof t->dpc, "%c > %ld", x->name[below(x->rank)], between(x->low[0], x->high[0] + 1));
        strcpy(t->c, t->dpc);
        break;
    default:
        reference(&r, x, any_array(), NULL);
        combine(t, "(long)$ % 3 != 1", &r, &r);
    }
}

/* The left side of a forall statement: index n in dimension[n], invariant elsewhere; or scattered by a permutation. */
void left_side(text *t, const context *x, const array *a, const int *dimension) {
    memset(t, 0, sizeof *t);
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    bool scattered = chance(8);
    for (int d = 0; d < a->rank; d++) {
        int index = -1;
        for (int n = 0; n < x->rank; n++)
            if (dimension[n] == d) index = n;
        if (index < 0)
            invariant(t, a, d, d == 0);
        else if (scattered) {
            char s[120];
            long e = a->extent[d], base = x->low[index] < 0 ? e * 50 : 0;
            long factor = e % 5 ? 5 : e % 7 ? 7 : 11;
            sprintf(s, "(%c*%ld+%ld) %% %ld%+ld", x->name[index], e % factor ? factor : 1, base, e, a->lower[d]);
            subscript(t, s, s, d == 0);
        } else if (!indexed(t, a, d, x, index, d == 0))
            abort();
    }
    strcat(t->c, "))");
}

/* The sum along one dimension, affine in indices or invariant elsewhere.  Values stay small: its terms are remainders.
 */
static bool inner_reduction(text *t, const context *x) {
    static const char *const kinds[][3] = {
        {"sum", "0", "s += v;"}, {"maxval", "LONG_MIN", "if (v > s) s = v;"}, {"count", "0", "s += v != 0;"}};
    const char *const *kind = kinds[below(3)];
    const array *a = any_array();
    const int along = (int)below(a->rank);
    int used = 0;
    if (!chance(8) || is_empty(a)) return false;
    text r = {0};
    sprintf(r.dpc, "%c", a->name);
    sprintf(r.c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) {
        const int index = (int)below(x->rank);
        if (d == along)
            subscript(&r, "m", "m", d == 0);
        else if (used >> index & 1 || !indexed(&r, a, d, x, index, d == 0))
            invariant(&r, a, d, d == 0);
        else
            used |= 1 << index;
    }
    strcat(r.c, "))");
    const long low = a->lower[along], high = low + a->extent[along] - 1;
    char pattern[200];
    sprintf(pattern, "%s(m = %ld:%ld, (long)$ %% 50)", kind[0], low, high);
    substitute(t->dpc, sizeof t->dpc, pattern, r.dpc, "");
    sprintf(pattern, "({ long s = %s; for (long m = %ld; m <= %ld; m++) { long v = (long)$ %% 50; %s } s; })", kind[1],
            low, high, kind[2]);
    substitute(t->c, sizeof t->c, pattern, r.c, "");
    return true;
}

/* A left side that the iterations leave, and the mask that keeps them inside. */
static void guarded_left(text *left, text *mask, const context *x, const array *a, const int *dimension) {
    *left = *mask = (text){0};
    sprintf(left->dpc, "%c", a->name);
    sprintf(left->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) {
        int n = 0;
        while (n < x->rank && dimension[n] != d) n++;
        if (n == x->rank) {
            invariant(left, a, d, d == 0);
            continue;
        }
        const long shift = between(-3, 3), low = a->lower[d] - shift;
        char s[60];
        sprintf(s, "%c%+ld", x->name[n], shift);
        subscript(left, s, s, d == 0);
        sprintf(mask->dpc + strlen(mask->dpc), "%s%c >= %ld && %c <= %ld", *mask->dpc ? " && " : "", x->name[n], low,
                x->name[n], low + a->extent[d] - 1);
    }
    strcat(left->c, "))");
    strcpy(mask->c, mask->dpc);
}

/* `guarded`: the left side, or NULL. */
static void forall_statement(const context *x, const array *a, const int *dimension, const char *loops, bool masked,
                             const text *guarded) {
    text left, right[2] = {0}, whole;
    if (guarded)
        left = *guarded;
    else
        left_side(&left, x, a, dimension);
    for (int k = 0; k < 2; k++)
        if (k == 1 || !inner_reduction(&right[k], x)) reference(&right[k], x, chance(15) ? a : any_array(), NULL);
    const char *op = operator_for(a->type), *test = masked ? "if (mask[at++]) " : "";
    expression(&whole, x, &right[0], &right[1], a->type, a->type->kind & SMALL || is_bitwise(op));
    DPC("%s %s %s;\n", left.dpc, op, whole.dpc);
    assign(&left, op, &whole, loops, test);
}

static void forall(void) {
    const array *a = any_variable();
    context x = {0};
    int dimension[MAX_RANK], statements = chance(65) ? 1 : (int)between(2, 3);
    if (!forall_indices(&x, a, (int)between(1, a->rank), dimension)) return;
    char ranges[300], loops[600];
    bool empty, masked = chance(35), guarded = chance(15);
    text guarded_text;
    forall_ranges(&x, ranges, loops, &empty);
    if (guarded) masked = true, statements = 1;
    if (masked) {
        text mask;
        if (guarded)
            guarded_left(&guarded_text, &mask, &x, a, dimension);
        else
            make_mask(&mask, &x);
        DPC("forall (%s, %s)%s\n", ranges, mask.dpc, statements > 1 ? " {" : "");
        C("at = 0; %smask[at++] = %s;\n", loops, mask.c);
    } else
        DPC("forall (%s)%s\n", ranges, statements > 1 ? " {" : "");
    depth++;
    const array *changed[3];
    int changes = 0;
    for (int n = 0; n < statements; n++) {
        const array *b = a;
        int other[MAX_RANK];
        memcpy(other, dimension, sizeof other);
        /* another array with the same dimensions' extents would do: take the first that is as large */
        if (n > 0)
            for (int k = 0; k < array_count; k++) {
                bool fits = arrays[k].rank == a->rank && !arrays[k].constant && chance(60);
                for (int d = 0; d < a->rank && fits; d++) fits = arrays[k].extent[d] >= a->extent[d];
                if (fits) b = &arrays[k];
            }
        forall_statement(&x, b, other, loops, masked, guarded ? &guarded_text : NULL);
        changed[changes++] = b;
    }
    depth--;
    if (statements > 1) DPC("}\n");
    for (int n = 0; n < changes; n++)
        if (n == 0 || changed[n] != changed[n - 1]) print_checksum(changed[n]);
}

/* ---- Single elements, scalars, reductions */

bool single(text *t, const array *a) {
    if (is_empty(a)) return false;
    *t = (text){.is_complex = a->type->kind & COMPLEX};
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) invariant(t, a, d, d == 0);
    strcat(t->c, "))");
    return true;
}

static void element_statement(void) {
    text a, b;
    const array *left = any_variable();
    if (!single(&a, left) || !single(&b, any_array())) return;
    switch (below(a.is_complex || b.is_complex || left->type->kind & WIDE ? 3 : 5)) {
    case 0:
        DPC("x = (long)%s %% 1000;\n", a.dpc);
        C("x = (long)%s %% 1000;\n", a.c);
        break;
    case 1:
        DPC("%s = (long)(%s + x) %% 9973;\n", a.dpc, b.dpc);
        C("%s = (long)(%s + x) %% 9973;\n", a.c, b.c);
        break;
    case 2:
        DPC("%s += (long)%s %% 100 + 1;\n", a.dpc, b.dpc);
        C("%s += (long)%s %% 100 + 1;\n", a.c, b.c);
        break;
    case 3:
        DPC("if (%s > %s) %s -= 3;\n", a.dpc, b.dpc, a.dpc);
        C("if (%s > %s) %s -= 3;\n", a.c, b.c, a.c);
        break;
    default:
        DPC("%s++;\n", a.dpc);
        C("%s++;\n", a.c);
    }
    print_checksum(left);
    BOTH("printf(\"x %%ld\\n\", x);\n");
}

static void reduction(void) {
    static const char *const names[] = {"sum", "minval", "maxval"};
    long kind = below(3);
    const array *a = any_array();
    text r, s, whole, mask;
    char ranges[300], loops[600];
    context x = {0};
    int dimension[MAX_RANK];
    bool empty, masked = chance(40);
    if (!forall_indices(&x, a, (int)between(1, a->rank), dimension)) return;
    forall_ranges(&x, ranges, loops, &empty);
    reference(&r, &x, a, NULL);
    reference(&s, &x, any_array(), NULL);
    expression(&whole, &x, &r, &s, NULL, false);
    make_mask(&mask, &x);
    DPC("x = %s(%s, %s%s(long)(%s)) %% 100000;\n", names[kind], ranges, masked ? mask.dpc : "", masked ? ", " : "",
        whole.dpc);
    C("reduced = %s;\n", kind == 0 ? "0" : kind == 1 ? "LONG_MAX" : "LONG_MIN");
    C("%s%s%s%s{ long v = (long)(%s); ", loops, masked ? "if (" : "", masked ? mask.c : "", masked ? ") " : "",
      whole.c);
    add(&c_body, "%s }\n",
        kind == 0   ? "reduced += v;"
        : kind == 1 ? "if (v < reduced) reduced = v;"
                    : "if (v > reduced) reduced = v;");
    C("x = reduced %% 100000;\n");
    BOTH("printf(\"x %%ld\\n\", x);\n");
    BOTH("x %%= 1000;\n");
}

/* ---- Any of them */

static void statement(void) {
    long kind = below(94);
    if (chance(kernels)) {
        kernel();
        return;
    }
    if (chance(remappings)) {
        redistribute();
        return;
    }
    if (kind < 24)
        array_assignment();
    else if (kind < 34)
        intrinsic_assignment();
    else if (kind < 60)
        forall();
    else if (kind < 66)
        element_loop();
    else if (kind < 69)
        array_reduction();
    else if (kind < 78)
        call();
    else if (kind < 82)
        element_statement();
    else if (kind < 85)
        other_reduction();
    else if (kind < 89)
        typed_reduction();
    else if (kind < 91)
        dot_product();
    else
        reduction();
}

/* In a loop: the rest of it is left out sometimes. */
static void jump(void) {
    const long remainder = below(4);
    const char *how = chance(50) ? "break" : "continue";
    BOTH("if (x %% 4 == %ld) %s;\n", remainder, how);
}

static void selection(void) {
    BOTH("switch (x %% 3) {\n");
    for (int n = 0; n < 3; n++) {
        if (n < 2)
            BOTH("case %d:\n", n);
        else
            BOTH("default:\n");
        depth++;
        statements(1);
        BOTH("break;\n");
        depth--;
    }
    BOTH("}\n");
}

void statements(int count) {
    while (count-- > 0) {
        long kind = depth < 3 ? below(20) : 20;
        if (kind == 0) {
            BOTH("for (long round%d = 0; round%d < 2; round%d++) {\n", repeats, repeats, repeats);
            repeats++;
        } else if (kind == 2 && depth < 3) {
            block_with_array();
            continue;
        } else if (kind == 3 && depth < 3) {
            selection();
            continue;
        } else if (kind == 1) {
            BOTH("if (x %% 2 == 0) {\n");
        } else {
            statement();
            continue;
        }
        depth++;
        if (kind == 0 && chance(40)) jump();
        statements((int)between(1, 3));
        depth--;
        if (kind == 0) repeats--;
        BOTH("}\n");
    }
}

/* References and expressions.  See generate.h. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Contexts: the indices of a forall, or the sections of an array assignment */

void subscript(text *t, const char *dpc, const char *c, bool first) {
    size_t n = strlen(t->dpc), m = strlen(t->c);
    snprintf(t->dpc + n, sizeof t->dpc - n, "[%s]", dpc);
    snprintf(t->c + m, sizeof t->c - m, "%s%s", first ? "" : ", ", c);
}

void invariant(text *t, const array *a, int d, bool first) {
    char s[60];
    sprintf(s, "%ld", a->lower[d] + below(a->extent[d]));
    subscript(t, s, s, first);
}

/* c + s * index, or with s == 1 or -1 shorter. */
static void affine(char *out, long c, long s, char index) {
    char stride[40], offset[40];
    if (s == 1 && c == 0)
        sprintf(out, "%c", index);
    else if (s == 1)
        sprintf(out, "%c%+ld", index, c);
    else if (chance(50))
        sprintf(out, "%s*%c%+ld", number(stride, s), index, c);
    else if (s < 0)
        sprintf(out, "%s%+ld*%c", number(offset, c), s, index);
    else
        sprintf(out, "%s+%s*%c", number(offset, c), number(stride, s), index);
}

/* A subscript of dimension d that is affine in an index and in range for all its values; false if there is none. */
bool indexed(text *t, const array *a, int d, const context *x, int index, bool first) {
    long span = x->high[index] - x->low[index], most = span > 0 ? (a->extent[d] - 1) / span : 3;
    if (a->extent[d] == 0 || most == 0) return false;
    long s = between(1, minimum(most, 4));
    if (chance(30)) s = -s;
    if (chance(50) && s > 1) s = 1;
    long least = s > 0 ? s * x->low[index] : s * x->high[index];
    long width = (s > 0 ? s : -s) * span;
    char out[160];
    long place = below(a->extent[d] - width);
    const long near = least - a->lower[d] + between(-2, 2); /* a stencil's place */
    if (s == 1 && chance(35) && near >= 0 && near < a->extent[d] - width) place = near;
    const char *round = round_name(a->extent[d] - width - 1 - place);
    affine(out, a->lower[d] + place - least, s, x->name[index]);
    if (round) sprintf(out + strlen(out), "+%s", round);
    subscript(t, out, out, first);
    return true;
}

/* Section `section_number` of an assignment, `stride` chosen before: as many elements of dimension d as x counts. */
static void section(text *t, const array *a, int d, const context *x, int section_number, long stride, bool first) {
    long n = x->count[section_number], size = stride > 0 ? stride : -stride, width = n > 0 ? (n - 1) * size : 0;
    long low = a->lower[d], high = low + a->extent[d] - 1;
    char dpc[200], c[200], l[60], u[60], strided[40];
    if (n == 0) {
        long at = a->extent[d] > 0 ? between(low, high) : low;
        sprintf(dpc, stride > 0 ? "%ld:%ld:%ld" : "%ld:%ld:%ld", at, stride > 0 ? at - 1 : at + 1, stride);
        subscript(t, dpc, "0", first);
        return;
    }
    long bottom = low + below(a->extent[d] - width), from = stride > 0 ? bottom : bottom + width;
    long to = stride > 0 ? bottom + width : bottom, slack = stride > 0 ? high - to : to - low;
    slack = minimum(slack, size - 1);
    if (slack > 0) slack = below(slack + 1);
    to += stride > 0 ? slack : -slack;
    const char *round = round_name(high - (stride > 0 ? to : from));
    number(l, from);
    number(u, to);
    sprintf(c, "%ld+k%d*%ld", from, section_number, stride);
    if (round) {
        sprintf(l + strlen(l), "+%s", round);
        sprintf(u + strlen(u), "+%s", round);
        sprintf(c + strlen(c), "+%s", round);
    }
    if (!round && from == (stride > 0 ? low : high) && chance(60)) *l = '\0';
    if (!round && to == (stride > 0 ? high : low) && chance(60)) *u = '\0';
    if (stride == 1 && chance(80))
        sprintf(dpc, "%s:%s", l, u);
    else
        sprintf(dpc, "%s:%s:%s", l, u, number(strided, stride));
    subscript(t, dpc, c, first);
}

/* ---- References on a right side */

/* In a forall: every dimension affine in an index of its own or invariant. */
static bool affine_reference(text *t, const context *x, const array *a) {
    int used = 0;
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) {
        int index = (int)below(x->rank);
        if (used >> index & 1 || chance(20) || !indexed(t, a, d, x, index, d == 0))
            invariant(t, a, d, d == 0);
        else
            used |= 1 << index;
    }
    strcat(t->c, "))");
    return true;
}

/* In a forall: subscripts that no formula describes, brought into range by a remainder. */
static bool gathered_reference(text *t, const context *x, const array *a) {
    for (int n = 0; n < x->rank; n++)
        if (is_far(x->low[n])) return false;
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) {
        char s[120], i = x->name[below(x->rank)], j = x->name[below(x->rank)];
        long e = a->extent[d];
        sprintf(s, "((%c*%c+%ld*%c) %% %ld + %ld) %% %ld%+ld", i, i, between(-3, 5), j, e, e, e, a->lower[d]);
        subscript(t, s, s, d == 0);
    }
    strcat(t->c, "))");
    return true;
}

/* In a forall: a shift in each dimension that may leave the array, guarded. */
static bool guarded_reference(text *t, const context *x, const array *a) {
    text place = {0};
    char test[300] = "";
    int used = 0;
    for (int d = 0; d < a->rank; d++) {
        const int index = (int)below(x->rank);
        const long shift = between(-3, 3), low = a->lower[d] - shift, high = low + a->extent[d] - 1;
        char i = x->name[index], s[60];
        sprintf(s, "%c%+ld", i, shift);
        if (used >> index & 1)
            invariant(&place, a, d, d == 0);
        else
            subscript(&place, s, s, d == 0),
                sprintf(test + strlen(test), "%s%c >= %ld && %c <= %ld", used ? " && " : "", i, low, i, high);
        used |= 1 << index;
    }
    char pattern[60];
    const long otherwise = below(9);
    sprintf(pattern, "($ ? %c$ : %ld)", a->name, otherwise);
    substitute(t->dpc, sizeof t->dpc, pattern, test, place.dpc);
    sprintf(pattern, "($ ? *%c($) : %ld)", a->name, otherwise);
    substitute(t->c, sizeof t->c, pattern, test, place.c);
    return true;
}

/* A reference for the context, to an array that is not empty; else a number. */
void reference(text *t, const context *x, const array *a, const long *strides) {
    memset(t, 0, sizeof *t);
    t->is_complex = a->type->kind & COMPLEX;
    if (x->forall) {
        if (!is_empty(a)) {
            long kind = below(100);
            if (kind < 6 && gathered_reference(t, x, a)) return;
            if (kind < 20 && guarded_reference(t, x, a)) return;
            if (affine_reference(t, x, a)) return;
        }
        sprintf(t->dpc, "%ld", below(50));
        strcpy(t->c, t->dpc);
        return;
    }
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0, number = 0; d < a->rank; d++) {
        if (strides[d])
            section(t, a, d, x, number, strides[d], d == 0), number++;
        else
            invariant(t, a, d, d == 0);
    }
    strcat(t->c, "))");
}

/* ---- Expressions */

/* Appends pattern to out with the two texts in place of its first and second $. */
void substitute(char *out, size_t room, const char *pattern, const char *first, const char *second) {
    size_t n = 0;
    const char *next = first;
    for (; *pattern; pattern++) {
        if (n + 1 >= room) abort();
        if (*pattern != '$') {
            out[n++] = *pattern;
            continue;
        }
        size_t length = strlen(next);
        if (n + length >= room) abort();
        memcpy(out + n, next, length);
        n += length;
        next = second;
    }
    out[n] = '\0';
}

void combine(text *t, const char *pattern, const text *a, const text *b) {
    substitute(t->dpc, sizeof t->dpc, pattern, a->dpc, b->dpc);
    substitute(t->c, sizeof t->c, pattern, a->c, b->c);
    t->is_complex = a->is_complex || b->is_complex;
}

/* GROWS: by more than a factor of 2; REAL: not for complex values. */
static const struct {
    const char *pattern;
    enum { PLAIN, GROWS, REAL } kind;
} patterns[] = {{"$", PLAIN},
                {"$", PLAIN},
                {"$", PLAIN},
                {"$ + $", PLAIN},
                {"$ + $", PLAIN},
                {"$ + $", PLAIN},
                {"$ - $ + 3", PLAIN},
                {"$ - $ + 3", PLAIN},
                {"2 * $ - 7", PLAIN},
                {"-$ + x", PLAIN},
                {"x + $", PLAIN},
                {"x + $", PLAIN},
                {"($ > 20 ? $ : 5)", REAL},
                {"($ >= $ ? 3 : -1L)", REAL},
                {"(long)$ % 50 * $", GROWS},
                {"(!$ ? 7 : 2) + $", PLAIN},
                {"($ != $) + 4", PLAIN},
                {"((long)$ & 63) - $", PLAIN},
                {"(long)$ / 3 - $", PLAIN},
                {"(unsigned char)(long)$ + $", PLAIN},
                {"((long)$ % 64 << 3) - $", PLAIN},
                {"helper((long)$) + $", PLAIN},
                {"labs((long)$) - $", PLAIN},
                {"abs((int)((long)$ % 1000)) - $", PLAIN},
                {"(long)strlen(\"four\") - $", PLAIN},
                {"strlen(\"seven\") + $", GROWS},
                {"floor(creal($)) - $", PLAIN},
                {"(INT_MAX % 7 + CHAR_BIT > 3 ? $ : $)", PLAIN},
                {"TWICE($) + (long)M_PI", PLAIN},
                {"(long)($ * M_PI) - $", GROWS},
                {"(UINT_MAX - $)", GROWS},
                {"LONG_MAX % ((long)$ % 50 + 60) + $", PLAIN},
                {"GREEN - $", PLAIN},
                {"(long)($ * FLT_MAX_EXP / M_E)", GROWS},
                {"sqrt(fabs(creal($) * creal($)))", PLAIN},
                {"$ * I + $", PLAIN},
                {"conj($) + 2", PLAIN},
                {"cimag($) - $", PLAIN},
                {"__real__($ * I) + $", PLAIN},
                {"(__imag__ ($ + 0 * I)) + $", PLAIN}};

/* What keeps the values of a type small. */
static const char *reduction_for(const element_type *type) {
    if (type && type->kind & COMPLEX) return "small($)";
    return type && type->kind & UNSIGNED ? "labs((long)($) % 9973)" : "(long)($) % 9973";
}

void expression(text *t, const context *x, const text *a, const text *b, const element_type *type, bool reduced) {
    text plain, index = {0};
    long n;
    do n = below(sizeof patterns / sizeof patterns[0]);
    while (patterns[n].kind == REAL && (a->is_complex || b->is_complex));
    combine(&plain, patterns[n].pattern, a, b);
    if (x->forall && !is_far(x->low[0]) && chance(30)) {
        snprintf(index.dpc, sizeof index.dpc, "%c * %ld", x->name[0], between(1, 9));
        strcpy(index.c, index.dpc);
        combine(t, "$ + $", &plain, &index);
        plain = *t;
    }
    if (reduced || wide || patterns[n].kind == GROWS || chance(85))
        combine(t, reduction_for(type), &plain, b);
    else
        *t = plain;
}

void assign(const text *left, const char *op, const text *whole, const char *loops, const char *test) {
    C("{ __typeof__(%s) *temporary = (void *)scratch;\n", whole->c);
    C("  at = done = 0; %s%stemporary[done++] = %s;\n", loops, test, whole->c);
    C("  at = done = 0; %s%s%s %s temporary[done++]; }\n", loops, test, left->c, op);
}

const char *operator_for(const element_type *type) {
    static const char *const any[] = {"+=", "-="}, *const whole[] = {"|=", "^=", "&="};
    if (chance(65)) return "=";
    if (type->kind & BITS && chance(40)) return whole[below(3)];
    return any[type->kind & WIDE ? 0 : below(2)];
}

bool is_bitwise(const char *op) {
    return strchr("|^&", *op) != NULL;
}

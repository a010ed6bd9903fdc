/* generate [--c] SEED: prints a random DPC program, or with --c the plain C program of the same meaning.
 *
 * Every statement is made once and printed in both languages, so that the C program is an oracle that owes nothing to the
 * compiler.  It aborts when a subscript leaves its array: that no DPC program does is thereby checked too.
 *
 * All values are whole numbers that a double, and in arrays of float a float, holds exactly: results do not depend on the
 * order of summation.  Right sides that could grow are taken modulo MODULUS. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANK 3
#define MAX_ARRAYS 7
#define MODULUS 9973

/* ---- Random numbers */

static unsigned long long state;

static long below(long n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (long)((state >> 33) % (unsigned long long)n);
}

static long between(long low, long high) { return low + below(high - low + 1); }
static bool chance(int percent) { return below(100) < percent; }
static long minimum(long a, long b) { return a < b ? a : b; }

/* ---- Text */

typedef struct {
    char *text;
    size_t length, room;
} buffer;

static void add(buffer *b, const char *format, ...) {
    va_list arguments;
    char piece[2000];
    va_start(arguments, format);
    size_t length = (size_t)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length >= sizeof piece) abort();
    if (b->length + length + 1 > b->room) {
        b->room = 2 * (b->room + length + 1);
        b->text = realloc(b->text, b->room);
        if (!b->text) abort();
    }
    memcpy(b->text + b->length, piece, length + 1);
    b->length += length;
}

/* An expression, reference or subscript in both languages. */
typedef struct {
    char dpc[600], c[600];
} text;

static buffer dpc_body, c_body;
static int depth = 1;

/* The indentation of the next line. */
static const char *indent(void) {
    static const char blanks[] = "                                        ";
    return blanks + sizeof blanks - 1 - 4 * (size_t)depth;
}

#define DPC(...) (add(&dpc_body, "%s", indent()), add(&dpc_body, __VA_ARGS__))
#define C(...) (add(&c_body, "%s", indent()), add(&c_body, __VA_ARGS__))
/* Prints the same line in both; its arguments are evaluated twice. */
#define BOTH(...) (DPC(__VA_ARGS__), C(__VA_ARGS__))

/* ---- Numbers that the compiler does not know */

/* Variables of the program that hold 1, 2, 3 and 4 are v1 .. v4. */
static const char variables[] = "long v1 = 1, v2 = 2, v3 = 3, v4 = 4;\n";

/* The number, or an expression that is as great.  `out` has room for 40 characters. */
static const char *number(char *out, long n) {
    const long k = between(1, 4);
    if (!chance(12)) sprintf(out, "%ld", n);
    else if (n >= 1 && n <= 4) sprintf(out, "v%ld", n);
    else if (n <= -1 && n >= -4) sprintf(out, "-v%ld", -n);
    else sprintf(out, "v%ld%+ld", k, n - k);
    return out;
}

/* Loops around the statement, and the number in the name of each one's variable. */
static int repeats, loop_variable[8];

/* The variable of the loop around, which is 0 or 1, or NULL: a subscript that may grow by `slack` can add it. */
static const char *round_name(long slack) {
    static char out[40];
    if (repeats == 0 || slack < 1 || !chance(40)) return NULL;
    sprintf(out, "round%d", loop_variable[repeats - 1]);
    return out;
}

/* ---- The program's arrays */

/* is_small: right sides are always taken modulo; is_whole: an integer type. */
typedef struct {
    const char *name;
    bool is_small, is_whole;
} element_type;

static const element_type types[] = {{"double", false, false}, {"int", true, true},    {"long", false, true},
                                     {"float", true, false},   {"short", true, true},  {"unsigned char", true, true},
                                     {"double", false, false}, {"int", true, true},    {"double", false, false}};

typedef struct {
    char name;
    int rank;
    long lower[MAX_RANK], extent[MAX_RANK];
    const element_type *type;
    bool distributed;
} array;

static array arrays[MAX_ARRAYS];
static int array_count;
static bool automatic; /* the arrays are automatic ones with run-time extents */

static bool is_empty(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->extent[d] == 0) return true;
    return false;
}

static const array *any_array(void) { return &arrays[below(array_count)]; }

static long random_extent(int rank) {
    static const long most[] = {60, 14, 8};
    long kind = below(12);
    if (kind == 0) return 0;
    if (kind == 1) return 1;
    if (kind == 2) return between(2, 4);
    return between(2, most[rank - 1]);
}

static void make_arrays(void) {
    array_count = (int)between(3, MAX_ARRAYS);
    automatic = chance(40);
    for (int n = 0; n < array_count; n++) {
        array *a = &arrays[n];
        a->name = (char)('A' + n);
        a->rank = (int)(chance(45) ? 1 : chance(65) ? 2 : 3);
        a->type = &types[below(sizeof types / sizeof types[0])];
        a->distributed = n < 2 || chance(85);
        for (int d = 0; d < a->rank; d++) {
            a->extent[d] = random_extent(a->rank);
            a->lower[d] = !a->distributed || chance(55) ? 0 : between(-5, 9);
        }
    }
}

/* ---- Mappings */

/* T1, T2, U2: there only where arrays are automatic. */
static const char *const grids[MAX_RANK + 1][6] = {{0},
                                                   {"P1", "Q1", "S1", "", "T1", "U1"},
                                                   {"P2", "Q2", "R2", "", "T2", "U2"},
                                                   {"P3", "Q3", "S3", "", "", "P3"}};

/* One format per dimension, at least one of them not *, and an onto clause or none; the number of the former. */
static int add_formats(buffer *b, const array *a, int automatic_too) {
    int collapsed = a->rank == 1 ? 0 : (int)below(1 << a->rank), count = 0;
    if (collapsed == (1 << a->rank) - 1) collapsed = 1;
    for (int d = 0; d < a->rank; d++) {
        if (d > 0) add(b, ", ");
        if (collapsed >> d & 1) {
            add(b, "*");
            continue;
        }
        count++;
        static const long multiples[] = {2, 3, 4, 6, 12, 24};
        switch (below(automatic_too ? 11 : 9)) {
        case 0: add(b, "cyclic"); break;
        case 1:
        case 2: add(b, "cyclic(%ld)", between(1, 6)); break;
        case 3: add(b, "cyclic(%ld)", between(3, 40)); break;
        case 5: add(b, "cyclic(%ld)", multiples[below(6)]); break;
        case 6: add(b, automatic ? "cyclic(b%ld)" : "cyclic(%ld)", between(1, 2)); break;
        case 9: add(b, "cyclic(auto)"); break;
        case 10: add(b, "auto"); break;
        case 4: add(b, "block(%ld)", between(a->extent[d] + (a->extent[d] == 0), a->extent[d] + 5)); break;
        default: add(b, "block");
        }
    }
    return count;
}

/* NAME(formats) [onto GRID], or (formats) [onto GRID] :: NAME. */
static void add_mapping(buffer *b, const array *a, int automatic_too) {
    buffer formats = {0};
    int count = add_formats(&formats, a, automatic_too);
    const char *grid = grids[count][below(automatic ? 6 : 4)];
    const char *onto = *grid ? " onto " : "";
    if (chance(60)) add(b, "%c(%s)%s%s", a->name, formats.text, onto, grid);
    else add(b, "(%s)%s%s :: %c", formats.text, onto, grid, a->name);
    free(formats.text);
}

static void redistribute(void) {
    const array *a = any_array();
    if (!a->distributed) return;
    add(&dpc_body, "#pragma dpc redistribute ");
    add_mapping(&dpc_body, a, 0);
    add(&dpc_body, "\n");
}

/* ---- Declarations and checksums */

static void add_extent(buffer *b, const array *a, int d) {
    char extra[32] = "";
    long extent = a->extent[d];
    if (automatic && chance(50)) sprintf(extra, "n + "), extent -= 5;
    if (a->lower[d] == 0 && chance(70)) add(b, "[%s%ld]", extra, extent);
    else add(b, "[%ld:%s%ld]", a->lower[d], extra, a->lower[d] + extent - 1);
}

static void declare(buffer *dpc, buffer *c, const array *a) {
    const char *margin = automatic ? "    " : "";
    if (automatic && chance(30)) add(dpc, "    b%ld = %ld;\n", between(1, 2), between(1, 8));
    add(dpc, "%s%s %c", margin, a->type->name, a->name);
    for (int d = 0; d < a->rank; d++) {
        if (a->distributed) add_extent(dpc, a, d);
        else add(dpc, "[%ld]", a->extent[d]);
    }
    add(dpc, ";\n");
    if (a->distributed) {
        add(dpc, "#pragma dpc distribute ");
        add_mapping(dpc, a, 1);
        add(dpc, "\n");
    }
    long elements = 1;
    for (int d = 0; d < a->rank; d++) elements *= a->extent[d];
    add(c, "static %s %c_[%ld];\nstatic %s *%c(", a->type->name, a->name, elements + 1, a->type->name, a->name);
    for (int d = 0; d < a->rank; d++) add(c, "%slong i%d", d ? ", " : "", d);
    add(c, ") {\n    long at = 0;\n");
    for (int d = 0; d < a->rank; d++)
        add(c, "    if (i%d < %ld || i%d >= %ld) abort();\n    at = at * %ld + i%d - %ld;\n", d, a->lower[d], d,
            a->lower[d] + a->extent[d], a->extent[d], d, a->lower[d]);
    add(c, "    return &%c_[at];\n}\n", a->name);
}

/* The loops over all elements of an array: indices x0, x1, x2. */
static void add_loops(buffer *b, const array *a) {
    for (int d = 0; d < a->rank; d++)
        add(b, "for (long x%d = %ld; x%d <= %ld; x%d++) ", d, a->lower[d], d, a->lower[d] + a->extent[d] - 1, d);
}

static const char *element(const array *a, bool dpc) {
    static char out[60];
    if (a->rank == 1) sprintf(out, dpc ? "%c[x0]" : "(*%c(x0))", a->name);
    if (a->rank == 2) sprintf(out, dpc ? "%c[x0][x1]" : "(*%c(x0, x1))", a->name);
    if (a->rank == 3) sprintf(out, dpc ? "%c[x0][x1][x2]" : "(*%c(x0, x1, x2))", a->name);
    return out;
}

static const char *const weight[] = {"", "(x0 * 7 %% 101 + 3)", "((x0 * 7 + x1 * 11) %% 101 + 3)",
                                     "((x0 * 7 + x1 * 11 + x2 * 5) %% 101 + 3)"};

static void print_checksum(const array *a) {
    DPC("printf(\"%c %%ld\\n\", sum(", a->name);
    for (int d = 0; d < a->rank; d++) add(&dpc_body, "x%d = %ld:%ld, ", d, a->lower[d], a->lower[d] + a->extent[d] - 1);
    add(&dpc_body, "(long)%s * ", element(a, true));
    add(&dpc_body, weight[a->rank]);
    add(&dpc_body, "));\n");
    C("{ long s = 0; ");
    add_loops(&c_body, a);
    add(&c_body, "s += (long)%s * ", element(a, false));
    add(&c_body, weight[a->rank]);
    add(&c_body, "; printf(\"%c %%ld\\n\", s); }\n", a->name);
}

/* Every element by itself: different from print_checksum in everything that can go wrong. */
static void print_elements(const array *a) {
    DPC("{ long h = 0; ");
    add_loops(&dpc_body, a);
    add(&dpc_body, "h = (h * 31 + (long)%s) %% 1000003; ", element(a, true));
    add(&dpc_body, "printf(\"%c elements %%ld\\n\", h); }\n", a->name);
    C("{ long h = 0; ");
    add_loops(&c_body, a);
    add(&c_body, "h = (h * 31 + (long)%s) %% 1000003; ", element(a, false));
    add(&c_body, "printf(\"%c elements %%ld\\n\", h); }\n", a->name);
}

/* ---- Contexts: the indices of a forall, or the sections of an array assignment */

/* A forall's index has a name and values low .. high (a bounding box where bounds are triangular); a section has `count` elements. */
typedef struct {
    bool forall;
    int rank;
    char name[MAX_RANK];
    long low[MAX_RANK], high[MAX_RANK];
    long count[MAX_RANK];
} context;

static void subscript(text *t, const char *dpc, const char *c, bool first) {
    size_t n = strlen(t->dpc), m = strlen(t->c);
    snprintf(t->dpc + n, sizeof t->dpc - n, "[%s]", dpc);
    snprintf(t->c + m, sizeof t->c - m, "%s%s", first ? "" : ", ", c);
}

static void invariant(text *t, const array *a, int d, bool first) {
    char s[60];
    sprintf(s, "%ld", a->lower[d] + below(a->extent[d]));
    subscript(t, s, s, first);
}

/* c + s * index, or with s == 1 or -1 shorter. */
static void affine(char *out, long c, long s, char index) {
    char stride[40], offset[40];
    if (s == 1 && c == 0) sprintf(out, "%c", index);
    else if (s == 1) sprintf(out, "%c%+ld", index, c);
    else if (chance(50)) sprintf(out, "%s*%c%+ld", number(stride, s), index, c);
    else if (s < 0) sprintf(out, "%s%+ld*%c", number(offset, c), s, index);
    else sprintf(out, "%s+%s*%c", number(offset, c), number(stride, s), index);
}

/* A subscript of dimension d that is affine in an index and in range for all its values; false if there is none. */
static bool indexed(text *t, const array *a, int d, const context *x, int index, bool first) {
    long span = x->high[index] - x->low[index], most = span > 0 ? (a->extent[d] - 1) / span : 3;
    if (a->extent[d] == 0 || most == 0) return false;
    long s = between(1, minimum(most, 4));
    if (chance(30)) s = -s;
    if (chance(50) && s > 1) s = 1;
    long least = s > 0 ? s * x->low[index] : s * x->high[index];
    long width = (s > 0 ? s : -s) * span;
    char out[160];
    long place = below(a->extent[d] - width);
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
    if (stride == 1 && chance(80)) sprintf(dpc, "%s:%s", l, u);
    else sprintf(dpc, "%s:%s:%s", l, u, number(strided, stride));
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
        if (used >> index & 1 || chance(20) || !indexed(t, a, d, x, index, d == 0)) invariant(t, a, d, d == 0);
        else used |= 1 << index;
    }
    strcat(t->c, "))");
    return true;
}

/* In a forall: subscripts that no formula describes, brought into range by a remainder. */
static bool gathered_reference(text *t, const context *x, const array *a) {
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

/* In a forall: a one-dimensional shift that may leave the array, guarded. */
static bool guarded_reference(text *t, const context *x, const array *a) {
    if (a->rank != 1) return false;
    char i = x->name[below(x->rank)];
    long shift = between(-3, 3), low = a->lower[0] - shift, high = low + a->extent[0] - 1;
    sprintf(t->dpc, "(%c >= %ld && %c <= %ld ? %c[%c%+ld] : %ld)", i, low, i, high, a->name, i, shift, below(9));
    strcpy(t->c, t->dpc);
    char *bracket = strchr(t->c, '[');
    char tail[200];
    strcpy(tail, strchr(t->c, ']') + 1);
    sprintf(bracket - 1, "*%c(%c%+ld)%s", a->name, i, shift, tail);
    return true;
}

/* A reference for the context, to an array that is not empty; else a number. */
static void reference(text *t, const context *x, const array *a, const long *strides) {
    memset(t, 0, sizeof *t);
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
        if (strides[d]) section(t, a, d, x, number, strides[d], d == 0), number++;
        else invariant(t, a, d, d == 0);
    }
    strcat(t->c, "))");
}

/* ---- Expressions */

/* Appends pattern to out with the two texts in place of its first and second $. */
static void substitute(char *out, size_t room, const char *pattern, const char *first, const char *second) {
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

static void combine(text *t, const char *pattern, const text *a, const text *b) {
    substitute(t->dpc, sizeof t->dpc, pattern, a->dpc, b->dpc);
    substitute(t->c, sizeof t->c, pattern, a->c, b->c);
}

/* A right side from two references, an integer below MODULUS where `reduced`.  Grows values by a factor of 2 or not at all. */
static void expression(text *t, const context *x, const text *a, const text *b, bool reduced) {
    text plain, index;
    bool grows = false;
    switch (below(10)) {
    case 0:
    case 1: combine(&plain, "$", a, b); break;
    case 2:
    case 3: combine(&plain, "$ + $", a, b); break;
    case 4: combine(&plain, "$ - $ + 3", a, b); break;
    case 5: combine(&plain, "2 * $ - 7", a, b); break;
    case 6: combine(&plain, "(long)$ % 50 * $", a, b), grows = true; break;
    case 7: combine(&plain, "($ > 20 ? $ : 5)", a, b); break;
    case 8: combine(&plain, "-$ + x", a, b); break;
    default: combine(&plain, "x + $", a, b);
    }
    if (x->forall && chance(30)) {
        snprintf(index.dpc, sizeof index.dpc, "%c * %ld", x->name[below(x->rank)], between(1, 9));
        strcpy(index.c, index.dpc);
        combine(t, "$ + $", &plain, &index);
        plain = *t;
    }
    if (reduced || grows || chance(85)) {
        combine(t, "(long)($) % 9973", &plain, b);
        return;
    }
    *t = plain;
}

static const char *operator_for(const element_type *type) {
    static const char *const any[] = {"+=", "-="}, *const whole[] = {"|=", "^=", "&="};
    if (chance(65)) return "=";
    if (type->is_whole && chance(40)) return whole[below(3)];
    return any[below(2)];
}

static bool is_bitwise(const char *op) { return strchr("|^&", *op) != NULL; }

/* ---- Array assignment */

/* Which dimensions of `a` are sections, `wanted` of them, and with what stride; 0 marks invariant ones. */
static bool choose_sections(const array *a, int wanted, long *strides) {
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

static void limit_counts(context *x, const array *a, const long *strides) {
    for (int d = 0, number = 0; d < a->rank; d++) {
        if (strides[d] == 0) continue;
        long size = strides[d] > 0 ? strides[d] : -strides[d];
        long most = a->extent[d] > 0 ? (a->extent[d] - 1) / size + 1 : 0;
        x->count[number] = minimum(x->count[number], most);
        number++;
    }
}

static void array_assignment(void) {
    const array *a = any_array(), *operand[2] = {chance(25) ? a : any_array(), any_array()};
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

    text left, right[2], whole;
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
    expression(&whole, &x, &right[0], &right[1], a->type->is_small || is_bitwise(op));
    DPC("%s %s %s;\n", left.dpc, op, whole.dpc);
    char loops[300] = "";
    for (int d = 0; d < x.rank; d++)
        sprintf(loops + strlen(loops), "for (long k%d = 0; k%d < %ld; k%d++) ", d, d, x.count[d], d);
    C("at = 0; %stemporary[at++] = (long)(%s);\n", loops, whole.c);
    C("at = 0; %s%s %s temporary[at++];\n", loops, left.c, op);
    print_checksum(a);
}

/* ---- forall */

/* Chooses the indices of a forall over `a`, one per chosen dimension (order shuffled), and their left subscripts. */
static bool forall_indices(context *x, const array *a, int rank, int *dimension) {
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
static void forall_ranges(const context *x, char *dpc, char *c, bool *empty) {
    *dpc = *c = '\0';
    *empty = false;
    for (int n = 0; n < x->rank; n++) {
        char low[40], high[40], strided[40], i = x->name[n];
        long stride = chance(70) ? 1 : between(2, 4);
        number(low, x->low[n]);
        number(high, x->high[n]);
        if (n > 0 && chance(40)) {
            long shift = x->low[n] - x->low[n-1];
            bool fits = x->high[n-1] + shift <= x->high[n];
            if (chance(50) || !fits) sprintf(low, "%c%+ld", x->name[n-1], shift);
            else sprintf(high, "%c%+ld", x->name[n-1], shift);
        }
        if (chance(5)) sprintf(high, "%ld", x->low[n] - 1 - below(2));
        char *d = dpc + strlen(dpc), *e = c + strlen(c);
        if (n > 0) d += sprintf(d, ", ");
        if (stride == 1) sprintf(d, "%c = %s:%s", i, low, high);
        else if (chance(60)) sprintf(d, "%c = %s:%s:%s", i, low, high, number(strided, stride));
        else {
            sprintf(d, "%c = %s:%s:%s", i, high, low, number(strided, -stride));
            sprintf(e, "for (long %c = %s; %c >= %s; %c -= %ld) ", i, high, i, low, i, stride);
            continue;
        }
        sprintf(e, "for (long %c = %s; %c <= %s; %c += %ld) ", i, low, i, high, i, stride);
    }
}

static void make_mask(text *t, const context *x) {
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
static void left_side(text *t, const context *x, const array *a, const int *dimension) {
    memset(t, 0, sizeof *t);
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    bool scattered = chance(8);
    for (int d = 0; d < a->rank; d++) {
        int index = -1;
        for (int n = 0; n < x->rank; n++)
            if (dimension[n] == d) index = n;
        if (index < 0) invariant(t, a, d, d == 0);
        else if (scattered) {
            char s[120];
            long e = a->extent[d], base = x->low[index] < 0 ? e * 50 : 0;
            long factor = e % 5 ? 5 : e % 7 ? 7 : 11;
            sprintf(s, "(%c*%ld+%ld) %% %ld%+ld", x->name[index], e % factor ? factor : 1, base, e, a->lower[d]);
            subscript(t, s, s, d == 0);
        } else if (!indexed(t, a, d, x, index, d == 0)) abort();
    }
    strcat(t->c, "))");
}

/* The sum along one dimension, affine in indices or invariant elsewhere.  Values stay small: its terms are remainders. */
static bool inner_reduction(text *t, const context *x) {
    const array *a = any_array();
    const int along = (int)below(a->rank);
    int used = 0;
    if (!chance(8) || is_empty(a)) return false;
    text r = {0};
    sprintf(r.dpc, "%c", a->name);
    sprintf(r.c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) {
        const int index = (int)below(x->rank);
        if (d == along) subscript(&r, "m", "m", d == 0);
        else if (used >> index & 1 || !indexed(&r, a, d, x, index, d == 0)) invariant(&r, a, d, d == 0);
        else used |= 1 << index;
    }
    strcat(r.c, "))");
    const long low = a->lower[along], high = low + a->extent[along] - 1;
    char pattern[120];
    sprintf(pattern, "sum(m = %ld:%ld, (long)$ %% 50)", low, high);
    substitute(t->dpc, sizeof t->dpc, pattern, r.dpc, "");
    sprintf(pattern, "({ long s = 0; for (long m = %ld; m <= %ld; m++) s += (long)$ %% 50; s; })", low, high);
    substitute(t->c, sizeof t->c, pattern, r.c, "");
    return true;
}

static void forall_statement(const context *x, const array *a, const int *dimension, const char *loops, bool masked) {
    text left, right[2], whole;
    left_side(&left, x, a, dimension);
    for (int k = 0; k < 2; k++)
        if (k == 1 || !inner_reduction(&right[k], x)) reference(&right[k], x, chance(15) ? a : any_array(), NULL);
    const char *op = operator_for(a->type), *test = masked ? "if (mask[at++]) " : "";
    expression(&whole, x, &right[0], &right[1], a->type->is_small || is_bitwise(op));
    DPC("%s %s %s;\n", left.dpc, op, whole.dpc);
    C("at = done = 0; %s%stemporary[done++] = (long)(%s);\n", loops, test, whole.c);
    C("at = done = 0; %s%s%s %s temporary[done++];\n", loops, test, left.c, op);
}

static void forall(void) {
    const array *a = any_array();
    context x = {0};
    int dimension[MAX_RANK], statements = chance(65) ? 1 : (int)between(2, 3);
    if (!forall_indices(&x, a, (int)between(1, a->rank), dimension)) return;
    char ranges[300], loops[600];
    bool empty, masked = chance(35);
    forall_ranges(&x, ranges, loops, &empty);
    if (masked) {
        text mask;
        make_mask(&mask, &x);
        DPC("forall (%s, %s)%s\n", ranges, mask.dpc, statements > 1 ? " {" : "");
        C("at = 0; %smask[at++] = %s;\n", loops, mask.c);
    } else DPC("forall (%s)%s\n", ranges, statements > 1 ? " {" : "");
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
                bool fits = arrays[k].rank == a->rank && chance(60);
                for (int d = 0; d < a->rank && fits; d++) fits = arrays[k].extent[d] >= a->extent[d];
                if (fits) b = &arrays[k];
            }
        forall_statement(&x, b, other, loops, masked);
        changed[changes++] = b;
    }
    depth--;
    if (statements > 1) DPC("}\n");
    for (int n = 0; n < changes; n++)
        if (n == 0 || changed[n] != changed[n-1]) print_checksum(changed[n]);
}

/* ---- Single elements, scalars, reductions */

static bool single(text *t, const array *a) {
    if (is_empty(a)) return false;
    memset(t, 0, sizeof *t);
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) invariant(t, a, d, d == 0);
    strcat(t->c, "))");
    return true;
}

static void element_statement(void) {
    text a, b;
    const array *left = any_array();
    if (!single(&a, left) || !single(&b, any_array())) return;
    switch (below(5)) {
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
    expression(&whole, &x, &r, &s, false);
    make_mask(&mask, &x);
    DPC("x = %s(%s, %s%s(long)(%s)) %% 100000;\n", names[kind], ranges, masked ? mask.dpc : "", masked ? ", " : "", whole.dpc);
    C("reduced = %s;\n", kind == 0 ? "0" : kind == 1 ? "LONG_MAX" : "LONG_MIN");
    C("%s%s%s%s{ long v = (long)(%s); ", loops, masked ? "if (" : "", masked ? mask.c : "", masked ? ") " : "", whole.c);
    add(&c_body, "%s }\n", kind == 0 ? "reduced += v;" : kind == 1 ? "if (v < reduced) reduced = v;" : "if (v > reduced) reduced = v;");
    C("x = reduced %% 100000;\n");
    BOTH("printf(\"x %%ld\\n\", x);\n");
    BOTH("x %%= 1000;\n");
}

/* ---- The program */

static void statement(void) {
    long kind = below(100);
    if (kind < 34) array_assignment();
    else if (kind < 68) forall();
    else if (kind < 80) redistribute();
    else if (kind < 90) element_statement();
    else reduction();
}

static void statements(int count) {
    while (count-- > 0) {
        long kind = depth < 3 ? below(20) : 20;
        if (kind == 0) {
            BOTH("for (int round%d = 0; round%d < 2; round%d++) {\n", depth, depth, depth);
            loop_variable[repeats++] = depth;
        } else if (kind == 1) {
            BOTH("if (x %% 2 == 0) {\n");
        } else {
            statement();
            continue;
        }
        depth++;
        statements((int)between(1, 3));
        depth--;
        if (kind == 0) repeats--;
        BOTH("}\n");
    }
}

static void fill_arrays(void) {
    for (int n = 0; n < array_count; n++) {
        const array *a = &arrays[n];
        static const char *const value[] = {"", "x0 * %ld %% 83 - 40", "(x0 * %ld + x1 * 5) %% 83 - 40",
                                            "(x0 * %ld + x1 * 5 + x2 * 17) %% 83 - 40"};
        long factor = between(1, 60);
        const char *margin = a->type->name[0] == 'u' ? " + 100" : "";
        DPC("forall (");
        for (int d = 0; d < a->rank; d++)
            add(&dpc_body, "%sx%d = %ld:%ld", d ? ", " : "", d, a->lower[d], a->lower[d] + a->extent[d] - 1);
        add(&dpc_body, ") %s = ", element(a, true));
        add(&dpc_body, value[a->rank], factor);
        add(&dpc_body, "%s;\n", margin);
        C("");
        add_loops(&c_body, a);
        add(&c_body, "%s = ", element(a, false));
        add(&c_body, value[a->rank], factor);
        add(&c_body, "%s;\n", margin);
    }
}

static const char processors[] = "#pragma dpc processors P1(*), Q1(*), S1(1)\n"
                                 "#pragma dpc processors P2(*, *), Q2(1, *), R2(*, 1)\n"
                                 "#pragma dpc processors P3(*, *, *), Q3(*, 1, *), S3(1, 1, 1)\n";

/* Grids of so many processes as the program computes. */
static const char computed[] = "    long b1 = 3, b2 = 4, few = dpc_nprocs() < 2 ? 1 : 2;\n"
                               "#pragma dpc processors T1(few), T2(few, 1), U2(*, few)\n"
                               "    few = dpc_nprocs() / 2 + 1;\n"
                               "#pragma dpc processors U1(few)\n"
                               "    (void)b1, (void)b2;\n";

int main(int argc, char **argv) {
    bool c = argc == 3 && strcmp(argv[1], "--c") == 0;
    if (argc != 2 && !c) {
        fprintf(stderr, "usage: generate [--c] SEED\n");
        return 2;
    }
    long seed = atol(argv[argc - 1]);
    state = (unsigned long long)seed * 2654435761u + 12345;
    below(1);
    make_arrays();
    buffer dpc_declarations = {0}, c_declarations = {0};
    add(&dpc_declarations, automatic ? "    const long n = 5;\n    (void)n;\n%s" : "%s", processors);
    if (automatic) add(&dpc_declarations, "%s", computed);
    for (int n = 0; n < array_count; n++) declare(&dpc_declarations, &c_declarations, &arrays[n]);
    long x = below(50);
    BOTH("long x = %ld;\n", x);
    BOTH("%s", variables);
    BOTH("(void)x, (void)v1, (void)v2, (void)v3, (void)v4;\n");
    fill_arrays();
    statements((int)between(10, 20));
    for (int n = 0; n < array_count; n++) print_elements(&arrays[n]);

    if (c) {
        printf("/* generate --c %ld */\n#include <limits.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n", seed);
        printf("static long temporary[100000], at, done, reduced;\nstatic char mask[100000];\n%s\n", c_declarations.text);
        printf("int main(void) {\n    (void)done, (void)reduced, (void)mask;\n%s    return 0;\n}\n", c_body.text);
    } else {
        printf("/* generate %ld */\n#include <stdio.h>\n\n", seed);
        if (automatic) printf("int main(void) {\n%s\n%s    return 0;\n}\n", dpc_declarations.text, dpc_body.text);
        else printf("%s\nint main(void) {\n%s    return 0;\n}\n", dpc_declarations.text, dpc_body.text);
    }
    free(dpc_declarations.text), free(c_declarations.text), free(dpc_body.text), free(c_body.text);
    return 0;
}

/* Kernels that read matrices in arrays of one dimension beside iterations that other processes own: products, rows and
 * columns, vectors, elimination, windows of a vector, boxes.  A matrix has its extents from three sizes; what goes over
 * such a size is an index of the statement or of a reduction in it.  See kernels.h. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3, MOST_MATRICES = 6, MOST_INDICES = 6 };

static struct {
    long extent[SIZES];
    char name[SIZES][8]; /* as it is written */
} size;

/* An array that is taken for one with so many extents, each of a size; some elements stand before and behind. */
typedef struct {
    own array;
    bool flat; /* it has one dimension */
    int rank, axis[3];
    long before, behind;
    bool is_remapped; /* it may be */
} matrix_operand;

static matrix_operand operand[MOST_MATRICES];
static int operands;
static long rounds; /* of the loop around, whose variable is t */

/* Index r of a statement or a reduction, within low .. high; what it goes over. */
typedef struct {
    const char *name;
    int axis;
    long low, high;
    char range[60], loop[160];
} matrix_index;

typedef struct {
    matrix_index index[MOST_INDICES];
    int count;
    const char *type; /* of the loops' variables; NULL: a forall */
} matrix_scope;

/* ---- Sizes and arrays */

static void define_size(int d) {
    BOTH("#undef %s\n#define %s %ld\n", size.name[d], size.name[d], size.extent[d]);
}

static void make_sizes(void) {
    static const char *const names[SIZES] = {"kr", "kw", "kv"}, *const macros[SIZES] = {"KR", "KW", "KV"};
    for (int d = 0; d < SIZES; d++) {
        size.extent[d] = chance(8) ? below(2) : between(2, 7);
        const long n = size.extent[d];
        strcpy(size.name[d], names[d]);
        switch (n == 0 ? 4 : below(5)) { /* a constant 0 leaves nothing of an index */
        case 0:
            sprintf(size.name[d], "%ld", n);
            break;
        case 1:
            strcpy(size.name[d], macros[d]);
            define_size(d);
            break;
        case 2:
            BOTH("const int %s = %ld;\n(void)%s;\n", names[d], n, names[d]);
            break;
        default: {
            const char *type = chance(50) ? "long" : "int";
            BOTH("%s %s = %ld;\n(void)%s;\n", type, names[d], n, names[d]);
        }
        }
    }
}

static long product_of_sizes(const matrix_operand *m) {
    long n = 1;
    for (int d = 0; d < m->rank; d++) n *= size.extent[m->axis[d]];
    return n;
}

static const char *product_text(const matrix_operand *m) {
    char out[60] = "";
    for (int d = 0; d < m->rank; d++) sprintf(out + strlen(out), "%s%s", d ? " * " : "", size.name[m->axis[d]]);
    return words("%s", out);
}

/* On copies of a part of the processes, or on a part of a grid. */
static void map_to_few(const matrix_operand *m) {
    const char *name = m->array.name, *format = chance(50) ? "block" : "cyclic(2)";
    const char *upper = words("%s + %ld", product_text(m), m->behind - 1);
    switch (below(3)) {
    case 0:
        DPC("#pragma dpc template %st[-%ld:%s][0:1]\n", name, m->before, upper);
        DPC("#pragma dpc distribute %st(%s, block) onto P2\n", name, format);
        DPC("#pragma dpc align %s[i] with %st[i][*]\n", name, name);
        break;
    case 1:
        DPC("#pragma dpc distribute %s(%s) onto P1(0:(dpc_nprocs() - 1) / 2)\n", name, format);
        break;
    default:
        DPC("#pragma dpc distribute %s(%s) onto P1(dpc_nprocs() / 2:dpc_nprocs() - 1)\n", name, format);
    }
}

/* The array in the block, or as a parameter of a function. */
static void declare_flat(const matrix_operand *m) {
    const own *a = &m->array;
    const char *n = product_text(m);
    if (m->before > 0) {
        DPC("%s %s[-%ld:%s + %ld];\n", a->type, a->name, m->before, n, m->behind - 1);
        C("%s %s_[%s + %ld], *%s = %s_ + %ld;\n", a->type, a->name, n, m->before + m->behind, a->name, a->name,
          m->before);
    } else if (m->behind > 0) {
        BOTH("%s %s[%s + %ld];\n", a->type, a->name, n, m->behind);
    } else {
        BOTH("%s %s[%s];\n", a->type, a->name, n);
    }
}

static const char *any_element_type(void) {
    static const char *const types[] = {"float complex", "double complex", "struct cell", "__int128"};
    return chance(25) ? types[below(4)] : any_type();
}

static void make_operand(int number, int rank, const int *axis) {
    matrix_operand m = {.rank = rank, .flat = rank != 2 || chance(88)};
    own *a = &m.array;
    memcpy(m.axis, axis, (size_t)rank * sizeof *axis);
    sprintf(a->name, "k%c", 'a' + number);
    a->type = any_element_type();
    a->distributed = chance(90);
    if (!m.flat) {
        a->rank = 2;
        for (int d = 0; d < 2; d++) a->extent[d] = size.extent[axis[d]];
        BOTH("%s %s[%s][%s];\n", a->type, a->name, size.name[axis[0]], size.name[axis[1]]);
    } else {
        m.before = a->distributed && chance(20) ? between(1, 3) : 0;
        m.behind = chance(30) ? between(1, 3) : 0;
        a->rank = 1;
        a->extent[0] = product_of_sizes(&m) + m.before + m.behind;
        declare_flat(&m);
    }
    const bool few = m.flat && chance(12);
    if (!a->distributed)
        BOTH("(void)%s;\n", a->name);
    else if (few)
        map_to_few(&m);
    else if (a->extent[0] > 0 && (a->rank == 1 || a->extent[1] > 0))
        map_own(a, DIVIDED);
    else
        DPC("#pragma dpc distribute %s(%s)\n", a->name, m.flat ? "cyclic" : "block, cyclic");
    m.is_remapped = a->distributed && !few;
    operand[number] = m;
}

static void make_operands(void) {
    operands = (int)between(3, MOST_MATRICES);
    for (int n = 0; n < operands; n++) {
        int axis[3];
        for (int d = 0; d < 3; d++) axis[d] = (int)below(SIZES);
        make_operand(n, chance(20) ? 1 : chance(80) ? 2 : 3, axis);
    }
}

/* ---- Values of elements, which are whole numbers */

static const char *real_value(const matrix_operand *m, const char *element) {
    static const char *const members[] = {".v", ".n[0]", ".n[1]", ".in.s"};
    if (strstr(m->array.type, "complex")) return words("%s(%s)", chance(50) ? "creal" : "cimag", element);
    if (strncmp(m->array.type, "struct", 6) == 0) return words("%s%s", element, members[below(4)]);
    return element;
}

static const char *assigned_part(const matrix_operand *m, const char *element) {
    return strncmp(m->array.type, "struct", 6) == 0 ? real_value(m, element) : element;
}

static const char *assigned_value(const matrix_operand *m) {
    return strstr(m->array.type, "complex") ? " * (2 - 3 * I)" : "";
}

/* ---- Subscripts */

/* d: a size.  A place that is the same in all iterations, where there is one. */
static bool fixed_place(char *out, int d) {
    const long n = size.extent[d];
    if (n == 0) return false;
    if (rounds <= n && chance(60))
        sprintf(out, chance(70) ? "t" : "%s - 1 - t", size.name[d]);
    else
        sprintf(out, "%ld", below(n));
    return true;
}

/* The index beside itself, where the condition holds. */
static void guarded_place(char *out, char *guard, const char *index, int d) {
    const long by = between(1, 2);
    if (chance(50)) {
        sprintf(out, "%s + %ld", index, by);
        sprintf(guard, "%s < %s - %ld", index, size.name[d], by);
    } else {
        sprintf(out, "%s - %ld", index, by);
        sprintf(guard, "%s >= %ld", index, by);
    }
}

/* What goes round: the index, perhaps with another one or a number beside it, is not negative before the remainder is
 * taken. */
static void round_place(char *out, const matrix_index *x, const matrix_index *y, int d) {
    const char *n = size.name[d], *other = y ? words(" %c %s", chance(50) ? '-' : '+', y->name) : "";
    const long by = between(-2, 2), least = x->low + by - (y ? labs(y->low) + labs(y->high) : 0);
    const long times = least < 0 ? (-least - 1) / size.extent[d] + 1 : below(2);
    const char *more = by ? words(" %c %ld", by < 0 ? '-' : '+', labs(by)) : "";
    const char *around = times == 0 ? "" : times == 1 ? words(" + %s", n) : words(" + %ld * %s", times, n);
    if (chance(50))
        sprintf(out, "(%s%s%s%s) %% %s", x->name, other, around, more, n);
    else
        sprintf(out, "(%s%s%s%s) %% %s", x->name, more, other, around, n);
}

/* d: a size.  An index that stays within it, moved, reversed, halved or going round, else what is fixed; guard: a
 * condition, or empty. False: there is none. */
static bool place_within(char *out, char *guard, const matrix_scope *s, int d) {
    const long n = size.extent[d];
    *guard = '\0';
    for (int attempt = 0; attempt < 4; attempt++) {
        const matrix_index *x = &s->index[below(s->count)];
        if (x->high >= n || (x->low > x->high && x->axis != d)) continue;
        const long by = between(-minimum(x->low, 2), minimum(n - 1 - x->high, 2));
        const matrix_index *y = &s->index[below(s->count)];
        if (chance(15))
            sprintf(out, "%s - 1 - %s", size.name[d], x->name);
        else if (chance(15) && x->low <= x->high)
            round_place(out, x, y->low <= y->high && chance(50) ? y : NULL, d);
        else if (chance(10) && x->low <= x->high)
            sprintf(out, chance(50) && 2 * x->high < n ? "2 * %s" : "%s / 2", x->name);
        else if (chance(10) && x->axis == d)
            guarded_place(out, guard, x->name, d);
        else if (by != 0 && chance(40))
            sprintf(out, "%s %c %ld", x->name, by < 0 ? '-' : '+', labs(by));
        else
            strcpy(out, x->name);
        return true;
    }
    return fixed_place(out, d);
}

/* Of the places in its dimensions. */
static const char *element_at(const matrix_operand *m, char place[3][80]) {
    const char *a = m->array.name, *i = place[0], *j = place[1], *k = place[2];
    const char *w = size.name[m->axis[1]], *v = size.name[m->axis[2]];
    if (!m->flat) return words("%s[%s][%s]", a, i, j);
    const bool alone = !strchr(i, ' '), alone2 = !strchr(j, ' ');
    const char *row = alone ? i : words("(%s)", i), *row2 = alone2 ? j : words("(%s)", j);
    const long by = chance(15) ? between(-m->before, m->behind) : 0;
    const char *more = by ? words(" %c %ld", by < 0 ? '-' : '+', labs(by)) : "";
    if (m->rank == 1) return words("%s[%s%s]", a, i, more);
    if (m->rank == 2)
        return chance(70) ? words("%s[%s * %s + %s%s]", a, row, w, j, more)
                          : words("%s[%s%s + %s * %s]", a, j, more, w, row);
    return chance(60) ? words("%s[(%s * %s + %s) * %s + %s%s]", a, row, w, j, v, k, more)
                      : words("%s[%s * %s * %s + %s * %s + %s%s]", a, row, w, v, row2, v, k, more);
}

/* ka[2 * i + p - 1], ka[i / 2]: sums of multiples that stay in the array; NULL: these don't. */
static const char *window_in(const matrix_operand *m, const matrix_scope *s) {
    char out[200] = "";
    long low = 0, high = 0;
    const int terms = (int)between(1, 2);
    for (int n = 0; n < terms; n++) {
        const matrix_index *x = &s->index[below(s->count)];
        const long factor = chance(50) ? 1 : between(2, 3), by = chance(20) ? between(2, 3) : 1;
        const bool down = n > 0 && chance(20);
        const char *part = by > 1 ? words("(%s / %ld)", x->name, by) : x->name;
        const char *value =
            factor > 1 ? chance(50) ? words("%ld * %s", factor, part) : words("%s * %ld", part, factor) : part;
        sprintf(out + strlen(out), "%s%s", n == 0 ? "" : down ? " - " : " + ", value);
        if (x->low > x->high) continue;
        low += down ? -factor * (x->high / by) : factor * (x->low / by);
        high += down ? -factor * (x->low / by) : factor * (x->high / by);
    }
    const long first = -m->before, last = product_of_sizes(m) + m->behind - 1;
    if (high - low > last - first) return NULL;
    const long more = between(first - low, last - high);
    if (more != 0) sprintf(out + strlen(out), " %c %ld", more < 0 ? '-' : '+', labs(more));
    return words("%s[%s]", m->array.name, out);
}

/* A number that some element gives. */
static const char *element_value(const matrix_scope *s) {
    const matrix_operand *m = &operand[below(operands)];
    char place[3][80], guard[3][60];
    const char *window = m->flat && chance(15) ? window_in(m, s) : NULL;
    if (window) return real_value(m, window);
    for (int d = 0; d < m->rank; d++)
        if (!place_within(place[d], guard[d], s, m->axis[d])) return words("%ld", below(9));
    const char *value = real_value(m, element_at(m, place)), *test = "";
    for (int d = 0; d < m->rank; d++)
        if (*guard[d]) test = words("%s%s%s", test, *test ? " && " : "", guard[d]);
    return *test ? words("(%s ? %s : %ld)", test, value, below(9)) : value;
}

/* Some condition. */
static const char *condition(const matrix_scope *s) {
    const char *a = s->index[below(s->count)].name, *b = s->index[below(s->count)].name;
    if (chance(40)) return words("%s > %ld", element_value(s), between(-9, 20));
    return chance(50) ? words("(%s + %s) %% 3 != %ld", a, b, below(3))
                      : words("%s %s %s", a, chance(50) ? "<" : ">=", b);
}

/* Below 97 or a product of such. */
static const char *term_value(const matrix_scope *s) {
    const char *x = element_value(s), *y = element_value(s);
    switch (below(6)) {
    case 0:
        return words("(long)%s %% 97", x);
    case 1:
        return words("(long)(%s - %s) %% 97", x, y);
    case 2:
        return words("(%s ? (long)%s %% 97 : (long)%s %% 89)", condition(s), x, y);
    default:
        return words("(long)%s %% 97 * ((long)%s %% 89)", x, y);
    }
}

/* ---- Indices */

static void add_index(matrix_scope *s, const char *name, int axis) {
    static const char *const pieces[] = {"", ":1", ":2", ":3"};
    matrix_index *x = &s->index[s->count];
    const long n = size.extent[axis], before = chance(20) ? below(2) : 0, behind = chance(20) ? below(2) : 0;
    const char *size_name = size.name[axis], *i = name, *low = words("%ld", before), *low_c = low;
    *x = (matrix_index){.name = name, .axis = axis, .low = before, .high = n - 1 - behind};
    const char *high = words("%s - %ld", size_name, behind + 1);
    int step = chance(15) ? (int)between(1, 3) : 0;
    if (s->count > 0 && chance(12) && s->index[s->count - 1].axis == axis && x->low <= s->index[s->count - 1].low) {
        low = low_c = s->index[s->count - 1].name, step = 0;
    } else if (rounds <= n && chance(15)) {
        low = low_c = words("t + %ld", before);
    }
    const bool down = step > 0 && chance(50);
    sprintf(x->range, down ? "%s = %s:%s:-%s" : "%s = %s:%s%s", i, down ? high : low, down ? low : high,
            down ? pieces[step] + 1 : pieces[step]);
    const char *type = s->type ? s->type : "long";
    if (step > 1 || down)
        sprintf(x->loop, "for (%s %s = %s; %s %s %s; %s %s %d)", type, i, down ? high : low_c, i,
                down ? ">=" : "<=", down ? low_c : high, i, down ? "-=" : "+=", step);
    else if (behind == 0 && chance(70))
        sprintf(x->loop, "for (%s %s = %s; %s < %s; %s++)", type, i, low_c, i, size_name, i);
    else
        sprintf(x->loop, "for (%s %s = %s; %s <= %s; %s++)", type, i, low_c, i, high, i);
    s->count++;
}

static void add_ranges(buffer *b, const matrix_scope *s, int from, bool c) {
    for (int n = from; n < s->count; n++)
        add(b, "%s%s", n > from ? c ? " " : ", " : "", c ? s->index[n].loop : s->index[n].range);
}

/* ---- Reductions: in plain C a statement expression */

static const struct {
    const char *name, *start, *update, *of;
} matrix_sums[] = {{"sum", "0", "s += v", "%s"},
                   {"sum", "0", "s += v", "%s"},
                   {"sum", "0", "s += v", "%s"},
                   {"maxval", "LONG_MIN", "if (v > s) s = v", "%s"},
                   {"minval", "LONG_MAX", "if (v < s) s = v", "%s"},
                   {"product", "1", "s *= v", "(1 - 2 * ((%s) %% 2 != 0))"}};

/* Over what stands in the scope from index `from` on. */
static void add_reduction(text *t, const matrix_scope *s, int from) {
    const int kind = (int)below(6);
    const char *term = words(matrix_sums[kind].of, term_value(s)), *mask = chance(20) ? condition(s) : NULL;
    buffer dpc = {0}, c = {0};
    add_ranges(&dpc, s, from, false), add_ranges(&c, s, from, true);
    const bool of_nothing = kind == 3 || kind == 4; /* has a value that is far away */
    const char *before = of_nothing ? "labs(" : "", *behind = of_nothing ? " % 1000)" : "";
    sprintf(t->dpc + strlen(t->dpc), "%s%s(%s%s%s, %s)%s", before, matrix_sums[kind].name, dpc.text, mask ? ", " : "",
            mask ? mask : "", term, behind);
    sprintf(t->c + strlen(t->c), "%s({ long s = %s, v; %s { if (%s) { v = %s; %s; } } s; })%s", before,
            matrix_sums[kind].start, c.text, mask ? mask : "1", term, matrix_sums[kind].update, behind);
    free(dpc.text), free(c.text);
}

static void add_same(text *t, const char *same) {
    strcat(t->dpc, same), strcat(t->c, same);
}

/* A right side. */
static void add_value(text *t, const matrix_scope *s) {
    static const char *const inner[] = {"p", "r"};
    for (int n = (int)between(0, 2); n > 0; n--) {
        matrix_scope within = *s;
        for (int k = chance(85) ? 1 : 2, of = 0; of < k; of++) add_index(&within, inner[of], (int)below(SIZES));
        add_reduction(t, &within, s->count);
        add_same(t, " + ");
    }
    add_same(t, term_value(s));
}

/* ---- Left sides */

/* Of dimension d: index n, or a fixed place. */
static bool left_place(char *out, const matrix_operand *m, const matrix_scope *s, int d, int n) {
    if (n < 0) return fixed_place(out, m->axis[d]);
    const matrix_index *x = &s->index[n];
    if (chance(15))
        sprintf(out, "%s - 1 - %s", size.name[m->axis[d]], x->name);
    else
        strcpy(out, x->name);
    return x->high < size.extent[m->axis[d]];
}

/* A left side for all indices of the scope, in an order of its own. */
static const matrix_operand *left_element(const char **element, const matrix_scope *s) {
    for (int attempt = 0; attempt < 30; attempt++) {
        const matrix_operand *m = &operand[below(operands)];
        char place[3][80];
        int at[3] = {-1, -1, -1};
        bool fits = m->rank >= s->count;
        for (int n = 0; fits && n < s->count; n++) {
            const int d = (int)below(m->rank);
            fits = at[d] < 0;
            at[d] = n;
        }
        for (int d = 0; fits && d < m->rank; d++) fits = left_place(place[d], m, s, d, at[d]);
        if (!fits) continue;
        *element = assigned_part(m, element_at(m, place));
        return m;
    }
    return NULL;
}

/* ---- Statements */

static matrix_scope any_scope(const char *type) {
    matrix_scope s = {.type = type};
    static const char *const names[] = {"i", "j", "k"};
    const matrix_operand *m = &operand[below(operands)];
    for (int d = 0; d < m->rank; d++)
        if (d == 0 || chance(80)) add_index(&s, names[s.count], m->axis[chance(80) ? d : (int)below(m->rank)]);
    return s;
}

static void forall_statements(void) {
    const matrix_scope s = any_scope(NULL);
    const char *mask = chance(30) ? words("%s", condition(&s)) : NULL, *element;
    const matrix_operand *left = left_element(&element, &s);
    buffer loops = {0};
    if (!left) return;
    add_ranges(&loops, &s, 0, true);
    DPC("forall (");
    add_ranges(&dpc_body, &s, 0, false);
    add(&dpc_body, "%s%s) {\n", mask ? ", " : "", mask ? mask : "");
    C("at = 0; %s mask[at++] = %s;\n", loops.text, mask ? mask : "1");
    for (int count = chance(75) ? 1 : 2; count > 0 && left; count--) {
        text value = {0};
        char to[200];
        strcpy(to, element);
        add_value(&value, &s);
        const char *op = chance(85) ? "=" : "+=";
        DPC("    %s %s (%s) %% 97%s;\n", to, op, value.dpc, assigned_value(left));
        C("at = 0; %s { if (mask[at]) taken[at] = (%s) %% 97; at++; }\n", loops.text, value.c);
        C("at = 0; %s { if (mask[at]) %s %s taken[at]%s; at++; }\n", loops.text, to, op, assigned_value(left));
        left = left_element(&element, &s);
    }
    DPC("}\n");
    free(loops.text);
}

/* The same text in both languages: what earlier iterations assign may be read. */
static void matrix_loops(void) {
    matrix_scope s = any_scope(chance(50) ? "int" : "long");
    const char *element;
    const matrix_operand *left = left_element(&element, &s);
    const int outer = s.count;
    if (!left) return;
    char to[200], body[900];
    strcpy(to, element);
    const char *more = assigned_value(left), *inner = "";
    const char *alone = term_value(&s), *test = chance(30) ? words("if (%s) ", condition(&s)) : "";
    sprintf(body, "%s", alone);
    add_index(&s, "p", (int)below(SIZES));
    inner = s.index[outer].loop;
    const char *term = term_value(&s), *mask = chance(25) ? words("if (%s) ", condition(&s)) : "";
    buffer loops = {0};
    matrix_scope around = s;
    around.count = outer;
    add_ranges(&loops, &around, 0, true);
    switch (below(5)) {
    case 0:
        BOTH("%s %s%s = (%s) %% 97%s;\n", loops.text, test, to, body, more);
        break;
    case 1:
        BOTH("%s %s %s%s += (%s) %% 7%s;\n", loops.text, inner, mask, to, term, more);
        break;
    case 2:
        BOTH("{ long s = 0; %s %s %s s += %s; printf(\"%%ld\\n\", s %% 100000); }\n", loops.text, inner, mask, term);
        break;
    case 3:
        BOTH("{ long s = -1000; %s %s if ((long)(%s) > s) s = %s; printf(\"%%ld\\n\", s); }\n", loops.text, inner, term,
             term);
        break;
    default:
        BOTH("%s { long s = 0; %s %s s += %s; %s = (s + %s) %% 97%s; }\n", loops.text, inner, mask, term, to, body,
             more);
    }
    free(loops.text);
}

static void matrix_reduction(void) {
    matrix_scope s = any_scope(NULL);
    if (chance(60)) add_index(&s, "p", (int)below(SIZES));
    text value = {0};
    add_reduction(&value, &s, 0);
    DPC("printf(\"%%ld\\n\", (long)(%s));\n", value.dpc);
    C("printf(\"%%ld\\n\", (long)(%s));\n", value.c);
}

/* What stays of a matrix from one round to the next does not any more. */
static void change_element(void) {
    const matrix_operand *m = &operand[below(operands)];
    const long n = m->array.extent[0], round = below(3);
    if (!m->flat || n == 0) return;
    const char *element = assigned_part(m, words("%s[%ld]", m->array.name, below(n) - m->before));
    BOTH("if (t %% 3 == %ld) %s += 2;\n", round, element);
}

static void matrix_statement(void) {
    switch (below(7)) {
    case 6:
        change_element();
        break;
    case 0:
    case 1:
        matrix_loops();
        break;
    case 2:
        matrix_reduction();
        break;
    default:
        forall_statements();
    }
}

/* ---- Fills, checksums */

static const char *over_all(const matrix_operand *m, bool c) {
    const own *a = &m->array;
    if (m->flat)
        return words(c ? "for (long i = %ld; i <= %ld; i++)" : "i = %ld:%ld", -m->before, a->extent[0] - m->before - 1);
    return words(c ? "for (long i = 0; i < %ld; i++) for (long j = 0; j < %ld; j++)" : "i = 0:%ld-1, j = 0:%ld-1",
                 a->extent[0], a->extent[1]);
}

static const char *number_of(const matrix_operand *m) {
    return m->flat ? "i" : words("(i * %ld + j)", m->array.extent[1]);
}

static void fill_operand(const matrix_operand *m) {
    static const char *const members[] = {".v", ".n[0]", ".n[1]", ".in.s"};
    const bool is_record = strncmp(m->array.type, "struct", 6) == 0;
    for (int n = 0; n < (is_record ? 4 : 1); n++) {
        const char *element = words("%s[i]%s%s", m->array.name, m->flat ? "" : "[j]", is_record ? members[n] : "");
        const char *value = words("(%s * %ld %% 83 - 40)%s", number_of(m), between(1, 60), assigned_value(m));
        DPC("forall (%s) %s = %s;\n", over_all(m, false), element, value);
        C("%s %s = %s;\n", over_all(m, true), element, value);
    }
}

static void print_operand(const matrix_operand *m) {
    const char *element = words("%s[i]%s", m->array.name, m->flat ? "" : "[j]");
    const char *value = real_value(m, element), *weight = words("((%s + 5) * 7 %% 101)", number_of(m));
    DPC("printf(\"%s %%ld\\n\", sum(%s, (long)%s * %s));\n", m->array.name, over_all(m, false), value, weight);
    C("{ long s = 0; %s s += (long)%s * %s; printf(\"%s %%ld\\n\", s); }\n", over_all(m, true), value, weight,
      m->array.name);
}

/* ---- All */

static void matrix_rounds(bool remaps) {
    rounds = between(1, 4);
    BOTH("for (int t = 0; t < %ld; t++) {\n", rounds);
    for (long count = between(2, 4); count > 0; count--) matrix_statement();
    const matrix_operand *m = &operand[below(operands)];
    if (remaps && m->is_remapped) remap_own(&m->array);
    BOTH("}\n");
}

/* A declaration of a parameter. */
static void add_parameter(const matrix_operand *m) {
    const own *a = &m->array;
    const char *n = product_text(m);
    if (!m->flat) {
        add(&dpc_body, ", %s %s[%s][%s]", a->type, a->name, size.name[m->axis[0]], size.name[m->axis[1]]);
        add(&c_body, ", %s %s[%s][%s]", a->type, a->name, size.name[m->axis[0]], size.name[m->axis[1]]);
        return;
    }
    if (m->before > 0)
        add(&dpc_body, ", %s %s[-%ld:%s + %ld]", a->type, a->name, m->before, n, m->behind - 1);
    else
        add(&dpc_body, ", %s %s[%s + %ld]", a->type, a->name, n, m->behind);
    add(&c_body, ", %s *%s", a->type, a->name);
}

static void map_parameter(const matrix_operand *m) {
    const char *name = m->array.name, *format = chance(50) ? "block" : "cyclic(3)";
    if (!m->array.distributed) return;
    if (chance(30))
        DPC("#pragma dpc inherit %s\n", name);
    else
        DPC("#pragma dpc distribute %s(%s)\n", name, m->flat ? format : "block, *");
}

/* The statements stand in a function with the sizes and the arrays as parameters. */
static void matrix_function(void) {
    static int number = 90;
    const buffer dpc_outer = dpc_body, c_outer = c_body;
    const int outer_depth = depth;
    const char *head = words("static long f%d(long x", number);
    dpc_body = c_body = (buffer){0}, depth = 0;
    for (int d = 0; d < SIZES; d++)
        if (size.name[d][0] == 'K') define_size(d);
    add(&dpc_body, "%s", head), add(&c_body, "%s", head);
    for (int d = 0; d < SIZES; d++) {
        const char *type = chance(50) ? "int" : "long";
        if (size.name[d][0] != 'k') continue;
        add(&dpc_body, ", %s %s", type, size.name[d]), add(&c_body, ", %s %s", type, size.name[d]);
    }
    for (int n = 0; n < operands; n++) add_parameter(&operand[n]);
    add(&dpc_body, ") {\n%s", processors), add(&c_body, ") {\n");
    depth = 1;
    for (int d = 0; d < SIZES; d++)
        if (size.name[d][0] == 'k') BOTH("(void)%s;\n", size.name[d]);
    for (int n = 0; n < operands; n++) map_parameter(&operand[n]);
    matrix_rounds(false);
    add(&dpc_body, "    return x + 1;\n}\n\n"), add(&c_body, "    return x + 1;\n}\n\n");
    append(&dpc_functions, &dpc_body), append(&c_functions, &c_body);
    free(dpc_body.text), free(c_body.text);
    dpc_body = dpc_outer, c_body = c_outer, depth = outer_depth;
    BOTH("x = f%d(x", number);
    for (int d = 0; d < SIZES; d++)
        if (size.name[d][0] == 'k') add(&dpc_body, ", %s", size.name[d]), add(&c_body, ", %s", size.name[d]);
    for (int n = 0; n < operands; n++)
        add(&dpc_body, ", %s", operand[n].array.name), add(&c_body, ", %s", operand[n].array.name);
    add(&dpc_body, ") %% 1000;\n"), add(&c_body, ") %% 1000;\n");
    number++;
}

void submatrices(void) {
    make_sizes();
    make_operands();
    for (int n = 0; n < operands; n++) fill_operand(&operand[n]);
    if (chance(25))
        matrix_function();
    else
        matrix_rounds(true);
    for (int n = 0; n < operands; n++) print_operand(&operand[n]);
}

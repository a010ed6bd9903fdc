/* The program's arrays.  See generate.h. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The program's arrays */

static const element_type types[] = {{"double", "", 0},
                                     {"double", "", 0},
                                     {"double", "", 0},
                                     {"long", "", BITS},
                                     {"long long", "", BITS},
                                     {"int", "", SMALL | BITS},
                                     {"int", "", SMALL | BITS},
                                     {"short", "", SMALL | BITS},
                                     {"signed char", "", SMALL | BITS},
                                     {"char", "", SMALL | BITS},
                                     {"ptrdiff_t", "", BITS},
                                     {"int32_t", "", SMALL | BITS},
                                     {"__int128", "", BITS},
                                     {"float", "", SMALL},
                                     {"long double", "", 0},
                                     {"double complex", " + 3 * I", COMPLEX},
                                     {"float complex", " - x0 % 7 * I", SMALL | COMPLEX},
                                     {"unsigned char", " + 122", SMALL | BITS | UNSIGNED},
                                     {"unsigned short", " + 122", SMALL | BITS | UNSIGNED},
                                     {"unsigned", " + 122", SMALL | BITS | UNSIGNED},
                                     {"unsigned long", " + 122", SMALL | BITS | UNSIGNED | WIDE},
                                     {"unsigned long long", " + 122", SMALL | BITS | UNSIGNED | WIDE},
                                     {"size_t", " + 122", SMALL | BITS | UNSIGNED | WIDE},
                                     {"unsigned __int128", " + 122", SMALL | BITS | UNSIGNED | WIDE},
                                     {"_Bool", " > 0", SMALL | BITS | UNSIGNED},
                                     {"enum colour", " + 122", SMALL | BITS | UNSIGNED},
                                     {"enum level", "", SMALL | BITS},
                                     {"enum wide", " + 0x100000000", SMALL | BITS | UNSIGNED | WIDE}};

array arrays[MAX_ARRAYS + MAX_LOCALS];
int array_count;
bool automatic, wide;
int checks, remappings, kernels;

bool is_empty(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->extent[d] == 0) return true;
    return false;
}

bool is_far(long lower) {
    return lower > 1000 || lower < -1000;
}

const array *any_array(void) {
    return &arrays[below(array_count)];
}

const array *any_variable(void) {
    const array *a;
    do a = any_array();
    while (a->constant);
    return a;
}

static long random_extent(int rank) {
    static const long most[] = {60, 14, 8};
    long kind = below(12);
    if (kind == 0) return 0;
    if (kind == 1) return 1;
    if (kind == 2) return between(2, 4);
    return between(2, most[rank - 1]);
}

static const element_type *random_type(bool may_be_wide) {
    const element_type *type;
    do type = &types[below(sizeof types / sizeof types[0])];
    while (!may_be_wide && type->kind & WIDE);
    wide |= (type->kind & WIDE) != 0;
    return type;
}

void make_arrays(void) {
    const bool may_be_wide = chance(40);
    array_count = (int)between(3, MAX_ARRAYS);
    automatic = chance(40);
    checks = chance(40) ? 0 : chance(50) ? 8 : 40;
    remappings = chance(60) ? 6 : 20;
    kernels = chance(70) ? 10 : 80;
    alignments = chance(50);
    for (int n = 0; n < array_count; n++) {
        array *a = &arrays[n];
        a->name = (char)('A' + n);
        a->rank = (int)(chance(45) ? 1 : chance(65) ? 2 : 3);
        a->type = random_type(may_be_wide);
        a->distributed = n < 2 || chance(85);
        a->role = random_role();
        for (int d = 0; d < a->rank; d++) {
            a->extent[d] = random_extent(a->rank);
            a->lower[d] = chance(55) ? 0 : chance(85) ? between(-5, 9) : chance(50) ? 2147483640 : 1099511627770;
        }
    }
}

/* ---- Mappings */

const char processors[] = "#pragma dpc processors P1(*), Q1(*), S1(1)\n"
                          "#pragma dpc processors P2(*, *), Q2(1, *), R2(*, 1)\n"
                          "#pragma dpc processors P3(*, *, *), Q3(*, 1, *), S3(1, 1, 1)\n";
const char computed[] = "    long b1 = 3, b2 = 4, few = dpc_nprocs() < 2 ? 1 : 2;\n"
                        "#pragma dpc processors T1(few), T2(few, 1), U2(*, few)\n"
                        "    few = dpc_nprocs() / 2 + 1;\n"
                        "#pragma dpc processors U1(few)\n"
                        "    (void)b1, (void)b2;\n";

/* T1, T2, U2: there only where arrays are automatic. */
static const char *const grids[MAX_RANK + 1][6] = {
    {0}, {"P1", "Q1", "S1", "", "T1", "U1"}, {"P2", "Q2", "R2", "", "T2", "U2"}, {"P3", "Q3", "S3", "", "", "P3"}};

/* One format per dimension, at least one of them not *, and an onto clause or none; the number of the former. */
static int add_formats(buffer *b, const array *a, bool automatic_too) {
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
        case 0:
            add(b, "cyclic");
            break;
        case 1:
        case 2:
            add(b, "cyclic(%ld)", between(1, 6));
            break;
        case 3:
            add(b, "cyclic(%ld)", between(3, 40));
            break;
        case 5:
            add(b, "cyclic(%ld)", multiples[below(6)]);
            break;
        case 6:
            add(b, automatic ? "cyclic(b%ld)" : "cyclic(%ld)", between(1, 2));
            break;
        case 9:
            add(b, "cyclic(auto)");
            break;
        case 10:
            add(b, "auto");
            break;
        case 4:
            add(b, "block(%ld)", between(a->extent[d] + (a->extent[d] == 0), a->extent[d] + 5));
            break;
        default:
            add(b, "block");
        }
    }
    return count;
}

/* NAME(formats) [onto GRID], or (formats) [onto GRID] :: NAME. */
void add_mapping(buffer *b, array *a, bool automatic_too) {
    if (!automatic_too && *a->mapping && chance(50)) {
        add(b, "%s", a->mapping);
        return;
    }
    buffer formats = {0}, mapping = {0};
    int count = add_formats(&formats, a, automatic_too);
    const char *grid = grids[count][below(automatic ? 6 : 4)];
    const char *onto = *grid ? " onto " : "";
    if (chance(60))
        add(&mapping, "%c(%s)%s%s", a->name, formats.text, onto, grid);
    else
        add(&mapping, "(%s)%s%s :: %c", formats.text, onto, grid, a->name);
    add(b, "%s", mapping.text);
    if (!strstr(mapping.text, "auto") && chance(60)) strcpy(a->mapping, mapping.text);
    free(formats.text), free(mapping.text);
}

/* ---- Declarations and checksums */

static void add_extent(buffer *b, const array *a, int d) {
    char extra[32] = "";
    long extent = a->extent[d];
    if (automatic && chance(50)) sprintf(extra, "n + "), extent -= 5;
    if (a->lower[d] == 0 && chance(70))
        add(b, "[%s%ld]", extra, extent);
    else
        add(b, "[%ld:%s%ld]", a->lower[d], extra, a->lower[d] + extent - 1);
}

void declare(buffer *dpc, buffer *c, array *a) {
    if (automatic && chance(30)) add(dpc, "    b%ld = %ld;\n", between(1, 2), between(1, 8));
    if (automatic) add(dpc, "    ");
    declare_elements(dpc, c, a);
    add(dpc, ";\n");
    if (a->distributed) map_elements(dpc, a);
}

void map_elements(buffer *dpc, array *a) {
    array *base = a->role == LINK || (a->role == FOLLOWER && chance(60)) ? base_for(a) : NULL;
    if (base) {
        add(dpc, "#pragma dpc align ");
        add_alignment(dpc, a, base);
        base->followed = true;
    } else {
        add(dpc, "#pragma dpc distribute ");
        add_mapping(dpc, a, true);
    }
    if (!base && a->role == LINK) a->role = ANCHOR;
    add(dpc, "\n");
}

void declare_elements(buffer *dpc, buffer *c, const array *a) {
    add(dpc, "%s %c", a->type->name, a->name);
    for (int d = 0; d < a->rank; d++) {
        add_extent(dpc, a, d);
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
void add_loops(buffer *b, const array *a) {
    for (int d = 0; d < a->rank; d++)
        add(b, "for (long x%d = %ld; x%d <= %ld; x%d++) ", d, a->lower[d], d, a->lower[d] + a->extent[d] - 1, d);
}

const char *element(const array *a, bool dpc) {
    static char out[60];
    if (a->rank == 1) sprintf(out, dpc ? "%c[x0]" : "(*%c(x0))", a->name);
    if (a->rank == 2) sprintf(out, dpc ? "%c[x0][x1]" : "(*%c(x0, x1))", a->name);
    if (a->rank == 3) sprintf(out, dpc ? "%c[x0][x1][x2]" : "(*%c(x0, x1, x2))", a->name);
    return out;
}

const char *value(const array *a, bool dpc) {
    static char out[200];
    const char *e = element(a, dpc);
    snprintf(out, sizeof out, a->type->kind & COMPLEX ? "(creal(%s) + 3 * cimag(%s))" : "%s", e, e);
    return out;
}

void fill(const array *a) {
    static const char *const first[] = {"", "x0 * %ld %% 83 - 40", "(x0 * %ld + x1 * 5) %% 83 - 40",
                                        "(x0 * %ld + x1 * 5 + x2 * 17) %% 83 - 40"};
    long factor = between(1, 60);
    DPC("forall (");
    for (int d = 0; d < a->rank; d++)
        add(&dpc_body, "%sx%d = %ld:%ld", d ? ", " : "", d, a->lower[d], a->lower[d] + a->extent[d] - 1);
    add(&dpc_body, ") %s = ", element(a, true));
    add(&dpc_body, first[a->rank], factor);
    add(&dpc_body, "%s;\n", a->type->first);
    C("");
    add_loops(&c_body, a);
    add(&c_body, "%s = ", element(a, false));
    add(&c_body, first[a->rank], factor);
    add(&c_body, "%s;\n", a->type->first);
}

static const char *const weight[] = {"", "(x0 * 7 %% 101 + 3)", "((x0 * 7 + x1 * 11) %% 101 + 3)",
                                     "((x0 * 7 + x1 * 11 + x2 * 5) %% 101 + 3)"};

void print_checksum(const array *a) {
    if (!chance(checks)) return;
    DPC("printf(\"%c %%ld\\n\", sum(", a->name);
    for (int d = 0; d < a->rank; d++) add(&dpc_body, "x%d = %ld:%ld, ", d, a->lower[d], a->lower[d] + a->extent[d] - 1);
    add(&dpc_body, "(long)%s * ", value(a, true));
    add(&dpc_body, weight[a->rank]);
    add(&dpc_body, "));\n");
    C("{ long s = 0; ");
    add_loops(&c_body, a);
    add(&c_body, "s += (long)%s * ", value(a, false));
    add(&c_body, weight[a->rank]);
    add(&c_body, "; printf(\"%c %%ld\\n\", s); }\n", a->name);
}

/* Every element by itself: different from print_checksum in everything that can go wrong. */
void print_elements(const array *a) {
    DPC("{ long h = 0; ");
    add_loops(&dpc_body, a);
    add(&dpc_body, "h = (h * 31 + (long)%s) %% 1000003; ", value(a, true));
    add(&dpc_body, "printf(\"%c elements %%ld\\n\", h); }\n", a->name);
    C("{ long h = 0; ");
    add_loops(&c_body, a);
    add(&c_body, "h = (h * 31 + (long)%s) %% 1000003; ", value(a, false));
    add(&c_body, "printf(\"%c elements %%ld\\n\", h); }\n", a->name);
}

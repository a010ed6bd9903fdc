/* The arrays of kernels, and what all kernels are made of.  See kernels.h. */
#include "kernels.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *words(const char *format, ...) {
    static char places[300][1000];
    static int place;
    char *out = places[place = (place + 1) % 300];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out, sizeof places[0], format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof places[0]) abort();
    return out;
}

const char *any_type(void) {
    static const char *const types[] = {"double", "double", "long", "int", "float", "short", "long double"};
    return types[below(7)];
}

const char *any_counter(void) {
    static const char *const types[] = {"size_t", "uint64_t", "unsigned long long"};
    return chance(65) ? "long" : types[below(3)];
}

/* ---- Arrays */

static int array_number; /* of the block */
const char *own_extent;

/* The last mapping of each rank: formats and grid; and where the formats count elements, for what extents. */
static struct {
    char text[120];
    bool counts;
    long extent[3];
} last[4];

static void add_format(buffer *b, bool divided, bool automatic_too) {
    switch (!divided ? 20 : below(automatic_too ? 9 : 8)) {
    case 20:
        add(b, "*");
        break;
    case 0:
        add(b, "cyclic");
        break;
    case 1:
    case 2:
        add(b, "cyclic(%ld)", between(1, 5));
        break;
    case 3:
        add(b, "block(400)");
        break;
    case 8:
        add(b, chance(50) ? "auto" : "cyclic(auto)");
        break;
    default:
        add(b, "block");
    }
}

/* Bit d of `divided`: dimension d is. */
static void add_own_mapping(buffer *b, int rank, int divided, bool automatic_too) {
    static const char *const grids[4][4] = {
        {"", "", "", ""}, {"", "", "P1", "S1"}, {"", "", "P2", "R2"}, {"", "", "P3", "Q3"}};
    buffer mapping = {0};
    int count = 0;
    add(&mapping, "(");
    for (int d = 0; d < rank; d++) {
        if (d > 0) add(&mapping, ", ");
        add_format(&mapping, divided >> d & 1, automatic_too);
        count += divided >> d & 1;
    }
    const char *grid = grids[count][below(4)];
    add(&mapping, ")%s%s", *grid ? " onto " : "", grid);
    add(b, "%s", mapping.text);
    strcpy(last[rank].text, mapping.text), last[rank].counts = false;
    free(mapping.text);
}

/* (.., gen_block(v), ..) in dimension d, onto all processes: a table of any numbers of elements. */
static void add_counted_mapping(buffer *b, const own *a, int d) {
    const long n = a->extent[d], most = between(1, n);
    DPC("long %sv[64], %sn = %ld;\n", a->name, a->name, n);
    DPC("for (int q = 0; q < dpc_nprocs(); q++) { long more = q == dpc_nprocs() - 1 ? %sn : (q * 5 + 3) %% %ld; if "
        "(more > "
        "%sn) more = %sn; %sv[q] = more; %sn -= more; }\n",
        a->name, most + 1, a->name, a->name, a->name, a->name);
    add(b, "(");
    for (int k = 0; k < a->rank; k++) add(b, k == d ? "%sgen_block(%sv)" : "%s*", k > 0 ? ", " : "", a->name);
    add(b, ")");
    strcpy(last[a->rank].text, b->text), last[a->rank].counts = true;
    memcpy(last[a->rank].extent, a->extent, sizeof a->extent);
}

static bool as_the_last(const own *a) {
    return *last[a->rank].text &&
           (!last[a->rank].counts || memcmp(last[a->rank].extent, a->extent, sizeof a->extent) == 0);
}

void map_own(const own *a, int how) {
    const int rank = a->rank, all = ((1 << rank) - 1) & ~(how / UNDIVIDED);
    int divided = all;
    if (rank > 1 && chance(50)) divided &= 1 << below(rank) | (all & -all);
    buffer mapping = {0};
    if (!(how / UNDIVIDED) && as_the_last(a) && chance(60))
        add(&mapping, "%s", last[rank].text);
    else if (chance(12))
        add_counted_mapping(&mapping, a, all & 1 ? 0 : 1);
    else
        add_own_mapping(&mapping, rank, divided, true);
    DPC("#pragma dpc distribute %s%s\n", a->name, mapping.text);
    free(mapping.text);
}

own own_array(const char *type, int rank, const long *extent, int how) {
    own a = {.type = type, .rank = rank};
    sprintf(a.name, "k%c", 'a' + array_number++);
    buffer declaration = {0};
    add(&declaration, "%s %s", type, a.name);
    for (int d = 0; d < rank; d++) {
        a.extent[d] = extent[d];
        if (own_extent)
            add(&declaration, "[%s]", own_extent);
        else
            add(&declaration, chance(30) ? "[kn + %ld]" : "[%ld]", extent[d]);
    }
    BOTH("%s;\n", declaration.text);
    free(declaration.text);
    if (!(how & DIVIDED) && chance(12)) {
        BOTH("(void)%s;\n", a.name);
        return a;
    }
    a.distributed = true;
    map_own(&a, how);
    return a;
}

own vector(const char *type, long extent, int how) {
    return own_array(type, 1, &extent, how);
}

own matrix(const char *type, long rows, long columns, int how) {
    return own_array(type, 2, (const long[]){rows, columns}, how);
}

void remap_own(const own *a) {
    if (!a->distributed || !chance(25)) return;
    if (chance(40)) add(&dpc_body, "if (x %% 2 == %ld)\n", below(2));
    add(&dpc_body, "#pragma dpc redistribute %s", a->name);
    add_own_mapping(&dpc_body, a->rank, a->rank == 1 ? 1 : (int)between(1, (1 << a->rank) - 1), false);
    add(&dpc_body, "\n");
}

/* ---- Ranges and foralls */

static const char indices[] = "ijk";

box box_of(int rank, const long *low, const long *high) {
    box r = {.rank = rank};
    for (int d = 0; d < rank; d++) {
        r.low[d] = low[d], r.high[d] = high[d];
        sprintf(r.dpc + strlen(r.dpc), "%s%c = %ld:%ld", d ? ", " : "", indices[d], low[d], high[d]);
        sprintf(r.c + strlen(r.c), "for (long %c = %ld; %c <= %ld; %c++) ", indices[d], low[d], indices[d], high[d],
                indices[d]);
    }
    return r;
}

box line(long low, long high) {
    return box_of(1, &low, &high);
}

box box2(long low, long high, long low2, long high2) {
    return box_of(2, (const long[]){low, low2}, (const long[]){high, high2});
}

void loops_in(const box *r, const char *mask, const char *left, const char *op, const char *right) {
    C("at = 0; %s{ if (%s) taken[at] = %s; at++; }\n", r->c, mask ? mask : "1", right);
    C("at = 0; %s{ if (%s) %s %s taken[at]; at++; }\n", r->c, mask ? mask : "1", left, op);
}

void forall_in(const box *r, const char *mask, const char *left, const char *op, const char *right) {
    DPC("forall (%s%s%s) %s %s %s;\n", r->dpc, mask ? ", " : "", mask ? mask : "", left, op, right);
    loops_in(r, mask, left, op, right);
}

static box all_of(const own *a) {
    return box_of(a->rank, (const long[]){0, 0, 0},
                  (const long[]){a->extent[0] - 1, a->extent[1] - 1, a->extent[2] - 1});
}

static const char *element_of(const own *a) {
    return words(a->rank == 1 ? "%s[i]" : a->rank == 2 ? "%s[i][j]" : "%s[i][j][k]", a->name);
}

void fill_own(const own *a) {
    const box r = all_of(a);
    const long f = between(1, 60);
    const char *value = words(a->rank == 1   ? "i * %ld %% 83 - 40"
                              : a->rank == 2 ? "(i * %ld + j * 5) %% 83 - 40"
                                             : "(i * %ld + j * 5 + k * 17) %% 83 - 40",
                              f);
    forall_in(&r, NULL, element_of(a), "=", value);
}

void fill_places(const own *a, long n, bool permutation) {
    const box r = all_of(a);
    static const long primes[] = {1, 7, 11, 13, 17};
    long f;
    do f = primes[below(5)];
    while (permutation && n % f == 0 && f > 1);
    const long g = below(n);
    const char *value =
        permutation ? words("(i * %ld + %ld) %% %ld", f, g, n) : words("(i * i + i * %ld + %ld) %% %ld", f, g, n);
    forall_in(&r, NULL, words("%s[i]", a->name), "=", value);
}

void print_own(const own *a) {
    const box r = all_of(a);
    const char *weight = a->rank == 1   ? "(i * 7 % 101 + 3)"
                         : a->rank == 2 ? "((i * 7 + j * 11) % 101 + 3)"
                                        : "((i * 7 + j * 11 + k * 5) % 101 + 3)";
    DPC("printf(\"%s %%ld\\n\", sum(%s, (long)%s * %s));\n", a->name, r.dpc, element_of(a), weight);
    C("{ long s = 0; %ss += (long)%s * %s; printf(\"%s %%ld\\n\", s); }\n", r.c, element_of(a), weight, a->name);
}

/* ---- One of them */

static void (*const all_kernels[])(void) = {plain_nest,
                                            plain_nest,
                                            sweep,
                                            sweep,
                                            two_loops,
                                            sparse_rows,
                                            histogram,
                                            repeated_gathers,
                                            rows_by_places,
                                            wrapped,
                                            reshaped,
                                            double_buffer,
                                            inner_offsets,
                                            records,
                                            branches,
                                            branches,
                                            prefixes,
                                            prefixes,
                                            places_of_extremes,
                                            long_run,
                                            long_run,
                                            long_run,
                                            flat_matrices,
                                            flat_matrices,
                                            flat_matrices,
                                            submatrices,
                                            submatrices,
                                            submatrices,
                                            submatrices,
                                            carried,
                                            carried,
                                            carried,
                                            clamped,
                                            clamped};

void kernel(void) {
    array_number = 0;
    memset(last, 0, sizeof last);
    BOTH("{\n");
    depth++;
    const char *is_constant = chance(50) ? "const " : "";
    BOTH("%slong kn = 0;\n(void)kn;\n", is_constant);
    BOTH("%ssize_t ku = 1;\n(void)ku;\n", is_constant);
    all_kernels[below(sizeof all_kernels / sizeof all_kernels[0])]();
    depth--;
    BOTH("}\n");
}

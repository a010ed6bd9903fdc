/* Functions with distributed parameters, and their calls.  See generate.h.
 *
 * A function is made for parameters of fixed shapes; whatever has such a shape may be passed: whole arrays, sections,
 * ordinary arrays. In plain C its parameters are arrays of their own, copied in and out. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FUNCTIONS 4
#define MAX_PARAMETERS 2

/* used: bit n for each array of the program that it, or a function that it calls, uses under the array's own name. */
typedef struct {
    int count;
    array parameter[MAX_PARAMETERS];
    unsigned used;
} function;

static function functions[MAX_FUNCTIONS];
static int function_count;

/* I is <complex.h>'s; indices and variables have other small letters. */
static const char names[] = "HJKLMNOPQRSTUVWXYZcdfgloquwyz";
enum { FUNCTION_NAMES = MAX_FUNCTIONS * (MAX_PARAMETERS + 1) };

char new_name(bool for_function) {
    static int used;
    return used < (int)sizeof names - 1 - (for_function ? 0 : FUNCTION_NAMES) ? names[used++] : '\0';
}

buffer dpc_functions, c_functions;

/* The function that is being made, or NULL; the arrays that its first call passes. */
static function *current;
static unsigned passed;

bool in_function(void) {
    return current != NULL;
}

bool is_global(const array *a) {
    return a->name >= 'A' && a->name < 'A' + MAX_ARRAYS;
}

static unsigned bit_of(const array *a) {
    return is_global(a) ? 1u << (a->name - 'A') : 0;
}

/* ---- Arguments */

/* The index of the number-th section runs from 0. */
static void whole(text *t, const array *a) {
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) sprintf(t->c + strlen(t->c), "%s%ld + k%d", d ? ", " : "", a->lower[d], d);
    strcat(t->c, "))");
}

static bool same_shape(const array *a, const array *b) {
    for (int d = 0; d < a->rank && a->rank == b->rank; d++)
        if (a->extent[d] != b->extent[d]) return false;
    return a->rank == b->rank;
}

/* A section of `a` with the parameter's shape, if the strides that chance takes leave one. */
static bool part(text *t, const array *a, const array *parameter) {
    context x = {.rank = parameter->rank, .count = {1000, 1000, 1000}};
    long strides[MAX_RANK];
    if (!a->distributed || a->rank < parameter->rank || !choose_sections(a, x.rank, strides)) return false;
    limit_counts(&x, a, strides);
    for (int d = 0; d < x.rank; d++) {
        if (x.count[d] < parameter->extent[d]) return false;
        x.count[d] = parameter->extent[d];
    }
    reference(t, &x, a, strides);
    return true;
}

/* Whether some array may be passed for parameter p, beside those that are passed already; all that are passed twice are
 * only read. */
static const array *argument(text *t, const function *f, int p, const array *const *others) {
    const array *parameter = &f->parameter[p];
    for (int attempt = 0; attempt < 30; attempt++) {
        const array *a = any_array();
        bool fits = strcmp(a->type->name, parameter->type->name) == 0 && !(bit_of(a) & f->used);
        if (a->constant && !parameter->constant) fits = false;
        for (int q = 0; q < p; q++)
            if (others[q] == a && !(parameter->constant && f->parameter[q].constant)) fits = false;
        if (!fits) continue;
        if (same_shape(a, parameter) && chance(60)) {
            whole(t, a);
            return a;
        }
        if (part(t, a, parameter)) return a;
    }
    return NULL;
}

/* Copies all elements between an argument and its parameter. */
static void copy_elements(const array *parameter, const text *argument, bool back) {
    text own;
    whole(&own, parameter);
    C("");
    for (int d = 0; d < parameter->rank; d++)
        add(&c_body, "for (long k%d = 0; k%d < %ld; k%d++) ", d, d, parameter->extent[d], d);
    add(&c_body, "%s = %s;\n", back ? argument->c : own.c, back ? own.c : argument->c);
}

static void call_function(const function *f) {
    const array *arguments[MAX_PARAMETERS];
    text passing[MAX_PARAMETERS];
    for (int p = 0; p < f->count; p++)
        if (!(arguments[p] = argument(&passing[p], f, p, arguments))) return;
    if (current) current->used |= f->used;
    const int number = (int)(f - functions);
    const long deep = below(3);
    DPC("x = f%d(5, x, %ld", number, deep);
    for (int p = 0; p < f->count; p++) add(&dpc_body, ", %s", passing[p].dpc);
    add(&dpc_body, ");\n");
    for (int p = 0; p < f->count; p++) copy_elements(&f->parameter[p], &passing[p], false);
    C("x = f%d(5, x, %ld);\n", number, deep);
    for (int p = 0; p < f->count; p++)
        if (!f->parameter[p].constant) copy_elements(&f->parameter[p], &passing[p], true);
    for (int p = 0; p < f->count; p++)
        if (!f->parameter[p].constant) print_checksum(arguments[p]);
    BOTH("printf(\"x %%ld\\n\", x);\n");
    BOTH("x %%= 1000;\n");
}

/* ---- Functions */

/* With the shape of some array of the program, or of a part of it. */
static void make_parameter(array *p) {
    const array *a = any_array();
    *p = (array){.name = new_name(true),
                 .type = a->type,
                 .distributed = true,
                 .constant = chance(25),
                 .role = random_role(),
                 .parameter = true,
                 .inherits = chance(30)};
    if (p->inherits) p->role = ANCHOR;
    const bool is_whole = !a->distributed || chance(50);
    p->rank = is_whole ? a->rank : (int)between(1, a->rank);
    for (int d = 0; d < p->rank; d++) {
        p->extent[d] = is_whole ? a->extent[d] : below(a->extent[a->rank - p->rank + d] + 1);
        p->lower[d] = chance(60) ? a->lower[d] : between(-5, 9);
    }
    passed |= bit_of(a);
}

/* Makes a signature and what stands at the body's beginning; the function's arrays are those that statements use from
 * now on. */
static void begin_function(const function *f, array *parameters) {
    add(&dpc_body, "long f%d(long n, long x, long deep", (int)(f - functions));
    add(&c_body, "static long f%d(long n, long x, long deep) {\n", (int)(f - functions));
    for (int p = 0; p < f->count; p++) {
        add(&dpc_body, ", %s", f->parameter[p].constant ? "const " : "");
        declare_elements(&dpc_body, &c_functions, &f->parameter[p]);
    }
    add(&dpc_body, ") {\n%s%s", processors, computed);
    if (alignments && chance(50)) declare_template(&dpc_body, true);
    for (int p = 0; p < f->count; p++) {
        if (parameters[p].inherits)
            add(&dpc_body, "#pragma dpc inherit %c\n", parameters[p].name);
        else
            map_elements(&dpc_body, &parameters[p]);
    }
}

/* Arrays of the program that a function may use, none of which its first call passes. */
static void keep_globals(bool are_visible) {
    int kept = 0;
    for (int n = 0; n < array_count; n++)
        if (are_visible && kept < 2 && bit_of(&arrays[n]) && !(bit_of(&arrays[n]) & passed) && chance(20))
            arrays[kept++] = arrays[n];
    array_count = kept;
}

/* The function calls itself with its own parameters, the first perhaps replaced by its own array, which has the same
 * shape.  In plain C these stand in one place for all calls: they are saved. */
static void recursion(const function *f, const array *local) {
    const char first = f->parameter[0].name, own = local ? local->name : first;
    const bool replaces = local && !f->parameter[0].constant && chance(60);
    DPC("if (deep > 0) x = f%d(n, x %% 50, deep - 1, %c", (int)(f - functions), replaces ? own : first);
    for (int p = 1; p < f->count; p++) add(&dpc_body, ", %c", f->parameter[p].name);
    add(&dpc_body, ");\n");
    C("if (deep > 0) {\n");
    if (local) C("__typeof__(%c_) own; memcpy(own, %c_, sizeof own);\n", own, own);
    if (replaces)
        C("__typeof__(%c_) first; memcpy(first, %c_, sizeof first); memcpy(%c_, own, sizeof own);\n", first, first,
          first);
    C("x = f%d(n, x %% 50, deep - 1);\n", (int)(f - functions));
    if (replaces) C("memcpy(own, %c_, sizeof own); memcpy(%c_, first, sizeof first);\n", first, first);
    if (local) C("memcpy(%c_, own, sizeof own);\n", own);
    C("}\n");
    BOTH("x %%= 1000;\n");
}

static void make_body(function *f, bool globals_are_visible) {
    keep_globals(globals_are_visible);
    if (!globals_are_visible) hide_templates();
    for (int n = 0; n < array_count; n++) f->used |= bit_of(&arrays[n]);
    array *parameters = &arrays[array_count];
    for (int p = 0; p < f->count; p++) arrays[array_count++] = f->parameter[p];
    begin_function(f, parameters);
    array *local = &arrays[array_count];
    if (chance(30) || f->parameter[0].constant) {
        *local = f->parameter[0];
        local->name = new_name(true);
        local->constant = local->inherits = local->parameter = false;
        local->role = random_role(), local->followed = false, *local->mapping = '\0';
        declare(&dpc_body, &c_functions, local);
        array_count++;
    } else
        local = NULL;
    BOTH("%s", variables);
    BOTH("(void)n, (void)v1, (void)v2, (void)v3, (void)v4;\n");
    if (local) fill(local);
    BOTH("(void)deep;\n");
    statements((int)between(1, 2));
    if (chance(50)) recursion(f, local);
    if (chance(40)) BOTH("if (x %% 3 == 1) return x;\n");
    statements((int)between(1, 3));
    BOTH("return x;\n");
    add(&dpc_body, "}\n\n");
    add(&c_body, "}\n\n");
    end_function_templates();
}

static void append_body(buffer *to, buffer *body) {
    for (const char *line = body->text; line && *line;) {
        const int length = (int)strcspn(line, "\n") + 1;
        add(to, "%.*s", length, line);
        line += length;
    }
    free(body->text);
}

static const function *make_function(void) {
    function *f = &functions[function_count];
    buffer dpc_outer = dpc_body, c_outer = c_body;
    array outer[MAX_ARRAYS + MAX_LOCALS];
    const int outer_count = array_count, outer_depth = depth, outer_repeats = repeats;
    const bool outer_automatic = automatic;
    memcpy(outer, arrays, sizeof outer);
    passed = 0;
    f->count = (int)between(1, MAX_PARAMETERS);
    for (int p = 0; p < f->count; p++) make_parameter(&f->parameter[p]);

    dpc_body = c_body = (buffer){0};
    depth = 1, repeats = 0, automatic = true, current = f;
    make_body(f, !outer_automatic);
    append_body(&dpc_functions, &dpc_body);
    append_body(&c_functions, &c_body);

    memcpy(arrays, outer, sizeof outer);
    dpc_body = dpc_outer, c_body = c_outer;
    array_count = outer_count, depth = outer_depth, repeats = outer_repeats, automatic = outer_automatic,
    current = NULL;
    function_count++;
    return f;
}

/* Of a new function or an older one; functions call only those that were made before them. */
void call(void) {
    if (!current && function_count < MAX_FUNCTIONS && (function_count == 0 || chance(60))) {
        call_function(make_function());
        return;
    }
    if (function_count == 0) return;
    const function *f = &functions[below(function_count)];
    if (!current || !(f->used & passed)) call_function(f);
}

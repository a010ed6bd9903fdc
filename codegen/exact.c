/* --reproducible: sums of floating-point values that are rounded once, at the end (runtime/exact.h):
 *
 *     dpc_exact sum_1_exact = {0};
 *     loops
 *         dpc_exact_add(&sum_1_exact, A[i]);
 *     dpc_combine_exact(&sum_1_exact, 1);
 *     sum_1 = dpc_exact_double(&sum_1_exact);
 *
 * Elements of arrays have smaller ones: `dpc_exact_cell *h_part = dpc_exact_sums(...)` of an ordinary array,
 * `dpc_parts h_part = dpc_begin_exact_parts(...)` of a distributed one. */
#include <string.h>

#include "spmd.h"

/* parts: sums of type `real` that it is made of. */
typedef struct {
    const char *type, *add, *round, *real;
    int parts;
} exact_words;

static exact_words words_of(element x) {
    switch (x) {
    case ELEMENT_FLOAT:
        return (exact_words){"dpc_exact", "dpc_exact_add", "dpc_exact_float", "dpc_exact", 1};
    case ELEMENT_LONG_DOUBLE:
        return (exact_words){"dpc_exact_long", "dpc_exact_long_add", "dpc_exact_long_double", "dpc_exact_long", 1};
    case ELEMENT_FLOAT_COMPLEX:
        return (exact_words){"dpc_exact_complex", "dpc_exact_complex_add", "dpc_exact_float_complex", "dpc_exact", 2};
    case ELEMENT_DOUBLE_COMPLEX:
        return (exact_words){"dpc_exact_complex", "dpc_exact_complex_add", "dpc_exact_double_complex", "dpc_exact", 2};
    case ELEMENT_LONG_DOUBLE_COMPLEX:
        return (exact_words){"dpc_exact_long_complex", "dpc_exact_long_complex_add", "dpc_exact_long_double_complex",
                             "dpc_exact_long", 2};
    default:
        return (exact_words){"dpc_exact", "dpc_exact_add", "dpc_exact_double", "dpc_exact", 1};
    }
}

/* The library's function that adds up those of all processes. */
static const char *combination_of(const exact_words *words) {
    return !strcmp(words->real, "dpc_exact") ? "dpc_combine_exact" : "dpc_combine_exact_long";
}

const char *exact_declaration(emitter *e, element x, const char *name) {
    e->uses_exact = true;
    return arena_format(e->memory, "%s %s = {0};", words_of(x).type, name);
}

void start_exact(emitter *e, element x, const char *name) {
    emit_line(e, "%s", exact_declaration(e, x, name));
}

const char *exact_addition(emitter *e, element x, const char *name, const char *value) {
    return arena_format(e->memory, "%s(&%s, %s)", words_of(x).add, name, value);
}

void combine_exact(emitter *e, element x, const char *name) {
    const exact_words words = words_of(x);
    emit_line(e, words.parts == 1 ? "%s(&%s, %d);" : "%s(%s.part, %d);", combination_of(&words), name, words.parts);
}

const char *exact_result(emitter *e, element x, const char *name) {
    return arena_format(e->memory, "%s(&%s)", words_of(x).round, name);
}

/* ---- Loops under `independent` */

static bool is_product(const partial_result *r) {
    return r->op[0] == '*';
}

const char *exact_part_declaration(emitter *e, const partial_result *r) {
    if (!is_product(r)) return exact_declaration(e, exact_element(r), r->name);
    e->uses_exact = e->uses_products = true;
    return arena_format(e->memory, "dpc_exact_product %s = dpc_exact_one();", r->name);
}

void combine_exact_part(emitter *e, const partial_result *r) {
    if (is_product(r))
        emit_line(e, "dpc_combine_exact_product(&%s);", r->name);
    else
        combine_exact(e, exact_element(r), r->name);
}

const char *exact_part_stored(emitter *e, const partial_result *r) {
    const char *s = r->symbol->name;
    if (!is_product(r)) return arena_format(e->memory, "%s += %s;", s, exact_result(e, exact_element(r), r->name));
    return arena_format(e->memory, "%s *= dpc_exact_product_%s(&%s);", s,
                        exact_element(r) == ELEMENT_LONG_DOUBLE ? "long_double" : "double", r->name);
}

/* What is added up in float is rounded as its sum with the variable is: once. */
element exact_element(const partial_result *r) {
    return r->element == ELEMENT_FLOAT           ? ELEMENT_DOUBLE
           : r->element == ELEMENT_FLOAT_COMPLEX ? ELEMENT_DOUBLE_COMPLEX
                                                 : r->element;
}

/* The type of an element's sum; with _add behind it the function that adds to one. */
const char *exact_cell(const partial_result *r) {
    switch (exact_element(r)) {
    case ELEMENT_LONG_DOUBLE:
        return "dpc_exact_long_cell";
    case ELEMENT_DOUBLE_COMPLEX:
        return "dpc_exact_complex_cell";
    case ELEMENT_LONG_DOUBLE_COMPLEX:
        return "dpc_exact_long_complex_cell";
    default:
        return "dpc_exact_cell";
    }
}

static const partial_result *exact_part(const independent_loop *x, const symbol *s) {
    for (size_t k = 0; k < x->partials; k++)
        if (x->partial[k].symbol == s && x->partial[k].exact) return &x->partial[k];
    return NULL;
}

/* What is added by s -= value. */
static const char *negative(emitter *e, const partial_result *r, const node *value, const char *words) {
    const bool integer =
        value->type && value->type->kind == TYPE_ARITHMETIC && element_is_integer(value->type->element);
    return arena_format(e->memory, "-%s%s",
                        integer ? arena_format(e->memory, "(%s)", element_spelling(exact_element(r))) : "", words);
}

static const char *adding_function(const partial_result *r) {
    if (!is_product(r)) return words_of(exact_element(r)).add;
    return exact_element(r) == ELEMENT_LONG_DOUBLE ? "dpc_exact_long_multiply" : "dpc_exact_multiply";
}

/* Where values wait for their sums. */
static const char *queue_of(emitter *e, const partial_result *r) {
    const bool of_parts = r->kind == PARTIAL_ELEMENTS && !e->serial;
    return arena_format(e->memory, of_parts ? "%s.queue" : "dpc_exact_queue_of(%s)", r->name);
}

bool replace_exact_update(emitter *e, node *n) {
    const independent_loop *x = e->summed ? e->summed : e->current ? e->current->loop : NULL;
    node *left = inside_parentheses(n->child[0]), *name = left, *subscripts[MAX_RANK];
    int count;
    increment by;
    const bool is_variable = left->kind == N_NAME || index_chain(left, &name, subscripts, &count);
    const partial_result *r = x && is_variable ? exact_part(x, name->symbol) : NULL;
    if (!r || !(is_product(r) ? is_scaling(e->p, n, &by) : is_increment(e->p, n, &by))) return false;
    const char *value = !by.added ? by.minus ? "-1" : "1" : expression(e, (node *)by.added);
    if (by.added && by.minus) value = negative(e, r, by.added, parenthesise(e, value));
    if (r->kind != PARTIAL_ELEMENTS || e->serial) replace(e, name, r->name);
    const char *sum = expression(e, left);
    replace(e, n,
            r->kind == PARTIAL_VARIABLE
                ? arena_format(e->memory, "%s(&%s, %s)", adding_function(r), sum, value)
                : arena_format(e->memory, "%s_add(%s, &%s, %s)", exact_cell(r), queue_of(e, r), sum, value));
    return true;
}

/* ---- Sums of an array's elements */

/* Extents along the dimensions behind the first one: [sizeof *h / sizeof **h].... */
static const char *inner_extents(emitter *e, const symbol *s) {
    const char *stars = "";
    text out;
    text_start(&out, e->memory);
    for (const type *t = s->type->of; t->kind == TYPE_ARRAY; t = t->of) {
        stars = arena_format(e->memory, "%s*", stars);
        text_format(&out, "[sizeof %s%s / sizeof *%s%s]", stars, s->name, stars, s->name);
    }
    return text_of(&out);
}

const char *exact_memory(emitter *e, const partial_result *r, const char *count) {
    const char *sum = exact_cell(r), *inner = inner_extents(e, r->symbol);
    e->uses_exact = true;
    return arena_format(e->memory,
                        *inner ? "%s (*%s)%s = dpc_exact_sums(%s, sizeof(%s));"
                               : "%s *%s%s = dpc_exact_sums(%s, sizeof(%s));",
                        sum, r->name, inner, count, sum);
}

const char *exact_memory_combined(emitter *e, const partial_result *r, const char *count) {
    const exact_words words = words_of(exact_element(r));
    if (words.parts > 1) count = arena_format(e->memory, "%d * %s", words.parts, parenthesise(e, count));
    return arena_format(e->memory, "%s_cells(%s, %s);", combination_of(&words), r->name, count);
}

const char *exact_memory_added(emitter *e, const partial_result *r, const char *count) {
    return arena_format(e->memory, "DPC_ADD_EXACT_SUMS(%s, %s, %s, %s, %s);", element_spelling(r->element),
                        exact_cell(r), count, r->symbol->name, r->name);
}

/* ---- The top of the text */

const char *exact_clause(emitter *e, const char *name) {
    return arena_format(e->memory, " reduction(dpc_exact_sum: %s)", name);
}

/* What OpenMP is told of such sums. */
const char *exact_declarations(const emitter *e) {
    static const char *const types[] = {"dpc_exact", "dpc_exact_long", "dpc_exact_complex", "dpc_exact_long_complex",
                                        "dpc_exact_product"};
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; e->uses_exact && e->options->openmp && k < sizeof types / sizeof *types; k++)
        text_format(&out,
                    "#pragma omp declare reduction(dpc_exact_sum : %s : %s_join(&omp_out, &omp_in)) "
                    "initializer(omp_priv = (%s){0})\n",
                    types[k], types[k], types[k]);
    return text_of(&out);
}

static const char sums[] =
#include "exact_text.h"
    ;
static const char products[] =
#include "exact_product_text.h"
    ;

const char *exact_header(const emitter *e) {
    return e->uses_products ? arena_format(e->memory, "%s%s", sums, products) : sums;
}

/* --reproducible: sums of floating-point values that are rounded once, at the end (runtime/exact.h):
 *
 *     dpc_exact sum_1_exact = {0};
 *     loops
 *         dpc_exact_add(&sum_1_exact, A[i]);
 *     dpc_combine_exact(&sum_1_exact, 1);
 *     sum_1 = dpc_exact_double(&sum_1_exact); */
#include <string.h>

#include "emitter.h"

typedef struct {
    const char *type, *add, *round, *combine;
} exact_words;

static exact_words words_of(element x) {
    switch (x) {
    case ELEMENT_FLOAT:
        return (exact_words){"dpc_exact", "dpc_exact_add", "dpc_exact_float", "dpc_combine_exact(&%s, 1);"};
    case ELEMENT_LONG_DOUBLE:
        return (exact_words){"dpc_exact_long", "dpc_exact_long_add", "dpc_exact_long_double",
                             "dpc_combine_exact_long(&%s, 1);"};
    case ELEMENT_FLOAT_COMPLEX:
        return (exact_words){"dpc_exact_complex", "dpc_exact_complex_add", "dpc_exact_float_complex",
                             "dpc_combine_exact(%s.part, 2);"};
    case ELEMENT_DOUBLE_COMPLEX:
        return (exact_words){"dpc_exact_complex", "dpc_exact_complex_add", "dpc_exact_double_complex",
                             "dpc_combine_exact(%s.part, 2);"};
    case ELEMENT_LONG_DOUBLE_COMPLEX:
        return (exact_words){"dpc_exact_long_complex", "dpc_exact_long_complex_add", "dpc_exact_long_double_complex",
                             "dpc_combine_exact_long(%s.part, 2);"};
    default:
        return (exact_words){"dpc_exact", "dpc_exact_add", "dpc_exact_double", "dpc_combine_exact(&%s, 1);"};
    }
}

void start_exact(emitter *e, element x, const char *name) {
    e->uses_exact = true;
    emit_line(e, "%s %s = {0};", words_of(x).type, name);
}

const char *exact_addition(emitter *e, element x, const char *name, const char *value) {
    return arena_format(e->memory, "%s(&%s, %s)", words_of(x).add, name, value);
}

void combine_exact(emitter *e, element x, const char *name) {
    emit_line(e, words_of(x).combine, name);
}

const char *exact_result(emitter *e, element x, const char *name) {
    return arena_format(e->memory, "%s(&%s)", words_of(x).round, name);
}

/* ---- Loops under `independent` */

/* What is added up in float is rounded as its sum with the variable is: once. */
element exact_element(const partial_result *r) {
    return r->element == ELEMENT_FLOAT           ? ELEMENT_DOUBLE
           : r->element == ELEMENT_FLOAT_COMPLEX ? ELEMENT_DOUBLE_COMPLEX
                                                 : r->element;
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

const char *exact_update(emitter *e, node *n) {
    const independent_loop *x = e->summed ? e->summed : e->current ? e->current->loop : NULL;
    const node *left = inside_parentheses(n->child[0]);
    const partial_result *r = x && left->kind == N_NAME ? exact_part(x, left->symbol) : NULL;
    if (!r) return NULL;
    const char *value = expression(e, n->child[1]);
    if (n->op[0] == '-') value = negative(e, r, n->child[1], parenthesise(e, value));
    return exact_addition(e, exact_element(r), r->name, value);
}

bool has_own_rounding(const independent_loop *x) {
    for (size_t k = 0; x && k < x->partials; k++)
        if (x->partial[k].exact || x->partial[k].canonical) return true;
    return false;
}

void rewrite_summing_loop(emitter *e, node *n, const independent_loop *x) {
    const char *indent = indentation(e, n), *inner = deeper(e, indent);
    text out;
    e->summed = x;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) e->walk->rewrite(e, n->child[c]);
    e->summed = NULL;
    text_start(&out, e->memory);
    text_add(&out, "{");
    for (size_t k = 0; k < x->partials; k++)
        if (x->partial[k].exact)
            text_format(&out, "\n%s%s %s = {0};", inner, words_of(exact_element(&x->partial[k])).type,
                        x->partial[k].name);
    text_format(&out, "\n%s%s", inner, emit_node(e, n));
    for (size_t k = 0; k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        if (r->exact)
            text_format(&out, "\n%s%s += %s;", inner, r->symbol->name, exact_result(e, exact_element(r), r->name));
        else if (r->canonical)
            text_format(&out, "\n%s%s += 0;", inner, r->symbol->name);
    }
    text_format(&out, "\n%s}", indent);
    e->uses_exact = true;
    replace(e, n, text_of(&out));
}

/* ---- The top of the text */

const char *exact_clause(emitter *e, const char *name) {
    return arena_format(e->memory, " reduction(dpc_exact_sum: %s)", name);
}

/* What OpenMP is told of such sums. */
const char *exact_declarations(const emitter *e) {
    static const char *const types[] = {"dpc_exact", "dpc_exact_long", "dpc_exact_complex", "dpc_exact_long_complex"};
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; e->uses_exact && e->options->openmp && k < sizeof types / sizeof *types; k++)
        text_format(&out,
                    "#pragma omp declare reduction(dpc_exact_sum : %s : %s_join(&omp_out, &omp_in)) "
                    "initializer(omp_priv = (%s){0})\n",
                    types[k], types[k], types[k]);
    return text_of(&out);
}

static const char header[] =
#include "exact_text.h"
    ;

const char *exact_header(void) {
    return header;
}

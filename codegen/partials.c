/* reduction(op: s) of a loop under `independent`: each process has a part of the result, of a variable or of the
 * elements of an array. */
#include <string.h>

#include "spmd.h"

/* Neutral values of what begins with one; NULL: a part begins with the variable's value. */
static const char *start_of(const partial_result *r) {
    if (!strcmp(r->op, "+") || !strcmp(r->op, "-")) return "0";
    if (!strcmp(r->op, "*")) return "1";
    if (!strcmp(r->op, "&")) return r->element == ELEMENT_BOOL ? "1" : "-1";
    return !strcmp(r->op, "|") || !strcmp(r->op, "^") ? "0" : NULL;
}

static bool is_logical(const partial_result *r) {
    return !strcmp(r->op, "&&") || !strcmp(r->op, "||");
}

static const char *operation_of(const partial_result *r) {
    static const char *const bits[][2] = {{"&", "DPC_AND"}, {"|", "DPC_OR"}, {"^", "DPC_XOR"}};
    for (size_t k = 0; k < sizeof bits / sizeof *bits; k++)
        if (!strcmp(r->op, bits[k][0])) return bits[k][1];
    if (!strcmp(r->op, "*")) return "DPC_PRODUCT";
    if (!strcmp(r->op, "min") || !strcmp(r->op, "&&")) return "DPC_MIN";
    return !strcmp(r->op, "max") || !strcmp(r->op, "||") ? "DPC_MAX" : "DPC_SUM";
}

/* ---- Ordinary arrays */

/* Extents along the first dimension of a parameter, which is a pointer. */
static const char *first_extent(emitter *e, const symbol *s) {
    const node *bounds = s->type->array;
    const char *upper = parenthesise(e, emit_node(e, bounds->child[2]));
    if (!bounds->child[1]) return upper;
    return arena_format(e->memory, "(%s - %s + 1)", upper, parenthesise(e, emit_node(e, bounds->child[1])));
}

/* Of a distributed array, in a serial program: bounds are C's there, too. */
static const char *elements_of_array(emitter *e, const array *a) {
    const char *count = "";
    for (int d = 0; d < a->rank; d++)
        count = arena_format(e->memory, "%s%s(size_t)%s", count, d ? " * " : "", parenthesise(e, extent_text(e, a, d)));
    return count;
}

static const char *elements_of(emitter *e, const partial_result *r) {
    if (r->kind == PARTIAL_ELEMENTS) return elements_of_array(e, r->symbol->array);
    const char *name = r->symbol->name, *one = element_spelling(r->element);
    if (!r->symbol->is_parameter) return arena_format(e->memory, "sizeof %s / sizeof(%s)", name, one);
    if (r->symbol->type->of->kind != TYPE_ARRAY) return first_extent(e, r->symbol);
    return arena_format(e->memory, "%s * (sizeof *%s / sizeof(%s))", first_extent(e, r->symbol), name, one);
}

static void emit_memory(emitter *e, const partial_result *r) {
    if (r->exact) {
        emit_line(e, "%s", exact_memory(e, r, elements_of(e, r)));
        return;
    }
    const char *name = r->symbol->name;
    const char *held = r->symbol->type->of->kind == TYPE_ARRAY ? arena_format(e->memory, "__typeof__(*%s)", name)
                                                               : element_spelling(r->element);
    emit_line(e, "%s *%s = dpc_new_parts(%s, %s, %s, %s);", held, r->name, operation_of(r),
              element_enumerator(r->element), elements_of(e, r), name);
}

/* ---- Before, in and behind the loop */

static void emit_variable(emitter *e, const partial_result *r) {
    if (r->exact) {
        emit_line(e, "%s", exact_part_declaration(e, r));
        return;
    }
    const char *start = start_of(r), *name = r->symbol->name;
    if (!start) start = is_logical(r) ? arena_format(e->memory, "%s != 0", name) : name;
    emit_line(e, "%s %s = %s;", element_spelling(r->element), r->name, start);
}

void emit_partials(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->loop->partials; k++) {
        const partial_result *r = &s->loop->partial[k];
        if (r->kind == PARTIAL_VARIABLE)
            emit_variable(e, r);
        else if (r->kind == PARTIAL_MEMORY)
            emit_memory(e, r);
        else if (r->exact)
            emit_line(e, "dpc_parts %s = dpc_begin_exact_parts(%s, %s);", r->name, place_literal(e, s->node),
                      r->symbol->array->address);
        else
            emit_line(e, "dpc_parts %s = dpc_begin_parts(%s, %s, %s);", r->name, place_literal(e, s->node),
                      r->symbol->array->address, operation_of(r));
    }
}

/* Minima, maxima and logical results begin with the variable's value, so the processes' parts are all there is. */
static void combine_variable(emitter *e, const partial_result *r) {
    const char *s = r->symbol->name;
    if (r->exact) {
        combine_exact_part(e, r);
        emit_line(e, "%s", exact_part_stored(e, r));
        return;
    }
    if (is_logical(r)) emit_line(e, "%s = %s != 0;", r->name, r->name);
    emit_line(e, "%s = dpc_combined(%s, %s);", r->name, operation_of(r), r->name);
    if (start_of(r))
        emit_line(e, "%s %s= %s;", s, r->op[0] == '-' ? "+" : r->op, r->name);
    else
        emit_line(e, "%s = %s%s;", s, r->name, r->canonical ? " + 0" : "");
}

static void combine_memory(emitter *e, const partial_result *r) {
    const char *count = elements_of(e, r);
    if (r->exact) {
        emit_line(e, "%s", exact_memory_combined(e, r, count));
        emit_line(e, "%s", exact_memory_added(e, r, count));
    } else {
        emit_line(e, "dpc_combine_parts(%s, %s, %s, %s, %s);", operation_of(r), element_enumerator(r->element), count,
                  r->symbol->name, r->name);
    }
}

void combine_partials(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->loop->partials; k++) {
        const partial_result *r = &s->loop->partial[k];
        if (r->kind == PARTIAL_VARIABLE)
            combine_variable(e, r);
        else if (r->kind == PARTIAL_MEMORY)
            combine_memory(e, r);
        else
            emit_line(e, "dpc_end_parts(&%s);", r->name);
    }
}

void name_partials(emitter *e, const independent_loop *x, node *n) {
    if (n->kind == N_SIZEOF) return;
    for (size_t k = 0; n->kind == N_NAME && k < x->partials; k++)
        if (n->symbol == x->partial[k].symbol && x->partial[k].kind != PARTIAL_ELEMENTS && !x->partial[k].exact)
            replace(e, n, x->partial[k].name);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_partials(e, x, n->child[c]);
}

const char *part_of_element(emitter *e, const node *name, node **subscripts, int count) {
    const independent_loop *x = e->current && !e->serial ? e->current->loop : NULL;
    for (size_t k = 0; x && x->scans && name->kind == N_NAME && k < x->keep_count; k++)
        if (x->keeps[k].symbol == name->symbol)
            return arena_format(e->memory, "%s[%s]", x->keeps[k].name, emit_node(e, subscripts[0]));
    for (size_t k = 0; x && name->kind == N_NAME && k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        if (r->symbol != name->symbol || r->kind != PARTIAL_ELEMENTS) continue;
        return arena_format(e->memory, "dpc_part(%s, &%s, %s)", r->exact ? exact_cell(r) : element_spelling(r->element),
                            r->name, index_list(e, subscripts, count));
    }
    return NULL;
}

/* ---- A serial program, --reproducible */

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
    for (size_t k = 0; k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        if (r->exact && r->kind != PARTIAL_VARIABLE)
            text_format(&out, "\n%s%s", inner, exact_memory(e, r, elements_of(e, r)));
        else if (r->exact)
            text_format(&out, "\n%s%s", inner, exact_part_declaration(e, r));
    }
    text_format(&out, "\n%s%s", inner, emit_node(e, n));
    for (size_t k = 0; k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        if (r->exact && r->kind != PARTIAL_VARIABLE)
            text_format(&out, "\n%s%s", inner, exact_memory_added(e, r, elements_of(e, r)));
        else if (r->exact)
            text_format(&out, "\n%s%s", inner, exact_part_stored(e, r));
        else if (r->canonical)
            text_format(&out, "\n%s%s += 0;", inner, r->symbol->name);
    }
    text_format(&out, "\n%s}", indent);
    replace(e, n, text_of(&out));
}

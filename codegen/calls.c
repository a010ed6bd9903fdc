/* Distributed parameters of functions, and the arguments for them in calls. */
#include <stdlib.h>
#include <string.h>

#include "emitter.h"

/* ---- Parameters */

void rewrite_parameter(emitter *e, node *n) {
    replace(e, n,
            arena_format(e->memory, "const dpc_argument *%s", declared_name(n->child[1])->symbol->array->argument));
}

/* The distributed parameter of the same function whose directive stands before, or NULL. */
static const array *parameter_before(const emitter *e, const array *a) {
    const array *before = NULL;
    const array_list *arrays = arrays_of(e->p, a->symbol->scope);
    for (size_t k = 0; k < arrays->count && arrays->array[k] != a; k++)
        if (arrays->array[k]->parameter) before = arrays->array[k];
    return before;
}

/* Parameters of a function, before one of them (NULL: all), that must not be the same array as a. */
static const char *alias_check_text(emitter *e, const array *a, const node *scope, const array *end) {
    text out;
    text_start(&out, e->memory);
    const array_list *arrays = arrays_of(e->p, scope);
    for (size_t k = 0; k < arrays->count && arrays->array[k] != end; k++) {
        const array *x = arrays->array[k];
        if (x->parameter && have_alias_check(e->p, a, x))
            text_format(&out, "%s&%s", out.length ? ", " : "", x->parameter);
    }
    return out.length ? arena_format(e->memory, "DPC_PARAMETERS(%s)", text_of(&out)) : NULL;
}

/* What the runtime must know of the parameter before it takes the argument. */
static const char *fields_text(emitter *e, const array *a) {
    text out;
    text_start(&out, e->memory);
    const array *before = parameter_before(e, a);
    if (a->assigned) text_add(&out, ", .changed = true");
    if (a->redistributed || a->realigned) text_add(&out, ", .own = true");
    if (e->p->redistribute) text_format(&out, ", .method = \"%s\"", e->p->redistribute);
    if (e->p->schedule) text_format(&out, ", .schedule = \"%s\"", e->p->schedule);
    const char *checked = alias_check_text(e, a, a->symbol->scope, a);
    if (before) text_format(&out, ", .before = &%s", before->parameter);
    if (checked) text_format(&out, ", .alias_check = %s", checked);
    return text_of(&out);
}

/* A directive names the array, and its text does not. */
static bool only_names(program *p, node *n) {
    node *directive = n->parent;
    return directive &&
           (directive->kind == N_DISTRIBUTE || (directive->kind == N_REDISTRIBUTE && !is_executed(p, directive, n)));
}

/* Whether something needs the array, not just its size. */
static bool is_used(program *p, node *n, const symbol *s) {
    if (n->kind == N_SIZEOF || n->kind == N_INHERIT) return false;
    if ((n->kind == N_NAME || n->kind == N_ENTITY) && n->symbol == s && !only_names(p, n)) return true;
    for (size_t c = n->kind == N_ALIGN; c < n->count; c++)
        if (n->child[c] && is_used(p, n->child[c], s)) return true;
    return false;
}

/* A parameter before it that is mapped as it is, or NULL. */
static const array *received_like(emitter *e, const array *a) {
    const array_list *arrays = arrays_of(e->p, a->symbol->scope);
    if (inherited_view(a)) return NULL;
    for (size_t k = 0; k < arrays->count && arrays->array[k] != a; k++) {
        const array *x = arrays->array[k];
        if (x->parameter && !inherited_view(x) && is_used(e->p, x->symbol->scope, x->symbol) && is_made_like(e, a, x))
            return x;
    }
    return NULL;
}

void receive_parameter(emitter *e, text *out, const array *a, const char *indent) {
    text bounds;
    text_start(&bounds, e->memory);
    save_bounds(e, &bounds, a, indent);
    if (bounds.length) text_format(out, "%s%s\n", indent, text_of(&bounds));
    text_format(out, "%sDPC_PARAMETER dpc_parameter %s = {.argument = %s%s};\n", indent, a->parameter, a->argument,
                fields_text(e, a));
    const char *result = is_used(e->p, a->symbol->scope, a->symbol)
                             ? arena_format(e->memory, "dpc_array *const %s = ", a->descriptor)
                             : "";
    const array *as = inherited_view(a) ? inherited_view(a) : a, *like = received_like(e, a);
    if (like)
        text_format(out, "%s%sdpc_receive_like(&%s, %s);\n", indent, result, a->parameter, like_text(e, a, like));
    else
        text_format(out, "%s%s%s(&%s, %s);\n", indent, result, making_function(e, "dpc_receive", as), a->parameter,
                    mapped_text(e, as));
}

/* The plain C array needs its bounds only where something mentions them. */
void serial_parameter(emitter *e, text *out, const array *a, const char *indent) {
    for (int d = 0; d < a->rank; d++) {
        if (a->lower_name[d])
            declare_constant(e, out, a->lower_name[d], "%sconst long %s = %s;\n", indent, a->lower_name[d],
                             expression(e, a->lower_node[d]));
        if (a->upper_name[d])
            declare_constant(e, out, a->upper_name[d], "%sconst long %s = %s%s;\n", indent, a->upper_name[d],
                             parenthesise(e, expression(e, a->upper_node[d])), a->lower_node[d] ? "" : " - 1");
    }
}

/* ---- Arguments */

/* The bound of a section that is left out, in the order of its stride. */
static const char *default_bound(emitter *e, const array *a, int d, const node *stride, bool first) {
    const char *low = linear_words(e, &a->lower[d]), *high = linear_words(e, &a->upper[d]);
    int64_t step = 1;
    if (!stride || constant_value(stride, &step)) return (step > 0) == first ? low : high;
    return arena_format(e->memory, "%s > 0 ? %s : %s", parenthesise(e, emit_node(e, stride)), first ? low : high,
                        first ? high : low);
}

static const char *triplet_text(emitter *e, const array *a, int d, node *t) {
    if (t->kind != N_TRIPLET) return arena_format(e->memory, "DPC_AT(%s)", expression(e, t));
    const char *stride = t->child[2] ? expression(e, t->child[2]) : "1";
    const char *lower = t->child[0] ? expression(e, t->child[0]) : default_bound(e, a, d, t->child[2], true);
    const char *upper = t->child[1] ? expression(e, t->child[1]) : default_bound(e, a, d, t->child[2], false);
    return arena_format(e->memory, "{%s, %s, %s}", lower, upper, stride);
}

/* What `dimension_text` makes of each subscript of a section, in a row. */
static const char *section_text(emitter *e, const array *a, node *chain,
                                const char *(*dimension_text)(emitter *e, const array *a, int d, node *t)) {
    node *name, *subscripts[MAX_RANK];
    int count;
    text out;
    text_start(&out, e->memory);
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++) text_format(&out, "%s%s", d ? ", " : "", dimension_text(e, a, d, subscripts[d]));
    return text_of(&out);
}

void rewrite_argument(emitter *e, node *call, size_t c) {
    bool section;
    node *n = call->child[c];
    const array *a = argument_array(call, c, &section);
    const char *place = place_literal(e, call), *passed;
    if (file_call(call)) section = !files_all(n);
    if (!a)
        passed = arena_format(e->memory, "DPC_PASS_MEMORY(%s, %s, %s)", place, parenthesise(e, expression(e, n)),
                              element_enumerator(parameter_array(call, c)->element));
    else if (section)
        passed = arena_format(e->memory, "DPC_PASS_SECTION(%s, %s, %s)", place, a->address,
                              section_text(e, a, inside_parentheses(n), triplet_text));
    else
        passed = arena_format(e->memory, "DPC_PASS(%s, %s)", place, a->address);
    replace(e, n, passed);
}

/* ---- Views for extrinsic functions */

static const char *whole_view(emitter *e, const array *a) {
    text extents, strides;
    text_start(&extents, e->memory);
    text_start(&strides, e->memory);
    for (int d = 0; d < a->rank; d++) {
        const char *stride = "1";
        for (int k = d + 1; k < a->rank; k++)
            stride = arena_format(e->memory, "%s%s%s", k > d + 1 ? stride : "", k > d + 1 ? " * " : "",
                                  parenthesise(e, extent_text(e, a, k)));
        text_format(&extents, "%s%s", d ? ", " : "", extent_text(e, a, d));
        text_format(&strides, "%s%s", d ? ", " : "", stride);
    }
    text lowers;
    text_start(&lowers, e->memory);
    for (int d = 0; d < a->rank; d++) text_format(&lowers, "%s%s", d ? ", " : "", linear_words(e, &a->lower[d]));
    return arena_format(e->memory, "{%s, %d, sizeof(%s), {%s}, {%s}, DPC_VIEW_COMM, {%s}}", a->symbol->name, a->rank,
                        element_spelling(a->element), text_of(&extents), text_of(&strides), text_of(&lowers));
}

/* Views begin before the call, and end with it. */
void give_views(emitter *e, node *call) {
    text out;
    text_start(&out, e->memory);
    for (size_t c = 1; c < call->count; c++) {
        const array *a = viewed_array(call, c);
        if (!a) continue;
        const char *name = fresh_name(e->p, arena_format(e->memory, "%s_view_%zu", a->symbol->name, c));
        if (e->serial)
            text_format(&out, "dpc_view %s = %s; ", name, whole_view(e, a));
        else
            text_format(&out, "DPC_VIEW dpc_view %s = dpc_begin_view(%s, %s); ", name, place_literal(e, call),
                        a->address);
        replace(e, call->child[c], arena_format(e->memory, "&%s", name));
    }
    if (out.length) replace(e, call, arena_format(e->memory, "({ %s%s; })", text_of(&out), emit_node(e, call)));
}

/* ---- The serial program: a section is a copy in ordinary memory, and back */

/* Lower bound and extent of the array's dimension, then the section. */
static const char *serial_dimension(emitter *e, const array *a, int d, node *t) {
    const char *low = linear_words(e, &a->lower[d]), *extent = extent_text(e, a, d);
    if (t->kind == N_TRIPLET) return arena_format(e->memory, "{%s, %s, %s", low, extent, triplet_text(e, a, d, t) + 1);
    const char *at = expression(e, t);
    return arena_format(e->memory, "{%s, %s, %s, %s, 1}", low, extent, at, at);
}

const char *serial_section(emitter *e, node *call, size_t c, const array *a) {
    e->uses_sections = e->uses_extent = true;
    return arena_format(
        e->memory,
        "DPC_SECTION dpc_section \1section_%zu = dpc_copy_section(%s, (char *)%s, sizeof(%s), %d, (const "
        "long[][5]){%s}); ",
        c, place_literal(e, call), a->symbol->name, element_spelling(a->element), a->rank,
        section_text(e, a, inside_parentheses(call->child[c]), serial_dimension));
}

void serial_call(emitter *e, node *call) {
    text out;
    text_start(&out, e->memory);
    for (size_t c = 1; c < call->count; c++) {
        bool section;
        node *n = inside_parentheses(call->child[c]);
        const array *a = parameter_array(call, c) ? argument_array(call, c, &section) : NULL;
        if (!a || !section) continue;
        text_add(&out, serial_section(e, call, c, a));
        replace(e, n, arena_format(e->memory, "(void *)\1section_%zu.memory", c));
    }
    if (!out.length) return;
    replace(e, call, arena_format(e->memory, "({ %s%s; })", text_of(&out), emit_node(e, call)));
}

/* ---- Arrays that a function uses by their names */

static const char *usage_text(const emitter *e, const node *body, const array *a) {
    if (redistributes(body, a)) return "DPC_REMAPS";
    return changes(e->p, body, a->symbol, body->first, body->last) ? "DPC_ASSIGNS" : "DPC_READS";
}

/* The token behind which the function has received its parameters. */
static size_t end_of_parameters(const emitter *e, const node *body) {
    size_t at = start_of_block(e, body);
    const array_list *arrays = arrays_of(e->p, body);
    for (size_t k = 0; k < arrays->count; k++)
        if (arrays->array[k]->parameter) at = arrays->array[k]->directive->last;
    return at;
}

/* Asks, where control has reached the function, whether it may use the array by its name; NULL: nobody else can have
 * it. */
static const char *use_text(emitter *e, const array *a, const node *function, const char *indent) {
    const node *body = function->child[2];
    const bool is_main = !strcmp(declared_name(function->child[1])->name, "main");
    if (is_main || !a->passed || !mentions_symbol(body, a->symbol)) return NULL;
    const char *checked = alias_check_text(e, a, body, NULL);
    return arena_format(e->memory, "%sdpc_use(%s, %s, %s, %s);", indent, place_literal(e, function), a->address,
                        usage_text(e, body, a), checked ? checked : "NULL");
}

void use_static(emitter *e, text *out, const array *a, const char *indent) {
    const char *use = use_text(e, a, function_around(a->directive), indent);
    if (use) text_format(out, "%s\n", use);
}

typedef struct {
    const array **array;
    size_t count, capacity;
} named_arrays;

/* The arrays of file scope that are named below n and somewhere passed to a parameter. */
static void collect_passed(arena *memory, const node *n, hash_table *seen, named_arrays *list) {
    const array *a = n->kind == N_NAME && n->symbol ? n->symbol->array : NULL;
    if (a && a->passed && a->symbol->file_scope && !table_at(seen, a)) {
        table_put(memory, seen, a, a);
        vector_add(memory, list->array, list->count, list->capacity, a);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) collect_passed(memory, n->child[c], seen, list);
}

static int in_order(const void *x, const void *y) {
    const array *a = *(const array *const *)x, *b = *(const array *const *)y;
    return (a->number > b->number) - (a->number < b->number);
}

void rewrite_function(emitter *e, node *n) {
    const size_t at = end_of_parameters(e, n->child[2]);
    named_arrays passed = {0};
    text out;
    text_start(&out, e->memory);
    collect_passed(e->memory, n->child[2], &(hash_table){0}, &passed);
    if (passed.count > 0) qsort(passed.array, passed.count, sizeof *passed.array, in_order);
    for (size_t k = 0; k < passed.count; k++) {
        const char *use = use_text(e, passed.array[k], n, deeper(e, indentation(e, n)));
        if (use) text_format(&out, "\n%s", use);
    }
    if (!out.length) return;
    edit *x = edit_of(e, at);
    x->after = x->after ? arena_format(e->memory, "%s%s", x->after, text_of(&out)) : text_of(&out);
}

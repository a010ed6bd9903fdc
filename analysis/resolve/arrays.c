/* Pass "resolve", arrays: the distributed arrays that directives make of variables, with bounds, element types and
 * names. */
#include <string.h>

#include "../../runtime/distribution.h"
#include "../model/model.h"
#include "../model/types.h"
#include "resolve.h"

/* ---- Bounds */

/* Whether a bound is made of constants and variables only, and a declaration of it has no initialisers: it has one
 * value in all declarators. */
static bool is_one_value(const node *declaration, const linear *x) {
    for (int t = 0; t < x->terms; t++)
        if (!x->term[t].node || x->term[t].node->kind != N_NAME) return false;
    for (size_t c = 1; declaration && c < declaration->count; c++) {
        const node *item = declaration->child[c];
        if (item->kind == N_INIT_DECLARATOR && item->count > 1 && item->child[1]) return false;
    }
    return declaration != NULL;
}

static bool same_bounds(const array *a, int d, const array *b, int e) {
    return linear_equal(&b->written_lower[e], &a->written_lower[d]) &&
           linear_equal(&b->written_upper[e], &a->written_upper[d]);
}

/* Whether the bounds of both are evaluated at one place. */
static bool are_evaluated_together(const array *a, const array *b) {
    if (a->symbol->is_parameter != b->symbol->is_parameter || b->prototype) return false;
    return a->symbol->is_parameter ? a->directive == b->directive : a->symbol->declaration == b->symbol->declaration;
}

/* An array of the same declaration, or a parameter of the same directive, that has the same bounds in a dimension, or
 * an earlier dimension of a itself; NULL: none. */
static const array *twin_of(const program *p, const array *a, int d, int *dimension) {
    if (!is_one_value(a->symbol->declaration, &a->written_lower[d]) ||
        !is_one_value(a->symbol->declaration, &a->written_upper[d]))
        return NULL;
    for (*dimension = 0; *dimension < d; ++*dimension)
        if (same_bounds(a, d, a, *dimension)) return a;
    const array_list *near = arrays_of(p, a->symbol->is_parameter ? a->directive : a->symbol->declaration);
    for (size_t k = 0; k < near->count; k++) {
        const array *b = near->array[k];
        if (b == a || !are_evaluated_together(a, b)) continue;
        for (*dimension = 0; *dimension < b->rank; ++*dimension)
            if (same_bounds(a, d, b, *dimension)) return b;
    }
    return NULL;
}

/* "A_dist": a name for what belongs to the array, in generated code. */
static const char *array_name(program *p, const array *a, const char *what) {
    const symbol *s = a->symbol;
    const char *wish = arena_format(p->memory, "%s_%s", s->name, what);
    return s->file_scope || s->is_static ? unique_name(p, wish) : unique_name_in(p, s->scope, wish);
}

/* What an automatic array's run-time bounds are at its declaration stays: the variables in them may change. */
static void save_array_bounds(program *p, array *a, int d) {
    int e;
    a->written_lower[d] = a->lower[d];
    a->written_upper[d] = a->upper[d];
    if (a->symbol->file_scope || a->symbol->is_static || a->prototype) return;
    const array *twin = twin_of(p, a, d, &e);
    if (twin) {
        a->lower[d] = twin->lower[e];
        a->upper[d] = twin->upper[e];
        return;
    }
    if (!linear_is_constant(&a->lower[d])) {
        const char *name = a->symbol->lower_name ? a->symbol->lower_name[d] : NULL;
        a->lower_name[d] = name ? name : unique_name(p, arena_format(p->memory, "%s_lower%d", a->symbol->name, d));
        a->lower[d] = linear_atom(p->memory, a->lower_name[d], NULL);
    }
    if (!linear_is_constant(&a->upper[d])) {
        a->upper_name[d] = unique_name(p, arena_format(p->memory, "%s_upper%d", a->symbol->name, d));
        a->upper[d] = linear_atom(p->memory, a->upper_name[d], NULL);
    }
}

/* Whether an expression depends on a variable or calls a function. */
static bool is_computed(const node *n) {
    if (!n || n->kind == N_SIZEOF) return false;
    if (n->kind == N_CALL || (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_VARIABLE)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (is_computed(n->child[c])) return true;
    return false;
}

/* False after an error. */
static bool take_element_type(program *p, array *a, node *e, const type *t) {
    const char *why = NULL;
    a->element = t->kind == TYPE_ARITHMETIC ? t->element : ELEMENTS;
    if (t->kind == TYPE_RECORD) {
        node *definition = tag_definition(t->record);
        settle_declared_types(p);
        if (record_is_nameless(definition))
            definition->name = unique_name(p, arena_format(p->memory, "%s_element", a->symbol->name));
        a->element = element_of_record(p->memory, t, &why);
    }
    if (a->element != ELEMENTS) return true;
    diagnose(p->source, e, D_element_type, a->symbol->name);
    if (why) diagnose_note(p->source, t->record, "%s", why);
    return false;
}

/* Rank, element type and declared bounds from the symbol's type. */
static bool read_shape(program *p, array *a, node *e) {
    type *t = a->symbol->type;
    for (; t->kind == TYPE_ARRAY; t = t->of) {
        if (a->rank == MAX_RANK) {
            diagnose(p->source, e, D_too_many_dimensions, a->symbol->name);
            return false;
        }
        node *lower = t->array->child[1], *upper = t->array->child[2];
        if (!upper) {
            diagnose(p->source, e, D_not_an_array, a->symbol->name);
            diagnose_help("a distributed array needs all its extents, as in double %s[n]", a->symbol->name);
            return false;
        }
        int d = a->rank++;
        if ((a->symbol->file_scope || a->symbol->is_static) && (is_computed(lower) || is_computed(upper))) {
            diagnose(p->source, is_computed(upper) ? upper : lower, D_static_extent, a->symbol->name, d + 1);
            diagnose_help("a constant, as enum { n = 1000 }; gives, or an array of a function without 'static'");
            return false;
        }
        check_overflow(p, lower);
        check_overflow(p, upper);
        a->lower[d] = lower ? linear_of(p->memory, p->source, lower) : linear_constant(0);
        a->upper[d] = linear_of(p->memory, p->source, upper);
        if (!lower) a->upper[d] = linear_subtract(p->memory, a->upper[d], linear_constant(1));
        a->lower_node[d] = lower;
        a->upper_node[d] = upper;
        save_array_bounds(p, a, d);
        linear extent = linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]);
        int64_t last;
        if (linear_value(&extent, &last) && last < -1)
            diagnose(p->source, t->array, D_bad_extent, d + 1, a->symbol->name, (long long)last + 1);
        else if (linear_value(&extent, &last) && last >= (int64_t)1 << DPC_EXTENT_BITS)
            diagnose(p->source, t->array, D_extent_too_large, d + 1, a->symbol->name, DPC_EXTENT_BITS);
    }
    if (t->kind == TYPE_FOREIGN) settle_declared_types(p);
    return take_element_type(p, a, e, t);
}

/* {0}, {}, {{0}, {0}}: as an array that is not initialised. */
static bool is_zero(const node *init) {
    int64_t value;
    if (init->kind != N_INITIALIZER_LIST) return constant_value(init, &value) && value == 0;
    return init->count == 0 || (init->count == 1 && is_zero(init->child[0]));
}

static void report_initializer(const program *p, const array *a) {
    const char *name = a->symbol->name;
    diagnose(p->source, a->init, D_initializer, name);
    diagnose_help("assign the elements: %s[0] = ...; %s[1] = ...; or forall (i = lower:upper) %s[i] = table[i];", name,
                  name, name);
}

static bool take_initializer(program *p, array *a, node *init) {
    a->init = init;
    if (a->init && a->init->kind == N_STRING) {
        report_initializer(p, a);
        return false;
    }
    if (!a->init || a->init->kind != N_INITIALIZER_LIST) return true;
    const bool zero = is_zero(a->init);
    if (zero)
        a->init = NULL;
    else
        report_initializer(p, a);
    return zero;
}

bool check_initializer(program *p, array *a) {
    node *init = NULL;
    if (a->symbol->declarator->first > a->directive->first) return true;
    for (size_t c = 1; c < a->symbol->declaration->count; c++) {
        node *item = a->symbol->declaration->child[c];
        if (item->kind != N_INIT_DECLARATOR || item->count < 2 || !item->child[1]) continue;
        if (declared_name(item->child[0]) == a->symbol->declarator) init = item->child[1];
    }
    if (!init && a->symbol->definition) init = a->symbol->definition;
    return take_initializer(p, a, init);
}

/* ---- Arrays that several source files name */

static bool same_type(const program *p, const type *x, const type *y) {
    for (; x->kind == TYPE_ARRAY && y->kind == TYPE_ARRAY; x = x->of, y = y->of)
        for (int c = 1; c <= 2; c++) {
            node *u = x->array->child[c], *v = y->array->child[c];
            const linear zero = linear_constant(0), one = u ? linear_of(p->memory, p->source, u) : zero;
            const linear other = v ? linear_of(p->memory, p->source, v) : zero;
            if (!linear_equal(&one, &other)) return false;
        }
    if (x->kind == TYPE_RECORD && y->kind == TYPE_RECORD) return x->record == y->record;
    return x->kind == y->kind && (x->kind != TYPE_ARITHMETIC || x->element == y->element);
}

void read_definition(program *p, symbol *s, type *t, node *name, node *init) {
    if (!same_type(p, s->type, t)) {
        diagnose(p->source, name, D_declarations_differ, s->name);
        diagnose_note(p->source, s->declarator, "'%s' is declared here", s->name);
    }
    if (init) s->definition = init;
    if (!s->array) return;
    share_array(s->array);
    if (init) take_initializer(p, s->array, init);
}

/* The library knows its mapping: other files may redistribute it. */
void share_array(array *a) {
    a->shared = a->dynamic = a->passed = true;
}

/* A parameter of a function that is only declared. */
static bool is_of_prototype(const symbol *s) {
    return s->is_parameter && s->scope->kind == N_FUNCTION;
}

/* Why a symbol cannot be distributed here; false after an error. */
static bool may_distribute(program *p, const node *directive, node *e, const symbol *s, const node *scope) {
    if (s->kind != SYMBOL_VARIABLE || !s->type || s->type->kind != TYPE_ARRAY) {
        diagnose(p->source, e, D_not_an_array, s->name);
        const bool pointer = s->kind == SYMBOL_VARIABLE && s->type && s->type->kind == TYPE_POINTER;
        if (s->is_parameter)
            diagnose_help("a distributed parameter needs all its extents, as in double %s[n]", s->name);
        else if (pointer)
            diagnose_help("declare the array itself, as in double %s[n]: each process makes room for its own part "
                          "alone, so that malloc "
                          "is not needed",
                          s->name);
        else if (s->kind == SYMBOL_VARIABLE)
            diagnose_help("only arrays are distributed; every process has the value of '%s'", s->name);
        return false;
    }
    if (s->array) {
        if (s->is_shared) return false;
        diagnose(p->source, e, D_already_distributed, s->name);
        diagnose_note(p->source, s->array->directive, "the first directive is here");
        return false;
    }
    if (s->is_parameter && s->declaration->kind != N_PARAMETER)
        diagnose(p->source, e, D_not_implemented, "a distributed parameter of an old-style definition");
    else if (s->is_extern && !s->file_scope)
        diagnose(p->source, e, D_extern_distributed, s->name);
    else if ((s->scope != scope || directive->parent->kind == N_DECLARATION) && !is_of_prototype(s)) {
        diagnose(p->source, e, D_unknown_name, s->name);
        diagnose_help("the directive stands in the scope of the declaration");
    } else
        return true;
    return false;
}

/* Names in generated code.  A parameter's array may be the argument's: it is a pointer. */
static void name_array(program *p, array *a) {
    const char *name = a->symbol->name;
    if (a->symbol->is_parameter) a->argument = array_name(p, a, "argument");
    if (a->prototype) return;
    const bool shared = a->symbol->is_shared;
    a->descriptor = shared ? arena_format(p->memory, "dpc_shared_%s", name) : array_name(p, a, "dist");
    a->address = a->argument ? a->descriptor : arena_format(p->memory, "&%s", a->descriptor);
    a->access = arena_format(p->memory, a->argument ? "%s->" : "%s.", a->descriptor);
    if (a->argument) a->parameter = array_name(p, a, "parameter");
}

array *new_array(program *p, node *directive, node *e, const node *scope) {
    symbol *s = e->symbol;
    if (!may_distribute(p, directive, e, s, scope)) return NULL;
    array *a = arena_alloc(p->memory, sizeof *a);
    a->symbol = s;
    a->directive = directive;
    a->prototype = is_of_prototype(s);
    return read_shape(p, a, e) ? a : NULL;
}

void add_array(program *p, array *a) {
    name_array(p, a);
    a->symbol->array = a;
    if (a->symbol->is_shared) share_array(a);
    begin_views(p, a);
    if (!a->prototype) note_array(p, a);
}

array *new_template(program *p, node *directive, symbol *s) {
    array *a = arena_alloc(p->memory, sizeof *a);
    a->symbol = s;
    a->is_template = true;
    if (s->type->kind != TYPE_ARRAY) {
        diagnose(p->source, s->declarator, D_not_an_array, s->name);
        diagnose_help("a template has bounds, as in template %s[n]", s->name);
        return NULL;
    }
    if (!read_shape(p, a, directive)) return NULL;
    name_array(p, a);
    return a;
}

/* Distributed parameters of functions: whether arguments fit them, which arguments a call may change, and which arrays
 * of a function must not be the same. */
#include <string.h>

#include "../model/model.h"
#include "resolve.h"

/* ---- Declarations of one function */

static const char *manner(const symbol *f, size_t k) {
    const symbol *x = parameter_of(f, k);
    return !x || !x->array ? "not distributed" : x->array->inherits ? "inherited" : "distributed";
}

static const char *quoted(const program *p, const node *n) {
    return ast_quote(p->memory, p->source, n);
}

/* Where a directive is missing: the one that the other declaration has. */
static void help_declarations(const program *p, const symbol *f, const symbol *g, size_t k) {
    const symbol *x = parameter_of(f, k), *y = parameter_of(g, k), *with = x && x->array ? x : y;
    const bool defines = f->declaration->kind == N_FUNCTION_DEFINITION;
    if (x && x->array && y && y->array) return;
    const char *directive = with->array->inherits ? arena_format(p->memory, "#pragma dpc inherit %s", with->name)
                                                  : quoted(p, with->array->directive);
    if (with == x)
        diagnose_help("the directive stands behind the prototype, too: %s", directive);
    else if (defines)
        diagnose_help("the directive stands in the definition, too, at the beginning of its body: %s", directive);
    else
        diagnose_help("the directive stands behind each prototype: %s", directive);
}

/* Whether declarations of a function differ in what parameter `k` is: there the error is. */
bool declarations_disagree(const program *p, const symbol *f, size_t k) {
    const symbol_list *declarations = declarations_of(p, f->name);
    for (size_t j = 0; j < declarations->count; j++)
        if (strcmp(manner(declarations->symbol[j], k), manner(f, k)) != 0) return true;
    return false;
}

static void check_declarations(const program *p, const symbol *f) {
    const symbol_list *declarations = declarations_of(p, f->name);
    for (size_t j = 0; declarations->symbol[j] != f; j++) {
        const symbol *g = declarations->symbol[j];
        for (size_t k = 0; k < parameter_count(f) && k < parameter_count(g); k++) {
            if (!strcmp(manner(f, k), manner(g, k))) continue;
            diagnose(p->source, f->declarator, D_parameters_differ, (int)k + 1, f->name, manner(f, k), manner(g, k));
            diagnose_note(p->source, g->declarator, "'%s' is declared here", g->name);
            help_declarations(p, f, g, k);
            return;
        }
    }
}

/* A parameter's bounds are evaluated where its directive stands. */
static void check_bounds(const program *p, const array *a, const linear *x) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        if (n && n->kind == N_NAME && n->symbol &&
            may_change_between(n->symbol, a->symbol->scope->first, a->directive->first))
            diagnose(p->source, n, D_not_implemented, "a parameter's bound that is assigned before the directive");
    }
}

/* ---- Arguments */

static bool constant_extent(const program *p, const array *a, int d, int64_t *extent) {
    const linear last = linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]);
    *extent = last.constant + 1;
    return linear_is_constant(&last);
}

/* The constant extent of a section; false: it has none. */
static bool section_extent_of(const array *a, int d, const node *t, int64_t *extent) {
    int64_t lower, upper, stride = 1;
    const bool down = t->child[2] && constant_value(t->child[2], &stride) && stride < 0;
    if (t->child[2] && (!constant_value(t->child[2], &stride) || stride == 0)) return false;
    const linear *first = down ? &a->written_upper[d] : &a->written_lower[d],
                 *last = down ? &a->written_lower[d] : &a->written_upper[d];
    lower = first->constant;
    upper = last->constant;
    if (t->child[0] ? !constant_value(t->child[0], &lower) : !linear_is_constant(first)) return false;
    if (t->child[1] ? !constant_value(t->child[1], &upper) : !linear_is_constant(last)) return false;
    *extent = dpc_count(lower, upper, stride);
    return true;
}

/* The extents of the argument's dimensions; -1: known at run time only.  Returns how many. */
static int argument_extents(const program *p, const array *a, node *n, int64_t *extent) {
    node *name, *subscripts[MAX_RANK];
    int count, rank = 0;
    if (n->kind != N_INDEX) {
        for (int d = 0; d < a->rank; d++)
            if (!constant_extent(p, a, d, &extent[d])) extent[d] = -1;
        return a->rank;
    }
    index_chain(n, &name, subscripts, &count);
    for (int d = 0; d < count && d < a->rank; d++) {
        if (first_section(subscripts[d])) diagnose(p->source, subscripts[d], D_section_place);
        if (subscripts[d]->kind != N_TRIPLET) continue;
        if (!section_extent_of(a, d, subscripts[d], &extent[rank])) extent[rank] = -1;
        rank++;
    }
    return rank;
}

static void note_parameter(const program *p, const array *x) {
    diagnose_note(p->source, x->symbol->declarator, "parameter '%s' is declared here", x->symbol->name);
}

static void check_array_argument(const program *p, const array *a, const array *x, node *n) {
    int64_t extent[MAX_RANK], wanted;
    const int rank = argument_extents(p, a, n, extent);
    const char *name = x->symbol->name;
    if (n->kind == N_INDEX && rank == 0) {
        diagnose(p->source, n, D_argument_form, name, quoted(p, n));
    } else if (a->element != x->element) {
        diagnose(p->source, n, D_argument_type, quoted(p, n), element_spelling(a->element), name,
                 element_spelling(x->element));
    } else if (rank != x->rank) {
        diagnose(p->source, n, D_argument_rank, quoted(p, n), rank, plural(rank), name, x->rank);
    } else {
        for (int d = 0; d < rank; d++) {
            if (extent[d] < 0 || !constant_extent(p, x, d, &wanted) || wanted == extent[d]) continue;
            diagnose(p->source, n, D_argument_extent, d + 1, quoted(p, n), (long long)extent[d], name,
                     (long long)wanted);
            note_parameter(p, x);
            return;
        }
        return;
    }
    note_parameter(p, x);
}

/* As the parameter inherits: what is aligned is not redistributed itself. */
static void check_aligned_argument(const program *p, const array *a, const array *x, node *n) {
    if (!a->alignment || !x->inherits || !x->redistributed || n->kind == N_INDEX) return;
    diagnose(p->source, n, D_aligned_argument, quoted(p, n), end_of_chain(a)->symbol->name, x->symbol->name);
    note_parameter(p, x);
    diagnose_help("'#pragma dpc distribute %s(...)' gives the parameter a mapping of its own", x->symbol->name);
}

/* Memory that every process holds. */
static void check_ordinary_argument(const program *p, const array *x, node *n) {
    const type *t = n->type;
    if (first_section(n)) {
        if (n->kind != N_INDEX) return; /* a value made of sections, which is no argument: reported with its sections */
        diagnose(p->source, n, D_not_implemented,
                 "a section of an ordinary array as the argument for a distributed parameter");
        return;
    }
    if (!t || t->kind == TYPE_UNKNOWN) return;
    if (t->kind != TYPE_ARRAY && t->kind != TYPE_POINTER) {
        diagnose(p->source, n, D_argument_form, x->symbol->name, quoted(p, n));
        note_parameter(p, x);
        return;
    }
    while (t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER)) t = t->of;
    if (!t || t->kind != TYPE_ARITHMETIC || t->element == x->element) return;
    diagnose(p->source, n, D_argument_type, quoted(p, n), element_spelling(t->element), x->symbol->name,
             element_spelling(x->element));
    note_parameter(p, x);
}

static void check_argument(const program *p, const node *call, size_t c) {
    bool section;
    const array *x = parameter_array(call, c);
    array *a = argument_array(call, c, &section);
    node *n = inside_parentheses(call->child[c]);
    if (!x) return;
    if (a)
        check_array_argument(p, a, x, n);
    else
        check_ordinary_argument(p, x, n);
    if (a) check_aligned_argument(p, a, x, n);
    if (a) a->passed = true;
}

/* ---- What a function may change */

static void note_assigned(array *a, bool *found) {
    if (!a || !a->symbol->is_parameter || a->assigned) return;
    a->assigned = *found = true;
}

/* Stores into parameters, also by calls of functions and what the library stores into sections. */
static void find_assigned(const program *p, const node *n, bool *found) {
    if (n->kind == N_ASSIGN || is_step(n)) {
        const node *chain = element_around(n->child[0]);
        if (chain) note_assigned(distributed_reference((node *)chain), found);
    }
    bool pointer = false;
    node *row = row_pointer((node *)n);
    if (row) note_assigned(base_symbol(row, &pointer)->array, found);
    for (size_t c = 1; n->kind == N_CALL && c < n->count; c++) {
        bool section;
        if (argument_may_change(p, n, c)) note_assigned(argument_array(n, c, &section), found);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_assigned(p, n->child[c], found);
}

/* ---- The checks */

/* Whether a name is what a call calls, maybe in parentheses. */
static bool is_called(const node *name) {
    const node *above = name->parent;
    while (above && above->kind == N_PAREN) above = above->parent;
    return above && above->kind == N_CALL && inside_parentheses(above->child[0]) == name;
}

/* The address of a function that takes distributed arrays. */
static void check_address(const program *p, const node *name) {
    if (!name->symbol || name->symbol->kind != SYMBOL_FUNCTION || !takes_distributed(name->symbol) || is_called(name))
        return;
    diagnose(p->source, name, D_passed_address, name->name);
    diagnose_note(p->source, name->symbol->declarator, "'%s' is declared here", name->name);
}

static void walk(const program *p, node *n) {
    for (size_t c = 1; n->kind == N_CALL && c < n->count; c++) check_argument(p, n, c);
    if (n->kind == N_NAME) check_address(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) walk(p, n->child[c]);
}

void check_parameters(program *p) {
    for (size_t k = 0; k < p->symbol_count; k++)
        if (p->symbols[k]->kind == SYMBOL_FUNCTION) check_declarations(p, p->symbols[k]);
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        for (int d = 0; a->symbol->is_parameter && d < a->rank; d++) {
            check_bounds(p, a, &a->written_lower[d]);
            check_bounds(p, a, &a->written_upper[d]);
        }
    }
    walk(p, p->unit);
    for (bool found = true; found;) {
        found = false;
        find_assigned(p, p->unit, &found);
    }
}

/* Pass "nests": what a nest that has been read must be as a whole, whatever its subscripts are. */
#include <string.h>

#include "nests.h"

/* Scalars that are added to are used nowhere else. */
static void check_scalars(nest *x) {
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        if (s->kind != STATEMENT_SCALAR) continue;
        node *left = s->left;
        const symbol *v = left->symbol, *at = s->extreme.at;
        if (x->calls && at && (at->file_scope || at->is_static))
            stop_nest(x, left, "a function that is called in it may use '%s'", at->name);
        if (x->calls && (v->file_scope || v->is_static))
            stop_nest(x, left, "a function that is called in it may use '%s'", v->name);
        for (size_t m = 0; m < v->assignments; m++) {
            const node *above = v->assignment[m]->parent;
            if (above && above->kind == N_UNARY && above->op[0] == '&' && (x->calls || x->reads_memory))
                stop_nest(x, left, "'%s' may be read through a pointer", v->name);
        }
    }
}

/* Whether some call of the function passes one array for both parameters. */
static bool passes_twice(const node *n, const symbol *f, const array *a, const array *b) {
    bool section;
    const array *first = NULL, *second = NULL;
    if (n->kind == N_CALL && called_function(n) && !strcmp(called_function(n)->name, f->name))
        for (size_t c = 1; c < n->count; c++) {
            const symbol *parameter = parameter_of(f, c - 1);
            if (parameter == a->symbol) first = argument_array(n, c, &section);
            if (parameter == b->symbol) second = argument_array(n, c, &section);
        }
    if (first && first == second) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && passes_twice(n->child[c], f, a, b)) return true;
    return false;
}

/* Whether two arrays of the nest's function are one in some call of this file. */
static bool may_be_one(const nest *x, const array *a, const array *b) {
    const symbol *f = function_symbol(function_around(x->root));
    if (a == b || a->element != b->element || a->rank != b->rank || !f || (!a->parameter && !b->parameter))
        return false;
    if (a->parameter && b->parameter) return passes_twice(x->p->unit, f, a, b);
    const array *other = a->parameter ? b : a;
    return other->symbol->file_scope && other->passed;
}

/* So an array whose elements are stored one behind the other. */
static void check_kept_names(nest *x, const nest_kept *kept) {
    const array *a = kept->array->array;
    for (size_t k = 0; k < x->accesses; k++) {
        const array *b = x->access[k].array->array;
        if (b && may_be_one(x, a, b))
            stop_nest(x, kept->store, "'%s' and '%s' may be one array", a->symbol->name, b->symbol->name);
    }
    for (int k = 0; k < x->kepts; k++)
        if (may_be_one(x, a, x->kept[k].array->array))
            stop_nest(x, kept->store, "'%s' and '%s' may be one array", a->symbol->name, x->kept[k].array->name);
}

/* Arrays that a call passes twice, or passes and the function names, are not known to be two. */
static void check_names(nest *x) {
    for (size_t k = 0; k < x->accesses; k++)
        for (size_t m = 0; m < x->accesses && x->access[k].writes; m++) {
            const array *a = x->access[k].array->array, *b = x->access[m].array->array;
            if (a && b && may_be_one(x, a, b))
                stop_nest(x, x->access[k].chain, "'%s' and '%s' may be one array", a->symbol->name, b->symbol->name);
        }
    for (int k = 0; k < x->kepts; k++) check_kept_names(x, &x->kept[k]);
}

/* ---- Loops whose bounds read distributed elements: sums in the value of an assignment can have such */

static bool bounds_mention(const nest_loop *l, const symbol *s) {
    return mentions_symbol(l->lower, s) || mentions_symbol(l->upper, s);
}

static bool is_sum_of_elements(const nest_statement *s, int k) {
    const nest_loop *l = s->loop[k];
    const bool written_out = s->kind == STATEMENT_CONDITION || s->kind == STATEMENT_PRIVATE;
    bool alone = k > 0 && s->kind != STATEMENT_SCALAR && (s->reduces[k] || written_out) && !s->reduces[0];
    for (int m = 0; m < s->loops; m++) {
        if (m == k || !s->reduces[m]) continue;
        alone = alone && !bounds_mention(l, s->loop[m]->variable) && !bounds_mention(s->loop[m], l->variable);
    }
    return alone;
}

static bool is_changed_within(const nest *x, const nest_loop *l) {
    for (size_t k = 0; k < x->accesses; k++)
        if (x->access[k].writes && bounds_mention(l, x->access[k].array)) return true;
    return false;
}

static void check_ragged(nest *x) {
    for (int j = 0; j < x->statements; j++) {
        const nest_statement *s = &x->statement[j];
        for (int k = 0; k < s->loops; k++) {
            nest_loop *l = s->loop[k];
            if (l->ragged && ((!x->gathers && !x->carries && !is_sum_of_elements(s, k)) || is_changed_within(x, l)))
                stop_nest(x, l->upper, "the bounds '%s' and '%s' read distributed arrays, and it does more than add up",
                          ast_quote(x->p->memory, x->p->source, l->lower),
                          ast_quote(x->p->memory, x->p->source, l->upper));
        }
    }
}

void check_legality(nest *x) {
    check_scalars(x);
    if (!x->reason) check_names(x);
    if (!x->reason) check_ragged(x);
    if (x->reason || !x->distributed) return;
    if (x->stores_memory && (x->reads_memory || x->calls || x->bounds_read_memory))
        stop_nest(x, x->root, "it stores into ordinary memory, and reads some of which it is not known what it is");
}

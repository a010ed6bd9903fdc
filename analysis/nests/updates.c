/* Pass "nests": arrays that the iterations of a loop only add to, anywhere, in bodies that are executed as they stand:
 *
 *     for (long i = 0; i < n; i++) {
 *         int k = nearest(point[i], centre);
 *         member[i] = k;
 *         count[k]++;
 *     }
 *
 * They are what `reduction(+: count)` says. */
#include <string.h>

#include "../model/knowledge.h"
#include "nests.h"

enum { DEEPEST_CALL = 16 };

/* ---- What is done with the array */

static const symbol *updated_array(const node *store) {
    node *name, *subscripts[MAX_RANK], *left = inside_parentheses(store->child[0]);
    int count;
    if (left->kind != N_INDEX || first_section(left) || !index_chain(left, &name, subscripts, &count)) return NULL;
    return name->kind == N_NAME ? name->symbol : NULL;
}

/* Whether nothing but updates of its elements, all by one operator, names the array in n. */
static bool is_updated_only(const node *n, const symbol *v, const char **op) {
    size_t from = 0;
    if (n->kind == N_NAME) return n->symbol != v;
    if (is_store(n) && updated_array(n) == v) {
        const char *own = combining_operator_of(n);
        if (!own || (*op && strcmp(*op, own) != 0)) return false;
        *op = own;
        for (const node *chain = inside_parentheses(n->child[0]); chain->kind == N_INDEX;
             chain = inside_parentheses(chain->child[0]))
            if (mentions_symbol(chain->child[1], v)) return false;
        from = 1;
    }
    for (size_t c = from; c < n->count; c++)
        if (n->child[c] && !is_updated_only(n->child[c], v, op)) return false;
    return true;
}

/* ---- What else may lead to its elements */

/* Whether n uses memory that a pointer leads to: it may be any. */
static bool uses_pointers(const node *n) {
    const type *t = n->type;
    const bool address = n->kind == N_UNARY && !strcmp(n->op, "&");
    const bool parameter = n->kind == N_NAME && n->symbol && n->symbol->is_parameter && t && t->kind == TYPE_ARRAY;
    if (parameter || (!address && t && t->kind == TYPE_POINTER)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && uses_pointers(n->child[c])) return true;
    return false;
}

/* Whether a function that is called in n names the variable. */
static bool is_named_by_calls(const program *p, const node *n, const symbol *v, int depth) {
    const symbol *called = n->kind == N_CALL ? called_function(n) : NULL;
    const symbol *f = called ? defined_function(p, called->name) : NULL;
    if (f && (depth == DEEPEST_CALL || mentions_symbol(f->declaration, v) ||
              is_named_by_calls(p, f->declaration, v, depth + 1)))
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_named_by_calls(p, n->child[c], v, depth)) return true;
    return false;
}

/* Whether the array is named as a whole in n, so that a pointer may lead to its elements. */
static bool is_named_whole(const node *n, const symbol *v) {
    if (n->kind == N_NAME && n->symbol == v) {
        const node *above = n->parent, *below = n;
        for (; above && above->kind == N_PAREN; above = above->parent) below = above;
        if (!above || above->kind != N_INDEX || above->child[0] != below) return true;
        for (; above->kind == N_INDEX || above->kind == N_PAREN; above = above->parent) below = above;
        return above->kind == N_UNARY && !strcmp(above->op, "&");
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_named_whole(n->child[c], v)) return true;
    return false;
}

/* Whether n calls functions that the program defines. */
static bool calls_own(const program *p, const node *n) {
    const symbol *called = n->kind == N_CALL ? called_function(n) : NULL;
    if (called && defined_function(p, called->name)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && calls_own(p, n->child[c])) return true;
    return false;
}

bool may_be_pointed_at(const program *p, const node *loop, const symbol *v) {
    return !v->array && calls_own(p, loop) && is_named_whole(p->unit, v);
}

static bool is_reached_otherwise(const nest *x, const symbol *v) {
    if (!v->array && uses_pointers(x->root)) return true;
    if (may_be_pointed_at(x->p, x->root, v)) return true;
    return (v->file_scope || v->is_static) && is_named_by_calls(x->p, x->root, v, 0);
}

/* ---- Which updates are meant */

/* Whether a subscript is made of more than the loops' variables and what stays as it is. */
static bool is_found(const nest *x, const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_INDEX || n->kind == N_CALL || (s && (private_of(x, s) || is_own_variable(x, s)))) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_found(x, n->child[c])) return true;
    return false;
}

/* Whether the elements of a distributed array that iterations add to may be anyone's. */
static bool is_anywhere(const nest *x, const node *left, const symbol *v) {
    node *name, *subscripts[MAX_RANK];
    int count;
    bool found = false;
    if (!index_chain((node *)left, &name, subscripts, &count) || count != v->array->rank) return false;
    for (int d = 0; d < count; d++) found = found || (may_be_distributed(v->array, d) && is_found(x, subscripts[d]));
    return found;
}

static bool is_noted(const nest *x, const symbol *v) {
    for (int k = 0; k < x->updates; k++)
        if (x->update[k].array == v) return true;
    return false;
}

bool take_update(nest *x, const nest_statement *s, const nest_path *path, int loops) {
    const symbol *v = updated_array(s->assign);
    const char *op = NULL;
    if (!x->in_order || !v || !may_be_result(v) || !may_add_up(x, s)) return false;
    if (v->array ? !is_anywhere(x, s->left, v) : node_holds(x->root, v->declarator)) return false;
    if (!v->array && v->type->kind != TYPE_ARRAY) return false;
    if (!is_updated_only(x->root, v, &op) || (x->p->reproducible && is_floating_result(v))) return false;
    if (is_reached_otherwise(x, v) || (!is_noted(x, v) && x->updates == MOST_UPDATES)) return false;
    if (!is_noted(x, v)) x->update[x->updates++] = (nest_update){v, op};
    for (const node *chain = s->left; chain->kind == N_INDEX; chain = inside_parentheses(chain->child[0]))
        read_value(x, chain->child[1], path, loops);
    return true;
}

/* ---- Advice */

void advise_update(nest *x, const nest_statement *s) {
    const symbol *v = updated_array(s->assign);
    const char *op = NULL;
    if (v && may_add_up(x, s) && is_updated_only(x->root, v, &op))
        advise_nest(x, s->left, "'#pragma dpc independent reduction(%s: %s)', with all else that iterations add to", op,
                    v->name);
    else if (v && may_add_up(x, s))
        advise_nest(x, s->left,
                    "iterations that only add to '%s' are parallel: add up in another array, which the loop does not "
                    "read, and use that behind it",
                    v->name);
}

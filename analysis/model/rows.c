/* Pointers to rows of distributed arrays, for functions of C. */
#include <string.h>

#include "model.h"

/* Whether n belongs to a statement that is executed for many elements at once. */
static bool is_in_parallel(const node *n) {
    operation op;
    for (; n && n->kind != N_COMPOUND; n = n->parent) {
        const bool assigns = n->kind == N_ASSIGN && first_section(inside_parentheses(n->child[0]));
        if (n->kind == N_FORALL || assigns || reduction_call(n, &op)) return true;
    }
    while (n && n->kind != N_FORALL) n = n->parent;
    return n != NULL;
}

/* Whether a function of C gets it, in a statement that every process executes, or in a loop that may be shared out. */
static bool is_passed(const node *n, const array *a) {
    const node *above = n->parent;
    size_t c = 1;
    operation op;
    intrinsic kind;
    if (a->rank < 2 || may_be_distributed(a, a->rank - 1)) return false;
    for (; above->kind == N_PAREN || above->kind == N_CAST; above = above->parent) n = above;
    if (above->kind != N_CALL || reduction_call(above, &op) || intrinsic_call(above, &kind)) return false;
    while (c < above->count && above->child[c] != n) c++;
    return c < above->count && !parameter_array(above, c) && !is_in_parallel(above);
}

node *row_pointer(node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (n->kind == N_UNARY && !strcmp(n->op, "&")) {
        node *chain = inside_parentheses(n->child[0]);
        const array *a = distributed_reference(chain);
        return a && (is_in_independent(n) || is_passed(n, a)) ? chain : NULL;
    }
    if (n->kind != N_INDEX || !index_chain(n, &name, subscripts, &count) || !name->symbol || !name->symbol->array)
        return NULL;
    const node *above = n->parent;
    while (above->kind == N_PAREN) above = above->parent;
    const bool top = above->kind != N_INDEX || inside_parentheses(above->child[0]) != n;
    if (!top || count != name->symbol->array->rank - 1 || above->kind == N_SIZEOF) return NULL;
    return is_in_independent(n) || is_passed(n, name->symbol->array) ? n : NULL;
}

/* ---- Whether a function keeps the pointer that it gets */

enum { MOST_CALLS = 8 };

static bool keeps(const program *p, node *n, const symbol *pointer, int calls);

/* Whether the value of n, which is the pointer or one made of it, is kept where it is found when the function is done.
 */
static bool is_kept_pointer(const program *p, node *n, int calls) {
    node *above = n->parent, *body = function_around(n)->child[2];
    for (; above->kind == N_PAREN || above->kind == N_CAST || above->kind == N_CONDITIONAL || above->kind == N_BINARY ||
           above->kind == N_COMMA;
         above = above->parent) {
        if (above->kind == N_BINARY && above->type && above->type->kind == TYPE_ARITHMETIC) return false;
        n = above;
    }
    const symbol *local = NULL;
    if (above->kind == N_RETURN) return true;
    if (above->kind == N_ASSIGN && above->child[1] == n) {
        const node *left = inside_parentheses(above->child[0]);
        local = left->kind == N_NAME ? left->symbol : NULL;
        if (!local) return n->type && n->type->kind != TYPE_ARITHMETIC;
    }
    if (above->kind == N_INIT_DECLARATOR && declared_name(above->child[0]))
        local = declared_name(above->child[0])->symbol;
    if (local) {
        if (local->type && local->type->kind == TYPE_ARITHMETIC) return false;
        return local->file_scope || local->is_static || keeps(p, body, local, calls - 1);
    }
    if (above->kind != N_CALL || above->child[0] == n) return false;
    size_t k = 1;
    while (k < above->count && above->child[k] != n) k++;
    const symbol *f = inside_parentheses(above->child[0])->symbol, *defined = f ? defined_function(p, f->name) : NULL;
    const symbol *parameter = defined && k < above->count ? parameter_of(defined, k - 1) : NULL;
    return parameter && keeps(p, defined->declaration->child[2], parameter, calls - 1);
}

static bool keeps(const program *p, node *n, const symbol *pointer, int calls) {
    if (calls == 0) return false;
    if (n->kind == N_NAME && n->symbol == pointer) return is_kept_pointer(p, n, calls);
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && keeps(p, n->child[k], pointer, calls)) return true;
    return false;
}

bool row_is_kept(const program *p, const node *call, size_t k) {
    const symbol *f = inside_parentheses(call->child[0])->symbol, *defined = f ? defined_function(p, f->name) : NULL;
    const symbol *parameter = defined ? parameter_of(defined, k - 1) : NULL;
    return parameter && keeps(p, defined->declaration->child[2], parameter, MOST_CALLS);
}

bool row_stays(const program *p, const node *n, bool (*acts_alone)(const char *name)) {
    const node *above = n->parent;
    size_t k = 1;
    for (; above->kind == N_PAREN || above->kind == N_CAST; above = above->parent) n = above;
    if (above->kind != N_CALL) return false;
    while (k < above->count && above->child[k] != n) k++;
    const node *f = inside_parentheses(above->child[0]);
    if (k == above->count || f->kind != N_NAME) return false;
    if (!f->symbol)
        return is_listed(" memcpy memmove memcmp bsearch fwrite ", f->name) && !library_changes(f->name, k - 1);
    return f->symbol->kind == SYMBOL_FUNCTION && !row_is_kept(p, above, k) &&
           (parameter_is_constant(f->symbol, k - 1) || argument_stays(p, above, k - 1, acts_alone));
}

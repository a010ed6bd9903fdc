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
    return f->symbol->kind == SYMBOL_FUNCTION &&
           (parameter_is_constant(f->symbol, k - 1) || argument_stays(p, above, k - 1, acts_alone));
}

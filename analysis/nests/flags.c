/* Pass "nests": flags, variables that iterations set to one value and nothing else is done with, as `changed = 1`. */
#include <string.h>

#include "nests.h"

bool mentions_loops(const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (mentions_symbol(n, s->loop[k]->variable)) return true;
    return false;
}

/* Names of a variable in n that are not the left sides of assignments of the same text as `assign`. */
static bool has_other_use(const nest *x, const node *n, const symbol *v, const node *assign) {
    if (n->kind == N_NAME && n->symbol == v) return true;
    if (n->kind == N_ASSIGN && n->child[0]->kind == N_NAME && n->child[0]->symbol == v &&
        !strcmp(nest_quote(x, n), nest_quote(x, assign)))
        return has_other_use(x, n->child[1], v, assign);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_other_use(x, n->child[c], v, assign)) return true;
    return false;
}

/* The value that an expression statement, or a declaration, gives a variable; NULL: it does not. */
static const node *value_given(const node *n, const symbol *v) {
    const node *assign = n->kind == N_EXPRESSION ? n->child[0] : NULL;
    if (assign && assign->kind == N_ASSIGN && !strcmp(assign->op, "=") && assign->child[0]->kind == N_NAME &&
        assign->child[0]->symbol == v)
        return assign->child[1];
    for (size_t c = 1; n->kind == N_DECLARATION && c < n->count; c++) {
        const node *item = n->child[c], *name = item->kind == N_INIT_DECLARATOR ? declared_name(item->child[0]) : NULL;
        if (name && name->symbol == v && item->count > 1) return item->child[1];
    }
    return NULL;
}

/* The number that a variable has where the nest begins; false: not known. */
static bool find_value_before(const nest *x, const symbol *v, int64_t *value) {
    if (v->file_scope || v->is_static || is_address_taken(v)) return false;
    for (const node *n = x->root, *above = n->parent; above; n = above, above = n->parent) {
        if (above->kind == N_IF && n != above->child[0] && !mentions_symbol(above->child[0], v)) continue;
        if (above->kind != N_COMPOUND) return false;
        size_t at = 0;
        while (at + 1 < above->count && above->child[at] != n) at++;
        for (; at-- > 0;) {
            node *before = above->child[at];
            const node *given = before ? value_given(before, v) : NULL;
            if (given) return constant_value(given, value);
            if (before && (mentions_symbol(before, v) || holds_kind(before, N_LABEL) || holds_kind(before, N_CASE)))
                return false;
        }
    }
    return false;
}

/* Whether a variable of an integer type keeps a number as it is written. */
static bool holds(const type *t, int64_t value) {
    if (!t || t->kind != TYPE_ARITHMETIC || !element_is_integer(t->element)) return false;
    if (!element_is_signed(t->element) && value < 0) return false;
    if (t->element == ELEMENT_BOOL) return value == 0 || value == 1;
    return element_bytes(t->element) >= 4 && value >= INT32_MIN && value <= INT32_MAX;
}

bool find_flag(const nest *x, nest_statement *s) {
    int64_t before, value;
    const symbol *v = s->left->symbol;
    if (!x->in_order || s->assign->kind != N_ASSIGN || strcmp(s->op, "=") != 0) return false;
    if (!constant_value(s->value, &value) || has_other_use(x, x->root, v, s->assign)) return false;
    const bool truth = v->type->element == ELEMENT_BOOL; /* what it had before makes no difference */
    if (truth) before = 1 - value;
    if (!truth && !find_value_before(x, v, &before)) return false;
    if (!holds(v->type, before) || !holds(v->type, value)) return false;
    s->extreme = (nest_extreme){.relation = value >= before ? ">" : "<", .assign = s->assign, .value = s->value};
    return true;
}

bool is_set_only(const nest *x, const nest_statement *s) {
    if (s->assign->kind != N_ASSIGN || strcmp(s->op, "=") != 0) return false;
    if (!s->value->type || s->value->type->kind != TYPE_ARITHMETIC || !has_one_value(x, s->value) ||
        mentions_loops(s, s->value))
        return false;
    return !has_other_use(x, x->root, s->left->symbol, s->assign);
}

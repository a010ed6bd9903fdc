/* Pass "nests": assignments that only add to what they assign, or multiply it. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

/* The operator of `v op= value` that does what `v = v op value` does; *first: v must stand before it. */
static const char *compound_operator(const nest *x, const nest_statement *s, const char *op, bool *first) {
    static const char *const pairs[][2] = {{"+", "+="}, {"*", "*="}, {"^", "^="},
                                           {"|", "|="}, {"&", "&="}, {"-", "-="}};
    const bool truth = x->in_order && s->left->type && s->left->type->kind == TYPE_ARITHMETIC &&
                       s->left->type->element == ELEMENT_BOOL;
    *first = op[0] == '-';
    if (truth && !strcmp(op, "&&")) return "&=";
    if (truth && !strcmp(op, "||")) return "|=";
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (!strcmp(op, pairs[k][0])) return pairs[k][1];
    return NULL;
}

void take_sum(const nest *x, nest_statement *s) {
    node *value = s->value ? inside_parentheses(s->value) : NULL;
    bool must_be_first;
    if (strcmp(s->op, "=") != 0 || !value || value->kind != N_BINARY) return;
    const char *op = compound_operator(x, s, value->op, &must_be_first);
    const bool first = op && nest_has_same_text(x, s->left, inside_parentheses(value->child[0]));
    if (!op || (!first && (must_be_first || !nest_has_same_text(x, s->left, inside_parentheses(value->child[1])))))
        return;
    s->op = op;
    s->value = value->child[first];
}

bool is_a_number(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC;
}

static bool is_integer(const type *t) {
    return is_a_number(t) && element_is_integer(t->element);
}

/* Of bits; `flag ^= 2` depends on the order where the flag is a _Bool. */
static bool may_join(const type *left, const char *op, const type *value) {
    return is_integer(left) && is_integer(value) && (left->element != ELEMENT_BOOL || op[0] != '^');
}

bool may_add_up(const nest *x, const nest_statement *s) {
    const type *left = s->left->type, *value = s->value ? s->value->type : NULL;
    const bool bits = !strcmp(s->op, "^=") || !strcmp(s->op, "|=") || !strcmp(s->op, "&=");
    if (bits && x->in_order) return may_join(left, s->op, value);
    if (strcmp(s->op, "+=") != 0 && strcmp(s->op, "-=") != 0 && strcmp(s->op, "*=") != 0) return false;
    if (!is_a_number(left) || left->element == ELEMENT_BOOL || (s->value && !is_a_number(value))) return false;
    return !s->value || !element_is_integer(left->element) || element_is_integer(value->element);
}

bool rounds_each_time(const nest_statement *s) {
    const type *value = s->value ? s->value->type : NULL;
    return strcmp(s->op, "=") != 0 && is_integer(s->left->type) && is_a_number(value) && !is_integer(value);
}

/* The operator of `v += value`, `v++` and the like; '=': another assignment. */
static char combining_operator(const node *name) {
    const node *n = name->parent;
    while (n && n->kind == N_PAREN) n = n->parent;
    if (!n || !is_store(n)) return '=';
    return n->kind != N_ASSIGN || n->op[0] == '-' ? '+' : n->op[0];
}

bool is_only_combined(const nest *x, const nest_statement *s) {
    const symbol *v = s->left->symbol;
    const char op = combining_operator(s->left);
    size_t names = 0;
    bool same = op != '=';
    for (size_t k = 0; k < v->assignments; k++) {
        if (!node_holds(x->root, v->assignment[k])) continue;
        names++;
        same = same && combining_operator(v->assignment[k]) == op;
    }
    return names == 1 || same;
}

bool counts_for_nothing(const nest *x, const nest_statement *s) {
    const symbol *v = s->left->kind == N_NAME ? s->left->symbol : NULL;
    int64_t value;
    size_t assigned = 0;
    if (x->in_order || !v || v->kind != SYMBOL_VARIABLE || v->file_scope || v->is_static || is_address_taken(v) ||
        is_volatile(v) || !is_integer(v->type) || !strcmp(s->op, "=") ||
        (s->value && !constant_value(s->value, &value)))
        return false;
    for (size_t k = 0; k < v->assignments; k++) assigned += node_holds(x->root, v->assignment[k]);
    return is_only_combined(x, s) && names_in(x->root, v) == assigned && !node_holds(x->root, v->declarator) &&
           !is_needed_behind(x->root, v);
}

bool is_reproducible(const nest *x, const nest_statement *s) {
    if (!x->in_order || !x->p->reproducible || element_is_integer(s->left->type->element)) return true;
    const bool adds = is_step(s->assign) || !strcmp(s->assign->op, "+=") || !strcmp(s->assign->op, "-=");
    return adds && s->whole->kind == N_EXPRESSION;
}

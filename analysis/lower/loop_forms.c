/* The heads of loops under `independent`: their forms, and the indices that they become. */
#include <string.h>

#include "lower.h"
#include "../model/types.h"

/* ---- for (i = l; i <= u; i += s) */

static bool names(const node *n, const symbol *s) {
    n = inside_parentheses((node *)n);
    return n->kind == N_NAME && n->symbol == s;
}

static bool read_start(node *start, loop_form *f) {
    if (!start) return false;
    if (start->kind == N_ASSIGN && !strcmp(start->op, "=") && start->child[0]->kind == N_NAME) {
        f->variable = start->child[0]->symbol;
        f->lower = start->child[1];
    } else if (start->kind == N_DECLARATION && start->count == 2 && start->child[1]->kind == N_INIT_DECLARATOR &&
               start->child[1]->count > 1 && start->child[1]->child[0]->kind == N_DECL_NAME) {
        f->variable = start->child[1]->child[0]->symbol;
        f->lower = start->child[1]->child[1];
    }
    const symbol *v = f->variable;
    return v && v->type && v->type->kind == TYPE_ARITHMETIC && element_is_integer(v->type->element) && f->lower;
}

static bool read_condition(node *n, loop_form *f) {
    if (!n || n->kind != N_BINARY) return false;
    const bool swapped = names(n->child[1], f->variable);
    if (!swapped && !names(n->child[0], f->variable)) return false;
    if (n->op[0] != '<' && n->op[0] != '>') return false;
    f->down = (n->op[0] == '>') != swapped;
    f->beyond = n->op[1] == '=' ? 0 : f->down ? 1 : -1;
    f->upper = n->child[swapped ? 0 : 1];
    return !n->op[1] || n->op[1] == '=';
}

static bool read_step(node *n, loop_form *f) {
    bool minus = false;
    if (!n || n->count == 0 || !names(n->child[0], f->variable)) return false;
    if (n->kind == N_POSTFIX || n->kind == N_UNARY) {
        minus = !strcmp(n->op, "--");
        return (minus || !strcmp(n->op, "++")) && minus == f->down;
    }
    if (n->kind != N_ASSIGN) return false;
    f->step = n->child[1];
    minus = !strcmp(n->op, "-=");
    if (!strcmp(n->op, "=")) {
        node *sum = inside_parentheses(n->child[1]);
        if (sum->kind != N_BINARY || (strcmp(sum->op, "+") != 0 && strcmp(sum->op, "-") != 0)) return false;
        minus = sum->op[0] == '-';
        const bool first = names(sum->child[0], f->variable);
        if (!first && (minus || !names(sum->child[1], f->variable))) return false;
        f->step = sum->child[first ? 1 : 0];
    } else if (!minus && strcmp(n->op, "+=") != 0)
        return false;
    int64_t value;
    if (constant_value(f->step, &value)) return (minus ? value > 0 : value < 0) == f->down && value != 0;
    return minus == f->down;
}

bool read_form(node *loop, loop_form *f) {
    *f = (loop_form){0};
    return read_start(loop->child[0], f) && read_condition(loop->child[1], f) && read_step(loop->child[2], f);
}

/* ---- Bounds */

/* Whether a long in place of a number in n changes nothing. */
static bool has_signed_parts(const node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !has_signed_parts(n->child[c])) return false;
    return type_is_signed_integer(n->type);
}

/* Names of loops' variables in a copy of a bound become those of indices, with the variable's type where `typed`, or
 * the names are others. */
static void name_indices(const lowering *l, node *n, bool typed) {
    for (int k = 0; n->kind == N_NAME && k < l->s->indices; k++) {
        const loop_index *x = &l->s->index[k];
        const element of = x->symbol->type->element;
        if (x->symbol == n->symbol && of != ELEMENT_LONG && (typed || strcmp(x->name, n->name) != 0))
            n->replacement = arena_format(l->p->memory, "(%s)%s", element_spelling(of), x->name);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_indices(l, n->child[c], typed);
}

/* A bound that depends on indices: where one of them stands alone in a sum, it needs no conversion. */
linear bound_by_indices(lowering *l, const node *n) {
    arena *a = l->p->memory;
    node *copy = ast_clone(a, n);
    name_indices(l, copy, !has_signed_parts(copy));
    const linear bound = linear_of(a, l->p->source, copy);
    linear sum = linear_without_terms(&bound);
    for (int t = 0; t < bound.terms; t++) {
        const linear_term *term = &bound.term[t];
        linear value = linear_atom(a, term->text, term->node);
        for (int k = 0; term->node && term->node->kind == N_NAME && k < l->s->indices; k++)
            if (term->node->symbol == l->s->index[k].symbol) value = linear_atom(a, l->s->index[k].name, term->node);
        sum = linear_add(a, sum, linear_multiply(a, linear_constant(term->coefficient), value));
    }
    return sum;
}

/* ---- Variables */

/* Whether n and what it stands in, up to a subscript's brackets, are numbers of which a long in its place changes
 * nothing. */
static bool is_in_subscript(const node *n, const node *body) {
    for (const node *above; n != body; n = above) {
        above = n->parent;
        if (above->kind == N_INDEX && above->child[1] == n) return type_is_signed_integer(n->type);
        if ((above->kind != N_PAREN && above->kind != N_BINARY && above->kind != N_UNARY) ||
            !type_is_signed_integer(n->type))
            return false;
    }
    return false;
}

bool is_in_subscripts(const node *n, const symbol *s, const node *body) {
    if (n->kind == N_NAME && n->symbol == s) return is_in_subscript(n, body);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_in_subscripts(n->child[c], s, body)) return false;
    return true;
}

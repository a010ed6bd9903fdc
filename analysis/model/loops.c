/* C for loops that count: `for (long k = a; k < b; k++)`, whose variable nothing else changes. */
#include <string.h>

#include "model.h"
#include "types.h"

/* Takes `i = a` or `int i = a`; false: it is neither. */
static bool take_start(const node *start, counting_loop *c) {
    if (!start) return false;
    if (start->kind == N_ASSIGN && start->child[0]->kind == N_NAME && !strcmp(start->op, "=")) {
        c->variable = start->child[0]->symbol;
        c->first = start->child[1];
    } else if (start->kind == N_DECLARATION && start->count == 2 && start->child[1]->kind == N_INIT_DECLARATOR) {
        const node *item = start->child[1], *name = declared_name(item->child[0]);
        c->variable = name ? name->symbol : NULL;
        c->first = item->count > 1 ? item->child[1] : NULL;
    }
    return c->variable && c->first;
}

static bool is_variable(const node *n, const symbol *s) {
    return n && n->kind == N_NAME && n->symbol == s;
}

bool step_value(const node *n, int64_t *value) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (constant_value(n, value)) return true;
    if (!s || s->kind != SYMBOL_VARIABLE || s->assignments > 0 || s->file_scope || s->is_parameter || !s->declarator ||
        !type_is_signed_integer(s->type) || element_bytes(s->type->element) < 4)
        return false;
    const node *given = declared_value(s);
    return given && constant_value(given, value) && !specifiers_are_volatile(given->parent->parent->child[0]);
}

/* The step of `i++`, `i--`, `i += c`, `i -= c`; 0: something else. */
static int64_t step_of(const node *step, const symbol *s) {
    int64_t value;
    if (!step || step->count == 0 || !is_variable(step->child[0], s)) return 0;
    if (step->kind == N_POSTFIX || step->kind == N_UNARY)
        return !strcmp(step->op, "++") ? 1 : !strcmp(step->op, "--") ? -1 : 0;
    if (step->kind != N_ASSIGN || !step_value(step->child[1], &value) || value > INT32_MAX || value < -INT32_MAX)
        return 0;
    return !strcmp(step->op, "+=") ? value : !strcmp(step->op, "-=") ? -value : 0;
}

/* Takes `i < b` and the like, in the direction of the step. */
static bool take_condition(const node *condition, counting_loop *c) {
    if (!condition || condition->kind != N_BINARY || !is_variable(condition->child[0], c->variable)) return false;
    c->limit = condition->child[1];
    c->inclusive = condition->op[1] == '=';
    return condition->op[0] == (c->step > 0 ? '<' : '>') && (!condition->op[1] || c->inclusive);
}

bool counting_loop_of(const node *loop, counting_loop *c) {
    *c = (counting_loop){0};
    if (loop->kind != N_FOR || !take_start(loop->child[0], c)) return false;
    c->step = step_of(loop->child[2], c->variable);
    return c->step != 0 && take_condition(loop->child[1], c);
}

/* Whether control may get into n other than at its beginning, or n does what is not seen here. */
static bool may_be_entered(const node *n, bool in_switch) {
    if (n->kind == N_LABEL || n->kind == N_ASM) return true;
    if ((n->kind == N_CASE || n->kind == N_DEFAULT) && !in_switch) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_be_entered(n->child[c], in_switch || n->kind == N_SWITCH)) return true;
    return false;
}

/* Whether a variable that is assigned, or whose address is taken, at n is changed by the head of the loop, or elsewhere
 * than in the loop. */
static bool leaves_body_alone(const node *n, const node *loop) {
    const node *operator= n->parent;
    while (operator->kind == N_PAREN) operator= operator->parent;
    if (operator->kind == N_UNARY && operator->op[0] == '&') return false;
    return !node_holds(loop, n) || node_holds(loop->child[0], n) || node_holds(loop->child[2], n);
}

bool is_signed_integer(const symbol *s) {
    return s->kind == SYMBOL_VARIABLE && type_is_signed_integer(s->type);
}

bool changes_in_head_only(const node *loop, const counting_loop *c) {
    const symbol *s = c->variable;
    if (s->kind != SYMBOL_VARIABLE || s->file_scope || s->is_static) return false;
    for (size_t k = 0; k < s->assignments; k++)
        if (!leaves_body_alone(s->assignment[k], loop)) return false;
    return !may_be_entered(loop->child[3], false);
}

bool counts_undisturbed(const node *loop, const counting_loop *c) {
    const symbol *s = c->variable;
    return s->kind == SYMBOL_VARIABLE && type_counts_as_long(s->type) && element_bytes(s->type->element) >= 4 &&
           changes_in_head_only(loop, c);
}

/* Whether it only reads variables and constants, as they stand in the source. */
static bool reads_variables(const node *n) {
    if (n->made || n->kind == N_CALL || n->kind == N_INDEX || n->kind == N_ASSIGN || n->kind == N_POSTFIX) return false;
    if (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--"))) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !reads_variables(n->child[c])) return false;
    return true;
}

bool may_vary_as_bound(const node *n) {
    return type_is_signed_integer(n->type) && reads_variables(n);
}

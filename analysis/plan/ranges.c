/* --check=all: subscripts of ordinary memory in C's own loops: where loops count, and a subscript is linear in their
 * variables, its values lie between those at corners of the loops' ranges.  So both are compared before the loops, and
 * inside only where one of them is outside; what an iteration evaluates is nobody's concern then. */
#include <string.h>

#include "plan.h"

/* ---- Variables that nothing unseen changes */

static bool takes_address(const node *name) {
    const node *up = name->parent;
    while (up && up->kind == N_PAREN) up = up->parent;
    return up && up->kind == N_UNARY && !strcmp(up->op, "&");
}

/* Whether others than its own name may change it. */
static bool is_exposed(const symbol *s) {
    if (s->file_scope || s->is_static) return true;
    for (size_t k = 0; k < s->assignments; k++)
        if (takes_address(s->assignment[k])) return true;
    return false;
}

/* Whether a store may change a variable that it does not name: integers and pointers, where one is pointed to. */
static bool stores_unseen(const node *n, bool called) {
    bool pointer = false;
    const node *left = inside_parentheses(n->child[0]);
    const symbol *s = base_symbol(left, &pointer);
    if (!s || pointer) return !is_floating(left->type);
    return called && s->kind == SYMBOL_VARIABLE && s->file_scope;
}

/* Macros of math.h and complex.h count as mathematics. */
static bool is_arithmetic_call(const node *callee) {
    static const char *const macros[] = {"CMPLX", "CMPLXF",   "CMPLXL",   "isnan",
                                         "isinf", "isfinite", "isnormal", "signbit"};
    for (size_t k = 0; k < sizeof macros / sizeof *macros; k++)
        if (callee->kind == N_NAME && !callee->symbol && !strcmp(callee->name, macros[k])) return true;
    return is_mathematics(callee);
}

enum { DEPTH = 8 };

/* Whether n, of a loop or of a function that is called, changes nothing by pointers, and gives no memory back. */
static bool is_quiet(const program *p, const node *n, int depth) {
    if (n->kind == N_ASM || depth > DEPTH || (is_store(n) && stores_unseen(n, depth > 0))) return false;
    if (n->kind == N_CALL && !is_arithmetic_call(n->child[0])) {
        const symbol *f = n->child[0]->kind == N_NAME ? defined_function(p, n->child[0]->name) : NULL;
        if (!f || f != n->child[0]->symbol || !is_quiet(p, f->declaration->child[2], depth + 1)) return false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_quiet(p, n->child[c], depth)) return false;
    return true;
}

static bool is_assigned_in(const node *loop, const symbol *s) {
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(loop, s->assignment[k])) return true;
    return false;
}

static bool keeps_value(const program *p, const node *loop, const symbol *s) {
    return s->declarator && !node_holds(loop, s->declarator) && !is_assigned_in(loop, s) && !is_volatile(s) &&
           (!is_exposed(s) || is_quiet(p, loop, 0));
}

bool keeps_block(const program *p, const node *loop, const symbol *s) {
    return keeps_value(p, loop, s) && is_quiet(p, loop, 0);
}

/* ---- Arithmetic that can be done before the loop, and nothing in it fails there */

static bool is_integer(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC && element_is_integer(t->element) && element_bytes(t->element) <= 8;
}

/* Whether sums and products of the type are those of integers, modulo 2^64 at most. */
static bool is_wide_or_signed(const type *t) {
    return is_integer(t) && (element_is_signed(t->element) || element_bytes(t->element) == 8);
}

static bool is_operation(const node *n, const char *operators) {
    return (n->kind == N_BINARY || n->kind == N_UNARY) && !n->op[1] && strchr(operators, n->op[0]);
}

static bool divides_by_constant(const node *n) {
    int64_t by;
    return n->kind == N_BINARY && is_operation(n, "/%") && constant_value(n->child[1], &by) && by > 0;
}

static const counting_loop *loop_of_variable(const stepped_subscript *x, const symbol *s) {
    for (int k = 0; k < x->loops; k++)
        if (x->count[k].variable == s) return &x->count[k];
    return NULL;
}

/* A bound: what C computes of variables that keep their values. */
static bool is_steady_bound(const program *p, const node *loop, const node *n) {
    int64_t value;
    if (!is_integer(n->type)) return false;
    if (constant_value(n, &value)) return true;
    if (n->kind == N_NAME) return n->symbol && n->symbol->kind == SYMBOL_VARIABLE && keeps_value(p, loop, n->symbol);
    if (n->kind != N_PAREN && !is_operation(n, "+-*") && !divides_by_constant(n)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady_bound(p, loop, n->child[c])) return false;
    return true;
}

static bool is_steady_part(const program *p, const node *loop, const node *n, const stepped_subscript *x) {
    int64_t value;
    if (!is_wide_or_signed(n->type)) return false;
    if (constant_value(n, &value)) return true;
    if (n->kind == N_NAME)
        return n->symbol && n->symbol->kind == SYMBOL_VARIABLE &&
               (loop_of_variable(x, n->symbol) || keeps_value(p, loop, n->symbol));
    if (divides_by_constant(n)) return is_steady_bound(p, loop, n);
    if (n->kind != N_PAREN && !is_operation(n, "+-*")) return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady_part(p, loop, n->child[c], x)) return false;
    return true;
}

/* How many variables a product has at most, which 128 bits hold. */
static int degree(const node *n) {
    int64_t value;
    int most = 0, sum = 0;
    if (constant_value(n, &value)) return 0;
    if (n->kind == N_NAME || divides_by_constant(n)) return 1;
    for (size_t c = 0; c < n->count; c++) {
        const int own = degree(n->child[c]);
        sum += own;
        most = own > most ? own : most;
    }
    return is_operation(n, "*") ? sum : most;
}

/* ---- Loops */

/* Whether the loop's variable stays between the first value and the limit: an unsigned one that counts down may pass
 * 0. */
static bool stays_between(const node *loop, const counting_loop *c) {
    const type *t = c->variable->type;
    if (!is_wide_or_signed(t) || element_bytes(t->element) < 4 || is_volatile(c->variable)) return false;
    return (element_is_signed(t->element) || c->step > 0) && changes_in_head_only(loop, c);
}

static bool mentions(const node *n, const symbol *s) {
    if (n->kind == N_NAME && n->symbol == s) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions(n->child[c], s)) return true;
    return false;
}

bool steps_within(const program *p, const node *outermost, const node *n, const node *of, stepped_subscript *x) {
    *x = (stepped_subscript){.loop = outermost, .subscript = of};
    for (const node *at = n; at != outermost; at = at->parent) {
        const node *loop = at->parent;
        counting_loop c;
        if (!loop) return false;
        if (loop->kind != N_FOR || loop->child[3] != at || !counting_loop_of(loop, &c) || !mentions(of, c.variable) ||
            loop_of_variable(x, c.variable))
            continue;
        if (x->loops == CHECKED_LOOPS || !stays_between(loop, &c) || power_of(of, c.variable) > 1 ||
            !is_steady_bound(p, outermost, c.first) || !is_steady_bound(p, outermost, c.limit))
            return false;
        x->count[x->loops++] = c;
    }
    return is_steady_part(p, outermost, of, x) && degree(of) <= 2;
}

bool is_decided_in(const node *loop, const node *n) {
    for (; n != loop && n->parent; n = n->parent) {
        const node *up = n->parent;
        bool negated;
        if (condition_at(up, n, &negated) || up->kind == N_IF || up->kind == N_SWITCH || up->kind == N_WHILE)
            return true;
    }
    return false;
}

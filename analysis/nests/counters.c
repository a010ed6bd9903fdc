/* Pass "nests": heads of loops, whose variables must count as numbers do. */
#include <string.h>

#include "../model/knowledge.h"
#include "nests.h"

static bool is_variable(const node *n, const symbol *s) {
    n = inside_parentheses((node *)n);
    return n->kind == N_NAME && n->symbol == s;
}

/* Takes `i = a` or `int i = a`; false: it is neither. */
static bool take_start(node *start, nest_loop *l) {
    if (!start) return false;
    if (start->kind == N_ASSIGN && start->child[0]->kind == N_NAME && !strcmp(start->op, "=")) {
        l->variable = start->child[0]->symbol;
        l->lower = start->child[1];
    } else if (start->kind == N_DECLARATION && start->count == 2 && start->child[1]->kind == N_INIT_DECLARATOR &&
               start->child[1]->count > 1 && start->child[1]->child[1] &&
               start->child[1]->child[0]->kind == N_DECL_NAME) {
        l->variable = start->child[1]->child[0]->symbol;
        l->lower = start->child[1]->child[1];
    }
    return l->variable && l->lower && l->variable->kind == SYMBOL_VARIABLE;
}

/* The step of `i++`, `i += c`, `i = i + c` and the like; 0: something else. */
static int64_t step_of(const node *n, const symbol *s) {
    int64_t value = 1;
    if (!n || n->count == 0 || !is_variable(n->child[0], s)) return 0;
    if (n->kind == N_POSTFIX || n->kind == N_UNARY) return !strcmp(n->op, "++") ? 1 : !strcmp(n->op, "--") ? -1 : 0;
    if (n->kind != N_ASSIGN) return 0;
    const node *by = n->child[1];
    bool minus = !strcmp(n->op, "-=");
    if (!strcmp(n->op, "=")) {
        by = inside_parentheses((node *)by);
        if (by->kind != N_BINARY || (strcmp(by->op, "+") != 0 && strcmp(by->op, "-") != 0)) return 0;
        minus = by->op[0] == '-';
        if (is_variable(by->child[0], s))
            by = by->child[1];
        else if (!minus && is_variable(by->child[1], s))
            by = by->child[0];
        else
            return 0;
    } else if (!minus && strcmp(n->op, "+=") != 0)
        return 0;
    if (!step_value(by, &value) || value > INT32_MAX || value < -INT32_MAX) return 0;
    return minus ? -value : value;
}

/* c of `i + c`, a small positive number; 0: it is something else. */
static int64_t added_to(node *n, const symbol *s) {
    enum { MOST_ADDED = 1000 };
    int64_t value = 0;
    n = inside_parentheses(n);
    if (n->kind != N_BINARY || strcmp(n->op, "+") != 0 || !is_variable(n->child[0], s)) return 0;
    return constant_value(n->child[1], &value) && value > 0 && value <= MOST_ADDED ? value : 0;
}

/* Takes the bounds of a loop that steps up or, by 1, down; false: they have another form. */
static bool take_bounds(node *condition, int64_t step, nest_loop *l) {
    if (!condition || condition->kind != N_BINARY || step == 0 || step < -1) return false;
    const bool swapped = is_variable(condition->child[1], l->variable);
    const char *op = condition->op;
    const int64_t more = added_to(condition->child[0], l->variable);
    if ((!swapped && more == 0 && !is_variable(condition->child[0], l->variable)) || (op[0] != '<' && op[0] != '>'))
        return false;
    if (op[1] && strcmp(op + 1, "=") != 0) return false;
    node *limit = condition->child[swapped ? 0 : 1];
    if (((op[0] == '<') != swapped) != (step > 0)) return false;
    l->down = step < 0;
    l->step = step < 0 ? 1 : step;
    if (l->down) {
        l->upper = l->lower;
        if (more != 0) return false;
        l->lower = limit;
        l->lower_more = op[1] ? 0 : 1;
    } else {
        l->upper = limit;
        l->added = more != 0;
        l->upper_more = (op[1] ? 0 : -1) - more;
    }
    return !mentions_symbol(l->lower, l->variable) && !mentions_symbol(l->upper, l->variable);
}

/* ---- Heads with != */

static bool leaves_loop(const node *n) {
    if (n->kind == N_BREAK || n->kind == N_GOTO || n->kind == N_RETURN) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && leaves_loop(n->child[c])) return true;
    return false;
}

/* Whether a loop that counts by step to another number than its limit never begins beyond: if it did, it would pass the
 * end of a signed type; of an unsigned one that is known where one end is 0. */
static bool ends_as_it_should(const nest_loop *l, const node *limit, int64_t step) {
    const symbol *s = l->variable;
    int64_t value;
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(l->loop->child[3], s->assignment[k])) return false;
    if (leaves_loop(l->loop->child[3]) || mentions_symbol(limit, s)) return false;
    if (type_is_signed_integer(s->type)) return true;
    return constant_value(step > 0 ? l->lower : limit, &value) && value == 0;
}

static void settle_unequal_head(node *n) {
    nest_loop l = {.loop = n};
    node *condition = n->child[1];
    if (!condition || condition->kind != N_BINARY || strcmp(condition->op, "!=") != 0 || !take_start(n->child[0], &l))
        return;
    const int64_t step = step_of(n->child[2], l.variable);
    const bool swapped = is_variable(condition->child[1], l.variable);
    if ((step != 1 && step != -1) || (!swapped && !is_variable(condition->child[0], l.variable))) return;
    if (ends_as_it_should(&l, condition->child[swapped ? 0 : 1], step))
        condition->op = (step > 0) != swapped ? "<" : ">";
}

void settle_unequal_heads(node *n) {
    if (n->kind == N_FOR) settle_unequal_head(n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_unequal_heads(n->child[c]);
}

/* ---- What counts as numbers do */

/* Whether the value is the same number whatever type it is compared in: no unsigned arithmetic, which goes round; of 64
 * bits, `i < n - 1`, it does so only where a program has far more iterations than elements. */
static bool is_plain_bound(const node *n) {
    const type *t = n->type;
    int64_t value;
    if (type_is_long_unsigned(t) && n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]))
        return is_plain_bound(n->child[0]) && is_plain_bound(n->child[1]);
    if (constant_value(n, &value) || n->kind == N_SIZEOF) return true;
    if (!t || t->kind != TYPE_ARITHMETIC || !element_is_integer(t->element)) return false;
    if (n->kind == N_PAREN) return is_plain_bound(n->child[0]);
    const bool goes_round = type_is_unsigned(t);
    const bool divides = n->kind == N_BINARY && (!strcmp(n->op, "/") || !strcmp(n->op, "%"));
    if (goes_round && n->kind != N_NAME && n->kind != N_MEMBER && n->kind != N_INDEX && !divides) return false;
    if (n->kind != N_BINARY && n->kind != N_UNARY) return n->kind != N_CAST || is_plain_bound(n->child[1]);
    for (size_t c = 0; c < n->count; c++)
        if (!is_plain_bound(n->child[c])) return false;
    return true;
}

static bool fits(element e, int64_t value) {
    const int64_t bits = 8 * element_bytes(e) - (element_is_signed(e) ? 1 : 0);
    return value >= (element_is_signed(e) ? -((int64_t)1 << bits) : 0) && value < (int64_t)1 << bits;
}

/* Whether a variable of 64 bits that counts down never passes 0: i > 0, i >= 1. */
static bool stops_above_zero(const nest_loop *l) {
    int64_t limit;
    return type_is_long_unsigned(l->variable->type) && constant_value(l->lower, &limit) && limit + l->lower_more > 0;
}

/* Whether the variable counts as numbers do: comparisons are of numbers, it does not go round before its limit. */
static const char *counting_obstacle(const nest *x, const nest_loop *l) {
    const type *t = l->variable->type;
    int64_t lower = 0, upper = 0;
    const bool constant = constant_value(l->lower, &lower) && constant_value(l->upper, &upper);
    if (!t || t->kind != TYPE_ARITHMETIC || !element_is_integer(t->element)) return "is no integer";
    const bool narrow = element_bytes(t->element) < 4;
    if (t->element == ELEMENT_BOOL || element_bytes(t->element) > 8) return "is no integer";
    if (narrow && (!constant || !fits(t->element, lower - 1 + l->lower_more) || !fits(t->element, upper + l->step + 1)))
        return "is too narrow to be sure that it reaches its limit";
    const bool goes_round = type_is_unsigned(t);
    if (goes_round && l->down && !stops_above_zero(l)) return "is unsigned and counts down";
    if (goes_round && !type_is_long_unsigned(l->lower->type) && !(constant_value(l->lower, &lower) && lower >= 0))
        return "is unsigned, and may begin below 0";
    if (goes_round && !l->down && may_begin_below_zero(x->p, l->loop, l->lower))
        return "is unsigned, and begins at a difference, which may go round";
    if (goes_round && !type_is_unsigned(l->upper->type) && !(constant_value(l->upper, &upper) && upper >= 0))
        return "is unsigned, and its limit is signed";
    if (!goes_round && (type_is_unsigned(l->upper->type) || type_is_unsigned(l->lower->type)) &&
        !(constant_value(l->lower, &lower) && lower >= 0))
        return "is compared with an unsigned number, and may be below 0";
    return is_plain_bound(l->lower) && is_plain_bound(l->upper) ? NULL : "has bounds whose arithmetic may go round";
}

/* Only heads of loops change the variable, and nothing needs its last value. */
static void check_variable(nest *x, const nest_loop *l) {
    const symbol *s = l->variable;
    for (size_t k = 0; k < s->assignments; k++) {
        const node *n = s->assignment[k], *above = n->parent;
        while (above && above->kind == N_PAREN) above = above->parent;
        if (above && above->kind == N_UNARY && above->op[0] == '&') {
            stop_nest(x, l->loop, "the address of '%s' is taken", s->name);
            return;
        }
        if (node_holds(l->loop->child[3], n)) {
            stop_nest(x, (node *)n, "'%s' is changed in the body of its loop", s->name);
            return;
        }
    }
    if (node_holds(l->loop, s->declarator) || (x->in_order && is_own_variable(x, s))) return;
    if (s->file_scope || s->is_static)
        stop_nest(x, l->loop, "'%s' is not declared in the function", s->name);
    else if (is_needed_behind(x->root, s) && !may_have_last(x, l))
        stop_nest(x, l->loop, "the value of '%s' may be used behind its loop: it is not declared in the loop's head",
                  s->name);
    advise_nest(x, l->loop, "declare '%s' in the head of the loop", s->name);
}

static bool take_head(const node *n, nest_loop *l) {
    return take_start(n->child[0], l) && take_bounds(n->child[1], step_of(n->child[2], l->variable), l);
}

bool may_count(const node *n) {
    nest_loop l = {.loop = NULL};
    return take_head(n, &l);
}

bool counts_as_numbers(const nest *x, node *loop) {
    nest_loop l = {.loop = loop};
    return take_head(loop, &l) && !counting_obstacle(x, &l);
}

bool read_head(nest *x, node *n, nest_loop *l) {
    if (!take_head(n, l)) {
        stop_nest(x, n, "the head of the loop has another form than i = a; i < b; i++");
        advise_nest(x, n, "heads that count are for (i = first; i < limit; i += step), with a constant step");
        return false;
    }
    const char *obstacle = counting_obstacle(x, l);
    if (obstacle) {
        stop_nest(x, n, "'%s' %s", l->variable->name, obstacle);
        advise_nest(x, n, "declare '%s', and what its bounds are made of, as int or long", l->variable->name);
        return false;
    }
    const node *by = n->child[2]->kind == N_ASSIGN ? inside_parentheses(n->child[2]->child[1]) : n;
    if (by->kind == N_NAME && by->symbol) note_unused_outside(x->p, x->root, by->symbol); /* its number stands for it */
    check_variable(x, l);
    return !x->reason;
}

nest_loop *loop_at(const nest *x, const node *n) {
    for (int k = 0; k < x->loops; k++)
        if (x->loop[k]->loop == n) return x->loop[k];
    return NULL;
}

/* Subscripts in C loops in the bodies of independent loops: where a loop counts, and each of its iterations evaluates a
 * subscript that is linear in its variable, the first and the last value are checked as it begins, and none inside it.
 * So for loops in loops: a subscript that is linear in each variable, with factors that may be others or variables of
 * the program, is least and greatest at corners of the iteration space. */
#include <string.h>

#include "plan.h"

/* ---- Whether each iteration evaluates it */

static bool is_jump(const node *n) {
    return n->kind == N_BREAK || n->kind == N_CONTINUE || n->kind == N_RETURN || n->kind == N_GOTO;
}
static bool is_call(const node *n) {
    return n->kind == N_CALL;
}

static bool holds(const node *n, bool (*wanted)(const node *)) {
    if (wanted(n)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds(n->child[c], wanted)) return true;
    return false;
}

static bool evaluates_children(const node *n) {
    switch ((int)n->kind) {
    case N_BINARY:
        return strcmp(n->op, "&&") != 0 && strcmp(n->op, "||") != 0;
    case N_COMPOUND:
    case N_EXPRESSION:
    case N_DECLARATION:
    case N_INIT_DECLARATOR:
    case N_ASSIGN:
    case N_PAREN:
    case N_COMMA:
    case N_UNARY:
    case N_POSTFIX:
    case N_MEMBER:
    case N_INDEX:
    case N_CAST:
    case N_CALL:
        return true;
    default:
        return false;
    }
}

/* The counting loop each of whose iterations evaluates n; NULL: none. */
static node *counting_loop_around(const node *n, counting_loop *c) {
    for (; n->parent; n = n->parent) {
        node *above = n->parent;
        if (above->kind == N_FOR && above->child[3] == n)
            return counting_loop_of(above, c) && counts_undisturbed(above, c) && !holds(n, is_jump) ? above : NULL;
        if (!evaluates_children(above)) return NULL;
    }
    return NULL;
}

/* ---- Whether it is known as the loop begins */

static bool is_assigned_in(const node *loop, const symbol *s) {
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(loop, s->assignment[k])) return true;
    return node_holds(loop, s->declarator);
}

static bool keeps_value(const node *loop, const symbol *s) {
    if (s->kind == SYMBOL_ENUMERATOR) return true;
    return is_signed_integer(s) && !is_assigned_in(loop, s) &&
           (!(s->file_scope || s->is_static) || !holds(loop, is_call));
}

static bool steps(const stepped_subscript *x, const symbol *s) {
    for (int k = 0; k < x->loops; k++)
        if (x->count[k].variable == s) return true;
    return false;
}

/* Arithmetic of variables that keep their values in the loop, and of those of `but`'s loops. */
static bool is_steady(const node *loop, const node *n, const stepped_subscript *but) {
    if (n->kind == N_NAME) return n->symbol && ((but && steps(but, n->symbol)) || keeps_value(loop, n->symbol));
    if (n->kind != N_BINARY && n->kind != N_PAREN && n->kind != N_CONSTANT &&
        !(n->kind == N_UNARY && strchr("+-", n->op[0]) && !n->op[1]))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady(loop, n->child[c], but)) return false;
    return true;
}

static bool is_operator(const node *n, const char *operators) {
    return n->kind == N_BINARY && strchr(operators, n->op[0]) && !n->op[1];
}

int power_of(const node *n, const symbol *s) {
    if (n->kind == N_NAME) return n->symbol == s;
    int most = 0, sum = 0;
    for (size_t c = 0; c < n->count; c++) {
        const int own = n->child[c] ? power_of(n->child[c], s) : 0;
        sum += own;
        most = own > most ? own : most;
    }
    if (n->kind != N_BINARY || is_operator(n, "+-")) return most;
    return is_operator(n, "*") || sum == 0 ? sum : 2;
}

/* ---- What others ask */

/* The counting loop around `inside`, all of whose iterations evaluate the subscript, becomes the outermost one. */
static bool add_loop(const parallel *s, stepped_subscript *x, const node *inside) {
    stepped_subscript wider = *x;
    counting_loop *c = &wider.count[wider.loops++];
    const node *loop = counting_loop_around(inside, c);
    if (!loop || loop == s->loop->innermost || (c->step != 1 && c->step != -1)) return false;
    for (int k = 0; k < wider.loops; k++) {
        const counting_loop *own = &wider.count[k];
        if (!is_steady(loop, own->first, NULL) || !is_steady(loop, own->limit, NULL)) return false;
    }
    if (!is_steady(loop, x->subscript, &wider) || power_of(x->subscript, c->variable) > 1) return false;
    wider.loop = loop;
    *x = wider;
    return true;
}

bool is_checked_by_loop(const parallel *s, const reference *r, int d, stepped_subscript *x) {
    *x = (stepped_subscript){.subscript = r->subscript[d].node};
    if (!x->subscript || !add_loop(s, x, r->node)) return false;
    while (x->loops < CHECKED_LOOPS && add_loop(s, x, x->loop)) {
    }
    return true;
}

linear last_of_loop(const program *p, const counting_loop *c) {
    const linear limit = linear_of(p->memory, p->source, c->limit);
    return c->inclusive ? limit : linear_subtract(p->memory, limit, linear_constant(c->step));
}

/* The subscript, or a part of it, with a value for each loop's variable. */
static linear value_at(const program *p, const stepped_subscript *x, const node *n, const linear *value) {
    for (int k = 0; n->kind == N_NAME && k < x->loops; k++)
        if (x->count[k].variable == n->symbol) return value[k];
    if (n->kind == N_PAREN) return value_at(p, x, n->child[0], value);
    if (n->kind == N_UNARY) {
        const linear of = value_at(p, x, n->child[0], value);
        return n->op[0] == '-' ? linear_subtract(p->memory, linear_constant(0), of) : of;
    }
    if (!is_operator(n, "+-*")) return linear_of(p->memory, p->source, n);
    const linear left = value_at(p, x, n->child[0], value), right = value_at(p, x, n->child[1], value);
    return n->op[0] == '*'   ? linear_multiply(p->memory, left, right)
           : n->op[0] == '+' ? linear_add(p->memory, left, right)
                             : linear_subtract(p->memory, left, right);
}

/* The first values of the loops whose bit is clear in `corner`, the last ones of the others. */
static linear value_in_corner(const program *p, const stepped_subscript *x, unsigned corner) {
    linear value[CHECKED_LOOPS];
    for (int k = 0; k < x->loops; k++)
        value[k] = corner >> k & 1 ? last_of_loop(p, &x->count[k]) : linear_of(p->memory, p->source, x->count[k].first);
    return value_at(p, x, x->subscript, value);
}

/* Whether the factor of loop k's variable is a number; then whether its values fall. */
static bool is_factor_known(const program *p, const stepped_subscript *x, int k, bool *falls) {
    linear value[CHECKED_LOOPS];
    for (int other = 0; other < x->loops; other++)
        value[other] = linear_of(p->memory, p->source, x->count[other].first);
    value[k] = linear_constant(0);
    const linear at_0 = value_at(p, x, x->subscript, value);
    value[k] = linear_constant(1);
    const linear at_1 = value_at(p, x, x->subscript, value), factor = linear_subtract(p->memory, at_1, at_0);
    int64_t number = 0;
    if (!linear_value(&factor, &number)) return false;
    *falls = (number < 0) != (x->count[k].step < 0);
    return true;
}

int corners_of_subscript(const program *p, const stepped_subscript *x, corner_pair pair[1 << CHECKED_LOOPS]) {
    unsigned known = 0, rising = 0;
    for (int k = 0; k < x->loops; k++) {
        bool falls = false;
        if (!is_factor_known(p, x, k, &falls)) continue;
        known |= 1u << k;
        if (!falls) rising |= 1u << k;
    }
    const unsigned all = (1u << x->loops) - 1, falling = known & ~rising, free = all & ~known;
    int count = 0;
    for (unsigned corner = 0; corner <= all; corner++) {
        if (corner & known) continue;
        const unsigned opposite = known ? corner : free & ~corner;
        if (opposite < corner) continue;
        pair[count++] = (corner_pair){corner | falling, opposite | rising};
    }
    return count;
}

int ends_of_subscript(const program *p, const stepped_subscript *x, end_pair pair[1 << CHECKED_LOOPS]) {
    corner_pair corner[1 << CHECKED_LOOPS];
    const int count = corners_of_subscript(p, x, corner);
    for (int k = 0; k < count; k++) {
        pair[k].first = value_in_corner(p, x, corner[k].first);
        pair[k].last = value_in_corner(p, x, corner[k].last);
    }
    return count;
}

bool is_evaluated_always(const parallel *s, const reference *r) {
    counting_loop c;
    return !s->placed.clip && counting_loop_around(r->node, &c) == s->loop->innermost;
}

void plan_checks(const program *p, parallel *s) {
    for (size_t k = 0; s->loop && k < s->references; k++) {
        reference *r = &s->reference[k];
        const bool always = is_evaluated_always(s, r);
        for (int d = 0; d < r->rank; d++) {
            stepped_subscript x;
            const bool stepped = r->subscript[d].kind != SUBSCRIPT_GENERAL && !r->subscript[d].whole;
            r->subscript[d].checked = is_unchecked(p, s, r, d) && (always ? stepped : is_checked_by_loop(s, r, d, &x));
        }
    }
}

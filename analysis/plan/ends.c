/* Subscripts in C loops in the bodies of independent loops: where a loop counts, and each of its iterations evaluates a
 * subscript that is linear in its variable, the first and the last value are checked as it begins, and none inside it.
 */
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
static node *loop_around(const node *n, counting_loop *c) {
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

/* Arithmetic of variables that keep their values in the loop, and of `but`. */
static bool is_steady(const node *loop, const node *n, const symbol *but) {
    if (n->kind == N_NAME) return n->symbol && (n->symbol == but || keeps_value(loop, n->symbol));
    if (n->kind != N_BINARY && n->kind != N_PAREN && n->kind != N_CONSTANT &&
        !(n->kind == N_UNARY && strchr("+-", n->op[0]) && !n->op[1]))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady(loop, n->child[c], but)) return false;
    return true;
}

/* Splits a subscript into factor * variable + rest, which is steady. */
static bool split(const program *p, const node *loop, const counting_loop *c, const node *n, int64_t *factor,
                  linear *rest) {
    const linear x = linear_of(p->memory, p->source, n);
    *factor = 0;
    *rest = x;
    if (!is_steady(loop, n, c->variable)) return false;
    for (int t = 0; t < x.terms; t++) {
        const linear_term *term = &x.term[t];
        if (term->node && term->node->kind == N_NAME && term->node->symbol == c->variable) {
            *factor = term->coefficient;
            const linear moving =
                linear_multiply(p->memory, linear_constant(*factor), linear_atom(p->memory, term->text, term->node));
            *rest = linear_subtract(p->memory, *rest, moving);
        } else if (mentions_word(term->text, c->variable->name))
            return false;
    }
    return true;
}

/* ---- What others ask */

bool is_checked_by_loop(const program *p, const reference *r, int d, stepped_subscript *x) {
    const node *n = r->subscript[d].node;
    x->loop = n ? loop_around(r->node, &x->count) : NULL;
    if (!x->loop || (x->count.step != 1 && x->count.step != -1)) return false;
    if (!is_steady(x->loop, x->count.first, NULL) || !is_steady(x->loop, x->count.limit, NULL)) return false;
    return split(p, x->loop, &x->count, n, &x->factor, &x->rest);
}

bool is_evaluated_always(const parallel *s, const reference *r) {
    counting_loop c;
    return loop_around(r->node, &c) == s->loop->loop;
}

void plan_checks(const program *p, parallel *s) {
    for (size_t k = 0; s->loop && k < s->references; k++) {
        reference *r = &s->reference[k];
        const bool always = is_evaluated_always(s, r);
        for (int d = 0; d < r->rank; d++) {
            stepped_subscript x;
            const bool stepped = r->subscript[d].kind != SUBSCRIPT_GENERAL && !r->subscript[d].whole;
            r->checked[d] = is_unchecked(p, s, r, d) && (always ? stepped : is_checked_by_loop(p, r, d, &x));
        }
    }
}

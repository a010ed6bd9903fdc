/* Subscripts in C loops in the bodies of independent loops: where a loop counts, and each of its iterations evaluates a subscript that
 * is linear in its variable, the first and the last value are checked as it begins, and none inside it.
 *
 *     for (long j = (dpc_check_ends(&M_dist, "file.dpc:7", 1, 0 <= k, 0, k), 0); j <= k; j++) */
#include <string.h>

#include "spmd.h"

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
    return is_signed_integer(s) && !is_assigned_in(loop, s) && (!(s->file_scope || s->is_static) || !holds(loop, is_call));
}

/* Arithmetic of variables that keep their values in the loop, and of `but`. */
static bool is_steady(const node *loop, const node *n, const symbol *but) {
    if (n->kind == N_NAME) return n->symbol && (n->symbol == but || keeps_value(loop, n->symbol));
    if (n->kind != N_BINARY && n->kind != N_PAREN && n->kind != N_CONSTANT && !(n->kind == N_UNARY && strchr("+-", n->op[0]) && !n->op[1]))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady(loop, n->child[c], but)) return false;
    return true;
}

/* Splits a subscript into factor * variable + rest, which is steady. */
static bool split(const emitter *e, const node *loop, const counting_loop *c, const node *n, int64_t *factor, linear *rest) {
    const linear x = linear_of(e->memory, e->p->source, n);
    *factor = 0;
    *rest = x;
    if (!is_steady(loop, n, c->variable)) return false;
    for (int t = 0; t < x.terms; t++) {
        const linear_term *term = &x.term[t];
        if (term->node && term->node->kind == N_NAME && term->node->symbol == c->variable) {
            *factor = term->coefficient;
            const linear moving = linear_multiply(e->memory, linear_constant(*factor), linear_atom(term->text, term->node));
            *rest = linear_subtract(e->memory, *rest, moving);
        } else if (occurs_in(term->text, c->variable->name))
            return false;
    }
    return true;
}

/* The subscript for a value of the variable. */
static const char *value_text(emitter *e, int64_t factor, const linear *rest, linear value) {
    const linear x = linear_add(e->memory, *rest, linear_multiply(e->memory, linear_constant(factor), value));
    return linear_text(e->memory, &x);
}

/* The call that checks subscript d of r as its loop begins, and the loop; NULL: it is checked where it stands. */
static const char *end_check(emitter *e, const reference *r, int d, node **loop) {
    counting_loop c;
    int64_t factor;
    linear rest;
    const node *n = r->subscript[d].node;
    *loop = n ? loop_around(r->node, &c) : NULL;
    if (!*loop || (c.step != 1 && c.step != -1) || !is_steady(*loop, c.first, NULL) || !is_steady(*loop, c.limit, NULL)) return NULL;
    if (!split(e, *loop, &c, n, &factor, &rest)) return NULL;
    linear first = linear_of(e->memory, e->p->source, c.first), last = linear_of(e->memory, e->p->source, c.limit);
    const char *compare = arena_format(e->memory, "%s %s%s %s", linear_text(e->memory, &first), c.step > 0 ? "<" : ">",
                                       c.inclusive ? "=" : "", linear_text(e->memory, &last));
    if (!c.inclusive) last = linear_subtract(e->memory, last, linear_constant(c.step));
    return arena_format(e->memory, "dpc_check_ends(%s, %s, %d, %s, %s, %s), ", r->array->address, place_literal(e, r->node), d, compare,
                        value_text(e, factor, &rest, first), value_text(e, factor, &rest, last));
}

/* ---- All of a body */

/* Whether each iteration of the independent loop evaluates r: then the ends of its range tell. */
static bool is_always_evaluated(const parallel *s, const reference *r) {
    counting_loop c;
    return loop_around(r->node, &c) == s->loop->loop;
}

/* The subscripts that the independent loop steps; those of other dimensions are checked elsewhere. */
static void emit_range_check(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    reference at = *r;
    for (int d = 0; d < r->rank; d++)
        if (!r->checked[d])
            at.subscript[d] = (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = r->array->lower[d]};
    text_format(out, "%sdpc_check(&\1space, %s, (const dpc_subscript[]){%s});\n", indent, r->array->address,
                subscripts_text(e, s, &at, false));
}

void emit_range_checks(emitter *e, text *out, parallel *s, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        const bool always = is_always_evaluated(s, r);
        bool any = false;
        for (int d = 0; d < r->rank; d++) {
            node *loop;
            const bool stepped = r->subscript[d].kind != SUBSCRIPT_GENERAL && !r->subscript[d].whole;
            r->checked[d] = is_unchecked(e->p, s, r, d) && (always ? stepped : end_check(e, r, d, &loop) != NULL);
            any = any || r->checked[d];
        }
        if (always && any) emit_range_check(e, out, s, r, indent);
    }
}

void emit_end_checks(emitter *e, parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        for (int d = 0; d < s->reference[k].rank; d++) {
            node *loop;
            counting_loop c;
            const reference *r = &s->reference[k];
            if (!r->checked[d] || is_always_evaluated(s, r)) continue;
            const char *check = end_check(e, r, d, &loop);
            counting_loop_of(loop, &c);
            node *first = (node *)c.first;
            const char *start = emit_node(e, first);
            if (strstr(start, check)) continue;
            if (!strncmp(start, "(dpc_check_ends", 15)) start = arena_text(e->memory, start + 1, strlen(start) - 2);
            replace(e, first, arena_format(e->memory, "(%s%s)", check, start));
        }
}

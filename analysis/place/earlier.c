/* What an iteration of an independent loop reads of elements that it stores itself, but not before:
 *
 *     #pragma dpc independent
 *     for (long i = 0; i < n; i++)
 *         for (long j = 0; j < n; j++) d[i][j] = least(d[i][j], d[i][k] + d[k][j]);
 *
 * Iteration k reads the element d[k][j] before it stores it, and no other element of row k that it has stored: so the
 * row may be brought to all processes before the loop. */
#include "../model/inside.h"
#include "place.h"

static const node *assignment_of(const reference *stored) {
    const node *n = stored->node;
    while (n->parent && n->parent->kind == N_PAREN) n = n->parent;
    return n->parent && n->parent->kind == N_ASSIGN && n->parent->child[0] == n ? n->parent : NULL;
}

/* The loop around n, as far as that stands in the body; NULL: none. */
static const node *body_loop_around(const node *n, const node *body) {
    for (n = n->parent; n && node_holds(body, n); n = n->parent)
        if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO || n->kind == N_STATEMENT_EXPRESSION) return n;
    return NULL;
}

/* Whether both have a subscript in the same dimension that is the variable, plus the same. */
static bool go_together(const program *p, const node *x, const node *y, const symbol *variable) {
    node *name, *of_x[MAX_RANK], *of_y[MAX_RANK];
    int rank, other;
    index_chain((node *)x, &name, of_x, &rank);
    index_chain((node *)y, &name, of_y, &other);
    for (int d = 0; d < rank && d < other; d++) {
        const linear u = linear_of(p->memory, p->source, of_x[d]), v = linear_of(p->memory, p->source, of_y[d]);
        if (u.terms == 1 && u.term[0].node && linear_equal(&u, &v) &&
            inside_parentheses((node *)u.term[0].node)->symbol == variable)
            return true;
    }
    return false;
}

bool is_read_before_stored(const program *p, const parallel *s, const reference *stored, const reference *r) {
    const node *body = s->loop->body, *assignment = assignment_of(stored);
    if (!assignment || r->node->kind != N_INDEX || !node_holds(body, r->node) || holds_kind(body, N_LABEL))
        return false;
    const node *loop = body_loop_around(assignment, body);
    if (loop != body_loop_around(r->node, body)) return false;
    if (!node_holds(assignment->child[1], r->node) && r->node->last >= assignment->first) return false;
    for (; loop; loop = body_loop_around(loop, body)) {
        counting_loop c;
        if (!counting_loop_of(loop, &c) || !counts_undisturbed(loop, &c)) return false;
        if (!go_together(p, stored->node, r->node, c.variable)) return false;
    }
    return true;
}

/* Reductions in statements: computed before the statement where the language's order of evaluation allows it, so that
 * the statement itself stays as the user wrote it. */
#include <string.h>

#include "emitter.h"

/* Whether n's parts are evaluated once, in no given order: what a reduction in it reads is the same before the
 * statement. */
static bool is_unordered(const node *n) {
    if (n->kind == N_CONDITIONAL || n->kind == N_COMMA || n->kind == N_STATEMENT_EXPRESSION) return false;
    return !(n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||")));
}

/* Counts the reductions in n, and whether each stands where it may be computed beforehand. */
static bool all_may_lead(const emitter *e, const node *n, int *count) {
    if (reduction_at(e, n)) {
        ++*count;
        return true;
    }
    int before = *count;
    bool may = true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) may = all_may_lead(e, n->child[c], count) && may;
    return may && (is_unordered(n) || *count == before);
}

static void lead_with(emitter *e, node *n, text *out, const char *indent) {
    parallel *s = reduction_at(e, n);
    if (s) {
        emit_reduction(e, out, s, indent);
        s->computed_before = true;
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) lead_with(e, n->child[c], out, indent);
}

/* The expression that a statement evaluates first and always, or NULL. */
static node *leading_expression(node *n) {
    switch ((int)n->kind) {
    case N_EXPRESSION:
    case N_IF:
    case N_SWITCH:
        return n->child[0];
    case N_RETURN:
        return n->count ? n->child[0] : NULL;
    case N_DECLARATION:
        return n->count == 2 && n->child[1]->kind == N_INIT_DECLARATOR && n->child[1]->count > 1 ? n->child[1]->child[1]
                                                                                                 : NULL;
    default:
        return NULL;
    }
}

void compute_reductions_before(emitter *e, node *n) {
    node *x = leading_expression(n);
    int count = 0;
    if (e->current || !x || !n->parent || n->parent->kind != N_COMPOUND) return;
    if (!all_may_lead(e, x, &count) || count == 0) return;
    text out;
    text_start(&out, e->memory);
    const char *indent = indentation(e, n);
    lead_with(e, x, &out, indent);
    e->lead[n->first] = arena_format(e->memory, "%s\n%s", trimmed(e, &out, indent), indent);
}

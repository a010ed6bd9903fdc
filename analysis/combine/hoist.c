/* Pass "hoist": reductions that may be computed before their statement where the language's order of evaluation allows
 * it, so that the statement itself stays as the user wrote it. */
#include <string.h>

#include "combine.h"
#include "../model/types.h"

static bool may_be_called(const node *call, int calls) {
    operation op;
    intrinsic kind;
    if (reduction_call(call, &op)) return calls & MAY_REDUCE;
    return (calls & MAY_SHIFT) && intrinsic_call(call, &kind) && kind == INTRINSIC_CSHIFT;
}

bool is_pure(const node *n, int calls) {
    if (n->kind == N_ASSIGN || n->kind == N_POSTFIX || n->kind == N_STATEMENT_EXPRESSION) return false;
    if (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--"))) return false;
    if (n->kind == N_CALL && !may_be_called(n, calls)) {
        const node *callee = n->child[0];
        if (callee->kind != N_NAME || callee->symbol || library_function_result(callee->name) == ELEMENTS) return false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && n->child[c]->kind != N_RANGE && !is_pure(n->child[c], calls)) return false;
    return true;
}

/* Whether child c of n is evaluated once whenever n is, after nothing of n that may change what a reduction in it
 * reads: that is the same before the statement. */
static bool may_come_before(const node *n, size_t c) {
    if (n->kind == N_STATEMENT_EXPRESSION || n->kind == N_VERSIONS) return false;
    const bool ordered = n->kind == N_CONDITIONAL || n->kind == N_COMMA ||
                         (n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||")));
    return !ordered || c == 0;
}

/* Counts the reductions in n, and whether each stands where it may be computed beforehand. */
static bool all_may_move(const program *p, const node *n, int *count) {
    if (reduction_at(p, n)) {
        ++*count;
        return true;
    }
    bool may = true;
    for (size_t c = 0; c < n->count; c++) {
        const int before = *count;
        if (n->child[c]) may = all_may_move(p, n->child[c], count) && may;
        may = may && (may_come_before(n, c) || *count == before);
    }
    return may;
}

static void hoist_before(const program *p, const node *n, node *statement) {
    parallel *s = reduction_at(p, n);
    if (s)
        s->combined.before = statement;
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) hoist_before(p, n->child[c], statement);
}

static void hoist_from(const program *p, const node *n, node *statement) {
    int count = 0;
    if (all_may_move(p, n, &count) && count > 0) hoist_before(p, n, statement);
}

/* Whether n mentions what a declarator before number `last` of the declaration declares. */
static bool mentions_declared(const node *n, const node *declaration, size_t last) {
    if (n->kind == N_NAME && n->symbol)
        for (size_t c = 1; c < last; c++)
            for (const node *d = declaration->child[c]; d; d = d->count ? d->child[0] : NULL)
                if (d == n->symbol->declarator) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_declared(n->child[c], declaration, last)) return true;
    return false;
}

/* The initialisers of a declaration are evaluated one after the other. */
static void hoist_from_declaration(const program *p, node *declaration) {
    for (size_t c = 1; c < declaration->count; c++) {
        const node *x = declaration->child[c];
        if (!x || x->kind != N_INIT_DECLARATOR) return;
        const node *value = x->count > 1 ? x->child[1] : NULL;
        if (value && !mentions_declared(value, declaration, c)) hoist_from(p, value, declaration);
        if (!is_pure(x, MAY_REDUCE)) return;
    }
}

/* What every process executes as it stands in the source; groups look after their reductions themselves. */
static void walk(const program *p, node *n) {
    if (group_at(p, n)) return;
    if (n->parent && n->parent->kind == N_COMPOUND && !follows_pragma(p->source, n)) {
        if (n->kind == N_EXPRESSION || n->kind == N_IF || n->kind == N_SWITCH ||
            (n->kind == N_RETURN && n->count && n->child[0]))
            hoist_from(p, n->child[0], n);
        if (n->kind == N_DECLARATION) hoist_from_declaration(p, n);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) walk(p, n->child[c]);
}

/* ---- `if (A[i] < m) { m = A[i]; at = i; }`, which has become m = minval(...), at = minloc(...): the place is looked
 * for with its value */

static bool have_one_type(const reduction *x, const reduction *y) {
    return x->type && y->type && x->type->kind == TYPE_ARITHMETIC && y->type->kind == TYPE_ARITHMETIC &&
           x->type->element == y->type->element;
}

static void forget_reduction(program *p, const parallel *s) {
    size_t kept = 0;
    for (size_t k = 0; k < p->reduction_count; k++)
        if (p->reductions[k] != s) p->reductions[kept++] = p->reductions[k];
    p->reduction_count = kept;
}

static void take_values_of_places(program *p, const node *n) {
    const bool places = n->kind == N_ASSIGN && n->count == 4;
    parallel *value = places ? reduction_at(p, n->child[1]) : NULL;
    const parallel *place = places ? reduction_at(p, n->child[2]) : NULL;
    if (value && place && value->combined.before && value->combined.before == place->combined.before &&
        have_one_type(&value->reduction[0], &place->reduction[0])) {
        value->reduction[0].name = place->reduction[0].best;
        forget_reduction(p, value);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) take_values_of_places(p, n->child[c]);
}

void hoist_reductions(program *p) {
    walk(p, p->unit);
    take_values_of_places(p, p->unit);
}

/* Pass "nests": scalars that go from each iteration to the next, as in
 *
 *     for (i = 0; i < n; i++) { x = a * x + B[i]; A[i] = x; }
 *
 * Processes that own blocks of A execute their iterations one after the other, and give x to the next.  Each scalar
 * that stands in the way of another form is noted as the nest is read, which is then read once more. */
#include "nests.h"

bool carries_scalar(const nest *x, const symbol *s) {
    for (int k = 0; k < x->carrieds; k++)
        if (x->carried[k] == s) return true;
    return false;
}

/* A number of a type that MPI knows how to send as bytes, which nothing but the program's statements changes. */
static bool may_be_carried(const nest *x, const symbol *s) {
    const node *d = s->declaration;
    if (s->kind != SYMBOL_VARIABLE || !s->type || s->type->kind != TYPE_ARITHMETIC || s->array || is_volatile(s))
        return false;
    if (node_holds(x->root, s->declarator)) return false;
    return d && d->count > 0 && d->child[0] && d->child[0]->kind == N_SPECIFIERS &&
           !specifiers_have(d->child[0], "_Thread_local");
}

void want_carried(nest *x, const symbol *s) {
    if (x->carries && !x->wants && !x->reason && s && may_be_carried(x, s)) x->wants = s;
}

bool may_break(nest *x, const node *n) {
    const node *left = n->parent;
    if (!x->carries || n->kind != N_BREAK) return false;
    while (left->kind != N_FOR && left->kind != N_WHILE && left->kind != N_DO && left->kind != N_SWITCH)
        left = left->parent;
    x->breaks = x->breaks || left == x->root;
    return left == x->root;
}

bool may_have_last(nest *x, const nest_loop *l) {
    if (!x->carries || l->loop != x->root) return false;
    x->last = l->variable;
    return true;
}

void check_carried(nest *x) {
    for (int k = 0; k < x->carrieds; k++) {
        const symbol *s = x->carried[k];
        if (x->calls && (s->file_scope || s->is_static))
            stop_nest(x, x->root, "a function that is called in it may use '%s'", s->name);
        if (is_address_taken(s) && (x->calls || x->reads_memory))
            stop_nest(x, x->root, "'%s' may be read through a pointer", s->name);
    }
}

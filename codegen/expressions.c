/* C text of expressions, of what subscripts apply to, and of bounds. */
#include <string.h>

#include "emitter.h"

/* ---- Lower bounds of arrays that are C arrays in the output */

const char *lower_bound(emitter *e, const node *base, int d) {
    const char *lower = lower_bound_text(e->memory, e->p->source, base, d);
    if (lower) use_names_in(e, lower);
    return lower;
}

/* A variable's name: of an ordinary array in reduction(...), that of the process's parts. */
static const char *name_of_part(const emitter *e, const node *name) {
    const independent_loop *x = e->summed ? e->summed : e->current && !e->serial ? e->current->loop : NULL;
    for (size_t k = 0; x && k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        if (r->symbol == name->symbol &&
            (e->summed ? r->exact && r->kind != PARTIAL_VARIABLE : r->kind == PARTIAL_MEMORY))
            return r->name;
    }
    return name->name;
}

const char *base_text(emitter *e, node *base) {
    if (base->kind == N_NAME) return name_of_part(e, base);
    forget_replacements(e, base->first, base->first); /* perhaps a whole chain that begins here, rewritten earlier */
    const char *s = expression(e, base);
    return base->kind == N_MEMBER ? s : parenthesise(e, s);
}

const char *extent_text(emitter *e, const array *a, int d) {
    linear extent = linear_subtract(e->memory, a->upper[d], a->lower[d]);
    extent = linear_add(e->memory, extent, linear_constant(1));
    return linear_words(e, &extent);
}

void rewrite_absolute(emitter *e, node *n) {
    const node *f = n->child[0];
    if (f->kind != N_NAME || f->symbol || strcmp(f->name, "abs") != 0 || n->count != 2) return;
    const type *t = n->child[1]->type;
    if (!t || t->kind != TYPE_ARITHMETIC || element_promoted(t->element) == ELEMENT_INT) return;
    static const char *const names[ELEMENTS] = {
        [ELEMENT_LONG] = "labs",           [ELEMENT_LONG_LONG] = "llabs",           [ELEMENT_FLOAT] = "fabsf",
        [ELEMENT_DOUBLE] = "fabs",         [ELEMENT_LONG_DOUBLE] = "fabsl",         [ELEMENT_FLOAT_COMPLEX] = "cabsf",
        [ELEMENT_DOUBLE_COMPLEX] = "cabs", [ELEMENT_LONG_DOUBLE_COMPLEX] = "cabsl",
    };
    if (names[t->element]) replace(e, f, names[t->element]);
}

/* ---- By the walk (walk.c) */

void rewrite(emitter *e, node *n) {
    e->walk->rewrite(e, n);
}

void emit_reduction(emitter *e, const parallel *s) {
    e->walk->reduction(e, s);
}

const char *placed_reduction(emitter *e, const char *name, size_t length) {
    return e->walk->placed(e, name, length);
}

const char *made_operand(emitter *e, node *n) {
    forget_replacements(e, n->first, n->last); /* of another copy of it */
    return expression(e, n);
}

const char *expression(emitter *e, node *n) {
    rewrite(e, n);
    return emit_node(e, n);
}

/* Where references stand: their home, and whether two mappings, subscripts or references are the same. */
#include <string.h>

#include "model.h"

/* ---- Places in arrays */

const reference *home_of(const parallel *s) {
    if (s->placed.home == HOME_REPLICATED) return NULL;
    return s->placed.home == HOME_LEFT ? &s->left : &s->reference[s->placed.home];
}

int home_dimension(const reference *home, int index) {
    int found = -1;
    for (int d = 0; home && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind != SUBSCRIPT_AFFINE || u->index != index) continue;
        if (found < 0 || may_be_distributed(home->array, d)) found = d;
    }
    return found;
}

/* ---- Chains of alignments */

array *end_of_chain(const array *a) {
    while (a->alignment) a = a->alignment->with;
    return (array *)a;
}

bool moves_along(const array *a, const array *moved) {
    while (a != moved && a->alignment) a = a->alignment->with;
    return a == moved;
}

symbol *realigned_symbol(const node *directive) {
    const node *n = directive->child[0];
    while (n->kind == N_INDEX) n = n->child[0];
    return n->symbol;
}

static const array *named_array(const node *name) {
    return name->symbol ? name->symbol->array : NULL;
}

/* An array that is realigned may follow any. */
bool directive_remaps(const node *directive, const array *a) {
    if (directive->kind == N_REALIGN) return realigned_symbol(directive) == a->symbol;
    for (size_t c = 2; c < directive->count; c++) {
        const array *moved = named_array(directive->child[c]);
        if (moved && (moves_along(a, moved) || (a->realigned && moved->followed))) return true;
    }
    return false;
}

/* ---- Comparing mappings */

bool same_symbols(const linear *x, const linear *y) {
    for (int t = 0; t < x->terms; t++)
        for (int u = 0; u < y->terms; u++) {
            const node *n = x->term[t].node, *m = y->term[u].node;
            if (n && m && n->symbol != m->symbol && !strcmp(x->term[t].text, y->term[u].text)) return false;
        }
    return true;
}

/* Whether expressions written alike, of a and of b, are alike: the arrays are created by one directive, or nothing
 * changes in between. */
bool stable_between(const linear *x, const linear *y, const array *a, const array *b) {
    if (linear_is_constant(x)) return true;
    if (!same_symbols(x, y)) return false;
    if (a->directive == b->directive) return true;
    if (a->symbol->scope != b->symbol->scope) return false;
    size_t from = a->symbol->declarator->first, to = b->directive->last;
    if (from > b->symbol->declarator->first) {
        from = b->symbol->declarator->first;
        to = a->directive->last;
    }
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        if (!n || n->kind != N_NAME || !n->symbol) return false;
        if (n->symbol->file_scope && n->symbol->assignments > 0) return false;
        if (may_change_between(n->symbol, from, to)) return false;
    }
    return true;
}

bool equal_extents(const program *p, const array *a, int d, const array *b, int e) {
    linear x = linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]);
    linear y = linear_subtract(p->memory, b->written_upper[e], b->written_lower[e]);
    return linear_equal(&x, &y) && stable_between(&x, &y, a, b);
}

bool equal_formats(const program *p, const array *a, int d, const array *b, int e) {
    if (!same_format(&a->mapping, d, &b->mapping, e)) return false;
    const linear *block = written_block(&a->mapping, d);
    return block ? stable_between(block, written_block(&b->mapping, e), a, b) : equal_extents(p, a, d, b, e);
}

bool equal_subscripts(const subscript *x, const subscript *y, const linear *offset_x, const linear *offset_y) {
    if (x->kind != y->kind || x->kind == SUBSCRIPT_GENERAL) return false;
    return linear_equal(offset_x, offset_y) &&
           (x->kind == SUBSCRIPT_INVARIANT || (x->index == y->index && linear_equal(&x->stride, &y->stride)));
}

/* Whether x's dimension d and y's dimension e touch elements at the same place of equal mappings. */
bool aligned(const program *p, const reference *x, int d, const reference *y, int e) {
    linear u = linear_subtract(p->memory, x->subscript[d].offset, x->array->lower[d]);
    linear v = linear_subtract(p->memory, y->subscript[e].offset, y->array->lower[e]);
    if (!equal_subscripts(&x->subscript[d], &y->subscript[e], &u, &v)) {
        bool alike = linear_equal(&x->array->written_lower[d], &y->array->written_lower[e]) &&
                     stable_between(&x->array->written_lower[d], &y->array->written_lower[e], x->array, y->array);
        if (!alike ||
            !equal_subscripts(&x->subscript[d], &y->subscript[e], &x->subscript[d].offset, &y->subscript[e].offset))
            return false;
    }
    return equal_formats(p, x->array, d, y->array, e);
}

static bool same_text(const program *p, const subscript *x, const subscript *y) {
    if (!x->node || !y->node) return false;
    return !strcmp(ast_quote(p->memory, p->source, x->node), ast_quote(p->memory, p->source, y->node));
}

bool same_subscripts(const program *p, const reference *x, const reference *y) {
    for (int d = 0; d < x->rank; d++) {
        const subscript *u = &x->subscript[d], *v = &y->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL && v->kind == SUBSCRIPT_GENERAL && same_text(p, u, v)) continue;
        if (!equal_subscripts(u, v, &u->offset, &v->offset)) return false;
    }
    return true;
}

static bool is_local_to_same_array(const program *p, const reference *home, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        if (!may_be_distributed(r->array, d)) continue;
        const subscript *u = &r->subscript[d], *v = &home->subscript[d];
        bool same = u->kind == SUBSCRIPT_GENERAL ? v->kind == u->kind && same_text(p, u, v)
                                                 : equal_subscripts(u, v, &u->offset, &v->offset);
        if (!same) return false;
    }
    return true;
}

bool reference_is_local(const program *p, const reference *home, const reference *r) {
    const array *a = home->array, *b = r->array;
    if (a == b) return is_local_to_same_array(p, home, r);
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return false;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    while (d < a->rank && e < b->rank) {
        if (!aligned(p, home, d, r, e)) return false;
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    return d == a->rank && e == b->rank;
}

bool stands_as_home(const program *p, const parallel *s, const reference *r, int d) {
    const reference *home = home_of(s);
    const int e = home_dimension(home, r->subscript[d].index);
    const bool divided = divides(&r->array->mapping, d);
    if (e >= 0 && aligned(p, home, e, r, d) && equal_extents(p, home->array, e, r->array, d))
        return !divided || grid_dimension(&home->array->mapping, e) == grid_dimension(&r->array->mapping, d);
    return !divided && !s->placed.clip && (e < 0 || !divides(&home->array->mapping, e));
}

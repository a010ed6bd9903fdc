/* --check=all: which elements of `independent` loops are noted, and under which names. */
#include "spmd.h"

const char *recorded_name(emitter *e, const symbol *s) {
    return arena_format(e->memory, "\1%s_assigned", s ? s->name : "left");
}

int recorded_indices(const parallel *s) {
    int count = 0;
    if (s->loop) return s->loop->loops;
    while (count < s->indices && s->index[count].reduction < 0) count++;
    return count;
}

/* Whether subscript d of both goes with the loop's variable k alone, in the same way. */
static bool goes_alike(const reference *x, const reference *y, int d, int k) {
    const subscript *u = &x->subscript[d], *v = &y->subscript[d];
    return u->kind == SUBSCRIPT_AFFINE && v->kind == SUBSCRIPT_AFFINE && !u->whole && !v->whole && u->index == k &&
           v->index == k && linear_is_constant(&u->stride) && u->stride.constant != 0 &&
           linear_equal(&u->stride, &v->stride) && linear_equal(&u->offset, &v->offset);
}

/* Whether r stays, in dimension d, before or behind the elements that x has with all values of variable k: as L[k][j]
 * beside L[i][j], i = k+1 .. */
static bool stays_beside(emitter *e, const parallel *s, const reference *x, const reference *r, int d, int k) {
    const subscript *u = &x->subscript[d], *v = &r->subscript[d];
    const loop_index *i = &s->index[k];
    if (u->kind != SUBSCRIPT_AFFINE || u->whole || u->index != k || !linear_is(&u->stride, 1) ||
        v->kind != SUBSCRIPT_INVARIANT || !linear_is_constant(&i->stride))
        return false;
    const linear *low = i->stride.constant > 0 ? &i->lower : &i->upper;
    const linear *high = i->stride.constant > 0 ? &i->upper : &i->lower;
    const linear at = linear_subtract(e->memory, v->offset, u->offset);
    const linear below = linear_subtract(e->memory, *low, at), above = linear_subtract(e->memory, at, *high);
    return (linear_is_constant(&below) && below.constant > 0) || (linear_is_constant(&above) && above.constant > 0);
}

static const reference *first_stored(const parallel *s, const symbol *name) {
    for (size_t j = 0; j < s->references; j++)
        if (s->reference[j].symbol == name && s->reference[j].array && s->reference[j].stored) return &s->reference[j];
    return NULL;
}

/* Whether some subscript shows that no element that an iteration assigns is touched by one with another value of
 * variable k. */
static bool are_told_apart(emitter *e, const parallel *s, const symbol *name, int k) {
    const reference *first = first_stored(s, name);
    for (int d = 0; first && d < first->rank; d++) {
        bool apart = true;
        for (size_t j = 0; j < s->references && apart; j++) {
            const reference *r = &s->reference[j];
            if (r->symbol != name || !r->array || r->rank < r->array->rank) continue;
            apart = goes_alike(first, r, d, k) || (!r->stored && stays_beside(e, s, first, r, d, k));
        }
        if (apart) return true;
    }
    return !first;
}

static bool is_partial(const independent_loop *x, const symbol *s) {
    for (size_t k = 0; k < x->partials; k++)
        if (x->partial[k].symbol == s) return true;
    return false;
}

bool records_accesses(emitter *e, const parallel *s, const symbol *name) {
    const independent_loop *x = s->loop;
    bool stored = false;
    if (!e->p->check_all || !x || !x->directive || x->directive->made || x->pipeline || !name || !name->array ||
        is_partial(x, name))
        return false;
    for (size_t k = 0; k < x->stores; k++) stored = stored || x->store[k] == name;
    for (int k = 0; k < x->loops && stored; k++)
        if (!are_told_apart(e, s, name, k)) return true;
    return false;
}

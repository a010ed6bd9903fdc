/* Where references stand: their home, and whether two mappings, subscripts or references are the same. */
#include <string.h>

#include "../../runtime/halo.h"
#include "model.h"

/* ---- Places in arrays */

bool has_parts_of_processes(const parallel *s) {
    return s->placed.home != HOME_REPLICATED || s->placed.in_parts;
}

const reference *home_of(const parallel *s) {
    if (s->placed.home == HOME_REPLICATED) return NULL;
    return s->placed.home == HOME_LEFT ? &s->left : &s->reference[s->placed.home];
}

bool executes_once(const parallel *s) {
    const reference *home = home_of(s);
    const bool combines = s->kind == PARALLEL_REDUCTION || (s->loop && s->loop->partials > 0);
    return combines && home && may_have_copies(home->array);
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

/* ---- Comparing mappings */

/* From where the first of two arrays is declared to where the mapping of the second is known. */
static stretch stretch_of(const array *a, const array *b) {
    stretch reach = {0};
    const array *const both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        widen_stretch(&reach, both[k]->symbol->scope, both[k]->symbol->declarator->first,
                      both[k]->symbol->declarator->first);
        widen_stretch(&reach, both[k]->symbol->scope, both[k]->directive->last, both[k]->directive->last);
    }
    return reach;
}

bool equal_values(const program *p, const linear *x, const array *a, const linear *y, const array *b) {
    if (linear_is_constant(x) && linear_is_constant(y)) return x->constant == y->constant;
    stretch reach = stretch_of(a, b);
    const linear u = traced(p, *x, &reach, 0), v = traced(p, *y, &reach, 0);
    return linear_equal(&u, &v) && same_symbols(&u, &v) && stays_within(p, &u, &reach);
}

bool equal_extents(const program *p, const array *a, int d, const array *b, int e) {
    const linear saved = linear_subtract(p->memory, a->upper[d], a->lower[d]);
    const linear other = linear_subtract(p->memory, b->upper[e], b->lower[e]);
    if (linear_equal(&saved, &other)) return true; /* of one constant, which is made where the first is declared */
    if (are_assumed_alike(a, d, b, e) && !written_block(&a->mapping, d)) return true;
    linear x = linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]);
    linear y = linear_subtract(p->memory, b->written_upper[e], b->written_lower[e]);
    return equal_values(p, &x, a, &y, b);
}

bool near_extents(const program *p, const array *a, int d, const array *b, int e, int64_t *more) {
    *more = 0;
    if (are_assumed_near(a, d, b, e)) return !equal_extents(p, a, d, b, e);
    if (a->alignment || b->alignment || a->is_template || b->is_template) return false;
    if (!in_one_block(&a->mapping, d) || !same_kind(&a->mapping, d, &b->mapping, e)) return false;
    if (written_block(&a->mapping, d) || written_block(&b->mapping, e)) return false;
    stretch reach = stretch_of(a, b);
    const linear x = traced(p, linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]), &reach, 0);
    const linear y = traced(p, linear_subtract(p->memory, b->written_upper[e], b->written_lower[e]), &reach, 0);
    const linear between = linear_subtract(p->memory, y, x);
    *more = between.constant;
    return linear_is_constant(&between) && *more != 0 && *more >= -DPC_MOST_BETWEEN && *more <= DPC_MOST_BETWEEN &&
           same_symbols(&x, &y) && stays_within(p, &x, &reach);
}

linear origin_of(const program *p, const array *a, int d) {
    return linear_subtract(p->memory, a->lower[d], linear_constant(a->lead[d]));
}

bool equal_lowers(const program *p, const array *a, int d, const array *b, int e) {
    if (a->lead[d] != b->lead[e]) return false;
    if (linear_equal(&a->lower[d], &b->lower[e]) || have_assumed_lowers(a, d, b, e)) return true;
    return equal_values(p, &a->written_lower[d], a, &b->written_lower[e], b);
}

/* The directive that names a vector. */
static const node *directive_with(const node *n) {
    while (n->kind != N_DISTRIBUTE && n->kind != N_REDISTRIBUTE) n = n->parent;
    return n;
}

/* Whether the vectors of two arrays with gen_block are the same one, with the same entries when each gets the mapping:
 * one directive gives it to both, or nothing changes them between two that create arrays. */
static bool equal_tables(const program *p, const array *a, const node *x, const array *b, const node *y) {
    const symbol *first = end_of_chain(a)->symbol, *second = end_of_chain(b)->symbol;
    const node *one = directive_with(x), *other = directive_with(y);
    if (first == second) return x == y;
    if (first->file_scope != second->file_scope || first->is_static != second->is_static) return false;
    if (one != other && (first->is_static || one->kind == N_REDISTRIBUTE || other->kind == N_REDISTRIBUTE))
        return false;
    stretch reach = {0};
    widen_stretch(&reach, first->scope, one->first, one->last);
    widen_stretch(&reach, second->scope, other->first, other->last);
    return stays_alike(p, x, y, &reach);
}

bool equal_formats(const program *p, const array *a, int d, const array *b, int e) {
    const node *sizes = block_sizes(&a->mapping, d), *others = block_sizes(&b->mapping, e);
    if (sizes && others) return equal_tables(p, a, sizes, b, others);
    const linear *x = written_block(&a->mapping, d), *y = written_block(&b->mapping, e);
    if (!same_kind(&a->mapping, d, &b->mapping, e) || !x != !y) return false;
    if (are_assumed_alike(a, d, b, e) || (a == b && x && linear_equal(x, y))) return true;
    return x ? equal_values(p, x, a, y, b) : equal_extents(p, a, d, b, e);
}

bool equal_subscripts(const subscript *x, const subscript *y, const linear *offset_x, const linear *offset_y) {
    if (x->kind != y->kind || x->kind == SUBSCRIPT_GENERAL) return false;
    return linear_equal(offset_x, offset_y) &&
           (x->kind == SUBSCRIPT_INVARIANT || (x->index == y->index && linear_equal(&x->stride, &y->stride)));
}

/* Whether x's dimension d and y's dimension e touch elements at the same place of equal mappings. */
bool aligned(const program *p, const reference *x, int d, const reference *y, int e) {
    linear u = linear_subtract(p->memory, x->subscript[d].offset, origin_of(p, x->array, d));
    linear v = linear_subtract(p->memory, y->subscript[e].offset, origin_of(p, y->array, e));
    if (!equal_subscripts(&x->subscript[d], &y->subscript[e], &u, &v)) {
        if (!equal_lowers(p, x->array, d, y->array, e) ||
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
    if (x->rank != y->rank) return false;
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
    if (a->apart || b->apart) {
        reference beside = copy_of_reference(p->memory, r);
        beside.placed.relation = RELATION_LOCAL;
        return meets_home(p, home, &beside, false) && !has_own_places(&beside);
    }
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return false;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    while (d < a->rank && e < b->rank) {
        if (!aligned(p, home, d, r, e)) return false;
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    return d == a->rank && e == b->rank;
}

bool same_holders(const program *p, const reference *x, const reference *y) {
    return reference_is_local(p, x, y) && reference_is_local(p, y, x);
}

bool stands_as_home(const program *p, const parallel *s, const reference *r, int d) {
    const reference *home = home_of(s);
    const int e = home_dimension(home, r->subscript[d].index);
    const bool divided = divides(&r->array->mapping, d);
    if (e >= 0 && aligned(p, home, e, r, d) && equal_extents(p, home->array, e, r->array, d))
        return !divided || grid_dimension(&home->array->mapping, e) == grid_dimension(&r->array->mapping, d);
    return !divided && !s->placed.clip && (e < 0 || !divides(&home->array->mapping, e));
}

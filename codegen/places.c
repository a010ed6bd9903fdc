/* Where the elements of a reference in place stand: local indices of home's subscripts and of what is read beside it,
 * as linear forms.  No name in them is used before it is printed. */
#include <string.h>

#include "spmd.h"

/* ---- Subscripts, names */

linear subscript_linear(emitter *e, const parallel *s, const subscript *u) {
    if (u->kind == SUBSCRIPT_INVARIANT) return u->offset;
    linear moving = linear_multiply(e->memory, u->stride, linear_atom(e->memory, s->index[u->index].name, NULL));
    return linear_add(e->memory, u->offset, moving);
}

const char *declared_size(emitter *e, const array *a, int d) {
    const char *name = a->symbol->name;
    if (d == a->rank - 1) return fresh_name(e->p, arena_format(e->memory, "%s_row", name));
    if (a->rank == 3) return fresh_name(e->p, arena_format(e->memory, "%s_rows", name));
    return fresh_name(e->p, arena_format(e->memory, "%s_size%d", name, d));
}

const char *size_text(emitter *e, const array *a, int d) {
    return arena_format(e->memory, "%sacross[%d]", a->access, d);
}

const char *restrict_word(const emitter *e, const parallel *s, const array *a) {
    return is_alone(e->p, s, a) ? "restrict " : "";
}

/* ---- Local addresses */

const char *declared_at(emitter *e, const reference *home, int d) {
    return fresh_name(e->p, arena_format(e->memory, "%s_at%d", home->symbol->name, d));
}

/* Whether what is taken from home's subscript has a name: in stages, in functions, for the whole of an index that has
 * several runs. */
static bool names_shift(const emitter *e, const parallel *s, int k) {
    const body *b = e->inside;
    return (b && b->function) || (!is_single_run(s, k) && execution_of(s, -1)->swepts > 0);
}

/* The same of an index that is found in pieces (closed.c): the strip's, or its run's; a name where literals tell it. */
const char *shift_of_piece(emitter *e, const parallel *s, int k) {
    const reference *r = &s->reference[s->placed.waits_for];
    int d = 0;
    while (r->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[d].index != k) d++;
    const pairing x = pairing_of(e->p, s, r, d);
    const int64_t length = pairing_run_length(&x, &s->index[k]);
    const bool one = pairing_has_one_strip(&x, r);
    if (length == 1 || (one && find_boundaries(e->p, s, r, &x, BOUNDARIES_OF_HOME, length)))
        return index_name(e->p, s, k, "shift");
    const char *of = one && pairing_is_one_run(&x) ? "set" : "run";
    return arena_format(e->memory, "%s.shift", index_name(e->p, s, k, of));
}

/* What is taken from home's subscript to get the local index. */
static linear shift_atom(emitter *e, const parallel *s, int k) {
    const bool in_function = e->inside && e->inside->function;
    if (in_pieces(s, k) && !in_function && goes_by_points(e->p, s, k)) {
        const subscript *u = &home_of(s)->subscript[home_dimension(home_of(s), k)];
        return linear_subtract(e->memory, subscript_linear(e, s, u),
                               linear_atom(e->memory, index_name(e->p, s, k, "home"), NULL));
    }
    if (in_pieces(s, k) && !in_function) return linear_atom(e->memory, shift_of_piece(e, s, k), NULL);
    return linear_atom(e->memory,
                       !names_shift(e, s, k) ? arena_format(e->memory, "%s.shift", index_name(e->p, s, k, "run"))
                                             : index_name(e->p, s, k, "shift"),
                       NULL);
}

/* Local index along dimension d of home's own array, whose subscript is affine. */
static linear home_linear(emitter *e, const parallel *s, int d) {
    const subscript *u = &home_of(s)->subscript[d];
    if (is_strided(s, u->index)) return linear_atom(e->memory, index_name(e->p, s, u->index, "local"), NULL);
    if (goes_by_points(e->p, s, u->index)) return linear_atom(e->memory, index_name(e->p, s, u->index, "home"), NULL);
    return linear_subtract(e->memory, subscript_linear(e, s, u), shift_atom(e, s, u->index));
}

/* The same, of any subscript, and `distance` beyond it; false: home's dimension is not divided. */
static bool find_home_index(emitter *e, const parallel *s, int d, linear distance, linear *x) {
    const reference *home = home_of(s);
    const subscript *u = &home->subscript[d];
    if (u->kind == SUBSCRIPT_AFFINE && home_dimension(home_of(s), u->index) == d) {
        *x = home_linear(e, s, d);
        if (!is_strided(s, u->index)) *x = linear_add(e->memory, *x, distance);
        return true;
    }
    if (u->kind != SUBSCRIPT_INVARIANT || !may_be_distributed(home->array, d)) return false;
    *x = linear_atom(e->memory, declared_at(e, home, d), NULL);
    return true;
}

/* ---- Arrays that stand apart: places counted from an array's own first element */

/* References to the array before this one. */
static int references_before(const parallel *s, const reference *r) {
    int before = 0;
    for (size_t k = 0; &s->reference[k] != r; k++) before += s->reference[k].array == r->array;
    return before;
}

const char *declared_begin(emitter *e, const parallel *s, const reference *r, int d) {
    const bool invariant = r->subscript[d].kind == SUBSCRIPT_INVARIANT;
    const char *name = arena_format(e->memory, "%s_%s%d", r->symbol->name, invariant ? "place" : "begin", d);
    if (invariant && references_before(s, r) > 0)
        name = arena_format(e->memory, "%s_%d", name, references_before(s, r) + 1);
    return fresh_name(e->p, name);
}

static linear counted_index(emitter *e, const parallel *s, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    const linear x = linear_atom(e->memory, declared_begin(e, s, r, d), NULL);
    return u->kind == SUBSCRIPT_AFFINE ? linear_subtract(e->memory, subscript_linear(e, s, u), x) : x;
}

/* ---- Places */

/* The place of a reference with its own steps: of home's local index where that advances by one, else of the index. */
static linear own_index(emitter *e, const parallel *s, const reference *r, int d) {
    const own_place *x = &r->placed.along[d];
    const int at = aligned_dimension(s, r, d);
    const reference *home = home_of(s);
    if (x->home_step == 1) {
        linear place = home_linear(e, s, at);
        place = linear_multiply(e->memory, place, linear_constant(x->step));
        return linear_add(e->memory, place, linear_constant(x->first - x->origin * x->step));
    }
    const subscript *u = &home->subscript[at];
    const linear shift = linear_subtract(e->memory, shift_atom(e, s, u->index), origin_of(e->p, home->array, at));
    const char *before =
        arena_format(e->memory, "%s / %lld", linear_operand(e->memory, &shift), (long long)x->home_step);
    linear place =
        linear_multiply(e->memory, linear_atom(e->memory, s->index[u->index].name, NULL), linear_constant(x->step));
    const linear first = linear_subtract(e->memory, u->offset, origin_of(e->p, home->array, at));
    place =
        linear_add(e->memory, place, linear_constant((first.constant - x->origin) / x->home_step * x->step + x->first));
    return linear_subtract(e->memory, place,
                           linear_multiply(e->memory, linear_atom(e->memory, before, NULL), linear_constant(x->step)));
}

/* How far a SHIFT reads beyond home. */
static linear distance_of(emitter *e, const parallel *s, const reference *r, int d) {
    if (r->placed.relation != RELATION_SHIFT || r == &s->left) return linear_constant(0);
    const linear distance = linear_constant(r->placed.dim[d].distance);
    return r->placed.varying ? linear_add(e->memory, distance, r->placed.varying[d].beyond) : distance;
}

bool find_local_index(emitter *e, const parallel *s, const reference *r, int d, linear *x) {
    if (r->placed.relation == RELATION_STEP && r != &s->left && r->placed.along[d].step > 0) {
        *x = own_index(e, s, r, d);
        return true;
    }
    if (r->placed.dim[d].own && r != &s->left) {
        *x = counted_index(e, s, r, d);
        return true;
    }
    if (may_be_distributed(r->array, d) &&
        find_home_index(e, s, aligned_dimension(s, r, d), distance_of(e, s, r, d), x))
        return true;
    if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
    *x = linear_subtract(e->memory, subscript_linear(e, s, &r->subscript[d]), r->array->lower[d]);
    return true;
}

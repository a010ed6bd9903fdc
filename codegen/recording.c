/* --check=all: no element is assigned twice by a statement; no iteration of an `independent` loop assigns what another
 * one reads. */
#include "spmd.h"

static const char *recorded_name(emitter *e, const symbol *s) {
    return arena_format(e->memory, "\1%s_assigned", s ? s->name : "left");
}

static int own_indices(const parallel *s) {
    int count = 0;
    if (s->loop) return s->loop->loops;
    while (count < s->indices && s->index[count].reduction < 0) count++;
    return count;
}

static const char *values_text(emitter *e, const parallel *s) {
    text values;
    text_start(&values, e->memory);
    for (int k = 0; k < own_indices(s); k++) text_format(&values, "%s%s", k ? ", " : "", s->index[k].name);
    return text_of(&values);
}

static const char *subscripts_of(emitter *e, const parallel *s, const reference *r) {
    text subscripts;
    text_start(&subscripts, e->memory);
    for (int d = 0; d < r->rank; d++)
        text_format(&subscripts, "%s%s", d ? ", " : "", subscript_text(e, s, &r->subscript[d]));
    return text_of(&subscripts);
}

static void emit_iteration_begin(emitter *e, const parallel *s, const char *name) {
    emit_line(e, "dpc_begin_iteration(&%s, %d, (const dpc_index[]){%s});", name, own_indices(s), values_text(e, s));
}

static void emit_check_of(emitter *e, const parallel *s, const symbol *left, const array *a, const char *what) {
    text names;
    text_start(&names, e->memory);
    for (int k = 0; k < own_indices(s); k++)
        text_format(&names, "%s\"%s\"", k ? ", " : "", s->loop ? s->loop->counter[k]->name : s->index[k].name);
    const char *of = a ? a->address : arena_format(e->memory, "\"%s\"", escaped(e, what));
    emit_line(e, "%s(&%s, %s, %s, %d, (const char *const[]){%s});", a ? "dpc_check_assignments" : "dpc_check_memory",
              recorded_name(e, left), place_literal(e, s->node), of, own_indices(s), text_of(&names));
}

/* ---- Statements: the left sides of their iterations, before the first is executed */

code *open_recording(emitter *e, const parallel *s) {
    code *around = open_block_with(e, "no element of %s is to be assigned twice", quote(e, s->left.base));
    emit_line(e, "dpc_assignments %s = {0};", recorded_name(e, s->left.symbol));
    return around;
}

void emit_recorded(emitter *e, const parallel *s) {
    const char *name = recorded_name(e, s->left.symbol);
    emit_iteration_begin(e, s, name);
    if (s->left.array)
        emit_line(e, "dpc_accesses(&%s, %s, %d, true, (const dpc_index[]){%s});", name, s->left.array->address,
                  own_indices(s), subscripts_of(e, s, &s->left));
    else
        emit_line(e, "dpc_assigns_memory(&%s, %d, &%s);", name, own_indices(s), reference_text(e, &s->left));
}

void close_recording(emitter *e, const parallel *s, code *around) {
    emit_check_of(e, s, s->left.symbol, s->left.array, quote(e, s->left.node));
    close_block(e, around);
}

/* ---- Independent loops: what their bodies come to */

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

const char *recorded_access(emitter *e, const parallel *s, const reference *r) {
    if (r == &s->left || r->rank < r->array->rank || !records_accesses(e, s, r->symbol)) return "";
    return arena_format(e->memory, "dpc_accesses(&%s, %s, %d, %s, (const dpc_index[]){%s}), ",
                        recorded_name(e, r->symbol), r->array->address, own_indices(s), r->stored ? "true" : "false",
                        subscripts_of(e, s, r));
}

/* Whether array number k of those that the loop stores into, which come once for each place, is noted. */
static bool is_noted(emitter *e, const parallel *s, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (s->loop->store[j] == s->loop->store[k]) return false;
    return records_accesses(e, s, s->loop->store[k]);
}

bool begin_accesses(emitter *e, const parallel *s) {
    bool any = false;
    for (size_t k = 0; k < s->loop->stores; k++) {
        if (!is_noted(e, s, k)) continue;
        emit_line(e, "dpc_assignments %s = {0};", recorded_name(e, s->loop->store[k]));
        any = true;
    }
    return any;
}

void emit_iteration_accesses(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->loop->stores; k++)
        if (is_noted(e, s, k)) emit_iteration_begin(e, s, recorded_name(e, s->loop->store[k]));
}

/* The view of the array that the loop uses. */
static const array *array_in(const parallel *s, const symbol *name) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].symbol == name && s->reference[k].array) return s->reference[k].array;
    return name->array;
}

void end_accesses(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->loop->stores; k++) {
        const symbol *name = s->loop->store[k];
        if (is_noted(e, s, k)) emit_check_of(e, s, name, array_in(s, name), NULL);
    }
}

/* Views: the pointers by which a statement's loops find elements in local parts.  Where they can, they leave out of
 * each subscript what stands before this process's first element, so that the loops have the source's subscripts:
 *
 *     double (*restrict U)[U_row] = dpc_origin(double, U_dist.local, i_run.shift * U_row + j_run.shift);
 *     ... U[i - 1][j] ...
 *
 * Where blocks are dealt, that differs from run to run: then the pointers are declared in the loops over runs.  Local
 * indices stand in the text where positions are counted (cyclic), and where references to the array disagree. */
#include <string.h>

#include "spmd.h"

/* ---- What is left out */

/* Whether the loops of the index find its local indices run by run. */
static bool goes_by_runs(const parallel *s, int k) {
    return in_pieces(s, k) || !is_single_run(s, k);
}

/* The local index of home's invariant subscript x, as x less what dpc_begin_at finds. */
static linear without_place(emitter *e, const parallel *s, const reference *r, int d, linear place) {
    const reference *home = home_of(s);
    if (r->subscript[d].kind != SUBSCRIPT_INVARIANT || !may_be_distributed(r->array, d)) return place;
    const int at = aligned_dimension(s, r, d);
    if (at < 0 || home->subscript[at].kind != SUBSCRIPT_INVARIANT || place.terms != 1 ||
        strcmp(place.term[0].text, declared_at(e, home, at)) != 0)
        return place;
    const linear *x = &home->subscript[at].offset;
    const char *begin =
        arena_format(e->memory, "dpc_begin_at(&%sdim[%d], %s)", home->array->access, at, linear_text(e->memory, x));
    const linear found = linear_subtract(e->memory, *x, linear_atom(e->memory, begin, NULL));
    return linear_add(e->memory, found, linear_constant(place.constant));
}

/* What is left out of subscript d of a reference; false: its local index stands in the text. */
static bool find_origin(emitter *e, const parallel *s, const reference *r, int d, linear *origin, bool *in_runs) {
    const subscript *u = &r->subscript[d];
    const bool divided = may_be_distributed(r->array, d);
    linear place;
    if (u->kind == SUBSCRIPT_GENERAL) {
        if (divided) return false;
        *origin = r->array->lower[d];
        return true;
    }
    if (divided && u->kind == SUBSCRIPT_AFFINE && (is_strided(s, u->index) || goes_by_points(e->p, s, u->index)))
        return false;
    if (divided && u->kind == SUBSCRIPT_INVARIANT && is_cyclic(&r->array->mapping, d)) return false;
    find_local_index(e, s, r, d, &place);
    *origin = linear_subtract(e->memory, subscript_linear(e, s, u), without_place(e, s, r, d, place));
    if (u->kind == SUBSCRIPT_AFFINE && divided) *in_runs = goes_by_runs(s, u->index);
    for (int k = 0; k < s->indices; k++)
        for (int t = 0; t < origin->terms; t++)
            if (mentions_word(origin->term[t].text, s->index[k].name)) return false;
    return true;
}

/* Whether an atom is what the loops of the index take from home's subscript to get the local index. */
static bool is_shift_of(emitter *e, const parallel *s, int k, const char *atom) {
    if (in_pieces(s, k) && !(e->inside && e->inside->function)) return !strcmp(atom, shift_of_piece(e, s, k));
    return !strcmp(atom, arena_format(e->memory, "%s.shift", index_name(e->p, s, k, "run")));
}

/* Whether what is left out of subscript d is what stands before the array's own first element, whatever home is. */
static bool is_own_origin(emitter *e, const parallel *s, const reference *r, int d, const linear *origin) {
    const subscript *u = &r->subscript[d];
    if (!may_be_distributed(r->array, d)) return linear_equal(origin, &r->array->lower[d]);
    if (!has_one_interval(r->array, d) || (r != &s->left && r->placed.relation == RELATION_SHIFT && r->placed.beside))
        return false;
    if (origin->terms != 1 || origin->constant != 0 || origin->term[0].coefficient != 1) return false;
    const char *begin = origin->term[0].text;
    if (u->kind == SUBSCRIPT_AFFINE && r->placed.dim[d].own && r != &s->left)
        return !strcmp(begin, declared_begin(e, s, r, d));
    if (u->kind == SUBSCRIPT_AFFINE) return is_shift_of(e, s, u->index, begin);
    return !strncmp(begin, "dpc_begin_at(", strlen("dpc_begin_at("));
}

/* A reference to the array that the loops find in place. */
static void look_at(emitter *e, const parallel *s, const reference *r, array_view *v, bool first) {
    for (int d = 0; d < r->rank; d++) {
        linear origin;
        bool in_runs = false;
        if (v->local[d]) continue;
        if (!find_origin(e, s, r, d, &origin, &in_runs) || (!first && !linear_equal(&origin, &v->origin[d]))) {
            v->local[d] = true;
            continue;
        }
        v->origin[d] = origin;
        v->own[d] = (first || v->own[d]) && is_own_origin(e, s, r, d, &origin);
        v->by_runs[d] = in_runs;
    }
}

static bool is_left_in_place(const parallel *s, const array *a) {
    return s->kind == PARALLEL_ASSIGNMENT && s->left.array == a && !s->placed.scatter;
}

/* All references of a statement to the array. */
static void look_at_statement(emitter *e, const parallel *s, array_view *v, bool *first) {
    if (is_left_in_place(s, v->array)) {
        look_at(e, s, &s->left, v, *first);
        *first = false;
    }
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->array != v->array || !is_in_place(r)) continue;
        look_at(e, s, r, v, *first);
        *first = false;
    }
}

/* Whether pointers that differ from run to run are declared in the loops over runs: a function gets them as arguments,
 * stages have names for what is left out. */
static bool has_views_in_runs(const parallel *s) {
    return execution_of(s, -1)->way == BY_FUNCTION || execution_of(s, -1)->swepts > 0;
}

/* Whether the array keeps where its origin is: that is all that is left out. */
static bool has_own_origin(const array_view *v, bool function) {
    bool own = !function;
    for (int d = 0; d < v->array->rank; d++) own = own && v->own[d] && !v->local[d];
    return own;
}

/* What differs from run to run is left out by no pointer outside of the loops over runs. */
static void settle_runs(const parallel *s, array_view *v) {
    for (int d = 0; d < v->array->rank; d++) {
        if (v->by_runs[d] && !has_views_in_runs(s)) {
            v->local[d] = v->local[d] || !v->has_own_origin;
            v->by_runs[d] = false;
        }
        v->in_runs = v->in_runs || (v->by_runs[d] && !v->local[d]);
    }
}

static const array_view *new_view(emitter *e, const parallel *s, const array *a, bool function) {
    const fusion *c = s->combined.chain;
    array_view *v = arena_alloc(e->memory, sizeof *v);
    bool first = true;
    *v = (array_view){.array = a};
    if (!c) look_at_statement(e, s, v, &first);
    for (int k = 0; c && k < c->count; k++) look_at_statement(e, c->statement[k], v, &first);
    v->has_own_origin = has_own_origin(v, function);
    settle_runs(s, v);
    return v;
}

const array_view *view_in(emitter *e, const parallel *s, const array *a) {
    const void *of = s->combined.chain ? (const void *)s->combined.chain : s;
    const bool function = e->inside && e->inside->function;
    if (e->viewed != of || e->viewed_in_function != function) e->views = 0;
    e->viewed = of;
    e->viewed_in_function = function;
    for (size_t k = 0; k < e->views; k++)
        if (e->view[k]->array == a) return e->view[k];
    const array_view *v = new_view(e, s, a, function);
    vector_add(e->kept, e->view, e->views, e->view_capacity, v);
    return v;
}

/* ---- Declarations: their names are used where the pointers are */

const char *pointer_text(emitter *e, const parallel *s, const array *a, bool stored, bool function) {
    const char *name = a->symbol->name, *word = restrict_word(e, s, a);
    text out;
    text_start(&out, e->memory);
    text_format(&out, a->rank > 1 ? "%s%s (*%s%s)" : "%s%s *%s%s", stored ? "" : "const ", element_spelling(a->element),
                word, name);
    for (int d = 1; d < a->rank; d++) text_format(&out, "[%s]", function ? declared_size(e, a, d) : size_text(e, a, d));
    return text_of(&out);
}

/* The elements between where subscripts of 0 would stand and the first one here; NULL: none. */
static const char *origin_text(emitter *e, const array *a, const array_view *v) {
    const char *place = NULL;
    for (int d = 0; d < a->rank; d++) {
        const bool none = v->local[d] || linear_is(&v->origin[d], 0);
        if (place && strcmp(place, "1") != 0)
            place = arena_format(e->memory, "%s * %s", operand(e->memory, place), size_text(e, a, d));
        else if (place)
            place = size_text(e, a, d);
        if (none) continue;
        const char *origin = linear_text(e->memory, &v->origin[d]);
        place = place ? arena_format(e->memory, "%s + %s", place, origin) : origin;
    }
    return place;
}

/* Whether another statement in the same loops, or the body of an independent one, stores into the array. */
static bool is_stored(const parallel *s, const array *a) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array == a && s->reference[k].stored) return true;
    return false;
}

/* Where home's local indices find the elements of a reference from. */
static const char *local_part(emitter *e, const parallel *s, const reference *r) {
    if (r == &s->left || r->placed.relation != RELATION_SHIFT || !r->placed.beside)
        return arena_format(e->memory, "%slocal", r->array->access);
    return arena_format(e->memory, "dpc_local_beside(%s, %s)", r->array->address, home_of(s)->array->address);
}

static void emit_view(emitter *e, const parallel *s, const reference *r, bool stored, bool in_runs) {
    const array *a = r->array;
    const array_view *v = view_in(e, s, a);
    if (v->in_runs != in_runs) return;
    const char *part = local_part(e, s, r), *origin = origin_text(e, a, v);
    if (v->has_own_origin)
        part = arena_format(e->memory, "%sorigin", a->access);
    else if (origin)
        part = arena_format(e->memory, "dpc_origin(%s, %s, %s)", element_spelling(a->element), part, origin);
    emit_declaration(e, a->symbol->name, "%s = %s;", pointer_text(e, s, a, stored, false), part);
    if (execution_of(s, -1)->way == BY_FUNCTION) keep_type(e);
}

/* Whether reference k is the first one of its array that this piece of the statement reads in place. */
static bool first_of_its_array(const parallel *s, size_t k, int mask) {
    if (mask < 0 && s->kind == PARALLEL_ASSIGNMENT && !s->placed.scatter && s->left.array == s->reference[k].array)
        return false;
    for (size_t j = 0; j < k; j++)
        if (needed(s, &s->reference[j], mask) && is_in_place(&s->reference[j]) &&
            s->reference[j].array == s->reference[k].array)
            return false;
    return true;
}

void emit_views(emitter *e, const parallel *s, int mask, bool in_runs) {
    if (mask < 0 && s->left.array && is_left_in_place(s, s->left.array)) emit_view(e, s, &s->left, true, in_runs);
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (needed(s, r, mask) && is_in_place(r) && first_of_its_array(s, k, mask))
            emit_view(e, s, r, is_stored(s, r->array), in_runs);
    }
}

/* Where a reference's value stands in the SPMD program: in the local part, or in a buffer of moved values. */
#include <stdlib.h>
#include <string.h>

#include "spmd.h"

/* ---- Names inside a statement */

/* The name, used. */
static const char *used(const emitter *e, const char *name) {
    use_name(e, name);
    return name;
}

const char *name_of(emitter *e, const parallel *s, int k, const char *what) {
    return used(e, index_name(e->p, s, k, what));
}

const char *local_bound(emitter *e, const parallel *s, int k, const char *value) {
    const linear *offset = &home_of(s)->subscript[home_dimension(home_of(s), k)].offset;
    if (!linear_is_constant(offset))
        value = arena_format(e->memory, "%s + %s", value, linear_operand_words(e, offset));
    else if (offset->constant != 0)
        value = arena_format(e->memory, "%s %c %lld", value, offset->constant < 0 ? '-' : '+', llabs(offset->constant));
    return arena_format(e->memory, "%s - %s", value, name_of(e, s, k, "shift"));
}

const char *declared_stride(emitter *e, const array *a, int d) {
    return fresh_name(e->p, a->rank == 2 ? arena_format(e->memory, "%s_row", a->symbol->name)
                                         : arena_format(e->memory, "%s_stride%d", a->symbol->name, d));
}

const char *stride_name(emitter *e, const array *a, int d) {
    return used(e, declared_stride(e, a, d));
}

/* ---- Subscripts, counts */

linear subscript_linear(emitter *e, const parallel *s, const subscript *u) {
    if (u->kind == SUBSCRIPT_INVARIANT) return u->offset;
    linear moving = linear_multiply(e->memory, u->stride, linear_atom(e->memory, s->index[u->index].name, NULL));
    return linear_add(e->memory, u->offset, moving);
}

const char *subscript_text(emitter *e, const parallel *s, const subscript *u) {
    if (u->kind == SUBSCRIPT_GENERAL) return u->text ? made_text(e, u->text) : expression(e, u->node);
    if (u->node) return expression(e, u->node);
    linear x = subscript_linear(e, s, u);
    return linear_words(e, &x);
}

const reference *reference_at(const parallel *s, const node *n) {
    if (s->kind == PARALLEL_ASSIGNMENT && s->left.node == n) return &s->left;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].node == n) return &s->reference[k];
    return NULL;
}

const char *mine_count(emitter *e, const parallel *s, int which) {
    const char *product = is_ragged(s, which) ? ragged_count(e, s, which) : "1";
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction >= 0 && s->index[k].reduction != which) continue;
        if (is_ragged(s, which) && (s->index[k].reduction < 0 || s->index[k].ragged)) continue;
        const char *mine = arena_format(e->memory, "%s.mine[%d]", e->space, k);
        product = strcmp(product, "1") ? arena_format(e->memory, "%s * %s", product, mine) : mine;
    }
    return product;
}

const char *restrict_word(const emitter *e, const parallel *s, const array *a) {
    return is_alone(e->p, s, a) ? "restrict " : "";
}

/* ---- Local addresses */

const char *declared_at(emitter *e, const reference *home, int d) {
    return fresh_name(e->p, arena_format(e->memory, "%s_at%d", home->symbol->name, d));
}

const char *owned_at(emitter *e, const reference *home, int d) {
    return used(e, declared_at(e, home, d));
}

/* Local index along dimension d of home's own array, whose subscript is affine. */
static linear home_linear(emitter *e, const parallel *s, int d) {
    const subscript *u = &home_of(s)->subscript[d];
    if (is_strided(s, u->index)) return linear_atom(e->memory, name_of(e, s, u->index, "local"), NULL);
    if (e->inside && e->inside->local && e->inside->local[u->index])
        return linear_atom(e->memory, s->index[u->index].name, NULL);
    return linear_subtract(e->memory, subscript_linear(e, s, u),
                           linear_atom(e->memory, name_of(e, s, u->index, "shift"), NULL));
}

/* The same, of any subscript, and `distance` beyond it; NULL: home's dimension is not divided. */
static const char *home_index(emitter *e, const parallel *s, int d, linear distance) {
    const reference *home = home_of(s);
    const subscript *u = &home->subscript[d];
    if (u->kind == SUBSCRIPT_AFFINE && home_dimension(home_of(s), u->index) == d) {
        if (is_strided(s, u->index)) return name_of(e, s, u->index, "local");
        linear x = home_linear(e, s, d);
        x = linear_add(e->memory, x, distance);
        return linear_words(e, &x);
    }
    if (u->kind == SUBSCRIPT_INVARIANT && may_be_distributed(home->array, d)) return owned_at(e, home, d);
    return NULL;
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

static const char *counted_index(emitter *e, const parallel *s, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    linear x = linear_atom(e->memory, used(e, declared_begin(e, s, r, d)), NULL);
    if (u->kind == SUBSCRIPT_AFFINE) x = linear_subtract(e->memory, subscript_linear(e, s, u), x);
    return linear_words(e, &x);
}

/* ---- Checks */

/* In the body of an independent loop, subscripts are checked where they are evaluated. */
static bool is_checked_here(emitter *e, const parallel *s, const reference *r, int d) {
    return s->loop && r != &s->left && !r->subscript[d].checked && is_unchecked(e->p, s, r, d);
}

static const char *checked_text(emitter *e, const reference *r, int d, const char *index) {
    return arena_format(e->memory, "dpc_checked(%s, %s, %d, %s)", r->array->address, place_literal(e, r->node), d,
                        index);
}

/* The subscript that a node is, checked if need be. */
static const char *inner_subscript(emitter *e, const parallel *s, const reference *r, int d) {
    const char *at = subscript_text(e, s, &r->subscript[d]);
    return is_checked_here(e, s, r, d) ? checked_text(e, r, d, at) : at;
}

/* Whether the element's place is found from home's, near which the subscript stays. */
static bool is_near_home(const reference *r, int d) {
    return r->placed.relation == RELATION_SHIFT && r->subscript[d].near && may_be_distributed(r->array, d);
}

/* "" or the checks of subscripts that do not stand in the element's place themselves, each with a comma. */
static const char *checks_before(emitter *e, const parallel *s, const reference *r) {
    const char *checks = "";
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if ((u->kind == SUBSCRIPT_GENERAL && !is_near_home(r, d)) || u->whole || !is_checked_here(e, s, r, d)) continue;
        checks = arena_format(e->memory, "%s%s, ", checks, checked_text(e, r, d, subscript_text(e, s, u)));
    }
    return checks;
}

static const char *behind_checks(emitter *e, const char *checks, const char *index) {
    return *checks ? arena_format(e->memory, "(%s%s)", checks, index) : index;
}

/* ---- Places */

/* Subscript minus declared lower bound. */
static const char *collapsed_index(emitter *e, const parallel *s, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    const linear *lower = &r->array->lower[d];
    if (u->kind != SUBSCRIPT_GENERAL) {
        linear x = linear_subtract(e->memory, subscript_linear(e, s, u), *lower);
        return linear_words(e, &x);
    }
    const char *at = inner_subscript(e, s, r, d);
    if (linear_is(lower, 0)) return r->rank > 1 ? parenthesise(e, at) : at;
    return arena_format(e->memory, "%s - %s", parenthesise(e, at), linear_operand_words(e, lower));
}

/* The place of a reference with its own steps: of home's local index where that advances by one, else of the index. */
static const char *own_index(emitter *e, const parallel *s, const reference *r, int d) {
    const own_place *x = &r->placed.along[d];
    const int at = aligned_dimension(s, r, d);
    const reference *home = home_of(s);
    if (x->home_step == 1) {
        linear place = home_linear(e, s, at);
        place = linear_multiply(e->memory, place, linear_constant(x->step));
        place = linear_add(e->memory, place, linear_constant(x->first - x->origin * x->step));
        return linear_words(e, &place);
    }
    const subscript *u = &home->subscript[at];
    const linear shift = linear_subtract(e->memory, linear_atom(e->memory, name_of(e, s, u->index, "shift"), NULL),
                                         origin_of(e->p, home->array, at));
    const char *before = arena_format(e->memory, "%s / %lld", linear_operand_words(e, &shift), (long long)x->home_step);
    linear place =
        linear_multiply(e->memory, linear_atom(e->memory, s->index[u->index].name, NULL), linear_constant(x->step));
    const linear first = linear_subtract(e->memory, u->offset, origin_of(e->p, home->array, at));
    place =
        linear_add(e->memory, place, linear_constant((first.constant - x->origin) / x->home_step * x->step + x->first));
    place = linear_subtract(e->memory, place,
                            linear_multiply(e->memory, linear_atom(e->memory, before, NULL), linear_constant(x->step)));
    return linear_words(e, &place);
}

/* How far a SHIFT reads beyond home. */
static linear distance_of(emitter *e, const parallel *s, const reference *r, int d) {
    if (r->placed.relation != RELATION_SHIFT || r == &s->left) return linear_constant(0);
    const linear distance = linear_constant(r->placed.dim[d].distance);
    return r->placed.varying ? linear_add(e->memory, distance, r->placed.varying[d].beyond) : distance;
}

static const char *local_index(emitter *e, const parallel *s, const reference *r, int d) {
    const char *index = NULL;
    if (r->placed.relation == RELATION_STEP && r != &s->left && r->placed.along[d].step > 0)
        return own_index(e, s, r, d);
    if (r->placed.dim[d].own && r != &s->left) return counted_index(e, s, r, d);
    if (may_be_distributed(r->array, d)) index = home_index(e, s, aligned_dimension(s, r, d), distance_of(e, s, r, d));
    return index ? index : collapsed_index(e, s, r, d);
}

/* name: of the pointer to the array's local part, or to what is laid out like it. */
static const char *local_text(emitter *e, const parallel *s, const reference *r, const char *name) {
    text out;
    text_start(&out, e->memory);
    const char *checks = checks_before(e, s, r);
    use_name(e, name);
    text_format(&out, *checks ? "%s[(%s" : "%s[%s", name, checks);
    for (int d = 0; d < r->rank; d++) {
        const char *index = local_index(e, s, r, d);
        if (d < r->rank - 1)
            text_format(&out, "%s * %s + ", parenthesise(e, index), stride_name(e, r->array, d));
        else
            text_add(&out, index);
    }
    text_add(&out, *checks ? ")]" : "]");
    return text_of(&out);
}

const char *element_result(emitter *e, const parallel *s) {
    return local_text(e, s, &s->left, s->reduced->reduction[0].name);
}

const char *left_row(emitter *e, const parallel *s) {
    const reference *left = &s->left;
    text out;
    text_start(&out, e->memory);
    text_add(&out, used(e, left->symbol->name));
    for (int d = 0; d < left->rank; d++) {
        const subscript *u = &left->subscript[d];
        const bool last = d == left->rank - 1;
        const char *index =
            u->kind == SUBSCRIPT_INVARIANT ? local_index(e, s, left, d) : name_of(e, s, u->index, "local");
        if (u->kind == SUBSCRIPT_AFFINE && !last)
            index = arena_format(e->memory, "%s + %s", index, name_of(e, s, u->index, "at"));
        text_format(&out, last ? " + %s" : " + %s * %s", parenthesise(e, index),
                    last ? "" : stride_name(e, left->array, d));
    }
    return text_of(&out);
}

/* ---- Values that moved: buffers by position */

/* Row-major position over the indices that `uses` selects. */
const char *position_text(emitter *e, const parallel *s, const bool *uses) {
    linear at = linear_constant(0);
    bool any = false;
    for (int k = 0; k < s->indices; k++) {
        if (!uses[k]) continue;
        if (any) at = linear_multiply(e->memory, at, linear_atom(e->memory, name_of(e, s, k, "count"), NULL));
        at = linear_add(e->memory, at, linear_atom(e->memory, name_of(e, s, k, "at"), NULL));
        any = true;
    }
    return any ? linear_words(e, &at) : NULL;
}

/* The same where some indices stand for whole dimensions: the subscript in the source picks an element. */
static const char *picked_position(emitter *e, const parallel *s, const reference *r, const bool *uses) {
    const char *at = NULL;
    for (int k = 0; k < s->indices; k++) {
        if (!uses[k]) continue;
        const char *mine = name_of(e, s, k, "at");
        for (int d = 0; d < r->rank; d++) {
            const subscript *u = &r->subscript[d];
            if (!u->whole || u->index != k) continue;
            mine = parenthesise(e, inner_subscript(e, s, r, d));
            if (!linear_is(&r->array->lower[d], 0))
                mine = arena_format(e->memory, "%s - %s", mine, linear_operand_words(e, &r->array->lower[d]));
        }
        at = at ? arena_format(e->memory, "%s * %s + %s", parenthesise(e, at), name_of(e, s, k, "count"), mine) : mine;
    }
    return at;
}

const char *piece_place(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (uses_index(r, k)) text_format(&out, "%s%s", out.length ? " + " : "", name_of(e, s, k, "from"));
    return out.length ? text_of(&out) : "0";
}

static const char *moved_text(emitter *e, const parallel *s, const reference *r) {
    bool uses[MAX_RANK];
    const char *checks = checks_before(e, s, r);
    use_name(e, r->placed.buffer);
    if (is_shared_element(r)) return behind_checks(e, checks, r->placed.buffer);
    if (s->placed.waits_for >= 0) return arena_format(e->memory, "%s[%s]", r->placed.buffer, piece_place(e, s, r));
    for (int k = 0; k < s->indices; k++) uses[k] = uses_index(r, k);
    const char *at = s->loop ? picked_position(e, s, r, uses) : position_text(e, s, uses);
    return arena_format(e->memory, "%s[%s]", r->placed.buffer, behind_checks(e, checks, at ? at : "0"));
}

const char *counter_of(emitter *e, const reference *r) {
    return fresh_name(e->p, arena_format(e->memory, "%s_at", r->placed.buffer));
}

const char *place_of_access(emitter *e, const reference *r) {
    return fresh_name(e->p, arena_format(e->memory, "%s_place", r->placed.buffer));
}

static const char *gathered_text(emitter *e, const reference *r) {
    const char *name = r->placed.buffer, *counter = counter_of(e, r);
    if (!r->combined.localised) return arena_format(e->memory, "%s[%s]", name, counter);
    return arena_format(e->memory, "%s[%s[%s]]", name, place_of_access(e, r), counter);
}

/* An ordinary array: the user's text, sections as subscripts. */
static const char *ordinary_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, base_text(e, r->base));
    for (int d = 0; d < r->rank; d++) {
        const char *at = subscript_text(e, s, &r->subscript[d]), *lower = lower_bound(e, r->base, d);
        if (lower)
            text_format(&out, "[%s - %s]", parenthesise(e, at), lower);
        else
            text_format(&out, "[%s]", at);
    }
    return text_of(&out);
}

const char *reference_text(emitter *e, const reference *r) {
    const parallel *s = e->current;
    if (!r->array || e->serial) return ordinary_text(e, s, r);
    if (r->placed.operand != OPERAND_NONE) return operand_text(e, s, r);
    if (r == &s->left || is_in_place(r)) return local_text(e, s, r, r->symbol->name);
    if (r->placed.relation == RELATION_SETS) return moved_text(e, s, r);
    return gathered_text(e, r);
}

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

/* ---- Subscripts, counts */

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
        const char *mine = arena_format(e->memory, "%s->mine[%d]", space_of(e), k);
        product = strcmp(product, "1") ? arena_format(e->memory, "%s * %s", product, mine) : mine;
    }
    return product;
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

/* --check=all: what is evaluated before an element of an `independent` loop that is noted, with a comma; "": nothing.
 */
static const char *recorded_access(emitter *e, const parallel *s, const reference *r) {
    text subscripts;
    if (r == &s->left || r->rank < r->array->rank || !records_accesses(e, s, r->symbol)) return "";
    text_start(&subscripts, e->memory);
    for (int d = 0; d < r->rank; d++)
        text_format(&subscripts, "%s%s", d ? ", " : "", subscript_text(e, s, &r->subscript[d]));
    return arena_format(e->memory, "dpc_accesses(&%s, %s, %d, %s, (const dpc_index[]){%s}), ",
                        recorded_name(e, r->symbol), r->array->address, recorded_indices(s),
                        r->stored ? "true" : "false", text_of(&subscripts));
}

/* "" or the checks of subscripts that do not stand in the element's place themselves, each with a comma. */
static const char *checks_before(emitter *e, const parallel *s, const reference *r) {
    const char *checks = "";
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if ((u->kind == SUBSCRIPT_GENERAL && !is_near_home(r, d)) || u->whole || !is_checked_here(e, s, r, d)) continue;
        checks = arena_format(e->memory, "%s%s, ", checks, checked_text(e, r, d, subscript_text(e, s, u)));
    }
    if (s->loop) checks = arena_format(e->memory, "%s%s", checks, recorded_access(e, s, r));
    return checks;
}

static const char *behind_checks(emitter *e, const char *checks, const char *index) {
    return *checks ? arena_format(e->memory, "(%s%s)", checks, index) : index;
}

/* ---- Places */

/* Subscript minus declared lower bound, of a subscript that is no linear form. */
static const char *collapsed_index(emitter *e, const parallel *s, const reference *r, int d) {
    const linear *lower = &r->array->lower[d];
    const char *at = inner_subscript(e, s, r, d);
    if (linear_is(lower, 0)) return at;
    return arena_format(e->memory, "%s - %s", parenthesise(e, at), linear_operand_words(e, lower));
}

static const char *local_index(emitter *e, const parallel *s, const reference *r, int d) {
    linear x;
    return find_local_index(e, s, r, d, &x) ? linear_words(e, &x) : collapsed_index(e, s, r, d);
}

/* What stands in brackets: the subscript as in the source, or a local index. */
static const char *index_in_view(emitter *e, const parallel *s, const reference *r, const array_view *v, int d) {
    const subscript *u = &r->subscript[d];
    if (v->local[d]) return local_index(e, s, r, d);
    if (u->kind == SUBSCRIPT_GENERAL) return inner_subscript(e, s, r, d);
    const linear x = subscript_linear(e, s, u);
    return linear_words(e, &x);
}

static const char *local_text(emitter *e, const parallel *s, const reference *r) {
    const array_view *v = view_in(e, s, r->array);
    const char *checks = checks_before(e, s, r);
    text out;
    text_start(&out, e->memory);
    text_add(&out, used(e, r->symbol->name));
    for (int d = 0; d < r->rank; d++) {
        const char *index = index_in_view(e, s, r, v, d);
        text_format(&out, "[%s]", d == 0 ? behind_checks(e, checks, index) : index);
    }
    return text_of(&out);
}

/* Row-major position of local indices. */
static void add_place(emitter *e, text *out, const array *a, int d, const char *index) {
    if (d > 0) {
        const char *before = arena_text(e->memory, text_of(out), out->length);
        text_start(out, e->memory);
        text_format(out, "%s * %s + ", parenthesise(e, before), size_text(e, a, d));
    }
    text_add(out, d < a->rank - 1 ? parenthesise(e, index) : index);
}

const char *element_result(emitter *e, const parallel *s) {
    text place;
    text_start(&place, e->memory);
    for (int d = 0; d < s->left.rank; d++) add_place(e, &place, s->left.array, d, local_index(e, s, &s->left, d));
    return arena_format(e->memory, "%s[%s]", s->reduced->reduction[0].name, text_of(&place));
}

const char *left_row(emitter *e, const parallel *s) {
    const reference *left = &s->left;
    text place;
    text_start(&place, e->memory);
    for (int d = 0; d < left->rank; d++) {
        const subscript *u = &left->subscript[d];
        const char *index =
            u->kind == SUBSCRIPT_INVARIANT ? local_index(e, s, left, d) : name_of(e, s, u->index, "local");
        if (u->kind == SUBSCRIPT_AFFINE && d < left->rank - 1)
            index = arena_format(e->memory, "%s + %s", index, name_of(e, s, u->index, "at"));
        add_place(e, &place, left->array, d, index);
    }
    return arena_format(e->memory, "(%s *)%slocal + %s", element_spelling(left->array->element), left->array->access,
                        text_of(&place));
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

/* Which value of index k a moved reference takes: where the index stands for a whole dimension, the subscript in the
 * source picks one. */
static const char *place_along(emitter *e, const parallel *s, const reference *r, int k) {
    for (int d = 0; s->loop && d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (!u->whole || u->index != k) continue;
        const char *at = inner_subscript(e, s, r, d);
        if (linear_is(&r->array->lower[d], 0)) return at;
        return arena_format(e->memory, "%s - %s", parenthesise(e, at), linear_operand_words(e, &r->array->lower[d]));
    }
    return name_of(e, s, k, "at");
}

/* The values of a moved reference lie in a block whose dimensions are the positions of the indices in it. */
const char *block_of_values(emitter *e, const parallel *s, const reference *r) {
    text rows;
    int dimensions = 0;
    text_start(&rows, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (uses_index(r, k) && dimensions++ > 0) text_format(&rows, "[dpc_row_length(%s, %d)]", space_of(e), k);
    return arena_format(e->memory, rows.length ? "(*restrict %s)%s" : "*restrict %s%s", r->placed.buffer,
                        text_of(&rows));
}

const char *piece_place(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (uses_index(r, k)) text_format(&out, "%s%s", out.length ? " + " : "", name_of(e, s, k, "from"));
    return out.length ? text_of(&out) : "0";
}

static const char *moved_text(emitter *e, const parallel *s, const reference *r) {
    const char *checks = checks_before(e, s, r);
    use_name(e, r->placed.buffer);
    if (is_shared_element(r)) return behind_checks(e, checks, r->placed.buffer);
    if (s->placed.waits_for >= 0) return arena_format(e->memory, "%s[%s]", r->placed.buffer, piece_place(e, s, r));
    text place;
    text_start(&place, e->memory);
    for (int k = 0; k < s->indices; k++) {
        if (!uses_index(r, k)) continue;
        const char *at = place_along(e, s, r, k);
        text_format(&place, "[%s]", place.length ? at : behind_checks(e, checks, at));
    }
    if (!place.length) text_format(&place, "[%s]", behind_checks(e, checks, "0"));
    return arena_format(e->memory, "%s%s", r->placed.buffer, text_of(&place));
}

const char *counter_of(emitter *e, const reference *r) {
    return fresh_name(e->p, arena_format(e->memory, "%s_at", r->placed.buffer));
}

const char *place_of_access(emitter *e, const reference *r) {
    return fresh_name(e->p, arena_format(e->memory, "%s_place", r->placed.buffer));
}

static const char *gathered_text(emitter *e, const reference *r) {
    const char *name = r->placed.buffer, *counter = counter_of(e, r);
    use_name(e, counter);
    if (!r->combined.localised) return arena_format(e->memory, "%s[%s]", name, counter);
    return arena_format(e->memory, "%s[%s[%s]]", name, place_of_access(e, r), counter);
}

/* ---- Rows and places of matrices in arrays of one dimension */

/* The value of a part in an iteration. */
static const char *part_text(emitter *e, const parallel *s, const linear *part) {
    linear sum = linear_without_terms(part);
    for (int t = 0; t < part->terms; t++) {
        const linear_term *x = &part->term[t];
        const int k = index_in_part(s, x->node);
        node *n = inside_conversions(x->node);
        const char *own = k < 0 ? x->text : n->kind == N_NAME ? s->index[k].name : expression(e, n);
        const linear value = linear_atom(e->memory, own, k < 0 ? x->node : NULL);
        sum = linear_add(e->memory, sum, linear_multiply(e->memory, linear_constant(x->coefficient), value));
    }
    return linear_words(e, &sum);
}

/* Without parentheses around the whole. */
static const char *bare(const emitter *e, const char *words) {
    const size_t length = strlen(words);
    int depth = 0;
    for (size_t k = 0; k + 1 < length; k++) {
        depth += (words[k] == '(') - (words[k] == ')');
        if (depth == 0) return words;
    }
    return length > 2 ? arena_text(e->memory, words + 1, length - 2) : words;
}

static const char *submatrix_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, r->placed.buffer);
    for (int k = 0; k < r->placed.matrix->parts; k++)
        text_format(&out, "[%s]", bare(e, part_text(e, s, &r->placed.matrix->part[k].value)));
    return text_of(&out);
}

/* ---- What a reference is */

/* An ordinary array: the user's text, sections as subscripts. */
static const char *ordinary_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, base_text(e, r->base));
    for (int d = 0; d < r->rank; d++) {
        const char *lower = lower_bound(e, r->base, d), *row = arena_text(e->memory, text_of(&out), out.length);
        const char *at =
            compared_subscript(e, r->node, r->base, d, r->rank, row, subscript_text(e, s, &r->subscript[d]));
        if (lower)
            text_format(&out, "[%s - %s]", parenthesise(e, at), lower);
        else
            text_format(&out, "[%s]", at);
    }
    return r == &s->left ? text_of(&out) : alike_text(e, r->node, r->base, text_of(&out));
}

const char *reference_text(emitter *e, const reference *r) {
    const parallel *s = e->current;
    if (!r->array || e->serial) return ordinary_text(e, s, r);
    if (r->placed.operand != OPERAND_NONE) return operand_text(e, s, r);
    if (r->placed.kept && e->keeps_rows) return r->placed.kept;
    if (r == &s->left || is_in_place(r)) return local_text(e, s, r);
    if (r->placed.relation == RELATION_SETS) return moved_text(e, s, r);
    return r->placed.matrix ? submatrix_text(e, s, r) : gathered_text(e, r);
}

/* What the loops of a placed statement look like. */
#include "plan.h"

/* ---- References */

bool is_in_place(const reference *r) {
    return r->array && r->placed.operand == OPERAND_NONE && stays_in_place(r);
}

bool is_moved(const reference *r) {
    return r->array && r->placed.relation == RELATION_SETS && r->placed.operand != OPERAND_PANELS;
}

bool uses_index(const reference *r, int k) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == k) return true;
    return false;
}

/* ---- Loops */

bool in_pieces(const parallel *s, int k) {
    return s->placed.waits_for >= 0 && uses_index(&s->reference[s->placed.waits_for], k);
}

/* Whether places of the index's values are found run by run. */
static bool has_own_places_along(const parallel *s, int k) {
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        for (int d = 0; r->array && d < r->rank; d++)
            if (r->placed.dim[d].own && r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == k)
                return true;
    }
    return false;
}

bool is_strided(const parallel *s, int k) {
    int d = home_dimension(home_of(s), k);
    if (d < 0 || in_pieces(s, k) || home_of(s)->array->dynamic || has_own_places_along(s, k)) return false;
    if (s->loop && s->loop->pipeline) return false; /* block by block */
    bool stepped = s->index[k].triangular && !linear_is(&s->index[k].stride, 1) && !linear_is(&s->index[k].stride, -1);
    return is_cyclic(&home_of(s)->array->mapping, d) && !stepped;
}

bool is_single_run(const parallel *s, int k) {
    int d = home_dimension(home_of(s), k);
    return d < 0 || is_strided(s, k) || has_one_interval(home_of(s)->array, d);
}

bool has_literal_range(const parallel *s, int k, int64_t *first, int64_t *last) {
    const loop_index *x = &s->index[k];
    if (x->reduction < 0 || x->triangular || is_strided(s, k) || home_dimension(home_of(s), k) >= 0) return false;
    if (!linear_is_constant(&x->lower) || !linear_is_constant(&x->upper) || !linear_is(&x->stride, 1)) return false;
    *first = x->lower.constant;
    *last = x->upper.constant;
    return !x->descending;
}

bool is_whole_range(const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    if (x->reduction < 0 || x->triangular || x->ragged || x->descending || is_strided(s, k) || in_pieces(s, k))
        return false;
    return home_dimension(home_of(s), k) < 0 && linear_is(&x->stride, 1);
}

/* Whether index k alone could be. */
static bool steps_plainly(const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    const reference *home = home_of(s);
    const int d = home_dimension(home, k);
    if (d < 0 || x->triangular || x->ragged || x->descending || !linear_is(&x->stride, 1)) return false;
    return !in_pieces(s, k) && !is_strided(s, k) && is_single_run(s, k) && linear_is(&home->subscript[d].stride, 1);
}

bool is_own_interval(const parallel *s, int k) {
    const reference *home = home_of(s);
    if (!home || s->index[k].reduction >= 0 || (s->loop && s->loop->pipeline)) return false;
    if (executes_once(s) && may_have_copies(home->array)) return false;
    for (int d = 0; d < home->rank; d++)
        if (may_be_distributed(home->array, d) && home->subscript[d].kind != SUBSCRIPT_AFFINE &&
            (home->subscript[d].kind == SUBSCRIPT_GENERAL || !has_one_interval(home->array, d)))
            return false;
    for (int j = 0; j < s->indices; j++)
        if (s->index[j].reduction < 0 && !steps_plainly(s, j)) return false;
    return true;
}

/* The dimension of home that a distributed dimension of a local reference is aligned with. */
int aligned_dimension(const parallel *s, const reference *r, int d) {
    const array *home = home_of(s)->array;
    if (home == r->array) return d;
    if ((home->apart || r->array->apart) && r->subscript[d].kind == SUBSCRIPT_AFFINE)
        return home_dimension(home_of(s), r->subscript[d].index);
    int before = 0;
    for (int k = 0; k < d; k++) before += may_be_distributed(r->array, k);
    for (int k = 0; k < home->rank; k++)
        if (may_be_distributed(home, k) && before-- == 0) return k;
    return -1;
}

bool shift_used(const parallel *s, int k) {
    int d = home_dimension(home_of(s), k);
    if (d < 0 || !may_be_distributed(home_of(s)->array, d)) return false;
    if (s->kind == PARALLEL_ASSIGNMENT && s->placed.home == HOME_LEFT) return true;
    const reference *home = home_of(s);
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        if (!is_in_place(r)) continue;
        for (int c = 0; c < r->rank; c++)
            if (r->array == home->array ? c == d : may_be_distributed(r->array, c) && aligned_dimension(s, r, c) == d)
                return true;
    }
    return false;
}

bool is_placed_by_value(const parallel *s, int k) {
    return is_single_run(s, k) && !is_strided(s, k) && linear_is(&s->index[k].stride, 1) && !in_pieces(s, k);
}

bool runs_from_bound_to_bound(const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    return x->ragged && (linear_is(&x->stride, 1) || linear_is(&x->stride, -1));
}

bool position_used(const parallel *s, int k) {
    if (in_pieces(s, k)) return false;
    if (s->placed.product) return true; /* of the results */
    if (s->results && uses_index(s->results, k) && !is_placed_by_value(s, k)) return true;
    for (size_t j = 0; j < s->references; j++)
        if (s->reference[j].array && s->reference[j].placed.relation == RELATION_SETS &&
            uses_index(&s->reference[j], k))
            return true;
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved && s->index[k].reduction < 0) return true;
    return false;
}

int tiled_index(const parallel *s) {
    int last = -1;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0) last = k;
    return last;
}

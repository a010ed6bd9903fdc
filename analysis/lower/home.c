/* Pass "home": who executes a parallel statement: the owner of one of its references, its home, or every process. */
#include "lower.h"

/* An index in two dimensions, or a general subscript, in a dimension that needs an owner. */
static bool has_owner_form(const reference *r) {
    bool used[MAX_RANK] = {false};
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (!may_be_distributed(r->array, d)) continue;
        if (u->kind == SUBSCRIPT_GENERAL) return false;
        if (u->kind != SUBSCRIPT_AFFINE) continue;
        if (used[u->index]) return false;
        used[u->index] = true;
    }
    return true;
}

static int distributed_indices(const reference *r) {
    int count = 0;
    for (int d = 0; d < r->rank; d++) {
        bool spread = may_be_distributed(r->array, d);
        if (spread && r->subscript[d].kind == SUBSCRIPT_AFFINE) count += 2;
        count += r->subscript[d].kind == SUBSCRIPT_AFFINE;
    }
    return count;
}

/* Dimensions whose subscript is an index itself; divided ones count twice. */
static int plain_indices(const reference *r) {
    int count = 0;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_AFFINE && linear_is(&u->stride, 1) && linear_is(&u->offset, 0))
            count += may_be_distributed(r->array, d) ? 2 : 1;
    }
    return count;
}

/* Whether a reference in an inner reduction stands in the array in every iteration of the statement around it, which is
 * a reduction too, and depends on that one's indices only. */
static bool is_read_around(const program *p, const parallel *s, const reference *r) {
    if (s->kind != PARALLEL_REDUCTION) return false;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || s->index[r->subscript[d].index].reduction >= 0) return false;
    return reference_in_bounds(p, s, r);
}

/* The reference that spreads the most indices over processes, of these the one beside which the fewest others need
 * ghost cells, U[i][j] rather than U[i-1][j]; HOME_REPLICATED if none. One that stands under a condition has no owner
 * in some iterations. */
static int best_reference(const program *p, const parallel *s) {
    int best = HOME_REPLICATED, best_count = -1;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || !has_owner_form(r) || r->guarded || (r->reduction >= 0 && !is_read_around(p, s, r))) continue;
        if (r->mask >= 0 && s->kind == PARALLEL_ASSIGNMENT) continue;
        if (s->kind == PARALLEL_CHECK && !reference_in_bounds(p, s, r)) continue;
        bool dependent = false;
        for (int d = 0; d < r->rank; d++) dependent |= r->subscript[d].kind == SUBSCRIPT_GENERAL;
        const int count = (2 * MAX_RANK + 1) * distributed_indices(r) + plain_indices(r);
        if (dependent || count <= best_count) continue;
        best = (int)k;
        best_count = count;
    }
    return best;
}

/* A product that is formed in the order of its values. */
static bool is_ordered(const program *p, const parallel *s) {
    const reduction *r = s->kind == PARALLEL_REDUCTION ? &s->reduction[0] : NULL;
    return r && r->operation == OPERATION_PRODUCT && combines_in_order(p, r->operation, r->type);
}

void choose_home(const program *p, parallel *s) {
    if (is_ordered(p, s))
        s->placed.home = HOME_REPLICATED;
    else if (s->kind == PARALLEL_INDEPENDENT)
        s->placed.home = HOME_LEFT;
    else if (s->kind == PARALLEL_ASSIGNMENT && !s->left.array)
        s->placed.home = HOME_REPLICATED;
    else if (s->kind == PARALLEL_ASSIGNMENT && has_owner_form(&s->left))
        s->placed.home = HOME_LEFT;
    else {
        s->placed.scatter = s->kind == PARALLEL_ASSIGNMENT;
        s->placed.home = best_reference(p, s);
        if (s->placed.scatter && picks_parts(s))
            diagnose(p->source, s->member, D_not_implemented,
                     "an index that picks a part of a structure whose owner is found at run time");
    }
}

/* Whether subscripts may leave their arrays in iterations that are not executed. */
static bool may_leave(const parallel *s) {
    return s->masks > 0 || has_triangular(s);
}

/* Whether a reference is found as home is, and is inside in each iteration that executes it. */
static bool is_executed_at_home(const program *p, const parallel *s, const reference *r) {
    const reference *home = &s->left;
    if (r->array != home->array || r->rank != home->rank) return false;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d], *v = &home->subscript[d];
        if (v->kind != SUBSCRIPT_AFFINE && !may_be_distributed(r->array, d)) continue;
        if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index ||
            !linear_equal(&u->offset, &v->offset) || !linear_equal(&u->stride, &v->stride) ||
            !executed_in_bounds(p, s, r, d))
            return false;
    }
    return true;
}

bool stores_inside(const program *p, const parallel *s) {
    size_t stores = 0;
    if (s->kind != PARALLEL_INDEPENDENT || s->loop->partials > 0) return false;
    if (reference_in_bounds(p, s, &s->left)) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->stored) continue;
        if (!is_executed_at_home(p, s, r)) return false;
        stores++;
    }
    return stores > 0;
}

void choose_homes(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) {
        all.statement[k]->placed.clip = may_leave(all.statement[k]) || stores_inside(p, all.statement[k]);
        choose_home(p, all.statement[k]);
    }
}

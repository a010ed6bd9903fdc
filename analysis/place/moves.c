/* Pass "moves": how the values of every reference that moves arrive. */
#include <string.h>

#include "place.h"

/* Whether one collective along the grid brings r's values. */
static bool is_broadcast(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    if (!home || p->sets != METHOD_NONE || p->model != COMM_AUTO || r->rank == 0) return false;
    if (!has_regular_blocks(home->array) || !has_regular_blocks(r->array) ||
        home->array->mapping.grid != r->array->mapping.grid)
        return false;
    if (grid_dimension(&home->array->mapping, home->rank) != grid_dimension(&r->array->mapping, r->rank)) return false;
    if (r->guarded && !reference_in_bounds(p, s, r)) return false;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && !stands_as_home(p, s, r, d)) return false;
    return true;
}

/* Who makes the loops of a move: all its dimensions must have closed forms, or may have. */
static move_kind move_of(const program *p, const parallel *s, const reference *r) {
    move_kind kind = MOVE_INLINED;
    const reference *home = home_of(s);
    if ((s->placed.clip && !statement_in_bounds(p, s)) || (r->guarded && !reference_in_bounds(p, s, r)) ||
        p->model == COMM_DEPOSIT || !has_regular_blocks(r->array) || r->rank == 0)
        return MOVE_FETCHED;
    if (r->placed.operand != OPERAND_NONE) return MOVE_FETCHED;
    if (home && !has_regular_blocks(home->array)) return MOVE_FETCHED;
    for (size_t k = 0; k < s->references; k++)
        if (has_own_places(&s->reference[k])) return MOVE_FETCHED; /* its places are found in loops over home's runs */
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        if (x.index < 0 || x.method == METHOD_NONE || x.method == METHOD_CLOSED) continue;
        if (x.method != METHOD_RUN_TIME) return MOVE_FETCHED;
        kind = MOVE_DECIDED;
    }
    return kind;
}

/* Whether the subscripts of iterations may have to be looked at before the loops, where a condition could need what
 * moves. */
static bool is_checked_before(const program *p, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if ((r->guarded || r->subscript[d].kind == SUBSCRIPT_GENERAL) && !r->confined &&
            !executed_in_bounds(p, s, r, d))
            return true;
    return false;
}

/* The only reference that moves, if every iteration can be computed when its value arrives; else -1. */
static int awaited_reference(const program *p, const parallel *s) {
    int found = -1;
    if (s->loop || s->results || records_assignments(p, s)) return -1;
    if (s->placed.values_first || s->placed.ordered || s->placed.scatter || s->placed.clip ||
        s->reductions > (s->kind == PARALLEL_REDUCTION))
        return -1;
    if (s->left.array && is_checked_before(p, s, &s->left)) return -1;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array) continue;
        if (is_checked_before(p, s, r)) return -1;
        if (stays_in_place(r)) continue;
        if (r->placed.relation != RELATION_SETS || r->placed.move != MOVE_INLINED || r->array == s->left.array)
            return -1;
        if (found >= 0 && (s->reference[found].array != r->array || s->reference[found].guarded != r->guarded ||
                           !same_subscripts(p, &s->reference[found], r)))
            return -1;
        if (found < 0) found = (int)k;
    }
    return found;
}

/* Distinct references that move. */
static int moving_references(const program *p, const parallel *s) {
    int count = 0;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool same = false;
        if (!r->array || r->placed.relation != RELATION_SETS) continue;
        for (size_t j = 0; j < k; j++)
            same |= s->reference[j].array == r->array && same_subscripts(p, &s->reference[j], r);
        count += !same && r->placed.move != MOVE_BROADCAST;
    }
    return count;
}

/* Whether dimension d of both sides runs over the same index, all of whose values follow one another. */
static bool runs_along(const parallel *s, const reference *r, int d) {
    const subscript *u = &s->left.subscript[d], *v = &r->subscript[d];
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index) return false;
    return linear_is(&u->stride, 1) && linear_is(&v->stride, 1) && linear_is(&s->index[u->index].stride, 1);
}

/* Whether the statement is a copy of its only reference: a section of unit stride, the dimensions in their order. */
static bool is_section_copy(const program *p, const parallel *s) {
    const reference *r = &s->reference[0];
    if (s->kind != PARALLEL_ASSIGNMENT || s->member || s->references != 1 || strcmp(s->op, "=") != 0) return false;
    if (s->placed.home != HOME_LEFT || s->placed.scatter || s->placed.values_first || s->placed.clip ||
        s->reductions > 0)
        return false;
    if (!r->array || r->placed.relation != RELATION_SETS || r->guarded || inside_parentheses(s->value) != r->node)
        return false;
    if (r->array == s->left.array || r->array->element != s->left.array->element) return false;
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO) return false; /* communication sets are asked for */
    if (r->rank != s->left.rank || r->rank != s->indices) return false;
    if (has_gaps(r->array) || has_gaps(s->left.array)) return false; /* the engine would copy them whole */
    if (r->array->apart || s->left.array->apart) return false;       /* it knows dealt blocks only */
    for (int d = 0; d < r->rank; d++)
        if (!runs_along(s, r, d)) return false;
    return true;
}

/* Whether every pair of processes shares one interval of the reference's elements, which the runtime moves as fast as
 * loops in the program. */
static bool moves_intervals(const program *p, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        if (x.index >= 0 && !pairing_is_one_run(&x)) return false;
    }
    return true;
}

/* Whether some result is formed in the order of its values, which pieces would come in any order for. */
static bool is_formed_in_order(const program *p, const parallel *s) {
    for (size_t k = 0; k < s->reductions; k++)
        if (!s->reduction[k].exact && combines_in_order(p, s->reduction[k].operation, s->reduction[k].type))
            return true;
    return false;
}

static void choose_for(const program *p, parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (r->array && r->placed.relation == RELATION_SETS && is_broadcast(p, s, r)) r->placed.move = MOVE_BROADCAST;
    }
    const int moving = moving_references(p, s);
    const bool ordered = is_formed_in_order(p, s);
    if (is_section_copy(p, s)) {
        s->reference[0].placed.move = MOVE_COPIED;
        s->placed.waits_for = -1;
        return;
    }
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (r->array && r->placed.relation == RELATION_SETS && r->placed.move != MOVE_BROADCAST)
            r->placed.move = ordered                                    ? MOVE_FETCHED
                             : moving == 1 || !moves_intervals(p, s, r) ? move_of(p, s, r)
                                                                        : MOVE_FETCHED;
    }
    s->placed.waits_for = awaited_reference(p, s);
}

/* Buffers of one statement have different names. */
static void number_buffers(program *p, parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        int before = 0;
        for (size_t j = 0; j < k; j++)
            before += s->reference[j].placed.buffer && s->reference[k].placed.buffer &&
                      s->reference[j].symbol == s->reference[k].symbol;
        if (before) s->reference[k].placed.buffer = moved_name(p, s->reference[k].symbol, before);
    }
}

void choose_moves(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) {
        parallel *outside = all.statement[k]->placed.outside;
        choose_for(p, all.statement[k]);
        number_buffers(p, all.statement[k]);
        if (!outside) continue;
        choose_for(p, outside);
        number_buffers(p, outside);
    }
}

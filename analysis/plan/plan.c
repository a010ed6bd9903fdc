/* Pass "plan": the execution plan of every piece of work, which code generation prints and reports read. */
#include <string.h>

#include "plan.h"

bool is_alone(const program *p, const parallel *s, const array *a) {
    const array *left = s->kind == PARALLEL_ASSIGNMENT ? s->left.array : NULL;
    bool same = left && may_be_same(a, left) && !have_alias_check(p, a, left);
    for (size_t k = 0; k < s->references && a == left; k++) {
        const array *b = s->reference[k].array;
        same = same || (b && is_in_place(&s->reference[k]) && may_be_same(a, b) && !have_alias_check(p, a, b));
    }
    return !same;
}

/* Whether the left side's elements lie as prefixes are saved: by position, side by side. */
static bool lies_by_position(const parallel *s) {
    const reference *left = &s->left;
    const subscript *u = &left->subscript[0];
    return left->rank == 1 && u->kind == SUBSCRIPT_AFFINE && linear_is(&u->stride, 1) && is_single_run(s, u->index) &&
           !is_strided(s, u->index) && linear_is(&s->index[u->index].stride, 1) && !s->index[u->index].triangular;
}

/* Whether an iteration reads the element that it stores, or one that no iteration stores. */
static bool reads_own_element(const reference *r, const reference *left) {
    if (!same_array(r->array, left->array)) return !may_be_same(r->array, left->array);
    const subscript *u = &r->subscript[0], *v = &left->subscript[0];
    return u->kind == SUBSCRIPT_AFFINE && u->index == v->index && linear_equal(&u->stride, &v->stride) &&
           linear_equal(&u->offset, &v->offset);
}

/* A prefix operation that is all of the value is formed in place, where its operands are not in the left array. */
static bool is_formed_in_left(const program *p, const parallel *s) {
    const statement_mask *m = s->mask;
    if (s->kind != PARALLEL_ASSIGNMENT || s->masks != 1 || !m->prefix || !m->saved || strcmp(s->op, "=") != 0)
        return false;
    if (s->value->kind != N_NAME || s->value->symbol != m->node->symbol || s->member || s->indices != 1) return false;
    if (looks_outside(p, s) || !s->left.array || s->placed.home != HOME_LEFT || s->placed.scatter ||
        !lies_by_position(s))
        return false;
    const type *t = m->node->type;
    if (!t || t->kind != TYPE_ARITHMETIC || t->element != s->left.array->element) return false;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && !reads_own_element(&s->reference[k], &s->left)) return false;
    return true;
}

/* Whether the loops that save the values take them in the order in which they are combined, all of a process in one
 * row, so that each is combined with those before as it comes. */
static bool comes_in_order(const program *p, const parallel *s, int m) {
    const prefix_operation *x = s->mask[m].prefix;
    if (!x || combines_in_order(p, x->operation, s->mask[m].node->type)) return false;
    if (x->suffix || x->first != 0 || s->kind != PARALLEL_ASSIGNMENT || looks_outside(p, s) || s->placed.tiled ||
        s->placed.waits_for >= 0)
        return false;
    for (int k = 0; k < s->indices; k++) {
        const int d = home_dimension(home_of(s), k);
        if (s->index[k].reduction >= 0) continue;
        const linear *step = &s->index[k].stride;
        if (k > x->last || !is_single_run(s, k) || is_strided(s, k) || s->index[k].descending) return false;
        if (!linear_is_constant(step) || step->constant < 1) return false;
        if (k > 0 && d >= 0 && divides(&home_of(s)->array->mapping, d)) return false;
    }
    return true;
}

int kept_prefix(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].kept && s->mask[m].prefix) return m;
    return -1;
}

/* Whether the statement's innermost loops take the values of its only prefix operation in the order in which they are
 * combined, all of them on one process: then the statement need not wait for the last. */
static bool is_combined_in_loops(const program *p, const parallel *s) {
    const prefix_operation *x = s->masks == 1 && s->mask[0].saved ? s->mask[0].prefix : NULL;
    if (!x || x->suffix || x->first == 0 || x->last != s->indices - 1 || p->serial || p->check_all) return false;
    if (s->kind != PARALLEL_ASSIGNMENT || s->placed.home != HOME_LEFT || !s->left.array || s->placed.scatter ||
        s->placed.values_first || s->placed.waits_for >= 0 || s->reductions > 0 || s->calls_unknown ||
        s->combined.aggregate || looks_outside(p, s))
        return false;
    for (int k = x->first; k <= x->last; k++) {
        const int d = home_dimension(&s->left, k);
        const linear *step = &s->index[k].stride;
        if (d < 0 || may_be_distributed(s->left.array, d) || !is_single_run(s, k) || is_strided(s, k)) return false;
        if (s->index[k].descending || !linear_is_constant(step) || step->constant < 1) return false;
    }
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array) continue;
        if (!stays_in_place(r) || (same_array(r->array, s->left.array) && !same_subscripts(p, r, &s->left)) ||
            may_be_same(r->array, s->left.array))
            return false;
    }
    return true;
}

/* Whether the bounds of inner reductions' indices that are saved need not be: they are made of what stands in the
 * process's own local part, and the statement does not store into that. */
static bool stand_in_place(const program *p, const parallel *s) {
    if (p->serial || p->check_all || s->masks == 0 || s->loop || s->results || s->calls_unknown ||
        looks_outside(p, s) || s->kind == PARALLEL_CHECK)
        return false;
    if (s->placed.scatter || s->placed.values_first || s->placed.waits_for >= 0 || s->placed.product ||
        s->placed.tiled || s->combined.aggregate || s->combined.chain)
        return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].ragged && !runs_from_bound_to_bound(s, k)) return false; /* its run is the box's */
    for (int m = 0; m < s->masks; m++)
        if (!s->mask[m].bound || !s->mask[m].saved) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->mask < 0 || !r->array) continue;
        if (r->placed.relation != RELATION_LOCAL && r->placed.relation != RELATION_SHIFT) return false;
        if (same_array(r->array, s->left.array) || (s->left.array && may_be_same(r->array, s->left.array)))
            return false;
    }
    return true;
}

/* Whether values can wait row by row, a few rows at a time: loops that count plainly, the first one's distances known;
 * if no row waits for another one, also loops over elements or blocks that are dealt. */
static bool can_roll(const program *p, const parallel *s) {
    enum { MOST_ROWS = 8 };
    int loops = 0;
    if (s->placed.behind < 0 || s->placed.behind >= MOST_ROWS || s->masks > 0 || s->calls_unknown || s->left.rank == 0)
        return false;
    for (int d = 0; d < s->left.rank; d++)
        if (s->left.subscript[d].kind == SUBSCRIPT_GENERAL) return false;
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction >= 0) continue;
        loops++;
        if (s->index[k].triangular || s->index[k].ragged) return false;
        const bool alone = k == 0 && s->placed.behind == 0;
        if (is_strided(s, k) ? s->placed.behind > 0 : !is_single_run(s, k) && !alone) return false;
    }
    const bool plain = linear_is(&s->index[0].stride, 1) && !position_used(s, 0);
    return loops > 1 && (plain || is_strided(s, 0)) && !p->openmp;
}

/* Whether a reference reads elements of the left array, or of one that may be the same, where other iterations
 * store them. */
static bool reads_stored(const program *p, const parallel *s, const reference *r) {
    return r->array && stays_in_place(r) && r->placed.operand == OPERAND_NONE &&
           (same_array(r->array, s->left.array) || may_be_same(r->array, s->left.array)) &&
           !same_subscripts(p, r, &s->left);
}

/* Whether it has one value for all iterations with the same value of the first index, and may be read before them, also
 * where there is none. */
static bool is_same_in_row(const program *p, const parallel *s, const reference *r) {
    if (r->array != s->left.array || r->guarded || r->reduction >= 0 || !reference_in_bounds(p, s, r)) return false;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind != SUBSCRIPT_INVARIANT && (u->kind != SUBSCRIPT_AFFINE || u->index != 0)) return false;
    }
    return true;
}

/* Whether all that iterations read of elements that others store is the same for a row, and no other row's. */
static bool can_keep(const program *p, const parallel *s) {
    if (s->placed.behind != 0 || !can_roll(p, s)) return false;
    for (size_t k = 0; k < s->references; k++)
        if (reads_stored(p, s, &s->reference[k]) && !is_same_in_row(p, s, &s->reference[k])) return false;
    return true;
}

/* Names for what is kept; equal references share one. */
static void keep_references(program *p, const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (!reads_stored(p, s, r)) continue;
        for (size_t j = 0; j < k && !r->placed.kept; j++)
            if (s->reference[j].placed.kept && same_subscripts(p, r, &s->reference[j]))
                r->placed.kept = s->reference[j].placed.kept;
        if (!r->placed.kept) r->placed.kept = unique_name(p, arena_format(p->memory, "%s_before", r->symbol->name));
    }
}

static execution_way way_of(const program *p, const parallel *s) {
    if (s->references == 1 && s->reference[0].placed.move == MOVE_COPIED) return BY_ENGINE;
    if (copied_reference(p, s)) return BY_COPY;
    if (s->placed.scatter) return BY_SCATTER;
    if (is_formed_in_left(p, s)) return BY_PREFIX;
    if (s->placed.values_first) return can_keep(p, s) ? BY_KEPT : can_roll(p, s) ? BY_ROWS : BY_BUFFER;
    if (s->loop) return BY_BODY;
    return can_outline(p, s) ? BY_FUNCTION : BY_LOOPS;
}

static int count_moves(const parallel *s, int mask) {
    int count = 0;
    for (size_t k = 0; k < s->references; k++)
        count += starts_move(s, &s->reference[k], mask) && sends_messages(&s->reference[k]);
    return count;
}

/* Everything but the sources and the way. */
static void finish(program *p, const parallel *s, int mask) {
    execution *x = &s->plan[mask + 1];
    x->moves = count_moves(s, mask);
    x->reach = arena_alloc(p->memory, (size_t)s->indices * sizeof *x->reach);
    plan_interior(p, s, mask, x);
    plan_pipeline(p, s, x);
}

/* The masks are saved before the statement is executed. */
static void plan_statement(program *p, parallel *s) {
    plan_checks(p, s);
    if (is_combined_in_loops(p, s)) {
        s->mask[0].kept = true;
        s->mask[0].saved = false;
    }
    const bool in_place = stand_in_place(p, s);
    for (int mask = 0; in_place && mask < s->masks; mask++) {
        s->mask[mask].in_place = true;
        s->mask[mask].saved = false;
    }
    s->plan = arena_alloc(p->memory, (size_t)(s->masks + 1) * sizeof *s->plan);
    for (int mask = 0; mask < s->masks; mask++) {
        s->plan[mask + 1].way = BY_LOOPS;
        s->plan[mask + 1].running = comes_in_order(p, s, mask);
        find_sources(p, s, mask, &s->plan[mask + 1]);
        finish(p, s, mask);
    }
    find_sources(p, s, -1, s->plan);
    finish(p, s, -1);
    s->plan->way = way_of(p, s);
    if (s->plan->way == BY_KEPT) keep_references(p, s);
    if (s->plan->way == BY_SCATTER) s->plan->rows = rows_in(p, s, &s->left);
    if (s->plan->rows > 0) s->left.placed.buffer = s->left.symbol->name;
    s->plan->rows_stored = s->plan->rows > 0 && may_store_rows(s);
}

/* The results of tiled reductions stand side by side, one for each value of the last index. */
static void name_results(program *p, parallel *s) {
    const parallel *first = s->combined.chain ? s->combined.chain->statement[0] : s;
    const int k = tiled_index(first);
    for (size_t r = 0; r < s->reductions && first->placed.tiled; r++)
        s->reduction[r].in_tile = arena_format(p->memory, "%s[%s - %s]", s->reduction[r].name, first->index[k].name,
                                               index_name(p, first, k, "tile"));
}

static void plan_chain(program *p, fusion *c) {
    c->merged = merge_chain(p, c->statement, c->count);
    finish(p, c->merged, -1);
    c->merged->plan->way = BY_LOOPS;
    plan_collectives(c);
}

void plan_executions(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) {
        plan_statement(p, all.statement[k]);
        warn_of_copies(p, all.statement[k]);
        warn_of_searches(p, all.statement[k]);
        name_results(p, all.statement[k]);
        if (all.statement[k]->placed.outside) plan_statement(p, all.statement[k]->placed.outside);
    }
    warn_of_block_sizes(p);
    plan_exchanges(p, &all);
    for (size_t k = 0; k < all.count; k++) {
        fusion *c = all.statement[k]->combined.chain;
        if (c && !c->merged) plan_chain(p, c);
    }
    plan_halo_exchange(p, &all);
    plan_declared_results(p);
}

/* Pass "lower": indices and their bounds. */
#include "../model/types.h"
#include "lower.h"

/* ---- Ragged ranges, as sum(k = ptr[i]:ptr[i+1]-1, ...): bounds of inner reductions that read distributed elements by
 * the statement's indices.  They are saved before the statement, as locals of foralls are. */

static bool reads_by_index(const lowering *l, const node *bound) {
    return bound && mentions_index(l, bound) && reads_distributed(bound);
}

/* Whether n depends on an index of the reduction that it stands in. */
static bool uses_own_index(const node *call, const node *n) {
    for (size_t c = 1; c < call->count && call->child[c]->kind == N_RANGE; c++) {
        const node *start = call->child[c]->child[0], *name = start->kind == N_ASSIGN ? start->child[0] : NULL;
        if (name && name->symbol && mentions_symbol(n, name->symbol)) return true;
    }
    return false;
}

/* The bound where the conditions hold under which the program evaluates it, else 0. */
static node *guarded_bound(const lowering *l, const node *around, const node *at, node *bound) {
    for (; at != around; at = at->parent) {
        bool negated = false;
        node *condition = at->parent->count ? condition_at(at->parent, at, &negated) : NULL;
        if (!condition) continue;
        node *zero = made_number(l, bound->first, bound->type, "0"), *holds = clone_reached(l->p, condition);
        bound = compose(l->p->memory, N_CONDITIONAL, bound->first, bound->type, holds, negated ? zero : bound,
                        negated ? bound : zero);
    }
    return bound;
}

/* A bound that depends on the statement's indices becomes a name. */
static void save_bound(lowering *l, const group *g, const node *around, const node *call, node **place,
                       const char *index, const char *which) {
    if (!*place || !mentions_index(l, *place)) return;
    node *bound = guarded_bound(l, around, call, *place), *parent = (*place)->parent;
    *place = saved_bound(l, g, bound, arena_format(l->p->memory, "%s_%s", index, which));
    (*place)->parent = parent;
}

static bool take_range(lowering *l, const group *g, const node *around, const node *call, node *range) {
    node *start = range->child[0], *stride = range->count > 2 ? range->child[2] : NULL;
    if (start->kind != N_ASSIGN || start->child[0]->kind != N_NAME) return true; /* reported where it is read */
    if (!reads_by_index(l, start->child[1]) && !reads_by_index(l, range->child[1]) && !reads_by_index(l, stride))
        return true;
    const bool own = uses_own_index(call, start->child[1]) || uses_own_index(call, range->child[1]);
    if (own || (stride && mentions_index(l, stride))) {
        diagnose(l->p->source, range, own ? D_nested_bounds : D_bounds_around, start->child[0]->name);
        return false;
    }
    save_bound(l, g, around, call, &start->child[1], start->child[0]->name, "first");
    save_bound(l, g, around, call, &range->child[1], start->child[0]->name, "last");
    return true;
}

static bool take_in(lowering *l, const group *g, const node *around, node *n) {
    operation op;
    const bool reduces = reduction_call(n, &op);
    for (size_t c = 1; reduces && c < n->count && n->child[c]->kind == N_RANGE; c++)
        if (!take_range(l, g, around, n, n->child[c])) return false;
    for (size_t c = 0; !reduces && c < n->count; c++)
        if (n->child[c] && !take_in(l, g, around, n->child[c])) return false;
    return true;
}

static bool has_ragged(const lowering *l, const node *n) {
    operation op;
    const bool reduces = reduction_call(n, &op);
    for (size_t c = 0; c < n->count; c++) {
        const node *x = n->child[c];
        if (reduces && x && x->kind == N_RANGE && reads_by_index(l, x)) return true;
        if (!reduces && x && has_ragged(l, x)) return true;
    }
    return false;
}

bool save_ragged_bounds(lowering *l, const group *g, node **value) {
    if (!l->locals || !has_ragged(l, *value)) return true;
    node *copy = clone_reached(l->p, *value);
    copy->parent = (*value)->parent;
    *value = copy;
    return take_in(l, g, copy, copy);
}

/* ---- Indices */

/* A range near the ends of 64 bits is counted from its lower bound, so that the loop can step beyond its end. */
static void count_from_zero(arena *a, loop_index *x) {
    int64_t lower, upper;
    if (!x->symbol || x->symbol->kind != SYMBOL_INDEX || !linear_value(&x->lower, &lower) ||
        !linear_value(&x->upper, &upper))
        return;
    const linear last = linear_subtract(a, x->upper, x->lower);
    x->symbol->has_value = linear_fits(&last) && (!linear_is_constant(&x->lower) || !linear_is_constant(&x->upper));
    if (!x->symbol->has_value) return;
    x->symbol->value = lower;
    x->upper = last;
    x->lower = linear_constant(0);
}

static bool is_saved(const node *bound) {
    return bound->kind == N_NAME && bound->symbol && bound->symbol->kind == SYMBOL_LOCAL;
}

static bool uses_index_of(const loop_index *x, const node *lower, const node *upper, const node *stride) {
    return mentions_symbol(lower, x->symbol) || mentions_symbol(upper, x->symbol) ||
           (stride && mentions_symbol(stride, x->symbol));
}

/* The form of a bound; of one that is saved a variable of the loops. */
static linear bound_form(program *p, const node *bound) {
    return is_saved(bound) ? linear_atom(p->memory, unique_name(p, bound->name), bound)
                           : linear_of(p->memory, p->source, bound);
}

bool add_index(lowering *l, symbol *s, const char *name, node *lower, node *upper, node *stride) {
    parallel *t = l->s;
    arena *a = l->p->memory;
    if (t->indices == MAX_RANK) {
        diagnose(l->p->source, lower, D_too_many_indices);
        return false;
    }
    for (int k = 0; k < 3; k++) check_overflow(l->p, (node *const[]){lower, upper, stride}[k]);
    if (!prepare_bound(l, name, lower) || !prepare_bound(l, name, upper) || (stride && !prepare_bound(l, name, stride)))
        return false;
    loop_index x = {.name = s->spelling ? s->spelling : name, .symbol = s, .reduction = l->reduction};
    x.ragged = is_saved(lower) || is_saved(upper);
    for (int k = 0; k < t->indices; k++)
        if (t->index[k].ragged && uses_index_of(&t->index[k], lower, upper, stride))
            diagnose(l->p->source, lower, D_bounds_around, name);
    x.lower = bound_form(l->p, lower);
    x.upper = bound_form(l->p, upper);
    x.lower = linear_add(a, x.lower, linear_constant(s->lower_more));
    x.upper = linear_add(a, x.upper, linear_constant(s->upper_more));
    x.stride = stride ? linear_of(a, l->p->source, stride) : linear_constant(1);
    x.triangular = mentions_index(l, lower) || mentions_index(l, upper) || (stride && mentions_index(l, stride));
    x.box_linear = linear_in_indices(l, lower) && linear_in_indices(l, upper) && !(stride && mentions_index(l, stride));
    if (x.triangular) x.guards = guards_of_bounds(l, (node *const[]){lower, upper, stride}, 3);
    count_from_zero(a, &x);
    if (linear_is(&x.stride, 0)) diagnose(l->p->source, stride, D_zero_stride);
    append_index(a, t, x);
    return true;
}

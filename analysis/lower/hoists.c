/* What is evaluated once, before a parallel statement: invariant parts of bounds and subscripts. */
#include <string.h>

#include "lower.h"
#include "../model/types.h"

/* ---- Indices in expressions */

int index_number(const lowering *l, const node *n) {
    if (n->kind != N_NAME || !n->symbol || (n->symbol->kind != SYMBOL_INDEX && !l->loop)) return -1;
    int k = l->s->indices - 1; /* the last: a copy of a reduction has an index of its own with the same symbol */
    while (k >= 0 && l->s->index[k].symbol != n->symbol) k--;
    return k;
}

bool mentions_index(const lowering *l, const node *n) {
    operation op;
    if (n->replacement && n->replacement[0] != PLACED) return false;
    if (index_number(l, n) >= 0 || (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_LOCAL)) return true;
    if (l->sections > 0 && section_count((node *)n) > 0) return true; /* a section in a subscript: idx[:] */
    if (l->sections > 0 && reduction_call(n, &op)) {
        lowering outside = *l;
        outside.sections = 0;
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c] && mentions_index(&outside, n->child[c])) return true;
        return false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_index(l, n->child[c])) return true;
    return false;
}

bool linear_mentions_index(const lowering *l, const linear *x) {
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].node && mentions_index(l, x->term[t].node)) return true;
    return false;
}

/* Whether a linear form of what has no tokens of its own is made of its parts' forms, and does not quote the source. */
static bool has_form_of_parts(const node *n) {
    const bool number = n->type && n->type->kind == TYPE_ARITHMETIC && element_is_integer(n->type->element) &&
                        element_is_signed(n->type->element);
    return n->kind == N_PAREN || (number && (n->kind == N_CONSTANT || n->kind == N_CAST)) ||
           (number && n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]));
}

bool needs_hoisting(const node *n) {
    if (n->replacement || n->kind == N_SIZEOF) return false;
    if (n->made && !has_form_of_parts(n)) return true;
    if (n->kind == N_INDEX || n->kind == N_CALL || n->kind == N_ASSIGN || n->kind == N_POSTFIX) return true;
    if (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--"))) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && needs_hoisting(n->child[c])) return true;
    return false;
}

static void lower_reductions_in(program *p, node *n) {
    operation op;
    if (reduction_call(n, &op)) {
        lower_reduction(p, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) lower_reductions_in(p, n->child[c]);
}

bool subscript_is_safe(const symbol *s, int d, const node *n) {
    const type *t = s && s->kind == SYMBOL_VARIABLE ? s->type : NULL;
    for (int k = 0; t && t->kind == TYPE_ARRAY && k < d; k++) t = t->of;
    if (!t || t->kind != TYPE_ARRAY || (s->is_parameter && d == 0)) return false;
    const node *low = t->array->child[1], *high = t->array->child[2];
    int64_t at, lower = 0, upper;
    if (!constant_value(n, &at) || !high || !constant_value(high, &upper)) return false;
    if (low && !constant_value(low, &lower)) return false;
    return at >= lower && (low ? at <= upper : at < upper);
}

static bool element_may_fail(const node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain((node *)n, &name, subscripts, &count)) return true;
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && !subscript_is_safe(name->symbol, d, subscripts[d])) return true;
    return false;
}

bool may_fail(const node *n) {
    int64_t divisor;
    operation op;
    if (n->replacement || n->kind == N_SIZEOF) return false;
    bool divides = n->kind == N_BINARY && !n->op[1] && (n->op[0] == '/' || n->op[0] == '%') &&
                   !constant_value(n->child[1], &divisor);
    if (divides || (n->kind == N_MEMBER && !strcmp(n->op, "->")) || (n->kind == N_UNARY && n->op[0] == '*'))
        return true;
    if (n->kind == N_INDEX && element_may_fail(n)) return true;
    if (n->kind == N_CALL && !reduction_call(n, &op) && !is_mathematics(n->child[0])) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_fail(n->child[c])) return true;
    return false;
}

bool is_conditional(const lowering *l) {
    return l->guarded || (l->s->masks > 0 && l->mask != 0);
}

/* ---- Conditions around an expression */

static bool has_reduction(const node *n) {
    operation op;
    if (reduction_call(n, &op)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_reduction(n->child[c])) return true;
    return false;
}

/* The conditions around n in its statement, outer first.  `invariant`: those that depend on no index; else those that
 * read no distributed array. */
static guards guards_around(const lowering *l, node *n, bool invariant) {
    guards found = {0};
    bool alone = l->s->kind == PARALLEL_REDUCTION;
    for (; n->parent && n->kind != N_STATEMENT_EXPRESSION && !(alone && n == l->s->node); n = n->parent) {
        guard g;
        g.node = n->parent->count ? condition_at(n->parent, n, &g.negated) : NULL;
        if (!g.node || has_reduction(g.node)) continue;
        if (invariant ? mentions_index(l, g.node) : reads_distributed(g.node)) continue;
        vector_add(l->p->memory, found.guard, found.count, found.capacity, g);
    }
    for (size_t k = 0; k < found.count / 2; k++) {
        guard swap = found.guard[k];
        found.guard[k] = found.guard[found.count - 1 - k];
        found.guard[found.count - 1 - k] = swap;
    }
    return found;
}

guards *guards_of_bounds(const lowering *l, node *const *bounds, int count) {
    bool fails = false;
    node *any = NULL;
    for (int k = 0; k < count; k++)
        if (bounds[k]) {
            any = bounds[k];
            fails = fails || may_fail(any);
        }
    if (!fails) return NULL;
    guards *found = arena_alloc(l->p->memory, sizeof *found);
    *found = guards_around(l, any, false);
    return found;
}

static bool is_known_filled(const loop_index *x) {
    if (!linear_is_constant(&x->lower) || !linear_is_constant(&x->upper) || !linear_is_constant(&x->stride))
        return false;
    return x->stride.constant > 0 ? x->lower.constant <= x->upper.constant : x->lower.constant >= x->upper.constant;
}

/* The indices around what is being lowered that may have no iterations. */
static void note_indices(const lowering *l, hoisted *h) {
    h->index = arena_alloc(l->p->memory, (size_t)l->s->indices * sizeof *h->index);
    for (int k = 0; k < l->s->indices; k++) {
        const loop_index *x = &l->s->index[k];
        if (x->triangular || is_known_filled(x) || (x->reduction >= 0 && x->reduction != l->reduction)) continue;
        h->index[h->indices++] = *x;
    }
}

/* How many of the group's statements must be executed before n is evaluated. */
static size_t statements_before(const hoists *h, const node *n, size_t until) {
    size_t statements = 0, after = 0;
    for (size_t k = 0; h->group && k < h->group->actions; k++) {
        const action *a = &h->group->action[k];
        if (a->mask >= 0) continue;
        if (statements++ == until) break;
        if (may_change(a->statement, n)) after = statements;
    }
    return after;
}

/* The type of an expression's value.  Integers are long, as bounds and subscripts are; but as an operand in one, `i <
 * u[0]`, they are what decides C's arithmetic. */
static const char *hoisted_type(const node *n, bool is_operand) {
    if (!n->type || n->type->kind != TYPE_ARITHMETIC) return NULL;
    return element_is_integer(n->type->element) && !is_operand ? "long" : element_spelling(n->type->element);
}

/* maxval_35 for a reduction in line 35, value_1 for other values. */
static const char *name_of_value(lowering *l, const node *n, size_t number) {
    operation op;
    if (!reduction_call(n, &op)) return unique_name(l->p, arena_format(l->p->memory, "value_%zu", number));
    const int line = l->p->source->tokens[n->first].line;
    return unique_name(l->p, arena_format(l->p->memory, "%s_%d", n->child[0]->name, line));
}

static const char *hoist_as(lowering *l, node *n, bool is_operand) {
    hoists *h = l->s->hoisted;
    program *p = l->p;
    if (n->replacement) return n->replacement;
    const char *ctype = hoisted_type(n, is_operand);
    const char *name = name_of_value(l, n, h->count + 1);
    bool fails = may_fail(n);
    lower_reductions_in(p, n);
    hoisted x = {
        .node = n, .name = name, .ctype = ctype, .after = statements_before(h, n, l->locals ? l->until : SIZE_MAX)};
    if (fails) {
        x.guarded = is_conditional(l);
        note_indices(l, &x);
        if (x.guarded) x.guards = guards_around(l, n, true);
    }
    vector_add(p->memory, h->hoisted, h->count, h->capacity, x);
    n->replacement = name;
    return name;
}

const char *hoist(lowering *l, node *n) {
    return hoist_as(l, n, false);
}

const char *hoist_text(lowering *l, node *n, const char *wish, const char *c_text) {
    hoists *h = l->s->hoisted;
    hoisted x = {.node = n, .text = c_text, .ctype = "long", .name = unique_name(l->p, wish)};
    x.after = statements_before(h, n, l->locals ? l->until : SIZE_MAX);
    vector_add(l->p->memory, h->hoisted, h->count, h->capacity, x);
    return x.name;
}

static void hoist_operands(lowering *l, node *n, bool are_operands) {
    if (!needs_hoisting(n) && !(is_conditional(l) && may_fail(n))) return;
    if (!mentions_index(l, n)) {
        hoist_as(l, n, are_operands);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) hoist_operands(l, n->child[c], are_operands);
}

void hoist_invariants(lowering *l, node *n) {
    hoist_operands(l, n, !linear_in_indices(l, n));
}

/* ---- Bounds */

bool linear_in_indices(const lowering *l, const node *n) {
    int64_t value;
    if (!mentions_index(l, n)) return true;
    if (n->kind == N_NAME) return n->symbol->kind != SYMBOL_LOCAL;
    if (n->kind == N_PAREN) return linear_in_indices(l, n->child[0]);
    if (n->kind == N_UNARY) return !strcmp(n->op, "-") && linear_in_indices(l, n->child[0]);
    if (n->kind != N_BINARY || n->op[1]) return false;
    if (n->op[0] == '+' || n->op[0] == '-')
        return linear_in_indices(l, n->child[0]) && linear_in_indices(l, n->child[1]);
    return n->op[0] == '*' && ((constant_value(n->child[0], &value) && linear_in_indices(l, n->child[1])) ||
                               (constant_value(n->child[1], &value) && linear_in_indices(l, n->child[0])));
}

/* Reductions in a bound that depend on earlier indices are computed where the bound is. */
static void lower_reductions_in_place(const lowering *l, node *n) {
    operation op;
    if (!mentions_index(l, n) || n->replacement) return;
    if (reduction_call(n, &op)) {
        lower_reduction_in_place(l->p, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) lower_reductions_in_place(l, n->child[c]);
}

/* The first distributed array that n reads. */
static const array *distributed_in(node *n) {
    const array *found = distributed_reference(n);
    for (size_t c = 0; c < n->count && !found; c++)
        if (n->child[c]) found = distributed_in(n->child[c]);
    return found;
}

bool prepare_bound(lowering *l, const char *name, node *n) {
    if (!mentions_index(l, n)) {
        if (needs_hoisting(n)) hoist(l, n);
        return true;
    }
    if (reads_distributed(n)) {
        const array *read = distributed_in(n);
        diagnose(l->p->source, n, D_nested_bounds, name);
        if (read && read->rank == 1)
            diagnose_help("bounds may read an ordinary array, of which every process has a copy: copy[:] = %s[:];",
                          read->symbol->name);
        return false;
    }
    lower_reductions_in_place(l, n);
    for (size_t c = 0; c < n->count && !n->replacement; c++)
        if (n->child[c] && !mentions_index(l, n->child[c]) && needs_hoisting(n->child[c]))
            hoist_as(l, n->child[c], !linear_in_indices(l, n));
    return true;
}

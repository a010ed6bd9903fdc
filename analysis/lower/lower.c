/* Pass "lower": foralls and array assignments become parallel statements. */
#include "lower.h"

#include <string.h>

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

void add_index(lowering *l, symbol *s, const char *name, node *lower, node *upper, node *stride) {
    parallel *t = l->s;
    arena *a = l->p->memory;
    if (t->indices == MAX_RANK) {
        diagnose(l->p->source, lower, D_too_many_indices);
        return;
    }
    for (int k = 0; k < 3; k++) check_overflow(l->p, (node *const[]){lower, upper, stride}[k]);
    if (!prepare_bound(l, name, lower) || !prepare_bound(l, name, upper) || (stride && !prepare_bound(l, name, stride)))
        return;
    loop_index x = {.name = s->spelling ? s->spelling : name, .symbol = s, .reduction = l->reduction};
    x.lower = linear_of(a, l->p->source, lower);
    x.upper = linear_of(a, l->p->source, upper);
    x.stride = stride ? linear_of(a, l->p->source, stride) : linear_constant(1);
    x.triangular = mentions_index(l, lower) || mentions_index(l, upper) || (stride && mentions_index(l, stride));
    x.box_linear = linear_in_indices(l, lower) && linear_in_indices(l, upper) && !(stride && mentions_index(l, stride));
    if (x.triangular) x.guards = guards_of_bounds(l, (node *const[]){lower, upper, stride}, 3);
    count_from_zero(a, &x);
    if (linear_is(&x.stride, 0)) diagnose(l->p->source, stride, D_zero_stride);
    append_index(a, t, x);
}

static bool left_uses(const lowering *l, int k) {
    const reference *left = &l->s->left;
    if (left->base->kind != N_NAME && l->s->index[k].symbol && mentions_symbol(left->base, l->s->index[k].symbol))
        return true;
    for (int d = 0; d < left->rank; d++) {
        const subscript *u = &left->subscript[d];
        if (u->kind == SUBSCRIPT_AFFINE && u->index == k) return true;
        if (u->kind != SUBSCRIPT_GENERAL) continue;
        if (!u->node) return true;
        symbol *s = l->s->index[k].symbol;
        if (!s || mentions_symbol(u->node, s)) return true;
    }
    return false;
}

static void check_left(lowering *l) {
    for (int k = 0; k < l->s->indices; k++) {
        const loop_index *x = &l->s->index[k];
        if (x->reduction >= 0 || !x->symbol || left_uses(l, k)) continue;
        diagnose(l->p->source, l->s->left.node, D_forall_index_unused, x->name);
    }
}

/* ---- Assignments */

/* The assignment that an expression statement is, or NULL. */
static node *assignment_of(const node *n) {
    node *assign = n->kind == N_EXPRESSION ? inside_parentheses(n->child[0]) : NULL;
    return assign && assign->kind == N_ASSIGN ? assign : NULL;
}

static void collect_left_subscripts(lowering *l, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    l->in_place = true;
    if (name->kind != N_NAME) collect_references(l, name);
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && mentions_index(l, subscripts[d])) collect_references(l, subscripts[d]);
    l->in_place = false;
}

/* An element of ordinary memory that is no array element: points[i].x. */
static void lower_memory(program *p, parallel *s, group *g, node *left) {
    lowering l = {.p = p, .s = s, .reduction = -1, .mask = -1};
    for (l.mask = 0; l.mask < s->masks; l.mask++) collect_references(&l, s->mask[l.mask].node);
    l.mask = -1;
    l.in_place = true;
    for (size_t c = 0; c < left->count; c++) collect_references(&l, left->child[c]);
    l.in_place = false;
    collect_references(&l, s->value);
    s->left = (reference){.node = left, .base = left, .reduction = -1, .mask = -1};
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && s->index[k].symbol && !mentions_symbol(left, s->index[k].symbol))
            diagnose(p->source, left, D_forall_index_unused, s->index[k].name);
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){.mask = -1, .statement = s}));
}

/* Adds the statement `left op= value` to the group, under the lowering's indices and masks. */
static void lower_assignment(lowering *outer, group *g, node *assign) {
    program *p = outer->p;
    node *left = inside_parentheses(assign->child[0]), *name, *subscripts[MAX_RANK];
    int count;
    parallel *s = arena_alloc(p->memory, sizeof *s);
    *s = copy_of_statement(p->memory, outer->s);
    s->kind = PARALLEL_ASSIGNMENT;
    s->node = assign;
    s->op = assign->op;
    s->value = assign->child[1];
    if (strcmp(s->op, "=") != 0 && (!s->value->type || s->value->type->kind != TYPE_ARITHMETIC))
        report_unknown_type(p, s->value);
    if (left->kind == N_NAME && left->symbol && left->symbol->kind == SYMBOL_INDEX) {
        diagnose(p->source, left, D_forall_index_assigned, left->name);
        return;
    }
    bool ordinary = !index_chain(left, &name, subscripts, &count);
    bool memory = left->kind == N_MEMBER || (left->kind == N_UNARY && !strcmp(left->op, "*"));
    if (ordinary && memory && s->indices > 0) {
        lower_memory(p, s, g, left);
        return;
    }
    if (ordinary) {
        if (left->kind == N_INDEX)
            diagnose(p->source, left, D_too_many_indices);
        else
            diagnose(p->source, left, D_forall_scalar, ast_quote(p->memory, p->source, left));
        return;
    }
    if (name->symbol && name->symbol->array && count != name->symbol->array->rank) return; /* reported */
    lowering l = {.p = p, .s = s, .reduction = -1, .mask = -1};
    node *leading = first_section(left);
    if (leading) open_sections(&l, leading, assign);
    for (l.mask = 0; l.mask < s->masks; l.mask++) collect_references(&l, s->mask[l.mask].node);
    l.mask = -1;
    s->left = make_reference(&l, left, false);
    collect_left_subscripts(&l, left);
    collect_references(&l, s->value);
    check_left(&l);
    traverse_in_memory(s);
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){.mask = -1, .statement = s}));
}

/* ---- Foralls */

/* Whether a statement of actions[from ..], but the last, may change what the mask reads. */
static bool mask_is_overwritten(const group *g, size_t from, const node *mask) {
    for (size_t k = from; k + 1 < g->actions; k++)
        if (g->action[k].mask < 0 &&
            (!g->action[k].statement->left.array || mentions_symbol(mask, g->action[k].statement->left.symbol)))
            return true;
    return false;
}

static bool is_within(const node *n, const node *outer) {
    return n->first >= outer->first && n->last <= outer->last;
}

/* A mask is saved where the left side's elements are, which must be known before the statements. */
static void check_left_kept(program *p, const group *g, size_t from, const parallel *s) {
    size_t before = 0;
    for (size_t k = 0; k < from; k++) before += g->action[k].mask < 0;
    for (size_t k = 0; k < g->hoisted.count; k++)
        if (g->hoisted.hoisted[k].after > before && is_within(g->hoisted.hoisted[k].node, s->left.node))
            diagnose(p->source, g->hoisted.hoisted[k].node, D_not_implemented,
                     "a subscript of a left side that reads what the forall assigns, under a mask that does so too");
}

/* Inserts actions that save mask number m for every statement of actions[from ..], before these. */
static void save_mask(program *p, group *g, size_t from, int m) {
    size_t statements = g->actions - from;
    for (size_t k = 0; k < statements; k++) {
        if (g->action[from + k].mask >= 0) continue;
        parallel *s = g->action[from + k].statement;
        check_left_kept(p, g, from, s);
        s->mask[m].saved = true;
        s->mask[m].buffer = unique_name(p, arena_format(p->memory, "mask_%zu_%d", from + k + 1, m + 1));
    }
    action *old = arena_alloc(p->memory, statements * sizeof *old);
    memcpy(old, g->action + from, statements * sizeof *old);
    g->actions = from;
    for (size_t k = 0; k < statements; k++)
        if (old[k].mask < 0)
            vector_add(p->memory, g->action, g->actions, g->action_capacity,
                       ((action){.mask = m, .statement = old[k].statement}));
    for (size_t k = 0; k < statements; k++) vector_add(p->memory, g->action, g->actions, g->action_capacity, old[k]);
}

/* Saves the mask that holds for actions[from ..] where these may change it. */
static void keep_mask(program *p, group *g, size_t from, const node *mask, int m) {
    if (g->actions > from + 1 && mask_is_overwritten(g, from, mask)) save_mask(p, g, from, m);
}

static bool add_mask(program *p, parallel *s, node *mask) {
    const bool fits = s->masks < MAX_RANK;
    if (fits)
        append_mask(p->memory, s, mask);
    else
        diagnose(p->source, mask, D_not_implemented, "more than 15 conditions around a statement of a forall");
    return fits;
}

static void lower_body(lowering *l, group *g, node *n);

static void lower_forall(lowering *outer, group *g, node *n) {
    program *p = outer->p;
    parallel s = *outer->s;
    lowering l = {.p = p, .s = &s, .reduction = -1, .mask = -1};
    s.node = n;
    for (size_t c = 2; c < n->count; c++) {
        node *x = n->child[c];
        add_index(&l, x->symbol, x->name, x->child[0], x->child[1], x->count > 2 ? x->child[2] : NULL);
    }
    int m = s.masks;
    if (n->child[0] && !add_mask(p, &s, n->child[0])) return;
    size_t from = g->actions;
    lower_body(&l, g, n->child[1]);
    if (n->child[0]) keep_mask(p, g, from, n->child[0], m);
}

/* `if (c) x; else y;`: x where the mask c holds, y where it does not; c is what it is before both. */
static void lower_if(lowering *outer, group *g, node *n) {
    program *p = outer->p;
    parallel s = *outer->s;
    lowering l = {.p = p, .s = &s, .reduction = -1, .mask = -1};
    const int m = s.masks;
    const size_t from = g->actions;
    if (!add_mask(p, &s, n->child[0])) return;
    lower_body(&l, g, n->child[1]);
    s.mask[m].node = negation_of(p->memory, n->child[0]);
    if (n->child[2]) lower_body(&l, g, n->child[2]);
    keep_mask(p, g, from, n->child[0], m);
}

static void lower_body(lowering *l, group *g, node *n) {
    switch ((int)n->kind) {
    case N_EMPTY:
        return;
    case N_COMPOUND:
        for (size_t c = 0; c < n->count; c++) lower_body(l, g, n->child[c]);
        return;
    case N_FORALL:
        lower_forall(l, g, n);
        return;
    case N_IF:
        lower_if(l, g, n);
        return;
    case N_EXPRESSION:
        if (!assignment_of(n)) break;
        lower_assignment(l, g, assignment_of(n));
        return;
    default:
        break;
    }
    diagnose(l->p->source, n, D_forall_body);
}

/* ---- The walk over the program */

static bool bound_reads(const linear *x, const symbol *s) {
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].node && s && mentions_symbol(x->term[t].node, s)) return true;
    return false;
}

/* Bounds are evaluated before the body: those of inner indices must not read what the body assigns. */
static void check_bounds_kept(program *p, const group *g) {
    for (size_t a = 0; a < g->actions; a++)
        for (size_t b = 0; b < g->actions; b++) {
            const parallel *s = g->action[a].statement;
            const symbol *left = g->action[b].statement->left.symbol;
            for (int k = 0; k < s->indices && g->action[a].mask < 0 && g->action[b].mask < 0; k++)
                if (s->index[k].triangular &&
                    (bound_reads(&s->index[k].lower, left) || bound_reads(&s->index[k].upper, left)))
                    diagnose(p->source, s->node, D_not_implemented,
                             "a bound that reads an array which the forall assigns");
        }
}

static void lower_group(program *p, node *n) {
    group *g = arena_alloc(p->memory, sizeof *g);
    g->node = n;
    g->hoisted.group = g;
    parallel s = {.node = n, .hoisted = &g->hoisted};
    lowering l = {.p = p, .s = &s, .reduction = -1, .mask = -1};
    if (n->kind == N_FORALL)
        lower_forall(&l, g, n);
    else
        lower_assignment(&l, g, assignment_of(n));
    check_bounds_kept(p, g);
    note_group(p, g);
}

static void walk(program *p, node *n) {
    operation op;
    node *assign = assignment_of(n);
    if (n->kind == N_FORALL || (assign && first_section(inside_parentheses(assign->child[0]))))
        lower_group(p, n);
    else if (reduction_call(n, &op))
        lower_reduction(p, n);
    else if (n->kind == N_FOR && lower_independent(p, n))
        return;
    else if (n->kind == N_INDEPENDENT)
        check_directive_place(p, n);
    else if (assign && first_section(assign->child[1]))
        diagnose(p->source, assign, D_section_to_scalar);
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) walk(p, n->child[c]);
}

void lower(program *p) {
    walk(p, p->unit);
}

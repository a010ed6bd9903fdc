/* Pass "lower": foralls and array assignments become parallel statements. */
#include "lower.h"

#include <string.h>

/* ---- Indices */

/* Whether earlier indices occur only as terms with constant coefficients. */
static bool linear_in_indices(const lowering *l, const node *n) {
    int64_t value;
    if (!mentions_index(l, n) || n->kind == N_NAME) return true;
    if (n->kind == N_PAREN) return linear_in_indices(l, n->child[0]);
    if (n->kind == N_UNARY) return !strcmp(n->op, "-") && linear_in_indices(l, n->child[0]);
    if (n->kind != N_BINARY || n->op[1]) return false;
    if (n->op[0] == '+' || n->op[0] == '-') return linear_in_indices(l, n->child[0]) && linear_in_indices(l, n->child[1]);
    return n->op[0] == '*' && ((constant_value(n->child[0], &value) && linear_in_indices(l, n->child[1])) ||
                               (constant_value(n->child[1], &value) && linear_in_indices(l, n->child[0])));
}

static bool reads_distributed(const node *n) {
    if (n->replacement) return false;
    if (n->kind == N_NAME && n->symbol && (n->symbol->array || n->symbol->uses_distributed)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_distributed(n->child[c])) return true;
    return false;
}

/* Invariant parts that read memory are evaluated once; false after an error. */
static bool prepare_bound(lowering *l, const char *name, node *n) {
    if (!mentions_index(l, n)) {
        if (needs_hoisting(n)) hoist(l, n);
        return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !mentions_index(l, n->child[c]) && needs_hoisting(n->child[c])) hoist(l, n->child[c]);
    if (!reads_distributed(n)) return true;
    diagnose(l->p->source, n, D_nested_bounds, name);
    return false;
}

void add_index(lowering *l, symbol *s, const char *name, node *lower, node *upper, node *stride) {
    parallel *t = l->s;
    arena *a = l->p->memory;
    if (t->indices == MAX_RANK) {
        diagnose(l->p->source, lower, D_too_many_indices);
        return;
    }
    if (!prepare_bound(l, name, lower) || !prepare_bound(l, name, upper) || (stride && !prepare_bound(l, name, stride))) return;
    loop_index x = {.name = name, .symbol = s, .reduction = l->reduction};
    x.lower = linear_of(a, l->p->source, lower);
    x.upper = linear_of(a, l->p->source, upper);
    x.stride = stride ? linear_of(a, l->p->source, stride) : linear_constant(1);
    x.triangular = mentions_index(l, lower) || mentions_index(l, upper) || (stride && mentions_index(l, stride));
    x.box_linear = linear_in_indices(l, lower) && linear_in_indices(l, upper) && !(stride && mentions_index(l, stride));
    if (linear_is(&x.stride, 0)) diagnose(l->p->source, stride, D_zero_stride);
    t->index[t->indices++] = x;
}

static bool uses_index(const lowering *l, int k) {
    const reference *left = &l->s->left;
    for (int d = 0; d < left->rank; d++) {
        const subscript *u = &left->subscript[d];
        if (u->kind == SUBSCRIPT_AFFINE && u->index == k) return true;
        if (u->kind != SUBSCRIPT_GENERAL) continue;
        if (!u->node) return true;
        symbol *s = l->s->index[k].symbol;
        for (size_t t = u->node->first; s && t <= u->node->last; t++)
            if (!strcmp(l->p->source->tokens[t].text, s->name)) return true;
    }
    return false;
}

static void check_left(lowering *l) {
    for (int k = 0; k < l->s->indices; k++) {
        const loop_index *x = &l->s->index[k];
        if (x->reduction >= 0 || !x->symbol || uses_index(l, k)) continue;
        diagnose(l->p->source, l->s->left.node, D_forall_index_unused, x->name);
    }
}

/* ---- Assignments */

static node *strip(node *n) {
    while (n->kind == N_PAREN) n = n->child[0];
    return n;
}

static void collect_left_subscripts(lowering *l, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && mentions_index(l, subscripts[d])) collect_references(l, subscripts[d]);
}

/* Adds the statement `left op= value` to the group, under the lowering's indices and masks. */
static void lower_assignment(lowering *outer, group *g, node *assign) {
    program *p = outer->p;
    node *left = strip(assign->child[0]), *name, *subscripts[MAX_RANK];
    int count;
    parallel *s = arena_alloc(p->memory, sizeof *s);
    *s = *outer->s;
    s->kind = PARALLEL_ASSIGNMENT;
    s->node = assign;
    s->op = assign->op;
    s->value = assign->child[1];
    if (left->kind == N_NAME && left->symbol && left->symbol->kind == SYMBOL_INDEX) {
        diagnose(p->source, left, D_forall_index_assigned, left->name);
        return;
    }
    if (!index_chain(left, &name, subscripts, &count)) {
        diagnose(p->source, left, D_forall_scalar, ast_quote(p->memory, p->source, left));
        return;
    }
    if (name->symbol && name->symbol->array && count != name->symbol->array->rank) return; /* reported */
    lowering l = {.p = p, .s = s, .reduction = -1, .mask = -1};
    if (section_count(left) > 0) open_sections(&l, left, assign);
    for (l.mask = 0; l.mask < s->masks; l.mask++) collect_references(&l, s->mask[l.mask]);
    l.mask = -1;
    collect_left_subscripts(&l, left);
    collect_references(&l, s->value);
    s->left = make_reference(&l, left);
    check_left(&l);
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){-1, s}));
}

/* ---- Foralls */

static bool reads_symbol(const node *n, const symbol *s) {
    if (n->kind == N_NAME && n->symbol == s) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_symbol(n->child[c], s)) return true;
    return false;
}

/* Whether a statement of actions[from ..], but the last, may change what the mask reads. */
static bool mask_is_overwritten(const group *g, size_t from, const node *mask) {
    for (size_t k = from; k + 1 < g->actions; k++)
        if (g->action[k].mask < 0 && (!g->action[k].statement->left.array || reads_symbol(mask, g->action[k].statement->left.symbol)))
            return true;
    return false;
}

/* Inserts actions that save mask number m for every statement of actions[from ..], before these. */
static void save_mask(program *p, group *g, size_t from, int m) {
    size_t statements = g->actions - from;
    for (size_t k = 0; k < statements; k++) {
        if (g->action[from + k].mask >= 0) continue;
        parallel *s = g->action[from + k].statement;
        s->mask_saved[m] = true;
        s->mask_buffer[m] = unique_name(p, arena_format(p->memory, "mask_%zu_%d", from + k + 1, m + 1));
    }
    action *old = arena_alloc(p->memory, statements * sizeof *old);
    memcpy(old, g->action + from, statements * sizeof *old);
    g->actions = from;
    for (size_t k = 0; k < statements; k++)
        if (old[k].mask < 0) vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){m, old[k].statement}));
    for (size_t k = 0; k < statements; k++) vector_add(p->memory, g->action, g->actions, g->action_capacity, old[k]);
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
    if (n->child[0] && m < MAX_RANK) s.mask[s.masks++] = n->child[0];
    size_t from = g->actions;
    lower_body(&l, g, n->child[1]);
    if (n->child[0] && g->actions - from > 1 && mask_is_overwritten(g, from, n->child[0])) save_mask(p, g, from, m);
}

static void lower_body(lowering *l, group *g, node *n) {
    switch ((int)n->kind) {
    case N_EMPTY: return;
    case N_COMPOUND:
        for (size_t c = 0; c < n->count; c++) lower_body(l, g, n->child[c]);
        return;
    case N_FORALL: lower_forall(l, g, n); return;
    case N_EXPRESSION:
        if (strip(n->child[0])->kind == N_ASSIGN) {
            lower_assignment(l, g, strip(n->child[0]));
            return;
        }
        break;
    default: break;
    }
    diagnose(l->p->source, n, D_forall_body);
}

/* ---- The walk over the program */

static void lower_group(program *p, node *n) {
    group *g = arena_alloc(p->memory, sizeof *g);
    g->node = n;
    parallel *s = arena_alloc(p->memory, sizeof *s);
    s->node = n;
    s->hoisted = &g->hoisted;
    lowering l = {.p = p, .s = s, .reduction = -1, .mask = -1};
    if (n->kind == N_FORALL) lower_forall(&l, g, n);
    else lower_assignment(&l, g, strip(n->child[0]));
    vector_add(p->memory, p->groups, p->group_count, p->group_capacity, g);
}

static bool is_array_assignment(const node *n) {
    if (n->kind != N_EXPRESSION || strip(n->child[0])->kind != N_ASSIGN) return false;
    return section_count(strip(strip(n->child[0])->child[0])) > 0;
}

static void walk(program *p, node *n) {
    operation op;
    if (n->kind == N_FORALL || is_array_assignment(n)) lower_group(p, n);
    else if (reduction_call(n, &op)) lower_reduction(p, n);
    else if (n->kind == N_EXPRESSION && n->child[0]->kind == N_ASSIGN && first_section(n->child[0]->child[1]))
        diagnose(p->source, n->child[0], D_section_to_scalar);
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) walk(p, n->child[c]);
}

void lower(program *p) { walk(p, p->unit); }

/* Pass "lower": foralls and array assignments become parallel statements. */
#include "lower.h"

#include <string.h>

static bool left_uses(const lowering *l, int k) {
    const reference *left = &l->s->left;
    if (l->s->member && l->s->index[k].symbol && mentions_symbol(l->s->member, l->s->index[k].symbol)) return true;
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

static bool linear_mentions(const linear *x, const symbol *s) {
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].node && mentions_symbol(x->term[t].node, s)) return true;
    return false;
}

/* Whether both bounds of an index that the left side uses depend on index k, as in (i = 0:n-1, k = row[i]:row[i+1]-1):
 * each of its values has elements of its own. */
static bool is_between(lowering *l, int k) {
    const symbol *s = l->s->index[k].symbol;
    for (int m = k + 1; m < l->s->indices; m++) {
        const loop_index *x = &l->s->index[m];
        if (x->reduction < 0 && x->symbol && left_uses(l, m) && linear_mentions(&x->lower, s) &&
            linear_mentions(&x->upper, s))
            return true;
    }
    return false;
}

/* A part of a variable that is declared in a forall, and no number: that has been said where it is declared. */
static bool is_refused_local(const node *left) {
    bool pointer = false;
    const symbol *s = base_symbol(left, &pointer);
    const node *n = s && !s->array && s->kind == SYMBOL_VARIABLE ? s->declarator : NULL;
    while (n && n->kind != N_FORALL) n = n->parent;
    return n != NULL;
}

/* A nest of C loops of which it is proved that no two iterations assign one element has no iterations, or only one,
 * along an index that does not occur: `B[i*(W/2) + j]` where W is 1. */
static void check_left(lowering *l, const group *g) {
    if (table_at(&l->p->proved, g->node)) return;
    for (int k = 0; k < l->s->indices && !is_refused_local(l->s->left.node); k++) {
        const loop_index *x = &l->s->index[k];
        if (x->reduction >= 0 || !x->symbol || left_uses(l, k) || is_between(l, k)) continue;
        diagnose(l->p->source, l->s->left.node, D_forall_index_unused, x->name);
    }
}

/* ---- Masks, and what else is saved */

/* The first action behind that many statements, that many saved masks and values further: where something is saved. */
static size_t action_behind(const group *g, size_t executed) {
    size_t k = 0;
    for (size_t before = 0; before < executed; k++) before += g->action[k].mask < 0;
    return k;
}

static void insert_action(program *p, group *g, size_t at, action x) {
    vector_add(p->memory, g->action, g->actions, g->action_capacity, x);
    memmove(&g->action[at + 1], &g->action[at], (g->actions - 1 - at) * sizeof x);
    g->action[at] = x;
}

/* Whether a statement behind so many others, but the last, may change what the mask reads. */
static bool mask_is_overwritten(const group *g, size_t executed, const node *mask) {
    for (size_t k = action_behind(g, executed); k + 1 < g->actions; k++)
        if (g->action[k].mask < 0 &&
            (!g->action[k].statement->left.array || mentions_symbol(mask, g->action[k].statement->left.symbol)))
            return true;
    return false;
}

static bool is_within(const node *n, const node *outer) {
    return n->first >= outer->first && n->last <= outer->last;
}

/* What is saved stands where the left side's elements are, which must be known before the statements. */
static void check_left_kept(program *p, const group *g, size_t before, const parallel *s) {
    for (size_t k = 0; k < g->hoisted.count; k++)
        if (g->hoisted.hoisted[k].after > before && is_within(g->hoisted.hoisted[k].node, s->left.node))
            diagnose(p->source, g->hoisted.hoisted[k].node, D_not_implemented,
                     "a subscript of a left side that reads what the forall assigns, under a mask that does so too");
}

/* The number of the mask, or of its negation, among those of the statement; -1: it has it not. */
static int mask_number(const parallel *s, const node *mask) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].node == mask || (is_made_negation(s->mask[m].node) && s->mask[m].node->child[0] == mask))
            return m;
    return -1;
}

/* Saves the mask of the statements behind so many others where these may change it. */
static void keep_mask(program *p, group *g, size_t executed, const node *mask) {
    const size_t from = action_behind(g, executed), actions = g->actions;
    if (executed_in(g) < executed + 2 || !mask_is_overwritten(g, executed, mask)) return;
    size_t saved = from;
    for (size_t k = from; k < actions; k++) {
        const action x = g->action[k + saved - from];
        const int m = x.mask < 0 ? mask_number(x.statement, mask) : -1;
        if (m < 0) continue;
        check_left_kept(p, g, executed, x.statement);
        x.statement->mask[m].saved = true;
        x.statement->mask[m].buffer = unique_name(p, arena_format(p->memory, "mask_%zu_%d", saved + 1, m + 1));
        insert_action(p, g, saved++, (action){.mask = m, .statement = x.statement});
    }
}

/* Saves the values of locals that the statement needs. */
static void save_locals(const lowering *l, group *g, parallel *s) {
    for (int m = 0; m < s->masks; m++) {
        if (s->mask[m].node->kind != N_LOCAL) continue;
        const size_t executed = computed_before(l, s->mask[m].node);
        size_t at = action_behind(g, executed);
        while (at < g->actions && g->action[at].mask >= 0) at++;
        check_left_kept(l->p, g, executed, s);
        s->mask[m].saved = true;
        s->mask[m].buffer = unique_name(l->p, s->mask[m].node->symbol->name);
        insert_action(l->p, g, at, (action){.mask = m, .statement = s});
    }
}

static bool add_mask(program *p, parallel *s, node *mask) {
    const bool fits = s->masks < MAX_RANK;
    if (fits)
        append_mask(p->memory, s, mask);
    else
        diagnose(p->source, mask, D_not_implemented, "more than 15 conditions around a statement of a forall");
    return fits;
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
    collect_subscripts(l, chain);
    l->in_place = false;
}

/* The subscripts in a member behind the element: A[i].v[k]. */
static void collect_member(lowering *l, const node *chain, node *n) {
    l->in_place = true;
    for (; n != chain; n = n->child[0])
        if (n->kind == N_INDEX) collect_references(l, n->child[1]);
    l->in_place = false;
}

static void collect_masks(lowering *l) {
    for (l->mask = 0; l->mask < l->s->masks; l->mask++) {
        node *mask = l->s->mask[l->mask].node;
        l->until = computed_before(l, mask);
        collect_references(l, mask);
    }
    l->mask = -1;
    l->until = SIZE_MAX;
}

/* An element of ordinary memory that is no array element: points[i].x. */
static void lower_memory(const lowering *outer, parallel *s, group *g, node *left) {
    program *p = outer->p;
    lowering l = {.p = p, .s = s, .locals = outer->locals, .until = SIZE_MAX, .reduction = -1, .mask = -1};
    collect_masks(&l);
    l.in_place = true;
    for (size_t c = 0; c < left->count; c++) collect_references(&l, left->child[c]);
    l.in_place = false;
    collect_references(&l, s->value);
    s->left = (reference){.node = left, .base = left, .reduction = -1, .mask = -1};
    for (int k = 0; k < s->indices && !is_refused_local(left); k++)
        if (s->index[k].reduction < 0 && s->index[k].symbol && !mentions_symbol(left, s->index[k].symbol))
            diagnose(p->source, left, D_forall_index_unused, s->index[k].name);
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){.mask = -1, .statement = s}));
    save_locals(outer, g, s);
}

/* What stands behind the element is one member. */
static void check_member(const lowering *l) {
    const parallel *s = l->s;
    for (const node *n = s->member; n != s->left.node; n = n->child[0])
        if (n->kind == N_INDEX && (n->child[1]->kind == N_TRIPLET || first_section(n->child[1])))
            diagnose(l->p->source, n, D_not_implemented, "a section of an array in a structure that is assigned");
}

/* Whether a subscript may be the same in several iterations: it is read, or made by a call, a division or a remainder,
 * or sums of several indices. */
static bool may_repeat(const node *n) {
    const bool divides = n->kind == N_BINARY && strpbrk(n->op, "/%&|>") != NULL;
    if (n->kind == N_INDEX || n->kind == N_CALL || divides) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_repeat(n->child[c])) return true;
    return false;
}

static bool adds_indices(const lowering *l, const node *n) {
    int mentioned = 0;
    for (int k = 0; k < l->s->indices; k++)
        mentioned += l->s->index[k].symbol && mentions_symbol(n, l->s->index[k].symbol);
    return mentioned > 1 && !has_multiplication(n);
}

static bool has_same_text(const program *p, node *n, node *m) {
    return !strcmp(ast_quote(p->memory, p->source, inside_parentheses(n)),
                   ast_quote(p->memory, p->source, inside_parentheses(m)));
}

/* Whether subscript d is one of x / n and x % n of two dimensions, which tell all x apart that the indices tell apart.
 */
static bool is_split(const lowering *l, int d) {
    const reference *left = &l->s->left;
    const node *one = inside_parentheses(left->subscript[d].node);
    if (one->kind != N_BINARY || !strchr("/%", one->op[0])) return false;
    for (int m = 0; m < left->rank; m++) {
        const node *other = left->subscript[m].node ? inside_parentheses(left->subscript[m].node) : NULL;
        if (!other || other->kind != N_BINARY || !strchr("/%", other->op[0]) || other->op[0] == one->op[0]) continue;
        if (has_same_text(l->p, one->child[0], other->child[0]) && has_same_text(l->p, one->child[1], other->child[1]))
            return !may_repeat(one->child[0]) && !adds_indices(l, one->child[0]);
    }
    return false;
}

/* c[idx[i]] += 1 counts once where several i have the same idx[i]. */
static void warn_of_collisions(const lowering *l, const group *g) {
    const parallel *s = l->s;
    bool collide = false;
    if (!strcmp(s->op, "=") || table_at(&l->p->proved, g->node)) return;
    for (int d = 0; d < s->left.rank; d++) {
        const subscript *u = &s->left.subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL && u->node)
            collide = collide || ((may_repeat(u->node) || adds_indices(l, u->node)) && !is_split(l, d));
    }
    if (!collide) return;
    diagnose(l->p->source, s->left.node, D_collisions, ast_quote(l->p->memory, l->p->source, s->left.node));
    const char *op = s->op[0] == '*' ? "*" : "+", *name = s->left.base->kind == N_NAME ? s->left.base->name : "...";
    if (strchr("+-*", s->op[0]))
        diagnose_help("a loop that takes all of them: #pragma dpc independent reduction(%s: %s)", op, name);
}

/* The ranges of the innermost forall around n, as written. */
static const char *ranges_around(const program *p, const node *n) {
    text out;
    while (n && n->kind != N_FORALL) n = n->parent;
    if (!n || n->count < 3) return "i = lower:upper";
    text_start(&out, p->memory);
    for (size_t c = 2; c < n->count; c++)
        text_format(&out, "%s%s", c > 2 ? ", " : "", ast_quote(p->memory, p->source, n->child[c]));
    return text_of(&out);
}

/* if (x > m) m = x; */
static bool picks_extreme(const program *p, const node *left, const node *assign) {
    const node *n = assign->parent;
    while (n && (n->kind == N_EXPRESSION || n->kind == N_COMPOUND)) n = n->parent;
    const node *x = n && n->kind == N_IF ? inside_parentheses(n->child[0]) : NULL;
    if (!x || x->kind != N_BINARY || !strchr("<>", x->op[0])) return false;
    for (int side = 0; side < 2; side++)
        if (!strcmp(ast_quote(p->memory, p->source, x->child[side]), left->name)) return true;
    return false;
}

/* Something that is no element of an array, assigned in a forall. */
static void report_scalar(const program *p, const node *left, const node *assign) {
    diagnose(p->source, left, D_forall_scalar, ast_quote(p->memory, p->source, left));
    if (left->kind != N_NAME) return;
    const char *value = ast_quote(p->memory, p->source, assign->child[1]), *ranges = ranges_around(p, assign);
    if (!strcmp(assign->op, "+="))
        diagnose_help("a sum: %s += sum(%s, %s);", left->name, ranges, value);
    else if (!strcmp(assign->op, "*="))
        diagnose_help("a product: %s *= product(%s, %s);", left->name, ranges, value);
    else if (!strcmp(assign->op, "=") && picks_extreme(p, left, assign))
        diagnose_help("the greatest or least value: %s = maxval(%s, %s); or minval", left->name, ranges, value);
    else if (!strcmp(assign->op, "="))
        diagnose_help("each iteration's own is declared in the forall's block: forall (...) { double %s = ...; ... }",
                      left->name);
}

/* A section where one value is meant. */
static void report_section(const program *p, const node *assign) {
    const node *left = inside_parentheses(assign->child[0]);
    diagnose(p->source, assign, D_section_to_scalar);
    if (left->kind == N_NAME && left->type && left->type->kind == TYPE_ARRAY)
        diagnose_help("all of an array is %s[:]", left->name);
    else
        diagnose_help(
            "one value of a section is a reduction's: sum(...), maxval(...), minval(...), dot_product(..., ...)");
}

/* `B = e` in `A = B = e`, where B is an element or a section as A is; NULL: the value is something else. */
static node *chained_assignment(const lowering *l, const node *assign) {
    node *value = inside_parentheses(assign->child[1]);
    if (value->kind != N_ASSIGN) return NULL;
    const bool sections = first_section(inside_parentheses(assign->child[0])) != NULL;
    if (l->s->indices == 0 && sections != (first_section(inside_parentheses(value->child[0])) != NULL)) return NULL;
    return value;
}

static void lower_assignment(lowering *outer, group *g, node *assign);

/* Of a local or of elements. `A = B = e` is two statements, of which the second one reads B. */
static void lower_one(lowering *l, group *g, node *assign) {
    node *chained = chained_assignment(l, assign);
    if (chained) {
        lower_one(l, g, chained);
        assign->child[1] = clone_reached(l->p, chained->child[0]);
        assign->child[1]->parent = assign;
    }
    if (!assign_local(l, g, assign)) lower_assignment(l, g, assign);
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
    if (!settle_locals(outer, g, &s->value) || !settle_locals(outer, g, &left)) return;
    if (!take_prefixes(outer, g, &s->value, left) || !save_ragged_bounds(outer, g, &s->value)) return;
    if (strcmp(s->op, "=") != 0 && (!s->value->type || s->value->type->kind != TYPE_ARITHMETIC))
        report_unknown_type(p, s->value);
    if (left->kind == N_NAME && left->symbol && left->symbol->kind == SYMBOL_INDEX) {
        diagnose(p->source, left, D_forall_index_assigned, left->name);
        return;
    }
    node *around = element_around(left);
    if (around && around != left) {
        s->member = left;
        left = around;
    }
    bool ordinary = !index_chain(left, &name, subscripts, &count);
    bool memory = left->kind == N_MEMBER || (left->kind == N_UNARY && !strcmp(left->op, "*"));
    if (outer->locals) {
        keep_locals(outer, g, s, left);
        name_locals(outer, s);
    }
    if (ordinary && memory && s->indices > 0) {
        lower_memory(outer, s, g, left);
        return;
    }
    if (ordinary) {
        if (left->kind == N_INDEX)
            diagnose(p->source, left, D_too_many_indices);
        else
            report_scalar(p, left, assign);
        return;
    }
    if (name->symbol && name->symbol->array && count != name->symbol->array->rank) return; /* reported */
    lowering l = {.p = p, .s = s, .locals = outer->locals, .until = SIZE_MAX, .reduction = -1, .mask = -1};
    node *leading = first_section(left);
    if (leading)
        open_sections(&l, leading, assign);
    else if (!p->serial && s->masks == 0 && !s->member)
        open_plane(&l, left);
    collect_masks(&l);
    s->left = make_reference(&l, left, false);
    warn_of_collisions(&l, g);
    collect_left_subscripts(&l, left);
    if (s->member) collect_member(&l, left, s->member);
    collect_references(&l, s->value);
    check_left(&l, g);
    if (s->member) check_member(&l);
    check_prefixes(p, s);
    traverse_in_memory(s);
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){.mask = -1, .statement = s}));
    save_locals(outer, g, s);
}

/* ---- Foralls */

static void lower_body(lowering *l, group *g, node *n);

static void lower_forall(lowering *outer, group *g, node *n) {
    program *p = outer->p;
    parallel s = *outer->s;
    lowering l = *outer;
    l.s = &s;
    s.node = n;
    for (size_t c = 2; c < n->count; c++) {
        node *x = n->child[c];
        for (size_t k = 0; k < x->count; k++)
            if (!settle_bound(&l, g, &x->child[k])) return;
        if (!add_index(&l, x->symbol, x->name, x->child[0], x->child[1], x->count > 2 ? x->child[2] : NULL)) return;
    }
    if (n->child[0] && (!settle_locals(&l, g, &n->child[0]) || !add_mask(p, &s, n->child[0]))) return;
    const size_t from = executed_in(g);
    lower_body(&l, g, n->child[1]);
    if (n->child[0]) keep_mask(p, g, from, n->child[0]);
}

static const branch *new_branch(const lowering *outer, const node *mask, const local_value *condition, bool negated) {
    branch *x = arena_alloc(outer->p->memory, sizeof *x);
    *x = (branch){mask, condition, negated, outer->branch};
    return x;
}

/* `if (c) x; else y;`: x where the mask c holds, y where it does not; c is what it is before both. */
static void lower_if(lowering *outer, group *g, node *n) {
    program *p = outer->p;
    parallel s = *outer->s;
    lowering l = *outer;
    l.s = &s;
    const size_t from = executed_in(g);
    if (!settle_locals(&l, g, &n->child[0])) return;
    const local_value *condition = condition_value(outer, g, n, n->child[0]);
    if (!add_mask(p, &s, n->child[0])) return;
    const local_state before = local_state_of(&l);
    l.branch = new_branch(outer, n->child[0], condition, false);
    lower_body(&l, g, n->child[1]);
    const local_state first = local_state_of(&l);
    return_to_locals(&l, &before);
    s.mask[s.masks - 1].node = negation_of(p->memory, n->child[0]);
    l.branch = new_branch(outer, s.mask[s.masks - 1].node, condition, true);
    if (n->child[2]) lower_body(&l, g, n->child[2]);
    const local_state second = local_state_of(&l);
    join_locals(outer, g, n, condition, &first, &second);
    keep_mask(p, g, from, n->child[0]);
}

static void lower_block(lowering *l, group *g, const node *n) {
    const size_t declared = declared_locals(l);
    for (size_t c = 0; c < n->count; c++) lower_body(l, g, n->child[c]);
    forget_locals(l, declared);
}

/* A statement that no forall has. */
static void report_body(const program *p, const node *n) {
    diagnose(p->source, n, D_forall_body);
    const node *e = n->kind == N_EXPRESSION ? n->child[0] : n;
    if (e->kind == N_CALL)
        diagnose_help("elements are printed one by one, in a for loop; a function with a result stands on the right of "
                      "an assignment");
    else if (n->kind == N_BREAK || n->kind == N_CONTINUE || n->kind == N_RETURN || n->kind == N_GOTO)
        diagnose_help("which indices are executed, a mask says: forall (i = lower:upper, condition) statement");
    else if (e->kind == N_POSTFIX || e->kind == N_UNARY)
        diagnose_help("as an assignment: %s += 1;", ast_quote(p->memory, p->source, e->child[0]));
    else if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO || n->kind == N_SWITCH)
        diagnose_help("a sum over an inner index is sum(j = lower:upper, ...); any other C stands in a for loop behind "
                      "'#pragma dpc independent'");
}

static void lower_body(lowering *l, group *g, node *n) {
    switch ((int)n->kind) {
    case N_EMPTY:
        return;
    case N_COMPOUND:
        lower_block(l, g, n);
        return;
    case N_DECLARATION:
        declare_locals(l, g, n);
        return;
    case N_FORALL:
        lower_forall(l, g, n);
        return;
    case N_IF:
        lower_if(l, g, n);
        return;
    case N_EXPRESSION:
        if (is_step(inside_parentheses(n->child[0])) && assign_local(l, g, inside_parentheses(n->child[0]))) return;
        if (!assignment_of(n)) break;
        lower_one(l, g, assignment_of(n));
        return;
    default:
        break;
    }
    report_body(l->p, n);
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
    lowering l = {.p = p, .s = &s, .locals = new_locals(p->memory), .until = SIZE_MAX, .reduction = -1, .mask = -1};
    if (n->kind == N_FORALL)
        lower_forall(&l, g, n);
    else
        lower_one(&l, g, assignment_of(n));
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
        report_section(p, assign);
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) walk(p, n->child[c]);
}

void lower(program *p) {
    walk(p, p->unit);
}

/* Pass "values": redistributions whose values nobody reads, because every element is assigned before; and those whose
 * values may be the same when a mapping comes back, so that a copy with that mapping is worth its memory. */
#include <string.h>

#include "reach.h"

static size_t mentions(const node *n, const symbol *s) {
    size_t count = n->kind == N_NAME && n->symbol == s;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) count += mentions(n->child[c], s);
    return count;
}

/* ---- Statements that assign every element */

static const node *block_around(const node *n) {
    while (n->kind != N_COMPOUND) n = n->parent;
    return n;
}

/* Whether x in a statement is a bound of dimension d as the array was created with it. */
static bool is_bound(const program *p, const parallel *s, linear x, const linear *bound, const linear *written) {
    const array *a = s->left.array;
    stretch between = {0};
    if (linear_equal(&x, bound)) return true;
    if (a->symbol->file_scope || a->symbol->is_static) return false;
    widen_stretch(&between, a->symbol->scope, a->symbol->declarator->first, a->symbol->declarator->first);
    widen_stretch(&between, a->symbol->scope, a->directive->last, a->directive->last);
    widen_stretch(&between, block_around(s->node), s->node->first, s->node->last);
    const linear now = traced(p, x, &between, 0), then = traced(p, *written, &between, 0);
    return linear_equal(&now, &then) && same_symbols(&now, &then) && stays_within(p, &now, &between);
}

static bool is_constant(const linear *x, int64_t value) {
    return linear_is_constant(x) && x->constant == value;
}

/* Dimension d of the left side runs over all its elements, upward or downward. */
static bool covers(const program *p, const parallel *s, int d) {
    const array *a = s->left.array;
    const subscript *u = &s->left.subscript[d];
    const bool upward = is_constant(&u->stride, 1);
    if (u->kind != SUBSCRIPT_AFFINE || u->whole || (!upward && !is_constant(&u->stride, -1))) return false;
    for (int e = 0; e < d; e++)
        if (s->left.subscript[e].kind == SUBSCRIPT_AFFINE && s->left.subscript[e].index == u->index) return false;
    const loop_index *k = &s->index[u->index];
    if (k->triangular || k->guards || k->reduction >= 0 || !is_constant(&k->stride, 1)) return false;
    linear (*const place)(arena *, linear, linear) = upward ? linear_add : linear_subtract;
    const linear first = place(p->memory, u->offset, k->lower), last = place(p->memory, u->offset, k->upper);
    return is_bound(p, s, upward ? first : last, &a->lower[d], &a->written_lower[d]) &&
           is_bound(p, s, upward ? last : first, &a->upper[d], &a->written_upper[d]);
}

static bool assigns_all(const program *p, const parallel *s) {
    bool all =
        s->kind == PARALLEL_ASSIGNMENT && !strcmp(s->op, "=") && s->masks == 0 && s->left.cycles == 0 && !s->member;
    for (int d = 0; all && d < s->left.rank; d++) all = covers(p, s, d);
    return all;
}

/* Whether a group assigns every element of an array before it reads any. */
static bool assigns_first(const program *p, const group *g, const array *a) {
    size_t inside = 0;
    for (size_t k = 0; k < g->actions; k++)
        if (g->action[k].mask < 0) inside += mentions(g->action[k].statement->node, a->symbol);
    if (inside != mentions(g->node, a->symbol)) return false;
    for (size_t k = 0; k < g->actions; k++) {
        const parallel *s = g->action[k].statement;
        const size_t count = g->action[k].mask < 0 ? mentions(s->node, a->symbol) : 0;
        if (count > 0) return count == 1 && same_array(s->left.array, a) && assigns_all(p, s);
    }
    return false;
}

/* Calls that may read distributed arrays. */
static bool calls_readers(const reach *x, const node *n) {
    if (n->kind == N_CALL) {
        const node *f = inside_parentheses(n->child[0]);
        if (f->kind != N_NAME || (!f->symbol && x->callbacks)) return true;
        if (f->symbol && (f->symbol->uses_distributed || f->symbol->calls_unknown ||
                          f->symbol->kind != SYMBOL_FUNCTION || !defined_function(x->p, f->name)))
            return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && calls_readers(x, n->child[c])) return true;
    return false;
}

/* ---- Values that nobody reads.  The state: redistributions whose values may still be there. */

static mappings value_given(reach *x, node *directive, node *entity, array *a, mappings before) {
    (void)directive;
    return before | site_bit(x, entity, a);
}

static void forget_values(reach *x, const node *n, state now) {
    const group *g = group_at(x->p, n);
    if (!g || calls_readers(x, n)) return;
    for (size_t k = 0; k < g->actions; k++) {
        const parallel *s = g->action[k].mask < 0 ? g->action[k].statement : NULL;
        const int64_t number = s && s->left.array ? number_of(x, s->left.array->origin) : -1;
        if (number >= 0 && now[number] && assigns_first(x->p, g, x->tracked[number])) now[number] = 0;
    }
}

/* Whether an element is assigned and not read where an array is named. */
static bool is_only_assigned(const node *name) {
    const node *n = name;
    while (n->parent && n->parent->child[0] == n && (n->parent->kind == N_INDEX || n->parent->kind == N_PAREN))
        n = n->parent;
    return n != name && n->parent && n->parent->kind == N_ASSIGN && n->parent->child[0] == n &&
           !strcmp(n->parent->op, "=");
}

/* Parameters are given back: somebody reads them. */
static bool has_own_values(const array *a) {
    return a->redistributed && !a->alignment && !a->realigned && !a->is_template && !a->shared && !a->parameter;
}

/* Of what moves along, those whose names stand for a mapping. */
static bool has_values(const array *a) {
    return has_own_values(a) || (a->alignment && a->unknown);
}

static void note_dead_site(program *p, const site *s, array *a) {
    remapping *r = change_remapping(p, s->entity);
    if (a->alignment)
        vector_add(p->memory, r->dead, r->dead_count, r->dead_capacity, a);
    else if (r->kind == REMAPPING_MOVES)
        r->kind = REMAPPING_DEAD;
}

static void note_dead(reach *x) {
    state read = new_state(x);
    for (size_t k = 0; k < x->names; k++)
        if (x->name[k].name->kind != N_ENTITY && !is_only_assigned(x->name[k].name))
            read[x->name[k].number] |= x->name[k].found;
    for (size_t k = 0; k < x->sites; k++)
        if (!(read[x->site[k].number] & x->site[k].bit) && x->site[k].bit != ANY)
            note_dead_site(x->p, &x->site[k], x->tracked[x->site[k].number]);
}

/* ---- Values that may be the same when a mapping comes back.  The state: redistributions since which nothing has been
 * assigned. */

static mappings same_given(reach *x, node *directive, node *entity, array *a, mappings before) {
    (void)directive;
    return remapping_at(x->p, entity)->kind == REMAPPING_DEAD ? 0 : before | site_bit(x, entity, a);
}

static void note_store(reach *x, const array *a, state now) {
    const int64_t number = number_of(x, a);
    if (number >= 0) now[number] = 0;
}

static void forget_assigned(reach *x, const node *n, state now) {
    bool section;
    if (is_store(n)) {
        bool pointer = false;
        const symbol *s = base_symbol(inside_parentheses(n->child[0]), &pointer);
        if (s && s->array) note_store(x, s->array, now);
    }
    bool pointing = false;
    node *row = row_pointer((node *)n);
    if (row) note_store(x, base_symbol(row, &pointing)->array, now);
    for (size_t c = 1; n->kind == N_CALL && c < n->count; c++)
        if (argument_may_change(x->p, n, c)) note_store(x, argument_array(n, c, &section), now);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) forget_assigned(x, n->child[c], now);
}

static bool may_have_mapping(const reached *r, const array *view) {
    bool found = false;
    for (size_t k = 0; r && r->known && k < r->views; k++) found = found || r->view[k] == view;
    return found;
}

/* A redistribution finds what an earlier one has left where that has taken the mapping away which it gives. */
static void pair_copies(reach *x, const flow_name *n) {
    node *directive = n->name->parent;
    array *a = x->tracked[n->number];
    const mapping m = redistribution_mapping(x->p, directive, (node *)n->name);
    const array *view = find_view(a, &m);
    if (!view || remapping_at(x->p, n->name)->kind != REMAPPING_MOVES) return;
    for (const site *s = x->last_of[n->number]; s; s = s->earlier) {
        if (!(n->found & s->bit)) continue;
        if (remapping_at(x->p, s->entity)->kind != REMAPPING_MOVES ||
            !may_have_mapping(reached_at(x->p, s->entity), view))
            continue;
        change_remapping(x->p, s->entity)->leaves_copy = true;
        change_remapping(x->p, n->name)->finds_copy = true;
        a->watched = true;
    }
}

static void note_copies(reach *x) {
    for (size_t k = 0; x->sites > 1 && k < x->names; k++)
        if (x->name[k].name->kind == N_ENTITY) pair_copies(x, &x->name[k]);
}

/* Who asks for a method wants values to move by it. */
void find_values(program *p) {
    static const problem values_there = {.given = value_given, .all = all_sites, .before = forget_values},
                         unchanged_since = {.given = same_given, .all = all_sites, .behind = forget_assigned};
    solve_for_sites(p, &values_there, has_values, note_dead);
    if (p->redistribute || p->schedule) return;
    find_late(p, p->unit);
    solve_for_sites(p, &unchanged_since, has_own_values, note_copies);
}

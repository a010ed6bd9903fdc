/* Pass "reuse": values that move and would be the same again stay where they have come to.  Invariant ones in the next
 * execution of a loop's body, and those that several statements in a row read.  The run time knows exactly whether the
 * array has changed since (runtime/kept.c): this pass only looks for places where it is worth the memory. */
#include <stdlib.h>
#include <string.h>

#include "combine.h"

/* A reference that moves, and where its values stay. */
typedef struct {
    parallel *statement;
    reference *reference;
    node *function;
    const char *name; /* NULL: they do not stay */
} candidate;

typedef struct {
    program *p;
    candidate *candidate; /* in order of the source */
    size_t count, capacity;
} search;

/* ---- The tree around a statement */

/* Not do { ... } while (0). */
static bool is_loop(const node *n) {
    int64_t condition;
    if (n->kind == N_DO) return !constant_value(n->child[1], &condition) || condition != 0;
    return n->kind == N_FOR || n->kind == N_WHILE;
}

/* The innermost loop around n, or NULL. */
static node *loop_around(const node *n) {
    node *at = n->parent;
    while (at && !is_loop(at)) at = at->parent;
    return at;
}

static node *definition_of(const program *p, const node *call) {
    const symbol *f = call->child[0]->kind == N_NAME ? defined_function(p, call->child[0]->name) : NULL;
    return f ? f->declaration : NULL;
}

/* ---- What changes an array or a variable */

static bool names(const node *n, const symbol *s) {
    while (n->kind == N_INDEX || n->kind == N_PAREN) n = n->child[0];
    return n->kind == N_NAME && n->symbol == s;
}

/* Functions that have been looked through. */
typedef struct {
    const node **function;
    size_t count, capacity;
} visits;

/* What is looked for: what changes the array's elements and mapping, or the mapping alone. */
typedef struct {
    const symbol *array;
    bool mapping;
    size_t from, to; /* tokens that it begins at */
} change;

static bool visit(const program *p, visits *v, const node *f) {
    for (size_t k = 0; k < v->count; k++)
        if (v->function[k] == f) return false;
    vector_add(p->memory, v->function, v->count, v->capacity, f);
    return true;
}

static bool stores(const node *n, const symbol *what) {
    return (n->kind == N_ASSIGN || is_step(n)) && names(n->child[0], what);
}

static bool passes(const program *p, const node *n, const symbol *what) {
    bool section;
    for (size_t c = 1; n->kind == N_CALL && what->array && c < n->count; c++)
        if (argument_may_change(p, n, c) && argument_array(n, c, &section) == what->array) return true;
    return false;
}

static bool is_redistribution_of(const node *n, const symbol *what) {
    for (size_t c = 0; n->kind == N_REDISTRIBUTE && c < n->count; c++)
        if (n->child[c] && n->child[c]->kind == N_ENTITY && !strcmp(n->child[c]->name, what->name)) return true;
    return false;
}

static bool happens_within(const program *p, const node *n, change x, visits *seen) {
    if (n->last < x.from || n->first > x.to) return false;
    if (n->first >= x.from) {
        if (n == x.array->declarator || is_redistribution_of(n, x.array) || (!x.mapping && (stores(n, x.array) || passes(p, n, x.array))))
            return true;
        const node *f = n->kind == N_CALL ? definition_of(p, n) : NULL;
        const change all = {x.array, x.mapping, f ? f->first : 0, f ? f->last : 0};
        if (f && visit(p, seen, f) && happens_within(p, f, all, seen)) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && happens_within(p, n->child[c], x, seen)) return true;
    return false;
}

bool changes(const program *p, const node *n, const symbol *what, size_t from, size_t to) {
    visits seen = {.count = 0};
    return happens_within(p, n, (change){what, false, from, to}, &seen);
}

/* The same of the mapping of home, which says who executes. */
static bool moves_home(const program *p, const node *n, const parallel *s, size_t from, size_t to) {
    visits seen = {.count = 0};
    const reference *home = home_of(s);
    return home && home->array->dynamic &&
           happens_within(p, n, (change){home->symbol, true, from, to}, &seen);
}

/* Whether a variable in n is assigned in a part of the source. */
static bool varies_between(const program *p, const node *n, size_t from, size_t to) {
    if (n->kind == N_NAME && n->symbol && may_change_between(n->symbol, from, to)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && varies_between(p, n->child[c], from, to)) return true;
    return false;
}

static bool form_varies(const program *p, const parallel *s, const linear *x, size_t from, size_t to) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        for (size_t k = 0; !n && s->hoisted && k < s->hoisted->count; k++)
            if (!strcmp(s->hoisted->hoisted[k].name, x->term[t].text)) n = s->hoisted->hoisted[k].node;
        if (n && varies_between(p, n, from, to)) return true;
    }
    return false;
}

static bool subscripts_vary(const program *p, const parallel *s, const reference *r, size_t from, size_t to) {
    for (int d = 0; d < r->rank; d++)
        if (form_varies(p, s, &r->subscript[d].offset, from, to) ||
            (r->subscript[d].kind == SUBSCRIPT_AFFINE && form_varies(p, s, &r->subscript[d].stride, from, to)))
            return true;
    return false;
}

/* Whether the iterations, who executes them, or what r reads in them may vary. */
static bool access_varies(const program *p, const parallel *s, const reference *r, size_t from, size_t to) {
    for (int k = 0; k < s->indices; k++)
        if (form_varies(p, s, &s->index[k].lower, from, to) || form_varies(p, s, &s->index[k].upper, from, to) ||
            form_varies(p, s, &s->index[k].stride, from, to))
            return true;
    return subscripts_vary(p, s, r, from, to) || (home_of(s) && subscripts_vary(p, s, home_of(s), from, to));
}

/* ---- Loops */

/* Whether what the subscripts of a gather are made of may change. */
static bool inputs_vary(const program *p, const reference *r, const node *part) {
    for (size_t k = 0; k < r->inputs; k++) {
        const symbol *s = r->input[k];
        if (s->array ? changes(p, part, s, part->first, part->last) : may_change_between(s, part->first, part->last))
            return true;
    }
    return false;
}

static bool is_same_each_time(const program *p, const candidate *c, const node *part) {
    return !inputs_vary(p, c->reference, part) && !access_varies(p, c->statement, c->reference, part->first, part->last) &&
           !changes(p, part, c->reference->symbol, part->first, part->last) &&
           !moves_home(p, part, c->statement, part->first, part->last);
}

/* Whether a loop around a call of the function f, there or further out, leaves the array as it is. */
static bool called_in_quiet_loop(const program *p, const symbol *s, const node *f, const node *n, visits *seen) {
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && called_in_quiet_loop(p, s, f, n->child[k], seen)) return true;
    if (n->kind != N_CALL || definition_of(p, n) != f) return false;
    const node *loop = loop_around(n), *caller = function_around(n);
    if (loop) return !changes(p, loop, s, loop->first, loop->last);
    return caller && visit(p, seen, caller) && called_in_quiet_loop(p, s, caller, p->unit, seen);
}

static bool is_invariant(const program *p, const candidate *c) {
    const node *loop = loop_around(c->statement->node);
    if (loop) return is_same_each_time(p, c, loop);
    visits seen = {.count = 0};
    return c->reference->symbol->file_scope && is_same_each_time(p, c, c->function) &&
           called_in_quiet_loop(p, c->reference->symbol, c->function, p->unit, &seen);
}

/* ---- Statements in a row */

static bool same_loops(const parallel *a, const parallel *b) {
    if (a->indices != b->indices) return false;
    for (int k = 0; k < a->indices; k++) {
        const loop_index *x = &a->index[k], *y = &b->index[k];
        if (x->triangular || y->triangular || (x->reduction < 0) != (y->reduction < 0)) return false;
        if (!same_range(x, y)) return false;
    }
    return true;
}

/* Whether the same processes execute the same iterations. */
static bool same_home(const program *p, const reference *x, const reference *y) {
    if (!x || !y) return x == y;
    if (x->rank != y->rank || !reference_is_local(p, x, y) || !same_subscripts(p, x, y)) return false;
    for (int d = 0; d < x->rank; d++)
        if (!linear_equal(&x->array->lower[d], &y->array->lower[d]) ||
            !linear_equal(&x->array->upper[d], &y->array->upper[d]))
            return false;
    return true;
}

static bool same_values(const program *p, const candidate *x, const candidate *y) {
    if (x->reference->relation == RELATION_GATHER || y->reference->relation == RELATION_GATHER) return false;
    const parallel *s = x->statement, *t = y->statement;
    if (x->reference->array != y->reference->array || x->reference->guarded != y->reference->guarded) return false;
    if (s->clip != t->clip || x->function != y->function || !same_subscripts(p, x->reference, y->reference)) return false;
    return s == t || (same_loops(s, t) && same_home(p, home_of(s), home_of(t)));
}

/* Whether y's statement, further down, finds what x's has fetched. */
static bool follows_unchanged(const program *p, const candidate *x, const candidate *y) {
    const node *a = x->statement->node, *b = y->statement->node, *row = statement_around(a);
    if (x->statement == y->statement || b->first <= a->last || !row || !node_holds(row->parent, b)) return false;
    return !access_varies(p, x->statement, x->reference, a->first, b->first - 1) &&
           !changes(p, x->function, x->reference->symbol, a->first, b->first - 1) &&
           !moves_home(p, x->function, x->statement, a->first, b->first - 1);
}

/* ---- The pass */

static void add_candidates(search *x, parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        node *f = function_around(s->node);
        if (!r->array || r->rank == 0 || !f) continue;
        if (r->relation == RELATION_GATHER ? !find_inputs(x->p, s, r) : r->relation != RELATION_SETS || r->move == MOVE_COPIED)
            continue;
        vector_add(x->p->memory, x->candidate, x->count, x->capacity, ((candidate){s, r, f, NULL}));
    }
}

/* One place for all candidates that read what c reads. */
static void keep(search *x, candidate *c) {
    if (c->name) return;
    const char *name = unique_name(x->p, arena_format(x->p->memory, "%s_kept", c->reference->symbol->name));
    const kept_values place = {name, c->function, c->reference, place_of(x->p, c->statement->node)};
    vector_add(x->p->memory, x->p->kept, x->p->kept_count, x->p->kept_capacity, place);
    c->name = name;
}

static int in_source_order(const void *left, const void *right) {
    const size_t x = ((const candidate *)left)->statement->node->first, y = ((const candidate *)right)->statement->node->first;
    return (x > y) - (x < y);
}

/* Copies go straight into place: only where they need not go at all are they worth a buffer. */
static bool only_copies(const candidate *c) {
    const parallel *s = c->statement;
    return s->kind == PARALLEL_ASSIGNMENT && !strcmp(s->op, "=") && inside_parentheses(s->value) == c->reference->node;
}

static void find_pairs(search *x) {
    for (size_t k = 0; k < x->count; k++)
        for (size_t j = 0; j < x->count; j++) {
            candidate *first = &x->candidate[k], *second = &x->candidate[j];
            if (second->name || only_copies(first) || only_copies(second) || !same_values(x->p, first, second)) continue;
            if (!follows_unchanged(x->p, first, second)) continue;
            keep(x, first);
            second->name = first->name;
        }
}

/* References of one statement that read the same share one place. */
static void spread(search *x) {
    for (size_t k = 0; k < x->count; k++)
        for (size_t j = 0; j < x->count; j++) {
            candidate *c = &x->candidate[k], *d = &x->candidate[j];
            if (c->name && c->statement == d->statement && same_values(x->p, c, d)) d->name = c->name;
        }
}

/* A product's panels are moved as a whole first. */
static void stay(const candidate *c) {
    reference *r = c->reference;
    r->kept = c->name;
    r->array->kept = true;
    for (size_t k = 0; k < r->inputs; k++)
        if (r->input[k]->array) r->input[k]->array->kept = true;
    if (r->operand == OPERAND_PANELS) r->operand = OPERAND_MOVED;
    if (r->move != MOVE_BROADCAST) r->move = MOVE_FETCHED;
    c->statement->waits_for = -1;
}

void reuse_values(program *p) {
    search x = {.p = p};
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO) return; /* communication sets are asked for */
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++)
        if (!all.statement[k]->in_place) add_candidates(&x, all.statement[k]);
    if (x.count > 1) qsort(x.candidate, x.count, sizeof *x.candidate, in_source_order);
    find_pairs(&x);
    spread(&x);
    for (size_t k = 0; k < x.count; k++)
        if (!x.candidate[k].name && is_invariant(p, &x.candidate[k])) {
            keep(&x, &x.candidate[k]);
            spread(&x);
        }
    for (size_t k = 0; k < x.count; k++)
        if (x.candidate[k].name) stay(&x.candidate[k]);
}

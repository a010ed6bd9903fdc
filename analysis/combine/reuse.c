/* Pass "reuse": values that move and would be the same again stay where they have come to.  Invariant ones in the next
 * execution of a loop's body, and those that several statements in a row read.  The run time knows exactly whether the
 * array has changed since (runtime/program/reuse.c): this pass only looks for places where it is worth the memory. */
#include <stdlib.h>
#include <string.h>

#include "changes.h"

/* A reference that moves, and where its values stay. */
typedef struct candidate {
    parallel *statement;
    reference *reference;
    node *function;
    const char *name;       /* NULL: they do not stay */
    struct candidate *next; /* that may read the same, further down */
} candidate;

typedef struct {
    program *p;
    candidate *candidate; /* in order of the source */
    size_t count, capacity;
} search;

/* ---- What varies */

/* Whether the mapping of home changes, which says who executes. */
static bool moves_home(const program *p, const node *n, const parallel *s, size_t from, size_t to) {
    const reference *home = home_of(s);
    return home && home->array->dynamic && mapping_changes(p, n, home->symbol, from, to);
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
    for (size_t k = 0; k < r->combined.inputs; k++) {
        const symbol *s = r->combined.input[k];
        if (s->array ? changes(p, part, s, part->first, part->last) : may_change_between(s, part->first, part->last))
            return true;
    }
    return false;
}

/* Of a gather, which elements it brings. */
static bool is_same_each_time(const program *p, const candidate *c, const node *part) {
    return !inputs_vary(p, c->reference, part) &&
           !access_varies(p, c->statement, c->reference, part->first, part->last) &&
           (c->reference->combined.inspected || !changes(p, part, c->reference->symbol, part->first, part->last)) &&
           !moves_home(p, part, c->statement, part->first, part->last);
}

static bool is_invariant(const program *p, const candidate *c) {
    const node *loop = loop_around(c->statement->node);
    if (loop) return is_same_each_time(p, c, loop);
    return c->reference->symbol->file_scope && is_same_each_time(p, c, c->function) &&
           is_called_in_quiet_loop(p, c->reference->symbol, c->function);
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
    if (x->rank != y->rank || !same_holders(p, x, y) || !same_subscripts(p, x, y)) return false;
    for (int d = 0; d < x->rank; d++)
        if (x->array->lead[d] != y->array->lead[d] || !linear_equal(&x->array->lower[d], &y->array->lower[d]) ||
            !linear_equal(&x->array->upper[d], &y->array->upper[d]))
            return false;
    return true;
}

static bool same_values(const program *p, const candidate *x, const candidate *y) {
    if (x->reference->combined.inspected || y->reference->combined.inspected) return false;
    const parallel *s = x->statement, *t = y->statement;
    if (x->reference->array != y->reference->array || x->reference->guarded != y->reference->guarded) return false;
    if (s->placed.clip != t->placed.clip || executes_once(s) != executes_once(t) ||
        s->placed.in_parts != t->placed.in_parts || x->function != y->function ||
        !same_subscripts(p, x->reference, y->reference))
        return false;
    return s == t || (same_loops(s, t) && same_home(p, home_of(s), home_of(t)));
}

/* Whether y's statement stands in x's row. */
static bool is_in_row(const candidate *x, const candidate *y) {
    const node *row = statement_around(x->statement->node);
    return row && node_holds(row->parent, y->statement->node);
}

/* Whether y's statement, further down in the row, finds what x's has fetched; if not, none behind y does. */
static bool stays_unchanged(const program *p, const candidate *x, const candidate *y) {
    const node *a = x->statement->node, *b = y->statement->node;
    return !access_varies(p, x->statement, x->reference, a->first, b->first - 1) &&
           !changes(p, x->function, x->reference->symbol, a->first, b->first - 1) &&
           !moves_home(p, x->function, x->statement, a->first, b->first - 1);
}

/* ---- The pass */

/* Whether the owners of what a statement stores, which the run time looks for, may stay known. */
static bool may_stay_known(program *p, parallel *s) {
    return s->placed.scatter && s->left.array && !s->member && !strcmp(s->op, "=") && s->reductions == 0 &&
           s->value->kind != N_LET && !may_have_copies(s->left.array) && find_inputs(p, s, &s->left);
}

static void add_candidates(search *x, parallel *s) {
    node *function = function_around(s->node);
    if (function && may_stay_known(x->p, s))
        vector_add(x->p->memory, x->candidate, x->count, x->capacity, ((candidate){s, &s->left, function, NULL, NULL}));
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        node *f = function_around(s->node);
        if (!r->array || r->rank == 0 || !f) continue;
        if (r->placed.relation == RELATION_GATHER
                ? !find_inputs(x->p, s, r)
                : r->placed.relation != RELATION_SETS || r->placed.move == MOVE_COPIED)
            continue;
        vector_add(x->p->memory, x->candidate, x->count, x->capacity, ((candidate){s, r, f, NULL, NULL}));
    }
}

/* One place for all candidates that read what c reads. */
static void keep(search *x, candidate *c) {
    if (c->name) return;
    const char *name = unique_name(x->p, arena_format(x->p->memory, "%s_reused", c->reference->symbol->name));
    const reused_values place = {name, c->function, c->reference, c->statement};
    vector_add(x->p->memory, x->p->reused, x->p->reused_count, x->p->reused_capacity, place);
    c->name = name;
}

static int in_source_order(const void *left, const void *right) {
    const size_t x = ((const candidate *)left)->statement->node->first,
                 y = ((const candidate *)right)->statement->node->first;
    return (x > y) - (x < y);
}

/* Copies go straight into place: only where they need not go at all are they worth a buffer. */
static bool only_copies(const candidate *c) {
    const parallel *s = c->statement;
    return s->kind == PARALLEL_ASSIGNMENT && !strcmp(s->op, "=") && inside_parentheses(s->value) == c->reference->node;
}

/* What same_values finds equal mixes to the same number. */
static uint64_t mix(uint64_t sum, uint64_t x) {
    return (sum ^ x) * UINT64_C(0x9e3779b97f4a7c15) ^ (sum >> 29);
}

static uint64_t mix_form(uint64_t sum, const linear *x) {
    return mix(mix(sum, (uint64_t)x->constant), (uint64_t)x->terms);
}

static uint64_t mix_subscripts(uint64_t sum, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        sum = mix(sum, (uint64_t)u->kind);
        if (u->kind != SUBSCRIPT_GENERAL) sum = mix_form(sum, &u->offset);
    }
    return sum;
}

static uint64_t mixed_values(const candidate *c) {
    const parallel *s = c->statement;
    const reference *home = home_of(s);
    uint64_t sum = mix((uint64_t)(uintptr_t)c->reference->array, (uint64_t)(uintptr_t)c->function);
    for (int k = 0; k < s->indices; k++) sum = mix_form(mix_form(sum, &s->index[k].lower), &s->index[k].upper);
    sum = mix_subscripts(sum, c->reference);
    return home ? mix_subscripts(sum, home) : sum;
}

typedef struct {
    uint64_t mixed;
    candidate *candidate;
} mixed_candidate;

static int by_mixed_values(const void *left, const void *right) {
    const mixed_candidate *x = left, *y = right;
    if (x->mixed != y->mixed) return x->mixed > y->mixed ? 1 : -1;
    return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

/* Lets every candidate that may share know the next that may have the same values. */
static void link_alike(search *x) {
    mixed_candidate *m = arena_alloc(x->p->memory, (x->count + 1) * sizeof *m);
    size_t count = 0;
    for (size_t k = 0; k < x->count; k++) {
        candidate *c = &x->candidate[k];
        if (c->reference->combined.inspected || only_copies(c)) continue;
        m[count++] = (mixed_candidate){mixed_values(c), c};
    }
    qsort(m, count, sizeof *m, by_mixed_values);
    for (size_t k = 1; k < count; k++)
        if (m[k - 1].mixed == m[k].mixed) m[k - 1].candidate->next = m[k].candidate;
}

/* The next that has no name yet; those that have one are passed over once and for all. */
static candidate *next_without_name(candidate *c) {
    candidate *found = c->next;
    while (found && found->name) found = found->next;
    for (candidate *at = c, *next; at != found && at->next != found; at = next) {
        next = at->next;
        at->next = found;
    }
    return found;
}

static void pair(search *x, candidate *first) {
    for (candidate *second = first; (second = next_without_name(second));) {
        if (second->statement->node->first <= first->statement->node->last) continue;
        if (!is_in_row(first, second)) return;
        if (!same_values(x->p, first, second)) continue;
        if (!stays_unchanged(x->p, first, second)) return;
        keep(x, first);
        second->name = first->name;
    }
}

static void find_pairs(search *x) {
    link_alike(x);
    for (size_t k = 0; k < x->count; k++) pair(x, &x->candidate[k]);
}

/* Whether d, of the same statement, is gathered with c. */
static bool gathers_same(const program *p, const candidate *c, const candidate *d) {
    const reference *x = c->reference, *y = d->reference;
    if (y <= x || x == &c->statement->left || !y->combined.inspected || x->array != y->array) return false;
    return has_same_accesses(p, c->statement, x, y) || (x->mask == y->mask && shares_box(p, c->statement, x, y));
}

/* Whether d, of the same statement, reads under a condition what c reads in any case. */
static bool is_read_before(const program *p, const candidate *c, const candidate *d) {
    const reference *x = c->reference, *y = d->reference;
    return x < y && x != &c->statement->left && !x->guarded && y->guarded && x->array == y->array &&
           x->placed.relation == RELATION_SETS && y->placed.relation == RELATION_SETS && same_subscripts(p, x, y);
}

/* References of one statement that read the same as c share one place. */
static void spread(search *x, const candidate *c) {
    const size_t first = c->statement->node->first;
    candidate *d = &x->candidate[c - x->candidate], *end = &x->candidate[x->count];
    while (d > x->candidate && d[-1].statement->node->first == first) d--;
    for (; c->name && d < end && d->statement->node->first == first; d++)
        if (c->statement == d->statement &&
            (same_values(x->p, c, d) || gathers_same(x->p, c, d) || is_read_before(x->p, c, d)))
            d->name = c->name;
}

/* Whether the subscripts of r are made of elements, so that several accesses may find the same one. */
static bool picks(const node *n) {
    if (n->kind == N_INDEX) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && picks(n->child[c])) return true;
    return false;
}

static bool serves_often(const reference *r) {
    bool found = false;
    for (int d = 0; d < r->rank; d++) found = found || (r->subscript[d].node && picks(r->subscript[d].node));
    return found && r->placed.relation == RELATION_GATHER && r->reduction >= 0;
}

/* A product's panels are moved as a whole first. */
static void stay(const candidate *c) {
    reference *r = c->reference;
    r->combined.reused = c->name;
    r->combined.localised = serves_often(r);
    r->array->origin->watched = true;
    for (size_t k = 0; k < r->combined.inputs; k++)
        if (r->combined.input[k]->array) r->combined.input[k]->array->watched = true;
    if (r->placed.operand == OPERAND_PANELS) r->placed.operand = OPERAND_MOVED;
    if (r == &c->statement->left) {
        r->placed.buffer = r->symbol->name;
        return;
    }
    if (r->placed.move != MOVE_BROADCAST) r->placed.move = MOVE_FETCHED;
    c->statement->placed.waits_for = -1;
}

void reuse_values(program *p) {
    search x = {.p = p};
    p->changed = change_index_new(p->memory);
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO) return; /* communication sets are asked for */
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++)
        if (!all.statement[k]->in_place) add_candidates(&x, all.statement[k]);
    if (x.count > 1) qsort(x.candidate, x.count, sizeof *x.candidate, in_source_order);
    find_pairs(&x);
    for (size_t k = 0; k < x.count; k++) spread(&x, &x.candidate[k]);
    for (size_t k = 0; k < x.count; k++)
        if (!x.candidate[k].name && is_invariant(p, &x.candidate[k])) {
            keep(&x, &x.candidate[k]);
            spread(&x, &x.candidate[k]);
        }
    for (size_t k = 0; k < x.count; k++)
        if (x.candidate[k].name) stay(&x.candidate[k]);
}

/* Pass "fuse": statements that stand one after the other and touch the same elements in the same iterations are
 * executed in one nest of loops, iteration by iteration. */
#include <string.h>

#include "combine.h"

/* Whether what `reader` reads of the left side of `writer` is what the same iteration stores there; inner reductions
 * come before all stores. */
static bool reads_its_own(const program *p, const parallel *reader, const parallel *writer) {
    for (size_t k = 0; k < reader->references; k++) {
        const reference *r = &reader->reference[k];
        if (!same_array(r->array, writer->left.array)) continue;
        if ((r->reduction >= 0 && reader != writer) || !same_subscripts(p, r, &writer->left)) return false;
    }
    return true;
}

static bool is_plain_assignment(const program *p, const parallel *s) {
    return s->kind == PARALLEL_ASSIGNMENT && !picks_parts(s) && s->placed.home == HOME_LEFT && s->left.array &&
           reads_its_own(p, s, s) && (s->reductions == 0 || s->placed.tiled) && !records_assignments(p, s);
}

static bool is_plain_reduction(const parallel *s) {
    return s->kind == PARALLEL_REDUCTION && s->combined.before && home_of(s) && s->reductions == 1 &&
           !s->reduction[0].best && s->hoisted->count == 0;
}

/* Whether masks, if there are any, may stand in the loops of other statements: these have bounds checks, so that
 * nothing may leave its array where a mask does not hold. */
static bool has_plain_masks(const program *p, const parallel *s) {
    if (s->masks == 0) return true;
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved) return false;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && !reference_in_bounds(p, s, &s->reference[k])) return false;
    return !s->placed.tiled && reference_in_bounds(p, s, home_of(s));
}

/* Each iteration reads and stores in place, of its left array only its own element. */
static bool is_plain(const program *p, const parallel *s) {
    if (!is_plain_assignment(p, s) && !is_plain_reduction(s)) return false;
    if (s->placed.scatter || s->placed.values_first || s->calls_unknown || s->conformities > 0 ||
        !has_plain_masks(p, s))
        return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->array && !stays_in_place(r) && !s->placed.tiled) return false;
    }
    return s->indices > 0 && s->placed.waits_for < 0;
}

static bool same_loops(const parallel *a, const parallel *b) {
    if (a->indices != b->indices || a->placed.tiled != b->placed.tiled ||
        (a->placed.tiled && a->reductions != b->reductions))
        return false;
    for (int k = 0; k < a->indices; k++) {
        const loop_index *x = &a->index[k], *y = &b->index[k];
        if (x->reduction != y->reduction || !same_range(x, y)) return false;
    }
    return true;
}

/* Whether every iteration stores at the same local indices of both left sides: the arrays are mapped alike. */
static bool same_places(const program *p, const reference *a, const reference *b) {
    if (a->rank != b->rank || !same_holders(p, a, b)) return false;
    for (int d = 0; d < a->rank; d++) {
        const subscript *u = &a->subscript[d], *v = &b->subscript[d];
        if (u->kind != v->kind || u->kind == SUBSCRIPT_GENERAL || !linear_equal(&u->offset, &v->offset)) return false;
        if (u->kind == SUBSCRIPT_AFFINE && (u->index != v->index || !linear_equal(&u->stride, &v->stride)))
            return false;
        if (a->array->lead[d] != b->array->lead[d] || !linear_equal(&a->array->lower[d], &b->array->lower[d]))
            return false;
    }
    return true;
}

static bool may_join(const program *p, const parallel *a, const parallel *b) {
    if (!is_plain(p, a) || !is_plain(p, b) || !same_loops(a, b) || !same_places(p, home_of(a), home_of(b)) ||
        executes_once(a) != executes_once(b))
        return false;
    return (a->kind == PARALLEL_REDUCTION || reads_its_own(p, b, a)) &&
           (b->kind == PARALLEL_REDUCTION || reads_its_own(p, a, b));
}

/* ---- One name for each index: those that are made up for sections stand in no text, and take others */

static bool has_general_subscript(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return true;
    return false;
}

/* Whether an expression holds what lowering has made, which may mention indices. */
static bool holds_made(const node *n) {
    if (n->made || n->replacement) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_made(n->child[c])) return true;
    return false;
}

/* Whether something beside subscripts may mention the indices that were made up for sections. */
static bool may_mention_indices(const parallel *s) {
    if (s->placed.tiled || s->ends > 0 || s->masks > 0 || has_general_subscript(&s->left)) return true;
    for (size_t k = 0; k < s->references; k++)
        if (has_general_subscript(&s->reference[k]) || s->reference[k].cycles > 0) return true;
    for (size_t k = 0; k < s->reductions; k++)
        if ((s->reduction[k].mask && holds_made(s->reduction[k].mask)) ||
            (s->reduction[k].value && holds_made(s->reduction[k].value)))
            return true;
    return holds_made(s->node) || (s->value && holds_made(s->value));
}

static bool takes_names(const program *p, const parallel *s, const parallel *named) {
    bool other = false;
    for (int k = 0; k < s->indices; k++) {
        if (!strcmp(s->index[k].name, named->index[k].name)) continue;
        if (s->index[k].symbol || stands_in_text(p, s->node, named->index[k].name)) return false;
        other = true;
    }
    return !other || !may_mention_indices(s);
}

/* The statement whose names those of a chain and one more get: one with names of the program, if there is any. */
static const parallel *named_of(const fusion *c, const parallel *s) {
    for (int k = 0; k < c->count; k++)
        if (c->statement[k]->indices > 0 && c->statement[k]->index[0].symbol) return c->statement[k];
    return s->indices > 0 && s->index[0].symbol ? s : c->statement[0];
}

static bool joins(const program *p, const fusion *c, const parallel *s) {
    for (int k = 0; k < c->count; k++)
        if (!may_join(p, c->statement[k], s)) return false;
    if (c->count == 0 || c->count == MAX_FUSED) return false;
    const parallel *named = named_of(c, s);
    for (int k = 0; k < c->count; k++)
        if (!takes_names(p, c->statement[k], named)) return false;
    return takes_names(p, s, named);
}

static void name_alike(const fusion *c) {
    const parallel *named = named_of(c, c->statement[0]);
    for (int n = 0; n < c->count; n++)
        for (int k = 0; k < named->indices; k++) c->statement[n]->index[k].name = named->index[k].name;
}

bool is_joined(const parallel *s) {
    return s->combined.chain && s->combined.chain->statement[0] != s;
}

/* One way to move for references of several statements that may be the same. */
static void fetch_all(const fusion *c) {
    for (int k = 0; k < c->count; k++)
        for (size_t j = 0; j < c->statement[k]->references; j++) {
            reference *r = &c->statement[k]->reference[j];
            if (r->array && r->placed.relation == RELATION_SETS && r->placed.move != MOVE_BROADCAST)
                r->placed.move = MOVE_FETCHED;
        }
}

/* The chain that is being made, and where it ends in the source. */
typedef struct {
    program *p;
    fusion *chain;
    const node *end; /* the group's node, or the statement that a reduction comes before; NULL: no chain */
} fusing;

static void begin_chain(fusing *f) {
    f->chain = arena_alloc(f->p->memory, sizeof *f->chain);
}

static bool is_same_mask(const parallel *s, int m, const parallel *t, int k) {
    const node *x = s->mask[m].node, *y = t->mask[k].node;
    return x == y || (x->kind == N_LOCAL && y->kind == N_LOCAL && x->symbol == y->symbol);
}

/* The number of the next mask that is a condition, from k on. */
static int next_condition(const parallel *s, int k) {
    while (k < s->masks && s->mask[k].node->kind == N_LOCAL) k++;
    return k;
}

/* Whether two statements of a group have the same saved for them: the same mask, behind the same conditions. */
static bool is_same_item(const action *x, const action *y) {
    const parallel *s = x->statement, *t = y->statement;
    if (y->mask < 0 || !is_same_mask(s, x->mask, t, y->mask)) return false;
    int m = next_condition(s, 0), k = next_condition(t, 0);
    while (m < x->mask && k < y->mask && is_same_mask(s, m, t, k))
        m = next_condition(s, m + 1), k = next_condition(t, k + 1);
    return m >= x->mask && k >= y->mask;
}

static void add_item(fusing *f, action x) {
    for (size_t k = 0; x.mask >= 0 && k < f->chain->items; k++) {
        const action *same = &f->chain->item[k];
        if (!is_same_item(&x, same)) continue;
        x.statement->mask[x.mask].buffer = same->statement->mask[same->mask].buffer;
        return;
    }
    vector_add(f->p->memory, f->chain->item, f->chain->items, f->chain->item_capacity, x);
}

static void add_statement(fusing *f, parallel *s) {
    fusion *c = f->chain;
    add_item(f, (action){.mask = -1, .statement = s});
    c->statement[c->count++] = s;
    if (c->count < 2) return;
    for (int k = 0; k < c->count; k++) c->statement[k]->combined.chain = c;
    name_alike(c);
    fetch_all(c);
}

/* ---- What stands between statements */

bool stands_behind(const program *p, const node *before, const node *n) {
    const node *parent = n->parent;
    if (!before || parent != before->parent || parent->kind != N_COMPOUND) return false;
    if (follows_pragma(p->source, before) || follows_pragma(p->source, n)) return false;
    for (size_t c = 1; c < parent->count; c++)
        if (parent->child[c] == n) return parent->child[c - 1] == before;
    return false;
}

bool evaluates_between(const group *g, size_t executed) {
    for (size_t k = 0; executed > 0 && k < g->hoisted.count; k++)
        if (g->hoisted.hoisted[k].after == executed) return true;
    return false;
}

static bool mentions_declared(const node *n, const node *declaration) {
    if (n->kind == N_NAME && n->symbol && n->symbol->declaration == declaration) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_declared(n->child[c], declaration)) return true;
    return false;
}

/* Whether a statement does nothing but to give variables values that the reduction does not read, not by pointers
 * either. */
static bool is_independent_of(const node *statement, const parallel *s) {
    if (statement->kind == N_DECLARATION) {
        for (size_t c = 1; c < statement->count; c++)
            if (!is_pure(statement->child[c], MAY_REDUCE)) return false;
        return !mentions_declared(s->node, statement);
    }
    const node *assign = statement->kind == N_EXPRESSION ? inside_parentheses(statement->child[0]) : NULL;
    if (!assign || assign->kind != N_ASSIGN || assign->child[0]->kind != N_NAME ||
        !is_pure(assign->child[1], MAY_REDUCE))
        return false;
    return assign->child[0]->symbol && !mentions_symbol(s->node, assign->child[0]->symbol) && !reads_anything(s->node);
}

/* ---- Masks and values that are saved before a statement: one variable of the loops where all that is executed until
 * then is in these loops */

/* Behind the statement that what action k saves is for, and behind those of all that is saved until then. */
static size_t end_of_use(const group *g, size_t k) {
    size_t end = k + 1;
    for (size_t j = k; j < end; j++)
        for (size_t n = end; g->action[j].mask >= 0 && n < g->actions; n++)
            if (g->action[n].mask < 0 && g->action[n].statement == g->action[j].statement) end = n + 1;
    return end;
}

static bool may_be_kept(const program *p, const action *x) {
    const statement_mask *m = &x->statement->mask[x->mask];
    return !p->serial && !m->prefix && !m->bound;
}

static void keep_masks(const group *g, size_t from, size_t end, bool keep) {
    for (size_t k = from; k < end; k++) {
        if (g->action[k].mask < 0) continue;
        statement_mask *m = &g->action[k].statement->mask[g->action[k].mask];
        m->kept = keep;
        m->saved = !keep;
    }
}

static bool statements_join(const fusing *f, const fusion *c, const group *g, size_t from, size_t end) {
    fusion longer = *c;
    for (size_t k = from; k < end; k++) {
        if (g->action[k].mask >= 0) continue;
        if (longer.count > 0 && !joins(f->p, &longer, g->action[k].statement)) return false;
        longer.statement[longer.count++] = g->action[k].statement;
    }
    return longer.count > 1;
}

/* Whether actions from .. end - 1 can be executed with the chain; if so, what they save is kept. */
static bool all_join(const fusing *f, const fusion *c, const group *g, size_t from, size_t end) {
    size_t executed = 0;
    for (size_t k = 0; k < end; k++) {
        if (k > from && evaluates_between(g, executed)) return false;
        if (k >= from && g->action[k].mask >= 0 && !may_be_kept(f->p, &g->action[k])) return false;
        executed += g->action[k].mask < 0;
    }
    keep_masks(g, from, end, true);
    const bool join = statements_join(f, c, g, from, end);
    if (!join) keep_masks(g, from, end, false);
    return join;
}

/* ---- The pass */

/* All of group g can be executed with the chain. */
static bool group_joins(const fusing *f, const group *g) {
    const fusion *c = f->chain;
    if (!stands_behind(f->p, f->end, g->node) || g->hoisted.count > 0 || g->actions == 0 || c->count == 0) return false;
    return c->statement[c->count - 1]->kind != PARALLEL_REDUCTION && all_join(f, c, g, 0, g->actions);
}

/* Actions from k on, `executed` statements of the group before them, begin a chain or join that which there is; returns
 * where those end that are in it. */
static size_t extend_chain(fusing *f, group *g, size_t k, size_t executed) {
    const size_t end = end_of_use(g, k);
    const fusion none = {.count = 0};
    g->action[k].joins = f->chain->count > 0 && !evaluates_between(g, executed) && all_join(f, f->chain, g, k, end);
    if (g->action[k].joins) return end;
    begin_chain(f);
    return g->action[k].mask < 0 || all_join(f, &none, g, k, end) ? end : k;
}

static void fuse_group(fusing *f, group *g) {
    g->joins = group_joins(f, g);
    if (!g->joins) begin_chain(f);
    size_t end = g->joins ? g->actions : 0; /* of the actions that are in the chain */
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        action *x = &g->action[k];
        x->joins = k < end;
        if (k >= end) end = extend_chain(f, g, k, executed);
        if (x->mask < 0)
            add_statement(f, x->statement), executed++;
        else if (k < end)
            add_item(f, *x);
    }
    f->end = g->node;
}

/* Whether s may be computed before the statements that the reductions of the chain come before. */
static bool passes(const fusion *c, const parallel *s) {
    for (int k = 0; k < c->count; k++) {
        const parallel *x = c->statement[k];
        if (x->kind == PARALLEL_REDUCTION && x->combined.before != s->combined.before &&
            !is_independent_of(x->combined.before, s))
            return false;
    }
    return true;
}

static void fuse_reduction(fusing *f, parallel *s) {
    const fusion *c = f->chain;
    const bool near = (s->combined.before == f->end || stands_behind(f->p, f->end, s->combined.before)) && passes(c, s);
    if (!near || !joins(f->p, c, s)) begin_chain(f);
    add_statement(f, s);
    f->end = s->combined.before;
}

/* Groups, and reductions that come before statements, in the order of the source. */
void fuse(program *p) {
    fusing f = {.p = p};
    size_t r = 0;
    begin_chain(&f);
    for (size_t g = 0; g <= p->group_count; g++) {
        const size_t end = g < p->group_count ? p->groups[g]->number : SIZE_MAX;
        for (; r < p->reduction_count && p->reductions[r]->number < end; r++)
            if (p->reductions[r]->combined.before) fuse_reduction(&f, p->reductions[r]);
        if (g < p->group_count) fuse_group(&f, p->groups[g]);
    }
}

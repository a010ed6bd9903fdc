/* Pass "tiling": sequential loops around stencils, of which several iterations may be executed in one pass over memory.
 * Whether that pays is decided at run time, by the cost model; here, whether it may be done.  The statements of an
 * iteration stand in a row, store arrays of one mapping, and read them at constant distances, round the ends too; so
 * they may be executed tile by tile, and for ghost cells too.  Before the row, and behind it, anything may stand under
 * a condition that the loop's variable tells: such iterations begin, or end, what is executed together. */
#include <string.h>

#include "combine.h"

/* The loop that is looked at. */
typedef struct {
    program *p;
    time_tiling *t;
} attempt;

/* Says why not; false. */
static bool refuse(attempt *x, const node *n, const char *words) {
    x->t->why = arena_format(x->p->memory, "line %d %s", x->p->source->tokens[n->first].line, words);
    return false;
}

/* ---- The head of the loop */

/* The variable that an expression steps, and nothing else, or NULL. */
static const symbol *stepped_variable(const node *n) {
    if (!n || n->count == 0) return NULL;
    const bool step = n->kind == N_POSTFIX || (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
    if (!step && n->kind != N_ASSIGN) return NULL;
    const node *name = n->child[0];
    if (n->kind == N_ASSIGN && !is_pure(n->child[1], 0)) return NULL;
    return name->kind == N_NAME && name->symbol && name->symbol->kind == SYMBOL_VARIABLE ? name->symbol : NULL;
}

static bool has_address_taken(const symbol *s) {
    for (size_t k = 0; k < s->assignments; k++) {
        const node *above = s->assignment[k]->parent;
        while (above->kind == N_PAREN) above = above->parent;
        if (above->kind == N_UNARY && above->op[0] == '&') return true;
    }
    return false;
}

/* Whether an expression may be evaluated before the statements of the iterations before it have been executed. */
static bool may_be_foreseen(const node *n) {
    return !n || (is_pure(n, 0) && !reads_distributed(n));
}

static bool take_head(attempt *x) {
    const node *loop = x->t->loop;
    const symbol *s = stepped_variable(loop->child[2]);
    if (!s || s->array || s->file_scope || s->is_static || !s->type || s->type->kind != TYPE_ARITHMETIC ||
        has_address_taken(s))
        return refuse(x, loop, "is no loop that steps one local variable");
    if (reads_distributed(loop->child[2]) || !may_be_foreseen(loop->child[1]))
        return refuse(x, loop, "has a condition that is not known beforehand");
    x->t->variable = s;
    return true;
}

/* ---- The arrays */

static bool take_array(attempt *x, const node *n, array *a) {
    time_tiling *t = x->t;
    const char *name = a->symbol->name;
    for (int k = 0; k < t->arrays; k++)
        if (t->array[k] == a) return true;
    if (!has_own_blocks(a))
        return refuse(x, n, arena_format(x->p->memory, "names %s, whose mapping is not one of (block, *)", name));
    if (a->parameter && divided_dimensions(a) > 1)
        return refuse(x, n, arena_format(x->p->memory, "names %s, a parameter with corners", name));
    if (t->arrays == MOST_TILED) return refuse(x, n, "names too many arrays");
    for (int k = 0; k < t->arrays; k++)
        if (may_be_same(t->array[k], a) && !have_alias_check(x->p, t->array[k], a))
            return refuse(x, n, arena_format(x->p->memory, "names %s, which may be another array", name));
    if (t->arrays > 0 && !are_mapped_alike(x->p, t->array[0], a))
        return refuse(
            x, n, arena_format(x->p->memory, "names %s, which is not mapped as %s", name, t->array[0]->symbol->name));
    t->array[t->arrays++] = a;
    return true;
}

/* ---- The statements */

/* Whether every subscript is the index of its dimension, and a constant. */
static bool follows_indices(const reference *r, bool exactly) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind != SUBSCRIPT_AFFINE || u->index != d || !linear_is(&u->stride, 1) ||
            !linear_is_constant(&u->offset) || (exactly && u->offset.constant != 0))
            return false;
    }
    return true;
}

/* Of a reference that does: whether it stands as far from home as its subscripts say. */
static bool stands_as_written(const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const int64_t placed = r->placed.relation == RELATION_SHIFT ? r->placed.dim[d].distance : 0;
        if (may_be_distributed(r->array, d) && r->subscript[d].offset.constant != placed) return false;
    }
    return true;
}

static bool mentions_in_linear(const linear *x, const symbol *s) {
    for (int k = 0; k < x->terms; k++)
        if (x->term[k].node ? mentions_symbol(x->term[k].node, s) : mentions_word(x->term[k].text, s->name))
            return true;
    return false;
}

static bool has_plain_ranges(const attempt *x, const parallel *s) {
    for (int k = 0; k < s->indices; k++) {
        const loop_index *i = &s->index[k];
        if (i->triangular || i->ragged || i->descending || i->reduction >= 0 || !linear_is(&i->stride, 1)) return false;
        if (mentions_in_linear(&i->lower, x->t->variable) || mentions_in_linear(&i->upper, x->t->variable))
            return false;
    }
    return true;
}

static bool is_plain_store(const parallel *s) {
    return s->kind == PARALLEL_ASSIGNMENT && s->left.array && s->placed.home == HOME_LEFT && !s->placed.scatter &&
           !s->placed.values_first && !s->placed.ordered && !s->placed.clip && !s->placed.product && !s->placed.tiled &&
           s->placed.waits_for < 0 && s->masks == 0 && s->reductions == 0 && s->ends == 0 && s->conformities == 0 &&
           !s->calls_unknown && !s->reduced && !s->results && !s->member && !s->combined.aggregate;
}

/* Whether it reads along dimension d what goes round. */
static bool goes_round(const reference *r, int d) {
    for (int k = 0; k < r->cycles; k++)
        if (r->cycle[k].dim == d) return true;
    return false;
}

static void note_cycles(time_tiling *t, const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (goes_round(r, d) && r->subscript[d].offset.constant != 0) t->cyclic[d] = true;
}

static bool take_references(attempt *x, const parallel *s) {
    if (s->left.rank != s->indices || !follows_indices(&s->left, true))
        return refuse(x, s->node, "stores elements that are not those of its indices");
    if (!take_array(x, s->node, s->left.array)) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array) return refuse(x, s->node, "reads sections of ordinary arrays");
        if ((r->placed.relation != RELATION_LOCAL && r->placed.relation != RELATION_SHIFT) || r->placed.beside ||
            r->placed.varying || (r->cycles > 0 && r->turn != ALL_TURNS) || r->rank != s->indices ||
            !follows_indices(r, false) || !stands_as_written(r))
            return refuse(x, r->node, "reads what does not stand at a constant distance");
        if (!take_array(x, r->node, r->array)) return false;
        note_cycles(x->t, r);
    }
    return true;
}

/* ---- What goes round.  Ghost cells beyond the ends are elements of the other end, and are computed as such: every
 * statement does the same there as at that end. */

/* Whether an expression has the index outside the subscripts of what s reads. */
static bool mentions_besides(const parallel *s, const node *n, const symbol *index) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].node == n) return false;
    if (n->kind == N_NAME) return n->symbol == index;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_besides(s, n->child[c], index)) return true;
    return false;
}

/* Whether a bound is known to be another one.  The run time compares the others. */
static bool differ(const program *p, const linear *x, const linear *y) {
    const linear apart = linear_subtract(p->memory, *x, *y);
    return linear_is_constant(&apart) && apart.constant != 0;
}

/* Along dimension d, which some statement reads round the ends. */
static bool repeats_along(attempt *x, const parallel *s, int d) {
    const array *a = s->left.array;
    const loop_index *i = &s->index[d];
    if (differ(x->p, &i->lower, &a->written_lower[d]) || differ(x->p, &i->upper, &a->written_upper[d]))
        return refuse(x, s->node, "stores a part of a dimension that others read round its ends");
    if (i->symbol && mentions_besides(s, s->value, i->symbol))
        return refuse(x, s->node, "computes with an index of a dimension that goes round");
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].subscript[d].offset.constant != 0 && !goes_round(&s->reference[k], d))
            return refuse(x, s->reference[k].node, "ends at the edge of a dimension that others read round its ends");
    return true;
}

static bool repeats_beyond_ends(attempt *x) {
    for (int k = 0; k < x->t->statements; k++)
        for (int d = 0; d < x->t->statement[k]->indices; d++)
            if (x->t->cyclic[d] && !repeats_along(x, x->t->statement[k], d)) return false;
    return true;
}

static bool take_statement(attempt *x, parallel *s) {
    if (x->t->statements == MOST_TILED) return refuse(x, s->node, "is one statement too many");
    if (!is_plain_store(s)) return refuse(x, s->node, "is no plain stencil");
    if (!is_pure(s->value, MAY_SHIFT)) return refuse(x, s->node, "calls functions");
    if (!has_plain_ranges(x, s)) return refuse(x, s->node, "has ranges with strides, or that change");
    x->t->statement[x->t->statements++] = s;
    x->t->steps = x->t->steps || mentions_symbol(s->value, x->t->variable);
    return take_references(x, s);
}

/* Whether its statements need what is evaluated before them; turns of circular shifts stand alone nowhere in a tile. */
static bool needs_hoisted(const group *g) {
    for (size_t k = 0; k < g->hoisted.count; k++)
        if (!g->hoisted.hoisted[k].turns) return true;
    return false;
}

static bool take_group(attempt *x, node *n) {
    group *g = group_at(x->p, n);
    if (!g || needs_hoisted(g) || g->continues || g->next || g->actions == 0 || x->t->groups == MOST_TILED)
        return refuse(x, n, "is no plain stencil");
    for (size_t k = 0; k < g->actions; k++) {
        if (g->action[k].mask >= 0) return refuse(x, n, "has masks");
        if (!take_statement(x, g->action[k].statement)) return false;
    }
    x->t->group[x->t->groups++] = g;
    if (!x->t->first) x->t->first = n;
    x->t->last = n;
    return true;
}

/* ---- The body */

static bool is_nothing(const node *n) {
    return n->kind == N_EMPTY;
}

/* What is executed in some iterations only, which can be told beforehand. */
static bool take_condition(attempt *x, node *n) {
    const bool before = x->t->groups == 0;
    int *count = before ? &x->t->leadings : &x->t->trailings;
    if (n->kind != N_IF || (n->count > 2 && n->child[2]) || *count == MOST_TILED)
        return refuse(x, n, "stands beside the stencils");
    if (!may_be_foreseen(n->child[0])) return refuse(x, n, "has a condition that is not known beforehand");
    (before ? x->t->leading : x->t->trailing)[(*count)++] = n->child[0];
    return true;
}

/* Whether the loops of the statements hold nothing else. */
static bool share_no_loops(const time_tiling *t) {
    for (int k = 0; k < t->statements; k++) {
        const fusion *c = t->statement[k]->combined.chain;
        for (int j = 0; c && j < c->count; j++) {
            bool found = false;
            for (int m = 0; m < t->statements; m++) found = found || t->statement[m] == c->statement[j];
            if (!found) return false;
        }
    }
    return true;
}

static bool take_body(attempt *x) {
    node *body = x->t->loop->child[3];
    const bool block = body->kind == N_COMPOUND && !body->made;
    for (size_t c = 0; c < (block ? body->count : 1); c++) {
        node *n = block ? body->child[c] : body;
        if (is_nothing(n)) continue;
        const bool stencil = (n->kind == N_FORALL || n->kind == N_EXPRESSION) && group_at(x->p, n);
        if (stencil && x->t->trailings > 0) return refuse(x, n, "comes behind what some iterations do alone");
        if (!(stencil ? take_group(x, n) : take_condition(x, n))) return false;
    }
    if (!share_no_loops(x->t)) return refuse(x, x->t->stencil, "shares its loops with what stands elsewhere");
    return x->t->groups > 0;
}

/* ---- Whether it is worth it */

/* Elements of an array along a dimension; false: it is not constant. */
static bool constant_extent(const array *a, int d, double *extent) {
    if (!linear_is_constant(&a->lower[d]) || !linear_is_constant(&a->upper[d])) return false;
    *extent = (double)(a->upper[d].constant - a->lower[d].constant + 1);
    return true;
}

/* Whether its arrays fit any cache. */
static bool is_small(const time_tiling *t) {
    enum { CACHE = 1 << 20 };
    double bytes = 0;
    for (int k = 0; k < t->arrays; k++) {
        double elements = 1, extent;
        for (int d = 0; d < t->array[k]->rank; d++) {
            if (!constant_extent(t->array[k], d, &extent)) return false;
            elements *= extent;
        }
        bytes += elements * (double)element_bytes(t->array[k]->element);
    }
    return bytes <= CACHE;
}

static bool reads_neighbours(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        for (int d = 0; s->reference[k].array && d < s->reference[k].rank; d++) {
            const subscript *u = &s->reference[k].subscript[d];
            if (s->reference[k].placed.relation == RELATION_SHIFT ||
                (u->kind == SUBSCRIPT_AFFINE && linear_is_constant(&u->offset) && u->offset.constant != 0))
                return true;
        }
    return false;
}

static bool any_reads_neighbours(const program *p, const node *n) {
    const group *g = group_at(p, n);
    for (size_t k = 0; g && k < g->actions; k++)
        if (reads_neighbours(g->action[k].statement)) return true;
    return false;
}

/* The first of the loop's own statements that is a stencil; NULL: there is none. */
static node *first_stencil(const program *p, const node *loop) {
    node *body = loop->child[3];
    if (any_reads_neighbours(p, body)) return body;
    for (size_t c = 0; body->kind == N_COMPOUND && c < body->count; c++)
        if (any_reads_neighbours(p, body->child[c])) return body->child[c];
    return NULL;
}

/* ---- The pass */

static void note_tiled(program *p, time_tiling *t) {
    for (int k = 0; k < t->groups; k++) table_put(p->memory, &p->tiling_of, t->group[k]->node, t);
    for (int k = 0; k < t->arrays; k++) {
        t->array[k]->placed.deepens = true;
        for (int d = 0; d < t->array[k]->rank; d++)
            t->array[k]->placed.cyclic[d] = t->array[k]->placed.cyclic[d] || t->cyclic[d];
    }
}

static void try_loop(program *p, node *loop, node *stencil) {
    time_tiling *t = arena_alloc(p->memory, sizeof *t);
    attempt x = {p, t};
    *t = (time_tiling){.loop = loop, .stencil = stencil};
    vector_add(p->memory, p->tiling, p->tiling_count, p->tiling_capacity, t);
    if (!take_head(&x) || !take_body(&x) || !repeats_beyond_ends(&x)) return;
    if (p->time_tiling == 0 && is_small(t))
        t->why = "its arrays fit a cache";
    else
        note_tiled(p, t);
}

static void walk(program *p, node *n) {
    if (group_at(p, n)) return;
    if (n->kind == N_FOR && first_stencil(p, n)) try_loop(p, n, first_stencil(p, n));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) walk(p, n->child[c]);
}

void tile_loops(program *p) {
    if (p->time_tiling < 0 || p->openmp || p->check_all || p->serial || p->sets != METHOD_NONE || p->model != COMM_AUTO)
        return;
    walk(p, p->unit);
}

time_tiling *tiling_at(const program *p, const node *n) {
    return table_at(&p->tiling_of, n);
}

/* Pass "nests": loops whose iterations are independent, around loops that processes execute one after the other:
 *
 *     for (int j = 1; j < n; j++) {                        for (int i = 1; i < n; i++)
 *         for (int i = 1; i < n; i++)                          for (int j = 1; j < n; j++)
 *             T[i][j] = f(T[i][j], T[i-1][j]);                     T[i][j] = f(T[i][j], T[i-1][j]);
 *         for (int i = n - 2; i >= 0; i--)                 for (int i = n - 2; i >= 0; i--)
 *             T[i][j] = g(T[i][j], T[i+1][j]);                 for (int j = 1; j < n; j++)
 *     }                                                            T[i][j] = g(T[i][j], T[i+1][j]);
 *
 * As it is written, the processes would wait for one another in each column, twice, and exchange one element at a time.
 * Loop distribution gives each inner loop the outer one for itself; loop interchange puts it inside where it steps
 * through neighbours in memory.  Both are legal as no iteration of the outer loop needs what another one stores
 * (Allen and Kennedy, Optimizing Compilers for Modern Architectures, sections 2.4 and 5.2). */
#include <string.h>

#include "nests.h"

enum { MOST_PARTS = 8 };

typedef struct {
    nest *x;
    node *outer[MAX_RANK]; /* loops whose iterations are independent, perfectly nested, from the outermost on */
    int outers;
    node *part[MOST_PARTS]; /* the loops, and the statements, in the last of them */
    int parts;
} distribution;

/* Whether a subscript mentions the variable: of a divided dimension of an array that n reads or stores, or of a last
 * one. */
static bool steps_through(const program *p, node *n, const symbol *v, bool divided) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (n->kind == N_INDEX && distributed_reference(n) && !first_section(n)) {
        index_chain(n, &name, subscripts, &count);
        const array *a = array_at(p, name);
        for (int d = 0; d < count; d++)
            if ((divided ? may_be_distributed(a, d) : d == count - 1) && mentions_symbol(subscripts[d], v)) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && steps_through(p, n->child[c], v, divided)) return true;
    return false;
}

static bool steps_divided(const nest *x, const node *loop) {
    return steps_through(x->p, loop->child[3], loop_at(x, loop)->variable, true);
}

/* ---- Which loops */

static bool add_part(distribution *w, node *n) {
    if (!n || (n->kind != N_FOR && n->kind != N_EXPRESSION) || w->parts == MOST_PARTS) return false;
    w->part[w->parts++] = n;
    return true;
}

/* The outer loops, none of which steps through a divided dimension, and the loops in them. */
static bool find_loops(distribution *w) {
    const nest *x = w->x;
    node *n = x->root;
    while (n->kind == N_FOR && w->outers < MAX_RANK && loop_at(x, n) && !steps_divided(x, n)) {
        w->outer[w->outers++] = n;
        n = sole_statement(n->child[3]);
    }
    if (w->outers == 0) return false;
    if (n->kind != N_COMPOUND) return add_part(w, n);
    for (size_t c = 0; c < n->count; c++)
        if (!add_part(w, n->child[c])) return false;
    return w->parts > 0;
}

/* The innermost loop that steps through a divided dimension, of those that stand perfectly in one another in a part;
 * NULL: none. */
static node *divided_loop(const nest *x, node *part) {
    node *found = NULL;
    for (node *n = part; n->kind == N_FOR && loop_at(x, n); n = sole_statement(n->child[3]))
        if (steps_divided(x, n)) found = n;
    return found;
}

/* Whether the bounds of one loop follow the variable of the other. */
static bool depend(const nest_loop *a, const nest_loop *b) {
    return mentions_symbol(a->lower, b->variable) || mentions_symbol(a->upper, b->variable) ||
           mentions_symbol(b->lower, a->variable) || mentions_symbol(b->upper, a->variable) || a->ragged || b->ragged;
}

/* Whether the loops of a part down to `last` may change places with the outer ones. */
static bool may_be_interchanged(const distribution *w, const node *part, const node *last) {
    for (const node *n = part;; n = sole_statement(n->child[3])) {
        for (int k = 0; k < w->outers; k++)
            if (depend(loop_at(w->x, n), loop_at(w->x, w->outer[k]))) return false;
        if (n == last) return true;
    }
}

static bool are_independent(const distribution *w) {
    nest_distances found;
    if (!find_distances(w->x, w->outers, &found)) return false;
    for (int k = 0; k < w->outers; k++)
        if (found.forward[k] || found.backward[k]) return false;
    return true;
}

/* Scalars belong to one part, and nothing is added up in another order. */
static bool scalars_stay(const distribution *w) {
    for (int k = 0; k < w->x->privates; k++)
        if (w->x->private[k].depth <= w->outers) return false;
    for (int k = 0; k < w->x->statements; k++)
        if (w->x->statement[k].kind == STATEMENT_SCALAR) return false;
    return true;
}

/* Whether the outer loops step through neighbours, and those of a part down to `last` do not. */
static bool belongs_inside(const distribution *w, node *part, const node *last) {
    bool found = false;
    for (int k = 0; k < w->outers; k++)
        found = found || steps_through(w->x->p, part, loop_at(w->x, w->outer[k])->variable, false);
    for (const node *n = part; found; n = sole_statement(n->child[3])) {
        if (steps_through(w->x->p, part, loop_at(w->x, n)->variable, false)) return false;
        if (n == last) return true;
    }
    return false;
}

/* ---- The new loops */

/* The outer loops around a body, whose tokens they have. */
static node *around(const distribution *w, node *body) {
    for (int k = w->outers - 1; k >= 0; k--) {
        node *loop = ast_new(w->x->p->memory, N_FOR, body->first, body->last, 0, NULL);
        loop->made = true;
        for (int c = 0; c < 3; c++) {
            const node *head = w->outer[k]->child[c];
            ast_add(w->x->p->memory, loop, head ? clone_reached(w->x->p, head) : NULL);
        }
        body = ast_add(w->x->p->memory, loop, body);
    }
    return body;
}

static node *distributed_part(const distribution *w, node *part) {
    node *last = divided_loop(w->x, part), *copy = clone_reached(w->x->p, part), *at = copy;
    if (!last || !belongs_inside(w, part, last)) return around(w, copy);
    for (const node *n = part; n != last; n = sole_statement(n->child[3])) at = sole_statement(at->child[3]);
    at->child[3] = around(w, at->child[3]);
    return copy;
}

/* The parts in a block: the tokens of each begin behind the one before. */
static node *new_loops(const distribution *w) {
    const node *root = w->x->root;
    node *block = ast_new(w->x->p->memory, N_COMPOUND, root->first, root->last, 0, NULL);
    token_index first = root->first;
    block->made = true;
    for (int k = 0; k < w->parts; k++) {
        node *n = distributed_part(w, w->part[k]);
        n->first = first;
        n->last = k + 1 < w->parts ? w->part[k]->last : root->last;
        first = n->last + 1;
        ast_add(w->x->p->memory, block, n);
    }
    ast_link(block);
    return block;
}

bool take_by(const nest *x, nest *part, node *root, bool (*take)(nest *)) {
    *part = (nest){.p = x->p, .passing = arena_new(), .root = root, .operations = x->operations, .is_part = x->is_part};
    const bool taken = take(part);
    arena_free(part->passing);
    return taken;
}

/* Whether all parts are foralls, pipelines, or loops whose iterations are independent. Their directives come before
 * them. */
static bool take_parts(const distribution *w, const node *block) {
    nest *x = arena_alloc(w->x->p->memory, sizeof *x);
    node *part[MOST_PARTS];
    memcpy(part, block->child, (size_t)w->parts * sizeof *part);
    for (int k = 0; k < w->parts; k++)
        if (!take_by(w->x, x, part[k], take_foralls) && !take_by(w->x, x, part[k], take_pipeline)) return false;
    return true;
}

/* What was said of each, and where its loops come from. */
static void note_proof(const distribution *w, const node *block) {
    arena *a = w->x->p->memory;
    text names;
    text_start(&names, a);
    for (int k = 0; k < w->outers; k++)
        text_format(&names, "%s%s", k ? " and " : "", loop_at(w->x, w->outer[k])->variable->name);
    for (size_t k = 0; k < block->count; k++) {
        const node *n = block->child[k];
        const char *words = table_at(&w->x->p->proved, n), *from = text_of(&names);
        if (!words) continue;
        if (w->parts > 1)
            words = arena_format(a, "%s; iterations of %s are independent: distributed over the %d statements in it",
                                 words, from, w->parts);
        else
            words =
                arena_format(a, "%s; iterations of %s are independent: interchanged with the loop in it", words, from);
        table_put(a, &w->x->p->proved, n, (void *)words);
    }
}

/* Whether each part may be executed for all iterations of the outer loops before the next one is, and some part waits
 * where it steps through a divided dimension. */
static bool may_be_distributed_over(const distribution *w) {
    int loops = 0;
    for (int k = 0; k < w->parts; k++) {
        if (w->part[k]->kind != N_FOR) continue;
        const node *last = divided_loop(w->x, w->part[k]);
        if (!last || !may_be_interchanged(w, w->part[k], last)) return false;
        if (w->parts == 1 && !belongs_inside(w, w->part[k], last)) return false;
        loops++;
    }
    return loops > 0 && are_independent(w);
}

bool take_distributed(nest *x) {
    distribution w = {.x = x};
    x->in_order = true;
    read_nest(x);
    if (x->reason || !x->distributed || x->stores_memory || !find_loops(&w) || !scalars_stay(&w)) return false;
    if (!may_be_distributed_over(&w)) return false;
    node *block = new_loops(&w), *root = x->root;
    replace_node(root, block);
    if (!take_parts(&w, block)) {
        replace_node(block, root);
        return false;
    }
    for (int k = 0; k < x->loops; k++) note_unused_outside(x->p, block, x->loop[k]->variable);
    note_proof(&w, block);
    if (block->parent->kind == N_COMPOUND) replace_by_several(x->p->memory, block, block->child, (int)block->count);
    return true;
}

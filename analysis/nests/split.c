/* Pass "nests": a loop whose iterations read a row that one of them stores, as that of a pivot:
 *
 *     for (int i = 0; i < n; i++)                          for (int i = 0; i < k; i++) ...
 *         for (int j = 0; j < n; j++)                      for (int i = k; i <= k; i++) ...   the pivot's row
 *             D[i][j] = min(D[i][j], D[i][k] + D[k][j]);   for (int i = k + 1; i < n; i++) ...
 *
 * As it is written, the iterations behind k wait for that of k, and those before it must not see what it stores.  Index
 * set splitting makes three loops of it: in each the iterations are independent where isl proves it (Allen and Kennedy,
 * Optimizing Compilers for Modern Architectures, section 5.8).  k is the variable of a loop around, between the bounds
 * of the loop that is split.  Where columns are divided, too, the loop over j is split in the same way in each part,
 * and the part distributed over the three: its iterations of i do nothing for one another. */
#include <stdlib.h>
#include <string.h>

#include "nests.h"

enum { SPLIT_PARTS = 3 };

typedef struct {
    nest *x;
    const nest_loop *loop;   /* that is split */
    const symbol *at;        /* where it is split */
    const node *name;        /* which names that */
    const node *around;      /* the loop whose variable it is, */
    const char *around_name; /* as that is called */
    node *root;              /* what is copied */
    bool inside;             /* the loop in it is split, not the outermost */
    const char *owners;      /* the condition under which the parts are parallel; NULL: none */
} splitting;

/* ---- Where */

/* The loop around the nest whose variable s is; NULL: none that keeps it. */
static const node *loop_of_variable(const node *root, const symbol *s) {
    counting_loop c;
    for (const node *n = root->parent; n && n->kind != N_FUNCTION_DEFINITION; n = n->parent)
        if (n->kind == N_FOR && counting_loop_of(n, &c) && c.variable == s)
            return llabs(c.step) == 1 && counts_undisturbed(n, &c) ? n : NULL;
    return NULL;
}

/* Whether a name has one value in a loop, whatever that calls. */
static bool keeps_value_in(const node *loop, const symbol *s) {
    if (!s || s->kind != SYMBOL_VARIABLE || s->file_scope || s->is_static || is_address_taken(s)) return false;
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(loop, s->assignment[k])) return false;
    return true;
}

/* Whether a is at most b: they differ by a constant, and what they name has one value in the loop. */
static bool at_most(const splitting *w, const linear *a, const linear *b) {
    const linear between = linear_subtract(w->x->p->memory, *b, *a);
    for (int t = 0; t < a->terms; t++) {
        const node *atom = a->term[t].node;
        while (atom && atom->kind == N_PAREN) atom = atom->child[0];
        if (!atom || atom->kind != N_NAME || !keeps_value_in(w->around, atom->symbol)) return false;
    }
    return linear_is_constant(&between) && between.constant >= 0;
}

static linear form_of(const splitting *w, const node *n, int64_t more) {
    linear x = linear_of(w->x->p->memory, w->x->p->source, n);
    x.constant += more;
    return x;
}

/* Whether the loop runs over each value of the variable that it is split at. */
static bool lies_between(const splitting *w) {
    counting_loop c;
    if (!counting_loop_of(w->around, &c)) return false;
    const linear begin = form_of(w, c.first, 0), end = form_of(w, c.limit, c.inclusive ? 0 : -c.step);
    const linear least = c.step > 0 ? begin : end, greatest = c.step > 0 ? end : begin;
    const linear first = form_of(w, w->loop->lower, w->loop->lower_more);
    const linear last = form_of(w, w->loop->upper, w->loop->upper_more);
    return at_most(w, &first, &least) && at_most(w, &greatest, &last);
}

/* Variables of the nest's loops and of those around it. */
static bool mentions_counter(const void *context, const node *n) {
    const nest *x = context;
    counting_loop c;
    for (int k = 0; k < x->loops; k++)
        if (mentions_symbol(n, x->loop[k]->variable)) return true;
    for (const node *m = x->root->parent; m && m->kind != N_FUNCTION_DEFINITION; m = m->parent)
        if (m->kind == N_FOR && counting_loop_of(m, &c) && mentions_symbol(n, c.variable)) return true;
    return false;
}

static bool keeps_value(const void *context, const node *n) {
    return !mentions_counter(context, n) && has_one_value(context, n);
}

/* The name that is subscript n of an array, or that counts the rows in n, where a matrix stands in an array of one
 * dimension; NULL: it is neither. */
static const node *name_of_row(const nest *x, const array *a, node *n) {
    const flat_reader r = {x->p->memory, x->p->source, mentions_counter, keeps_value, x, true};
    flat_widths widths;
    linear part[MOST_WIDTHS + 1];
    n = inside_parentheses(n);
    if (a->rank == 1 && n->kind != N_NAME && read_widths(&r, n, &widths) && split_by_widths(&r, n, &widths, part)) {
        const linear *row = &part[widths.count];
        if (row->terms != 1 || row->constant != 0 || row->term[0].coefficient != 1 || !row->term[0].node) return NULL;
        n = inside_parentheses((node *)row->term[0].node);
    }
    return n->kind == N_NAME && n->symbol ? n : NULL;
}

/* Looks for what is read at one value of the dimension along which the loop steps, of an array that is stored. */
static bool find_place(splitting *w) {
    const nest *x = w->x;
    node *name, *subscripts[MAX_RANK];
    int count;
    for (size_t k = 0; k < x->accesses; k++) {
        const nest_access *a = &x->access[k];
        if (a->writes || !a->array || !a->array->array || !index_chain(a->chain, &name, subscripts, &count)) continue;
        for (int d = next_distributed(a->array->array, 0); d < count; d = next_distributed(a->array->array, d + 1)) {
            const node *n = name_of_row(x, a->array->array, subscripts[d]);
            if (!n || !(w->around = loop_of_variable(x->root, n->symbol))) continue;
            w->at = n->symbol;
            w->name = n;
            if (n->symbol->type->element == w->loop->variable->type->element && lies_between(w)) return true;
        }
    }
    return false;
}

/* ---- The loops */

/* The loop that is split, in a copy of the loops around it. */
static node *split_loop(const splitting *w, node *outer) {
    return w->inside ? sole_statement(outer->child[3]) : outer;
}

static node *place(const splitting *w) {
    return clone_reached(w->x->p, w->name);
}

/* In the place of another part of the loop's head, whose tokens it gets: it may be printed as a loop after all. */
static void put_made(node **old, node *n) {
    n->first = (*old)->first;
    n->last = (*old)->last;
    *old = n;
}

/* Where the head of a loop has the first value of its variable. */
static node **first_value(node *loop) {
    node *start = loop->child[0];
    return &(start->kind == N_DECLARATION ? start->child[1] : start)->child[1];
}

static void end_at(const splitting *w, node *loop, const char *op) {
    node *limit = clone_reached(w->x->p, loop->child[1]->child[0]);
    put_made(&loop->child[1], binary_node(w->x, op, ELEMENT_INT, limit, place(w), limit->first));
}

/* What stands in a copy where n stands in the original; else n. */
static node *counterpart(node *from, node *to, node *n) {
    if (from == n) return to;
    for (size_t c = 0; c < from->count; c++) {
        node *found = from->child[c] ? counterpart(from->child[c], to->child[c], n) : n;
        if (found != n) return found;
    }
    return n;
}

static void rename_declared(node *n, const symbol *from, symbol *to) {
    if (n->kind == N_DECL_NAME && n->symbol == from) n->symbol = to;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) rename_declared(n->child[c], from, to);
}

static symbol *copy_of_symbol(const splitting *w, const symbol *s, node *root) {
    arena *a = w->x->p->memory;
    node *from = w->root;
    symbol *own = arena_alloc(a, sizeof *own);
    *own = *s;
    own->assignment = arena_alloc(a, (s->assignments + 1) * sizeof *own->assignment);
    own->assignment_capacity = s->assignments;
    for (size_t k = 0; k < s->assignments; k++) own->assignment[k] = counterpart(from, root, s->assignment[k]);
    own->declarator = counterpart(from, root, s->declarator);
    if (s->declaration) own->declaration = counterpart(from, root, s->declaration);
    if (s->scope) own->scope = counterpart(from, root, s->scope);
    return own;
}

/* The variables that n declares, in the original, are the copy's own there. */
static void own_variables(const splitting *w, const node *n, node *root) {
    if (n->kind == N_DECL_NAME && n->symbol) {
        symbol *own = copy_of_symbol(w, n->symbol, root);
        rename_declared(root, n->symbol, own);
        rename_symbol(root, n->symbol, own);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) own_variables(w, n->child[c], root);
}

/* Whether the nest stores elements of an array that have the loop's variable as their subscript d. */
static bool steps_along(const splitting *w, const symbol *s, int d) {
    node *name, *subscripts[MAX_RANK];
    int count;
    for (size_t k = 0; k < w->x->accesses; k++) {
        const nest_access *a = &w->x->access[k];
        if (!a->writes || a->array != s || !index_chain(a->chain, &name, subscripts, &count) || d >= count) continue;
        const node *n = inside_parentheses(subscripts[d]);
        if (n->kind == N_NAME && n->symbol == w->loop->variable) return true;
    }
    return false;
}

/* In a loop of one iteration the place's name is another one of its variable: there, elements are where those are that
 * it stores. Not in bounds of inner loops, which have one value, and not of arrays that may be divided otherwise, of
 * which one part comes before the loop. */
static void name_subscripts(const splitting *w, node *n, symbol *variable) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (n->kind == N_INDEX && index_chain(n, &name, subscripts, &count) && name->symbol)
        for (int d = 0; d < count; d++)
            if (steps_along(w, name->symbol, d)) rename_symbol(subscripts[d], w->at, variable);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_subscripts(w, n->child[c], variable);
}

static void name_place(const splitting *w, node *loop) {
    counting_loop c;
    symbol *own = arena_alloc(w->x->p->memory, sizeof *own);
    if (!counting_loop_of(loop, &c)) return;
    *own = *c.variable;
    own->spelling = own->name;
    rename_declared(loop, c.variable, own);
    rename_symbol(loop, c.variable, own);
    name_subscripts(w, loop->child[3], own);
}

static node *new_loops(const splitting *w) {
    const node *root = w->root;
    arena *a = w->x->p->memory;
    node *block = ast_new(a, N_COMPOUND, root->first, root->last, 0, NULL), *part[SPLIT_PARTS];
    block->made = true;
    for (int k = 0; k < SPLIT_PARTS; k++) {
        part[k] = clone_reached(w->x->p, root);
        own_variables(w, root, part[k]);
        ast_add(a, block, part[k]);
    }
    for (int k = 0; k < SPLIT_PARTS; k++) part[k] = split_loop(w, part[k]);
    end_at(w, part[0], "<");
    name_place(w, part[1]);
    node **first = first_value(part[1]);
    node *only = ast_new(a, N_PAREN, (*first)->first, (*first)->last, 0, NULL);
    only->made = true;
    only->type = w->at->type;
    put_made(first, ast_add(a, only, place(w)));
    end_at(w, part[1], "<=");
    first = first_value(part[2]);
    node *one = number_node(w->x, 1, (*first)->first);
    one->made = true;
    put_made(first, binary_node(w->x, "+", w->at->type->element, place(w), one, (*first)->first));
    ast_link(block);
    return block;
}

/* ---- The parts */

static void add_proof(const splitting *w, const node *n) {
    const char *words = table_at(&w->x->p->proved, n);
    if (words)
        table_put(w->x->p->memory, &w->x->p->proved, n,
                  arena_format(w->x->p->memory, "%s; the loop over %s is split at %s", words, w->loop->variable->name,
                               w->around_name));
}

static bool is_plain(const nest_loop *l) {
    return l && l->step == 1 && !l->down && !l->ragged && !l->added;
}

/* Whether the iterations of a part's outer loop do nothing for one another, and the loop in it can be split, too. */
static bool find_inner(splitting *w, nest *x) {
    nest_distances found;
    const node *inner = sole_statement(w->root->child[3]);
    x->in_order = true;
    read_nest(x);
    w->loop = inner->kind == N_FOR && !x->reason ? loop_at(x, inner) : NULL;
    return is_plain(w->loop) && w->loop->variable->type->element == w->at->type->element && lies_between(w) &&
           find_distances(x, 1, &found) && !found.forward[0] && !found.backward[0];
}

/* Splits the loop in a part, which is replaced by three; false: they are not parallel. */
static bool split_inside(const splitting *outer, node *part) {
    program *p = outer->x->p;
    nest *x = arena_alloc(p->memory, sizeof *x), *one = arena_alloc(p->memory, sizeof *one);
    *x = (nest){.p = p, .passing = arena_new(), .root = part, .operations = outer->x->operations, .is_part = true};
    splitting w = {x, NULL, outer->at, outer->name, outer->around, outer->around_name, part, true, NULL};
    node *child[SPLIT_PARTS];
    bool taken = false;
    if (find_inner(&w, x)) {
        node *block = new_loops(&w);
        memcpy(child, block->child, sizeof child);
        replace_node(part, block);
        taken = true;
        for (int k = 0; k < SPLIT_PARTS && taken; k++) taken = take_by(x, one, child[k], take_foralls);
        for (size_t k = 0; k < block->count && taken; k++) add_proof(&w, block->child[k]);
        if (taken)
            replace_by_several(p->memory, block, block->child, (int)block->count);
        else
            replace_node(block, part);
    }
    arena_free(x->passing);
    return taken;
}

/* Whether each is parallel, under a condition. Their directives come before them. */
static bool take_parts(splitting *w, const node *block) {
    arena *a = w->x->p->memory;
    nest *x = arena_alloc(a, sizeof *x);
    node *part[SPLIT_PARTS];
    memcpy(part, block->child, sizeof part);
    for (int k = 0; k < SPLIT_PARTS; k++) {
        if (take_by(w->x, x, part[k], take_foralls) || take_by(w->x, x, part[k], take_pipeline)) {
            if (x->owners) w->owners = w->owners ? arena_format(a, "%s && %s", w->owners, x->owners) : x->owners;
        } else if (!split_inside(w, part[k])) {
            return false;
        }
    }
    return true;
}

/* Whether nothing but elements is left to others. */
static bool keeps_scalars(const nest *x) {
    for (int k = 0; k < x->statements; k++)
        if (x->statement[k].kind == STATEMENT_SCALAR) return false;
    for (int k = 0; k < x->privates; k++)
        if (!x->private[k].declared) return false;
    return true;
}

static bool may_be_split(const nest *x) {
    return keeps_scalars(x) && !x->reason && x->distributed && !x->stores_memory && x->loops > 0 && loop_at(x, x->root);
}

bool take_split(nest *x) {
    splitting w = {.x = x, .root = x->root};
    x->in_order = x->is_part = true;
    read_nest(x);
    if (!may_be_split(x)) return false;
    w.loop = loop_at(x, x->root);
    if (!is_plain(w.loop) || !find_place(&w)) return false;
    w.around_name = w.at->name;
    node *block = new_loops(&w), *root = x->root;
    replace_node(root, block);
    if (!take_parts(&w, block)) {
        replace_node(block, root);
        return false;
    }
    for (size_t k = 0; k < block->count; k++) add_proof(&w, block->child[k]);
    if (w.owners)
        divide_by_owners(x->p, block, root, w.owners);
    else
        for (int k = 0; k < x->loops; k++) note_unused_outside(x->p, block, x->loop[k]->variable);
    return true;
}

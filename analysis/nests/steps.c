/* Pass "nests": foralls whose subscripts have steps or distances that are variables:
 *
 *     forall (u = 1:n-1) y[o+s*u] = x[o+s*u-s];
 *     forall (i = 1:n-2, j = 1:n-2) A[i][j] = B[i+di][j+dj];
 *
 * Steps are 1 or -1 and distances short in most programs: the statement is compiled for each combination of such steps,
 * as if they were constants, with ghost cells on both sides for distances, and once for any others. */
#include <string.h>

#include "../model/knowledge.h"
#include "../model/types.h"
#include "nests.h"

enum { MOST_STEPS = 2, MOST_DISTANCES = 3 };

typedef struct {
    program *p;
    node *root;
    const symbol *step[MOST_STEPS], *distance[MOST_DISTANCES];
    int steps, distances;
    bool too_many;
} search;

/* ---- Which variables */

bool is_a_length(const node *n, const symbol *s) {
    const array *a = n->kind == N_NAME && n->symbol ? n->symbol->array : NULL;
    const bool range = n->kind == N_FORALL_INDEX || n->kind == N_TRIPLET || n->kind == N_RANGE;
    if (a && a->symbol->declarator && mentions_symbol(a->symbol->declarator, s)) return true;
    if (range && mentions_symbol(n, s)) return true;
    if (n->kind == N_FOR && n->child[1] && mentions_symbol(n->child[1], s)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_a_length(n->child[c], s)) return true;
    return false;
}

static bool mentions_an_index(const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_INDEX) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_an_index(n->child[c])) return true;
    return false;
}

/* Whether an index is that of a matrix, whose rows are long. */
static bool goes_over_rows(const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->rows) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && goes_over_rows(n->child[c])) return true;
    return false;
}

/* A variable that has one value while the statement is executed, which may be any. */
static const symbol *unknown_variable(const search *w, const node *n) {
    n = inside_parentheses((node *)n);
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    int64_t least, most;
    if (!s || s->kind != SYMBOL_VARIABLE || !is_signed_integer(s) || s->array || node_holds(w->root, s->declarator))
        return NULL;
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(w->root, s->assignment[k])) return NULL;
    knowledge at = knowledge_at(w->p, &(parallel){0}, w->root);
    const linear x = linear_of(w->p->memory, w->p->source, n);
    return is_settled(&at, &x, at.loops) && find_extremes(&at, &x, &least, &most) ? NULL : s;
}

static void add_variable(search *w, const symbol **list, int *count, int most, const symbol *s) {
    for (int k = 0; k < *count; k++)
        if (list[k] == s) return;
    w->too_many = w->too_many || *count == most;
    if (!w->too_many) list[(*count)++] = s;
}

/* Whether a range steps by what the variable is in, which -1 may make 0. */
static bool strides_by(const node *n, const symbol *s) {
    const node *stride = n->kind == N_FORALL_INDEX || n->kind == N_TRIPLET || n->kind == N_RANGE
                             ? (n->count > 2 ? n->child[2] : NULL)
                             : NULL;
    if (stride && mentions_symbol(stride, s)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && strides_by(n->child[c], s)) return true;
    return false;
}

static int count_indices(const node *n) {
    int count = n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_INDEX;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) count += count_indices(n->child[c]);
    return count;
}

/* What indices are multiplied by. */
static void find_steps(search *w, const node *n) {
    for (int k = 0; n->kind == N_BINARY && !strcmp(n->op, "*") && k < 2; k++) {
        const symbol *s = mentions_an_index(n->child[1 - k]) ? unknown_variable(w, n->child[k]) : NULL;
        if (s && !strides_by(w->root, s) && !is_a_length(w->root, s))
            add_variable(w, w->step, &w->steps, MOST_STEPS, s);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_steps(w, n->child[c]);
}

/* Of a subscript; i*s + i would be 0 where s is -1. */
static void find_steps_of(search *w, const node *n) {
    if (count_indices(n) == 1) find_steps(w, n);
}

static int64_t factor_of(const linear *x, const symbol *s) {
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].node && x->term[t].node->kind == N_NAME && x->term[t].node->symbol == s)
            return x->term[t].coefficient;
    return 0;
}

static bool is_known_step(const search *w, const symbol *s) {
    for (int k = 0; k < w->steps; k++)
        if (w->step[k] == s) return true;
    return false;
}

/* What is added to an index in a subscript otherwise than on the left side. */
static void find_distances_between(search *w, const node *at, const node *at_home) {
    arena *a = w->p->memory;
    const linear x = linear_of(a, w->p->source, at), y = linear_of(a, w->p->source, at_home);
    if (!mentions_an_index(at) || goes_over_rows(at)) return;
    for (int t = 0; t < x.terms; t++) {
        const node *n = x.term[t].node;
        const symbol *s = n ? unknown_variable(w, n) : NULL;
        if (s && !is_known_step(w, s) && factor_of(&x, s) != factor_of(&y, s))
            add_variable(w, w->distance, &w->distances, MOST_DISTANCES, s);
    }
}

static const array *array_at_chain(const node *chain, node *subscripts[MAX_RANK]) {
    const array *a = chain->kind == N_INDEX ? distributed_reference((node *)chain) : NULL;
    node *name;
    int count;
    if (!a || first_section((node *)chain) || !index_chain((node *)chain, &name, subscripts, &count)) return NULL;
    return count == a->rank ? a : NULL;
}

/* One assignment's left side, and the references in n, which is read. */
static void find_in(search *w, const array *home, node *const *left, const node *n) {
    node *subscripts[MAX_RANK];
    const array *a = array_at_chain(n, subscripts);
    if (a && lie_alike(w->p, home, a)) {
        int e = next_distributed(a, 0);
        for (int d = next_distributed(home, 0); d < home->rank; d = next_distributed(home, d + 1)) {
            find_steps_of(w, subscripts[e]);
            find_distances_between(w, subscripts[e], left[d]);
            e = next_distributed(a, e + 1);
        }
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_in(w, home, left, n->child[c]);
}

static void find_assignments(search *w, const node *n) {
    node *left[MAX_RANK];
    const array *home = n->kind == N_ASSIGN ? array_at_chain(inside_parentheses(n->child[0]), left) : NULL;
    if (home && lie_alike(w->p, home, home)) {
        for (int d = next_distributed(home, 0); d < home->rank; d = next_distributed(home, d + 1))
            find_steps_of(w, left[d]);
        find_in(w, home, left, n->child[1]);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_assignments(w, n->child[c]);
}

/* ---- Versions */

static void substitute(node *n, const symbol *s, symbol *value) {
    if (n->kind == N_NAME && n->symbol == s) n->symbol = value;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) substitute(n->child[c], s, value);
}

static symbol *step_with_value(const search *w, const symbol *s, bool down) {
    symbol *value = arena_alloc(w->p->memory, sizeof *value);
    *value = *s;
    value->kind = SYMBOL_ENUMERATOR;
    value->has_value = true;
    value->value = down ? -1 : 1;
    return value;
}

static symbol *short_distance(const search *w, const symbol *s) {
    symbol *value = arena_alloc(w->p->memory, sizeof *value);
    *value = *s;
    value->is_short = true;
    value->assignments = 0;
    value->file_scope = false;
    return value;
}

static node *copy_of_nest(const search *w) {
    node *block = ast_new(w->p->memory, N_COMPOUND, w->root->first, w->root->last, 0, NULL);
    node *copy = clone_reached(w->p, w->root);
    void *proof = table_at(&w->p->proved, w->root);
    if (proof) table_put(w->p->memory, &w->p->proved, copy, proof);
    return ast_add(w->p->memory, block, copy);
}

static node *version_of(const search *w, unsigned downs) {
    node *block = copy_of_nest(w);
    for (int k = 0; k < w->steps; k++)
        substitute(block->child[0], w->step[k], step_with_value(w, w->step[k], downs >> k & 1));
    for (int k = 0; k < w->distances; k++)
        substitute(block->child[0], w->distance[k], short_distance(w, w->distance[k]));
    return block;
}

static const char *condition_of(const search *w, unsigned downs) {
    const char *between = "";
    text out;
    text_start(&out, w->p->memory);
    for (int k = 0; k < w->steps; k++, between = " && ")
        text_format(&out, "%s%s == %d", between, w->step[k]->name, downs >> k & 1 ? -1 : 1);
    for (int k = 0; k < w->distances; k++, between = " && ")
        text_format(&out, "%s%s >= -1 && %s <= 1", between, w->distance[k]->name, w->distance[k]->name);
    return text_of(&out);
}

static const char *words_of_others(const search *w) {
    return w->steps == 0 ? "any other distance" : w->distances == 0 ? "any other step" : "any other step or distance";
}

static void make_step_versions(const search *w) {
    arena *a = w->p->memory;
    node *n = ast_new(a, N_VERSIONS, w->root->first, w->root->last, 0, NULL), *above = w->root->parent;
    versions *v = arena_alloc(a, sizeof *v);
    const unsigned count = 1u << w->steps;
    v->count = count + 1;
    v->condition = arena_alloc(a, v->count * sizeof *v->condition);
    for (unsigned k = 0; k < count; k++) {
        ast_add(a, n, version_of(w, k));
        v->condition[k] = condition_of(w, k);
    }
    ast_add(a, n, copy_of_nest(w));
    v->condition[count] = words_of_others(w);
    ast_link(n);
    for (size_t c = 0; c < above->count; c++)
        if (above->child[c] == w->root) above->child[c] = n;
    n->parent = above;
    table_put(a, &w->p->versions_at, n, v);
}

void divide_by_steps(program *p, node *n) {
    for (size_t c = 0; c < n->count; c++) {
        node *child = n->child[c];
        if (!child || child->kind == N_VERSIONS) continue;
        if (child->kind != N_FORALL) {
            divide_by_steps(p, child);
            continue;
        }
        search w = {.p = p, .root = child};
        find_assignments(&w, child);
        if (!w.too_many && w.steps + w.distances > 0) make_step_versions(&w);
    }
}

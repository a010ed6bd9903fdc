/* Pass "nests": the loops and the arrays of a nest that may be a pipeline, and where its accesses stand beside home. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pipelines.h"

const array *array_accessed(const pipeline *w, const nest_access *a) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (a->depth >= 0 || !a->array->array) return NULL;
    index_chain(a->chain, &name, subscripts, &count);
    return array_at(w->x->p, name);
}

/* ---- The loops */

static bool bounds_are_fixed(const nest *x, int k) {
    for (int m = 0; m < k; m++)
        if (mentions_symbol(x->loop[k]->lower, x->loop[m]->variable) ||
            mentions_symbol(x->loop[k]->upper, x->loop[m]->variable))
            return false;
    return true;
}

/* Whether bounds that depend on variables of loops around are evaluated for each of their values. */
static bool bounds_may_vary(const nest *x, int k) {
    const nest_loop *l = x->loop[k];
    const symbol *v = l->variable;
    return may_vary_as_bound(l->lower) && may_vary_as_bound(l->upper) && !l->ragged && !x->bounds_read_memory &&
           v->declarator && node_holds(x->root, v->declarator);
}

int nested_loops(const nest *x, bool varying) {
    int k = 0;
    while (k < x->loops && k < MAX_RANK && !x->loop[k]->added &&
           (bounds_are_fixed(x, k) || (varying && bounds_may_vary(x, k)))) {
        const node *inside = sole_statement(x->loop[k++]->loop->child[3]);
        if (k == x->loops || x->loop[k]->loop != inside) break;
    }
    return k;
}

/* ---- The arrays */

/* Whether blocks of a written length are dealt round-robin, or each process has one. */
static bool has_blocks(const mapping *m, int d) {
    int64_t block;
    return !is_automatic(m, d) && (in_one_block(m, d) || (is_block_cyclic(m, d) && known_block(m, d, &block)));
}

bool lies_in_blocks(const array *a) {
    bool dealt = false, unequal = false; /* unknown: its mappings were followed, and this is one of them */
    if (a->dynamic || (a->redistributed && !a->origin->unknown) || a->inherits || (a->alignment && !a->plain))
        return false;
    for (int d = 0; d < a->rank; d++) {
        if (!may_be_distributed(a, d)) continue;
        if (!has_blocks(&a->mapping, d)) return false;
        dealt = dealt || is_block_cyclic(&a->mapping, d);
        unequal = unequal || block_sizes(&a->mapping, d);
    }
    return !dealt || !unequal;
}

bool lie_alike(const program *p, const array *a, const array *b) {
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    if (!lies_in_blocks(b) || a->mapping.grid != b->mapping.grid) return false;
    for (; d < a->rank && e < b->rank; d = next_distributed(a, d + 1), e = next_distributed(b, e + 1))
        if (!equal_formats(p, a, d, b, e)) return false;
    return d == a->rank && e == b->rank;
}

/* ---- Advice */

void advise(const pipeline *w, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    w->x->advice = arena_vformat(w->x->p->memory, pattern, arguments);
    va_end(arguments);
}

void advise_blocks(const pipeline *w, const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (may_be_distributed(a, d) && !in_one_block(&a->mapping, d))
            advise(w,
                   "with 'block' for dimension %d of '%s' the processes could execute the loop one after the other, "
                   "each its block",
                   d + 1, a->symbol->name);
    if (a->redistributed)
        advise(w,
               "if one mapping of '%s' reached it, in blocks, the processes could execute the loop one after the "
               "other, each its block",
               a->symbol->name);
}

/* ---- Subscripts */

linear linear_of_subscript(const program *p, arena *a, const node *n) {
    int64_t value;
    n = inside_parentheses((node *)n);
    const bool sum = n->kind == N_BINARY && !n->op[1] && (n->op[0] == '+' || n->op[0] == '-');
    if (!sum || inside_parentheses(n->child[0])->kind != N_NAME || !constant_value(n->child[1], &value) ||
        value > INT32_MAX || value < 0)
        return linear_of(a, p->source, n);
    return linear_add(a, linear_of(a, p->source, n->child[0]), linear_constant(n->op[0] == '-' ? -value : value));
}

linear subscript_at(const pipeline *w, const nest_access *a, int d) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(a->chain, &name, subscripts, &count);
    if (d >= count) return linear_constant(0); /* of a row */
    return linear_of_subscript(w->x->p, w->x->p->memory, subscripts[d]);
}

int loop_of_subscript(const pipeline *w, const nest_access *a, int d) {
    const linear u = subscript_at(w, a, d);
    if (u.terms != 1 || u.term[0].coefficient != 1 || !u.term[0].node) return -1;
    const node *of = inside_parentheses((node *)u.term[0].node);
    for (int k = 0; of->kind == N_NAME && k < w->loops; k++)
        if (of->symbol == w->x->loop[k]->variable) return k;
    return -1;
}

bool uses_variable_of(const pipeline *w, const nest_access *a, int d, int loop) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(a->chain, &name, subscripts, &count);
    return d < count && mentions_symbol(subscripts[d], w->x->loop[loop]->variable);
}

/* How far x's element along d is from y's along e, counted from the arrays' lower bounds. */
static linear difference(const pipeline *w, const nest_access *x, int d, const nest_access *y, int e) {
    arena *a = w->x->p->memory;
    const linear more =
        linear_subtract(a, origin_of(w->x->p, array_accessed(w, y), e), origin_of(w->x->p, array_accessed(w, x), d));
    return linear_add(a, linear_subtract(a, subscript_at(w, x, d), subscript_at(w, y, e)), more);
}

bool find_distance_between(const pipeline *w, const nest_access *x, int d, const nest_access *y, int e,
                           int64_t *distance) {
    const linear between = difference(w, x, d, y, e);
    *distance = between.constant;
    return linear_is_constant(&between) && llabs(between.constant) <= MOST_DISTANCE;
}

bool stores_into(const pipeline *w, const array *a) {
    for (size_t k = 0; k < w->x->accesses; k++)
        if (w->x->access[k].writes && array_accessed(w, &w->x->access[k]) == a) return true;
    return false;
}

/* Whether ghost cells around blocks that are dealt round-robin hold what stands so far away. */
static bool fits_block(const pipeline *w, const array *a, int d, int64_t distance) {
    int64_t block;
    if (!is_block_cyclic(&a->mapping, d) || !known_block(&a->mapping, d, &block) || llabs(distance) <= block)
        return true;
    advise(w,
           "with blocks of %lld elements or more for dimension %d of '%s' the processes could execute the loop one "
           "after the other, each its blocks",
           (long long)llabs(distance), d + 1, a->symbol->name);
    return false;
}

bool stands_near_home(const pipeline *w, const nest_access *x, bool *before) {
    const array *home = array_accessed(w, w->home), *a = array_accessed(w, x);
    bool behind = false, ahead = false;
    int e = next_distributed(a, 0);
    for (int d = next_distributed(home, 0); d < home->rank; d = next_distributed(home, d + 1)) {
        int64_t distance;
        if (loop_of_subscript(w, x, e) != w->divided[d] || !find_distance_between(w, x, e, w->home, d, &distance))
            return false;
        if (((x->writes || x->row) && distance != 0) || !fits_block(w, a, e, distance)) return false;
        const bool down = w->x->loop[w->divided[d]]->down;
        behind = behind || (distance != 0 && (distance < 0) != down);
        ahead = ahead || (distance != 0 && (distance < 0) == down);
        e = next_distributed(a, e + 1);
    }
    *before = behind && stores_into(w, a);
    return !(*before && ahead);
}

/* The least and the greatest value that the variable of an inner loop has where x stands; false: they are not known. */
static bool find_inner_range(const pipeline *w, const nest_access *x, const node *name, int64_t *least, int64_t *most) {
    for (int k = w->loops; name && name->kind == N_NAME && k < w->x->loops; k++) {
        const nest_loop *l = w->x->loop[k];
        if (l->variable != name->symbol || !node_holds(l->loop->child[3], x->chain)) continue;
        if (!constant_value(l->lower, least) || !constant_value(l->upper, most)) return false;
        *least += l->lower_more;
        *most += l->upper_more;
        return llabs(*least) <= MOST_DISTANCE && llabs(*most) <= MOST_DISTANCE;
    }
    return false;
}

/* The same of a sum of such variables. */
static bool find_inner_extremes(const pipeline *w, const nest_access *x, const linear *sum, int64_t *low,
                                int64_t *high) {
    *low = *high = sum->constant;
    for (int t = 0; t < sum->terms; t++) {
        const int64_t factor = sum->term[t].coefficient;
        int64_t least, most;
        if (llabs(factor) > MOST_DISTANCE || !sum->term[t].node ||
            !find_inner_range(w, x, inside_parentheses((node *)sum->term[t].node), &least, &most))
            return false;
        *low += factor * (factor > 0 ? least : most);
        *high += factor * (factor > 0 ? most : least);
    }
    return llabs(*low) <= MOST_DISTANCE && llabs(*high) <= MOST_DISTANCE;
}

bool stands_around_home(const pipeline *w, const nest_access *x) {
    const array *home = array_accessed(w, w->home), *a = array_accessed(w, x);
    int e = next_distributed(a, 0);
    if (x->writes || x->row || stores_into(w, a) || !lie_alike(w->x->p, home, a)) return false;
    for (int d = next_distributed(home, 0); d < home->rank; d = next_distributed(home, d + 1)) {
        int64_t low, high;
        const linear between = difference(w, x, e, w->home, d);
        if (!find_inner_extremes(w, x, &between, &low, &high)) return false;
        if (!fits_block(w, a, e, low) || !fits_block(w, a, e, high)) return false;
        e = next_distributed(a, e + 1);
    }
    return true;
}

/* Pass "results": a reduction for each element, y[j] = sum(i, A[i][j] * x[i]), whose operand A is divided along the
 * reduction's own index i.  Executed by the owner of y[j] it would need all of A; so the owners of A reduce what they
 * have, a result for each j, and the owner of y[j] combines the processes' results, one for each. */
#include <stdlib.h>

#include "place.h"

/* The dimension that index k subscripts by itself, -1: none, or several. */
static int own_dimension(const reference *r, int k) {
    int found = -1;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL) return -1;
        if (u->kind != SUBSCRIPT_AFFINE || u->index != k) continue;
        if (found >= 0) return -1;
        found = d;
    }
    return found;
}

/* ---- Which statements */

static bool is_plain_statement(const parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->placed.home != HOME_LEFT || !s->left.array || s->placed.scatter)
        return false;
    if (s->placed.clip || s->masks > 0 || s->ends > 0 || s->calls_unknown || s->reductions != 1) return false;
    return s->value->kind != N_LET && !s->left.array->dynamic;
}

static bool is_plain_reduction(const reduction *r) {
    return !r->mask && !r->best && !r->in_place && r->statement_mask < 0 && r->type && r->type->kind == TYPE_ARITHMETIC;
}

/* The statement's own indices stand before the reduction's. */
static int own_indices(const parallel *s) {
    int own = 0;
    while (own < s->indices && s->index[own].reduction < 0) own++;
    for (int k = own; k < s->indices; k++)
        if (s->index[k].reduction != 0) return 0;
    return own;
}

/* What the reduction reads: nothing that is read only under a condition, or found at run time. */
static bool has_plain_operands(const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->reduction < 0) continue;
        if (r->guarded || r->cycles > 0 || r->mask >= 0) return false;
        for (int d = 0; d < r->rank; d++)
            if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
    }
    return true;
}

/* Whether r has every index in a dimension of its own, and is divided along one of the reduction's. */
static bool is_divided_operand(const parallel *s, const reference *r, int own) {
    bool divided = false;
    if (r->reduction < 0 || !r->array || r->array->dynamic) return false;
    for (int k = 0; k < s->indices; k++) {
        const int d = own_dimension(r, k);
        if (d < 0) return false;
        divided = divided || (k >= own && may_be_distributed(r->array, d));
    }
    return divided && !may_have_copies(r->array);
}

/* The number of the operand whose owners reduce, or -1. */
static int divided_operand(const parallel *s) {
    const int own = own_indices(s);
    if (!is_plain_statement(s) || !is_plain_reduction(&s->reduction[0]) || own == 0 || !has_plain_operands(s))
        return -1;
    for (int k = 0; k < own; k++)
        if (own_dimension(&s->left, k) < 0) return -1;
    for (size_t k = 0; k < s->references; k++)
        if (is_divided_operand(s, &s->reference[k], own)) return (int)k;
    return -1;
}

/* --reproducible: each result in the order of the reduction's own indices, by one process; of 0.0 and -0.0 extremes
 * take the first. */
static bool is_formed_in_order(const program *p, const parallel *s) {
    return p->reproducible && s->reductions > 0 && is_floating(s->reduction[0].type);
}

/* ---- What becomes of them */

static void renumber(reference *r, const int *place) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE) r->subscript[d].index = place[r->subscript[d].index];
}

/* The loops take the operand's elements as they lie in memory. */
static void traverse_operand(parallel *s, const reference *operand) {
    loop_index old[MAX_RANK];
    int place[MAX_RANK], count = 0;
    for (int k = 0; k < s->indices; k++) old[k] = s->index[k], old[k].reduction = -1;
    for (int d = 0; d < operand->rank; d++) {
        const subscript *u = &operand->subscript[d];
        if (u->kind != SUBSCRIPT_AFFINE) continue;
        s->index[count] = old[u->index];
        place[u->index] = count++;
    }
    renumber(s->results, place);
    for (size_t k = 0; k < s->references; k++) renumber(&s->reference[k], place);
}

/* The reduction with the statement's indices, executed by the owners of its operand. */
static parallel *make_reduction(program *p, const parallel *s, int operand) {
    parallel *x = arena_alloc(p->memory, sizeof *x);
    *x = copy_of_statement(p->memory, s);
    x->kind = PARALLEL_REDUCTION;
    x->node = s->reduction[0].call;
    x->op = "";
    x->value = s->reduction[0].value;
    x->left = (reference){0};
    x->results = arena_alloc(p->memory, sizeof *x->results);
    *x->results = copy_of_reference(p->memory, &s->left);
    x->reference = NULL;
    x->references = x->reference_capacity = 0;
    for (size_t k = 0; k < s->references; k++) {
        if (s->reference[k].reduction < 0) continue;
        if ((int)k == operand) x->placed.home = (int)x->references;
        reference r = copy_of_reference(p->memory, &s->reference[k]);
        r.reduction = -1;
        vector_add(p->memory, x->reference, x->references, x->reference_capacity, r);
    }
    const reference home = x->reference[x->placed.home];
    const reference before = copy_of_reference(p->memory, &home);
    traverse_operand(x, &before);
    return x;
}

/* The statement without the reduction, whose results it finds. */
static void leave_results(parallel *s, parallel *reduced) {
    size_t kept = 0;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].reduction < 0) s->reference[kept++] = s->reference[k];
    s->references = kept;
    s->indices = own_indices(s);
    s->reductions = 0;
    s->conformities = 0;
    s->reduced = reduced;
}

/* What is evaluated behind statement number `executed` of the group has one more before it. */
static void delay_hoists(group *g, size_t executed) {
    for (size_t k = 0; k < g->hoisted.count; k++)
        if (g->hoisted.hoisted[k].after > executed) g->hoisted.hoisted[k].after++;
}

static void insert_action(program *p, group *g, size_t at, parallel *s) {
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){.mask = -1, .statement = s}));
    for (size_t k = g->actions - 1; k > at; k--) g->action[k] = g->action[k - 1];
    g->action[at] = (action){.mask = -1, .statement = s};
}

static void split_group(program *p, group *g) {
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        parallel *s = g->action[k].statement;
        if (g->action[k].mask >= 0) continue;
        const int operand = is_formed_in_order(p, s) ? -1 : divided_operand(s);
        if (operand >= 0) {
            parallel *x = make_reduction(p, s, operand);
            leave_results(s, x);
            insert_action(p, g, k++, x);
            delay_hoists(g, executed++);
        }
        executed++;
    }
}

void split_results(program *p) {
    if (p->serial) return;
    for (size_t g = 0; g < p->group_count; g++) split_group(p, p->groups[g]);
}

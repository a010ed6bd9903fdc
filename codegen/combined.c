/* How processes combine the results of reductions: where the statement that uses a result is evaluated by all of them,
 * or else behind the loops; those of one chain together. */
#include <string.h>

#include "spmd.h"

/* How the processes' results are combined. */
static const char *combination(const reduction *r) {
    return facts_of_operation(r->operation)->combination;
}

/* ---- Where it is used */

/* A reduction of the chain whose result can be combined with others; NULL: statement k is none. */
static const reduction *joined_reduction(const fusion *c, int k) {
    const parallel *s = c->statement[k];
    return s->kind == PARALLEL_REDUCTION && !s->reduction[0].exact ? &s->reduction[0] : NULL;
}

static int count_joined(const fusion *c) {
    int count = 0;
    for (int k = 0; k < c->count; k++) count += joined_reduction(c, k) != NULL;
    return count;
}

/* Whether a reduction is an operand of something that is computed in loops. */
static bool is_read_in_loops(const program *p, const node *call, const node *statement) {
    for (const node *up = call->parent; up != statement; up = up->parent)
        if (up->kind == N_FORALL || reduction_at(p, up)) return true;
    return false;
}

static bool is_inside(const node *n, const node *around) {
    while (n && n != around) n = n->parent;
    return n != NULL;
}

/* Whether nothing in n but what surrounds the reduction begins another statement, to which the collective would belong
 * (DPC_STATS). */
static bool begins_nothing(const node *n, const node *call) {
    const symbol *s = n->kind == N_CALL ? n->child[0]->symbol : n->symbol;
    if (n == call) return true;
    if (n->kind == N_NAME && s && s->array) return false;
    if (n->kind == N_CALL && !is_inside(call, n) && (!s || s->uses_distributed || s->calls_unknown)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !begins_nothing(n->child[c], call)) return false;
    return true;
}

/* The expression in which a statement uses what is computed before it. */
static const node *evaluated_part(const node *n) {
    return n->kind == N_IF || n->kind == N_SWITCH ? n->child[0] : n;
}

/* Whether it is the only reduction that is computed before the statement. */
static bool is_only_one(const emitter *e, const parallel *s) {
    parallel *const *first = table_at(&e->computed_before, s->combined.before);
    return *first == s && !e->computed_next[first - e->p->reductions];
}

/* Whether every process evaluates, at the end, the statement that a reduction is computed before: there the processes'
 * results are combined. */
static bool is_combined_in_use(const emitter *e, const parallel *s) {
    const node *n = s->combined.before;
    const reduction *r = &s->reduction[0];
    if (!n || n->made || s->combined.declares || !has_parts_of_processes(s) || e->p->check_all || r->best || r->exact ||
        r->canonical)
        return false;
    if (s->combined.chain && count_joined(s->combined.chain) > 1) return false;
    if (n->kind != N_EXPRESSION && n->kind != N_RETURN && n->kind != N_IF && n->kind != N_SWITCH) return false;
    return !group_at(e->p, n) && !owner_statement_at(e->p, n) && !is_read_in_loops(e->p, r->call, n) &&
           is_only_one(e, s) && begins_nothing(evaluated_part(n), r->call);
}

const char *reduction_result(const emitter *e, const parallel *s) {
    const reduction *r = &s->reduction[0];
    if (e->serial || !is_combined_in_use(e, s)) return r->name;
    return arena_format(e->memory, "dpc_combined(%s, %s)", combination(r), r->name);
}

/* ---- Behind the loops */

/* Declares the results of the chain's reductions, which the statements behind use. */
void start_chain(emitter *e, const parallel *s) {
    for (int k = 0; s->combined.chain && !is_joined(s) && k < s->combined.chain->count; k++)
        if (s->combined.chain->statement[k]->kind == PARALLEL_REDUCTION &&
            !s->combined.chain->statement[k]->combined.continues)
            emit_start(e, &s->combined.chain->statement[k]->reduction[0]);
}

static void emit_combination(emitter *e, const reduction *r) {
    if (r->exact)
        combine_exact(e, r->type->element, r->exact);
    else
        emit_line(e, "%s = dpc_combined(%s, %s);", r->name, combination(r), r->name);
}

static bool stores_elements(const fusion *c) {
    for (int k = 0; k < c->count; k++)
        if (c->statement[k]->kind == PARALLEL_ASSIGNMENT) return true;
    return false;
}

/* The copy of a result that is combined. */
static const char *combined_name(emitter *e, const reduction *r) {
    return fresh_name(e->p, arena_format(e->memory, "%s_all", r->name));
}

/* One collective for all results of one kind and type. Stores in the loops could change variables whose addresses are
 * known elsewhere: there copies are combined. */
static void combine_together(emitter *e, const fusion *c, int count) {
    const bool copied = stores_elements(c);
    text list;
    text_start(&list, e->memory);
    for (int k = 0; k < c->count; k++) {
        const reduction *r = joined_reduction(c, k);
        if (!r) continue;
        const char *x = copied ? combined_name(e, r) : r->name;
        text_format(&list, "%sDPC_RESULT(%s, %s)", list.length ? ", " : "", combination(r), x);
        if (copied) emit_line(e, "%s %s = %s;", reduction_ctype(r), x, r->name);
    }
    emit_line(e, "dpc_reduce_together(%d, DPC_RESULTS(%s));", count, text_of(&list));
    for (int k = 0; k < c->count && copied; k++) {
        const reduction *r = joined_reduction(c, k);
        if (r) emit_line(e, "%s = %s;", r->name, combined_name(e, r));
    }
}

void combine_result(emitter *e, const parallel *s) {
    if (!is_combined_in_use(e, s)) emit_combination(e, &s->reduction[0]);
}

void combine_chain(emitter *e, const fusion *c) {
    const int count = count_joined(c);
    for (int k = 0; k < c->count && count == 1; k++)
        if (joined_reduction(c, k)) combine_result(e, c->statement[k]);
    if (count > 1) combine_together(e, c, count);
    for (int k = 0; k < c->count; k++) {
        const parallel *s = c->statement[k];
        if (s->kind == PARALLEL_REDUCTION && s->reduction[0].exact) emit_combination(e, &s->reduction[0]);
        if (s->kind == PARALLEL_REDUCTION) emit_finish(e, &s->reduction[0]);
    }
}

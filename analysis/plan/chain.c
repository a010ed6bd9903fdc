/* Statements in one nest of loops, as one piece of work. */
#include <string.h>

#include "plan.h"

/* What several statements read is brought once; buffers of one nest of loops have different names. */
static void name_buffers(program *p, parallel *merged, parallel *const *chain, int count) {
    size_t at = 0;
    while (at < merged->references && merged->reference[at].stored) at++; /* the left sides stand before */
    for (int k = 0; k < count; k++)
        for (size_t j = 0; j < chain[k]->references; j++, at++) {
            reference *r = &merged->reference[at];
            if (!r->array || !r->placed.buffer) continue;
            const reference *same = shared_with(merged, &merged->reference[at], -1);
            int before = 0;
            for (size_t m = 0; m < at; m++)
                before += merged->reference[m].placed.buffer && merged->reference[m].symbol == r->symbol &&
                          !shared_with(merged, &merged->reference[m], -1);
            r->placed.buffer = same ? same->placed.buffer : moved_name(p, r->symbol, before);
            chain[k]->reference[j].placed.buffer = r->placed.buffer;
        }
}

/* Whether one collective combines both results: dpc_reduce_together puts those of one combination and type together. */
static bool combine_alike(const reduction *x, const reduction *y) {
    if (strcmp(facts_of_operation(x->operation)->combination, facts_of_operation(y->operation)->combination) != 0)
        return false;
    return x->type && y->type && x->type->kind == TYPE_ARITHMETIC && y->type->kind == TYPE_ARITHMETIC &&
           x->type->element == y->type->element && x->type->element != ELEMENT_BOOL;
}

void plan_collectives(const fusion *c) {
    for (int k = 0; k < c->count; k++)
        for (int j = 0; j < k && c->statement[k]->kind == PARALLEL_REDUCTION; j++)
            if (c->statement[j]->kind == PARALLEL_REDUCTION &&
                combine_alike(&c->statement[k]->reduction[0], &c->statement[j]->reduction[0]))
                c->statement[k]->plan->joins_collective = true;
}

/* The first statement with what all of them read and store. */
parallel *merge_chain(program *p, parallel *const *chain, int count) {
    parallel *merged = arena_alloc(p->memory, sizeof *merged);
    size_t references = 0;
    *merged = *chain[0];
    merged->masks = 0; /* each statement's stand around it */
    merged->placed.clip = false;
    for (int k = 0; k < count; k++) references += chain[k]->references + 1;
    merged->reference = arena_alloc(p->memory, references * sizeof *merged->reference);
    merged->references = 0;
    for (int k = 1; k < count && chain[k]->kind == PARALLEL_ASSIGNMENT; k++) {
        merged->reference[merged->references] = chain[k]->left;
        merged->reference[merged->references].mask = merged->reference[merged->references].reduction = -1;
        merged->reference[merged->references++].stored = true;
    }
    for (int k = 0; k < count; k++)
        for (size_t j = 0; j < chain[k]->references; j++)
            merged->reference[merged->references++] = chain[k]->reference[j];
    merged->plan = arena_alloc(p->memory, sizeof *merged->plan);
    find_sources(p, merged, -1, merged->plan);
    name_buffers(p, merged, chain, count);
    return merged;
}

/* Statements in one nest of loops, as one piece of work. */
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

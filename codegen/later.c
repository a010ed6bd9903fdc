/* --check=all: statements in which no process waits for another.  What is compared before them goes with a comparison
 * further down, in one collective call; a process that takes another path meets the others there. */
#include "spmd.h"

/* Whether all that a piece of a statement reads stands where it is executed. */
static bool reads_in_place(const parallel *s, const execution *x) {
    for (size_t k = 0; k < s->references; k++)
        if (x->source[k].kind != SOURCE_NONE && x->source[k].kind != SOURCE_PLACE) return false;
    return x->refreshes == 0 && x->moves == 0 && x->swepts == 0;
}

static bool waits_for_nobody(const program *p, const parallel *s, int mask) {
    const execution *x = execution_of(s, mask);
    if (s->kind != PARALLEL_ASSIGNMENT || !reads_in_place(s, x) || s->calls_unknown || s->placed.product ||
        s->combined.aggregate || looks_outside(p, s))
        return false;
    if (mask >= 0) return !s->mask[mask].prefix;
    return (x->way == BY_LOOPS || x->way == BY_FUNCTION || x->way == BY_BUFFER) && !records_assignments(p, s);
}

/* Statements in one nest of loops go by what they are as one. */
static bool chain_waits_for_nobody(const program *p, const fusion *c) {
    for (int k = 0; k < c->count; k++)
        if (!waits_for_nobody(p, c->statement[k], -1)) return false;
    const execution *x = execution_of(c->merged, -1);
    return x->refreshes == 0 && x->moves == 0 && x->swepts == 0;
}

void emit_later(emitter *e, const parallel *s, int mask) {
    if (!e->compares_later) return;
    const bool alone = mask < 0 && s->combined.chain ? chain_waits_for_nobody(e->p, s->combined.chain)
                                                     : waits_for_nobody(e->p, s, mask);
    if (alone) emit_line(e, "dpc_compare_later();");
}

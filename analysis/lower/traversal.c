/* The order of a forall's indices is free (its right sides come before all stores, and have no side effects): the loops
 * of an assignment to a distributed array take the left side's elements as they lie in memory, whatever order the
 * indices were written in. */
#include "lower.h"

/* The numbers of the statement's own indices, in the order of the left side's dimensions; false: not all stand alone in
 * one each, or some bounds depend on others. */
static bool order_in_memory(const parallel *s, int *order) {
    bool stands[MAX_RANK] = {false};
    int own = 0, count = 0;
    while (own < s->indices && s->index[own].reduction < 0)
        if (s->index[own++].triangular) return false;
    for (int d = 0; d < s->left.rank; d++) {
        const subscript *u = &s->left.subscript[d];
        if (u->kind == SUBSCRIPT_INVARIANT) continue;
        if (u->kind == SUBSCRIPT_GENERAL || stands[u->index]) return false;
        stands[u->index] = true;
        order[count++] = u->index;
    }
    return count == own;
}

/* The subscripts of a reference, when index k has become index place[k]. */
static void renumber(reference *r, const int *place) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE) r->subscript[d].index = place[r->subscript[d].index];
}

void traverse_in_memory(parallel *s) {
    int order[MAX_RANK], place[MAX_RANK];
    loop_index old[MAX_RANK];
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].prefix) return;
    if (!s->left.array || !order_in_memory(s, order)) return;
    for (int k = 0; k < s->indices; k++) {
        old[k] = s->index[k];
        place[k] = k;
    }
    for (int k = 0; k < s->indices && old[k].reduction < 0; k++) {
        s->index[k] = old[order[k]];
        place[order[k]] = k;
    }
    renumber(&s->left, place);
    for (size_t k = 0; k < s->references; k++) renumber(&s->reference[k], place);
}

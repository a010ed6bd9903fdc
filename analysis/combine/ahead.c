/* Pass "ahead": ghost cells that the next statements read come with those of the first, in the same messages, where
 * nothing in between stores into their arrays.  Bringing them early is never wrong: the run time brings them again
 * where an array has changed after all. */
#include "combine.h"

static bool runs_straight_on(const node *n) {
    return n->kind == N_FORALL || n->kind == N_EXPRESSION || n->kind == N_DECLARATION || n->kind == N_EMPTY;
}

/* The last token of the statements behind n that control reaches one after the other. */
static size_t end_of_row(const node *n) {
    const node *block = n->parent;
    size_t at = 0;
    while (block->child[at] != n) at++;
    while (at + 1 < block->count && runs_straight_on(block->child[at + 1])) at++;
    return block->child[at]->last;
}

static bool reads_halo_of(const parallel *s, const array *a) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && s->reference[k].placed.relation == RELATION_SHIFT &&
            (!a || s->reference[k].array == a))
            return true;
    return false;
}

static bool has_corners(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && s->reference[k].placed.relation == RELATION_SHIFT &&
            s->reference[k].array->placed.corners)
            return true;
    return false;
}

/* Arrays with corners are refreshed in several phases: they keep to themselves. */
static void add_ahead(const program *p, parallel *s, const parallel *later, const node *function) {
    for (size_t k = 0; k < later->references && s->combined.aheads < MOST_AHEAD; k++) {
        const reference *r = &later->reference[k];
        bool there = !r->array || r->placed.relation != RELATION_SHIFT || reads_halo_of(s, r->array) ||
                     r->array->placed.corners != has_corners(s);
        for (int j = 0; j < s->combined.aheads; j++) there = there || s->combined.ahead[j] == r->array;
        if (!there && !changes(p, function, r->symbol, s->node->first, later->node->first - 1))
            s->combined.ahead[s->combined.aheads++] = r->array;
    }
}

static void look_from(const program *p, parallel *s, const statement_list *all) {
    const node *first = statement_around(s->node), *function = function_around(s->node);
    if (!first || !function || !runs_straight_on(first) || !reads_halo_of(s, NULL)) return;
    const size_t end = end_of_row(first);
    for (size_t k = 0; k < all->count; k++) {
        const parallel *later = all->statement[k];
        const node *next = statement_around(later->node);
        if (!later->in_place && later->node->first > s->node->last && later->node->last <= end && next &&
            next->parent == first->parent)
            add_ahead(p, s, later, function);
    }
}

void look_ahead(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++)
        if (!all.statement[k]->loop && !all.statement[k]->in_place) look_from(p, all.statement[k], &all);
}

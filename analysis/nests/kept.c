/* Pass "nests": elements that iterations choose and store one behind the other, at places that a carried scalar counts:
 *
 *     for (i = 0; i < n; i++)
 *         if (A[i] > 0) B[m++] = A[i]; */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

static bool is_counting(const node *n) {
    int64_t value;
    if (is_step(n)) return n->op[0] == '+';
    return n->kind == N_ASSIGN && !strcmp(n->op, "+=") && constant_value(n->child[1], &value) && value == 1;
}

/* Whether a scalar can count places: a narrower one goes round inside of arrays. */
static bool counts_places(const nest *x, const symbol *m) {
    if (!m || !is_a_number(m->type) || !element_is_integer(m->type->element)) return false;
    if (element_bytes(m->type->element) < 4 || element_bytes(m->type->element) > 8) return false;
    return is_assigned_within(x, m) && !private_of(x, m) && !counts_loop_in(x->root, m) &&
           !node_holds(x->root, m->declarator);
}

bool take_kept(nest *x, const nest_statement *s) {
    const array *a = s->left->kind == N_INDEX ? distributed_reference(s->left) : NULL;
    if (!x->carries || !a || a->rank != 1 || strcmp(s->op, "=") != 0 || s->assign->kind != N_ASSIGN ||
        a->element >= ELEMENTS)
        return false;
    const node *place = inside_parentheses(s->left->child[1]);
    const symbol *m = symbol_named(place->kind == N_POSTFIX ? place->child[0] : place);
    if (!counts_places(x, m)) return false;
    if (!carries_scalar(x, m)) {
        want_carried(x, m);
        return false;
    }
    if (x->kepts == MOST_UPDATES) return false;
    x->kept[x->kepts++] = (nest_kept){a->symbol, m, s->assign};
    return true;
}

/* The only assignment to a scalar in n, if it counts by one; *count: how many there are. */
static const node *counting_in(const node *n, const symbol *m, int *count) {
    const node *found = NULL;
    if (is_store(n) && symbol_named(n->child[0]) == m) {
        ++*count;
        found = is_counting(n) ? n : NULL;
    }
    for (size_t c = 0; c < n->count; c++) {
        const node *below = n->child[c] ? counting_in(n->child[c], m, count) : NULL;
        if (below) found = below;
    }
    return found;
}

/* Whether `count`, behind the store in one block, is executed whenever that is, with assignments between. */
static bool follows_in_block(const node *store, const node *count) {
    const node *first = store->parent, *last = count->parent, *block = first->parent;
    if (first->kind != N_EXPRESSION || last->kind != N_EXPRESSION || block->kind != N_COMPOUND || last->parent != block)
        return false;
    size_t c = 0;
    while (block->child[c] != first) c++;
    for (; c < block->count && block->child[c] != last; c++)
        if (block->child[c]->kind != N_EXPRESSION) return false;
    return c < block->count;
}

static bool is_kept_in_order(const nest *x, const nest_kept *k) {
    int count = 0, stores = 0;
    const node *counting = counting_in(x->root->child[3], k->counter, &count);
    for (int j = 0; j < x->kepts; j++) stores += x->kept[j].counter == k->counter;
    if (count != 1 || !counting || names_in(x->root, k->array) != 1) return false;
    const node *place = inside_parentheses(inside_parentheses(k->store->child[0])->child[1]);
    return place == counting ? stores == 1 : place->kind == N_NAME && follows_in_block(k->store, counting);
}

void check_kept(nest *x) {
    for (int k = 0; k < x->kepts; k++)
        if (x->breaks || !is_kept_in_order(x, &x->kept[k]))
            stop_nest(x, x->kept[k].store, "where '%s' is stored depends on '%s'",
                      nest_quote(x, x->kept[k].store->child[0]), x->kept[k].counter->name);
}

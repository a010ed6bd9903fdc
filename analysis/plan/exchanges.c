/* Moves whose messages are packed by the same loops: one function of the program packs and sends all of them; and one
 * that exchanges ghost cells. */
#include <string.h>

#include "plan.h"

/* What the loops that pack a reference depend on; false: these are its own. */
static bool find_exchange(const program *p, const parallel *s, const reference *r, exchange *x) {
    *x = (exchange){.element = r->array->element};
    for (int d = r->rank - 1; d >= 0; d--) {
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE) continue;
        const pairing pair = pairing_of(p, s, r, d);
        const loop_index *i = &s->index[pair.index];
        const int64_t length = pairing_run_length(&pair, i);
        if (!linear_is(&i->stride, 1) || !pair.s2.known) return false;
        if (pairing_has_one_strip(&pair, r) && find_boundaries(p, s, r, &pair, BOUNDARIES_OF_SOURCE, length))
            return false;
        if (x->axes == 0) x->step = d == r->rank - 1 ? pair.s2.value : 0;
        x->strips[x->axes] = !pairing_has_one_strip(&pair, r);
        x->points[x->axes++] = length == 1;
    }
    return x->axes > 0;
}

/* Whether the loops of y pack what x does, too: the outer axes that x has not have one value then, and the outermost
 * one has a loop over strips in any case. */
static bool serves(const exchange *y, const exchange *x) {
    bool good =
        x->axes <= y->axes && x->step == y->step && !strcmp(element_spelling(x->element), element_spelling(y->element));
    for (int k = 0; good && k < x->axes; k++)
        good = x->points[k] == y->points[k] && (k == y->axes - 1 || y->strips[k] || !x->strips[k]);
    return good;
}

static bool are_alike(const exchange *x, const exchange *y) {
    return x->axes == y->axes && serves(x, y) && serves(y, x);
}

/* Those of the program so far. */
typedef struct {
    exchange **exchange;
    size_t count, capacity;
} exchanges;

static exchange *exchange_like(program *p, exchanges *all, const exchange *x) {
    for (size_t k = 0; k < all->count; k++)
        if (are_alike(all->exchange[k], x)) return all->exchange[k];
    exchange *made = arena_alloc(p->memory, sizeof *made);
    *made = *x;
    vector_add(p->memory, all->exchange, all->count, all->capacity, made);
    return made;
}

/* Whether a piece of the statement opens a move for the reference, and sends it by itself. */
static bool is_sent(const program *p, const parallel *s, const reference *r) {
    bool sent = false;
    if (!r->array || (r->placed.move != MOVE_INLINED && r->placed.move != MOVE_DECIDED)) return false;
    for (int mask = -1; mask < s->masks; mask++)
        sent = sent || (starts_move(s, r, mask) && !are_aggregated(p, &s, 1, mask));
    return sent && !s->combined.aggregate;
}

/* Those that one of more axes serves, too, become that one. */
static void join_exchanges(const exchanges *all) {
    for (size_t k = 0; k < all->count; k++) {
        exchange *x = all->exchange[k], *best = NULL;
        for (size_t j = 0; j < all->count; j++) {
            exchange *y = all->exchange[j];
            if (y->axes > x->axes && serves(y, x) && (!best || y->axes > best->axes)) best = y;
        }
        x->as = best;
    }
    for (size_t k = 0; k < all->count; k++) {
        exchange *x = all->exchange[k];
        if (!x->as) continue;
        while (x->as->as) x->as = x->as->as;
        x->as->uses += x->uses;
        x->uses = 0;
    }
}

void plan_exchanges(program *p, const statement_list *statements) {
    exchanges all = {0};
    for (size_t n = 0; n < statements->count; n++) {
        parallel *s = statements->statement[n];
        for (size_t k = 0; k < s->references; k++) {
            exchange x;
            if (!is_sent(p, s, &s->reference[k]) || !find_exchange(p, s, &s->reference[k], &x)) continue;
            s->reference[k].placed.exchange = exchange_like(p, &all, &x);
            s->reference[k].placed.exchange->uses++;
        }
    }
    join_exchanges(&all);
    for (size_t n = 0; n < statements->count; n++)
        for (size_t k = 0; k < statements->statement[n]->references; k++) {
            exchange **x = &statements->statement[n]->reference[k].placed.exchange;
            if (*x && (*x)->as) *x = (*x)->as;
        }
    for (size_t k = 0; k < all.count; k++)
        if (all.exchange[k]->uses > 1) all.exchange[k]->name = unique_name(p, "exchange");
}

/* ---- Ghost cells */

/* From so many places on, the calls of MPI take fewer lines in a function. */
enum { SEVERAL_REFRESHES = 4 };

static int refreshes_in(const parallel *s) {
    int count = 0;
    for (int mask = -1; mask < s->masks; mask++) count += execution_of(s, mask)->refreshes > 0;
    return count;
}

void plan_halo_exchange(program *p, const statement_list *statements) {
    int count = 0;
    for (size_t n = 0; n < statements->count; n++) {
        const parallel *s = statements->statement[n];
        const fusion *c = s->combined.chain;
        if (!c || c->statement[0] == s) count += refreshes_in(c ? c->merged : s);
    }
    if (count >= SEVERAL_REFRESHES) p->halo_exchange = unique_name(p, "exchange_halo");
}

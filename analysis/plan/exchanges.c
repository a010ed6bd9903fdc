/* Moves whose messages are packed by the same loops: one function of the program packs and sends all of them; and one
 * that exchanges ghost cells. */
#include <string.h>

#include "plan.h"

/* What the loops that pack a reference depend on; false: these are its own. */
static bool find_exchange(const program *p, const parallel *s, const reference *r, exchange *x) {
    *x = (exchange){.element = r->array->element};
    for (int d = 0; d < r->rank; d++) {
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE) continue;
        const pairing pair = pairing_of(p, s, r, d);
        const loop_index *i = &s->index[pair.index];
        const int64_t length = pairing_run_length(&pair, i);
        if (!linear_is(&i->stride, 1) || !pair.s2.known) return false;
        if (pairing_has_one_strip(&pair, r) && find_boundaries(p, s, r, &pair, BOUNDARIES_OF_SOURCE, length))
            return false;
        x->step = d == r->rank - 1 ? pair.s2.value : 0;
        x->strips[x->axes] = x->axes > 0 && !pairing_has_one_strip(&pair, r);
        x->points[x->axes++] = length == 1;
    }
    return x->axes > 0;
}

static bool are_alike(const exchange *x, const exchange *y) {
    bool same =
        x->axes == y->axes && x->step == y->step && !strcmp(element_spelling(x->element), element_spelling(y->element));
    for (int k = 0; same && k < x->axes; k++) same = x->points[k] == y->points[k] && x->strips[k] == y->strips[k];
    return same;
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

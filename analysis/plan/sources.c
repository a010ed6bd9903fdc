/* Where the values come from that a piece of a statement reads. */
#include <string.h>

#include "plan.h"

/* What is read for a mask that is saved: by the mask, and by those before it that are not.  A chain has no masks: those
 * of its statements, none of them saved, stand around each. */
static bool is_read(const parallel *s, const reference *r, int mask) {
    const bool saved = r->mask >= 0 && r->mask < s->masks && s->mask[r->mask].saved;
    if (!r->array) return false;
    if (mask >= 0) return r->mask == mask || (r->mask >= 0 && r->mask < mask && !saved);
    return !saved;
}

bool is_shared_element(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind != SUBSCRIPT_INVARIANT) return false;
    return r->array && r->placed.relation == RELATION_SETS && r->placed.move == MOVE_BROADCAST && !r->combined.reused;
}

/* Whether y, which stands before x, reads the elements that x reads, or brings its ghost cells, too. */
static bool reads_same(const program *p, const parallel *s, const reference *y, const reference *x) {
    if (y->array != x->array || y->placed.relation != x->placed.relation || x->placed.relation == RELATION_GATHER)
        return false;
    if (comes_by_pipeline(s, x) != comes_by_pipeline(s, y) || is_shared_element(x) != is_shared_element(y))
        return false;
    return x->placed.relation == RELATION_SHIFT || ((!y->guarded || x->guarded) && same_subscripts(p, y, x));
}

/* Whether what is gathered for x serves y, which stands behind it. */
static bool gathers_same(const program *p, const parallel *s, const reference *x, const reference *y) {
    return x->array == y->array && x->combined.reused == y->combined.reused && has_same_accesses(p, s, x, y);
}

/* The number of the first reference before number k that reads the same; k: none. */
static size_t first_of_same(const program *p, const parallel *s, size_t k, int mask) {
    for (size_t j = 0; j < k; j++) {
        const reference *x = &s->reference[j], *y = &s->reference[k];
        if (is_read(s, x, mask) && (reads_same(p, s, x, y) || gathers_same(p, s, x, y) ||
                                    (shares_box(p, s, x, y) && x->combined.reused == y->combined.reused)))
            return j;
    }
    return k;
}

/* The first of a statement in the same loops that stands before s. */
static const reference *same_in_chain(const program *p, const parallel *s, const reference *x) {
    const fusion *c = s->combined.chain;
    for (int n = 0; c && n < c->count && c->statement[n] != s; n++)
        for (size_t k = 0; k < c->statement[n]->references; k++)
            if (reads_same(p, s, &c->statement[n]->reference[k], x)) return &c->statement[n]->reference[k];
    return NULL;
}

/* The first gather before number k, of another array, that has the same subscripts in the same iterations, so that one
 * inspector looks for both; k: none. */
static size_t looked_for_with(const program *p, const parallel *s, size_t k, const value_source *from) {
    const reference *y = &s->reference[k];
    for (size_t j = 0; j < k; j++) {
        const reference *x = &s->reference[j];
        if (from[j].kind != SOURCE_GATHER || from[j].with != j || from[j].rows != from[k].rows) continue;
        if (!x->combined.reused != !y->combined.reused || x->combined.localised != y->combined.localised) continue;
        if (has_same_accesses(p, s, x, y) && has_same_accesses(p, s, y, x)) return j;
    }
    return k;
}

static value_source find_source(const program *p, const parallel *s, size_t k, int mask) {
    const reference *r = &s->reference[k];
    if (!is_read(s, r, mask)) return (value_source){.kind = SOURCE_NONE};
    const size_t from = first_of_same(p, s, k, mask);
    if (from < k && (r->placed.relation == RELATION_SETS || r->placed.relation == RELATION_GATHER))
        return (value_source){.kind = SOURCE_SHARED, .from = from};
    if (r->placed.operand == OPERAND_PANELS) return (value_source){.kind = SOURCE_PANELS};
    if (is_in_place(r)) return (value_source){.kind = SOURCE_PLACE};
    if (r->placed.matrix) return (value_source){.kind = SOURCE_MATRIX};
    if (r->placed.relation == RELATION_GATHER) return (value_source){.kind = SOURCE_GATHER, .rows = rows_in(p, s, r)};
    return (value_source){.kind = is_shared_element(r) ? SOURCE_ELEMENT : SOURCE_MOVE};
}

/* What every process has of its own is read again, whoever read it before. */
static const reference *find_same(const program *p, const parallel *s, size_t k, int mask) {
    const size_t from = first_of_same(p, s, k, mask);
    if (from < k) return &s->reference[from];
    return s->reference[k].placed.relation == RELATION_LOCAL ? NULL : same_in_chain(p, s, &s->reference[k]);
}

void find_sources(program *p, parallel *s, int mask, execution *x) {
    x->source = arena_alloc(p->memory, (s->references + 1) * sizeof *x->source);
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        x->source[k] = find_source(p, s, k, mask);
        if (x->source[k].kind == SOURCE_GATHER) x->source[k].with = looked_for_with(p, s, k, x->source);
        if (x->source[k].kind != SOURCE_NONE) x->source[k].same = find_same(p, s, k, mask);
        if (x->source[k].kind == SOURCE_SHARED && (is_moved(r) || r->placed.relation == RELATION_GATHER))
            r->placed.buffer = s->reference[x->source[k].from].placed.buffer;
    }
}

/* ---- What others ask */

const execution *execution_of(const parallel *s, int mask) {
    return &s->plan[mask + 1];
}

source_kind source_of(const parallel *s, const reference *r, int mask) {
    return execution_of(s, mask)->source[r - s->reference].kind;
}

bool needed(const parallel *s, const reference *r, int mask) {
    return source_of(s, r, mask) != SOURCE_NONE;
}

const reference *shared_with(const parallel *s, const reference *r, int mask) {
    const value_source *x = &execution_of(s, mask)->source[r - s->reference];
    return x->kind == SOURCE_SHARED ? &s->reference[x->from] : NULL;
}

const reference *inspected_with(const parallel *s, const reference *r, int mask) {
    const value_source *x = &execution_of(s, mask)->source[r - s->reference];
    return x->kind == SOURCE_GATHER && &s->reference[x->with] != r ? &s->reference[x->with] : NULL;
}

const reference *read_before(const parallel *s, const reference *r, int mask) {
    return execution_of(s, mask)->source[r - s->reference].same;
}

const void *fetched_with(const parallel *s, int mask) {
    if (mask >= 0) return &s->mask[mask];
    if (s->combined.aggregate) return s->combined.aggregate;
    return s->combined.chain ? (const void *)s->combined.chain : s;
}

bool starts_move(const parallel *s, const reference *r, int mask) {
    const source_kind kind = source_of(s, r, mask);
    return (kind == SOURCE_MOVE || kind == SOURCE_ELEMENT) && r->rank > 0;
}

bool are_aggregated(const program *p, const parallel *const *s, int count, int mask) {
    int moves = 0;
    for (int n = 0; n < count; n++) moves += execution_of(s[n], mask)->moves;
    return moves >= 2 && p->model != COMM_DEPOSIT;
}

/* What a parallel statement reads: local parts in place, values that moved by communication sets. */
#include <string.h>

#include "spmd.h"

static bool is_known_in_bounds(emitter *e, const parallel *s, const reference *r) {
    if (s->placed.clip || r->guarded || e->options->no_checks || reference_in_bounds(e->p, s, r)) return true;
    const reference *home = home_of(s);
    if (!home || !same_subscripts(e->p, home, r)) return false;
    for (int d = 0; d < r->rank; d++) {
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
        if (!linear_equal(&home->array->lower[d], &r->array->lower[d]) ||
            !linear_equal(&home->array->upper[d], &r->array->upper[d]))
            return false;
    }
    return true;
}

static bool has_general(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return true;
    return false;
}

/* ---- Bounds checks: one for all references that differ in constants, at the ends of what they reach */

static bool must_be_checked(emitter *e, const parallel *s, size_t k, int mask) {
    const reference *r = &s->reference[k];
    return needed(s, r, mask) && is_in_place(r) && !is_known_in_bounds(e, s, r) && !has_general(r);
}

/* Whether the subscripts differ in constants. */
static bool is_beside(emitter *e, const reference *r, const reference *t) {
    if (r->array != t->array) return false;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d], *v = &t->subscript[d];
        const linear distance = linear_subtract(e->memory, u->offset, v->offset);
        if (u->kind != v->kind || !linear_is_constant(&distance)) return false;
        if (u->kind == SUBSCRIPT_AFFINE && (u->index != v->index || !linear_equal(&u->stride, &v->stride)))
            return false;
    }
    return true;
}

/* The subscripts at one end of what the references beside reference k read. */
static reference end_of(emitter *e, const parallel *s, size_t k, int mask, bool low) {
    reference end = copy_of_reference(e->memory, &s->reference[k]);
    for (size_t j = k + 1; j < s->references; j++) {
        const reference *r = &s->reference[j];
        if (!must_be_checked(e, s, j, mask) || !is_beside(e, &end, r)) continue;
        for (int d = 0; d < r->rank; d++) {
            const linear beyond = linear_subtract(e->memory, r->subscript[d].offset, end.subscript[d].offset);
            if (low ? beyond.constant < 0 : beyond.constant > 0) end.subscript[d].offset = r->subscript[d].offset;
        }
    }
    return end;
}

static void emit_checks(emitter *e, const parallel *s, size_t k, int mask) {
    if (!must_be_checked(e, s, k, mask)) return;
    const char *address = s->reference[k].array->address, *last = "";
    for (size_t j = 0; j < k; j++)
        if (must_be_checked(e, s, j, mask) && is_beside(e, &s->reference[j], &s->reference[k])) return;
    for (int high = 0; high < 2; high++) {
        const reference end = end_of(e, s, k, mask, high == 0);
        const char *subscripts = subscripts_text(e, s, &end, false);
        if (strcmp(subscripts, last) != 0)
            emit_line(e, "dpc_check(%s, %s, DPC_SUBSCRIPTS(%s));", space_of(e), address, subscripts);
        last = subscripts;
    }
}

void emit_bounds_checks(emitter *e, const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++) emit_checks(e, s, k, mask);
}

/* ---- Arrays that stand apart: places counted from an array's own first element */

/* Whether an earlier reference has the same places counted from there. */
static bool is_begun(emitter *e, const parallel *s, size_t k, int d) {
    for (size_t j = 0; j < k; j++)
        if (s->reference[j].array && d < s->reference[j].rank && s->reference[j].placed.dim[d].own &&
            is_in_place(&s->reference[j]) &&
            !strcmp(declared_begin(e, s, &s->reference[j], d), declared_begin(e, s, &s->reference[k], d)))
            return true;
    return false;
}

void emit_begins(emitter *e, const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        for (int d = 0; r->array && needed(s, r, mask) && is_in_place(r) && d < r->rank; d++) {
            const subscript *u = &r->subscript[d];
            if (!r->placed.dim[d].own || is_begun(e, s, k, d)) continue;
            const char *name = declared_begin(e, s, r, d);
            if (u->kind == SUBSCRIPT_INVARIANT)
                emit_declaration(e, name, "const dpc_index %s = dpc_local(&%sdim[%d], %s);", name, r->array->access, d,
                                 linear_words(e, &u->offset));
            else if (is_single_run(s, u->index))
                emit_declaration(e, name, "const dpc_index %s = dpc_first_owned(%s, %d);", name, r->array->address, d);
        }
    }
}

void emit_run_begins(emitter *e, const parallel *s, int k) {
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        for (int d = 0; r->array && is_in_place(r) && d < r->rank; d++) {
            const subscript *u = &r->subscript[d];
            if (!r->placed.dim[d].own || u->kind != SUBSCRIPT_AFFINE || u->index != k || is_begun(e, s, j, d)) continue;
            const char *first = arena_format(e->memory, "%s.first", name_of(e, s, k, "run"));
            const linear at = linear_add(e->memory, u->offset,
                                         linear_multiply(e->memory, u->stride, linear_atom(e->memory, first, NULL)));
            const char *name = declared_begin(e, s, r, d);
            emit_declaration(e, name, "const dpc_index %s = dpc_begin_at(&%sdim[%d], %s);", name, r->array->access, d,
                             linear_words(e, &at));
        }
    }
}

static void emit_invariants_of(emitter *e, const reference *home) {
    for (int d = 0; home && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind != SUBSCRIPT_INVARIANT || !may_be_distributed(home->array, d)) continue;
        const char *at = declared_at(e, home, d);
        emit_declaration(e, at, "const dpc_index %s = dpc_local(&%sdim[%d], %s);", at, home->array->access, d,
                         linear_words(e, &u->offset));
    }
}

static bool has_home_before(const fusion *c, int k) {
    for (int j = 0; j < k; j++) {
        const reference *one = home_of(c->statement[j]), *other = home_of(c->statement[k]);
        if (one && other && one->symbol == other->symbol) return true;
    }
    return false;
}

/* Local indices of invariant subscripts of home, and of the homes of statements in the same loops. */
void emit_invariants(emitter *e, const parallel *s) {
    const fusion *c = s->combined.chain;
    if (!c) emit_invariants_of(e, home_of(s));
    for (int k = 0; c && k < c->count; k++)
        if (!has_home_before(c, k)) emit_invariants_of(e, home_of(c->statement[k]));
}

/* ---- Moving values */

static void emit_fetch_call(emitter *e, const parallel *s, const reference *r) {
    const char *bring = r->placed.move == MOVE_BROADCAST ? "dpc_broadcast" : "dpc_fetch";
    if (r->combined.reused) bring = arena_format(e->memory, "%s_reused", bring);
    emit_line(e, "DPC_TRANSFER %s = %s(%s%s, %s, DPC_SUBSCRIPTS(%s));", move_name(e, r), bring,
              r->combined.reused ? arena_format(e->memory, "&%s, ", r->combined.reused) : "", space_of(e),
              r->array->address, subscripts_text(e, s, r, false));
}

/* Whether its loops and messages stand in the text; whether the runtime puts the values together. */
static bool is_opened(const reference *r) {
    return r->placed.move == MOVE_INLINED || r->placed.move == MOVE_DECIDED;
}
static bool is_whole(const reference *r) {
    return r->placed.move == MOVE_FETCHED || r->placed.move == MOVE_BROADCAST;
}

static void emit_shared_element(emitter *e, const parallel *s, const reference *r) {
    const char *ctype = element_spelling(r->array->element);
    emit_line(e, "const %s %s = dpc_share(%s, %s, %s, %s);", ctype, r->placed.buffer, ctype, space_of(e),
              r->array->address, subscripts_text(e, s, r, false));
}

static void emit_fetch(emitter *e, const parallel *s, const reference *r, bool packed) {
    if (is_shared_element(r)) {
        emit_shared_element(e, s, r);
        return;
    }
    if (!is_opened(r)) {
        emit_fetch_call(e, s, r);
        return;
    }
    const char *by = packed ? exchange_of(e, s, r) : NULL;
    emit_open(e, s, r, by);
    if (!packed || by) return;
    emit_receives(e, move_name(e, r));
    emit_pack(e, s, r, true);
}

/* Starts the moves; packed: and sends what they do not send themselves. */
static void start_moves(emitter *e, const parallel *s, int mask, bool packed) {
    bool clipped = s->placed.clip;
    for (int guarded = 0; guarded < 2; guarded++)
        for (size_t k = 0; k < s->references; k++) {
            const reference *r = &s->reference[k];
            if (!needed(s, r, mask) || !is_moved(r) || r->guarded != (guarded == 1)) continue;
            if (!starts_move(s, r, mask)) continue;
            if (guarded && !clipped) {
                emit_line(e, "%s->clip = true; /* read only where a condition holds */", space_of(e));
                clipped = true;
            }
            emit_fetch(e, s, r, packed);
        }
}

static void emit_starts(emitter *e, const parallel *s, int mask) {
    start_moves(e, s, mask, false);
}

static void emit_starts_packed(emitter *e, const parallel *s, int mask) {
    start_moves(e, s, mask, true);
}

/* Packs what several moves send together. */
static void emit_packs(emitter *e, const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!starts_move(s, r, mask)) continue;
        if (is_opened(r)) emit_pack(e, s, r, false);
    }
}

typedef void (*emit_part)(emitter *e, const parallel *s, int mask);

/* Part of every statement, each with its own space. */
static void emit_each(emitter *e, const parallel *const *s, int count, int mask, emit_part part) {
    const char *space = e->space;
    for (int n = 0; n < count; n++) {
        e->current = s[n];
        e->space = space_name(e, space, n);
        part(e, s[n], mask);
    }
    e->space = space;
    e->current = s[0];
}

void emit_fetches(emitter *e, const parallel *const *s, int count, int mask) {
    if (!are_aggregated(e->p, s, count, mask)) {
        emit_each(e, s, count, mask, emit_starts_packed);
        return;
    }
    emit_line(e, "dpc_begin_aggregate(%s); /* one message to each process */", place_literal(e, s[0]->node));
    emit_each(e, s, count, mask, emit_starts);
    emit_line(e, "const dpc_messages *\1all = dpc_end_aggregate();");
    emit_receives(e, "\1all");
    emit_each(e, s, count, mask, emit_packs);
    emit_sends(e, "\1all");
}

static void emit_arrival(emitter *e, const parallel *s, const reference *r) {
    const char *ctype = element_spelling(r->array->element);
    if (is_whole(r)) {
        emit_line(e, "const %s %s = dpc_arrive(%s);", ctype, block_of_values(e, s, r), move_name(e, r));
        return;
    }
    if (s->placed.waits_for >= 0) return;
    if (!is_opened(r)) return;
    emit_line(e, "const %s %s = dpc_collect(%s);", ctype, block_of_values(e, s, r), move_name(e, r));
}

/* Whether reference k has a move of its own to wait for. */
static bool has_arrival(const parallel *s, size_t k, int mask) {
    return source_of(s, &s->reference[k], mask) == SOURCE_MOVE;
}

void emit_arrivals(emitter *e, const parallel *s, int mask) {
    if (execution_of(s, mask)->interior_first) return;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (has_arrival(s, k, mask)) emit_arrival(e, s, r);
    }
}

const char *awaited_moves(emitter *e, const parallel *s) {
    text moves;
    int count = 0;
    text_start(&moves, e->memory);
    for (size_t k = 0; k < s->references; k++)
        if (has_arrival(s, k, -1)) text_format(&moves, "%s%s", count++ ? ", " : "", move_name(e, &s->reference[k]));
    return count ? arena_format(e->memory, ", %d, (dpc_transfer *[]){%s}", count, text_of(&moves)) : "";
}

void emit_arriving(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (has_arrival(s, k, -1))
            emit_line(e, "const %s %s = dpc_arriving(%s);", element_spelling(r->array->element),
                      block_of_values(e, s, r), move_name(e, r));
    }
}

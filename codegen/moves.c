/* What a parallel statement reads: local parts in place, values that moved by communication sets. */
#include <string.h>

#include "spmd.h"

static bool first_of_its_array(const parallel *s, size_t k, int mask) {
    if (mask < 0 && s->kind == PARALLEL_ASSIGNMENT && !s->placed.scatter && s->left.array == s->reference[k].array)
        return false;
    for (size_t j = 0; j < k; j++)
        if (needed(s, &s->reference[j], mask) && is_in_place(&s->reference[j]) &&
            s->reference[j].array == s->reference[k].array)
            return false;
    return true;
}

static void emit_strides(emitter *e, text *out, const array *a, const char *indent) {
    for (int d = 0; d < a->rank - 1; d++)
        optional_line(out, stride_name(e, a, d), "%sconst dpc_index %s = %sstride[%d];\n", indent, stride_name(e, a, d),
                      a->access, d);
}

static bool is_known_in_bounds(emitter *e, const parallel *s, const reference *r) {
    if (s->placed.clip || r->guarded || e->options->no_checks || reference_in_bounds(e->p, s, r)) return true;
    const reference *home = home_of(s);
    if (!home || !same_subscripts(e->p, home, r) || home->rank != r->rank) return false;
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

/* Whether another statement in the same loops, or the body of an independent one, stores into the array. */
static bool is_stored(const parallel *s, const array *a) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array == a && s->reference[k].stored) return true;
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
    reference end = s->reference[k];
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

static void emit_checks(emitter *e, text *out, const parallel *s, size_t k, int mask, const char *indent) {
    const char *address = s->reference[k].array->address, *last = "";
    if (!must_be_checked(e, s, k, mask)) return;
    for (size_t j = 0; j < k; j++)
        if (must_be_checked(e, s, j, mask) && is_beside(e, &s->reference[j], &s->reference[k])) return;
    for (int high = 0; high < 2; high++) {
        const reference end = end_of(e, s, k, mask, high == 0);
        const char *subscripts = subscripts_text(e, s, &end, false);
        if (strcmp(subscripts, last) != 0)
            text_format(out, "%sdpc_check(&\1space, %s, (const dpc_subscript[]){%s});\n", indent, address, subscripts);
        last = subscripts;
    }
}

/* Where home's local indices find the elements of a reference from. */
static const char *local_part(emitter *e, const parallel *s, const reference *r) {
    if (r->placed.relation != RELATION_SHIFT || !r->placed.beside)
        return arena_format(e->memory, "%slocal", r->array->access);
    return arena_format(e->memory, "dpc_local_beside(%s, %s)", r->array->address, home_of(s)->array->address);
}

/* Local parts that are read or written in place. */
void emit_local_parts(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    if (mask < 0 && s->kind == PARALLEL_ASSIGNMENT && s->left.array && !s->placed.scatter) {
        const array *a = s->left.array;
        text_format(out, "%s%s *%s%s = %slocal;\n", indent, element_spelling(a->element), restrict_word(e, s, a),
                    a->symbol->name, a->access);
        emit_strides(e, out, a, indent);
    }
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!needed(s, r, mask) || !is_in_place(r)) continue;
        emit_checks(e, out, s, k, mask, indent);
        if (!first_of_its_array(s, k, mask)) continue;
        text_format(out, "%s%s%s *%s%s = %s;\n", indent, is_stored(s, r->array) ? "" : "const ",
                    element_spelling(r->array->element), restrict_word(e, s, r->array), r->symbol->name,
                    local_part(e, s, r));
        emit_strides(e, out, r->array, indent);
    }
}

/* Local indices of home's invariant subscripts. */
void emit_invariants(emitter *e, text *out, const parallel *s, const char *indent) {
    const reference *home = home_of(s);
    for (int d = 0; home && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind != SUBSCRIPT_INVARIANT || !may_be_distributed(home->array, d)) continue;
        optional_line(out, owned_at(e, home, d), "%sconst dpc_index %s = dpc_local(&%sdim[%d], %s);\n", indent,
                      owned_at(e, home, d), home->array->access, d, linear_text(e->memory, &u->offset));
    }
}

/* ---- Moving values */

static const char *fetch_name(emitter *e, const reference *r) {
    const char *move = move_name(e, r);
    return r->placed.move == MOVE_DECIDED ? arena_format(e->memory, "%s_any", move) : move;
}

static void emit_fetch_call(emitter *e, text *out, const parallel *s, const reference *r, const char *declare,
                            const char *indent) {
    const char *bring = r->placed.move == MOVE_BROADCAST ? "dpc_broadcast" : "dpc_fetch";
    if (r->combined.kept) bring = arena_format(e->memory, "%s_kept", bring);
    text_format(out, "%s%s%s = %s(%s&\1space, %s, (const dpc_subscript[]){%s});\n", indent, declare, fetch_name(e, r),
                bring, r->combined.kept ? arena_format(e->memory, "&%s, ", r->combined.kept) : "", r->array->address,
                subscripts_text(e, s, r, false));
}

/* Both ways: by closed forms if the values at run time have them.  packed: at once. */
static void emit_decided(emitter *e, text *out, const parallel *s, const reference *r, bool packed,
                         const char *indent) {
    text_format(out, "%sdpc_move *%s = NULL;\n%sdpc_transfer *%s = NULL;\n", indent, move_name(e, r), indent,
                fetch_name(e, r));
    text_format(out, "%sif (dpc_closed(&\1space, %s, (const dpc_subscript[]){%s})) {\n", indent, r->array->address,
                subscripts_text(e, s, r, false));
    emit_open(e, out, s, r, false, deeper(e, indent));
    if (packed) emit_pack(e, out, s, r, deeper(e, indent));
    text_format(out, "%s} else {\n", indent);
    emit_fetch_call(e, out, s, r, "", deeper(e, indent));
    text_format(out, "%s}\n", indent);
}

static void emit_shared_element(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    const char *ctype = element_spelling(r->array->element);
    text_format(out, "%sconst %s %s = dpc_share(%s, &\1space, %s, %s);\n", indent, ctype, r->placed.buffer, ctype,
                r->array->address, subscripts_text(e, s, r, false));
}

static void emit_fetch(emitter *e, text *out, const parallel *s, const reference *r, bool packed, const char *indent) {
    if (is_shared_element(r)) {
        emit_shared_element(e, out, s, r, indent);
        return;
    }
    if (r->placed.move == MOVE_INLINED)
        emit_open(e, out, s, r, true, indent);
    else if (r->placed.move == MOVE_DECIDED)
        emit_decided(e, out, s, r, packed, indent);
    else
        emit_fetch_call(e, out, s, r, "dpc_transfer *", indent);
    if (packed && r->placed.move == MOVE_INLINED) emit_pack(e, out, s, r, indent);
}

/* Starts the moves; packed: and sends what they do not send themselves. */
static void start_moves(emitter *e, text *out, const parallel *s, int mask, bool packed, const char *indent) {
    bool clipped = s->placed.clip;
    for (int guarded = 0; guarded < 2; guarded++)
        for (size_t k = 0; k < s->references; k++) {
            const reference *r = &s->reference[k];
            if (!needed(s, r, mask) || !is_moved(r) || r->guarded != (guarded == 1)) continue;
            if (!starts_move(s, r, mask)) continue;
            if (guarded && !clipped) {
                text_format(out, "%s\1space.clip = true; /* read only where a condition holds */\n", indent);
                clipped = true;
            }
            emit_fetch(e, out, s, r, packed, indent);
        }
}

static void emit_starts(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    start_moves(e, out, s, mask, false, indent);
}

static void emit_starts_packed(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    start_moves(e, out, s, mask, true, indent);
}

/* Packs what several moves send together. */
static void emit_packs(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!starts_move(s, r, mask)) continue;
        if (r->placed.move == MOVE_INLINED) emit_pack(e, out, s, r, indent);
        if (r->placed.move != MOVE_DECIDED) continue;
        text_format(out, "%sif (%s != NULL) {\n", indent, move_name(e, r));
        emit_pack(e, out, s, r, deeper(e, indent));
        text_format(out, "%s}\n", indent);
    }
}

/* The spaces of several statements have different names. */
const char *with_space(emitter *e, text *x, int number) {
    const char *s = text_of(x), *const name = "\1space";
    text out;
    if (number == 0) return s;
    text_start(&out, e->memory);
    for (const char *at; (at = strstr(s, name)); s = at + strlen(name)) {
        text_add_bytes(&out, s, (size_t)(at - s));
        text_format(&out, "%s_%d", name, number + 1);
    }
    text_add(&out, s);
    return text_of(&out);
}

typedef void (*emit_part)(emitter *e, text *out, const parallel *s, int mask, const char *indent);

/* Part of every statement, each with its own space. */
static void emit_each(emitter *e, text *out, const parallel *const *s, int count, int mask, emit_part part,
                      const char *indent) {
    for (int n = 0; n < count; n++) {
        text one;
        text_start(&one, e->memory);
        e->current = s[n];
        part(e, &one, s[n], mask, indent);
        text_add(out, with_space(e, &one, n));
    }
    e->current = s[0];
}

void emit_fetches(emitter *e, text *out, const parallel *const *s, int count, int mask, const char *indent) {
    if (!go_together(e->p, s, count, mask)) {
        emit_each(e, out, s, count, mask, emit_starts_packed, indent);
        return;
    }
    text_format(out, "%sdpc_begin_together(%s); /* one message to each process */\n", indent,
                place_literal(e, s[0]->node));
    emit_each(e, out, s, count, mask, emit_starts, indent);
    text_format(out, "%sdpc_end_together();\n", indent);
    emit_each(e, out, s, count, mask, emit_packs, indent);
}

/* The runtime puts the values together. */
static bool is_whole(const reference *r) {
    return r->placed.move == MOVE_FETCHED || r->placed.move == MOVE_BROADCAST;
}

static void emit_arrival(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    const char *ctype = element_spelling(r->array->element);
    if (is_whole(r)) {
        text_format(out, "%sconst %s *restrict %s = dpc_arrive(%s);\n", indent, ctype, r->placed.buffer,
                    fetch_name(e, r));
        return;
    }
    if (s->placed.waits_for >= 0) return;
    if (r->placed.move == MOVE_INLINED) {
        emit_store_pieces(e, out, s, r, indent);
        text_format(out, "%sconst %s *restrict %s = dpc_values(%s);\n", indent, ctype, r->placed.buffer,
                    move_name(e, r));
        return;
    }
    text_format(out, "%sif (%s != NULL) {\n", indent, move_name(e, r));
    emit_store_pieces(e, out, s, r, deeper(e, indent));
    text_format(out, "%s}\n%sconst %s *restrict %s = %s != NULL ? dpc_values(%s) : dpc_arrive(%s);\n", indent, indent,
                ctype, r->placed.buffer, move_name(e, r), move_name(e, r), fetch_name(e, r));
}

static void emit_release(emitter *e, text *out, const reference *r, const char *indent) {
    if (!is_whole(r)) text_format(out, "%sdpc_close(%s);\n", indent, move_name(e, r));
    if (r->placed.move != MOVE_INLINED) text_format(out, "%sdpc_release(%s);\n", indent, fetch_name(e, r));
}

/* Whether reference k has a move of its own to wait for. */
static bool has_arrival(const parallel *s, size_t k, int mask) {
    return source_of(s, &s->reference[k], mask) == SOURCE_MOVE;
}

void emit_arrivals(emitter *e, text *out, const parallel *s, int mask, bool release, const char *indent) {
    const bool boxes = execution_of(s, mask)->boxes;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!has_arrival(s, k, mask)) continue;
        if (release)
            emit_release(e, out, r, indent);
        else if (!boxes)
            emit_arrival(e, out, s, r, indent);
    }
}

const char *awaited_moves(emitter *e, const parallel *s) {
    text moves;
    int count = 0;
    text_start(&moves, e->memory);
    for (size_t k = 0; k < s->references; k++)
        if (has_arrival(s, k, -1)) text_format(&moves, "%s%s", count++ ? ", " : "", fetch_name(e, &s->reference[k]));
    return count ? arena_format(e->memory, ", %d, (dpc_transfer *[]){%s}", count, text_of(&moves)) : "";
}

void emit_arriving(emitter *e, text *out, const parallel *s, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (has_arrival(s, k, -1))
            text_format(out, "%sconst %s *restrict %s = dpc_arriving(%s);\n", indent,
                        element_spelling(r->array->element), r->placed.buffer, fetch_name(e, r));
    }
}

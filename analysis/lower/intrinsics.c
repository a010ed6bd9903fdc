/* Pass "lower": array intrinsics.  They change the subscripts of the references in their argument: a shift moves them,
 * a transpose exchanges them, a spread leaves one out. */
#include <string.h>

#include "lower.h"

/* ---- Arguments */

/* An argument that has one value for all elements; false after an error. */
static bool check_scalar(lowering *l, node *n, const char *what) {
    if (!first_section(n)) return true;
    diagnose(l->p->source, n, D_not_implemented, arena_format(l->p->memory, "%s that is an array", what));
    diagnose_help("one for each row or column: forall (i = lower:upper) M[i][:] = cshift(M[i][:], k[i]);");
    return false;
}

/* ---- Positions */

/* The iteration's position in a section of the statement, counted from 0. */
static linear position_of(const lowering *l, int section) {
    const linear value = linear_atom(l->p->memory, l->s->index[l->section_index[section]].name, NULL);
    return l->by_value[section] ? linear_subtract(l->p->memory, value, l->section[section][0]) : value;
}

/* A call of one of the functions that the serial program gets where it has such calls. */
static const char *shifting_call(const lowering *l, const char *function, const char *value, const linear *extent) {
    l->p->shifts = true;
    return arena_format(l->p->memory, "%s(%s, %s)", function, value, linear_text(l->p->memory, extent));
}

/* C text of the position of the element that is read, after the shifts so far. */
static const char *element_position(const lowering *l, int section) {
    const motion *m = &l->motion[section];
    arena *a = l->p->memory;
    if (m->text) return m->text;
    linear x = linear_add(a, position_of(l, section), m->distance);
    if (!m->cycled) return linear_text(a, &x);
    linear n = section_extent((lowering *)l, l->section[section]);
    return shifting_call(l, "dpc_cycled", linear_text(a, &x), &n);
}

subscript moved_subscript(lowering *l, int section, const linear bounds[3]) {
    arena *a = l->p->memory;
    const motion *m = &l->motion[section];
    const int index = l->section_index[section];
    subscript result = {.kind = SUBSCRIPT_AFFINE, .index = index, .stride = linear_constant(1)};
    if (m->text) {
        const char *at = linear_is(&bounds[2], 1)
                             ? operand(a, m->text)
                             : arena_format(a, "%s * %s", linear_operand(a, &bounds[2]), operand(a, m->text));
        if (!linear_is(&bounds[0], 0)) at = arena_format(a, "%s + %s", linear_text(a, &bounds[0]), at);
        return (subscript){.kind = SUBSCRIPT_GENERAL, .text = at};
    }
    if (l->by_value[section])
        result.offset = linear_subtract(a, bounds[0], l->section[section][0]);
    else {
        result.offset = bounds[0];
        result.stride = bounds[2];
    }
    if (m->moved) result.offset = linear_add(a, result.offset, linear_multiply(a, bounds[2], m->distance));
    if (!linear_mentions_index(l, &result.offset) && !linear_mentions_index(l, &result.stride)) return result;
    linear value = linear_multiply(a, result.stride, linear_atom(l->p->memory, l->s->index[index].name, NULL));
    value = linear_add(a, result.offset, value);
    return (subscript){.kind = SUBSCRIPT_GENERAL, .text = linear_text(a, &value)};
}

/* ---- Circular shifts */

void append_cycle(arena *a, reference *r, wrapping x) {
    wrapping *cycle = arena_alloc(a, (size_t)(r->cycles + 1) * sizeof *cycle);
    if (r->cycles > 0) memcpy(cycle, r->cycle, (size_t)r->cycles * sizeof *cycle);
    cycle[r->cycles++] = x;
    r->cycle = cycle;
    r->guarded = r->confined = true; /* its subscripts leave the array */
    r->turn = ALL_TURNS;
}

void add_cycle(lowering *l, reference *r, int d, int section, const linear bounds[3], bool whole) {
    const motion *m = &l->motion[section];
    if (r->cycles == MOST_CYCLES) {
        diagnose(l->p->source, r->node, D_not_implemented, "circular shifts along more than four dimensions");
        return;
    }
    append_cycle(l->p->memory, r,
                 (wrapping){.dim = d,
                            .position = linear_add(l->p->memory, position_of(l, section), m->turn),
                            .extent = section_extent(l, l->section[section]),
                            .step = bounds[2],
                            .moved = m->distance,
                            .reduced = m->reduced,
                            .whole = whole});
}

reference turned(const lowering *l, const reference *r, int turn) {
    arena *a = l->p->memory;
    reference out = copy_of_reference(a, r);
    out.turn = turn;
    for (int k = 0; k < r->cycles; k++) {
        const wrapping *c = &r->cycle[k];
        linear more = linear_subtract(a, c->reduced, c->moved);
        if (turn & 1 << k) more = linear_subtract(a, more, c->extent);
        linear *offset = &out.subscript[c->dim].offset;
        *offset = linear_add(a, *offset, linear_multiply(a, c->step, more));
        if (!linear_fits(offset))
            diagnose(l->p->source, r->node, D_not_implemented,
                     "a circular shift of elements at the ends of 64-bit indices");
    }
    return out;
}

/* The shift between 0 and the extent. */
static linear reduced_shift(lowering *l, node *call, const linear *shift, const linear *extent) {
    int64_t by;
    if (linear_value(shift, &by) && linear_is_constant(extent)) {
        const int64_t n = extent->constant;
        return linear_constant(n > 0 ? (by % n + n) % n : 0);
    }
    const int line = l->p->source->tokens[call->first].line;
    const char *wish = arena_format(l->p->memory, "shift_%d", line);
    const char *c_text = shifting_call(l, "dpc_cycled", linear_text(l->p->memory, shift), extent);
    const char *name = hoist_text(l, call, wish, c_text);
    l->s->hoisted->hoisted[l->s->hoisted->count - 1].turns = true;
    return linear_atom(l->p->memory, name, NULL);
}

/* The shift as a small number, if it is constant: 9 of 10 elements up is one down. */
static linear nearest_shift(linear shift, const linear *extent) {
    int64_t by;
    if (!linear_value(&shift, &by) || !linear_is_constant(extent) || extent->constant <= 0) return shift;
    const int64_t n = extent->constant, up = (by % n + n) % n;
    return linear_constant(2 * up > n ? up - n : up);
}

static void cycle_section(lowering *l, node *call, int section, linear shift) {
    arena *a = l->p->memory;
    motion *m = &l->motion[section];
    const linear extent = section_extent(l, l->section[section]);
    if (m->text || linear_mentions_index(l, &shift) || linear_mentions_index(l, &extent)) {
        const char *at = arena_format(a, "%s + %s", element_position(l, section), linear_operand(a, &shift));
        m->text = shifting_call(l, "dpc_cycled", at, &extent);
        return;
    }
    if (m->cycled) {
        const linear plain = linear_add(a, m->before, m->circular);
        if (!linear_equal(&plain, &m->distance)) {
            diagnose(l->p->source, call, D_not_implemented, "a circular shift of an end-off shift of a circular shift");
            return;
        }
        shift = linear_add(a, shift, m->circular);
    } else {
        m->before = m->distance;
    }
    m->circular = nearest_shift(shift, &extent);
    m->distance = linear_add(a, m->before, m->circular);
    m->reduced = linear_add(a, m->before, reduced_shift(l, call, &shift, &extent));
    m->turn = m->reduced;
    m->moved = m->cycled = true;
}

/* ---- End-off shifts */

/* The condition under which an end-off shift reads an element. */
static const char *end_condition(lowering *l, int section, const linear *shift) {
    arena *a = l->p->memory;
    const motion *m = &l->motion[section];
    const linear extent = section_extent(l, l->section[section]);
    if (m->text || m->cycled || !linear_is_constant(shift)) {
        const char *at = arena_format(a, "%s + %s", element_position(l, section), linear_operand(a, shift));
        return arena_format(a, "%s >= 0 && %s < %s", at, at, linear_text(a, &extent));
    }
    linear at = linear_add(a, linear_add(a, position_of(l, section), m->distance), *shift);
    if (shift->constant < 0 && !m->moved) return arena_format(a, "%s >= 0", linear_text(a, &at));
    const char *end = arena_format(a, "%s < %s", linear_text(a, &at), linear_text(a, &extent));
    return m->moved ? arena_format(a, "%s >= 0 && %s", linear_text(a, &at), end) : end;
}

/* A shift by more than the extent is one by the extent: nothing overflows when it is added. */
static linear clamped_shift(lowering *l, node *call, const linear *shift, const linear *extent) {
    int64_t by, n;
    if (linear_mentions_index(l, shift) || linear_mentions_index(l, extent)) return *shift;
    if (linear_value(shift, &by) && linear_value(extent, &n))
        return linear_number(l->p->memory, by > n ? n : by < -n ? -n : by);
    const char *wish = arena_format(l->p->memory, "shift_%d", l->p->source->tokens[call->first].line);
    const char *c_text = shifting_call(l, "dpc_clamped", linear_text(l->p->memory, shift), extent);
    return linear_atom(l->p->memory, hoist_text(l, call, wish, c_text), NULL);
}

static void end_off_section(lowering *l, node *call, int section, linear shift) {
    arena *a = l->p->memory;
    motion *m = &l->motion[section];
    const linear extent = section_extent(l, l->section[section]);
    shift = clamped_shift(l, call, &shift, &extent);
    const end_off x = {call, end_condition(l, section, &shift)};
    vector_add(a, l->s->end_off, l->s->ends, l->s->end_capacity, x);
    if (m->text || linear_mentions_index(l, &shift)) {
        m->text = arena_format(a, "%s + %s", element_position(l, section), linear_operand(a, &shift));
        return;
    }
    m->distance = linear_add(a, m->distance, shift);
    m->reduced = linear_add(a, m->reduced, shift);
    m->moved = true;
}

/* ---- Calls */

static void collect_shift(lowering *l, node *call, bool circular) {
    node *shift = call->child[2], *boundary = !circular && call->count > 3 ? call->child[3] : NULL;
    const int d = dimension_argument(l, call, circular ? 3 : 4, l->rank);
    if (d < 0 || !check_scalar(l, shift, "a shift") || (boundary && !check_scalar(l, boundary, "a boundary"))) return;
    if (mentions_index(l, shift) && reads_distributed(shift)) {
        diagnose(l->p->source, shift, D_not_implemented, "a shift that reads distributed elements with an index");
        diagnose_help("an ordinary array takes them first: long k[n]; k[:] = A[:];");
        return;
    }
    if (boundary) collect_references(l, boundary);
    lowering inner = *l;
    const linear amount = prepared(&inner, shift);
    (circular ? cycle_section : end_off_section)(&inner, call, l->order[d], amount);
    inner.decided = l->shifted ? l->decided : l->guarded;
    inner.shifted = true;
    inner.guarded = l->guarded || !circular;
    inner.confined = l->confined || !circular;
    collect_references(&inner, call->child[1]);
}

static void collect_cshift(lowering *l, node *call) {
    collect_shift(l, call, true);
}

static void collect_eoshift(lowering *l, node *call) {
    collect_shift(l, call, false);
}

static void collect_transpose(lowering *l, node *call) {
    lowering inner = *l;
    if (l->rank != 2) {
        diagnose(l->p->source, call, D_intrinsic_rank, "transpose", 2, l->rank);
        return;
    }
    inner.order[0] = l->order[1];
    inner.order[1] = l->order[0];
    collect_references(&inner, call->child[1]);
}

/* The copies conform to the section that they go with. */
static void check_copies(lowering *l, node *call, int section) {
    linear copies[3] = {linear_constant(1), prepared(l, call->child[3]), linear_constant(1)};
    const linear mine = section_extent(l, l->section[section]), theirs = section_extent(l, copies);
    const char *quote = ast_quote(l->p->memory, l->p->source, call);
    int64_t x, y;
    if (linear_value(&mine, &x) && linear_value(&theirs, &y)) {
        if (x != y)
            diagnose(l->p->source, call->child[3], D_non_conforming, (long long)x, l->leader[section], (long long)y,
                     quote);
        return;
    }
    if (linear_equal(&mine, &theirs)) return;
    conformity c = {.left_text = l->leader[section], .right_text = quote};
    memcpy(c.left, l->section[section], sizeof c.left);
    memcpy(c.right, copies, sizeof c.right);
    vector_add(l->p->memory, l->s->conformity, l->s->conformities, l->s->conformity_capacity, c);
}

static void collect_spread(lowering *l, node *call) {
    const int d = dimension_argument(l, call, 2, l->rank);
    if (d < 0 || !check_scalar(l, call->child[3], "a number of copies")) return;
    check_copies(l, call, l->order[d]);
    lowering inner = *l;
    inner.rank--;
    for (int k = d; k < inner.rank; k++) inner.order[k] = l->order[k + 1];
    collect_references(&inner, call->child[1]);
}

/* Those that can be computed have been taken out of their statement's value. */
static void collect_prefix(lowering *l, node *call) {
    diagnose(l->p->source, call, D_prefix_place, call->child[0]->name);
    diagnose_help("assign it to an array first: P[:] = %s(...);", call->child[0]->name);
}

void collect_intrinsic(lowering *l, node *call, intrinsic kind) {
    static void (*const collect[INTRINSICS])(lowering *, node *) = {
#define INTRINSIC(name, call, reader, least, most, forms) [INTRINSIC_##name] = collect_##reader,
#include "../model/intrinsics.def"
#undef INTRINSIC
    };
    if (!check_intrinsic_arguments(l, call, kind)) return;
    if (l->sections == 0 && !prefix_call(call, NULL, NULL))
        diagnose(l->p->source, call, D_section_place);
    else
        collect[kind](l, call);
}

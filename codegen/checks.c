/* Checks of subscripts that conditions guard, or that are not affine: where the ranges do not say that they stay inside, the
 * iterations that are executed are looked at before the loops.
 *
 *     if (dpc_leaves(&space, &B_dist, (const dpc_subscript[]){{0, 1, -1}}, NULL)) {
 *         loops
 *             if (conditions) dpc_checked(&B_dist, "file.dpc:7", 0, i - 1);
 *     } */
#include <string.h>

#include "spmd.h"

/* ---- What is to be checked */

static bool is_same_subscript(const subscript *u, const subscript *v) {
    if (u->kind != v->kind || u->kind == SUBSCRIPT_GENERAL || !linear_equal(&u->offset, &v->offset)) return false;
    return u->kind == SUBSCRIPT_INVARIANT || (u->index == v->index && linear_equal(&u->stride, &v->stride));
}

/* Whether the iterations that this process executes have an element of home with the same subscript, within equal bounds. */
static bool is_inside_as_home(const parallel *s, const reference *r, int d) {
    const reference *home = home_of(s);
    for (int k = 0; home && k < home->rank; k++)
        if (finds_owner(s, k) && is_same_subscript(&home->subscript[k], &r->subscript[d]) &&
            linear_equal(&home->array->lower[k], &r->array->lower[d]) &&
            linear_equal(&home->array->upper[k], &r->array->upper[d]))
            return true;
    return false;
}

/* Whether each iteration of the ranges evaluates the reference: then the ends of the ranges are checked elsewhere. */
static bool is_always_evaluated(const parallel *s, const reference *r) {
    if (s->clip || r->guarded) return false;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
    return true;
}

bool is_unchecked(emitter *e, const parallel *s, const reference *r, int d) {
    if (e->options->no_checks || !r->array || r->confined) return false;
    if (!s->loop && r->subscript[d].kind != SUBSCRIPT_GENERAL && is_always_evaluated(s, r)) return false;
    return !is_inside_as_home(s, r, d) && !executed_in_bounds(e->p, s, r, d);
}

bool needs_checks(emitter *e, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank && !s->loop; d++)
        if (is_unchecked(e, s, r, d)) return true;
    return false;
}

/* Whether only the iterations tell: a subscript that is not affine. */
static bool is_irregular(emitter *e, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL && is_unchecked(e, s, r, d)) return true;
    return false;
}

/* ---- Arguments */

/* Subscripts whose ends are to be compared; those of other dimensions are inside. */
static const char *compared_text(emitter *e, const parallel *s, const reference *r, bool owner) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        const bool compared = owner ? finds_owner(s, d) : is_unchecked(e, s, r, d);
        const char *offset = linear_text(e->memory, compared ? &u->offset : &r->array->lower[d]);
        if (compared && u->kind == SUBSCRIPT_AFFINE)
            text_format(&out, "%s{%d, %s, %s}", d ? ", " : "", u->index, linear_text(e->memory, &u->stride), offset);
        else
            text_format(&out, "%s{-1, 0, %s}", d ? ", " : "", offset);
    }
    return text_of(&out);
}

static const char *limits_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    bool any = false;
    text_start(&out, e->memory);
    text_add(&out, "(const dpc_bounds[]){");
    for (int k = 0; k < s->indices; k++) {
        const index_limits x = executed_limits(e->p, s, r, k);
        text_format(&out, "%s{%s, %s}", k ? ", " : "", x.low ? x.low : "INT64_MIN", x.high ? x.high : "INT64_MAX");
        any = any || x.low || x.high;
    }
    text_add(&out, "}");
    return any ? text_of(&out) : "NULL";
}

/* ---- Iterations that this process executes */

void emit_subscript_checks(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    for (int d = 0; d < r->rank; d++)
        if (is_unchecked(e, s, r, d))
            text_format(out, "%sdpc_checked(%s, %s, %d, %s);\n", indent, r->array->address, place_literal(e, r->node), d,
                        subscript_text(e, s, &r->subscript[d]));
}

static void emit_check(emitter *e, text *out, parallel *s, reference *r, int mask, const char *indent) {
    const char *inside = deeper(e, indent);
    body b = {.e = e, .out = out, .s = s, .mask = r->mask >= 0 ? r->mask : mask, .gathered = r, .checking = true};
    if (is_irregular(e, s, r))
        text_format(out, "%s{ /* only the iterations tell whether %s is inside */\n", indent, quote(e, r->node));
    else
        text_format(out, "%sif (dpc_leaves(&\1space, %s, (const dpc_subscript[]){%s}, %s)) {\n", indent, r->array->address,
                    compared_text(e, s, r, false), limits_text(e, s, r));
    emit_await(e, out, s, mask, inside);
    emit_inspector(&b, inside);
    text_format(out, "%s}\n", indent);
}

void emit_reference_check(emitter *e, text *out, parallel *s, reference *r, int mask, const char *indent) {
    if (needed(s, r, mask) && r->relation != RELATION_GATHER && r != home_of(s) && needs_checks(e, s, r))
        emit_check(e, out, s, r, mask, indent);
}

/* Home's subscripts that find owners are those of executed iterations; the others may leave it. */
void emit_home_check(emitter *e, text *out, parallel *s, int mask, const char *indent) {
    reference *home = (reference *)home_of(s);
    const bool stored = home == &s->left;
    if (!home || (stored ? mask >= 0 : !needed(s, home, mask)) || !needs_checks(e, s, home)) return;
    emit_check(e, out, s, home, mask, indent);
}

/* ---- Iterations that no process executes, as home has no such element */

static bool saves_masks(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m]) return true;
    return false;
}

bool looks_outside(const emitter *e, const parallel *s) {
    return s->outside && !e->options->no_checks;
}

/* The head of the loop over parts of the iterations. */
static void open_parts(emitter *e, text *out, const parallel *s, const char *indent) {
    const reference *home = home_of(s);
    text_format(out, "%sfor (dpc_part \1part = dpc_first_part(&\1space, %s, (const dpc_subscript[]){%s}, %s, %s); \1part.more; ",
                indent, home->array->address, compared_text(e, s, home, true), limits_text(e, s, home),
                saves_masks(s) ? "true" : "false");
    text_format(out, "dpc_next_part(&\1part)) { /* outside %s: none may be executed */\n", home->symbol->name);
}

static void emit_failure(body *b, const char *indent) {
    const reference *home = home_of(b->checked);
    for (int d = 0; d < home->rank; d++)
        if (finds_owner(b->checked, d) && !executed_in_bounds(b->e->p, b->checked, home, d))
            text_format(b->out, "%sdpc_checked(%s, %s, %d, %s);\n", indent, home->array->address,
                        place_literal(b->e, home->node), d, subscript_text(b->e, b->s, &home->subscript[d]));
}

void emit_outside(emitter *e, text *out, parallel *s, int mask, emit_inside inside, const char *indent) {
    const char *deep = deeper(e, indent);
    parallel *t = s->outside, *current = e->current;
    text part;
    text_start(&part, e->memory);
    open_parts(e, out, s, indent);
    e->current = t;
    body b = {.e = e, .out = &part, .s = t, .mask = mask, .checked = s};
    emit_prologue(e, &part, t, mask, deep);
    if (mask >= 0) {
        b.mask_buffer = t->mask_buffer[mask];
        text_format(&part, "%s%s = dpc_buffer(%s, 1);\n", deep, b.mask_buffer, mine_product(e, t, -1));
    }
    emit_nest(&b, mask >= 0 ? inside : emit_failure, deep);
    emit_epilogue(e, &part, t, mask, deep);
    text_format(&part, "%s}\n", indent);
    text_add(out, with_space(e, &part, 1));
    e->current = current;
}

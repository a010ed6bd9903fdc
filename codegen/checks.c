/* Checks of subscripts that conditions guard, or that are not affine: where the ranges do not say that they stay
 * inside, the iterations that are executed are looked at before the loops.
 *
 *     if (dpc_leaves(&space, &B_dist, (const dpc_subscript[]){{0, 1, -1}}, NULL)) {
 *         loops
 *             if ((i - 1 < lower || i - 1 > upper) && conditions) dpc_checked(&B_dist, "file.dpc:7", 0, i - 1);
 *     } */
#include <string.h>

#include "spmd.h"

/* ---- Arguments */

/* Subscripts whose ends are to be compared; those of other dimensions are inside. */
const char *compared_text(emitter *e, const parallel *s, const reference *r, bool owner) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        const bool compared = owner ? finds_owner(s, d) : is_unchecked(e->p, s, r, d);
        const char *offset = linear_words(e, compared ? &u->offset : &r->array->lower[d]);
        if (compared && u->kind == SUBSCRIPT_AFFINE)
            text_format(&out, "%s%s", d ? ", " : "", stepping_text(e, u));
        else
            text_format(&out, "%sDPC_FIXED(%s)", d ? ", " : "", offset);
    }
    return text_of(&out);
}

const char *limits_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    bool any = false;
    text_start(&out, e->memory);
    text_add(&out, "DPC_BOUNDS(");
    for (int k = 0; k < s->indices; k++) {
        const index_limits x = executed_limits(e->p, s, r, k);
        text_format(&out, "%s{%s, %s}", k ? ", " : "", x.low ? x.low : "INT64_MIN", x.high ? x.high : "INT64_MAX");
        any = any || x.low || x.high;
    }
    text_add(&out, ")");
    return any ? text_of(&out) : "NULL";
}

/* ---- Iterations that this process executes */

const char *outside_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    bool any = false;
    text_start(&out, e->memory);
    text_add(&out, "(");
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (!is_unchecked(e->p, s, r, d)) continue;
        if (u->kind == SUBSCRIPT_GENERAL) return "";
        const char *at = parenthesise(e, subscript_text(e, s, u));
        const char *lower = parenthesise(e, linear_words(e, &r->array->lower[d]));
        const char *upper = parenthesise(e, linear_words(e, &r->array->upper[d]));
        text_format(&out, "%s(dpc_index)%s < (dpc_index)%s || (dpc_index)%s > (dpc_index)%s", any ? " || " : "", at,
                    lower, at, upper);
        any = true;
    }
    text_add(&out, ")");
    return any ? text_of(&out) : "";
}

void emit_subscript_checks(emitter *e, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (is_unchecked(e->p, s, r, d))
            emit_line(e, "dpc_checked(%s, %s, %d, %s);", r->array->address, place_literal(e, r->node), d,
                      subscript_text(e, s, &r->subscript[d]));
}

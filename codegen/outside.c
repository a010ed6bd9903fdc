/* Iterations that no process executes, as home has no such element: none of them may be executed. */
#include "spmd.h"

static bool saves_masks(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m]) return true;
    return false;
}

/* The head of the loop over parts of the iterations. */
static void open_parts(emitter *e, text *out, const parallel *s, const char *indent) {
    const reference *home = home_of(s);
    text_format(
        out,
        "%sfor (dpc_part \1part = dpc_first_part(&\1space, %s, (const dpc_subscript[]){%s}, %s, %s); \1part.more; ",
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

void emit_outside(emitter *e, text *out, const parallel *s, int mask, emit_inside inside, const char *indent) {
    const char *deep = deeper(e, indent);
    const parallel *t = s->placed.outside, *current = e->current;
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

/* Iterations that no process executes, as home has no such element: none of them may be executed. */
#include "spmd.h"

static bool saves_masks(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved) return true;
    return false;
}

/* The head of the loop over parts of the iterations. */
static code *open_parts(emitter *e, const parallel *s) {
    const reference *home = home_of(s);
    for_loop l = {.ctype = "dpc_part", .counters = 1, .condition = "\1part.more", .advance = "dpc_next_part(&\1part)"};
    l.counter[0].name = "\1part";
    l.counter[0].first =
        arena_format(e->memory, "dpc_first_part(%s, %s, DPC_SUBSCRIPTS(%s), %s, %s)", space_of(e), home->array->address,
                     compared_text(e, s, home, true), limits_text(e, s, home), saves_masks(s) ? "true" : "false");
    l.comment = arena_format(e->memory, "outside %s: none may be executed", home->symbol->name);
    return open_loop(e, &l);
}

static void emit_failure(body *b) {
    const reference *home = home_of(b->checked);
    emit_loop_variables(b->e, b->checked, home->node);
    for (int d = 0; d < home->rank; d++)
        if (finds_owner(b->checked, d) && !is_inside_home(b->e->p, b->checked, d))
            emit_line(b->e, "dpc_checked(%s, %s, %d, %s);", home->array->address, place_literal(b->e, home->node), d,
                      subscript_text(b->e, b->checked, &home->subscript[d]));
}

void emit_outside(emitter *e, const parallel *s, int mask, emit_inside inside) {
    const parallel *t = s->placed.outside, *current = e->current;
    const char *space = e->space;
    code *around = open_parts(e, s);
    e->current = t;
    e->space = space_name(e, space, 1);
    body b = {.e = e, .s = t, .mask = mask, .checked = s};
    emit_prologue(e, t, mask);
    if (mask >= 0) {
        b.mask_buffer = t->mask[mask].buffer;
        emit_line(e, "%s = dpc_buffer(%s, sizeof *%s);", b.mask_buffer, mine_count(e, t, -1), b.mask_buffer);
    }
    emit_nest(&b, mask >= 0 ? inside : emit_failure);
    emit_epilogue(e, t, mask);
    close_block(e, around);
    e->space = space;
    e->current = current;
}

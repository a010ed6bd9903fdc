/* Where the values of a product stand: its operands in panels, its results. */
#include "spmd.h"

/* The first operand with the same subscripts of the same array. */
const reference *operand_of(const emitter *e, const parallel *s, const reference *r) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *x = &s->reference[k];
        if (x->placed.operand != OPERAND_NONE && x->array == r->array && same_subscripts(e->p, x, r)) return x;
    }
    return r;
}

/* "A_panel", of the second operand of an array "A_panel_2". */
const char *operand_name(emitter *e, const reference *r, const char *what) {
    return fresh_name(e->p, arena_format(e->memory, "%s_%s%s", r->symbol->name, what, moved_number(r)));
}

const char *buffer_name(emitter *e, const parallel *s) {
    return fresh_name(e->p, arena_format(e->memory, "%s_all", s->reduction[0].name));
}

const char *operand_text(emitter *e, const parallel *s, const reference *r) {
    const matrix_product *x = s->placed.product;
    const reference *first = operand_of(e, s, r);
    const char *rows = operand_name(e, first, "rows"), *at = name_of(e, s, x->reduced, "at"), *along = "";
    if (e->step > 0) at = arena_format(e->memory, "(%s + %d)", at, e->step);
    if (uses_index(r, x->row)) along = arena_format(e->memory, " + %s * %s.across", name_of(e, s, x->row, "at"), rows);
    if (uses_index(r, x->column)) along = arena_format(e->memory, " + %s", name_of(e, s, x->column, "at"));
    return arena_format(e->memory, "%s[%s * %s.down%s]", operand_name(e, first, "panel"), at, rows, along);
}

const char *product_result(emitter *e, const parallel *s) {
    bool uses[MAX_RANK] = {false};
    uses[s->placed.product->row] = uses[s->placed.product->column] = true;
    return arena_format(e->memory, "%s[%s]", buffer_name(e, s), position_text(e, s, uses));
}

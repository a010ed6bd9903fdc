/* Scatters: values go to owners that the loops find at run time, one by one, as rows, or where they went before. */
#include <string.h>

#include "spmd.h"

static void emit_scatter_item(body *b) {
    const reference *left = &b->s->left;
    const char *name = left->symbol->name;
    emit_inner_reductions(b);
    emit_locals(b->e, b->s);
    for (int d = 0; d < left->rank; d++)
        emit_line(b->e, "\1%s_where[\1%s_n * %d + %d] = %s;", name, name, left->rank, d,
                  subscript_text(b->e, b->s, &left->subscript[d]));
    emit_line(b->e, "\1%s_out[\1%s_n++] = %s;", name, name, expression(b->e, b->s->value));
}

static void emit_scatter_value(body *b) {
    const char *name = b->s->left.symbol->name;
    emit_inner_reductions(b);
    emit_locals(b->e, b->s);
    emit_line(b->e, "\1%s_out[\1%s_n++] = %s;", name, name, expression(b->e, b->s->value));
}

/* The places of a row's values, which the loops store one by one. */
static void emit_stored_value(body *b) {
    const parallel *s = b->s;
    bool rows[MAX_RANK], columns[MAX_RANK];
    for (int k = 0; k < s->indices; k++) {
        columns[k] = s->index[k].reduction < 0 && runs_in_row(s, &s->left, -1, k);
        rows[k] = s->index[k].reduction < 0 && !columns[k];
    }
    emit_inner_reductions(b);
    emit_locals(b->e, s);
    const char *row = position_by_value(b, rows), *column = position_by_value(b, columns);
    emit_line(b->e, "((%s *)\1%s_to[%s])[%s] = %s;", buffer_ctype(b->e, s), s->left.symbol->name, row, column,
              expression(b->e, s->value));
}

/* transfer: C text of what begins the scatter. */
static void emit_stored_rows(body *b, const char *transfer) {
    emitter *e = b->e;
    const char *name = b->s->left.symbol->name;
    emit_line(e, "dpc_scattering *\1%s_rows = %s;", name, transfer);
    emit_line(e, "void *const *\1%s_to = dpc_rows_of(\1%s_rows);", name, name);
    emit_nest(b, emit_stored_value);
    emit_line(e, "dpc_end_scatter(\1%s_rows);", name);
}

/* Values go to owners that stay known. */
static void emit_reused_scatter(emitter *e, const parallel *s) {
    const reference *left = &s->left;
    const char *name = left->symbol->name, *reused = left->combined.reused, *count = mine_count(e, s, -1);
    const char *ctype = buffer_ctype(e, s), *address = left->array->address, *place = place_literal(e, s->node);
    body b = {.e = e, .s = s, .mask = -1};
    code *around =
        open_head(e, "if (!dpc_inspected(&%s, %s, %s, %s))", reused, space_of(e), address, inputs_text(e, left));
    emit_subscripts(e, s, left, -1);
    if (s->placed.home == HOME_REPLICATED && !s->placed.in_parts)
        emit_line(e, "if (dpc_rank() != 0) \1%s_n = 0; /* every process has them */", name);
    emit_line(e, "dpc_inspect%s_reused(&%s, %s, %s%s, \1%s_n%s, \1%s_where);", rows_word(s, left, -1), reused, place,
              address, has_rows(s, left, -1) ? arena_format(e->memory, ", %s", row_width(e, s, left, -1)) : "", name,
              each_text(e, left, "/"), name);
    emit_line(e, "dpc_free_buffer(\1%s_where);", name);
    close_block(e, around);
    if (stores_rows(s)) {
        emit_stored_rows(&b, arena_format(e->memory, "dpc_begin_scatter_reused(&%s, %s)", reused, address));
        return;
    }
    emit_line(e, "%s *\1%s_out = dpc_buffer(%s, sizeof(%s));", ctype, name, count, ctype);
    emit_line(e, "dpc_index \1%s_n = 0;", name);
    emit_nest(&b, emit_scatter_value);
    emit_line(e, "dpc_scatter_reused(&%s, %s, \1%s_out);", reused, address, name);
    emit_line(e, "dpc_free_buffer(\1%s_out);", name);
}

/* Whole elements are fetched, changed and sent back. */
static void emit_scattered_members(emitter *e, const parallel *s) {
    const array *a = s->left.array;
    const char *name = a->symbol->name, *place = place_literal(e, s->node);
    emit_line(e, "%s *\1%s_old = dpc_gather(%s, %s, false, \1%s_n, \1%s_where);", element_spelling(a->element), name,
              place, a->address, name, name);
    replace(e, s->left.node, arena_format(e->memory, "\1%s_old[k]", name));
    emit_line(e, "for (dpc_index k = 0; k < \1%s_n; k++) %s %s \1%s_out[k];", name, emit_node(e, s->member), s->op,
              name);
    emit_line(e, "dpc_scatter(%s, %s, \1%s_n, \1%s_where, \1%s_old);", place, a->address, name, name, name);
    emit_line(e, "dpc_free_buffer(\1%s_old);", name);
}

/* Rows of values go to owners found at run time. */
static void emit_scattered_rows(emitter *e, const parallel *s) {
    const reference *left = &s->left;
    const char *name = left->symbol->name, *ctype = buffer_ctype(e, s), *place = place_literal(e, s->node);
    body b = {.e = e, .s = s, .mask = -1};
    emit_subscripts(e, s, left, -1);
    if (stores_rows(s)) {
        emit_stored_rows(&b, arena_format(e->memory, "dpc_begin_scatter_rows(%s, %s, %s, \1%s_n%s, \1%s_where)", place,
                                          left->array->address, row_width(e, s, left, -1), name,
                                          each_text(e, left, "/"), name));
        emit_line(e, "dpc_free_buffer(\1%s_where);", name);
        return;
    }
    emit_line(e, "%s *\1%s_out = dpc_buffer(%s, sizeof(%s));", ctype, name, mine_count(e, s, -1), ctype);
    code *around = open_block(e);
    emit_line(e, "dpc_index \1%s_n = 0;", name);
    emit_nest(&b, emit_scatter_value);
    close_block(e, around);
    if (s->placed.home == HOME_REPLICATED && !s->placed.in_parts)
        emit_line(e, "if (dpc_rank() != 0) \1%s_n = 0; /* every process has them */", name);
    emit_line(e, "dpc_scatter_rows(%s, %s, %s, \1%s_n%s, \1%s_where, \1%s_out);", place, left->array->address,
              row_width(e, s, left, -1), name, each_text(e, left, "/"), name, name);
    emit_line(e, "dpc_free_buffer(\1%s_out);", name);
    emit_line(e, "dpc_free_buffer(\1%s_where);", name);
}

/* Values go to owners found at run time. */
static void emit_scattered_elements(emitter *e, const parallel *s) {
    const array *a = s->left.array;
    const char *name = a->symbol->name, *ctype = buffer_ctype(e, s), *count = mine_count(e, s, -1);
    const char *place = place_literal(e, s->node);
    body b = {.e = e, .s = s, .mask = -1};
    emit_line(e, "dpc_index *\1%s_where = dpc_buffer(%s * %d, sizeof(dpc_index)), \1%s_n = 0;", name, count, a->rank,
              name);
    emit_line(e, "%s *\1%s_out = dpc_buffer(%s, sizeof(%s));", ctype, name, count, ctype);
    emit_nest(&b, emit_scatter_item);
    if (s->placed.home == HOME_REPLICATED && !s->placed.in_parts)
        emit_line(e, "if (dpc_rank() != 0) \1%s_n = 0; /* every process has them */", name);
    if (s->member) {
        emit_scattered_members(e, s);
    } else if (strcmp(s->op, "=") != 0) {
        const char *element_type = element_spelling(a->element);
        const char *op = arena_text(e->memory, s->op, strlen(s->op) - 1);
        emit_line(e, "%s *\1%s_old = dpc_gather(%s, %s, false, \1%s_n, \1%s_where);", element_type, name, place,
                  a->address, name, name);
        emit_line(e, "for (dpc_index k = 0; k < \1%s_n; k++) \1%s_old[k] = \1%s_old[k] %s \1%s_out[k];", name, name,
                  name, op, name);
        emit_line(e, "dpc_scatter(%s, %s, \1%s_n, \1%s_where, \1%s_old);", place, a->address, name, name, name);
        emit_line(e, "dpc_free_buffer(\1%s_old);", name);
    } else
        emit_line(e, "dpc_scatter(%s, %s, \1%s_n, \1%s_where, \1%s_out);", place, a->address, name, name, name);
    emit_line(e, "dpc_free_buffer(\1%s_out);", name);
    emit_line(e, "dpc_free_buffer(\1%s_where);", name);
}

void emit_scatter(emitter *e, const parallel *s) {
    if (s->left.combined.reused)
        emit_reused_scatter(e, s);
    else if (has_rows(s, &s->left, -1) && !strcmp(s->op, "="))
        emit_scattered_rows(e, s);
    else
        emit_scattered_elements(e, s);
}

/* Statements that store what other iterations read in place, a few rows at a time: a row's values wait in a buffer
 * until no later row reads what they replace. */
#include <string.h>

#include "spmd.h"

/* Elements of a row: the values of all indices but the first. */
static const char *row_count(emitter *e, const parallel *s) {
    const char *product = NULL;
    for (int k = 1; k < s->indices; k++)
        if (s->index[k].reduction < 0)
            product = arena_format(e->memory, "%s%s%s->mine[%d]", product ? product : "", product ? " * " : "",
                                   space_of(e), k);
    return product;
}

/* What is done with a row, whose first index has a value; behind: rows that wait meanwhile. */
static void emit_row(body *b, const char *first, const char *condition, int64_t behind, emit_inside inside) {
    emitter *e = b->e;
    const char *name = b->s->index[0].name, *ctype = buffer_ctype(e, b->s);
    code *around = condition ? open_guard(e, condition) : open_block(e);
    if (behind > 0) emit_line(e, "const long %s = \1row%s;", name, first);
    if (behind > 0)
        emit_line(e, "%s *restrict \1values = \1rows + (%s - %s.first) %% %lld * \1row_values;", ctype, name,
                  name_of(e, b->s, 0, "run"), (long long)behind + 1);
    inside(b);
    close_block(e, around);
}

static void emit_row_values(body *b) {
    emitter *e = b->e;
    emit_line(e, "dpc_index \1value_at = 0;");
    code *around = open_inner_loops(b, 1);
    emit_inner_reductions(b);
    emit_locals(e, b->s);
    emit_line(e, "\1values[\1value_at++] = %s;", expression(e, b->s->value));
    emit_counters(b, -1, false);
    emit_counters(b, -1, true);
    close_block(e, around);
}

/* Whether a row's elements lie side by side as its values do. */
static bool is_stored_in_one_piece(const parallel *s) {
    const reference *left = &s->left;
    const loop_index *x = &s->index[1];
    int own = 0;
    for (int k = 0; k < s->indices; k++) own += s->index[k].reduction < 0;
    if (own != 2 || strcmp(s->op, "=") != 0 || s->member || !left->array || x->reduction >= 0 || is_strided(s, 1))
        return false;
    const subscript *u = &left->subscript[left->rank - 1];
    return u->kind == SUBSCRIPT_AFFINE && u->index == 1 && linear_is(&u->stride, 1) && linear_is(&x->stride, 1) &&
           !x->descending;
}

static void emit_row_stores(body *b) {
    emitter *e = b->e;
    if (is_stored_in_one_piece(b->s)) {
        emit_line(e, "const long %s = %s.first;", b->s->index[1].name, name_of(e, b->s, 1, "run"));
        emit_line(e, "if (\1row_values > 0) memcpy(&%s, \1values, (size_t)\1row_values * sizeof *\1values);",
                  stored_text(e, b->s));
        return;
    }
    emit_line(e, "dpc_index \1value_at = 0;");
    code *around = open_inner_loops(b, 1);
    emit_line(e, "%s %s \1values[\1value_at++];", stored_text(e, b->s), b->s->op);
    close_block(e, around);
}

/* Row by row: a row's values are stored when the last row that reads what they replace has been computed. */
void emit_rows(emitter *e, const parallel *s) {
    const int64_t behind = s->placed.behind;
    const char *run = behind > 0 ? name_of(e, s, 0, "run") : "", *ctype = buffer_ctype(e, s);
    body b = {.e = e, .s = s, .mask = -1};
    for_loop l = {.ctype = "long", .relation = "<=", .counters = 1, .last = arena_format(e->memory, "%s.last", run)};
    l.counter[0] = (loop_counter){s->index[0].name, arena_format(e->memory, "%s.first", run), "1"};
    emit_line(e, "const dpc_index \1row_values = %s;", row_count(e, s));
    emit_line(e, "%s *%s\1%s = dpc_buffer(%s\1row_values, sizeof(%s));", ctype, behind ? "" : "restrict ",
              behind ? "rows" : "values", behind ? arena_format(e->memory, "%lld * ", (long long)behind + 1) : "",
              ctype);
    if (behind > 0) {
        l.counter[0].name = "\1row";
        l.last = arena_format(e->memory, "%s + %lld", l.last, (long long)behind);
    }
    code *around = behind > 0 ? open_loop(e, &l) : open_outer_loop(&b);
    emit_row(&b, "", behind ? arena_format(e->memory, "\1row <= %s.last", run) : NULL, behind, emit_row_values);
    emit_line(e, "/* no later row reads the old values of this one */");
    emit_row(&b, arena_format(e->memory, " - %lld", (long long)behind),
             behind ? arena_format(e->memory, "\1row >= %s.first + %lld", run, (long long)behind) : NULL, behind,
             emit_row_stores);
    close_block(e, around);
    emit_line(e, "dpc_free_buffer(\1%s);", behind ? "rows" : "values");
}

/* Row by row: what iterations read of elements that others in the row store is read before it. */
void emit_kept_rows(emitter *e, const parallel *s) {
    body b = {.e = e, .s = s, .mask = -1};
    code *around = open_outer_loop(&b);
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool again = false;
        for (size_t j = 0; j < k; j++) again = again || s->reference[j].placed.kept == r->placed.kept;
        if (!r->placed.kept || again) continue;
        const char *ctype = r->array ? element_spelling(r->array->element) : left_ctype(e, s);
        emit_line(e, "const %s %s = %s;", ctype, r->placed.kept, reference_text(e, r));
    }
    e->keeps_rows = true;
    open_inner_loops(&b, 1);
    emit_inner_reductions(&b);
    emit_locals(e, s);
    emit_line(e, "%s %s %s;", stored_text(e, s), s->op, expression(e, s->value));
    e->keeps_rows = false;
    emit_counters(&b, -1, false);
    emit_counters(&b, -1, true);
    close_block(e, around);
}

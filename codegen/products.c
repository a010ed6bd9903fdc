/* Products: reductions whose operands have two of three indices, as sum(k, A[i][k] * B[k][j]).  The results of all i
 * and j are formed together, in panels of some values of k, so that operands come in large messages and are used from
 * the cache:
 *
 *     dpc_panels *A_panels = dpc_open_panels(&space, &A_dist, ...), *B_panels = ...;
 *     for (dpc_index k_first = 0; k_first < space.count[2]; k_first += 64) {
 *         const dpc_panel A_rows = dpc_next_panel(A_panels), B_rows = ...;
 *         for a part of my j, my i, and 4 values of k in the panel
 *             for (dpc_index j_at = j_first; j_at < j_end; j_at++) {
 *                 double sum_1 = C_to[j_at];
 *                 sum_1 += A_panel[k_at * A_rows.down + i_at * A_rows.across] * B_panel[k_at * B_rows.down + j_at];
 *                 ...
 *                 C_to[j_at] = sum_1;
 *             }
 *     }
 *
 * Each result is formed in ascending order of k, as in the serial program.  Source of the loops' order: Goto and van de
 * Geijn, Anatomy of high-performance matrix multiplication, 2008, section 4. */
#include <string.h>

#include "spmd.h"

/* Elements of a panel's row that are used before the next ones; values of k for each pass over a row of results.  A
 * panel's part of PANEL_DEPTH * WIDTH doubles stays in a second-level cache of 256 KiB. */
enum { WIDTH = 256, UNROLLED = 4 };

/* ---- Names */

static const char *name(emitter *e, const parallel *s, int k, const char *what) {
    return name_of(e, s, k, what);
}

/* The row of results that the loop of `column` runs over. */
static const char *row_name(emitter *e, const parallel *s) {
    const char *of = s->placed.product->in_left ? s->left.symbol->name : s->reduction[0].name;
    return fresh_name(e->p, arena_format(e->memory, "%s_to", of));
}

static const char *ctype_of(const parallel *s) {
    return value_ctype(s->reduction[0].type);
}

/* ---- Where values stand */

void comment_operand(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    if (r->placed.relation == RELATION_LOCAL) return;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == s->placed.product->reduced)
            text_format(out, "\n%s *   %s %s: panels of %d values of %s, broadcast along dimension %d of the grid",
                        indent, quote(e, r->node), mapping_words(e->memory, r->array), PANEL_DEPTH,
                        s->index[s->placed.product->reduced].name, grid_dimension(&r->array->mapping, d) + 1);
}

/* ---- Operands */

static const char *fresh_panels(emitter *e, const parallel *s, const reference *r) {
    const int reduced = s->placed.product->reduced;
    const bool column = uses_index(r, s->placed.product->column);
    if (r->placed.operand == OPERAND_PANELS)
        return arena_format(e->memory, "dpc_open_panels(%s, %s, DPC_SUBSCRIPTS(%s), %d, %d, %s)", space_of(e),
                            r->array->address, subscripts_text(e, s, r, false), reduced, PANEL_DEPTH,
                            column ? "true" : "false");
    const int other = column                                  ? s->placed.product->column
                      : uses_index(r, s->placed.product->row) ? s->placed.product->row
                                                              : -1;
    return arena_format(e->memory, "dpc_open_block_panels(%s, %s, sizeof(%s), %d, %d, %d, %s)", space_of(e),
                        r->placed.buffer, element_spelling(r->array->element), other, reduced, PANEL_DEPTH,
                        column ? "true" : "false");
}

/* Calls `emit` for each distinct operand. */
static void each_operand(emitter *e, const parallel *s, void (*emit)(emitter *, const parallel *, const reference *)) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->placed.operand != OPERAND_NONE && operand_of(e, s, r) == r) emit(e, s, r);
    }
}

static void open_operand(emitter *e, const parallel *s, const reference *r) {
    emit_line(e, "dpc_panels *%s = %s;", operand_name(e, r, "panels"), fresh_panels(e, s, r));
}

static void next_of_operand(emitter *e, const parallel *s, const reference *r) {
    (void)s;
    const char *rows = operand_name(e, r, "rows");
    emit_line(e, "const dpc_panel %s = dpc_next_panel(%s);", rows, operand_name(e, r, "panels"));
    emit_line(e, "const %s *restrict %s = %s.values;", element_spelling(r->array->element), operand_name(e, r, "panel"),
              rows);
}

static void close_operand(emitter *e, const parallel *s, const reference *r) {
    (void)s;
    emit_line(e, "dpc_close_panels(%s);", operand_name(e, r, "panels"));
}

/* ---- Loops */

static void emit_row(emitter *e, const parallel *s) {
    const char *from = s->placed.product->in_left ? left_row(e, s)
                                                  : arena_format(e->memory, "%s + %s * %s", buffer_name(e, s),
                                                                 name(e, s, s->placed.product->row, "at"),
                                                                 name(e, s, s->placed.product->column, "count"));
    emit_line(e, "%s *restrict %s = %s;", ctype_of(s), row_name(e, s), from);
}

/* for (dpc_index name = first; name < end; name += step) */
static code *open_counting(emitter *e, const char *counter, const char *first, const char *end, const char *step) {
    const for_loop l = {
        .ctype = "dpc_index", .counter = {{counter, first, step}}, .counters = 1, .relation = "<", .last = end};
    return open_loop(e, &l);
}

static code *open_row_loop(emitter *e, const parallel *s) {
    const int row = s->placed.product->row;
    emit_rows_team(e, s);
    return open_counting(e, name(e, s, row, "at"), "0", name(e, s, row, "count"), "1");
}

/* Home's local index at the first of my values of an index. */
static const char *first_local(emitter *e, const parallel *s, int k) {
    return is_single_run(s, k) ? arena_format(e->memory, "%s.local", name(e, s, k, "run"))
                               : arena_format(e->memory, "dpc_first_run(%s, %d).local", space_of(e), k);
}

/* Memory for the results, and what they are without operands. */
static void emit_results(emitter *e, const parallel *s) {
    const matrix_product *x = s->placed.product;
    const char *at = name(e, s, x->column, "at"), *start = start_text(e, &s->reduction[0]);
    if (x->in_left)
        emit_line(e, "const dpc_index %s = %s, %s = %s;", name(e, s, 0, "local"), first_local(e, s, 0),
                  name(e, s, 1, "local"), first_local(e, s, 1));
    else
        emit_line(e, "%s *%s = dpc_buffer(%s, sizeof(%s));", ctype_of(s), buffer_name(e, s), mine_count(e, s, -1),
                  ctype_of(s));
    if (!x->in_left && !strcmp(start, "0")) return;
    code *around = open_row_loop(e, s);
    emit_row(e, s);
    emit_line(e, "for (dpc_index %s = 0; %s < %s; %s++) %s[%s] = %s;", at, at, name(e, s, x->column, "count"), at,
              row_name(e, s), at, start);
    close_block(e, around);
}

/* Updates of a row of results by `steps` values of k. */
static void emit_pass(emitter *e, const parallel *s, int steps) {
    const reduction *r = &s->reduction[0];
    const int column = s->placed.product->column;
    const char *at = name(e, s, column, "at"), *to = row_name(e, s);
    code *around = open_counting(e, at, name(e, s, column, "part"), name(e, s, column, "end"), "1");
    emit_line(e, "%s %s = %s[%s];", ctype_of(s), r->name, to, at);
    for (e->step = 0; e->step < steps; e->step++) {
        emit_update_beside(e, r);
    }
    e->step = 0;
    emit_line(e, "%s[%s] = %s;", to, at, r->name);
    close_block(e, around);
}

/* What one panel adds to a part of the columns. */
static void emit_part(emitter *e, const parallel *s) {
    const char *at = name(e, s, s->placed.product->reduced, "at");
    const char *rows = name(e, s, s->placed.product->reduced, "rows");
    code *around = open_row_loop(e, s);
    emit_row(e, s);
    emit_line(e, "dpc_index %s = 0;", at);
    code *part = open_head(e, "for (; %s + %d <= %s; %s += %d)", at, UNROLLED, rows, at, UNROLLED);
    emit_pass(e, s, UNROLLED);
    close_block(e, part);
    open_head(e, "for (; %s < %s; %s++)", at, rows, at);
    emit_pass(e, s, 1);
    close_block(e, around);
}

void emit_product(emitter *e, const parallel *s) {
    const int reduced = s->placed.product->reduced, column = s->placed.product->column;
    const char *first = name(e, s, reduced, "panel");
    const char *part = name(e, s, column, "part"), *count = name(e, s, column, "count");
    each_operand(e, s, open_operand);
    emit_results(e, s);
    const char *all = arena_format(e->memory, "%s->count[%d]", space_of(e), reduced);
    code *around = open_counting(e, first, "0", all, arena_format(e->memory, "%d", PANEL_DEPTH));
    each_operand(e, s, next_of_operand);
    emit_line(e, "const dpc_index %s = dpc_minimum(%d, %s - %s);", name(e, s, reduced, "rows"), PANEL_DEPTH, all,
              first);
    open_counting(e, part, "0", count, arena_format(e->memory, "%d", WIDTH));
    emit_line(e, "const dpc_index %s = dpc_minimum(%s + %d, %s);", name(e, s, column, "end"), part, WIDTH, count);
    emit_part(e, s);
    close_block(e, around);
    each_operand(e, s, close_operand);
}

void emit_end_product(emitter *e, const parallel *s) {
    if (!s->placed.product->in_left) emit_line(e, "dpc_free_buffer(%s);", buffer_name(e, s));
}

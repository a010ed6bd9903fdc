/* Statements whose inner reductions go around the loop of the last index (pass "interchange"):
 *
 *     for (long i_tile = i_run.first; i_tile <= i_run.last; i_tile += 512) {
 *         const long i_end = dpc_minimum(i_tile + 511, i_run.last);
 *         double sum_5[512];
 *         for (long i = i_tile; i <= i_end; i++) sum_5[i - i_tile] = 0;
 *         for (long j = j_run.first; j <= j_run.last; j++)
 *             for (long i = i_tile; i <= i_end; i++) sum_5[i - i_tile] += ...;
 *         for (long i = i_tile; i <= i_end; i++) A[i - i_shift] = sum_5[i - i_tile];
 *     } */
#include "spmd.h"

/* The statements that are executed in the loops. */
static const parallel *statement(const body *b, int n) {
    return b->chain ? b->chain[n] : b->s;
}
static int statements(const body *b) {
    return b->chain ? b->chained : 1;
}

static const char *open_values(const body *b, const char *indent) {
    const int k = tiled_index(b->s);
    const char *n = b->s->index[k].name;
    text_format(b->out, "%sfor (long %s = %s; %s <= %s; %s++) {\n", indent, n, tile_name(b->e, b->s, k), n,
                name_of(b->e, b->s, k, "end"), n);
    return deeper(b->e, indent);
}

/* Declares the results of a tile. */
static void declare_results(const body *b, const char *indent) {
    for (int n = 0; n < statements(b); n++)
        for (size_t r = 0; r < statement(b, n)->reductions; r++) {
            const reduction *x = &statement(b, n)->reduction[r];
            text_format(b->out, "%s%s %s[%d];\n", indent, reduction_ctype(x), x->name, TILE_VALUES);
        }
}

static void start_results(const body *b, const char *indent) {
    const char *inside = open_values(b, indent);
    for (int n = 0; n < statements(b); n++)
        for (size_t r = 0; r < statement(b, n)->reductions; r++) {
            const reduction *x = &statement(b, n)->reduction[r];
            text_format(b->out, "%s%s = %s;\n", inside, x->in_tile, start_text(b->e, x));
        }
    text_format(b->out, "%s}\n", indent);
}

/* Reduction number r of every statement. */
static void emit_growth(const body *b, int r, const char *indent) {
    const char *deep = open_loops(b, r, indent), *inside = open_values(b, deep);
    for (int n = 0; n < statements(b); n++) {
        b->e->current = statement(b, n);
        emit_update_beside(b->e, b->out, &statement(b, n)->reduction[r], inside);
    }
    b->e->current = b->s;
    text_format(b->out, "%s}\n", deep);
    close_loops(b, r, indent);
}

void emit_tiles(body *b, emit_inside inside, const char *indent) {
    b->tiles = true;
    const char *deep = open_loops(b, -1, indent);
    b->tiles = false;
    declare_results(b, deep);
    start_results(b, deep);
    for (int r = 0; r < (int)b->s->reductions; r++) emit_growth(b, r, deep);
    inside(b, open_values(b, deep));
    text_format(b->out, "%s}\n", deep);
    close_loops(b, -1, indent);
}

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

static code *open_values(const body *b) {
    const int k = tiled_index(b->s);
    for_loop l = {.ctype = "long", .relation = "<=", .last = name_of(b->e, b->s, k, "end"), .counters = 1};
    l.counter[0] = (loop_counter){b->s->index[k].name, tile_name(b->e, b->s, k), "1"};
    return open_loop(b->e, &l);
}

/* Declares the results of a tile. */
static void declare_results(const body *b) {
    for (int n = 0; n < statements(b); n++)
        for (size_t r = 0; r < statement(b, n)->reductions; r++) {
            const reduction *x = &statement(b, n)->reduction[r];
            emit_line(b->e, "%s %s[%d];", reduction_ctype(x), x->name, TILE_VALUES);
        }
}

static void start_results(const body *b) {
    code *around = open_values(b);
    for (int n = 0; n < statements(b); n++)
        for (size_t r = 0; r < statement(b, n)->reductions; r++) {
            const reduction *x = &statement(b, n)->reduction[r];
            emit_line(b->e, "%s = %s;", x->in_tile, start_text(b->e, x));
        }
    close_block(b->e, around);
}

/* Reduction number r of every statement. */
static void emit_growth(const body *b, int r) {
    code *around = open_loops(b, r);
    open_values(b);
    for (int n = 0; n < statements(b); n++) {
        b->e->current = statement(b, n);
        emit_update_beside(b->e, &statement(b, n)->reduction[r]);
    }
    b->e->current = b->s;
    close_block(b->e, around);
}

void emit_tiles(body *b, emit_inside inside) {
    b->tiles = true;
    code *around = open_loops(b, -1);
    b->tiles = false;
    declare_results(b);
    start_results(b);
    for (int r = 0; r < (int)b->s->reductions; r++) emit_growth(b, r);
    open_values(b);
    inside(b);
    close_block(b->e, around);
}

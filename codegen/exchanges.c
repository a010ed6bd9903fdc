/* Functions of the program that pack and send the messages of moves whose loops are alike:
 *
 *     static dpc_move *exchange(dpc_move *move) {
 *         DPC_RECEIVES(from, move) MPI_Irecv(DPC_MESSAGE(move, from));
 *         DPC_SENDS(to, move) {
 *             double *out = to->data, *part = dpc_source(move);
 *             DPC_STRIPS(set0, dpc_outgoing_axis(move, to, 0, 0)) DPC_STRIP_RUNS(run0, set0)
 *                 DPC_IVDEP DPC_IN_STRIP_RUN(at0, from0, run0, 1) *out++ = part[from0];
 *             MPI_Isend(DPC_MESSAGE(move, to));
 *         }
 *         return move;
 *     }
 *
 * Axes have the numbers of the innermost one outwards, 0 first, so that a move of fewer axes takes the same loops. */
#include <inttypes.h>
#include <string.h>

#include "spmd.h"

/* "set0": what belongs to axis k. */
static const char *axis_name(emitter *e, int k, const char *what) {
    return arena_format(e->memory, "\1%s%d", what, k);
}

static const char *strip_of_axis(emitter *e, const exchange *x, int k) {
    return arena_format(e->memory, "dpc_outgoing_axis(\1move, \1to, %d, %d)", k, x->points[k]);
}

static const char *step_of_axis(emitter *e, const exchange *x, int k) {
    if (k == 0 && x->step != 0) return arena_format(e->memory, "%" PRId64, x->step);
    return arena_format(e->memory, "%s.from_step", axis_name(e, k, "set"));
}

/* Whether the loop over the strips of an axis stands around its values: the strip of an inner one, if it is the only
 * one, stands before all loops. */
static bool has_strip_loop(const exchange *x, int k) {
    return k == x->axes - 1 || x->strips[k];
}

static void open_macro(emitter *e, const char *macro, bool independent) {
    open_loop(e, &(for_loop){.macro = macro, .independent = independent});
}

/* The loops over the values of one axis. */
static void open_axis(emitter *e, const exchange *x, int k) {
    const char *set = axis_name(e, k, "set"), *at = axis_name(e, k, "at"), *from = axis_name(e, k, "from"),
               *run = axis_name(e, k, "run");
    if (has_strip_loop(x, k))
        open_macro(e, arena_format(e->memory, "DPC_STRIPS(%s, %s)", set, strip_of_axis(e, x, k)), false);
    if (x->points[k]) {
        open_macro(e, arena_format(e->memory, "DPC_STRIP_VALUES(%s, %s, %s)", at, from, set), false);
        return;
    }
    open_macro(e, arena_format(e->memory, "DPC_STRIP_RUNS(%s, %s)", run, set), false);
    open_macro(e, arena_format(e->memory, "DPC_IN_STRIP_RUN(%s, %s, %s, %s)", at, from, run, step_of_axis(e, x, k)),
               k == 0);
}

static void emit_packing(emitter *e, const exchange *x) {
    text place;
    code *around = e->at;
    text_start(&place, e->memory);
    emit_line(e, "%s *\1out = \1to->data, *\1part = dpc_source(\1move);", element_spelling(x->element));
    for (int k = x->axes - 1; k >= 0; k--)
        if (!has_strip_loop(x, k))
            emit_line(e, "const dpc_strip %s = %s;", axis_name(e, k, "set"), strip_of_axis(e, x, k));
    for (int k = x->axes - 1; k >= 0; k--) {
        open_axis(e, x, k);
        text_format(&place, "%s%s", axis_name(e, k, "from"), k ? " + " : "");
    }
    emit_line(e, "*\1out++ = \1part[%s];", text_of(&place));
    close_block(e, around);
}

/* Places the function before the one around the first statement that calls it. */
static void make_exchange(emitter *e, const parallel *s, const exchange *x) {
    code *around = begin_function(e);
    emit_receives(e, "\1move");
    code *sends = open_sends(e, "\1move");
    emit_packing(e, x);
    emit_send(e, "\1move");
    close_block(e, sends);
    emit_line(e, "return \1move;");
    place_function(e, s->node,
                   arena_format(e->memory,
                                "/* Posts receives, packs what others read, and sends it. */\n"
                                "static dpc_move *%s(dpc_move *\1move) {\n%s}",
                                x->name, end_code(e, around)));
}

const char *exchange_of(emitter *e, const parallel *s, const reference *r) {
    exchange *x = r->placed.exchange;
    if (!x || !x->name) return NULL;
    if (!table_at(&e->exchanged, x)) {
        make_exchange(e, s, x);
        table_put(e->kept, &e->exchanged, x, x);
    }
    return x->name;
}

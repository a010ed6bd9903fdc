/* Boundary indices of closed forms as literals: a table of what each pair of processes shares (Lee and Chen, section
 * 6.3). */
#include <inttypes.h>

#include "spmd.h"

const char *boundary_type(boundary_shape shape) {
    static const char *const types[] = {"dpc_run_of_pair", "dpc_runs_of_pair", "dpc_cut_runs_of_pair"};
    return types[shape];
}

const char *boundary_text(emitter *e, const pair_boundary *x, boundary_shape shape) {
    const bool one = shape == BOUNDARIES_OF_ONE;
    text out;
    if (x->reach < 0) return one ? "{.high = -1}" : "{.reach = -1}";
    text_start(&out, e->memory);
    text_format(&out, "{%" PRId64 ", %" PRId64 ", %" PRId64, one ? x->low : x->first, one ? x->high : x->reach, x->at);
    if (shape == BOUNDARIES_OF_CUT_RUNS) text_format(&out, ", %" PRId64 ", %" PRId64, x->low, x->high);
    text_add(&out, "}");
    return text_of(&out);
}

void emit_boundaries(emitter *e, const char *name, const boundary_table *b, boundary_shape shape, const char *mine,
                     const char *other) {
    static const char *const words[] = {"first and last iteration, where the first one is",
                                        "first iteration and reach of the first run, where it is",
                                        "first iteration and reach of the first run, where it is, ends of all"};
    code *around = open_list(e, "static const %s %s[%" PRId64 "][%" PRId64 "] =", boundary_type(shape), name,
                             b->processes, b->others);
    emit_line(e, "/* [%s][%s]: %s; -1: no message */", mine, other, words[shape]);
    for (int64_t p = 0; p < b->processes; p++) {
        text row;
        text_start(&row, e->memory);
        for (int64_t q = 0; q < b->others; q++)
            text_format(&row, "%s%s", q ? ", " : "", boundary_text(e, &b->of[p * b->others + q], shape));
        emit_line(e, "{%s}, /* %" PRId64 " */", text_of(&row), p);
    }
    close_block(e, around);
}

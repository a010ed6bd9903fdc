/* Loops over the runs that this process executes. */
#include <string.h>

#include "spmd.h"

/* ---- Loops */

/* Runs that don't depend on other loops, and the extents of buffers. */
void emit_runs(emitter *e, text *out, const parallel *s, const char *indent) {
    for (int k = 0; k < s->indices; k++) {
        if (in_pieces(s, k)) continue;
        if (is_single_run(s, k))
            optional_line(out, name_of(e, s, k, "run"), "%sconst dpc_run %s = %s(&\1space, %d);\n", indent,
                          name_of(e, s, k, "run"), is_strided(s, k) ? "dpc_strided_run" : "dpc_first_run", k);
        if (is_single_run(s, k) && shift_used(s, k) && !is_strided(s, k))
            optional_line(out, name_of(e, s, k, "shift"), "%sconst dpc_index %s = %s.shift;\n", indent,
                          name_of(e, s, k, "shift"), name_of(e, s, k, "run"));
        optional_line(out, name_of(e, s, k, "count"), "%sconst dpc_index %s = \1space.mine[%d];\n", indent,
                      name_of(e, s, k, "count"), k);
    }
}

static const char *step_text(emitter *e, const loop_index *x) {
    if (x->triangular && !linear_is_constant(&x->stride)) return linear_text(e->memory, &x->stride);
    if (!linear_is_constant(&x->stride)) return NULL;
    int64_t s = x->stride.constant;
    return arena_format(e->memory, "%lld", (long long)(s < 0 ? -s : s));
}

static void emit_triangular(emitter *e, text *out, const parallel *s, int k, const char *last, const char *indent) {
    const loop_index *x = &s->index[k];
    const char *n = x->name, *run = name_of(e, s, k, "run"), *at = name_of(e, s, k, "at");
    const char *from = linear_text(e->memory, &x->lower), *to = linear_text(e->memory, &x->upper);
    bool unit = linear_is_constant(&x->stride) && (x->stride.constant == 1 || x->stride.constant == -1);
    if (unit && x->stride.constant < 0) {
        const char *swap = from;
        from = to;
        to = swap;
    }
    const char *stride = linear_text(e->memory, &x->stride);
    const char *start = unit ? arena_format(e->memory, "dpc_maximum(%s.first, %s)", run, from)
                             : arena_format(e->memory, "dpc_align_first(%s.first, %s, %s, %s)", run, from, to, stride);
    const char *end = unit ? arena_format(e->memory, "dpc_minimum(%s, %s)", last, to)
                           : arena_format(e->memory, "dpc_align_last(%s, %s, %s, %s)", last, from, to, stride);
    const char *step =
        unit ? "1"
             : arena_format(e->memory, linear_is_constant(&x->stride) ? "dpc_magnitude(%s)" : "dpc_step(%s)", stride);
    const bool down = x->descending;
    text_format(out, "%sfor (long %s = %s, \1%s_end = %s", indent, n, down ? end : start, n, down ? start : end);
    if (position_used(s, k)) text_format(out, ", %s = %s.position + %s - %s.first", at, run, n, run);
    text_format(out, "; %s %s \1%s_end; %s %s %s", n, down ? ">=" : "<=", n, n, down ? "-=" : "+=", step);
    if (position_used(s, k)) text_format(out, ", %s %s %s", at, down ? "-=" : "+=", step);
    text_add(out, ") {\n");
}

/* How home's local index advances from one value of a strided run to the next. */
static const char *local_step(emitter *e, const parallel *s, int k) {
    const linear *along = &home_of(s)->subscript[home_dimension(home_of(s), k)].stride, *step = &s->index[k].stride;
    bool unit = linear_is(step, 1) || linear_is(step, -1);
    const char *name = name_of(e, s, k, "local");
    if (unit && linear_is(along, 1)) return arena_format(e->memory, "%s++", name);
    if (unit && linear_is(along, -1)) return arena_format(e->memory, "%s--", name);
    return arena_format(e->memory, "%s += %s.local_step", name, name_of(e, s, k, "run"));
}

/* All values in one loop that counts positions, global and local index beside it. */
static void emit_strided_loop(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const loop_index *x = &s->index[k];
    const char *n = x->name, *run = name_of(e, s, k, "run"), *at = name_of(e, s, k, "at"), *from = "0", *skipped = "";
    const char *stop = arena_format(e->memory, "%s.count", run);
    if (x->triangular) {
        bool descending = x->stride.constant < 0;
        linear beyond = linear_add(e->memory, descending ? x->lower : x->upper, linear_constant(1));
        from = name_of(e, s, k, "skip");
        stop = name_of(e, s, k, "stop");
        skipped = arena_format(e->memory, " + %s * %s", from, run);
        text_format(out, "%sconst dpc_index %s = dpc_skip(&%s, %s), %s = dpc_skip(&%s, %s);\n", indent, from, run,
                    linear_text(e->memory, descending ? &x->upper : &x->lower), stop, run,
                    linear_text(e->memory, &beyond));
    }
    text_format(out, "%sfor (long %s = %s, %s = %s.first%s%s", indent, at, from, n, run, skipped,
                *skipped ? ".step" : "");
    if (shift_used(s, k))
        text_format(out, ", %s = %s.local%s%s", name_of(e, s, k, "local"), run, skipped, *skipped ? ".local_step" : "");
    text_format(out, "; %s < %s; %s++, %s += %s.step", at, stop, at, n, run);
    if (shift_used(s, k)) text_format(out, ", %s", local_step(e, s, k));
    text_add(out, ") {\n");
}

/* Whether the box says first and last value of index k. */
static bool in_box(const body *b, int k) {
    return b->boxes && b->s->index[k].reduction < 0 && is_single_run(b->s, k);
}

static void emit_plain_loop(const body *b, int k, const char *last, const char *indent) {
    emitter *e = b->e;
    text *out = b->out;
    const parallel *s = b->s;
    const loop_index *x = &s->index[k];
    const char *n = x->name, *run = name_of(e, s, k, "run"), *at = name_of(e, s, k, "at");
    const char *step = step_text(e, x);
    const bool down = x->descending, counted = position_used(s, k);
    const char *first = b->function    ? name_of(e, s, k, "first")
                        : in_box(b, k) ? arena_format(e->memory, "\1box.first[%d]", k)
                                       : arena_format(e->memory, "%s.first", run);
    if (b->local && b->local[k] && !b->function) {
        first = local_bound(e, s, k, first);
        last = local_bound(e, s, k, last);
    }
    text_format(out, "%sfor (long %s = %s", indent, n, down ? last : first);
    const char *first_at =
        in_box(b, k) ? arena_format(e->memory, "\1box.position[%d]", k) : arena_format(e->memory, "%s.position", run);
    if (counted)
        text_format(out, ", %s = %s%s", at, first_at, down ? arena_format(e->memory, " + %s.count - 1", run) : "");
    text_format(out, "; %s %s %s; ", n, down ? ">=" : "<=", down ? first : last);
    if (step && !strcmp(step, "1"))
        text_format(out, "%s%s", n, down ? "--" : "++");
    else
        text_format(out, "%s %s %s", n, down ? "-=" : "+=", step ? step : arena_format(e->memory, "%s.step", run));
    if (counted) text_format(out, ", %s%s", at, down ? "--" : "++");
    text_add(out, ") {\n");
}

/* The head of the loop over the runs of index k: all of them, or the box's parts of them. */
static void emit_run_loop(const body *b, int k, const char *indent) {
    const bool boxes = b->boxes && b->s->index[k].reduction < 0;
    const char *run = name_of(b->e, b->s, k, "run"), *of = boxes ? "_box" : "", *all = boxes ? "\1box" : "\1space";
    text_format(b->out,
                "%sfor (dpc_run %s = dpc_first%s_run(&%s, %d); dpc_more(&%s); dpc_next%s_run(&%s, %d, &%s)) {\n",
                indent, run, of, all, k, run, of, all, k, run);
}

const char *open_run_loops(const body *b, int which, const char *indent) {
    emitter *e = b->e;
    text *out = b->out;
    const parallel *s = b->s;
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction == which && in_pieces(s, k)) indent = open_piece_loop(e, out, s, k, true, indent);
        if (s->index[k].reduction != which || in_pieces(s, k) || is_single_run(s, k)) continue;
        const char *run = name_of(e, s, k, "run");
        emit_run_loop(b, k, indent);
        indent = deeper(e, indent);
        optional_line(out, name_of(e, s, k, "last"), "%sconst dpc_index %s = %s.last;\n", indent,
                      name_of(e, s, k, "last"), run);
        optional_line(out, name_of(e, s, k, "shift"), "%sconst dpc_index %s = %s.shift;\n", indent,
                      name_of(e, s, k, "shift"), run);
    }
    return indent;
}

const char *tile_name(emitter *e, const parallel *s, int k) {
    return name_of(e, s, k, "tile");
}

void emit_tiled_loop(emitter *e, text *out, const parallel *s, int k, const char *last, const char *indent) {
    const char *tile = tile_name(e, s, k);
    text_format(out, "%sfor (long %s = %s.first; %s <= %s; %s += %d) {\n", indent, tile, name_of(e, s, k, "run"), tile,
                last, tile, TILE_VALUES);
    text_format(out, "%s    const long %s = dpc_minimum(%s + %d, %s);\n", indent, name_of(e, s, k, "end"), tile,
                TILE_VALUES - 1, last);
}

/* Opens the loops of the indices of `reduction` (-1: the statement's own); returns the indentation inside. */
const char *open_loops(const body *b, int which, const char *indent) {
    emitter *e = b->e;
    text *out = b->out;
    const parallel *s = b->s;
    if (!b->function) indent = open_run_loops(b, which, indent);
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction != which) continue;
        if (in_pieces(s, k)) {
            indent = open_piece_loop(e, out, s, k, false, indent);
            continue;
        }
        const bool local = !is_single_run(s, k) || in_box(b, k) || b->function;
        const char *last =
            local ? name_of(e, s, k, "last") : arena_format(e->memory, "%s.last", name_of(e, s, k, "run"));
        if (which < 0) emit_team(b, k, indent);
        if (b->tiles && which < 0 && k == tiled_index(s))
            emit_tiled_loop(e, out, s, k, last, indent);
        else if (is_strided(s, k))
            emit_strided_loop(e, out, s, k, indent);
        else if (s->index[k].triangular)
            emit_triangular(e, out, s, k, last, indent);
        else
            emit_plain_loop(b, k, last, indent);
        indent = deeper(e, indent);
    }
    return indent;
}

void close_loops(const body *b, int which, const char *indent) {
    const parallel *s = b->s;
    size_t depth = 0;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction == which)
            depth += in_pieces(s, k) ? piece_loop_depth(b->e, s, k) : is_single_run(s, k) || b->function ? 1 : 2;
    close_braces(b->e, b->out, depth, indent);
}

/* Pipelines in the SPMD program: the loops run over stages, between which boundaries go from process to process.
 *
 *     for (dpc_stage stage = dpc_first_stage(&space, 5, courses, 1, swept); stage.more; dpc_next_stage(&stage)) {
 *         loops over the stage
 *     } */
#include <string.h>

#include "spmd.h"

/* "i or j": the loops that may have blocks. */
static const char *blocks_words(emitter *e, const parallel *s) {
    const execution *x = execution_of(s, -1);
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->loop->loops; k++)
        if (x->blocks[k]) text_format(&out, "%s%s", out.length ? " or " : "", s->loop->counter[k]->name);
    return out.length ? text_of(&out) : NULL;
}

static void comment_widths(text *out, const swept_array *x) {
    for (int d = 0; d < x->array->rank; d++)
        if (x->low[d] == 0 && x->high[d] == 0)
            text_add(out, "[0]");
        else
            text_format(out, "[%lld:%lld]", (long long)-x->low[d], (long long)x->high[d]);
}

/* Whether some last values are used behind it. */
static bool uses_last(const independent_loop *x) {
    bool behind = false;
    for (size_t k = 0; k < x->carrieds; k++) behind = behind || x->carried[k].behind;
    return behind;
}

static void comment_carried(arena *memory, text *out, const independent_loop *x, const char *indent) {
    if (x->left)
        text_format(out, "\n%s *   whether 'break' has left it: from the process before, on to the next", indent);
    if (x->carrieds == 0) return;
    text_format(out, "\n%s *   ", indent);
    for (size_t k = 0; k < x->carrieds; k++) text_format(out, "%s%s", k ? ", " : "", x->carried[k].symbol->name);
    text_format(out, ": %s%s",
                x->scans ? "each process begins with what those before it add"
                         : "from the process before, on to the next",
                uses_last(x) ? ", the last values to all" : "");
    for (size_t k = 0; k < x->keep_count; k++)
        text_format(out, "\n%s *   %s %s: the owners get what each process keeps, one element behind the other", indent,
                    x->keeps[k].symbol->name, mapping_words(memory, x->keeps[k].symbol->array));
}

void comment_pipeline(emitter *e, text *out, const parallel *s, const char *indent) {
    const execution *x = execution_of(s, -1);
    if (s->loop) comment_carried(e->memory, out, s->loop, indent);
    const char *blocks = x->swepts > 0 ? blocks_words(e, s) : NULL;
    for (size_t k = 0; k < x->swepts; k++) {
        text_format(out, "\n%s *   %s", indent, x->swept[k].array->symbol->name);
        comment_widths(out, &x->swept[k]);
        text_format(out, ": from the processes before, on to those behind%s%s%s",
                    goes_in_tiles(x) ? ", block by block as they are dealt" : "", blocks ? ", in blocks of " : "",
                    blocks ? blocks : "");
    }
}

/* How the loops run. */
static const char *courses_text(emitter *e, const parallel *s) {
    const execution *x = execution_of(s, -1);
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->loop->loops; k++)
        text_format(&out, "%s{.down = %s, .blocks = %s%s}", k ? ", " : "", s->index[k].descending ? "true" : "false",
                    x->blocks[k] ? "true" : "false", x->chain && k == s->loop->loops - 1 ? ", .chain = true" : "");
    return text_of(&out);
}

static void add_swept(emitter *e, text *out, const parallel *s, const swept_array *x) {
    text_format(out, "{%s, DPC_SUBSCRIPTS(%s), DPC_WIDTHS(", x->array->address, subscripts_text(e, s, x->store, false));
    for (int d = 0; d < x->array->rank; d++)
        text_format(out, "%sDPC_WIDTH(%lld, %lld)", d ? ", " : "", (long long)x->low[d], (long long)x->high[d]);
    text_add(out, ")}");
}

static const char *swept_text(emitter *e, const parallel *s) {
    const execution *x = execution_of(s, -1);
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < x->swepts; k++) {
        if (k) text_add(&out, ", ");
        add_swept(e, &out, s, &x->swept[k]);
    }
    return text_of(&out);
}

static code *open_stage_loop(emitter *e, const parallel *s) {
    const execution *x = execution_of(s, -1);
    for_loop l = {
        .ctype = "dpc_stage", .counters = 1, .condition = "\1stage.more", .advance = "dpc_next_stage(&\1stage)"};
    l.counter[0].name = "\1stage";
    l.counter[0].first = arena_format(e->memory, "dpc_first_stage(%s, %d, \1courses, %d, \1swept)", space_of(e),
                                      x->operations, (int)x->swepts);
    l.comment = "block by block: waits for the processes before, then sends on";
    return open_loop(e, &l);
}

code *open_stages(emitter *e, const parallel *s) {
    text ends;
    emit_line(e, "const dpc_course \1courses[] = {%s};", courses_text(e, s));
    emit_line(e, "const dpc_swept \1swept[] = {%s};", swept_text(e, s));
    code *around = open_stage_loop(e, s);
    text_start(&ends, e->memory);
    for (int k = 0; k < s->loop->loops; k++)
        text_format(&ends, "%s%s = \1stage.last[%d]", ends.length ? ", " : "", name_of(e, s, k, "last"), k);
    emit_line(e, "const dpc_index %s;", text_of(&ends));
    for (int k = 0; k < s->loop->loops; k++)
        if (!is_single_run(s, k) && shift_used(s, k))
            emit_line(e, "const dpc_index %s = \1stage.shift[%d];", name_of(e, s, k, "shift"), k);
    return around;
}

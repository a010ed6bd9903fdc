/* Time tiling: the statements of a sequential loop around stencils, for several iterations in one pass over memory, and
 * the ordinary way where that does not pay:
 *
 *     static dpc_tiling tiling;
 *     const dpc_index most = dpc_plan_tiling(&tiling, ...);
 *     if (most > 0) {
 *         dpc_index iterations = 1;                  which iterations of the loop: the next ones
 *         while (iterations < most) ...
 *         dpc_begin_tiling(&tiling, iterations);     their ghost cells
 *         for (dpc_time_tile tile = dpc_first_time_tile(&tiling); tile.more; dpc_next_time_tile(&tile))
 *             for (dpc_index iteration = 0; iteration < iterations; iteration++)
 *                 each statement, for its part of the tile
 *     } else
 *         the statements one after the other */
#include <string.h>

#include "spmd.h"

/* ---- What the library is told */

static const char *arrays_text(emitter *e, const time_tiling *t) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < t->arrays; k++) text_format(&out, "%s%s", k ? ", " : "", t->array[k]->address);
    return text_of(&out);
}

/* How far a statement reads beyond what it stores along dimension d. */
static void find_reach(const parallel *s, int d, int64_t *low, int64_t *high) {
    *low = *high = 0;
    for (size_t k = 0; k < s->references; k++) {
        const int64_t distance = s->reference[k].subscript[d].offset.constant;
        if (-distance > *low) *low = -distance;
        if (distance > *high) *high = distance;
    }
}

/* What a statement reads and stores for one element. */
static int64_t bytes_of(const parallel *s) {
    int64_t bytes = 2 * element_bytes(s->left.array->element); /* it comes into the cache to be stored */
    for (size_t k = 0; k < s->references; k++) {
        bool before = s->reference[k].array == s->left.array;
        for (size_t j = 0; j < k; j++) before = before || s->reference[j].array == s->reference[k].array;
        if (!before) bytes += element_bytes(s->reference[k].array->element);
    }
    return bytes;
}

static const char *stencil_text(emitter *e, const time_tiling *t, const parallel *s) {
    text stored, reach;
    text_start(&stored, e->memory);
    text_start(&reach, e->memory);
    for (int d = 0; d < s->indices; d++) {
        int64_t low, high;
        find_reach(s, d, &low, &high);
        text_format(&stored, "%s{%s, %s}", d ? ", " : "", linear_words(e, &s->index[d].lower),
                    linear_words(e, &s->index[d].upper));
        text_format(&reach, "%s{.low = %lld, .high = %lld%s}", d ? ", " : "", (long long)low, (long long)high,
                    t->cyclic[d] ? ", .cyclic = true" : "");
    }
    return arena_format(e->memory, "{.stored = {%s}, .reach = {%s}, .bytes = %lld}", text_of(&stored), text_of(&reach),
                        (long long)bytes_of(s));
}

static void emit_plan(emitter *e, const time_tiling *t) {
    text stencils;
    text_start(&stencils, e->memory);
    emit_line(e, "static dpc_tiling \1tiling;");
    for (int k = 0; k < t->statements; k++) {
        emit_line(e, "const dpc_stencil \1stencil%d = %s;", k + 1, stencil_text(e, t, t->statement[k]));
        text_format(&stencils, "%s\1stencil%d", k ? ", " : "", k + 1);
    }
    emit_line(e,
              "const dpc_index \1most = dpc_plan_tiling(&\1tiling, %s, %d, (dpc_array *[]){%s}, %d, "
              "(const dpc_stencil[]){%s}, %d);",
              place_literal(e, group_at(e->p, t->stencil)->action[0].statement->node), t->arrays, arrays_text(e, t),
              t->statements, text_of(&stencils), e->p->time_tiling);
}

/* ---- Which iterations */

static const char *source_text(emitter *e, const node *n) {
    return spelling(e->memory, e->p->source, n);
}

/* "s == 0 || ...": whether one of the conditions holds; "": there is none. */
static const char *any_of(emitter *e, node *const *condition, int count) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < count; k++)
        text_format(&out, "%s%s", k ? " || " : "", operand(e->memory, source_text(e, condition[k])));
    return text_of(&out);
}

/* Whether an iteration does not follow: the loop ends before it, or it does something else first. */
static const char *end_text(emitter *e, const time_tiling *t) {
    const node *condition = t->loop->child[1];
    const char *leading = any_of(e, t->leading, t->leadings);
    if (!condition) return leading;
    const char *end = arena_format(e->memory, "!(%s)", source_text(e, condition));
    return t->leadings > 0 ? arena_format(e->memory, "%s || %s", end, leading) : end;
}

/* Steps the loop's variable through the iterations that follow with nothing else to do in between. */
static void emit_iterations(emitter *e, const time_tiling *t) {
    const char *name = t->variable->name, *ctype = value_ctype(t->variable->type), *end = end_text(e, t);
    const char *trailing = any_of(e, t->trailing, t->trailings);
    emit_line(e, "dpc_index \1iterations = 1;");
    if (t->steps) emit_line(e, "const %s \1%s_first = %s;", ctype, name, name);
    emit_line(e, "%s \1%s_last = %s;", ctype, name, name);
    code *around =
        open_head(e, *trailing ? "while (\1iterations < \1most && !(%s))" : "while (\1iterations < \1most)", trailing);
    emit_line(e, "%s;", source_text(e, t->loop->child[2]));
    if (*end) emit_line(e, "if (%s) break;", end);
    emit_line(e, "\1%s_last = %s;", name, name);
    emit_line(e, "\1iterations++;");
    close_block(e, around);
}

/* ---- The tiles */

/* The loop over iterations; where its statements mention the variable, it has its values. */
static code *open_iterations(emitter *e, const time_tiling *t) {
    for_loop l = {.ctype = "dpc_index", .counters = 1, .relation = "<", .last = "\1iterations"};
    l.counter[0] = (loop_counter){"\1iteration", "0", "1"};
    if (t->steps) {
        emit_line(e, "%s = \1%s_first;", t->variable->name, t->variable->name);
        l.counter[0].step = NULL;
        l.advance = arena_format(e->memory, "\1iteration++, %s", source_text(e, t->loop->child[2]));
    }
    return open_loop(e, &l);
}

static void emit_stencil(emitter *e, const time_tiling *t, int k) {
    code *around = open_block(e);
    emit_line(e, "const dpc_stencil_box \1box = dpc_stencil_part(&\1tile, \1iteration, %d);", k);
    emit_stencil_part(e, t->statement[k]);
    close_block(e, around);
}

static void emit_tiles_in_time(emitter *e, const time_tiling *t) {
    for_loop l = {
        .ctype = "dpc_time_tile", .counters = 1, .condition = "\1tile.more", .advance = "dpc_next_time_tile(&\1tile)"};
    l.counter[0] = (loop_counter){"\1tile", "dpc_first_time_tile(&\1tiling)", NULL};
    emit_line(e, "dpc_begin_tiling(&\1tiling, \1iterations);");
    code *around = open_loop(e, &l);
    open_iterations(e, t);
    for (int k = 0; k < t->statements; k++) emit_stencil(e, t, k);
    close_block(e, around);
    emit_line(e, "%s = \1%s_last;", t->variable->name, t->variable->name);
    for (int k = 0; k < t->statements; k++) {
        bool before = false;
        for (int j = 0; j < k; j++) before = before || t->statement[j]->left.array == t->statement[k]->left.array;
        if (!before) emit_changed(e, t->statement[k]);
    }
}

static void emit_comment_of_tiling(emitter *e, const time_tiling *t) {
    const source *s = e->p->source;
    const int first = s->tokens[t->first->first].line, last = s->tokens[t->last->first].line;
    const char *lines =
        first == last ? arena_format(e->memory, "%d", first) : arena_format(e->memory, "%d to %d", first, last);
    emit_line(e, "/* lines %s, time tiling: several iterations of the loop in one pass over memory, where that pays */",
              lines);
}

void emit_time_tiling(emitter *e, const time_tiling *t) {
    code *around = open_block(e);
    e->outlined = (hash_table){0};
    emit_comment_of_tiling(e, t);
    emit_plan(e, t);
    code *inside = open_guard(e, "\1most > 0");
    emit_iterations(e, t);
    emit_tiles_in_time(e, t);
    open_else(e, false);
    for (int k = 0; k < t->groups; k++)
        if (!t->group[k]->joins) spmd_group(e, t->group[k]);
    close_block(e, inside);
    close_block(e, around);
    e->outlined = (hash_table){0};
}

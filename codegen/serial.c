/* Parallel statements of the serial program: the serial meaning as plain loops. */
#include <string.h>

#include "emitter.h"

static const char *extent_call(emitter *e, const parallel *s, const loop_index *x) {
    linear extent = linear_subtract(e->memory, x->upper, x->lower);
    extent = linear_add(e->memory, extent, linear_constant(1));
    if (linear_is(&x->stride, 1) && linear_is_constant(&extent) && extent.constant >= 0)
        return linear_text(e->memory, &extent);
    e->uses_extent = true;
    return arena_format(e->memory, "dpc_extent(%s, %s, %s, %s)", place_literal(e, s->node),
                        linear_text(e->memory, &x->lower), linear_text(e->memory, &x->upper),
                        linear_text(e->memory, &x->stride));
}

static void emit_loop(emitter *e, text *out, const parallel *s, const loop_index *x, const char *indent) {
    const char *n = x->name, *lower = linear_text(e->memory, &x->lower), *upper = linear_text(e->memory, &x->upper);
    if (!linear_is_constant(&x->stride)) {
        text_format(out, "%sfor (long %s = %s, \1%s_left = %s; \1%s_left > 0; %s) {\n", indent, n, lower, n,
                    extent_call(e, s, x), n, counted_step(e, x, arena_format(e->memory, "\1%s_left", n)));
        return;
    }
    long long step = x->stride.constant;
    const char *advance = step == 1    ? arena_format(e->memory, "%s++", n)
                          : step == -1 ? arena_format(e->memory, "%s--", n)
                          : step < 0   ? arena_format(e->memory, "%s -= %lld", n, -step)
                                       : arena_format(e->memory, "%s += %lld", n, step);
    text_format(out, "%sfor (long %s = %s; %s %s %s; %s) {\n", indent, n, lower, n, step > 0 ? "<=" : ">=", upper,
                advance);
}

static const char *open_loops(emitter *e, text *out, const parallel *s, int which, const char *indent) {
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction != which) continue;
        emit_loop(e, out, s, &s->index[k], indent);
        indent = deeper(e, indent);
    }
    return indent;
}

static void close_loops(emitter *e, text *out, const parallel *s, int which, const char *indent) {
    size_t depth = 0;
    for (int k = 0; k < s->indices; k++) depth += s->index[k].reduction == which;
    close_braces(e, out, depth, indent);
}

void serial_inner_reduction(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const reduction *r = &s->reduction[k];
    emit_start(e, out, r, indent);
    const char *deep = open_loops(e, out, s, k, indent);
    if (r->mask) text_format(out, "%sif (%s) {\n", deep, expression(e, r->mask));
    emit_update(e, out, r, r->mask ? deeper(e, deep) : deep);
    if (r->mask) text_format(out, "%s}\n", deep);
    close_loops(e, out, s, k, indent);
    emit_finish(out, r, indent);
}

static void emit_inner_reductions(emitter *e, text *out, const parallel *s, const char *indent) {
    for (size_t k = s->kind == PARALLEL_REDUCTION ? 1 : 0; k < s->reductions; k++)
        if (!s->reduction[k].in_place) serial_inner_reduction(e, out, s, (int)k, indent);
}

static bool is_triangular(const parallel *s) {
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular && s->index[k].reduction < 0) return true;
    return false;
}

/* Declares `name`: how many iterations the statement has. */
static void emit_iterations(emitter *e, text *out, const parallel *s, const char *name, const char *indent) {
    if (is_triangular(s)) {
        text_format(out, "%slong %s = 0;\n", indent, name);
        text_format(out, "%s%s++;\n", open_loops(e, out, s, -1, indent), name);
        close_loops(e, out, s, -1, indent);
        return;
    }
    text_format(out, "%slong %s = 1", indent, name);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0) text_format(out, " * %s", parenthesise(e, extent_call(e, s, &s->index[k])));
    text_add(out, ";\n");
}

/* Whether a store may change what a later iteration reads: in the serial program everything is read in place. */
static bool needs_values_first(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].symbol == s->left.symbol && !same_subscripts(e->p, &s->reference[k], &s->left)) return true;
    return s->placed.values_first;
}

static bool saves_masks(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m]) return true;
    return false;
}

static void emit_values(emitter *e, text *out, const parallel *s, const char *indent) {
    const char *ctype = buffer_ctype(e, s);
    e->uses_heap = true;
    emit_iterations(e, out, s, "\1elements", indent);
    text_format(out, "%s%s *\1values DPC_AUTOMATIC = dpc_heap(\1elements, sizeof *\1values);\n", indent, ctype);
    bool pointers = stores_by_pointer(s);
    if (pointers)
        text_format(out, "%s%s **\1targets DPC_AUTOMATIC = dpc_heap(\1elements, sizeof *\1targets);\n", indent,
                    left_ctype(e, s));
    text_format(out, "%schar *\1kept DPC_AUTOMATIC = dpc_heap(\1elements, 1);\n%slong \1element = 0;\n", indent,
                indent);
    const char *deep = open_loops(e, out, s, -1, indent);
    const char *condition = first_masks(e, s, s->masks, "\1element"), *within = *condition ? deeper(e, deep) : deep;
    if (*condition) text_format(out, "%sif (%s) {\n", deep, condition);
    emit_inner_reductions(e, out, s, within);
    text_format(out, "%s\1values[\1element] = %s;\n%s\1kept[\1element] = 1;\n", within, expression(e, s->value),
                within);
    if (pointers) text_format(out, "%s\1targets[\1element] = &%s;\n", within, reference_text(e, &s->left));
    if (*condition) text_format(out, "%s}\n", deep);
    text_format(out, "%s\1element++;\n", deep);
    close_loops(e, out, s, -1, indent);
    text_format(out, "%s\1element = 0;\n", indent);
    deep = open_loops(e, out, s, -1, indent);
    text_format(out, "%sif (\1kept[\1element]) %s %s \1values[\1element];\n%s\1element++;\n", deep,
                pointers ? "*\1targets[\1element]" : reference_text(e, &s->left), s->op, deep);
    close_loops(e, out, s, -1, indent);
}

static void emit_direct(emitter *e, text *out, const parallel *s, const char *indent) {
    bool saved = saves_masks(s);
    if (saved) text_format(out, "%slong \1element = 0;\n", indent);
    const char *deep = open_loops(e, out, s, -1, indent);
    const char *condition = first_masks(e, s, s->masks, "\1element"), *within = *condition ? deeper(e, deep) : deep;
    if (*condition) text_format(out, "%sif (%s) {\n", deep, condition);
    emit_inner_reductions(e, out, s, within);
    text_format(out, "%s%s %s %s;\n", within, reference_text(e, &s->left), s->op, expression(e, s->value));
    if (*condition) text_format(out, "%s}\n", deep);
    if (saved) text_format(out, "%s\1element++;\n", deep);
    close_loops(e, out, s, -1, indent);
}

static void emit_save_mask(emitter *e, text *out, const parallel *s, int m, const char *indent) {
    const char *inside = deeper(e, indent), *name = s->mask_buffer[m];
    e->uses_heap = true;
    text_format(out, "%schar *%s DPC_AUTOMATIC = NULL;\n%s{\n", indent, name, indent);
    emit_iterations(e, out, s, "\1elements", inside);
    text_format(out, "%s%s = dpc_heap(\1elements, 1);\n%slong \1element = 0;\n", inside, name, inside);
    const char *deep = open_loops(e, out, s, -1, inside);
    text_format(out, "%s%s[\1element] = %s;\n%s\1element++;\n", deep, name, mask_value(e, s, m, "\1element"), deep);
    close_loops(e, out, s, -1, inside);
    text_format(out, "%s}\n", indent);
}

void serial_group(emitter *e, text *out, const group *g, const char *indent) {
    const char *inside = deeper(e, indent);
    const position *at = &e->p->source->tokens[g->node->first].where;
    text_format(out, "%s{ /* %s:%d: %s */\n", indent, at->file, at->line, quote(e, g->node));
    emit_hoists(e, out, &g->hoisted, 0, inside);
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        const parallel *s = g->action[k].statement;
        e->current = s;
        if (g->action[k].mask >= 0)
            emit_save_mask(e, out, s, g->action[k].mask, inside);
        else {
            const char *body = g->actions > 1 ? deeper(e, inside) : inside;
            if (g->actions > 1) text_format(out, "%s{\n", inside);
            emit_conformity(e, out, s, body);
            if (needs_values_first(e, s))
                emit_values(e, out, s, body);
            else
                emit_direct(e, out, s, body);
            if (g->actions > 1) text_format(out, "%s}\n", inside);
        }
        e->current = NULL;
        if (g->action[k].mask < 0) emit_hoists(e, out, &g->hoisted, ++executed, inside);
    }
    text_format(out, "%s}\n", indent);
}

void serial_reduction(emitter *e, text *out, const parallel *s, const char *indent) {
    const reduction *r = &s->reduction[0];
    emit_hoists(e, out, s->hoisted, 0, indent);
    e->current = s;
    emit_conformity(e, out, s, indent);
    emit_start(e, out, r, indent);
    const char *deep = open_loops(e, out, s, -1, indent);
    const char *condition = first_masks(e, s, s->masks, "\1element"), *within = *condition ? deeper(e, deep) : deep;
    if (*condition) text_format(out, "%sif (%s) {\n", deep, condition);
    emit_inner_reductions(e, out, s, within);
    emit_update(e, out, r, within);
    if (*condition) text_format(out, "%s}\n", deep);
    close_loops(e, out, s, -1, indent);
    emit_finish(out, r, indent);
    e->current = NULL;
}

/* The body of a statement's loops; and gathers, for which the same loops first collect the subscripts. */
#include <string.h>

#include "spmd.h"

static bool is_gather(const parallel *s, const reference *r, int mask) {
    return needed(s, r, mask) && r->relation == RELATION_GATHER;
}

/* Whether a gather's values are already there: it comes before the one that is being collected. */
static bool has_arrived(const body *b, const reference *r) {
    return is_gather(b->s, r, b->mask) && (!b->gathered || r < b->gathered);
}

void emit_counters(body *b, int which, bool in_mask, const char *indent) {
    for (size_t k = 0; k < b->s->references; k++) {
        const reference *r = &b->s->reference[k];
        if (has_arrived(b, r) && r->reduction == which && (r->mask >= 0) == in_mask)
            text_format(b->out, "%s%s++;\n", indent, counter_of(b->e, r));
    }
}

const char *condition_text(emitter *e, parallel *s) {
    bool uses[MAX_RANK];
    for (int k = 0; k < s->indices; k++) uses[k] = s->index[k].reduction < 0;
    return all_masks(e, s, position_text(e, s, uses));
}

/* Loops, condition, inside, counters. */
static void nest(body *b, int which, const char *condition, emit_inside inside, const char *indent) {
    const char *deep = open_loops(b->e, b->out, b->s, which, indent);
    const char *within = *condition ? deeper(b->e, deep) : deep;
    if (*condition) text_format(b->out, "%sif (%s) {\n", deep, condition);
    inside(b, within);
    emit_counters(b, which, false, within);
    if (*condition) text_format(b->out, "%s}\n", deep);
    emit_counters(b, which, true, deep);
    close_loops(b->e, b->out, b->s, which, indent);
}

/* The statement's loops over every piece of the reference that it waits for. */
static void pieces_nest(body *b, emit_inside inside, const char *indent) {
    const reference *r = &b->s->reference[b->s->in_place];
    const char *deep = deeper(b->e, indent);
    text_format(b->out, "%swhile (dpc_next_piece(%s)) { /* what is mine, then messages as they come */\n", indent,
                move_name(b->e, r));
    text_format(b->out, "%sconst %s *restrict %s = dpc_piece(%s);\n", deep, element_spelling(r->array->element), r->buffer,
                move_name(b->e, r));
    emit_piece_strips(b->e, b->out, b->s, deep);
    nest(b, -1, "", inside, deep);
    text_format(b->out, "%s}\n", indent);
}

void emit_nest(body *b, emit_inside inside, const char *indent) {
    if (b->s->in_place >= 0)
        pieces_nest(b, inside, indent);
    else
        nest(b, -1, b->mask < 0 ? condition_text(b->e, b->s) : "", inside, indent);
}

/* ---- Inner reductions */

static void emit_inner_update(body *b, const char *indent) {
    emit_update(b->e, b->out, &b->s->reduction[b->which], indent);
}

void spmd_inner_reduction(emitter *e, text *out, parallel *s, int k, const char *indent) {
    const reduction *r = &s->reduction[k];
    body inner = {.e = e, .out = out, .s = s, .mask = -1, .which = k};
    text_format(out, "%s%s %s = %s;\n", indent, value_ctype(r->type, "double"), r->name, reduction_start(e, r));
    nest(&inner, k, r->mask ? expression(e, r->mask) : "", emit_inner_update, indent);
}

void emit_inner_reductions(body *b, const char *indent) {
    for (size_t k = b->s->kind == PARALLEL_REDUCTION ? 1 : 0; k < b->s->reductions; k++)
        if (!b->s->reduction[k].guarded) spmd_inner_reduction(b->e, b->out, b->s, (int)k, indent);
}

/* ---- Gathers */

const char *mine_product(emitter *e, const parallel *s, int which) {
    const char *product = "1";
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction >= 0 && s->index[k].reduction != which) continue;
        const char *mine = arena_format(e->memory, "\1space.mine[%d]", k);
        product = strcmp(product, "1") ? arena_format(e->memory, "%s * %s", product, mine) : mine;
    }
    return product;
}

static void emit_tuple(body *b, const char *indent) {
    const reference *r = b->gathered;
    for (int d = 0; d < r->rank; d++)
        text_format(b->out, "%s\1%s_where[\1%s_n++] = %s;\n", indent, r->buffer, r->buffer,
                    subscript_text(b->e, b->s, &r->subscript[d]));
}

static void emit_inner_tuples(body *b, const char *indent) {
    const reduction *r = &b->s->reduction[b->gathered->reduction];
    bool in_mask = b->gathered->mask >= 0; /* what the reduction's own mask reads is read in every iteration */
    nest(b, b->gathered->reduction, r->mask && !in_mask ? expression(b->e, r->mask) : "", emit_tuple, indent);
}

/* Values gathered earlier that the subscripts or masks of this gather read. */
static void emit_earlier_counters(body *b, const char *strip, const char *indent) {
    for (size_t k = 0; k < b->s->references; k++)
        if (has_arrived(b, &b->s->reference[k]))
            text_format(b->out, strip, indent, counter_of(b->e, &b->s->reference[k]));
}

static void emit_gather(emitter *e, text *out, parallel *s, reference *r, int mask, const char *indent) {
    const char *name = r->buffer, *inside = deeper(e, indent);
    body b = {.e = e, .out = out, .s = s, .mask = r->mask >= 0 && r->reduction < 0 ? r->mask : mask, .gathered = r};
    text_format(out, "%sdpc_index *\1%s_where = dpc_buffer(%s * %d, sizeof(dpc_index)), \1%s_n = 0;\n%s{\n", indent,
                name, mine_product(e, s, r->reduction), r->rank, name, indent);
    emit_earlier_counters(&b, "%sdpc_index %s = 0;\n", inside);
    emit_nest(&b, r->reduction >= 0 ? emit_inner_tuples : emit_tuple, inside);
    emit_earlier_counters(&b, "%s(void)%s;\n", inside);
    text_format(out, "%s}\n%s%s *%s = dpc_gather(%s, &%s, %s, \1%s_n / %d, \1%s_where);\n", indent, indent,
                element_spelling(r->array->element), name, place_literal(e, r->node), r->array->descriptor,
                r->guarded || s->clip ? "true" : "false", name, r->rank, name);
    text_format(out, "%sdpc_free_buffer(\1%s_where);\n", indent, name);
}

void emit_gathers(emitter *e, text *out, parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask)) emit_gather(e, out, s, &s->reference[k], mask, indent);
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask))
            text_format(out, "%sdpc_index %s = 0;\n", indent, counter_of(e, &s->reference[k]));
}

void free_gathers(text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask))
            text_format(out, "%sdpc_free_buffer(%s);\n", indent, s->reference[k].buffer);
}

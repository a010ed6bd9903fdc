/* The body of a statement's loops; and gathers, for which the same loops first collect the subscripts. */
#include <string.h>

#include "spmd.h"

static bool is_gather(const parallel *s, const reference *r, int mask) {
    return needed(s, r, mask) && r->placed.relation == RELATION_GATHER;
}

/* Whether a gather's values are already there: it comes before the one that is being collected. */
static bool has_arrived(const body *b, const reference *r) {
    return is_gather(b->s, r, b->mask) && (!b->gathered || b->gathered == &b->s->left || r < b->gathered);
}

/* Whether r is read before the condition of the loops: in the statement's masks, or in the reduction's own. */
static bool before_condition(const reference *r, int which) {
    return which < 0 ? r->mask >= 0 : r->own_mask;
}

void emit_counters(body *b, int which, bool in_mask, const char *indent) {
    for (size_t k = 0; k < b->s->references; k++) {
        const reference *r = &b->s->reference[k];
        if (has_arrived(b, r) && r->reduction == which && before_condition(r, which) == in_mask)
            text_format(b->out, "%s%s++;\n", indent, counter_of(b->e, r));
    }
}

const char *condition_text(emitter *e, const parallel *s) {
    bool uses[MAX_RANK];
    for (int k = 0; k < s->indices; k++) uses[k] = s->index[k].reduction < 0;
    return first_masks(e, s, s->masks, position_text(e, s, uses));
}

/* Loops, condition, inside, counters. */
static void nest(body *b, int which, const char *condition, emit_inside inside, const char *indent) {
    const char *deep = open_loops(b, which, indent);
    const char *within = *condition ? deeper(b->e, deep) : deep;
    if (*condition) text_format(b->out, "%sif (%s) {\n", deep, condition);
    inside(b, within);
    emit_counters(b, which, false, within);
    if (*condition) text_format(b->out, "%s}\n", deep);
    emit_counters(b, which, true, deep);
    close_loops(b, which, indent);
}

/* The statement's loops over every piece of the reference that it waits for. */
static void pieces_nest(body *b, emit_inside inside, const char *indent) {
    const reference *r = &b->s->reference[b->s->placed.waits_for];
    const char *deep = deeper(b->e, indent);
    text_format(b->out, "%swhile (dpc_next_piece(%s)) { /* what is mine, then messages as they come */\n", indent,
                move_name(b->e, r));
    text_format(b->out, "%sconst %s *restrict %s = dpc_piece(%s);\n", deep, element_spelling(r->array->element),
                r->placed.buffer, move_name(b->e, r));
    emit_piece_strips(b->e, b->out, b->s, deep);
    nest(b, -1, "", inside, deep);
    text_format(b->out, "%s}\n", indent);
}

/* The statement's loops over boxes: inside, then the border as ghost cells arrive. */
static void boxes_nest(body *b, emit_inside inside, const char *indent) {
    const char *deep = open_boxes(b->e, b->out, b->s, indent);
    b->boxes = true;
    nest(b, -1, condition_text(b->e, b->s), inside, deep);
    b->boxes = false;
    text_format(b->out, "%s}\n", indent);
}

/* The statement's loops, as boxes where ghost cells are on their way. */
static void plain_nest(body *b, emit_inside inside, const char *indent) {
    const execution *x = execution_of(b->s, b->mask);
    if (!b->gathered) b->local = x->local;
    if (!b->gathered && x->boxes)
        boxes_nest(b, inside, indent);
    else
        nest(b, -1, b->mask < 0 ? condition_text(b->e, b->s) : "", inside, indent);
    b->local = NULL;
}

void emit_nest(body *b, emit_inside inside, const char *indent) {
    const body *outer = b->e->inside;
    b->e->inside = b;
    if (b->s->calls_unknown) text_format(b->out, "%sdpc_each_element(true);\n", indent);
    if (b->s->placed.waits_for >= 0)
        pieces_nest(b, inside, indent);
    else if (b->s->placed.tiled && !b->gathered)
        emit_tiles(b, inside, indent);
    else
        plain_nest(b, inside, indent);
    if (b->s->calls_unknown) text_format(b->out, "%sdpc_each_element(false);\n", indent);
    b->e->inside = outer;
}

/* ---- Inner reductions */

static void emit_inner_update(body *b, const char *indent) {
    emit_update(b->e, b->out, &b->s->reduction[b->which], indent);
}

void spmd_inner_reduction(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const reduction *r = &s->reduction[k];
    body inner = {.e = e, .out = out, .s = s, .mask = -1, .which = k};
    if (e->inside) {
        inner.mask = e->inside->mask;
        inner.gathered = e->inside->gathered;
    }
    emit_start(e, out, r, indent);
    nest(&inner, k, r->mask ? expression(e, r->mask) : "", emit_inner_update, indent);
    emit_finish(out, r, indent);
}

void emit_inner_reductions(body *b, const char *indent) {
    if (b->s->placed.product) return; /* computed before */
    for (size_t k = b->s->kind == PARALLEL_REDUCTION ? 1 : 0; k < b->s->reductions; k++)
        if (!b->s->reduction[k].in_place) spmd_inner_reduction(b->e, b->out, b->s, (int)k, indent);
}

/* ---- Gathers */

/* The condition under which a child of `n` is evaluated where n is; "": always. */
static const char *condition_on(emitter *e, const node *n, const node *child) {
    const char *end = end_off_condition(e, n);
    if (end) return child == n->child[1] ? parenthesise(e, end) : "";
    bool chosen = n->kind == N_CONDITIONAL, both = n->kind == N_BINARY && !strcmp(n->op, "&&"),
         either = n->kind == N_BINARY && !strcmp(n->op, "||");
    if (child == n->child[0] || !(chosen || both || either)) return "";
    const char *condition = parenthesise(e, expression(e, n->child[0]));
    return both || (chosen && child == n->child[1]) ? condition : arena_format(e->memory, "!%s", condition);
}

static const char *both_conditions(emitter *e, const char *x, const char *y) {
    return *x && *y ? arena_format(e->memory, "%s && %s", x, y) : *x ? x : y;
}

/* The condition under which the program evaluates n, a part of the statement or of the reduction `within`. */
static const char *path_condition(body *b, const node *n, const node *within) {
    emitter *e = b->e;
    const char *condition = "";
    bool in_place = e->in_place;
    e->in_place = true;
    for (; n != within && n->parent && n->parent != b->s->node && n->parent->kind != N_FORALL; n = n->parent)
        condition = both_conditions(e, condition_on(e, n->parent, n), condition);
    e->in_place = in_place;
    return condition;
}

static const char *earlier_masks(body *b, int mask) {
    bool uses[MAX_RANK];
    for (int k = 0; k < b->s->indices; k++) uses[k] = b->s->index[k].reduction < 0;
    return mask > 0 ? first_masks(b->e, b->s, mask, position_text(b->e, b->s, uses)) : "";
}

/* What is not evaluated gets subscripts outside the array. */
static void emit_tuple(body *b, const char *indent) {
    const reference *r = b->gathered;
    const node *within = r->reduction >= 0 ? b->s->reduction[r->reduction].call : NULL;
    const char *condition = path_condition(b, r->node, within), *inside = indent;
    if (!within) condition = both_conditions(b->e, earlier_masks(b, r->mask), condition);
    if (*condition) {
        text_format(b->out, "%sif (%s) {\n", indent, condition);
        inside = deeper(b->e, indent);
    }
    if (b->checking) emit_subscript_checks(b->e, b->out, b->s, r, inside);
    for (int d = 0; d < r->rank && !b->checking; d++)
        text_format(b->out, "%s\1%s_where[\1%s_n++] = %s;\n", inside, r->placed.buffer, r->placed.buffer,
                    subscript_text(b->e, b->s, &r->subscript[d]));
    if (*condition && b->checking) text_format(b->out, "%s}\n", indent);
    if (!*condition || b->checking) return;
    text_format(b->out, "%s} else\n%sfor (int d = 0; d < %d; d++) \1%s_where[\1%s_n++] = INT64_MIN;\n", indent, inside,
                r->rank, r->placed.buffer, r->placed.buffer);
}

/* A reduction that is computed in place is computed only where the program comes to it. */
static void emit_inner_tuples(body *b, const char *indent) {
    const reduction *r = &b->s->reduction[b->gathered->reduction];
    const char *condition = r->in_place ? path_condition(b, r->call, NULL) : "", *inside = indent;
    if (r->in_place) condition = both_conditions(b->e, earlier_masks(b, r->statement_mask), condition);
    if (*condition) {
        text_format(b->out, "%sif (%s) {\n", indent, condition);
        inside = deeper(b->e, indent);
    }
    bool in_mask = b->gathered->own_mask; /* what the reduction's own mask reads is read in every iteration */
    nest(b, b->gathered->reduction, r->mask && !in_mask ? expression(b->e, r->mask) : "", emit_tuple, inside);
    if (*condition) text_format(b->out, "%s}\n", indent);
}

/* Values gathered earlier that the subscripts or masks of this gather read. */
static void emit_earlier_counters(body *b, const char *strip, const char *indent) {
    for (size_t k = 0; k < b->s->references; k++)
        if (has_arrived(b, &b->s->reference[k]))
            text_format(b->out, strip, indent, counter_of(b->e, &b->s->reference[k]));
}

static void emit_inspector(body *b, const char *indent) {
    emit_earlier_counters(b, "%sdpc_index %s = 0;\n", indent);
    emit_nest(b, b->gathered->reduction >= 0 ? emit_inner_tuples : emit_tuple, indent);
    emit_earlier_counters(b, "%s(void)%s;\n", indent);
}

/* What a gather whose values stay goes by. */
static const char *inputs_text(emitter *e, const reference *r) {
    text out;
    if (r->combined.inputs == 0) return "0, NULL";
    text_start(&out, e->memory);
    text_format(&out, "%d, (const dpc_input[]){", (int)r->combined.inputs);
    for (size_t k = 0; k < r->combined.inputs; k++) {
        const symbol *s = r->combined.input[k];
        const char *what = s->array ? arena_format(e->memory, "%s.contents", s->array->descriptor) : s->name;
        text_format(&out, "%s{&%s, sizeof %s}", k ? ", " : "", what, what);
    }
    text_add(&out, "}");
    return text_of(&out);
}

static const char *gather_arguments(emitter *e, const reference *r) {
    return arena_format(e->memory, "%s, %s, %s, \1%s_n / %d, \1%s_where", place_literal(e, r->node), r->array->address,
                        r->confined ? "true" : "false", r->placed.buffer, r->rank, r->placed.buffer);
}

/* The inspector and its executor. */
static void emit_inspection(emitter *e, text *out, const parallel *s, const reference *r, int mask,
                            const char *indent) {
    const char *name = r->placed.buffer, *inside = deeper(e, indent);
    body b = {.e = e, .out = out, .s = s, .mask = r->mask >= 0 ? r->mask : mask, .gathered = r};
    text_format(out, "%sdpc_index *\1%s_where = dpc_buffer(%s * %d, sizeof(dpc_index)), \1%s_n = 0;\n%s{\n", indent,
                name, mine_product(e, s, r->reduction), r->rank, name, indent);
    emit_inspector(&b, inside);
    text_format(out, "%s}\n", indent);
    if (r->combined.kept)
        text_format(out, "%sdpc_gather_kept(&%s, %s);\n", indent, r->combined.kept, gather_arguments(e, r));
    else
        text_format(out, "%s%s *%s = dpc_gather(%s);\n", indent, element_spelling(r->array->element), name,
                    gather_arguments(e, r));
    text_format(out, "%sdpc_free_buffer(\1%s_where);\n", indent, name);
}

static void emit_gather(emitter *e, text *out, const parallel *s, const reference *r, int mask, const char *indent) {
    if (!r->combined.kept) {
        emit_inspection(e, out, s, r, mask, indent);
        return;
    }
    text_format(out, "%sif (!dpc_gathered(&%s, &\1space, %s, %s)) {\n", indent, r->combined.kept, r->array->address,
                inputs_text(e, r));
    emit_inspection(e, out, s, r, mask, deeper(e, indent));
    text_format(out, "%s}\n%sconst %s *%s = %s.values;\n", indent, indent, element_spelling(r->array->element),
                r->placed.buffer, r->combined.kept);
}

/* ---- Checks, by the same loops */

static void emit_check(emitter *e, text *out, const parallel *s, const reference *r, int mask, const char *indent) {
    const char *inside = deeper(e, indent);
    body b = {.e = e, .out = out, .s = s, .mask = r->mask >= 0 ? r->mask : mask, .gathered = r, .checking = true};
    if (is_told_by_iterations(e->p, s, r))
        text_format(out, "%s{ /* only the iterations tell whether %s is inside */\n", indent, quote(e, r->node));
    else
        text_format(out, "%sif (dpc_leaves(&\1space, %s, (const dpc_subscript[]){%s}, %s)) {\n", indent,
                    r->array->address, compared_text(e, s, r, false), limits_text(e, s, r));
    emit_await(e, out, s, mask, inside);
    emit_inspector(&b, inside);
    text_format(out, "%s}\n", indent);
}

static void emit_reference_check(emitter *e, text *out, const parallel *s, const reference *r, int mask,
                                 const char *indent) {
    if (needed(s, r, mask) && r->placed.relation != RELATION_GATHER && r != home_of(s) && needs_checks(e->p, s, r))
        emit_check(e, out, s, r, mask, indent);
}

/* Home's subscripts that find owners are those of executed iterations; the others may leave it. */
static void emit_home_check(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    const reference *home = home_of(s);
    const bool stored = home == &s->left;
    if (!home || (stored ? mask >= 0 : !needed(s, home, mask)) || !needs_checks(e->p, s, home)) return;
    emit_check(e, out, s, home, mask, indent);
}

void emit_gathers(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        emit_reference_check(e, out, s, &s->reference[k], mask, indent);
        if (is_gather(s, &s->reference[k], mask)) emit_gather(e, out, s, &s->reference[k], mask, indent);
    }
    emit_home_check(e, out, s, mask, indent);
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask))
            text_format(out, "%sdpc_index %s = 0;\n", indent, counter_of(e, &s->reference[k]));
}

void free_gathers(text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask) && !s->reference[k].combined.kept)
            text_format(out, "%sdpc_free_buffer(%s);\n", indent, s->reference[k].placed.buffer);
}

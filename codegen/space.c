/* The space of a parallel statement: its iterations and who executes them. */
#include <string.h>

#include "spmd.h"

/* ---- The space */

const char *subscripts_text(emitter *e, const parallel *s, const reference *r, bool home) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        bool dummy = u->kind == SUBSCRIPT_GENERAL ||
                     (home && u->kind == SUBSCRIPT_AFFINE && home_dimension(home_of(s), u->index) != d);
        if (d) text_add(&out, ", ");
        if (dummy)
            text_format(&out, "{-1, 0, %s}", linear_text(e->memory, &r->array->lower[d]));
        else if (u->kind == SUBSCRIPT_INVARIANT)
            text_format(&out, "{-1, 0, %s}", linear_text(e->memory, &u->offset));
        else
            text_format(&out, "{%d, %s, %s}", u->index, linear_text(e->memory, &u->stride),
                        linear_text(e->memory, &u->offset));
    }
    return text_of(&out);
}

/* Whether home has an index in a second dimension too, which dpc_on does not look at. */
static bool repeats_index(const reference *home) {
    for (int d = 0; d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind == SUBSCRIPT_AFFINE && home_dimension(home, u->index) != d) return true;
    }
    return false;
}

/* What --sets and --model ask for. */
static void emit_choices(emitter *e, text *out, const char *indent) {
    static const char *const methods[] = {[METHOD_CLOSED] = "DPC_SETS_CLOSED",
                                          [METHOD_ROWWISE] = "DPC_SETS_ROWWISE",
                                          [METHOD_LATTICE] = "DPC_SETS_LATTICE",
                                          [METHOD_ENUMERATE] = "DPC_SETS_ENUMERATE"};
    if (e->p->sets != METHOD_NONE) text_format(out, "%s\1space.sets = %s;\n", indent, methods[e->p->sets]);
    if (e->p->model != COMM_AUTO)
        text_format(out, "%s\1space.model = %s;\n", indent,
                    e->p->model == COMM_DEPOSIT ? "DPC_MODEL_DEPOSIT" : "DPC_MODEL_CONVENTIONAL");
}

/* Least and greatest values of a triangular bound, earlier indices being within their own boxes. */
static const char *extreme(emitter *e, const parallel *s, const linear *x, bool low) {
    linear sum = linear_constant(x->constant);
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        linear value = linear_atom(e->memory, term->text, NULL);
        for (int k = 0; k < s->indices; k++) {
            if (!term->node || term->node->symbol != s->index[k].symbol || !s->index[k].symbol) continue;
            const loop_index *y = &s->index[k];
            bool lowest = (term->coefficient > 0) == low;
            bool descending = linear_is_constant(&y->stride) && y->stride.constant < 0;
            if (y->triangular)
                value = linear_atom(e->memory, name_of(e, s, k, lowest ? "low" : "high"), NULL);
            else
                value = lowest != descending ? y->lower : y->upper;
        }
        sum = linear_add(e->memory, sum, linear_multiply(e->memory, linear_constant(term->coefficient), value));
    }
    return linear_text(e->memory, &sum);
}

static bool may_descend(const loop_index *x) {
    return !linear_is_constant(&x->stride) || x->stride.constant < 0;
}
static bool may_ascend(const loop_index *x) {
    return !linear_is_constant(&x->stride) || x->stride.constant > 0;
}

static void box_by_loops(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const char *low = name_of(e, s, k, "low"), *high = name_of(e, s, k, "high");
    const loop_index *x = &s->index[k];
    text_format(out, "%sdpc_index %s = INT64_MAX, %s = INT64_MIN;\n", indent, low, high);
    const char *inner = indent;
    for (int j = 0; j < k; j++) {
        const loop_index *y = &s->index[j];
        const char *n = y->name;
        if (y->triangular)
            text_format(out, "%sfor (long %s = %s; %s <= %s; %s++)\n", inner, n, name_of(e, s, j, "low"), n,
                        name_of(e, s, j, "high"), n);
        else {
            const char *place = place_literal(e, s->node);
            text_format(out, "%sfor (long %s = %s, \1%s_n = dpc_extent(%s, %s, %s, %s); \1%s_n > 0; %s)\n", inner, n,
                        linear_text(e->memory, &y->lower), n, place, linear_text(e->memory, &y->lower),
                        linear_text(e->memory, &y->upper), linear_text(e->memory, &y->stride), n,
                        counted_step(e, y, arena_format(e->memory, "\1%s_n", n)));
        }
        inner = deeper(e, inner);
    }
    const char *condition = guards_text(e, x->guards);
    if (*condition) text_format(out, "%sif (%s) ", inner, condition);
    text_format(out, "%sdpc_widen(&%s, &%s, %s, %s, %s);\n", *condition ? "" : inner, low, high,
                linear_text(e->memory, &x->lower), linear_text(e->memory, &x->upper),
                linear_text(e->memory, &x->stride));
}

/* The box of a triangular index: least and greatest value over all earlier ones. */
static void emit_box(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const loop_index *x = &s->index[k];
    bool directed = !(may_ascend(x) && may_descend(x)); /* which way every index runs is known */
    for (int j = 0; j < k; j++) directed = directed && !(may_ascend(&s->index[j]) && may_descend(&s->index[j]));
    if (!x->box_linear || !directed) {
        box_by_loops(e, out, s, k, indent);
        return;
    }
    const linear *first = may_ascend(x) ? &x->lower : &x->upper, *last = may_ascend(x) ? &x->upper : &x->lower;
    text_format(out, "%sconst dpc_index %s = %s, %s = %s;\n", indent, name_of(e, s, k, "low"),
                extreme(e, s, first, true), name_of(e, s, k, "high"), extreme(e, s, last, false));
}

static const char *range_text(emitter *e, const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    if (x->triangular) return arena_format(e->memory, "{%s, %s, 1}", name_of(e, s, k, "low"), name_of(e, s, k, "high"));
    return arena_format(e->memory, "{%s, %s, %s}", linear_text(e->memory, &x->lower), linear_text(e->memory, &x->upper),
                        linear_text(e->memory, &x->stride));
}

void emit_space(emitter *e, text *out, const parallel *s, const char *indent) {
    const char *place = place_literal(e, s->node);
    const reference *home = home_of(s);
    emit_conformity(e, out, s, indent);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular && s->kind != PARALLEL_CHECK) emit_box(e, out, s, k, indent);
    text_format(out, "%sstatic dpc_space \1space;\n", indent);
    if (s->kind == PARALLEL_CHECK)
        text_format(out, "%sdpc_begin_space(&\1space, %s, true, %d, \1part.range);\n", indent, place, s->indices);
    else if (s->indices == 0)
        text_format(out, "%sdpc_forall(&\1space, %s, false, 0, NULL);\n", indent, place);
    else {
        bool clip = s->placed.clip || e->options->no_checks || statement_in_bounds(e->p, s);
        text_format(out, "%sdpc_forall(&\1space, %s, %s, %d, (const dpc_range[]){", indent, place,
                    clip ? "true" : "false", s->indices);
        for (int k = 0; k < s->indices; k++) text_format(out, "%s%s", k ? ", " : "", range_text(e, s, k));
        text_add(out, "});\n");
    }
    int own = 0;
    for (int k = 0; k < s->indices; k++) own += s->index[k].reduction < 0;
    if (own < s->indices)
        text_format(out, "%s\1space.own = %d; /* the rest: reductions, which may be empty */\n", indent, own);
    for (size_t k = 0, done = 0; k < s->references && !done; k++)
        if (s->reference[k].array && s->reference[k].placed.relation == RELATION_SETS &&
            s->reference[k].placed.move != MOVE_INLINED)
            emit_choices(e, out, indent), done = 1;
    if (!home)
        text_format(out, "%sdpc_on(&\1space, NULL, NULL);\n", indent);
    else
        text_format(out, "%s%s(&\1space, %s, (const dpc_subscript[]){%s});\n", indent,
                    executes_once(s) ? "dpc_on_one" : "dpc_on", home->array->address,
                    subscripts_text(e, s, home, true));
    if (home && repeats_index(home) && !s->placed.clip && !home->guarded && !e->options->no_checks &&
        !reference_in_bounds(e->p, s, home))
        text_format(out, "%sdpc_check(&\1space, %s, (const dpc_subscript[]){%s});\n", indent, home->array->address,
                    subscripts_text(e, s, home, false));
}

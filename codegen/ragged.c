/* Inner reductions whose bounds are elements: the box of an index, from the least to the greatest value that it has in
 * this process's iterations; how many values those of a reduction have in all iterations together. */
#include "spmd.h"

/* Whether that number is asked for: by a gather of what the reduction reads. */
static bool counts_values(const parallel *s, int which) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].reduction == which && s->reference[k].placed.relation == RELATION_GATHER) return true;
    return false;
}

/* A loop over this process's iterations, where the bounds are at `at`, or where they stand. */
static code *open_iterations(emitter *e, const parallel *s, const char *at) {
    if (has_bounds_in_place(s)) {
        body b = {.e = e, .s = s, .mask = -1};
        return open_loops(&b, -1);
    }
    for_loop l = {.ctype = "dpc_index", .counters = 1, .relation = "<", .last = mine_count(e, s, -1)};
    l.counter[0] = (loop_counter){at, "0", "1"};
    return open_loop(e, &l);
}

/* The boxes of a reduction's ragged indices: of the bounds of this process's iterations. */
static void emit_ragged_boxes(emitter *e, const parallel *s, int which) {
    const bool counts = counts_values(s, which);
    const char *at = "\1n", *values = ragged_count(e, s, which);
    text product;
    text_start(&product, e->memory);
    if (counts) emit_line(e, "dpc_index %s = 0;", values);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].ragged && s->index[k].reduction == which)
            emit_line(e, "dpc_index %s = INT64_MAX, %s = INT64_MIN;", name_of(e, s, k, "low"),
                      name_of(e, s, k, "high"));
    code *around = open_iterations(e, s, at);
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        if (!x->ragged || x->reduction != which) continue;
        const char *widen = arena_format(e->memory, "dpc_widen(&%s, &%s, %s, %s, %s)", name_of(e, s, k, "low"),
                                         name_of(e, s, k, "high"), ragged_bound(e, s, &x->lower, at),
                                         ragged_bound(e, s, &x->upper, at), linear_words(e, &x->stride));
        text_format(&product, "%s%s", product.length ? " * " : "", widen);
        if (!counts) emit_line(e, "%s;", widen);
    }
    if (counts) emit_line(e, "%s += %s;", values, text_of(&product));
    close_block(e, around);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].ragged && s->index[k].reduction == which)
            emit_line(e, "dpc_set_box(%s, %d, %s, %s);", space_of(e), k, name_of(e, s, k, "low"),
                      name_of(e, s, k, "high"));
}

bool counts_with_inspector(const emitter *e, const parallel *s, int which) {
    if (!counts_values(s, which) || e->p->check_all || looks_outside(e->p, s) || s->kind == PARALLEL_CHECK ||
        s->results)
        return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].ragged && s->index[k].reduction == which && !runs_from_bound_to_bound(s, k)) return false;
    return true;
}

void emit_ragged_count(emitter *e, const parallel *s, int which) {
    const char *at = "\1n", *values = ragged_count(e, s, which);
    text product;
    text_start(&product, e->memory);
    emit_line(e, "dpc_index %s = 0;", values);
    code *around = open_iterations(e, s, at);
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        if (x->ragged && x->reduction == which)
            text_format(&product, "%sdpc_count_values(%s, %s, %s, %s)", product.length ? " * " : "", space_of(e),
                        ragged_bound(e, s, &x->lower, at), ragged_bound(e, s, &x->upper, at),
                        linear_words(e, &x->stride));
    }
    emit_line(e, "%s += %s;", values, text_of(&product));
    close_block(e, around);
}

void emit_boxes_of_bounds(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->reductions; k++)
        if (is_ragged(s, (int)k) && !counts_with_inspector(e, s, (int)k)) emit_ragged_boxes(e, s, (int)k);
}

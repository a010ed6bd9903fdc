/* Reductions for each element, sum(i, A[i][j] * x[i]) for each y[j], that the owners of A execute:
 *
 *     double *sum_1;                                            what the statement behind uses, as it uses y
 *     {
 *         double *restrict sum_1_part = dpc_new_results(...);    one for each of my j
 *         loops over my runs of i and j
 *             sum_1_part[j_at] += A[...] * x_in[i_at];
 *         sum_1 = dpc_combine_results(&space, &y_dist, ...);     at the owners of y[j]
 *     } */
#include <string.h>

#include "spmd.h"

static const char *part_name(emitter *e, const parallel *s) {
    return fresh_name(e->p, arena_format(e->memory, "%s_part", s->reduction[0].name));
}

static const char *start_literal(emitter *e, const reduction *r) {
    return arena_format(e->memory, "&(const %s){%s}", value_ctype(r->type), start_text(e, r));
}

/* How many results this process has. */
static const char *results_here(emitter *e, const parallel *s) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (uses_index(s->results, k)) text_format(&out, "%s%s->mine[%d]", out.length ? " * " : "", space_of(e), k);
    return text_of(&out);
}

/* The position of index k: no counter of its own where the loop's is as good. */
static linear position_of(body *b, int k) {
    emitter *e = b->e;
    const parallel *s = b->s;
    int64_t first, last;
    if (!is_placed_by_value(s, k)) return linear_atom(e->memory, name_of(e, s, k, "at"), NULL);
    const linear value = linear_atom(e->memory, s->index[k].name, NULL);
    if (has_literal_range(s, k, &first, &last)) return linear_subtract(e->memory, value, s->index[k].lower);
    const char *begin = arena_format(e->memory, "%s.first", name_of(e, s, k, "run"));
    return linear_subtract(e->memory, value, linear_atom(e->memory, begin, NULL));
}

const char *position_by_value(body *b, const bool *uses) {
    arena *a = b->e->memory;
    linear place = linear_constant(0);
    for (int k = 0; k < b->s->indices; k++) {
        if (!uses[k]) continue;
        if (!linear_is(&place, 0))
            place = linear_multiply(a, place, linear_atom(a, name_of(b->e, b->s, k, "count"), NULL));
        place = linear_add(a, place, position_of(b, k));
    }
    return linear_words(b->e, &place);
}

static void emit_element_update(body *b) {
    reduction r = b->s->reduction[0];
    bool uses[MAX_RANK];
    for (int k = 0; k < b->s->indices; k++) uses[k] = uses_index(b->s->results, k);
    r.in_tile = arena_format(b->e->memory, "%s[%s]", part_name(b->e, b->s), position_by_value(b, uses));
    emit_update(b->e, &r);
}

void emit_results_of_elements(emitter *e, const parallel *s) {
    const reduction *r = &s->reduction[0];
    const char *held = value_ctype(r->type), *part = part_name(e, s), *start = start_literal(e, r);
    body b = {.e = e, .s = s, .mask = -1};
    emit_line(e, "%s *%s;", held, r->name);
    code *around = open_block(e);
    emit_comment(e, s, -1);
    emit_prologue(e, s, -1);
    emit_line(e, "%s *restrict %s = dpc_new_results(%s, sizeof(%s), %s);", held, part, results_here(e, s), held, start);
    emit_nest(&b, emit_element_update);
    emit_epilogue(e, s, -1);
    emit_line(e, "%s = dpc_combine_results(%s, %s, DPC_SUBSCRIPTS(%s), %s, %s, %s, %s);", r->name, space_of(e),
              s->results->array->address, subscripts_text(e, s, s->results, false),
              facts_of_operation(r->operation)->combination, element_enumerator(r->type->element), start, part);
    close_block(e, around);
}

void free_results_of_elements(emitter *e, const parallel *s) {
    const parallel *x = s->reduced;
    if (x)
        emit_line(e, "dpc_free_results(%s, %s, sizeof(%s));", s->left.array->address, x->reduction[0].name,
                  value_ctype(x->reduction[0].type));
}

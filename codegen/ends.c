/* Subscripts in C loops in the bodies of independent loops: where loops count, and each of their iterations evaluates a
 * subscript that is linear in their variables, the least and the greatest value are checked as the outermost one
 * begins, and none inside.
 *
 *     for (long j = (dpc_check_ends(&M_dist, "file.dpc:7", 1, 0 <= k, 0, k), 0); j <= k; j++) */
#include <string.h>

#include "spmd.h"

/* That a loop has iterations, unless that is known. */
static void add_condition(emitter *e, text *out, const counting_loop *c) {
    const linear first = linear_of(e->memory, e->p->source, c->first),
                 limit = linear_of(e->memory, e->p->source, c->limit);
    int64_t from, to;
    const bool known = linear_value(&first, &from) && linear_value(&limit, &to);
    if (known && (c->step > 0 ? from < to : from > to)) return;
    text_format(out, "%s%s %s%s %s", out->length ? " && " : "", linear_words(e, &first), c->step > 0 ? "<" : ">",
                c->inclusive ? "=" : "", linear_words(e, &limit));
}

/* The calls that check subscript d of r as the loops begin. */
static const char *end_check(emitter *e, const reference *r, int d, const stepped_subscript *x) {
    end_pair pair[1 << CHECKED_LOOPS];
    const int pairs = ends_of_subscript(e->p, x, pair);
    text any, out;
    text_start(&any, e->memory);
    text_start(&out, e->memory);
    for (int k = x->loops; k-- > 0;) add_condition(e, &any, &x->count[k]);
    if (!any.length) text_add(&any, "true");
    for (int k = 0; k < pairs; k++)
        text_format(&out, "%sdpc_check_ends(%s, %s, %d, %s, %s, %s)", k ? ", " : "", r->array->address,
                    place_literal(e, r->node), d, text_of(&any), linear_words(e, &pair[k].first),
                    linear_words(e, &pair[k].last));
    return text_of(&out);
}

/* ---- All of a body */

/* The subscripts that the independent loop steps; those of other dimensions are checked elsewhere. */
static void emit_range_check(emitter *e, const parallel *s, const reference *r) {
    reference at = copy_of_reference(e->memory, r);
    for (int d = 0; d < r->rank; d++)
        if (!r->subscript[d].checked)
            at.subscript[d] = (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = r->array->lower[d]};
    emit_line(e, "dpc_check(%s, %s, DPC_SUBSCRIPTS(%s));", space_of(e), r->array->address,
              subscripts_text(e, s, &at, false));
}

void emit_range_checks(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool any = false;
        for (int d = 0; d < r->rank; d++) any = any || r->subscript[d].checked;
        if (any && is_evaluated_always(s, r)) emit_range_check(e, s, r);
    }
}

/* The checks as one loop begins, each once. */
typedef struct {
    const node *loop, *first;
    const char **check;
    size_t count, capacity;
} loop_checks;

static void add_check(emitter *e, loop_checks *x, const char *check) {
    for (size_t k = 0; k < x->count; k++)
        if (!strcmp(x->check[k], check)) return;
    vector_add(e->memory, x->check, x->count, x->capacity, check);
}

static void replace_first(emitter *e, const loop_checks *x) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, "(");
    for (size_t k = x->count; k-- > 0;) text_format(&out, "%s, ", x->check[k]);
    text_format(&out, "%s)", emit_node(e, x->first));
    replace(e, x->first, text_of(&out));
}

void emit_end_checks(emitter *e, const parallel *s) {
    loop_checks *loop = NULL;
    size_t loops = 0, capacity = 0;
    for (size_t k = 0; k < s->references; k++)
        for (int d = 0; d < s->reference[k].rank; d++) {
            stepped_subscript x;
            const reference *r = &s->reference[k];
            if (!r->subscript[d].checked || is_evaluated_always(s, r) || !is_checked_by_loop(s, r, d, &x)) continue;
            size_t at = 0;
            while (at < loops && loop[at].loop != x.loop) at++;
            const loop_checks fresh = {.loop = x.loop, .first = x.count[x.loops - 1].first};
            if (at == loops) vector_add(e->memory, loop, loops, capacity, fresh);
            add_check(e, &loop[at], end_check(e, r, d, &x));
        }
    for (size_t k = 0; k < loops; k++) replace_first(e, &loop[k]);
}

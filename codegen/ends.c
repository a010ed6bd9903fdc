/* Subscripts in C loops in the bodies of independent loops: where a loop counts, and each of its iterations evaluates a
 * subscript that is linear in its variable, the first and the last value are checked as it begins, and none inside it.
 *
 *     for (long j = (dpc_check_ends(&M_dist, "file.dpc:7", 1, 0 <= k, 0, k), 0); j <= k; j++) */
#include <string.h>

#include "spmd.h"

/* The subscript for a value of the variable. */
static const char *value_text(emitter *e, int64_t factor, const linear *rest, linear value) {
    const linear x = linear_add(e->memory, *rest, linear_multiply(e->memory, linear_constant(factor), value));
    return linear_words(e, &x);
}

/* The call that checks subscript d of r as its loop begins. */
static const char *end_check(emitter *e, const reference *r, int d, const stepped_subscript *x) {
    const counting_loop *c = &x->count;
    linear first = linear_of(e->memory, e->p->source, c->first), last = linear_of(e->memory, e->p->source, c->limit);
    const char *compare = arena_format(e->memory, "%s %s%s %s", linear_words(e, &first), c->step > 0 ? "<" : ">",
                                       c->inclusive ? "=" : "", linear_words(e, &last));
    if (!c->inclusive) last = linear_subtract(e->memory, last, linear_constant(c->step));
    return arena_format(e->memory, "dpc_check_ends(%s, %s, %d, %s, %s, %s)", r->array->address,
                        place_literal(e, r->node), d, compare, value_text(e, x->factor, &x->rest, first),
                        value_text(e, x->factor, &x->rest, last));
}

/* ---- All of a body */

/* The subscripts that the independent loop steps; those of other dimensions are checked elsewhere. */
static void emit_range_check(emitter *e, const parallel *s, const reference *r) {
    reference at = *r;
    for (int d = 0; d < r->rank; d++)
        if (!r->checked[d])
            at.subscript[d] = (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = r->array->lower[d]};
    emit_line(e, "dpc_check(&%s, %s, (const dpc_subscript[]){%s});", e->space, r->array->address,
              subscripts_text(e, s, &at, false));
}

void emit_range_checks(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool any = false;
        for (int d = 0; d < r->rank; d++) any = any || r->checked[d];
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
            if (!r->checked[d] || is_evaluated_always(s, r) || !is_checked_by_loop(e->p, r, d, &x)) continue;
            size_t at = 0;
            while (at < loops && loop[at].loop != x.loop) at++;
            const loop_checks fresh = {.loop = x.loop, .first = x.count.first};
            if (at == loops) vector_add(e->memory, loop, loops, capacity, fresh);
            add_check(e, &loop[at], end_check(e, r, d, &x));
        }
    for (size_t k = 0; k < loops; k++) replace_first(e, &loop[k]);
}

/* The results of reductions for each element, from the owners of the operand to those of the elements: what
 * runtime/program/results.c sends, counted by brute force. */
#include <stdlib.h>
#include <string.h>

#include "../analysis/model/layout.h"
#include "predict.h"

/* Values of all indices together, at most. */
enum { MOST_VALUES = 1 << 20 };

typedef struct {
    const parallel *s;
    const reference *from, *to; /* the operand, the elements */
    layout owners, receivers;
    values range[MAX_RANK];                   /* per index */
    int from_dim[MAX_RANK], to_dim[MAX_RANK]; /* per index: the dimension that it subscripts; to_dim -1: none */
} results;

static int64_t element_at(const subscript *u, int64_t value) {
    return u->offset.constant + (u->kind == SUBSCRIPT_AFFINE ? u->stride.constant * value : 0);
}

static bool has_constants(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (!linear_is_constant(&r->subscript[d].offset) || !linear_is_constant(&r->subscript[d].stride)) return false;
    return true;
}

static void find_dimensions(const reference *r, int *dim) {
    for (int k = 0; k < MAX_RANK; k++) dim[k] = -1;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE) dim[r->subscript[d].index] = d;
}

static const char *open_results(const program *p, const parallel *s, results *x) {
    *x = (results){.s = s, .from = &s->reference[s->placed.home], .to = s->results};
    const char *why = find_layout(p, x->from->array, &x->owners);
    int64_t total = 0;
    if (!why) why = find_layout(p, x->to->array, &x->receivers);
    if (why) return why;
    if (may_have_copies(x->to->array)) return "results for elements that have copies are not predicted";
    if (!has_constants(x->from) || !has_constants(x->to)) return "subscripts are known at run time only";
    for (int k = 0; k < s->indices; k++) {
        if (!index_values(s, k, &x->range[k])) return "the number of iterations is known at run time only";
        total += x->range[k].count;
    }
    find_dimensions(x->from, x->from_dim);
    find_dimensions(x->to, x->to_dim);
    return total * p->np > MOST_VALUES ? "counting so many iterations would take too long" : NULL;
}

/* Whether the process has, of what the invariant subscripts of r say, its part. */
static bool has_invariants(const reference *r, const layout *x, int process) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind != SUBSCRIPT_AFFINE && dpc_owner(&x->dim[d], element_at(u, 0)) != coordinate(x, process, d))
            return false;
    }
    return true;
}

/* How many values of index k `me` has something of whose results go to `other` (all: any process). */
static int64_t count_values(const results *x, int k, int me, int other, bool all) {
    const values *v = &x->range[k];
    const int d = x->from_dim[k], e = x->to_dim[k];
    int64_t count = 0;
    for (int64_t n = 0; n < v->count; n++) {
        const int64_t value = v->lower + n * v->stride;
        const bool mine =
            dpc_owner(&x->owners.dim[d], element_at(&x->from->subscript[d], value)) == coordinate(&x->owners, me, d);
        count += mine && (all || dpc_owner(&x->receivers.dim[e], element_at(&x->to->subscript[e], value)) ==
                                     coordinate(&x->receivers, other, e));
    }
    return count;
}

static int64_t count_results(const results *x, int me, int other) {
    int64_t count = 1;
    for (int k = 0; k < x->s->indices && count > 0; k++) {
        const bool own = x->to_dim[k] < 0;
        const int64_t some = count_values(x, k, me, other, own);
        count *= own ? some > 0 : some;
    }
    return count;
}

prediction predict_results(const program *p, const parallel *s) {
    prediction out = no_messages(p);
    results x;
    if (out.unknown) return out;
    const char *why = open_results(p, s, &x);
    if (why) return unpredictable(why);
    const int64_t size = element_bytes(s->reduction[0].type->element);
    for (int me = 0; me < x.owners.size; me++) {
        if (!has_invariants(x.from, &x.owners, me)) continue;
        for (int other = 0; other < x.receivers.size; other++) {
            if (other == me || !has_invariants(x.to, &x.receivers, other)) continue;
            const int64_t count = count_results(&x, me, other);
            out.each[AMOUNT_value_messages][me] += count > 0;
            out.each[AMOUNT_value_bytes][me] += count * size;
        }
    }
    return out;
}

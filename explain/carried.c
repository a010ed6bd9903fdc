/* Predictions of scalars that iterations of a pipeline leave to the next (runtime/program/carried.c). */
#include "../analysis/model/layout.h"
#include "predict.h"

enum { FLAG_BYTES = 1, VALUE_BYTES = 8 }; /* of whether `break` has left the loop, of its variable's last value */

/* The bytes of what goes from process to process, one after the other; behind: all get it in the end. */
static int carried_values(const independent_loop *x, int64_t *bytes, bool *behind) {
    int count = 0;
    if (x->left) bytes[count] = FLAG_BYTES, behind[count++] = false;
    if (x->left && x->last_value) bytes[count] = VALUE_BYTES, behind[count++] = true;
    for (size_t k = 0; k < x->carrieds; k++) {
        bytes[count] = element_bytes(x->carried[k].symbol->type->element);
        behind[count++] = x->carried[k].behind;
    }
    return count;
}

static void add_collective(prediction *out, int me, int64_t bytes) {
    out->each[AMOUNT_collectives][me]++;
    out->each[AMOUNT_collective_bytes][me] += bytes;
}

prediction predict_carried(const program *p, const parallel *s) {
    const independent_loop *x = s->loop;
    prediction out = no_messages(p);
    layout home;
    int64_t *bytes = arena_alloc(p->memory, (x->carrieds + 2) * sizeof *bytes);
    bool *behind = arena_alloc(p->memory, (x->carrieds + 2) * sizeof *behind);
    const int count = carried_values(x, bytes, behind);
    if (out.unknown) return out;
    const char *why = find_layout(p, s->left.array, &home);
    if (why) return unpredictable(why);
    int d = 0;
    while (d < s->left.rank && home.dim[d].grid_dim < 0) d++;
    const int64_t procs = d < s->left.rank ? home.dim[d].procs : 1;
    for (int me = 0; me < out.procs; me++) {
        const bool divided = procs > 1 && me < home.size;
        const int64_t last = s->index[0].descending ? 0 : procs - 1;
        const bool sends = divided && !x->scans && coordinate(&home, me, d) != last;
        for (int k = 0; k < count; k++) {
            if (behind[k] && (procs > 1 || home.size < out.procs)) add_collective(&out, me, bytes[k]);
            if (divided && x->scans) add_collective(&out, me, bytes[k]);
            out.each[AMOUNT_messages][me] += sends;
            out.each[AMOUNT_bytes][me] += sends ? bytes[k] : 0;
        }
    }
    return out;
}

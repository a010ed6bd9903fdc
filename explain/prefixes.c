/* Predictions of prefix and suffix operations (runtime/program/prefix.c). */
#include "../analysis/model/layout.h"
#include "predict.h"

/* Home, and what process `me` has of each index. */
typedef struct {
    const parallel *s;
    layout home;
    int me;
    int64_t owned[MAX_RANK];
} local_part;

static bool finds_accesses(const parallel *s, dpc_access *access) {
    const reference *home = home_of(s);
    values v;
    for (int d = 0; d < home->rank; d++)
        if (!find_access(s, &home->subscript[d], &access[d])) return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && !index_values(s, k, &v)) return false;
    return true;
}

/* Whether the process executes something; what it has of each index. */
static bool find_owned(local_part *x, const dpc_access *access) {
    const reference *home = home_of(x->s);
    for (int k = 0; k < x->s->indices; k++) {
        const int d = home_dimension(home, k);
        values v = {0};
        if (x->s->index[k].reduction < 0) index_values(x->s, k, &v);
        x->owned[k] = d < 0 ? v.count : dpc_owned_count(&x->home.dim[d], &access[d], coordinate(&x->home, x->me, d));
    }
    for (int d = 0; d < home->rank; d++)
        if (home->subscript[d].kind == SUBSCRIPT_INVARIANT &&
            dpc_owned_count(&x->home.dim[d], &access[d], coordinate(&x->home, x->me, d)) == 0)
            return false;
    return true;
}

static bool is_divided(const local_part *x, int index) {
    const int d = home_dimension(home_of(x->s), index);
    return d >= 0 && x->home.dim[d].procs > 1;
}

static int64_t count_runs(const local_part *x, const dpc_access *access, int index) {
    const int d = home_dimension(home_of(x->s), index);
    dpc_block_run r;
    int64_t runs = 0;
    for (dpc_owned_runs(&x->home.dim[d], &access[d], coordinate(&x->home, x->me, d), &r); r.count > 0;
         dpc_next_block(&r))
        runs++;
    return runs;
}

/* Values on the indices before one, and behind the last one that it goes along. */
static int64_t values_beside(const local_part *x, int before, int behind) {
    int64_t count = 1;
    for (int k = 0; k < x->s->indices; k++)
        if (x->s->index[k].reduction < 0 && (k < before || k > behind)) count *= x->owned[k];
    return count;
}

static void count_exchanges(const local_part *x, const dpc_access *access, const prefix_operation *along, int64_t bytes,
                            prediction *out) {
    if (values_beside(x, along->first, along->last) == 0) return;
    for (int k = along->last; k >= along->first; k--) {
        const int64_t width = values_beside(x, k, k == along->last ? k : x->s->indices);
        if (!is_divided(x, k) || width == 0) continue;
        out->each[AMOUNT_collectives][x->me]++;
        out->each[AMOUNT_collective_bytes][x->me] += count_runs(x, access, k) * width * bytes;
    }
}

prediction predict_prefix(const program *p, const parallel *s, const prefix_operation *along, int64_t bytes) {
    prediction out = no_messages(p);
    dpc_access access[MAX_RANK];
    local_part x = {.s = s};
    if (out.unknown || !home_of(s)) return out;
    const char *why = find_layout(p, home_of(s)->array, &x.home);
    if (!why && !finds_accesses(s, access)) why = bounds_unknown(p, home_of(s));
    if (why) return unpredictable(why);
    for (x.me = 0; x.me < x.home.size; x.me++)
        if (find_owned(&x, access)) count_exchanges(&x, access, along, bytes, &out);
    return out;
}

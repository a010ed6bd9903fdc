/* Predictions of collectives along dimensions of a grid: broadcasts and panels. */
#include "../analysis/model/layout.h"
#include "predict.h"

/* ---- Broadcasts (runtime/program/broadcast.c) */

/* An invariant subscript of dimension d: whether this process takes part; *along: others may need what the owner has.
 */
static bool joins_in(const reference *home, const reference *r, const layout *to, const layout *from, int d, int me,
                     bool *along) {
    const dpc_dim *dim = &from->dim[d];
    const int64_t index = r->subscript[d].offset.constant;
    if (dim->grid_dim < 0) return true;
    for (int h = 0; h < home->rank; h++) {
        const subscript *v = &home->subscript[h];
        if (to->dim[h].grid_dim != dim->grid_dim || v->kind != SUBSCRIPT_INVARIANT || !linear_is_constant(&v->offset))
            continue;
        if (v->offset.constant - to->dim[h].lower == index - dim->lower && dpc_same_owners(&to->dim[h], dim))
            return coordinate(from, me, d) == dpc_owner(dim, index);
    }
    *along = *along || dim->procs > 1;
    return true;
}

/* Elements of the collective that process `me` is in, 0: none.  The subscripts are constant. */
static int64_t broadcast_elements(const parallel *s, const reference *r, const layout *to, const layout *from, int me) {
    const reference *home = home_of(s);
    int64_t elements = 1;
    bool along = false;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        const int h = u->kind == SUBSCRIPT_AFFINE ? home_dimension(home, u->index) : -1;
        dpc_access access = {0, 0, 0};
        values v = {0};
        if (u->kind == SUBSCRIPT_INVARIANT) {
            if (!joins_in(home, r, to, from, d, me, &along)) return 0;
            continue;
        }
        index_values(s, u->index, &v);
        if (h >= 0) find_access(s, &home->subscript[h], &access);
        elements *= h < 0 ? v.count : dpc_owned_count(&to->dim[h], &access, coordinate(to, me, h));
    }
    return along ? elements : 0;
}

prediction predict_broadcast(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    layout from, to;
    prediction out = no_messages(p);
    dpc_access access;
    if (out.unknown) return out;
    const char *why = find_layout(p, r->array, &from);
    if (!why) why = find_layout(p, home->array, &to);
    for (int d = 0; !why && d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (!find_access(s, u, &access))
            why = bounds_unknown(p, r);
        else if (u->kind == SUBSCRIPT_INVARIANT &&
                 dpc_owned_count(&from.dim[d], &access, dpc_owner(&from.dim[d], access.first)) == 0)
            return out;
    }
    for (int d = 0; !why && d < home->rank; d++)
        if (finds_owner(s, d) && !find_access(s, &home->subscript[d], &access)) why = bounds_unknown(p, home);
    if (why) return unpredictable(why);
    for (int me = 0; me < from.size; me++) {
        const int64_t elements = broadcast_elements(s, r, &to, &from, me);
        out.each[AMOUNT_collectives][me] = elements > 0;
        out.each[AMOUNT_collective_bytes][me] = elements * element_bytes(r->array->element);
    }
    return out;
}

/* ---- Panels (runtime/program/panels.c) */

/* The panels of one reference along its divided dimension, as process `me` sees them. */
static void add_panels(const dpc_dim *dim, const dpc_access *access, int64_t row_bytes, int64_t coordinate_of_me,
                       int me, prediction *out) {
    const bool gathers = dpc_gathers_panels(dim, access, PANEL_DEPTH);
    int64_t *calls = out->each[AMOUNT_collectives], *bytes = out->each[AMOUNT_collective_bytes];
    for (int64_t at = 0, rows, left = 0; at < access->count; at += rows, left -= rows) {
        const bool starts = left == 0;
        if (starts) left = access->count - at < PANEL_DEPTH ? access->count - at : PANEL_DEPTH;
        rows = dpc_rest_of_block(dim, access, at);
        if (rows > left) rows = left;
        const bool mine = dpc_owner(dim, access->first + at * access->stride) == coordinate_of_me;
        calls[me] += gathers ? starts : 1;
        bytes[me] += gathers && !mine ? 0 : rows * row_bytes;
    }
}

prediction predict_panels(const program *p, const parallel *s, const reference *r) {
    prediction out = no_messages(p);
    layout from;
    dpc_access access[MAX_RANK];
    int along = -1;
    if (out.unknown || r->placed.relation == RELATION_LOCAL) return out;
    const char *why = find_layout(p, r->array, &from);
    for (int d = 0; !why && d < r->rank; d++) {
        if (!find_access(s, &r->subscript[d], &access[d])) why = bounds_unknown(p, r);
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == s->placed.product->reduced) along = d;
    }
    if (why) return unpredictable(why);
    for (int me = 0; me < from.size && from.dim[along].procs > 1; me++) {
        int64_t width = 1;
        for (int d = 0; d < r->rank; d++)
            if (d != along) width *= dpc_owned_count(&from.dim[d], &access[d], coordinate(&from, me, d));
        if (width > 0)
            add_panels(&from.dim[along], &access[along], width * element_bytes(r->array->element),
                       coordinate(&from, me, along), me, &out);
    }
    return out;
}

/* How what references read comes to where it is used: in words for comments and reports, which say the same. */
#include "plan.h"

/* Divided the same way, read at a constant distance. */
static bool is_shifted(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    bool any = false;
    if (!home || !has_regular_blocks(home->array) || !has_regular_blocks(r->array) ||
        home->array->mapping.grid != r->array->mapping.grid)
        return false;
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        int64_t distance;
        if (!divides(&r->array->mapping, d)) continue;
        if (x.home_dim < 0 || x.index < 0 || !divides(&home->array->mapping, x.home_dim)) return false;
        if (!pairing_distance(p, s, r, &x, &distance) || x.number != 4) return false;
        any = true;
    }
    return any;
}

/* Several processes read the same elements. */
static bool is_spread(const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    bool invariant = false;
    for (int d = 0; d < r->rank; d++)
        invariant |= r->subscript[d].kind == SUBSCRIPT_INVARIANT && divides(&r->array->mapping, d);
    if (!home) return false;
    for (int d = 0; d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        bool read = false;
        if (!divides(&home->array->mapping, d) || u->kind != SUBSCRIPT_AFFINE) continue;
        for (int k = 0; k < r->rank; k++)
            read |= r->subscript[k].kind == SUBSCRIPT_AFFINE && r->subscript[k].index == u->index;
        if (!read) return true;
    }
    return invariant;
}

travel travel_of(const program *p, const parallel *s, const reference *r) {
    if (r == &s->left && s->placed.scatter) return has_rows(s, r, -1) ? TRAVEL_SCATTERED_ROWS : TRAVEL_SCATTERED;
    if (r->placed.matrix) return TRAVEL_SUBMATRIX;
    if (r->placed.relation == RELATION_GATHER)
        return r->mask < 0 && has_rows(s, r, -1) ? TRAVEL_GATHERED_ROWS : TRAVEL_GATHERED;
    if (r->placed.relation == RELATION_LOCAL)
        return r == home_of(s) && s->kind == PARALLEL_REDUCTION ? TRAVEL_REDUCED : TRAVEL_PLACE;
    if (r->placed.relation == RELATION_STEP) return TRAVEL_STEP;
    if (r->placed.operand == OPERAND_PANELS) return TRAVEL_PANELS;
    if (comes_by_pipeline(s, r)) return TRAVEL_PIPELINE;
    if (r->placed.relation == RELATION_SHIFT) return TRAVEL_GHOSTS;
    if (reference_in_place(p, s, r)) return TRAVEL_SAME;
    if (r->placed.move == MOVE_BROADCAST) return TRAVEL_BROADCAST;
    if (is_shifted(p, s, r)) return TRAVEL_SHIFTED;
    if (!home_of(s)) return TRAVEL_EVERYWHERE;
    return is_spread(s, r) ? TRAVEL_SPREAD : TRAVEL_MOVED;
}

const travel_facts *facts_of_travel(travel way) {
    static const travel_facts facts[] = {
#define TRAVEL(name, relation, comment, why) {relation, comment, why},
#include "../model/travels.def"
#undef TRAVEL
    };
    return &facts[way];
}

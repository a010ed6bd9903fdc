/* The two ends of what moves: which processes own it, and which execute. */
#include "transfer.h"

#include "../runtime/base/sets.h"

static end whole_end(const layout *x, dpc_addressing addressing) {
    end e = {.layout = x, .possible = true, .axes = x->rank};
    for (int d = 0; d < x->rank; d++) {
        e.dim[d] = d;
        e.side[d] = (dpc_side){x->dim[d], {x->dim[d].lower, 1, x->dim[d].extent}, addressing};
        if (x->dim[d].grid_dim >= 0) e.axis_of[x->dim[d].grid_dim] = d;
        if (x->dim[d].extent == 0) e.possible = false;
    }
    return e;
}

static void restrict_end(end *e, int d, dpc_access access) {
    const dpc_dim *dim = &e->layout->dim[d];
    if (dim->grid_dim < 0) {
        if (dpc_owned_count(dim, &access, 0) == 0) e->possible = false;
        return;
    }
    e->axis_of[dim->grid_dim] = -1;
    e->other[e->others] = d;
    e->access[e->others++] = access;
}

static void add_axis(end *e, int d, dpc_access access, dpc_addressing addressing) {
    dpc_dim dim = e->layout->dim[d];
    if (e->layout->written_block[d] > 0) dpc_lengthen_blocks(&dim, e->layout->written_block[d]);
    if (dim.grid_dim >= 0) e->axis_of[dim.grid_dim] = e->axes;
    e->dim[e->axes] = d;
    e->side[e->axes++] = (dpc_side){dim, access, addressing};
}

static void add_whole_axis(end *e, int64_t count) {
    const dpc_dim all = dpc_whole_dim(count);
    e->dim[e->axes] = -1;
    e->side[e->axes++] = (dpc_side){all, {0, 1, count}, DPC_POSITION};
}

bool takes_part(const end *e, int me) {
    if (!e->layout) return true;
    if (me >= e->layout->size) return false;
    for (int k = 0; k < e->others; k++)
        if (dpc_owned_count(&e->layout->dim[e->other[k]], &e->access[k], coordinate(e->layout, me, e->other[k])) == 0)
            return false;
    return true;
}

/* ---- Statements */

static int dimension_with(const reference *r, int index) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == index) return d;
    return -1;
}

/* The statement's indices in the order of the transfer's axes (runtime/program/fetch.c): ascending, or by the array's
 * dimensions. */
static void order_indices(const parallel *s, const reference *r, int *order) {
    int count = 0;
    for (int d = 0; r->placed.move == MOVE_INLINED && d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE) order[count++] = r->subscript[d].index;
    for (int k = 0; k < s->indices; k++)
        if (r->placed.move != MOVE_INLINED || dimension_with(r, k) < 0) order[count++] = k;
}

/* The owners: axes are the indices that occur, in ascending order; invariant subscripts fix the rest. */
static const char *open_source(const program *p, const parallel *s, const reference *r, const layout *l, end *e) {
    dpc_access access;
    *e = (end){.layout = l, .possible = true};
    for (int d = 0; d < r->rank; d++) {
        if (!find_access(s, &r->subscript[d], &access)) return bounds_unknown(p, r);
        if (r->subscript[d].kind == SUBSCRIPT_INVARIANT) restrict_end(e, d, access);
    }
    int order[MAX_RANK];
    order_indices(s, r, order);
    for (int n = 0; n < s->indices; n++) {
        const int k = order[n], d = dimension_with(r, k);
        values v;
        if (!index_values(s, k, &v)) return bounds_unknown(p, r);
        if (s->index[k].reduction < 0 && v.count == 0) e->possible = false;
        if (d >= 0 && find_access(s, &r->subscript[d], &access)) add_axis(e, d, access, DPC_LOCAL_INDEX);
    }
    return NULL;
}

/* The executing processes. */
static const char *open_target(const program *p, const parallel *s, const reference *r, const layout *l, end *e) {
    const reference *home = home_of(s);
    *e = (end){.layout = home ? l : NULL, .possible = true};
    for (int d = 0; home && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        dpc_access access = {home->array->lower[d].constant, 0, 1};
        if (finds_owner(s, d) && !find_access(s, u, &access)) return bounds_unknown(p, home);
        if (finds_owner(s, d) && u->kind == SUBSCRIPT_AFFINE && dimension_with(r, u->index) >= 0) continue;
        restrict_end(e, d, access);
    }
    int order[MAX_RANK];
    order_indices(s, r, order);
    for (int n = 0; n < s->indices; n++) {
        const int k = order[n], d = home ? home_dimension(home, k) : -1;
        dpc_access access;
        values v;
        if (dimension_with(r, k) < 0) continue;
        if (!index_values(s, k, &v)) return bounds_unknown(p, r);
        if (d < 0)
            add_whole_axis(e, v.count);
        else if (find_access(s, &home->subscript[d], &access))
            add_axis(e, d, access, DPC_POSITION);
    }
    return NULL;
}

static bool knows_blocks(const array *a) {
    return knows_cells(a) && !has_tables(end_of_chain(a));
}

const char *open_fetch(const program *p, const parallel *s, const reference *r, transfer *t) {
    const reference *home = home_of(s);
    const array *dynamic = !knows_blocks(r->array) ? r->array : home && !knows_blocks(home->array) ? home->array : NULL;
    if (dynamic)
        return arena_format(p->memory, "%s %s: which it has here is known at run time only", dynamic->symbol->name,
                            why_dynamic(dynamic));
    *t = (transfer){.program = p, .method = method_asked(p, s), .size = element_bytes(r->array->element)};
    t->pair = t->size + (p->model == COMM_DEPOSIT ? (int64_t)sizeof(dpc_index) : 0);
    const char *why = find_layout(p, r->array, &t->owners);
    if (!why && home) why = find_layout(p, home->array, &t->executors);
    if (!why) why = open_source(p, s, r, &t->owners, &t->from);
    return why ? why : open_target(p, s, r, &t->executors, &t->to);
}

const char *open_redistribution(const program *p, const array *a, const mapping *from, const mapping *to, transfer *t) {
    array before = *a, after = *a;
    before.mapping = *from;
    after.mapping = *to;
    *t = (transfer){
        .program = p, .method = DPC_SETS_AUTO, .size = element_bytes(a->element), .pair = element_bytes(a->element)};
    const char *why = find_layout(p, &before, &t->owners);
    if (!why) why = find_layout(p, &after, &t->executors);
    t->from = whole_end(&t->owners, DPC_LOCAL_INDEX);
    t->to = whole_end(&t->executors, DPC_LOCAL_INDEX);
    return why;
}

/* Fetches: the elements of an array that the iterations of a space read come to the processes that execute them. */
#include "program.h"

#include <string.h>

DPC_STEADY dpc_fetch_axes dpc_find_axes(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    dpc_fetch_axes axes;
    axes.rank = 0;
    for (int d = 0; d < s->rank; d++)
        for (int k = 0; k < a->rank; k++) {
            if (subscripts[k].index != d) continue;
            axes.index[axes.rank] = d;
            axes.dim[axes.rank++] = k;
        }
    return axes;
}

/* The owners: the array along the axes; invariant subscripts fix the rest.  all_copies: as in dpc_hold_end. */
static dpc_end source_end(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                          const dpc_fetch_axes *axes, bool all_copies) {
    dpc_end end = {.grid = a->grid, .possible = true, .active = a->member, .addressing = DPC_LOCAL_INDEX};
    dpc_index offset = 0;
    (void)all_copies; /* but of copies */
    dpc_hold_end(&end, a, all_copies);
    for (int k = 0; k < a->rank; k++) {
        if (subscripts[k].index >= 0) continue;
        const dpc_access access = dpc_subscript_access(s, &subscripts[k]);
        dpc_restrict_end(&end, &a->dim[k], &access);
        if (end.possible && end.active) offset += dpc_local(&a->dim[k], access.first) * a->stride[k];
    }
    for (int axis = 0; axis < axes->rank; axis++) {
        const int k = axes->dim[axis];
        const dpc_access access = dpc_subscript_access(s, &subscripts[k]);
        dpc_add_axis(&end, axis, &a->dim[k], &access, a->coord[k], a->stride[k]);
        dpc_set_format(&end, axis, a, k);
    }
    end.storage = end.possible && end.active ? (char *)a->local + offset * a->size : NULL;
    return end;
}

/* An axis that the home is not divided along: everybody executes all of it. */
static void add_whole_axis(dpc_end *end, int axis, dpc_index count, dpc_index scale) {
    const dpc_dim whole = dpc_whole_dim(count);
    const dpc_access all = {0, 1, count};
    dpc_add_axis(end, axis, &whole, &all, 0, scale);
}

static bool is_axis(const dpc_fetch_axes *axes, int index) {
    for (int axis = 0; axis < axes->rank; axis++)
        if (axes->index[axis] == index) return true;
    return false;
}

/* The executing processes: those that own the home elements. */
static dpc_end target_end(const dpc_space *s, const dpc_fetch_axes *axes, const dpc_index *scale, void *buffer) {
    const dpc_array *home = s->home;
    dpc_end end = {.possible = true, .active = true, .addressing = DPC_POSITION, .storage = buffer};
    if (home != NULL) {
        end.grid = home->grid;
        end.active = home->member;
        dpc_hold_end(&end, home, !s->once);
        for (int k = 0; k < home->rank; k++) {
            if (s->home_subscript[k].index >= 0 && is_axis(axes, s->home_subscript[k].index)) continue;
            const dpc_access access = dpc_subscript_access(s, &s->home_subscript[k]);
            dpc_restrict_end(&end, &home->dim[k], &access);
        }
    }
    for (int axis = 0; axis < axes->rank; axis++) {
        const int index = axes->index[axis], k = home == NULL ? -1 : s->home_dim[index];
        if (k < 0) {
            add_whole_axis(&end, axis, s->count[index], scale[axis]);
            continue;
        }
        const dpc_access access = dpc_subscript_access(s, &s->home_subscript[k]);
        dpc_add_axis(&end, axis, &home->dim[k], &access, home->coord[k], scale[axis]);
        dpc_set_format(&end, axis, home, k);
    }
    return end;
}

#if DPC_HAS_EXCHANGES
/* Every iteration reads an element: none of the result must be zeroed. */
static bool covers(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    dpc_index low, high;
    for (int k = 0; s->clip && k < a->rank; k++) {
        const dpc_access access = dpc_subscript_access(s, &subscripts[k]);
        if (!dpc_inside(&a->dim[k], &access, &low, &high)) return false;
    }
    return true;
}
#endif

static bool is_empty(const dpc_space *s) {
    for (int d = 0; d < s->own; d++)
        if (s->count[d] == 0) return true;
    return false;
}

/* Axes in the order of the array's dimensions. */
static void sort_by_dimension(dpc_fetch_axes *axes) {
    for (int k = 1; k < axes->rank; k++) {
        const int dim = axes->dim[k], index = axes->index[k];
        int at = k;
        for (; at > 0 && axes->dim[at - 1] > dim; at--) {
            axes->dim[at] = axes->dim[at - 1];
            axes->index[at] = axes->index[at - 1];
        }
        axes->dim[at] = dim;
        axes->index[at] = index;
    }
}

/* The strides of the axes in a block over positions, row-major; returns the number of these. */
static dpc_index find_scales(const dpc_space *s, const dpc_fetch_axes *axes, dpc_index *scale_of) {
    dpc_index elements = 1;
    for (int axis = axes->rank - 1; axis >= 0; axis--) {
        scale_of[axes->index[axis]] = elements;
        elements *= s->mine[axes->index[axis]];
    }
    return elements;
}

dpc_index dpc_fetch_ends(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool by_dimension,
                         dpc_fetch_axes *axes, dpc_end *from, dpc_end *to) {
    dpc_index scale[DPC_MAX_RANK], scale_of[DPC_MAX_RANK];
    *axes = dpc_find_axes(s, a, subscripts);
    const dpc_index elements = find_scales(s, axes, scale_of);
    if (by_dimension) sort_by_dimension(axes);
    for (int axis = 0; axis < axes->rank; axis++) scale[axis] = scale_of[axes->index[axis]];
    const bool own_copies = a->copies && s->home != NULL && s->home->grid == a->grid;
    *from = source_end(s, a, subscripts, axes, own_copies);
    *to = target_end(s, axes, scale, NULL);
#if DPC_HAS_COPIES
    for (int g = 0; own_copies && g < a->grid->rank; g++) from->alike[g] = to->alike[g] = a->held[g] == DPC_EVERY;
#endif
    from->method = to->method = s->sets;
    if (is_empty(s)) from->possible = false;
    return elements;
}

void dpc_result_ends(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, dpc_fetch_axes *axes,
                     dpc_end *from, dpc_end *to) {
    dpc_index scale[DPC_MAX_RANK], scale_of[DPC_MAX_RANK];
    *axes = dpc_find_axes(s, a, subscripts);
    find_scales(s, axes, scale_of);
    for (int axis = 0; axis < axes->rank; axis++) scale[axis] = scale_of[axes->index[axis]];
    *from = target_end(s, axes, scale, NULL);
    *to = source_end(s, a, subscripts, axes, true);
    from->method = to->method = s->sets;
    if (is_empty(s)) to->possible = false;
}

#if DPC_HAS_EXCHANGES
/* The receiver's addresses where the values go straight into the left side. */
static void address_home(dpc_end *to, const dpc_space *s, const dpc_fetch_axes *axes) {
    to->addressing = DPC_LOCAL_INDEX;
    for (int axis = 0; axis < axes->rank; axis++) to->scale[axis] = s->home->stride[s->home_dim[axes->index[axis]]];
}
#endif

void dpc_find_ends(dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    const bool moved = r->kind == DPC_MOVED_TO_POSITIONS || r->kind == DPC_MOVED_HOME;
#ifndef DPC_STANDALONE
    if (moved && dpc_is_line(s, a, subscripts)) {
        dpc_find_line(r, s, a, subscripts);
        return;
    }
#endif
    r->elements = dpc_fetch_ends(s, a, subscripts, moved, &r->axes, &r->from, &r->to);
#if DPC_HAS_EXCHANGES
    if (r->kind == DPC_COPIED) address_home(&r->to, s, &r->axes);
    r->covers = covers(s, a, subscripts);
#endif
    if (r->kind == DPC_MOVED_HOME) r->to.addressing = DPC_LOCAL_INDEX;
    r->offset = r->from.storage == NULL ? -1 : r->from.storage - (char *)a->local;
    r->from.storage = NULL;
}

#if DPC_HAS_EXCHANGES
DPC_STEADY dpc_model dpc_route_model(const dpc_route *r) {
    if (r->kind != DPC_FETCHED) return DPC_MODEL_CONVENTIONAL;
    return r->model == DPC_MODEL_AUTO ? dpc_choose_model(r->axes.rank, &r->from, &r->to) : r->model;
}
#endif

DPC_STEADY dpc_transfer *dpc_fetch(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    const char *where = dpc_counted_at(s->where);
    dpc_begin_counting(where, DPC_COUNT_messages);
    dpc_route *r = dpc_take_route(s, a, subscripts, DPC_FETCHED);
    void *buffer = dpc_take_staging(r->elements, a->size);
    if (!r->covers) memset(buffer, 0, (size_t)(r->elements * a->size));
    dpc_transfer *t = dpc_start_exchange(where, r, dpc_route_source(r, a), buffer, a->size);
    t->buffer = buffer;
    return t;
}

/* The position of home's invariant subscripts in the local part, elements. */
static dpc_index home_offset(const dpc_space *s) {
    dpc_index offset = 0;
    for (int k = 0; k < s->home->rank; k++)
        if (s->home_subscript[k].index < 0)
            offset += dpc_local(&s->home->dim[k], s->home_subscript[k].offset) * s->home->stride[k];
    return offset;
}

DPC_STEADY void dpc_copy(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    const char *where = dpc_counted_at(s->where);
    dpc_begin_counting(where, DPC_COUNT_messages);
    dpc_route *r = dpc_take_route(s, a, subscripts, DPC_COPIED);
    char *target = r->to.possible && r->to.active ? (char *)s->home->local + home_offset(s) * a->size : NULL;
    dpc_release(dpc_start_exchange(where, r, dpc_route_source(r, a), target, a->size));
}

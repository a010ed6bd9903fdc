/* Broadcasts: a reference whose indices stand where home's do, and whose other subscripts are invariant, is needed by
 * all processes along the dimensions of the grid that these subscripts divide: one collective on that part of the grid
 * instead of communication sets.  LU's pivot row and column are such references. */
#include "program.h"

#include <string.h>

/* The reference, seen from this process. */
typedef struct {
    const dpc_space *space;
    const dpc_array *array;
    const dpc_subscript *subscripts;
    dpc_fetch_axes axes;          /* of several elements */
    bool along[DPC_MAX_RANK];     /* per dimension of the grid: the values go to every coordinate */
    dpc_index root[DPC_MAX_RANK]; /* its coordinate that owns them */
    dpc_index offset;             /* of the invariant subscripts in the owner's local part, elements */
    bool exists;                  /* the invariant subscripts are inside the array */
    bool takes_part;              /* this process owns or needs the values */
} broadcast;

/* The dimension of home along dimension g of the grid, or -1. */
static int home_dimension(const dpc_space *s, int g) {
    for (int k = 0; s->home != NULL && k < s->home->rank; k++)
        if (s->home->dim[k].grid_dim == g) return k;
    return -1;
}

/* An invariant subscript of a divided dimension: along it, or only where home has the very same one. */
static void find_root(broadcast *b, int d, dpc_index index) {
    const dpc_dim *dim = &b->array->dim[d];
    const int g = dim->grid_dim, k = home_dimension(b->space, g);
    b->root[g] = dpc_owner(dim, index);
    const dpc_subscript *home = k < 0 ? NULL : &b->space->home_subscript[k];
    const dpc_dim *other = k < 0 ? NULL : &b->space->home->dim[k];
    b->along[g] = home == NULL || home->index >= 0 || home->offset - other->lower != index - dim->lower ||
                  !dpc_same_owners(other, dim);
    if (!b->along[g] && b->array->grid->coord[g] != b->root[g]) b->takes_part = false;
}

/* Invariant subscripts say where the values come from. */
static void find_owner(broadcast *b, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    dpc_check(s, a, subscripts);
    *b = (broadcast){.space = s, .array = a, .subscripts = subscripts, .exists = true, .takes_part = a->member};
    for (int d = 0; d < a->rank; d++) {
        const dpc_index index = subscripts[d].offset;
        if (subscripts[d].index >= 0) continue;
        if (!dpc_holds(&a->dim[d], index)) {
            b->exists = false;
            return;
        }
        b->offset += dpc_local(&a->dim[d], index) * a->stride[d];
        if (a->dim[d].grid_dim >= 0) find_root(b, d, index);
    }
}

/* Elements that come: the iterations that this process's coordinates own, even where it executes nothing. */
static dpc_index count_elements(const broadcast *b) {
    const dpc_space *s = b->space;
    dpc_index elements = 1;
    for (int axis = 0; axis < b->axes.rank; axis++) {
        const int index = b->axes.index[axis];
        elements *= b->array->member ? s->owned[index] : s->count[index];
    }
    return elements;
}

/* Copies axis `axis` and the ones after it side by side; returns where they end.  Neighbours stand side by side across
 * the blocks of a process. */
DPC_STEADY static char *pack(const broadcast *b, int axis, const char *place, char *to) {
    const dpc_array *a = b->array;
    if (axis == b->axes.rank) {
        memcpy(to, place, (size_t)a->size);
        return to + a->size;
    }
    const int d = b->axes.dim[axis];
    const dpc_access access = dpc_subscript_access(b->space, &b->subscripts[d]);
    dpc_block_run r;
    const dpc_index mine = dpc_owned_runs(&a->dim[d], &access, a->coord[d], &r);
    if (access.stride == 1 && dpc_gap(&a->dim[d]) == 0) {
        r.count = mine;
        r.last = r.first + mine - 1;
    }
    for (; r.count > 0; dpc_next_block(&r)) {
        const char *from = place + r.local * a->stride[d] * a->size;
        const dpc_index step = access.stride * a->stride[d];
        if (axis == b->axes.rank - 1) {
            if (step == 1)
                memcpy(to, from, (size_t)(r.count * a->size));
            else
                dpc_copy_run(to, 1, from, step, r.count, a->size);
            to += r.count * a->size;
        } else
            for (dpc_index t = 0; t < r.count; t++) to = pack(b, axis + 1, from + t * step * a->size, to);
    }
    return to;
}

DPC_STEADY void dpc_pack_reference(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                                   const void *place, void *to) {
    const broadcast b = {.space = s, .array = a, .subscripts = subscripts, .axes = dpc_find_axes(s, a, subscripts)};
    pack(&b, 0, place, to);
}

static bool is_root(const broadcast *b) {
    const dpc_grid *grid = b->array->grid;
    for (int g = 0; g < grid->rank; g++)
        if (b->along[g] && grid->coord[g] != b->root[g]) return false;
    return b->takes_part;
}

/* Sends the bytes along the grid, in pieces that MPI's counts can express. */
static void send_along(const broadcast *b, char *bytes, dpc_index count) {
    dpc_grid *grid = b->array->grid;
    int root = 0;
    bool any = false;
    for (int g = 0; g < grid->rank; g++) {
        if (b->along[g]) root = root * grid->extent[g] + (int)b->root[g];
        any = any || (b->along[g] && grid->extent[g] > 1);
    }
    if (!any) return; /* nobody else needs them */
    MPI_Comm line = dpc_grid_line(grid, b->along);
    if (!b->takes_part || count == 0) return;
    dpc_count_message(count);
    for (dpc_index at = 0; at < count; at += dpc_chunk())
        MPI_Bcast(bytes + at, (int)dpc_minimum(count - at, dpc_chunk()), MPI_BYTE, root, line);
}

static void *fetch_element(const dpc_space *s, const dpc_array *a, void *value, const dpc_subscript *subscripts) {
    dpc_transfer *t = dpc_fetch(s, a, subscripts);
    const void *element = dpc_arrive(t);
    if (s->active) memcpy(value, element, (size_t)a->size);
    dpc_release(t);
    return value;
}

/* The element on the only process of a grid, or NULL. */
static void *only_element(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    dpc_index offset = 0;
    dpc_check(s, a, subscripts);
    for (int d = 0; d < a->rank; d++) {
        const dpc_index index = subscripts[d].offset;
        if (!dpc_holds(&a->dim[d], index)) return NULL;
        offset += (index - a->dim[d].lower) * a->stride[d];
    }
    return (char *)a->local + offset * a->size;
}

void *dpc_share_element_once(const dpc_space *s, const dpc_array *a, void *value, const dpc_subscript *subscripts) {
    broadcast b;
    if (!dpc_is_along_grid(a) || !dpc_is_along_grid(s->home)) return fetch_element(s, a, value, subscripts);
    if (a->grid->size == 1 && a->member) {
        void *element = only_element(s, a, subscripts);
        return element == NULL ? value : element;
    }
    find_owner(&b, s, a, subscripts);
    if (!b.exists) return value;
    dpc_begin_counting(s->where, DPC_COUNT_collectives);
    if (is_root(&b)) memcpy(value, (const char *)a->local + b.offset * a->size, (size_t)a->size);
    send_along(&b, value, a->size);
    dpc_end_counting();
    return value;
}

dpc_transfer *dpc_broadcast_once(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    broadcast b;
    if (!dpc_is_along_grid(a) || !dpc_is_along_grid(s->home)) return dpc_fetch(s, a, subscripts);
    find_owner(&b, s, a, subscripts);
    b.axes = dpc_find_axes(s, a, subscripts);
    const dpc_index elements = count_elements(&b);
    char *values = dpc_take_staging(elements, a->size);
    dpc_begin_counting(s->where, DPC_COUNT_collectives);
    if (!b.exists)
        memset(values, 0, (size_t)(elements * a->size));
    else {
        if (is_root(&b) && elements > 0) pack(&b, 0, (const char *)a->local + b.offset * a->size, values);
        send_along(&b, values, elements * a->size);
    }
    dpc_end_counting();
    return dpc_arrived(values);
}

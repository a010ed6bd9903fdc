/* Redistribution: changes the mapping of an array and keeps the values. */
#include "internal.h"

/* The array's part of this process, whole dimensions as axes. */
static dpc_end whole_end(const dpc_array *a) {
    dpc_end end = {
        .grid = a->grid, .possible = true, .active = a->member, .addressing = DPC_LOCAL_INDEX, .storage = a->local};
    for (int k = 0; k < a->rank; k++) {
        const dpc_access access = {a->dim[k].lower, 1, a->dim[k].extent};
        dpc_add_axis(&end, k, &a->dim[k], &access, a->coord[k], a->stride[k]);
    }
    return end;
}

static bool is_empty(const dpc_array *a) {
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].extent == 0) return true;
    return false;
}

void dpc_redistribute(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid) {
    dpc_array changed = dpc_remapped(a, where, formats, grid);
    dpc_count_execution(where);
    if (dpc_same_mapping(a, &changed)) {
        dpc_free(&changed);
        return;
    }
    if (!is_empty(a)) {
        const dpc_end from = whole_end(a), to = whole_end(&changed);
        dpc_transfer *t = dpc_start_exchange(where, a->rank, &from, &to, a->size, DPC_MODEL_CONVENTIONAL);
        dpc_release(t);
    }
    dpc_free(a);
    *a = changed;
}

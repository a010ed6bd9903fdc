/* What extrinsic functions see of an array: its local part, without the gaps between blocks. */
#include "program.h"

#include <string.h>

static bool has_gaps(const dpc_array *a) {
    for (int d = 0; d < a->rank; d++)
        if (dpc_is_dealt(&a->dim[d]) && dpc_gap(&a->dim[d]) > 0 && a->dim[d].procs > 1) return true;
    return false;
}

static dpc_block_run first_run_of(const dpc_array *a, int d) {
    const dpc_access all = {a->dim[d].lower, 1, a->dim[d].extent};
    return dpc_first_block(&a->dim[d], &all, a->coord[d]);
}

static dpc_index owned_along(const dpc_array *a, int d) {
    dpc_index count = 0;
    for (dpc_block_run r = first_run_of(a, d); r.count > 0; dpc_next_block(&r)) count += r.count;
    return a->member ? count : 0;
}

long dpc_view_global(const dpc_view *view, int dim, long k) {
    const dpc_array *a = view->array;
    dpc_index before = 0;
    if (dim < 0 || dim >= a->rank || k < 0 || k >= view->extent[dim])
        dpc_fail(view->where, "dpc_view_global: '%s' has no element %ld along dimension %d on this process", a->name, k,
                 dim);
    if (!has_gaps(a)) return (long)dpc_global(&a->dim[dim], k, a->coord[dim]);
    dpc_block_run r = first_run_of(a, dim);
    for (; before + r.count <= k; dpc_next_block(&r)) before += r.count;
    return (long)(a->dim[dim].lower + r.first + k - before);
}

/* Copies dimension d and those behind it, run by run, into the dense copy or out of it. */
static void copy_dense(const dpc_view *v, int d, char *dense, char *local, bool out) {
    const dpc_array *a = v->array;
    const size_t size = v->size;
    for (dpc_block_run r = first_run_of(a, d); r.count > 0; dpc_next_block(&r)) {
        char *from = local + r.local * a->stride[d] * a->size;
        if (d == a->rank - 1) {
            memcpy(out ? from : dense, out ? dense : from, (size_t)r.count * size);
            dense += (size_t)r.count * size;
            continue;
        }
        for (dpc_index k = 0; k < r.count; k++, dense += (size_t)v->stride[d] * size)
            copy_dense(v, d + 1, dense, from + k * a->stride[d] * a->size, out);
    }
}

static void make_dense(dpc_view *v) {
    dpc_index elements = 1;
    for (int d = v->rank - 1; d >= 0; d--) {
        v->stride[d] = (long)elements;
        elements *= v->extent[d];
    }
    if (elements == 0) return;
    v->data = v->dense = dpc_raw_buffer(elements, (dpc_index)v->size);
    copy_dense(v, 0, v->dense, v->array->local, false);
}

dpc_view dpc_begin_view(const char *where, dpc_array *a) {
    dpc_view v = {.rank = a->rank, .size = (size_t)a->size, .array = a, .where = where};
    bool along[DPC_MAX_RANK] = {false}, any = true;
    dpc_begin_statement(where);
    dpc_check_together(where, a);
    for (int d = 0; d < a->rank; d++) {
        v.extent[d] = (long)owned_along(a, d);
        v.stride[d] = (long)a->stride[d];
        any = any && v.extent[d] > 0;
    }
    for (int g = 0; g < a->grid->rank; g++) along[g] = true;
    v.comm = dpc_grid_line(a->grid, along);
    if (!any)
        memset(v.extent, 0, sizeof v.extent);
    else if (has_gaps(a))
        make_dense(&v);
    else
        v.data = a->local;
    return v;
}

void dpc_end_view(dpc_view *v) {
    if (v->dense != NULL) copy_dense(v, 0, v->dense, v->array->local, true);
    if (v->dense != NULL) dpc_free_buffer(v->dense);
    dpc_changed(v->array);
}

/* How local arrays lie in storage, and problems whose dimensions are taken in the opposite order because every local
 * array lies column after column: all methods and kernels take the last dimension for the fastest. */
#include "storage.h"

/* One dimension after the faster ones, which fill `room` elements; 0: it is the fastest. */
static void compare_stride(dpc_index extent, dpc_index stride, dpc_index *room, int *apart, int *dense) {
    const dpc_index least = dpc_maximum(*room, 1);
    if (extent > 1 && stride != least) *dense = 0;
    if (extent > 1 && (*room == 0 ? stride != 1 : stride < least)) *apart = 0;
    *room = extent > 1 ? stride * extent : least;
}

static void compare_strides(const dpc_mapping *m, const dpc_index *at, dpc_storage *all) {
    dpc_index rows = 0, columns = 0, extent[DPC_MAX_RANK], elements = 1;
    for (int k = 0; k < m->rank; k++) {
        const dpc_line line = dpc_line_of(m, k);
        extent[k] = dpc_line_before(&line, at[k], line.first + line.extent);
        elements *= extent[k];
    }
    if (elements == 0) return;
    for (int k = m->rank - 1; k >= 0; k--) compare_stride(extent[k], m->stride[k], &rows, &all->rows, &all->dense_rows);
    for (int k = 0; k < m->rank; k++)
        compare_stride(extent[k], m->stride[k], &columns, &all->columns, &all->dense_columns);
}

dpc_storage dpc_compare_storage(const dpc_problem *p) {
    dpc_storage all = {1, 1, 1, 1};
    if (p->from_place >= 0) compare_strides(&p->from, p->from_at, &all);
    if (p->to_place >= 0) compare_strides(&p->to, p->to_at, &all);
    MPI_Allreduce(MPI_IN_PLACE, &all, (int)(sizeof all / sizeof(int)), MPI_INT, MPI_LAND, p->comm);
    return all;
}

/* ---- The opposite order */

static void reverse_indices(int rank, dpc_index *index) {
    for (int k = 0, j = rank - 1; k < j; k++, j--) {
        const dpc_index kept = index[k];
        index[k] = index[j];
        index[j] = kept;
    }
}

/* The grid's places have other numbers then, unless one dimension only is divided. */
static bool keeps_places(const dpc_mapping *m) {
    int divided = 0;
    for (int k = 0; k < m->rank; k++) divided += m->procs[k] > 1;
    return divided <= 1;
}

void dpc_reverse_mapping(dpc_mapping *m) {
    const dpc_mapping old = *m;
    reverse_indices(m->rank, m->extent);
    reverse_indices(m->rank, m->first);
    reverse_indices(m->rank, m->block);
    reverse_indices(m->rank, m->stride);
    for (int k = 0; k < m->rank; k++) m->procs[k] = old.procs[m->rank - 1 - k];
    if (keeps_places(m)) return;
    const dpc_index places = dpc_mapped_places(m);
    int *process = dpc_raw_buffer(places, sizeof *process);
    for (dpc_index place = 0; place < places; place++) {
        dpc_index at[DPC_MAX_RANK];
        dpc_place_coordinates(m, place, at);
        reverse_indices(m->rank, at);
        process[place] = dpc_mapped_process(&old, at);
    }
    dpc_free_buffer((void *)(uintptr_t)m->process);
    m->process = process;
}

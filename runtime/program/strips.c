/* Sweeps: what of the arrays goes from process to process.  Along a dimension that is divided and has the blocks, the
 * boundary is complete, and needed, only at the ends: one message.  Elements beside two divided dimensions come with
 * the later of these, from the ghost cells of the process between. */
#include "sweep.h"

#include "../placement.h"

/* This process's part of a dimension, or its block of it in the tile: places, and which element the first one is. */
static dpc_span part_of(const dpc_sweep *w, int array, int k, dpc_index *begin) {
    const dpc_array *a = w->array[array];
    dpc_index place = 0, count = a->extent[k], end;
    if (w->lines > 0 && a->dim[k].procs > 1)
        dpc_tile_of_array(w, array, k, begin, &place, &count);
    else
        dpc_interval_of(&a->dim[k], a->coord[k], begin, &end);
    return (dpc_span){place, place + count - 1};
}

/* All of that; corners: with the ghost cells behind. */
static dpc_span whole_dimension(const dpc_sweep *w, int array, int k, bool corners) {
    const dpc_width width = dpc_swept_behind(w, array, k);
    dpc_index begin;
    dpc_span all = part_of(w, array, k, &begin);
    if (!corners || !dpc_is_carried(w, array, k)) return all;
    const dpc_index behind = w->array[array]->dim[k].extent - begin - dpc_span_length(all);
    all.first -= dpc_minimum(width.low, begin);
    all.last += dpc_minimum(width.high, behind);
    return all;
}

/* The part of a dimension that belongs to a block: what lies outside the loops goes with the first and the last one. */
static dpc_span part_of_dimension(const dpc_sweep *w, int array, int k, dpc_index block, bool corners) {
    const dpc_array *a = w->array[array];
    dpc_span part = whole_dimension(w, array, k, corners);
    const dpc_span values = dpc_sweep_block(w, block);
    const dpc_index more = dpc_swept_subscripts(w, array)[k].offset - dpc_first_owned(a, k);
    const bool down = w->course[w->blocked].down;
    if (block != (down ? w->blocks - 1 : 0)) part.first = values.first + more;
    if (block != (down ? 0 : w->blocks - 1)) part.last = values.last + more;
    return part;
}

static void find_box(const dpc_sweep *w, const dpc_sweep_strip *s, bool once, dpc_index block,
                     dpc_span box[DPC_MAX_RANK]) {
    const int blocked = once ? -1 : dpc_blocked_dimension(w, s->array);
    for (int k = 0; k < w->array[s->array]->rank; k++)
        box[k] = k == s->k      ? s->along
                 : k == blocked ? part_of_dimension(w, s->array, k, block, k < s->k)
                                : whole_dimension(w, s->array, k, k < s->k);
}

static dpc_index box_elements(int rank, const dpc_span *box) {
    dpc_index elements = 1;
    for (int k = 0; k < rank; k++) elements *= dpc_span_length(box[k]);
    return elements;
}

/* Copies dimensions k and further; returns the end of the buffer's part. */
DPC_STEADY static char *copy_box(const dpc_array *a, const dpc_span *box, int k, char *place, char *buffer, bool pack) {
    int rest = k + 1;
    while (rest < a->rank && dpc_span_length(box[rest]) == 1) rest++;
    const dpc_index n = dpc_span_length(box[k]);
    if (rest < a->rank) {
        for (dpc_index e = 0; e < n; e++)
            buffer = copy_box(a, box, k + 1, place + e * a->stride[k] * a->size, buffer, pack);
        return buffer;
    }
    if (pack)
        dpc_copy_run(buffer, 1, place, a->stride[k], n, a->size);
    else
        dpc_copy_run(place, a->stride[k], buffer, 1, n, a->size);
    return buffer + n * a->size;
}

static char *copy_strip(const dpc_sweep *w, const dpc_sweep_strip *s, bool once, dpc_index block, char *buffer,
                        bool pack) {
    const dpc_array *a = w->array[s->array];
    dpc_span box[DPC_MAX_RANK];
    dpc_index offset = 0;
    find_box(w, s, once, block, box);
    const dpc_index elements = box_elements(a->rank, box);
    if (elements == 0) return buffer;
    for (int k = 0; k < a->rank; k++) offset += box[k].first * a->stride[k];
    if (pack) dpc_add_count(DPC_COUNT_elements, elements);
    return copy_box(a, box, 0, (char *)a->local + offset * a->size, buffer, pack);
}

dpc_index dpc_strips_bytes(const dpc_sweep *w, const dpc_sweep_side *x, const dpc_sweep_link *l, dpc_index block) {
    dpc_index bytes = 0;
    for (int k = l->from; k < l->end; k++) {
        const dpc_array *a = w->array[x->strip[k].array];
        dpc_span box[DPC_MAX_RANK];
        find_box(w, &x->strip[k], l->once, block, box);
        bytes += box_elements(a->rank, box) * a->size;
    }
    return bytes;
}

DPC_STEADY void dpc_copy_strips(const dpc_sweep *w, const dpc_sweep_side *x, const dpc_sweep_link *l, dpc_index block,
                                char *data, bool pack) {
    for (int k = l->from; k < l->end; k++) data = copy_strip(w, &x->strip[k], l->once, block, data, pack);
}

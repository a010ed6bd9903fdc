/* ScaLAPACK's description of what an extrinsic function sees. */
#include "../interop.h"
#include "../redistribution.h"
#include "program.h"

#include <string.h>

static bool is_dealt(const dpc_array *a) {
    int g = -1;
    for (int d = 0; d < a->rank; d++) {
        if (!dpc_is_dealt(&a->dim[d]) || (a->dim[d].grid_dim >= 0 && a->dim[d].grid_dim < g)) return false;
        g = (int)dpc_maximum(g, a->dim[d].grid_dim);
    }
    return !a->spare;
}

int dpc_view_descriptor(const dpc_view *view, int context, int *descriptor) {
    const dpc_array *a = view->array;
    dpc_mapping m = {.rank = a->rank};
    dpc_matrix matrix;
    int place = 0;
    if (!is_dealt(a) || !dpc_grid_holds(a->grid)) return 0;
    for (int d = 0; d < a->rank; d++) {
        m.extent[d] = a->dim[d].extent;
        m.block[d] = dpc_block(&a->dim[d]);
        m.procs[d] = (int)a->dim[d].procs;
        m.stride[d] = view->stride[d];
        place = place * m.procs[d] + (int)a->coord[d];
    }
    if (dpc_mapping_to_matrix(&m, context, place, &matrix) != NULL) return 0;
    memcpy(descriptor, matrix.desc, sizeof matrix.desc);
    return 1;
}

/* Arrays that stand beside others of nearly the same extents. */
#include "program.h"

#include <string.h>

/* The dimension of b that is divided along the same dimension of the grid as a's dimension k; -1: none. */
static int beside(const dpc_array *a, int k, const dpc_array *b) {
    for (int j = 0; j < b->rank && a->dim[k].grid_dim >= 0; j++)
        if (b->dim[j].grid_dim == a->dim[k].grid_dim) return j;
    return -1;
}

static bool is_near(const dpc_array *a, int k, const dpc_array *b, int j) {
    const dpc_dim *x = &a->dim[k], *y = &b->dim[j];
    const dpc_index more = y->extent - x->extent;
    if (a->format[k].block > 0) return dpc_have_same_blocks(a, k, b, j);
    return x->procs == 1 || dpc_block(x) == dpc_block(y) || (more >= -DPC_MOST_BETWEEN && more <= DPC_MOST_BETWEEN);
}

static bool are_near(const dpc_array *a, const dpc_array *b) {
    for (int k = 0; k < a->rank; k++) {
        const int j = beside(a, k, b);
        if (j >= 0 && !is_near(a, k, b, j)) return false;
    }
    return true;
}

/* Room for what a's dimensions differ by from b's. */
static void widen_beside(dpc_array *a, const char *where, const dpc_width *width, const dpc_array *b) {
    dpc_width halo[DPC_MAX_RANK];
    bool apart[DPC_MAX_RANK] = {false};
    int wide = 0;
    memcpy(halo, a->halo, sizeof halo);
    for (int k = 0; k < a->rank; k++) {
        const int j = a->format[k].block > 0 ? -1 : beside(a, k, b);
        apart[k] = j >= 0 && a->dim[k].extent != b->dim[j].extent && a->dim[k].procs > 1;
        if (apart[k]) halo[k] = dpc_width_beside_extent(&a->dim[k], width[k], b->dim[j].extent);
        wide += apart[k] || a->halo[k].low + a->halo[k].high > 0;
    }
    dpc_widen_halo(a, where, halo, apart, wide > 1 ? wide : DPC_NO_CORNERS);
}

bool dpc_stand_near(const char *where, dpc_array *a, const dpc_width *width_of_a, dpc_array *b,
                    const dpc_width *width_of_b) {
    if (!are_near(a, b)) return false;
    widen_beside(a, where, width_of_a, b);
    widen_beside(b, where, width_of_b, a);
    return true;
}

/* Ghost cells whose width is known when a statement starts. */
#include "program.h"

#include <string.h>

/* Ghost cells that stand for elements: beyond an array's ends there are none. */
static dpc_index as_wide(const dpc_dim *d, dpc_index width) {
    return dpc_minimum(dpc_maximum(width, 0), d->extent);
}

void dpc_deepen(dpc_array *a, const char *where, const dpc_width *halo) {
    dpc_width wanted[DPC_MAX_RANK] = {{0, 0, false}};
    int wide = 0;
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *d = &a->dim[k];
        if (d->procs > 1) wanted[k] = (dpc_width){as_wide(d, halo[k].low), as_wide(d, halo[k].high), false};
        wide += dpc_maximum(wanted[k].low, a->halo[k].low) + dpc_maximum(wanted[k].high, a->halo[k].high) > 0;
    }
    dpc_widen_halo(a, where, wanted, a->beside, wide > 1 ? wide : DPC_NO_CORNERS);
}

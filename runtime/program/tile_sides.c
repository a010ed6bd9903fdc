/* How many iterations the tiles of generated loops have, by the caches of this processor. */
#include "../base/caches.h"
#include "program.h"

DPC_STEADY dpc_index dpc_tile_length(dpc_index size, dpc_index step) {
    static dpc_index last_size, last_step, length;
    if (size != last_size || step != last_step) {
        length = dpc_tile_side(dpc_machine_caches(), size, dpc_magnitude(step) * size);
        last_size = size;
        last_step = step;
    }
    return length;
}

/* Whole messages: copies between storage, where elements lie as shares say, and a message, where they lie side by side.
 */
#include "engine.h"
#include "portions.h"

void dpc_pack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size, char *buffer,
                     const char *storage) {
    dpc_portions p = dpc_open_portions(rank, shares, stride, size, 0);
    dpc_pack_portion(&p, buffer, storage, p.left);
}

void dpc_unpack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                       const char *buffer, char *storage) {
    dpc_portions p = dpc_open_portions(rank, shares, stride, size, 0);
    dpc_unpack_portion(&p, buffer, storage, p.left);
}

void dpc_copy_shares(int rank, const dpc_share *const *from_shares, const dpc_index *from_stride, const char *from,
                     const dpc_share *const *to_shares, const dpc_index *to_stride, char *to, dpc_index size) {
    dpc_portions out = dpc_open_portions(rank, from_shares, from_stride, size, 0);
    dpc_portions in = dpc_open_portions(rank, to_shares, to_stride, size, 0);
    char *buffer = dpc_take_staging(DPC_COPY_BUFFER, 1);
    dpc_copy_portion(&out, from, &in, to, out.left, buffer, false);
    dpc_give_staging(buffer);
}

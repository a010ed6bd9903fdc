/* Whole messages: copies between storage, where elements lie as shares say, and a message, where they lie side by side.
 */
#include "../base/pack.h"
#include "engine.h"
#include "portions.h"

/* A product of single stretches, as blocks share them. */
typedef struct {
    int rank;
    dpc_index extent[DPC_MAX_RANK], stride[DPC_MAX_RANK]; /* elements */
    dpc_index size;
} box;

/* False where a share is not one stretch.  *first: elements of storage before the box. */
DPC_STEADY static bool find_box(box *b, int rank, const dpc_share *const *shares, const dpc_index *stride,
                                dpc_index size, dpc_index *first) {
    b->rank = rank;
    b->size = size;
    *first = 0;
    for (int k = 0; k < rank; k++) {
        if (shares[k]->stretches != 1 || shares[k]->step != 0) return false;
        b->extent[k] = shares[k]->elements;
        b->stride[k] = stride[k];
        *first += shares[k]->stretch[0].offset * stride[k];
    }
    return true;
}

/* Copies dimensions k and further, the last two as rows; returns the end of the buffer's part. */
DPC_STEADY static char *copy_box(const box *b, int k, char *storage, char *buffer, bool pack) {
    const int last = b->rank - 1;
    if (k < last - 1) {
        for (dpc_index e = 0; e < b->extent[k]; e++)
            buffer = copy_box(b, k + 1, storage + e * b->stride[k] * b->size, buffer, pack);
        return buffer;
    }
    const dpc_index rows = k < last ? b->extent[k] : 1, n = b->extent[last];
    const dpc_rows stored = {k < last ? b->stride[k] : 0, b->stride[last]}, side_by_side = {n, 1};
    if (pack)
        dpc_copy_rows(buffer, &side_by_side, storage, &stored, rows, n, b->size);
    else
        dpc_copy_rows(storage, &stored, buffer, &side_by_side, rows, n, b->size);
    return buffer + rows * n * b->size;
}

DPC_STEADY void dpc_pack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                                dpc_index limit, char *buffer, const char *storage) {
    box b;
    dpc_index first;
    if (find_box(&b, rank, shares, stride, size, &first)) {
        copy_box(&b, 0, (char *)(uintptr_t)storage + first * size, buffer, true);
        return;
    }
    dpc_portions p = dpc_open_portions(rank, shares, stride, size, limit);
    dpc_pack_portion(&p, buffer, storage, p.left);
}

DPC_STEADY void dpc_unpack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                                  const char *buffer, char *storage) {
    box b;
    dpc_index first;
    if (find_box(&b, rank, shares, stride, size, &first)) {
        copy_box(&b, 0, storage + first * size, (char *)(uintptr_t)buffer, false);
        return;
    }
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

#include "ghosts.h"

static dpc_index least(dpc_index x, dpc_index y) {
    return x < y ? x : y;
}

static dpc_index greatest(dpc_index x, dpc_index y) {
    return x > y ? x : y;
}

bool dpc_ghosts_kept(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last) {
    const dpc_index b = d->block, owner = q * b, end = least(owner + b, d->extent) - 1;
    *first = p * b;
    *last = least(*first + b, d->extent) - 1;
    if (p == q || owner > end) return false;
    if (p > q)
        *last = least(*last, end + width.high);
    else
        *first = greatest(*first, owner - width.low);
    return *first <= *last;
}

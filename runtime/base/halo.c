/* Which elements are ghost cells of which process. */
#include "../halo.h"

#include "../placement.h"

enum { BETWEEN_BITS = 40 };

/* Takes what DPC_BESIDE added out of a width. */
static dpc_index take_between(dpc_index *width) {
    const dpc_index between = *width >> BETWEEN_BITS;
    *width -= between * ((dpc_index)1 << BETWEEN_BITS);
    return between;
}

dpc_index dpc_take_gap(dpc_width *width) {
    return take_between(&width->low);
}

bool dpc_is_beside(dpc_width width) {
    return take_between(&width.low) > 0 || take_between(&width.high) > 0;
}

/* Elements of a block of that extent, at least one. */
static dpc_index block_of(dpc_index extent, dpc_index procs) {
    return dpc_maximum(1, dpc_ceiling(dpc_maximum(extent, 0), procs));
}

static dpc_width wider(const dpc_dim *d, dpc_width width, dpc_index less, dpc_index more) {
    if (d->procs == 1 || !dpc_is_dealt(d)) return width;
    if (less > 0) width.low += (d->procs - 1) * (dpc_block(d) - block_of(d->extent - less, d->procs));
    if (more > 0) width.high += d->procs * (block_of(d->extent + more, d->procs) - dpc_block(d));
    return width;
}

dpc_width dpc_width_beside(const dpc_dim *d, dpc_width width) {
    const dpc_index less = take_between(&width.low), more = take_between(&width.high);
    return wider(d, width, less, more);
}

dpc_width dpc_width_beside_extent(const dpc_dim *d, dpc_width width, dpc_index extent) {
    take_between(&width.low);
    take_between(&width.high);
    return wider(d, width, d->extent - extent, extent - d->extent);
}

dpc_index dpc_block_begin(const dpc_dim *d, dpc_index p) {
    return dpc_interval_beginning(d, p);
}

bool dpc_halo_beside(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last) {
    dpc_index owner, end;
    dpc_interval_of(d, q, &owner, &end);
    dpc_interval_of(d, p, first, last);
    const bool owns = owner < end;
    owner = dpc_block_begin(d, q);
    end = (owns ? end : owner) - 1;
    --*last;
    if (p == q) return false;
    if (*first > end)
        *last = dpc_minimum(*last, end + width.high);
    else
        *first = dpc_maximum(*first, owner - width.low);
    return *first <= *last;
}

bool dpc_halo_held(const dpc_dim *d, dpc_width width, dpc_index p, dpc_index q, dpc_index *first, dpc_index *last) {
    return dpc_local_extent(d, q) > 0 && dpc_halo_beside(d, width, p, q, first, last);
}

enum { MOST_AT_ONCE = 3 }; /* dimensions */

bool dpc_corners_at_once(int rank, const dpc_dim *dim, const dpc_width *halo) {
    int wide = 0;
    for (int k = 0; k < rank; k++) {
        const dpc_index width = dpc_maximum(halo[k].low, halo[k].high);
        if (dim[k].procs == 1 || width == 0) continue;
        if (++wide > MOST_AT_ONCE) return false;
        for (dpc_index q = 0; dpc_gap(&dim[k]) == 0 && q < dim[k].procs; q++) {
            const dpc_index owned = dpc_local_extent(&dim[k], q);
            if (owned > 0 && owned < width) return false;
        }
    }
    return true;
}

dpc_index dpc_ring(const dpc_dim *d) {
    return dpc_ceiling(d->extent, dpc_block(d));
}

static dpc_index owned(const dpc_dim *d, dpc_index coordinate) {
    return dpc_minimum(dpc_block(d), d->extent - coordinate * dpc_block(d));
}

bool dpc_halo_around(const dpc_dim *d, dpc_width width, dpc_index owner, dpc_index steps, dpc_halo_strip *strip) {
    const dpc_index ring = dpc_ring(d), step = steps > 0 ? 1 : -1;
    dpc_index between = 0, at = owner;
    for (dpc_index k = 0; k != steps; k += step) {
        if (k != 0) between += owned(d, at);
        at = (at + step + ring) % ring;
    }
    const dpc_index room = (steps > 0 ? width.low : width.high) - between, mine = owned(d, owner);
    *strip = (dpc_halo_strip){.owner = owner, .keeper = at, .count = dpc_minimum(mine, room)};
    if (room <= 0) return false;
    strip->first = steps > 0 ? mine - strip->count : 0;
    strip->place = steps > 0 ? -between - strip->count : owned(d, at) + between;
    return true;
}

/* Of the blocks after the first: where a coordinate's first one of them is, counted in all blocks. */
static dpc_index first_after(const dpc_dim *d, dpc_index p) {
    return p == 0 ? d->procs : p;
}

/* How many blocks a coordinate has among number `from` (its own) to `end` - 1 of all. */
static dpc_index blocks_from(const dpc_dim *d, dpc_index from, dpc_index end) {
    return from < end ? (end - 1 - from) / d->procs + 1 : 0;
}

bool dpc_halo_dealt(const dpc_dim *d, dpc_width width, dpc_index p, int step, dpc_halo_comb *owned,
                    dpc_halo_comb *kept) {
    const dpc_index all = dpc_ceiling(d->extent, dpc_block(d)), rest = d->extent - (all - 1) * dpc_block(d);
    const dpc_index pitch = dpc_pitch(d), start = first_after(d, p);
    if (step > 0) {
        *owned = (dpc_halo_comb){dpc_block(d) - width.low, width.low, blocks_from(d, p, all - 1), 0};
        *kept = *owned;
        kept->first = (p + 1 == d->procs ? pitch : 0) - width.low;
    } else {
        const dpc_index blocks = blocks_from(d, start, all);
        const bool is_last = start + (blocks - 1) * d->procs == all - 1;
        *owned = (dpc_halo_comb){start / d->procs * pitch, width.high, blocks, 0};
        if (is_last && rest < width.high) owned->missing = width.high - rest;
        *kept = *owned;
        kept->first = dpc_block(d);
    }
    return dpc_halo_elements(owned) > 0;
}

dpc_index dpc_halo_elements(const dpc_halo_comb *comb) {
    return comb->extent * comb->blocks - comb->missing;
}

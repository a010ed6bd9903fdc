/* Placements are made, shared and freed.  See placement.h; what is asked of them stands in distribution.c. */
#include "../placement.h"

#include <stdlib.h>
#include <string.h>

#if DPC_HAS_PLACEMENTS
static dpc_placement *placements;

/* ---- Shared */

static bool are_alike(const dpc_placement *x, const dpc_placement *y) {
    return x->extent == y->extent && x->procs == y->procs && x->mirrored == y->mirrored && x->step == y->step &&
           x->start == y->start && x->width == y->width &&
           (x->width > 0 || memcmp(x->first, y->first, (size_t)(x->procs + 1) * sizeof *x->first) == 0);
}

static dpc_placement *made(const dpc_placement *wanted) {
    static int64_t last;
    dpc_placement *w = malloc(sizeof *w);
    if (w == NULL) return NULL;
    *w = *wanted;
    w->number = ++last;
    w->users = 0;
    w->next = placements;
    return placements = w;
}

/* Takes over the memory of wanted's intervals. */
static bool hold(dpc_dim *d, const dpc_placement *wanted) {
    dpc_placement *w = placements;
    while (w != NULL && !are_alike(w, wanted)) w = w->next;
    const bool known = w != NULL;
    if (!known) w = made(wanted);
    if (known || w == NULL) free(wanted->first);
    if (w == NULL) return false;
    w->users++;
    d->placement = w;
    return true;
}

void dpc_hold_dim(const dpc_dim *d) {
    if (d->placement != NULL) ((dpc_placement *)(uintptr_t)d->placement)->users++;
}

void dpc_release_dim(const dpc_dim *d) {
    dpc_placement *w = (dpc_placement *)(uintptr_t)d->placement, **link = &placements;
    if (w == NULL || --w->users > 0) return;
    while (*link != w) link = &(*link)->next;
    *link = w->next;
    free(w->first);
    free(w);
}

/* ---- What is dealt from the first element on */

static void deal(dpc_dim *d, dpc_index block) {
    d->placement = NULL;
    d->dealt = dpc_maximum(dpc_minimum(block, d->extent), 1);
}

/* Whether the intervals are the blocks that coordinate 0's would make.  Those that no element is in begin there too, or
 * farther on: ghost cells of what is near them are counted from there. */
static bool are_equal_blocks(const dpc_dim *d, dpc_index *block) {
    dpc_index from, to;
    dpc_interval_of(d, 0, &from, &to);
    *block = to;
    for (dpc_index p = 0; p<d->procs && * block> 0; p++) {
        dpc_interval_of(d, p, &from, &to);
        const dpc_index end = dpc_minimum((p + 1) * *block, d->extent);
        if (to != end && from < to) return false;
        if (from >= to && end > p * *block) return false;
        if (from >= to && d->placement->width > 0 && dpc_interval_beginning(d, p) < p * *block) return false;
    }
    return *block > 0;
}

static bool settle(dpc_dim *d, dpc_placement w) {
    dpc_index block;
    d->spacing = 0;
    d->dealt = 1;
    d->placement = &w;
    if (w.single && are_equal_blocks(d, &block)) {
        free(w.first);
        deal(d, block);
        return true;
    }
    return hold(d, &w);
}

/* ---- Aligned */

/* Of a single element, whose stride decides about ghost cells beside it only, and may be beyond any array. */
#define MOST_STEP ((dpc_index)1 << 30)

/* mirrored: coordinates are counted from the other end. */
static bool place(dpc_dim *d, dpc_index stride, dpc_index cell, dpc_index block, bool mirrored) {
    if (d->extent == 0 || (d->extent == 1 && dpc_magnitude(stride) > MOST_STEP)) stride = 1;
    if (d->procs == 1 || (stride == 1 && cell == 0 && !mirrored)) {
        d->spacing = 0;
        deal(d, d->procs == 1 ? d->extent : block);
        return true;
    }
    if (stride > 0 && cell < stride && block % stride == 0 && !mirrored) {
        d->spacing = 0;
        deal(d, block / stride);
        return true;
    }
    const dpc_index most = dpc_maximum(cell, cell + stride * dpc_maximum(d->extent - 1, 0));
    block = dpc_minimum(block, most + 1);
    const dpc_index cycle = block * d->procs, divisor = dpc_common_divisor(block, dpc_magnitude(stride));
    dpc_placement w = {.extent = d->extent, .procs = d->procs, .mirrored = mirrored != (stride < 0)};
    w.start = (stride < 0 ? cycle - 1 - cell % cycle : cell % cycle) / divisor;
    w.step = dpc_magnitude(stride) / divisor;
    w.width = block / divisor;
    w.single = w.start + w.step * dpc_maximum(d->extent - 1, 0) < w.width * w.procs;
    d->spacing = 0;
    if (d->extent > 0 && (w.mirrored || w.step > 1 || w.start > 0)) return settle(d, w);
    deal(d, w.width);
    return true;
}

bool dpc_place_dim(dpc_dim *d, dpc_index stride, dpc_index cell, dpc_index block) {
    return place(d, stride, cell, block, false);
}

/* Interval number q of the other dimension's, of this one's elements: where it begins. */
static dpc_index begins(const dpc_dim *d, dpc_index stride, dpc_index first, const dpc_index *bounds, dpc_index q) {
    const dpc_index n = d->procs;
    const dpc_index at =
        stride > 0 ? dpc_ceiling(bounds[q] - first, stride) : dpc_floor(first - bounds[n - q], -stride) + 1;
    return q == n ? d->extent : dpc_maximum(0, dpc_minimum(at, d->extent));
}

static bool divide(dpc_dim *d, dpc_index stride, dpc_index first, const dpc_index *bounds, bool mirrored) {
    dpc_placement w = {.extent = d->extent, .procs = d->procs, .mirrored = mirrored != (stride < 0), .single = true};
    if (d->procs == 1 || d->extent == 0) {
        d->spacing = 0;
        deal(d, d->extent);
        return true;
    }
    w.first = malloc((size_t)(d->procs + 1) * sizeof *w.first);
    if (w.first == NULL) return false;
    for (dpc_index q = 0; q <= d->procs; q++) w.first[q] = begins(d, stride, first, bounds, q);
    w.first[0] = 0;
    return settle(d, w);
}

bool dpc_align_dim(dpc_dim *d, dpc_index stride, dpc_index first, const dpc_dim *other) {
    const dpc_placement *w = other->placement;
    if (w == NULL) return place(d, stride, first, other->dealt, false);
    if (w->width == 0) return divide(d, stride, first, w->first, w->mirrored);
    return place(d, stride * w->step, w->start + first * w->step, w->width, w->mirrored);
}

bool dpc_divide_dim(dpc_dim *d, const dpc_index *counts) {
    dpc_index *bounds = malloc((size_t)(d->procs + 1) * sizeof *bounds);
    if (bounds == NULL) return false;
    bounds[0] = 0;
    for (dpc_index p = 0; p < d->procs; p++) bounds[p + 1] = bounds[p] + counts[p];
    const bool done = divide(d, 1, 0, bounds, false);
    free(bounds);
    return done;
}
#endif

/* Distribution arithmetic.  See distribution.h; formulas: docs/communication-sets.md, sections 0 to 3. */
#include "../placement.h"

__extension__ typedef __int128 wide;

/* ---- Placements: below, where cells and intervals are reduced to blocks that are dealt */

static dpc_index placed_global(const dpc_placement *w, dpc_index local, dpc_index p);
static dpc_index placed_below(const dpc_placement *w, dpc_index p, dpc_index number);
static dpc_index placed_before(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index low, dpc_index high);
static dpc_block_run placed_run(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index low, dpc_index high);
static dpc_index placed_rest(const dpc_dim *d, const dpc_access *a, dpc_index from);
static dpc_index placed_period(const dpc_placement *w, dpc_index stride);

/* ---- Elements */

dpc_index dpc_global(const dpc_dim *d, dpc_index local, dpc_index p) {
    if (dpc_is_placed(d)) return d->lower + placed_global(d->placement, local, p);
    const dpc_index pitch = d->dealt + d->spacing;
    return d->lower + (local / pitch * d->procs + p) * d->dealt + local % pitch;
}

dpc_index dpc_local_extent(const dpc_dim *d, dpc_index p) {
    if (dpc_is_placed(d)) return placed_below(d->placement, p, d->extent);
    const dpc_index blocks = d->extent / d->dealt, rest = d->extent % d->dealt;
    const dpc_index whole = blocks / d->procs * d->dealt, extra = blocks % d->procs;
    return whole + (p < extra ? d->dealt : p == extra ? rest : 0);
}

dpc_index dpc_stored_gaps(const dpc_dim *d, dpc_index owned) {
    return owned == 0 ? 0 : (dpc_ceiling(owned, d->dealt) - 1) * d->spacing;
}

dpc_index dpc_first_hit(dpc_index a, dpc_index m, dpc_index low, dpc_index high) {
    if (low == 0) return 0;
    a %= m;
    if (a == 0) return -1;
    if (a > m - a) return dpc_first_hit(m - a, m, m - high, m - low);
    const dpc_index c = dpc_ceiling(low, a);
    if ((wide)a * c <= high) return c;
    const dpc_index y = dpc_first_hit(dpc_modulo(-m, a), a, low % a, high % a);
    return y < 0 ? -1 : (dpc_index)(((wide)low + (wide)m * y + a - 1) / a);
}

dpc_index dpc_common_divisor(dpc_index a, dpc_index b) {
    while (b != 0) {
        const dpc_index rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

dpc_index dpc_least_multiple(dpc_index a, dpc_index b, dpc_index most) {
    const wide multiple = (wide)(a / dpc_common_divisor(a, b)) * b;
    return multiple < most ? (dpc_index)multiple : most;
}

dpc_index dpc_period(const dpc_dim *d, const dpc_access *a) {
    dpc_index cycle;
    const dpc_index stride = dpc_magnitude(a->stride);
    if (d->procs == 1 || stride == 0) return 1;
    if (dpc_is_placed(d)) return placed_period(d->placement, stride);
    if (__builtin_mul_overflow(d->dealt, d->procs, &cycle)) return INT64_MAX;
    return cycle / dpc_common_divisor(cycle, stride);
}

/* Every iteration's element is inside the array, and there is one. */
static bool all_inside(const dpc_dim *d, const dpc_access *a) {
    dpc_index first, moved, last;
    return a->count > 0 && !__builtin_sub_overflow(a->first, d->lower, &first) && first >= d->hidden &&
           first < d->extent && !__builtin_mul_overflow(a->count - 1, a->stride, &moved) &&
           !__builtin_add_overflow(first, moved, &last) && last >= d->hidden && last < d->extent;
}

bool dpc_inside(const dpc_dim *d, const dpc_access *a, dpc_index *low, dpc_index *high) {
    *low = 0;
    *high = a->count - 1;
    if (all_inside(d, a)) return true;
    const wide first = (wide)a->first - dpc_first_element(d), beyond = d->extent - d->hidden;
    if (a->count <= 0 || beyond <= 0) {
        *high = -1;
        return a->count <= 0;
    }
    if (a->stride == 0) {
        *high = -1;
        return false;
    }
    const wide step = a->stride > 0 ? a->stride : -(wide)a->stride;
    const wide before = a->stride > 0 ? -first : first - (beyond - 1);
    const wide room = a->stride > 0 ? beyond - 1 - first : first;
    if (before > 0) *low = (before + step - 1) / step > *high ? *high + 1 : (dpc_index)((before + step - 1) / step);
    if (room < 0)
        *high = -1;
    else if (room / step < *high)
        *high = (dpc_index)(room / step);
    return false;
}

/* The offset from the lower bound of an iteration that is inside the array. */
static dpc_index offset_at(const dpc_dim *d, const dpc_access *a, dpc_index iteration) {
    return (dpc_index)((wide)a->first - d->lower + (wide)iteration * a->stride);
}

/* Elements of coordinate p below the one at `offset` from the lower bound (ScaLAPACK's numroc). */
DPC_STEADY static dpc_index owned_below(const dpc_dim *d, dpc_index p, dpc_index offset) {
    const dpc_index cycle = d->dealt * d->procs, cycles = offset < cycle ? 0 : offset / cycle;
    const dpc_index within = offset - cycles * cycle - p * d->dealt;
    return cycles * d->dealt + (within <= 0 ? 0 : within < d->dealt ? within : d->dealt);
}

/* Where one process owns all, or the stride is 1 and the elements of p follow one another in its local part.  Their
 * number and their first run; false: the stride is another one, or iterations lie outside the array. */
DPC_STEADY static bool find_neighbours(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_block_run *r,
                                       dpc_index *mine) {
    if ((d->procs > 1 && (a->stride != 1 || d->placement != NULL)) || !all_inside(d, a)) return false;
    const dpc_index offset = a->first - d->lower;
    if (d->procs == 1) {
        *mine = a->count;
        *r = (dpc_block_run){.count = a->count, .local = offset, .last = a->count - 1};
        return true;
    }
    const dpc_index before = owned_below(d, p, offset);
    const dpc_index number = before < d->dealt ? 0 : before / d->dealt, within = before - number * d->dealt;
    const dpc_index cycle = d->dealt * d->procs;
    *mine = owned_below(d, p, offset + a->count) - before;
    *r = (dpc_block_run){.first = number * cycle + p * d->dealt + within - offset,
                         .local = before + number * d->spacing,
                         .last = a->count - 1,
                         .skipped = within,
                         .skipped_local = within,
                         .width = 1,
                         .right_columns = 1,
                         .left = cycle,
                         .left_local = d->dealt + d->spacing,
                         .fewest = d->dealt};
    r->count = *mine < d->dealt - within ? *mine : d->dealt - within;
    return true;
}

#if DPC_HAS_STRIDES
/* Iterations from one at offset `offset` (from the array's lower bound) to the first at or after it that belongs to p;
 * -1 if none. */
static dpc_index distance_to_owned(const dpc_dim *d, dpc_index stride, dpc_index p, dpc_index offset) {
    const dpc_index cycle = d->dealt * d->procs, start = p * d->dealt;
    const dpc_index within = dpc_modulo(offset - start, cycle);
    if (within < d->dealt) return 0;
    if (stride == 0) return -1;
    if (stride > 0 && stride <= d->dealt) return dpc_ceiling(cycle - within, stride);
    if (stride < 0 && -stride <= d->dealt) return dpc_ceiling(within - d->dealt + 1, -stride);
    return dpc_first_hit(dpc_modulo(stride, cycle), cycle, cycle - within, cycle - within + d->dealt - 1);
}

/* Iterations from one at offset `within` its block to the end of the block in the direction of the stride, itself
 * included. */
static dpc_index rest_of_block(const dpc_dim *d, dpc_index stride, dpc_index within) {
    if (stride == 1) return d->dealt - within;
    return stride > 0 ? (d->dealt - 1 - within) / stride + 1 : within / -stride + 1;
}

/* Moves between runs of several iterations: blocks that the stride does not pass. */
static void find_long_moves(dpc_block_run *r, const dpc_dim *d, dpc_index step) {
    const dpc_index cycle = d->dealt * d->procs;
    r->width = step;
    r->left = cycle / step;
    r->left_columns = cycle % step;
    r->right = r->left + 1;
    r->right_columns = step - r->left_columns;
    r->right_local = d->dealt + d->spacing + r->right_columns;
    r->left_local = d->dealt + d->spacing - r->left_columns;
    r->fewest = d->dealt / step;
    r->more = d->dealt % step;
    r->skipped = r->column / step;
    r->column %= step;
}

/* Moves between blocks that the stride passes: one element each. */
static void find_short_moves(dpc_block_run *r, const dpc_dim *d, dpc_index step) {
    const dpc_index cycle = d->dealt * d->procs, pitch = d->dealt + d->spacing, within = step % cycle;
    r->width = d->dealt;
    r->fewest = 1;
    r->right = d->dealt > 1 ? dpc_first_hit(within, cycle, 1, d->dealt - 1) : -1;
    if (r->right < 0) /* one column only */
        r->right = r->left = cycle / dpc_common_divisor(cycle, within);
    else
        r->left = dpc_first_hit(cycle - within, cycle, 1, d->dealt - 1);
    const wide right = (wide)r->right * step, left = (wide)r->left * step;
    r->right_columns = (dpc_index)(right % cycle);
    r->left_columns = (dpc_index)((cycle - left % cycle) % cycle);
    r->right_local = (dpc_index)(right / cycle * pitch + r->right_columns);
    r->left_local = (dpc_index)((left + r->left_columns) / cycle * pitch - r->left_columns);
}

/* How one gets from the run, whose local index is known, to those after it; stride != 0. */
static void find_moves(dpc_block_run *r, const dpc_dim *d, dpc_index stride) {
    const dpc_index within = r->local % (d->dealt + d->spacing), step = stride < 0 ? -stride : stride;
    r->column = stride > 0 ? within : d->dealt - 1 - within;
    if (step <= d->dealt)
        find_long_moves(r, d, step);
    else
        find_short_moves(r, d, step);
    r->skipped_local = r->skipped * stride;
    if (stride > 0) return;
    r->right_local = -r->right_local;
    r->left_local = -r->left_local;
}

/* The first run of p that starts at iteration `from` or later, among the iterations up to `high`. */
static dpc_block_run run_from(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index from, dpc_index high) {
    dpc_block_run r = {.first = from, .last = high};
    if (from > high) return r;
    const dpc_index stride = from == high ? 0 : a->stride; /* of one iteration it may be beyond the array */
    const dpc_index jump = distance_to_owned(d, stride, p, offset_at(d, a, from));
    if (jump < 0 || jump > high - from) return r;
    r.first = from + jump;
    const dpc_index rest = high - r.first + 1;
    r.local = dpc_local(d, d->lower + offset_at(d, a, r.first));
    r.count = stride == 0 ? rest : rest_of_block(d, stride, r.local % (d->dealt + d->spacing));
    if (r.count > rest) r.count = rest;
    if (stride != 0) find_moves(&r, d, stride);
    return r;
}
#else
/* Its steps are 1: those that are inside are neighbours. */
static dpc_block_run run_from(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index from, dpc_index high) {
    const dpc_access inside = {offset_at(d, a, from) + d->lower, 1, high - from + 1};
    dpc_block_run r = {.first = from, .last = high};
    dpc_index mine;
    if (from > high || !find_neighbours(d, &inside, p, &r, &mine)) return r;
    r.first += from;
    r.last += from;
    return r;
}
#endif

dpc_block_run dpc_first_block(const dpc_dim *d, const dpc_access *a, dpc_index p) {
    dpc_index low, high, mine;
    dpc_block_run r;
    if (find_neighbours(d, a, p, &r, &mine)) return r;
    dpc_inside(d, a, &low, &high);
    if (dpc_is_placed(d)) return placed_run(d, a, p, low, high);
    if (d->procs > 1) return run_from(d, a, p, low, high);
    const dpc_index count = high >= low ? high - low + 1 : 0;
    return (dpc_block_run){.first = low, .count = count, .local = count > 0 ? offset_at(d, a, low) : 0, .last = high};
}

#if DPC_HAS_STRIDES
/* Sum of floor((a * i + b) / m) for i = 0 .. n-1; 0 <= a, b < m or larger.  O(log m). */
static wide floor_sum(wide n, wide m, wide a, wide b) {
    wide sum = 0;
    while (n > 0) {
        if (a >= m) sum += n * (n - 1) / 2 * (a / m);
        if (b >= m) sum += n * (b / m);
        a %= m;
        b %= m;
        const wide top = a * n + b;
        if (top < m) return sum;
        n = top / m;
        b = top % m;
        const wide old = m;
        m = a;
        a = old;
    }
    return sum;
}

/* Those of n iterations, from the one at that offset on, that p owns. */
static dpc_index strided_count(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index n, dpc_index offset) {
    if (a->stride == -1) return owned_below(d, p, offset + 1) - owned_below(d, p, offset - n + 1);
    const dpc_index cycle = d->dealt * d->procs, within = dpc_modulo(offset - p * d->dealt, cycle);
    const dpc_index step = dpc_modulo(a->stride, cycle);
    const wide upto = floor_sum(n, cycle, step, (wide)within + cycle);
    return (dpc_index)(upto - floor_sum(n, cycle, step, (wide)within + cycle - d->dealt));
}
#endif

dpc_index dpc_owned_before(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index end) {
    dpc_index low, high;
    dpc_inside(d, a, &low, &high);
    if (high >= end) high = end - 1;
    if (high < low) return 0;
    if (dpc_is_placed(d)) return placed_before(d, a, p, low, high);
    const dpc_index n = high - low + 1, offset = offset_at(d, a, low);
    if (d->procs == 1) return n;
#if DPC_HAS_STRIDES
    if (n > 1 && a->stride != 1) return strided_count(d, a, p, n, offset);
#endif
    return owned_below(d, p, offset + n) - owned_below(d, p, offset);
}

dpc_index dpc_owned_count(const dpc_dim *d, const dpc_access *a, dpc_index p) {
    return dpc_owned_before(d, a, p, a->count);
}

DPC_STEADY dpc_index dpc_owned_runs(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_block_run *first) {
    dpc_index mine;
    if (find_neighbours(d, a, p, first, &mine)) return mine;
    *first = dpc_first_block(d, a, p);
    return first->count == 0 || d->procs == 1 ? first->count : dpc_owned_count(d, a, p);
}

/* Fills `rank` extents, none above `most`, whose product is procs; false when there are none. */
static bool spread_below(int procs, int rank, int most, int *extents) {
    if (rank == 1) {
        extents[0] = procs;
        return procs <= most;
    }
    for (int first = 1; first <= most && first <= procs; first++) {
        if (procs % first != 0) continue;
        extents[0] = first;
        if (spread_below(procs / first, rank - 1, first, extents + 1)) return true;
    }
    return false;
}

void dpc_spread(int procs, int rank, int *extents) {
    if (rank > 0) spread_below(procs, rank, procs, extents);
}

dpc_index dpc_rest_of_block(const dpc_dim *d, const dpc_access *a, dpc_index from) {
    const dpc_index rest = a->count - from;
    if (a->stride == 0) return rest;
    if (dpc_is_placed(d)) return placed_rest(d, a, from);
    const dpc_index within = dpc_modulo(offset_at(d, a, from), d->dealt);
    const dpc_index after = (a->stride > 0 ? d->dealt - 1 - within : within) / dpc_magnitude(a->stride);
    return after < rest ? after + 1 : rest;
}

bool dpc_gathers_panels(const dpc_dim *d, const dpc_access *a, dpc_index depth) {
    dpc_index cell, step, block;
    const dpc_index stride = dpc_magnitude(a->stride);
    return stride > 0 && dpc_cells(d, &step, &cell, &block) && block / dpc_magnitude(step) / stride < depth / 4;
}

/* The most elements of a coordinate. */
static dpc_index most_placed(const dpc_placement *w) {
    if (w->width > 0) {
        const dpc_index blocks = (w->start + w->step * (w->extent - 1)) / w->width - w->start / w->width + 1;
        return dpc_minimum(dpc_ceiling(blocks, w->procs) * dpc_ceiling(w->width, w->step), w->extent);
    }
    dpc_index most = 0;
    for (dpc_index p = 0; p < w->procs; p++) most = dpc_maximum(most, w->first[p + 1] - w->first[p]);
    return most;
}

dpc_index dpc_most_owned(const dpc_dim *d) {
    if (dpc_is_placed(d)) return most_placed(d->placement);
    return dpc_minimum(dpc_ceiling(dpc_ceiling(d->extent, d->dealt), d->procs) * d->dealt, d->extent);
}

bool dpc_in_intervals(const dpc_dim *d) {
    if (dpc_is_placed(d)) return d->placement->single;
    return d->procs == 1 || d->dealt >= dpc_ceiling(d->extent, d->procs);
}

static bool cells_placed(const dpc_placement *w, dpc_index *stride, dpc_index *cell, dpc_index *block) {
    *stride = w->mirrored ? -w->step : w->step;
    *cell = w->mirrored ? -1 - w->start : w->start;
    *block = w->width;
    return *block > 0;
}

bool dpc_cells(const dpc_dim *d, dpc_index *stride, dpc_index *cell, dpc_index *block) {
    if (dpc_is_placed(d)) return cells_placed(d->placement, stride, cell, block);
    *stride = 1;
    *cell = 0;
    *block = d->dealt;
    return *block > 0;
}

static bool same_cells(const dpc_placement *x, const dpc_placement *y) {
    return x != NULL && y != NULL && x->width > 0 && x->mirrored == y->mirrored && x->step == y->step &&
           x->start == y->start && x->width == y->width;
}

bool dpc_same_owners(const dpc_dim *d, const dpc_dim *e) {
    if (d->procs != e->procs || d->dealt != e->dealt || d->hidden != e->hidden) return false;
    if (d->placement == e->placement) return true;
    if (dpc_is_placed(d)) return same_cells(d->placement, e->placement);
    return false;
}

bool dpc_distance(const dpc_dim *d, const dpc_dim *e, dpc_index *distance) {
    dpc_index step, start, width, other_step, other_start, other_width;
    *distance = 0;
    if ((d->procs == 1 && e->procs == 1) || dpc_same_owners(d, e)) return true;
    if (d->procs != e->procs || !dpc_cells(d, &step, &start, &width) ||
        !dpc_cells(e, &other_step, &other_start, &other_width))
        return false;
    if (step != other_step || width != other_width || (start - other_start) % step != 0) return false;
    *distance = (start - other_start) / step;
    return true;
}

void dpc_dim_words(const dpc_dim *d, dpc_index *words) {
    words[0] = d->lower;
    words[1] = d->extent;
    words[2] = d->dealt;
    words[3] = d->procs;
    words[4] = d->grid_dim;
    words[5] = d->spacing;
    words[6] = d->hidden;
    words[7] = 0;
    if (dpc_is_placed(d)) words[7] = d->placement->number;
}

/* ---- Placements.  Numbers count elements from the lower bound; `turned` coordinates from the end where cells do. */

static dpc_index turned(const dpc_placement *w, dpc_index p) {
    return w->mirrored ? w->procs - 1 - p : p;
}

/* The cells that elements stand on, as a dimension of their own. */
static dpc_dim cells_of(const dpc_placement *w) {
    return dpc_dealt_dim(0, w->start + w->step * (w->extent - 1) + 1, w->width, w->procs, 0, 0);
}

static dpc_access cells_accessed(const dpc_placement *w, dpc_index number, dpc_index stride, dpc_index count) {
    return (dpc_access){w->start + w->step * number, count == 1 ? 0 : w->step * stride, count};
}

/* Of a single one: where the elements of turned coordinate q begin. */
static dpc_index interval_begin(const dpc_placement *w, dpc_index q) {
    if (w->width == 0) return w->first[q];
    return dpc_maximum(0, dpc_minimum(dpc_ceiling(q * w->width - w->start, w->step), w->extent));
}

static void placed_interval(const dpc_placement *w, dpc_index p, dpc_index *from, dpc_index *to) {
    const dpc_index q = turned(w, p);
    *from = interval_begin(w, q);
    *to = interval_begin(w, q + 1);
}

void dpc_interval_of(const dpc_dim *d, dpc_index p, dpc_index *from, dpc_index *to) {
    *from = dpc_minimum(p * d->dealt, d->extent);
    *to = dpc_minimum((p + 1) * d->dealt, d->extent);
    if (dpc_is_placed(d)) placed_interval(d->placement, p, from, to);
}

static dpc_index placed_beginning(const dpc_placement *w, dpc_index p) {
    const dpc_index q = turned(w, p), begin = interval_begin(w, q);
    if (begin < interval_begin(w, q + 1) || w->width == 0) return begin;
    const dpc_index from = dpc_ceiling(q * w->width - w->start, w->step);
    return from > 0 ? from : dpc_minimum(dpc_ceiling((q + 1) * w->width - w->start, w->step), 0);
}

dpc_index dpc_interval_beginning(const dpc_dim *d, dpc_index p) {
    if (dpc_is_placed(d)) return placed_beginning(d->placement, p);
    return p * d->dealt;
}

/* The last turned coordinate that begins at or below a number; of empty ones, the one that has it. */
static dpc_index interval_at(const dpc_placement *w, dpc_index number) {
    dpc_index low = 0, high = w->procs - 1;
    while (low < high) {
        const dpc_index middle = low + (high - low + 1) / 2;
        if (w->first[middle] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

dpc_index dpc_placed_owner(const dpc_dim *d, dpc_index x) {
    const dpc_placement *w = d->placement;
    const dpc_index number = x - d->lower;
    if (w->width == 0) return turned(w, interval_at(w, number));
    return turned(w, (w->start + w->step * number) / w->width % w->procs);
}

/* Elements of coordinate p below a number. */
static dpc_index placed_below(const dpc_placement *w, dpc_index p, dpc_index number) {
    const dpc_index q = turned(w, p);
    if (w->single) {
        const dpc_index from = interval_begin(w, q);
        return dpc_maximum(0, dpc_minimum(number, interval_begin(w, q + 1)) - from);
    }
    const dpc_dim cells = cells_of(w);
    if (w->step == 1) return owned_below(&cells, q, w->start + number) - owned_below(&cells, q, w->start);
    const dpc_index cycle = w->width * w->procs;
    const wide within = (wide)w->start - q * w->width + cycle;
    return (dpc_index)(floor_sum(number, cycle, w->step, within) -
                       floor_sum(number, cycle, w->step, within - w->width));
}

dpc_index dpc_placed_local(const dpc_dim *d, dpc_index x) {
    return placed_below(d->placement, dpc_placed_owner(d, x), x - d->lower);
}

static dpc_index placed_global(const dpc_placement *w, dpc_index local, dpc_index p) {
    if (w->single) return interval_begin(w, turned(w, p)) + local;
    dpc_index low = 0,
              high = w->extent - 1; /* the last number with so many of p's below it, from the first on that is p's */
    while (low < high) {
        const dpc_index middle = low + (high - low) / 2;
        if (placed_below(w, p, middle + 1) > local)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The iterations low .. high, among `rest` of them, whose numbers are in the interval of turned coordinate q. */
static void cut_to_interval(const dpc_placement *w, dpc_index q, dpc_index number, dpc_index stride, dpc_index rest,
                            dpc_index *low, dpc_index *high) {
    const dpc_index from = interval_begin(w, q) - number, last = interval_begin(w, q + 1) - 1 - number;
    *low = 0;
    *high = from <= 0 && last >= 0 ? rest - 1 : -1;
    if (stride == 0) return;
    const dpc_index step = dpc_magnitude(stride), least = stride > 0 ? from : -last, most = stride > 0 ? last : -from;
    *low = dpc_maximum(0, dpc_ceiling(least, step));
    *high = last < from ? -1 : dpc_minimum(rest - 1, dpc_floor(most, step));
}

static dpc_index placed_before(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index low, dpc_index high) {
    const dpc_placement *w = d->placement;
    const dpc_index number = offset_at(d, a, low), count = high - low + 1;
    const dpc_index stride = dpc_single_stride(a->stride, count), q = turned(w, p);
    if (w->single) {
        cut_to_interval(w, q, number, stride, count, &low, &high);
        return dpc_maximum(0, high - low + 1);
    }
    if (stride == 1) return placed_below(w, p, number + count) - placed_below(w, p, number);
    const dpc_dim cells = cells_of(w);
    const dpc_access on_cells = cells_accessed(w, number, stride, count);
    return dpc_owned_before(&cells, &on_cells, q, count);
}

/* From iteration `from` on, whose element has this number, the next run of a coordinate. */
static dpc_placed_step next_interval(const dpc_placement *w, dpc_index q, dpc_index from, dpc_index number,
                                     dpc_index stride, dpc_index rest) {
    dpc_index low, high;
    cut_to_interval(w, q, number, stride, rest, &low, &high);
    const dpc_index first = number + low * stride;
    return (dpc_placed_step){from + low, dpc_maximum(0, high - low + 1), first - interval_begin(w, q), first};
}

dpc_placed_step dpc_next_placed(const dpc_placement *w, dpc_index coordinate, dpc_index from, dpc_index number,
                                dpc_index stride, dpc_index end) {
    const dpc_index q = turned(w, coordinate), rest = end - from + 1;
    if (rest <= 0) return (dpc_placed_step){from, 0, 0, number};
    if (w->single) return next_interval(w, q, from, number, stride, rest);
    const dpc_dim cells = cells_of(w);
    const dpc_access on_cells = cells_accessed(w, number, stride, rest);
    const dpc_block_run run = run_from(&cells, &on_cells, q, 0, rest - 1);
    const dpc_index first = number + (run.count > 0 ? run.first : 0) * stride;
    return (dpc_placed_step){from + run.first, run.count, run.count > 0 ? placed_below(w, coordinate, first) : 0,
                             first};
}

static dpc_block_run placed_run(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index low, dpc_index high) {
    dpc_block_run r = {.first = low, .last = high, .width = -1};
    if (high < low) return (dpc_block_run){.first = low, .last = high};
    r.end = high;
    r.coordinate = p;
    r.placement = d->placement;
    r.stride = low == high ? 0 : a->stride;
    const dpc_placed_step x = dpc_next_placed(r.placement, p, low, offset_at(d, a, low), r.stride, high);
    r.first = x.first;
    r.count = x.count;
    r.last = x.first + x.count - 1;
    r.local = x.local;
    r.origin = x.origin;
    return r;
}

static dpc_index placed_rest(const dpc_dim *d, const dpc_access *a, dpc_index from) {
    const dpc_placement *w = d->placement;
    const dpc_index number = offset_at(d, a, from), rest = a->count - from;
    if (!w->single) {
        const dpc_dim cells = cells_of(w);
        const dpc_access on_cells = cells_accessed(w, number, a->stride, rest);
        return dpc_rest_of_block(&cells, &on_cells, 0);
    }
    dpc_index low, high;
    cut_to_interval(w, turned(w, dpc_placed_owner(d, d->lower + number)), number, a->stride, rest, &low, &high);
    return high + 1;
}

static dpc_index placed_period(const dpc_placement *w, dpc_index stride) {
    const dpc_dim cells = cells_of(w);
    const dpc_access on_cells = {0, w->step * stride, 1};
    return w->width == 0 ? INT64_MAX : dpc_period(&cells, &on_cells);
}

/* Distribution arithmetic.  See distribution.h; formulas: docs/communication-sets.md, sections 0 to 3. */
#include "../distribution.h"

__extension__ typedef __int128 wide;

dpc_index dpc_global(const dpc_dim *d, dpc_index local, dpc_index p) {
    const dpc_index pitch = d->block + d->gap;
    return d->lower + (local / pitch * d->procs + p) * d->block + local % pitch;
}

dpc_index dpc_local_extent(const dpc_dim *d, dpc_index p) {
    const dpc_index blocks = d->extent / d->block, rest = d->extent % d->block;
    const dpc_index whole = blocks / d->procs * d->block, extra = blocks % d->procs;
    return whole + (p < extra ? d->block : p == extra ? rest : 0);
}

dpc_index dpc_stored_gaps(const dpc_dim *d, dpc_index owned) {
    return owned == 0 ? 0 : (dpc_ceiling(owned, d->block) - 1) * d->gap;
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
    if (__builtin_mul_overflow(d->block, d->procs, &cycle)) return INT64_MAX;
    return cycle / dpc_common_divisor(cycle, stride);
}

/* Every iteration's element is inside the array, and there is one. */
static bool all_inside(const dpc_dim *d, const dpc_access *a) {
    dpc_index first, moved, last;
    return a->count > 0 && !__builtin_sub_overflow(a->first, d->lower, &first) && first >= 0 && first < d->extent &&
           !__builtin_mul_overflow(a->count - 1, a->stride, &moved) && !__builtin_add_overflow(first, moved, &last) &&
           last >= 0 && last < d->extent;
}

bool dpc_inside(const dpc_dim *d, const dpc_access *a, dpc_index *low, dpc_index *high) {
    *low = 0;
    *high = a->count - 1;
    if (all_inside(d, a)) return true;
    const wide first = (wide)a->first - d->lower;
    if (a->count <= 0 || d->extent <= 0) {
        *high = -1;
        return a->count <= 0;
    }
    if (a->stride == 0) {
        *high = -1;
        return false;
    }
    const wide step = a->stride > 0 ? a->stride : -(wide)a->stride;
    const wide before = a->stride > 0 ? -first : first - (d->extent - 1);
    const wide room = a->stride > 0 ? d->extent - 1 - first : first;
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

/* Iterations from one at offset `offset` (from the array's lower bound) to the first at or after it that belongs to p;
 * -1 if none. */
static dpc_index distance_to_owned(const dpc_dim *d, dpc_index stride, dpc_index p, dpc_index offset) {
    const dpc_index cycle = d->block * d->procs, start = p * d->block;
    const dpc_index within = dpc_modulo(offset - start, cycle);
    if (within < d->block) return 0;
    if (stride == 0) return -1;
    if (stride > 0 && stride <= d->block) return dpc_ceiling(cycle - within, stride);
    if (stride < 0 && -stride <= d->block) return dpc_ceiling(within - d->block + 1, -stride);
    return dpc_first_hit(dpc_modulo(stride, cycle), cycle, cycle - within, cycle - within + d->block - 1);
}

/* Iterations from one at offset `within` its block to the end of the block in the direction of the stride, itself
 * included. */
static dpc_index rest_of_block(const dpc_dim *d, dpc_index stride, dpc_index within) {
    if (stride == 1) return d->block - within;
    return stride > 0 ? (d->block - 1 - within) / stride + 1 : within / -stride + 1;
}

/* Moves between runs of several iterations: blocks that the stride does not pass. */
static void find_long_moves(dpc_block_run *r, const dpc_dim *d, dpc_index step) {
    const dpc_index cycle = d->block * d->procs;
    r->width = step;
    r->left = cycle / step;
    r->left_columns = cycle % step;
    r->right = r->left + 1;
    r->right_columns = step - r->left_columns;
    r->right_local = d->block + d->gap + r->right_columns;
    r->left_local = d->block + d->gap - r->left_columns;
    r->fewest = d->block / step;
    r->more = d->block % step;
    r->skipped = r->column / step;
    r->column %= step;
}

/* Moves between blocks that the stride passes: one element each. */
static void find_short_moves(dpc_block_run *r, const dpc_dim *d, dpc_index step) {
    const dpc_index cycle = d->block * d->procs, pitch = d->block + d->gap, within = step % cycle;
    r->width = d->block;
    r->fewest = 1;
    r->right = d->block > 1 ? dpc_first_hit(within, cycle, 1, d->block - 1) : -1;
    if (r->right < 0) /* one column only */
        r->right = r->left = cycle / dpc_common_divisor(cycle, within);
    else
        r->left = dpc_first_hit(cycle - within, cycle, 1, d->block - 1);
    const wide right = (wide)r->right * step, left = (wide)r->left * step;
    r->right_columns = (dpc_index)(right % cycle);
    r->left_columns = (dpc_index)((cycle - left % cycle) % cycle);
    r->right_local = (dpc_index)(right / cycle * pitch + r->right_columns);
    r->left_local = (dpc_index)((left + r->left_columns) / cycle * pitch - r->left_columns);
}

/* How one gets from the run, whose local index is known, to those after it; stride != 0. */
static void find_moves(dpc_block_run *r, const dpc_dim *d, dpc_index stride) {
    const dpc_index within = r->local % (d->block + d->gap), step = stride < 0 ? -stride : stride;
    r->column = stride > 0 ? within : d->block - 1 - within;
    if (step <= d->block)
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
    r.count = stride == 0 ? rest : rest_of_block(d, stride, r.local % (d->block + d->gap));
    if (r.count > rest) r.count = rest;
    if (stride != 0) find_moves(&r, d, stride);
    return r;
}

/* Elements of coordinate p below the one at `offset` from the lower bound (ScaLAPACK's numroc). */
static dpc_index owned_below(const dpc_dim *d, dpc_index p, dpc_index offset) {
    const dpc_index cycle = d->block * d->procs, cycles = offset < cycle ? 0 : offset / cycle;
    const dpc_index within = offset - cycles * cycle - p * d->block;
    return cycles * d->block + (within <= 0 ? 0 : within < d->block ? within : d->block);
}

/* Where one process owns all, or the stride is 1 and the elements of p follow one another in its local part.  Their number
 * and their first run; false: the stride is another one, or iterations lie outside the array. */
static bool find_neighbours(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_block_run *r, dpc_index *mine) {
    if ((d->procs > 1 && a->stride != 1) || !all_inside(d, a)) return false;
    const dpc_index offset = a->first - d->lower;
    if (d->procs == 1) {
        *mine = a->count;
        *r = (dpc_block_run){.count = a->count, .local = offset, .last = a->count - 1};
        return true;
    }
    const dpc_index before = owned_below(d, p, offset);
    const dpc_index number = before < d->block ? 0 : before / d->block, within = before - number * d->block;
    const dpc_index cycle = d->block * d->procs;
    *mine = owned_below(d, p, offset + a->count) - before;
    *r = (dpc_block_run){.first = number * cycle + p * d->block + within - offset, .local = before + number * d->gap,
                         .last = a->count - 1, .skipped = within, .skipped_local = within, .width = 1, .right_columns = 1,
                         .left = cycle, .left_local = d->block + d->gap, .fewest = d->block};
    r->count = *mine < d->block - within ? *mine : d->block - within;
    return true;
}

dpc_block_run dpc_first_block(const dpc_dim *d, const dpc_access *a, dpc_index p) {
    dpc_index low, high, mine;
    dpc_block_run r;
    if (find_neighbours(d, a, p, &r, &mine)) return r;
    dpc_inside(d, a, &low, &high);
    if (d->procs > 1) return run_from(d, a, p, low, high);
    const dpc_index count = high >= low ? high - low + 1 : 0;
    return (dpc_block_run){
        .first = low, .count = count, .local = count > 0 ? offset_at(d, a, low) : 0, .last = high};
}

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

dpc_index dpc_owned_before(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_index end) {
    dpc_index low, high;
    dpc_inside(d, a, &low, &high);
    if (high >= end) high = end - 1;
    if (high < low) return 0;
    const dpc_index n = high - low + 1, offset = offset_at(d, a, low);
    if (d->procs == 1) return n;
    if (n == 1 || a->stride == 1) return owned_below(d, p, offset + n) - owned_below(d, p, offset);
    if (a->stride == -1) return owned_below(d, p, offset + 1) - owned_below(d, p, offset - n + 1);
    const dpc_index cycle = d->block * d->procs, within = dpc_modulo(offset - p * d->block, cycle);
    const dpc_index step = dpc_modulo(a->stride, cycle);
    const wide upto = floor_sum(n, cycle, step, (wide)within + cycle);
    return (dpc_index)(upto - floor_sum(n, cycle, step, (wide)within + cycle - d->block));
}

dpc_index dpc_owned_count(const dpc_dim *d, const dpc_access *a, dpc_index p) {
    return dpc_owned_before(d, a, p, a->count);
}

dpc_index dpc_owned_runs(const dpc_dim *d, const dpc_access *a, dpc_index p, dpc_block_run *first) {
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
    const dpc_index within = dpc_modulo(offset_at(d, a, from), d->block), rest = a->count - from;
    if (a->stride == 0) return rest;
    const dpc_index after = (a->stride > 0 ? d->block - 1 - within : within) / dpc_magnitude(a->stride);
    return after < rest ? after + 1 : rest;
}

bool dpc_gathers_panels(const dpc_dim *d, const dpc_access *a, dpc_index depth) {
    const dpc_index stride = dpc_magnitude(a->stride);
    return stride > 0 && d->block / stride < depth / 4;
}

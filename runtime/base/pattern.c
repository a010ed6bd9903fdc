/* Patterns of ownership over iterations.  See pattern.h. */
#include "pattern.h"

__extension__ typedef __int128 wide;

/* Every coordinate has at most one block. */
static bool single_blocks(const dpc_dim *d) {
    return d->procs == 1 || dpc_block(d) >= dpc_ceiling(d->extent, d->procs);
}

static dpc_pattern intervals(const dpc_dim *dim, const dpc_access *access) {
    return (dpc_pattern){.stride = 1,
                         .block = 1,
                         .procs = dim->procs,
                         .cycle = dim->procs,
                         .period = 1,
                         .single = true,
                         .dim = dim,
                         .access = *access};
}

/* On the cells of a template. */
static dpc_pattern aligned(const dpc_dim *dim, const dpc_access *access) {
    dpc_index step, cell, block;
    if (!dpc_cells(dim, &step, &cell, &block)) return intervals(dim, access);
    const dpc_dim cells = dpc_dealt_dim(0, DPC_MOST_CYCLE, block, dim->procs, 0, 0);
    const dpc_access on_cells = {cell + step * (access->first - dim->lower), step * access->stride, access->count};
    return dpc_make_pattern(&cells, &on_cells);
}

dpc_pattern dpc_make_pattern(const dpc_dim *dim, const dpc_access *access) {
    if (!dpc_is_dealt(dim)) return aligned(dim, access);
    const bool mirrored = access->stride < 0;
    const dpc_index block = dpc_minimum(dpc_block(dim), dim->extent), cycle = block * dim->procs;
    const dpc_index offset = access->first - dim->lower, stride = mirrored ? -access->stride : access->stride;
    dpc_pattern p = {.stride = stride, .block = block, .procs = dim->procs, .cycle = cycle, .mirrored = mirrored};
    p.start = dpc_modulo(mirrored ? block - 1 - offset : offset, cycle);
    p.single = single_blocks(dim) || stride == 0;
    p.period = dim->procs == 1 || stride == 0 ? 1 : cycle / dpc_common_divisor(cycle, stride);
    p.length = stride > 0 && block % stride == 0 ? block / stride : 0;
    return p;
}

dpc_index dpc_mirror(const dpc_pattern *p, dpc_index coordinate) {
    return p->mirrored && coordinate > 0 ? p->procs - coordinate : coordinate;
}

/* The offset of an iteration from the start of the last block of a coordinate that begins at or before it. */
static dpc_index offset_from(const dpc_pattern *p, dpc_index coordinate, dpc_index iteration) {
    return dpc_modulo(p->start + iteration * p->stride - coordinate * p->block, p->cycle);
}

/* The iterations of an interval: first .. last, or none. */
static dpc_interval interval_of(const dpc_pattern *p, dpc_index coordinate) {
    const dpc_block_run r = dpc_first_block(p->dim, &p->access, coordinate);
    return r.count > 0 ? (dpc_interval){r.first, r.first + r.count - 1} : (dpc_interval){0, -1};
}

static dpc_index next_in_interval(const dpc_pattern *p, dpc_index coordinate, dpc_index from) {
    const dpc_interval all = interval_of(p, coordinate);
    return from > all.last ? DPC_NEVER : dpc_maximum(from, all.first);
}

static dpc_stay stay_in_interval(const dpc_pattern *p, dpc_index iteration) {
    const dpc_index owner = dpc_owner(p->dim, p->access.first + iteration * p->access.stride);
    return (dpc_stay){owner, interval_of(p, owner).last};
}

dpc_index dpc_next_owned(const dpc_pattern *p, dpc_index coordinate, dpc_index from) {
    if (p->dim != NULL) return next_in_interval(p, coordinate, from);
    const dpc_index offset = offset_from(p, coordinate, from);
    if (offset < p->block) return from;
    if (p->stride == 0) return DPC_NEVER;
    const dpc_index low = p->cycle - offset;
    if (p->stride <= p->block) return from + dpc_ceiling(low, p->stride);
    const dpc_index steps = dpc_first_hit(p->stride % p->cycle, p->cycle, low, low + p->block - 1);
    return steps < 0 ? DPC_NEVER : from + steps;
}

/* Sum of floor((a * i + b) / m) for i = 0 .. n-1, modulo 2^64.  Requires a * n + b + m < 2^64.  O(log m). */
static uint64_t floor_sum(uint64_t n, uint64_t m, uint64_t a, uint64_t b) {
    uint64_t sum = 0;
    while (n > 0) {
        if (a >= m) sum += (n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n) * (a / m);
        if (b >= m) sum += n * (b / m);
        a %= m;
        b %= m;
        const uint64_t top = a * n + b;
        if (top < m) return sum;
        n = top / m;
        b = top % m;
        const uint64_t old = m;
        m = a;
        a = old;
    }
    return sum;
}

/* Iterations of the runs [0:length-1], [period:period+length-1], .. below x; negative x continue them downward. */
static dpc_index in_runs(const dpc_pattern *p, dpc_index x) {
    const dpc_index whole = dpc_floor(x, p->period), rest = x - whole * p->period;
    return whole * p->length + (rest < p->length ? rest : p->length);
}

dpc_index dpc_count_owned(const dpc_pattern *p, dpc_index coordinate, dpc_index end) {
    if (p->procs == 1 || end <= 0) return end <= 0 ? 0 : end;
    if (p->dim != NULL) return dpc_owned_before(p->dim, &p->access, coordinate, end);
    if (p->stride == 0) return p->start / p->block == coordinate ? end : 0;
    if (p->length > 0) {
        const dpc_index first = p->start / p->stride - coordinate * p->length;
        return in_runs(p, first + end) - in_runs(p, first);
    }
    const uint64_t offset = (uint64_t)offset_from(p, coordinate, 0), cycle = (uint64_t)p->cycle;
    const uint64_t n = (uint64_t)end, step = (uint64_t)(p->stride % p->cycle);
    return (dpc_index)(floor_sum(n, cycle, step, offset + cycle) -
                       floor_sum(n, cycle, step, offset + cycle - (uint64_t)p->block));
}

dpc_stay dpc_stay_at(const dpc_pattern *p, dpc_index iteration) {
    if (p->dim != NULL) return stay_in_interval(p, iteration);
    const dpc_index offset = p->start + iteration * p->stride, number = offset / p->block;
    if (p->procs == 1 || p->stride == 0) return (dpc_stay){number % p->procs, DPC_NEVER};
    return (dpc_stay){number % p->procs, iteration + ((number + 1) * p->block - 1 - offset) / p->stride};
}

dpc_interval dpc_single_run(const dpc_pattern *p, dpc_index coordinate, dpc_index count) {
    dpc_interval run = {dpc_next_owned(p, coordinate, 0), -1};
    if (run.first >= count) return (dpc_interval){0, -1};
    run.last = dpc_stay_at(p, run.first).last;
    if (run.last >= count) run.last = count - 1;
    return run;
}

/* Runs of one iteration each: the stride passes over blocks. */
static void single_iteration(dpc_runs *runs, dpc_index from) {
    runs->first = runs->last = dpc_next_owned(runs->pattern, runs->coordinate, from);
}

dpc_runs dpc_open_runs(const dpc_pattern *p, dpc_index coordinate, dpc_index from) {
    dpc_runs runs = {.pattern = p, .coordinate = coordinate};
    if (p->stride > p->block) {
        single_iteration(&runs, from);
        return runs;
    }
    const dpc_index reached = dpc_next_owned(p, coordinate, from);
    const dpc_index block = reached * p->stride - offset_from(p, coordinate, reached);
    runs.first = dpc_ceiling(block, p->stride);
    runs.first_rest = block + p->stride - 1 - runs.first * p->stride;
    runs.last = dpc_floor(block + p->block - 1, p->stride);
    runs.last_rest = block + p->block - 1 - runs.last * p->stride;
    runs.whole = p->cycle / p->stride;
    runs.rest = p->cycle - runs.whole * p->stride;
    return runs;
}

/* The quotient `value` with remainder *rest, when one cycle is added to what was divided by the stride. */
static dpc_index one_cycle_on(const dpc_runs *runs, dpc_index value, dpc_index *rest) {
    *rest += runs->rest;
    if (*rest < runs->pattern->stride) return value + runs->whole;
    *rest -= runs->pattern->stride;
    return value + runs->whole + 1;
}

void dpc_advance_runs(dpc_runs *runs) {
    const dpc_pattern *p = runs->pattern;
    if (p->stride > p->block) {
        single_iteration(runs, runs->last + 1);
        return;
    }
    runs->first = one_cycle_on(runs, runs->first, &runs->first_rest);
    runs->last = one_cycle_on(runs, runs->last, &runs->last_rest);
}

int dpc_compare_patterns(const dpc_pattern *a, const dpc_pattern *b) {
    const dpc_index x[] = {a->period, a->block, a->stride, a->start, a->procs};
    const dpc_index y[] = {b->period, b->block, b->stride, b->start, b->procs};
    for (int k = 0; k < 5; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

bool dpc_may_drive(const dpc_pattern *driver, const dpc_pattern *other) {
    const wide run = dpc_ceiling(driver->block, driver->stride);
    return (run - 1) * other->stride <= (wide)(other->procs - 1) * other->block;
}

/* Interior and boundary: the iterations, in boxes, that can be computed before ghost cells and fetched values have
 * come, then the rest.  Along an index whose blocks are dealt round-robin the interior is the interior of every block,
 * and the boundary is the beginnings of all blocks, then their ends. */
#include "../base/cost.h"
#include "program.h"

/* ---- Parts of blocks that are dealt round-robin */

static bool is_dealt(const dpc_space *s, int index) {
    const int k = s->home_dim[index];
    return k >= 0 && s->home->format[k].kind == DPC_FORMAT_CYCLIC;
}

/* What has neighbours is read beyond. */
static bool has_boundary(const dpc_box *b, int index) {
    const int k = b->space->home_dim[index];
    return is_dealt(b->space, index) && b->space->home->dim[k].procs > 1 &&
           b->reach[index].low + b->reach[index].high > 0;
}

/* The values of a block, counted from the run's first one, that read, `reach` beyond, only its own elements: those
 * below *from come before them, those from *end on behind. */
static void find_block_interior(const dpc_box *b, int index, const dpc_run *run, dpc_index *from, dpc_index *end) {
    const dpc_dim *d = &b->space->home->dim[b->space->home_dim[index]];
    const dpc_index offset = run->local % dpc_pitch(d), step = dpc_magnitude(run->local_step);
    const bool down = run->local_step < 0;
    const dpc_index least = b->reach[index].low, most = dpc_block(d) - 1 - b->reach[index].high;
    const dpc_index skipped = down ? offset - most : least - offset, reached = down ? offset - least : most - offset;
    *from = dpc_maximum(0, step == 1 ? skipped : dpc_ceiling(skipped, step));
    *end = dpc_minimum(run->count, (step == 1 ? reached : dpc_floor(reached, step)) + 1);
    if (*from >= *end) *from = *end = dpc_minimum(*from, run->count);
}

/* Cuts a whole block's run to the box's part of it, which may be empty. `count` stays the whole block's, for what
 * follows it. */
static void cut(const dpc_box *b, int index, dpc_run *run) {
    dpc_index from, end;
    if (b->part[index] == DPC_WHOLE) return;
    find_block_interior(b, index, run, &from, &end);
    const dpc_index first = b->part[index] == DPC_INTERIOR ? from : b->part[index] == DPC_BEFORE ? 0 : end;
    const dpc_index after = b->part[index] == DPC_INTERIOR ? end : b->part[index] == DPC_BEFORE ? from : run->count;
    run->last = run->first + (after - 1) * run->step;
    run->first += first * run->step;
}

/* Goes on to the first run that has something of the part. */
static void seek(const dpc_box *b, int index, dpc_run *run) {
    while (dpc_more(run)) {
        cut(b, index, run);
        if (run->first <= run->last) return;
        dpc_next_run(b->space, index, run);
    }
}

dpc_run dpc_first_box_run(const dpc_box *b, int index) {
    dpc_run run = dpc_first_run(b->space, index);
    seek(b, index, &run);
    return run;
}

void dpc_next_box_run(const dpc_box *b, int index, dpc_run *run) {
    dpc_next_run(b->space, index, run);
    seek(b, index, run);
}

/* ---- The interior */

/* My iterations of an index (counted from 0) that read, `reach` beyond, only owned elements and ghost cells that no
 * element stands for: low .. high. */
static void find_interior(dpc_box *b, int index) {
    const dpc_space *s = b->space;
    const int k = s->home_dim[index];
    const dpc_width reach = b->reach[index];
    b->low[index] = 0;
    b->high[index] = s->mine[index] - 1;
    if (k < 0 || s->mine[index] == 0 || is_dealt(s, index)) return;
    const dpc_run run = dpc_first_run(s, index);
    const bool around = reach.cyclic && s->home->dim[k].procs > 1;
    const bool before = around || s->home->coord[k] > 0,
               after = around || s->home->coord[k] < s->home->dim[k].procs - 1;
    dpc_index step = run.local_step;
    const dpc_index least = before ? reach.low : 0, most = s->home->extent[k] - 1 - (after ? reach.high : 0);
    if (step == 0) return;
    /* least <= local + j * step <= most */
    const dpc_index from = step > 0 ? least - run.local : run.local - most,
                    to = step > 0 ? most - run.local : run.local - least;
    step = dpc_magnitude(step);
    b->low[index] = dpc_maximum(0, dpc_ceiling(from, step));
    b->high[index] = dpc_minimum(b->high[index], dpc_floor(to, step));
}

/* Index values of my iterations low .. high; those of dealt blocks come from runs. */
static void set_range(dpc_box *b, int index, dpc_index low, dpc_index high) {
    const dpc_index first = b->space->mine[index] > 0 ? b->space->run[index].first : 0;
    const dpc_index stride = b->space->range[index].stride;
    b->first[index] = first + low * stride;
    b->last[index] = first + high * stride;
    b->position[index] = low;
}

static void set_whole(dpc_box *b, int index) {
    b->part[index] = DPC_WHOLE;
    set_range(b, index, 0, b->space->mine[index] - 1);
}

static void set_interior(dpc_box *b, int index) {
    b->part[index] = has_boundary(b, index) ? DPC_INTERIOR : DPC_WHOLE;
    set_range(b, index, b->low[index], b->high[index]);
}

static bool is_interior_empty(const dpc_box *b) {
    for (int k = 0; k < b->space->rank; k++)
        if (b->low[k] > b->high[k]) return true;
    return false;
}

/* The next part of the interior: one for each phase of the refresh. */
DPC_STEADY static void interior(dpc_box *b) {
    for (int k = 0; k < b->space->rank; k++) set_interior(b, k);
    if (b->divided < 0) return;
    const int parts = b->refresh == NULL ? 1 : dpc_phases_left(b->refresh);
    const dpc_index rest = b->high[b->divided] + 1 - b->done, part = dpc_ceiling(rest, parts);
    set_range(b, b->divided, b->done, b->done + part - 1);
    b->done += part;
}

static bool more_interior(const dpc_box *b) {
    return b->refresh != NULL && b->divided >= 0 && b->done <= b->high[b->divided];
}

/* My runs of an index, about. */
static double runs_of(const dpc_space *s, int index) {
    return is_dealt(s, index) ? (double)dpc_ceiling(s->mine[index], s->run[index].count) : 1;
}

/* The innermost loop over a dealt index has three parts of every block instead of one: whether finding these runs and
 * beginning these loops costs less than the messages that are waited for otherwise. */
static bool pays(const dpc_box *b) {
    const dpc_space *s = b->space;
    const int inner = s->rank - 1;
    if (inner < 0 || !has_boundary(b, inner)) return true;
    double runs = 2 * runs_of(s, inner), loops = runs;
    for (int k = 0; k < inner; k++) {
        runs *= runs_of(s, k);
        loops *= (double)s->mine[k];
    }
    return runs * dpc_default_cost.section + loops * dpc_default_cost.run < dpc_phase_seconds(b->refresh);
}

/* ---- The boundary */

/* The boundary box number n: below or above the interior along index n / 2, interior along those before it.  False:
 * empty. */
static bool boundary(dpc_box *b, int n) {
    const int index = n / 2;
    const bool above = n % 2 == 1;
    for (int k = 0; k < b->space->rank; k++)
        if (k < index)
            set_interior(b, k);
        else
            set_whole(b, k);
    if (is_dealt(b->space, index)) {
        b->part[index] = above ? DPC_BEHIND : DPC_BEFORE;
        return has_boundary(b, index);
    }
    const dpc_index all = b->space->mine[index] - 1;
    set_range(b, index, above ? b->high[index] + 1 : 0, above ? all : b->low[index] - 1);
    return b->first[index] <= b->last[index];
}

/* ---- The boxes */

/* Waits for all that is on its way. */
static void await(dpc_box *b) {
    dpc_end_refresh(b->refresh);
    b->refresh = NULL;
    for (int k = 0; k < b->transfers; k++) dpc_finish_transfer(b->transfer[k]);
}

/* All as one box, which is the last. */
static void set_all(dpc_box *b) {
    for (int k = 0; k < b->space->rank; k++) set_whole(b, k);
    b->next = 2 * b->space->rank;
}

static bool all_here(const dpc_box *b) {
    for (int k = 0; k < b->transfers; k++)
        if (!b->transfer[k]->here) return false;
    return b->refresh == NULL;
}

static void find_all_interiors(dpc_box *b) {
    b->divided = -1;
    for (int k = b->space->rank - 1; k >= 0; k--) {
        find_interior(b, k);
        if (!is_dealt(b->space, k)) b->divided = k;
    }
    for (int k = 0; k < b->transfers; k++) dpc_cut_to_own(b->transfer[k], b->low, b->high);
    b->done = b->divided < 0 ? 0 : b->low[b->divided];
}

DPC_STEADY dpc_box dpc_first_box_of(const dpc_space *s, dpc_refreshing *started, const dpc_width *reach, int transfers,
                                    dpc_transfer *const *transfer) {
    dpc_refreshing *r = dpc_is_refreshing(started) ? started : NULL;
    dpc_box b;
    b.space = s;
    b.refresh = r;
    b.transfers = transfers;
    b.transfer = transfer;
    b.more = true;
    b.next = 0;
    if (all_here(&b)) { /* what is sent is waited for at the end */
        set_all(&b);
        return b;
    }
    for (int k = 0; k < s->rank; k++) b.reach[k] = r == NULL ? (dpc_width){0, 0, false} : reach[k];
    find_all_interiors(&b);
    if (is_interior_empty(&b) || !pays(&b)) {
        await(&b);
        set_all(&b);
    } else
        interior(&b);
    return b;
}

DPC_STEADY dpc_box dpc_first_box(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach) {
    return dpc_first_box_of(s, r, reach, 0, NULL);
}

DPC_STEADY void dpc_next_box(dpc_box *b) {
    if (more_interior(b)) {
        dpc_advance_refresh(b->refresh);
        interior(b);
        return;
    }
    await(b);
    b->more = false;
    while (b->next < 2 * b->space->rank)
        if (boundary(b, b->next++)) {
            b->more = true;
            return;
        }
}

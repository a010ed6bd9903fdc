/* Boxes of iterations: what can be computed before the ghost cells have come, then the rest. */
#include "internal.h"

/* My iterations of an index (counted from 0) that read, `reach` beyond, only owned elements and ghost cells that no
 * element stands for: low .. high. */
static void find_inside(dpc_box *b, int index, dpc_width reach) {
    const dpc_space *s = b->space;
    const int k = s->home_dim[index];
    b->low[index] = 0;
    b->high[index] = s->mine[index] - 1;
    if (k < 0 || s->mine[index] == 0) return;
    const dpc_run run = dpc_first_run(s, index);
    const bool around = reach.cyclic && s->home->dim[k].procs > 1;
    const bool before = around || s->home->coord[k] > 0, after = around || s->home->coord[k] < s->home->dim[k].procs - 1;
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

/* Index values of my iterations low .. high. */
static void set_range(dpc_box *b, int index, dpc_index low, dpc_index high) {
    const dpc_index first = b->space->run[index].first, stride = b->space->range[index].stride;
    b->first[index] = first + low * stride;
    b->last[index] = first + high * stride;
}

static bool is_inside_empty(const dpc_box *b) {
    for (int k = 0; k < b->space->rank; k++)
        if (b->low[k] > b->high[k]) return true;
    return false;
}

/* The border box number n: below or above the inside along index n / 2, inside along those before it.  False: empty. */
static bool border(dpc_box *b, int n) {
    const int index = n / 2;
    const dpc_index all = b->space->mine[index] - 1;
    for (int k = 0; k < b->space->rank; k++)
        if (k < index)
            set_range(b, k, b->low[k], b->high[k]);
        else
            set_range(b, k, 0, b->space->mine[k] - 1);
    set_range(b, index, n % 2 ? b->high[index] + 1 : 0, n % 2 ? all : b->low[index] - 1);
    return b->first[index] <= b->last[index];
}

/* The next part of the inside, along the first index: one for each phase of the refresh. */
DPC_STEADY static void inside(dpc_box *b) {
    const dpc_index rest = b->high[0] + 1 - b->done, part = dpc_ceiling(rest, dpc_phases_left(b->refresh));
    for (int k = 1; k < b->space->rank; k++) set_range(b, k, b->low[k], b->high[k]);
    set_range(b, 0, b->done, b->done + part - 1);
    b->done += part;
}

DPC_STEADY dpc_box dpc_first_box(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach) {
    dpc_box b;
    b.space = s;
    b.refresh = r;
    b.more = true;
    b.next = 0;
    if (r == NULL) { /* nothing is on its way */
        for (int k = 0; k < s->rank; k++) {
            const dpc_run run = dpc_first_run(s, k);
            b.first[k] = run.first;
            b.last[k] = run.last;
        }
        b.next = 2 * s->rank;
        return b;
    }
    for (int k = 0; k < s->rank; k++) find_inside(&b, k, reach[k]);
    if (is_inside_empty(&b)) { /* all is border, as one box */
        for (int k = 0; k < s->rank; k++) set_range(&b, k, 0, s->mine[k] - 1);
        dpc_end_refresh(b.refresh);
        b.refresh = NULL;
        b.next = 2 * s->rank;
        return b;
    }
    b.done = b.low[0];
    inside(&b);
    return b;
}

DPC_STEADY void dpc_next_box(dpc_box *b) {
    if (b->refresh != NULL && b->done <= b->high[0]) {
        dpc_advance_refresh(b->refresh);
        inside(b);
        return;
    }
    dpc_end_refresh(b->refresh);
    b->refresh = NULL;
    b->more = false;
    while (b->next < 2 * b->space->rank)
        if (border(b, b->next++)) {
            b->more = true;
            return;
        }
}

/* The one-pass walk: one pass over this process's blocks finds the runs of all partners
 * (docs/redistribution-algorithms.md, section 3.4).  Where one side has long blocks, the walk goes over what is fewer:
 * a process with a single block walks one cycle of the other side, one with short blocks walks the other side's long
 * ones. */
#include "index.h"

/* Splits the stretch of `length` elements of the section from x on at the other side's blocks.  The stretch lies at
 * local index `offset` and at `position` of what repeats every `period` up to `extent`. */
typedef struct {
    dpc_index x, offset, length, position, period, extent;
} piece;

static void split(dpc_run_list *list, const dpc_line *theirs, const piece *m) {
    const dpc_index at = theirs->first + m->x;
    dpc_index room = theirs->block - at % theirs->block, coordinate = at / theirs->block % theirs->procs;
    for (dpc_index done = 0; done < m->length;) {
        const dpc_index run = dpc_minimum(room, m->length - done);
        const dpc_index elements = dpc_repeated(m->position + done, run, m->period, m->extent);
        dpc_list_run(list, coordinate, m->offset + done, run, elements);
        list->steps++;
        done += run;
        room = theirs->block;
        coordinate = coordinate + 1 < theirs->procs ? coordinate + 1 : 0;
    }
}

/* My elements of the section are those of block `number`: x and local index advance alike, and one cycle of the other
 * side repeats. */
static dpc_shares walk_one_block(const dpc_line_pair *pair, dpc_index p, dpc_index number) {
    const dpc_line *mine = &pair->mine, *theirs = &pair->theirs;
    const dpc_index x = dpc_maximum(number * mine->block - mine->first, 0);
    const dpc_index end = dpc_minimum(number * mine->block - mine->first + mine->block, mine->extent);
    dpc_index cycle;
    const bool repeats = !__builtin_mul_overflow(theirs->block, theirs->procs, &cycle) && cycle < end - x;
    const dpc_index period = repeats ? cycle : end - x;
    dpc_run_list list = {0};
    const piece all = {x, dpc_line_before(mine, p, mine->first + x), period, 0, period, end - x};
    if (end > x) split(&list, theirs, &all);
    return dpc_gather_runs(&list, theirs, repeats ? cycle : 0);
}

static dpc_shares walk_my_blocks(const dpc_line_pair *pair, dpc_index p) {
    const dpc_line *mine = &pair->mine;
    dpc_run_list list = {0};
    dpc_index local = dpc_line_start(mine, p);
    for (dpc_index number = dpc_line_first_block(mine, p); number * mine->block - mine->first < pair->period;
         number += mine->procs) {
        const dpc_index start = number * mine->block - mine->first;
        const dpc_index x = dpc_maximum(start, 0), end = dpc_minimum(start + mine->block, pair->period);
        const piece block = {x, local, end - x, x, pair->period, mine->extent};
        split(&list, &pair->theirs, &block);
        local += end - x;
    }
    return dpc_gather_runs(&list, &pair->theirs, pair->step);
}

/* My elements in the other side's long block lie side by side in local memory. */
static dpc_shares walk_their_blocks(const dpc_line_pair *pair, dpc_index p) {
    const dpc_line *mine = &pair->mine, *theirs = &pair->theirs;
    const dpc_index start = dpc_line_start(mine, p), cut = dpc_line_before(mine, p, mine->first + pair->rest);
    dpc_run_list list = {0};
    dpc_index local = start, number = theirs->first / theirs->block, coordinate = number % theirs->procs;
    for (dpc_index x = 0; x < pair->period; number++) {
        const dpc_index end = dpc_minimum((number + 1) * theirs->block - theirs->first, pair->period);
        const dpc_index after = dpc_line_before(mine, p, mine->first + end), length = after - local;
        const dpc_index partial = pair->step == 0 ? 0 : dpc_maximum(dpc_minimum(after, cut) - local, 0);
        dpc_list_run(&list, coordinate, local, length, pair->repeats * length + partial);
        list.steps++;
        x = end;
        local = after;
        coordinate = coordinate + 1 < theirs->procs ? coordinate + 1 : 0;
    }
    return dpc_gather_runs(&list, theirs, pair->step);
}

dpc_shares dpc_walk_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    const dpc_line *m = &pair.mine;
    const dpc_index number = dpc_line_first_block(m, p), last = (m->first + m->extent - 1) / m->block;
    dpc_index cycle;
    if (m->extent == 0 || number > last) return (dpc_shares){0};
    if (number + m->procs > last) return walk_one_block(&pair, p, number);
    if (!__builtin_mul_overflow(m->block, m->procs, &cycle) && pair.theirs.block >= cycle)
        return walk_their_blocks(&pair, p);
    return walk_my_blocks(&pair, p);
}

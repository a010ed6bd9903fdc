/* Prylli and Tourancheau's scan (ScaLAPACK's REDIST, scan_intervals): for each partner the two sequences of blocks are
 * walked side by side.  It needs no tables; its cost grows with the number of processes.  Sheet, section 3.1, with
 * sections that begin inside their arrays; scanned over one period. */
#include "index.h"

static void scan_pair(dpc_run_list *list, const dpc_line_pair *pair, dpc_index p, dpc_index q) {
    const dpc_line *mine = &pair->mine, *theirs = &pair->theirs;
    const dpc_index s = mine->block, t = theirs->block, n = pair->period;
    const dpc_index number = dpc_line_first_block(mine, p), other = dpc_line_first_block(theirs, q);
    if (number > (mine->first + n - 1) / s || other > (theirs->first + n - 1) / t) return;
    dpc_index a = number * s - mine->first, b = other * t - theirs->first, local = number / mine->procs * s;
    while (a < n && b < n) {
        const dpc_index a_end = a + s, b_end = b + t, end = a_end < b_end ? a_end : b_end;
        const dpc_index start = a > b ? (a > 0 ? a : 0) : (b > 0 ? b : 0), stop = end < n ? end : n;
        list->steps++;
        if (stop > start)
            dpc_list_run(list, q, local + start - a, stop - start, dpc_repeated(start, stop - start, n, mine->extent));
        if (a_end == end) {
            a += mine->procs * s;
            local += s;
        }
        if (b_end == end) b += theirs->procs * t;
    }
}

dpc_shares dpc_scan_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    dpc_run_list list = {0};
    for (dpc_index q = 0; q < theirs->procs && mine->extent > 0; q++) scan_pair(&list, &pair, p, q);
    return dpc_gather_runs(&list, theirs, pair.step);
}

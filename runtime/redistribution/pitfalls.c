/* PITFALLS (Ramaswamy and Banerjee): each process's blocks are a family of line segments; the intersection of two
 * families is found for each pair of a segment of the one and those of the other that it meets, in one period.  Sheet,
 * section 3.2. */
#include "index.h"

/* Segments i*s + i1*P*s .. + s-1 against j*t + i2*Q*t .. + t-1. */
static void intersect(dpc_run_list *list, const dpc_line_pair *pair, dpc_index p, dpc_index q) {
    const dpc_index s = pair->mine.block, t = pair->theirs.block, n = pair->period;
    const dpc_index my_stride = pair->mine.procs * s, their_stride = pair->theirs.procs * t;
    for (dpc_index i1 = 0, left = p * s; left < n; i1++, left += my_stride) {
        const dpc_index right = left + s - 1;
        const dpc_index distance = left - (q * t + t - 1), first = dpc_ceiling(distance, their_stride);
        list->steps++;
        for (dpc_index i2 = first > 0 ? first : 0; q * t + i2 * their_stride <= right; i2++) {
            const dpc_index start = q * t + i2 * their_stride, low = start > left ? start : left;
            const dpc_index high = start + t - 1 < right ? start + t - 1 : right;
            const dpc_index length = high < n ? high - low + 1 : n - low;
            list->steps++;
            if (low >= n) break;
            dpc_list_run(list, q, i1 * s + low - left, length, dpc_repeated(low, length, n, pair->mine.extent));
        }
    }
}

dpc_shares dpc_pitfalls_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    dpc_run_list list = {0};
    for (dpc_index q = 0; q < theirs->procs && mine->extent > 0; q++) intersect(&list, &pair, p, q);
    return dpc_gather_runs(&list, theirs, pair.step);
}

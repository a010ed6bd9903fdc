/* Basic block calculation (Hsu, Chung and Dow): a table of the units of gcd(s, t) elements of one basic cycle, by the
 * process that they go to; the cycle repeats.  Sheet, section 2, with the owner function and the cycle corrected; the
 * two grids may differ. */
#include "index.h"

dpc_shares dpc_bbc_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    const dpc_line *m = &pair.mine, *other = &pair.theirs;
    const dpc_index unit = dpc_common_divisor(m->block, other->block);
    const dpc_index block = m->block / unit, other_block = other->block / unit, cycle = other->procs * other_block;
    const dpc_index length = dpc_line_elements(m, p), end = pair.step > 0 ? pair.step : length;
    dpc_run_list list = {.apart = true};
    for (dpc_index u = 0; u * unit < end; u++) {
        const dpc_index global = (p + m->procs * (u / block)) * block + u % block, at = u * unit;
        const dpc_index left = end - at < unit ? end - at : unit;
        list.steps++;
        dpc_list_run(&list, global % cycle / other_block, at, left, dpc_repeated(at, left, end, length));
    }
    return dpc_gather_runs(&list, theirs, pair.step);
}

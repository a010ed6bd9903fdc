/* Complete dimension calculation (Hsu, Chung and Dow): a table of every local element, by the process that it goes to.
 * Sheet, section 2, with the owner function corrected. */
#include "index.h"

dpc_shares dpc_cdc_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    const dpc_line *m = &pair.mine, *other = &pair.theirs;
    const dpc_index length = dpc_line_elements(m, p), cycle = other->procs * other->block;
    dpc_run_list list = {.apart = true};
    for (dpc_index x = 0; x < length; x++) {
        const dpc_index global = (p + m->procs * (x / m->block)) * m->block + x % m->block;
        list.steps++;
        dpc_list_run(&list, global % cycle / other->block, x, 1, 1);
    }
    return dpc_gather_runs(&list, theirs, 0);
}

/* Message encoding (Chung and Hsu).  Sheet, section 5, with the second formula corrected.  See encoding.h. */
#include "encoding.h"

__extension__ typedef __int128 wide;

/* kr -> r: one run of gamma elements at alpha, every k*r. */
static void encode_shrinking(dpc_run_list *list, dpc_index M, dpc_index r, dpc_index k, dpc_index i, dpc_index j,
                             dpc_index length) {
    const dpc_index first = (dpc_index)((wide)i * k % M);
    const dpc_index turn = (dpc_index)((wide)i * k / M);
    const dpc_index alpha = (j >= first ? turn : turn + 1) * r;
    const dpc_index gamma = (k / M + (dpc_modulo(j - first, M) < k % M)) * r;
    dpc_list_run(list, i, alpha, gamma, dpc_repeated(alpha, gamma, k * r, length));
}

/* r -> kr: gamma elements in runs of r at beta, beta + M*r, .., every k*r. */
static void encode_growing(dpc_run_list *list, dpc_index M, dpc_index r, dpc_index k, dpc_index i, dpc_index j,
                           dpc_index length) {
    const dpc_index first = dpc_modulo(i - (dpc_index)((wide)j * k % M), M);
    const dpc_index runs = k / M + (first < k % M);
    for (dpc_index c = 0; c < runs; c++) {
        const dpc_index at = (first + c * M) * r;
        dpc_list_run(list, i, at, r, dpc_repeated(at, r, k * r, length));
    }
}

dpc_shares dpc_encode(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const dpc_index s = pair.mine.block, t = pair.theirs.block, M = from->procs;
    const dpc_index length = dpc_line_elements(&pair.theirs, q);
    dpc_run_list list = {0};
    if (from->procs != to->procs || (s % t != 0 && t % s != 0)) return dpc_family_of(to, q, from, p);
    if (s % t == 0)
        encode_shrinking(&list, M, t, s / t, p, q, length);
    else
        encode_growing(&list, M, s, t / s, p, q, length);
    return dpc_gather_runs(&list, from, s % t == 0 ? s : t);
}

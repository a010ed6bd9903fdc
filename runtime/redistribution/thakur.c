/* Thakur, Choudhary and Ramanujam's KY_TO_Y and X_TO_KX: on equal numbers of processes, where the larger block is k
 * times the smaller one, the partners of the small blocks follow from their numbers.  Sheet, section 4 (rebuilt
 * formulas). */
#include "index.h"

#include <stddef.h>

static const char *refusal(const dpc_line *from, const dpc_line *to, bool shrinks) {
    const char *why = dpc_whole_refuses(from, to);
    if (why != NULL) return why;
    if (from->procs != to->procs) return "a dimension is divided among different numbers of processes";
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const dpc_index x = pair.mine.block, y = pair.theirs.block;
    if (shrinks && x % y != 0) return "a source block is not a multiple of the target block";
    if (!shrinks && y % x != 0) return "a target block is not a multiple of the source block";
    return NULL;
}

const char *dpc_ky_to_y_refuses(const dpc_line *from, const dpc_line *to) {
    return refusal(from, to, true);
}

const char *dpc_x_to_kx_refuses(const dpc_line *from, const dpc_line *to) {
    return refusal(from, to, false);
}

/* Sub-block i of every one of my blocks, i = 0 .. k-1, belongs to (k*p + i) mod P. */
static void list_sub_blocks(dpc_run_list *list, const dpc_line_pair *pair, dpc_index p, dpc_index length) {
    const dpc_index x = pair->mine.block, y = pair->theirs.block, k = x / y, P = pair->mine.procs;
    const dpc_index start = k % P * p % P;
    for (dpc_index i = 0; i < k && i * y < length; i++, list->steps++)
        dpc_list_run(list, (start + i) % P, i * y, y, dpc_repeated(i * y, y, x, length));
}

/* My block number b belongs to the block of k of the other side's process (p/k + (b mod k) * P/k) mod P where k divides
 * P, else ((b*P + p) / k) mod P. */
static void list_blocks(dpc_run_list *list, const dpc_line_pair *pair, dpc_index p, dpc_index length) {
    const dpc_index y = pair->mine.block, k = pair->theirs.block / y, P = pair->mine.procs;
    for (dpc_index b = 0; b < k && b * y < length; b++, list->steps++) {
        const dpc_index partner = P % k == 0 ? (p / k + b % k * (P / k)) % P : (b * P + p) / k % P;
        dpc_list_run(list, partner, b * y, y, dpc_repeated(b * y, y, k * y, length));
    }
}

dpc_shares dpc_thakur_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    const dpc_index length = dpc_line_elements(&pair.mine, p);
    const bool larger = pair.mine.block % pair.theirs.block == 0;
    dpc_run_list list = {0};
    if (larger)
        list_sub_blocks(&list, &pair, p, length);
    else
        list_blocks(&list, &pair, p, length);
    return dpc_gather_runs(&list, theirs, larger ? pair.mine.block : pair.theirs.block);
}

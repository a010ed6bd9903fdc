/* Message encoding (Chung and Hsu).  Sheet, section 5, with the second formula corrected.  See encoding.h. */
#include "encoding.h"

__extension__ typedef __int128 wide;

dpc_ratio dpc_ratio_of(const dpc_line *from, const dpc_line *to) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const dpc_index s = pair.mine.block, t = pair.theirs.block, M = from->procs;
    return s % t == 0 ? (dpc_ratio){M, t, s / t, true} : (dpc_ratio){M, s, t / s, false};
}

/* kr -> r: gamma elements side by side from alpha on. */
static dpc_code encode_shrinking(const dpc_ratio *x, dpc_index i, dpc_index j) {
    const dpc_index first = (dpc_index)((wide)i * x->k % x->M), turn = (dpc_index)((wide)i * x->k / x->M);
    const dpc_index runs = x->k / x->M + (dpc_modulo(j - first, x->M) < x->k % x->M);
    return (dpc_code){(j >= first ? turn : turn + 1) * x->r, runs * x->r};
}

/* r -> kr: gamma elements in runs of r at beta, beta + M*r, .. */
static dpc_code encode_growing(const dpc_ratio *x, dpc_index i, dpc_index j) {
    const dpc_index first = dpc_modulo(i - (dpc_index)((wide)j * x->k % x->M), x->M);
    const dpc_index runs = x->k / x->M + (first < x->k % x->M);
    return (dpc_code){first * x->r, runs * x->r};
}

dpc_code dpc_encode_blocks(const dpc_ratio *x, dpc_index p, dpc_index q) {
    return x->shrinks ? encode_shrinking(x, p, q) : encode_growing(x, p, q);
}

dpc_index dpc_code_stretches(const dpc_ratio *x, const dpc_code *code) {
    return x->shrinks ? 1 : code->in_cycle / x->r;
}

dpc_share dpc_decode_blocks(const dpc_ratio *x, dpc_index length, const dpc_code *code, dpc_stretch *stretch) {
    const dpc_index run = x->shrinks ? code->in_cycle : x->r, count = dpc_code_stretches(x, code);
    dpc_share share = {.step = x->k * x->r, .stretches = count, .stretch = stretch};
    for (dpc_index c = 0; c < count; c++) {
        stretch[c] = (dpc_stretch){code->first + c * x->M * x->r, run};
        share.elements += dpc_repeated(stretch[c].offset, run, share.step, length);
    }
    return share;
}

static dpc_shares encode_ratio(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q) {
    const dpc_ratio x = dpc_ratio_of(from, to);
    const dpc_code code = dpc_encode_blocks(&x, p, q);
    const dpc_index length = dpc_line_elements(to, q), run = x.shrinks ? code.in_cycle : x.r, cycle = x.k * x.r;
    dpc_run_list list = {0};
    for (dpc_index c = 0; c < dpc_code_stretches(&x, &code); c++) {
        const dpc_index at = code.first + c * x.M * x.r;
        dpc_list_run(&list, p, at, run, dpc_repeated(at, run, cycle, length));
    }
    return dpc_gather_runs(&list, from, cycle);
}

dpc_shares dpc_encode(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const dpc_index s = pair.mine.block, t = pair.theirs.block;
    const bool divides = from->procs == to->procs && (s % t == 0 || t % s == 0);
    return divides ? encode_ratio(from, p, to, q) : dpc_family_of(to, q, from, p);
}

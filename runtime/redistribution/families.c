/* The closed form of the families: for every distance e between the start of a source block and the start of a target
 * block that overlap there is exactly one run a period, at a place that a modular inverse gives; nothing is searched,
 * and only processes that share something are looked at.  Sheet, section 3.3. */
#include "index.h"

__extension__ typedef __int128 wide;

typedef struct {
    dpc_line_pair pair;
    dpc_index p, g, s, t;       /* s, t: reduced blocks */
    dpc_index my_cycle;         /* P*s' */
    dpc_index D, blocks;        /* gcd of the cycles; source blocks per period: Q*t'/D */
    dpc_index inverse;          /* of P*s'/D modulo blocks */
    dpc_index t_divisor, class; /* gcd(t', D); D / t_divisor: distance of the q that share an e */
    dpc_index t_inverse;        /* of t'/t_divisor modulo class */
} family;

/* a^-1 modulo m, gcd(a, m) = 1; 0 when m is 1. */
static dpc_index modular_inverse(dpc_index a, dpc_index m) {
    dpc_index old = dpc_modulo(a, m), rest = m, x = 1, y = 0;
    while (rest != 0) {
        const dpc_index quotient = old / rest, next = old - quotient * rest, z = x - quotient * y;
        old = rest;
        rest = next;
        x = y;
        y = z;
    }
    return dpc_modulo(x, m);
}

static family family_of(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    family f = {.pair = dpc_pair_lines(mine, theirs), .p = p};
    const dpc_index s = f.pair.mine.block, t = f.pair.theirs.block;
    f.g = dpc_common_divisor(s, t);
    f.s = s / f.g;
    f.t = t / f.g;
    f.my_cycle = f.pair.mine.procs * f.s;
    const dpc_index their_cycle = f.pair.theirs.procs * f.t;
    f.D = dpc_common_divisor(f.my_cycle, their_cycle);
    f.blocks = their_cycle / f.D;
    f.inverse = modular_inverse(f.my_cycle / f.D, f.blocks);
    f.t_divisor = dpc_common_divisor(f.t, f.D);
    f.class = f.D / f.t_divisor;
    f.t_inverse = modular_inverse(f.t / f.t_divisor, f.class);
    return f;
}

/* The run of coordinate q at distance e, where e = p*s' - q*t' modulo D. */
static void list_run_at(dpc_run_list *list, const family *f, dpc_index q, dpc_index e) {
    const wide d = (wide)f->p * f->s - (wide)q * f->t;
    const wide turns = (e - d) / f->D % f->blocks * f->inverse % f->blocks;
    const wide block = turns < 0 ? turns + f->blocks : turns; /* which of my blocks in the period */
    const wide start = (wide)f->p * f->s + block * f->my_cycle, low = (e > 0 ? start : start - e) * f->g;
    const dpc_index first = e > 0 ? e : 0, last = f->t - 1 < f->s - 1 + e ? f->t - 1 : f->s - 1 + e;
    list->steps++;
    if (low >= f->pair.period) return;
    const dpc_index at = (dpc_index)low, room = f->pair.period - at, full = (last - first + 1) * f->g;
    const dpc_index length = full < room ? full : room;
    dpc_list_run(list, q, (dpc_index)block * f->pair.mine.block + at - (dpc_index)start * f->g, length,
                 dpc_repeated(at, length, f->pair.period, f->pair.mine.extent));
}

/* All coordinates that have a run at distance e: q*t' = p*s' - e modulo D. */
static void list_runs_at(dpc_run_list *list, const family *f, dpc_index e) {
    const wide distance = (wide)f->p * f->s - e;
    if (distance % f->t_divisor != 0) return;
    wide q = distance / f->t_divisor % f->class * f->t_inverse % f->class;
    if (q < 0) q += f->class;
    for (; q < f->pair.theirs.procs; q += f->class) list_run_at(list, f, (dpc_index)q, e);
}

dpc_shares dpc_families_shares(const dpc_line *mine, dpc_index p, const dpc_line *theirs) {
    const family f = family_of(mine, p, theirs);
    dpc_run_list list = {0};
    for (dpc_index e = 1 - f.s; e < f.t && mine->extent > 0; e++) list_runs_at(&list, &f, e);
    return dpc_gather_runs(&list, theirs, f.pair.step);
}

dpc_shares dpc_family_of(const dpc_line *mine, dpc_index p, const dpc_line *theirs, dpc_index only) {
    const family f = family_of(mine, p, theirs);
    dpc_run_list list = {0};
    const wide distance = ((wide)p * f.s - (wide)only * f.t - (1 - f.s)) % f.D;
    const dpc_index first = 1 - f.s + (dpc_index)(distance < 0 ? distance + f.D : distance);
    for (dpc_index e = first; e < f.t && mine->extent > 0; e += f.D) list_run_at(&list, &f, only, e);
    return dpc_gather_runs(&list, theirs, f.pair.step);
}

/* Schedules in closed form.  See steps.h. */
#include "steps.h"

#include <stdlib.h>

/* ---- Circulant (section 7.2) */

typedef struct {
    dpc_index s, t, D;
} reduced;

static reduced reduce(const dpc_line_pair *pair) {
    const dpc_index g = dpc_common_divisor(pair->mine.block, pair->theirs.block);
    reduced r = {pair->mine.block / g, pair->theirs.block / g, 0};
    r.D = dpc_common_divisor(pair->mine.procs * r.s, pair->theirs.procs * r.t);
    return r;
}

const char *dpc_circulant_refuses(const dpc_line *from, const dpc_line *to) {
    const char *why = dpc_whole_refuses(from, to);
    if (why != NULL) return why;
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const reduced r = reduce(&pair);
    if (dpc_common_divisor(r.s, r.D) != 1 || dpc_common_divisor(r.t, r.D) != 1)
        return "a reduced block has a divisor in common with the cycles of both sides";
    return NULL;
}

/* Pairs (a, b), a < s, b < t, with b - a = x modulo D: whole multiples of D of each meet every x equally often. */
static dpc_index class_weight(const reduced *r, dpc_index x) {
    const dpc_index rows = r->s / r->D, columns = r->t / r->D, s = r->s % r->D, t = r->t % r->D;
    dpc_index weight = rows * columns * r->D + rows * t + columns * s;
    for (dpc_index e = x - r->D; e <= x; e += r->D) {
        const dpc_index first = e > 0 ? e : 0, last = t - 1 < s - 1 + e ? t - 1 : s - 1 + e;
        if (last >= first) weight += last - first + 1;
    }
    return weight;
}

static int heavier_first(const void *left, const void *right) {
    const dpc_step_class *x = left, *y = right;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return x->d < y->d ? -1 : x->d > y->d;
}

static int by_class(const void *left, const void *right) {
    const dpc_step_class *x = left, *y = right;
    return x->d < y->d ? -1 : x->d > y->d;
}

/* The classes with messages are the distances e = 1-s' .. t'-1 modulo D. */
static void list_classes(dpc_circulant *c, const reduced *r) {
    for (dpc_index k = 0; k < c->classes; k++) {
        const dpc_index d = dpc_modulo(1 - r->s + k, r->D);
        c->class[k] = (dpc_step_class){d, class_weight(r, d)};
    }
    qsort(c->class, (size_t)c->classes, sizeof *c->class, heavier_first);
}

bool dpc_open_circulant(dpc_circulant *c, const dpc_line *from, const dpc_line *to) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const reduced r = reduce(&pair);
    *c = (dpc_circulant){.s = r.s, .t = r.t, .D = r.D};
    c->sources = from->procs / r.D;
    c->targets = to->procs / r.D;
    c->turns = c->sources > c->targets ? c->sources : c->targets;
    c->classes = r.s + r.t - 1 < r.D ? r.s + r.t - 1 : r.D;
    c->class = malloc((size_t)c->classes * sizeof *c->class);
    c->number = malloc((size_t)c->classes * sizeof *c->number);
    dpc_step_class *ordered = malloc((size_t)c->classes * sizeof *ordered);
    const bool good = c->class != NULL && c->number != NULL && ordered != NULL;
    if (good) {
        list_classes(c, &r);
        for (dpc_index k = 0; k < c->classes; k++) ordered[k] = (dpc_step_class){c->class[k].d, k};
        qsort(ordered, (size_t)c->classes, sizeof *ordered, by_class);
        for (dpc_index k = 0; k < c->classes; k++) c->number[k] = ordered[k].weight;
        qsort(c->class, (size_t)c->classes, sizeof *c->class, by_class);
    }
    free(ordered);
    return good;
}

void dpc_close_circulant(dpc_circulant *c) {
    free(c->class);
    free(c->number);
    *c = (dpc_circulant){0};
}

dpc_index dpc_circulant_steps(const dpc_circulant *c) {
    return c->classes * c->turns;
}

dpc_index dpc_circulant_step(const dpc_circulant *c, dpc_index p, dpc_index q) {
    __extension__ typedef __int128 wide;
    const wide distance = ((wide)p * c->s - (wide)q * c->t) % c->D;
    const dpc_step_class wanted = {(dpc_index)(distance < 0 ? distance + c->D : distance), 0};
    const dpc_step_class *found = bsearch(&wanted, c->class, (size_t)c->classes, sizeof wanted, by_class);
    if (found == NULL) return 0; /* no message */
    const dpc_index u = p / c->D, v = q / c->D;
    const dpc_index j = c->sources <= c->targets ? dpc_modulo(v - u, c->targets) : dpc_modulo(u - v, c->sources);
    return c->number[found - c->class] * c->turns + j;
}

/* ---- Walker and Otto (section 6.1) */

static const char *equal_procs_refuse(const dpc_line *from, const dpc_line *to) {
    const char *why = dpc_whole_refuses(from, to);
    if (why == NULL && from->procs != to->procs) why = "a dimension is divided among different numbers of processes";
    return why;
}

const char *dpc_walker_otto_refuses(const dpc_line *from, const dpc_line *to) {
    const char *why = equal_procs_refuse(from, to);
    if (why != NULL) return why;
    return dpc_walker_ratio(from, to) == 0 ? "neither block is a multiple of the other" : NULL;
}

const char *dpc_walker_steps_refuse(const dpc_line *from, const dpc_line *to) {
    const char *why = dpc_walker_otto_refuses(from, to);
    if (why == NULL && dpc_walker_ratio(from, to) > from->procs)
        why = "the quotient of the blocks exceeds the number of processes: pairs would meet more than once";
    return why;
}

dpc_index dpc_walker_ratio(const dpc_line *from, const dpc_line *to) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const dpc_index s = pair.mine.block, t = pair.theirs.block;
    return s % t == 0 ? s / t : t % s == 0 ? t / s : 0;
}

/* x with a*x = 1 modulo m, and y with a*x + m*y = 1. */
static void bezout(dpc_index a, dpc_index m, dpc_index *x, dpc_index *y) {
    dpc_index r0 = a, r1 = m, x0 = 1, x1 = 0, y0 = 0, y1 = 1;
    while (r1 != 0) {
        const dpc_index q = r0 / r1, r2 = r0 - q * r1, x2 = x0 - q * x1, y2 = y0 - q * y1;
        r0 = r1, x0 = x1, y0 = y1;
        r1 = r2, x1 = x2, y1 = y2;
    }
    *x = x0;
    *y = y0;
}

/* Cell of the K1 x P1 torus, numbered along its diagonal. */
static dpc_index diagonal(dpc_index K1, dpc_index P1, dpc_index k, dpc_index p) {
    dpc_index x, y;
    bezout(K1, P1, &x, &y);
    const dpc_index distance = p - k, z = dpc_ceiling(distance * y, K1);
    return (distance * x + P1 * z) * K1 + k;
}

dpc_index dpc_walker_send(dpc_index P, dpc_index K, dpc_index k, dpc_index p) {
    const dpc_index g = dpc_common_divisor(P, K), alpha = p % g, beta = dpc_modulo(alpha - k % g, g);
    return g * diagonal(K / g, P / g, k / g, p / g) + P * (K / g) * beta + alpha;
}

dpc_index dpc_walker_receive(dpc_index P, dpc_index K, dpc_index k, dpc_index q) {
    const dpc_index g = dpc_common_divisor(P, K);
    return K * q + g * (k / g) + (q / (P / g) + k % g) % g;
}

dpc_index dpc_walker_step(const dpc_line *from, const dpc_line *to, dpc_index p, dpc_index q) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    const dpc_index P = from->procs, K = dpc_walker_ratio(from, to);
    const bool grows = pair.mine.block <= pair.theirs.block;
    const dpc_index small = grows ? p : q, large = grows ? q : p;
    for (dpc_index k = 0; k < K; k++)
        if (dpc_walker_send(P, K, k, small) / K == large) return k;
    return 0; /* no message */
}

/* What communication sets cost to generate, without MPI: calls the generators of runtime/base/sets.h for every pair, or
 * for pairs that share elements.  Run under `valgrind --tool=callgrind --collect-atstart=no`, which writes the
 * instructions of each line into a file of its own (bench/lee-chen/run puts them together); prints what a line was.
 *     generation N B1 S1 L1 B2 S2 L2 COUNT METHOD [PAIRS]   METHOD: closed, rowwise, lattice, enumerate
 *     one such line after the other on standard input
 * Prints N, B1, B2, COUNT, METHOD, the paper's factor (I) when A drives and when C drives, factor (II), pairs, sections
 * in all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "../../runtime/base/sets.h"

typedef struct {
    dpc_index procs, pairs;
    dpc_side left, right; /* A(l1 + i*s1) = C(l2 + i*s2) */
    dpc_method method;
} problem;

typedef struct {
    dpc_index pairs, sections;
} amounts;

static dpc_side side(dpc_index procs, dpc_index block, dpc_index stride, dpc_index first, dpc_index count) {
    return (dpc_side){{0, first + (count - 1) * stride + 1, block, procs, 0}, {first, stride, count}, DPC_LOCAL_INDEX};
}

static dpc_method method_of(const char *name) {
    static const char *const names[] = {"auto", "closed", "rowwise", "lattice", "enumerate"};
    for (int k = 0; k < 5; k++)
        if (strcmp(name, names[k]) == 0) return (dpc_method)k;
    fprintf(stderr, "no method '%s'\n", name);
    exit(2);
}

/* The set of one pair: send_C(p, q). */
static void generate_pair(const problem *x, dpc_index p, dpc_index q, amounts *a) {
    dpc_sets sets;
    CALLGRIND_TOGGLE_COLLECT;
    const bool made = dpc_sets_make(&sets, x->method, &x->right, p, &x->left, q);
    CALLGRIND_TOGGLE_COLLECT;
    if (!made) exit(3);
    a->pairs++;
    for (dpc_index k = 0; k < sets.partners; k++) a->sections += sets.partner[k].tail - sets.partner[k].head;
    dpc_sets_free(&sets);
}

/* The pairs of some senders with their first few partners. */
static void generate_some(const problem *x, amounts *a) {
    for (dpc_index k = 0; k < x->pairs; k++) {
        const dpc_index p = k * (x->procs / x->pairs > 0 ? x->procs / x->pairs : 1) % x->procs;
        dpc_sets all;
        if (!dpc_sets_make(&all, DPC_SETS_AUTO, &x->right, p, &x->left, -1)) exit(3);
        for (dpc_index n = 0; n < all.partners && n < 4; n++) generate_pair(x, p, all.partner[n].coordinate, a);
        dpc_sets_free(&all);
    }
}

int main(void) {
    char method[16], line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long n, b1, s1, l1, b2, s2, l2, count, pairs = 0;
        if (sscanf(line, "%ld %ld %ld %ld %ld %ld %ld %ld %15s %ld", &n, &b1, &s1, &l1, &b2, &s2, &l2, &count, method,
                   &pairs) < 9) {
            fprintf(stderr, "not a problem: %s", line);
            return 2;
        }
        const problem x = {n, pairs, side(n, b1, s1, l1, count), side(n, b2, s2, l2, count), method_of(method)};
        amounts a = {0};
        if (pairs > 0)
            generate_some(&x, &a);
        else
            for (dpc_index p = 0; p < n; p++)
                for (dpc_index q = 0; q < n; q++) generate_pair(&x, p, q, &a);
        CALLGRIND_DUMP_STATS;
        printf("%ld %ld %ld %ld %s %ld %ld %ld %ld %ld\n", n, b1, b2, count, method,
               (long)dpc_rowwise_factor(&x.left, &x.right), (long)dpc_rowwise_factor(&x.right, &x.left),
               (long)dpc_lattice_factor(&x.left, &x.right), (long)a.pairs, (long)a.sections);
    }
    return 0;
}

/* Communication sets of all small statements A(f1 + k*s1) = C(f2 + k*s2) against division, by every method: up to
 * SMALL_PROCS processes, blocks of up to 8, strides of -6 .. 6, each offset from the lower bound that is below the
 * period of its dimension (block times processes), and lengths around the period of the statement.  Which part of them
 * is the first argument, PART/PARTS, or SMALL_SETS in the environment (default 1/5000; EXHAUSTIVE: 1/50): each case is
 * in one of them, drawn at random; 1/1 has all.  The last line says how many cases there were, and how many sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/base/sets.h"

enum { SMALL_PROCS = 6, SMALL_BLOCK = 8, SMALL_STRIDE = 6, MOST_COUNT = 700, METHODS = 5 };

static const dpc_method methods[METHODS] = {DPC_SETS_AUTO, DPC_SETS_CLOSED, DPC_SETS_ROWWISE, DPC_SETS_LATTICE,
                                            DPC_SETS_ENUMERATE};

/* 1 .. parts; which one each case is in comes from `any`, which always begins alike. */
typedef struct {
    long part, parts;
} fraction;

static long cases, made;
static unsigned long long state;

static dpc_index any(dpc_index n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (dpc_index)((state >> 33) % (unsigned long long)n);
}

/* By division: the owner of iteration k's element, its local index. */
typedef struct {
    dpc_index count, owner[MOST_COUNT], local[MOST_COUNT];
} owners;

static void find_owners(owners *o, const dpc_side *s) {
    const dpc_index block = s->dim.dealt, procs = s->dim.procs;
    dpc_index at = s->access.first - s->dim.lower;
    o->count = s->access.count;
    for (dpc_index k = 0; k < o->count; k++, at += s->access.stride) {
        const dpc_index number = at / block;
        o->owner[k] = number % procs;
        o->local[k] = number / procs * block + at % block;
    }
}

static _Noreturn void complain(const dpc_side *mine, const dpc_side *theirs, dpc_index p, int method) {
    printf("method %d, p = %ld", method, (long)p);
    for (int n = 0; n < 2; n++) {
        const dpc_side *s = n == 0 ? mine : theirs;
        printf("; %ld processes, block %ld, bounds %ld+%ld, access %ld+%ld*k, k < %ld", (long)s->dim.procs,
               (long)s->dim.dealt, (long)s->dim.lower, (long)s->dim.extent, (long)s->access.first,
               (long)s->access.stride, (long)s->access.count);
    }
    printf(": wrong\n");
    exit(1);
}

/* Takes the iterations of one partner out of `left`; false where one does not belong there or has another address. */
static bool take_shared(const dpc_sets *sets, const dpc_shared *set, const owners *m, const owners *t, dpc_index p,
                        bool *left) {
    dpc_index found = 0, last = -1;
    for (dpc_index part = set->head, repetition = 0; part < set->tail;) {
        const dpc_section *s = &sets->section[part];
        const dpc_index base = repetition * sets->period;
        if (part >= set->body && s->first + base >= set->end) break;
        for (dpc_index moved = 0, run = 0; moved <= s->span; moved += s->step, run++)
            for (dpc_index n = 0; n < s->length; n++) {
                const dpc_index i = s->first + moved + n, k = i + base;
                if (i > s->last || k >= set->end) continue;
                const dpc_index address = s->local + run * s->jump + n * sets->stride + repetition * sets->period_step;
                if (k <= last || k >= m->count || !left[k] || m->owner[k] != p || t->owner[k] != set->coordinate ||
                    m->local[k] != address)
                    return false;
                left[k] = false, last = k, found++;
            }
        if (++part == set->tail && set->body < set->tail) part = set->body, repetition++;
    }
    return found == set->elements && found > 0;
}

static void check_process(const dpc_side *mine, const dpc_side *theirs, const owners *m, const owners *t, dpc_index p) {
    for (int method = 0; method < METHODS; method++) {
        bool left[MOST_COUNT], right = true;
        dpc_sets sets;
        for (dpc_index k = 0; k < m->count; k++) left[k] = m->owner[k] == p;
        if (!dpc_sets_make(&sets, methods[method], mine, p, theirs, -1)) exit(3);
        for (dpc_index n = 0; right && n < sets.partners; n++)
            right = take_shared(&sets, &sets.partner[n], m, t, p, left);
        for (dpc_index k = 0; k < m->count; k++) right = right && !left[k];
        dpc_sets_free(&sets);
        made++;
        if (!right) complain(mine, theirs, p, method);
    }
}

/* Elements before the access: `offset`; for negative strides behind it. */
static dpc_side side_of(dpc_index procs, dpc_index block, dpc_index stride, dpc_index offset, dpc_index count) {
    const dpc_index span = (count > 0 ? count - 1 : 0) * (stride < 0 ? -stride : stride);
    const dpc_index first = stride < 0 ? offset + span : offset, extent = offset + span + 1, lower = -3;
    /* One process has one block. */
    if (procs == 1) block = extent;
    return (dpc_side){
        dpc_dealt_dim(lower, extent, block, procs, 0, 0), {lower + first, stride, count}, DPC_LOCAL_INDEX};
}

static void check_case(const dpc_index *procs, const dpc_index *block, const dpc_index *stride, const dpc_index *offset,
                       dpc_index count) {
    static owners a, c;
    const dpc_side mine = side_of(procs[0], block[0], stride[0], offset[0], count);
    const dpc_side theirs = side_of(procs[1], block[1], stride[1], offset[1], count);
    find_owners(&a, &mine), find_owners(&c, &theirs);
    for (dpc_index p = 0; p < procs[0]; p++) check_process(&mine, &theirs, &a, &c, p);
    for (dpc_index q = 0; q < procs[1]; q++) check_process(&theirs, &mine, &c, &a, q);
    cases++;
}

static dpc_index greatest_divisor(dpc_index a, dpc_index b) {
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* Iterations until both sides' owners repeat, where that is not too many. */
static dpc_index period_of(const dpc_index *cycle, const dpc_index *stride) {
    dpc_index period[2];
    for (int n = 0; n < 2; n++)
        period[n] = cycle[n] / greatest_divisor(cycle[n], stride[n] < 0 ? -stride[n] : stride[n]);
    const dpc_index whole = period[0] / greatest_divisor(period[0], period[1]) * period[1];
    return whole < MOST_COUNT - 2 ? whole : MOST_COUNT - 2;
}

/* Lengths: none, one, half a period, and around a period: one less, it, one more. */
static void check_lengths(const dpc_index *procs, const dpc_index *block, const dpc_index *stride,
                          const dpc_index *offset, const fraction *wanted) {
    const dpc_index cycle[] = {procs[0] * block[0], procs[1] * block[1]}, period = period_of(cycle, stride);
    const dpc_index counts[] = {0, 1, period / 2, period - 1, period, period + 1};
    for (int n = 0; n < 6; n++)
        if (counts[n] >= 0 && any(wanted->parts) == wanted->part - 1)
            check_case(procs, block, stride, offset, counts[n]);
}

static void check_offsets(const dpc_index *procs, const dpc_index *block, const fraction *wanted) {
    for (dpc_index s1 = -SMALL_STRIDE; s1 <= SMALL_STRIDE; s1++)
        for (dpc_index s2 = -SMALL_STRIDE; s2 <= SMALL_STRIDE; s2++)
            for (dpc_index o1 = 0; o1 < procs[0] * block[0]; o1++)
                for (dpc_index o2 = 0; o2 < procs[1] * block[1]; o2++)
                    check_lengths(procs, block, (const dpc_index[]){s1, s2}, (const dpc_index[]){o1, o2}, wanted);
}

/* The same number of processes on both sides, as in one grid. */
int main(int argc, char **argv) {
    const char *wish = argc > 1 ? argv[1] : getenv("SMALL_SETS"), *exhaustive = getenv("EXHAUSTIVE");
    fraction wanted = {1, exhaustive && *exhaustive ? 50 : 5000};
    if ((wish && sscanf(wish, "%ld/%ld", &wanted.part, &wanted.parts) != 2) || wanted.part < 1 ||
        wanted.part > wanted.parts) {
        fprintf(stderr, "usage: test_small_sets [PART/PARTS]\n");
        return 2;
    }
    for (dpc_index procs = 1; procs <= SMALL_PROCS; procs++)
        for (dpc_index b1 = 1; b1 <= SMALL_BLOCK; b1++)
            for (dpc_index b2 = 1; b2 <= SMALL_BLOCK; b2++)
                check_offsets((const dpc_index[]){procs, procs}, (const dpc_index[]){b1, b2}, &wanted);
    printf("small sets: %ld cases, %ld sets, all right\n", cases, made);
    return cases > 0 ? 0 : 1;
}

/* Run lists by walking blocks: what a hand-written program does. */
#include "compare.h"

static long minimum(long a, long b) {
    return a < b ? a : b;
}

int places_of(const dpc_mapping *m) {
    int places = 1;
    for (int k = 0; k < m->rank; k++) places *= m->procs[k];
    return places;
}

int process_at(const dpc_mapping *m, int place) {
    return m->process ? m->process[place] : place;
}

int place_of(const dpc_mapping *m, int process) {
    for (int place = 0; place < places_of(m); place++)
        if (process_at(m, place) == process) return place;
    return -1;
}

long coordinate_at(const dpc_mapping *m, int k, int place) {
    for (int d = m->rank - 1; d > k; d--) place /= m->procs[d];
    return place % m->procs[k];
}

void local_strides(const dpc_mapping *m, int process, long *strides) {
    long stride = 1;
    for (int k = m->rank - 1; k >= 0; k--) {
        strides[k] = stride;
        stride *= dpc_mapped_extent(m, k, process);
    }
}

static long block_of(const dpc_mapping *m, int k) {
    return m->procs[k] == 1 ? m->extent[k] : m->block[k];
}

static long period_of(const dpc_mapping *a, const dpc_mapping *b, int k) {
    const long n = a->extent[k], x = a->procs[k] == 1 ? 1 : a->block[k] * a->procs[k],
               y = b->procs[k] == 1 ? 1 : b->block[k] * b->procs[k];
    long r = x, s = y;
    if (a->procs[k] == 1 && b->procs[k] == 1) return n;
    while (s != 0) {
        const long rest = r % s;
        r = s, s = rest;
    }
    return x / r > n / y ? n : x / r * y;
}

static void add_run(run_list *l, long offset, long length) {
    if (l->count > 0 && l->run[l->count - 1].offset + l->run[l->count - 1].length == offset) {
        l->run[l->count - 1].length += length;
        return;
    }
    if ((l->count & (l->count - 1)) == 0) l->run = realloc(l->run, (size_t)(l->count ? 2 * l->count : 1) * sizeof(run));
    l->run[l->count++] = (run){offset, length};
}

/* Runs of [0, end); returns their elements. */
static long walk(const dpc_mapping *mine, int k, long p, const dpc_mapping *theirs, long q, long end, run_list *l) {
    const long s = block_of(mine, k), t = block_of(theirs, k), cycle = s * mine->procs[k];
    long elements = 0;
    for (long start = p * s, local = 0; start < end; start += cycle, local += s) {
        const long stop = minimum(start + s, end);
        for (long x = start; x < stop;) {
            const long next = minimum(stop, (x / t + 1) * t);
            if (x / t % theirs->procs[k] == q) {
                if (l) add_run(l, local + x - start, next - x);
                elements += next - x;
            }
            x = next;
        }
    }
    return elements;
}

run_list shared_runs(const dpc_mapping *mine, int k, long p, const dpc_mapping *theirs, long q) {
    const long n = mine->extent[k], period = period_of(mine, theirs, k), rest = n % period;
    run_list l = {0};
    const long once = walk(mine, k, p, theirs, q, period, &l);
    l.elements = n / period * once + walk(mine, k, p, theirs, q, rest, NULL);
    l.step = period < n ? period / mine->procs[k] : 0;
    return l;
}

void free_lists(int rank, run_list *lists) {
    for (int k = 0; k < rank; k++) free(lists[k].run);
}

long shared_lists(const problem *p, bool sender, int place, run_list *lists) {
    const dpc_mapping *mine = sender ? &p->from : &p->to, *theirs = sender ? &p->to : &p->from;
    const int me = place_of(mine, p->rank);
    long elements = me >= 0;
    for (int k = 0; k < mine->rank; k++) {
        lists[k] = (run_list){0};
        if (me >= 0)
            lists[k] = shared_runs(mine, k, coordinate_at(mine, k, me), theirs, coordinate_at(theirs, k, place));
        elements *= lists[k].elements;
    }
    return elements;
}

/* Communication sets by rows: the runs of one side, one after another, are cut by the blocks of the other.  Sheet
 * communication-sets.md, section 3. */
#include "generator.h"

#include <stdlib.h>

/* ---- All partners at once: one sweep over my runs */

/* The element of the other side at the current iteration, advanced without division. */
typedef struct {
    const dpc_pattern *pattern;
    dpc_index within;     /* offset of the element in its block */
    dpc_index owner;      /* coordinate of the pattern */
    dpc_index block_step; /* stride in whole blocks, reduced modulo procs; 0 <= block_step < procs */
    dpc_index rest;       /* stride modulo block */
} walker;

static walker walk_from(const dpc_pattern *p, dpc_index iteration) {
    const dpc_index offset = p->start + iteration * p->stride, number = offset / p->block;
    return (walker){p, offset - number * p->block, number % p->procs, p->stride / p->block % p->procs,
                    p->stride % p->block};
}

/* Iterations that stay in the current block, at most `most`. */
static dpc_index iterations_in_block(const walker *w, dpc_index most) {
    const dpc_index stride = w->pattern->stride, left = w->pattern->block - w->within;
    if (stride == 0) return most;
    if (stride >= left) return 1;
    const dpc_index n = stride == 1 ? left : (left - 1) / stride + 1;
    return n < most ? n : most;
}

/* Moves on by n iterations, out of the current block: from its last iteration by one stride. */
static void leave_block(walker *w, dpc_index n) {
    w->within += (n - 1) * w->pattern->stride + w->rest;
    w->owner += w->block_step;
    if (w->within >= w->pattern->block) {
        w->within -= w->pattern->block;
        w->owner++;
    }
    while (w->owner >= w->pattern->procs) w->owner -= w->pattern->procs;
}

/* Adds one of my runs as a piece for each block of the other side that it meets; neighbouring pieces for one partner
 * are one. */
static void split_run(dpc_generation *g, dpc_pieces *pieces, dpc_index first, dpc_index last, dpc_index address) {
    walker w = walk_from(&g->theirs, first);
    dpc_index start = first, owner = w.owner, n;
    for (dpc_index k = first; k <= last; k += n) {
        n = iterations_in_block(&w, last - k + 1);
        if (w.owner != owner) {
            dpc_add_piece(g, pieces, (dpc_section){start, k - start, 1, 0, k - 1, address, 0},
                          dpc_mirror(&g->theirs, owner));
            address += (k - start) * g->sets->stride;
            start = k;
            owner = w.owner;
        }
        if (k + n <= last) leave_block(&w, n);
    }
    dpc_add_piece(g, pieces, (dpc_section){start, last - start + 1, 1, 0, last, address, 0},
                  dpc_mirror(&g->theirs, owner));
}

/* My runs within 0 .. end-1, which is a period of both sides or all iterations. */
static void sweep_runs(dpc_generation *g, dpc_pieces *pieces, dpc_index end) {
    const bool positions = g->side->addressing == DPC_POSITION;
    dpc_index position = g->position;
    dpc_runs runs = dpc_open_runs(&g->mine, g->me, 0);
    for (; runs.first < end && !g->failed; dpc_advance_runs(&runs)) {
        const dpc_index first = runs.first > 0 ? runs.first : 0, last = runs.last < end ? runs.last : end - 1;
        split_run(g, pieces, first, last, positions ? position : dpc_address(g, first));
        position += last - first + 1;
    }
}

static void sweep_period(dpc_generation *g) {
    const dpc_index period = dpc_least_multiple(g->mine.period, g->theirs.period, g->count);
    dpc_pieces pieces = {0};
    dpc_set_period(g, period);
    sweep_runs(g, &pieces, period);
    dpc_deal_pieces(g, &pieces);
}

/* My iterations are one interval: the other side's pattern repeats in it. */
static void sweep_single(dpc_generation *g) {
    const dpc_interval mine = dpc_single_run(&g->mine, g->me, g->count);
    const dpc_index period = g->theirs.single ? g->count : g->theirs.period;
    dpc_pieces pieces = {0};
    if (mine.last < mine.first) return;
    dpc_set_period(g, period);
    const dpc_index last = mine.last - mine.first < period ? mine.last : mine.first + period - 1;
    split_run(g, &pieces, mine.first, last, dpc_address(g, mine.first));
    g->count = mine.last + 1;
    dpc_deal_pieces(g, &pieces);
}

/* ---- One partner */

/* Adds the runs of one coordinate of one side within an interval, in which they repeat. */
static void add_runs(dpc_generation *g, const dpc_pattern *p, dpc_index coordinate, dpc_interval in) {
    const dpc_index last = in.last - in.first < p->period ? in.last : in.first + p->period - 1;
    dpc_set_period(g, p->period);
    dpc_runs runs = dpc_open_runs(p, coordinate, in.first);
    for (; runs.first <= last && !g->failed; dpc_advance_runs(&runs))
        dpc_add_run(g, runs.first > in.first ? runs.first : in.first, runs.last < last ? runs.last : last);
}

static dpc_interval common(dpc_interval a, dpc_interval b) {
    return (dpc_interval){a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

/* One side is a single interval, and so is the set's extent. */
static void add_single_pair(dpc_generation *g, dpc_index coordinate) {
    const dpc_index theirs = dpc_mirror(&g->theirs, coordinate);
    dpc_interval in = {0, g->count - 1};
    if (g->mine.single) in = common(in, dpc_single_run(&g->mine, g->me, g->count));
    if (g->theirs.single) in = common(in, dpc_single_run(&g->theirs, theirs, g->count));
    if (in.last < in.first) return;
    dpc_begin_partner(g, coordinate, in.last + 1);
    if (!g->mine.single)
        add_runs(g, &g->mine, g->me, in);
    else if (!g->theirs.single)
        add_runs(g, &g->theirs, theirs, in);
    else
        dpc_add_run(g, in.first, in.last);
    dpc_end_partner(g);
}

/* Each partner's iterations are one interval: my own pattern repeats in it. */
static void add_single_partners(dpc_generation *g) {
    const dpc_coordinates partners = dpc_find_partners(g, g->count);
    for (dpc_index k = 0; k < partners.count && !g->failed; k++) add_single_pair(g, partners.coordinate[k]);
    free(partners.coordinate);
}

/* The element of the last iteration of each of the driver's runs, seen from the blocks of one coordinate of the other
 * side. */
typedef struct {
    const dpc_pattern *other;
    dpc_index coordinate;
    dpc_index last;           /* iteration */
    dpc_index offset;         /* elements from the last start of a block of the coordinate; below the cycle */
    dpc_index whole;          /* iterations from run to run, or one more */
    dpc_index usual, further; /* elements that the offset grows by then */
} follower;

static void place(follower *f, dpc_index last) {
    const dpc_pattern *p = f->other;
    f->last = last;
    f->offset = dpc_modulo(p->start + last * p->stride - f->coordinate * p->block, p->cycle);
}

static follower follow(const dpc_pattern *other, dpc_index coordinate, const dpc_runs *runs) {
    follower f = {.other = other, .coordinate = coordinate, .whole = runs->whole};
    f.usual = dpc_modulo(runs->whole * other->stride, other->cycle);
    f.further = dpc_modulo((runs->whole + 1) * other->stride, other->cycle);
    place(&f, runs->last);
    return f;
}

/* Moves on to the driver's next run, mostly without division. */
static void move(follower *f, dpc_index last) {
    const dpc_index moved = last - f->last;
    if (moved != f->whole && moved != f->whole + 1) {
        place(f, last);
        return;
    }
    f->last = last;
    f->offset += moved == f->whole ? f->usual : f->further;
    if (f->offset >= f->other->cycle) f->offset -= f->other->cycle;
}

/* Adds what the coordinate has of the driver's run first .. f->last. */
static void add_cut(dpc_generation *g, const follower *f, dpc_index first) {
    if (f->offset - (f->last - first) * f->other->stride < f->other->block)
        dpc_add_cut(g, f->other, first, f->last, f->offset);
}

/* The driver is the side with fewer runs, if it may. */
static bool mine_drives(const dpc_generation *g) {
    const dpc_pattern *mine = &g->mine, *theirs = &g->theirs;
    if (!dpc_may_drive(theirs, mine)) return true;
    return dpc_may_drive(mine, theirs) && (wide)mine->stride * theirs->cycle <= (wide)theirs->stride * mine->cycle;
}

/* A driver's run that iteration 0 cuts is the head, the runs of a period after it are the body. */
static void cut_runs(dpc_generation *g, dpc_runs runs, const dpc_pattern *other, dpc_index coordinate,
                     dpc_index period) {
    if (runs.first >= g->count) return;
    follower f = follow(other, coordinate, &runs);
    if (runs.first < 0) {
        add_cut(g, &f, 0);
        dpc_advance_runs(&runs);
    }
    dpc_begin_body(g);
    const dpc_index end = runs.first < g->count - period ? runs.first + period : g->count;
    for (; runs.first < end && !g->failed; dpc_advance_runs(&runs)) {
        if (runs.last != f.last) move(&f, runs.last);
        add_cut(g, &f, runs.first);
    }
}

static void add_pair(dpc_generation *g, dpc_index coordinate) {
    const dpc_index theirs = dpc_mirror(&g->theirs, coordinate);
    const dpc_index period = dpc_least_multiple(g->mine.period, g->theirs.period, g->count);
    dpc_set_period(g, period);
    dpc_begin_partner(g, coordinate, g->count);
    if (mine_drives(g))
        cut_runs(g, dpc_open_runs(&g->mine, g->me, 0), &g->theirs, theirs, period);
    else
        cut_runs(g, dpc_open_runs(&g->theirs, theirs, 0), &g->mine, g->me, period);
    dpc_end_partner(g);
}

void dpc_generate_rowwise(dpc_generation *g, dpc_index only) {
    const bool single = g->mine.single || g->theirs.single;
    if (only >= 0 && single)
        add_single_pair(g, only);
    else if (only >= 0)
        add_pair(g, only);
    else if (g->mine.single && g->theirs.dim == NULL)
        sweep_single(g);
    else if (g->theirs.single)
        add_single_partners(g);
    else
        sweep_period(g);
}

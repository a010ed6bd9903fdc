/* Communication sets by the lattice method: for each run of the driver within one of its periods, the repetitions of
 * that run that meet a block of the other side's coordinate are the points of a lattice inside a window, and are
 * visited one after another by steps R, L or R + L without looking at the others.  Sheet communication-sets.md, section
 * 4; Lee and Chen, section 4. */
#include "generator.h"

#include <stdlib.h>

/* The driver x and the side that cuts, y.  Repetition m of a run stands `move` further in the cycle of y's elements
 * than m-1. */
typedef struct {
    dpc_generation *g;
    const dpc_pattern *driver, *other;
    dpc_index coordinate;    /* of y */
    dpc_index move, divisor; /* elements, below the cycle; greatest common divisor of move and cycle */
    dpc_index width;         /* of the window that `right` and `left` are for; 0: none yet */
    dpc_index right,
        left; /* repetitions to the nearest point with an offset larger or smaller by less than the width */
    dpc_index right_offset, left_offset; /* elements */
} lattice;

/* The points of one run. */
typedef struct {
    dpc_index first, length; /* the run: its first iteration, and elements of y from its first to its last iteration */
    dpc_index repetition;    /* of the current point */
    dpc_index offset;        /* of the current point in the window, 0 .. width-1 */
    dpc_index width, left;   /* of the window; points from the current one on */
} points;

/* (a * b) modulo m. */
static dpc_index product_modulo(dpc_index a, dpc_index b, dpc_index m) {
    return (dpc_index)((wide)a * b % m);
}

/* The steps for windows of that width, which is above the divisor. */
static void find_steps(lattice *l, dpc_index width) {
    const dpc_index cycle = l->other->cycle;
    if (l->width == width) return;
    l->width = width;
    l->right = dpc_first_hit(l->move, cycle, 1, width - 1);
    l->left = dpc_first_hit(cycle - l->move, cycle, 1, width - 1);
    l->right_offset = product_modulo(l->right, l->move, cycle);
    l->left_offset = cycle - product_modulo(l->left, l->move, cycle);
}

/* The first point of a run: the first repetition that meets, with its last element at least, the window that ends with
 * the coordinate's block and is longer than that by the run. */
static points first_point(lattice *l, dpc_index first, dpc_index last) {
    const dpc_pattern *other = l->other;
    points at = {.first = first, .length = (last - first) * other->stride};
    at.width = other->block + at.length;
    at.offset = dpc_modulo(other->start + last * other->stride - l->coordinate * other->block, other->cycle);
    const dpc_index least = at.offset % l->divisor;
    if (least >= at.width) return at;
    at.left = (at.width - 1 - least) / l->divisor + 1;
    if (at.offset >= at.width) {
        const dpc_index low = other->cycle - at.offset;
        at.repetition = dpc_first_hit(l->move, other->cycle, low, low + at.width - 1);
        at.offset = (dpc_index)(((wide)at.repetition * l->move + at.offset) % other->cycle);
    }
    if (at.left > 1) find_steps(l, at.width);
    return at;
}

/* Corollary 6 with the correction E6: tests without wrap-around. */
static void next_point(const lattice *l, points *at) {
    if (--at->left == 0) return;
    if (at->offset + l->right_offset < at->width) {
        at->offset += l->right_offset;
        at->repetition += l->right;
    } else if (at->offset >= l->left_offset) {
        at->offset -= l->left_offset;
        at->repetition += l->left;
    } else {
        at->offset += l->right_offset - l->left_offset;
        at->repetition += l->right + l->left;
    }
}

/* All points of one run: the repetitions that start below the count. */
static void add_points(lattice *l, dpc_index first, dpc_index last) {
    const dpc_index most = (l->g->count - 1 - first) / l->driver->period;
    for (points at = first_point(l, first, last); at.left > 0 && at.repetition <= most; next_point(l, &at)) {
        const dpc_index moved = at.repetition * l->driver->period;
        dpc_add_cut(l->g, l->other, first + moved, last + moved, at.offset);
    }
}

/* A run that iteration 0 cuts is the head; the points of the runs of one of the driver's periods after it are the body.
 */
static void visit_runs(lattice *l, dpc_runs runs) {
    dpc_generation *g = l->g;
    if (runs.first >= g->count) return;
    if (runs.first < 0) {
        const points at = first_point(l, 0, runs.last);
        if (at.left > 0 && at.repetition == 0) dpc_add_cut(g, l->other, 0, runs.last, at.offset);
        dpc_advance_runs(&runs);
    }
    dpc_begin_body(g);
    const dpc_index period = l->driver->period;
    const dpc_index end = runs.first < g->count - period ? runs.first + period : g->count;
    for (; runs.first < end && !g->failed; dpc_advance_runs(&runs)) add_points(l, runs.first, runs.last);
    dpc_sort_body(g);
}

/* The driver is the side with fewer runs in its period, if it may. */
static bool mine_drives(const dpc_generation *g) {
    const dpc_pattern *mine = &g->mine, *theirs = &g->theirs;
    if (!dpc_may_drive(theirs, mine)) return true;
    return dpc_may_drive(mine, theirs) &&
           (wide)mine->period * mine->stride * theirs->cycle <= (wide)theirs->period * theirs->stride * mine->cycle;
}

static void add_pair(dpc_generation *g, dpc_index coordinate) {
    const bool mine = mine_drives(g);
    const dpc_index theirs = dpc_mirror(&g->theirs, coordinate), driving = mine ? g->me : theirs;
    lattice l = {.g = g, .coordinate = mine ? theirs : g->me};
    l.driver = mine ? &g->mine : &g->theirs;
    l.other = mine ? &g->theirs : &g->mine;
    l.move = product_modulo(l.driver->period, l.other->stride, l.other->cycle);
    l.divisor = dpc_common_divisor(l.other->cycle, l.move);
    dpc_begin_partner(g, coordinate, g->count);
    visit_runs(&l, dpc_open_runs(l.driver, driving, 0));
    dpc_end_partner(g);
}

void dpc_generate_lattice(dpc_generation *g, dpc_index only) {
    const dpc_index period = dpc_least_multiple(g->mine.period, g->theirs.period, g->count);
    dpc_set_period(g, period);
    if (only >= 0) {
        add_pair(g, only);
        return;
    }
    const dpc_coordinates partners = dpc_find_partners(g, period);
    for (dpc_index k = 0; k < partners.count && !g->failed; k++) add_pair(g, partners.coordinate[k]);
    free(partners.coordinate);
}

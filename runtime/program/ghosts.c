/* Strips of ghost cells: which of this process's elements others keep, and whose elements it keeps.  Along a dimension
 * there are sides: what one coordinate keeps of another.  A strip takes a side of one dimension and all that the
 * process owns along the others; where corners are wanted, sides of several dimensions at once, which come from the
 * process that is apart along all of them.  Where that would be too many (dpc_corners_at_once) one dimension follows
 * the other and takes the ghost cells of those before along.  Source: the usual ghost-cell exchanges. */
#include "ghosts.h"

#include "../placement.h"

#include <string.h>

/* What is found for one array in one phase. */
typedef struct {
    dpc_ghost_phase *phase;
    const dpc_array *array;
    int number;    /* of the array */
    bool followed; /* dimensions follow each other */
} search;

/* What goes from a coordinate to another along a dimension: the owner's elements, and their places where they are kept.
 * The process's own coordinate stands for the one end that it is; both are its own where it keeps them itself. */
typedef struct {
    dpc_index coordinate; /* the other end's */
    dpc_teeth owned, kept;
} side;

typedef struct {
    side *side;
    dpc_index sides, room;
} side_list;

/* Of one dimension; those of one pair of coordinates are in the same order on both. */
typedef struct {
    side_list in, out;
} sides;

/* Room for one more of `count` things; returns them. */
static void *grown(void *things, dpc_index count, dpc_index *room, dpc_index size) {
    if (count < *room) return things;
    void *more = dpc_buffer(*room = 2 * count + 4, size);
    if (count > 0) memcpy(more, things, (size_t)(count * size));
    dpc_free_buffer(things);
    return more;
}

static void add_side(side_list *list, dpc_index coordinate, dpc_teeth owned, dpc_teeth kept) {
    list->side = grown(list->side, list->sides, &list->room, sizeof *list->side);
    list->side[list->sides++] = (side){coordinate, owned, kept};
}

/* ---- What a process has along a dimension */

static dpc_teeth interval(dpc_index first, dpc_index extent) {
    return (dpc_teeth){first, extent, 1, 0, 0};
}

static dpc_teeth comb(const dpc_dim *d, const dpc_halo_comb *x) {
    if (x->blocks == 1) return interval(x->first, x->extent - x->missing);
    return (dpc_teeth){x->first, x->extent, x->blocks, dpc_pitch(d), x->missing};
}

/* All owned elements along a dimension, with all places between the first and the last ghost cell or without any. */
static dpc_teeth owned_blocks(const dpc_array *a, int k, bool with_halo) {
    const dpc_dim *d = &a->dim[k];
    const dpc_index block = dpc_block(d), blocks = dpc_ceiling(a->extent[k], block);
    const dpc_halo_comb all = {0, block, blocks, blocks * block - a->extent[k]};
    const dpc_index stored = a->halo[k].low + a->extent[k] + dpc_stored_gaps(d, a->extent[k]) + a->halo[k].high;
    return with_halo ? interval(-a->halo[k].low, stored) : comb(d, &all);
}

/* Ghost cells along dimension k that elements of the array stand for: as many as the array has there. */
static dpc_width halo(const dpc_array *a, int k) {
    const dpc_dim *d = &a->dim[k];
    if (a->halo[k].cyclic) return a->halo[k];
    dpc_index before, end;
    dpc_interval_of(d, a->coord[k], &before, &end);
    const dpc_index after = d->extent - before - a->extent[k];
    return (dpc_width){dpc_minimum(a->halo[k].low, before), dpc_minimum(a->halo[k].high, after), false};
}

/* The process needs nobody for its ghost cells along dimension k. */
static bool is_alone(const dpc_array *a, int k) {
    return a->halo[k].cyclic && a->dim[k].procs == 1;
}

/* Whether the ghost cells along dimension j are there before those along k, or along several (-1), are sent. */
static bool precedes(const search *f, int j, int k) {
    const bool alone = is_alone(f->array, j);
    if (f->array->corners == 0 || k < 0 || alone != is_alone(f->array, k)) return f->array->corners > 0 && alone;
    return (alone || f->followed) && j < k;
}

/* What it has along dimensions other than k when those along k go: of those before it the ghost cells too. */
static dpc_ghost_strip across(const search *f, int k) {
    const dpc_array *a = f->array;
    dpc_ghost_strip s = {.array = f->number};
    for (int j = 0; j < a->rank; j++) {
        const bool corners = precedes(f, j, k);
        const dpc_width beside = corners ? halo(a, j) : (dpc_width){0, 0, false};
        s.along[j] = dpc_gap(&a->dim[j]) > 0 ? owned_blocks(a, j, corners)
                                             : interval(-beside.low, beside.low + a->extent[j] + beside.high);
    }
    return s;
}

/* ---- Sides of a dimension */

/* A ring of coordinates. */
static void find_ring(const dpc_array *a, int k, sides *x) {
    const dpc_dim *d = &a->dim[k];
    const dpc_index mine = a->coord[k], ring = dpc_ring(d);
    dpc_halo_strip s;
    for (int step = -1; step <= 1; step += 2)
        for (dpc_index steps = step;; steps += step) {
            const bool sends = dpc_halo_around(d, a->halo[k], mine, steps, &s);
            if (sends) add_side(&x->out, s.keeper, interval(s.first, s.count), interval(s.place, s.count));
            const dpc_index owner = ((mine - steps) % ring + ring) % ring;
            const bool receives = dpc_halo_around(d, a->halo[k], owner, steps, &s);
            if (receives) add_side(&x->in, owner, interval(s.first, s.count), interval(s.place, s.count));
            if (!sends && !receives) break;
        }
}

/* Elements first .. last, counted from the array's lower bound, as this process has them. */
static dpc_teeth local_interval(const dpc_array *a, int k, dpc_index first, dpc_index last) {
    return interval(first - dpc_block_begin(&a->dim[k], a->coord[k]), last - first + 1);
}

static void add_interval(side_list *list, const dpc_array *a, int k, dpc_index first, dpc_index last,
                         dpc_index coordinate) {
    const dpc_teeth here = local_interval(a, k, first, last);
    add_side(list, coordinate, here, here);
}

/* What coordinates that own nothing keep of an array along a cyclic dimension k: they stand outside the ring, beside
 * its end. */
static void find_outside(const dpc_array *a, int k, sides *x) {
    const dpc_dim *d = &a->dim[k];
    const dpc_index mine = a->coord[k], ring = dpc_ring(d);
    dpc_index first, last;
    for (dpc_index q = ring; mine < ring && q < d->procs; q++)
        if (dpc_halo_beside(d, a->halo[k], mine, q, &first, &last)) add_interval(&x->out, a, k, first, last, q);
    for (dpc_index q = 0; mine >= ring && q < ring; q++)
        if (dpc_halo_beside(d, a->halo[k], q, mine, &first, &last)) add_interval(&x->in, a, k, first, last, q);
}

/* Blocks that are dealt round-robin. */
static void find_dealt(const dpc_array *a, int k, sides *x) {
    const dpc_dim *d = &a->dim[k];
    dpc_halo_comb owned, kept;
    for (int step = -1; step <= 1; step += 2) {
        const dpc_index keeper = dpc_modulo(a->coord[k] + step, d->procs);
        const dpc_index owner = dpc_modulo(a->coord[k] - step, d->procs);
        if (dpc_halo_dealt(d, a->halo[k], a->coord[k], step, &owned, &kept))
            add_side(&x->out, keeper, comb(d, &owned), comb(d, &kept));
        if (dpc_halo_dealt(d, a->halo[k], owner, step, &owned, &kept))
            add_side(&x->in, owner, comb(d, &owned), comb(d, &kept));
    }
}

/* A coordinate without elements between others that have some. */
static bool is_passed(const dpc_dim *d, dpc_index q) {
    return !dpc_is_dealt(d) && dpc_local_extent(d, q) == 0;
}

/* Blocks in a line, one for each coordinate. */
static void find_line(const dpc_array *a, int k, sides *x) {
    const dpc_dim *d = &a->dim[k];
    const dpc_index mine = a->coord[k];
    bool (*const kept)(const dpc_dim *, dpc_width, dpc_index, dpc_index, dpc_index *, dpc_index *) =
        a->beside[k] ? dpc_halo_beside : dpc_halo_held;
    dpc_index first, last;
    for (int step = -1; step <= 1; step += 2) {
        for (dpc_index q = mine + step; q >= 0 && q < d->procs; q += step) {
            if (!a->beside[k] && is_passed(d, q)) continue;
            if (!kept(d, a->halo[k], mine, q, &first, &last)) break;
            add_interval(&x->out, a, k, first, last, q);
        }
        for (dpc_index q = mine + step; q >= 0 && q < d->procs; q += step) {
            if (is_passed(d, q) || (a->beside[k] && dpc_local_extent(d, q) == 0)) continue;
            if (!kept(d, a->halo[k], q, mine, &first, &last)) break;
            add_interval(&x->in, a, k, first, last, q);
        }
    }
}

static sides sides_along(const dpc_array *a, int k) {
    const dpc_dim *d = &a->dim[k];
    sides x = {{NULL, 0, 0}, {NULL, 0, 0}};
    if (a->halo[k].cyclic) {
        if (a->coord[k] < dpc_ring(d)) find_ring(a, k, &x);
        if (a->beside[k]) find_outside(a, k, &x);
    } else if (dpc_gap(d) > 0) {
        find_dealt(a, k, &x);
    } else if (d->grid_dim >= 0 && d->procs > 1) {
        find_line(a, k, &x);
    }
    return x;
}

static void free_sides(sides *x) {
    dpc_free_buffer(x->in.side);
    dpc_free_buffer(x->out.side);
}

/* ---- Strips of the sides */

static dpc_index strip_elements(const search *f, const dpc_ghost_strip *s) {
    dpc_index elements = 1;
    for (int k = 0; k < f->array->rank; k++) elements *= dpc_teeth_elements(&s->along[k]);
    return elements;
}

static void add_strip(dpc_ghost_strips *list, const dpc_ghost_strip *s) {
    list->strip = grown(list->strip, list->strips, &list->room, sizeof *list->strip);
    list->strip[list->strips++] = *s;
}

static void add_copy(dpc_ghost_phase *p, const dpc_ghost_strip *from, const dpc_ghost_strip *to) {
    p->copy = grown(p->copy, p->copies, &p->room, sizeof *p->copy);
    p->copy[p->copies++] = (dpc_ghost_copy){*from, *to};
}

/* Strips with sides of at most `left` more of the dimensions from k on.  x: the sides of each dimension; at: the
 * coordinates of the other process; owned, kept: the strip at its two ends. */
typedef struct {
    const search *search;
    const sides *x;
    bool sends;
    dpc_index at[DPC_MAX_RANK]; /* per dimension of the grid */
    dpc_ghost_strip owned, kept;
} combination;

static void combine(combination *c, int k, int left, int taken) {
    const dpc_array *a = c->search->array;
    if (k == a->rank) {
        dpc_ghost_strip *end = c->sends ? &c->owned : &c->kept;
        if (taken == 0 || strip_elements(c->search, end) == 0) return;
        end->process = dpc_grid_process(a->grid, c->at);
        dpc_ghost_phase *p = c->search->phase;
        if (end->process != dpc_rank())
            add_strip(c->sends ? &p->out : &p->in, end);
        else if (c->sends)
            add_copy(p, &c->owned, &c->kept);
        return;
    }
    combine(c, k + 1, left, taken);
    const side_list *list = c->sends ? &c->x[k].out : &c->x[k].in;
    if (left == 0 || list->sides == 0) return;
    const dpc_teeth all = c->owned.along[k];
    const int g = a->dim[k].grid_dim;
    for (dpc_index n = 0; n < list->sides; n++) {
        if (g >= 0) c->at[g] = list->side[n].coordinate;
        c->owned.along[k] = list->side[n].owned;
        c->kept.along[k] = list->side[n].kept;
        combine(c, k + 1, left - 1, taken + 1);
    }
    if (g >= 0) c->at[g] = a->grid->coord[g];
    c->owned.along[k] = c->kept.along[k] = all;
}

/* Both directions; box: what the process has along dimensions of which no side is taken. */
static void add_combinations(const search *f, const sides *x, const dpc_ghost_strip *box, int most) {
    combination c = {f, x, true, {0}, *box, *box};
    for (int g = 0; g < f->array->grid->rank; g++) c.at[g] = f->array->grid->coord[g];
    combine(&c, 0, most, 0);
    c.sends = false;
    combine(&c, 0, most, 0);
}

/* The sides along dimensions first .. last of the grid (-1: those that this process alone fills ghost cells of), each
 * alone. */
static void add_each(const search *f, int first, int last) {
    const dpc_array *a = f->array;
    for (int k = 0; k < a->rank; k++) {
        const bool alone = is_alone(a, k);
        const int g = a->dim[k].grid_dim;
        if (first < 0 ? !alone : alone || g < first || g > last) continue;
        sides x[DPC_MAX_RANK] = {{{NULL, 0, 0}, {NULL, 0, 0}}};
        x[k] = sides_along(a, k);
        const dpc_ghost_strip box = across(f, k);
        add_combinations(f, x, &box, 1);
        free_sides(&x[k]);
    }
}

/* The sides along all dimensions of the grid, up to `corners` at once. */
static void add_all(const search *f) {
    const dpc_array *a = f->array;
    sides x[DPC_MAX_RANK] = {{{NULL, 0, 0}, {NULL, 0, 0}}};
    for (int k = 0; k < a->rank; k++)
        if (!is_alone(a, k)) x[k] = sides_along(a, k);
    const dpc_ghost_strip box = across(f, -1);
    add_combinations(f, x, &box, a->corners);
    for (int k = 0; k < a->rank; k++) free_sides(&x[k]);
}

int dpc_ghost_phases(int arrays, dpc_array *const *array) {
    int phases = 1;
    for (int k = 0; k < arrays; k++) {
        const dpc_array *a = array[k];
        if (a->corners > 0 && !dpc_corners_at_once(a->rank, a->dim, a->halo))
            phases = (int)dpc_maximum(phases, a->grid->rank);
    }
    return phases;
}

void dpc_find_ghosts(int arrays, dpc_array *const *array, int phases, int p, dpc_ghost_phase *phase) {
    *phase = (dpc_ghost_phase){.copies = 0};
    for (int k = 0; p == 0 && k < arrays; k++)
        if (array[k]->elements > 0) add_each(&(search){phase, array[k], k, phases > 1}, -1, -1);
    for (int k = 0; k < arrays; k++) {
        const search f = {phase, array[k], k, phases > 1};
        if (array[k]->elements == 0) continue;
        if (phases == 1 && array[k]->corners > 0)
            add_all(&f);
        else
            add_each(&f, phases > 1 ? p : 0, phases > 1 ? p : array[k]->grid->rank - 1);
    }
}

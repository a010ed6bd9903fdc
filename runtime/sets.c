/* Communication sets by rows: one sweep over the runs of one side, split at the block borders of the other.
 * Sheet communication-sets.md, section 3, "one-sweep variant". */
#include "sets.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* A section and the coordinate that it is shared with. */
typedef struct {
    dpc_section section;
    dpc_index partner;
} piece;

/* The pieces found so far, in ascending iteration order. */
typedef struct {
    piece *piece;
    dpc_index count, room;
    dpc_index step; /* elements per iteration of the addresses */
    bool failed;    /* memory ran out */
} pieces;

/* The element of the other side at the current iteration, advanced without division. */
typedef struct {
    const dpc_dim *dim;
    dpc_index stride;
    dpc_index within;     /* offset of the element in its block */
    dpc_index partner;    /* coordinate that owns it */
    dpc_index block_step; /* stride in whole blocks, reduced modulo procs; 0 <= block_step < procs */
    dpc_index rest;       /* stride modulo block */
} walker;

static bool grow(pieces *list) {
    const dpc_index room = list->room == 0 ? 16 : 2 * list->room;
    piece *larger = realloc(list->piece, (size_t)room * sizeof *larger);
    if (larger == NULL) {
        list->failed = true;
        return false;
    }
    list->piece = larger;
    list->room = room;
    return true;
}

static void add_piece(pieces *list, dpc_section section, dpc_index partner) {
    if (list->count == list->room && !grow(list)) return;
    list->piece[list->count++] = (piece){section, partner};
}

/* Adds a piece that continues the last one of the same run; joins them when the partner is the same. */
static void join_piece(pieces *list, dpc_section section, dpc_index partner) {
    piece *last = list->count > 0 ? &list->piece[list->count - 1] : NULL;
    if (last != NULL && last->partner == partner)
        last->section.length += section.length;
    else
        add_piece(list, section, partner);
}

static walker walk_from(const dpc_dim *dim, const dpc_access *access, dpc_index iteration) {
    const dpc_index offset = access->first - dim->lower + iteration * access->stride, number = offset / dim->block;
    return (walker){dim,
                    access->stride,
                    offset % dim->block,
                    number % dim->procs,
                    dpc_modulo(dpc_floor(access->stride, dim->block), dim->procs),
                    dpc_modulo(access->stride, dim->block)};
}

/* Iterations that stay in the current block, at most `most`. */
static dpc_index iterations_in_block(const walker *w, dpc_index most) {
    const dpc_index block = w->dim->block, stride = w->stride;
    dpc_index n;
    if (stride == 0) return most;
    if (stride >= block || -stride >= block) return 1;
    if (stride == 1)
        n = block - w->within;
    else if (stride == -1)
        n = w->within + 1;
    else
        n = stride > 0 ? (block - 1 - w->within) / stride + 1 : w->within / -stride + 1;
    return n < most ? n : most;
}

/* Moves on by n iterations, out of the current block. */
static void advance(walker *w, dpc_index n) {
    const dpc_index block = w->dim->block, procs = w->dim->procs;
    if (n == 1) {
        w->within += w->rest;
        w->partner += w->block_step;
    } else if (w->stride > 0) {
        w->within += n * w->stride;
    } else {
        w->within += n * w->stride + block;
        w->partner += procs - 1;
    }
    if (w->within >= block) {
        w->within -= block;
        w->partner++;
    }
    while (w->partner >= procs) w->partner -= procs;
}

static void split_run(pieces *list, dpc_section run, const dpc_dim *theirs, const dpc_access *their_access) {
    walker w = walk_from(theirs, their_access, run.first);
    const dpc_index end = run.first + run.length;
    dpc_index step = list->step;
    for (bool start = true; run.first < end; start = false) {
        run.length = iterations_in_block(&w, end - run.first);
        if (start)
            add_piece(list, run, w.partner);
        else
            join_piece(list, run, w.partner);
        run.first += run.length;
        run.local += run.length * step;
        if (run.first < end) advance(&w, run.length);
    }
}

/* Cuts a run to the iterations low .. high. */
static dpc_section clip(dpc_section run, dpc_index step, dpc_index low, dpc_index high) {
    if (run.first < low) {
        run.length -= low - run.first;
        run.local += (low - run.first) * step;
        run.first = low;
    }
    if (run.length > high - run.first + 1) run.length = high - run.first + 1;
    return run;
}

static dpc_index least_common_multiple(dpc_index a, dpc_index b, dpc_index most) {
    dpc_index x = a, y = b;
    while (y != 0) {
        const dpc_index rest = x % y;
        x = y;
        y = rest;
    }
    const wide multiple = (wide)(a / x) * b;
    return multiple < most ? (dpc_index)multiple : most;
}

/* Everything about one call of the generator. */
typedef struct {
    dpc_sets *sets;
    const dpc_dim *mine, *theirs; /* theirs == NULL: not divided */
    const dpc_access *my_access, *their_access;
    dpc_index p;
    bool positions;      /* addresses are positions */
    bool inside;         /* every iteration is inside both arrays */
    dpc_index low, high; /* iterations inside the other array */
    pieces list;
} sweep;

/* Every coordinate has at most one block. */
static bool single_blocks(const dpc_dim *d) {
    return d->procs == 1 || d->block >= dpc_ceiling(d->extent, d->procs);
}

static bool divided(const sweep *w) {
    return w->theirs != NULL && w->theirs->procs > 1;
}

static dpc_index their_period(const sweep *w) {
    return divided(w) ? dpc_period(w->theirs, w->their_access) : 1;
}

static dpc_index position_of(const sweep *w, dpc_index iteration) {
    return dpc_owned_before(w->mine, w->my_access, w->p, iteration);
}

/* Sets the period and its step in my local part; an iteration `start` begins a period that is inside both arrays. */
static void set_period(sweep *w, dpc_index period, dpc_index start) {
    w->sets->period = period;
    if (w->positions)
        w->sets->period_step = position_of(w, start + period) - position_of(w, start);
    else
        w->sets->period_step = (dpc_index)((wide)period * w->my_access->stride / w->mine->procs);
}

/* Adds my iterations from .. to-1, for one partner, or (partner < 0) split among all. */
static void sweep_window(sweep *w, dpc_index from, dpc_index to, dpc_index partner) {
    const dpc_access window = {w->my_access->first + from * w->my_access->stride, w->my_access->stride, to - from};
    dpc_index position = w->positions && to > from ? position_of(w, from) : 0;
    if (to <= from) return;
    for (dpc_block_run r = dpc_first_block(w->mine, &window, w->p); r.count > 0;
         dpc_next_block(w->mine, &window, w->p, &r)) {
        dpc_section run = {r.first + from, r.count, w->positions ? position : r.local};
        run = clip(run, w->list.step, w->low, w->high);
        position += r.count;
        if (run.length <= 0) continue;
        if (partner >= 0)
            add_piece(&w->list, run, partner);
        else
            split_run(&w->list, run, w->theirs, w->their_access);
    }
}

/* My iterations are one run: it is split by the other side's pattern, which has a period of its own. */
static void sweep_my_block(sweep *w) {
    const dpc_block_run r = dpc_first_block(w->mine, w->my_access, w->p);
    const dpc_section run = clip((dpc_section){r.first, r.count, 0}, 1, w->low, w->high);
    const dpc_index period = divided(w) ? their_period(w) : run.length;
    const dpc_index end = run.first + run.length;
    if (run.length <= 0) return;
    for (dpc_index q = 0; q < w->sets->partners; q++) w->sets->end[q] = end;
    if (period < run.length) {
        w->sets->period = period;
        w->sets->period_step = period * w->list.step;
    }
    sweep_window(w, run.first, period < run.length ? run.first + period : end, divided(w) ? -1 : 0);
}

/* Each partner's iterations are one run: in it my own pattern repeats. */
static void sweep_their_blocks(sweep *w) {
    const dpc_index period = dpc_period(w->mine, w->my_access);
    dpc_index low, high;
    dpc_inside(w->mine, w->my_access, &low, &high);
    for (dpc_index q = 0; q < w->sets->partners; q++) {
        dpc_block_run r = {.count = w->sets->count};
        if (w->theirs != NULL) r = dpc_first_block(w->theirs, w->their_access, q);
        const dpc_section run = clip((dpc_section){r.first, r.count, 0}, 1, low, high);
        const bool repeats = run.length > period;
        if (run.length <= 0) continue;
        w->sets->end[q] = run.first + run.length;
        if (repeats) set_period(w, period, run.first);
        sweep_window(w, run.first, run.first + (repeats ? period : run.length), q);
    }
}

/* Neither side has single blocks: one sweep over the common period. */
static void sweep_period(sweep *w) {
    const dpc_index count = w->sets->count;
    dpc_index period = count;
    if (w->inside) period = least_common_multiple(dpc_period(w->mine, w->my_access), their_period(w), count);
    if (period < count) set_period(w, period, 0);
    sweep_window(w, 0, period, -1);
}

static void prepare(sweep *w) {
    dpc_sets *sets = w->sets;
    dpc_index low, high;
    *sets = (dpc_sets){.count = w->my_access->count};
    sets->period = sets->count > 0 ? sets->count : 1;
    sets->partners = w->theirs == NULL ? 1 : w->theirs->procs;
    sets->stride = w->positions ? 1 : w->my_access->stride;
    w->list.step = sets->stride;
    w->low = 0;
    w->high = sets->count - 1;
    w->inside = dpc_inside(w->mine, w->my_access, &low, &high);
    if (w->theirs != NULL) w->inside = dpc_inside(w->theirs, w->their_access, &w->low, &w->high) && w->inside;
    sets->end = malloc((size_t)sets->partners * sizeof *sets->end);
    if (sets->end == NULL) w->list.failed = true;
    for (dpc_index q = 0; sets->end != NULL && q < sets->partners; q++) sets->end[q] = sets->count;
}

/* Sorts the pieces into the partners' lists (counting sort, stable). */
static bool bucket(dpc_sets *sets, const pieces *list) {
    sets->start = calloc((size_t)sets->partners + 2, sizeof *sets->start);
    sets->section = malloc((size_t)(list->count + 1) * sizeof *sets->section);
    if (list->failed || sets->start == NULL || sets->section == NULL) return false;
    dpc_index *next = sets->start + 1;
    for (dpc_index k = 0; k < list->count; k++) next[list->piece[k].partner + 1]++;
    for (dpc_index q = 0; q < sets->partners; q++) next[q + 1] += next[q];
    for (dpc_index k = 0; k < list->count; k++) sets->section[next[list->piece[k].partner]++] = list->piece[k].section;
    return true;
}

bool dpc_sets_rowwise(dpc_sets *sets, const dpc_dim *mine, const dpc_access *my_access, dpc_index p,
                      const dpc_dim *theirs, const dpc_access *their_access, dpc_addressing addressing) {
    sweep w = {sets, mine, theirs, my_access, their_access, p, addressing == DPC_POSITION, true, 0, 0, {0}};
    prepare(&w);
    if (!w.list.failed) {
        if (single_blocks(mine))
            sweep_my_block(&w);
        else if (!divided(&w) || single_blocks(theirs))
            sweep_their_blocks(&w);
        else
            sweep_period(&w);
    }
    const bool done = bucket(sets, &w.list);
    free(w.list.piece);
    if (!done) dpc_sets_free(sets);
    return done;
}

void dpc_sets_free(dpc_sets *sets) {
    free(sets->start);
    free(sets->end);
    free(sets->section);
    *sets = (dpc_sets){0};
}

dpc_index dpc_sets_size(const dpc_sets *sets, dpc_index q) {
    dpc_index size = 0;
    for (dpc_index k = sets->start[q]; k < sets->start[q + 1]; k++) {
        const dpc_section *s = &sets->section[k];
        const dpc_index room = sets->end[q] - s->first;
        if (room <= s->length) {
            size += room > 0 ? room : 0;
            continue;
        }
        const dpc_index ragged = room % sets->period;
        size += room / sets->period * s->length + (ragged < s->length ? ragged : s->length);
    }
    return size;
}

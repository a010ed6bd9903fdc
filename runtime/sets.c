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

/* The period, count and address steps of the sets; low .. high are the iterations inside the other array. */
static void measure(dpc_sets *sets, const dpc_dim *mine, const dpc_access *my_access, dpc_index p,
                    const dpc_dim *theirs, const dpc_access *their_access, dpc_addressing addressing, dpc_index *low,
                    dpc_index *high) {
    dpc_index unused_low, unused_high;
    bool inside = dpc_inside(mine, my_access, &unused_low, &unused_high);
    *low = 0;
    *high = my_access->count - 1;
    if (theirs != NULL) inside = dpc_inside(theirs, their_access, low, high) && inside;
    sets->count = my_access->count;
    sets->period = sets->count > 0 ? sets->count : 1;
    sets->partners = theirs == NULL ? 1 : theirs->procs;
    if (inside)
        sets->period = least_common_multiple(dpc_period(mine, my_access),
                                             theirs == NULL ? 1 : dpc_period(theirs, their_access), sets->period);
    sets->stride = addressing == DPC_POSITION ? 1 : my_access->stride;
    if (sets->period >= sets->count) return;
    sets->period_step = addressing == DPC_POSITION ? dpc_owned_before(mine, my_access, p, sets->period)
                                                   : (dpc_index)((wide)sets->period * my_access->stride / mine->procs);
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
    dpc_index low, high, position = 0;
    *sets = (dpc_sets){0};
    measure(sets, mine, my_access, p, theirs, their_access, addressing, &low, &high);
    pieces list = {.step = sets->stride};
    const dpc_access window = {my_access->first, my_access->stride,
                               sets->period < sets->count ? sets->period : sets->count};
    for (dpc_block_run r = dpc_first_block(mine, &window, p); r.count > 0; dpc_next_block(mine, &window, p, &r)) {
        const dpc_index address = addressing == DPC_POSITION ? position : r.local;
        const dpc_section run = clip((dpc_section){r.first, r.count, address}, sets->stride, low, high);
        position += r.count;
        if (run.length <= 0) continue;
        if (theirs == NULL || theirs->procs == 1)
            add_piece(&list, run, 0);
        else
            split_run(&list, run, theirs, their_access);
    }
    const bool done = bucket(sets, &list);
    free(list.piece);
    if (!done) dpc_sets_free(sets);
    return done;
}

void dpc_sets_free(dpc_sets *sets) {
    free(sets->start);
    free(sets->section);
    *sets = (dpc_sets){0};
}

dpc_index dpc_sets_size(const dpc_sets *sets, dpc_index q) {
    const dpc_index whole = sets->count / sets->period, ragged = sets->count % sets->period;
    dpc_index size = 0;
    for (dpc_index k = sets->start[q]; k < sets->start[q + 1]; k++) {
        const dpc_section *s = &sets->section[k];
        const dpc_index part = ragged - s->first;
        size += whole * s->length + (part <= 0 ? 0 : part < s->length ? part : s->length);
    }
    return size;
}

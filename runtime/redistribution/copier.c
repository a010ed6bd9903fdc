/* Copies of n-dimensional parts: the outer dimensions are walked strand by strand, the last one by the kernels. */
#include "copier.h"

#include <string.h>

/* ---- Shapes */

static bool whole(const dpc_line *l) {
    return l->procs == 1 && l->first == 0;
}

static dpc_line widened(dpc_line l, dpc_index factor) {
    return (dpc_line){l.extent * factor, l.first * factor, l.block * factor, l.procs};
}

/* Nothing of the line is longer than it must be: products with other extents stay small. */
static dpc_line shortened(dpc_line l) {
    const dpc_index end = l.first + l.extent;
    if (l.procs == 1 || l.block > end) l.block = end > 0 ? end : 1;
    return l;
}

dpc_shape dpc_fold_shape(int rank, const dpc_line *from, const dpc_line *to, dpc_index size) {
    dpc_shape s = {.size = size};
    for (int k = 0; k < rank; k++) {
        const dpc_line f = shortened(from[k]), t = shortened(to[k]);
        if (s.rank > 0 && whole(&f) && whole(&t) && f.extent > 0) {
            s.from[s.rank - 1] = widened(s.from[s.rank - 1], f.extent);
            s.to[s.rank - 1] = widened(s.to[s.rank - 1], t.extent);
            continue;
        }
        s.from[s.rank] = f;
        s.to[s.rank] = t;
        s.dimension[s.rank++] = k;
    }
    return s;
}

dpc_shape dpc_turn_shape(const dpc_shape *shape) {
    dpc_shape t = *shape;
    memcpy(t.from, shape->to, sizeof t.from);
    memcpy(t.to, shape->from, sizeof t.to);
    return t;
}

/* ---- Opening */

static dpc_index elements_before(const dpc_line *l, dpc_index p) {
    const dpc_index end = l->first + l->extent, cycle = l->block * l->procs, rest = end % cycle - p * l->block;
    return end / cycle * l->block + (rest < 0 ? 0 : rest < l->block ? rest : l->block);
}

static int last_of(const dpc_copier *c) {
    return c->rank - 1;
}

void dpc_source_coordinates(const dpc_copier *c, dpc_index source, dpc_index *coordinates) {
    for (int k = last_of(c); k >= 0; source /= c->weave[k--].slots)
        coordinates[k] = c->weave[k].coordinate[source % c->weave[k].slots];
}

static dpc_index held(const dpc_copier *c, int k, dpc_index source) {
    for (int j = last_of(c); j > k; j--) source /= c->weave[j].slots;
    return c->weave[k].held[source % c->weave[k].slots];
}

dpc_index dpc_source_held(const dpc_copier *c, dpc_index source) {
    dpc_index bytes = 1;
    for (int k = 0; k < c->rank; k++) bytes *= held(c, k, source);
    return bytes;
}

static void set_source_steps(dpc_copier *c, const dpc_shape *shape, dpc_source_layout layout) {
    c->source_step = dpc_raw_buffer(c->sources * c->rank, sizeof *c->source_step);
    c->source_bytes = dpc_raw_buffer(c->sources, sizeof *c->source_bytes);
    for (dpc_index source = 0; source < c->sources; source++) {
        dpc_index p[DPC_MAX_RANK], bytes = 1;
        dpc_source_coordinates(c, source, p);
        for (int k = last_of(c); k >= 0; k--) {
            c->source_step[source * c->rank + k] = bytes;
            if (layout == DPC_IN_MESSAGES)
                bytes *= held(c, k, source);
            else
                bytes *= elements_before(&shape->from[k], p[k]) * (k == last_of(c) ? c->size : 1);
        }
        c->source_bytes[source] = bytes;
    }
}

static dpc_index units(const dpc_copier *c) {
    dpc_index bytes = 1;
    for (int k = 0; k < c->rank; k++) bytes *= c->weave[k].units;
    return bytes;
}

/* The weaves are there; extent: of the output's storage per dimension, elements. */
static dpc_copier *complete(dpc_copier *c, const dpc_shape *shape, const dpc_index *extent, dpc_source_layout layout) {
    const int last = last_of(c);
    dpc_scale_weave(&c->weave[last], c->size);
    dpc_index step = 1;
    for (int k = last; k >= 0; k--) {
        c->step[k] = step;
        step *= extent[k] * (k == last ? c->size : 1);
    }
    c->part_bytes = step;
    c->bytes = units(c);
    c->sources = 1;
    for (int k = 0; k < c->rank; k++) c->sources *= c->weave[k].slots;
    set_source_steps(c, shape, layout);
    const int slots = c->weave[last].slots;
    c->thread = dpc_raw_buffer(c->weave[last].longest, sizeof *c->thread);
    c->row = dpc_raw_buffer(3 * slots, sizeof *c->row);
    c->limit = c->row + slots;
    c->base = c->limit + slots;
    return c;
}

dpc_copier *dpc_open_copier(const dpc_shape *shape, const dpc_index *q, dpc_source_layout layout) {
    dpc_copier *c = dpc_buffer(1, sizeof *c);
    dpc_index extent[DPC_MAX_RANK];
    c->rank = shape->rank;
    c->size = shape->size;
    for (int k = 0; k < c->rank; k++) {
        c->weave[k] = dpc_weave_target(&shape->to[k], q[k], &shape->from[k], layout);
        extent[k] = elements_before(&shape->to[k], q[k]);
    }
    return complete(c, shape, extent, layout);
}

dpc_copier *dpc_open_message_copier(const dpc_shape *shape, const dpc_index *p, const dpc_index *q) {
    dpc_copier *c = dpc_buffer(1, sizeof *c);
    dpc_index extent[DPC_MAX_RANK];
    c->rank = shape->rank;
    c->size = shape->size;
    for (int k = 0; k < c->rank; k++) {
        c->weave[k] = dpc_weave_message(&shape->from[k], p[k], &shape->to[k], q[k]);
        extent[k] = c->weave[k].units;
    }
    return complete(c, shape, extent, DPC_IN_MEMORY);
}

void dpc_close_copier(dpc_copier *c) {
    if (c == NULL) return;
    for (int k = 0; k < c->rank; k++) dpc_free_weave(&c->weave[k]);
    dpc_free_buffer(c->source_step);
    dpc_free_buffer(c->source_bytes);
    dpc_free_buffer(c->thread);
    dpc_free_buffer(c->row);
    dpc_free_buffer(c);
}

dpc_index dpc_copier_bytes(const dpc_copier *c) {
    dpc_index bytes = (dpc_index)sizeof *c + c->sources * (c->rank + 1) * (dpc_index)sizeof *c->source_step;
    for (int k = 0; k < c->rank; k++) bytes += dpc_weave_bytes(&c->weave[k]);
    return bytes + c->weave[last_of(c)].longest * (dpc_index)sizeof *c->thread;
}

static dpc_index runs_of_weave(const dpc_weave *w) {
    dpc_index runs = 0, left = w->units;
    if (left == 0) return 0;
    for (const dpc_braid *b = w->braid; left > 0; b = b + 1 < w->braid + w->braids ? b + 1 : w->braid) {
        const dpc_index taken = b->units < left ? b->units : left;
        runs += taken / b->cycle * b->count;
        for (dpc_index k = b->first, rest = taken % b->cycle; rest > 0; k++, runs++) rest -= w->strand[k].length;
        left -= taken;
    }
    return runs;
}

dpc_index dpc_copier_runs(const dpc_copier *c) {
    dpc_index runs = runs_of_weave(&c->weave[last_of(c)]);
    for (int k = 0; k < last_of(c); k++) runs *= c->weave[k].units;
    return runs;
}

/* ---- Copying */

typedef struct {
    dpc_copier *copier;
    dpc_stream stream;
    const char *const *memory;
    dpc_index at[DPC_MAX_RANK]; /* outer dimensions: in the source */
    dpc_index unit;             /* bytes, 0: elements are of no size that has kernels */
    const char *end;            /* dealing: of the part; else NULL */
} copying;

/* Where the row begins in the sources of its slots; `source`: the first of them. */
static void load_row(copying *x, dpc_index source) {
    dpc_copier *c = x->copier;
    const int last = last_of(c);
    for (int k = 0; k < c->weave[last].slots; k++, source++) {
        const dpc_index *step = c->source_step + source * c->rank;
        const char *at = x->memory[source];
        c->limit[k] = at == NULL ? NULL : at + c->source_bytes[source];
        for (int j = 0; at != NULL && j < last; j++) at += x->at[j] * step[j];
        c->row[k] = at;
    }
}

static void copy_row(copying *x, char *to) {
    dpc_copier *c = x->copier;
    if (x->end != NULL)
        dpc_unweave_row(&c->weave[last_of(c)], &x->stream, to, x->end, c->row, x->unit, c->base);
    else
        dpc_weave_row(&c->weave[last_of(c)], &x->stream, to, c->row, c->limit, x->unit, c->thread, c->base);
}

static char *copy_outer(copying *x, int k, dpc_index source, char *to);

/* `length` indices of one source, from `from` on; of the dimensions before, `source` counts the sources. */
static char *copy_strand(copying *x, int k, dpc_index source, dpc_index from, dpc_index length, char *to) {
    dpc_copier *c = x->copier;
    const int last = last_of(c);
    x->at[k] = from;
    if (k + 1 < last) {
        for (; length > 0; length--, x->at[k]++, to += c->step[k]) copy_outer(x, k + 1, source, to);
        return to;
    }
    source *= c->weave[last].slots;
    load_row(x, source);
    for (; length > 0; length--, to += c->step[k]) {
        copy_row(x, to);
        for (int j = 0; j < c->weave[last].slots; j++)
            if (c->row[j] != NULL) c->row[j] += c->source_step[(source + j) * c->rank + k];
    }
    return to;
}

static char *copy_outer(copying *x, int k, dpc_index source, char *to) {
    const dpc_weave *w = &x->copier->weave[k];
    for (dpc_index left = w->units, period = 0; left > 0; period++)
        for (const dpc_braid *b = w->braid; b < w->braid + w->braids && left > 0; b++) {
            dpc_index units = b->units < left ? b->units : left;
            left -= units;
            for (dpc_index cycle = 0; units > 0; cycle++)
                for (const dpc_strand *s = w->strand + b->first; s < w->strand + b->first + b->count && units > 0;
                     s++) {
                    const dpc_index length = s->length < units ? s->length : units;
                    to = copy_strand(x, k, source * w->slots + s->slot,
                                     s->from + cycle * s->step + period * w->period_step[s->slot], length, to);
                    units -= length;
                }
        }
    return to;
}

static dpc_index unit_of(dpc_index size) {
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16 ? size : 0;
}

static void walk_part(copying *x, char *part, bool streaming) {
    dpc_copier *c = x->copier;
    dpc_open_stream(&x->stream, streaming);
    for (int k = 0; k < c->rank; k++) part += c->weave[k].start * c->step[k];
    if (c->rank > 1) {
        copy_outer(x, 0, 0, part);
    } else {
        load_row(x, 0);
        copy_row(x, part);
    }
    dpc_close_stream(&x->stream);
}

void dpc_copy_part(dpc_copier *c, char *to, const char *const *memory, bool streaming) {
    if (c->bytes == 0) return;
    copying x = {.copier = c, .memory = memory, .unit = unit_of(c->size)};
    walk_part(&x, to, streaming);
}

void dpc_deal_part(dpc_copier *c, const char *from, char *const *memory, bool streaming) {
    if (c->bytes == 0) return;
    copying x = {
        .copier = c, .memory = (const char *const *)memory, .unit = unit_of(c->size), .end = from + c->part_bytes};
    walk_part(&x, (char *)(uintptr_t)from, streaming);
}

/* Copies of n-dimensional parts: the outer dimensions are walked strand by strand, the last one by the kernels. */
#include "copier.h"

#include "../base/caches.h"

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

/* What is read at once is a part of the second-level cache, from an eighth to all of it (64 to 512 KiB of 512): the
 * tile being copied and the next one; the processes of a team are on one node and find the same.  Bytes: of each
 * source; of problems that are worth sharing.  Near these values little depends on them (bench/RESULTS.md). */
enum { PARTS_OF_CACHE = 8, TILE_OF_SOURCE = 4096, LEAST_SHARED = 1 << 20 };

static dpc_index tile_for(dpc_index sources) {
    const dpc_index cache = dpc_machine_caches()->second;
    return dpc_minimum(dpc_maximum(sources * TILE_OF_SOURCE, cache / PARTS_OF_CACHE), cache);
}

dpc_shape dpc_fold_shape(int rank, const dpc_line *from, const dpc_line *to, dpc_index size, bool dense) {
    dpc_shape s = {.size = size};
    for (int k = 0; k < rank; k++) {
        const dpc_line f = shortened(from[k]), t = shortened(to[k]);
        if (dense && s.rank > 0 && whole(&f) && whole(&t) && f.extent > 0) {
            s.from[s.rank - 1] = widened(s.from[s.rank - 1], f.extent);
            s.to[s.rank - 1] = widened(s.to[s.rank - 1], t.extent);
            continue;
        }
        s.from[s.rank] = f;
        s.to[s.rank] = t;
        s.dimension[s.rank++] = k;
    }
    s.tile = tile_for(s.from[s.rank - 1].procs);
    s.least_shared = LEAST_SHARED;
    return s;
}

/* The other direction of a problem. */
static dpc_shape turn_shape(const dpc_shape *shape) {
    dpc_shape t = *shape;
    memcpy(t.from, shape->to, sizeof t.from);
    memcpy(t.to, shape->from, sizeof t.to);
    t.from_stride = shape->to_stride;
    t.to_stride = shape->from_stride;
    return t;
}

/* ---- Teams */

/* Bytes: pieces from here on are copied as they are. */
enum { LONG_PIECE = 65536 };
enum { ROWS_EACH = 8, MOST_PIECES = 256 };

static dpc_index tile_elements(const dpc_shape *s) {
    return dpc_maximum(s->tile / s->size, 1);
}

static dpc_index rows_of_all(const dpc_shape *s) {
    dpc_index rows = 1;
    for (int k = 0; k < s->rank - 1; k++) rows *= dpc_ceiling(s->to[k].extent, s->to[k].procs);
    return rows;
}

/* The members share the rows, as there are enough of them. */
static bool shares_rows(const dpc_shape *s) {
    return rows_of_all(s) >= ROWS_EACH * s->to[s->rank - 1].procs;
}

static bool has_short_pieces(const dpc_shape *s) {
    const dpc_line *f = &s->from[s->rank - 1], *t = &s->to[s->rank - 1];
    const dpc_index from = f->procs > 1 ? f->block : f->extent, to = t->procs > 1 ? t->block : t->extent;
    return dpc_minimum(from, to) * s->size < LONG_PIECE;
}

/* Parts of the shape are copied by teams of all coordinates of the last dimension that hold elements. */
static bool has_teams(const dpc_shape *s) {
    const dpc_line *t = &s->to[s->rank - 1];
    if (t->procs == 1 || !has_short_pieces(s)) return false;
    if ((double)t->extent * (double)s->size * (double)rows_of_all(s) < (double)s->least_shared) return false;
    return shares_rows(s) || t->extent / tile_elements(s) >= t->procs;
}

/* A period of the line, elements; 1: nobody divides it. */
static dpc_index cycle_of(const dpc_line *l) {
    return l->procs == 1 ? 1 : l->block * l->procs;
}

/* Elements of a row that are read at once, about `most`: whole periods, whole lines of every member, where that is
 * possible. */
static dpc_index choose_tile(const dpc_shape *s, dpc_index most) {
    const dpc_line *f = &s->from[s->rank - 1], *t = &s->to[s->rank - 1];
    const dpc_index lines = DPC_LINE_BYTES / dpc_common_divisor(DPC_LINE_BYTES, s->size) * t->procs;
    dpc_index unit = dpc_common_multiple(cycle_of(f), cycle_of(t), 4 * most);
    if (unit == 0) unit = cycle_of(t) <= most ? cycle_of(t) : dpc_minimum(cycle_of(f), most);
    const dpc_index aligned = dpc_common_multiple(unit, lines, most);
    if (aligned > 0) unit = aligned;
    return unit > most ? unit : most / unit * unit;
}

/* How the rows are taken: a few at once, or in tiles. */
static void set_tiles(dpc_copier *c, const dpc_shape *shape) {
    const dpc_line *t = &shape->to[shape->rank - 1];
    const dpc_index most = tile_elements(shape);
    const bool alone = c->members == 1;
    c->ahead = has_short_pieces(shape) && (!alone || t->procs == 1);
    c->by_rows = shares_rows(shape) || (alone && c->rank > 1);
    if (c->by_rows && (!c->ahead || t->extent <= 2 * most))
        c->rows = dpc_maximum(most / dpc_maximum(t->extent, 1), 1);
    else
        c->tile = choose_tile(shape, most);
}

/* The coordinates that hold elements of the section; returns how many. */
static int find_coordinates(const dpc_line *l, dpc_index *coordinate) {
    int count = 0;
    for (dpc_index p = 0; p < l->procs; p++)
        if (dpc_line_elements(l, p) > 0) coordinate[count++] = p;
    return count;
}

/* ---- Opening */

static int last_of(const dpc_copier *c) {
    return c->rank - 1;
}

static dpc_index local_extent(const dpc_line *l, dpc_index p) {
    return dpc_line_before(l, p, l->first + l->extent);
}

/* Of the part mine. */
static const dpc_weave *weave_of(const dpc_copier *c, int k) {
    return k == last_of(c) ? &c->member[c->mine].weave : &c->weave[k];
}

void dpc_source_coordinates(const dpc_copier *c, dpc_index source, dpc_index *coordinates) {
    for (int k = last_of(c); k >= 0; source /= weave_of(c, k--)->slots)
        coordinates[k] = weave_of(c, k)->coordinate[source % weave_of(c, k)->slots];
}

static dpc_index held(const dpc_copier *c, int k, dpc_index source) {
    for (int j = last_of(c); j > k; j--) source /= weave_of(c, j)->slots;
    return weave_of(c, k)->held[source % weave_of(c, k)->slots];
}

dpc_index dpc_source_held(const dpc_copier *c, dpc_index source) {
    dpc_index bytes = 1;
    for (int k = 0; k < c->rank; k++) bytes *= held(c, k, source);
    return bytes;
}

/* Bytes from a local index to the next in the part of coordinates p; returns those up to the end of its last element.
 */
static dpc_index set_storage(const dpc_shape *s, const dpc_line *line, const dpc_index *strides, const dpc_index *p,
                             dpc_index *step) {
    const int last = s->rank - 1;
    dpc_index place = 0, bytes = s->size;
    for (int k = 0; k < s->rank; k++) place = place * line[k].procs + p[k];
    for (int k = last; k >= 0; k--) {
        const dpc_index extent = local_extent(&line[k], p[k]);
        const dpc_index stride = strides != NULL && k < last ? strides[place * s->rank + k] * s->size : bytes;
        step[k] = k == last ? 1 : stride; /* the last dimension is counted in bytes */
        bytes = extent == 0 ? 0 : bytes + (extent - 1) * stride;
    }
    return bytes;
}

static void set_source_steps(dpc_copier *c, const dpc_shape *shape) {
    c->source_step = dpc_raw_buffer(c->sources * c->rank, sizeof *c->source_step);
    c->source_bytes = dpc_raw_buffer(c->sources, sizeof *c->source_bytes);
    for (dpc_index source = 0; source < c->sources; source++) {
        dpc_index p[DPC_MAX_RANK];
        dpc_source_coordinates(c, source, p);
        c->source_bytes[source] =
            set_storage(shape, shape->from, shape->from_stride, p, c->source_step + source * c->rank);
    }
}

/* Where the member's first element is written; its steps are there. */
static void set_first(dpc_copier *c, dpc_member *m) {
    dpc_scale_weave(&m->weave, c->size);
    for (int k = 0; k < last_of(c); k++) m->first += c->weave[k].start * m->step[k];
    m->first += m->weave.start;
}

/* The weaves and members are there. */
static dpc_copier *complete(dpc_copier *c, const dpc_shape *shape) {
    const int last = last_of(c);
    dpc_index threads = 0;
    c->from = shape->from[last];
    c->to = shape->to[last];
    c->bytes = c->sources = 1;
    for (int k = 0; k < c->rank; k++) {
        c->bytes *= weave_of(c, k)->units;
        c->sources *= weave_of(c, k)->slots;
    }
    set_source_steps(c, shape);
    for (const dpc_member *m = c->member; m < c->member + c->members; m++)
        threads = dpc_maximum(threads, m->weave.longest);
    const int slots = weave_of(c, last)->slots;
    c->thread = dpc_raw_buffer(threads, sizeof *c->thread);
    c->row = dpc_raw_buffer(3 * slots + MOST_PIECES, sizeof *c->row);
    c->limit = c->row + slots;
    c->base = c->limit + slots;
    c->piece = c->base + slots;
    c->place = dpc_raw_buffer(c->members, sizeof *c->place);
    return c;
}

static dpc_copier *new_copier(const dpc_shape *shape, dpc_index members) {
    dpc_copier *c = dpc_buffer(1, sizeof *c);
    c->rank = shape->rank;
    c->size = shape->size;
    c->members = members;
    c->member = dpc_buffer(members, sizeof *c->member);
    return c;
}

/* The parts of coordinates q but for the last one, which `coordinate` lists; source: the first slots of their rows. */
static dpc_copier *open_parts(const dpc_shape *shape, const dpc_index *q, const dpc_index *coordinate, int members,
                              const dpc_index *source, int sources) {
    dpc_copier *c = new_copier(shape, members);
    const int last = last_of(c);
    for (int k = 0; k < last; k++) c->weave[k] = dpc_weave_target(&shape->to[k], q[k], &shape->from[k], NULL, 0);
    for (int k = 0; k < members; k++) {
        dpc_member *m = &c->member[k];
        m->coordinate = coordinate[k];
        m->weave = dpc_weave_target(&shape->to[last], coordinate[k], &shape->from[last], source, sources);
        dpc_index at[DPC_MAX_RANK];
        for (int j = 0; j < c->rank; j++) at[j] = j == last ? coordinate[k] : q[j];
        set_storage(shape, shape->to, shape->to_stride, at, m->step);
        set_first(c, m);
        if (coordinate[k] == q[last]) c->mine = k;
    }
    return complete(c, shape);
}

dpc_copier *dpc_open_copier(const dpc_shape *shape, const dpc_index *q) {
    dpc_copier *c = open_parts(shape, q, &q[shape->rank - 1], 1, NULL, 0);
    set_tiles(c, shape);
    return c;
}

dpc_copier *dpc_open_team_copier(const dpc_shape *shape, const dpc_index *q) {
    const int last = shape->rank - 1;
    const dpc_line *from = &shape->from[last], *to = &shape->to[last];
    dpc_index *source = dpc_raw_buffer(from->procs, sizeof *source),
              *target = dpc_raw_buffer(to->procs, sizeof *target);
    const int sources = find_coordinates(from, source), targets = find_coordinates(to, target);
    dpc_copier *c = has_teams(shape) && dpc_line_elements(to, q[last]) > 0
                        ? open_parts(shape, q, target, targets, source, sources)
                        : open_parts(shape, q, &q[last], 1, NULL, 0);
    set_tiles(c, shape);
    dpc_free_buffer(source);
    dpc_free_buffer(target);
    return c;
}

dpc_copier *dpc_open_source_copier(const dpc_shape *shape, const dpc_index *p) {
    const dpc_shape back = turn_shape(shape);
    const int last = shape->rank - 1;
    const dpc_line *to = &shape->to[last];
    dpc_index *target = dpc_raw_buffer(to->procs, sizeof *target);
    const int targets = has_teams(shape) ? find_coordinates(to, target) : 0;
    dpc_copier *c = open_parts(&back, p, &p[last], 1, target, targets);
    dpc_free_buffer(target);
    return c;
}

void dpc_close_copier(dpc_copier *c) {
    if (c == NULL) return;
    for (int k = 0; k < last_of(c); k++) dpc_free_weave(&c->weave[k]);
    for (dpc_index k = 0; k < c->members; k++) dpc_free_weave(&c->member[k].weave);
    dpc_free_buffer(c->member);
    dpc_free_buffer(c->source_step);
    dpc_free_buffer(c->source_bytes);
    dpc_free_buffer(c->thread);
    dpc_free_buffer(c->row);
    dpc_free_buffer(c->place);
    dpc_free_buffer(c);
}

dpc_index dpc_copier_bytes(const dpc_copier *c) {
    dpc_index bytes = (dpc_index)sizeof *c + c->sources * (c->rank + 1) * (dpc_index)sizeof *c->source_step;
    for (int k = 0; k < last_of(c); k++) bytes += dpc_weave_bytes(&c->weave[k]);
    for (const dpc_member *m = c->member; m < c->member + c->members; m++)
        bytes += (dpc_index)sizeof *m + dpc_weave_bytes(&m->weave);
    return bytes + weave_of(c, last_of(c))->longest * (dpc_index)sizeof *c->thread;
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
    dpc_index runs = runs_of_weave(weave_of(c, last_of(c)));
    for (int k = 0; k < last_of(c); k++) runs *= c->weave[k].units;
    return runs;
}

/* ---- Copying */

typedef struct {
    dpc_copier *copier;
    dpc_stream stream;
    const char *const *memory;
    char *const *part;                 /* per member, or of the member mine */
    dpc_index first, members;          /* the members that are written */
    dpc_index share, shares;           /* of the work: the one that is done */
    dpc_index row, first_row, end_row; /* rows in the order in which they are walked: the next one; to copy */
    dpc_index at[DPC_MAX_RANK],
        out[DPC_MAX_RANK]; /* outer dimensions: in the source, in the output from its first element on */
    dpc_index unit;        /* bytes, 0: elements are of no size that has kernels */
    bool ahead;
} copying;

/* Where the row begins in the sources of its slots; `source`: the first of them. */
static void load_row(copying *x, dpc_index source) {
    dpc_copier *c = x->copier;
    const int last = last_of(c);
    for (int k = 0; k < weave_of(c, last)->slots; k++, source++) {
        const dpc_index *step = c->source_step + source * c->rank;
        const char *at = x->memory[source];
        c->limit[k] = at == NULL ? NULL : at + c->source_bytes[source];
        for (int j = 0; at != NULL && j < last; j++) at += x->at[j] * step[j];
        c->row[k] = at;
    }
}

/* Where `row` rows after the present one begin in the part of member m. */
static char *place_in_part(const copying *x, dpc_index m, dpc_index row) {
    const dpc_member *member = &x->copier->member[m];
    const int last = last_of(x->copier);
    char *to = x->part[m - x->first] + member->first;
    for (int k = 0; k < last; k++) to += x->out[k] * member->step[k];
    return last > 0 ? to + row * member->step[last - 1] : to;
}

/* Asks for `bytes` bytes of a slot's source from byte `from` of its row on. */
static void ask_for(copying *x, int slot, dpc_index from, dpc_index bytes) {
    enum { LINES_OF_PAGE = 4096 / DPC_LINE_BYTES };
    dpc_read_ahead *a = &x->stream.ahead;
    const char *at = x->copier->row[slot];
    const dpc_index lines = dpc_ceiling(bytes, DPC_LINE_BYTES);
    if (at == NULL || lines == 0) return;
    const dpc_index each = dpc_ceiling(lines, dpc_ceiling(lines, LINES_OF_PAGE));
    for (dpc_index line = 0; line < lines && a->pieces < MOST_PIECES; line += each)
        a->piece[a->pieces++] = at + from + line * DPC_LINE_BYTES;
    a->lines = dpc_maximum(a->lines, each);
}

static void forget_pieces(copying *x) {
    x->stream.ahead = (dpc_read_ahead){.piece = x->copier->piece};
}

/* Rows of the same sources: `n` rows after the present ones, which are to be written to row `done`. */
static void ask_for_rows(copying *x, dpc_index source, dpc_index n) {
    const dpc_copier *c = x->copier;
    const int last = last_of(c);
    forget_pieces(x);
    for (int k = 0; last > 0 && k < weave_of(c, last)->slots; k++) {
        const dpc_index step = c->source_step[(source + k) * c->rank + last - 1];
        ask_for(x, k, n * step, n * step);
    }
}

static void next_rows(copying *x, dpc_index source, dpc_index n) {
    const dpc_copier *c = x->copier;
    const int last = last_of(c);
    for (int k = 0; last > 0 && k < weave_of(c, last)->slots; k++)
        if (c->row[k] != NULL) c->row[k] += n * c->source_step[(source + k) * c->rank + last - 1];
}

/* `rows` whole rows, a few at once. */
static void copy_rows(copying *x, dpc_index source, dpc_index rows) {
    dpc_copier *c = x->copier;
    for (dpc_index done = 0; done < rows; done += c->rows) {
        const dpc_index n = dpc_minimum(c->rows, rows - done);
        if (x->ahead) ask_for_rows(x, source, c->rows);
        for (dpc_index m = x->first; m < x->first + x->members; m++) {
            for (dpc_index k = 0; k < n; k++) {
                dpc_weave_row(&c->member[m].weave, &x->stream, place_in_part(x, m, done + k), c->row, c->limit, x->unit,
                              c->thread, c->base);
                next_rows(x, source, 1);
            }
            next_rows(x, source, -n);
        }
        next_rows(x, source, n);
    }
}

/* Elements from `x` to `end` of the section, which the sources hold one after the other. */
static void ask_for_tile(copying *x, dpc_index from, dpc_index end) {
    const dpc_copier *c = x->copier;
    const dpc_weave *w = weave_of(c, last_of(c));
    forget_pieces(x);
    for (int k = 0; k < w->slots; k++) {
        const dpc_index first = dpc_line_before(&c->from, w->coordinate[k], c->from.first + from);
        const dpc_index behind = dpc_line_before(&c->from, w->coordinate[k], c->from.first + end);
        ask_for(x, k, first * c->size, (behind - first) * c->size);
    }
}

/* Bytes that a member has of the first x elements of a row. */
static dpc_index bytes_before(const dpc_copier *c, dpc_index m, dpc_index x) {
    const dpc_index p = c->member[m].coordinate;
    return (dpc_line_before(&c->to, p, c->to.first + x) - dpc_line_before(&c->to, p, c->to.first)) * c->size;
}

/* Elements `from` to `end` of a row. */
static void copy_tile(copying *x, dpc_index row, dpc_index from, dpc_index end) {
    dpc_copier *c = x->copier;
    for (dpc_index m = x->first; m < x->first + x->members; m++) {
        const dpc_index done = bytes_before(c, m, from), units = bytes_before(c, m, end) - done;
        if (units == 0) continue;
        dpc_seek_stream(&x->stream, place_in_part(x, m, row) + done);
        dpc_weave_units(&c->member[m].weave, &c->place[m], units, &x->stream, c->row, c->limit, x->unit, c->thread,
                        c->base);
    }
}

/* One row, or this process's share of it, tile by tile. */
static void copy_tiles(copying *x, dpc_index row) {
    dpc_copier *c = x->copier;
    const dpc_index tiles = dpc_ceiling(c->to.extent, c->tile);
    const dpc_index first = c->by_rows ? 0 : tiles * x->share / x->shares;
    const dpc_index end = c->by_rows ? tiles : tiles * (x->share + 1) / x->shares;
    for (dpc_index m = x->first; m < x->first + x->members && first < end; m++)
        if (c->member[m].weave.units > 0)
            c->place[m] = dpc_weave_after(&c->member[m].weave, bytes_before(c, m, first * c->tile));
    for (dpc_index tile = first; tile < end; tile++) {
        const dpc_index from = tile * c->tile, behind = dpc_minimum(from + c->tile, c->to.extent);
        if (x->ahead) ask_for_tile(x, behind, dpc_minimum(behind + c->tile, c->to.extent));
        copy_tile(x, row, from, behind);
    }
}

static void copy_some_rows(copying *x, dpc_index source, dpc_index rows) {
    load_row(x, source);
    if (x->copier->tile == 0) {
        copy_rows(x, source, rows);
        return;
    }
    for (dpc_index row = 0; row < rows; row++) {
        copy_tiles(x, row);
        next_rows(x, source, 1);
    }
}

/* The rows that begin with `length` indices of dimension k. */
static dpc_index rows_behind(const dpc_copier *c, int k, dpc_index length) {
    for (int j = k + 1; j < last_of(c); j++) length *= c->weave[j].units;
    return length;
}

static void copy_outer(copying *x, int k, dpc_index source);

/* `length` indices of one source, from `from` on; of the dimensions before, `source` counts the sources. */
static void copy_strand(copying *x, int k, dpc_index source, dpc_index from, dpc_index length) {
    dpc_copier *c = x->copier;
    const int last = last_of(c);
    const dpc_index each = rows_behind(c, k, 1), first = dpc_maximum((x->first_row - x->row) / each, 0);
    if (x->row + each * length <= x->first_row || x->row >= x->end_row) {
        x->row += each * length;
        x->out[k] += length;
        return;
    }
    x->row += each * first;
    x->out[k] += first;
    x->at[k] = from + first;
    length -= first;
    if (k + 1 < last) {
        for (; length > 0; length--, x->at[k]++, x->out[k]++) copy_outer(x, k + 1, source);
    } else {
        copy_some_rows(x, source * weave_of(c, last)->slots, dpc_minimum(length, x->end_row - x->row));
        x->row += length;
        x->out[k] += length;
    }
}

static void copy_outer(copying *x, int k, dpc_index source) {
    const dpc_weave *w = &x->copier->weave[k];
    x->out[k] = 0;
    for (dpc_index left = w->units, period = 0; left > 0; period++)
        for (const dpc_braid *b = w->braid; b < w->braid + w->braids && left > 0; b++) {
            dpc_index units = b->units < left ? b->units : left;
            left -= units;
            for (dpc_index cycle = 0; units > 0; cycle++)
                for (const dpc_strand *s = w->strand + b->first; s < w->strand + b->first + b->count && units > 0;
                     s++) {
                    const dpc_index length = s->length < units ? s->length : units;
                    copy_strand(x, k, source * w->slots + s->slot,
                                s->from + cycle * s->step + period * w->period_step[s->slot], length);
                    units -= length;
                }
        }
}

static dpc_index unit_of(dpc_index size) {
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16 ? size : 0;
}

static void walk_parts(copying *x, bool streaming) {
    dpc_copier *c = x->copier;
    const dpc_index rows = rows_behind(c, -1, 1);
    x->unit = unit_of(c->size);
    x->ahead = c->ahead && streaming && x->members == c->members;
    x->first_row = c->by_rows ? rows * x->share / x->shares : 0;
    x->end_row = c->by_rows ? rows * (x->share + 1) / x->shares : rows;
    dpc_open_stream(&x->stream, streaming);
    if (c->rank > 1)
        copy_outer(x, 0, 0);
    else
        copy_some_rows(x, 0, 1);
    dpc_close_stream(&x->stream);
}

void dpc_copy_part(dpc_copier *c, char *to, const char *const *memory, bool streaming, dpc_index piece,
                   dpc_index pieces) {
    if (c->bytes == 0) return;
    copying x = {
        .copier = c, .memory = memory, .part = &to, .first = c->mine, .members = 1, .share = piece, .shares = pieces};
    walk_parts(&x, streaming);
}

void dpc_copy_share(dpc_copier *c, char *const *part, const char *const *memory, bool streaming, dpc_index piece,
                    dpc_index pieces) {
    if (c->bytes == 0) return;
    copying x = {.copier = c,
                 .memory = memory,
                 .part = part,
                 .members = c->members,
                 .share = c->mine * pieces + piece,
                 .shares = c->members * pieces};
    walk_parts(&x, streaming);
}

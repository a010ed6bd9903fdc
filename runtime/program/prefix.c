/* Prefix and suffix operations.  Source: G. E. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990,
 * section 1.2: each process combines its own values, the results are scanned over the processes, and each process scans
 * its values from there.  A process has a result for each of its runs: blocks that are dealt round-robin are exchanged
 * at once, not one after the other. */
#include "program.h"

#include <string.h>

typedef struct {
    const dpc_space *space;
    int first; /* index: as in dpc_scan */
    bool backwards;
    dpc_operation op;
    dpc_type type;
    dpc_index size; /* of a value, bytes */
    const char *start;
} scan;

/* What becomes of the values of a run: they are combined only, or replaced; BEFORE: each by what is before the run and
 * itself, side by side. */
typedef enum { TOTAL, INCLUSIVE, EXCLUSIVE, BEFORE } pass;

/* ---- Values */

/* `count` rows of `width` values, `step` values from one row to the next; parts: what they are combined with. */
typedef struct {
    dpc_index count, width, step;
    pass what;
    void *values, *parts;
} rows;

/* Complex values are never compared: their real parts stand here for the C compiler. */
#define ADDED(x, y) ((x) + (y))
#define MULTIPLIED(x, y)                                                                                               \
    ({                                                                                                                 \
        const __typeof__((x) * (y)) product = (x) * (y); /* of _Bool: an int */                                        \
        product;                                                                                                       \
    })
#define LEAST(x, y) (__real__(y) < __real__(x) ? (y) : (x))
#define GREATEST(x, y) (__real__(y) > __real__(x) ? (y) : (x))

/* Rows of one value: the combination stays in a register. */
#define COMBINE_COLUMN(ctype, COMBINED)                                                                                \
    {                                                                                                                  \
        ctype *v = r->values, sum = *(ctype *)r->parts;                                                                \
        const dpc_index count = r->count, step = r->step;                                                              \
        if (r->what == BEFORE)                                                                                         \
            for (dpc_index k = 0; k < count; k++) v[k] = (ctype)COMBINED(sum, v[k]);                                   \
        else if (r->what == TOTAL)                                                                                     \
            for (dpc_index k = 0; k < count; k++) sum = (ctype)COMBINED(sum, v[k * step]);                             \
        else if (r->what == INCLUSIVE)                                                                                 \
            for (dpc_index k = 0; k < count; k++) v[k * step] = sum = (ctype)COMBINED(sum, v[k * step]);               \
        else                                                                                                           \
            for (dpc_index k = 0; k < count; k++) {                                                                    \
                const ctype old = sum;                                                                                 \
                sum = (ctype)COMBINED(sum, v[k * step]);                                                               \
                v[k * step] = old;                                                                                     \
            }                                                                                                          \
        *(ctype *)r->parts = sum;                                                                                      \
        return;                                                                                                        \
    }

#define COMBINE_ROWS(ctype, COMBINED)                                                                                  \
    {                                                                                                                  \
        ctype *restrict part = r->parts;                                                                               \
        for (dpc_index k = 0; k < r->count; k++) {                                                                     \
            ctype *restrict v = (ctype *)r->values + k * r->step;                                                      \
            for (dpc_index j = 0; j < r->width; j++) {                                                                 \
                const ctype old = part[j];                                                                             \
                part[j] = (ctype)COMBINED(old, v[j]);                                                                  \
                if (r->what != TOTAL) v[j] = r->what == INCLUSIVE ? part[j] : old;                                     \
            }                                                                                                          \
        }                                                                                                              \
        return;                                                                                                        \
    }

#define COMBINE_BY(ctype, COMBINED)                                                                                    \
    if (r->width == 1) COMBINE_COLUMN(ctype, COMBINED) else COMBINE_ROWS(ctype, COMBINED)

#define COMBINE_TYPE(enumerator, ctype, mpi)                                                                           \
    case enumerator:                                                                                                   \
        switch (op) {                                                                                                  \
        case DPC_SUM:                                                                                                  \
            COMBINE_BY(ctype, ADDED)                                                                                   \
        case DPC_PRODUCT:                                                                                              \
            COMBINE_BY(ctype, MULTIPLIED)                                                                              \
        case DPC_MIN:                                                                                                  \
            COMBINE_BY(ctype, LEAST)                                                                                   \
        case DPC_MAX:                                                                                                  \
            COMBINE_BY(ctype, GREATEST)                                                                                \
        default:                                                                                                       \
            dpc_fail(NULL, "libdpc: prefix operation that is none");                                                   \
        }                                                                                                              \
        break;

static void combine(dpc_operation op, dpc_type type, const rows *r) {
    switch (type) {
        DPC_ELEMENT_TYPES(COMBINE_TYPE)
    case DPC_TYPES:
        dpc_fail(NULL, "libdpc: prefix operation on an unknown type");
    }
}

/* *parts combined with values behind them. */
static void add(const scan *x, dpc_index count, char *parts, char *values) {
    combine(x->op, x->type, &(rows){1, count, count, TOTAL, values, parts});
}

static char *starts(const scan *x, dpc_index count) {
    char *parts = dpc_raw_buffer(dpc_maximum(count, 1), x->size);
    for (dpc_index k = 0; k < count; k++) memcpy(parts + k * x->size, x->start, (size_t)x->size);
    return parts;
}

/* ---- Runs of all processes along an index */

/* The coordinate that owns a run, and the number that the run has there. */
typedef struct {
    int coordinate;
    dpc_index number;
} run_place;

typedef struct {
    int coordinates, own; /* how many; this process's one */
    dpc_index runs;       /* of all coordinates */
    dpc_index *count;     /* runs per coordinate */
    run_place *place;     /* of all runs, in the order of the iterations */
} line_runs;

/* The dimension of home that divides an index, or NULL. */
static const dpc_dim *dividing(const dpc_space *s, int index) {
    const int k = s->home_dim[index];
    const dpc_dim *d = s->home == NULL || k < 0 ? NULL : &s->home->dim[k];
    return d != NULL && d->procs > 1 ? d : NULL;
}

static dpc_index count_runs(const dpc_dim *d, const dpc_access *access, dpc_index coordinate) {
    dpc_block_run r;
    dpc_index runs = 0;
    for (dpc_owned_runs(d, access, coordinate, &r); r.count > 0; dpc_next_block(&r)) runs++;
    return runs;
}

/* The coordinate whose next run comes first.  Most often it is the one behind the last one's. */
static int next_coordinate(const dpc_block_run *next, int coordinates, int last, dpc_index from) {
    const int guess = (last + 1) % coordinates;
    if (next[guess].count > 0 && next[guess].first == from) return guess;
    int found = -1;
    for (int q = 0; q < coordinates; q++)
        if (next[q].count > 0 && (found < 0 || next[q].first < next[found].first)) found = q;
    return found;
}

static void order_runs(line_runs *x, const dpc_dim *d, const dpc_access *access) {
    dpc_block_run *next = dpc_raw_buffer(x->coordinates, sizeof *next);
    dpc_index *number = dpc_buffer(x->coordinates, sizeof *number), from = 0;
    for (int q = 0; q < x->coordinates; q++) dpc_owned_runs(d, access, q, &next[q]);
    for (dpc_index k = 0, last = -1; k < x->runs; k++) {
        const int q = next_coordinate(next, x->coordinates, (int)last, from);
        x->place[k] = (run_place){q, number[q]++};
        from = next[q].first + next[q].count;
        dpc_next_block(&next[q]);
        last = q;
    }
    dpc_free_buffer(number);
    dpc_free_buffer(next);
}

static line_runs open_line(const dpc_space *s, int index) {
    const dpc_dim *d = dividing(s, index);
    line_runs x = {.coordinates = d == NULL ? 1 : (int)d->procs, .runs = 1};
    x.count = dpc_raw_buffer(x.coordinates, sizeof *x.count);
    x.count[0] = 1;
    if (d != NULL) {
        const dpc_access access = dpc_subscript_access(s, &s->home_subscript[s->home_dim[index]]);
        x.own = (int)s->home->coord[s->home_dim[index]];
        x.runs = 0;
        for (int q = 0; q < x.coordinates; q++) x.runs += x.count[q] = count_runs(d, &access, q);
        x.place = dpc_raw_buffer(dpc_maximum(x.runs, 1), sizeof *x.place);
        order_runs(&x, d, &access);
    }
    return x;
}

static void close_line(const line_runs *x) {
    if (x->place != NULL) dpc_free_buffer(x->place);
    dpc_free_buffer(x->count);
}

/* ---- Between the processes */

/* The parts of all processes along the index, one coordinate's behind the other's. */
static char *gather_parts(const scan *x, int index, const line_runs *line, dpc_index width, const char *parts) {
    const dpc_array *home = x->space->home;
    const int g = home->dim[x->space->home_dim[index]].grid_dim;
    bool along[DPC_MAX_RANK] = {false};
    int *counts = dpc_raw_buffer(line->coordinates, sizeof *counts),
        *at = dpc_raw_buffer(line->coordinates, sizeof *at);
    char *all = dpc_raw_buffer(dpc_maximum(line->runs * width, 1), x->size);
    if (line->runs * width > INT_MAX) dpc_fail(x->space->where, "a prefix operation exchanges more than 2^31 values");
    for (int q = 0, before = 0; q < line->coordinates; before += counts[q++]) {
        counts[q] = (int)(line->count[q] * width);
        at[q] = before;
    }
    along[g] = true;
    MPI_Datatype value;
    MPI_Type_contiguous((int)x->size, MPI_BYTE, &value);
    MPI_Type_commit(&value);
    dpc_begin_counting(x->space->where, DPC_COUNT_collectives);
    dpc_count_message(line->count[line->own] * width * x->size);
    MPI_Allgatherv(parts, counts[line->own], value, all, counts, at, value, dpc_grid_line(home->grid, along));
    dpc_end_counting();
    MPI_Type_free(&value);
    dpc_free_buffer(at);
    dpc_free_buffer(counts);
    return all;
}

/* parts: `width` values for each of this process's runs along the index; they become what is combined before these
 * runs. Returns what is combined of all. */
static char *scan_parts(const scan *x, int index, const line_runs *line, dpc_index width, char *parts) {
    const dpc_index bytes = width * x->size;
    char *sum = starts(x, width);
    if (width == 0) return sum;
    char *all = gather_parts(x, index, line, width, parts);
    dpc_index *before = dpc_buffer(line->coordinates, sizeof *before);
    for (int q = 1; q < line->coordinates; q++) before[q] = before[q - 1] + line->count[q - 1];
    for (dpc_index k = 0; k < line->runs; k++) {
        const run_place *p = &line->place[x->backwards ? line->runs - 1 - k : k];
        if (p->coordinate == line->own) memcpy(parts + p->number * bytes, sum, (size_t)bytes);
        add(x, width, sum, all + (before[p->coordinate] + p->number) * bytes);
    }
    dpc_free_buffer(before);
    dpc_free_buffer(all);
    return sum;
}

/* ---- This process's values */

/* Values as outer * along * width, `along` of them on the index. */
typedef struct {
    int index;
    dpc_index outer, along, width;
    char *values;
} local_values;

/* Combines the values of a run, which has `count` of them from `position` on. */
static void combine_run(const scan *x, const local_values *v, dpc_index position, dpc_index count, pass what,
                        char *parts) {
    const dpc_index from = x->backwards ? position + count - 1 : position, row = v->width * x->size;
    for (dpc_index o = 0; o < v->outer; o++)
        combine(x->op, x->type,
                &(rows){count, v->width, x->backwards ? -v->width : v->width, what,
                        v->values + (o * v->along + from) * row, parts + o * row});
}

static void combine_runs(const scan *x, const local_values *v, pass what, char *parts) {
    const dpc_index bytes = v->outer * v->width * x->size;
    for (dpc_run r = dpc_first_run(x->space, v->index); dpc_more(&r); dpc_next_run(x->space, v->index, &r)) {
        combine_run(x, v, r.position, r.count, what, parts);
        parts += bytes;
    }
}

/* How many iterations the indices before one have here. */
static dpc_index values_before(const dpc_space *s, int index) {
    dpc_index count = 1;
    for (int k = 0; k < index; k++) count *= s->owned[k];
    return count;
}

static bool is_here(const scan *x, int last) {
    for (int k = x->first; k <= last; k++)
        if (dividing(x->space, k) != NULL) return false;
    return true;
}

/* The values along indices first .. last are all here: they are one run. */
static void scan_here(const scan *x, local_values *v, pass what) {
    for (; v->index > x->first; v->index--) v->along *= x->space->owned[v->index - 1];
    v->outer = values_before(x->space, x->first);
    if (v->outer * v->along * v->width == 0) return;
    char *parts = starts(x, v->outer * v->width);
    combine_run(x, v, 0, v->along, what, parts);
    dpc_free_buffer(parts);
}

/* The parts of an undivided index: what is combined of it all, and no value before it. */
static char *whole_parts(const scan *x, dpc_index width, char *parts) {
    char *sum = starts(x, width);
    add(x, width, sum, parts);
    for (dpc_index k = 0; k < width; k++) memcpy(parts + k * x->size, x->start, (size_t)x->size);
    return sum;
}

static void scan_values(const scan *x, local_values v, pass what);

/* Puts what the rows before are combined to in front of the parts of each run. */
static void add_rows_before(const scan *x, const local_values *v, char *sums, dpc_index runs, char *parts) {
    const int index = v->index - 1;
    const dpc_index bytes = v->outer * x->size;
    scan_values(x, (local_values){index, values_before(x->space, index), x->space->owned[index], 1, sums}, EXCLUSIVE);
    char *sum = starts(x, v->outer);
    for (dpc_index k = 0; k < runs; k++, parts += bytes) {
        memcpy(sum, sums, (size_t)bytes);
        add(x, v->outer, sum, parts);
        memcpy(parts, sum, (size_t)bytes);
    }
    dpc_free_buffer(sum);
}

static void scan_values(const scan *x, local_values v, pass what) {
    if (is_here(x, v.index)) {
        scan_here(x, &v, what);
        return;
    }
    const bool divided = dividing(x->space, v.index) != NULL;
    const line_runs line = open_line(x->space, v.index);
    const dpc_index width = v.outer * v.width, runs = line.count[line.own];
    char *parts = starts(x, runs * width);
    combine_runs(x, &v, TOTAL, parts);
    char *sum = divided ? scan_parts(x, v.index, &line, width, parts) : whole_parts(x, width, parts);
    if (v.index > x->first) add_rows_before(x, &v, sum, runs, parts);
    combine_runs(x, &v, what, parts);
    dpc_free_buffer(sum);
    dpc_free_buffer(parts);
    close_line(&line);
}

static dpc_index size_of_type(dpc_type type) {
#define SIZE(enumerator, ctype, mpi) [enumerator] = sizeof(ctype),
    static const dpc_index sizes[DPC_TYPES] = {DPC_ELEMENT_TYPES(SIZE)};
    return sizes[type];
}

DPC_STEADY void dpc_scan(const dpc_space *s, int first, int last, dpc_prefix_kind kind, dpc_operation op, dpc_type type,
                         const void *start, void *values) {
    const bool backwards = kind == DPC_SUFFIX || kind == DPC_EXCLUSIVE_SUFFIX;
    const scan x = {s, first, backwards, op, type, size_of_type(type), start};
    local_values v = {last, values_before(s, last), s->owned[last], 1, values};
    for (int k = last + 1; k < s->own; k++) v.width *= s->owned[k];
    const bool any = s->active && values_before(s, first) * v.width > 0; /* the same on all who exchange parts */
    if (any) scan_values(&x, v, kind == DPC_PREFIX || kind == DPC_SUFFIX ? INCLUSIVE : EXCLUSIVE);
}

DPC_STEADY void dpc_scan_on(const dpc_space *s, dpc_operation op, dpc_type type, const void *start, const void *total,
                            void *values) {
    const scan x = {s, 0, false, op, type, size_of_type(type), start};
    if (!s->active || dividing(s, 0) == NULL) return;
    const line_runs line = open_line(s, 0);
    const dpc_index count = values_before(s, s->own);
    char *before = starts(&x, 1);
    if (count > 0) memcpy(before, total, (size_t)x.size);
    dpc_free_buffer(scan_parts(&x, 0, &line, 1, before));
    if (count > 0 && line.place[0].coordinate != line.own)
        combine(op, type, &(rows){count, 1, 1, BEFORE, values, before});
    dpc_free_buffer(before);
    close_line(&line);
}

/* ---- In the order of the iterations */

/* Values of indices that are all here, or this process's part of them: extent[k] along index k, row-major. */
typedef struct {
    const scan *scan;
    dpc_index extent[DPC_MAX_RANK];
    char *values;
} ordered;

static dpc_index product_of(const dpc_index *extent, int from, int to) {
    dpc_index product = 1;
    for (int k = from; k < to; k++) product *= extent[k];
    return product;
}

static dpc_index iterations_of(const dpc_dim *d, const dpc_access *access, dpc_index coordinate) {
    dpc_block_run r;
    dpc_index count = 0;
    for (dpc_owned_runs(d, access, coordinate, &r); r.count > 0; dpc_next_block(&r)) count += r.count;
    return count;
}

/* Copies a coordinate's values along an index, `part` by `part` side by side, to their places among all, or (back) from
 * there. row: bytes of what one iteration of the index has further in. */
static void place_part(const ordered *x, int index, dpc_index coordinate, char *part, char *all, bool back) {
    const dpc_space *s = x->scan->space;
    const dpc_dim *d = dividing(s, index);
    const dpc_access access = dpc_subscript_access(s, &s->home_subscript[s->home_dim[index]]);
    const dpc_index outer = product_of(x->extent, 0, index), count = iterations_of(d, &access, coordinate),
                    row = product_of(x->extent, index + 1, s->own) * x->scan->size, total = s->count[index];
    dpc_block_run r;
    dpc_index position = 0;
    for (dpc_owned_runs(d, &access, coordinate, &r); r.count > 0; position += r.count, dpc_next_block(&r))
        for (dpc_index o = 0; o < outer; o++) {
            char *one = part + (o * count + position) * row, *other = all + (o * total + r.first) * row;
            memcpy(back ? one : other, back ? other : one, (size_t)(r.count * row));
        }
}

/* The processes along an index exchange what they have of it. */
static void gather_index(ordered *x, int index) {
    const dpc_space *s = x->scan->space;
    const dpc_dim *d = dividing(s, index);
    const dpc_access access = dpc_subscript_access(s, &s->home_subscript[s->home_dim[index]]);
    const dpc_index width = product_of(x->extent, 0, index) * product_of(x->extent, index + 1, s->own);
    line_runs line = {.coordinates = (int)d->procs, .own = (int)s->home->coord[s->home_dim[index]]};
    line.count = dpc_raw_buffer(line.coordinates, sizeof *line.count);
    for (int q = 0; q < line.coordinates; q++) line.runs += line.count[q] = iterations_of(d, &access, q);
    char *parts = gather_parts(x->scan, index, &line, width, x->values), *from = parts;
    char *all = dpc_raw_buffer(dpc_maximum(s->count[index] * width, 1), x->scan->size);
    for (int q = 0; q < line.coordinates; from += line.count[q++] * width * x->scan->size)
        place_part(x, index, q, from, all, false);
    dpc_free_buffer(parts);
    dpc_free_buffer(x->values);
    close_line(&line);
    x->values = all;
    x->extent[index] = s->count[index];
}

/* What this process has of an index. */
static void leave_index(ordered *x, int index) {
    const dpc_space *s = x->scan->space;
    x->extent[index] = s->owned[index];
    char *own = dpc_raw_buffer(dpc_maximum(product_of(x->extent, 0, s->own), 1), x->scan->size);
    place_part(x, index, s->home->coord[s->home_dim[index]], own, x->values, true);
    dpc_free_buffer(x->values);
    x->values = own;
}

static void combine_ordered(const ordered *x, int last, pass what) {
    const dpc_space *s = x->scan->space;
    const int first = x->scan->first;
    const local_values v = {first, product_of(x->extent, 0, first), product_of(x->extent, first, last + 1),
                            product_of(x->extent, last + 1, s->own), x->values};
    char *parts = starts(x->scan, v.outer * v.width);
    combine_run(x->scan, &v, 0, v.along, what, parts);
    dpc_free_buffer(parts);
}

DPC_STEADY void dpc_scan_in_order(const dpc_space *s, int first, int last, dpc_prefix_kind kind, dpc_operation op,
                                  dpc_type type, const void *start, void *values) {
    const bool backwards = kind == DPC_SUFFIX || kind == DPC_EXCLUSIVE_SUFFIX;
    const scan x = {s, first, backwards, op, type, size_of_type(type), start};
    ordered all = {.scan = &x};
    if (!s->active) return;
    for (int k = 0; k < s->own; k++) all.extent[k] = s->owned[k];
    if (product_of(all.extent, 0, first) * product_of(all.extent, last + 1, s->own) == 0) return;
    const dpc_index bytes = product_of(all.extent, 0, s->own) * x.size;
    all.values = dpc_raw_buffer(dpc_maximum(bytes, 1), 1);
    if (bytes > 0) memcpy(all.values, values, (size_t)bytes);
    for (int k = first; k <= last; k++)
        if (dividing(s, k) != NULL) gather_index(&all, k);
    combine_ordered(&all, last, kind == DPC_PREFIX || kind == DPC_SUFFIX ? INCLUSIVE : EXCLUSIVE);
    for (int k = first; k <= last; k++)
        if (dividing(s, k) != NULL) leave_index(&all, k);
    if (bytes > 0) memcpy(values, all.values, (size_t)bytes);
    dpc_free_buffer(all.values);
}

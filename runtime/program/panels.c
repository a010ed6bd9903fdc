/* Panels: a reduction inside a statement, as sum(k, A[i][k] * B[k][j]), reads its operands a few values of its index at
 * a time.  An operand that is divided along that index is broadcast along one dimension of the grid, the next panel
 * while the program computes with the current one.  Source: van de Geijn and Watts, SUMMA, 1997.
 *
 * A row is what one value of the reduction's index selects: the elements of all positions of the operand's other index.
 * A panel is `depth` rows, the last one perhaps fewer. */
#include "program.h"

#include <string.h>

/* Elements at equal distances in storage. */
typedef struct {
    dpc_index place, step, count; /* of the first (elements of storage), to the next, how many */
} stretch;

/* A panel that is on its way, or used. */
typedef struct {
    char *buffer;       /* its rows, side by side; staging memory */
    char *arriving;     /* by_owner: the same in the order of their owners; staging memory */
    int *bytes, *place; /* by_owner: per owner, what it has and where that stands in `arriving` */
    const char *values;
    dpc_index first, rows; /* values of the reduction's index, counted from 0 */
    MPI_Request *request;
    int requests, room;
} panel;

struct dpc_panels {
    const char *where;
    bool active;      /* this process has or needs values */
    dpc_index size;   /* bytes per element */
    const char *base; /* of the first element of storage, invariant subscripts included */
    dpc_dim dim;      /* that the reduction's index subscripts */
    dpc_access access;
    dpc_index scale;        /* elements of storage per local index of it */
    dpc_index me;           /* this process's coordinate along it */
    stretch *part;          /* a row in storage, relative to its first element */
    dpc_index parts, width; /* elements in a row */
    dpc_index depth;
    bool in_place;
    bool by_owner;  /* blocks are small: one collective brings the rows of all owners */
    MPI_Comm line;  /* of the processes that the index divides; MPI_COMM_NULL: this one has all */
    dpc_index next; /* first row of the panel that comes next */
    panel slot[2];
    int current;
    dpc_transfer *transfer; /* that has brought the values; NULL: none */
};

/* ---- Where the rows stand */

/* Joins a stretch to the one before it where that goes on. */
static void add_part(dpc_panels *p, dpc_index *room, stretch x) {
    stretch *last = p->parts > 0 ? &p->part[p->parts - 1] : NULL;
    p->width += x.count;
    if (last != NULL && last->step == x.step && last->place + last->count * last->step == x.place) {
        last->count += x.count;
        return;
    }
    if (p->parts == *room) {
        stretch *more = dpc_raw_buffer(*room = 2 * *room + 1, sizeof *more);
        memcpy(more, p->part, (size_t)p->parts * sizeof *more);
        dpc_free_buffer(p->part);
        p->part = more;
    }
    p->part[p->parts++] = x;
}

/* The elements of a row: those of this process's coordinate along dimension d, -1: a single one. */
static void find_row(dpc_panels *p, const dpc_array *a, int d, const dpc_access *access) {
    dpc_index room = 1;
    p->part = dpc_raw_buffer(room, sizeof *p->part);
    if (d < 0) {
        add_part(p, &room, (stretch){0, 1, 1});
        return;
    }
    for (dpc_block_run r = dpc_first_block(&a->dim[d], access, a->coord[d]); r.count > 0; dpc_next_block(&r))
        add_part(p, &room, (stretch){r.local * a->stride[d], access->stride * a->stride[d], r.count});
}

static dpc_index down(const dpc_panels *p) {
    return p->access.stride * p->scale;
}

/* A row, which this process owns, in storage. */
static const char *row_place(const dpc_panels *p, dpc_index row) {
    const dpc_index local = dpc_local(&p->dim, p->access.first + row * p->access.stride);
    return p->base + local * p->scale * p->size;
}

/* Rows from `row` on that stand in one block, at most `most`. */
static dpc_index rows_of_owner(const dpc_panels *p, dpc_index row, dpc_index most) {
    return dpc_minimum(dpc_rest_of_block(&p->dim, &p->access, row), most);
}

static dpc_index owner_of(const dpc_panels *p, dpc_index row) {
    return dpc_owner(&p->dim, p->access.first + row * p->access.stride);
}

/* Copies of strided elements go by pieces of a few cache lines, which the next row finds in the cache. */
enum { PIECE = 16 };

/* Copies rows of one owner side by side. */
static void pack_rows(const dpc_panels *p, char *to, dpc_index row, dpc_index rows) {
    const char *from = row_place(p, row);
    for (dpc_index k = 0; k < p->parts; k++) {
        const stretch *x = &p->part[k];
        const dpc_index piece = x->step == 1 ? x->count : PIECE;
        for (dpc_index at = 0; at < x->count; at += piece)
            for (dpc_index r = 0; r < rows; r++)
                dpc_copy_run(to + (r * p->width + at) * p->size, 1,
                             from + (r * down(p) + x->place + at * x->step) * p->size, x->step,
                             dpc_minimum(piece, x->count - at), p->size);
        to += x->count * p->size;
    }
}

/* Whether the rows lie side by side in the owner's storage. */
static bool is_dense(const dpc_panels *p) {
    return p->parts == 1 && p->part[0].step == 1 && down(p) == p->width;
}

/* ---- A panel on its way */

static MPI_Request *new_request(panel *x) {
    if (x->requests == x->room) {
        MPI_Request *more = dpc_raw_buffer(x->room = 2 * x->room + 4, sizeof *more);
        if (x->requests > 0) memcpy(more, x->request, (size_t)x->requests * sizeof *more);
        dpc_free_buffer(x->request);
        x->request = more;
    }
    return &x->request[x->requests++];
}

/* Bytes go from one process of the line to all, in pieces that MPI's counts can express. */
static void start_broadcast(const dpc_panels *p, panel *x, char *bytes, dpc_index count, dpc_index root) {
    dpc_count_message(count);
    for (dpc_index at = 0; at < count; at += dpc_chunk())
        MPI_Ibcast(bytes + at, (int)dpc_minimum(count - at, dpc_chunk()), MPI_BYTE, (int)root, p->line, new_request(x));
}

/* The owners' rows, one broadcast for each block. */
static void start_broadcasts(const dpc_panels *p, panel *x) {
    const dpc_index row_bytes = p->width * p->size;
    for (dpc_index at = 0, rows; at < x->rows; at += rows) {
        const dpc_index root = owner_of(p, x->first + at);
        char *place = x->buffer + at * row_bytes;
        rows = rows_of_owner(p, x->first + at, x->rows - at);
        if (root == p->me && rows == x->rows && is_dense(p))
            x->values = place = (char *)row_place(p, x->first);
        else if (root == p->me)
            pack_rows(p, place, x->first + at, rows);
        start_broadcast(p, x, place, rows * row_bytes, root);
    }
}

/* How many bytes each owner has of the panel, and where they come: all of the first owner, then the next one's. */
static void find_counts(const dpc_panels *p, panel *x) {
    const dpc_index row_bytes = p->width * p->size, procs = p->dim.procs;
    memset(x->bytes, 0, (size_t)procs * sizeof *x->bytes);
    for (dpc_index at = 0, rows; at < x->rows; at += rows) {
        rows = rows_of_owner(p, x->first + at, x->rows - at);
        x->bytes[owner_of(p, x->first + at)] += (int)(rows * row_bytes);
    }
    x->place[0] = 0;
    for (dpc_index q = 1; q < procs; q++) x->place[q] = x->place[q - 1] + x->bytes[q - 1];
}

/* All owners' rows at once. */
static void start_gathering(const dpc_panels *p, panel *x) {
    find_counts(p, x);
    char *mine = x->arriving + x->place[p->me];
    for (dpc_index at = 0, rows; at < x->rows; at += rows) {
        rows = rows_of_owner(p, x->first + at, x->rows - at);
        if (owner_of(p, x->first + at) != p->me) continue;
        pack_rows(p, mine, x->first + at, rows);
        mine += rows * p->width * p->size;
    }
    dpc_count_message(x->bytes[p->me]);
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x->arriving, x->bytes, x->place, MPI_BYTE, p->line,
                    new_request(x));
}

/* Puts the rows, which have arrived by owners, in order. */
static void sort_rows(const dpc_panels *p, panel *x) {
    const dpc_index row_bytes = p->width * p->size;
    for (dpc_index at = 0, rows; at < x->rows; at += rows) {
        const dpc_index q = owner_of(p, x->first + at);
        rows = rows_of_owner(p, x->first + at, x->rows - at);
        memcpy(x->buffer + at * row_bytes, x->arriving + x->place[q], (size_t)(rows * row_bytes));
        x->place[q] += (int)(rows * row_bytes);
    }
}

/* Starts the next panel, if there is one. */
static void start_panel(dpc_panels *p, panel *x) {
    x->first = p->next;
    x->rows = dpc_minimum(p->depth, p->access.count - p->next);
    x->values = x->buffer;
    p->next += x->rows;
    if (x->rows == 0 || p->width == 0) return;
    if (p->line == MPI_COMM_NULL) {
        pack_rows(p, x->buffer, x->first, x->rows);
        return;
    }
    dpc_begin_counting(p->where, DPC_COUNT_collectives);
    if (p->by_owner)
        start_gathering(p, x);
    else
        start_broadcasts(p, x);
    dpc_end_counting();
}

static void finish_panel(const dpc_panels *p, panel *x) {
    if (x->requests == 0) return;
    dpc_begin_counting(p->where, DPC_COUNT_collectives);
    while (x->requests > 0) MPI_Wait(&x->request[--x->requests], MPI_STATUS_IGNORE);
    if (p->by_owner) sort_rows(p, x);
    dpc_end_counting();
}

/* ---- Operands */

/* Memory for two panels, and the first one starts. */
static dpc_panels *opened(dpc_panels *p, bool side_by_side) {
    const dpc_index bytes = dpc_minimum(p->depth, p->access.count) * p->width * p->size;
    p->in_place = p->line == MPI_COMM_NULL && p->parts <= 1 && (!side_by_side || p->width <= 1 || p->part[0].step == 1);
    if (p->in_place || !p->active) return p;
    p->by_owner = p->line != MPI_COMM_NULL && dpc_gathers_panels(&p->dim, &p->access, p->depth) && bytes <= dpc_chunk();
    for (int k = 0; k < 2; k++) {
        panel *x = &p->slot[k];
        x->buffer = dpc_take_staging(bytes, 1);
        if (!p->by_owner) continue;
        x->arriving = dpc_take_staging(bytes, 1);
        x->bytes = dpc_raw_buffer(2 * p->dim.procs, sizeof *x->bytes);
        x->place = x->bytes + p->dim.procs;
    }
    start_panel(p, &p->slot[0]);
    return p;
}

/* The line of the grid along dimension g. */
static MPI_Comm line_along(dpc_grid *grid, int g) {
    bool along[DPC_MAX_RANK] = {false};
    along[g] = true;
    return dpc_grid_line(grid, along);
}

/* The panels of an operand that lies in any way: all of it comes first. */
static dpc_panels *fetched_panels(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, int reduced,
                                  dpc_index depth, bool side_by_side) {
    int other = -1;
    for (int k = 0; k < a->rank; k++)
        if (subscripts[k].index >= 0 && subscripts[k].index != reduced) other = subscripts[k].index;
    dpc_transfer *t = dpc_fetch(s, a, subscripts);
    dpc_panels *p = dpc_open_block_panels(s, dpc_arrive(t), a->size, other, reduced, depth, side_by_side);
    p->transfer = t;
    return p;
}

dpc_panels *dpc_open_panels(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, int reduced,
                            dpc_index depth, bool side_by_side) {
    if (!dpc_is_along_grid(a) || !dpc_is_along_grid(s->home))
        return fetched_panels(s, a, subscripts, reduced, depth, side_by_side);
    dpc_panels *p = dpc_buffer(1, sizeof *p);
    int other = -1;
    dpc_index offset = 0;
    dpc_check(s, a, subscripts);
    *p = (dpc_panels){.where = s->where, .active = a->member, .size = a->size, .depth = depth, .line = MPI_COMM_NULL};
    for (int d = 0; d < a->rank; d++) {
        const dpc_access access = dpc_subscript_access(s, &subscripts[d]);
        if (subscripts[d].index < 0)
            offset += dpc_local(&a->dim[d], access.first) * a->stride[d];
        else if (subscripts[d].index != reduced)
            other = d;
        else {
            p->dim = a->dim[d];
            p->access = access;
            p->scale = a->stride[d];
            p->me = a->coord[d];
        }
    }
    if (p->dim.procs > 1) p->line = line_along(a->grid, p->dim.grid_dim);
    if (!p->active) return p;
    p->base = (const char *)a->local + offset * a->size;
    const dpc_access access = other < 0 ? (dpc_access){0, 0, 1} : dpc_subscript_access(s, &subscripts[other]);
    find_row(p, a, other, &access);
    return opened(p, side_by_side);
}

dpc_panels *dpc_open_block_panels(const dpc_space *s, const void *values, dpc_index size, int other, int reduced,
                                  dpc_index depth, bool side_by_side) {
    const dpc_index rows = s->mine[reduced], width = other < 0 ? 1 : s->mine[other];
    dpc_panels *p = dpc_buffer(1, sizeof *p);
    *p = (dpc_panels){.where = s->where, .active = true, .size = size, .depth = depth, .line = MPI_COMM_NULL};
    p->base = values;
    p->dim = dpc_whole_dim(rows);
    p->access = (dpc_access){0, 1, rows};
    p->scale = 1;
    p->part = dpc_raw_buffer(1, sizeof *p->part);
    p->part[p->parts++] = (stretch){0, dpc_maximum(rows, 1), width};
    p->width = width;
    return opened(p, side_by_side);
}

dpc_panel dpc_next_panel(dpc_panels *p) {
    if (!p->active || p->width == 0) return (dpc_panel){NULL, 0, 0};
    if (p->in_place) {
        const char *values = row_place(p, p->next) + p->part[0].place * p->size;
        p->next += p->depth;
        return (dpc_panel){values, down(p), p->part[0].step};
    }
    panel *x = &p->slot[p->current];
    finish_panel(p, x);
    p->current = 1 - p->current;
    start_panel(p, &p->slot[p->current]);
    return (dpc_panel){x->values, p->width, 1};
}

void dpc_close_panels(dpc_panels *p) {
    for (int k = 0; k < 2; k++) {
        panel *x = &p->slot[k];
        finish_panel(p, x);
        dpc_give_staging(x->buffer);
        dpc_give_staging(x->arriving);
        dpc_free_buffer(x->bytes);
        dpc_free_buffer(x->request);
    }
    dpc_release(p->transfer);
    dpc_free_buffer(p->part);
    dpc_free_buffer(p);
}

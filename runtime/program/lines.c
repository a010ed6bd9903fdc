/* Broadcasts that a time loop executes again: what depends on mappings and on which index stands where - the processes
 * along the grid, whom invariant subscripts decide, how many bytes lie from element to element - is found once for a
 * statement and a reference.  An execution finds the owners of its invariant subscripts, one division for each. */
#include "program.h"

#include <string.h>

/* Places of the table, by the address of the space; broadcasts that are kept; bytes of values that stay with one. */
enum { PLACES = 64, MOST_LINES = 128, MOST_BYTES = 1 << 18 };

/* A dimension of the array.  index: of the space, -1 if its subscript is invariant; what follows is about these.
 * home, beside: where home's dimension along the same one of the grid has an invariant subscript and the same owners,
 * this dimension of home, and its lower bound; else -1.  weight: of its owner in the root's rank, 0 if the values do
 * not go along it. */
typedef struct {
    int index, grid_dim, home, weight;
    dpc_index stride, lower, extent, block, procs, pitch, coord;
    dpc_index bytes; /* from one local index to the next */
    dpc_index beside;
} line_dim;

typedef struct line {
    const dpc_space *space;
    int64_t mapping, home_mapping;
    int rank, home_own;
    unsigned along; /* a bit per dimension of the grid: the values go to every coordinate */
    bool any;       /* to other processes */
    MPI_Comm comm;  /* theirs */
    bool in_use;    /* its transfer is */
    dpc_index size; /* of an element */
    dpc_index room; /* bytes of values */
    void *values;
    dpc_transfer transfer;
    struct line *next;
    line_dim dim[];
} line;

static line *lines[PLACES];
static int line_count;

static line **place_of(const dpc_space *s) {
    return &lines[(uintptr_t)s / sizeof(void *) % PLACES];
}

/* ---- Room */

static void free_idle_lines(void) {
    for (int k = 0; k < PLACES; k++)
        for (line **link = &lines[k]; *link != NULL;) {
            line *l = *link;
            if (l->in_use) {
                link = &l->next;
                continue;
            }
            *link = l->next;
            line_count--;
            dpc_give_staging(l->values);
            dpc_free_buffer(l);
        }
}

/* ---- Finding what stays */

static bool is_same_subscript(const line_dim *d, const dpc_subscript *u) {
    return d->index == u->index && (u->index < 0 || d->stride == u->stride);
}

DPC_STEADY static line *known_line(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    for (line *l = *place_of(s); l != NULL; l = l->next) {
        if (l->space != s || l->mapping != a->mapping || l->home_mapping != s->home_mapping || l->in_use) continue;
        int k = 0;
        while (k < l->rank && is_same_subscript(&l->dim[k], &subscripts[k])) k++;
        if (k == l->rank) return l;
    }
    return NULL;
}

/* Home's dimension along dimension g of the grid, whose subscript is invariant; -1: there is none. */
static int invariant_of_home(const dpc_space *s, const dpc_dim *dim) {
    for (int k = 0; s->home != NULL && k < s->home->rank; k++)
        if (s->home->dim[k].grid_dim == dim->grid_dim && s->home_subscript[k].index < 0 &&
            dpc_same_owners(&s->home->dim[k], dim))
            return k;
    return -1;
}

static line_dim dimension_of(const dpc_space *s, const dpc_array *a, int k, const dpc_subscript *u) {
    const dpc_dim *d = &a->dim[k];
    line_dim x = {.index = u->index, .stride = u->stride, .grid_dim = d->grid_dim, .home = -1};
    x.lower = d->lower;
    x.extent = d->extent;
    x.block = dpc_block(d);
    x.procs = d->procs;
    x.pitch = dpc_pitch(d);
    x.coord = a->coord[k];
    x.bytes = a->stride[k] * a->size;
    if (u->index < 0 && d->grid_dim >= 0) x.home = invariant_of_home(s, d);
    if (x.home >= 0) x.beside = s->home->dim[x.home].lower;
    return x;
}

/* Another mapping, home or subscript, and nothing that hinders.  Collective calls follow mappings, so that all
 * processes keep the same. */
static line *new_line(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    if (a->mapping == 0 || s->home_mapping == 0 || !a->member) return NULL;
    if (!dpc_is_along_grid(a) || !dpc_is_along_grid(s->home)) return NULL;
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].hidden != 0) return NULL;
    if (line_count == MOST_LINES) free_idle_lines();
    line *l = dpc_buffer(1, (dpc_index)(sizeof *l + (size_t)a->rank * sizeof l->dim[0]));
    dpc_at_finish(free_idle_lines);
    l->space = s;
    l->mapping = a->mapping;
    l->home_mapping = s->home_mapping;
    l->rank = a->rank;
    l->size = a->size;
    l->comm = MPI_COMM_NULL;
    for (int k = 0; k < a->rank; k++) l->dim[k] = dimension_of(s, a, k, &subscripts[k]);
    line **place = place_of(s);
    l->next = *place;
    line_count++;
    return *place = l;
}

/* The values go along these dimensions of the grid. */
static void choose_processes(line *l, dpc_grid *grid, unsigned set) {
    bool along[DPC_MAX_RANK] = {false};
    int weight = 1;
    l->along = set;
    for (int g = grid->rank - 1; g >= 0; g--) {
        along[g] = set >> g & 1;
        if (!along[g]) continue;
        for (int k = 0; k < l->rank; k++)
            if (l->dim[k].index < 0 && l->dim[k].grid_dim == g) l->dim[k].weight = weight;
        weight *= grid->extent[g];
    }
    for (int k = 0; k < l->rank; k++)
        if (l->dim[k].grid_dim < 0 || !along[l->dim[k].grid_dim]) l->dim[k].weight = 0;
    l->any = weight > 1;
    l->comm = l->any ? dpc_grid_line(grid, along) : MPI_COMM_NULL;
}

/* ---- An execution */

/* Who has the values (a rank of the line), and where in its local part, bytes; whether this process owns them, whether
 * it owns or needs them. */
typedef struct {
    int root;
    bool owns, takes_part;
    dpc_index place;
} origin;

/* Along a dimension of which home has the same element nothing moves. */
static inline bool goes_along(const line_dim *d, const dpc_space *s, dpc_index offset) {
    return d->home < 0 || s->home_subscript[d->home].offset - d->beside != offset;
}

/* false: an invariant subscript is outside the array. */
DPC_STEADY static bool find_origin(line *l, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                                   origin *o) {
    dpc_index owner[DPC_MAX_RANK];
    unsigned along = 0;
    *o = (origin){.takes_part = true, .owns = true};
    for (int k = 0; k < l->rank; k++) {
        const line_dim *d = &l->dim[k];
        if (d->index >= 0) continue;
        const dpc_index offset = subscripts[k].offset - d->lower;
        if (offset < 0 || offset >= d->extent) return false;
        if (d->grid_dim < 0) {
            o->place += offset * d->bytes;
            continue;
        }
        const dpc_index block = offset / d->block, cycle = block / d->procs;
        owner[k] = block - cycle * d->procs;
        o->place += (cycle * d->pitch + offset - block * d->block) * d->bytes;
        if (goes_along(d, s, offset))
            along |= 1u << d->grid_dim;
        else if (owner[k] != d->coord)
            o->takes_part = false;
        o->owns = o->owns && owner[k] == d->coord;
    }
    if (along != l->along) choose_processes(l, a->grid, along);
    for (int k = 0; k < l->rank; k++)
        if (l->dim[k].weight > 0) o->root += (int)owner[k] * l->dim[k].weight;
    return true;
}

DPC_STEADY static void send(const line *l, const origin *o, void *bytes, dpc_index count) {
    if (!l->any || !o->takes_part || count == 0) return;
    dpc_count_message(count);
    for (dpc_index at = 0; at < count; at += dpc_chunk())
        MPI_Bcast((char *)bytes + at, (int)dpc_minimum(count - at, dpc_chunk()), MPI_BYTE, o->root, l->comm);
}

/* Where the values come to. */
static void *room_for(line *l, dpc_index bytes) {
    l->transfer.stays = bytes <= MOST_BYTES;
    if (!l->transfer.stays) return dpc_take_staging(bytes, 1);
    if (bytes <= l->room && l->values != NULL) return l->values;
    dpc_give_staging(l->values);
    l->room = dpc_maximum(bytes, 2 * l->room);
    return l->values = dpc_take_staging(l->room, 1);
}

DPC_STEADY static line *line_of(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    line *l = known_line(s, a, subscripts);
    if (l == NULL) l = new_line(s, a, subscripts);
    if (l != NULL && !s->clip) dpc_check(s, a, subscripts);
    return l;
}

DPC_STEADY dpc_transfer *dpc_broadcast(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    origin o;
    line *l = line_of(s, a, subscripts);
    if (l == NULL || !find_origin(l, s, a, subscripts, &o)) return dpc_broadcast_once(s, a, subscripts);
    dpc_index bytes = l->size;
    for (int k = 0; k < l->rank; k++)
        if (l->dim[k].index >= 0) bytes *= s->owned[l->dim[k].index];
    l->in_use = true;
    l->transfer.buffer = room_for(l, bytes);
    l->transfer.here = true;
    l->transfer.in_use = &l->in_use;
    dpc_begin_counting(s->where, DPC_COUNT_collectives);
    if (o.owns && bytes > 0) dpc_pack_reference(s, a, subscripts, (const char *)a->local + o.place, l->transfer.buffer);
    send(l, &o, l->transfer.buffer, bytes);
    dpc_end_counting();
    return &l->transfer;
}

DPC_STEADY void *dpc_share_element(const dpc_space *s, const dpc_array *a, void *value,
                                   const dpc_subscript *subscripts) {
    origin o;
    line *l = line_of(s, a, subscripts);
    if (l == NULL) return dpc_share_element_once(s, a, value, subscripts);
    if (!find_origin(l, s, a, subscripts, &o)) return value;
    void *element = o.owns ? (char *)a->local + o.place : value;
    dpc_begin_counting(s->where, DPC_COUNT_collectives);
    send(l, &o, element, l->size);
    dpc_end_counting();
    return element;
}

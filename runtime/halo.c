/* Ghost cells: copies of the elements that neighbours own beside this process's block.  They are brought up to date
 * when a statement reads them after the array has changed; one message per neighbour holds the strips of all its
 * arrays.  A strip may come from several processes, where blocks are narrower than it.  Where corners are wanted, one
 * dimension follows the other and takes the ghost cells of those before along. */
#include "internal.h"

#include <string.h>

/* A box of an array's local part, ghost cells included, that is sent to or comes from a process. */
typedef struct {
    const dpc_array *array;
    int process;
    dpc_index first[DPC_MAX_RANK], extent[DPC_MAX_RANK]; /* local indices; -1 is the ghost cell before the first */
} strip;

/* The messages of one direction; the strips of a message stand side by side. */
typedef struct {
    strip *strip;
    dpc_index strips;
    dpc_index *first; /* per message: its first strip; one more at the end */
    dpc_mail mail;
    bool copied; /* every message has a buffer of its own */
} traffic;

struct dpc_refreshing {
    const char *where;
    int arrays;
    dpc_array **array;
    bool corners;
    int next; /* the dimension of the grid that follows */
    int last;
    dpc_index room; /* strips of one direction, at most */
    traffic in, out;
};

/* ---- Strips */

/* Ghost cells along dimension k that elements of the array stand for: as many as the array has there. */
static dpc_width ghosts(const dpc_array *a, int k) {
    const dpc_dim *d = &a->dim[k];
    if (a->halo[k].cyclic) return a->halo[k];
    const dpc_index before = d->block * a->coord[k], after = d->extent - before - a->extent[k];
    return (dpc_width){dpc_minimum(a->halo[k].low, before), dpc_minimum(a->halo[k].high, after), false};
}

/* The process needs nobody for its ghost cells along dimension k. */
static bool is_alone(const dpc_array *a, int k) {
    return a->halo[k].cyclic && a->dim[k].procs == 1;
}

/* Whether the ghost cells along dimension j are filled before those along k. */
static bool precedes(const dpc_array *a, int j, int k) {
    return is_alone(a, j) == is_alone(a, k) ? j < k : is_alone(a, j);
}

/* The box along the dimensions other than k: of those before it the ghost cells too, where corners are wanted. */
static strip across(const dpc_array *a, int k, bool corners) {
    strip s = {.array = a};
    for (int j = 0; j < a->rank; j++) {
        const dpc_width beside = corners && precedes(a, j, k) ? ghosts(a, j) : (dpc_width){0, 0, false};
        s.first[j] = -beside.low;
        s.extent[j] = beside.low + a->extent[j] + beside.high;
    }
    return s;
}

static int neighbour(const dpc_array *a, int k, dpc_index coordinate) {
    dpc_index at[DPC_MAX_RANK];
    for (int g = 0; g < a->grid->rank; g++) at[g] = a->grid->coord[g];
    at[a->dim[k].grid_dim] = coordinate;
    return dpc_grid_process(a->grid, at);
}

/* Adds elements first .. last (counted from the array's lower bound) along k, shared with `coordinate`. */
static void add_strip(traffic *t, strip box, int k, dpc_index first, dpc_index last, dpc_index coordinate) {
    const dpc_array *a = box.array;
    box.process = neighbour(a, k, coordinate);
    box.first[k] = first - a->dim[k].block * a->coord[k];
    box.extent[k] = last - first + 1;
    t->strip[t->strips++] = box;
}

static void copy_within(strip from, int k, dpc_index place);

/* The strips of one array along a cyclic dimension k; what goes to this process itself is copied at once. */
static void add_ring(dpc_refreshing *r, const dpc_array *a, int k) {
    const dpc_dim *d = &a->dim[k];
    const dpc_index mine = a->coord[k], ring = dpc_ring(d);
    const strip box = across(a, k, r->corners);
    dpc_ghost_strip s;
    for (int step = -1; step <= 1; step += 2)
        for (dpc_index steps = step;; steps += step) {
            const bool sends = dpc_ghosts_around(d, a->halo[k], mine, steps, &s);
            strip x = box;
            x.first[k] = s.first;
            x.extent[k] = s.count;
            if (sends && s.keeper == mine) {
                copy_within(x, k, s.place);
            } else if (sends) {
                x.process = neighbour(a, k, s.keeper);
                r->out.strip[r->out.strips++] = x;
            }
            const dpc_index owner = ((mine - steps) % ring + ring) % ring;
            const bool receives = dpc_ghosts_around(d, a->halo[k], owner, steps, &s);
            x.first[k] = s.place;
            x.extent[k] = s.count;
            if (receives && owner != mine) {
                x.process = neighbour(a, k, owner);
                r->in.strip[r->in.strips++] = x;
            }
            if (!sends && !receives) break;
        }
}

/* The strips of one array along dimension k. */
static void add_dimension(dpc_refreshing *r, const dpc_array *a, int k) {
    const dpc_dim *d = &a->dim[k];
    const dpc_index mine = a->coord[k];
    const strip box = across(a, k, r->corners);
    dpc_index first, last;
    if (a->halo[k].cyclic) add_ring(r, a, k);
    if (a->halo[k].cyclic || d->grid_dim < 0 || d->procs == 1) return;
    for (int step = -1; step <= 1; step += 2) {
        for (dpc_index q = mine + step; q >= 0 && q < d->procs; q += step) {
            if (!dpc_ghosts_kept(d, a->halo[k], mine, q, &first, &last)) break;
            add_strip(&r->out, box, k, first, last, q);
        }
        for (dpc_index q = mine + step; q >= 0 && q < d->procs; q += step) {
            if (!dpc_ghosts_kept(d, a->halo[k], q, mine, &first, &last)) break;
            add_strip(&r->in, box, k, first, last, q);
        }
    }
}

/* Strips of one direction that an array has, at most. */
static dpc_index most_strips(const dpc_array *a) {
    dpc_index most = 0;
    for (int k = 0; k < a->rank; k++)
        most += a->halo[k].cyclic ? a->halo[k].low + a->halo[k].high : dpc_minimum(a->dim[k].procs, (a->halo[k].low + a->halo[k].high) / a->dim[k].block + 4);
    return most;
}

/* ---- Messages */

static dpc_index strip_elements(const strip *s) {
    dpc_index elements = 1;
    for (int k = 0; k < s->array->rank; k++) elements *= s->extent[k];
    return elements;
}

static char *strip_place(const strip *s) {
    dpc_index offset = 0;
    for (int k = 0; k < s->array->rank; k++) offset += s->first[k] * s->array->stride[k];
    return (char *)s->array->local + offset * s->array->size;
}

/* Whether the strip's elements lie side by side. */
static bool is_contiguous(const strip *s) {
    dpc_index side_by_side = 1;
    for (int k = s->array->rank - 1; k >= 0; k--) {
        if (s->extent[k] > 1 && s->array->stride[k] != side_by_side) return false;
        side_by_side *= s->extent[k];
    }
    return true;
}

/* Copies dimensions k and further between the local part and a buffer; returns the end of the buffer's part. */
static char *copy_strip(const strip *s, int k, char *place, char *buffer, bool pack) {
    const dpc_array *a = s->array;
    int rest = k + 1;
    while (rest < a->rank && s->extent[rest] == 1) rest++;
    if (rest < a->rank) {
        for (dpc_index x = 0; x < s->extent[k]; x++)
            buffer = copy_strip(s, k + 1, place + x * a->stride[k] * a->size, buffer, pack);
        return buffer;
    }
    if (pack)
        dpc_copy_run(buffer, 1, place, a->stride[k], s->extent[k], a->size);
    else
        dpc_copy_run(place, a->stride[k], buffer, 1, s->extent[k], a->size);
    return buffer + s->extent[k] * a->size;
}

/* Copies a strip of this process to its own ghost cells from local index `place` along k. */
static void copy_within(strip from, int k, dpc_index place) {
    char *buffer = dpc_take_staging(strip_elements(&from), from.array->size);
    copy_strip(&from, 0, strip_place(&from), buffer, true);
    from.first[k] = place;
    copy_strip(&from, 0, strip_place(&from), buffer, false);
    dpc_give_staging(buffer);
}

/* Makes messages of the strips: those of one process in the order in which they were added. */
static void make_messages(traffic *t, int tag) {
    dpc_index messages = 0;
    for (dpc_index k = 1; k < t->strips; k++) { /* few: insertion sort */
        const strip moved = t->strip[k];
        dpc_index at = k;
        for (; at > 0 && t->strip[at - 1].process > moved.process; at--) t->strip[at] = t->strip[at - 1];
        t->strip[at] = moved;
    }
    for (dpc_index k = 0; k < t->strips; k++)
        if (k == 0 || t->strip[k].process != t->strip[k - 1].process) t->first[messages++] = k;
    t->first[messages] = t->strips;
    t->mail = dpc_open_mail(tag, messages);
    for (dpc_index m = 0; m < messages; m++) {
        dpc_message *message = &t->mail.message[m];
        message->process = t->strip[t->first[m]].process;
        for (dpc_index k = t->first[m]; k < t->first[m + 1]; k++)
            message->bytes += strip_elements(&t->strip[k]) * t->strip[k].array->size;
        if (!t->copied && t->first[m + 1] - t->first[m] == 1 && is_contiguous(&t->strip[t->first[m]]))
            message->data = strip_place(&t->strip[t->first[m]]);
        else
            dpc_message_buffer(&t->mail, m);
    }
}

static void copy_message(const traffic *t, dpc_index m, bool pack) {
    char *buffer = t->mail.message[m].buffer;
    if (buffer == NULL) return;
    for (dpc_index k = t->first[m]; k < t->first[m + 1]; k++)
        buffer = copy_strip(&t->strip[k], 0, strip_place(&t->strip[k]), buffer, pack);
}

/* ---- Phases: all dimensions at once, or one after the other */

static void start_phase(dpc_refreshing *r) {
    const int tag = dpc_next_tag();
    const int first = r->next, last = r->corners ? r->next : r->last;
    r->in.strips = r->out.strips = 0;
    for (int k = 0; k < r->arrays; k++)
        for (int d = 0; d < r->array[k]->rank; d++) {
            const int g = r->array[k]->dim[d].grid_dim;
            if (g >= first && g <= last && r->array[k]->elements > 0 && !is_alone(r->array[k], d))
                add_dimension(r, r->array[k], d);
        }
    r->next = last + 1;
    make_messages(&r->in, tag);
    make_messages(&r->out, tag);
    for (dpc_index m = 0; m < r->in.mail.count; m++) dpc_post_receive(&r->in.mail, m);
    for (dpc_index m = 0; m < r->out.mail.count; m++) {
        copy_message(&r->out, m, true);
        dpc_post_send(&r->out.mail, m);
    }
    if (dpc_statistics)
        for (dpc_index k = 0; k < r->out.strips; k++) dpc_note(DPC_COUNT_elements, strip_elements(&r->out.strip[k]));
}

static void end_phase(dpc_refreshing *r) {
    for (dpc_index m; (m = dpc_next_arrival(&r->in.mail)) >= 0;) copy_message(&r->in, m, false);
    dpc_wait_mail(&r->out.mail);
    dpc_close_mail(&r->in.mail);
    dpc_close_mail(&r->out.mail);
}

static traffic open_traffic(dpc_index room) {
    return (traffic){.strip = dpc_take_staging(room, sizeof(strip)),
                     .first = dpc_take_staging(room + 1, sizeof(dpc_index))};
}

static void close_traffic(traffic *t) {
    dpc_give_staging(t->strip);
    dpc_give_staging(t->first);
}

/* The array has neighbours whose elements it keeps. */
static bool has_ghosts(const dpc_array *a) {
    for (int k = 0; k < a->rank; k++)
        if (a->halo[k].low + a->halo[k].high > 0) return true;
    return false;
}

static dpc_refreshing *refresh(const char *where, int arrays, dpc_array *const *array, bool copied) {
    bool all_fresh = true;
    for (int k = 0; k < arrays; k++) all_fresh = all_fresh && (array[k]->fresh || !has_ghosts(array[k]));
    if (all_fresh) return NULL;
    dpc_begin_counting(where, DPC_COUNT_messages);
    dpc_refreshing *r = dpc_take_staging(1, sizeof *r);
    *r = (dpc_refreshing){.where = where, .array = dpc_take_staging(arrays, sizeof *r->array)};
    for (int k = 0; k < arrays; k++) {
        if (array[k]->fresh || !has_ghosts(array[k])) continue;
        array[k]->fresh = true;
        r->array[r->arrays++] = array[k];
        r->corners = r->corners || array[k]->corners;
        r->last = (int)dpc_maximum(r->last, array[k]->grid->rank - 1);
        r->room += most_strips(array[k]);
    }
    r->in = open_traffic(r->room);
    r->out = open_traffic(r->room);
    r->out.copied = copied;
    for (int k = 0; k < r->arrays; k++)
        for (int d = 0; d < r->array[k]->rank; d++)
            if (is_alone(r->array[k], d) && r->array[k]->elements > 0) add_ring(r, r->array[k], d);
    start_phase(r);
    dpc_end_counting();
    return r;
}

dpc_refreshing *dpc_refresh(const char *where, int arrays, dpc_array *const *array) {
    return refresh(where, arrays, array, false);
}

dpc_refreshing *dpc_refresh_copied(const char *where, int arrays, dpc_array *const *array) {
    return refresh(where, arrays, array, true);
}

void dpc_end_refresh(dpc_refreshing *r) {
    if (r == NULL) return;
    dpc_begin_counting(r->where, DPC_COUNT_messages);
    end_phase(r);
    while (r->next <= r->last) {
        start_phase(r);
        end_phase(r);
    }
    dpc_end_counting();
    close_traffic(&r->in);
    close_traffic(&r->out);
    dpc_give_staging(r->array);
    dpc_give_staging(r);
}

/* ---- Boxes: what can be computed before the ghost cells have come, then the rest */

/* My iterations of an index (counted from 0) that read, `reach` beyond, only owned elements and ghost cells that no
 * element stands for: low .. high. */
static void find_inside(dpc_box *b, int index, dpc_width reach) {
    const dpc_space *s = b->space;
    const int k = s->home_dim[index];
    b->low[index] = 0;
    b->high[index] = s->mine[index] - 1;
    if (b->refresh == NULL || k < 0 || s->mine[index] == 0) return;
    const dpc_run run = dpc_first_run(s, index);
    const bool around = reach.cyclic && s->home->dim[k].procs > 1;
    const bool before = around || s->home->coord[k] > 0, after = around || s->home->coord[k] < s->home->dim[k].procs - 1;
    dpc_index step = run.local_step;
    const dpc_index least = before ? reach.low : 0, most = s->home->extent[k] - 1 - (after ? reach.high : 0);
    if (step == 0) return;
    /* least <= local + j * step <= most */
    const dpc_index from = step > 0 ? least - run.local : run.local - most,
                    to = step > 0 ? most - run.local : run.local - least;
    step = dpc_magnitude(step);
    b->low[index] = dpc_maximum(0, dpc_ceiling(from, step));
    b->high[index] = dpc_minimum(b->high[index], dpc_floor(to, step));
}

/* Index values of my iterations low .. high. */
static void set_range(dpc_box *b, int index, dpc_index low, dpc_index high) {
    const dpc_range *range = &b->space->range[index];
    const dpc_run run = dpc_first_run(b->space, index);
    b->first[index] = run.first + low * range->stride;
    b->last[index] = run.first + high * range->stride;
}

static bool is_inside_empty(const dpc_box *b) {
    for (int k = 0; k < b->space->rank; k++)
        if (b->low[k] > b->high[k]) return true;
    return false;
}

/* The border box number n: below or above the inside along index n / 2, inside along those before it.  False: empty. */
static bool border(dpc_box *b, int n) {
    const int index = n / 2;
    const dpc_index all = b->space->mine[index] - 1;
    for (int k = 0; k < b->space->rank; k++)
        if (k < index)
            set_range(b, k, b->low[k], b->high[k]);
        else
            set_range(b, k, 0, b->space->mine[k] - 1);
    set_range(b, index, n % 2 ? b->high[index] + 1 : 0, n % 2 ? all : b->low[index] - 1);
    return b->first[index] <= b->last[index];
}

dpc_box dpc_first_box(const dpc_space *s, dpc_refreshing *r, const dpc_width *reach) {
    dpc_box b = {.space = s, .refresh = r, .more = true};
    for (int k = 0; k < s->rank; k++) find_inside(&b, k, reach[k]);
    if (is_inside_empty(&b)) { /* all is border, as one box */
        for (int k = 0; k < s->rank; k++) set_range(&b, k, 0, s->mine[k] - 1);
        dpc_end_refresh(b.refresh);
        b.refresh = NULL;
        b.next = 2 * s->rank;
        return b;
    }
    for (int k = 0; k < s->rank; k++) set_range(&b, k, b.low[k], b.high[k]);
    if (r == NULL) b.next = 2 * s->rank;
    return b;
}

void dpc_next_box(dpc_box *b) {
    dpc_end_refresh(b->refresh);
    b->refresh = NULL;
    b->more = false;
    while (b->next < 2 * b->space->rank)
        if (border(b, b->next++)) {
            b->more = true;
            return;
        }
}

/* Ghost cells: copies of the elements that neighbours own beside this process's block.  They are brought up to date
 * when a statement reads them after the array has changed; one message per neighbour holds the strips of all its
 * arrays.  A strip may come from several processes, where blocks are narrower than it.  Strips (ghosts.c), messages and
 * their buffers are found once for arrays that are mapped alike, and kept. */
#include "../base/cost.h"
#include "ghosts.h"

#include <string.h>

typedef dpc_ghost_strip strip;

/* The messages of one direction; the strips of a message stand side by side. */
typedef struct {
    strip *strip;
    dpc_index strips;
    dpc_index *first; /* per message: its first strip; one more at the end */
    dpc_mail mail;    /* a message without a buffer lies in its array */
    bool copied;      /* every message has a buffer */
} traffic;

/* What goes along one dimension of the grid, or along all at once. */
typedef struct {
    dpc_ghost_copy *copy; /* done first */
    dpc_index copies;
    traffic in, out;
} phase;

typedef struct refresh {
    dpc_refreshing public; /* the first member: one is the other; the messages of the first phase */
    int arrays;
    int64_t *mapping; /* per array */
    int phases;
    phase phase[DPC_MAX_RANK];
    bool copied; /* what is sent is copied first */
    int planes;  /* first dimensions of which the only array has one value */

    const char *where; /* this and the rest: of the execution */
    dpc_array **array;
    dpc_array plane; /* the array, where it is a part of another one */
    bool busy;
    int next; /* the phase that follows */
    struct refresh *older;
} refresh;

static dpc_index strip_elements(const refresh *r, const strip *s) {
    dpc_index elements = 1;
    for (int k = 0; k < r->array[s->array]->rank; k++) elements *= dpc_teeth_elements(&s->along[k]);
    return elements;
}

/* ---- Messages */

static char *strip_place(const refresh *r, const strip *s) {
    const dpc_array *a = r->array[s->array];
    dpc_index offset = 0;
    for (int k = 0; k < a->rank; k++) offset += s->along[k].first * a->stride[k];
    return (char *)a->local + offset * a->size;
}

/* Whether the strip's elements lie side by side. */
static bool is_contiguous(const dpc_array *a, const strip *s) {
    dpc_index side_by_side = 1;
    for (int k = a->rank - 1; k >= 0; k--) {
        const dpc_teeth *x = &s->along[k];
        if (x->blocks > 1 || (x->extent > 1 && a->stride[k] != side_by_side)) return false;
        side_by_side *= x->extent;
    }
    return true;
}

/* Copies n elements between the local part and a buffer; returns the end of the buffer's part.  stride: in the local
 * part, elements. */
static char *copy_elements(const dpc_array *a, char *place, dpc_index stride, dpc_index n, char *buffer, bool pack) {
    if (pack)
        dpc_copy_run(buffer, 1, place, stride, n, a->size);
    else
        dpc_copy_run(place, stride, buffer, 1, n, a->size);
    return buffer + n * a->size;
}

/* A few elements of many blocks: the first of every block, then the second ones, .... */
static char *copy_comb(const dpc_array *a, const dpc_teeth *x, int k, char *place, char *buffer, bool pack) {
    for (dpc_index e = 0; e < x->extent; e++) {
        const dpc_index blocks = e < x->extent - x->missing ? x->blocks : x->blocks - 1;
        char *first = place + e * a->stride[k] * a->size;
        buffer = copy_elements(a, first, x->pitch * a->stride[k], blocks, buffer, pack);
    }
    return buffer;
}

/* Copies dimensions k and further. */
DPC_STEADY static char *copy_box(const dpc_array *a, const strip *s, int k, char *place, char *buffer, bool pack) {
    const dpc_teeth *x = &s->along[k];
    int rest = k + 1;
    while (rest < a->rank && dpc_teeth_elements(&s->along[rest]) == 1) rest++;
    if (rest == a->rank && x->extent < x->blocks) return copy_comb(a, x, k, place, buffer, pack);
    for (dpc_index block = 0; block < x->blocks; block++, place += x->pitch * a->stride[k] * a->size) {
        const dpc_index extent = x->extent - (block == x->blocks - 1 ? x->missing : 0);
        if (rest == a->rank) buffer = copy_elements(a, place, a->stride[k], extent, buffer, pack);
        for (dpc_index e = 0; rest < a->rank && e < extent; e++)
            buffer = copy_box(a, s, k + 1, place + e * a->stride[k] * a->size, buffer, pack);
    }
    return buffer;
}

static char *copy_strip(const refresh *r, const strip *s, char *buffer, bool pack) {
    return copy_box(r->array[s->array], s, 0, strip_place(r, s), buffer, pack);
}

static void copy_within(const refresh *r, const dpc_ghost_copy *c) {
    char *buffer = dpc_take_staging(strip_elements(r, &c->from), r->array[c->from.array]->size);
    copy_strip(r, &c->from, buffer, true);
    copy_strip(r, &c->to, buffer, false);
    dpc_give_staging(buffer);
}

/* Makes messages of the strips: those of one process in the order in which they were added. */
static void make_messages(const refresh *r, traffic *t) {
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
    t->mail = dpc_open_mail(0, messages);
    for (dpc_index m = 0; m < messages; m++) {
        const strip *s = &t->strip[t->first[m]];
        dpc_message *message = &t->mail.message[m];
        message->process = s->process;
        for (dpc_index k = t->first[m]; k < t->first[m + 1]; k++)
            message->bytes += strip_elements(r, &t->strip[k]) * r->array[t->strip[k].array]->size;
        if (t->copied || t->first[m + 1] - t->first[m] > 1 || !is_contiguous(r->array[s->array], s))
            dpc_message_buffer(&t->mail, m);
    }
}

DPC_STEADY static void copy_message(const refresh *r, const traffic *t, dpc_index m, bool pack) {
    char *buffer = t->mail.message[m].buffer;
    if (buffer == NULL) return;
    for (dpc_index k = t->first[m]; k < t->first[m + 1]; k++) buffer = copy_strip(r, &t->strip[k], buffer, pack);
}

/* Where the message lies in this execution. */
static void place_message(const refresh *r, traffic *t, dpc_index m) {
    dpc_message *message = &t->mail.message[m];
    if (message->buffer == NULL) message->data = strip_place(r, &t->strip[t->first[m]]);
}

/* ---- Refreshes, latest used first */

enum { MOST_REFRESHES = 64 };

static refresh *refreshes;

static traffic open_traffic(const refresh *r, const dpc_ghost_strips *x, bool copied) {
    traffic t = {
        .strip = x->strip, .strips = x->strips, .first = dpc_buffer(x->strips + 1, sizeof *t.first), .copied = copied};
    make_messages(r, &t);
    return t;
}

static void close_traffic(traffic *t) {
    dpc_close_mail(&t->mail);
    dpc_free_buffer(t->strip);
    dpc_free_buffer(t->first);
}

static void free_refresh(refresh *r) {
    for (int p = 0; p < r->phases; p++) {
        close_traffic(&r->phase[p].in);
        close_traffic(&r->phase[p].out);
        dpc_free_buffer(r->phase[p].copy);
    }
    dpc_free_buffer(r->mapping);
    dpc_free_buffer(r->array);
    dpc_free_buffer(r);
}

/* Frees those longest not used until at most `most` are left; not those under way. */
static void keep(dpc_index most) {
    for (refresh **link = &refreshes; *link != NULL;) {
        refresh *r = *link;
        if (most > 0 || r->busy) {
            most--;
            link = &r->older;
            continue;
        }
        *link = r->older;
        free_refresh(r);
    }
}

static void free_refreshes(void) {
    keep(0);
}

static phase open_phase(const refresh *r, int p) {
    dpc_ghost_phase found;
    dpc_find_ghosts(r->arrays, r->array, r->phases, p, &found);
    return (phase){found.copy, found.copies, open_traffic(r, &found.in, false), open_traffic(r, &found.out, r->copied)};
}

static refresh *make_refresh(int arrays, dpc_array *const *array, int planes, bool copied) {
    refresh *r = dpc_buffer(1, sizeof *r);
    r->arrays = arrays;
    r->copied = copied;
    r->planes = planes;
    r->array = dpc_buffer(arrays, sizeof *r->array);
    r->mapping = dpc_buffer(arrays, sizeof *r->mapping);
    for (int k = 0; k < arrays; k++) {
        r->array[k] = array[k];
        r->mapping[k] = array[k]->mapping;
    }
    r->phases = dpc_ghost_phases(arrays, array);
    for (int p = 0; p < r->phases; p++) r->phase[p] = open_phase(r, p);
    dpc_add_count(DPC_COUNT_spaces, 1);
    return r;
}

/* It is for arrays that are mapped as these, and not under way. */
static bool serves(const refresh *r, int arrays, dpc_array *const *array, int planes, bool copied) {
    if (r->busy || r->arrays != arrays || r->planes != planes || r->copied != copied) return false;
    for (int k = 0; k < arrays; k++)
        if (r->mapping[k] != array[k]->mapping || r->mapping[k] == 0) return false;
    return true;
}

static refresh *find_refresh(int arrays, dpc_array *const *array, int planes, bool copied) {
    refresh **link = &refreshes;
    while (*link != NULL && !serves(*link, arrays, array, planes, copied)) link = &(*link)->older;
    refresh *r = *link;
    if (r == NULL) {
        r = make_refresh(arrays, array, planes, copied);
        dpc_at_finish(free_refreshes);
    } else {
        *link = r->older;
        memcpy(r->array, array, (size_t)arrays * sizeof *array);
    }
    if (planes > 0) {
        r->plane = *array[0];
        r->array[0] = &r->plane;
    }
    r->older = refreshes;
    return refreshes = r;
}

/* ---- Phases: all dimensions at once, or one after the other */

/* What lies on this process alone is copied, and what is sent is packed. */
DPC_STEADY static void prepare_phase(refresh *r) {
    phase *p = &r->phase[r->next];
    p->in.mail.tag = p->out.mail.tag = dpc_next_tag();
    for (dpc_index k = 0; k < p->copies; k++) copy_within(r, &p->copy[k]);
    for (dpc_index m = 0; m < p->in.mail.count; m++) place_message(r, &p->in, m);
    for (dpc_index m = 0; m < p->out.mail.count; m++) {
        place_message(r, &p->out, m);
        copy_message(r, &p->out, m, true);
    }
#ifndef DPC_STANDALONE
    if (dpc_statistics)
        for (dpc_index k = 0; k < p->out.strips; k++) dpc_note(DPC_COUNT_elements, strip_elements(r, &p->out.strip[k]));
#endif
}

static bool have_one_type(const refresh *r) {
    for (int k = 1; k < r->arrays; k++)
        if (r->array[k]->type != r->array[0]->type) return false;
    return true;
}

/* The first phase's messages are the program's to post. */
DPC_STEADY static void list_phase(refresh *r) {
    phase *p = &r->phase[r->next];
    const bool one = have_one_type(r);
    const MPI_Datatype type = one ? dpc_mpi_type(r->array[0]->type) : MPI_BYTE;
    const dpc_index size = one ? r->array[0]->size : 1;
    for (dpc_index m = 0; m < p->in.mail.count; m++) dpc_describe_message(&p->in.mail, m, type, size);
    for (dpc_index m = 0; m < p->out.mail.count; m++) {
        dpc_describe_message(&p->out.mail, m, type, size);
        dpc_count_message_to(p->out.mail.message[m].process, p->out.mail.message[m].bytes);
    }
    r->public.from = p->in.mail.message;
    r->public.from_end = r->public.from + p->in.mail.count;
    r->public.to = p->out.mail.message;
    r->public.to_end = r->public.to + p->out.mail.count;
    r->public.tag = p->in.mail.tag;
}

DPC_STEADY static void start_phase(refresh *r) {
    prepare_phase(r);
    phase *p = &r->phase[r->next];
    for (dpc_index m = 0; m < p->in.mail.count; m++) dpc_post_receive(&p->in.mail, m);
    for (dpc_index m = 0; m < p->out.mail.count; m++) dpc_post_send(&p->out.mail, m);
}

DPC_STEADY static void end_phase(refresh *r) {
    phase *p = &r->phase[r->next++];
    dpc_wait_mail(&p->in.mail);
    for (dpc_index m = 0; m < p->in.mail.count; m++) copy_message(r, &p->in, m, false);
    dpc_wait_mail(&p->out.mail);
}

/* No ghost cell is out of date. */
static dpc_refreshing nothing;

/* The array has neighbours whose elements it keeps. */
static bool has_halo(const dpc_array *a) {
    for (int k = 0; k < a->rank; k++)
        if (a->halo[k].low + a->halo[k].high > 0) return true;
    return false;
}

DPC_STEADY static dpc_refreshing *start(const char *where, int arrays, dpc_array *const *array, int planes,
                                        bool copied) {
    dpc_begin_counting(where, DPC_COUNT_messages);
    refresh *r = find_refresh(arrays, array, planes, copied);
    r->where = where;
    r->busy = true;
    r->next = 0;
    prepare_phase(r);
    list_phase(r);
    dpc_end_counting();
    return &r->public;
}

DPC_STEADY static dpc_refreshing *find_and_start(const char *where, int arrays, dpc_array *const *array, bool copied) {
    dpc_array *stale[arrays];
    int count = 0;
    for (int k = 0; k < arrays; k++) {
        if (array[k]->fresh || !has_halo(array[k])) continue;
        array[k]->fresh = true;
        stale[count++] = array[k];
    }
    return count == 0 ? &nothing : start(where, count, stale, 0, copied);
}

DPC_STEADY dpc_refreshing *dpc_refresh(const char *where, int arrays, dpc_array *const *array) {
    return find_and_start(where, arrays, array, false);
}

dpc_refreshing *dpc_refresh_copied(const char *where, int arrays, dpc_array *const *array) {
    return find_and_start(where, arrays, array, true);
}

/* The number of the plane, from 1; 0: the array has none there, or its ghost cells belong to several. */
static dpc_index plane_number(const dpc_array *a, int dimensions, const dpc_index *at) {
    dpc_index number = 0;
    for (int d = 0; d < dimensions; d++) {
        const bool whole = a->dim[d].procs == 1 && a->halo[d].low + a->halo[d].high == 0 && !a->beside[d];
        if (!whole || !dpc_holds(&a->dim[d], at[d])) return 0;
        number = number * a->dim[d].extent + at[d] - a->dim[d].lower;
    }
    return number + 1;
}

DPC_STEADY dpc_refreshing *dpc_refresh_plane(const char *where, dpc_array *array, bool copied, int dimensions,
                                             const dpc_index *at) {
    const dpc_index number = plane_number(array, dimensions, at);
    if (number == 0 || array->fresh || !has_halo(array)) return find_and_start(where, 1, &array, copied);
    if (array->plane == number && array->plane_contents == array->contents) return &nothing;
    array->plane = number;
    array->plane_contents = array->contents;
    dpc_array plane = *array;
    for (int d = 0; d < dimensions; d++) {
        plane.local = (char *)plane.local + (at[d] - array->dim[d].lower) * array->stride[d] * array->size;
        plane.extent[d] = 1;
    }
    return start(where, 1, &(dpc_array *){&plane}, dimensions, copied);
}

DPC_STEADY bool dpc_is_refreshing(const dpc_refreshing *started) {
    return started != NULL && started != &nothing;
}

DPC_STEADY int dpc_phases_left(const dpc_refreshing *started) {
    const refresh *r = (const refresh *)started;
    return r->phases - r->next;
}

double dpc_phase_seconds(const dpc_refreshing *started) {
    const refresh *r = (const refresh *)started;
    const dpc_mail *mail = &r->phase[r->next].in.mail;
    double seconds = 0;
    for (dpc_index m = 0; m < mail->count; m++)
        seconds += dpc_default_cost.message + dpc_default_cost.byte * (double)mail->message[m].bytes;
    return seconds;
}

DPC_STEADY void dpc_advance_refresh(dpc_refreshing *started) {
    refresh *r = (refresh *)started;
    dpc_begin_counting(r->where, DPC_COUNT_messages);
    end_phase(r);
    start_phase(r);
    dpc_end_counting();
}

DPC_STEADY void dpc_end_refresh(dpc_refreshing *started) {
    refresh *r = (refresh *)started;
    if (!dpc_is_refreshing(started)) return;
    dpc_begin_counting(r->where, DPC_COUNT_messages);
    end_phase(r);
    while (r->next < r->phases) {
        start_phase(r);
        end_phase(r);
    }
    r->busy = false;
    keep(dpc_minimum(MOST_REFRESHES, dpc_most_plans()));
    dpc_end_counting();
}

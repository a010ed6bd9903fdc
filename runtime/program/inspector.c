/* Inspector and executor: elements whose owners only the run-time knows.  The inspector finds where this process's own
 * elements are, sorts the other accesses by owner and tells the owners the positions in their local parts; what it has
 * found, a schedule, serves as long as the subscripts are the same.  The executor moves values by it, one way or the
 * other.  (Saltz et al., "Run-time scheduling and execution of loops on message passing machines", 1990.) */
#include "program.h"

#include <string.h>

/* Accesses, as the caller numbers them. */
typedef struct {
    dpc_index count;
    dpc_index *place; /* per access: position of the element in the own local part, elements; -1: not there */
    dpc_index *start; /* per process: accesses to its elements are numbers start[p] .. start[p+1]-1 of the following */
    dpc_index *original; /* which access it is */
    dpc_index *offset;   /* position in the owner's local part, elements */
} request_list;

static bool is_inside(const dpc_array *a, const dpc_index *index) {
    for (int d = 0; d < a->rank; d++)
        if (!dpc_holds(&a->dim[d], index[d])) return false;
    return true;
}

static bool is_left_out(const dpc_array *a, const dpc_index *index) {
    for (int d = 0; d < a->rank; d++)
        if (index[d] != INT64_MIN) return false;
    return true;
}

/* ---- Whose elements they are */

/* The own elements, where they are an interval along each dimension. */
typedef struct {
    bool known;
    dpc_index first[DPC_MAX_RANK], extent[DPC_MAX_RANK], stride[DPC_MAX_RANK];
} own_intervals;

static own_intervals find_own(const dpc_array *a) {
    own_intervals own = {.known = !a->copies};
    for (int d = 0; d < a->rank; d++) {
        const dpc_dim *x = &a->dim[d];
        const bool one_block = x->procs == 1 || (dpc_is_dealt(x) && dpc_block(x) >= dpc_ceiling(x->extent, x->procs));
        own.known = own.known && one_block;
        own.extent[d] = a->extent[d];
        own.stride[d] = a->stride[d];
        if (own.known) own.first[d] = dpc_first_owned(a, d);
    }
    return own;
}

void dpc_find_intervals(const dpc_array *a, dpc_index *first, dpc_index *extent, dpc_index *stride) {
    const own_intervals own = find_own(a);
    for (int d = 0; d < a->rank; d++) {
        first[d] = own.first[d];
        extent[d] = own.known ? own.extent[d] : 0;
        stride[d] = own.stride[d];
    }
}

/* -1: the element is not there, or is outside the array. */
static inline dpc_index own_place(const own_intervals *own, int rank, const dpc_index *index) {
    dpc_index place = 0;
    for (int d = 0; d < rank; d++) {
        const uint64_t distance = (uint64_t)index[d] - (uint64_t)own->first[d];
        if (distance >= (uint64_t)own->extent[d]) return -1;
        place += (dpc_index)distance * own->stride[d];
    }
    return place;
}

/* Accesses to other processes' elements, in the order in which they were found. */
typedef struct {
    dpc_index count;
    dpc_index *access;
    int *owner;
} other_list;

typedef struct {
    const char *where;
    const dpc_array *a;
    bool clip;
    dpc_index copy; /* that is accessed, of elements that have several */
    const dpc_index *index;
    other_list other;
} inspection;

/* The place of an element that is not in the own intervals.  What is left out, or outside the array where it is
 * clipped, has none; all else outside is an error. */
static dpc_index look_for(inspection *x, dpc_index access) {
    const dpc_array *a = x->a;
    const dpc_index *tuple = x->index + access * a->rank;
    if (!x->clip && !is_left_out(a, tuple)) dpc_check_element(a, x->where, a->rank, tuple);
    if (!is_inside(a, tuple)) return -1;
    const int owner = a->copies ? dpc_copy_process(a, tuple, x->copy) : dpc_element_process(a, tuple);
    if (owner == dpc_rank()) return dpc_element_offset(a, tuple);
    x->other.access[x->other.count] = access;
    x->other.owner[x->other.count++] = owner;
    return -1;
}

/* The inspection of accesses, whose lists are as long as there are accesses. */
static inspection begin_inspection(const char *where, const dpc_array *a, bool clip, dpc_index copy, dpc_index count,
                                   const dpc_index *index) {
    inspection x = {where, a, clip, copy, index, {0, NULL, NULL}};
    x.other.access = dpc_raw_buffer(count, sizeof(dpc_index));
    x.other.owner = dpc_raw_buffer(count, sizeof(int));
    return x;
}

static void end_inspection(inspection *x) {
    dpc_free_buffer(x->other.access);
    dpc_free_buffer(x->other.owner);
}

/* rank: a's, a constant where the function is expanded. */
__attribute__((always_inline)) static inline void find_places(inspection *x, request_list *r, int rank) {
    const own_intervals own = find_own(x->a);
    for (dpc_index k = 0; k < r->count; k++) {
        const dpc_index place = own.known ? own_place(&own, rank, x->index + k * rank) : -1;
        r->place[k] = place >= 0 ? place : look_for(x, k);
    }
}

static void find_all_places(inspection *x, request_list *r) {
    if (x->a->rank == 1)
        find_places(x, r, 1);
    else if (x->a->rank == 2)
        find_places(x, r, 2);
    else
        find_places(x, r, x->a->rank);
}

static void sort_others(const inspection *x, request_list *r) {
    const int procs = dpc_nprocs();
    dpc_index *next = r->start + 1;
    for (dpc_index k = 0; k < x->other.count; k++) next[x->other.owner[k] + 1]++;
    for (int p = 0; p < procs; p++) next[p + 1] += next[p];
    for (dpc_index k = 0; k < x->other.count; k++) {
        const dpc_index at = next[x->other.owner[k]]++, access = x->other.access[k];
        r->original[at] = access;
        r->offset[at] = dpc_element_offset(x->a, x->index + access * x->a->rank);
    }
}

static request_list sort_by_owner(const char *where, const dpc_array *a, bool clip, dpc_index copy, dpc_index count,
                                  const dpc_index *index) {
    inspection x = begin_inspection(where, a, clip, copy, count, index);
    request_list r = {.count = count, .place = dpc_take_staging(count, sizeof(dpc_index))};
    find_all_places(&x, &r);
    r.start = dpc_take_staging(dpc_nprocs() + 2, sizeof(dpc_index));
    memset(r.start, 0, (size_t)(dpc_nprocs() + 2) * sizeof(dpc_index));
    r.original = dpc_take_staging(x.other.count, sizeof(dpc_index));
    r.offset = dpc_take_staging(x.other.count, sizeof(dpc_index));
    sort_others(&x, &r);
    end_inspection(&x);
    return r;
}

static void free_requests(request_list *r) {
    dpc_give_staging(r->place);
    dpc_give_staging(r->start);
    dpc_give_staging(r->original);
    dpc_give_staging(r->offset);
}

static dpc_index requested_from(const request_list *r, int p) {
    return r->start[p + 1] - r->start[p];
}

/* ---- Messages */

/* How many accesses every process has to this process's elements. */
static dpc_index *exchange_counts(const request_list *r) {
    const int procs = dpc_nprocs();
    dpc_index *mine = dpc_take_staging(procs, sizeof *mine), *theirs = dpc_take_staging(procs, sizeof *theirs);
    for (int p = 0; p < procs; p++) mine[p] = requested_from(r, p);
    dpc_add_count(DPC_COUNT_collectives, 1);
    dpc_add_count(DPC_COUNT_collective_bytes, procs * (dpc_index)sizeof *mine);
    MPI_Alltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, dpc_communicator);
    dpc_give_staging(mine);
    return theirs;
}

static dpc_index partners(const dpc_index *counts) {
    dpc_index n = 0;
    for (int p = 0; p < dpc_nprocs(); p++) n += p != dpc_rank() && counts[p] > 0;
    return n;
}

/* Opens the messages from every process that has counts[p] > 0, `size` bytes each count, and posts the receives. */
static dpc_mail receive_from(const dpc_index *counts, dpc_index size, int tag) {
    dpc_mail mail = dpc_open_mail(tag, partners(counts));
    for (int p = 0, m = 0; p < dpc_nprocs(); p++) {
        if (p == dpc_rank() || counts[p] == 0) continue;
        mail.message[m].process = p;
        mail.message[m].bytes = counts[p] * size;
        dpc_message_buffer(&mail, m);
        dpc_post_receive(&mail, m++);
    }
    return mail;
}

static dpc_index *request_counts(const request_list *r) {
    dpc_index *counts = dpc_take_staging(dpc_nprocs(), sizeof *counts);
    for (int p = 0; p < dpc_nprocs(); p++) counts[p] = requested_from(r, p);
    return counts;
}

/* Sends to every owner the offsets and, unless values is NULL, the values of its accesses behind them. */
static dpc_mail send_requests(const request_list *r, const dpc_index *counts, const char *values, dpc_index size,
                              int tag) {
    const dpc_index bytes = (dpc_index)sizeof(dpc_index);
    dpc_mail mail = dpc_open_mail(tag, partners(counts));
    for (int p = 0, m = 0; p < dpc_nprocs(); p++) {
        if (p == dpc_rank() || counts[p] == 0) continue;
        mail.message[m].process = p;
        mail.message[m].bytes = counts[p] * (bytes + (values == NULL ? 0 : size));
        char *data = dpc_message_buffer(&mail, m);
        memcpy(data, r->offset + r->start[p], (size_t)(counts[p] * bytes));
        data += counts[p] * bytes;
        for (dpc_index k = 0; values != NULL && k < counts[p]; k++)
            memcpy(data + k * size, values + r->original[r->start[p] + k] * size, (size_t)size);
        dpc_post_send(&mail, m++);
    }
    return mail;
}

static void finish_mail(dpc_mail *mail) {
    dpc_wait_mail(mail);
    dpc_close_mail(mail);
}

/* ---- Schedules */

struct dpc_gathering {
    int sharers;     /* arrays that it serves, but one */
    dpc_index width; /* elements side by side that an access stands for, on every process */
    request_list mine;
    dpc_index *wanted; /* per process: how many of the accesses are to its elements */
    dpc_index *asked;  /* how many of its accesses are to elements of this process */
    dpc_index *offset; /* where these are in the own local part, by process */
    dpc_found found;   /* of dpc_localise */
};

/* The positions that others ask for, by process. */
static dpc_index *take_offsets(dpc_mail *incoming) {
    dpc_index total = 0;
    for (dpc_index m = 0; m < incoming->count; m++) total += incoming->message[m].bytes;
    char *offsets = dpc_take_staging(total, 1);
    dpc_wait_mail(incoming);
    for (dpc_index m = 0, at = 0; m < incoming->count; at += incoming->message[m++].bytes)
        memcpy(offsets + at, incoming->message[m].data, (size_t)incoming->message[m].bytes);
    return (dpc_index *)(void *)offsets;
}

/* Tells the owners which of their elements are wanted. */
static void exchange_requests(dpc_gathering *x) {
    const int tag = dpc_next_tag();
    x->wanted = request_counts(&x->mine);
    x->asked = exchange_counts(&x->mine);
    dpc_mail incoming = receive_from(x->asked, (dpc_index)sizeof(dpc_index), tag);
    dpc_mail outgoing = send_requests(&x->mine, x->wanted, NULL, 0, tag);
    x->offset = take_offsets(&incoming);
    finish_mail(&outgoing);
    dpc_close_mail(&incoming);
}

/* All rows of one statement have the same last subscripts, and either are in one dimension or have whole ones. */
static void check_row(const char *where, const dpc_array *a, dpc_index width, const dpc_index *index) {
    dpc_index last[DPC_MAX_RANK];
    const int d = a->rank - 1;
    if (width == 1 || width > a->dim[d].extent) return;
    memcpy(last, index, (size_t)a->rank * sizeof *last);
    last[d] += width - 1;
    dpc_check_element(a, where, a->rank, last);
}

dpc_gathering *dpc_inspect(const char *where, const dpc_array *a, bool clip, dpc_index width, dpc_index count,
                           const dpc_index *index) {
    dpc_gathering *x = dpc_take_staging(1, sizeof *x);
    memset(x, 0, sizeof *x);
    x->width = width;
    if (count > 0 && !clip) check_row(where, a, width, index);
    dpc_begin_counting(NULL, DPC_COUNT_index_messages);
    x->mine = sort_by_owner(where, a, clip, a->copies ? dpc_own_copy(a) : 0, count, index);
    exchange_requests(x);
    dpc_end_counting();
    return x;
}

dpc_gathering *dpc_share_schedule(dpc_gathering *x) {
    x->sharers++;
    return x;
}

void dpc_free_schedule(dpc_gathering *x) {
    if (x == NULL || x->sharers-- > 0) return;
    free_requests(&x->mine);
    dpc_give_staging(x->wanted);
    dpc_give_staging(x->asked);
    dpc_give_staging(x->offset);
    dpc_give_staging(x->found.place);
    dpc_give_staging(x);
}

/* ---- Localised accesses: own elements where they lie, one copy of each other one behind them */

typedef struct {
    int owner;
    dpc_index offset, access;
} other_access;

static int by_place(const void *left, const void *right) {
    const other_access *x = left, *y = right;
    if (x->owner != y->owner) return x->owner < y->owner ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static other_access *sorted_accesses(const inspection *x) {
    other_access *sorted = dpc_raw_buffer(x->other.count, sizeof *sorted);
    for (dpc_index k = 0; k < x->other.count; k++) {
        const dpc_index access = x->other.access[k];
        sorted[k] = (other_access){x->other.owner[k], dpc_element_offset(x->a, x->index + access * x->a->rank), access};
    }
    qsort(sorted, (size_t)x->other.count, sizeof *sorted, by_place);
    return sorted;
}

/* The interval of the own local part that the accesses touch. */
static void find_own_part(dpc_found *f, const dpc_index *place, dpc_index count) {
    dpc_index least = INT64_MAX, greatest = -1;
    for (dpc_index k = 0; k < count; k++) {
        if (place[k] < 0) continue;
        least = dpc_minimum(least, place[k]);
        greatest = dpc_maximum(greatest, place[k]);
    }
    f->first = greatest < 0 ? 0 : least;
    f->own = greatest < 0 ? 0 : greatest - least + 1;
}

/* Each other element once; its accesses get its place behind the own part. */
static void list_others(request_list *r, const dpc_found *f, const other_access *sorted, dpc_index count,
                        dpc_index *place) {
    dpc_index distinct = 0;
    r->start = dpc_take_staging(dpc_nprocs() + 2, sizeof(dpc_index));
    memset(r->start, 0, (size_t)(dpc_nprocs() + 2) * sizeof(dpc_index));
    r->original = dpc_take_staging(count, sizeof(dpc_index));
    r->offset = dpc_take_staging(count, sizeof(dpc_index));
    for (dpc_index k = 0; k < count; k++) {
        if (k == 0 || by_place(&sorted[k - 1], &sorted[k]) != 0) {
            r->original[distinct] = f->own + distinct;
            r->offset[distinct++] = sorted[k].offset;
            r->start[sorted[k].owner + 1]++;
        }
        place[sorted[k].access] = f->first + f->own + distinct - 1;
    }
    for (int p = 0; p < dpc_nprocs(); p++) r->start[p + 1] += r->start[p];
}

/* From places in the local part to those in what is found; what is left out finds the 0 at the end. */
static void note_places(const char *where, dpc_found *f, const dpc_index *place, dpc_index count) {
    if (f->own + f->others >= UINT32_MAX) dpc_fail(where, "more than 2^32 elements on one process in a gather");
    f->place = dpc_take_staging(count, sizeof *f->place);
    for (dpc_index k = 0; k < count; k++) {
        f->left_out = f->left_out || place[k] < 0;
        f->place[k] = (uint32_t)(place[k] < 0 ? f->own + f->others : place[k] - f->first);
    }
}

dpc_gathering *dpc_localise(const char *where, const dpc_array *a, bool clip, dpc_index count, const dpc_index *index) {
    dpc_gathering *x = dpc_take_staging(1, sizeof *x);
    memset(x, 0, sizeof *x);
    x->width = 1;
    dpc_subject = a->name;
    dpc_begin_counting(NULL, DPC_COUNT_index_messages);
    inspection looked = begin_inspection(where, a, clip, a->copies ? dpc_own_copy(a) : 0, count, index);
    request_list all = {.count = count, .place = dpc_raw_buffer(count, sizeof(dpc_index))};
    find_all_places(&looked, &all);
    other_access *sorted = sorted_accesses(&looked);
    find_own_part(&x->found, all.place, count);
    list_others(&x->mine, &x->found, sorted, looked.other.count, all.place);
    x->found.others = x->mine.start[dpc_nprocs()];
    note_places(where, &x->found, all.place, count);
    dpc_free_buffer(sorted);
    dpc_free_buffer(all.place);
    end_inspection(&looked);
    exchange_requests(x);
    dpc_end_counting();
    return x;
}

const dpc_found *dpc_found_by(const dpc_gathering *x) {
    return &x->found;
}

/* ---- Gathers */

/* size: of an element, a constant where the function is expanded. */
__attribute__((always_inline)) static inline void pick(char *values, const char *from, const dpc_index *place,
                                                       dpc_index count, size_t size) {
    for (dpc_index k = 0; k < count; k++) memcpy(values + (size_t)k * size, from + (size_t)place[k] * size, size);
}

static void pick_rows(char *values, const dpc_array *a, dpc_index width, const dpc_index *place, dpc_index count) {
    const size_t bytes = (size_t)(width * a->size);
    for (dpc_index k = 0; k < count; k++)
        memcpy(values + (size_t)k * bytes, (const char *)a->local + place[k] * a->size, bytes);
}

static void pick_values(char *values, const dpc_array *a, dpc_index width, const dpc_index *place, dpc_index count) {
    if (width > 1)
        pick_rows(values, a, width, place, count);
    else if (a->size == 8)
        pick(values, a->local, place, count, 8);
    else if (a->size == 4)
        pick(values, a->local, place, count, 4);
    else
        pick(values, a->local, place, count, (size_t)a->size);
}

static void gather_own(const dpc_array *a, dpc_index width, const request_list *r, char *values) {
    const size_t size = (size_t)(a->size * width);
    dpc_index done = 0;
    while (done < r->count) {
        dpc_index end = done;
        while (end < r->count && r->place[end] >= 0) end++;
        pick_values(values + (size_t)done * size, a, width, r->place + done, end - done);
        for (; end < r->count && r->place[end] < 0; end++) memset(values + (size_t)end * size, 0, size);
        done = end;
    }
}

/* Of all arrays, for one access. */
static dpc_index bytes_together(const dpc_gathering *x, int arrays, const dpc_gathered_values *g) {
    dpc_index bytes = 0;
    for (int k = 0; k < arrays; k++) bytes += x->width * g[k].array->size;
    return bytes;
}

/* Sends every process the values that it asks for, of one array behind those of the other. */
static dpc_mail send_values(const dpc_gathering *x, int arrays, const dpc_gathered_values *g, int tag) {
    dpc_mail mail = dpc_open_mail(tag, partners(x->asked));
    const dpc_index bytes = bytes_together(x, arrays, g), *offset = x->offset;
    for (int p = 0, m = 0; p < dpc_nprocs(); p++) {
        if (p == dpc_rank() || x->asked[p] == 0) continue;
        mail.message[m].process = p;
        mail.message[m].bytes = x->asked[p] * bytes;
        char *data = dpc_message_buffer(&mail, m);
        for (int k = 0; k < arrays; data += x->asked[p] * x->width * g[k++].array->size)
            pick_values(data, g[k].array, x->width, offset, x->asked[p]);
        dpc_post_send(&mail, m++);
        offset += x->asked[p];
    }
    return mail;
}

static void take_values(const dpc_gathering *x, int arrays, const dpc_gathered_values *g, dpc_mail *incoming) {
    for (dpc_index m; (m = dpc_next_arrival(incoming)) >= 0;) {
        const dpc_message *message = &incoming->message[m];
        const dpc_index *original = x->mine.original + x->mine.start[message->process];
        const char *data = message->data;
        for (int k = 0; k < arrays; k++) {
            const dpc_index size = x->width * g[k].array->size;
            for (dpc_index n = 0; n < x->wanted[message->process]; n++, data += size)
                memcpy((char *)g[k].values + original[n] * size, data, (size_t)size);
        }
    }
}

void dpc_gather_by(const dpc_gathering *x, int arrays, const dpc_gathered_values *g) {
    const int tag = dpc_next_tag();
    dpc_subject = g->array->name;
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    dpc_mail incoming = receive_from(x->wanted, bytes_together(x, arrays, g), tag);
    dpc_mail outgoing = send_values(x, arrays, g, tag);
    for (int k = 0; k < arrays; k++) gather_own(g[k].array, x->width, &x->mine, g[k].values);
    take_values(x, arrays, g, &incoming);
    finish_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_end_counting();
}

/* ---- Scatters */

/* size: as in `pick`. */
__attribute__((always_inline)) static inline void put(char *to, const char *values, const dpc_index *place,
                                                      dpc_index count, size_t size) {
    for (dpc_index k = 0; k < count; k++)
        if (place[k] >= 0) memcpy(to + (size_t)place[k] * size, values + (size_t)k * size, size);
}

static void put_rows(dpc_array *a, dpc_index width, const dpc_index *place, dpc_index count, const char *values) {
    const size_t bytes = (size_t)(width * a->size);
    for (dpc_index k = 0; k < count; k++)
        if (place[k] >= 0) memcpy((char *)a->local + place[k] * a->size, values + (size_t)k * bytes, bytes);
}

static void scatter_own(dpc_array *a, dpc_index width, const request_list *r, const char *values) {
    if (width > 1)
        put_rows(a, width, r->place, r->count, values);
    else if (a->size == 8)
        put(a->local, values, r->place, r->count, 8);
    else
        put(a->local, values, r->place, r->count, (size_t)a->size);
}

static void store_arrivals(dpc_array *a, dpc_mail *incoming) {
    const dpc_index bytes = (dpc_index)sizeof(dpc_index);
    for (dpc_index m; (m = dpc_next_arrival(incoming)) >= 0;) {
        const dpc_message *message = &incoming->message[m];
        const dpc_index n = message->bytes / (bytes + a->size);
        const dpc_index *offset = (const dpc_index *)(const void *)message->data;
        const char *values = message->data + n * bytes;
        for (dpc_index k = 0; k < n; k++)
            memcpy((char *)a->local + offset[k] * a->size, values + k * a->size, (size_t)a->size);
    }
}

static void scatter_to(const char *where, dpc_array *a, dpc_index copy, dpc_index count, const dpc_index *index,
                       const void *values) {
    const int tag = dpc_next_tag();
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    request_list r = sort_by_owner(where, a, false, copy, count, index);
    dpc_index *mine = request_counts(&r), *theirs = exchange_counts(&r);
    dpc_mail incoming = receive_from(theirs, (dpc_index)sizeof(dpc_index) + a->size, tag);
    dpc_mail outgoing = send_requests(&r, mine, values, a->size, tag);
    scatter_own(a, 1, &r, values);
    store_arrivals(a, &incoming);
    finish_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_give_staging(mine);
    dpc_give_staging(theirs);
    free_requests(&r);
    dpc_end_counting();
}

/* The messages with every owner's values. */
static dpc_mail open_stores(const dpc_gathering *x, dpc_index size, int tag) {
    dpc_mail mail = dpc_open_mail(tag, partners(x->wanted));
    for (int p = 0, m = 0; p < dpc_nprocs(); p++) {
        if (p == dpc_rank() || x->wanted[p] == 0) continue;
        mail.message[m].process = p;
        mail.message[m].bytes = x->wanted[p] * size;
        dpc_message_buffer(&mail, m++);
    }
    return mail;
}

static void send_stores(const dpc_gathering *x, dpc_mail *mail, const char *values, dpc_index size) {
    for (dpc_index m = 0; m < mail->count; m++) {
        const int p = mail->message[m].process;
        const dpc_index *original = x->mine.original + x->mine.start[p];
        for (dpc_index k = 0; k < x->wanted[p]; k++)
            memcpy(mail->message[m].data + k * size, values + original[k] * size, (size_t)size);
        dpc_post_send(mail, m);
    }
}

/* Where the positions that process p asks for begin. */
static const dpc_index *offsets_of(const dpc_gathering *x, int p) {
    const dpc_index *offset = x->offset;
    for (int q = 0; q < p; q++) offset += q == dpc_rank() ? 0 : x->asked[q];
    return offset;
}

static void store_by(const dpc_gathering *x, dpc_array *a, dpc_mail *incoming) {
    const dpc_index bytes = x->width * a->size;
    for (dpc_index m; (m = dpc_next_arrival(incoming)) >= 0;) {
        const dpc_message *message = &incoming->message[m];
        const dpc_index *offset = offsets_of(x, message->process);
        for (dpc_index k = 0; k < x->asked[message->process]; k++)
            memcpy((char *)a->local + offset[k] * a->size, message->data + k * bytes, (size_t)bytes);
    }
}

void dpc_scatter_by(const dpc_gathering *x, dpc_array *a, const void *values) {
    const int tag = dpc_next_tag();
    const dpc_index bytes = x->width * a->size;
    dpc_subject = a->name;
    dpc_changed(a);
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    dpc_mail incoming = receive_from(x->asked, bytes, tag), outgoing = open_stores(x, bytes, tag);
    send_stores(x, &outgoing, values, bytes);
    scatter_own(a, x->width, &x->mine, values);
    store_by(x, a, &incoming);
    finish_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_end_counting();
}

/* ---- Scatters of rows that the caller stores */

struct dpc_scattering {
    const dpc_gathering *schedule;
    dpc_gathering *own; /* the same, where it is freed at the end */
    dpc_array *array;
    dpc_mail incoming, outgoing;
    void **row;
};

static void find_rows(dpc_scattering *x) {
    const request_list *mine = &x->schedule->mine;
    const dpc_index size = x->array->size, bytes = x->schedule->width * size;
    x->row = dpc_take_staging(mine->count, sizeof *x->row);
    for (dpc_index k = 0; k < mine->count; k++)
        x->row[k] = mine->place[k] < 0 ? NULL : (char *)x->array->local + mine->place[k] * size;
    for (dpc_index m = 0; m < x->outgoing.count; m++) {
        const dpc_message *message = &x->outgoing.message[m];
        const dpc_index *original = mine->original + mine->start[message->process];
        for (dpc_index k = 0; k < x->schedule->wanted[message->process]; k++)
            x->row[original[k]] = message->data + k * bytes;
    }
}

dpc_scattering *dpc_begin_scatter_by(const dpc_gathering *schedule, dpc_array *a) {
    const int tag = dpc_next_tag();
    const dpc_index bytes = schedule->width * a->size;
    dpc_scattering *x = dpc_take_staging(1, sizeof *x);
    *x = (dpc_scattering){.schedule = schedule, .array = a};
    dpc_subject = a->name;
    dpc_changed(a);
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    x->incoming = receive_from(schedule->asked, bytes, tag);
    x->outgoing = open_stores(schedule, bytes, tag);
    dpc_end_counting();
    find_rows(x);
    return x;
}

dpc_scattering *dpc_begin_scatter_rows(const char *where, dpc_array *a, dpc_index width, dpc_index count,
                                       const dpc_index *index) {
    dpc_subject = a->name;
    dpc_gathering *schedule = dpc_inspect(where, a, false, width, count, index);
    dpc_scattering *x = dpc_begin_scatter_by(schedule, a);
    x->own = schedule;
    return x;
}

void *const *dpc_rows_of(const dpc_scattering *x) {
    return x->row;
}

void dpc_end_scatter(dpc_scattering *x) {
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    for (dpc_index m = 0; m < x->outgoing.count; m++) dpc_post_send(&x->outgoing, m);
    store_by(x->schedule, x->array, &x->incoming);
    finish_mail(&x->outgoing);
    dpc_close_mail(&x->incoming);
    dpc_end_counting();
    dpc_free_schedule(x->own);
    dpc_give_staging(x->row);
    dpc_give_staging(x);
}

void dpc_scatter_rows(const char *where, dpc_array *a, dpc_index width, dpc_index count, const dpc_index *index,
                      const void *values) {
    dpc_subject = a->name;
    dpc_gathering *x = dpc_inspect(where, a, false, width, count, index);
    dpc_scatter_by(x, a, values);
    dpc_free_schedule(x);
}

void dpc_scatter(const char *where, dpc_array *a, dpc_index count, const dpc_index *index, const void *values) {
    const dpc_index copies = dpc_copies(a);
    dpc_subject = a->name;
    dpc_changed(a);
    for (dpc_index copy = 0; copy < copies; copy++) scatter_to(where, a, copy, count, index, values);
}

/* Inspector and executor: elements whose owners only the run-time knows.  The indices are sorted by owner, the owners
 * get the positions in their local parts, and values travel one way or the other. */
#include "program.h"

#include <string.h>

/* Accesses sorted by the process that owns the element. */
typedef struct {
    dpc_index count;
    dpc_index *start;    /* per process: its accesses are start[p] .. start[p+1]-1 */
    dpc_index *original; /* number of the access as the caller gave it */
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

/* copy: that is accessed, of elements that have several.  What is left out, or outside the array where it is clipped,
 * is kept here with offset -1; all else outside is an error. */
static request_list sort_by_owner(const char *where, const dpc_array *a, bool clip, dpc_index copy, dpc_index count,
                                  const dpc_index *index) {
    const int procs = dpc_nprocs();
    request_list r = {count, dpc_buffer(procs + 2, sizeof(dpc_index)), dpc_raw_buffer(count, sizeof(dpc_index)),
                      dpc_raw_buffer(count, sizeof(dpc_index))};
    int *owner = dpc_raw_buffer(count, sizeof *owner);
    dpc_index *next = r.start + 1;
    for (dpc_index k = 0; k < count; k++) {
        const dpc_index *tuple = index + k * a->rank;
        if (!clip && !is_left_out(a, tuple)) dpc_check_element(a, where, a->rank, tuple);
        owner[k] = !is_inside(a, tuple) ? dpc_rank()
                   : a->copies          ? dpc_copy_process(a, tuple, copy)
                                        : dpc_element_process(a, tuple);
        next[owner[k] + 1]++;
    }
    for (int p = 0; p < procs; p++) next[p + 1] += next[p];
    for (dpc_index k = 0; k < count; k++) {
        const dpc_index place = next[owner[k]]++;
        r.original[place] = k;
        const dpc_index *tuple = index + k * a->rank;
        r.offset[place] = is_inside(a, tuple) ? dpc_element_offset(a, tuple) : -1;
    }
    dpc_free_buffer(owner);
    return r;
}

static void free_requests(request_list *r) {
    dpc_free_buffer(r->start);
    dpc_free_buffer(r->original);
    dpc_free_buffer(r->offset);
}

static dpc_index requested_from(const request_list *r, int p) {
    return r->start[p + 1] - r->start[p];
}

/* How many accesses every process has to this process's elements. */
static dpc_index *exchange_counts(const request_list *r) {
    const int procs = dpc_nprocs();
    dpc_index *mine = dpc_buffer(procs, sizeof *mine), *theirs = dpc_buffer(procs, sizeof *theirs);
    for (int p = 0; p < procs; p++) mine[p] = requested_from(r, p);
    dpc_add_count(DPC_COUNT_collectives, 1);
    dpc_add_count(DPC_COUNT_collective_bytes, procs * (dpc_index)sizeof *mine);
    MPI_Alltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, dpc_communicator);
    dpc_free_buffer(mine);
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
    dpc_index *counts = dpc_buffer(dpc_nprocs(), sizeof *counts);
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

/* Answers the requests as they come with the values. */
static dpc_mail answer(const dpc_array *a, dpc_mail *requests, int tag) {
    dpc_mail replies = dpc_open_mail(tag, requests->count);
    for (dpc_index m; (m = dpc_next_arrival(requests)) >= 0;) {
        const dpc_message *request = &requests->message[m];
        const dpc_index n = request->bytes / (dpc_index)sizeof(dpc_index);
        const dpc_index *offset = (const dpc_index *)(const void *)request->data;
        replies.message[m].process = request->process;
        replies.message[m].bytes = n * a->size;
        char *data = dpc_message_buffer(&replies, m);
        for (dpc_index k = 0; k < n; k++)
            memcpy(data + k * a->size, (const char *)a->local + offset[k] * a->size, (size_t)a->size);
        dpc_post_send(&replies, m);
    }
    return replies;
}

static void gather_own(const dpc_array *a, const request_list *r, char *values) {
    for (dpc_index k = r->start[dpc_rank()]; k < r->start[dpc_rank() + 1]; k++) {
        char *value = values + r->original[k] * a->size;
        if (r->offset[k] < 0)
            memset(value, 0, (size_t)a->size);
        else
            memcpy(value, (const char *)a->local + r->offset[k] * a->size, (size_t)a->size);
    }
}

static void take_replies(const request_list *r, dpc_mail *replies, char *values, dpc_index size) {
    for (dpc_index m; (m = dpc_next_arrival(replies)) >= 0;) {
        const dpc_message *reply = &replies->message[m];
        const dpc_index *original = r->original + r->start[reply->process];
        for (dpc_index k = 0; k < reply->bytes / size; k++)
            memcpy(values + original[k] * size, reply->data + k * size, (size_t)size);
    }
}

static void finish_mail(dpc_mail *mail) {
    dpc_wait_mail(mail);
    dpc_close_mail(mail);
}

void *dpc_gather(const char *where, const dpc_array *a, bool clip, dpc_index count, const dpc_index *index) {
    dpc_subject = a->name;
    const int request_tag = dpc_next_tag(), reply_tag = dpc_next_tag();
    dpc_begin_counting(where, DPC_COUNT_index_messages);
    request_list r = sort_by_owner(where, a, clip, a->copies ? dpc_own_copy(a) : 0, count, index);
    char *values = dpc_raw_buffer(count, a->size);
    dpc_index *mine = request_counts(&r), *theirs = exchange_counts(&r);
    dpc_mail incoming = receive_from(theirs, (dpc_index)sizeof(dpc_index), request_tag);
    dpc_mail replies = receive_from(mine, a->size, reply_tag);
    dpc_mail outgoing = send_requests(&r, mine, NULL, 0, request_tag);
    gather_own(a, &r, values);
    dpc_switch_counting(DPC_COUNT_value_messages);
    dpc_mail answers = answer(a, &incoming, reply_tag);
    take_replies(&r, &replies, values, a->size);
    finish_mail(&outgoing);
    finish_mail(&answers);
    dpc_close_mail(&incoming);
    dpc_close_mail(&replies);
    dpc_free_buffer(mine);
    dpc_free_buffer(theirs);
    free_requests(&r);
    dpc_end_counting();
    return values;
}

static void scatter_own(dpc_array *a, const request_list *r, const char *values) {
    for (dpc_index k = r->start[dpc_rank()]; k < r->start[dpc_rank() + 1]; k++)
        memcpy((char *)a->local + r->offset[k] * a->size, values + r->original[k] * a->size, (size_t)a->size);
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
    dpc_begin_counting(where, DPC_COUNT_value_messages);
    request_list r = sort_by_owner(where, a, false, copy, count, index);
    dpc_index *mine = request_counts(&r), *theirs = exchange_counts(&r);
    dpc_mail incoming = receive_from(theirs, (dpc_index)sizeof(dpc_index) + a->size, tag);
    dpc_mail outgoing = send_requests(&r, mine, values, a->size, tag);
    scatter_own(a, &r, values);
    store_arrivals(a, &incoming);
    finish_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_free_buffer(mine);
    dpc_free_buffer(theirs);
    free_requests(&r);
    dpc_end_counting();
}

void dpc_scatter(const char *where, dpc_array *a, dpc_index count, const dpc_index *index, const void *values) {
    const dpc_index copies = dpc_copies(a);
    dpc_subject = a->name;
    dpc_changed(a);
    for (dpc_index copy = 0; copy < copies; copy++) scatter_to(where, a, copy, count, index, values);
}

/* Results of a reduction for each element of an array, formed by others than its owner: those that have something of
 * the operand send theirs to the owner, which combines them in order of the processes.  A transfer whose sending end is
 * home, and in which several processes send the same elements. */
#include "program.h"

#include <string.h>

typedef struct {
    const dpc_plan *plan;
    dpc_operation op;
    dpc_combination *combine;
    dpc_index size; /* bytes of a result */
    char *results;  /* this process's, by position */
    char *combined; /* the first element of the array that is not left out by invariant subscripts */
} combining;

/* `count` values become *start. */
static void fill(char *values, dpc_index count, size_t size, const void *start) {
    const size_t bytes = (size_t)count * size;
    if (count == 0) return;
    memcpy(values, start, size);
    for (size_t done = size; done < bytes; done *= 2)
        memcpy(values + done, values, done < bytes - done ? done : bytes - done);
}

void *dpc_new_results(dpc_index count, size_t size, const void *start) {
    char *results = dpc_raw_buffer(count, (dpc_index)size);
    fill(results, count, size, start);
    return results;
}

/* ---- What the processes send */

/* The results for a partner, side by side: where they lie, or packed in *packed. */
static const char *results_for(const combining *x, dpc_index partner, char *packed) {
    const dpc_party *p = dpc_plan_sender(x->plan);
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    if (p->partner[partner].place >= 0) return x->results + p->partner[partner].place * x->size;
    dpc_dense_axes(p, partner, to);
    dpc_storage_axes(p, partner, from);
    dpc_copy_product(p->rank, to, packed, from, x->results, x->size);
    return packed;
}

static void send_all(const combining *x, dpc_mail *mail) {
    const dpc_party *p = dpc_plan_sender(x->plan);
    for (dpc_index m = 0; m < p->messages; m++) {
        if (p->partner[m].place >= 0)
            dpc_post_stored(mail, m, x->results + p->partner[m].place * x->size);
        else if (p->partner[m].same < m)
            dpc_post_stored(mail, m, mail->message[p->partner[m].same].data);
        else {
            results_for(x, m, dpc_message_buffer(mail, m));
            dpc_post_send(mail, m);
        }
    }
}

/* ---- What their owners do with them */

/* first: these are the first results for these elements. */
static void take(const combining *x, dpc_index partner, const char *values, bool first) {
    const dpc_party *p = dpc_plan_receiver(x->plan);
    const dpc_index count = p->partner[partner].elements, place = p->partner[partner].place;
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    if (first) {
        dpc_dense_axes(p, partner, from);
        dpc_storage_axes(p, partner, to);
        dpc_copy_product(p->rank, to, x->combined, from, values, x->size);
    } else if (place >= 0) {
        x->combine(x->op, x->combined + place * x->size, values, NULL, count);
    } else {
        dpc_index *places = dpc_take_staging(count, sizeof *places);
        dpc_storage_axes(p, partner, to);
        dpc_list_addresses(p->rank, to, places);
        x->combine(x->op, x->combined, values, places, count);
        dpc_give_staging(places);
    }
}

/* A process that is its own partner has itself as the last one. */
static void take_own(const combining *x, dpc_index partner, bool first) {
    const dpc_party *sender = dpc_plan_sender(x->plan);
    const dpc_index own = sender->messages;
    char *packed = dpc_take_staging(sender->partner[own].place < 0 ? sender->partner[own].elements : 0, x->size);
    take(x, partner, results_for(x, own, packed), first);
    dpc_give_staging(packed);
}

/* The partner with the lowest number: the others follow in the order of theirs. */
static dpc_index first_partner(const dpc_party *p) {
    dpc_index first = 0;
    for (dpc_index m = 1; m < p->partners; m++)
        if (p->partner[m].process < p->partner[first].process) first = m;
    return first;
}

static void take_all(const combining *x, const dpc_mail *mail) {
    const dpc_party *p = dpc_plan_receiver(x->plan);
    const dpc_index from = p->partners > 0 ? first_partner(p) : 0;
    bool *met = dpc_buffer(p->partners, sizeof *met);
    for (dpc_index k = 0; k < p->partners; k++) {
        const dpc_index m = (from + k) % p->partners, same = p->partner[m].same;
        if (m < p->messages)
            take(x, m, mail->message[m].data, !met[same]);
        else
            take_own(x, m, !met[same]);
        met[same] = true;
    }
    dpc_free_buffer(met);
}

/* Posts all messages and waits for them. */
static void exchange_results(const combining *x) {
    const int tag = dpc_next_tag();
    dpc_mail incoming = dpc_open_messages(dpc_plan_receiver(x->plan), x->size, tag, true);
    dpc_mail outgoing = dpc_open_messages(dpc_plan_sender(x->plan), x->size, tag, false);
    for (dpc_index m = 0; m < incoming.count; m++) {
        dpc_message_buffer(&incoming, m);
        dpc_post_receive(&incoming, m);
    }
    send_all(x, &outgoing);
    dpc_wait_mail(&incoming);
    take_all(x, &incoming);
    dpc_wait_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_close_mail(&outgoing);
}

/* Bytes from the first place of the array's storage to its first element, of elements of `size` bytes. */
static size_t bytes_before(const dpc_array *a, size_t size) {
    return (size_t)((char *)a->local - (char *)a->storage) / (size_t)a->size * size;
}

DPC_STEADY void *dpc_combine_results(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                                     dpc_operation op, dpc_type type, const void *start, void *results) {
    const dpc_index size = dpc_size_of(type);
    dpc_array combined = *a;
    dpc_fetch_axes axes;
    dpc_end from, to;
    combined.type = type;
    combined.size = size;
    combined.storage = dpc_raw_buffer(a->elements, size);
    combined.local = (char *)combined.storage + bytes_before(a, (size_t)size);
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    dpc_result_ends(s, &combined, subscripts, &axes, &from, &to);
    if (!to.possible) fill(combined.storage, a->elements, (size_t)size, start);
    dpc_plan *plan = dpc_take_plan(axes.rank, &from, &to, DPC_MODEL_CONVENTIONAL);
    exchange_results(&(combining){plan, op, dpc_combination_of(type), size, results, to.storage});
    dpc_give_plan(plan);
    dpc_end_counting();
    dpc_free_buffer(results);
    return combined.local;
}

void dpc_free_results(const dpc_array *a, void *combined, size_t size) {
    dpc_free_buffer((char *)combined - bytes_before(a, size));
}

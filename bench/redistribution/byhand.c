/* Run lists with Isend and Irecv, and a plain copy of the local bytes. */
#include "compare.h"

#include <string.h>

/* ---- The copy: no redistribution is faster on one process. */

void *prepare_copy(const contestant *c, const problem *p) {
    (void)p;
    return (void *)c;
}

void run_copy(void *plan, const problem *p) {
    (void)plan;
    memcpy(p->b, p->a,
           (size_t)(p->from_elements < p->to_elements ? p->from_elements : p->to_elements) * sizeof(double));
}

void release_copy(void *plan) {
    (void)plan;
}

/* ---- Run lists */

typedef struct {
    int process;
    long elements;
    double *buffer;
    run_list lists[DPC_MAX_RANK];
} message;

typedef struct {
    int rank, sends, receives;
    message *send, *receive;
    long from_stride[DPC_MAX_RANK], to_stride[DPC_MAX_RANK];
    MPI_Request *request;
} lists_plan;

static void copy_doubles(double *restrict to, const double *restrict from, long n) {
    if (n >= 16)
        memcpy(to, from, (size_t)n * sizeof *to);
    else
        for (long k = 0; k < n; k++) to[k] = from[k];
}

/* Packs (unpacks) dimension k and those behind it; returns the end of the buffer. */
static double *pack(const run_list *l, const long *stride, int left, double *local, double *buffer, bool unpack) {
    long rest = l->elements;
    for (long base = 0; rest > 0; base += l->step) {
        for (long j = 0; j < l->count && rest > 0; j++) {
            const long length = l->run[j].length < rest ? l->run[j].length : rest;
            double *start = local + (base + l->run[j].offset) * *stride;
            rest -= length;
            if (left > 1) {
                for (long i = 0; i < length; i++)
                    buffer = pack(l + 1, stride + 1, left - 1, start + i * *stride, buffer, unpack);
                continue;
            }
            if (unpack)
                copy_doubles(start, buffer, length);
            else
                copy_doubles(buffer, start, length);
            buffer += length;
        }
    }
    return buffer;
}

static int list_messages(const problem *p, bool sender, message **messages) {
    const dpc_mapping *theirs = sender ? &p->to : &p->from;
    const int places = places_of(theirs);
    int count = 0;
    *messages = calloc((size_t)places, sizeof **messages);
    for (int place = 0; place < places; place++) {
        message *m = &(*messages)[count];
        m->elements = shared_lists(p, sender, place, m->lists);
        m->process = process_at(theirs, place);
        if (m->elements == 0) {
            free_lists(p->from.rank, m->lists);
            continue;
        }
        m->buffer = malloc((size_t)m->elements * sizeof(double));
        count++;
    }
    return count;
}

void *prepare_runs(const contestant *c, const problem *p) {
    (void)c;
    lists_plan *plan = calloc(1, sizeof *plan);
    plan->rank = p->from.rank;
    plan->sends = list_messages(p, true, &plan->send);
    plan->receives = list_messages(p, false, &plan->receive);
    plan->request = malloc((size_t)(plan->sends + plan->receives) * sizeof(MPI_Request));
    local_strides(&p->from, p->rank, plan->from_stride);
    local_strides(&p->to, p->rank, plan->to_stride);
    return plan;
}

static void unpack_message(lists_plan *plan, int k, const problem *p) {
    const message *m = &plan->receive[k];
    pack(m->lists, plan->to_stride, plan->rank, p->b, m->buffer, true);
}

void run_runs(void *memory, const problem *p) {
    lists_plan *plan = memory;
    int own = -1, sends = 0;
    for (int k = 0; k < plan->receives; k++) {
        const message *m = &plan->receive[k];
        plan->request[k] = MPI_REQUEST_NULL;
        if (m->process == p->rank)
            own = k;
        else
            MPI_Irecv(m->buffer, (int)m->elements, MPI_DOUBLE, m->process, 0, MPI_COMM_WORLD, &plan->request[k]);
    }
    for (int k = 0; k < plan->sends; k++) {
        const message *m = &plan->send[k];
        const bool to_self = m->process == p->rank;
        pack(m->lists, plan->from_stride, plan->rank, p->a, to_self ? plan->receive[own].buffer : m->buffer, false);
        if (!to_self)
            MPI_Isend(m->buffer, (int)m->elements, MPI_DOUBLE, m->process, 0, MPI_COMM_WORLD,
                      &plan->request[plan->receives + sends++]);
    }
    if (own >= 0) unpack_message(plan, own, p);
    for (int arrived = 0; arrived != MPI_UNDEFINED;) {
        MPI_Waitany(plan->receives, plan->request, &arrived, MPI_STATUS_IGNORE);
        if (arrived != MPI_UNDEFINED) unpack_message(plan, arrived, p);
    }
    MPI_Waitall(sends, plan->request + plan->receives, MPI_STATUSES_IGNORE);
}

static void free_messages(int rank, message *messages, int count) {
    for (int k = 0; k < count; k++) {
        free_lists(rank, messages[k].lists);
        free(messages[k].buffer);
    }
    free(messages);
}

void release_runs(void *memory) {
    lists_plan *plan = memory;
    free_messages(plan->rank, plan->send, plan->sends);
    free_messages(plan->rank, plan->receive, plan->receives);
    free(plan->request);
    free(plan);
}

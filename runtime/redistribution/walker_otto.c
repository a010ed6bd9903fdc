/* Walker and Otto's seven variants and ready sends, for redistribution between blocks r and K*r on equal grids, in any
 * number of dimensions: in each step a process sends one block of each superblock.  A step of an array is a tuple of
 * its dimensions' steps.  Sheet, section 6.
 *
 * The variants that receive from anyone send without waiting, and wait for these sends after the last step: with
 * blocking sends they could lock up.  In each step a process sends one message and receives one, itself and empty ones
 * included: whenever all wait, more messages have been sent than received, so one of them goes on. */
#include "engine.h"
#include "steps.h"

#include <limits.h>
#include <string.h>

/* One dimension. */
typedef struct {
    dpc_index K, r, P;
    bool grows;                           /* r -> K*r: the source has the small blocks */
    dpc_index from_elements, to_elements; /* local */
    dpc_index from_at, to_at;
} axis;

typedef struct {
    int rank;
    axis axes[DPC_MAX_RANK];
    dpc_index slots;    /* product of the K: messages to send and to receive */
    dpc_index *order;   /* slots in the order of their sending */
    dpc_index *sources; /* with named partners: slots in the order of their receiving */
    bool sends, receives, derived, mpi_pack, ready;
    dpc_index most; /* bytes of the longest message to receive, header included */
} walker_plan;

/* What a slot holds: one local block of each superblock in each dimension. */
typedef struct {
    dpc_index elements;
    int partner;
    dpc_index partner_slot; /* of the other side */
    dpc_share share[DPC_MAX_RANK];
    dpc_stretch stretch[DPC_MAX_RANK];
    const dpc_share *shares[DPC_MAX_RANK];
} slot;

/* ---- Slots */

/* Local block number b of one dimension: with small blocks block b*P + p of the superblock, which belongs to process
 * (b*P + p) / K as its sub-block (b*P + p) mod K; with large blocks the other way round. */
static void meet(const axis *a, bool small, dpc_index at, dpc_index b, dpc_index *coordinate, dpc_index *other) {
    const dpc_index block = small ? b * a->P + at : a->K * at + b;
    *coordinate = small ? block / a->K : block % a->P;
    *other = small ? block % a->K : block / a->P;
}

/* Only `rank`, `axes`, not the rest of the plan, are looked at. */
static void open_slot(const dpc_problem *p, const walker_plan *d, dpc_index number, bool sending, slot *s) {
    dpc_index coordinate[DPC_MAX_RANK], other[DPC_MAX_RANK], rest = number;
    s->elements = 1;
    for (int k = d->rank - 1; k >= 0; k--) {
        const axis *a = &d->axes[k];
        const dpc_index b = rest % a->K, length = sending ? a->from_elements : a->to_elements;
        rest /= a->K;
        meet(a, a->grows == sending, sending ? a->from_at : a->to_at, b, &coordinate[k], &other[k]);
        s->stretch[k] = (dpc_stretch){b * a->r, a->r};
        s->share[k] = (dpc_share){.elements = dpc_repeated(b * a->r, a->r, a->K * a->r, length),
                                  .step = a->K * a->r,
                                  .stretches = 1,
                                  .stretch = &s->stretch[k]};
        s->shares[k] = &s->share[k];
        s->elements *= s->share[k].elements;
    }
    s->partner_slot = 0;
    for (int k = 0; k < d->rank; k++) s->partner_slot = s->partner_slot * d->axes[k].K + other[k];
    s->partner = dpc_mapped_process(sending ? &p->to : &p->from, coordinate);
}

/* The slot of this process in a step of the optimal schedule. */
static dpc_index scheduled_slot(const walker_plan *d, dpc_index step, bool sending) {
    dpc_index rest = step, digit[DPC_MAX_RANK], number = 0;
    for (int k = d->rank - 1; k >= 0; k--) {
        const axis *a = &d->axes[k];
        const dpc_index at = sending ? a->from_at : a->to_at, now = rest % a->K;
        rest /= a->K;
        digit[k] = a->grows == sending ? dpc_walker_send(a->P, a->K, now, at) / a->P
                                       : dpc_walker_receive(a->P, a->K, now, at) % a->K;
    }
    for (int k = 0; k < d->rank; k++) number = number * d->axes[k].K + digit[k];
    return number;
}

/* ---- The plan */

static axis axis_of(const dpc_problem *p, int k) {
    const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
    const dpc_line_pair pair = dpc_pair_lines(&from, &to);
    axis a = {.P = from.procs, .K = dpc_walker_ratio(&from, &to), .from_at = p->from_at[k], .to_at = p->to_at[k]};
    a.grows = pair.mine.block <= pair.theirs.block;
    a.r = a.grows ? pair.mine.block : pair.theirs.block;
    a.from_elements = dpc_line_elements(&from, a.from_at);
    a.to_elements = dpc_line_elements(&to, a.to_at);
    return a;
}

/* A random permutation, another one on each process. */
static void shuffle(dpc_index *order, dpc_index count, int seed) {
    uint64_t state = 88172645463325252u ^ ((uint64_t)seed << 20);
    for (dpc_index k = count - 1; k > 0; k--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const dpc_index other = (dpc_index)(state >> 11) % (k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

typedef enum { NATURAL, RANDOM, OPTIMAL } block_order;

static void set_order(walker_plan *d, block_order order, int seed) {
    d->order = dpc_raw_buffer(d->slots, sizeof *d->order);
    for (dpc_index k = 0; k < d->slots; k++) d->order[k] = order == OPTIMAL ? scheduled_slot(d, k, true) : k;
    if (order == RANDOM) shuffle(d->order, d->slots, seed);
}

/* Header and elements of the longest message in this direction: that of the first blocks. */
static dpc_index longest(const dpc_problem *p, const walker_plan *d, bool sending) {
    slot s;
    open_slot(p, d, 0, sending, &s);
    const dpc_index bytes = (dpc_index)sizeof(dpc_index) + s.elements * p->size;
    if (bytes > INT_MAX) dpc_fail(NULL, "Walker and Otto's methods have no messages above 2 GiB");
    return bytes;
}

static walker_plan *make_plan(const dpc_problem *p, block_order order) {
    walker_plan *d = dpc_buffer(1, sizeof *d);
    d->rank = p->rank;
    d->slots = 1;
    d->sends = p->from_place >= 0;
    d->receives = p->to_place >= 0;
    for (int k = 0; k < p->rank; k++) {
        d->axes[k] = axis_of(p, k);
        d->slots *= d->axes[k].K;
    }
    set_order(d, order, p->me);
    d->most = dpc_maximum(longest(p, d, false), longest(p, d, true));
    return d;
}

void *dpc_plan_walker_natural(const dpc_problem *p) {
    return make_plan(p, NATURAL);
}

void *dpc_plan_walker_ready(const dpc_problem *p) {
    walker_plan *d = make_plan(p, NATURAL);
    d->ready = true;
    return d;
}

void *dpc_plan_walker_random(const dpc_problem *p) {
    return make_plan(p, RANDOM);
}

void *dpc_plan_walker_optimal(const dpc_problem *p) {
    return make_plan(p, OPTIMAL);
}

void *dpc_plan_walker_packed(const dpc_problem *p) {
    walker_plan *d = make_plan(p, OPTIMAL);
    d->mpi_pack = true;
    return d;
}

void *dpc_plan_walker_sendrecv(const dpc_problem *p) {
    walker_plan *d = make_plan(p, OPTIMAL);
    d->sources = dpc_raw_buffer(d->slots, sizeof *d->sources);
    for (dpc_index k = 0; k < d->slots; k++) d->sources[k] = scheduled_slot(d, k, false);
    return d;
}

void *dpc_plan_walker_derived(const dpc_problem *p) {
    walker_plan *d = dpc_plan_walker_sendrecv(p);
    d->derived = true;
    return d;
}

void dpc_release_walker_otto(void *plan) {
    walker_plan *d = plan;
    dpc_free_buffer(d->order);
    dpc_free_buffer(d->sources);
    dpc_free_buffer(d);
}

/* ---- Messages: the receiver's slot, then the elements. */

static void count_sent(const dpc_problem *p, const slot *s, dpc_index bytes) {
    if (s->partner == p->me) {
        dpc_add_count(DPC_COUNT_copied, s->elements);
    } else {
        dpc_count_message_to(s->partner, bytes);
        dpc_add_count(DPC_COUNT_elements, s->elements);
    }
}

static void strides_of(const dpc_mapping *m, dpc_index *stride) {
    for (int k = 0; k < m->rank; k++) stride[k] = m->stride[k];
}

/* By MPI_Pack, or by the engine's own loops. */
static int fill_message(const dpc_problem *p, const walker_plan *d, const slot *s, const char *from, char *message) {
    dpc_index stride[DPC_MAX_RANK];
    const int header = (int)sizeof(dpc_index), total = header + (int)(s->elements * p->size);
    int at = header;
    memcpy(message, &s->partner_slot, sizeof(dpc_index));
    if (s->elements == 0) return total;
    strides_of(&p->from, stride);
    if (!d->mpi_pack) {
        dpc_pack_shares(p->rank, s->shares, stride, p->size, 0, message + header, from);
        return total;
    }
    MPI_Datatype type = dpc_shares_type(p->rank, s->shares, stride, p->size);
    MPI_Pack(from, 1, type, message, total, &at, p->comm);
    MPI_Type_free(&type);
    return total;
}

static void empty_message(const dpc_problem *p, const walker_plan *d, char *message, char *to) {
    dpc_index number, stride[DPC_MAX_RANK];
    int at = (int)sizeof number;
    slot s;
    memcpy(&number, message, sizeof number);
    open_slot(p, d, number, false, &s);
    if (s.elements == 0) return;
    strides_of(&p->to, stride);
    if (!d->mpi_pack) {
        dpc_unpack_shares(p->rank, s.shares, stride, p->size, message + at, to);
        return;
    }
    MPI_Datatype type = dpc_shares_type(p->rank, s.shares, stride, p->size);
    MPI_Unpack(message, at + (int)(s.elements * p->size), &at, to, 1, type, p->comm);
    MPI_Type_free(&type);
}

/* Sends the message of step k; returns its buffer. */
static char *send_step(const dpc_problem *p, const walker_plan *d, dpc_index k, int tag, const char *from,
                       MPI_Request *request) {
    slot s;
    open_slot(p, d, d->order[k], true, &s);
    char *message = dpc_take_staging((dpc_index)sizeof(dpc_index) + s.elements * p->size, 1);
    const int bytes = fill_message(p, d, &s, from, message);
    if (d->ready)
        MPI_Irsend(message, bytes, MPI_BYTE, s.partner, tag, p->comm, request);
    else
        MPI_Isend(message, bytes, MPI_BYTE, s.partner, tag, p->comm, request);
    count_sent(p, &s, bytes);
    return message;
}

/* ---- Receiving from anyone: 1 synchronised, 3 random, 4 optimal, 7 packed */

static void finish_sends(dpc_index count, MPI_Request *requests, char **messages) {
    for (dpc_index k = 0; k < count; k++) {
        MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
        dpc_give_staging(messages[k]);
    }
    dpc_free_buffer(requests);
    dpc_free_buffer(messages);
}

void dpc_execute_walker_steps(const dpc_problem *p, void *plan, const char *from, char *to) {
    const walker_plan *d = plan;
    const int tag = dpc_problem_tag(p);
    const dpc_index sends = d->sends ? d->slots : 0;
    MPI_Request *requests = dpc_raw_buffer(sends, sizeof *requests), incoming;
    char **messages = dpc_raw_buffer(sends, sizeof *messages), *arrived = dpc_take_staging(d->most, 1);
    for (dpc_index k = 0; k < d->slots; k++) {
        if (d->receives) MPI_Irecv(arrived, (int)d->most, MPI_BYTE, MPI_ANY_SOURCE, tag, p->comm, &incoming);
        if (d->sends) messages[k] = send_step(p, d, k, tag, from, &requests[k]);
        if (!d->receives) continue;
        MPI_Wait(&incoming, MPI_STATUS_IGNORE);
        empty_message(p, d, arrived, to);
    }
    dpc_give_staging(arrived);
    finish_sends(sends, requests, messages);
}

/* ---- 2 unsynchronised: all receives are posted first; ready sends know that by a barrier */

void dpc_execute_walker_async(const dpc_problem *p, void *plan, const char *from, char *to) {
    const walker_plan *d = plan;
    const int tag = dpc_problem_tag(p);
    const dpc_index sends = d->sends ? d->slots : 0, receives = d->receives ? d->slots : 0;
    MPI_Request *requests = dpc_raw_buffer(sends, sizeof *requests);
    MPI_Request *incoming = dpc_raw_buffer(receives, sizeof *incoming);
    char **messages = dpc_raw_buffer(sends, sizeof *messages), *arrived = dpc_take_staging(receives, d->most);
    for (dpc_index k = 0; k < receives; k++)
        MPI_Irecv(arrived + k * d->most, (int)d->most, MPI_BYTE, MPI_ANY_SOURCE, tag, p->comm, &incoming[k]);
    if (d->ready) MPI_Barrier(p->comm);
    for (dpc_index k = 0; k < sends; k++) messages[k] = send_step(p, d, k, tag, from, &requests[k]);
    for (dpc_index k = 0; k < receives; k++) {
        int which;
        MPI_Waitany((int)receives, incoming, &which, MPI_STATUS_IGNORE);
        empty_message(p, d, arrived + which * d->most, to);
    }
    dpc_give_staging(arrived);
    dpc_free_buffer(incoming);
    finish_sends(sends, requests, messages);
}

/* ---- 5 sendrecv and 6 derived: named partners, no headers */

/* One direction of a step: nobody where there is nothing to send; by a datatype or by a packed buffer. */
typedef struct {
    slot s;
    int process, count;
    MPI_Datatype type;
    char *data, *buffer;
} half_step;

static void open_half(const dpc_problem *p, const walker_plan *d, dpc_index k, bool sending, char *storage,
                      half_step *h) {
    dpc_index stride[DPC_MAX_RANK];
    *h = (half_step){.process = MPI_PROC_NULL, .type = MPI_BYTE, .data = storage};
    if (!(sending ? d->sends : d->receives)) return;
    open_slot(p, d, sending ? d->order[k] : d->sources[k], sending, &h->s);
    if (h->s.elements == 0) return;
    h->process = h->s.partner;
    h->count = d->derived ? 1 : (int)(h->s.elements * p->size);
    strides_of(sending ? &p->from : &p->to, stride);
    if (d->derived)
        h->type = dpc_shares_type(p->rank, h->s.shares, stride, p->size);
    else
        h->data = h->buffer = dpc_take_staging(h->count, 1);
    if (sending && !d->derived) dpc_pack_shares(p->rank, h->s.shares, stride, p->size, 0, h->buffer, storage);
}

static void close_half(half_step *h) {
    if (h->type != MPI_BYTE) MPI_Type_free(&h->type);
    dpc_give_staging(h->buffer);
}

void dpc_execute_walker_sendrecv(const dpc_problem *p, void *plan, const char *from, char *to) {
    const walker_plan *d = plan;
    const int tag = dpc_problem_tag(p);
    dpc_index stride[DPC_MAX_RANK];
    strides_of(&p->to, stride);
    for (dpc_index k = 0; k < d->slots; k++) {
        half_step out, in;
        open_half(p, d, k, true, (char *)(uintptr_t)from, &out);
        open_half(p, d, k, false, to, &in);
        MPI_Sendrecv(out.data, out.count, out.type, out.process, tag, in.data, in.count, in.type, in.process, tag,
                     p->comm, MPI_STATUS_IGNORE);
        if (in.buffer != NULL) dpc_unpack_shares(p->rank, in.s.shares, stride, p->size, in.buffer, to);
        if (out.count > 0) count_sent(p, &out.s, out.s.elements * p->size);
        close_half(&out);
        close_half(&in);
    }
}

/* ---- Facts */

static void describe_side(const dpc_problem *p, const walker_plan *d, bool sending, dpc_index header,
                          dpc_plan_facts *f) {
    for (dpc_index k = 0; k < d->slots; k++) {
        slot s;
        open_slot(p, d, k, sending, &s);
        if (s.elements == 0 && header == 0) continue;
        const dpc_index bytes = s.elements * p->size + header;
        if (s.partner == p->me)
            f->bytes_copied += sending ? s.elements * p->size : 0;
        else if (sending)
            f->sends++, f->bytes_sent += bytes;
        else
            f->receives++, f->bytes_received += bytes;
        if (!sending) continue;
        dpc_index runs = dpc_ceiling(s.share[d->rank - 1].elements, d->axes[d->rank - 1].r);
        for (int i = 0; i < d->rank - 1; i++) runs *= s.share[i].elements;
        f->runs += runs;
    }
}

void dpc_describe_walker_otto(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const walker_plan *d = plan;
    const dpc_cost *cost = p->cost;
    const dpc_index header = d->sources != NULL ? 0 : (dpc_index)sizeof(dpc_index);
    if (d->sends) describe_side(p, d, true, header, facts);
    if (d->receives) describe_side(p, d, false, header, facts);
    facts->steps = d->slots;
    facts->plan_bytes += (dpc_index)sizeof *d + d->slots * (dpc_index)sizeof *d->order * (d->sources != NULL ? 2 : 1);
    facts->peak_bytes = d->derived ? 0 : 2 * d->most;
    facts->seconds = (double)d->slots * cost->message +
                     (double)dpc_maximum(facts->bytes_sent, facts->bytes_received) * cost->byte +
                     2 * (double)facts->runs * cost->run;
}

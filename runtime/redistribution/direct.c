/* One message per pair of processes: packed where it does not lie side by side, sent in the order of the schedule,
 * unpacked as it comes.  Nothing waits for a send before the step's receive is posted: no deadlock without buffering.
 */
#include "kernels.h"
#include "portions.h"
#include "traffic.h"

/* ---- Whole messages: nothing is unpacked before everything has come. */

static dpc_mail open_mail(const dpc_problem *p, int tag, dpc_index count) {
    dpc_mail mail = dpc_open_mail(tag, count);
    mail.comm = p->comm;
    return mail;
}

/* Message k, to or from a peer, with its data in storage where they lie side by side, else in a buffer. */
static void open_message(const dpc_problem *p, const dpc_peer *peer, char *storage, dpc_mail *mail, dpc_index k) {
    mail->message[k].process = peer->process;
    mail->message[k].bytes = peer->elements * p->size;
    if (peer->place >= 0)
        mail->message[k].data = storage + peer->place * p->size;
    else
        dpc_message_buffer(mail, k);
}

static void send_to(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, const char *from,
                    dpc_mail *mail, dpc_index k) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    open_message(p, peer, (char *)(uintptr_t)from, mail, k);
    dpc_peer_shares(peers, peer, shares);
    if (peer->place < 0) dpc_pack_shares(peers->rank, shares, peers->stride, p->size, 0, mail->message[k].buffer, from);
    dpc_post_send(mail, k);
    dpc_count_contents(peers, peer);
}

static void unpack(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, const char *data, char *to) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    if (peer->place >= 0) return;
    dpc_peer_shares(peers, peer, shares);
    dpc_unpack_shares(peers->rank, shares, peers->stride, p->size, data, to);
}

static void copy_own(const dpc_problem *p, const dpc_direct *d, const char *from, char *to) {
    const dpc_share *mine[DPC_MAX_RANK], *theirs[DPC_MAX_RANK];
    if (!d->senders.has_own) return;
    dpc_peer_shares(&d->senders, &d->senders.own, mine);
    dpc_peer_shares(&d->receivers, &d->receivers.own, theirs);
    dpc_copy_shares(p->rank, mine, d->senders.stride, from, theirs, d->receivers.stride, to, p->size);
    dpc_add_count(DPC_COUNT_copied, d->senders.own.elements);
}

static void exchange_together(const dpc_problem *p, const dpc_direct *d, int tag, const char *from, char *to) {
    dpc_mail incoming = open_mail(p, tag, d->receivers.count), outgoing = open_mail(p, tag, d->senders.count);
    for (dpc_index k = 0; k < d->receivers.count; k++) {
        open_message(p, &d->receivers.peer[k], to, &incoming, k);
        dpc_post_receive(&incoming, k);
    }
    for (dpc_index k = 0; k < d->senders.count; k++) send_to(p, &d->senders, &d->senders.peer[k], from, &outgoing, k);
    copy_own(p, d, from, to);
    dpc_wait_mail(&incoming);
    for (dpc_index k = 0; k < d->receivers.count; k++)
        unpack(p, &d->receivers, &d->receivers.peer[k], incoming.message[k].data, to);
    dpc_wait_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_close_mail(&outgoing);
}

/* ---- What stays on this process, from storage to storage */

typedef struct {
    dpc_portions from, to;
    const char *source;
    char *target, *buffer;
    dpc_index done; /* bytes */
    bool streaming;
} own_copy;

static void copy_until(void *copies, dpc_index until) {
    own_copy *x = copies;
    dpc_copy_portion(&x->from, x->source, &x->to, x->target, until - x->done, x->buffer, x->streaming);
    x->done = until;
}

static dpc_index own_buffer(const dpc_direct *d) {
    return d->senders.has_own ? DPC_COPY_BUFFER : 0;
}

static own_copy open_own(const dpc_problem *p, const dpc_direct *d, const char *from, char *to) {
    const dpc_share *mine[DPC_MAX_RANK] = {0}, *theirs[DPC_MAX_RANK] = {0};
    dpc_peer_shares(&d->senders, &d->senders.own, mine);
    dpc_peer_shares(&d->receivers, &d->receivers.own, theirs);
    dpc_add_count(DPC_COUNT_copied, d->senders.own.elements);
    return (own_copy){.from = dpc_open_portions(p->rank, mine, d->senders.stride, p->size, dpc_readable(p)),
                      .to = dpc_open_portions(p->rank, theirs, d->receivers.stride, p->size, 0),
                      .source = from,
                      .target = to,
                      .streaming = dpc_worth_streaming(d->senders.own.elements * p->size),
                      .buffer = dpc_take_staging(own_buffer(d), 1)};
}

/* ---- Portions of messages */

/* In a step one message goes out and one comes in, at most.  A message waits until its receiver has come to the step:
 * else processes without a message in a step would run ahead, and two messages would meet at one receiver. */
static void exchange_steps(const dpc_problem *p, int tag, const dpc_peers *senders, const dpc_peers *receivers,
                           const dpc_meanwhile *meanwhile, const char *from, char *to) {
    dpc_peer_range out = {senders, 0, 0}, in = {receivers, 0, 0};
    do {
        const dpc_peer *next_out = out.first < senders->count ? &senders->peer[out.first] : NULL;
        const dpc_peer *next_in = in.first < receivers->count ? &receivers->peer[in.first] : NULL;
        out.count = next_out != NULL && (next_in == NULL || next_out->step <= next_in->step);
        in.count = next_in != NULL && (next_out == NULL || next_in->step <= next_out->step);
        dpc_exchange_portions(p, tag, &out, &in, meanwhile, true, from, to);
        meanwhile = NULL;
        out.first += out.count;
        in.first += in.count;
    } while (out.count + in.count > 0);
}

void dpc_exchange_peers(const dpc_problem *p, int tag, const dpc_peers *senders, const dpc_peers *receivers,
                        const dpc_meanwhile *meanwhile, const char *from, char *to) {
    const dpc_peer_range out = {senders, 0, senders->count}, in = {receivers, 0, receivers->count};
    if (p->schedule->set_steps == NULL)
        dpc_exchange_portions(p, tag, &out, &in, meanwhile, false, from, to);
    else
        exchange_steps(p, tag, senders, receivers, meanwhile, from, to);
}

/* ---- The plan */

static dpc_index count_runs(const dpc_peers *peers) {
    dpc_index runs = peers->has_own ? dpc_peer_runs(peers, &peers->own) : 0;
    for (dpc_index k = 0; k < peers->count; k++) runs += dpc_peer_runs(peers, &peers->peer[k]);
    return runs;
}

void *dpc_plan_direct(const dpc_problem *p, dpc_index_method *index) {
    dpc_direct *d = dpc_buffer(1, sizeof *d);
    d->senders = dpc_open_peers(p, index, true);
    d->receivers = dpc_open_peers(p, index, false);
    return d;
}

void dpc_execute_direct(const dpc_problem *p, void *plan, const char *from, char *to) {
    const dpc_direct *d = plan;
    const int tag = dpc_problem_tag(p);
    if (!d->senders.has_own) {
        dpc_exchange_peers(p, tag, &d->senders, &d->receivers, NULL, from, to);
        return;
    }
    own_copy own = open_own(p, d, from, to);
    const dpc_meanwhile meanwhile = {own.from.left, copy_until, &own};
    dpc_exchange_peers(p, tag, &d->senders, &d->receivers, &meanwhile, from, to);
    dpc_give_staging(own.buffer);
}

void dpc_execute_together(const dpc_problem *p, void *plan, const char *from, char *to) {
    if (p->schedule->set_steps == NULL)
        exchange_together(p, plan, dpc_problem_tag(p), from, to);
    else
        dpc_execute_direct(p, plan, from, to);
}

static void add_messages(const dpc_problem *p, const dpc_peers *peers, dpc_index *messages, dpc_index *bytes,
                         dpc_index *packed) {
    for (dpc_index k = 0; k < peers->count; k++) {
        const dpc_peer *peer = &peers->peer[k];
        const dpc_index length = peer->elements * p->size;
        ++*messages;
        *bytes += length;
        if (peer->place < 0) *packed += length;
    }
}

/* Buffers of all messages in one direction, or of the longest one. */
static dpc_index buffers(const dpc_problem *p, const dpc_peers *peers, bool incoming, bool stepwise) {
    dpc_index all = 0, most = 0;
    for (dpc_index k = 0; k < peers->count; k++) {
        const dpc_index bytes = dpc_peer_buffer(p, peers, &peers->peer[k], incoming);
        all += bytes;
        most = dpc_maximum(most, bytes);
    }
    return stepwise ? most : all;
}

static dpc_index last_step(const dpc_peers *peers) {
    return peers->count > 0 ? peers->peer[peers->count - 1].step + 1 : 0;
}

double dpc_predict_messages(const dpc_problem *p, const dpc_plan_facts *f, dpc_index packed) {
    const dpc_cost *cost = p->cost;
    const double messages = (double)dpc_maximum(f->sends, f->receives);
    const double bytes = (double)dpc_maximum(f->bytes_sent, f->bytes_received);
    const double elements = (double)(packed + f->bytes_copied) / (double)p->size;
    return messages * cost->message + bytes * cost->byte + elements * cost->element + 2 * (double)f->runs * cost->run;
}

void dpc_describe_peers(const dpc_problem *p, const dpc_peers *senders, const dpc_peers *receivers,
                        dpc_plan_facts *facts) {
    dpc_index packed[2] = {0};
    add_messages(p, senders, &facts->sends, &facts->bytes_sent, &packed[0]);
    add_messages(p, receivers, &facts->receives, &facts->bytes_received, &packed[1]);
    if (senders->has_own) facts->bytes_copied += senders->own.elements * p->size;
    const bool stepwise = p->schedule->set_steps != NULL;
    facts->steps = stepwise ? dpc_maximum(last_step(senders), last_step(receivers)) : 1;
    facts->runs += count_runs(senders);
    facts->plan_bytes += dpc_peers_bytes(senders) + dpc_peers_bytes(receivers);
    facts->peak_bytes = packed[0] + packed[1];
    facts->seconds += dpc_predict_messages(p, facts, packed[0] + packed[1]);
}

void dpc_describe_together(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const dpc_direct *d = plan;
    dpc_describe_peers(p, &d->senders, &d->receivers, facts);
    facts->plan_bytes += (dpc_index)sizeof *d;
    facts->peak_bytes += own_buffer(d);
}

void dpc_describe_direct(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const dpc_direct *d = plan;
    const bool stepwise = p->schedule->set_steps != NULL;
    dpc_describe_together(p, plan, facts);
    facts->peak_bytes =
        buffers(p, &d->senders, false, stepwise) + buffers(p, &d->receivers, true, stepwise) + own_buffer(d);
}

void dpc_release_direct(void *plan) {
    dpc_direct *d = plan;
    dpc_close_peers(&d->senders);
    dpc_close_peers(&d->receivers);
    dpc_free_buffer(d);
}

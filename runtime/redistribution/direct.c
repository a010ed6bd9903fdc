/* One message per pair of processes: packed where it does not lie side by side, sent in the order of the schedule,
 * unpacked as it comes.  Nothing waits for a send before the step's receive is posted: no deadlock without buffering.
 */
#include "engine.h"

typedef struct {
    dpc_peers senders, receivers; /* this process as sender: whom it sends to; as receiver: who sends to it */
} direct_plan;

/* ---- Messages */

static dpc_mail open_mail(const dpc_problem *p, int tag, dpc_index count) {
    dpc_mail mail = dpc_open_mail(tag, count);
    mail.comm = p->comm;
    return mail;
}

/* Products of stretches that describe what is shared. */
static dpc_index sections(int rank, const dpc_share *const *shares) {
    dpc_index count = 1;
    for (int k = 0; k < rank; k++) count *= shares[k]->stretches;
    return count;
}

/* Packs message k for a peer and sends it. */
static void send_to(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, const char *from,
                    dpc_mail *mail, dpc_index k) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    mail->message[k].process = peer->process;
    mail->message[k].bytes = peer->elements * p->size;
    dpc_add_count(DPC_COUNT_elements, peer->elements);
    if (peer->place >= 0) {
        mail->message[k].data = (char *)(uintptr_t)from + peer->place * p->size;
    } else {
        dpc_peer_shares(peers, peer, shares);
        dpc_add_count(DPC_COUNT_sections, sections(peers->rank, shares));
        dpc_add_count(DPC_COUNT_runs, dpc_peer_runs(peers, peer));
        dpc_pack_shares(peers->rank, shares, peers->stride, p->size, dpc_message_buffer(mail, k), from);
    }
    dpc_post_send(mail, k);
}

static void receive_from(const dpc_problem *p, const dpc_peer *peer, char *to, dpc_mail *mail, dpc_index k) {
    mail->message[k].process = peer->process;
    mail->message[k].bytes = peer->elements * p->size;
    if (peer->place >= 0)
        mail->message[k].data = to + peer->place * p->size;
    else
        dpc_message_buffer(mail, k);
    dpc_post_receive(mail, k);
}

static void unpack(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, const char *data, char *to) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    if (peer->place >= 0) return;
    dpc_peer_shares(peers, peer, shares);
    dpc_unpack_shares(peers->rank, shares, peers->stride, p->size, data, to);
}

static void copy_own(const dpc_problem *p, const direct_plan *d, const char *from, char *to) {
    const dpc_share *mine[DPC_MAX_RANK], *theirs[DPC_MAX_RANK];
    if (!d->senders.has_own) return;
    dpc_peer_shares(&d->senders, &d->senders.own, mine);
    dpc_peer_shares(&d->receivers, &d->receivers.own, theirs);
    dpc_copy_shares(p->rank, mine, d->senders.stride, from, theirs, d->receivers.stride, to, p->size);
    dpc_add_count(DPC_COUNT_copied, d->senders.own.elements);
}

/* ---- Everything at once.  Messages are unpacked as they come, or (`together`) when all have come. */

static void exchange_all(const dpc_problem *p, const direct_plan *d, int tag, bool together, const char *from,
                         char *to) {
    dpc_mail incoming = open_mail(p, tag, d->receivers.count), outgoing = open_mail(p, tag, d->senders.count);
    for (dpc_index k = 0; k < d->receivers.count; k++) receive_from(p, &d->receivers.peer[k], to, &incoming, k);
    for (dpc_index k = 0; k < d->senders.count; k++) send_to(p, &d->senders, &d->senders.peer[k], from, &outgoing, k);
    copy_own(p, d, from, to);
    if (together) dpc_wait_mail(&incoming);
    for (dpc_index k = 0; together && k < d->receivers.count; k++)
        unpack(p, &d->receivers, &d->receivers.peer[k], incoming.message[k].data, to);
    for (dpc_index k; (k = dpc_next_arrival(&incoming)) >= 0;)
        unpack(p, &d->receivers, &d->receivers.peer[k], incoming.message[k].data, to);
    dpc_wait_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_close_mail(&outgoing);
}

/* ---- Step by step: in a step one message goes out and one comes in, at most.  The receive of the next step is posted
 * early, so that its sender need not wait. */

static dpc_mail expect(const dpc_problem *p, const direct_plan *d, int tag, dpc_index k, char *to) {
    dpc_mail mail = open_mail(p, tag, k < d->receivers.count ? 1 : 0);
    if (k < d->receivers.count) receive_from(p, &d->receivers.peer[k], to, &mail, 0);
    return mail;
}

static void exchange_steps(const dpc_problem *p, const direct_plan *d, int tag, const char *from, char *to) {
    const dpc_peers *out = &d->senders, *in = &d->receivers;
    dpc_mail incoming = expect(p, d, tag, 0, to);
    copy_own(p, d, from, to);
    for (dpc_index i = 0, j = 0; i < out->count || j < in->count;) {
        const bool sends = i < out->count && (j == in->count || out->peer[i].step <= in->peer[j].step);
        const bool receives = j < in->count && (i == out->count || in->peer[j].step <= out->peer[i].step);
        dpc_mail outgoing = open_mail(p, tag, sends ? 1 : 0);
        if (sends) send_to(p, out, &out->peer[i++], from, &outgoing, 0);
        if (receives) {
            dpc_mail next = expect(p, d, tag, j + 1, to);
            while (dpc_next_arrival(&incoming) >= 0) {
            }
            unpack(p, in, &in->peer[j++], incoming.message[0].data, to);
            dpc_close_mail(&incoming);
            incoming = next;
        }
        dpc_wait_mail(&outgoing);
        dpc_close_mail(&outgoing);
    }
    dpc_close_mail(&incoming);
}

/* ---- The plan */

static dpc_index count_runs(const dpc_peers *peers) {
    dpc_index runs = peers->has_own ? dpc_peer_runs(peers, &peers->own) : 0;
    for (dpc_index k = 0; k < peers->count; k++) runs += dpc_peer_runs(peers, &peers->peer[k]);
    return runs;
}

void *dpc_plan_direct(const dpc_problem *p, dpc_index_method *index) {
    direct_plan *d = dpc_buffer(1, sizeof *d);
    d->senders = dpc_open_peers(p, index, true);
    d->receivers = dpc_open_peers(p, index, false);
    return d;
}

void dpc_execute_direct(const dpc_problem *p, void *plan, const char *from, char *to) {
    const direct_plan *d = plan;
    const int tag = dpc_problem_tag(p);
    if (p->schedule->set_steps == NULL)
        exchange_all(p, d, tag, false, from, to);
    else
        exchange_steps(p, d, tag, from, to);
}

void dpc_execute_together(const dpc_problem *p, void *plan, const char *from, char *to) {
    if (p->schedule->set_steps == NULL)
        exchange_all(p, plan, dpc_problem_tag(p), true, from, to);
    else
        dpc_execute_direct(p, plan, from, to);
}

static void add_messages(const dpc_problem *p, const dpc_peers *peers, dpc_index *messages, dpc_index *bytes,
                         dpc_index *packed, dpc_index *longest) {
    for (dpc_index k = 0; k < peers->count; k++) {
        const dpc_peer *peer = &peers->peer[k];
        const dpc_index length = peer->elements * p->size;
        ++*messages;
        *bytes += length;
        if (peer->place >= 0) continue;
        *packed += length;
        *longest = dpc_maximum(*longest, length);
    }
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
    dpc_index packed[2] = {0}, longest[2] = {0};
    add_messages(p, senders, &facts->sends, &facts->bytes_sent, &packed[0], &longest[0]);
    add_messages(p, receivers, &facts->receives, &facts->bytes_received, &packed[1], &longest[1]);
    if (senders->has_own) facts->bytes_copied += senders->own.elements * p->size;
    const bool stepwise = p->schedule->set_steps != NULL;
    facts->steps = stepwise ? dpc_maximum(last_step(senders), last_step(receivers)) : 1;
    facts->runs += count_runs(senders);
    facts->plan_bytes += dpc_peers_bytes(senders) + dpc_peers_bytes(receivers);
    facts->peak_bytes = stepwise ? longest[0] + 2 * longest[1] : packed[0] + packed[1];
    facts->seconds += dpc_predict_messages(p, facts, packed[0] + packed[1]);
}

void dpc_describe_direct(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const direct_plan *d = plan;
    dpc_describe_peers(p, &d->senders, &d->receivers, facts);
    facts->plan_bytes += (dpc_index)sizeof *d;
}

void dpc_release_direct(void *plan) {
    direct_plan *d = plan;
    dpc_close_peers(&d->senders);
    dpc_close_peers(&d->receivers);
    dpc_free_buffer(d);
}

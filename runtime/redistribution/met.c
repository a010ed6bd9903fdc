/* Message encoding (MET): a message begins with a header that says where its elements go; the receiver finds no index
 * lists, it does what the headers say.  Source: Chung and Hsu; docs/redistribution-algorithms.md, section 5, for any
 * two distributions. */
#include "engine.h"
#include "encoding.h"

#include <string.h>

typedef struct {
    dpc_peers senders;
    dpc_shares *places;              /* per peer (what stays comes last) and dimension: where its elements go */
    dpc_index strides[DPC_MAX_RANK]; /* of the target's local array */
    dpc_index expected;              /* bytes that come from other processes */
    dpc_index received;              /* elements, all */
} met_plan;

/* ---- Headers, in words: total bytes of the message, elements; per dimension elements, step, number of stretches and
 * these. */

enum { FIXED_WORDS = 2, DIMENSION_WORDS = 3 };

static dpc_index header_words(int rank, const dpc_shares *places) {
    dpc_index words = FIXED_WORDS + DIMENSION_WORDS * rank;
    for (int k = 0; k < rank; k++) words += 2 * places[k].share[0].stretches;
    return words;
}

static void write_header(int rank, const dpc_shares *places, dpc_index total, const dpc_peer *peer, dpc_index *word) {
    *word++ = total;
    *word++ = peer->elements;
    for (int k = 0; k < rank; k++) {
        const dpc_share *share = &places[k].share[0];
        *word++ = share->elements;
        *word++ = share->step;
        *word++ = share->stretches;
        memcpy(word, share->stretch, (size_t)share->stretches * sizeof *share->stretch);
        word += 2 * share->stretches;
    }
}

/* Returns where the elements begin. */
static const char *read_header(int rank, char *message, dpc_share *shares) {
    dpc_index *word = (dpc_index *)message + FIXED_WORDS;
    for (int k = 0; k < rank; k++) {
        shares[k] = (dpc_share){0, word[0], word[1], word[2], (dpc_stretch *)(word + DIMENSION_WORDS)};
        word += DIMENSION_WORDS + 2 * shares[k].stretches;
    }
    return (const char *)word;
}

/* ---- The plan */

static void encode_peer(const dpc_problem *p, met_plan *d, const dpc_peer *peer, dpc_shares *places) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    dpc_peer_shares(&d->senders, peer, shares);
    for (int k = 0; k < p->rank; k++) {
        const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
        places[k] = dpc_encode(&from, p->from_at[k], &to, shares[k]->coordinate);
        if (places[k].failed) dpc_fail(NULL, "out of memory for the headers of a redistribution");
    }
}

void *dpc_plan_met(const dpc_problem *p) {
    met_plan *d = dpc_buffer(1, sizeof *d);
    d->senders = dpc_open_peers(p, dpc_families_shares, true);
    d->places = dpc_buffer((d->senders.count + 1) * p->rank, sizeof *d->places);
    for (dpc_index n = 0; n < d->senders.count; n++) encode_peer(p, d, &d->senders.peer[n], d->places + n * p->rank);
    if (d->senders.has_own) encode_peer(p, d, &d->senders.own, d->places + d->senders.count * p->rank);
    d->received = p->to_place < 0 ? 0 : 1;
    for (int k = 0; k < p->rank; k++) {
        const dpc_line to = dpc_line_of(&p->to, k);
        d->received *= dpc_line_elements(&to, p->to_at[k]);
        d->strides[k] = p->to.stride[k];
    }
    return d;
}

/* ---- Messages: the first chunk says how many bytes there are in all. */

static void send_message(const dpc_problem *p, const met_plan *d, dpc_index n, const char *from, dpc_mail *mail) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    const dpc_peer *peer = &d->senders.peer[n];
    const dpc_shares *places = d->places + n * p->rank;
    const dpc_index words = header_words(p->rank, places), header = words * (dpc_index)sizeof(dpc_index);
    mail->message[n].process = peer->process;
    mail->message[n].bytes = header + peer->elements * p->size;
    char *data = dpc_message_buffer(mail, n);
    write_header(p->rank, places, mail->message[n].bytes, peer, (dpc_index *)data);
    dpc_peer_shares(&d->senders, peer, shares);
    dpc_pack_shares(p->rank, shares, d->senders.stride, p->size, 0, data + header, from);
    dpc_add_count(DPC_COUNT_elements, peer->elements);
    dpc_post_send(mail, n);
}

/* Receives the next chunk of a message from `source` after the `got` bytes that are there; makes room first. */
static dpc_index receive_chunk(const dpc_problem *p, int tag, int source, char **data, dpc_index got, dpc_index total) {
    MPI_Status status;
    int count;
    MPI_Probe(source, tag, p->comm, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    const dpc_index room = dpc_maximum(got + count, total);
    if (got == 0 || total > 0) { /* the first chunk, or the length has just become known */
        char *larger = dpc_take_staging(room, 1);
        if (got > 0) memcpy(larger, *data, (size_t)got);
        dpc_give_staging(*data);
        *data = larger;
    }
    MPI_Recv(*data + got, count, MPI_BYTE, source, tag, p->comm, MPI_STATUS_IGNORE);
    return got + count;
}

/* A message from whoever has sent one. */
static char *receive_message(const dpc_problem *p, int tag) {
    MPI_Status status;
    char *data = NULL;
    MPI_Probe(MPI_ANY_SOURCE, tag, p->comm, &status);
    dpc_index got = receive_chunk(p, tag, status.MPI_SOURCE, &data, 0, 0);
    const dpc_index total = *(const dpc_index *)data;
    if (got < total) got = receive_chunk(p, tag, status.MPI_SOURCE, &data, got, total);
    while (got < total) got = receive_chunk(p, tag, status.MPI_SOURCE, &data, got, 0);
    return data;
}

/* Returns the number of elements. */
static dpc_index unpack(const dpc_problem *p, const met_plan *d, char *message, char *to) {
    dpc_share share[DPC_MAX_RANK];
    const dpc_share *shares[DPC_MAX_RANK];
    const char *data = read_header(p->rank, message, share);
    for (int k = 0; k < p->rank; k++) shares[k] = &share[k];
    dpc_unpack_shares(p->rank, shares, d->strides, p->size, data, to);
    return ((const dpc_index *)message)[1];
}

static dpc_index copy_own(const dpc_problem *p, const met_plan *d, const char *from, char *to) {
    const dpc_share *shares[DPC_MAX_RANK] = {0}, *places[DPC_MAX_RANK];
    if (!d->senders.has_own) return 0;
    dpc_peer_shares(&d->senders, &d->senders.own, shares);
    for (int k = 0; k < p->rank; k++) places[k] = d->places[d->senders.count * p->rank + k].share;
    dpc_copy_shares(p->rank, shares, d->senders.stride, from, places, d->strides, to, p->size);
    dpc_add_count(DPC_COUNT_copied, d->senders.own.elements);
    return d->senders.own.elements;
}

void dpc_execute_met(const dpc_problem *p, void *plan, const char *from, char *to) {
    const met_plan *d = plan;
    const int tag = dpc_problem_tag(p);
    dpc_mail outgoing = dpc_open_mail(tag, d->senders.count);
    outgoing.comm = p->comm;
    for (dpc_index n = 0; n < d->senders.count; n++) send_message(p, d, n, from, &outgoing);
    for (dpc_index left = d->received - copy_own(p, d, from, to); left > 0;) {
        char *message = receive_message(p, tag);
        left -= unpack(p, d, message, to);
        dpc_give_staging(message);
    }
    dpc_wait_mail(&outgoing);
    dpc_close_mail(&outgoing);
}

void dpc_describe_met(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const met_plan *d = plan;
    dpc_peers receivers = dpc_open_peers(p, dpc_families_shares, false);
    dpc_describe_peers(p, &d->senders, &receivers, facts);
    facts->plan_bytes += (dpc_index)sizeof *d - dpc_peers_bytes(&receivers);
    dpc_close_peers(&receivers);
    for (dpc_index n = 0; n < d->senders.count; n++) {
        const dpc_index header = header_words(p->rank, d->places + n * p->rank) * (dpc_index)sizeof(dpc_index);
        facts->bytes_sent += header;
        facts->plan_bytes += header;
    }
    facts->steps = 1;
}

void dpc_release_met(void *plan) {
    met_plan *d = plan;
    for (dpc_index n = 0; n < (d->senders.count + 1) * d->senders.rank; n++) dpc_free_shares(&d->places[n]);
    dpc_free_buffer(d->places);
    dpc_close_peers(&d->senders);
    dpc_free_buffer(d);
}

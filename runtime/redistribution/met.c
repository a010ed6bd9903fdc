/* Message encoding (MET): a message begins with a header that says where its elements go; the receiver finds no index
 * lists, it does what the headers say.  Source: Chung and Hsu; docs/redistribution-algorithms.md, section 5, for any
 * two distributions; and as the paper has it, on top of KY_TO_Y and X_TO_KX, with headers of two words a dimension. */
#include "engine.h"
#include "encoding.h"

#include <string.h>

typedef struct {
    dpc_peers senders;
    bool codes;                    /* headers are the paper's: alpha or beta, and gamma, of each dimension */
    dpc_shares *places;            /* per peer (what stays comes last) and dimension: where its elements go */
    dpc_code *code;                /* the same as codes */
    dpc_ratio ratio[DPC_MAX_RANK]; /* of codes */
    dpc_index length[DPC_MAX_RANK], strides[DPC_MAX_RANK]; /* of the target's local array */
    dpc_index received;                                    /* elements, all */
} met_plan;

/* ---- Headers, in words.  Codes: two per dimension.  Else: total bytes of the message, elements; per dimension
 * elements, step, number of stretches and these. */

enum { FIXED_WORDS = 2, DIMENSION_WORDS = 3, CODE_WORDS = sizeof(dpc_code) / sizeof(dpc_index) };

static dpc_index header_words(const met_plan *d, dpc_index peer) {
    const int rank = d->senders.rank;
    dpc_index words = FIXED_WORDS + DIMENSION_WORDS * rank;
    if (d->codes) return CODE_WORDS * rank;
    for (int k = 0; k < rank; k++) words += 2 * d->places[peer * rank + k].share[0].stretches;
    return words;
}

static void write_places(int rank, const dpc_shares *places, dpc_index total, dpc_index elements, dpc_index *word) {
    *word++ = total;
    *word++ = elements;
    for (int k = 0; k < rank; k++) {
        const dpc_share *share = &places[k].share[0];
        *word++ = share->elements;
        *word++ = share->step;
        *word++ = share->stretches;
        memcpy(word, share->stretch, (size_t)share->stretches * sizeof *share->stretch);
        word += 2 * share->stretches;
    }
}

static void write_header(const met_plan *d, dpc_index n, dpc_index total, char *message) {
    const int rank = d->senders.rank;
    if (d->codes)
        memcpy(message, d->code + n * rank, (size_t)rank * sizeof *d->code);
    else
        write_places(rank, d->places + n * rank, total, d->senders.peer[n].elements, (dpc_index *)message);
}

/* A message that has come, as its header describes it. */
typedef struct {
    char *message;
    dpc_index header, elements; /* bytes; elements behind it */
    dpc_share share[DPC_MAX_RANK];
    dpc_stretch *decoded; /* what the shares of codes consist of */
} contents;

/* Of codes; the message need not be complete. */
static contents read_codes(const dpc_problem *p, const met_plan *d, const char *message) {
    const dpc_code *code = (const dpc_code *)message;
    contents c = {.header = p->rank * (dpc_index)sizeof *code, .elements = 1};
    dpc_index stretches = 0;
    for (int k = 0; k < p->rank; k++) stretches += dpc_code_stretches(&d->ratio[k], &code[k]);
    dpc_stretch *next = c.decoded = dpc_take_staging(stretches, sizeof *c.decoded);
    for (int k = 0; k < p->rank; k++) {
        c.share[k] = dpc_decode_blocks(&d->ratio[k], d->length[k], &code[k], next);
        c.elements *= c.share[k].elements;
        next += c.share[k].stretches;
    }
    return c;
}

/* Of places: of a complete message. */
static contents read_places(int rank, char *message) {
    dpc_index *word = (dpc_index *)message;
    contents c = {.elements = word[1]};
    word += FIXED_WORDS;
    for (int k = 0; k < rank; k++) {
        c.share[k] = (dpc_share){0, word[0], word[1], word[2], (dpc_stretch *)(word + DIMENSION_WORDS)};
        word += DIMENSION_WORDS + 2 * c.share[k].stretches;
    }
    c.header = (char *)word - message;
    return c;
}

/* ---- The plan */

static void encode_peer(const dpc_problem *p, met_plan *d, const dpc_peer *peer, dpc_index n) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    dpc_peer_shares(&d->senders, peer, shares);
    for (int k = 0; k < p->rank; k++) {
        const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
        const dpc_index at = p->from_at[k], other = shares[k]->coordinate;
        if (d->codes) d->code[n * p->rank + k] = dpc_encode_blocks(&d->ratio[k], at, other);
        if (d->codes && peer != &d->senders.own) continue;
        dpc_shares *places = &d->places[n * p->rank + k];
        *places = dpc_encode(&from, at, &to, other);
        if (places->failed) dpc_fail(NULL, "out of memory for the headers of a redistribution");
    }
}

static met_plan *make_plan(const dpc_problem *p, dpc_index_method *index, bool codes) {
    met_plan *d = dpc_buffer(1, sizeof *d);
    d->senders = dpc_open_peers(p, index, true);
    d->codes = codes;
    d->places = dpc_buffer((d->senders.count + 1) * p->rank, sizeof *d->places);
    if (codes) d->code = dpc_buffer((d->senders.count + 1) * p->rank, sizeof *d->code);
    d->received = p->to_place < 0 ? 0 : 1;
    for (int k = 0; k < p->rank; k++) {
        const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
        if (codes) d->ratio[k] = dpc_ratio_of(&from, &to);
        d->length[k] = dpc_line_elements(&to, p->to_at[k]);
        d->strides[k] = p->to.stride[k];
        d->received *= d->length[k];
    }
    for (dpc_index n = 0; n < d->senders.count; n++) encode_peer(p, d, &d->senders.peer[n], n);
    if (d->senders.has_own) encode_peer(p, d, &d->senders.own, d->senders.count);
    return d;
}

void *dpc_plan_met(const dpc_problem *p) {
    return make_plan(p, dpc_families_shares, false);
}

void *dpc_plan_met_thakur(const dpc_problem *p) {
    return make_plan(p, dpc_thakur_shares, true);
}

/* ---- Messages */

static void send_message(const dpc_problem *p, const met_plan *d, dpc_index n, const char *from, dpc_mail *mail) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    const dpc_peer *peer = &d->senders.peer[n];
    const dpc_index header = header_words(d, n) * (dpc_index)sizeof(dpc_index);
    mail->message[n].process = peer->process;
    mail->message[n].bytes = header + peer->elements * p->size;
    char *data = dpc_message_buffer(mail, n);
    write_header(d, n, mail->message[n].bytes, data);
    dpc_peer_shares(&d->senders, peer, shares);
    dpc_pack_shares(p->rank, shares, d->senders.stride, p->size, 0, data + header, from);
    dpc_add_count(DPC_COUNT_elements, peer->elements);
    dpc_post_send(mail, n);
}

typedef struct {
    char *data;
    dpc_index got, room; /* bytes */
    int source;
} arrival;

/* Receives the next chunk of a message behind what is there, in a buffer of `room` bytes at least. */
static void receive_chunk(const dpc_problem *p, int tag, arrival *a, dpc_index room) {
    MPI_Status status;
    int count;
    MPI_Probe(a->source, tag, p->comm, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    a->source = status.MPI_SOURCE;
    if (dpc_maximum(a->got + count, room) > a->room) {
        a->room = dpc_maximum(a->got + count, room);
        char *larger = dpc_take_staging(a->room, 1);
        if (a->got > 0) memcpy(larger, a->data, (size_t)a->got);
        dpc_give_staging(a->data);
        a->data = larger;
    }
    MPI_Recv(a->data + a->got, count, MPI_BYTE, a->source, tag, p->comm, MPI_STATUS_IGNORE);
    a->got += count;
}

/* A message from whoever has sent one.  Codes say how long it is, and so does the first word of places. */
static contents receive_message(const dpc_problem *p, const met_plan *d, int tag) {
    const dpc_index least = d->codes ? p->rank * (dpc_index)sizeof(dpc_code) : (dpc_index)sizeof(dpc_index);
    arrival a = {.source = MPI_ANY_SOURCE};
    contents c = {0};
    do receive_chunk(p, tag, &a, least);
    while (a.got < least);
    if (d->codes) c = read_codes(p, d, a.data);
    const dpc_index total = d->codes ? c.header + c.elements * p->size : *(const dpc_index *)a.data;
    while (a.got < total) receive_chunk(p, tag, &a, total);
    if (!d->codes) c = read_places(p->rank, a.data);
    c.message = a.data;
    return c;
}

static void unpack(const dpc_problem *p, const met_plan *d, contents *c, char *to) {
    const dpc_share *shares[DPC_MAX_RANK];
    for (int k = 0; k < p->rank; k++) shares[k] = &c->share[k];
    dpc_unpack_shares(p->rank, shares, d->strides, p->size, c->message + c->header, to);
    dpc_give_staging(c->message);
    dpc_give_staging(c->decoded);
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

/* Receives messages until no elements are left to come; unpacks each as it comes. */
static void receive_all(const dpc_problem *p, const met_plan *d, int tag, dpc_index left, char *to) {
    while (left > 0) {
        contents c = receive_message(p, d, tag);
        left -= c.elements;
        unpack(p, d, &c, to);
    }
}

/* The same, unpacks when all have come. */
static void receive_together(const dpc_problem *p, const met_plan *d, int tag, dpc_index left, char *to) {
    contents *all = dpc_take_staging(p->processes, sizeof *all);
    int count = 0;
    for (; left > 0; left -= all[count++].elements) all[count] = receive_message(p, d, tag);
    for (int k = 0; k < count; k++) unpack(p, d, &all[k], to);
    dpc_give_staging(all);
}

typedef void receipt(const dpc_problem *p, const met_plan *d, int tag, dpc_index left, char *to);

static void execute(const dpc_problem *p, const met_plan *d, receipt *receive, const char *from, char *to) {
    const int tag = dpc_problem_tag(p);
    dpc_mail outgoing = dpc_open_mail(tag, d->senders.count);
    outgoing.comm = p->comm;
    for (dpc_index n = 0; n < d->senders.count; n++) send_message(p, d, n, from, &outgoing);
    receive(p, d, tag, d->received - copy_own(p, d, from, to), to);
    dpc_wait_mail(&outgoing);
    dpc_close_mail(&outgoing);
}

void dpc_execute_met(const dpc_problem *p, void *plan, const char *from, char *to) {
    execute(p, plan, receive_all, from, to);
}

void dpc_execute_met_together(const dpc_problem *p, void *plan, const char *from, char *to) {
    execute(p, plan, receive_together, from, to);
}

void dpc_describe_met(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const met_plan *d = plan;
    dpc_peers receivers = dpc_open_peers(p, dpc_families_shares, false);
    dpc_describe_peers(p, &d->senders, &receivers, facts);
    facts->plan_bytes += (dpc_index)sizeof *d - dpc_peers_bytes(&receivers);
    dpc_close_peers(&receivers);
    for (dpc_index n = 0; n < d->senders.count; n++) {
        const dpc_index header = header_words(d, n) * (dpc_index)sizeof(dpc_index);
        facts->bytes_sent += header;
        facts->plan_bytes += header;
    }
    facts->steps = 1;
}

void dpc_release_met(void *plan) {
    met_plan *d = plan;
    for (dpc_index n = 0; n < (d->senders.count + 1) * d->senders.rank; n++) dpc_free_shares(&d->places[n]);
    dpc_free_buffer(d->places);
    dpc_free_buffer(d->code);
    dpc_close_peers(&d->senders);
    dpc_free_buffer(d);
}

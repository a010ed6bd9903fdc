/* Portions of messages under way.  See traffic.h.
 *
 * Both processes of a message cut it at the same places: every so many bytes, or, where what lies side by side in both
 * processes' storage is long, at the ends of these runs.  A portion that lies side by side in storage is sent from
 * there or received there; only the others need buffers.  Portions of a message arrive in order: they have the same
 * tag. */
#include "traffic.h"

#include "kernels.h"
#include "portions.h"

/* Bytes.  Portions of PORTION bytes of a few messages stay in a second-level cache; with more processes they are
 * shorter, but worth a message; common runs from COMMON_RUN on are not packed.  Measured: bench/RESULTS.md. */
enum { PORTION = 128 << 10, ALL_PORTIONS = 512 << 10, LEAST_PORTION = 32 << 10 };
enum { COMMON_RUN = 32 << 10, MOST_OF_RUN = 1 << 20 };
/* Portions of a message under way: while one is packed the other travels; those that are not packed need no room. */
enum { PACKED_SLOTS = 2, RUN_SLOTS = 16 };

/* How messages are cut; the same on every process. */
typedef struct {
    bool by_runs;   /* at the ends of common runs */
    dpc_index most; /* bytes of a portion */
    int slots;
} cutting;

static cutting cut_messages(const dpc_problem *p) {
    dpc_line from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    for (int k = 0; k < p->rank; k++) {
        from[k] = dpc_line_of(&p->from, k);
        to[k] = dpc_line_of(&p->to, k);
    }
    if (dpc_common_run_bytes(p->rank, from, to, p->size) >= (double)dpc_minimum(COMMON_RUN, dpc_chunk()))
        return (cutting){true, dpc_minimum(MOST_OF_RUN, dpc_chunk()), RUN_SLOTS};
    dpc_index most = PORTION;
    if (p->schedule->set_steps == NULL)
        most = dpc_maximum(dpc_minimum(PORTION, ALL_PORTIONS / p->processes), LEAST_PORTION);
    return (cutting){false, dpc_minimum(most, dpc_chunk()), PACKED_SLOTS};
}

/* ---- A message */

typedef struct {
    dpc_index bytes;
    bool in_place; /* in storage, not in a buffer */
    bool complete; /* sent, or come */
} portion;

typedef struct {
    bool incoming, in_storage; /* portions may lie side by side in storage */
    bool streaming;            /* what comes passes a buffer and then the caches: faster than MPI's copy into place */
    int process, slots;
    dpc_index left, room;   /* bytes that are not under way yet; of a portion, at most */
    dpc_portions at, ahead; /* to be packed or unpacked next; incoming: to be expected next */
    dpc_common_runs runs;
    portion portion[RUN_SLOTS]; /* under way: `used` of them from number `oldest` on, in a ring */
    int oldest, used;
    int request;               /* number of the first one's */
    char *buffer, *own_buffer; /* of `slots` portions; where it is not part of the common one */
} lane;

typedef struct {
    const dpc_problem *p;
    cutting cutting;
    int tag;
    bool synchronous;
    const char *from;
    char *to;
    dpc_index readable; /* bytes at `from` */
    int lanes, requests;
    lane *lane; /* incoming ones first */
    MPI_Request *request;
    int *lane_of;          /* per request */
    char *buffer;          /* of all lanes that need one for sure */
    dpc_index bytes, done; /* of all messages; of those that have left or come */
    dpc_meanwhile meanwhile;
    dpc_index copied; /* bytes of it */
} traffic;

dpc_index dpc_readable(const dpc_problem *p) {
    return p->from_place < 0 ? 0 : dpc_mapped_span(&p->from, p->from_at) * p->size;
}

static bool may_lie_in_storage(const cutting *c, const dpc_peers *peers, const dpc_peer *peer, dpc_index bytes) {
    return c->by_runs || peer->place >= 0 || bytes / dpc_peer_runs(peers, peer) >= COMMON_RUN;
}

static int slots_of(const cutting *c, dpc_index bytes) {
    return c->by_runs ? c->slots : (int)dpc_minimum(c->slots, dpc_ceiling(bytes, c->most));
}

/* The first common run lies side by side here, and so do the others: it depends on the strides. */
static bool begins_in_place(const lane *l) {
    dpc_common_runs runs = l->runs;
    return dpc_portion_run(&l->at) >= dpc_next_common_run(&runs, l->room);
}

static lane open_lane(const traffic *x, const dpc_peers *peers, const dpc_peer *peer, bool incoming) {
    const dpc_problem *p = x->p;
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    lane l = {.incoming = incoming, .process = peer->process, .left = peer->elements * p->size};
    dpc_peer_shares(peers, peer, shares);
    l.at = dpc_open_portions(p->rank, shares, peers->stride, p->size, incoming ? 0 : x->readable);
    l.streaming = incoming && !x->cutting.by_runs && dpc_worth_streaming(l.left);
    l.in_storage = !l.streaming && may_lie_in_storage(&x->cutting, peers, peer, l.left);
    if (l.in_storage && incoming) l.ahead = l.at;
    l.slots = slots_of(&x->cutting, l.left);
    l.room = dpc_minimum(x->cutting.most, l.left);
    if (!x->cutting.by_runs) return l;
    dpc_line mine[DPC_MAX_RANK], theirs[DPC_MAX_RANK];
    for (int k = 0; k < p->rank; k++) {
        mine[k] = dpc_line_of(incoming ? &p->to : &p->from, k);
        theirs[k] = dpc_line_of(incoming ? &p->from : &p->to, k);
    }
    l.runs = dpc_open_common_runs(p->rank, shares, mine, incoming ? p->to_at : p->from_at, theirs, p->size);
    if (!begins_in_place(&l)) l.slots = PACKED_SLOTS;
    return l;
}

static char *portion_buffer(lane *l, int slot) {
    if (l->buffer == NULL) l->buffer = l->own_buffer = dpc_take_staging(l->slots, l->room);
    return l->buffer + slot * l->room;
}

/* Sends the next portion, or expects it. */
static void post(traffic *x, lane *l) {
    const int slot = (l->oldest + l->used++) % l->slots;
    const dpc_index n = x->cutting.by_runs ? dpc_next_common_run(&l->runs, l->room) : dpc_minimum(l->left, l->room);
    dpc_portions *at = l->incoming ? &l->ahead : &l->at;
    MPI_Request *request = &x->request[l->request + slot];
    portion *next = &l->portion[slot];
    *next = (portion){n, l->in_storage && dpc_portion_run(at) >= n, false};
    const dpc_index place = next->in_place ? dpc_portion_place(at) : 0;
    char *data = !next->in_place ? portion_buffer(l, slot)
                 : l->incoming   ? x->to + place
                                 : (char *)(uintptr_t)x->from + place;
    l->left -= n;
    if (next->in_place || (l->incoming && l->in_storage))
        dpc_skip_portion(at, n);
    else if (!l->incoming)
        dpc_pack_portion(at, data, x->from, n);
    if (l->incoming)
        MPI_Irecv(data, (int)n, MPI_BYTE, l->process, x->tag, x->p->comm, request);
    else if (x->synchronous)
        MPI_Issend(data, (int)n, MPI_BYTE, l->process, x->tag, x->p->comm, request);
    else
        MPI_Isend(data, (int)n, MPI_BYTE, l->process, x->tag, x->p->comm, request);
}

static void fill_slots(traffic *x, lane *l) {
    while (l->left > 0 && l->used < l->slots) post(x, l);
}

/* The oldest portion of a message has come. */
static void store(traffic *x, lane *l, int slot) {
    const portion *come = &l->portion[slot];
    if (come->in_place) {
        dpc_skip_portion(&l->at, come->bytes);
    } else if (l->streaming && dpc_portion_run(&l->at) >= come->bytes) {
        dpc_stream_copy(x->to + dpc_portion_place(&l->at), portion_buffer(l, slot), come->bytes, true);
        dpc_end_streaming();
        dpc_skip_portion(&l->at, come->bytes);
    } else {
        dpc_unpack_portion(&l->at, portion_buffer(l, slot), x->to, come->bytes);
    }
}

static void complete(traffic *x, int request) {
    lane *l = &x->lane[x->lane_of[request]];
    l->portion[request - l->request].complete = true;
    for (; l->used > 0 && l->portion[l->oldest].complete; l->used--) {
        if (l->incoming) store(x, l, l->oldest);
        x->done += l->portion[l->oldest].bytes;
        l->oldest = (l->oldest + 1) % l->slots;
    }
    fill_slots(x, l);
}

/* ---- Copies meanwhile */

static void copy_until(traffic *x, dpc_index until) {
    if (until <= x->copied) return;
    x->meanwhile.proceed(x->meanwhile.copies, until);
    x->copied = until;
}

DPC_STEADY static void keep_step(traffic *x) {
    const dpc_index all = x->meanwhile.bytes;
    const double part = x->bytes > 0 ? (double)x->done / (double)x->bytes : 1;
    copy_until(x, part < 1 ? (dpc_index)(part * (double)all) / LEAST_PORTION * LEAST_PORTION : all);
}

/* ---- The exchange */

/* Products of stretches that describe what is shared. */
#ifndef DPC_STANDALONE
static dpc_index sections(const dpc_peers *peers, const dpc_peer *peer) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    dpc_index count = 1;
    dpc_peer_shares(peers, peer, shares);
    for (int k = 0; k < peers->rank; k++) count *= shares[k]->stretches;
    return count;
}

void dpc_count_contents(const dpc_peers *peers, const dpc_peer *peer) {
    if (!dpc_statistics) return;
    dpc_add_count(DPC_COUNT_elements, peer->elements);
    if (peer->place >= 0) return;
    dpc_add_count(DPC_COUNT_sections, sections(peers, peer));
    dpc_add_count(DPC_COUNT_runs, dpc_peer_runs(peers, peer));
}
#endif

static void open_lanes(traffic *x, const dpc_peer_range *range, bool incoming) {
    for (dpc_index k = range->first; k < range->first + range->count; k++) {
        const dpc_peer *peer = &range->peers->peer[k];
        lane *l = &x->lane[x->lanes++];
        *l = open_lane(x, range->peers, peer, incoming);
        l->request = x->requests;
        x->requests += l->slots;
        x->bytes += l->left;
        if (incoming) continue;
        dpc_count_message_to(peer->process, l->left);
        dpc_count_contents(range->peers, peer);
    }
}

/* Requests, and the buffers of messages that are packed for sure. */
static void make_room(traffic *x) {
    dpc_index bytes = 0;
    x->request = dpc_take_staging(x->requests, sizeof *x->request);
    x->lane_of = dpc_take_staging(x->requests, sizeof *x->lane_of);
    for (int k = 0; k < x->lanes; k++) {
        for (int slot = 0; slot < x->lane[k].slots; slot++) {
            x->request[x->lane[k].request + slot] = MPI_REQUEST_NULL;
            x->lane_of[x->lane[k].request + slot] = k;
        }
        if (!x->lane[k].in_storage) bytes += x->lane[k].slots * x->lane[k].room;
    }
    char *next = x->buffer = dpc_take_staging(bytes, 1);
    for (int k = 0; k < x->lanes; k++) {
        if (x->lane[k].in_storage) continue;
        x->lane[k].buffer = next;
        next += x->lane[k].slots * x->lane[k].room;
    }
}

static void run(traffic *x) {
    for (int k = 0; k < x->lanes; k++) fill_slots(x, &x->lane[k]);
    for (int which; x->requests > 0;) {
        keep_step(x);
        MPI_Waitany(x->requests, x->request, &which, MPI_STATUS_IGNORE);
        if (which == MPI_UNDEFINED) break;
        complete(x, which);
    }
    copy_until(x, x->meanwhile.bytes);
}

static void close_traffic(traffic *x) {
    for (int k = 0; k < x->lanes; k++) dpc_give_staging(x->lane[k].own_buffer);
    dpc_give_staging(x->buffer);
    dpc_give_staging(x->request);
    dpc_give_staging(x->lane_of);
    dpc_give_staging(x->lane);
}

/* ---- Short messages: one portion each, which needs no state of its own */

/* Message number n, of the receivers and then of the senders. */
static const dpc_peer *short_peer(const dpc_peer_range *senders, const dpc_peer_range *receivers, dpc_index n) {
    const bool incoming = n < receivers->count;
    const dpc_peer_range *range = incoming ? receivers : senders;
    return &range->peers->peer[range->first + (incoming ? n : n - receivers->count)];
}

/* Bytes of the buffers; -1: a message is longer than a portion. */
static dpc_index short_bytes(const traffic *x, const dpc_peer_range *senders, const dpc_peer_range *receivers) {
    dpc_index bytes = 0;
    for (dpc_index n = 0; n < senders->count + receivers->count; n++) {
        const dpc_peer *peer = short_peer(senders, receivers, n);
        if (peer->elements * x->p->size > x->cutting.most) return -1;
        if (peer->place < 0) bytes += peer->elements * x->p->size;
    }
    return bytes;
}

static void send_short(traffic *x, const dpc_peers *peers, const dpc_peer *peer, char *buffer, MPI_Request *request) {
    const dpc_problem *p = x->p;
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    const dpc_index bytes = peer->elements * p->size;
    const char *data = peer->place < 0 ? buffer : x->from + peer->place * p->size;
    if (peer->place < 0) {
        dpc_peer_shares(peers, peer, shares);
        dpc_pack_shares(p->rank, shares, peers->stride, p->size, x->readable, buffer, x->from);
    }
    dpc_count_message_to(peer->process, bytes);
    dpc_count_contents(peers, peer);
    (x->synchronous ? MPI_Issend : MPI_Isend)(data, (int)bytes, MPI_BYTE, peer->process, x->tag, p->comm, request);
}

static void receive_short(traffic *x, const dpc_peer *peer, char *buffer, MPI_Request *request) {
    const dpc_problem *p = x->p;
    char *data = peer->place < 0 ? buffer : x->to + peer->place * p->size;
    MPI_Irecv(data, (int)(peer->elements * p->size), MPI_BYTE, peer->process, x->tag, p->comm, request);
}

DPC_STEADY static void store_short(const traffic *x, const dpc_peers *peers, const dpc_peer *peer, const char *data) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    if (peer->place >= 0) return;
    dpc_peer_shares(peers, peer, shares);
    dpc_unpack_shares(x->p->rank, shares, peers->stride, x->p->size, data, x->to);
}

/* Posts all of them; place[n]: the buffer of message n. */
DPC_STEADY static void post_short(traffic *x, const dpc_peer_range *senders, const dpc_peer_range *receivers,
                                  char **place) {
    char *next = x->buffer;
    for (dpc_index n = 0; n < x->requests; n++) {
        const dpc_peer *peer = short_peer(senders, receivers, n);
        const dpc_index bytes = peer->elements * x->p->size;
        place[n] = next;
        if (peer->place < 0) next += bytes;
        x->bytes += bytes;
        if (n < receivers->count)
            receive_short(x, peer, place[n], &x->request[n]);
        else
            send_short(x, senders->peers, peer, place[n], &x->request[n]);
    }
}

DPC_STEADY static void exchange_short(traffic *x, const dpc_peer_range *senders, const dpc_peer_range *receivers,
                                      dpc_index bytes) {
    x->requests = (int)(receivers->count + senders->count);
    char **place = dpc_take_staging(x->requests, sizeof *place);
    x->request = dpc_take_staging(x->requests, sizeof *x->request);
    x->buffer = dpc_take_staging(bytes, 1);
    post_short(x, senders, receivers, place);
    for (int which; x->requests > 0;) {
        keep_step(x);
        MPI_Waitany(x->requests, x->request, &which, MPI_STATUS_IGNORE);
        if (which == MPI_UNDEFINED) break;
        const dpc_peer *peer = short_peer(senders, receivers, which);
        if (which < receivers->count) store_short(x, receivers->peers, peer, place[which]);
        x->done += peer->elements * x->p->size;
    }
    copy_until(x, x->meanwhile.bytes);
    dpc_give_staging(place);
    dpc_give_staging(x->request);
    dpc_give_staging(x->buffer);
}

/* ---- Messages in portions */

static void exchange_lanes(traffic *x, const dpc_peer_range *senders, const dpc_peer_range *receivers) {
    x->lane = dpc_take_staging(senders->count + receivers->count, sizeof *x->lane);
    open_lanes(x, receivers, true);
    open_lanes(x, senders, false);
    make_room(x);
    run(x);
    close_traffic(x);
}

DPC_STEADY void dpc_exchange_portions(const dpc_problem *p, int tag, const dpc_peer_range *senders,
                                      const dpc_peer_range *receivers, const dpc_meanwhile *meanwhile, bool synchronous,
                                      const char *from, char *to) {
    traffic x = {.p = p, .cutting = cut_messages(p), .tag = tag, .synchronous = synchronous, .from = from, .to = to};
    x.readable = dpc_readable(p);
    if (meanwhile != NULL) x.meanwhile = *meanwhile;
    const dpc_index bytes = x.cutting.by_runs ? -1 : short_bytes(&x, senders, receivers);
    if (bytes >= 0)
        exchange_short(&x, senders, receivers, bytes);
    else
        exchange_lanes(&x, senders, receivers);
}

dpc_index dpc_peer_buffer(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, bool incoming) {
    const traffic x = {.p = p, .cutting = cut_messages(p)};
    const lane l = open_lane(&x, peers, peer, incoming);
    const bool in_place = peer->place >= 0 || (x.cutting.by_runs && begins_in_place(&l));
    return in_place && !l.streaming ? 0 : l.slots * l.room;
}

/* One call of MPI_Alltoallw with a derived datatype per pair of processes: the baseline that leaves everything to the
 * MPI library.  Its arguments take memory in proportion to the number of processes. */
#include "engine.h"

typedef struct {
    dpc_peers senders, receivers;
    int *counts[2], *places; /* to send, to receive; zeroes */
    MPI_Datatype *types[2];
} alltoallw_plan;

static void set_type(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, int *counts,
                     MPI_Datatype *types) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    dpc_peer_shares(peers, peer, shares);
    counts[peer->process] = 1;
    types[peer->process] = dpc_shares_type(p->rank, shares, peers->stride, p->size);
}

static void set_types(const dpc_problem *p, const dpc_peers *peers, int **counts, MPI_Datatype **types) {
    *counts = dpc_buffer(p->processes, sizeof **counts);
    *types = dpc_raw_buffer(p->processes, sizeof **types);
    for (int k = 0; k < p->processes; k++) (*types)[k] = MPI_BYTE;
    for (dpc_index k = 0; k < peers->count; k++) set_type(p, peers, &peers->peer[k], *counts, *types);
    if (peers->has_own) set_type(p, peers, &peers->own, *counts, *types);
}

void *dpc_plan_alltoallw(const dpc_problem *p) {
    alltoallw_plan *d = dpc_buffer(1, sizeof *d);
    d->senders = dpc_open_peers(p, dpc_walk_shares, true);
    d->receivers = dpc_open_peers(p, dpc_walk_shares, false);
    set_types(p, &d->senders, &d->counts[0], &d->types[0]);
    set_types(p, &d->receivers, &d->counts[1], &d->types[1]);
    d->places = dpc_buffer(p->processes, sizeof *d->places);
    return d;
}

void dpc_execute_alltoallw(const dpc_problem *p, void *plan, const char *from, char *to) {
    const alltoallw_plan *d = plan;
    MPI_Alltoallw(from, d->counts[0], d->places, d->types[0], to, d->counts[1], d->places, d->types[1], p->comm);
#ifndef DPC_STANDALONE
    if (!dpc_statistics) return;
    for (dpc_index k = 0; k < d->senders.count; k++) {
        dpc_count_message_to(d->senders.peer[k].process, d->senders.peer[k].elements * p->size);
        dpc_add_count(DPC_COUNT_elements, d->senders.peer[k].elements);
    }
    if (d->senders.has_own) dpc_add_count(DPC_COUNT_copied, d->senders.own.elements);
#endif
}

void dpc_describe_alltoallw(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const alltoallw_plan *d = plan;
    dpc_describe_peers(p, &d->senders, &d->receivers, facts);
    facts->peak_bytes = 0;
    facts->seconds = (double)dpc_maximum(facts->sends, facts->receives) * p->cost->message +
                     (double)dpc_maximum(facts->bytes_sent, facts->bytes_received) * p->cost->typed_byte +
                     2 * (double)facts->runs * p->cost->typed_run;
    facts->plan_bytes += (dpc_index)sizeof *d + p->processes * (dpc_index)(3 * sizeof(int) + 2 * sizeof(MPI_Datatype));
}

void dpc_release_alltoallw(void *plan) {
    alltoallw_plan *d = plan;
    const dpc_peers *peers[2] = {&d->senders, &d->receivers};
    for (int side = 0; side < 2; side++) {
        for (dpc_index k = 0; k < peers[side]->count; k++) MPI_Type_free(&d->types[side][peers[side]->peer[k].process]);
        if (peers[side]->has_own) MPI_Type_free(&d->types[side][peers[side]->own.process]);
        dpc_free_buffer(d->counts[side]);
        dpc_free_buffer(d->types[side]);
    }
    dpc_free_buffer(d->places);
    dpc_close_peers(&d->senders);
    dpc_close_peers(&d->receivers);
    dpc_free_buffer(d);
}

/* The processes that a process shares elements with: every combination of the coordinates that its dimensions' shares
 * name (docs/redistribution-algorithms.md, F1). */
#include "engine.h"

static dpc_index combinations(const dpc_peers *peers) {
    dpc_index total = 1;
    for (int k = 0; k < peers->rank; k++) total *= peers->shares[k].count;
    return total;
}

DPC_STEADY void dpc_peer_shares(const dpc_peers *peers, const dpc_peer *peer, const dpc_share **shares) {
    dpc_index rest = peer->number;
    for (int k = peers->rank - 1; k >= 0; k--) {
        shares[k] = &peers->shares[k].share[rest % peers->shares[k].count];
        rest /= peers->shares[k].count;
    }
}

/* Stretches that the share consists of. */
static dpc_index runs_of(const dpc_share *share) {
    if (share->step == 0) return share->stretches;
    dpc_index in_period = 0, k = 0;
    for (dpc_index n = 0; n < share->stretches; n++) in_period += share->stretch[n].length;
    for (dpc_index rest = share->elements % in_period; rest > 0; k++) rest -= share->stretch[k].length;
    return share->elements / in_period * share->stretches + k;
}

/* Position at which the elements lie side by side in row-major order; -1: they don't.  From the last dimension on: a
 * dimension may have many elements as long as those inside it are adjacent. */
static dpc_index contiguous_place(const dpc_peers *peers, const dpc_share *const *shares) {
    dpc_index place = 0, inner = 1;
    for (int k = peers->rank - 1; k >= 0; k--) {
        const dpc_share *share = shares[k];
        place += share->stretch[0].offset * peers->stride[k];
        if (share->elements == 1) continue;
        if (share->step != 0 || share->stretches > 1 || peers->stride[k] != inner) return -1;
        inner *= share->elements;
    }
    return place;
}

dpc_index dpc_peer_runs(const dpc_peers *peers, const dpc_peer *peer) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    if (peer->place >= 0) return 1;
    dpc_peer_shares(peers, peer, shares);
    dpc_index runs = runs_of(shares[peers->rank - 1]);
    for (int k = 0; k < peers->rank - 1; k++) runs *= shares[k]->elements;
    return runs;
}

static dpc_peer make_peer(const dpc_peers *peers, const dpc_mapping *other, dpc_index number) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    dpc_index coordinates[DPC_MAX_RANK];
    dpc_peer peer = {.number = number, .elements = 1};
    dpc_peer_shares(peers, &peer, shares);
    for (int k = 0; k < peers->rank; k++) {
        coordinates[k] = shares[k]->coordinate;
        peer.elements *= shares[k]->elements;
    }
    peer.process = dpc_mapped_process(other, coordinates);
    peer.place = contiguous_place(peers, shares);
    return peer;
}

/* By step, then by rank. */
static int by_step(const void *left, const void *right) {
    const dpc_peer *x = left, *y = right;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    return (x->process > y->process) - (x->process < y->process);
}

/* Puts the peers into the order of messages.  Without a schedule each process begins with those after itself, which
 * spreads the load (Hsu, Chung and Dow, section 2.4 of docs/redistribution-algorithms.md). */
static void order_peers(const dpc_problem *p, dpc_peers *peers, bool sender) {
    if (p->schedule->set_steps != NULL)
        p->schedule->set_steps(p, peers, sender);
    else
        for (dpc_index k = 0; k < peers->count; k++)
            peers->peer[k].step = (peers->peer[k].process - p->me + p->processes) % p->processes;
    if (peers->count > 1) qsort(peers->peer, (size_t)peers->count, sizeof *peers->peer, by_step);
}

static void find_peers(const dpc_problem *p, dpc_peers *peers, const dpc_mapping *other) {
    const dpc_index total = combinations(peers);
    peers->peer = dpc_raw_buffer(total, sizeof *peers->peer);
    for (dpc_index number = 0; number < total; number++) {
        const dpc_peer peer = make_peer(peers, other, number);
        if (peer.process != p->me) {
            peers->peer[peers->count++] = peer;
            continue;
        }
        peers->own = peer;
        peers->has_own = true;
    }
}

dpc_peers dpc_open_peers(const dpc_problem *p, dpc_index_method *index, bool sender) {
    const dpc_mapping *mine = sender ? &p->from : &p->to, *other = sender ? &p->to : &p->from;
    dpc_peers peers = {.rank = p->rank};
    if ((sender ? p->from_place : p->to_place) < 0) return (dpc_peers){0};
    for (int k = 0; k < p->rank; k++) {
        const dpc_line line = dpc_line_of(mine, k), other_line = dpc_line_of(other, k);
        peers.shares[k] = index(&line, sender ? p->from_at[k] : p->to_at[k], &other_line);
        if (peers.shares[k].failed) dpc_fail(NULL, "out of memory for the lists of a redistribution");
        peers.stride[k] = mine->stride[k];
    }
    find_peers(p, &peers, other);
    order_peers(p, &peers, sender);
    return peers;
}

void dpc_close_peers(dpc_peers *peers) {
    for (int k = 0; k < peers->rank; k++) dpc_free_shares(&peers->shares[k]);
    dpc_free_buffer(peers->peer);
    *peers = (dpc_peers){0};
}

dpc_index dpc_peers_bytes(const dpc_peers *peers) {
    dpc_index bytes = peers->count * (dpc_index)sizeof *peers->peer;
    for (int k = 0; k < peers->rank; k++) bytes += dpc_shares_bytes(&peers->shares[k]);
    return bytes;
}

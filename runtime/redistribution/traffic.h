/* Messages between this process and its peers, in portions that stay in the caches while they are packed, travel and
 * are unpacked. */
#ifndef DPC_REDISTRIBUTION_TRAFFIC_H
#define DPC_REDISTRIBUTION_TRAFFIC_H

#include "engine.h"

/* Peers first .. first + count - 1. */
typedef struct {
    const dpc_peers *peers;
    dpc_index first, count;
} dpc_peer_range;

/* Sends to these peers and receives from those; `own`: what stays on this process is copied meanwhile.  At most a few
 * portions of a message are under way.  synchronous: no message leaves before it is expected. */
void dpc_exchange_portions(const dpc_problem *p, int tag, const dpc_peer_range *senders,
                           const dpc_peer_range *receivers, bool own, bool synchronous, const char *from, char *to);
/* Bytes of the buffers for the messages of a peer, at most; of the buffer for what stays on this process. */
dpc_index dpc_peer_buffer(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, bool incoming);
dpc_index dpc_own_buffer(const dpc_peers *senders);
/* Adds what a message to a peer contains to what is counted. */
void dpc_count_contents(const dpc_peers *peers, const dpc_peer *peer);

#endif

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

/* Copies within reach of this process, done while messages travel, in step with what comes. */
typedef struct {
    dpc_index bytes; /* in all */
    void (*proceed)(void *copies,
                    dpc_index until); /* up to this byte, more than before; about so far is enough, but at the end */
    void *copies;
} dpc_meanwhile;

/* Sends to these peers and receives from those.  At most a few portions of a message are under way.  meanwhile: NULL:
 * nothing; synchronous: no message leaves before it is expected. */
void dpc_exchange_portions(const dpc_problem *p, int tag, const dpc_peer_range *senders,
                           const dpc_peer_range *receivers, const dpc_meanwhile *meanwhile, bool synchronous,
                           const char *from, char *to);
/* direct.c: to and from all of these, in the order of the problem's schedule. */
void dpc_exchange_peers(const dpc_problem *p, int tag, const dpc_peers *senders, const dpc_peers *receivers,
                        const dpc_meanwhile *meanwhile, const char *from, char *to);
/* Bytes of the buffers for the messages of a peer, at most. */
dpc_index dpc_peer_buffer(const dpc_problem *p, const dpc_peers *peers, const dpc_peer *peer, bool incoming);
/* Bytes of storage up to the last element that this process has. */
dpc_index dpc_readable(const dpc_problem *p);
/* Adds what a message to a peer contains to what is counted. */
#ifdef DPC_STANDALONE
#define dpc_count_contents(peers, peer) DPC_LEFT_OUT
#else
void dpc_count_contents(const dpc_peers *peers, const dpc_peer *peer);
#endif

#endif

/* Message encoding: where the elements of a message lie at the receiver.  Pure. */
#ifndef DPC_REDISTRIBUTION_ENCODING_H
#define DPC_REDISTRIBUTION_ENCODING_H

#include "index.h"

/* One dimension of equal process numbers in which one block divides the other: blocks r and k*r on M processes. */
typedef struct {
    dpc_index M, r, k;
    bool shrinks; /* kr -> r */
} dpc_ratio;

dpc_ratio dpc_ratio_of(const dpc_line *from, const dpc_line *to);

/* What a message of Chung and Hsu's begins with, for one such dimension (units: elements). */
typedef struct {
    dpc_index first;    /* alpha or beta: local index of the first element at the receiver */
    dpc_index in_cycle; /* gamma: elements of the message in a cycle of k*r; 0: nothing is sent */
} dpc_code;

/* Of what coordinate p of the source sends coordinate q of the target. */
dpc_code dpc_encode_blocks(const dpc_ratio *x, dpc_index p, dpc_index q);
/* The places that a code stands for in a dimension of `length` local elements; `stretch` has room for
 * dpc_code_stretches. */
dpc_index dpc_code_stretches(const dpc_ratio *x, const dpc_code *code);
dpc_share dpc_decode_blocks(const dpc_ratio *x, dpc_index length, const dpc_code *code, dpc_stretch *stretch);

/* The places at coordinate q of the target of what coordinate p of the source sends it: by the codes where they serve,
 * else by the families of the pair.  One share; its number of elements is what the sender counted. */
dpc_shares dpc_encode(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q);

#endif

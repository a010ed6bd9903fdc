/* Message encoding: where the elements of a message lie at the receiver.  Pure. */
#ifndef DPC_REDISTRIBUTION_ENCODING_H
#define DPC_REDISTRIBUTION_ENCODING_H

#include "index.h"

/* The places at coordinate q of the target of what coordinate p of the source sends it: by the closed forms alpha, beta
 * and gamma where one block divides the other on equal process numbers, else by the families of the pair.  One share;
 * its number of elements is what the sender counted. */
dpc_shares dpc_encode(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q);

#endif

/* Random numbers of tests, the same in every run and on every process: rand() is shared by simulated processes. */
#ifndef RANDOM_H
#define RANDOM_H

#include "../../runtime/distribution.h"

static uint64_t random_state = 88172645463325252u;

/* 0 <= ... < n. */
static inline dpc_index random_below(dpc_index n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (dpc_index)(random_state >> 11) % n;
}

/* low <= ... <= high. */
static inline dpc_index between(dpc_index low, dpc_index high) {
    return low + random_below(high - low + 1);
}

#endif

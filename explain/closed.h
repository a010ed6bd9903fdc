/* Closed forms of one dimension's communication sets, as text in p (who sends), q (who executes), N and k = 0, 1, ...
 * Iterations count from that of the least index value; what is outside them is dropped, and the pair p = q. */
#ifndef DPC_EXPLAIN_CLOSED_H
#define DPC_EXPLAIN_CLOSED_H

#include <stdio.h>

#include "../analysis/model/analysis.h"

typedef struct {
    const char *send,
        *receive; /* coordinates: "(p + 1) mod N"; or a condition that they fulfil: "(q - 3*p) mod N < 3" */
    bool explicit_send, explicit_receive; /* no condition */
    /* Iterations: start + ([[t0 : t0+length-1] : block-1 : period] and [0 : end]), t0 being the offset. */
    const char *start, *offset, *period, *end;
    int64_t length, block;
} closed_sets;

/* False: the sets have no closed forms, or these ask for numbers that are not known. */
bool closed_sets_of(const program *p, const parallel *s, const reference *r, int d, closed_sets *to);
void print_closed_sets(FILE *out, const program *p, const closed_sets *x);

#endif

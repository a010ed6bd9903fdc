/* What was right and wrong in the rounds of a test on several processes. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "../../runtime/dpc.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

static long passed, failed;

/* Counts; prints the first failures. */
static inline void expect(bool right, const char *what, int round) {
    int rank;
    if (right) {
        passed++;
        return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (failed++ < 5) printf("process %d: %s, round %d\n", rank, what, round);
}

/* Receives and sends, as programs do. */
static inline void post_messages(const dpc_messages *x) {
    for (dpc_message *from = x->from; from < x->from_end; from++)
        MPI_Irecv(from->data, from->count, from->type, from->process, x->tag, dpc_communicator, from->request);
    for (dpc_message *to = x->to; to < x->to_end; to++)
        MPI_Isend(to->data, to->count, to->type, to->process, x->tag, dpc_communicator, to->request);
}

#endif

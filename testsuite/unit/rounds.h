/* What was right and wrong in the rounds of a test on several processes. */
#ifndef ROUNDS_H
#define ROUNDS_H

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

#endif

/* What the rows of a table share: TABLE is 6 (and 7), 8 or 9.  With COUNTED, under SimGrid: the instructions of one
 * execution are counted (../instructions.c), or simulated time is taken, of the second execution. */
#ifdef COUNTED
#include "../instructions.h"
#define SAMPLES 1
#define BATCH 1
#define EXECUTIONS 2
#define ALONE 1 /* without the time of time_of_all */
#else
#define SAMPLES 21
#define BATCH 5
#define EXECUTIONS (SAMPLES * BATCH)
#define ALONE 0
#endif
#include "../bench.h"

#define COUNT (TABLE == 9 ? 241920L : 80640L)
#define FIRST_A (TABLE == 9 ? 0L : 1997L)
#define FIRST_C (TABLE == 9 ? 0L : 5L)
#define TIMES (TABLE == 8 ? 0.5 * EXECUTIONS : 1)

#if TABLE == 8
#define STATEMENT forall(i = 0 : COUNT - 1) A[FIRST_A + S1 * i] = A[FIRST_A + S1 * i] + 0.5 * C[FIRST_C + S2 * i];
#else
#define STATEMENT forall(i = 0 : COUNT - 1) A[FIRST_A + S1 * i] = C[FIRST_C + S2 * i];
#endif

#pragma dpc processors P(*)
double MARK[64];
#pragma dpc distribute MARK(cyclic(1)) onto P

/* The time when every process has come here. */
static double time_of_all(void) {
    double nothing = sum(k = 0 : 63, MARK[k]);
    return dpc_wtime() + nothing;
}

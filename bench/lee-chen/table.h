/* What the rows of a table share: TABLE is 6 (and 7), 8 or 9. */
#define SAMPLES 21
#define BATCH 5
#include "../bench.h"

#define COUNT (TABLE == 9 ? 241920L : 80640L)
#define FIRST_A (TABLE == 9 ? 0L : 1997L)
#define FIRST_C (TABLE == 9 ? 0L : 5L)
#define TIMES (TABLE == 8 ? 0.5 * SAMPLES * BATCH : 1)

#pragma dpc processors P(*)
double MARK[64];
#pragma dpc distribute MARK(cyclic(1)) onto P

/* The time when every process has come here. */
static double time_of_all(void) {
    double nothing = sum(k = 0 : 63, MARK[k]);
    return dpc_wtime() + nothing;
}

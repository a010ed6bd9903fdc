/* Private to explain: the sets of one pair of processes, with --pair. */
#ifndef DPC_EXPLAIN_PAIRS_H
#define DPC_EXPLAIN_PAIRS_H

#include "../analysis/model/analysis.h"

/* "process 2 sends process 0 7 elements of B: [4:28:8]": of a reference that sets move, of a redistribution. NULL: not
 * asked for, or not known. */
const char *fetch_pair(const program *p, const parallel *s, const reference *r);
const char *redistribution_pair(const program *p, const array *a, const mapping *from, const mapping *to);

#endif

/* Bounds of what one process sends in one execution, as expressions of the program's variables and N, the number of
 * processes (N1, N2, ... along the dimensions of a grid).  Division rounds down, ceil() up. */
#ifndef DPC_EXPLAIN_FORMULAS_H
#define DPC_EXPLAIN_FORMULAS_H

#include "../analysis/model/analysis.h"

typedef struct {
    quantity messages, elements, bytes; /* text NULL: no bound */
} formulas;

/* A reference that sets move. */
formulas fetch_formulas(const program *p, const parallel *s, const reference *r);
/* Bringing all ghost cells of an array up to date. */
formulas refresh_formulas(const program *p, const array *a, int planes);
/* A redistribution: everything that a process holds may move. */
formulas redistribution_formulas(const program *p, const array *a);
/* Of what happens one after the other. */
formulas both_formulas(const program *p, formulas a, formulas b);
/* The number of all processes. */
quantity all_processes(const program *p);
/* "8 * n": times a number. */
quantity formula_times(const program *p, quantity x, int64_t factor);

#endif

/* Reductions. */
#ifndef DPC_REDUCTIONS_H
#define DPC_REDUCTIONS_H

#include "../element_types.h"
#ifndef __cplusplus
#include "../exact.h"
#include "../exact_product.h"
#endif

DPC_BEGIN_INTERFACE

/* ---- Reductions: combines every process's value in place; the same bits everywhere.
 * DPC_AND, DPC_OR, DPC_XOR: bit by bit, of integers. */
typedef enum { DPC_SUM, DPC_MIN, DPC_MAX, DPC_PRODUCT, DPC_AND, DPC_OR, DPC_XOR } dpc_operation;
void dpc_reduce(dpc_operation op, dpc_type type, void *value);
/* The combination of every process's value of an expression, which need not be an object with an address. */
#define dpc_combined(op, value)                                                                                        \
    ({                                                                                                                 \
        __typeof__(value) dpc_value = (value);                                                                         \
        dpc_reduce((op), dpc_type_of(dpc_value), &dpc_value);                                                          \
        dpc_value;                                                                                                     \
    })
/* The larger, or the smaller, of a value and the best one so far, whose type it gets; a value that is no number is left
 * out. */
#define dpc_larger(value, best) dpc_better(value, >, best)
#define dpc_smaller(value, best) dpc_better(value, <, best)
#define dpc_better(value, compares, best)                                                                              \
    ({                                                                                                                 \
        const __typeof__(best) dpc_candidate = (value);                                                                \
        dpc_candidate compares(best) ? dpc_candidate : (best);                                                         \
    })
/* The same of several values: those of one operation and type in one collective. */
typedef struct {
    dpc_operation operation;
    dpc_type type;
    void *value;
} dpc_result;
#define DPC_RESULT(operation, variable)                                                                                \
    { (operation), dpc_type_of(variable), &(variable) }
#define DPC_RESULTS(...) ((const dpc_result[]){__VA_ARGS__})
void dpc_reduce_together(int count, const dpc_result *results);
/* Combines extremes (DPC_MIN, DPC_MAX) and where they stand: the least place of those with the extreme value, the
 * greatest if backwards; LONG_MIN: this process has no value. */
void dpc_reduce_place(dpc_operation op, dpc_type type, void *value, long *place, bool backwards);

#ifndef __cplusplus
/* --reproducible: each of the sums becomes that of all processes' sums. */
void dpc_combine_exact(dpc_exact *sums, dpc_index count);
void dpc_combine_exact_long(dpc_exact_long *sums, dpc_index count);
void dpc_combine_exact_product(dpc_exact_product *product);
void dpc_combine_exact_cells(void *sums, dpc_index count);      /* of dpc_exact_sums: cells of double */
void dpc_combine_exact_long_cells(void *sums, dpc_index count); /* of long double */
#endif

DPC_END_INTERFACE

#endif

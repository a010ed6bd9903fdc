/* Ways to find communication sets, and what messages carry. */
#ifndef DPC_ANALYSIS_METHODS_H
#define DPC_ANALYSIS_METHODS_H

/* How the sets of a dimension are generated. */
typedef enum {
    METHOD_NONE,     /* neither side is divided: everything; of --sets: the compiler chooses */
    METHOD_RUN_TIME, /* the values at run time decide */
    METHOD_CLOSED,
    METHOD_ROWWISE,
    METHOD_LATTICE,
    METHOD_ENUMERATE
} set_method;

/* Values only, both sides enumerate; or addresses and values. */
typedef enum { COMM_AUTO, COMM_CONVENTIONAL, COMM_DEPOSIT } comm_model;

#endif

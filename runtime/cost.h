/* The cost model: one set of parameters and formulas for choosing block sizes, methods and models, and for reports.
 * Pure; shared by the compiler and the runtime.  Times in seconds. */
#ifndef DPC_COST_H
#define DPC_COST_H

#include "distribution.h"

/* What things cost on a machine: measured by `dpcc --calibrate`, or defaults. */
typedef struct {
    double message;   /* sending and receiving one message, whatever its length */
    double byte;      /* each byte of a message, both ends */
    double element;   /* packing or unpacking one element of a run */
    double run;       /* beginning one run: the overhead of a loop */
    double section;   /* generating one section of a set */
    double owner;     /* finding one element's owner and local index by division */
    double operation; /* one operation of a statement on one element */
} dpc_cost;

extern const dpc_cost dpc_default_cost;

#endif

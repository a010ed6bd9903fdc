/* --check=all: what every process must have alike where a program runs.  Every function is collective unless it says
 * "local". */
#ifndef DPC_AGREE_H
#define DPC_AGREE_H

#include "element_types.h"

DPC_BEGIN_INTERFACE

/* From now on every statement on distributed arrays, and every function of the C library that all processes execute
 * together, first compares its place among the processes.  Called before dpc_init. (local) */
void dpc_check_all(void);

/* A variable of which every process has its own copy, with the same value. */
typedef struct {
    const char *name;
    dpc_type type;
    const void *value;
} dpc_replicated;
/* Ends the program where processes have different values; of long double _Complex nothing is compared. */
void dpc_agree(const char *where, int count, const dpc_replicated *variables);

DPC_END_INTERFACE

#endif

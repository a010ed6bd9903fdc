/* DPC_TRACE=FILE.json: when each process executes its statements and communicates in them, as a Chrome trace (trace
 * events of Catapult's Trace Event Format). */
#ifndef DPC_TRACE_H
#define DPC_TRACE_H

#include "base.h"

typedef enum { DPC_TRACE_STATEMENT, DPC_TRACE_COMMUNICATION } dpc_trace_kind;

/* Events are kept from now on; `start` in seconds of MPI_Wtime is their zero. (local) */
void dpc_open_trace(double start);
/* From `begin` to `end`, seconds of MPI_Wtime, in a statement of that number; nothing where no trace is kept. (local)
 */
void dpc_trace_event(dpc_index statement, double begin, double end, dpc_trace_kind kind);
/* Process 0 writes the events of all processes to the file that DPC_TRACE names, and says where it cannot;
 * names[number] is a statement's place, and is freed. (collective) */
void dpc_close_trace(const char **names);

#endif

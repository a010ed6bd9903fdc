/* Arguments of the public functions: what is wrong ends the program with an error that names the argument.  `where`: the
 * function's name. */
#ifndef DPC_REDISTRIBUTION_ARGUMENTS_H
#define DPC_REDISTRIBUTION_ARGUMENTS_H

#include "../redistribution.h"

DPC_BEGIN_INTERFACE /* libdpc_scalapack asks too */

/* ---- caller.c: the thread that calls.  Ends the program where another one is inside a public function, or where MPI does
 * not allow this one to call it; public functions may call one another. */
const char *dpc_enter(const char *where);
void dpc_leave_function(const char *const *where);
/* From here to the end of the function's block this thread is inside. */
#define DPC_INSIDE(where)                                                                                              \
    const char *const dpc_inside __attribute__((cleanup(dpc_leave_function), unused)) = dpc_enter(where)

/* All local. */
void dpc_check_mpi(const char *where); /* initialised and not finalised */
void dpc_check_given(const char *where, const char *name, const void *argument); /* not NULL */
/* One whose processes can call collective functions together; and MPI runs. */
void dpc_check_communicator(const char *where, const char *name, MPI_Comm comm);
/* Its numbers make sense, whichever communicator it is for. */
void dpc_check_mapping(const char *where, const char *name, const dpc_mapping *m);
/* Each place of the grid has one of so many ranks of its own. */
void dpc_check_processes(const char *where, const char *name, const dpc_mapping *m, int processes);

/* The arguments of dpc_plan_redistribution: each process's own, then what must be the same everywhere.
 * (collective over comm) */
void dpc_check_problem(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size,
                       const dpc_redistribution_options *options);

DPC_END_INTERFACE

#endif

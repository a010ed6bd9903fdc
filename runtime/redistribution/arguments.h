/* Arguments of the public functions: what is wrong ends the program with an error that names the argument.  `where`:
 * the function's name. */
#ifndef DPC_REDISTRIBUTION_ARGUMENTS_H
#define DPC_REDISTRIBUTION_ARGUMENTS_H

#include "../base/caller.h"
#include "../redistribution.h"

DPC_BEGIN_INTERFACE /* libdpc_scalapack asks too */

    /* All local. */
    void
    dpc_check_mpi(const char *where);                                            /* initialised and not finalised */
void dpc_check_given(const char *where, const char *name, const void *argument); /* not NULL */
/* One whose processes can call collective functions together; and MPI runs. */
void dpc_check_communicator(const char *where, const char *name, MPI_Comm comm);
/* Its numbers make sense, whichever communicator it is for. */
void dpc_check_mapping(const char *where, const char *name, const dpc_mapping *m);
/* Each place of the grid has one of so many ranks of its own. */
void dpc_check_processes(const char *where, const char *name, const dpc_mapping *m, int processes);

/* Why a method or a schedule cannot serve two mappings (limits.h); NULL: it can.  where: of errors in the mappings. */
const char *dpc_lines_refuse(const char *where, const char *name, const dpc_mapping *from, const dpc_mapping *to);

/* The arguments of dpc_plan_redistribution: each process's own, then what must be the same everywhere.
 * (collective over comm) */
void dpc_check_problem(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size,
                       const dpc_redistribution_options *options);

DPC_END_INTERFACE

#endif

/* Redistribution of block-cyclic arrays, for programs with and without the compiler: describe two mappings, make a
 * plan, execute it often, print it.  Needs MPI_Init only, not dpc_init.
 *
 * Arguments that are wrong end the program on every process with an error that names function and argument; so do calls
 * before MPI_Init and, but for dpc_release_memory, after MPI_Finalize.  What cannot be noticed: a collective function
 * that some processes do not call, or call with other communicators, waits as in MPI.
 *
 *     dpc_mapping from = dpc_map(2, extents, (dpc_format[]){DPC_BLOCK, DPC_STAR}, (int[]){4, 1});
 *     dpc_mapping to = dpc_map(2, extents, (dpc_format[]){DPC_CYCLIC(5), DPC_CYCLIC(8)}, (int[]){2, 2});
 *     double *a = dpc_allocate(comm, dpc_mapped_elements(&from, rank) * sizeof *a), *b = ...;
 *     dpc_redistribution *plan = dpc_plan_redistribution(comm, &from, &to, sizeof *a, NULL);
 *     dpc_execute(plan, a, b);
 *     dpc_print_plan(plan, stdout);
 *     dpc_free_redistribution(plan);
 *
 * Sources: docs/redistribution-algorithms.md; per method in its file. */
#ifndef DPC_REDISTRIBUTION_H
#define DPC_REDISTRIBUTION_H

#include <mpi.h>
#include <stdio.h>

#include "formats.h"
#include "interface.h"

DPC_BEGIN_INTERFACE

/* Where the elements of a section of an array lie.  Element x of the section, 0 <= x < extent, is element first + x of
 * its array's dimension; the array's blocks are dealt to coordinates round-robin: coordinate
 * ((first + x) / block) mod procs.  A dimension with procs == 1 is not divided.  Places of the grid are numbered
 * row-major by their coordinates. */
typedef struct {
    int rank;                       /* dimensions, 1 .. DPC_MAX_RANK */
    dpc_index extent[DPC_MAX_RANK]; /* elements of the section, >= 0 */
    dpc_index first[DPC_MAX_RANK];  /* elements, >= 0; 0: the section begins where the array does */
    dpc_index block[DPC_MAX_RANK];  /* elements, >= 1 */
    int procs[DPC_MAX_RANK];        /* processes along the dimension, >= 1 */
    const int *process;             /* per place: rank in the communicator, each at most once; NULL: 0, 1, 2, ... */
    dpc_index
        stride[DPC_MAX_RANK]; /* of this process's local array: elements from a local index to the next, so that */
                              /* no two elements have one place; all 0: dense row-major over the local extents of */
                              /* first + extent elements */
} dpc_mapping;

/* Blocks as in dpc_create: STAR, BLOCK, BLOCK_OF(m), CYCLIC(b); procs as in the mapping.  (local) */
dpc_mapping dpc_map(int rank, const dpc_index *extents, const dpc_format *formats, const int *procs);
/* Local elements along dimension k (numroc of first + extent), and in all, of a rank of the communicator; 0 outside the
 * grid. (local) */
dpc_index dpc_mapped_extent(const dpc_mapping *m, int k, int process);
dpc_index dpc_mapped_elements(const dpc_mapping *m, int process);

/* Memory that the other processes of the node can read: arrays in it are redistributed by one copy of each element.
 * Everything else works as well, by messages.  It lives until it is released, once, or MPI_Finalize, even if comm is
 * freed.  (collective over comm) */
void *dpc_allocate(MPI_Comm comm, dpc_index bytes);
void dpc_release_memory(MPI_Comm comm, void *memory);

typedef struct {
    const char *method;   /* a name of dpc_method_name, NULL or "auto": chosen by the cost model */
    const char *schedule; /* a name of dpc_schedule_name, NULL or "auto" */
    bool relabel; /* the target's processes may be renumbered so that fewer bytes move: dpc_relabelled tells how */
    bool messages_only; /* no shared memory */
} dpc_redistribution_options;

typedef struct dpc_redistribution dpc_redistribution;

/* What a plan does; amounts of this process unless it says `all`. */
typedef struct {
    const char *method, *schedule;
    dpc_index steps;                                    /* of the schedule; 1: everything at once */
    dpc_index sends, receives;                          /* messages to and from other processes */
    dpc_index bytes_sent, bytes_received, bytes_copied; /* copied: within the process, or read from a shared window */
    dpc_index runs;                                     /* contiguous pieces of one execution, sending side */
    dpc_index plan_bytes;                               /* memory of the plan */
    dpc_index peak_bytes;                               /* buffers while it executes */
    double seconds;                                     /* predicted by the cost model */
    dpc_index bytes_saved; /* all: that relabelling the target's processes would not have to move */
} dpc_plan_facts;

/* The plan for arrays of `size` bytes per element, NULL options: all auto.  The bytes of either array times the number
 * of processes stay within 64 bits.  A plan may outlive the communicator. (collective over comm) */
dpc_redistribution *dpc_plan_redistribution(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to,
                                            dpc_index size, const dpc_redistribution_options *options);
/* Moves the elements.  from and to: this process's local arrays, which must not overlap; NULL where it has no elements.
 * What the target's local array holds outside the section stays. (collective over comm) */
void dpc_execute(dpc_redistribution *plan, const void *from, void *to);
dpc_plan_facts dpc_plan_describe(const dpc_redistribution *plan); /* (local) */
/* What each process does, printed by rank 0. (collective over comm) */
void dpc_print_plan(const dpc_redistribution *plan, FILE *stream);
/* The target mapping's process table that the plan uses: rank of each place. (local) */
const int *dpc_relabelled(const dpc_redistribution *plan);
void dpc_free_redistribution(dpc_redistribution *plan); /* (collective over comm) */

/* The k-th name, NULL past the last; the first is "auto", as which functions take NULL. (local) */
const char *dpc_method_name(int k);
const char *dpc_schedule_name(int k);
/* Why a method, a schedule cannot serve these mappings; NULL: it can. (local) */
const char *dpc_method_refuses(const char *method, const dpc_mapping *from, const dpc_mapping *to);
const char *dpc_schedule_refuses(const char *schedule, const dpc_mapping *from, const dpc_mapping *to);
/* Whether its messages can travel by any schedule; the others have an order of their own: schedule "auto" only. (local)
 */
bool dpc_method_takes_schedules(const char *method);

DPC_END_INTERFACE

#endif

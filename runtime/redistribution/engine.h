/* What the files of the redistribution engine share: the problem, index lists, and the skeleton of a method. */
#ifndef DPC_REDISTRIBUTION_ENGINE_H
#define DPC_REDISTRIBUTION_ENGINE_H

#include "../internal.h"
#include "../redistribution.h"

/* ---- One dimension of one side (units: elements of the section). */
typedef struct {
    dpc_index extent, first, block, procs;
} dpc_line;

/* A stretch of local elements. */
typedef struct {
    dpc_index offset, length;
} dpc_stretch;

/* What a coordinate p along a line shares with one coordinate of the other side, ascending: the stretches of one
 * period, which repeat every `step` local elements until `elements` are used up (facts F2 to F4 of the sheet). */
typedef struct {
    dpc_index coordinate; /* of the other side */
    dpc_index elements;   /* > 0 */
    dpc_index step;       /* local elements; 0: the stretches do not repeat */
    dpc_index stretches;
    dpc_stretch *stretch;
} dpc_share;

typedef struct {
    dpc_index count; /* coordinates of the other side that share something, ascending */
    dpc_share *share;
    dpc_index steps; /* index operations that it took */
} dpc_shares;

/* An index method: the shares of coordinate p of `mine` against every coordinate of `theirs`, for either direction. */
typedef dpc_shares dpc_index_method(const dpc_line *mine, dpc_index p, const dpc_line *theirs);
void dpc_free_shares(dpc_shares *shares);

/* ---- The problem: two mappings of one section, checked. */
typedef struct {
    MPI_Comm comm; /* the engine's own duplicate */
    int me, processes;
    int rank;       /* dimensions */
    dpc_index size; /* bytes per element */
    dpc_mapping from, to;
    int from_place, to_place;                             /* of this process in the grids, -1: outside */
    dpc_index from_at[DPC_MAX_RANK], to_at[DPC_MAX_RANK]; /* its coordinates */
    const char *schedule;
    bool messages_only;
} dpc_problem;

dpc_line dpc_line_of(const dpc_mapping *m, int k);
/* Rank in the communicator of the process at these coordinates. */
int dpc_mapped_process(const dpc_mapping *m, const dpc_index *coordinates);

/* ---- A method: one file each with this skeleton, one line each in the table of methods.c. */
typedef struct {
    const char *name;   /* as --redistribute= takes it */
    const char *source; /* paper and section */
    /* Why it cannot serve the problem; NULL: it can.  Depends on the mappings only. */
    const char *(*refuses)(const dpc_mapping *from, const dpc_mapping *to);
    /* Everything that does not depend on the values. */
    void *(*plan)(const dpc_problem *p);
    void (*execute)(const dpc_problem *p, void *plan, const char *from, char *to);
    /* Fills in steps, messages, bytes, runs, memory; predicts seconds. */
    void (*describe)(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
    void (*release)(void *plan);
} dpc_redistribution_method;

#endif

/* Grids of processes. */
#ifndef DPC_GRIDS_H
#define DPC_GRIDS_H

#include "../distribution.h"

DPC_BEGIN_INTERFACE

/* Functions take the place, "file:line", of the statement that calls them, as `where`: line n of the file that
 * DPC_SOURCE names. */
#define DPC_LINE(n) DPC_SOURCE ":" #n

/* A grid of processes.  Ranks are numbered row-major; of a whole grid, rank r is process r of MPI_COMM_WORLD. */
typedef struct dpc_grid {
    const char *name;
    int rank;
    int extent[DPC_MAX_RANK];
    int size;                /* product of the extents */
    int coord[DPC_MAX_RANK]; /* of this process; -1 when it is outside */
    int first;               /* the process with coordinates 0, .. */
    int pitch[DPC_MAX_RANK]; /* processes from one coordinate to the next */
    bool whole;              /* rank r is process r */
} dpc_grid;

/* extents: > 0, or DPC_CHOSEN for `*`: filled in from the number of processes, as square as possible (dpc_spread). More
 * than the program was started with, or a negative extent: an error that says the numbers. */
dpc_grid *dpc_new_grid(const char *where, const char *name, int rank, const dpc_index *extents);
/* The grid of that rank over all processes. */
dpc_grid *dpc_default_grid(int rank);

typedef struct {
    dpc_index lower, upper; /* global, inclusive */
} dpc_bounds;
#define DPC_BOUNDS(...) ((const dpc_bounds[]){__VA_ARGS__})

/* The part of a grid between bounds, one pair per dimension: P(0:1, *).  Ranks and coordinates count from its own first
 * process; those outside own nothing and take part.  Bounds outside the grid, or none between them: an error that says
 * them. */
#define DPC_WHOLE_DIMENSION                                                                                            \
    { 0, INT64_MAX }
dpc_grid *dpc_grid_part(const char *where, const dpc_grid *grid, const dpc_bounds *bounds);

DPC_END_INTERFACE

#endif

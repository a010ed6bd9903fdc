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
/* The rank and the bounds of dimensions that begin with 0, by their extents: DPC_SHAPE(ROWS, COLUMNS). */
#define DPC_SHAPE(...)                                                                                                 \
    DPC_SIXTEENTH(__VA_ARGS__, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),                                  \
        DPC_BOUNDS(DPC_EXTENTS(__VA_ARGS__))
#define DPC_SIXTEENTH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, x, ...) x
#define DPC_EXTENTS(...)                                                                                               \
    DPC_SIXTEENTH(__VA_ARGS__, DPC_EXTENTS_15, DPC_EXTENTS_14, DPC_EXTENTS_13, DPC_EXTENTS_12, DPC_EXTENTS_11,         \
                  DPC_EXTENTS_10, DPC_EXTENTS_9, DPC_EXTENTS_8, DPC_EXTENTS_7, DPC_EXTENTS_6, DPC_EXTENTS_5,           \
                  DPC_EXTENTS_4, DPC_EXTENTS_3, DPC_EXTENTS_2, DPC_EXTENTS_1, 0)                                       \
    (__VA_ARGS__)
#define DPC_EXTENTS_1(n)                                                                                               \
    { 0, (n)-1 }
#define DPC_EXTENTS_2(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_1(__VA_ARGS__)
#define DPC_EXTENTS_3(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_2(__VA_ARGS__)
#define DPC_EXTENTS_4(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_3(__VA_ARGS__)
#define DPC_EXTENTS_5(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_4(__VA_ARGS__)
#define DPC_EXTENTS_6(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_5(__VA_ARGS__)
#define DPC_EXTENTS_7(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_6(__VA_ARGS__)
#define DPC_EXTENTS_8(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_7(__VA_ARGS__)
#define DPC_EXTENTS_9(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_8(__VA_ARGS__)
#define DPC_EXTENTS_10(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_9(__VA_ARGS__)
#define DPC_EXTENTS_11(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_10(__VA_ARGS__)
#define DPC_EXTENTS_12(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_11(__VA_ARGS__)
#define DPC_EXTENTS_13(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_12(__VA_ARGS__)
#define DPC_EXTENTS_14(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_13(__VA_ARGS__)
#define DPC_EXTENTS_15(n, ...) DPC_EXTENTS_1(n), DPC_EXTENTS_14(__VA_ARGS__)

/* The part of a grid between bounds, one pair per dimension: P(0:1, *).  Ranks and coordinates count from its own first
 * process; those outside own nothing and take part.  Bounds outside the grid, or none between them: an error that says
 * them. */
#define DPC_WHOLE_DIMENSION                                                                                            \
    { 0, INT64_MAX }
dpc_grid *dpc_grid_part(const char *where, const dpc_grid *grid, const dpc_bounds *bounds);

DPC_END_INTERFACE

#endif

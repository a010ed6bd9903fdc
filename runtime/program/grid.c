/* Processor grids. */
#include "program.h"

#include <string.h>

#if DPC_USES(dpc_grid_line)
/* Processes along some dimensions of a grid. */
typedef struct line {
    bool along[DPC_MAX_RANK];
    MPI_Comm comm;
    struct line *next;
} line;
#endif

/* Every grid of the program; a grid that is described again is the same grid. */
typedef struct node {
    dpc_grid grid;
#if DPC_USES(dpc_grid_line)
    line *lines;
#endif
    struct node *next;
} node;

static node *grids;

static void free_grids(void) {
    while (grids != NULL) {
        node *next = grids->next;
        for (line *l = grids->lines, *following; l != NULL; l = following) {
            following = l->next;
            if (l->comm != MPI_COMM_NULL) MPI_Comm_free(&l->comm);
            dpc_free_buffer(l);
        }
        dpc_free_buffer(grids);
        grids = next;
    }
}

/* The ranks of the processes that differ from this one only in the coordinates `along` which, from dimension g on,
 * beginning with process `before`; returns where the list ends. */
static int *list_line(const dpc_grid *grid, const bool *along, int g, int before, int *ranks) {
    if (g == grid->rank) {
        *ranks = before;
        return ranks + 1;
    }
    const int first = along[g] ? 0 : grid->coord[g], last = along[g] ? grid->extent[g] - 1 : first;
    for (int k = first; k <= last; k++) ranks = list_line(grid, along, g + 1, before + k * grid->pitch[g], ranks);
    return ranks;
}

/* A communicator of theirs, without the others' help. */
static MPI_Comm make_line(const dpc_grid *grid, const bool *along) {
    int *ranks = dpc_buffer(grid->size, sizeof *ranks);
    MPI_Group all, some;
    MPI_Comm comm;
    const int count = (int)(list_line(grid, along, 0, grid->first, ranks) - ranks);
    MPI_Comm_group(dpc_communicator, &all);
    MPI_Group_incl(all, count, ranks, &some);
    MPI_Comm_create_group(dpc_communicator, some, 0, &comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    dpc_free_buffer(ranks);
    return comm;
}

bool dpc_grid_holds(const dpc_grid *grid) {
    return grid->rank == 0 ? dpc_rank() == grid->first : grid->coord[0] >= 0;
}

MPI_Comm dpc_grid_line(dpc_grid *grid, const bool *along) {
    node *n = (node *)grid; /* its first member */
    const size_t bytes = (size_t)grid->rank * sizeof *along;
    if (!dpc_grid_holds(grid)) return MPI_COMM_NULL;
    for (line *l = n->lines; l != NULL; l = l->next)
        if (memcmp(l->along, along, bytes) == 0) return l->comm;
    line *made = dpc_buffer(1, sizeof *made);
    memcpy(made->along, along, bytes);
    made->comm = make_line(grid, along);
    made->next = n->lines;
    n->lines = made;
    return made->comm;
}

int dpc_grid_process(const dpc_grid *grid, const dpc_index *coordinates) {
    int process = grid->first;
    for (int g = 0; g < grid->rank; g++) process += grid->pitch[g] * (int)coordinates[g];
    return process;
}

int dpc_grid_neighbour(const dpc_grid *grid, int g, dpc_index coordinate) {
    dpc_index at[DPC_MAX_RANK];
    for (int k = 0; k < grid->rank; k++) at[k] = grid->coord[k];
    at[g] = coordinate;
    return dpc_grid_process(grid, at);
}

/* Coordinates of this process, -1 when it is outside: the pitches, which fall, are its digits' places. */
static void locate(dpc_grid *grid) {
    int rest = dpc_rank() - grid->first;
    bool inside = rest >= 0;
    for (int g = 0; g < grid->rank && inside; g++) {
        grid->coord[g] = rest / grid->pitch[g];
        rest %= grid->pitch[g];
        inside = grid->coord[g] < grid->extent[g];
    }
    for (int g = 0; g < grid->rank && (!inside || rest > 0); g++) grid->coord[g] = -1;
}

/* Where the processes are whole rows. */
static void set_pitches(int rank, const int *extents, int *pitch) {
    for (int g = rank - 1, step = 1; g >= 0; g--) {
        pitch[g] = step;
        step *= extents[g];
    }
}

static bool is_whole(const dpc_grid *grid) {
    int pitch[DPC_MAX_RANK + 1] = {0};
    set_pitches(grid->rank, grid->extent, pitch);
    return grid->first == 0 && memcmp(pitch, grid->pitch, (size_t)grid->rank * sizeof *pitch) == 0;
}

static dpc_grid *find_or_make(const char *name, int rank, const int *extents, int first, const int *pitch) {
    const size_t bytes = (size_t)rank * sizeof *extents;
    for (node *n = grids; n != NULL; n = n->next)
        if (n->grid.rank == rank && n->grid.first == first && memcmp(n->grid.extent, extents, bytes) == 0 &&
            memcmp(n->grid.pitch, pitch, bytes) == 0 && strcmp(n->grid.name, name) == 0)
            return &n->grid;
    node *made = dpc_buffer(1, sizeof *made);
    dpc_at_finish(free_grids);
    made->next = grids;
    made->grid.name = name;
    made->grid.rank = rank;
    made->grid.size = 1;
    made->grid.first = first;
    memcpy(made->grid.pitch, pitch, bytes);
    for (int g = 0; g < rank; g++) {
        made->grid.extent[g] = extents[g];
        made->grid.size *= extents[g];
    }
    made->grid.whole = is_whole(&made->grid);
    locate(&made->grid);
    grids = made;
    return &made->grid;
}

/* The product of the extents that are given; `stars` counts the others. */
static dpc_index fixed_processes(const char *where, const char *name, int rank, const dpc_index *extents, int *stars) {
    dpc_index product = 1;
    *stars = 0;
    for (int g = 0; g < rank; g++) {
        if (extents[g] <= 0 && extents[g] != DPC_CHOSEN)
            dpc_fail(where, "grid '%s' has extent %lld in dimension %d", name, (long long)extents[g], g + 1);
        if (extents[g] == DPC_CHOSEN)
            (*stars)++;
        else if (__builtin_mul_overflow(product, extents[g], &product))
            product = INT64_MAX;
    }
    return product;
}

dpc_grid *dpc_new_grid(const char *where, const char *name, int rank, const dpc_index *extents) {
    int stars, chosen[DPC_MAX_RANK + 1] = {0}, complete[DPC_MAX_RANK + 1] = {0}, pitch[DPC_MAX_RANK + 1] = {0};
    const dpc_index needed = fixed_processes(where, name, rank, extents, &stars);
    if (needed > dpc_nprocs())
        dpc_fail(where, "grid '%s' needs %lld processes, the program was started with %d", name, (long long)needed,
                 dpc_nprocs());
    if (stars > 0) dpc_spread(dpc_nprocs() / (int)needed, stars, chosen);
    for (int g = 0, star = 0; g < rank; g++) complete[g] = extents[g] > 0 ? (int)extents[g] : chosen[star++];
    set_pitches(rank, complete, pitch);
    return find_or_make(name, rank, complete, 0, pitch);
}

dpc_grid *dpc_grid_part(const char *where, const dpc_grid *grid, const dpc_bounds *bounds) {
    int extents[DPC_MAX_RANK + 1] = {0}, first = grid->first;
    for (int g = 0; g < grid->rank; g++) {
        const dpc_index low = bounds[g].lower,
                        high = bounds[g].upper == INT64_MAX ? grid->extent[g] - 1 : bounds[g].upper;
        if (low < 0 || high >= grid->extent[g] || low > high)
            dpc_fail(where, "grid '%s' has processes 0:%d in dimension %d, the part %lld:%lld is not inside",
                     grid->name, grid->extent[g] - 1, g + 1, (long long)low, (long long)high);
        extents[g] = (int)(high - low + 1);
        first += (int)low * grid->pitch[g];
    }
    return find_or_make(grid->name, grid->rank, extents, first, grid->pitch);
}

dpc_grid *dpc_default_grid(int rank) {
    dpc_index extents[DPC_MAX_RANK];
    for (int g = 0; g < rank; g++) extents[g] = DPC_CHOSEN;
    return dpc_new_grid("libdpc", "default", rank, extents);
}

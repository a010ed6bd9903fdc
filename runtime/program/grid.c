/* Processor grids. */
#include "program.h"

#include <string.h>

/* Processes along some dimensions of a grid. */
typedef struct line {
    bool along[DPC_MAX_RANK];
    MPI_Comm comm;
    struct line *next;
} line;

/* Every grid of the program; a grid that is described again is the same grid. */
typedef struct node {
    dpc_grid grid;
    line *lines;
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

/* The ranks of the processes that differ from this one only in the coordinates `along` which, from dimension g on, which
 * has the numbers `before` them; returns where the list ends. */
static int *list_line(const dpc_grid *grid, const bool *along, int g, int before, int *ranks) {
    if (g == grid->rank) {
        *ranks = before;
        return ranks + 1;
    }
    const int first = along[g] ? 0 : grid->coord[g], last = along[g] ? grid->extent[g] - 1 : first;
    for (int k = first; k <= last; k++) ranks = list_line(grid, along, g + 1, before * grid->extent[g] + k, ranks);
    return ranks;
}

/* A communicator of theirs, without the others' help. */
static MPI_Comm make_line(const dpc_grid *grid, const bool *along) {
    int *ranks = dpc_buffer(grid->size, sizeof *ranks);
    MPI_Group all, some;
    MPI_Comm comm;
    const int count = (int)(list_line(grid, along, 0, 0, ranks) - ranks);
    MPI_Comm_group(dpc_communicator, &all);
    MPI_Group_incl(all, count, ranks, &some);
    MPI_Comm_create_group(dpc_communicator, some, 0, &comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    dpc_free_buffer(ranks);
    return comm;
}

MPI_Comm dpc_grid_line(dpc_grid *grid, const bool *along) {
    node *n = (node *)grid; /* its first member */
    const size_t bytes = (size_t)grid->rank * sizeof *along;
    if (dpc_rank() >= grid->size) return MPI_COMM_NULL;
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
    int process = 0;
    for (int g = 0; g < grid->rank; g++) process = process * grid->extent[g] + (int)coordinates[g];
    return process;
}

/* Coordinates of this process, -1 when it is outside. */
static void locate(dpc_grid *grid) {
    int rest = dpc_rank();
    for (int g = grid->rank - 1; g >= 0; g--) {
        grid->coord[g] = dpc_rank() < grid->size ? rest % grid->extent[g] : -1;
        rest /= grid->extent[g];
    }
}

static dpc_grid *find_or_make(const char *name, int rank, const int *extents) {
    const size_t bytes = (size_t)rank * sizeof *extents;
    for (node *n = grids; n != NULL; n = n->next)
        if (n->grid.rank == rank && memcmp(n->grid.extent, extents, bytes) == 0 && strcmp(n->grid.name, name) == 0)
            return &n->grid;
    node *made = dpc_buffer(1, sizeof *made);
    dpc_at_finish(free_grids);
    made->next = grids;
    made->grid.name = name;
    made->grid.rank = rank;
    made->grid.size = 1;
    for (int g = 0; g < rank; g++) {
        made->grid.extent[g] = extents[g];
        made->grid.size *= extents[g];
    }
    locate(&made->grid);
    grids = made;
    return &made->grid;
}

/* The product of the extents that are given; `stars` counts the others. */
static dpc_index fixed_processes(const char *where, const char *name, int rank, const dpc_index *extents, int *stars) {
    dpc_index product = 1;
    *stars = 0;
    for (int g = 0; g < rank; g++) {
        if (extents[g] < 0)
            dpc_fail(where, "grid '%s' has extent %lld in dimension %d", name, (long long)extents[g], g + 1);
        if (extents[g] == 0)
            (*stars)++;
        else if (__builtin_mul_overflow(product, extents[g], &product))
            product = INT64_MAX;
    }
    return product;
}

dpc_grid *dpc_new_grid(const char *where, const char *name, int rank, const dpc_index *extents) {
    int stars, chosen[DPC_MAX_RANK + 1] = {0}, complete[DPC_MAX_RANK + 1] = {0};
    const dpc_index needed = fixed_processes(where, name, rank, extents, &stars);
    if (needed > dpc_nprocs())
        dpc_fail(where, "grid '%s' needs %lld processes, the program was started with %d", name, (long long)needed,
                 dpc_nprocs());
    if (stars > 0) dpc_spread(dpc_nprocs() / (int)needed, stars, chosen);
    for (int g = 0, star = 0; g < rank; g++) complete[g] = extents[g] > 0 ? (int)extents[g] : chosen[star++];
    return find_or_make(name, rank, complete);
}

dpc_grid *dpc_default_grid(int rank) {
    const dpc_index extents[DPC_MAX_RANK] = {0};
    return dpc_new_grid("libdpc", "default", rank, extents);
}

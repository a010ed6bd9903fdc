/* Conway's Game of Life on a torus.
 *
 * The board has a frame of ghost cells, which hold copies of the opposite edges: with them the rule is the same everywhere.
 * The copies are four array assignments, between processes at opposite ends of the grid. */
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/life.dpc"
#include <dpc.h>

#define ROWS 20
#define COLUMNS 32
#define GENERATIONS 60

static dpc_array cell_dist; /* unsigned char cell[0:ROWS+1][0:COLUMNS+1]; */
static dpc_array neighbours_dist; /* int neighbours[0:ROWS+1][0:COLUMNS+1]; */

/* Copies the edges to the opposite ghost cells; the columns, ghost rows included, take the corners along. */
static void wrap(void) {
    DPC_CHANGE_AT(space, &cell_dist, DPC_SUBSCRIPTS(DPC_FIXED(0), DPC_INDEX(0)), DPC_LINE(18), DPC_TO(1, COLUMNS)) {
        /* cell[0][1:COLUMNS] = cell[ROWS][1:COLUMNS]
         *   cell[ROWS][1:COLUMNS] (block, block): a broadcast along dimension 1 of the grid */
        DPC_TRANSFER cell_move = dpc_broadcast(space, &cell_dist, DPC_SUBSCRIPTS(DPC_FIXED(ROWS), DPC_INDEX(0)));
        unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
        const unsigned char *restrict cell_in = dpc_arrive(cell_move);
        if (dpc_owns(&cell_dist, 0, 0))
            DPC_IVDEP DPC_OWNED_IN_AT(i, i_at, 1, COLUMNS, &cell_dist, 1) cell[0][i] = cell_in[i_at];
    }
    DPC_CHANGE_AT(space, &cell_dist, DPC_SUBSCRIPTS(DPC_FIXED(ROWS + 1), DPC_INDEX(0)), DPC_LINE(19),
                  DPC_TO(1, COLUMNS)) {
        /* cell[ROWS+1][1:COLUMNS] = cell[1][1:COLUMNS]
         *   cell[1][1:COLUMNS] (block, block): a broadcast along dimension 1 of the grid */
        DPC_TRANSFER cell_move = dpc_broadcast(space, &cell_dist, DPC_SUBSCRIPTS(DPC_FIXED(1), DPC_INDEX(0)));
        unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
        const unsigned char *restrict cell_in = dpc_arrive(cell_move);
        if (dpc_owns(&cell_dist, 0, ROWS + 1))
            DPC_IVDEP DPC_OWNED_IN_AT(i, i_at, 1, COLUMNS, &cell_dist, 1) cell[ROWS + 1][i] = cell_in[i_at];
    }
    DPC_CHANGE_AT(space, &cell_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(0)), DPC_LINE(20), DPC_TO(0, ROWS + 1)) {
        /* cell[:][0] = cell[:][COLUMNS]; cell[:][COLUMNS] (block, block): a broadcast along dimension 2 of the grid */
        DPC_TRANSFER cell_move = dpc_broadcast(space, &cell_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(COLUMNS)));
        unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
        const unsigned char *restrict cell_in = dpc_arrive(cell_move);
        if (dpc_owns(&cell_dist, 1, 0))
            DPC_IVDEP DPC_OWNED_AT(i, i_at, &cell_dist, 0) cell[i][0] = cell_in[i_at];
    }
    DPC_CHANGE_AT(space, &cell_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(COLUMNS + 1)), DPC_LINE(21),
                  DPC_TO(0, ROWS + 1)) {
        /* cell[:][COLUMNS+1] = cell[:][1]; cell[:][1] (block, block): a broadcast along dimension 2 of the grid */
        DPC_TRANSFER cell_move = dpc_broadcast(space, &cell_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(1)));
        unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
        const unsigned char *restrict cell_in = dpc_arrive(cell_move);
        if (dpc_owns(&cell_dist, 1, COLUMNS + 1))
            DPC_IVDEP DPC_OWNED_AT(i, i_at, &cell_dist, 0) cell[i][COLUMNS + 1] = cell_in[i_at];
    }
}

/* The loops of examples/life.dpc:27. */
static void loops_27(dpc_index neighbours_row, int (*restrict neighbours)[neighbours_row], dpc_index cell_row,
    const unsigned char (*restrict cell)[cell_row], long i_first, long i_last, long j_first, long j_last) {
    for (long i = i_first; i <= i_last; i++)
        for (long j = j_first; j <= j_last; j++) {
            neighbours[i][j] = cell[i - 1][j - 1] + cell[i - 1][j] + cell[i - 1][j + 1]
                         + cell[i][j - 1]                + cell[i][j + 1]
                         + cell[i + 1][j - 1] + cell[i + 1][j] + cell[i + 1][j + 1];
        }
}

static void step(void) {
    wrap();
    DPC_FORALL_ON(space, &neighbours_dist, DPC_LINE(27), DPC_TO(1, ROWS), DPC_TO(1, COLUMNS)) {
        /* neighbours[i][j] = cell[i-1][j-1] + cell[i-1][j] + cell[i-1][j+1] + cell[i ][j-1] + cell[i ][j+1] +
         *     cell[i+1][j-1] + cell[i+1][j] + cell[i+1][j+1]
         *   cell[-1:1][-1:1]: ghost cells, where it has changed */
        dpc_refreshing *halo = dpc_refresh(DPC_LINE(27), 1, (dpc_array *[]){&cell_dist});
        DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
        DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
        int (*restrict neighbours)[neighbours_dist.across[1]] = neighbours_dist.origin;
        const unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
        DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1))) /* interior, then boundary */
            loops_27(neighbours_dist.across[1], neighbours, cell_dist.across[1], cell, box.first[0], box.last[0],
                     box.first[1], box.last[1]);
    }
    /* cell[i][j] = neighbours[i][j] == 3 || (neighbours[i][j] == 2 && cell[i][j]) */
    DPC_CHANGE(&cell_dist, DPC_LINE(31)) {
        unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
        const int (*restrict neighbours)[neighbours_dist.across[1]] = neighbours_dist.origin;
        DPC_OWNED_IN(i, 1, ROWS, &cell_dist, 0) DPC_OWNED_IN(j, 1, COLUMNS, &cell_dist, 1)
            cell[i][j] = neighbours[i][j] == 3 || (neighbours[i][j] == 2 && cell[i][j]);
    }
}

/* Puts a pattern, given as text with a line per row, at (top, left). */
static void place(const char *pattern, int top, int left) {
    for (int i = top, j = left; *pattern; pattern++) {
        if (*pattern == '/') i++, j = left;
        else dpc_set(unsigned char, &cell_dist, DPC_LINE(38), *pattern == 'O', i, j++);
    }
}

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(13), "P", 2, (const dpc_index[]){DPC_CHOSEN, DPC_CHOSEN});
    dpc_create_with_halo(&cell_dist, DPC_LINE(14), "cell", DPC_UNSIGNED_CHAR, DPC_SHAPE(ROWS + 2, COLUMNS + 2),
        DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), P, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_CORNERS);
    dpc_create_like(&neighbours_dist, DPC_LINE(14), "neighbours", DPC_INT, &cell_dist);
    place(".O/..O/OOO", 1, 1);      /* a glider, which will cross the edges */
    place("OOO", 16, 4);            /* a blinker */
    place("OO/OO", 9, 15);          /* a block */
    place(".OO/OO/.O", 8, 24);      /* the R-pentomino */

    for (int generation = 0; generation <= GENERATIONS; generation++) {
        if (generation % 10 == 0)
            printf("generation %2d: %d cells\n", generation, ({
                int sum_50 = 0;
                DPC_LOCAL(DPC_LINE(50)) { /* sum(i = 1:ROWS, j = 1:COLUMNS, (int)cell[i][j]) */
                    const unsigned char (*restrict cell)[cell_dist.across[1]] = cell_dist.origin;
                    DPC_OWNED_IN(i, 1, ROWS, &cell_dist, 0) DPC_OWNED_IN(j, 1, COLUMNS, &cell_dist, 1)
                        sum_50 += (int)cell[i][j];
                    sum_50 = dpc_combined(DPC_SUM, sum_50);
                }
                sum_50;
            }));
        step();
    }
    for (int i = 1; i <= ROWS; i++) {
        for (int j = 1; j <= COLUMNS; j++) putchar(dpc_get(unsigned char, &cell_dist, DPC_LINE(54), i, j) ? 'O' : '.');
        putchar('\n');
    }
    return dpc_finish(0);
}

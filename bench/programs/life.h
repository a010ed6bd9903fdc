/* The boards of life.dpc: gliders in some of the tiles. */
#ifndef LIFE_H
#define LIFE_H

#include "program.h"

#define TILE 16
typedef unsigned char cell;

/* Three neighbours, or two and alive. */
#define NEXT(alive, neighbours) (((neighbours) == 3) | (((neighbours) == 2) & (alive)))
#define WRAP(i, n) ((((i) % (n)) + (n)) % (n))

/* The cell at (i, j) of the first board: 0 or 1. */
static inline cell glider(long i, long j) {
    static const char shape[3][4] = {".#.", "..#", "###"};
    long row = i % TILE, column = j % TILE;
    if (row >= 3 || column >= 3 || (i / TILE * 7 + j / TILE * 3) % 5 >= 3) return 0;
    return shape[row][column] == '#';
}

#endif

/* What the files of sweeps share: the stages, what of an array goes from process to process, and the blocks that are
 * dealt round-robin. */
#ifndef DPC_SWEEP_H
#define DPC_SWEEP_H

#include "program.h"

/* Local indices, or values of an index, first .. last. */
typedef struct {
    dpc_index first, last;
} dpc_span;

static inline dpc_index dpc_span_length(dpc_span x) {
    return dpc_maximum(0, x.last - x.first + 1);
}

/* What of an array goes to a process, or comes from it, along dimension k. */
typedef struct {
    int array, k;
    dpc_span along;
} dpc_sweep_strip;

/* A process, and the strips that its messages have: strip[from .. end - 1] of the side. */
typedef struct {
    int process, from, end;
    bool once;       /* one message with all blocks; else one for each */
    dpc_index first; /* its first message */
    int line;        /* of dealt blocks: the dimension of the grid, as numbered in dpc_sweep.line */
} dpc_sweep_link;

/* What comes, or what goes. */
typedef struct {
    dpc_sweep_link *link;
    dpc_sweep_strip *strip;
    int links, strips;
    dpc_mail mail;
} dpc_sweep_side;

/* A divided dimension of home whose blocks are dealt: the index that steps through it; the blocks in question, in the
 * index's course, and those of all that this process owns. */
typedef struct {
    int g, x, k; /* dimension of the grid, index, dimension of home */
    bool down;
    dpc_index first, last; /* numbers of blocks: down: from the last to the first */
    bool carried;
} dpc_sweep_line;

/* One block of each such dimension, and one of the blocked index. */
typedef struct {
    dpc_index step[DPC_MAX_RANK]; /* per line: the number of the block in the course */
    dpc_index sum;                /* of these: the order of execution */
    dpc_index block;
    bool more;
} dpc_tile;

struct dpc_sweep {
    const dpc_space *space;
    int arrays;
    dpc_array **array;
    dpc_subscript *subscript;        /* per array and dimension */
    dpc_width *behind;               /* the same */
    dpc_course course[DPC_MAX_RANK]; /* per index */
    int blocked;                     /* the index that has blocks, -1: none */
    dpc_index blocks, block;         /* how many, and the one under way */
    dpc_index low, high;             /* values of the blocked index on this process */
    dpc_span whole;                  /* of the innermost index's values in the block under way, which has parts, */
    dpc_index length, parts, part;   /*   each of so many values; how many, and the one under way */
    dpc_sweep_side in, out;
    int lines; /* 0: no process has several blocks along a dimension */
    dpc_sweep_line line[DPC_MAX_RANK];
    dpc_tile tile, next; /* under way, and the one whose messages are on their way */
    const dpc_tile *at;  /* the one in question */
    dpc_mail early;      /* of the next tile */
    dpc_index sent;      /* messages */
    int tag;
};

static inline const dpc_subscript *dpc_swept_subscripts(const dpc_sweep *w, int array) {
    return w->subscript + array * DPC_MAX_RANK;
}
static inline dpc_width dpc_swept_behind(const dpc_sweep *w, int array, int k) {
    return w->behind[array * DPC_MAX_RANK + k];
}
/* Whether elements of the array go from process to process along dimension k. */
bool dpc_is_carried(const dpc_sweep *w, int array, int k);

/* ---- sweep_blocks.c: blocks of an index */

/* Chooses the index that has blocks, and how many. (the same everywhere) */
void dpc_choose_sweep_blocks(dpc_sweep *w, int operations);
/* The values of the blocked index in a block; blocks are counted in the index's course. */
dpc_span dpc_sweep_block(const dpc_sweep *w, dpc_index block);
/* The dimension of the array that the blocked index subscripts, -1: none. */
int dpc_blocked_dimension(const dpc_sweep *w, int array);

/* ---- strips.c: elements that go from process to process */

/* The bytes of a link's message, and copies of its strips into or out of them. */
dpc_index dpc_strips_bytes(const dpc_sweep *w, const dpc_sweep_side *x, const dpc_sweep_link *l, dpc_index block);
void dpc_copy_strips(const dpc_sweep *w, const dpc_sweep_side *x, const dpc_sweep_link *l, dpc_index block, char *data,
                     bool pack);

/* ---- tiles.c: blocks that are dealt round-robin */

/* Finds the dimensions; lines == 0 where every process has one block of each. */
void dpc_find_lines(dpc_sweep *w);
/* Blocks of a line in question, of all processes and at most of one. */
dpc_index dpc_line_steps(const dpc_sweep_line *l);
dpc_index dpc_line_share(const dpc_sweep *w, const dpc_sweep_line *l);
/* Where this process's block of the array begins in the tile: its first element, its place, and its length. */
void dpc_tile_of_array(const dpc_sweep *w, int array, int k, dpc_index *begin, dpc_index *place, dpc_index *length);
/* The loops' values and shifts in the tile under way. */
void dpc_set_tile(const dpc_sweep *w, dpc_stage *stage);
/* Begins with the first tile, or goes on behind one. */
void dpc_open_tiles(dpc_sweep *w);
void dpc_next_tile(dpc_sweep *w);

#endif

/* Transposing a rectangular matrix, in three ways that give the same result.
 *
 * Both matrices are distributed by rows, so the transpose exchanges a block between every two processes. */
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/transpose.dpc"
#include <dpc.h>

#define ROWS 36
#define COLUMNS 50

static dpc_array A_dist; /* int A[ROWS][COLUMNS]; */
static dpc_array B_dist; /* int B[COLUMNS][ROWS]; */
static dpc_array C_dist; /* int C[COLUMNS][ROWS]; */
static dpc_array D_dist; /* int D[COLUMNS][ROWS]; */

/* Posts receives, packs what others read, and sends it. */
static dpc_move *exchange(dpc_move *move) {
    DPC_RECEIVES(from, move) MPI_Irecv(DPC_MESSAGE(move, from));
    DPC_SENDS(to, move) {
        int *out = to->data, *part = dpc_source(move);
        const dpc_strip set0 = dpc_outgoing_axis(move, to, 0, 0);
        DPC_STRIPS(set1, dpc_outgoing_axis(move, to, 1, 0)) DPC_STRIP_RUNS(run1, set1)
            DPC_IN_STRIP_RUN(at1, from1, run1, set1.from_step) DPC_STRIP_RUNS(run0, set0)
                DPC_IVDEP DPC_IN_STRIP_RUN(at0, from0, run0, 1) *out++ = part[from1 + from0];
        MPI_Isend(DPC_MESSAGE(move, to));
    }
    return move;
}

int main(void) {
    dpc_init(0);
    dpc_grid *LINE = dpc_new_grid(DPC_LINE(13), "LINE", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_grid *GRID = dpc_new_grid(DPC_LINE(14), "GRID", 2, (const dpc_index[]){DPC_CHOSEN, DPC_CHOSEN});
    dpc_create(&A_dist, DPC_LINE(15), "A", DPC_INT, DPC_SHAPE(ROWS, COLUMNS), DPC_FORMATS(DPC_BLOCK, DPC_STAR), LINE);
    dpc_create(&B_dist, DPC_LINE(16), "B", DPC_INT, DPC_SHAPE(COLUMNS, ROWS), DPC_FORMATS(DPC_BLOCK, DPC_STAR), LINE);
    dpc_create_like(&C_dist, DPC_LINE(16), "C", DPC_INT, &B_dist);
    dpc_create(&D_dist, DPC_LINE(17), "D", DPC_INT, DPC_SHAPE(COLUMNS, ROWS), DPC_FORMATS(DPC_CYCLIC(3), DPC_CYCLIC(2)),
               GRID);
    DPC_LOCAL(DPC_LINE(20)) { /* A[i][j] = 100 * i + j */
        int (*restrict A)[A_dist.across[1]] = A_dist.origin;
        DPC_OWNED(i, &A_dist, 0) DPC_OWNED(j, &A_dist, 1) A[i][j] = 100 * i + j;
    }

    /* 1. An element (i, j) at a time, all at once. */
    DPC_FORALL_ON(space, &B_dist, DPC_LINE(23), DPC_TO(0, COLUMNS - 1), DPC_TO(0, ROWS - 1)) {
        /* B[j][i] = A[i][j]; A[i][j] (block, *) moves to the owners of B[j][i] (block, *)
         *   closed form, at most 2 sections a pair: i in [a:e], j in [a:e] */
        DPC_MOVE A_move = exchange(dpc_open(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(1), DPC_INDEX(0)), DPC_IN_PIECES));
        int (*restrict B)[B_dist.across[1]] = B_dist.origin;
        DPC_PIECES(A_in, int, A_move) /* what is mine, then messages as they come (MPI_Waitany) */
            DPC_STRIP(j_set, dpc_piece_strip(A_move, 0, 0)) DPC_STRIP(i_set, dpc_piece_strip(A_move, 1, 0))
                DPC_STRIP_TILES(j_tile, j_set, int, 1) DPC_STRIP_TILES(i_tile, i_set, int, i_set.from_step)
                    DPC_IN_STRIP_RUN(j, j_from, j_tile, 1)
                        DPC_IVDEP DPC_IN_STRIP_RUN(i, i_from, i_tile, i_set.from_step) B[j][i] = A_in[j_from + i_from];
    }

    /* 2. A row at a time: each row of A becomes a column of C. */
    for (long i = 0; i < ROWS; i++) {
        /* C[:][i] = A[i][:]; A[i][:] (block, *) moves to the owners of C[:][i] (block, *)
         *   closed form, at most 2 sections a pair: j in [a:e] */
        DPC_SPACE_AT(space, &C_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_FIXED(i)), DPC_LINE(26), DPC_TO(0, COLUMNS - 1));
        DPC_MOVE A_move = exchange(dpc_open(space, &A_dist, DPC_SUBSCRIPTS(DPC_FIXED(i), DPC_INDEX(0)), DPC_IN_PIECES));
        int (*restrict C)[C_dist.across[1]] = C_dist.origin;
        DPC_PIECES(A_in, int, A_move) DPC_STRIP(j_set, dpc_piece_strip(A_move, 0, 0))
            DPC_IN_STRIP(j, j_from, j_set, 1) C[j][i] = A_in[j_from];
    }

    /* 3. To another mapping, from the point of view of the left side. */
    DPC_FORALL_ON(space, &D_dist, DPC_LINE(29), DPC_TO(0, COLUMNS - 1), DPC_TO(0, ROWS - 1)) {
        /* D[j][i] = A[i][j]; A[i][j] (block, *) moves to the owners of D[j][i] (cyclic(3), cyclic(2))
         *   closed form, at most 2 sections a pair: i in [[a:a+1]:e:2*N2], j in [[a:a+2]:e:3*N1] */
        DPC_MOVE A_move = exchange(dpc_open(space, &A_dist, DPC_SUBSCRIPTS(DPC_INDEX(1), DPC_INDEX(0)), DPC_IN_PIECES));
        int (*restrict D)[D_dist.across[1]] = D_dist.local;
        DPC_PIECES(A_in, int, A_move)
            DPC_STRIP(j_set, dpc_piece_strip(A_move, 0, 3)) DPC_STRIP(i_set, dpc_piece_strip(A_move, 1, 2))
                DPC_STRIP_RUNS(j_run, j_set) DPC_STRIP_RUNS(i_run, i_set) DPC_IN_STRIP_RUN(j, j_from, j_run, 1)
                    DPC_IVDEP DPC_IN_STRIP_RUN(i, i_from, i_run, i_set.from_step)
                        D[j - j_run.shift][i - i_run.shift] = A_in[j_from + i_from];
    }

    long differences = 0;
    DPC_FORALL_ON(space, &B_dist, DPC_LINE(31), DPC_TO(0, COLUMNS - 1), DPC_TO(0, ROWS - 1)) {
        /* sum(j = 0:COLUMNS-1, i = 0:ROWS-1, B[j][i] != C[j][i] || B[j][i] != D[j][i], 1)
         *   D[j][i] (cyclic(3), cyclic(2)) moves to the owners of B[j][i] (block, *)
         *     closed form, at most 2 sections a pair: j in [[a:a+2]:e:3*N1], i in [[a:a+1]:e:2*N2] */
        DPC_MOVE D_move = exchange(dpc_open(space, &D_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_INDEX(1)), DPC_TOGETHER));
        const int (*restrict B)[B_dist.across[1]] = B_dist.origin, (*restrict C)[C_dist.across[1]] = C_dist.origin;
        const int (*restrict D_in)[dpc_row_length(space, 1)] = dpc_collect(D_move);
        DPC_OWNED_AT(j, j_at, &B_dist, 0) DPC_OWNED_AT(i, i_at, &B_dist, 1)
            if (B[j][i] != C[j][i] || B[j][i] != D_in[j_at][i_at]) differences += 1;
        differences = dpc_combined(DPC_SUM, differences);
    }
    long wrong = 0;
    DPC_LOCAL(DPC_LINE(32)) { /* sum(j = 0:COLUMNS-1, i = 0:ROWS-1, B[j][i] != 100 * i + j, 1) */
        const int (*restrict B)[B_dist.across[1]] = B_dist.origin;
        DPC_OWNED(j, &B_dist, 0) DPC_OWNED(i, &B_dist, 1)
            if (B[j][i] != 100 * i + j) wrong += 1;
        wrong = dpc_combined(DPC_SUM, wrong);
    }
    printf("differences %ld, wrong elements %ld\n", differences, wrong);
    int sum_34 = 0;
    long sum_34_2 = 0;
    DPC_LOCAL(DPC_LINE(34)) { /* sum(B[:][:]); sum(j = 0:COLUMNS-1, i = 0:ROWS-1, B[j][i] * ((i + 2 * j) % 5)) */
        const int (*restrict B)[B_dist.across[1]] = B_dist.origin;
        DPC_OWNED(j, &B_dist, 0) DPC_OWNED(i, &B_dist, 1) {
            sum_34 += B[j][i];
            sum_34_2 += B[j][i] * ((i + 2 * j) % 5);
        }
        dpc_reduce_together(2, DPC_RESULTS(DPC_RESULT(DPC_SUM, sum_34), DPC_RESULT(DPC_SUM, sum_34_2)));
    }
    printf("sum %d, weighted %ld\n", sum_34, sum_34_2);
    for (int j = 0; j < COLUMNS; j += 7) {
        for (int i = 0; i < ROWS; i += 5) printf(" %4d", dpc_get(int, &D_dist, DPC_LINE(36), j, i));
        printf("\n");
    }
    return dpc_finish(0);
}

/* The edit distance of two strings (Wagner and Fischer): D[i][j] is the least number of insertions, deletions and
 * changes that make the first i letters of one the first j letters of the other.
 *
 * Each element needs three that come before it, so no loop is parallel.  The rows are divided: a process waits for a
 * piece of the row above its own, computes as wide a piece of its rows, and sends that of its last row on.  */
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/wavefront.dpc"
#include <dpc.h>

#define N 400
#define M 600

static dpc_array D_dist; /* int D[0:N][0:M]; */

char one[N + 1], other[M + 1];

static int least(int x, int y, int z) {
    const int first = x < y ? x : y;
    return first < z ? first : z;
}

int main(void) {
    dpc_init(0);
    dpc_create_with_halo(&D_dist, DPC_LINE(12), "D", DPC_INT, 2, DPC_BOUNDS({0, N}, {0, M}),
        DPC_FORMATS(DPC_BLOCK, DPC_STAR), NULL, DPC_WIDTHS(DPC_WIDTH(1, 0), DPC_WIDTH(0, 0)), DPC_NO_CORNERS);
    for (int i = 1; i <= N; i++) one[i] = "acgt"[i * i * 7 / 11 % 4];
    for (int j = 1; j <= M; j++) other[j] = "acgt"[j * j * 3 / 5 % 4];
    DPC_CHANGE(&D_dist, DPC_LINE(24)) { /* D[i][0] = i */
        int (*restrict D)[D_dist.across[1]] = D_dist.origin;
        DPC_OWNED(i, &D_dist, 0) D[i][0] = i;
    }
    DPC_CHANGE(&D_dist, DPC_LINE(25)) { /* D[0][j] = j */
        int (*restrict D)[D_dist.across[1]] = D_dist.origin;
        if (dpc_owns(&D_dist, 0, 0))
            DPC_OWNED(j, &D_dist, 1) D[0][j] = j;
    }
    DPC_CHANGE_ON(space, &D_dist, DPC_LINE(26), DPC_TO(1, N), DPC_TO(1, M)) {
        /* pipeline on D[i][j]; D[-1:0][0]: from the processes before, on to those behind, in blocks of j */
        int (*restrict D)[D_dist.across[1]] = D_dist.origin;
        const dpc_course courses[] = {{.down = false, .blocks = false}, {.down = false, .blocks = true, .chain = true}};
        const dpc_swept swept[] =
            {{&D_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_INDEX(1)), DPC_WIDTHS(DPC_WIDTH(1, 0), DPC_WIDTH(0, 0))}};
        /* block by block: waits for the processes before, then sends on */
        for (dpc_stage stage = dpc_first_stage(space, 12, courses, 1, swept); stage.more; dpc_next_stage(&stage)) {
            const dpc_index i_last = stage.last[0], j_last = stage.last[1];
            for (long i = stage.first[0]; i <= i_last; i++)
                for (long j = stage.first[1]; j <= j_last; j++) {
                    D[i][j] = least(D[i - 1][j] + 1, D[i][j - 1] + 1, D[i - 1][j - 1] + (one[i] != other[j]));
                }
        }
    }
    printf("distance %d; of the first halves %d\n", dpc_get(int, &D_dist, DPC_LINE(29), N, M),
           dpc_get(int, &D_dist, DPC_LINE(29), N/2, M/2));
    return dpc_finish(0);
}

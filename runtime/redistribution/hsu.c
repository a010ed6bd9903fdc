/* Hsu, Chung and Dow's model of their two methods (equations 9 to 15), in units of one table entry, one basic cycle,
 * one element.  Indexing: BBC has tables of a basic cycle, CDC of all elements of a dimension, L_k.  Packing: CDC's
 * tables say where each element is, BBC works out a place for each cycle of each row, L / BC in the last dimension, in
 * prod L_k rows.  Equation 15 drops the terms that are small: CDC where
 *     sum over k of L_k  <  L_last / BC_last * (product of the other L_k).
 * Corrected: BC_last is the cycle's length in elements, lcm(s, t) on equal grids and lcm(m*s, m'*t) / m on others, not
 * longer than L_last.  Sheet, section 2.5. */
#include "index.h"

/* CDC's costs less BBC's, for one side; the process with coordinates 0 has the most elements. */
static double difference(int rank, const dpc_line *mine, const dpc_line *theirs) {
    double tables = 0, rows = 1;
    for (int k = 0; k < rank; k++) {
        const double length = (double)dpc_line_elements(&mine[k], 0);
        tables += length;
        if (k < rank - 1) rows *= length;
    }
    const dpc_line_pair pair = dpc_pair_lines(&mine[rank - 1], &theirs[rank - 1]);
    const double length = (double)dpc_line_elements(&mine[rank - 1], 0);
    return tables - (pair.step > 0 ? length / (double)pair.step : 1) * rows;
}

bool dpc_hsu_takes_cdc(int rank, const dpc_line *from, const dpc_line *to) {
    return difference(rank, from, to) + difference(rank, to, from) < 0;
}

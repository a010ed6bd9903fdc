/* The cases: lines of standard input, see compare.c. */
#include "compare.h"

#include <string.h>

/* Splits "AxBxC"; returns the number of words. */
static int split(char *text, char **words) {
    int count = 0;
    for (char *word = strtok(text, "x"); word; word = strtok(NULL, "x")) words[count++] = word;
    return count;
}

static dpc_mapping read_mapping(int rank, char **extents, char *blocks, char *grid, int processes) {
    char *block[DPC_MAX_RANK], *procs[DPC_MAX_RANK];
    dpc_mapping m = {.rank = rank};
    if (split(blocks, block) != rank || split(grid, procs) != rank) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int k = 0; k < rank; k++) {
        m.extent[k] = atol(extents[k]);
        m.procs[k] = *procs[k] == 'p' ? processes : atoi(procs[k]);
        m.block[k] = *block[k] == 'c'   ? 1
                     : *block[k] == 'b' ? dpc_ceiling(m.extent[k], m.procs[k])
                     : *block[k] == '*' ? m.extent[k]
                                        : atol(block[k]);
    }
    return m;
}

static problem read_case(char *line, int rank, int processes) {
    char *words[6], *extents[DPC_MAX_RANK];
    problem p = {.rank = rank, .processes = processes};
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < 6; word = strtok(NULL, " \n")) words[count++] = word;
    if (count < 6) MPI_Abort(MPI_COMM_WORLD, 2);
    snprintf(p.name, sizeof p.name, "%s", words[0]);
    const int dimensions = split(words[1], extents);
    p.from = read_mapping(dimensions, extents, words[2], words[3], processes);
    p.to = read_mapping(dimensions, extents, words[4], words[5], processes);
    p.from_elements = dpc_mapped_elements(&p.from, rank), p.to_elements = dpc_mapped_elements(&p.to, rank);
    return p;
}

/* The value of every local element: its number in the array. */
void fill_local(const dpc_mapping *m, int rank, double *local) {
    const int place = place_of(m, rank);
    const dpc_index elements = dpc_mapped_elements(m, rank);
    long extents[DPC_MAX_RANK], coordinate[DPC_MAX_RANK];
    for (int k = 0; k < m->rank; k++)
        extents[k] = dpc_mapped_extent(m, k, rank), coordinate[k] = coordinate_at(m, k, place);
    for (dpc_index n = 0; n < elements; n++) {
        long rest = n, weight = 1, number = 0;
        for (int k = m->rank - 1; k >= 0; k--) {
            const long extent = extents[k], at = rest % extent, b = m->procs[k] == 1 ? m->extent[k] : m->block[k];
            number += weight * (at / b * b * m->procs[k] + coordinate[k] * b + at % b);
            weight *= m->extent[k];
            rest /= extent;
        }
        local[n] = (double)number;
    }
}

bool next_case(problem *p) {
    int rank, processes;
    char line[256];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (rank == 0 && !fgets(line, sizeof line, stdin)) *line = '\0';
    MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (*line == '\0') return false;
    *p = read_case(line, rank, processes);
    return true;
}

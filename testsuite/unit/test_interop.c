/* Mappings as ScaLAPACK's descriptors and MPI's darray types, and the relabelling of processes, against enumeration of
 * every element and every permutation.  What takes no messages is tested on one process.  Prints "N passed, N failed".
 */
#include "../../runtime/interop.h"
#include "../../runtime/redistribution/relabel.h"
#include "random.h"
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

/* ---- The definitions */

static dpc_index coordinate_of(const dpc_mapping *m, int k, dpc_index x) {
    return m->procs[k] == 1 ? 0 : (m->first[k] + x) / m->block[k] % m->procs[k];
}

static dpc_index local_of(const dpc_mapping *m, int k, dpc_index x) {
    const dpc_index at = m->first[k] + x;
    return m->procs[k] == 1 ? at : at / (m->block[k] * m->procs[k]) * m->block[k] + at % m->block[k];
}

static dpc_index places_of(const dpc_mapping *m) {
    dpc_index places = 1;
    for (int k = 0; k < m->rank; k++) places *= m->procs[k];
    return places;
}

static dpc_index elements_of(const dpc_mapping *m) {
    dpc_index n = 1;
    for (int k = 0; k < m->rank; k++) n *= m->extent[k];
    return n;
}

static void index_of(const dpc_mapping *m, dpc_index number, dpc_index *index) {
    for (int k = m->rank - 1; k >= 0; k--) {
        index[k] = number % m->extent[k];
        number /= m->extent[k];
    }
}

static int process_of(const dpc_mapping *m, const dpc_index *index) {
    dpc_index place = 0;
    for (int k = 0; k < m->rank; k++) place = place * m->procs[k] + coordinate_of(m, k, index[k]);
    return m->process ? m->process[place] : (int)place;
}

/* Position in the local array. */
static dpc_index position_of(const dpc_mapping *m, const dpc_index *index) {
    dpc_index position = 0;
    const int process = process_of(m, index);
    for (int k = 0; k < m->rank; k++) {
        if (m->stride[m->rank - 1] != 0)
            position += local_of(m, k, index[k]) * m->stride[k];
        else
            position = position * dpc_mapped_extent(m, k, process) + local_of(m, k, index[k]);
    }
    return position;
}

static void shuffle(int *table, dpc_index n) {
    for (dpc_index k = 0; k < n; k++) table[k] = (int)k;
    for (dpc_index k = n - 1; k > 0; k--) {
        const dpc_index other = between(0, k);
        const int kept = table[k];
        table[k] = table[other], table[other] = kept;
    }
}

/* A mapping of the given extents on at most `most` places; table[0..63] becomes its processes. */
static dpc_mapping random_mapping(int rank, const dpc_index *extents, dpc_index most, int *table) {
    dpc_mapping m = {.rank = rank, .process = table};
    for (int k = 0; k < rank; k++) {
        m.extent[k] = extents[k];
        m.procs[k] = (int)between(1, most);
        most /= m.procs[k];
        m.block[k] = between(0, 4) == 0 ? dpc_maximum(1, dpc_ceiling(extents[k], m.procs[k])) : between(1, 9);
        if (m.procs[k] == 1) m.block[k] = dpc_maximum(1, extents[k]);
    }
    shuffle(table, 64);
    return m;
}

static void random_extents(int rank, dpc_index most, dpc_index *extents) {
    for (int k = 0; k < rank; k++) extents[k] = between(1, most);
}

/* ---- ScaLAPACK */

/* Element (row, column) of a matrix by ScaLAPACK's indxg2p and indxg2l, 0-based; returns the grid's place. */
static int matrix_place(const dpc_matrix *x, dpc_index row, dpc_index column, dpc_index *position) {
    const int *d = x->desc;
    const dpc_index mb = d[DPC_MB], nb = d[DPC_NB], i = row + x->ia - 1, j = column + x->ja - 1;
    const dpc_index at_row = (d[DPC_RSRC] + i / mb) % x->nprow, at_column = (d[DPC_CSRC] + j / nb) % x->npcol;
    const dpc_index local_row = i / (mb * x->nprow) * mb + i % mb, local_column = j / (nb * x->npcol) * nb + j % nb;
    *position = local_row + local_column * d[DPC_LLD];
    return (int)(at_row + at_column * x->nprow);
}

/* Every element stands at the same place in both views. */
static bool same_places(const dpc_mapping *m) {
    for (dpc_index n = 0; n < elements_of(m); n++) {
        dpc_index index[DPC_MAX_RANK] = {0}, position;
        dpc_matrix x;
        index_of(m, n, index);
        const int process = process_of(m, index);
        if (dpc_mapping_to_matrix(m, 7, process, &x) != NULL) return false;
        const int place = matrix_place(&x, n % x.m, n / x.m, &position);
        if (x.process[place] != process || position != position_of(m, index)) return false;
        if (x.desc[DPC_CTXT] != 7 || x.desc[DPC_M] != x.m + x.ia - 1 || x.desc[DPC_N] != x.n + x.ja - 1) return false;
    }
    return true;
}

static void test_matrix(int round) {
    dpc_index extents[3];
    int table[64];
    random_extents(3, 20, extents);
    dpc_mapping m = random_mapping((int)between(1, 2), extents, 8, table);
    for (int k = 0; k < m.rank; k++) m.first[k] = between(0, 1) * between(0, 9);
    if (m.rank == 2 && between(0, 2) == 0) m.stride[0] = m.first[1] + m.extent[1] + between(0, 3), m.stride[1] = 1;
    expect(same_places(&m), "a descriptor", round);
    /* Of three dimensions one is joined to its neighbour. */
    dpc_mapping cube = random_mapping(3, extents, 8, table);
    const int joined = (int)between(1, 2);
    cube.procs[joined] = 1, cube.block[joined] = cube.extent[joined];
    expect(same_places(&cube), "a descriptor of three dimensions", round);
}

static void test_from_matrix(int round) {
    int table[64], own[64];
    dpc_matrix x = {
        .m = (int)between(1, 20), .n = (int)between(1, 20), .ia = (int)between(1, 9), .ja = (int)between(1, 9)};
    x.nprow = (int)between(1, 4), x.npcol = (int)between(1, 4);
    shuffle(table, 64);
    x.process = table;
    const int desc[DPC_DESCRIPTOR] = {1,
                                      3,
                                      x.m + x.ia + 2,
                                      x.n + x.ja,
                                      (int)between(1, 6),
                                      (int)between(1, 6),
                                      (int)between(0, x.nprow - 1),
                                      (int)between(0, x.npcol - 1),
                                      40};
    memcpy(x.desc, desc, sizeof desc);
    dpc_mapping m;
    bool right = dpc_matrix_to_mapping(&x, own, &m) == NULL && elements_of(&m) == (dpc_index)x.m * x.n;
    for (dpc_index n = 0; right && n < elements_of(&m); n++) {
        dpc_index index[2], position;
        index_of(&m, n, index);
        const int place = matrix_place(&x, n % x.m, n / x.m, &position);
        right = table[place] == process_of(&m, index) && position == position_of(&m, index);
    }
    expect(right, "a mapping of a descriptor", round);
}

static void test_refusals(void) {
    const int good[DPC_DESCRIPTOR] = {1, 0, 10, 10, 2, 2, 0, 0, 10};
    const struct {
        int field, value;
    } wrong[] = {{DPC_DTYPE, 2}, {DPC_MB, 0}, {DPC_NB, -1}, {DPC_RSRC, 2}, {DPC_CSRC, -1}, {DPC_M, 7}, {DPC_N, 7}};
    dpc_mapping m;
    int own[4];
    for (size_t k = 0; k <= sizeof wrong / sizeof wrong[0]; k++) {
        dpc_matrix x = {.m = 8, .n = 8, .ia = 1, .ja = 1, .nprow = 2, .npcol = 2};
        memcpy(x.desc, good, sizeof good);
        if (k < sizeof wrong / sizeof wrong[0]) x.desc[wrong[k].field] = wrong[k].value;
        expect((dpc_matrix_to_mapping(&x, own, &m) != NULL) == (k < sizeof wrong / sizeof wrong[0]),
               "a wrong descriptor", (int)k);
    }
    dpc_matrix x;
    const dpc_mapping cube = {.rank = 3, .extent = {4, 4, 4}, .block = {2, 2, 2}, .procs = {2, 2, 2}};
    expect(dpc_mapping_to_matrix(&cube, 0, 0, &x) != NULL, "three divided dimensions", 0);
    const dpc_mapping large = {.rank = 2, .extent = {(dpc_index)1 << 31, 4}, .block = {2, 2}, .procs = {2, 2}};
    expect(dpc_mapping_to_matrix(&large, 0, 0, &x) != NULL, "more rows than an int holds", 0);
    const dpc_mapping gaps = {.rank = 2, .extent = {4, 4}, .block = {2, 2}, .procs = {2, 2}, .stride = {8, 2}};
    expect(dpc_mapping_to_matrix(&gaps, 0, 0, &x) != NULL, "gaps between the elements of a row", 0);
    for (dpc_index n = 0; n < 40; n++)
        for (int block = 1; block <= 4; block++)
            for (int p = 0; p < 3; p++) {
                dpc_index count = 0;
                for (dpc_index k = 0; k < n; k++) count += (k / block + 2) % 3 == p;
                expect(dpc_numroc(n, block, p, 2, 3) == count, "numroc", (int)n);
            }
}

/* ---- MPI */

#ifndef DPC_SMPI
/* Packs the row-major array of element numbers by the type: it must give the process's elements in order. */
static bool packs(const dpc_mapping *m, int process) {
    const dpc_index n = elements_of(m);
    int *all = malloc((size_t)n * sizeof *all), *packed = malloc((size_t)n * sizeof *packed), end = 0, size, taken = 0;
    MPI_Datatype type;
    if (dpc_mapping_to_darray(m, process, MPI_INT, &type) != NULL) return false;
    for (dpc_index k = 0; k < n; k++) all[k] = (int)k;
    MPI_Type_size(type, &size);
    bool right = size <= n * (dpc_index)sizeof(int);
    if (right) MPI_Pack(all, 1, type, packed, (int)n * (int)sizeof(int), &end, MPI_COMM_SELF);
    for (dpc_index k = 0; right && k < n; k++) {
        dpc_index index[DPC_MAX_RANK] = {0};
        index_of(m, k, index);
        if (process_of(m, index) == process) right = taken < end / (int)sizeof(int) && packed[taken++] == k;
    }
    MPI_Type_free(&type);
    free(all), free(packed);
    return right && taken == end / (int)sizeof(int);
}

static void test_darray(int round) {
    dpc_index extents[4];
    int table[64];
    const int rank = (int)between(1, 4);
    random_extents(rank, rank > 2 ? 7 : 25, extents);
    dpc_mapping m = random_mapping(rank, extents, 12, table);
    for (int process = 0; process < 64; process++) expect(packs(&m, process), "a darray", round);
    MPI_Datatype type;
    m.first[0] = 1;
    expect(dpc_mapping_to_darray(&m, 0, MPI_INT, &type) != NULL, "a section as a darray", round);
}
#endif

/* ---- Relabelling */

static void test_shared(int round) {
    const dpc_index extent = between(0, 200);
    dpc_line a = {extent, between(0, 1) * between(0, 30), between(1, 20), between(1, 6)};
    dpc_line b = {extent, between(0, 1) * between(0, 30), between(1, 20), between(1, 6)};
    if (between(0, 3) == 0) a.block = 1000;
    if (between(0, 3) == 0) b.block = 1;
    bool right = true;
    for (dpc_index p = 0; p < a.procs; p++) {
        for (dpc_index q = 0; q < b.procs; q++) {
            dpc_index count = 0;
            for (dpc_index x = 0; x < extent; x++)
                count += (a.first + x) / a.block % a.procs == p && (b.first + x) / b.block % b.procs == q;
            right &= count == dpc_shared_elements(&a, p, &b, q);
        }
    }
    expect(right, "shared elements", round);
}

/* All coordinates of a share by far more processes than elements can be counted, sum up to the extent. */
static void test_shared_large(void) {
    const dpc_line a = {(dpc_index)1 << 40, 0, 1000003, 1000000}, b = {(dpc_index)1 << 40, 5, 999983, 1000000};
    const dpc_line one = {(dpc_index)1 << 40, 0, 1, 1}, other = {(dpc_index)1 << 40, 12345, 7919, 31};
    const dpc_line dealt = {(dpc_index)1 << 40, 3, 6007, 29};
    dpc_index sum = 0, whole = 0;
    for (dpc_index q = 0; q < 31; q++) whole += dpc_shared_elements(&one, 0, &other, q);
    expect(whole == one.extent, "everything is shared with somebody", 0);
    for (dpc_index p = 0; p < 29; p++)
        for (dpc_index q = 0; q < 31; q++) sum += dpc_shared_elements(&dealt, p, &other, q);
    expect(sum == dealt.extent, "pairs add up", 0);
    /* Block 7 of the one and 7 of the other, both of two cycles: by hand from the ends of the blocks. */
    const dpc_index low = dpc_maximum(7 * a.block, 7 * b.block - 5), high = dpc_minimum(8 * a.block, 8 * b.block - 5);
    expect(dpc_shared_elements(&a, 7, &b, 7) >= high - low && high > low, "a pair of 10^6 processes", 0);
}

/* Elements that stay where process `table[place]` takes the place. */
static dpc_index staying(const dpc_mapping *from, dpc_mapping to, const int *table) {
    dpc_index count = 0;
    to.process = table;
    for (dpc_index n = 0; n < elements_of(from); n++) {
        dpc_index index[DPC_MAX_RANK] = {0};
        index_of(from, n, index);
        count += process_of(from, index) == process_of(&to, index);
    }
    return count;
}

/* A permutation's worth: elements that stay and, where these are equal, processes that keep their own place. */
static dpc_index worth(const dpc_mapping *from, const dpc_mapping *to, const int *table) {
    dpc_index own = 0;
    for (dpc_index k = 0; k < places_of(to); k++) own += table[k] == to->process[k];
    return staying(from, *to, table) * 100 + own;
}

/* The most that any permutation of table[k..] is worth. */
static dpc_index greatest_worth(const dpc_mapping *from, const dpc_mapping *to, int *table, dpc_index k, dpc_index n) {
    dpc_index most = 0;
    if (k == n) return worth(from, to, table);
    for (dpc_index other = k; other < n; other++) {
        const int kept = table[k];
        table[k] = table[other], table[other] = kept;
        most = dpc_maximum(most, greatest_worth(from, to, table, k + 1, n));
        table[other] = table[k], table[k] = kept;
    }
    return most;
}

static bool is_permutation(const int *table, const int *of, dpc_index n) {
    for (dpc_index k = 0; k < n; k++) {
        int count = 0;
        for (dpc_index other = 0; other < n; other++) count += table[other] == of[k];
        if (count != 1) return false;
    }
    return true;
}

static void test_relabel(int round) {
    dpc_index extents[3];
    int from_table[64], to_table[64], permuted[64];
    const int rank = (int)between(1, 3);
    random_extents(rank, rank == 1 ? 60 : 9, extents);
    dpc_mapping from = random_mapping(rank, extents, 6, from_table), to = random_mapping(rank, extents, 6, to_table);
    if (between(0, 1)) from.first[0] = between(0, 9);
    const dpc_index places = places_of(&to);
    for (int k = 0; k < 64; k++) from_table[k] %= 64, permuted[k] = to_table[k] = to_table[k] % 64;
    if (between(0, 1)) {
        /* the same few processes on both sides */
        shuffle(from_table, 6), shuffle(to_table, 6);
        memcpy(permuted, to_table, sizeof permuted);
    }
    dpc_relabelling r = dpc_relabel(&from, &to);
    expect(is_permutation(r.process, to_table, places), "the relabelling is no permutation", round);
    expect(r.stayed == staying(&from, to, to_table), "what stays without relabelling", round);
    expect(r.stay == staying(&from, to, r.process), "what stays with relabelling", round);
    expect(worth(&from, &to, r.process) == greatest_worth(&from, &to, permuted, 0, places),
           "another permutation is better", round);
    dpc_free_buffer(r.process);
}

/* The target's places dealt out backwards: relabelling brings everything back, exactly and greedily. */
static void test_relabel_large(int places) {
    const dpc_index extents[1] = {10 * places};
    int *table = malloc((size_t)places * sizeof *table);
    const dpc_mapping from = dpc_map(1, extents, (dpc_format[]){DPC_CYCLIC(5)}, &places);
    dpc_mapping to = from;
    for (int k = 0; k < places; k++) table[k] = places - 1 - k;
    to.process = table;
    dpc_relabelling r = dpc_relabel(&from, &to);
    expect(r.stay == extents[0], "reversed processes", places);
    bool right = true;
    for (int k = 0; k < places; k++) right &= r.process[k] == k;
    expect(right, "reversed processes are put back", places);
    dpc_free_buffer(r.process);
    free(table);
}

/* A plan that may relabel: every element is at its place under the table that the plan tells, and fewer bytes travel.
 */
static void test_relabelled_plan(int round, int rank, int processes) {
    const dpc_index extents[2] = {between(1, 30), between(1, 30)};
    int from_table[64], to_table[64];
    dpc_mapping from = random_mapping(2, extents, processes, from_table),
                to = random_mapping(2, extents, processes, to_table);
    shuffle(from_table, processes), shuffle(to_table, processes);
    const dpc_redistribution_options options = {.relabel = true};
    dpc_redistribution *plain = dpc_plan_redistribution(MPI_COMM_WORLD, &from, &to, sizeof(double), NULL);
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &from, &to, sizeof(double), &options);
    const dpc_plan_facts before = dpc_plan_describe(plain), after = dpc_plan_describe(plan);
    long long bytes[2] = {before.bytes_sent, after.bytes_sent};
    MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect(bytes[0] - bytes[1] == before.bytes_saved && before.bytes_saved == after.bytes_saved, "bytes saved", round);
    to.process = dpc_relabelled(plan);
    expect(is_permutation(to.process, to_table, places_of(&to)), "the plan's table is no permutation", round);
    double *a = calloc((size_t)dpc_mapped_elements(&from, rank) + 1, sizeof *a);
    double *b = calloc((size_t)dpc_mapped_elements(&to, rank) + 1, sizeof *b);
    for (dpc_index n = 0; n < elements_of(&from); n++) {
        dpc_index index[DPC_MAX_RANK] = {0};
        index_of(&from, n, index);
        if (process_of(&from, index) == rank) a[position_of(&from, index)] = (double)n + 1;
    }
    dpc_execute(plan, a, b);
    bool right = true;
    for (dpc_index n = 0; n < elements_of(&to); n++) {
        dpc_index index[DPC_MAX_RANK] = {0};
        index_of(&to, n, index);
        if (process_of(&to, index) == rank) right &= b[position_of(&to, index)] == (double)n + 1;
    }
    expect(right, "an element is at another place", round);
    free(a), free(b);
    dpc_free_redistribution(plan), dpc_free_redistribution(plain);
}

int main(int argc, char **argv) {
    int rank, processes;
    long counts[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    for (int round = 0; round < 40; round++) test_relabelled_plan(round, rank, processes);
    for (int round = 0; round < (processes == 1 ? 300 : 0); round++) {
        test_matrix(round), test_from_matrix(round), test_shared(round), test_relabel(round);
#ifndef DPC_SMPI
        if (round % 3 == 0) test_darray(round);
#endif
    }
    if (processes == 1) {
        test_refusals();
        test_shared_large();
        test_relabel_large(200), test_relabel_large(1000);
    }
    counts[0] = passed, counts[1] = failed;
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%ld passed, %ld failed\n", counts[0], counts[1]);
    MPI_Finalize();
    return counts[1] != 0;
}

/* dpc_pXgemr2d against ScaLAPACK's own pXgemr2d: random matrices, submatrices, grids, sources and leading dimensions.
 * Prints "N passed, N failed". */
#include "../../runtime/scalapack.h"
#include "random.h"
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridmap(int *context, int *process, int leading, int rows, int columns);
void Cblacs_gridexit(int context);
#define REFERENCE(letter, type)                                                                                        \
    void p##letter##gemr2d_(const int *m, const int *n, const type *a, const int *ia, const int *ja, const int *desca, \
                            type *b, const int *ib, const int *jb, const int *descb, const int *ictxt);
DPC_PGEMR2D_TYPES(REFERENCE)

static int rank, processes;

static int int_between(int low, int high) {
    return (int)between(low, high);
}

/* ---- Grids and matrices */

static void shuffle(int *table, int n) {
    for (int k = 0; k < n; k++) table[k] = k;
    for (int k = n - 1; k > 0; k--) {
        const int other = int_between(0, k), kept = table[k];
        table[k] = table[other], table[other] = kept;
    }
}

/* A context of some processes in any order; all: of every process. */
static int random_grid(bool all) {
    int table[64], context, rows = int_between(1, processes), columns = int_between(1, processes / rows);
    shuffle(table, processes);
    if (all) rows = processes % 2 == 0 && int_between(0, 1) ? 2 : 1, columns = processes / rows;
    Cblacs_get(0, 0, &context);
    Cblacs_gridmap(&context, table, rows, rows, columns);
    return context;
}

typedef struct {
    int desc[DPC_DESCRIPTOR];
    int i, j;     /* first element of the submatrix, 1-based */
    int elements; /* of the local array, at least 1 */
} matrix;

/* A matrix that has an m x n submatrix.  A process outside the grid knows nothing but that. */
static matrix random_matrix(int context, int m, int n) {
    int rows, columns, row, column, shape[2];
    matrix x = {.i = int_between(1, 8), .j = int_between(1, 8)};
    const int height = x.i - 1 + m + int_between(0, 5), width = x.j - 1 + n + int_between(0, 5);
    const int mb = int_between(1, 9), nb = int_between(1, 9), extra = int_between(0, 3) * int_between(0, 1),
              sources[2] = {int_between(0, 63), int_between(0, 63)};
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    memset(x.desc, -1, sizeof x.desc);
    x.elements = 1;
    if (row < 0 || rows < 0) return x;
    shape[0] = (int)dpc_numroc(height, mb, row, sources[0] % rows, rows);
    shape[1] = (int)dpc_numroc(width, nb, column, sources[1] % columns, columns);
    const int lld = (shape[0] > 1 ? shape[0] : 1) + extra;
    const int desc[DPC_DESCRIPTOR] = {1, context, height, width, mb, nb, sources[0] % rows, sources[1] % columns, lld};
    memcpy(x.desc, desc, sizeof desc);
    x.elements = lld * (shape[1] > 0 ? shape[1] : 1);
    return x;
}

/* ---- One call of each type */

/* Bytes that depend on process and place; none is like another by chance. */
static void fill(unsigned char *bytes, size_t n, unsigned seed) {
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(((unsigned)k * 2654435761u + seed * 40503u + (unsigned)rank * 97u) >> 13 & 63);
}

#define COMPARE(letter, type)                                                                                          \
    static bool agree_##letter(int m, int n, const matrix *a, const matrix *b, int context, bool fortran) {            \
        const size_t bytes = (size_t)b->elements * sizeof(type);                                                       \
        type *from = calloc((size_t)a->elements, sizeof(type)), *to = malloc(bytes), *reference = malloc(bytes);       \
        fill((unsigned char *)from, (size_t)a->elements * sizeof(type), 1);                                            \
        fill((unsigned char *)to, bytes, 2);                                                                           \
        memcpy(reference, to, bytes);                                                                                  \
        p##letter##gemr2d_(&m, &n, from, &a->i, &a->j, a->desc, reference, &b->i, &b->j, b->desc, &context);           \
        if (fortran)                                                                                                   \
            dpc_p##letter##gemr2d_(&m, &n, from, &a->i, &a->j, a->desc, to, &b->i, &b->j, b->desc, &context);          \
        else                                                                                                           \
            dpc_p##letter##gemr2d(m, n, from, a->i, a->j, a->desc, to, b->i, b->j, b->desc, context);                  \
        const bool same = memcmp(to, reference, bytes) == 0;                                                           \
        free(from), free(to), free(reference);                                                                         \
        return same;                                                                                                   \
    }
DPC_PGEMR2D_TYPES(COMPARE)

static bool agree(char type, int m, int n, const matrix *a, const matrix *b, int context) {
    const bool fortran = int_between(0, 1);
    switch (type) {
    case 's':
        return agree_s(m, n, a, b, context, fortran);
    case 'd':
        return agree_d(m, n, a, b, context, fortran);
    case 'c':
        return agree_c(m, n, a, b, context, fortran);
    case 'z':
        return agree_z(m, n, a, b, context, fortran);
    default:
        return agree_i(m, n, a, b, context, fortran);
    }
}

static void leave(int context) {
    int rows, columns, row, column;
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    if (row >= 0) Cblacs_gridexit(context);
}

/* Several calls in the grids, some repeated: a repetition must not make a plan. */
static void test_grids(int round) {
    const int all = random_grid(true), one = random_grid(false), two = int_between(0, 3) ? random_grid(false) : one;
    for (int call = 0; call < 4; call++) {
        const int m = int_between(call == 3 ? 0 : 1, 40), n = int_between(1, 40);
        const char type = "sdczi"[int_between(0, 4)];
        const matrix a = random_matrix(one, m, n), b = random_matrix(two, m, n);
        expect(agree(type, m, n, &a, &b, all), "differs from ScaLAPACK", round);
        const int kept = dpc_kept_pgemr2d_plans(all);
        expect(kept == call + (m > 0), "number of plans", round);
        expect(agree(type, m, n, &a, &b, all), "differs from ScaLAPACK when repeated", round);
        expect(dpc_kept_pgemr2d_plans(all) == kept, "the repetition made a plan", round);
    }
    if (two != one) leave(two);
    leave(one), leave(all);
}

/* More plans than are kept. */
static void test_many_plans(void) {
    const int all = random_grid(true);
    for (int call = 0; call < 40; call++) {
        const matrix a = random_matrix(all, 10 + call, 12), b = random_matrix(all, 10 + call, 12);
        expect(agree('d', 10 + call, 12, &a, &b, all), "differs after many plans", call);
    }
    expect(dpc_kept_pgemr2d_plans(all) == 16, "plans are let go", 0);
    leave(all);
}

/* One array as A and B: the left half goes to the right half and the other way round in one matrix. */
static void test_one_array(int round) {
    const int all = random_grid(true), n = int_between(2, 20), m = int_between(1, 20);
    matrix x = random_matrix(all, m, 2 * n);
    double *array = malloc((size_t)x.elements * sizeof *array), *copy = malloc((size_t)x.elements * sizeof *array);
    fill((unsigned char *)array, (size_t)x.elements * sizeof *array, 3);
    memcpy(copy, array, (size_t)x.elements * sizeof *array);
    const int right = x.j + n, shifted = x.j + 1;
    pdgemr2d_(&m, &n, array, &x.i, &x.j, x.desc, copy, &x.i, &right, x.desc, &all);
    dpc_pdgemr2d(m, n, array, x.i, x.j, x.desc, array, x.i, right, x.desc, all);
    expect(memcmp(array, copy, (size_t)x.elements * sizeof *array) == 0, "one array, disjoint parts", round);
    pdgemr2d_(&m, &n, array, &x.i, &x.j, x.desc, copy, &x.i, &shifted, x.desc, &all);
    dpc_pdgemr2d(m, n, array, x.i, x.j, x.desc, array, x.i, shifted, x.desc, all);
    expect(memcmp(array, copy, (size_t)x.elements * sizeof *array) == 0, "one array, overlapping parts", round);
    free(array), free(copy);
    leave(all);
}

/* One process changes its leading dimension, the others' arguments stay: nobody may use the old plan, nobody hangs. */
static void test_leading_dimension(int round) {
    const int all = random_grid(true);
    matrix a = random_matrix(all, 15, 17), b = random_matrix(all, 15, 17);
    expect(agree('d', 15, 17, &a, &b, all), "before the change", round);
    if (rank == round % processes) {
        b.elements = b.elements / b.desc[DPC_LLD] * (b.desc[DPC_LLD] + 2);
        b.desc[DPC_LLD] += 2;
    }
    expect(agree('d', 15, 17, &a, &b, all), "another leading dimension on one process", round);
    leave(all);
}

/* ---- A mapping's own descriptor and context: what pdgemr2d takes out of the matrix is the array's element. */

static dpc_mapping random_mapping(int *table) {
    dpc_index extents[2] = {int_between(1, 30), int_between(1, 30)};
    int procs[2] = {int_between(1, processes), 1};
    procs[1] = int_between(1, processes / procs[0]);
    dpc_mapping m =
        dpc_map(2, extents, (dpc_format[]){DPC_CYCLIC(int_between(1, 7)), DPC_CYCLIC(int_between(1, 7))}, procs);
    shuffle(table, processes);
    m.process = table;
    return m;
}

static double element(int i, int j) {
    return 1000.0 * i + j + 1;
}

/* Row-major local array with the value of every element. */
static double *local_array(const dpc_mapping *m, const dpc_matrix *x, int context) {
    int rows, columns, row, column;
    double *local = calloc((size_t)dpc_mapped_elements(m, rank) + 1, sizeof *local);
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    if (row < 0 || rows < 0) return local;
    for (int i = 0; i < m->extent[0]; i++) {
        for (int j = 0; j < m->extent[1]; j++) {
            const dpc_index bi = m->block[0], bj = m->block[1];
            if (i / bi % m->procs[0] != column || j / bj % m->procs[1] != row) continue;
            const dpc_index at_i = i / (bi * m->procs[0]) * bi + i % bi, at_j = j / (bj * m->procs[1]) * bj + j % bj;
            local[at_i * x->desc[DPC_LLD] + at_j] = element(i, j);
        }
    }
    return local;
}

/* ScaLAPACK collects the whole matrix on one process. */
static void test_descriptor(int round) {
    int table[64], whole_table[64], all = random_grid(true);
    const dpc_mapping m = random_mapping(table);
    dpc_mapping whole = dpc_map(2, m.extent, (dpc_format[]){DPC_STAR, DPC_STAR}, (int[]){1, 1});
    dpc_matrix x, y;
    whole_table[0] = processes - 1;
    whole.process = whole_table;
    const int context = dpc_blacs_context(MPI_COMM_WORLD, &m), alone = dpc_blacs_context(MPI_COMM_WORLD, &whole);
    expect(!dpc_mapping_to_matrix(&m, context, rank, &x), "a mapping without a descriptor", round);
    expect(!dpc_mapping_to_matrix(&whole, alone, rank, &y), "a whole array without a descriptor", round);
    double *from = local_array(&m, &x, context), *to = calloc((size_t)(m.extent[0] * m.extent[1]), sizeof *to);
    pdgemr2d_(&x.m, &x.n, from, &x.ia, &x.ja, x.desc, to, &y.ia, &y.ja, y.desc, &all);
    bool right = true;
    for (int i = 0; rank == processes - 1 && i < m.extent[0]; i++)
        for (int j = 0; j < m.extent[1]; j++) right &= to[i * m.extent[1] + j] == element(i, j);
    expect(right, "the descriptor describes another array", round);
    free(from), free(to);
    leave(context), leave(alone), leave(all);
}

int main(int argc, char **argv) {
    long counts[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    const int rounds = argc > 1 ? atoi(argv[1]) : processes > 4 ? 12 : 40;
    for (int round = 0; round < rounds; round++) test_grids(round);
    for (int round = 0; round < rounds / 4; round++)
        test_one_array(round), test_leading_dimension(round), test_descriptor(round);
    test_many_plans();
    counts[0] = passed, counts[1] = failed;
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%ld passed, %ld failed\n", counts[0], counts[1]);
    MPI_Finalize();
    return counts[1] != 0;
}

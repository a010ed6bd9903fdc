/* Mappings as ScaLAPACK's descriptors and as MPI's darray types. */
#include "../interop.h"

#include "arguments.h"
#include "engine.h"

#include <string.h>

static void check_coordinate(const char *name, dpc_index coordinate, dpc_index procs) {
    if (coordinate < 0 || coordinate >= procs)
        dpc_fail("dpc_numroc", "argument '%s' is %lld, must be 0 to %lld", name, (long long)coordinate,
                 (long long)procs - 1);
}

dpc_index dpc_numroc(dpc_index n, dpc_index block, dpc_index coordinate, dpc_index source, dpc_index procs) {
    static const char where[] = "dpc_numroc";
    if (n < 0) dpc_fail(where, "argument 'n' is %lld, must not be negative", (long long)n);
    if (block < 1) dpc_fail(where, "argument 'block' is %lld, must be positive", (long long)block);
    if (procs < 1) dpc_fail(where, "argument 'procs' is %lld, must be positive", (long long)procs);
    check_coordinate("coordinate", coordinate, procs);
    check_coordinate("source", source, procs);
    const dpc_dim d = dpc_dealt_dim(0, n, block, procs, 0, 0);
    return procs == 1 ? n : dpc_local_extent(&d, dpc_modulo(coordinate - source, procs));
}

/* ---- To ScaLAPACK */

/* A dimension of the array, or several neighbours that lie in memory like one. */
typedef struct {
    dpc_index extent, first, block, procs;
} line;

static bool is_dense(const dpc_mapping *m) {
    for (int k = 0; k < m->rank; k++)
        if (m->stride[k] != 0) return false;
    return true;
}

/* Dimension k continues the one before it: its elements are not divided and all of them belong to the section. */
static bool continues(const dpc_mapping *m, int k) {
    return m->procs[k] == 1 && m->first[k] == 0 && is_dense(m);
}

/* A block as long as all processes' elements together is one block each, however long it is written. */
static dpc_index shortest_block(const dpc_mapping *m, int k) {
    const dpc_index whole = dpc_maximum(m->first[k] + m->extent[k], 1);
    return m->procs[k] == 1 ? whole : dpc_minimum(m->block[k], whole);
}

/* The mapping's dimensions with those that continue others joined to them; returns their number, 3 for more than two.
 * Leading dimensions of one element vanish. */
static int join_lines(const dpc_mapping *m, line lines[2]) {
    int count = 0;
    for (int k = 0; k < m->rank; k++) {
        const dpc_index whole = m->first[k] + m->extent[k];
        if (m->rank > 2 && count > 0 && continues(m, k)) {
            line *l = &lines[count - 1];
            l->extent *= whole, l->first *= whole, l->block *= dpc_maximum(whole, 1);
        } else if (m->rank > 2 && count == 0 && whole == 1 && continues(m, k)) {
            continue;
        } else if (count == 2) {
            return 3;
        } else {
            lines[count++] = (line){m->extent[k], m->first[k], shortest_block(m, k), m->procs[k]};
        }
    }
    if (count == 0) lines[count++] = (line){1, 0, 1, 1};
    return count;
}

static bool fits(const line *l) {
    return l->first + l->extent < INT_MAX && l->block <= INT_MAX;
}

/* Matrix rows in the process's local array.  Behind the last divided dimension all others are joined to it. */
static dpc_index local_rows(const dpc_mapping *m, int process, const line *rows) {
    const dpc_index place = dpc_mapped_place(m, process), whole = rows->first + rows->extent;
    if (place < 0) return 0;
    return dpc_numroc(whole, rows->block, place % rows->procs, 0, rows->procs);
}

/* Elements from a matrix column to the next in the process's local array. */
static const char *leading_dimension(const dpc_mapping *m, int process, const line *rows, int *lld) {
    *lld = (int)dpc_maximum(local_rows(m, process, rows), 1);
    if (is_dense(m)) return NULL;
    if (m->stride[m->rank - 1] != 1)
        return "the local elements of the last dimension do not lie side by side (LLD_ is the only stride)";
    if (m->rank == 1) return NULL;
    if (m->stride[0] < *lld) return "the stride of the first dimension is shorter than the local row";
    if (m->stride[0] > INT_MAX) return "the stride of the first dimension is more than an int holds";
    *lld = (int)m->stride[0];
    return NULL;
}

static void check_process(const char *where, int process) {
    if (process < 0) dpc_fail(where, "argument 'process' is %d, must not be negative", process);
}

const char *dpc_mapping_to_matrix(const dpc_mapping *m, int context, int process, dpc_matrix *matrix) {
    static const char where[] = "dpc_mapping_to_matrix";
    const line one = {1, 0, 1, 1};
    line lines[2];
    dpc_check_mapping(where, "m", m);
    dpc_check_given(where, "matrix", matrix);
    check_process(where, process);
    const int count = join_lines(m, lines);
    if (count > 2) return "more than two dimensions that are divided or are sections";
    /* A vector is a matrix of one column. */
    const line *rows = &lines[count - 1], *columns = count == 2 ? &lines[0] : &one;
    if (!fits(rows) || !fits(columns)) return "an extent or block is more than an int holds";
    *matrix = (dpc_matrix){.m = (int)rows->extent,
                           .n = (int)columns->extent,
                           .ia = (int)rows->first + 1,
                           .ja = (int)columns->first + 1,
                           .nprow = (int)rows->procs,
                           .npcol = (int)columns->procs,
                           .process = m->process};
    const int desc[DPC_DESCRIPTOR] = {[DPC_DTYPE] = 1,
                                      [DPC_CTXT] = context,
                                      [DPC_M] = matrix->m + matrix->ia - 1,
                                      [DPC_N] = matrix->n + matrix->ja - 1,
                                      [DPC_MB] = (int)rows->block,
                                      [DPC_NB] = (int)columns->block};
    memcpy(matrix->desc, desc, sizeof desc);
    return leading_dimension(m, process, rows, &matrix->desc[DPC_LLD]);
}

/* ---- From ScaLAPACK */

static const char *wrong_descriptor(const dpc_matrix *x) {
    const int *desc = x->desc;
    if (desc[DPC_DTYPE] != 1) return "DTYPE_ is not 1 (a dense matrix)";
    if (x->m < 0 || x->n < 0) return "M or N is negative";
    if (x->nprow < 1 || x->npcol < 1) return "the grid has no processes";
    if ((dpc_index)x->nprow * x->npcol > INT_MAX) return "the grid has more processes than an int holds";
    if (desc[DPC_MB] < 1 || desc[DPC_NB] < 1) return "MB_ or NB_ is not positive";
    if (desc[DPC_RSRC] < 0 || desc[DPC_RSRC] >= x->nprow) return "RSRC_ is outside the grid";
    if (desc[DPC_CSRC] < 0 || desc[DPC_CSRC] >= x->npcol) return "CSRC_ is outside the grid";
    if (x->ia < 1 || x->ja < 1) return "IA or JA is not positive";
    if (x->m > (dpc_index)desc[DPC_M] - x->ia + 1) return "the submatrix has rows outside the matrix";
    if (x->n > (dpc_index)desc[DPC_N] - x->ja + 1) return "the submatrix has columns outside the matrix";
    if (desc[DPC_LLD] < 1) return "LLD_ is not positive";
    return NULL;
}

const char *dpc_matrix_to_mapping(const dpc_matrix *x, int *process, dpc_mapping *m) {
    static const char where[] = "dpc_matrix_to_mapping";
    dpc_check_given(where, "matrix", x);
    dpc_check_given(where, "process", process);
    dpc_check_given(where, "m", m);
    const char *wrong = wrong_descriptor(x);
    if (wrong) return wrong;
    *m = (dpc_mapping){.rank = 2,
                       .extent = {x->n, x->m},
                       .first = {x->ja - 1, x->ia - 1},
                       .block = {x->desc[DPC_NB], x->desc[DPC_MB]},
                       .procs = {x->npcol, x->nprow},
                       .process = process,
                       .stride = {x->desc[DPC_LLD], 1}};
    /* The first block lies on the source coordinates: places are counted from there. */
    for (int column = 0; column < x->npcol; column++) {
        for (int row = 0; row < x->nprow; row++) {
            const int at_row = (row + x->desc[DPC_RSRC]) % x->nprow,
                      at_column = (column + x->desc[DPC_CSRC]) % x->npcol;
            const int place = at_row + at_column * x->nprow;
            process[row + column * x->nprow] = x->process ? x->process[place] : place;
        }
    }
    return NULL;
}

/* ---- To MPI */

static void check_element(const char *where, MPI_Datatype element) {
    int size = 0;
    if (element == MPI_DATATYPE_NULL) dpc_fail(where, "argument 'element' is MPI_DATATYPE_NULL");
    MPI_Type_size(element, &size);
    if (size == 0) dpc_fail(where, "argument 'element' is a datatype without bytes");
}

static void check_darray(const dpc_mapping *m, int process, MPI_Datatype element, const MPI_Datatype *type) {
    static const char where[] = "dpc_mapping_to_darray";
    dpc_check_mpi(where);
    dpc_check_mapping(where, "m", m);
    dpc_check_given(where, "type", type);
    check_process(where, process);
    check_element(where, element);
}

#ifdef DPC_SMPI
const char *dpc_mapping_to_darray(const dpc_mapping *m, int process, MPI_Datatype element, MPI_Datatype *type) {
    check_darray(m, process, element, type);
    return "SimGrid has no MPI_Type_create_darray";
}
#else
static const char *refuses_darray(const dpc_mapping *m) {
    for (int k = 0; k < m->rank; k++) {
        if (m->first[k] != 0) return "a section that does not begin where its array does";
        if (m->extent[k] > INT_MAX) return "an extent is more than an int holds";
    }
    return NULL;
}

const char *dpc_mapping_to_darray(const dpc_mapping *m, int process, MPI_Datatype element, MPI_Datatype *type) {
    int extents[DPC_MAX_RANK], kinds[DPC_MAX_RANK], blocks[DPC_MAX_RANK], places = 1;
    DPC_ENTER("dpc_mapping_to_darray");
    check_darray(m, process, element, type);
    bool empty = dpc_mapped_place(m, process) < 0;
    const char *reason = refuses_darray(m);
    if (reason) return reason;
    for (int k = 0; k < m->rank; k++) {
        places *= m->procs[k];
        empty |= m->extent[k] == 0;
        extents[k] = (int)m->extent[k];
        kinds[k] = m->procs[k] == 1 ? MPI_DISTRIBUTE_NONE : MPI_DISTRIBUTE_CYCLIC;
        blocks[k] = m->procs[k] == 1 ? MPI_DISTRIBUTE_DFLT_DARG : (int)shortest_block(m, k);
    }
    if (empty)
        MPI_Type_contiguous(0, element, type); /* MPI has no darray without elements */
    else
        MPI_Type_create_darray(places, dpc_mapped_place(m, process), m->rank, extents, kinds, blocks, m->procs,
                               MPI_ORDER_C, element, type);
    MPI_Type_commit(type);
    return NULL;
}
#endif

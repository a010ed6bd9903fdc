/* ScaLAPACK's pXgemr2d on the redistribution engine.
 *
 * Each process knows the descriptor of a matrix only if it is in the matrix's grid, and no process knows where the
 * others stand in it: the first call with some arguments gathers both.  The plan stays with the arguments in an
 * attribute of the communicator of the grid ictxt, whose deletion (blacs_gridexit) frees it.  A later call asks the
 * others by one reduction whether they have the same plan: one process alone may have changed its leading dimension or
 * its grid. */
#include "../scalapack.h"

#include "../base/base.h"
#include "arguments.h"

#include <string.h>

/* BLACS, C interface. */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridmap(int *context, int *process, int leading, int rows, int columns);
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
MPI_Comm Cblacs2sys_handle(int handle);
/* The system handle of the communicator of a context's own processes, numbered row-major by their coordinates. */
#define CONTEXT_HANDLE 10

/* A communicator of the context's processes, this one among them.  BLACS itself looks at nothing but the numbers of
 * grids. */
static MPI_Comm communicator_of(const char *where, int ictxt) {
    int rows = -1, columns = -1, row = -1, column = -1, handle;
    dpc_check_mpi(where);
    if (ictxt >= 0) Cblacs_gridinfo(ictxt, &rows, &columns, &row, &column);
    if (rows < 1 || row < 0) dpc_fail(where, "argument 'ictxt' is %d, no BLACS context of this process", ictxt);
    Cblacs_get(ictxt, CONTEXT_HANDLE, &handle);
    return Cblacs2sys_handle(handle);
}

/* ---- What a process says of a call */

/* One matrix: the descriptor, the first element of the submatrix, its grid and this process's place in it. */
typedef struct {
    int desc[DPC_DESCRIPTOR];
    int first_row, first_column;    /* 1-based */
    int nprow, npcol, myrow, mycol; /* -1: this process is outside */
} matrix_arguments;

typedef struct {
    int m, n, size; /* size: bytes per element */
    matrix_arguments a, b;
} call_arguments;

static matrix_arguments describe_matrix(const int *desc, int first_row, int first_column) {
    matrix_arguments x = {
        .first_row = first_row, .first_column = first_column, .nprow = -1, .npcol = -1, .myrow = -1, .mycol = -1};
    if (desc[DPC_CTXT] >= 0) Cblacs_gridinfo(desc[DPC_CTXT], &x.nprow, &x.npcol, &x.myrow, &x.mycol);
    if (x.myrow < 0 || x.mycol < 0) {
        x.nprow = x.npcol = x.myrow = x.mycol = -1;
        return x;
    }
    memcpy(x.desc, desc, sizeof x.desc);
    x.desc[DPC_CTXT] = 0; /* its number may differ between processes */
    return x;
}

/* ---- Plans that are cached */

enum { MOST_PLANS = 16 };

typedef struct {
    int number; /* of the call that made it, the same on every process; 0: none */
    long used;
    call_arguments call;
    dpc_redistribution *plan;
} cached_plan;

typedef struct {
    int calls; /* that made a plan */
    long clock;
    cached_plan cached[MOST_PLANS];
} plan_cache;

static int cache_key = MPI_KEYVAL_INVALID;

static int delete_cache(MPI_Comm comm, int key, void *value, void *extra) {
    plan_cache *cache = value;
    (void)comm, (void)key, (void)extra;
    for (int k = 0; k < MOST_PLANS; k++)
        if (cache->cached[k].number) dpc_free_redistribution(cache->cached[k].plan);
    dpc_free_buffer(cache);
    return MPI_SUCCESS;
}

static plan_cache *cache_of(MPI_Comm comm) {
    plan_cache *cache;
    int found;
    if (cache_key == MPI_KEYVAL_INVALID) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_cache, &cache_key, NULL);
    MPI_Comm_get_attr(comm, cache_key, &cache, &found);
    if (found) return cache;
    cache = dpc_buffer(1, sizeof *cache);
    MPI_Comm_set_attr(comm, cache_key, cache);
    return cache;
}

static cached_plan *find_plan(plan_cache *cache, const call_arguments *call) {
    for (int k = 0; k < MOST_PLANS; k++)
        if (cache->cached[k].number && memcmp(&cache->cached[k].call, call, sizeof *call) == 0)
            return &cache->cached[k];
    return NULL;
}

static bool is_empty(const call_arguments *call) {
    return call->m == 0 || call->n == 0;
}

/* Whether every process has a plan for this call, the same one, found; or, found NULL, an empty submatrix. */
static bool all_have(MPI_Comm comm, const call_arguments *call, const cached_plan *found) {
    const int number = is_empty(call) ? INT_MAX : found ? found->number : 0;
    int range[2] = {number, -number};
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MIN, comm);
    return range[0] > 0 && range[0] == -range[1];
}

/* A free place, or that of the plan not used for longest: the same on every process, for all make the same calls. */
static cached_plan *free_place(plan_cache *cache) {
    cached_plan *place = &cache->cached[0];
    for (int k = 1; k < MOST_PLANS; k++)
        if (cache->cached[k].used < place->used) place = &cache->cached[k];
    if (place->number) dpc_free_redistribution(place->plan);
    *place = (cached_plan){0};
    return place;
}

/* ---- A new plan */

/* The descriptor as members of the grid know it, and who stands where. */
typedef struct {
    dpc_matrix matrix;
    int *process; /* the grid's table, column-major */
} gathered_matrix;

static void fail_difference(const char *where, const char *names, int first, int second) {
    dpc_fail(where, "%s between processes %d and %d of the grid", names, first, second);
}

static const char *descriptor_name(bool target) {
    return target ? "descb" : "desca";
}

/* What all members of a grid must give alike; LLD_ is each one's own. */
static bool same_matrix(const matrix_arguments *x, const matrix_arguments *y) {
    return memcmp(x->desc, y->desc, DPC_LLD * sizeof x->desc[0]) == 0 && x->nprow == y->nprow && x->npcol == y->npcol;
}

static void enter_member(gathered_matrix *g, const matrix_arguments *x, int process, int *member) {
    dpc_matrix *matrix = &g->matrix;
    if (*member < 0) {
        *member = process;
        memcpy(matrix->desc, x->desc, sizeof matrix->desc);
        matrix->nprow = x->nprow, matrix->npcol = x->npcol;
        g->process = dpc_buffer((dpc_index)x->nprow * x->npcol, sizeof *g->process);
        for (int k = 0; k < x->nprow * x->npcol; k++) g->process[k] = -1;
    }
    g->process[x->myrow + x->mycol * x->nprow] = process;
}

static const matrix_arguments *matrix_of(const call_arguments *call, bool target) {
    return target ? &call->b : &call->a;
}

/* One matrix out of what all processes say. */
static gathered_matrix gather_matrix(const char *where, const call_arguments *calls, int processes, bool target) {
    gathered_matrix g = {.process = NULL};
    int member = -1;
    for (int p = 0; p < processes; p++) {
        const matrix_arguments *x = matrix_of(&calls[p], target);
        if (x->first_row != matrix_of(&calls[0], target)->first_row ||
            x->first_column != matrix_of(&calls[0], target)->first_column)
            fail_difference(where, target ? "arguments 'ib' and 'jb' differ" : "arguments 'ia' and 'ja' differ", 0, p);
        if (x->nprow < 0) continue;
        if (member >= 0 && !same_matrix(x, matrix_of(&calls[member], target)))
            fail_difference(where, target ? "argument 'descb' differs" : "argument 'desca' differs", member, p);
        enter_member(&g, x, p, &member);
    }
    if (member < 0)
        dpc_fail(where, "argument '%s': no process of the grid ictxt is in the matrix's grid", descriptor_name(target));
    for (int k = 0; k < g.matrix.nprow * g.matrix.npcol; k++)
        if (g.process[k] < 0)
            dpc_fail(where, "argument '%s': the matrix's grid has processes outside the grid ictxt",
                     descriptor_name(target));
    g.matrix.m = calls[0].m, g.matrix.n = calls[0].n;
    g.matrix.ia = matrix_of(&calls[0], target)->first_row, g.matrix.ja = matrix_of(&calls[0], target)->first_column;
    g.matrix.process = g.process;
    return g;
}

/* The mapping, with this process's own leading dimension; `table` becomes its table of processes. */
static dpc_mapping map_matrix(const char *where, const call_arguments *calls, int processes, int me, bool target,
                              int **table) {
    gathered_matrix g = gather_matrix(where, calls, processes, target);
    const matrix_arguments *mine = matrix_of(&calls[me], target);
    dpc_mapping m;
    *table = dpc_buffer((dpc_index)g.matrix.nprow * g.matrix.npcol, sizeof **table);
    if (mine->nprow >= 0) g.matrix.desc[DPC_LLD] = mine->desc[DPC_LLD];
    const char *wrong = dpc_matrix_to_mapping(&g.matrix, *table, &m);
    if (wrong) dpc_fail(where, "argument '%s': %s", descriptor_name(target), wrong);
    dpc_free_buffer(g.process);
    return m;
}

/* Local extents of the submatrix and all before it. */
static dpc_index local_rows(const matrix_arguments *x, int m) {
    return dpc_numroc(x->first_row - 1 + m, x->desc[DPC_MB], x->myrow, x->desc[DPC_RSRC], x->nprow);
}

static dpc_index local_columns(const matrix_arguments *x, int n) {
    return dpc_numroc(x->first_column - 1 + n, x->desc[DPC_NB], x->mycol, x->desc[DPC_CSRC], x->npcol);
}

static void check_leading(const char *where, const call_arguments *calls, int processes, bool target) {
    for (int p = 0; p < processes; p++) {
        const matrix_arguments *x = matrix_of(&calls[p], target);
        const dpc_index rows = x->nprow < 0 ? 0 : dpc_maximum(local_rows(x, calls[p].m), 1);
        if (x->desc[DPC_LLD] < rows)
            dpc_fail(where, "argument '%s': LLD_ is %d on process %d, less than its %lld rows", descriptor_name(target),
                     x->desc[DPC_LLD], p, (long long)rows);
    }
}

static dpc_redistribution *make_plan(const char *where, MPI_Comm comm, const call_arguments *call) {
    int me, processes, *from_table, *to_table;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &processes);
    call_arguments *calls = dpc_buffer(processes, sizeof *calls);
    MPI_Allgather(call, (int)sizeof *call, MPI_BYTE, calls, (int)sizeof *call, MPI_BYTE, comm);
    for (int p = 1; p < processes; p++) {
        if (calls[p].m != calls[0].m || calls[p].n != calls[0].n)
            fail_difference(where, "arguments 'm' and 'n' differ", 0, p);
        if (calls[p].size != calls[0].size) fail_difference(where, "types of elements differ", 0, p);
    }
    const dpc_mapping from = map_matrix(where, calls, processes, me, false, &from_table);
    const dpc_mapping to = map_matrix(where, calls, processes, me, true, &to_table);
    check_leading(where, calls, processes, false);
    check_leading(where, calls, processes, true);
    dpc_redistribution *plan = dpc_plan_redistribution(comm, &from, &to, call->size, NULL);
    dpc_free_buffer(calls), dpc_free_buffer(from_table), dpc_free_buffer(to_table);
    return plan;
}

static cached_plan *keep_new_plan(const char *where, MPI_Comm comm, plan_cache *cache, const call_arguments *call) {
    cached_plan *place = free_place(cache);
    place->plan = make_plan(where, comm, call);
    place->number = ++cache->calls;
    place->call = *call;
    return place;
}

/* ---- The call */

/* Local elements in memory, first to last, gaps included. */
static dpc_index span_of(const matrix_arguments *x, int m, int n) {
    if (x->nprow < 0) return 0;
    const dpc_index rows = local_rows(x, m), columns = local_columns(x, n);
    return rows == 0 || columns == 0 ? 0 : (columns - 1) * x->desc[DPC_LLD] + rows;
}

static void check_matrix(const char *where, const char *name, const void *matrix, dpc_index bytes) {
    if (matrix == NULL && bytes > 0) dpc_fail(where, "argument '%s' is NULL on a process that has elements", name);
}

/* A and B may be one array. */
static void execute(const char *where, cached_plan *cached, const char *a, char *b) {
    const call_arguments *call = &cached->call;
    const dpc_index a_bytes = span_of(&call->a, call->m, call->n) * call->size;
    const dpc_index b_bytes = span_of(&call->b, call->m, call->n) * call->size;
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    const bool overlap = a_start < b_start + (uintptr_t)b_bytes && b_start < a_start + (uintptr_t)a_bytes;
    char *copy = NULL;
    check_matrix(where, "a", a, a_bytes), check_matrix(where, "b", b, b_bytes);
    if (overlap && a_bytes > 0 && b_bytes > 0) copy = memcpy(dpc_buffer(a_bytes, 1), a, (size_t)a_bytes);
    dpc_execute(cached->plan, copy ? copy : a, b);
    dpc_free_buffer(copy);
}

static void check_first(const char *where, const char *name, int first) {
    if (first < 1) dpc_fail(where, "argument '%s' is %d, must be positive", name, first);
}

static void check_count(const char *where, const char *name, int count) {
    if (count < 0) dpc_fail(where, "argument '%s' is %d, must not be negative", name, count);
}

static call_arguments describe_call(const char *where, int size, int m, int n, int ia, int ja, const int *desca, int ib,
                                    int jb, const int *descb) {
    call_arguments call = {.m = m, .n = n, .size = size};
    check_count(where, "m", m), check_count(where, "n", n);
    if (is_empty(&call)) return call;
    check_first(where, "ia", ia), check_first(where, "ja", ja);
    check_first(where, "ib", ib), check_first(where, "jb", jb);
    dpc_check_given(where, "desca", desca), dpc_check_given(where, "descb", descb);
    call.a = describe_matrix(desca, ia, ja);
    call.b = describe_matrix(descb, ib, jb);
    return call;
}

static void redistribute(const char *where, int size, int m, int n, const void *a, int ia, int ja, const int *desca,
                         void *b, int ib, int jb, const int *descb, int ictxt) {
    DPC_ENTER(where);
    const MPI_Comm comm = communicator_of(where, ictxt);
    const call_arguments call = describe_call(where, size, m, n, ia, ja, desca, ib, jb, descb);
    plan_cache *cache = cache_of(comm);
    cached_plan *cached = find_plan(cache, &call);
    const bool ready = all_have(comm, &call, cached);
    if (ready && is_empty(&call)) return;
    if (!ready) cached = keep_new_plan(where, comm, cache, &call);
    cached->used = ++cache->clock;
    execute(where, cached, a, b);
}

/* Fortran's arguments are addresses. */
static int value_of(const char *where, const char *name, const int *argument) {
    dpc_check_given(where, name, argument);
    return *argument;
}

#define DEFINE_PGEMR2D(letter, type)                                                                                   \
    void dpc_p##letter##gemr2d(int m, int n, const type *a, int ia, int ja, const int *desca, type *b, int ib, int jb, \
                               const int *descb, int ictxt) {                                                          \
        redistribute("dpc_p" #letter "gemr2d", (int)sizeof(type), m, n, a, ia, ja, desca, b, ib, jb, descb, ictxt);    \
    }                                                                                                                  \
    void dpc_p##letter##gemr2d_(const int *m, const int *n, const type *a, const int *ia, const int *ja,               \
                                const int *desca, type *b, const int *ib, const int *jb, const int *descb,             \
                                const int *ictxt) {                                                                    \
        static const char where[] = "dpc_p" #letter "gemr2d_";                                                         \
        redistribute(where, (int)sizeof(type), value_of(where, "m", m), value_of(where, "n", n), a,                    \
                     value_of(where, "ia", ia), value_of(where, "ja", ja), desca, b, value_of(where, "ib", ib),        \
                     value_of(where, "jb", jb), descb, value_of(where, "ictxt", ictxt));                               \
    }
DPC_PGEMR2D_TYPES(DEFINE_PGEMR2D)

int dpc_blacs_context(MPI_Comm comm, const dpc_mapping *m) {
    static const char where[] = "dpc_blacs_context";
    DPC_ENTER(where);
    dpc_matrix matrix;
    int processes;
    dpc_check_communicator(where, "comm", comm);
    MPI_Comm_size(comm, &processes);
    dpc_check_mapping(where, "m", m);
    dpc_check_processes(where, "m", m, processes);
    const int handle = Csys2blacs_handle(comm);
    const char *reason = dpc_mapping_to_matrix(m, 0, 0, &matrix);
    if (reason) dpc_fail(where, "argument 'm' is no matrix: %s", reason);
    int *process = dpc_buffer((dpc_index)matrix.nprow * matrix.npcol, sizeof *process), context = handle;
    for (int k = 0; k < matrix.nprow * matrix.npcol; k++) process[k] = matrix.process ? matrix.process[k] : k;
    Cblacs_gridmap(&context, process, matrix.nprow, matrix.nprow, matrix.npcol);
    dpc_free_buffer(process);
    Cfree_blacs_system_handle(handle);
    return context;
}

int dpc_kept_pgemr2d_plans(int ictxt) {
    static const char where[] = "dpc_kept_pgemr2d_plans";
    DPC_ENTER(where);
    int count = 0;
    const plan_cache *cache = cache_of(communicator_of(where, ictxt));
    for (int k = 0; k < MOST_PLANS; k++) count += cache->cached[k].number != 0;
    return count;
}

/* ScaLAPACK's pdgemr2d. */
#include "compare.h"

#ifdef WITH_SCALAPACK
#include "../../runtime/scalapack.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
void Cpdgemr2d(int m, int n, const double *a, int ia, int ja, const int *desca, double *b, int ib, int jb,
               const int *descb, int ictxt);

typedef struct {
    dpc_matrix from, to;
    int context;
} matrices;

static void leave(int context) {
    int rows, columns, row = -1, column;
    if (context >= 0) Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    if (row >= 0) Cblacs_gridexit(context);
}

void *prepare_scalapack(const contestant *c, const problem *p) {
    (void)c;
    matrices *m = calloc(1, sizeof *m);
    if (dpc_mapping_to_matrix(&p->from, 0, p->rank, &m->from) || dpc_mapping_to_matrix(&p->to, 0, p->rank, &m->to)) {
        free(m);
        return NULL;
    }
    m->from.desc[DPC_CTXT] = dpc_blacs_context(MPI_COMM_WORLD, &p->from);
    m->to.desc[DPC_CTXT] = dpc_blacs_context(MPI_COMM_WORLD, &p->to);
    Cblacs_get(0, 0, &m->context);
    Cblacs_gridinit(&m->context, "Row", 1, p->processes);
    return m;
}

void run_scalapack(void *plan, const problem *p) {
    const matrices *m = plan;
    Cpdgemr2d(m->from.m, m->from.n, p->a, 1, 1, m->from.desc, p->b, 1, 1, m->to.desc, m->context);
}

void release_scalapack(void *plan) {
    matrices *m = plan;
    leave(m->from.desc[DPC_CTXT]), leave(m->to.desc[DPC_CTXT]), leave(m->context);
    free(m);
}
#else
void *prepare_scalapack(const contestant *c, const problem *p) {
    (void)c, (void)p;
    return NULL;
}
void run_scalapack(void *plan, const problem *p) {
    (void)plan, (void)p;
}
void release_scalapack(void *plan) {
    (void)plan;
}
#endif

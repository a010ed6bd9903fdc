/* Wrong arguments of dpc_pXgemr2d and its companions: each case, named by the argument, ends the program with an error.
 * Without an argument the program does what is right and prints the names of the cases. */
#include "../../runtime/scalapack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);

enum { N = 16 };
static int me, processes;
static double a[N * N], b[N * N];

/* What the cases change: a right call for one row of processes. */
typedef struct {
    int m, n, ia, ja, ib, jb, ictxt;
    int desca[DPC_DESCRIPTOR], descb[DPC_DESCRIPTOR];
    double *a, *b;
    const int *given_a, *given_b; /* the descriptors that are passed */
} call;

static void no_a(call *c) {
    c->a = NULL;
}
static void no_b_on_one(call *c) {
    if (me == 1) c->b = NULL;
}
static void no_desca(call *c) {
    c->given_a = NULL;
}
static void no_descb_on_one(call *c) {
    if (me == 1) c->given_b = NULL;
}
static void negative_m(call *c) {
    c->m = -1;
}
static void negative_n_on_one(call *c) {
    if (me == 1) c->n = -1;
}
static void long_m(call *c) {
    c->m = N + 1;
}
static void longest_n(call *c) {
    c->n = INT_MAX;
}
static void zero_ia(call *c) {
    c->ia = 0;
}
static void negative_jb(call *c) {
    c->jb = -7;
}
static void m_between(call *c) {
    c->m -= me;
}
static void empty_on_one(call *c) {
    if (me == 1) c->n = 0;
}
static void ja_between(call *c) {
    c->n = 1, c->ja = 1 + me;
}
static void no_type(call *c) {
    c->desca[DPC_DTYPE] = 2;
}
static void zero_block(call *c) {
    c->desca[DPC_MB] = 0;
}
static void negative_block(call *c) {
    c->descb[DPC_NB] = -4;
}
static void blocks_between(call *c) {
    c->descb[DPC_NB] += me;
}
static void source_outside(call *c) {
    c->desca[DPC_CSRC] = processes;
}
static void short_leading(call *c) {
    c->descb[DPC_LLD] = 1;
}
static void negative_leading_on_one(call *c) {
    if (me == 1) c->desca[DPC_LLD] = -N;
}
static void no_descriptor(call *c) {
    memset(c->desca, 0, sizeof c->desca);
}
static void other_matrix_context(call *c) {
    c->desca[DPC_CTXT] = 77;
}
static void matrix_context_on_one(call *c) {
    if (me == 1) c->desca[DPC_CTXT] = -1;
}
static void other_context(call *c) {
    c->ictxt = 99;
}
static void negative_context_on_one(call *c) {
    if (me == 1) c->ictxt = -1;
}
static void after_exit(call *c) {
    Cblacs_gridexit(c->ictxt);
}
static void after_finalize(call *c) {
    (void)c;
    MPI_Finalize();
}
static void other_type_on_one(call *c) {
    static float x[N * N], y[N * N];
    if (me == 1) dpc_psgemr2d(c->m, c->n, x, c->ia, c->ja, c->desca, y, c->ib, c->jb, c->descb, c->ictxt);
}
static void fortran_null(call *c) {
    dpc_pdgemr2d_(&c->m, NULL, c->a, &c->ia, &c->ja, c->desca, c->b, &c->ib, &c->jb, c->descb, &c->ictxt);
}
static void kept_context(call *c) {
    dpc_kept_pgemr2d_plans(c->ictxt + 50);
}
static void context_null_comm(call *c) {
    const dpc_mapping m = dpc_map(1, (dpc_index[]){N}, (dpc_format[]){DPC_BLOCK}, (int[]){1});
    (void)c;
    dpc_blacs_context(MPI_COMM_NULL, &m);
}
static void context_large_grid(call *c) {
    const dpc_mapping m = dpc_map(1, (dpc_index[]){N}, (dpc_format[]){DPC_BLOCK}, (int[]){processes + 1});
    (void)c;
    dpc_blacs_context(MPI_COMM_WORLD, &m);
}
static void context_no_matrix(call *c) {
    const dpc_mapping m = {.rank = 2, .extent = {4, 4}, .block = {4, 4}, .procs = {1, 1}, .stride = {8, 2}};
    (void)c;
    dpc_blacs_context(MPI_COMM_WORLD, &m);
}

static const struct {
    const char *name, *text;
    void (*change)(call *);
} cases[] = {
    {"a", "dpc_pdgemr2d: error: argument 'a' is NULL", no_a},
    {"b-on-one", "argument 'b' is NULL", no_b_on_one},
    {"desca", "argument 'desca' is NULL", no_desca},
    {"descb-on-one", "argument 'descb' is NULL", no_descb_on_one},
    {"m-negative", "argument 'm' is -1, must not be negative", negative_m},
    {"n-negative", "argument 'n' is -1, must not be negative", negative_n_on_one},
    {"m-long", "argument 'desca': the submatrix has rows outside the matrix", long_m},
    {"n-longest", "argument 'desca': the submatrix has columns outside the matrix", longest_n},
    {"ia", "argument 'ia' is 0, must be positive", zero_ia},
    {"jb", "argument 'jb' is -7, must be positive", negative_jb},
    {"m-between", "arguments 'm' and 'n' differ between processes 0 and 1", m_between},
    {"empty-on-one", "arguments 'm' and 'n' differ between processes 0 and 1", empty_on_one},
    {"ja-between", "arguments 'ia' and 'ja' differ between processes 0 and 1", ja_between},
    {"dtype", "argument 'desca': DTYPE_ is not 1", no_type},
    {"block-zero", "argument 'desca': MB_ or NB_ is not positive", zero_block},
    {"block-negative", "argument 'descb': MB_ or NB_ is not positive", negative_block},
    {"blocks-between", "argument 'descb' differs between processes 0 and 1", blocks_between},
    {"source", "argument 'desca': CSRC_ is outside the grid", source_outside},
    {"leading", "argument 'descb': LLD_ is 1 on process 0, less than its 16 rows", short_leading},
    {"leading-on-one", "argument 'desca': LLD_ is", negative_leading_on_one},
    {"no-descriptor", "argument 'desca': DTYPE_ is not 1", no_descriptor},
    {"matrix-context", "argument 'desca': no process of the grid ictxt is in", other_matrix_context},
    {"matrix-context-on-one", "argument 'desca': the matrix's grid has processes outside", matrix_context_on_one},
    {"context", "argument 'ictxt' is 99, no BLACS context of this process", other_context},
    {"context-on-one", "argument 'ictxt' is -1, no BLACS context of this process", negative_context_on_one},
    {"after-exit", "no BLACS context of this process", after_exit},
    {"after-finalize", "dpc_pdgemr2d: error: MPI has been finalised", after_finalize},
    {"type-on-one", "types of elements differ between processes 0 and 1", other_type_on_one},
    {"fortran", "dpc_pdgemr2d_: error: argument 'n' is NULL", fortran_null},
    {"kept", "dpc_kept_pgemr2d_plans: error: argument 'ictxt' is", kept_context},
    {"blacs-comm", "dpc_blacs_context: error: argument 'comm' is MPI_COMM_NULL", context_null_comm},
    {"blacs-grid", "dpc_blacs_context: error: argument 'm': the grid has", context_large_grid},
    {"blacs-matrix", "dpc_blacs_context: error: argument 'm' is no matrix", context_no_matrix},
};

static void run(void (*change)(call *)) {
    call c = {.m = N, .n = N, .ia = 1, .ja = 1, .ib = 1, .jb = 1, .a = a, .b = b};
    Cblacs_get(-1, 0, &c.ictxt);
    Cblacs_gridinit(&c.ictxt, "Row", 1, processes);
    for (int k = 0; k < 2; k++) {
        const int block = k == 0 ? 2 : 3, desc[DPC_DESCRIPTOR] = {1, c.ictxt, N, N, block, block, 0, 0, N};
        memcpy(k == 0 ? c.desca : c.descb, desc, sizeof desc);
    }
    c.given_a = c.desca, c.given_b = c.descb;
    if (change != NULL) change(&c);
    dpc_pdgemr2d(c.m, c.n, c.a, c.ia, c.ja, c.given_a, c.b, c.ib, c.jb, c.given_b, c.ictxt);
    /* An empty submatrix needs nothing, and every process may say so in its way. */
    dpc_pdgemr2d(me == 0 ? 0 : 5, me == 0 ? 5 : 0, NULL, 0, 0, NULL, NULL, 0, 0, NULL, c.ictxt);
    Cblacs_gridexit(c.ictxt);
}

int main(int count, char **words) {
    const char *wish = count > 1 ? words[1] : NULL;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (wish == NULL && me == 0) printf("%s|%s\n", cases[k].name, cases[k].text);
        if (wish != NULL && strcmp(wish, cases[k].name) == 0) run(cases[k].change);
    }
    if (wish == NULL) run(NULL);
    MPI_Finalize();
    return wish != NULL; /* the error has not been noticed */
}

/* Wrong arguments of the redistribution engine: each case, named by the argument, ends the program with an error.
 * Without an argument the program does what is right and prints the names of the cases. */
#include "../../runtime/redistribution.h"

#include <string.h>

static int me, processes;
static const dpc_index extents[] = {40, 6};
static int twice[] = {1, 1}, outside[] = {0, 99};
static double a[240], b[240];

static dpc_mapping mapping(dpc_index block) {
    return dpc_map(2, extents, (dpc_format[]){DPC_CYCLIC(block), DPC_STAR}, (int[]){2, 1});
}

/* What the cases change. */
typedef struct {
    dpc_mapping from, to;
    dpc_index size;
    dpc_redistribution_options options;
    const void *source;
    void *target;
} arguments;

static void wrong_rank_twice(arguments *x) {
    x->to.process = twice;
}
static void wrong_rank_outside(arguments *x) {
    x->from.process = outside;
}
static void wrong_block(arguments *x) {
    x->to.block[0] = 0;
}
static void wrong_block_on_one(arguments *x) {
    if (me == 1) x->from.block[0] = -3;
}
static void wrong_procs(arguments *x) {
    x->from.procs[0] = processes + 1;
}
static void wrong_extents(arguments *x) {
    x->to.extent[1] = 7;
}
static void wrong_extents_between(arguments *x) {
    x->from.extent[0] = x->to.extent[0] = me == 0 ? 40 : 41;
}
static void wrong_blocks_between(arguments *x) {
    x->to.block[0] += me;
}
static void wrong_tables_between(arguments *x) {
    static int table[] = {0, 1}, other[] = {1, 0};
    x->to.process = me == 0 ? table : other;
}
static void wrong_size(arguments *x) {
    x->size = 0;
}
static void wrong_size_between(arguments *x) {
    x->size += me;
}
static void wrong_method(arguments *x) {
    x->options.method = "fastest";
}
static void wrong_method_between(arguments *x) {
    x->options.method = me == 0 ? "walk" : "scan";
}
static void wrong_method_here(arguments *x) {
    x->options.method = "ky-to-y";
}
static void wrong_schedule_here(arguments *x) {
    x->options.schedule = "walker-otto";
}
static void wrong_source(arguments *x) {
    x->source = NULL;
}
static void wrong_target_on_one(arguments *x) {
    if (me == 1) x->target = NULL;
}
static void wrong_overlap(arguments *x) {
    x->target = a + 60;
}

static const struct {
    const char *name, *text; /* what the error says */
    void (*change)(arguments *);
} cases[] = {
    {"rank-twice", "argument 'to': process[0] and process[1] are both 1", wrong_rank_twice},
    {"rank-outside", "argument 'from': process[1] is 99", wrong_rank_outside},
    {"block", "argument 'to': block[0] is 0, must be positive", wrong_block},
    {"block-on-one", "argument 'from': block[0] is -3, must be positive", wrong_block_on_one},
    {"procs", "argument 'from': the grid has", wrong_procs},
    {"extents", "extent[1] is 6 and 7, must be equal", wrong_extents},
    {"extents-between", "argument 'from': extent[0] differs between processes: from 40 to 41", wrong_extents_between},
    {"blocks-between", "argument 'to': block[0] differs between processes", wrong_blocks_between},
    {"tables-between", "argument 'to': process differs between processes", wrong_tables_between},
    {"size", "argument 'size' is 0", wrong_size},
    {"size-between", "argument 'size' differs between processes", wrong_size_between},
    {"method", "there is no method 'fastest'", wrong_method},
    {"method-between", "argument 'options': the method differs between processes", wrong_method_between},
    {"method-here", "method 'ky-to-y' cannot serve these mappings: a source block is not a multiple",
     wrong_method_here},
    {"schedule-here", "schedule 'walker-otto' cannot serve these mappings: neither block", wrong_schedule_here},
    {"source", "dpc_execute: error: argument 'from' is NULL", wrong_source},
    {"target-on-one", "dpc_execute: error: argument 'to' is NULL on process 1", wrong_target_on_one},
    {"overlap", "dpc_execute: error: arguments 'from' and 'to' overlap", wrong_overlap},
};

static void run(void (*change)(arguments *)) {
    arguments x = {.from = mapping(3), .to = mapping(5), .size = sizeof *a, .source = a, .target = b};
    if (processes < 2) x.from.procs[0] = x.to.procs[0] = 1;
    if (change != NULL) change(&x);
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &x.from, &x.to, x.size, &x.options);
    dpc_execute(plan, x.source, x.target);
    dpc_free_redistribution(plan);
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

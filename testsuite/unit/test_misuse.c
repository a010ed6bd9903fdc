/* Wrong arguments of the redistribution engine, and its functions at the wrong time: each case, named by the argument,
 * ends the program with an error.  Without an argument the program does what is right and prints the names of the
 * cases. */
#include "../../runtime/interop.h"

#include <stdlib.h>
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
static void wrong_rank(arguments *x) {
    x->from.rank = x->to.rank = DPC_MAX_RANK + 1;
}
static void wrong_rank_between(arguments *x) {
    if (me == 1) x->from.rank = x->to.rank = 1;
}
static void wrong_first(arguments *x) {
    x->from.first[0] = -1;
}
static void wrong_first_large(arguments *x) {
    x->to.first[0] = INT64_MAX - 5;
}
static void wrong_elements(arguments *x) {
    for (int k = 0; k < 2; k++) x->from.extent[k] = x->to.extent[k] = (dpc_index)1 << 33;
}
static void wrong_size_large(arguments *x) {
    x->size = (dpc_index)1 << 60;
}
static void wrong_stride_zero(arguments *x) {
    x->from.stride[0] = 6;
}
static void wrong_stride_negative(arguments *x) {
    x->to.stride[0] = -6, x->to.stride[1] = 1;
}
static void wrong_stride_large(arguments *x) {
    x->to.stride[0] = (dpc_index)1 << 60, x->to.stride[1] = 1;
}
static void wrong_stride_short(arguments *x) {
    x->to.stride[0] = 4, x->to.stride[1] = 1;
}
static void wrong_places(arguments *x) {
    x->to.procs[0] = x->to.procs[1] = 1 << 20;
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
    {"rank", "argument 'from': the rank is 16, must be 1 to 15", wrong_rank},
    {"rank-between", "argument 'from': rank differs between processes", wrong_rank_between},
    {"first", "argument 'from': first[0] is -1, must not be negative", wrong_first},
    {"first-large", "argument 'to': first[0] + extent[0] passes 64 bits", wrong_first_large},
    {"elements", "argument 'from': the number of elements passes 64 bits", wrong_elements},
    {"size-large", "arguments 'from' and 'size': the array's bytes", wrong_size_large},
    {"stride-zero", "argument 'from': stride[1] is 0 and others are not", wrong_stride_zero},
    {"stride-negative", "argument 'to': stride[0] is -6, must not be negative", wrong_stride_negative},
    {"stride-large", "passes 64 bits", wrong_stride_large},
    {"stride-short", "argument 'to': with stride[0] 4 and stride[1] 1 two elements", wrong_stride_short},
    {"places", "argument 'to': the grid has more places than an int holds", wrong_places},
};

static arguments right(void) {
    arguments x = {.from = mapping(3), .to = mapping(5), .size = sizeof *a, .source = a, .target = b};
    if (processes < 2) x.from.procs[0] = x.to.procs[0] = 1;
    return x;
}

static void run(void (*change)(arguments *)) {
    arguments x = right();
    if (change != NULL) change(&x);
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &x.from, &x.to, x.size, &x.options);
    dpc_execute(plan, x.source, x.target);
    dpc_free_redistribution(plan);
}

/* ---- Calls.  MPI runs, but for those before and after it. */

static dpc_redistribution *plan_on(MPI_Comm comm) {
    const arguments x = right();
    return dpc_plan_redistribution(comm, &x.from, &x.to, x.size, NULL);
}

static dpc_redistribution *freed_plan(void) {
    dpc_redistribution *plan = plan_on(MPI_COMM_WORLD), *other;
    dpc_free_redistribution(plan);
    other = plan_on(MPI_COMM_WORLD);
    dpc_execute(other, a, b);
    return plan;
}

static void plan_null_comm(void) {
    plan_on(MPI_COMM_NULL);
}
#ifndef DPC_SMPI /* SimGrid has no inter-communicators, and ends where there is no memory */
static MPI_Comm intercommunicator(void) {
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 ? 0 : 1, 7, &between);
    return between;
}
static void plan_intercomm(void) {
    plan_on(intercommunicator());
}
static void allocate_intercomm(void) {
    dpc_allocate(intercommunicator(), 8);
}
static void allocate_large(void) {
    dpc_allocate(MPI_COMM_WORLD, (dpc_index)1 << 62);
}
#endif
static void plan_null_mapping(void) {
    const arguments x = right();
    dpc_plan_redistribution(MPI_COMM_WORLD, &x.from, NULL, 8, NULL);
}
static void execute_null(void) {
    dpc_execute(NULL, a, b);
}
static void execute_freed(void) {
    dpc_execute(freed_plan(), a, b);
}
static void free_twice(void) {
    dpc_free_redistribution(freed_plan());
}
static void execute_no_plan(void) {
    static char bytes[4096];
    dpc_execute((dpc_redistribution *)(void *)bytes, a, b);
}
static void describe_null(void) {
    dpc_plan_describe(NULL);
}
static void relabelled_freed(void) {
    dpc_relabelled(freed_plan());
}
static void print_null(void) {
    dpc_print_plan(plan_on(MPI_COMM_WORLD), NULL);
}
static void allocate_null_comm(void) {
    dpc_allocate(MPI_COMM_NULL, 8);
}
static void allocate_negative(void) {
    dpc_allocate(MPI_COMM_WORLD, me == 0 ? -1 : 8);
}
static void release_twice(void) {
    for (dpc_index bytes = 100; bytes < 1 << 20; bytes *= 10000) {
        void *memory = dpc_allocate(MPI_COMM_WORLD, bytes);
        dpc_release_memory(MPI_COMM_WORLD, memory);
        if (bytes > 100) dpc_release_memory(MPI_COMM_WORLD, memory);
    }
}
static void release_plain_twice(void) {
    void *memory = dpc_allocate(MPI_COMM_WORLD, 100);
    dpc_release_memory(MPI_COMM_WORLD, memory);
    dpc_release_memory(MPI_COMM_WORLD, memory);
}
static void release_other(void) {
    dpc_release_memory(MPI_COMM_WORLD, a);
}
static void map_rank(void) {
    dpc_map(0, extents, (dpc_format[]){DPC_STAR}, (int[]){1});
}
static void map_null(void) {
    dpc_map(2, extents, NULL, (int[]){1, 1});
}
static void map_extent(void) {
    dpc_map(1, (dpc_index[]){-4}, (dpc_format[]){DPC_BLOCK}, (int[]){1});
}
static void map_procs(void) {
    dpc_map(1, extents, (dpc_format[]){DPC_BLOCK}, (int[]){0});
}
static void map_block(void) {
    dpc_map(1, extents, (dpc_format[]){DPC_CYCLIC(0)}, (int[]){1});
}
static void map_short_block(void) {
    dpc_map(1, extents, (dpc_format[]){DPC_BLOCK_OF(3)}, (int[]){2});
}
static void map_kind(void) {
    dpc_map(1, extents, (dpc_format[]){{.kind = (dpc_format_kind)9}}, (int[]){1});
}
static void mapped_elements(void) {
    const dpc_mapping none = {0};
    dpc_mapped_elements(&none, 0);
}
static void mapped_extent(void) {
    const arguments x = right();
    dpc_mapped_extent(&x.from, 2, 0);
}
static void refuses_mapping(void) {
    arguments x = right();
    x.to.block[0] = 0;
    dpc_method_refuses("ky-to-y", &x.from, &x.to);
}
static void schedule_refuses_null(void) {
    const arguments x = right();
    dpc_schedule_refuses("circulant", NULL, &x.to);
}
static void takes_schedules(void) {
    dpc_method_takes_schedules("fastest");
}
static void numroc_extent(void) {
    dpc_numroc(-10, 1, 0, 0, 2);
}
static void numroc_block(void) {
    dpc_numroc(10, 0, 0, 0, 2);
}
static void numroc_coordinate(void) {
    dpc_numroc(10, 1, 2, 0, 2);
}
static void numroc_procs(void) {
    dpc_numroc(10, 1, 0, 0, 0);
}
static void matrix_null(void) {
    const arguments x = right();
    dpc_mapping_to_matrix(&x.from, 0, 0, NULL);
}
static void mapping_null(void) {
    dpc_matrix x = {.m = 1};
    dpc_mapping m;
    dpc_matrix_to_mapping(&x, NULL, &m);
}
static void darray_process(void) {
    const arguments x = right();
    MPI_Datatype type;
    dpc_mapping_to_darray(&x.from, -1, MPI_DOUBLE, &type);
}
static void darray_element(void) {
    const arguments x = right();
    MPI_Datatype type;
    dpc_mapping_to_darray(&x.from, 0, MPI_DATATYPE_NULL, &type);
}
static void darray_empty(void) {
    const arguments x = right();
    MPI_Datatype type, none;
    MPI_Type_contiguous(0, MPI_DOUBLE, &none);
    MPI_Type_commit(&none);
    dpc_mapping_to_darray(&x.from, 0, none, &type);
}

/* After MPI_Finalize: a plan and memory made before it. */
static dpc_redistribution *old_plan;
static void execute_late(void) {
    dpc_execute(old_plan, a, b);
}
static void print_late(void) {
    dpc_print_plan(old_plan, stdout);
}
static void free_late(void) {
    dpc_free_redistribution(old_plan);
}
static void plan_untimely(void) {
    const dpc_mapping one = dpc_map(1, extents, (dpc_format[]){DPC_BLOCK}, (int[]){1});
    dpc_plan_redistribution(MPI_COMM_WORLD, &one, &one, 8, NULL);
}
static void allocate_untimely(void) {
    dpc_allocate(MPI_COMM_WORLD, 8);
}

/* Those named local-... say the same whatever MPI there is. */
enum { BEFORE_MPI, IN_MPI, AFTER_MPI };
static const struct {
    const char *name, *text;
    void (*call)(void);
    int when;
} calls[] = {
#ifndef DPC_SMPI
    {"comm-inter", "argument 'comm' is an inter-communicator", plan_intercomm, IN_MPI},
    {"allocate-inter", "dpc_allocate: error: argument 'comm' is an inter-communicator", allocate_intercomm, IN_MPI},
    {"allocate-large", "out of memory: argument 'bytes' is 4611686018427387904", allocate_large, IN_MPI},
#endif
    {"plan-early", "dpc_plan_redistribution: error: MPI has not been initialised", plan_untimely, BEFORE_MPI},
    {"allocate-early", "dpc_allocate: error: MPI has not been initialised", allocate_untimely, BEFORE_MPI},
    {"plan-late", "dpc_plan_redistribution: error: MPI has been finalised", plan_untimely, AFTER_MPI},
    {"allocate-late", "dpc_allocate: error: MPI has been finalised", allocate_untimely, AFTER_MPI},
    {"execute-late", "dpc_execute: error: MPI has been finalised", execute_late, AFTER_MPI},
    {"print-late", "dpc_print_plan: error: MPI has been finalised", print_late, AFTER_MPI},
    {"free-late", "dpc_free_redistribution: error: MPI has been finalised", free_late, AFTER_MPI},
    {"comm-null", "argument 'comm' is MPI_COMM_NULL", plan_null_comm, IN_MPI},
    {"allocate-null", "dpc_allocate: error: argument 'comm' is MPI_COMM_NULL", allocate_null_comm, IN_MPI},
    {"allocate-negative", "argument 'bytes' is -1, must not be negative", allocate_negative, IN_MPI},
    {"release-twice", "argument 'memory' is no memory of dpc_allocate, or has been released", release_twice, IN_MPI},
    {"free-twice", "dpc_free_redistribution: error: argument 'plan' has been freed", free_twice, IN_MPI},
    {"execute-freed", "dpc_execute: error: argument 'plan' has been freed", execute_freed, IN_MPI},
    {"print-null", "dpc_print_plan: error: argument 'stream' is NULL", print_null, IN_MPI},
    {"local-release-plain", "argument 'memory' is no memory of dpc_allocate", release_plain_twice, IN_MPI},
    {"local-release-other", "argument 'memory' is no memory of dpc_allocate", release_other, IN_MPI},
    {"local-mapping-null", "argument 'to' is NULL", plan_null_mapping, IN_MPI},
    {"local-execute-null", "dpc_execute: error: argument 'plan' is NULL", execute_null, IN_MPI},
    {"local-execute-other", "argument 'plan' is no plan of dpc_plan_redistribution", execute_no_plan, IN_MPI},
    {"local-describe-null", "dpc_plan_describe: error: argument 'plan' is NULL", describe_null, IN_MPI},
    {"local-relabelled", "dpc_relabelled: error: argument 'plan' has been freed", relabelled_freed, IN_MPI},
    {"local-map-rank", "dpc_map: error: argument 'rank' is 0, must be 1 to 15", map_rank, IN_MPI},
    {"local-map-null", "dpc_map: error: argument 'formats' is NULL", map_null, IN_MPI},
    {"local-map-extent", "argument 'extents': extent 1 is -4, must not be negative", map_extent, IN_MPI},
    {"local-map-procs", "argument 'procs': dimension 1 has 0 processes, must be positive", map_procs, IN_MPI},
    {"local-map-block", "argument 'formats': the block of dimension 1 is 0, must be positive", map_block, IN_MPI},
    {"local-map-short", "argument 'formats': block(3) over 2 processes holds 6 elements", map_short_block, IN_MPI},
    {"local-map-kind", "argument 'formats': dimension 1 is neither", map_kind, IN_MPI},
    {"local-elements", "dpc_mapped_elements: error: argument 'm': the rank is 0", mapped_elements, IN_MPI},
    {"local-extent", "dpc_mapped_extent: error: argument 'k' is 2, must be 0 to 1", mapped_extent, IN_MPI},
    {"local-refuses", "dpc_method_refuses: error: argument 'to': block[0] is 0", refuses_mapping, IN_MPI},
    {"local-refuses-null", "dpc_schedule_refuses: error: argument 'from' is NULL", schedule_refuses_null, IN_MPI},
    {"local-takes", "argument 'method': there is no method 'fastest'", takes_schedules, IN_MPI},
    {"local-numroc-extent", "dpc_numroc: error: argument 'n' is -10, must not be negative", numroc_extent, IN_MPI},
    {"local-numroc-block", "dpc_numroc: error: argument 'block' is 0, must be positive", numroc_block, IN_MPI},
    {"local-numroc-at", "dpc_numroc: error: argument 'coordinate' is 2, must be 0 to 1", numroc_coordinate, IN_MPI},
    {"local-numroc-procs", "dpc_numroc: error: argument 'procs' is 0, must be positive", numroc_procs, IN_MPI},
    {"local-matrix", "dpc_mapping_to_matrix: error: argument 'matrix' is NULL", matrix_null, IN_MPI},
    {"local-mapping", "dpc_matrix_to_mapping: error: argument 'process' is NULL", mapping_null, IN_MPI},
    {"local-darray-process", "argument 'process' is -1, must not be negative", darray_process, IN_MPI},
    {"local-darray-element", "argument 'element' is MPI_DATATYPE_NULL", darray_element, IN_MPI},
    {"local-darray-empty", "argument 'element' is a datatype without bytes", darray_empty, IN_MPI},
};

static void call_those(int when, const char *wish) {
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        if (wish == NULL && me == 0 && when == IN_MPI) printf("%s|%s\n", calls[k].name, calls[k].text);
        if (wish != NULL && calls[k].when == when && strcmp(wish, calls[k].name) == 0) calls[k].call();
    }
}

/* ---- Nearest neighbours that are right */

static int wrong;

static void expect_moved(dpc_redistribution *plan, const char *what) {
    const arguments x = right();
    memset(b, 0, sizeof b);
    for (int k = 0; k < 240; k++) a[k] = me * 1000 + k + 1;
    dpc_execute(plan, a, b);
    double sums[2] = {0, 0};
    for (dpc_index k = 0; k < dpc_mapped_elements(&x.from, me); k++) sums[0] += a[k];
    for (dpc_index k = 0; k < dpc_mapped_elements(&x.to, me); k++) sums[1] += b[k];
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sums[0] == sums[1]) return;
    printf("%s: %g became %g\n", what, sums[0], sums[1]);
    wrong = 1;
}

/* Plans and memory outlive the communicator that they were made for. */
static void outlive(void) {
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    dpc_redistribution *plan = plan_on(own), *other = plan_on(own);
    char *memory = dpc_allocate(own, 1 << 20), *kept = dpc_allocate(own, 100);
    MPI_Comm_free(&own);
    memset(memory, 1, 1 << 20), memset(kept, 1, 100);
    expect_moved(plan, "a plan of a communicator that is free");
    dpc_free_redistribution(plan);
    expect_moved(other, "the second plan of that communicator");
    dpc_free_redistribution(other);
    dpc_release_memory(MPI_COMM_WORLD, memory), dpc_release_memory(MPI_COMM_WORLD, kept);
}

/* More plans than are remembered after they have been freed; NULL is nothing. */
static void many(void) {
    for (int k = 0; k < 100; k++) dpc_free_redistribution(plan_on(MPI_COMM_WORLD));
    dpc_free_redistribution(NULL);
    dpc_release_memory(MPI_COMM_WORLD, NULL);
}

/* Blocks and extents as large as they can be. */
static void large(void) {
    arguments x = right();
    x.from.block[0] = INT64_MAX, x.from.stride[0] = 6, x.from.stride[1] = 1;
    x.to.block[0] = 40;
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &x.from, &x.to, 8, NULL);
    for (int k = 0; k < 240; k++) a[k] = k + 1, b[k] = 0;
    dpc_execute(plan, a, b);
    if (me == 0 && memcmp(a, b, sizeof a) != 0) printf("blocks of 2^63 - 1 elements\n"), wrong = 1;
    dpc_free_redistribution(plan);
    const dpc_mapping from = dpc_map(1, (dpc_index[]){(dpc_index)1 << 40}, (dpc_format[]){DPC_BLOCK}, (int[]){1});
    dpc_free_redistribution(dpc_plan_redistribution(MPI_COMM_WORLD, &from, &from, 8, NULL));
}

int main(int count, char **words) {
    const char *wish = count > 1 ? words[1] : NULL;
    if (wish != NULL) call_those(BEFORE_MPI, wish);
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (wish == NULL && me == 0) printf("%s|%s\n", cases[k].name, cases[k].text);
        if (wish != NULL && strcmp(wish, cases[k].name) == 0) run(cases[k].change);
    }
    call_those(IN_MPI, wish);
    if (wish == NULL) run(NULL), outlive(), many(), large();
    char *memory = dpc_allocate(MPI_COMM_WORLD, 1 << 20);
    old_plan = plan_on(MPI_COMM_WORLD);
    MPI_Finalize();
    if (wish != NULL) call_those(AFTER_MPI, wish);
    dpc_release_memory(MPI_COMM_NULL, memory);
    return wish != NULL || wrong; /* the error has not been noticed */
}

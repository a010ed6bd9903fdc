/* Arguments of the public functions. */
#include "arguments.h"

#include "../base/names.h"
#include "../base/settings.h"
#include "engine.h"
#include "limits.h"

#include <limits.h>
#include <string.h>

/* ---- Of any function */

void dpc_check_mpi(const char *where) {
    int started, ended;
    MPI_Finalized(&ended); /* first: SimGrid says then that it was never initialised */
    if (ended) dpc_fail(where, "MPI has been finalised: this must come before MPI_Finalize");
    MPI_Initialized(&started);
    if (!started) dpc_fail(where, "MPI has not been initialised: MPI_Init comes first");
}

void dpc_check_given(const char *where, const char *name, const void *argument) {
    if (argument == NULL) dpc_fail(where, "argument '%s' is NULL", name);
}

void dpc_check_communicator(const char *where, const char *name, MPI_Comm comm) {
    int between = 0;
    dpc_check_mpi(where);
    if (comm == MPI_COMM_NULL) dpc_fail(where, "argument '%s' is MPI_COMM_NULL", name);
    MPI_Comm_test_inter(comm, &between);
    if (between) dpc_fail(where, "argument '%s' is an inter-communicator, must be an intra-communicator", name);
}

/* ---- Mappings */

static void check_dimension(const char *where, const char *name, const dpc_mapping *m, int k) {
    const long long extent = m->extent[k], first = m->first[k], block = m->block[k];
    dpc_index end;
    if (extent < 0) dpc_fail(where, "argument '%s': extent[%d] is %lld, must not be negative", name, k, extent);
    if (first < 0) dpc_fail(where, "argument '%s': first[%d] is %lld, must not be negative", name, k, first);
    if (block < 1) dpc_fail(where, "argument '%s': block[%d] is %lld, must be positive", name, k, block);
    if (m->procs[k] < 1) dpc_fail(where, "argument '%s': procs[%d] is %d, must be positive", name, k, m->procs[k]);
    if (m->stride[k] < 0)
        dpc_fail(where, "argument '%s': stride[%d] is %lld, must not be negative", name, k, (long long)m->stride[k]);
    if (__builtin_add_overflow(m->extent[k], m->first[k], &end))
        dpc_fail(where, "argument '%s': first[%d] + extent[%d] passes 64 bits", name, k, k);
}

/* Elements of the whole array times `factor`; -1: they pass 64 bits.  Empty dimensions count as one. */
static dpc_index whole_elements(const dpc_mapping *m, dpc_index factor) {
    for (int k = 0; k < m->rank; k++)
        if (__builtin_mul_overflow(factor, dpc_maximum(m->first[k] + m->extent[k], 1), &factor)) return -1;
    return factor;
}

void dpc_check_mapping(const char *where, const char *name, const dpc_mapping *m) {
    dpc_check_given(where, name, m);
    if (m->rank < 1 || m->rank > DPC_MAX_RANK)
        dpc_fail(where, "argument '%s': the rank is %d, must be 1 to %d", name, m->rank, DPC_MAX_RANK);
    for (int k = 0; k < m->rank; k++) check_dimension(where, name, m, k);
    if (dpc_mapped_places(m) > INT_MAX)
        dpc_fail(where, "argument '%s': the grid has more places than an int holds", name);
    if (whole_elements(m, 1) < 0) dpc_fail(where, "argument '%s': the number of elements passes 64 bits", name);
}

void dpc_check_processes(const char *where, const char *name, const dpc_mapping *m, int processes) {
    const dpc_index places = dpc_mapped_places(m);
    if (places > processes)
        dpc_fail(where, "argument '%s': the grid has %lld places, the communicator %d processes", name,
                 (long long)places, processes);
    if (m->process == NULL) return;
    int *place_of = dpc_buffer(processes, sizeof *place_of);
    for (int place = 0; place < places; place++) {
        const int process = m->process[place];
        if (process < 0 || process >= processes)
            dpc_fail(where, "argument '%s': process[%d] is %d, the communicator has ranks 0 to %d", name, place,
                     process, processes - 1);
        if (place_of[process] > 0)
            dpc_fail(where, "argument '%s': process[%d] and process[%d] are both %d", name, place_of[process] - 1,
                     place, process);
        place_of[process] = place + 1;
    }
    dpc_free_buffer(place_of);
}

/* ---- What methods serve */

const char *dpc_lines_refuse(const char *where, const char *name, const dpc_mapping *from, const dpc_mapping *to) {
    dpc_line source[DPC_MAX_RANK], target[DPC_MAX_RANK];
    dpc_check_mapping(where, "from", from);
    dpc_check_mapping(where, "to", to);
    if (from->rank != to->rank)
        dpc_fail(where, "arguments 'from' and 'to': the ranks are %d and %d, must be equal", from->rank, to->rank);
    for (int k = 0; k < from->rank; k++) {
        source[k] = dpc_line_of(from, k);
        target[k] = dpc_line_of(to, k);
    }
    return dpc_limits_refuse(name, from->rank, source, target);
}

/* ---- Of a plan: what one process can see */

static const char planning[] = "dpc_plan_redistribution";

/* Indices of both dimensions, each below its extent, that lead to one place: multiples of the other stride. */
static bool collide(dpc_index extent, dpc_index stride, dpc_index other_extent, dpc_index other_stride) {
    const dpc_index common = dpc_common_divisor(stride, other_stride);
    if (common == 0) return extent > 1 || other_extent > 1;
    return other_stride / common < extent && stride / common < other_extent;
}

/* Strides that are given keep the elements of this process's local array apart, within 64 bits. */
static void check_strides(const char *name, const dpc_mapping *m, dpc_index size, int me) {
    dpc_index extent[DPC_MAX_RANK], span = size, length;
    bool dense = true;
    for (int k = 0; k < m->rank; k++) {
        extent[k] = dpc_mapped_extent(m, k, me);
        if (extent[k] == 0) return;
        dense = dense && m->stride[k] == 0;
    }
    for (int k = 0; k < m->rank && !dense; k++) {
        if (__builtin_mul_overflow(extent[k] - 1, m->stride[k], &length) ||
            __builtin_mul_overflow(length, size, &length) || __builtin_add_overflow(span, length, &span))
            dpc_fail(planning, "argument '%s': stride[%d] is %lld: the local array of process %d passes 64 bits", name,
                     k, (long long)m->stride[k], me);
        if (m->stride[k] == 0 && extent[k] > 1)
            dpc_fail(planning, "argument '%s': stride[%d] is 0 and others are not", name, k);
        for (int j = 0; j < k; j++)
            if (collide(extent[j], m->stride[j], extent[k], m->stride[k]))
                dpc_fail(planning,
                         "argument '%s': with stride[%d] %lld and stride[%d] %lld two elements of process %d have one "
                         "place",
                         name, j, (long long)m->stride[j], k, (long long)m->stride[k], me);
    }
}

/* Indices and lengths in bytes, and their products with numbers of processes, stay within 64 bits. */
static void check_bytes(const char *name, const dpc_mapping *m, dpc_index size, int processes) {
    dpc_index bytes;
    if (__builtin_mul_overflow(size, processes, &bytes) || whole_elements(m, bytes) < 0)
        dpc_fail(planning, "arguments '%s' and 'size': the array's bytes, times %d processes, pass 64 bits", name,
                 processes);
}

static void check_options(const dpc_redistribution_options *options) {
    if (options == NULL) return;
    if (options->method != NULL && !dpc_is_name(options->method, dpc_redistribution_methods))
        dpc_fail(planning, "argument 'options': there is no method '%s'", options->method);
    if (options->schedule != NULL && !dpc_is_name(options->schedule, dpc_redistribution_schedules))
        dpc_fail(planning, "argument 'options': there is no schedule '%s'", options->schedule);
}

static void check_arguments(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size) {
    int me, processes;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &processes);
    dpc_check_mapping(planning, "from", from);
    dpc_check_mapping(planning, "to", to);
    dpc_check_processes(planning, "from", from, processes);
    dpc_check_processes(planning, "to", to, processes);
    if (from->rank != to->rank)
        dpc_fail(planning, "arguments 'from' and 'to': the ranks are %d and %d, must be equal", from->rank, to->rank);
    for (int k = 0; k < from->rank; k++)
        if (from->extent[k] != to->extent[k])
            dpc_fail(planning, "arguments 'from' and 'to': extent[%d] is %lld and %lld, must be equal", k,
                     (long long)from->extent[k], (long long)to->extent[k]);
    if (size < 1) dpc_fail(planning, "argument 'size' is %lld, must be positive", (long long)size);
    check_bytes("from", from, size, processes);
    check_bytes("to", to, size, processes);
    check_strides("from", from, size, me);
    check_strides("to", to, size, me);
}

/* ---- What must be the same everywhere */

static int64_t hash(const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t k = 0; k < count; k++) h = (h ^ byte[k]) * 0x100000001b3;
    return (int64_t)(h >> 1);
}

static int64_t name_hash(const char *name) {
    return name == NULL ? hash("auto", 4) : hash(name, strlen(name));
}

/* The words that are compared, and what they are called. */
typedef struct {
    int count;
    int64_t word[32 + 10 * DPC_MAX_RANK];
    struct {
        const char *argument, *field;
        int index;
    } name[16 + 5 * DPC_MAX_RANK];
} comparison;

static void add(comparison *c, int64_t word, const char *argument, const char *field, int index) {
    c->name[c->count].argument = argument;
    c->name[c->count].field = field;
    c->name[c->count].index = index;
    c->word[c->count++] = word;
}

/* The rank is the same already: the number of words is, too. */
static void add_mapping(comparison *c, const char *name, const dpc_mapping *m) {
    for (int k = 0; k < m->rank; k++) {
        if (strcmp(name, "from") == 0) add(c, m->extent[k], name, "extent", k);
        add(c, m->first[k], name, "first", k);
        add(c, m->block[k], name, "block", k);
        add(c, m->procs[k], name, "procs", k);
    }
    const size_t places = (size_t)dpc_mapped_places(m);
    add(c, m->process == NULL ? 0 : hash(m->process, places * sizeof *m->process), name, "process", -1);
}

/* Ends the program where two processes have different words: the least and the greatest are asked for in one go. */
static void compare(const comparison *c, MPI_Comm comm) {
    int64_t mine[2 * (32 + 10 * DPC_MAX_RANK)], least[2 * (32 + 10 * DPC_MAX_RANK)];
    for (int k = 0; k < c->count; k++) {
        mine[2 * k] = c->word[k];
        mine[2 * k + 1] = -c->word[k];
    }
    MPI_Allreduce(mine, least, 2 * c->count, MPI_INT64_T, MPI_MIN, comm);
    for (int k = 0; k < c->count; k++) {
        if (least[2 * k] == -least[2 * k + 1]) continue;
        const char *argument = c->name[k].argument, *field = c->name[k].field;
        if (field == NULL) dpc_fail(planning, "argument '%s' differs between processes", argument);
        if (c->name[k].index < 0) dpc_fail(planning, "argument '%s': %s differs between processes", argument, field);
        dpc_fail(planning, "argument '%s': %s[%d] differs between processes: from %lld to %lld", argument, field,
                 c->name[k].index, (long long)least[2 * k], (long long)-least[2 * k + 1]);
    }
}

/* The rank comes first: the number of the other words depends on it. */
static void check_together(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size,
                           const dpc_redistribution_options *options) {
    const dpc_redistribution_options none = {0};
    comparison c = {0};
    add(&c, from->rank, "from", "rank", -1);
    compare(&c, comm);
    if (options == NULL) options = &none;
    add_mapping(&c, "from", from);
    add_mapping(&c, "to", to);
    add(&c, size, "size", NULL, -1);
    add(&c, name_hash(options->method), "options", "the method", -1);
    add(&c, name_hash(options->schedule), "options", "the schedule", -1);
    add(&c, options->relabel + 2 * options->messages_only, "options", NULL, -1);
    compare(&c, comm);
}

void dpc_check_problem(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size,
                       const dpc_redistribution_options *options) {
    dpc_check_communicator(planning, "comm", comm);
    check_arguments(comm, from, to, size);
    check_options(options);
    check_together(comm, from, to, size, options);
}

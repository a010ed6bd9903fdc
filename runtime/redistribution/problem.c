/* Mappings, communicators, and the two together. */
#include "arguments.h"
#include "engine.h"
#include "storage.h"

#include <string.h>

/* ---- Mappings */

static dpc_index block_of(const dpc_format *format, dpc_index extent, int procs) {
    if (format->kind == DPC_FORMAT_STAR) return extent > 0 ? extent : 1;
    if (format->block != 0) return format->block;
    return extent > 0 ? dpc_ceiling(extent, procs) : 1;
}

/* Dimension k is one that dpc_map can describe. */
static void check_format(const dpc_index *extents, const dpc_format *format, int procs, int k) {
    static const char where[] = "dpc_map";
    const long long extent = extents[k], block = format->block;
    dpc_index held;
    if (extent < 0) dpc_fail(where, "argument 'extents': extent %d is %lld, must not be negative", k + 1, extent);
    if (procs < 1) dpc_fail(where, "argument 'procs': dimension %d has %d processes, must be positive", k + 1, procs);
    if (format->kind > DPC_FORMAT_CYCLIC)
        dpc_fail(where, "argument 'formats': dimension %d is neither DPC_STAR, DPC_BLOCK nor DPC_CYCLIC", k + 1);
    if (format->kind == DPC_FORMAT_STAR && procs != 1)
        dpc_fail(where, "argument 'procs': dimension %d is not divided, but has %d processes", k + 1, procs);
    if (block < 0 || (block == 0 && format->kind == DPC_FORMAT_CYCLIC))
        dpc_fail(where, "argument 'formats': the block of dimension %d is %lld, must be positive", k + 1, block);
    if (format->kind == DPC_FORMAT_BLOCK && block > 0 && !__builtin_mul_overflow(format->block, procs, &held) &&
        held < extents[k])
        dpc_fail(where, "argument 'formats': block(%lld) over %d processes holds %lld elements, but extent %d is %lld",
                 block, procs, (long long)held, k + 1, extent);
}

dpc_mapping dpc_map(int rank, const dpc_index *extents, const dpc_format *formats, const int *procs) {
    dpc_mapping m = {.rank = rank};
    if (rank < 1 || rank > DPC_MAX_RANK)
        dpc_fail("dpc_map", "argument 'rank' is %d, must be 1 to %d", rank, DPC_MAX_RANK);
    dpc_check_given("dpc_map", "extents", extents);
    dpc_check_given("dpc_map", "formats", formats);
    dpc_check_given("dpc_map", "procs", procs);
    for (int k = 0; k < rank; k++) {
        check_format(extents, &formats[k], procs[k], k);
        m.extent[k] = extents[k];
        m.procs[k] = procs[k];
        m.block[k] = block_of(&formats[k], extents[k], procs[k]);
    }
    return m;
}

/* Blocks whose products with numbers of processes would pass 64 bits stand for blocks as long as the array. */
static dpc_index bounded_block(const dpc_mapping *m, int k) {
    if (m->block[k] <= INT64_MAX / 4 / m->procs[k]) return m->block[k];
    return dpc_maximum(m->first[k] + m->extent[k], DPC_MOST_BLOCK);
}

dpc_line dpc_line_of(const dpc_mapping *m, int k) {
    return (dpc_line){m->extent[k], m->first[k], bounded_block(m, k), m->procs[k]};
}

dpc_index dpc_mapped_span(const dpc_mapping *m, const dpc_index *at) {
    dpc_index last = 0;
    for (int k = 0; k < m->rank; k++) {
        const dpc_line line = dpc_line_of(m, k);
        if (dpc_line_elements(&line, at[k]) == 0) return 0;
        last += (dpc_line_before(&line, at[k], line.first + line.extent) - 1) * m->stride[k];
    }
    return last + 1;
}

dpc_index dpc_mapped_places(const dpc_mapping *m) {
    dpc_index places = 1;
    for (int k = 0; k < m->rank; k++)
        if (__builtin_mul_overflow(places, m->procs[k], &places)) return INT64_MAX;
    return places;
}

void dpc_place_coordinates(const dpc_mapping *m, dpc_index place, dpc_index *coordinates) {
    for (int k = m->rank - 1; k >= 0; k--) {
        coordinates[k] = place % m->procs[k];
        place /= m->procs[k];
    }
}

int dpc_mapped_process(const dpc_mapping *m, const dpc_index *coordinates) {
    dpc_index place = 0;
    for (int k = 0; k < m->rank; k++) place = place * m->procs[k] + coordinates[k];
    return m->process == NULL ? (int)place : m->process[place];
}

int dpc_mapped_place(const dpc_mapping *m, int process) {
    const dpc_index places = dpc_mapped_places(m);
    if (m->process == NULL) return process < places ? process : -1;
    for (int place = 0; place < places; place++)
        if (m->process[place] == process) return place;
    return -1;
}

static dpc_index local_extent(const dpc_mapping *m, int k, dpc_index coordinate) {
    const dpc_line line = dpc_line_of(m, k);
    return dpc_line_before(&line, coordinate, line.first + line.extent);
}

static dpc_index mapped_extent(const dpc_mapping *m, int k, int process) {
    dpc_index coordinates[DPC_MAX_RANK];
    const int place = dpc_mapped_place(m, process);
    if (place < 0) return 0;
    dpc_place_coordinates(m, place, coordinates);
    return local_extent(m, k, coordinates[k]);
}

dpc_index dpc_mapped_extent(const dpc_mapping *m, int k, int process) {
    static const char where[] = "dpc_mapped_extent";
    dpc_check_mapping(where, "m", m);
    if (k < 0 || k >= m->rank) dpc_fail(where, "argument 'k' is %d, must be 0 to %d", k, m->rank - 1);
    if (process < 0) dpc_fail(where, "argument 'process' is %d, must not be negative", process);
    return mapped_extent(m, k, process);
}

dpc_index dpc_mapped_elements(const dpc_mapping *m, int process) {
    static const char where[] = "dpc_mapped_elements";
    dpc_index elements = 1;
    dpc_check_mapping(where, "m", m);
    if (process < 0) dpc_fail(where, "argument 'process' is %d, must not be negative", process);
    for (int k = 0; k < m->rank; k++) elements *= mapped_extent(m, k, process);
    return elements;
}

/* ---- Communicators: the engine has a duplicate of each that it is used with, as long as that or a plan for it lives.
 */

/* What is kept with a communicator. */
typedef struct dpc_attachment {
    MPI_Comm comm;
    int tag;
    dpc_cost cost;
    dpc_index users; /* the communicator and the open problems */
} attachment;

enum { TAGS = 32000 };

/* What the profile says; a profile with a fault is one that cannot be meant. */
static dpc_cost own_profile(void) {
    dpc_profile_fault fault;
    const dpc_cost cost = dpc_profiled_cost(&fault);
    if (fault.text != NULL) dpc_fail(fault.where, "the profile of the machine's costs: %s", fault.text);
    return cost;
}

/* Process 0's profile. */
static dpc_cost ask_cost(MPI_Comm comm, int me) {
    dpc_cost cost = dpc_default_cost;
    if (me == 0) cost = own_profile();
    MPI_Bcast(&cost, DPC_COST_FIELDS, MPI_DOUBLE, 0, comm);
    return cost;
}

static void leave_attachment(attachment *a) {
    if (--a->users > 0) return;
    MPI_Comm_free(&a->comm);
    free(a);
}

static int drop_attachment(MPI_Comm comm, int key, void *attribute, void *extra) {
    DPC_INSIDE("MPI_Comm_free");
    (void)comm, (void)key, (void)extra;
    leave_attachment(attribute);
    return MPI_SUCCESS;
}

static int attachment_key(void) {
    static int key = MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop_attachment, &key, NULL);
    return key;
}

static attachment *attachment_of(MPI_Comm comm, int me) {
    attachment *a;
    int found;
    MPI_Comm_get_attr(comm, attachment_key(), &a, &found);
    if (found) return a;
    a = calloc(1, sizeof *a);
    if (a == NULL) dpc_fail(NULL, "out of memory");
    a->users = 1;
    MPI_Comm_dup(comm, &a->comm);
    a->cost = ask_cost(a->comm, me);
    MPI_Comm_set_attr(comm, attachment_key(), a);
    return a;
}

int dpc_problem_tag(const dpc_problem *p) {
    if (p->tags == NULL) return dpc_next_tag();
    return *p->tags = (*p->tags + 1) % TAGS;
}

/* The library's own communicator: its users pass arguments that are right and the same everywhere. */
static bool is_own(MPI_Comm comm) {
    return dpc_running() && comm == dpc_communicator;
}

/* It serves as it is; the library's transfers and the engine share the tags. */
static void attach(dpc_problem *p, MPI_Comm comm) {
    static dpc_cost own_cost;
    p->comm = comm;
    p->cost = &own_cost;
    if (is_own(comm)) {
        if (own_cost.message <= 0) own_cost = ask_cost(comm, p->me);
        return;
    }
    attachment *a = attachment_of(comm, p->me);
    a->users++;
    p->attachment = a;
    p->comm = a->comm;
    p->tags = &a->tag;
    p->cost = &a->cost;
}

/* ---- Opening */

/* A mapping with its own table and with strides. */
static dpc_mapping complete(const dpc_mapping *m, const dpc_index *at) {
    dpc_mapping c = *m;
    for (int k = 0; k < m->rank; k++) c.block[k] = bounded_block(m, k);
    if (m->process != NULL) {
        const dpc_index places = dpc_mapped_places(m);
        int *process = dpc_raw_buffer(places, sizeof *process);
        memcpy(process, m->process, (size_t)places * sizeof *process);
        c.process = process;
    }
    bool dense = true;
    for (int k = 0; k < m->rank; k++) dense = dense && m->stride[k] == 0;
    dpc_index elements = 1;
    for (int k = m->rank - 1; k >= 0 && dense; k--) {
        c.stride[k] = elements;
        elements *= local_extent(m, k, at[k]);
    }
    return c;
}

static int locate(const dpc_mapping *m, int process, dpc_index *at) {
    const int place = dpc_mapped_place(m, process);
    dpc_place_coordinates(m, place < 0 ? 0 : place, at);
    return place;
}

/* Where every local array lies column after column, the dimensions are taken in the opposite order.  The library's own
 * arrays lie row after row. */
static void choose_order(dpc_problem *p) {
    const dpc_storage all = dpc_compare_storage(p);
    p->reversed = all.dense_columns ? !all.dense_rows : all.columns && !all.rows;
    if (!p->reversed) return;
    dpc_reverse_mapping(&p->from);
    dpc_reverse_mapping(&p->to);
    p->from_place = locate(&p->from, p->me, p->from_at);
    p->to_place = locate(&p->to, p->me, p->to_at);
}

dpc_problem dpc_open_problem(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size,
                             const dpc_redistribution_options *options) {
    dpc_problem p = {.rank = 0};
    if (!is_own(comm)) dpc_check_problem(comm, from, to, size, options);
    MPI_Comm_rank(comm, &p.me);
    MPI_Comm_size(comm, &p.processes);
    attach(&p, comm);
    p.rank = from->rank;
    p.size = size;
    p.from_place = locate(from, p.me, p.from_at);
    p.to_place = locate(to, p.me, p.to_at);
    p.from = complete(from, p.from_at);
    p.to = complete(to, p.to_at);
    p.messages_only = options != NULL && options->messages_only;
    if (!is_own(comm)) choose_order(&p);
    return p;
}

void dpc_close_problem(dpc_problem *p) {
    dpc_free_buffer((void *)(uintptr_t)p->from.process);
    dpc_free_buffer((void *)(uintptr_t)p->to.process);
    if (p->attachment != NULL) leave_attachment(p->attachment);
}

/* Mappings, and the check of a plan's arguments: every process checks its own, then all compare what must be the same.
 */
#include "engine.h"
#include "storage.h"

#include <string.h>

static const char where[] = "dpc_plan_redistribution";

/* ---- Mappings */

static dpc_index block_of(const dpc_format *format, dpc_index extent, int procs) {
    if (format->kind == DPC_FORMAT_STAR) return extent > 0 ? extent : 1;
    if (format->kind == DPC_FORMAT_CYCLIC || format->block != 0) return format->block;
    return extent > 0 && procs > 0 ? dpc_ceiling(extent, procs) : 1;
}

dpc_mapping dpc_map(int rank, const dpc_index *extents, const dpc_format *formats, const int *procs) {
    dpc_mapping m = {.rank = rank};
    for (int k = 0; k < rank && k < DPC_MAX_RANK; k++) {
        m.extent[k] = extents[k];
        m.procs[k] = procs[k];
        m.block[k] = block_of(&formats[k], extents[k], procs[k]);
        dpc_index held;
        if (formats[k].kind == DPC_FORMAT_STAR && procs[k] != 1)
            dpc_fail("dpc_map", "argument 'procs': dimension %d is not divided, but has %d processes", k + 1, procs[k]);
        if (formats[k].kind == DPC_FORMAT_BLOCK && !__builtin_mul_overflow(m.block[k], procs[k], &held) &&
            held < extents[k])
            dpc_fail("dpc_map",
                     "argument 'formats': block(%lld) over %d processes holds %lld elements, but extent %d is %lld",
                     (long long)m.block[k], procs[k], (long long)held, k + 1, (long long)extents[k]);
    }
    return m;
}

dpc_line dpc_line_of(const dpc_mapping *m, int k) {
    return (dpc_line){m->extent[k], m->first[k], m->block[k], m->procs[k]};
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

dpc_index dpc_mapped_extent(const dpc_mapping *m, int k, int process) {
    dpc_index coordinates[DPC_MAX_RANK];
    const int place = dpc_mapped_place(m, process);
    if (place < 0) return 0;
    dpc_place_coordinates(m, place, coordinates);
    return local_extent(m, k, coordinates[k]);
}

dpc_index dpc_mapped_elements(const dpc_mapping *m, int process) {
    dpc_index elements = 1;
    for (int k = 0; k < m->rank; k++) elements *= dpc_mapped_extent(m, k, process);
    return elements;
}

/* ---- What one process can see */

static void check_dimension(const char *name, const dpc_mapping *m, int k) {
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

/* Each place has a rank of the communicator of its own. */
static void check_processes(const char *name, const dpc_mapping *m, int processes) {
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

static void check_mapping(const char *name, const dpc_mapping *m, int processes) {
    if (m == NULL) dpc_fail(where, "argument '%s' is NULL", name);
    if (m->rank < 1 || m->rank > DPC_MAX_RANK)
        dpc_fail(where, "argument '%s': the rank is %d, must be 1 to %d", name, m->rank, DPC_MAX_RANK);
    for (int k = 0; k < m->rank; k++) check_dimension(name, m, k);
    check_processes(name, m, processes);
}

static void check_arguments(const dpc_mapping *from, const dpc_mapping *to, dpc_index size, int processes,
                            const dpc_redistribution_options *options) {
    check_mapping("from", from, processes);
    check_mapping("to", to, processes);
    if (from->rank != to->rank)
        dpc_fail(where, "arguments 'from' and 'to': the ranks are %d and %d, must be equal", from->rank, to->rank);
    for (int k = 0; k < from->rank; k++)
        if (from->extent[k] != to->extent[k])
            dpc_fail(where, "arguments 'from' and 'to': extent[%d] is %lld and %lld, must be equal", k,
                     (long long)from->extent[k], (long long)to->extent[k]);
    if (size < 1) dpc_fail(where, "argument 'size' is %lld, must be positive", (long long)size);
    if (options == NULL) return;
    if (options->method != NULL && strcmp(options->method, "auto") != 0 && dpc_find_method(options->method) == NULL)
        dpc_fail(where, "argument 'options': there is no method '%s'", options->method);
    if (options->schedule != NULL && strcmp(options->schedule, "auto") != 0 &&
        dpc_find_schedule(options->schedule) == NULL)
        dpc_fail(where, "argument 'options': there is no schedule '%s'", options->schedule);
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
        if (field == NULL) dpc_fail(where, "argument '%s' differs between processes", argument);
        if (c->name[k].index < 0) dpc_fail(where, "argument '%s': %s differs between processes", argument, field);
        dpc_fail(where, "argument '%s': %s[%d] differs between processes: from %lld to %lld", argument, field,
                 c->name[k].index, (long long)least[2 * k], (long long)-least[2 * k + 1]);
    }
}

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

/* ---- Communicators: the engine has a duplicate of each that it is used with. */

/* What is kept with a communicator. */
typedef struct {
    MPI_Comm comm;
    int tag;
    dpc_cost cost;
} attachment;

enum { TAGS = 32000 };

/* Process 0's profile. */
static dpc_cost ask_cost(MPI_Comm comm, int me) {
    dpc_cost cost = dpc_default_cost;
    if (me == 0) cost = dpc_profiled_cost();
    MPI_Bcast(&cost, DPC_COST_FIELDS, MPI_DOUBLE, 0, comm);
    return cost;
}

static int drop_attachment(MPI_Comm comm, int key, void *attribute, void *extra) {
    attachment *a = attribute;
    (void)comm, (void)key, (void)extra;
    MPI_Comm_free(&a->comm);
    free(a);
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
    p->comm = a->comm;
    p->tags = &a->tag;
    p->cost = &a->cost;
}

/* ---- Opening */

/* A mapping with its own table and with strides. */
static dpc_mapping complete(const dpc_mapping *m, const dpc_index *at) {
    dpc_mapping c = *m;
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
    MPI_Comm_rank(comm, &p.me);
    MPI_Comm_size(comm, &p.processes);
    if (!is_own(comm)) {
        check_arguments(from, to, size, p.processes, options);
        check_together(comm, from, to, size, options);
    }
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
}

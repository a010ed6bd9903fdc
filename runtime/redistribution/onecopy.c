/* One copy of each element, straight from its owner's memory into place, between processes of a node whose source
 * arrays lie in shared memory; packed messages between all others, mixed as need be.
 *
 * An owner tells each process of its node that wants elements where they lie (or that a message comes instead), and
 * waits until all of these have said that they are done.  Nobody else waits for anybody. */
#include "../shared.h"
#include "copier.h"

#include <string.h>

/* A process on the other side. */
typedef struct {
    int process;
    int world;       /* its rank in MPI_COMM_WORLD where it is on this node, else MPI_UNDEFINED */
    dpc_index bytes; /* that it shares with this process */
    dpc_copier *pack;
} partner;

typedef struct {
    void *direct; /* arrays that the copiers cannot serve go this way; else NULL */
    dpc_shape shape;
    bool reversed;              /* the dimensions of the shape are in the opposite order */
    dpc_copier *part, *unpack;  /* this process's target part, from memory and from messages */
    dpc_index sources, targets; /* partners on either side; this process may be one of them */
    partner *source, *target;
    dpc_index runs;
} onecopy_plan;

/* ---- The plan */

/* Local arrays are dense, the last dimension the fastest; or the first one. */
static void compare_strides(const dpc_mapping *m, const dpc_index *at, int dense[2]) {
    dpc_index rows = 1, columns = 1, extent[DPC_MAX_RANK], elements = 1;
    for (int k = 0; k < m->rank; k++) {
        const dpc_line line = dpc_line_of(m, k);
        extent[k] = dpc_line_before(&line, at[k], line.first + line.extent);
        elements *= extent[k];
    }
    if (elements == 0) return;
    for (int k = m->rank - 1; k >= 0; rows *= extent[k--])
        if (extent[k] > 1 && m->stride[k] != rows) dense[0] = 0;
    for (int k = 0; k < m->rank; columns *= extent[k++])
        if (extent[k] > 1 && m->stride[k] != columns) dense[1] = 0;
}

static void in_shape(const onecopy_plan *o, int rank, const dpc_index *at, dpc_index *coordinates) {
    for (int k = 0; k < o->shape.rank; k++) {
        const int dimension = o->shape.dimension[k];
        coordinates[k] = at[o->reversed ? rank - 1 - dimension : dimension];
    }
}

static int world_rank(const dpc_problem *p, int process) {
    if (p->messages_only) return MPI_UNDEFINED;
    const dpc_node *node = dpc_node_of(p->comm);
    for (int low = 0, high = node->size; low < high;) {
        const int middle = (low + high) / 2;
        if (node->rank[middle] == process) return node->world[middle];
        if (node->rank[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return MPI_UNDEFINED;
}

/* The partners that the sources of a copier stand for; m: their side. */
static partner *find_partners(const dpc_problem *p, const onecopy_plan *o, const dpc_copier *c, const dpc_mapping *m) {
    partner *found = dpc_buffer(c->sources, sizeof *found);
    for (dpc_index k = 0; k < c->sources; k++) {
        dpc_index inner[DPC_MAX_RANK], at[DPC_MAX_RANK] = {0};
        dpc_source_coordinates(c, k, inner);
        for (int j = 0; j < o->shape.rank; j++) {
            const int dimension = o->shape.dimension[j];
            at[o->reversed ? p->rank - 1 - dimension : dimension] = inner[j];
        }
        found[k].process = dpc_mapped_process(m, at);
        found[k].world = world_rank(p, found[k].process);
        found[k].bytes = dpc_source_held(c, k);
    }
    return found;
}

static void make_shape(const dpc_problem *p, onecopy_plan *o) {
    dpc_line from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    for (int k = 0; k < p->rank; k++) {
        const int dimension = o->reversed ? p->rank - 1 - k : k;
        from[k] = dpc_line_of(&p->from, dimension);
        to[k] = dpc_line_of(&p->to, dimension);
    }
    o->shape = dpc_fold_shape(p->rank, from, to, p->size);
}

static void open_target(const dpc_problem *p, onecopy_plan *o) {
    dpc_index q[DPC_MAX_RANK];
    if (p->to_place < 0) return;
    in_shape(o, p->rank, p->to_at, q);
    o->part = dpc_open_copier(&o->shape, q, DPC_IN_MEMORY);
    o->sources = o->part->bytes > 0 ? o->part->sources : 0;
    o->source = find_partners(p, o, o->part, &p->from);
    o->runs = dpc_copier_runs(o->part);
}

static void open_source(const dpc_problem *p, onecopy_plan *o) {
    dpc_index at[DPC_MAX_RANK];
    if (p->from_place < 0) return;
    const dpc_shape back = dpc_turn_shape(&o->shape);
    in_shape(o, p->rank, p->from_at, at);
    dpc_copier *out = dpc_open_copier(&back, at, DPC_IN_MEMORY);
    o->targets = out->bytes > 0 ? out->sources : 0;
    o->target = find_partners(p, o, out, &p->to);
    dpc_close_copier(out);
}

void *dpc_plan_onecopy(const dpc_problem *p) {
    onecopy_plan *o = dpc_buffer(1, sizeof *o);
    int dense[2] = {1, 1};
    if (p->from_place >= 0) compare_strides(&p->from, p->from_at, dense);
    if (p->to_place >= 0) compare_strides(&p->to, p->to_at, dense);
    MPI_Allreduce(MPI_IN_PLACE, dense, 2, MPI_INT, MPI_LAND, p->comm);
    dpc_node_of(p->comm); /* all together */
    if (!dense[0] && !dense[1]) {
        o->direct = dpc_plan_direct(p, dpc_walk_shares);
        return o;
    }
    o->reversed = !dense[0];
    make_shape(p, o);
    open_target(p, o);
    open_source(p, o);
    return o;
}

void dpc_release_onecopy(void *plan) {
    onecopy_plan *o = plan;
    if (o->direct != NULL) dpc_release_direct(o->direct);
    for (dpc_index k = 0; k < o->targets; k++) dpc_close_copier(o->target[k].pack);
    dpc_close_copier(o->part);
    dpc_close_copier(o->unpack);
    dpc_free_buffer(o->source);
    dpc_free_buffer(o->target);
    dpc_free_buffer(o);
}

/* ---- Execution */

/* One execution. */
typedef struct {
    const dpc_problem *p;
    onecopy_plan *o;
    const char *from;
    char *to;
    int name_tag, data_tag, done_tag;
    const char **memory, **message; /* per source */
    dpc_shared_name *name;          /* per source, then per target */
    MPI_Request *request;           /* names, then dones: per target and per source */
    int requests;
    dpc_mail incoming, outgoing;
} execution;

static bool is_near(const partner *x) {
    return x->world != MPI_UNDEFINED;
}

static bool is_me(const execution *e, const partner *x) {
    return x->process == e->p->me;
}

static dpc_mail open_mail(const execution *e, dpc_index count) {
    dpc_mail mail = dpc_open_mail(e->data_tag, count);
    mail.comm = e->p->comm;
    return mail;
}

static void expect_data(execution *e, dpc_index k) {
    e->incoming.message[k].process = e->o->source[k].process;
    e->incoming.message[k].bytes = e->o->source[k].bytes;
    e->message[k] = dpc_message_buffer(&e->incoming, k);
    dpc_post_receive(&e->incoming, k);
}

/* Names from sources on this node, data from the others. */
static void expect_sources(execution *e) {
    for (dpc_index k = 0; k < e->o->sources; k++) {
        const partner *x = &e->o->source[k];
        if (is_me(e, x)) {
            e->memory[k] = e->from;
            dpc_add_count(DPC_COUNT_copied, x->bytes / e->p->size);
        } else if (is_near(x)) {
            MPI_Irecv(&e->name[k], (int)sizeof *e->name, MPI_BYTE, x->process, e->name_tag, e->p->comm,
                      &e->request[e->requests++]);
        } else {
            expect_data(e, k);
        }
    }
}

/* What passes to another process counts as a message, whatever way it takes. */
static void count_partner(const execution *e, const partner *x) {
    dpc_count_message(x->bytes);
    dpc_add_count(DPC_COUNT_elements, x->bytes / e->p->size);
}

/* The name of the source array, or that a message comes. */
static void tell_targets(execution *e) {
    for (dpc_index k = 0; k < e->o->targets; k++) {
        const partner *x = &e->o->target[k];
        if (is_me(e, x) || !is_near(x)) continue;
        dpc_shared_name *name = &e->name[e->o->sources + k];
        *name = dpc_name_shared(e->from, x->world);
        if (name->segment != 0) count_partner(e, x);
        MPI_Isend(name, (int)sizeof *name, MPI_BYTE, x->process, e->name_tag, e->p->comm, &e->request[e->requests++]);
    }
}

/* This process's elements for target k go by message. */
static bool by_message(const execution *e, dpc_index k) {
    const partner *x = &e->o->target[k];
    return !is_me(e, x) && (!is_near(x) || e->name[e->o->sources + k].segment == 0);
}

static dpc_copier *packer(const execution *e, partner *x) {
    if (x->pack == NULL) {
        dpc_index at[DPC_MAX_RANK], q[DPC_MAX_RANK], theirs[DPC_MAX_RANK];
        const int place = dpc_mapped_place(&e->p->to, x->process);
        dpc_place_coordinates(&e->p->to, place, theirs);
        in_shape(e->o, e->p->rank, e->p->from_at, at);
        in_shape(e->o, e->p->rank, theirs, q);
        x->pack = dpc_open_message_copier(&e->o->shape, at, q);
    }
    return x->pack;
}

static void send_data(execution *e) {
    for (dpc_index k = 0; k < e->o->targets; k++) {
        partner *x = &e->o->target[k];
        if (!by_message(e, k)) continue;
        e->outgoing.message[k].process = x->process;
        e->outgoing.message[k].bytes = x->bytes;
        char *message = dpc_message_buffer(&e->outgoing, k);
        dpc_copy_part(packer(e, x), message, &e->from, dpc_worth_streaming(x->bytes));
        dpc_add_count(DPC_COUNT_elements, x->bytes / e->p->size);
        dpc_post_send(&e->outgoing, k);
    }
}

static void wait_for_requests(execution *e) {
    for (int k = 0; k < e->requests; k++) MPI_Wait(&e->request[k], MPI_STATUS_IGNORE);
    e->requests = 0;
}

/* Names have come: the rest of the messages is expected. */
static void resolve_names(execution *e) {
    for (dpc_index k = 0; k < e->o->sources; k++) {
        const partner *x = &e->o->source[k];
        if (is_me(e, x) || !is_near(x)) continue;
        e->memory[k] = e->name[k].segment == 0 ? NULL : dpc_find_shared(&e->name[k]);
        if (e->memory[k] == NULL) expect_data(e, k);
    }
}

static void copy_memory(execution *e) {
    bool some = false;
    for (dpc_index k = 0; k < e->o->sources; k++) some = some || e->memory[k] != NULL;
    if (some) dpc_copy_part(e->o->part, e->to, e->memory, dpc_worth_streaming(e->o->part->bytes));
}

/* Readers say that they are done, owners wait for it. */
static void say_done(execution *e) {
    for (dpc_index k = 0; k < e->o->targets; k++) {
        const partner *x = &e->o->target[k];
        if (!is_me(e, x) && !by_message(e, k))
            MPI_Irecv(NULL, 0, MPI_BYTE, x->process, e->done_tag, e->p->comm, &e->request[e->requests++]);
    }
    for (dpc_index k = 0; k < e->o->sources; k++) {
        const partner *x = &e->o->source[k];
        if (!is_me(e, x) && e->memory[k] != NULL)
            MPI_Isend(NULL, 0, MPI_BYTE, x->process, e->done_tag, e->p->comm, &e->request[e->requests++]);
    }
}

static void copy_messages(execution *e) {
    bool some = false;
    for (dpc_index k = 0; k < e->o->sources; k++) some = some || e->message[k] != NULL;
    if (!some) return;
    if (e->o->unpack == NULL) {
        dpc_index q[DPC_MAX_RANK];
        in_shape(e->o, e->p->rank, e->p->to_at, q);
        e->o->unpack = dpc_open_copier(&e->o->shape, q, DPC_IN_MESSAGES);
    }
    dpc_wait_mail(&e->incoming);
    dpc_copy_part(e->o->unpack, e->to, e->message, dpc_worth_streaming(e->o->part->bytes));
}

void dpc_execute_onecopy(const dpc_problem *p, void *plan, const char *from, char *to) {
    onecopy_plan *o = plan;
    if (o->direct != NULL) {
        dpc_execute_direct(p, o->direct, from, to);
        return;
    }
    execution e = {.p = p, .o = o, .from = from, .to = to};
    e.name_tag = dpc_problem_tag(p);
    e.data_tag = dpc_problem_tag(p);
    e.done_tag = dpc_problem_tag(p);
    e.memory = dpc_buffer(2 * o->sources, sizeof *e.memory);
    e.message = e.memory + o->sources;
    e.name = dpc_buffer(o->sources + o->targets, sizeof *e.name);
    e.request = dpc_raw_buffer(o->sources + o->targets, sizeof *e.request);
    e.incoming = open_mail(&e, o->sources);
    e.outgoing = open_mail(&e, o->targets);
    expect_sources(&e);
    tell_targets(&e);
    send_data(&e);
    wait_for_requests(&e);
    resolve_names(&e);
    copy_memory(&e);
    say_done(&e);
    copy_messages(&e);
    wait_for_requests(&e);
    dpc_wait_mail(&e.outgoing);
    dpc_close_mail(&e.incoming);
    dpc_close_mail(&e.outgoing);
    dpc_free_buffer(e.memory);
    dpc_free_buffer(e.name);
    dpc_free_buffer(e.request);
}

/* ---- Description: as if every array were shared */

void dpc_describe_onecopy(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const onecopy_plan *o = plan;
    facts->plan_bytes += (dpc_index)sizeof *o;
    if (o->direct != NULL) {
        dpc_describe_direct(p, o->direct, facts);
        return;
    }
    facts->runs += o->runs;
    if (o->part != NULL) facts->plan_bytes += dpc_copier_bytes(o->part);
    facts->plan_bytes += (o->sources + o->targets) * (dpc_index)sizeof *o->source;
    for (dpc_index k = 0; k < o->targets; k++) {
        const partner *x = &o->target[k];
        if (x->process == p->me || is_near(x)) continue;
        facts->sends++;
        facts->bytes_sent += x->bytes;
        facts->peak_bytes += x->bytes;
    }
    for (dpc_index k = 0; k < o->sources; k++) {
        const partner *x = &o->source[k];
        if (x->process == p->me || is_near(x)) {
            facts->bytes_copied += x->bytes;
            continue;
        }
        facts->receives++;
        facts->bytes_received += x->bytes;
        facts->peak_bytes += x->bytes;
    }
}

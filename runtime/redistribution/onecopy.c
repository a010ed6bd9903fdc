/* One copy of each element, straight from its owner's memory into place, between processes of a node whose source
 * arrays lie in shared memory; messages in portions (traffic.c) between all others, mixed as need be.
 *
 * An owner tells each process of its node that wants elements where they lie (or that a message comes instead), and
 * waits until all of these have said that they are done.  The processes of a team (copier.h), all on one node, tell
 * each other where their targets lie, share the work, and wait for each other; nobody else waits for anybody. */
#include "../base/shared.h"
#include "copier.h"
#include "storage.h"
#include "traffic.h"

#include <string.h>

/* A process on the other side. */
typedef struct {
    int process;
    int world;       /* its rank in MPI_COMM_WORLD where it is on this node, else MPI_UNDEFINED */
    dpc_index bytes; /* that it shares with this process; 0: it belongs to a team */
} partner;

typedef struct {
    dpc_direct *messages; /* with all other processes, for those that need them; NULL: nobody has needed one yet */
    bool by_messages;     /* everything: the copiers cannot serve the arrays */
    dpc_shape shape;
    dpc_index *strides;         /* of the shape; NULL: all local arrays are dense */
    dpc_copier *part;           /* this process's target part */
    dpc_index sources, targets; /* partners on either side; this process may be one of them */
    partner *source, *target;
    dpc_index members; /* of this process's team; 0: there is none */
    partner *member;
    dpc_index runs;
} onecopy_plan;

/* ---- The plan */

static void in_shape(const onecopy_plan *o, const dpc_index *at, dpc_index *coordinates) {
    for (int k = 0; k < o->shape.rank; k++) coordinates[k] = at[o->shape.dimension[k]];
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

static partner partner_at(const dpc_problem *p, const onecopy_plan *o, const dpc_mapping *m, const dpc_index *inner) {
    dpc_index at[DPC_MAX_RANK] = {0};
    for (int j = 0; j < o->shape.rank; j++) at[o->shape.dimension[j]] = inner[j];
    const int process = dpc_mapped_process(m, at);
    return (partner){.process = process, .world = world_rank(p, process)};
}

/* The partners that the sources of a copier stand for; m: their side. */
static partner *find_partners(const dpc_problem *p, const onecopy_plan *o, const dpc_copier *c, const dpc_mapping *m) {
    partner *found = dpc_buffer(c->sources, sizeof *found);
    for (dpc_index k = 0; k < c->sources; k++) {
        dpc_index inner[DPC_MAX_RANK];
        dpc_source_coordinates(c, k, inner);
        found[k] = partner_at(p, o, m, inner);
        found[k].bytes = dpc_source_held(c, k);
    }
    return found;
}

static bool is_near(const partner *x) {
    return x->world != MPI_UNDEFINED;
}

static bool all_near(const partner *x, dpc_index count) {
    for (dpc_index k = 0; k < count; k++)
        if (!is_near(&x[k])) return false;
    return true;
}

/* The strides of all places of a mapping; `all`: of the processes, `ranks` dimensions apart. */
static void sort_strides(const dpc_problem *p, const dpc_mapping *m, const dpc_index *all, dpc_index *sorted) {
    const dpc_index places = dpc_mapped_places(m);
    for (dpc_index place = 0; place < places; place++) {
        const int process = m->process == NULL ? (int)place : m->process[place];
        memcpy(sorted + place * p->rank, &all[process * 2 * p->rank], (size_t)p->rank * sizeof *all);
    }
}

/* Everybody's strides, for everybody. (collective) */
static void exchange_strides(const dpc_problem *p, onecopy_plan *o) {
    dpc_index mine[2 * DPC_MAX_RANK] = {0}, *all = dpc_raw_buffer(2 * p->rank * p->processes, sizeof *all);
    for (int k = 0; k < p->rank; k++) {
        mine[k] = p->from.stride[k];
        mine[p->rank + k] = p->to.stride[k];
    }
    MPI_Allgather(mine, 2 * p->rank, MPI_INT64_T, all, 2 * p->rank, MPI_INT64_T, p->comm);
    const dpc_index sources = dpc_mapped_places(&p->from), targets = dpc_mapped_places(&p->to);
    o->strides = dpc_buffer((sources + targets) * p->rank, sizeof *o->strides);
    sort_strides(p, &p->from, all, o->strides);
    sort_strides(p, &p->to, all + p->rank, o->strides + sources * p->rank);
    o->shape.from_stride = o->strides;
    o->shape.to_stride = o->strides + sources * p->rank;
    dpc_free_buffer(all);
}

static void make_shape(const dpc_problem *p, onecopy_plan *o, bool dense) {
    dpc_line from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    for (int k = 0; k < p->rank; k++) {
        from[k] = dpc_line_of(&p->from, k);
        to[k] = dpc_line_of(&p->to, k);
    }
    o->shape = dpc_fold_shape(p->rank, from, to, p->size, dense);
    if (!dense) exchange_strides(p, o);
}

/* This process's part at coordinates q, with its team where all of that are on its node. */
static void open_part(const dpc_problem *p, onecopy_plan *o, dpc_index *q) {
    o->part = dpc_open_team_copier(&o->shape, q);
    if (o->part->members == 1) return;
    o->members = o->part->members;
    o->member = dpc_buffer(o->members, sizeof *o->member);
    for (dpc_index k = 0; k < o->members; k++) {
        dpc_index at[DPC_MAX_RANK];
        memcpy(at, q, sizeof at);
        at[o->shape.rank - 1] = o->part->member[k].coordinate;
        o->member[k] = partner_at(p, o, &p->to, at);
    }
    if (all_near(o->member, o->members)) return;
    dpc_close_copier(o->part);
    o->part = dpc_open_copier(&o->shape, q);
    o->members = 0;
}

static void open_target(const dpc_problem *p, onecopy_plan *o) {
    dpc_index q[DPC_MAX_RANK];
    if (p->to_place < 0) return;
    in_shape(o, p->to_at, q);
    open_part(p, o, q);
    o->sources = o->part->bytes > 0 ? o->part->sources : 0;
    if (o->sources == 0) o->members = 0;
    o->source = find_partners(p, o, o->part, &p->from);
    o->runs = dpc_copier_runs(o->part);
}

/* Who gets nothing from this process is a partner only where its team is on this process's node. */
static void drop_strangers(onecopy_plan *o, dpc_index team) {
    dpc_index kept = 0;
    for (dpc_index first = 0; first < o->targets; first += team) {
        const bool near = all_near(&o->target[first], team);
        for (dpc_index k = first; k < first + team; k++)
            if (o->target[k].bytes > 0 || near) o->target[kept++] = o->target[k];
    }
    o->targets = kept;
}

static void open_source(const dpc_problem *p, onecopy_plan *o) {
    dpc_index at[DPC_MAX_RANK];
    if (p->from_place < 0) return;
    in_shape(o, p->from_at, at);
    dpc_copier *out = dpc_open_source_copier(&o->shape, at);
    o->targets = out->bytes > 0 ? out->sources : 0;
    o->target = find_partners(p, o, out, &p->to);
    drop_strangers(o, out->member->weave.slots);
    dpc_close_copier(out);
}

void *dpc_plan_onecopy(const dpc_problem *p) {
    onecopy_plan *o = dpc_buffer(1, sizeof *o);
    const dpc_storage all = dpc_compare_storage(p);
    dpc_node_of(p->comm); /* all together */
    if (!all.rows) {
        o->by_messages = true;
        o->messages = dpc_plan_direct(p, dpc_walk_shares);
        return o;
    }
    make_shape(p, o, all.dense_rows);
    open_target(p, o);
    open_source(p, o);
    if (!all_near(o->source, o->sources) || !all_near(o->target, o->targets))
        o->messages = dpc_plan_direct(p, dpc_walk_shares);
    return o;
}

void dpc_release_onecopy(void *plan) {
    onecopy_plan *o = plan;
    if (o->messages != NULL) dpc_release_direct(o->messages);
    dpc_close_copier(o->part);
    dpc_free_buffer(o->source);
    dpc_free_buffer(o->target);
    dpc_free_buffer(o->member);
    dpc_free_buffer(o->strides);
    dpc_free_buffer(o);
}

/* ---- Execution.  Who copies is told by the others where their arrays lie ("name"), and tells them when it is done. */

typedef struct {
    const dpc_problem *p;
    onecopy_plan *o;
    const char *from;
    char *to;
    int name_tag, team_tag, data_tag, done_tag;
    const char **lies; /* per source: its array for this process; NULL: a message comes */
    char **part;       /* per member: its array for this process */
    bool from_shared;  /* all targets on this node can read this process's array */
    bool sharing;      /* the team copies together */
    dpc_shared_name *source, *target, *theirs, *mine; /* names: that come from sources, go to targets, of the team's */
    MPI_Request *request;                             /* of names, then of dones */
    int requests;
    dpc_index pieces, copied; /* of the copying: all; done */
} execution;

static bool is_me(const execution *e, const partner *x) {
    return x->process == e->p->me;
}

/* What passes to another process counts as a message, whatever way it takes. */
static void count_partner(const execution *e, const partner *x) {
    (void)e; /* but for statistics */
    if (x->bytes == 0) return;
    dpc_count_message_to(x->process, x->bytes);
    dpc_add_count(DPC_COUNT_elements, x->bytes / e->p->size);
}

static void expect_name(execution *e, const partner *x, dpc_shared_name *name, int tag) {
    MPI_Irecv(name, (int)sizeof *name, MPI_BYTE, x->process, tag, e->p->comm, &e->request[e->requests++]);
}

static void send_name(execution *e, const partner *x, const dpc_shared_name *name, int tag) {
    MPI_Isend(name, (int)sizeof *name, MPI_BYTE, x->process, tag, e->p->comm, &e->request[e->requests++]);
}

static void expect_names(execution *e) {
    for (dpc_index k = 0; k < e->o->sources; k++) {
        const partner *x = &e->o->source[k];
        if (is_me(e, x)) {
            e->lies[k] = e->from;
            dpc_add_count(DPC_COUNT_copied, x->bytes / e->p->size);
        } else if (is_near(x)) {
            expect_name(e, x, &e->source[k], e->name_tag);
        }
    }
    for (dpc_index k = 0; k < e->o->members; k++)
        if (!is_me(e, &e->o->member[k])) expect_name(e, &e->o->member[k], &e->theirs[k], e->team_tag);
}

/* The names of memory for the partners on this node: for all of them, or (a name of nothing) for none: false. */
static bool find_names(const char *memory, const partner *side, dpc_index count, dpc_shared_name *name) {
    bool all = true;
    for (dpc_index k = 0; k < count; k++) {
        name[k] = dpc_name_shared(memory, side[k].world);
        if (is_near(&side[k]) && name[k].segment == 0) all = false;
    }
    for (dpc_index k = 0; k < count && !all; k++) name[k].segment = 0;
    return all;
}

/* Where this process's arrays lie, or that a message goes instead. */
static void send_names(execution *e) {
    const onecopy_plan *o = e->o;
    e->from_shared = find_names(e->from, o->target, o->targets, e->target);
    find_names(e->to, o->member, o->members, e->mine);
    for (dpc_index k = 0; k < o->targets; k++)
        if (!is_me(e, &o->target[k]) && is_near(&o->target[k])) send_name(e, &o->target[k], &e->target[k], e->name_tag);
    for (dpc_index k = 0; k < o->members; k++)
        if (!is_me(e, &o->member[k])) send_name(e, &o->member[k], &e->mine[k], e->team_tag);
}

static void wait_for_requests(execution *e) {
    for (int k = 0; k < e->requests; k++) MPI_Wait(&e->request[k], MPI_STATUS_IGNORE);
    e->requests = 0;
}

/* The team copies together when all the arrays that it reads and writes are shared; everybody comes to the same
 * conclusion. */
static bool can_share(const execution *e) {
    const onecopy_plan *o = e->o;
    for (dpc_index k = 0; k < o->sources; k++)
        if (is_me(e, &o->source[k]) ? !e->from_shared : e->lies[k] == NULL) return false;
    for (dpc_index k = 0; k < o->members; k++)
        if ((is_me(e, &o->member[k]) ? &e->mine[k] : &e->theirs[k])->segment == 0) return false;
    return o->members > 0;
}

static void find_arrays(execution *e) {
    const onecopy_plan *o = e->o;
    for (dpc_index k = 0; k < o->sources; k++)
        if (!is_me(e, &o->source[k]) && is_near(&o->source[k]) && e->source[k].segment != 0)
            e->lies[k] = dpc_find_shared(&e->source[k]);
    e->sharing = can_share(e);
    for (dpc_index k = 0; k < o->members && e->sharing; k++)
        e->part[k] = is_me(e, &o->member[k]) ? e->to : dpc_find_shared(&e->theirs[k]);
}

/* ---- Copying: in pieces, between which messages go on */

/* Bytes of a piece, about. */
enum { PIECE = 512 << 10 };

static void copy_piece(execution *e) {
    dpc_copier *c = e->o->part;
    if (e->sharing)
        dpc_copy_share(c, e->part, e->lies, dpc_worth_streaming(c->bytes), e->copied++, e->pieces);
    else
        dpc_copy_part(c, e->to, e->lies, dpc_worth_streaming(c->bytes), e->copied++, e->pieces);
}

static void copy_until(void *copies, dpc_index until) {
    execution *e = copies;
    const dpc_index behind = until == e->o->part->bytes ? e->pieces : until / PIECE;
    while (e->copied < behind) copy_piece(e);
}

/* Some source lies in memory that this process can read. */
static bool has_copies(const execution *e) {
    for (dpc_index k = 0; k < e->o->sources; k++)
        if (e->lies[k] != NULL) return true;
    return false;
}

/* ---- Messages */

static bool is_far(const dpc_problem *p, int process) {
    return world_rank(p, process) == MPI_UNDEFINED;
}

static bool goes_by_message(const execution *e, int process) {
    return !e->from_shared || is_far(e->p, process);
}

static bool comes_by_message(const execution *e, int process) {
    if (is_far(e->p, process)) return true;
    dpc_index k = 0;
    while (e->o->source[k].process != process) k++;
    return e->lies[k] == NULL;
}

/* The peers whose messages travel; `peer` is of the caller's. */
static dpc_peers select_peers(const execution *e, const dpc_peers *all,
                              bool (*by_message)(const execution *e, int process)) {
    dpc_peers some = *all;
    some.count = 0;
    some.peer = dpc_take_staging(all->count, sizeof *some.peer);
    for (dpc_index k = 0; k < all->count; k++)
        if (by_message(e, all->peer[k].process)) some.peer[some.count++] = all->peer[k];
    return some;
}

static bool needs_messages(const execution *e) {
    const onecopy_plan *o = e->o;
    for (dpc_index k = 0; k < o->sources; k++)
        if (e->lies[k] == NULL && o->source[k].bytes > 0) return true;
    for (dpc_index k = 0; k < o->targets; k++)
        if (o->target[k].bytes > 0 && !is_me(e, &o->target[k]) && goes_by_message(e, o->target[k].process)) return true;
    return false;
}

static void count_partners(const execution *e) {
    for (dpc_index k = 0; k < e->o->targets; k++) {
        const partner *x = &e->o->target[k];
        if (!is_me(e, x) && !goes_by_message(e, x->process)) count_partner(e, x);
    }
}

static void exchange_messages(execution *e, const dpc_meanwhile *copies) {
    if (e->o->messages == NULL) e->o->messages = dpc_plan_direct(e->p, dpc_walk_shares);
    dpc_peers senders = select_peers(e, &e->o->messages->senders, goes_by_message);
    dpc_peers receivers = select_peers(e, &e->o->messages->receivers, comes_by_message);
    dpc_exchange_peers(e->p, e->data_tag, &senders, &receivers, copies, e->from, e->to);
    dpc_give_staging(senders.peer);
    dpc_give_staging(receivers.peer);
}

static void move_elements(execution *e) {
    const bool copies = has_copies(e), messages = needs_messages(e);
    const dpc_index bytes = copies ? e->o->part->bytes : 0;
    e->pieces = !copies ? 0 : messages ? dpc_ceiling(bytes, PIECE) : 1;
    if (messages)
        exchange_messages(e, &(dpc_meanwhile){bytes, copy_until, e});
    else if (copies)
        copy_until(e, bytes);
}

/* ---- In turn */

static void expect_done(execution *e, const partner *x) {
    MPI_Irecv(NULL, 0, MPI_BYTE, x->process, e->done_tag, e->p->comm, &e->request[e->requests++]);
}

static void send_done(execution *e, const partner *x) {
    MPI_Isend(NULL, 0, MPI_BYTE, x->process, e->done_tag, e->p->comm, &e->request[e->requests++]);
}

static void say_done(execution *e) {
    const onecopy_plan *o = e->o;
    for (dpc_index k = 0; k < o->targets; k++)
        if (!is_me(e, &o->target[k]) && e->target[k].segment != 0) expect_done(e, &o->target[k]);
    for (dpc_index k = 0; k < o->sources; k++)
        if (!is_me(e, &o->source[k]) && e->lies[k] != NULL) send_done(e, &o->source[k]);
    for (dpc_index k = 0; k < o->members && e->sharing; k++) {
        if (is_me(e, &o->member[k])) continue;
        expect_done(e, &o->member[k]);
        send_done(e, &o->member[k]);
    }
}

static void exchange(execution *e) {
    expect_names(e);
    send_names(e);
    wait_for_requests(e);
    find_arrays(e);
    count_partners(e);
    move_elements(e);
    say_done(e);
    wait_for_requests(e);
}

void dpc_execute_onecopy(const dpc_problem *p, void *plan, const char *from, char *to) {
    onecopy_plan *o = plan;
    if (o->by_messages) {
        dpc_execute_direct(p, o->messages, from, to);
        return;
    }
    const dpc_index both = o->sources + o->targets + 2 * o->members;
    execution e = {.p = p, .o = o, .from = from, .to = to};
    e.name_tag = dpc_problem_tag(p);
    e.team_tag = dpc_problem_tag(p);
    e.data_tag = dpc_problem_tag(p);
    e.done_tag = dpc_problem_tag(p);
    e.lies = dpc_buffer(o->sources, sizeof *e.lies);
    e.part = dpc_buffer(o->members, sizeof *e.part);
    e.source = dpc_buffer(both, sizeof *e.source);
    e.target = e.source + o->sources;
    e.theirs = e.target + o->targets;
    e.mine = e.theirs + o->members;
    e.request = dpc_raw_buffer(both, sizeof *e.request);
    exchange(&e);
    dpc_free_buffer(e.lies);
    dpc_free_buffer(e.part);
    dpc_free_buffer(e.source);
    dpc_free_buffer(e.request);
}

/* ---- Description: as if every array were shared */

/* The peers on other nodes, in one direction, and the buffers of their messages. */
static void describe_far(const dpc_problem *p, const dpc_peers *peers, bool incoming, dpc_plan_facts *facts) {
    for (dpc_index k = 0; k < peers->count; k++) {
        const dpc_peer *peer = &peers->peer[k];
        if (!is_far(p, peer->process)) continue;
        *(incoming ? &facts->receives : &facts->sends) += 1;
        *(incoming ? &facts->bytes_received : &facts->bytes_sent) += peer->elements * p->size;
        facts->peak_bytes += dpc_peer_buffer(p, peers, peer, incoming);
    }
}

void dpc_describe_onecopy(const dpc_problem *p, const void *plan, dpc_plan_facts *facts) {
    const onecopy_plan *o = plan;
    facts->plan_bytes += (dpc_index)sizeof *o;
    if (o->by_messages) {
        dpc_describe_direct(p, o->messages, facts);
        return;
    }
    facts->runs += o->runs;
    if (o->part != NULL) facts->plan_bytes += dpc_copier_bytes(o->part);
    facts->plan_bytes += (o->sources + o->targets + o->members) * (dpc_index)sizeof *o->source;
    if (o->strides != NULL)
        facts->plan_bytes +=
            (dpc_mapped_places(&p->from) + dpc_mapped_places(&p->to)) * p->rank * (dpc_index)sizeof *o->strides;
    if (o->messages != NULL) {
        facts->plan_bytes += dpc_peers_bytes(&o->messages->senders) + dpc_peers_bytes(&o->messages->receivers);
        describe_far(p, &o->messages->senders, false, facts);
        describe_far(p, &o->messages->receivers, true, facts);
    }
    for (dpc_index k = 0; k < o->sources; k++)
        if (is_near(&o->source[k]) || o->source[k].process == p->me) facts->bytes_copied += o->source[k].bytes;
    facts->seconds += dpc_predict_messages(p, facts, facts->bytes_sent + facts->bytes_received);
    for (dpc_index k = 0; k < o->sources; k++) /* the notices of those who share memory */
        if (is_near(&o->source[k])) facts->seconds += p->cost->message;
}

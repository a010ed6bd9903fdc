/* Two mappings and a communicator. */
#include "arguments.h"
#include "engine.h"
#include "storage.h"

#include <string.h>

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
    DPC_ENTER("MPI_Comm_free");
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
    for (int k = 0; k < m->rank; k++) c.block[k] = dpc_bounded_block(m, k);
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
        elements *= dpc_extent_at(m, k, at[k]);
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

/* What the files of the redistribution engine share: the problem, the peers of a process, and the skeleton of a
 * method.  Index lists: index.h. */
#ifndef DPC_REDISTRIBUTION_ENGINE_H
#define DPC_REDISTRIBUTION_ENGINE_H

#include "../base/profile.h"
#include "../base/base.h"
#include "../redistribution.h"
#include "index.h"

/* ---- mapping.c (all local) */

/* The block of a dimension: one whose products with numbers of processes would pass 64 bits stands for one as long as
 * the array. */
dpc_index dpc_bounded_block(const dpc_mapping *m, int k);
/* Elements along a dimension that the processes at a coordinate own. */
dpc_index dpc_extent_at(const dpc_mapping *m, int k, dpc_index coordinate);
dpc_line dpc_line_of(const dpc_mapping *m, int k);
/* Elements of storage up to the last one of the process with these coordinates. */
dpc_index dpc_mapped_span(const dpc_mapping *m, const dpc_index *at);
/* Places of the grid. */
dpc_index dpc_mapped_places(const dpc_mapping *m);
/* Rank in the communicator of the process at these coordinates. */
int dpc_mapped_process(const dpc_mapping *m, const dpc_index *coordinates);
/* The place of a rank, -1: outside the grid; its coordinates. */
int dpc_mapped_place(const dpc_mapping *m, int process);
void dpc_place_coordinates(const dpc_mapping *m, dpc_index place, dpc_index *coordinates);

/* ---- problem.c: two mappings of one section, checked. */

typedef struct dpc_redistribution_method dpc_redistribution_method;
typedef struct dpc_schedule dpc_schedule;

typedef struct {
    MPI_Comm comm;                     /* the engine's own duplicate */
    int *tags;                         /* the last tag used on it; NULL: the library's own communicator */
    struct dpc_attachment *attachment; /* what the two belong to; NULL: the same */
    int me, processes;
    int rank;                 /* dimensions */
    dpc_index size;           /* bytes per element */
    dpc_mapping from, to;     /* with tables of their own, and strides */
    bool reversed;            /* their dimensions are in the opposite order: the last one is the fastest in storage */
    int from_place, to_place; /* of this process in the grids, -1: outside */
    dpc_index from_at[DPC_MAX_RANK], to_at[DPC_MAX_RANK]; /* its coordinates */
    const dpc_schedule *schedule;                         /* chosen, never NULL */
    const dpc_cost *cost;                                 /* of the machine; the same on every process */
    bool messages_only;
} dpc_problem;

/* Checks the arguments and that they are the same everywhere: what is not ends the program with an error.  Method and
 * schedule are looked at by name only. (collective over comm) */
dpc_problem dpc_open_problem(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to, dpc_index size,
                             const dpc_redistribution_options *options);
void dpc_close_problem(dpc_problem *p);
/* A tag that no execution under way on the problem's communicator uses; the same on every process. */
int dpc_problem_tag(const dpc_problem *p);

/* ---- peers.c: the processes that this process shares elements with, products of the dimensions' shares. */

typedef struct {
    int process;
    dpc_index number;   /* which product of shares, row-major */
    dpc_index elements; /* shared */
    dpc_index place;    /* position in storage at which they lie side by side (elements); -1: they don't */
    dpc_index step;     /* of the schedule */
} dpc_peer;

typedef struct {
    int rank;
    dpc_shares shares[DPC_MAX_RANK];
    dpc_index stride[DPC_MAX_RANK]; /* elements of storage per local index */
    dpc_index count;                /* other processes, in the order of their messages */
    dpc_peer *peer;
    bool has_own;
    dpc_peer own; /* what stays on this process */
} dpc_peers;

/* This process as sender (or receiver): its shares by `index`, its peers in the order of the problem's schedule. */
dpc_peers dpc_open_peers(const dpc_problem *p, dpc_index_method *index, bool sender);
void dpc_close_peers(dpc_peers *peers);
dpc_index dpc_peers_bytes(const dpc_peers *peers);
/* The shares of each dimension with a peer. */
void dpc_peer_shares(const dpc_peers *peers, const dpc_peer *peer, const dpc_share **shares);
/* Contiguous runs of the elements in storage. */
dpc_index dpc_peer_runs(const dpc_peers *peers, const dpc_peer *peer);

/* ---- copy.c: elements in row-major order of the dimensions' shares; strides in elements, size in bytes. */

/* limit: bytes of storage that may be read; 0: none but those of the elements. */
void dpc_pack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size, dpc_index limit,
                     char *buffer, const char *storage);
void dpc_unpack_shares(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                       const char *buffer, char *storage);
/* From one place in memory to another, both described by shares with the same numbers of elements. */
void dpc_copy_shares(int rank, const dpc_share *const *from_shares, const dpc_index *from_stride, const char *from,
                     const dpc_share *const *to_shares, const dpc_index *to_stride, char *to, dpc_index size);

/* ---- schedule.c: in which step two processes exchange their message. */

struct dpc_schedule {
    const char *name; /* as --schedule= takes it */
    const char *source;
    /* Sets `step` of the peers; in a step a process sends to at most one and receives from at most one.  NULL:
     * everything at once. */
    void (*set_steps)(const dpc_problem *p, dpc_peers *peers, bool sender);
};

/* The table; NULL: no such name. */
const dpc_schedule *dpc_find_schedule(const char *name);

/* ---- A method: one file each with this skeleton, one row each in methods.def. */

/* A choice among methods: the name of the one that serves; the same on every process. */
typedef const char *dpc_method_choice(const dpc_problem *p);

struct dpc_redistribution_method {
    const char *name; /* as --redistribute= takes it */
    const char *source;
    dpc_index_method *index; /* finds the lists of a direct exchange; NULL: the method plans by itself */
    /* Everything that does not depend on the values; NULL with an index method. */
    void *(*plan)(const dpc_problem *p);
    void (*execute)(const dpc_problem *p, void *plan, const char *from, char *to);
    /* Fills in steps, messages, bytes, runs, memory; predicts seconds. */
    void (*describe)(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
    void (*release)(void *plan);
    dpc_method_choice *choose; /* NULL: this method itself */
};

void *dpc_plan_method(const dpc_redistribution_method *method, const dpc_problem *p);

/* NULL: no such name. */
const dpc_redistribution_method *dpc_find_method(const char *name);
/* choose.c: what `auto` takes; scheduled: the user has named the order of messages. */
const dpc_redistribution_method *dpc_choose_method(const dpc_problem *p, bool scheduled);
const dpc_schedule *dpc_choose_schedule(const dpc_problem *p);

/* ---- direct.c: one message per pair of processes, packed, unpacked as they come: what index methods are executed by.
 */

/* The plan: this process as sender: whom it sends to; as receiver: who sends to it. */
typedef struct {
    dpc_peers senders, receivers;
} dpc_direct;

void *dpc_plan_direct(const dpc_problem *p, dpc_index_method *index);
void dpc_execute_direct(const dpc_problem *p, void *plan, const char *from, char *to);
/* The same, but nothing is unpacked until all messages have come. */
void dpc_execute_together(const dpc_problem *p, void *plan, const char *from, char *to);
/* Seconds by the cost model: messages and their bytes, `packed` bytes packed and unpacked, and copies; the busier
 * direction counts. */
double dpc_predict_messages(const dpc_problem *p, const dpc_plan_facts *f, dpc_index packed);
void dpc_describe_direct(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
void dpc_describe_together(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
void dpc_release_direct(void *plan);
/* Facts of an exchange of one message per peer. */
void dpc_describe_peers(const dpc_problem *p, const dpc_peers *senders, const dpc_peers *receivers,
                        dpc_plan_facts *facts);

/* ---- datatypes.c */

/* A committed datatype of the elements of the shares, in the order of messages. */
MPI_Datatype dpc_shares_type(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size);

/* ---- The methods' functions */

#define LISTS(index)
#define LISTS_AT_ONCE(index)
#define OWN(method)                                                                                                    \
    void *dpc_plan_##method(const dpc_problem *p);                                                                     \
    void dpc_execute_##method(const dpc_problem *p, void *plan, const char *from, char *to);                           \
    void dpc_describe_##method(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);                         \
    void dpc_release_##method(void *plan);
#define PHASES(method, when)
#define WALKER_OTTO(order, execution)
#define ENCODED(when)
#define CHOICE(of) dpc_method_choice dpc_choose_##of;
#define METHOD(name, source, serves, dimension, all, order, sends, execution) execution
#include "../base/methods.def"
#undef METHOD
#undef CHOICE
#undef ENCODED
#undef WALKER_OTTO
#undef PHASES
#undef OWN
#undef LISTS_AT_ONCE
#undef LISTS

void *dpc_plan_met_thakur(const dpc_problem *p);
void dpc_execute_met_together(const dpc_problem *p, void *plan, const char *from, char *to);

void *dpc_plan_walker_natural(const dpc_problem *p);
void *dpc_plan_walker_ready(const dpc_problem *p);
void *dpc_plan_walker_random(const dpc_problem *p);
void *dpc_plan_walker_optimal(const dpc_problem *p);
void *dpc_plan_walker_packed(const dpc_problem *p);
void *dpc_plan_walker_sendrecv(const dpc_problem *p);
void *dpc_plan_walker_derived(const dpc_problem *p);
void dpc_execute_walker_steps(const dpc_problem *p, void *plan, const char *from, char *to);
void dpc_execute_walker_async(const dpc_problem *p, void *plan, const char *from, char *to);
void dpc_execute_walker_sendrecv(const dpc_problem *p, void *plan, const char *from, char *to);
void dpc_describe_walker_otto(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
void dpc_release_walker_otto(void *plan);

/* phases.c.  Strides of a dense local array, row after row, of the process at these coordinates; its elements. */
void dpc_lay_densely(dpc_mapping *m, const dpc_index *at, dpc_index *elements);
/* Whether the elements lie evenly on the processes when the blocks of dimensions first to end - 1 are the least common
 * multiples of the source's and the target's. */
bool dpc_multiple_is_even(const dpc_problem *p, int first, int end);
/* Adds what a phase does to what those before it do. */
void dpc_add_facts(dpc_plan_facts *facts, const dpc_plan_facts *phase);
void *dpc_plan_gcd(const dpc_problem *p);
void *dpc_plan_lcm(const dpc_problem *p);
void dpc_execute_phases(const dpc_problem *p, void *plan, const char *from, char *to);
void dpc_execute_phases_together(const dpc_problem *p, void *plan, const char *from, char *to);
void dpc_describe_phases(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
void dpc_describe_phases_together(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);
void dpc_release_phases(void *plan);

/* ---- onecopy.c: straight from the owners' memory into place where processes share a node, else packed messages. */

#endif

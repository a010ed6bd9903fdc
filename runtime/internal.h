/* What the files of libdpc share among themselves. */
#ifndef DPC_INTERNAL_H
#define DPC_INTERNAL_H

#ifndef DPC_NO_STDIO
#define DPC_NO_STDIO
#endif
#include "dpc.h"
#include "pack.h"

/* The library's own communicator: a duplicate of MPI_COMM_WORLD. */
extern MPI_Comm dpc_communicator;

/* ---- buffer.c */

/* malloc that ends the program when memory runs out, and free; for the pool, which all other memory comes from. */
void *dpc_new_memory(dpc_index count, dpc_index size);
void dpc_free_memory(void *memory);
/* dpc_buffer without the zeroes. */
void *dpc_raw_buffer(dpc_index count, dpc_index size);
/* Debug builds: complains on standard error when buffers are still alive. */
void dpc_check_buffers(void);

/* ---- pool.c: memory, not zeroed, that one transfer leaves to the next. */

void *dpc_take_staging(dpc_index count, dpc_index size);
void dpc_give_staging(void *buffer);
/* Frees what is kept. */
void dpc_free_staging(void);

/* ---- start.c, streams.c */

/* Sends the standard streams of every process but 0 to nowhere; standard input is read by process 0. */
void dpc_open_streams(void);
/* Writes a finished message to the real standard error of this process, after what it has printed before. */
void dpc_print_error(const char *text, size_t length);
void dpc_flush_streams(void);
/* MPI is running. */
bool dpc_running(void);
/* The statement that was begun last: "file:line"; NULL: none. */
extern const char *dpc_statement;
/* The array whose elements it is moving, for errors; NULL: none yet. */
extern const char *dpc_subject;
/* omp_in_parallel, where the program has OpenMP: every thread of a region would execute the statement. */
extern int omp_in_parallel(void) __attribute__((weak));
_Noreturn void dpc_fail_region(const char *where);
/* Ends the program where another thread calls a function of the C library that all processes call together. */
void dpc_check_caller(const char *function);
/* A statement on distributed arrays, or the creation of one, begins. */
static inline void dpc_begin_statement(const char *where) {
    if (!dpc_main_thread) dpc_fail_thread(where);
    if (omp_in_parallel != NULL && omp_in_parallel()) dpc_fail_region(where);
    dpc_statement = where;
    dpc_subject = NULL;
}

/* ---- agreement.c: what must be the same on every process. */

/* A line that says what differs. */
typedef struct {
    char text[800];
} dpc_message_text;

/* Every process has these bytes, by their hash.  (collective) */
bool dpc_same_everywhere(const void *bytes, size_t count);
/* Where one process or more fails, the program ends with what the first of these says.  (collective) */
void dpc_fail_first(const char *where, bool fails, const dpc_message_text *why);

/* ---- grid.c */

void dpc_free_grids(void);
/* The processes that differ from this one only in the coordinates `along` which, ordered by these row-major; made once.
 * MPI_COMM_NULL outside the grid.  (collective over these) */
MPI_Comm dpc_grid_line(dpc_grid *grid, const bool *along);
/* Rank in MPI_COMM_WORLD of the process with these coordinates. */
int dpc_grid_process(const dpc_grid *grid, const dpc_index *coordinates);

/* ---- array.c */

/* Process that owns the element; its position in the local part there (elements).  The element is inside the array. */
int dpc_element_process(const dpc_array *a, const dpc_index *index);
dpc_index dpc_element_offset(const dpc_array *a, const dpc_index *index);
/* The descriptor of an array without storage, which dpc_build allocates, zeroed or not.  Their order is that of a collective
 * operation on every process. */
dpc_array dpc_mapped(const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                     const dpc_format *formats, dpc_grid *grid, const dpc_width *halo, bool corners);
void dpc_build(dpc_array *a, const char *where, bool zero);
extern const dpc_width dpc_no_halo[DPC_MAX_RANK];
/* Gives the array ghost cells of at least these widths; its elements move if it has fewer. */
void dpc_widen_halo(dpc_array *a, const char *where, const dpc_width *halo, bool corners);
/* After a change of bounds or formats. */
void dpc_number_mapping(dpc_array *a);
/* The same array with another mapping and a new local part, whose elements are to be stored. */
dpc_array dpc_remapped(const dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid);
/* Copies the owned elements between arrays of one mapping, whose ghost cells may differ. (local) */
void dpc_copy_owned(const dpc_array *to, const dpc_array *from);
/* Ghost cells stand between the blocks of a process. */
bool dpc_has_gaps(const dpc_array *a);
/* Both arrays lie on the processes in the same way. */
bool dpc_same_mapping(const dpc_array *a, const dpc_array *b);

/* ---- redistribute.c */

/* The elements of a section become those of another array's section.  bounds: NULL: of the whole array. */
void dpc_move_section(const dpc_array *to, const dpc_bounds *to_bounds, const dpc_array *from,
                      const dpc_bounds *from_bounds, const char *where, const char *method, const char *schedule);

/* ---- replica.c: ordinary memory of which every process has a copy, row-major, with the array's extents. */

void dpc_from_replicas(dpc_array *x, const void *memory); /* (local) */
void dpc_to_replicas(const dpc_array *x, void *memory, const char *where);

/* ---- element.c: ends the program where each process may make other calls (dpc_each_element). `array` may be NULL. */
void dpc_check_together(const char *where, const dpc_array *array);

/* ---- space.c */

/* The access that a subscript of index number `d` makes. */
dpc_access dpc_subscript_access(const dpc_space *s, const dpc_subscript *subscript);

/* ---- halo.c */

/* Frees what is kept. */
void dpc_free_refreshes(void);
/* Phases under way and to come, 1 or more: several where corners are wanted. */
int dpc_phases_left(const dpc_refreshing *r);
/* What the messages of the phase under way cost this process, by the default cost model. */
double dpc_phase_seconds(const dpc_refreshing *r);
/* Ends the phase under way, which is not the last, and starts the next. */
void dpc_advance_refresh(dpc_refreshing *r);

/* ---- message.c: point-to-point messages of any length. */

/* One message to or from a process. */
typedef struct {
    int process;
    dpc_index bytes;
    char *data;     /* the bytes */
    char *buffer;   /* the staging memory that holds them, until dpc_close_mail; NULL: they lie elsewhere */
    dpc_index left; /* chunks that have not arrived */
    dpc_index within; /* number, from 1, of the bundle's message that it is a part of; 0: it goes alone */
} dpc_message;

/* Transfers that go together (together.c). */
typedef struct dpc_bundle dpc_bundle;

/* Messages under way in one direction. */
typedef struct {
    MPI_Comm comm;
    int tag;
    dpc_index count; /* messages */
    dpc_message *message;
    int requests, room;
    MPI_Request *request;
    dpc_index *message_of; /* message of each request */
    char *store;           /* buffers of several messages: `stored` of `reserve` bytes are given out, the rest is to come */
    dpc_index reserve, stored;
    dpc_index apart;       /* messages whose buffers are not in the store */
    dpc_bundle *bundle;    /* that the transfer has joined, or NULL; the rest with it only */
    dpc_index parts;       /* messages that are parts of the bundle's */
    dpc_index *arrived;    /* those that have arrived, in this order */
    dpc_index arrivals, taken; /* how many; and how many dpc_next_arrival has returned */
} dpc_mail;

/* Reads DPC_CHUNK_BYTES. */
void dpc_set_chunk(void);
/* A tag that no transfer under way uses; the same on every process. */
int dpc_next_tag(void);
/* `count` messages, to be filled in by the caller (process, bytes), on the library's own communicator. */
dpc_mail dpc_open_mail(int tag, dpc_index count);
/* Allocates the buffer of message k, which becomes its data. */
char *dpc_message_buffer(dpc_mail *mail, dpc_index k);
void dpc_post_receive(dpc_mail *mail, dpc_index k);
/* Message k is packed in its data. */
void dpc_post_send(dpc_mail *mail, dpc_index k);
/* Sends message k from where its bytes lie side by side. */
void dpc_post_stored(dpc_mail *mail, dpc_index k, char *bytes);
/* Bytes of a chunk, at most. */
dpc_index dpc_chunk(void);
/* Sends message k in one piece, whatever a chunk's length; less than 2 GiB. */
void dpc_post_whole(dpc_mail *mail, dpc_index k);
/* Waits for a message that anyone has sent in one piece; in staging memory, *bytes long. */
char *dpc_receive_whole(int tag, dpc_index *bytes);
/* The next message that has arrived completely, -1 when all have.  Empty messages are never returned. */
dpc_index dpc_next_arrival(dpc_mail *mail);
void dpc_wait_mail(dpc_mail *mail);
void dpc_close_mail(dpc_mail *mail);
/* What a message of so many bytes takes of a mail's store: cache lines. */
static inline dpc_index dpc_store_room(dpc_index bytes) {
    return dpc_ceiling(bytes, 64) * 64;
}

/* ---- together.c */

/* A transfer whose messages, of elements of `size` bytes, are known joins the bundle that is open: `post` posts its receives
 * and sends later.  false: there is none, post at once.  The mails stay where they are until they are closed. */
bool dpc_join(dpc_mail *incoming, dpc_mail *outgoing, dpc_index size, void (*post)(void *transfer), void *transfer);
/* The statement that the communication of a transfer counts for: that of the bundle, if one is open. */
const char *dpc_counted_at(const char *where);
/* One more part of the bundle's message is packed: the last one sends it. */
void dpc_part_packed(dpc_bundle *b, dpc_index message);
/* Waits for a message and tells the mails of its parts. */
void dpc_await_parts(dpc_bundle *b);
/* A mail is closed. */
void dpc_leave(dpc_bundle *b);

/* ---- exchange.c: the transfer engine. */

/* One side of a transfer: how its storage is divided along the transfer's axes, and which processes take part. */
typedef struct {
    const dpc_grid *grid; /* NULL: every process takes part in the same way */
    bool possible;        /* false: nobody takes part */
    bool active;          /* this process takes part */
    dpc_addressing addressing;
    dpc_method method;                     /* how the sets are generated; of both ends the same */
    dpc_dim dim[DPC_MAX_RANK];             /* per axis */
    dpc_access access[DPC_MAX_RANK];       /* per axis */
    dpc_index coord[DPC_MAX_RANK];         /* per axis: of this process */
    bool single[DPC_MAX_RANK];             /* per axis: by its format a coordinate has at most one block */
    dpc_index scale[DPC_MAX_RANK];         /* per axis: elements of storage per address */
    int axis_of[DPC_MAX_RANK];             /* per grid dimension: the axis that it divides, or -1 */
    dpc_dim other_dim[DPC_MAX_RANK];       /* per grid dimension without axis: the coordinates that own an element */
    dpc_access other_access[DPC_MAX_RANK]; /*   of this access take part */
    char *storage;                         /* first element of the local part, invariant subscripts included */
} dpc_end;

/* A dimension of `end`'s array that no axis runs along: only the coordinates that own an element of `access` take part.
 */
void dpc_restrict_end(dpc_end *end, const dpc_dim *dim, const dpc_access *access);
/* An axis along `dim`; coord is this process's coordinate, scale in elements. */
void dpc_add_axis(dpc_end *end, int axis, const dpc_dim *dim, const dpc_access *access, dpc_index coord,
                  dpc_index scale);
/* The model that AUTO takes.  The same on every process: depends on nothing local (active, coord, storage). */
dpc_model dpc_choose_model(int rank, const dpc_end *from, const dpc_end *to);
void dpc_finish_exchange(dpc_transfer *t);
/* A transfer that has arrived, with its values in staging memory. */
dpc_transfer *dpc_arrived(void *buffer);
/* The transfer's values stay when it is released: *values points to them (NULL: it does already). */
dpc_transfer *dpc_kept_transfer(dpc_transfer *t, void **values);
/* The staging memory that belongs to a transfer (NULL: none); given back by dpc_release. */
void dpc_set_transfer_buffer(dpc_transfer *t, void *buffer);
/* Nothing is on its way to this process. */
bool dpc_is_here(const dpc_transfer *t);
/* Cuts the iterations low .. high of each index (counted from 0 among this process's own) to a box whose values have been here
 * from the start: perhaps not the largest one, perhaps none. */
void dpc_cut_to_own(const dpc_transfer *t, dpc_index *low, dpc_index *high);

/* ---- fetch.c */

/* The indices of a space that occur in the subscripts of a reference: the axes of its transfer, in the order of the indices
 * or (by_dimension) of the array's dimensions. */
typedef struct {
    int rank;
    int index[DPC_MAX_RANK]; /* per axis: index of the space */
    int dim[DPC_MAX_RANK];   /* per axis: dimension of the array */
} dpc_fetch_axes;

dpc_fetch_axes dpc_find_axes(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* The owners and the executing processes of a reference; to->storage is left out.  Returns the number of elements that
 * this process's iterations read. (local) */
dpc_index dpc_fetch_ends(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool by_dimension,
                         dpc_fetch_axes *axes, dpc_end *from, dpc_end *to);

/* ---- kept.c */

/* Reads DPC_KEEP; frees all values that stay. */
void dpc_set_keeping(void);
void dpc_free_kept(void);

/* ---- plan.c: what of a transfer depends on mappings only. */

/* A process that this process shares elements with. */
typedef struct {
    int process;
    dpc_index elements; /* shared */
    dpc_index place;    /* position in storage at which they lie side by side (elements); -1: they don't */
    dpc_index same;     /* number of the first partner that shares the very same elements; its own when there is none */
} dpc_partner;

/* What this process shares with a partner along one axis where that is one strip (dpc_strip), in iterations; kept by
 * pieces.c. */
typedef struct {
    dpc_index shape; /* of the loops that it was found for; 0: none yet */
    dpc_comb comb;
    dpc_index at, jump, from, from_jump, from_step; /* as in dpc_strip */
} dpc_kept_strip;

/* What this process, on one end of a transfer, shares with the processes of the other end. */
typedef struct {
    int rank;                      /* axes */
    dpc_sets sets[DPC_MAX_RANK];   /* per axis, against the other end's coordinates */
    dpc_index scale[DPC_MAX_RANK]; /* per axis: elements of storage per address */
    dpc_index partners;            /* 0 when this process does not take part */
    dpc_index messages;            /* partners that are other processes; this process, if it is one, comes last */
    dpc_partner *partner;
    dpc_index *number; /* per partner and axis: which of the set's partners it is */
    dpc_kept_strip *strip; /* per partner and axis; NULL: no loops in the program have asked for strips */
} dpc_party;

/* Deposit: where the elements that this process sends stand in their receivers' storage. */
typedef struct {
    int rank;                         /* axes; 0 when this process sends nothing */
    dpc_index partners[DPC_MAX_RANK]; /* per axis: of the sender's set along it */
    dpc_sets *sets[DPC_MAX_RANK];     /* per axis and partner: the same elements, as the receiver would generate them */
    dpc_index *extent[DPC_MAX_RANK];  /* per axis and partner: positions of the receiver along it */
    dpc_index expected;               /* elements that come to this process, its own included */
} dpc_targets;

typedef struct dpc_plan dpc_plan;

/* The plan of a transfer, kept from an earlier one where mappings, accesses, grids, method and model are the same;
 * stays until it is given back.  (local) */
dpc_plan *dpc_take_plan(int rank, const dpc_end *from, const dpc_end *to, dpc_model model);
/* One that is known: none has been freed since it was taken, as dpc_plan_frees counts. */
void dpc_take_plan_again(dpc_plan *plan);
int64_t dpc_plan_frees(void);
void dpc_give_plan(dpc_plan *plan);
const dpc_party *dpc_plan_sender(const dpc_plan *plan);
/* Conventional model; nobody takes part with deposit. */
const dpc_party *dpc_plan_receiver(const dpc_plan *plan);
/* Deposit only. */
const dpc_targets *dpc_plan_targets(const dpc_plan *plan);
/* The messages between this process and its partners, of elements of `size` bytes.  all_buffered: each gets a buffer; else
 * those whose elements lie side by side, or in an earlier one, do not. */
dpc_mail dpc_open_messages(const dpc_party *p, dpc_index size, int tag, bool all_buffered);
/* Makes room for the strips of both parties. */
void dpc_keep_strips(dpc_plan *plan);
/* Frees the plans that are kept. */
void dpc_free_plans(void);
/* Takes how many plans are kept from DPC_PLANS in the environment; how many. */
void dpc_set_plans(void);
dpc_index dpc_most_plans(void);
void dpc_free_redistribution_plans(void); /* redistribute.c */
/* What is shared with a partner along an axis, if it is one run: its first address and length; 0: it is not. */
dpc_index dpc_shared_interval(const dpc_party *p, dpc_index partner, int axis, dpc_index *first);
/* The axes of what is shared with a partner, as it lies in this process's storage. */
void dpc_storage_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes);
/* The same elements side by side, as in a message.  Returns their number. */
dpc_index dpc_dense_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes);

/* ---- routes.c: what moves the elements of a reference, kept from one execution of its statement to the next. */

/* Fetched into a block over positions; copied straight into the left side; moved by loops in the program, which ask for
 * positions or for home's local indices. */
typedef enum { DPC_FETCHED, DPC_COPIED, DPC_MOVED_TO_POSITIONS, DPC_MOVED_HOME } dpc_route_kind;

typedef struct dpc_route {
    const dpc_space *space; /* this to `subscript`: what it was found for */
    dpc_route_kind kind;
    int64_t version, mapping; /* of the space, of the array */
    bool clip;
    dpc_method sets;
    dpc_model model;
    dpc_subscript subscript[DPC_MAX_RANK];
    bool covers;        /* every iteration reads an element */
    dpc_index elements; /* that this process's iterations read */
    dpc_index offset;   /* of the first element owned, from the array's first, bytes; -1: this process sends nothing */
    dpc_plan *plan;     /* valid while `frees` plans have been freed */
    int64_t frees;
    int users;
    int64_t used; /* when, by a count of all uses */
    struct dpc_route *next;
    dpc_fetch_axes axes;
    dpc_end from, to; /* without storage */
} dpc_route;

/* The route with its plan, for a transfer; stays until it is given back.  Checks bounds where they are not known to hold.
 * (local) */
dpc_route *dpc_take_route(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, dpc_route_kind kind);
void dpc_give_route(dpc_route *r);
/* Where this process's elements begin; NULL: it sends nothing. */
static inline char *dpc_route_source(const dpc_route *r, const dpc_array *a) {
    return r->offset < 0 ? NULL : (char *)a->local + r->offset;
}
/* What its messages carry: never AUTO. */
dpc_model dpc_route_model(const dpc_route *r);
void dpc_free_routes(void);
/* fetch.c: fills in axes, ends, elements, offset and covers. */
void dpc_find_ends(dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* exchange.c: starts a transfer of the statement `where`; finished by dpc_finish_exchange, which gives the route back.
 * Ends the counting that the caller has begun.  Deposit requires the receiver's storage, `target`, to be dense over its positions (DPC_POSITION). */
dpc_transfer *dpc_start_exchange(const char *where, dpc_route *route, char *source, char *target, dpc_index size);

/* ---- deposit.c: messages of addresses and values; the receiver generates no sets. */

dpc_targets dpc_open_targets(int rank, const dpc_party *sender, const dpc_end *from, const dpc_end *to);
void dpc_close_targets(dpc_targets *targets);
dpc_index dpc_targets_bytes(const dpc_targets *targets);
/* The axes of what is sent to a partner, as it lies in the receiver's storage. */
void dpc_target_axes(const dpc_plan *plan, dpc_index partner, dpc_axis *axes);
/* Sends to every partner but this process. */
dpc_mail dpc_send_deposits(const dpc_plan *plan, const char *storage, dpc_index size, int tag);
/* Receives until everything that is expected from other processes has come. */
void dpc_receive_deposits(const dpc_plan *plan, char *storage, dpc_index size, int tag);

/* ---- stats.c: what DPC_STATS asks to have counted, per statement ("file:line").  When it is not set, each function
 * costs one test. */

/* executions: of the statement (a saved mask counts as one).  seconds: from the first preparation of messages to the
 * last unpacking, without what is computed in between.  Transfers: messages sent, however many chunks they have, bytes
 * and elements in them; elements copied within the process; sections that describe what was packed, runs that it was
 * packed in; plans.  Gathers and scatters: messages with subscripts, and with values (a scatter's subscripts are among
 * these).  Collectives: reductions, broadcasts of single elements, and inspectors' all-to-alls.  The bytes of a kind of
 * message come after it.  Set up: spaces and refreshes of ghost cells that were not found before with the same bounds and
 * mappings; allocations of memory. */
#define DPC_FOR_COUNTERS(X)                                                                                            \
    X(executions)                                                                                                      \
    X(seconds)                                                                                                         \
    X(messages)                                                                                                        \
    X(bytes)                                                                                                           \
    X(elements)                                                                                                        \
    X(copied)                                                                                                          \
    X(sections)                                                                                                        \
    X(runs)                                                                                                            \
    X(plans_made)                                                                                                      \
    X(plans_reused)                                                                                                    \
    X(index_messages)                                                                                                  \
    X(index_bytes)                                                                                                     \
    X(value_messages)                                                                                                  \
    X(value_bytes)                                                                                                     \
    X(collectives)                                                                                                     \
    X(collective_bytes)                                                                                                \
    X(spaces)                                                                                                          \
    X(allocations)

typedef enum {
#define DPC_COUNTER(name) DPC_COUNT_##name,
    DPC_FOR_COUNTERS(DPC_COUNTER)
#undef DPC_COUNTER
        DPC_COUNTERS
} dpc_counter;

/* DPC_STATS is set. */
extern bool dpc_statistics;
/* Reads DPC_STATS; prints and frees what was counted.  (collective) */
void dpc_open_statistics(void);
void dpc_close_statistics(void);
/* Sections that describe what is shared with a partner, and runs that it is copied in. */
dpc_index dpc_party_sections(const dpc_party *p, dpc_index partner);
dpc_index dpc_party_runs(const dpc_party *p, dpc_index partner);

/* Called by the functions below. */
void dpc_note_execution(const char *where);
void dpc_note_begin(const char *where, dpc_counter messages);
void dpc_note_kind(dpc_counter messages);
void dpc_note_end(void);
void dpc_note(dpc_counter counter, dpc_index amount);
void dpc_note_message(dpc_index bytes);
void dpc_note_transfer(const dpc_party *sender);

/* The statement is executed; what has no `where` of its own until the next belongs to it. */
static inline void dpc_count_execution(const char *where) {
    if (dpc_statistics) dpc_note_execution(where);
}
/* Communication of the statement (NULL: of the one executed) begins, with messages of this kind, goes on with
 * another kind, and ends. */
static inline void dpc_begin_counting(const char *where, dpc_counter messages) {
    if (dpc_statistics) dpc_note_begin(where, messages);
}
static inline void dpc_switch_counting(dpc_counter messages) {
    if (dpc_statistics) dpc_note_kind(messages);
}
static inline void dpc_end_counting(void) {
    if (dpc_statistics) dpc_note_end();
}
static inline void dpc_add_count(dpc_counter counter, dpc_index amount) {
    if (dpc_statistics) dpc_note(counter, amount);
}
/* A message, or collective, of the kind that is under way. */
static inline void dpc_count_message(dpc_index bytes) {
    if (dpc_statistics) dpc_note_message(bytes);
}
/* What the process on this end of a transfer sends and copies. */
static inline void dpc_count_transfer(const dpc_party *sender) {
    if (dpc_statistics) dpc_note_transfer(sender);
}

#endif

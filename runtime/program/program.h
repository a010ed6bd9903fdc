/* What the files that serve generated code share among themselves. */
#ifndef DPC_PROGRAM_H
#define DPC_PROGRAM_H

#include "../base/base.h"
#include "../base/pack.h"
#include "../dpc.h"

/* ---- grid.c */

/* The processes that differ from this one only in the coordinates `along` which, ordered by these row-major; made once.
 * MPI_COMM_NULL outside the grid.  (collective over these) */
MPI_Comm dpc_grid_line(dpc_grid *grid, const bool *along);
/* Whether this process is inside. (local) */
bool dpc_grid_holds(const dpc_grid *grid);
/* Rank in MPI_COMM_WORLD of the process with these coordinates. */
int dpc_grid_process(const dpc_grid *grid, const dpc_index *coordinates);
/* Of the one which differs from this process only in its coordinate along g. */
int dpc_grid_neighbour(const dpc_grid *grid, int g, dpc_index coordinate);

/* ---- array.c */

/* Process that owns the element, of copies the first one's; its position in the local part there (elements).  The
 * element is inside the array. */
int dpc_element_process(const dpc_array *a, const dpc_index *index);
#if DPC_HAS_COPIES
#define dpc_is_spare(array) ((array)->spare)
#else
#define dpc_is_spare(array) DPC_IMPOSSIBLE
#endif
/* How many processes have each element; the process that has copy number `copy` of one; the copy that this process has,
 * or would have. */
dpc_index dpc_copies(const dpc_array *a);
int dpc_copy_process(const dpc_array *a, const dpc_index *index, dpc_index copy);
dpc_index dpc_own_copy(const dpc_array *a);
dpc_index dpc_element_offset(const dpc_array *a, const dpc_index *index);
/* The descriptor of an array without storage, which dpc_build allocates, zeroed or not.  Their order is that of a
 * collective operation on every process. */
dpc_array dpc_mapped(const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                     const dpc_format *formats, dpc_grid *grid, const dpc_width *halo, int corners);
dpc_array dpc_mapped_with(const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                          const dpc_array *base, const dpc_alignment *alignment, const dpc_width *halo, int corners);
/* With the bounds and the mapping of another array, and no ghost cells. */
dpc_array dpc_mapped_like(const char *where, const char *name, dpc_type type, const dpc_array *like);
/* The same as another array of equal extents. */
dpc_array dpc_mapped_as(const char *where, const char *name, dpc_type type, const dpc_bounds *bounds,
                        const dpc_array *model, const dpc_width *halo, int corners);
void dpc_build(dpc_array *a, const char *where, bool zero);
/* Bytes of the largest local part of any process, or more; the same everywhere. */
dpc_index dpc_most_bytes(const dpc_array *a);
/* A mapping that gets no storage, or loses it: its dimensions are let go. */
void dpc_release_mapping(dpc_array *a);
/* Ends the program where processes have different bounds or formats. */
#if DPC_HAS_OTHER_ARRAYS
void dpc_check_alike(const dpc_array *a, const char *where);
#else
#define dpc_check_alike(array, where) DPC_LEFT_OUT
#endif
void dpc_bounds_of(const dpc_array *a, dpc_bounds *bounds);
extern const dpc_width dpc_no_halo[DPC_MAX_RANK];
/* Gives the array ghost cells of at least these widths; its elements move if it has fewer. */
void dpc_widen_halo(dpc_array *a, const char *where, const dpc_width *halo, const bool *beside, int corners);
/* After a change of bounds or formats. */
void dpc_number_mapping(dpc_array *a);
/* What follows from mapping and local part: first, last, origin. (local) */
void dpc_find_origin(dpc_array *a);
/* An array mapped alike, without ghost cells, whose elements are to be stored. */
dpc_array dpc_without_gaps(const dpc_array *a, const char *where);
/* Copies the owned elements between arrays of one mapping, whose ghost cells may differ. (local) */
void dpc_copy_owned(const dpc_array *to, const dpc_array *from);
/* Ghost cells stand between the blocks of a process. */
bool dpc_has_gaps(const dpc_array *a);
/* Whether blocks are dealt from the first element on along every dimension of the grid: collectives along these know
 * what stands where.  NULL: so it is. */
bool dpc_is_along_grid(const dpc_array *a);
/* Both arrays lie on the processes in the same way. */
bool dpc_same_mapping(const dpc_array *a, const dpc_array *b);
/* Whether elements with the same subscripts stand at the same places of local parts of the same processes; elements of
 * the two may differ in size.  (alike.c) */
bool dpc_stand_alike(const dpc_array *a, const dpc_array *b);

/* ---- ties.c: which arrays are aligned with which. */

/* What an array has to do with others; it lives as long as the array, or the first use of it as a base. */
struct dpc_tie {
    dpc_array *array;
    struct dpc_tie *base; /* NULL: it stands alone */
    dpc_alignment alignment[DPC_MAX_RANK];
    struct dpc_tie *followers, *next; /* those aligned with it; the next one of the same base */
    struct dpc_tie *older;            /* of all */
};

/* Notes that an array follows its base; ends what it followed before. */
void dpc_follow(dpc_array *a, dpc_array *base, const dpc_alignment *alignment);
/* The array's followers stand alone, and it leaves its base. */
#if DPC_HAS_TIES
void dpc_untie(dpc_array *a);
#else
#define dpc_untie(array) DPC_LEFT_OUT
#endif
/* What it follows, or NULL. */
const dpc_array *dpc_base_of(const dpc_array *a);
/* What a parameter that inherits its argument's mapping is aligned with by it, or NULL; NULL: no parameter has been
 * received yet. (argument.c sets it) */
extern const dpc_array *(*dpc_inherited_base)(const dpc_array *a);

/* ---- copies.c */

/* The array's local part becomes a copy, if there may be more of them: then it is the array's no more. */
void dpc_leave_copy(dpc_array *a);
/* `changed` becomes the copy that has its mapping, and room for its ghost cells.  False: there is none with the
 * values of a. */
bool dpc_take_copy(const dpc_array *a, dpc_array *changed);
/* The local part has the room for ghost cells that another one is to have. */
bool dpc_has_room(const dpc_array *a, const dpc_array *wanted);
/* a gets the formats of an equal mapping; its gaps stay. */
void dpc_take_formats(dpc_array *a, const dpc_array *from);
/* The array has the values that it had with the contents `before`: copies of others go. */
void dpc_carry_copies(const dpc_array *a, int64_t before);
void dpc_drop_copies(const dpc_array *a);
/* Frees all copies where some process needs their memory; false: there are none, or nobody does.  (collective where
 * there are copies) */
bool dpc_spare_copies(bool needed);

/* ---- align.c */

/* The array takes another mapping, of the same bounds, which it takes over; its elements move.  Followers come along.
 */
void dpc_change_mapping(dpc_array *a, dpc_array *changed, const char *where, const dpc_remapping *how);

/* ---- redistribute.c */

/* The elements of a section become those of another array's section.  bounds: NULL: of the whole array. */
void dpc_move_section(const dpc_array *to, const dpc_bounds *to_bounds, const dpc_array *from,
                      const dpc_bounds *from_bounds, const char *where, const char *method, const char *schedule);

/* ---- replica.c: ordinary memory of which every process has a copy, row-major, with the array's extents. */

void dpc_from_replicas(dpc_array *x, const void *memory); /* (local) */
void dpc_to_replicas(const dpc_array *x, void *memory, const char *where);

/* ---- watch.c: ends the program where each process may make other calls (dpc_each_element). `array` may be NULL. */
#if DPC_USES(dpc_each_element)
void dpc_check_together(const char *where, const dpc_array *array);
#else
#define dpc_check_together(where, array) DPC_LEFT_OUT
#endif

/* ---- space.c */

/* The access that a subscript of index number `d` makes. */
dpc_access dpc_subscript_access(const dpc_space *s, const dpc_subscript *subscript);

/* ---- refresh.c */

/* Ghost cells are under way. */
bool dpc_is_refreshing(const dpc_refreshing *r);
/* Phases under way and to come, 1 or more: several where corners follow one dimension after the other. */
int dpc_phases_left(const dpc_refreshing *r);
/* What the messages of the phase under way cost this process, by the default cost model. */
double dpc_phase_seconds(const dpc_refreshing *r);
/* Ends the phase under way, which is not the last, and starts the next. */
void dpc_advance_refresh(dpc_refreshing *r);

/* ---- aggregate.c */

/* A transfer whose messages, of elements of `size` bytes, are known joins the aggregate that is open: `post` posts its
 * receives and sends later; listed: it describes those that are no parts of the aggregate's, which the program posts.
 * false: there is none, post at once.  The mails stay where they are until they are closed. */
#if DPC_USES(dpc_begin_aggregate)
bool dpc_join(dpc_mail *incoming, dpc_mail *outgoing, dpc_index size, bool listed, void (*post)(void *transfer),
              void *transfer);
/* The statement that the communication of a transfer counts for: that of the aggregate, if one is open. */
const char *dpc_counted_at(const char *where);
#else
#define dpc_join(incoming, outgoing, size, listed, post, transfer) false
#define dpc_counted_at(where) (where)
#endif

/* ---- transfer.c */

struct dpc_transfer {
    void *buffer; /* staging memory with the values, given back by dpc_release; NULL: none */
    bool stays;   /* the buffer does when the transfer is released */
    bool *in_use; /* set false when it is released: it belongs to whoever began it; NULL: it is staging memory */
    bool here;    /* nothing is on its way to this process */
    /* Waits for what is under way in either direction; NULL: nothing is. */
    void (*finish)(dpc_transfer *t);
    void (*cut_to_own)(const dpc_transfer *t, dpc_index *low,
                       dpc_index *high); /* dpc_cut_to_own, while it is not here */
};

/* ---- inspector.c: what an inspector has found, in staging memory: where the elements of accesses are, who asks for
 * those of this process, and who is asked. */
typedef struct dpc_gathering dpc_gathering;
/* What dpc_localise finds: elements number first .. first+own-1 of the own local part, then `others`, then a 0. */
typedef struct {
    dpc_index first, own, others;
    bool left_out;   /* some access has no element */
    uint32_t *place; /* per access */
} dpc_found;
/* As dpc_inspect, but each element of another process comes once; dpc_gather_by brings these behind the own ones. */
dpc_gathering *dpc_localise(const char *where, const dpc_array *a, bool clip, dpc_index count, const dpc_index *index);
const dpc_found *dpc_found_by(const dpc_gathering *x);
/* index, clip: as in dpc_gather; width: as in dpc_gather_rows. */
dpc_gathering *dpc_inspect(const char *where, const dpc_array *a, bool clip, dpc_index width, dpc_index count,
                           const dpc_index *index);
/* Brings the values of the accesses, in their order, from each of the arrays, which stand alike, while they have the
 * same mapping: in the same messages. */
void dpc_gather_by(const dpc_gathering *x, int arrays, const dpc_gathered_values *g);
/* Stores them at their owners; an array without copies. */
void dpc_scatter_by(const dpc_gathering *x, dpc_array *a, const void *values);
/* The same, whose caller stores the values: see dpc_begin_scatter_rows.  The schedule stays until the end. */
dpc_scattering *dpc_begin_scatter_by(const dpc_gathering *x, dpc_array *a);
void dpc_free_schedule(dpc_gathering *x);
/* The same one for another array: it is freed when nobody uses it any more. */
dpc_gathering *dpc_share_schedule(dpc_gathering *x);
/* The process's elements, where they are an interval along each dimension and there are no copies: global index of the
 * first, number and places from one to the next along each; else the numbers are 0.  (local) */
void dpc_find_intervals(const dpc_array *a, dpc_index *first, dpc_index *extent, dpc_index *stride);
/* into[place[k]] = into[place[k]] op from[k], elements; place NULL: place k. */
typedef void dpc_combination(dpc_operation op, char *into, const char *from, const dpc_index *place, dpc_index count);
/* ---- parts.c */

/* That of a type; bytes of its values. */
dpc_combination *dpc_combination_of(dpc_type type);
dpc_index dpc_size_of(dpc_type type);

/* ---- owner_runs.c: elements of an array that lie side by side with one owner. */
typedef struct {
    int owner;
    dpc_index offset, count; /* offset: in the owner's local part, elements */
    union {
        const char *values; /* of parts that go there */
        dpc_index place;    /* where they come to, elements */
    };
} dpc_owner_run;
typedef struct {
    dpc_owner_run *run; /* staging memory */
    dpc_index count, capacity;
} dpc_owner_runs;
void dpc_add_owner_run(dpc_owner_runs *list, dpc_owner_run run);
/* How many elements from that one on, along the last dimension, lie side by side with its owner. */
dpc_index dpc_elements_beside(const dpc_array *a, dpc_index index);
/* Of runs that go between this process and another one: how many, elements in them; in messages, each. */
typedef struct {
    dpc_index runs, elements;
} dpc_run_amount;
typedef struct {
    dpc_index offset, count;
} dpc_run_place;
/* Per process, in staging memory: those of the list that other processes own; those that others list of this one. */
dpc_run_amount *dpc_amounts_of(const dpc_owner_runs *list);
dpc_run_amount *dpc_exchange_amounts(const dpc_run_amount *mine);
/* Messages with each process that there are runs of, so many bytes for a run and an element; without memory. */
dpc_mail dpc_open_run_mail(const dpc_run_amount *of, dpc_index per_run, dpc_index per_element, int tag);

/* ---- part_runs.c: parts of elements on their way to the owners. */
/* Lists `count` parts of `size` bytes, of elements from number `number` on in row-major order, without those that are
 * *neutral unless few of them stand between others. */
void dpc_list_runs(dpc_owner_runs *list, const dpc_array *a, dpc_index number, dpc_index count, const char *parts,
                   dpc_index size, const char *neutral);
/* What owners do with values of `size` bytes that come to them. */
typedef struct {
    dpc_index size;
    void (*combine)(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count);
    const dpc_parts *parts;
} dpc_run_combination;
/* Every owner combines them with its elements, in order of the processes. */
void dpc_combine_runs(dpc_array *a, const dpc_run_combination *c, const dpc_owner_runs *list);

/* ---- exact_parts.c: sums of elements that are rounded once */
/* Of how many a sum of the type consists, and their bytes together. */
int dpc_sums_of(dpc_type type);
dpc_index dpc_bytes_of_sums(dpc_type type);
/* Every owner adds those of all processes to its elements. */
void dpc_combine_exact_parts(dpc_parts *x, const dpc_owner_runs *list);

void dpc_finish_transfer(dpc_transfer *t);
/* A transfer that has arrived, with its values in staging memory. */
dpc_transfer *dpc_arrived(void *buffer);
/* The transfer's values stay when it is released: *values points to them (NULL: it does already). */
dpc_transfer *dpc_reused_transfer(dpc_transfer *t, void **values);

/* ---- reuse.c: the place is given back at the end. */
void dpc_list_reused(dpc_reused *reused);
/* Frees what dpc_keep_submatrix keeps, in programs that call it; it sets this. */
extern void (*dpc_free_kept)(dpc_reused *reused);
void dpc_free_kept_submatrix(dpc_reused *reused);
/* Whether its schedule is that of these iterations and inputs; afterwards it is noted for them. */
bool dpc_is_known(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input);
/* Cuts the iterations low .. high of each index (counted from 0 among this process's own) to a box whose values have
 * been here from the start: perhaps not the largest one, perhaps none. */
void dpc_cut_to_own(const dpc_transfer *t, dpc_index *low, dpc_index *high);

/* ---- broadcast.c: what dpc_broadcast and dpc_share_element (lines.c) do where nothing is kept. */
dpc_transfer *dpc_broadcast_once(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
void *dpc_share_element_once(const dpc_space *s, const dpc_array *a, void *value, const dpc_subscript *subscripts);
/* Copies this process's elements of a reference side by side.  place: that of the invariant subscripts. (local) */
void dpc_pack_reference(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, const void *place,
                        void *to);

/* How many plans of each kind are kept: DPC_PLANS in the environment. */
dpc_index dpc_most_plans(void);

/* ---- exchange.c: the transfer engine. */

/* One side of a transfer: how its storage is divided along the transfer's axes, and which processes take part. */
typedef struct {
    const dpc_grid *grid; /* NULL: every process takes part in the same way */
    bool possible;        /* false: nobody takes part */
    bool active;          /* this process takes part */
    dpc_addressing addressing;
    dpc_method method;               /* how the sets are generated; of both ends the same */
    dpc_dim dim[DPC_MAX_RANK];       /* per axis */
    dpc_access access[DPC_MAX_RANK]; /* per axis */
    dpc_index coord[DPC_MAX_RANK];   /* per axis: of this process */
    bool single[DPC_MAX_RANK];       /* per axis: by its format a coordinate has at most one block */
    dpc_index scale[DPC_MAX_RANK];   /* per axis: elements of storage per address */
    int axis_of[DPC_MAX_RANK];       /* per grid dimension: the axis that it divides, or -1 */
    bool alike[DPC_MAX_RANK];        /* per grid dimension, of both ends: each coordinate deals with its own copy */
    dpc_dim other_dim[DPC_MAX_RANK]; /* per grid dimension without axis: the coordinates that own an element */
    dpc_access other_access[DPC_MAX_RANK]; /*   of this access take part */
    char *storage;                         /* first element of the local part, invariant subscripts included */
} dpc_end;

/* A dimension of `end`'s array that no axis runs along: only the coordinates that own an element of `access` take part.
 */
void dpc_restrict_end(dpc_end *end, const dpc_dim *dim, const dpc_access *access);
/* The dimensions of the grid that the array is not divided along.  all_copies: of copies every coordinate takes part,
 * else the first. */
#if DPC_HAS_COPIES
void dpc_hold_end(dpc_end *end, const dpc_array *a, bool all_copies);
#else
#define dpc_hold_end(end, array, all_copies) DPC_LEFT_OUT
#endif
/* An axis along `dim`; coord is this process's coordinate, scale in elements. */
void dpc_add_axis(dpc_end *end, int axis, const dpc_dim *dim, const dpc_access *access, dpc_index coord,
                  dpc_index scale);
/* What the format of dimension k of the array says about the axis. */
void dpc_set_format(dpc_end *end, int axis, const dpc_array *a, int k);
/* The model that AUTO takes.  The same on every process: depends on nothing local (active, coord, storage). */
dpc_model dpc_choose_model(int rank, const dpc_end *from, const dpc_end *to);

/* ---- fetch.c */

/* The indices of a space that occur in the subscripts of a reference: the axes of its transfer, in the order of the
 * indices or (by_dimension) of the array's dimensions. */
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
/* The other way round: from the executing processes, which have a value at each position of the indices that occur, to
 * all copies of the elements.  (local) */
void dpc_result_ends(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, dpc_fetch_axes *axes,
                     dpc_end *from, dpc_end *to);

/* ---- partners.c: what this process shares with others. */

/* A process that this process shares elements with. */
typedef struct {
    int process;
    dpc_index elements; /* shared */
    dpc_index place;    /* position in storage at which they lie side by side (elements); -1: they don't */
    dpc_index same;     /* number of the first partner that shares the very same elements; its own when there is none */
    dpc_index coordinate; /* on the other end; of line.c */
} dpc_partner;

/* What this process shares with a partner along one axis where that is one strip (dpc_strip), in iterations; kept by
 * pieces.c. */
typedef struct {
    dpc_index shape; /* of the loops that it was found for; 0: none yet */
    dpc_comb comb;
    dpc_index at, jump, from, from_jump, from_step; /* as in dpc_strip */
} dpc_cached_strip;

/* What this process, on one end of a transfer, shares with the processes of the other end. */
typedef struct {
    int rank;                      /* axes */
    dpc_sets sets[DPC_MAX_RANK];   /* per axis, against the other end's coordinates */
    dpc_index scale[DPC_MAX_RANK]; /* per axis: elements of storage per address */
    dpc_index *number;             /* per partner and axis: which of the set's partners it is */
    dpc_index partners;            /* 0 when this process does not take part */
    dpc_index messages;            /* partners that are other processes; this process, if it is one, comes last */
    dpc_partner *partner;
    dpc_cached_strip *strip; /* per partner and axis; NULL: no loops in the program have asked for strips */
} dpc_party;

#if DPC_USES(DPC_MODEL_DEPOSIT)
/* Deposit: where the elements that this process sends stand in their receivers' storage. */
typedef struct {
    int rank;                         /* axes; 0 when this process sends nothing */
    dpc_index partners[DPC_MAX_RANK]; /* per axis: of the sender's set along it */
    dpc_sets *sets[DPC_MAX_RANK];     /* per axis and partner: the same elements, as the receiver would generate them */
    dpc_index *extent[DPC_MAX_RANK];  /* per axis and partner: positions of the receiver along it */
    dpc_index expected;               /* elements that come to this process, its own included */
} dpc_targets;
#endif

/* The sets of this process, which is on the end `mine`, against the end `other`, and its partners there. */
dpc_party dpc_open_party(int rank, const dpc_end *mine, const dpc_end *other);
void dpc_close_party(dpc_party *p);
/* Memory of its lists. */
dpc_index dpc_party_bytes(const dpc_party *p);

/* ---- plans.c: what of a transfer depends on mappings only. */

typedef struct dpc_plan dpc_plan;

/* The plan of a transfer, kept from an earlier one where mappings, accesses, grids, method and model are the same;
 * stays until it is given back.  (local) */
dpc_plan *dpc_take_plan(int rank, const dpc_end *from, const dpc_end *to, dpc_model model);
#if DPC_HAS_EXCHANGES
/* One that is known: none has been freed since it was taken, as dpc_plan_frees counts. */
void dpc_take_plan_again(dpc_plan *plan);
int64_t dpc_plan_frees(void);
void dpc_give_plan(dpc_plan *plan);
/* Kept plans outlive the routes that took them. */
static inline void dpc_drop_plan(const dpc_plan *plan) {
    (void)plan;
}
#else
#define dpc_take_plan_again(plan) DPC_LEFT_OUT
#define dpc_plan_frees() 0
#define dpc_give_plan(plan) DPC_LEFT_OUT
void dpc_drop_plan(dpc_plan *plan);
#endif
const dpc_party *dpc_plan_sender(const dpc_plan *plan);
/* Conventional model; nobody takes part with deposit. */
const dpc_party *dpc_plan_receiver(const dpc_plan *plan);
#if DPC_USES(DPC_MODEL_DEPOSIT)
/* Deposit only. */
const dpc_targets *dpc_plan_targets(const dpc_plan *plan);
#endif
/* The messages between this process and its partners, of elements of `size` bytes.  all_buffered: each gets a buffer;
 * else those whose elements lie side by side, or in an earlier one, do not. */
dpc_mail dpc_open_messages(const dpc_party *p, dpc_index size, int tag, bool all_buffered);
/* Makes room for the strips of both parties. */
void dpc_keep_strips(dpc_plan *plan);
/* What is shared with a partner along an axis, if it is one run: its first address and length; 0: it is not. */
dpc_index dpc_shared_interval(const dpc_party *p, dpc_index partner, int axis, dpc_index *first);
/* The axes of what is shared with a partner, as it lies in this process's storage. */
void dpc_storage_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes);
#ifdef DPC_STANDALONE
#define dpc_count_transfer(sender) DPC_LEFT_OUT
#else
/* What the process on this end of a transfer sends and copies, for DPC_STATS. */
void dpc_note_transfer(const dpc_party *sender);
static inline void dpc_count_transfer(const dpc_party *sender) {
    if (dpc_statistics) dpc_note_transfer(sender);
}
#endif
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

/* The route with its plan, for a transfer; stays until it is given back.  Checks bounds where they are not known to
 * hold. (local) */
dpc_route *dpc_take_route(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, dpc_route_kind kind);
void dpc_give_route(dpc_route *r);
/* Where this process's elements begin; NULL: it sends nothing. */
static inline char *dpc_route_source(const dpc_route *r, const dpc_array *a) {
    return r->offset < 0 ? NULL : (char *)a->local + r->offset;
}
/* What its messages carry: never AUTO. */
#if DPC_HAS_EXCHANGES
dpc_model dpc_route_model(const dpc_route *r);
#else
#define dpc_route_model(route) DPC_MODEL_CONVENTIONAL
#endif
/* fetch.c: fills in axes, ends, elements, offset and covers. */
void dpc_find_ends(dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* line.c: whether a move goes along one dimension of both arrays, each over a grid of one; the same of such a one. */
bool dpc_is_line(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
void dpc_find_line(dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* exchange.c: starts a transfer of the statement `where`; finishing it gives the route back.
 * Ends the counting that the caller has begun.  Deposit requires the receiver's storage, `target`, to be dense over its
 * positions (DPC_POSITION). */
dpc_transfer *dpc_start_exchange(const char *where, dpc_route *route, char *source, char *target, dpc_index size);

/* ---- deposit.c: messages of addresses and values; the receiver generates no sets. */

#if DPC_USES(DPC_MODEL_DEPOSIT)
dpc_targets dpc_open_targets(int rank, const dpc_party *sender, const dpc_end *from, const dpc_end *to);
void dpc_close_targets(dpc_targets *targets);
dpc_index dpc_targets_bytes(const dpc_targets *targets);
/* The axes of what is sent to a partner, as it lies in the receiver's storage. */
void dpc_target_axes(const dpc_plan *plan, dpc_index partner, dpc_axis *axes);
/* Sends to every partner but this process. */
dpc_mail dpc_send_deposits(const dpc_plan *plan, const char *storage, dpc_index size, int tag);
/* Receives until everything that is expected from other processes has come. */
void dpc_receive_deposits(const dpc_plan *plan, char *storage, dpc_index size, int tag);
#else
#define dpc_close_targets(targets) DPC_LEFT_OUT
#define dpc_receive_deposits(plan, storage, size, tag) DPC_LEFT_OUT
#define dpc_targets_bytes(targets) 0
#endif

#endif

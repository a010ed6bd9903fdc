/* Private to codegen: the parts of an SPMD parallel statement.  `mask` says which piece of a statement is meant: the
 * number of a mask that is being saved beforehand, or -1 for the statement itself.  `which` is the number of an inner
 * reduction whose loops are meant, or -1 for the statement's own. */
#ifndef DPC_CODEGEN_SPMD_H
#define DPC_CODEGEN_SPMD_H

#include "emitter.h"

/* ---- What stands in loops, and which loops these are */
typedef struct body {
    emitter *e;
    const parallel *s;
    int mask;
    int which;                 /* the inner reduction whose loops are open */
    const reference *gathered; /* the inspector is collecting the subscripts of this one; else NULL */
    bool threads;              /* no iteration depends on what another one leaves in variables */
    bool tuples;               /* the inspector is in the loops of the reduction that `gathered` belongs to */
    bool rows;                 /* of `gathered` the first element of each row is looked for */
    bool recording;            /* --check=all: `gathered` is the left side, whose elements are noted */
    bool checking;             /* `gathered` is no gather: its subscripts are compared with its array's bounds */
    const parallel *checked;   /* iterations that leave this statement's home are looked for */
    const char *mask_buffer;   /* where the mask that is being saved goes */
    parallel *const *chain;    /* the statements that are executed in one nest of loops, or NULL: s alone */
    int chained;
    bool boxes;    /* the loops run over boxes, */
    bool part;     /* one, which is there already: of a tile in time; */
    bool stages;   /* which are stages of a pipeline */
    bool tiles;    /* the loop of the last index steps by tiles */
    bool function; /* the loops stand in a function, their bounds are parameters */
} body;
typedef void (*emit_inside)(body *);

/* ---- Names and addresses (address.c): each is used where it is asked for, but for declared_..., its declaration */
/* "i_shift": what belongs to index k. */
const char *name_of(emitter *e, const parallel *s, int k, const char *what);
/* The elements of the local part that stand side by side along dimension d, 1 <= d < rank; as a function's parameter.
 */
const char *size_text(emitter *e, const array *a, int d);
const char *declared_size(emitter *e, const array *a, int d);
/* The local index that dimension d of a reference in place has, whose names are not used yet; false: the subscript is
 * no linear form, and home has no index there. */
bool find_local_index(emitter *e, const parallel *s, const reference *r, int d, linear *x);
/* What is taken from home's subscript of an index that is found in pieces; it uses no name. */
const char *shift_of_piece(emitter *e, const parallel *s, int k);
/* What is taken from a subscript of a reference with its own places; of an invariant one, its place. */
const char *declared_begin(emitter *e, const parallel *s, const reference *r, int d);
/* The name of home's local index along dimension d where its subscript is invariant. */
const char *declared_at(emitter *e, const reference *home, int d);
/* The left side's element at the first position of the last dimension's index, the other indices at position "i_at";
 * their local indices of position 0 are "i_local". */
const char *left_row(emitter *e, const parallel *s);
/* Row-major position over the indices that `uses` selects; NULL: none. */
const char *position_text(emitter *e, const parallel *s, const bool *uses);
/* "*restrict B_in", "(*restrict B_in)[..]": what points to the values of a moved reference. */
const char *block_of_values(emitter *e, const parallel *s, const reference *r);
/* The counter that walks through the values of a gather. */
const char *counter_of(emitter *e, const reference *r);
/* Where the accesses of a localised gather find their elements. */
const char *place_of_access(emitter *e, const reference *r);

/* ---- The space (space.c) */
/* dpc_subscript initialisers of a reference; of home: dimensions that decide nothing get a dummy. */
const char *subscripts_text(emitter *e, const parallel *s, const reference *r, bool home);
/* One that advances with an index. */
const char *stepping_text(emitter *e, const subscript *u);
void emit_space(emitter *e, const parallel *s);
/* The name of the space, used. */
const char *space_of(emitter *e);
/* The boxes of indices whose bounds are saved. */
void emit_boxes_of_bounds(emitter *e, const parallel *s);
/* Whether nothing but inspectors needs the boxes of a reduction's ragged indices, and these only how many values there
 * are; computes that. */
bool counts_with_inspector(const emitter *e, const parallel *s, int which);
void emit_ragged_count(emitter *e, const parallel *s, int which);
/* The name of the number of values that those of a reduction have in all iterations together. */
const char *ragged_count(emitter *e, const parallel *s, int which);

/* ---- Views of local parts (views.c) */
/* How a statement's loops write the elements of an array that are in place.  origin: what the pointer leaves out of a
 * subscript, so that the source's subscripts find the elements; local: local indices stand in the text instead. */
struct array_view {
    const array *array;
    bool local[MAX_RANK];
    linear origin[MAX_RANK];
    bool by_runs[MAX_RANK]; /* it differs from run to run */
    bool in_runs;           /* one of them does */
    bool own[MAX_RANK];     /* it is what stands before the array's own first element; */
    bool has_own_origin;    /* in all dimensions: the array keeps where its origin is */
};
const array_view *view_in(emitter *e, const parallel *s, const array *a);
/* "double (*restrict U)[U_row]" as a parameter or a variable; it uses no name. */
const char *pointer_text(emitter *e, const parallel *s, const array *a, bool stored, bool function);
/* Declares the pointers of this piece of the statement: in its prologue, or (in_runs) in the loops over runs. */
void emit_views(emitter *e, const parallel *s, int mask, bool in_runs);

/* ---- Values in place and moved (moves.c) */
/* "restrict " where no other array of the statement may be the same; else "". */
const char *restrict_word(const emitter *e, const parallel *s, const array *a);
/* Compares subscripts of what is read in place with bounds, where these are not known to hold. */
void emit_bounds_checks(emitter *e, const parallel *s, int mask);
/* Where places are counted from in this statement, or in a run of index k. */
void emit_begins(emitter *e, const parallel *s, int mask);
void emit_run_begins(emitter *e, const parallel *s, int k);
/* Local indices of home's invariant subscripts. */
void emit_invariants(emitter *e, const parallel *s);
/* Starts every move of the statements: those of several travel together. */
void emit_fetches(emitter *e, const parallel *const *s, int count, int mask);
/* Waits for every move, whose values are released at the end of the block. */
void emit_arrivals(emitter *e, const parallel *s, int mask);
/* In loops over boxes: the moves that these wait for, as further arguments of dpc_first_box_of ("": none), and where
 * their values will be. */
const char *awaited_moves(emitter *e, const parallel *s);
void emit_arriving(emitter *e, const parallel *s);

/* ---- Ghost cells (halos.c) */
/* What the refresh brings, for a comment. */
void comment_refresh(emitter *e, text *out, const parallel *s, int mask, const char *indent);
/* Brings the ghost cells up to date that this piece of the statement reads, and waits unless the loops do. */
void emit_refresh(emitter *e, const parallel *s, int mask);
void emit_end_refresh(emitter *e, const parallel *s, int mask);
/* Waits for what loops over boxes would wait for. */
void emit_await(emitter *e, const parallel *s, int mask);
/* Opens the loop over boxes; with what each box declares. */
code *open_box_loop(emitter *e, const parallel *s, bool bare);
code *open_boxes(emitter *e, const parallel *s);
/* Declares the last values of indices that a box has, for loops that do not declare them themselves. */
void emit_ends_of_box(emitter *e, const parallel *s);
/* After a statement that stores into an array of which copies are kept. */
void emit_changed(emitter *e, const parallel *s);

/* ---- Pipelines (pipeline.c) */
/* What goes from process to process, for a comment. */
void comment_pipeline(emitter *e, text *out, const parallel *s, const char *indent);
/* Opens the loop over the stages of a pipeline; with what each declares. */
code *open_stages(emitter *e, const parallel *s);
/* ---- Scalars that iterations of a pipeline leave to the next (carried.c) */
/* What stands before the loops and behind them. */
void open_carried(body *b);
void close_carried(emitter *e, const parallel *s);
void mark_leaves(emitter *e, const parallel *s);
/* The variables of independent loops that are declared before them, behind them. */
void emit_last_values(emitter *e, const parallel *s);

/* ---- Moves by closed forms (closed.c) */
/* The name of a reference's dpc_move or dpc_transfer. */
const char *move_name(emitter *e, const reference *r);
/* Where the value of a reference stands in a piece, as C text. */
const char *piece_place(emitter *e, const parallel *s, const reference *r);
void emit_piece_strips(emitter *e, const parallel *s);
/* outer: the loops around those over the values of index k. */
void open_piece_loop(emitter *e, const parallel *s, int k, bool outer);
/* Opens the loop over the pieces of a move as they come. */
code *open_pieces(emitter *e, const reference *r);
/* Opens a move; packs. */
void emit_open(emitter *e, const parallel *s, const reference *r, const char *by);
/* sends: each message when it is packed. */
void emit_pack(emitter *e, const parallel *s, const reference *r, bool sends);
/* The function that packs and sends it, and returns it; NULL: it has none. (exchanges.c) */
const char *exchange_of(emitter *e, const parallel *s, const reference *r);
/* A table of boundary indices: [mine][other].  One run a pair; runs that the range cuts, or that the pair does.
 * (boundaries.c) */
typedef enum { BOUNDARIES_OF_ONE, BOUNDARIES_OF_RUNS, BOUNDARIES_OF_CUT_RUNS } boundary_shape;
const char *boundary_type(boundary_shape shape);
/* The entry of a pair, as an initialiser. */
const char *boundary_text(emitter *e, const pair_boundary *x, boundary_shape shape);
void emit_boundaries(emitter *e, const char *name, const boundary_table *b, boundary_shape shape, const char *mine,
                     const char *other);
/* The iterations that a pair of processes shares along dimension d, in the notation of Lee and Chen. */
const char *set_words(emitter *e, const parallel *s, const reference *r, int d);

/* ---- Messages whose MPI calls stand in the text (messages.c): those of a move or an aggregate, by its name */
void emit_receives(emitter *e, const char *messages);
/* The loop over what is sent, and the call in it; both. */
code *open_sends(emitter *e, const char *messages);
void emit_send(emitter *e, const char *messages);
void emit_sends(emitter *e, const char *messages);

/* ---- --check=all (agreement.c) */
/* Compares the variables and the memory that the group's statements read, of which every process has a copy, and what
 * was evaluated before the first one; what was evaluated after so many; the same of a reduction. */
void emit_agreement(emitter *e, const group *g);
void emit_agreement_of_hoisted(emitter *e, const group *g, size_t after);
void emit_agreement_of(emitter *e, const parallel *s);

/* ---- --check=all (later.c) */
/* Puts off the comparison of a statement, or of the saving of its mask, in which no process waits for another. */
void emit_later(emitter *e, const parallel *s, int mask);

/* ---- --check=all (replicas.c) */
/* Whether a variable is declared around a statement; is assigned in it, in which case it may be each process's own. */
bool is_declared_around(const symbol *s, const node *statement);
bool is_assigned_in_statement(const symbol *s, const node *statement);
/* Whether every process has the variable, of any type; a number; arithmetic on such and on constants. */
bool is_own_copy(const emitter *e, const node *statement, const symbol *s);
bool is_replica(const emitter *e, const node *statement, const symbol *s);
bool is_steady_replica(const emitter *e, const node *statement, const node *n);
/* Whether the statement stores into what belongs to the variable; or, every process having it, reads memory of it. */
bool is_stored_into(const node *statement, const symbol *s);
bool has_object(const emitter *e, const node *statement, const symbol *s);

/* ---- --check=all (foreseen.c) */
/* Compares subscripts of ordinary memory whose ends are known, before the statement's loops. */
void foresee(emitter *e, const parallel *s);
/* The statement's index that a term is, or NULL. */
const loop_index *index_of_term(const parallel *s, const linear_term *t);

/* ---- --check=all (recording.c) */
/* The element that an iteration assigns, in its loops; what stands before them and behind. */
void emit_recorded(emitter *e, const parallel *s);
code *open_recording(emitter *e, const parallel *s);
void close_recording(emitter *e, const parallel *s, code *around);
/* An `independent` loop: whether some array's elements are noted, and their tables; what each iteration begins with;
 * what stands behind the loop. */
bool begin_accesses(emitter *e, const parallel *s);
void emit_iteration_accesses(emitter *e, const parallel *s);
void end_accesses(emitter *e, const parallel *s);
/* Whether an array's elements are noted; the name of the table; the indices that say which iteration it is.
 * (accesses.c) */
const char *recorded_name(emitter *e, const symbol *s);
int recorded_indices(const parallel *s);
bool records_accesses(emitter *e, const parallel *s, const symbol *name);

/* ---- Loops over runs (loops.c) */
/* Runs that don't depend on other loops, and the extents of buffers. */
void emit_runs(emitter *e, const parallel *s);
/* Whether this process has the elements of home's invariant subscripts; "": there are none, or others ask. */
const char *ownership_text(const body *b);
/* Opens the loops over the runs of every index that has several, around all loops over their values: block by block. */
void open_run_loops(const body *b, int which);
/* Opens the loops of the indices of reduction `which` (-1: the statement's own); returns the block around them. */
code *open_loops(const body *b, int which);
/* The statement's loops from index `from` on, each in one run. */
code *open_inner_loops(const body *b, int from);
/* The loop over all values that the process has of the first index. */
code *open_outer_loop(const body *b);

/* ---- Products (products.c) */
/* Computes the results of a product's reduction: into the left side, or into a buffer, released by emit_end_product. */
void emit_product(emitter *e, const parallel *s);
void emit_end_product(emitter *e, const parallel *s);
/* "A_panel", of the second operand of an array "A_panel_2"; the results' buffer; the operand that brings what r reads.
 * (operands.c) */
const char *operand_name(emitter *e, const reference *r, const char *what);
const char *buffer_name(emitter *e, const parallel *s);
const reference *operand_of(const emitter *e, const parallel *s, const reference *r);
/* Where an operand's value stands in its panel; where a result stands in the buffer. */
const char *operand_text(emitter *e, const parallel *s, const reference *r);
const char *product_result(emitter *e, const parallel *s);
/* What moves, for a comment: an operand that comes in panels. */
void comment_operand(emitter *e, text *out, const parallel *s, const reference *r, const char *indent);

/* ---- What combines the processes' results of reductions (combined.c): declares those of a chain; combines one, those
 * of a chain, unless the statement that uses the result does; what stands there */
void start_chain(emitter *e, const parallel *s);
void combine_result(emitter *e, const parallel *s);
void combine_chain(emitter *e, const fusion *c);
const char *reduction_result(const emitter *e, const parallel *s);

/* ---- Reductions for each element (results.c): their execution; the end of their results, behind the statement */
void emit_results_of_elements(emitter *e, const parallel *s);
void free_results_of_elements(emitter *e, const parallel *s);
/* Row-major position over the indices that `uses` selects, from the loops' own counters where these tell it. */
const char *position_by_value(body *b, const bool *uses);
/* The result for the left side's element. (address.c) */
const char *element_result(emitter *e, const parallel *s);

/* ---- reduction(op: s) (partials.c): the parts before the loop, their names in it, the results behind it */
void emit_partials(emitter *e, const parallel *s);
void name_partials(emitter *e, const independent_loop *x, node *n);
void combine_partials(emitter *e, const parallel *s);
/* Of --reproducible: the type of an element's sum; the statement that makes an ordinary array's sums, the one that adds
 * those of all processes, the one that rounds them and adds them to its elements. (exact.c) */
const char *exact_cell(const partial_result *r);
const char *exact_memory(emitter *e, const partial_result *r, const char *count);
const char *exact_memory_combined(emitter *e, const partial_result *r, const char *count);
const char *exact_memory_added(emitter *e, const partial_result *r, const char *count);
/* The part of an element of a distributed array, whose subscripts are rewritten; NULL: the array has none. */
const char *part_of_element(emitter *e, const node *name, node **subscripts, int count);

/* ---- Ways to execute: row by row (rows.c); values that go to owners found at run time (scatter.c) */
void emit_rows(emitter *e, const parallel *s);
void emit_kept_rows(emitter *e, const parallel *s);
void emit_scatter(emitter *e, const parallel *s);

/* ---- Loops under `independent` (independent.c): what stands behind the prologue */
/* The variables of loops whose indices have other names, as far as n mentions them. */
void emit_loop_variables(emitter *e, const parallel *s, const node *n);
void emit_independent(body *b);

/* ---- Inner reductions of a tile of values at once (tiles.c) */
/* Values of a tile: its results, and as many elements of a few arrays, stay in the first-level cache. */
enum { TILE_VALUES = 512 };
/* The name of the values of index k that a tile begins with. (loops.c) */
const char *tile_name(emitter *e, const parallel *s, int k);

/* ---- Threads (openmp.c) */
/* The directive that shares the loop of index k among threads, where that is possible. */
void emit_team(const body *b, int k);

/* The same for a loop over the rows of a product. */
void emit_rows_team(emitter *e, const parallel *s);

/* ---- The body of the loops, and gathers (inspector.c) */

/* The statement's loops over tiles: all inner reductions of a tile, then `inside` for each of its values. */
void emit_tiles(body *b, emit_inside inside);

/* ---- Loops of stencils as functions (outline.c) */
void emit_outline(body *b, emit_inside inside);

/* ---- Time tiling (tiling.c): the statements of a loop */
void emit_time_tiling(emitter *e, const time_tiling *t);
/* The loops of one for what `box` has of its elements. (parallel.c) */
void emit_stencil_part(emitter *e, const parallel *s);

/* ---- Comments (comments.c) */
void emit_comment(emitter *e, const parallel *s, int mask);
void comment_chain(emitter *e, const fusion *c);

/* What stands before the loops of a statement, and behind them. (parallel.c) */
void emit_prologue(emitter *e, const parallel *s, int mask);
void emit_epilogue(emitter *e, const parallel *s, int mask);

/* ---- Checks of subscripts (checks.c) */
/* The checks of one iteration. */
void emit_subscript_checks(emitter *e, const parallel *s, const reference *r);
/* The condition that one of these subscripts is outside the array; "": none is checked, or some are not affine. */
const char *outside_text(emitter *e, const parallel *s, const reference *r);
/* dpc_subscript initialisers whose ends are compared, those of owners only; what conditions leave of the indices. */
const char *compared_text(emitter *e, const parallel *s, const reference *r, bool owner);
const char *limits_text(emitter *e, const parallel *s, const reference *r);
/* Looks for executed iterations outside home; mask >= 0: saves that mask for them by `inside`. (outside.c) */
void emit_outside(emitter *e, const parallel *s, int mask, emit_inside inside);

/* In the body of an independent loop: C loops compare the ends of what they step through as they begin. (ends.c) */
void emit_end_checks(emitter *e, const parallel *s);

/* Before the loop: what each of its iterations evaluates. */
void emit_range_checks(emitter *e, const parallel *s);

/* Calls `inside` in the statement's loops, under its masks. */
void emit_nest(body *b, emit_inside inside);
/* The condition of all masks of this process's iterations. */
const char *condition_text(emitter *e, const parallel *s);
/* Computes the inner reductions of one iteration. */
void emit_inner_reductions(body *b);
/* Steps the counters of gathered values: those read under the mask, or those that the mask itself reads. */
void emit_counters(body *b, int which, bool in_mask);
/* The number of iterations that this process executes, as C text. */
const char *mine_count(emitter *e, const parallel *s, int which);
/* Finds out what gathers need and brings it; declares their counters. */
void emit_gathers(emitter *e, const parallel *s, int mask);
/* The loops that collect subscripts: the buffer NAME_where and NAME_n, by the name of r's buffer. */
void emit_subscripts(emitter *e, const parallel *s, const reference *r, int mask);
/* "_rows" where the elements of r move as rows, else ""; how many elements are side by side in these. */
const char *rows_word(const parallel *s, const reference *r, int mask);
const char *row_width(emitter *e, const parallel *s, const reference *r, int mask);
/* " * 2" for an array of rank 2, of the number of subscripts; "" for one of rank 1. */
const char *each_text(emitter *e, const reference *r, const char *op);
/* The inputs of a gather or scatter whose owners stay known: two arguments. */
const char *inputs_text(emitter *e, const reference *r);
void free_gathers(emitter *e, const parallel *s, int mask);

/* ---- What is read of matrices in arrays of one dimension (submatrices.c) */
/* Declares the values of indices that the fetches of a piece of work name; one fetch, and what frees it. */
void begin_submatrices(emitter *e, const parallel *s, int mask);
void emit_submatrix(emitter *e, const parallel *s, const reference *r, int mask);
void free_submatrix(emitter *e, const reference *r);
/* The condition that some element of it is outside the array. */
const char *submatrix_leaves(emitter *e, const parallel *s, const reference *r);

#endif

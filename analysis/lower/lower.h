/* Private to the folder, and to those behind it: the parts of the passes "lower" and "home". */
#ifndef DPC_ANALYSIS_LOWER_H
#define DPC_ANALYSIS_LOWER_H

#include "../model/model.h"

/* How shift intrinsics move what is read along a section of the statement. */
typedef struct {
    bool moved, cycled;
    linear distance;  /* elements from the iteration's position to the element's, all shifts as written */
    linear reduced;   /* the same with the circular shift between 0 and the extent */
    linear before;    /* shifts around the circular ones */
    linear circular;  /* the circular shifts, added */
    linear turn;      /* what is added to the iteration's position where it goes round */
    const char *text; /* NULL, or C text of the element's position, where it depends on indices around it */
} motion;

/* What is being lowered: one parallel statement and where its hoisted expressions go. */
typedef struct locals locals;
typedef struct local_value local_value;

/* A branch of an `if` in a forall. */
typedef struct branch {
    const node *mask; /* the statement's mask that it is */
    const local_value *condition;
    bool negated;
    const struct branch *outer; /* in which the `if` stands, or NULL */
} branch;

typedef struct {
    program *p;
    parallel *s;
    locals *locals;        /* that the foralls around it declare; NULL: none can be */
    const branch *branch;  /* of an `if` of the forall that it stands in, or NULL */
    size_t until;          /* what is evaluated once is so before the statements of the group from this number on */
    int reduction;         /* inner reduction that we are in, or -1 */
    int mask;              /* the statement's mask that we are in, or -1 */
    bool own_mask;         /* in the mask of an inner reduction */
    bool in_place;         /* in a subscript: its text must hold all that it needs */
    bool guarded;          /* under a condition */
    bool shifted, decided; /* in a shift, around which something decides whether it is evaluated */
    bool confined;         /* in an end-off shift, which reads nothing outside the section */
    int first_section; /* index number of the first section of the surrounding statement or reduction, -1: none yet */
    int sections;      /* how many */
    linear section[MAX_RANK][3];  /* lower, upper, stride of each, as the leading reference has them */
    int section_index[MAX_RANK];  /* the index of each */
    int rank;                     /* sections of a reference here, where intrinsics change it */
    int order[MAX_RANK];          /* the section of the statement that each of them goes with */
    motion motion[MAX_RANK];      /* per section of the statement */
    bool by_value[MAX_RANK];      /* the index is the leading reference's subscript; else an iteration number */
    const char *leader[MAX_RANK]; /* text of the leading reference of each */
    const independent_loop *loop; /* INDEPENDENT */
} lowering;

/* Adds every reference in n, inner before outer. (references.c) */
void collect_references(lowering *l, node *n);
/* The references in the subscripts of a chain, whose sections are those of the statement in order. */
void collect_subscripts(lowering *l, node *chain);
/* The reference with its subscripts; sections use the indices of the lowering.  `reads`: it is not assigned. */
reference make_reference(lowering *l, node *chain, bool reads);
/* The subscript form of an expression. */
subscript subscript_of(lowering *l, node *n);
/* Makes the indices of the sections of `chain` (the leading reference); others in n decide their form. */
void open_sections(lowering *l, node *chain, node *n);
/* Adds the k-th section of `chain` to the sections, with an index of its own that counts its elements; false after an
 * error. */
bool add_section(lowering *l, node *chain, int k);

/* Gives the left side A[i][d-i] of a statement an index for d-i, where both dimensions are divided; the subscripts of
 * another reference that equal it, but for a constant. (hyperplanes.c) */
void open_plane(lowering *l, node *left);
/* The same for what a reduction's value reads, if nothing else in it has an owner. */
void open_plane_of_value(lowering *l, node *value);
void follow_plane(lowering *l, reference *r, node *const *subscripts);

/* Evaluates n once beforehand; returns its name. */
const char *hoist(lowering *l, node *n);
/* Evaluates C text that n stands for once beforehand; returns its name. */
const char *hoist_text(lowering *l, node *n, const char *wish, const char *c_text);
/* The linear form of n, whose parts that read memory are evaluated beforehand. */
linear prepared(lowering *l, node *n);
bool linear_mentions_index(const lowering *l, const linear *x);
/* The number of elements of a section. */
linear section_extent(lowering *l, const linear t[3]);
/* The number of the index that a name is, or -1. */
int index_number(const lowering *l, const node *n);
bool mentions_index(const lowering *l, const node *n);
/* Whether what is being lowered is evaluated only under a condition. */
bool is_conditional(const lowering *l);
/* Whether earlier indices occur only as terms with constant coefficients. */
bool linear_in_indices(const lowering *l, const node *n);
/* The conditions under which bounds that may fail are evaluated; NULL: they can be evaluated always. */
guards *guards_of_bounds(const lowering *l, node *const *bounds, int count);
/* Invariant parts of a bound that read memory are evaluated once; false after an error. */
bool prepare_bound(lowering *l, const char *name, node *n);
/* Whether n reads memory through subscripts, or calls something: worth or needing to be evaluated once. */
bool needs_hoisting(const node *n);
/* Whether evaluating n where the program would not may end it: division by a variable, pointers, elements, calls. */
bool may_fail(const node *n);
/* Hoists the largest parts of n that depend on no index and read memory or call something. */
void hoist_invariants(lowering *l, node *n);
/* The subscript that the k-th section of a reference becomes. */
subscript section_subscript(lowering *l, reference *r, int k, int d, node *t);

/* The references in the arguments of an array intrinsic. (intrinsics.c) */
void collect_intrinsic(lowering *l, node *call, intrinsic kind);
/* Whether a call has as many arguments as it takes. (arguments.c) */
bool check_intrinsic_arguments(lowering *l, node *call, intrinsic kind);
/* The dimension that argument c names, from 0, 1 where there is none; -1 after an error. */
int dimension_argument(lowering *l, node *call, size_t c, int rank);
/* Prefix and suffix operations in the value of an assignment become names of what is saved before it; false after an
 * error. (prefixes.c) */
bool take_prefixes(lowering *l, const group *g, node **value, node *left);
/* Their sections do not depend on indices around them. */
void check_prefixes(const program *p, const parallel *s);
/* matmul: an inner reduction. (matmul.c) */
void collect_matmul(lowering *l, node *call);
/* The section of the statement that leads dimension d of an array expression; NULL: it has no such dimension, or what
 * it is made of decides. */
node *leading_section(node *n, int d, int *section);
/* The subscript of an element of a section, moved as the intrinsics around it say. */
subscript moved_subscript(lowering *l, int section, const linear bounds[3]);
/* One more dimension along which the elements that r reads go round. */
void append_cycle(arena *a, reference *r, wrapping x);
/* Notes that the reference goes round along dimension d. */
void add_cycle(lowering *l, reference *r, int d, int section, const linear bounds[3], bool whole);
/* The reference that reads what stands before (bit clear) or beyond (set) the end of each cycle. */
reference turned(const lowering *l, const reference *r, int turn);

/* Reports that the type of `value`, which must be arithmetic, is not. */
void report_unknown_type(const program *p, const node *value);
/* ---- Locals of foralls (locals.c) */
locals *new_locals(arena *a);
/* A declaration in a forall. */
void declare_locals(lowering *l, const group *g, const node *declaration);
/* An assignment to a local; false: it is none. */
bool assign_local(lowering *l, const group *g, node *assign);
/* Locals in *place become what they are; false after an error. In bounds: only what linear forms can hold. */
bool settle_locals(lowering *l, const group *g, node **place);
bool settle_bound(lowering *l, const group *g, node **place);
/* How many are visible; those that a block declared end with it. */
size_t declared_locals(const lowering *l);
void forget_locals(const lowering *l, size_t count);
/* How many statements the group has so far. */
size_t executed_in(const group *g);
/* The values of all locals, and going back to them. */
typedef struct {
    size_t count;
    local_value **value;
} local_state;
local_state local_state_of(const lowering *l);
void return_to_locals(const lowering *l, const local_state *state);
/* The value of an if's condition; what locals are behind the if, whose branches ended so. */
local_value *condition_value(const lowering *l, const group *g, const node *statement, node *condition);
void join_locals(const lowering *l, const group *g, const node *statement, const local_value *condition,
                 const local_state *first, const local_state *second);
/* A name for n, a bound of an inner reduction, which is saved before the statement. */
node *saved_bound(lowering *l, const group *g, node *n, const char *name);
/* Bounds of inner reductions that read distributed elements by the statement's indices become names of what is saved
 * before it; false after an error. (bounds.c) */
bool save_ragged_bounds(lowering *l, const group *g, node **value);
/* A name for n, which is saved before the statement with its prefix operation. */
node *saved_prefix(lowering *l, const group *g, node *call, node *value, const prefix_operation *x);
/* A number as it is spelled. */
node *made_number(const lowering *l, token_index at, type *t, const char *spelled);
/* Adds the values that the statement needs saved to its masks. */
void keep_locals(lowering *l, const group *g, parallel *s, const node *left);
/* The number of statements that are executed before a saved value is computed. */
size_t computed_before(const lowering *l, const node *mask);
/* Values that the statement uses more than once become variables of its loops. */
void name_locals(lowering *l, parallel *s);

/* A reduction inside a parallel statement: an inner one, or hoisted when it depends on no index. */
void lower_inner_reduction(lowering *l, node *call);
/* A reduction on its own. */
void lower_reduction(program *p, node *call);
/* A reduction of ordinary memory, computed where it stands: what is around it are variables. */
void lower_reduction_in_place(program *p, node *call);
/* A range of an indexed reduction or of a forall becomes an index; false: it is refused. (bounds.c) */
bool add_index(lowering *l, symbol *s, const char *name, node *lower, node *upper, node *stride);
/* Puts the indices of an assignment that is lowered into the order of the left side's elements in memory. (traversal.c)
 */
void traverse_in_memory(parallel *s);

/* The head of a loop `for (i = l; i <= u; i += s)`. (loop_forms.c) */
typedef struct {
    node *lower, *upper, *step; /* step NULL: 1 */
    int beyond;                 /* what is added to upper: -1 for <, 1 for > */
    bool down;
    symbol *variable;
} loop_form;
bool read_form(node *loop, loop_form *f);
/* A bound that depends on indices of the statement. */
linear bound_by_indices(lowering *l, const node *n);
/* Whether all that n does with the variable is to use it in subscripts, where a long in its place changes nothing. */
bool is_in_subscripts(const node *n, const symbol *s, const node *body);

/* A for loop under `independent` becomes a parallel statement; false: it stays as it is. (independent.c) */
bool lower_independent(program *p, node *loop);
/* An `independent` must stand before a for loop. */
void check_directive_place(program *p, const node *directive);
/* Whether n may have different values in one iteration, or in different ones beside the loop's variable. */
bool varies(const independent_loop *x, const node *n);
/* Reads an entry of a clause reduction(...); what such an entry says of s, or NULL; whether a chain is an element of an
 * array in one. (partials.c) */
void read_partial(program *p, independent_loop *x, const node *clause, node *n);
const partial_result *partial_of(const independent_loop *x, const symbol *s);
bool has_parts(const independent_loop *x, const node *chain);
/* Whether iterations of the loop leave the scalar to the next. (scan.c) */
bool is_carried_scalar(const independent_loop *x, const symbol *s);
/* Whether iterations of the loop only add to scalars that they leave to the next, so that all processes begin at once.
 * (scan.c) */
void find_scan(program *p, const parallel *s);
/* Warns that every process runs the loop. */
void run_everywhere(const program *p, const independent_loop *x, const char *why);

/* Who executes the statement: depends on which dimensions are distributed, not on how. (home.c) */
void choose_home(const program *p, parallel *s);
/* Whether the iterations of an independent loop that have no element of home store nothing, because conditions say so:
 * then nobody needs to execute them. (home.c) */
bool stores_inside(const program *p, const parallel *s);

#endif

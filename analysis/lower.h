/* Private to analysis: the parts of pass "lower". */
#ifndef DPC_ANALYSIS_LOWER_H
#define DPC_ANALYSIS_LOWER_H

#include "analysis.h"

/* How shift intrinsics move what is read along a section of the statement. */
typedef struct {
    bool moved, cycled;
    linear distance; /* elements from the iteration's position to the element's, all shifts as written */
    linear reduced;  /* the same with the circular shift between 0 and the extent */
    linear before;   /* shifts around the circular ones */
    linear circular; /* the circular shifts, added */
    linear turn;     /* what is added to the iteration's position where it goes round */
    const char *text; /* NULL, or C text of the element's position, where it depends on indices around it */
} motion;

/* What is being lowered: one parallel statement and where its hoisted expressions go. */
typedef struct {
    program *p;
    parallel *s;
    int reduction;     /* inner reduction that we are in, or -1 */
    int mask;          /* the statement's mask that we are in, or -1 */
    bool own_mask;     /* in the mask of an inner reduction */
    bool in_place;     /* in a subscript: its text must hold all that it needs */
    bool guarded;      /* under a condition */
    int first_section; /* index number of the first section of the surrounding statement or reduction, -1: none yet */
    int sections;      /* how many */
    linear section[MAX_RANK][3]; /* lower, upper, stride of each, as the leading reference has them */
    int section_index[MAX_RANK]; /* the index of each */
    int rank;                    /* sections of a reference here, where intrinsics change it */
    int order[MAX_RANK];         /* the section of the statement that each of them goes with */
    motion motion[MAX_RANK];     /* per section of the statement */
    bool by_value[MAX_RANK];     /* the index is the leading reference's subscript; else an iteration number */
    const char *leader[MAX_RANK]; /* text of the leading reference of each */
    const independent_loop *loop; /* INDEPENDENT */
} lowering;

/* Adds every reference in n, inner before outer. (references.c) */
void collect_references(lowering *l, node *n);
/* The reference with its subscripts; sections use the indices of the lowering. */
reference make_reference(lowering *l, node *chain);
/* The subscript form of an expression. */
subscript subscript_of(lowering *l, node *n);
/* Makes the indices of the sections of `chain` (the leading reference); others in n decide their form. */
void open_sections(lowering *l, node *chain, node *n);
/* Adds the k-th section of `chain` to the sections, with an index of its own that counts its elements; false after an
 * error. */
bool add_section(lowering *l, node *chain, int k);
/* Number of sections among the subscripts of a chain. */
int section_count(node *chain);
/* The first chain with sections in n that is not inside a nested reduction; NULL if none. */
node *first_section(node *n);

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
/* Calls something other than mathematics, or reads what no variable's name stands for. */
bool reads_anything(const node *n);
/* Whether evaluating n where the program would not may end it: division by a variable, pointers, elements, calls. */
bool may_fail(const node *n);
/* Hoists the largest parts of n that depend on no index and read memory or call something. */
void hoist_invariants(lowering *l, node *n);
/* The subscript that the k-th section of a reference becomes. */
subscript section_subscript(lowering *l, reference *r, int k, int d, node *t);

/* The references in the arguments of an array intrinsic. (intrinsics.c) */
void collect_intrinsic(lowering *l, node *call, intrinsic kind);
/* matmul: an inner reduction. (matmul.c) */
void collect_matmul(lowering *l, node *call);
/* The section of the statement that leads dimension d of an array expression; NULL: it has no such dimension, or what it is
 * made of decides. */
node *leading_section(node *n, int d, int *section);
/* The subscript of an element of a section, moved as the intrinsics around it say. */
subscript moved_subscript(lowering *l, int section, const linear bounds[3]);
/* Notes that the reference goes round along dimension d. */
void add_cycle(lowering *l, reference *r, int d, int section, const linear bounds[3], bool whole);
/* The reference that reads what stands before (bit clear) or beyond (set) the end of each cycle. */
reference turned(const lowering *l, const reference *r, int turn);

/* Whether n is an assignment, ++ or --. (effects.c) */
bool is_store(const node *n);
/* The variable that an object is part of, or that points to it (then *pointer is set); NULL: not known. */
const symbol *base_symbol(const node *n, bool *pointer);
/* Whether a name stands in a list, with blanks around each. */
bool is_listed(const char *names, const char *name);
/* What a function of this file does to the state that every process holds, in words, or NULL; `acts_alone`: whether a
 * function of the library does nothing to it. */
const char *effect_of(const program *p, const symbol *f, bool (*acts_alone)(const char *name));

/* Whether n is a reduction intrinsic that the program doesn't declare itself. (reductions.c) */
bool reduction_call(const node *n, operation *op);
/* Of a reduction's result; NULL: not known. */
type *type_of_reduction(arena *memory, operation op, const node *call);
/* The mask of a reduction in one of whose values n stands, or NULL. */
node *mask_of_reduction(const node *call, const node *value);
/* A reduction inside a parallel statement: an inner one, or hoisted when it depends on no index. */
void lower_inner_reduction(lowering *l, node *call);
/* A reduction on its own. */
void lower_reduction(program *p, node *call);
/* A reduction of ordinary memory, computed where it stands: what is around it are variables. */
void lower_reduction_in_place(program *p, node *call);
/* Whether n reads distributed elements, or calls what does. (hoists.c) */
bool reads_distributed(const node *n);
/* Ranges of an indexed reduction or of a forall become indices. */
void add_index(lowering *l, symbol *s, const char *name, node *lower, node *upper, node *stride);
/* Puts the indices of an assignment that is lowered into the order of the left side's elements in memory. (traversal.c) */
void traverse_in_memory(parallel *s);

/* A for loop under `independent` becomes a parallel statement; false: it stays as it is. (independent.c) */
bool lower_independent(program *p, node *loop);
/* An `independent` must stand before a for loop. */
void check_directive_place(program *p, const node *directive);
/* Whether n may have different values in one iteration, or in different ones beside the loop's variable. */
bool varies(const independent_loop *x, const node *n);
/* What is not affine is brought with all elements of the dimension; false: too many indices. (sharing.c) */
bool take_whole_dimensions(program *p, parallel *s, reference *r);
/* Why a classified loop cannot be shared out; NULL: it can. */
const char *independent_obstacle(const program *p, const parallel *s);
/* Warns that every process runs the loop. */
void run_everywhere(const program *p, const independent_loop *x, const char *why);

/* Whether ghost cells serve references at that distance from blocks of the format. (dealt.c) */
bool ghosts_pay(const format *f, int64_t distance);
/* Whether there are gaps between blocks of the array that are dealt round-robin. */
bool has_gaps(const array *a);
/* Makes room for the ghost cells of such blocks: as much for all blocks of one length. */
void match_gaps(program *p);

/* Finds out whether the classified statement is a product, and how its operands are read. (products.c) */
void find_product(program *p, parallel *s);
/* Whether the loops of a classified statement's inner reductions go around its last index. (interchange.c) */
bool reductions_interchange(const program *p, const parallel *s);
/* Makes the loops of an assignment read every element in place before they store it; returns why they cannot, or NULL.
 * (dependence.c) */
const char *order_iterations(const program *p, parallel *s);

/* Whether evaluating n changes nothing and calls nothing but functions of mathematics and (if so said) reductions.
 * (leading.c) */
bool is_pure(const node *n, bool reductions);

/* Whether a variable may change between two tokens of the source. (classify.c) */
bool may_change_between(const program *p, const symbol *s, size_t from, size_t to);
/* Whether the names in two linear expressions that are written alike mean the same variables. (classify.c) */
bool same_symbols(const linear *x, const linear *y);
/* Reports constant subscripts outside constant bounds. (bounds.c) */
void check_constant_bounds(program *p, const parallel *s, const reference *r);

/* `for (i = first; i < limit; i += step)`; > where the step is negative; with <= and >= the limit is inclusive. (loops.c) */
typedef struct {
    const symbol *variable;
    const node *first, *limit;
    int64_t step; /* at most 2^31 - 1, in magnitude */
    bool inclusive;
} counting_loop;
/* False: the loop is not of this form. */
bool counting_loop_of(const node *loop, counting_loop *c);
/* Whether only the loop's head changes its variable, which never overflows, and its body begins only there. */
bool counts_undisturbed(const program *p, const node *loop, const counting_loop *c);
/* Of a variable's type. */
bool is_signed_integer(const symbol *s);

/* Finds r's inputs; false: what its subscripts are made of cannot be compared. (gathers.c) */
bool find_inputs(program *p, const parallel *s, reference *r);
/* Whether n stands right behind `before` (NULL: nothing) in a block, with nothing in between. (fuse.c) */
bool stands_behind(const node *before, const node *n);
/* Whether something is evaluated between the first `executed` statements of a group and the next. */
bool evaluates_between(const group *g, size_t executed);
/* Who executes the statement: depends on which dimensions are distributed, not on how. (classify.c) */
void choose_home(const program *p, parallel *s);
/* Whether index iterations and positions of r's dimension d, whose subscript is affine, are those of home. */
bool stands_as_home(const program *p, const parallel *s, const reference *r, int d);

/* Arrays get the ghost cells of the parameters that they are passed for. (ghosts.c) */
void widen_arguments(program *p);

/* Reports methods and schedules of --redistribute and --schedule that cannot serve mappings that are known here.
 * (redistributions.c) */
void check_redistributions(program *p);

#endif

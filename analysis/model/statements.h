/* Parallel statements, alone and together. */
#ifndef DPC_ANALYSIS_STATEMENTS_H
#define DPC_ANALYSIS_STATEMENTS_H

#include "execution.h"

typedef struct {
    const char *name;
    symbol *symbol;              /* NULL: made up for a section */
    linear lower, upper, stride; /* stride is constant 1, or known to be one number per execution */
    bool triangular;             /* the bounds use earlier indices, which occur as atoms in them */
    bool box_linear;             /* triangular: earlier indices occur only linearly */
    bool ragged;                 /* triangular: its bounds are invariant, or names of what is saved for each iteration;
                                    each process has a box of its own */
    bool descending;             /* the loop runs downward: each element is read before it is stored */
    guards *guards;              /* conditions under which the bounds may be evaluated for the box, or NULL */
    int reduction;               /* inner reduction that it belongs to, or -1 */
} loop_index;

typedef enum {
#define INTRINSIC(name, call, reader, least, most, forms) INTRINSIC_##name,
#include "intrinsics.def"
#undef INTRINSIC
    INTRINSICS
} intrinsic;

typedef enum {
#define OPERATION(name, call, values, start, type, combination, openmp, update) OPERATION_##name,
#include "operations.def"
#undef OPERATION
    OPERATIONS
} operation;

/* What reductions start with; what they combine. */
typedef enum { START_ZERO, START_ONE, START_LARGEST, START_SMALLEST } start_value;
typedef enum { COMBINES_PROMOTED, COMBINES_SAME, COMBINES_PLACE, COMBINES_LONG, COMBINES_INT } combined_type;

/* A prefix or suffix operation: each element of what is saved becomes the combination of all values up to it. */
typedef struct {
    operation operation;
    bool suffix, exclusive;
    int first, last; /* indices: along the last one alone, or, where they differ, in row-major order of all of them */
} prefix_operation;

/* A row of operations.def. */
typedef struct {
    const char *name; /* NULL: it is not called by a name of its own */
    size_t values;    /* that it combines in each iteration */
    start_value start;
    combined_type type;
    const char *combination; /* of the processes' results: DPC_... */
    const char *openmp;      /* operator of the clause, or NULL */
    const char *update;
} operation_facts;

typedef struct {
    operation operation;
    node *call, *value, *mask;
    node **again; /* calls behind it that have the same value in an iteration */
    size_t agains, again_capacity;
    node *factor;          /* DOT_PRODUCT, MATMUL: what the value is multiplied by */
    type *type;            /* of the result; NULL: unknown at compile time */
    linear place;          /* MINLOC, MAXLOC: the place of the element */
    const char *backwards; /* C text: whether the first element has the greatest place */
    const char *best;      /* the name of the extreme value so far */
    const char *name;      /* of its result in generated code */
    const char *in_tile;   /* the same in the loops of a tile: "sum_5[i - i_tile]" (pass "plan"); NULL: there is none */
    bool in_place;         /* stands under a condition, in a mask or a subscript: computed where it stands */
    int statement_mask;    /* number of the statement's mask that it stands in, or -1 */
    const char *exact;     /* --reproducible: the name of the sum that is not rounded; NULL: it is rounded each time */
    bool canonical;        /* --reproducible: of 0.0 and -0.0, which compare equal, the result is 0.0 */
} reduction;

/* Sections that must have equal extents, to be checked at run time; or one that must be inside its array, of which a
 * shift reads the elements of others than the statement's iterations. */
typedef struct {
    linear left[3], right[3]; /* lower, upper, stride */
    const char *left_text, *right_text;
    const array *inside; /* the array of `left`, and its dimension; NULL: two sections */
    const node *node;
    int dim;
} conformity;

/* Expressions evaluated once, before the statements that use them. */
typedef struct {
    node *node;
    const char *text;  /* NULL: the node is what is evaluated; else C text that stands for it */
    const char *name;  /* of the variable that holds the value */
    const char *ctype; /* NULL: unknown */
    bool turns;        /* only references to the turns of a circular shift by themselves have it */
    bool guarded;      /* evaluated though the program might not: division by 0 and null pointers give 0 instead */
    guards guards;     /* conditions around it that depend on no index, outer first; else it is 0 */
    loop_index *index; /* it is 0 where one of these has no iterations */
    int indices;
    size_t after; /* statements of the group that come before it: they may change what it reads */
} hoisted;

typedef struct {
    hoisted *hoisted;
    size_t count, capacity;
    const struct group *group; /* NULL: not a group's */
} hoists;

/* A statement with two indices i, j and an inner reduction over k whose operands have the subscripts {i, k}, {k, j} or
 * {k}, as C[i][j] = sum(k, A[i][k] * B[k][j]): computed for all i and j together, some values of k at a time. */
typedef struct {
    int row, column, reduced; /* numbers of i, j and k, or of j, i and k; the innermost loop is that of `column` */
    bool in_left;             /* the left side's elements hold the results so far; else a buffer does */
} matrix_product;

/* Values of k that are taken together, as a panel. */
enum { PANEL_DEPTH = 64 };

typedef enum { PARALLEL_ASSIGNMENT, PARALLEL_REDUCTION, PARALLEL_INDEPENDENT, PARALLEL_CHECK } parallel_kind;
enum { HOME_LEFT = -1, HOME_REPLICATED = -2 };

/* What stands in reduction(op: s), of which each process has parts: a variable, an ordinary array's elements, those of
 * a distributed array. */
typedef enum { PARTIAL_VARIABLE, PARTIAL_MEMORY, PARTIAL_ELEMENTS } partial_kind;
typedef struct {
    partial_kind kind;
    symbol *symbol;
    element element;
    const char *op, *name; /* of the part in generated code */
    bool exact;            /* --reproducible: the part is a sum or a product that is not rounded */
    bool canonical;        /* --reproducible: as of a reduction */
} partial_result;

/* A scalar that goes from each iteration of a pipeline to the next; behind: its last value may be used behind it. */
typedef struct {
    symbol *symbol;
    bool behind;
    const char *part; /* where the loop `scans`: the name of what this process adds */
} carried_scalar;

/* An array whose elements a loop that `scans` stores one behind the other, at places that a scalar counts. */
typedef struct {
    symbol *symbol;
    const char *counter, *name; /* name: of this process's elements in generated code */
} kept_elements;

/* A for loop under `independent`, or several that are a pipeline. */
typedef struct {
    node *directive, *loop, *body; /* body: of the innermost of the loops */
    node *on;                      /* of on(...), or NULL */
    symbol *variable;              /* that the loop steps */
    node *innermost;               /* of the loops: the body's parent; mostly the loop itself */
    const char *pipeline; /* NULL: iterations don't depend on one another.  Else a letter for each of the loops: `b`
                             where it may be executed in blocks, `c` where each iteration needs the one before, too,
                             `w` as a whole only */
    bool alone;           /* loops in it stay as they are, though on(...) names their variables */
    symbol *counter[MAX_RANK]; /* per loop: what it steps */
    int loops;
    symbol **private; /* of private(...) */
    size_t privates, private_capacity;
    partial_result *partial;
    size_t partials, partial_capacity;
    carried_scalar *carried;
    size_t carrieds, carried_capacity;
    bool may_scan; /* nothing else goes from process to process */
    bool scans;    /* they are sums: a slice of the body finds what each process adds, before the loops */
    node **slice;  /* that slice: assignments that add, and what gives values to names that these are made of */
    size_t slices, slice_capacity;
    kept_elements *keeps;
    size_t keep_count, keep_capacity;
    const char *left, *last_value; /* names of flags and values: whether `break` has left it, the value of its variable
                                      behind it; NULL: none does, it is not used */
    node **leave;                  /* each such `break` */
    size_t leaves, leave_capacity;
    symbol **store; /* distributed arrays that the body assigns, those of reduction(...) included */
    size_t stores, store_capacity;
} independent_loop;

/* Arrays whose ghost cells come early, at most. */
enum { MOST_AHEAD = 8 };

/* Who executes a statement, and how; pass "home" sets home, scatter and clip, the passes of place/ the rest. */
typedef struct {
    int home;      /* HOME_LEFT, HOME_REPLICATED, or a number in reference[]: who executes */
    bool scatter;  /* the left side's owners are found at run time */
    bool in_parts; /* home is HOME_REPLICATED, and yet each process executes a part: of an index in `parts` */
    unsigned parts;
    bool clip; /* masks or triangular bounds: subscripts may leave the arrays in iterations not executed */
    matrix_product *product; /* NULL: it is none */
    bool values_first;       /* all right sides into a buffer before the first store */
    const char *overlap;     /* why so */
    int64_t behind;          /* how many values of the first index back, at most, iterations read what earlier ones
                                store; -1: not known */
    bool ordered;            /* iterations store what earlier ones read: only in the order of the indices as they run */
    int waits_for;           /* number of the reference whose pieces are computed with as they arrive, or -1 */
    bool tiled; /* inner reductions: their loops go around that of the statement's last index, tile by tile */
    struct parallel
        *outside; /* CHECK: finds executed iterations of which home has no element; NULL: it has all, or it is seen */
    reference *dropped; /* those that the SPMD program does without: ghost cells hold what they read */
    size_t drops, drop_capacity;
} placed_statement;

/* What it shares with others: set by the passes of combine/. */
typedef struct {
    const node *declares; /* REDUCTION: the declaration whose variable is the result; NULL: none */
    bool continues;       /* instead of that: `v += value;`, behind the declaration that gives v zero */
    node *before; /* REDUCTION: the statement that it is computed before, where its name stands; NULL: in place */
    struct fusion *chain;        /* the statements that one nest of loops executes with this one, or NULL */
    struct aggregate *aggregate; /* the neighbours whose values come in the same messages, or NULL */
    array **ahead; /* arrays whose ghost cells come with those that it reads, for the statements after it */
    size_t aheads, ahead_capacity;
} combined_statement;

typedef struct {
    node *node;
    bool saved; /* evaluated before the forall's first statement, into the buffer */
    const char *buffer;
    bool kept; /* instead of that: a variable of the loops, which has the buffer's name.  The statement shares these
                  with others (pass "fuse"), or combines prefixes in its own (pass "plan") */
    const prefix_operation *prefix; /* of the values that are saved, or NULL */
    bool bound;    /* the values are bounds of an inner reduction's index, saved just before the statement */
    bool in_place; /* instead of that: the loops read them where they stand (pass "plan") */
} statement_mask;

/* A parallel statement: as it is lowered, then what the passes after "lower" found out. */
typedef struct parallel {
    parallel_kind kind;
    node *node;             /* in the source: the ASSIGN, the reduction's CALL, or the FOR */
    independent_loop *loop; /* INDEPENDENT; its index is the first, those behind it stand for whole dimensions */
    loop_index *index;
    int indices; /* all, inner reductions' included */
    int plane;   /* the index that stands for another subscript of home, which it equals; 0: none */
    linear plane_form;
    statement_mask *mask; /* all must hold */
    int masks;
    size_t number;  /* REDUCTION: in the order in which statements are executed, among groups, too */
    reference left; /* ASSIGNMENT; INDEPENDENT: of on(...) */
    const char *op; /* "=", "+=", ... */
    node *member;   /* ASSIGNMENT: what is stored, where it is only a part of left's element, as A[i].x; else NULL */
    node *value;
    reference *reference; /* right side, masks and subscripts; inner before outer */
    size_t references, reference_capacity;
    end_off *end_off;
    size_t ends, end_capacity;
    reduction *reduction; /* REDUCTION: the first is the statement itself; else inner ones */
    size_t reductions, reduction_capacity;
    conformity *conformity;
    size_t conformities, conformity_capacity;
    hoists *hoisted;          /* the group's, or its own */
    bool calls_unknown;       /* calls functions that may use distributed arrays: checked at run time */
    reference *results;       /* REDUCTION: of each element that this reference assigns; NULL: one of all iterations */
    struct parallel *reduced; /* ASSIGNMENT: the REDUCTION before it whose results it uses, or NULL */
    bool in_place; /* REDUCTION of ordinary memory that depends on indices around it: a statement expression */
    placed_statement placed;
    combined_statement combined;
    execution *plan; /* of the statement; behind it of the saving of each mask: set by pass "plan" */
} parallel;

/* The number of the index that n is, or a number of a row or a place that it is divided into (submatrix); -1: none. */
int index_in_part(const parallel *s, const node *n);
/* Whether x, a submatrix of one array as y, may bring what y reads, too, whatever conditions they stand under: their
 * parts differ by a few values. */
bool shares_box(const program *p, const parallel *s, const reference *x, const reference *y);

/* What a forall or an array assignment becomes: masks saved and statements executed, in this order. */
typedef struct {
    int mask;   /* number of the mask to save, or -1: execute */
    bool joins; /* execute: in the loops of the action before, which may be the last one of the group before */
    parallel *statement;
} action;

/* Adds an index, a mask; statements that have been assigned from this one keep those that they have. */
void append_index(arena *a, parallel *s, loop_index x);
void append_mask(arena *a, parallel *s, node *mask);
/* With indices and masks of its own. */
parallel copy_of_statement(arena *a, const parallel *s);

/* Statements in one nest of loops: assignments of one group or several, then reductions of the statements behind. */
enum { MAX_FUSED = 8 };
typedef struct fusion {
    parallel *statement[MAX_FUSED];
    int count;
    action *item; /* what an iteration does, in order: the statements, and their masks that are kept */
    size_t items, item_capacity;
    parallel *merged; /* the first one with what all of them read and store, and the plan of the whole */
} fusion;

/* Neighbouring statements that fetch what they read together, before the first of them. */
enum { MAX_AGGREGATED = 8 };
typedef struct aggregate {
    parallel *statement[MAX_AGGREGATED];
    int count;
} aggregate;

typedef struct group {
    node *node; /* the FORALL or EXPRESSION statement that it replaces */
    hoists hoisted;
    action *action;
    size_t actions, action_capacity;
    size_t number;      /* in the order in which statements are executed */
    bool joins;         /* all its actions are executed in the loops of the group before */
    bool continues;     /* its actions are executed with those of the group before, in one block */
    struct group *next; /* the group that continues this one, or NULL */
} group;

/* A sequential loop around stencils at constant distances, of which several iterations may be executed in one pass over
 * memory (pass "tiling").  What else stands in its body is executed between two passes: statements under conditions
 * that tell by the loop's variable alone in which iterations. */
enum { MOST_TILED = 8 };
typedef struct {
    node *loop;                                       /* the FOR */
    node *stencil;                                    /* a statement in it */
    node *first, *last;                               /* of its statements in the row that is tiled */
    const symbol *variable;                           /* that the loop steps */
    node *leading[MOST_TILED], *trailing[MOST_TILED]; /* conditions of what stands before the row, and behind it */
    int leadings, trailings;
    group *group[MOST_TILED];
    parallel *statement[MOST_TILED];
    array *array[MOST_TILED]; /* all that they name */
    int groups, statements, arrays;
    bool cyclic[MAX_RANK]; /* along which dimensions what they read goes round: cshift, (i + 1) % n */
    bool steps;            /* the statements mention the variable */
    const char *why;       /* it is not tiled; NULL: it is, where that pays */
} time_tiling;

/* A statement on single elements, outside parallel statements, that the owner of its left side executes alone. */
typedef struct {
    node *node;  /* the EXPRESSION */
    node *store; /* the ASSIGN, POSTFIX or UNARY in it */
    reference left;
    reference *operand; /* the elements that the right side reads: LOCAL: of the same owner; SETS: it may be another */
    size_t operands, operand_capacity;
} owner_statement;

/* Where values that have moved stay, for all statements of a function that read the same. */
typedef struct {
    const char *name;
    const node *function;
    const reference *reference;       /* one of those that read them */
    const struct parallel *statement; /* the first that does */
} reused_values;

#endif

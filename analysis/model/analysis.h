/* What the compiler knows about a program: names and types, mappings, and its parallel statements with the relation of
 * every reference.  Code generation and reports read it; only analysis writes it. */
#ifndef DPC_ANALYSIS_ANALYSIS_H
#define DPC_ANALYSIS_ANALYSIS_H

#include "../../ir/table.h"
#include "../../lexer/lexer.h"
#include "../../runtime/base/cost.h"
#include "linear.h"
#include "methods.h"

enum { MAX_RANK = 15 };

/* ---- Types */
typedef enum {
#define ELEMENT(name, ctype, rank, integer, is_signed) ELEMENT_##name,
#include "elements.def"
#undef ELEMENT
    ELEMENTS
} element;

typedef enum {
    TYPE_UNKNOWN,
    TYPE_VOID,
    TYPE_ARITHMETIC,
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_FUNCTION,
    TYPE_RECORD,
    TYPE_FOREIGN
} type_kind;

typedef struct type {
    type_kind kind;
    element element;    /* ARITHMETIC */
    struct type *of;    /* POINTER, ARRAY: of what; FUNCTION: its result */
    node *array;        /* ARRAY: the N_ARRAY declarator with the bounds */
    const node *record; /* RECORD: its N_STRUCT */
    node *asked;        /* FOREIGN: what the C compiler is asked for (resolve/probe.c); UNKNOWN after resolve where it has no answer */
    bool answered;      /* by the C compiler: FOREIGN then is no arithmetic type */
} type;

const char *element_spelling(element e);
const char *element_enumerator(element e); /* DPC_DOUBLE */
int64_t element_bytes(element e);
int64_t element_alignment(element e);
bool element_is_integer(element e);
bool element_is_signed(element e);
bool element_is_complex(element e);
/* The type of x + y, and of +x. */
element element_common(element x, element y);
element element_promoted(element x);

/* ---- Symbols */
typedef enum {
    SYMBOL_VARIABLE,
    SYMBOL_FUNCTION,
    SYMBOL_TYPEDEF,
    SYMBOL_ENUMERATOR,
    SYMBOL_GRID,
    SYMBOL_INDEX,
    SYMBOL_TEMPLATE
} symbol_kind;

typedef struct symbol {
    symbol_kind kind;
    const char *name;
    type *type;
    node *declarator;  /* the DECL_NAME, ENUMERATOR, ENTITY, FORALL_INDEX that declares it */
    node *declaration; /* the DECLARATION, PARAMETER or FUNCTION_DEFINITION around it, or NULL */
    node *scope;       /* the UNIT, COMPOUND, FOR, ... that it belongs to */
    bool file_scope, is_static, is_extern, is_parameter;
    bool has_value; /* ENUMERATOR: value is known. INDEX: the loop counts from 0, and value is to be added */
    int64_t value;
    struct array *array;              /* VARIABLE: named in a distribute directive */
    struct grid *grid;                /* GRID */
    struct symbol *shadowed;          /* the declaration before it that is visible where it is declared */
    const char *lower_name[MAX_RANK]; /* VARIABLE, automatic or a parameter: constants that hold run-time lower bounds */
    const char *spelling;             /* INDEX: in generated code, where its scope has another variable of its name; else NULL */
    node **assignment;                /* NAMEs where it is assigned or its address is taken, in order of the source */
    size_t assignments, assignment_capacity;
    bool uses_distributed;            /* FUNCTION: it or what it calls touches a distributed array (collective) */
    bool calls_unknown;               /* FUNCTION: it or what it calls calls what is not known here */
    struct symbol **calls;            /* FUNCTION: what it calls */
    size_t call_count, call_capacity;
} symbol;

/* ---- Mappings */
typedef struct grid {
    symbol *symbol;
    node *directive;
    node *entity;
    int rank;
    node *extent[MAX_RANK];  /* NULL: `*` */
    const char *variable;    /* its name in generated code */
    bool used;               /* some mapping is onto it */
    int64_t known[MAX_RANK]; /* constant extent, 0 where not known */
} grid;

typedef enum { FORMAT_STAR, FORMAT_BLOCK, FORMAT_CYCLIC } format_kind;
typedef struct {
    format_kind kind;
    node *node;
    bool sized;     /* block(m), cyclic(b) */
    bool automatic; /* cyclic(auto), auto: choose_blocks fills in kind, sized and block */
    bool any_kind;  /* auto */
    linear block;   /* when sized; cyclic: 1 */
} format;

/* Why a block size was chosen (choose_blocks), for reports. */
typedef struct {
    const char *description; /* "cyclic(12), from the printed algorithm" */
    double seconds;          /* estimated; < 0: not possible, the description says why */
} alternative;

typedef struct {
    int64_t block;       /* elements; of format block: ceil(extent / processes), with the numbers assumed if unknown */
    int64_t granularity; /* h: what the algorithm's block was multiplied by */
    double seconds;      /* estimated for all statements of the arrays that were chosen together */
    const char *reason;  /* one sentence: the method and the condition met */
    alternative *alternative; /* what was rejected */
    size_t alternatives, alternative_capacity;
} block_trace;

typedef struct {
    format format[MAX_RANK];
    grid *grid; /* NULL: the default grid */
} mapping;

typedef struct array {
    symbol *symbol;
    element element;
    int rank;
    linear lower[MAX_RANK],
        upper[MAX_RANK]; /* declared bounds, inclusive; run-time ones are constants made at the declaration */
    linear written_lower[MAX_RANK], written_upper[MAX_RANK]; /* as the source has them */
    const char *lower_name[MAX_RANK], *upper_name[MAX_RANK]; /* of these constants, or NULL */
    node *lower_node[MAX_RANK], *upper_node[MAX_RANK];
    mapping mapping; /* as distributed */
    node *directive;
    node *init;                    /* initialiser, or NULL */
    block_trace *chosen[MAX_RANK]; /* per dimension with an automatic format, else NULL */
    int64_t halo_low[MAX_RANK], halo_high[MAX_RANK]; /* ghost cells that the statements read, elements */
    int64_t gap[MAX_RANK];         /* places between dealt blocks of a process, for ghost cells, elements */
    bool cyclic[MAX_RANK];         /* those beyond the ends hold the elements of the other end */
    bool corners;                  /* some of them beside two dimensions */
    bool kept;                     /* values of it stay where they have moved */
    bool dynamic;                  /* its mapping is known at run time only */
    bool redistributed;            /* some redistribute names it */
    bool inherits;                 /* a parameter with its argument's mapping */
    bool prototype;                /* a parameter of a function that is declared here, not defined */
    bool ghosts_vary;              /* a parameter: arguments may have wider ghost cells */
    bool passed;                   /* an argument for some distributed parameter */
    bool assigned;                 /* a parameter: the function may change elements of its argument */
    const char *descriptor;        /* name of its dpc_array in generated code, or of a pointer to it */
    const char *address;           /* C text: the address of its dpc_array */
    const char *access;            /* C text before a member of it: "A_dist." */
    const char *argument, *parameter; /* a parameter: names of its dpc_argument and dpc_parameter */
} array;

/* What may be asked of dimension d of a mapping; nobody else looks into formats. (mapping.c; docs/mappings.md, section 1)
 * Divided over processes; every process has at most one block, an interval; blocks are dealt round-robin, with one element each. */
bool divides(const mapping *m, int d);
bool in_one_block(const mapping *m, int d);
bool is_dealt(const mapping *m, int d);
bool is_dealt_singly(const mapping *m, int d);
/* The block size that the directive says or the compiler has chosen, elements; NULL: none.  False: none, or no constant. */
const linear *written_block(const mapping *m, int d);
bool known_block(const mapping *m, int d, int64_t *block);
/* The compiler chooses, or has chosen: blocks; the format, too. */
bool is_automatic(const mapping *m, int d);
bool is_any_format(const mapping *m, int d);
/* Whether they are written alike; of all dimensions of an array. */
bool same_format(const mapping *m, int d, const mapping *n, int e);
bool same_formats(const array *a, const mapping *m, const mapping *n);
bool blocks_are_constant(const array *a, const mapping *m);
/* Whether dimension d may be divided over processes, as far as it is known here. */
bool may_be_distributed(const array *a, int d);
/* The first dimension from d on that is divided; the rank: none. */
int next_distributed(const array *a, int d);
/* The number of the grid dimension that a distributed dimension is divided over; of the rank: how many there are. */
int grid_dimension(const mapping *m, int dimension);
/* The dimension of the array that grid dimension g divides, -1: none. */
int dimension_along(const array *a, int g);
/* The dimension becomes block, or cyclic(block). */
void set_block(mapping *m, int d);
void set_dealt(mapping *m, int d, int64_t block);
/* "cyclic"; "cyclic(3)"; "(block, cyclic(3))"; the dpc_format of generated code: "DPC_CYCLIC(3)". */
const char *format_kind_word(const mapping *m, int d);
const char *format_word(arena *a, const mapping *m, int d);
const char *mapping_words(arena *memory, const array *a);
const char *format_initialiser(arena *a, const mapping *m, int d, int64_t gap);

/* ---- Parallel statements */
typedef enum { SUBSCRIPT_INVARIANT, SUBSCRIPT_AFFINE, SUBSCRIPT_GENERAL } subscript_kind;
typedef struct {
    subscript_kind kind;
    int index;             /* AFFINE: number in parallel.index */
    linear stride, offset; /* offset + stride * index value; INVARIANT: offset */
    node *node;            /* the subscript in the source; NULL: made from a section */
    bool whole;            /* AFFINE, independent: the index stands for all elements, `node` picks one of them */
    const char *text;      /* GENERAL made from a section: C text */
} subscript;

typedef enum {
    RELATION_LOCAL, /* stands where the statement executes: read in place */
    RELATION_SHIFT, /* at a constant distance from there, on an equal block mapping: read in place, ghost cells included */
    RELATION_SETS,  /* affine subscripts: moved by communication sets */
    RELATION_GATHER /* other subscripts: inspector and executor */
} relation;

/* How the values of a reference that moves arrive: by the runtime, in loops of the generated program over closed forms,
 * in one of both ways, decided when the statement starts, by one collective along dimensions of the grid, where all
 * indices stand as in home and the other subscripts are invariant, or by the redistribution engine, where the statement
 * copies a section of unit stride as it is. */
typedef enum { MOVE_FETCHED, MOVE_INLINED, MOVE_DECIDED, MOVE_BROADCAST, MOVE_COPIED } move_kind;

/* How a product (below) reads its operand: panel by panel, in place or broadcast along the grid; or first the values are
 * moved, as `move` says. */
typedef enum { OPERAND_NONE, OPERAND_PANELS, OPERAND_MOVED } operand_kind;

/* A dimension along which a circular shift goes round: where `position` < `extent` the element stands at the subscript,
 * else `extent` elements before it (in the order of the section). */
typedef struct {
    int dim;
    linear position; /* of the element, counted along the section from 0; beyond the end it goes round */
    linear extent;   /* of the section */
    linear step;     /* the section's stride */
    linear moved;    /* by which all shifts together move what is read, as written */
    linear reduced;  /* the same with the circular shift between 0 and the extent */
    bool whole;      /* the section is the whole dimension */
} wrapping;
enum { MOST_CYCLES = 4 };

typedef struct {
    node *node; /* the INDEX chain */
    symbol *symbol;
    array *array; /* NULL: an ordinary array with sections in it */
    int rank;
    subscript subscript[MAX_RANK];
    node *base;   /* what the subscripts apply to: a NAME for every distributed array */
    bool guarded; /* evaluated only under a condition: its subscripts may leave the array */
    bool confined; /* an array intrinsic decides where it is evaluated: it stays in its section */
    relation relation;
    move_kind move;             /* SETS */
    operand_kind operand;
    int64_t distance[MAX_RANK]; /* SHIFT: per dimension, elements beyond where the statement executes */
    wrapping cycle[MOST_CYCLES];   /* circular shifts */
    int cycles;
    int turn; /* with cycles: bit k set: the elements beyond the end of cycle k; ALL_TURNS: all, by ghost cells */
    int reduction;      /* number of the inner reduction that it stands in, or -1 */
    int mask;           /* number of the statement's mask that it stands in, or -1 */
    bool own_mask;      /* stands in the mask of its inner reduction */
    bool checked[MAX_RANK]; /* independent: by the C loop around it, which compares the ends of what it steps through */
    bool stored;        /* independent: assigned; the left side of a statement executed in the same loops (codegen) */
    const char *buffer; /* name of its values in generated code */
    symbol **input;     /* GATHER with kept: what its subscripts are made of */
    size_t inputs, input_capacity;
    const char *kept;   /* SETS, GATHER: name of the place where these stay until the array changes, or NULL */
} reference;

enum { ALL_TURNS = -1 };

/* An end-off shift: where the condition (C text) does not hold, its boundary value stands. */
typedef struct {
    node *call;
    const char *condition;
} end_off;

/* A condition that must hold, or must not, for something to be evaluated. */
typedef struct {
    node *node;
    bool negated;
} guard;

typedef struct {
    guard *guard;
    size_t count, capacity;
} guards;

typedef struct {
    const char *name;
    symbol *symbol;              /* NULL: made up for a section */
    linear lower, upper, stride; /* stride is constant 1, or known to be one number per execution */
    bool triangular;             /* the bounds use earlier indices, which occur as atoms in them */
    bool box_linear;             /* triangular: earlier indices occur only linearly */
    bool descending;             /* the loop runs downward: each element is read before it is stored */
    guards *guards;              /* conditions under which the bounds may be evaluated for the box, or NULL */
    int reduction;               /* inner reduction that it belongs to, or -1 */
} loop_index;

typedef enum {
#define INTRINSIC(name, call, least, most, forms) INTRINSIC_##name,
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
    node *factor;        /* DOT_PRODUCT, MATMUL: what the value is multiplied by */
    type *type;          /* of the result; NULL: unknown at compile time */
    linear place;        /* MINLOC, MAXLOC: the place of the element */
    const char *backwards; /* C text: whether the first element has the greatest place */
    const char *best;    /* the name of the extreme value so far */
    const char *name; /* of its result in generated code */
    bool in_place;    /* stands under a condition, in a mask or a subscript: computed where it stands */
    int statement_mask; /* number of the statement's mask that it stands in, or -1 */
} reduction;

/* Sections that must have equal extents, to be checked at run time. */
typedef struct {
    linear left[3], right[3]; /* lower, upper, stride */
    const char *left_text, *right_text;
} conformity;

/* Expressions evaluated once, before the statements that use them. */
typedef struct {
    node *node;
    const char *text;  /* NULL: the node is what is evaluated; else C text that stands for it */
    const char *name;  /* of the variable that holds the value */
    const char *ctype; /* NULL: unknown */
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

/* A statement with two indices i, j and an inner reduction over k whose operands have the subscripts {i, k}, {k, j} or {k},
 * as C[i][j] = sum(k, A[i][k] * B[k][j]): computed for all i and j together, some values of k at a time. */
typedef struct {
    int row, column, reduced; /* numbers of i, j and k, or of j, i and k; the innermost loop is that of `column` */
    bool in_left;             /* the left side's elements hold the results so far; else a buffer does */
} matrix_product;

/* Values of k that are taken together, as a panel. */
enum { PANEL_DEPTH = 64 };

typedef enum { PARALLEL_ASSIGNMENT, PARALLEL_REDUCTION, PARALLEL_INDEPENDENT, PARALLEL_CHECK } parallel_kind;
enum { HOME_LEFT = -1, HOME_REPLICATED = -2 };

/* A variable of reduction(op: s): each process has a part of its result. */
typedef struct {
    symbol *symbol;
    const char *op, *name; /* of the part in generated code */
} partial_result;

/* A for loop under `independent`. */
typedef struct {
    node *directive, *loop, *body;
    node *on;         /* of on(...), or NULL */
    symbol *variable; /* that the loop steps */
    symbol **private; /* of private(...) */
    size_t privates, private_capacity;
    partial_result *partial;
    size_t partials, partial_capacity;
    symbol **store; /* distributed arrays that the body assigns */
    size_t stores, store_capacity;
} independent_loop;

/* Arrays whose ghost cells come early, at most. */
enum { MOST_AHEAD = 8 };

/* How a piece of work gets what a reference reads. */
typedef enum {
    SOURCE_NONE,    /* it reads nothing of it, or an ordinary array */
    SOURCE_PLACE,   /* the local part, ghost cells included */
    SOURCE_MOVE,    /* values that move for this reference */
    SOURCE_ELEMENT, /* one element that a collective brings into a variable */
    SOURCE_SHARED,  /* values that an earlier reference brings: `from` */
    SOURCE_PANELS,  /* an operand of a product, panel by panel */
    SOURCE_GATHER   /* values whose owners are found at run time */
} source_kind;
typedef struct {
    source_kind kind;
    size_t from; /* SHARED: its number */
} value_source;

/* How the iterations of a piece of work are executed. */
typedef enum {
    BY_ENGINE,    /* one copy by the redistribution engine */
    BY_COPY,      /* values go straight into the left side */
    BY_SCATTER,   /* to owners found at run time */
    BY_BUFFER,    /* all values first, then the stores */
    BY_BODY,      /* the body of an independent loop */
    BY_FUNCTION,  /* loops outlined into a function of their own */
    BY_LOOPS
} execution_way;

/* How far a piece of work reads beyond home's element along an index, elements. */
typedef struct {
    int64_t low, high;
    bool cyclic;
} index_reach;

/* The execution plan of a piece of work: a statement, the saving of one of its masks, or statements in one nest of loops.  Pass "plan" makes it;
 * code generation and reports read it. */
typedef struct {
    value_source *source; /* per reference */
    execution_way way;
    int moves;            /* that send messages of their own */
    array **refreshed;    /* whose ghost cells are brought up to date; the last `early` for statements further down */
    size_t refreshes, refresh_capacity;
    size_t early;
    bool copied;          /* what the refresh sends is copied: the loops store into it meanwhile */
    bool boxes;           /* first what needs nothing of other processes, then the rest */
    index_reach reach[MAX_RANK]; /* per index */
} execution;

typedef struct parallel {
    parallel_kind kind;
    node *node; /* in the source: the ASSIGN, the reduction's CALL, or the FOR */
    independent_loop *loop; /* INDEPENDENT; its index is the first, those behind it stand for whole dimensions */
    loop_index index[MAX_RANK];
    int indices;               /* all, inner reductions' included */
    node *mask[MAX_RANK];      /* all must hold */
    bool mask_saved[MAX_RANK]; /* evaluated before the forall's first statement, into mask_buffer */
    const char *mask_buffer[MAX_RANK];
    int masks;
    reference left; /* ASSIGNMENT; INDEPENDENT: of on(...) */
    const char *op; /* "=", "+=", ... */
    node *value;
    reference *reference; /* right side, masks and subscripts; inner before outer */
    size_t references, reference_capacity;
    reference *dropped; /* those that the SPMD program does without: ghost cells hold what they read */
    size_t drops, drop_capacity;
    end_off *end_off;
    size_t ends, end_capacity;
    reduction *reduction; /* REDUCTION: the first is the statement itself; else inner ones */
    size_t reductions, reduction_capacity;
    conformity *conformity;
    size_t conformities, conformity_capacity;
    hoists *hoisted;      /* the group's, or its own */
    int home;             /* HOME_LEFT, HOME_REPLICATED, or a number in reference[]: who executes */
    matrix_product *product;   /* NULL: it is none */
    bool scatter;         /* the left side's owners are found at run time */
    bool values_first;    /* all right sides into a buffer before the first store */
    const char *overlap;  /* why so */
    bool ordered;         /* iterations store what earlier ones read: only in the order of the indices as they run */
    bool calls_unknown;   /* calls functions that may use distributed arrays: checked at run time */
    node *before;         /* REDUCTION: the statement that it is computed before, where its name stands; NULL: in place */
    struct fusion *chain;  /* the statements that one nest of loops executes with this one, or NULL */
    struct bundle *bundle; /* the neighbours whose values come in the same messages, or NULL */
    bool in_place;        /* REDUCTION of ordinary memory that depends on indices around it: a statement expression */
    array *ahead[MOST_AHEAD]; /* arrays whose ghost cells come with those that it reads, for the statements after it */
    int aheads;
    int waits_for;        /* number of the reference whose pieces are computed with as they arrive, or -1 */
    bool tiled;           /* inner reductions: their loops go around that of the statement's last index, tile by tile */
    bool clip;            /* masks or triangular bounds: subscripts may leave the arrays in iterations not executed */
    struct parallel *outside; /* CHECK: finds executed iterations of which home has no element; NULL: it has all, or it is seen */
    execution *plan;      /* of the statement; behind it of the saving of each mask */
} parallel;

/* What a forall or an array assignment becomes: masks saved and statements executed, in this order. */
typedef struct {
    int mask; /* number of the mask to save, or -1: execute */
    bool joins; /* execute: in the loops of the action before, which may be the last one of the group before */
    parallel *statement;
} action;

/* Statements in one nest of loops: assignments of one group or several, then reductions of the statements behind. */
enum { MAX_FUSED = 8 };
typedef struct fusion {
    parallel *statement[MAX_FUSED];
    int count;
    parallel *merged; /* the first one with what all of them read and store, and the plan of the whole */
} fusion;

/* Neighbouring statements that fetch what they read together, before the first of them. */
enum { MAX_BUNDLED = 8 };
typedef struct bundle {
    parallel *statement[MAX_BUNDLED];
    int count;
} bundle;

typedef struct group {
    node *node; /* the FORALL or EXPRESSION statement that it replaces */
    hoists hoisted;
    action *action;
    size_t actions, action_capacity;
    bool joins; /* all its actions are executed in the loops of the group before */
    bool continues;     /* its actions are executed with those of the group before, in one block */
    struct group *next; /* the group that continues this one, or NULL */
} group;

/* A statement on single elements, outside parallel statements, that the owner of its left side executes alone. */
typedef struct {
    node *node;  /* the EXPRESSION */
    node *store; /* the ASSIGN, POSTFIX or UNARY in it */
    reference left;
    reference *operand; /* the elements that the right side reads: LOCAL: of the same owner; SETS: it may be another */
    size_t operands, operand_capacity;
} owned_statement;

/* Where values that have moved stay, for all statements of a function that read the same. */
typedef struct {
    const char *name;
    const node *function;
    const reference *reference; /* one of those that read them */
    const char *where;          /* the first that does: "file:line" */
} kept_values;

/* ---- Communication sets, one dimension at a time (Lee and Chen) */

/* An integer that the compiler knows, or the C expression that says it at run time. */
typedef struct {
    bool known;
    int64_t value;    /* where known */
    const char *text; /* C text, also where known; NULL: has no expression in terms of the program */
} quantity;

/* A dimension of a reference that moves beside the dimension of home with the same index: the paper's statement
 * A(l1 + i*s1) = g(C(l2 + i*s2)), home being A. */
typedef struct {
    int dim;      /* of the reference (C) */
    int home_dim; /* of home (A), -1: each executing process needs every iteration of the index */
    int index;    /* -1: the subscript is invariant */
    bool divided, home_divided;
    bool single, home_single; /* at most one block per process */
    quantity b1, s1, b2, s2;  /* block and stride of home, of the reference; strides per iteration, with their sign */
    quantity procs1, procs2;  /* processes along the two dimensions */
    bool equal_procs;         /* their numbers are equal, also where they are not known */
    quantity count;           /* iterations */
    int number;               /* case 1 to 4 of Table 4; 0: decided at run time, or a side is not divided */
    int64_t ratio;            /* greater to smaller b/s in cases 2 to 4; 0: unknown */
    set_method method;
    quantity sections; /* nested regular sections per pair of processes, at most */
} pairing;

/* Two arrays that must not be the same at run time. */
typedef struct {
    const array *a, *b;
} array_pair;

/* What the C compiler has said about types (resolve/probe.c). */
typedef struct {
    const char *text;
    int code;
} answer;

/* ---- The program */
typedef struct {
    arena *memory;
    source *source;
    node *unit;
    header_names *headers; /* what system headers declare; NULL: not known */
    const preprocess_options *compiler; /* the C compiler that is asked for types, with its options */
    int np;                /* --np, or 0 */
    set_method sets;       /* --sets; METHOD_NONE: auto */
    comm_model model;      /* --model */
    const char *redistribute, *schedule; /* --redistribute, --schedule; NULL: auto */
    bool openmp;           /* --openmp */
    bool no_checks;        /* --check=none */
    const dpc_cost *cost;  /* what things cost on this machine */
    symbol **symbols;      /* every symbol, in order of declaration */
    size_t symbol_count, symbol_capacity;
    array **arrays;
    size_t array_count, array_capacity;
    grid **grids;
    size_t grid_count, grid_capacity;
    group **groups; /* in order of the source */
    size_t group_count, group_capacity;
    hash_table group_of, reduction_of; /* by node: the group, the parallel that it became */
    hash_table functions;              /* by name: the symbols of functions that are defined here */
    hash_table taken;            /* every token's spelling, and the names given by unique_name */
    hash_table numbers;          /* by wish: the last number that unique_name gave it */
    struct change_index *changed; /* where arrays change (combine/changes.c) */
    parallel **reductions; /* reductions outside forall, in order of the source */
    size_t reduction_count, reduction_capacity;
    kept_values *kept;
    size_t kept_count, kept_capacity;
    owned_statement *owned; /* in order of the source */
    size_t owned_count, owned_capacity;
    array_pair *apart;
    size_t apart_count, apart_capacity;
    answer *answer;
    size_t answers, answer_capacity;
} program;

typedef struct {
    int np;                /* number of processes fixed by --np, or 0 */
    const dpc_cost *cost;  /* what things cost on this machine */
    header_names *headers; /* what system headers declare; NULL: not known */
    const preprocess_options *compiler; /* the C compiler that is asked for types, with its options */
    set_method sets;       /* METHOD_NONE: auto */
    comm_model model;
    const char *redistribute, *schedule; /* NULL: auto */
    bool openmp, no_checks;
} analysis_options;

/* What the passes fill in; nothing is resolved yet. */
program *program_new(arena *a, source *s, node *unit, const analysis_options *options);

/* A pass reports its errors; after errors the next one must not run. */
typedef struct {
    const char *name;
    void (*run)(program *p);
    void (*check)(const program *p); /* ends with an internal error where something that the pass guarantees does not hold */
} pass_row;
/* In their order. */
const pass_row *analysis_passes(size_t *count);
#define PASS(name, function, file, needs, guarantees)                                                                  \
    void function(program *p);                                                                                         \
    void check_##function(const program *p);
#include "passes.def"
#undef PASS

/* Parallel statements: those of groups in order of the source (of assignments, not of saved masks); then reductions. */
typedef struct {
    parallel **statement;
    size_t count, capacity;
} statement_list;
statement_list group_statements(program *p);
statement_list all_statements(program *p);
/* Whether two indices have the same bounds and stride. */
bool same_range(const loop_index *x, const loop_index *y);
/* Notes that a group, a reduction was made of its node. */
void note_group(program *p, group *g);
void note_reduction(program *p, parallel *s);
/* What was made of a node; NULL: nothing. */
group *group_at(const program *p, const node *n);
parallel *reduction_at(const program *p, const node *n);

/* The function definition that n is in, or NULL; the symbol that a definition defines (of NULL: NULL). */
node *function_around(const node *n);
symbol *function_symbol(const node *definition);
/* The symbol of the function of this name that is defined here, whose declaration is the definition; NULL: there is none. */
const symbol *defined_function(const program *p, const char *name);
/* ++ or --, before or behind. */
bool is_step(const node *n);
/* Whether n holds a redistribution of the array. */
bool redistributes(const node *n, const array *a);
/* The statement of a block that n belongs to: a whole forall, an expression, ...; NULL: it is in no block. */
const node *statement_around(const node *n);
/* Whether n is outer or somewhere in it; of NULL: false. */
bool node_holds(const node *outer, const node *n);

/* The INDEPENDENT directive before a FOR, or NULL. */
node *independent_directive(const node *loop);
/* n without the parentheses around it. */
node *inside_parentheses(node *n);
/* The DECL_NAME in a declarator, NULL if it is abstract. */
node *declared_name(node *declarator);
/* The chain A[..][..] that n is the top of: its symbol, subscripts in order.  False when n isn't an INDEX chain on a
 * NAME. */
bool index_chain(node *n, node **name, node **subscripts, int *count);
/* Whether an INDEX chain with all the subscripts on a distributed array. */
array *distributed_reference(node *n);
/* The distributed parameter that child c of a CALL is the argument for, or NULL. */
array *parameter_array(const node *call, size_t c);
/* The same in the function's definition; NULL: it is in another file. */
array *defined_parameter(const program *p, const node *call, size_t c);
/* The distributed array that this argument is, or is a section of; NULL: it is none. */
array *argument_array(const node *call, size_t c, bool *section);
/* Whether a call may change this argument, which goes to a distributed parameter. */
bool argument_may_change(const program *p, const node *call, size_t c);
bool mentions_symbol(const node *n, const symbol *s);
/* Whether n reads distributed elements, or calls what does. */
bool reads_distributed(const node *n);
/* Whether something that begins at the tokens from .. to, in n or a function that it calls, changes the array. */
bool changes(const program *p, const node *n, const symbol *what, size_t from, size_t to);
/* "is redistributed", "inherits its mapping": why its mapping is known at run time only. */
const char *why_dynamic(const array *a);
/* Whether two arrays may be one at run time: parameters of a function, or a parameter and a file-scope array; and whether
 * calls in which they are must be refused. */
bool may_be_same(const array *a, const array *b);
bool are_kept_apart(const program *p, const array *a, const array *b);
/* Whether a function has distributed parameters. */
bool takes_distributed(const symbol *f);
/* Whether a keyword is among declaration specifiers. */
bool specifiers_have(const node *specifiers, const char *keyword);
/* "file:line" of a node's first token. */
const char *place_of(const program *p, const node *n);
/* A name that occurs nowhere in the program: the wish, or the wish with an ending that no wish has ("space_dpc"). */
const char *fresh_name(program *p, const char *wish);
/* The buffer of moved values of x, of which a statement has so many before: "A_in", "A_in_2". */
const char *moved_name(program *p, const symbol *x, int before);
/* What tells a reference's buffer from the first one of its array: "" or "_2", .... */
const char *moved_number(const reference *r);
/* A name that occurs nowhere and is never given again: the wish, or the wish and a number ("sum_36_2": the second of line 36). */
const char *unique_name(program *p, const char *wish);
/* Integer constant expression, as far as the compiler evaluates it. */
bool constant_value(const node *n, int64_t *value);
/* Whether n is an index whose loop counts from another value than the index does: then `value + index`, else NULL. */
const char *moved_index(arena *a, const node *n);
/* In `replacement` and in the text of bounds, \3name\3 stands for the computation in place of the reduction `name`. */
enum { PLACED = '\3' };
/* Whether a constant subscript of dimension d of an ordinary array is inside constant bounds. */
bool subscript_is_safe(const symbol *s, int d, const node *n);
/* The linear form of an expression without forall indices. */
linear linear_of(arena *a, const source *s, const node *n);

/* Text of an expression in the generated program, as codegen would rewrite it. (spelling.c) */
const char *spelling(arena *a, const source *s, const node *n);
/* Whether a foreign pragma stands before n, which may be about n alone: an OpenMP critical or master. */
bool follows_pragma(const source *s, const node *n);
/* Whether an expression may have another value later in its function. */
bool may_vary(const node *n);
/* Declared lower bound of dimension d of `base`, an array that is a C array in the output; NULL where it is 0. */
const char *lower_bound_text(arena *a, const source *s, const node *base, int d);
/* What sizeof or _Alignof of a distributed array, of a row or element of one, is; NULL: n is of something else. */
const char *distributed_size(arena *a, const node *n);

const operation_facts *facts_of_operation(operation op);
/* Whether n is an array intrinsic with a section among its arguments that the program doesn't declare itself. */
bool intrinsic_call(const node *n, intrinsic *kind);

/* The owner's statement that n is, or what stores in it; NULL: none. */
const owned_statement *owned_statement_at(const program *p, const node *n);
/* The element of the statement that n is, or NULL. */
const reference *owned_operand_at(const owned_statement *s, const node *n);

/* Whether a statement is executed in the loops of another one, which comes first. */
bool is_joined(const parallel *s);
/* Whether what r reads comes in messages of its own, or of its bundle. */
bool sends_messages(const reference *r);
/* The reference that the statement copies as it is, by the runtime, straight into the left side; NULL: it is no such
 * copy. */
const reference *copied_reference(const program *p, const parallel *s);
/* ---- The execution plan (plan/) */

/* Of a piece of a statement: mask -1: the statement itself, else the saving of that mask. */
const execution *execution_of(const parallel *s, int mask);
/* How it gets what r, one of the statement's references, reads. */
source_kind source_of(const parallel *s, const reference *r, int mask);
/* Whether it reads a distributed reference. */
bool needed(const parallel *s, const reference *r, int mask);
/* The earlier reference that brings the same values; NULL: none. */
const reference *shared_with(const parallel *s, const reference *r, int mask);
/* Whether r moves for this piece, by itself. */
bool starts_move(const parallel *s, const reference *r, int mask);
/* Whether the moves of these statements go in one message to each process. */
bool go_together(const program *p, parallel *const *s, int count, int mask);
/* Whether a reference is read in the local part; whether all its values move before the loops; whether one collective brings it into a variable. */
bool is_in_place(const reference *r);
bool is_moved(const reference *r);
bool is_shared_element(const reference *r);
bool uses_index(const reference *r, int k);
/* The loop of index k: runs over pieces as they arrive; over one strided run (home is cyclic there); over one run; needs a run's shift for local
 * addresses; counts the positions of its values. */
bool in_pieces(const parallel *s, int k);
bool is_strided(const parallel *s, int k);
bool is_single_run(const parallel *s, int k);
bool shift_used(const parallel *s, int k);
bool position_used(const parallel *s, int k);
/* The statement's last index. */
int tiled_index(const parallel *s);
/* The dimension of home that a distributed dimension of a reference in place is aligned with. */
int aligned_dimension(const parallel *s, const reference *r, int d);
/* Whether no other array of the statement may be this one. */
bool is_alone(const program *p, const parallel *s, const array *a);
/* Whether ranges, conditions and home leave open that an executed iteration evaluates subscript d outside the array; any subscript; one that is not
 * affine, where only the iterations tell. */
bool is_unchecked(const program *p, const parallel *s, const reference *r, int d);
bool needs_checks(const program *p, const parallel *s, const reference *r);
bool is_told_by_iterations(const program *p, const parallel *s, const reference *r);
/* Whether executed iterations may be outside home. */
bool looks_outside(const program *p, const parallel *s);

/* The reference whose owner executes; NULL: every process. */
const reference *home_of(const parallel *s);
/* Whether the bounds of an executed statement, and of the C loops around it, prove that a reference stays inside its array. */
bool reference_in_bounds(const program *p, const parallel *s, const reference *r);
/* The same of subscript d in the iterations that are executed: masks, conditions around it and triangular bounds count. */
bool executed_in_bounds(const program *p, const parallel *s, const reference *r, int d);
/* What these conditions say about index k, as C text for the program at run time; NULL: nothing. */
typedef struct {
    const char *low, *high;
} index_limits;
index_limits executed_limits(const program *p, const parallel *s, const reference *r, int k);
/* Whether that is proved of all its references to distributed arrays, home included. */
bool statement_in_bounds(const program *p, const parallel *s);
/* Whether r stands where home's owner executes, by their mappings and subscripts. */
bool reference_is_local(const program *p, const reference *home, const reference *r);
/* Whether two references read the same element in every iteration. */
bool same_subscripts(const program *p, const reference *x, const reference *y);
/* Whether dimension d of a and e of b have one format and block size, whatever that is at run time. */
bool equal_formats(const program *p, const array *a, int d, const array *b, int e);

/* Whether the subscript of home's dimension d says who executes an iteration. */
bool finds_owner(const parallel *s, int d);
/* `for (i = first; i < limit; i += step)`; > where the step is negative; with <= and >= the limit is inclusive. */
typedef struct {
    const symbol *variable;
    const node *first, *limit;
    int64_t step; /* at most 2^31 - 1, in magnitude */
    bool inclusive;
} counting_loop;
/* False: the loop is not of this form. */
bool counting_loop_of(const node *loop, counting_loop *c);
/* Whether only the loop's head changes its variable, which never overflows, and its body begins only there. */
bool counts_undisturbed(const node *loop, const counting_loop *c);

/* Of a variable's type. */
bool is_signed_integer(const symbol *s);

/* The dimension of home (NULL: none) that index number `index` subscripts, a distributed one if there is a choice; or -1. */
int home_dimension(const reference *home, int index);
/* Dimension d of a reference that moves beside home's. */
pairing pairing_of(const program *p, const parallel *s, const reference *r, int d);
/* Processes along distributed dimension d; block size; number of iterations of an index. */
quantity procs_along(const program *p, const array *a, int d);
quantity block_of(const program *p, const array *a, int d);
quantity iterations_of(const program *p, const parallel *s, int index);
/* At most one run of iterations per pair; at most one run per block of the side with the greater b/s. */
bool pairing_is_one_run(const pairing *x);
bool pairing_is_flat(const pairing *x);
/* Iterations per block of the reference's and of home's side; 0: not known, or not the same everywhere. */
int64_t pairing_length(const pairing *x);
/* b1/s1 = b2/s2: iterations by which the blocks of the reference run ahead of home's; false: not known. */
bool pairing_distance(const program *p, const parallel *s, const reference *r, const pairing *x, int64_t *distance);
/* Whether every element of a reference that sets would move is known to stand where it is read. */
bool reference_in_place(const program *p, const parallel *s, const reference *r);
const char *method_word(set_method m); /* "closed-form", ... */

/* The mapping that a redistribute gives one of its arrays. */
mapping redistribution_mapping(program *p, node *directive, node *entity);
/* The mapping that an array has before a redistribution, if all its redistributions stand one after another in one
 * block that is executed once for each creation of the array.  NULL: the run time knows. */
const mapping *mapping_before(program *p, const node *directive, const array *a);

void program_print(FILE *out, const program *p); /* --dump=ir */
void plan_print(FILE *out, const program *p);    /* --dump=plan */

#endif

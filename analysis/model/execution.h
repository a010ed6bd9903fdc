/* The execution plan of parallel statements: pass "plan" makes it, code generation prints it, reports read it. */
#ifndef DPC_ANALYSIS_EXECUTION_H
#define DPC_ANALYSIS_EXECUTION_H

#include "references.h"

typedef struct program program;
typedef struct parallel parallel;

/* How a piece of work gets what a reference reads. */
typedef enum {
    SOURCE_NONE,    /* it reads nothing of it, or an ordinary array */
    SOURCE_PLACE,   /* the local part, ghost cells included */
    SOURCE_MOVE,    /* values that move for this reference */
    SOURCE_ELEMENT, /* one element that a collective brings into a variable */
    SOURCE_SHARED,  /* values that an earlier reference brings: `from` */
    SOURCE_PANELS,  /* an operand of a product, panel by panel */
    SOURCE_GATHER,  /* values whose owners are found at run time */
    SOURCE_MATRIX   /* rows and places of a matrix that is an array of one dimension (submatrix) */
} source_kind;
typedef struct {
    source_kind kind;
    size_t from;           /* SHARED: its number */
    size_t with;           /* GATHER: the number of the one whose inspector looks for both; its own: it has one */
    const reference *same; /* the first reference before that reads the same - of ghost cells, the same array's -, of
                              this statement or of one before in the same loops; NULL: none */
    int rows;              /* GATHER: its last subscripts, so many, are those of rows that come in one piece */
} value_source;

/* What packs the messages of moves, in a function of the program where several share it: the elements, the indices in
 * the order of their dimensions, and whether the runs of each have one value. */
typedef struct exchange {
    const char *name; /* of the function; NULL: one statement alone */
    element element;
    int axes; /* the innermost one is number 0 */
    bool points[MAX_RANK];
    bool strips[MAX_RANK]; /* a pair of processes may share several strips */
    struct exchange *as;   /* one of more axes, whose loops do for these, too; NULL: none */
    int64_t step; /* elements from one value of the last index to the next, where it steps through the last dimension;
                     0: the run time says it */
    size_t uses;
} exchange;

/* How the iterations of a piece of work are executed. */
typedef enum {
    BY_ENGINE,   /* one copy by the redistribution engine */
    BY_COPY,     /* values go straight into the left side */
    BY_PREFIX,   /* the prefixes of its values are formed in the left side */
    BY_SCATTER,  /* to owners found at run time */
    BY_BUFFER,   /* all values first, then the stores */
    BY_ROWS,     /* the values of a row first, which are stored when no other row reads the old ones any more */
    BY_KEPT,     /* row by row; what a row reads of its stored elements is the same for all of it, and read before */
    BY_BODY,     /* the body of an independent loop */
    BY_FUNCTION, /* loops outlined into a function of their own */
    BY_LOOPS
} execution_way;

/* How far a piece of work reads beyond home's element along an index, elements. */
typedef struct {
    int64_t low, high;
    bool cyclic;
    const linear *far; /* a row of a width that is no constant, if that is further, in both directions; or NULL */
} index_reach;

/* PIPELINE: an array that iterations store and later ones read on other processes: how far before their own element,
 * per dimension: `low` where the loop counts up, `high` where it counts down. */
typedef struct {
    array *array;
    const reference *store; /* of the element of an iteration */
    int64_t low[MAX_RANK], high[MAX_RANK];
} swept_array;

/* The execution plan of a piece of work: a statement, the saving of one of its masks, or statements in one nest of
 * loops.  Pass "plan" makes it; code generation and reports read it. */
typedef struct {
    value_source *source; /* per reference */
    execution_way way;
    int rows;          /* SCATTER: the same of the left side's */
    bool rows_stored;  /* SCATTER: the loops store these where they belong, or in the messages */
    int moves;         /* that send messages of their own */
    array **refreshed; /* whose ghost cells are brought up to date; the last `early` for statements further down */
    size_t refreshes, refresh_capacity;
    size_t early;
    int planes; /* only one array is refreshed, and of its first dimensions, so many, the pieces of work read one plane
                 */
    bool joins_collective; /* REDUCTION in a chain: its result goes in the collective of one before it there */
    bool copied;           /* what the refresh sends is copied: the loops store into it meanwhile */
    bool interior_first;   /* first what needs nothing of other processes, then the rest */
    index_reach *reach;    /* per index */
    swept_array *swept;    /* of a pipeline; NULL: processes don't wait for one another */
    size_t swepts, swept_capacity;
    bool blocks[MAX_RANK]; /* of a pipeline, per loop: it may be executed in blocks, and some process need not wait long
                              then */
    bool chain;            /* of a pipeline: the innermost loop may be executed in parts, in which rows overlap */
    int operations;        /* of an iteration of a pipeline, about */
    bool running;          /* the saving of values with a prefix operation: its loops combine them as they come */
} execution;

/* ---- What may be asked (plan/) */

/* What an assignment to v adds: `v += value`, `v = v - value`, `v++` (value: NULL). False: it does more.  (scan.c) */
typedef struct {
    node *value;
    bool subtracts;
} added_value;
bool added_part(node *n, const symbol *v, added_value *part);

/* Of a piece of a statement: mask -1: the statement itself, else the saving of that mask. */
const execution *execution_of(const parallel *s, int mask);
/* How it gets what r, one of the statement's references, reads. */
source_kind source_of(const parallel *s, const reference *r, int mask);
/* Whether it reads a distributed reference. */
bool needed(const parallel *s, const reference *r, int mask);
/* Of a reference that reads ghost cells: how many of its first subscripts say of which plane alone these come. */
int planes_read(const parallel *s, const reference *r);
/* Of a pipeline: whether earlier iterations on other processes store what r reads. */
bool comes_by_pipeline(const parallel *s, const reference *r);
/* Whether a pipeline's blocks are dealt round-robin along a dimension that it waits along: stages are tiles. */
bool goes_in_tiles(const execution *x);
/* The earlier reference that brings the same values; NULL: none. */
const reference *shared_with(const parallel *s, const reference *r, int mask);
/* The earlier gather of another array whose inspector looks for what r reads, too; NULL: none. */
const reference *inspected_with(const parallel *s, const reference *r, int mask);
/* The reference before that reads the same elements, or brings the same ghost cells; NULL: none. */
const reference *read_before(const parallel *s, const reference *r, int mask);
/* What pieces of work have in common whose fetches may go in the same messages: an aggregate, a chain, or the piece
 * itself.
 */
const void *fetched_with(const parallel *s, int mask);
/* Whether a gather's, or the left side's, elements move as rows; whether index k runs through these. */
bool has_rows(const parallel *s, const reference *r, int mask);
bool stores_rows(const parallel *s);
bool runs_in_row(const parallel *s, const reference *r, int mask, int k);
/* Whether r moves for this piece, by itself. */
bool starts_move(const parallel *s, const reference *r, int mask);
/* How what a reference reads comes to where it is used, in words. */
typedef enum {
#define TRAVEL(name, relation, comment, why) TRAVEL_##name,
#include "travels.def"
#undef TRAVEL
} travel;
typedef struct {
    const char *relation, *comment, *why;
} travel_facts;
travel travel_of(const program *p, const parallel *s, const reference *r);
const travel_facts *facts_of_travel(travel way);
/* Whether the moves of these statements go in one message to each process. */
bool are_aggregated(const program *p, const parallel *const *s, int count, int mask);
/* Whether a reference is read in the local part; whether all its values move before the loops; whether one collective
 * brings it into a variable. */
bool is_in_place(const reference *r);
bool is_moved(const reference *r);
bool is_shared_element(const reference *r);
bool uses_index(const reference *r, int k);
/* The loop of index k: runs over pieces as they arrive; over one strided run (home is cyclic there); over one run;
 * needs a run's shift for local addresses; counts the positions of its values. */
bool in_pieces(const parallel *s, int k);
bool is_strided(const parallel *s, int k);
bool is_single_run(const parallel *s, int k);
/* Whether every process executes all values of index k, of an inner reduction: constants that follow one another. */
bool has_literal_range(const parallel *s, int k, int64_t *first, int64_t *last);
/* Whether the loops take an own index from what home's array says of this process's elements: all own indices step by
 * one through dimensions of which every process has one interval. */
bool is_own_interval(const parallel *s, int k);
/* Whether every process executes all values of index k, of an inner reduction, from bound to bound. */
bool is_whole_range(const parallel *s, int k);
bool shift_used(const parallel *s, int k);
/* Whether the position of a value of index k is its distance from the first one. */
bool is_placed_by_value(const parallel *s, int k);
/* A ragged index that goes from bound to bound: nothing counts its positions. */
bool runs_from_bound_to_bound(const parallel *s, int k);
bool position_used(const parallel *s, int k);
/* The number of the mask whose prefixes the statement's loops combine; -1: there is none. */
int kept_prefix(const parallel *s);
/* The statement's last index. */
int tiled_index(const parallel *s);
/* The dimension of home that a distributed dimension of a reference in place is aligned with. */
int aligned_dimension(const parallel *s, const reference *r, int d);
/* Whether no other array of the statement may be this one. */
bool is_alone(const program *p, const parallel *s, const array *a);
/* Whether ranges, conditions and home leave open that an executed iteration evaluates subscript d outside the array;
 * any subscript; one that is not affine, where only the iterations tell. */
bool is_unchecked(const program *p, const parallel *s, const reference *r, int d);
bool needs_checks(const program *p, const parallel *s, const reference *r);
bool is_told_by_iterations(const program *p, const parallel *s, const reference *r);
/* Whether executed iterations may be outside home. */
bool looks_outside(const program *p, const parallel *s);

#endif

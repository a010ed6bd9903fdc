/* Grids, distributed arrays and their mappings, and what may be asked of them.  (docs/mappings.md) */
#ifndef DPC_ANALYSIS_MAPPINGS_H
#define DPC_ANALYSIS_MAPPINGS_H

#include "linear.h"
#include "symbols.h"

typedef struct grid {
    symbol *symbol;
    node *directive;
    node *entity;
    int rank;
    node *extent[MAX_RANK];  /* NULL: `*` */
    const char *variable;    /* its name in generated code */
    bool used;               /* some mapping is onto it */
    int64_t known[MAX_RANK]; /* constant extent, 0 where not known */
    node *part; /* the GRID_PART that makes it of another one; extent: its coordinates. NULL: it is a whole one */
    struct grid *whole; /* of a part */
} grid;

/* From GEN_BLOCK on: a table of intervals that the library makes. */
typedef enum { FORMAT_STAR, FORMAT_BLOCK, FORMAT_CYCLIC, FORMAT_GEN_BLOCK } format_kind;
typedef struct {
    format_kind kind;
    node *node;
    bool sized;     /* block(m), cyclic(b) */
    bool automatic; /* cyclic(auto), auto: choose_blocks fills in kind, sized and block */
    bool any_kind;  /* auto */
    linear block;   /* when sized; cyclic: 1 */
    node *sizes;    /* GEN_BLOCK: the vector */
} format;

/* Two references of one statement whose block sizes meet: an edge of the component affinity graph (Lee and Chen,
 * section 5.1).  The blocks are those chosen. */
typedef struct {
    const node *home, *read; /* the references */
    int left, right;         /* members of the group: home's dimension, the one that is read */
    int64_t left_block, left_stride, right_block, right_stride; /* elements; strides without their signs */
    int number;                                                 /* Case 1 to 4 of Table 4; 4: b1/s1 = b2/s2 */
    bool local;                                                 /* nothing moves */
} block_pair;

/* Block sizes that were compared.  Amounts are those of the busiest process, for all executions of all statements. */
typedef struct {
    const char *method;        /* "the printed algorithm, granularity 4 of at most 17" */
    const char **word;         /* per member: "cyclic(12)", "block" */
    double seconds;            /* < 0: not possible, the blocks are larger than the arrays allow */
    double balance;            /* its iterations over the average process's */
    double messages, elements; /* that it sends */
} block_option;

/* Dimensions whose blocks were chosen together, as statements connect them (choose_blocks), for reports. */
typedef struct {
    const struct array **array; /* per member */
    int *dimension;
    int members;
    block_pair *pair;
    size_t pairs, pair_capacity;
    block_option *option;
    size_t options, option_capacity;
    size_t chosen;
} block_group;

/* Why a block size was chosen, for reports. */
typedef struct {
    int64_t block;       /* elements; of format block: ceil(extent / processes), with the numbers assumed if unknown */
    int64_t granularity; /* h: what the algorithm's block was multiplied by */
    const char *reason;  /* one sentence: the method and the condition met */
    const block_group *group;
    int place; /* in the group */
} block_trace;

typedef struct {
    format format[MAX_RANK];
    grid *grid; /* NULL: the default grid */
} mapping;

/* Ghost cells: set by the passes of place/. */
typedef struct {
    int64_t halo_low[MAX_RANK], halo_high[MAX_RANK]; /* ghost cells that the statements read, elements */
    int64_t gap[MAX_RANK]; /* places between dealt blocks of a process, for ghost cells, elements */
    int64_t less[MAX_RANK],
        more[MAX_RANK];    /* extents of the arrays beside whose blocks it is read are smaller, greater by so much */
    bool cyclic[MAX_RANK]; /* those beyond the ends hold the elements of the other end */
    int corners;           /* dimensions beside which they are at once, at most; 0: one */
    bool halo_varies;      /* a parameter: arguments may have wider ghost cells */
    bool widens;           /* statements may: how far they read is known at run time only */
    bool deepens;          /* time tiling or they may make them wider, corners included, while the program runs */
} placed_array;

/* How an array stands on another one, or on a template, which it is aligned with; one for each dimension of that one.
 */
typedef struct {
    int dim;         /* dimension of the aligned array, -1: none */
    bool everywhere; /* `*`: a copy at every coordinate */
    linear stride,
        offset; /* element x of that dimension stands with offset + stride * x; dim -1: everything with offset */
    node *node;
} standing;

typedef struct {
    struct array *with; /* an array, aligned itself perhaps, or a template */
    node *directive;    /* ALIGN or REALIGN */
    standing place[MAX_RANK];
} alignment;

/* A distributed array, or a template, which has bounds and a mapping and no elements. */
typedef struct array {
    symbol *symbol;
    size_t number; /* in program.arrays */
    element element;
    int rank;
    linear lower[MAX_RANK],
        upper[MAX_RANK]; /* declared bounds, inclusive; run-time ones are constants made at the declaration */
    linear written_lower[MAX_RANK], written_upper[MAX_RANK]; /* as the source has them */
    const char *lower_name[MAX_RANK], *upper_name[MAX_RANK]; /* of these constants, or NULL */
    node *lower_node[MAX_RANK], *upper_node[MAX_RANK];
    mapping mapping;      /* as distributed; aligned: what it has of that of the end of its chain */
    node *directive;      /* DISTRIBUTE, ALIGN or INHERIT; of a template NULL: it is not distributed */
    alignment *alignment; /* by its directive; NULL: it has a mapping of its own */
    bool is_template;
    bool followed;          /* others are aligned with it */
    bool realigned;         /* some realign names it */
    bool plain;             /* aligned, and mapped as its formats say: as if it had been distributed itself */
    bool extensible;        /* mapped for good, and only statements of this file use it: it may begin before its
                               first element */
    int64_t lead[MAX_RANK]; /* elements before its first one that only its mapping has (Lee and Chen, 7.1) */
    bool apart; /* aligned, not plain, and where it stands is known: `dynamic` to those who ask for formats only */
    node *init; /* initialiser, or NULL */
    block_trace *chosen[MAX_RANK]; /* per dimension with an automatic format, else NULL */
    bool dynamic;                  /* its mapping is known at run time only */
    bool redistributed;            /* some redistribute names it */
    bool versioned;                /* of the origin: some statements are compiled for several of its mappings */
    bool elsewhere;                /* some redistribution gives it a mapping that is not among its views */
    struct array *origin;          /* the array as its directive maps it; itself: this is it */
    struct array **view; /* of the origin: the array with each mapping that it may have; first the origin itself */
    size_t views, view_capacity;
    struct array *unknown;    /* of the origin, redistributed: it with a mapping that is known at run time only */
    const struct array *like; /* in a version: divided as this one, which the program has compared; NULL: as itself */
    bool near;                /* of such: where extents decide, they may differ a little */
    struct array *stored_as;  /* of such: the one that it is in other versions, with the same ghost cells */
    bool inherits;            /* a parameter with its argument's mapping */
    bool shared;              /* other source files may name it: its descriptor has one name in all of them */
    bool prototype;           /* a parameter of a function that is declared here, not defined */
    bool passed;              /* an argument for some distributed parameter */
    bool assigned;            /* a parameter: the function may change elements of its argument */
    const char *descriptor;   /* name of its dpc_array in generated code, or of a pointer to it */
    const char *address;      /* C text: the address of its dpc_array */
    const char *access;       /* C text before a member of it: "A_dist." */
    const char *argument, *parameter; /* a parameter: names of its dpc_argument and dpc_parameter */
    placed_array placed;
    bool watched; /* values or copies of it may be used again: every store into it gives it new contents */
} array;

/* What may be asked of dimension d of a mapping; nobody else looks into formats. (mapping.c; docs/mappings.md, section
 * 1) Divided over processes; every process has at most one block, an interval; blocks are dealt round-robin, with one
 * element each. */
bool divides(const mapping *m, int d);
bool in_one_block(const mapping *m, int d);
bool is_block_cyclic(const mapping *m, int d);
bool is_cyclic(const mapping *m, int d);
/* The block size that the directive says or the compiler has chosen, elements; NULL: none.  False: none, or no
 * constant. */
const linear *written_block(const mapping *m, int d);
bool known_block(const mapping *m, int d, int64_t *block);
/* The directive's expression of a block size that is no constant; NULL: there is none. */
node *block_expression(const mapping *m, int d);
/* The compiler chooses, or has chosen: blocks; the format, too. */
bool is_automatic(const mapping *m, int d);
bool is_any_format(const mapping *m, int d);
/* The same `auto`, the same gen_block in the source; whether the compiler chooses for any dimension. */
bool same_choice(const mapping *m, int d, const mapping *n, int e);
bool same_vector(const mapping *m, int d, const mapping *n, int e);
bool has_automatic(const array *a, const mapping *m);
/* Whether they are written alike; of all dimensions of an array. */
/* Of the first: both in one block, or dealt, by the same rule. */
bool same_kind(const mapping *m, int d, const mapping *n, int e);
bool same_format(const mapping *m, int d, const mapping *n, int e);
bool same_formats(const array *a, const mapping *m, const mapping *n);
bool blocks_are_constant(const array *a, const mapping *m);
/* Whether a dimension has gen_block: where its blocks begin is known at run time only. */
bool has_tables(const array *a);
/* Whether its mapping is known here, with blocks of one size: what sets and collectives are said of in advance. */
bool has_regular_blocks(const array *a);
int divided_dimensions(const array *a);
/* Whether each process has one block of it along each dimension, alone, by a mapping that it always has. */
bool has_own_blocks(const array *a);
/* The vector of dimension d's gen_block, NULL: it has none. */
node *block_sizes(const mapping *m, int d);
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
void set_block_cyclic(mapping *m, int d, int64_t block);
/* The block as the directive would have it. */
void set_written_block(mapping *m, int d, int64_t block);
/* It gets the format of dimension e of another mapping. */
void take_format(mapping *m, int d, const mapping *n, int e);
/* "cyclic"; "cyclic(3)"; "(block, cyclic(3))"; the dpc_format of generated code: "DPC_CYCLIC(3)"; `block`:
 * the text of the block size, or NULL; of a vector of block sizes, and how many entries it has. */
const char *format_kind_word(const mapping *m, int d);
const char *format_word(arena *a, const mapping *m, int d);
const char *mapping_words(arena *memory, const array *a);
const char *format_initialiser(arena *a, const mapping *m, int d, const char *block, int64_t gap, int64_t lead);

/* Elements of an array along dimension t of the end of its chain, where constants say it: element x of dimension `dim`
 * stands with offset + stride * x.  (places.c) */
typedef struct {
    bool everywhere; /* a copy at every coordinate */
    int dim;         /* the array's dimension; -1: all stands with `offset` */
    int64_t stride, offset;
} lying;
bool lying_along(const array *a, int t, lying *l);
/* Of an aligned array: whether where its elements stand is known here, and so who owns them beside others; of any.
 * (places.c) */
bool stands_on_known_cells(const array *a);
bool knows_cells(const array *a);
/* Whether every process has one interval at most of an array along dimension d. */
bool has_one_interval(const array *a, int d);

/* A value that is compared of dimension d of one array and e of another. */
typedef enum { COMPARE_EXTENTS, COMPARE_BLOCKS, COMPARE_LOWERS } compared_value;
typedef struct {
    compared_value value;
    int d, e;
} division;

/* Two arrays of which the source does not say whether they are divided alike: the program compares them once, where
 * the second is created. */
typedef struct {
    array *first, *second; /* as declared */
    division compared[2 * MAX_RANK];
    int comparisons;
    const char *name, *near; /* of the variables that say whether they are, and whether ghost cells make up for what
                                their extents differ by; NULL: no statement asks */
    bool used, near_used;
} likeness;

/* Whether two are one array, with whatever mappings. (views.c) */
bool same_array(const array *a, const array *b);
/* Whether two mappings of an array are one: of formats that are not written out, by where the source asks for them. */
bool are_meant_alike(const array *a, const mapping *m, const mapping *n);
/* The array with a mapping; NULL: it is none of those that are known. */
array *find_view(const array *a, const mapping *m);

#endif

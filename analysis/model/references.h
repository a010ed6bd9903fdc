/* References of parallel statements: subscripts, how they stand to home, how their values come. */
#ifndef DPC_ANALYSIS_REFERENCES_H
#define DPC_ANALYSIS_REFERENCES_H

#include "mappings.h"

typedef enum { SUBSCRIPT_INVARIANT, SUBSCRIPT_AFFINE, SUBSCRIPT_GENERAL } subscript_kind;

/* A subscript that indices of inner reductions are added to, as in sum(a = -1:1, A[i + a]): the element is offset +
 * stride * index value + beyond, low <= beyond <= high, which have the same values in all iterations. */
typedef struct {
    int index; /* number in parallel.index, none of an inner reduction */
    linear stride, offset, beyond;
    linear low, high;
    bool wide;               /* these are known at run time only */
    int64_t least, most;     /* else what they are */
    const linear *from, *to; /* least and greatest value of the subscript, where that is less than index and what is
                                added say: `i > 0 ? i - 1 : 0`; or NULL */
} nearness;

typedef struct {
    subscript_kind kind;
    int index;             /* AFFINE: number in parallel.index */
    linear stride, offset; /* offset + stride * index value; INVARIANT: offset */
    node *node;            /* the subscript in the source; NULL: made from a section */
    bool whole;            /* AFFINE, independent: the index stands for all elements, `node` picks one of them */
    bool checked;          /* independent: by the C loop around it, which compares the ends of what it steps through
                              (pass "plan") */
    const char *text;      /* GENERAL made from a section: C text */
    const nearness *near;  /* GENERAL: that it stays near an affine one; NULL: it is not known to */
} subscript;

typedef enum {
    RELATION_LOCAL, /* stands where the statement executes: read in place */
    RELATION_SHIFT, /* at a constant distance from there, on an equal block mapping: read in place, ghost cells included
                     */
    RELATION_STEP,  /* stands where the statement executes, and its place advances by another step: read in place */
    RELATION_SETS,  /* affine subscripts: moved by communication sets */
    RELATION_GATHER /* other subscripts: inspector and executor */
} relation;

/* How the values of a reference that moves arrive: by the runtime, in loops of the generated program over closed forms,
 * in one of both ways, decided when the statement starts, by one collective along dimensions of the grid, where all
 * indices stand as in home and the other subscripts are invariant, or by the redistribution engine, where the statement
 * copies a section of unit stride as it is. */
typedef enum { MOVE_FETCHED, MOVE_INLINED, MOVE_DECIDED, MOVE_BROADCAST, MOVE_COPIED } move_kind;

/* How a product (below) reads its operand: panel by panel, in place or broadcast along the grid; or first the values
 * are moved, as `move` says. */
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

/* The place of an element beside home's in a dimension whose blocks hold as many iterations: with home's local index x
 * it is (x - origin) / home_step * step + first. */
typedef struct {
    int64_t home_step, step; /* elements per iteration; step 0: the place is home's */
    int64_t origin, first;   /* places of the first iteration of a block */
    int64_t rounds;          /* `first` is so many rounds of all processes further on, gaps left out (until gaps.c) */
} own_place;

/* Of a dimension: what is added to a distance in the iterations of inner reductions and of C loops around the
 * statement, and the extremes of that. */
typedef struct {
    linear beyond;
    int64_t least, most;
} varying_distance;

typedef struct {
    int64_t distance; /* SHIFT: elements beyond where the statement executes */
    int64_t reach;    /* SHIFT: the same distance in elements of home, where one of the arrays stands apart */
    bool own;         /* LOCAL, SHIFT: its place is counted from its array's own first element */
} placed_dimension;

/* What a process reads of a matrix that is an array of one dimension: all sums of a value of each part times its
 * weight, A[i*n + k].  A part adds up what is fixed and indices of the statement, or rows and places that these number,
 * each of which stands in one part, or what is left of that by a modulus. */
typedef struct {
    linear weight, value;
    linear modulus; /* 0: none */
} submatrix_part;
enum { MOST_MATRIX_PARTS = 4 };
typedef struct {
    int parts;   /* the outermost first */
    bool inside; /* all is known to be inside the array */
    bool around; /* some part has a modulus */
    submatrix_part part[MOST_MATRIX_PARTS];
} submatrix;

/* How the values of a reference come: set by the passes of place/. */
typedef struct {
    relation relation;
    move_kind move; /* SETS */
    operand_kind operand;
    bool beside; /* SHIFT: the extents differ, blocks end elsewhere than home's */
    bool wide;   /* SHIFT: some distances are known at run time only (is_wide) */
    placed_dimension *dim;
    varying_distance *varying; /* SHIFT: per dimension what is added to that, or NULL: nothing */
    const linear *far;       /* SHIFT, of one dimension: the distance, a row of a width that is no constant; or NULL */
    own_place *along;        /* STEP: per dimension */
    const submatrix *matrix; /* GATHER: what a process reads; NULL: each element is looked for */
    const char *buffer;      /* name of its values in generated code */
    const char *kept;        /* of the variable that has its value for a row, or NULL (pass "plan") */
    struct exchange *exchange; /* SETS: the loops that pack its messages (pass "plan"); NULL: its own */
} placed_reference;

/* What saves moving them again: set by pass "reuse". */
typedef struct {
    const char *reused; /* SETS, GATHER: name of the place where these stay until the array changes, or NULL */
    bool inspected;     /* GATHER, or what is scattered: its owners are known while its subscripts are the same */
    bool localised;     /* GATHER: accesses find their elements among own and brought ones, each of which comes once */
    symbol **input;     /* what these are made of */
    size_t inputs, input_capacity;
} combined_reference;

typedef struct {
    node *node; /* the INDEX chain */
    symbol *symbol;
    array *array;         /* NULL: an ordinary array with sections in it */
    subscript *subscript; /* per dimension, as placed.dim */
    node *base;           /* what the subscripts apply to: a NAME for every distributed array */
    wrapping *cycle;      /* circular shifts */
    int rank;
    int cycles;
    int turn; /* with cycles: bit k set: the elements beyond the end of cycle k; ALL_TURNS: all, by ghost cells;
                 NO_TURNS, without cycles: as it is written, in place of one that varies_round */
    bool varies_round; /* with cycles: what is added to an index varies, (i + a + n) % n; there is one as it is written
                        */
    int reduction;     /* number of the inner reduction that it stands in, or -1 */
    int mask;          /* number of the statement's mask that it stands in, or -1 */
    bool guarded;      /* evaluated only under a condition: its subscripts may leave the array */
    bool confined;     /* an array intrinsic decides where it is evaluated: it stays in its section */
    bool own_mask;     /* stands in the mask of its inner reduction */
    bool stored;       /* independent: assigned; the left side of a statement executed in the same loops (codegen) */
    placed_reference placed;
    combined_reference combined;
} reference;

enum { ALL_TURNS = -1, NO_TURNS = -2 };

/* Room for so many dimensions; what the reference has of them comes along. */
void make_dimensions(arena *a, reference *r, int rank);
/* With dimensions of its own; those of an assigned reference are shared. */
reference copy_of_reference(arena *a, const reference *r);

/* The extremes of how far a SHIFT reads beyond home along dimension d. */
static inline int64_t least_distance(const reference *r, int d) {
    return r->placed.dim[d].distance + (r->placed.varying ? r->placed.varying[d].least : 0);
}
static inline int64_t greatest_distance(const reference *r, int d) {
    return r->placed.dim[d].distance + (r->placed.varying ? r->placed.varying[d].most : 0);
}
/* Whether it is a SHIFT whose distances along dimension d are known at run time only: these and what subscript.near
 * says, or placed.far. */
static inline bool is_wide(const reference *r, int d) {
    if (r->placed.relation != RELATION_SHIFT || !r->placed.wide) return false;
    return r->placed.far ||
           (r->subscript[d].kind == SUBSCRIPT_GENERAL && r->subscript[d].near && r->subscript[d].near->wide);
}
/* The number of the index that a subscript follows, one to one or nearly; -1: none. */
static inline int followed_index(const subscript *u) {
    return u->kind == SUBSCRIPT_AFFINE ? u->index : u->kind == SUBSCRIPT_GENERAL && u->near ? u->near->index : -1;
}

/* Whether what a reference reads stands in the process's own local part. */
static inline bool stays_in_place(const reference *r) {
    return r->placed.relation == RELATION_LOCAL || r->placed.relation == RELATION_SHIFT ||
           r->placed.relation == RELATION_STEP;
}

/* Whether some of its places are counted by themselves: home's local indices do not find them. */
static inline bool has_own_places(const reference *r) {
    bool any = false;
    for (int d = 0; r->array && d < r->rank; d++) any = any || r->placed.dim[d].own;
    return any && stays_in_place(r);
}

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

#endif

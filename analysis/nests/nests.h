/* Private to the folder: C loop nests over elements of distributed arrays, as pass "nests" reads them. */
#ifndef DPC_ANALYSIS_NESTS_H
#define DPC_ANALYSIS_NESTS_H

#include "../model/model.h"

enum { MOST_STATEMENTS = 24, MOST_PATH = 3 * MAX_RANK, MOST_CONDITIONS = 8 };

/* A loop `for (i = first; i < limit; i += step)` with a constant step; step -1 counts from the other end. */
typedef struct {
    node *loop;
    symbol *variable; /* as declared */
    symbol *index;    /* of the parallel statement: has the variable's name and type */
    node *lower, *upper;
    int64_t lower_more, upper_more; /* what is added to these, so that both are inclusive */
    int64_t step;                   /* > 0 */
    bool down;                      /* the loop runs from upper to lower: step is 1 */
} nest_loop;

/* Where something stands in the order of execution: constants, and loop variables (numbers of loops, -1: a constant).
 */
typedef struct {
    int loop[MOST_PATH];
    int constant[MOST_PATH];
    int length;
} nest_path;

typedef struct {
    node *node;
    bool negated;
    nest_path path; /* where it is evaluated */
} nest_condition;

/* One element that a statement reads or assigns. */
typedef struct {
    int statement;
    node *chain;
    const symbol *array; /* distributed or ordinary */
    nest_path path;
    int loops; /* around it */
    bool writes;
    bool accumulates; /* the left side of a sum: reads and writes of one element in any order */
} nest_access;

typedef struct {
    node *assign;   /* ASSIGN, or the UNARY or POSTFIX of ++ and -- */
    node *left;     /* an INDEX chain, or the NAME of a scalar that is summed up */
    const char *op; /* "=", "+=", ... */
    node *value;    /* NULL: 1 */
    nest_loop *loop[MAX_RANK];
    int loops;
    nest_condition condition[MOST_CONDITIONS];
    int conditions;
    bool reduces[MAX_RANK]; /* per loop: the statement adds up over it */
    bool scalar;            /* left is a scalar */
} nest_statement;

typedef struct {
    program *p;
    node *root;         /* the outermost FOR */
    const char *reason; /* why it stays sequential; NULL: nothing found */
    node *place;        /* what the reason is about */
    nest_statement statement[MOST_STATEMENTS];
    int statements;
    nest_access *access;
    size_t accesses, access_capacity;
    const nest_loop *open[MAX_RANK]; /* loops around what is being read */
    int opened;
    bool reads_memory;  /* through pointers or members */
    bool stores_memory; /* into ordinary arrays */
    bool bounds_read_memory;
    bool calls;                 /* functions of the program */
    bool distributed;           /* touches a distributed array */
    int order[MOST_STATEMENTS]; /* of execution as parallel statements */
} nest;

/* Notes why the nest stays sequential, the first time. */
void stop_nest(nest *x, node *place, const char *pattern, ...) __attribute__((format(printf, 3, 4)));

/* Reads the nest of a FOR; its reason says what cannot be parallel whatever the subscripts are. (read.c) */
void read_nest(nest *x);
/* Reads an expression that a statement evaluates: its elements become accesses. (values.c) */
void read_value(nest *x, node *n, const nest_path *path, int loops);
/* Whether a scalar is assigned in the nest. */
bool is_assigned_within(const nest *x, const symbol *s);

/* Finds the order in which the statements can be executed, each for all iterations at once; else the reason is the
 * dependence in the way. (dependences.c) */
void order_nest(nest *x);

/* Puts parallel statements in place of the nest, and notes variables that nothing uses any more. (rewrite.c) */
void rewrite_nest(nest *x);

#endif

/* Private to the folder: C loop nests over elements of distributed arrays, as pass "nests" reads them. */
#ifndef DPC_ANALYSIS_NESTS_H
#define DPC_ANALYSIS_NESTS_H

#include "../model/flat.h"

enum {
    MOST_STATEMENTS = 40,
    MOST_PATH = 4 * MAX_RANK,
    MOST_CONDITIONS = 8,
    MOST_LOOPS = 40,
    MOST_DEPTH = 4 * MAX_RANK,
    MOST_PRIVATES = 32,
    MOST_SKIPS = 8,
    MOST_UPDATES = 8,
    MOST_CARRIED = 8,
    MOST_OPERATIONS = 400000,
    LEAST_OPERATIONS = 2000,
    MOST_SIZE = 2000 /* nodes of values in which privates are written out */
};

/* A loop `for (i = first; i < limit; i += step)` with a constant step; step -1 counts from the other end. */
typedef struct {
    node *loop;
    symbol *variable; /* as declared */
    symbol *index;    /* of the parallel statement: has the variable's name and type */
    node *lower, *upper;
    int64_t lower_more, upper_more; /* what is added to these, so that both are inclusive */
    bool added;                     /* what is compared is the variable and a constant, `i + 1 < n` */
    int64_t step;                   /* > 0 */
    bool down;                      /* the loop runs from upper to lower: step is 1 */
    bool ragged;                    /* its bounds read distributed elements */
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
    int statement; /* that evaluates it */
    int loops;     /* around it */
} nest_condition;

/* One element, or private scalar, that a statement reads or assigns. */
typedef struct {
    int statement;       /* -1: none, it is written out where its value is used */
    node *chain;         /* a NAME of a private */
    const symbol *array; /* distributed or ordinary, or a private */
    nest_path path;
    int loops; /* around it */
    int depth; /* PRIVATE: it has a value for each iteration of so many loops; else -1 */
    bool writes;
    bool accumulates; /* the left side of a sum: reads and writes of one element in any order */
    bool row;         /* all elements of the last dimension, whose subscript the chain has not: a function gets them */
} nest_access;

typedef enum {
    STATEMENT_ELEMENT,  /* assigns an element */
    STATEMENT_SCALAR,   /* adds up to a scalar that is used behind */
    STATEMENT_PRIVATE,  /* assigns a private scalar */
    STATEMENT_CARRIED,  /* assigns a scalar that goes from iteration to iteration */
    STATEMENT_CONDITION /* the condition of an `if` */
} statement_kind;

/* `if (value > m) m = value;` and the like. */
typedef struct {
    const char *relation; /* of the value to the variable where it replaces it: ">", "<", ">=" or "<=" */
    const char *library;  /* "fmax", "fminf" and the like, or NULL */
    node *assign, *value;
    const symbol *at; /* gets the loop's variable, or NULL */
} nest_extreme;

typedef struct {
    statement_kind kind;
    node *whole;           /* EXPRESSION, an operand of its commas, DECLARATION or IF */
    node *assign;          /* ASSIGN, or the UNARY or POSTFIX of ++ and --; INIT_DECLARATOR */
    node *left;            /* an INDEX chain, or the NAME of a scalar that is summed up; NULL: it is declared */
    const char *op;        /* "=", "+=", ... */
    node *value;           /* NULL: 1 */
    nest_extreme extreme;  /* SCALAR: relation is NULL where it adds up */
    bool flag;             /* SCALAR: it gets the same value each time */
    const symbol *private; /* PRIVATE: what it assigns */
    nest_loop *loop[MAX_RANK];
    int loops;
    nest_condition condition[MOST_CONDITIONS];
    int conditions;
    bool reduces[MAX_RANK]; /* per loop: the statement adds up over it */
    int first_sum;          /* the outermost of these loops, or `loops` */
    size_t from, to;        /* its accesses, as read */
    bool apart;             /* has foralls or sums of its own; else it is in the forall that the nest becomes */
    bool absorbed;          /* it is the 0 that the next statement's sum begins with */
    bool live;              /* is executed as a statement */
    bool early;             /* apart: it comes before all others, wherever it stands */
    int place;              /* in the new order */
} nest_statement;

/* A scalar of which each iteration of the loop `home` has its own. */
typedef struct {
    const symbol *symbol;
    const node *home;
    int depth;     /* loops around its uses, from the nest's outermost on */
    bool declared; /* in the nest */
    bool adds_up;  /* some value is a sum, or made of one */
} nest_private;

/* An array to whose elements iterations only add, anywhere. */
typedef struct {
    const symbol *array;
    const char *op; /* "+", "*", "^", "|" or "&" */
} nest_update;

/* An array whose elements are stored one behind the other, at places that a carried scalar counts. */
typedef struct {
    const symbol *array, *counter;
    node *store; /* the ASSIGN */
} nest_kept;

typedef struct {
    program *p;
    arena *passing;     /* what is forgotten when it is known what becomes of the nest */
    node *root;         /* the outermost FOR */
    const char *reason; /* why it stays sequential; NULL: nothing found */
    node *place;        /* what the reason is about */
    const char *advice; /* what to change first; NULL: nothing in particular */
    bool general;       /* that is what helps in most cases */
    bool remedied;      /* what is advised makes it parallel, though it may be a pipeline; */
    bool remedies_one;  /*   if only one scalar goes from iteration to iteration */
    nest_statement statement[MOST_STATEMENTS];
    int statements;
    nest_private private[MOST_PRIVATES];
    int privates;
    nest_loop *loop[MOST_LOOPS];
    int loops;
    nest_update update[MOST_UPDATES];
    int updates;
    const symbol *idle[MOST_UPDATES]; /* counters that count for nothing */
    int idles;
    nest_access *access;
    size_t accesses, access_capacity;
    const nest_loop *open[MAX_RANK]; /* loops around what is being read */
    int opened;
    node *skip[MOST_SKIPS]; /* each `continue` in it */
    int skips;
    bool skips_elements; /* they leave iterations before statements that assign elements, which get conditions so */
    bool in_order; /* it is read as loops whose bodies are executed as they stand, only in other iterations' order */
    bool gathers;  /* what no iteration stores may come from anywhere, before the loop */
    bool carries;  /* in order: scalars may go from each iteration to the next */
    const symbol *carried[MOST_CARRIED]; /* those that are known to */
    int carrieds;
    nest_kept kept[MOST_UPDATES];
    int kepts;
    bool breaks;         /* `break` leaves it */
    const symbol *last;  /* its variable, whose value behind it may be used; NULL: it may not */
    const symbol *wants; /* the one that stands in the way, and may be carried, too; NULL: there is none */
    bool reads_memory;   /* through pointers or members */
    bool stores_memory;  /* into ordinary arrays */
    bool bounds_read_memory;
    bool calls;               /* functions of the program */
    bool behind;              /* it assigns a scalar that could be private, but may be used behind it; */
    bool assumed;             /* it is read as if nothing were */
    bool distributed;         /* touches a distributed array */
    unsigned long operations; /* that isl may spend on an order; so many times PAIRS on distances */
    bool exhausted;           /* they were not enough */
    bool is_part;             /* of a loop that is split */
    bool stands;              /* its reason says only that its body must stay as it stands, */
    const char *stays;        /* and this why it is not shared out so; NULL: nothing found */
    node *stays_at;
    const char *owners; /* the condition under which each of its iterations has an owner; NULL: none */
} nest;

/* Why loops around pointers to rows, by their INDEX chains, stay as they are. */
typedef struct {
    hash_table reason;
} nest_rows;

/* Whether a function only reads through a pointer to a row. (values.c) */
bool is_row_only_read(const program *p, const node *n);
/* Of a loop that stays as it is. In no loop that is shared out, functions may only read rows. (rows.c) */
void note_rows(nest_rows *rows, const nest *x);
void check_rows(program *p, const nest_rows *rows, node *n);

/* Subscripts of arrays with one dimension in n have values in place of variables that keep them and of functions that
 * return them. (subscripts.c) */
void write_out_subscripts(program *p, node *n);
/* Whether nothing needs a variable any more since then; the variables of a DECLARATION. */
bool is_written_out(const program *p, const symbol *s);
bool declares_nothing(const program *p, const node *declaration);

/* ---- Matrices in one-dimensional arrays (flatten.c) */

/* Foralls and reductions in n whose indices are added up in one subscript get that as their index. */
void flatten_matrices(program *p, node *n);

/* Notes why the nest stays sequential, the first time. */
void stop_nest(nest *x, node *place, const char *pattern, ...) __attribute__((format(printf, 3, 4)));

/* The same of what hinders foralls only: loops whose bodies stay as they stand may be shared out. */
void stop_forall(nest *x, node *place, const char *pattern, ...) __attribute__((format(printf, 3, 4)));

/* Says what to change first, if the nest has just been stopped at that place. */
void advise_nest(nest *x, const node *place, const char *pattern, ...) __attribute__((format(printf, 3, 4)));

/* The same of what makes it parallel where it would be a pipeline of scalars that iterations leave to the next. */
void advise_remedy(nest *x, const node *place, const char *pattern, ...) __attribute__((format(printf, 3, 4)));

/* The same for what iterations store into one element of an array, for a scalar that they read and assign, and for
 * `break`. (advice.c) */
void advise_store(nest *x, const node *left, const symbol *v);
/* What helps: what was advised, else what does in such loops. */
const char *advice_of(const nest *x);
void advise_carried(nest *x, const node *name);
void advise_break(nest *x, const node *n);
void advise_goto(nest *x, const node *n);
void advise_own(nest *x, const node *left);
void advise_last(nest *x, const nest_statement *s);
/* A private gets a value in both branches of an `if`. */
void advise_choice(nest *x, const node *place, const symbol *private);

/* What stands in the source. (values.c) */
const char *nest_quote(const nest *x, const node *n);
bool nest_has_same_text(const nest *x, const node *n, const node *m);

/* Reads the nest of a FOR; its reason says what cannot be parallel whatever the subscripts are. (read.c) */
void read_nest(nest *x);
/* The same of a nest that has been read. (legality.c) */
void check_legality(nest *x);
/* The loop of the nest that n is the FOR of, or NULL. (counters.c) */
nest_loop *loop_at(const nest *x, const node *n);
/* Heads in n of the form i != n; i++ count as i < n does. (counters.c) */
void settle_unequal_heads(node *n);
/* Whether the head of a FOR has the form of one that counts. (counters.c) */
bool may_count(const node *n);
/* Whether the variable of a loop counts up or down to its limit as numbers do, whatever its type. */
bool counts_as_numbers(const nest *x, node *loop);
/* Reads the head of a FOR; false: it does not count. (counters.c) */
bool read_head(nest *x, node *n, nest_loop *l);
/* Reads an expression that a statement evaluates: its elements become accesses. (values.c) */
void read_value(nest *x, node *n, const nest_path *path, int loops);
/* Whether a scalar is assigned in the nest. */
bool is_assigned_within(const nest *x, const symbol *s);

/* Whether a statement ends with `continue`; whether an `if` in the body of a loop leaves some iterations there; whether
 * `continue` ends a branch of such an `if`.  (skips.c) */
bool ends_in_continue(const node *n);
bool skips_rest(const node *n);
bool is_skip(const node *n);
/* Whether a jump in a body that stays as it stands stays in one iteration of what may be shared.  (skips.c) */
bool stays_in_iteration(const nest *x, const node *jump);
/* Whether what stands behind has conditions of its own wherever it is executed; else the reason is set.  (skips.c) */
void check_skips(nest *x);

/* Whether a variable that gets a value has the value itself: no conversion on the way that does not keep the order.
 * (extremes.c) */
bool holds_unchanged(const symbol *m, const node *value);
/* Reads an assignment of an extreme, or an `if` around one in so many loops, the last of which is l. (extremes.c) */
bool read_extreme_value(const nest *x, const node *assign, nest_extreme *e);
/* Whether it is `m = m > v ? m : v` or the like: a greatest or least value, unless some are NaN, which replace m here
 * and are replaced by what follows. */
bool keeps_extreme(const nest *x, const node *assign, nest_extreme *e);
bool read_extreme_if(const nest *x, const node *n, const nest_loop *l, int loops, nest_extreme *e);

/* Whether a statement sets a variable to a value that is the same in all iterations, as all do that mention it.
 * (flags.c) */
bool is_set_only(const nest *x, const nest_statement *s);
/* In a nest that is read in order: such a value as the greatest, or the least, of it and the number that the variable
 * has before; false: that is not known. (flags.c) */
bool find_flag(const nest *x, nest_statement *s);
/* Whether an expression mentions variables of the loops around a statement. (flags.c) */
bool mentions_loops(const nest_statement *s, const node *n);

/* Whether n may be left by a jump. (privates.c) */
bool jumps(const node *n);
/* Finds the nest's private scalars. (privates.c) */
void find_privates(nest *x);
/* Why each iteration cannot have its own: in words; NULL: it is no number that could be. */
const char *why_not_private(nest *x, const symbol *s);
nest_private *private_of(const nest *x, const symbol *s);
/* Whether the value that the variable has behind the statement may be used. */
bool is_needed_behind(const node *statement, const symbol *s);
/* An array, a structure, the variable of a loop or a number whose address is taken, that is declared in the nest. */
bool is_own_variable(const nest *x, const symbol *s);
/* Whether n is one, or a part of one, in a nest that is read in order. */
bool is_of_own(const nest *x, const node *n);

/* Whether a scalar goes from iteration to iteration; whether it may, which the nest is then read for again.
 * (carried.c) */
bool carries_scalar(const nest *x, const symbol *s);
void want_carried(nest *x, const symbol *s);
/* Whether a `break` leaves the nest's outermost loop, where that may be; whether the value that the variable of a loop
 * has behind it may be used all the same. (carried.c) */
bool may_break(nest *x, const node *n);
bool may_have_last(nest *x, const nest_loop *l);
/* Takes `B[m++] = value` as a store of the next element of B, and `B[m] = value` beside `m++`; false: it is another
 * one. (kept.c) */
bool take_kept(nest *x, const nest_statement *s);
/* Whether such stores are of elements one behind the other; else the reason is set.  (kept.c) */
void check_kept(nest *x);
/* Whether nobody else looks at what is carried while the loop runs; else the reason is set.  (carried.c) */
void check_carried(nest *x);

/* Decides which statements the nest is divided into, and what is written out in them. (divide.c) */
void divide_nest(nest *x);
/* Gives the statements their places in the new order: those apart come before the forall or behind it, as they stand.
 */
void place_statements(nest *x);
/* Whether it is assigned in the forall that the nest becomes. */
bool stays_together(const nest_statement *s);
/* The number of the statement that gives a private the value that statement k reads; -1: there is not one. */
int given_by(const nest *x, int k, const symbol *s);

bool is_a_number(const type *t);
/* x = x + v is x += v.  (sums.c) */
void take_sum(const nest *x, nest_statement *s);
/* Whether adding all values up and then to the left side is the same as one after the other, but for rounding. */
bool may_add_up(const nest *x, const nest_statement *s);
/* Notes why a nest that has been read in order is not shared out, if what it stores is found by its iterations.
 * (obstacles.c) */
void find_obstacle(nest *x);
/* Whether a whole number gets values with fractions: k += 0.5. (sums.c) */
bool rounds_each_time(const nest_statement *s);
/* Whether all that the nest does with a scalar is what this statement does. */
bool is_only_combined(const nest *x, const nest_statement *s);
/* Whether a statement adds a number to a variable of which nothing uses the value: subscripts have what it counts in
 * its place. */
bool counts_for_nothing(const nest *x, const nest_statement *s);
/* --reproducible: of sums of floating-point values in bodies that stay as they stand, those of `s += value;` are
 * rounded once.  (sums.c) */
bool is_reproducible(const nest *x, const nest_statement *s);

/* Finds the order in which the statements can be executed, each for all iterations at once; else the reason is the
 * dependence in the way. (dependences.c) */
void order_nest(nest *x);
/* The member of the element, or the element.  (members.c) */
node *read_or_stored(const nest_access *x);
/* Whether one of them stores what the other one may use, if it is the same element.  (members.c) */
bool may_conflict(const nest_access *x, const nest_access *y);
/* The subscripts within the element, `q` in A[i].f[q], as far as both take the same members; their number, at most
 * MAX_RANK: what differs in one of them shares nothing.  (members.c) */
int common_subscripts(const nest_access *x, const nest_access *y, const node *of_x[], const node *of_y[]);

/* Whether a private's value that one access uses can be another's only in the same iteration of all loops. b: of the
 * same private. */
bool are_of_one_iteration(const nest *x, const nest_access *a, const nest_access *b);
/* Whether then a's use may come before b's in the iteration: false where one branch of an `if` has one and the other
 * branch the other.  (iterations.c) */
bool comes_earlier(const nest *x, const nest_access *a, const nest_access *b);

/* Along each of the nest's outermost loops: whether some iteration depends on one with a later value of the loop's
 * variable (backward), or an earlier one (forward), as the loop counts. */
typedef struct {
    bool backward[MAX_RANK], forward[MAX_RANK];
} nest_distances;
/* In the order in which the nest is written; false: not known.  (dependences.c) */
bool find_distances(nest *x, int loops, nest_distances *d);
/* Whether the nest may store into an element that an access reads, before or after it.  (dependences.c) */
bool is_stored_in(nest *x, const nest_access *read);
/* Whether an expression has one value while the nest runs, but for its loop variables.  (sets.c) */
bool has_one_value(const nest *x, const node *n);
/* A subscript; i - 1 of an unsigned variable is less than i: where it goes round it is no element of any array.
 * (standing.c) */
linear linear_of_subscript(const program *p, arena *a, const node *n);
/* Whether b lies in blocks, and the divided dimensions of both are divided alike, one after the other. (standing.c) */
bool lie_alike(const program *p, const array *a, const array *b);
/* Whether the variable says how long arrays, ranges or loops in n are: it is the width of a matrix's rows, rather than
 * a step, 1 or -1. (steps.c) */
bool is_a_length(const node *n, const symbol *s);
/* Foralls in n whose steps or distances are variables are compiled for short ones and any others. (steps.c) */
void divide_by_steps(program *p, node *n);

/* Declares a nest whose iterations depend on earlier ones at distances that are never negative a pipeline; false: it is
 * none.  x: a nest that has not been read.  (pipelines.c) */
bool take_pipeline(nest *x);
/* The same where no process would wait for another. */
bool take_as_it_stands(nest *x);

/* The same where scalars go from each iteration to the next, so that the processes execute it one after the other. */
bool take_carrying(nest *x);

/* The same, where elements that nothing in the loop stores may stand anywhere: in subscripts or between bounds that are
 * elements themselves. They are brought before it, as for a loop that is declared independent. */
bool take_gathering(nest *x);

/* Makes a nest, which has not been read, foralls and reductions; false: it stays.  (nests.c) */
bool take_foralls(nest *x);
/* Notes a variable that is declared outside root, and may have no use any more: loops have their own.  (privates.c) */
void note_unused_outside(program *p, const node *root, const symbol *s);
bool is_named_only_in(const node *root, const symbol *s);

/* The same of loops whose iterations are independent around such nests: each becomes a pipeline along neighbours. x: a
 * nest that has not been read; it is replaced by a block.  (distribute.c) */
bool take_distributed(nest *x);

/* Puts two versions in place of a loop, which is the first: what is executed where the condition holds that each
 * iteration has an owner, and what stays as it is. (pipelines.c) */
void divide_by_owners(program *p, node *taken, node *stays, const char *condition);
/* Reads a part of a nest and takes it; whether that is done. (distribute.c) */
bool take_by(const nest *x, nest *part, node *root, bool (*take)(nest *));
/* The same of a loop that is split where it stores what its other iterations read. x: a nest that has not been read; it
 * is replaced by a block.  (split.c) */
bool take_split(nest *x);

/* The same of a nest whose directions are variables, 1 or -1: a version for each.  (signs.c) */
bool take_signs(program *p, node *root);

/* Declares a loop `independent` whose iterations do nothing for one another but to add to elements; false: they do
 * more.  sums: only one that forms floating-point sums. (combining.c) */
bool take_combining(const nest *x, bool sums);
/* The operator of a reduction that an assignment, or a step, makes; NULL: of none. */
const char *combining_operator_of(const node *assign);
/* Whether reduction(...) takes it: a number, an array of numbers with extents. */
bool may_be_result(const symbol *s);
bool is_floating_result(const symbol *s);
/* Takes an assignment as an update of an element that any iteration may add to, in a body that stays as it stands;
 * false: it is another one. (updates.c) */
bool take_update(nest *x, const nest_statement *s, const nest_path *path, int loops);
/* Whether functions that the loop calls may find an ordinary array through a pointer.  (updates.c) */
bool may_be_pointed_at(const program *p, const node *loop, const symbol *v);
void advise_update(nest *x, const nest_statement *s);
/* An `independent on(chain)` above the nest, which the program does not have; a clause with an entry (NULL: none); the
 * directive's place, and what --explain says of it. */
node *independent_on(const nest *x, const node *chain);
void add_clause(const nest *x, node *directive, const char *name, const char *op, symbol *entry);
void put_directive(const nest *x, node *directive, const char *words);

/* Names of one symbol become those of another one.  (rewrite.c) */
void rename_symbol(node *n, const symbol *from, symbol *to);
/* A number; an expression of two others, of a type: each with the token `at`.  (rewrite.c) */
node *number_node(const nest *x, int64_t value, token_index at);
node *binary_node(const nest *x, const char *op, element of, node *left, node *right, token_index at);
/* Puts parallel statements in place of the nest, and notes variables that nothing uses any more. (rewrite.c) */
void rewrite_nest(nest *x);

#endif

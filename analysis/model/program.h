/* The program, its passes, and what may be asked of the whole. */
#ifndef DPC_ANALYSIS_PROGRAM_H
#define DPC_ANALYSIS_PROGRAM_H

#include "../../runtime/base/cost.h"
#include "methods.h"
#include "statements.h"

/* Two arrays that must not be the same at run time. */
typedef struct {
    const array *a, *b;
} array_pair;

/* Where the source names an array whose mapping changes: the views that it may be there. */
typedef struct {
    const node *name; /* a NAME, or the ENTITY of a redistribution: before it */
    array *array;     /* what the name stands for: the only view, or the array with an unknown mapping */
    struct array **view;
    size_t views, capacity;
    bool known;  /* it is one of these */
    bool others; /* an inherited parameter: or any other one, which the program finds out */
} reached;

/* Statements that are compiled once for each of some combinations of mappings (pass "versions"). */
enum { MOST_VERSIONS = 4, MOST_VERSIONED = 8 };
typedef struct {
    const reached *reached[MOST_VERSIONED]; /* what reaches each of the arrays whose mapping is not known */
    array *array[MOST_VERSIONED];           /* as declared */
    size_t arrays;
    array *view[MOST_VERSIONS][MOST_VERSIONED]; /* per version: what each array is there */
    size_t count;
    bool general;                   /* the last version is for any other mappings */
    likeness *like[MOST_VERSIONED]; /* all hold in the first version; with three, they nearly do in the second: no
                                        mappings are compared */
    size_t likes;
    const char **condition;     /* per version, as C text: signs that the program compares, nothing else; NULL: none */
    const symbol *only_here[3]; /* signs that are named nowhere else */
    int only_heres;
} versions;
enum { MOST_COMPILED = 9 }; /* versions of signs: of three, and any others */

/* What a redistribution of one array does. */
typedef enum {
#define REMAPPING(name, words) REMAPPING_##name,
#include "remappings.def"
#undef REMAPPING
} remapping_kind;
typedef struct {
    remapping_kind kind;
    bool again;                   /* an earlier iteration may have left the array with this mapping */
    bool leaves_copy, finds_copy; /* of the values with the mapping before; with the new one, if they are the same */
    struct array **dead;          /* what moves along without its values: each is assigned before it is read */
    size_t dead_count, dead_capacity;
} remapping;

/* What the C compiler has said about types (resolve/probe.c). */
typedef struct {
    const char *text;
    int code;
} answer;

typedef struct {
    array **array;
    size_t count, capacity;
} array_list;

typedef struct {
    symbol **symbol;
    size_t count, capacity;
} symbol_list;

/* A C loop that runs one element after the other. */
typedef struct {
    const node *loop;
    const char *reason, *advice; /* why it stays, and what would change that */
    bool has_parallel;           /* statements for many elements at once stand in it */
} slow_nest;

typedef struct program {
    arena *memory;
    source *source;
    node *unit;
    header_names *headers;               /* what system headers declare; NULL: not known */
    const preprocess_options *compiler;  /* the C compiler that is asked for types, with its options */
    int np;                              /* --np, or 0 */
    bool has_pair;                       /* --pair */
    int pair[2];                         /* its sender and receiver */
    set_method sets;                     /* --sets; METHOD_NONE: auto */
    comm_model model;                    /* --model */
    const char *redistribute, *schedule; /* --redistribute, --schedule; NULL: auto */
    bool openmp;                         /* --openmp */
    bool no_checks;                      /* --check=none */
    bool check_all;                      /* --check=all */
    bool serial;                         /* --serial */
    bool reproducible;                   /* --reproducible */
    int time_tiling;                     /* --time-tiling: iterations at once; 0: as many as pay, -1: none */
    hash_table unused; /* by DECL_NAME: that nothing uses the variable but loops which are parallel statements now */
    hash_table proved; /* by statement that was a C loop: why its iterations are independent, in words */
    struct nest_search *nests; /* what pass "nests" leaves to "remapped", or NULL */
    slow_nest *slow;           /* loops over elements that stay as they are */
    size_t slow_count, slow_capacity;
    bool shifts;          /* the text of a subscript, a bound or a condition has dpc_cycled or dpc_clamped in it */
    const dpc_cost *cost; /* what things cost on this machine */
    symbol **symbols;     /* every symbol, in order of declaration */
    size_t symbol_count, symbol_capacity;
    array **arrays; /* as declared: each one's number is its place */
    size_t array_count, array_capacity;
    hash_table arrays_of;  /* by node: lists of the arrays that belong to it */
    hash_table symbols_of; /* by scope: lists of symbols */
    array **views;         /* each with all mappings that are known */
    size_t view_count, view_capacity;
    reached **reached; /* in the order in which control may come to them */
    size_t reached_count, reached_capacity;
    hash_table reached_at;  /* by node */
    hash_table versions_at; /* by N_VERSIONS node */
    node **likened;         /* N_VERSIONS nodes of arrays that may be divided alike */
    size_t likened_count, likened_capacity;
    const node **inheriting; /* calls with arguments for inherited parameters of the file's functions */
    size_t inheriting_count, inheriting_capacity;
    likeness **likenesses;
    size_t likeness_count, likeness_capacity;
    hash_table remappings; /* by ENTITY of a redistribution */
    hash_table late_at;    /* by loop: a node_list of the redistributions that are executed behind it */
    hash_table outside;    /* subscripts that are reported to leave their arrays */
    grid **grids;
    size_t grid_count, grid_capacity;
    block_group **chosen; /* block sizes that the compiler chose */
    size_t chosen_count, chosen_capacity;
    group **groups; /* in order of the source */
    size_t group_count, group_capacity;
    hash_table group_of, reduction_of; /* by node: the group, the parallel that it became */
    hash_table functions;              /* by name: the symbols of functions that are defined here */
    hash_table declared;               /* by name: lists of a function's declarations */
    hash_table in_bounds;              /* by name: what stands in the bounds of array parameters */
    hash_table taken;                  /* every token's spelling, and the names given by unique_name */
    hash_table numbers;                /* by wish: the last number that unique_name gave it */
    struct change_index *changed;      /* where arrays change (combine/changes.c) */
    const char *halo_exchange;         /* the text's function that sends and receives ghost cells; NULL: it has none */
    parallel **reductions;             /* reductions outside forall, in order of the source */
    size_t reduction_count, reduction_capacity;
    reused_values *reused;
    size_t reused_count, reused_capacity;
    owner_statement *owner_statement; /* in order of the source */
    size_t owner_statement_count, owner_statement_capacity;
    time_tiling **tiling; /* loops around stencils */
    size_t tiling_count, tiling_capacity;
    hash_table tiling_of; /* by node of a group: the loop's, where it is tiled */
    array_pair *alias_check;
    size_t alias_check_count, alias_check_capacity;
    hash_table alias_partners; /* by origin: lists of the other arrays of its pairs */
    answer *answer;
    size_t answers, answer_capacity;
} program;

typedef struct {
    int np; /* number of processes fixed by --np, or 0 */
    bool has_pair;
    int pair[2];                        /* --pair: sender and receiver */
    const dpc_cost *cost;               /* what things cost on this machine */
    header_names *headers;              /* what system headers declare; NULL: not known */
    const preprocess_options *compiler; /* the C compiler that is asked for types, with its options */
    set_method sets;                    /* METHOD_NONE: auto */
    comm_model model;
    const char *redistribute, *schedule; /* NULL: auto */
    int time_tiling;
    bool openmp, no_checks, check_all, serial, reproducible;
} analysis_options;

/* What the passes fill in; nothing is resolved yet. */
program *program_new(arena *a, source *s, node *unit, const analysis_options *options);

/* A pass reports its errors; after errors the next one must not run. */
typedef struct {
    const char *name;
    void (*run)(program *p);
    void (*check)(
        const program *p); /* ends with an internal error where something that the pass guarantees does not hold */
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
/* The arrays that a directive distributes, that are declared in a scope or by one declaration: in order. */
const array_list *arrays_of(const program *p, const node *n);
/* The symbols that a scope declares; all declarations of a function of that name. */
const symbol_list *symbols_of(const program *p, const node *scope);
const symbol_list *declarations_of(const program *p, const char *function);
/* Notes an array that has its directive, a symbol that has its scope. */
void note_array(program *p, array *a);
void note_symbol(program *p, symbol *s);
/* Notes that a group, a reduction was made of its node. */
void note_group(program *p, group *g);
void note_reduction(program *p, parallel *s);
/* What was made of a node; NULL: nothing. */
group *group_at(const program *p, const node *n);
parallel *reduction_at(const program *p, const node *n);

/* The tiled loop that a group's node belongs to, or NULL; that of which it is the first statement. */
time_tiling *tiling_at(const program *p, const node *n);

/* The owner's statement that n is, or what stores in it; NULL: none. */
const owner_statement *owner_statement_at(const program *p, const node *n);
/* The element of the statement that n is, or NULL. */
const reference *owner_operand_at(const owner_statement *s, const node *n);

/* Whether a statement is executed in the loops of another one, which comes first. */
bool is_joined(const parallel *s);
/* Whether what r reads comes in messages of its own, or of its aggregate. */
bool sends_messages(const reference *r);
/* The reference that the statement copies as it is, by the runtime, straight into the left side; NULL: it is no such
 * copy. */
const reference *copied_reference(const program *p, const parallel *s);

/* Every array begins as its only view; the array with that mapping, which becomes a view; it becomes one whose mapping
 * may be unknown. (views.c) */
void begin_views(program *p, array *a);
array *array_with(program *p, array *a, const mapping *m);
/* The view of an aligned array that belongs to view k of what it is aligned with. */
array *array_following(program *p, array *a, size_t k);
void forget_mapping(program *p, array *a);
/* The mapping that all calls pass for an inherited parameter, as a view; NULL: there are several, or they are not
 * known. */
array *inherited_view(const array *a);
/* Whether an inherited parameter may have one of several mappings that calls pass, or any other. */
bool has_candidates(const array *a);
/* The mapping of a view in words; an aligned array's with that of what it moves with: "aligned with T (block, *)",
 * "aligned with V, U (block)". */
const char *words_of_view(arena *memory, const array *a);
/* What the arrays of such a version are, in words: "t is divided as x". */
const char *likeness_words(arena *memory, const versions *v, size_t number);
/* An array as it is where it is divided as `like`, or nearly so. */
array *array_like(program *p, array *a, const array *like, bool near);
/* The mappings that reach a place where an array is named; NULL: its mapping never changes, or nothing is known. */
const reached *reached_at(const program *p, const node *name);
/* The versions of which n is in one, with its number; NULL: n is compiled once. */
const versions *versions_around(const program *p, const node *n, size_t *number);
/* The array that a NAME stands for, with the mapping that it has there; NULL: it names none. */
array *array_at(const program *p, const node *name);
/* A copy of n behind pass "reaching": its names stand for what those of n stand for. */
node *clone_reached(program *p, const node *n);

/* What a REALIGN aligns its array with. (resolve/alignments.c) */
alignment realignment(program *p, node *directive);
/* The array or template at the end of its chain of alignments: itself where it is not aligned; whether a redistribution
 * of `moved` moves the array, as far as its own directive says. (alignment.c) */
array *end_of_chain(const array *a);
bool moves_along(const array *a, const array *moved);
/* Where dimension d's elements stand at the end of the chain: element x with stride * x + offset of its dimension
 * `dim`.  False: along none of them. */
typedef struct {
    array *end;
    int dim;
    linear stride, offset;
} cells;
bool cells_of(const program *p, const array *a, int d, cells *c);
/* What aligned arrays have of the mappings that they follow, when these are known; one of them, or a view of one. */
/* The element with which the blocks of dimension d begin: the lower bound, or what would be before it. (alignment.c) */
linear origin_of(const program *p, const array *a, int d);
void settle_followers(program *p);
/* Which of them may begin before their first element; when it is known who uses them. */
void find_extensible(program *p);
/* Whether such an array may begin so many elements before its first one along dimension d. */
bool may_lead(const program *p, const array *a, int d, int64_t lead);
void settle_follower(const program *p, array *a);
/* Whether the mapping of an array changes, and nobody has found out which one reaches whom. */
bool moves_unseen(const array *a);
/* Whether several processes may have each element: stores go to all, reductions take one. */
bool may_have_copies(const array *a);
/* Whether one process executes an iteration, though home's element may have copies. */
bool executes_once(const parallel *s);
/* What a redistribution does to the array that it names by `entity`; to be changed; in words, NULL: it moves.
 * (remappings.c) */
const remapping *remapping_at(const program *p, const node *entity);
/* Those at the end of a loop's body that are executed behind the loop. */
typedef struct {
    node **node;
    size_t count, capacity;
} node_list;
void add_late(program *p, const node *loop, node *directive);
const node_list *late_behind(const program *p, const node *loop);
remapping *change_remapping(program *p, const node *entity);
const char *words_of_remapping(const remapping *r);
/* The same of what moves along with it; whether it moves without its values. */
const char *words_of_follower(const remapping *r, const array *follower);
bool moves_no_values(const remapping *r, const array *follower);
extern const char words_of_copy[],
    words_of_again[]; /* of one that finds a copy, of one in a loop whose last one is behind it */
/* The mapping that a redistribute gives one of its arrays. */
mapping redistribution_mapping(program *p, node *directive, node *entity);
/* Whether the program executes it: the mapping may be refused, at least. (place/redistributions.c) */
bool is_executed(program *p, node *directive, node *entity);
/* The mapping that an array has before each execution of a redistribution that names it by `entity`.  NULL: the run
 * time knows. */
const mapping *mapping_before(const program *p, const node *entity);

void program_print(FILE *out, const program *p); /* --dump=ir */
void plan_print(FILE *out, const program *p);    /* --dump=plan */

/* Whether the order in which values are combined shows in the result, and --reproducible asks that the processes do
 * not. */
bool combines_in_order(const program *p, operation op, const type *t);

#endif

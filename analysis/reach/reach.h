/* Private to the folder: the data-flow problem "which mapping does an array have here".
 *
 * The state of an array is a set of mappings: those of its views (array.view), what it had where the function began,
 * and any other.  The states of all arrays that are redistributed make a `state`; what reaches a place from several
 * sides is their union.  States only grow, so that walking over the functions until nothing changes ends with the least
 * ones. */
#ifndef DPC_ANALYSIS_REACH_H
#define DPC_ANALYSIS_REACH_H

#include "../model/model.h"

typedef uint64_t mappings;
enum { MOST_VIEWS = 62 };
#define AT_ENTRY ((mappings)1 << 62) /* as where the function began */
#define ANY ((mappings)1 << 63)      /* one that is known at run time only */
#define FIRST_VIEW ((mappings)1)

typedef mappings *state; /* per array of reach.tracked; all empty: control does not come here */

/* A function of the file, or all that is unknown: what other files and the library call. */
typedef struct flow flow;

/* A call, and the states that it may be executed in. */
typedef struct {
    flow *callee;
    state before;
} flow_call;

struct flow {
    const symbol *symbol; /* NULL: what is unknown */
    node *body;
    state exit;   /* where it ends: AT_ENTRY: as it was before the call */
    state entry;  /* where it begins; without AT_ENTRY */
    bool visible; /* may be called by what is unknown */
    bool address_taken;
    hash_table labels; /* by name: the state where a label stands, without what falls into it */
    flow_call *call;
    size_t calls, call_capacity;
    bool ordered; /* stands in reach.order, or will behind what it calls */
};

/* An array where the source names it, and the mappings that it may have there. */
typedef struct {
    const node *name; /* a NAME, or the ENTITY of a redistribution */
    const flow *function;
    size_t number; /* of the array */
    mappings found;
} flow_name;

/* What the states mean: FIRST_VIEW is how an array is created, AT_ENTRY and ANY are as above. */
typedef struct reach reach;
typedef struct {
    /* What a redistribution makes of the state before it. */
    mappings (*given)(reach *x, node *directive, node *entity, array *a, mappings before);
    /* All that array number k may have anywhere. */
    mappings (*all)(const reach *x, size_t k);
    /* Whose state a name of an array asks for; NULL: its own. */
    const array *(*named)(const array *a);
    /* Changes the state in which n, a statement or an expression of one, is evaluated, and the state behind it; NULL:
     * nothing does. */
    void (*before)(reach *x, const node *n, state now);
    void (*behind)(reach *x, const node *n, state now);
} problem;

typedef struct {
    size_t *number, count, capacity;
} numbers;

/* An array in a redistribution. */
typedef struct site site;
struct site {
    node *entity;
    size_t number;       /* of the array */
    mappings bit;        /* ANY: one of those that are not told apart */
    const site *earlier; /* the one before of the same array that has a bit of its own, or NULL */
};

struct reach {
    program *p;
    arena *memory; /* of what is forgotten when the problem is solved */
    const problem *problem;
    site *site;
    size_t sites, site_capacity;
    size_t *sites_of;   /* per array: how many of them */
    site **last_of;     /* per array: the last one that has a bit of its own, or NULL */
    mappings *bits_of;  /* per array: of all of them, and of its creation */
    hash_table site_at; /* by ENTITY: its first place in `site`, when all are found */
    array **tracked;
    size_t count, capacity;
    hash_table movers_of; /* by array: the directives that redistribute it (followers.c) */
    hash_table numbers;   /* by array: a pointer to its place in `tracked` */
    hash_table moved;     /* by array at the end of a chain: the numbers of those in `tracked` that it moves */
    flow *function;
    size_t functions, function_capacity;
    hash_table function_at; /* by symbol */
    flow **order;           /* the functions, those that are called before those that call them */
    size_t orders;
    flow unknown;
    bool callbacks;     /* a function that changes mappings may be called through its address */
    hash_table places;  /* by statement: its states */
    hash_table call_at; /* by CALL: its place in the caller's `call` */
    flow_name *name;
    size_t names, name_capacity;
    hash_table name_at;
    bool changed; /* a state has grown */
    state seen;   /* what evaluate collects, one expression after the other */
    state *spare; /* given back */
    size_t spares, spare_capacity;
};

/* ---- States (states.c) */
state new_state(reach *x);
/* A copy for a time. */
state borrow_state(reach *x, const mappings *from);
void return_state(reach *x, state s);
/* to |= from; of a state that is kept from one walk to the next: whether it has grown is noted. */
void add_state(const reach *x, state to, const mappings *from);
void join_states(reach *x, state to, const mappings *from);
void copy_state(const reach *x, state to, const mappings *from);
void clear_state(const reach *x, state s);
/* The number of an array; -1: its mapping never changes, or is not known anyway. */
int64_t number_of(const reach *x, const array *a);
/* Whether an array lives as long as the program: calls change its mapping. */
bool lives_on(const array *a);
/* The mapping that a redistribution gives the array: one of its views, or ANY. */
mappings given_mapping(reach *x, node *directive, node *entity, array *a);
/* The array that an executable directive moves by naming this entity. */
enum { MOST_MOVED = 1 };
size_t moved_arrays(const node *entity, array **moved);
/* The numbers of the arrays that are looked at of those that it moves: what is named, and what is aligned with it. */
const numbers *moved_numbers(const reach *x, const node *entity);

/* ---- Aligned arrays, which have the views of what moves them (followers.c) */
/* The array whose state says which view of an array is meant: the end of its chain, or itself. */
const array *tracked_array(const array *a);
/* Gives them their views, when all views of others are made. */
void make_followers(reach *x);

/* Notes that the directive redistributes the array that an ENTITY names. */
void note_mover(reach *x, const node *directive, const node *entity);
/* Whether `found` are views of an aligned array that statements can be compiled for. */
bool are_followed_views(const reach *x, const array *a, mappings found);

/* ---- Inherited parameters (inherited.c) */
/* Gives them the mappings of the arguments that calls in the file pass, as views. */
void follow_inherited(program *p);
/* Whether some call may pass what these views are for two parameters of a function; views of other arrays may always be
 * together with them. */
bool may_be_passed_together(const program *p, const array *a, const array *b);

/* ---- Redistributions behind loops (late.c) */
void find_late(program *p, node *n);

/* ---- Over the statements of a function (statements.c) */
void walk_function(reach *x, flow *f);
/* Jumps in a statement expression of n, from one of the states `seen`. */
void leave_from(reach *x, flow *f, const node *n, const mappings *seen);

/* ---- In expressions (effects.c) */
/* Evaluates n from state `now` on, which becomes the one behind it; names and calls in it are noted. */
void evaluate(reach *x, flow *f, const node *n, state now);
/* Notes mappings that an array may have where it is named. */
void note_found(reach *x, const flow *f, const node *name, size_t number, mappings found);

/* ---- Over all functions (functions.c) */
void find_functions(reach *x);
void follow_functions(reach *x);
/* Solves a problem whose states are sets of redistributions, where there are any, and has the solution used. */
void solve_for_sites(program *p, const problem *which, bool (*tracks)(const array *a), void (*use)(reach *x));
/* The one that a call executes: what is unknown, where it may change mappings; NULL: nothing that does. */
flow *called_flow(reach *x, const node *call);

/* ---- Redistributions as what reaches (sites.c) */
/* Looks at all arrays that `tracks` takes. */
void track_arrays(reach *x, bool (*tracks)(const array *a));
void find_sites(reach *x);
/* The bit of one array in a redistribution; all bits of an array. */
mappings site_bit(const reach *x, const node *entity, const array *a);
mappings all_sites(const reach *x, size_t k);
/* Whether it is decided that a redistribution changes nothing. */
bool is_left_out(const reach *x, const node *entity);
/* The two versions of a statement with arrays that may be divided alike; false: it has none. (alike.c) */
bool find_likeness(program *p, node *const *statement, size_t count, versions *v);
/* Decides which redistributions give mappings that nothing uses. (unused.c) */
void find_unused(program *p);

#endif

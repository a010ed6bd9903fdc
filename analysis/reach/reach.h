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
typedef struct flow {
    const symbol *symbol; /* NULL: what is unknown */
    node *body;
    state exit;   /* where it ends: AT_ENTRY: as it was before the call */
    state entry;  /* where it begins; without AT_ENTRY */
    bool visible; /* may be called by what is unknown */
    bool address_taken;
    hash_table labels; /* by name: the state where a label stands, without what falls into it */
} flow;

/* A call, and the states that it may be executed in. */
typedef struct {
    flow *caller, *callee;
    state before;
} flow_call;

/* An array where the source names it, and the mappings that it may have there. */
typedef struct {
    const node *name; /* a NAME, or the ENTITY of a redistribution */
    const flow *function;
    size_t number; /* of the array */
    mappings found;
} flow_name;

typedef struct {
    program *p;
    array **tracked;
    size_t count, capacity;
    hash_table numbers; /* by array: a pointer to its place in `tracked` */
    flow *function;
    size_t functions, function_capacity;
    flow unknown;
    bool callbacks;    /* a function that changes mappings may be called through its address */
    hash_table places; /* by statement: its states */
    flow_call *call;
    size_t calls, call_capacity;
    hash_table call_at;
    flow_name *name;
    size_t names, name_capacity;
    hash_table name_at;
    bool changed; /* a state has grown */
    state seen;   /* what evaluate collects, one expression after the other */
} reach;

/* ---- States (states.c) */
state new_state(reach *x);
/* to |= from; of a state that is kept from one walk to the next: whether it has grown is noted. */
void add_state(const reach *x, state to, const mappings *from);
void join(reach *x, state to, const mappings *from);
void copy_state(const reach *x, state to, const mappings *from);
void clear_state(const reach *x, state s);
/* The number of an array; -1: its mapping never changes, or is not known anyway. */
int64_t number_of(const reach *x, const array *a);
/* Whether an array lives as long as the program: calls change its mapping. */
bool lives_on(const array *a);
/* All mappings that it may have anywhere. */
mappings all_mappings(const array *a);
/* The mapping that a redistribution gives the array: one of its views, or ANY. */
mappings given_mapping(reach *x, node *directive, node *entity, array *a);
/* The arrays that an executable directive moves by naming this entity. */
size_t moved_arrays(const node *entity, array **moved);
enum { MOST_MOVED = 1 };

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
/* The one that a call executes: what is unknown, where it may change mappings; NULL: nothing that does. */
flow *called_flow(reach *x, const node *call);

#endif

/* Distributed parameters of functions. */
#ifndef DPC_PARAMETERS_H
#define DPC_PARAMETERS_H

#include "alignment.h"

DPC_BEGIN_INTERFACE

/* Distributed parameters of functions
 *
 *     relax(n, DPC_PASS("main.dpc:9", &A_dist), f);                                 the call
 *
 *     void relax(long n, const dpc_argument *X_argument, double f) {
 *         DPC_PARAMETER dpc_parameter X_parameter = {.argument = X_argument, .changed = true};
 *         dpc_array *const X_dist = dpc_receive(&X_parameter, "relax.dpc:3", "X", DPC_DOUBLE, 2, bounds, formats,
 * grid);
 *
 * An argument that is mapped as the parameter is worked on in place, whatever its lower bounds; another one is remapped
 * into an array of the function's own, and back at the end of the scope if the function changes it. */

/* A part of a dimension: the section lower:upper:stride, or one subscript. */
typedef struct {
    dpc_index lower, upper, stride;
} dpc_triplet;
#define DPC_AT(index)                                                                                                  \
    { (index), 0, INT64_MIN }

typedef struct {
    const char *where;          /* of the call: "file:line" */
    dpc_array *array;           /* NULL: ordinary memory, of which every process has a copy */
    const dpc_triplet *section; /* per dimension of the array; NULL: the whole array */
    void *memory;               /* row-major, as the parameter is declared */
    dpc_type type;              /* of the memory's elements */
} dpc_argument;
/* An argument: an array; a section of one, whose triplets follow; memory. */
#define DPC_PASS(place, distributed) (&(dpc_argument){.where = (place), .array = (distributed)})
#define DPC_PASS_SECTION(place, distributed, ...)                                                                      \
    (&(dpc_argument){.where = (place), .array = (distributed), .section = (const dpc_triplet[]){__VA_ARGS__}})
#define DPC_PASS_MEMORY(place, elements, element_type)                                                                 \
    (&(dpc_argument){.where = (place), .memory = (void *)(elements), .type = (element_type)})

typedef struct dpc_parameter {
    const dpc_argument *argument;
    bool changed;                                   /* the function may assign elements */
    bool own;                                       /* an array of its own in any case: the function redistributes it */
    const char *method, *schedule;                  /* of redistributions; NULL: auto */
    const struct dpc_parameter *before;             /* the function's parameter before this one, or NULL */
    const struct dpc_parameter *const *alias_check; /* those that must not be the same array in place; ends with NULL */
    dpc_array *array;                               /* the argument's, or &copy; this and the rest: private */
    dpc_array copy;
    dpc_array seen; /* in place: the argument's descriptor as the caller sees it */
    bool shifted;   /* in place, with other lower bounds */
    bool inherits;  /* its mapping is the argument's */
    int version;    /* of dpc_receive_one_of: the number of the mapping that it has, from 1 on; 0: any other */
    const char *name;
    struct dpc_parameter *outer; /* of functions that are being executed, latest first */
} dpc_parameter;

/* The array that a parameter is in the function.  formats NULL: it inherits its argument's mapping.  Rank, type or
 * extents that differ end the program with an error that says both; so does the same array passed for several
 * parameters, one of which is assigned, unless all work in place and statements of the function have alias checks for
 * them. */
dpc_array *dpc_receive(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                       const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid);
/* The same with ghost cells. */
dpc_array *dpc_receive_with_halo(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                                 const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid,
                                 const dpc_width *halo, int corners);
/* The same of a parameter whose bounds, formats and grid are those of another one of the function, which has been
 * received, and that has no ghost cells. */
dpc_array *dpc_receive_like(dpc_parameter *p, const char *where, const char *name, dpc_type type,
                            const dpc_array *like);
/* The same of a parameter that is aligned with another array of the function, or a template. */
dpc_array *dpc_receive_aligned(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                               const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment,
                               const dpc_width *halo, int corners);
/* A mapping that an inherited parameter may have. */
typedef struct {
    const dpc_format *formats;
    dpc_grid *grid;        /* NULL: the default grid */
    const dpc_width *halo; /* NULL: no ghost cells */
    int corners;
} dpc_candidate;
/* The same of a parameter that inherits its argument's mapping: p->version says which of `count` it is, whose ghost
 * cells it then has.  Where it is none of them it stays as it is, with version 0; without `others` it becomes the first
 * one, in a copy. */
dpc_array *dpc_receive_one_of(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                              const dpc_bounds *bounds, int count, const dpc_candidate *candidate, bool others);
/* Moves what has changed back, and frees. */
void dpc_give_back(dpc_parameter *p);
/* A list of parameters for .alias_check. */
#define DPC_PARAMETERS(...) ((const dpc_parameter *const[]){__VA_ARGS__, NULL})
#define DPC_PARAMETER __attribute__((cleanup(dpc_give_back)))

/* setjmp(dpc_mark_jump(b)) notes which calls have distributed parameters there; longjmp(b, dpc_leave_calls(b, value))
 * gives back the parameters of those that it leaves, but for sections.  Value and pointer are those given. (local;
 * collective) */
void *dpc_mark_jump(void *buffer);
int dpc_leave_calls(const void *buffer, int value);

/* A function begins that uses an array by its name: an error where a parameter of a function that is being executed
 * holds its elements elsewhere, or in place and is one of `alias_check` (ends with NULL; or NULL). (local) */
typedef enum { DPC_READS, DPC_ASSIGNS, DPC_REMAPS } dpc_usage;
void dpc_use(const char *where, const dpc_array *a, dpc_usage usage, const dpc_parameter *const *alias_check);

DPC_END_INTERFACE

#endif

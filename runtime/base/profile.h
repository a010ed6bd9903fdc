/* The profile of a machine: a file of lines `name seconds`, one for each field of dpc_cost.  What it leaves out has its
 * default.  dpcc reads it where it chooses by time, and so does the library. */
#ifndef DPC_PROFILE_H
#define DPC_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "cost.h"

enum { DPC_COST_FIELDS = 9 };
typedef struct {
    const char *name, *what;
    size_t offset; /* in dpc_cost */
} dpc_cost_field;

extern const dpc_cost_field dpc_cost_fields[DPC_COST_FIELDS];
double *dpc_cost_value(dpc_cost *cost, int field);
/* A line `name seconds`: returns what is wrong with it, or NULL; *field is -1 when the name is not known. */
const char *dpc_parse_cost(const char *line, int *field, double *seconds);
/* The file that $DPC_PROFILE names, or NULL. */
const char *dpc_named_profile(void);
/* The same, else the one in the user's configuration; to be freed.  NULL: there is no place for it. */
char *dpc_profile_path(void);
/* A line's cost goes into *cost, unless the line is empty or a comment; `seen`, per field, says which have one. Returns
 * what is wrong with it, or NULL; *known: the name is, if there is one. */
const char *dpc_take_cost(dpc_cost *cost, bool *seen, const char *line, bool *known);
/* What is wrong with a profile: where, "file:line" or "file", and the text; NULL: nothing. */
typedef struct {
    char where[600];
    const char *text;
} dpc_profile_fault;
/* What its lines say; defaults for the rest, and where there is no file and $DPC_PROFILE names none. */
dpc_cost dpc_profiled_cost(dpc_profile_fault *fault);

#endif

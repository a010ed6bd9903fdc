/* The profile of a machine: a file of lines `name seconds`, one for each field of dpc_cost.  What it leaves out has its
 * default.  dpcc reads it where it chooses by time, and so does the library. */
#ifndef DPC_PROFILE_H
#define DPC_PROFILE_H

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
/* What its lines say, where they are right; silently the defaults for the rest. */
dpc_cost dpc_profiled_cost(void);

#endif

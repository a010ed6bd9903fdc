/* What DPC_STATS has counted, as process 0 has it at the end, and how it is shown. */
#ifndef DPC_STATS_H
#define DPC_STATS_H

#include "base.h"

/* What one process has sent another in a statement. */
typedef struct {
    double number; /* of the statement, as the sender has it; then as the report has it */
    double to, messages, bytes;
} dpc_counted_pair;

/* A statement's counts on every process: count[process * DPC_COUNTERS + counter]. */
typedef struct {
    const char *where;
    double *count;
} dpc_counted_statement;

typedef struct {
    dpc_index count, room;
    dpc_counted_statement *statement;
    dpc_counted_pair **pairs; /* per process, in no order */
    dpc_index *paired;        /* how many */
    double *total;            /* seconds per process */
} dpc_counts;

/* The table, on standard error. (local) */
void dpc_print_counts(const dpc_counts *r);
/* Text between the quotes of a string in JSON, in whatever encoding a source is. (local) */
void dpc_print_json(FILE *out, const char *text);
/* All counts as JSON, into the file that DPC_STATS names; says where it cannot. (local) */
void dpc_write_counts(const dpc_counts *r);

#endif

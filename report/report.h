/* --report: one page with what the compiler has decided and what a run has counted, in one HTML file. */
#ifndef DPC_REPORT_REPORT_H
#define DPC_REPORT_REPORT_H

#include <stdbool.h>

#include "../ir/arena.h"

typedef struct {
    const char *program;   /* the path of its source */
    const char *version;   /* of dpcc */
    const char *explained; /* what --explain=json prints of it */
    const char *text;      /* the C text with #line directives */
    const char *stats;     /* what DPC_STATS has written, or NULL */
    bool counted_now;      /* by a run of this source */
    const char *trace;     /* what DPC_TRACE has written, or NULL */
    const char *scaling;   /* the table of --simulate, or NULL */
    long cores;            /* that the counted run had; 0: not known */
    const char *costs;     /* what things cost on this machine: {"message": seconds, ...} */
} report_input;

/* The number of processes that DPC_STATS has counted on; 0: the text is no such file. */
int report_processes(const char *stats);
/* The page.  NULL where counts are malformed, of another program, or of an older state of its source: *error says
 * which. */
const char *report_page(arena *a, const report_input *x, const char **error);

#endif

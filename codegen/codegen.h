/* From an analysed program to C text. */
#ifndef DPC_CODEGEN_CODEGEN_H
#define DPC_CODEGEN_CODEGEN_H

#include "../analysis/model/analysis.h"

typedef struct {
    int np;         /* --np, or 0 */
    bool no_checks; /* --check=none */
    bool openmp;    /* --openmp */
    bool lines;     /* #line before every statement and declaration: the text goes to the C compiler */
} emit_options;

/* C11 with MPI through libdpc, one process per rank. */
const char *emit_spmd(arena *a, program *p, const emit_options *options);
/* Plain sequential C: the program's serial meaning. */
const char *emit_serial(arena *a, program *p, const emit_options *options);

#endif

/* The table of passes. */
#include "model/analysis.h"

const pass_row *analysis_passes(size_t *count) {
    static const pass_row rows[] = {
#define PASS(name, function, file, needs, guarantees) {name, function, check_##function},
#include "model/passes.def"
#undef PASS
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}

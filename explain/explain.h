/* --explain: what the compiler decided about a program, for its author. */
#ifndef DPC_EXPLAIN_EXPLAIN_H
#define DPC_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "../analysis/model/analysis.h"

/* After the last pass of the analysis.  The text is for a terminal; the JSON is one object on one line or several
 * (docs/language.md).
 */
void explain_text(FILE *out, program *p);
void explain_json(FILE *out, program *p);

#endif

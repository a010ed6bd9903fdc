/* What the compiler knows about a program, by subject.  Code generation and reports read it; only analysis writes it.
 */
#ifndef DPC_ANALYSIS_ANALYSIS_H
#define DPC_ANALYSIS_ANALYSIS_H

#include "execution.h"
#include "inside.h"
#include "mappings.h"
#include "pairings.h"
#include "program.h"
#include "references.h"
#include "statements.h"
#include "symbols.h"
#include "tree.h"

#endif

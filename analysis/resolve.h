/* Private to analysis: the parts of pass "resolve". */
#ifndef DPC_ANALYSIS_RESOLVE_H
#define DPC_ANALYSIS_RESOLVE_H

#include "analysis.h"

/* Reads a DISTRIBUTE or REDISTRIBUTE whose names are bound; `scope` is where it stands. (mappings.c) */
void read_distribution(program *p, node *directive, node *scope);
/* Every use of a distributed array is one that the language allows; which functions touch distributed arrays. (uses.c) */
void check_uses(program *p);

#endif

/* Private to the folder: where blocks begin whose sizes are chosen. */
#ifndef DPC_ANALYSIS_ORIGINS_H
#define DPC_ANALYSIS_ORIGINS_H

#include "affinity.h"

/* Lets what is chosen begin earlier than it does (array.lead), and counts the offsets of x's edges from there; whether
 * any does. */
bool shift_origins(const program *p, affinity *x, const block_choice *c);

#endif

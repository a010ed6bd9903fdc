/* Threads for the library, which is itself compiled without OpenMP: a program that has threads lends them. (local) */
#ifndef DPC_TEAM_H
#define DPC_TEAM_H

#include "distribution.h"

DPC_BEGIN_INTERFACE

/* Runs part(context, k) for k = 0 .. parts - 1, in any order, perhaps at once. */
typedef void (*dpc_team)(int parts, void (*part)(void *, int), void *context);

/* From now on long messages are packed and unpacked by so many threads. */
void dpc_use_team(int threads, dpc_team run);

DPC_END_INTERFACE

#ifdef _OPENMP
#include <omp.h>
static inline void dpc_in_threads(int parts, void (*part)(void *, int), void *context) {
#pragma omp parallel for
    for (int k = 0; k < parts; k++) part(context, k);
}
#define dpc_use_threads() dpc_use_team(omp_get_max_threads(), dpc_in_threads)
#else
#define dpc_use_threads() ((void)0)
#endif

#endif

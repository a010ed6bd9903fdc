/* The names of the redistribution engine's methods and schedules, in the order of its tables, as --redistribute= and
 * --schedule= take them. */
#ifndef DPC_REDISTRIBUTION_NAMES_H
#define DPC_REDISTRIBUTION_NAMES_H

static const char dpc_redistribution_methods[] = "auto"
#define METHOD(name, source, serves, dimension, all, order, sends, ...) "|" name
#include "methods.def"
#undef METHOD
    ;

static const char dpc_redistribution_schedules[] = "auto"
#define SCHEDULE(name, source, serves, dimension, all, steps) "|" name
#include "schedules.def"
#undef SCHEDULE
    ;

#endif

/* The limits of methods and schedules.  See limits.h. */
#include "limits.h"

#include <string.h>

#include "steps.h"

/* Two phases: through the greatest common divisor or the least common multiple of the blocks. */
static const char *gcd_refuses(const dpc_line *from, const dpc_line *to) {
    const char *why = dpc_whole_refuses(from, to);
    if (why == NULL && from->procs != to->procs) why = "a dimension is divided among different numbers of processes";
    return why;
}

static const char *lcm_refuses(const dpc_line *from, const dpc_line *to) {
    const char *why = gcd_refuses(from, to);
    if (why == NULL && dpc_common_multiple(from->block, to->block, INT64_MAX / 4 / from->procs) == 0)
        why = "the least common multiple of the blocks passes 64 bits";
    return why;
}

enum { MOST_MESSAGES = 1 << 14 };

/* A message for each local block of a superblock: with more the least that a message costs adds up to seconds. */
static const char *walker_otto_refuses(int rank, const dpc_line *from, const dpc_line *to) {
    double messages = 1;
    for (int k = 0; k < rank; k++) messages *= (double)dpc_walker_ratio(&from[k], &to[k]);
    return messages > MOST_MESSAGES ? "the quotients of the blocks, and so the number of messages, exceed 16384" : NULL;
}

/* The same for one dimension after the other: their sum. */
static const char *dimensions_refuse(int rank, const dpc_line *from, const dpc_line *to) {
    double messages = 0;
    for (int k = 0; k < rank; k++) {
        const dpc_index most = from[k].extent > 1 ? from[k].extent : 1;
        const dpc_index s = from[k].block < most ? from[k].block : most, t = to[k].block < most ? to[k].block : most;
        const dpc_index g = dpc_common_divisor(s, t);
        if (from[k].procs > 1 && s != t) messages += (double)(s / g) + (double)(t / g);
    }
    return messages > MOST_MESSAGES ? "the quotients of the blocks, and so the number of messages, exceed 16384" : NULL;
}

static double places(int rank, const dpc_line *line) {
    double count = 1;
    for (int k = 0; k < rank; k++) count *= (double)line[k].procs;
    return count;
}

static const char *colouring_refuses(int rank, const dpc_line *from, const dpc_line *to) {
    enum { MOST_PAIRS = 1 << 20 };
    return places(rank, from) * places(rank, to) > MOST_PAIRS
               ? "more than 2^20 pairs of processes: every process would need all of them"
               : NULL;
}

static const char *peeling_refuses(int rank, const dpc_line *from, const dpc_line *to) {
    enum { MOST_PEELED = 64 };
    return places(rank, from) > MOST_PEELED || places(rank, to) > MOST_PEELED
               ? "more than 64 processes: its time grows with their number's cube"
               : NULL;
}

enum { SCHEDULED = false, ORDERED = true, OTHERWISE = false, PAIRS = true };

static const dpc_limits limits[] = {
#define METHOD(name, source, serves, dimension, all, order, sends, ...) {name, dimension, all, order, sends},
#include "../base/methods.def"
#undef METHOD
#define SCHEDULE(name, source, serves, dimension, all, steps) {name, dimension, all, false, false},
#include "../base/schedules.def"
#undef SCHEDULE
};

const dpc_limits *dpc_limits_of(const char *name) {
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (strcmp(limits[k].name, name) == 0) return &limits[k];
    return NULL;
}

const char *dpc_limits_refuse(const char *name, int rank, const dpc_line *from, const dpc_line *to) {
    const dpc_limits *l = dpc_limits_of(name);
    const char *why = NULL;
    if (l == NULL) return NULL;
    for (int k = 0; l->refuses != NULL && k < rank && why == NULL; k++) why = l->refuses(&from[k], &to[k]);
    return why != NULL || l->refuses_all == NULL ? why : l->refuses_all(rank, from, to);
}

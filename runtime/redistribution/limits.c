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

static const dpc_limits limits[] = {
    {"families", dpc_whole_refuses, false},
    {"scan", dpc_scan_refuses, false},
    {"pitfalls", dpc_whole_refuses, false},
    {"bbc", dpc_whole_refuses, false},
    {"cdc", dpc_whole_refuses, false},
    {"ky-to-y", dpc_ky_to_y_refuses, false},
    {"ky-to-y-async", dpc_ky_to_y_refuses, false},
    {"x-to-kx", dpc_x_to_kx_refuses, false},
    {"x-to-kx-async", dpc_x_to_kx_refuses, false},
    {"gcd", gcd_refuses, false},
    {"gcd-async", gcd_refuses, false},
    {"lcm", lcm_refuses, false},
    {"lcm-async", lcm_refuses, false},
    {"met", dpc_whole_refuses, true},
    {"walker-otto-sync", dpc_walker_otto_refuses, true},
    {"walker-otto-async", dpc_walker_otto_refuses, true},
    {"walker-otto-random", dpc_walker_otto_refuses, true},
    {"walker-otto-optimal", dpc_walker_otto_refuses, true},
    {"walker-otto-sendrecv", dpc_walker_otto_refuses, true},
    {"walker-otto-derived", dpc_walker_otto_refuses, true},
    {"walker-otto-packed", dpc_walker_otto_refuses, true},
    {"alltoallw", NULL, true},
    {"circulant", dpc_circulant_refuses, false},
    {"walker-otto", dpc_walker_steps_refuse, false},
};

const dpc_limits *dpc_limits_of(const char *name) {
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (strcmp(limits[k].name, name) == 0) return &limits[k];
    return NULL;
}

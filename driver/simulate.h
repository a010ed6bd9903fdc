/* Private to the folder: --simulate. */
#ifndef DPC_DRIVER_SIMULATE_H
#define DPC_DRIVER_SIMULATE_H

#include "driver.h"

/* ---- host.c */
/* This machine: floating-point operations per second of a processor, and whether --calibrate has measured them; else it
 * was done now. */
typedef struct {
    double flops;
    bool profiled;
} host_facts;
host_facts find_host(arena *a);

/* Of a simulated machine.  nodes: 0, one for each process; flop/s of a node, 0: as this machine; seconds from node to
 * node; bytes/s. */
typedef struct {
    double nodes, flops, latency, bandwidth;
} machine_facts;

/* ---- machine.c */
/* What KEY=VALUE,... says, the rest by default; NULL: nothing.  Ends with STATUS_COMMAND where it is wrong. */
machine_facts parse_machine(arena *a, const char *description);
/* The same as a platform file of SimGrid; its nodes compute as fast as this machine where m does not say it. */
const char *platform_text(arena *a, const machine_facts *m, const host_facts *host, long processes);

/* Whether the option's value names a platform file. */
bool is_platform_file(const char *value);
/* Ends with an error where SimGrid is missing, or what the option says is wrong; chooses the MPI compiler. */
void check_simulation(const options *o);

#endif

/* Schedules: the order in which a process's messages travel (sheet, sections 3.1, 6.1 and 7). */
#include "engine.h"

#include <string.h>

/* ScaLAPACK's order: in step k ranks r and (P - 1 - r - k) mod P exchange, and every pair meets once. */
static void caterpillar_steps(const dpc_problem *p, dpc_peers *peers, bool sender) {
    (void)sender;
    for (dpc_index k = 0; k < peers->count; k++) {
        const dpc_index sum = (dpc_index)peers->peer[k].process + p->me;
        peers->peer[k].step = dpc_modulo(p->processes - 1 - sum, p->processes);
    }
}

static const dpc_schedule schedules[] = {
    {"none", "everything at once", NULL, NULL},
    {"caterpillar", "ScaLAPACK REDIST; sheet, section 3.1", NULL, caterpillar_steps},
};

enum { SCHEDULES = sizeof schedules / sizeof *schedules };

const char *dpc_schedule_name(int k) {
    return k == 0 ? "auto" : k > 0 && k <= SCHEDULES ? schedules[k - 1].name : NULL;
}

const dpc_schedule *dpc_find_schedule(const char *name) {
    for (int k = 0; k < SCHEDULES; k++)
        if (strcmp(name, schedules[k].name) == 0) return &schedules[k];
    return NULL;
}

const char *dpc_schedule_refuses(const char *schedule, const dpc_mapping *from, const dpc_mapping *to) {
    if (strcmp(schedule, "auto") == 0) return NULL;
    const dpc_schedule *s = dpc_find_schedule(schedule);
    if (s == NULL) return "there is no such schedule";
    return s->refuses == NULL ? NULL : s->refuses(from, to);
}

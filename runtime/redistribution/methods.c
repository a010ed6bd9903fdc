/* The table of methods. */
#include "engine.h"

#include <string.h>

/* ---- Methods that find index lists and have them executed by direct messages */

const char *dpc_lines_refuse(dpc_index_refusal *refuses, const dpc_mapping *from, const dpc_mapping *to) {
    const char *why = NULL;
    for (int k = 0; k < from->rank && why == NULL; k++) {
        const dpc_line source = dpc_line_of(from, k), target = dpc_line_of(to, k);
        why = refuses(&source, &target);
    }
    return why;
}

/* The functions of a method whose lists come from dpc_<index>_shares and that serves what dpc_<lines>_refuses lets
 * pass. */
#define INDEX_METHOD(method, index, lines)                                                                             \
    static const char *refuses_##method(const dpc_mapping *from, const dpc_mapping *to) {                              \
        return dpc_lines_refuse(dpc_##lines##_refuses, from, to);                                                      \
    }                                                                                                                  \
    static void *plan_##method(const dpc_problem *p) {                                                                 \
        return dpc_plan_direct(p, dpc_##index##_shares);                                                               \
    }
#define DIRECT(method)                                                                                                 \
    refuses_##method, plan_##method, dpc_execute_direct, dpc_describe_direct, dpc_release_direct, false
#define DIRECT_AT_ONCE(method)                                                                                         \
    refuses_##method, plan_##method, dpc_execute_together, dpc_describe_together, dpc_release_direct, false

static void *plan_walk(const dpc_problem *p) {
    return dpc_plan_direct(p, dpc_walk_shares);
}

INDEX_METHOD(families, families, whole)
INDEX_METHOD(scan, scan, scan)
INDEX_METHOD(pitfalls, pitfalls, whole)
INDEX_METHOD(bbc, bbc, whole)
INDEX_METHOD(cdc, cdc, whole)
INDEX_METHOD(ky_to_y, thakur, ky_to_y)
INDEX_METHOD(x_to_kx, thakur, x_to_kx)

#define WALKER_OTTO(order, execution)                                                                                  \
    dpc_walker_otto_mapping_refuses, dpc_plan_walker_##order, dpc_execute_walker_##execution,                          \
        dpc_describe_walker_otto, dpc_release_walker_otto, true
#define PHASES(when) dpc_execute_phases##when, dpc_describe_phases##when, dpc_release_phases, false

static const dpc_redistribution_method methods[] = {
    {"onecopy", "MPI-3 shared memory windows", NULL, dpc_plan_onecopy, dpc_execute_onecopy, dpc_describe_onecopy,
     dpc_release_onecopy, false},
    {"walk", "sheet, section 3.4", NULL, plan_walk, dpc_execute_direct, dpc_describe_direct, dpc_release_direct, false},
    {"families", "sheet, section 3.3", DIRECT(families)},
    {"scan", "Prylli and Tourancheau; ScaLAPACK REDIST", DIRECT(scan)},
    {"pitfalls", "Ramaswamy and Banerjee; sheet, section 3.2", DIRECT(pitfalls)},
    {"bbc", "Hsu, Chung and Dow, basic block calculation", DIRECT(bbc)},
    {"cdc", "Hsu, Chung and Dow, complete dimension calculation", DIRECT(cdc)},
    {"ky-to-y", "Thakur, Choudhary and Ramanujam, synchronous", DIRECT_AT_ONCE(ky_to_y)},
    {"ky-to-y-async", "Thakur, Choudhary and Ramanujam, asynchronous", DIRECT(ky_to_y)},
    {"x-to-kx", "Thakur, Choudhary and Ramanujam, synchronous", DIRECT_AT_ONCE(x_to_kx)},
    {"x-to-kx-async", "Thakur, Choudhary and Ramanujam, asynchronous", DIRECT(x_to_kx)},
    {"gcd", "Thakur, Choudhary and Ramanujam, GCD method", dpc_gcd_refuses, dpc_plan_gcd, PHASES(_together)},
    {"gcd-async", "Thakur, Choudhary and Ramanujam, GCD method", dpc_gcd_refuses, dpc_plan_gcd, PHASES()},
    {"lcm", "Thakur, Choudhary and Ramanujam, LCM method", dpc_lcm_refuses, dpc_plan_lcm, PHASES(_together)},
    {"lcm-async", "Thakur, Choudhary and Ramanujam, LCM method", dpc_lcm_refuses, dpc_plan_lcm, PHASES()},
    {"met", "Chung and Hsu, message encoding", refuses_families, dpc_plan_met, dpc_execute_met, dpc_describe_met,
     dpc_release_met, true},
    {"walker-otto-sync", "Walker and Otto, synchronised", WALKER_OTTO(natural, steps)},
    {"walker-otto-async", "Walker and Otto, unsynchronised", WALKER_OTTO(natural, async)},
    {"walker-otto-random", "Walker and Otto, random order", WALKER_OTTO(random, steps)},
    {"walker-otto-optimal", "Walker and Otto, optimal schedule", WALKER_OTTO(optimal, steps)},
    {"walker-otto-sendrecv", "Walker and Otto, combined send and receive", WALKER_OTTO(sendrecv, sendrecv)},
    {"walker-otto-derived", "Walker and Otto, derived datatypes", WALKER_OTTO(derived, sendrecv)},
    {"walker-otto-packed", "Walker and Otto, MPI_Pack", WALKER_OTTO(packed, steps)},
    {"alltoallw", "MPI_Alltoallw with derived datatypes", NULL, dpc_plan_alltoallw, dpc_execute_alltoallw,
     dpc_describe_alltoallw, dpc_release_alltoallw, true},
};

enum { METHODS = sizeof methods / sizeof *methods };

const char *dpc_method_name(int k) {
    return k == 0 ? "auto" : k > 0 && k <= METHODS ? methods[k - 1].name : NULL;
}

const dpc_redistribution_method *dpc_find_method(const char *name) {
    for (int k = 0; k < METHODS; k++)
        if (strcmp(name, methods[k].name) == 0) return &methods[k];
    return NULL;
}

const char *dpc_method_refuses(const char *method, const dpc_mapping *from, const dpc_mapping *to) {
    if (strcmp(method, "auto") == 0) return NULL;
    const dpc_redistribution_method *m = dpc_find_method(method);
    if (m == NULL) return "there is no such method";
    return m->refuses == NULL ? NULL : m->refuses(from, to);
}

bool dpc_method_takes_schedules(const char *method) {
    const dpc_redistribution_method *m = dpc_find_method(method);
    return m == NULL || !m->own_order;
}

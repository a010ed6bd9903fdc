/* The table of methods. */
#include "arguments.h"
#include "engine.h"
#include "limits.h"

#include <string.h>

/* ---- Methods that find index lists and have them executed by direct messages */

/* The plan of a method whose lists come from dpc_<index>_shares. */
#define INDEX_METHOD(method, index)                                                                                    \
    static void *plan_##method(const dpc_problem *p) {                                                                 \
        return dpc_plan_direct(p, dpc_##index##_shares);                                                               \
    }
#define DIRECT(method) plan_##method, dpc_execute_direct, dpc_describe_direct, dpc_release_direct
#define DIRECT_AT_ONCE(method) plan_##method, dpc_execute_together, dpc_describe_together, dpc_release_direct

INDEX_METHOD(walk, walk)
INDEX_METHOD(families, families)
INDEX_METHOD(scan, scan)
INDEX_METHOD(pitfalls, pitfalls)
INDEX_METHOD(bbc, bbc)
INDEX_METHOD(cdc, cdc)
INDEX_METHOD(ky_to_y, thakur)
INDEX_METHOD(x_to_kx, thakur)

#define WALKER_OTTO(order, execution)                                                                                  \
    dpc_plan_walker_##order, dpc_execute_walker_##execution, dpc_describe_walker_otto, dpc_release_walker_otto
#define PHASES(when) dpc_execute_phases##when, dpc_describe_phases##when, dpc_release_phases

static const dpc_redistribution_method methods[] = {
    {"onecopy", "MPI-3 shared memory windows", dpc_plan_onecopy, dpc_execute_onecopy, dpc_describe_onecopy,
     dpc_release_onecopy},
    {"walk", "sheet, section 3.4", DIRECT(walk)},
    {"families", "sheet, section 3.3", DIRECT(families)},
    {"scan", "Prylli and Tourancheau; ScaLAPACK REDIST", DIRECT(scan)},
    {"pitfalls", "Ramaswamy and Banerjee; sheet, section 3.2", DIRECT(pitfalls)},
    {"bbc", "Hsu, Chung and Dow, basic block calculation", DIRECT(bbc)},
    {"cdc", "Hsu, Chung and Dow, complete dimension calculation", DIRECT(cdc)},
    {"ky-to-y", "Thakur, Choudhary and Ramanujam, synchronous", DIRECT_AT_ONCE(ky_to_y)},
    {"ky-to-y-async", "Thakur, Choudhary and Ramanujam, asynchronous", DIRECT(ky_to_y)},
    {"x-to-kx", "Thakur, Choudhary and Ramanujam, synchronous", DIRECT_AT_ONCE(x_to_kx)},
    {"x-to-kx-async", "Thakur, Choudhary and Ramanujam, asynchronous", DIRECT(x_to_kx)},
    {"gcd", "Thakur, Choudhary and Ramanujam, GCD method", dpc_plan_gcd, PHASES(_together)},
    {"gcd-async", "Thakur, Choudhary and Ramanujam, GCD method", dpc_plan_gcd, PHASES()},
    {"lcm", "Thakur, Choudhary and Ramanujam, LCM method", dpc_plan_lcm, PHASES(_together)},
    {"lcm-async", "Thakur, Choudhary and Ramanujam, LCM method", dpc_plan_lcm, PHASES()},
    {"met", "Chung and Hsu, message encoding", dpc_plan_met, dpc_execute_met, dpc_describe_met, dpc_release_met},
    {"walker-otto-sync", "Walker and Otto, synchronised", WALKER_OTTO(natural, steps)},
    {"walker-otto-async", "Walker and Otto, unsynchronised", WALKER_OTTO(natural, async)},
    {"walker-otto-random", "Walker and Otto, random order", WALKER_OTTO(random, steps)},
    {"walker-otto-optimal", "Walker and Otto, optimal schedule", WALKER_OTTO(optimal, steps)},
    {"walker-otto-sendrecv", "Walker and Otto, combined send and receive", WALKER_OTTO(sendrecv, sendrecv)},
    {"walker-otto-derived", "Walker and Otto, derived datatypes", WALKER_OTTO(derived, sendrecv)},
    {"walker-otto-packed", "Walker and Otto, MPI_Pack", WALKER_OTTO(packed, steps)},
    {"alltoallw", "MPI_Alltoallw with derived datatypes", dpc_plan_alltoallw, dpc_execute_alltoallw,
     dpc_describe_alltoallw, dpc_release_alltoallw},
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

/* ---- What they serve */

const char *dpc_lines_refuse(const char *where, const char *name, const dpc_mapping *from, const dpc_mapping *to) {
    dpc_line source[DPC_MAX_RANK], target[DPC_MAX_RANK];
    dpc_check_mapping(where, "from", from);
    dpc_check_mapping(where, "to", to);
    if (from->rank != to->rank)
        dpc_fail(where, "arguments 'from' and 'to': the ranks are %d and %d, must be equal", from->rank, to->rank);
    for (int k = 0; k < from->rank; k++) {
        source[k] = dpc_line_of(from, k);
        target[k] = dpc_line_of(to, k);
    }
    return dpc_limits_refuse(name, from->rank, source, target);
}

const char *dpc_method_refuses(const char *method, const dpc_mapping *from, const dpc_mapping *to) {
    if (method == NULL || strcmp(method, "auto") == 0) return NULL;
    return dpc_find_method(method) == NULL ? "there is no such method"
                                           : dpc_lines_refuse("dpc_method_refuses", method, from, to);
}

bool dpc_method_takes_schedules(const char *method) {
    if (method == NULL || strcmp(method, "auto") == 0) return true;
    if (dpc_find_method(method) == NULL)
        dpc_fail("dpc_method_takes_schedules", "argument 'method': there is no method '%s'", method);
    const dpc_limits *limits = dpc_limits_of(method);
    return limits == NULL || !limits->own_order;
}

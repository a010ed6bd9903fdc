/* The table of methods. */
#include "arguments.h"
#include "engine.h"
#include "limits.h"

#include <string.h>

#define LISTS(index) dpc_##index##_shares, NULL, dpc_execute_direct, dpc_describe_direct, dpc_release_direct, NULL
#define LISTS_AT_ONCE(index)                                                                                           \
    dpc_##index##_shares, NULL, dpc_execute_together, dpc_describe_together, dpc_release_direct, NULL
#define OWN(method) NULL, dpc_plan_##method, dpc_execute_##method, dpc_describe_##method, dpc_release_##method, NULL
#define PHASES(method, when)                                                                                           \
    NULL, dpc_plan_##method, dpc_execute_phases##when, dpc_describe_phases##when, dpc_release_phases, NULL
#define WALKER_OTTO(order, execution)                                                                                  \
    NULL, dpc_plan_walker_##order, dpc_execute_walker_##execution, dpc_describe_walker_otto, dpc_release_walker_otto,  \
        NULL
#define ENCODED(when) NULL, dpc_plan_met_thakur, dpc_execute_met##when, dpc_describe_met, dpc_release_met, NULL
#define CHOICE(of) NULL, NULL, NULL, NULL, NULL, dpc_choose_##of

static const dpc_redistribution_method methods[] = {
#define METHOD(name, source, serves, dimension, all, order, sends, ...) {name, source, __VA_ARGS__},
#include "../base/methods.def"
#undef METHOD
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

void *dpc_plan_method(const dpc_redistribution_method *method, const dpc_problem *p) {
    return method->index != NULL ? dpc_plan_direct(p, method->index) : method->plan(p);
}

/* ---- What they serve */

const char *dpc_method_refuses(const char *method, const dpc_mapping *from, const dpc_mapping *to) {
    if (method == NULL || strcmp(method, "auto") == 0) return NULL;
    return dpc_find_method(method) == NULL ? "there is no such method"
                                           : dpc_lines_refuse("dpc_method_refuses", method, from, to);
}

bool dpc_method_takes_schedules(const char *method) {
    if (method == NULL || strcmp(method, "auto") == 0) return true;
    if (dpc_find_method(method) == NULL)
        dpc_fail("dpc_method_takes_schedules", "argument 'method': there is no method '%s'", method);
    return !dpc_limits_of(method)->own_order;
}

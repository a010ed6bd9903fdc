/* dpcc's engine. */
#include "compare.h"

void *prepare_engine(const contestant *c, const problem *p) {
    const dpc_redistribution_options options = {.method = c->method, .messages_only = c->messages_only};
    if (c->method && dpc_method_refuses(c->method, &p->from, &p->to)) return NULL;
    return dpc_plan_redistribution(MPI_COMM_WORLD, &p->from, &p->to, sizeof(double), &options);
}

void run_engine(void *plan, const problem *p) {
    dpc_execute(plan, p->a, p->b);
}

void release_engine(void *plan) {
    dpc_free_redistribution(plan);
}

/* ---- The same with a plan made and freed each time. */

void *prepare_cold(const contestant *c, const problem *p) {
    if (dpc_method_refuses(c->method, &p->from, &p->to)) return NULL;
    return (void *)(uintptr_t)c->method;
}

void run_cold(void *method, const problem *p) {
    const dpc_redistribution_options options = {.method = method};
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &p->from, &p->to, sizeof(double), &options);
    dpc_execute(plan, p->a, p->b);
    dpc_free_redistribution(plan);
}

void release_cold(void *method) {
    (void)method;
}

/* The table of methods. */
#include "engine.h"

#include <string.h>

/* A method that finds index lists and has them executed by direct messages. */
#define INDEX_METHOD(name)                                                                                             \
    static void *plan_##name(const dpc_problem *p) {                                                                   \
        return dpc_plan_direct(p, dpc_##name##_shares);                                                                \
    }

INDEX_METHOD(walk)

#define DIRECT dpc_execute_direct, dpc_describe_direct, dpc_release_direct

static const dpc_redistribution_method methods[] = {
    {"walk", "sheet, section 3.4", NULL, plan_walk, DIRECT},
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

const dpc_redistribution_method *dpc_choose_method(const dpc_problem *p) {
    (void)p;
    return dpc_find_method("walk");
}

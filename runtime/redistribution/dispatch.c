/* Methods that are a choice among the methods of one paper. */
#include "engine.h"

/* Hsu, Chung and Dow: by their model. */
const char *dpc_choose_hsu(const dpc_problem *p) {
    dpc_line from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    for (int k = 0; k < p->rank; k++) {
        from[k] = dpc_line_of(&p->from, k);
        to[k] = dpc_line_of(&p->to, k);
    }
    return dpc_hsu_takes_cdc(p->rank, from, to) ? "cdc" : "bbc";
}

/* Thakur, Choudhary and Ramanujam: the special algorithms where every dimension's blocks divide in the same direction;
 * else two phases, through the common multiple, whose pieces are larger, where it leaves all processes about as many
 * elements, or through the common divisor. */
static const char *choose_thakur(const dpc_problem *p, const char *const *names) {
    if (dpc_method_refuses(names[0], &p->from, &p->to) == NULL) return names[0];
    if (dpc_method_refuses(names[1], &p->from, &p->to) == NULL) return names[1];
    const bool multiple = dpc_method_refuses(names[2], &p->from, &p->to) == NULL && dpc_multiple_is_even(p, 0, p->rank);
    return names[multiple ? 2 : 3];
}

const char *dpc_choose_thakur(const dpc_problem *p) {
    static const char *const names[] = {"ky-to-y", "x-to-kx", "lcm", "gcd"};
    return choose_thakur(p, names);
}

const char *dpc_choose_thakur_async(const dpc_problem *p) {
    static const char *const names[] = {"ky-to-y-async", "x-to-kx-async", "lcm-async", "gcd-async"};
    return choose_thakur(p, names);
}

/* Two phases through an intermediate distribution: the GCD and the LCM method of Thakur, Choudhary and Ramanujam, any
 * number of dimensions at once.  Sheet, section 4: fewer messages for twice the volume. */
#include "engine.h"

typedef struct {
    dpc_problem first, second;
    void *plans[2];
    dpc_index bytes; /* of the intermediate array on this process */
} phases_plan;

/* ---- The intermediate mapping */

void dpc_lay_densely(dpc_mapping *m, const dpc_index *at, dpc_index *elements) {
    *elements = 1;
    for (int k = m->rank - 1; k >= 0; k--) {
        const dpc_line line = dpc_line_of(m, k);
        m->stride[k] = *elements;
        *elements *= dpc_line_elements(&line, at[k]);
    }
}

/* What the busiest process may have at most, beside the mean: through the common multiple of the blocks everything may
 * pass one process. */
static const double even = 1.25;

bool dpc_multiple_is_even(const dpc_problem *p, int first, int end) {
    double busiest = 1, mean = 1;
    for (int k = first; k < end; k++) {
        dpc_line line = dpc_line_of(&p->from, k);
        if (line.procs == 1) continue;
        line.block = dpc_common_multiple(dpc_minimum(line.block, dpc_maximum(line.extent, 1)),
                                         dpc_minimum(p->to.block[k], dpc_maximum(line.extent, 1)), line.extent);
        if (line.block == 0) return false;
        busiest *= (double)dpc_line_elements(&line, 0);
        mean *= (double)line.extent / (double)line.procs;
    }
    return busiest <= even * mean;
}

/* On the source's processes; the place of this process stays. */
static dpc_mapping middle_of(const dpc_problem *p, bool lcm, dpc_index *elements) {
    dpc_mapping m = p->from;
    for (int k = 0; k < p->rank; k++)
        m.block[k] = lcm ? dpc_common_multiple(p->from.block[k], p->to.block[k], INT64_MAX)
                         : dpc_common_divisor(p->from.block[k], p->to.block[k]);
    dpc_lay_densely(&m, p->from_at, elements);
    if (p->from_place < 0) *elements = 0;
    return m;
}

/* The schedule, where it serves the phase; else the one of fewest steps that does. */
static void choose_schedule(dpc_problem *p) {
    const char *const others[] = {"colouring", "caterpillar"};
    for (int k = 0; k < 2 && dpc_schedule_refuses(p->schedule->name, &p->from, &p->to) != NULL; k++)
        p->schedule = dpc_find_schedule(others[k]);
}

static void *plan(const dpc_problem *p, bool lcm) {
    phases_plan *d = dpc_buffer(1, sizeof *d);
    d->first = d->second = *p;
    d->first.to = d->second.from = middle_of(p, lcm, &d->bytes);
    d->bytes *= p->size;
    d->first.to_place = p->from_place;
    for (int k = 0; k < p->rank; k++) {
        d->first.to_at[k] = p->from_at[k];
        d->second.from_at[k] = p->from_at[k];
    }
    choose_schedule(&d->first);
    choose_schedule(&d->second);
    d->plans[0] = dpc_plan_direct(&d->first, dpc_thakur_shares);
    d->plans[1] = dpc_plan_direct(&d->second, dpc_thakur_shares);
    return d;
}

void *dpc_plan_gcd(const dpc_problem *p) {
    return plan(p, false);
}

void *dpc_plan_lcm(const dpc_problem *p) {
    return plan(p, true);
}

/* ---- Execution */

typedef void execution(const dpc_problem *p, void *plan, const char *from, char *to);

static void execute(phases_plan *d, execution *phase, const char *from, char *to) {
    char *middle = dpc_take_staging(d->bytes, 1);
    phase(&d->first, d->plans[0], from, middle);
    phase(&d->second, d->plans[1], middle, to);
    dpc_give_staging(middle);
}

void dpc_execute_phases(const dpc_problem *p, void *plan_, const char *from, char *to) {
    (void)p;
    execute(plan_, dpc_execute_direct, from, to);
}

void dpc_execute_phases_together(const dpc_problem *p, void *plan_, const char *from, char *to) {
    (void)p;
    execute(plan_, dpc_execute_together, from, to);
}

void dpc_add_facts(dpc_plan_facts *facts, const dpc_plan_facts *phase) {
    facts->steps += phase->steps;
    facts->sends += phase->sends;
    facts->receives += phase->receives;
    facts->bytes_sent += phase->bytes_sent;
    facts->bytes_received += phase->bytes_received;
    facts->bytes_copied += phase->bytes_copied;
    facts->runs += phase->runs;
    facts->plan_bytes += phase->plan_bytes;
    facts->peak_bytes = dpc_maximum(facts->peak_bytes, phase->peak_bytes);
    facts->seconds += phase->seconds;
}

typedef void description(const dpc_problem *p, const void *plan, dpc_plan_facts *facts);

static void describe(const phases_plan *d, description *phase, dpc_plan_facts *facts) {
    dpc_plan_facts second = {0};
    phase(&d->first, d->plans[0], facts);
    phase(&d->second, d->plans[1], &second);
    dpc_add_facts(facts, &second);
    facts->plan_bytes += (dpc_index)sizeof *d;
    facts->peak_bytes += d->bytes;
}

void dpc_describe_phases(const dpc_problem *p, const void *plan_, dpc_plan_facts *facts) {
    (void)p;
    describe(plan_, dpc_describe_direct, facts);
}

void dpc_describe_phases_together(const dpc_problem *p, const void *plan_, dpc_plan_facts *facts) {
    (void)p;
    describe(plan_, dpc_describe_together, facts);
}

void dpc_release_phases(void *plan_) {
    phases_plan *d = plan_;
    dpc_release_direct(d->plans[0]);
    dpc_release_direct(d->plans[1]);
    dpc_free_buffer(d);
}

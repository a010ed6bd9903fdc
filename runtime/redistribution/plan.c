/* The interface of the engine: plans, their execution, what they tell of themselves. */
#include "arguments.h"
#include "engine.h"
#include "relabel.h"
#include "storage.h"

#include <string.h>

struct dpc_redistribution {
    enum { PLAN_LIVES = 0x3a7e91, PLAN_FREED = 0x5d0c42 } state;
    struct dpc_redistribution *next; /* freed: the one freed after it */
    dpc_problem problem;
    const dpc_redistribution_method *method;
    void *plan;
    int *relabelled; /* the target's table, made when it is asked for */
    dpc_index saved; /* elements that relabelling need not move; -1: not asked for yet */
};

/* ---- Plans that have been freed stay for a while, latest last, so that a further use of them is noticed. */

enum { MOST_FREED = 32 };

static struct {
    dpc_redistribution *first, *last;
    int count;
} freed;

static dpc_redistribution *new_plan(void) {
    dpc_redistribution *plan = calloc(1, sizeof *plan);
    if (plan == NULL) dpc_fail("dpc_plan_redistribution", "out of memory");
    plan->state = PLAN_LIVES;
    return plan;
}

static void set_aside(dpc_redistribution *plan) {
    dpc_redistribution *oldest = NULL;
    *plan = (dpc_redistribution){.state = PLAN_FREED};
    if (freed.last != NULL) freed.last->next = plan;
    if (freed.first == NULL) freed.first = plan;
    freed.last = plan;
    if (++freed.count > MOST_FREED) {
        oldest = freed.first;
        freed.first = oldest->next;
        freed.count--;
    }
    free(oldest);
}

static void check_plan(const char *where, const dpc_redistribution *plan) {
    dpc_check_given(where, "plan", plan);
    if (plan->state == PLAN_FREED) dpc_fail(where, "argument 'plan' has been freed");
    if (plan->state != PLAN_LIVES) dpc_fail(where, "argument 'plan' is no plan of dpc_plan_redistribution");
}

/* ---- Making one */

static bool is_auto(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0;
}

static const dpc_schedule *choose_schedule(const dpc_problem *p, const char *name) {
    if (is_auto(name)) return dpc_choose_schedule(p);
    const dpc_schedule *schedule = dpc_find_schedule(name);
    const char *why = dpc_schedule_refuses(name, &p->from, &p->to);
    if (why != NULL) dpc_fail("dpc_plan_redistribution", "schedule '%s' cannot serve these mappings: %s", name, why);
    return schedule;
}

static const dpc_redistribution_method *choose_method(const dpc_problem *p, const char *name, const char *schedule) {
    if (is_auto(name)) return dpc_choose_method(p, !is_auto(schedule));
    const char *why = dpc_method_refuses(name, &p->from, &p->to);
    if (why != NULL) dpc_fail("dpc_plan_redistribution", "method '%s' cannot serve these mappings: %s", name, why);
    const dpc_redistribution_method *method = dpc_find_method(name);
    return method->choose == NULL ? method : dpc_find_method(method->choose(p));
}

/* The same problem with the target's processes relabelled, where that saves something. */
static dpc_problem relabel(dpc_problem p, MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to,
                           const dpc_redistribution_options *options, dpc_index *saved) {
    const dpc_relabelling r = dpc_relabel(from, to);
    dpc_mapping relabelled = *to;
    relabelled.process = r.process;
    *saved = r.stay - r.stayed;
    if (*saved > 0) {
        dpc_close_problem(&p);
        p = dpc_open_problem(comm, from, &relabelled, p.size, options);
    }
    dpc_free_buffer(r.process);
    return p;
}

dpc_redistribution *dpc_plan_redistribution(MPI_Comm comm, const dpc_mapping *from, const dpc_mapping *to,
                                            dpc_index size, const dpc_redistribution_options *options) {
    DPC_ENTER("dpc_plan_redistribution");
    const dpc_redistribution_options none = {0};
    dpc_index saved = -1;
    dpc_set_chunk();
    dpc_problem problem = dpc_open_problem(comm, from, to, size, options);
    if (options == NULL) options = &none;
    if (options->relabel) problem = relabel(problem, comm, from, to, options, &saved);
    dpc_redistribution *r = new_plan();
    r->problem = problem;
    r->saved = saved;
    r->problem.schedule = choose_schedule(&r->problem, options->schedule);
    r->method = choose_method(&r->problem, options->method, options->schedule);
    if (!dpc_method_takes_schedules(r->method->name) && !is_auto(options->schedule))
        dpc_fail("dpc_plan_redistribution", "method '%s' has an order of its own: schedule '%s' cannot be chosen",
                 r->method->name, options->schedule);
    r->plan = dpc_plan_method(r->method, &r->problem);
    return r;
}

/* ---- Using it */

/* Up to their last elements the local arrays must not overlap. */
static void check_buffers(const dpc_problem *p, const void *from, const void *to) {
    const dpc_index from_bytes = p->from_place < 0 ? 0 : dpc_mapped_span(&p->from, p->from_at) * p->size;
    const dpc_index to_bytes = p->to_place < 0 ? 0 : dpc_mapped_span(&p->to, p->to_at) * p->size;
    const uintptr_t x = (uintptr_t)from, y = (uintptr_t)to;
    if (from_bytes > 0 && from == NULL) dpc_fail("dpc_execute", "argument 'from' is NULL on process %d", p->me);
    if (to_bytes > 0 && to == NULL) dpc_fail("dpc_execute", "argument 'to' is NULL on process %d", p->me);
    if (from_bytes > 0 && to_bytes > 0 && x < y + (uintptr_t)to_bytes && y < x + (uintptr_t)from_bytes)
        dpc_fail("dpc_execute", "arguments 'from' and 'to' overlap on process %d", p->me);
}

void dpc_execute(dpc_redistribution *plan, const void *from, void *to) {
    DPC_ENTER("dpc_execute");
    check_plan("dpc_execute", plan);
    dpc_check_mpi("dpc_execute");
    check_buffers(&plan->problem, from, to);
    plan->method->execute(&plan->problem, plan->plan, from, to);
}

/* Elements that relabelling saves, or would save. */
static dpc_index saved_elements(const dpc_redistribution *plan) {
    dpc_redistribution *r = (dpc_redistribution *)(uintptr_t)plan;
    if (r->saved >= 0) return r->saved;
    const dpc_relabelling relabelling = dpc_relabel(&plan->problem.from, &plan->problem.to);
    dpc_free_buffer(relabelling.process);
    return r->saved = relabelling.stay - relabelling.stayed;
}

dpc_plan_facts dpc_plan_describe(const dpc_redistribution *plan) {
    DPC_ENTER("dpc_plan_describe");
    check_plan("dpc_plan_describe", plan);
    dpc_plan_facts facts = {.method = plan->method->name, .schedule = plan->problem.schedule->name, .steps = 1};
    facts.plan_bytes = (dpc_index)sizeof *plan;
    facts.bytes_saved = saved_elements(plan) * plan->problem.size;
    plan->method->describe(&plan->problem, plan->plan, &facts);
    return facts;
}

/* The amounts of all processes on rank 0, which prints them. */
enum { AMOUNTS = 9 };

static void print_line(FILE *stream, int process, const long long *a) {
    fprintf(stream,
            "process %d: sends %lld messages, %lld bytes; receives %lld messages, %lld bytes; copies %lld bytes within "
            "its own and shared memory; %lld runs, %lld steps; plan %lld bytes, buffers %lld bytes\n",
            process, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
}

void dpc_print_plan(const dpc_redistribution *plan, FILE *stream) {
    DPC_ENTER("dpc_print_plan");
    check_plan("dpc_print_plan", plan);
    dpc_check_mpi("dpc_print_plan");
    const dpc_problem *p = &plan->problem;
    if (p->me == 0) dpc_check_given("dpc_print_plan", "stream", stream);
    const dpc_plan_facts f = dpc_plan_describe(plan);
    const long long mine[AMOUNTS] = {f.sends, f.bytes_sent, f.receives,   f.bytes_received, f.bytes_copied,
                                     f.runs,  f.steps,      f.plan_bytes, f.peak_bytes};
    long long *all = p->me > 0 ? NULL : dpc_raw_buffer(p->processes, sizeof mine);
    MPI_Gather(mine, AMOUNTS, MPI_LONG_LONG, all, AMOUNTS, MPI_LONG_LONG, 0, p->comm);
    if (p->me > 0) return;
    fprintf(stream, "method %s, schedule %s, predicted time %.3g s\n", f.method, f.schedule, f.seconds);
    if (f.bytes_saved > 0)
        fprintf(stream, "other numbers of the target's processes save %lld bytes\n", (long long)f.bytes_saved);
    for (int process = 0; process < p->processes; process++) print_line(stream, process, all + process * AMOUNTS);
    dpc_free_buffer(all);
}

/* The target's table in the user's order of dimensions. */
static int *target_table(const dpc_problem *p) {
    dpc_mapping to = p->to;
    const dpc_index places = dpc_mapped_places(&to);
    int *table = dpc_raw_buffer(places, sizeof *table);
    for (dpc_index place = 0; place < places; place++)
        table[place] = to.process == NULL ? (int)place : to.process[place];
    if (!p->reversed) return table;
    to.process = table;
    dpc_reverse_mapping(&to);
    return (int *)(uintptr_t)to.process;
}

const int *dpc_relabelled(const dpc_redistribution *plan) {
    DPC_ENTER("dpc_relabelled");
    dpc_redistribution *r = (dpc_redistribution *)(uintptr_t)plan;
    check_plan("dpc_relabelled", plan);
    if (r->relabelled == NULL) r->relabelled = target_table(&plan->problem);
    return r->relabelled;
}

void dpc_free_redistribution(dpc_redistribution *plan) {
    if (plan == NULL) return;
    DPC_ENTER("dpc_free_redistribution");
    check_plan("dpc_free_redistribution", plan);
    dpc_check_mpi("dpc_free_redistribution");
    plan->method->release(plan->plan);
    dpc_close_problem(&plan->problem);
    dpc_free_buffer(plan->relabelled);
    set_aside(plan);
}

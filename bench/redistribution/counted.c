/* Methods of the engine on simulated processes: reads cases as compare.c does; for each method that serves
 *     CASE METHOD MILLISECONDS
 * of plan and execution, simulated, in which computing takes no time; its instructions are counted (../instructions.c).
 * Every execution is checked; its plan has been made once before.  counted METHOD... */
#include "../../runtime/redistribution/engine.h"
#include "../instructions.h"
#include "compare.h"
#include "simulated.h"

#include <string.h>

/* Returns the simulated seconds of the second of two executions. */
static double run_once(const problem *p, const dpc_problem *q, const dpc_redistribution_method *method) {
    double seconds = 0;
    for (int turn = 0; turn < 2; turn++) {
        memset(p->b, 0xff, (size_t)p->to_elements * sizeof(double));
        start_together();
        const double start = MPI_Wtime();
        if (turn == 1) count_begin();
        void *plan = dpc_plan_method(method, q);
        method->execute(q, plan, (const char *)p->a, (char *)p->b);
        seconds = MPI_Wtime() - start;
        if (turn == 1) count_end();
        method->release(plan);
    }
    return greatest(seconds);
}

static int count(const problem *p, const char *name) {
    const dpc_redistribution_options options = {.messages_only = true};
    const size_t bytes = (size_t)p->to_elements * sizeof(double);
    if (dpc_method_refuses(name, &p->from, &p->to) != NULL) return 0;
    dpc_problem q = dpc_open_problem(MPI_COMM_WORLD, &p->from, &p->to, sizeof(double), &options);
    q.schedule = dpc_find_schedule("none");
    const double seconds = run_once(p, &q, dpc_find_method(name));
    double *expected = malloc(bytes + 1);
    fill_local(&p->to, p->rank, expected);
    int wrong = memcmp(p->b, expected, bytes) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (p->rank == 0) printf("%s %s %.4f%s\n", p->name, name, 1e3 * seconds, wrong ? " WRONG" : "");
    dpc_close_problem(&q);
    free(expected);
    return wrong;
}

int main(int argc, char **argv) {
    int wrong = 0;
    MPI_Init(&argc, &argv);
    for (problem p; next_case(&p);) {
        p.a = malloc((size_t)(p.from_elements + 1) * sizeof(double));
        p.b = malloc((size_t)(p.to_elements + 1) * sizeof(double));
        fill_local(&p.from, p.rank, p.a);
        for (int k = 1; k < argc; k++) wrong += count(&p, argv[k]);
        free(p.a), free(p.b);
    }
    MPI_Finalize();
    return wrong != 0;
}

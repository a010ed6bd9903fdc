/* Every schedule of the engine on a simulated network, whose times are exact: reads cases as compare.c does, prints
 *     CASE SCHEDULE PROCESSES MILLISECONDS RATIO STEPS METHOD
 * RATIO: to the bound max(partners * alpha, bytes / bandwidth) of the busiest process; alpha: a message of one byte;
 * bandwidth: of one message of 8 MB; both measured between two processes.  Every execution is checked.
 * With schedule `collectives` also the times of MPI_Bcast of the elements of process 0 and of MPI_Alltoall of as many
 * in all. scale METHOD SCHEDULE... */
#include "compare.h"
#include "simulated.h"

#include <math.h>
#include <string.h>

/* Seconds that a message of these bytes takes from process 0 to 1. */
static double message_seconds(int rank, int bytes) {
    char *buffer = calloc((size_t)bytes, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime();
    for (int back = 0; back < 2; back++) {
        if (rank == back) MPI_Send(buffer, bytes, MPI_BYTE, 1 - back, 0, MPI_COMM_WORLD);
        if (rank == 1 - back) MPI_Recv(buffer, bytes, MPI_BYTE, back, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    seconds = (MPI_Wtime() - seconds) / 2;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(buffer);
    return seconds;
}

static double bound(const dpc_plan_facts *f, double alpha, double bandwidth) {
    const double partners = (double)dpc_maximum(f->sends, f->receives),
                 bytes = (double)dpc_maximum(f->bytes_sent, f->bytes_received);
    return greatest(fmax(partners * alpha, bytes / bandwidth));
}

/* What Walker and Otto compare with: as many bytes as process 0 has, to everyone, and dealt out. */
static void print_collectives(const problem *p) {
    const int elements = (int)p->from_elements, each = elements / p->processes;
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        double *out = calloc((size_t)elements + 1, sizeof *out), *in = calloc((size_t)elements + 1, sizeof *in);
        start_together();
        const double start = MPI_Wtime();
        if (k == 0)
            MPI_Bcast(out, elements, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else
            MPI_Alltoall(out, each, MPI_DOUBLE, in, each, MPI_DOUBLE, MPI_COMM_WORLD);
        seconds[k] = greatest(MPI_Wtime() - start);
        free(out), free(in);
    }
    if (p->rank > 0) return;
    printf("%s bcast %d %.4f - - -\n%s alltoall %d %.4f - - -\n", p->name, p->processes, 1e3 * seconds[0], p->name,
           p->processes, 1e3 * seconds[1]);
}

static int simulate(const problem *p, const char *method, const char *schedule, double alpha, double bandwidth) {
    const dpc_redistribution_options options = {.method = method, .schedule = schedule, .messages_only = true};
    const size_t bytes = (size_t)p->to_elements * sizeof(double);
    if (strcmp(schedule, "collectives") == 0) {
        print_collectives(p);
        return 0;
    }
    double *expected = malloc(bytes + 1);
    if (dpc_schedule_refuses(schedule, &p->from, &p->to) || dpc_method_refuses(method, &p->from, &p->to)) {
        free(expected);
        return 0;
    }
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &p->from, &p->to, sizeof(double), &options);
    memset(p->b, 0xff, bytes);
    start_together();
    const double start = MPI_Wtime();
    dpc_execute(plan, p->a, p->b);
    const double seconds = greatest(MPI_Wtime() - start);
    const dpc_plan_facts facts = dpc_plan_describe(plan);
    const double least = bound(&facts, alpha, bandwidth), steps = greatest((double)facts.steps);
    fill_local(&p->to, p->rank, expected);
    int wrong = memcmp(p->b, expected, bytes) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (p->rank == 0)
        printf("%s %s %d %.4f %.2f %.0f %s%s\n", p->name, facts.schedule, p->processes, 1e3 * seconds, seconds / least,
               steps, facts.method, wrong ? " WRONG" : "");
    dpc_free_redistribution(plan);
    free(expected);
    return wrong;
}

int main(int argc, char **argv) {
    int wrong = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int large = 8 << 20;
    const double alpha = message_seconds(rank, 1), bandwidth = large / (message_seconds(rank, large) - alpha);
    if (rank == 0) fprintf(stderr, "alpha %.1f us, bandwidth %.0f MB/s\n", 1e6 * alpha, bandwidth / 1e6);
    for (problem p; next_case(&p);) {
        p.a = malloc((size_t)(p.from_elements + 1) * sizeof(double)),
        p.b = malloc((size_t)(p.to_elements + 1) * sizeof(double));
        fill_local(&p.from, p.rank, p.a);
        for (int k = 2; k < argc; k++) wrong += simulate(&p, argv[1], argv[k], alpha, bandwidth);
        free(p.a), free(p.b);
    }
    MPI_Finalize();
    return wrong != 0;
}

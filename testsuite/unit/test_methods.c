/* The methods of single papers: every small case of one dimension and of two against the definition, and the messages
 * that the papers promise, counted where MPI is called.  Prints "N passed, N failed". */
#include "../../runtime/redistribution.h"

#include <string.h>

static long passed, failed;
static int me, processes;

/* ---- What is sent, since the last reset */

static struct {
    long sends, ready, barriers, largest; /* largest: processes of the largest communicator used */
    long long bytes;
} sent;

static void note(MPI_Comm comm, int process, int count, MPI_Datatype type) {
    int size, bytes;
    if (process == MPI_PROC_NULL) return;
    PMPI_Comm_size(comm, &size);
    PMPI_Type_size(type, &bytes);
    sent.sends++;
    sent.bytes += (long long)count * bytes;
    if (size > sent.largest) sent.largest = size;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    note(comm, to, count, type);
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irsend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    note(comm, to, count, type);
    sent.ready++;
    return PMPI_Irsend(data, count, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
    note(comm, to, out_count, out_type);
    return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm) {
    sent.barriers++;
    return PMPI_Barrier(comm);
}

/* ---- Arrays: every element is its number in the array. */

static dpc_index number_of(const dpc_mapping *m, const dpc_index *at, const dpc_index *local) {
    dpc_index number = 0;
    for (int k = 0; k < m->rank; k++)
        number = number * m->extent[k] + (local[k] / m->block[k] * m->procs[k] + at[k]) * m->block[k] +
                 local[k] % m->block[k];
    return number;
}

static int place_of(const dpc_mapping *m) {
    int places = 1;
    for (int k = 0; k < m->rank; k++) places *= m->procs[k];
    for (int place = 0; place < places; place++)
        if ((m->process == NULL ? place : m->process[place]) == me) return place;
    return -1;
}

/* What this process has by the definition; returns its elements. */
static dpc_index list_local(const dpc_mapping *m, dpc_index *out) {
    dpc_index at[DPC_MAX_RANK], extent[DPC_MAX_RANK], local[DPC_MAX_RANK] = {0}, total = 1;
    int place = place_of(m);
    if (place < 0) return 0;
    for (int k = m->rank - 1; k >= 0; k--) {
        at[k] = place % m->procs[k];
        place /= m->procs[k];
        extent[k] = 0;
        for (dpc_index x = 0; x < m->extent[k]; x++) extent[k] += x / m->block[k] % m->procs[k] == at[k];
        total *= extent[k];
    }
    for (dpc_index n = 0; n < total; n++) {
        out[n] = number_of(m, at, local);
        for (int k = m->rank - 1; k >= 0 && ++local[k] == extent[k]; k--) local[k] = 0;
    }
    return total;
}

static void expect(bool right, const char *what, const char *method, const dpc_mapping *from, const dpc_mapping *to) {
    if (right) {
        passed++;
    } else if (failed++ < 3) {
        printf("process %d of %d: %s, %s:", me, processes, method, what);
        for (int k = 0; k < from->rank; k++)
            printf(" %lld elements, cyclic(%lld)/%d to cyclic(%lld)/%d;", (long long)from->extent[k],
                   (long long)from->block[k], from->procs[k], (long long)to->block[k], to->procs[k]);
        puts("");
    }
}

enum { MOST = 4096 };

/* Leaves in `sent` what the second execution sends. */
static dpc_plan_facts try(const dpc_mapping *from, const dpc_mapping *to, const char *method) {
    static dpc_index a[MOST], b[MOST], right[MOST];
    const dpc_redistribution_options options = {.method = method};
    const dpc_index elements = list_local(to, right);
    list_local(from, a);
    dpc_redistribution *plan =
        dpc_plan_redistribution(MPI_COMM_WORLD, from, to, (dpc_index)sizeof(dpc_index), &options);
    for (int turn = 0; turn < 2; turn++) {
        memset(b, 0xff, sizeof b);
        memset(&sent, 0, sizeof sent);
        dpc_execute(plan, a, b);
        expect(memcmp(b, right, (size_t)elements * sizeof *b) == 0 && (elements == MOST || b[elements] == -1),
               "elements", method, from, to);
    }
    const dpc_plan_facts facts = dpc_plan_describe(plan);
    dpc_free_redistribution(plan);
    expect(facts.seconds >= 0, "time that is predicted", method, from, to);
    return facts;
}

static const char *const methods[] = {"hsu",
                                      "thakur",
                                      "thakur-async",
                                      "met-ky-to-y",
                                      "met-x-to-kx",
                                      "met-ky-to-y-async",
                                      "met-x-to-kx-async",
                                      "walker-otto-ready",
                                      "walker-otto-general"};

enum { METHODS = sizeof methods / sizeof *methods };

static void try_all(const dpc_mapping *from, const dpc_mapping *to) {
    for (int m = 0; m < METHODS; m++)
        if (dpc_method_refuses(methods[m], from, to) == NULL) try(from, to, methods[m]);
}

/* ---- Small cases: blocks with and without common divisors, ragged ends, processes without elements */

static void try_lines(void) {
    const dpc_index extents[] = {0, 1, processes - 1, 13, 37, 12 * processes};
    for (size_t n = 0; n < sizeof extents / sizeof *extents; n++)
        for (dpc_index s = 1; s <= 6; s++)
            for (dpc_index t = 1; t <= 6; t++) {
                dpc_mapping from = {.rank = 1, .extent = {extents[n]}, .block = {s}, .procs = {processes}}, to = from;
                to.block[0] = t;
                try_all(&from, &to);
            }
}

/* The most even grid of two dimensions. */
static void set_grid(dpc_mapping *m, int rows) {
    m->rank = 2;
    m->procs[0] = rows;
    m->procs[1] = processes / rows;
}

static int even_rows(void) {
    int rows = 1;
    for (int k = 2; k * k <= processes; k++)
        if (processes % k == 0) rows = k;
    return rows;
}

static void try_grids(void) {
    static const dpc_index blocks[][2] = {{1, 1}, {2, 3}, {3, 2}, {6, 4}, {5, 1}, {20, 7}};
    enum { BLOCKS = sizeof blocks / sizeof *blocks };
    int turned[64];
    for (int k = 0; k < processes; k++) turned[k] = processes - 1 - k;
    for (int a = 0; a < BLOCKS; a++)
        for (int b = 0; b < BLOCKS; b++)
            for (int other = 0; other < 2; other++) {
                dpc_mapping from = {.extent = {13, 17}}, to = from;
                set_grid(&from, processes > 2 ? 2 : 1);
                set_grid(&to, from.procs[0]);
                memcpy(from.block, blocks[a], sizeof blocks[a]);
                memcpy(to.block, blocks[b], sizeof blocks[b]);
                if (other == 1) to.process = turned; /* the same places, other processes */
                try_all(&from, &to);
            }
}

/* ---- Messages */

/* Two dimensions, whole superblocks: blocks r x c to K1*r x K2*c. */
static void try_counts(dpc_index K1, dpc_index K2) {
    const int rows = even_rows(), columns = processes / rows;
    dpc_mapping from = {.extent = {K1 * 2 * rows, K2 * columns}, .block = {2, 1}}, to = from;
    if (rows < 2) return;
    set_grid(&from, rows);
    set_grid(&to, rows);
    to.block[0] = 2 * K1;
    to.block[1] = K2;
    const dpc_plan_facts facts = try(&from, &to, "walker-otto-general");
    expect(sent.sends == K1 + K2, "K1 + K2 messages", "walker-otto-general", &from, &to);
    expect(facts.steps == K1 + K2, "K1 + K2 steps", "walker-otto-general", &from, &to);
    expect(sent.largest == (rows > columns ? rows : columns), "rows and columns only", "walker-otto-general", &from,
           &to);
    try(&from, &to, "walker-otto-sendrecv");
    expect(sent.sends == K1 * K2, "K1 * K2 messages", "walker-otto-sendrecv", &from, &to);
    try(&from, &to, "walker-otto-ready");
    expect(sent.ready == K1 * K2 && sent.sends == sent.ready, "ready sends", "walker-otto-ready", &from, &to);
    expect(sent.barriers == 1, "one barrier", "walker-otto-ready", &from, &to);
    try(&from, &to, "walker-otto-async");
    expect(sent.ready == 0 && sent.barriers == 0, "neither ready sends nor a barrier", "walker-otto-async", &from, &to);
}

/* Blocks s and t without a common divisor: s + t messages for each dimension that is divided. */
static void try_two_phases(void) {
    dpc_mapping from = {.rank = 1, .extent = {2 * 15 * processes}, .block = {3}, .procs = {processes}}, to = from;
    to.block[0] = 5;
    if (processes == 1) return;
    try(&from, &to, "walker-otto-general");
    expect(sent.sends == 5 + 3, "K1 + K2 messages of two phases", "walker-otto-general", &from, &to);
    /* A plan of two phases is both plans, and both problems. */
    dpc_mapping between = from;
    between.block[0] = 1;
    const dpc_plan_facts first = try(&from, &between, "ky-to-y"), second = try(&between, &to, "x-to-kx");
    const dpc_plan_facts both = try(&from, &to, "gcd");
    expect(both.plan_bytes > first.plan_bytes + second.plan_bytes, "memory of two phases", "gcd", &from, &to);
}

/* Two numbers before the elements of a message, for each dimension. */
static void try_headers(void) {
    dpc_mapping from = {.rank = 1, .extent = {12 * processes}, .block = {4}, .procs = {processes}}, to = from;
    to.block[0] = 2;
    const dpc_plan_facts plain = try(&from, &to, "ky-to-y"), coded = try(&from, &to, "met-ky-to-y");
    expect(coded.sends == plain.sends, "as many messages", "met-ky-to-y", &from, &to);
    expect(coded.bytes_sent == plain.bytes_sent + 16 * plain.sends, "headers of 16 bytes", "met-ky-to-y", &from, &to);
    expect(sent.bytes == coded.bytes_sent, "bytes that are sent", "met-ky-to-y", &from, &to);
}

static void try_choice(const char *method, dpc_index n, dpc_index s, dpc_index t, const char *chosen) {
    dpc_mapping from = {.rank = 1, .extent = {n}, .block = {s}, .procs = {processes}}, to = from;
    to.block[0] = t;
    expect(strcmp(try(&from, &to, method).method, chosen) == 0, chosen, method, &from, &to);
}

static void try_choices(void) {
    const dpc_index n = 60 * processes;
    if (processes == 1) return;
    try_choice("thakur", n, 6, 3, "ky-to-y");
    try_choice("thakur", n, 3, 6, "x-to-kx");
    try_choice("thakur", n, 3, 5, "lcm");
    try_choice("thakur", 15, 3, 5, "gcd"); /* one block of lcm(3, 5): all would pass one process */
    try_choice("thakur-async", n, 6, 3, "ky-to-y-async");
    try_choice("thakur-async", n, 3, 5, "lcm-async");
    try_choice("hsu", n, 3, 5, "bbc");
    if (processes != 16) return;
    /* Nine messages and four, instead of sixteen. */
    dpc_mapping from = {.extent = {24, 24}, .block = {3, 3}}, to = from;
    set_grid(&from, 4);
    set_grid(&to, 4);
    to.block[0] = to.block[1] = 2;
    expect(strcmp(try(&from, &to, "auto").method, "gcd-async") == 0, "gcd-async", "auto", &from, &to);
}

int main(int count, char **words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    try_lines();
    try_grids();
    for (dpc_index K = 2; K <= 5; K++) try_counts(K, 7 - K);
    try_two_phases();
    try_headers();
    try_choices();
    long sums[2] = {passed, failed}, all[2];
    MPI_Allreduce(sums, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("test_methods: %ld passed, %ld failed\n", all[0], all[1]);
    MPI_Finalize();
    return all[1] > 0;
}

/* The program behind `dpcc --calibrate`: measures on two processes what things cost, and prints a line `name seconds`
 * for each field of dpc_cost (cost.h).  Every number is a median, of trips of messages, which other programs hold up
 * more, the tenth part's end: noise moves it little. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"

enum { SAMPLES = 101, MOST_TRIPS = 2000, ELEMENTS = 16384, STRIDE = 4, LARGEST = 2 << 20 };

/* The C compiler must not know what is in memory. */
#define FORGET() __asm__ volatile("" ::: "memory")

static int process;
static double source[ELEMENTS * STRIDE], target[ELEMENTS * STRIDE];
static dpc_index first[ELEMENTS], length[ELEMENTS];

static int compare(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Sorts the values. */
static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

/* A difference of times: noise must not make it vanish. */
static double positive(double seconds) {
    return seconds > 1e-12 ? seconds : 1e-12;
}

/* What a tenth of the values are below.  Sorts them. */
static double tenth(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 10];
}

static double median_of(double (*measure)(void)) {
    double samples[SAMPLES];
    measure();
    for (int k = 0; k < SAMPLES; k++) samples[k] = measure();
    return median(samples, SAMPLES);
}

/* ---- Messages */

static char sent[LARGEST], received[LARGEST], unpacked[LARGEST];

/* What a message holds: that many bytes, unpacked where it comes; or one element of a derived datatype. */
typedef struct {
    int count;
    MPI_Datatype type;
} contents;

static void receive(const contents *c, int from) {
    MPI_Recv(received, c->count, c->type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (c->type == MPI_BYTE) memcpy(unpacked, received, (size_t)c->count);
    FORGET();
}

/* Sends a message to the other process, which unpacks it and sends it back.  Its first byte says whether there is
 * another trip after this one.  Returns the time of one way. */
static double trip(const contents *c, bool again) {
    const double start = MPI_Wtime();
    sent[0] = again;
    MPI_Send(sent, c->count, c->type, 1, 0, MPI_COMM_WORLD);
    receive(c, 1);
    return (MPI_Wtime() - start) / 2;
}

static void answer_trips(const contents *c) {
    do {
        receive(c, 0);
        MPI_Send(received, c->count, c->type, 0, 0, MPI_COMM_WORLD);
    } while (received[0]);
}

/* Time of one way, of as many trips as fit into `seconds`; 0 on process 1. */
static double trip_time(const contents *c, double seconds) {
    static double times[MOST_TRIPS];
    int trips = 0;
    if (process == 1) return answer_trips(c), 0;
    const double end = MPI_Wtime() + seconds;
    for (bool again = true; again; trips++) {
        again = trips + 1 < MOST_TRIPS && MPI_Wtime() < end;
        times[trips] = trip(c, again);
    }
    return tenth(times, trips);
}

static double message_time(int bytes, double seconds) {
    return trip_time(&(contents){bytes, MPI_BYTE}, seconds);
}

static double message(void) {
    return message_time(8, 0.5);
}

static double byte(void) {
    const int small = 64 << 10, large = LARGEST / 2;
    message_time(large, 0.05);
    const double less = message_time(small, 0.5), more = message_time(large, 1);
    return positive((more - less) / (large - small));
}

/* A message of `bytes` bytes in runs of so many doubles, about as far apart as they are long: irregular, as
 * communication sets are. */
static double typed_time(int bytes, int run, double seconds) {
    static int places[LARGEST / 4 / sizeof(double)];
    contents c = {1, MPI_BYTE};
    const int runs = bytes / run / (int)sizeof(double);
    for (int k = 0; k < runs; k++) places[k] = 2 * run * k + k % 3 * run / 4;
    MPI_Type_create_indexed_block(runs, run, places, MPI_DOUBLE, &c.type);
    MPI_Type_commit(&c.type);
    const double time = trip_time(&c, seconds);
    MPI_Type_free(&c.type);
    return time;
}

static double typed_byte(void) {
    const int small = 64 << 10, large = LARGEST / 2;
    typed_time(large, 1024, 0.05);
    const double less = typed_time(small, 1024, 0.2), more = typed_time(large, 1024, 0.4);
    return positive((more - less) / (large - small));
}

/* What short runs take more than long ones, per run and end. */
static double typed_run(void) {
    const int bytes = 1 << 20, many = bytes / (int)(4 * sizeof(double)), few = bytes / (int)(1024 * sizeof(double));
    typed_time(bytes, 4, 0.05);
    return positive((typed_time(bytes, 4, 0.3) - typed_time(bytes, 1024, 0.3)) / (2 * (many - few)));
}

/* ---- Packing */

static double pack_strided(void) {
    static volatile dpc_index stride = STRIDE;
    const dpc_index step = stride;
    const double start = MPI_Wtime();
    for (dpc_index k = 0; k < ELEMENTS; k++) target[k] = source[k * step];
    FORGET();
    return (MPI_Wtime() - start) / ELEMENTS;
}

static double element(void) {
    return median_of(pack_strided);
}

/* Runs of `size` elements, as far apart as they are long, pack ELEMENTS elements. */
static dpc_index make_runs(dpc_index size) {
    const dpc_index runs = ELEMENTS / size;
    for (dpc_index r = 0; r < runs; r++) {
        first[r] = 2 * r * size;
        length[r] = size;
    }
    FORGET();
    return runs;
}

static dpc_index runs;

static double pack_runs(void) {
    double *to = target;
    const double start = MPI_Wtime();
    for (dpc_index r = 0; r < runs; r++) {
        const double *from = source + first[r];
        for (dpc_index k = 0; k < length[r]; k++) *to++ = from[k];
    }
    FORGET();
    return MPI_Wtime() - start;
}

/* What short runs take more than long ones, per run. */
static double run(void) {
    const dpc_index many = runs = make_runs(4);
    const double short_runs = median_of(pack_runs);
    const dpc_index few = runs = make_runs(64);
    return positive((short_runs - median_of(pack_runs)) / (double)(many - few));
}

/* ---- Sets */

/* Merges the runs of two accesses, of which one needs divisions: the sections are where both own an iteration. */
static double merge_runs(void) {
    const dpc_dim mine = dpc_dealt_dim(0, 60000, 9, 2, 0, 0), theirs = dpc_dealt_dim(0, 60000, 7, 2, 0, 0);
    const dpc_access my_access = {0, 3, 15000}, their_access = {1, 2, 15000};
    dpc_index sections = 0;
    const double start = MPI_Wtime();
    dpc_block_run x = dpc_first_block(&mine, &my_access, 0), y = dpc_first_block(&theirs, &their_access, 1);
    while (x.count > 0 && y.count > 0) {
        const dpc_index x_end = x.first + x.count, y_end = y.first + y.count;
        sections += x.first < y_end && y.first < x_end;
        if (x_end <= y_end)
            dpc_next_block(&x);
        else
            dpc_next_block(&y);
    }
    return (MPI_Wtime() - start) / (double)(sections > 0 ? sections : 1);
}

static double section(void) {
    return median_of(merge_runs);
}

static double find_owners(void) {
    static volatile dpc_index kept;
    const dpc_dim dim = dpc_dealt_dim(0, 60000, 63, 4, 0, 0);
    dpc_index sum = 0, x = 0;
    const double start = MPI_Wtime();
    for (int k = 0; k < ELEMENTS; k++) {
        sum += dpc_owner(&dim, x) + dpc_local(&dim, x);
        x = x < 30000 ? x + 29989 : x - 29981;
    }
    kept = sum;
    (void)kept;
    return (MPI_Wtime() - start) / ELEMENTS;
}

static double owner(void) {
    return median_of(find_owners);
}

/* ---- Computing */

static double daxpy(void) {
    static volatile double factor = 0.5;
    const double a = factor, *restrict x = source;
    double *restrict y = target;
    const double start = MPI_Wtime();
    for (int k = 0; k < ELEMENTS; k++) y[k] += a * x[k];
    FORGET();
    return (MPI_Wtime() - start) / ELEMENTS;
}

static double operation(void) {
    return median_of(daxpy);
}

/* ---- All */

static const struct {
    const char *name;
    double (*measure)(void);
} fields[] = {{"message", message},     {"byte", byte},       {"typed-byte", typed_byte},
              {"typed-run", typed_run}, {"element", element}, {"run", run},
              {"section", section},     {"owner", owner},     {"operation", operation}};

int main(int argc, char **argv) {
    int processes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (processes != 2) {
        fprintf(stderr, "calibrate: this runs on 2 processes, not %d\n", processes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double seconds = fields[k].measure();
        if (process == 0) printf("%s %.6g\n", fields[k].name, seconds);
    }
    MPI_Finalize();
    return 0;
}

/* Start and end of a program, and what must be the same on every process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>

#include "settings.h"
#include "shared.h"

#if DPC_USES(dpc_at_start)
/* Functions that create file-scope arrays, in the order of their registration. */
typedef struct starter {
    void (*create)(void);
    struct starter *next;
} starter;

static starter *starters;

/* A library that is loaded when the program runs begins at once. */
void dpc_at_start(void (*create)(void)) {
    if (dpc_running()) {
        create();
        return;
    }
    starter **last = &starters;
    while (*last != NULL) last = &(*last)->next;
    *last = calloc(1, sizeof **last);
    if (*last == NULL) dpc_fail(NULL, "out of memory");
    (*last)->create = create;
}

static void run_starters(void) {
    while (starters != NULL) {
        starter *next = starters->next;
        starters->create();
        free(starters);
        starters = next;
    }
}
#else
#define run_starters() DPC_LEFT_OUT
#endif

#if DPC_USES(dpc_atexit)
/* What the program gave to atexit, the last first. */
typedef struct exit_function {
    void (*function)(void);
    struct exit_function *next;
} exit_function;

static exit_function *exit_functions;

int dpc_atexit(void (*function)(void)) {
    if (!dpc_running() || !dpc_acts_together()) return atexit(function);
    exit_function *last = malloc(sizeof *last);
    if (last == NULL) return -1;
    *last = (exit_function){function, exit_functions};
    exit_functions = last;
    return 0;
}

/* They may give it others. */
static void run_exit_functions(void) {
    while (exit_functions != NULL) {
        exit_function *last = exit_functions;
        void (*const function)(void) = last->function;
        exit_functions = last->next;
        free(last);
        function();
    }
}
#else
#define run_exit_functions() DPC_LEFT_OUT
#endif

/* ---- Start and end */

/* What each object file of functions has that was translated with --serial: its arrays are not divided. */
extern int dpc_serial_object __attribute__((weak));

static void check_objects(void) {
    if (&dpc_serial_object != NULL)
        dpc_fail(NULL, "an object file of the program was translated with --serial; either all are, or none");
}

void dpc_init(int expected) {
    int started, level; /* threads call nothing of this library, nor MPI */
#if DPC_HAS_THREADS
    dpc_main_thread = dpc_main_begun = true;
#endif
    dpc_keep_reserve();
    MPI_Initialized(&started);
    if (!started) MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    dpc_open_process();
    dpc_open_streams();
    dpc_check_launcher();
    check_objects();
    dpc_check_agreement();
    dpc_check_settings();
    dpc_set_chunk();
    dpc_open_statistics();
    if (expected > 0 && expected != dpc_nprocs())
        dpc_fail(NULL, "the program was translated for %d processes (--np=%d) and was started with %d", expected,
                 expected, dpc_nprocs());
    run_starters();
    errno = 0; /* as at the start of any program (C11 7.5) */
}

/* A process may still end the program with an error: the launcher of Open MPI 3 hangs where another one is in
 * MPI_Finalize meanwhile. */
static void wait_for_all(void) {
    if (dpc_nprocs() > 1) MPI_Barrier(dpc_communicator);
}

int dpc_finish(int status) {
    if (!dpc_running()) return status;
    run_exit_functions();
    dpc_meet_at(dpc_program_end);
    dpc_flush_streams();
    dpc_close_statistics();
    dpc_run_enders();
    dpc_free_shared(dpc_communicator);
    dpc_free_staging();
    dpc_check_buffers();
    wait_for_all();
    dpc_close_process();
    MPI_Finalize();
    return status;
}

void dpc_exit(int status) {
    exit(dpc_finish(status));
}

/* The value that process 0 has. */
static void share(void *value, int bytes) {
    if (dpc_acts_together()) MPI_Bcast(value, bytes, MPI_BYTE, 0, dpc_communicator);
}

/* A process may be behind: what stands before in the program has been done when all have come here. */
double dpc_wtime(void) {
    dpc_check_caller("dpc_wtime");
    if (dpc_acts_together()) MPI_Barrier(dpc_communicator);
    double now = MPI_Wtime();
    share(&now, sizeof now);
    return now;
}

time_t dpc_time(time_t *result) {
    dpc_check_caller("time");
    time_t now = time(NULL);
    share(&now, sizeof now);
    if (result != NULL) *result = now;
    return now;
}

clock_t dpc_clock(void) {
    dpc_check_caller("clock");
    clock_t now = clock();
    share(&now, sizeof now);
    return now;
}

int dpc_timespec_get(struct timespec *result, int base) {
    dpc_check_caller("timespec_get");
    int known = timespec_get(result, base);
    share(&known, sizeof known);
    share(result, sizeof *result);
    return known;
}

long dpc_same(const char *name, long value) {
    dpc_check_caller(name);
    share(&value, sizeof value);
    return value;
}

int dpc_clock_gettime(int (*function)(int clock, struct timespec *), int clock, struct timespec *result) {
    dpc_check_caller("clock_gettime");
    int status = function(clock, result);
    share(&status, sizeof status);
    if (status == 0) share(result, sizeof *result);
    return status;
}

int dpc_gettimeofday(int (*function)(struct timeval *, void *), struct timeval *result, void *zone) {
    dpc_check_caller("gettimeofday");
    int status = function(result, zone);
    share(result, sizeof *result);
    return status;
}

int dpc_gethostname(int (*function)(char *, size_t), char *name, size_t bytes) {
    dpc_check_caller("gethostname");
    int status = function(name, bytes);
    share(&status, sizeof status);
    if (status == 0) share(name, (int)dpc_minimum((dpc_index)bytes, INT32_MAX));
    return status;
}

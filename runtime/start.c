/* Start and end of a program, errors, and what must be the same on every process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "settings.h"
#include "shared.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

const char DPC_INTERFACE[] = "libdpc";

MPI_Comm dpc_communicator;

static int process, processes = 1;
static bool running;

/* Functions that create file-scope arrays, in the order of their registration. */
typedef struct starter {
    void (*create)(void);
    struct starter *next;
} starter;

static starter *starters;

/* A library that is loaded when the program runs begins at once. */
void dpc_at_start(void (*create)(void)) {
    if (running) {
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

bool dpc_running(void) {
    return running;
}
DPC_STEADY int dpc_nprocs(void) {
    return processes;
}
DPC_STEADY int dpc_rank(void) {
    return process;
}

/* ---- The program's main thread */

__thread bool dpc_main_thread;
const char *dpc_statement, *dpc_subject;

void dpc_fail_thread(const char *where) {
    dpc_fail(where,
             "distributed arrays are used by a thread that is not the program's main thread, which alone takes part "
             "in the exchange between processes; a forall's iterations are shared out among threads with --openmp");
}

void dpc_fail_region(const char *where) {
    dpc_fail(where,
             "distributed arrays are used inside an OpenMP parallel region, which every thread executes; a forall's "
             "iterations are shared out among threads with --openmp");
}

void dpc_check_caller(const char *function) {
    if (running && !dpc_main_thread)
        dpc_fail(
            NULL,
            "'%s' is called by a thread that is not the program's main thread; all processes must call it together",
            function);
}

/* ---- Start and end */

/* Addresses that are kept for the end of a program that has run out of them: for its stack, and for MPI_Abort. */
enum { RESERVE = 8 << 20 };
static void *reserve = MAP_FAILED;

static void keep_reserve(void) {
    reserve = mmap(NULL, RESERVE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void give_reserve(void) {
    if (reserve != MAP_FAILED) munmap(reserve, RESERVE);
}

void dpc_init(int expected) {
    int started, level; /* threads call nothing of this library, nor MPI */
    dpc_main_thread = true;
    keep_reserve();
    MPI_Initialized(&started);
    if (!started) MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &dpc_communicator);
    MPI_Comm_rank(dpc_communicator, &process);
    MPI_Comm_size(dpc_communicator, &processes);
    running = true;
    dpc_open_streams();
    dpc_check_launcher();
    dpc_check_agreement();
    dpc_check_settings();
    dpc_set_chunk();
    dpc_set_plans();
    dpc_set_keeping();
    dpc_open_statistics();
    if (expected > 0 && expected != processes)
        dpc_fail(NULL, "the program was translated for %d processes (--np=%d) and was started with %d", expected,
                 expected, processes);
    run_starters();
}

int dpc_finish(int status) {
    if (!running) return status;
    dpc_flush_streams();
    dpc_close_statistics();
    dpc_free_grids();
    dpc_free_routes();
    dpc_free_plans();
    dpc_free_refreshes();
    dpc_free_kept();
    dpc_free_redistribution_plans();
    dpc_free_shared(dpc_communicator);
    dpc_free_staging();
    dpc_check_buffers();
    running = false;
    MPI_Comm_free(&dpc_communicator);
    MPI_Finalize();
    return status;
}

void dpc_exit(int status) {
    exit(dpc_finish(status));
}

/* MPI is running, whoever started it: the engine of redistribution serves programs that don't call dpc_init. */
static bool mpi_running(void) {
    int started, ended = 1;
    MPI_Initialized(&started);
    if (started) MPI_Finalized(&ended);
    return !ended;
}

/* Process 0 ends the program at once; the others give it time to do so, and one another, because an error that all find
 * is to be printed once. */
static void wait_for_others(void) {
    if (!running) MPI_Comm_rank(MPI_COMM_WORLD, &process);
    if (process > 0) usleep(200000 + 5000 * (useconds_t)(process < 100 ? process : 100));
}

#ifndef DPC_SMPI

enum { ABORT_SECONDS = 10 };

static void end_process(int signal) {
    (void)signal;
    _exit(1);
}

/* MPI_Abort may wait for ever, for memory or for another thread: then this process ends, and the launcher ends the others. */
static void limit_abort(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    signal(SIGALRM, end_process);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    alarm(ABORT_SECONDS);
}

#endif

/* Simulated processes are one process of the system, whose MPI_Abort ends the calling one only. */
static _Noreturn void end_all(void) {
#ifndef DPC_SMPI
    limit_abort();
    if (mpi_running()) {
        usleep(50000); /* the launcher drops what it has not read when the program is aborted */
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
#endif
    _Exit(1);
}

/* One thread reports; the others wait for the end. */
static void wait_if_failing(void) {
    static atomic_flag failing = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&failing)) pause();
}

void dpc_fail(const char *where, const char *format, ...) {
    char text[1000];
    va_list arguments;
    const char *place = where == NULL ? "dpc" : where;
    size_t length = (size_t)snprintf(text, sizeof text / 2, "%s: error: ", place);
    if (length >= sizeof text / 2) length = sizeof text / 2 - 1;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - length - 1, format, arguments);
    va_end(arguments);
    length = strlen(text);
    text[length++] = '\n';
    wait_if_failing();
    give_reserve();
    if (mpi_running()) wait_for_others();
    dpc_print_error(text, length);
    end_all();
}

/* The value that process 0 has. */
static void share(void *value, int bytes) {
    if (processes > 1 && running) MPI_Bcast(value, bytes, MPI_BYTE, 0, dpc_communicator);
}

/* A process may be behind: what stands before in the program has been done when all have come here. */
double dpc_wtime(void) {
    dpc_check_caller("dpc_wtime");
    if (processes > 1 && running) MPI_Barrier(dpc_communicator);
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

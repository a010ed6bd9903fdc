/* This process: its number, whether the program runs, what is to be done at its end, and how it fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef DPC_STANDALONE
const char DPC_INTERFACE[] = "libdpc";

#endif
MPI_Comm dpc_communicator;

static int process, processes = 1;
static bool running;

bool dpc_running(void) {
    return running;
}

static int apart; /* extrinsic functions that are under way */

int dpc_begin_extrinsic(void) {
    return apart++;
}
void dpc_end_extrinsic(const int *before) {
    apart = *before;
}
bool dpc_acts_together(void) {
    return running && processes > 1 && apart == 0;
}

DPC_STEADY int dpc_nprocs(void) {
    return processes;
}
DPC_STEADY int dpc_rank(void) {
    return process;
}

#ifdef DPC_SMPI

/* A simulation ends with 0 when its processes wait for one another for ever. Other statuses say enough. */
static void report_unfinished(int status, void *unused) {
    (void)unused;
    if (!running || status != 0) return;
    char text[500];
    const int length = snprintf(text, sizeof text,
                                "%.300s: error: the simulation ended before process %d came to the end of the program; "
                                "processes wait for others that execute other statements\n",
                                dpc_statement == NULL ? "dpc" : dpc_statement, process);
    dpc_print_error(text, (size_t)length);
    fflush(NULL);
    _Exit(1);
}

static void watch_end(void) {
    on_exit(report_unfinished, NULL);
}

#else
#ifdef DPC_STANDALONE
#define watch_end() DPC_LEFT_OUT
#else
static void watch_end(void) {}
#endif
#endif

void dpc_open_process(void) {
    MPI_Comm_dup(MPI_COMM_WORLD, &dpc_communicator);
    MPI_Comm_rank(dpc_communicator, &process);
    MPI_Comm_size(dpc_communicator, &processes);
    running = true;
    watch_end();
}

void dpc_close_process(void) {
    running = false;
    MPI_Comm_free(&dpc_communicator);
}

#ifndef DPC_STANDALONE
/* ---- The end */

typedef struct ender {
    void (*end)(void);
    struct ender *next;
} ender;

static ender *enders; /* the last first */

void dpc_at_finish(void (*end)(void)) {
    for (const ender *e = enders; e != NULL; e = e->next)
        if (e->end == end) return;
    ender *e = malloc(sizeof *e);
    if (e == NULL) dpc_fail(NULL, "out of memory");
    *e = (ender){end, enders};
    enders = e;
}

void dpc_run_enders(void) {
    while (enders != NULL) {
        ender *e = enders;
        enders = e->next;
        e->end();
        free(e);
    }
}
#endif

const char *dpc_statement, *dpc_subject;
bool dpc_watched;

#if DPC_HAS_THREADS
/* ---- The program's main thread */

__thread bool dpc_main_thread;
bool dpc_main_begun;

void dpc_fail_thread(const char *where) {
    if (!dpc_main_begun)
        dpc_fail(where, "distributed arrays are used, and main began without them: its file was translated with "
                        "--serial, or not by dpcc");
    dpc_fail(where,
             "distributed arrays are used by a thread that is not the program's main thread, which alone takes part "
             "in the exchange between processes; a forall's iterations are shared out among threads with --openmp");
}

void dpc_fail_region(const char *where) {
    dpc_fail(where,
             "distributed arrays are used inside an OpenMP parallel region, which every thread executes; a forall's "
             "iterations are shared out among threads with --openmp");
}

void dpc_check_main_thread(const char *function) {
    if (running && !dpc_main_thread)
        dpc_fail(
            NULL,
            "'%s' is called by a thread that is not the program's main thread; all processes must call it together",
            function);
}
#endif

void (*dpc_meet)(const char *place);
void (*dpc_compare_file)(const char *path, FILE *file);
const char dpc_program_end[] = "the end of the program";

void dpc_check_caller(const char *function) {
    (void)function; /* a program in one file may need no check */
    dpc_check_main_thread(function);
    dpc_meet_at(function);
}

/* ---- Errors */

#ifndef DPC_STANDALONE
/* Addresses that are kept for the end of a program that has run out of them: for its stack, and for MPI_Abort. */
enum { RESERVE = 8 << 20 };
static void *reserve = MAP_FAILED;

void dpc_keep_reserve(void) {
    reserve = mmap(NULL, RESERVE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void give_reserve(void) {
    if (reserve != MAP_FAILED) munmap(reserve, RESERVE);
}
#else
#define give_reserve() DPC_LEFT_OUT
#endif

enum { ABORT_SECONDS = 10 };

#ifdef DPC_STANDALONE
/* Process 0 ends the program at once; the others give it time to do so: an error that all find is to be printed once.
 */
static void wait_for_others(void) {
    if (process > 0) usleep(600000);
}

static _Noreturn void end_all(void) {
    usleep(50000); /* the launcher drops what it has not read when the program is aborted */
    MPI_Abort(MPI_COMM_WORLD, 1);
    _Exit(1);
}
#define wait_if_failing() DPC_LEFT_OUT
#else

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
    if (!mpi_running()) return;
    if (!running) MPI_Comm_rank(MPI_COMM_WORLD, &process);
    if (process > 0) usleep(600000 + 5000 * (useconds_t)(process < 100 ? process : 100));
}

#ifndef DPC_SMPI

static void end_process(int signal) {
    (void)signal;
    _exit(1);
}

/* MPI_Abort may wait for ever, for memory or for another thread: then this process ends, and the launcher ends the
 * others. */
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
#endif

/* place: error: text, with its line's end. */
static void print_failure(const char *where, const char *format, va_list arguments) {
    char text[1000];
    size_t length = (size_t)snprintf(text, sizeof text / 2, "%s: error: ", where == NULL ? "dpc" : where);
    if (length >= sizeof text / 2) length = sizeof text / 2 - 1;
    vsnprintf(text + length, sizeof text - length - 1, format, arguments);
    length = strlen(text);
    text[length++] = '\n';
    dpc_print_error(text, length);
}

void dpc_fail(const char *where, const char *format, ...) {
    wait_if_failing();
    give_reserve();
    wait_for_others();
    va_list arguments;
    va_start(arguments, format);
    print_failure(where, format, arguments);
    va_end(arguments);
    end_all();
}

/* However long the launcher takes to end this process. */
static _Noreturn void end_silently(void) {
#if !defined(DPC_SMPI) && !defined(DPC_STANDALONE)
    limit_abort();
#endif
    usleep((ABORT_SECONDS - 1) * 1000000);
    _Exit(1);
}

void dpc_fail_together(const char *where, const dpc_message_text *why) {
    if (process > 0) end_silently();
    dpc_fail(where, "%s", why->text);
}

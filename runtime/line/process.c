/* This process: start and end, standard streams, errors, memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "line.h"

#include <stdarg.h>
#include <unistd.h>

MPI_Comm dpc_communicator;

static int process, processes = 1;
static FILE *errors; /* standard error as the program was started */

int dpc_nprocs(void) {
    return processes;
}

int dpc_rank(void) {
    return process;
}

/* What process 0 says is said once. */
static void open_streams(void) {
    errors = process == 0 ? stderr : fdopen(dup(STDERR_FILENO), "w");
    if (process > 0 && (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL))
        dpc_fail(NULL, "process %d cannot open /dev/null", process);
}

/* Of the variables that programs with libdpc read; one is for redistributions, which are not here. */
static void warn_ignored(void) {
    for (char **variable = environ; process == 0 && *variable != NULL; variable++)
        if (strncmp(*variable, "DPC_", 4) == 0 && strncmp(*variable, "DPC_PROFILE=", 12) != 0)
            fprintf(stderr, "dpc: warning: environment variable %.*s is ignored by a program of dpcc --standalone\n",
                    (int)strcspn(*variable, "="), *variable);
}

void dpc_init(int expected) {
    int started, level;
    MPI_Initialized(&started);
    if (!started) MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &dpc_communicator);
    MPI_Comm_rank(dpc_communicator, &process);
    MPI_Comm_size(dpc_communicator, &processes);
    open_streams();
    warn_ignored();
    if (expected > 0 && expected != processes)
        dpc_fail(NULL, "the program was translated for %d processes (--np=%d) and was started with %d", expected,
                 expected, processes);
}

int dpc_finish(int status) {
    fflush(stdout);
    MPI_Barrier(dpc_communicator); /* a process may still end the program with an error */
    MPI_Comm_free(&dpc_communicator);
    MPI_Finalize();
    return status;
}

void dpc_exit(int status) {
    exit(dpc_finish(status));
}

/* Process 0 ends the program at once; the others give it time to: an error that all find is to be printed once. */
void dpc_fail(const char *where, const char *format, ...) {
    va_list arguments;
    if (process > 0) usleep(600000);
    fflush(stdout);
    fprintf(errors, "%s: error: ", where == NULL ? "dpc" : where);
    va_start(arguments, format);
    vfprintf(errors, format, arguments);
    va_end(arguments);
    fputc('\n', errors);
    fflush(errors);
    usleep(50000); /* the launcher drops what it has not read when the program is aborted */
    MPI_Abort(MPI_COMM_WORLD, 1);
    _Exit(1);
}

void *dpc_buffer(dpc_index count, dpc_index size) {
    void *buffer = calloc((size_t)dpc_maximum(count, 1), (size_t)size);
    if (buffer == NULL)
        dpc_fail(NULL, "out of memory: %lld elements of %lld bytes are needed on process %d", (long long)count,
                 (long long)size, process);
    return buffer;
}

void dpc_free_buffer(void *buffer) {
    free(buffer);
}

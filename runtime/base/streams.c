/* Standard streams and files: a program prints once, and every process reads the same. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The standard error with which the process was started. */
static int real_error = STDERR_FILENO;

dpc_outcome dpc_share_outcome(dpc_outcome mine) {
    if (dpc_nprocs() > 1) MPI_Bcast(&mine, (int)sizeof mine, MPI_BYTE, 0, dpc_communicator);
    errno = (int)mine.error;
    return mine;
}

/* read(2) on standard input by process 0 for all. (collective) */
static ssize_t read_for_all(void *cookie, char *buffer, size_t size) {
    dpc_outcome got = {0, 0};
    (void)cookie;
    if (!dpc_running()) return 0;
    if (dpc_rank() == 0) {
        do got.result = read(STDIN_FILENO, buffer, size);
        while (got.result < 0 && errno == EINTR);
        got.error = errno;
    }
    got = dpc_share_outcome(got);
    if (got.result > 0 && dpc_nprocs() > 1) MPI_Bcast(buffer, (int)got.result, MPI_BYTE, 0, dpc_communicator);
    return got.result;
}

static FILE *input; /* standard input in the place of the system's; NULL: that one is the program's */

static FILE *shared_input(void) {
    return input = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_for_all});
}

#ifdef DPC_SMPI

FILE *dpc_stdin, *dpc_stdout, *dpc_stderr;

/* All simulated processes live in one process of the system: its streams belong to process 0. */
void dpc_open_streams(void) {
    const bool first = dpc_rank() == 0;
    dpc_stdin = shared_input();
    dpc_stdout = first ? stdout : fopen("/dev/null", "w");
    dpc_stderr = first ? stderr : dpc_stdout;
    if (dpc_stdin == NULL || dpc_stdout == NULL) dpc_fail(NULL, "cannot open the standard streams");
}

void dpc_flush_streams(void) {
    fflush(dpc_stdout);
}

/* What the library remembers between calls would be that of all simulated processes: these have the variables of this
 * file each. The numbers are the library's own, also where the program seeds nothing: 1 is its first seed. */
static struct random_data numbers;
static char numbers_state[128];
static struct drand48_data reals;
static char *rest_of_text;

static struct random_data *generator(void) {
    if (numbers.state == NULL) initstate_r(1, numbers_state, sizeof numbers_state, &numbers);
    return &numbers;
}

int dpc_rand(void) {
    int32_t number = 0;
    random_r(generator(), &number);
    return number;
}

long dpc_random(void) {
    return dpc_rand();
}

void dpc_srand(unsigned seed) {
    srandom_r(seed, generator());
}

double dpc_drand48(void) {
    double number = 0;
    drand48_r(&reals, &number);
    return number;
}

long dpc_lrand48(void) {
    long number = 0;
    lrand48_r(&reals, &number);
    return number;
}

long dpc_mrand48(void) {
    long number = 0;
    mrand48_r(&reals, &number);
    return number;
}

void dpc_srand48(long seed) {
    srand48_r(seed, &reals);
}

char *dpc_strtok(char *text, const char *separators) {
    return strtok_r(text, separators, &rest_of_text);
}

#else

/* The stream of every process but 0 goes nowhere. */
static void silence(int descriptor) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, descriptor);
    close(nowhere);
}

void dpc_open_streams(void) {
    if (dpc_nprocs() == 1) return;
    if (dpc_rank() > 0) {
        const int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        if (saved >= 0) real_error = saved;
        fflush(NULL);
        silence(STDOUT_FILENO);
        silence(STDERR_FILENO);
    }
#if DPC_READS_INPUT
    if (shared_input() != NULL) stdin = input;
#endif
}

void dpc_flush_streams(void) {
    fflush(stdout);
}

#endif

void dpc_print_error(const char *text, size_t length) {
    if (dpc_running()) dpc_flush_streams();
    while (length > 0) {
        const ssize_t written = write(real_error, text, length);
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

static bool copy_contents(const char *path, int to) {
    char buffer[1 << 16];
    struct stat facts;
    ssize_t got = -1;
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return false;
    if (fstat(from, &facts) == 0 && S_ISREG(facts.st_mode))
        while ((got = read(from, buffer, sizeof buffer)) > 0)
            if (write(to, buffer, (size_t)got) != got) break;
    close(from);
    return got == 0;
}

/* A file of this process's own, without a name, that begins as a copy: what is written to it is read back. */
static FILE *private_copy(const char *path, const char *mode) {
    FILE *file = tmpfile();
    if (file == NULL || mode[0] == 'w') return file;
    const int descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    fclose(file);
    if (descriptor < 0) return NULL;
    if (mode[0] == 'a') fcntl(descriptor, F_SETFL, O_APPEND);
    if (copy_contents(path, descriptor)) lseek(descriptor, 0, SEEK_SET);
    return fdopen(descriptor, mode[0] == 'a' ? "a+" : "r+");
}

/* A stream for the processes that do not write. */
static FILE *stand_in(const char *path, const char *mode) {
    FILE *file = strchr(mode, '+') != NULL ? private_copy(path, mode) : NULL;
    return file != NULL ? file : fopen("/dev/null", "r+");
}

/* Opens a file for reading everywhere, once process 0 has done with it what the program says before. */
static FILE *open_for_reading(const char *path, const char *mode) {
    MPI_Barrier(dpc_communicator);
    FILE *file = fopen(path, mode);
    const int error = errno;
    if (dpc_compare_file != NULL) dpc_compare_file(path, file);
    errno = error;
    return file;
}

#ifdef DPC_SMPI
#define STANDARD_INPUT dpc_stdin
#else
#define STANDARD_INPUT stdin
#endif

/* A file for this process, also in place of standard input, which is none where process 0 reads it for all: freopen
 * ends there. */
static FILE *reopen(const char *path, const char *mode, FILE *stream) {
    if (path == NULL || input == NULL || stream != input) return freopen(path, mode, stream);
    FILE *file = fopen(path, mode);
    if (file != NULL) STANDARD_INPUT = file;
    return file;
}

/* A stream that is given another file, or (path NULL) another mode. */
FILE *dpc_freopen(const char *path, const char *mode, FILE *stream) {
    FILE *file = NULL;
    const bool reads = mode[0] == 'r' && strchr(mode, '+') == NULL;
    if (!dpc_acts_together() || path == NULL) return reopen(path, mode, stream);
    dpc_check_caller(reads ? "freopen" : "freopen for writing");
    MPI_Barrier(dpc_communicator);
    if (reads) return reopen(path, mode, stream);
    if (dpc_rank() == 0) file = freopen(path, mode, stream);
    const dpc_outcome opened = dpc_share_outcome((dpc_outcome){file != NULL, errno});
    if (dpc_rank() > 0) file = freopen("/dev/null", mode, stream);
    errno = (int)opened.error;
    return opened.result ? file : NULL;
}

FILE *dpc_fopen(const char *path, const char *mode) {
    FILE *file = NULL;
    if (!dpc_acts_together()) return fopen(path, mode);
    dpc_check_caller(mode[0] == 'r' && strchr(mode, '+') == NULL ? "fopen" : "fopen for writing");
    if (mode[0] == 'r' && strchr(mode, '+') == NULL) return open_for_reading(path, mode);
    if (dpc_rank() == 0) file = fopen(path, mode);
    const dpc_outcome opened = dpc_share_outcome((dpc_outcome){file != NULL, errno});
    if (dpc_rank() > 0 && opened.result) file = stand_in(path, mode);
    if (strchr(mode, '+') != NULL) MPI_Barrier(dpc_communicator); /* nothing is written before all have their copies */
    errno = (int)opened.error;
    return file;
}

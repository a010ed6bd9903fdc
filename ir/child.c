/* Processes that end when dpcc does, however it ends. */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A signal that comes before exec must not do in the child what it does in dpcc. */
static void forget_handlers(void) {
    struct sigaction action;
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
}

static bool take(int from, int as) {
    if (from < 0) return true;
    return from == as ? fcntl(from, F_SETFD, 0) == 0 : dup2(from, as) == as;
}

/* Linux sends the signal when the parent ends, unless it has ended already. */
static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
}

/* What exec does not forgive goes to dpcc by `report`, which exec closes. */
static _Noreturn void become(const char *const *words, const int *streams, int report) {
    /* execvp takes char *const[] for historical reasons and doesn't write to it. */
    union {
        const char *const *words;
        char *const *arguments;
    } same = {words};
    if (take(streams[0], STDIN_FILENO) && take(streams[1], STDOUT_FILENO) && take(streams[2], STDERR_FILENO))
        execvp(words[0], same.arguments);
    const int error = errno;
    _exit(write(report, &error, sizeof error) == sizeof error ? 127 : 126);
}

/* 0, or why the child could not be started. */
static int read_report(int report) {
    int error = 0;
    ssize_t got;
    while ((got = read(report, &error, sizeof error)) < 0 && errno == EINTR) continue;
    return got == sizeof error ? error : 0;
}

pid_t start_child(const char *const *words, int input, int output, int errors) {
    int report[2];
    sigset_t all, before;
    if (pipe2(report, O_CLOEXEC) != 0) return -1;
    const pid_t parent = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    if (child == 0) {
        forget_handlers();
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        end_with(parent);
        become(words, (const int[]){input, output, errors}, report[1]);
    }
    int error = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child > 0) error = read_report(report[0]);
    close(report[0]);
    if (!error) return child;
    if (child > 0) waitpid(child, NULL, 0);
    errno = error;
    return -1;
}

const char *help_after_signal(int number) {
    switch (number) {
    case SIGKILL:
        return "the system ends programs so where memory runs out: -O1 takes less, and so do fewer programs at once";
    case SIGSEGV:
    case SIGBUS:
    case SIGABRT:
        return "that is a bug of the tool: other options, as -O1, or another compiler in MPICC or CC may pass it by";
    default:
        return NULL;
    }
}

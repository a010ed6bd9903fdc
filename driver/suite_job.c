/* A job of a suite: a process in a group of its own, which ends when dpcc does, in time, and with all that it started.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

/* Seconds between the request to end and the end. */
enum { GRACE = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void take_stream(const char *path, int flags, int as) {
    const int file = open(path, flags | O_CLOEXEC, 0666);
    if (file < 0 || dup2(file, as) != as) fail(STATUS_FAILED, NULL, "cannot open '%s': %s", path, strerror(errno));
    close(file);
}

/* The job's process: as if dpcc had just begun. */
static _Noreturn void become_job(const suite_job *j, pid_t parent, const sigset_t *mask, int (*work)(void *), void *x) {
    setpgid(0, 0);
    leave_groups();
    forget_temporaries();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(STATUS_FAILED);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
    take_stream(j->errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    take_stream(j->input, O_RDONLY, STDIN_FILENO);
    take_stream(j->output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    exit(work(x));
}

void job_start(suite_job *j, long seconds, int (*work)(void *), void *x) {
    const pid_t parent = getpid();
    sigset_t all, before;
    fflush(NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) become_job(j, parent, &before, work, x);
    if (pid > 0) {
        setpgid(pid, pid); /* whoever comes first */
        set_group(j->slot, (int)pid);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        fail(STATUS_FAILED, "ulimit -u says how many processes a user may have", "cannot start a process: %s",
             strerror(errno));
    j->pid = pid;
    j->state = JOB_RUNNING;
    j->deadline = now() + (double)seconds;
}

static bool prints_too_much(const suite_job *j) {
    struct stat out, err;
    return (stat(j->output, &out) == 0 && out.st_size > MOST_OUTPUT) ||
           (stat(j->errors, &err) == 0 && err.st_size > MOST_OUTPUT);
}

static void end_job(suite_job *j, job_state why) {
    kill(j->pid, SIGTERM);
    j->state = why;
    j->deadline = now() + GRACE;
}

/* What it has started and left goes with it: a simulated program, for instance, that ignores SIGTERM. */
static int bury(suite_job *j) {
    int raw = 0;
    kill(-j->pid, SIGKILL); /* while its number is its own */
    while (waitpid(j->pid, &raw, 0) < 0 && errno == EINTR) continue;
    set_group(j->slot, 0);
    if (j->state == JOB_RUNNING) j->state = JOB_ENDED;
    return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

bool job_has_ended(suite_job *j, int *status) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)j->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR)
        fail(STATUS_FAILED, NULL, "lost a process: %s", strerror(errno));
    if (info.si_pid == j->pid) {
        *status = bury(j);
        return true;
    }
    if (j->state == JOB_RUNNING && prints_too_much(j))
        end_job(j, JOB_TOO_MUCH);
    else if (now() > j->deadline && j->state == JOB_RUNNING)
        end_job(j, JOB_TOO_LONG);
    else if (now() > j->deadline)
        kill(-j->pid, SIGKILL);
    return false;
}

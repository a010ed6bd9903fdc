/* A process that removes temporary directories, however dpcc and the tools that it runs end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

/* The remover: it reads names of directories, each with its NUL, until no process has the other end of the pipe open,
 * and then removes them.  No signal of a terminal or to dpcc's process group reaches it. */
static volatile sig_atomic_t remover, names = -1;

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *where) {
    (void)s, (void)type, (void)where;
    remove(path);
    return 0;
}

/* A tool that is ending may still write into it: again, for 5 seconds. */
static void remove_directory(const char *path) {
    for (int i = 0; i < 100; i++) {
        nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
        if (rmdir(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST)) return;
        usleep(50000);
    }
}

/* What comes out of a pipe until its end; NULL where that is nothing. */
static char *read_names(int end, size_t *length) {
    char *all = NULL, part[PATH_MAX];
    ssize_t got;
    *length = 0;
    while ((got = read(end, part, sizeof part)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        char *more = got > 0 ? realloc(all, *length + (size_t)got) : NULL;
        if (!more) break;
        memcpy(more + *length, part, (size_t)got);
        *length += (size_t)got;
        all = more;
    }
    return all;
}

static _Noreturn void wait_and_remove(int end) {
    size_t length;
    setsid();
    const char *all = read_names(end, &length);
    for (const char *path = all; path && path < all + length; path += strlen(path) + 1) remove_directory(path);
    _exit(0);
}

/* Forks with all signals blocked, so that none does in the remover what it does in dpcc. */
static void start_remover(void) {
    int ends[2];
    sigset_t all, before;
    if (pipe2(ends, O_CLOEXEC) != 0) fail(STATUS_FAILED, NULL, "cannot make a pipe: %s", strerror(errno));
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        wait_and_remove(ends[0]);
    }
    if (pid > 0) remover = pid, names = ends[1];
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[0]);
    if (pid < 0)
        fail(STATUS_FAILED, "ulimit -u says how many processes a user may have", "cannot start a process: %s",
             strerror(errno));
    atexit(remove_temporaries);
}

void remove_later(const char *directory) {
    const size_t size = strlen(directory) + 1;
    if (!remover) start_remover();
    if (write(names, directory, size) != (ssize_t)size)
        fail(STATUS_FAILED, NULL, "cannot write to a pipe: %s", strerror(errno));
}

void remove_temporaries(void) {
    const pid_t pid = remover;
    if (!pid) return;
    remover = 0;
    close(names);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

void forget_temporaries(void) {
    if (remover) close(names);
    remover = 0;
    names = -1;
}

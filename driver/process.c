/* Commands that dpcc runs: found in PATH, started, waited for. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../ir/child.h"
#include "driver.h"

static bool executable(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

const char *find_command(arena *a, const char *name) {
    if (strchr(name, '/')) return executable(name) ? name : NULL;
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; *path; path += *path == ':') {
        size_t length = strcspn(path, ":");
        const char *full = arena_format(a, "%.*s/%s", (int)length, length ? path : ".", name);
        if (executable(full)) return full;
        path += length;
    }
    return NULL;
}

static bool shown;

void show_commands(void) {
    shown = true;
}

static void show(const words *command) {
    for (size_t i = 0; i < command->count; i++) {
        const char *word = command->item[i];
        const bool plain = *word && !word[strcspn(word, " \t\n\"'\\$`*?[](){}<>|&;#~!")];
        fprintf(stderr, plain ? "%s%s" : "%s'%s'", i ? " " : "", word);
    }
    fputc('\n', stderr);
}

/* Starts a command; standard output goes to `output` unless that is -1. */
static pid_t start(const words *command, int output, bool quiet) {
    const int nowhere = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (shown) show(command);
    fflush(NULL);
    const pid_t pid = start_child(command->item, -1, output, nowhere);
    if (pid < 0) fail(STATUS_FAILED, NULL, "cannot run '%s': %s", command->item[0], strerror(errno));
    if (nowhere >= 0) close(nowhere);
    set_child((int)pid);
    return pid;
}

static bool ended_by_signal; /* the last command */

static int finish(const words *command, pid_t pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) fail(STATUS_FAILED, NULL, "lost '%s': %s", command->item[0], strerror(errno));
    }
    set_child(0);
    ended_by_signal = WIFSIGNALED(status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_command(const words *command) {
    return finish(command, start(command, -1, false));
}

/* What helps with a program of the user's that a signal has ended; NULL: someone wanted it to end, or it said why. */
static const char *help_with_program(int number) {
    switch (number) {
    case SIGSEGV:
    case SIGBUS:
        return "--check=all finds subscripts outside arrays; -g -fsanitize=address finds other addresses";
    case SIGFPE:
        return "integers are divided by 0, or the least one by -1: -g -fsanitize=undefined says where";
    case SIGKILL:
        return "the system ends programs so where memory runs out";
    default:
        return NULL;
    }
}

int run_program(const words *command, const char *launcher) {
    const int status = run_command(command), number = status - 128;
    const char *help = ended_by_signal ? help_with_program(number) : NULL;
    if (!help) return status;
    const char *name = launcher ? launcher : "the program";
    fprintf(stderr, "dpcc: %s was ended by signal %d (%s)\n", name, number, strsignal(number));
    if (!launcher) fprintf(stderr, "help: %s\n", help);
    return status;
}

const char *output_of_command(arena *a, const words *command, bool quiet, int *status) {
    int ends[2];
    text output;
    char buffer[4096];
    if (pipe2(ends, O_CLOEXEC) != 0) fail(STATUS_FAILED, NULL, "cannot make a pipe: %s", strerror(errno));
    pid_t pid = start(command, ends[1], quiet);
    close(ends[1]);
    text_start(&output, a);
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) != 0;) {
        if (n > 0)
            text_add_bytes(&output, buffer, (size_t)n);
        else if (errno != EINTR)
            break;
    }
    close(ends[0]);
    *status = finish(command, pid);
    return text_of(&output);
}

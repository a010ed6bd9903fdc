/* What a command writes, read whole. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../ir/child.h"
#include "preprocess.h"

/* A pipe: what the child writes into `write_end` comes out of `read_end`. */
typedef struct {
    int read_end, write_end;
} channel;

static bool open_channel(channel *c) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return false;
    *c = (channel){ends[0], ends[1]};
    return true;
}

/* Reads what there is; false at the end. */
static bool read_some(int input, text *out) {
    char buffer[65536];
    ssize_t got = read(input, buffer, sizeof buffer);
    if (got > 0) text_add_bytes(out, buffer, (size_t)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

/* Reads both to their ends. */
static void read_both(int output, text *out, int errors, text *messages) {
    struct pollfd from[] = {{.fd = output, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    text *to[] = {out, messages};
    while (from[0].fd >= 0 || from[1].fd >= 0) {
        if (poll(from, 2, -1) < 0 && errno != EINTR) return;
        for (size_t i = 0; i < 2; i++)
            if (from[i].fd >= 0 && from[i].revents && !read_some(from[i].fd, to[i])) from[i].fd = -1;
    }
}

/* That is no fault of the source: ends the compiler, as running out of memory does. */
static _Noreturn void end_after_signal(const char *command, int number) {
    const char *help = help_after_signal(number);
    fprintf(stderr, "dpcc: error: '%s' was ended by signal %d\n", command, number);
    if (help) fprintf(stderr, "help: %s\n", help);
    exit(3);
}

/* What no compiler says of a source: its parts were ended, or it has a fault of its own. */
enum { LEAST_FAILURE = 4 };

static _Noreturn void end_after_failure(const char *command, int status, const char *said) {
    fprintf(stderr, "%sdpcc: error: '%s' failed with exit status %d\n", said, command, status);
    fprintf(stderr, "help: what it says stands above; where memory runs out, fewer programs at once take less\n");
    exit(3);
}

static _Noreturn void end_without_files(void) {
    fprintf(stderr, "dpcc: error: too many open files\nhelp: ulimit -n says how many files may be open\n");
    exit(3);
}

const char *command_output(arena *a, const char *const *words, int input, size_t *length, const char **messages) {
    channel output, errors;
    int status = 0;
    text out, said;
    text_start(&out, a);
    text_start(&said, a);
    if (!open_channel(&output) || !open_channel(&errors)) end_without_files();
    const pid_t child = start_child(words, input, output.write_end, errors.write_end);
    const bool started = child > 0;
    close(output.write_end);
    close(errors.write_end);
    if (started)
        read_both(output.read_end, &out, errors.read_end, &said);
    else
        text_format(&said, "dpcc: error: cannot run '%s'\n", words[0]);
    close(output.read_end);
    close(errors.read_end);
    *messages = text_of(&said);
    *length = out.length;
    if (!started) return NULL;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFSIGNALED(status)) end_after_signal(words[0], WTERMSIG(status));
    if (WEXITSTATUS(status) >= LEAST_FAILURE) end_after_failure(words[0], WEXITSTATUS(status), *messages);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text_of(&out) : NULL;
}

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preprocess.h"

extern char **environ;

static bool start(const char *const *words, int output, int other_end, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return false;
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, other_end);
    if (output != STDOUT_FILENO) posix_spawn_file_actions_addclose(&actions, output);
    /* posix_spawnp takes char *const[] for historical reasons and doesn't write to it. */
    union { const char *const *words; char *const *arguments; } same = {words};
    int failure = posix_spawnp(child, words[0], &actions, NULL, same.arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure == 0;
}

static void read_all(int input, text *out)
{
    char buffer[65536];
    for (;;) {
        ssize_t got = read(input, buffer, sizeof buffer);
        if (got > 0) text_add_bytes(out, buffer, (size_t)got);
        else if (got == 0 || errno != EINTR) return;
    }
}

const char *command_output(arena *a, const char *const *words, size_t *length)
{
    int ends[2], status = 0;
    pid_t child;
    if (pipe(ends)) return NULL;
    bool started = start(words, ends[1], ends[0], &child);
    close(ends[1]);
    text out;
    text_start(&out, a);
    if (started) read_all(ends[0], &out);
    close(ends[0]);
    if (!started) {
        fprintf(stderr, "dpcc: error: cannot run '%s'\n", words[0]);
        return NULL;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    *length = out.length;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text_of(&out) : NULL;
}

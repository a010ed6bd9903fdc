/* Outputs that appear whole or not at all, temporary files, and what a signal does to them. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

static volatile sig_atomic_t child;

void set_child(int pid) {
    child = pid;
}

static volatile sig_atomic_t groups[MOST_GROUPS];

void set_group(size_t slot, int pid) {
    groups[slot] = pid;
}

void leave_groups(void) {
    for (size_t i = 0; i < MOST_GROUPS; i++) groups[i] = 0;
    child = 0;
}

/* Whether a leader of a group is still there. */
static bool await_groups(void) {
    bool left = false;
    for (size_t i = 0; i < MOST_GROUPS; i++) {
        if (groups[i] <= 0) continue;
        if (waitpid(groups[i], NULL, WNOHANG) == 0)
            left = true;
        else
            groups[i] = 0;
    }
    return left;
}

/* Leaders end what they have started; the groups of those that do not are killed after 5 seconds. */
static void end_groups(void) {
    for (size_t i = 0; i < MOST_GROUPS; i++)
        if (groups[i] > 0) kill(groups[i], SIGTERM);
    for (int i = 0; i < 100 && await_groups(); i++) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    for (size_t i = 0; i < MOST_GROUPS; i++)
        if (groups[i] > 0) kill(-groups[i], SIGKILL);
}

/* Uses only what a signal handler may. A signal from the terminal has reached the child already. Launchers don't expect
 * SIGQUIT and SIGPIPE. */
static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    if (child > 0) {
        if (info->si_code <= 0) kill(child, number == SIGQUIT || number == SIGPIPE ? SIGTERM : number);
        waitpid(child, NULL, 0);
    }
    end_groups();
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

/* A file that may not become longer is an error of who writes it; programs that are started get the signal. */
static void on_size(int number) {
    (void)number;
}

void handle_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, old;
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = on_size, .sa_flags = SA_RESTART}, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&action.sa_mask, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
    }
}

const char *directory_in(arena *a, const char *parent) {
    char *path = arena_format(a, "%s/dpcc.XXXXXX", parent);
    if (!mkdtemp(path)) return NULL;
    remove_later(path);
    return path;
}

const char *temporary_directory(arena *a, const char *target) {
    const char *parent = getenv("TMPDIR"), *slash = target ? strrchr(target, '/') : NULL;
    char *path;
    if (!target)
        path = arena_format(a, "%s/dpcc.XXXXXX", parent && *parent ? parent : "/tmp");
    else
        path = arena_format(a, "%.*s.dpcc.XXXXXX", slash ? (int)(slash + 1 - target) : 0, target);
    if (!mkdtemp(path)) {
        if (target) fail_to_write(target, errno);
        fail(STATUS_FAILED, "TMPDIR names a directory for temporary files", "cannot make a directory in '%s': %s",
             parent && *parent ? parent : "/tmp", strerror(errno));
    }
    remove_later(path);
    return path;
}

const char *temporary_file(arena *a, const char *directory, const char *name) {
    return arena_format(a, "%s/%s", directory, name);
}

/* Whether `target` is something that must be written to and not replaced. */
static bool is_special(const char *target) {
    struct stat s;
    if (stat(target, &s) != 0) return false;
    if (S_ISDIR(s.st_mode)) fail_to_write(target, EISDIR);
    return !S_ISREG(s.st_mode);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file behind symbolic links, or the path itself. */
static const char *real_target(arena *a, const char *target) {
    char *real = realpath(target, NULL);
    const char *copy = real ? arena_text(a, real, strlen(real)) : target;
    free(real);
    return copy;
}

const char *tame_name(const char *name) {
    const char *tame = name + strspn(name, "@");
    return *tame ? tame : "file";
}

const char *stage_output(arena *a, const char *target) {
    bool special = is_special(target);
    const char *directory = temporary_directory(a, special ? NULL : real_target(a, target));
    return temporary_file(a, directory, tame_name(base_name(target)));
}

void copy_file(const char *from, const char *to) {
    char buffer[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    bool good = in && out;
    for (size_t n; good && (n = fread(buffer, 1, sizeof buffer, in)) > 0;) good = fwrite(buffer, 1, n, out) == n;
    if (in) good = !ferror(in) && good, fclose(in);
    if (out) good = fclose(out) == 0 && good;
    if (!good) fail_to_write(to, errno);
}

void publish(const char *staged, const char *target) {
    if (is_special(target)) {
        copy_file(staged, target);
        return;
    }
    char *real = realpath(target, NULL);
    int error = rename(staged, real ? real : target) == 0 ? 0 : errno;
    free(real);
    if (error) fail_to_write(target, error);
}

void write_text(const char *path, const char *content) {
    bool standard = strcmp(path, "-") == 0;
    FILE *out = standard ? stdout : fopen(path, "w");
    bool good = out != NULL;
    if (good) good = fputs(content, out) >= 0;
    if (out) good = (standard ? fflush(out) : fclose(out)) == 0 && good;
    if (!good) fail_to_write(standard ? NULL : path, errno);
}

const char *stage_text(arena *a, const char *target, const char *content) {
    if (strcmp(target, "-") == 0) {
        write_text(target, content);
        return NULL;
    }
    const char *staged = stage_output(a, target);
    write_text(staged, content);
    return staged;
}

bool file_has_bytes(arena *a, const char *path, const char *wanted) {
    enum { ROOM = 1 << 16 };
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    const size_t most = strlen(wanted) - 1;
    char *bytes = arena_alloc(a, ROOM);
    bool found = false;
    for (size_t kept = 0, got; !found && (got = fread(bytes + kept, 1, ROOM - kept, file)) > 0;) {
        const size_t all = kept + got;
        found = memmem(bytes, all, wanted, most + 1) != NULL;
        kept = all < most ? all : most;
        memmove(bytes, bytes + all - kept, kept);
    }
    fclose(file);
    return found;
}

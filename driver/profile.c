/* The profile of a machine as dpcc reads it, with errors, and writes it.  Its lines: runtime/base/profile.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"

/* A place in the profile. */
typedef struct {
    const char *path;
    int number;
    const char *line;
} profile_line;

static _Noreturn void malformed(const profile_line *at, const char *fault) {
    fprintf(stderr, "%s:%d: error: %s\n  %s\nhelp: dpcc --calibrate writes this file anew\n", at->path, at->number,
            fault, at->line);
    exit(STATUS_FAILED);
}

static const char blanks[] = " \t\r";

static void warn_unknown(const profile_line *at) {
    const char *name = at->line + strspn(at->line, blanks);
    fprintf(stderr, "%s:%d: warning: unknown name '%.*s'\n", at->path, at->number, (int)strcspn(name, blanks), name);
}

/* The line's value goes into the cost; `seen` says which fields have one. */
static void take_line(dpc_cost *cost, bool *seen, const profile_line *at) {
    bool known;
    const char *fault = dpc_take_cost(cost, seen, at->line, &known);
    if (fault) malformed(at, fault);
    if (!known) warn_unknown(at);
}

static void read_lines(dpc_cost *cost, bool *seen, const char *path, FILE *file) {
    char *line = NULL;
    size_t room = 0;
    for (int number = 1; getline(&line, &room, file) >= 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        take_line(cost, seen, &(profile_line){path, number, line});
    }
    free(line);
    if (ferror(file)) fail_to_read(path, errno);
}

/* ---- The file */

static const char *found_path(arena *a) {
    char *path = dpc_profile_path();
    const char *kept = path ? arena_format(a, "%s", path) : NULL;
    free(path);
    return kept;
}

/* seen: per field, whether it is in the profile. */
static dpc_cost read_seen(arena *a, bool *seen) {
    dpc_cost cost = dpc_default_cost;
    const char *path = found_path(a);
    if (!path || (!dpc_named_profile() && access(path, F_OK) != 0)) return cost;
    FILE *file = fopen(path, "r");
    if (!file)
        fail(STATUS_FAILED, dpc_named_profile() ? "DPC_PROFILE names a file that dpcc --calibrate has written" : NULL,
             "cannot read '%s': %s", path, strerror(errno));
    read_lines(&cost, seen, path, file);
    fclose(file);
    return cost;
}

dpc_cost read_profile(arena *a) {
    bool seen[DPC_COST_FIELDS] = {false};
    return read_seen(a, seen);
}

double profiled_operation(arena *a) {
    bool seen[DPC_COST_FIELDS] = {false};
    const dpc_cost cost = read_seen(a, seen);
    for (int k = 0; k < DPC_COST_FIELDS; k++)
        if (seen[k] && dpc_cost_fields[k].offset == offsetof(dpc_cost, operation)) return cost.operation;
    return 0;
}

static bool is_directory(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static void make_directories(arena *a, const char *path) {
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *directory = arena_text(a, path, (size_t)(slash - path));
        if (mkdir(directory, 0777) == 0) continue;
        int error = errno == EEXIST ? ENOTDIR : errno;
        if (!is_directory(directory))
            fail(STATUS_FAILED, "DPC_PROFILE names another file for the profile", "cannot make '%s': %s", directory,
                 strerror(error));
    }
}

const char *new_profile(arena *a) {
    const char *path = found_path(a);
    if (!path)
        fail(STATUS_FAILED, "DPC_PROFILE names a file for it",
             "neither XDG_CONFIG_HOME nor HOME says where the "
             "profile belongs");
    if (!dpc_named_profile()) make_directories(a, path);
    return path;
}

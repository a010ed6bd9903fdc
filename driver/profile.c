/* The profile of a machine: a file of lines `name seconds`, one for each field of dpc_cost.  What it leaves out has its
 * default. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"

const cost_field cost_fields[COST_FIELDS] = {
    {"message", "one message, whatever its length", offsetof(dpc_cost, message)},
    {"byte", "each byte of a message", offsetof(dpc_cost, byte)},
    {"element", "packing or unpacking an element", offsetof(dpc_cost, element)},
    {"run", "beginning a run of elements", offsetof(dpc_cost, run)},
    {"section", "generating a section of a set", offsetof(dpc_cost, section)},
    {"owner", "finding an element's owner and place", offsetof(dpc_cost, owner)},
    {"operation", "an operation on an element", offsetof(dpc_cost, operation)},
};

_Static_assert(sizeof(dpc_cost) == COST_FIELDS * sizeof(double), "a line for every field");

double *cost_value(dpc_cost *cost, int field) {
    return (double *)(void *)((char *)cost + cost_fields[field].offset);
}

/* ---- Lines */
static const char blanks[] = " \t\r";

static int field_number(const char *name, size_t length) {
    for (int i = 0; i < COST_FIELDS; i++)
        if (strlen(cost_fields[i].name) == length && strncmp(name, cost_fields[i].name, length) == 0) return i;
    return -1;
}

const char *parse_cost(const char *line, int *field, double *seconds) {
    const char *name = line + strspn(line, blanks);
    size_t length = strcspn(name, blanks);
    char *end;
    *seconds = strtod(name + length, &end);
    *field = field_number(name, length);
    if (end == name + length) return "expected a name and a number";
    if (end[strspn(end, blanks)]) return "expected nothing after the number";
    if (!isfinite(*seconds) || *seconds <= 0) return "expected a positive number of seconds";
    return NULL;
}

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

static void warn_unknown(const profile_line *at) {
    const char *name = at->line + strspn(at->line, blanks);
    fprintf(stderr, "%s:%d: warning: unknown name '%.*s'\n", at->path, at->number, (int)strcspn(name, blanks), name);
}

/* The line's value goes into the cost; `seen` says which fields have one. */
static void take_line(dpc_cost *cost, bool *seen, const profile_line *at) {
    int field;
    double seconds;
    const char first = at->line[strspn(at->line, blanks)];
    if (first == '\0' || first == '#') return;
    const char *fault = parse_cost(at->line, &field, &seconds);
    if (fault) malformed(at, fault);
    if (field < 0) {
        warn_unknown(at);
        return;
    }
    if (seen[field]) malformed(at, "this name stands in an earlier line already");
    seen[field] = true;
    *cost_value(cost, field) = seconds;
}

static void read_lines(dpc_cost *cost, const char *path, FILE *file) {
    bool seen[COST_FIELDS] = {false};
    char *line = NULL;
    size_t room = 0;
    for (int number = 1; getline(&line, &room, file) >= 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        take_line(cost, seen, &(profile_line){path, number, line});
    }
    free(line);
    if (ferror(file)) fail(STATUS_FAILED, NULL, "cannot read '%s': %s", path, strerror(errno));
}

/* ---- The file */

/* The value of a variable that names a directory; NULL when it does not. */
static const char *directory_in(const char *variable) {
    const char *value = getenv(variable);
    return value && *value == '/' ? value : NULL;
}

static const char *named_profile(void) {
    const char *named = getenv("DPC_PROFILE");
    return named && *named ? named : NULL;
}

/* NULL: there is no place for it. */
static const char *profile_path(arena *a) {
    const char *named = named_profile(), *configuration = directory_in("XDG_CONFIG_HOME"), *home = directory_in("HOME");
    if (named) return named;
    if (configuration) return arena_format(a, "%s/dpcc/profile", configuration);
    return home ? arena_format(a, "%s/.config/dpcc/profile", home) : NULL;
}

dpc_cost read_profile(arena *a) {
    dpc_cost cost = dpc_default_cost;
    const char *path = profile_path(a);
    if (!path || (!named_profile() && access(path, F_OK) != 0)) return cost;
    FILE *file = fopen(path, "r");
    if (!file)
        fail(STATUS_FAILED, named_profile() ? "DPC_PROFILE names a file that dpcc --calibrate has written" : NULL,
             "cannot read '%s': %s", path, strerror(errno));
    read_lines(&cost, path, file);
    fclose(file);
    return cost;
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
    const char *path = profile_path(a);
    if (!path)
        fail(STATUS_FAILED, "DPC_PROFILE names a file for it",
             "neither XDG_CONFIG_HOME nor HOME says where the "
             "profile belongs");
    if (!named_profile()) make_directories(a, path);
    return path;
}

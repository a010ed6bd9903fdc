/* The machine's profile.  See profile.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dpc_cost_field dpc_cost_fields[DPC_COST_FIELDS] = {
    {"message", "one message, whatever its length", offsetof(dpc_cost, message)},
    {"byte", "each byte of a message", offsetof(dpc_cost, byte)},
    {"typed-byte", "each byte of a message of a derived datatype", offsetof(dpc_cost, typed_byte)},
    {"typed-run", "a run of a derived datatype", offsetof(dpc_cost, typed_run)},
    {"element", "packing or unpacking an element", offsetof(dpc_cost, element)},
    {"run", "beginning a run of elements", offsetof(dpc_cost, run)},
    {"section", "generating a section of a set", offsetof(dpc_cost, section)},
    {"owner", "finding an element's owner and place", offsetof(dpc_cost, owner)},
    {"operation", "an operation on an element", offsetof(dpc_cost, operation)},
};

_Static_assert(sizeof(dpc_cost) == DPC_COST_FIELDS * sizeof(double), "a line for every field");

double *dpc_cost_value(dpc_cost *cost, int field) {
    return (double *)(void *)((char *)cost + dpc_cost_fields[field].offset);
}

/* ---- Lines */

static const char blanks[] = " \t\r\n";

static int field_number(const char *name, size_t length) {
    for (int i = 0; i < DPC_COST_FIELDS; i++)
        if (strlen(dpc_cost_fields[i].name) == length && strncmp(name, dpc_cost_fields[i].name, length) == 0) return i;
    return -1;
}

const char *dpc_parse_cost(const char *line, int *field, double *seconds) {
    const char *name = line + strspn(line, blanks);
    const size_t length = strcspn(name, blanks);
    char *end;
    *seconds = strtod(name + length, &end);
    *field = field_number(name, length);
    if (end == name + length) return "expected a name and a number";
    if (end[strspn(end, blanks)]) return "expected nothing after the number";
    if (!isfinite(*seconds) || *seconds <= 0) return "expected a positive number of seconds";
    return NULL;
}

const char *dpc_take_cost(dpc_cost *cost, bool *seen, const char *line, bool *known) {
    int field;
    double seconds;
    const char first = line[strspn(line, blanks)];
    *known = true;
    if (first == '\0' || first == '#') return NULL;
    const char *fault = dpc_parse_cost(line, &field, &seconds);
    if (fault != NULL) return fault;
    *known = field >= 0;
    if (!*known) return NULL;
    if (seen[field]) return "this name stands in an earlier line already";
    seen[field] = true;
    *dpc_cost_value(cost, field) = seconds;
    return NULL;
}

/* ---- The file */

/* The value of a variable that names a directory; NULL when it does not. */
static const char *directory_in(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && *value == '/' ? value : NULL;
}

const char *dpc_named_profile(void) {
    const char *named = getenv("DPC_PROFILE");
    return named != NULL && *named != '\0' ? named : NULL;
}

static char *joined(const char *directory, const char *rest) {
    const size_t room = strlen(directory) + strlen(rest) + 1;
    char *path = malloc(room);
    if (path != NULL) snprintf(path, room, "%s%s", directory, rest);
    return path;
}

char *dpc_profile_path(void) {
    const char *configuration = directory_in("XDG_CONFIG_HOME"), *home = directory_in("HOME");
    if (dpc_named_profile() != NULL) return joined(dpc_named_profile(), "");
    if (configuration != NULL) return joined(configuration, "/dpcc/profile");
    return home != NULL ? joined(home, "/.config/dpcc/profile") : NULL;
}

/* By number, from 1. */
static void read_lines(FILE *file, dpc_cost *cost, const char *path, dpc_profile_fault *fault) {
    bool seen[DPC_COST_FIELDS] = {false}, known;
    char *line = NULL;
    size_t room = 0;
    errno = 0;
    for (int number = 1; fault->text == NULL && getline(&line, &room, file) >= 0; number++) {
        fault->text = dpc_take_cost(cost, seen, line, &known);
        snprintf(fault->where, sizeof fault->where, "%s:%d", path, number);
    }
    if (fault->text == NULL && ferror(file)) fault->text = strerror(errno);
    free(line);
}

dpc_cost dpc_profiled_cost(dpc_profile_fault *fault) {
    dpc_cost cost = dpc_default_cost;
    char *path = dpc_profile_path();
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    fault->text = NULL;
    if (file != NULL) {
        read_lines(file, &cost, path, fault);
        fclose(file);
    } else if (path != NULL && (dpc_named_profile() != NULL || errno == EACCES)) {
        snprintf(fault->where, sizeof fault->where, "%s", path);
        fault->text = strerror(errno);
    }
    free(path);
    return cost;
}

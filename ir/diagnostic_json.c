/* --diagnostics=json: diagnostics as lines of JSON. */
#define _GNU_SOURCE
#include "diagnostic_json.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static bool asked;
static cJSON *begun; /* the diagnostic that notes and help are added to; NULL: none */

bool diagnostics_are_json(void) {
    return asked;
}

static void write_begun(void) {
    char *line = begun ? cJSON_PrintUnformatted(begun) : NULL;
    arena *a = arena_new();
    if (line) fprintf(stderr, "%s\n", as_utf8(a, line));
    arena_free(a);
    free(line);
    cJSON_Delete(begun);
    begun = NULL;
}

void diagnostics_as_json(void) {
    if (!asked) atexit(write_begun);
    asked = true;
}

/* Columns are bytes from 1, `end_column` is the one behind the last. */
static void add_place(cJSON *x, position where) {
    if (!where.file || where.line < 1) return;
    const char *line = source_line(where.file, where.line);
    const int length = line ? (int)strlen(line) : where.column + where.width - 1;
    int end = where.column + (where.width > 0 ? where.width : 1);
    if (end > length + 1) end = length + 1 > where.column ? length + 1 : where.column;
    cJSON_AddStringToObject(x, "file", where.file);
    cJSON_AddNumberToObject(x, "line", where.line);
    cJSON_AddNumberToObject(x, "column", where.column);
    cJSON_AddNumberToObject(x, "end_column", end);
}

static void add_message(cJSON *x, const char *format, va_list arguments) {
    char *message = NULL;
    if (vasprintf(&message, format, arguments) < 0) return;
    cJSON_AddStringToObject(x, "message", message);
    free(message);
}

void json_diagnostic(position where, const char *severity, const char *id, const char *format, va_list arguments) {
    write_begun();
    begun = cJSON_CreateObject();
    add_place(begun, where);
    cJSON_AddStringToObject(begun, "severity", severity);
    if (id) cJSON_AddStringToObject(begun, "id", id);
    add_message(begun, format, arguments);
    cJSON_AddArrayToObject(begun, "notes");
    cJSON_AddArrayToObject(begun, "help");
}

void json_note(position where, const char *format, va_list arguments) {
    cJSON *x = cJSON_CreateObject();
    add_place(x, where);
    add_message(x, format, arguments);
    if (!cJSON_AddItemToArray(cJSON_GetObjectItem(begun, "notes"), x)) cJSON_Delete(x);
}

void json_help(const char *format, va_list arguments) {
    char *message = NULL;
    if (vasprintf(&message, format, arguments) < 0) return;
    cJSON_AddItemToArray(cJSON_GetObjectItem(begun, "help"), cJSON_CreateString(message));
    free(message);
}

static void begin(position where, const char *severity, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void begin(position where, const char *severity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_diagnostic(where, severity, NULL, format, arguments);
    va_end(arguments);
}

/* One line of a C compiler; source lines, carets and "included from" say nothing by themselves. */
static void read_message(char *line) {
    static const char *const severities[][2] = {
        {": fatal error: ", "error"}, {": error: ", "error"}, {": warning: ", "warning"}};
    for (size_t k = 0; k < sizeof severities / sizeof *severities; k++) {
        char *found = strstr(line, severities[k][0]);
        if (!found) continue;
        position where = {line, 0, 1, 1};
        *found = '\0';
        char *last = strrchr(line, ':'), *before = NULL;
        if (last) *last = '\0', before = strrchr(line, ':');
        if (before) *before = '\0', where.line = atoi(before + 1), where.column = atoi(last + 1);
        begin(where, severities[k][1], "%s", found + strlen(severities[k][0]));
        return;
    }
}

void pass_on_messages(const char *messages) {
    if (!asked) {
        fputs(messages, stderr);
        return;
    }
    char *content = strdup(messages), *rest = content;
    for (char *line = content ? strtok_r(content, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
        read_message(line);
    free(content);
}

/* Errors of the command itself: a line, a help line, the exit status. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../ir/diagnostic.h"
#include "../ir/diagnostic_json.h"
#include "driver.h"

static void add_help(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_help(format, arguments);
    va_end(arguments);
}

static _Noreturn void fail_in_json(exit_status status, const char *help, const char *format, va_list arguments) {
    json_diagnostic((position){NULL, 0, 0, 0}, "error", NULL, format, arguments);
    if (help) add_help("%s", help);
    exit((int)status);
}

void fail(exit_status status, const char *help, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    finish_diagnostic();
    if (diagnostics_are_json()) fail_in_json(status, help, format, arguments);
    fputs("dpcc: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    if (help) fprintf(stderr, "help: %s\n", help);
    va_end(arguments);
    exit((int)status);
}

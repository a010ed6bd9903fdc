/* Errors of the command itself: a line, a help line, the exit status. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

void fail(exit_status status, const char *help, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("dpcc: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    if (help) fprintf(stderr, "help: %s\n", help);
    va_end(arguments);
    exit((int)status);
}

/* --help and --version. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/warnings.h"
#include "options.h"

static _Noreturn void end_of_text(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) fail_to_write(NULL, errno);
    exit(STATUS_SUCCESS);
}

const char *program_version(void) {
    return DPCC_VERSION;
}

_Noreturn void print_version(options *o, const option_row *row, const char *value) {
    (void)o, (void)row, (void)value;
    puts("dpcc " DPCC_VERSION " (interface " DPCC_INTERFACE ")");
    end_of_text();
}

static void print_warnings(void) {
    puts("\nWarnings of its own (-Wno-NAME: none, -Werror=NAME: an error; -Wall, -Werror and -w are the C compiler's, "
         "too):");
    for (int k = 0; k < W_COUNT; k++) {
        bool with_wall;
        const char *about = warning_about((warning_id)k, &with_wall);
        printf("  -W%-24s %s%s\n", warning_name((warning_id)k), about, with_wall ? " (with -Wall)" : "");
    }
}

_Noreturn void print_help(options *o, const option_row *row, const char *value) {
    (void)o, (void)row, (void)value;
    puts("Usage: dpcc [options] FILE.dpc [FILE.dpc|FILE.c|FILE.o ...]\n"
         "       dpcc --run [-n N] [options] FILE.dpc [-- ARGUMENTS]\n"
         "       dpcc --test [-n LIST] [options] DIRECTORY...\n"
         "       dpcc --calibrate\n"
         "Translates data-parallel C to C with MPI, compiles and runs it.");
    for (size_t i = 0; i < option_rows; i++) {
        const option_row *r = &option_table[i];
        char left[64];
        if (!r->help) continue;
        if (!r->spelling) {
            printf("\n%s:\n", r->help);
            continue;
        }
        snprintf(left, sizeof left, "%s%s", r->spelling, r->argument);
        printf("  %-26s %s\n", left, r->help);
    }
    print_warnings();
    puts("\nFor the C compiler: -D -U -I -isystem -include -O -g -W -f -m -std= -pthread -l -L -static -shared\n"
         "Environment: CC, MPICC and MPIRUN name the tools (default: cc, and the first MPI that is found).\n"
         "Exit status: 1 the source is wrong, 2 the command line, 3 files, memory or a tool failed,\n"
         "70 a bug in dpcc; with --run, the program's own.");
    end_of_text();
}

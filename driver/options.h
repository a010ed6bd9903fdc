/* Private to the folder: the table of options. */
#ifndef DPC_DRIVER_OPTIONS_H
#define DPC_DRIVER_OPTIONS_H

#include "driver.h"

/* How an option takes its value. */
typedef enum {
    NO_VALUE,  /* -c */
    JOINED,    /* -O2: everything that begins so; the whole word is passed on */
    SEPARATE,  /* -lm, -l m */
    NEXT_WORD, /* -include FILE */
    EQUALS,    /* --np=N, --np N */
    MAYBE      /* --explain, --explain=json */
} value_form;

typedef struct option_row option_row;
struct option_row {
    const char *spelling;
    value_form form;
    void (*act)(options *o, const option_row *row, const char *value); /* value: NULL where there is none */
    const char *choices;                                               /* the values allowed, separated by '|' */
    const char *argument, *help;                                       /* for --help; help NULL: not listed */
};

/* ---- option_table.c: the first row that fits wins; a row with no spelling is a heading of --help. */
extern const option_row option_table[];
extern const size_t option_rows;

/* ---- options.c */
/* A path that the C compiler takes for nothing else: neither for an option nor for a file of options (@FILE). */
const char *plain_path(arena *a, const char *path);
/* "as in -o FILE". */
const char *usage_of(arena *a, const option_row *row);
void add_program_input(options *o, input_kind kind, const char *path);

/* ---- option_help.c: both end with STATUS_SUCCESS. */
_Noreturn void print_help(options *o, const option_row *row, const char *value);
_Noreturn void print_version(options *o, const option_row *row, const char *value);

/* ---- option_checks.c: options that exclude one another, inputs and outputs; ends with STATUS_COMMAND, or with
 * STATUS_FAILED where an input cannot be read. */
void check_options(options *o);

#endif

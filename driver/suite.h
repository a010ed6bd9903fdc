/* Private to the folder: --test, suites of programs whose output is known. */
#ifndef DPC_DRIVER_SUITE_H
#define DPC_DRIVER_SUITE_H

#include <sys/types.h>

#include "driver.h"

/* ---- suite_job.c: a process and what it starts, which end in time. */
typedef enum { JOB_RUNNING, JOB_ENDED, JOB_TOO_LONG, JOB_TOO_MUCH } job_state;
typedef struct {
    size_t slot; /* among those that run at once */
    const char *input, *output, *errors;
    double deadline; /* seconds of a clock; when it has passed: until it is killed */
    pid_t pid;
    job_state state; /* JOB_TOO_LONG and JOB_TOO_MUCH while it is being ended, too */
} suite_job;

/* What a job may print. */
enum { MOST_OUTPUT = 64 << 20 };

/* Starts work(x) in a process of its own, with the job's files as its standard streams; its result is the exit
 * status.  It has `seconds`. */
void job_start(suite_job *j, long seconds, int (*work)(void *), void *x);
/* Whether it has ended; then *status is its exit status.  One that takes too long, or prints too much, is ended. */
bool job_has_ended(suite_job *j, int *status);

/* ---- suite_case.c: a program of a suite, translated and run step by step. */
typedef struct {
    arena *memory;
    const options *options;
    mpi_kind kind; /* without --serial */
} suite;

typedef enum { STEP_REFUSED, STEP_TRANSLATE_SERIAL, STEP_RUN_SERIAL, STEP_TRANSLATE, STEP_RUN, STEP_NONE } suite_step;
typedef struct {
    const suite *suite;
    const char *path, *base;      /* DIR/NAME.dpc, DIR/NAME */
    words flags, arguments;       /* of NAME.flags, NAME.args */
    const char *input;            /* NAME.in or /dev/null */
    const char *output, *refusal; /* NAME.out and NAME.error, or NULL */
    const char *messages;         /* NAME.err, or NULL */
    int status;                   /* of NAME.status, or 0 */
    long *processes;              /* numbers to run it on */
    size_t runs, capacity;
    const char *skipped;   /* why, or NULL */
    const char *directory; /* for its programs and what they print */
    suite_step step;
    size_t run; /* STEP_RUN: which */
    suite_job job;
    text report; /* diagnostics of TAP */
    size_t faults;
} suite_case;

/* Reads the files beside DIR/NAME.dpc.  Ends with STATUS_FAILED where one is unreadable or means nothing. */
suite_case case_of(const suite *s, const char *path);
/* Starts its first step in a slot of the jobs. */
void case_start(suite_case *c, size_t slot);
/* Whether it is through; begins the next step when one has ended. */
bool case_has_ended(suite_case *c);

/* ---- suite_report.c: lines that explain a failure, each with # before it. */
void report_line(suite_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first lines of a file. */
void report_file(suite_case *c, const char *path);
/* How `got` differs from `expected`. */
void report_difference(suite_case *c, const char *expected, const char *got);
/* The command that does the step again. */
void report_command(suite_case *c);
/* "ok 3 - DIR/NAME: ..." and the diagnostics, on standard output. */
void report_case(suite_case *c, size_t number);

/* ---- suite_files.c */
/* The content of a file with a NUL behind it; NULL where there is none.  Ends with STATUS_FAILED where it cannot be
 * read. */
const char *file_content(arena *a, const char *path, size_t *length);
bool files_equal(const char *first, const char *second);
/* Whether every line of the file `wanted` is part of `said`; else *missing is the first one that is not. */
bool says_lines(arena *a, const char *wanted, const char *said, const char **missing);
/* --update: what NAME.error has to be, the errors at the source among the messages; false where there are none. */
bool write_refusal(arena *a, const char *source, const char *messages, const char *target);
/* --update: the test's file becomes what was printed. */
void write_output(arena *a, const char *printed, const char *target);
/* Lines of a file: those that say an error, or (all) that are not empty. */
size_t count_lines(arena *a, const char *path, bool all);
bool has_content(const char *path);

#endif

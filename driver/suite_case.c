/* A program of a suite: the files beside it, its translations and runs, and what they must give. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

/* ---- The files beside it */
/* The number in NAME.SUFFIX, from `least` to `most`; `otherwise` where there is no such file. */
static long number_beside(const suite_case *c, const char *suffix, long least, long most, long otherwise) {
    const char *path = arena_format(c->suite->memory, "%s%s", c->base, suffix);
    const char *content = file_content(c->suite->memory, path, NULL);
    char *end;
    if (!content) return otherwise;
    errno = 0;
    const long number = strtol(content, &end, 10);
    const bool is_number = end != content && !end[strspn(end, " \t\r\n")] && !errno;
    if (!is_number || number < least || number > most)
        fail(STATUS_FAILED, arena_format(c->suite->memory, "write it anew: echo %ld >%s", otherwise, path),
             "'%s' has to be a number from %ld to %ld", path, least, most);
    return number;
}

static const char *existing_beside(const suite_case *c, const char *suffix) {
    const char *path = arena_format(c->suite->memory, "%s%s", c->base, suffix);
    if (access(path, F_OK) != 0 && errno == ENOENT) return NULL;
    if (access(path, R_OK) != 0) fail_to_read(path, errno);
    return path;
}

/* A word of NAME.flags that names a file beside the program is that file. */
static const char *flag_beside(const suite_case *c, const char *word) {
    const char *slash = strrchr(c->path, '/');
    struct stat s;
    if (*word == '-' || *word == '/' || !slash) return word;
    const char *beside = arena_format(c->suite->memory, "%.*s/%s", (int)(slash - c->path), c->path, word);
    return stat(beside, &s) == 0 && S_ISREG(s.st_mode) ? beside : word;
}

static void read_words(const suite_case *c, const char *suffix, words *list) {
    const char *path = arena_format(c->suite->memory, "%s%s", c->base, suffix);
    const char *content = file_content(c->suite->memory, path, NULL);
    words_start(list, c->suite->memory);
    if (content) words_split(list, content);
}

static void read_flags(suite_case *c) {
    read_words(c, ".flags", &c->flags);
    for (size_t i = 0; i < c->flags.count; i++) c->flags.item[i] = flag_beside(c, c->flags.item[i]);
}

/* --np of its flags: the only number that it can be run on; 0: any. */
static long fixed_number(const suite_case *c) {
    long number = c->suite->options->fixed_processes;
    for (size_t i = 0; i < c->flags.count; i++) {
        const char *word = c->flags.item[i];
        if (!strncmp(word, "--np=", 5)) number = atol(word + 5);
        if (!strcmp(word, "--np") && i + 1 < c->flags.count) number = atol(c->flags.item[i + 1]);
    }
    return number;
}

static void add_run(suite_case *c, long processes) {
    vector_add(c->suite->memory, c->processes, c->runs, c->capacity, processes);
}

static void choose_runs(suite_case *c) {
    static const long usual[] = {1, 2, 3, 4, 7};
    const options *o = c->suite->options;
    const long least = number_beside(c, ".np", 1, 1 << 22, 1), fixed = fixed_number(c);
    const size_t count = o->count_count ? o->count_count : sizeof usual / sizeof *usual;
    const long *numbers = o->count_count ? o->counts : usual;
    for (size_t k = 0; k < count && !fixed && !o->serial; k++)
        if (numbers[k] >= least) add_run(c, numbers[k]);
    if (fixed > 0 && !o->serial) add_run(c, fixed);
}

static bool package_is_installed(arena *a, const char *package) {
    const char *const list[] = {"pkg-config", "--exists", package};
    words command;
    int status;
    if (!find_command(a, "pkg-config")) return false;
    words_start(&command, a);
    for (size_t i = 0; i < 3; i++) words_add(&command, list[i]);
    output_of_command(a, &command, true, &status);
    return status == 0;
}

/* NAME.needs: a package of pkg-config, then perhaps the runs that there are, MPI:PROCESSES each. */
static void read_needs(suite_case *c) {
    arena *a = c->suite->memory;
    const char *content = file_content(a, arena_format(a, "%s.needs", c->base), NULL);
    const char *kind = mpi_kind_name(c->suite->kind);
    const size_t length = strlen(kind);
    words needs;
    words_start(&needs, a);
    if (content) words_split(&needs, content);
    if (!needs.count) return;
    if (!package_is_installed(a, needs.item[0])) c->skipped = arena_format(a, "%s is not installed", needs.item[0]);
    if (needs.count == 1 || c->suite->options->serial || c->skipped) return;
    c->runs = 0;
    for (size_t i = 1; i < needs.count; i++) {
        const char *word = needs.item[i];
        if (!strncmp(word, kind, length) && word[length] == ':' && isdigit((unsigned char)word[length + 1]))
            add_run(c, atol(word + length + 1));
    }
    if (!c->runs) c->skipped = arena_format(a, "it is not for %s", kind);
}

suite_case case_of(const suite *s, const char *path) {
    suite_case c = {.suite = s, .path = path, .base = arena_text(s->memory, path, strlen(path) - strlen(".dpc"))};
    if (access(path, R_OK) != 0) fail_to_read(path, errno);
    const char *typed = existing_beside(&c, ".in");
    c.input = typed ? typed : "/dev/null";
    c.output = existing_beside(&c, ".out");
    c.refusal = existing_beside(&c, ".error");
    c.messages = existing_beside(&c, ".err");
    if (c.output && c.refusal)
        fail(STATUS_FAILED, "a program is refused, or prints something", "there are '%s' and '%s'", c.output,
             c.refusal);
    c.status = (int)number_beside(&c, ".status", 0, 255, 0);
    text_start(&c.report, s->memory);
    read_flags(&c);
    read_words(&c, ".args", &c.arguments);
    choose_runs(&c);
    read_needs(&c);
    return c;
}

/* ---- Its steps */
static const char *in_directory(const suite_case *c, const char *name) {
    return temporary_file(c->suite->memory, c->directory, name);
}

static const char *program_of(const suite_case *c) {
    return in_directory(c, c->step == STEP_TRANSLATE_SERIAL || c->step == STEP_RUN_SERIAL ? "serial" : "program");
}

static int translate_case(void *x) {
    const suite_case *c = x;
    words command;
    words_start(&command, c->suite->memory);
    words_add(&command, "/proc/self/exe");
    words_add(&command, c->path);
    words_add_all(&command, &c->suite->options->suite.given);
    words_add_all(&command, &c->flags);
    if (c->step == STEP_TRANSLATE_SERIAL) words_add(&command, "--serial");
    words_add(&command, "-o");
    words_add(&command, program_of(c));
    return run_command(&command);
}

/* In an empty directory, so that runs share no files. */
static int run_case(void *x) {
    const suite_case *c = x;
    arena *a = c->suite->memory;
    input source = {INPUT_DPC, c->path};
    options o = {
        .memory = a, .last = STAGE_LINK, .serial = c->step == STEP_RUN_SERIAL, .inputs = &source, .input_count = 1};
    toolchain t;
    if (c->step == STEP_RUN) o.processes = c->processes[c->run];
    words_start(&o.arguments, a);
    words_add_all(&o.arguments, &c->arguments);
    toolchain_start(&t, a, &o);
    t.kind = c->suite->kind;
    t.kind_known = !o.serial;
    const char *directory = temporary_directory(a, NULL);
    if (chdir(directory) != 0) fail(STATUS_FAILED, NULL, "cannot enter '%s': %s", directory, strerror(errno));
    return launch(&t, program_of(c));
}

static void start_step(suite_case *c) {
    const bool runs = c->step == STEP_RUN_SERIAL || c->step == STEP_RUN;
    c->job.input = runs ? c->input : "/dev/null";
    c->job.output = in_directory(c, c->step == STEP_RUN_SERIAL ? "serial-output" : "output");
    c->job.errors = in_directory(c, c->step == STEP_RUN_SERIAL ? "serial-messages" : "messages");
    job_start(&c->job, c->suite->options->suite.seconds, runs ? run_case : translate_case, c);
}

void case_start(suite_case *c, size_t slot) {
    arena *a = c->suite->memory;
    char *real = realpath(temporary_directory(a, NULL), NULL);
    if (!real) fail(STATUS_FAILED, NULL, "cannot find a directory again: %s", strerror(errno));
    c->directory = arena_text(a, real, strlen(real));
    free(real);
    c->job.slot = slot;
    c->step = c->refusal ? STEP_REFUSED : STEP_TRANSLATE_SERIAL;
    start_step(c);
}

/* ---- What they must give */
/* Begins the account of a failure. */
static void __attribute__((format(printf, 2, 3))) fail_step(suite_case *c, const char *format, ...) {
    static const char *const titles[] = {"translation", "translation with --serial", "run with --serial",
                                         "translation"};
    va_list arguments;
    va_start(arguments, format);
    const char *why = arena_vformat(c->suite->memory, format, arguments);
    va_end(arguments);
    if (c->step == STEP_RUN)
        report_line(c, "run on %ld process%s: %s", c->processes[c->run], c->processes[c->run] == 1 ? "" : "es", why);
    else
        report_line(c, "%s: %s", titles[c->step], why);
    c->faults++;
}

/* Whether it ended by itself. */
static bool ended_itself(suite_case *c) {
    if (c->job.state == JOB_TOO_LONG)
        fail_step(c, "not finished after %ld s (--timeout)", c->suite->options->suite.seconds);
    else if (c->job.state == JOB_TOO_MUCH)
        fail_step(c, "it prints more than %d MiB", MOST_OUTPUT >> 20);
    return c->job.state == JOB_ENDED;
}

/* --update: a file of the test becomes what was printed, and the account says how it differs. */
static void update_file(suite_case *c, const char *printed, const char *target) {
    const bool known = access(target, F_OK) == 0;
    if (files_equal(printed, target)) return;
    report_line(c, "written: %s%s", target, known ? "" : ", which is new");
    if (known) report_difference(c, target, printed);
    write_output(c->suite->memory, printed, target);
}

/* --strict: no other errors, and nothing is made. */
static void judge_rest_of_refusal(suite_case *c, const char *target) {
    const size_t wanted = count_lines(c->suite->memory, target, true),
                 said = count_lines(c->suite->memory, c->job.errors, false);
    if (said != wanted) fail_step(c, "%zu errors, and '%s' has %zu", said, target, wanted);
    if (has_content(c->job.output)) fail_step(c, "it prints something on standard output");
    if (access(program_of(c), F_OK) == 0) fail_step(c, "it makes a program");
}

/* The diagnostics of a program that is refused. */
static void judge_refusal(suite_case *c, int status) {
    arena *a = c->suite->memory;
    const suite_options *o = &c->suite->options->suite;
    const char *missing = NULL, *target = arena_format(a, "%s.error", c->base), *errors = in_directory(c, "errors");
    if (status != STATUS_SOURCE) {
        fail_step(c, "exit status %d, not %d as '%s' wants", status, STATUS_SOURCE, target);
        return;
    }
    if (o->update && !write_refusal(a, c->path, c->job.errors, errors)) {
        fail_step(c, "no error at a place in '%s'", c->path);
        return;
    }
    if (o->update) update_file(c, errors, target);
    if (!says_lines(a, target, c->job.errors, &missing)) fail_step(c, "not said: %s", missing);
    if (o->strict) judge_rest_of_refusal(c, target);
}

static void judge_translation(suite_case *c, int status) {
    if (status != 0)
        fail_step(c, "exit status %d", status);
    else if (c->suite->options->suite.strict && has_content(c->job.errors))
        fail_step(c, "it says something (--strict)");
}

/* What it prints: NAME.out, else what the serial program prints. */
static const char *expected_output(const suite_case *c) {
    return c->output ? c->output : in_directory(c, "serial-output");
}

/* --strict: without NAME.err, what is said with --serial, unless launchers remark upon the program's end. */
static void judge_said(suite_case *c, int status) {
    const char *serial = in_directory(c, "serial-messages");
    if (c->step != STEP_RUN || (status != 0 && c->suite->kind != MPI_SMPI) || files_equal(serial, c->job.errors))
        return;
    fail_step(c, "standard error differs from that with --serial (--strict)");
    report_difference(c, serial, c->job.errors);
}

/* NAME.err is all of standard error; of a program that fails, whose end launchers remark upon, each of its lines is in
 * it. */
static void judge_messages(suite_case *c, int status) {
    const char *missing = NULL;
    if (!c->messages && c->suite->options->suite.strict) judge_said(c, status);
    if (!c->messages) return;
    if (status != 0) {
        if (!says_lines(c->suite->memory, c->messages, c->job.errors, &missing))
            fail_step(c, "not said on standard error: %s", missing);
    } else if (!files_equal(c->messages, c->job.errors)) {
        fail_step(c, "standard error differs from %s", c->messages);
        report_difference(c, c->messages, c->job.errors);
    }
}

static void judge_run(suite_case *c, int status) {
    if (status != c->status) {
        fail_step(c, "exit status %d, not %d", status, c->status);
        return;
    }
    if (c->step == STEP_RUN_SERIAL && c->suite->options->suite.update) {
        c->output = arena_format(c->suite->memory, "%s.out", c->base);
        update_file(c, c->job.output, c->output);
        /* of what is said when a program fails, the test's author has chosen the lines */
        if (c->messages && status == 0) update_file(c, c->job.errors, c->messages);
    }
    judge_messages(c, status);
    if (files_equal(expected_output(c), c->job.output)) return;
    fail_step(c, "standard output differs from %s", c->output ? c->output : "that with --serial");
    report_difference(c, expected_output(c), c->job.output);
}

static void judge(suite_case *c, int status) {
    const size_t before = c->faults;
    if (ended_itself(c)) {
        if (c->step == STEP_REFUSED)
            judge_refusal(c, status);
        else if (c->step == STEP_RUN || c->step == STEP_RUN_SERIAL)
            judge_run(c, status);
        else
            judge_translation(c, status);
    }
    if (c->faults == before) return;
    report_file(c, c->job.errors);
    report_command(c);
}

/* --update makes a test of a program that is refused, if nothing says that it prints something. */
static bool becomes_refused(const suite_case *c, int status) {
    return c->step == STEP_TRANSLATE_SERIAL && c->job.state == JOB_ENDED && status == STATUS_SOURCE &&
           c->suite->options->suite.update && !c->output;
}

/* A run that fails does not keep the others from being tried; without a program, or an output, there are none. */
static suite_step next_step(suite_case *c) {
    switch (c->step) {
    case STEP_TRANSLATE_SERIAL:
        return access(in_directory(c, "serial"), X_OK) == 0 ? STEP_RUN_SERIAL : STEP_NONE;
    case STEP_RUN_SERIAL:
        return c->runs && (c->output || !c->faults) ? STEP_TRANSLATE : STEP_NONE;
    case STEP_TRANSLATE:
        return access(in_directory(c, "program"), X_OK) == 0 ? STEP_RUN : STEP_NONE;
    case STEP_RUN:
        return ++c->run < c->runs ? STEP_RUN : STEP_NONE;
    default:
        return STEP_NONE;
    }
}

bool case_has_ended(suite_case *c) {
    int status;
    if (!job_has_ended(&c->job, &status)) return false;
    if (becomes_refused(c, status)) {
        c->refusal = arena_format(c->suite->memory, "%s.error", c->base);
        c->step = STEP_REFUSED;
    } else {
        judge(c, status);
        c->step = next_step(c);
    }
    if (c->step == STEP_NONE) return true;
    start_step(c);
    return false;
}

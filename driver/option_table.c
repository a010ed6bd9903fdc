/* The table of options, and what each sets: an option is a row here. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../analysis/model/analysis.h"
#include "../ir/diagnostic_json.h"
#include "../runtime/base/names.h"
#include "../ir/warnings.h"
#include "options.h"

static void set_preprocess_only(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->last = STAGE_PREPROCESS;
}
static void set_translate(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->last = STAGE_TRANSLATE;
}
static void set_compile(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->last = STAGE_COMPILE;
}
static void set_serial(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->serial = true;
}
static void set_openmp(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->openmp = true;
    words_add(&o->compile, "-fopenmp");
}
static void set_reproducible(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->reproducible = true;
}
static void set_run(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->run = true;
}
static void set_standalone(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->standalone = true;
}
static void set_calibrate(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->calibrate = true;
}
static void set_lsp(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->lsp = true;
}
/* -MD, -MMD, -M, -MM: the row's spelling says which. */
static void set_dependencies(options *o, const option_row *r, const char *v) {
    (void)v;
    o->dependencies.system = o->dependencies.system || strstr(r->spelling, "MM") == NULL;
    o->dependencies.kind = r->spelling[strlen(r->spelling) - 1] == 'D' ? DEPENDENCIES_BESIDE : DEPENDENCIES_ALONE;
}
static void set_dependency_file(options *o, const option_row *r, const char *v) {
    if (!*v) fail(STATUS_COMMAND, usage_of(o->memory, r), "%s needs a file name", r->spelling);
    o->dependencies.file = v;
}
static void pass_dependency(options *o, const option_row *r, const char *v) {
    words_add(&o->dependencies.words, r->spelling);
    if (v) words_add(&o->dependencies.words, v);
    o->dependencies.targets = o->dependencies.targets || v;
}
static void set_verbose(options *o, const option_row *r, const char *v) {
    (void)o, (void)r, (void)v, show_commands();
}
static void set_report(options *o, const option_row *r, const char *v) {
    if (!*v) fail(STATUS_COMMAND, usage_of(o->memory, r), "%s needs a file name", r->spelling);
    o->report = v;
}
static void set_stats(options *o, const option_row *r, const char *v) {
    if (!*v) fail(STATUS_COMMAND, usage_of(o->memory, r), "%s needs a file name", r->spelling);
    o->stats = v;
}
static void set_time(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->time = true;
}
static void set_output(options *o, const option_row *r, const char *v) {
    if (!*v) fail(STATUS_COMMAND, usage_of(o->memory, r), "%s needs a file name", r->spelling);
    o->output = v;
}

enum { MOST_PROCESSES = 1 << 22 };

static long positive_number(const options *o, const option_row *row, const char *value) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno || number < 1)
        fail(STATUS_COMMAND, usage_of(o->memory, row), "%s takes a number of processes, 1 or more, not '%s'",
             row->spelling, value);
    if (number > MOST_PROCESSES)
        fail(STATUS_COMMAND, usage_of(o->memory, row), "%s takes a number of processes up to %d, not '%s'",
             row->spelling, MOST_PROCESSES, value);
    return number;
}
/* 4, or 1,4,16 for --simulate and --test. */
static void set_processes(options *o, const option_row *r, const char *v) {
    o->count_count = 0;
    for (const char *at = v; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const long count = positive_number(o, r, arena_text(o->memory, at, strcspn(at, ",")));
        vector_add(o->memory, o->counts, o->count_count, o->count_capacity, count);
    }
    o->processes = o->counts[0];
}
static void set_simulate(options *o, const option_row *r, const char *v) {
    (void)r, o->simulate = o->run = true;
    o->platform = v;
}
static void set_test(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->suite.test = true;
}
static void set_strict(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->suite.strict = true;
}

static void set_update(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->suite.update = true;
}
/* A number from 1 to `most`. */
static long number_up_to(const options *o, const option_row *row, const char *value, long most) {
    char *end;
    const long number = isdigit((unsigned char)*value) ? strtol(value, &end, 10) : 0;
    if (number < 1 || *end || number > most)
        fail(STATUS_COMMAND, usage_of(o->memory, row), "%s takes a number from 1 to %ld, not '%s'", row->spelling, most,
             value);
    return number;
}
static void set_jobs(options *o, const option_row *r, const char *v) {
    o->suite.jobs = number_up_to(o, r, v, MOST_GROUPS);
}
enum { MOST_SECONDS = 1000000 };
static void set_timeout(options *o, const option_row *r, const char *v) {
    o->suite.seconds = number_up_to(o, r, v, MOST_SECONDS);
}
static void set_fixed(options *o, const option_row *r, const char *v) {
    o->fixed_processes = positive_number(o, r, v);
}

/* "2,0": processes that send and receive. */
static void set_pair(options *o, const option_row *r, const char *v) {
    char *end;
    o->pair[0] = strtol(v, &end, 10);
    const bool two = end != v && *end == ',' && isdigit((unsigned char)*v) && isdigit((unsigned char)end[1]);
    if (two) o->pair[1] = strtol(end + 1, &end, 10);
    if (!two || *end)
        fail(STATUS_COMMAND, "--pair=2,0 shows what process 2 sends to process 0",
             "%s needs two numbers of processes, not '%s'", r->spelling, v);
    o->has_pair = true;
}

/* The number of `value` among the row's choices. */
static int choice(const option_row *row, const char *value) {
    const char *rest = row->choices;
    size_t length = strlen(value);
    for (int number = 0; *rest; number++) {
        size_t width = strcspn(rest, "|");
        if (width == length && strncmp(rest, value, width) == 0) return number;
        rest += width + (rest[width] != '\0');
    }
    return -1;
}

static void check_choice(options *o, const option_row *row, const char *value) {
    text help;
    if (choice(row, value) >= 0) return;
    text_start(&help, o->memory);
    text_add(&help, "one of ");
    for (const char *c = row->choices; *c; c++) {
        if (*c == '|')
            text_add(&help, ", ");
        else
            text_add_bytes(&help, c, 1);
    }
    fail(STATUS_COMMAND, text_of(&help), "unknown value '%s' of %s", value, row->spelling);
}

/* after:NAME, the program as a pass of the analysis leaves it. */
static void set_dump_after(options *o, const char *name) {
    size_t count;
    text help;
    const pass_row *row = analysis_passes(&count);
    text_start(&help, o->memory);
    o->dump = DUMP_AFTER;
    o->dump_after = name;
    for (size_t k = 0; k < count; k++) {
        if (!strcmp(row[k].name, name)) return;
        text_add(&help, k ? ", " : "one of ");
        text_add(&help, row[k].name);
    }
    fail(STATUS_COMMAND, text_of(&help), "there is no pass '%s'", name);
}

static void set_dump(options *o, const option_row *row, const char *value) {
    if (!strncmp(value, "after:", 6)) {
        set_dump_after(o, value + 6);
        return;
    }
    check_choice(o, row, value);
    o->dump = (dump_kind)(DUMP_TOKENS + choice(row, value));
}
static void set_diagnostics(options *o, const option_row *row, const char *value) {
    check_choice(o, row, value);
    if (choice(row, value) == 1) diagnostics_as_json();
}
static void set_explain(options *o, const option_row *row, const char *value) {
    if (value) check_choice(o, row, value);
    o->explain = value ? (explain_kind)(EXPLAIN_TEXT + choice(row, value)) : EXPLAIN_TEXT;
}
static void set_check(options *o, const option_row *row, const char *value) {
    check_choice(o, row, value);
    o->check = (check_kind)choice(row, value);
}
/* In the order of set_method, which has METHOD_RUN_TIME where there is no choice. */
static void set_sets(options *o, const option_row *row, const char *value) {
    check_choice(o, row, value);
    const int number = choice(row, value);
    o->sets = number == 0 ? METHOD_NONE : (set_method)(METHOD_CLOSED + number - 1);
}
static void set_model(options *o, const option_row *row, const char *value) {
    check_choice(o, row, value);
    o->model = (comm_model)choice(row, value);
}
static void set_redistribute(options *o, const option_row *row, const char *value) {
    check_choice(o, row, value);
    o->redistribute = value;
}
static void set_schedule(options *o, const option_row *row, const char *value) {
    check_choice(o, row, value);
    o->schedule = value;
}
enum { MOST_TOGETHER = 1 << 10 };
static void set_time_tiling(options *o, const option_row *row, const char *value) {
    char *end;
    const long number = strtol(value, &end, 10);
    const bool counts = isdigit((unsigned char)*value) && !*end && number >= 1 && number <= MOST_TOGETHER;
    if (!counts) check_choice(o, row, value);
    o->time_tiling = counts ? (int)number : choice(row, value) == 0 ? 0 : -1;
}

/* Options that are handed to the C compiler: as they stand, or spelling and value in one word or in two. */
static const char *joined(options *o, const option_row *r, const char *v) {
    return v ? arena_format(o->memory, "%s%s", r->spelling, v) : r->spelling;
}
static void pass_preprocess(options *o, const option_row *r, const char *v) {
    words_add(&o->preprocess, joined(o, r, v));
}
static void pass_compile(options *o, const option_row *r, const char *v) {
    words_add(&o->compile, joined(o, r, v));
}
/* -W..., -w: the C compiler's, but for the names of dpcc's own warnings. */
static void pass_warning(options *o, const option_row *r, const char *v) {
    const char *word = joined(o, r, v);
    if (set_warning_option(word) != OWN) words_add(&o->compile, word);
}
static void pass_directory(options *o, const option_row *r, const char *v) {
    words_add(&o->preprocess, r->spelling);
    words_add(&o->preprocess, plain_path(o->memory, v));
}
static void pass_include(options *o, const option_row *r, const char *v) {
    words_add(&o->include, r->spelling);
    words_add(&o->include, plain_path(o->memory, v));
}
static void pass_link(options *o, const option_row *r, const char *v) {
    add_program_input(o, INPUT_LINK_OPTION, joined(o, r, v));
}

/* ---- The table */
const option_row option_table[] = {
    {NULL, NO_VALUE, NULL, NULL, NULL, "What is made (with none of these: the program a.out)"},
    {"-S", NO_VALUE, set_translate, NULL, "", "FILE.c, readable C11 and MPI"},
    {"-c", NO_VALUE, set_compile, NULL, "", "FILE.o"},
    {"-E", NO_VALUE, set_preprocess_only, NULL, "", "the preprocessed source, on standard output"},
    {"-o", SEPARATE, set_output, NULL, " FILE", "the output's name; - is standard output with -S and -E"},
    {"--standalone", NO_VALUE, set_standalone, NULL, "", "FILE.c with all that it uses of libdpc, for any mpicc"},
    {"--serial", NO_VALUE, set_serial, NULL, "", "sequential C without MPI: what the program means"},
    {"--run", NO_VALUE, set_run, NULL, "", "run it now; the program's arguments stand after --"},
    {"-no-pie", NO_VALUE, pass_link, NULL, NULL, NULL}, /* before -n, which takes what follows */
    {"-n", SEPARATE, set_processes, NULL, " N",
     "with --run: on N processes (default: the cores); --simulate, --test: N,N,..."},

    {NULL, NO_VALUE, NULL, NULL, NULL, "How it is translated"},
    {"--np", EQUALS, set_fixed, NULL, "=N", "for exactly N processes"},
    {"--pair", EQUALS, set_pair, NULL, "=P,Q", "with --explain --np=N: the elements that process P sends to process Q"},
    {"--check", EQUALS, set_check, "none|bounds|all", "=none|bounds|all",
     "run-time checks in the program (default: bounds)"},
    {"--sets", EQUALS, set_sets, "auto|closed|rowwise|lattice|enumerate", "=auto|closed|rowwise|lattice|enumerate",
     "how communication sets are found"},
    {"--model", EQUALS, set_model, "auto|conventional|deposit", "=auto|conventional|deposit",
     "what messages carry: values, or addresses and values"},
    {"--redistribute", EQUALS, set_redistribute, dpc_redistribution_methods, "=auto|NAME", "method of redistribution"},
    {"--schedule", EQUALS, set_schedule, dpc_redistribution_schedules, "=auto|NAME",
     "order of a redistribution's messages"},
    {"--reproducible", NO_VALUE, set_reproducible, NULL, "",
     "floating-point sums with the same bits on any number of processes"},
    {"--time-tiling", EQUALS, set_time_tiling, "auto|none", "=auto|none|N",
     "loops around stencils: N iterations in one pass over memory"},
    {"--openmp", NO_VALUE, set_openmp, NULL, "", "threads share the loops of each process (OpenMP)"},

    {NULL, NO_VALUE, NULL, NULL, NULL, "What is told"},
    {"--explain", MAYBE, set_explain, "text|json", "[=text|json]", "what was decided, and what it costs"},
    {"--diagnostics", EQUALS, set_diagnostics, "text|json", "=text|json",
     "errors and warnings as text, or as lines of JSON"},
    {"--lsp", NO_VALUE, set_lsp, NULL, "", "a language server for editors, on standard input and output"},
    {"--report", EQUALS, set_report, NULL, "=FILE.html", "a page of it; with --run, of what a run has counted, too"},
    {"--stats", EQUALS, set_stats, NULL, "=FILE.json", "with --report: what DPC_STATS=FILE.json has written"},
    {"--simulate", MAYBE, set_simulate, NULL, "[=PLATFORM.xml|nodes=..]",
     "run on simulated processes (SimGrid), and how long it takes there"},
    {"--dump", EQUALS, set_dump, "tokens|ast|ir|plan", "=tokens|ast|ir|plan|after:PASS",
     "a stage of the compiler, on standard output"},
    {"--time", NO_VALUE, set_time, NULL, "", "seconds per pass, on standard error"},
    {"--calibrate", NO_VALUE, set_calibrate, NULL, "", "measure this machine, for the choices that dpcc makes"},
    {"-v", NO_VALUE, set_verbose, NULL, "", "the commands that are run, on standard error"},
    {"-h", NO_VALUE, print_help, NULL, NULL, NULL},
    {"--help", NO_VALUE, print_help, NULL, "", "this"},
    {"--version", NO_VALUE, print_version, NULL, "", "its number"},

    {NULL, NO_VALUE, NULL, NULL, NULL, "Regression suites"},
    {"--test", NO_VALUE, set_test, NULL, " DIRECTORY...", "run each NAME.dpc, compare with NAME.out or --serial: TAP"},
    {"-j", SEPARATE, set_jobs, NULL, " N", "so many programs at once (default: the cores)"},
    {"--timeout", EQUALS, set_timeout, NULL, "=SECONDS", "for each translation and run (default: 60)"},
    {"--strict", NO_VALUE, set_strict, NULL, "", "what is said counts: warnings, standard error, the number of errors"},
    {"--update", NO_VALUE, set_update, NULL, "", "write NAME.out and NAME.error, and NAME.err where there is one"},

    {NULL, NO_VALUE, NULL, NULL, NULL, "Rules for make"},
    {"-MMD", NO_VALUE, set_dependencies, NULL, "", "FILE.d beside what is made: which files the source includes"},
    {"-MD", NO_VALUE, set_dependencies, NULL, "", "the same with headers of the system"},
    {"-MM", NO_VALUE, set_dependencies, NULL, "", "only that, on standard output"},
    {"-MF", NEXT_WORD, set_dependency_file, NULL, " FILE", "into this file"},
    {"-MT", NEXT_WORD, pass_dependency, NULL, " TARGET", "what the rule makes"},
    {"-MQ", NEXT_WORD, pass_dependency, NULL, NULL, NULL},
    {"-MP", NO_VALUE, pass_dependency, NULL, "", "an empty rule for each header, so that it may go"},
    {"-MG", NO_VALUE, pass_dependency, NULL, NULL, NULL},
    {"-M", NO_VALUE, set_dependencies, NULL, NULL, NULL},

    {"-D", SEPARATE, pass_preprocess, NULL, NULL, NULL},
    {"-U", SEPARATE, pass_preprocess, NULL, NULL, NULL},
    {"-I", SEPARATE, pass_preprocess, NULL, NULL, NULL},
    {"-isystem", NEXT_WORD, pass_directory, NULL, NULL, NULL},
    {"-iquote", NEXT_WORD, pass_directory, NULL, NULL, NULL},
    {"-idirafter", NEXT_WORD, pass_directory, NULL, NULL, NULL},
    {"-include", NEXT_WORD, pass_include, NULL, NULL, NULL},
    {"-l", SEPARATE, pass_link, NULL, NULL, NULL},
    {"-L", SEPARATE, pass_link, NULL, NULL, NULL},
    {"-Wl,", JOINED, pass_link, NULL, NULL, NULL},
    {"-static", NO_VALUE, pass_link, NULL, NULL, NULL},
    {"-shared", NO_VALUE, pass_link, NULL, NULL, NULL},
    {"-pie", NO_VALUE, pass_link, NULL, NULL, NULL},
    {"-rdynamic", NO_VALUE, pass_link, NULL, NULL, NULL},
    {"-s", NO_VALUE, pass_link, NULL, NULL, NULL},
    {"-std=", JOINED, pass_compile, NULL, NULL, NULL},
    {"-ansi", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-trigraphs", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-pthread", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-pedantic", JOINED, pass_compile, NULL, NULL, NULL},
    {"-pg", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-pipe", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-w", NO_VALUE, pass_warning, NULL, NULL, NULL},
    {"-O", JOINED, pass_compile, NULL, NULL, NULL},
    {"-g", JOINED, pass_compile, NULL, NULL, NULL},
    {"-f", JOINED, pass_compile, NULL, NULL, NULL},
    {"-m", JOINED, pass_compile, NULL, NULL, NULL},
    {"-W", JOINED, pass_warning, NULL, NULL, NULL},
};
const size_t option_rows = sizeof option_table / sizeof *option_table;

/* The command line: a table of options, and what each sets. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analysis/model/analysis.h"
#include "driver.h"
#include "../runtime/base/names.h"

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

/* ---- What options do */
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
static void set_quiet_loops(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->quiet_loops = true;
}
static void set_quiet_updates(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->quiet_updates = true;
}
static void set_quiet_copies(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->quiet_copies = true;
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
static void set_time(options *o, const option_row *r, const char *v) {
    (void)r, (void)v, o->time = true;
}
static void set_output(options *o, const option_row *r, const char *v) {
    if (!*v) fail(STATUS_COMMAND, NULL, "%s needs a file name", r->spelling);
    o->output = v;
}

enum { MOST_PROCESSES = 1 << 22 };

static long positive_number(const option_row *row, const char *value) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno || number < 1)
        fail(STATUS_COMMAND, NULL, "%s takes a number of processes, 1 or more, not '%s'", row->spelling, value);
    if (number > MOST_PROCESSES)
        fail(STATUS_COMMAND, NULL, "%s takes a number of processes up to %d, not '%s'", row->spelling, MOST_PROCESSES,
             value);
    return number;
}
static void set_processes(options *o, const option_row *r, const char *v) {
    o->processes = positive_number(r, v);
}
static void set_fixed(options *o, const option_row *r, const char *v) {
    o->fixed_processes = positive_number(r, v);
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
static void not_implemented(options *o, const option_row *row, const char *value) {
    (void)o, (void)value;
    fail(STATUS_COMMAND, NULL, "%s is not implemented yet", row->spelling);
}

/* A path that the C compiler takes for nothing else: neither for an option nor for a file of options (@FILE). */
static const char *plain_path(arena *a, const char *path) {
    return *path == '-' || *path == '@' ? arena_format(a, "./%s", path) : path;
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
static void pass_directory(options *o, const option_row *r, const char *v) {
    words_add(&o->preprocess, r->spelling);
    words_add(&o->preprocess, plain_path(o->memory, v));
}
static void pass_include(options *o, const option_row *r, const char *v) {
    words_add(&o->include, r->spelling);
    words_add(&o->include, plain_path(o->memory, v));
}
static void add_input(options *o, input_kind kind, const char *path) {
    vector_add(o->memory, o->inputs, o->input_count, o->input_capacity, ((input){kind, path}));
}
static void pass_link(options *o, const option_row *r, const char *v) {
    add_input(o, INPUT_LINK_OPTION, joined(o, r, v));
}

static _Noreturn void end_of_text(void) {
    if (fflush(stdout) != 0) fail(STATUS_FAILED, NULL, "cannot write standard output: %s", strerror(errno));
    exit(STATUS_SUCCESS);
}

static void print_help(options *o, const option_row *row, const char *value);
static void print_version(options *o, const option_row *row, const char *value) {
    (void)o, (void)row, (void)value;
    puts("dpcc " DPCC_VERSION " (interface " DPCC_INTERFACE ")");
    end_of_text();
}

/* ---- The table. The first row that fits wins. A row with no spelling is a heading of --help. */
static const option_row table[] = {
    {NULL, NO_VALUE, NULL, NULL, NULL, "What is made (with none of these: the program a.out)"},
    {"-S", NO_VALUE, set_translate, NULL, "", "FILE.c, readable C11 and MPI"},
    {"-c", NO_VALUE, set_compile, NULL, "", "FILE.o"},
    {"-E", NO_VALUE, set_preprocess_only, NULL, "", "the preprocessed source, on standard output"},
    {"-o", SEPARATE, set_output, NULL, " FILE", "the output's name; - is standard output with -S and -E"},
    {"--standalone", NO_VALUE, set_standalone, NULL, "", "FILE.c with all that it uses of libdpc, for any mpicc"},
    {"--serial", NO_VALUE, set_serial, NULL, "", "sequential C without MPI: what the program means"},
    {"--run", NO_VALUE, set_run, NULL, "", "run it now; the program's arguments stand after --"},
    {"-no-pie", NO_VALUE, pass_link, NULL, NULL, NULL}, /* before -n, which takes what follows */
    {"-n", SEPARATE, set_processes, NULL, " N", "with --run: on N processes (default: the cores)"},

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
    {"--report", EQUALS, not_implemented, NULL, NULL, NULL},
    {"--simulate", MAYBE, not_implemented, NULL, NULL, NULL},
    {"--dump", EQUALS, set_dump, "tokens|ast|ir|plan", "=tokens|ast|ir|plan|after:PASS",
     "a stage of the compiler, on standard output"},
    {"--time", NO_VALUE, set_time, NULL, "", "seconds per pass, on standard error"},
    {"--calibrate", NO_VALUE, set_calibrate, NULL, "", "measure this machine, for the choices that dpcc makes"},
    {"--help", NO_VALUE, print_help, NULL, "", "this"},
    {"--version", NO_VALUE, print_version, NULL, "", "its number"},

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
    {"-pipe", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-w", NO_VALUE, pass_compile, NULL, NULL, NULL},
    {"-O", JOINED, pass_compile, NULL, NULL, NULL},
    {"-g", JOINED, pass_compile, NULL, NULL, NULL},
    {"-f", JOINED, pass_compile, NULL, NULL, NULL},
    {"-m", JOINED, pass_compile, NULL, NULL, NULL},
    {"-Wno-colliding-updates", NO_VALUE, set_quiet_updates, NULL, "",
     "no warning of foralls whose iterations may update one element"},
    {"-Wno-element-loops", NO_VALUE, set_quiet_loops, NULL, "", "no warning of loops that run element by element"},
    {"-Wno-whole-copies", NO_VALUE, set_quiet_copies, NULL, "", "no warning of arrays that statements copy whole"},
    {"-W", JOINED, pass_compile, NULL, NULL, NULL},
};
enum { ROWS = sizeof table / sizeof *table };

static void print_help(options *o, const option_row *row, const char *value) {
    (void)o, (void)row, (void)value;
    puts("Usage: dpcc [options] FILE.dpc [FILE.dpc|FILE.c|FILE.o ...]\n"
         "       dpcc --run [-n N] [options] FILE.dpc [-- ARGUMENTS]\n"
         "       dpcc --calibrate\n"
         "Translates data-parallel C to C with MPI, compiles and runs it.");
    for (size_t i = 0; i < ROWS; i++) {
        const option_row *r = &table[i];
        char left[64];
        if (!r->help) continue;
        if (!r->spelling) {
            printf("\n%s:\n", r->help);
            continue;
        }
        snprintf(left, sizeof left, "%s%s", r->spelling, r->argument);
        printf("  %-26s %s\n", left, r->help);
    }
    puts("\nFor the C compiler: -D -U -I -isystem -include -O -g -W -f -m -std= -pthread -l -L -static -shared\n"
         "Environment: CC, MPICC and MPIRUN name the tools (default: cc, and the first MPI that is found).\n"
         "Exit status: 1 the source is wrong, 2 the command line, 3 files, memory or a tool failed,\n"
         "70 a bug in dpcc; with --run, the program's own.");
    end_of_text();
}

/* ---- Words to rows */

/* Whether `word` is the row's option; *joined_value is what follows it in the word, NULL: nothing. */
static bool fits(const option_row *row, const char *word, const char **joined_value) {
    if (!row->spelling) return false;
    size_t length = strlen(row->spelling);
    if (strncmp(word, row->spelling, length) != 0) return false;
    const char *rest = word + length;
    *joined_value = *rest ? rest : NULL;
    switch (row->form) {
    case NO_VALUE:
        return !*rest || (strncmp(word, "--", 2) == 0 && *rest == '=');
    case NEXT_WORD:
        return !*rest;
    case JOINED:
    case SEPARATE:
        return true;
    case EQUALS:
    case MAYBE:
        *joined_value = *rest ? rest + 1 : NULL;
        return !*rest || *rest == '=';
    }
    return false;
}

static const option_row *find_row(const char *word, const char **joined_value) {
    for (size_t i = 0; i < ROWS; i++)
        if (fits(&table[i], word, joined_value)) return &table[i];
    return NULL;
}

/* Levenshtein's distance between short words; more than 32 letters are far from everything. */
static size_t distance(const char *a, const char *b) {
    size_t row[33], width = strlen(b);
    if (width > 32 || strlen(a) > 32) return width;
    for (size_t j = 0; j <= width; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[width];
}

static _Noreturn void unknown_option(const char *word) {
    const option_row *nearest = NULL;
    char name[64], help[96] = "dpcc --help lists the options";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < ROWS && strncmp(word, "--", 2) == 0; i++) {
        const option_row *r = &table[i];
        if (r->spelling && distance(name, r->spelling) <= 2 &&
            (!nearest || distance(name, r->spelling) < distance(name, nearest->spelling)))
            nearest = r;
    }
    if (nearest) snprintf(help, sizeof help, "did you mean '%s'?", nearest->spelling);
    fail(STATUS_COMMAND, help, "unknown option '%s'", word);
}

/* Handles the option argv[at] and returns the number of words it took. */
static int parse_option(options *o, char **argv, int at) {
    const char *value = NULL;
    const option_row *row = find_row(argv[at], &value);
    int taken = 1;
    if (!row) unknown_option(argv[at]);
    if (row->form == NO_VALUE && value) fail(STATUS_COMMAND, NULL, "%s takes no value", row->spelling);
    if (!value && (row->form == SEPARATE || row->form == NEXT_WORD || row->form == EQUALS)) {
        value = argv[at + 1];
        if (!value) fail(STATUS_COMMAND, NULL, "%s needs a value", row->spelling);
        taken = 2;
    }
    row->act(o, row, value);
    return taken;
}

/* ---- Inputs */
static void parse_input(options *o, const char *path) {
    if (strcmp(path, "-") == 0) {
        add_input(o, INPUT_DPC, "/dev/stdin");
        return;
    }
    static const struct {
        const char *suffix;
        input_kind kind;
    } suffixes[] = {
        {".dpc", INPUT_DPC}, {".c", INPUT_C}, {".o", INPUT_OBJECT}, {".a", INPUT_OBJECT}, {".so", INPUT_OBJECT}};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++) {
        if (strcmp(dot, suffixes[i].suffix) == 0) {
            add_input(o, suffixes[i].kind, plain_path(o->memory, path));
            return;
        }
    }
    fail(STATUS_COMMAND, "the name of a program ends in .dpc; .c, .o, .a and .so go to the C compiler",
         "'%s' has no known suffix", path);
}

static void check_readable(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0 || access(path, R_OK) != 0)
        fail(STATUS_FAILED, NULL, "cannot read '%s': %s", path, strerror(errno));
    if (S_ISDIR(s.st_mode)) fail(STATUS_FAILED, NULL, "cannot read '%s': it is a directory", path);
}

const char *base_with_suffix(arena *a, const char *path, const char *suffix) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    return arena_format(a, "%.*s%s", (int)(dot ? (size_t)(dot - base) : strlen(base)), base, suffix);
}

/* ---- What must hold of the whole */
static void check_not_input(const options *o, const char *output) {
    struct stat out, in;
    if (stat(output, &out) != 0 || !S_ISREG(out.st_mode)) return;
    for (size_t i = 0; i < o->input_count; i++) {
        if (o->inputs[i].kind == INPUT_LINK_OPTION || stat(o->inputs[i].path, &in) != 0) continue;
        if (in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            fail(STATUS_COMMAND, NULL, "the output '%s' is an input", output);
    }
}

static bool produces_file(const options *o, const input *in) {
    return in->kind == INPUT_DPC || (in->kind == INPUT_C && o->last == STAGE_COMPILE);
}

/* Without -o: two inputs of one name in different folders would write the same file. */
static void check_default_outputs(const options *o) {
    const char *suffix = o->last == STAGE_COMPILE ? ".o" : ".c";
    for (size_t i = 0; i < o->input_count; i++) {
        if (!produces_file(o, &o->inputs[i])) continue;
        const char *name = base_with_suffix(o->memory, o->inputs[i].path, suffix);
        check_not_input(o, name);
        for (size_t j = 0; j < i; j++) {
            if (produces_file(o, &o->inputs[j]) &&
                strcmp(name, base_with_suffix(o->memory, o->inputs[j].path, suffix)) == 0)
                fail(STATUS_COMMAND, NULL, "'%s' and '%s' would both be written to '%s'", o->inputs[j].path,
                     o->inputs[i].path, name);
        }
    }
}

/* A line marker of the preprocessor ends at the end of its line. */
static void check_one_line(const char *path) {
    if (strchr(path, '\n')) fail(STATUS_COMMAND, NULL, "the path '%s' has more than one line", path);
}

static void check_inputs(const options *o) {
    size_t files = 0, sources = 0;
    for (size_t i = 0; i < o->input_count; i++) {
        const input *in = &o->inputs[i];
        if (in->kind == INPUT_LINK_OPTION) continue;
        files++, sources += produces_file(o, in);
        check_readable(in->path);
        if (in->kind == INPUT_DPC) check_one_line(in->path);
        if (in->kind != INPUT_DPC && (o->last < STAGE_COMPILE || o->dump || o->explain))
            fail(STATUS_COMMAND, NULL, "'%s' is not a .dpc file: there is nothing to translate", in->path);
    }
    for (size_t i = 0; i < o->preprocess.count; i++)
        if (strncmp(o->preprocess.item[i], "-D", 2) != 0) check_one_line(o->preprocess.item[i]);
    for (size_t i = 0; i < o->include.count; i++) check_one_line(o->include.item[i]);
    if (!files) fail(STATUS_COMMAND, "dpcc --help lists the options", "no input file");
    if (o->output && o->last != STAGE_LINK && sources > 1)
        fail(STATUS_COMMAND, "without -o every input has its own output",
             "-o names one file, but there are %zu outputs", sources);
}

static void check_outputs(const options *o) {
    if (o->dump || o->explain || o->run) return;
    if (o->output && strcmp(o->output, "-") == 0) {
        if (o->last > STAGE_TRANSLATE)
            fail(STATUS_COMMAND, NULL, "-o - is for -S and -E: only text can be written to standard output");
    } else if (o->output || o->last == STAGE_LINK) {
        check_not_input(o, o->output ? o->output : "a.out");
    } else if (o->last != STAGE_PREPROCESS) {
        check_default_outputs(o);
    }
}

static void check_run(const options *o) {
    if (!o->run) {
        if (o->processes) fail(STATUS_COMMAND, "--np=N fixes the number of processes", "-n is for --run");
        return;
    }
    if (o->last != STAGE_LINK)
        fail(STATUS_COMMAND, NULL, "--run makes a program: -S, -c and -E cannot be used with it");
    if (o->output) fail(STATUS_COMMAND, NULL, "--run leaves no file: -o cannot be used with it");
    if (o->dump) fail(STATUS_COMMAND, NULL, "--dump ends before there is a program: --run cannot be used with it");
}

static void check_pair(const options *o) {
    if (!o->has_pair) return;
    if (!o->explain || !o->fixed_processes) fail(STATUS_COMMAND, NULL, "--pair is shown by --explain --np=N");
    for (int k = 0; k < 2; k++)
        if (o->pair[k] >= o->fixed_processes)
            fail(STATUS_COMMAND, NULL, "--pair: process %ld is not among %ld processes", o->pair[k],
                 (long)o->fixed_processes);
}

static void check_explain(const options *o) {
    check_pair(o);
    if (!o->explain) return;
    if (o->run) fail(STATUS_COMMAND, NULL, "--explain ends before there is a program: --run cannot be used with it");
    if (o->serial) fail(STATUS_COMMAND, NULL, "--explain is about processes: --serial cannot be used with it");
    if (o->dump) fail(STATUS_COMMAND, NULL, "--explain and --dump both write to standard output");
    if (o->last == STAGE_PREPROCESS)
        fail(STATUS_COMMAND, NULL, "-E ends before anything is decided: --explain cannot be used with it");
    if (o->output) fail(STATUS_COMMAND, NULL, "--explain writes to standard output: -o cannot be used with it");
}

static void check_standalone(options *o) {
    size_t sources = 0;
    if (!o->standalone) return;
    if (o->serial)
        fail(STATUS_COMMAND, "--serial -S writes C that needs no library",
             "--standalone is about libdpc: --serial cannot be used with it");
    if (o->run || o->last == STAGE_COMPILE || o->last == STAGE_PREPROCESS)
        fail(STATUS_COMMAND, NULL, "--standalone writes C text: --run, -c and -E cannot be used with it");
    for (size_t i = 0; i < o->input_count; i++) sources += o->inputs[i].kind == INPUT_DPC;
    if (sources > 1)
        fail(STATUS_COMMAND, "a program of several files shares one library, libdpc.a",
             "--standalone writes one file with the library in it: it takes one .dpc file, not %zu", sources);
    o->last = STAGE_TRANSLATE;
}

/* What lets the C compiler form sums in another order, or round in another way, from one text to the next. */
static bool changes_rounding(const char *word) {
    static const char *const refused[] = {"-Ofast",
                                          "-ffast-math",
                                          "-funsafe-math-optimizations",
                                          "-fassociative-math",
                                          "-freciprocal-math",
                                          "-fno-signed-zeros",
                                          "-ffinite-math-only",
                                          "-mfpmath=387",
                                          "-ffp-contract=fast",
                                          "-ffp-contract=on"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (!strcmp(word, refused[k])) return true;
    return false;
}

/* A product and a sum are rounded one after the other wherever they stand. */
static void check_reproducible(options *o) {
    if (!o->reproducible) return;
    for (size_t k = 0; k < o->compile.count; k++)
        if (changes_rounding(o->compile.item[k]))
            fail(STATUS_COMMAND, NULL,
                 "%s lets results depend on the C compiler: --reproducible cannot be used with it", o->compile.item[k]);
    words_add(&o->compile, "-ffp-contract=off");
}

/* Options for the C compiler may stand beside --calibrate, as programs are compiled with them. */
static void check_calibrate(const options *o) {
    if (o->input_count || o->arguments.count)
        fail(STATUS_COMMAND, NULL, "--calibrate takes no input: it measures with a program of its own");
    if (o->run || o->serial || o->fixed_processes || o->processes || o->output || o->dump || o->explain ||
        o->last != STAGE_LINK)
        fail(STATUS_COMMAND, NULL, "--calibrate translates nothing: no option of translation can be used with it");
}

static void start(options *o, arena *a) {
    *o = (options){.memory = a, .last = STAGE_LINK, .check = CHECK_BOUNDS};
    words_start(&o->preprocess, a);
    words_start(&o->include, a);
    words_start(&o->compile, a);
    words_start(&o->arguments, a);
}

void parse_options(options *o, arena *a, int argc, char **argv) {
    int at = 1;
    start(o, a);
    while (at < argc && strcmp(argv[at], "--") != 0) {
        if (argv[at][0] == '-' && argv[at][1])
            at += parse_option(o, argv, at);
        else
            parse_input(o, argv[at++]);
    }
    for (at++; at < argc; at++) {
        if (o->run)
            words_add(&o->arguments, argv[at]);
        else
            parse_input(o, argv[at]);
    }
    if (o->calibrate) {
        check_calibrate(o);
        return;
    }
    check_standalone(o);
    check_reproducible(o);
    check_run(o);
    check_explain(o);
    check_inputs(o);
    check_outputs(o);
}

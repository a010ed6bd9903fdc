/* What must hold of the whole command line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "simulate.h"

/* ---- Options that exclude one another */

/* Adds to the text those of `spellings`, separated by '|', that are given, as they are written; whether there are any.
 */
static bool add_given(text *out, const options *o, const char *spellings) {
    bool any = false;
    for (size_t i = 0; i < o->spellings.count; i++) {
        const char *word = o->spellings.item[i];
        const size_t length = strlen(word);
        for (const char *s = spellings; *s; s += strcspn(s, "|"), s += *s == '|')
            if (strcspn(s, "|") == length && !strncmp(s, word, length)) {
                text_add(out, any ? " and " : "");
                text_add(out, o->written.item[i]);
                any = true;
            }
    }
    return any;
}

/* "leave out -S and --run, or --explain": of two lists of spellings those that are given; NULL: none of the first. */
static const char *leave_out(const options *o, const char *these, const char *or_those) {
    text help, others;
    text_start(&help, o->memory);
    text_start(&others, o->memory);
    text_add(&help, "leave out ");
    if (!add_given(&help, o, these)) return NULL;
    if (add_given(&others, o, or_those)) text_format(&help, ", or %s", text_of(&others));
    return text_of(&help);
}

/* ---- Inputs and outputs */

static void check_readable(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0 || access(path, R_OK) != 0) fail_to_read(path, errno);
    if (S_ISDIR(s.st_mode)) fail_to_read(path, EISDIR);
}

static void check_not_input(const options *o, const char *output, const char *option) {
    struct stat out, in;
    if (stat(output, &out) != 0 || !S_ISREG(out.st_mode)) return;
    for (size_t i = 0; i < o->input_count; i++) {
        if (o->inputs[i].kind == INPUT_LINK_OPTION || stat(o->inputs[i].path, &in) != 0) continue;
        if (in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            fail(STATUS_COMMAND, arena_format(o->memory, "%s names another file", option),
                 "the output '%s' is an input", output);
    }
}

static bool produces_file(const options *o, const input *in) {
    return in->kind == INPUT_DPC || (in->kind == INPUT_C && o->last == STAGE_COMPILE);
}

/* Who distributes the arrays of x.c in x.dpc has written x.c: without -o, a text that dpcc has not made stays. */
static void check_own_text(const options *o, const char *output) {
    struct stat s;
    if (stat(output, &s) != 0 || !S_ISREG(s.st_mode) || !s.st_size) return;
    if (!file_has_bytes(o->memory, output, "Translated by dpcc"))
        fail(STATUS_COMMAND, "-o NAME writes another file; -o with this name replaces it",
             "'%s' is there, and dpcc has not written it", output);
}

/* Without -o: two inputs of one name in different folders would write the same file. */
static void check_default_outputs(const options *o) {
    const char *suffix = o->last == STAGE_COMPILE ? ".o" : ".c";
    for (size_t i = 0; i < o->input_count; i++) {
        if (!produces_file(o, &o->inputs[i])) continue;
        const char *name = base_with_suffix(o->memory, o->inputs[i].path, suffix);
        check_not_input(o, name, "-o");
        for (size_t j = 0; j < i; j++) {
            if (produces_file(o, &o->inputs[j]) &&
                strcmp(name, base_with_suffix(o->memory, o->inputs[j].path, suffix)) == 0)
                fail(STATUS_COMMAND, "one command for each of them, with -o NAME",
                     "'%s' and '%s' would both be written to '%s'", o->inputs[j].path, o->inputs[i].path, name);
        }
    }
    for (size_t i = 0; o->last == STAGE_TRANSLATE && i < o->input_count; i++)
        if (produces_file(o, &o->inputs[i])) check_own_text(o, base_with_suffix(o->memory, o->inputs[i].path, suffix));
}

/* A line marker of the preprocessor ends at the end of its line. */
static void check_one_line(const char *path) {
    if (strchr(path, '\n'))
        fail(STATUS_COMMAND, "give the file, or the directory, a name of one line",
             "the path '%s' has more than one line", path);
}

/* A C file is compiled as it is: of directives in it each process would execute all, on arrays of its own. */
static void check_no_directives(const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (file && !found && getline(&line, &capacity, file) > 0) {
        char word[8];
        const char *start = line + strspn(line, " \t");
        found = *start == '#' && sscanf(start + 1, " pragma %7s", word) == 1 && !strcmp(word, "dpc");
    }
    free(line);
    if (file) fclose(file);
    if (found)
        fail(STATUS_COMMAND, "a name that ends with .dpc has it translated",
             "'%s' has directives of dpcc, but C files are compiled as they are", path);
}

static void check_inputs(const options *o) {
    size_t files = 0, sources = 0;
    for (size_t i = 0; i < o->input_count; i++) {
        const input *in = &o->inputs[i];
        if (in->kind == INPUT_LINK_OPTION) continue;
        files++, sources += produces_file(o, in);
        check_readable(in->path);
        if (in->kind == INPUT_DPC) check_one_line(in->path);
        if (in->kind == INPUT_C) check_no_directives(in->path);
        if (in->kind != INPUT_DPC && (o->last < STAGE_COMPILE || o->dump || o->explain))
            fail(STATUS_COMMAND, leave_out(o, "-S|-E|--standalone|--dump|--explain", ""),
                 "'%s' is not a .dpc file: there is nothing to translate", in->path);
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
            fail(STATUS_COMMAND, "-S -o - writes the translated C",
                 "-o - is for -S and -E: only text can be written to standard output");
    } else if (o->output || o->last == STAGE_LINK) {
        check_not_input(o, o->output ? o->output : "a.out", "-o");
    } else if (o->last != STAGE_PREPROCESS) {
        check_default_outputs(o);
    }
}

static void check_run(const options *o) {
    if (!o->run) {
        if (o->processes) fail(STATUS_COMMAND, "--np=N fixes the number of processes", "-n is for --run and --test");
        return;
    }
    if (o->last != STAGE_LINK)
        fail(STATUS_COMMAND, leave_out(o, "-S|-c|-E", "--run|--simulate"),
             "--run makes a program: -S, -c and -E cannot be used with it");
    if (o->output)
        fail(STATUS_COMMAND, leave_out(o, "-o", "--run|--simulate"), "--run leaves no file: -o cannot be used with it");
    if (o->dump)
        fail(STATUS_COMMAND, leave_out(o, "--dump", "--run|--simulate"),
             "--dump ends before there is a program: --run cannot be used with it");
}

static void check_simulate(const options *o) {
    if (o->count_count > 1 && !o->simulate)
        fail(STATUS_COMMAND, "--simulate -n 1,4,16 prints a table",
             "-n takes several numbers with --simulate and --test only");
    for (size_t k = 0; k < o->count_count; k++)
        if (o->fixed_processes && o->simulate && o->counts[k] != o->fixed_processes)
            fail(STATUS_COMMAND, leave_out(o, "-n", "--np"),
                 "--np=%ld fixes the number of processes: -n %ld cannot be used with it", o->fixed_processes,
                 o->counts[k]);
    if (!o->simulate) return;
    if (o->serial)
        fail(STATUS_COMMAND, leave_out(o, "--simulate", "--serial"),
             "--simulate is about processes: --serial cannot be used with it");
    check_simulation(o);
}

static void check_pair(const options *o) {
    if (!o->has_pair) return;
    if (!o->explain || !o->fixed_processes)
        fail(STATUS_COMMAND, "as in dpcc --explain --np=4 --pair=2,0 FILE.dpc", "--pair is shown by --explain --np=N");
    for (int k = 0; k < 2; k++)
        if (o->pair[k] >= o->fixed_processes)
            fail(STATUS_COMMAND, arena_format(o->memory, "their numbers are 0 to %ld", o->fixed_processes - 1),
                 "--pair: process %ld is not among %ld processes", o->pair[k], (long)o->fixed_processes);
}

static void check_explain(const options *o) {
    check_pair(o);
    if (!o->explain) return;
    if (o->run)
        fail(STATUS_COMMAND, leave_out(o, "--explain", "--run|--simulate"),
             "--explain ends before there is a program: --run cannot be used with it");
    if (o->serial)
        fail(STATUS_COMMAND, leave_out(o, "--explain", "--serial"),
             "--explain is about processes: --serial cannot be used with it");
    if (o->dump)
        fail(STATUS_COMMAND, leave_out(o, "--explain", "--dump"), "--explain and --dump both write to standard output");
    if (o->last == STAGE_PREPROCESS)
        fail(STATUS_COMMAND, leave_out(o, "-E", "--explain"),
             "-E ends before anything is decided: --explain cannot be used with it");
    if (o->output)
        fail(STATUS_COMMAND, "a redirection names the file: dpcc --explain FILE.dpc >FILE",
             "--explain writes to standard output: -o cannot be used with it");
}

static void check_standalone(options *o) {
    size_t sources = 0;
    if (!o->standalone) return;
    if (o->serial)
        fail(STATUS_COMMAND, "--serial -S writes C that needs no library",
             "--standalone is about libdpc: --serial cannot be used with it");
    if (o->run || o->last == STAGE_COMPILE || o->last == STAGE_PREPROCESS)
        fail(STATUS_COMMAND, leave_out(o, "--run|--simulate|-c|-E", "--standalone"),
             "--standalone writes C text: --run, -c and -E cannot be used with it");
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

/* GCC's vectorizer makes fused instructions of sums and differences in turn (complex products) whatever -ffp-contract
 * says: the processor gets none.  Those of AVX-512 bring them along. */
static void leave_out_fused(options *o) {
#if defined(__x86_64__) || defined(__i386__)
    bool chosen = false;
    for (size_t k = 0; k < o->compile.count; k++) chosen = chosen || !strncmp(o->compile.item[k], "-m", 2);
    if (!chosen) return;
    words_add(&o->compile, "-mno-avx512f");
    words_add(&o->compile, "-mno-fma4");
    words_add(&o->compile, "-mno-fma");
#else
    (void)o;
#endif
}

/* A product and a sum are rounded one after the other wherever they stand. */
static void check_reproducible(options *o) {
    if (!o->reproducible) return;
    for (size_t k = 0; k < o->compile.count; k++)
        if (changes_rounding(o->compile.item[k]))
            fail(STATUS_COMMAND, arena_format(o->memory, "leave out %s, or --reproducible", o->compile.item[k]),
                 "%s lets results depend on the C compiler: --reproducible cannot be used with it", o->compile.item[k]);
    words_add(&o->compile, "-ffp-contract=off");
    leave_out_fused(o);
}

/* Options for the C compiler may stand beside --calibrate, as programs are compiled with them. */
static void check_calibrate(const options *o) {
    if (o->input_count || o->arguments.count)
        fail(STATUS_COMMAND, "two commands: dpcc --calibrate, and the translation",
             "--calibrate takes no input: it measures with a program of its own");
    if (o->run || o->serial || o->fixed_processes || o->processes || o->output || o->dump || o->explain ||
        o->last != STAGE_LINK)
        fail(STATUS_COMMAND,
             leave_out(o, "--run|--simulate|--serial|--np|-n|-o|--dump|--explain|--standalone|-S|-c|-E", "--calibrate"),
             "--calibrate translates nothing: no option of translation can be used with it");
}

static void check_report(const options *o) {
    size_t sources = 0;
    if (!o->report) {
        if (o->stats)
            fail(STATUS_COMMAND, "as in dpcc --report=FILE.html --stats=FILE.json FILE.dpc",
                 "--stats is shown by --report=FILE.html");
        return;
    }
    for (size_t i = 0; i < o->input_count; i++) sources += o->inputs[i].kind == INPUT_DPC;
    if (sources != 1)
        fail(STATUS_COMMAND, "each program has a page of its own", "--report is about one .dpc file, not %zu", sources);
    if (o->serial)
        fail(STATUS_COMMAND, leave_out(o, "--report", "--serial"),
             "--report is about processes: --serial cannot be used with it");
    if (o->last != STAGE_LINK || o->output || o->dump || o->explain)
        fail(STATUS_COMMAND, "--run --report=FILE.html compiles and runs the program",
             "--report makes the page: -S, -c, -E, -o, --explain and --dump cannot be used with it");
    if (o->run && o->stats)
        fail(STATUS_COMMAND, leave_out(o, "--stats", "--run|--simulate"),
             "--run counts anew: --stats cannot be used with it");
    check_not_input(o, o->report, "--report");
}

static void check_dependencies(const options *o) {
    const dependency_options *d = &o->dependencies;
    size_t sources = 0;
    if (d->kind == DEPENDENCIES_NONE) {
        if (d->file || d->words.count)
            fail(STATUS_COMMAND, "-MMD writes a rule beside what is made, -MM only the rule",
                 "%s says how a rule for make is written, which nothing asks for", d->file ? "-MF" : d->words.item[0]);
        return;
    }
    if (o->run || o->dump || o->explain || o->last == STAGE_PREPROCESS)
        fail(STATUS_COMMAND, leave_out(o, "-MD|-MMD|-M|-MM", "--run|--simulate|--explain|--dump|-E"),
             "rules for make belong to files that are made: --run, --explain, --dump and -E cannot be used with them");
    for (size_t i = 0; i < o->input_count; i++)
        sources += o->inputs[i].kind == INPUT_DPC || o->inputs[i].kind == INPUT_C;
    if (sources > 1 && (d->file || (d->kind == DEPENDENCIES_BESIDE && o->output)))
        fail(STATUS_COMMAND, "-c, with each source by itself", "one file cannot have the rules of %zu sources",
             sources);
    if (!d->file || !strcmp(d->file, "-")) return;
    check_not_input(o, d->file, "-MF");
    if (o->output && !strcmp(d->file, o->output))
        fail(STATUS_COMMAND, "-MF names another file", "-o and -MF both name '%s'", o->output);
}

/* What programs are translated with, the client and compile_flags.txt say. */
static void check_lsp(const options *o) {
    if (o->input_count || o->arguments.count)
        fail(STATUS_COMMAND, "the editor starts dpcc --lsp: docs/editors.md",
             "--lsp takes no input: an editor opens the files");
    if (o->run || o->serial || o->fixed_processes || o->processes || o->output || o->dump || o->explain ||
        o->calibrate || o->last != STAGE_LINK || o->preprocess.count || o->include.count || o->compile.count)
        fail(STATUS_COMMAND, "flags for a folder's programs stand in its compile_flags.txt",
             "--lsp translates nothing by itself: no option of translation can be used with it");
}

/* What is given besides goes to the translation of each program. */
static void check_suite(options *o) {
    const suite_options *s = &o->suite;
    if (!s->test) {
        if (s->jobs || s->seconds || s->update || s->strict)
            fail(STATUS_COMMAND, "dpcc --test DIRECTORY", "-j, --timeout, --strict and --update are for --test");
        return;
    }
    if (o->run || o->output || o->dump || o->explain || o->report || o->stats || o->last != STAGE_LINK ||
        o->calibrate || o->lsp || o->standalone || o->dependencies.kind != DEPENDENCIES_NONE)
        fail(STATUS_COMMAND,
             leave_out(o,
                       "--run|--simulate|-o|--dump|--explain|--report|--stats|-S|-c|-E|--calibrate|--lsp|--standalone|"
                       "-MD|-MMD|-M|-MM",
                       "--test"),
             "--test runs programs and leaves none: no option that stops earlier, or names "
             "what is made, can be used with it");
    for (size_t i = 0; i < o->input_count; i++)
        if (o->inputs[i].kind != INPUT_LINK_OPTION)
            fail(STATUS_COMMAND, "the files that a program needs stand in NAME.flags",
                 "--test comes before the directories: '%s' stands before it", o->inputs[i].path);
    if (!s->paths.count) fail(STATUS_COMMAND, "dpcc --test . runs the programs here", "--test needs a directory");
    if (!s->seconds) o->suite.seconds = 60;
}

void check_options(options *o) {
    check_suite(o);
    if (o->suite.test) {
        check_reproducible(o);
        return;
    }
    if (o->lsp) {
        check_lsp(o);
        return;
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
    check_dependencies(o);
    check_report(o);
    check_simulate(o);
}

/* The command line: words to rows of the table, and inputs. */
#include <stdio.h>
#include <string.h>

#include "options.h"

const char *plain_path(arena *a, const char *path) {
    return *path == '-' || *path == '@' ? arena_format(a, "./%s", path) : path;
}

void add_program_input(options *o, input_kind kind, const char *path) {
    vector_add(o->memory, o->inputs, o->input_count, o->input_capacity, ((input){kind, path}));
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
    for (size_t i = 0; i < option_rows; i++)
        if (fits(&option_table[i], word, joined_value)) return &option_table[i];
    return NULL;
}

static _Noreturn void unknown_option(const char *word) {
    const option_row *nearest = NULL;
    char name[64], help[96] = "dpcc --help lists the options";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const bool is_long = strncmp(word, "--", 2) == 0 || strlen(name) > 3;
    for (size_t i = 0; i < option_rows && is_long; i++) {
        const option_row *r = &option_table[i];
        if (r->spelling && word_distance(name, r->spelling) <= 2 &&
            (!nearest || word_distance(name, r->spelling) < word_distance(name, nearest->spelling)))
            nearest = r;
    }
    if (nearest) snprintf(help, sizeof help, "did you mean '%s'?", nearest->spelling);
    fail(STATUS_COMMAND, help, "unknown option '%s'", word);
}

const char *usage_of(arena *a, const option_row *row) {
    return arena_format(a, "as in %s%s", row->spelling, row->argument ? row->argument : " VALUE");
}

/* What concerns a suite, and not the translation of each of its programs. */
static bool is_for_suites(const option_row *row) {
    static const char *const spellings[] = {"--test", "--update", "--strict", "--timeout", "-j", "-n", "--serial"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(row->spelling, spellings[i])) return true;
    return false;
}

/* Handles the option argv[at] and returns the number of words it took. */
static int parse_option(options *o, char **argv, int at) {
    const char *value = NULL;
    const option_row *row = find_row(argv[at], &value);
    int taken = 1;
    if (!row) unknown_option(argv[at]);
    if (row->form == NO_VALUE && value)
        fail(STATUS_COMMAND, arena_format(o->memory, "write %s alone", row->spelling), "%s takes no value",
             row->spelling);
    if (!value && (row->form == SEPARATE || row->form == NEXT_WORD || row->form == EQUALS)) {
        value = argv[at + 1];
        if (!value) fail(STATUS_COMMAND, usage_of(o->memory, row), "%s needs a value", row->spelling);
        taken = 2;
    }
    if (value && !*value && !row->argument && (row->form == SEPARATE || row->form == NEXT_WORD))
        fail(STATUS_COMMAND, usage_of(o->memory, row), "%s needs a value", row->spelling);
    words_add(&o->spellings, row->spelling);
    words_add(&o->written, argv[at]);
    row->act(o, row, value);
    for (int k = 0; k < taken && !is_for_suites(row); k++) words_add(&o->suite.given, argv[at + k]);
    return taken;
}

/* ---- Inputs */
static void parse_input(options *o, const char *path) {
    if (o->suite.test) {
        words_add(&o->suite.paths, plain_path(o->memory, path));
        return;
    }
    if (strcmp(path, "-") == 0) {
        add_program_input(o, INPUT_DPC, "/dev/stdin");
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
            add_program_input(o, suffixes[i].kind, plain_path(o->memory, path));
            return;
        }
    }
    fail(STATUS_COMMAND, "the name of a program ends in .dpc; .c, .o, .a and .so go to the C compiler",
         "'%s' has no known suffix", path);
}

const char *base_with_suffix(arena *a, const char *path, const char *suffix) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    return arena_format(a, "%.*s%s", (int)(dot ? (size_t)(dot - base) : strlen(base)), base, suffix);
}

static void start(options *o, arena *a) {
    *o = (options){.memory = a, .last = STAGE_LINK, .check = CHECK_BOUNDS};
    words_start(&o->preprocess, a);
    words_start(&o->include, a);
    words_start(&o->compile, a);
    words_start(&o->arguments, a);
    words_start(&o->dependencies.words, a);
    words_start(&o->spellings, a);
    words_start(&o->written, a);
    words_start(&o->suite.paths, a);
    words_start(&o->suite.given, a);
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
    check_options(o);
}

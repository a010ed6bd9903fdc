/* What --test prints: a line of TAP for each program, and what explains a failure. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { MOST_LINES = 20, MOST_COLUMNS = 200 };

void report_line(suite_case *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_format(&c->report, "# %s\n", arena_vformat(c->suite->memory, format, arguments));
    va_end(arguments);
}

/* The first lines of a text. */
static void report_text(suite_case *c, const char *all) {
    for (int line = 0; all && *all; line++) {
        const size_t length = strcspn(all, "\n");
        if (line == MOST_LINES) {
            report_line(c, "  ...");
            return;
        }
        report_line(c, "  %.*s", length < MOST_COLUMNS ? (int)length : MOST_COLUMNS, all);
        all += length + (all[length] == '\n');
    }
}

void report_file(suite_case *c, const char *path) {
    char start[(MOST_LINES + 2) * MOST_COLUMNS];
    FILE *file = fopen(path, "rb");
    if (!file) return;
    start[fread(start, 1, sizeof start - 1, file)] = '\0';
    fclose(file);
    report_text(c, start);
}

void report_difference(suite_case *c, const char *expected, const char *got) {
    const char *const list[] = {"diff", "-a", "-u", "-L", "expected", "-L", "printed", expected, got};
    words command;
    int status;
    if (!find_command(c->suite->memory, "diff")) {
        report_line(c, "no diff was found that shows how; it printed:");
        report_file(c, got);
        return;
    }
    words_start(&command, c->suite->memory);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) words_add(&command, list[i]);
    report_text(c, output_of_command(c->suite->memory, &command, true, &status));
}

static void add_word(text *line, const char *word) {
    const bool plain = *word && !word[strcspn(word, " \t\n\"'\\$`*?[](){}<>|&;#~!")];
    text_add(line, plain ? " " : " '");
    for (; *word; word++) {
        if (*word == '\'')
            text_add(line, "'\\''");
        else
            text_add_bytes(line, word, 1);
    }
    if (!plain) text_add(line, "'");
}

static void add_words(text *line, const words *more) {
    for (size_t i = 0; i < more->count; i++) add_word(line, more->item[i]);
}

void report_command(suite_case *c) {
    const bool serial = c->step == STEP_TRANSLATE_SERIAL || c->step == STEP_RUN_SERIAL;
    const bool runs = c->step == STEP_RUN_SERIAL || c->step == STEP_RUN;
    const char *compiler = getenv(serial ? "CC" : "MPICC");
    text line;
    text_start(&line, c->suite->memory);
    if (compiler) {
        text_add(&line, serial ? " CC=" : " MPICC=");
        text quoted;
        text_start(&quoted, c->suite->memory);
        add_word(&quoted, compiler);
        text_add(&line, text_of(&quoted) + 1);
    }
    text_add(&line, serial ? " dpcc --serial" : " dpcc");
    if (runs) text_add(&line, " --run");
    if (c->step == STEP_RUN) text_format(&line, " -n %ld", c->processes[c->run]);
    add_word(&line, c->path);
    add_words(&line, &c->suite->options->suite.given);
    add_words(&line, &c->flags);
    if (runs && c->arguments.count) {
        text_add(&line, " --");
        add_words(&line, &c->arguments);
    }
    if (runs && strcmp(c->input, "/dev/null") != 0) {
        text_add(&line, " <");
        add_word(&line, c->input);
    }
    report_line(c, "again:%s", text_of(&line));
}

/* The name, with what TAP takes for a directive made harmless. */
static void print_name(const char *name) {
    for (; *name; name++) {
        if (*name == '#' || *name == '\\') putchar('\\');
        putchar(*name == '\n' ? ' ' : *name);
    }
}

void report_case(suite_case *c, size_t number) {
    printf("%sok %zu - ", c->faults ? "not " : "", number);
    print_name(c->base);
    if (c->skipped) printf(" # SKIP %s", c->skipped);
    if (!c->skipped && c->refusal) printf(": refused");
    if (!c->skipped && !c->refusal) {
        printf(": serial");
        for (size_t k = 0; k < c->runs; k++) printf(", %ld", c->processes[k]);
        if (c->runs) printf(c->runs == 1 && c->processes[0] == 1 ? " process" : " processes");
    }
    printf("\n%s", text_of(&c->report));
}
